"""A configuration that reads well but cannot be played: refused in a sentence, and found by the doctor."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.sheet import BOARDS, write_sheet
from companion.camera import Frame
from companion.games.catalogue import GAMES
from companion.games.contract import Game
from companion.games.parcheesi import Parcheesi
from companion.journal import open_journal
from companion.model import BadInput
from companion.service.boards.checking import a_picture
from companion.service.cli import main
from companion.service.config import read_config
from companion.service.machine import doctor as module
from companion.service.machine.doctor import BAD, OK, Part
from companion.service.machine.instance import Instance
from companion.service.machine.machine import Machine
from companion.service.meaning import meaning_of

QUIET = '[camera]\nsource = "none"\n[dice]\nport = "none"\n[journal]\nfolder = "games"\n'
WRONG = {
    "game": ('[game]\nname = "chess"\n', "companion.toml: [game] game 'chess': there is"),
    "seats": ("[game]\nseats = [0, 7]\n", "companion.toml: [game] seats"),
    "options": ("[game]\noptions = { arms = 6 }\n", "companion.toml: [game] "),
    "deck": ('[game]\ndeck = "builtin"\n', "companion.toml: [game] deck: Parcheesi has no questions"),
    "no deck": ('[game]\nname = "gloria"\ndeck = "ours.csv"\n', "companion.toml: [game] deck: "),
    "members": ('[game]\nmembers = { purple = ["Ann"] }\n', "companion.toml: [game] members: nobody plays 'purple'"),
    "sheet": ('[sheet]\npath = "none.json"\n', "companion.toml: [sheet] "),
    "panel": ("[panel]\nhorn = 3\n", "companion.toml: panel: unknown horn"),
}
LENS = '[camera]\nsource = "none"\nlens = "none.json"\n'


def configured(folder: Path, text: str) -> Path:
    path = folder / "companion.toml"
    path.write_text(text + ("" if "[camera]" in text else QUIET))
    return path


@pytest.mark.parametrize("what", WRONG)
def test_it_is_named_with_file_and_part(tmp_path: Path, what: str) -> None:
    text, said = WRONG[what]
    with pytest.raises(BadInput) as error:
        meaning_of(read_config(configured(tmp_path, text)))
    assert str(error.value).startswith(f"{tmp_path}/") and said in str(error.value)


def test_a_lens_that_is_not_there_is_named_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"companion\.toml: \[camera\] lens: .*none\.json"):
        meaning_of(read_config(configured(tmp_path, LENS)))


def test_a_game_that_brings_no_board_asks_for_a_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(BOARDS, "gloria")
    with pytest.raises(BadInput, match=r"toml: \[sheet\] path must name your sheet\.json: no board comes with Gloria"):
        meaning_of(read_config(configured(tmp_path, '[game]\nname = "gloria"\n')))


@pytest.mark.parametrize("what", ["game", "members", "sheet"])
def test_run_refuses_it_in_one_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str], what: str) -> None:
    assert main(["run", "--config", str(configured(tmp_path, WRONG[what][0]))]) == 2
    said = capfd.readouterr()
    assert said.out == "" and len(said.err.splitlines()) == 1 and said.err.startswith("companion: ")
    log = (tmp_path / "games" / "log" / "companion.log").read_text()
    assert "Companion ends: " in log and "Traceback" not in log


@pytest.mark.parametrize("words", [["run", "--config", "companion.toml"], ["demo", "--game", "half"]])
def test_a_game_that_cannot_be_made_is_named_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """Of a game that is half written, which cannot be made, run and demo showed Python's traceback."""
    monkeypatch.setitem(GAMES, "half", type("Half", (Game,), {"name": "half", "title": "Half", "sentences": {}}))
    configured(tmp_path, '[game]\nname = "half"\n')
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    said = capfd.readouterr().err
    assert len(said.splitlines()) == 1 and "game 'half' cannot be made: TypeError: Can't instantiate abstract" in said
    assert said.endswith("companion rules check --game half tells more\n")


def test_a_game_that_ends_the_program_when_it_is_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The service ended with what the game said alone, or with nothing."""
    made = {"name": "half", "title": "Half", "sentences": {}, "__init__": lambda *_: sys.exit(0)}
    monkeypatch.setitem(GAMES, "half", type("Half", (Parcheesi,), made))
    assert main(["run", "--config", str(configured(tmp_path, '[game]\nname = "half"\n'))]) == 2
    assert "game 'half' cannot be made: SystemExit: 0" in capfd.readouterr().err


def test_a_second_one_is_refused_in_one_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = configured(tmp_path, "")
    with Instance(tmp_path / "games"):
        assert main(["run", "--config", str(path)]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_what_was_not_foreseen_keeps_its_traceback_in_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*_: object) -> None:
        raise RuntimeError("oops")

    monkeypatch.setattr("companion.service.running.build", build)
    with pytest.raises(RuntimeError):
        main(["run", "--config", str(configured(tmp_path, ""))])
    assert "Traceback" in (tmp_path / "games" / "log" / "companion.log").read_text()


def doctored(path: Path) -> Sequence[Part]:
    machine = Machine(path.parent / "root", lambda words: None)
    return module.doctor(machine, path)


@pytest.mark.parametrize("what", [what for what in WRONG if what != "panel"])
def test_the_doctor_finds_it_whatever_the_camera_does(tmp_path: Path, what: str) -> None:
    [table] = [part for part in doctored(configured(tmp_path, WRONG[what][0])) if part.name == "table"]
    assert table.state == BAD and WRONG[what][1] in table.text


@pytest.mark.long
def test_the_doctor_finds_a_sheet_that_needs_a_photo(tmp_path: Path) -> None:
    write_sheet("parcheesi", tmp_path)
    sheet = tmp_path / "sheet.json"
    sheet.write_text(sheet.read_text().replace('"markers"', '"no_markers"'))
    found = doctored(configured(tmp_path, '[sheet]\npath = "sheet.json"\n'))
    [table] = [part for part in found if part.name == "table"]
    assert table.state == BAD and "a photo of the empty board is needed" in table.text


def test_a_camera_that_works_is_not_blamed_for_the_table(tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    chance = np.random.default_rng(1)
    cv2.imwrite(str(tmp_path / "frames" / "a.png"), chance.integers(0, 255, (480, 640, 3), np.uint8))
    text = '[game]\nname = "chess"\n[camera]\nsource = "frames"\n[journal]\nfolder = "games"\n'
    parts = {part.name: part.state for part in doctored(configured(tmp_path, text))}
    assert parts["table"] == BAD and parts["camera"] == OK and "board" not in parts


def test_a_table_that_can_be_is_told(tmp_path: Path) -> None:
    open_journal(tmp_path / "games" / "games.db").close()
    [table] = [part for part in doctored(configured(tmp_path, "")) if part.name == "table"]
    assert (table.state, table.text) == (OK, "Parcheesi for 4; the board: parcheesi, as printed")


def test_pictures_beside_the_configuration_are_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own"
    (own / "frames").mkdir(parents=True)
    cv2.imwrite(str(own / "frames" / "a.png"), np.zeros((480, 640, 3), np.uint8))
    (own / "companion.toml").write_text('[camera]\nsource = "frames"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("companion.service.boards.checking.WARM_UP", 0.0)
    assert main(["check", "--config", "own/companion.toml"]) == 1
    assert "The picture is black" in capsys.readouterr().out
    assert a_picture(read_config(Path("own/companion.toml"))).shape == (480, 640, 3)
    main(["calibrate", "lens", "--config", "own/companion.toml", "--seconds", "0.5", "--out", str(tmp_path / "l.json")])
    assert "no camera" not in capsys.readouterr().err


def test_a_backup_that_is_not_there_is_named_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["restore", str(tmp_path / "none.zip"), "--config", str(configured(tmp_path, ""))]) == 2
    assert capsys.readouterr().err == f"companion: {tmp_path}/none.zip: there is no such file\n"


class Camera:
    """One that sends a picture each time it is asked, with some noise, grey levels, until `last`."""

    state = "ok"

    def __init__(self, noise: float, last: int = 99) -> None:
        self.noise, self.last, self.sent, self.rng = noise, last, 0, np.random.default_rng(1)

    def newest(self, after: float | None = None) -> Frame | None:
        if self.sent == self.last:
            return self.frame if after is None else None
        self.sent += 1
        image = (90 + self.rng.normal(0, self.noise, (120, 160, 3))).round().clip(0, 255).astype(np.uint8)
        self.frame = Frame(float(self.sent), image)
        return self.frame

    def close(self) -> None:
        """It is let go."""


@pytest.mark.parametrize(
    ("noise", "last", "left"), [(8.0, 99, 8 / 6**0.5), (1.0, 99, 1.0), (8.0, 1, 8.0), (8.0, 4, 4.0)]
)
def test_a_noisy_camera_is_asked_for_some_pictures_of_which_the_mean_is_checked(
    noise: float, last: int, left: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("WARM_UP", 0.0), ("GATHERED", 0.4), ("open_camera", lambda *_, **__: Camera(noise, last))):
        monkeypatch.setattr(f"companion.service.boards.checking.{name}", value)
    config = read_config(configured(tmp_path, '[camera]\nsource = "0"\n[journal]\nfolder = "games"\n'))
    assert a_picture(config).std() == pytest.approx(left, rel=0.1)
