"""What each lamp shows: on = yours to act, breathing = read the phone, fast = something is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.model import Due, DueKind, Kind, Seat, Verdict


class Pattern(StrEnum):
    """What one lamp does."""

    OFF = "off"
    ON = "on"
    BREATHING = "breathing"
    FAST = "fast"


@dataclass(frozen=True, slots=True)
class Lamps:
    """What the whole panel shows. alarm: something is wrong, also for those who look away."""

    seats: Mapping[Seat, Pattern]
    alarm: bool = False


_BY_DUE: Mapping[DueKind, Pattern] = {
    DueKind.THROW: Pattern.ON,
    DueKind.ROLL: Pattern.ON,
    DueKind.MOVE: Pattern.ON,
    DueKind.PLAY: Pattern.ON,
    DueKind.QUESTION: Pattern.BREATHING,
    DueKind.DECLARATION: Pattern.BREATHING,
    DueKind.CHALLENGE: Pattern.BREATHING,
    DueKind.OVER: Pattern.OFF,
}


def lamps(seats: Iterable[Seat], due: Due | None, verdict: Verdict | None, read_phone: bool = False) -> Lamps:
    """The lamps for what is due and the verdict that stands.

    due: None before a game. read_phone: there is something to read for whoever is due (the dice are away).
    The board that cannot be seen breathes on all lamps; a winner's lamp breathes.
    """
    all_seats = tuple(seats)
    kind = verdict.kind if verdict else None
    if kind is Kind.LOST:
        return Lamps(dict.fromkeys(all_seats, Pattern.BREATHING))
    shown = dict.fromkeys(all_seats, Pattern.OFF)
    if verdict and kind is Kind.ILLEGAL:
        blamed = all_seats if verdict.seat is None else (verdict.seat,)
        return Lamps(_only(shown, blamed, Pattern.FAST), alarm=True)
    if verdict and kind is Kind.OVER:
        return Lamps(_only(shown, verdict.winner, Pattern.BREATHING))
    if due is None:
        return Lamps(shown)
    unclear = kind is Kind.UNCLEAR
    asked = verdict.seat if verdict and unclear and verdict.seat is not None else due.seat
    return Lamps(_only(shown, (asked,), Pattern.BREATHING if read_phone or unclear else _BY_DUE[due.kind]))


def _only(shown: Mapping[Seat, Pattern], seats: Iterable[Seat], pattern: Pattern) -> dict[Seat, Pattern]:
    chosen = set(seats)
    return {seat: pattern if seat in chosen else usual for seat, usual in shown.items()}
