"""Building what the firmware's tests need."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parents[2] / "firmware"
OUT = FIRMWARE / "build" / "out"


def made(target: str, *needs: str, words: tuple[str, ...] = ()) -> None:
    """Run make, or skip with the reason why not."""
    for need in ("make", *needs):
        if shutil.which(need) is None:
            pytest.skip(f"there is no {need} here")
    done = subprocess.run(["make", "-C", str(FIRMWARE), target, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
