"""Are the dice fair: the tests against published figures, fair dice and loaded ones."""

from __future__ import annotations

import math
import random

import pytest

from companion.dice.statistics import chi_square_tail, counts, dice_needed, faces, findings, pairs, runs
from companion.service.cli_dice import report


@pytest.mark.parametrize(
    ("x", "degrees", "p"),
    [(11.070, 5, 0.05), (15.086, 5, 0.01), (49.802, 35, 0.05), (57.342, 35, 0.01), (5.991, 2, 0.05), (3.841, 1, 0.05)],
)
def test_the_tables_of_the_chi_square(x: float, degrees: int, p: float) -> None:
    assert chi_square_tail(x, degrees) == pytest.approx(p, rel=2e-3)


def fair(number: int, seed: int = 1) -> list[tuple[int, ...]]:
    rng = random.Random(seed)
    return [(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(number)]


def test_fair_dice_are_rarely_called_odd() -> None:
    odd = sum(found.odd for seed in range(200) for found in findings(fair(300, seed)))
    assert odd <= 15, "600 tests at one in a hundred: 6 are expected, 15 come once in a thousand"


@pytest.mark.long
def test_a_loaded_die_is_found_as_often_as_promised() -> None:
    rng, found = random.Random(3), 0
    for _ in range(60):
        loaded = [(rng.choices(range(1, 7), [5, 3, 3, 3, 3, 3])[0],) for _ in range(dice_needed(0.25))]
        found += faces(loaded).odd
    assert 46 <= found <= 60, "nine in ten of them, for 5/20 instead of 1/6"


def test_dice_that_alternate_or_repeat() -> None:
    assert runs([(1,), (6,)] * 100).odd and runs([(1,)] * 50 + [(6,)] * 50).odd
    assert pairs([(a, a) for a in range(1, 7)] * 40).odd
    assert not faces([(a,) for a in range(1, 7)] * 20).odd


@pytest.mark.parametrize("number", [0, 1, 9])
def test_too_few_say_nothing(number: int) -> None:
    assert [found.p for found in findings(fair(number))] == [None, None, None]
    assert sum(counts(fair(number))) == 2 * number


def test_a_die_that_always_shows_the_same_is_not_said_to_be_thrown_too_seldom() -> None:
    """It was "too few to say anything: 500 dice, at least 40 are needed"."""
    faces_line, runs_line = list(report([(6, 6)] * 250))[1:3]
    assert faces_line.endswith("odd") and not faces_line.endswith("nothing odd")
    assert runs_line.startswith("runs") and "nearly all dice are high" in runs_line


def test_a_smaller_bias_needs_more_dice() -> None:
    assert dice_needed(0.25) < dice_needed(0.20) < dice_needed(0.18)
    assert dice_needed(0.20) == pytest.approx(2750, rel=0.01)


def test_the_runs_of_wald_and_wolfowitz() -> None:
    """Ten low and ten high ones in turn: 20 runs where 11 are expected, with a variance of 90/19."""
    found = runs([(3,), (4,)] * 10)
    assert found.statistic == pytest.approx(9 / math.sqrt(90 / 19)) and found.dice == 20
    assert found.p == pytest.approx(3.55e-5, rel=0.01) and found.odd
    assert runs([(1, 3)] * 5 + [(4, 6)] * 5).statistic == pytest.approx(-9 / math.sqrt(90 / 19))
    few = runs([(3,), (4,)] * 9)
    assert (few.statistic, few.p, few.odd) == (18.0, None, False), "nine of each are too few"
    assert runs([]).statistic == 0.0


def test_pairs_do_not_overlap_and_have_an_order() -> None:
    found = pairs([(a, a) for a in range(1, 7)] * 40)
    assert found.statistic == pytest.approx(6 * (40 - 20 / 3) ** 2 / (20 / 3) + 30 * 20 / 3)
    assert (found.dice, found.needs) == (480, 360) and found.p is not None
    assert pairs([(1,), (2,), (3,)]).dice == 2
    even = [(a, b) for a in range(1, 7) for b in range(1, 7)] * 5
    assert (pairs(even).statistic, pairs(even).p) == (0.0, 1.0)
    assert pairs(even[1:]).p is None, "one pair fewer is too few"


def test_the_faces_of_a_die_that_likes_the_six() -> None:
    found = faces([(a,) for a in range(1, 7)] * 10 + [(6,)] * 6)
    assert (found.statistic, found.dice) == (pytest.approx(30 / 11), 66)
    assert found.p == pytest.approx(0.742, abs=0.002) and not found.odd
