"""A recorded game: the folder's frames and events in the order of their times (FORMATS, Recording)."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.journal.codec import WORDS
from companion.journal.codec import word_from_json as journalled
from companion.model import (
    Answered,
    BadInput,
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
from companion.service.pointing import from_json
from companion.service.recorder import SHOWN
from companion.vision.finding.shown import Showing

T = TypeVar("T")


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
        words: list[Word] = self._told(lambda data: None if SHOWN in data else word_from_json(data))
        return sorted(words, key=lambda word: word.at)

    def showings(self) -> list[tuple[float, Showing | None]]:
        """Where somebody showed the board to lie, and when; None: it was looked for again. Raises RecordingError."""
        return self._told(lambda data: (float(data["t"]), self._shown(data[SHOWN])) if SHOWN in data else None)

    def _shown(self, data: Any) -> Showing | None:
        return None if data is None else from_json(data, self.folder)

    def _told(self, read: Callable[[Any], T | None]) -> list[T]:
        """What `read` makes of the lines of events.jsonl; those of which it makes nothing are left out."""
        path, found = self.folder / "events.jsonl", []
        lines = path.read_text().splitlines() if path.exists() else []
        for number, line in enumerate(lines, 1):
            try:
                found.append(read(json.loads(line)))
            except json.JSONDecodeError as error:
                if number == len(lines):
                    break
                raise RecordingError(f"{path}, line {number}: {error}") from None
            except (ValueError, KeyError, TypeError, JournalError, BadInput) as error:
                raise RecordingError(f"{path}, line {number}: {error}") from None
        return [one for one in found if one is not None]


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


Item = Path | Word | Showing | None
"""A frame; a word; where somebody showed the board to lie, None: it is looked for again."""


def in_order(
    frames: list[tuple[float, Path]], words: list[Word], showings: Sequence[tuple[float, Showing | None]] = ()
) -> list[tuple[float, Item]]:
    """Frames and what was said, by time; of the same moment the frame last."""
    said: list[tuple[float, Item]] = [*showings, *((word.at, word) for word in words)]
    return [*heapq.merge(sorted(said, key=itemgetter(0)), frames, key=itemgetter(0))]

