"""What the dice say at the table, and what the page shows of them."""

from __future__ import annotations

import queue
from pathlib import Path

import pytest
from table import TestTable

from companion.dice import Alarm, BoxNoticed, BoxQuestion, DiceEvent, Flooded, LinkLost, LinkReady, RollsUnseen, State
from companion.model import DueKind
from companion.model.table import Answer

DEV = "7F3A90C1"


class ToldDice:
    """Dice that say what a test puts into `events`. done: what they were asked to do."""

    state = State.READY

    def __init__(self) -> None:
        self.events: queue.SimpleQueue[DiceEvent] = queue.SimpleQueue()
        self.done: list[str] = []
        self.armed = 0

    def start(self) -> None: ...
    def close(self) -> None: ...
    def recorded(self, id: int) -> None: ...

    def arm(self, turn: int, dice: int, rgb: str | None = None, ms: int | None = None) -> None:
        self.armed = dice

    def disarm(self) -> None:
        self.armed = 0

    def adopt(self) -> None:
        self.done.append("adopt")

    def dismiss(self) -> None:
        self.done.append("dismiss")


@pytest.fixture
def dice() -> ToldDice:
    return ToldDice()


@pytest.fixture
def table(tmp_path: Path, dice: ToldDice) -> TestTable:
    table = TestTable(tmp_path / "games", {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    table.service.parts.dice = dice
    tell(table, dice, LinkReady(0.0, DEV, 0))
    return table


def tell(table: TestTable, dice: ToldDice, *events: DiceEvent) -> None:
    for event in events:
        dice.events.put(event)
    table.live(0.1)


def shown(table: TestTable) -> str:
    return next(view.text for view in table.service.view().devices if view.name == "dice")


@pytest.mark.long
def test_an_alarm_is_asked_again_after_the_dice_were_away(table: TestTable, dice: ToldDice) -> None:
    alarm = Alarm(0.0, "The dice box contradicts itself on roll 1.", 1, DEV)
    tell(table, dice, alarm, LinkLost(0.0, "The dice fell silent."), alarm)
    assert shown(table) == alarm.text and not table.service.throws.works
    assert table.ask("dismiss").ok and dice.done == ["dismiss"]
    tell(table, dice, LinkReady(0.0, DEV, 0))
    assert shown(table) == "connected" and table.service.throws.works


def test_whether_to_use_another_box_is_no_question_once_that_is_gone(table: TestTable, dice: ToldDice) -> None:
    """Who said yes then had a box on record that nobody has, and their own one was "another" from then on."""
    asked = BoxQuestion(0.0, "0BAD0BAD", 7, "other", "This is another dice box (0BAD0BAD) than before.")
    tell(table, dice, asked)
    assert "adopt" in table.service.view().actions
    tell(table, dice, LinkLost(0.0, "The dice box is gone."))
    assert "adopt" not in table.service.view().actions
    assert not table.ask("adopt").ok and dice.done == []
    assert table.service.parts.journal.box() == DEV
    tell(table, dice, asked, LinkReady(0.0, DEV, 0))
    assert "adopt" not in table.service.view().actions and shown(table) == "connected"
    tell(table, dice, asked)
    assert table.ask("adopt").ok and dice.done == ["adopt"]
    assert table.service.parts.journal.box() == "0BAD0BAD"


def test_rolls_that_were_made_without_the_referee_are_on_record_as_history(table: TestTable, dice: ToldDice) -> None:
    tell(table, dice, RollsUnseen(0.0, DEV, 3, (), 4), LinkReady(0.0, DEV, 4))
    journal = table.service.parts.journal
    assert (journal.box(), journal.last(DEV)) == (DEV, 4)


def said(table: TestTable, text: str) -> int:
    return sum(text in verdict.text for verdict in table.verdicts)


@pytest.mark.long
def test_a_stuck_button_is_said_once_and_shown_until_it_is_pressed_anew(table: TestTable, dice: ToldDice) -> None:
    tell(table, dice, BoxNoticed(0.0, "stuck"), BoxNoticed(0.0, "stuck"))
    assert "stuck" in shown(table) and said(table, "stuck") == 1
    tell(table, dice, BoxNoticed(0.0, "press"))
    assert shown(table) == "connected"


@pytest.mark.long
def test_a_flood_is_said_once_and_shown_until_it_is_over(table: TestTable, dice: ToldDice) -> None:
    flood = Flooded(0.0, "The dice box sends more than it should: it may be broken.")
    for event in (flood, LinkLost(0.0, "The dice box fell silent."), LinkReady(0.0, DEV, 0), flood):
        tell(table, dice, event)
        table.live(1.0)
    assert shown(table) == flood.text and said(table, flood.text) == 1
    table.live(11.0)
    assert shown(table) == "connected"
    tell(table, dice, flood)
    assert said(table, flood.text) == 2, "another one"


@pytest.mark.long
def test_how_many_dice_were_chosen_is_known_after_a_power_cut(tmp_path: Path) -> None:
    """PRN-1: one die was chosen, and after a restart two were asked for."""
    start = {"game": "parcheesi-print", "options": {}, "seats": [0, 2], "due": 0}
    start |= {"pieces": {"0": [-1, -1, 5, 7], "2": [-1, -1, 5, 7]}}
    table = TestTable(tmp_path / "games", game="parcheesi-print", start=start)
    table.live(1.0)
    assert table.service.view().throwing == 2
    assert table.ask("dice", count=1) == Answer(True, "One die.")
    assert table.start().view().throwing == 1
    table.live(1.0)
    assert table.ask("dice", count=3).text == "1 or 2 dice are due now, not 3. Red, roll one die or both."
    assert table.ask("roll", dice=(2,)).ok and table.start().view().throwing == 0
    assert table.ask("newgame", first=0).ok and table.service.view().throwing == 2, "that was of another throw"


@pytest.mark.long
def test_a_choice_of_dice_while_a_roll_waits_is_told_what_waits(tmp_path: Path) -> None:
    table = TestTable(tmp_path / "games", game="parcheesi-print")
    table.top.pawns.clear()
    table.ask("newgame", first=0)
    table.live(2.0)
    assert table.ask("roll", dice=(3, 1)).ok
    waits = "A roll waits already: it counts as soon as the board is as it should be."
    assert table.ask("dice", count=1).text == table.ask("roll", dice=(3, 1)).text == waits


@pytest.mark.long
def test_a_new_game_that_begins_without_dice_lets_the_box_go(tmp_path: Path) -> None:
    """Gloria begins with a question: the box stayed armed, and lit, for the throw of the game before."""
    start = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0, "expects": "roll"}
    start |= {"pieces": {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 7]}}
    table, dice = TestTable(tmp_path / "games", game="gloria", start=start), ToldDice()
    table.service.parts.dice = dice
    tell(table, dice, LinkReady(0.0, DEV, 0))
    assert dice.armed == 1
    assert table.ask("newgame", first=0).ok and table.service.desk.bench.due.kind is DueKind.QUESTION
    table.live(0.1)
    assert dice.armed == 0
