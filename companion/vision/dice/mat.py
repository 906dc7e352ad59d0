"""The printed tray: a mat with two markers of its own, found wherever it was pushed to."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from companion.vision.dice.seen import Tray
from companion.vision.view.pose import Floats, Frame, Pose

MARKER, FIRST, SECOND = 26.0, 10, 11
"""The markers' size, mm, and their numbers (DICT_4X4_50), which no sheet uses."""
MAT_WIDTH, MAT_HEIGHT = 186.0, 130.0
MIDDLES = {FIRST: (21.0, 21.0), SECOND: (MAT_WIDTH - 21.0, MAT_HEIGHT - 21.0)}
"""Where the markers' middles are on the mat, mm."""
INNER = Tray(43.0, 12.0, 100.0, 106.0)
"""The rectangle to throw into, mm of the mat."""
_WORST = 3.0  # mm: how far, at most, a marker's corner may lie from where the mat has it
HALF_SEEN = "Only one of the dice tray's two markers can be seen: is it covered, or outside the picture?"
BENT = "The dice tray's markers do not lie as they were printed: is the mat flat on the table, beside the board?"


def mat_markers(frame: Frame, near: Floats | None = None) -> dict[int, Floats]:
    """The mat's markers in a frame, uint8 BGR: number → corners from the printed top left clockwise, (4, 2).

    near: corners, pixels (N, 2), of the part of the picture to look in first; all of it if they are not there.
    """
    if near is not None:
        found = _detected(frame, _around(near, frame))
        if len(found) == 2:
            return found
    return _detected(frame, (0, 0, frame.shape[1], frame.shape[0]))


def _around(near: Floats, frame: Frame) -> tuple[int, int, int, int]:
    margin = 0.1 * float(np.ptp(near, axis=0).max())
    x0, y0 = np.floor(near.min(axis=0) - margin).astype(int).clip(0).tolist()
    x1, y1 = np.ceil(near.max(axis=0) + margin).astype(int).clip(1).tolist()
    return min(x0, frame.shape[1] - 1), min(y0, frame.shape[0] - 1), x1, y1


def _detected(frame: Frame, box: tuple[int, int, int, int]) -> dict[int, Floats]:
    x0, y0, x1, y1 = box
    part = frame[y0:y1, x0:x1]
    if min(part.shape[:2]) < 16:
        return {}
    grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, ids, _ = _detector().detectMarkers(grey)
    if ids is None:
        return {}
    origin = np.array([x0, y0], np.float64)
    marks = zip(np.asarray(ids).reshape(-1), corners, strict=True)
    return {int(i): np.asarray(c, np.float64).reshape(4, 2) + origin for i, c in marks if int(i) in MIDDLES}


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)


def mat_pose(markers: dict[int, Floats], board: Pose) -> Pose | str:
    """The camera's pose over the mat, in the mat's own frame, from both markers; or a sentence that says why not.

    board: the pose over the board. The mat lies level on the table beside it; how much lower follows from how large
    the markers are seen.
    """
    if len(markers) < 2:
        return HALF_SEEN
    square = MARKER / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    own = np.vstack([np.array(MIDDLES[i]) + square for i in sorted(markers)])
    level = _on_table(np.vstack([markers[i] for i in sorted(markers)]), board)
    middle, seen = own.mean(axis=0), level.mean(axis=0)
    a, b = own - middle, level - seen
    along, aside = float((a * b).sum()), float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum())
    size, turn = np.hypot(along, aside) / float((a * a).sum()), np.arctan2(aside, along)
    c, s = np.cos(turn), np.sin(turn)
    spin = np.array([[c, -s], [s, c]])
    if not 0.9 < size < 1.1 or np.abs(b / size - a @ spin.T).max() > _WORST:
        return BENT
    # A mat that looks larger by `size` is nearer to the eye by as much.
    eye = board.eye
    lower = eye[2] / size - eye[2]
    place = eye[:2] + (seen - eye[:2]) / size - spin @ middle
    return _moved(board, spin, np.array([*place, max(-20.0, lower)]))


def _on_table(pixels: Floats, board: Pose) -> Floats:
    """Where the rays of pixels (N, 2) meet the plane of the sheet, mm (N, 2)."""
    rays = cv2.undistortPoints(pixels.reshape(-1, 1, 2), board.matrix, board.distortion).reshape(-1, 2)
    turned, _ = cv2.Rodrigues(np.array(board.turn))
    towards = np.column_stack([rays, np.ones(len(rays))]) @ turned
    origin = -np.asarray(turned).T @ np.array(board.shift)
    return np.asarray(origin[:2] - towards[:, :2] * (origin[2] / towards[:, 2:]), np.float64)


def _moved(board: Pose, spin: Floats, place: Floats) -> Pose:
    """The pose over a plane whose origin lies at `place` (x, y, depth under the sheet), turned by `spin`."""
    turned, _ = cv2.Rodrigues(np.array(board.turn))
    whole = np.eye(3)
    whole[:2, :2] = spin
    vector, _ = cv2.Rodrigues(np.asarray(turned) @ whole)
    shift = np.asarray(turned) @ place + np.array(board.shift)
    flat = [float(n) for n in np.asarray(vector).ravel()]
    x, y, z = (float(n) for n in shift)
    return replace(board, turn=(flat[0], flat[1], flat[2]), shift=(x, y, z))


def on_sheet(pose: Pose, board: Pose, x: float, y: float) -> tuple[float, float]:
    """A place of the mat, mm, in the sheet's frame."""
    turned, _ = cv2.Rodrigues(np.array(pose.turn))
    base, _ = cv2.Rodrigues(np.array(board.turn))
    seen = np.asarray(turned) @ np.array([x, y, 0.0]) + np.array(pose.shift)
    place = np.asarray(base).T @ (seen - np.array(board.shift))
    return float(place[0]), float(place[1])
