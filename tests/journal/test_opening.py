"""A journal that was damaged is rebuilt from what can be read; one whose disk cannot be written goes on in memory."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.journal import HOUSE, Journal, bring_home, open_journal, open_journal_or_refuge, open_to_read, opening
from companion.journal.salvage import LEAF, PAGE, _number_at, _numbers, salvage
from companion.model import JournalError

Rows = set[tuple[int, int]]


def played(path: Path, games: int = 3, entries: int = 200) -> Rows:
    """A journal of some games, closed; (game, seq) of all its entries."""
    journal = open_journal(path)
    for number in range(games):
        game = journal.begin_game("parcheesi", {}, [0, 2])
        payload = {"n": number, "x": "x" * random.Random(number).randint(10, 700)}
        journal.append_all(game, [("word", payload, 1.0)] * entries)
        if number < games - 1:
            journal.end_game(game)
    there = rows(journal)
    journal.close()
    return there


def rows(journal: Journal) -> Rows:
    return {(game.id, entry.seq) for game in journal.games() for entry in journal.entries(game.id)}


def hurt(path: Path, damage: str, chance: random.Random) -> bytes:
    """Damage the file; what is in it then."""
    data = bytearray(path.read_bytes())
    pages = len(data) // PAGE
    match damage:
        case "garbage":
            data[:] = chance.randbytes(len(data))
        case "head":
            data[:PAGE] = bytes(PAGE)
        case "cut":
            del data[chance.randint(PAGE, len(data) - PAGE) :]
        case _:
            for _ in range(chance.randint(1, 4)):
                at = chance.randint(1, pages - 1) * PAGE
                data[at : at + PAGE] = chance.randbytes(PAGE) if damage == "noise" else bytes(PAGE)
    path.write_bytes(data)
    return bytes(data)


@pytest.mark.long(but=("0-garbage", "5-zeros"))
@pytest.mark.parametrize("damage", ["garbage", "head", "cut", "noise", "zeros"])
@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_file_is_kept_aside_and_what_can_be_read_is_taken_over(
    tmp_path: Path, damage: str, seed: int
) -> None:
    path, chance = tmp_path / "journal.db", random.Random(f"{damage} {seed}")
    there = played(path)
    data = hurt(path, damage, chance)
    journal = open_journal(path)
    if not journal.notes:
        assert rows(journal) == there, "the damage hit nothing that is used"
        return
    [note] = journal.notes
    assert "was damaged" in note and "kept as journal.db.damaged-1" in note
    assert (tmp_path / "journal.db.damaged-1").read_bytes() == data
    found = rows(journal)
    assert found <= there
    if damage == "head":
        assert found == there, "all but the first page can be read"
    if damage in ("noise", "zeros"):
        assert len(found) > len(there) / 4
    next_game = journal.begin_game("gloria", {}, [0])
    assert journal.append(next_game, "word", {}, 1.0) == 1
    journal.close()
    again = open_journal(path)
    assert again.notes == () and rows(again) == found | {(next_game, 1)}


def test_the_second_damaged_file_is_kept_too(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    for number in (1, 2):
        played(path)
        path.write_bytes(os.urandom(50_000))
        journal = open_journal(path)
        [note] = journal.notes
        journal.close()
        assert f"journal.db.damaged-{number}" in note and "nothing in it could be read" in note


def test_entries_go_on_after_those_that_were_saved(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    played(path, games=1)
    hurt(path, "head", random.Random(1))
    journal = open_journal(path)
    left = journal.open_game()
    assert left is not None and journal.append(left.id, "word", {}, 2.0) == 201


def test_a_copy_is_whole_while_the_journal_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    there = played(path)
    journal = open_journal(path)
    journal.append(3, "word", {}, 5.0)
    assert rows(open_to_read(path)) == there | {(3, 201)}
    open_to_read(path, tmp_path / "copy.db").close()
    assert rows(open_journal(tmp_path / "copy.db")) == there | {(3, 201)}


def test_a_journal_is_read_where_it_lies_and_as_it_was_then(tmp_path: Path) -> None:
    """A copy of it in memory took as much of that as years of games take of the disk."""
    path = tmp_path / "journal.db"
    there = played(path)
    with contextlib.closing(open_journal(path)) as journal, contextlib.closing(open_to_read(path)) as read:
        assert str(path) in [file for *_, file in read._db.execute("PRAGMA database_list")]
        seen = rows(read)
        journal.append(3, "word", {}, 5.0)
        assert journal.healthy and rows(journal) == there | {(3, 201)}
        assert rows(read) == seen == there
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            read._db.execute("DELETE FROM games")


def test_whoever_only_reads_leaves_a_damaged_journal_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    played(path)
    data = hurt(path, "garbage", random.Random(1))
    with pytest.raises(JournalError, match="start the service once"):
        open_to_read(path)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("was", "is_", "lost_games", "lost_entries"),
    [
        (b'{"k":57}', b'{"k"\0\0\0}', 0, 1),
        (b'{"k":57}', b'{"k":5\xff}', 0, 1),
        (b'{"k":57}', b'57      ', 0, 1),
        (b'["east"]', b'["east"\0', 1, 100),
    ],
    ids=["zeros", "no text", "no words", "a game"],
)
def test_what_is_damaged_within_a_row_is_missing_and_keeps_nothing_else_from_being_read(
    tmp_path: Path, was: bytes, is_: bytes, lost_games: int, lost_entries: int
) -> None:
    """SQLite finds nothing wrong with such a file: a service that stumbled over it could never begin again."""
    path = tmp_path / "journal.db"
    with contextlib.closing(open_journal(path)) as journal:
        for seats in (["east"], ["west"]):
            game = journal.begin_game("game-of-god", {}, seats)
            journal.append_all(game, [("word", {"k": k + 100 * (game - 1)}, 1.0) for k in range(100)])
    path.write_bytes(path.read_bytes().replace(was, is_))
    for opened in (open_journal(path), open_to_read(path)):
        with contextlib.closing(opened) as journal:
            assert journal.notes == ()
            assert len(journal.games()) == 2 - lost_games and len(rows(journal)) == 200 - lost_entries
            last = journal.open_game()
            assert last is not None and last.id == 2 and journal.game(2) == last
            if lost_games:
                with pytest.raises(JournalError, match="damaged of game 1"):
                    journal.game(1)


@pytest.mark.parametrize("time", [1e300, float("inf"), "soon", b"\x00\xff"])
def test_a_damaged_time_is_none_that_anybody_stumbles_over(tmp_path: Path, time: object) -> None:
    """Of all games that were played not one was listed any more."""
    path = tmp_path / "journal.db"
    with contextlib.closing(open_journal(path, lambda: 1.8e9)) as journal:
        journal.end_game(journal.begin_game("gloria", {}, [0, 2]))
        journal.append_all(1, [("word", {"k": k}, float(k)) for k in range(5)])
    with contextlib.closing(sqlite3.connect(path)) as db:
        [(trigger,)] = db.execute("SELECT sql FROM sqlite_master WHERE name = 'no_change'")
        db.execute("DROP TRIGGER no_change")
        db.execute("UPDATE games SET started = ?, ended = ?", (time, time))
        db.execute("UPDATE entries SET wall = ? WHERE seq = 3", (time,))
        db.execute("UPDATE entries SET t = ? WHERE seq = 5", (time,))
        db.execute(trigger)
        db.commit()
    with contextlib.closing(open_to_read(path)) as journal:
        [game] = journal.games()
        assert (game.started, game.ended) == (0.0, 0.0)
        assert [entry.wall for entry in journal.entries(1)][:4] == [1.8e9, 1.8e9, 0.0, 1.8e9]
        assert journal.last_told(1) == 3.0, "from where its clock goes on"


@pytest.mark.parametrize(
    ("was", "is_"),
    [
        (b"indexentries_by_roll", b"index\xb7ntries_by_roll"),
        (b"tableentriesentries", b"table\xb7ntriesentries"),
        (b"started REAL NOT NULL, ended", b"started REAL NOT NULL, \xb7nded"),
    ],
)
def test_a_journal_whose_tables_have_damaged_names_is_rebuilt(tmp_path: Path, was: bytes, is_: bytes) -> None:
    """What SQLite says of it, it quotes from the file, and that may be no text."""
    path = tmp_path / "journal.db"
    there = played(path)
    data = path.read_bytes()
    assert was in data
    path.write_bytes(data.replace(was, is_))
    with pytest.raises(JournalError, match="start the service once"):
        rows(open_to_read(path))
    with contextlib.closing(open_journal(path)) as journal:
        assert rows(journal) == there and "was damaged" in journal.notes[0]


def test_a_journal_whose_version_is_gone_is_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    there = played(path)
    data = bytearray(path.read_bytes())
    data[60:64] = bytes(4)
    path.write_bytes(data)
    with contextlib.closing(open_journal(path)) as journal:
        assert rows(journal) == there and "was damaged" in journal.notes[0]


LIES = "CREATE TRIGGER lies AFTER INSERT ON entries BEGIN UPDATE games SET result = '{\"winners\":[2]}'; END"
ENDLESS = (
    "ALTER TABLE entries RENAME TO kept; CREATE VIEW entries AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
    "SELECT i + 1 FROM n) SELECT i AS id, 1 AS game, i AS seq, 0 AS wall, 0 AS t, 'word' AS kind, '{}' AS payload, "
    "'' AS dev, i AS roll FROM n"
)


@pytest.mark.parametrize(("acts", "name"), [(LIES, "trigger 'lies'"), (ENDLESS, "view 'entries'")])
def test_a_journal_from_elsewhere_does_nothing_by_itself(tmp_path: Path, acts: str, name: str) -> None:
    path = tmp_path / "journal.db"
    played(path, games=1, entries=3)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(acts)
    with pytest.raises(JournalError, match=f"a {name} is in it that no Companion made"):
        open_to_read(path)
    with contextlib.closing(open_journal(path)) as journal:
        journal.append(1, "word", {"word": "confirmed"}, 2.0)
        assert journal.games()[0].result is None
        assert len(journal.entries(1)) == (4 if acts == LIES else 1)


@pytest.fixture
def read_only(tmp_path: Path) -> Path:
    """A journal with games in a folder on a disk that cannot be written."""
    path = tmp_path / "games" / "journal.db"
    played(path)
    return path


def unwritable(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """SQLite finds the folder read-only, as on a card that has gone bad; root may write anywhere else."""
    true_connect = sqlite3.connect

    def connect(path: Path | str, **words: object) -> sqlite3.Connection:
        if Path(path).parent == folder:
            raise sqlite3.OperationalError("attempt to write a readonly database")
        return true_connect(path, **words)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", connect)


def test_on_a_read_only_disk_the_games_go_on_in_memory(read_only: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_only.read_bytes()
    with monkeypatch.context() as patch:
        unwritable(patch, read_only.parent)
        with pytest.raises(JournalError, match="may not be written"):
            open_journal(read_only)
        journal = open_journal_or_refuge(read_only)
        assert "may not be written" in journal.warning and "gone if the power goes" in journal.warning
        left = journal.open_game()
        assert left is not None and journal.append(left.id, "word", {}, 9.0) == 201
        journal.end_game(left.id, {"winners": [2]})
        new = journal.begin_game("gloria", {}, [0, 1])
        journal.append(new, "word", {}, 1.0)
        assert bring_home(journal) is None and read_only.read_bytes() == before
    told = rows(journal)
    assert bring_home(journal) == {1: 1, 2: 2, 3: 3, new: new} and bring_home(journal) == {}
    assert journal.warning == "" and journal.path == read_only
    journal.append(new, "word", {}, 2.0)
    journal.close()
    again = open_journal(read_only)
    assert rows(again) == told | {(new, 2)} and again.game(left.id).result == {"winners": [2]}


@pytest.mark.parametrize("before", [1, 3])
def test_games_that_come_home_to_others_take_nothing_from_them(tmp_path: Path, before: int) -> None:
    """A journal that this user could not read until it was given away, or a stick that was plugged in late: tonight's
    game took the row of the first one that was played there, and all that was told tonight was gone."""
    path = tmp_path / "games" / "journal.db"
    with contextlib.closing(open_journal(path)) as home:
        home.adopt("A", 5, 0.0)
    there = played(path, games=before, entries=4) | {(HOUSE, 1)}
    shutil.move(path.parent, tmp_path / "elsewhere")
    path.parent.touch()
    journal = open_journal_or_refuge(path)
    assert "is no folder" in journal.warning and journal.games() == []
    journal.adopt("B", 7, 0.0)
    first, second = (journal.begin_game("gloria", {}, [0, 1]) for _ in range(2))
    journal.end_game(first, {"winners": [1]})
    journal.append_all(second, [("word", {"n": n}, n) for n in range(3)])
    path.parent.unlink()
    shutil.move(tmp_path / "elsewhere", path.parent)
    assert bring_home(journal) == {1: before + 1, 2: before + 2}
    journal.append(before + 2, "word", {"n": 3}, 3.0)
    told = {(before + 2, seq) for seq in range(1, 5)}
    assert rows(journal) == (there - {(HOUSE, 1)}) | told and [e.seq for e in journal.entries(HOUSE)] == [1, 2]
    assert [game.game for game in journal.games()] == ["parcheesi"] * before + ["gloria"] * 2
    assert (journal.box(), journal.last("A"), journal.last("B")) == ("B", 5, 7)
    journal.close()
    again = open_journal(path)
    assert again.game(before + 1).result == {"winners": [1]} and again.open_game() == again.game(before + 2)
    again.close()


def test_a_game_in_memory_has_no_number_of_which_there_are_pictures(tmp_path: Path) -> None:
    """Where the games cannot be read, they can be all the same: tonight's were put among those of another game."""
    path = tmp_path / "journal.db"
    played(path, games=7, entries=1)
    path.rename(tmp_path / "kept.db")
    path.mkdir()
    for name in ("3", "7", "x", "9.part"):
        (tmp_path / "pictures" / name).mkdir(parents=True)
    journal = open_journal_or_refuge(path)
    number = journal.begin_game("gloria", {}, [0, 1])
    path.rmdir()
    (tmp_path / "kept.db").rename(path)
    assert bring_home(journal) == {number: 8} and number == 8
    assert [game.id for game in journal.games()] == [1, 2, 3, 4, 5, 6, 7, 8]
    journal.close()


def test_a_damaged_journal_on_a_read_only_disk_goes_on_with_what_can_be_read(
    read_only: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = rows(open_to_read(read_only))
    hurt(read_only, "head", random.Random(1))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", lambda path, target: (_ for _ in ()).throw(OSError(30, "Read-only file system")))
        journal = open_journal_or_refuge(read_only)
        assert "cannot be rebuilt" in journal.warning and rows(journal) == there
        assert "1 game" in journal.notes[0] or "3 games" in journal.notes[0]
    assert not read_only.with_name("journal.db.rebuilt").exists()
    assert bring_home(journal) is not None
    journal.close()
    assert rows(open_journal(read_only)) == there


def test_a_damaged_journal_for_which_there_is_no_room_is_not_read_through_each_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until there was room the service did nothing else."""
    path = tmp_path / "journal.db"
    there = played(path)
    hurt(path, "head", random.Random(1))
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda place: SimpleNamespace(free=path.stat().st_size - 1))
        journal = open_journal_or_refuge(path)
        assert "cannot be rebuilt: the disk is full: make room" in journal.warning and rows(journal) == there
        patch.setattr(opening, "salvage", lambda *given: pytest.fail("it is read through again"))
        assert bring_home(journal) is None
    assert bring_home(journal) is not None
    journal.close()


@pytest.mark.parametrize("moment", ["salvage", "put_aside", "replace"])
def test_a_power_cut_while_a_damaged_journal_is_rebuilt_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    class PowerCut(BaseException):
        pass

    def cut(*given: object) -> None:
        raise PowerCut

    path = tmp_path / "journal.db"
    there = played(path)
    hurt(path, "head", random.Random(1))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", cut) if moment == "replace" else patch.setattr(opening, moment, cut)
        with pytest.raises(PowerCut):
            open_journal(path)
    assert rows(open_journal(path)) == there


def test_a_journal_that_another_program_holds_gets_no_refuge(read_only: Path) -> None:
    other = sqlite3.connect(read_only, isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(JournalError, match="second Companion"):
        open_journal_or_refuge(read_only)
    other.close()


def test_a_journal_of_a_newer_companion_gets_no_refuge(read_only: Path) -> None:
    """Its games would be missing, and nobody would be told to update."""
    with contextlib.closing(sqlite3.connect(read_only)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError, match="newer Companion"):
        open_journal_or_refuge(read_only)


def test_what_is_left_of_a_rebuilding_that_failed_is_in_the_way_of_none(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    there = played(path)
    hurt(path, "head", random.Random(1))
    with contextlib.closing(open_journal(path.with_name("journal.db.rebuilt"))) as old:
        old.begin_game("gloria", {}, [0, 1])
        old.begin_game("gloria", {}, [0, 1])
    with contextlib.closing(open_journal(path)) as journal:
        assert rows(journal) == there and {game.game for game in journal.games()} == {"parcheesi"}


def test_a_writable_disk_needs_no_refuge(tmp_path: Path) -> None:
    journal = open_journal_or_refuge(tmp_path / "journal.db")
    assert journal.warning == "" and journal.path == tmp_path / "journal.db"


def test_all_rows_beside_a_page_that_cannot_be_read_are_saved(tmp_path: Path) -> None:
    """A page of rows is lost, and not one row before or after it."""
    path = tmp_path / "journal.db"
    there = sorted(played(path, games=1))
    data = bytearray(path.read_bytes())
    leaves = [at for at in range(2 * PAGE, len(data), PAGE) if data[at] == LEAF and b"xxxx" in data[at : at + PAGE]]
    lost = leaves[len(leaves) // 2]
    count = int.from_bytes(data[lost + 3 : lost + 5], "big")
    data[lost : lost + PAGE] = bytes(PAGE)
    path.write_bytes(data)
    assert len(there) - len(rows(open_journal(path))) == count


@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_of_a_file_that_was_cut_off_all_that_is_left_is_saved(tmp_path: Path, share: float) -> None:
    path = tmp_path / "journal.db"
    played(path, games=1)
    data = path.read_bytes()
    data = data[: round(share * len(data)) // PAGE * PAGE]
    path.write_bytes(data + bytes(100))
    pages = (data[at : at + PAGE] for at in range(2 * PAGE, len(data), PAGE))
    left = sum(int.from_bytes(page[3:5], "big") for page in pages if page[0] == LEAF and b"xxxx" in page)
    with contextlib.closing(open_journal(path)) as journal:
        assert len(rows(journal)) == left > 0


def test_entries_of_a_game_that_is_lost_are_no_ones(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with contextlib.closing(open_journal(path)) as journal:
        for game in (journal.begin_game("parcheesi", {}, [0, 2]), HOUSE, 7):
            journal.append(game, "word", {"x": "x" * 5000}, 1.0)
    data = path.read_bytes()
    path.write_bytes(bytes(PAGE) + data[PAGE:])
    with contextlib.closing(open_journal(path)) as journal:
        assert [len(journal.entries(game)) for game in (1, HOUSE, 7)] == [1, 1, 0]


@pytest.mark.parametrize("in_the_log", [False, True])
def test_the_numbers_of_all_rows_are_found_on_their_pages_and_in_the_log(tmp_path: Path, in_the_log: bool) -> None:
    """They tell where to read on after pages that cannot be read."""
    path = tmp_path / "journal.db"
    played(path)
    with contextlib.closing(open_journal(path)) as journal:
        if in_the_log:
            journal.append_all(3, [("word", {"x": "x" * 700}, 1.0)] * 20)
        numbers = _numbers(path)
        ids = {number for (number,) in journal._db.execute("SELECT id FROM entries")}
    assert numbers == sorted(set(numbers)) and ids <= set(numbers)
    assert len(ids) == 620 if in_the_log else len(ids) == 600
    assert len(set(numbers) - ids) < 20, "nor are there many others, as of tables and games"


@pytest.mark.parametrize(
    ("data", "number"), [(b"\x05", 5), (b"\x7f", 127), (b"\x81\x00", 128), (b"\x82\x80\x01", 32769)]
)
def test_a_number_of_some_bytes(data: bytes, number: int) -> None:
    assert _number_at(data + bytes(PAGE - len(data)), 0) == (number, len(data))
    assert _number_at(bytes(PAGE - len(data)) + data, PAGE - len(data)) == (number, PAGE)


@pytest.mark.parametrize("data", [b"\x81", b"\xff" * 9], ids=["cut off", "more than nine"])
def test_no_number_ends_past_the_page(data: bytes) -> None:
    assert _number_at(bytes(PAGE - len(data)) + data, PAGE - len(data))[1] > PAGE


def test_ten_megabytes_of_garbage_are_given_up_soon(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(random.Random(1).randbytes(10_000_000))
    began = time.process_time()
    found = salvage(path, lambda new: Journal(new).close())
    assert found.games == () and time.process_time() - began < 2.0
