"""Discs put on something that is larger than they are: more than another disc of its colour is left over beside them.

A red card on the board was surely a red disc on each square that it reached, a white one a white stack on the one that
other discs left free. A disc's own side, and light that it throws on the board beside it, leave less over.
"""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np

from companion.vision.board.standing import Match
from companion.vision.reading.colored import COARSE, patches_of, spaces_on
from companion.vision.view.scene import PIXELS_PER_MM

_LEFT = 1.1
"""Times what a disc hides: of 243 rendered ones that were surely read right it was 0.8 at most, on cards 1.4 to 3.4."""


def larger(found: Match, left_out: Collection[int] = ()) -> set[int]:
    """Spaces, by number, on which discs were put that lie on a patch of their colour of which more is left over, where
    no piece is seen, than a disc hides. left_out: spaces that are not looked at."""
    where, result = found.where, set[int]()
    if where.piece.kind != "disc":
        return result
    bare = found.front.reshape(where.shape)[::COARSE, ::COARSE] > 1e8
    most = _LEFT * np.pi / 4 * (where.piece.diameter * PIXELS_PER_MM / COARSE) ** 2
    for shown, places in patches_of(found, left_out):
        count, labels = cv2.connectedComponents(shown.astype(np.uint8), connectivity=4)
        over = np.bincount(labels[bare], minlength=count) > most
        over[0] = False
        if over.any():
            result |= spaces_on(found, places, over[labels])
    return result
