"""A backup in place of what was there: once it is unpacked whole it is put there, if need be after a power cut."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.journal import JOURNAL
from companion.journal.pictures import PICTURES
from companion.service.config import OWN_BOARDS
from companion.service.dice_ble import KEPT as DICE
from companion.service.scratch import free_name

KEPT_TOO = (JOURNAL, DICE, OWN_BOARDS, PICTURES)
"""What of the folder of the games is in a backup, and is exchanged when one is put back."""
UNPACKED, WHOLE = ".restore.part", ".restore.whole"
"""Where beside the games a backup is unpacked, and what that is called from when on it is to be put in place."""
PLAN = "plan.json"
_ASIDE = re.compile("before-restore-[0-9]+")
CANNOT = "A restore was cut off and cannot be finished ({}): what was there may lie in a folder before-restore-…. "
AGAIN = "Restore the backup again."


def put_in_place(found: Path, folder: Path) -> str:
    """Exchange the games, boards and pictures in `folder` for those in `found`; what to tell, "" for nothing.

    All is on the disk before it begins; from its beginning on `finish` can end it. Raises OSError.
    """
    aside = free_name(folder / "before-restore")
    has = [name for name in KEPT_TOO if (found / name).exists()]
    (found / PLAN).write_text(json.dumps({"aside": aside.name, "has": has}))
    remove(folder / WHOLE)
    os.sync()
    found.rename(folder / WHOLE)
    return finish(folder)


def finish(folder: Path) -> str:
    """Put in place what is not yet. Raises OSError; ValueError and LookupError where nobody can tell what to do."""
    found = folder / WHOLE
    plan = json.loads((found / PLAN).read_text())
    aside = folder / str(plan["aside"])
    if not _ASIDE.fullmatch(aside.name) or aside.parent != folder or aside.is_symlink() or found.is_symlink():
        raise ValueError(f"{found} is not what a restore makes")
    for name in _names(found, folder, plan["has"]):
        old, new = folder / name, found / name
        if os.path.lexists(old):
            aside.mkdir(exist_ok=True)
            _set_aside(old, aside / name, new.is_file())
        if new.exists():
            new.rename(old)
    found.rename(folder / UNPACKED)  # a half of it must not be taken for one that is to be put in place
    remove(folder / UNPACKED)
    return f"What was there is kept in {aside}" if aside.exists() else ""


def _names(found: Path, folder: Path, has: list[str]) -> Iterator[str]:
    """What is still to be exchanged. What the backup has not is set aside first: it can be told from nothing else."""
    if JOURNAL not in has or (found / JOURNAL).exists():
        _fold_in(folder / JOURNAL)
        yield from (f"{JOURNAL}-wal", f"{JOURNAL}-shm")
    yield from (name for name in KEPT_TOO if name not in has)
    yield from (name for name in has if (found / name).exists())


def _fold_in(games: Path) -> None:
    """Take what waits in the file beside the journal into it: then one file holds all. A damaged one is left alone."""
    if games.is_file() and not games.is_symlink():
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(games)) as journal:
            journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _set_aside(old: Path, aside: Path, stays: bool) -> None:
    """stays: it is there too until the new file replaces it at once, so that a cut does not leave a table without."""
    with contextlib.suppress(FileNotFoundError):
        if os.path.samestat(aside.lstat(), old.lstat()):  # before a cut
            return
    while os.path.lexists(aside):
        aside = aside.with_name(f"{aside.name}-more")
    with contextlib.suppress(OSError):  # not every disk can do that
        if stays and not old.is_symlink():
            os.link(old, aside)
            return
    old.rename(aside)


def finish_what_was_cut(folder: Path) -> tuple[str, ...]:
    """Before the games are used: end a restore that was cut off, and clear away one that had changed nothing yet.

    Returns what to tell. To be called by who holds the folder.
    """
    with contextlib.suppress(OSError):
        remove(folder / UNPACKED)
    if not os.path.lexists(folder / WHOLE):
        return ()
    try:
        told = finish(folder)
    except (OSError, ValueError, LookupError, TypeError) as error:
        return (CANNOT.format(error) + AGAIN,)
    return (f"A backup was being restored when that was cut off; it is finished now. {told}".strip(),)


def remove(path: Path) -> None:
    """A folder with all that is in it, a file, or a link, if there is one."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
