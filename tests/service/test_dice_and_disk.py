"""Rolls between the dice box and the disk: acknowledged only when they are kept, counted after a power cut."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from table import TestTable

from companion.dice import DicePort
from companion.model import DueKind, JournalError
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


def connect(table: TestTable, box: PretendBox) -> DicePort:
    port = DicePort(table.service.parts.journal, box.link)
    table.service.parts.dice = port
    table.service.throws.arm()
    port.start()
    return port


@pytest.fixture
def box(tmp_path: Path) -> PretendBox:
    return PretendBox(tmp_path / "dice", DiceBox(rng=random.Random(1)))


def test_a_roll_is_acknowledged_when_it_is_on_disk_and_not_before(
    tmp_path: Path, box: PretendBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TestTable(tmp_path / "games", PIECES)
    port = connect(table, box)
    try:
        until(table, lambda: box.box.phase is Phase.ARMED)
        journal = table.service.parts.journal
        monkeypatch.setattr(type(journal), "healthy", property(lambda self: False))
        box.press((3, 1), hold=0.05)
        until(table, lambda: table.service.view().due_kind is DueKind.PLAY)
        assert table.service.view().roll == (3, 1)
        assert box.box.phase is Phase.UNACKED
        monkeypatch.undo()
        until(table, lambda: box.box.phase is Phase.LINKED)
    finally:
        port.close()
        box.close()


def test_a_roll_that_the_journal_refuses_is_kept_by_the_box_and_counts_after_a_restart(
    tmp_path: Path, box: PretendBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TestTable(tmp_path / "games", PIECES)
    port = connect(table, box)
    try:
        until(table, lambda: box.box.phase is Phase.ARMED)
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
        port.close()
        journal.close()
        table.start()
        port = connect(table, box)
        until(table, lambda: table.service.view().due_kind is DueKind.PLAY)
        assert table.service.view().roll == (3, 1)
    finally:
        port.close()
        box.close()


def test_a_roll_made_just_before_a_power_cut_counts_after_it(tmp_path: Path, box: PretendBox) -> None:
    table = TestTable(tmp_path / "games", PIECES)
    port = connect(table, box)
    until(table, lambda: box.box.phase is Phase.ARMED)
    port.close()
    box.press((3, 1), hold=0.05)
    table.service.parts.journal.close()
    table.start()
    port = connect(table, box)
    try:
        until(table, lambda: table.service.view().due_kind is DueKind.PLAY)
        assert table.service.view().roll == (3, 1)
        assert table.service.parts.journal.last(str(table.service.parts.journal.box())) == 1
    finally:
        port.close()
        box.close()


def test_a_full_disk_is_shown_and_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = TestTable(tmp_path / "games", PIECES)
    table.live(1.0)
    journal = table.service.parts.journal
    journal._db.execute(f"PRAGMA max_page_count = {journal._db.execute('PRAGMA page_count').fetchone()[0]}")
    for _ in range(3):
        table.live(3.0)
        table.ask("position", state=table.service.state())
    journal_view = next(d for d in table.service.view().devices if d.name == "journal")
    assert journal_view.state == "warn" and "full" in journal_view.text
    with pytest.raises(JournalError):
        journal.append(1, "word", {"word": "confirmed", "at": 1.0}, 1.0)
    journal._db.execute("PRAGMA max_page_count = 1000000")
    table.live(1.5)  # it is tried again once a second
    assert next(d for d in table.service.view().devices if d.name == "journal").state == "ok"
