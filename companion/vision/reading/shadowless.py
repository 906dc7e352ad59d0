"""Pawns that cast no shadow where the others do: each may be the shadow of one that hides in its ground.

Of a yellow pawn in the yellow lane little is seen but its shadow, which under a low lamp is deep: it was surely the
pawn itself, one space off. But shadows cast none, and other yellow pawns are not so dark.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

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
_SOME = 3  # of every so many pixels of a pawn one is asked
_DARK = -0.5  # natural log of seen to expected light
_MOSTLY = 0.5  # share of a pawn that is dark, as a shadow is
_ALL_OVER, _LIT = 0.7, 0.4  # shares: of one that is dark all over, at least; of one that shows its paint, at most
_FAR_DARKER = 0.9  # natural log
_ALIKE, _ALIKE_HUE = 0.6, 0.3  # natural log, and shares of the light, by which ground of a pawn's colour is off its own
_ABOUT_HUE = 0.6  # the same, where its colour is only known from the sheet


def shadowless(
    found: Match, kept: Kept, dim: Mask, free: Mask, spaces: Sequence[Space], left_out: Collection[int] = ()
) -> list[tuple[int, int, set[int]]]:
    """The pawns on ground of their colour that may be shadows: those that are dark and cast none where all cast theirs,
    and those that are far darker than others of their colour. The space of each, by number, its colour, and the
    spaces from which what is seen there may be the shadow of such a one, where it is known how shadows fall.

    dim: pixels that look like the empty board in a shadow; free: those on which neither pieces nor hands are, nor the
    picture's end; bool (rows, cols) each. spaces: all, in the sheet's order. left_out: spaces that are not looked at.
    In frames of 30 films 17 pawns were told so, and 16 of these, all in one film, were shadows.
    """
    where, places = found.where, [place for place, _ in found.standing]
    if where.piece.kind == "disc" or not places:
        return []
    numbers, feet = where.space[places].tolist(), where.feet[places]
    asked = _on_own_ground(found, kept, [row for row, space in enumerate(numbers) if space not in left_out])
    if not asked:
        return []
    shown = [found.shown(place)[::_SOME] for place in places]
    shares = _shares_dark(kept, dim, shown)
    asked = [row for row in asked if shares[row] > _MOSTLY]
    if not asked:
        return []  # what shows its paint is no shadow: it need not be known how these fall
    colors = [color for _, color in found.standing]
    lit = {color for color, share in zip(colors, shares, strict=True) if share < _LIT}
    told = lit & {colors[row] for row in asked if shares[row] > _ALL_OVER}
    looks = {row: _look(kept, own, shares[row]) for row, own in enumerate(shown) if len(own) and colors[row] in told}
    away, none = _cast(feet, kept, dim, free, where.piece.diameter)
    deep = _deep(colors, looks)
    result = []
    for row in asked:
        if row in deep or row in none:
            result.append((numbers[row], colors[row], _from(feet[row] - away, spaces) - {numbers[row]}))
    return result


def _shares_dark(kept: Kept, dim: Mask, shown: Sequence[Ints]) -> list[float]:
    """Which share is dark of what is seen of each pawn, some pixels, raveled; 0 of those of which nothing is."""
    count, dark = np.array([len(own) for own in shown]), _dark(kept, dim, np.concatenate(shown))
    many = np.bincount(np.repeat(np.arange(len(shown)), count), dark, len(shown))
    return list(map(float, many / np.maximum(count, 1)))


def _on_own_ground(found: Match, kept: Kept, rows: Sequence[int]) -> list[int]:
    """Those of some pawns, by number, whose foot is on ground of about their paint's hue."""
    where, put = found.where, [found.standing[row] for row in rows]
    if not put:
        return []
    paints = kept.light.of_color(kept.colors[[color for _, color in put]])
    _, board, even = _light(kept, _pixels(where.feet[[place for place, _ in put]], where.shape))
    off = np.abs(_hue(np.asarray(paints, np.float64)) - _hue(board / even)).sum(axis=1)
    return [row for row, far in zip(rows, off.tolist(), strict=True) if far < _ABOUT_HUE]


def _cast(feet: Floats, kept: Kept, dim: Mask, free: Mask, diameter: float) -> tuple[Floats, set[int]]:
    """Where shadows lie, seen from the feet of pawns, mm (N, 2): some points, mm (M, 2), none if that is not clear; and
    the pawns, by number, that cast none though all others do."""
    turns = np.arange(_ANGLES) * 2 * np.pi / _ANGLES
    away = np.stack([np.cos(turns), np.sin(turns)], axis=1)[:, None] * (_STEPS * diameter)[:, None]
    pixels = _pixels(feet[:, None, None] + away, dim.shape)
    counted = free.take(pixels)
    dark = _dark(kept, dim, pixels) & counted
    share = dark.sum(axis=(0, 2)) / np.maximum(counted.sum(axis=(0, 2)), 1)
    best = int(share.argmax())
    if len(feet) < _FEWEST or share[best] < _CAST or share[best] < _ONE_WAY * share.mean():
        return np.zeros((0, 2)), set()
    none = (counted[:, best].sum(axis=1) >= _SEEN) & ~dark[:, best].any(axis=1)
    return away[best], set(np.flatnonzero(none).tolist())


def _deep(colors: Sequence[int], looks: Mapping[int, _Look]) -> set[int]:
    """The pawns, by number, that are dark all over, and far darker than others of their colour, though they stand on
    ground of that colour. looks: of those that are seen, where that may be so."""
    result = set()
    for row, look in looks.items():
        usual = [of for other, of in looks.items() if colors[other] == colors[row] and of.dark < _LIT]
        if look.dark <= _ALL_OVER or not usual:
            continue
        bright, hue = np.median([of.bright for of in usual]), np.median([of.hue for of in usual], axis=0)
        ground = abs(look.board_bright - bright) < _ALIKE and np.abs(look.board_hue - hue).sum() < _ALIKE_HUE
        if ground and look.bright < bright - _FAR_DARKER:
            result.add(row)
    return result


@dataclass(frozen=True, eq=False, slots=True)
class _Look:
    """What is seen of a pawn: which share is dark; natural log of its brightness, and how that is shared by blue, green
    and red; of its lighter half. And of the board that it hides, in the light there."""

    dark: float
    bright: float
    hue: Floats
    board_bright: float
    board_hue: Floats


def _look(kept: Kept, own: Ints, dark: float) -> _Look:
    seen, board, even = _light(kept, own)
    lit, ground = (seen + FLOOR / 3) / (even + FLOOR / 3), np.median((board + FLOOR / 3) / (even + FLOOR / 3), axis=0)
    whole = lit.sum(axis=1)
    light = np.median(lit[whole >= np.median(whole)], axis=0)
    return _Look(dark, float(np.log(light.sum())), _hue(light), float(np.log(ground.sum())), _hue(ground))


def _hue(light: Floats) -> Floats:
    """How light, (…, 3), is shared by its channels."""
    return np.asarray(light / light.sum(axis=-1, keepdims=True), np.float64)


def _pixels(at: Floats, shape: tuple[int, ...]) -> Ints:
    """The pixels, raveled, at some points, mm (…, 2)."""
    x, y = np.moveaxis((at * PIXELS_PER_MM).astype(np.int64), -1, 0)
    return np.asarray(y.clip(0, shape[0] - 1) * shape[1] + x.clip(0, shape[1] - 1))


def _dark(kept: Kept, dim: Mask, pixels: Ints) -> Mask:
    """Which pixels, raveled, (…,), look like the board in a shadow, or much darker than the board."""
    seen, board, _ = _light(kept, pixels.ravel())
    return np.asarray(_darker(seen, board).reshape(pixels.shape) | dim.take(pixels))


def _darker(seen: Floats, board: Floats) -> Mask:
    return np.asarray(np.log((seen.sum(axis=1) + FLOOR) / (board.sum(axis=1) + FLOOR)) < _DARK)


def _light(kept: Kept, pixels: Ints) -> tuple[Floats, Floats, Floats]:
    """What is seen at some pixels, raveled, what the empty board would show there, and the light on it: linear BGR, (N,
    3) each."""
    seen = linear(kept.flat.reshape(-1, 3).take(pixels, axis=0)).astype(np.float64)
    board, even = (np.asarray(light, np.float64) for light in kept.today.at(pixels))
    return seen, board, even


def _from(points: Floats, spaces: Sequence[Space]) -> set[int]:
    """The spaces, by number, on which some points lie, mm (N, 2)."""
    middles, radii = np.array([(of.x, of.y) for of in spaces]), np.array([of.radius for of in spaces])
    within = np.hypot(*np.moveaxis(points[:, None] - middles, -1, 0)) < radii
    return set(np.flatnonzero(within.any(axis=0)).tolist())
