"""Pieces and arms as solids: pawns of three makes, marbles of glass, discs with a rounded rim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from calibration.evidence.lens import Floats
from calibration.evidence.shapes import Ball, Capsule, Cone, Lid, Part, Solid
from companion.model import Piece

_MAKES: Sequence[tuple[Sequence[tuple[float, float]], tuple[float, float]]] = (
    (((0.0, 1.0), (0.08, 1.0), (0.66, 0.36)), (0.78, 0.56)),  # a cone with a ball on it
    (((0.0, 0.96), (0.12, 1.0), (0.2, 0.7), (0.5, 0.42), (0.58, 0.62), (0.64, 0.40)), (0.80, 0.50)),  # with a collar
    (((0.0, 1.0), (0.16, 0.94), (0.24, 0.62), (0.7, 0.5)), (0.76, 0.60)),  # a stout one
)
"""Of each make the outline (height, radius) up to the neck, and the head (height of its middle, radius); shares of
the height, and of half the foot. The head's top is at the full height only nearly, as with real ones."""


def piece(kind: Piece, at: tuple[float, float, float], color: Floats, make: int, gloss: float, owner: str) -> Solid:
    """A piece whose foot stands at `at`. make: which of the pawns. color: linear BGR."""
    if kind.kind == "pawn":
        return Solid(_pawn(kind, at, make), color, gloss, owner=owner)
    if kind.kind == "marble":
        radius = kind.diameter / 2
        ball = Ball(np.array([at[0], at[1], at[2] + kind.height - radius]), radius)
        return Solid([ball], color, 1.0, grain=0.18, owner=owner)
    return Solid(_disc(kind, at), color, gloss, owner=owner)


def _pawn(kind: Piece, at: tuple[float, float, float], make: int) -> list[Part]:
    outline, (middle, size) = _MAKES[make % len(_MAKES)]
    half = kind.diameter / 2
    rings = [(at[2] + h * kind.height, r * half) for h, r in outline]
    parts: list[Part] = [Cone(at[0], at[1], low, high) for low, high in pairwise(rings)]
    parts.append(Lid(np.array([at[0], at[1], rings[-1][0]]), rings[-1][1]))
    parts.append(Ball(np.array([at[0], at[1], at[2] + middle * kind.height]), size * half))
    return parts


def _disc(kind: Piece, at: tuple[float, float, float]) -> list[Part]:
    half, top = kind.diameter / 2, at[2] + kind.height
    rim = (top - 0.6, half)
    return [
        Cone(at[0], at[1], (at[2] + 0.2, half), rim),
        Cone(at[0], at[1], rim, (top, half - 0.8)),
        Lid(np.array([at[0], at[1], top]), half - 0.8),
    ]


def arm(tip: Floats, angle: float, lift: float, skin: Floats, sleeve: Floats, rng: np.random.Generator) -> list[Solid]:
    """A hand whose finger tips are at `tip` (x, y), `lift` mm up; the arm goes off towards `angle` (radians)."""
    back = np.array([math.cos(angle), math.sin(angle)])
    side = np.array([-back[1], back[0]])

    def at(away: float, across: float, height: float) -> Floats:
        return np.array([*(tip + away * back + across * side), lift + height])

    fingers: list[Part] = []
    for k, long in enumerate((-30, -12, 6, 24)):
        curl = float(rng.uniform(0, 26))
        fingers.append(Capsule(at(62, 0.8 * long, 30), at(30 + curl / 2, long, 27 - curl / 3), 8.0))
        fingers.append(Capsule(at(30 + curl / 2, long, 27 - curl / 3), at(curl if k else 0, 0.9 * long, 2), 7.0))
    thumb = Capsule(at(85, 38, 22), at(30, 34, 4), 9.0)
    palm = [Capsule(at(66, across, 28), at(130, 0.5 * across, 32), 13.0) for across in (-28, -10, 10, 26)]
    wrist = Capsule(at(125, 0, 32), at(190, 0, 38), 25.0)
    cuff = Capsule(at(190, 0, 38), at(420, 0, 75), 42.0)
    upper = Capsule(at(420, 0, 75), at(900, 30, 160), 50.0)
    return [Solid([*fingers, thumb, *palm, wrist], skin, 0.15), Solid([cuff, upper], sleeve, 0.0, grain=0.05)]
