"""The server: waitress in a thread, sized so that streams leave room for everything else."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import logging
import socket
import struct
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import waitress
import waitress.wasyncore
from flask import Flask

from companion.model import DeviceError
from companion.page.crowd import MOST_HEADERS, Channel
from companion.page.streams import Streams

LOG = logging.getLogger(__name__)
SPARE_THREADS = 8
"""Threads that no stream can take: pages, pictures and actions."""
_LAST_ANSWERS = 3.0
"""Seconds for what is being answered when the page ends, and as many until it has been sent."""
_CONNECTIONS = 500
"""Phones keep six each for a minute after they have loaded the page, and who comes then must not wait for that."""
_ROOM = 100
"""Connections that are kept free, by closing those of who has most of them."""
_SENT_KEPT = 1 << 18
"""Bytes after which a stream goes on in a new buffer: waitress keeps in the old one what was sent long ago, by itself
16 MB for each phone."""
_TALK = (("waitress", logging.WARNING), ("waitress.queue", logging.ERROR))
"""What waitress says of each phone that leaves or waits: anybody on the network could fill the log with it."""
_NETWORKS, _GET_ADDRESS = Path("/sys/class/net"), 0x8915  # SIOCGIFADDR: netdevice(7)
_DEAD_AFTER_MS = 30_000
"""A phone that left the network without a word is given up when so long nothing that was sent has arrived."""


class PageServer:
    """Serves the page of `create_app`. port 0 takes a free one."""

    def __init__(self, app: Flask, host: str, port: int) -> None:
        self.app, self.host, self.port = app, host, port
        self._streams: Streams = app.extensions["companion.streams"]
        self._server: Any = None
        self._thread: threading.Thread | None = None
        self._patience: threading.Thread | None = None
        self._ended = threading.Event()

    @property
    def url(self) -> str:
        """Where a phone on the same network finds the page."""
        return address_of(local_address() if self.host in ("", "0.0.0.0", "::") else self.host, self.port)

    def start(self) -> None:
        """Serve from now on. Raises DeviceError where the port cannot be had."""
        for name, level in _TALK:
            logging.getLogger(name).setLevel(level)
        line = _listening(self.host, self.port)
        self.port = int(line.getsockname()[1])
        self._server = waitress.create_server(
            self.app,
            sockets=[line],
            threads=self._streams.most + SPARE_THREADS,
            connection_limit=_CONNECTIONS,
            outbuf_high_watermark=_SENT_KEPT,
            channel_timeout=60,
            cleanup_interval=15,
            channel_request_lookahead=2,  # the only way in which waitress notices that a stream's client is gone
            max_request_body_size=1 << 18,
            max_request_header_size=MOST_HEADERS,
            ident="companion",
        )
        self._server.channel_class = partial(Channel, _CONNECTIONS - _ROOM)
        self._thread = threading.Thread(target=self._server.run, name="page", daemon=True)
        self._thread.start()

    @property
    def serving(self) -> bool:
        """Whether the port was had."""
        return self._thread is not None

    def start_when_free(self, every: float = 10.0) -> None:
        """Serve from now on; where the port cannot be had say why, and try again every so many seconds."""
        try:
            self.start()
        except DeviceError as error:
            LOG.error("%s It is tried again every %.0f seconds.", error, every)
            self._patience = threading.Thread(target=self._try_again, args=(every,), name="page-waits", daemon=True)
            self._patience.start()

    def _try_again(self, every: float) -> None:
        while not self._ended.wait(every):
            try:
                self.start()
            except DeviceError:
                continue
            LOG.info("The page is at %s", self.url)
            return

    def close(self) -> None:
        """Serve no more: streams end, what was asked for is answered and sent, then all is let go."""
        self._ended.set()
        if self._patience is not None:
            self._patience.join()
        self._streams.close()
        if self._thread is not None and self._thread.is_alive():
            self._server.trigger.pull_trigger(self._take_no_more)
            end = time.monotonic() + _LAST_ANSWERS
            while self._answering() and time.monotonic() < end:
                time.sleep(0.02)
            self._server.task_dispatcher.shutdown(timeout=1)
            self._server.trigger.pull_trigger(self._let_go)
            self._thread.join(timeout=_LAST_ANSWERS)
            if not (self._thread.is_alive() or self._server.task_dispatcher.threads):
                self._server.trigger.close()

    def _answering(self) -> bool:
        """Whether more may be asked, or somebody has no answer yet."""
        return self._server.accepting or any(channel.requests for channel in self._channels)

    @property
    def _channels(self) -> list[Any]:
        return list(self._server.active_channels.values())

    def _take_no_more(self) -> None:
        """In the server's own thread: nobody new, and nothing more from those who are there."""
        self._server.adj.channel_request_lookahead = -1
        waitress.wasyncore.dispatcher.close(self._server)  # its own `close` takes away what the threads still need

    def _let_go(self) -> None:
        """In the server's own thread: once everything is sent no channel is left, and its loop ends."""
        for channel in self._channels:
            if channel.requests:  # its thread hangs
                channel.handle_close()
            else:
                channel.close_when_flushed = True
        self._server.trigger.del_channel()  # who pulls it yet must find no other file there: closed at the end


def check_port(host: str, port: int) -> None:
    """Raises DeviceError where the port cannot be had."""
    _listening(host, port).close()


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _DEAD_AFTER_MS)
    try:
        made.bind((host, port))
        made.listen(64)
    except (OSError, UnicodeError) as error:
        made.close()
        raise DeviceError(_why_not(host, port, error)) from error
    return made


def _why_not(host: str, port: int, error: OSError | UnicodeError) -> str:
    if isinstance(error, UnicodeError):
        return f"the page cannot listen on {host!r:.60}, which is no name. Set another [page] host."
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is in use: is Companion running already? Else set another [page] port."
    if error.errno == errno.EACCES:
        return f"port {port} of {host} is not for everyone: set a [page] port above 1023."
    return f"the page cannot listen on {host} port {port}: {error.strerror}. Set another [page] host."


def address_of(host: str, port: int) -> str:
    """What to type to open the page; the usual port goes without saying."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}/" if port == 80 else f"http://{name}:{port}/"


def local_address() -> str:
    """This machine's address on its network, or on the one that it makes itself: a hotspot leads nowhere. "localhost"
    where it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return next(_addresses(probe), "localhost")


def _addresses(probe: socket.socket) -> Iterator[str]:
    """The IPv4 addresses of this machine's plugs and radios: not of what programs make for themselves, as bridges."""
    for _, name in socket.if_nameindex():
        if (_NETWORKS / name / "device").exists():
            with contextlib.suppress(OSError):  # it has none
                asked = struct.pack("256s", name.encode())
                yield socket.inet_ntoa(fcntl.ioctl(probe, _GET_ADDRESS, asked)[20:24])
