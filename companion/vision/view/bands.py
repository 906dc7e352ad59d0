"""Bands of a lamp that flickers with the mains: rows of the sensor are read one after the other, in more or less of it.

Such bands run over the whole width of a picture, and stand elsewhere in the next one; hands do neither. Half of a
cycle is some milliseconds, so that a picture holds a few bands, if the camera's shutter is not set to whole cycles.
"""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt

from companion.vision.view.pose import Flat, Floats

Mask = npt.NDArray[np.bool_]

_PARTS = 4  # of its width, in which a row must be brighter by the same
_ALIKE = 0.04  # natural log: so far the parts of a row may differ, but for one in which a hand may be
_ROWS = 0.85  # share of the rows that must be like that
_DEEPEST = 1.0  # natural log: no lamp's bands are darker or brighter by more
_FAINTEST = 0.03  # as much darker or brighter is half of the rows at least: an arm along some rows is no band
_ABOUT = 0.15  # of what a band changes: dark things change by more of what they are than bright ones
_PLAIN, _BRIGHT, _BURNT = 120.0, 180.0, 210.0
"""Grey levels: from here on a band changes less of what it lights; perhaps nothing; and that says nothing of bands."""
_FEWEST = 4  # pixels of a part of a row that tell how bright it is


def bands(before: Flat, after: Flat, inside: Mask) -> Flat | None:
    """`before` in the light that fell on each row while `after` was taken, as near to that as may be; None where what
    tells them apart is no flicker of the light.

    before, after: two glances, float32 grey (rows, cols). inside: pixels that count, bool (rows, cols).
    """
    top, left = (int(np.argmax(inside.any(axis=axis))) for axis in (1, 0))
    rows, cols = (int(np.count_nonzero(inside.any(axis=axis))) for axis in (1, 0))
    box = slice(top, top + rows), slice(left, left + cols)
    told = inside[box] & (np.maximum(before, after)[box] < _BURNT)
    was = np.maximum(before[box], 0)  # as a camera that trembled would have shown it may be darker than black
    course = _course(np.where(told, np.log((after[box] + 1.0) / (was + 1.0)), np.nan))
    if course is None:
        return None
    lit = before.copy()
    lit[box[0]] *= np.exp(course).astype(np.float32)[:, None]
    by, level = lit - before, np.maximum(before, lit)
    less = np.clip((level - _PLAIN) / (_BRIGHT - _PLAIN), _ABOUT, 1)
    ends = lit - less * by, lit + _ABOUT * by
    return np.clip(after, np.minimum(*ends), np.maximum(*ends))


def _course(ratio: Floats) -> Floats | None:
    """By how much each row is brighter, natural log, (rows,); None where that is not so over all its width, or not as
    bands are. ratio: of each pixel, (rows, cols); not a number where it says nothing."""
    if ratio.shape[1] < _PARTS * _FEWEST:
        return None
    parts = np.stack([_middles(part) for part in np.array_split(ratio, _PARTS, axis=1)])
    middle = _middles(parts.T)
    middle = np.where(np.isfinite(middle), middle, _middles(ratio))
    known = np.flatnonzero(np.isfinite(middle))
    if not len(known):
        return None
    course = np.interp(np.arange(len(ratio)), known, middle[known])
    alike = np.sort(np.abs(np.where(np.isfinite(parts), parts - course, 0)), axis=0)[-2] < _ALIKE
    deep = np.abs(course - np.median(course))
    bands_only = alike.mean() >= _ROWS and deep.max() <= _DEEPEST and np.median(deep) >= _FAINTEST
    return course if bands_only else None


def _middles(rows: Floats) -> Floats:
    """The median of what is known of each row, (rows,); not a number where too little is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a row of which nothing is known
        told = np.nanmedian(rows, axis=1)
    return np.where(np.isfinite(rows).sum(axis=1) >= min(_FEWEST, rows.shape[1] // 2), told, np.nan)
