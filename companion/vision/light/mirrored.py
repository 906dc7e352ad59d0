"""Where a lamp or a window is mirrored in a good part of the board: light is added there to all inks alike.

No course of the light explains it, since a dark ink is many times as bright there, and a pale one hardly brighter: one
that is fitted to both is many times as bright in one corner as in the others, and pieces are judged by it.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.view.pose import Flat

Ints = npt.NDArray[np.int64]

GLARED = 0.08
"""Linear light that is added, at least, where a lamp or a window is mirrored."""
_PATCHES = 4  # of the board, each way, in each of which a dark ink is compared with a pale one
_SAID = 8  # samples of an ink in a patch, that have something to say of it
_APART = 1.6  # times that the pale one is printed brighter
_SOME = 0.08  # share of the samples: of less the fit makes outliers by itself
_LEFT = 0.02  # the same: from less nobody can tell what light lies on the board


def unmirrored(at: Flat, ink: Ints, printed: Flat, seen: Flat) -> Ints | None:
    """Which samples, by number, show the board alone; None if hardly any show what is mirrored in it, or all but a few.

    at: where they are, −1 to 1 over the board, (2, N). ink: of each, (N,). printed, seen: linear BGR (3, N).
    """
    down, across = (np.minimum((axis + 1) / 2 * _PATCHES, _PATCHES - 1).astype(np.int64) for axis in at[::-1])
    patch = down * _PATCHES + across
    mirrors = _added(patch, ink, printed.mean(axis=0), seen.mean(axis=0)) > GLARED
    about = cv2.dilate(mirrors.reshape(_PATCHES, _PATCHES).astype(np.uint8), np.ones((3, 3), np.uint8)).ravel() > 0
    gain = np.median(seen / np.maximum(printed, 0.02), axis=1, keepdims=True)
    lighter = (seen - gain * printed).min(axis=0) > GLARED / 2  # in all colours, as no other light makes wood
    lit = mirrors.take(patch) | (about.take(patch) & lighter)
    return np.flatnonzero(~lit) if _SOME < lit.mean() < 1 - _LEFT else None


def _added(patch: Ints, ink: Ints, printed: Flat, seen: Flat) -> npt.NDArray[np.float64]:
    """How much light is added to both of the darkest and the palest ink of each patch, linear, (_PATCHES²,); 0 where
    these are nearly alike. printed, seen: how bright each sample is, (N,)."""
    usual = {one: float(np.median(printed[ink == one])) for one in np.unique(ink).tolist()}
    added = np.zeros(_PATCHES**2)
    for here in range(_PATCHES**2):
        inks, counts = np.unique(ink[patch == here], return_counts=True)
        some = sorted(inks[counts >= _SAID].tolist(), key=lambda one: usual[one])
        if len(some) < 2 or usual[some[-1]] < _APART * usual[some[0]]:
            continue
        dark, pale = (float(np.median(seen[(patch == here) & (ink == one)])) for one in (some[0], some[-1]))
        gain = max(pale - dark, 0.0) / (usual[some[-1]] - usual[some[0]])
        added[here] = dark - gain * usual[some[0]]
    return added
