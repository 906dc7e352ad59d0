"""The pieces of all seats, as the race games hold them."""

from __future__ import annotations

from companion.model import Seat

Pieces = tuple[tuple[int, ...], ...]
"""seat → progress of its pieces, ascending; () where nobody sits."""


def moved(pieces: Pieces, seat: Seat, origin: int, target: int) -> Pieces:
    """The pieces with one of `seat` on `target` instead of `origin`."""
    own = pieces[seat]
    hand = [*own]
    hand[own.index(origin)] = target
    hand.sort()
    return (*pieces[:seat], tuple(hand), *pieces[seat + 1 :])
