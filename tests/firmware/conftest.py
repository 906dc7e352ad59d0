"""What the firmware's tests need: its programs, built once; the dice tests' world beside them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from making import OUT, made

sys.path.insert(0, str(Path(__file__).parents[1] / "dice"))


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
