"""Discs that stand out from the board all round, and shadows that do not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from lone_stack import SHAPE, SHEET, seen_from, standing

from companion.service.boards import printed_board
from companion.vision.board.standing import Match
from companion.vision.colors.set_off import set_off
from companion.vision.light.today import Light
from companion.vision.loading import make_scene
from companion.vision.view.pose import Frame
from companion.vision.view.scene import PIXELS_PER_MM

PRINTED = make_scene(SHEET, printed_board("game-of-god")[1]).print.linear
PLAIN = Light(np.eye(3), np.zeros(3), np.zeros((6, 3)))


def seen(share: np.ndarray) -> Frame:
    """The board under such a share of the light, (rows, cols), as a camera shows it: uint8 BGR."""
    shown = PRINTED * share[..., None] + np.random.default_rng(3).normal(0, 0.003, PRINTED.shape)
    return np.asarray(255 * np.clip(shown, 0, 1) ** (1 / 2.2), np.uint8)


def drawn(found: Match, place: int, level: float, share: np.ndarray) -> Frame:
    """The same with a disc of one grey on it."""
    flat, (pixels, _) = seen(share), found.where.hidden_by(place)
    flat.reshape(-1, 3)[pixels] = round(255 * level ** (1 / 2.2))
    return np.asarray(cv2.blur(flat, (3, 3)))


def told(found: Match, place: int, flat: Frame) -> bool:
    return bool(set_off(found, np.array([place]), flat, PLAIN, PRINTED)[0])


def bar(at: float, dark: float = 0.3) -> np.ndarray:
    """A shadow's straight edge across the board, at so many pixels."""
    return np.tile(np.where(np.arange(SHAPE[1]) < at, dark, 1.0), (SHAPE[0], 1))


@pytest.mark.parametrize("storeys", [1, 3])
@pytest.mark.parametrize("level", [0.01, 0.9], ids=["black", "white"])
@pytest.mark.parametrize("share", [1.0, 0.3], ids=["lit", "in the shade"])
def test_a_disc_stands_out_whatever_lies_beside_it(storeys: int, level: float, share: float) -> None:
    found, place = standing(seen_from(25), "d4", storeys)
    assert told(found, place, drawn(found, place, level * share, np.full(SHAPE, share)))


def test_a_black_disc_stands_out_though_its_own_shadow_lies_on_one_side() -> None:
    found, place = standing(seen_from(25), "d4", 1)
    pixels, _ = found.where.hidden_by(place)
    shadow = np.zeros(SHAPE, np.float32)
    shadow.ravel()[pixels] = 1
    share = 1 - 0.9 * np.roll(shadow, round(4 * PIXELS_PER_MM), axis=1)
    assert told(found, place, drawn(found, place, 0.01, share))


@pytest.mark.parametrize("off", np.linspace(-20, 20, 9))
def test_a_shadow_that_runs_over_a_square_does_not(off: float) -> None:
    found, place = standing(seen_from(25), "d4", 1)
    flat = seen(bar(SHEET.spaces["d4"].x * PIXELS_PER_MM + off))
    assert not told(found, place, flat)


def test_the_bare_board_does_not_and_neither_does_what_is_hardly_seen() -> None:
    found, place = standing(seen_from(25), "d4", 1)
    flat = drawn(found, place, 0.01, np.ones(SHAPE))
    assert not told(found, place, seen(np.ones(SHAPE)))
    found.front[:] = np.where(found.front > 1e8, -1e9, found.front)  # other pieces hide all that lies beside it
    assert not told(found, place, flat)
