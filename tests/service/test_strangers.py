"""What strangers bring: backups that are not meant well, and words that would steer the terminal or the log."""

from __future__ import annotations

import json
import logging
import os
import shutil
import socket
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from program import free_port

from companion.model import ImageError
from companion.service.boards.pictures import read_picture
from companion.service.cli import main
from companion.service.config import config_from
from companion.service.machine.logbook import keep_log
from companion.service.plain import plain

WIPES = "\x1b[2J\x1b]0;owned\x07"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "companion.toml"
    path.write_text('[journal]\nfolder = "games"\n')
    return path


def backup(path: Path, files: dict[str, bytes], **about: Any) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("backup.json", json.dumps({"backup": 1, **about}))
        for name, data in files.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize("name", ["backup.json", "companion.toml"])
def test_a_small_file_of_a_backup_that_is_huge_is_not_unpacked(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        if name != "backup.json":
            archive.writestr("backup.json", '{"backup": 1}')
        archive.writestr(name, b"#" * 3_000_000)
    assert main(["restore", str(path), "--config", str(tmp_path / "companion.toml")]) == 2
    assert f"{name} is 3 MB" in capsys.readouterr().err


def test_a_backup_that_would_fill_the_disk_is_not_unpacked(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = backup(tmp_path / "bomb.zip", {"boards/x": bytes(20_000_000)})
    usage = shutil.disk_usage(tmp_path)._replace(free=60_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert main(["restore", str(path), "--config", str(config)]) == 2
    said = capsys.readouterr().err
    assert "20 MB unpacked" in said and "10 MB are free" in said and "nothing was restored" in said
    assert {file.name for file in (tmp_path / "games").iterdir()} == {"companion.lock"}


def test_a_backup_steers_no_terminal(config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = backup(tmp_path / "odd.zip", {"boards/x": b"x"}, made=WIPES, companion="\u202e0.1")
    assert main(["restore", str(path), "--config", str(config)]) == 0
    said = capsys.readouterr().out
    assert r"\x1b[2J\x1b]0;owned\x07" in said and r"\u202e0.1" in said and said.isascii() and "\x1b" not in said


def test_words_of_people_stay_as_they_are() -> None:
    words = "Zoë, 小明 and ليلى 🎲\tplay:\n- Parcheesi"
    assert plain(words) == words


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    root = logging.getLogger()
    level = root.level
    handler = keep_log(tmp_path / "log")
    assert handler is not None
    yield tmp_path / "log" / "companion.log"
    root.removeHandler(handler)
    root.setLevel(level)
    handler.close()


def test_a_line_of_the_log_is_one_line(log: Path) -> None:
    logging.getLogger("dice").warning("%s", f"Ruby\n2026-11-28 ERROR companion: a lie\r{WIPES}")
    logging.getLogger("page").error("A real one.")
    lines = log.read_text().splitlines()
    assert len(lines) == 2 and r"Ruby\n2026" in lines[0] and "\x1b" not in lines[0]


def test_phones_that_come_and_go_write_no_log(log: Path, tmp_path: Path) -> None:
    from companion.service.assembly import build

    page = {"host": "127.0.0.1", "port": free_port()}
    settings = {"camera": {"source": "none"}, "dice": {"port": "none"}, "journal": {"folder": str(tmp_path / "games")}}
    house = build(config_from({**settings, "page": page}))
    try:
        for _ in range(100):
            with socket.create_connection(("127.0.0.1", page["port"])) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                line.sendall(b"GET /kiosk%0aERROR%20the%20PIN HTTP/1.1\r\nHost: localhost\r\n\r\n")
    finally:
        house.close()
    assert "waitress" not in log.read_text()


def a_huge_picture(path: Path) -> Path:
    """A PNG of a few bytes that says it has 60000 × 60000 pixels."""
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n"
    for name, part in ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b"")):
        data += struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part))
    path.write_bytes(data)
    return path


def test_a_picture_of_gigabytes_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="larger than any that a camera takes"):
        read_picture(a_huge_picture(tmp_path / "huge.png"))


def test_what_a_picture_may_unpack_to_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENCV_IO_MAX_IMAGE_PIXELS", raising=False)
    assert main(["config"]) == 0
    assert int(os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"]) * 3 < 1_000_000_000
