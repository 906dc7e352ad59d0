"""Large shadows with hard edges, as of heads, hands and window bars: where they lie and what light they leave.

A shadow takes the same share of the light from every ink; a dark thing does not. So a dark patch larger than pieces is
a shadow where the print can be made out in it.
"""

from __future__ import annotations

from functools import reduce

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.view.opening import disc, opened, room_for
from companion.vision.view.pose import Flat
from companion.vision.view.scene import PIXELS_PER_MM

Mask = npt.NDArray[np.bool_]
Small = npt.NDArray[np.uint8]

_COARSE, _OF_HALF = 3, 1.5  # pixels of the flat view, and of one of half the size, to one of that which is looked at
_FLOOR = 0.01  # linear light added before ratios are taken
_DARKER, _DEEPEST = 0.16, 2.4  # natural log: by how much a shadow is darker, at least and at most
_TINGED = (0.6, 0.4)
"""Natural log: by how much more it may take from one channel than from the mean of all: if it leaves more blue than
red, as the sky does and no skin; else. Both are tried, as what lies next to it may be so blue, too."""
_RUDDY, _SKIN = 0.4, 0.2  # natural log by which more red than blue may be left by skin; share of a part that is much
_WIDER = 1.5  # diameters of a piece: what is narrower may be a piece, or its shadow
_WIDE_AS = 0.6  # diameters: a piece of another colour in a patch is seen as wide, at least
_LEAST_PRINT = 0.08  # natural log: spread of the print's brightness from which on it can be made out
_MADE_OUT, _PLAINLY = 0.75, 0.85  # correlation of what is seen with the print: at least; where it may be skin
_RIMS, _FEWEST = {-1: (1, 3), 1: (1,)}, 30
"""Pixels of the coarse view that are left out along the rim of a shadow, and of a patch of light, and round what stands
in it, as there it may be in half-shadow; and pixels that must be left. An ink that is paler than expected looks like a
patch of light, all but at its outline: that is counted."""
_COURSES = (8.0, 3.0)  # mm over which the light's course is taken out: at the rim of a shadow; between those of a blind
_HARDLY = 0.001  # weight of what else is known, where hardly anything counts
_LARGEST = 4.0  # squares of a piece's diameter: so large are pieces and their shadows together
_NEAR, _WIDE = 5.0, 15.0  # mm over which the depth of a shadow is averaged: at last, and to know what is none
_OTHER = 0.35  # natural log: what is so much darker or lighter than the shadow round about is not it


def uneven_light(half: Flat, plain: Flat, piece: Piece) -> Flat | None:
    """What share of the light, blue, green and red, reaches each pixel where shadows or patches of light have edges,
    float32 (rows, cols, 3), 1 elsewhere; None if there are no such.

    half: the flat view at half the size, linear BGR float32 (rows, cols, 3). plain: the empty board there in a light
    without edges.
    """
    seen, usual = (np.asarray(cv2.log(_coarse(image) + _FLOOR), np.float32) for image in (half, plain))
    prints = _mean(seen), _mean(usual)
    depth = np.asarray(cv2.subtract(*prints), np.float32)
    others = {sign: (sign * depth > _DARKER) & (sign * depth < _DEEPEST) for sign in (-1, 1)}
    wide = {sign: other for sign, other in others.items() if _large(other, _WIDER * piece.diameter).any()}
    if not wide:  # nor is any part of it that is of the colour of a shadow
        return None
    ratio = np.asarray(cv2.subtract(seen, usual), np.float32)
    tinge = _tinge(ratio)
    ruddy, blue = ratio[..., 2] - ratio[..., 0] > _RUDDY, (ratio[..., 0] > ratio[..., 2]) & (depth < 0)
    share: Flat | None = None
    for sign, other in wide.items():
        patches, before = np.zeros(other.shape, bool), None
        for most in _TINGED:
            large = _large(other & (tinge < most) & ((tinge < _TINGED[-1]) | blue), _WIDER * piece.diameter)
            if not large.any() or (before is not None and np.array_equal(large, before)):
                break  # the same would be found once more
            before = large
            found = _with_print(large, *prints, ruddy, sign)
            if patches.any():
                patches &= ~_pieces(patches, found, prints, ruddy, sign, piece)
            patches |= found
        if patches.any():
            fine = np.asarray(cv2.log(_brightness(half) / _brightness(plain)), np.float32)
            level = _level(ratio, patches)
            more = _share(fine, level, _without_holes(patches, _LARGEST * piece.diameter**2), sign)
            share = more if share is None else share * more
    return share


def _pieces(patches: Mask, plain: Mask, prints: tuple[Flat, Flat], ruddy: Mask, sign: int, piece: Piece) -> Mask:
    """What of some patches is rather pieces that stand at a shadow: as wide as these, bluer than what it hangs together
    with, which is `plain`, and without print."""
    _, labels = cv2.connectedComponents(patches.astype(np.uint8))
    mixed = np.isin(labels, np.unique(labels[patches & plain]))
    more = (mixed & ~plain).astype(np.uint8)
    wide = opened(more, _disc(_WIDE_AS * piece.diameter / 2))
    around = np.asarray(cv2.bitwise_and(cv2.dilate(wide, _disc(2.0)), more), np.uint8)
    return np.asarray((around > 0) & ~_with_print(around, *prints, ruddy, sign))


def has_large_shadow(dim: Mask, piece: Piece) -> bool:
    """Whether more of the board looks as in a shadow than pieces can throw. dim: bool (rows, cols)."""
    coarse = cv2.resize(dim.astype(np.uint8), None, fx=1 / _COARSE, fy=1 / _COARSE, interpolation=cv2.INTER_NEAREST)
    return bool(_large(coarse > 0, _WIDER * piece.diameter).any())


def _coarse(image: Flat) -> Flat:
    by = 1 / _OF_HALF
    return np.asarray(cv2.resize(image, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.float32)


def _mean(image: Flat) -> Flat:
    return np.asarray(cv2.transform(image, np.full((1, 3), 1 / 3, np.float32)), np.float32)


def _tinge(ratio: Flat) -> Flat:
    """How far the channel that is farthest from the mean of all is off it, (rows, cols)."""
    off = np.eye(3, dtype=np.float32) - np.float32(1 / 3)
    blue, green, red = (np.abs(np.asarray(cv2.transform(ratio, row[None]), np.float32)) for row in off)
    return np.maximum(np.maximum(blue, green), red)


def _brightness(image: Flat) -> Flat:
    return np.asarray(cv2.transform(image, np.array([(1, 1, 1, 3 * _FLOOR)], np.float32)), np.float32)


def _large(dark: Mask, width: float) -> Small:
    """The parts of a mask in which a disc of `width` mm fits, and what hangs together with them, 0 or 1."""
    if not room_for(_disc(width / 2), dark):
        return np.zeros(dark.shape, np.uint8)
    mask = np.asarray(cv2.morphologyEx(dark.astype(np.uint8), cv2.MORPH_CLOSE, _disc(1.5)), np.uint8)
    core = opened(mask, _disc(width / 2))
    if not core.any():
        return core
    return np.asarray(cv2.bitwise_and(cv2.dilate(core, _disc(4.0)), mask), np.uint8)


def _disc(radius: float) -> Small:
    """A disc of `radius` mm as a kernel for the coarse view."""
    return disc(radius * PIXELS_PER_MM / _COARSE)


def _with_print(large: Small, seen: Flat, usual: Flat, ruddy: Mask, sign: int) -> Mask:
    """Those parts of a mask in which the print is made out: all of it, or its lines, whatever the course of the light;
    plainly where much is `ruddy`, and in the dark all of it. seen, usual: natural log of the brightness. sign: −1 for
    shadows, 1 for patches of light.
    """
    count, labels = cv2.connectedComponents(large)
    both, kept = np.dstack([seen, usual]), np.zeros(count, bool)
    for rim in _RIMS[sign]:
        inner = cv2.erode(large, np.ones((2 * rim + 1, 2 * rim + 1), np.uint8)) > 0
        asked = np.bincount(labels[inner], minlength=count) > _FEWEST
        for label in np.flatnonzero(asked[1:] & ~kept[1:]) + 1:
            part = (labels == label) & inner
            skin = float(np.mean(ruddy[part])) > _SKIN
            kept[label] = _made_out(both[part], _PLAINLY if skin else _MADE_OUT)
            for course in () if kept[label] or (skin and sign < 0) else _COURSES:
                kept[label] = kept[label] or _made_out(_lines(both, part, course), _PLAINLY if skin else _MADE_OUT)
    return np.asarray(kept[labels])


def _lines(both: Flat, part: Mask, course: float) -> Flat:
    """What changes within some mm of a part, (N, 2)."""
    margin = int(np.ceil(4 * course * PIXELS_PER_MM / _COARSE)) + 1  # so far OpenCV's kernel reaches
    x, y, wide, high = cv2.boundingRect(part.astype(np.uint8))
    box = slice(max(y - margin, 0), y + high + margin), slice(max(x - margin, 0), x + wide + margin)
    return both[part] - _averaged(both[box], part[box], course)[part[box]]


def _made_out(both: Flat, least: float = _MADE_OUT) -> bool:
    """Whether what is seen is like the print: natural log of the brightness of either, (N, 2)."""
    seen, printed = cv2.meanStdDev(both[None])[1].ravel().tolist()
    return printed >= _LEAST_PRINT and seen >= 1e-3 and float(np.corrcoef(both[:, 0], both[:, 1])[0, 1]) > least


def _share(ratio: Flat, level: Flat, patches: Mask, sign: int) -> Flat:
    """The share of the light, blue, green and red, at each pixel, float32 (rows, cols, 3).

    ratio: natural log of seen to expected brightness, (rows, cols). level: see `_level`. sign: −1 for shadows, 1 for
    patches of light. On the edge each pixel tells for itself how far it lies within.
    """
    size = (ratio.shape[1], ratio.shape[0])
    levels = np.asarray(cv2.resize(level, size), np.float32)
    deep = sign * np.maximum(sign * _mean(levels), 1e-3)
    near = cv2.resize(cv2.dilate(patches.astype(np.uint8), np.ones((3, 3), np.uint8)), size) > 0
    sure = cv2.resize(cv2.erode(patches.astype(np.uint8), np.ones((3, 3), np.uint8)), size) > 0
    part = np.where(sure, np.float32(1), np.where(near, np.clip(ratio / deep, 0, 1), np.float32(0)))
    return np.asarray(cv2.exp(levels * part[..., None]), np.float32)


def _without_holes(patches: Mask, largest: float) -> Mask:
    """The patches with those of their holes closed that are no larger, mm²: the light goes on beneath pieces."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats((~patches).astype(np.uint8))
    small = stats[:, cv2.CC_STAT_AREA] <= largest * (PIXELS_PER_MM / _COARSE) ** 2
    small[0] = True
    return np.asarray(small[labels])


def _level(ratio: Flat, patches: Mask) -> Flat:
    """By how much the patches are lighter round about each pixel, natural log, of each channel: (rows, cols, 3).

    A shadow has a colour of its own: what lights it comes from elsewhere. Pieces in it do not count.
    """
    wide = _averaged(ratio, patches, _WIDE)
    plain = patches.copy()
    plain[patches] = reduce(np.maximum, np.abs(ratio[patches] - wide[patches]).T) < _OTHER
    return _averaged(ratio, plain, _NEAR, wide)


def _averaged(layer: Flat, counted: Mask, reach: float, usual: Flat | float = 0.0) -> Flat:
    """Averages over some mm of a layer, (rows, cols, N), where it counts; `usual` where hardly anything does."""
    sigma = reach * PIXELS_PER_MM / _COARSE
    weight = np.asarray(cv2.GaussianBlur(counted.astype(np.float32), (0, 0), sigma), np.float32)[..., None]
    total = np.asarray(cv2.GaussianBlur(np.where(counted[..., None], layer, np.float32(0)), (0, 0), sigma), np.float32)
    return np.asarray((total + _HARDLY * usual) / (weight + _HARDLY), np.float32)
