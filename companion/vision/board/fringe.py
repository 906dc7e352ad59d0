"""Pieces that are seen only along the rims of others: often what these leave unexplained, being stouter than believed.

A peg has no waist, a shadow begins at a foot, and blur widens all outlines: what so is left along the rims of pieces,
taken together, may look like one more that hides behind them.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board.standing import Match, Put
from companion.vision.view.scene import PIXELS_PER_MM

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_RIM = 2.0  # mm round about a piece: no outline is known better


def on_fringes(found: Match, piece: Put) -> float:
    """Nats that speak for a pawn that was put there, of pixels beside other pieces, but along their rims."""
    where, (place, color) = found.where, piece
    others = [other for other, _ in found.standing if other != place]
    near = np.array(others, np.int64)[where.overlapping(np.array(others, np.int64), place)]
    if where.piece.kind != "pawn" or not len(near):
        return 0.0
    pixels, _ = where.hidden_by(place)
    seen = found.shown(place)
    told = found.says(seen[_along(found, near, seen)], color)
    return float(np.maximum(told, 0).sum()) * float(where.heft[place]) / len(pixels)


def _along(found: Match, places: Ints, pixels: Ints) -> Mask:
    """Which of some pixels, raveled, lie beside pieces at some places, but close to them, bool (N,)."""
    if not len(pixels):
        return np.zeros(0, bool)
    y, x = np.divmod(pixels, found.where.shape[1])
    reach = len(_near()) // 2
    top, left = int(y.min()) - reach, int(x.min()) - reach
    theirs = np.zeros((int(y.max()) + reach + 1 - top, int(x.max()) + reach + 1 - left), np.uint8)
    for place in places.tolist():
        down, across = np.divmod(found.where.hidden_by(place)[0], found.where.shape[1])
        down, across = down - top, across - left
        inside = (down >= 0) & (down < theirs.shape[0]) & (across >= 0) & (across < theirs.shape[1])
        theirs[down[inside], across[inside]] = 1
    return np.asarray((cv2.dilate(theirs, _near()) > theirs)[y - top, x - left])


@lru_cache(maxsize=1)
def _near() -> npt.NDArray[np.uint8]:
    side = 2 * round(_RIM * PIXELS_PER_MM) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
