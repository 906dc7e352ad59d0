"""Discs with pips: a die that lies on the board may be as light as a white disc, or as dark as a black one.

A disc's top is even, but for lamps' images, for shadows, whose edges are long, and for grooves, which are dark in a
dark one. Where most discs of a colour have spots they are made so, with a crown or a number; and what is as wide as a
wide disc all round is one. What lies beneath a die nobody sees: its square is covered.
"""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board.places import Places
from companion.vision.board.standing import Match, Put
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Floats, Frame
from companion.vision.view.scene import PIXELS_PER_MM

Small = npt.NDArray[np.uint8]
Pixels = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""Rows and columns."""

_WIDEST, _LEAST = 6.0, 0.8  # mm, mm²: a pip is not wider, nor smaller than that
_LONG = 2.5  # times as long as wide: no pip is
_APART = 0.5  # natural log by which a pip is darker, or lighter, than what lies round it
_QUIET, _NOISE = 0.3, 4.0  # share of a top that differs by less from what lies round it than noise does; times that
_PLAIN = 1.0  # natural log by which a single light one is lighter, as a lamp's image is that lies in hardly any disc
_PALE = 0.25  # of white's light: paints that have more have dark pips, others light ones
_DEEP = 0.75  # of the deepest: blurred, those of a six run into each other
_WITHIN = 0.7  # of a top's radius: it may lie a little beside where it was found
_WIDER = 25.0  # mm: no die is as wide, not those of 19 mm
_RIM, _BESIDE = (0.7, 0.93), 0.08  # of a top's radius; and share of that rim which is a die's surroundings at least
_FINE, _FLOOR = 40.0, 8.0  # steps of a natural log; of 255, so dark nothing is told from black


def pipped(found: Match, flat: Frame, paints: Floats, left_out: Collection[int] = ()) -> set[int]:
    """Spaces, by number, on which a disc was put in whose top pips are seen, unless they are in most of its colour.

    flat: the flat view, uint8 BGR. paints: the colours of discs, linear BGR (K, 3). left_out: spaces not looked at. In
    the eleven films on which it was set, of 6,856 looks at discs none is told so; of 152 at dice that were taken for
    discs 121 are, and of the others none was sure. `_RIM`, `_BESIDE`: of 54 looks at polished black discs with lamps'
    images, in another film, none is told so any more.
    """
    where = found.where
    if where.piece.kind != "disc":
        return set()
    whole = [piece for piece in found.standing if where.hidden_by(piece[0])[1]]  # others' tops lie beyond the view
    asked = [piece for piece in whole if where.space[piece[0]] not in left_out]
    wide = where.piece.diameter >= _WIDER
    narrow = [piece for piece in asked if not wide or _beside(found, *piece) >= _BESIDE]
    if not narrow:
        return set()
    darker, lighter = _spots(flat)
    pale = paints.mean(axis=1) > _PALE

    def spotted(piece: Put) -> bool:
        place, color = piece
        within = _within(found, place)
        if pale[color]:
            return _pips(darker, within) > 0
        return _pips(lighter, within) > 1 or _pips(lighter, within, _PLAIN) > 0

    told = [piece for piece in narrow if spotted(piece)]
    alike = {color: [piece for piece in whole if piece[1] == color] for _, color in told}
    made_so = {color for color, pieces in alike.items() if 2 * sum(map(spotted, pieces)) >= len(pieces)}
    return {int(where.space[place]) for place, color in told if color not in made_so}


def _spots(flat: Frame) -> tuple[Small, Small]:
    """By how much what is small is darker, and lighter, than what lies round it, in steps of a natural log."""
    steps = _FINE * np.log((np.arange(256) + _FLOOR) / _FLOOR)
    bright = cv2.LUT(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), steps.round().astype(np.uint8))
    wide = np.ones((2 * round(_WIDEST * PIXELS_PER_MM / 2) + 1,) * 2, np.uint8)
    black, white = (cv2.morphologyEx(bright, kind, wide) for kind in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT))
    return np.asarray(black, np.uint8), np.asarray(white, np.uint8)


def _within(found: Match, place: int) -> Pixels:
    """The rows and columns of what is seen of a top, but for its rim."""
    top, radius, seen = _top(found, place)
    y, x = np.divmod(top[seen & (radius < _WITHIN)], found.where.shape[1])
    return y, x


def _top(found: Match, place: int) -> tuple[npt.NDArray[np.int64], Floats, npt.NDArray[np.bool_]]:
    """The pixels of a top, how far each lies from its middle, of the farthest, and which are seen."""
    top, radius = _radii(found.where, place)
    return top, radius, found.front.take(top) >= found.where.reach[place] - 0.01


@kept(most=200)
def _radii(where: Places, place: int) -> tuple[npt.NDArray[np.int64], Floats]:
    """The pixels of a top at a place, and how far each lies from its middle, of the farthest."""
    pixels, crown = where.hidden_by(place)
    top = pixels[:crown]
    y, x = np.divmod(top, where.shape[1])
    radius = np.hypot(y - y.mean(), x - x.mean())
    return top, radius / radius.max()


def _beside(found: Match, place: int, color: int) -> float:
    """The share of what is seen of a top's rim that rather looks like the board: a die is not as wide as a disc."""
    top, radius, seen = _top(found, place)
    rim = seen & (radius > _RIM[0]) & (radius < _RIM[1])
    return float((found.evidence[top[rim], color] < 0).mean()) if rim.any() else 0.0


def _pips(depth: Small, within: Pixels, apart: float = _APART) -> int:
    """How many spots of a top are as small and as round as pips, and differ by so much, natural log."""
    seen = depth[within]
    if not len(seen) or seen.max() <= apart * _FINE:
        return 0
    y, x = within
    spots = np.zeros((int(np.ptp(y)) + 1, int(np.ptp(x)) + 1), np.uint8)
    least = max(apart * _FINE, _NOISE * float(np.quantile(seen, _QUIET)), _DEEP * float(seen.max()))
    spots[y - y.min(), x - x.min()] = seen > least
    _, _, stats, _ = cv2.connectedComponentsWithStats(spots, connectivity=4)
    sides, area = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]], stats[1:, cv2.CC_STAT_AREA]
    long, short = sides.max(axis=1, initial=0), sides.min(axis=1, initial=999)
    small = (long <= _WIDEST * PIXELS_PER_MM) & (area >= _LEAST * PIXELS_PER_MM**2)
    return int(np.count_nonzero(small & (long <= _LONG * short)))
