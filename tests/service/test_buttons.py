"""The panel's buttons at the table: answers and challenges, and presses that nobody waits for."""

from __future__ import annotations

from pathlib import Path

import pytest
from table import TestTable

from companion.model import DueKind
from companion.panel import Press

START = {
    "game": "gloria", "options": {}, "seats": [0, 2], "due": 0, "pieces": {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 7]},
}  # fmt: skip


def due(table: TestTable) -> tuple[DueKind, int]:
    return table.service.desk.bench.due.kind, table.service.desk.bench.due.seat


@pytest.mark.long
def test_answers_by_button(tmp_path: Path) -> None:
    table = TestTable(tmp_path, game="gloria", start=START)
    table.live(2)
    assert due(table) == (DueKind.QUESTION, 0)
    table.service.parts.presses.put(Press.WRONG)
    table.live(1)
    assert due(table) == (DueKind.QUESTION, 2)
    table.service.parts.presses.put(Press.RIGHT)
    table.live(1)
    assert due(table) == (DueKind.ROLL, 2)


def test_a_thumb_that_trembles_does_not_answer_the_next_players_question(tmp_path: Path) -> None:
    table = TestTable(tmp_path, game="gloria", start=START)
    table.camera.fault = "unplugged"
    table.start()
    for wait, after in ((0.2, (DueKind.QUESTION, 2)), (0.2, (DueKind.QUESTION, 2)), (1.0, (DueKind.QUESTION, 0))):
        table.clock.time += wait
        table.service.parts.presses.put(Press.WRONG)
        table.service.step()
        assert due(table) == after


def test_both_answers_at_once_are_one(tmp_path: Path) -> None:
    """The second was the answer to the next player's question, which nobody had read yet."""
    table = TestTable(tmp_path, game="gloria", start=START)
    table.camera.fault = "unplugged"
    table.start()
    for press in (Press.WRONG, Press.RIGHT):
        table.service.parts.presses.put(press)
        table.service.step()
        assert due(table) == (DueKind.QUESTION, 2)
    table.clock.time += 1.0
    table.service.parts.presses.put(Press.RIGHT)
    table.service.step()
    assert due(table) == (DueKind.ROLL, 2)


def test_a_button_said_as_text_is_that_button(tmp_path: Path) -> None:
    """As a panel of one's own may say it: "right" was taken for a wrong answer."""
    table = TestTable(tmp_path, game="gloria", start=START)
    table.camera.fault = "unplugged"
    table.start()
    table.service.parts.presses.put("right")  # type: ignore[arg-type]
    table.service.step()
    assert due(table) == (DueKind.ROLL, 0)


@pytest.mark.long
def test_a_press_that_nobody_waits_for_is_answered_by_a_note(tmp_path: Path) -> None:
    table = TestTable(tmp_path, game="gloria", start=START)
    table.live(2)
    for press in (Press.CHALLENGE, Press.RIGHT, Press.RIGHT):
        before = due(table)
        table.service.parts.presses.put(press)
        kinds = table.live(1)
        if press is Press.RIGHT and before[0] is DueKind.QUESTION:
            continue
        assert kinds == ["note"] and table.verdicts[-1].text and due(table) == before
        assert table.service.view().plays[0].text == table.verdicts[-1].text


def test_done_by_button_is_heard_where_no_camera_looks(tmp_path: Path) -> None:
    """It waited for pictures that never come, and nobody was told."""
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    table.camera.fault = "unplugged"
    table.start()
    assert table.ask("roll", dice=(3, 1)).ok
    table.service.parts.presses.put(Press.CONFIRM)
    assert table.live(1) == ["note"] and "Set the position" in table.verdicts[-1].text
    state = {**table.service.state(), "pieces": {"0": [-1, 71, 71, 71], "2": [-1, -1, 5, 7]}}
    assert table.ask("position", state=state).ok and table.ask("roll", dice=(5, 1)).ok
    table.service.parts.presses.put(Press.CONFIRM)
    assert table.live(1) == ["legal"] and due(table) == (DueKind.ROLL, 2)


def test_what_is_no_button_is_said_and_is_not_done(tmp_path: Path) -> None:
    """A panel of one's own that hands on what pressed it (`when_pressed = pressed` of gpiozero gives the button), or a
    word that is none, was taken for "Done"."""
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    table.camera.fault = "unplugged"
    table.start()
    assert table.ask("roll", dice=(3, 1)).ok
    for said in (object(), "takeback", None):
        table.service.parts.presses.put(said)  # type: ignore[arg-type]
        assert table.live(1) == ["note"] and "no Press of" in table.verdicts[-1].text
    table.service.parts.presses.put("confirm")  # type: ignore[arg-type]
    assert table.live(1) == ["note"] and "Set the position" in table.verdicts[-1].text, "its word will do"
