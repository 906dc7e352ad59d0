"""What a picture lacks in which the board was not found: light, focus, pixels."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.pose import Flat, Frame

TOO_DARK = "The picture is too dark: switch on a light, or let the camera expose longer."
GLARING = "The picture is too bright: keep the sun off the board, or turn the exposure down."
BLURRED = "The picture is blurred: focus the lens, or wipe it."
_SMALL = 1000  # pixels: a narrower picture may be too small
_WIDE = 640  # pixels: in as small a picture noise makes no edges
_DARK, _WHITE = 40, 250  # grey levels: all is darker than the one; half is brighter than the other
_SOFT = 0.12  # of the contrast, a pixel: the steepest edges of sharp pictures have 0.2 and more
_FLAT = 30  # grey levels: where nothing has more contrast than that, there may be no edges to be seen


def lacking(grey: Frame) -> str:
    """What a grey picture, uint8, lacks to show a board: one sentence with the way out; "" if nothing but pixels."""
    size = min(1.0, _WIDE / grey.shape[1])
    small = np.asarray(cv2.resize(grey, None, fx=size, fy=size, interpolation=cv2.INTER_AREA), np.float32)
    low, middle, high = np.percentile(small, (1, 50, 99))
    if high < _DARK:
        return TOO_DARK
    if middle >= _WHITE:
        return GLARING
    if high - low > _FLAT and _steepest(small) < _SOFT * (high - low):
        return BLURRED
    return ""


def few_pixels(grey: Frame) -> str:
    """That a picture has few pixels; "" if it has enough for a board of usual size."""
    if grey.shape[1] >= _SMALL:
        return ""
    pixels = f"{grey.shape[1]}×{grey.shape[0]}"
    return f"The picture has {pixels} pixels only: let the camera send larger ones, or bring it nearer."


def _steepest(picture: Flat) -> float:
    """The slope, levels a pixel, that one place in 200 has."""
    across, down = (cv2.Sobel(picture, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return float(np.percentile(cv2.magnitude(across, down), 99.5))
