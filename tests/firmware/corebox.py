"""The firmware's core with the manners of the pretend box: its C code, run as a library in simulated time."""

from __future__ import annotations

import ctypes
import random
from pathlib import Path

from companion.dice.events import BoxRoll
from companion.dice.line import TO_BOX, Line, LineReader
from companion.virtual.dicebox import Faults, Memory, Phase, Ring, damaged

LIBRARY = Path(__file__).parents[2] / "firmware" / "build" / "out" / "libdicebox.so"
CALM = 0.025
"""Seconds after which the core believes the button."""
CAUSES = ("por", "ext", "bor", "wdt")
STATES = (Phase.BOOT, Phase.ALONE, Phase.LINKED, Phase.ARMED, Phase.SPIN, Phase.UNACKED)


class CoreRing(Ring):
    """The journal as Python reads and writes it; the core looks again after it was written."""

    def __init__(self, box: CoreBox) -> None:
        self.box = box
        super().__init__(box.memory)

    def put(self, roll: BoxRoll) -> None:
        super().put(roll)
        self.box.look_again()

    def acknowledge(self) -> None:
        super().acknowledge()
        self.box.look_again()


class CoreBox:
    """See DiceBox. One of them may have power at a time."""

    library: ctypes.CDLL | None = None

    def __init__(self, memory: Memory | None = None, rng: random.Random | None = None) -> None:
        self.memory = memory or Memory()
        self.rng = rng or random.Random(0)
        self.faults = Faults()
        self.made: list[BoxRoll] = []
        self.boot_time = 1.2
        """Seconds from power to armed: chance is gathered anew."""
        if CoreBox.library is None:
            CoreBox.library = ctypes.CDLL(str(LIBRARY))
        self.core = CoreBox.library
        self._bytes = (ctypes.c_uint8 * 1024).from_buffer(self.memory.bytes)
        self._left = ctypes.c_int32(-1)
        self._off, self._hung, self._at = True, None, 0
        self._out = bytearray()
        self._acks: set[bytes] = set()

    @property
    def ring(self) -> CoreRing:
        return CoreRing(self)

    @property
    def phase(self) -> Phase:
        return Phase.OFF if self._off else STATES[self.core.core_state()]

    @property
    def bad(self) -> int:
        return int(self.core.core_bad())

    def look_again(self) -> None:
        if not self._off:
            self.core.core_reload()
            self._last = self._newest()

    def power_on(self, at: float, why: str = "por") -> None:
        self.memory.writes_left = None
        self._off, self._hung, self._at = False, None, round(at * 1000)
        self._out.clear()
        self._left.value = -1
        self.core.core_button(False, None, 0)
        cause, seed = CAUSES.index(why), self.rng.randrange(2**32)
        self.core.core_start(self._bytes, ctypes.byref(self._left), self._at, cause, seed)
        self._last = self._newest()
        self._step()

    def power_off(self) -> None:
        self._off = True
        self._out.clear()

    def hang(self, at: float) -> None:
        self.power_off()
        self._hung = at + 0.5

    def press(self, at: float, faces: tuple[int, ...] | None = None) -> None:
        self._button(at, True, faces or ())

    def release(self, at: float) -> None:
        self._button(at, False, ())

    def _button(self, at: float, down: bool, faces: tuple[int, ...]) -> None:
        self.tick(at)
        if not self._off:
            chosen = (ctypes.c_uint8 * 3)(*faces) if faces else None
            self.core.core_button(down, chosen, len(faces))
            self.tick(at + CALM)

    def tick(self, at: float) -> None:
        if self._hung is not None and at >= self._hung:
            self.power_on(at, "wdt")
        self.core.core_noise(self.faults.rng)
        now = round(at * 1000)
        while not self._off and self._at < now:
            self._at += 1
            self._step()
        if not self._off and self.faults.flood:
            self._out += b"# noise\n" * self.faults.flood

    def _step(self) -> None:
        left = self.memory.writes_left
        self._left.value = -1 if left is None else left
        if not self.core.core_step(self._at):
            self.power_off()
        elif left is not None:
            self.memory.writes_left = self._left.value
        if self._newest() != self._last:
            self._last = self._newest()
            self.made.append(Ring(self.memory).newest())  # type: ignore[arg-type]

    def _newest(self) -> int:
        return int(self.core.core_last())

    def feed(self, data: bytes, at: float) -> None:
        self.tick(at)
        if self._off or not data:
            return
        data = damaged(data, self.faults.damage, self.rng)
        if self.faults.lose_acks:
            lines = [line for line in LineReader(TO_BOX).feed(data) if isinstance(line, Line)]
            self._acks |= {b"OK n=%d*" % (line.number("n") or 0) for line in lines if line.verb == "ACK"}
        self.core.core_feed(data, len(data))
        for _ in range(len(data) // 16 + 4):
            if not self._off:
                self._step()

    def take(self) -> bytes:
        buffer = (ctypes.c_uint8 * 4096)()
        if not self._off:
            self._out += bytes(buffer[: self.core.core_take(buffer)])
        lines = self._out.splitlines(keepends=True)
        self._out.clear()
        return damaged(b"".join(self._said(line) for line in lines), self.faults.damage, self.rng)

    def _said(self, line: bytes) -> bytes:
        if self.faults.lose_acks and any(line.startswith(ack) for ack in self._acks):
            self.faults.lose_acks -= 1
            return b""
        return line * (2 if self.faults.double else 1)

    def _put(self, line: bytes) -> None:
        self._out += line
