"""What else may stand on one space: a piece more, one fewer, one of another colour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import table_drawing as table

from companion.model import UNLIKELY, SpaceSeen
from companion.vision import make_scene
from companion.vision.board.matching import find
from companion.vision.board.places import Places, places
from companion.vision.board.standing import Match
from companion.vision.measuring import make_view
from companion.vision.reading.spaces import Doubt, _one_more, _read_one, doubted, less_sure, read_spaces


@pytest.mark.parametrize("far", [False, True])
def test_a_piece_near_which_nothing_else_may_stand_is_weighed_against_nothing(far: bool) -> None:
    """Places where a piece may stand are those round which something is seen; all may be far from this one."""
    sheet, texture = table.board()
    view = make_view(table.camera(), make_scene(sheet, texture))
    where, name = view.places, next(name for name, space in sheet.spaces.items() if space.is_area)
    index = list(sheet.spaces).index(name)
    here = np.flatnonzero(where.space == index)
    apart = np.linalg.norm(where.feet[here] - where.feet[here[0]], axis=1)
    busy = np.zeros(len(where.feet), bool)
    busy[here[(apart > 11) if far else (apart < 9)]] = True
    evidence = np.full((where.shape[0] * where.shape[1], 4), 1.0, np.float32)
    found = Match(where, evidence, 15.0, busy, evidence[:, 0], [(int(here[0]), 2)])
    levels = _read_one(found, index, [0, 1, 2, 3], *_one_more(found, [index])[0])
    assert levels[2,] == 0.0 and levels[()] < -10
    assert ((0,) in levels) is not far


def evidence_of(where: Places, standing: list[int]) -> np.ndarray:
    """What the pixels of pieces of the third colour at some places say, and those of the board round about them."""
    told = np.full((where.shape[0] * where.shape[1], 4), -1.0, np.float32)
    for place in standing:
        told[where.hidden_by(place)[0], 2] = 1.5
    return told


@pytest.mark.parametrize("two", [True, False])
def test_one_that_stands_between_two_spaces_may_be_two_each_on_its_own(two: bool) -> None:
    """Pawns one behind the other were one between them, beside which there was no room, and a space surely empty."""
    sheet, _ = table.board()
    one, other = (replace(sheet.spaces["t0"], name=name, x=150.0, y=y) for name, y in (("t0", 130.0), ("t1", 150.0)))
    where = places(replace(sheet, spaces={"t0": one, "t1": other}), table.camera(tilt=35.0).eye, (375, 375))
    first, second = (int(np.searchsorted(where.space, index)) for index in (0, 1))
    here = np.flatnonzero(where.space == 1)
    middle = int(here[np.linalg.norm(where.feet[here] - (150.0, 140.0), axis=1).argmin()])
    assert where.cost[middle] > 1.5
    evidence = evidence_of(where, [first, second] if two else [middle])
    found = Match(where, evidence, 18.0, np.ones(len(where.feet), bool), evidence[:, 2], [(middle, 2)])
    level = _read_one(found, 0, [0, 1, 2, 3], *_one_more(found, [0])[0]).get((2,), -np.inf)
    assert level > 0 if two else level < -10
    assert found.standing == [(middle, 2)]


def test_of_a_reading_in_doubt_what_was_never_weighed_is_hardly_less_likely_either() -> None:
    """Three shadows in a home of two pawns: that there are two was as good as impossible."""
    seen = SpaceSeen((1, 1, 2), 0.9, False, {(1, 1, 2): 0.0, (1, 2): -3.0, (): -10.0})
    least = doubted(seen)
    assert seen.log_likelihood((1, 1)) == -12 and -3 < least.log_likelihood((1, 1)) < least.log_likelihood(())
    assert less_sure(least, {0: -1.0}).log_likelihood((1, 1)) == least.log_likelihood((1, 1))


def test_a_reading_that_is_doubted_twice_is_believed_no_less() -> None:
    """A pawn stood out of a base, and a shadow lay in it: both told the same, and a 25th of it was believed."""
    seen = SpaceSeen((), 0.99, False, {(): 0.0, (1,): -6.0})
    assert doubted(doubted(seen)) == doubted(seen) != seen


def test_a_board_that_is_hardly_believed_is_not_believed_still_less_where_much_is_strange() -> None:
    seen = SpaceSeen((), 0.6, False, {(): 0.0, (1,): -1.0}, UNLIKELY / 10)
    assert doubted(seen).likelihoods == seen.likelihoods
    half = replace(seen, unlisted=UNLIKELY / 2)
    assert doubted(half).log_likelihood((1,)) == pytest.approx(-0.4)
    assert doubted(half).unlisted == pytest.approx(doubted(replace(seen, unlisted=UNLIKELY)).unlisted)


def test_what_lies_beside_a_piece_says_not_that_it_is_none() -> None:
    """A red pawn in plain sight was put on a space, and its yellow shadow beside it: that nothing was there became so
    likely that the eyes were believed to have misread, and the foul was missed."""
    pawn = SpaceSeen((1,), 0.999, False, {(1,): 0.0, (): -10.0, (2,): -9.0, (1, 2): -8.0})
    told = doubted(pawn, there=True)
    assert told.log_likelihood(()) == -10 and told.log_likelihood((2,)) == doubted(pawn).log_likelihood((2,)) > -2
    nothing = SpaceSeen((), 0.999, False, {(): 0.0, (1,): -8.0})
    assert doubted(nothing, there=True) == doubted(nothing)


@pytest.mark.parametrize("nats", [0.15, 0.0, -0.4])
def test_a_base_is_empty_as_surely_as_its_likeliest_place(nats: float) -> None:
    """A dark green pawn in a dark green base, in the dark: its middle is plainly bare, and it was surely empty."""
    sheet, _ = table.board()
    where = places(sheet, table.camera().eye, (375, 375))
    index = list(sheet.spaces).index("base0")
    here = np.flatnonzero(where.space == index)
    aside = int(here[np.linalg.norm(where.feet[here] - (243.0, 158.0), axis=1).argmin()])
    evidence = np.full((where.shape[0] * where.shape[1], 4), -2.3, np.float32)
    evidence[where.hidden_by(aside)[0], 1] = nats
    found = find(where, evidence, evidence.max(axis=1), sheet)
    assert found.standing == [] and not found.busy[here].any()
    spaces = read_spaces(found, sheet, [0, 1, 2, 3], {}, Doubt(1.0), {})
    assert spaces["base0"].content == ()
    assert (spaces["base0"].log_likelihood((1,)) > -4) == (nats > -0.1)
    assert spaces["base0"].log_likelihood((2,)) < -9 and spaces["t0"].confidence > 0.999
