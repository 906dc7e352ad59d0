"""Opening the journal, whatever became of its file or its disk."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.journal.ailing import why
from companion.journal.journal import Journal
from companion.journal.owner import kept_out
from companion.journal.pictures import PICTURES, Pictures
from companion.journal.salvage import Salvaged, salvage
from companion.journal.tables import MIGRATIONS, JournalNewer, readable, version_of
from companion.model import JournalError, why_not

JOURNAL = "games.db"
"""The journal's file in the folder where games are kept."""
IN_MEMORY = Path(":memory:")
UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What comes of a damaged database: SQLite quotes what it reads of its tables, which may be no text."""
OF_DAMAGE = ("no such", "already exists")
"""What SQLite says, as of a mistake in what it is asked, where the names of the tables are damaged."""


def open_journal(path: Path | str, wall: Callable[[], float] = time.time) -> Journal:
    """The journal at `path`, begun if there is none.

    A damaged one is kept aside, and a new one is begun with what could be read of it, which is said in `notes`.
    Raises JournalError where it cannot be read or written at all, or is newer than this Companion.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() and _new(path).exists():  # the power went while a damaged one was exchanged
            _new(path).rename(path)
    except OSError as error:
        raise JournalError(f"no folder for the journal {path}: {kept_out(path) or error.strerror}") from error
    try:
        return Journal(path, wall)
    except UNREADABLE as error:
        if not _is_damaged(error):
            raise JournalError(why(path, error)) from error
        return _rebuilt(path, wall, error)


def _is_damaged(error: Exception) -> bool:
    """Whether the journal is damaged, and not only out of reach now."""
    return not isinstance(error, sqlite3.OperationalError) or any(sign in str(error) for sign in OF_DAMAGE)


def open_to_read(path: Path, into: Path | None = None) -> Journal:
    """The journal at `path` as it is now, to be read though a service may be writing it; it is not touched.

    into: where a copy is to lie; None: it is read where it lies, since many evenings of games would fill the memory, or
    in memory where that cannot be. Raises JournalError, also where the journal is damaged.
    """
    try:
        if into is None and (opened := _in_place(path)) is not None:
            return Journal(path, opened=opened)
        with _reading(path) as source:
            return Journal(into or IN_MEMORY, source=source)
    except JournalError:
        raise
    except OSError as error:
        raise JournalError(f"journal {path}: {kept_out(path, os.R_OK) or why_not(error)}") from error
    except UNREADABLE as error:
        if not _is_damaged(error):
            raise JournalError(why(path, error)) from error
        way = "start the service once: it keeps the journal aside and takes over what can be read"
        raise JournalError(f"journal {path} is damaged ({error}); {way}") from error


def _in_place(path: Path) -> sqlite3.Connection | None:
    """The database at `path`, of which one moment is read, whatever is written meanwhile; None where only a copy of it
    can be read, or it is of another version."""
    try:
        db = _open_only_to_read(path)
    except sqlite3.OperationalError:
        return None
    if version_of(db) != len(MIGRATIONS):
        db.close()
        return None
    db.execute("BEGIN")
    return db


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """The database at `path`, to be read. Where its disk is read-only SQLite needs a copy, unless it is in use."""
    with contextlib.ExitStack() as ending:
        try:
            db = _open_only_to_read(path)
        except sqlite3.OperationalError:
            if not path.is_file():
                raise
            copy = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="companion-games-")), path.name)
            for extra in ("", "-wal"):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copyfile(f"{path}{extra}", f"{copy}{extra}")
            db = sqlite3.connect(copy)
        yield ending.enter_context(contextlib.closing(db))


def _open_only_to_read(path: Path) -> sqlite3.Connection:
    db = readable(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=5))
    try:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except UNREADABLE:
        db.close()
        raise
    return db


def open_journal_or_refuge(path: Path) -> Journal:
    """The journal at `path`; where that cannot be written, a copy of it in memory that can be brought home later.

    Its `warning` says so, since what is told meanwhile is gone with the power. Raises JournalError where another
    program holds the journal, and where it is newer than this Companion.
    """
    try:
        return open_journal(path)
    except JournalError as error:
        if isinstance(error, JournalNewer) or "locked" in str(error.__cause__):
            raise
        journal = _in_memory(path)
        journal.home = path
        journal.warning = f"{error}. Until it can be written, games are in memory, and gone if the power goes"
        return journal


def _in_memory(path: Path) -> Journal:
    """What can be read of the journal."""
    with contextlib.suppress(JournalError, OSError):
        return open_to_read(path, IN_MEMORY)
    journal = Journal(IN_MEMORY)
    journal.begin_after(Pictures(path.parent / PICTURES).newest)  # whose are those of a game that is not known here?
    with contextlib.suppress(sqlite3.Error, OSError):
        found = salvage(path, lambda new: Journal(new).close())
        journal.take_over(found.games, found.entries)
        journal.notes = (f"The journal {path.name} is damaged: {_told(found)}.",)
    return journal


def bring_home(journal: Journal) -> dict[int, int] | None:
    """Where a journal in memory can be written at home again: take everything there. Returns the number that each game
    which came home has now (was → is); None where it is not at home."""
    if journal.home is None:
        return {}
    try:
        return journal.move_into(open_journal(journal.home))
    except JournalError:
        return None


def _new(path: Path) -> Path:
    return path.with_name(f"{path.name}.rebuilt")


def _rebuilt(path: Path, wall: Callable[[], float], error: Exception) -> Journal:
    """A new journal with what can be read of the damaged one: made whole beside it, then put in its place."""
    new = _new(path)
    try:
        _remove(new)
        _check_room(path)
        found = salvage(path, lambda fresh: Journal(fresh).close())
        with contextlib.closing(Journal(new, wall)) as journal:
            journal.take_over(found.games, found.entries)
        aside = put_aside(path)
        new.replace(path)
    except (sqlite3.Error, OSError, JournalError) as trouble:
        with contextlib.suppress(OSError):
            _remove(new)
        raise JournalError(f"journal {path} is damaged ({error}), and cannot be rebuilt: {trouble}") from trouble
    note = f"The journal {path.name} was damaged ({error}): it was kept as {aside.name}, and {_told(found)}."
    return Journal(path, wall, notes=(note,))


def _check_room(path: Path) -> None:
    """Raises JournalError where a journal like that has no room on its disk: to find that out in the end takes minutes
    of a large one, again and again."""
    if shutil.disk_usage(path.parent).free < (needed := path.stat().st_size):
        raise JournalError(f"the disk is full: make room, {needed / 1e6:.0f} MB for a new one")


def _remove(path: Path) -> None:
    for extra in ("", "-wal", "-shm"):
        Path(f"{path}{extra}").unlink(missing_ok=True)


def _told(found: Salvaged) -> str:
    if not found.games:
        return "a new one was begun, since nothing in it could be read"
    count = len(found.games)
    return f"what could be read of it, {count} {'game' if count == 1 else 'games'}, is in a new one"


def put_aside(path: Path) -> Path:
    """Rename a database and what belongs to it to .damaged-1, -2 …, whichever is free."""
    number = 1
    while any(Path(f"{path}.damaged-{number}{extra}").exists() for extra in ("", "-wal")):
        number += 1
    aside = path.with_name(f"{path.name}.damaged-{number}")
    for extra in ("-wal", "-shm", ""):  # the database last: SQLite takes a log without one for somebody else's
        with contextlib.suppress(FileNotFoundError):
            Path(f"{path}{extra}").rename(f"{aside}{extra}")
    return aside
