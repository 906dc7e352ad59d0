"""The journal's rows: entries and games, and how they are written down as JSON and numbers."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LATEST = 32_503_680_000.0
"""Seconds since 1970: a later moment, after the year 3000, is no time that a clock told."""


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


def numbered(games: Iterable[tuple[Any, ...]], there: Mapping[str, int]) -> dict[int, int]:
    """Each game's number in a journal that has the games `there` (uuid → number): the one that it has there already;
    else its own, or, where another game has the number of any, the next ones in their order."""
    known = {row[0]: there[row[1]] for row in games if row[1] in there}
    new = [row[0] for row in games if row[1] not in there]
    if set(there.values()).isdisjoint(new):
        return known | {number: number for number in new}
    return known | dict(zip(new, itertools.count(max(there.values()) + 1), strict=False))


def dumped(data: Any) -> str:
    """JSON that any disk takes: half a character, which phones can send, is written as JSON escapes it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text if text.isascii() or _is_whole(text) else json.dumps(data, separators=(",", ":"))


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_look(entry: Entry) -> bool:
    return entry.kind == "word" and entry.payload.get("word") == "saw"


def row_of(entry: Entry) -> tuple[Any, ...]:
    ours = entry.kind == "roll" or (entry.kind == "device" and entry.payload.get("adopted"))
    dev, roll = (entry.payload.get("dev"), entry.payload.get("id")) if ours else (None, None)
    return (entry.game, entry.seq, entry.wall, entry.t, entry.kind, dumped(entry.payload), dev, roll)


def game_of(row: tuple[Any, ...]) -> Game | None:
    """A game as it was begun; None where a row is damaged within, which no check of the database finds."""
    id, uid, game, options, seats, sheet, start, started, ended, result = row
    try:
        options, seats, start = json.loads(options), json.loads(seats), json.loads(start)
        result = None if result is None else json.loads(result)
    except ValueError:
        return None
    ended = None if ended is None else _moment(ended)
    return Game(id, uid, game, options, seats, sheet, start, _moment(started), ended, result)


def entry_of(row: tuple[Any, ...]) -> Entry | None:
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
