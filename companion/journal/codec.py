"""Words, sightings and verdicts as JSON and back: what is read judges as what was written did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, get_args

from companion.model import (
    UNLIKELY,
    BoardLost,
    BoardSeen,
    Content,
    JournalError,
    Kind,
    Position,
    Roll,
    Sighting,
    SpaceSeen,
    Step,
    Verdict,
    Word,
)
from companion.model.numbers import is_number


def snake(name: str) -> str:
    """AcceptedAsPlayed → accepted_as_played."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


WORDS: Mapping[str, type] = {snake(word.__name__): word for word in get_args(Word)}


def word_to_json(word: Word) -> dict[str, Any]:
    """{"word": "rolled", "at": 12.3, "roll": [5, 3], …}; what has its usual value is left out."""
    data: dict[str, Any] = {"word": snake(type(word).__name__)}
    for field in fields(word):
        value = getattr(word, field.name)
        if value != _usual(field):
            data[field.name] = _plain(value)
    return data


def word_from_json(data: Mapping[str, Any]) -> Word:
    """The word that `data` tells. Raises JournalError."""
    given = dict(data)
    kind = WORDS.get(given.pop("word", None))
    if kind is None:
        raise JournalError(f"the journal has a word that this Companion does not know: {data.get('word')!r}")
    try:
        if "roll" in given:
            given["roll"] = Roll(tuple(given["roll"]))
        if "sighting" in given:
            given["sighting"] = sighting_from_json(given["sighting"])
        word: Word = kind(**given)
        for name, wanted in _KINDS.items():
            fits = isinstance(given.get(name), wanted) and isinstance(given[name], bool) == (wanted is bool)
            if name in given and not fits:
                raise ValueError(f"{name} cannot be {given[name]!r:.40}")
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise JournalError(f"the journal has a {data['word']} that cannot be: {error}") from error
    return word


_KINDS: Mapping[str, Any] = {
    "at": (int, float),
    "seat": int,
    "plays": int,
    "value": int,
    "state": Mapping,
    "right": bool,
    "working": bool,
    "by": str,
    "target": str,
}


def _usual(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def _plain(value: Any) -> Any:
    """JSON's own types; tuples become lists."""
    if isinstance(value, Roll):
        return list(value.dice)
    if isinstance(value, BoardSeen | BoardLost):
        return sighting_to_json(value)
    if isinstance(value, Position):
        return {name: list(content) for name, content in value.items()}
    if isinstance(value, Step):
        return _step_to_json(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value if isinstance(value, int | float | str | None) else str(value)


# sightings


def sighting_to_json(sighting: Sighting) -> dict[str, Any]:
    """Compact: covered spaces by name only, and spaces that are read alike by name with their reading: [content,
    confidence, {content: level}], rounded, and the level of any other content where it is not the usual one."""
    if isinstance(sighting, BoardLost):
        return {"at": sighting.at, "lost": sighting.reason}
    covered = [name for name, seen in sighting.spaces.items() if seen.covered]
    readings = {name: _space_to_json(seen) for name, seen in sighting.spaces.items() if not seen.covered}
    same: dict[str, list[str]] = {}
    for name, reading in readings.items():
        same.setdefault(str(reading), []).append(name)
    alike = [[readings[names[0]], group(names)] for names in same.values() if len(names) > 1]
    data: dict[str, Any] = {"at": sighting.at}
    data |= {key: True for key in ("moving", "moved") if getattr(sighting, key)}
    data |= {"covered": group(covered)} if covered else {}
    data |= {"alike": alike} if alike else {}
    return data | {"spaces": {names[0]: readings[names[0]] for names in same.values() if len(names) == 1}}


def sighting_from_json(data: Mapping[str, Any]) -> Sighting:
    """The sighting that `data` tells; its spaces in another order. Raises KeyError, ValueError, TypeError."""
    if not is_number(data["at"]):
        raise ValueError(f"at must be seconds, not {data['at']!r:.40}")
    if "lost" in data:
        return BoardLost(data["at"], data["lost"])
    # journals of old name the plainly empty spaces alone
    spaces = dict.fromkeys(ungroup(data.get("empty", {})), SpaceSeen((), 1.0, likelihoods={(): 0.0}))
    spaces |= dict.fromkeys(ungroup(data.get("covered", {})), SpaceSeen((), 0.0, covered=True))
    for reading, names in data.get("alike", []):
        spaces |= dict.fromkeys(ungroup(names), _space_from_json(reading))
    spaces |= {name: _space_from_json(seen) for name, seen in data["spaces"].items()}
    return BoardSeen(data["at"], spaces, data.get("moving", False), data.get("moved", False))


def _space_to_json(seen: SpaceSeen) -> list[Any]:
    likelihoods = {_content_key(content): round(value, 2) for content, value in seen.likelihoods.items()}
    rest = [] if seen.unlisted == UNLIKELY else [round(seen.unlisted, 2)]
    return [list(seen.content), round(seen.confidence, 4), likelihoods, *rest]


def _space_from_json(data: list[Any]) -> SpaceSeen:
    content, confidence, likelihoods, *rest = data
    contents = {_content(key): float(value) for key, value in likelihoods.items()}
    return SpaceSeen(tuple(content), float(confidence), False, contents, *map(float, rest))


def _content_key(content: Content) -> str:
    return ",".join(str(seat) for seat in content)


def _content(key: str) -> Content:
    return tuple(int(seat) for seat in key.split(",")) if key else ()


def group(names: Iterable[str]) -> dict[str, str]:
    """Names by what stands before their number: t0, t1, t2, t9, center → {"t": "0-2,9", "center": ""}."""
    numbers: dict[str, set[int]] = {}
    groups: dict[str, str] = {}
    for name in names:
        found = re.fullmatch(r"(.*?)(0|[1-9][0-9]*)", name)
        if found:
            numbers.setdefault(found[1], set()).add(int(found[2]))
        else:
            groups[name] = ""
    # a name without a number, beside others with one, is an empty run
    return groups | {stem: "," * (stem in groups) + _runs(sorted(found)) for stem, found in numbers.items()}


def ungroup(groups: Mapping[str, str]) -> list[str]:
    """The names that `group` was given."""
    names = []
    for stem, runs in groups.items():
        for run in runs.split(","):
            first, _, last = run.partition("-")
            numbers = range(int(first), int(last or first) + 1) if first else [""]
            names += [f"{stem}{number}" for number in numbers]
    return names


def _runs(numbers: list[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ",".join("-".join(str(n) for n in run) for run in runs)


# verdicts


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """{"kind": "legal", "at": 15.2, "steps": […], …}; what has its usual value is left out."""
    given = {f.name: getattr(verdict, f.name) for f in fields(verdict) if getattr(verdict, f.name) != _usual(f)}
    return {name: _plain(value) for name, value in given.items()} | {"kind": verdict.kind.value}


def verdict_from_json(data: Mapping[str, Any]) -> Verdict:
    """The verdict that `data` tells; lists in its facts were tuples, perhaps. Raises JournalError."""
    try:
        given = {name: _VERDICT.get(name, lambda value: value)(value) for name, value in data.items()}
        return Verdict(**given)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise JournalError(f"the journal has a verdict that cannot be: {error}") from error


def _step_to_json(step: Step) -> list[Any]:
    captures = [list(capture) for capture in step.captures]
    return [step.seat, step.origin, step.target, step.by, *([captures] if captures else [])]


def _step(data: list[Any]) -> Step:
    seat, origin, target, by, *captures = data
    return Step(seat, origin, target, by, tuple((s, base) for s, base in (captures[0] if captures else [])))


def _steps(data: list[Any]) -> tuple[Step, ...]:
    return tuple(_step(step) for step in data)


def _position(data: Mapping[str, Any] | None) -> Position | None:
    return None if data is None else Position(tuple(sorted((n, tuple(c)) for n, c in data.items())))


_VERDICT: Mapping[str, Any] = {
    "kind": Kind,
    "steps": _steps,
    "rules": tuple,
    "position": _position,
    "seen": _position,
    "put_right": lambda moves: tuple((seat, origin, target) for seat, origin, target in moves),
    "legal": lambda plays: tuple(_steps(play) for play in plays),
    "winner": tuple,
    "facts": dict,
    "dice": tuple,
}
