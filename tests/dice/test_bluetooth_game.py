"""Bluetooth dice in the real service: their rolls are judged and journalled, what they say is said, phones step in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from table import TestTable

from companion.dice import BluetoothDice, State
from companion.model import DueKind
from companion.service.cli import main
from companion.virtual.pretend_air import PretendAir, PretendDie

PIECES = {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}


class BluetoothTable(TestTable):
    """Two Pixels on the table."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, PIECES)
        self.ruby, self.opal = PretendDie("Ruby", "AA:01"), PretendDie("Opal", "AA:02")
        self.plug()

    def plug(self) -> None:
        radio = PretendAir(self.ruby, self.opal).radio
        self.dice = BluetoothDice(self.service.parts.journal, ["Ruby", "Opal"], radio=radio, look=0.15, pause=0.05)
        self.service.parts.dice = self.dice
        self.service.throws.arm()
        self.dice.start()

    def until(self, what: Callable[[], bool]) -> None:
        for _ in range(1000):
            self.clock.time += 0.01
            self.service.step()
            if what():
                return
            time.sleep(0.01)
        raise AssertionError(self.said)

    @property
    def said(self) -> str:
        return " | ".join(verdict.text for verdict in self.verdicts)

    @property
    def dice_line(self) -> str:
        return next(device.text for device in self.service.view().devices if device.name == "dice")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[BluetoothTable]:
    table = BluetoothTable(tmp_path)
    yield table
    table.dice.close()


def rolls(table: BluetoothTable) -> list[dict[str, object]]:
    entries = table.service.parts.journal.entries(table.service.desk.number)
    return [dict(entry.payload) for entry in entries if entry.kind == "roll"]


def test_a_roll_is_judged_and_journalled_and_what_is_no_roll_is_said(table: BluetoothTable) -> None:
    table.until(lambda: table.dice.state is State.ARMED)
    table.until(lambda: table.dice_line == "connected")
    table.ruby.roll(3)
    table.opal.tumble()
    table.opal.cock()
    table.until(lambda: "Opal lies crooked: throw it again." in table.said)
    assert table.service.view().roll == ()
    table.opal.roll(1)
    table.until(lambda: table.service.view().due_kind is DueKind.PLAY)
    assert table.service.view().roll == (3, 1)
    table.ruby.roll(6)
    table.until(lambda: "Ruby showed 6, but no throw is due: that does not count." in table.said)
    assert table.service.view().roll == (3, 1)
    told = [(roll["dev"], roll["id"], roll["dice"], roll.get("apart")) for roll in rolls(table)]
    assert told == [("bluetooth", 1, [3, 1], None), ("bluetooth", 2, [6], "undue")]


def test_a_die_that_is_lost_sends_the_players_to_the_phone_and_back(table: BluetoothTable) -> None:
    table.until(lambda: table.dice.state is State.ARMED)
    table.opal.leave()
    table.until(lambda: "only Ruby is in reach" in table.dice_line)
    assert "Enter the dice on the phone" in table.dice_line and not table.service.desk.bench.dice_work
    assert table.ask("roll", by="red", dice=(2, 2)).ok
    assert table.service.view().roll == (2, 2)
    table.opal.come_back()
    table.until(lambda: table.dice_line == "connected" and table.service.desk.bench.dice_work)


@pytest.mark.long
def test_the_numbers_go_on_after_a_restart(table: BluetoothTable) -> None:
    table.until(lambda: table.dice.state is State.ARMED)
    table.ruby.roll(3)
    table.opal.roll(1)
    table.until(lambda: table.service.view().roll == (3, 1))
    table.dice.close()
    table.service.parts.journal.close()
    table.start()
    assert table.service.view().roll == (3, 1)
    table.plug()
    table.until(lambda: bool(table.dice.names))
    table.ruby.roll(4)
    table.until(lambda: "Ruby showed 4" in table.said)
    assert [roll["id"] for roll in rolls(table)] == [1, 2]


@pytest.mark.long
@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", ["parcheesi", "parcheesi-print"])
def test_a_table_plays_with_bluetooth_dice(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", game, "--turns", "3", "--seed", "3", "--speed", "4", "--cheat", "0"]
    status = main(["demo", "--dice", "bluetooth", "--headless", *words])
    out = capsys.readouterr().out
    assert "dice: pretend Bluetooth dice" in out
    counts = {line[:24].strip(): int(line[24:]) for line in out.splitlines() if line[24:].strip().isdigit()}
    assert status == 0 and counts["rolls thrown"] >= 3 and counts["rolls lost"] == 0, out
