"""A pencil on the board is not surely some pieces; pieces that stand in a row are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene
from companion.vision.view.pose import Frame

SHEET, TEXTURE, _ = printed_board("parcheesi")
SCENE = make_scene(SHEET, TEXTURE)
VIEW = View(tilt=25, noise=1.5).fitted(SHEET)
RED, BLUE, GREEN = (46, 16, 200), (160, 80, 20), (60, 125, 10)  # BGR


def with_a_pencil(
    painter: Painter, frame: Frame, middle: tuple[float, float], turn: float, color: tuple[int, ...]
) -> Frame:
    """The picture with a pencil, 140 mm long and 7 mm thick, with a lighter edge along it."""
    way = np.array([np.cos(turn), np.sin(turn)])
    side, result = np.array([-way[1], way[0]]), frame.astype(np.float64)
    for half, share in ((3.5, 0.75), (1.5, 1.15)):
        ends = [middle + a * 70 * way + b * half * side for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        corners = np.round(16 * np.array(painter.project([(x, y, 3.5) for x, y in ends]))).astype(np.int32)
        covered = cv2.fillPoly(np.zeros(frame.shape[:2], np.uint8), [corners], 255, cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(covered, (0, 0), 1.0)[..., None] / 255
        result = result * (1 - soft) + soft * np.minimum(share * np.array(color), 255)
    return np.asarray(np.round(result), np.uint8)


@pytest.mark.long(but=("along the track",))
@pytest.mark.parametrize(
    ("middle", "turn", "color"),
    [((95, 201), 0.25, RED), ((240, 300), 1.57, GREEN), ((200, 95), 1.57, BLUE), ((150, 300), 1.2, RED)],
    ids=["across a lane", "along the track", "along a lane", "beside a lane"],
)
def test_a_pencil_is_not_surely_some_pawns(middle: tuple[float, float], turn: float, color: tuple[int, ...]) -> None:
    """A red one across the blue lane was surely two red pawns in it, and each pencil here surely some."""
    painter = Painter(SHEET, TEXTURE, VIEW, np.random.default_rng(5))
    sighting, _ = look(with_a_pencil(painter, painter.paint([]), middle, turn, color), SCENE)
    taken = {name: one for name, one in sighting.spaces.items() if one.content and not one.covered}  # type: ignore[union-attr]
    assert taken and all(one.confidence < 0.9 for one in taken.values()), taken


@pytest.mark.long
def test_four_pawns_in_a_row_are_read_surely() -> None:
    row = ("lane0.1", "lane0.2", "lane0.3", "lane0.4")
    pawns = [Pawn(1, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name in row]
    sighting, _ = look(Painter(SHEET, TEXTURE, VIEW, np.random.default_rng(5)).paint(pawns), SCENE)
    for name in row:
        seen = sighting.spaces[name]  # type: ignore[union-attr]
        assert seen.content == (1,) and seen.confidence > 0.97, (name, seen)
