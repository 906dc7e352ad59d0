"""The journal: everything that was told and ruled, in order, on disk before it is announced."""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import os
import shutil
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.journal.owner import kept_out, shut_away
from companion.model import AIR, JournalError

KINDS = ("word", "verdict", "roll", "device", "view", "service")
HOUSE = 0
"""The game number of what belongs to no game (a dice box that was adopted)."""
FULL = 200_000
"""Bytes free on a disk below which it is full: SQLite's shared memory and a page of its log find no place."""
OF_RIGHTS = ("readonly", "unable to open")
"""What SQLite says, among others, of a file that is another user's."""
WAITING_MOST = 20_000
"""Entries that may wait in memory while the disk cannot be written."""
AT_ONCE = 10
"""One word makes no more entries, with what is ruled of it."""
PORTION = 200
"""So many entries of a game are read at a time: those of one evening fill the memory of a small computer."""
LATEST = 32_503_680_000.0
"""Seconds since 1970: a later moment, after the year 3000, is no time that a clock told."""
SLOW, SLOW_TOLD = 1.5, 600.0
"""Seconds of a write that players notice, as nothing is announced before it is on disk; and how long that is told."""
NO_LOOK = """ AND NOT (kind = 'word' AND payload LIKE '{"word":"saw"%')"""
"""Of the entries those that are no look at the board, by how `word_to_json` begins."""

_FIRST = """
CREATE TABLE games (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, game TEXT NOT NULL, options TEXT NOT NULL,
  seats TEXT NOT NULL, sheet TEXT, start TEXT NOT NULL, started REAL NOT NULL, ended REAL, result TEXT);
CREATE TABLE entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT, game INTEGER NOT NULL, seq INTEGER NOT NULL, wall REAL NOT NULL,
  t REAL NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL, dev TEXT, roll INTEGER, UNIQUE (game, seq));
CREATE INDEX entries_by_roll ON entries (dev, roll) WHERE dev IS NOT NULL;
CREATE TRIGGER no_change BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER no_delete BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
"""
TABLES, ENTRY = ("games", "entries"), "game, seq, wall, t, kind, payload, dev, roll"
MIGRATIONS = (_FIRST,)
"""What makes each version of the tables from the one before."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing told or ruled. seq: 1, 2, 3 … in its game. wall: seconds since 1970. t: the told time, seconds."""

    game: int
    seq: int
    wall: float
    t: float
    kind: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Game:
    """One game in the journal. start: how it began, as a recording says it ("throws" or "start"), and the
    seats that were "configured" then."""

    id: int
    uuid: str
    game: str
    options: Mapping[str, Any]
    seats: Sequence[Any]
    sheet: str | None
    start: Mapping[str, Any]
    started: float
    ended: float | None = None
    result: Mapping[str, Any] | None = None


def why(path: Path, error: Exception) -> str:
    """What keeps the journal from being written: one sentence with the way out."""
    if path.is_dir():
        way = "move that away, or name another [journal] folder"
        return f"journal {path}: it cannot be opened, as it is a folder: {way}"
    text = "full" if _is_full(path) else "readonly" if _is_read_only(path) else str(error)
    of_rights = text == str(error) and any(sign in text for sign in OF_RIGHTS) and path.parent.is_dir()
    if of_rights and (shut := kept_out(path)):
        return f"journal {path}: {shut}"
    if text == "readonly" and shut_away(path.parent):
        way = f"sudo systemctl edit companion, and write there: [Service] ReadWritePaths={path.parent}"
        return f"journal {path}: this program may not write there, though the disk can be written: {way}"
    for sign, sentence in (
        ("full", "the disk is full: make room, and it is written by itself"),
        ("readonly", "it may not be written: the card seems to be read-only: replace it soon"),
        ("locked", "another program holds it: is a second Companion running?"),
        ("unable to open", "it cannot be opened or written: the card may be read-only, or its folder gone"),
        ("I/O", "the disk does not work: replace the card soon"),
    ):
        if sign in text:
            return f"journal {path}: {sentence}"
    return f"journal {path}: {text}"


def _is_full(path: Path) -> bool:
    """On a full disk SQLite says many things."""
    try:
        return shutil.disk_usage(path.parent).free < FULL
    except OSError:
        return False


def _is_read_only(path: Path) -> bool:
    """A disk that turned read-only under an open database is an "I/O error" to SQLite."""
    try:
        os.close(os.open(path.parent, os.O_TMPFILE | os.O_WRONLY))
    except OSError as error:
        return error.errno == errno.EROFS
    return False


class JournalNewer(JournalError):
    """The journal was written by a later version of this program."""


class Journal:
    """An SQLite database that only grows. Safe to use from several threads.

    An entry, or a game's end, that cannot be written waits in memory: `healthy` turns false, and every later write
    tries again with all that wait, in order. Use `open_journal`. notes: what is to be said about the opening. warning:
    what is to be said as long as it is open, "" for nothing. home: where a journal in memory belongs, None for one at
    home. source: an open database that is copied to `path` first; opened: that at `path`, which is only read. clock:
    seconds, for how long writing takes.
    """

    def __init__(
        self,
        path: Path,
        wall: Callable[[], float] = time.time,
        notes: tuple[str, ...] = (),
        source: sqlite3.Connection | None = None,
        clock: Callable[[], float] = time.monotonic,
        opened: sqlite3.Connection | None = None,
    ) -> None:
        self.path = path
        self.notes = notes
        self.warning = ""
        self.home: Path | None = None
        self.trouble = ""
        self._wall, self._clock = wall, clock
        self._slowest, self._slow_at = 0.0, -SLOW_TOLD
        self._lock = threading.RLock()
        self._waiting: list[Entry] = []
        # of games, which wait too: when each ended, and its result; nothing of one that goes on after all
        self._ends: dict[int, tuple[float | None, str | None]] = {}
        self._db = _connected(path) if opened is None else opened
        try:
            if source is not None:
                source.backup(self._db)
            self._prepare(only_read=opened is not None)
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, only_read: bool) -> None:
        if not only_read:
            _make_ready(self._db)
        _check(self._db)
        if not only_read:
            self._keep_old_version()
            migrate(self._db, self.path)
        _check_own(self._db)
        _check_columns(self._db)
        self._seqs = _newest_of(self._db)
        self._place = _place_of(self.path)

    def _keep_old_version(self) -> None:
        """Before an upgrade changes the tables, a copy is kept beside them, by the version that they have."""
        version = version_of(self._db)
        kept = self.path.with_name(f"{self.path.name}.version-{version}")
        if 0 < version < len(MIGRATIONS) and not kept.exists():
            with contextlib.closing(sqlite3.connect(kept)) as copy:
                self._db.backup(copy)

    def take_over(self, games: Iterable[tuple[Any, ...]], entries: Iterable[tuple[Any, ...]]) -> None:
        """Take rows of another journal as they are; an entry whose number or place is taken already is left out.

        Raises JournalError.
        """
        with self._lock, self._writing():
            self._db.executemany("INSERT OR REPLACE INTO games VALUES (?,?,?,?,?,?,?,?,?,?)", games)
            self._db.executemany("INSERT OR IGNORE INTO entries VALUES (?,?,?,?,?,?,?,?,?)", entries)
            self._seqs = _newest_of(self._db)

    def move_into(self, home: Journal) -> dict[int, int]:
        """Take everything to another journal, and go on there as that one. Raises JournalError; then nothing moved.

        Games are known by their uuid: where another has the number of one there, it gets the next. Returns the number
        that each has now (was → is).
        """
        with self._lock:
            try:
                self._flush()
                games, entries = (self._db.execute(f"SELECT * FROM {t} ORDER BY id").fetchall() for t in TABLES)
                numbers = home._take_in(games, entries)
            except BaseException:
                home.close()
                raise
            self._db.close()
            self._db, self.path, self.home, self.warning = home._db, home.path, None, ""
            self._place, self._seqs = home._place, home._seqs
        return numbers

    def _take_in(self, games: list[tuple[Any, ...]], entries: list[tuple[Any, ...]]) -> dict[int, int]:
        """Take what was written elsewhere, as while this journal could not be; returns each game's number here."""
        with self._lock, self._writing():
            numbers = numbered(games, dict(self._db.execute("SELECT uuid, id FROM games").fetchall()))
            ended = [(row[8], row[9], row[1]) for row in games]
            self._db.executemany("UPDATE games SET ended = ?, result = ? WHERE uuid = ?", ended)
            began = [(numbers[row[0]], *row[1:]) for row in games]
            self._db.executemany("INSERT OR IGNORE INTO games VALUES (?,?,?,?,?,?,?,?,?,?)", began)
            of_house = "SELECT seq, wall, t, kind, payload, dev, roll FROM entries WHERE game = ?"
            kept, last = set(self._db.execute(of_house, (HOUSE,)).fetchall()), self._seqs.get(HOUSE, 0)
            house = [row[3:] for row in entries if row[1] == HOUSE and row[2:] not in kept]
            rows = [(HOUSE, seq, *row) for seq, row in enumerate(house, last + 1)]
            rows += [(numbers.get(row[1], row[1]), *row[2:]) for row in entries if row[1] != HOUSE]
            self._db.executemany(f"INSERT OR IGNORE INTO entries ({ENTRY}) VALUES (?,?,?,?,?,?,?,?)", rows)
            self._seqs = _newest_of(self._db)
        return numbers

    @property
    def healthy(self) -> bool:
        """Whether everything told is on disk; else `trouble` says why not."""
        return not (self._waiting or self._ends)

    @property
    def waiting(self) -> int:
        """How many entries, and ends of games, wait in memory for the disk."""
        return len(self._waiting) + len(self._ends)

    @property
    def slow(self) -> str:
        """What is to be said of a disk that lately kept the table waiting; "" of one that did not."""
        if self._clock() >= self._slow_at + SLOW_TOLD:
            return ""
        return (
            f"the disk took {self._slowest:.0f} s to write, and all waited: let nothing else write to it now; "
            "if nothing does, replace the card soon"
        )

    @property
    def room(self) -> bool:
        """Whether one word more can be kept: on disk, or in memory that is not full too."""
        return len(self._waiting) + AT_ONCE <= WAITING_MOST or self.healthy

    def close(self) -> None:
        """Write what waits, if that is possible, and close."""
        with self._lock:
            self._flush()
            self._db.close()

    # games

    def begin_game(
        self,
        game: str,
        options: Mapping[str, Any],
        seats: Sequence[Any],
        sheet: str | None = None,
        start: Mapping[str, Any] | None = None,
    ) -> int:
        """Begin a game and return its number. seats, start: as a recording writes them. Raises JournalError."""
        values = (str(uuid.uuid4()), game, _dump(options), _dump(list(seats)), sheet, _dump(start or {}))
        sql = "INSERT INTO games (uuid, game, options, seats, sheet, start, started) VALUES (?,?,?,?,?,?,?)"
        with self._lock, self._writing():
            return int(self._db.execute(sql, (*values, self._wall())).lastrowid or 0)

    def begin_after(self, number: int) -> None:
        """In a journal without games the first one gets a higher number than that. Raises JournalError."""
        with self._lock, self._writing():
            self._db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('games', ?)", (number,))

    def end_game(self, game: int, result: Mapping[str, Any] | None = None) -> None:
        """The game is over, or was left. result: winners and whatever is worth telling.

        Raises JournalError where that is not on disk: it waits in memory then, as entries do.
        """
        self._end(game, self._wall(), _dump(result or {}))

    def go_on(self, game: int) -> None:
        """The game goes on after all: its end was taken back. Raises JournalError as `end_game` does."""
        self._end(game, None, None)

    def _end(self, game: int, ended: float | None, result: str | None) -> None:
        with self._lock:
            self._ends[game] = ended, result
            if not self._flush():
                raise JournalError(self.trouble)

    def games(self) -> list[Game]:
        """All games that can be read, the oldest first."""
        with self._lock, self._reading():
            rows = self._db.execute("SELECT * FROM games ORDER BY id").fetchall()
            found = [_game(self._as_ended(row)) for row in rows]
        return [game for game in found if game is not None]

    def game(self, id: int) -> Game:
        """The game of that number. Raises JournalError."""
        with self._lock, self._reading():
            row = self._db.execute("SELECT * FROM games WHERE id = ?", (id,)).fetchone()
        game = None if row is None else _game(self._as_ended(row))
        if game is None:
            why = "there is no game" if row is None else "what it says is damaged of game"
            raise JournalError(f"journal {self.path}: {why} {id}")
        return game

    def _as_ended(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """The row of a game, with its end where that is not on disk yet."""
        return (*row[:8], *self._ends.get(row[0], row[8:]))

    def open_game(self) -> Game | None:
        """The game that was begun last, if it has not ended."""
        games = self.games()
        return games[-1] if games and games[-1].ended is None else None

    # entries

    def append(self, game: int, kind: str, payload: Mapping[str, Any], t: float) -> int:
        """Write one entry and return its seq: it is on disk. For errors see `append_all`."""
        return self.append_all(game, [(kind, payload, t)])[0]

    def append_all(self, game: int, entries: Iterable[tuple[str, Mapping[str, Any], float]]) -> list[int]:
        """Write entries (kind, payload, t), all or none: a roll and the word that it becomes belong together.

        A roll's payload has "dev", "id", "turn" and "dice".
        Raises JournalError where they are not on disk: they wait in memory then and are not to be given again.
        """
        with self._lock:
            last = self._seqs.get(game, 0)
            new = [self._entry(game, last + i, *entry) for i, entry in enumerate(entries, 1)]
            if len(self._waiting) + len(new) > WAITING_MOST:
                raise JournalError(f"{self.trouble}; memory is full too, what happens now is lost")
            self._waiting += new
            self._seqs[game] = last + len(new)
            try:
                written = self._flush()
            except BaseException:  # no disk takes these: they must not hold up all that comes after them
                self._waiting, self._seqs[game] = self._waiting[: -len(new)], last
                raise
            if not written:
                raise JournalError(f"{self.trouble} ({self.waiting} entries wait in memory)")
            return [entry.seq for entry in new]

    def flush(self) -> bool:
        """Try again to write what waits. Call it now and then while not `healthy`."""
        with self._lock:
            return self._flush()

    def entries(self, game: int, looks: bool = True) -> list[Entry]:
        """The entries of a game in order, but for those that cannot be read, and with those that wait in memory. looks:
        also what was seen on the board, which is most of an evening, and takes most of the time to read."""
        return list(self.each(game, looks))

    def each(self, game: int, looks: bool = True, since: int = 1) -> Iterator[Entry]:
        """The same one by one, from number `since` on: all that was seen in an evening fills the memory."""
        of_game = "SELECT game, seq, wall, t, kind, payload FROM entries WHERE game = ? AND seq > ?"
        sql = f"{of_game}{'' if looks else NO_LOOK} ORDER BY seq LIMIT {PORTION}"
        last, more = since - 1, True
        while more:
            with self._lock, self._reading():
                rows = self._db.execute(sql, (game, last)).fetchall()
                waiting = [entry for entry in self._waiting if entry.game == game and (looks or not _is_look(entry))]
            more = len(rows) == PORTION
            last = rows[-1][1] if more else last
            yield from (entry for entry in map(_entry, rows) if entry is not None)
        yield from (entry for entry in waiting if entry.seq >= since)

    def last_told(self, game: int) -> float:
        """When the newest entry of a game was told, seconds; 0 where there is none."""
        sql = "SELECT t FROM entries WHERE game = ? AND t BETWEEN 0 AND ? ORDER BY seq DESC LIMIT 1"
        with self._lock, self._reading():
            row = self._db.execute(sql, (game, LATEST)).fetchone()
            told = [entry.t for entry in self._waiting if entry.game == game] or [row[0] if row else 0.0]
        return float(told[-1])

    def _entry(self, game: int, seq: int, kind: str, payload: Mapping[str, Any], t: float) -> Entry:
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
        return Entry(game, seq, self._wall(), t, kind, json.loads(_dump(payload)))

    def _flush(self) -> bool:
        if self.healthy:
            return True
        try:
            self._write_waiting()
        except sqlite3.Error as error:
            self.trouble = why(self.path, error)
            if not self._found_again():
                return False
        self._waiting, self._ends, self.trouble = [], {}, ""
        return True

    def _write_waiting(self) -> None:
        sql = f"INSERT INTO entries ({ENTRY}) VALUES (?,?,?,?,?,?,?,?)"
        with self._transaction():
            self._db.executemany(sql, [_row(entry) for entry in self._waiting])
            ended = [(*end, game) for game, end in self._ends.items()]
            self._db.executemany("UPDATE games SET ended = ?, result = ? WHERE id = ?", ended)

    def _found_again(self) -> bool:
        """A disk that was mended, or put back, brings the journal as another file: go on there with all that waits."""
        place = _place_of(self.path)
        if place in (None, self._place):
            return False
        found, before = _connected(self.path), self._db
        try:
            _make_ready(found)
            _check(found)
            if _newest_of(found) != self._written:
                raise sqlite3.DatabaseError("another journal is in its place: put the right disk back, or restart")
            self._db = found
            self._write_waiting()
        except sqlite3.Error as error:
            self.trouble = f"journal {self.path}: {error}"
            self._db = before
            found.close()
            return False
        self._place = place
        with contextlib.suppress(sqlite3.Error):
            before.close()
        return True

    @property
    def _written(self) -> dict[int, int]:
        """game → the newest number on disk."""
        least = {entry.game: entry.seq - 1 for entry in reversed(self._waiting)}
        return {game: seq for game, seq in {**self._seqs, **least}.items() if seq}

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        began = self._clock()
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        now = self._clock()
        if now - began >= SLOW:
            self._slowest, self._slow_at = max(now - began, self._slowest if self.slow else 0.0), now

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """A change of the games' table, after all entries that wait."""
        try:
            self._flush()
            with self._transaction():
                yield
        except sqlite3.Error as error:
            raise JournalError(why(self.path, error)) from error

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(why(self.path, error)) from error

    # rolls of dice boxes

    def adopt(self, dev: str, last: int, t: float) -> int:
        """Dice box `dev` is this table's from now on; its rolls up to `last` are history. As `append`."""
        return self.append(HOUSE, "device", {"adopted": True, "dev": dev, "id": last}, t)

    def box(self) -> str | None:
        """The dice box that was used last."""
        row = self._newest("dev IS NOT NULL AND dev <> ?", (AIR,))
        return None if row is None else str(row[0])

    def last(self, dev: str) -> int | None:
        """The number of the last roll of `dev`, or with which it was adopted."""
        row = self._newest("dev = ?", (dev,))
        return None if row is None else int(row[1])

    def roll(self, dev: str, id: int) -> tuple[int, tuple[int, ...]] | None:
        """(turn, faces) of a roll since its box was adopted, if it is on record."""
        row = self._newest("dev = ? AND (roll = ? OR kind = 'device')", (dev, id))
        if row is None or row[2] != "roll":
            return None
        payload = json.loads(row[3])
        return int(payload["turn"]), tuple(payload["dice"])

    def _newest(self, condition: str, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        sql = f"SELECT dev, roll, kind, payload FROM entries WHERE {condition} ORDER BY id DESC LIMIT 1"
        with self._lock, self._reading():
            self._flush()
            row: tuple[Any, ...] | None = self._db.execute(sql, values).fetchone()
        return row


def _connected(path: Path) -> sqlite3.Connection:
    return readable(sqlite3.connect(path, timeout=2.0, isolation_level=None, check_same_thread=False))


def readable(db: sqlite3.Connection) -> sqlite3.Connection:
    """The database, of which a damaged character spoils one row, and not every answer in which that row is."""
    db.text_factory = lambda text: text.decode(errors="replace")
    return db


def _make_ready(db: sqlite3.Connection) -> None:
    """What is committed is on the disk from now on."""
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")


def _check(db: sqlite3.Connection) -> None:
    """Raises sqlite3.DatabaseError where the database is damaged."""
    [state] = db.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError(state)


def _check_own(db: sqlite3.Connection) -> None:
    """Raises sqlite3.DatabaseError where somebody put in what acts by itself: of a file from elsewhere a trigger could
    change what is written down, and a view give rows without end."""
    acting = db.execute("SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name")
    for kind, name, sql in acting:
        if not any(str(sql) in step for step in MIGRATIONS):
            raise sqlite3.DatabaseError(f"a {kind} {name!r:.40} is in it that no Companion made")


def _check_columns(db: sqlite3.Connection) -> None:
    """Raises sqlite3.OperationalError where the name of a column is damaged: no row could be read."""
    db.execute("SELECT id, uuid, game, options, seats, sheet, start, started, ended, result FROM games LIMIT 0")
    db.execute("SELECT id, game, seq, wall, t, kind, payload, dev, roll FROM entries LIMIT 0")


def _newest_of(db: sqlite3.Connection) -> dict[int, int]:
    """game → the number of its newest entry."""
    return dict(db.execute("SELECT game, MAX(seq) FROM entries GROUP BY game").fetchall())


def _place_of(path: Path) -> tuple[int, int] | None:
    """Which file that is; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def version_of(db: sqlite3.Connection) -> int:
    """The version of its tables."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def migrate(db: sqlite3.Connection, path: Path) -> None:
    """Bring the tables to this version, one step a transaction. Raises JournalError if they are newer."""
    version = version_of(db)
    if version > len(MIGRATIONS):
        raise JournalNewer(f"journal {path} was written by a newer Companion (version {version}): update this one")
    for number, step in enumerate(MIGRATIONS[version:], version + 1):
        db.executescript(f"BEGIN IMMEDIATE; {step} PRAGMA user_version = {number}; COMMIT;")


def numbered(games: Iterable[tuple[Any, ...]], there: Mapping[str, int]) -> dict[int, int]:
    """Each game's number in a journal that has the games `there` (uuid → number): the one that it has there already;
    else its own, or, where another game has the number of any, the next ones in their order."""
    known = {row[0]: there[row[1]] for row in games if row[1] in there}
    new = [row[0] for row in games if row[1] not in there]
    if set(there.values()).isdisjoint(new):
        return known | {number: number for number in new}
    return known | dict(zip(new, itertools.count(max(there.values()) + 1), strict=False))


def _dump(data: Any) -> str:
    """JSON that any disk takes: half a character, which phones can send, is written as JSON escapes it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text if text.isascii() or _is_whole(text) else json.dumps(data, separators=(",", ":"))


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_look(entry: Entry) -> bool:
    return entry.kind == "word" and entry.payload.get("word") == "saw"


def _row(entry: Entry) -> tuple[Any, ...]:
    ours = entry.kind == "roll" or (entry.kind == "device" and entry.payload.get("adopted"))
    dev, roll = (entry.payload.get("dev"), entry.payload.get("id")) if ours else (None, None)
    return (entry.game, entry.seq, entry.wall, entry.t, entry.kind, _dump(entry.payload), dev, roll)


def _game(row: tuple[Any, ...]) -> Game | None:
    """A game as it was begun; None where a row is damaged within, which no check of the database finds."""
    id, uid, game, options, seats, sheet, start, started, ended, result = row
    try:
        options, seats, start = json.loads(options), json.loads(seats), json.loads(start)
        result = None if result is None else json.loads(result)
    except ValueError:
        return None
    ended = None if ended is None else _moment(ended)
    return Game(id, uid, game, options, seats, sheet, start, _moment(started), ended, result)


def _entry(row: tuple[Any, ...]) -> Entry | None:
    """An entry as it was written; None where a row is damaged within: it is missing then, as one that is gone."""
    game, seq, wall, t, kind, text = row
    try:
        payload = json.loads(text)
    except ValueError:
        return None
    whole = isinstance(payload, dict) and isinstance(t, float)
    return Entry(game, seq, _moment(wall), t, kind, payload) if whole else None


def _moment(time: Any) -> float:
    """Seconds since 1970; 0, as of a clock that was not set, where a damaged row tells of no time."""
    return time if isinstance(time, float) and abs(time) <= LATEST else 0.0
