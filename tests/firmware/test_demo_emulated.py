"""`companion demo --dice emulated`: a whole table plays with the firmware itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.service.cli import main
from companion.service.machine import firmware


@pytest.mark.long
@pytest.mark.timeout(240)
@pytest.mark.parametrize(("program", "speed"), [("simulator", "1.5"), ("simulator", "4"), ("host_program", "3")])
def test_players_throw_with_the_firmware(
    program: str,
    speed: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """At half again real time and at four times; with the core of this computer where the chip cannot be emulated."""
    request.getfixturevalue(program)
    if program == "host_program":
        monkeypatch.setattr(firmware, "SIMAVR", Path("not here"))
    status = main(["demo", "--dice", "emulated", "--headless", "--turns", "3", "--cheat", "0", "--speed", speed])
    out = capsys.readouterr().out
    emulated = "dice: the compiled firmware in an emulated ATmega328P" in out
    assert emulated == (program == "simulator"), out
    if not emulated:
        assert "dice: the firmware's core as a program of this computer" in out
        assert "libsimavr is missing" in out or "avr-gcc is missing" in out
    counts = {line[:24].strip(): int(line[24:]) for line in out.splitlines() if line[24:].strip().isdigit()}
    assert status == 0 and counts["rolls thrown"] >= 3 and counts["rolls lost"] == 0, out


def test_without_a_compiler_the_demo_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert main(["demo", "--dice", "emulated", "--headless"]) == 2
    said = capsys.readouterr().err
    assert "sudo apt install make gcc" in said and "libsimavr-dev" in said


def test_without_the_firmware_s_sources_the_demo_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(firmware, "FIRMWARE", tmp_path)
    assert main(["demo", "--dice", "emulated", "--headless"]) == 2
    assert "no firmware: use the project's folder" in capsys.readouterr().err
