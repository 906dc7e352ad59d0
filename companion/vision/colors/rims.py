"""The sides of flat tops: no lamp is mirrored there, and a disc is of one colour all over.

Under a lamp's image a black disc looks as a white one does in a shadow; its side is black still.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.board.evidence import tints
from companion.vision.board.standing import Match
from companion.vision.view.pose import Floats, Frame
from companion.vision.view.scene import PIXELS_PER_MM
from companion.vision.view.surface import linear

Ints = npt.NDArray[np.int64]

_HIGH, _FEWEST = 4.5, 20  # pixels of the flat view: as high a side must be, and so many of it be seen
_WITHIN, _NEAR = (0.35, 0.5, 0.65), 0.2  # shares of its height: so far below the top it is looked at; what is nearer
_DARKER, _SPREAD = 0.7, 1.0
"""Natural log by which sides are darker than tops, and how far they are off that: of some white ones of the rendered
films in which this was seen by 1.6, of others not at all; stray light makes black ones lighter."""


def said_by_rims(found: Match, places: Ints, lit: Floats, paints: Floats, flat: Frame) -> Floats:
    """Nats by which the sides of the topmost discs at some places, (N,), speak for each colour, (N, K): 0 where too
    little is seen of them. lit: the light there, linear BGR (N, 3). paints: log of the brightness of each colour, (K,).
    flat: the flat view, uint8 BGR."""
    result = np.zeros((len(places), len(paints)))
    for row, place in enumerate(places.tolist()):
        pixels = rim(found, place)
        if len(pixels) >= _FEWEST:
            seen = linear(np.asarray(flat.reshape(-1, 3).take(pixels, axis=0), np.uint8)) / lit[row]
            level = float(np.median(tints(seen.astype(np.float32)).log))
            result[row] = -2 * np.log1p(((level - paints + _DARKER) / _SPREAD) ** 2 / 3)
    return result


def rim(found: Match, place: int) -> Ints:
    """The pixels, raveled, on which the side of the topmost disc of a stack is seen, midway between its edges."""
    where, side, step = found.where, found.side_shown(place), _rise(found, place)
    if np.hypot(*step) < _HIGH or not len(side):
        return np.zeros(0, np.int64)
    pixels, crown = where.hidden_by(place)
    top = np.zeros(where.shape, bool)
    top.ravel()[pixels[:crown]] = True
    y, x = np.divmod(side, where.shape[1])

    def under(share: float) -> npt.NDArray[np.bool_]:
        row, col = np.rint(y + share * step[1]).astype(int), np.rint(x + share * step[0]).astype(int)
        return np.asarray(top[row.clip(0, where.shape[0] - 1), col.clip(0, where.shape[1] - 1)])

    midway = np.logical_or.reduce([under(share) for share in _WITHIN])
    return np.asarray(side[midway & ~under(_NEAR)], np.int64)


def _rise(found: Match, place: int) -> Floats:
    """By how many pixels (x, y) the top of a stack appears to lie farther off than a disc lower would."""
    where = found.where
    top, height = where.storeys[place] * where.piece.height, where.eye[2]
    grow = height / (height - top) - height / (height - top + where.piece.height)
    return np.asarray((where.feet[place] - where.eye[:2]) * grow * PIXELS_PER_MM)
