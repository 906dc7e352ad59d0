"""A board printed without one of the inks looks veiled in that ink's channel; its pieces do not."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest

from companion.model import BoardSeen, Position
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Tabletop
from companion.vision import look, make_scene
from companion.vision.light.inkless import of_pieces
from companion.vision.light.today import Light

STANDS = Position.of(
    {"t3": (0,), "t9": (1,), "t14": (2,), "t21": (3,), "t26": (2,), "t31": (0,), "t36": (1,), "t38": (3,)}
    | {f"base{seat}.{place}": (seat,) for seat in range(4) for place in (1, 2)}
)


def without(texture: np.ndarray, channel: int) -> np.ndarray:
    """The print without most of the ink that takes light from one channel."""
    levels = 250 - (250 - np.minimum(np.arange(256), 250)) // 12
    texture = texture.copy()
    texture[..., channel] = cv2.LUT(texture[..., channel], levels.astype(np.uint8))
    return texture


@pytest.mark.parametrize("channel", [0, 1])
def test_pieces_on_a_board_printed_without_an_ink_have_their_own_colours(channel: int) -> None:
    """Without red ink green seemed to veil the board, and yellow pawns were orange or red."""
    sheet, texture, _ = printed_board("gloria")
    top = Tabletop(sheet, random.Random(1))
    top.set_up(STANDS)
    painter = Painter(sheet, without(texture, channel), View(brightness=0.95), np.random.default_rng(1))
    seen, memory = look(painter.paint(top.pawns), make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen) and memory.look is not None and memory.look.again is not None
    assert memory.look.again.light.haze.max() < 0.1
    assert all(space.content == STANDS.at(name) for name, space in seen.spaces.items())
    assert sum(space.confidence > 0.97 for space in seen.spaces.values()) > 0.95 * len(seen.spaces)


def test_shadows_are_no_sign_against_a_veil() -> None:
    light = Light(0.6 * np.eye(3), np.array([0.0, 0.3, 0.0]), np.zeros((6, 3)))
    half = np.full((100, 100, 3), (0.6, 0.9, 0.6), np.float32)
    half[:20, :20] *= 0.2
    assert np.array_equal(of_pieces(light, half).haze, light.haze)
    half[:20, :20] = (0.5, 0.05, 0.1)
    assert of_pieces(light, half).haze.max() == 0
