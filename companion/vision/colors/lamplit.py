"""Round bodies that may be none, but the board: in the image of a lamp that it mirrors, or beside one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.board.standing import Match
from companion.vision.colors.looks import median_of
from companion.vision.light.today import Today
from companion.vision.view.pose import Floats, Frame
from companion.vision.view.surface import linear

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_LEAST = 0.04  # share of white's light: what adds less is no image of a lamp
_EVEN = 0.3  # share of what is added by which it may differ in any channel, as shares of white's
_ALIKE = (0.5, 2.0)  # times as much as round about that may be added where a body seems to stand
_GLARE, _DARKER = 0.3, -0.05  # shares of white's light: so much is added where a channel may burn out; none is lacking
_OTHERWISE, _BETWEEN = 0.3, 0.15  # natural log: an ink that is seen so far off its print; what is as good as between
_DARK = 0.01  # linear light below which little is told
_SOME = 4  # of every so many pixels of a body one is asked


def lamplit(found: Match, places: Ints, beside: tuple[Ints, Mask], flat: Frame, today: Today) -> Mask:
    """Which bodies, at some places (N,), show the board that they would hide, with so much white light added as there
    is round about; or with any light, where so much is added round about that it may burn out.

    beside: pixels round their feet, raveled, and which of them count, (N, R). flat: uint8 BGR.
    """
    pixels, free = found.crowns(places)
    here, about = (_added(at, seen, flat, today) for at, seen in ((pixels, free), beside))
    return image_of_lamp(here[0], about[1]) | _in_glare(here[0], about[1])


def image_of_lamp(here: Floats, about: Floats) -> Mask:
    """Whether what is added at some places, (N, 3), is what is added round about, (N, 3): shares of what white gives,
    blue, green, red."""
    more, less = here.mean(axis=1), _ALIKE[0] * about.mean(axis=1)
    even = np.abs(here - more[:, None]).max(axis=1) < _EVEN * more
    return np.asarray(even & (more > _LEAST) & (more > less) & (more < _ALIKE[1] / _ALIKE[0] * less))


def _in_glare(here: Floats, about: Floats) -> Mask:
    """Whether nothing is taken away at some places, (N, 3), and much is added round about, (N, 3): see `image_of_lamp`.
    What burns out has no hue, and a hole, or the side of a ring, mirrors less of the lamp than the board beside it.
    """
    return np.asarray((about.max(axis=1) > _GLARE) & (here.min(axis=1) > _DARKER))


def as_printed(found: Match, places: Ints, flat: Frame, today: Today) -> Mask:
    """Which bodies, at some places (N,), show the ink that they would hide as it is printed, or what lies between that
    and how the most of it is seen: where a lamp is mirrored in most of an ink, the rest looks like another paint.
    """
    part = slice(0, found.where.crown, _SOME)
    pixels, own = found.where.pixels(places, part), found.where.shown(places, part)
    off = median_of(np.log(today.inks)[today.surface.inks.take(pixels)], own)
    result = np.abs(off).max(axis=1) > _OTHERWISE
    if result.any():
        few = pixels[result]
        due, _ = today.all_over(few)
        shown = linear(flat.reshape(-1, 3).take(few.ravel(), axis=0)).reshape(*few.shape, 3)
        result[result] = between(median_of(np.log((shown + _DARK) / (due + _DARK)), own[result]), -off[result])
    return np.asarray(result)


def between(here: Floats, there: Floats) -> Mask:
    """Whether natural logarithms, (N, 3), lie on the way from none to all of others, (N, 3)."""
    share = np.clip((here * there).sum(axis=1) / np.maximum((there**2).sum(axis=1), 1e-9), 0, 1)
    return np.asarray(np.abs(here - share[:, None] * there).max(axis=1) < _BETWEEN)


def _added(pixels: Ints, counted: Mask, flat: Frame, today: Today) -> tuple[Floats, Floats]:
    """By how much more light than is due is seen at those pixels of each row, (N, P), that are counted: the median and
    the upper quartile, (N, 3) each, as shares of what white gives."""
    due, white = today.all_over(pixels)
    seen = linear(flat.reshape(-1, 3).take(pixels.ravel(), axis=0)).reshape(*pixels.shape, 3)
    counted = counted | ~counted.any(axis=1, keepdims=True)
    order = np.sort(np.where(counted[..., None], (seen - due) / white, np.inf), axis=1)
    rows, last = np.arange(len(order)), counted.sum(axis=1) - 1
    return _ranked(order, rows, 0.5 * last), _ranked(order, rows, 0.75 * last)


def _ranked(order: Floats, rows: Ints, rank: Floats) -> Floats:
    """What has some rank, or lies between two, in each row of what is in order, (N, P, 3): (N, 3)."""
    low, high = np.floor(rank).astype(int), np.ceil(rank).astype(int)
    return np.asarray(order[rows, low] + (rank - low)[:, None] * (order[rows, high] - order[rows, low]))
