"""Tops in which no lamp is mirrored: a dark one lay just there when the board was ruled last, and was dark all over.

A lamp's image stays where it is as long as lamp, board and camera do, and what mirrors it is flat. What is bright now
where a black disc was black is no image in another one: a white one was put there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.model import Sheet
from companion.vision.board.again import Kept
from companion.vision.board.memory import Learned, View
from companion.vision.board.standing import Match
from companion.vision.colors.gloss import quantile
from companion.vision.view.pose import Floats, Frame
from companion.vision.view.surface import linear

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_BRIGHTER = 3.0  # times as bright as it was, and as its paint would be, is what shows another one, or a lamp
_DARK, _FAINT = 2.0, 0.03  # times as bright as the paint that was ruled, with so much more, of what the board shows on
# average, is still that paint, without a lamp
_MOST, _FEWEST = 0.8, 10  # so much of the brighter half of a top was dark; pixels of it
_SOME = 37  # of every so many pixels of the board one is asked how bright the picture is


def unlit(found: Match, kept: Kept, learned: Learned | None, view: View, sheet: Sheet) -> Mask:
    """Which of the pieces that were found surely mirror no lamp, (N,): flat tops, if neither board nor camera was
    moved since the board was ruled."""
    places = np.array([place for place, _ in found.standing], np.int64)
    result = np.zeros(len(places), bool)
    if learned is None or learned.pose is not view.pose or sheet.piece.kind != "disc":
        return result
    names, seats = list(sheet.spaces), sorted(sheet.colors)
    ruled = [learned.position.at(names[space])[-1:] for space in found.where.space[places].tolist()]
    asked = np.flatnonzero([len(top) > 0 for top in ruled])
    if not len(asked):
        return result
    pixels, own = found.crowns(places[asked])
    paints = kept.light.of_color(kept.colors)[[seats.index(ruled[row][0]) for row in asked.tolist()]]
    due = (kept.today.at(pixels)[1] * paints[:, None]).sum(axis=2)
    every = np.arange(0, kept.flat.size // 3, _SOME)
    then, now = (_level(flat, pixels) / np.median(_level(flat, every)) for flat in (learned.flat, kept.flat))
    due /= np.median(_level(kept.flat, every))
    was_dark = (then < _DARK * due + _FAINT) & (now > _BRIGHTER * np.maximum(then, due)) & learned.shown.take(pixels)
    bright = own & (now >= quantile(now, own, 1 / 2)[:, None])
    result[asked] = (was_dark & bright).sum(axis=1) > _MOST * np.maximum(bright.sum(axis=1), _FEWEST)
    return result


def _level(flat: Frame, pixels: Ints) -> Floats:
    """Linear light, of three channels, of some pixels, raveled, of a flat view, uint8 BGR."""
    colors = flat.reshape(-1, 3).take(pixels.ravel(), axis=0)
    return np.asarray(linear(colors).sum(axis=1), np.float64).reshape(pixels.shape)
