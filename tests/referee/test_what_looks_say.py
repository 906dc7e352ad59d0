"""What several looks at a still board say together, space by space and as a whole."""

from __future__ import annotations

import math

import pytest

from companion.model import BoardSeen, Position, SpaceSeen
from companion.referee.evidence import Evidence, Quiet, free_reading

RED, GREEN = (0,), (1,)


def reading(content: tuple[int, ...] = (), confidence: float = 0.99, **levels: float) -> SpaceSeen:
    """levels: none, red, green: nats below the best."""
    known = {{"none": (), "red": RED, "green": GREEN}[name]: level for name, level in levels.items()}
    return SpaceSeen(content, confidence, False, {**known, content: 0.0})


HIDDEN = SpaceSeen((), 0.0, True)
PLAIN, PAWN = reading(red=-8.0), reading(RED, none=-8.0)


def told(*looks: dict[str, SpaceSeen]) -> Evidence:
    return Evidence(tuple(Quiet.of(BoardSeen(float(at), spaces)) for at, spaces in enumerate(looks)))


@pytest.mark.parametrize(
    ("looks", "mean", "worst"),
    [
        ([PAWN, PAWN], 0.0, 0.0),
        ([PLAIN, PLAIN], -8.0, -8.0),
        ([PAWN, reading(red=-2.0, none=0.0), PAWN], 0.0, -2.0),
        ([PLAIN, reading(RED, none=-2.0), PLAIN], -14 / 3, -8.0),
    ],
)
def test_a_position_fits_on_average_and_the_look_that_it_fits_worst(
    looks: list[SpaceSeen], mean: float, worst: float
) -> None:
    evidence, red = told(*({"t1": look} for look in looks)), Position.of({"t1": RED})
    assert evidence.score(red) == pytest.approx(mean) == evidence.of("t1", RED)
    assert evidence.worst(red) == worst


@pytest.mark.parametrize(
    ("looks", "least", "wavers", "guessed", "surely"),
    [
        ([PAWN, PAWN], 0.99, False, False, 1 / (1 + math.exp(-8))),
        ([reading(RED, 0.4, none=-2.0), PAWN], 0.4, False, False, 1 / (1 + math.exp(-5))),
        ([PAWN, reading(RED, 0.4, none=-2.0)], 0.4, False, True, 1 / (1 + math.exp(-5))),
        ([PAWN, reading(RED, 0.6, none=-0.5)], 0.6, False, True, 1 / (1 + math.exp(-4.25))),
        ([PAWN, reading((), 0.9, red=-2.0)], 0.9, True, False, 1 / (1 + math.exp(-3))),
        ([reading((), 0.1, red=-2.0), HIDDEN], 0.1, False, False, 1.0),
        ([HIDDEN, PAWN], 0.99, False, False, 1 / (1 + math.exp(-8))),
    ],
)
def test_how_sure_a_space_is_read(
    looks: list[SpaceSeen], least: float, wavers: bool, guessed: bool, surely: float
) -> None:
    evidence = told(*({"t1": look} for look in looks))
    assert (evidence.least_sure("t1"), evidence.wavers("t1")) == (least, wavers)
    assert evidence.guessed(0.5) == ({"t1"} if guessed else set())
    assert evidence.sureness("t1") == pytest.approx(surely)


def test_what_is_not_on_the_sheet_is_no_evidence() -> None:
    evidence = told({"t1": PAWN})
    assert (evidence.of("t2", RED), evidence.sureness("t2"), evidence.least_sure("t2")) == (0.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("space", "seen"),
    [
        (reading((), 0.9, green=-5.0), GREEN),
        (reading((), 0.9, green=-7.0), ()),
        (HIDDEN, RED),
    ],
    ids=["a little doubt", "hardly any", "covered, as it stood"],
)
def test_pieces_add_up_where_a_doubtful_space_is_read_otherwise(space: SpaceSeen, seen: tuple[int, ...]) -> None:
    """One red pawn is seen, and the one green pawn is not."""
    evidence = told({"t1": PAWN, "t2": space})
    found = free_reading(evidence, Position.of({"t1": RED, "t2": RED}), {0: 1, 1: 1})
    assert found == Position.of({"t1": RED, "t2": seen})


def test_what_was_misread_before_says_nothing_new() -> None:
    evidence = told({"t1": PAWN, "t2": PLAIN}).forgiving({"t1": (RED, ())})
    assert evidence.score(Position.of({})) == 0.0 and evidence.misread_of(Position.of({})) == {}
    assert told({"t1": PAWN, "t2": PLAIN}).misread_of(Position.of({"t2": RED})) == {"t1": (RED, ()), "t2": ((), RED)}
