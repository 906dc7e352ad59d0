"""What the referee says, as a value: the kind, the rules, the facts, one kind sentence, and the way out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from companion.model.board import Seat
from companion.model.play import Step
from companion.model.position import Position


class Kind(StrEnum):
    """The verdicts of FORMATS. NOTE is a remark that judges nothing ("the dice are unplugged")."""

    LEGAL = "legal"
    PARTIAL = "partial"
    ILLEGAL = "illegal"
    RESTORED = "restored"
    TAKEBACK = "takeback"
    UNCLEAR = "unclear"
    LOST = "lost"
    PASS = "pass"
    OVER = "over"
    NOTE = "note"


WITH_DICE = (Kind.LEGAL, Kind.PARTIAL, Kind.PASS, Kind.ILLEGAL)
"""What the story shows the dice of."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One ruling.

    at: seconds, the clock of what was told. seat: who is meant. steps: what was played, from the turn's start.
    rules: ids broken (ILLEGAL), most telling first. text: one sentence that a twelve-year-old understands.
    position: what the referee takes to stand on the board now. seen: what stands there where it is wrong.
    put_right: how to mend it, each (seat, from, to) for one piece; "" is beside the board.
    legal: some plays that would have been legal, each a tuple of steps. winner: the seats that won (OVER).
    dice: those of the turn that it is about; None where nothing is said of them, as in journals of old.
    """

    kind: Kind
    at: float
    seat: Seat | None = None
    steps: tuple[Step, ...] = ()
    rules: tuple[str, ...] = ()
    text: str = ""
    position: Position | None = None
    seen: Position | None = None
    put_right: tuple[tuple[Seat, str, str], ...] = ()
    legal: tuple[tuple[Step, ...], ...] = ()
    winner: tuple[Seat, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    dice: tuple[int, ...] | None = None
