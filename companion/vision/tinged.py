"""Shadows of a colour of their own: where two lights of two colours fall, the one's shadow is of the other's colour.

A yellow shadow on white paper looks much as a yellow pawn in a bad light does. But beside all pieces it lies the same
way, and it takes the same share of the light from whatever lies there; pieces do not stand like that.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.pose import Flat, Floats
from companion.vision.scene import PIXELS_PER_MM

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_FLOOR = 0.01  # linear light added before ratios are taken
_ANGLES = 24
_STEPS = np.array([0.8, 1.0, 1.2, 1.4])  # diameters from a foot to where its shadow is looked for; the middle two count
_FEWEST, _MOST_OF_THEM, _BARE = 3, 0.5, 0.34
"""Pieces beside which it must be seen; share of those beside which it could be; of these, where no piece is seen."""
_DEPTHS = (0.5, 1.6)  # times as deep it may be beside one as it is beside most, as a log
_LIGHTEST, _DARKEST = -0.15, -3.0  # natural log of what a shadow leaves of the light
_OFF, _OFF_SHARE = 0.1, 0.1  # natural log, and share of the shadow's own, by which it may differ in any channel
_BEHIND = 3  # angles round the way in which pieces lean: what is seen there may be the piece itself
_OTHER_LAMP = 4  # angles between the shadows of two lamps, at least
_LONG, _SPREAD = 3.5, 0.15  # heights of a piece that its shadow reaches; by how much it may turn aside, as a slope
_THINNEST, _THICKEST = 0.3, 1.6  # share of the shadow's depth, as a log, that a pixel of it has


def tinged_shadows(feet: Floats, half: Flat, usual: Flat, hidden: Mask, piece: Piece, eye: Floats) -> Mask:
    """Pixels in the shadows of pieces that stand at `feet`, mm (N, 2): bool (rows, cols), half the size.

    half, usual: the flat view at half the size and the empty board in it, linear BGR. hidden: where pieces are seen,
    bool (rows, cols): most of a shadow is not taken for pieces. eye: where the camera is, mm.
    """
    found = np.zeros(half.shape[:2], bool)
    if len(feet) < _FEWEST:
        return found
    turns = np.arange(_ANGLES) * 2 * np.pi / _ANGLES
    ways = np.column_stack([np.cos(turns), np.sin(turns)])
    looks, counted, bare = _beside(feet, ways, half, usual, hidden, piece)
    for way, tint in _common(looks, counted & ~_leaning(feet, eye), bare):
        box = np.zeros(found.shape, np.uint8)
        for foot in feet:
            cv2.fillConvexPoly(box, _strip(foot, ways[way], piece), 1, cv2.LINE_8, 4)
        there = np.flatnonzero(box)
        seen, board = (image.reshape(-1, 3).take(there, axis=0) for image in (half, usual))
        found.ravel()[there] |= _alike(_ratio(seen, board), tint)
    return found


def _beside(
    feet: Floats, ways: Floats, half: Flat, usual: Flat, hidden: Mask, piece: Piece
) -> tuple[Floats, Mask, Mask]:
    """What is left of the light beside each piece each way, natural log (N, ways, 3), where it can be seen, and where
    it is not a piece that is seen, (N, ways)."""
    at = feet[:, None, None] + ways[:, None] * (_STEPS * piece.diameter)[:, None]
    x, y = np.floor(at * PIXELS_PER_MM / 2).astype(int).transpose(3, 0, 1, 2)
    rows, cols = half.shape[:2]
    inside = (x >= 0) & (y >= 0) & (x < cols) & (y < rows)
    x, y = x.clip(0, cols - 1), y.clip(0, rows - 1)
    looks = np.sort(_ratio(half[y, x], usual[y, x]), axis=2)[:, :, 1:3].mean(axis=2)
    return looks, inside.all(axis=2), hidden[y, x].mean(axis=2) < 0.5


def _ratio(seen: Flat, usual: Flat) -> Floats:
    return np.asarray(np.log((seen + _FLOOR) / (usual + _FLOOR)), np.float64)


def _leaning(feet: Floats, eye: Floats) -> Mask:
    """The ways in which each piece hides the board from the camera, (N, ways)."""
    away = feet - eye[:2]
    lean = np.arctan2(away[:, 1], away[:, 0])[:, None] * _ANGLES / (2 * np.pi)
    turned = np.abs((np.arange(_ANGLES) - lean + _ANGLES / 2) % _ANGLES - _ANGLES / 2)
    return np.asarray(turned < _BEHIND)


def _common(looks: Floats, counted: Mask, bare: Mask) -> list[tuple[int, Floats]]:
    """The ways, two at most, in which something dark of one tint lies beside most pieces; and that tint, (3,)."""
    shares, tints = np.zeros(_ANGLES), np.zeros((_ANGLES, 3))
    dark = ((looks.mean(axis=2) < _LIGHTEST / 3) & counted).sum(axis=0)
    for way in np.flatnonzero(dark >= np.maximum(_FEWEST, _MOST_OF_THEM * counted.sum(axis=0))).tolist():
        there = counted[:, way]
        tints[way] = np.median(looks[there, way], axis=0)
        like = _alike(looks[there, way], tints[way], _DEPTHS)
        free = like & bare[there, way]
        if _DARKEST < tints[way].mean() < _LIGHTEST and free.sum() >= max(_FEWEST, _BARE * like.sum()):
            shares[way] = like.mean()
    found: list[tuple[int, Floats]] = []
    for way in np.argsort(shares * tints.mean(axis=1).clip(-1, 0), kind="stable").tolist():
        apart = [abs((way - other + _ANGLES // 2) % _ANGLES - _ANGLES // 2) for other, _ in found]
        if shares[way] >= _MOST_OF_THEM and len(found) < 2 and min(apart, default=_ANGLES) >= _OTHER_LAMP:
            found.append((way, tints[way]))
    return found


def _strip(foot: Floats, way: Floats, piece: Piece) -> Ints:
    """Where the shadow of a piece may lie, as a polygon in sixteenths of pixels of half the size."""
    side, far = np.array([-way[1], way[0]]), _LONG * piece.height
    near, wide = 0.6 * piece.diameter, 0.6 * piece.diameter + _SPREAD * far
    ends = [foot - near * side, foot + near * side, foot + far * way + wide * side, foot + far * way - wide * side]
    return np.round(np.array(ends) * PIXELS_PER_MM / 2 * 16).astype(np.int32)


def _alike(ratio: Floats, tint: Floats, depths: tuple[float, float] = (_THINNEST, _THICKEST)) -> Mask:
    """Which of some ratios (N, 3) are those of a shadow, or of its soft edge. depths: times as deep, as a log."""
    depth = np.clip(ratio @ tint / max(float(tint @ tint), 1e-6), *depths)
    off = np.maximum.reduce([np.abs(one - depth * own) for one, own in zip(ratio.T, tint.tolist(), strict=True)])
    return np.asarray((depth > depths[0]) & (off < _OFF + _OFF_SHARE * np.abs(tint).max()))
