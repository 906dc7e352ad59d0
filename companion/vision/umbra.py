"""What is left of the light where pieces cast their shadows: the same share on every ink of the board."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.pose import Flat, Floats

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
    ratio = np.log((seen + _FLOOR) / (usual + _FLOOR))
    blue, green, red = np.ascontiguousarray(ratio.T)
    most, least = np.maximum(np.maximum(blue, green), red), np.minimum(np.minimum(blue, green), red)
    dark = (most < -0.1) & (least > -DEEPEST) & (most - least < _TINGED)
    fields, looks = [], []
    for ink in np.unique(inks[dark]):
        own = np.flatnonzero(dark & (inks == ink))
        if len(own) >= _LEAST:
            here, light, look = (layer.take(own, axis=0) for layer in (ratio, even, usual))
            fields.append(_density(here + np.log(light)))
            looks.append(np.log(np.median(look.T, axis=1) + _FLOOR))
    best, found = _CLEAR, None
    for i, one in enumerate(fields):
        for j in range(i):
            if np.abs(looks[i] - looks[j]).max() > _APART:
                both = np.minimum(one, fields[j])
                if both.max() > best:
                    best, found = float(both.max()), np.array(np.unravel_index(int(both.argmax()), both.shape))
    return None if found is None else np.exp((found + 0.5) * _RANGE / _BINS - _RANGE + _ABOVE)


def _density(ratio: Flat) -> Flat:
    """How many of the log ratios, (N, 3), lie near each cell, as a share of all: float32 (bins, bins, bins)."""
    cell = np.clip(((ratio + _RANGE - _ABOVE) * _BINS / _RANGE).astype(np.int64), 0, _BINS - 1)
    count: Flat = np.bincount(cell @ (_BINS * _BINS, _BINS, 1), minlength=_BINS**3).astype(np.float32)
    cube = count.reshape(_BINS, _BINS, _BINS)  # for OpenCV a picture of so many channels
    field: Flat = np.asarray(cv2.blur(cube, (3, 3), borderType=cv2.BORDER_CONSTANT), np.float32)
    near = field.copy()
    near[..., 1:] += field[..., :-1]
    near[..., :-1] += field[..., 1:]
    return np.asarray(near * np.float32(9 / len(ratio)), np.float32)
