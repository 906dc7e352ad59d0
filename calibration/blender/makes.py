"""Pieces as Blender is told of them: outlines that are turned on a lathe or sawn, of several makes for each kind."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from calibration.evidence.lens import Floats
from companion.model import Piece

Outline = list[tuple[float, float]]
"""Radius and height, mm, from the foot upwards; of what is sawn, all round: across and height."""


def _arc(middle: float, size: float, low: float, steps: int = 10) -> Outline:
    """The outline of a ball on something: from `low` radians below its middle to nearly its top."""
    angles = np.linspace(low, 0.97 * math.pi / 2, steps)
    return [(size * math.cos(a), middle + size * math.sin(a)) for a in angles]


def _cone(half: float, high: float) -> Outline:
    ball = 0.52 * half
    return [(half, 0.0), (half, 0.07 * high), (0.3 * half, high - 1.8 * ball), *_arc(high - ball, ball, -0.9)]


def _collared(half: float, high: float) -> Outline:
    ball = 0.48 * half
    foot = [(0.94 * half, 0.0), (half, 0.05 * high), (0.95 * half, 0.13 * high), (0.6 * half, 0.22 * high)]
    neck = [
        (0.36 * half, 0.55 * high),
        (0.6 * half, 0.58 * high),
        (0.6 * half, 0.62 * high),
        (0.34 * half, 0.65 * high),
    ]
    return [*foot, *neck, *_arc(high - ball, ball, -0.9)]


def _halma(half: float, high: float) -> Outline:
    """One smooth line from a broad foot to a round head."""
    ball = 0.58 * half
    foot = [(half * (0.42 + 0.58 * math.cos(a)), 0.55 * high * math.sin(a)) for a in np.linspace(0, 1.35, 8)]
    return [*foot, (0.40 * half, 0.62 * high), *_arc(high - ball, ball, -0.8)]


def _peg(half: float, high: float) -> Outline:
    """A round stick, a little wider above."""
    low, up = 0.62 * half, 0.7 * half
    return [(low, 0.0), (low, 0.5 * high), (up, 0.86 * high), (0.85 * up, 0.96 * high), (0.3 * up, high)]


def _barrel(half: float, high: float) -> Outline:
    ball = 0.62 * half
    sides = [(half * (0.86 + 0.14 * math.sin(math.pi * s)), 0.5 * high * s) for s in np.linspace(0, 1, 6)]
    return [*sides, (0.5 * half, 0.56 * high), *_arc(high - ball, ball, -0.7)]


def _marble(half: float, high: float) -> Outline:
    """A ball whose top is at `high`; what would lie lower than the board's face is in its hole."""
    angles = np.linspace(-0.97 * math.pi / 2, 0.97 * math.pi / 2, 20)
    return [(half * math.cos(a), high - half + half * math.sin(a)) for a in angles]


def _flat(half: float, high: float) -> Outline:
    rim = min(0.8, 0.3 * high)
    return [(half - rim, 0.0), (half, rim), (half, high - rim), (half - rim, high)]


def _ridged(half: float, high: float) -> Outline:
    """A draughtsman: a raised rim, and rings turned into its top."""
    top = [(0.97 * half, high), (0.84 * half, high), (0.80 * half, 0.8 * high), (0.62 * half, 0.8 * high)]
    return [(half, 0.0), (half, 0.9 * high), *top, (0.58 * half, 0.94 * high), (0.5 * half, 0.94 * high),
            (0.46 * half, 0.8 * high), (0.05 * half, 0.8 * high)]  # fmt: skip


def _meeple(half: float, high: float) -> Outline:
    """A figure with arms and legs, as sawn out of wood, half of it; see `_mirrored`."""
    return [
        (0.25 * half, 0.0),
        (half, 0.0),
        (0.72 * half, 0.35 * high),
        (1.05 * half, 0.52 * high),
        (0.98 * half, 0.64 * high),
        (0.42 * half, 0.68 * high),
        (0.42 * half, 0.85 * high),
        (0.22 * half, high),
    ]


Make = Callable[[float, float], Outline]
LATHES: Mapping[str, Sequence[Make]] = {
    "pawn": (_cone, _collared, _halma, _peg, _barrel, _meeple),
    "marble": (_marble,),
    "disc": (_flat, _ridged),
}
"""Kind of piece → its makes."""


def piece(
    kind: Piece, make: int, at: tuple[float, float, float], turn: float, surface: Mapping[str, Any]
) -> dict[str, Any]:
    """A piece whose foot stands at `at`, mm. make: any number."""
    of = LATHES[kind.kind][make % len(LATHES[kind.kind])]
    outline, sawn = of(kind.diameter / 2, kind.height), of is _meeple
    if sawn:
        outline = outline + [(-x, z) for x, z in reversed(outline)]
    told: dict[str, Any] = {"outline": outline, "at": list(at), "turn": turn, "surface": dict(surface)}
    return {**told, "flat": 0.62 * kind.diameter} if sawn else told


def fallen(told: dict[str, Any], turn: float) -> dict[str, Any]:
    """A piece as it lies, its middle where its foot stood, its head towards `turn`, radians: on the edge of its foot
    and on its head, or on its belly; what is sawn, on its face."""
    outline, (x, y, floor) = told["outline"], told["at"]
    rim, low = max(outline[: len(outline) // 2])
    slope = min(0.0, max((wide - rim) / (high - low) for wide, high in outline if high > low))
    axis = rim - slope * low if slope else max(wide for wide, _ in outline)
    if "flat" in told:
        slope, axis = 0.0, told["flat"] / 2
    bend, middle = math.atan(slope), max(high for _, high in outline) / 2
    along, aside = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn), 0.0)
    tall = (math.cos(bend) * along[0], math.cos(bend) * along[1], math.sin(bend))
    foot = [x - middle * tall[0], y - middle * tall[1], floor + axis * math.cos(bend)]
    return {**told, "at": foot, "axes": [aside, np.cross(tall, aside).tolist(), tall]}


def stuff_of(color: str, off: float, rng: np.random.Generator) -> Floats:
    """Linear red, green, blue near "#rrggbb"; off: how far, 1 for pieces that are meant to be of it."""
    levels = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    straight = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    grey = straight.mean()
    faded = grey + (straight - grey) * (1 + off * rng.normal(0, 0.12))
    return np.asarray(
        np.clip(faded * np.exp(off * rng.normal(0, 0.16, 3)) * math.exp(off * rng.normal(0, 0.2)), 0.012, 0.86)
    )
