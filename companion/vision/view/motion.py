"""Whether anything changed between two pictures, apart from the light."""

from __future__ import annotations

from math import sqrt

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.view.bands import bands
from companion.vision.view.pose import Flat, Floats, Frame

SMALL = 8
Mask = npt.NDArray[np.bool_]

_LEAST = 10.0  # grey levels
_FAINT = 5.0  # grey levels, of any channel, by which a spot strays that is looked at again
_RARE = 7.0  # times as far as spots stray on average: one in ten million does by chance
_SOME = 3  # of every so many pixels one says how bright the picture is, and how much it flickers
_MUCH = 0.0015  # share of a region: less is a little thing, and no band
_UNEVEN = 3.0  # grey levels by which half of a picture may stray while its light changes, and nothing in it


def glance(frame: Frame) -> Frame:
    """A frame, uint8 BGR, at an eighth of its size."""
    size = (frame.shape[1] // SMALL, frame.shape[0] // SMALL)
    return np.asarray(cv2.resize(frame[::4], size, interpolation=cv2.INTER_AREA), np.uint8)  # so many rows are enough


def changes(before: Frame, after: Frame, region: Floats) -> Mask | None:
    """Where two glances differ within a region once brightness is evened out, bool; None if sizes differ.

    region: its corners in pixels of the full frame, (N, 2). Where much differs, but bands of a lamp that flickers
    explain most of that, these are evened out, too.
    """
    if before.shape != after.shape:
        return None
    within = _within(before.shape, region)
    inside = np.flatnonzero(within)
    changed = np.zeros(before.shape[:2], bool)
    if len(inside):
        was, now = (cv2.cvtColor(glanced, cv2.COLOR_BGR2GRAY).astype(np.float32) for glanced in (before, after))
        stray = _strays(was.take(inside), now.take(inside))
        if np.count_nonzero(stray) > _MUCH * len(inside) and (lit := bands(was, now, within > 0)) is not None:
            calm = _strays(lit.take(inside), now.take(inside))
            stray = calm if 2 * np.count_nonzero(calm) < np.count_nonzero(stray) else stray
        changed.ravel()[inside] = stray
    return changed


def _strays(was: Flat, now: Flat) -> Mask:
    """Which grey levels, (N,), side by side in a row, differ by more than they flicker, once they are as bright."""
    gain = np.median((now[::_SOME] + 1) / (was[::_SOME] + 1))
    off = now - was * gain
    return np.asarray(np.abs(off) > _LEAST + 4 * _flicker(off))


def came_or_went(read: Frame, before: Frame, after: Frame, region: Floats) -> bool:
    """Whether a spot within a region, as small as a marble, is no more as it was read, and stays so: in two glances.

    A hand that came and went between two pictures, or beside the board, leaves nothing else to see. What flickers on,
    as a screen in the varnish, changes from glance to glance.
    """
    if not read.shape == before.shape == after.shape:
        return True
    x, y, width, height = cv2.boundingRect(np.round(region / SMALL).astype(np.int32))
    part = slice(max(y, 0), max(y + height, 0)), slice(max(x, 0), max(x + width, 0))
    if not read[part].size:
        return False
    spots = cv2.bitwise_and(_unlike(read[part], after[part]), _within(read.shape, region)[part])
    if not cv2.countNonZero(spots):
        return False
    return bool(cv2.countNonZero(cv2.bitwise_and(spots, cv2.bitwise_not(_unlike(before[part], after[part])))))


def _unlike(before: Frame, after: Frame) -> Frame:
    """Where parts of two glances differ faintly in any channel, once both are as bright: 255 or 0, uint8."""
    gain = [(now + 1) / (was + 1) for was, now in zip(cv2.mean(before)[:3], cv2.mean(after)[:3], strict=True)]
    off = cv2.absdiff(cv2.transform(before, np.diag(gain)), after)
    most = tuple(_FAINT + _RARE * stray for stray in cv2.mean(off)[:3])
    return np.asarray(cv2.bitwise_not(cv2.inRange(off, (0.0, 0.0, 0.0), most)), np.uint8)


def _within(shape: tuple[int, ...], region: Floats) -> Frame:
    """The pixels of a glance that lie in a region, corners in pixels of the full frame: 255 or 0, uint8."""
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(region / SMALL).astype(np.int32), 255)
    return mask


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
