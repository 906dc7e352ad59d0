"""What systemd is told: that the service is up, that its loop goes round, and what is going on."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Mapping

SHARE = 3
"""The watchdog is fed so many times within its patience."""


class Supervisor:
    """Speaks sd_notify(3). address: the socket, "" where nobody listens. patience: seconds of the watchdog, 0: none."""

    def __init__(self, address: str = "", patience: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._every, self._clock = patience / SHARE, clock
        self._fed = float("-inf")
        self._status = ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Supervisor:
        """As systemd set it up for this process."""
        meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        patience = int(environment.get("WATCHDOG_USEC", "0")) / 1e6 if meant else 0.0
        return cls(environment.get("NOTIFY_SOCKET", ""), patience)

    def ready(self, status: str) -> None:
        """The service is up."""
        self._status = status
        self._send(f"READY=1\nSTATUS={status}")

    def alive(self, status: str) -> None:
        """The loop went round: feeds the watchdog when it is time, and tells a new status."""
        now = self._clock()
        fed = bool(self._every) and now - self._fed >= self._every
        said = status != self._status
        if fed:
            self._fed = now
        self._status = status
        if fed or said:
            self._send("\n".join(["WATCHDOG=1"] * fed + [f"STATUS={status}"] * said))

    def stopping(self) -> None:
        """The service ends on purpose."""
        self._send("STOPPING=1")

    def _send(self, text: str) -> None:
        """A supervisor that is gone keeps nobody from refereeing."""
        if not self._address:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.connect(self._address)
            line.send(text.encode())
