"""The printed tray is found by its markers wherever it was pushed, and the dice on it are read."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from dice_drawing import Die, _cube, camera

from calibration.sheet import TEXTURE_SCALE
from calibration.tray_mat import texture
from companion.vision.dice.mat import (
    BENT,
    HALF_SEEN,
    INNER,
    MARKER,
    MAT_HEIGHT,
    MAT_WIDTH,
    MIDDLES,
    mat_markers,
    mat_pose,
    on_sheet,
)
from companion.vision.dice.tray import NO_TRAY, TrayMemory, find_mat, look_at_tray
from companion.vision.view.pose import Floats, Frame, Pose

MAT = cv2.imdecode(np.frombuffer(texture(), np.uint8), cv2.IMREAD_COLOR)
CORNERS = np.array([(0, 0), (MAT_WIDTH, 0), (MAT_WIDTH, MAT_HEIGHT), (0, MAT_HEIGHT)], np.float64)


def places(points: Floats, at: tuple[float, float], turn: float) -> Floats:
    """Points of the mat on the table, where it lies at `at`, turned by degrees."""
    a = np.radians(turn)
    return points @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + np.array(at)


def table_with_mat(pose: Pose, at: tuple[float, float], turn: float, dice: list[Die], lower: float = 0.0) -> Frame:
    """A picture of the mat with dice, which are given in mm of the mat; the table lies `lower` mm under the sheet."""
    cols, rows = pose.size
    picture = np.full((rows, cols, 3), (60, 90, 120), np.uint8)
    ends = np.column_stack([places(CORNERS, at, turn), np.full(4, -lower)])
    matrix = cv2.getPerspectiveTransform(
        (CORNERS * TEXTURE_SCALE).astype(np.float32), pose.project(ends).astype(np.float32)
    )
    cv2.warpPerspective(MAT, matrix, (cols, rows), picture, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    drawn = picture.astype(np.float32)
    for die in dice:
        x, y = places(np.array([[die.x, die.y]]), at, turn)[0]
        _cube(drawn, die._replace(x=float(x), y=float(y)), pose)
    noise = np.random.default_rng(3).normal(0, 1.5, drawn.shape)
    return np.clip(cv2.GaussianBlur(drawn, (0, 0), 0.6) + noise, 0, 255).astype(np.uint8)


RED = (40, 35, 175)
DICE = [
    Die(4, INNER.x + 25, INNER.y + 30, 17, 20, RED, (235, 235, 235)),
    Die(6, INNER.x + 70, INNER.y + 60, 17, 50, RED, (235, 235, 235)),
]


@pytest.mark.parametrize(("at", "turn", "lower"), [((150, 80), 0, 0), ((190, 60), 12, 4), ((330, 230), 170, 4)])
def test_the_mat_is_found_where_it_lies(at: tuple[float, float], turn: float, lower: float) -> None:
    board = camera(20, distance=520)
    found = find_mat(table_with_mat(board, at, turn, DICE, lower), board)
    assert isinstance(found, Pose)
    x, y = places(np.array([[INNER.x, INNER.y]]), at, turn)[0]
    assert np.hypot(*(np.array(on_sheet(found, board, INNER.x, INNER.y)) - (x, y))) < 1.5
    assert abs(board.eye[2] + lower - found.eye[2]) < 6


@pytest.mark.long
def test_a_pushed_mat_is_followed_and_being_pushed_is_no_new_reading_of_other_places() -> None:
    board, memory = camera(15, distance=520), TrayMemory()
    seen = None
    for step in range(16):
        at = (150.0, 80.0) if step < 8 else (205.0, 95.0)
        frame = table_with_mat(board, at, 0 if step < 8 else 9, DICE, 3)
        seen, memory = look_at_tray(frame, board, None, 0.1 * step, memory)
        if step in (7, 15):
            assert seen is not None and sorted(die.value for die in seen.dice) == [4, 6]
            for die, read in zip(DICE, seen.dice, strict=True):
                assert np.hypot(read.x_mm - die.x, read.y_mm - die.y) < 3


@pytest.mark.parametrize("lens", [(-0.25, (0.0,)), (-0.3, (0.14,)), (-0.05, (0.2, 0.1))])
def test_the_whole_of_the_lens_is_taken_out(lens: tuple[float, tuple[float, ...]]) -> None:
    board = replace(camera(20, distance=520), radial=lens[0], higher=lens[1])
    square = MARKER / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    at, turn = (150.0, 80.0), 12
    seen = {i: board.project(places(np.array(MIDDLES[i]) + square, at, turn)) for i in MIDDLES}
    found = mat_pose(seen, board)
    assert isinstance(found, Pose)
    for corner, true in zip(CORNERS, places(CORNERS, at, turn), strict=True):
        assert np.hypot(*(np.array(on_sheet(found, board, *corner)) - true)) < 0.05


def test_half_a_mat_or_none_is_said() -> None:
    board = camera(15, distance=520)
    frame = table_with_mat(board, (150, 80), 0, [])
    assert find_mat(np.full_like(frame, 120), board) == NO_TRAY
    markers = mat_markers(frame)
    assert mat_pose({10: markers[10]}, board) == HALF_SEEN
    assert mat_pose({10: markers[10], 11: markers[11] + 60}, board) == BENT


@pytest.mark.long
def test_a_tray_that_lies_still_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    board, memory, reads = camera(15, distance=520), TrayMemory(), []
    frame = table_with_mat(board, (150, 80), 0, DICE)
    from companion.vision.dice import tray

    real = tray.read_dice
    monkeypatch.setattr(tray, "read_dice", lambda *given: reads.append(1) or real(*given))
    for step in range(60):
        _, memory = look_at_tray(frame, board, None, 0.1 * step, memory)
    assert len(reads) == 2
