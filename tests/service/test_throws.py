"""What the dice say at the table, and what the page shows of them."""

from __future__ import annotations

import queue
import sys
from pathlib import Path
from typing import Any

import pytest
from table import TestTable

from companion.dice import (
    Alarm,
    BoxArmed,
    BoxNoticed,
    BoxQuestion,
    BoxRoll,
    DiceEvent,
    DiceUnfit,
    Flooded,
    LinkLost,
    LinkReady,
    RollHeard,
    RollsUnseen,
    State,
)
from companion.model import DueKind, Rolled, Seat
from companion.model.table import Answer
from companion.panel import Lamps
from companion.service.table.tray import TrayEyes

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


def heard(table: TestTable, dice: ToldDice, *faces: int) -> None:
    """The dice tell the throw that is due."""
    awaited = table.service.throws.awaited
    assert awaited is not None
    tell(table, dice, RollHeard(0.0, DEV, BoxRoll(round(10 * table.clock.time), awaited[0], faces)))


def unwatched(folder: Path, dice: ToldDice, pieces: dict[str, list[int]] | None) -> TestTable:
    """A table that no camera sees, with dice that answer; pieces: where they stand, None before who begins is known."""
    table = TestTable(folder, pieces)
    table.camera.fault = "unplugged"
    table.start().parts.dice = dice
    tell(table, dice, LinkReady(0.0, DEV, 0))
    return table


def assert_another_number(table: TestTable, way: str, **words: Any) -> None:
    """By that word another is to throw than before it: the throw has another number, the same after a restart."""
    due, first = table.service.view().due, table.service.throws.awaited
    assert table.ask(way, **words).ok
    then = table.service.throws.awaited
    assert first is not None and then is not None and first[0] != then[0]
    assert table.service.view().due != due
    table.service.parts.journal.close()
    table.start()
    assert table.service.throws.awaited == then, "the same after a restart"


def test_a_throw_that_is_due_of_another_after_the_dice_are_corrected_has_another_number(
    tmp_path: Path, dice: ToldDice
) -> None:
    """Told of 6 and 6, red was to roll again; it was 6 and 4, so yellow is."""
    table = unwatched(tmp_path, dice, {"0": [-1] * 4, "2": [-1] * 4})
    heard(table, dice, 6, 6)
    assert_another_number(table, "correct", dice=(6, 4))


@pytest.mark.parametrize("way", ["undo", "position"])
def test_a_throw_that_is_due_of_another_has_another_number(tmp_path: Path, dice: ToldDice, way: str) -> None:
    """The box breathed on in the other one's colour, and took the throw of whoever was asked so for that one's."""
    table = unwatched(tmp_path, dice, None if way == "undo" else {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    if way == "undo":
        heard(table, dice, 6, 5)
    state = {key: value for key, value in table.service.state().items() if key != "next"}
    assert_another_number(table, way, **({"state": {**state, "due": 2}} if way == "position" else {}))


def test_a_throw_for_a_challenge_that_was_not_made_is_none_of_the_next_one(tmp_path: Path, dice: ToldDice) -> None:
    """White threw as "No challenge" was said, and the dice were unplugged: black had challenged, and thrown that."""
    squares = {f"{column}8": "NN" for column in "abcdef"} | {f"{column}1": "SS" for column in "abcdef"}
    squares |= {"d4": "N", "h5": "N", "c4": "S", "e6": "S"}
    start = {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N", "squares": squares}
    table = TestTable(tmp_path, game="game-of-god", start=start | {"expects": "challenge", "moved": "d4"})
    table.service.parts.dice = dice
    tell(table, dice, LinkReady(0.0, DEV, 0))
    table.top.set_up(table.game.everything(table.service.desk.bench.state))
    table.live(2.0)
    first = table.service.throws.awaited
    assert first is not None and table.ask("confirm").ok
    table.move(2, "e6", "e4")
    assert "legal" in table.live(3.0) and table.service.view().due_kind is DueKind.CHALLENGE
    tell(table, dice, RollHeard(0.0, DEV, BoxRoll(7, first[0], (6,))))
    assert said(table, "nobody was to roll") == 1
    then = table.service.throws.awaited
    assert (table.service.view().due, table.service.view().due_kind) == (2, DueKind.CHALLENGE)
    table.service.parts.journal.close()
    assert then is not None and table.start().throws.awaited == then, "the same after a restart"
    assert table.ask("challenge", space="d4").ok and table.service.throws.awaited == then, "the throw of that challenge"


class BrokenDice(ToldDice):
    """A driver of one's own whose machine is unplugged."""

    def arm(self, turn: int, dice: int, rgb: str | None = None, ms: int | None = None) -> None:
        raise OSError("no such device")

    def disarm(self) -> None:
        raise OSError("no such device")


def test_dice_that_cannot_be_asked_keep_nobody_from_telling_them_on_the_phone(tmp_path: Path) -> None:
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    table.service.parts.dice = dice = BrokenDice()
    tell(table, dice, LinkReady(0.0, DEV, 0))
    assert "cannot be asked (OSError: no such device" in shown(table) and not table.service.throws.works
    assert table.ask("roll", dice=(3, 1)).ok
    table.service.parts.dice = mended = ToldDice()
    table.move(0, "t10", "t14")
    table.live(3.0)
    assert mended.armed == 2 and shown(table) == "connected" and table.service.throws.works


def test_an_answer_that_the_dice_do_not_take_is_no_thanks(tmp_path: Path) -> None:
    """The phone said "Thank you.", and the alarm could not be put aside again."""
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    table.service.parts.dice = dice = ToldDice()
    tell(table, dice, Alarm(0.0, "The dice box contradicts itself on roll 1.", 1, DEV))
    with pytest.MonkeyPatch.context() as unplugged:
        unplugged.setattr(dice, "dismiss", BrokenDice().disarm)
        answer = table.ask("dismiss")
    assert not answer.ok and "cannot be asked (OSError: no such device" in answer.text
    assert table.ask("dismiss").ok and dice.done == ["dismiss"]


def test_dice_of_ones_own_that_end_the_program_end_neither_the_evening_nor_its_end(tmp_path: Path) -> None:
    """As start() may do, arm() and close() ended all: the game, and the journal stayed open."""

    class Gone(ToldDice):
        def arm(self, turn: int, dice: int, rgb: str | None = None, ms: int | None = None) -> None:
            sys.exit("no such device")

        def close(self) -> None:
            sys.exit("no such device")

    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    table.service.parts.dice = dice = Gone()
    tell(table, dice, LinkReady(0.0, DEV, 0))
    assert "cannot be asked (SystemExit: no such device" in shown(table) and table.ask("roll", dice=(3, 1)).ok
    table.service.close()
    with pytest.raises(Exception, match="closed"):
        table.service.parts.journal.games()


def test_a_box_that_cannot_throw_so_many_is_used_for_as_many_as_it_can(table: TestTable, dice: ToldDice) -> None:
    tell(table, dice, DiceUnfit(0.0, "dice", "The dice box cannot throw that many dice."))
    assert "cannot throw that many" in shown(table) and not table.service.throws.works
    tell(table, dice, BoxArmed(0.0, 1))
    assert shown(table) == "connected" and table.service.throws.works


def test_a_roll_that_a_game_fails_over_is_acknowledged_all_the_same(
    table: TestTable, dice: ToldDice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is on record; the box waited for ever, and threw no more."""
    known: list[int] = []
    dice.recorded = known.append  # type: ignore[method-assign]
    tell_of = table.service.desk._judge

    def fails(word: Any) -> Any:
        if isinstance(word, Rolled):
            raise KeyError("t99")
        return tell_of(word)

    monkeypatch.setattr(table.service.desk, "_judge", fails)
    awaited = table.service.throws.awaited
    assert awaited is not None
    dice.events.put(RollHeard(0.0, DEV, BoxRoll(7, awaited[0], (3, 1))))
    with pytest.raises(KeyError):
        table.live(0.1)
    table.live(0.1)
    assert known == [7]


def tray_saw(table: TestTable, *dice: int) -> None:
    """The camera reads dice that came to rest in the tray, which are compared with those of the box."""
    throws = table.service.throws
    assert table.service.parts.tray is not None
    throws._compared(throws._witness.saw(table.clock.time, dice))
    table.live(0.1)


def test_the_tray_disputes_the_throw_that_was_told_and_not_the_one_that_is_due(
    tmp_path: Path, dice: ToldDice
) -> None:
    """Of the throws for who begins: whoever tapped one of the two pairs threw it for the next player."""
    table = unwatched(tmp_path, dice, None)
    table.service.parts.tray = TrayEyes(None, check=True)
    heard(table, dice, 4, 6)
    tray_saw(table, 4, 5)
    view = table.service.view()
    assert view.due == 2 and view.trouble is not None and view.trouble.told and "undo the throw" in view.trouble.text
    assert table.service.notices.standing is not None and table.service.notices.standing.seat == 0


def test_a_roll_that_could_not_be_moved_is_corrected_when_the_tray_disputes_it(tmp_path: Path, dice: ToldDice) -> None:
    table = unwatched(tmp_path, dice, {"0": [-1] * 4, "2": [-1] * 4})
    table.service.parts.tray = TrayEyes(None, check=True)
    heard(table, dice, 6, 4)
    assert table.service.view().due == 2
    tray_saw(table, 5, 4)
    trouble = table.service.view().trouble
    assert trouble is not None and trouble.told and trouble.rolls == ((6, 4), (5, 4))
    assert table.ask("correct", dice=(5, 4)).ok
    assert (table.service.view().due, table.service.view().roll) == (0, (5, 4))


def test_dice_that_were_typed_are_not_compared_with_those_of_the_next_throw(tmp_path: Path, dice: ToldDice) -> None:
    """One roll that the camera saw and the box did not tell, and each that followed was disputed."""
    table = unwatched(tmp_path, dice, {"0": [-1] * 4, "2": [-1] * 4})
    table.service.parts.tray = TrayEyes(None, check=True)
    tray_saw(table, 3, 1)
    assert table.ask("roll", dice=(3, 1)).ok
    heard(table, dice, 6, 4)
    assert table.service.throws.unclear is None


class Panel:
    """What was shown last."""

    shown: Lamps | None = None

    def show(self, lamps: Lamps) -> None:
        self.shown = lamps

    def close(self) -> None: ...

    @property
    def lit(self) -> dict[Seat, str]:
        assert self.shown is not None
        return {seat: pattern.value for seat, pattern in self.shown.seats.items()}


@pytest.fixture
def lit(tmp_path: Path) -> tuple[TestTable, Panel]:
    """Nobody watches the board; red has one pawn to bring HOME."""
    table, panel = TestTable(tmp_path, {"0": [71, 71, 71, 69], "2": [-1, -1, 5, 7]}), Panel()
    table.camera.fault = "unplugged"
    table.start().parts.panel = panel  # type: ignore[assignment]
    table.service.parts.camera = None
    return table, panel


def test_the_lamps_say_whose_turn_it_is_before_anybody_did_anything(lit: tuple[TestTable, Panel]) -> None:
    table, panel = lit
    table.service.step()
    assert panel.lit == {0: "breathing", 2: "off"}


def test_the_lamp_of_who_did_not_win_after_all_goes_out(lit: tuple[TestTable, Panel]) -> None:
    table, panel = lit
    state = {key: value for key, value in table.service.state().items() if key != "next"}
    assert table.ask("position", state={**state, "pieces": {**state["pieces"], "0": [71] * 4}}).ok
    table.service.step()
    assert "wins" in table.service.view().headline
    assert table.ask("position", state={**state, "due": 2}).ok
    table.service.step()
    assert panel.lit == {0: "off", 2: "breathing"}


def test_a_play_that_was_not_done_blames_nobody_once_another_turn_is_played(tmp_path: Path) -> None:
    """The lamp blinked and the alarm sounded on, and the page said what red could still play, in yellow's turn."""
    table, panel = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}), Panel()
    table.service.parts.panel = panel  # type: ignore[assignment]
    table.live(3.0)
    assert table.ask("roll", dice=(3, 1)).ok and table.ask("confirm").ok
    table.live(3.0)
    assert panel.lit[0] == "fast"
    assert table.ask("correct", dice=(6, 5)).ok
    table.live(0.5)
    assert table.service.view().trouble is None and panel.lit[0] != "fast"
