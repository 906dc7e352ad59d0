"""Shadows of a colour of their own: where two lights of two colours fall, the one's shadow is of the other's colour.

A yellow shadow on white paper looks much as a yellow pawn in a bad light does. But beside all pieces it lies the same
way, or away from the same lamp, and it takes the same share of the light from whatever lies there; pieces do not stand
like that. Where a lamp is half hidden half of its light is lost: that is mixed as light is. And a shadow has somebody
who casts it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

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
_FAR = (1e6, 800.0, 450.0, 280.0)  # mm from the middle of the board to the place below a lamp: the sun, or a near one
_STEPS = np.array([0.7, 0.9, 1.1, 1.3])  # diameters from a foot to where its shadow is looked for; the middle two count
_FEWEST, _MOST_OF_THEM, _BARE, _FREE = 3, 0.5, 0.3, 2
"""Pieces beside which it must be seen; share of those beside which it could be; of these, where no piece is seen, and
how many of them."""
_AT_FOOT, _CLOSE = 0.25, 0.4
"""Diameters: round a foot it is looked what stands there; from there on, what stands beside it."""
_DEPTHS = (0.5, 1.6)  # times as much of the light may be lost beside one as is beside most
_LIGHTEST, _ENOUGH, _DARKEST = -0.15, -0.5, -3.0
"""Natural log of what a shadow leaves of the light: at most; where no darker one is likelier; at least."""
_OFF, _OFF_SHARE = 0.1, 0.1  # natural log, and share of the shadow's own, by which it may differ in any channel
_BEHIND = 3  # angles round the way in which pieces lean: what is seen there may be the piece itself
_OTHER_LAMP = 4  # angles between the shadows of two lamps, at least
_LONG, _SPREAD = 3.5, 0.15  # heights of a piece that its shadow may reach; by how much it may turn aside, as a slope
_STEP, _SOME = 0.4, 0.2  # diameters from one look at how far shadows reach to the next; share of them that must
_MUCH = 0.33  # share of what is seen of a piece
_THINNEST, _THICKEST = 0.3, 1.35  # times as much as beside a piece of the light may be lost at a pixel of its shadow


def tinged_shadows(feet: Floats, half: Flat, usual: Flat, owner: Ints, piece: Piece, eye: Floats) -> Mask:
    """Pixels in the shadows of pieces that stand at `feet`, mm (N, 2): bool (rows, cols), half the size.

    half, usual: the flat view at half the size and the empty board in it, linear BGR. owner: which piece is seen, −1
    where none is, (rows, cols): most of a shadow is not taken for pieces. eye: where the camera is, mm.
    """
    found = np.zeros(half.shape[:2], bool)
    if len(feet) < _FEWEST:
        return found
    turns = np.arange(_ANGLES) * 2 * np.pi / _ANGLES
    ways = np.column_stack([np.cos(turns), np.sin(turns)])
    fall = _from_lamps(feet, np.array(half.shape[1::-1]) / PIXELS_PER_MM)
    beside = _beside(feet, ways, half, usual, owner >= 0, piece)
    beside, shaded = replace(beside, counted=beside.counted & ~_leaning(feet, eye)), np.zeros(len(feet), bool)
    for lamp, tint in _common(beside, fall, _strips(feet, ways, piece)):
        fallen, box = ways[fall[lamp]], np.zeros(found.shape, np.uint8)
        reach = _reach(feet, fallen, tint, half, usual, piece)
        for foot, way in zip(feet, fallen, strict=True):
            cv2.fillConvexPoly(box, _strip(foot, way, reach, piece), 1, cv2.LINE_8, 4)
        there = np.flatnonzero(box)
        seen, board = (image.reshape(-1, 3).take(there, axis=0) for image in (half, usual))
        found.ravel()[there] |= _alike(_ratio(seen, board), tint)
        shaded |= _shaded(feet, fallen, reach, piece)
    return found & ~_nobodys(found, owner, shaded)


def _nobodys(found: Mask, owner: Ints, shaded: Mask) -> Mask:
    """Pixels of pieces that look much as a shadow does, and stand in that of no other one: nobody would cast it.
    shaded: which pieces do, (N,)."""
    seen = owner >= 0
    alike, whole = (np.bincount(owner[seen], part, len(shaded)) for part in (found[seen], None))
    return np.asarray(seen & ((alike > _MUCH * whole) & ~shaded).take(owner, mode="clip"))


def _from_lamps(feet: Floats, middle: Floats) -> Ints:
    """Which way the shadow of each piece falls from each of some lamps, (lamps, N), as one of so many angles."""
    turns = np.arange(_ANGLES) * 2 * np.pi / _ANGLES
    below = np.column_stack([np.cos(turns), np.sin(turns)])[:, None] * np.array(_FAR)[:, None]
    away = feet - (middle - below).reshape(-1, 1, 2)
    return np.asarray(np.round(np.arctan2(away[..., 1], away[..., 0]) * _ANGLES / (2 * np.pi)).astype(int) % _ANGLES)


@dataclass(frozen=True, eq=False, slots=True)
class _Beside:
    """What is left of the light round N pieces, natural log. looks: beside each each way, (N, ways, 3). counted, bare:
    where it can be seen, and where it is not a piece that is seen, bool (N, ways). own: where each stands, (N, 3)."""

    looks: Floats
    counted: Mask
    bare: Mask
    own: Floats


def _beside(feet: Floats, ways: Floats, half: Flat, usual: Flat, hidden: Mask, piece: Piece) -> _Beside:
    (x, y), inside = _pixels(feet[:, None, None] + ways[:, None] * (_STEPS * piece.diameter)[:, None], half)
    looks = np.sort(_ratio(half[y, x], usual[y, x]), axis=2)[:, :, 1:3].mean(axis=2)
    bare = np.asarray(hidden[y, x].mean(axis=2) < 0.5)
    round_about = _AT_FOOT * piece.diameter * np.vstack([np.zeros((1, 2)), ways[::3]])
    (at_x, at_y), _ = _pixels(feet[:, None] + round_about, half)
    own = np.median(_ratio(half[at_y, at_x], usual[at_y, at_x]), axis=1)
    return _Beside(looks, np.asarray(inside.all(axis=2)), bare, own)


def _pixels(points: Floats, half: Flat) -> tuple[Ints, Mask]:
    """The pixels (x, y) of points, mm (…, 2), or those nearest to them: (2, …); and which lie in the picture, (…)."""
    rows, cols = half.shape[:2]
    x, y = np.moveaxis(np.floor(points * PIXELS_PER_MM / 2).astype(int), -1, 0)
    return np.stack([x.clip(0, cols - 1), y.clip(0, rows - 1)]), (x >= 0) & (y >= 0) & (x < cols) & (y < rows)


def _reach(feet: Floats, fallen: Floats, tint: Floats, half: Flat, usual: Flat, piece: Piece) -> float:
    """How far from the feet, mm, shadows reach that fall these ways, (N, 2): beyond, they are no more than a few."""
    steps = np.arange(_STEPS[1], _LONG * piece.height / piece.diameter, _STEP) * piece.diameter
    (x, y), inside = _pixels(feet[:, None] + fallen[:, None] * steps[:, None], half)
    like = _alike(_ratio(half[y, x], usual[y, x]).reshape(-1, 3), tint).reshape(x.shape) & inside
    few = np.flatnonzero(like.sum(axis=0) < np.maximum(_FREE, _SOME * inside.sum(axis=0)))
    return float(np.append(steps, _LONG * piece.height)[min(few, default=len(steps))]) + _STEP * piece.diameter


def _strips(feet: Floats, ways: Floats, piece: Piece) -> Mask:
    """Which piece stands where the shadow of another one may lie if it falls some way, (N, ways, others)."""
    off, aside = feet - feet[:, None], np.column_stack([-ways[:, 1], ways[:, 0]])
    return np.swapaxes(_within(off @ ways.T, off @ aside.T, _LONG * piece.height, piece), 1, 2)


def _shaded(feet: Floats, fallen: Floats, reach: float, piece: Piece) -> Mask:
    """Which piece stands in the shadow of another one, (N,), where these fall their ways, (N, 2), so far, mm."""
    off, aside = feet - feet[:, None], np.column_stack([-fallen[:, 1], fallen[:, 0]])
    along, across = (np.einsum("nmc,nc->nm", off, way) for way in (fallen, aside))
    return np.asarray(_within(along, across, reach, piece).any(axis=0))


def _within(along: Floats, across: Floats, reach: float, piece: Piece) -> Mask:
    """Whether a piece that stands so far along the way of a shadow, and so far beside it, mm, stands in it."""
    beside = np.abs(across) < 0.6 * piece.diameter + _SPREAD * along
    return np.asarray((along > _CLOSE * piece.diameter) & (along < reach) & beside)


def _ratio(seen: Flat, usual: Flat) -> Floats:
    return np.asarray(np.log((seen + _FLOOR) / (usual + _FLOOR)), np.float64)


def _leaning(feet: Floats, eye: Floats) -> Mask:
    """The ways in which each piece hides the board from the camera, (N, ways)."""
    away = feet - eye[:2]
    lean = np.arctan2(away[:, 1], away[:, 0])[:, None] * _ANGLES / (2 * np.pi)
    turned = np.abs((np.arange(_ANGLES) - lean + _ANGLES / 2) % _ANGLES - _ANGLES / 2)
    return np.asarray(turned < _BEHIND)


def _common(beside: _Beside, fall: Ints, strips: Mask) -> list[tuple[int, Floats]]:
    """The lamps, two at most, from which something dark of one tint lies beside most pieces; and that tint, (3,).

    fall: which way shadows fall from each, (lamps, N). strips: see `_strips`.
    """
    pieces, found = np.arange(len(beside.looks)), list[tuple[int, Floats]]()
    count = np.maximum(beside.counted[pieces, fall].sum(axis=1), 1)
    level = np.where(beside.counted, beside.looks.mean(axis=2).clip(_ENOUGH, 0), 0)[pieces, fall]
    dark = (level < _LIGHTEST / 3).sum(axis=1)
    depth = np.where(dark >= np.maximum(_FEWEST, _MOST_OF_THEM / 2 * count), level.sum(axis=1) / count, 0)
    each_way = np.arange(len(fall)).reshape(_ANGLES, -1)
    best = each_way[np.arange(_ANGLES), depth.reshape(each_way.shape).argmin(axis=1)]
    said = {k: _shadow(beside, fall[k], strips[pieces, fall[k]]) for k in best[depth[best] < 0].tolist()}
    for lamp, (share, tint) in sorted(said.items(), key=lambda one: one[1][0] * max(float(one[1][1].mean()), -1.0)):
        turned = [np.abs((fall[lamp] - fall[other] + _ANGLES // 2) % _ANGLES - _ANGLES // 2) for other, _ in found]
        apart = min((float(np.median(turn)) for turn in turned), default=_ANGLES)
        if share >= _MOST_OF_THEM and len(found) < 2 and apart >= _OTHER_LAMP:
            found.append((lamp, tint))
    return found


def _shadow(beside: _Beside, fall: Ints, strips: Mask) -> tuple[float, Floats]:
    """Beside how many of the pieces there is something of one tint, as a share, where their shadows would fall; 0 if it
    is none; and that tint, (3,). fall: the way of each, (N,). strips: who stands where, (N, others).

    A piece that stands in the shadow of another one, and looks as it does, may be none: it is not asked.
    """
    pieces = np.arange(len(fall))
    looks, counted = beside.looks[pieces, fall], beside.counted[pieces, fall]
    level = looks.mean(axis=1)
    tint = _median(looks[counted & (level < _LIGHTEST / 3)])
    counted = counted & ~((strips & counted[:, None]).any(axis=0) & _alike(beside.own, tint, _DEPTHS))
    if counted.sum() < _FEWEST:
        return 0.0, tint
    tint = _median(looks[counted & (level <= _median(level[counted]))])
    like = _alike(looks, tint, _DEPTHS) & counted
    free = like & beside.bare[pieces, fall]
    if not _DARKEST < tint.mean() < _LIGHTEST or like.sum() < _FEWEST or free.sum() < max(_BARE * like.sum(), _FREE):
        return 0.0, tint
    return float(like.sum() / counted.sum()), tint


def _median(values: Floats) -> Floats:
    """The median of some values, (N, …), of each column: as numpy's, which takes ten times as long for a few."""
    ordered, count = np.sort(values, axis=0), len(values)
    return np.asarray((ordered[(count - 1) // 2] + ordered[count // 2]) / 2)


def _strip(foot: Floats, way: Floats, far: float, piece: Piece) -> Ints:
    """Where the shadow of a piece may lie that reaches so far: a polygon, in sixteenths of pixels of half the size."""
    side = np.array([-way[1], way[0]])
    near, wide = 0.6 * piece.diameter, 0.6 * piece.diameter + _SPREAD * far
    ends = [foot - near * side, foot + near * side, foot + far * way + wide * side, foot + far * way - wide * side]
    return np.round(np.array(ends) * PIXELS_PER_MM / 2 * 16).astype(np.int32)


def _alike(ratio: Floats, tint: Floats, depths: tuple[float, float] = (_THINNEST, _THICKEST)) -> Mask:
    """Which of some ratios (N, 3) are those of a shadow, or of its soft edge, where a part of its light is. depths: how
    much of what it takes of the light may be taken."""
    taken, most = 1 - np.exp(ratio), 1 - np.exp(tint)
    depth = np.clip(taken @ most / max(float(most @ most), 1e-6), *depths)
    left = np.log(np.maximum(1 - depth[:, None] * most, _FLOOR))
    off = np.abs(ratio - left).max(axis=1)
    return np.asarray((depth > depths[0]) & (off < _OFF + _OFF_SHARE * -left.min(axis=1)))
