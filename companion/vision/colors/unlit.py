"""What was not there when the board was ruled last: tops in which no lamp is mirrored, and such as are no lamp's image.

A lamp's image stays where it is as long as lamp, board and camera do, and what mirrors it is flat. What is bright now
where a black disc was black is no image in another one: a white one was put there. What is brighter than the empty
board was just there is no image in the board.
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
_CAME = 1.25  # times as bright as it was, beside the whole board, is what came to an empty place
_SOME = 37  # of every so many pixels of the board one is asked how bright the picture is


def since_ruled(
    found: Match, kept: Kept, learned: Learned | None, view: View, sheet: Sheet
) -> tuple[Mask, Mask] | None:
    """Which of the flat tops that were found, (N,), surely mirror no lamp, and which are no lamp's image in the board,
    unless another lamp shines now: they are brighter than the empty board was there. None where nothing tells: the
    board was not ruled, or it or the camera was moved since, or there are no flat tops."""
    if learned is None or learned.pose is not view.pose or sheet.piece.kind != "disc" or not found.standing:
        return None
    names, places = list(sheet.spaces), np.array([place for place, _ in found.standing], np.int64)
    ruled = [learned.position.at(names[space])[-1:] for space in found.where.space[places].tolist()]
    bare = np.array([not top for top in ruled])
    pixels, own = found.crowns(places)
    then, now = (_level(flat, pixels) / _usual(flat) for flat in (learned.flat, kept.flat))
    shown = learned.shown.take(pixels)
    came = bare & _mostly(own & (now > _CAME * then) & shown, own)
    seats, dull = sorted(sheet.colors), np.zeros(len(places), bool)
    tops = np.flatnonzero(~bare)
    if len(tops):
        paints = kept.light.of_color(kept.colors)[[seats.index(ruled[row][0]) for row in tops.tolist()]]
        due = (kept.today.at(pixels[tops])[1] * paints[:, None]).sum(axis=2) / _usual(kept.flat)
        was, is_now, seen = then[tops], now[tops], own[tops]
        was_dark = (was < _DARK * due + _FAINT) & (is_now > _BRIGHTER * np.maximum(was, due)) & shown[tops]
        bright = seen & (is_now >= quantile(is_now, seen, 1 / 2)[:, None])
        dull[tops] = _mostly(was_dark & bright, bright)
    return dull, came


def _mostly(some: Mask, of: Mask) -> Mask:
    """Of which rows so many are most of them, (N,)."""
    return np.asarray(some.sum(axis=1) > _MOST * np.maximum(of.sum(axis=1), _FEWEST))


def _usual(flat: Frame) -> float:
    """How bright the board usually is in a flat view, uint8 BGR."""
    return float(np.median(_level(flat, np.arange(0, flat.size // 3, _SOME))))


def _level(flat: Frame, pixels: Ints) -> Floats:
    """Linear light, of three channels, of some pixels, raveled, of a flat view, uint8 BGR."""
    colors = flat.reshape(-1, 3).take(pixels.ravel(), axis=0)
    return np.asarray(linear(colors).sum(axis=1), np.float64).reshape(pixels.shape)
