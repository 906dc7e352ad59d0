"""A veil of light over a whole board: varnish mirrors a bright ceiling, or a lens scatters what falls into it."""

from __future__ import annotations

import numpy as np

from companion.vision.view.pose import Floats

_FLOOR = 0.02  # linear light added before ratios are taken, so that black does not count
_APART = 0.08  # linear light by which two inks must differ, in each channel, to tell a veil from a gain
_LEAST_GAIN = 0.02
_OFF = 0.25  # natural log: an ink that is off by more is not explained
PLAINLY = 0.6
"""Of what is not explained without a veil, so much at most may be left with one."""
_ONE_HUE = 2.0  # times as much of one channel as of another, against the lamp's: what is mirrored hardly has a hue


def veil(printed: Floats, seen: Floats, voices: Floats) -> tuple[Floats, Floats] | None:
    """How inks became what is seen: gain and haze of each channel, (3,) each; None if a gain alone may have done it.

    printed, seen: the inks' linear BGR, (3, K). voices: how much each ink has to say, (K,).

    Most of a dark board is dark: there a gain and a veil look alike, and what tells them apart are a few bright spaces,
    which a fit of all pixels takes for pieces. So each ink has its voice here, and of all gains of one ink and lines
    through two the one is taken that most inks agree with: some are hidden, or were glare in the photo.
    """
    gains = (seen / np.maximum(printed, _LEAST_GAIN)).T
    without = _unexplained(printed, seen, voices, gains, 0 * gains).min()
    one, two = np.triu_indices(len(voices), 1)
    apart = printed[:, one] - printed[:, two]
    gains = ((seen[:, one] - seen[:, two]) / np.where(np.abs(apart) < _APART, np.inf, apart)).T
    hazes = seen[:, one].T - gains * printed[:, one].T
    share = hazes / np.maximum(gains, 1e-9)
    fit = (gains > _LEAST_GAIN).all(axis=1) & (share.min(axis=1) > 0)
    fit &= share.max(axis=1) < _ONE_HUE * share.min(axis=1)
    if not fit.any():
        return None
    gains, hazes = gains[fit], hazes[fit]
    left = _unexplained(printed, seen, voices, gains, hazes)
    best = int(left.argmin())
    return (gains[best], hazes[best]) if left[best] < PLAINLY * without else None


def _unexplained(printed: Floats, seen: Floats, voices: Floats, gains: Floats, hazes: Floats) -> Floats:
    """The voices of the inks that are not explained, in part or at all, (N,), by gains and hazes, (N, 3) each."""
    expected = gains[..., None] * printed + hazes[..., None]
    off = np.abs(np.log((seen + _FLOOR) / (expected + _FLOOR))).max(axis=1)
    return unexplained(off) @ voices


def unexplained(off: Floats) -> Floats:
    """Which part of each of some inks is not explained, 0 to 1, where it is off by so much, natural log."""
    return np.asarray(np.minimum((off / _OFF) ** 2, 1))
