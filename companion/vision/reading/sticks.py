"""A pencil that lies on the board, taken for pieces along it: long and thin, and of one colour from end to end.

Pieces that stand in a row are long and thin together, too, but no seat has so many.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import cv2
import numpy as np

from companion.vision.board.hands import Mask
from companion.vision.board.standing import Match
from companion.vision.reading.colored import COARSE, patches_of, spaces_on
from companion.vision.view.scene import PIXELS_PER_MM

_LONGER = 3.0  # diameters of a piece: as long it is at least
_LONG = 12.0
"""Square of its length by its area, at least: of pencils, rendered, it was 18 to 32, of pieces in a row, and their
shadows, 11 at most, but where it was so dark that all was doubted."""


def on_sticks(found: Match, left_out: Collection[int] = ()) -> set[int]:
    """Spaces, by number, on which pieces were put that may be a part of something long and thin. left_out: spaces that
    are not looked at."""
    doubted = set[int]()
    if found.where.piece.kind == "disc":
        return doubted
    for shown, places in patches_of(found, left_out):
        for stick in _sticks(shown, found.where.piece.diameter * PIXELS_PER_MM / COARSE):
            doubted |= spaces_on(found, places, stick)
    return doubted


def _sticks(shown: Mask, wide: float) -> Iterator[Mask]:
    """The long and thin patches of what shows a colour, bool (rows, cols). wide: of a piece, pixels."""
    seen = shown.astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(seen, connectivity=8, ltype=cv2.CV_16U)  # thrice as fast
    sizes = np.hypot(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    long = (sizes > _LONGER * wide) & (sizes**2 > _LONG * stats[:, cv2.CC_STAT_AREA])
    for label in np.flatnonzero(long[1:]) + 1:
        patch = labels == label
        length = max(cv2.minAreaRect(np.argwhere(patch).astype(np.float32))[1]) + 1
        if length > _LONGER * wide and length * length > _LONG * int(stats[label, cv2.CC_STAT_AREA]):
            yield patch
