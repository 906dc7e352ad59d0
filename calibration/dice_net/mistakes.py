"""What the net that comes with the program takes for something else: what the next one can learn most from."""

from __future__ import annotations

from typing import NamedTuple

from calibration.dice_net.samples import Floats, Rng, label
from calibration.dice_net.truth import Shown
from companion.vision.dice.tops import tops_in
from companion.vision.dice.view import TrayView

_SURE = 0.85  # what is true is a mistake where the net holds it for less likely
_SMALLEST, _RANGE = (17.0, 48.0), 1.25  # pixels: one size and the next are looked at


class Mistake(NamedTuple):
    """A tray, and the place, (2,), and size, pixels, of what was taken there for a top, or for another than it is."""

    shown: Shown
    at: Floats
    size: float


def mistakes(shown: Shown, rng: Rng) -> list[Mistake]:
    """Those in a tray, in some size."""
    high, wide = shown.picture.shape[:2]
    view = TrayView(shown.picture, 1.0, (0.0, 0.0), (0.0, 0.0, float(wide), float(high)), shown.camera, True)
    size = float(rng.uniform(*_SMALLEST))
    tops = tops_in(view, size, _RANGE * size)
    found = []
    for at, own, shares in zip(tops.at, tops.size, tops.shares, strict=True):
        shows = label(shown, at, float(own))
        if shows is not None and shares[shows] < _SURE:
            found.append(Mistake(shown, at, float(own)))
    return found
