"""What the firmware's tests need: its programs, built once; the dice tests' world beside them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"
OUT = FIRMWARE / "build" / "out"
sys.path.insert(0, str(ROOT / "tests" / "dice"))


def made(target: str, *needs: str, words: tuple[str, ...] = ()) -> None:
    """Run make, or skip with the reason why not."""
    for need in ("make", *needs):
        if shutil.which(need) is None:
            pytest.skip(f"there is no {need} here")
    done = subprocess.run(["make", "-C", str(FIRMWARE), target, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def core() -> None:
    """The core as a library."""
    made("lib", "cc")


@pytest.fixture(scope="session")
def host_program() -> Path:
    """The core as a program on a pseudo-terminal, with sanitizers."""
    made("host", "cc")
    return OUT / "dicebox"


@pytest.fixture(scope="session")
def firmware_hex() -> Path:
    """The firmware as it is flashed."""
    made("build", "avr-gcc")
    return OUT / "dicebox.hex"


@pytest.fixture(scope="session")
def simulator(firmware_hex: Path) -> Path:
    """Our harness of simavr."""
    if not Path("/usr/include/simavr/sim_avr.h").exists():
        pytest.skip("there is no libsimavr here (apt-get install libsimavr-dev libelf-dev)")
    made("sim", "cc")
    return OUT / "simbox"
