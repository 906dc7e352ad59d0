"""A piece that the eyes missed on ground of its own colour they may miss on all such ground, and nowhere else."""

from __future__ import annotations

from math import log

import cv2
import numpy as np
import pytest
import table_drawing as table

from companion.model import Position, SpaceSeen
from companion.vision import Memory, learn, look, make_scene
from companion.vision.board.places import grounds
from companion.vision.overlooked import wary

EMPTY = SpaceSeen((), 0.98, False, {(): 0.0, (0,): -4.0, (1,): -7.0})


@pytest.fixture(scope="module")
def drawn() -> tuple:
    sheet, texture = table.board()
    return make_scene(sheet, texture), texture, table.camera()


def after_a_ruling(drawn: tuple, ruled: dict, pieces: list) -> Memory:
    """What the eyes remember of a board with these pieces in sight, once it was ruled."""
    scene, texture, pose = drawn
    _, memory = look(table.draw(scene.sheet, texture, pose, pieces), scene)
    memory = learn(memory, scene, Position.of(ruled))
    assert memory.view is not None
    return Memory(view=memory.view, learned=memory.learned)


def read_again(drawn: tuple, memory: Memory, smudged: tuple[str, ...], pieces: list) -> dict[str, SpaceSeen]:
    """The next reading, where something small changed on some spaces."""
    scene, texture, pose = drawn
    frame = table.draw(scene.sheet, texture, pose, pieces)
    for name in smudged:
        space = scene.sheet.spaces[name]
        x, y = pose.project([(space.x + 5, space.y)])[0]
        cv2.circle(frame, (round(x), round(y)), 5, tuple(int(0.8 * c) for c in frame[round(y), round(x)]), -1)
    seen, _ = look(frame, scene, memory, at=1.0)
    return seen.spaces


def test_what_was_missed_in_a_lane_may_stand_elsewhere_in_that_lane(drawn: tuple) -> None:
    memory = after_a_ruling(drawn, {"lane0.1": (0,)}, [])
    assert memory.learned is not None and set(memory.learned.overlooked.values()) == {0.5}
    seen = read_again(drawn, memory, ("lane0.2", "t2"), [])
    assert seen["lane0.2"].content == () and seen["lane0.2"].log_likelihood((0,)) >= log(0.5) - 1e-6
    assert seen["t2"].log_likelihood((0,)) < -2 and seen["lane0.2"].log_likelihood((1,)) < -2


def test_where_such_pieces_are_seen_nothing_is_feared(drawn: tuple) -> None:
    pieces = [(0, 130, 150)]
    memory = after_a_ruling(drawn, {"lane0.1": (0,)}, pieces)
    assert memory.learned is not None and set(memory.learned.overlooked.values()) == {0.0}
    seen = read_again(drawn, memory, ("lane0.2",), pieces)
    assert seen["lane0.2"].log_likelihood((0,)) < -1


def test_what_was_missed_is_remembered_until_such_a_piece_is_seen_there(drawn: tuple) -> None:
    scene, texture, pose = drawn
    memory = after_a_ruling(drawn, {"lane0.1": (0,)}, [])
    _, memory = look(table.draw(scene.sheet, texture, pose, []), scene, memory, at=1.0)
    memory = learn(memory, scene, Position.of({}))
    assert memory.learned is not None and set(memory.learned.overlooked.values()) == {0.5}


def test_a_space_that_is_not_empty_is_as_it_is_read() -> None:
    known = {(3, 0): 0.5}
    assert wary(EMPTY, 3, known).log_likelihood((0,)) == pytest.approx(log(0.5))
    assert wary(EMPTY, 2, known).log_likelihood((0,)) == -4.0
    there = SpaceSeen((1,), 0.98, False, {(1,): 0.0, (): -4.0})
    assert wary(there, 3, known) is there


def test_the_ground_of_a_space_is_the_ink_that_a_piece_hides_most_of(drawn: tuple) -> None:
    scene, _, _ = drawn
    memory = after_a_ruling(drawn, {}, [])
    assert memory.view is not None
    inks = dict(zip(scene.sheet.spaces, grounds(memory.view.places, scene.surface).tolist(), strict=True))
    assert inks["lane0.1"] == inks["lane0.2"] != inks["t0"] == inks["t5"]
    assert np.ptp([inks[f"t{i}"] for i in range(12)]) == 0
