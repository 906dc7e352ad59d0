"""The firmware of the dice box, built here: for a board, for the emulated chip, or as a program of this computer."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from companion.model import BadInput

FIRMWARE = Path(__file__).parents[3] / "firmware"
"""Beside the package in the project's folder; an installed wheel has none."""
SIMAVR = Path("/usr/include/simavr/sim_avr.h")
APT_BOARD = "make gcc-avr avr-libc"
APT_HOST = "make gcc libc6-dev"
APT_CHIP = f"{APT_HOST} gcc-avr avr-libc libsimavr-dev libelf-dev"


def out(name: str) -> Path:
    """Where make puts what it builds."""
    return FIRMWARE / "build" / "out" / name


def built_hex() -> Path:
    """What is flashed into a board, built within its size. Raises BadInput where that cannot be done."""
    _has_sources("name a file with --hex, or use the project's folder")
    lacking = _lacking("make", "avr-gcc")
    if lacking:
        raise BadInput(f"no {lacking} here to build it: sudo apt install {APT_BOARD}; or name a --hex")
    _make("build", "size")
    return out("dicebox.hex")


def built_to_run() -> tuple[list[str], str]:
    """A program that runs the firmware behind a pseudo-terminal, and what it is, for people.

    The compiled firmware in the emulated chip where there is all it takes, else its core compiled for this computer.
    Raises BadInput where neither can be built.
    """
    _has_sources("use the project's folder")
    lacking = _lacking("make", "cc")
    if lacking:
        raise BadInput(f"no {lacking} here to build the dice box's firmware: sudo apt install {APT_CHIP}")
    why = _chip_lacks()
    if why:
        _make("host")
        text = f"the firmware's core as a program of this computer (for the emulated chip, {why})"
        return [str(out("dicebox"))], text
    _make("build", "sim")
    text = "the compiled firmware in an emulated ATmega328P (simavr)"
    return [str(out("simbox")), str(out("dicebox.hex"))], text


def _chip_lacks() -> str:
    """What the emulation lacks here, and the way out; "" for nothing."""
    lacking = _lacking("avr-gcc") or ("" if SIMAVR.exists() else "libsimavr")
    return f"{lacking} is missing: sudo apt install {APT_CHIP}" if lacking else ""


def _lacking(*tools: str) -> str:
    """The first of these programs that is not here; "" if all are."""
    return next((tool for tool in tools if shutil.which(tool) is None), "")


def _has_sources(way_out: str) -> None:
    if not (FIRMWARE / "Makefile").exists():
        raise BadInput(f"this installation has no firmware: {way_out}")


def _make(*targets: str) -> None:
    done = subprocess.run(["make", "-C", str(FIRMWARE), *targets], capture_output=True, text=True)
    if done.returncode:
        raise BadInput(f"the firmware cannot be built: {done.stderr.strip()[-300:]}")
