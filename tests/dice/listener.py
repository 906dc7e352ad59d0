"""Whoever listens to Bluetooth dice and writes each roll down, on a pretend air or on the real bleak."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable

from companion.dice import BluetoothDice, DiceEvent, MemoryBook, RollApart, RollHeard

PATIENCE = 10.0


class Listener:
    """seen: all that the dice said so far."""

    dice: BluetoothDice

    def __init__(self) -> None:
        self.book = MemoryBook()
        self.seen: list[DiceEvent] = []

    def until(self, good: Callable[[], bool], most: float = PATIENCE) -> None:
        end = time.monotonic() + most
        while not good():
            assert time.monotonic() < end, (self.dice.state, self.dice.names, self.seen[-6:])
            self.watch(0.01)

    def watch(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                event = self.dice.events.get(timeout=left)
            except queue.Empty:
                return
            self.seen.append(event)
            if isinstance(event, RollHeard | RollApart):
                self.book.write(event.dev, event.roll.id, event.roll.turn, event.roll.faces)

    def heard(self, kind: type[DiceEvent]) -> list[DiceEvent]:
        return [event for event in self.seen if isinstance(event, kind)]

    @property
    def counted(self) -> list[tuple[int, tuple[int, ...]]]:
        return [(event.roll.turn, event.roll.faces) for event in self.seen if isinstance(event, RollHeard)]

    def texts(self, kind: type[DiceEvent]) -> str:
        return " | ".join(event.text for event in self.heard(kind))  # type: ignore[union-attr]
