"""The story of a game, from its journal: of the one that is played, and of earlier ones."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from table import TestTable

from companion.journal import Entry, Journal, Pictures, open_journal
from companion.journal.pictures import SPARE
from companion.model import JournalError, Kind, Roll, Rolled
from companion.service.boards.configured import printed_board
from companion.service.records import saved_game
from companion.service.records.recording import open_recording
from companion.service.records.replay import replay, scene_of
from companion.service.records.stories import Stories
from companion.service.table.story import told

SHEET = printed_board("parcheesi")[0]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a short game that holds a foul."""
    folder = tmp_path_factory.mktemp("evening") / "games"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("table.BOARD", "parcheesi, as printed")
        table = TestTable(folder, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    table.live(1.0)
    table.ask("roll", dice=(3, 1))
    for origin, target in (("t10", "t16"), ("t16", "t10"), ("t10", "t14")):
        table.move(0, origin, target)
        table.live(2.5)
    assert [play.text for play in table.service.view().plays[:1]] == ["Red moved 1, then moved 3."]
    table.service.close()
    return folder


@pytest.fixture
def journal(evening: Path) -> Iterator[Journal]:
    with closing(open_journal(evening / "games.db")) as journal:
        yield journal


@pytest.mark.long
def test_a_story_is_told_as_the_page_told_it(journal: Journal, evening: Path) -> None:
    story = Stories(journal, Pictures(evening / "pictures")).story(1)
    assert story is not None and story.game.title == "Parcheesi" and story.game.players == ("red", "yellow")
    plays = [line.play for line in story.lines if line.play.verdict != "note"]
    assert [play.verdict for play in plays] == ["illegal", "restored", "legal"]
    assert plays[2].text == "Red moved 1, then moved 3." and plays[2].dice == (3, 1)
    assert [line.play.number for line in story.lines] == [*range(1, len(story.lines) + 1)]


def test_a_foul_is_shown_with_what_the_camera_saw(journal: Journal, evening: Path) -> None:
    kept = Pictures(evening / "pictures")
    story = Stories(journal, kept).story(1)
    assert story is not None
    shown = {line.play.verdict: line.picture for line in story.lines if line.picture is not None}
    assert [*shown] == ["illegal"] and kept.path(shown["illegal"]) is not None


def test_a_picture_that_was_given_up_is_not_shown(journal: Journal, tmp_path: Path) -> None:
    story = Stories(journal, Pictures(tmp_path)).story(1)
    assert story is not None and all(line.picture is None for line in story.lines)


def test_games_come_newest_first_with_who_won(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path / "games.db")) as journal:
        first = journal.begin_game("gloria", {}, [0, 2])
        journal.end_game(first, {"winners": [2]})
        other = journal.begin_game("tiddlywinks", {"of": ["nobody"]}, [0, 1])
        journal.end_game(other, {"left": True, "winners": []})
        journal.begin_game("game-of-god", {}, [0, 2])
        games = Stories(journal, Pictures(tmp_path)).games()
        assert Stories(journal, Pictures(tmp_path)).story(4) is None
    assert [game.title for game in games] == ["Game of God", "tiddlywinks", "Gloria"]
    assert [game.players for game in games] == [("white", "black"), ("0", "1"), ("red", "yellow")]
    assert [game.winners for game in games] == [(), (), ("yellow",)]
    assert [game.ended is None for game in games] == [True, False, False]


@pytest.mark.parametrize(
    ("game", "options", "winners", "draw"),
    [
        ("game-of-god", {}, [0, 2], True),
        ("game-of-god", {}, [2], False),
        ("aggravation", {"play": "partners"}, [0, 2], False),
    ],
)
def test_a_draw_is_no_win_of_both(
    tmp_path: Path, game: str, options: dict[str, str], winners: list[int], draw: bool
) -> None:
    with closing(open_journal(tmp_path / "games.db")) as journal:
        journal.end_game(journal.begin_game(game, options, [0, 1, 2, 3]), {"winners": winners})
        (past,) = Stories(journal, Pictures(tmp_path)).games()
    assert len(past.winners) == len(winners) and past.draw is draw


def test_who_played_on_the_board_of_one_s_own_has_its_colours(tmp_path: Path) -> None:
    own, called = replace(SHEET, seat_names={**SHEET.seat_names, 0: "purple", 2: "teal"}), "parcheesi, of your own"
    with closing(open_journal(tmp_path / "games.db")) as journal:
        journal.end_game(journal.begin_game("parcheesi", {}, [0, 2], called), {"winners": [2]})
        journal.begin_game("parcheesi", {}, [0, 2], "parcheesi, as printed")
        stories = Stories(journal, Pictures(tmp_path), (called, own))
        assert [game.players for game in stories.games()] == [("red", "yellow"), ("purple", "teal")]
        told = stories.story(1)
    assert told is not None and told.game.winners == ("teal",)


def entry(seq: int, entered: str, **payload: object) -> Entry:
    return Entry(1, seq, 1_795_000_000.0 + seq, float(seq), entered, payload)


def test_dice_belong_to_what_was_played_with_them() -> None:
    said = {"at": 1.0, "text": "Said."}
    entries = [
        entry(1, "word", word="rolled", roll=[6, 2]),
        entry(2, "verdict", kind="legal", **said),
        entry(3, "word", word="answered", right=True),
        entry(4, "verdict", kind="pass", **said),
        entry(5, "word", word="dice_corrected", roll=[1, 1]),
        entry(6, "verdict", kind="illegal", **said),
        entry(7, "verdict", kind="note", **said),
        entry(8, "verdict", kind="legal", dice=[6, 1], **said),
        entry(9, "verdict", kind="pass", dice=[], **said),
    ]
    assert [line.dice for _, line in told(entries)] == [(6, 2), (), (1, 1), (), (6, 1), ()]


def test_dice_whose_correction_was_undone_are_those_that_were_rolled(tmp_path: Path) -> None:
    """Beside a legal play of 1 and 3 an earlier game showed the dice 3 and 2, and so did the page after a restart."""
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    table.live(1.0)
    assert table.ask("roll", dice=(3, 1)).ok and table.ask("correct", dice=(3, 2)).ok and table.ask("undo").ok
    table.move(0, "t10", "t14")
    assert table.live(2.5) == ["legal"]
    shown = [line.dice for line in table.service.view().plays]
    assert [line.dice for _, line in told(table.service.parts.journal.entries(1, looks=False))] == shown[::-1]
    assert shown[0] == (3, 1)


def test_dice_that_are_thrown_at_once_do_not_stand_beside_the_play_before(tmp_path: Path) -> None:
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    table.live(1.0)
    table.service._tell(Rolled(table.clock.time, Roll((3, 1)), "dice"))
    table.move(0, "t10", "t14")
    table.service._tell(Rolled(table.clock.time, Roll((6, 2)), "dice"))
    assert table.live(2.5) == ["legal"] and table.service.view().roll == (6, 2)
    assert table.service.view().plays[0].dice == (3, 1)
    [_, (_, line)] = told(table.service.parts.journal.entries(1, looks=False))
    assert line.dice == (3, 1)


def test_what_cannot_be_read_any_more_is_left_out() -> None:
    entries = [
        entry(1, "verdict", kind="gibberish", at=1.0),
        entry(2, "verdict"),
        entry(3, "verdict", kind="note", at=3.0, text="Still here."),
    ]
    [(verdict, line)] = told(entries)
    assert (verdict.kind, line.number, line.text) == (Kind.NOTE, 1, "Still here.")


def test_a_damaged_time_keeps_no_line_from_being_told(evening: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "games.db")) as copy:
        with closing(sqlite3.connect(evening / "games.db")) as source:
            source.backup(copy)
        copy.execute("DROP TRIGGER no_change")
        rows = copy.execute("SELECT id, payload FROM entries WHERE kind = 'verdict'").fetchall()
        for id, payload in rows:
            data = json.loads(payload) | {"at": float("inf")}
            copy.execute("UPDATE entries SET payload = ? WHERE id = ?", (json.dumps(data), id))
        copy.commit()
    with closing(open_journal(tmp_path / "games.db")) as journal:
        story = Stories(journal, Pictures(evening / "pictures")).story(1)
    assert story is not None and len(story.lines) == len(rows)
    assert all(line.picture is None for line in story.lines)


def test_a_game_is_packed_so_that_it_is_judged_again_the_same(journal: Journal, evening: Path, tmp_path: Path) -> None:
    file = Stories(journal, Pictures(evening / "pictures")).packed(1)
    assert file is not None
    with file, ZipFile(file) as archive:
        archive.extractall(tmp_path)
    recording = open_recording(tmp_path / "parcheesi-game-1")
    assert [*(tmp_path / "parcheesi-game-1" / "frames").iterdir()], "with what the camera saw"
    then = [entry.payload["kind"] for entry in journal.entries(1, looks=False) if entry.kind == "verdict"]
    now = [verdict.kind.value for verdict in replay(recording, scene_of(recording))]
    assert [kind for kind in now if kind != "note"] == [kind for kind in then if kind != "note"]
    assert not (recording.folder / "missing.txt").exists()
    assert Stories(journal, Pictures(evening / "pictures")).packed(2) is None


def test_a_game_is_packed_on_a_machine_that_thinks_it_is_1970(
    journal: Journal, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_game = saved_game.write_game

    def of_1970(*given: Any) -> str:
        missing = write_game(*given)
        for path in given[-1].rglob("*"):
            os.utime(path, (77.0, 77.0))
        return missing

    monkeypatch.setattr(saved_game, "write_game", of_1970)
    file = Stories(journal, Pictures(evening / "pictures")).packed(1)
    assert file is not None
    with file, ZipFile(file) as archive:
        assert archive.testzip() is None and "parcheesi-game-1/game.json" in archive.namelist()


def test_a_game_is_packed_beside_the_games_and_in_memory_only_where_their_card_takes_nothing(
    journal: Journal, evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """/tmp is in memory on a Raspberry Pi, and of an evening with its pictures there is too little of that."""
    there = sorted(evening.iterdir())
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "full"))
    file = Stories(journal, Pictures(evening / "pictures")).packed(1)
    assert file is not None and sorted(evening.iterdir()) == there
    file.close()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("companion.service.records.saved_game.os.access", lambda *_: False)
    file = Stories(journal, Pictures(evening / "pictures")).packed(1)
    assert file is not None
    file.close()


def test_where_the_disk_is_nearly_full_no_game_is_packed_and_no_picture_is_given_up_for_it(
    journal: Journal, evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = Pictures(evening / "pictures")
    size = sum(path.stat().st_size for path in pictures.folder.glob("1/*.jpg"))
    usage, free = shutil.disk_usage(evening), {evening: SPARE + size, tmp_path: SPARE + 2_000_000_000}
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage._replace(free=free[path]))
    file = Stories(journal, pictures).packed(1)
    assert file is not None, "there is room elsewhere"
    file.close()
    free[tmp_path] = 0
    with pytest.raises(JournalError, match=r"^the game cannot be packed: that takes \d+ MB .* are free; make room$"):
        Stories(journal, pictures).packed(1)


def test_a_game_whose_board_is_gone_is_packed_without_it_and_says_so(evening: Path, tmp_path: Path) -> None:
    shutil.copy(evening / "games.db", tmp_path)
    with closing(sqlite3.connect(tmp_path / "games.db")) as db, db:
        db.execute("UPDATE games SET sheet = '/home/ann/board/sheet.json'")
    with closing(open_journal(tmp_path / "games.db")) as journal:
        file = Stories(journal, Pictures(tmp_path)).packed(1)
    assert file is not None
    with file, ZipFile(file) as archive:
        said = archive.read("parcheesi-game-1/missing.txt").decode()
    assert said.startswith("The board is not in it (/home/ann/board/sheet.json: there is no such board here any more)")


@pytest.mark.parametrize("where", ["_packed", "record_board"])
def test_a_full_disk_leaves_a_sentence(
    journal: Journal, evening: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(saved_game, where, full)
    with pytest.raises(JournalError, match=r"^the game cannot be packed: No space left on device; is the disk full\?$"):
        Stories(journal, Pictures(evening / "pictures")).packed(1)


def test_a_journal_that_cannot_be_read_is_not_called_a_full_disk(
    journal: Journal, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object) -> None:
        raise JournalError("journal games.db: the disk does not work")

    monkeypatch.setattr(saved_game, "export", broken)
    with pytest.raises(JournalError, match=r"^journal games\.db: the disk does not work$"):
        Stories(journal, Pictures(evening / "pictures")).packed(1)
