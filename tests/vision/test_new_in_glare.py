"""A white disc put on a square on which a lamp shines, and a lamp's image that comes there: the one is a disc, as the
square was bare and darker when the board was ruled; the other has no disc's outline."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from companion.games.catalogue import game_for
from companion.model import BoardSeen, SpaceSeen
from companion.service.boards.configured import board_options, printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn, Tabletop
from companion.vision import Scene, learn, look, make_scene
from companion.vision.board.memory import Memory
from companion.vision.view.pose import Frame

SQUARE = "d5"
WARMER = np.array([1.2, 0.96, 0.84])
"""Light, BGR, that is not quite white."""
GAME = game_for("game-of-god", (0, 2), {})
BEGUN = GAME.position(GAME.opening(0))


@lru_cache
def painted(put: bool) -> tuple[Scene, Frame, tuple[float, float]]:
    """The board at the beginning, or after a white disc was put on a square, and the pixel where that lies."""
    sheet, texture, _ = printed_board("game-of-god", board_options(GAME))
    top = Tabletop(sheet, random.Random(1))
    top.set_up(BEGUN)
    at = sheet.spaces[SQUARE].x, sheet.spaces[SQUARE].y
    pawns: list[Pawn] = list(top.pawns)
    if put:
        first = next(number for number, pawn in enumerate(pawns) if pawn.seat == 0)
        pawns[first] = replace(pawns[first], at=at)
    frame = Painter(sheet, texture, View().fitted(sheet), np.random.default_rng(2)).paint(pawns)
    scene = make_scene(sheet, texture)
    _, memory = look(frame, scene)
    assert memory.view is not None
    x, y = memory.view.pose.project([at])[0].tolist()
    return scene, frame, (x, y)


def shone_on(frame: Frame, at: tuple[float, float], light: float, wide: float) -> Frame:
    """The picture with a lamp's soft image, so bright and so many pixels wide."""
    y, x = np.mgrid[: frame.shape[0], : frame.shape[1]]
    image = light * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * wide**2))
    shown = (frame / 255.0) ** 2.2 * WARMER + image[..., None]
    return np.asarray((np.clip(shown, 0, 1) ** (1 / 2.2) * 255).round(), np.uint8)


def seen_after(before: Frame, after: Frame, scene: Scene) -> SpaceSeen:
    """How the square is read in the second picture, after the first was ruled to be the beginning."""
    _, memory = look(before, scene)
    memory: Memory = learn(memory, scene, BEGUN)
    for at in (1.0, 1.2):
        seen, memory = look(after, scene, memory, at)
    assert isinstance(seen, BoardSeen)
    return seen.spaces[SQUARE]


@pytest.mark.long(but=("0.45-25",))
@pytest.mark.parametrize(("light", "wide"), [(0.2, 40), (0.3, 40), (0.45, 25)])
def test_a_white_disc_put_where_a_lamp_shines_is_there(light: float, wide: float) -> None:
    scene, bare, at = painted(False)
    _, put, _ = painted(True)
    seen = seen_after(shone_on(bare, at, light, wide), shone_on(put, at, light, wide), scene)
    assert seen.content == (0,) and seen.log_likelihood(()) < -5


@pytest.mark.long(but=("0.6-10",))
@pytest.mark.parametrize(("light", "wide"), [(0.6, 10), (1.0, 15), (1.5, 20), (2.0, 12)])
def test_a_lamp_that_shines_there_now_is_not_surely_a_disc(light: float, wide: float) -> None:
    scene, bare, at = painted(False)
    seen = seen_after(shone_on(bare, at, 0.0, wide), shone_on(bare, at, light, wide), scene)
    assert not seen.content or seen.confidence < 0.9


@pytest.mark.long
def test_a_pane_that_shines_there_now_is_not_surely_a_disc() -> None:
    scene, bare, (x, y) = painted(False)
    pane = shone_on(bare, (x, y), 0.0, 1)
    corner = round(x) - 22, round(y) - 30
    cv2.rectangle(pane, corner, (corner[0] + 60, corner[1] + 44), (255, 255, 255), -1)
    seen = seen_after(shone_on(bare, (x, y), 0.0, 1), pane, scene)
    assert not seen.content or seen.confidence < 0.9
