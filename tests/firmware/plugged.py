"""A table that plays with a running firmware over the real port."""

from __future__ import annotations

import queue
import random
import time

from diceworld import Owner

from companion.dice.events import BoxArmed, DiceEvent
from companion.dice.port import DicePort, Wire, open_wire
from companion.virtual.dicebox import damaged
from companion.virtual.emulated import EmulatedBox

PATIENCE = 45.0
"""Seconds; on a busy machine the emulated time goes slower than ours."""


class BadCable:
    """A wire on which single bytes are flipped, lost or doubled, both ways."""

    def __init__(self, wire: Wire, probability: float, rng: random.Random) -> None:
        self.wire, self.probability, self.rng = wire, probability, rng

    @property
    def in_waiting(self) -> int:
        return self.wire.in_waiting

    def read(self, size: int = 1, /) -> bytes:
        return damaged(self.wire.read(size), self.probability, self.rng)

    def write(self, data: bytes, /) -> int | None:
        return self.wire.write(damaged(data, self.probability, self.rng))

    def close(self) -> None:
        self.wire.close()


class Table(Owner):
    """An owner with a dice box on a port."""

    def __init__(self, box: EmulatedBox, damage: float = 0.0) -> None:
        super().__init__()
        self.box = box
        self.damage = damage
        self.chance = random.Random(5)
        self.sit_down()

    def sit_down(self) -> None:
        """Start the service (again)."""
        self.port = DicePort(self.book, self.box.link, self.box.clock, self._wire)

    def _wire(self, path: str) -> Wire:
        wire = open_wire(path)
        return BadCable(wire, self.damage, self.chance) if self.damage else wire

    def begin(self, turn: int = 7, dice: int = 2) -> None:
        self.port.arm(turn, dice)
        self.port.start()
        self.until(BoxArmed)

    def until(self, *kinds: type[DiceEvent], most: float = PATIENCE) -> DiceEvent:
        """The next event of these kinds, everything before being dealt with."""
        end = time.monotonic() + most
        while time.monotonic() < end:
            event = self.next(0.2)
            if isinstance(event, kinds):
                return event
        raise AssertionError(f"none of {kinds}; {self.port.state}: {self.events[-8:]}")

    def next(self, wait: float) -> DiceEvent | None:
        try:
            event = self.port.events.get(timeout=wait)
        except queue.Empty:
            return None
        self.hear(event)
        return event

    def watch(self, seconds: float) -> list[DiceEvent]:
        """What comes within some seconds of the box."""
        start, end = len(self.events), time.monotonic() + seconds / self.box.speed
        while (left := end - time.monotonic()) > 0:
            self.next(left)
        return self.events[start:]

    def acknowledge(self, number: int) -> None:
        self.port.recorded(number)
