"""The words that texts and formats use for seats."""

from __future__ import annotations

from collections.abc import Iterable

from companion.model import Seat, Sheet


def seat_names(sheet: Sheet, seats: Iterable[Seat]) -> dict[Seat, str]:
    """seat → the colour word that the sheet gives it, or its number."""
    return {seat: sheet.seat_label(seat) for seat in seats}
