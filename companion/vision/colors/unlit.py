"""What was not there when the board was ruled last: tops in which no lamp is mirrored, and such as are no lamp's image.

A lamp's image stays where it is as long as lamp, board and camera do, and what mirrors it is flat. What is bright now
where a black disc was black is no image in another one: a white one was put there. What is brighter than the empty
board was just there is no image in the board.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.model import Content, Sheet
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


def unlit(found: Match, kept: Kept, learned: Learned | None, view: View, sheet: Sheet) -> Mask:
    """Which of the pieces that were found surely mirror no lamp, (N,): flat tops, if neither board nor camera was
    moved since the board was ruled."""
    places, ruled = _ruled(found, learned, view, sheet)
    result, seats = np.zeros(len(found.standing), bool), sorted(sheet.colors)
    asked = np.flatnonzero([len(top) > 0 for top in ruled])
    if learned is None or not len(asked):
        return result
    pixels, own = found.crowns(places[asked])
    paints = kept.light.of_color(kept.colors)[[seats.index(ruled[row][0]) for row in asked.tolist()]]
    due = (kept.today.at(pixels)[1] * paints[:, None]).sum(axis=2)
    then, now = (_beside_the_board(flat, pixels) for flat in (learned.flat, kept.flat))
    due /= _usual(kept.flat)
    was_dark = (then < _DARK * due + _FAINT) & (now > _BRIGHTER * np.maximum(then, due)) & learned.shown.take(pixels)
    bright = own & (now >= quantile(now, own, 1 / 2)[:, None])
    result[asked] = (was_dark & bright).sum(axis=1) > _MOST * np.maximum(bright.sum(axis=1), _FEWEST)
    return result


def came(found: Match, kept: Kept, learned: Learned | None, view: View, sheet: Sheet) -> Mask:
    """Which of the pieces that were found, (N,), are no lamp's image in the board, unless another lamp shines now: flat
    tops that are brighter than the empty board was there, if neither board nor camera was moved since it was ruled."""
    places, ruled = _ruled(found, learned, view, sheet)
    result = np.zeros(len(found.standing), bool)
    asked = np.flatnonzero([not top for top in ruled])
    if learned is None or not len(asked):
        return result
    pixels, own = found.crowns(places[asked])
    then, now = (_beside_the_board(flat, pixels) for flat in (learned.flat, kept.flat))
    brighter = own & (now > _CAME * then) & learned.shown.take(pixels)
    result[asked] = brighter.sum(axis=1) > _MOST * np.maximum(own.sum(axis=1), _FEWEST)
    return result


def _ruled(found: Match, learned: Learned | None, view: View, sheet: Sheet) -> tuple[Ints, list[Content]]:
    """Where the pieces are that were found, and of which colour the top was that was ruled there last, none if it was
    empty; no pieces where there are no flat tops, or where board or camera were moved since."""
    if learned is None or learned.pose is not view.pose or sheet.piece.kind != "disc":
        return np.zeros(0, np.int64), []
    names, places = list(sheet.spaces), np.array([place for place, _ in found.standing], np.int64)
    return places, [learned.position.at(names[space])[-1:] for space in found.where.space[places].tolist()]


def _beside_the_board(flat: Frame, pixels: Ints) -> Floats:
    """How bright some pixels, raveled, of a flat view, uint8 BGR, are beside what the board usually is."""
    return _level(flat, pixels) / _usual(flat)


def _usual(flat: Frame) -> float:
    return float(np.median(_level(flat, np.arange(0, flat.size // 3, _SOME))))


def _level(flat: Frame, pixels: Ints) -> Floats:
    """Linear light, of three channels, of some pixels, raveled, of a flat view, uint8 BGR."""
    colors = flat.reshape(-1, 3).take(pixels.ravel(), axis=0)
    return np.asarray(linear(colors).sum(axis=1), np.float64).reshape(pixels.shape)
