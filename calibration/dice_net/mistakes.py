"""Where the net that comes with the program sees tops and none are: what the next one can learn most from."""

from __future__ import annotations

from typing import NamedTuple

from calibration.dice_net.samples import Floats, Rng, label
from calibration.dice_net.truth import Shown
from companion.vision.dice_tops import tops_in
from companion.vision.dice_view import TrayView

_SEEN = 0.15  # likelier than that, a top that is none is a mistake
_SMALLEST, _RANGE = (17.0, 48.0), 1.25  # pixels: one size and the next are looked at


class Mistake(NamedTuple):
    """A tray, and the place, (2,), and size, pixels, of what was taken for a top there."""

    shown: Shown
    at: Floats
    size: float


def mistakes(shown: Shown, rng: Rng) -> list[Mistake]:
    """Those in a tray, in some size."""
    high, wide = shown.picture.shape[:2]
    view = TrayView(shown.picture, 1.0, (0.0, 0.0), (0.0, 0.0, float(wide), float(high)), shown.camera, True)
    size = float(rng.uniform(*_SMALLEST))
    tops = tops_in(view, size, _RANGE * size)
    return [
        Mistake(shown, at, float(own))
        for at, own, seen in zip(tops.at, tops.size, tops.seen, strict=True)
        if seen > _SEEN and label(shown, at, float(own)) == 0
    ]
