"""Pieces that may be the board itself in a patch of sun: it is brighter there than the camera can show.

Where one channel is as bright as can be and the others are not, the board has another hue than in any light that is
thought of: in the sun pink print was surely a pink pawn, in a lane of its own.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from companion.vision.board.again import Kept
from companion.vision.board.hands import Mask
from companion.vision.board.places import Ints
from companion.vision.board.standing import Match
from companion.vision.light.washed import TOP
from companion.vision.view.pose import Frame
from companion.vision.view.surface import linear

_BURNT, _MOSTLY, _BESIDE = 0.3, 0.6, 0.4
"""Shares of what is seen of a piece that is burnt out, at least, and that may be the board; and of what is seen of the
same ink beside it: a patch of sun does not end where a piece does."""
_RINGS, _FEWEST = (0.8, 1.1), 6  # diameters from the foot to where the board beside it is looked at; pixels that tell
_BRIGHTER, _ALIKE, _FAINT = 0.16, 0.25, 0.01
"""Natural log by which a patch of sun is brighter, and up to which channels are alike; light added before."""


def sunlit(found: Match, kept: Kept, inks: Frame, left_out: Collection[int] = ()) -> set[int]:
    """Spaces, by number, on which a piece was put that may be a patch of sun.

    inks: of each pixel of the print, uint8 (rows, cols). left_out: spaces that are not looked at.
    """
    where = found.where
    places = np.array([place for place, _ in found.standing if where.space[place] not in left_out], np.int64)
    if not len(places):
        return set()
    pixels, free = found.crowns(places)
    burnt = (_burnt_out(kept, pixels).any(axis=-1) & free).sum(axis=1) > _BURNT * np.maximum(free.sum(axis=1), 1)
    return {int(where.space[place]) for place in places[burnt].tolist() if _goes_on(found, place, kept, inks.ravel())}


def _goes_on(found: Match, place: int, kept: Kept, ink: Frame) -> bool:
    """Whether a piece may be the board in more light, and so may what is seen of its ink beside it. ink: of each pixel,
    raveled."""
    own = found.shown(place)[::2]
    ring = np.concatenate([found.where.ring(np.array([place]), wide).ravel() for wide in _RINGS])
    beside = ring[(found.front.take(ring) > 1e8) & (ink.take(ring) == np.bincount(ink.take(own)).argmax())]
    return len(beside) >= _FEWEST and _lit(kept, own).mean() > _MOSTLY and _lit(kept, beside).mean() > _BESIDE


def _burnt_out(kept: Kept, pixels: Ints) -> Mask:
    """In which channels some pixels, raveled, (…,), are as bright as can be, bool (…, 3)."""
    return np.asarray(kept.flat.reshape(-1, 3).take(pixels, axis=0) >= TOP)


def _lit(kept: Kept, pixels: Ints) -> Mask:
    """Which of some pixels, raveled, (N,), may be the board in more light: all channels that the camera can show are
    brighter by as much, and the others by no more. Those of which it can show none say nothing."""
    shown = linear(kept.flat.reshape(-1, 3).take(pixels, axis=0))
    usual, _ = kept.today.at(pixels)
    gain, burnt = np.log((shown + _FAINT) / (usual + _FAINT)), _burnt_out(kept, pixels)
    plain = (~burnt).sum(axis=1)
    by = np.where(burnt, 0, gain).sum(axis=1) / np.maximum(plain, 1)
    off = gain - by[:, None]
    return np.asarray((by > _BRIGHTER) & (np.where(burnt, off, np.abs(off)) < _ALIKE).all(axis=1))
