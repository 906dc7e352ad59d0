"""The event streams over the real server: versions, heartbeats, places, and clients that go away."""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import fakehub
import pytest

from companion.model import DeviceError
from companion.page import GOODBYE, PageServer

Serve = Callable[..., PageServer]
SOON = 5.0


class Reader:
    """Reads one stream event by event."""

    def __init__(self, server: PageServer, seen: str = "", query: str = "") -> None:
        self.connection = connection(server)
        headers = {"Last-Event-ID": seen} if seen else {}
        self.connection.request("GET", f"/api/events{query}", headers=headers)
        self.response = self.connection.getresponse()
        self.status = self.response.status

    def next(self) -> dict[str, str]:
        """The next event as its fields; {} at the end of the stream."""
        fields: dict[str, str] = {}
        while line := self.response.readline().decode():
            if line == "\n":
                return fields
            key, _, value = line.rstrip("\n").partition(": ")
            fields[key] = value
        return fields

    def next_of(self, name: str) -> dict[str, str]:
        while True:
            event = self.next()
            if not event or event["event"] == name:
                return event

    def close(self) -> None:
        self.response.close()
        self.connection.close()


def connection(server: PageServer) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", server.port, timeout=SOON)


def get(server: PageServer, path: str) -> tuple[int, Any]:
    link = connection(server)
    link.request("GET", path)
    response = link.getresponse()
    body = response.read()
    link.close()
    return response.status, json.loads(body) if response.status == 200 else body.decode()


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return holds()


@pytest.fixture
def read() -> Iterator[Callable[..., Reader]]:
    readers: list[Reader] = []

    def follow(*args: Any, **more: Any) -> Reader:
        readers.append(Reader(*args, **more))
        return readers[-1]

    yield follow
    for reader in readers:
        reader.close()


def test_a_stream_tells_the_table_and_each_change(hub: fakehub.FakeHub, serve: Serve, read: Any) -> None:
    reader = read(serve())
    assert reader.response.getheader("Content-Type").startswith("text/event-stream")
    assert reader.next()["event"] == "hello"
    first = reader.next()
    assert first["event"] == "view" and json.loads(first["data"]) == json.loads(json.dumps(hub.view().to_json()))
    began = time.monotonic()
    hub.show(fakehub.illegal())
    second = reader.next()
    assert time.monotonic() - began < 0.5
    assert json.loads(second["data"])["trouble"]["kind"] == "illegal" and second["id"] != first["id"]


def test_a_stream_resumes_where_it_was(hub: fakehub.FakeHub, serve: Serve, read: Any) -> None:
    server = serve(heartbeat=0.2)
    seen = read(server).next_of("view")["id"]
    for again in (read(server, seen=seen), read(server, query=f"?version={seen}")):
        assert again.next()["event"] == "hello"
        assert again.next()["event"] == "beat"
    hub.show(fakehub.playing())
    assert read(server, seen=seen).next_of("view")["id"] == hub_stamp(seen, hub)


def hub_stamp(seen: str, hub: fakehub.FakeHub) -> str:
    return f"{seen.split('.')[0]}.{hub.view().version}"


def test_the_same_version_of_another_run_is_told_anew(serve: Serve, read: Any) -> None:
    seen = read(serve()).next_of("view")["id"]
    assert read(serve(), seen=seen).next_of("view")["id"] != seen


def test_heartbeats_come_while_nothing_happens(serve: Serve, read: Any) -> None:
    reader = read(serve(heartbeat=0.1))
    reader.next_of("view")
    began = time.monotonic()
    assert [reader.next()["event"] for _ in range(3)] == ["beat"] * 3
    assert 0.25 < time.monotonic() - began < 1.5


def test_places_are_limited_and_everything_else_still_answers(serve: Serve, read: Any) -> None:
    server = serve(most_streams=3)
    readers = [read(server) for _ in range(3)]
    assert [reader.next()["event"] for reader in readers] == ["hello"] * 3
    fourth = read(server)
    assert fourth.status == 503 and fourth.response.getheader("Retry-After") == "30"
    assert b"every few seconds" in fourth.response.read()
    assert get(server, "/api/view")[0] == 200
    assert get(server, "/health")[1]["streams"] == 3


def test_a_client_that_goes_frees_its_place(serve: Serve, read: Any) -> None:
    server = serve(most_streams=1)
    first = read(server)
    first.next_of("view")
    first.close()
    assert within(SOON, lambda: get(server, "/health")[1]["streams"] == 0)
    assert read(server).next()["event"] == "hello"


def test_a_full_house_of_streams_does_not_lock_the_server(serve: Serve, read: Any) -> None:
    server = serve()
    readers = [read(server) for _ in range(24)]
    assert read(server).status == 503
    began = time.monotonic()
    answers: list[int] = []
    ask = [threading.Thread(target=lambda: answers.append(get(server, "/api/view")[0])) for _ in range(12)]
    for thread in ask:
        thread.start()
    for thread in ask:
        thread.join()
    assert answers == [200] * 12 and time.monotonic() - began < 3
    assert all(reader.next()["event"] == "hello" for reader in readers)


def test_a_club_that_has_just_come_in_does_not_lock_out_who_comes_next(serve: Serve) -> None:
    """Browsers open six connections each, and keep them for a minute."""
    server = serve()
    with contextlib.ExitStack() as phones:
        for _ in range(45 * 6):
            phones.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=5))
        assert get(server, "/health")[0] == 200


def test_a_slow_hub_does_not_lock_out_the_views(hub: fakehub.FakeHub, serve: Serve) -> None:
    server = serve()
    free = threading.Event()
    hub.act = lambda action: free.wait(SOON) and hub.answer  # type: ignore[assignment,method-assign,return-value]
    links = [connection(server) for _ in range(4)]
    for link in links:
        link.request("POST", "/api/act", '{"action": "confirm"}', {"Content-Type": "application/json"})
    assert get(server, "/api/view")[0] == 200
    free.set()
    assert [link.getresponse().status for link in links] == [200] * 4
    for link in links:
        link.close()


def test_a_stream_of_a_whole_evening_keeps_nothing_that_was_sent(
    hub: fakehub.FakeHub, serve: Serve, read: Any
) -> None:
    server = serve()
    reader = read(server)
    reader.next_of("view")
    for number in range(40):
        hub.show(replace(fakehub.roll_due(), headline=f"{number}" * 50_000))
        reader.next_of("view")
    outs = [out for channel in server._channels for out in channel.outbufs if out.buf is not None]
    assert sum(out.buf.getfile().getbuffer().nbytes for out in outs) < 600_000


def test_streams_end_when_the_server_closes(serve: Serve, read: Any) -> None:
    server = serve()
    reader = read(server)
    reader.next_of("view")
    began = time.monotonic()
    server.close()
    assert time.monotonic() - began < 4
    assert json.loads(reader.next_of("bye")["data"]) == GOODBYE and reader.next() == {}
    with pytest.raises(OSError):
        connection(server).connect()


def test_a_server_closes_without_an_error(serve: Serve, read: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Its threads wake it when they are done; however late, that must not reach a file that took the number since."""
    server, pulling = serve(), threading.Event()
    readers = [read(server) for _ in range(4)]
    pull = server._server.pull_trigger

    def late() -> None:
        pulling.set()
        time.sleep(0.7)
        pull()

    server._server.pull_trigger = late
    link = connection(server)
    link.request("GET", "/health")
    assert pulling.wait(SOON)
    server.close()
    time.sleep(0.7)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert all(reader.next_of("end") == {} for reader in readers), "each stream came to its end"
    assert link.getresponse().status == 200


def test_a_server_that_lets_go_before_it_is_fully_told_to_closes_without_an_error(serve: Serve) -> None:
    """Another wake between the two halves of a pull: what is to be done is done before the file is written to."""
    server = serve()
    trigger = server._server.trigger
    write, slow = trigger._physical_pull, threading.Event()

    def wakes_twice() -> None:
        write()
        slow.wait(0.5)
        write()

    trigger._physical_pull = wakes_twice
    server.close()
    assert not server._thread.is_alive() and trigger._closed


def test_who_asked_before_the_end_is_answered(serve: Serve, hub: fakehub.FakeHub) -> None:
    server, shown = serve(), threading.Event()
    hub.camera = bytes(3_000_000)
    live = hub.live

    def slow() -> bytes | None:
        shown.set()
        time.sleep(0.5)
        return live()

    hub.live = slow  # type: ignore[method-assign]
    link = connection(server)
    link.request("GET", "/live.jpg")
    assert shown.wait(SOON)
    ending = threading.Thread(target=server.close)
    ending.start()
    assert len(link.getresponse().read()) == 3_000_000
    ending.join()


def test_a_port_in_use_is_named_with_the_way_out(hub: fakehub.FakeHub, serve: Serve, make_app: Any) -> None:
    server = serve()
    with pytest.raises(DeviceError, match=rf"port {server.port} of 127.0.0.1 is in use: .*\[page\] port"):
        PageServer(make_app(), "127.0.0.1", server.port).start()


def test_a_host_that_is_not_ours(make_app: Any) -> None:
    with pytest.raises(DeviceError, match=r"cannot listen on 192.0.2.7 port 0: .*\[page\] host"):
        PageServer(make_app(), "192.0.2.7", 0).start()


def test_a_host_that_is_no_address(make_app: Any) -> None:
    with pytest.raises(DeviceError, match=r"cannot listen on 1.2.3.400 port 0: (?!Unknown).+\[page\] host"):
        PageServer(make_app(), "1.2.3.400", 0).start()


def test_a_port_is_waited_for(hub: fakehub.FakeHub, serve: Serve, make_app: Any, caplog: Any) -> None:
    first = serve()
    waiting = PageServer(make_app(), "127.0.0.1", first.port)
    waiting.start_when_free(every=0.05)
    assert not waiting.serving and "is in use" in caplog.text and "tried again" in caplog.text
    first.close()
    assert within(SOON, lambda: waiting.serving)
    assert get(waiting, "/health")[0] == 200
    waiting.close()


def test_a_page_that_waits_for_its_port_can_be_closed(serve: Serve, make_app: Any) -> None:
    waiting = PageServer(make_app(), "127.0.0.1", serve().port)
    waiting.start_when_free(every=60.0)
    waiting.close()
    assert not waiting.serving


def test_the_address_for_phones(make_app: Any) -> None:
    host = urlsplit(PageServer(make_app(), "0.0.0.0", 8000).url)
    assert host.hostname not in ("", "0.0.0.0") and host.port == 8000
    assert PageServer(make_app(), "::1", 8000).url == "http://[::1]:8000/"


def test_a_server_that_never_began_can_be_closed(make_app: Any) -> None:
    PageServer(make_app(), "127.0.0.1", 0).close()


def test_rubbish_on_the_line(serve: Serve) -> None:
    server = serve()
    with socket.create_connection(("127.0.0.1", server.port), timeout=SOON) as line:
        line.sendall(b"\x16\x03\x01rubbish\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.0 400")
    assert get(server, "/health")[0] == 200


def test_a_closed_app_gives_out_no_streams(hub: fakehub.FakeHub, make_app: Any) -> None:
    app = make_app()
    app.extensions["companion.streams"].close()
    assert app.test_client().get("/api/events").status_code == 503
