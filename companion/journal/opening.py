"""Opening the journal, whatever became of its file or its disk."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from companion.journal.journal import Journal, JournalNewer, why
from companion.journal.salvage import Salvaged, salvage
from companion.model import JournalError


def open_journal(path: Path | str, wall: Callable[[], float] = time.time) -> Journal:
    """The journal at `path`, begun if there is none.

    A damaged one is kept aside, and a new one is begun with what could be read of it, which is said in `notes`.
    Raises JournalError where it cannot be read or written at all, or is newer than this Companion.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"no folder for the journal {path}: {error.strerror}") from error
    try:
        return Journal(path, wall)
    except sqlite3.OperationalError as error:
        raise JournalError(why(path, error)) from error
    except sqlite3.DatabaseError as error:
        return _rebuilt(path, wall, error)


def open_to_read(path: Path, into: Path = Path(":memory:")) -> Journal:
    """A copy of the journal at `path` as it is now, though a service may be writing it; the journal is not touched.

    into: where the copy is to lie. Raises JournalError, also where the journal is damaged.
    """
    try:
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=5)) as source:
            return Journal(into, source=source)
    except sqlite3.OperationalError as error:
        raise JournalError(why(path, error)) from error
    except sqlite3.DatabaseError as error:
        way = "start the service once: it keeps the journal aside and takes over what can be read"
        raise JournalError(f"journal {path} is damaged ({error}); {way}") from error


def open_journal_or_refuge(path: Path, wall: Callable[[], float] = time.time) -> Journal:
    """The journal at `path`; where that cannot be written, a copy of it in the system's memory.

    Its `warning` says so, since games are kept there only until the power goes. Raises JournalError where there is no
    such place either, where another program holds the journal, and where it is newer than this Companion.
    """
    try:
        return open_journal(path, wall)
    except JournalError as error:
        if isinstance(error, JournalNewer) or "locked" in str(error.__cause__):
            raise
        journal = open_journal(_refuge(path, error), wall)
        journal.warning = f"{error}. Until Companion is started anew, games are kept only until the power goes"
        return journal


def _refuge(path: Path, error: JournalError) -> Path:
    """A copy of the journal's files where they can be written. Raises `error` where they cannot be copied."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="companion-games-", dir=os.environ.get("RUNTIME_DIRECTORY")))
        for extra in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{extra}", folder / f"{path.name}{extra}")
    except OSError:
        raise error from None
    return folder / path.name


def _rebuilt(path: Path, wall: Callable[[], float], error: sqlite3.DatabaseError) -> Journal:
    """A new journal with what can be read of the damaged one."""
    aside = put_aside(path)
    found = salvage(aside, lambda new: Journal(new).close())
    note = f"The journal {path.name} was damaged ({error}): it was kept as {aside.name}, and {_told(found)}."
    journal = Journal(path, wall, notes=(note,))
    journal.take_over(found.games, found.entries)
    return journal


def _told(found: Salvaged) -> str:
    if not found.games:
        return "a new one was begun, since nothing in it could be read"
    count = len(found.games)
    return f"what could be read of it, {count} {'game' if count == 1 else 'games'}, is in a new one"


def put_aside(path: Path, what: str = "damaged") -> Path:
    """Rename a database and what belongs to it to .damaged-1, -2 …, whichever is free. what: the word for it."""
    number = 1
    while (aside := path.with_name(f"{path.name}.{what}-{number}")).exists():
        number += 1
    path.rename(aside)
    for extra in ("-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + extra).rename(f"{aside}{extra}")
    return aside
