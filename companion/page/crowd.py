"""A crowd at the page: one guest who takes all the connections makes room for the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from waitress.channel import HTTPChannel

MOST_HEADERS = 1 << 15
"""Bytes of what a browser says of itself and of its cookies, which are those of all services of this machine."""


class Guest(Protocol):
    """A connection, as waitress has it."""

    addr: Any
    requests: list[Any]
    total_outbufs_len: int
    last_activity: float
    will_close: bool


G = TypeVar("G", bound=Guest)


def who_goes(guests: Iterable[G]) -> G | None:
    """Who is to make room: of those who ask for nothing just now one of the address that holds most connections, rather
    one to whom nothing is on its way, and who has been still for longest. None where all wait for an answer."""
    there = list(guests)
    held = Counter(guest.addr[0] for guest in there)
    idle = (guest for guest in there if not (guest.requests or guest.will_close))
    return max(idle, key=lambda g: (held[g.addr[0]], not g.total_outbufs_len, -g.last_activity), default=None)


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection that makes room where the server is nearly full, and on which one thing is asked for at a time, as
    browsers do: of many answers that nobody fetches each would hold one of the server's threads."""

    def __init__(self, crowded: int, server: Any, *args: Any, **more: Any) -> None:
        """crowded: connections from which on there is to be made room."""
        self._answered = False
        if len(server.active_channels) >= crowded and (guest := who_goes(server.active_channels.values())):
            guest.will_close = True
        super().__init__(server, *args, **more)

    def received(self, data: bytes) -> bool:
        """In the server's own thread: what was sent. Who asks for more before the answer has begun is sent away."""
        before, answered = len(self.requests), self._answered
        if not before:
            self._answered = False
        taken = bool(super().received(data))
        asked = len(self.requests) - before
        if asked > 1 or (asked == 1 and before and not (answered and before == 1)):
            self.will_close = True
        return taken

    def service(self) -> None:
        """In a thread of its own: answer what was asked for."""
        self._answered = False
        super().service()

    def write_soon(self, data: Any) -> int:
        """A part of the answer."""
        self._answered = True
        return int(super().write_soon(data))
