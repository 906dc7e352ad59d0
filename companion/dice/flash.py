"""Loading the firmware through the board's bootloader: STK500v1 as optiboot speaks it, over the same USB cable.

Each command ends in 0x20 and is answered by 0x14, data, 0x10. Everything is read back and compared at the end.
"""

from __future__ import annotations

import contextlib
import errno
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

import serial

from companion.dice.port import GONE, trouble
from companion.model import BadInput, DeviceError

BAUDS = (115200, 57600)
"""Of optiboot (Uno, newer Nanos), and of the bootloader of older Nanos and most copies."""
PAGE = 128
ROOM = 30 * 1024
"""Bytes that fit below the larger of the two bootloaders."""
SIGNATURE = bytes((0x1E, 0x95, 0x0F))
"""Of the ATmega328P."""
SYNC_TRIES, ANSWER_WAIT = 8, 0.5
TRY_MOST = 2 * ANSWER_WAIT
"""Seconds until a try is given up though something talks."""
OK, IN_SYNC, END = b"\x10", b"\x14", b"\x20"
GET_SYNC, LOAD_ADDRESS, WRITE_PAGE, READ_PAGE, LEAVE, READ_SIGNATURE = b"0", b"U", b"d", b"t", b"Q", b"u"

Progress = Callable[[str, int, int], None]
"""Called with what is done ("ask", tries; "write" or "verify", bytes), how many of them, and of how many at most."""


class BootWire(Protocol):
    """What is used of serial.Serial. timeout: seconds that `read` waits."""

    def read(self, size: int = 1, /) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...


Opener = Callable[[str, int], BootWire]


def open_boot_wire(path: str, baud: int) -> BootWire:
    """Open the port alone and reset the board by its DTR line. Raises OSError."""
    port = serial.Serial(path, baud, timeout=ANSWER_WAIT, write_timeout=2, exclusive=True)
    wire: BootWire = port
    with contextlib.suppress(OSError):  # a pseudo-terminal has no such lines: opening it is the reset
        port.dtr = port.rts = False
        time.sleep(0.1)
        port.dtr = port.rts = True
    time.sleep(0.1)
    return wire


# --- the file ---


def read_hex(path: Path) -> bytes:
    """The firmware in an Intel hex file, from address 0 on, filled up with FF. Raises BadInput."""
    try:
        lines = path.read_text(encoding="ascii").split()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; without --hex the firmware is built here") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: this is no hex file; without --hex the firmware is built here") from error
    image = bytearray()
    for number, line in enumerate(lines, 1):
        kind, address, data = _record(path, number, line)
        if kind == 0:
            _put(image, address, data, f"{path}, line {number}")
        elif kind == 1:
            return _whole(bytes(image), path)
        elif kind not in (3, 5):
            raise BadInput(f"{path}, line {number}: a record of kind {kind}, which no ATmega328P needs")
    raise BadInput(f"{path}: the hex file has no end; was it copied whole?")


def _record(path: Path, number: int, line: str) -> tuple[int, int, bytes]:
    try:
        raw = bytes.fromhex(line[1:])
    except ValueError:
        raw = b""
    if not line.startswith(":") or len(raw) < 5 or len(raw) != raw[0] + 5 or sum(raw) % 256:
        raise BadInput(f"{path}, line {number}: no sound record of a hex file")
    return raw[3], int.from_bytes(raw[1:3], "big"), raw[4:-1]


def _put(image: bytearray, address: int, data: bytes, where: str) -> None:
    end = address + len(data)
    if end > ROOM:
        raise BadInput(f"{where}: byte {end} of the firmware; {ROOM} fit beside the bootloader")
    image.extend(b"\xff" * (end - len(image)))
    image[address:end] = data


def _whole(image: bytes, path: Path) -> bytes:
    if not image.strip(b"\xff"):
        raise BadInput(f"{path}: the hex file holds no program")
    return image


# --- the bootloader ---


class Bootloader:
    """A bootloader that has just been started. Its methods raise DeviceError."""

    def __init__(self, wire: BootWire, clock: Callable[[], float] = time.monotonic) -> None:
        self._wire, self._clock = wire, clock

    def synchronise(self, tried: Callable[[int], None]) -> bool:
        """Whether somebody answers who speaks this protocol. tried: told the number of each try."""
        for number in range(1, SYNC_TRIES + 1):
            tried(number)
            self._wire.write(GET_SYNC + END)
            if self._ends_in_sync():
                return True
        return False

    def _ends_in_sync(self) -> bool:
        """The answer may come after the program's last words, and more than once."""
        heard, until = b"", self._clock() + TRY_MOST
        while self._clock() < until and (byte := self._wire.read(1)):  # a program that talks never ends by itself
            heard = (heard + byte)[-2:]
            if heard == IN_SYNC + OK:
                return True
        return False

    def settle(self) -> None:
        """Swallow the answers to further questions, so that the next answer is that of the next command."""
        until = self._clock() + TRY_MOST
        while self._clock() < until and self._wire.read(1):
            pass

    def ask(self, command: bytes, length: int = 0) -> bytes:
        """Send one command. Returns the `length` bytes of its answer."""
        self._wire.write(command + END)
        answer = b""
        while len(answer) < length + 2 and (more := self._wire.read(length + 2 - len(answer))):
            answer += more
        if len(answer) != length + 2 or answer[:1] != IN_SYNC or answer[-1:] != OK:
            raise DeviceError(f"the bootloader fell out of step (answer {answer[:8].hex() or 'missing'}): try again")
        return answer[1:-1]

    def signature(self) -> bytes:
        """Three bytes that name the chip."""
        return self.ask(READ_SIGNATURE, 3)

    def write(self, address: int, page: bytes) -> None:
        """Write a page of the flash. address: in bytes."""
        self._load(address)
        self.ask(WRITE_PAGE + len(page).to_bytes(2, "big") + b"F" + page)

    def read(self, address: int, length: int) -> bytes:
        """What is in the flash."""
        self._load(address)
        return self.ask(READ_PAGE + length.to_bytes(2, "big") + b"F", length)

    def leave(self) -> None:
        """Start the program."""
        self.ask(LEAVE)

    def _load(self, address: int) -> None:
        self.ask(LOAD_ADDRESS + (address // 2).to_bytes(2, "little"))


def pages(image: bytes) -> Iterator[tuple[int, bytes]]:
    """The image in whole pages, with their addresses in bytes."""
    for address in range(0, len(image), PAGE):
        yield address, image[address : address + PAGE].ljust(PAGE, b"\xff")


def load(path: str, image: bytes, progress: Progress, opener: Opener = open_boot_wire) -> int:
    """Write the image, read it back, compare, start it. Returns the baud rate that was answered.

    Raises DeviceError: nobody answers, another chip, or a byte that does not stay.
    """
    for before, baud in enumerate(BAUDS):
        wire = _open(opener, path, baud)
        try:
            boot = Bootloader(wire)
            if boot.synchronise(partial(_tried, progress, before * SYNC_TRIES)):
                boot.settle()
                _load(boot, image, progress)
                return baud
        except DeviceError:
            raise
        except GONE as error:
            raise DeviceError(f"{path}: {error}. Is the cable still in?") from error
        finally:
            with contextlib.suppress(*GONE):
                wire.close()
    tried = " and ".join(str(baud) for baud in BAUDS)
    raise DeviceError(f"{path}: no bootloader answers at {tried} baud. Is this an Arduino Nano or Uno?")


def _tried(progress: Progress, before: int, number: int) -> None:
    progress("ask", before + number, len(BAUDS) * SYNC_TRIES)


def _open(opener: Opener, path: str, baud: int) -> BootWire:
    try:
        return opener(path, baud)
    except GONE as error:
        if isinstance(error, OSError) and error.errno in (errno.EBUSY, errno.EAGAIN):
            raise DeviceError(f"{path} is in use: stop Companion and any serial monitor first") from error
        raise DeviceError(trouble(path, error)) from error


def _load(boot: Bootloader, image: bytes, progress: Progress) -> None:
    signature = boot.signature()
    if signature != SIGNATURE:
        raise DeviceError(f"no ATmega328P: this chip says {signature.hex()}. Nothing was written")
    for address, page in pages(image):
        boot.write(address, page)
        progress("write", min(address + PAGE, len(image)), len(image))
    for address, page in pages(image):
        if boot.read(address, PAGE) != page:
            raise DeviceError(f"the flash differs at byte {address} and after: load it again, or take another board")
        progress("verify", min(address + PAGE, len(image)), len(image))
    boot.leave()
