"""The real program, `companion run`, as a process of its own, for tests of what befalls it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


STANDS = ("due", "due_kind", "roll", "position")


def stands(view: Any) -> dict[str, Any]:
    """How a game stands, as the page shows it: what must be the same after whatever befell the program."""
    return {key: view[key] for key in STANDS}


class Program:
    """`companion run` with a configuration in `folder`. config: TOML of [game], [camera] and [dice]."""

    def __init__(
        self,
        folder: Path,
        config: str = '[game]\nseats = [0, 2]\n[camera]\nsource = "none"\n[dice]\nport = "none"\n',
        environment: Mapping[str, str] | None = None,
        games: str = "games",
    ) -> None:
        self.port = free_port()
        self.environment = {**os.environ, **(environment or {})}
        self.config = folder / "companion.toml"
        self.output = folder / "output.txt"
        self.config.write_text(
            f'{config}[journal]\nfolder = "{games}"\n[page]\nhost = "127.0.0.1"\nport = {self.port}\n'
        )
        self.begin()

    @property
    def said(self) -> str:
        """All that it printed since it was started last."""
        return self.output.read_text()

    def launch(self) -> subprocess.Popen[bytes]:
        """Start the program and do not wait for it."""
        words = [sys.executable, "-m", "companion", "run", "--config", str(self.config)]
        with self.output.open("wb") as output:
            return subprocess.Popen(words, stdout=output, stderr=subprocess.STDOUT, env=self.environment)

    def begin(self) -> None:
        """Start it and wait until its page answers."""
        self.process = self.launch()
        for _ in range(600):
            try:
                self.get("/health")
                return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        self.kill()
        raise AssertionError(self.said)

    def kill(self) -> None:
        """As a power cut: no last word."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self) -> int:
        """As systemd does; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=20)

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
            return json.load(answer)

    def view(self) -> Any:
        """The table as the phones see it."""
        return self.get("/api/view")

    def act(self, action: str, **words: Any) -> Any:
        """What a phone asks for; the answer, whether or not it is yes."""
        body = json.dumps({"action": action, "by": "test", **words}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/act", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)

    def roll(self, *dice: int) -> bool:
        """Type the dice on a phone; once they are taken, all phones show it."""
        before = self.view()["version"]
        taken = bool(self.act("roll", dice=dice)["ok"])
        end = time.monotonic() + 10
        while taken and self.view()["version"] == before:
            assert time.monotonic() < end, "the page does not show the dice"
            time.sleep(0.01)
        return taken

    def device(self, name: str) -> str:
        """What the page says of a device."""
        return str(self._device(name)["text"])

    def works(self, name: str) -> bool:
        """Whether the page shows that a device works."""
        return self._device(name)["state"] == "ok"

    def _device(self, name: str) -> Any:
        return next(device for device in self.view()["devices"] if device["name"] == name)
