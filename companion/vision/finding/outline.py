"""What has four corners in a picture: where a board may lie whose pattern repeats, so that no point is distinct."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.view.pose import Floats, Frame

_WIDTH = 640  # pixels: so wide is the picture looked at
_LEAST = 0.06  # of the picture: a smaller outline is no board that could be read
_STRAIGHT, _STRAIGHTER = 0.02, 0.008  # of its length: by so much an outline may leave straight sides
_CUT = 0.2  # of its area: so much a corner may lack
_SAME = 0.02  # of the picture's width: outlines whose corners are all as near are one
_MOST = 6


def outlines(frame: Frame) -> list[Floats]:
    """Corners (4, 2), pixels, clockwise as seen, of outlines with four sides; the largest first. frame: uint8 BGR."""
    scale = min(1.0, _WIDTH / frame.shape[1])
    small = np.asarray(cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    found: list[Floats] = []
    for corners in sorted(_quads(small), key=_area, reverse=True):
        if all(np.abs(nearest(corners, other)).max() > _SAME * _WIDTH for other in found):
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
            found += [quad for shape in shapes for quad in _four_sided(np.asarray(shape), small)]
    return found


def _four_sided(shape: np.ndarray, small: Frame) -> list[Floats]:
    """The corners of a shape, clockwise as seen, if it is large enough and has four sides, or has them but for a corner
    that is cut off: a lamp may shine there."""
    hull = cv2.convexHull(shape)
    if cv2.contourArea(hull) < _LEAST * small.shape[0] * small.shape[1]:
        return []
    found: list[Floats] = []
    for straight in (_STRAIGHT, _STRAIGHTER):
        corners = cv2.approxPolyDP(hull, straight * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(np.float64)
        whole = corners if len(corners) == 4 else _made_whole(corners) if len(corners) == 5 else None
        if whole is not None:
            (ax, ay), (bx, by), (cx, cy) = whole[:3]
            clockwise = (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0
            found.append(whole if clockwise else whole[::-1].copy())
    return found


def _made_whole(corners: Floats) -> Floats | None:
    """The four corners of an outline, one of which is cut off, from five (5, 2): the two sides beside the cut go on
    until they meet. None if the least that may be cut off is too much for a corner."""
    area, quads = _area(corners), list[Floats]()
    for k in range(5):
        before, start, end, after = np.roll(corners, -k, axis=0)[:4]
        one, other = start - before, after - end
        across = one[0] * other[1] - one[1] * other[0]
        if abs(across) > 1e-6:
            gap = end - start
            along = (gap[0] * other[1] - gap[1] * other[0]) / across
            if along > 0:
                quads.append(np.vstack([before, start + along * one, after, np.roll(corners, -k, axis=0)[4]]))
    best = min(quads, key=_area, default=None)
    return best if best is not None and area < _area(best) < (1 + _CUT) * area else None


def _area(corners: Floats) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def nearest(corners: Floats, other: Floats) -> Floats:
    """Differences of the corners of two outlines, begun where they lie nearest."""
    turns = [np.roll(corners, k, axis=0) - other for k in range(4)]
    return min(turns, key=lambda apart: float(np.abs(apart).max()))
