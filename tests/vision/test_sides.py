"""Straight sides of a board that show in parts only."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.finding.sides import four_sided

BOARD = np.array([(223.0, 110.0), (648.0, 137.0), (703.0, 578.0), (116.0, 537.0)])


def picture(size: float = 1.0, bars: bool = True) -> np.ndarray:
    """A dark board of squares on a pale table, both under the shadows of a window's bars, uint8 BGR, with noise."""
    frame = np.full((600, 800, 3), 170, np.float32)
    squares = np.kron(np.indices((6, 6)).sum(axis=0) % 2, np.ones((60, 60)))[..., None] * 30 + (60, 75, 90)
    flat = np.array([(0, 0), (360, 0), (360, 360), (0, 360)], np.float32)
    shape = cv2.getPerspectiveTransform(flat, BOARD.astype(np.float32))
    cv2.warpPerspective(squares.astype(np.float32), shape, (800, 600), frame, borderMode=cv2.BORDER_TRANSPARENT)
    light = np.ones((600, 800), np.float32)
    for ends in [((0, 420), (800, 120)), ((150, 0), (560, 600)), ((420, 0), (830, 600))] if bars else []:
        cv2.line(light, *ends, 0.35, 46)
    frame = frame * cv2.GaussianBlur(light, (0, 0), 4)[..., None]
    frame += np.random.default_rng(3).normal(0, 4, frame.shape)
    return cv2.resize(np.clip(frame, 0, 255).astype(np.uint8), None, fx=size, fy=size, interpolation=cv2.INTER_CUBIC)


@pytest.mark.parametrize("size", [0.8, 1.0, 1.6])
@pytest.mark.parametrize("bars", [True, False])
def test_a_board_under_a_window_s_bars_has_four_sides(size: float, bars: bool) -> None:
    turned = [np.roll(quad / size, k, axis=0) for quad in four_sided(picture(size, bars)) for k in range(4)]
    assert min(float(np.abs(quad - BOARD).max()) for quad in turned) < 8


def test_they_are_clockwise_and_differ() -> None:
    found = four_sided(picture())
    for quad in found:
        (ax, ay), (bx, by), (cx, cy), _ = quad
        assert (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0
    assert len(found) > 1
    assert all(np.abs(one - other).max() > 8 for k, one in enumerate(found) for other in found[:k])


@pytest.mark.parametrize("lines", [0, 1, 3])
def test_where_there_are_no_four_sides_there_is_nothing(lines: int) -> None:
    frame = np.full((480, 640, 3), 120, np.uint8)
    for k in range(lines):
        cv2.line(frame, (60, 100 + 90 * k), (600, 60 + 100 * k), (20, 20, 20), 3)
    assert four_sided(frame) == []
