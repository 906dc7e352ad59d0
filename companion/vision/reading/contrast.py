"""Discs that look nearly like the square they lie on: seen by what differs between a square's middle and its rim.

Light falls on both alike, so that the board looks the same there whatever the lamp does: how nearly is measured on all
empty squares. All pixels of a disc are one look: that each of them might be the board does not make it likely.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Seat, SpaceSeen
from companion.vision.board.again import Kept
from companion.vision.board.evidence import look_of
from companion.vision.board.places import Places, grounds
from companion.vision.board.standing import Match
from companion.vision.colors.looks import median_look
from companion.vision.light.today import Light
from companion.vision.reading.spaces import less_sure
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Floats
from companion.vision.view.scene import PIXELS_PER_MM, Scene
from companion.vision.view.surface import Surface, linear

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_IN_MIDDLE, _ON_RIM = 64, 48  # pixels that are looked at
LEAST = 12
"""Pixels of the rim that must be seen."""
_APART = 2  # pixels from a disc's edge to where the rim is looked at
_FEWEST = 6  # squares by which it is judged how much middle and rim differ
_SPREADS = np.array([0.02, 0.006, 0.006])  # natural log of brightness, and hue: they differ by so much anyway
_TAILS = 4.0  # degrees of freedom: how often what is rare happens
_OFF = np.array([0.3, 0.06, 0.06])  # how far a paint may be off the sheet's
_SHINES, _BRIGHTEST, _HUES = 0.02, 4.0, 0.5
"""How often a disc mirrors a lamp; natural log of how bright it may be then; so far range the hues that are seen."""
_LIGHTER = 0.25  # natural log by which it is brighter then than the print: elsewhere the rim may lie in a shadow
_NEARLY = -0.3  # nats: contrast alone does not say that there is a piece


def contrasted(
    found: Match, kept: Kept, scene: Scene, paints: Mapping[Seat, Floats], spaces: dict[str, SpaceSeen],
    known: Collection[str],
) -> dict[str, SpaceSeen]:
    """The readings, in which a square is less surely empty whose middle stands out from its rim as a disc would, seen
    plainly or with a lamp's light added to its own.

    paints: of the seats, linear BGR (3,). known: spaces that are left out.
    """
    if found.where.piece.kind != "disc":
        return spaces
    middle, rim = parts(found.where, scene)
    free = (found.front.take(rim) > 1e8) & ~kept.told.dim.ravel().take(rim)
    empty = np.array([not seen.content and not seen.covered for seen in spaces.values()])
    empty &= (middle[:, 0] >= 0) & (rim[:, 0] >= 0) & (free.sum(axis=1) >= LEAST)
    if empty.sum() < _FEWEST:
        return spaces
    board, off, lighter = _differences(kept, middle[empty], rim[empty], free[empty])
    spread = np.maximum(1.48 * np.median(np.abs(off), axis=0), _SPREADS)
    bare = _nats(off, spread)
    colors = np.array([look_of(kept.light.of_color(color)) for color in paints.values()])
    stands = colors - board[:, None]
    disc = _nats(off[:, None] - stands, _OFF)
    bright = (off[:, None, 0] > stands[..., 0]) & (lighter > _LIGHTER)[:, None]
    shines = np.where(bright, np.log(_SHINES / _BRIGHTEST / _HUES**2), -np.inf)
    disc = np.maximum(disc, shines)
    result, names = dict(spaces), list(spaces)
    told = np.minimum(disc - bare[:, None], _NEARLY)
    for index, levels in zip(np.flatnonzero(empty).tolist(), told.tolist(), strict=True):
        if names[index] not in known:
            result[names[index]] = less_sure(spaces[names[index]], dict(zip(paints, levels, strict=True)))
    return result


def _nats(off: Floats, spread: Floats) -> Floats:
    """Log-likelihood of what is so far off, (…, 3), but for what is common to all (Student's t)."""
    square = ((off / spread) ** 2).sum(axis=-1)
    return np.asarray(-0.5 * (_TAILS + 3) * np.log1p(square / _TAILS) - np.log(spread).sum())


def _differences(kept: Kept, middle: Ints, rim: Ints, free: Mask) -> tuple[Floats, Floats, Floats]:
    """How the rims of squares look, (S, 3), how much more their middles differ from them than in print, (S, 3), and by
    how much the middles are brighter than their print, (S,)."""
    light, surface = kept.today.light, kept.today.surface
    looks, prints = [], []
    for pixels, counted in ((middle, np.ones(middle.shape, bool)), (rim, free)):
        shown = linear(kept.flat.reshape(-1, 3).take(pixels.ravel(), axis=0)) / _field(light, surface, pixels.ravel())
        printed = surface.linear.reshape(-1, 3).take(pixels.ravel(), axis=0).astype(np.float64)
        looks.append(median_look(shown.reshape(*pixels.shape, 3), counted))
        prints.append(median_look(light.of_color(printed).reshape(*pixels.shape, 3), counted))
    return looks[1], (looks[0] - looks[1]) - (prints[0] - prints[1]), (looks[0] - prints[0])[:, 0]


def _field(light: Light, surface: Surface, pixels: Ints) -> Floats:
    rows, cols = surface.picture.shape[:2]
    y, x = np.divmod(pixels, cols)
    return light.field_at(np.column_stack([2 * x / cols - 1, 2 * y / rows - 1]))


@kept()
def parts(where: Places, scene: Scene) -> tuple[Ints, Ints]:
    """Pixels, raveled, of the middle of each space, (S, P), which a disc would hide, and of its rim, (S, Q), of the
    same ink; −1 where there are too few."""
    inks, (rows, cols), ground = scene.surface.inks.ravel(), where.shape, grounds(where, scene.surface)
    middles, rims = [], []
    for index, space in enumerate(scene.sheet.spaces.values()):
        hit, _ = where.hidden_by(int(np.searchsorted(where.space, index)))
        ink = ground[index]
        mask = np.zeros(where.shape, np.uint8)
        mask.ravel()[hit] = 1
        near = cv2.dilate(mask, np.ones((2 * _APART + 1,) * 2, np.uint8)).ravel()
        y, x = (np.arange(int((at - space.radius) * PIXELS_PER_MM), int((at + space.radius) * PIXELS_PER_MM))
                for at in (space.y, space.x))  # fmt: skip
        box = (y.clip(0, rows - 1)[:, None] * cols + x.clip(0, cols - 1)).ravel()
        middles.append(_some(hit[inks[hit] == ink], _IN_MIDDLE))
        rims.append(_some(box[(near[box] == 0) & (inks[box] == ink)], _ON_RIM))
    return np.stack(middles), np.stack(rims)


def _some(pixels: Ints, count: int) -> Ints:
    if len(pixels) < LEAST:
        return np.full(count, -1)
    return np.asarray(pixels[np.linspace(0, len(pixels) - 1, count).astype(int)])
