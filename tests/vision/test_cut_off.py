"""A board that the picture cuts off: what lies beyond its edge is not seen, and is no hand that rests there."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from companion.model import BoardSeen
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Hand, Pawn
from companion.vision import Memory, Scene, look, make_scene

SHEET, TEXTURE, _ = printed_board("parcheesi")
STANDING = {"t4": 0, "t21": 1, "t38": 2, "t55": 3, "lane0.3": 0}
CUT = View(tilt=20, turn=8, noise=1.5, brightness=0.85, distance=700, shift=(34.0, -22.0))


@lru_cache
def scene() -> Scene:
    return make_scene(SHEET, TEXTURE)


def painted(standing: dict[str, int], hand: Hand | None = None) -> np.ndarray:
    pieces = [Pawn(seat, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name, seat in standing.items()]
    return Painter(SHEET, TEXTURE, CUT, np.random.default_rng(3)).paint(pieces, hand)


def looked(frame: np.ndarray, memory: Memory | None = None, at: float = 0.0) -> tuple[BoardSeen, Memory]:
    seen, left = look(frame, scene(), memory, at)
    assert isinstance(seen, BoardSeen), seen
    return seen, left


def read(seen: BoardSeen) -> dict[str, int]:
    assert all(len(space.content) < 2 for space in seen.spaces.values())
    return {name: space.content[0] for name, space in seen.spaces.items() if space.content}


@pytest.mark.long
def test_what_lies_beyond_the_picture_is_no_hand() -> None:
    seen, memory = looked(painted(STANDING))
    assert read(seen) == STANDING and not [name for name, space in seen.spaces.items() if space.covered]
    assert min(space.confidence for space in seen.spaces.values()) > 0.97
    assert memory.view is not None and memory.view.beyond is not None and memory.view.beyond.any()
    assert memory.view.sure, "the pawns were all in sight when they were measured"
    assert memory.look is not None and memory.look.again is not None, "the next reading may use this one"


@pytest.mark.long
def test_a_move_is_read_from_what_changed() -> None:
    _, memory = looked(painted(STANDING))
    moved = {name: seat for name, seat in STANDING.items() if name != "t4"} | {"t66": 0}
    seen, memory = looked(painted(moved), memory, 1.0)
    assert read(seen) == moved
    assert memory.look is not None and memory.look.kept is not None and memory.look.kept.times == 1


@pytest.mark.long(but=("t62",))
@pytest.mark.parametrize("space", ["t62", "t65", "t66"])
def test_a_hand_that_comes_in_there_covers(space: str) -> None:
    _, memory = looked(painted(STANDING))
    at = SHEET.spaces[space]
    hand = Hand(0, (at.x, at.y), (at.x + 20, SHEET.height + 260))
    for step in range(3):
        seen, memory = looked(painted(STANDING, hand), memory, 1 + step / 10)
    assert not seen.moving and seen.spaces[space].covered
    assert read(replace(seen, spaces={n: s for n, s in seen.spaces.items() if n in STANDING})) == STANDING


@pytest.mark.long
def test_a_piece_that_is_cut_through_is_not_surely_another() -> None:
    edge = SHEET.spaces["t63"]
    for dy in (0.0, 4.0, 8.0):
        pawn = Pawn(3, "t63", (edge.x, edge.y + dy))
        rest = [Pawn(seat, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name, seat in STANDING.items()]
        frame = Painter(SHEET, TEXTURE, CUT, np.random.default_rng(3)).paint([pawn, *rest], None)
        seen, _ = looked(frame)
        one = seen.spaces["t63"]
        assert one.covered or one.content == (3,) or one.confidence < 0.9, (dy, one)
