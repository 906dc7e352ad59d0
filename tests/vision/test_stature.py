"""Pawns that are taller or shorter than the sheet says: how tall they are is measured, and remembered."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from companion.model import BoardSeen
from companion.service.boards import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import Memory, Scene, look, make_scene
from companion.vision.stature import stature

SHEET, TEXTURE, _ = printed_board("parcheesi")
STANDING = {"t4": 0, "t5": 0, "t21": 1, "t40": 2, "t41": 2, "t60": 3}


@lru_cache
def scene() -> Scene:
    return make_scene(SHEET, TEXTURE)


def painted(share: float, tilt: float = 35.0, shift: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """The board with pawns of a share of the usual height: two pairs of which one stands right behind the other."""
    tall = replace(SHEET, piece=replace(SHEET.piece, height=share * SHEET.piece.height))
    view = View(tilt=tilt, noise=1.5, brightness=0.85, shift=shift)
    pieces = [Pawn(seat, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name, seat in STANDING.items()]
    return Painter(tall, TEXTURE, view, np.random.default_rng(4)).paint(pieces)


def looked(frame: np.ndarray, memory: Memory | None = None) -> tuple[BoardSeen, Memory]:
    seen, left = look(frame, scene(), memory)
    assert isinstance(seen, BoardSeen), seen
    return seen, left


@pytest.mark.parametrize("share", [1.0, 1.3])
def test_pawns_are_measured_and_read_right(share: float) -> None:
    seen, memory = looked(painted(share))
    assert memory.view is not None and memory.view.stature is not None
    assert abs(memory.view.stature - share) < 0.11
    assert memory.view.places.piece.height == pytest.approx(memory.view.stature * SHEET.piece.height)
    read = {name: space.content for name, space in seen.spaces.items() if space.content}
    assert read == {name: (seat,) for name, seat in STANDING.items()}


def test_how_tall_they_are_is_known_after_the_board_was_pushed() -> None:
    _, memory = looked(painted(1.3))
    assert memory.view is not None and memory.view.stature is not None
    pushed = painted(1.3, shift=(25.0, 10.0))
    _, moving = looked(pushed, memory)
    seen, after = looked(pushed, moving)
    assert seen.moved and after.view is not None
    assert after.view.stature == memory.view.stature
    assert after.view.places.piece.height == memory.view.places.piece.height


def test_another_height_must_explain_clearly_more() -> None:
    flat = {1.0: 100.0, 0.8: 90.0, 1.2: 108.0, 1.4: 105.0}
    assert stature(flat.__getitem__) == 1.0
    steep = {1.0: 100.0, 0.8: 60.0, 1.2: 130.0, 1.4: 120.0, 1.1: 118.0, 1.3: 136.0}
    assert stature(lambda share: steep[round(share, 1)]) == pytest.approx(1.3)
    asked = []
    assert stature(lambda share: asked.append(share) or 50.0 * share) == pytest.approx(1.4)
    assert max(asked) < 1.45
