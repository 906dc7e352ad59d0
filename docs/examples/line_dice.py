"""The smallest dice source there is: a line like "5 3" a throw, from a pipe or a program (docs/add-dice.md)."""

import queue
import threading
import time
from collections.abc import Iterable

from companion.dice import Book, BoxRoll, DiceEvent, DiceSaid, LinkLost, LinkReady, RollHeard, State
from companion.dice.rolls import next_id

DEV = "line-dice"


class LineDice:
    """Dice that keep no record. book: the rolls on record. lines: as they come; their end is the end of the dice."""

    def __init__(self, book: Book, lines: Iterable[str]) -> None:
        self.events: queue.SimpleQueue[DiceEvent] = queue.SimpleQueue()
        self.state, self._lines, self._due, self._last = State.CLOSED, lines, None, book.last(DEV) or 0
        self.start = threading.Thread(target=self._listen, daemon=True).start

    def arm(self, turn: int, dice: int, rgb: str | None = None, ms: int | None = None) -> None:
        self._due = turn, dice

    def disarm(self) -> None:
        self._due = None

    def _nothing(self, id: int = 0) -> None:
        """These dice hold nothing, need no acknowledgement, and ask nothing."""
    close = recorded = adopt = dismiss = _nothing

    def _listen(self) -> None:
        self.state = State.READY
        self.events.put(LinkReady(time.monotonic(), DEV, self._last))
        try:
            for line in self._lines:
                self.events.put(self._heard(line, time.monotonic()))
        finally:  # whatever ends them, an error too: the table must not wait for dice that are gone
            self.state = State.CLOSED
            self.events.put(LinkLost(time.monotonic(), "The dice are away. Enter the dice on the phone."))

    def _heard(self, line: str, at: float) -> DiceEvent:
        words, due = line.split(), self._due
        if not words or not set(words) <= set("123456"):
            return DiceSaid(at, f"The dice say {line.strip()!r}: that is no throw, as 5 3 is. Each die is 1 to 6.")
        if due is None or len(words) != due[1]:
            asked = "no dice are" if due is None else "1 die is" if due[1] == 1 else f"{due[1]} dice are"
            return DiceSaid(at, f"The dice say {line.strip()}, but {asked} due.")
        self._due, self._last = None, next_id(self._last)
        return RollHeard(at, DEV, BoxRoll(self._last, due[0], tuple(map(int, words))))
