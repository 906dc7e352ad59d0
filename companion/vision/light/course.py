"""How the light changed from one flat view to another, round about each place: what comes or goes does not count."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.view.pose import Flat
from companion.vision.view.scene import PIXELS_PER_MM

_STEPS = 64  # a natural log
_WINDOW = 54.0  # mm, at least: what changed within a window, each way, of less is not the light


def course(ratio: Flat, every: int, diameter: float) -> Flat:
    """The natural log of the light now to that then, round about each place, float32 (rows, cols, 3).

    ratio: the natural log of what is seen now to what was seen, of one of `every` pixels each way, (rows, cols, 3).
    diameter: of a piece, mm: the median is taken of so wide a window that no piece that came or went is the most of it.
    """
    wide = round(max(_WINDOW, 2 * diameter) * PIXELS_PER_MM / every) // 2 * 2 + 1
    steps = np.clip(128.5 + ratio * _STEPS, 0, 255).astype(np.uint8)
    middle = (cv2.medianBlur(steps, wide).astype(np.float32) - 128) / _STEPS
    return np.asarray(cv2.GaussianBlur(middle, (0, 0), wide / 8), np.float32)
