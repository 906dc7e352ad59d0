"""Whether a frame is a picture at all: black, blank, frozen or torn."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.view.pose import Frame


def health(frame: Frame, before: Frame | None = None) -> str | None:
    """What is wrong with a frame, uint8 BGR, as one sentence; None if it is well.

    before: the frame before; a live camera's noise never repeats, so an equal one means that the camera hangs.
    """
    thin = np.ascontiguousarray(frame[::16, ::16])
    if int(thin.max()) < 24 or float((thin >= 14).mean()) < 0.01:
        return "The picture is black: is the camera covered, or the light off?"
    mean, spread = cv2.meanStdDev(thin)
    if float(spread.max()) < 2:
        if float(mean.max()) > 245:
            return "The picture is white, nothing can be seen: keep the sun off the board, or turn the exposure down."
        return "The picture is blank, one even colour: is something held right before the camera?"
    if _torn(frame):
        return "Part of the picture is missing: the camera's data came through torn. Try another cable or socket."
    if before is not None and before.shape == frame.shape and np.array_equal(before, frame):
        return "The picture is frozen: the camera sends the same one again. Pull its plug and put it back."
    return None


def _torn(frame: Frame) -> bool:
    """Whether a tenth or more of the rows, from the bottom up, are one even grey, as a cut-off JPEG shows."""
    if int(np.ptp(frame[-1, ::8])) > 6:
        return False
    lines = frame[-1::-4, ::16].astype(np.int16)
    even = np.ptp(lines, axis=1).max(axis=1) <= 2
    same = np.abs(lines[:, 0] - lines[0, 0]).max(axis=1) <= 2
    run = int(np.argmin(even & same)) if not (even & same).all() else len(lines)
    grey = int(np.ptp(lines[0, 0])) <= 4 and 100 <= int(lines[0, 0].mean()) <= 156
    return grey and run >= 0.1 * len(lines)
