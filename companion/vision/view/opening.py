"""What of a mask is wide: the parts in which a disc fits; and a mask without its holes."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Small = npt.NDArray[np.uint8]


@lru_cache(maxsize=64)
def disc(radius: float) -> Small:
    """A disc as a kernel. radius: pixels; at least one."""
    r = max(1, round(radius))
    kernel = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)), np.uint8)
    kernel.flags.writeable = False
    return kernel


def opened(mask: Small, kernel: Small) -> Small:
    """The parts of a mask, 0 or 1, in which a disc fits: its opening (Serra, Image Analysis and Mathematical
    Morphology, 1982).

    Usually there are none: a square that lies within the disc is tried first, which is much quicker.
    """
    if not cv2.erode(mask, _square_in(kernel)).any():
        return np.zeros_like(mask)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), np.uint8)


def filled(mask: Small) -> Small:
    """A mask, 0 or 1, with its holes closed."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(mask.copy(), outlines, -1, 1, cv2.FILLED), np.uint8)


def room_for(kernel: Small, mask: npt.NDArray[np.bool_]) -> bool:
    """Whether so much of a mask is set that a disc might fit in it, gaps in it closed: that half of it fill one."""
    return 2 * cv2.countNonZero(mask.astype(np.uint8)) > cv2.countNonZero(kernel)


def _square_in(kernel: Small) -> Small:
    """The largest square that lies within a disc."""
    middle = len(kernel) // 2
    reach = int(np.flatnonzero(kernel.diagonal()[middle:])[-1])
    return np.ones((2 * reach + 1,) * 2, np.uint8)
