"""The print in a coarse view: how much brighter each place is than what lies round about it."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.view.opening import disc
from companion.vision.view.pose import Flat
from companion.vision.view.scene import PIXELS_PER_MM

Small = npt.NDArray[np.uint8]

_COARSE = 4  # pixels of the flat view to one of the coarse one
_OF_HALF = 2  # the same of a view of half the size
_FINE = 2.0  # pixels of the coarse view over which brightness is averaged
_AS_MUCH = 2.0  # times the print's own steps nearby: what is more is the outline of a thing
_HARDLY = 1e-3  # share of what lies round about: of so little nothing is known


def coarse_size(half: Flat) -> tuple[int, int]:
    """(cols, rows) of the coarse view that has as much to show as a view of half the size, (rows, cols, …)."""
    return -(-half.shape[1] // _OF_HALF), -(-half.shape[0] // _OF_HALF)


def coarse(image: Flat, size: tuple[int, int]) -> Flat:
    """The brightness of a view, linear BGR (rows, cols, 3), made smaller: size (cols, rows)."""
    grey = cv2.transform(image, np.full((1, 3), 1 / 3, np.float32))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)


def coarse_disc(radius: float) -> Small:
    """A disc of `radius` mm as a kernel for the coarse view."""
    return disc(radius * PIXELS_PER_MM / _COARSE)


def both_steps(seen: Flat, usual: Flat, patches: Small) -> tuple[Flat, Flat]:
    """By how much each place of some patches, 0 or 1, is brighter than its patch round about, as it is seen and as it
    is printed, (rows, cols) each, 0 elsewhere; what is seen no more than a few times as much as the print nearby."""
    own, printed = (_steps(layer, patches) for layer in (seen, usual))
    limit = _AS_MUCH * np.asarray(cv2.dilate(np.abs(printed), np.ones((3, 3), np.uint8)), np.float32)
    return np.asarray(np.clip(own, -limit, limit), np.float32), printed


def _steps(layer: Flat, patches: Small) -> Flat:
    """By how much each place is brighter than its patch round about, where a lamp's image hardly changes."""
    inside = patches.astype(np.float32)
    about, share = (cv2.GaussianBlur(part, (0, 0), _FINE) for part in (layer * inside, inside))
    return np.asarray((layer - about / np.maximum(share, _HARDLY)) * inside, np.float32)
