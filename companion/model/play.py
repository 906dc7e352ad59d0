"""Rolls, steps, objections and what is due: the words in which a game is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from companion.model.board import Seat


class DueKind(StrEnum):
    """What the game waits for. MOVE: a turn that needs no dice is about to begin (Game of God)."""

    THROW = "throw"
    QUESTION = "question"
    DECLARATION = "declaration"
    ROLL = "roll"
    MOVE = "move"
    PLAY = "play"
    CHALLENGE = "challenge"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Due:
    """What is due and from whom. `dice`: the numbers of dice that may be thrown (ROLL and THROW)."""

    kind: DueKind
    seat: Seat
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice shown by one throw, in the order in which they were reported."""

    dice: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.dice or any(d not in range(1, 7) for d in self.dice):
            raise ValueError(f"dice show 1 to 6, not {self.dice}")


@dataclass(frozen=True, slots=True)
class Step:
    """One piece of `seat` moved from `origin` to `target`, by one part or a bonus.

    `by`: what moved it, for people and the journal ("5", "total 5", "bonus 20", "penalty"), or "" where not known.
    `captures`: the pieces that stood on `target` and that it sends back to their base, each as (seat, base space, e.g.
    "base2"). A piece that is taken elsewhere, or for good, goes by a step of its own, of its seat.
    """

    seat: Seat
    origin: str
    target: str
    by: str = ""
    captures: tuple[tuple[Seat, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Objection:
    """A rule that a step breaks, with the facts that its wording needs (space, piece, count, …)."""

    rule: str
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A complete play of a roll: the state in which the next roll is due, and one way to get there."""

    state: Any
    steps: tuple[Step, ...]
