"""What can lie in a cast tray: dice with round corners and pips, and boxes, met by marching along each ray.

Points are (N, 3) in mm of the sheet, z up. Colours are linear BGR, 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.evidence.lens import Floats

_STEPS = 48
_CLOSE = 0.02  # mm: so near is a hit
PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 3, 6, 2, 5, 8)}
"""Places of a face's pips, of three times three."""
_FACES = ((3, 4), (5, 2), (1, 6))
"""Values of the two faces of each axis, the one towards minus first; opposite ones make 7."""


@dataclass(frozen=True, slots=True)
class Make:
    """How a die is made. edge: mm. corner: radius of its edges, of the edge. ball: radius of the ball that cuts its
    corners, of the edge. spacing, pip: from the middle to an outer pip, and a pip's radius, of the edge. sunk: 0
    painted to 1 deep. ace: how much larger the single pip is. mirrored: left-handed."""

    edge: float
    body: tuple[float, float, float]
    pips: tuple[float, float, float]
    ace_color: tuple[float, float, float]
    corner: float = 0.12
    ball: float = 0.75
    spacing: float = 0.25
    pip: float = 0.09
    sunk: float = 0.6
    ace: float = 1.0
    gloss: float = 0.5
    mirrored: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class CastDie:
    """A die somewhere. axes: (3, 3), rows are its own directions. center: its middle."""

    make: Make
    center: Floats
    axes: Floats

    @property
    def value(self) -> int:
        """What the face says that looks up most."""
        axis = int(np.abs(self.axes[:, 2]).argmax())
        return _FACES[axis][int((self.axes[axis, 2] > 0) ^ self._flipped(axis))]

    def _flipped(self, axis: int) -> bool:
        return self.make.mirrored and axis == 0

    @property
    def leaning(self) -> float:
        """How far that face is from level, degrees."""
        return float(np.degrees(np.arccos(min(1.0, float(np.abs(self.axes[:, 2]).max())))))

    def bounds(self) -> tuple[Floats, float]:
        """A ball that holds it."""
        return self.center, 0.87 * self.make.edge

    def far(self, points: Floats) -> Floats:
        """How far, at least, points are from its surface, mm; negative inside."""
        half, round_ = self.make.edge / 2, self.make.corner * self.make.edge
        own = (points - self.center) @ self.axes.T
        out = np.abs(own) - (half - round_)
        box = length(np.maximum(out, 0)) + np.minimum(_most(out), 0) - round_
        ball = length(own) - self.make.ball * self.make.edge
        return np.asarray(np.maximum(box, ball))

    def hit(self, origin: Floats, towards: Floats) -> Floats:
        """t of the first meeting of rays (unit directions), ∞ where there is none."""
        middle, radius = self.bounds()
        off = middle - origin
        along = dots(off, towards)
        square = dots(off, off) - along**2
        maybe = np.flatnonzero((square < radius**2) & (along > -radius))
        found = np.full(len(towards), np.inf)
        start = np.broadcast_to(origin, towards.shape)[maybe]
        t = np.maximum(along[maybe] - np.sqrt(np.maximum(radius**2 - square[maybe], 0)), 1e-3)
        left = along[maybe] + np.sqrt(np.maximum(radius**2 - square[maybe], 0))
        step, towards, going = np.ones(len(maybe)), towards[maybe], np.arange(len(maybe))
        for _ in range(_STEPS):
            step[going] = self.far(start[going] + t[going, None] * towards[going])
            going = going[(step[going] > _CLOSE) & (t[going] < left[going])]
            t[going] += step[going]
        found[maybe] = np.where((step <= 2 * _CLOSE) & (t < left), t, np.inf)
        return found

    def normal(self, points: Floats) -> Floats:
        """Unit normals by small differences; sunken pips bend them."""
        step = 0.02
        slopes = [self.far(points + step * axis) - self.far(points - step * axis) for axis in np.eye(3)]
        plain = np.stack(slopes, axis=1)
        plain /= np.maximum(length(plain), 1e-9)[:, None]
        bent = plain + 0.9 * self.make.sunk * self._pips(points)[1]
        return np.asarray(bent / np.maximum(length(bent), 1e-9)[:, None])

    def colors(self, points: Floats) -> Floats:
        """Colours at points on it; a sunken pip gets less light."""
        depth, _, ace = self._pips(points)
        ink = np.where(ace[:, None], self.make.ace_color, self.make.pips) * (1 - 0.25 * self.make.sunk)
        return np.asarray(np.array(self.make.body) + (ink - np.array(self.make.body)) * depth[:, None])

    def _pips(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        """Which points lie in a pip (0 to 1), the way to its middle as a share of its radius (N, 3), and on the ace."""
        own = (points - self.center) @ self.axes.T / self.make.edge
        axis = np.abs(own).argmax(axis=1)
        inside, pull, ace = np.zeros(len(own)), np.zeros_like(own), np.zeros(len(own), bool)
        for a in range(3):
            for up in (False, True):
                on = np.flatnonzero((axis == a) & ((own[:, a] > 0) == up))
                value = _FACES[a][int(up ^ self._flipped(a))]
                flat = own[on][:, [b for b in range(3) if b != a]]
                radius = self.make.pip * (self.make.ace if value == 1 else 1.0)
                ace[on] = value == 1
                for place in PIPS[value]:
                    off = self.make.spacing * np.array([place % 3 - 1, place // 3 - 1]) - flat
                    far = np.linalg.norm(off, axis=1) / radius
                    within = np.clip((1 - far) * radius * self.make.edge / 0.12 + 0.5, 0, 1)
                    inside[on] = np.maximum(inside[on], within)
                    sides = np.zeros((len(on), 3))
                    sides[:, [b for b in range(3) if b != a]] = off / radius * (within > 0.5)[:, None]
                    pull[on] += sides
        return inside, pull @ self.axes, ace


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """A box along the axes: a part of the tray's rim."""

    low: Floats
    high: Floats
    color: Floats

    def hit(self, origin: Floats, towards: Floats) -> Floats:
        """t of the first meeting from outside, ∞ where there is none."""
        slow = np.where(np.abs(towards) < 1e-9, 1e-9, towards)
        one, other = (self.low - origin) / slow, (self.high - origin) / slow
        near, far = _most(np.minimum(one, other)), -_most(-np.maximum(one, other))
        return np.asarray(np.where((near < far) & (near > 1e-3), near, np.inf))

    def normal(self, points: Floats) -> Floats:
        """Unit normals."""
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        share = (points - middle) / half
        axis = np.abs(share).argmax(axis=1)
        out = np.zeros_like(points)
        out[np.arange(len(points)), axis] = np.sign(share[np.arange(len(points)), axis])
        return out


def dots(one: Floats, other: Floats) -> Floats:
    """The products of vectors, (…, 3) each: (…,). NumPy's own sums over so short an axis take several times as long."""
    return np.asarray(np.einsum("...k,...k->...", one, other))


def length(vectors: Floats) -> Floats:
    """The lengths of vectors, (…, 3): (…,)."""
    return np.sqrt(dots(vectors, vectors))


def _most(vectors: Floats) -> Floats:
    """The largest of each vector's numbers, (…, 3): (…,)."""
    return np.asarray(np.maximum(np.maximum(vectors[..., 0], vectors[..., 1]), vectors[..., 2]))


def turned(value: int, turn: float, make: Make, rng: np.random.Generator) -> Floats:
    """The axes of a die that shows `value` on top, turned by radians about the vertical."""
    while True:
        order = rng.permutation(3)
        axes = np.zeros((3, 3))
        axes[np.arange(3), order] = rng.choice([-1.0, 1.0], 3)
        if np.linalg.det(axes) > 0 and CastDie(make, np.zeros(3), axes).value == value:
            c, s = np.cos(turn), np.sin(turn)
            return np.asarray(axes @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]]))


def leant(axes: Floats, about: float, angle: float) -> Floats:
    """The axes leant by `angle` radians about the level direction `about` (radians)."""
    k = np.array([np.cos(about), np.sin(about), 0.0])
    c, s = np.cos(angle), np.sin(angle)
    cross = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    turn = c * np.eye(3) + s * cross + (1 - c) * np.outer(k, k)
    return np.asarray(axes @ turn.T)


def lowest(make: Make, axes: Floats) -> float:
    """How far the lowest point of a die is below its middle, mm."""
    inner = (0.5 - make.corner) * make.edge * np.abs(axes[:, 2]).sum()
    return float(min(inner + make.corner * make.edge, make.ball * make.edge))
