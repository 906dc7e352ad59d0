"""The colours of the pieces themselves: measured where they stand, as sheets give them, whatever the light is.

A household's pieces are not of the sheet's colours, and those that were measured by an owner's photo may have been in a
poor light, or on a ground of their own colour. Once it is known which piece is whose, the picture itself says it.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Position, Seat, Sheet
from companion.vision.board.again import Kept
from companion.vision.board.evidence import SHADE_MEAN
from companion.vision.board.memory import Look
from companion.vision.board.places import Places
from companion.vision.light.today import Light
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.surface import GAMMA, linear

Ints = npt.NDArray[np.int64]

_GREY = 0.24  # share of the least of three channels from which on a colour is nearly grey
_FEWEST = 2  # pieces of a seat that must be seen: one alone may stand in a shadow
_SHOWN = 0.5  # of the pixels of a piece: so many must not be hidden by others
_DOUBT = 1.0  # pieces' worth of trust in the colour as it was known before
_ANOTHER, _PALE = 0.2, 0.12  # angle by which another hue lies aside of the own one; nearer to white's hue there is none


def colors_of_sheet(sheet: Sheet) -> Floats:
    """Nominal piece colours in seat order, linear BGR, (K, 3)."""
    return np.stack([linear_color(sheet.colors[seat]) for seat in sorted(sheet.colors)])


def linear_color(color: str) -> Floats:
    """A colour "#rrggbb", linear BGR (3,)."""
    levels = np.array([int(color.lstrip("#")[i : i + 2], 16) for i in (4, 2, 0)], np.uint8)
    return linear(levels).astype(np.float64).reshape(3)


def nominal(own: Floats | Flat, light: Light) -> Floats:
    """The colour, linear BGR, that gives `own` (N, 3) in this light, at the brightness of a top.

    Its hue is the middle one of the fuller half: sheen and the pixels of the rim only ever bleach it. Not so where the
    piece is nearly grey itself: there the fuller half would be noise.
    """
    printed = np.clip((own - light.haze) @ np.linalg.inv(light.mix).T, 1e-3, None)
    total = printed.sum(axis=1, keepdims=True)
    hues = printed / total
    paleness = hues.min(axis=1)
    middle = float(np.median(paleness))
    fuller = paleness <= (middle if middle < _GREY else 1.0)
    hue = np.median(hues[fuller], axis=0)
    bright = np.exp(np.median(np.log(total)) - SHADE_MEAN)
    color = hue / hue.sum() * bright
    return np.asarray(color / max(1.0, color.max()), np.float64)  # one too bright for a sheet keeps its hue


def learned_colors(look: Look, position: Position, sheet: Sheet) -> Floats | None:
    """The pieces' colours, linear BGR in the seats' order, (K, 3), where people agreed that the board as it was read
    shows `position`: that of a seat of which some pieces are seen where they should be is turned towards the hue that
    is seen.

    None if that teaches nothing new. No colour is learned that is nearer to what another seat's was. How bright pieces
    are, and how pale, is the light's and their shine's.
    """
    kept = look.again
    if kept is None:
        return None
    colors, crowd = kept.colors.copy(), np.bincount(
        np.concatenate([kept.places.hidden_by(place)[0] for place, _ in kept.standing] or [np.zeros(0, np.int64)]),
        minlength=kept.places.shape[0] * kept.places.shape[1],
    )  # fmt: skip
    for index, places in enumerate(_standing_of(kept, position, sheet)):
        pixels = [own for own in (_free(kept.places, place, crowd) for place in places) if len(own)]
        if len(pixels) < _FEWEST:
            continue
        seen = _from_sheet(np.median([_to_sheet(_nominal_at(kept, own)) for own in pixels], axis=0))
        before, others = kept.colors[index], np.delete(kept.colors, index, axis=0)
        there = _turned(before, seen, 1.0)
        if apart(there, before) < min((apart(there, other) for other in others), default=np.inf):
            colors[index] = _turned(before, seen, len(pixels) / (len(pixels) + _DOUBT))
    return None if np.array_equal(colors, kept.colors) else colors


def _turned(color: Floats, seen: Floats, trust: float) -> Floats:
    """A colour, linear BGR (3,), turned round white by a part of the angle to the hue that is seen; as it was if that
    is a small one, or if one of them is nearly grey."""
    (depth, own), (shown, other) = (_hue(one) for one in (color, seen))
    turn = (other - own + np.pi) % (2 * np.pi) - np.pi
    if min(depth, shown) < _PALE or abs(turn) < _ANOTHER:
        return color
    to = own + trust * turn
    u, v = depth * np.cos(to), depth * np.sin(to)
    blue = (1 - 2 * v) / 3
    shares = np.array([blue, (1 - blue - u) / 2, (1 - blue + u) / 2])
    least = min(0.0, float(shares.min()))
    shares = (shares - least) / (1 - 3 * least)  # no channel gives less than nothing: such hues are paler
    return np.asarray(shares * color.sum() / max(1.0, float((shares * color.sum()).max())))


def _hue(color: Floats) -> tuple[float, float]:
    """How far the hue of a colour, linear BGR (3,), lies from white's, and on which side, an angle: see `tints`."""
    blue, green, red = color / max(float(color.sum()), 1e-6)
    u, v = red - green, (red + green) / 2 - blue
    return float(np.hypot(u, v)), float(np.arctan2(v, u))


def apart(one: Floats, other: Floats) -> float:
    """How far two colours, linear BGR (3,), are from each other: CIE76, the distance in CIELAB."""
    return float(np.linalg.norm(_lab(one) - _lab(other)))


def _lab(color: Floats) -> Floats:
    return np.asarray(cv2.cvtColor(_to_sheet(color).astype(np.float32).reshape(1, 1, 3), cv2.COLOR_BGR2Lab)[0, 0])


def _to_sheet(color: Floats) -> Floats:
    """A linear colour as sheets count it, 0 to 1, in which steps look alike."""
    return np.asarray(np.clip(color, 0, 1) ** (1 / GAMMA))


def _from_sheet(levels: Floats) -> Floats:
    return np.asarray(levels**GAMMA)


def _standing_of(kept: Kept, position: Position, sheet: Sheet) -> list[list[int]]:
    """The places of those pieces of each seat that are seen on spaces on which only so many of its own should be."""
    names, stacks = list(sheet.spaces), sheet.stacks
    by_space: dict[str, list[int]] = {}
    for place, _ in kept.standing:
        by_space.setdefault(names[kept.places.space[place]], []).append(place)
    result: dict[Seat, list[int]] = {seat: [] for seat in sorted(sheet.colors)}
    for name, places in by_space.items():
        due = position.at(name)[-1:] if stacks else position.at(name)
        if len(set(due)) == 1 and len(due) == len(places):
            result[due[0]] += places
    return list(result.values())


def _free(where: Places, place: int, crowd: Ints) -> Ints:
    """The pixels, raveled, on which a piece shows its own colour and no other one can be; none where these are few."""
    pixels, crown = where.hidden_by(place)
    own = pixels[:crown]
    free: Ints = own[crowd.take(own) == 1]
    return free if len(free) > _SHOWN * len(own) else free[:0]


def _nominal_at(kept: Kept, pixels: Ints) -> Floats:
    """The colour, linear BGR (3,), of which some pixels, raveled, show a piece."""
    even, (y, x) = kept.today.even, np.divmod(pixels, kept.places.shape[1])
    light = even[np.minimum(y // 2, even.shape[0] - 1), np.minimum(x // 2, even.shape[1] - 1)]
    return nominal(linear(kept.flat[y, x]) / light, kept.light)
