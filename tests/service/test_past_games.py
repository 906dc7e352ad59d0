"""The games of the journal: listed, shown, exported and judged again."""

from __future__ import annotations

import io
import json
import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from table import VIEW, TestTable, painter_of, scene_of

from calibration.sheet import write_sheet
from companion.journal import open_journal
from companion.journal.export import CLOSES, entries_of
from companion.model import Rolled, Word
from companion.referee.bench import Bench
from companion.service import config as configuration
from companion.service.cli import main
from companion.service.records import past_games
from companion.service.table.recorder import record_board
from companion.vision import make_scene


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a short game with a foul."""
    folder = tmp_path_factory.mktemp("evening") / "games"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("table.BOARD", "parcheesi, as printed")
        table = TestTable(folder, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    table.live(1.0)
    table.ask("roll", dice=(3, 1))
    table.move(0, "t10", "t16")
    table.live(2.5)
    table.move(0, "t16", "t10")
    table.live(2.5)
    table.move(0, "t10", "t14")
    assert table.live(2.5) == ["legal"]
    table.service.close()
    return folder


@pytest.fixture
def played(tmp_path: Path, evening: Path) -> Path:
    """A configuration whose journal holds that game."""
    shutil.copytree(evening, tmp_path / "games")
    config = tmp_path / "companion.toml"
    config.write_text('[journal]\nfolder = "games"\n')
    return config


def run(words: list[str], config: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["games", *words, "--config", str(config)]) == 0
    return capsys.readouterr().out


def test_list_and_show(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list"], played, capsys).endswith("  parcheesi        red and yellow  open\n")
    shown = run(["show", "1"], played, capsys)
    assert "illegal" in shown and "[PAR-4" in shown and "rolled" in shown


def test_the_list_says_in_colours_who_played_and_won(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = open_journal(played.parent / "games" / "games.db")
    won = (("gloria", (0, 1, 2), {}), ("aggravation", (0, 5), {"arms": 6}), ("chess", (0, 1), {}))
    for name, seats, options in won:
        journal.end_game(journal.begin_game(name, options, seats), {"winners": [seats[1]]})
    journal.end_game(journal.begin_game("game-of-god", {}, (0, 2)), {"left": True, "winners": []})
    journal.end_game(journal.begin_game("game-of-god", {}, (0, 2)), {"winners": [0, 2]})
    journal.close()
    ends = [line[24:].split(maxsplit=1) for line in run(["list"], played, capsys).splitlines()[1:]]
    assert ends == [
        ["gloria", "red, blue and yellow  won by blue"],
        ["aggravation", "red and purple  won by purple"],
        ["chess", "0 and 1  won by 1"],
        ["game-of-god", "white and black  left"],
        ["game-of-god", "white and black  a draw of white and black"],
    ]


def test_a_game_of_a_clock_that_was_not_set_is_listed_without_a_day(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(played.parent / "games" / "games.db")) as db:
        db.execute("UPDATE games SET started = 77.0")
        db.commit()
    assert run(["list"], played, capsys) == "   1  clock not set     parcheesi        red and yellow  open\n"


def test_the_number_may_stand_before_and_after_the_options(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = set()
    for words in (["show", "1", "--config", "X"], ["show", "--config", "X", "1"], ["--config", "X", "show", "1"]):
        assert main(["games", *(str(played) if word == "X" else word for word in words)]) == 0
        said.add(capsys.readouterr().out)
    assert len(said) == 1


def test_judged_again_with_the_same_verdicts(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = run(["rejudge"], played, capsys)
    assert again.splitlines()[-1] == "The same verdicts as then."
    assert [line.split()[1] for line in again.splitlines()[:-1]] == ["illegal", "restored", "legal"]


def test_what_cannot_be_judged_any_more_is_named_and_the_rest_is_judged(
    played: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tell = past_games.tell

    def faulty(bench: Bench, word: Word) -> object:
        if isinstance(word, Rolled):
            raise IndexError("tuple index out of range")
        return tell(bench, word)

    monkeypatch.setattr(past_games, "tell", faulty)
    again = run(["rejudge"], played, capsys)
    assert "(rolled) could not be judged: IndexError: tuple index out of range (test_past_games.py, line " in again
    assert again.splitlines()[-1] == "Not the same verdicts as then."


def test_a_verdict_that_cannot_be_read_keeps_no_other_from_being_told(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_journal(played.parent / "games" / "games.db")) as journal:
        journal.append(1, "verdict", {"kind": "sung", "at": 9.0}, 9.0)
        journal.append(1, "verdict", {"kind": "note", "at": 10.0, "text": "The last word."}, 10.0)
    shown = run(["show"], played, capsys).splitlines()
    assert "the journal has a verdict that cannot be: 'sung' is not" in shown[-2] and "The last word." in shown[-1]
    assert run(["rejudge"], played, capsys).splitlines()[-1] == "Not the same verdicts as then."


def test_export(played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    run(["export", "1", "--out", str(out)], played, capsys)
    assert json.loads((out / "recording.json").read_text())["game"] == "parcheesi"
    events = [json.loads(line) for line in (out / "events.jsonl").read_text().splitlines()]
    assert [event["roll"] for event in events if "roll" in event] == [[3, 1]]
    assert list((out / "frames").glob("*.jpg"))


def replayed(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[list[str], str]:
    """The kinds of the verdicts, and what else was said."""
    assert main(["replay", str(folder), "--json"]) == 0
    said = capsys.readouterr()
    return [json.loads(line)["verdict"] for line in said.out.splitlines()], said.err


def board_of(played: Path, name: str | None) -> None:
    """Let the game have been played on the board of that name."""
    with closing(sqlite3.connect(played.parent / "games" / "games.db")) as db:
        db.execute("UPDATE games SET sheet = ?", (name,))
        db.commit()


def test_an_exported_game_is_replayed_with_the_verdicts_of_then(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["export", "--out", str(out)], played, capsys) == f"{out}\n"
    assert {path.name for path in out.iterdir()} == {
        *("recording.json", "events.jsonl", "game.json", "frames", "sheet.json", "texture.png")
    }
    shutil.rmtree(played.parent / "games")
    kinds, said = replayed(out, capsys)
    assert kinds == ["illegal", "restored", "legal"]
    assert said == (
        "companion: few pictures of this game were kept: it is judged by what was read on the board then, "
        "as companion games rejudge does\n"
    )
    frames = sorted(map(str, (out / "frames").glob("*.jpg")))
    assert main(["look", *frames, "--sheet", str(out / "sheet.json")]) == 0, "its pictures can be looked at"


def test_an_exported_game_that_was_cut_off_is_replayed_up_to_there(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    run(["export", "--out", str(out)], played, capsys)
    whole = (out / "game.json").read_text()
    (out / "game.json").write_text(whole[: whole.rindex('"kind": "legal"')])
    assert main(["replay", str(out)]) == 2
    said = capsys.readouterr()
    assert [line.split()[1] for line in said.out.splitlines()] == ["illegal", "restored", "legal"]
    assert re.search(r"companion: .*game.json, after entry [0-9]+: it is cut off, or damaged", said.err)
    entries = json.loads(whole)["entries"]
    (out / "game.json").write_text(json.dumps({"entries": [*entries[:9], 7]}, indent=1))
    assert main(["replay", str(out)]) == 2
    assert "game.json, after entry 9: an entry must be an object, not 7" in capsys.readouterr().err


def test_an_exported_game_is_read_entry_by_entry(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All that was seen in an evening, read at once, filled the memory."""
    run(["export", "--out", str(tmp_path / "out")], played, capsys)
    text = (tmp_path / "out" / "game.json").read_text()
    listed = json.loads(text)["entries"]
    assert len(listed) > 9
    assert [*entries_of(io.StringIO(text))] == listed
    for indent in (None, 0, 1, 2):  # laid out by somebody else, or as older versions wrote it
        assert [*entries_of(io.StringIO(json.dumps({"entries": listed}, indent=indent)))] == listed
    for end in range(0, text.rindex(CLOSES), 97):
        told: list[object] = []
        with pytest.raises(ValueError):
            for entry in entries_of(io.StringIO(text[:end])):
                told.append(entry)
        assert told == listed[: len(told)]
    for other in ("[]", '{"entries": {}}', "7", "{"):
        with pytest.raises(ValueError):
            [*entries_of(io.StringIO(other))]
    rows = (tmp_path / "out" / "game.json").open()
    assert next(entries_of(rows)) == listed[0] and json.loads(rows.readline().strip().removesuffix(",")) == listed[1]


def test_an_export_without_pictures_says_so_and_is_replayed(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(played.parent / "games" / "pictures")
    assert "No pictures were kept of game 1" in run(["export", "--out", str(tmp_path / "out")], played, capsys)
    kinds, said = replayed(tmp_path / "out", capsys)
    assert kinds == ["illegal", "restored", "legal"] and "no pictures of this game were kept" in said


@pytest.mark.parametrize("where", ["named", "set up on the phone"])
def test_an_export_has_the_board_that_was_played_on(
    played: Path, tmp_path: Path, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "board" if where == "named" else played.parent / "games" / "boards" / "parcheesi"
    view = painter_of("parcheesi", VIEW)
    sheet = replace(scene_of("parcheesi").sheet, markers=None, texture=None)
    places = np.array([(s.x, s.y) for s in sheet.spaces.values()])
    pixels = view.project(np.column_stack([places, np.zeros(len(places))]))
    own.mkdir(parents=True)
    record_board(make_scene(sheet, None, view.paint([]), np.hstack([places, pixels])), own)
    board_of(played, str(own / "sheet.json") if where == "named" else "parcheesi, a board of your own")
    out = tmp_path / "out"
    assert run(["export", "--out", str(out)], played, capsys) == f"{out}\n"
    head = json.loads((out / "recording.json").read_text())
    assert (head["sheet"], head["reference"]) == ("sheet.json", "empty.png")
    shutil.rmtree(own)
    assert replayed(out, capsys)[0] == ["illegal", "restored", "legal"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["/home/ann/board/sheet.json", "parcheesi, a board of your own", None])
def test_an_export_whose_board_is_gone_says_so_and_so_does_the_replay(
    played: Path, tmp_path: Path, name: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    board_of(played, name)
    out = tmp_path / "out"
    said = run(["export", "--out", str(out)], played, capsys).splitlines()
    assert said[0] == str(out) and len(said) == 2
    assert said[1].startswith(f"The board is not in it ({name or 'a board without a name'}: there is no such board")
    assert main(["replay", str(out)]) == 2
    assert f"{out / 'sheet.json'}: the board is not in this recording" in capsys.readouterr().err
    write_sheet("parcheesi", tmp_path / "printed")
    for path in (tmp_path / "printed").iterdir():
        shutil.copy(path, out / path.name.replace("parcheesi.json", "sheet.json"))
    assert replayed(out, capsys)[0] == ["illegal", "restored", "legal"]


def test_an_export_of_a_game_that_is_not_installed_any_more_says_what_is_missing(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_journal(played.parent / "games" / "games.db")) as journal:
        journal.begin_game("chess", {}, [0, 1], "chess, as printed", {"throws": 0})
    said = run(["export", "--out", str(tmp_path / "out")], played, capsys)
    assert "it can be replayed by a Companion that knows it (is an add-on missing here?) once its sheet.json" in said


def test_an_export_is_not_mixed_with_other_files(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").touch()
    assert main(["games", "export", "--out", str(tmp_path / "out"), "--config", str(played)]) == 2
    assert capsys.readouterr().err == (
        f"companion: {tmp_path / 'out'}: a recording needs a new or an empty folder; name another\n"
    )
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["letter.txt"]


def test_what_is_not_there_is_said(played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "show", "7", "--config", str(played)]) == 2
    said = capsys.readouterr().err
    assert f"there is no game 7 in {played.parent / 'games'}: the last is 1" in said and ":memory:" not in said
    assert main(["games", "export", "--config", str(played)]) == 2
    assert "--out" in capsys.readouterr().err
    empty = tmp_path / "empty.toml"
    empty.write_text('[journal]\nfolder = "none"\n')
    assert main(["games", "list", "--config", str(empty)]) == 2
    assert "no games" in capsys.readouterr().err
    (tmp_path / "none").mkdir()
    open_journal(tmp_path / "none" / "games.db").close()
    assert main(["games", "list", "--config", str(empty)]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'none'}: no game was played there yet\n"


@pytest.mark.parametrize("words", ["games list", "games show", "dice stats", "backup x.zip"])
def test_without_a_configuration_no_table_is_guessed(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))  # a table's games, but whose?
    open_journal(tmp_path / "games.db").close()
    monkeypatch.setattr(configuration, "APPLIANCE", tmp_path / "none.toml")
    assert main(words.split()) == 2
    assert "no configuration: name it with --config companion.toml" in capsys.readouterr().err


def test_the_dice_of_the_journal_that_is_the_services_while_it_is_being_written(
    played: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(configuration, "APPLIANCE", played)
    journal = open_journal(played.parent / "games" / "games.db")
    try:
        game = journal.begin_game("parcheesi", {}, [0, 2])
        for number in (1, 2):
            journal.append(game, "roll", {"dev": "7F3A90C1", "id": number, "dice": [3, number]}, 1.0)
        before = {path: path.stat().st_mtime_ns for path in (played.parent / "games").glob("games.db*")}
        assert main(["dice", "stats"]) == 0
        assert capsys.readouterr().out.startswith("2 rolls, 4 dice: 1: 1, 2: 1, 3: 2")
        assert main(["dice", "stats", "--box", "other"]) == 2
        assert "--box other: no rolls in the journal; there are those of: 7F3A90C1" in capsys.readouterr().err
        assert before == {path: path.stat().st_mtime_ns for path in (played.parent / "games").glob("games.db*")}
    finally:
        journal.close()
