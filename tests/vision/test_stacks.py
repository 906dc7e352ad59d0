"""Stacks of discs and holes for marbles: only the top of a stack is read, and a hole holds one marble."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from companion.model import BoardSeen, Content, Piece, Sheet, SpaceSeen
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Tabletop
from companion.vision import look, make_scene
from companion.vision.board.matching import match
from companion.vision.board.places import places
from companion.vision.board.stacks import unstack
from companion.vision.board.standing import Match
from companion.vision.view.scene import PIXELS_PER_MM


def painted(
    game: str, stacks: dict[str, list[int]], tilt: float, thick: float | None = None, grain: int = 3
) -> tuple:
    """The scene of a printed board and a picture of pieces on it. thick: a disc's height, mm. grain: which noise."""
    sheet, texture, _ = printed_board(game)
    if thick is not None:
        sheet = replace(sheet, piece=Piece("disc", sheet.piece.diameter, thick))
    top = Tabletop(sheet, random.Random(3))
    for name, seats in stacks.items():
        for seat in seats:
            top.pawns.append(top.placed(seat, name))
    view = View(tilt=tilt, turn=25.0).fitted(sheet)
    return make_scene(sheet, texture), Painter(sheet, texture, view, np.random.default_rng(grain)).paint(top.pawns)


def spaces_of(scene: object, frame: np.ndarray) -> Mapping[str, SpaceSeen]:
    seen, _ = look(frame, scene)
    assert isinstance(seen, BoardSeen)
    return seen.spaces


def read(scene: object, frame: np.ndarray) -> dict[str, Content]:
    return {name: space.content for name, space in spaces_of(scene, frame).items()}


def random_stacks(sheet: Sheet, seed: int) -> dict[str, list[int]]:
    rng = random.Random(seed)
    some = [name for name in sheet.spaces if rng.random() < 0.35]
    return {name: [rng.choice(sorted(sheet.colors)) for _ in range(rng.randint(1, 6))] for name in some}


@pytest.mark.long(but=("40-4",))
@pytest.mark.parametrize(("tilt", "thick"), [(0, 6), (20, 4), (40, 4), (40, 6)])
def test_of_a_stack_the_top_is_read(tilt: float, thick: float) -> None:
    stacks = random_stacks(printed_board("game-of-god")[0], seed=int(tilt + thick))
    seen = read(*painted("game-of-god", stacks, tilt, thick))
    wrong = {name: content for name, content in seen.items() if content != tuple(stacks.get(name, [])[-1:])}
    assert max(map(len, seen.values())) == 1
    assert len(wrong) <= 1, wrong


@pytest.mark.long
def test_a_high_stack_is_not_read_on_the_square_behind() -> None:
    seen = read(*painted("game-of-god", {"d4": [0, 1, 3, 2, 1, 3]}, 40, 6.0))
    assert {name: content for name, content in seen.items() if content} == {"d4": (3,)}


@pytest.mark.long
def test_a_low_stack_is_read_between_high_ones() -> None:
    stacks = {"d3": [3] * 3, "d4": [3], "d5": [3] * 4, "e4": [2, 2], "e5": [2]}
    seen = read(*painted("game-of-god", stacks, 35, 6.0))
    assert {name: content for name, content in seen.items() if content} == {
        n: s[-1:] and (s[-1],) for n, s in stacks.items()
    }


@pytest.mark.long(but=("45-b2 3, b3 32, b4 2, a3 1, a4 2, a5 3, d1 13, d2 22, d3 02",))
@pytest.mark.parametrize(
    ("tilt", "line"),
    [
        (55, "b1 10, b2 32, b3 32, a2 2, a3 13, a4 30, e2 03, e3 1, e4 1"),
        (45, "b2 3, b3 32, b4 2, a3 1, a4 2, a5 3, d1 13, d2 22, d3 02"),
        (55, "f3 30, f4 1, f5 33, b2 30, b3 30, b4 1, c1 22, c2 10, c3 2"),
    ],
)
def test_discs_one_behind_the_other_are_no_tall_stack(tilt: float, line: str) -> None:
    """Filmed by Blender (Game of God, 65101): a black disc, a red one and white ones in one line of sight were a stack
    of eight with a white top, and one of seven: surely. In other noise one of them may be a doubt."""
    stacks = {name: [int(seat) for seat in seats] for name, seats in map(str.split, line.split(", "))}
    seen = read(*painted("game-of-god", stacks, tilt, 8.0, grain=2))
    assert {name: content for name, content in seen.items() if content} == {n: (s[-1],) for n, s in stacks.items()}
    for grain in (3, 7, 8):
        spaces = spaces_of(*painted("game-of-god", stacks, tilt, 8.0, grain=grain))
        wrong = {n: seen for n, seen in spaces.items() if seen.content != tuple(stacks.get(n, [])[-1:])}
        assert len(wrong) <= 1 and all(seen.confidence < 0.5 for seen in wrong.values()), (grain, wrong)


@pytest.mark.long
def test_a_stack_whose_top_lies_beyond_the_board_may_be_of_any_colour() -> None:
    """Filmed by Blender (Game of God, 53015): a black disc at the far edge passed for a stack of eight, whose top would
    lie beyond the view; its colour was read from pixels that show something else: surely white."""
    stacks = {f"{file}8": [1, 1, 1, 1, 1, 2] for file in "bdfg"}
    scene, frame = painted("game-of-god", stacks, 62, 10.0)
    seen, _ = look(frame, scene)
    assert isinstance(seen, BoardSeen)
    assert all(seen.spaces[name].confidence < 0.9 for name in stacks)


@pytest.mark.long
def test_a_hole_holds_one_marble() -> None:
    sheet, _, _ = printed_board("aggravation")
    rng = random.Random(5)
    holes = {name: [rng.choice(sorted(sheet.colors))] for name in sheet.spaces if rng.random() < 0.4}
    scene, frame = painted("aggravation", holes, 30)
    seen, _ = look(frame, scene)
    assert isinstance(seen, BoardSeen)
    single = [space for name, space in seen.spaces.items() if not scene.sheet.spaces[name].is_area]
    assert all(len(content) <= 1 for space in single for content in space.likelihoods)
    assert {n: s.content for n, s in seen.spaces.items() if s.content} == {n: tuple(s) for n, s in holes.items()}


def test_no_stack_stands_where_the_board_is_plainly_seen_at_its_foot() -> None:
    """Rendered: the image of a window beyond the board was taken for the top of eight discs on an empty square."""
    sheet, _, _ = printed_board("game-of-god")
    side = round(sheet.width * PIXELS_PER_MM)
    where = places(sheet, np.array([sheet.width / 2, 900.0, 450.0]), (side, side))
    d4 = list(sheet.spaces).index("d4")
    high = int(np.flatnonzero((where.space == d4) & (where.storeys == 8))[0])
    lowest = int(where.lowest[high])
    assert (where.space[lowest], where.storeys[lowest]) == (d4, 1)
    assert where.feet[lowest].tolist() == where.feet[high].tolist()
    shown, foot = where.hidden_by(high)[0], where.hidden_by(lowest)[0]

    def stands(bare: np.ndarray) -> bool:
        told = np.full((side * side, 4), -2.3, np.float32)
        told[shown, 0] = 3.0
        told[bare] = -2.3
        found = match(where, told, told.max(axis=1), sheet)
        return any(where.space[place] == d4 and where.storeys[place] > 1 for place, _ in found.standing)

    assert stands(foot[:0])
    assert stands(foot[: len(foot) // 3]), "a part of it may look like the board"
    assert not stands(foot)


def test_a_stack_that_cannot_be_lower_stays_as_it_is() -> None:
    """Where no low stack comes into question, on its own square or behind, there is nothing to try."""
    sheet = printed_board("game-of-god")[0]
    shape = (round(sheet.height * PIXELS_PER_MM), round(sheet.width * PIXELS_PER_MM))
    where = places(sheet, np.array([sheet.width / 2, sheet.height + 500, 500.0]), shape)
    names = list(sheet.spaces)

    def place(name: str, storeys: int) -> int:
        here = where.space == names.index(name)
        return int(np.flatnonzero(here & where.middle & (where.storeys == storeys))[0])

    stack, behind = (place("d4", 7), 0), place("d5", 7)
    evidence = np.ones((shape[0] * shape[1], 2), np.float32)
    found = Match(where, evidence, 20.0, np.ones(len(where.feet), bool), evidence[:, 0], [stack])
    unstack(found, np.array([stack[0], behind]), 0)
    assert stack in found.standing
