"""`companion dice …` as people type it, against the firmware as a program of this computer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal import open_journal
from companion.service.cli import main
from companion.service.machine import firmware
from companion.virtual.emulated import EmulatedBox


@pytest.fixture
def box(host_program: Path, tmp_path: Path) -> Iterator[EmulatedBox]:
    firmware = EmulatedBox([str(host_program)], tmp_path)
    yield firmware
    firmware.close()


@pytest.mark.long
def test_monitor(box: EmulatedBox, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice", "monitor", "--port", str(box.link), "--seconds", "3", "--type", "i"]) == 0
    out = capsys.readouterr().out
    assert "HELLO v=1 hw=nano" in out and "# dice box" in out


def test_test(box: EmulatedBox, capsys: pytest.CaptureFixture[str]) -> None:
    done = threading.Event()

    def press() -> None:
        while not done.wait(0.5):
            box.do("throw 60")

    presser = threading.Thread(target=press)
    presser.start()
    try:
        assert main(["dice", "test", "--port", str(box.link)]) == 0
    finally:
        done.set()
        presser.join()
    out = capsys.readouterr().out
    assert "lamps: each in turn" in out and "lamps: lamps" not in out and "button: pressed" in out
    assert "watchdog jitter good, 0 failures" in out
    assert box.ring().last == 0, "nothing was rolled"


@pytest.mark.long
def test_test_of_a_box_with_dead_noise(box: EmulatedBox, capsys: pytest.CaptureFixture[str]) -> None:
    box.sleep(3)  # it needs a number of its own first
    box.do("dead")
    box.sleep(1)
    assert main(["dice", "test", "--port", str(box.link), "--wait", "0.2"]) == 1
    out = capsys.readouterr().out
    assert "refused (rng)" in out and "nothing was pressed" in out


def test_no_port_says_the_way_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice", "monitor", "--port", str(tmp_path / "none")]) == 2
    assert "Is the dice box plugged in?" in capsys.readouterr().err


def test_stats_of_the_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = open_journal(tmp_path / "games.db")
    game = journal.begin_game("parcheesi", {}, [0, 2])
    for id in range(1, 301):
        roll = {"dev": "7F3A90C1", "id": id, "turn": id, "dice": [id % 6 + 1, 6]}
        journal.append(game, "roll", roll, float(id))
        journal.append(game, "roll", roll, float(id))  # told again: counted once
    journal.append(game, "roll", {"dev": "00000001", "id": 1, "turn": 1, "dice": [4, 4]}, 301.0)
    journal.append(game, "roll", {"by": "camera", "dice": [6, 6], "apart": "undue"}, 302.0)  # of no box
    journal.close()
    config = tmp_path / "companion.toml"
    config.write_text(f'[journal]\nfolder = "{tmp_path}"\n')
    assert main(["dice", "stats", "--config", str(config)]) == 0
    out = capsys.readouterr().out
    assert "301 rolls, 602 dice: 1: 50, 2: 50, 3: 50, 4: 52, 5: 50, 6: 350" in out
    assert "odd" in out and "20 %: 2754" in out
    assert main(["dice", "stats", "--config", str(config), "--box", "00000001"]) == 0
    assert "too few to say anything" in capsys.readouterr().out


def test_an_installation_without_firmware_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(firmware, "FIRMWARE", tmp_path)
    assert main(["dice", "flash", "--port", "/dev/null"]) == 2
    assert "--hex" in capsys.readouterr().err


def test_a_firmware_that_cannot_be_built_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Makefile").write_text("build size:\n\t@echo the disk is full >&2; false\n")
    monkeypatch.setattr(firmware, "FIRMWARE", tmp_path)
    monkeypatch.setattr(firmware.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert main(["dice", "flash", "--port", "/dev/null"]) == 2
    assert "the firmware cannot be built: the disk is full" in capsys.readouterr().err
