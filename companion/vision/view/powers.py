"""Exponentials and logarithms of many numbers: OpenCV has them four times as quickly as NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from companion.vision.view.pose import Flat, Floats


def exp(values: Floats | Flat) -> Flat:
    """As `np.exp`, in single precision, of an array of any shape."""
    return _each(cv2.exp, values)


def log(values: Floats | Flat) -> Flat:
    """As `np.log`, in single precision, of an array of any shape, above 0."""
    return _each(cv2.log, values)


def _each(function: Callable[[Any], Any], values: Floats | Flat) -> Flat:
    single = np.asarray(values, np.float32)
    if not single.size:  # OpenCV has no answer to nothing
        return single
    return np.asarray(function(single), np.float32).reshape(single.shape)
