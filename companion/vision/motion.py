"""Whether anything changed between two pictures, apart from the light."""

from __future__ import annotations

from math import sqrt

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.pose import Flat, Floats, Frame

SMALL = 8
Mask = npt.NDArray[np.bool_]

_LEAST = 10.0  # grey levels
_SOME = 3  # of every so many pixels one says how bright the picture is, and how much it flickers
_UNEVEN = 3.0  # grey levels by which half of a picture may stray while its light changes, and nothing in it


def glance(frame: Frame) -> Frame:
    """A frame, uint8 BGR, as an eighth-size grey picture, uint8."""
    size = (frame.shape[1] // SMALL, frame.shape[0] // SMALL)
    small = cv2.resize(frame[::4], size, interpolation=cv2.INTER_AREA)  # every fourth row is enough
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def changes(before: Frame, after: Frame, region: Floats) -> Mask | None:
    """Where two glances differ within a region once brightness is evened out, bool; None if sizes differ.

    region: its corners in pixels of the full frame, (N, 2).
    """
    if before.shape != after.shape:
        return None
    mask = np.zeros(before.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(region / SMALL).astype(np.int32), 1)
    inside = np.flatnonzero(mask)
    changed = np.zeros(before.shape, bool)
    if len(inside):
        was, now = (glanced.take(inside).astype(np.float32) for glanced in (before, after))
        gain = np.median((now[::_SOME] + 1) / (was[::_SOME] + 1))
        off = now - was * gain
        changed.ravel()[inside] = np.abs(off) > _LEAST + 4 * _flicker(off)
    return changed


def _flicker(off: Floats) -> float:
    """How far half of the pixels stray, grey levels. off: by how much each differs, (N,), side by side in a row.

    Where an arm and its shadow change more than half of a picture, most pixels stray, but neighbours stray alike: noise
    does not.
    """
    median = float(np.median(np.abs(off[::_SOME])))
    if median <= _UNEVEN:
        return median
    apart = off[1::_SOME] - off[: len(off) - 1 : _SOME]
    return min(median, max(_UNEVEN, float(np.median(np.abs(apart))) / sqrt(2)))


def share(mask: Mask | None, region: Floats) -> float:
    """Share of a region, corners in pixels of the full frame, that a mask of a glance fills; 1 where it is None."""
    if mask is None:
        return 1.0
    area = float(cv2.contourArea(region.astype(np.float32))) / SMALL**2
    return float(mask.sum()) / max(area, 1.0)


def strayed(off: Frame | Flat, every: int) -> Frame:
    """Where two pictures differ by more than they flicker, 255 or 0, uint8 (rows, cols).

    off: by how much they differ, grey levels (rows, cols, 3). every: of so many rows and columns one tells the flicker.
    Each channel has its own: in a weak warm lamp the noise of blue would hide what green and red show.
    """
    most = _LEAST + 4 * np.median(off[::every, ::every], axis=(0, 1))
    return np.asarray(cv2.bitwise_not(cv2.inRange(off, (0.0, 0.0, 0.0), tuple(most.tolist()))), np.uint8)
