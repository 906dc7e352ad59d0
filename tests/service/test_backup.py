"""A backup holds the whole table, and restoring it loses nothing, whatever was there."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from program import Program

from companion.journal import open_journal
from companion.model import BadInput, DeviceError
from companion.service.cli import main
from companion.service.config import EXAMPLE
from companion.service.machine import archive as archives
from companion.service.machine import backup as module
from companion.service.machine import exchange
from companion.service.machine.instance import LOCK, Instance
from companion.service.scratch import scratch


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The folder of a table where a game was played: companion.toml, games, a board and a lens of its own."""
    home = tmp_path / "table"
    (home / "board").mkdir(parents=True)
    (home / "board" / "sheet.json").write_text("{}")
    (home / "board" / "board.png").write_bytes(b"png")
    (home / "lens.json").write_text("{}")
    (home / "companion.toml").write_text(
        '[game]\nseats = [0, 2]\n[sheet]\npath = "board/sheet.json"\n[camera]\nlens = "lens.json"\n'
        '[journal]\nfolder = "games"\n[page]\npin = "1234"\n'
    )
    journal = open_journal(home / "games" / "games.db")
    game = journal.begin_game("parcheesi", {}, [0, 2])
    journal.append(game, "word", {"word": "confirmed"}, 1.0)
    journal.close()
    for part in ("pictures/1/00001000.jpg", "boards/parcheesi/sheet.json", "bluetooth-dice.json"):
        path = home / "games" / part
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(part)
    return home


def games(home: Path) -> int:
    journal = open_journal(home / "games" / "games.db")
    try:
        return len(journal.games())
    finally:
        journal.close()


def everything(home: Path) -> dict[str, bytes]:
    files = (path for path in home.rglob("*") if path.is_file() and "games.db" not in path.name)
    return {str(path.relative_to(home)): path.read_bytes() for path in files if path.name != "companion.lock"}


def test_there_and_back_on_another_card(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, other = tmp_path / "saved.zip", tmp_path / "new"
    assert main(["backup", str(saved), "--config", str(table / "companion.toml")]) == 0
    assert "1 game\n" in capsys.readouterr().out
    assert main(["restore", str(saved), "--config", str(other / "companion.toml")]) == 0
    said = capsys.readouterr().out
    assert "1 game in" in said and "As it was on" in said
    assert everything(other) == everything(table) and games(other) == 1


def test_a_configuration_that_an_editor_of_another_system_wrote_comes_back_too(table: Path, tmp_path: Path) -> None:
    config = table / "companion.toml"
    config.write_bytes(b"\xef\xbb\xbf" + config.read_bytes().replace(b"\n", b"\r\n"))
    saved, other = tmp_path / "saved.zip", tmp_path / "new"
    assert main(["backup", str(saved), "--config", str(config)]) == 0
    assert main(["restore", str(saved), "--config", str(other / "companion.toml")]) == 0
    assert games(other) == 1 and everything(other) == everything(table)


def test_what_was_there_is_kept_aside(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "saved.zip"
    assert main(["backup", str(saved), "--config", str(table / "companion.toml"), "--no-pictures"]) == 0
    journal = open_journal(table / "games" / "games.db")
    journal.begin_game("gloria", {}, [0, 1])
    journal.close()
    toml = table / "companion.toml"
    toml.write_text(toml.read_text() + "port = 8123\n")
    assert main(["restore", str(saved), "--config", str(toml)]) == 0
    said = capsys.readouterr().out
    assert "before-restore-1" in said and "companion.toml.from-backup" in said
    assert games(table) == 1 and "8123" in toml.read_text()
    old = sqlite3.connect(table / "games" / "before-restore-1" / "games.db")
    assert old.execute("SELECT count(*) FROM games").fetchone() == (2,)
    old.close()


def fresh(home: Path) -> Path:
    """The configuration of a table that has just been installed, for the service's eyes."""
    home.mkdir()
    toml = home / "companion.toml"
    text = EXAMPLE.replace('folder = ""  ', 'folder = "games"  ').replace("port = 8000", "port = 80")
    assert text.count('"games"') == 1 and "port = 80\n" in text
    toml.write_text(text)
    toml.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(toml, 0, 4321)
    return toml


def test_on_a_card_just_installed_the_table_is_that_of_the_backup(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else another game than the one in play would be configured there, which would be left at the next start."""
    saved, toml = tmp_path / "saved.zip", fresh(tmp_path / "new")
    installed, rights = toml.read_bytes(), toml.stat()
    assert main(["backup", str(saved), "--config", str(table / "companion.toml")]) == 0
    assert main(["restore", str(saved), "--config", str(toml)]) == 0
    aside = toml.with_name("companion.toml.before-restore")
    assert f"as it was installed, is {aside}" in capsys.readouterr().out
    assert toml.read_bytes() == (table / "companion.toml").read_bytes() and aside.read_bytes() == installed
    for path in (toml, toml.parent / "lens.json"):
        assert (path.stat().st_mode, path.stat().st_gid) == (rights.st_mode, rights.st_gid), "the service can read it"


def test_what_keeps_the_table_from_beginning_after_a_restore_is_said(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A board that lay elsewhere on the other machine is in no backup: all seemed well, and no page came up."""
    sheet, toml = tmp_path / "gone" / "sheet.json", fresh(tmp_path / "new")
    named = table / "companion.toml"
    named.write_text(named.read_text().replace("board/sheet.json", str(sheet)))
    saved = saved_of(table)
    capsys.readouterr()
    assert main(["restore", str(saved), "--config", str(toml)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"But the table cannot begin yet: {toml}: [sheet] {sheet}: ") and games(toml.parent) == 1
    toml.write_text('[game]\nname = "gloria"\nseats = [0, 1]\n[journal]\nfolder = "games"\n')
    assert main(["restore", str(saved), "--config", str(toml)]) == 0
    assert "cannot begin" not in capsys.readouterr().out


@pytest.mark.parametrize("said", ["[journal]\nfolder = 'elsewhere'\n", ""])
def test_a_configuration_that_leads_elsewhere_or_was_changed_is_left(
    said: str, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, toml = tmp_path / "saved.zip", fresh(tmp_path / "new")
    if said:  # the backup's games lay elsewhere: this table's would not be found there
        (table / "games").rename(table / "elsewhere")
        (table / "companion.toml").write_text(said)
    else:
        toml.write_text(toml.read_text().replace('pin = ""', 'pin = "77"'))
    mine, rights = toml.read_bytes(), toml.stat()
    assert main(["backup", str(saved), "--config", str(table / "companion.toml")]) == 0
    assert main(["restore", str(saved), "--config", str(toml)]) == 0
    other = toml.with_name("companion.toml.from-backup")
    assert f"mv {other} {toml}" in capsys.readouterr().out
    assert toml.read_bytes() == mine and other.read_bytes() == (table / "companion.toml").read_bytes()
    assert (other.stat().st_mode, other.stat().st_gid) == (rights.st_mode, rights.st_gid), "the service can read it"


def test_a_board_beside_the_configuration_is_that_of_the_backup_again(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A board that was spoilt stayed so after a restore, and nothing was said of it."""
    saved, before = saved_of(table), everything(table)
    (table / "board" / "sheet.json").write_text("second")
    (table / "lens.json").unlink()
    assert main(["restore", str(saved), "--config", str(table / "companion.toml")]) == 0
    assert f"board/sheet.json in {table}: those of the backup now" in (said := capsys.readouterr().out)
    assert "lens.json" not in said and "board.png" not in said, "which was gone, and is the same"
    aside = table / "before-restore-1"
    assert f"what was there is kept in {aside}\n" in said
    assert everything(aside) == {"board/sheet.json": b"second"}
    assert {name: data for name, data in everything(table).items() if "before-restore" not in name} == before
    (table / "board" / "sheet.json").write_text("third")
    assert main(["restore", str(saved), "--config", str(table / "companion.toml")]) == 0
    assert (table / "before-restore-2" / "board" / "sheet.json").read_text() == "third"
    assert (aside / "board" / "sheet.json").read_text() == "second"


@pytest.mark.parametrize("there", ["a link", "a folder"])
def test_what_is_no_plain_file_is_left_and_said(
    there: str, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, lens = saved_of(table), table / "lens.json"
    lens.unlink()
    if there == "a link":
        (tmp_path / "precious").write_text("precious")
        lens.symlink_to(tmp_path / "precious")
    else:
        lens.mkdir()
    assert main(["restore", str(saved), "--config", str(table / "companion.toml")]) == 0
    assert f"{lens} was left as it is" in capsys.readouterr().out
    assert lens.is_symlink() or lens.is_dir()
    assert there != "a link" or (tmp_path / "precious").read_text() == "precious"


def test_a_cut_while_a_board_is_exchanged_loses_neither(table: Path) -> None:
    """The old one is whole aside before the new one takes its place."""
    saved = saved_of(table)
    (table / "board" / "sheet.json").write_text("spoilt")
    for _ in cuts(table, saved, lambda: list(module.restore(table / "companion.toml", saved))):
        now = (table / "board" / "sheet.json").read_text()
        kept = [path.read_text() for path in table.glob("before-restore-*/board/sheet.json")]
        assert now == "spoilt" or (now == "{}" and "spoilt" in kept)


def test_new_folders_of_a_restore_are_for_the_services_eyes_too(table: Path, tmp_path: Path) -> None:
    """Under the umask 077 of a careful root the service could not reach its own board."""
    (table / "board" / "print").mkdir()
    (table / "board" / "print" / "big.jpg").write_bytes(b"jpg")
    (table / "board" / "sheet.json").write_text('{"texture": "print/big.jpg"}')
    saved, toml = saved_of(table), fresh(tmp_path / "new")
    (toml.parent / "lens.json").write_text("another")
    toml.parent.chmod(0o750)
    if os.geteuid() == 0:
        os.chown(toml.parent, 0, 4321)
    mask = os.umask(0o077)
    try:
        assert main(["restore", str(saved), "--config", str(toml)]) == 0
    finally:
        os.umask(mask)
    home = toml.parent.stat()
    for name in ("board", "board/print", "before-restore-1"):
        made = (toml.parent / name).stat()
        assert (made.st_mode, made.st_uid, made.st_gid) == (home.st_mode, home.st_uid, home.st_gid), name
    for name in ("board/sheet.json", "board/print/big.jpg"):
        assert ((made := (toml.parent / name).stat()).st_mode, made.st_gid) == (toml.stat().st_mode, toml.stat().st_gid)


@pytest.mark.parametrize("there", ["no folder", "no games", "an empty journal"])
def test_a_backup_without_games_says_where_it_looked_and_the_way_out(
    there: str, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a service that keeps them elsewhere "0 games" was all that was said of the loss."""
    home = table / "games"
    shutil.rmtree(home)
    if there != "no folder":
        home.mkdir()
    if there == "an empty journal":
        open_journal(home / "games.db").close()
    assert main(["backup", str(tmp_path / "saved.zip"), "--config", str(table / "companion.toml")]) == 0
    said = capsys.readouterr().out
    assert f"0 games: none are in {home}." in said and "--config" in said and "[journal] folder" in said


def test_a_configuration_that_keeps_games_elsewhere_is_not_taken_without_a_word_of_it(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tried on a laptop, with folder = "games": taken on the Pi as the restore told, its games were not found."""
    saved, toml = saved_of(table), tmp_path / "pi" / "companion.toml"
    toml.parent.mkdir()
    toml.write_text('[journal]\nfolder = "../var"\n')
    assert main(["restore", str(saved), "--config", str(toml)]) == 0
    said = capsys.readouterr().out
    assert f'In it, games are kept in {toml.parent / "games"}' in said
    assert f'set [journal] folder = "{tmp_path / "var"}" there too' in said
    toml.write_text('[game]\nseats = [1, 3]\n[journal]\nfolder = "games"\n')
    assert main(["restore", str(saved), "--config", str(toml)]) == 0
    assert "In it, games" not in capsys.readouterr().out


def rewritten(saved: Path, toml: bytes) -> None:
    """The same backup with another configuration in it."""
    with zipfile.ZipFile(saved) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(saved, "w") as archive:
        for name, data in (files | {"companion.toml": toml}).items():
            archive.writestr(name, data)


USABLE_ELSEWHERE = {
    "an add-on that is not installed": ('[panel]\nalso = "strip"\n', "panel.also 'strip' is no panel"),
    "a part of a later version": ('[voice]\nname = "Anna"\n', "unknown part [voice]"),
    "a key of a later version": ("history_days = 3\n", "unknown key 'history_days'"),
    "somebody unknown here": ('[game]\ndeck = "~no-such-user/deck"\n', "no home folder ~no-such-user"),
}


@pytest.mark.parametrize("there", ["another configuration", "none"])
@pytest.mark.parametrize(("more", "why"), USABLE_ELSEWHERE.values(), ids=USABLE_ELSEWHERE.keys())
def test_a_configuration_that_cannot_be_used_here_keeps_no_games_from_being_restored(
    more: str, why: str, there: str, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The games were refused for an add-on that was to be installed later, though that file is only laid beside."""
    saved, toml = saved_of(table), tmp_path / "new" / "companion.toml"
    written = (table / "companion.toml").read_text().replace("[game]\nseats = [0, 2]\n", "")
    rewritten(saved, (more + written if "[" in more else written.replace("[page]", f"{more}[page]")).encode())
    if there != "none":
        toml.parent.mkdir()
        toml.write_text('[game]\nseats = [1, 3]\n[journal]\nfolder = "games"\n')
    assert main(["restore", str(saved), "--config", str(toml)]) == 0
    said, other = capsys.readouterr().out, toml.with_name("companion.toml.from-backup")
    assert why in said and f"mv {other} {toml}" in said
    assert games(toml.parent) == 1 and (toml.parent / "board" / "board.png").exists(), "and what it names is there too"
    assert toml.exists() == (there != "none") and other.exists()


@pytest.mark.parametrize("place", ["/proc/ann/games", "~no-such-user/games"])
def test_games_that_cannot_lie_where_another_machine_had_them_are_restored_where_one_says(
    place: str, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a folder of another user's all that was said: there is no such file in a hidden folder there."""
    saved, toml = saved_of(table), tmp_path / "new" / "companion.toml"
    toml.parent.mkdir()
    rewritten(saved, (table / "companion.toml").read_bytes().replace(b'"games"', f'"{place}"'.encode()))
    assert main(["restore", str(saved), "--config", str(toml)]) == 2
    said = capsys.readouterr().err
    assert place.split("/games")[0] in said and ".restore.part" not in said
    assert f'write into {toml}: [journal] folder = "games"' in said and not [*toml.parent.iterdir()]
    toml.write_text('[journal]\nfolder = "games"\n')
    assert main(["restore", str(saved), "--config", str(toml)]) == 0 and games(toml.parent) == 1


LEFT = {"zeros": b"\0" * 120, "nothing": b"", "half": b"[game]\nse\0\0\0", "no text": b"\xff\xfe"}


@pytest.mark.parametrize("left", LEFT.values(), ids=LEFT.keys())
def test_a_configuration_that_a_power_cut_left_unreadable_does_not_block_a_restore(
    left: bytes, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of all tables this one needs its backup most, and it was refused: the file of zeros was to be mended first."""
    saved, toml = saved_of(table), table / "companion.toml"
    good = toml.read_bytes()
    toml.write_bytes(left)
    assert main(["restore", str(saved), "--config", str(toml)]) == 0
    aside = table / "companion.toml.damaged"
    assert f"{toml} is that of the backup now; what was there, which " in capsys.readouterr().out
    assert toml.read_bytes() == good and aside.read_bytes() == left and games(table) == 1
    toml.write_bytes(b"\0")
    assert main(["restore", str(saved), "--config", str(toml)]) == 0
    assert aside.read_bytes() == left and (table / "companion.toml.damaged-2").read_bytes() == b"\0"


def test_a_mistake_in_this_tables_configuration_does_not_block_a_restore(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says where the games are all the same; who wrote it mends it."""
    saved = saved_of(table)
    also(table, "page", "prot = 80")
    written = (table / "companion.toml").read_bytes()
    assert main(["restore", str(saved), "--config", str(table / "companion.toml")]) == 0
    assert "was left as it is" in capsys.readouterr().out
    assert (table / "companion.toml").read_bytes() == written and games(table) == 1


@pytest.mark.parametrize("own", [b'[journal]\nfolder = "~no-such-user/games"\n', b"journal = 3\n"])
def test_games_are_not_restored_to_a_place_that_is_only_guessed(
    own: bytes, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = saved_of(table)
    (table / "companion.toml").write_bytes(own)
    said = refused(capsys, saved, table)
    assert str(table / "companion.toml") in said and "journal" in said


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_sudo_made_belongs_to_who_typed_it(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDO_UID", "4321")
    monkeypatch.setenv("SUDO_GID", "4322")
    saved = tmp_path / "saved.zip"
    assert main(["backup", str(saved), "--config", str(table / "companion.toml")]) == 0
    found = saved.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (4321, 4322, 0o600)


def test_a_backup_is_on_the_disk_before_it_is_called_one(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved, on_the_disk = tmp_path / "saved.zip", set()
    replaced, synced = Path.replace, os.fsync

    def sync(handle: int) -> None:
        synced(handle)
        on_the_disk.add(os.fstat(handle).st_ino)

    def replace(path: Path, target: Path) -> Path:
        assert target != saved or path.stat().st_ino in on_the_disk
        return replaced(path, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", replace)
    assert main(["backup", str(saved), "--config", str(table / "companion.toml")]) == 0
    assert tmp_path.stat().st_ino in on_the_disk


@pytest.mark.long
@pytest.mark.timeout(60)
def test_while_the_service_runs_a_backup_is_made_and_a_restore_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, saved = Program(tmp_path), tmp_path / "saved"
    saved.mkdir()
    try:
        assert program.roll(6, 6)
        assert main(["backup", str(saved), "--config", str(program.config)]) == 0
        [made] = saved.iterdir()
        assert main(["restore", str(made), "--config", str(program.config)]) == 2
        assert "a Companion runs already" in capsys.readouterr().err
        assert program.roll(1, 2)
    finally:
        program.kill()
    assert main(["restore", str(made), "--config", str(program.config)]) == 0
    program.begin()
    assert program.roll(1, 2), "the game goes on after its first throw"
    program.kill()


def refused(capsys: pytest.CaptureFixture[str], saved: Path, home: Path) -> str:
    before = games(home)
    assert main(["restore", str(saved), "--config", str(home / "companion.toml")]) == 2
    assert games(home) == before and not (home / "games" / "before-restore-1").exists(), "nothing was changed"
    return capsys.readouterr().err


def test_what_is_no_backup_is_refused(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.zip"
    bad.write_text("no zip")
    assert "is no backup" in refused(capsys, bad, table)
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("notes.txt", "hello")
    assert "it has no backup.json" in refused(capsys, bad, table)
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("backup.json", json.dumps({"backup": 99, "companion": "9.0"}))
    assert "newer Companion (9.0)" in refused(capsys, bad, table)
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("backup.json", json.dumps({"backup": 1}))
        archive.writestr("games.db", b"x" * 9000)
    assert "the games in the backup are damaged" in refused(capsys, bad, table)


def test_no_file_of_a_backup_reaches_out_of_its_place(table: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("backup.json", json.dumps({"backup": 1}))
        archive.writestr("table/../../evil.txt", "evil")
        archive.writestr("../evil.txt", "evil")
        archive.writestr("/evil.txt", "evil")
    before = everything(table)
    assert main(["restore", str(bad), "--config", str(table / "companion.toml")]) == 0
    assert not [path for path in tmp_path.rglob("evil.txt")]
    kept = {name.removeprefix("games/before-restore-1/"): data for name, data in everything(table).items()}
    assert {name.removeprefix("games/") for name in before} <= {name.removeprefix("games/") for name in kept}


def test_a_backup_overwrites_nothing(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = tmp_path / "there.zip"
    there.write_text("precious")
    assert main(["backup", str(there), "--config", str(table / "companion.toml")]) == 2
    assert "is there already" in capsys.readouterr().err and there.read_text() == "precious"
    assert main(["backup", str(tmp_path / "no" / "folder.zip"), "--config", str(table / "companion.toml")]) == 2
    assert "choose a place that can be written" in capsys.readouterr().err


def test_a_folder_that_is_not_there_does_not_become_a_file(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["backup", f"{tmp_path}/stick/", "--config", str(table / "companion.toml")])
    assert "stick/: there is no such folder: make it first" in capsys.readouterr().err
    (tmp_path / "stick").mkdir()
    assert main(["backup", f"{tmp_path}/stick/", "--config", str(table / "companion.toml")]) == 0
    assert [path.suffix for path in (tmp_path / "stick").iterdir()] == [".zip"]


def test_games_of_a_newer_companion_are_named_where_they_lie(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table / "games" / "games.db"
    with contextlib.closing(sqlite3.connect(path)) as journal:
        journal.execute("PRAGMA user_version = 99")
    assert main(["backup", str(tmp_path / "a.zip"), "--config", str(table / "companion.toml")]) == 2
    said = capsys.readouterr().err
    assert f"journal {path} was written by a newer Companion" in said and ".companion-backup-" not in said
    assert not (tmp_path / "a.zip").exists()


def test_files_elsewhere_are_named(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lens = tmp_path / "far" / "lens.json"
    lens.parent.mkdir()
    lens.write_text("{}")
    toml = table / "companion.toml"
    toml.write_text(toml.read_text().replace('"lens.json"', f'"{lens}"'))
    assert main(["backup", str(tmp_path / "saved.zip"), "--config", str(toml)]) == 0
    assert f"{lens} is not in it" in capsys.readouterr().out


def names_in(saved: Path) -> set[str]:
    with zipfile.ZipFile(saved) as archive:
        return {name.removeprefix("table/") for name in archive.namelist() if name.startswith("table/")}


def also(table: Path, part: str, line: str) -> None:
    """One more line in a part of the table's configuration."""
    toml = table / "companion.toml"
    toml.write_text(toml.read_text().replace(f"[{part}]\n", f"[{part}]\n{line}\n"))


def test_a_backup_has_the_landmarks_of_the_photo(table: Path, tmp_path: Path) -> None:
    """They were left out without a word: a board without markers was matched by its print alone, and lay turned."""
    (table / "board" / "photo.jpg").write_bytes(b"jpg")
    (table / "board" / "photo.json").write_text('{"landmarks": []}')
    also(table, "sheet", 'reference = "board/photo.jpg"')
    saved, other = saved_of(table), tmp_path / "new"
    assert {"board/photo.jpg", "board/photo.json"} <= names_in(saved)
    assert main(["restore", str(saved), "--config", str(other / "companion.toml")]) == 0
    assert everything(other) == everything(table)


@pytest.mark.parametrize("name", ["print.jpg", "prints/big.webp"])
def test_a_backup_has_the_print_that_the_sheet_names(name: str, table: Path, tmp_path: Path) -> None:
    """Only .png files beside the sheet were taken, so that a board with another print could not be used again."""
    (table / "board" / name).parent.mkdir(exist_ok=True)
    (table / "board" / name).write_bytes(b"picture")
    (table / "board" / "sheet.json").write_text(json.dumps({"texture": name}))
    saved, other = saved_of(table), tmp_path / "new"
    assert f"board/{name}" in names_in(saved)
    assert main(["restore", str(saved), "--config", str(other / "companion.toml")]) == 0
    assert everything(other) == everything(table)


NO_PRINT = ("{}", "[]", '{"texture": 3}', '{"texture": "."}', '{"texture": "a\\u0000b"}', "{", "")


@pytest.mark.parametrize("text", NO_PRINT)
def test_a_sheet_that_names_no_print_is_in_a_backup_as_it_is(text: str, table: Path) -> None:
    (table / "board" / "sheet.json").write_text(text)
    assert names_in(saved_of(table)) == {"board/sheet.json", "board/board.png", "lens.json"}


def test_a_print_that_a_backup_names_far_away_is_not_put_there(table: Path, tmp_path: Path) -> None:
    """What a sheet of a foreign archive names reaches no file outside of the configuration's folder."""
    saved, home = tmp_path / "saved.zip", tmp_path / "new"
    (tmp_path / "evil.jpg").write_bytes(b"jpg")
    (table / "board" / "sheet.json").write_text(json.dumps({"texture": "../../evil.jpg"}))
    assert main(["backup", str(saved), "--config", str(table / "companion.toml")]) == 0
    assert not [name for name in names_in(saved) if "evil" in name]
    with zipfile.ZipFile(saved, "a") as archive:
        archive.writestr("table/evil.jpg", "evil")
    list(module.restore(home / "companion.toml", saved))
    assert not list(home.rglob("evil.jpg")) and (tmp_path / "evil.jpg").read_bytes() == b"jpg"


@pytest.mark.parametrize(
    ("source", "files"),
    [
        ("evening.avi", {"evening.avi"}),
        ("own/evening", {"own/evening/a.jpg", "own/evening/b.PNG"}),
        ("recording", {"recording/frames/00000000.jpg"}),
    ],
)
def test_a_backup_has_the_video_or_the_pictures_that_are_the_camera(
    source: str, files: set[str], table: Path, tmp_path: Path
) -> None:
    """docs/install.md says that a video beside the configuration is in each backup; none was."""
    more = {"own/evening/notes.txt", "own/evening/more/c.jpg", "recording/events.jsonl"}
    for name in [*files, *more]:
        (table / name).parent.mkdir(parents=True, exist_ok=True)
        (table / name).write_bytes(b"seen")
    also(table, "camera", f'source = "{source}"')
    saved, other = saved_of(table), tmp_path / "new"
    assert names_in(saved) - {"board/sheet.json", "board/board.png", "lens.json"} == files
    assert main(["restore", str(saved), "--config", str(other / "companion.toml")]) == 0
    assert {name for name in files if (other / name).is_file()} == files


@pytest.mark.parametrize("source", ["auto", "none", "0", "picamera:1", "/dev/null", "http://10.0.0.9/video"])
def test_a_camera_that_is_no_file_is_not_in_a_backup(
    source: str, table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (table / "auto").write_text("a file that is called so")
    monkeypatch.chdir(table)
    also(table, "camera", f'source = "{source}"')
    assert names_in(saved_of(table)) == {"board/sheet.json", "board/board.png", "lens.json"}
    assert "is not in it" not in capsys.readouterr().out


def test_many_pictures_elsewhere_are_named_by_their_folder(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A recording has thousands: nobody would find the one line that matters among them."""
    (tmp_path / "far").mkdir()
    for number in range(20):
        (tmp_path / "far" / f"{number:08d}.jpg").write_bytes(b"jpg")
    also(table, "camera", f'source = "{tmp_path / "far"}"')
    saved_of(table)
    said = capsys.readouterr().out
    assert said.count("is not in it") == 1 and f"{tmp_path / 'far'} is not in it" in said


def saved_of(table: Path) -> Path:
    saved = table.parent / "saved.zip"
    assert main(["backup", str(saved), "--config", str(table / "companion.toml")]) == 0
    return saved


class Cut(BaseException):
    """The power is cut: whatever is tried on the disk from then on does not happen."""


CHANGES = (
    *((Path, name) for name in ("rename", "replace", "mkdir", "unlink", "write_text")),
    *((os, "link"), (shutil, "rmtree"), (shutil, "copyfile")),
)


def cut_at(patch: pytest.MonkeyPatch, number: int) -> None:
    """The power goes at so many changes of the disk."""
    done = 0

    def failing(change: Callable[..., Any]) -> Callable[..., Any]:
        def changed(*words: Any, **more: Any) -> Any:
            nonlocal done
            done += 1
            if done > number:
                raise Cut
            return change(*words, **more)

        return changed

    for place, name in CHANGES:
        patch.setattr(place, name, failing(getattr(place, name)))


def cuts(table: Path, saved: Path, cut: Callable[[], object]) -> Iterator[int]:
    """The table after a cut at each change of the disk that `cut` makes, one after the other."""
    shutil.copytree(table, table.parent / "as it was", symlinks=True)
    for number in range(60):
        shutil.rmtree(table)
        shutil.copytree(table.parent / "as it was", table, symlinks=True)
        with pytest.MonkeyPatch.context() as patch:
            cut_at(patch, number)
            try:
                cut()
                break
            except Cut:
                pass
        yield number
    assert number > 10, "it was really cut"


def before_restores(home: Path) -> list[tuple[int, bool, bool]]:
    """Of all that was kept aside: how many games, and whether the boards and pictures that this table had before."""
    found = []
    for aside in sorted(home.glob("before-restore-*")):
        with contextlib.closing(sqlite3.connect(aside / "games.db")) as old:
            [count] = old.execute("SELECT count(*) FROM games").fetchone()
        found.append((count, (aside / "boards" / "old").exists(), (aside / "pictures" / "old").exists()))
    return found


@pytest.fixture
def changed(table: Path) -> Path:
    """The backup of a table that had another game since, a board and a picture of its own."""
    saved, home = saved_of(table), table / "games"
    journal = open_journal(home / "games.db")
    journal.begin_game("gloria", {}, [0, 1])
    journal.close()
    (home / "boards" / "old").mkdir()
    (home / "pictures" / "old").mkdir()
    return saved


def is_as_saved(table: Path) -> bool:
    home = table / "games"
    assert not (home / exchange.UNPACKED).exists() and not (home / exchange.WHOLE).exists()
    boards, pictures = ([path.name for path in (home / name).iterdir()] for name in ("boards", "pictures"))
    return (games(table), boards, pictures) == (1, ["parcheesi"], ["1"])


@pytest.mark.long
def test_a_restore_that_is_cut_off_loses_nothing_and_can_be_done_again(table: Path, changed: Path) -> None:
    home = table / "games"
    for number in cuts(table, changed, lambda: list(module.restore(table / "companion.toml", changed))):
        assert games(table) in (1, 2), "there are games, the old ones or the new ones"
        list(module.restore(table / "companion.toml", changed))
        assert is_as_saved(table), number
        assert before_restores(home)[0] == (2, True, True), "all that was there is in one place"


def test_a_restore_that_is_cut_off_is_ended_at_the_next_start(table: Path, changed: Path) -> None:
    home, ended = table / "games", 0
    for number in cuts(table, changed, lambda: list(module.restore(table / "companion.toml", changed))):
        told = exchange.finish_what_was_cut(home)
        if told:
            ended += 1
            assert "it is finished now" in told[0] and "before-restore-1" in told[0]
            assert is_as_saved(table), number
            assert before_restores(home) == [(2, True, True)]
        else:
            assert games(table) == (1 if before_restores(home) else 2), "all of it was done, or nothing"
        assert exchange.finish_what_was_cut(home) == ()
    assert ended > 5


def test_an_ending_that_is_cut_off_is_ended_by_the_next(table: Path, changed: Path) -> None:
    """The power goes again and again, also while what an earlier cut left is put right."""
    home = table / "games"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "put_in_place", cut_before_the_first)
        with pytest.raises(Cut):
            list(module.restore(table / "companion.toml", changed))
    for number in cuts(table, changed, lambda: exchange.finish_what_was_cut(home)):
        assert games(table) in (1, 2)
        exchange.finish_what_was_cut(home)
        assert is_as_saved(table), number
        assert before_restores(home) == [(2, True, True)]


def cut_before_the_first(found: Path, folder: Path) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exchange, "finish", cut_now)
        return exchange.put_in_place(found, folder)


def cut_now(folder: Path) -> str:
    raise Cut


@pytest.mark.long
def test_the_service_says_that_it_ended_a_restore(tmp_path: Path) -> None:
    program = Program(tmp_path)
    try:
        assert program.roll(6, 6)
        assert program.end() == 0
        saved = saved_of(tmp_path)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "put_in_place", cut_before_the_first)
            with pytest.raises(Cut):
                list(module.restore(program.config, saved))
        program.begin()
        said = [line["text"] for line in program.view()["plays"]]
        assert any("it is finished now" in text and "before-restore-1" in text for text in said)
        assert program.roll(1, 2), "and the game goes on"
    finally:
        program.kill()


def test_a_restore_that_cannot_be_ended_is_said_plainly(table: Path, changed: Path, tmp_path: Path) -> None:
    home = table / "games"
    (home / exchange.WHOLE).mkdir()
    for plan in ("", "{}", '{"aside": "../evil-1", "has": []}', '{"aside": "x/before-restore-1", "has": []}'):
        (home / exchange.WHOLE / exchange.PLAN).write_text(plan)
        [told] = exchange.finish_what_was_cut(home)
        assert "cannot be finished" in told and "Restore the backup again" in told
    assert games(table) == 2
    list(module.backup(table / "companion.toml", tmp_path / "more.zip"))
    list(module.restore(table / "companion.toml", changed))
    assert is_as_saved(table)


@pytest.mark.long
def test_on_a_disk_without_hard_links(table: Path, changed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*words: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    home = table / "games"
    for _ in cuts(table, changed, lambda: list(module.restore(table / "companion.toml", changed))):
        exchange.finish_what_was_cut(home)
        assert games(table) in (1, 2)
        assert all(found == (2, True, True) for found in before_restores(home))
    assert is_as_saved(table) and before_restores(home) == [(2, True, True)], "at last it was not cut"


@pytest.mark.long
def test_of_a_damaged_backup_nothing_is_restored_and_one_sentence_said(table: Path) -> None:
    good, bad, chance = saved_of(table).read_bytes(), table.parent / "bad.zip", random.Random(7)
    before, refused = games(table), 0
    for _ in range(250):
        data = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data)) if chance.random() < 0.5 else -chance.randint(1, 900)] ^= (
                1 << chance.randrange(8)
            )
        bad.write_bytes(data[: chance.randrange(len(data))] if chance.random() < 0.1 else data)
        shutil.rmtree(table.parent / "new", ignore_errors=True)
        try:
            list(module.restore(table.parent / "new" / "companion.toml", bad))
        except BadInput as error:
            refused += 1
            assert "bad.zip" in str(error) or "companion.toml" in str(error)
            assert not (table.parent / "new" / "games" / "games.db").exists()
    assert refused > 150 and games(table) == before


def with_flags(path: Path, flags: int, method: int) -> None:
    """The first file of the archive as if it was encrypted, or packed in another way."""
    data = bytearray(path.read_bytes())
    for sign, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        place = data.index(sign) + at
        data[place] |= flags
        data[place + 2] = method
    path.write_bytes(data)


@pytest.mark.parametrize(("flags", "method"), [(1, 8), (0, 99), (0, 14), (0, 12)], ids=["secret", "?", "lzma", "bz2"])
def test_a_backup_packed_in_another_way(
    table: Path, flags: int, method: int, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = saved_of(table)
    with_flags(saved, flags, method)
    assert "is no backup, or damaged" in refused(capsys, saved, table)


@pytest.mark.parametrize(
    ("number", "way"),
    [
        (errno.ENOSPC, "No space left on device; make room (nothing of the games was changed)"),
        (errno.EIO, "Input/output error; the disk does not work: replace it soon (nothing of the games was changed)"),
    ],
)
def test_a_disk_that_takes_no_more_is_not_the_backups_fault(
    table: Path, number: int, way: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = saved_of(table)

    def full(*words: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("companion.service.machine.backup.ZipFile.extractall", full)
    assert refused(capsys, saved, table) == f"companion: {table / 'games'}: {way}\n"


def test_no_board_is_half_put_back_where_the_disk_beside_the_configuration_is_full(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sheet of the backup lay beside the print of this table; of the disk of the games it was said to be full."""
    saved, real = saved_of(table), shutil.disk_usage
    (table / "board" / "sheet.json").write_text("second")
    (table / "board" / "board.png").write_bytes(b"another")
    before = everything(table)
    monkeypatch.setattr(shutil, "disk_usage", lambda at: real(at)._replace(free=10 if at == table else 10**9))
    assert f"0.000 MB are free for it on the disk of {table}; nothing was restored" in refused(capsys, saved, table)
    assert everything(table) == before


def test_a_disk_that_is_full_is_named_where_it_is(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside the configuration, not where the games are unpacked, as Python says: they may lie on a stick."""
    saved, before = saved_of(table), everything(table)
    (table / "lens.json").unlink()

    def full(source: Path, target: Path) -> None:
        target.write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(source), None, str(target))

    monkeypatch.setattr(shutil, "copyfile", full)
    assert f"companion: {table / 'lens.json'}: No space left on device; make room" in refused(capsys, saved, table)
    assert everything(table).keys() == before.keys() - {"lens.json"}, "no half of it takes the last room"


def test_a_folder_is_no_backup(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, table, table) == (
        f"companion: {table} is a folder: name the file of the backup (companion-….zip)\n"
    )


def test_a_name_that_is_none(table: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "odd.zip", "w") as archive:
        archive.writestr("backup.json", json.dumps({"backup": 1}))
        archive.writestr("./", "")
        archive.writestr("boards", "no folder")
    assert main(["restore", str(tmp_path / "odd.zip"), "--config", str(table / "companion.toml")]) == 0
    assert not (table / "games" / "boards").is_file()


def test_only_files_that_the_configuration_names_are_put_beside_it(table: Path, tmp_path: Path) -> None:
    saved, home = saved_of(table), tmp_path / "home"
    with zipfile.ZipFile(saved, "a") as archive:
        archive.writestr("table/.ssh/authorized_keys", "evil")
        archive.writestr("table/board/.hidden.png", "evil")
        archive.writestr("table/evil.txt", "evil")
    list(module.restore(home / "companion.toml", saved))
    assert "evil" not in [path.read_text(errors="replace") for path in home.rglob("*") if path.is_file()]
    assert (home / "lens.json").exists() and (home / "board" / "board.png").exists()


def test_nobody_else_may_read_a_backup(table: Path) -> None:
    assert stat.S_IMODE(saved_of(table).stat().st_mode) == 0o600


def test_links_among_the_games_are_not_followed(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "shadow").write_text("secret")
    (table / "games" / "pictures" / "1" / "2.jpg").symlink_to(tmp_path / "root" / "shadow")
    (table / "games" / "pictures" / "all").symlink_to(tmp_path / "root")
    shutil.rmtree(table / "games" / "boards")
    (table / "games" / "boards").symlink_to(tmp_path / "root")
    with zipfile.ZipFile(saved_of(table)) as archive:
        assert "secret" not in [archive.read(name).decode(errors="replace") for name in archive.namelist()]
    assert f"{table / 'games' / 'boards'} is not in it" in capsys.readouterr().out
    (table / "games" / exchange.UNPACKED).symlink_to(tmp_path / "root")
    list(module.restore(table / "companion.toml", tmp_path / "saved.zip"))
    assert [path.name for path in (tmp_path / "root").iterdir()] == ["shadow"]


def test_the_lock_is_no_link_to_a_file_of_others(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (tmp_path / LOCK).symlink_to(tmp_path / "precious")
    with pytest.raises(DeviceError, match="is a link: remove it"):
        Instance(tmp_path)
    assert (tmp_path / "precious").read_text() == "precious"


def test_on_a_machine_that_thinks_it_is_1970(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.utime(table / "games" / "pictures" / "1" / "00001000.jpg", (0, 0))
    monkeypatch.setattr(archives.time, "localtime", lambda *at: time.gmtime(0))
    with zipfile.ZipFile(saved_of(table)) as archive:
        assert {info.date_time[0] for info in archive.infolist()} >= {1980}


def test_the_place_for_passing_files_may_be_too_small(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(table / "no such folder"))
    list(module.restore(table.parent / "new" / "companion.toml", saved_of(table)))
    assert games(table.parent / "new") == 1
    left = [path.name for path in (table / "games").iterdir() if path.name.startswith(".")]
    assert left == []


def test_from_a_card_that_can_only_be_read(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tempfile.mkdtemp

    def writable(suffix: str | None = None, prefix: str | None = None, dir: str | None = None) -> str:
        assert table not in (Path(dir or tempfile.gettempdir()), *Path(dir or tempfile.gettempdir()).parents)
        return made(suffix, prefix, dir)

    monkeypatch.setattr(module.os, "access", lambda path, mode: False)
    monkeypatch.setattr(tempfile, "mkdtemp", writable)
    with zipfile.ZipFile(saved_of(table)) as archive:
        assert "games.db" in archive.namelist()


@pytest.mark.parametrize(
    ("card", "stick", "where"), [(10**6, 10**9, "stick"), (10**9, 10**6, "games"), (10**6, 10**5, "games")]
)
def test_the_games_of_a_full_card_are_copied_where_there_is_room(
    card: int, stick: int, where: str, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full card is when a backup is needed most: to an empty stick it ended with "the disk is full"."""
    (tmp_path / "stick").mkdir()
    made, rooms, real = tempfile.mkdtemp, list[str](), shutil.disk_usage

    def free(path: Path) -> Any:
        return real(path)._replace(free=stick if Path(path).name == "stick" else card)

    def making(suffix: str | None = None, prefix: str | None = None, dir: str | None = None) -> str:
        rooms.append(Path(dir or "").name)
        return made(suffix, prefix, dir)

    monkeypatch.setattr(shutil, "disk_usage", free)
    monkeypatch.setattr(tempfile, "mkdtemp", making)
    assert main(["backup", str(tmp_path / "stick"), "--config", str(table / "companion.toml")]) == 0
    assert rooms == [where]
    [saved] = (tmp_path / "stick").iterdir()
    with zipfile.ZipFile(saved) as archive:
        assert "games.db" in archive.namelist()


def test_a_backup_that_is_ended_leaves_nothing(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*words: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_add_games", ended)
    assert main(["backup", str(tmp_path / "saved.zip"), "--config", str(table / "companion.toml")]) == 130
    assert not list(tmp_path.glob("saved*"))


def test_a_board_among_the_boards_is_in_it_once(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toml = table / "companion.toml"
    toml.write_text(toml.read_text().replace("board/sheet.json", "games/boards/parcheesi/sheet.json"))
    with zipfile.ZipFile(saved_of(table)) as archive:
        assert [name for name in archive.namelist() if name.endswith("sheet.json")] == ["boards/parcheesi/sheet.json"]
    assert "is not in it" not in capsys.readouterr().out


KILLED = """
import os, signal, sys
from companion.service.machine import backup
from companion.service.cli import main
from companion.service.config import EXAMPLE
backup.add_file = lambda archive, path, name: os.kill(os.getpid(), signal.SIGKILL)
main(["backup", *sys.argv[1:]])
"""


@pytest.mark.long
def test_what_a_killed_backup_leaves_is_cleared_away_by_the_next(table: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    saved.mkdir()
    words = [str(saved), "--config", str(table / "companion.toml")]
    done = subprocess.run([sys.executable, "-c", KILLED, *words], check=False)
    assert done.returncode == -signal.SIGKILL
    left = list((table / "games").glob(".companion-backup-*"))
    assert left and list(saved.glob("*.part")), "it was killed in the midst of it"
    (saved / "companion-2026-01-02-0304.zip.part").write_bytes(b"an older one")
    (saved / "companion-notes.zip.part").write_bytes(b"not ours")
    assert main(["backup", *words]) == 0
    assert not list((table / "games").glob(".companion-backup-*"))
    assert [path.name for path in saved.glob("*.part")] == ["companion-notes.zip.part"]


def test_what_a_living_backup_needs_is_left_to_it(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home, saved = table / "games", table.parent / "saved.zip"
    (home / ".companion-backup-of-mine").mkdir()
    (home / ".companion-backup-aaaaaaaa").symlink_to(table)
    with scratch(home, module.PASSING) as living, archives.new_zip(saved):
        assert main(["backup", str(saved), "--config", str(table / "companion.toml")]) == 2
        assert "just being written" in capsys.readouterr().err
        assert main(["backup", str(table.parent / "other.zip"), "--config", str(table / "companion.toml")]) == 0
        assert living.is_dir() and saved.with_name("saved.zip.part").exists()
    assert not living.exists() and saved.exists()
    assert (home / ".companion-backup-of-mine").is_dir() and table.is_dir()
