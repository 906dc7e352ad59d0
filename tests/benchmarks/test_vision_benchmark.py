"""How long a look takes: at an idle board, at a changed one, after one move, and at one seen for the first time.

The small board has three pawns; a game's own board as it is set up, with four pawns in each base, is a harder one.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.catalogue import game_for
from companion.service.boards.configured import board_options, printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Tabletop
from companion.vision import look, make_scene
from companion.vision.finding.repeating import by_outline, by_squares
from companion.vision.measuring import make_view
from companion.vision.sight import read
from companion.vision.view.pose import Pose

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "vision"))
import table_drawing as table


@pytest.fixture(scope="module")
def table_and_frame() -> tuple[Any, Any]:
    sheet, texture = table.board()
    pose = table.camera(size=(1280, 960))
    return make_scene(sheet, texture), table.draw(sheet, texture, pose, [(0, 90, 90), (1, 170, 90), (3, 129, 211)])


def test_idle_look(benchmark: Any, table_and_frame: tuple[Any, Any]) -> None:
    scene, frame = table_and_frame
    _, memory = look(frame, scene)
    benchmark(look, frame, scene, memory)


def test_full_reading(benchmark: Any, table_and_frame: tuple[Any, Any]) -> None:
    scene, frame = table_and_frame
    _, memory = look(frame, scene)
    benchmark(read, frame, scene, memory.view)


@pytest.mark.parametrize("game", ["parcheesi", "game-of-god"])
def test_full_reading_of_a_board_set_up(benchmark: Any, game: str) -> None:
    rules = game_for(game, (0, 2) if game == "game-of-god" else (0, 1, 2, 3), {})
    sheet, texture, _ = printed_board(game, board_options(rules))
    tabletop = Tabletop(sheet, random.Random(1))
    tabletop.set_up(rules.position(rules.opening(rules.seats[0])))
    frame = Painter(sheet, texture, View().fitted(sheet), np.random.default_rng(2)).paint(tabletop.pawns)
    scene = make_scene(sheet, texture)
    _, memory = look(frame, scene)
    benchmark(read, frame, scene, memory.view)


def test_reading_one_move(benchmark: Any, table_and_frame: tuple[Any, Any]) -> None:
    scene, frame = table_and_frame
    _, memory = look(frame, scene)
    pose = table.camera(size=(1280, 960))
    moved = table.draw(*table.board(), pose, [(0, 90, 90), (1, 211, 90), (3, 129, 211)])
    benchmark(read, moved, scene, memory.view, None, memory.look)


def test_first_look(benchmark: Any, table_and_frame: tuple[Any, Any]) -> None:
    scene, frame = table_and_frame
    benchmark(look, frame, scene)


@pytest.mark.parametrize("way", [by_squares, by_outline])
def test_finding_a_board_of_squares_without_markers(benchmark: Any, way: Any) -> None:
    frame = table.draw(*table.squares(), table.camera(size=(1280, 960)), [(0, 90, 90), (1, 170, 90), (3, 129, 211)])
    scene = make_scene(*table.squares())
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    assert isinstance(benchmark(way, frame, grey, scene, None), Pose)


def test_preparing_a_view(benchmark: Any, table_and_frame: tuple[Any, Any]) -> None:
    scene, frame = table_and_frame
    _, memory = look(frame, scene)
    benchmark(make_view, memory.view.pose, scene)
