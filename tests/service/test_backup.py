"""A backup holds the whole table, and restoring it loses nothing, whatever was there."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from pathlib import Path

import pytest
from program import Program

from companion.journal import open_journal
from companion.service.cli import main


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


def test_files_elsewhere_are_named(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lens = tmp_path / "far" / "lens.json"
    lens.parent.mkdir()
    lens.write_text("{}")
    toml = table / "companion.toml"
    toml.write_text(toml.read_text().replace('"lens.json"', f'"{lens}"'))
    assert main(["backup", str(tmp_path / "saved.zip"), "--config", str(toml)]) == 0
    assert f"{lens} is not in it" in capsys.readouterr().out
