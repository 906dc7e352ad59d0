"""The real bleak with a pretend BlueZ on a private bus: that we use it as it is, not as we think it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from listener import PATIENCE, Listener

from companion.dice import (
    BluetoothDice,
    DiceSaid,
    DiceUnfit,
    LinkLost,
    LinkReady,
    PortTrouble,
    State,
)

pytest.importorskip("bleak", reason="there is no bleak here (pip install -e '.[ble]')")
if shutil.which("dbus-daemon") is None or sys.platform != "linux":
    pytest.skip("there is no dbus-daemon here (apt-get install dbus-daemon)", allow_module_level=True)

ROOT = Path(__file__).parents[2]
GODICE = "GoDice_1A2B3C_R_v03"


class Air:
    """The pretend BlueZ; its dice are moved by commands."""

    def __init__(self, address: str) -> None:
        words = [sys.executable, str(Path(__file__).with_name("fake_bluez.py")), address]
        paths = os.pathsep.join([str(ROOT), *sys.path])
        self.program = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": paths}
        )
        assert self.program.stdout and self.program.stdout.readline() == "done\n"

    def do(self, command: str) -> str:
        assert self.program.stdin and self.program.stdout
        self.program.stdin.write(command + "\n")
        self.program.stdin.flush()
        answer = self.program.stdout.readline().strip()
        assert answer.endswith("done"), answer
        return answer.removesuffix("done").strip()


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Iterator[Air]:
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert bus.stdout
    address = bus.stdout.readline().strip()
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
    air = Air(address)
    yield air
    air.program.kill()
    bus.kill()
    for program in (air.program, bus):
        program.wait()


class Table(Listener):
    """The real radio, and who listens to its dice."""

    def __init__(self, *wanted: str) -> None:
        super().__init__()
        self.dice = BluetoothDice(self.book, wanted, look=2.0, pause=0.1, silent=3.0)

    def until(self, good: Callable[[], bool], most: float = 2 * PATIENCE) -> None:
        super().until(good, most)


def test_two_makes_are_found_blink_roll_are_lost_and_found_again(air: Air) -> None:
    table = Table("Ruby", GODICE)
    table.dice.start()
    try:
        table.until(lambda: len(table.dice.names) == 2)
        table.dice.arm(7, 2, "FF0000")
        table.until(lambda: table.dice.state is State.ARMED)
        air.do("Ruby roll 5")
        air.do(f"{GODICE} roll 3")
        table.until(lambda: table.counted == [(7, (5, 3))])
        assert air.do("told Ruby") == "01 1d02b0040000ff00ffffffff8001"
        assert air.do(f"told {GODICE}") == "03 10021e1eff00000100"
        table.dice.arm(8, 2)
        air.do("Ruby tumble")
        air.do("Ruby cock")
        air.do(f"{GODICE} drain 9")
        table.until(lambda: len(table.heard(DiceSaid)) == 2)
        air.do("Ruby leave")
        table.until(lambda: bool(table.heard(DiceUnfit)))
        air.do("Ruby come_back")
        table.until(lambda: table.dice.state is State.ARMED)
        air.do("Ruby roll 2")
        air.do(f"{GODICE} roll 2")
        table.until(lambda: table.counted[1:] == [(8, (2, 2))])
    finally:
        table.dice.close()
    again = Table("Ruby")
    again.dice.start()
    try:
        again.until(lambda: bool(again.heard(LinkReady)))
    finally:
        again.dice.close()


@pytest.mark.long
def test_a_radio_without_power_is_said_and_waited_for(air: Air) -> None:
    air.do("power 0")
    table = Table("Ruby")
    table.dice.start()
    try:
        table.until(lambda: bool(table.heard(PortTrouble)))
        [trouble] = table.heard(PortTrouble)
        assert isinstance(trouble, PortTrouble) and "Is it switched on?" in trouble.text
        air.do("power 1")
        table.until(lambda: bool(table.heard(LinkReady)))
        air.program.kill()
        table.until(lambda: bool(table.heard(LinkLost)))
    finally:
        table.dice.close()
