"""The dice line's edge: finds the port by its HELLO, keeps it open, and survives the cable being pulled."""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import random
import termios
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

import serial
from serial.tools import list_ports

from companion.dice.book import Book
from companion.dice.events import (
    Alarm,
    BoxNoticed,
    BoxQuestion,
    DiceEvent,
    DiceUnfit,
    Flooded,
    LinkLost,
    LinkReady,
    PortTrouble,
    Remark,
)
from companion.dice.host import Host, State
from companion.model import JournalError

BAUD = 115200
WAIT_FIRST, WAIT_MOST = 0.5, 3.0
"""Seconds until the next attempt after the first loss, and at most."""
READ_WAIT = 0.05
GONE = (OSError, termios.error, TypeError)
"""What pyserial raises where a port vanishes: while it is opened (termios.error), read or listed (TypeError)."""
BACKLOG = 1000
"""Events that may wait to be fetched; beyond, remarks are dropped, never rolls."""


class Wire(Protocol):
    """What is used of serial.Serial."""

    @property
    def in_waiting(self) -> int: ...
    def read(self, size: int = 1, /) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...


def open_wire(path: str) -> Wire:
    """Open a serial port for this process alone. Raises OSError (serial.SerialException is one)."""
    wire: Wire = serial.Serial(path, BAUD, timeout=READ_WAIT, write_timeout=0.5, exclusive=True)
    return wire


def usb_ports() -> list[str]:
    """The serial ports that hang on USB, by name."""
    return sorted(port.device for port in list_ports.comports() if port.vid is not None)


def devices(paths: Iterable[str]) -> set[str]:
    """What these names stand for now."""
    return {os.path.realpath(path) for path in paths}


def trouble(path: str, error: Exception) -> str:
    """What is the matter with a port, and the way out: one or two sentences."""
    inner = error.__context__ if isinstance(error, serial.SerialException) and error.errno is None else error
    if isinstance(inner, termios.error):
        error = OSError(*inner.args)
    code = error.errno if isinstance(error, OSError) else None
    auto = '[dice] port = "auto" finds it by itself.'
    no_port = f"is no serial port. Name that of the dice box, like /dev/ttyUSB0; {auto}"
    in_use = "is in use by another program. Close it (a serial monitor, or another Companion that runs?)."
    ways = {
        errno.ENOENT: f"is not there. Is the dice box plugged in? If it is, it may have another name now: {auto}",
        errno.EACCES: "may not be opened. Run: sudo usermod -aG dialout $USER, then log in again.",
        errno.EBUSY: in_use,
        errno.EAGAIN: in_use,
        errno.ENOTTY: no_port,
        errno.EISDIR: no_port,
    }
    return f"{path} {ways.get(code or 0, f'cannot be used: {error}')}"


class DicePort:
    """The dice box on its port, in a thread of its own. Fetch `events`; call the rest any time.

    path: a named port, else every USB port is tried for a HELLO. Call `arm` before `start` if a throw is due.
    clock: seconds, as in every event's `at`. All attempts are with `opener`, the ports named by `ports`.
    """

    def __init__(
        self,
        book: Book,
        path: str | Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        opener: Callable[[str], Wire] = open_wire,
        ports: Callable[[], list[str]] = usb_ports,
        session: int | None = None,
    ) -> None:
        self.events: queue.SimpleQueue[DiceEvent] = queue.SimpleQueue()
        self.port: str | None = None
        self._path = None if path is None else str(path)
        self._clock, self._opener, self._ports = clock, opener, ports
        self._host = Host(book, session or random.randrange(1, 65536))
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._said: dict[str, str] = {}
        self.tried: list[str] = []
        self._there: set[str] = set()
        self._list_at = 0.0
        self._wait = WAIT_FIRST
        self._linked = self._found = False
        self._visited = self._unfit = self._refuser = ""
        self._thread = threading.Thread(target=self._run, name="dice port", daemon=True)

    @property
    def state(self) -> State:
        """Where the link stands."""
        return self._host.state

    def start(self) -> None:
        """Begin to look for the box."""
        self._thread.start()

    def close(self) -> None:
        """Let the box go and end the thread. What is armed is disarmed by the box itself, after 3 s."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join()

    def arm(self, turn: int, dice: int, rgb: str | None = None, ms: int | None = None) -> None:
        """See Host.arm."""
        with self._lock:
            self._put(self._host.arm(turn, dice, self._clock(), rgb, ms))

    def disarm(self) -> None:
        """No throw is due any more."""
        with self._lock:
            self._put(self._host.disarm(self._clock()))

    def recorded(self, id: int) -> None:
        """The roll is in the journal: it is acknowledged now."""
        with self._lock:
            self._put(self._host.recorded(id, self._clock()))

    def adopt(self) -> None:
        """Use the box that was asked about (write it to the journal first)."""
        with self._lock:
            self._put(self._host.adopt(self._clock()))

    def dismiss(self) -> None:
        """The alarm is settled."""
        with self._lock:
            self._put(self._host.dismiss(self._clock()))

    def ask(self, verb: str, **keys: object) -> None:
        """Send any other request. See Host.ask."""
        with self._lock:
            self._put(self._host.ask(verb, self._clock(), **keys))

    def _run(self) -> None:
        while not self._ending.is_set():
            self._round()
            self._ending.wait(self._wait)
            self._wait = min(WAIT_MOST, self._wait * 2)

    def _round(self) -> None:
        """Try every port for our box; where it is on none, go back to another that was found, and ask about it."""
        candidates, other = self._candidates(), None
        self.tried, self._there = candidates, devices(candidates)
        if self._said.keys() - {"", *candidates}:  # one was unplugged: of the others is said anew how they are
            self._said = {path: text for path, text in self._said.items() if not path}
        for path in candidates:
            if self._visit(path, last=path == candidates[-1]):
                other = path
            elif self._found:
                return
        if other and not self._ending.is_set():
            self._visit(other, last=True)

    def _candidates(self) -> list[str]:
        """The ports to try, the one that was good last first."""
        if self._path:
            return [self._path]
        try:
            ports = self._ports()
        except GONE as error:
            self._trouble("", f"The serial ports on USB cannot be listed ({error}): trying again.")
            return []
        if not ports:
            self._trouble("", "No serial port on USB. Is the dice box plugged in?")
        return sorted(ports, key=lambda path: path != self.port)

    def _visit(self, path: str, last: bool) -> bool:
        """Stay with one port until it ends. Returns whether it was left for it showed another box, with ports left."""
        self._visited, self._found, other = path, False, False
        wire = self._open(path)
        if wire is None:
            return False
        with self._lock:
            self._host.opened(self._clock())
        text = "The table let the dice box go."
        try:
            while not self._ending.is_set() and self._host.state is not State.CLOSED:
                self._turn(wire, last)
                if self._host.question and (not last or self._plugged_in()):
                    text, other = "Another dice box is there: looking for ours.", not last
                    break
        except JournalError as error:
            text = f"The dice wait for the journal. {error}"
        except GONE as error:
            text = f"The dice are unplugged ({path}: {error}). A throw that was made is safe."
            if not self._linked:  # perhaps it was no dice box
                text = f"It can be used no longer ({error})."
        self._leave(wire, text)
        return other

    def _plugged_in(self) -> bool:
        """Whether another port came since they were listed last, some seconds ago, or the one that is named is another
        device by now (/dev/companion-dice): ours may be back."""
        at, before = self._clock(), self._there
        if at < self._list_at:
            return False
        self._list_at = at + WAIT_MOST
        with contextlib.suppress(*GONE):
            self._there = devices([self._path] if self._path else self._ports())
        return not self._there <= before

    def _open(self, path: str) -> Wire | None:
        try:
            wire = self._opener(path)
        except (*GONE, ValueError) as error:  # ValueError: a path that can be none
            self._trouble(path, trouble(path, error))
            return None
        return wire

    def _turn(self, wire: Wire, last: bool) -> None:
        """Read, think, write."""
        data = wire.read(max(1, min(4096, wire.in_waiting)))
        with self._lock:
            events = self._host.feed(data, self._clock()) + self._host.tick(self._clock())
            out = self._host.take()
        if not self._host.question or last:
            self._put(events)
        if out:
            wire.write(out)

    def _leave(self, wire: Wire, text: str) -> None:
        try:
            wire.close()
        except GONE as error:
            text = f"{text} ({error})"
        with self._lock:
            self._put(self._host.closed(self._clock(), text))
            self._linked = False

    def _put(self, events: Iterable[DiceEvent]) -> None:
        for event in events:
            if isinstance(event, LinkReady | Alarm):
                self.port, self._wait, self._linked, self._found = self._visited, WAIT_FIRST, True, True
                self._refuser = ""
            if isinstance(event, LinkReady | Alarm | BoxQuestion | DiceUnfit):
                self._said.clear()  # else what is said now would not be taken back when it is over
            if isinstance(event, DiceUnfit):
                self._unfit = self._refuser = self._visited
            if isinstance(event, LinkLost) and not self._linked and self._unfit == self._visited:
                self._unfit = ""  # why it was refused is said already, with the way out
            elif isinstance(event, LinkLost) and not self._linked:
                self._trouble(self._visited, f"{self._visited}: {event.text}")
            elif self.events.qsize() < BACKLOG or not isinstance(event, Remark | BoxNoticed | Flooded):
                self.events.put(event)

    def _trouble(self, path: str, text: str) -> None:
        """Say it once until it changes; nothing of other ports while it stands why the box on its own is refused."""
        if path != self._refuser and self._refuser in self.tried:
            return
        self._refuser = ""
        if self._said.get(path) != text:
            if path:
                self._said.pop("", None)  # there is a port
            self._said[path] = text
            self._put([PortTrouble(self._clock(), path, text)])
