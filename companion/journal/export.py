"""A game of the journal as a folder: a recording that can be replayed, and all that was ruled.

Source: FORMATS, "Recording". What a recording does not know of (take-backs, overrides) is added as keys of its own.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from companion.journal.codec import WORDS
from companion.journal.journal import Journal
from companion.journal.pictures import Pictures
from companion.journal.rows import Entry, Game
from companion.model import JournalError
from companion.model.board import seat_value
from companion.model.words import CAMERA, PHONE

WHOLE = "game.json"
"""What was told and ruled: all that the journal holds of the game."""
OPENS, CLOSES = ' "entries": [', " ]"
"""The lines in it between which the entries stand."""


def export(
    journal: Journal,
    game: int,
    folder: Path | str,
    pictures: Pictures | None = None,
    board: Mapping[str, str] | None = None,
) -> Path:
    """Write recording.json, events.jsonl, game.json and frames/ (the pictures that were kept) into `folder`.

    board: what recording.json says of the files of the board in `folder` ("sheet", "reference").
    Returns the folder. Raises JournalError.
    """
    folder = Path(folder)
    played = journal.game(game)
    head = recording(played, won_the_throws(journal.each(game)))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "recording.json", json.dumps(head | dict(board or {}), indent=1))
        _write_whole(folder / WHOLE, head | _of_the_record(played), journal.each(game))
        told = events(played, journal.each(game, looks=False))
        _write(folder / "events.jsonl", "\n".join(json.dumps(event) for event in told))
        _copy_frames(pictures, game, folder / "frames")
    except OSError as error:
        raise JournalError(f"export to {folder}: {error.strerror}; choose a folder that can be written") from error
    return folder


def recording(game: Game, won: int | None = None) -> dict[str, Any]:
    """recording.json. won: who won the throws for who begins, if that is known."""
    seats = [_seat(seat, game) for seat in game.seats]
    data = {"recording": 1, "game": game.game, "options": game.options, "seats": seats}
    told = {key: value for key, value in game.start.items() if key != "configured"}  # of the table, not of the game
    start = {key: _seat(value, game) if isinstance(value, int) else value for key, value in told.items()}
    if "throws" in start:  # who throws first; readers that know of no throws begin with `first`
        start = {"first": start["throws"] if won is None else _seat(won, game)} | start
    return data | ({"sheet": game.sheet} if game.sheet else {}) | start


def won_the_throws(entries: Iterable[Entry]) -> int | None:
    """Who begins, as it was said after the last throw for that; None where it was not."""
    won, threw = None, False
    for entry in entries:
        if entry.kind == "word":
            threw = entry.payload.get("word") == "thrown"
        elif entry.kind == "verdict":
            if entry.payload.get("kind") != "note":
                break  # what is thrown from here on decides a challenge
            if threw:
                won = entry.payload.get("seat", won)
    return won


def _of_the_record(game: Game) -> dict[str, Any]:
    """What game.json says of a game beyond recording.json."""
    return {"uuid": game.uuid, "started": game.started, "ended": game.ended, "result": game.result}


def _write_whole(path: Path, head: Mapping[str, Any], entries: Iterable[Entry]) -> None:
    """game.json: the game and every entry of it, one a line, of which no more than a few are in memory."""
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(head, indent=1).removesuffix("\n}") + ",\n" + OPENS)
        for number, e in enumerate(entries):
            row = {"seq": e.seq, "wall": e.wall, "t": e.t, "kind": e.kind, e.kind: e.payload}
            file.write((",\n  " if number else "\n  ") + json.dumps(row))
        file.write(f"\n{CLOSES}\n}}\n")


def entries_of(file: TextIO) -> Iterator[Any]:
    """The entries of game.json, one by one, as it is written; where it is laid out otherwise, all are read at once.

    Raises ValueError where it is no exported game, is cut off or damaged, once the entries before that are told.
    """
    if not any(line.rstrip() == OPENS for line in file) or (row := file.readline().strip()) in ("{", "["):
        file.seek(0)
        data = json.load(file)
        if not isinstance(data, Mapping) or not isinstance(data.get("entries"), list):
            raise ValueError("this is no exported game: expected an object with entries")
        yield from data["entries"]
        return
    while row != CLOSES.strip():
        try:
            entry = json.loads(row.removesuffix(","))
        except json.JSONDecodeError as error:
            raise ValueError(f"it is cut off, or damaged: {error}") from None
        yield entry
        row = file.readline().strip()


def events(game: Game, entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """The lines of events.jsonl: every word but the sightings, as a recording writes it."""
    words = (entry.payload for entry in entries if entry.kind == "word")
    return [event(word, game) for word in words if word.get("word") in WORDS and word["word"] != "saw"]


def event(word: Mapping[str, Any], game: Game) -> dict[str, Any]:
    """A word, as `word_to_json` gives it, as a line of events.jsonl."""
    line = _LINES.get(word["word"], _as_told)(word, game)
    return {"t": round(float(word["at"]), 3), **line}


def _as_told(word: Mapping[str, Any], game: Game) -> dict[str, Any]:
    rest = {key: value for key, value in word.items() if key not in ("word", "at", "by")}
    return {word["word"]: rest or True}


def _by(word: Mapping[str, Any]) -> dict[str, Any]:
    """That no dice or button told it, where the referee heeds that; not which player did."""
    return {"by": CAMERA if word["by"] == CAMERA else PHONE} if "by" in word else {}


def _throw(word: Mapping[str, Any], game: Game) -> dict[str, Any]:
    return {"throw": {"seat": _seat(word["seat"], game), "value": word["value"]}}


def _declare(word: Mapping[str, Any], game: Game) -> dict[str, Any]:
    return {"declare": {"seat": _seat(word["seat"], game), "plays": _seat(word["plays"], game)}}


def _seat(seat: int | str, game: Game) -> int | str:
    return seat_value(game.game, seat) if isinstance(seat, int) else seat


_LINES: Mapping[str, Callable[[Mapping[str, Any], Game], dict[str, Any]]] = {
    "rolled": lambda word, game: {"roll": word["roll"], **_by(word)},
    "answered": lambda word, game: {"answer": word["right"]},
    "confirmed": lambda word, game: {"confirm": True, **_by(word)},
    "thrown": _throw,
    "declared": _declare,
    "challenged": lambda word, game: {"challenge": {"target": word.get("target", "")}},
}


def _write(path: Path, text: str) -> None:
    path.write_text(text + "\n" if text else "", encoding="utf-8")


def _copy_frames(pictures: Pictures | None, game: int, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name in pictures.of_game(game) if pictures else []:
        path = pictures.path(name) if pictures else None
        if path:
            with contextlib.suppress(FileNotFoundError):  # a service that runs gave it up just now, to make room
                shutil.copyfile(path, folder / f"{path.stem.partition('-')[0]}.jpg")
