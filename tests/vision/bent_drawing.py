"""Pictures of boards that do not lie flat, made of pictures of flat ones."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.vision.view.bend import Bend
from companion.vision.view.pose import Floats, Frame, Pose

_CELL, _STEPS = 4, 8  # pixels between places that are reckoned; of the search for each


def bent(frame: Frame, flat: Pose, bend: Bend) -> Frame:
    """What a picture of a flat board shows, seen from a pose, if the board bent."""
    (cols, rows), pose = flat.size, replace(flat, bend=bend)
    wide, high = bend.size
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64)
    back = np.linalg.inv(cv2.findHomography(corners, flat.project(corners))[0])
    x, y = np.meshgrid(np.arange(0, cols + _CELL, _CELL), np.arange(0, rows + _CELL, _CELL))
    due = _moved(np.column_stack([x.ravel(), y.ravel()]).astype(np.float64), back)
    places = due.copy()
    for _ in range(_STEPS):
        places += due - _moved(pose.project(places), back)
    maps = flat.project(places).reshape(*x.shape, 2).astype(np.float32)
    large = cv2.warpAffine(maps, np.array([[_CELL, 0, 0], [0, _CELL, 0]], np.float32), (cols, rows))
    return np.asarray(cv2.remap(frame, large, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _moved(points: Floats, matrix: Floats) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points[None], matrix)[0], np.float64)
