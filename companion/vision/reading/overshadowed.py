"""Dark pieces in the shadow of another one: darker than that shadow is at the same place beside other pieces.

A dark green pawn on the green dot of its own space, where the shadow of a yellow one fell, was surely nothing: pixel by
pixel it looked just like the dot in a shadow. How dark such a shadow gets there, those of the other pieces show.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board.evidence import Evidence
from companion.vision.board.places import Places
from companion.vision.board.standing import Match
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.powers import log
from companion.vision.view.scene import PIXELS_PER_MM

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_ODD = 1.0  # nats against the empty board, in a shadow or not
_FULL = 0.7  # share of a piece's place that looks so, and lies where one that was found casts its shadow, at least
_REACH = 4.5  # diameters: who stands farther off casts no shadow there
_WITNESSES = 2  # other pieces beside which the same place must be seen
_DARKER = 0.35  # natural log by which it is darker than all of these, in some channel
_FLOOR = 0.01  # linear light that is added before ratios are taken
_SEEN = 0.4  # share of what lies round about that must be seen
_ABOUT = 2  # pixels at half the size: shadows are looked for so far beside the place, too
_PER_MM = PIXELS_PER_MM / 2


def overshadowed(
    found: Match, told: Evidence, cast: Mask, hidden: Mask, half: Flat, usual: Flat, asked: Mask
) -> set[int]:
    """The spaces, by number, on which something stands in the cast shadow of a piece that is darker than such shadows.

    cast: where pieces that were found cast their shadows; hidden: where pieces and hands are seen; bool (rows, cols).
    half, usual: what is seen and the empty board, linear BGR, at half the size. asked: the spaces to look at, (S,).
    """
    where = found.where
    if where.piece.kind == "disc" or len(found.standing) <= _WITNESSES:
        return set()
    strange = ((told.odd > _ODD) | told.dim) & cast & ~hidden
    places, share = where.filled(strange.ravel(), asked, _FULL)
    if not len(places):
        return set()
    rows, cols = half.shape[:2]
    free = ~hidden[: 2 * rows : 2, : 2 * cols : 2]
    fullest = {int(where.space[place]): int(place) for place in places[np.argsort(share, kind="stable")]}
    seen = {space: _look(where, place, half, usual, free) for space, place in fullest.items()}
    dark = {space: look for space, look in seen.items() if (look[1] < -_DARKER).any()}
    if not dark:
        return set()
    darkest = _darkest(_left(half, usual), free, where.piece.diameter)
    return {space for space, look in dark.items() if _too_dark(found, fullest[space], *look, darkest)}


def _left(half: Flat, usual: Flat) -> Flat:
    """What is left of the light, natural log."""
    return log((half + np.float32(_FLOOR)) / (usual + np.float32(_FLOOR)))


def _look(where: Places, place: int, half: Flat, usual: Flat, free: Mask) -> tuple[Floats, Floats]:
    """The middle of what is seen of a place, mm, and what is left of the light there, natural log, (3,): 0 if nothing
    is seen."""
    y, x = np.divmod(where.hidden_by(place)[0], where.shape[1])
    y, x = np.minimum(y // 2, half.shape[0] - 1), np.minimum(x // 2, half.shape[1] - 1)
    seen = free[y, x]
    y, x = y[seen], x[seen]
    if not len(y):
        return where.feet[place], np.zeros(3)
    return np.array([x.mean(), y.mean()]) / _PER_MM, np.median(_left(half[y, x], usual[y, x]), axis=0)


def _darkest(left: Flat, free: Mask, size: float) -> Flat:
    """The least that is left of the light round about every other pixel, natural log, (rows, cols, 3), of means over so
    many mm of what is `free`; +inf where too little is."""
    wide, seen = (max(3, int(size * _PER_MM) | 1),) * 2, free.astype(np.uint8)
    share = np.asarray(cv2.boxFilter(seen, cv2.CV_32F, wide))[::2, ::2, None]
    total = np.asarray(cv2.boxFilter(cv2.copyTo(left, seen), -1, wide))[::2, ::2]
    known = np.where(share > _SEEN, total / np.maximum(share, np.float32(1e-3)), np.float32(np.inf))
    return np.asarray(cv2.erode(known, np.ones((_ABOUT + 1,) * 2, np.uint8)), np.float32)


def _too_dark(found: Match, place: int, middle: Floats, look: Floats, darkest: Flat) -> bool:
    """Whether a place is darker, in some channel, than the shadows of the pieces near it are beside other pieces.

    middle, look: see `_look`; darkest: see there.
    """
    feet = found.where.feet[[other for other, _ in found.standing]]
    away = np.linalg.norm(feet - found.where.feet[place], axis=1)
    casters = np.flatnonzero(away < _REACH * found.where.piece.diameter)
    beside = _at(darkest, feet + (middle - feet[casters])[:, None])
    beside[np.arange(len(casters)), casters] = np.inf  # that is the place itself
    if (np.count_nonzero(np.isfinite(beside[..., 0]), axis=1) < _WITNESSES).any():
        return False
    return bool((look < np.minimum(beside.min(axis=1), 0).sum(axis=0) - _DARKER).any())


def _at(darkest: Flat, points: Floats) -> Floats:
    """How dark it is at some points, mm (…, 2): natural log, (…, 3), +inf where that is not known."""
    x, y = np.moveaxis(np.round(points * (_PER_MM / 2)).astype(np.int64), -1, 0)
    inside = (x >= 0) & (y >= 0) & (x < darkest.shape[1]) & (y < darkest.shape[0])
    looks = darkest[y.clip(0, darkest.shape[0] - 1), x.clip(0, darkest.shape[1] - 1)]
    return np.where(inside[..., None], looks.astype(np.float64), np.inf)
