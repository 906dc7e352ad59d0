"""Where pieces cast their shadows: all the same way, so that a few show it for all."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.view.pose import Floats
from companion.vision.view.scene import PIXELS_PER_MM

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_TURNS = np.arange(24) * 2 * np.pi / 24
_WAYS = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])
_BESIDE = 2.0  # mm from the rim of a disc to where its shadow is looked for
_ONE_WAY = 1.5  # times as dim the strips must be as those in other directions
_CLEAR = 0.5  # share of a strip beside the pieces that must be dim for it to be a shadow


def cast_shadows(feet: Floats, dim: Mask, explained: Mask, piece: Piece, storeys: Ints) -> Mask:
    """Pixels on which pieces at `feet`, mm (N, 2), cast shadows, bool (rows, cols); none if no way is clear.

    dim: pixels that look like the empty board in a shadow. explained: pixels on which pieces are seen.
    storeys: how many discs lie on each other, (N,).
    """
    shadow = np.zeros(dim.shape, np.uint8)
    first = 0.5 * piece.diameter + _BESIDE if piece.kind == "disc" else 0.6 * piece.diameter
    last = 0.5 * piece.diameter + 4 * piece.height if piece.kind == "disc" else 3 * piece.height
    steps = np.arange(first, last, 1.5)
    if len(feet) < 2 or not len(steps):
        return shadow.astype(bool)
    seen = _dimness(feet, _WAYS, steps, dim, explained)
    disc = piece.kind == "disc"
    near = seen[:, steps < (first + piece.height if disc else 1.6 * piece.diameter)].mean(axis=1)
    best = int(np.argmax(near))
    if near[best] < _CLEAR or (disc and near[best] < _ONE_WAY * near.mean()):
        return shadow.astype(bool)
    edge = steps[seen[best] > 0.5 * near[best]].max(initial=piece.diameter)
    start, reach = 0.0 if disc else piece.diameter, _lengths(float(edge), piece, storeys)
    tips = np.hstack([feet + _WAYS[best] * start, feet + _WAYS[best] * reach[:, None]])
    for x, y, end_x, end_y in (tips * PIXELS_PER_MM * 16).astype(int).tolist():
        cv2.line(shadow, (x, y), (end_x, end_y), 1, round(1.1 * piece.diameter * PIXELS_PER_MM), cv2.LINE_8, 4)
    return shadow.astype(bool)


def _lengths(edge: float, piece: Piece, storeys: Ints) -> Floats:
    """How far from each foot the middle of its shadow's end lies, mm (N,), where most shadows end at `edge` mm."""
    if piece.kind == "disc":
        return np.asarray((edge + _BESIDE - 0.5 * piece.diameter) * storeys / np.median(storeys))
    return np.full(len(storeys), max(edge + piece.diameter / 4, 1.1 * piece.diameter))


def _dimness(feet: Floats, ways: Floats, steps: Floats, dim: Mask, explained: Mask) -> Floats:
    """Share of the pieces beside which the board is dim, by way and distance: (ways, steps)."""
    away = (ways.T[:, :, None] * steps * PIXELS_PER_MM)[:, None]
    x, y = ((feet.T * PIXELS_PER_MM)[:, :, None, None] + away).astype(int)
    inside = (x >= 0) & (y >= 0) & (x < dim.shape[1]) & (y < dim.shape[0])
    x, y = x.clip(0, dim.shape[1] - 1), y.clip(0, dim.shape[0] - 1)
    pixels = y * dim.shape[1] + x
    counted = inside & ~explained.take(pixels)
    share = (dim.take(pixels) & counted).sum(axis=0) / np.maximum(counted.sum(axis=0), 1)
    return np.asarray(share, np.float64)
