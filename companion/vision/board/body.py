"""How much of the board a standing piece hides: its outline in the view straight down.

Seen from above, a point at height h over (x, y) appears where the line from the camera's eye through it meets
the board: a disc of the body at that height appears as a disc, farther from the eye and larger. A piece is a
pile of such discs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.view.pose import Floats

Ints = npt.NDArray[np.int64]
Short = npt.NDArray[np.int16]

_PAWN = ((0.0, 1.0), (0.1, 1.0), (0.2, 0.78), (0.32, 0.6), (0.45, 0.46), (0.58, 0.42), (0.68, 0.5), (0.76, 0.46),
         (0.82, 0.52), (0.9, 0.5), (0.96, 0.36), (1.0, 0.12))  # fmt: skip
"""Height (of the whole) and radius (of the foot's) of a turned wooden or plastic pawn, from the foot up."""
_PEG = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.97, 0.88, 0.68, 0.12)
"""The radius at the same heights of a peg, which has no waist."""
_NEAREST = 4.0  # times as large as on the board appears what is nearest to the camera


@dataclass(frozen=True, slots=True)
class Body(Piece):
    """A piece that stands upright, as it was measured: a pawn, or what stands in a hole in place of a marble.

    waist: 1 if it narrows above its foot as a turned pawn does, 0 if not at all. width: how wide it is, as a share of
    its diameter, the room that it takes.
    """

    waist: float = 1.0
    width: float = 1.0


def profile(piece: Piece, storeys: int = 1) -> Floats:
    """The discs a piece is made of: (height, radius) in mm, float64 (N, 2), from the foot up.

    storeys: how many discs lie on each other, where the pieces are discs.
    """
    radius, height = piece.diameter / 2, piece.height * storeys
    if piece.kind == "pawn" or isinstance(piece, Body):
        level, slim = np.array(_PAWN).T
        waist, width = (piece.waist, piece.width) if isinstance(piece, Body) else (1.0, 1.0)
        return np.column_stack([level * height, (waist * slim + (1 - waist) * np.array(_PEG)) * width * radius])
    if piece.kind == "marble":
        lift = np.linspace(-0.95, 0.95, 9)
        return np.column_stack([np.maximum(height - radius + lift * radius, 0), radius * np.sqrt(1 - lift**2)])
    return np.array([(0.0, radius), (height / 2, radius), (height, radius)])


def cast(profile: Floats, feet: Floats, eye: Floats) -> Floats:
    """The discs as they appear: (x, y, radius) in mm of the sheet, float64 (…, N, 3), nearest the board first.

    feet: (x, y) mm, (…, 2). eye: the camera's (x, y, height) mm. What is about as high as the camera, as eight discs on
    each other that a sheet has too thick, appears `_NEAREST` times as large: else it would be larger than any memory.
    """
    height, radius = profile[:, 0], profile[:, 1]
    grow = eye[2] / np.maximum(eye[2] - height, eye[2] / _NEAREST)
    discs = np.empty((*feet.shape[:-1], len(profile), 3))
    discs[..., :2] = eye[:2] + (feet - eye[:2])[..., None, :] * grow[:, None]
    discs[..., 2] = radius * grow
    return discs


@dataclass(frozen=True, eq=False, slots=True)
class Outlines:
    """The outlines of G pieces in the flat view: the pixels inside, as offsets (x, y) from the foot, int16 (N, 2), one
    piece's after the other's; and how many each has, (G,)."""

    points: Short
    counts: Ints

    @property
    def first(self) -> Ints:
        """Where each one's pixels begin, (G,)."""
        return np.cumsum(self.counts) - self.counts

    def split(self) -> list[Short]:
        """The pixels of each."""
        return np.split(self.points, self.first[1:])


def outlines(profile: Floats, feet: Floats, eye: Floats, scale: float) -> Outlines:
    """The outlines of pieces that stand at some feet, mm (G, 2). scale: pixels per mm."""
    discs = cast(profile, feet, eye)
    discs[..., :2] -= feet[:, None]
    discs *= scale
    parts = [_inside(discs[start : start + _AT_ONCE]) for start in range(0, len(discs), _AT_ONCE)]
    return Outlines(np.concatenate([part.points for part in parts]), np.concatenate([part.counts for part in parts]))


def _inside(discs: Floats) -> Outlines:
    """The outlines of piles of discs, (x, y, radius) in pixels (G, N, 3)."""
    low = np.floor((discs[..., :2] - discs[..., 2:]).min(axis=(0, 1))).astype(int)
    high = np.ceil((discs[..., :2] + discs[..., 2:]).max(axis=(0, 1))).astype(int)
    across, along = (np.square(np.arange(low[axis], high[axis] + 1) - discs[..., axis, None]) for axis in (0, 1))
    within = np.square(discs[..., 2, None]) - across
    inside = np.zeros((len(discs), along.shape[2], across.shape[2]), bool)
    for disc in range(discs.shape[1]):
        inside |= along[:, disc, :, None] <= within[:, disc, None]
    return Outlines(_offsets(inside, low), np.count_nonzero(inside, axis=(1, 2)))


def cylinders(bodies: Sequence[Floats], feet: Floats, eye: Floats, scale: float) -> tuple[Outlines, Outlines]:
    """The outlines of upright cylinders at some feet, mm (G, 2): of their tops, and of what is seen of their sides.

    bodies: see `profile`. scale: pixels per mm.
    """
    each = [_cylinder(body, foot, eye, scale) for body, foot in zip(bodies, feet, strict=True)]
    tops, sides = (
        Outlines(np.concatenate(parts), np.array([len(part) for part in parts])) for parts in zip(*each, strict=True)
    )
    return tops, sides


def _cylinder(body: Floats, foot: Floats, eye: Floats, scale: float) -> tuple[Short, Short]:
    """One of `cylinders`: it is the hull of its lowest and highest disc as they appear."""
    discs = cast(body[[0, -1]], foot, eye)
    discs[:, :2] -= foot
    discs *= scale
    low = np.floor((discs[:, :2] - discs[:, 2:]).min(axis=0)).astype(int) - 1
    high = np.ceil((discs[:, :2] + discs[:, 2:]).max(axis=0)).astype(int) + 1
    rings = discs[:, None, :2] + discs[:, None, 2:] * _CIRCLE - low
    corners = np.round(rings * 16).astype(np.int32)
    whole = np.zeros((high[1] - low[1] + 1, high[0] - low[0] + 1), np.uint8)
    cv2.fillConvexPoly(whole, np.asarray(cv2.convexHull(corners.reshape(-1, 2))), 1, cv2.LINE_8, 4)
    cv2.fillConvexPoly(whole, corners[1], 2, cv2.LINE_8, 4)
    return _offsets(whole == 2, low), _offsets(whole == 1, low)


_AT_ONCE = 32
"""Pieces whose outlines are drawn in one array: what lies in the processor's cache is worked on faster."""
_CIRCLE = np.stack([wave(np.linspace(0, 2 * np.pi, 48, endpoint=False)) for wave in (np.cos, np.sin)], axis=1)


def _offsets(inside: npt.NDArray[np.bool_], low: Ints) -> Short:
    """Pixels that are inside, (…, rows, cols), row by row, as offsets (x, y), int16 (N, 2). low: that of the first."""
    rows, cols = inside.shape[-2:]
    at = np.flatnonzero(inside)
    y, result = at // cols, np.empty((len(at), 2), np.int16)
    result[:, 0], result[:, 1] = at - y * cols + low[0], y % rows + low[1]
    return result
