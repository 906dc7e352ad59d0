"""The pretend dice box: the device's side of DICE/1, with a memory that survives, and every fault on demand.

`DiceBox` is bytes and time in, bytes out; `PretendBox` runs one on a pseudo-terminal.
Source: PROTOCOL, "Device states" and "How a roll is made".
"""

from __future__ import annotations

import contextlib
import os
import pty
import random
import select
import threading
import time
import tty
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.dice.events import BoxRoll
from companion.dice.line import TO_BOX, TO_HOST, Comment, Heard, Line, LineReader, Spoiled, crc, encode
from companion.dice.rolls import ahead, next_id, write_roll

SILENCE, AGAIN_FAST, AGAIN_SLOW, SPIN_MOST, LONG_PRESS = 3.0, 0.3, 1.0, 10.0, 2.0
"""Seconds: host taken for gone; a roll said again (three times, then slower); longest roll; a long press."""


class PowerCut(Exception):
    """The power went away while a byte was to be written."""


class Memory:
    """1024 bytes that survive a reboot. writes_left: bytes that can be written until the power goes."""

    def __init__(self, dev: int = 0x7F3A90C1) -> None:
        self.bytes = bytearray(b"\xff" * 1024)
        self.bytes[4:8] = dev.to_bytes(4, "big")
        self.bytes[8:12] = bytes(4)
        self.writes_left: int | None = None

    def write(self, address: int, value: bytes) -> None:
        """Write byte by byte. Raises PowerCut."""
        for offset, byte in enumerate(value):
            if self.writes_left is not None:
                if self.writes_left == 0:
                    raise PowerCut
                self.writes_left -= 1
            self.bytes[address + offset] = byte

    def number(self, address: int, size: int) -> int:
        """The unsigned number kept at `address`, highest byte first."""
        return int.from_bytes(self.bytes[address : address + size], "big")


class Ring:
    """The journal of rolls: records of 16 bytes from byte 32 on, each with a checksum, its commit byte last.

    A record: id 4, turn 2, number of dice 1, faces 3, ms 2, checksum 2, acknowledged 1, committed 1.
    """

    START, SIZE, SLOTS = 32, 16, 32
    COMMITTED, ACKED = 0x5A, 0xAC

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.first = 0  # the number after which rolls are counted in a fresh memory
        self.load()

    def load(self) -> None:
        """Find the newest whole record; torn ones were never shown and do not exist."""
        self.slot, self.last, self.open = -1, self.first, False
        for slot in range(self.SLOTS):
            roll = self.read(slot)
            if roll and (self.slot < 0 or ahead(roll.id, self.last) > 0):
                self.slot, self.last = slot, roll.id
        if self.slot >= 0:
            self.open = self.memory.bytes[self._at(self.slot) + 14] != self.ACKED

    def read(self, slot: int) -> BoxRoll | None:
        """The roll in a slot; None where there is none, or none that is whole."""
        at = self._at(slot)
        record = bytes(self.memory.bytes[at : at + self.SIZE])
        if record[15] != self.COMMITTED or int.from_bytes(record[12:14], "big") != crc(record[:12]):
            return None
        id, turn, ms = (int.from_bytes(record[a:b], "big") for a, b in ((0, 4), (4, 6), (10, 12)))
        return BoxRoll(id, turn, tuple(record[7 : 7 + record[6]]), ms, "btn")

    def put(self, roll: BoxRoll) -> None:
        """Put a roll on record: it exists from its last byte on. Raises PowerCut."""
        slot = (self.slot + 1) % self.SLOTS
        head = roll.id.to_bytes(4, "big") + roll.turn.to_bytes(2, "big") + bytes([len(roll.faces)])
        body = head + bytes(roll.faces).ljust(3, b"\0") + min(roll.ms, 65535).to_bytes(2, "big")
        at = self._at(slot)
        self.memory.write(at + 15, b"\0")
        self.memory.write(at, body + crc(body).to_bytes(2, "big") + b"\0")
        self.memory.write(at + 15, bytes([self.COMMITTED]))
        self.slot, self.last, self.open = slot, roll.id, True

    def acknowledge(self) -> None:
        """The newest roll needs no telling any more. Raises PowerCut."""
        self.memory.write(self._at(self.slot) + 14, bytes([self.ACKED]))
        self.open = False

    def newest(self) -> BoxRoll | None:
        """The last roll."""
        return self.read(self.slot) if self.slot >= 0 else None

    def since(self, id: int, most: int) -> list[BoxRoll]:
        """At most `most` rolls from number `id` on, in order."""
        rolls = [roll for slot in range(self.SLOTS) if (roll := self.read(slot)) and ahead(roll.id, id) >= 0]
        return sorted(rolls, key=lambda roll: ahead(roll.id, id))[:most]

    def _at(self, slot: int) -> int:
        return self.START + slot * self.SIZE


class Phase(StrEnum):
    """Where the box stands (PROTOCOL: "Device states"); OFF has no power. COMMIT passes at once."""

    OFF = "off"
    BOOT = "boot"
    ALONE = "alone"
    LINKED = "linked"
    ARMED = "armed"
    SPIN = "spin"
    UNACKED = "unacked"


@dataclass
class Faults:
    """How the box misbehaves.

    damage: probability that a byte is flipped, lost or doubled, each way. double: every line is said twice.
    lose_acks: how many answers to ACK get lost next. rng: its chance fails the test. speaks: its version.
    flood: lines of noise at each tick.
    """

    damage: float = 0.0
    double: bool = False
    lose_acks: int = 0
    rng: bool = False
    speaks: int = 1
    flood: int = 0


def damaged(data: bytes, probability: float, rng: random.Random) -> bytes:
    """`data` as it comes through a bad cable: single bytes flipped in one bit, lost or doubled."""
    out = bytearray()
    for byte in data:
        if rng.random() >= probability:
            out.append(byte)
        else:
            out += rng.choice((bytes([byte ^ 1 << rng.randrange(8)]), b"", bytes([byte, byte])))
    return bytes(out)


def face(entropy: Callable[[], int]) -> int:
    """One face, all equally likely: bytes of `entropy` above the last multiple of six are rejected."""
    while (byte := entropy()) >= 252:
        pass
    return byte % 6 + 1


@dataclass(frozen=True, slots=True)
class _Arm:
    turn: int
    dice: int
    until: float | None


class DiceBox:
    """The device without its wires. rng: the source of all chance, faults too. boot: seconds to start."""

    def __init__(
        self, memory: Memory | None = None, rng: random.Random | None = None, most: int = 3, boot: float = 0.2
    ) -> None:
        self.memory = memory or Memory()
        self.rng = rng or random.Random(0)
        self.most = most
        self.boot_time = boot
        self.faults = Faults()
        self.ring = Ring(self.memory)
        self.lamp = ""
        self.made: list[BoxRoll] = []
        self._next_faces: tuple[int, ...] | None = None
        self._hung: float | None = None
        self._start(0.0, "por")
        self._off = True

    # power and button

    def power_on(self, at: float, why: str = "por") -> None:
        """Start, or start again. why: por, ext, bor, wdt."""
        self.memory.writes_left = None
        self._start(at, why)
        self._put(b"\n")  # ends the line that the start cut short, if one was under way
        boots = self.memory.number(8, 2) + 1
        self.memory.write(8, (boots % 65536).to_bytes(2, "big"))
        self._off = False

    def power_off(self) -> None:
        """The plug is pulled; what was not said yet is gone."""
        self._off = True
        self._out.clear()

    def hang(self, at: float) -> None:
        """The program hangs; the watchdog starts it anew after half a second."""
        self.power_off()
        self._hung = at + 0.5

    def _start(self, at: float, why: str) -> None:
        self.ring.load()
        self.most = self.memory.bytes[10] or self.most
        self.why = why
        self._out = bytearray()
        self._reader = LineReader(TO_BOX)
        self._ready = at + self.boot_time
        self._hung = None
        self._linked = False
        self._arm: _Arm | None = None
        self._spin: float | None = None
        self._down: float | None = None
        self._long = self._stuck = False
        self._heard = self._said = at
        self._hello_due = self._ready
        self._times, self._again = 0, self._ready
        self._answered: tuple[int, bytes] | None = None
        self.bad = 0

    @property
    def phase(self) -> Phase:
        """Where the box stands, as of the last tick."""
        if self._off:
            return Phase.OFF
        for phase, now in (
            (Phase.BOOT, self._said < self._ready),
            (Phase.SPIN, self._spin is not None),
            (Phase.ALONE, not self._linked),
            (Phase.UNACKED, self.ring.open),
            (Phase.ARMED, self._arm is not None),
        ):
            if now:
                return phase
        return Phase.LINKED

    @property
    def asked(self) -> int:
        """How many dice are asked for; 0 while the box is not armed."""
        return self._arm.dice if self._arm is not None and self.phase is Phase.ARMED else 0

    def press(self, at: float, faces: tuple[int, ...] | None = None) -> None:
        """The button goes down. faces: what the dice will show, else chance decides."""
        self.tick(at)
        if self._off or self._down is not None:
            return
        self._down, self._next_faces = at, faces
        if self._arm and self._linked and not self.ring.open:
            self._spin = at
            self.lamp = "rolls"
            self._say("EVT", k="spin")
        elif self._linked:
            self._say("EVT", k="press")

    def release(self, at: float) -> None:
        """The button comes up; an armed press rolls now."""
        self.tick(at)
        self._down, self._long, self._stuck = None, False, False
        if self._spin is not None:
            self._commit(at)

    # time and bytes

    def feed(self, data: bytes, at: float) -> None:
        """Bytes from the host."""
        self.tick(at)
        if self.phase in (Phase.OFF, Phase.BOOT):
            return
        for heard in self._reader.feed(damaged(data, self.faults.damage, self.rng)):
            self._line(heard, at)
            if self._off:
                return

    def tick(self, at: float) -> None:
        """Time has passed."""
        if self._hung is not None and at >= self._hung:
            self.power_on(at, "wdt")
        if self._off:
            return
        self._said = at
        if at < self._ready:
            return
        if self._linked and at - self._heard > SILENCE:
            self._linked = False
            if self._spin is None:  # a throw that has begun is finished, and kept
                self._arm = None
        if self._arm and self._arm.until is not None and at >= self._arm.until and self._spin is None:
            self._arm = None
        self._hold(at)
        self._repeat(at)
        for _ in range(self.faults.flood):
            self._put(b"# noise\n")

    def take(self) -> bytes:
        """Bytes for the host, as they come through the cable; given once."""
        data = bytes(self._out)
        self._out.clear()
        return damaged(data, self.faults.damage, self.rng)

    def _hold(self, at: float) -> None:
        """What a button does that stays down."""
        if self._down is None:
            return
        if self._spin is not None and at - self._spin >= SPIN_MOST:
            self._commit(at)
        if self._linked and not self._long and self._spin is None and at - self._down >= LONG_PRESS:
            self._long = True
            self._say("EVT", k="long")
        if self._linked and not self._stuck and at - self._down >= SPIN_MOST:
            self._stuck = True
            self._say("EVT", k="stuck")

    def _repeat(self, at: float) -> None:
        """HELLO each second while not linked; an open roll three times fast, then each second."""
        if not self._linked:
            if at >= self._hello_due:
                self._hello(at)
        elif self.ring.open and at >= self._again:
            self._times += 1
            self._again = at + (AGAIN_FAST if self._times <= 3 else AGAIN_SLOW)
            roll = self.ring.newest()
            if roll:
                self._put(write_roll(roll))

    def _commit(self, at: float) -> None:
        """Faces from chance, on record, and only then lamps and line."""
        assert self._arm is not None and self._spin is not None
        faces = self._next_faces or tuple(face(lambda: self.rng.randrange(256)) for _ in range(self._arm.dice))
        roll = BoxRoll(next_id(self.ring.last), self._arm.turn, faces, int(1000 * (at - self._spin)), "btn")
        self._arm = self._spin = None
        try:
            self.ring.put(roll)
        except PowerCut:
            return self.power_off()
        self.made.append(roll)
        self.lamp = ",".join(str(f) for f in faces)
        self._times, self._again = 0, at
        self._repeat(at)

    # lines out

    def _put(self, line: bytes) -> None:
        self._out += line * (2 if self.faults.double else 1)

    def _say(self, verb: str, **keys: object) -> None:
        self._put(encode(verb, TO_HOST, **keys))

    def _hello(self, at: float) -> None:
        self._hello_due = at + 1.0
        dev, boot = self.memory.bytes[4:8].hex().upper(), self.memory.number(8, 2)
        who: dict[str, object] = {"v": self.faults.speaks, "hw": "pretend", "dev": dev, "fw": "0.1.0"}
        now = {"max": self.most, "last": self.ring.last, "open": int(self.ring.open)}
        self._say("HELLO", **who, boot=boot, why=self.why, **now)

    # lines in

    def _line(self, heard: Heard, at: float) -> None:
        if isinstance(heard, Line):
            self._heard = at
            self._request(heard, at)
        elif isinstance(heard, Spoiled):
            self.bad += 1
            if self._linked:
                self._say("NO", n=0, e="arg" if heard.why == "form" else heard.why)
        elif not isinstance(heard, Comment) and not self._linked:
            answer = _TYPED.get(heard.text)
            if answer:
                self._put(answer(self))

    def _request(self, line: Line, at: float) -> None:
        """Answer a request once, and say the same again to the same number."""
        n = line.number("n")
        if not n or n > 65535:
            return self._say("NO", n=0, e="arg")
        if self._answered and self._answered[0] == n:
            return self._put(self._answered[1])
        error = self._do(line, at)
        if self._off:
            return
        if line.verb == "PING" and not error:
            reply = self._pong(n)
        else:
            reply = encode("NO" if error else "OK", n=n, e=error or None)
        self._answered = (n, reply)
        if line.verb == "ACK" and self.faults.lose_acks > 0:
            self.faults.lose_acks -= 1
        else:
            self._put(reply)
        if line.verb == "OPEN" and not error:
            self._hello(at)

    def _do(self, line: Line, at: float) -> str:
        """Carry out a request. Returns the error, "" for none."""
        action = _ACTIONS.get(line.verb)
        if action is None:
            return "verb"
        if not self._linked and line.verb != "OPEN":
            return "link"
        try:
            return action(self, line, at)
        except PowerCut:
            self.power_off()
            return "ee"

    def _pong(self, n: int) -> bytes:
        names = {Phase.ARMED: "armed", Phase.SPIN: "spin", Phase.UNACKED: "open"}
        state: dict[str, object] = {"n": n, "st": names.get(self.phase, "idle"), "open": int(self.ring.open)}
        return encode("PONG", TO_HOST, **state, last=self.ring.last, vcc=4980, bad=self.bad, ovr=0, up=0)

    def _open(self, line: Line, at: float) -> str:
        if line.number("v") is None:
            return "arg"
        if line.number("v") != self.faults.speaks:
            return "ver"
        self._linked, self._arm = True, self._arm if self._spin is not None else None
        self._stuck = False  # who opens the link does not know it
        self._times, self._again = 0, at
        return ""

    def _arm_it(self, line: Line, at: float) -> str:
        turn, dice, ms = line.number("turn"), line.text("d").removesuffix("d6"), line.number("ms")
        if not turn or line.text("d") != f"{dice}d6" or not dice.isdigit():
            return "arg"
        if not 1 <= int(dice) <= self.most or turn > 65535:
            return "range"
        for error, now in (("busy", self._spin), ("open", self.ring.open), ("rng", self.faults.rng)):
            if now:
                return error
        self._arm = _Arm(turn, int(dice), at + ms / 1000 if ms else None)
        self.lamp = f"breathes {line.text('rgb')}".strip()
        return ""

    def _disarm(self, line: Line, at: float) -> str:
        if self._spin is not None:
            return "busy"
        self._arm = None
        return ""

    def _ack(self, line: Line, at: float) -> str:
        if line.number("id") is None:
            return "arg"
        if line.number("id") != self.ring.last:
            return "seq"
        if self.ring.open:
            self.ring.acknowledge()
        return ""

    def _log(self, line: Line, at: float) -> str:
        start, most = line.number("from"), line.number("k")
        if start is None or most is None:
            return "arg"
        if not 1 <= most <= 8:
            return "range"
        for roll in self.ring.since(start, most):
            if not (self.ring.open and roll.id == self.ring.last):
                self._put(write_roll(roll, old=True))
        return ""

    def _led(self, line: Line, at: float) -> str:
        self.lamp = f"{line.text('fx') or 'on'} {line.text('rgb')}".strip()
        return ""

    def _show(self, line: Line, at: float) -> str:
        if not line.text("f"):
            return "arg"
        self.lamp = line.text("f")
        return ""

    def _set(self, line: Line, at: float) -> str:
        dice, level = line.number("dice"), line.number("lvl")
        if not 1 <= (dice or 1) <= 3 or not 1 <= (1 if level is None else level) <= 255:
            return "range"
        self.most = dice or self.most
        self.memory.write(10, bytes([self.most] if level is None else [self.most, level]))
        return ""

    def _bye(self, line: Line, at: float) -> str:
        self._linked, self._arm = False, None
        self._hello_due = at + 1.0
        return ""


_ACTIONS: Mapping[str, Callable[[DiceBox, Line, float], str]] = {
    "OPEN": DiceBox._open,
    "PING": lambda box, line, at: "",
    "ARM": DiceBox._arm_it,
    "DISARM": DiceBox._disarm,
    "ACK": DiceBox._ack,
    "LOG": DiceBox._log,
    "LED": DiceBox._led,
    "SHOW": DiceBox._show,
    "SET": DiceBox._set,
    "TEST": lambda box, line, at: "rng" if box.faults.rng and line.text("k") == "rng" else "",
    "BYE": DiceBox._bye,
}
_TYPED: Mapping[str, Callable[[DiceBox], bytes]] = {
    "?": lambda box: b"# i information, t lamp test, r a free roll\n",
    "i": lambda box: b"# pretend dice box, last roll %d\n" % box.ring.last,
    "t": lambda box: b"# lamps\n",
    "r": lambda box: b"# free roll %d (it counts for nothing)\n" % face(lambda: box.rng.randrange(256)),
}


class PretendBox:
    """A DiceBox on a real pseudo-terminal, with a thread that keeps it alive.

    link: a path at which the port is found again after `replug` (a symbolic link to the pseudo-terminal).
    resets: whether it starts anew when its port is opened, as boards do.
    """

    def __init__(self, link: Path, box: DiceBox | None = None, resets: bool = True) -> None:
        self.link = link
        self.box = box or DiceBox(rng=random.Random())
        self.resets = resets
        self._lock = threading.Lock()
        self._master: int | None = None
        self._open = False
        self._ending = threading.Event()
        self.replug()
        self._thread = threading.Thread(target=self._run, name="pretend dice box", daemon=True)
        self._thread.start()

    def press(self, faces: tuple[int, ...] | None = None, hold: float = 0.3) -> None:
        """Hold the button for `hold` seconds. faces: what the dice shall show, else chance decides."""
        with self._lock:
            self.box.press(time.monotonic(), faces)
        self._ending.wait(hold)
        with self._lock:
            self.box.release(time.monotonic())

    def unplug(self) -> None:
        """Pull the cable: the port is gone, the box has no power."""
        with self._lock:
            self.box.power_off()
            if self._master is not None:
                os.close(self._master)
                self._master = None
            self.link.unlink(missing_ok=True)

    def replug(self) -> None:
        """Put the cable back: another port, found by the same link."""
        self.unplug()
        with self._lock:
            self._master, slave = pty.openpty()
            tty.setraw(slave)
            os.set_blocking(self._master, False)
            self.link.symlink_to(os.ttyname(slave))
            os.close(slave)
            self._open = False
            self.box.power_on(time.monotonic())

    def reboot(self, why: str = "ext") -> None:
        """Start the box anew; the port stays."""
        with self._lock:
            self.box.power_on(time.monotonic(), why)

    def close(self) -> None:
        """End the thread and take the port away."""
        self._ending.set()
        self._thread.join()
        self.unplug()

    def _run(self) -> None:
        while not self._ending.wait(0.01):
            with self._lock:
                self._turn(time.monotonic())

    def _turn(self, at: float) -> None:
        """One look at the port: a new listener, bytes in, time, bytes out."""
        if self._master is None:
            return
        self._notice_opening(at)
        with contextlib.suppress(BlockingIOError, OSError):
            self.box.feed(os.read(self._master, 4096), at)
        self.box.tick(at)
        data = self.box.take()
        if self._open:
            with contextlib.suppress(BlockingIOError, OSError):
                os.write(self._master, data)

    def _notice_opening(self, at: float) -> None:
        """A pseudo-terminal has no DTR: a hang-up that ends is a port that was opened."""
        assert self._master is not None
        look = select.poll()
        look.register(self._master, select.POLLHUP)
        is_open = not any(event & select.POLLHUP for _, event in look.poll(0))
        if is_open and not self._open and self.resets:
            self.box.power_on(at, "ext")
        self._open = is_open
