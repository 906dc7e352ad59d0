"""Pieces that stand on the line between two spaces, or as well on either, as far as the picture tells.

The search puts a piece on one space, and beside it there is no room for another one, so that the space next to it was
surely empty. Of a pawn right on the line a grain of noise tells on which it was put.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from companion.vision.board.standing import Match, Put


class Astride(NamedTuple):
    """A piece that was put on one space, and may stand on another, by number: nats that it explains less there."""

    space: int
    other: int
    less: float


def astride(found: Match) -> list[Astride]:
    """Where pieces may stand just as well, or nearly, of those places that they themselves leave no room for. Discs are
    not asked: no place of theirs lies near the edge of a square."""
    if found.where.piece.kind == "disc":
        return []
    return [one for piece in [*found.standing] for one in _elsewhere(found, piece)]


def _elsewhere(found: Match, piece: Put) -> Iterator[Astride]:
    """Where one piece may stand on other spaces instead, once on each."""
    where, (place, color) = found.where, piece
    space, (close, _, _) = int(where.space[place]), where.beside(place, found.room)
    near = close[found.busy.take(close) & (where.space.take(close) != space)]
    near = near[found.room_without(near, place)]
    if not len(near):
        return
    found.take(piece)
    kept, gains = float(found.gains(np.array([place]))[0, color]), found.gains(near)[:, color]
    found.put(piece)
    for other in np.unique(where.space.take(near)).tolist():
        yield Astride(space, other, max(kept - float(gains[where.space.take(near) == other].max()), 0.0))
