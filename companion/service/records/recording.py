"""A recorded game: the folder's frames and events in the order of their times (FORMATS, Recording)."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from companion.camera.recorded import PICTURES
from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.journal.codec import WORDS
from companion.journal.codec import word_from_json as journalled
from companion.journal.export import WHOLE, entries_of
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
    why_not,
)
from companion.model.board import seat_from_key
from companion.model.numbers import is_number
from companion.service.boards.pointing import from_json
from companion.service.table.recorder import SHOWN
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
        """Times in seconds and pictures, in order; without empty ones, which a power cut leaves. Raises RecordingError
        where there are none."""
        where = self.folder / "frames"
        try:
            there = (p for p in where.iterdir() if p.suffix.lower() in PICTURES and not p.name.startswith("."))
            timed = [(_time_of(path), path) for path in there]  # a Mac puts hidden files (._00012340.jpg) beside them
            found = [(at, path) for at, path in timed if path.stat().st_size]
        except (FileNotFoundError, NotADirectoryError):
            found = []
        except OSError as error:
            raise RecordingError(why_not(error)) from error
        if not found:
            raise RecordingError(f"{where}: there are no pictures named by their time in ms (00012340.jpg)")
        return sorted(found)

    def words(self) -> list[Word]:
        """What the table said, in order. Raises RecordingError naming file and line; a cut last line is left out."""
        words: list[Word] = self._told(lambda data: None if _is_shown(data) else word_from_json(data))
        return sorted(words, key=lambda word: word.at)

    def showings(self) -> list[tuple[float, Showing | None]]:
        """Where somebody showed the board to lie, and when; None: it was looked for again. Raises RecordingError."""
        return self._told(lambda data: (_time(data), self._shown(data[SHOWN])) if _is_shown(data) else None)

    @property
    def exported(self) -> bool:
        """Whether it is a game of a journal: of what was seen it has few pictures, but all that was read in them."""
        return (self.folder / WHOLE).is_file()

    @property
    def remarks(self) -> list[str]:
        """What is to be said before it is replayed: what it is judged by, and what is missing."""
        if self.exported:
            kept = "few" if any((self.folder / "frames").glob("*.jpg")) else "no"
            read = "it is judged by what was read on the board then, as companion games rejudge does"
            return [f"{kept} pictures of this game were kept: {read}"]
        found, events = [], self.folder / "events.jsonl"
        if not events.exists():
            found.append(f"{events} is missing: it is judged as if nobody had thrown or said a word")
        if self.reference is not None and not self.reference.exists():
            found.append(f"{self.reference} is missing: the board is looked for by its markers")
        return found

    def told_then(self) -> Iterator[Word | None]:
        """All that the referee of an exported game was told, what was read on the board too, in its order; None where
        the service began again. Raises RecordingError naming the file and the entry, once what is before it is told."""
        path, after = self.folder / WHOLE, ""
        try:
            with path.open(encoding="utf-8-sig") as file:
                for entry in entries_of(file):
                    if not isinstance(entry, Mapping):
                        raise ValueError(f"an entry must be an object, not {entry!r:.40}")
                    after = f", after entry {entry['seq']}"
                    if entry["kind"] == "word":
                        yield journalled(entry["word"])
                    elif entry["kind"] == "service" and entry["service"].get("resumed"):
                        yield None
        except OSError as error:
            raise RecordingError(why_not(error, path)) from error
        except UnicodeDecodeError:
            raise RecordingError(f"{path}{after}: this is no text (UTF-8)") from None
        except KeyError as error:
            raise RecordingError(f"{path}{after}: {error.args[0]} is missing") from None
        except (ValueError, TypeError, AttributeError, RecursionError, JournalError) as error:
            raise RecordingError(f"{path}{after}: {error}") from None

    def _shown(self, data: Any) -> Showing | None:
        return None if data is None else from_json(data, self.folder)

    def _told(self, read: Callable[[Any], T | None]) -> list[T]:
        """What `read` makes of the lines of events.jsonl; those of which it makes nothing are left out."""
        path, found = self.folder / "events.jsonl", []
        lines = _text(path).splitlines() if path.exists() else []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                found.append(read(json.loads(line)))
            except json.JSONDecodeError as error:
                if number == len(lines):
                    break
                raise RecordingError(f"{path}, line {number}: {error}") from None
            except KeyError as error:
                raise RecordingError(f"{path}, line {number}: {error.args[0]} is missing") from None
            except (ValueError, TypeError, RecursionError, JournalError) as error:
                raise RecordingError(f"{path}, line {number}: {error}") from None
        return [one for one in found if one is not None]


def _time_of(path: Path) -> float:
    if not (path.stem.isascii() and path.stem.isdigit()):
        raise RecordingError(f"{path}: a frame is named by its time in ms, like 00012340.jpg")
    return int(path.stem) / 1000


def _text(path: Path) -> str:
    """What a file says. Raises RecordingError where it cannot be read, or is no text."""
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors begin a file with a mark
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror}; a recording is a folder with a recording.json") from None
    except UnicodeDecodeError:
        raise RecordingError(f"{path}: this is no text (UTF-8)") from None


# --- a line of events.jsonl ---


def word_from_json(data: Mapping[str, Any]) -> Word:
    """One line of events.jsonl. Raises ValueError for one that is none of FORMATS."""
    at = _time(data)
    told = [name for name in data if name in _EVENTS or name in WORDS]
    if not told:
        raise ValueError(f"nothing known in {dict(data)!r:.80}: expected one of {', '.join([*_EVENTS, SHOWN])}")
    if len(told) > 1:
        raise ValueError(f"{' and '.join(told)} in one line: give each a line of its own")
    [name] = told
    if name in _EVENTS:
        word, by = _EVENTS[name](at, data[name]), data.get("by")
        return replace(word, by=by) if isinstance(word, Rolled | Confirmed) and by and isinstance(by, str) else word
    rest = data[name] if isinstance(data[name], Mapping) else {}
    return journalled({"word": name, "at": at, **rest})


def _time(data: Any) -> float:
    if not isinstance(data, Mapping):
        raise ValueError(f'expected an object like {{"t": 12.34, "roll": [5, 3]}}, not {data!r:.80}')
    if "t" not in data:
        raise ValueError('t is missing: the seconds from the beginning, like "t": 12.34')
    at = data["t"]
    if not is_number(at):
        raise ValueError(f"t must be a finite number of seconds, not {at!r:.40}")
    return float(at)


def _is_shown(data: Any) -> bool:
    return isinstance(data, Mapping) and SHOWN in data


def _rolled(at: float, dice: Any) -> Word:
    if not (isinstance(dice, list) and all(type(die) is int for die in dice)):
        raise ValueError(f"roll must be a list of dice like [5, 3], not {dice!r:.40}")
    return Rolled(at, Roll(tuple(dice)))


def _thrown(at: float, data: Any) -> Word:
    seat, value = _parts("throw", data, "seat", "value")
    if type(value) is not int:
        raise ValueError(f"throw: value must be a whole number, not {value!r:.40}")
    return Thrown(at, _seat(seat), value)


def _declared(at: float, data: Any) -> Word:
    seat, plays = _parts("declare", data, "seat", "plays")
    return Declared(at, _seat(seat), _seat(plays))


def _challenged(at: float, data: Any) -> Word:
    if not isinstance(data, Mapping):
        raise ValueError(f'challenge must be an object like {{"target": "b5"}}, not {data!r:.40}')
    return Challenged(at, str(data.get("target", "")))


def _answered(at: float, right: Any) -> Word:
    if not isinstance(right, bool):
        raise ValueError(f"answer must be true or false, without quotes, not {right!r:.40}")
    return Answered(at, right)


def _confirmed(at: float, done: Any) -> Word:
    if done is not True:
        raise ValueError(f"confirm must be true, not {done!r:.40}")
    return Confirmed(at)


_EVENTS: Mapping[str, Callable[[float, Any], Word]] = {
    "roll": _rolled,
    "throw": _thrown,
    "answer": _answered,
    "declare": _declared,
    "challenge": _challenged,
    "confirm": _confirmed,
}


def _parts(name: str, data: Any, *keys: str) -> list[Any]:
    missing = [key for key in keys if not isinstance(data, Mapping) or key not in data]
    if missing:
        raise ValueError(f"{name}: {missing[0]} is missing in {data!r:.40}")
    return [data[key] for key in keys]


def _seat(key: Any) -> Seat:
    try:
        return seat_from_key(str(key))
    except ValueError:
        raise BadInput(f"seat {key!r:.40}: expected a number like 0, or N, E, S, W") from None


# --- recording.json ---


def open_recording(folder: Path) -> Recording:
    """Read recording.json. Raises RecordingError naming what is missing or wrong."""
    path = folder / "recording.json"
    if folder.is_file():  # as the page saves a game, and as it comes by mail
        raise RecordingError(f"{folder} is a file: unpack it, and name the folder in it that has a recording.json")
    try:
        return _recording(folder, json.loads(_text(path)))
    except RecordingError:
        raise
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"{path}: {error}") from None


def _recording(folder: Path, data: Any) -> Recording:
    if not isinstance(data, dict) or data.get("recording") != 1:
        raise BadInput('this is no recording: expected an object with "recording": 1')
    missing = [key for key in ("game", "seats", "sheet") if key not in data]
    if missing:
        raise BadInput(f"{missing[0]} is missing")
    seats, sheet, reference = data["seats"], data["sheet"], data.get("reference")
    if not isinstance(seats, list):
        raise BadInput(f"seats must be a list like [0, 2], not {seats!r:.40}")
    for key, name in (("sheet", sheet), ("reference", reference or sheet)):
        if not isinstance(name, str) or not _may_be_a_file(folder, name):
            raise BadInput(f"{key} must be the name of a file in the recording's folder, not {name!r:.40}")
    game = game_for(data["game"], [_seat(seat) for seat in seats], data.get("options") or {})
    state, throws = _start(game, data), _seat(data.get("throws", game.seats[0]))
    return Recording(folder, game, state, throws, folder / sheet, folder / reference if reference else None)


def _may_be_a_file(folder: Path, name: str) -> bool:
    """Whether there is one of that name, or nothing yet; what never ends, or is a folder, is none."""
    try:
        return bool(name) and "\0" not in name and ((folder / name).is_file() or not (folder / name).exists())
    except OSError:  # what is wrong with it is said where it is read
        return True


def _start(game: Game[Any], data: Mapping[str, Any]) -> Any:
    if data.get("start") is not None:
        start, seats = data["start"], data["seats"]
        if not isinstance(start, Mapping):
            raise BadInput(f"start must be an object, the state in which the game begins, not {start!r:.40}")
        for key, held, same in (
            ("game", game.name, start.get("game", game.name) == game.name),
            ("options", dict(game.options), _same_rules(game, start.get("options"))),
        ):
            if not same:
                raise BadInput(f"start has {key} {start[key]!r:.40}, and {key} is {held!r:.40}")
        there = start.get("seats", seats)
        if not isinstance(there, list) or {_seat(seat) for seat in there} != set(game.seats):
            raise BadInput(f"start has the seats {there!r:.40}, and seats is {seats!r:.40}")
        return game.from_json(start)
    if "throws" in data:  # `first` is then for readers that know no throws to begin
        if _seat(data["throws"]) not in game.seats:
            raise BadInput(f"throws is {data['throws']!r:.40}, and seats is {data['seats']!r:.40}")
        return None
    return game.opening(_seat(data["first"])) if "first" in data else None


def _same_rules(game: Game[Any], options: Any) -> bool:
    """Whether the game is played by these options, if any are given; usual ones may be spelt out or left out."""
    if options is None:
        return True
    try:
        return dict(game_for(game.name, game.seats, options).all_options) == dict(game.all_options)
    except BadInput:
        return False


Item = Path | Word | Showing | None
"""A frame; a word; where somebody showed the board to lie, None: it is looked for again."""


def in_order(
    frames: list[tuple[float, Path]], words: list[Word], showings: Sequence[tuple[float, Showing | None]] = ()
) -> list[tuple[float, Item]]:
    """Frames and what was said, by time; of the same moment the frame last."""
    said: list[tuple[float, Item]] = [*showings, *((word.at, word) for word in words)]
    return [*heapq.merge(sorted(said, key=itemgetter(0)), frames, key=itemgetter(0))]

