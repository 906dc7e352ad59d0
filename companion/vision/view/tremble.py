"""A camera that trembles on its stand, or looks for its focus: all of the picture goes by a pixel, and comes back.

What stands at an edge of the print then changes, though nothing moved. By how much it went all edges tell together.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.view.pose import Flat, Floats

Mask = npt.NDArray[np.bool_]

_FARTHEST = 0.3  # pixels of a glance: what goes farther is a board, or a camera, that was pushed
_ROUNDS = 4  # in which hands and pieces lose their say
_CALM = 3.0  # grey levels: what strays by so much still has half its say
_SOFT = 0.7  # pixels of a glance, over which it is softened: what is finer comes and goes as the camera trembles
_LEFT, _CAP = 0.5, 10.0  # share of what strays that may be left; grey levels by which a pixel strays at most
_ABOUT = 0.5  # of what an edge changes: fine print is not seen as it is
_SLOPE = np.array((1, -8, 0, 8, -1), np.float32) / 12  # of a line some pixels wide, too
_HOLD = 1e-3  # of its largest: what keeps the fit where edges all run one way


def trembled(before: Flat, after: Flat, inside: Mask) -> Flat | None:
    """`before` as it would look if the camera had trembled to where it stood for `after`, as near to that as may be,
    but for what is finer than a glance shows; None where it went farther, or that explains little.

    before, after: two glances, float32 grey or BGR (rows, cols, …). inside: pixels that count, bool (rows, cols).
    """
    was, now = (cv2.GaussianBlur(glanced, (0, 0), _SOFT) for glanced in (before, after))
    was *= np.median((now[inside] + 1) / (was[inside] + 1), axis=0).astype(np.float32)
    ways, off = _ways(np.asarray((was + now) / 2, np.float32), inside), (was - now)[inside]
    went = _fitted(ways.reshape(len(ways), -1), off.ravel())
    far = np.abs(went.reshape(3, 2)).sum(axis=0)
    by = np.tensordot(went.astype(np.float32), ways, axes=1)
    if not float(np.hypot(*far)) <= _FARTHEST or _much(off - by) > _LEFT * _much(off):
        return None
    still = after.copy()
    still[inside] += np.sign(off - by) * np.maximum(np.abs(off - by) - _ABOUT * np.abs(by), 0)
    return still


def _ways(glanced: Flat, inside: Mask) -> Flat:
    """By how much some pixels of a glance, (rows, cols, …), change if it goes across and down, by a pixel: everywhere,
    or the more, the farther right or down of the middle: (6, N, …)."""
    y, x = (axis.astype(np.float32) for axis in np.nonzero(inside))
    reach = np.float32(max(float(np.ptp(x)), float(np.ptp(y)), 1.0) / 2)
    slopes = [cv2.filter2D(glanced, cv2.CV_32F, slope)[inside] for slope in (_SLOPE[None], _SLOPE[:, None])]
    here = (((axis - axis.mean()) / reach).reshape(-1, *[1] * (glanced.ndim - 2)) for axis in (x, y))
    return np.stack([slope * by for by in (np.float32(1), *here) for slope in slopes])


def _much(off: Flat) -> float:
    """How far all stray, in which those that stray most, as hands do, have no more to say than others."""
    return float(np.sum(np.minimum(off * off, _CAP * _CAP)))


def _fitted(ways: Flat, off: Flat) -> Floats:
    """Robust least squares: off = what · ways, (6,). ways: (6, N). off: (N,)."""
    trust: Flat = np.ones_like(off)
    what: Floats = np.zeros(len(ways))
    for _ in range(_ROUNDS):
        said = ways * trust
        normal = (said @ ways.T).astype(np.float64)
        hold = _HOLD * float(np.trace(normal)) / len(ways) + 1e-6
        what = np.asarray(np.linalg.solve(normal + hold * np.eye(len(ways)), said @ off), np.float64)
        trust = np.asarray(1 / (1 + ((off - what @ ways) / _CALM) ** 2), np.float32)
    return what
