"""Pieces that stand out from the board all round their edge: no shadow, and no image of a lamp, has just their outline.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board.places import Places
from companion.vision.board.standing import Match
from companion.vision.colors.looks import median_of
from companion.vision.light.today import Light
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats, Frame
from companion.vision.view.surface import linear

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_SECTORS, _SEEN, _LEAST = 16, 10, 2  # parts of an edge; so many must be seen of it, in each so many pixels
_WITHIN, _BEYOND = (1, 3), (2, 4)  # pixels from the edge to where the top, and the board, is looked at
_MOST = 3 / 4  # of the sectors must stand out: on one side its own shadow may lie
_STEP = 0.2  # natural log by which they do
_ROUND, _ROUNDER = 0.65, 0.85
"""Of the sectors must differ: along the others the board may happen to be as the top is; where something is mirrored
in the board, whose own edges differ from it."""
_NUDGES = [(y, x) for y in (-3, 0, 3) for x in (-3, 0, 3) if (y, x) != (0, 0)]
"""Pixels (y, x) by which a disc may lie beside where it was found: nearly all of its edge is met only there."""
_FARTHER, _FALLEN = (6, 9), 1.5  # pixels from the edge to where a lamp's image is fainter; times that it is from a disc
_FAINT = 0.01  # linear light that is added before ratios are taken


def set_off(found: Match, places: Ints, flat: Frame, light: Light, printed: Flat) -> Mask:
    """Which of the topmost discs at some places, (N,), are darker than the board beside them nearly all round, more
    than its print is there; or lighter.

    flat: the flat view, uint8 BGR. printed: the empty board in the sheet's colours, linear BGR.
    """
    return np.array([_stands_out(_steps(found, place, flat, light, printed)) for place in places.tolist()], bool)


def outlined(
    found: Match, places: Ints, flat: Frame, light: Light, printed: Flat, hardly_seen: bool = True, lit: bool = False
) -> Mask:
    """Which of the topmost discs, or round bodies, at some places, (N,), differ from the board beside them in any
    channel along most of their edge, more than its print does there; or, if too little of that is seen, `hardly_seen`.

    lit: whether something is mirrored in the board beside them; then nearly all of the edge must differ, there where
    they were found or just beside it. Where they were found, 23 of 3,807 discs in frames of 13 films by Blender, and
    with images of coloured lights painted over these, have no outline, and of 33 that lie so and look little like their
    paint 5; but of 107 such images that were taken for discs 98.
    """
    look = partial(_steps, found, flat=flat, light=light, printed=printed)
    if lit:
        return np.array([_differs_all_round(partial(look, place), hardly_seen) for place in places.tolist()], bool)
    steps = (look(place) for place in places.tolist())
    return np.array([_differing(of) > _ROUND if _is_seen(of) else hardly_seen for of in steps], bool)


def sharply_outlined(found: Match, places: Ints, flat: Frame, light: Light, printed: Flat) -> Mask:
    """Which of the topmost discs at some places, (N,), are set off and outlined as they are where something is mirrored
    beside them, and end where a disc does: the board is as much brighter, or darker, just beside them as farther out,
    where the image of a lamp has fallen off further."""
    result = np.zeros(len(places), bool)
    for row, place in enumerate(places.tolist()):
        beside, far = (_steps(found, place, flat, light, printed, ring) for ring in (_BEYOND, _FARTHER))
        if _is_seen(far) and _stands_out(beside) and _differing(beside) > _ROUNDER:
            result[row] = abs(np.nanmedian(far[:, 0])) < _FALLEN * abs(np.nanmedian(beside[:, 0]))
    return result


def _differs_all_round(look: Callable[..., Floats], hardly_seen: bool) -> bool:
    """Whether nearly all of an edge differs where a disc was found; or just beside it, if it is set off there, too, as
    the soft edge of an image hardly is. look: see `_steps`."""
    steps = look()
    if not _is_seen(steps):
        return hardly_seen
    beside = (look(nudge=nudge) for nudge in _NUDGES)
    return _differing(steps) > _ROUNDER or any(_stands_out(of) and _differing(of) > _ROUNDER for of in beside)


def _is_seen(steps: Floats) -> bool:
    """Whether enough is seen of an edge to judge it. steps: see `_steps`."""
    return int(np.isfinite(steps[:, 0]).sum()) >= _SEEN


def _stands_out(steps: Floats) -> bool:
    """Whether nearly all of an edge is brighter, or darker; a part that is not seen is taken to be as those beside it:
    where a shadow hangs together with what casts it, hardly anything of the board is seen between them."""
    if not _is_seen(steps):
        return False
    seen = np.flatnonzero(np.isfinite(steps[:, 0]))
    every = np.interp(np.arange(_SECTORS), seen, steps[seen, 0], period=_SECTORS)
    low, high = np.quantile(every, (1 - _MOST, _MOST))
    return bool(low > _STEP or high < -_STEP)


def _differing(steps: Floats) -> float:
    """In what share of the sectors that are seen any channel differs."""
    seen = np.isfinite(steps[:, 0])
    return float((np.abs(steps[seen, 1:]).max(axis=1) > _STEP).mean())


def _steps(
    found: Match,
    place: int,
    flat: Frame,
    light: Light,
    printed: Flat,
    ring: tuple[int, int] = _BEYOND,
    nudge: tuple[int, int] = (0, 0),
) -> Floats:
    """By how much the board is brighter than the top beside it, in a `ring` so many pixels from its edge, and more than
    the print is, natural log, in each sector: all in all, and its blue, green and red (_SECTORS, 4); NaN where too
    little of it is seen.

    nudge: pixels (y, x) by which the disc lies beside its place.
    """
    where, edge = found.where, _edge(found.where, place, ring)
    if edge is None:
        return np.full((_SECTORS, 4), np.nan)
    (top, left), (rows, cols) = (edge.corner[0] + nudge[0], edge.corner[1] + nudge[1]), edge.within.shape
    box = slice(max(top, 0), top + rows), slice(max(left, 0), left + cols)
    front = found.front.reshape(where.shape)[box]
    free = (front > 1e8) | (np.abs(front - where.reach[place]) <= 0.01)
    part = slice(max(-top, 0), max(-top, 0) + front.shape[0]), slice(max(-left, 0), max(-left, 0) + front.shape[1])
    within, beyond = edge.within[part] & free, edge.beyond[part] & free
    middle = edge.middle[0] - part[0].start, edge.middle[1] - part[1].start
    brighter = _brighter(flat, light, printed, box, within | beyond)
    inner, outer = (_by_sector(brighter, mask, middle) for mask in (within, beyond))
    return outer - inner


class _Edge(NamedTuple):
    """The edge of a top at its place. within, beyond: pixels near it, on the top and on the board, bool (rows, cols) of
    a box; corner: where that begins, pixels (y, x) of the view, which it may reach beyond; middle: of the top in it,
    (y, x)."""

    within: Mask
    beyond: Mask
    corner: tuple[int, int]
    middle: tuple[float, float]


@kept(most=200)
def _edge(where: Places, place: int, ring: tuple[int, int]) -> _Edge | None:
    """The edge of a top at a place; None if the view shows nothing of it. ring: see `_steps`."""
    pixels, crown = where.hidden_by(place)
    if not crown:
        return None
    (y, x), margin = np.divmod(pixels, where.shape[1]), ring[1] + 1
    top, left = int(y.min()) - margin, int(x.min()) - margin
    y, x = y - top, x - left
    own = np.zeros((int(y.max()) + margin + 1, int(x.max()) + margin + 1), np.uint8)
    whole = np.ones_like(own)
    own[y[:crown], x[:crown]], whole[y, x] = 1, 0
    middle = float(y[:crown].mean()), float(x[:crown].mean())
    return _Edge(_between(own, _WITHIN), _between(whole, ring), (top, left), middle)


def _between(shape: npt.NDArray[np.uint8], bounds: tuple[float, float]) -> Mask:
    """The pixels of a shape that lie so far from its edge."""
    away = cv2.distanceTransform(shape, cv2.DIST_L2, 3)
    return np.asarray((away > bounds[0]) & (away <= bounds[1]))


def _brighter(flat: Frame, light: Light, printed: Flat, box: tuple[slice, slice], asked: Mask) -> Floats:
    """By how much a box of the view is brighter than the board's print should be there, natural log: all in all, and
    its blue, green and red (rows, cols, 4). asked: the pixels of which it is told."""
    middle = [[(of.start + of.stop) / size - 1 for of, size in zip(box[::-1], flat.shape[1::-1], strict=True)]]
    board = light.of_color(np.asarray(printed[box][asked], np.float64)) * light.field_at(np.array(middle))
    shown, due = (np.column_stack((of.sum(axis=1), of)) for of in (linear(flat[box][asked]), board))
    result = np.zeros((*asked.shape, 4))
    result[asked] = np.log((shown + _FAINT) / (due + _FAINT))
    return result


def _by_sector(brighter: Floats, mask: Mask, middle: tuple[float, float]) -> Floats:
    """The medians of some pixels in each sector round a point (y, x), (_SECTORS, 4); NaN where there are too few."""
    y, x = np.nonzero(mask)
    turn = np.arctan2(y - middle[0], x - middle[1]) / (2 * np.pi) + 0.5
    sector = (turn * _SECTORS).astype(int) % _SECTORS
    count, order = np.bincount(sector, minlength=_SECTORS), np.argsort(sector, kind="stable")
    counted = np.arange(count.max(initial=1)) < count[:, None]
    each = np.zeros((*counted.shape, brighter.shape[2]))
    each[counted] = brighter[y[order], x[order]]
    return np.where((count >= _LEAST)[:, None], median_of(each, counted), np.nan)
