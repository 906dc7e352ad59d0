"""A recorded game: the folder's frames and events in the order of their times (FORMATS, Recording)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.journal.codec import WORDS
from companion.journal.codec import word_from_json as journalled
from companion.model import (
    Answered,
    Challenged,
    Confirmed,
    Declared,
    JournalError,
    RecordingError,
    Roll,
    Rolled,
    Seat,
    Thrown,
    Word,
)
from companion.model.board import seat_from_key


@dataclass(frozen=True)
class Recording:
    """A recording that can be replayed. state: where it begins; None: with throws, those of `throws` first."""

    folder: Path
    game: Game[Any]
    state: Any
    throws: Seat
    sheet: Path
    reference: Path | None

    def frames(self) -> list[tuple[float, Path]]:
        """Times in seconds and pictures, in order. Raises RecordingError where there are none."""
        found = [(_time_of(path), path) for path in sorted((self.folder / "frames").glob("*.jpg"))]
        if not found:
            where = self.folder / "frames"
            raise RecordingError(f"{where}: there are no pictures named by their time in ms (00012340.jpg)")
        return sorted(found)

    def words(self) -> list[Word]:
        """What the table said, in order. Raises RecordingError naming file and line; a cut last line is left out."""
        path = self.folder / "events.jsonl"
        if not path.exists():
            return []
        lines = path.read_text().splitlines()
        found = []
        for number, line in enumerate(lines, 1):
            try:
                found.append(word_from_json(json.loads(line)))
            except json.JSONDecodeError as error:
                if number == len(lines):
                    break
                raise RecordingError(f"{path}, line {number}: {error}") from None
            except (ValueError, KeyError, TypeError, JournalError) as error:
                raise RecordingError(f"{path}, line {number}: {error}") from None
        return sorted(found, key=lambda word: word.at)


def _time_of(path: Path) -> float:
    if not path.stem.isdigit():
        raise RecordingError(f"{path}: a frame is named by its time in ms, like 00012340.jpg")
    return int(path.stem) / 1000


def word_from_json(data: Mapping[str, Any]) -> Word:
    """One line of events.jsonl. Raises ValueError for one that is none of FORMATS."""
    at = float(data["t"])
    if "roll" in data:
        return Rolled(at, Roll(tuple(data["roll"])))
    if "throw" in data:
        return Thrown(at, seat_from_key(str(data["throw"]["seat"])), int(data["throw"]["value"]))
    if "declare" in data:
        declared = data["declare"]
        return Declared(at, seat_from_key(str(declared["seat"])), seat_from_key(str(declared["plays"])))
    if "challenge" in data:
        return Challenged(at, str(data["challenge"].get("target", "")))
    if "answer" in data:
        return Answered(at, bool(data["answer"]))
    if data.get("confirm"):
        return Confirmed(at)
    for name in WORDS.keys() & data.keys():
        rest = data[name] if isinstance(data[name], Mapping) else {}
        return journalled({"word": name, "at": at, **rest})
    raise ValueError(f"nothing known in {dict(data)}: expected roll, throw, answer, declare, challenge or confirm")


def open_recording(folder: Path) -> Recording:
    """Read recording.json. Raises RecordingError naming what is missing or wrong."""
    path = folder / "recording.json"
    try:
        data = json.loads(path.read_text())
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror}; a recording is a folder with a recording.json") from None
    except json.JSONDecodeError as error:
        raise RecordingError(f"{path}: {error}") from None
    if not isinstance(data, dict) or data.get("recording") != 1:
        raise RecordingError(f'{path}: this is no recording: expected an object with "recording": 1')
    missing = [key for key in ("game", "seats", "sheet") if key not in data]
    if missing:
        raise RecordingError(f"{path}: {missing[0]} is missing")
    game = game_for(data["game"], [seat_from_key(str(s)) for s in data["seats"]], data.get("options") or {})
    reference = data.get("reference")
    throws = seat_from_key(str(data.get("throws", game.seats[0])))
    state = _start(game, data)
    return Recording(folder, game, state, throws, folder / data["sheet"], folder / reference if reference else None)


def _start(game: Game[Any], data: Mapping[str, Any]) -> Any:
    if "start" in data:
        return game.from_json(data["start"])
    if "throws" in data:  # `first` is then for readers that know no throws to begin
        return None
    return game.opening(seat_from_key(str(data["first"]))) if "first" in data else None


def in_order(frames: list[tuple[float, Path]], words: list[Word]) -> Iterator[tuple[float, Path | Word]]:
    """Frames and words by time; of the same moment the word first."""
    waiting = list(words)
    for at, path in frames:
        while waiting and waiting[0].at <= at:
            word = waiting.pop(0)
            yield word.at, word
        yield at, path
    for word in waiting:
        yield word.at, word

