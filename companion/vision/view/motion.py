"""Whether anything changed between two pictures, apart from the light."""

from __future__ import annotations

from math import sqrt

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.view.bands import bands
from companion.vision.view.pose import Flat, Floats, Frame
from companion.vision.view.tremble import trembled

SMALL = 8
STILL = 0.0015
"""Share of a region that may flicker; less is a little thing, and neither a band nor a camera that trembles."""
Mask = npt.NDArray[np.bool_]

_LEAST = 10.0  # grey levels
_FAINT = 5.0  # grey levels, of any channel, by which a spot strays that is looked at again
_RARE = 7.0  # times as far as spots stray on average: one in ten million does by chance
_SOME = 3  # of every so many pixels one says how bright the picture is, and how much it flickers
_UNEVEN = 3.0  # grey levels by which half of a picture may stray while its light changes, and nothing in it


def glance(frame: Frame) -> Frame:
    """A frame, uint8 BGR, at an eighth of its size: the means of every other row, halved twice and then across, which
    is as fast as to leave more rows out, and lets fine print not come and go."""
    width, height = frame.shape[1] // SMALL, frame.shape[0] // SMALL
    small = frame[::2]
    for size in ((4 * width, 2 * height), (2 * width, height)):  # each the mean of four pixels, which is fastest so
        small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def changes(before: Frame, after: Frame, region: Floats) -> Mask | None:
    """Where two glances differ within a region once brightness is evened out, bool; None if sizes differ.

    region: its corners in pixels of the full frame, (N, 2). Where much differs, but that the camera trembled explains
    most of it, or bands of a lamp that flickers do, that is no difference.
    """
    if before.shape != after.shape:
        return None
    within, changed = _within(before.shape, region), np.zeros(before.shape[:2], bool)
    grey = [np.asarray(cv2.cvtColor(glanced, cv2.COLOR_BGR2GRAY), np.uint8) for glanced in (before, after)]
    if _farthest(grey[0], grey[1], within) <= _LEAST:
        return changed
    inside, (was, now) = np.flatnonzero(within), (glanced.astype(np.float32) for glanced in grey)
    stray = _strays(was.take(inside), now.take(inside))
    for explained in (trembled, bands):
        if np.count_nonzero(stray) <= STILL * len(inside):
            break
        other = explained(was, now, within > 0)
        calm = stray if other is None else _strays(other.take(inside), now.take(inside))
        if other is not None and 2 * np.count_nonzero(calm) < np.count_nonzero(stray):
            was, stray = other, calm
    changed.ravel()[inside] = stray
    return changed


def _farthest(was: Frame, now: Frame, within: Frame) -> float:
    """By how many grey levels any pixel within differs, uint8 (rows, cols), once both are as bright."""
    gain = (cv2.mean(now, within)[0] + 1) / (cv2.mean(was, within)[0] + 1)
    least, most, *_ = cv2.minMaxLoc(cv2.addWeighted(now, 1.0, was, -gain, 0.0, dtype=cv2.CV_32F), within)
    return max(-least, most)


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
    was, now, within = read[part], after[part], _within(read.shape, region)[part]
    spots = cv2.bitwise_and(_unlike(was, now), within)
    if cv2.countNonZero(spots):
        spots = cv2.bitwise_and(spots, cv2.bitwise_not(_unlike(before[part], now)))
    if not cv2.countNonZero(spots):
        return False
    still = trembled(was.astype(np.float32), now.astype(np.float32), within > 0)
    return still is None or cv2.countNonZero(cv2.bitwise_and(spots, _unlike(was, now, still))) > 0


def _unlike(before: Frame, after: Frame, still: Flat | None = None) -> Frame:
    """Where parts of two glances differ faintly in any channel, once both are as bright: 255 or 0, uint8. still: what
    `before` would be if the camera had not trembled since; where it is given, it must differ by as much."""
    gain = [(now + 1) / (was + 1) for was, now in zip(cv2.mean(before)[:3], cv2.mean(after)[:3], strict=True)]
    off = cv2.absdiff(cv2.transform(before, np.diag(gain)), after)
    most = tuple(_FAINT + _RARE * stray for stray in cv2.mean(off)[:3])
    off = off if still is None else cv2.absdiff(still, after.astype(np.float32))
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


def noise_of(off: Frame | Flat, every: int) -> Floats:
    """By how much half of the pixels of two pictures differ, grey levels, (3,): each channel has its own, as in a weak
    warm lamp the noise of blue would hide what green and red show.

    off: by how much they differ, (rows, cols, 3). every: of so many rows and columns one tells.
    """
    return np.asarray(np.median(off[::every, ::every], axis=(0, 1)))


def strayed(off: Frame | Flat, noise: Floats) -> Frame:
    """Where two pictures differ by more than noise, 255 or 0, uint8 (rows, cols). off, noise: see `noise_of`."""
    return beyond(off, _LEAST + 4 * noise)


def beyond(off: Frame | Flat, most: Floats) -> Frame:
    """Where some channel of (rows, cols, 3), none below 0, is more than its most, (3,): 255, else 0, uint8."""
    return np.asarray(cv2.bitwise_not(cv2.inRange(off, (0.0, 0.0, 0.0), tuple(most.tolist()))), np.uint8)
