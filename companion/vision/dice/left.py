"""Whether dice were away from their places, or not there before: what tells a throw from a nudge, or a cover lifted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.vision.dice.seen import DieSeen
from companion.vision.view.pose import Floats, Frame

_AROUND, _BEYOND = 10.0, 8.0  # mm: how far a nudged die can be, and the ground around that
_FAINT = 8.0  # levels: a die less unlike the ground cannot be missed
_LIKE = 6.0  # levels: ground that looks as before
_LIGHT = 1.25  # how much brighter or darker the ground may be than it was


class Place(NamedTuple):
    """Where a die lay, in the glance. near: pixels where it can be if it was nudged. ground: pixels around those.

    before: colours of that ground, (N, 3). unlike: how much the die was unlike it, in levels.
    """

    near: npt.NDArray[np.bool_]
    ground: npt.NDArray[np.bool_]
    before: Floats
    unlike: float


def places_of(dice: tuple[DieSeen, ...], at: Floats, scale: float, glance: Frame) -> tuple[Place, ...]:
    """The places of dice in the glance, uint8 BGR, where they lie. at: their middles there; scale: pixels per mm."""
    rows, cols = np.indices(glance.shape[:2])
    far = [np.hypot(cols - x, rows - y) / scale for x, y in at]
    found = []
    for k, die in enumerate(dice):
        reach = _AROUND + die.size_mm / 2
        ground, near = (far[k] > reach) & (far[k] < reach + _BEYOND), far[k] < reach
        for j, (other, away) in enumerate(zip(dice, far, strict=True)):
            ground &= away > 1.2 * other.size_mm
            # What is nearer to a neighbour says nothing of this die.
            near &= (away > far[k]) | (j == k)
        own = far[k] < 0.5 * die.size_mm
        if not own.any() or not ground.any():
            return ()
        colors = glance[ground].astype(np.float64)
        unlike = float(np.percentile(_off(glance[own], np.median(colors, axis=0)), 70))
        found.append(Place(near, ground, colors, unlike))
    return tuple(found)


def is_empty(place: Place, now: Frame) -> bool:
    """Whether the ground is seen where the die lay, and as before around it: no hand is there, and no die."""
    if place.unlike < _FAINT or place.ground.shape != now.shape[:2]:  # the tray is seen from elsewhere by now
        return False
    around = now[place.ground].astype(np.float64)
    color = np.median(around, axis=0)
    lit = float(color.sum()) / max(float(np.median(place.before, axis=0).sum()), 1.0)
    if not 1 / _LIGHT < lit < _LIGHT or float(np.mean(_off(around, lit * place.before))) > _LIKE:
        return False
    return float(np.percentile(_off(now[place.near], color), 88)) < 0.5 * lit * place.unlike


def was_bare(place: Place, then: Frame, now: Frame) -> bool:
    """Whether there was bare ground where a die lies now: what is around it was to be seen, and it was not there.

    then, now: the glances before and of the place. A die's shadow may fall on less than half of what is around.
    """
    if place.ground.shape != then.shape[:2]:
        return False
    around = then[place.ground].astype(np.float64)
    lit = float(np.median(around, axis=0).sum()) / max(float(np.median(place.before, axis=0).sum()), 1.0)
    if not 1 / _LIGHT < lit < _LIGHT or float(np.median(_off(around, lit * place.before))) > _LIKE:
        return False
    return float(np.percentile(_off(then[place.near], lit * now[place.near].astype(np.float64)), 95)) > _FAINT


def _off(colors: npt.NDArray[np.floating] | Frame, others: Floats) -> Floats:
    return np.asarray(np.abs(colors - others).mean(axis=1))
