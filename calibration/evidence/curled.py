"""Paper that does not lie flat: it was rolled up, or took on damp, and bends or waves on the table."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.evidence.lens import Floats, Plane

_STEPS = 8  # of the search for where a ray meets the paper: rays of 60° come within a hundredth of a mm
_NEAR = 0.5  # mm beside a point to where its slope is taken
_LONG = (120.0, 300.0)  # mm: from crest to crest
_SLIGHT = 1 / 16  # of the bend: how high a rolled paper waves


@dataclass(frozen=True, slots=True)
class Wave:
    """A ripple over the paper: mm it is `high`, radians a mm in x and y, and where it begins."""

    high: float
    x: float
    y: float
    begin: float


@dataclass(frozen=True, slots=True)
class Curl:
    """How a sheet of some mm, (width, height), bends: by so many mm `up` along a direction, radians, and in waves.

    kind: "up", both its ends rise as an arch; "down", its middle does; "ends", its outer quarters rise alone; "waves".
    """

    size: tuple[float, float]
    kind: str
    up: float
    along: float
    waves: tuple[Wave, ...]

    def height(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
        """How high the paper lies over the table, mm, at x and y."""
        x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
        (wide, high), across = (side / 2 for side in self.size), max(self.size) / 2
        out = ((x - wide) * math.cos(self.along) + (y - high) * math.sin(self.along)) / across
        bends = {
            "up": out**2,
            "down": np.maximum(1 - out**2, 0),
            "ends": np.maximum(2 * np.abs(out) - 1, 0) ** 2,
            "waves": np.zeros_like(out),
        }
        ripples = [wave.high * (1 + np.sin(x * wave.x + y * wave.y + wave.begin)) for wave in self.waves]
        return np.asarray(self.up * bends[self.kind] + sum(ripples))

    def meets(self, eye: Floats, rays: Plane) -> Plane:
        """t at which rays (rows, cols, 3) meet the paper; beyond its edges as if it went on as high as they are."""
        t = -eye[2] / rays[..., 2].astype(np.float64)
        for _ in range(_STEPS):
            x, y = (eye[i] + t * rays[..., i] for i in (0, 1))
            t = (self.height(x.clip(0, self.size[0]), y.clip(0, self.size[1])) - eye[2]) / rays[..., 2]
        return np.asarray(t)

    def slope(self, x: Plane, y: Plane) -> tuple[Plane, Plane]:
        """How steeply the paper rises in x and in y, mm a mm."""
        across = self.height(x + _NEAR, y) - self.height(x - _NEAR, y)
        along = self.height(x, y + _NEAR) - self.height(x, y - _NEAR)
        return np.asarray(across / (2 * _NEAR), np.float32), np.asarray(along / (2 * _NEAR), np.float32)


def a_curl(size: tuple[float, float], high: float, rng: np.random.Generator) -> Curl:
    """Paper that rises by some `high` mm, in one of four ways."""
    kind, along = str(rng.choice(["up", "down", "ends", "waves"])), float(rng.choice([0, math.pi / 2]))
    wave = high / 4 if kind == "waves" else high * _SLIGHT
    waves = tuple(_a_wave(wave * float(rng.uniform(0.5, 1)), rng) for _ in range(2))
    return Curl(size, kind, high, along + float(rng.normal(0, 0.1)), waves)


def _a_wave(high: float, rng: np.random.Generator) -> Wave:
    often, angle = 2 * math.pi / rng.uniform(*_LONG), rng.uniform(0, 2 * math.pi)
    return Wave(high, often * math.cos(angle), often * math.sin(angle), float(rng.uniform(0, 2 * math.pi)))
