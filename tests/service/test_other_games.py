"""The service with games that ask, stack and challenge: what phones see, and that nothing is lost by a restart."""

from __future__ import annotations

from pathlib import Path

import pytest
from table import TestTable

from companion.decks import Question
from companion.model import DueKind

GLORIA = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0}
GLORIA |= {"pieces": {"0": [-1, -1, -1, 5], "2": [-1, -1, 10, 40]}}
GOD = {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N"}


@pytest.fixture
def gloria(tmp_path: Path) -> TestTable:
    deck = (Question("How many legs has a spider?", "Eight", ("Six", "Ten")),)
    table = TestTable(tmp_path, game="gloria", start=GLORIA, questions=deck)
    table.live(2.0)
    return table


@pytest.mark.long
def test_a_question_is_for_its_reader_alone(gloria: TestTable) -> None:
    view = gloria.service.view()
    assert (view.due_kind, view.due, view.reader, view.deck) == (DueKind.QUESTION, 0, 2, True)
    assert "answer" in view.actions and "roll" not in view.actions and view.dice == ()
    question = gloria.service.question(2)
    assert question is not None and question.answer == "Eight" and set(question.choices) == {"Eight", "Six", "Ten"}
    assert gloria.service.question(0) is None


@pytest.mark.long
def test_a_right_answer_gives_a_roll_and_a_wrong_one_the_turn_away(gloria: TestTable) -> None:
    assert not gloria.ask("roll", dice=(3,)).ok
    assert gloria.ask("answer", right=True).ok
    assert gloria.service.view().dice == (1,)
    assert gloria.ask("roll", dice=(3,)).ok
    gloria.move(0, "t5", "t8")
    assert "legal" in gloria.live(2.0)
    view = gloria.service.view()
    assert (view.due_kind, view.due, view.reader) == (DueKind.QUESTION, 2, 0)
    assert gloria.ask("answer", right=False).ok
    assert gloria.service.view().due == 0 and gloria.verdicts[-1].kind == "pass"


@pytest.mark.long
def test_a_restart_keeps_the_answer_and_the_pawn_that_has_been_round(gloria: TestTable) -> None:
    gloria.ask("answer", right=False)
    gloria.ask("answer", right=True)
    gloria.service.parts.journal.close()
    gloria.start()
    gloria.live(2.0)
    view = gloria.service.view()
    assert (view.due_kind, view.due, view.dice) == (DueKind.ROLL, 2, (1,))
    assert gloria.service.state()["pieces"]["2"] == [-1, -1, 10, 40]
    gloria.ask("roll", dice=(2,))
    gloria.move(2, "t20", "lane2.2")
    assert "legal" in gloria.live(2.0)


@pytest.fixture
def god(tmp_path: Path) -> TestTable:
    squares = {f"{column}8": "NN" for column in "abcdefg"} | {f"{column}1": "SS" for column in "abcdefg"}
    table = TestTable(tmp_path, game="game-of-god", start={**GOD, "squares": squares})
    table.top.set_up(table.game.everything(table.service.desk.bench.state))
    table.live(2.0)
    return table


def test_moves_need_no_dice_and_stacks_are_shown(god: TestTable) -> None:
    view = god.service.view()
    assert (view.due_kind, view.due, view.dice) == (DueKind.MOVE, 0, ())
    assert view.stacks["a8"] == (0, 0) and view.nouns["piece"] == "piece"
    god.move(0, "a8", "a2")
    assert "legal" in god.live(2.0)
    view = god.service.view()
    assert view.due == 2 and "a8" not in view.stacks
    god.move(2, "b1", "b2")
    assert "legal" in god.live(2.0)
    view = god.service.view()
    assert (view.due_kind, view.targets, view.dice) == (DueKind.CHALLENGE, ("a2",), (1,))


def test_a_challenge_is_announced_thrown_and_survives_a_restart(god: TestTable) -> None:
    god.move(0, "a8", "a2")
    god.live(2.0)
    god.move(2, "b1", "b2")
    god.live(2.0)
    assert god.ask("challenge", space="a2").ok
    assert god.ask("roll", dice=(5,)).ok
    god.service.parts.journal.close()
    god.start()
    god.live(2.0)
    view = god.service.view()
    assert (view.due_kind, view.due) == (DueKind.THROW, 0)
    assert god.ask("roll", dice=(2,)).ok
    assert god.service.view().headline == "Black, put the piece from b2 on a2."
    god.move(2, "b2", "a2")
    assert "legal" in god.live(2.0)
    view = god.service.view()
    assert view.due == 0 and view.stacks["a2"] == (0, 2)


@pytest.mark.long
def test_a_crooked_move_is_wrong(god: TestTable) -> None:
    god.move(0, "a8", "h5")
    said = god.live(12.0)
    assert said[0] == "illegal", "it is seen plainly: nothing is asked before"
    trouble = god.service.view().trouble
    assert trouble is not None and trouble.rules[0][0] in ("GOD-5", "GOD-6") and trouble.put_right
    god.move(0, "h5", "a8")
    assert "restored" in god.live(3.0)


def test_a_captured_piece_in_the_base_of_who_captured_it_is_sent_to_its_own(tmp_path: Path) -> None:
    """AGG-6: "I cannot see for sure what stands on red's base" was said, twice, of marbles that stand free."""
    pieces = {"0": [-1, 10, 20, 30], "2": [-1, -1, 5, 40]}
    data = {"game": "aggravation", "options": {}, "seats": [0, 2], "due": 0, "pieces": pieces}
    table = TestTable(tmp_path, game="aggravation", start=data)
    table.live(2.0)
    assert table.ask("roll", dice=(2,)).ok
    table.move(2, "t21", "base0")
    table.move(0, "t19", "t21")
    assert table.live(8.0) == ["unclear"]
    assert table.verdicts[-1].text == "Yellow's marble is captured: it goes back to yellow's base."
    table.move(2, "base0", "base2")
    assert "legal" in table.live(4.0)
