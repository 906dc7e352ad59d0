"""Rolls between the dice box and the disk: acknowledged only when they are kept, counted after a power cut."""

from __future__ import annotations

import contextlib
import itertools
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from table import TestTable

from companion.dice import DicePort, RollHeard
from companion.dice.rolls import BoxRoll
from companion.journal import Journal, open_journal, open_journal_or_refuge
from companion.journal import journal as journal_module
from companion.model import DueKind, JournalError
from companion.model.table import DeviceView
from companion.service.table import loop
from companion.virtual.dicebox import DiceBox, Phase, PretendBox

PIECES = {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}


def until(table: TestTable, what: Callable[[], bool]) -> None:
    """Let the loop and the dice line live until `what` is so."""
    for _ in range(1500):
        table.clock.time += 0.01
        table.service.step()
        if what():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to that")


def named(table: TestTable, device: str) -> DeviceView:
    return next(view for view in table.service.view().devices if view.name == device)


def connect(table: TestTable, box: PretendBox) -> None:
    port = DicePort(table.service.parts.journal, box.link)
    table.service.parts.dice = port
    table.service.throws.arm()
    port.start()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[PretendBox]:
    box = PretendBox(tmp_path / "dice", DiceBox(rng=random.Random(1)))
    yield box
    box.close()


@pytest.fixture
def table(tmp_path: Path, box: PretendBox) -> Iterator[TestTable]:
    """A table whose dice are armed."""
    table = TestTable(tmp_path / "games", PIECES)
    connect(table, box)
    until(table, lambda: box.box.phase is Phase.ARMED)
    yield table
    table.service.parts.dice.close()


def test_a_roll_is_acknowledged_when_it_is_on_disk_and_not_before(
    table: TestTable, box: PretendBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = table.service.parts.journal
    monkeypatch.setattr(type(journal), "healthy", property(lambda self: False))
    box.press((3, 1), hold=0.05)
    until(table, lambda: table.service.view().due_kind is DueKind.PLAY)
    assert table.service.view().roll == (3, 1)
    assert box.box.phase is Phase.UNACKED
    monkeypatch.undo()
    until(table, lambda: box.box.phase is Phase.LINKED)


@pytest.mark.long
def test_a_roll_that_the_journal_refuses_is_kept_by_the_box_and_counts_after_a_restart(
    table: TestTable, box: PretendBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = table.service.parts.journal
    write = journal.append_all

    def refuse_rolls(game: int, entries: list) -> list[int]:
        if any(kind == "roll" for kind, _, _ in entries):
            raise RuntimeError("refused")
        return write(game, entries)

    with monkeypatch.context() as broken, pytest.raises(RuntimeError, match="refused"):
        broken.setattr(journal, "append_all", refuse_rolls)
        box.press((3, 1), hold=0.05)
        until(table, lambda: False)
    for _ in range(30):
        table.service.step()
        time.sleep(0.01)
    assert box.box.phase is Phase.UNACKED and journal.last(str(journal.box())) == 0
    table.service.parts.dice.close()
    journal.close()
    table.start()
    connect(table, box)
    until(table, lambda: table.service.view().due_kind is DueKind.PLAY)
    assert table.service.view().roll == (3, 1)


def test_a_roll_made_just_before_a_power_cut_counts_after_it(table: TestTable, box: PretendBox) -> None:
    table.service.parts.dice.close()
    box.press((3, 1), hold=0.05)
    table.service.parts.journal.close()
    table.start()
    connect(table, box)
    until(table, lambda: table.service.view().due_kind is DueKind.PLAY)
    assert table.service.view().roll == (3, 1)
    assert table.service.parts.journal.last(str(table.service.parts.journal.box())) == 1


@pytest.mark.long
def test_a_full_disk_is_shown_and_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = TestTable(tmp_path / "games", PIECES)
    table.live(1.0)
    journal = table.service.parts.journal
    journal._db.execute(f"PRAGMA max_page_count = {journal._db.execute('PRAGMA page_count').fetchone()[0]}")
    for _ in range(3):
        table.live(3.0)
        table.ask("position", state=table.service.state())
    assert named(table, "journal").state == "warn" and "full" in named(table, "journal").text
    with pytest.raises(JournalError):
        journal.append(1, "word", {"word": "confirmed", "at": 1.0}, 1.0)
    journal._db.execute("PRAGMA max_page_count = 1000000")
    table.live(1.5)  # it is tried again once a second
    assert named(table, "journal").state == "ok"


@pytest.mark.long
def test_a_game_that_comes_home_to_others_goes_on_under_its_own_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.closing(open_journal(tmp_path / "kept.db")) as kept:
        kept.end_game(kept.begin_game("gloria", {}, [0, 1]), {"winners": [1]})
    (tmp_path / "games.db").mkdir()
    monkeypatch.setattr("table.open_journal", open_journal_or_refuge)
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    assert table.ask("roll", dice=(3, 1)).ok and table.service.desk.number == 1
    (tmp_path / "games.db").rmdir()
    (tmp_path / "kept.db").rename(tmp_path / "games.db")
    table.live(1.5)
    assert table.service.desk.number == 2 and table.service.view().roll == (3, 1)
    assert table.ask("undo").ok is False and table.ask("correct", dice=(6, 1)).ok
    table.service.close()
    with contextlib.closing(open_journal(tmp_path / "games.db")) as journal:
        assert [game.game for game in journal.games()] == ["gloria", "parcheesi"] and journal.entries(1) == []
        told = [entry.payload["word"] for entry in journal.entries(2, looks=False) if entry.kind == "word"]
    assert told[-1] == "dice_corrected" and "rolled" in told


def test_a_journal_that_is_long_in_coming_home_does_not_keep_the_table_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games.db").mkdir()
    monkeypatch.setattr("table.open_journal", open_journal_or_refuge)
    table = TestTable(tmp_path, PIECES)
    tried = list[float]()

    def slow(journal: Journal) -> None:
        tried.append(table.clock.time)
        table.clock.time += 3.0

    monkeypatch.setattr(loop, "bring_home", slow)
    table.live(50.0)
    assert 2 <= len(tried) <= 3


@pytest.mark.long
def test_a_slow_disk_is_shown_and_the_game_goes_on(tmp_path: Path) -> None:
    table = TestTable(tmp_path / "games", PIECES)
    table.live(1.0)
    journal, now = table.service.parts.journal, itertools.count(step=3)
    journal._clock = lambda: float(next(now))
    table.ask("position", state=table.service.state())
    assert named(table, "journal").state == "warn"
    assert "the disk took 3 s to write, and all waited" in named(table, "journal").text
    later = next(now) + journal_module.SLOW_TOLD
    journal._clock = lambda: later
    table.live(1.0)
    assert named(table, "journal").state == "ok"


@pytest.mark.long
def test_a_roll_waits_in_the_box_while_disk_and_memory_are_full(
    table: TestTable, box: PretendBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = table.service.parts.journal
    journal._db.execute("PRAGMA query_only=1")
    with pytest.raises(JournalError):
        journal.append(1, "word", {"word": "confirmed", "at": 1.0}, 1.0)
    with monkeypatch.context() as small:
        small.setattr(journal_module, "WAITING_MOST", 1)
        box.press((3, 1), hold=0.05)
        until(table, lambda: box.box.phase is Phase.UNACKED)
        for _ in range(30):
            table.clock.time += 0.01
            table.service.step()
            time.sleep(0.01)
        assert table.service.view().due_kind is DueKind.ROLL, "what is not on record does not count"
        said = next(d.text for d in table.service.view().devices if d.name == "journal")
        assert "throws wait in the dice box" in said
    journal._db.execute("PRAGMA query_only=0")
    until(table, lambda: box.box.phase is Phase.LINKED)
    assert table.service.view().roll == (3, 1)
    assert journal.roll(str(journal.box()), 1) is not None, "what is acknowledged is on record"


@pytest.mark.long
def test_a_throw_that_waited_while_another_was_entered_by_hand_is_late(tmp_path: Path) -> None:
    table = TestTable(tmp_path / "games", PIECES)
    table.live(1.0)
    token = table.service.desk.token
    assert table.ask("roll", dice=(5, 3)).ok
    table.service.throws.take(RollHeard(table.clock.now(), "7F3A90C1", BoxRoll(1, token, (6, 6))))
    table.live(0.1)
    view = table.service.view()
    assert view.roll == (5, 3) and "nobody was to roll" in view.plays[0].text
    kept = [entry.payload for entry in table.service.parts.journal.entries(1) if entry.kind == "roll"]
    assert [roll["apart"] for roll in kept] == ["late"]
