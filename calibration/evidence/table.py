"""The table that is cast: paper with what is printed on it, wood or cloth below, pieces, an arm and lights.

Colours are linear BGR, 0 to 1, float32 or float64. Lengths are mm of the sheet, z up from the table side of its paper.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from calibration.evidence.curled import Curl
from calibration.evidence.lens import Floats, Plane
from calibration.evidence.shapes import Solid
from calibration.evidence.sunshine import Panes
from companion.model import Sheet

_TILE = 512
Stuff = Callable[[Plane, Plane, Plane], Plane]
"""Colours (rows, cols, 3) of a table at x and y, with a tile of noise."""


@dataclass(frozen=True, eq=False, slots=True)
class Light:
    """A lamp or a window. points: (S, 3) of its surface. color: what it gives `home`, the middle of the board.

    pane: a window's corner and its two sides, (3, 3), which lacquer mirrors; None for a lamp, `radius` mm wide.
    through: a wall with openings, by which it comes.
    """

    points: Floats
    color: Floats
    radius: float
    home: Floats
    pane: Floats | None = None
    through: Panes | None = None

    @property
    def center(self) -> Floats:
        """Its middle."""
        return np.asarray(self.points.mean(axis=0))


@dataclass(frozen=True, eq=False, slots=True)
class Ground:
    """Board and table. paper: the print, linear BGR; thick: mm of the board above the table.

    ridge: how much higher (or lower) the fold across the middle is than the edges, mm. lacquer: 0 dull to 1 mirror.
    cloth: what the table is, one of TABLES. grain: a tile of noise for it, (512, 512) float32.
    curl: how the board bends instead, if it is of paper that does.
    """

    sheet: Sheet
    paper: Plane
    thick: float
    ridge: float
    lacquer: float
    cloth: str
    grain: Plane
    curl: Curl | None = None

    def height(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
        """How high the board's face lies at x and y."""
        if self.curl is not None:
            return self.curl.height(x, y)
        half = self.sheet.width / 2
        return np.asarray(max(0.0, -self.ridge) + self.ridge * (1 - np.abs(np.asarray(x) - half) / half))

    def meets(self, eye: Floats, rays: Plane) -> tuple[Plane, npt.NDArray[np.bool_]]:
        """t at which rays (rows, cols, 3) meet the ground, and whether the board's face, or else the table."""
        half = self.sheet.width / 2
        table = ((-self.thick - eye[2]) / rays[..., 2]).astype(np.float32)
        best, on_board = table.copy(), np.zeros(table.shape, bool)
        if self.curl is not None:
            there = np.asarray(self.curl.meets(eye, rays), np.float32)
            on_board = self._holds(eye[0] + there * rays[..., 0], eye[1] + there * rays[..., 1])
            return np.where(on_board, there, table), on_board
        for side in (-1.0, 1.0) if self.ridge else (0.0,):
            bend = np.float32(self.ridge / half * side)
            lift = np.float32(max(0.0, -self.ridge) + self.ridge - bend * (eye[0] - half) - eye[2])
            t = lift / (rays[..., 2] + bend * rays[..., 0] if self.ridge else rays[..., 2])
            x, y = np.float32(eye[0] - half) + t * rays[..., 0], np.float32(eye[1]) + t * rays[..., 1]
            good = (side * x >= 0) & (np.abs(x) <= half) & (y >= 0) & (y <= self.sheet.height) & (t < best)
            best[good], on_board[good] = t[good], True
        return best, on_board

    def _holds(self, x: Plane, y: Plane) -> npt.NDArray[np.bool_]:
        return np.asarray((x >= 0) & (x <= self.sheet.width) & (y >= 0) & (y <= self.sheet.height))

    @property
    def flat(self) -> bool:
        """Whether the board's face neither folds nor bends."""
        return not self.ridge and self.curl is None

    def normal(self, x: Plane, y: Plane) -> Plane:
        """Unit normals of the board's face at x and y, (rows, cols, 3)."""
        half = self.sheet.width / 2
        lean, tip = np.sign(x - half) * np.float32(self.ridge / half), np.zeros_like(x)
        if self.curl is not None:
            lean, tip = (-steep for steep in self.curl.slope(x, y))
        steep = np.stack([lean, tip, np.ones_like(x)], -1)
        return np.asarray(steep / np.linalg.norm(steep, axis=2, keepdims=True), np.float32)

    def colors(self, points: Plane, on_board: npt.NDArray[np.bool_]) -> Plane:
        """Colours of ground points (rows, cols, 3): the print, the board's edge, or the table."""
        x, y = np.ascontiguousarray(points[..., 0]), np.ascontiguousarray(points[..., 1])
        scale = self.paper.shape[1] / self.sheet.width
        half = self.sheet.width / 2
        printed = cv2.remap(self.paper, x * scale - 0.5, y * scale - 0.5, cv2.INTER_LINEAR, borderMode=1)
        if self.ridge:
            printed = printed * (1 - 0.4 * np.exp(-(((x - half) / 0.5) ** 2)))[..., None]
        out = TABLES[self.cloth](x, y, self.grain)
        beside = np.hypot(np.maximum(np.abs(x - half) - half, 0), _beyond(y, self.sheet.height))
        out = out * (1 - 0.45 * np.exp(-beside / (1 + self.thick)))[..., None]
        edge = ~on_board & (beside == 0)
        out[edge] = (0.25, 0.30, 0.34)
        fibre = 1 + 0.02 * _noise(self.grain, x, y, 3.0)[..., None]
        return np.asarray(np.where(on_board[..., None], printed * fibre, out), np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """All that a camera can see. sky: what comes from everywhere, linear BGR."""

    ground: Ground
    solids: Sequence[Solid]
    lights: Sequence[Light]
    sky: Floats = field(default_factory=lambda: np.full(3, 0.3))


def paper_of(texture: npt.NDArray[np.uint8], ink: float) -> Plane:
    """A print, linear BGR, from a texture, uint8 BGR. ink: 1 for deep black and full colours, less for pale ones."""
    levels = np.arange(256, dtype=np.float32) / 255
    straight = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    paper = np.asarray(cv2.LUT(texture, straight), np.float32)
    grey = ((paper[..., 0] + paper[..., 1] + paper[..., 2]) / 3)[..., None]
    paper -= grey  # in place, and in this order: pictures of a seed stay the same, bit by bit
    paper *= ink
    paper += grey
    paper *= 0.82
    paper *= ink
    paper += 0.03
    paper += 0.82 * (1 - ink) * 0.5
    return paper


def grain_of(rng: np.random.Generator) -> Plane:
    """A tile of noise that wraps round, −1 to 1, coarse and fine together."""
    total = np.zeros((_TILE, _TILE), np.float32)
    for octave, weight in ((16, 0.5), (64, 0.3), (256, 0.2)):
        rough = rng.uniform(-1, 1, (octave, octave)).astype(np.float32)
        tiled = cv2.resize(np.tile(rough, (3, 3)), (3 * _TILE, 3 * _TILE), interpolation=cv2.INTER_CUBIC)
        total += weight * tiled[_TILE : 2 * _TILE, _TILE : 2 * _TILE]
    return total


def _noise(grain: Plane, x: Plane, y: Plane, scale: float, along: float = 1.0) -> Plane:
    """Noise at (x, y) mm; scale: pixels of the tile per mm; along: how much longer it is in y."""
    u, v = np.mod(x * scale, _TILE - 1), np.mod(y * (scale / along), _TILE - 1)
    return np.asarray(cv2.remap(grain, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR), np.float32)


def _beyond(y: Plane, length: float) -> Plane:
    return np.asarray(np.maximum(np.abs(y - length / 2) - length / 2, 0), np.float32)


def _wood(tone: tuple[float, float, float], contrast: float) -> Stuff:
    def boards(x: Plane, y: Plane, grain: Plane) -> Plane:
        rings = np.sin(x / 7 + 4 * _noise(grain, x, y, 1 / 6, 10.0)) + 0.6 * _noise(grain, x, y, 4.0, 12.0)
        joint = 1 - 0.5 * np.exp(-((np.mod(x, 140) - 70) ** 2))
        return np.asarray(np.array(tone) * ((1 + contrast * rings) * joint)[..., None], np.float32)

    return boards


def _checked(x: Plane, y: Plane, grain: Plane) -> Plane:
    stripes = (np.mod(x, 44) < 22).astype(np.float32) + (np.mod(y, 44) < 22)
    weave = 1 + 0.12 * np.sin(x * 4) * np.sin(y * 4) + 0.1 * _noise(grain, x, y, 0.5)
    white, red = np.array([0.62, 0.64, 0.66]), np.array([0.10, 0.08, 0.45])
    return np.asarray((white + (red - white) * (stripes / 2)[..., None]) * weave[..., None], np.float32)


def _plain(tone: tuple[float, float, float], rough: float) -> Stuff:
    def cloth(x: Plane, y: Plane, grain: Plane) -> Plane:
        return np.asarray(np.array(tone) * (1 + rough * _noise(grain, x, y, 2.0))[..., None], np.float32)

    return cloth


TABLES: dict[str, Stuff] = {
    "oak": _wood((0.11, 0.24, 0.40), 0.14),
    "walnut": _wood((0.03, 0.06, 0.11), 0.22),
    "white": _plain((0.70, 0.72, 0.72), 0.03),
    "felt": _plain((0.05, 0.13, 0.04), 0.25),
    "grey": _plain((0.20, 0.20, 0.19), 0.15),
    "checked": _checked,
}


def lamp(center: Floats, radius: float, color: Floats, home: Floats, samples: int = 9) -> Light:
    """A round lamp that faces the middle of the board: points in a spiral on its face."""
    k = np.arange(samples)
    far, angle = radius * np.sqrt((k + 0.5) / samples), k * math.pi * (3 - math.sqrt(5))
    depth = (center - home) / np.linalg.norm(center - home)
    side = np.cross(depth, (0.0, 0.0, 1.0)) + np.array([1e-6, 0, 0])
    side /= np.linalg.norm(side)
    points = center + (far * np.cos(angle))[:, None] * side + (far * np.sin(angle))[:, None] * np.cross(side, depth)
    return Light(points, color, radius, home)


def window(corner: Floats, across: Floats, up: Floats, color: Floats, home: Floats) -> Light:
    """A window from its lower corner and its sides."""
    shares = [(i / 4 + 1 / 8, j / 3 + 1 / 6) for i in range(4) for j in range(3)]
    points = np.array([corner + a * across + b * up for a, b in shares])
    return Light(points, color, float(np.linalg.norm(across)) / 2, home, np.array([corner, across, up]))
