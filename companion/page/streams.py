"""The event streams: each change of the table to everyone who looks, a heartbeat in between, places for so many."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator

from companion.model.table import Hub, TableView
from companion.page.places import Places

_PATIENCE = 0.4
"""Seconds between looks whether the client is still there."""
MOST_OF_ONE = 8
"""Streams to one address."""
GOODBYE = "The referee was switched off. Waiting…"
"""On one line of a phone: what is below sticks to it."""


class Streams:
    """Gives out streams. most: how many at once; beat: seconds between heartbeats; build: what pages are made of;
    goodbye: what a page says when the service ended and cannot be reached any more.

    `boot` begins every event's id, since a restarted service counts its versions from 1 again.
    """

    def __init__(self, hub: Hub, most: int, beat: float, build: str, boot: str, goodbye: str) -> None:
        self.hub, self.most, self.beat, self.build, self.boot, self.goodbye = hub, most, beat, build, boot, goodbye
        self.closing = threading.Event()
        self._places = Places(most, MOST_OF_ONE)
        self._text: tuple[str, str] = ("", "")

    @property
    def open_count(self) -> int:
        """How many streams are being read."""
        return self._places.taken

    def stamp(self, view: TableView) -> str:
        """The id of a view: the same only for the same view of the same run."""
        return f"{self.boot}.{view.version}"

    def text(self, view: TableView) -> str:
        """The view as JSON; made once for all streams."""
        stamp = self.stamp(view)
        if self._text[0] != stamp:
            self._text = (stamp, json.dumps(view.to_json(), separators=(",", ":")))
        return self._text[1]

    def join(self, seen: str, gone: Callable[[], bool], address: str = "") -> Stream | None:
        """A stream for a page at `address` that has `seen` this id; None where every place is taken, or its own are."""
        if self.closing.is_set() or not self._places.take(address):
            return None
        return Stream(self, seen, gone, address)

    def leave(self, address: str) -> None:
        """A stream to `address` ended."""
        self._places.leave(address)

    def close(self) -> None:
        """End all streams soon, and give out no more."""
        self.closing.set()


class Stream:
    """One page's stream of Server-Sent Events. `close` frees its place, also if nothing was ever read."""

    def __init__(self, streams: Streams, seen: str, gone: Callable[[], bool], address: str) -> None:
        self._streams, self._gone, self._address = streams, gone, address
        self._left = threading.Event()
        self._events = self._run(seen)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._events)
        except StopIteration:
            self.close()
            raise

    def close(self) -> None:
        """Give the place to somebody else."""
        if not self._left.is_set():
            self._left.set()
            self._streams.leave(self._address)

    def _run(self, seen: str) -> Iterator[bytes]:
        streams = self._streams
        yield b"retry: 2000\n" + _event("hello", json.dumps({"build": streams.build, "beat": streams.beat}))
        view = streams.hub.view()
        if streams.stamp(view) != seen:
            yield self._view_event(view)
        last = time.monotonic()
        while not (self._gone() or streams.closing.is_set()):
            rest = max(0.0, last + streams.beat - time.monotonic())
            changed = streams.hub.wait(view.version, min(rest, _PATIENCE))
            if changed is not None:
                view = changed
                yield self._view_event(view)
            elif time.monotonic() - last >= streams.beat:
                yield _event("beat", "1")
            else:
                continue
            last = time.monotonic()
        if streams.closing.is_set():
            yield _event("bye", json.dumps(streams.goodbye))

    def _view_event(self, view: TableView) -> bytes:
        return _event("view", self._streams.text(view), self._streams.stamp(view))


def _event(name: str, data: str, stamp: str = "") -> bytes:
    return f"{f'id: {stamp}' + chr(10) if stamp else ''}event: {name}\ndata: {data}\n\n".encode()
