"""What a ray can meet: balls, cones, lids and capsules, each solved exactly.

A ray is origin + t · towards; origins are (3,) or (N, 3), directions (N, 3), t (N,), ∞ where nothing is met.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from calibration.evidence.lens import Floats

NEAR = 1e-3
"""A ray meets nothing nearer than this, so that a surface does not shade itself."""


class Part(Protocol):
    """One surface."""

    def hit(self, origin: Floats, towards: Floats) -> Floats:
        """t of the first meeting."""
        ...

    def normal(self, points: Floats) -> Floats:
        """Unit normals (N, 3) at points on it, outwards."""
        ...

    def bounds(self) -> tuple[Floats, float]:
        """Middle and radius of a ball that holds it."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class Ball:
    """A sphere."""

    center: Floats
    radius: float

    def hit(self, origin: Floats, towards: Floats) -> Floats:
        """t of the first meeting."""
        from_center = origin - self.center
        a = (towards**2).sum(-1)
        b = (from_center * towards).sum(-1)
        return _first_root(a, b, (from_center**2).sum(-1) - self.radius**2)

    def normal(self, points: Floats) -> Floats:
        """Unit normals."""
        return np.asarray((points - self.center) / self.radius)

    def bounds(self) -> tuple[Floats, float]:
        """Itself."""
        return self.center, self.radius


@dataclass(frozen=True, eq=False, slots=True)
class Cone:
    """The side of an upright cone cut off at two heights (a cylinder where both radii are the same)."""

    x: float
    y: float
    low: tuple[float, float]  # height, radius
    high: tuple[float, float]

    @property
    def _slope(self) -> float:
        return (self.high[1] - self.low[1]) / (self.high[0] - self.low[0])

    def hit(self, origin: Floats, towards: Floats) -> Floats:
        """t of the first meeting, from outside or inside."""
        ox, oy, oz = origin[..., 0] - self.x, origin[..., 1] - self.y, origin[..., 2]
        dx, dy, dz = towards[..., 0], towards[..., 1], towards[..., 2]
        wide = self.low[1] + self._slope * (oz - self.low[0])
        a = dx**2 + dy**2 - (self._slope * dz) ** 2
        b = ox * dx + oy * dy - self._slope * dz * wide
        root = np.sqrt(np.maximum(b**2 - a * (ox**2 + oy**2 - wide**2), 0))
        real = b**2 >= a * (ox**2 + oy**2 - wide**2)
        a = np.where(np.abs(a) < 1e-12, 1e-12, a)
        best = np.full(np.broadcast(ox, dx).shape, np.inf)
        for t in ((-b - root) / a, (-b + root) / a):
            z = oz + t * dz
            good = real & (t > NEAR) & (z >= self.low[0]) & (z <= self.high[0]) & (t < best)
            best = np.where(good, t, best)
        return best

    def normal(self, points: Floats) -> Floats:
        """Unit normals."""
        out = points - np.array([self.x, self.y, 0.0])
        flat = np.hypot(out[:, 0], out[:, 1])
        steep = np.column_stack([out[:, :2], -self._slope * flat])
        return np.asarray(steep / np.maximum(np.linalg.norm(steep, axis=1, keepdims=True), 1e-9))

    def bounds(self) -> tuple[Floats, float]:
        """A ball round both rims."""
        half = (self.high[0] - self.low[0]) / 2
        return np.array([self.x, self.y, self.low[0] + half]), float(np.hypot(half, max(self.low[1], self.high[1])))


@dataclass(frozen=True, eq=False, slots=True)
class Lid:
    """A level disc, seen from above."""

    center: Floats
    radius: float

    def hit(self, origin: Floats, towards: Floats) -> Floats:
        """t of the meeting."""
        down = np.where(np.abs(towards[..., 2]) < 1e-12, 1e-12, towards[..., 2])
        t = (self.center[2] - origin[..., 2]) / down
        x = origin[..., 0] + t * towards[..., 0] - self.center[0]
        y = origin[..., 1] + t * towards[..., 1] - self.center[1]
        return np.where((t > NEAR) & (x**2 + y**2 <= self.radius**2), t, np.inf)

    def normal(self, points: Floats) -> Floats:
        """Straight up."""
        return np.tile([0.0, 0.0, 1.0], (len(points), 1))

    def bounds(self) -> tuple[Floats, float]:
        """A ball round the rim."""
        return self.center, self.radius


@dataclass(frozen=True, eq=False, slots=True)
class Capsule:
    """A round bar with round ends: a finger, a wrist, an arm in its sleeve."""

    start: Floats
    end: Floats
    radius: float

    def hit(self, origin: Floats, towards: Floats) -> Floats:
        """t of the first meeting: with the bar between its ends, else with one of the ends."""
        along = self.end - self.start
        out = origin - self.start
        whole = float(along @ along)
        speed, place = towards @ along, out @ along
        a = whole * (towards**2).sum(-1) - speed**2
        b = whole * (out * towards).sum(-1) - place * speed
        c = whole * (out**2).sum(-1) - place**2 - self.radius**2 * whole
        bar = _first_root(a, b, c)
        where = place + np.where(np.isfinite(bar), bar, 0) * speed
        best = np.where((where > 0) & (where < whole), bar, np.inf)
        for end in (self.start, self.end):
            best = np.minimum(best, Ball(end, self.radius).hit(origin, towards))
        return best

    def normal(self, points: Floats) -> Floats:
        """Unit normals."""
        along = self.end - self.start
        share = np.clip((points - self.start) @ along / (along @ along), 0, 1)
        return np.asarray((points - self.start - share[:, None] * along) / self.radius)

    def bounds(self) -> tuple[Floats, float]:
        """A ball round both ends."""
        return (self.start + self.end) / 2, float(np.linalg.norm(self.end - self.start)) / 2 + self.radius


def _first_root(a: Floats, b: Floats, c: Floats) -> Floats:
    """The smaller root of a t² + 2 b t + c beyond NEAR, (N,); the larger one is behind a surface met from outside."""
    inside = b**2 - a * c
    t = (-b - np.sqrt(np.maximum(inside, 0))) / np.maximum(a, 1e-12)
    return np.asarray(np.where((inside >= 0) & (t > NEAR), t, np.inf))


@dataclass(frozen=True, eq=False, slots=True)
class Solid:
    """Several surfaces of one stuff. color: of the stuff, linear BGR 0 to 1. gloss: 0 dull to 1 glass.

    grain: how uneven its colour is, 0 to 1. owner: the space on which it stands, "" for an arm.
    """

    parts: Sequence[Part]
    color: Floats
    gloss: float
    grain: float = 0.0
    owner: str = ""

    def bounds(self) -> tuple[Floats, float]:
        """Middle and radius of a ball that holds it."""
        balls = [part.bounds() for part in self.parts]
        middle = np.mean([center for center, _ in balls], axis=0)
        return middle, max(float(np.linalg.norm(center - middle)) + radius for center, radius in balls)
