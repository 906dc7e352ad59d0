"""Discs in the sun of a window: the edge of a bar's shadow runs over one, or a pane is mirrored where none lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from light_drawing import lit

from companion.model import BoardSeen
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene
from companion.vision.colors.likely import known_shade
from companion.vision.view.pose import Frame

SHEET, TEXTURE, _ = printed_board("game-of-god")
SCENE = make_scene(SHEET, TEXTURE)
STOOD = {"c1": 0, "f1": 0, "e2": 0, "a3": 0, "c3": 0, "a4": 0, "e5": 0, "f5": 0, "c4": 2, "b6": 2, "g3": 3, "a8": 1}


def board(stood: dict[str, int]) -> tuple[Frame, list[tuple[float, float]]]:
    """A picture, uint8 BGR, of discs of some seats on some squares, and where all squares are, pixels."""
    painter = Painter(SHEET, TEXTURE, View(tilt=20, noise=1.5).fitted(SHEET), np.random.default_rng(5))
    pawns = [Pawn(seat, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name, seat in stood.items()]
    return painter.paint(pawns), painter.project([(s.x, s.y, 0.0) for s in SHEET.spaces.values()])


def seen(frame: Frame) -> dict[str, tuple[tuple[int, ...], float]]:
    sighting, _ = look(frame, SCENE)
    assert isinstance(sighting, BoardSeen)
    return {name: (one.content, one.confidence) for name, one in sighting.spaces.items() if not one.covered}


@pytest.mark.long(but=("32-0-0.65",))
@pytest.mark.parametrize(("wide", "shift", "dark"), [(40, 0.8, 0.65), (40, 0.6, 0.5), (32, 0.2, 0.65), (32, 0, 0.65)])
def test_a_white_disc_half_in_the_shadow_of_a_bar_is_not_surely_another(wide: float, shift: float, dark: float) -> None:
    """The shadow was known, and with it that the board is no darker there than it should be: so it had no edge."""
    frame, _ = board(STOOD)
    y, x = np.mgrid[: frame.shape[0], : frame.shape[1]]
    bars = (np.sin((0.36 * x + y) / wide + 2 * np.pi * shift) > 0).astype(np.float32)
    told = seen(lit(frame, 1 - dark * cv2.GaussianBlur(bars, (0, 0), 2)))
    wrong = {name: told[name] for name, seat in STOOD.items() if name in told and told[name][0] != (seat,)}
    assert not [name for name, (_, confidence) in wrong.items() if confidence > 0.97], wrong
    assert sum(told[name][0] == (seat,) for name, seat in STOOD.items() if name in told) > 0.6 * len(STOOD)


def test_a_red_disc_whose_edge_is_black_is_no_black_one_in_a_shadow_that_is_known() -> None:
    """Of a drawn board a red disc that was found a little beside its place was black with 0.94: the part of it that was
    its own shadow looked as black does in one. What a paint looks like in full light was not asked of the rest."""
    white, black, red = (0.54, -0.01, 0.0), (-1.55, -0.01, -0.03), (-0.68, 0.69, 0.26)
    own, edge = np.array([white, black, red]), np.array([0.2])
    there = (own - (0.3, 0, 0))[None]
    told = known_shade(np.array([[-2.0, 0.02, -0.03]]), np.array([[-0.4, 0.8, 0.35]]), own, there, edge)
    assert told[0, 1] < -20
    lit, dark = np.array([[0.5, 0.0, 0.0]]), np.array([[0.2, 0.0, 0.0]])  # a white one that lies in it by half
    told = known_shade(dark, lit, own, there, edge)
    assert told[0, 0] > 0 and told[0, 1:].max() < told[0, 0] - 10


@pytest.mark.long(but=("c3",))
@pytest.mark.parametrize("square", ["c3", "e4", "f6", "d2"])
def test_a_windows_pane_that_is_mirrored_in_a_square_is_not_surely_a_disc(square: str) -> None:
    frame, squares = board({"a8": 1, "h7": 2, "b8": 0})
    x, y = dict(zip(SHEET.spaces, squares, strict=True))[square]
    pane = np.zeros(frame.shape[:2], np.float32)
    cv2.rectangle(pane, (round(x) - 30, round(y) - 28), (round(x) + 32, round(y) + 34), 0.35, -1)
    content, confidence = seen(lit(frame, added=cv2.GaussianBlur(pane, (0, 0), 2.5))).get(square, ((), 0.0))
    assert content == () or confidence < 0.97
