"""A pawn on the line between two spaces is surely on neither; one that plainly stands on a space is."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from companion.model import BoardSeen, SpaceSeen
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import Scene, look, make_scene

SURE = 0.97


@lru_cache
def scene(game: str) -> Scene:
    return make_scene(*printed_board(game)[:2])


def on_the_way(game: str, pair: tuple[str, str], share: float, seat: int) -> list[SpaceSeen]:
    """How two neighbouring spaces are read, a pawn standing so far on the way from the one to the other."""
    sheet, texture, _ = printed_board(game)
    one, other = (sheet.spaces[name] for name in pair)
    at = one.x + share * (other.x - one.x), one.y + share * (other.y - one.y)
    painter = Painter(sheet, texture, View(tilt=35, noise=1.5, brightness=0.85), np.random.default_rng(seat))
    seen, _ = look(painter.paint([Pawn(seat, pair[0], at)]), scene(game))
    assert isinstance(seen, BoardSeen)
    return [seen.spaces[name] for name in pair]


LINES = [
    ("parcheesi", ("t8", "t9"), 0),
    ("parcheesi", ("t35", "t36"), 1),
    ("parcheesi-print", ("t58", "t59"), 3),
    ("gloria", ("t5", "t6"), 1),
]


@pytest.mark.parametrize(("game", "pair", "seat"), LINES)
def test_a_pawn_on_the_line_is_on_neither_space_for_sure(game: str, pair: tuple[str, str], seat: int) -> None:
    """It was on one, and the other was empty, with 0.9998 each: who had moved five seemed to have moved six."""
    readings = on_the_way(game, pair, 0.5, seat)
    assert all(seen.confidence < SURE for seen in readings)
    assert all(min(seen.log_likelihood(()), seen.log_likelihood((seat,))) > -4 for seen in readings)


@pytest.mark.parametrize("share", [0.35, 0.65])
@pytest.mark.parametrize(("game", "pair", "seat"), LINES[:2])
def test_a_pawn_that_stands_on_a_space_is_there_for_sure(
    game: str, pair: tuple[str, str], seat: int, share: float
) -> None:
    readings = on_the_way(game, pair, share, seat)
    assert [seen.content for seen in readings] == ([(seat,), ()] if share < 0.5 else [(), (seat,)])
    assert all(seen.confidence > SURE for seen in readings)


def test_a_space_that_is_read_again_is_as_doubtful_as_before() -> None:
    """Something came beside one of the two, and the pawn on the line was not looked at again."""
    sheet, texture, _ = printed_board("parcheesi")
    one, other, far = (sheet.spaces[name] for name in ("t5", "t6", "t7"))
    painter = Painter(sheet, texture, View(tilt=35, noise=1.5, brightness=0.85), np.random.default_rng(0))
    pawn, more = Pawn(0, "t5", ((one.x + other.x) / 2, (one.y + other.y) / 2)), Pawn(3, "t7", (far.x, far.y))
    memory, seen = None, None
    for at, pawns in enumerate([[pawn], [pawn], [pawn, more], [pawn, more], [pawn]]):
        seen, memory = look(painter.paint(pawns), scene("parcheesi"), memory, float(at))
        assert isinstance(seen, BoardSeen)
        assert all(seen.spaces[name].confidence < SURE for name in ("t5", "t6"))
