"""Flat tops that mirror a lamp: its image adds light to the paint's, and is uneven, as paint in one light is not."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board.evidence import look_of
from companion.vision.board.places import Places
from companion.vision.view.pose import Floats, Frame
from companion.vision.view.surface import linear

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_BLUR = 5  # pixels over which a top is smoothed, so that noise is not uneven
_INNER = 0.75  # of a top's radius: farther out its edge may be seen
_PARTS, _LEAST = 3, 2  # parts of a top, across and down, that are compared; of the pixels looked at, in each
_UNEVEN, _FAINT = 0.04, 0.02  # how uneven paint is, as a share of what it shows; and anyway, of what white gives
_SHADY = 7 / 8  # of the board beside a piece: what is darker than so much of it lies in a shadow, if anything does
_LEVEL = 0.04  # linear light by which the board there may be off
_STUDENT = 0.3676  # Student's density at 0, three degrees of freedom
_IMAGE = 5.0  # spreads of paint by which a top with an image of a lamp is uneven, in the mean: many images are wider


def parts_of_tops(where: Places, places: Ints, free: Mask, flat: Frame) -> Floats:
    """What is seen of the parts of flat tops, linear BGR (N, 9, 3); NaN where too little is seen of one.

    free: which of the first pixels of each place are seen, (N, crown). flat: the flat view, uint8 BGR.
    """
    pixels = where.pixels(places, slice(where.crown))
    smooth = cv2.blur(flat, (_BLUR, _BLUR)).reshape(-1, 3)
    shown = linear(np.asarray(smooth.take(pixels.ravel(), axis=0), np.uint8)).reshape(*pixels.shape, 3)
    there = where.weight(places, slice(where.crown)) > 0  # the others lie beyond the view
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


def part_of_tops(parts: Floats, share: float) -> Floats:
    """That part of each top than which such a share of its parts is darker, linear BGR (N, 3): 0 for the darkest, which
    shows most of the paint under a lamp's image, 1 for the lightest. parts: see `parts_of_tops`."""
    order, rows = np.argsort(parts.sum(axis=2), axis=1), np.arange(len(parts))  # NaN comes last
    last = np.isfinite(parts).all(axis=2).sum(axis=1) - 1
    return np.asarray(parts[rows, order[rows, np.round(share * np.maximum(last, 0)).astype(int)]])


def edge_beside(more: Floats, board: Floats, bare: Mask) -> Floats:
    """Natural log by which the board beside each piece is darker on one side than on the other, (N,).

    more: by how much it is lighter than it should be, `board`, linear light (N, R). bare: which of it is seen.
    """
    fall = -np.log((np.maximum(board + more, 0) + _LEVEL) / (board + _LEVEL))
    return np.maximum(quantile(fall, bare, _SHADY) - np.maximum(quantile(fall, bare, 1 / 4), 0), 0)


def hue_beside(added: Floats, image: Mask) -> Floats:
    """The hue of what is mirrored beside each piece, (N, 2), NaN where nothing is. added: the light that is added to
    the board there, linear BGR (N, R, 3); image: where it is as much as of a lamp's image, (N, R)."""
    result = np.full((len(added), 2), np.nan)
    for row in np.flatnonzero(image.any(axis=1)):
        result[row] = look_of(np.median(added[row, image[row]], axis=0))[1:]
    return result


def quantile(values: Floats, counted: Mask, share: float = 3 / 4) -> Floats:
    """What so large a share of those values of each row, (N, R), that are counted lie below: (N,), as `np.quantile`."""
    order, rows = np.sort(np.where(counted, values, np.inf), axis=1), np.arange(len(values))
    last = counted.sum(axis=1) - 1
    at = share * last
    low, high = order[rows, at.astype(int)], order[rows, np.minimum(at.astype(int) + 1, last)]
    return np.asarray(low + at % 1 * (high - low))
