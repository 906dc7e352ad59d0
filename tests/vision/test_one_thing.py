"""A coin or a cap on the board is not several pieces of its colour; pieces that stand together are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene
from companion.vision.sight import read
from companion.vision.view.pose import Frame

SHEET, TEXTURE, _ = printed_board("parcheesi")
SCENE = make_scene(SHEET, TEXTURE)
VIEW = View(tilt=25, noise=1.5).fitted(SHEET)
COIN = (90, 200, 240)  # yellow, BGR
DARK = 0.45  # times as bright as its lit side is the other side of a ball


def with_a_coin(painter: Painter, frame: Frame, x: float, y: float, darkest: float = 1.0) -> Frame:
    """The picture with a flat yellow disc, 24 mm wide, at a place of the board, mm; or with a ball, which is darker and
    darker to its right."""
    turn = np.linspace(0, 2 * np.pi, 90)
    rim = np.array(painter.project([(x + 12 * np.cos(a), y + 12 * np.sin(a), 0.5) for a in turn]))
    covered = cv2.fillPoly(np.zeros(frame.shape[:2], np.uint8), [np.round(16 * rim).astype(np.int32)], 255,
                           cv2.LINE_AA, 4)  # fmt: skip
    share = cv2.GaussianBlur(covered, (0, 0), 1.0)[..., None] / 255
    lit = np.interp(np.arange(frame.shape[1]), [rim[:, 0].min(), rim[:, 0].max()], [1.0, darkest])[:, None]
    return np.asarray(np.round(frame * (1 - share) + share * lit * np.array(COIN)), np.uint8)


@pytest.mark.long(but=("t18-coin",))
@pytest.mark.parametrize("darkest", [1.0, DARK], ids=["coin", "ball"])
@pytest.mark.parametrize("space", ["t0", "lane0.2", "t18", "t10"])
def test_a_coin_is_not_surely_some_pieces_nor_is_a_ball(space: str, darkest: float) -> None:
    painter = Painter(SHEET, TEXTURE, VIEW, np.random.default_rng(5))
    empty = painter.paint([])
    _, memory = look(empty, SCENE)
    assert memory.view is not None
    at = SHEET.spaces[space]
    seen, _ = read(with_a_coin(painter, empty, at.x, at.y, darkest), SCENE, memory.view)
    taken = {name: one for name, one in seen.items() if one.content and not one.covered}
    assert all(one.confidence < 0.9 for one in taken.values()), taken


@pytest.mark.long
def test_pawns_that_stand_together_are_read_surely() -> None:
    at = SHEET.spaces["t2"]
    pawns = [Pawn(2, "t2", (at.x + off, at.y)) for off in (-6.5, 6.5)]
    sighting, _ = look(Painter(SHEET, TEXTURE, VIEW, np.random.default_rng(5)).paint(pawns), SCENE)
    seen = sighting.spaces["t2"]  # type: ignore[union-attr]
    assert seen.content == (2, 2) and seen.confidence > 0.97
