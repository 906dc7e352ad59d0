"""What is left of the light where pieces cast their shadows: the same share on every ink of the board."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.view.pose import Flat, Floats
from companion.vision.view.powers import log

Ints = npt.NDArray[np.int64]

ENOUGH = 12000
"""Pixels: of more, some say as much."""
_FLOOR = 0.01  # linear light added before ratios are taken
DEEPEST = 2.6
"""Natural log: no shadow is darker."""
_RANGE, _BINS = 3.6, 36  # natural log: how far shadows range; cells each way
_ABOVE = 0.6  # natural log: how much lighter the light may be than where its field is 1
_TINGED = 0.7  # natural log: a shadow loses no channel so much more than another
_LEAST = 40  # pixels of an ink
_APART = 0.5  # natural log: inks that differ less would turn a piece alike
_CLEAR = 0.08  # share of two inks' dark pixels that must agree


def umbra(seen: Flat, usual: Flat, even: Flat, inks: npt.NDArray[np.uint8]) -> Floats | None:
    """How light the shadows are, blue, green, red (3,), where the light's field is 1; None if no shadow is clear.

    seen, usual: linear BGR (N, 3) of pixels that do not look like the lit board, and the board there, both divided by
    the field of the light, `even` (N, 3); inks: (N,). What lights a shadow comes from all over the room: it hardly
    changes over the board, though the lamp does. A piece changes each ink in another way, a shadow changes all alike:
    so two inks are asked.
    """
    ratio = log((seen + _FLOOR) / (usual + _FLOOR))
    blue, green, red = np.ascontiguousarray(ratio.T)
    most, least = np.maximum(np.maximum(blue, green), red), np.minimum(np.minimum(blue, green), red)
    dark = np.flatnonzero((most < -0.1) & (least > -DEEPEST) & (most - least < _TINGED))
    if not len(dark):
        return None
    own, cells = inks.take(dark), _cells(ratio.take(dark, axis=0) + log(even.take(dark, axis=0)))
    lowest, highest = cells.min(axis=0), cells.max(axis=0)
    fields, looks = [], []
    for ink in np.flatnonzero(np.bincount(own) >= _LEAST).tolist():
        here = np.flatnonzero(own == ink)
        fields.append(_density(cells.take(here, axis=0) - lowest, highest - lowest + 1))
        looks.append(np.log(np.median(usual.take(dark.take(here), axis=0).T, axis=1) + _FLOOR))
    best, found, clear = _CLEAR, None, [float(field.max()) for field in fields]
    for i, one in enumerate(fields):
        for j in range(i):
            if min(clear[i], clear[j]) > best and np.abs(looks[i] - looks[j]).max() > _APART:
                both = np.minimum(one, fields[j])
                if both.max() > best:
                    best, found = float(both.max()), np.array(np.unravel_index(int(both.argmax()), both.shape)) + lowest
    return None if found is None else np.exp((found + 0.5) * _RANGE / _BINS - _RANGE + _ABOVE)


def _cells(levels: Flat) -> Ints:
    """In which cell of the range of shadows log ratios lie, (N, 3)."""
    return np.clip(((levels + _RANGE - _ABOVE) * _BINS / _RANGE).astype(np.int64), 0, _BINS - 1)


def _density(cells: Ints, shape: Ints) -> Flat:
    """How many of N points lie in or next to each cell, as a share of all: float32, of a `shape` that holds them.
    cells: of each point, (N, 3)."""
    down, across, deep = shape.tolist()
    count = np.bincount(cells @ (across * deep, deep, 1), minlength=down * across * deep).astype(np.float32)
    cube = count.reshape(down, across, deep)  # for OpenCV a picture of so many channels
    field: Flat = np.asarray(cv2.blur(cube, (3, 3), borderType=cv2.BORDER_CONSTANT), np.float32).reshape(cube.shape)
    near = field.copy()
    near[..., 1:] += field[..., :-1]
    near[..., :-1] += field[..., 1:]
    return np.asarray(near * np.float32(9 / len(cells)), np.float32)
