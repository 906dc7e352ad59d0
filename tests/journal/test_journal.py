"""The journal on disk: order, crashes, full disks, damaged files, and the rolls of dice boxes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tracemalloc
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.dice.book import Book
from companion.journal import (
    HOUSE,
    Journal,
    Pictures,
    export,
    open_journal,
    open_to_read,
    tables,
    word_from_json,
    word_to_json,
)
from companion.journal import journal as module
from companion.journal.pictures import SPARE
from companion.model import (
    AgreedToStop,
    Answered,
    BoardLost,
    Challenged,
    Confirmed,
    Declared,
    DiceCorrected,
    JournalError,
    Kind,
    Roll,
    Rolled,
    Saw,
    TakenBack,
    Thrown,
    Verdict,
)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return open_journal(tmp_path / "deep" / "journal.db", wall=lambda: 1e9)


def fill(journal: Journal) -> None:
    """Let the disk be as full as can be."""
    [pages] = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count={pages}")
    # the journal's pages have room left: use it up
    while journal.healthy:
        try:
            journal.append(HOUSE, "view", {"x": "x" * 2000}, 0.0)
        except JournalError:
            return


def make_room(journal: Journal) -> None:
    journal._db.execute("PRAGMA max_page_count=100000")


def test_a_game_from_beginning_to_end(journal: Journal) -> None:
    game = journal.begin_game("parcheesi", {}, [0, 2], "sheet.json", {"first": 0})
    assert journal.append(game, "word", {"word": "confirmed"}, 1.5) == 1
    assert journal.append(game, "verdict", {"kind": "pass", "text": "schön"}, 1.6) == 2
    other = journal.begin_game("gloria", {"arms": 4}, [0, 1])
    assert journal.append(other, "word", {}, 0.1) == 1, "each game counts for itself"
    entries = journal.entries(game)
    assert [(e.seq, e.t, e.kind, e.wall) for e in entries] == [(1, 1.5, "word", 1e9), (2, 1.6, "verdict", 1e9)]
    assert entries[1].payload == {"kind": "pass", "text": "schön"}
    opened = journal.open_game()
    assert opened is not None and opened.id == other and opened.options == {"arms": 4}
    journal.end_game(other, {"winner": [1]})
    assert journal.open_game() is None
    assert journal.game(other).result == {"winner": [1]}
    assert [g.id for g in journal.games()] == [game, other]
    with pytest.raises(JournalError, match="no game 99"):
        journal.game(99)


def test_it_goes_on_after_a_restart(journal: Journal) -> None:
    game = journal.begin_game("parcheesi", {}, [0, 2])
    journal.append(game, "word", {"n": 1}, 1)
    journal.close()
    again = open_journal(journal.path)
    assert again.notes == ()
    assert again.append(game, "word", {"n": 2}, 2) == 2
    assert [e.payload["n"] for e in again.entries(game)] == [1, 2]


def test_entries_are_read_without_what_was_seen_those_too_that_wait(journal: Journal) -> None:
    game = journal.begin_game("parcheesi", {}, [0, 2])
    assert journal.last_told(game) == 0.0 and journal.entries(game, looks=False) == []
    looks = [Saw(at, BoardLost(at, "dark")) for at in (3.0, 5.0)]
    words = [Confirmed(2.0), TakenBack(4.0)]
    journal.append(game, "word", word_to_json(words[0]), 2.0)
    journal.append(game, "word", word_to_json(looks[0]), 3.0)
    journal.append(HOUSE, "device", {"adopted": True, "dev": "D1", "id": 3}, 9.0)
    assert journal.last_told(game) == 3.0
    fill(journal)
    for kind, payload, t in (("word", word_to_json(words[1]), 4.0), ("word", word_to_json(looks[1]), 5.0)):
        with pytest.raises(JournalError, match="wait in memory"):
            journal.append(game, kind, payload, t)
    assert [entry.t for entry in journal.entries(game)] == [2.0, 3.0, 4.0, 5.0]
    assert [word_from_json(entry.payload) for entry in journal.entries(game, looks=False)] == words
    assert journal.last_told(game) == 5.0


def test_it_only_grows(journal: Journal) -> None:
    game = journal.begin_game("parcheesi", {}, [0, 2])
    journal.append(game, "word", {}, 1)
    for sql in ("DELETE FROM entries", "UPDATE entries SET t = 0"):
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            journal._db.execute(sql)


def test_several_entries_are_written_together_or_not_at_all(journal: Journal) -> None:
    game = journal.begin_game("parcheesi", {}, [0, 2])
    with pytest.raises(ValueError, match="kind must be one of"):
        journal.append_all(game, [("word", {}, 1), ("nonsense", {}, 1)])
    assert journal.entries(game) == []
    assert journal.append_all(game, [("roll", {"dev": "A", "id": 1}, 1), ("word", {}, 1)]) == [1, 2]
    fill(journal)
    waiting = journal.waiting
    with pytest.raises(JournalError):
        journal.append_all(game, [("roll", {"dev": "A", "id": 2}, 2), ("word", {"x": "x" * 9000}, 2)])
    assert journal.waiting == waiting + 2
    make_room(journal)
    assert journal.flush()
    assert [e.seq for e in journal.entries(game)] == [1, 2, 3, 4]


def test_half_a_character_is_kept_and_holds_up_nothing(journal: Journal) -> None:
    """JSON from a phone may hold a surrogate by itself, which is no UTF-8: once it spoilt every later write."""
    game = journal.begin_game("parcheesi", {}, [0, 2])
    told = {"word": "position_set", "state": {"note": "ü \ud800"}}
    assert journal.append(game, "word", told, 1.0) == 1
    assert journal.append(game, "word", {"word": "confirmed"}, 2.0) == 2 and journal.healthy
    assert open_journal(journal.path).entries(game)[0].payload == told


def test_what_no_disk_can_take_is_refused_and_holds_up_nothing(journal: Journal) -> None:
    """A driver of one's own may number its rolls as it likes; SQLite counts to 2 ** 63."""
    game = journal.begin_game("parcheesi", {}, [0, 2])
    roll = {"dev": "D1", "id": 2**70, "turn": 1, "dice": [3]}
    with pytest.raises(OverflowError):
        journal.append_all(game, [("roll", roll, 1.0), ("word", {}, 1.0)])
    assert journal.healthy and journal.append(game, "word", {}, 2.0) == 1
    assert [entry.t for entry in journal.entries(game)] == [2.0]


def test_what_is_committed_is_on_the_disk(journal: Journal) -> None:
    settings = [journal._db.execute(f"PRAGMA {name}").fetchone() for name in ("journal_mode", "synchronous")]
    assert settings == [("wal",), (2,)]


CHILD = """
import sys
from companion.journal import open_journal
journal = open_journal(sys.argv[1])
game = journal.begin_game("parcheesi", {}, [0, 2])
while True:
    print(journal.append(game, "word", {"x": "y" * 300}, 1.0), flush=True)
"""


def test_kill_9_loses_nothing_that_was_announced(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    said = [int(child.stdout.readline()) for _ in range(50)]
    os.kill(child.pid, signal.SIGKILL)
    said += [int(line) for line in child.stdout.read().splitlines(keepends=True) if line.endswith(b"\n")]
    child.wait()
    child.stdout.close()
    journal = open_journal(path)
    assert journal.notes == ()
    there = [e.seq for e in journal.entries(1)]
    assert there[: len(said)] == said
    assert there == list(range(1, len(there) + 1))
    assert journal.append(1, "word", {}, 2.0) == len(there) + 1


def test_a_full_disk_is_said_and_nothing_is_lost(journal: Journal) -> None:
    game = journal.begin_game("parcheesi", {}, [0, 2])
    journal.append(game, "word", {"n": 0}, 0)
    fill(journal)
    with pytest.raises(JournalError, match="the disk is full: make room"):
        journal.append(game, "word", {"n": 1, "x": "x" * 9000}, 1)
    with pytest.raises(JournalError):
        journal.append(game, "word", {"n": 2}, 2)
    assert not journal.healthy
    assert journal.waiting == 3
    assert "full" in journal.trouble
    assert [e.payload["n"] for e in journal.entries(game)] == [0, 1, 2], "it can be read meanwhile"
    assert not journal.flush()
    make_room(journal)
    assert journal.append(game, "word", {"n": 3}, 3) == 4
    assert journal.healthy and journal.trouble == ""
    journal.close()
    assert [e.payload["n"] for e in open_journal(journal.path).entries(game)] == [0, 1, 2, 3]


def test_the_end_of_a_game_waits_too_while_the_disk_is_full(journal: Journal) -> None:
    """A game that was won then was open for ever, though all else was written as soon as there was room."""
    game = journal.begin_game("parcheesi", {}, [0, 2])
    fill(journal)
    before = journal.waiting
    with pytest.raises(JournalError, match="the disk is full"):
        journal.end_game(game, {"winners": [2]})
    assert not journal.healthy and journal.waiting == before + 1
    assert journal.game(game).ended is not None and journal.open_game() is None, "it is known meanwhile"
    make_room(journal)
    assert journal.flush() and journal.healthy
    journal.close()
    [kept] = open_journal(journal.path).games()
    assert kept.ended is not None and kept.result == {"winners": [2]}


def test_memory_is_bounded_too(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAITING_MOST", 3)
    fill(journal)
    for _ in range(2):
        with pytest.raises(JournalError, match="wait in memory"):
            journal.append(1, "word", {"x": "x" * 9000}, 1)
    with pytest.raises(JournalError, match="memory is full too"):
        journal.append(1, "word", {}, 1)
    assert journal.waiting == 3


def test_a_read_only_card(journal: Journal) -> None:
    journal._db.execute("PRAGMA query_only=1")
    with pytest.raises(JournalError, match="may not be written"):
        journal.append(1, "word", {}, 1)
    with pytest.raises(JournalError, match="may not be written"):
        journal.begin_game("parcheesi", {}, [0, 2])
    journal._db.execute("PRAGMA query_only=0")
    assert journal.flush()
    assert len(journal.entries(1)) == 1


def test_a_disk_that_keeps_the_table_waiting_is_told_for_a_while(tmp_path: Path) -> None:
    now, takes = [0.0], [0.01]

    def clock() -> float:
        now[0] += takes[0]
        return now[0]

    journal = Journal(tmp_path / "journal.db", clock=clock)
    journal.append(1, "word", {}, 1)
    assert journal.slow == ""
    takes[0] = 4.2
    journal.append(1, "word", {}, 2)
    takes[0] = 0.01
    assert "the disk took 4 s to write, and all waited" in journal.slow and "replace the card soon" in journal.slow
    takes[0] = 2.0
    journal.append(1, "word", {}, 3)
    takes[0] = 0.01
    assert "took 4 s" in journal.slow, "the longest of late is told"
    now[0] += module.SLOW_TOLD
    assert journal.slow == ""
    takes[0] = 2.0
    journal.append(1, "word", {}, 4)
    takes[0] = 0.01
    assert "took 2 s" in journal.slow and journal.healthy, "it is slow, and yet all is written"


def test_another_program_holds_it(journal: Journal) -> None:
    journal._db.execute("PRAGMA busy_timeout=10")
    other = sqlite3.connect(journal.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalError, match="second Companion"):
        journal.append(1, "word", {}, 1)
    other.execute("COMMIT")
    other.close()
    assert journal.append(1, "word", {}, 2) == 2


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    for opened in (open_journal, open_to_read):  # SQLite calls it a broken disk when it is to be read
        with pytest.raises(JournalError, match="cannot be opened, as it is a folder: move that away"):
            opened(tmp_path / "folder.db")
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="no folder for the journal"):
        open_journal(tmp_path / "file" / "journal.db")


def test_migration_and_newer_versions(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    game = journal.begin_game("parcheesi", {}, [0, 2])
    journal.append(game, "word", {}, 1)
    journal.close()
    with monkeypatch.context() as patch:
        patch.setattr(tables, "MIGRATIONS", (*tables.MIGRATIONS, "CREATE TABLE later (x);"))
        newer = open_journal(journal.path)
        assert newer._db.execute("SELECT count(*) FROM later").fetchone() == (0,)
        assert len(newer.entries(game)) == 1
        newer.close()
    kept = sqlite3.connect(journal.path.with_name("journal.db.version-1"))
    assert kept.execute("PRAGMA user_version").fetchone() == (1,), "a copy of the older version stays"
    assert kept.execute("SELECT count(*) FROM entries").fetchone() == (1,)
    kept.close()
    with pytest.raises(JournalError, match="newer Companion"):
        open_journal(journal.path)


def test_rolls_of_dice_boxes(journal: Journal) -> None:
    book: Book = journal  # what the dice line asks, the journal answers
    assert (book.box(), book.last("A"), book.roll("A", 1)) == (None, None, None)
    journal.adopt("A", 116, 0.5)
    assert (book.box(), book.last("A")) == ("A", 116)
    game = journal.begin_game("parcheesi", {}, [0, 2])
    journal.append(game, "roll", {"dev": "A", "id": 117, "turn": 7, "dice": [5, 3]}, 1)
    journal.append(game, "device", {"dev": "A", "text": "unplugged"}, 2)
    assert (book.last("A"), book.roll("A", 117), book.roll("A", 118)) == (117, (7, (5, 3)), None)
    journal.adopt("B", 3, 4)
    assert (book.box(), book.last("A"), book.last("B")) == ("B", 117, 3)
    journal.adopt("A", 0, 5)
    assert book.roll("A", 117) is None, "the box was reset: its old numbers come again"


def test_export_is_a_recording(journal: Journal, tmp_path: Path) -> None:
    game = journal.begin_game("game-of-god", {}, ["N", "S"], "sheet.json", {"first": "N"})
    words = [Rolled(1.0, Roll((5, 3))), Thrown(2.0, 2, 4), Confirmed(3.0), TakenBack(4.0, by="Ann")]
    words += [Rolled(4.1, Roll((6,)), "camera"), Rolled(4.2, Roll((6,)), "Ann"), Confirmed(4.3, "Ann")]
    for word in words:
        journal.append(game, "word", word_to_json(word), word.at)
    journal.append(game, "word", {"word": "saw", "at": 4.5, "sighting": {"at": 4.5, "lost": "dark"}}, 4.5)
    journal.append(game, "verdict", {"kind": Kind.PASS, "at": 5.0}, Verdict(Kind.PASS, 5.0).at)
    pictures = Pictures(tmp_path / "pictures")
    pictures.keep(game, 12.34, b"jpeg", "before")
    folder = export(journal, game, tmp_path / "out" / "evening", pictures)
    assert json.loads((folder / "recording.json").read_text()) == {
        "recording": 1,
        "game": "game-of-god",
        "options": {},
        "seats": ["N", "S"],
        "sheet": "sheet.json",
        "first": "N",
    }
    lines = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    assert lines == [
        {"t": 1.0, "roll": [5, 3]},
        {"t": 2.0, "throw": {"seat": "S", "value": 4}},
        {"t": 3.0, "confirm": True},
        {"t": 4.0, "taken_back": True},
        {"t": 4.1, "roll": [6], "by": "camera"},
        {"t": 4.2, "roll": [6], "by": "phone"},
        {"t": 4.3, "confirm": True, "by": "phone"},
    ]
    whole = json.loads((folder / "game.json").read_text())
    assert len(whole["entries"]) == 9 and whole["entries"][8]["verdict"]["kind"] == "pass"
    assert (folder / "frames" / "00012340.jpg").read_bytes() == b"jpeg"


def test_export_of_a_game_with_dice(journal: Journal, tmp_path: Path) -> None:
    """Seats stay numbers; what was configured is of the table, and is not told."""
    start = {"first": 3, "configured": {"camera": "0"}}
    game = journal.begin_game("aggravation", {"play": "teams"}, [0, 1, 2, 3, 4, 5], "", start)
    told = [
        Thrown(1.0, 3, 6),
        Declared(2.12345, 0, 4),
        Challenged(3.0, "d3"),
        Answered(4.0, False),
        DiceCorrected(5.0, Roll((3,))),
        AgreedToStop(6.0),
    ]
    for word in told:
        journal.append(game, "word", word_to_json(word), word.at)
    journal.append(game, "word", {"word": "sung", "at": 6.5}, 6.5)
    journal.append(game, "view", {"word": "confirmed", "at": 6.6}, 6.6)
    journal.end_game(game, {"winner": [3]})
    folder = tmp_path / "out"
    for _ in range(2):  # the second time over the first
        assert export(journal, game, folder, board={"reference": "empty.png"}) == folder
    head = {"recording": 1, "game": "aggravation", "options": {"play": "teams"}, "seats": [0, 1, 2, 3, 4, 5]}
    recorded = (folder / "recording.json").read_text()
    assert json.loads(recorded) == head | {"first": 3, "reference": "empty.png"} and "\n \"game\"" in recorded
    assert [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()] == [
        {"t": 1.0, "throw": {"seat": 3, "value": 6}},
        {"t": 2.123, "declare": {"seat": 0, "plays": 4}},
        {"t": 3.0, "challenge": {"target": "d3"}},
        {"t": 4.0, "answer": False},
        {"t": 5.0, "dice_corrected": {"roll": [3]}},
        {"t": 6.0, "agreed_to_stop": True},
    ]
    whole = json.loads((folder / "game.json").read_text())
    played = journal.game(game)
    assert (whole["ended"], whole["result"]) == (played.ended, {"winner": [3]}) and played.ended is not None
    assert list((folder / "frames").iterdir()) == []


def test_entries_are_read_a_few_at_a_time_with_those_that_wait(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PORTION", 3)
    game = journal.begin_game("gloria", {}, [0, 1])
    for count in range(1, 8):
        journal.append(game, "view", {"count": count}, 1.0)
        assert [entry.seq for entry in journal.each(game)] == [*range(1, count + 1)]
    fill(journal)
    for count in range(8, 10):
        with pytest.raises(JournalError):
            journal.append(game, "view", {"count": count}, 1.0)
    assert [entry.seq for entry in journal.each(game)] == [*range(1, 10)]
    assert [entry.payload["count"] for entry in journal.each(game, since=5)] == [5, 6, 7, 8, 9]
    assert [entry.seq for entry in journal.each(game, since=9)] == [9] and not [*journal.each(game, since=10)]


def test_an_export_of_a_long_evening_fits_into_a_small_memory(journal: Journal, tmp_path: Path) -> None:
    """One of four hours, asked for on a phone, took more than a gigabyte of the referee's memory."""
    game, looks, size = journal.begin_game("gloria", {}, [0, 1]), 4000, 2000
    saw = word_to_json(Saw(1.0, BoardLost(1.0, "x" * size)))
    journal.append_all(game, [("word", saw, 1.0)] * looks)
    journal.append(game, "word", word_to_json(Rolled(2.0, Roll((3,)))), 2.0)
    tracemalloc.start()
    folder = export(journal, game, tmp_path / "out")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < looks * size / 2
    whole = json.loads((folder / "game.json").read_text())["entries"]
    assert len(whole) == looks + 1 and whole[0]["word"] == saw


def test_export_of_a_game_of_which_nothing_was_told(journal: Journal, tmp_path: Path) -> None:
    """What is no picture of the game's own is left out, too."""
    game = journal.begin_game("gloria", {}, [0, 1])
    pictures = Pictures(tmp_path / "pictures")
    name = pictures.keep(game, 1.0, b"jpeg", "before")
    path = pictures.path(name)
    assert path is not None
    path.unlink()
    path.symlink_to(tmp_path / "deep" / "journal.db")
    folder = export(journal, game, tmp_path / "out", pictures)
    assert (folder / "events.jsonl").read_text() == "" and list((folder / "frames").iterdir()) == []


def test_a_picture_that_is_given_up_meanwhile_is_left_out_of_an_export(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service makes room just then: it was said that the folder could not be written, and the rest was missing."""
    game = journal.begin_game("gloria", {}, [0, 1])
    pictures = Pictures(tmp_path / "pictures")
    names = [pictures.keep(game, at, b"jpeg", "after") for at in (1.0, 2.0, 3.0)]
    there = pictures.path

    def pruned(name: str) -> Path | None:
        path = there(name)
        if path is not None and name == names[1]:
            path.unlink()
        return path

    monkeypatch.setattr(pictures, "path", pruned)
    folder = export(journal, game, tmp_path / "out", pictures)
    assert {path.name for path in (folder / "frames").iterdir()} == {"00001000.jpg", "00003000.jpg"}


def test_the_first_of_an_export_is_who_won_the_throws(journal: Journal, tmp_path: Path) -> None:
    game = journal.begin_game("game-of-god", {}, ["N", "S"], "sheet.json", {"throws": 0})

    def head(*words: tuple[str, dict[str, object]]) -> tuple[str, str]:
        for kind, payload in words:
            journal.append(game, kind, payload, 1.0)
        folder = export(journal, game, tmp_path / f"after {len(journal.entries(game))}")
        told = json.loads((folder / "recording.json").read_text())
        assert json.loads((folder / "game.json").read_text())["first"] == told["first"]
        return told["first"], told["throws"]

    def throw(seat: int, value: int) -> tuple[str, dict[str, object]]:
        return "word", word_to_json(Thrown(1.0, seat, value))

    chooses, begins = ("verdict", {"kind": "note", "seat": 2}), ("verdict", {"kind": "note", "seat": 0})
    assert head(throw(0, 2)) == ("N", "N"), "as long as nobody won them, who throws first"
    assert head(throw(2, 6), chooses) == ("S", "N")
    assert head(throw(2, 3), throw(0, 5), begins) == ("N", "N"), "the second throws are for who begins"
    assert head(("word", word_to_json(Confirmed(1.0))), ("verdict", {"kind": "note", "seat": 2})) == ("N", "N")
    assert head(("verdict", {"kind": "legal", "seat": 0}), throw(2, 4), chooses) == ("N", "N"), "that was a challenge"


def test_pictures_leave_the_last_of_the_disk_to_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = Pictures(tmp_path / "pictures")
    others = 0

    def usage(folder: Path) -> SimpleNamespace:
        """A disk with room for ten pictures of 100 bytes beside the games, and what others took."""
        taken = sum(path.stat().st_size for path in folder.rglob("*.jpg"))
        return SimpleNamespace(free=SPARE + 1000 - taken - others)

    monkeypatch.setattr("companion.journal.pictures.shutil.disk_usage", usage)
    for n in range(15):
        pictures.keep(1, n, b"x" * 100)
    assert usage(tmp_path).free >= SPARE - 100
    assert pictures.of_game(1)[-1] == "1/00014000.jpg" and "1/00000000.jpg" not in pictures.of_game(1)
    others = 5000
    with pytest.raises(JournalError, match="only 49 MB of the disk are free and the last 50 MB are for the games"):
        pictures.keep(1, 20.0, b"x" * 100)
    assert pictures.of_game(1) == []


def test_pictures_are_pruned_oldest_first_and_looked_up_safely(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path / "pictures", most=250)
    names = []
    for number in range(4):
        names.append(pictures.keep(3, number, b"x" * 100, "after"))
        if pictures.path(names[-1]):  # the time of day goes backwards: told time counts
            os.utime(tmp_path / "pictures" / names[-1], (100 - number, 100 - number))
    assert pictures.of_game(3) == names[2:]
    found = pictures.path(names[3])
    assert found is not None and found.read_bytes() == b"x" * 100
    (tmp_path / "secret.jpg").write_bytes(b"")
    for name in ("../secret.jpg", "3/../../secret.jpg", "/etc/passwd", "3/", "", names[0], "3/00000001-x.jpg/"):
        assert pictures.path(name) is None
    with pytest.raises(ValueError, match="no name"):
        pictures.keep(3, 1, b"", "../up")


def gone(journal: Journal, folder: Path) -> None:
    """The disk of the journal is taken out: what it holds lies in `folder`, and no more can be written to it."""
    shutil.copytree(journal.path.parent, folder)
    journal._db.execute("PRAGMA query_only=1")
    with pytest.raises(JournalError):
        journal.append(HOUSE, "view", {"waits": 1}, 2.0)
    shutil.rmtree(journal.path.parent)
    assert not journal.flush()


def test_a_disk_that_is_put_back_has_all_that_waited(journal: Journal, tmp_path: Path) -> None:
    game = journal.begin_game("parcheesi", {}, [0, 2])
    journal.append_all(game, [("word", {"n": n}, 0.0) for n in range(3)])
    gone(journal, tmp_path / "disk")
    with pytest.raises(JournalError):
        journal.append_all(game, [("word", {"n": n}, 0.0) for n in (3, 4)])
    (tmp_path / "disk").rename(journal.path.parent)
    assert journal.flush() and journal.healthy and journal.trouble == ""
    assert journal.append(game, "word", {"n": 5}, 0.0) == 6
    journal.close()
    again = open_journal(journal.path)
    assert [entry.payload["n"] for entry in again.entries(game)] == [0, 1, 2, 3, 4, 5]
    assert [entry.payload for entry in again.entries(HOUSE)] == [{"waits": 1}]


def test_a_journal_that_is_moved_away_is_missed_and_goes_on_when_it_is_back(journal: Journal, tmp_path: Path) -> None:
    """SQLite writes on to a file that has no name any more: the page said "written", and the evening was gone."""
    game = journal.begin_game("parcheesi", {}, [0, 2])
    journal.append(game, "word", {"n": 0}, 0.0)
    journal.path.parent.rename(tmp_path / "elsewhere")
    with pytest.raises(JournalError, match="No such file"):
        Pictures(journal.path.parent / "pictures").keep(game, 1.0, b"jpeg")
    assert not journal.path.parent.exists(), "nothing is in the way when it is put back"
    with pytest.raises(JournalError, match="not there any more: put it, or its stick, back"):
        journal.append(game, "word", {"n": 1}, 0.0)
    with pytest.raises(JournalError, match="not there any more"):
        journal.begin_game("parcheesi", {}, [0, 2])
    assert not journal.healthy and not journal.flush()
    (tmp_path / "elsewhere").rename(journal.path.parent)
    assert journal.flush() and journal.healthy
    journal.close()
    assert [entry.payload["n"] for entry in open_journal(journal.path).entries(game)] == [0, 1]


def test_another_disk_in_its_place_is_left_alone(journal: Journal, tmp_path: Path) -> None:
    game = journal.begin_game("parcheesi", {}, [0, 2])
    journal.append(game, "word", {"n": 0}, 0.0)
    gone(journal, tmp_path / "disk")
    other = open_journal(journal.path)
    other.append(other.begin_game("gloria", {}, [0, 1]), "word", {"n": 7}, 0.0)
    other.append(1, "word", {"n": 8}, 0.0)
    assert not journal.flush() and "another journal is in its place" in journal.trouble
    assert len(other.entries(1)) == 2 and other.entries(HOUSE) == []
    other.close()
    shutil.rmtree(journal.path.parent)
    journal.path.parent.mkdir()
    journal.path.touch()
    assert not journal.flush(), "an empty one is no journal"
    shutil.rmtree(journal.path.parent)
    (tmp_path / "disk").rename(journal.path.parent)
    assert journal.flush() and journal.healthy
