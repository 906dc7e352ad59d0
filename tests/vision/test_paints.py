"""A table's own pieces are not of the sheet's colours: whose they are is ruled, and then their colours are learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from companion.model import BoardSeen, Position, Seat
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import Memory, learn, look, make_scene
from companion.vision.colors.paints import apart, colors_of_sheet, linear_color

SHEET, TEXTURE, _ = printed_board("gloria")
SCENE = make_scene(SHEET, TEXTURE)
SEATS = sorted(SHEET.colors)
PINK = "#c01878"
"""What a household has for red."""
STANDING = {"t3": 0, "t14": 0, "t26": 0, "t7": 1, "t19": 1, "t31": 1, "t10": 2}


def looked_at(paints: Mapping[Seat, str], standing: Mapping[str, Seat] = STANDING) -> tuple[BoardSeen, Memory]:
    """A look at pieces of some paints, which the sheet does not know of."""
    table = replace(SHEET, colors={**SHEET.colors, **paints})
    painter = Painter(table, TEXTURE, View(tilt=15, noise=1).fitted(SHEET), np.random.default_rng(3))
    pawns = [Pawn(seat, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name, seat in standing.items()]
    seen, memory = look(painter.paint(pawns), SCENE)
    assert isinstance(seen, BoardSeen), seen
    return seen, memory


def learned(memory: Memory, standing: Mapping[str, Seat] = STANDING) -> npt.NDArray[np.float64] | None:
    told = learn(memory, SCENE, Position.of({name: (seat,) for name, seat in standing.items()})).learned
    assert told is not None
    return told.colors


@pytest.mark.long
def test_the_colour_of_pieces_comes_nearer_to_what_is_seen() -> None:
    paint, before = linear_color(PINK), colors_of_sheet(SHEET)
    seen, memory = looked_at({0: PINK})
    assert seen.spaces["t3"].content == (0,)
    colors = learned(memory)
    assert colors is not None
    assert apart(colors[SEATS.index(0)], paint) < 0.7 * apart(before[SEATS.index(0)], paint)
    assert colors.sum(axis=1) == pytest.approx(before.sum(axis=1), rel=0.05), "how bright all are is the light's"


@pytest.mark.long
def test_one_piece_alone_may_stand_in_a_shadow_and_teaches_nothing() -> None:
    _, memory = looked_at({2: "#e06a00"})
    colors = learned(memory)
    assert colors is None or np.array_equal(colors[SEATS.index(2)], colors_of_sheet(SHEET)[SEATS.index(2)])


@pytest.mark.long
def test_what_stands_elsewhere_than_was_ruled_teaches_nothing() -> None:
    _, memory = looked_at({0: PINK})
    colors = learned(memory, {"t4": 0, "t15": 0, "t27": 0, "t7": 1, "t19": 1, "t31": 1})
    assert colors is None or np.array_equal(colors[SEATS.index(0)], colors_of_sheet(SHEET)[SEATS.index(0)])


def test_no_colour_is_learned_that_is_rather_another_seats() -> None:
    """Somebody confirms that red's pieces stand where blue's do: they are not painted over for that."""
    wrong = {name: {0: 1, 1: 0}.get(seat, seat) for name, seat in STANDING.items()}
    _, memory = looked_at({})
    assert learned(memory, wrong) is None


@pytest.mark.long
def test_the_next_look_is_told_by_what_was_learned() -> None:
    _, memory = looked_at({0: PINK})
    memory = learn(memory, SCENE, Position.of({name: (seat,) for name, seat in STANDING.items()}))
    moved = {"t5": 0, **{name: seat for name, seat in STANDING.items() if name != "t3"}}
    table = replace(SHEET, colors={**SHEET.colors, 0: PINK})
    painter = Painter(table, TEXTURE, View(tilt=15, noise=1).fitted(SHEET), np.random.default_rng(4))
    pawns = [Pawn(seat, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name, seat in moved.items()]
    for at in (1.0, 2.0):
        seen, memory = look(painter.paint(pawns), SCENE, memory, at)
    assert isinstance(seen, BoardSeen)
    assert {name: s.content for name, s in seen.spaces.items() if s.content} == {n: (s,) for n, s in moved.items()}
    assert memory.look is not None and memory.look.kept is not None and memory.learned is not None
    assert memory.learned.colors is not None
    assert np.array_equal(memory.look.kept.colors, memory.learned.colors)
