"""The machine as the doctor sees it: files below a root, and what commands say."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


def ask(words: Sequence[str]) -> str | None:
    """What a command prints; None where it is not here, fails, or takes longer than 5 seconds."""
    if shutil.which(words[0]) is None:
        return None
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=5, errors="replace", check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


@dataclass(frozen=True, slots=True)
class Machine:
    """root: of the file system. ask: runs a command."""

    root: Path = Path("/")
    ask: Callable[[Sequence[str]], str | None] = ask

    def path(self, name: str) -> Path:
        """A path of the machine, like /proc/mounts."""
        return self.root / name.lstrip("/")

    def read(self, name: str) -> str:
        """A small file's text, without its end; "" where there is none."""
        try:
            return self.path(name).read_text(errors="replace").rstrip("\0\n ")
        except OSError:
            return ""

    @property
    def model(self) -> str:
        """What kind of computer this is, like "Raspberry Pi 5 Model B Rev 1.0"; "" where it does not say."""
        return self.read("/proc/device-tree/model")
