"""Whether a picture has colours at all: in the grey ones of a night mode pieces cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.vision.pose import Frame

GREY = (
    "The picture is grey, so the colours of the pieces cannot be told: "
    "switch on a light, or switch off the camera's night mode."
)
_WIDE = 128  # pixels: as small a picture has hardly any noise left
_FAINT = 0.1  # colours of printed boards and pieces spread twice as much, of grey pictures in noise seldom as much
_ACHROMATIC = 40  # levels between the channels of a piece that is black, grey or white


def colourless(frame: Frame) -> bool:
    """Whether blue and red follow from green alone, whatever tint the whole picture has; frame: uint8 BGR."""
    by = min(1.0, _WIDE / frame.shape[1])
    small = cv2.resize(frame, None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
    levels = np.asarray(small, np.float64).reshape(-1, 3)
    levels = levels[levels.max(axis=1) < 250]
    if len(levels) < 100:
        return False
    green = levels[:, 1]
    powers = np.column_stack([np.ones_like(green), green, green**2])
    fit = np.linalg.lstsq(powers.T @ powers, powers.T @ levels[:, ::2], rcond=None)[0]
    off = np.ptp(np.percentile(levels[:, ::2] - powers @ fit, [0.5, 99.5], axis=0), axis=0)
    return float(off.max()) < _FAINT * max(10.0, float(green.mean()))


def need_colour(colors: Iterable[str]) -> bool:
    """Whether any of these pieces, "#rrggbb", has a hue, so that grey pictures will not do."""
    return any(np.ptp([int(c[i : i + 2], 16) for i in (1, 3, 5)]) > _ACHROMATIC for c in colors)
