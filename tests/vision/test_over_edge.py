"""A disc that sticks out of its square and goes on there is a doubt; one that was put down carelessly is not."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from lone_stack import SHAPE, SHEET, seen_from, standing

from companion.service.boards.configured import printed_board
from companion.vision import Scene, make_scene
from companion.vision.board.standing import Match
from companion.vision.reading.over_edge import over_edge
from companion.vision.view.scene import PIXELS_PER_MM

WHERE, SQUARE = seen_from(30.0), "d4"
INDEX = list(SHEET.spaces).index(SQUARE)
BOARD, STRANGE = -3.0, 5.0  # nats against the board


@lru_cache
def scene() -> Scene:
    return make_scene(*printed_board("game-of-god")[:2])


def put(found: Match, off: float, name: str = SQUARE) -> None:
    """Put a disc on a square, so many mm to the right of its middle, or nearly."""
    space, where = SHEET.spaces[name], found.where
    away = np.hypot(*(where.feet - (space.x + off, space.y)).T) + 1e3 * (where.storeys != 1)
    away[where.space != list(SHEET.spaces).index(name)] = np.inf
    found.put((int(np.argmin(away)), 0))


def nothing() -> Match:
    empty = np.zeros((SHAPE[0] * SHAPE[1], 2), np.float32)
    return Match(WHERE, empty, 1.0, np.ones(len(WHERE.feet), bool), empty[:, 0])


def strange_from(x: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Nats against the board, which ends so many mm from the left."""
    odd = np.full(SHAPE, BOARD, np.float32)
    odd[:, int(x * PIXELS_PER_MM) :] = STRANGE
    return odd


def told(off: float, odd: np.ndarray[tuple[int, ...], np.dtype[np.float32]], dim: bool = False) -> set[int]:
    found = nothing()
    put(found, off)
    return over_edge(found, odd, np.full(SHAPE, dim), scene())


def test_what_goes_on_over_the_edge_may_be_no_disc() -> None:
    """The top of a high stack on the next square was surely a second one, and so was its shadow by candlelight."""
    assert told(10.5, strange_from(SHEET.spaces[SQUARE].x)) == {INDEX}


def test_what_touches_another_disc_there_may_be_a_part_of_it() -> None:
    found, odd = nothing(), np.full(SHAPE, BOARD, np.float32)
    put(found, 10.5)
    assert over_edge(found, odd, np.zeros(SHAPE, bool), scene()) == set()
    put(found, -10.5, "e4")
    assert INDEX in over_edge(found, odd, np.zeros(SHAPE, bool), scene())


@pytest.mark.parametrize(
    ("off", "beyond", "dim"),
    [(0.0, 0.0, False), (7.0, 0.0, False), (10.5, 400.0, False), (10.5, 0.0, True), (10.5, -1.0, False)],
    ids=["in the middle", "off it, but not much", "put down carelessly", "beside a shadow", "strange elsewhere"],
)
def test_others_are_discs(off: float, beyond: float, dim: bool) -> None:
    odd = strange_from(beyond)
    if beyond < 0:
        odd = STRANGE + BOARD - strange_from(SHEET.spaces[SQUARE].x)
    assert told(off, odd, dim) == set()


def test_spaces_that_are_left_out_are_not_asked() -> None:
    found, odd = nothing(), strange_from(0)
    put(found, 10.5)
    assert over_edge(found, odd, np.zeros(SHAPE, bool), scene(), {INDEX}) == set()


def test_the_stack_whose_top_it_may_be_is_a_doubt_too() -> None:
    """Of eight thick white discs the side was surely a black top, and the top a disc on the square behind."""
    found, before = nothing(), "d3"
    name = list(SHEET.spaces).index(before)
    put(found, 0.0, before)
    foot, eye = WHERE.feet[found.standing[0][0]], WHERE.eye[:2]
    assert foot[1] < eye[1]  # the camera stands below it, and d4 lies in line behind it
    found.take(found.standing[0])
    found.put((int(np.flatnonzero((WHERE.space == name) & WHERE.middle & (WHERE.storeys == 5))[0]), 0))
    space = SHEET.spaces[SQUARE]
    near = np.hypot(*(WHERE.feet - (space.x, space.y + 10.5)).T) + 1e3 * (WHERE.storeys != 1)
    near[WHERE.space != INDEX] = np.inf
    found.put((int(np.argmin(near)), 0))
    assert over_edge(found, np.full(SHAPE, BOARD, np.float32), np.zeros(SHAPE, bool), scene()) == {INDEX, name}


@pytest.mark.parametrize(
    ("before", "storeys", "color", "doubted"),
    [("d3", 7, 0, True), ("d3", 7, 1, False), ("d3", 1, 0, False), ("d3", 2, 0, False), ("c3", 7, 0, False)],
    ids=["of its colour", "of another", "no stack", "much too low", "beside the line of sight"],
)
def test_a_disc_well_in_its_square_may_be_the_top_of_a_stack_in_line(
    before: str, storeys: int, color: int, doubted: bool
) -> None:
    """Of seven thick red discs the top was surely another one, two squares behind, on a white one."""
    found, index = nothing(), list(SHEET.spaces).index(before)
    put(found, 0.0)
    own = np.flatnonzero((WHERE.space == index) & WHERE.middle & (WHERE.storeys == storeys))
    found.put((int(own[0]), color))
    board = np.full(SHAPE, BOARD, np.float32)
    assert over_edge(found, board, np.zeros(SHAPE, bool), scene()) == ({INDEX} if doubted else set())


@pytest.mark.parametrize(("storeys", "doubted"), [(1, False), (2, True)])
def test_a_stack_beyond_whose_top_something_goes_on_may_be_higher(storeys: int, doubted: bool) -> None:
    found, place = standing(WHERE, SQUARE, storeys)
    everywhere, none = np.full(SHAPE, STRANGE, np.float32), np.zeros(SHAPE, bool)
    assert over_edge(found, everywhere, none, scene()) == ({INDEX} if doubted else set())
    assert over_edge(found, everywhere, ~none, scene()) == set()
    assert over_edge(found, np.full(SHAPE, BOARD, np.float32), none, scene()) == set()
    assert over_edge(found, everywhere, none, scene(), {INDEX}) == set() and place == found.standing[0][0]


def test_where_a_stack_goes_on_in_its_own_colour_it_only_lies_a_little_farther_off() -> None:
    """Of a green disc on two white ones, found 3 mm beside its place, it was doubted whether it is one."""
    found, _ = standing(WHERE, SQUARE, 2)
    everywhere, none = np.full(SHAPE, STRANGE, np.float32), np.zeros(SHAPE, bool)
    found.evidence[:, 0] = 2.0
    assert over_edge(found, everywhere, none, scene()) == set()
    found.evidence[:] = (0.0, 2.0)  # of another colour
    assert over_edge(found, everywhere, none, scene()) == {INDEX}
