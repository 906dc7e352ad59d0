"""Pretend pieces of all kinds on all boards: discs in stacks, marbles in holes, pawns in bases; and how they look."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.catalogue import game_for
from companion.model import BoardSeen, Piece, Position, Sheet
from companion.service.boards.configured import board_options, printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn, Tabletop, shoulder_of
from companion.vision import look, make_scene

BOARDS: list[tuple[str, dict[str, Any]]] = [
    ("gloria", {}),
    ("gloria", {"home": "center"}),
    ("parcheesi-print", {}),
    ("aggravation", {"arms": 4}),
    ("aggravation", {"arms": 6}),
    ("game-of-god", {}),
]
STACKS = Position.stacked({"d4": (0, 2), "d5": (2, 2, 0), "a1": (1,), "f3": (3, 1)})


def table_of(game: str, options: dict[str, Any] | None = None, seed: int = 1) -> Tabletop:
    return Tabletop(printed_board(game, options)[0], random.Random(seed))


def view_of(sheet: Sheet, tilt: float = 25.0) -> View:
    """A camera that sees the whole sheet."""
    return View(width=960, height=720, noise=0.0, tilt=tilt).fitted(sheet)


def painter_of(table: Tabletop, tilt: float = 25.0) -> Painter:
    sheet = table.sheet
    texture = printed_board(sheet.game, sheet.options)[1]
    return Painter(sheet, texture, view_of(sheet, tilt), np.random.default_rng(1))


# --- discs ---


def test_discs_on_one_square_lie_on_each_other() -> None:
    table = table_of("game-of-god")
    table.set_up(STACKS)
    tower = [pawn for pawn in table.pawns if pawn.space == "d5"]
    assert [pawn.z for pawn in tower] == [0, 4, 8] and not any(pawn.lift for pawn in tower)
    assert max(math.dist(a.at, b.at) for a, b in itertools.pairwise(tower)) < 1.2
    assert table.position() == STACKS


def test_a_disc_goes_on_top_and_the_topmost_is_found() -> None:
    table = table_of("game-of-god")
    table.set_up(STACKS)
    table.pawns.append(table.placed(1, "d4"))
    assert table.position().at("d4") == (0, 2, 1)
    table.pawns.remove(table.find(2, "d5"))
    assert table.position().at("d5") == (2, 0)
    top = table.find(0, "d5")
    assert top is not None and top.z == 8
    assert table.find(3, "d5") is None


def test_a_disc_in_the_hand_is_in_no_stack() -> None:
    table = table_of("game-of-god")
    table.set_up(STACKS)
    top = table.find(0, "d5")
    assert top is not None
    table.pawns[table.pawns.index(top)] = Pawn(0, "", top.at, lift=25.0, z=top.z)
    assert table.position().at("d5") == (2, 2)
    assert table.placed(1, "d5").z == 8


def test_discs_of_other_games_lie_side_by_side() -> None:
    """On a board of one's own for draughtsmen the demo's players laid two on each other, of which the eyes see one."""
    printed = printed_board("parcheesi")[0]
    table = Tabletop(replace(printed, piece=Piece("disc", 15.0, 3.0)), random.Random(1))
    table.set_up(Position.of({"t5": (2, 2), "t12": (2, 0), "base0": (0, 0)}))
    assert all(pawn.z == 0 for pawn in table.pawns)
    assert all(math.dist(a.at, b.at) > 15 for a, b in itertools.combinations(table.pawns, 2))
    assert table.position() == Position.of({"t5": (2, 2), "t12": (0, 2), "base0": (0, 0)})


def seen_at(painter: Painter, pawns: list[Pawn], at: tuple[float, float], z: float) -> np.ndarray:
    """The picture's colour, B G R, where a point above the board is seen."""
    x, y = np.round(painter.project([(*at, z)])[0]).astype(int)
    return painter.paint(pawns)[y, x].astype(int)


@pytest.mark.parametrize("tilt", [5, 40])
def test_the_top_of_a_stack_is_seen_at_its_height(tilt: float) -> None:
    table = table_of("game-of-god")
    table.set_up(Position.stacked({"d4": (0, 0, 3)}))
    painter, at = painter_of(table, tilt), table.pawns[0].at
    b, g, r = seen_at(painter, table.pawns, at, 12.0)
    assert r > 2 * max(b, g)
    table.set_up(Position.stacked({"d4": (3, 3, 0)}))
    b, g, r = seen_at(painter, table.pawns, table.pawns[0].at, 12.0)
    assert min(b, g, r) > 120


def test_the_side_of_a_stack_is_seen_from_the_side() -> None:
    table = table_of("game-of-god")
    table.set_up(Position.stacked({"d4": (3, 3, 0)}))
    painter, (x, y) = painter_of(table, 45), table.pawns[0].at
    b, g, r = seen_at(painter, table.pawns, (x, y + 13.8), 3.0)
    assert r > 2 * max(b, g)


# --- marbles ---


def test_marbles_lie_in_their_holes() -> None:
    for arms in (4, 6):
        table = table_of("aggravation", {"arms": arms})
        game = game_for("aggravation", list(range(arms)), {"arms": arms})
        table.set_up(game.position(game.opening(0)))
        assert len({pawn.where for pawn in table.pawns}) == 4 * arms
        for pawn in table.pawns:
            space = table.sheet.spaces[pawn.where]
            assert math.dist(pawn.at, (space.x, space.y)) <= 1.0


def test_a_marble_is_round_and_hides_its_hole() -> None:
    table = table_of("aggravation")
    table.set_up(Position.of({"t3": (0,)}))
    painter, (marble,) = painter_of(table, 30), table.pawns
    changed = np.abs(painter.paint([marble]).astype(int) - painter.base)[..., 1] > 90
    count, _, stats, middles = cv2.connectedComponentsWithStats(changed.astype(np.uint8))
    largest = 1 + int(np.argmax(stats[1:count, cv2.CC_STAT_AREA]))
    middle, edge = painter.project([(*marble.at, 5.0), (marble.at[0] + 7.0, marble.at[1], 5.0)])
    radius = math.dist(middle, edge)
    assert math.dist(middles[largest], middle) < 0.5 * radius
    assert stats[largest, cv2.CC_STAT_AREA] == pytest.approx(math.pi * radius**2, rel=0.35)


# --- bases and the centre ---


@pytest.mark.parametrize("game", ["gloria", "aggravation"])
def test_a_base_with_four_places_is_filled_place_by_place(game: str) -> None:
    table = table_of(game)
    for _ in range(4):
        table.pawns.append(table.placed(2, "base2"))
    assert {pawn.space for pawn in table.pawns} == {"base2"}
    assert table.position() == Position.of({f"base2.{n}": (2,) for n in (1, 2, 3, 4)})
    assert table.folded() == Position.of({"base2": (2,) * 4})
    found = table.find(2, "base2.3")
    assert found is not None and found is not table.find(0, "base2")


def test_a_place_of_a_base_may_be_named() -> None:
    table = table_of("gloria")
    table.set_up(Position.of({"base1.3": (1,)}))
    assert table.pawns[0].space == "base1" and table.pawns[0].where == "base1.3"
    others = [table.placed(1, "base1").where for _ in range(20)]
    assert set(others) == {"base1.1", "base1.2", "base1.4"}


def test_a_fifth_pawn_in_a_base_stands_beside_another() -> None:
    table = table_of("gloria")
    table.set_up(Position.of({"base0": (0,) * 5}))
    assert max(map(len, table.position().values())) == 2
    assert min(math.dist(a.at, b.at) for a, b in itertools.combinations(table.pawns, 2)) > 11


def test_glorias_centre_holds_all_sixteen() -> None:
    table = table_of("gloria", {"home": "center"})
    table.set_up(Position.of({"center": (0, 1, 2, 3) * 4}))
    center = table.sheet.spaces["center"]
    assert min(math.dist(a.at, b.at) for a, b in itertools.combinations(table.pawns, 2)) > 11.5
    assert max(math.dist(pawn.at, (center.x, center.y)) for pawn in table.pawns) <= center.radius - 5


# --- hands ---

SIDES = {
    "gloria": [(0, 1), (-1, 0), (0, -1), (1, 0)],
    "parcheesi-print": [(0, 1), (1, 0), (0, -1), (-1, 0)],
    "aggravation": [(0, 1), (-1, 0), (0, -1), (1, 0)],
    "game-of-god": [(0, -1), (1, 0), (0, 1), (-1, 0)],
}


@pytest.mark.parametrize(("game", "seat"), [(game, seat) for game in SIDES for seat in range(4)])
def test_arms_come_from_their_own_side_of_every_board(game: str, seat: int) -> None:
    sheet = printed_board(game)[0]
    x, y = shoulder_of(sheet, seat)
    assert not (0 <= x <= sheet.width and 0 <= y <= sheet.height)
    across, down = SIDES[game][seat]
    assert (x - sheet.width / 2) * across + (y - sheet.height / 2) * down > 0.6 * sheet.width


def test_six_arms_come_from_six_sides() -> None:
    sheet = printed_board("aggravation", {"arms": 6})[0]
    shoulders = [shoulder_of(sheet, seat) for seat in range(6)]
    assert min(math.dist(a, b) for a, b in itertools.combinations(shoulders, 2)) > 300


# --- eyes ---


def scattered(sheet: Sheet, spaces: tuple[str, ...], rng: random.Random) -> Position:
    """Four pieces of each seat, or stacks of discs, anywhere where one may stand; some in base."""
    if sheet.piece.kind == "disc":
        squares = rng.sample(list(sheet.spaces), 24)
        return Position.stacked({s: [rng.randrange(4) for _ in range(rng.choice((1, 1, 2, 3)))] for s in squares})
    contents: dict[str, tuple[int, ...]] = {}
    for seat in sheet.colors:
        own = [name for name in spaces if name[0] == "t" or name.startswith(f"lane{seat}.") or name == "center"]
        free = [name for name in own if name not in contents]
        contents |= {name: (seat,) for name in rng.sample(free, 3)}
        contents[f"base{seat}"] = (seat,)
    return Position.of(contents)


@pytest.mark.long(but=("gloria-{}", "game-of-god-{}"))
@pytest.mark.parametrize(("game", "options"), BOARDS, ids=lambda part: str(part))
def test_the_eyes_read_every_board(game: str, options: dict[str, Any]) -> None:
    """Of a stack the camera sees the top."""
    rng = random.Random(11)
    table = table_of(game, options)
    rules = game_for(game, sorted(table.sheet.colors), options)
    assert board_options(rules) == dict(table.sheet.options)
    table.set_up(scattered(table.sheet, rules.spaces(), rng))
    texture = printed_board(game, options)[1]
    view = View(tilt=rng.uniform(10, 35), turn=6.0).fitted(table.sheet)
    frame = Painter(table.sheet, texture, view, np.random.default_rng(2)).paint(table.pawns)
    seen = look(frame, make_scene(table.sheet, texture))[0]
    assert isinstance(seen, BoardSeen)
    truth = table.position()
    tops = {name: truth.at(name)[-1:] if table.sheet.piece.kind == "disc" else truth.at(name) for name in seen.spaces}
    wrong = [name for name, one in seen.spaces.items() if not one.covered and one.content != tops[name]]
    assert len(wrong) <= 1, wrong
    assert sum(one.covered for one in seen.spaces.values()) <= 1


@pytest.mark.long(but=("38",))
@pytest.mark.parametrize("tilt", [10, 38])
def test_stacks_of_four_are_read_by_their_tops(tilt: float) -> None:
    table = table_of("game-of-god")
    rng = random.Random(int(tilt))
    squares = rng.sample(list(table.sheet.spaces), 10)
    table.set_up(Position.stacked({square: [rng.randrange(4) for _ in range(4)] for square in squares}))
    texture = printed_board("game-of-god")[1]
    frame = Painter(table.sheet, texture, View(tilt=tilt), np.random.default_rng(2)).paint(table.pawns)
    seen = look(frame, make_scene(table.sheet, texture))[0]
    assert isinstance(seen, BoardSeen)
    wrong = [name for name, one in seen.spaces.items() if one.content != table.position().at(name)[-1:]]
    assert len(wrong) <= 1, wrong
