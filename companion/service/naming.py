"""The words that texts use for seats."""

from __future__ import annotations

from collections.abc import Iterable

from calibration.mixed_up import one_paint
from companion.model import Seat, Sheet


def seat_names(sheet: Sheet, seats: Iterable[Seat]) -> dict[Seat, str]:
    """seat → the colour word that the sheet gives it, or its number."""
    return {seat: sheet.seat_label(seat) for seat in seats}


def board_names(sheet: Sheet, seats: Iterable[Seat]) -> dict[Seat, str]:
    """The names of those who play, and of every other seat that the board has places of: sentences name these too."""
    return seat_names(sheet, sorted({*sheet.colors, *sheet.seat_names, *seats}))


def told_apart(sheet: Sheet, seats: Iterable[Seat]) -> str:
    """Why the pieces of these seats cannot be told from each other, with the way out; "" if they can."""
    twins = one_paint(sheet, list(seats))
    if twins is None:
        return ""
    one, other = (sheet.seat_label(seat) for seat in twins)
    return (
        f"{one[:1].upper()}{one[1:]}'s and {other}'s pieces have one colour on this board, and could not be told "
        "apart: choose other seats, or give one of them another colour (More, Check and set up the table)."
    )
