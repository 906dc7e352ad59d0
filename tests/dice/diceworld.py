"""A host and a pretend dice box on one simulated line, with simulated time and an owner that keeps a book."""

from __future__ import annotations

import random

from companion.dice.book import MemoryBook
from companion.dice.events import DiceEvent, LinkReady, RollApart, RollHeard, RollsUnseen
from companion.dice.host import Host, State
from companion.virtual.dicebox import DiceBox, Memory

STEP = 0.01


class Owner:
    """Who hears the dice and keeps a book: journal first, then acknowledge. counted: number, turn and faces."""

    def __init__(self) -> None:
        self.book = MemoryBook()
        self.events: list[DiceEvent] = []
        self.counted: list[tuple[int, int, tuple[int, ...]]] = []
        self.writes = self.acknowledges = True

    def acknowledge(self, number: int) -> None:
        """Tell whoever brought the roll that it is on record."""
        raise NotImplementedError

    def hear(self, event: DiceEvent) -> None:
        self.events.append(event)
        if isinstance(event, LinkReady) and self.book.box() is None:
            self.book.adopt(event.dev, event.last)
        if isinstance(event, RollsUnseen):
            self.book.adopt(event.dev, event.last)
        if isinstance(event, RollHeard | RollApart) and self.writes:
            roll = event.roll
            self.book.write(event.dev, roll.id, roll.turn, roll.faces)
            if isinstance(event, RollHeard):
                self.counted.append((roll.id, roll.turn, roll.faces))
            if self.acknowledges:
                self.acknowledge(roll.id)

    def said(self, kind: type[DiceEvent]) -> list[DiceEvent]:
        return [event for event in self.events if isinstance(event, kind)]


class World(Owner):
    """The table: `book` survives `restart_host`, `box.memory` survives everything."""

    def __init__(self, seed: int = 1, memory: Memory | None = None) -> None:
        super().__init__()
        self.at = 100.0
        self.box = DiceBox(memory, random.Random(seed))
        self.session = 0
        self.plugged = True
        self.box.power_on(self.at)
        self.restart_host()

    def restart_host(self) -> None:
        """Kill the service and start it again; it arms what was due, as the journal tells it."""
        self.session += 1
        self.host = Host(self.book, self.session * 777)
        self._open()

    def _open(self) -> None:
        self.host.opened(self.at)

    def unplug(self) -> None:
        self.plugged = False
        self.box.power_off()
        self.note(self.host.closed(self.at, "The dice are unplugged."))

    def replug(self) -> None:
        self.plugged = True
        self.box.power_on(self.at)
        self._open()

    def swap(self, box: DiceBox) -> None:
        self.unplug()
        self.box = box
        self.replug()

    def run(self, seconds: float) -> list[DiceEvent]:
        """Let time pass. Returns what the host said meanwhile."""
        start = len(self.events)
        for _ in range(round(seconds / STEP)):
            self.turn()
        return self.events[start:]

    def until(self, state: State, most: float = 30.0) -> None:
        for _ in range(round(most / STEP)):
            if self.host.state is state:
                return
            self.turn()
        raise AssertionError(f"still {self.host.state}; box {self.box.phase}; {self.events[-5:]}")

    def turn(self) -> None:
        self.at += STEP
        self.box.tick(self.at)
        if not self.plugged:
            return
        if self.host.state is State.CLOSED:
            self._open()
        self.note(self.host.feed(self.box.take(), self.at))
        self.note(self.host.tick(self.at))
        self.box.feed(self.host.take(), self.at)

    def note(self, events: list[DiceEvent]) -> None:
        for event in events:
            self.hear(event)

    def acknowledge(self, number: int) -> None:
        self.host.recorded(number, self.at)

    def throw(self, faces: tuple[int, ...] | None = None, hold: float = 0.1) -> None:
        """A player presses the button for a moment."""
        self.box.press(self.at, faces)
        self.run(hold)
        self.box.release(self.at)
        self.run(0.05)
