"""The journal: everything that was told and ruled, in order, on disk before it is announced."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.journal.ailing import GONE, why
from companion.journal.rows import LATEST, Entry, Game, dumped, entry_of, game_of, is_look, numbered, row_of
from companion.journal.tables import (
    ENTRY,
    TABLES,
    check,
    check_columns,
    check_own,
    connected,
    is_gone,
    keep_old_version,
    make_ready,
    migrate,
    newest_of,
    place_of,
)
from companion.model import AIR, JournalError

KINDS = ("word", "verdict", "roll", "device", "view", "service")
HOUSE = 0
"""The game number of what belongs to no game (a dice box that was adopted)."""
WAITING_MOST = 20_000
"""Entries that may wait in memory while the disk cannot be written."""
AT_ONCE = 10
"""One word makes no more entries, with what is ruled of it."""
PORTION = 200
"""So many entries of a game are read at a time: those of one evening fill the memory of a small computer."""
SLOW, SLOW_TOLD = 1.5, 600.0
"""Seconds of a write that players notice, as nothing is announced before it is on disk; and how long that is told."""
NO_LOOK = """ AND NOT (kind = 'word' AND payload LIKE '{"word":"saw"%')"""
"""Of the entries those that are no look at the board, by how `word_to_json` begins."""

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
        self._db = connected(path) if opened is None else opened
        try:
            if source is not None:
                source.backup(self._db)
            self._prepare(only_read=opened is not None)
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, only_read: bool) -> None:
        if not only_read:
            make_ready(self._db)
        check(self._db)
        if not only_read:
            keep_old_version(self._db, self.path)
            migrate(self._db, self.path)
        check_own(self._db)
        check_columns(self._db)
        self._seqs = newest_of(self._db)
        self._place = place_of(self.path)

    def take_over(self, games: Iterable[tuple[Any, ...]], entries: Iterable[tuple[Any, ...]]) -> None:
        """Take rows of another journal as they are; an entry whose number or place is taken already is left out.

        Raises JournalError.
        """
        with self._lock, self._writing():
            self._db.executemany("INSERT OR REPLACE INTO games VALUES (?,?,?,?,?,?,?,?,?,?)", games)
            self._db.executemany("INSERT OR IGNORE INTO entries VALUES (?,?,?,?,?,?,?,?,?)", entries)
            self._seqs = newest_of(self._db)

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
            self._seqs = newest_of(self._db)
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
        values = (str(uuid.uuid4()), game, dumped(options), dumped(list(seats)), sheet, dumped(start or {}))
        sql = "INSERT INTO games (uuid, game, options, seats, sheet, start, started) VALUES (?,?,?,?,?,?,?)"
        with self._lock, self._writing():
            return int(self._db.execute(sql, (*values, self._wall())).lastrowid or 0)

    def begins_now(self, game: int) -> None:
        """The first is thrown or played in a game: it began now, whenever its board was laid out.

        Raises JournalError.
        """
        with self._lock, self._writing():
            self._db.execute("UPDATE games SET started = ? WHERE id = ?", (self._wall(), game))

    def begin_after(self, number: int) -> None:
        """In a journal without games the first one gets a higher number than that. Raises JournalError."""
        with self._lock, self._writing():
            self._db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('games', ?)", (number,))

    def end_game(self, game: int, result: Mapping[str, Any] | None = None) -> None:
        """The game is over, or was left. result: winners and whatever is worth telling.

        Raises JournalError where that is not on disk: it waits in memory then, as entries do.
        """
        self._end(game, self._wall(), dumped(result or {}))

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
            found = [game_of(self._as_ended(row)) for row in rows]
        return [game for game in found if game is not None]

    def game(self, id: int) -> Game:
        """The game of that number. Raises JournalError."""
        with self._lock, self._reading():
            row = self._db.execute("SELECT * FROM games WHERE id = ?", (id,)).fetchone()
        game = None if row is None else game_of(self._as_ended(row))
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
                waiting = [entry for entry in self._waiting if entry.game == game and (looks or not is_look(entry))]
            more = len(rows) == PORTION
            last = rows[-1][1] if more else last
            yield from (entry for entry in map(entry_of, rows) if entry is not None)
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
        return Entry(game, seq, self._wall(), t, kind, json.loads(dumped(payload)))

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
            self._db.executemany(sql, [row_of(entry) for entry in self._waiting])
            ended = [(*end, game) for game, end in self._ends.items()]
            self._db.executemany("UPDATE games SET ended = ?, result = ? WHERE id = ?", ended)

    def _found_again(self) -> bool:
        """A disk that was mended, or put back, brings the journal as another file: go on there with all that waits."""
        place = place_of(self.path)
        if place in (None, self._place):
            return False
        found, before = connected(self.path), (self._db, self._place)
        try:
            make_ready(found)
            check(found)
            if newest_of(found) != self._written:
                raise sqlite3.DatabaseError("another journal is in its place: put the right disk back, or restart")
            self._db, self._place = found, place
            self._write_waiting()
        except sqlite3.Error as error:
            self.trouble = f"journal {self.path}: {error}"
            self._db, self._place = before
            found.close()
            return False
        with contextlib.suppress(sqlite3.Error):
            before[0].close()
        return True

    @property
    def _written(self) -> dict[int, int]:
        """game → the newest number on disk."""
        least = {entry.game: entry.seq - 1 for entry in reversed(self._waiting)}
        return {game: seq for game, seq in {**self._seqs, **least}.items() if seq}

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        if is_gone(self.path, self._place):  # SQLite would write on to a file that nobody finds again
            raise sqlite3.OperationalError(GONE)
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
