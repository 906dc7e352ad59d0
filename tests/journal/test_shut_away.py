"""Where a service of the system may not write, though the disk can be written, no card is blamed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.journal import ailing
from companion.journal.ailing import why
from companion.journal.owner import shut_away

MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/mmcblk0p2 rw
40 22 8:17 / {stick} ro,nosuid shared:7 - vfat /dev/sda1 rw,umask=22
41 22 8:18 / {failing} ro shared:8 - ext4 /dev/sdb1 ro
42 22 8:19 / {spaced} ro - ext4 /dev/sdc1 rw
43 22 8:20 / {twice} ro - ext4 /dev/sdd1 rw
44 43 8:20 / {twice} rw - ext4 /dev/sdd1 rw
"""


def test_a_mount_that_is_shut_is_told_from_a_disk_that_fails(tmp_path: Path) -> None:
    names = ("stick", "failing", "spaced", "twice")
    places = {name: tmp_path / (name if name != "spaced" else "of mine") for name in names}
    for place in places.values():
        (place / "games").mkdir(parents=True)
    told = {name: str(place).replace(" ", "\\040") for name, place in places.items()}
    (tmp_path / "mountinfo").write_text(MOUNTS.format(**told))
    shut = {name: shut_away(place / "games", tmp_path / "mountinfo") for name, place in places.items()}
    assert shut == {"stick": True, "failing": False, "spaced": True, "twice": False}
    assert not shut_away(tmp_path, tmp_path / "mountinfo") and not shut_away(tmp_path, tmp_path / "none")


def test_the_way_out_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ailing, "_is_read_only", lambda path: True)
    error = sqlite3.OperationalError("attempt to write a readonly database")
    assert "the card seems to be read-only" in why(tmp_path / "games.db", error)
    monkeypatch.setattr(ailing, "shut_away", lambda folder: True)
    said = why(tmp_path / "games.db", error)
    assert f"[Service] ReadWritePaths={tmp_path}" in said and "card" not in said
