"""Whether a picture shows red for blue and blue for red, as one does whose program takes RGB for BGR."""

from __future__ import annotations

import numpy as np

from companion.vision.finding.likeness import likeness
from companion.vision.view.pose import Frame, Pose
from companion.vision.view.scene import Scene

SWAPPED = (
    "The picture shows red as blue and blue as red: what sends it takes RGB for BGR. "
    "Set that right there, or use another camera."
)
SWAPPED_OR_PHOTO = (
    "The picture shows red as blue and blue as red, against the photo of the empty board: one of the two was sent as "
    "RGB for BGR. Set that right where it is sent, or take the photo again."
)
_PLAINLY = 0.1  # of `Likeness.share`: with the two put back, the picture must be so much more like the board


def swapped(frame: Frame, scene: Scene, pose: Pose) -> str:
    """That a picture, uint8 BGR, in which the board lies at a pose, is plainly more like it with red and blue put back;
    "" if it is not: light of any colour makes a channel stronger or weaker, but none of them another.

    Where the board has no colours, or the picture hardly any, nothing is said of it.
    """
    back = likeness(np.ascontiguousarray(frame[..., ::-1]), scene, pose).share
    if back <= likeness(frame, scene, pose).share + _PLAINLY:
        return ""
    return SWAPPED if scene.photo is None else SWAPPED_OR_PHOTO
