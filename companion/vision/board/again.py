"""What need not be read again: where the picture is as it was, the pieces stand as they stood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Sheet, SpaceSeen
from companion.vision.board.evidence import Evidence, Ground
from companion.vision.board.places import Places
from companion.vision.light.course import course
from companion.vision.light.today import Light, Today
from companion.vision.view.motion import noise_of, strayed
from companion.vision.view.pose import Floats, Frame
from companion.vision.view.surface import doubled
from companion.vision.view.tiles import Box

Mask = npt.NDArray[np.bool_]

_LIGHT, _PARTLY = 0.03, 0.05  # natural log by which the light may change, on the board and on any part of it
_GRID = 8  # of every so many pixels each way one is asked
_MOST = 0.25  # share of the board: where more changed, all is read again
_PARTS = 8
_TIMES = 20  # readings until all is read again in any case


@dataclass(frozen=True, eq=False)
class Kept:
    """What a reading leaves for the next one of the same view.

    flat: the flat view it was read from, and first: the one in which the light was measured, uint8 BGR. today: the
    empty board in this light; ground, told: what was measured on it. colors: the pieces', by which it was told, linear
    BGR (K, 3). standing: (place, colour) of the pieces. spaces: the readings, before what was learned is believed.
    times: readings since `first`. gone: where something wide hides the print, bool at half the size; None if nowhere.
    """

    places: Places
    flat: Frame
    first: Frame
    light: Light
    today: Today
    ground: Ground
    told: Evidence
    colors: Floats
    standing: tuple[tuple[int, int], ...]
    spaces: Mapping[str, SpaceSeen]
    times: int = 0
    gone: Mask | None = None


@dataclass(frozen=True, eq=False)
class Rest:
    """What is left of an earlier reading: boxes that changed, places to try again, (N,), pieces and readings kept."""

    boxes: tuple[Box, ...]
    among: Mask
    standing: tuple[tuple[int, int], ...]
    spaces: Mapping[str, SpaceSeen]


def rest(kept: Kept, flat: Frame, sheet: Sheet) -> Rest | None:
    """What of a reading holds for a flat view, uint8 BGR, now; None if all must be read again."""
    if kept.times >= _TIMES or not _same_light(kept.first, flat, sheet.piece.diameter):
        return None
    changed = _changed(kept.flat, flat)
    if cv2.countNonZero(changed) > _MOST * changed.size or _at_shadows_edge(kept.today.edges, changed):
        return None
    among = _touched(kept.places, changed)
    again = np.bincount(kept.places.space, among, len(sheet.spaces)) > 0
    standing = tuple(piece for piece in kept.standing if not among[piece[0]])
    spaces = {name: seen for (name, seen), new in zip(kept.spaces.items(), again, strict=True) if not new}
    return Rest(_boxes(changed), among, standing, spaces)


def spaces_at(places: Places, pixels: npt.NDArray[np.int64]) -> Mask:
    """All places, bool (N,), of those spaces on which a piece might hide any of some pixels, raveled."""
    layer = np.zeros(places.shape, np.uint8)
    layer.ravel()[pixels] = 1
    return _touched(places, layer)


def _touched(places: Places, layer: npt.NDArray[np.uint8]) -> Mask:
    total = cv2.integral(layer).ravel()
    after, over, before, under = (total.take(corner) for corner in places.corners)
    touched = np.zeros(len(places.lone), bool)
    touched[places.space[after - over - before + under > 0]] = True
    return touched.take(places.space)


def _same_light(was: Frame, now: Frame, diameter: float) -> bool:
    """Whether the light is what it was, all in all and on each part of the board: a soft shadow that comes or goes has
    no edge by which it would be known. diameter: see `course`."""
    then, here = (view[::_GRID, ::_GRID].astype(np.float32) + 4 for view in (was, now))
    ratio = np.log(here / then)
    if np.abs(np.median(ratio, axis=(0, 1))).max() >= _LIGHT:
        return False
    return bool(np.abs(course(ratio, _GRID, diameter)).max() < _PARTLY)


def _changed(was: Frame, now: Frame) -> npt.NDArray[np.uint8]:
    """Where two flat views, uint8 BGR, differ, and some millimetres round about: 0 or 1, uint8 (rows, cols)."""
    off = np.asarray(cv2.absdiff(cv2.blur(was, (3, 3)), cv2.blur(now, (3, 3))), np.uint8)
    mask = np.minimum(strayed(off, noise_of(off, 4)), 1)
    calm = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(cv2.dilate(calm, np.ones((9, 9), np.uint8)), np.uint8)


def _at_shadows_edge(edges: Mask | None, changed: npt.NDArray[np.uint8]) -> bool:
    """Whether something changed where a large shadow had an edge: it may have moved on, or be gone. What was expected
    in it would be too dark, and would be learned so. edges: at half the size; see `Today`."""
    return edges is not None and bool(changed[doubled(edges, changed.shape)].any())


def _boxes(changed: npt.NDArray[np.uint8]) -> tuple[Box, ...]:
    """Boxes round the parts of a mask; one round all of them where there are many."""
    parts, _ = cv2.findContours(changed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    rects = map(cv2.boundingRect, parts if len(parts) < _PARTS else [changed])
    return tuple((slice(y, y + height), slice(x, x + width)) for x, y, width, height in rects)
