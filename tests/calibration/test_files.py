"""Files are written whole or not at all, whoever else writes them at the same time."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from calibration.files import write_files, write_whole
from companion.model import DeviceError


def test_of_many_that_write_a_file_at_once_each_writes_it_whole(tmp_path: Path) -> None:
    path, failed = tmp_path / "sheet.json", list[BaseException]()
    contents = [bytes([number]) * 300_000 for number in range(6)]
    path.write_bytes(contents[0])
    done = threading.Event()

    def write(content: bytes) -> None:
        try:
            for _ in range(25):
                write_whole(path, content, lasting=False)
        except OSError as error:
            failed.append(error)

    def read() -> None:
        while not done.is_set():
            if path.read_bytes() not in contents:
                failed.append(AssertionError("a part of it was read"))
                return

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    assert failed == [] and path.read_bytes() in contents and [*tmp_path.iterdir()] == [path]


def test_what_was_there_stays_where_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "a.json").write_text("old")
    (tmp_path / "a.json.part").write_text("left by a power cut, and longer than what comes")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DeviceError, match="No space left on device; choose a folder"):
        write_files({"a.json": b"new"}, tmp_path)
    assert (tmp_path / "a.json").read_text() == "old" and len([*tmp_path.iterdir()]) == 1
    monkeypatch.undo()
    (tmp_path / "a.json.part").write_text("left by a power cut, and longer than what comes")
    write_files({"a.json": b"new"}, tmp_path)
    assert (tmp_path / "a.json").read_text() == "new" and len([*tmp_path.iterdir()]) == 1
