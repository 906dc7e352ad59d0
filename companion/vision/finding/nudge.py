"""Where a board lies that was bumped: it slid and turned on the table by a little, the camera stood still."""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats, Frame, Pose, downward, flat_maps, pushed
from companion.vision.view.scene import Scene

_SCALE = 0.2  # pixels per mm of the view in which is looked: it shows where to look closer
_REACH = 60.0  # mm by which the board may have slid
_FAR = 0.45  # of the board's width: so far it is looked for where squares repeat
_ANGLES = np.radians(np.arange(-12.0, 12.1, 1.5))  # by which it may have turned
_WIDE = 6.0  # pixels: brightness is compared with that around
_DARK = 8.0  # levels: below this noise has more to say than the board
_LEAST, _AHEAD = 0.3, 0.7  # correlation; what is printed may repeat: any other place must be so much less like it
_SAME = 15.0  # mm: places so near are one place


def nudged(grey: Frame, scene: Scene, prior: Pose) -> Pose | None:
    """A pose near `prior`, right to some mm, for others to make exact; None if the board is not seen there, or may as
    well lie elsewhere. grey: uint8, of the size of the prior's pictures.
    """
    sheet, there = scene.sheet, _round_about(grey, scene, prior, _REACH)
    scores = np.stack([cv2.matchTemplate(there, board, cv2.TM_CCORR_NORMED) for board in _turned(scene)])
    turn, y, x = (int(k) for k in np.unravel_index(int(scores.argmax()), scores.shape))
    best, most = float(scores[turn, y, x]), scores.max(axis=0)
    near = round(_SAME * _SCALE)
    most[max(0, y - near) : y + near + 1, max(0, x - near) : x + near + 1] = 0
    if best < _LEAST or float(most.max()) > _AHEAD * best:
        return None
    way = x / _SCALE - _REACH, y / _SCALE - _REACH
    return pushed(prior, float(_ANGLES[turn]), way, (sheet.width / 2, sheet.height / 2))


def rests(grey: Frame, scene: Scene, prior: Pose) -> bool:
    """Whether no other place near is more like the board than where it lay. grey: uint8, as for `nudged`.

    Squares repeat: a board that was pushed by two of them is nearly as like where it lay, but liker where it lies.
    """
    reach = _FAR * min(scene.sheet.width, scene.sheet.height)
    there = _round_about(grey, scene, prior, reach)
    scores = cv2.matchTemplate(there, _turned(scene)[len(_ANGLES) // 2], cv2.TM_CCORR_NORMED)
    y, x = (int(k) for k in np.unravel_index(int(scores.argmax()), scores.shape))
    return math.hypot(x / _SCALE - reach, y / _SCALE - reach) <= _SAME


def _round_about(grey: Frame, scene: Scene, prior: Pose, reach: float) -> Flat:
    """The relief of what lies at and round a place, by `reach`, mm."""
    width, height = scene.sheet.width + 2 * reach, scene.sheet.height + 2 * reach
    corner = pushed(prior, 0.0, (-reach, -reach), (0.0, 0.0))
    return _relief(downward(flat_maps(corner, width, height, _SCALE)).view(grey))


@kept()
def _turned(scene: Scene) -> tuple[Flat, ...]:
    """The board's brightness against that around, turned about its middle by each of the angles."""
    size = (round(scene.sheet.width * _SCALE), round(scene.sheet.height * _SCALE))
    small = cv2.resize(scene.empty, size, interpolation=cv2.INTER_AREA)
    return in_turns(_relief(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)), _ANGLES)


def in_turns(relief: Flat, angles: Floats) -> tuple[Flat, ...]:
    """A relief turned about its middle by each of some angles, radians, from x to y."""
    rows, cols = relief.shape
    middle = (cols - 1) / 2, (rows - 1) / 2
    ways = [cv2.getRotationMatrix2D(middle, -math.degrees(angle), 1.0) for angle in angles.tolist()]
    return tuple(np.asarray(cv2.warpAffine(relief, way, (cols, rows)), np.float32) for way in ways)


def _relief(grey: Frame) -> Flat:
    """Brightness against that around, natural logarithm."""
    logs = np.log(grey.astype(np.float32) + _DARK)
    return np.asarray(logs - cv2.GaussianBlur(logs, (0, 0), _WIDE), np.float32)
