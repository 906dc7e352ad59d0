"""The firmware behind a real port: as a program of this computer, and as it is flashed, in an emulated ATmega328P."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial
from plugged import PATIENCE, Table

from companion.dice.events import Alarm, BoxArmed, BoxFound, BoxNoticed, BoxRoll, LinkLost, RollApart, RollHeard
from companion.dice.line import TO_HOST, Line, LineReader, encode
from companion.virtual.emulated import EmulatedBox

SPEED = {"host": 4.0, "simavr": 2.0}
"""Times real time; the host's clock goes as fast."""


@pytest.fixture(params=["host", "simavr"])
def box(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EmulatedBox]:
    if request.param == "host":
        firmware = EmulatedBox([str(request.getfixturevalue("host_program"))], tmp_path, SPEED["host"])
    else:
        words = [str(request.getfixturevalue(name)) for name in ("simulator", "firmware_hex")]
        firmware = EmulatedBox(words, tmp_path, SPEED["simavr"])
    yield firmware
    firmware.close()


@pytest.fixture
def chip(simulator: Path, firmware_hex: Path, tmp_path: Path) -> Iterator[EmulatedBox]:
    """The emulation alone, at real time."""
    firmware = EmulatedBox([str(simulator), str(firmware_hex)], tmp_path)
    yield firmware
    firmware.close()


@pytest.fixture
def table(box: EmulatedBox) -> Iterator[Table]:
    table = Table(box)
    yield table
    table.port.close()


class HandMade:
    """The line by hand, without the host's part: one request, one answer."""

    def __init__(self, box: EmulatedBox) -> None:
        self.serial = serial.Serial(str(box.link), 115200, timeout=0.02)
        self.reader = LineReader(TO_HOST)
        self.n = 0
        self.heard: list[Line] = []
        self.until(lambda line: line.verb == "HELLO")
        assert self.ask("OPEN", v=1, s=1).verb == "OK"

    def until(self, wanted: Callable[[Line], bool]) -> Line:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            lines = [
                h for h in self.reader.feed(self.serial.read(max(1, self.serial.in_waiting))) if isinstance(h, Line)
            ]
            self.heard += lines
            for line in lines:
                if wanted(line):
                    return line
        raise AssertionError(self.heard[-5:])

    def ask(self, verb: str, **keys: object) -> Line:
        self.n += 1
        self.serial.write(encode(verb, n=self.n, **keys))
        return self.until(lambda line: line.number("n") == self.n)

    def arm(self, turn: int) -> None:
        end = time.monotonic() + PATIENCE
        while self.ask("ARM", turn=turn, d="2d6").verb != "OK":  # busy while chance is gathered
            time.sleep(0.05)
            assert time.monotonic() < end


def until_power_failed(box: EmulatedBox, times: int) -> None:
    """On a busy machine the box's time runs on while its program stands still: no time is surely enough."""
    end = time.monotonic() + PATIENCE
    while box.cuts < times and time.monotonic() < end:
        box.sleep(0.1)
    assert box.cuts == times


def on_record(box: EmulatedBox) -> list[tuple[int, int, tuple[int, ...]]]:
    return [(r.id, r.turn, r.faces) for r in box.ring().since(1, 32)]


@pytest.mark.long(but=("host",))
def test_arm_press_roll_acknowledge(box: EmulatedBox, table: Table) -> None:
    table.begin(7, 2)
    for turn in (7, 8, 9):
        box.throw()
        table.until(RollHeard)
        table.port.arm(turn + 1, turn - 5 if turn < 9 else 1)
        table.until(BoxArmed)
    assert [(id, turn, len(faces)) for id, turn, faces in table.counted] == [(1, 7, 2), (2, 8, 2), (3, 9, 3)]
    assert on_record(box) == table.counted
    assert not box.ring().open


def test_the_lamps_show_the_roll_and_nothing_before_it_is_on_record(chip: EmulatedBox) -> None:
    line = HandMade(chip)
    line.arm(7)
    chip.throw()
    roll = line.until(lambda line: line.verb == "ROLL")
    chip.sleep(0.1)
    [shown, *figures] = chip.do("lamps").split()
    lit = [shown[6 * lamp : 6 * lamp + 6] != "000000" for lamp in range(21)]
    faces = [sum(lit[7 * die : 7 * die + 7]) for die in range(3)]
    assert [str(face) for face in faces] == [*roll.text("f").split(","), "0"]
    numbers = dict(pair.split("=") for pair in figures)
    assert numbers["zero"] == "6-6" and numbers["one"] == "13-13", "0.375 and 0.81 microseconds"
    assert int(numbers["gap"]) < 16 * 50, "below the 50 microseconds after which lamps take a frame for ended"


@pytest.mark.long(but=("host",))
def test_unplugged_before_the_journal_has_the_roll(box: EmulatedBox, table: Table) -> None:
    table.begin()
    table.writes = False
    box.throw()
    table.until(RollHeard)
    box.do("unplug")
    table.until(LinkLost)
    assert on_record(box)
    table.writes = True
    table.port.close()
    table.sit_down()
    table.port.arm(7, 2)
    table.port.start()
    box.do("plug")
    table.until(RollHeard)
    table.watch(0.5)
    assert table.counted == on_record(box)
    assert not box.ring().open


@pytest.mark.long(but=("host",))
def test_host_killed_between_journal_and_acknowledgement(box: EmulatedBox, table: Table) -> None:
    table.begin()
    table.acknowledges = False
    box.throw()
    table.until(RollHeard)
    table.port.close()
    table.acknowledges = True
    assert box.ring().open
    table.sit_down()
    table.begin(8, 1)
    assert len(table.counted) == 1 and not box.ring().open


@pytest.mark.long
def test_damage_on_the_line(box: EmulatedBox) -> None:
    table = Table(box, damage=0.004)
    try:
        table.begin(1, 2)
        for turn in range(1, 13):
            while not table.counted or table.counted[-1][1] != turn:
                box.throw()
                table.watch(0.4)
            table.port.arm(turn + 1, 2)
            table.until(BoxArmed)
        assert table.counted == on_record(box) and len(table.counted) == 12
        assert not table.said(Alarm) and not table.said(RollApart)
    finally:
        table.port.close()


@pytest.mark.long(but=("host",))
def test_reset_while_the_line_is_open_and_press_out_of_turn(box: EmulatedBox, table: Table) -> None:
    table.begin()
    box.do("reset")
    table.until(BoxArmed)
    table.port.disarm()
    table.watch(0.5)
    box.throw()
    assert [e.kind for e in table.watch(0.5) if isinstance(e, BoxNoticed)] == ["press"]
    assert on_record(box) == []


@pytest.mark.long(but=("host",))
def test_the_watchdog_starts_a_hung_program_anew(box: EmulatedBox, table: Table) -> None:
    table.begin()
    before = table.said(BoxFound)[-1]
    box.do("hang")
    table.until(BoxArmed)
    after = table.said(BoxFound)[-1]
    assert isinstance(before, BoxFound) and isinstance(after, BoxFound)
    assert after.boot == before.boot + 1, "it was started anew once"
    box.throw()
    table.until(RollHeard)


def emulated(chip: EmulatedBox) -> float:
    """Seconds of the chip's own time."""
    return int(chip.do("cycles")) / 16e6


def test_the_watchdog_says_so(chip: EmulatedBox) -> None:
    line = HandMade(chip)
    start = emulated(chip)
    chip.do("hang")
    hello = line.until(lambda line: line.verb == "HELLO" and line.text("why") == "wdt")
    assert hello.text("why") == "wdt"
    assert 0.4 < emulated(chip) - start < 1.4, "the first HELLO is whole, though a line was cut short"


@pytest.mark.long(but=("host",))
def test_a_stuck_button(box: EmulatedBox, table: Table) -> None:
    table.begin()
    box.do("press")
    table.until(RollHeard)
    table.watch(1)
    assert "stuck" in [e.kind for e in table.said(BoxNoticed) if isinstance(e, BoxNoticed)]
    table.port.arm(8, 2)
    table.until(BoxArmed)
    table.watch(1)
    assert len(on_record(box)) == 1, "a button that stays down is no press"


@pytest.mark.long
def test_power_cut_at_each_journal_byte(box: EmulatedBox) -> None:
    """Nothing was shown before the last byte; every roll that was shown is there, once, unchanged."""
    shown: list[tuple[int, ...]] = []
    box.do("speed 6")  # no host's clock is in play here
    for byte in range(18):
        line = HandMade(box)
        if any(each.text("open") == "1" for each in line.heard):
            line.ask("ACK", id=box.ring().last)
        line.arm(byte + 1)
        box.do(f"cut {byte}")
        line.heard.clear()
        box.throw()
        if byte == 17:
            roll = line.until(lambda each: each.verb == "ROLL")
            shown.append((roll.number("id") or 0, roll.number("turn") or 0))
            line.serial.write(encode("ACK", n=999, id=roll.text("id")))
        until_power_failed(box, byte + 1)
        heard = [h for h in line.reader.feed(line.serial.read(2000)) if isinstance(h, Line)]
        line.serial.close()
        box.do("unplug")
        assert byte == 17 or not [h for h in heard if h.verb == "ROLL"], byte
        assert on_record(box) == [(r[0], r[1], box.ring().since(1, 9)[0].faces) for r in shown], byte
        box.do("plug")
    assert box.ring().open, "the acknowledgement's byte was not written"


@pytest.mark.long
def test_no_byte_is_lost_while_the_lamps_run(chip: EmulatedBox) -> None:
    """Long lines at the line's full speed while the lamps breathe."""
    line = HandMade(chip)
    line.arm(7)
    for _ in range(60):
        line.ask("PING", zz="x" * 90)
    pong = line.ask("PING")
    assert (pong.text("bad"), pong.text("ovr"), pong.text("st")) == ("0", "0", "armed")
    assert chip.do("drops") == "0"
    assert "frames=0" not in chip.do("lamps")


def test_noise_and_a_flood_from_the_host_are_survived(box: EmulatedBox) -> None:
    line = HandMade(box)
    for _ in range(40):
        line.serial.write(b"\xff\x00ROLL*" + b"A" * 300 + b"\n" + encode("ARM", n=7, turn=1, d="2d6")[:-2] + b"\n")
    box.sleep(1.2)
    line.serial.reset_input_buffer()
    line.reader.feed(b"\n")
    line.n = 100
    line.serial.write(b"\n")
    assert line.ask("PING").text("st") == "idle"


def test_round_trip(chip: EmulatedBox) -> None:
    """At real time; the protocol allows 300 ms."""
    line = HandMade(chip)
    times = []
    for _ in range(40):
        start = time.perf_counter()
        line.ask("PING")
        times.append(1000 * (time.perf_counter() - start))
    print(f"\nPING to PONG: median {statistics.median(times):.1f} ms, most {max(times):.1f} ms")
    assert statistics.median(times) < 100


def test_a_roll_of_another_program_is_read_the_same(box: EmulatedBox) -> None:
    """A journal that the pretend box wrote: the firmware goes on where it ended."""
    memory = box.memory()
    ring = type(box.ring())(memory)
    for id in range(1, 40):
        ring.put(BoxRoll(2**32 - 20 + id if id < 20 else id - 19, 3, (1, 2, 3), 55))
        ring.acknowledge()
    box.close()
    box.file.write_bytes(memory.bytes)
    again = EmulatedBox(box.program.args[:-2], box.link.parent, box.speed)  # type: ignore[index]
    try:
        line = HandMade(again)
        assert line.heard[-1].verb in ("HELLO", "OK")
        assert {h.text("last") for h in line.heard if h.verb == "HELLO"} == {"20"}
        answer = line.ask("LOG", **{"from": 18, "k": 8})
        assert answer.verb == "OK"
        while line.heard[-1].text("id") != "20":
            line.until(lambda each: each.verb == "ROLL")
        assert [h.text("id") for h in line.heard if h.verb == "ROLL"] == ["18", "19", "20"]
        line.serial.close()
    finally:
        again.close()
