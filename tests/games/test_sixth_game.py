"""The example of docs/add-a-game.md is a whole game: its rules hold, and the referee can referee it."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.sheet import BOARDS, Boards, write_sheet
from companion.games import catalogue
from companion.model import BoardSeen, Kind, Position, Roll, Rolled, Saw, SpaceSeen, StateError, Step, Verdict
from companion.referee import wording
from companion.referee.bench import Bench, tell
from companion.service.boards import check_sheet
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Tabletop
from companion.vision import load_scene, look

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


dash, dash_board = example("dash"), example("dash_board")


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch):
    """Dash in the house, as steps 3 to 5 of the document put it there."""
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


def test_a_state_that_cannot_be_is_refused(game) -> None:
    data = game.to_json(game.opening(0)) | {"pieces": {"0": [3, 5], "2": [-1, 3]}}
    with pytest.raises(StateError, match="share a space"):
        game.from_json(data)
