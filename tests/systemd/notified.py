#!/usr/bin/python3
"""Runs a service's command as systemd would, and asks what systemd would: READY=1, WATCHDOG=1, an answer, a good end.

notified.py ADDRESS COMMAND…    exit status 0 where all came within 60 seconds.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PATIENCE = 60.0


def main(address: str, command: list[str]) -> int:
    """Run the command and ask. Returns the exit status."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        path = str(Path(folder) / "notify")
        line.bind(path)
        line.settimeout(1.0)
        service = subprocess.Popen(command, env={**os.environ, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "3000000"})
        try:
            heard = listen(line, {"READY=1", "WATCHDOG=1"}, service)
            with urllib.request.urlopen(address, timeout=10) as answer:
                print(answer.status, answer.read().decode())
            service.send_signal(signal.SIGTERM)
            heard += listen(line, {"STOPPING=1"}, service)
            status = service.wait(20)
        finally:
            service.kill()
    print(f"said: {heard}; exit status {status}")
    return status


def listen(line: socket.socket, wanted: set[str], service: subprocess.Popen[bytes]) -> list[str]:
    """What the service says until all that is wanted was said. Raises TimeoutError."""
    heard: list[str] = []
    until = time.monotonic() + PATIENCE
    while not wanted <= set(heard):
        if time.monotonic() > until:
            raise TimeoutError(f"wanted {wanted}, heard {heard}, exit status {service.poll()}")
        try:
            heard += line.recv(4096).decode().splitlines()
        except TimeoutError:
            continue
    return heard


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
