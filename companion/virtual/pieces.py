"""How pretend pieces look: pawns turned on a lathe, marbles in their holes, and discs that lie on each other.

Lengths are millimetres; colours are float BGR, already in today's light. Frames are uint8 BGR, shape (rows, cols, 3).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.virtual.tabletop import Pawn, Point

Frame = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Color = tuple[int, int, int]

_PROFILE = ((0.0, 1.0), (0.10, 1.0), (0.16, 0.80), (0.26, 0.56), (0.42, 0.42), (0.56, 0.36), (0.62, 0.40))
"""A pawn turned on a lathe below its head: height and radius, as shares of the pawn's height and half its diameter."""
_HEAD = 0.80, 0.62
_BALL = ((0.0, 1.0, 0.5), (0.18, 0.9, 0.68), (0.36, 0.74, 0.86), (0.52, 0.56, 1.0), (0.66, 0.38, 1.12))
"""A marble's shading: how far towards the light, as a share of its radius; size; tone."""


@dataclass(frozen=True, eq=False)
class Brush:
    """Draws pieces as one camera sees them. project: board points (N, 3) to pixels (N, 2). lamp: to the light.

    shine: how bright a glint is.
    """

    piece: Piece
    project: Callable[[npt.ArrayLike], Floats]
    lamp: tuple[float, float, float]
    shine: float

    def draw(self, frame: Frame, pawn: Pawn, color: Floats) -> None:
        """One piece."""
        {"pawn": self._pawn, "marble": self._marble, "disc": self._disc}[self.piece.kind](frame, pawn, color)

    def shadow(self, pawn: Pawn) -> npt.NDArray[np.int32]:
        """The outline of the shadow that a piece throws on the sheet, in pixels."""
        half = self.piece.diameter / 2
        away = np.array(self.lamp[:2]) / self.lamp[2]
        rings = [
            ring(pawn.at, half * width, 16) - away * (pawn.foot + self.piece.height * share)
            for share, width in self._outline()
        ]
        flat = np.vstack(rings)
        pixels = self.project(np.column_stack([flat, np.zeros(len(flat))]))
        return np.asarray(cv2.convexHull(pixels.astype(np.int32)), np.int32)

    def _outline(self) -> tuple[tuple[float, float], ...]:
        """Height and radius, as shares, of the circles that throw the shadow."""
        if self.piece.kind == "pawn":
            return (*_PROFILE, _HEAD)
        if self.piece.kind == "disc":
            return (0.0, 1.0), (1.0, 1.0)
        share = self.piece.diameter / self.piece.height
        return tuple((1 - share * (0.5 - 0.5 * lift), math.sqrt(1 - lift**2)) for lift in (-0.6, 0.0, 0.6))

    # --- pawns ---

    def _pawn(self, frame: Frame, pawn: Pawn, color: Floats) -> None:
        """Discs of the lathe from the foot up, each with a dark side and a lighter one to the lamp; then the head."""
        height, half = self.piece.height, self.piece.diameter / 2
        rings, tones = [], []
        for k in range(14):
            share = 0.64 * k / 13
            radius = half * float(np.interp(share, *np.array(_PROFILE).T))
            side = self._towards_light() * radius * 0.35
            for offset, size, tone in ((0.0, 1.0, 0.75), (1.0, 0.62, 1.15)):
                flat = ring(pawn.at, radius * size, 16) + side * offset
                rings.append(np.column_stack([flat, np.full(16, pawn.foot + share * height)]))
                tones.append(color * (0.55 + 0.35 * share) * tone)
        pixels = np.round(self.project(np.vstack(rings))).astype(np.int32)
        for outline, tint in zip(pixels.reshape(-1, 16, 2), tones, strict=True):
            cv2.fillConvexPoly(frame, outline, paint(tint), cv2.LINE_AA)
        self._head(frame, pawn, color, height, half)

    def _head(self, frame: Frame, pawn: Pawn, color: Floats, height: float, half: float) -> None:
        radius = half * _HEAD[1]
        center = (*pawn.at, pawn.foot + height * _HEAD[0])
        middle, size = self._ball(center, radius)
        glint = self.project([np.add(center, np.array(self.lamp) * radius * 0.35)])[0]
        for place, share, tone in ((middle, 1.0, 0.72), (middle * 0.6 + glint * 0.4, 0.8, 0.95), (glint, 0.45, 1.2)):
            _spot(frame, place, size * share, paint(color * tone))
        _spot(frame, glint, size * 0.15, paint(color * 0.5 + self.shine))

    # --- marbles ---

    def _marble(self, frame: Frame, pawn: Pawn, color: Floats) -> None:
        """A ball of glass, its foot in the hole: shaded towards the light, with a dark line where it lies."""
        radius = self.piece.diameter / 2
        center = (*pawn.at, pawn.foot + self.piece.height - radius)
        middle, size = self._ball(center, radius)
        lamp = np.array(self.lamp) / np.linalg.norm(self.lamp)
        edge = self.project([np.add(center, lamp * radius)])[0] - middle
        if not pawn.lift:
            hole = ring(pawn.at, 0.92 * radius, 20)
            cv2.fillConvexPoly(frame, self._pixels(hole, 0.0), paint(color * 0.18), cv2.LINE_AA)
        for far, share, tone in _BALL:
            _spot(frame, middle + edge * far, size * share, paint(color * tone))
        _spot(frame, middle + edge * 0.72, size * 0.16, paint(color * 0.4 + 1.25 * self.shine))

    def _ball(self, center: tuple[float, float, float], radius: float) -> tuple[Floats, float]:
        """Where a ball is seen, and its radius there, in pixels."""
        middle, edge = self.project([center, (center[0] + radius, center[1], center[2])])
        return middle, float(np.hypot(*(edge - middle)))

    # --- discs ---

    def _disc(self, frame: Frame, pawn: Pawn, color: Floats) -> None:
        """A short cylinder: its side, darker away from the light, then the top with a groove near its edge."""
        half, top = self.piece.diameter / 2, pawn.foot + self.piece.height
        rim = ring(pawn.at, half, 40)
        low, high = self._pixels(rim, pawn.foot + 0.7), self._pixels(rim, top)
        cv2.fillConvexPoly(frame, self._pixels(rim, pawn.foot), paint(color * 0.25), cv2.LINE_AA)
        side = np.asarray(cv2.convexHull(np.vstack([low, high])), np.int32)
        cv2.fillConvexPoly(frame, side, paint(color * 0.5), cv2.LINE_AA)
        facing = (rim - np.array(pawn.at)) @ self._towards_light() > 0.3 * half
        lit = np.vstack([low[facing], high[facing]])
        cv2.fillConvexPoly(frame, np.asarray(cv2.convexHull(lit), np.int32), paint(color * 0.68), cv2.LINE_AA)
        for size, tone in ((1.0, 0.82), (0.94, 0.97), (0.74, 0.8), (0.70, 0.95)):
            points = ring(pawn.at, half * size, 40)
            cv2.fillConvexPoly(frame, self._pixels(points, top), paint(color * tone), cv2.LINE_AA)

    # --- what all need ---

    def _towards_light(self) -> Floats:
        lx, ly, _ = self.lamp
        return np.array([lx, ly]) / (math.hypot(lx, ly) or 1.0)

    def _pixels(self, points: Floats, z: float) -> npt.NDArray[np.int32]:
        """Pixels of board points (N, 2) that are z mm above the sheet."""
        return np.round(self.project(np.column_stack([points, np.full(len(points), z)]))).astype(np.int32)


def ring(center: Point, radius: float, corners: int) -> Floats:
    """Points (N, 2) on a circle."""
    return np.asarray(center) + radius * _circle(corners)


@lru_cache
def _circle(corners: int) -> Floats:
    angles = np.linspace(0, 2 * math.pi, corners, endpoint=False)
    return np.column_stack([np.cos(angles), np.sin(angles)])


def paint(color: Floats) -> Color:
    """A colour as OpenCV takes it."""
    b, g, r = np.clip(color, 0, 255)
    return int(b), int(g), int(r)


def _spot(frame: Frame, place: Floats, radius: float, color: Color) -> None:
    """A filled circle, to an eighth of a pixel."""
    spot = (round(float(place[0]) * 8), round(float(place[1]) * 8))
    cv2.circle(frame, spot, max(1, round(radius * 8)), color, -1, cv2.LINE_AA, 3)
