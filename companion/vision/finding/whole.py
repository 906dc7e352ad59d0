"""A pose made exact by the board as a whole, where hardly any detail can be made out, as on dark wood."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.finding.likeness import DARK, SCALE, WIDE, extremes_of
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Frame, Pose, downward, flat_maps, solve_pose
from companion.vision.view.scene import Scene

_CALM = 0.75  # pixels over which noise is calmed
_LOOKS, _STEPS = 2, (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 50, 1e-5)
_GRID = np.stack(np.meshgrid(*2 * [np.linspace(0.05, 0.95, 7)]), axis=-1).reshape(-1, 2)  # shares of width and height


def aligned(grey: Frame, scene: Scene, pose: Pose, prior: Pose | None) -> Pose:
    """The pose, which may be off by some mm, under which the picture is most like the board in brightness; as it was
    where that leads nowhere. grey: uint8. Evangelidis and Psarakis, doi:10.1109/TPAMI.2008.113."""
    board, most = _of_board(scene)
    places = _GRID * (scene.sheet.width, scene.sheet.height)
    for _ in range(_LOOKS):
        flat = downward(flat_maps(pose, scene.sheet.width, scene.sheet.height, SCALE)).view(grey)
        seen, warp = np.clip(_brightness(flat), -most, most), np.eye(3, dtype=np.float32)
        able = np.full(board.shape, 255, np.uint8)
        try:
            _, found = cv2.findTransformECC(board, seen, warp, cv2.MOTION_HOMOGRAPHY, _STEPS, able, 1)
        except cv2.error:  # it does not come nearer
            return pose
        at = cv2.perspectiveTransform(places[None] * SCALE - 0.5, np.asarray(found, np.float64))[0]
        better = solve_pose(places, pose.project((at + 0.5) / SCALE), pose.size, prior, scene.lens_for(pose.size))
        if better is None:
            return pose
        pose = better
    return pose


@kept()
def _of_board(scene: Scene) -> tuple[Flat, float]:
    """The empty board's brightness, and the most by which any may differ."""
    size = (round(scene.sheet.width * SCALE), round(scene.sheet.height * SCALE))
    small = cv2.resize(scene.empty, size, interpolation=cv2.INTER_AREA)
    board = _brightness(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8))
    most = float(extremes_of(board))
    return np.clip(board, -most, most), most


def _brightness(flat: Frame) -> Flat:
    """Brightness against that around, calmed, natural logarithms."""
    logs = cv2.GaussianBlur(np.log(flat.astype(np.float32) + DARK), (0, 0), _CALM)
    return np.asarray(logs - cv2.GaussianBlur(logs, (0, 0), WIDE), np.float32)
