"""Pawns that may be the shadow of one beside them: they look as the board in a shadow does, and that one does not.

Two of one paint, side by side, are lit alike. A long shadow behind an orange pawn was surely a second one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.board.hands import Mask
from companion.vision.board.standing import PIECE_COST, Match, Put

_DIM, _LIT = 0.75, 0.2  # shares of what is seen of the one that look so, at least; of the other one, at most
_NEAR = 2.0  # times the room of a piece: so far from it its shadow begins


@dataclass(frozen=True, slots=True)
class _Seen:
    """A pawn that was put on the board. dim: the share of what is seen of it that looks as in a shadow."""

    piece: Put
    dim: float


def shadowy(found: Match, dim: Mask, left_out: Collection[int] = ()) -> dict[int, float]:
    """The spaces, by number, on which a pawn may be the shadow of another one there, of its colour; and the nats by
    which it explains more than that.

    dim: pixels that look like the empty board in a shadow, bool (rows, cols). left_out: spaces that are not looked at.
    """
    if found.where.piece.kind != "pawn":
        return {}
    seen, spaces = [_seen(found, piece, dim) for piece in found.standing], dict[int, float]()
    for one in seen:
        space = int(found.where.space[one.piece[0]])
        if one.dim > _DIM and space not in left_out and _lit_beside(found, one, seen):
            spaces[space] = min(spaces.get(space, np.inf), max(_rest(found, one.piece, dim) - PIECE_COST, 0.0))
    return spaces


def _seen(found: Match, piece: Put, dim: Mask) -> _Seen:
    own = found.shown(piece[0])
    return _Seen(piece, np.count_nonzero(dim.ravel().take(own)) / max(len(own), 1))


def _rest(found: Match, piece: Put, dim: Mask) -> float:
    """Nats that speak for a pawn of what is seen of it and does not look as the board does in a shadow."""
    where, (place, color) = found.where, piece
    own = found.shown(place)
    share = float(where.heft[place]) / max(len(where.hidden_by(place)[0]), 1)
    return share * float(found.says(own[~dim.ravel().take(own)], color).sum())


def _lit_beside(found: Match, one: _Seen, others: Sequence[_Seen]) -> bool:
    """Whether another pawn of its colour stands beside one, on the same space, and does not look so dark."""
    where, (place, color) = found.where, one.piece
    near = (o.piece[0] for o in others if o.piece[1] == color and o.dim < _LIT)
    own = [where.feet[other] for other in near if where.space[other] == where.space[place]]
    return any(float(np.linalg.norm(foot - where.feet[place])) < _NEAR * found.room for foot in own)
