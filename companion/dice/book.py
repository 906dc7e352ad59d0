"""What the dice line must know of the journal: which rolls are on record."""

from __future__ import annotations

from typing import Protocol

Entry = tuple[int, tuple[int, ...]]
"""A roll on record: (turn, faces)."""


class Book(Protocol):
    """The rolls of the journal. It is asked from the port's thread."""

    def box(self) -> str | None:
        """The dice box that this table used last (its `dev`), if any."""

    def last(self, dev: str) -> int | None:
        """The number of the last roll of `dev` on record, or that with which it was adopted."""

    def roll(self, dev: str, id: int) -> Entry | None:
        """The roll of that number, if it is on record since `dev` was adopted."""


class MemoryBook:
    """A book that forgets at the end: for the demo without a journal, and for tests."""

    def __init__(self) -> None:
        self.current: str | None = None
        self.lasts: dict[str, int] = {}
        self.rolls: dict[tuple[str, int], Entry] = {}

    def adopt(self, dev: str, last: int) -> None:
        """From now on `dev` is the box of this table, and its rolls up to `last` are history."""
        self.current = dev
        self.lasts[dev] = last
        self.rolls = {key: entry for key, entry in self.rolls.items() if key[0] != dev}

    def write(self, dev: str, id: int, turn: int, faces: tuple[int, ...]) -> None:
        """Put a roll on record."""
        self.current = dev
        self.lasts[dev] = id
        self.rolls[dev, id] = (turn, faces)

    def box(self) -> str | None:
        return self.current

    def last(self, dev: str) -> int | None:
        return self.lasts.get(dev)

    def roll(self, dev: str, id: int) -> Entry | None:
        return self.rolls.get((dev, id))
