"""The port's thread: real pseudo-terminals through pyserial, and ports that cannot be used."""

from __future__ import annotations

import errno
import os
import pty
import queue
import re
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from companion.dice.book import MemoryBook
from companion.dice.events import (
    BoxArmed,
    BoxQuestion,
    DiceEvent,
    DiceUnfit,
    LinkLost,
    LinkReady,
    PortTrouble,
    RollHeard,
)
from companion.dice.host import Host, State
from companion.dice.monitor import monitor, only_port, with_dice
from companion.dice.port import DicePort, Wire, open_wire
from companion.journal import open_journal
from companion.model import DeviceError
from companion.service.cli import main
from companion.virtual.dicebox import DiceBox, Memory, PretendBox

PATIENCE = 20.0


def until(port: DicePort, kind: type[DiceEvent]) -> DiceEvent:
    """The next event of that kind."""
    end = time.monotonic() + PATIENCE
    seen = []
    while time.monotonic() < end:
        try:
            seen.append(port.events.get(timeout=0.5))
        except queue.Empty:
            continue
        if isinstance(seen[-1], kind):
            return seen[-1]
    raise AssertionError(f"no {kind}: {seen}")


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Callable[..., PretendBox]]:
    boxes = []

    def make(dev: int = 0x7F3A90C1, name: str = "dice") -> PretendBox:
        boxes.append(PretendBox(tmp_path / name, DiceBox(Memory(dev))))
        return boxes[-1]

    yield make
    for box in boxes:
        box.close()


@pytest.fixture
def port() -> Iterator[Callable[..., DicePort]]:
    made = []

    def make(*args: object, **kwargs: object) -> DicePort:
        made.append(DicePort(*args, **kwargs))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_a_throw_over_a_real_port_unplugging_and_back(
    plug: Callable[..., PretendBox], port: Callable[..., DicePort]
) -> None:
    box, book = plug(), MemoryBook()
    dice = port(book, box.link)
    dice.arm(7, 2)
    dice.start()
    until(dice, BoxArmed)
    box.press((5, 3), hold=0.05)
    heard = until(dice, RollHeard)
    assert isinstance(heard, RollHeard) and heard.roll.faces == (5, 3)

    box.unplug()  # before the journal has it
    lost = until(dice, LinkLost)
    assert isinstance(lost, LinkLost) and "safe" in lost.text
    book.write(heard.dev, heard.roll.id, heard.roll.turn, heard.roll.faces)
    dice.recorded(heard.roll.id)
    box.replug()
    dice.arm(8, 1)
    armed = until(dice, BoxArmed)
    assert isinstance(armed, BoxArmed) and armed.turn == 8
    box.press((4,), hold=0.05)
    heard = until(dice, RollHeard)
    assert isinstance(heard, RollHeard) and heard.roll.faces == (4,)


def test_with_the_real_journal_killed_before_the_acknowledgement(
    plug: Callable[..., PretendBox], port: Callable[..., DicePort], tmp_path: Path
) -> None:
    box, journal = plug(), open_journal(tmp_path / "journal.db")
    game = journal.begin_game("parcheesi", {}, [0, 2])
    dice = port(journal, box.link)
    dice.arm(7, 2)
    dice.start()
    ready = until(dice, LinkReady)
    assert isinstance(ready, LinkReady)
    journal.adopt(ready.dev, ready.last, 0.0)
    until(dice, BoxArmed)
    box.press((6, 1), hold=0.05)
    heard = until(dice, RollHeard)
    assert isinstance(heard, RollHeard)
    roll = {"dev": heard.dev, "id": heard.roll.id, "turn": heard.roll.turn, "dice": list(heard.roll.faces)}
    journal.append(game, "roll", roll, heard.at)
    dice.close()  # without `recorded`
    again = port(journal, box.link)
    again.arm(8, 2)
    again.start()
    assert not isinstance(until(again, (BoxArmed, RollHeard)), RollHeard)  # type: ignore[arg-type]
    assert box.box.ring.last == 1 and not box.box.ring.open
    again.close()
    journal.close()


def test_two_boxes_the_known_one_is_found(plug: Callable[..., PretendBox], port: Callable[..., DicePort]) -> None:
    other, ours = plug(1, "a"), plug(2, "b")
    book = MemoryBook()
    book.adopt("00000002", 0)
    dice = port(book, ports=lambda: [str(other.link), str(ours.link)])
    dice.start()
    ready = until(dice, LinkReady)
    assert isinstance(ready, LinkReady) and ready.dev == "00000002"
    assert dice.port == str(ours.link)


@pytest.fixture
def silent() -> Iterator[str]:
    """A serial port with nobody behind it."""
    ours, theirs = pty.openpty()
    yield os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


@pytest.mark.long(but=("00000002-other",))
@pytest.mark.parametrize(("used", "why"), [("00000002", "other"), ("00000001", "behind")])
def test_another_or_a_reset_box_is_asked_about_wherever_it_is_plugged_in(
    used: str, why: str, silent: str, plug: Callable[..., PretendBox], port: Callable[..., DicePort]
) -> None:
    other, book = plug(1), MemoryBook()
    book.adopt(used, 118)
    dice = port(book, ports=lambda: [str(other.link), silent])
    dice.start()
    question = until(dice, BoxQuestion)
    assert isinstance(question, BoxQuestion) and (question.dev, question.why) == ("00000001", why)
    book.adopt(question.dev, question.last)
    dice.adopt()
    until(dice, LinkReady)
    assert dice.port == str(other.link), "tried first when it was unplugged"


def test_a_busy_port_is_named_with_the_way_out(plug: Callable[..., PretendBox], port: Callable[..., DicePort]) -> None:
    box = plug()
    intruder = open_wire(str(box.link))
    dice = port(MemoryBook(), box.link)
    dice.start()
    trouble = until(dice, PortTrouble)
    assert isinstance(trouble, PortTrouble)
    assert str(box.link) in trouble.text and "in use by another program" in trouble.text
    intruder.close()
    until(dice, LinkReady)


@pytest.mark.parametrize(
    ("code", "way"),
    [
        (errno.EACCES, "dialout"),
        (errno.ENOENT, 'plugged in? If it is, it may have another name now: [dice] port = "auto" finds it'),
        (errno.EBUSY, "or another Companion that runs?"),
        (errno.EIO, "cannot be used"),
    ],
)
def test_troubles_are_said_once(code: int, way: str, port: Callable[..., DicePort]) -> None:
    tries = threading.Semaphore(0)

    def opener(path: str) -> Wire:
        tries.release()
        raise OSError(code, "no")

    dice = port(MemoryBook(), "/dev/ttyACM0", opener=opener)
    dice.start()
    for _ in range(2):
        assert tries.acquire(timeout=PATIENCE)
    dice.close()
    trouble = dice.events.get_nowait()
    assert isinstance(trouble, PortTrouble) and way in trouble.text and "/dev/ttyACM0" in trouble.text
    assert dice.events.empty()


@pytest.mark.parametrize(
    "error", [termios.error(5, "Input/output error"), ValueError("embedded null byte"), TypeError("no name")]
)
def test_a_port_that_vanishes_while_it_is_opened_is_said_and_tried_again(
    error: Exception, plug: Callable[..., PretendBox], port: Callable[..., DicePort]
) -> None:
    box, errors = plug(), [error]

    def opener(path: str) -> Wire:
        if errors:
            raise errors.pop()
        return open_wire(path)

    dice = port(MemoryBook(), box.link, opener=opener)
    dice.start()
    trouble = until(dice, PortTrouble)
    assert isinstance(trouble, PortTrouble) and f"{box.link} cannot be used: " in trouble.text
    until(dice, LinkReady)


@pytest.mark.parametrize("path", ["/dev/null", "/dev"])
def test_what_is_no_serial_port_is_named_with_the_way_out(path: str) -> None:
    """It was "Could not configure port: (25, 'Inappropriate ioctl for device')"."""
    # not "or none": that is the phone
    way = 'Name that of the dice box, like /dev/ttyUSB0; [dice] port = "auto" finds it by itself.'
    with pytest.raises(DeviceError, match=re.escape(f"{path} is no serial port. {way}")):
        next(monitor(path, 1.0))


def test_the_monitor_says_that_a_port_vanished_while_it_was_opened() -> None:
    def opener(path: str) -> Wire:
        raise termios.error(5, "Input/output error")

    with pytest.raises(DeviceError, match="/dev/ttyUSB0 cannot be used: "):
        next(monitor("/dev/ttyUSB0", 1.0, opener=opener))


def test_the_monitor_says_that_a_port_vanished_while_it_was_read() -> None:
    class Pulled:
        in_waiting = 0

        def read(self, size: int = 1, /) -> bytes:
            raise OSError(errno.EIO, "Input/output error")

        def write(self, data: bytes, /) -> int | None:
            return len(data)

        def close(self) -> None:
            raise termios.error(errno.EIO, "Input/output error")

    with pytest.raises(DeviceError, match="Is the cable still in"):
        next(monitor("/dev/ttyUSB0", 1.0, opener=lambda path: Pulled()))


def test_a_device_that_vanishes_while_ports_are_listed_is_said_and_they_are_listed_again(
    plug: Callable[..., PretendBox], port: Callable[..., DicePort]
) -> None:
    box, errors = plug(), [TypeError("int() argument must be a string")]

    def ports() -> list[str]:
        if errors:
            raise errors.pop()
        return [str(box.link)]

    dice = port(MemoryBook(), ports=ports)
    dice.start()
    trouble = until(dice, PortTrouble)
    assert isinstance(trouble, PortTrouble) and "cannot be listed" in trouble.text
    until(dice, LinkReady)


def test_a_box_is_told_how_many_dice_it_has(
    plug: Callable[..., PretendBox], capsys: pytest.CaptureFixture[str]
) -> None:
    """The docs had it typed in, which a box does not heed, and nothing else told it."""
    box = plug()
    assert main(["dice", "set", "--port", str(box.link), "--dice", "2"]) == 0
    assert "the box 7F3A90C1 has 2 dice from now on" in capsys.readouterr().out
    assert box.box.most == 2
    with pytest.raises(SystemExit):
        main(["dice", "set", "--port", str(box.link), "--dice", "4"])


def test_no_ports_at_all(port: Callable[..., DicePort]) -> None:
    dice = port(MemoryBook(), ports=list)
    dice.start()
    trouble = until(dice, PortTrouble)
    assert isinstance(trouble, PortTrouble) and "plugged in" in trouble.text


def test_the_only_port_where_one_vanishes_while_they_are_listed() -> None:
    def vanishing() -> list[str]:
        raise TypeError("int() argument must be a string, not 'NoneType'")

    with pytest.raises(DeviceError, match=r"cannot be listed .*name the dice box's with --port"):
        only_port(None, vanishing)


@pytest.mark.long
def test_a_question_goes_with_its_box_each_time(
    plug: Callable[..., PretendBox], port: Callable[..., DicePort]
) -> None:
    """The second time it stayed, and a yes put a box on record that was not there."""
    box, book = plug(dev=0x0BAD0BAD), MemoryBook()
    book.current = "7F3A90C1"
    dice = port(book, ports=lambda: [str(box.link)] if box.link.is_symlink() else [])
    dice.start()
    for _ in range(2):
        until(dice, BoxQuestion)
        box.unplug()
        assert "No serial port" in told(until(dice, PortTrouble)) or "No serial port" in told(until(dice, PortTrouble))
        box.replug()


def test_what_is_wrong_with_a_port_is_said_again_once_another_was_unplugged(port: Callable[..., DicePort]) -> None:
    there = ["/dev/ttyUSB0", "/dev/ttyUSB1"]

    def opener(path: str) -> Wire:
        raise OSError(errno.EBUSY, "busy")

    dice = port(MemoryBook(), ports=lambda: list(there), opener=opener)
    dice.start()
    assert {told(until(dice, PortTrouble)).split()[0] for _ in there} == set(there)
    there.remove("/dev/ttyUSB1")
    assert told(until(dice, PortTrouble)).startswith("/dev/ttyUSB0")


def told(event: DiceEvent) -> str:
    assert isinstance(event, PortTrouble)
    return event.text


def test_what_floods_a_port_and_is_no_dice_box_is_not_called_one() -> None:
    """An Arduino of another kind on USB, while the dice were looked for: "the dice box may be broken", it was said."""
    host, at = Host(MemoryBook()), 0.0
    host.opened(at)
    events: list[DiceEvent] = []
    while host.state is not State.CLOSED:
        at += 0.02
        events += host.feed(b"temperature=21.5\r\n" * 10, at) + host.tick(at)
    [lost] = events
    assert isinstance(lost, LinkLost) and "No dice box answers there. Is it plugged in" in lost.text


def point(name: Path, device: Path) -> None:
    """As udev does it with the name of what was plugged in last."""
    name.unlink()
    name.symlink_to(device)


@pytest.mark.parametrize("named", [False, True])
def test_our_box_is_taken_when_it_is_back_while_another_is_asked_about(
    named: bool, plug: Callable[..., PretendBox], port: Callable[..., DicePort], tmp_path: Path
) -> None:
    """Of two boxes ours was pulled, and put back: the page went on asking about the other, and ours lay idle."""
    other, ours, book, last = plug(1, "a"), plug(2, "b"), MemoryBook(), tmp_path / "companion-dice"
    last.symlink_to(ours.link)
    book.adopt("00000002", 0)
    links = (other.link, ours.link)
    dice = port(book, last if named else None, ports=lambda: [str(link) for link in links if link.is_symlink()])
    dice.arm(7, 2)
    dice.start()
    until(dice, BoxArmed)
    ours.unplug()
    point(last, other.link)
    until(dice, BoxQuestion)
    ours.replug()
    point(last, ours.link)
    until(dice, BoxArmed)
    assert dice.port == str(last if named else ours.link)
    ours.press((5, 3), hold=0.05)
    heard = until(dice, RollHeard)
    assert isinstance(heard, RollHeard) and (heard.dev, heard.roll.faces) == ("00000002", (5, 3))


def test_what_is_wrong_with_a_box_is_not_hidden_by_another_stick(
    plug: Callable[..., PretendBox], port: Callable[..., DicePort]
) -> None:
    """A box with other firmware, and a stick that is none: the page changed to and fro between them every 3 seconds."""
    box = plug()
    box.box.faults.speaks = 2

    def opener(path: str) -> Wire:
        if path == "/dev/ttyACM0":
            raise OSError(errno.EBUSY, "busy")
        return open_wire(path)

    dice = port(MemoryBook(), opener=opener, ports=lambda: [str(box.link), "/dev/ttyACM0"])
    dice.start()
    until(dice, DiceUnfit)
    assert isinstance(dice.events.get(timeout=PATIENCE), DiceUnfit), "again, and nothing of the stick between"
    box.box.faults.speaks = 1
    until(dice, LinkReady)


def test_another_stick_that_takes_no_bytes_is_not_said_to_be_the_dice(port: Callable[..., DicePort]) -> None:
    """It was "The dice are unplugged … A throw that was made is safe", of a modem that was plugged in."""

    class Deaf:
        in_waiting = 0

        def read(self, size: int = 1, /) -> bytes:
            time.sleep(0.01)
            return b""

        def write(self, data: bytes, /) -> int | None:
            raise serial.SerialTimeoutException("Write timeout")

        def close(self) -> None: ...

    dice = port(MemoryBook(), ports=lambda: ["/dev/ttyACM0"], opener=lambda path: Deaf())
    dice.start()
    assert told(until(dice, PortTrouble)) == "/dev/ttyACM0: It can be used no longer (Write timeout)."


@pytest.mark.long
def test_the_box_is_found_behind_another_stick(
    plug: Callable[..., PretendBox], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A Zigbee stick that another program holds: "close it", was said, and the box never asked."""
    box = plug(name="ttyUSB1")
    ports = [str(tmp_path / "ttyUSB0"), str(box.link)]
    found = with_dice(DicePort(MemoryBook(), ports=lambda: ports), 2)
    assert found == "the box 7F3A90C1 has 2 dice from now on, and keeps that"
