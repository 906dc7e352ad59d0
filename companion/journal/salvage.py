"""What can still be read of a damaged journal.

Source: the SQLite file format (sqlite.org/fileformat2.html). Rows are asked for by their number, past the pages that
cannot be read, to the next number that stands on any page of rows; a first page that is gone is replaced by that of a
new journal, since its tables lie where ours do.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import struct
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MAGIC = b"SQLite format 3\0"
PAGE = 4096
MOST = 1 << 30
"""Bytes that no journal reaches."""
LEAF = 13
"""The first byte of a page that holds rows of a table."""
LOG_HEAD, FRAME_HEAD = 32, 24
"""Bytes at the beginning of the log, and before each page in it."""
LEAST_ROW = 16
"""Bytes that a row takes at the least, by which the size of the file says how many there can be."""

Row = tuple[Any, ...]
_UNREADABLE = (sqlite3.Error, UnicodeDecodeError, OverflowError)


@dataclass(frozen=True, slots=True)
class Salvaged:
    """Rows of the tables `games` and `entries`, as they are there."""

    games: tuple[Row, ...]
    entries: tuple[Row, ...]


def salvage(damaged: Path, fresh: Callable[[Path], None]) -> Salvaged:
    """The readable rows of a damaged journal, which is left as it is. fresh: makes an empty journal at a path."""
    with tempfile.TemporaryDirectory(prefix="companion-salvage-") as folder:
        copy, new = Path(folder, "damaged.db"), Path(folder, "new.db")
        shutil.copyfile(damaged, copy)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(f"{damaged}-wal", f"{copy}-wal")
        fresh(new)
        found = _read(copy, whole=False)
        if not found.games:
            _give_first_page(copy, new)
            found = _read(copy, whole=True)
        return found


def _read(copy: Path, whole: bool) -> Salvaged:
    """whole: the copy's size and first page are right already."""
    if not whole:
        _fill_up(copy)
    most, numbers = copy.stat().st_size // LEAST_ROW, _numbers(copy)
    with contextlib.closing(sqlite3.connect(copy)) as db:
        games = tuple(row for row in _rows(db, "games", most, numbers) if _is_game(row))
        known = {0, *(row[0] for row in games)}
        entries = tuple(row for row in _rows(db, "entries", most, numbers) if _is_entry(row) and row[1] in known)
    return Salvaged(games, entries)


def _fill_up(copy: Path) -> None:
    """A file that was cut off is refused as a whole: give it empty pages up to the length that it says it has."""
    with copy.open("r+b") as file:
        head = file.read(100)
        if len(head) < 100 or not head.startswith(MAGIC):
            return
        pages = int.from_bytes(head[28:32], "big")
        size = file.seek(0, 2)
        if size < pages * PAGE < MOST:
            file.truncate(pages * PAGE)


def _give_first_page(copy: Path, new: Path) -> None:
    """Replace the first page, which names the tables, by that of a new journal of the same tables."""
    page = bytearray(new.read_bytes()[:PAGE])
    with copy.open("r+b") as file:
        pages = -(-file.seek(0, 2) // PAGE)
        page[28:32] = pages.to_bytes(4, "big")
        page[24:28] = page[92:96] = (1).to_bytes(4, "big")
        file.seek(0)
        file.write(page)
        file.truncate(pages * PAGE)


def _numbers(copy: Path) -> list[int]:
    """The numbers of rows that stand on any page, also of those that wait in the log, in order."""
    found: set[int] = set()
    for name, first, step in ((copy, 0, PAGE), (Path(f"{copy}-wal"), LOG_HEAD + FRAME_HEAD, FRAME_HEAD + PAGE)):
        with contextlib.suppress(FileNotFoundError), name.open("rb") as file:
            for start in range(first, file.seek(0, 2), step):
                file.seek(start)
                found.update(_numbers_on(file.read(PAGE), 100 if start == 0 else 0))
    return sorted(found)


def _numbers_on(page: bytes, head: int) -> Iterator[int]:
    """The numbers on a page of rows; none on any other page."""
    if len(page) < PAGE or page[head] != LEAF:
        return
    cells = head + 8
    count = min(int.from_bytes(page[head + 3 : head + 5], "big"), (PAGE - cells) // 2)
    for (cell,) in struct.iter_unpack(">H", page[cells : cells + 2 * count]):
        _, after = _number_at(page, cell)
        number, after = _number_at(page, after)
        if after <= PAGE:
            yield number


def _number_at(page: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends; past the page where it is cut off."""
    value = 0
    for place in range(at, min(at + 9, PAGE)):
        value = value << 7 | page[place] & 0x7F
        if page[place] < 0x80:
            return value, place + 1
    return value, PAGE + 1


def _rows(db: sqlite3.Connection, table: str, most: int, numbers: Sequence[int]) -> Iterator[Row]:
    """Every row that can be read, in order of its number, which is at most `most`."""
    first, most = 1, 0 if _is_view(db, table) else min(most, _last_number(db, table) or most)
    while first <= most:
        try:
            # not "id > ?": that looks at the page before too, which may be the one that cannot be read
            for row in db.execute(f"SELECT * FROM {table} NOT INDEXED WHERE id >= ? ORDER BY id", (first,)):
                if isinstance(row[0], int) and first <= row[0] <= most:
                    first = row[0] + 1
                    yield row
            return
        except _UNREADABLE:
            yield from _one_row(db, table, first)
            further = bisect_right(numbers, first)
            first = numbers[further] if further < len(numbers) else most + 1


def _is_view(db: sqlite3.Connection, table: str) -> bool:
    """Whether somebody put a view in its place, which may have no end."""
    try:
        return bool(db.execute("SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = ?", (table,)).fetchone())
    except _UNREADABLE:
        return False


def _one_row(db: sqlite3.Connection, table: str, number: int) -> list[Row]:
    """A row by itself: in front of a page that cannot be read Python gives none, since it looks ahead."""
    try:
        return db.execute(f"SELECT * FROM {table} NOT INDEXED WHERE id = ?", (number,)).fetchall()
    except _UNREADABLE:
        return []


def _last_number(db: sqlite3.Connection, table: str) -> int | None:
    try:
        row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
        return int(row[0]) if row else None
    except (sqlite3.Error, ValueError, TypeError):
        return None


def _is_game(row: Row) -> bool:
    return len(row) == 10 and all(map(_is_json, (row[3], row[4], row[6], row[9] or "{}")))


def _is_entry(row: Row) -> bool:
    return len(row) == 9 and isinstance(row[1], int) and isinstance(row[2], int) and _is_json(row[6])


def _is_json(text: Any) -> bool:
    try:
        json.loads(text)
    except (TypeError, ValueError):
        return False
    return True
