"""Bases drawn as four places are read as one area, and shown place by place again; what is doubted in an area."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.model import Position, SpaceSeen
from companion.referee.folding import fold, spread

NAMES = ["t0", "base1.1", "base1.2", "base1.3", "base1.4"]


def empty(confidence: float = 0.999) -> SpaceSeen:
    return SpaceSeen((), confidence, likelihoods={(): 0.0, (1,): -9.0})


def full(confidence: float = 0.999) -> SpaceSeen:
    return SpaceSeen((1,), confidence, likelihoods={(1,): 0.0, (): -9.0, (0,): -11.0})


def test_pieces_of_a_base_are_counted_wherever_they_stand() -> None:
    seen = dict(zip(NAMES, [empty(), full(), empty(), full(), full()], strict=True))
    base = fold(seen)["base1"]
    assert base.content == (1, 1, 1) and base.confidence > 0.99
    assert base.likelihoods[(1, 1)] == base.likelihoods[(1, 1, 1, 1)] == pytest.approx(-9.0, abs=0.25)
    assert set(fold(seen)) == {"t0", "base1"}


def test_a_reading_without_bases_and_homes_stays_the_same_object() -> None:
    seen = {"t0": empty(), "lane1.1": full()}
    assert fold(seen) is seen


def test_a_covered_place_leaves_the_number_open() -> None:
    seen = dict(zip(NAMES, [empty(), full(), SpaceSeen((), 0.0, covered=True), full(), full()], strict=True))
    base = fold(seen)["base1"]
    assert base.log_likelihood((1, 1, 1)) == base.log_likelihood((1, 1, 1, 1)) == 0.0
    assert not base.covered and base.confidence <= 0.5


def test_a_base_that_is_all_covered_is_no_evidence() -> None:
    hidden = SpaceSeen((), 0.0, covered=True)
    assert fold(dict(zip(NAMES, [empty(), hidden, hidden, hidden, hidden], strict=True)))["base1"].covered


def test_pieces_are_shown_on_the_places_where_they_were_seen() -> None:
    seen = dict(zip(NAMES, [empty(), empty(), full(), empty(), full()], strict=True))
    shown = spread(Position.of({"base1": (1, 1)}), NAMES, seen)
    assert dict(shown) == {"base1.2": (1,), "base1.4": (1,)}
    assert dict(spread(Position.of({"base1": (1,), "t0": (1,)}), NAMES)) == {"base1.1": (1,), "t0": (1,)}


def test_a_base_is_believed_no_more_than_the_place_that_is_doubted_most() -> None:
    doubted = SpaceSeen((0,), 0.6, False, {(0,): 0.0, (): -0.4}, -2.4)
    base = fold({"base0.1": doubted, "base0.2": SpaceSeen((0,), 0.99, False, {(0,): 0.0, (): -9.0})})["base0"]
    assert base.content == (0, 0)
    assert base.log_likelihood((0, 0, 0)) == -2.4


def test_what_hides_one_piece_of_a_base_may_hide_them_all() -> None:
    """Four brown marbles in a brown circle: a film's referee was sure that three were gone, and accused somebody."""
    dark = SpaceSeen((), 0.6, False, {(): 0.0, (0,): -0.4})
    home = SpaceSeen((), 0.6, False, {(): 0.0, (1,): -0.4})
    both = fold({f"base0.{n}": dark for n in (1, 2, 3, 4)} | {"home0": home})
    assert all(both["base0"].log_likelihood((0,) * n) > -3 for n in range(5))
    assert all(both["home0"].log_likelihood((0,) * n) > -3 for n in range(5))
    assert both["home0"].content == () and both["home0"].log_likelihood((1,)) == pytest.approx(-0.4, abs=0.2)


@given(st.lists(st.floats(-12, -0.01), min_size=1, max_size=5), st.floats(-12, -2.4))
def test_an_area_is_never_surer_than_it_was_read_nor_much_less(others: list[float], unlisted: float) -> None:
    contents = [(2,), (2, 2), (), (1,), (1, 2)]
    levels = dict(zip([(2, 2, 2), *contents], [0.0, *others], strict=False))
    sure = 1 / sum(map(math.exp, levels.values()))
    seen = SpaceSeen((2, 2, 2), sure, False, levels, unlisted)
    now = fold({"base2": seen})["base2"]
    assert now.content == (2, 2, 2) and now.log_likelihood((2, 2, 2)) == 0
    least = 1 / (1 / sure + 5 * math.exp(unlisted))
    assert least - 0.5 * (1 - least) < now.confidence <= sure + 1e-9
    for count in range(5):
        assert now.log_likelihood((2,) * count) >= seen.log_likelihood((2,) * count) - 0.5


def test_what_is_covered_stays_so_and_a_word_of_the_owner_too() -> None:
    """Where a content alone is given, as by hand, nothing is doubted."""
    assert fold({"base2": SpaceSeen((), 0.0, covered=True)})["base2"].covered
    assert fold({"base2": SpaceSeen((), 1.0, False, {(): 0.0, (2,): -1e6})})["base2"].content == (), "however unlikely"
    given = fold({"base2": SpaceSeen((2,), 1.0, False, {(2,): 0.0})})["base2"]
    assert given.content == (2,) and given.log_likelihood((2, 2)) == pytest.approx(-12.0)
