"""Where pieces cast their shadows: all the same way, so that a few show it for all."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.pose import Floats
from companion.vision.scene import PIXELS_PER_MM

Mask = npt.NDArray[np.bool_]

_ANGLES = 24
_CLEAR = 0.5  # share of a strip beside the pieces that must be dim for it to be a shadow


def cast_shadows(feet: Floats, dim: Mask, explained: Mask, piece: Piece) -> Mask:
    """Pixels on which pieces at `feet`, mm (N, 2), cast shadows, bool (rows, cols); none if no way is clear.

    dim: pixels that look like the empty board in a shadow. explained: pixels on which pieces are seen.
    """
    shadow = np.zeros(dim.shape, np.uint8)
    steps = np.arange(0.6 * piece.diameter, 3 * piece.height, 1.5)
    if len(feet) < 2 or not len(steps):  # a flat disc casts no shadow worth the name
        return shadow.astype(bool)
    turns = np.arange(_ANGLES) * 2 * np.pi / _ANGLES
    ways = np.column_stack([np.cos(turns), np.sin(turns)])
    seen = _dimness(feet, ways, steps, dim, explained)
    near = seen[:, steps < 1.6 * piece.diameter].mean(axis=1)
    best = int(np.argmax(near))
    if near[best] < _CLEAR:
        return shadow.astype(bool)
    long = steps[seen[best] > 0.5 * near[best]].max(initial=piece.diameter) + piece.diameter / 4
    for foot in feet:
        tips = foot + ways[best] * piece.diameter, foot + ways[best] * max(long, 1.1 * piece.diameter)
        ends = [tuple(int(c * PIXELS_PER_MM * 16) for c in tip) for tip in tips]
        cv2.line(shadow, ends[0], ends[1], 1, round(1.1 * piece.diameter * PIXELS_PER_MM), cv2.LINE_8, 4)
    return shadow.astype(bool)


def _dimness(feet: Floats, ways: Floats, steps: Floats, dim: Mask, explained: Mask) -> Floats:
    """Share of the pieces beside which the board is dim, by way and distance: (ways, steps)."""
    at = feet[:, None, None] + ways[None, :, None] * steps[None, None, :, None]
    x, y = (at * PIXELS_PER_MM).astype(int).transpose(3, 0, 1, 2)
    inside = (x >= 0) & (y >= 0) & (x < dim.shape[1]) & (y < dim.shape[0])
    x, y = x.clip(0, dim.shape[1] - 1), y.clip(0, dim.shape[0] - 1)
    counted = inside & ~explained[y, x]
    share = (dim[y, x] & counted).sum(axis=0) / np.maximum(counted.sum(axis=0), 1)
    return np.asarray(share, np.float64)
