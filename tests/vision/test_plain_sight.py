"""A disc of a colour that no seat has is not swallowed: its square is a doubt, or read as some piece."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.model import BoardSeen
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene
from companion.vision.board.standing import Match
from companion.vision.colors.paints import colors_of_sheet
from companion.vision.reading.plain_sight import humbled

SHEET, TEXTURE, _ = printed_board("game-of-god")
SCENE = make_scene(SHEET, TEXTURE)
STANDING = {"b3": 0, "d5": 2, "f6": 0}


@pytest.mark.long
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


@pytest.mark.long
def test_an_ink_far_off_the_sheets_is_taken_for_what_it_is() -> None:
    """A printer's yellow that is nearly orange: all over the board alike, it is the print, and is read as surely."""
    sheet, texture, _ = printed_board("parcheesi")
    hue = cv2.cvtColor(texture, cv2.COLOR_BGR2HSV)
    yellow = (hue[..., 0] > 18) & (hue[..., 0] < 36) & (hue[..., 1] > 90)
    hue[..., 0][yellow] -= 10
    other = np.asarray(cv2.cvtColor(hue, cv2.COLOR_HSV2BGR), np.uint8)
    view = View(tilt=15, noise=1.5, brightness=0.85).fitted(sheet)
    standing = {"t4": 3, "t30": 3, "lane1.2": 1, "lane0.3": 2, "lane2.4": 1}
    pieces = [Pawn(seat, name, (sheet.spaces[name].x, sheet.spaces[name].y)) for name, seat in standing.items()]
    seen, _ = look(Painter(sheet, other, view, np.random.default_rng(6)).paint(pieces), make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen), seen
    assert {name: space.content[0] for name, space in seen.spaces.items() if space.content} == standing
    assert min(space.confidence for space in seen.spaces.values()) > 0.99


def test_where_the_print_is_met_so_badly_that_pieces_would_hide_in_it_nothing_is_surely_empty() -> None:
    view = View(tilt=15, noise=1.5, brightness=0.85)
    pieces = [Pawn(seat, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name, seat in STANDING.items()]
    seen, memory = look(Painter(SHEET, TEXTURE, view, np.random.default_rng(5)).paint(pieces), SCENE)
    assert isinstance(seen, BoardSeen) and memory.look is not None and memory.look.kept is not None
    kept, paints = memory.look.kept, dict(zip(sorted(SHEET.colors), colors_of_sheet(SHEET), strict=True))
    found = Match(kept.places, kept.told.open, 20.0, np.zeros(len(kept.places.feet), bool), kept.told.most)
    assert humbled(found, kept, paints, dict(seen.spaces), ()) == seen.spaces, "a print that is met well"
    blind = {"bright": np.full(256, 0.6, np.float32), "hue": np.full(256, 0.3, np.float32)}
    badly = replace(kept, ground=replace(kept.ground, tables={**kept.ground.tables, **blind}))
    doubts = humbled(found, badly, paints, dict(seen.spaces), ("a1",))
    assert doubts["a1"] == seen.spaces["a1"]
    empty = [name for name, space in seen.spaces.items() if not space.content and name != "a1"]
    assert all(doubts[n].content == () and doubts[n].confidence <= seen.spaces[n].confidence for n in empty)
    assert sum(doubts[name].confidence < 0.97 for name in empty) >= len(empty) / 3, "those as light or dark as a piece"
    assert all(doubts[name] == seen.spaces[name] for name in STANDING)
    worse = {name: 3 * table for name, table in blind.items()}
    ground = replace(kept.ground, tables={**kept.ground.tables, **worse})
    doubts = humbled(found, replace(kept, ground=ground), paints, dict(seen.spaces), ())
    assert all(doubts[name].confidence < 0.9 for name in empty), "where anything might be the print"


@pytest.mark.long
def test_where_a_pawn_hides_in_its_lane_two_may_stand_for_one() -> None:
    """In a weak lamp two yellow pawns in yellow's lane were surely one, in their shadow between them."""
    sheet, texture, _ = printed_board("parcheesi")
    standing = {"lane2.5": 2, "t30": 2, "t4": 3}
    pieces = [Pawn(seat, name, (sheet.spaces[name].x, sheet.spaces[name].y)) for name, seat in standing.items()]
    view = View(tilt=15, noise=1.5, brightness=0.85, lamp=(0.0, 0.0, 1.0)).fitted(sheet)
    frame = Painter(sheet, texture, view, np.random.default_rng(5)).paint(pieces)
    seen, memory = look(frame, make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen) and memory.look is not None and memory.look.kept is not None
    kept, paints = memory.look.kept, dict(zip(sorted(sheet.colors), colors_of_sheet(sheet), strict=True))
    assert all(seen.spaces[name].content == (seat,) for name, seat in standing.items())
    assert min(seen.spaces[name].confidence for name in standing) > 0.99
    clear = Match(kept.places, kept.told.open, 11.0, np.zeros(len(kept.places.feet), bool), kept.told.most)
    for piece in kept.standing:
        clear.put(piece)
    weak = {"bright": np.full(256, 0.3, np.float32), "hue": np.full(256, 0.15, np.float32)}
    dim = replace(kept, ground=replace(kept.ground, tables={**kept.ground.tables, **weak}))
    assert humbled(clear, dim, paints, dict(seen.spaces), ())["lane2.5"].confidence > 0.99, "the lane is seen beside it"
    silent = replace(clear, evidence=np.zeros_like(kept.told.open), standing=[*kept.standing])
    doubts = humbled(silent, dim, paints, dict(seen.spaces), ())
    assert doubts["lane2.5"].content == (2,) and 0.7 < doubts["lane2.5"].confidence < 0.97
    assert doubts["lane2.5"].likelihoods[2, 2] > -4
    assert min(doubts[name].confidence for name in ("t30", "t4")) > 0.99, "on white a second one would show"
