"""Packages of other people, as docs/add-ons.md makes one: every command knows their games; what is wrong is named."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from calibration.sheet import BOARDS
from companion.games.catalogue import GAMES, game_for
from companion.games.gloria import Gloria
from companion.games.plays import answer, serve
from companion.journal import open_journal
from companion.model import BadInput, StateError
from companion.service.addons import add_game, add_panel
from companion.service.boards.configured import printed_board
from companion.service.boards.pointing import Pointing
from companion.service.boards.setting_up import SettingUp
from companion.service.records.past_games import rejudge
from companion.vision import make_scene

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "add-ons.md"


def block(language: str) -> str:
    """The first block of the document in a language, as it is to be written to a file."""
    lines = re.search(rf"   ```{language}\n(.*?)   ```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert lines is not None
    return re.sub("^   ", "", lines[1], flags=re.MULTILINE)


def project(folder: Path) -> Path:
    """The package of the document."""
    folder.mkdir()
    for name in ("dash.py", "dash_board.py"):
        shutil.copy(ROOT / "docs" / "examples" / name, folder)
    (folder / "dash_addon.py").write_text(block("python"), encoding="utf-8")
    (folder / "pyproject.toml").write_text(block("toml"), encoding="utf-8")
    return folder


def installed(folder: Path, points: dict[str, str]) -> Path:
    """Leaves beside the modules what pip would: which package they are, and what it enters."""
    info = folder / "companion_dash-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: companion-dash\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[companion]\n" + "".join(f"{n} = {v}\n" for n, v in points.items()))
    return folder


@pytest.fixture(scope="module")
def dash(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = project(tmp_path_factory.mktemp("projects") / "dash")
    told = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    named = {path.stem for path in folder.glob("*.py")}
    assert set(told["tool"]["setuptools"]["py-modules"]) == named
    return installed(folder, told["project"]["entry-points"]["companion"])


def companion(folder: Path, *words: str, at: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}
    words = (sys.executable, "-m", "companion", *words)
    return subprocess.run(words, cwd=at, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.long
def test_every_command_knows_the_game(dash: Path, tmp_path: Path) -> None:
    listed = companion(dash, "rules", "list", "--game", "dash")
    assert listed.returncode == 0 and "DSH-1" in listed.stdout and not listed.stderr
    checked = companion(dash, "rules", "check", "--game", "dash", "--games", "2")
    assert checked.returncode == 0 and "Nothing is wrong" in checked.stdout, "with its words and its board"
    assert companion(dash, "sheet", "dash", "--out", str(tmp_path)).returncode == 0
    assert (tmp_path / "dash-a4.pdf").exists()


@pytest.mark.long
def test_the_doctor_lists_it(dash: Path, tmp_path: Path) -> None:
    quiet = '[camera]\nsource = "none"\n[dice]\nport = "none"\n[game]\nname = "dash"\nseats = [0, 2]\n'
    (tmp_path / "companion.toml").write_text(quiet)
    said = companion(dash, "doctor", "--config", str(tmp_path / "companion.toml"), at=tmp_path).stdout
    assert re.search(r"^ok +add-ons +dash \(companion-dash 1\.0\)$", said, re.MULTILINE)
    assert re.search(r"^ok +table +Dash for 2", said, re.MULTILINE)


BROKEN = {
    "no module": ("nowhere:enter", "", "ModuleNotFoundError: No module named 'nowhere'"),
    "no function": ("it:leave", "def enter(): ...", "AttributeError: .*leave"),
    "raises": ("it:enter", "def enter():\n    {}['t99']\n", r"KeyError: 't99' \(it.py, line 2\)"),
    "ends": ("it:enter", "import sys\nsys.exit('not here')\n", "SystemExit: not here"),
    "no Python": ("it:enter", "def enter(:\n", "SyntaxError"),
    "taken": (
        "it:enter",
        "from companion.service.addons import add_game\nfrom companion.games.gloria import Gloria\n"
        "def enter():\n    add_game(Gloria)\n",
        "game 'gloria': there is one of that name already. Take another",
    ),
}


@pytest.mark.long(but=("no module", "taken"))
@pytest.mark.parametrize(("point", "code", "why"), BROKEN.values(), ids=BROKEN)
def test_one_that_cannot_be_entered_is_named_and_all_else_works(
    tmp_path: Path, point: str, code: str, why: str
) -> None:
    (tmp_path / "it.py").write_text(code)
    said = companion(installed(tmp_path, {"mine": point}), "rules", "list", "--game", "gloria")
    assert said.returncode == 0 and len(said.stdout.splitlines()) > 15
    assert re.fullmatch(rf"WARNING The add-on mine \(companion-dash 1\.0\) cannot be used: {why}.*\n", said.stderr)


@pytest.mark.long
def test_what_an_addon_prints_is_no_part_of_what_a_command_writes(tmp_path: Path) -> None:
    """`companion config > companion.toml` began with it, and answers by machine were no JSON."""
    (tmp_path / "it.py").write_text("print('loading')\ndef enter():\n    print('entering')\n")
    folder = installed(tmp_path, {"loud": "it:enter"})
    written = companion(folder, "config")
    assert written.stdout.startswith("# Companion") and written.stderr.split() == ["loading", "entering"]


class Nameless(Gloria):
    name = "My Game"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"game": Gloria((0, 2), {})}, "a class that inherits"),
        ({"game": dict}, "a class that inherits"),
        ({"game": Nameless}, "game 'My Game': a name is a word of small letters"),
        ({"game": type("SevenUp", (Gloria,), {"name": "7-up"})}, "game '7-up': .*, a letter first"),
        ({"game": Gloria}, "there is one of that name already"),
        ({"game": type("Half", (Gloria,), {"name": "half"}), "sheet": dict}, "give both or neither"),
    ],
)
def test_what_is_no_game_or_half_a_board_is_refused(given: dict[str, Any], why: str) -> None:
    before = dict(GAMES)
    with pytest.raises(BadInput, match=why):
        add_game(**given)
    assert before == GAMES


def test_a_panel_of_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="panel 'my strip': a name is a word"):
        add_panel("my strip", lambda pressed: pressed)  # type: ignore[arg-type,return-value]


@pytest.mark.long
def test_pretend_players_play_it(dash: Path) -> None:
    played = companion(dash, "demo", "--game", "dash", "--headless", "--turns", "2", "--seed", "1", "--speed", "6")
    assert played.returncode == 0 and "false accusations            0" in played.stdout


@pytest.mark.long
def test_pip_installs_it(tmp_path: Path) -> None:
    words = ("install", "--quiet", "--no-deps", "--target", str(tmp_path / "there"))
    subprocess.run((sys.executable, "-m", "pip", *words, str(project(tmp_path / "dash"))), check=True, timeout=120)
    assert "DSH-1" in companion(tmp_path / "there", "rules", "list", "--game", "dash").stdout


@pytest.mark.long
def test_a_table_goes_on_without_parts_of_an_addon_that_cannot_be_used(tmp_path: Path) -> None:
    """After an update of Python, say, nothing worked any more: not the game, not a backup, not the doctor."""
    (tmp_path / "it.py").write_text("raise ImportError('of another Python')\n")
    folder = installed(tmp_path, {"parts": "it:enter"})
    told = '[camera]\nsource = "none"\n[dice]\nport = "line"\n[panel]\nalso = "strip"\n[game]\nname = "gloria"\n'
    told += '[journal]\nfolder = "games"\n'
    (tmp_path / "companion.toml").write_text(told)
    given = ("--config", str(tmp_path / "companion.toml"))
    open_journal(tmp_path / "games" / "games.db").close()
    assert companion(folder, "games", "list", *given, at=tmp_path).returncode == 0
    said = companion(folder, "doctor", *given, at=tmp_path).stdout
    assert "of another Python" in said
    assert re.search(r"dice +the add-on that brings 'line' cannot be used", said), said
    assert re.search(r"lamps +the add-on that brings 'strip' cannot be used", said), said
    (tmp_path / "it.py").write_text("def enter(): ...")
    ended = companion(folder, "games", "list", *given, at=tmp_path)
    assert ended.returncode == 2 and "is no panel of your own" in ended.stderr, "without such an add-on it is a slip"


def test_rules_by_machine_go_on_though_a_game_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Gloria, data: Any) -> Any:
        raise KeyError("pieces")

    monkeypatch.setattr(Gloria, "from_json", fails)
    said = answer('{"state": {"game": "gloria", "options": {}, "seats": [0, 2]}, "roll": [3]}')
    assert "the game failed: KeyError: 'pieces'" in said


def test_what_a_game_prints_is_no_answer_by_machine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def prints(self: Gloria, data: Any) -> Any:
        print("here")
        raise StateError("pieces are missing")

    monkeypatch.setattr(Gloria, "from_json", prints)
    request = '{"state": {"game": "gloria", "options": {}, "seats": [0, 2]}, "roll": [3]}\n'
    serve(io.StringIO(request), sys.stdout)
    said = capsys.readouterr()
    assert said.out == '{"error": "pieces are missing"}\n' and said.err == "here\n"


def test_a_game_without_a_printed_board_has_its_set_up_page_and_is_judged_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is played on a board that has a sheet.json; the page stumbled, and so did `games rejudge`."""
    game = game_for("gloria", (0, 2), {})
    sheet, picture, _ = printed_board("gloria")
    monkeypatch.delitem(BOARDS, "gloria")
    scene = make_scene(sheet, picture)
    layout = SettingUp(game, scene, lambda: None, None, lambda: None, Pointing(scene, lambda: None, print)).layout()
    assert set(layout.spaces) == set(sheet.spaces) and layout.svg.startswith("<svg")
    journal = open_journal(tmp_path / "games.db")
    journal.begin_game("gloria", {}, [0, 2], None, {"throws": 0})
    assert list(rejudge(journal, journal.games()[0])) == ["The same verdicts as then."]
    journal.close()
