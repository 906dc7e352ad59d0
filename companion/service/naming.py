"""The words that texts and formats use for seats."""

from __future__ import annotations

from collections.abc import Iterable

from companion.model import Seat, Sheet
from companion.model.board import COMPASS

LETTERS = {seat: letter for letter, seat in COMPASS.items()}


def seat_key(game: str, seat: Seat) -> Seat | str:
    """A seat as formats write it: a number, in Game of God N, E, S or W."""
    return LETTERS[seat] if game == "game-of-god" else seat


def seat_names(sheet: Sheet, seats: Iterable[Seat]) -> dict[Seat, str]:
    """seat → the colour word that the sheet gives it, or its number."""
    return {seat: sheet.seat_label(seat) for seat in seats}


def board_names(sheet: Sheet, seats: Iterable[Seat]) -> dict[Seat, str]:
    """The names of those who play, and of every other seat that the board has places of: sentences name these too."""
    return seat_names(sheet, sorted({*sheet.colors, *sheet.seat_names, *seats}))
