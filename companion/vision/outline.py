"""What has four corners in a picture: where a board may lie whose pattern repeats, so that no point is distinct."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.pose import Floats, Frame

_WIDTH = 640  # pixels: so wide is the picture looked at
_LEAST = 0.06  # of the picture: a smaller outline is no board that could be read
_STRAIGHT = 0.02  # of its length: by so much an outline may leave four straight sides
_SAME = 0.02  # of the picture's width: outlines whose corners are all as near are one
_MOST = 6


def outlines(frame: Frame) -> list[Floats]:
    """Corners (4, 2), pixels, clockwise as seen, of outlines with four sides; the largest first. frame: uint8 BGR."""
    scale = min(1.0, _WIDTH / frame.shape[1])
    small = np.asarray(cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    found: list[Floats] = []
    for corners in sorted(_quads(small), key=_area, reverse=True):
        if all(np.abs(_nearest(corners, other)).max() > _SAME * _WIDTH for other in found):
            found.append(corners)
    return [(corners + 0.5) / scale - 0.5 for corners in found[:_MOST]]


def _quads(small: Frame) -> list[Floats]:
    """Outlines of what is set off by its brightness or its colour, however strongly."""
    calm, found = cv2.bilateralFilter(small, 7, 30, 5), []
    planes = [*cv2.split(cv2.cvtColor(calm, cv2.COLOR_BGR2LAB))]
    for plane in planes:
        for edges in (cv2.Canny(plane, low, 3 * low) for low in (12, 35)):
            closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
            shapes, _ = cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
            found += [quad for shape in shapes if (quad := _four_sided(np.asarray(shape), small)) is not None]
    return found


def _four_sided(shape: np.ndarray, small: Frame) -> Floats | None:
    """The corners of a shape, clockwise as seen, if it has four sides and is large enough."""
    hull = cv2.convexHull(shape)
    if cv2.contourArea(hull) < _LEAST * small.shape[0] * small.shape[1]:
        return None
    corners = cv2.approxPolyDP(hull, _STRAIGHT * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(np.float64)
    if len(corners) != 4:
        return None
    (ax, ay), (bx, by), (cx, cy) = corners[:3]
    clockwise = (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0
    return corners if clockwise else corners[::-1].copy()


def _area(corners: Floats) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _nearest(corners: Floats, other: Floats) -> Floats:
    """Differences of the corners of two outlines, begun where they lie nearest."""
    turns = [np.roll(corners, k, axis=0) - other for k in range(4)]
    return min(turns, key=lambda apart: float(np.abs(apart).max()))
