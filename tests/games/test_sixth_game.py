"""The example of docs/add-a-game.md is a whole game: its rules hold, and the referee can referee it."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from examples import EXAMPLES, example
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.drawing import lettering
from calibration.sheet import BOARDS, Boards, drawn, texture, write_sheet
from companion.games import catalogue
from companion.model import (
    BadInput,
    BoardSeen,
    Kind,
    Markers,
    Piece,
    Position,
    Roll,
    Rolled,
    Saw,
    SheetError,
    Space,
    SpaceSeen,
    StateError,
    Step,
    Verdict,
    sheet_from_json,
    sheet_to_json,
)
from companion.referee import wording
from companion.referee.bench import Bench, tell
from companion.service.boards import configured as boards
from companion.service.boards.configured import check_sheet, table_for
from companion.service.boards.looking import look_at
from companion.service.boards.seats import seats_of
from companion.service.cli import _parser
from companion.service.config import Config
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Tabletop
from companion.vision import load_scene, look

dash, dash_board = example("dash"), example("dash_board")


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch):
    """Dash in the house, where an add-on puts it, too."""
    monkeypatch.setitem(catalogue.GAMES, "dash", dash.Dash)
    monkeypatch.setitem(wording.BOOKS, "dash", dash.WORDS)
    monkeypatch.setitem(BOARDS, "dash", Boards(dash_board.sheet, dash_board.svg))
    return catalogue.game_for("dash", (0, 2))


def test_without_its_end_it_imports_only_what_the_document_has_left_there() -> None:
    """Else `ruff check` of step 8 finds what was left over."""
    kept = ast.parse((EXAMPLES / "dash.py").read_text(encoding="utf-8").split("def _count(")[0])
    used = {node.id for node in ast.walk(kept) if isinstance(node, ast.Name)}
    unused = [
        (node.module, name.name)
        for node in kept.body
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for name in node.names
        if name.name not in used
    ]
    left_out = {name if module != "companion.referee.phrases" else "companion.referee" for module, name in unused}
    document = (EXAMPLES.parent / "add-a-game.md").read_text(encoding="utf-8")
    assert left_out == set(re.findall("`(.+?)`", document.split("from `_count` on")[1].split(":")[0]))


@pytest.mark.long
@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_random_play_ends_and_only_legal_steps_have_no_objections(seed: int) -> None:
    rng, game = Random(seed), dash.Dash((0, 1, 3))
    state = game.opening(1)
    for _ in range(2000):
        if game.winners(state):
            break
        assert game.from_json(game.to_json(state)) == state
        state = game.hear(state, rng.choice(game.rolls(state)))
        legal = {(s.origin, s.target): s for s in game.legal_steps(state)}
        for origin in game.position(state):
            for target in (*game.spaces(), "nowhere"):
                found = game.objections(state, Step(state.due, origin, target))
                assert bool(found) == ((origin, target) not in legal)
                assert all(game.rule(objection.rule) for objection in found)
        state = game.take(state, rng.choice(list(legal.values()))) if legal else game.stop(state)
    assert game.winners(state)


def see(bench: Bench, position: Position, at: float) -> tuple[Bench, list[Verdict]]:
    """A hand, and then a still board for two seconds."""
    spaces = {n: SpaceSeen(position.at(n), 0.999, likelihoods={position.at(n): 0.0}) for n in bench.game.spaces()}
    said: list[Verdict] = []
    for k in range(12):
        bench, verdicts = tell(bench, Saw(at + 0.2 * k, BoardSeen(at + 0.2 * k, spaces, moving=k == 0)))
        said += verdicts
    return bench, said


def test_the_referee_referees_it(game) -> None:
    state = game.opening(0)
    bench = Bench.opening(game, {0: "red", 2: "yellow"}, state, 0)
    bench, _ = see(bench, game.position(state), 0.0)
    bench, _ = tell(bench, Rolled(3.0, Roll((4,))))
    wrong = game.position(state).moved(0, "base0", "t5")
    bench, said = see(bench, wrong, 4.0)
    assert [v.kind for v in said] == [Kind.ILLEGAL] and said[0].rules == ("DSH-1",)
    assert said[0].text == "Red's runner moved 6 spaces, but the die shows 4."
    bench, said = see(bench, game.position(state), 8.0)
    assert [v.kind for v in said] == [Kind.RESTORED]
    bench, said = see(bench, game.position(state).moved(0, "base0", "t3"), 12.0)
    assert [v.kind for v in said] == [Kind.LEGAL] and said[0].text == "Red entered a runner."


@pytest.mark.long
def test_its_board_is_printed_and_read(game, tmp_path: Path) -> None:
    assert len(write_sheet("dash", tmp_path)) == 5
    scene = load_scene(tmp_path / "sheet.json")
    check_sheet(scene.sheet, game, tmp_path / "sheet.json")
    state = game.from_json(game.to_json(game.opening(0)) | {"pieces": {"0": [3, 20], "2": [-1, 11]}})
    top = Tabletop(scene.sheet, Random(4))
    top.set_up(game.position(state))
    painter = Painter(scene.sheet, cv2.imread(str(tmp_path / "dash.png")), View(tilt=20), np.random.default_rng(4))
    seen, _ = look(painter.paint(top.pawns), scene)
    assert isinstance(seen, BoardSeen)
    assert {name: one.content for name, one in seen.spaces.items() if one.content} == dict(game.position(state))


BROKEN = [
    ("a space is left out", {"spaces": {n: s for n, s in dash_board.sheet().spaces.items() if n != "t5"}}, "space t5"),
    ("a space lies off it", {"spaces": {"t5": Space("t5", 900.0, 10.0, 13.0)}}, "x = 900 mm lies far off"),
    ("a size is text", {"spaces": {"t5": Space("t5", 90.0, 10.0, "13")}}, "radius_mm must be a number"),
    ("another game's name", {"game": "dush"}, "'dush'"),
    ("a colour by its name", {"colors": dash_board.COLORS | {2: "yellow"}}, "must be written like .* not 'yellow'"),
    ("a seat without a colour", {"colors": {0: "#c8102e"}}, "colors gives none for seat 2"),
    ("two seats of one colour", {"colors": dash_board.COLORS | {2: "#c8102e"}}, "seats 0 and 2"),
    ("two seats of one name", {"seat_names": dash_board.NAMES | {2: "red"}}, "'red' to seats 0 and 2"),
    ("a name without a letter", {"seat_names": dash_board.NAMES | {2: " "}}, "seats gives ' ' to seat 2; give a word"),
    ("a marker too few", {"markers": Markers("DICT_4X4_50", 24.0, {0: (20, 20)})}, "at least four markers"),
]


@pytest.mark.parametrize(("change", "said"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_board_with_a_mistake_is_refused_in_a_sentence_before_it_is_played_on(
    game, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], said: str
) -> None:
    """It was drawn, printed and played on, and its sheet.json refused only when it was read again."""
    broken = replace(dash_board.sheet(), **change)
    monkeypatch.setitem(BOARDS, "dash", Boards(lambda: broken, dash_board.svg))
    with pytest.raises(SheetError, match=f"the board of dash: .*{said}"):
        check_sheet(drawn("dash")[0], game, "the board of dash")
    boards._printed.cache_clear()
    with pytest.raises(SheetError, match=said):
        table_for(Config(), game)


@pytest.mark.parametrize(("count", "seats"), [(None, (0, 1)), (2, (0, 1))])
def test_a_game_for_two_is_demonstrated_by_its_two(
    game, monkeypatch: pytest.MonkeyPatch, count: int | None, seats: tuple[int, ...]
) -> None:
    """It could not be: four were seated, or two at the seats 0 and 2."""
    two = replace(dash_board.sheet(), colors={0: "#c8102e", 1: "#1450a0"})
    monkeypatch.setitem(BOARDS, "dash", Boards(lambda: two, dash_board.svg))
    assert seats_of("dash", {}, count) == seats


def test_an_area_of_any_name_stays_one_in_its_file() -> None:
    spaces = dash_board.sheet().spaces | {"bar": Space("bar", 150.0, 160.0, 30.0, area=True)}
    read = sheet_from_json(json.loads(json.dumps(sheet_to_json(replace(dash_board.sheet(), spaces=spaces)))))
    assert read.spaces["bar"].is_area and not read.spaces["t5"].is_area


def test_what_cannot_be_drawn_is_said() -> None:
    assert lettering("QUIZ XY", (0, 0), 3.0)
    with pytest.raises(BadInput, match="'Ziel': there is no stroke letter 'e'"):
        lettering("Ziel", (0, 0), 3.0)
    with pytest.raises(BadInput, match="the board of dash cannot be drawn"):
        texture("<svg", dash_board.sheet())


@pytest.mark.long
def test_how_many_pieces_a_space_holds_is_as_the_game_begins(game, tmp_path: Path) -> None:
    """A table of nine men in the hand was read as a sleeve that lies there; the document had `FULL` raised for it."""
    write_sheet("dash", tmp_path)
    scene = load_scene(tmp_path / "sheet.json")
    assert boards.of_game(scene, game).most == 4

    class Nine(dash.Dash):
        def position(self, state: Any) -> Position:
            return Position.of({"base0": (0,) * 9, "base2": (2,) * 9})

    nine = boards.of_game(scene, Nine((0, 2)))
    assert nine.most == nine.pieces == 9 and nine.players == {0, 2}
    discs = replace(scene, sheet=replace(scene.sheet, piece=Piece("disc", 16.0, 5.0)))
    assert boards.of_game(discs, Nine((0, 2))).most == 4, "they are not told apart as surely"
    top = Tabletop(scene.sheet, Random(4))
    top.set_up(Position.of({"base0": (0,) * 6, "t3": (2,)}))
    painter = Painter(scene.sheet, cv2.imread(str(tmp_path / "dash.png")), View(tilt=10), np.random.default_rng(4))
    picture = painter.paint(top.pawns)
    assert look(picture, scene)[0].spaces["base0"].covered
    seen = look(picture, nine)[0].spaces["base0"]
    assert not seen.covered and seen.content == (0,) * 6


def test_look_knows_how_many_pieces_the_game_of_the_sheet_has(
    game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It took four a seat in every game: the six of a game of nine were a sleeve."""
    write_sheet("dash", tmp_path)
    scene = load_scene(tmp_path / "sheet.json")

    class Some(dash.Dash):
        count = 9

        def position(self, state: Any) -> Position:
            return Position.of({f"base{seat}": (seat,) * self.count for seat in self.seats})

    monkeypatch.setitem(catalogue.GAMES, "dash", Some)
    nine = boards.of_its_game(scene)
    assert nine.most == nine.pieces == 9 and nine.players is None
    top = Tabletop(scene.sheet, Random(4))
    top.set_up(Position.of({"base0": (0,) * 6, "t3": (2,)}))
    painter = Painter(scene.sheet, cv2.imread(str(tmp_path / "dash.png")), View(tilt=10), np.random.default_rng(4))
    cv2.imwrite(str(tmp_path / "a.png"), painter.paint(top.pawns))
    (line,) = look_at(_parser().parse_args(["look", "--sheet", str(tmp_path / "sheet.json"), str(tmp_path / "a.png")]))
    assert not line["spaces"]["base0"]["covered"] and len(line["spaces"]["base0"]["seen"]) == 6
    monkeypatch.setattr(Some, "count", 2)
    assert boards.of_its_game(scene).pieces == 2 and boards.of_its_game(scene).most == 4
    monkeypatch.setattr(Some, "position", lambda *_: 1 / 0)
    assert boards.of_its_game(scene) is scene, "a game that fails in its own code"
    monkeypatch.delitem(catalogue.GAMES, "dash")
    assert boards.of_its_game(scene) is scene


def test_a_state_that_cannot_be_is_refused(game) -> None:
    data = game.to_json(game.opening(0)) | {"pieces": {"0": [3, 5], "2": [-1, 3]}}
    with pytest.raises(StateError, match="share a space"):
        game.from_json(data)
