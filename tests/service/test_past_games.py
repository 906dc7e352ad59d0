"""The games of the journal: listed, shown, exported and judged again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from table import TestTable

from companion.journal import open_journal
from companion.model import Rolled, Word
from companion.referee.bench import Bench
from companion.service import config as configuration
from companion.service import past_games
from companion.service.cli import main


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a short game with a foul."""
    folder = tmp_path_factory.mktemp("evening") / "games"
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
    journal.close()
    ends = [line[24:].split(maxsplit=1) for line in run(["list"], played, capsys).splitlines()[1:]]
    assert ends == [
        ["gloria", "red, blue and yellow  won by blue"],
        ["aggravation", "red and purple  won by purple"],
        ["chess", "0 and 1  won by 1"],
        ["game-of-god", "white and black  left"],
    ]


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
    assert "(rolled) could not be judged: IndexError: tuple index out of range" in again
    assert again.splitlines()[-1] == "Not the same verdicts as then."


def test_export(played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    run(["export", "1", "--out", str(out)], played, capsys)
    assert json.loads((out / "recording.json").read_text())["game"] == "parcheesi"
    events = [json.loads(line) for line in (out / "events.jsonl").read_text().splitlines()]
    assert [event["roll"] for event in events if "roll" in event] == [[3, 1]]
    assert list((out / "frames").glob("*.jpg"))


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
