"""Loading firmware: a pretend bootloader behind a pseudo-terminal, whole and faulty."""

from __future__ import annotations

import errno
import os
import pty
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.dice.flash import BAUDS, PAGE, SYNC_TRIES, Bootloader, BootWire, load, open_boot_wire, pages, read_hex
from companion.model import BadInput, DeviceError

IMAGE = bytes(range(256)) * 3 + b"end"


class PretendBootloader:
    """STK500v1 as optiboot answers it. baud: the one at which it understands anything."""

    def __init__(self, baud: int = 115200, signature: bytes = b"\x1e\x95\x0f", bad_byte: int | None = None) -> None:
        self.baud, self.signature, self.bad_byte = baud, signature, bad_byte
        self.flash = bytearray(b"\xaa" * 32768)
        self.left, self.address = False, 0
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.path, self.slave = os.ttyname(slave), slave
        self.opened: list[int] = []
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def open(self, path: str, baud: int) -> BootWire:
        self.opened.append(baud)
        return open_boot_wire(path, baud)

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += os.read(self.master, count - len(data))
        return data

    def _run(self) -> None:
        os.write(self.master, b"HELLO v=1 hw")  # the program's last words before the reset
        try:
            while True:
                self._command(self._read(1))
        except OSError:
            return

    def _command(self, verb: bytes) -> None:
        if self.opened[-1] != self.baud:
            return
        extra = {b"U": 2, b"d": 3, b"t": 3}.get(verb, 0)
        words = self._read(extra)
        data = self._read(int.from_bytes(words[:2], "big")) if verb == b"d" else b""
        assert self._read(1) == b" "
        os.write(self.master, b"\x14" + self._answer(verb, words, data) + b"\x10")

    def _answer(self, verb: bytes, words: bytes, data: bytes) -> bytes:
        if verb == b"U":
            self.address = 2 * int.from_bytes(words, "little")
        elif verb == b"d":
            self.flash[self.address : self.address + len(data)] = data
            if self.bad_byte is not None:
                self.flash[self.bad_byte] = 0x00
        elif verb == b"t":
            return bytes(self.flash[self.address : self.address + int.from_bytes(words[:2], "big")])
        elif verb == b"u":
            return self.signature
        elif verb == b"Q":
            self.left = True
        return b""

    def close(self) -> None:
        os.close(self.slave)
        self.thread.join(5)  # or it would go on with whoever is given the number of this file next
        os.close(self.master)


@pytest.fixture
def bootloader() -> Iterator[Callable[..., PretendBootloader]]:
    made = []

    def make(**kwargs: object) -> PretendBootloader:
        made.append(PretendBootloader(**kwargs))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for each in made:
        each.close()


def silent(what: str, done: int, total: int) -> None: ...


def test_the_image_is_written_read_back_and_started(bootloader: Callable[..., PretendBootloader]) -> None:
    boot, told = bootloader(), []
    assert load(boot.path, IMAGE, lambda *words: told.append(words), boot.open) == 115200
    assert bytes(boot.flash[: len(IMAGE)]) == IMAGE
    assert set(boot.flash[len(IMAGE) : 7 * PAGE]) == {0xFF} and boot.flash[7 * PAGE] == 0xAA
    assert boot.left
    assert told[:2] == [("ask", 1, 16), ("write", PAGE, len(IMAGE))] and told[-1] == ("verify", len(IMAGE), len(IMAGE))
    assert len(told) == 1 + 2 * 7


def test_an_older_bootloader_is_found_at_its_rate(bootloader: Callable[..., PretendBootloader], fast: None) -> None:
    boot = bootloader(baud=57600)
    assert load(boot.path, IMAGE, silent, boot.open) == 57600
    assert boot.opened == [115200, 57600]


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.dice.flash.ANSWER_WAIT", 0.05)


def test_another_chip_is_left_alone(bootloader: Callable[..., PretendBootloader]) -> None:
    boot = bootloader(signature=b"\x1e\x98\x01")
    with pytest.raises(DeviceError, match="1e9801"):
        load(boot.path, IMAGE, silent, boot.open)
    assert set(boot.flash) == {0xAA}


def test_a_byte_that_does_not_stay_is_found(bootloader: Callable[..., PretendBootloader]) -> None:
    boot = bootloader(bad_byte=300)
    with pytest.raises(DeviceError, match="differs at byte 256"):
        load(boot.path, IMAGE, silent, boot.open)
    assert not boot.left


def test_nobody_there(bootloader: Callable[..., PretendBootloader], fast: None, tmp_path: Path) -> None:
    boot = bootloader(baud=9600)
    with pytest.raises(DeviceError, match="no bootloader answers at 115200 and 57600"):
        load(boot.path, IMAGE, silent, boot.open)
    with pytest.raises(DeviceError, match=r"none is not there\. Is the dice box plugged in\?"):
        load(str(tmp_path / "none"), IMAGE, silent)


def test_each_try_is_told(bootloader: Callable[..., PretendBootloader], fast: None) -> None:
    told: list[tuple[str, int, int]] = []
    boot = bootloader(baud=9600)
    with pytest.raises(DeviceError):
        load(boot.path, IMAGE, lambda *words: told.append(words), boot.open)
    total = len(BAUDS) * SYNC_TRIES
    assert told == [("ask", number, total) for number in range(1, total + 1)]


def test_a_port_in_use_is_not_said_to_be_missing() -> None:
    def busy(path: str, baud: int) -> BootWire:
        raise OSError(errno.EBUSY, "busy")

    with pytest.raises(DeviceError, match=r"stop Companion and any serial monitor first"):
        load("/dev/ttyUSB0", IMAGE, silent, busy)


def record(address: int, data: bytes, kind: int = 0) -> str:
    raw = bytes([len(data)]) + address.to_bytes(2, "big") + bytes([kind]) + data
    return f":{raw.hex().upper()}{-sum(raw) % 256:02X}"


def written(path: Path, *records: str) -> Path:
    path.write_text("\n".join(records) + "\n")
    return path


END = record(0, b"", 1)


def test_a_hex_file_is_read(tmp_path: Path) -> None:
    file = written(tmp_path / "a.hex", record(0, b"abc"), record(6, b"x"), record(0, b"\0\0\0\0", 3), END)
    assert read_hex(file) == b"abc\xff\xff\xffx"
    assert [address for address, _ in pages(bytes(300))] == [0, 128, 256]


@pytest.mark.parametrize(
    ("records", "why"),
    [
        ([record(0, b"abc")], "no end"),
        ([END], "no program"),
        ([record(0, b"abc")[:-1] + "0", END], "line 1: no sound record"),
        ([record(0, b"a"), "soup", END], "line 2: no sound record"),
        ([record(0x7800, b"a"), END], "30720 fit"),
        ([record(0, b"\0\1", 4), END], "kind 4"),
    ],
)
def test_hex_files_that_cannot_be_used(tmp_path: Path, records: list[str], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        read_hex(written(tmp_path / "bad.hex", *records))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.hex: No such file or directory; without --hex"):
        read_hex(tmp_path / "none.hex")


@pytest.mark.parametrize("moment", ["open", "read", "close"])
def test_a_board_that_is_pulled_out_is_said(moment: str) -> None:
    """What pyserial raises then is no OSError, but termios' own, or a TypeError."""

    class Pulled:
        def read(self, size: int = 1, /) -> bytes:
            raise TypeError("'NoneType' object cannot be interpreted as an integer")

        def write(self, data: bytes, /) -> int | None:
            return len(data)

        def close(self) -> None:
            if moment == "close":
                raise termios.error(errno.EIO, "Input/output error")

    def opener(path: str, baud: int) -> BootWire:
        if moment == "open":
            raise termios.error(errno.EIO, "Input/output error")
        return Pulled()

    with pytest.raises(DeviceError, match=r"^/dev/ttyUSB0"):
        load("/dev/ttyUSB0", IMAGE, lambda what, done, most: None, opener)


def test_a_program_that_talks_on_ends_no_try(fast: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a board whose reset does not work, or an older one at the first rate: the first try never ended."""
    monkeypatch.setattr("companion.dice.flash.TRY_MOST", 0.05)
    tried: list[int] = []
    assert not Bootloader(Chatter()).synchronise(tried.append)
    assert tried == [*range(1, SYNC_TRIES + 1)]
    Bootloader(Chatter()).settle()


class Chatter:
    """A program that prints for ever."""

    def read(self, size: int = 1, /) -> bytes:
        time.sleep(0.001)
        return b"s" * size

    def write(self, data: bytes, /) -> int:
        return len(data)

    def close(self) -> None:
        """It goes on."""
