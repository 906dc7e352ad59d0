"""A disc of a colour that no seat has is not swallowed: its square is a doubt, or read as some piece."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.model import BoardSeen
from companion.service.boards import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene

SHEET, TEXTURE, _ = printed_board("game-of-god")
SCENE = make_scene(SHEET, TEXTURE)
STANDING = {"b3": 0, "d5": 2, "f6": 0}


@pytest.mark.parametrize("color", ["#20c8c8", "#c040c0", "#228b22", "#f0a020"])
def test_a_disc_of_another_colour_is_never_surely_nothing(color: str) -> None:
    strange = replace(SHEET, colors={**SHEET.colors, 1: color})
    painter = Painter(strange, TEXTURE, View(tilt=15, noise=1.5, brightness=0.85), np.random.default_rng(5))
    standing = {**STANDING, "e3": 1}
    pieces = [Pawn(seat, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name, seat in standing.items()]
    seen, _ = look(painter.paint(pieces), SCENE)
    assert isinstance(seen, BoardSeen), seen
    assert seen.spaces["e3"].content or seen.spaces["e3"].confidence < 0.9
    for name, seat in STANDING.items():
        assert seen.spaces[name].content == (seat,) and seen.spaces[name].confidence > 0.9, name
    doubted = [n for n, s in seen.spaces.items() if s.confidence < 0.9]
    assert set(doubted) <= {"e3"}
