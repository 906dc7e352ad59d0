"""A pawn with some of its colour left beside it may be two, off the middle of its space."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
import table_drawing as table

from companion.games.catalogue import game_for
from companion.model import BoardSeen, Piece
from companion.service.boards.configured import board_options, printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Tabletop
from companion.vision import look, make_scene
from companion.vision.board.places import places
from companion.vision.board.standing import Match, Put
from companion.vision.reading.plain_sight import perhaps_two

SHEET, _ = table.board()
NAMES, SEATS = list(SHEET.spaces), sorted(SHEET.colors)
WHERE = places(replace(SHEET, piece=Piece("pawn", 12.0, 24.0)), table.camera(tilt=50.0).eye, (375, 375))
BASE = NAMES.index("base0")
FIELD = NAMES.index("t0")
RED = 0


def put_at(space: int, x: float, y: float) -> Put:
    """The place on a space that lies so many mm from its middle."""
    own, there = np.flatnonzero(WHERE.space == space), SHEET.spaces[NAMES[space]]
    return int(own[np.linalg.norm(WHERE.feet[own] - (there.x + x, there.y + y), axis=1).argmin()]), RED


def told(put: list[Put], shown: list[Put]) -> dict[int, int]:
    """What is said of pawns that were put on the board, where some are seen."""
    evidence = np.full((WHERE.shape[0] * WHERE.shape[1], len(SEATS)), -1.0, np.float32)
    for place, color in shown:
        evidence[WHERE.hidden_by(place)[0], color] = 3.0
    found = Match(WHERE, evidence, 11.0, np.ones(len(WHERE.feet), bool), evidence[:, RED], put)
    left_out = {space for space in range(len(NAMES)) if space not in (BASE, FIELD)}
    assert perhaps_two(found, {BASE, FIELD}) == {}
    return perhaps_two(found, left_out)


def test_one_between_two_on_a_space_may_be_these() -> None:
    """Two green pawns on a square of a green lane, one behind the other, were surely one, and \"a pawn is missing\"."""
    near, far = put_at(FIELD, -4, -6), put_at(FIELD, 5, 6)
    assert told([near], [near, far]) == {FIELD: RED}


@pytest.mark.parametrize("middle", [True, False], ids=["in the middle", "off it, with nothing beside it"])
def test_a_lone_one_is_as_sure_as_ever(middle: bool) -> None:
    one = put_at(FIELD, 0, 0) if middle else put_at(FIELD, -4, -6)
    assert told([one], [one, put_at(FIELD, 5, 9)] if middle else [one]) == {}


@pytest.mark.long(but=("1",))
@pytest.mark.parametrize("seed", [1, 4])
def test_a_pawn_that_was_taken_from_a_base_is_surely_gone(seed: int) -> None:
    """When one more was not unlikely in a base, a demo missed that foul."""
    rules = game_for("parcheesi", (0, 1, 2, 3), {})
    sheet, texture, _ = printed_board("parcheesi", board_options(rules))
    table_top = Tabletop(sheet, random.Random(seed))
    table_top.set_up(rules.position(rules.opening(0)))
    taken = next(pawn for pawn in table_top.pawns if pawn.seat == 3)
    left = [pawn for pawn in table_top.pawns if pawn is not taken]
    frame = Painter(sheet, texture, View().fitted(sheet), np.random.default_rng(2)).paint(left)
    seen, _ = look(frame, make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen)
    base = seen.spaces["base3"]
    assert base.content == (3, 3, 3) and base.confidence > 0.99
    assert base.likelihoods.get((3, 3, 3, 3), -10.0) < -5
