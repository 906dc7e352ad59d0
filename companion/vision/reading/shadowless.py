"""Pawns that cast no shadow where the others do: each may be the shadow of one that hides in its ground.

Of a yellow pawn in the yellow lane little is seen but its shadow, which under a low lamp is deep: it was surely the
pawn itself, one space off. But shadows cast none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from companion.model import Space
from companion.vision.board.again import Kept
from companion.vision.board.hands import Mask
from companion.vision.board.memory import FLOOR
from companion.vision.board.standing import Ints, Match
from companion.vision.view.pose import Floats
from companion.vision.view.scene import PIXELS_PER_MM
from companion.vision.view.surface import linear

PERHAPS_THERE = -1.0
"""Nats by which a pawn is less likely to stand where the shadow would come from than not."""
_ANGLES, _STEPS = 24, np.arange(0.6, 1.5, 0.1)  # ways, and diameters from a foot, where shadows are looked for
_CAST, _ONE_WAY = 0.6, 3.0  # share of what lies that way of all pawns that is dark, and times as much as other ways
_FEWEST, _SEEN = 4, 4  # pawns that show where shadows lie; spots of a way that must be in sight
_DARK = -0.5  # natural log of seen to expected light
_MOSTLY = 0.5  # share of a pawn that is dark, as a shadow is


def shadowless(
    found: Match, kept: Kept, dim: Mask, free: Mask, spaces: Sequence[Space], left_out: Collection[int] = ()
) -> list[tuple[int, int, set[int]]]:
    """The pawns that are dark and cast no shadow where all cast theirs: the space of each, by number, its colour, and
    the spaces from which what is seen there may be the shadow of such a one. None where shadows lie otherwise.

    dim: pixels that look like the empty board in a shadow; free: those on which neither pieces nor hands are, nor the
    picture's end; bool (rows, cols) each. spaces: all, in the sheet's order. left_out: spaces that are not looked at.
    Of 1,658 pieces found in frames of 22 films eight were told so, and seven of these were shadows.
    """
    where = found.where
    if where.piece.kind == "disc" or len(found.standing) < _FEWEST:
        return []
    feet = where.feet[[place for place, _ in found.standing]]
    turns = np.arange(_ANGLES) * 2 * np.pi / _ANGLES
    away = np.stack([np.cos(turns), np.sin(turns)], axis=1)[:, None] * (_STEPS * where.piece.diameter)[:, None]
    pixels = _pixels(feet[:, None, None] + away, dim.shape)
    counted = free.take(pixels)
    dark = _dark(kept, dim, pixels) & counted
    share = dark.sum(axis=(0, 2)) / np.maximum(counted.sum(axis=(0, 2)), 1)
    best = int(share.argmax())
    if share[best] < _CAST or share[best] < _ONE_WAY * share.mean():
        return []
    none = (counted[:, best].sum(axis=1) >= _SEEN) & ~dark[:, best].any(axis=1)
    result = []
    for row in np.flatnonzero(none).tolist():
        place, color = found.standing[row]
        space, own = int(where.space[place]), found.shown(place)
        if space not in left_out and len(own) and _dark(kept, dim, own).mean() > _MOSTLY:
            result.append((space, color, _from(feet[row] - away[best], spaces) - {space}))
    return result


def _pixels(at: Floats, shape: tuple[int, ...]) -> Ints:
    """The pixels, raveled, at some points, mm (…, 2)."""
    x, y = np.moveaxis((at * PIXELS_PER_MM).astype(np.int64), -1, 0)
    return np.asarray(y.clip(0, shape[0] - 1) * shape[1] + x.clip(0, shape[1] - 1))


def _dark(kept: Kept, dim: Mask, pixels: Ints) -> Mask:
    """Which pixels, raveled, (…,), look like the board in a shadow, or much darker than the board."""
    seen = linear(kept.flat.reshape(-1, 3).take(pixels.ravel(), axis=0)).sum(axis=-1)
    board = kept.today.at(pixels.ravel())[0].sum(axis=-1)
    dark = np.log((seen + FLOOR) / (board + FLOOR)) < _DARK
    return np.asarray(dark.reshape(pixels.shape) | dim.take(pixels))


def _from(points: Floats, spaces: Sequence[Space]) -> set[int]:
    """The spaces, by number, on which some points lie, mm (N, 2)."""
    middles, radii = np.array([(of.x, of.y) for of in spaces]), np.array([of.radius for of in spaces])
    within = np.hypot(*np.moveaxis(points[:, None] - middles, -1, 0)) < radii
    return set(np.flatnonzero(within.any(axis=0)).tolist())
