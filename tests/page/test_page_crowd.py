"""One phone on the network that takes all it can get: the others still see the table."""

from __future__ import annotations

import contextlib
import json
import socket
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import fakehub
import pytest

from companion.page import PageServer
from companion.page.crowd import who_goes

Serve = Callable[..., PageServer]
GREEDY = "127.0.0.66"
"""Another address of this machine: as a phone has one of its own."""


@dataclass
class Guest:
    addr: tuple[str, int]
    last_activity: float = 0.0
    requests: list[Any] = field(default_factory=list)
    total_outbufs_len: int = 0
    will_close: bool = False


@pytest.fixture
def greedy() -> Iterator[Callable[[PageServer], socket.socket]]:
    """Connections of one phone."""
    with contextlib.ExitStack() as held:

        def connect(server: PageServer) -> socket.socket:
            made = socket.create_connection(("127.0.0.1", server.port), timeout=5, source_address=(GREEDY, 0))
            return held.enter_context(made)

        yield connect


def version(server: PageServer) -> int:
    """What a player's phone gets."""
    with urllib.request.urlopen(f"{server.url}api/view", timeout=3) as answer:
        return int(json.load(answer)["version"])


def test_who_has_most_makes_room() -> None:
    kiosk, phone = Guest(("10.0.0.1", 1)), Guest(("10.0.0.2", 1))
    greedy = [Guest(("10.0.0.66", port), last_activity=9.0 - port) for port in range(3)]
    assert who_goes([kiosk, phone, *greedy]) is greedy[2]
    greedy[2].total_outbufs_len = 1
    assert who_goes([kiosk, phone, *greedy]) is greedy[1]
    greedy[1].requests = ["GET"]
    greedy[0].will_close = True
    assert who_goes([kiosk, phone, *greedy]) is greedy[2]
    assert who_goes([Guest(("10.0.0.66", 1), requests=["GET"])]) is None


def test_one_phone_cannot_take_all_connections(serve: Serve, greedy: Any) -> None:
    server = serve()
    for _ in range(520):
        greedy(server).sendall(b"POST /api/act HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n{")
    assert version(server) == 1


def test_answers_that_nobody_fetches_hold_no_threads(serve: Serve, greedy: Any, hub: fakehub.FakeHub) -> None:
    server = serve()
    hub.live = lambda: b"\xff" * 3_000_000  # type: ignore[method-assign]
    for _ in range(40):
        greedy(server).sendall(b"GET /live.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40)
    assert version(server) == 1


def test_one_thing_after_the_other_is_answered_on_one_connection(serve: Serve, greedy: Any) -> None:
    server = serve()
    link = greedy(server)
    for _ in range(200):
        link.sendall(b"HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert link.recv(4096).startswith(b"HTTP/1.1 200")


def test_one_phone_cannot_take_all_places_for_streams(serve: Serve, greedy: Any) -> None:
    server = serve()
    got = []
    for _ in range(10):
        link = greedy(server)
        link.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        got.append(link.recv(12))
    assert got == [b"HTTP/1.1 200"] * 8 + [b"HTTP/1.1 503"] * 2
    with urllib.request.urlopen(f"{server.url}api/events", timeout=3) as answer:
        assert answer.readline() == b"retry: 2000\n"
