"""Whether a picture shows a board mirrored: one that nearly is its own mirror image is found in it all the same."""

from __future__ import annotations

import numpy as np

from companion.vision.finding.likeness import likeness, quarter_turns
from companion.vision.view.pose import Frame, Pose, solve_pose, turned
from companion.vision.view.scene import Scene

_PLAINLY = 0.15  # of likeness: mirrored back, the picture must be so much more like the board


def shows_mirrored(frame: Frame, scene: Scene, pose: Pose) -> bool:
    """Whether a picture, uint8 BGR, in which a board seems to lie at a pose, is plainly more like it mirrored back.

    A board that is its own mirror image, but for a sticker, is as like either way, and nothing is said of it.
    """
    as_it_is = likeness(frame, scene, pose).share
    back = mirrored_back(pose, scene)
    if back is None:
        return False
    flipped, sheet = np.ascontiguousarray(frame[:, ::-1]), scene.sheet
    ways = [turned(back, quarters, sheet.width, sheet.height) for quarters in (0, *quarter_turns(scene))]
    return max(likeness(flipped, scene, way).share for way in ways) > as_it_is + _PLAINLY


def mirrored_back(pose: Pose, scene: Scene) -> Pose | None:
    """The pose over the same place of the picture's mirror image; None if there is none."""
    width, height = scene.sheet.width, scene.sheet.height
    x, y = (axis.ravel() for axis in np.meshgrid(np.linspace(0, width, 5), np.linspace(0, height, 5)))
    pixels = pose.project(np.column_stack([width - x, y]))
    pixels[:, 0] = pose.size[0] - 1 - pixels[:, 0]
    return solve_pose(np.column_stack([x, y]), pixels, pose.size, None, scene.lens_for(pose.size))
