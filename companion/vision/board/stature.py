"""How tall and how stout the pawns on the table are: a shop's are seldom as the sheet says.

What of a taller pawn sticks out would pass for another one behind it, and so would the upper half of a peg, which has
no waist; a shorter one would be taken for one that stands nearer; and a stick leaves so much of a turned pawn's foot
bare that it is none. All of a set are alike: the body is the right one with which pawns explain most of the picture.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.model import Piece
from companion.vision.board.body import Body
from companion.vision.board.places import EVIDENCE
from companion.vision.board.standing import Match, twins
from companion.vision.view.scene import PIXELS_PER_MM

FEWEST, MOST = 3, 8
"""Pawns that tell how tall they are: so many at least, and more would say the same."""
_OTHERS, _STEP = (0.8, 1.2, 1.4), 0.1  # shares of the height on the sheet, and beside the best of them
_TALLEST = 1.45
_TURNED, _STOUT, _PEG, _STICK = (1.0, 1.0), (0.5, 1.0), (0.0, 1.0), (0.0, 0.65)
"""Waist and width of pawns of several makes."""
_SLIM = 0.75  # of what sticks explain, the others must explain less: two slim ones easily explain one and its shadow
_CLEAR = 20.0  # nats by which another body must explain more: one pawn that lies is worth fewer
_SHARE = 0.1  # of all nats, by which it must: no pawn has just the outline of any body here
_SPARING = 12.0  # nats that a piece costs: fewer pieces of another height are likelier than more of the usual one


def stature(usual: Piece, explained: Callable[[Piece], float]) -> Piece:
    """The body that the pawns have. usual: the one on the sheet. explained: nats that pawns of a body explain."""

    def body(share: float, build: tuple[float, float]) -> Piece:
        return Body(usual.kind, usual.diameter, share * usual.height, *build)

    nats = {build: explained(body(1.0, build)) for build in (_TURNED, _STOUT, _PEG)}
    least = nats[_TURNED] + max(_CLEAR, _SHARE * nats[_TURNED])
    if (slim := explained(body(1.0, _STICK))) * _SLIM > max(nats.values()):
        nats[_STICK] = slim
    build = max(nats, key=lambda build: nats[build])
    tall = {1.0: nats[build]} | {share: explained(body(share, build)) for share in _OTHERS}
    best = max(tall, key=lambda share: tall[share])
    if tall[best] < least:
        return usual
    beside = (share for share in (best - _STEP, best + _STEP) if share < _TALLEST)
    tall |= {share: explained(body(share, build)) for share in beside}
    return body(max(tall, key=lambda share: tall[share]), build)


def explained(found: Match) -> float:
    """Nats that the pieces that were put on the board explain together, costs included."""
    places = [place for place, _ in found.standing]
    gain = float(found.told.sum()) * EVIDENCE / PIXELS_PER_MM**2
    return gain - _SPARING * len(places) - float(np.sum(found.where.cost[places])) - twins(found)
