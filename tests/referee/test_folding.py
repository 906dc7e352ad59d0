"""Bases drawn as four places are read as one area, and shown place by place again."""

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
    assert base.likelihoods[(1, 1)] == -9.0 and base.likelihoods[(1, 1, 1, 1)] == -9.0
    assert set(fold(seen)) == {"t0", "base1"}


def test_a_reading_without_places_stays_the_same_object() -> None:
    seen = {"t0": empty(), "base1": full()}
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
