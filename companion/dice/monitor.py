"""Listening to a dice box, and trying its parts: for people at the command line."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable, Iterator

from companion.dice.book import MemoryBook
from companion.dice.events import (
    BoxAnswered,
    BoxFound,
    BoxNoticed,
    DiceEvent,
    DiceUnfit,
    LinkLost,
    LinkReady,
    PortTrouble,
    Remark,
)
from companion.dice.line import Comment, Heard, Line, LineReader, Spoiled
from companion.dice.port import GONE, DicePort, Wire, open_wire, trouble, usb_ports
from companion.model import BadInput, DeviceError

FIND_MOST, ANSWER_MOST = 12.0, 5.0
"""Seconds until a box must be found, and until it must have answered a request."""
NOBODY = "no dice box answered. Is it plugged in, and is its firmware loaded?"


def only_port(named: str | None, ports: Callable[[], list[str]] = usb_ports) -> str:
    """The port that was named, else the only one on USB. Raises BadInput, DeviceError."""
    if named:
        return named
    try:
        found = ports()
    except GONE as error:
        said = f"the serial ports cannot be listed ({getattr(error, 'strerror', None) or error})"
        raise DeviceError(f"{said}: name the dice box's with --port, like /dev/ttyUSB0") from error
    if not found:
        raise DeviceError("no serial port on USB. Is the dice box plugged in? Else name its port with --port")
    if len(found) > 1:
        raise BadInput(f"several ports on USB ({', '.join(found)}): name the dice box's with --port")
    return found[0]


# --- monitor ---


def monitor(path: str, seconds: float, typed: str = "", opener: Callable[[str], Wire] = open_wire) -> Iterator[str]:
    """What the box says, a line each with its time; nothing is asked of it and nothing acknowledged.

    typed: said to it first, as a person would (?, i, t, r). seconds: 0 for until interrupted. Raises DeviceError.
    """
    try:
        wire = opener(path)
    except (*GONE, ValueError) as error:
        raise DeviceError(trouble(path, error)) from error
    start, reader = time.monotonic(), LineReader()
    try:
        while not seconds or time.monotonic() - start < seconds:
            for heard in reader.feed(wire.read(max(1, wire.in_waiting))):
                yield f"{time.monotonic() - start:8.3f}  {told(heard)}"
                if typed and isinstance(heard, Line) and heard.verb == "HELLO":
                    wire.write(typed.encode("ascii", "ignore") + b"\n")
                    typed = ""
    except GONE as error:
        raise DeviceError(f"{path}: {error}. Is the cable still in?") from error
    finally:
        with contextlib.suppress(*GONE):
            wire.close()


def told(heard: Heard) -> str:
    """A line of the box, for people."""
    match heard:
        case Line(verb, keys):
            return " ".join([verb, *(f"{key}={value}" for key, value in keys.items())])
        case Comment(text):
            return f"#{text}"
        case Spoiled(why):
            return f"(a damaged line: {why})"
    return f"(not of a dice box: {heard.text})"


# --- test ---


class Trial:
    """One visit to a box: it is linked and asked, never armed; a roll that it still holds stays unacknowledged."""

    def __init__(self, port: DicePort) -> None:
        self.port, self._found = port, False
        self._met: list[DiceEvent] = []

    def until(self, wanted: Callable[[DiceEvent], bool], most: float) -> DiceEvent | None:
        """The next event that is wanted, or None. Raises DeviceError where the box is not there or unfit."""
        end = time.monotonic() + most
        while (left := end - time.monotonic()) > 0:
            try:
                event = self.port.events.get(timeout=left)
            except queue.Empty:
                break
            self._met.append(event)
            if isinstance(event, LinkLost | DiceUnfit) or (isinstance(event, PortTrouble) and self._found):
                raise DeviceError(event.text)
            if wanted(event):
                return event
        return None

    def find(self) -> BoxFound:
        """The box, once it may be asked. Raises DeviceError."""
        if self.until(self._ready, FIND_MOST) is None:
            said = [event.text for event in self._met if isinstance(event, PortTrouble)]
            raise DeviceError(said[0] if said else NOBODY)
        self._found = True
        return next(event for event in self._met if isinstance(event, BoxFound))

    def _ready(self, event: DiceEvent) -> bool:
        """Whether the box may be asked, or it is known that there is none: another stick may be on a port before it."""
        if isinstance(event, PortTrouble) and len(self.port.tried) < 2:
            raise DeviceError(event.text)
        return isinstance(event, LinkReady)

    def ask(self, what: str) -> tuple[str, str]:
        """TEST one part. Returns the error ("" for none) and what the box remarked."""
        self._met.clear()
        self.port.ask("TEST", k=what)
        answer = self.until(lambda event: isinstance(event, BoxAnswered) and event.verb == "TEST", ANSWER_MOST)
        self.until(lambda event: isinstance(event, Remark), 0.5)
        error = answer.error if isinstance(answer, BoxAnswered) else "no answer"
        return error, next((event.text for event in self._met if isinstance(event, Remark)), "")

    def judged_chance(self) -> tuple[str, str]:
        """As `ask`, once the box has gathered enough to judge by."""
        end = time.monotonic() + ANSWER_MOST
        while (answer := self.ask("rng"))[0] == "busy" and time.monotonic() < end:
            continue
        return answer


def trial(port: DicePort, wait: float = 10.0) -> Iterator[tuple[str, bool]]:
    """Lamps, button and chance in turn: a line each, and whether it is well. Raises DeviceError."""
    visit = Trial(port)
    port.start()
    try:
        box = visit.find()
        yield f"found: box {box.dev}, firmware {box.fw}, up to {box.most} dice, last roll {box.last}", True
        error, text = visit.ask("led")
        told = error or text.removeprefix("lamps:").strip() or "started"
        yield f"lamps: {told}. Does each light up in turn, red, green, blue, white?", not error
        yield f"button: press it now (within {wait:.0f} s)", True
        yield _pressed(visit, wait)
        error, text = visit.judged_chance()
        yield f"{text or 'chance'}: {'refused (' + error + ')' if error else 'good'}", not error
    finally:
        port.close()


def with_dice(port: DicePort, count: int) -> str:
    """Tell the box once how many dice it has, which it keeps (SET). Raises DeviceError where it does not take that."""
    visit = Trial(port)
    port.start()
    try:
        box = visit.find()
        port.ask("SET", dice=count)
        answer = visit.until(lambda event: isinstance(event, BoxAnswered) and event.verb == "SET", ANSWER_MOST)
    finally:
        port.close()
    error = answer.error if isinstance(answer, BoxAnswered) else "no answer"
    if error:
        raise DeviceError(f"the box {box.dev} does not take that it has {count} dice ({error}): it can have 1 to 3")
    return f"the box {box.dev} has {count} {'die' if count == 1 else 'dice'} from now on, and keeps that"


def _pressed(visit: Trial, wait: float) -> tuple[str, bool]:
    seen = visit.until(lambda event: isinstance(event, BoxNoticed) and event.kind == "press", wait)
    return ("button: pressed", True) if seen else ("button: nothing was pressed", False)


def trial_port(path: str | None) -> DicePort:
    """A port with a book that forgets."""
    return DicePort(MemoryBook(), path)
