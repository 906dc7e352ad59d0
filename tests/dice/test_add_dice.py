"""The example of docs/add-dice.md is a whole source of dice: the real service judges its throws."""

from __future__ import annotations

import queue
import re
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from examples import EXAMPLES, example
from program import free_port
from table import TestTable

from companion.dice import BoxRoll, DiceEvent, DiceSaid, DiceSource, LinkLost, LinkReady, RollHeard, State
from companion.dice.book import MemoryBook
from companion.dice.own import OWN_DICE
from companion.dice.own import OwnDice as Entered
from companion.model import BadInput, ConfigError, DueKind
from companion.service import assembly
from companion.service.addons import add_dice
from companion.service.config import config_from

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "add-dice.md"


def until(table: TestTable, what: Callable[[], bool]) -> None:
    for _ in range(500):
        table.clock.time += 0.01
        table.service.step()
        if what():
            return
        time.sleep(0.01)
    raise AssertionError(" | ".join(verdict.text for verdict in table.verdicts))


def plugged(table: TestTable, lines: queue.SimpleQueue[str]) -> None:
    """The example at the table, as step 6 puts it there."""
    dice: DiceSource = example("line_dice").LineDice(table.service.parts.journal, iter(lines.get, ""))
    table.service.parts.dice = dice
    table.service.throws.arm()
    dice.start()


def test_its_throws_are_judged_kept_and_numbered_on(tmp_path: Path) -> None:
    table, lines = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}), queue.SimpleQueue[str]()
    plugged(table, lines)
    until(table, lambda: table.service.desk.bench.dice_work)
    lines.put("6\n")
    until(table, lambda: any("The dice say 6, but 2 dice are due." in verdict.text for verdict in table.verdicts))
    assert table.service.view().roll == ()
    lines.put("3 1\n")
    until(table, lambda: table.service.view().due_kind is DueKind.PLAY)
    assert table.service.view().roll == (3, 1)
    assert table.service.parts.journal.last("line-dice") == 1
    lines.put("")
    until(table, lambda: not table.service.desk.bench.dice_work)
    assert example("line_dice").LineDice(table.service.parts.journal, [])._last == 1


def test_dice_whose_program_ends_by_an_error_say_that_they_are_away() -> None:
    def torn() -> Iterator[str]:
        yield "6\n"
        raise OSError("the pipe is broken")

    dice = example("line_dice").LineDice(MemoryBook(), torn())
    with pytest.raises(OSError, match="broken"):
        dice._listen()
    said = [dice.events.get_nowait() for _ in range(3)]
    assert isinstance(said[0], LinkReady) and isinstance(said[-1], LinkLost) and dice.state is State.CLOSED


@pytest.fixture
def lines() -> Iterator[queue.SimpleQueue[str]]:
    """What the dice say that step 6 of the document enters."""
    [call] = re.findall(r"```python\n(   add_dice.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    lines = queue.SimpleQueue[str]()
    stdin = SimpleNamespace(stdin=iter(lines.get, ""))
    names = {"LineDice": example("line_dice").LineDice, "sys": stdin, "add_dice": add_dice}
    exec(textwrap.dedent(call), names)
    yield lines
    del OWN_DICE["line"]


def test_a_word_for_it_is_entered_as_the_document_says(tmp_path: Path, lines: queue.SimpleQueue[str]) -> None:
    given = {"dice": {"port": "line"}}
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    dice, why = assembly._dice(config_from(given), table.service.parts.journal)
    assert dice is not None and why == "looking for a program; until then, enter the dice on the phone"
    table.service.parts.dice = dice
    table.service.throws.arm()
    dice.start()
    until(table, lambda: table.service.desk.bench.dice_work)
    lines.put("3 1\n")
    until(table, lambda: table.service.view().roll == (3, 1))
    lines.put("")
    with pytest.raises(ConfigError, match=r'"none" \(the phone\), "line" \(a program\) or a path'):
        config_from({"dice": {"port": "lien"}})


@pytest.mark.parametrize("word", ["auto", "ble", "line", "", "my dice", "/dev/mine", None])
def test_a_word_that_is_taken_or_none_is_refused(lines: queue.SimpleQueue[str], word: Any) -> None:
    with pytest.raises(BadInput, match="Take another" if word in ("auto", "ble", "line") else "a name is a word"):
        add_dice(word, lambda book: example("line_dice").LineDice(book, []), "a program")


def _raises(*given: object, **more: object) -> Any:
    raise OSError("no /dev/hidraw0 on this machine")


@pytest.mark.parametrize("when", ["made", "made nothing", "started", "armed", "exits", "no queue"])
def test_dice_that_raise_are_done_without_which_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """The table did not start: a traceback, or what a library said that exits."""
    dice = OwnDice()
    if when == "armed":
        monkeypatch.setattr(OwnDice, "arm", _raises)
        dice.disarm = _raises
    if when == "started":
        dice.start = _raises
    if when == "exits":
        dice.start = lambda: sys.exit("no /dev/hidraw0 on this machine")
    make = {"made": _raises, "made nothing": lambda book: None}.get(when, lambda book: dice)
    if when == "no queue":  # the game was blamed in every round, and no phone was heard
        dice.events = []  # type: ignore[assignment]
    whys = {"made nothing": "what makes them gave None", "no queue": "'list' object has no attribute 'empty'"}
    why = whys.get(when, "no /dev/hidraw0 on this machine")
    monkeypatch.setitem(OWN_DICE, "own", Entered(make, "dice of my own", "looking for my dice"))
    given = {"dice": {"port": "own"}, "camera": {"source": "none"}, "page": {"host": "127.0.0.1", "port": free_port()}}
    house = assembly.build(config_from(given | {"journal": {"folder": str(tmp_path)}}))
    try:
        house.service.step()
        [shown] = [device for device in house.service.view().devices if device.name == "dice"]
        assert house.service.parts.dice is None and shown.state == "off"
        assert shown.text == (
            f"The dice 'own' are done without: {why}. "
            "Until the next start, enter the dice on the phone."
        )
    finally:
        house.close()


@pytest.mark.parametrize("line", ["3 7 1", "3 1 0", "12 3 1", "5-3", "rolled 5 and 3", "", "5 ³"])
def test_a_line_with_a_word_that_is_no_die_is_refused_and_said(line: str) -> None:
    dice = example("line_dice").LineDice(MemoryBook(), [])
    dice.arm(5, 2)
    assert "that is no throw" in dice._heard(line + "\n", 0.0).text
    assert dice._heard("3 1\n", 0.0).roll.faces == (3, 1)


@pytest.mark.parametrize(("due", "said"), [(None, "no dice are due"), (1, "1 die is due"), (3, "3 dice are due")])
def test_dice_that_are_not_due_are_said(due: int | None, said: str) -> None:
    dice = example("line_dice").LineDice(MemoryBook(), [])
    if due is not None:
        dice.arm(5, due)
    assert dice._heard("3 1\n", 0.0).text == f"The dice say 3 1, but {said}."


def test_it_is_as_short_as_the_document_says() -> None:
    assert len((EXAMPLES / "line_dice.py").read_text().splitlines()) <= 50


class OwnDice:
    """Dice of somebody's own making, which say what they are told to say."""

    def __init__(self) -> None:
        self.events: queue.SimpleQueue[DiceEvent] = queue.SimpleQueue()
        self.state, self.turn, self.forgotten = State.READY, 0, list[int]()
        self.start = self.close = self.disarm = self.adopt = self.dismiss = lambda: None

    def arm(self, turn: int, dice: int, rgb: str | None = None, ms: int | None = None) -> None:
        self.turn = turn

    def recorded(self, id: int) -> None:
        self.forgotten.append(id)

    def say(self, table: TestTable, number: int, faces: Any) -> list[str]:
        """What is said when they tell of a roll."""
        said = len(table.verdicts)
        self.events.put(RollHeard(0.0, "own-dice", BoxRoll(number, self.turn, faces)))
        for _ in range(4):
            table.clock.time += 0.05
            table.service.step()
        return [verdict.text for verdict in table.verdicts[said:]]


def with_own_dice(tmp_path: Path, pieces: dict[str, list[int]] | None) -> tuple[TestTable, OwnDice]:
    table, dice = TestTable(tmp_path, pieces), OwnDice()
    table.service.parts.dice = dice
    dice.events.put(LinkReady(0.0, "own-dice", 0))
    table.service.step()
    return table, dice


@pytest.mark.long(but=("()",))
@pytest.mark.parametrize("faces", [(0, 3), (7, 3), ("5", "3"), "53", (5.0, 3.0), (True, 3), (None, 3), ()], ids=repr)
def test_what_no_die_can_show_is_said_and_is_no_throw(tmp_path: Path, faces: Any) -> None:
    """Whatever a driver hands over: it neither stops the loop nor comes into the journal, and the next throw counts."""
    table, dice = with_own_dice(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    [said] = dice.say(table, 1, faces)
    assert "a die shows 1 to 6" in said and table.service.view().roll == () and dice.forgotten == [1]
    dice.say(table, 2, (np.int64(5), np.uint8(3)))
    assert table.service.view().roll == (5, 3) and table.service.parts.journal.last("own-dice") == 2
    assert all(type(face) is int for face in table.service.view().roll)


def test_faces_that_come_one_by_one_are_a_roll_as_a_tuple_is(tmp_path: Path) -> None:
    """Something was said to be wrong inside the referee, and the roll was neither taken nor let go."""
    table, dice = with_own_dice(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    [said] = dice.say(table, 1, map(int, "5x"))
    assert "a die shows 1 to 6" in said and dice.forgotten == [1]
    dice.say(table, 2, map(int, "53"))
    assert table.service.view().roll == (5, 3) and dice.forgotten == [1, 2]


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("5 3", "The dice tell '5 3', which is none of the values in companion/dice/events.py."),
        (None, "The dice tell None, which is none of the values in companion/dice/events.py."),
        (RollHeard(0.0, "own-dice", (5, 3)), "The dice tell of a roll (5, 3), which is no BoxRoll."),
        (RollHeard(0.0, "own-dice", BoxRoll("1", 1, (5, 3))), "The dice tell of a roll with '1' as id, where a whole"),
        (RollHeard(0.0, "own-dice", BoxRoll(2**64, 1, (5, 3))), "The dice tell of a roll with 18446744073709551616 as"),
        (RollHeard(0.0, None, BoxRoll(1, 1, (5, 3))), "The dice tell None as dev, where text must be: RollHeard("),
        (DiceSaid(0.0, None), "The dice tell None as text, where text must be: DiceSaid("),
        (LinkReady(0.0, "own-dice", None), "The dice tell None as last, where a whole number must be, of 18 digits"),
    ],
)  # fmt: skip
def test_what_is_no_event_is_said_once_and_the_table_goes_on(tmp_path: Path, event: Any, said: str) -> None:
    """It was let go without a word, or the referee itself was said to be at fault."""
    table, dice = with_own_dice(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    for _ in range(2):
        dice.events.put(event)
    dice.say(table, 2, (5, 3))
    assert [verdict.text.startswith(said) for verdict in table.verdicts].count(True) == 1
    assert table.service.view().roll == (5, 3)
    [shown] = [device for device in table.service.view().devices if device.name == "dice"]
    assert shown.text.startswith(said)


def test_dice_that_cannot_be_acknowledged_or_closed_are_to_blame_and_nobody_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The game was said to have answered what it must not; and the journal was not closed, for a port was gone."""
    table, dice = with_own_dice(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    dice.recorded = dice.close = _raises  # type: ignore[method-assign]
    dice.say(table, 1, (5, 3))
    assert table.service.view().roll == (5, 3) and table.service.view().trouble is None
    assert "the dice" in caplog.text and "stumbled" not in caplog.text
    table.service.close()
    assert "OwnDice cannot be closed" in caplog.text
    with pytest.raises(Exception, match="closed"):
        table.service.parts.journal.games()


def test_a_roll_that_is_told_again_is_on_record_once_and_nothing_is_said_of_it(tmp_path: Path) -> None:
    """Dice with a memory tell it till it is acknowledged, also after a power cut: it was said to be late, and was on
    record twice."""
    table, dice = with_own_dice(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    dice.say(table, 1, (5, 3))
    told = RollHeard(0.0, "own-dice", BoxRoll(1, dice.turn, (5, 3)))
    table.clock.time += 1.0
    state = table.service.state()
    assert table.ask("position", state={**state, "pieces": {"0": [10, 20, 33, 45], "2": [-1, -1, 5, 7]}}).ok
    said = len(table.verdicts)
    dice.events.put(told)
    table.service.step()
    assert [verdict.text for verdict in table.verdicts[said:]] == [] and dice.forgotten == [1, 1]
    kept = [entry for entry in table.service.parts.journal.entries(table.service.desk.number) if entry.kind == "roll"]
    assert len(kept) == 1
    dice.events.put(RollHeard(0.0, "own-dice", BoxRoll(2, told.roll.turn, (5, 3))))
    table.service.step()
    assert "nobody was to roll any more" in table.verdicts[-1].text, "another of these faces is late"


@pytest.mark.long
def test_more_dice_than_one_throws_for_who_begins_are_no_throw(tmp_path: Path) -> None:
    table, dice = with_own_dice(tmp_path, None)
    assert table.service.desk.bench.due.kind is DueKind.THROW
    [said] = dice.say(table, 1, (6, 6, 6))
    assert said == "The dice showed 6, 6 and 6, but 2 dice are due. That does not count."
    assert table.service.desk.bench.rolloff.values == ()
