"""Discs that may be the soft edge of a shadow: much of each looks like the board in one, and it is uneven.

A flat top of one paint in one light is even, a black one in any. The shadow that a high stack casts by a window's light
fades from its foot on: there black discs were surely seen, on the empty squares beside the stacks.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from companion.vision.board.hands import Mask
from companion.vision.board.standing import Match
from companion.vision.colors.gloss import parts_of_tops, quantile
from companion.vision.view.pose import Floats, Frame

_DIM = 0.4  # share of what is seen of a top
_UNEVEN = 0.6  # natural log of the light of its lighter parts against its darker ones
_LIGHTER = 0.8  # share of the parts that are darker than these; and lighter than those
_FAINT = 0.01  # linear light that is added before ratios are taken
_FEWEST = 5  # parts


def patchy(found: Match, dim: Mask, flat: Frame, left_out: Collection[int] = ()) -> set[int]:
    """Spaces, by number, on which a disc was put that may be a shadow which fades there.

    dim: pixels that look like the empty board in a shadow, bool (rows, cols). flat: the flat view, uint8 BGR. left_out:
    spaces that are not looked at. Of 470 discs on drawn boards of other makers all three that were surely none are
    told so, and of 441 that were read right two, which were doubts already.
    """
    where = found.where
    places = np.array([place for place, _ in found.standing if where.space[place] not in left_out], np.int64)
    if where.piece.kind != "disc" or not len(places):
        return set()
    pixels, free = found.crowns(places)
    dark = (dim.ravel().take(pixels) & free).sum(axis=1) > _DIM * np.maximum(free.sum(axis=1), 1)
    if not dark.any():
        return set()
    some = places[dark]
    fading = _unevenness(parts_of_tops(where, some, free[dark], flat)) > _UNEVEN
    return set(where.space[some[fading]].tolist())


def _unevenness(parts: Floats) -> Floats:
    """By how much more light the lighter parts of tops show than the darker ones, natural log, (N,); 0 of those of
    which too little is seen. parts: see `parts_of_tops`."""
    bright, result = np.log(parts.sum(axis=2) + _FAINT), np.zeros(len(parts))
    seen = np.isfinite(bright)
    enough = seen.sum(axis=1) >= _FEWEST
    high, low = (quantile(bright[enough], seen[enough], share) for share in (_LIGHTER, 1 - _LIGHTER))
    result[enough] = high - low
    return result
