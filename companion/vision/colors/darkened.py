"""Flat tops that may be none, but the board in a shadow: what it shows there is its own ink, with less light on it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.board.evidence import DARK, LIGHTEST, look_of
from companion.vision.light.umbra import DEEPEST
from companion.vision.view.pose import Floats

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_UNLIKE = 0.35  # natural log by which pieces of one paint in one light do not differ
_HUE, _KNOWN_HUE = 0.06, 0.08
"""How far a hue may be off the board's in a shadow: in any shadow; in one as the picture's others are."""
_MAY_BE, _SURELY = 0.25, 0.7  # probability of a paint


def darkened(at: Floats, told: Floats, board: Floats, left: Floats | None) -> Mask:
    """Which flat tops, (N,), look like the board that they hide in a shadow, and are paler than another one of a paint
    that they may be, or darker than most that look otherwise: in one light pieces of one paint differ less. All of a
    paint, where each looks like its board, and these are unlike each other: no paint follows the board's.

    at: natural log of brightness, and hue, (N, 3). told: log of the probability of each paint, (N, K). board: the board
    that they hide, linear BGR in full light, (N, 3). left: the share of the light that the picture's shadows leave
    there, (N, 3); None if that is not known.
    """
    best, full = told.argmax(axis=1), look_of(board)
    fall = full[:, 0] - at[:, 0]
    off = np.where((fall > 0) & (fall < DEEPEST), _off(at, board, np.zeros_like(board)), np.inf)
    alike = off < _HUE
    if left is not None:
        known = np.where(np.isfinite(off), _off(at, board, np.minimum(left, LIGHTEST)), np.inf)
        off = np.minimum(off, known)
        near = known < _KNOWN_HUE
        alike |= near & (known < _apart(at, best, off < _KNOWN_HUE)) if near.any() else near
    if not alike.any():
        return alike
    following = [paint for paint in np.unique(best[alike]) if _follows(best == paint, alike, full)]
    return np.asarray(alike & (_paler(at[:, 0], told, following) | _darker(at, best, alike, off)))


def _off(at: Floats, board: Floats, left: Floats) -> Floats:
    """How far, (N,), the hues of tops are off those of the board in a shadow, or its rim, which shows it as bright.

    board: in full light, left: the share of it that the shadow leaves; linear BGR (N, 3). What is darker still is so in
    all channels alike.
    """
    seen, whole = np.maximum(np.exp(at[:, 0]) - DARK, 1e-4), board.sum(axis=1)
    share = np.clip((whole - seen) / np.maximum(whole - (board * left).sum(axis=1), 1e-4), 0, 1)
    shaded = board * (1 + share[:, None] * (left - 1))
    shaded *= np.minimum(seen / np.maximum(shaded.sum(axis=1), 1e-4), 1)[:, None]
    return np.asarray(np.abs(at - look_of(shaded))[:, 1:].max(axis=1))


def _apart(at: Floats, best: Ints, alike: Mask) -> Floats:
    """How far the hue of each top is off that of the nearest of its paint which does not look like its board, (N,)."""
    other = (best[:, None] == best) & ~alike
    return np.asarray(np.where(other, np.abs(at[:, None, 1:] - at[:, 1:]).max(axis=2), np.inf).min(axis=1))


def _follows(own: Mask, alike: Mask, full: Floats) -> bool:
    """Whether all tops of a paint, the `own`, look like their boards, and these are unlike each other."""
    return bool(alike[own].all() and (np.ptp(full[own, 1:], axis=0) > 2 * _HUE).any())


def _paler(bright: Floats, told: Floats, following: list[int]) -> Mask:
    """Which tops are paler than another one, surely of a paint that they may be, (N,); of those `following`, all."""
    darkest = np.full(told.shape[1], np.inf)
    sure = told.max(axis=1) > np.log(_SURELY)
    np.minimum.at(darkest, told.argmax(axis=1)[sure], bright[sure])
    darkest[following] = -np.inf
    return np.asarray(((told > np.log(_MAY_BE)) & (bright[:, None] > darkest + _UNLIKE)).any(axis=1))


def _darker(at: Floats, best: Ints, alike: Mask, off: Floats) -> Mask:
    """Which tops, (N,), are darker than most of their paint that do not look like their boards, and in hue farther from
    each of these than from the board's, of which they are so far `off`."""
    usual = np.full(len(at), -np.inf)
    for paint in np.unique(best[~alike]):
        usual[best == paint] = np.median(at[(best == paint) & ~alike, 0])
    return np.asarray((at[:, 0] < usual - _UNLIKE) & (off < _apart(at, best, alike)))
