"""The journal's tables: how a database is opened, checked, and brought to this version."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from companion.model import JournalError

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


class JournalNewer(JournalError):
    """The journal was written by a later version of this program."""


def connected(path: Path) -> sqlite3.Connection:
    return readable(sqlite3.connect(path, timeout=2.0, isolation_level=None, check_same_thread=False))


def readable(db: sqlite3.Connection) -> sqlite3.Connection:
    """The database, of which a damaged character spoils one row, and not every answer in which that row is."""
    db.text_factory = lambda text: text.decode(errors="replace")
    return db


def make_ready(db: sqlite3.Connection) -> None:
    """What is committed is on the disk from now on."""
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")


def check(db: sqlite3.Connection) -> None:
    """Raises sqlite3.DatabaseError where the database is damaged."""
    [state] = db.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError(state)


def check_own(db: sqlite3.Connection) -> None:
    """Raises sqlite3.DatabaseError where somebody put in what acts by itself: of a file from elsewhere a trigger could
    change what is written down, and a view give rows without end."""
    acting = db.execute("SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name")
    for kind, name, sql in acting:
        if not any(str(sql) in step for step in MIGRATIONS):
            raise sqlite3.DatabaseError(f"a {kind} {name!r:.40} is in it that no Companion made")


def check_columns(db: sqlite3.Connection) -> None:
    """Raises sqlite3.OperationalError where the name of a column is damaged: no row could be read."""
    db.execute("SELECT id, uuid, game, options, seats, sheet, start, started, ended, result FROM games LIMIT 0")
    db.execute("SELECT id, game, seq, wall, t, kind, payload, dev, roll FROM entries LIMIT 0")


def newest_of(db: sqlite3.Connection) -> dict[int, int]:
    """game → the number of its newest entry."""
    return dict(db.execute("SELECT game, MAX(seq) FROM entries GROUP BY game").fetchall())


def place_of(path: Path) -> tuple[int, int] | None:
    """Which file that is; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def is_gone(path: Path, place: tuple[int, int] | None) -> bool:
    """Whether the file that was there (`place`, None for a journal in memory) was moved or deleted."""
    if place is None:
        return False
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:  # a folder that was closed to this user does not keep an open file from being written
        return False
    return (found.st_dev, found.st_ino) != place


def version_of(db: sqlite3.Connection) -> int:
    """The version of its tables."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def keep_old_version(db: sqlite3.Connection, path: Path) -> None:
    """Before an upgrade changes the tables, a copy is kept beside them, by the version that they have."""
    version = version_of(db)
    kept = path.with_name(f"{path.name}.version-{version}")
    if 0 < version < len(MIGRATIONS) and not kept.exists():
        with contextlib.closing(sqlite3.connect(kept)) as copy:
            db.backup(copy)


def migrate(db: sqlite3.Connection, path: Path) -> None:
    """Bring the tables to this version, one step a transaction. Raises JournalError if they are newer."""
    version = version_of(db)
    if version > len(MIGRATIONS):
        raise JournalNewer(f"journal {path} was written by a newer Companion (version {version}): update this one")
    for number, step in enumerate(MIGRATIONS[version:], version + 1):
        db.executescript(f"BEGIN IMMEDIATE; {step} PRAGMA user_version = {number}; COMMIT;")
