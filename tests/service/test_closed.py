"""What this user may not read or write, and names that are none: one sentence, which blames nothing else."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.sheet import write_sheet
from companion.journal import kept_out, open_journal
from companion.journal.ailing import why
from companion.service import cli
from companion.service.cli import main

RIGHTS = "-dac_override,-dac_read_search"
"""What lets root read and write what is closed."""
AS_A_USER = ["setpriv", f"--inh-caps={RIGHTS}", f"--bounding-set={RIGHTS}"] if os.geteuid() == 0 else []
LONG = "x" * 300
QUIET = '[camera]\nsource = "none"\n[dice]\nport = "none"\n[page]\nhost = "127.0.0.1"\n[journal]\nfolder = "{}"\n'
RECORDING = '{"recording": 1, "game": "parcheesi", "seats": [0, 2], "first": 0, "sheet": "sheet.json"}'

pytestmark = pytest.mark.skipif(bool(AS_A_USER) and not shutil.which("setpriv"), reason="setpriv is not installed")


def config_of(home: Path, name: str, games: str, more: str = "") -> Path:
    path = home / name
    path.write_text(more + QUIET.format(games))
    return path


def recording_of(folder: Path) -> Path:
    write_sheet("parcheesi", folder)
    (folder / "recording.json").write_text(RECORDING)
    (folder / "events.jsonl").touch()
    (folder / "frames").mkdir()
    cv2.imwrite(str(folder / "frames" / "00000100.jpg"), np.zeros((480, 640, 3), np.uint8))
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A table, some of whose files and folders are closed."""
    home = tmp_path_factory.mktemp("home")
    for games in ("games", "closed-games", "closed-journal"):
        journal = open_journal(home / games / "games.db")
        journal.begin_game("parcheesi", {}, [0, 2], "parcheesi, as printed")
        journal.close()
        config_of(home, f"{games}.toml", games)
    config_of(home, "closed-deck.toml", "games", '[game]\nname = "gloria"\ndeck = "closed"\n')
    (home / "saved.zip").write_bytes(b"no zip")
    cv2.imwrite(str(home / "closed.png"), np.zeros((480, 640, 3), np.uint8))
    (home / "closed").mkdir()
    write_sheet("parcheesi", home / "board")
    texture = next((recording_of(home / "no-texture")).glob("*.png"))
    frames = recording_of(home / "no-frames") / "frames"
    frame = recording_of(home / "no-frame") / "frames" / "00000100.jpg"
    shut = (home / "closed-games", home / "closed-journal" / "games.db", home / "closed.png", home / "closed")
    shut = (*shut, texture, frames, frame, home / "saved.zip")
    for path in shut:
        path.chmod(0)
    yield home
    for path in shut:
        path.chmod(0o700)


IN_ONE_GO = """
import contextlib, io, json, sys
from companion.service.cli import main
for command in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(command.split())
    print(json.dumps([command, status, out.getvalue(), err.getvalue()]))
"""


def as_a_user(home: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Python, run by an ordinary user."""
    where = os.pathsep.join([str(Path(cli.__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": where}
    command = [*AS_A_USER, sys.executable, *words]
    return subprocess.run(command, input=given, capture_output=True, text=True, cwd=home, timeout=110, env=env)


def last_line(status: int, out: str, err: str) -> tuple[int, str]:
    """The status of a command, and the last line that it said of what is wrong."""
    assert "Traceback" not in err + out
    return status, (err or out).splitlines()[-1]


def said(home: Path, *words: str) -> tuple[int, str]:
    """What an ordinary user's command ends with."""
    done = as_a_user(home, "-m", "companion", *words)
    return last_line(done.returncode, done.stdout, done.stderr)


SHUT = r"games\.db is closed to its own user: chmod -R u\+rwX /.*/closed-journal$"
REFUSED = {
    "run --config closed-games.toml": "closed-games is closed to its own user: chmod -R u",
    "run --config closed-deck.toml": r"\[game\] deck: /.*/closed: Permission denied; put sudo before the command",
    "games list --config closed-journal.toml": SHUT,
    "games export --out new --config closed-journal.toml": SHUT,
    "games rejudge --config closed-journal.toml": SHUT,
    "dice stats --config closed-journal.toml": SHUT,
    "backup new.zip --config closed-journal.toml": SHUT,
    "check --sheet board/sheet.json closed.png": r"closed\.png: Permission denied; put sudo",
    "calibrate board --photo closed.png --out new": r"closed\.png: Permission denied; put sudo",
    "calibrate board --photo closed/a.png --out new": r"closed/a\.png: Permission denied; put sudo",
    "calibrate lens closed.png": r"closed\.png: Permission denied; put sudo",
    "calibrate lens closed": "closed: Permission denied; put sudo",
    "replay no-texture": r"no-texture/\w+\.png: Permission denied; put sudo",
    "replay no-frames": "no-frames/frames: Permission denied; put sudo",
    "replay no-frame": r"no-frame/frames/00000100\.jpg: Permission denied; put sudo",
    "backup closed --config games.toml": r"closed/companion-.*\.zip: Permission denied; choose a place that can be",
    "backup closed/a.zip --config games.toml": r"closed/a\.zip: Permission denied; choose a place that can be written",
    "doctor --bundle closed/a.zip --config games.toml": r"closed/a\.zip: Permission denied; choose a place",
    "demo --headless --record closed": "closed: Permission denied; record to a folder that can be written",
    "demo --headless --record closed/new": "closed/new: Permission denied; record to a folder",
    "games export --out closed/new --config games.toml": "closed/new: Permission denied; record to a folder",
    "restore saved.zip --config games.toml": r"saved\.zip: Permission denied; put sudo before the command",
    "restore closed --config games.toml": "closed is a folder: name the file of the backup|closed: Permission denied",
}
TOO_LONG = {
    f"check --sheet board/sheet.json {LONG}": "x: File name too long; name a shorter one",
    f"calibrate lens {LONG}": "x: File name too long; name a shorter one",
    f"backup {LONG} --config games.toml": "x: File name too long; choose a place",
    f"doctor --bundle {LONG} --config games.toml": "x: File name too long; choose a place",
    f"demo --headless --record {LONG}": "x: File name too long; record to a folder",
    f"restore {LONG} --config games.toml": "x: File name too long; name a shorter one",
}


@pytest.mark.long
def test_it_is_refused_in_one_sentence(home: Path) -> None:
    """One process gives all these commands: to begin one for each takes a minute more."""
    done = as_a_user(home, "-c", IN_ONE_GO, given=json.dumps(list(REFUSED)))
    ended = [json.loads(line) for line in done.stdout.splitlines()]
    assert [command for command, *_ in ended] == list(REFUSED), done.stderr
    for command, *how in ended:
        status, sentence = last_line(*how)
        assert status == 2 and sentence.startswith("companion: "), (command, status, sentence)
        assert re.search(REFUSED[command], sentence), (command, sentence)


@pytest.mark.long(but=("backup xxxxxxxxxxxxxxxxxxxxxxx",))
@pytest.mark.parametrize("command", TOO_LONG, ids=[command[:30] for command in TOO_LONG])
def test_a_name_that_is_too_long_is_refused_so(
    home: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(home)
    assert main(command.split()) == 2
    sentence = capsys.readouterr().err
    assert sentence.startswith("companion: ") and TOO_LONG[command] in sentence


@pytest.mark.long
def test_look_goes_on_after_a_picture_that_is_closed(home: Path) -> None:
    assert said(home, "look", "--sheet", "board/sheet.json", "closed.png") == (
        *(1, "closed.png: Permission denied; put sudo before the command, or name another"),
    )


@pytest.mark.long
def test_the_doctor_says_that_nobody_could_play(home: Path) -> None:
    status, last = said(home, "doctor", "--config", "closed-games.toml")
    assert (status, last) == (1, "To be mended: table, games.")
    assert said(home, "doctor", "--config", "closed-journal.toml") == (1, "To be mended: games.")


def test_a_journal_of_another_user_is_no_worn_card(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    journal = open_journal(tmp_path / "games" / "games.db")
    journal.close()
    os.chown(tmp_path / "games" / "games.db", 65534, 65534)
    play = "from pathlib import Path; from companion.journal import open_journal as o; "
    play += "o(Path('games/games.db').resolve()).begin_game('parcheesi', {}, [0, 2])"
    command = [*AS_A_USER, sys.executable, "-c", play]
    where = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[2])}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=where, timeout=60)
    assert "games.db belongs to another user (nobody): put sudo before the command, or give all to" in done.stderr
    assert done.stderr.endswith(f"this one: sudo chown -R root {tmp_path}/games\n") and "card" not in done.stderr


def test_what_this_user_may_use_is_not_closed(tmp_path: Path) -> None:
    assert kept_out(tmp_path / "games.db") == kept_out(tmp_path / "none" / "games.db") == ""


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor called it well, and all games were in memory."""
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "games"):
        assert kept_out(folder / "games.db").startswith(f"{tmp_path}/file is no folder: move it away")
    monkeypatch.setattr(os, "access", lambda place, wanted: not wanted & os.W_OK)
    shut = kept_out(tmp_path / "none" / "games" / "games.db")
    assert shut.startswith(f"there is no {tmp_path}/none/games, and this user may not make a folder in {tmp_path}: ")
    gone = why(tmp_path / "stick" / "games.db", sqlite3.OperationalError("unable to open database file"))
    assert gone.endswith("or its folder gone"), "a stick that was pulled out is no question of rights"
    assert kept_out(tmp_path / "none" / "games.db", os.R_OK) == "", "there is nothing to be read"


@pytest.mark.long(but=("words1",))
@pytest.mark.parametrize("words", [["config"], ["rules", "list"]])
def test_what_cannot_be_printed_is_said(words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
        )
    assert done.returncode == 2
    assert done.stderr == "companion: what is printed: No space left on device; make room\n"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.EIO, "Input/output error", "a.jpg"), "a.jpg: Input/output error; the disk does not work: "),
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device; make room"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", "a"), "a: Is a directory"),
        (OSError("nobody knows"), "nobody knows"),
    ],
)
def test_what_no_command_expected_is_a_sentence_too(
    error: OSError, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(*words: object) -> Callable[[], int]:
        raise error

    monkeypatch.setattr("companion.games.catalogue.rules_of", failing)
    assert main(["rules", "list", "--game", "gloria"]) == 2
    assert capsys.readouterr().err.startswith(f"companion: {sentence}")
