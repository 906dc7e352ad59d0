"""Discs put on something that is larger than they are: more than another disc of its colour is left over beside them.

A red card on the board was surely a red disc on each square that it reached, a white one a white stack on the one that
other discs left free. A disc's own side, and light that it throws on the board beside it, leave less over.
"""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board.standing import Match
from companion.vision.view.scene import PIXELS_PER_MM

_COARSE = 3  # of so many rows, and columns, one is looked at
_OWN = 1.0  # nats from which on a pixel shows a colour
_MOST = 0.5  # share of what is seen of a disc that lies in one patch
_LEFT = 1.1
"""Times what a disc hides: of 243 rendered ones that were surely read right it was 0.8 at most, on cards 1.4 to 3.4."""


def larger(found: Match, left_out: Collection[int] = ()) -> set[int]:
    """Spaces, by number, on which discs were put that lie on a patch of their colour of which more is left over, where
    no piece is seen, than a disc hides. left_out: spaces that are not looked at."""
    where, result = found.where, set[int]()
    some = [piece for piece in found.standing if where.space[piece[0]] not in left_out]
    if where.piece.kind != "disc" or not some:
        return result
    shown = found.evidence.reshape(*where.shape, -1)[::_COARSE, ::_COARSE] > _OWN
    bare = found.front.reshape(where.shape)[::_COARSE, ::_COARSE] > 1e8
    most = _LEFT * np.pi / 4 * (where.piece.diameter * PIXELS_PER_MM / _COARSE) ** 2
    for color in {color for _, color in some}:
        count, labels = cv2.connectedComponents(shown[..., color].astype(np.uint8), connectivity=4)
        over = np.bincount(labels[bare], minlength=count) > most
        over[0] = False
        if over.any():
            own = [place for place, other in some if other == color]
            result |= {int(where.space[place]) for place in own if _lies_on(found, place, over[labels])}
    return result


def _lies_on(found: Match, place: int, patches: npt.NDArray[np.bool_]) -> bool:
    """Whether most of what is seen of a disc lies on some patches, bool, coarse (rows, cols)."""
    y, x = np.divmod(found.shown(place), found.where.shape[1])
    rows, cols = patches.shape
    own = patches[np.minimum(y // _COARSE, rows - 1), np.minimum(x // _COARSE, cols - 1)]
    return len(own) > 0 and float(own.mean()) > _MOST
