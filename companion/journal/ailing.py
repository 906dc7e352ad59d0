"""What ails a journal that cannot be written: the disk is full, read-only, gone, or another user's."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from companion.journal.owner import kept_out, shut_away

FULL = 200_000
"""Bytes free on a disk below which it is full: SQLite's shared memory and a page of its log find no place."""
GONE = "gone"
"""What is said of a file that was moved or deleted under the open database, of which SQLite itself says nothing."""
OF_RIGHTS = ("readonly", "unable to open")
"""What SQLite says, among others, of a file that is another user's."""


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
        (GONE, "its file is not there any more: put it, or its stick, back, and what waits is written by itself"),
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
