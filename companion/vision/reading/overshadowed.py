"""Dark pieces in the shadow of another one: darker than that shadow is at the same place beside other pieces.

A dark green pawn on the green dot of its own space, where the shadow of a yellow one fell, was surely nothing: pixel by
pixel it looked just like the dot in a shadow. How dark such a shadow gets there, those of the other pieces show.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board.evidence import Evidence
from companion.vision.board.standing import Match
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.powers import log
from companion.vision.view.scene import PIXELS_PER_MM

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_ODD = 1.0  # nats against the empty board, in a shadow or not
_FULL = 0.7  # share of a piece's place that looks so, and lies where one that was found casts its shadow, at least
_NEAR = 4.0  # nats for standing off the middle, at most, for a place to be looked at
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
    tried = np.flatnonzero(asked.take(where.space) & (where.cost < _NEAR))
    places, share = where.filled(strange.ravel(), tried, _FULL)
    if not len(places):
        return set()
    fullest = {int(where.space[place]): int(place) for place in places[np.argsort(share, kind="stable")]}
    left = log((half + np.float32(_FLOOR)) / (usual + np.float32(_FLOOR)))
    rows, cols = half.shape[:2]
    free = ~hidden[: 2 * rows : 2, : 2 * cols : 2]
    darkest = _darkest(left, free, where.piece.diameter)
    feet = where.feet[[place for place, _ in found.standing]]
    return {space for space, place in fullest.items() if _too_dark(found, place, left, free, darkest, feet)}


def _darkest(left: Flat, free: Mask, size: float) -> Flat:
    """The least that is left of the light round about each pixel, natural log, (rows, cols, 3), of means over so many
    mm of what is `free`; +inf where too little is."""
    wide, seen = (max(3, int(size * _PER_MM) | 1),) * 2, free.astype(np.float32)
    share = np.asarray(cv2.boxFilter(seen, -1, wide))[..., None]
    mean = np.asarray(cv2.boxFilter(left * seen[..., None], -1, wide)) / np.maximum(share, np.float32(1e-3))
    known = np.where(share > _SEEN, mean, np.float32(np.inf))
    return np.asarray(cv2.erode(known, np.ones((2 * _ABOUT + 1,) * 2, np.uint8)), np.float32)


def _too_dark(found: Match, place: int, left: Flat, free: Mask, darkest: Flat, feet: Floats) -> bool:
    """Whether a place is darker, in some channel, than the shadows of the pieces near it are beside other pieces."""
    y, x = np.divmod(found.where.hidden_by(place)[0], found.where.shape[1])
    inside = (y // 2 < left.shape[0]) & (x // 2 < left.shape[1])
    y, x = y[inside] // 2, x[inside] // 2
    seen = free[y, x]
    if not seen.any():
        return False
    look = np.median(left[y[seen], x[seen]], axis=0)
    middle = np.array([x[seen].mean(), y[seen].mean()]) / _PER_MM
    away = np.linalg.norm(feet - found.where.feet[place], axis=1)
    expected = np.zeros(3)
    for caster in np.flatnonzero(away < _REACH * found.where.piece.diameter).tolist():
        beside = _beside(darkest, np.delete(feet, caster, axis=0) + (middle - feet[caster]))
        if len(beside) < _WITNESSES:
            return False
        expected += np.minimum(beside.min(axis=0), 0)
    return bool((look < expected - _DARKER).any())


def _beside(darkest: Flat, points: Floats) -> Floats:
    """How dark it is at some points, mm (N, 2), of which it can be seen: natural log, (≤ N, 3)."""
    x, y = np.round(points * _PER_MM).astype(np.int64).T
    inside = (x >= 0) & (y >= 0) & (x < darkest.shape[1]) & (y < darkest.shape[0])
    looks = darkest[y[inside], x[inside]]
    return np.asarray(looks[np.isfinite(looks).all(axis=1)], np.float64)
