"""A camera with a lens: where points of the table fall in the picture, and the ray of each pixel.

Points are (x, y, z) in mm of the sheet, z up from its plane. Pixels are (x, y), the middle of the first one (0, 0).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]
"""A picture of numbers, shape (rows, cols) or (rows, cols, 3)."""

_GRID = 16
"""Rays are computed for one pixel in so many each way, and those between are interpolated."""


@dataclass(frozen=True, eq=False, slots=True)
class Camera:
    """eye: where it stands. axes: rows are the directions of the picture's right, down and depth.

    focal: in pixels. size: (width, height). bend: k1, k2 of the radial distortion. aside: pixels from the middle of the
    picture to where the direction of depth meets it, (right, down).
    """

    eye: Floats
    axes: Floats
    focal: float
    size: tuple[int, int]
    bend: tuple[float, float] = (0.0, 0.0)
    aside: tuple[float, float] = (0.0, 0.0)

    def project(self, points: npt.ArrayLike) -> Floats:
        """Pixels (N, 2) of points (N, 3)."""
        seen = (np.atleast_2d(np.asarray(points, np.float64)) - self.eye) @ self.axes.T
        flat = seen[:, :2] / np.maximum(seen[:, 2:], 1e-6)
        square = (flat**2).sum(axis=1, keepdims=True)
        return np.asarray(flat * (1 + self.bend[0] * square + self.bend[1] * square**2) * self.focal + self.middle)

    @property
    def middle(self) -> Floats:
        """The pixel in the direction of depth."""
        return (np.array(self.size) - 1) / 2 + self.aside

    def corners(self, width: float, height: float) -> Floats:
        """Pixels (4, 2) of the corners of a sheet of this size, mm, clockwise from its first."""
        return self.project([(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)])

    def rays(self, finer: int = 1) -> Plane:
        """Unit directions, float32 (rows, cols, 3), of a picture with `finer` pixels each way for one of the camera."""
        width, height = self.size[0] * finer, self.size[1] * finer
        cols, rows = np.meshgrid(_coarse(width), _coarse(height))
        pixels = (np.stack([cols, rows], -1) + 0.5) / finer - 0.5
        flat = self._straight((pixels - self.middle) / self.focal)
        towards = np.concatenate([flat, np.ones((*flat.shape[:2], 1))], -1) @ self.axes
        full = cv2.resize(towards.astype(np.float32), (cols.shape[1] * _GRID, cols.shape[0] * _GRID))
        # cv2.resize keeps the middles of pixels: the first of the coarse grid lies half a step in.
        full = np.asarray(full[_GRID : _GRID + height, _GRID : _GRID + width], np.float32)
        return np.asarray(full / np.sqrt(dot(full, full))[..., None], np.float32)

    def _straight(self, bent: Floats) -> Floats:
        """Places without the lens from places with it, by Newton's method on the radius."""
        far = np.maximum(np.linalg.norm(bent, axis=-1, keepdims=True), 1e-12)
        radius, (k1, k2) = far.copy(), self.bend
        for _ in range(12):
            miss = radius * (1 + k1 * radius**2 + k2 * radius**4) - far
            radius -= miss / (1 + 3 * k1 * radius**2 + 5 * k2 * radius**4)
        return np.asarray(bent * (radius / far))


def dot(left: npt.NDArray[Any], right: npt.ArrayLike) -> Plane:
    """Inner products of the vectors, (rows, cols, 3) each or (3,) on the right, of two pictures; (rows, cols)."""
    right = np.asarray(right, np.float32)
    return np.asarray(np.einsum("ijk,ijk->ij" if right.ndim == 3 else "ijk,k->ij", left, right), np.float32)


def _coarse(length: int) -> Floats:
    """Places of the coarse grid along a side, from one step before the first pixel to one after the last."""
    return np.asarray((np.arange(-1, length // _GRID + 2) + 0.5) * _GRID - 0.5, np.float64)


def stand(
    target: Floats, distance: float, tilt: float, turn: float, roll: float, focal: float, size: tuple[int, int],
    bend: tuple[float, float],
) -> Camera:  # fmt: skip
    """A camera that looks at `target` from `distance` mm.

    Degrees: tilt from straight down; turn of the side from which it looks (0: from the South); roll of the picture.
    """
    lean, side, spin = (math.radians(angle) for angle in (tilt, turn, roll))
    right = np.array([math.cos(side), math.sin(side), 0.0])
    away = np.array([-math.sin(side), math.cos(side), 0.0])
    depth = -math.sin(lean) * away - math.cos(lean) * np.array([0.0, 0.0, 1.0])
    down = math.cos(lean) * away - math.sin(lean) * np.array([0.0, 0.0, 1.0])
    axes = np.array(
        [math.cos(spin) * right + math.sin(spin) * down, math.cos(spin) * down - math.sin(spin) * right, depth]
    )
    return Camera(target - distance * depth, axes, focal, size, bend)


def fitted(at: Callable[[float], Camera], corners: Floats, fill: float) -> Camera:
    """The camera `at` the distance from which `corners`, (N, 3), fill this share of the picture's half sides."""
    near, far = 80.0, 6000.0
    for _ in range(40):
        middle = (near + far) / 2
        camera = at(middle)
        reach = np.abs(camera.project(corners) - camera.middle) / (camera.middle + 0.5)
        near, far = (middle, far) if reach.max() > fill else (near, middle)
    return at(far)
