"""Stop and wait: one numbered request at a time, sent again until answered (PROTOCOL: "Two counters")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.dice.line import Line, encode

TIMEOUT, TRIES = 0.3, 5
"""Seconds until a request is sent again; how often it is sent in all."""

MISHEARD = frozenset({"crc", "long", "char"})
"""Errors by which the box says that a line came damaged: no answer, the request is sent again in time."""


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked. keys: without the number."""

    n: int
    verb: str
    keys: Mapping[str, object]
    data: bytes


class Courier:
    """Carries one request at a time. first: the number of its first request, 1 to 65535.

    Another number after each start keeps the box from answering with what it remembers of the last one.
    """

    def __init__(self, first: int = 1) -> None:
        self.waiting: Request | None = None
        self._n = (first - 2) % 65535 + 1
        self._left = 0
        self._again = 0.0

    def send(self, verb: str, keys: Mapping[str, object], at: float, tries: int = TRIES) -> bytes:
        """The bytes of a new request. Raises ValueError if it cannot be written on the line."""
        n = self._n % 65535 + 1
        data = encode(verb, n=n, **keys)
        self._n = n
        self.waiting = Request(n, verb, keys, data)
        self._left, self._again = tries - 1, at + TIMEOUT
        return data

    def answer(self, line: Line) -> Request | None:
        """The request that `line` answers, which is then done; None if it answers none that waits."""
        request = self.waiting
        if request is None or line.number("n") != request.n or line.text("e") in MISHEARD:
            return None
        self.waiting = None
        return request

    def tick(self, at: float) -> bytes | None:
        """Bytes to send now, b"" for none, or None when the last try went unanswered."""
        if self.waiting is None or at < self._again:
            return b""
        if self._left == 0:
            self.waiting = None
            return None
        self._left -= 1
        self._again = at + TIMEOUT
        return self.waiting.data

    def drop(self) -> None:
        """Wait no longer."""
        self.waiting = None
