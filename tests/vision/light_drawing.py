"""Light that is drawn into a picture: a share of it taken away, white light added, a lamp's patch of it."""

from __future__ import annotations

import numpy as np

from companion.vision.view.pose import Flat, Floats, Frame
from companion.vision.view.surface import GAMMA, linear


def lit(frame: Frame, share: Flat | Floats | float = 1.0, added: Flat | Floats | float = 0.0) -> Frame:
    """The picture, uint8 BGR, with a share of its light and with white light added, 1 for what white paper gives:
    (rows, cols) each, or the same all over."""
    light = linear(frame) * np.asarray(share)[..., None] + np.asarray(added)[..., None]
    return np.asarray(np.round(255 * light.clip(0, 1) ** (1 / GAMMA)), np.uint8)


def lamp(frame: Frame, at: tuple[float, float], bright: float, wide: float) -> Floats:
    """How much light a lamp adds round a pixel, over so many pixels, (rows, cols)."""
    y, x = np.mgrid[: frame.shape[0], : frame.shape[1]]
    return np.asarray(bright * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * wide**2)))
