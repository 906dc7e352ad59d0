"""A power cut at any moment: what was announced is there after, and the game goes on where it was."""

from __future__ import annotations

import json
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Program:
    """`companion run`, as a process of its own, without camera and dice."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.config = folder / "companion.toml"
        self.config.write_text(
            f'[game]\nseats = [0, 2]\n[camera]\nsource = "none"\n[dice]\nport = "none"\n'
            f'[journal]\nfolder = "games"\n[page]\nhost = "127.0.0.1"\nport = {self.port}\n'
        )
        self.start()

    def start(self) -> None:
        words = [sys.executable, "-m", "companion", "run", "--config", str(self.config)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(300):
            try:
                self.get("/health")
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        self.process.kill()
        raise AssertionError(self.process.communicate()[0].decode())

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
            return json.load(answer)

    def roll(self, *dice: int) -> bool:
        body = json.dumps({"action": "roll", "dice": dice, "by": "test"}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/act", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=5) as answer:
            return bool(json.load(answer)["ok"])


@pytest.mark.timeout(170)
def test_nothing_announced_is_lost_by_kill_9(tmp_path: Path) -> None:
    program, rng = Program(tmp_path), random.Random(3)
    try:
        assert program.roll(6, 6) and program.roll(1, 2)
        for _ in range(4):
            for _ in range(rng.randint(1, 4)):
                assert program.roll(rng.choice([1, 2]), 6)
            before = program.get("/api/view")
            program.kill()
            program.start()
            after = program.get("/api/view")
            for key in ("due", "due_kind", "roll", "position", "seats"):
                assert after[key] == before[key], key
            assert [line["text"] for line in after["plays"]] == [line["text"] for line in before["plays"]]
    finally:
        program.kill()


@pytest.mark.timeout(60)
def test_it_ends_in_good_order_when_it_is_told_to(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.process.send_signal(signal.SIGTERM)
    assert program.process.wait(timeout=20) == 0
