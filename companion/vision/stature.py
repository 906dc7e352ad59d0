"""How tall the pawns on the table are: a shop's are seldom as tall as the sheet says.

What of a taller pawn sticks out would pass for another one behind it; a shorter one would be taken for one that stands
nearer. All of a set are equally tall: the height is the right one with which pawns explain most of the picture.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.vision.places import EVIDENCE
from companion.vision.scene import PIXELS_PER_MM
from companion.vision.standing import Match, twins

FEWEST = 3
"""Pawns that tell how tall they are."""
_USUAL, _OTHERS, _STEP = 1.0, (0.8, 1.2, 1.4), 0.1  # shares of the height on the sheet, and beside the best of them
_TALLEST = 1.45
_CLEAR = 12.0  # nats by which another height must explain more
_SPARING = 12.0  # nats that a piece costs: fewer pieces of another height are likelier than more of the usual one


def stature(explained: Callable[[float], float]) -> float:
    """The share of the height on the sheet that the pawns have. explained: nats that pawns of such a share explain."""
    usual = explained(_USUAL)
    nats = {share: explained(share) for share in _OTHERS}
    best = max(nats, key=lambda share: nats[share])
    if nats[best] < usual + _CLEAR:
        return _USUAL
    nats |= {share: explained(share) for share in (best - _STEP, best + _STEP) if share < _TALLEST}
    return max(nats, key=lambda share: nats[share])


def explained(found: Match) -> float:
    """Nats that the pieces that were put on the board explain together, costs included."""
    places = [place for place, _ in found.standing]
    gain = float(found.told.sum()) * EVIDENCE / PIXELS_PER_MM**2
    return gain - _SPARING * len(places) - float(np.sum(found.where.cost[places])) - twins(found)
