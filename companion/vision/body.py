"""How much of the board a standing piece hides: its outline in the view straight down.

Seen from above, a point at height h over (x, y) appears where the line from the camera's eye through it meets
the board: a disc of the body at that height appears as a disc, farther from the eye and larger. A piece is a
pile of such discs.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.pose import Floats

Ints = npt.NDArray[np.int64]

_PAWN = ((0.0, 1.0), (0.1, 1.0), (0.2, 0.78), (0.32, 0.6), (0.45, 0.46), (0.58, 0.42), (0.68, 0.5), (0.76, 0.46),
         (0.82, 0.52), (0.9, 0.5), (0.96, 0.36), (1.0, 0.12))  # fmt: skip
"""Height (of the whole) and radius (of the foot's) of a turned wooden or plastic pawn, from the foot up."""
_PEG = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.97, 0.88, 0.68, 0.12)
"""The radius at the same heights of a peg, which has no waist."""


@dataclass(frozen=True, slots=True)
class Body(Piece):
    """A piece as it was measured. waist: 1 if it narrows above its foot as a turned pawn does, 0 if not at all."""

    waist: float = 1.0


def profile(piece: Piece, storeys: int = 1) -> Floats:
    """The discs a piece is made of: (height, radius) in mm, float64 (N, 2), from the foot up.

    storeys: how many discs lie on each other, where the pieces are discs.
    """
    radius, height = piece.diameter / 2, piece.height * storeys
    if piece.kind == "pawn":
        level, slim = np.array(_PAWN).T
        waist = piece.waist if isinstance(piece, Body) else 1.0
        return np.column_stack([level * height, (waist * slim + (1 - waist) * np.array(_PEG)) * radius])
    if piece.kind == "marble":
        lift = np.linspace(-0.95, 0.95, 9)
        return np.column_stack([np.maximum(height - radius + lift * radius, 0), radius * np.sqrt(1 - lift**2)])
    return np.array([(0.0, radius), (height / 2, radius), (height, radius)])


def cast(profile: Floats, feet: Floats, eye: Floats) -> Floats:
    """The discs as they appear: (x, y, radius) in mm of the sheet, float64 (…, N, 3), nearest the board first.

    feet: (x, y) mm, (…, 2). eye: the camera's (x, y, height) mm.
    """
    height, radius = profile[:, 0], profile[:, 1]
    grow = eye[2] / np.maximum(eye[2] - height, 1.0)
    discs = np.empty((*feet.shape[:-1], len(profile), 3))
    discs[..., :2] = eye[:2] + (feet - eye[:2])[..., None, :] * grow[:, None]
    discs[..., 2] = radius * grow
    return discs


def outlines(profile: Floats, feet: Floats, eye: Floats, scale: float) -> tuple[Ints, Ints]:
    """Pixels of the flat view inside the outlines of pieces that stand at some feet, mm (G, 2): as offsets (x, y) from
    the foot, int64 (N, 2), one piece's after the other's; and how many each has, (G,).

    scale: pixels per mm.
    """
    discs = cast(profile, feet, eye)
    discs[..., :2] -= feet[:, None]
    discs *= scale
    parts = [_inside(discs[start : start + _AT_ONCE]) for start in range(0, len(discs), _AT_ONCE)]
    points, counts = zip(*parts, strict=True)
    return np.concatenate(points), np.concatenate(counts)


def _inside(discs: Floats) -> tuple[Ints, Ints]:
    """As `outlines`, of discs, (x, y, radius) in pixels (G, N, 3)."""
    low = np.floor((discs[..., :2] - discs[..., 2:]).min(axis=(0, 1))).astype(int)
    high = np.ceil((discs[..., :2] + discs[..., 2:]).max(axis=(0, 1))).astype(int)
    across, along = (np.square(np.arange(low[axis], high[axis] + 1) - discs[..., axis, None]) for axis in (0, 1))
    within = np.square(discs[..., 2, None]) - across
    inside = np.zeros((len(discs), along.shape[2], across.shape[2]), bool)
    for disc in range(discs.shape[1]):
        inside |= along[:, disc, :, None] <= within[:, disc, None]
    return _offsets(inside, low), np.count_nonzero(inside, axis=(1, 2))


def cylinder(body: Floats, foot: Floats, eye: Floats, scale: float) -> tuple[Ints, Ints]:
    """The outline of an upright cylinder, as `outlines`: first its top, then what is seen of its side.

    body: its lowest and highest disc. Its outline is the hull of the two as they appear.
    """
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


def _offsets(inside: npt.NDArray[np.bool_], low: Ints) -> Ints:
    """Pixels that are inside, (…, rows, cols), row by row, as offsets (x, y), int64 (N, 2). low: that of the first."""
    rows, cols = inside.shape[-2:]
    at = np.flatnonzero(inside)
    y, result = at // cols, np.empty((len(at), 2), np.int64)
    result[:, 0], result[:, 1] = at - y * cols + low[0], y % rows + low[1]
    return result
