"""A board's outline of four corners, one of which a lamp may hide."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.finding.outline import _made_whole, outlines

BOARD = np.array([(223.0, 110.0), (648.0, 137.0), (703.0, 578.0), (116.0, 537.0)])


def picture(cut: float) -> np.ndarray:
    """A dark board on a pale table, of whose first corner a part of its sides is as bright as the table."""
    frame = np.full((600, 800, 3), 200, np.uint8)
    cv2.fillPoly(frame, [BOARD.astype(np.int32)], (70, 90, 60))
    first, right, left = BOARD[0], BOARD[1], BOARD[3]
    gone = [first, first + cut * (right - first), first + cut * (left - first)]
    cv2.fillPoly(frame, [np.array(gone).astype(np.int32)], (200, 200, 200))
    return frame


@pytest.mark.parametrize("cut", [0.0, 0.15, 0.35])
def test_a_corner_that_cannot_be_seen_is_where_its_sides_meet(cut: float) -> None:
    turned = [np.roll(quad, k, axis=0) for quad in outlines(picture(cut)) for k in range(4)]
    assert min(float(np.abs(quad - BOARD).max()) for quad in turned) < 8


def test_five_corners_of_which_too_much_would_be_cut_off_are_no_board() -> None:
    turns = np.arange(5) * 2 * np.pi / 5
    assert _made_whole(np.column_stack([100 * np.cos(turns), 100 * np.sin(turns)])) is None
