"""A board without markers that was bumped is found again near where it lay, without a search of the whole picture."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision import Scene, make_scene
from companion.vision.finding.nudge import nudged
from companion.vision.finding.registration import _bumped, register
from companion.vision.view.pose import Frame, Pose, pushed

sys.path.insert(0, str(Path(__file__).parent))
import table_drawing as table

MIDDLE = (table.SIDE / 2, table.SIDE / 2)


def moved(way: tuple[float, float], degrees: float) -> Pose:
    return pushed(table.camera(), float(np.radians(degrees)), way, MIDDLE)


def shown(sheet: object, texture: np.ndarray, pose: Pose) -> tuple[Frame, Frame]:
    frame = table.draw(sheet, texture, pose, [(0, 130, 90), (2, 90, 210)])
    return frame, cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)


@pytest.fixture(scope="module")
def scene() -> Scene:
    sheet, texture = table.board()
    return make_scene(replace(sheet, markers=None), texture)


def test_a_pushed_sheet_lies_where_it_was_pushed() -> None:
    before, after = table.camera(), moved((20, -10), 30)
    cos, sin = np.cos(np.radians(30)), np.sin(np.radians(30))
    places = np.array([(0, 0), (250, 40), (300, 300)], np.float64) - MIDDLE
    there = places @ np.array([(cos, sin), (-sin, cos)]) + MIDDLE + (20, -10)
    assert np.allclose(after.project(places + MIDDLE), before.project(there))


@pytest.mark.parametrize(("way", "degrees"), [((0, 0), 0), ((6, -4), 2), ((-35, 25), -6), ((45, 40), 10)])
def test_a_bumped_board_is_found_near_where_it_lay(scene: Scene, way: tuple, degrees: float) -> None:
    truth = moved(way, degrees)
    frame, grey = shown(*table.board(), truth)
    start = nudged(grey, scene, table.camera())
    assert start is not None and start.shifted(truth, table.SIDE, table.SIDE) < 12
    found = _bumped(frame, grey, scene, table.camera())
    assert isinstance(found, Pose) and found.shifted(truth, table.SIDE, table.SIDE) < 1.5


def test_a_board_pushed_farther_is_looked_for_everywhere(scene: Scene) -> None:
    truth = moved((-20, 10), 75)
    frame, grey = shown(*table.board(), truth)
    assert _bumped(frame, grey, scene, table.camera()) is None
    found = register(frame, scene, table.camera())
    assert isinstance(found, Pose) and found.shifted(truth, table.SIDE, table.SIDE) < 1.5


@pytest.mark.long
def test_a_chequered_board_is_never_taken_for_a_square_beside() -> None:
    sheet, texture = table.board()
    cell = round(30 * table.SCALE)
    y, x = np.mgrid[: texture.shape[0], : texture.shape[1]]
    squares = np.where(((x // cell + y // cell) % 2 == 0)[..., None], np.uint8(225), np.uint8(70))
    inner = slice(2 * cell, -2 * cell)
    texture[inner, inner] = squares[inner, inner]
    scene = make_scene(replace(sheet, markers=None), texture)
    for way in ((85, 0), (90, 60)):
        frame, grey = shown(sheet, texture, moved(way, 0))
        assert nudged(grey, scene, table.camera()) is None, "a square farther it looks nearly the same"
        assert _bumped(frame, grey, scene, table.camera()) is None
