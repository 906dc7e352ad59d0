"""Sun that falls through a window: patches of light with the shadows of its bars, or the stripes of a blind."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from calibration.evidence.lens import Floats, Plane, dot

_WIDE = 0.0093  # radians: how wide the sun is
_FAR = 20000.0  # mm to where it is put: far enough for rays that hardly part over a board
_HIGH = (18.0, 55.0)  # degrees
_BLIND = 0.35  # share of windows that have one


@dataclass(frozen=True, eq=False, slots=True)
class Panes:
    """The openings of an upright wall. foot: a point at its foot. out: its normal, towards the light.

    columns, rows: from where to where it is open, mm beside `foot` and above it, (N, 2) each: an opening each of both.
    """

    foot: Floats
    out: Floats
    columns: Floats
    rows: Floats

    def let_through(self, points: Plane, light: Floats) -> Plane:
        """The share, 0 to 1, of the sun at `light` that reaches points, (rows, cols, 3): (rows, cols)."""
        towards = light.astype(np.float32) - points
        way = dot(self.foot.astype(np.float32) - points, self.out) / dot(towards, self.out)
        met = points + way[..., None] * towards - self.foot.astype(np.float32)
        soft = _WIDE * way * np.sqrt(dot(towards, towards))
        along = np.array([-self.out[1], self.out[0], 0.0])
        beside, above = _open(dot(met, along), self.columns, soft), _open(met[..., 2], self.rows, soft)
        return np.asarray(beside * above, np.float32)


def _open(at: Plane, gaps: Floats, soft: Plane) -> Plane:
    """The share of the sun, 0 to 1, that gaps from here to there, (N, 2), show at some places; soft: how wide it is."""
    shown = np.zeros(at.shape, np.float32)
    for start, end in gaps.astype(np.float32):
        shown += np.clip((at - start) / soft + 0.5, 0, 1) - np.clip((at - end) / soft + 0.5, 0, 1)
    return shown


def sun_through(home: Floats, reach: float, rng: np.random.Generator) -> tuple[Floats, float, Panes]:
    """Where the sun stands, its radius, mm, and a window by which it reaches the board.

    home: the middle of the board. reach: how far from there the middle of a patch of light may be, mm.
    """
    side, high = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(*_HIGH))
    out = np.array([math.cos(side), math.sin(side), 0.0])
    at = home + _FAR * (math.cos(high) * out + math.sin(high) * np.array([0.0, 0.0, 1.0]))
    patch, far = home + np.append(rng.uniform(-reach, reach, 2), 0), rng.uniform(700, 2500)
    height = far * math.tan(high)
    along, foot = np.array([-out[1], out[0], 0.0]), home + far * out
    middle = float((patch - home) @ along)
    wide, tall = rng.uniform(250, 900), rng.uniform(0.5, 1.5) * 400 * math.tan(high)
    columns = _bars(middle + rng.uniform(-0.3, 0.3) * wide, wide, int(rng.integers(1, 4)), rng.uniform(20, 60))
    low = height + rng.uniform(-0.3, 0.3) * tall
    if rng.uniform() < _BLIND:
        pitch, share = rng.uniform(25, 60), rng.uniform(0.3, 0.6)
        rows = _bars(low, tall, max(2, round(tall / pitch)), pitch * (1 - share))
    else:
        rows = _bars(low, tall, int(rng.integers(1, 4)), rng.uniform(20, 60))
    return at, _WIDE / 2 * _FAR, Panes(foot, out, columns, rows)


def _bars(middle: float, wide: float, count: int, bar: float) -> Floats:
    """The gaps between bars, (count, 2), in an opening `wide` mm wide."""
    starts = middle - wide / 2 + (wide + bar) / count * np.arange(count)
    return np.column_stack([starts, starts + (wide + bar) / count - bar])
