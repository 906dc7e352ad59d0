"""Flat tops that mirror a lamp: its image adds light to the paint's, and is uneven, as paint in one light is not."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.places import Places
from companion.vision.pose import Floats, Frame
from companion.vision.surface import linear

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_BLUR = 5  # pixels over which a top is smoothed, so that noise is not uneven
_INNER = 0.75  # of a top's radius: farther out its edge may be seen
_PARTS, _LEAST = 3, 2  # parts of a top, across and down, that are compared; of the pixels looked at, in each
_UNEVEN, _FAINT = 0.04, 0.02  # how uneven paint is, as a share of what it shows; and anyway, of what white gives
_STUDENT = 0.3676  # Student's density at 0, three degrees of freedom
_IMAGE = 5.0  # spreads of paint by which a top with an image of a lamp is uneven, in the mean: many images are wider


def parts_of_tops(where: Places, places: Ints, free: Mask, flat: Frame) -> Floats:
    """What is seen of the parts of flat tops, linear BGR (N, 9, 3); NaN where too little is seen of one.

    free: which of the first pixels of each place are seen, (N, crown). flat: the flat view, uint8 BGR.
    """
    pixels = where.pixels[places, : where.crown]
    smooth = cv2.blur(flat, (_BLUR, _BLUR)).reshape(-1, 3)
    shown = linear(np.asarray(smooth.take(pixels.ravel(), axis=0), np.uint8)).reshape(*pixels.shape, 3)
    there = where.weight[places, : where.crown] > 0  # the others lie beyond the view
    y, x = (layer - _middle_of(layer, there) for layer in np.divmod(pixels, where.shape[1]))
    radius = np.hypot(x, y).max(axis=1, keepdims=True, initial=1, where=there)
    row, col = (np.clip((layer / (_INNER * radius) + 1) / 2 * _PARTS, 0, _PARTS - 1).astype(int) for layer in (y, x))
    counted = free & (np.hypot(x, y) < _INNER * radius)
    at = (np.arange(len(pixels))[:, None] * _PARTS + row) * _PARTS + col
    size = len(pixels) * _PARTS**2
    count = np.bincount(at[counted], minlength=size)
    sums = np.stack([np.bincount(at[counted], shown[..., k][counted], size) for k in range(3)], axis=1)
    return np.where(count < _LEAST, np.nan, (sums / np.maximum(count, 1)[:, None]).T).T.reshape(-1, _PARTS**2, 3)


def _middle_of(layer: Ints, there: Mask) -> Floats:
    """Midway between the least and the most of those of each row that are `there`, (N, 1)."""
    most = layer.max(axis=1, keepdims=True, initial=0, where=there)
    return np.asarray((layer.min(axis=1, keepdims=True, initial=int(layer.max()), where=there) + most) / 2)


def lamplike(parts: Floats, white: Floats) -> Floats:
    """Nats by which the unevenness of each top speaks for a lamp's image in it and against paint in one light, (N,).

    It is that of the bright half: a shadow makes the dark one uneven. Paint is the more uneven the brighter it is.
    parts: see `parts_of_tops`; white: what white gives there, (N,).
    """
    bright = np.sort(parts.sum(axis=2), axis=1)
    count = np.isfinite(bright).sum(axis=1)
    rows, last = np.arange(len(bright)), np.maximum(count - 1, 0)
    middle = (bright[rows, last // 2] + bright[rows, (last + 1) // 2]) / 2
    spreads = (bright[rows, last] - middle) / np.hypot(_UNEVEN * middle, _FAINT * white)
    paint, image = np.log(2 * _STUDENT) - 2 * np.log1p(spreads**2 / 3), -np.log(_IMAGE) - spreads / _IMAGE
    return np.where(count > _PARTS**2 / 2, image - paint, 0)


def darkest(parts: Floats) -> Floats:
    """The darkest part of each top, linear BGR (N, 3): it shows most of the paint. parts: see `parts_of_tops`."""
    bright = parts.sum(axis=2)
    at = np.where(np.isfinite(bright), bright, np.inf).argmin(axis=1)
    return np.asarray(parts[np.arange(len(parts)), at])
