"""The firmware's own tests in C, its size, a short fuzzing, and its way through the real bootloader in emulation."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import serial
from conftest import made
from plugged import PATIENCE, Firmware

from companion.dice.flash import load, read_hex

BOOTLOADER = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders/optiboot/optiboot_atmega328.hex")


@pytest.mark.parametrize("target", ["test", "fuzz"])
def test_in_c(target: str) -> None:
    """Golden lines, all bytes to faces, dead sources, the ring under power cuts; a parser under random lines."""
    made(target, "cc", words=("FUZZ_LINES=100000",))


def test_the_size_is_within_its_budget(firmware_hex: Path) -> None:
    made("size", "avr-size")
    assert len(read_hex(firmware_hex)) < 30 * 1024


def test_through_the_real_bootloader(simulator: Path, firmware_hex: Path, tmp_path: Path) -> None:
    """Debian's optiboot in the emulated chip; what ran before is replaced, and the new program starts."""
    if not BOOTLOADER.exists():
        pytest.skip("there is no optiboot here (apt-get install arduino-core-avr)")
    other = tmp_path / "other.hex"
    other.write_text(":02000000FFCF30\n:00000001FF\n")  # a program that stands still
    box = Firmware([str(simulator), str(other)], tmp_path, after=[str(BOOTLOADER)])
    try:
        image, told = read_hex(firmware_hex), []
        assert load(str(box.link), image, lambda *words: told.append(words)) == 115200
        assert told[-1] == ("verify", len(image), len(image))
        port, heard, end = serial.Serial(str(box.link), 115200, timeout=0.5), b"", time.monotonic() + PATIENCE
        while b"HELLO v=1" not in heard and time.monotonic() < end:
            heard += port.read(200)
        port.close()
        assert b"HELLO v=1" in heard
    finally:
        box.close()
