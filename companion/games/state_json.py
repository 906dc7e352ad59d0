"""Checks for what comes from outside: seats, options and pieces of a STATE, with errors that help."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.model import OptionError, Seat, StateError

SHOWN = 60


def shown(value: object) -> str:
    """`value` as an error shows it: short, whatever it is."""
    try:
        text = repr(value)
    except RecursionError:
        return "(nested too deeply)"
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def is_whole(value: object) -> bool:
    """Whether `value` is an integer; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_seats(seats: object, known: Sequence[Seat], fewest: int) -> tuple[Seat, ...]:
    """The seats of a game, in the order given. Raises OptionError."""
    seats = list(seats) if isinstance(seats, tuple) else seats
    if not isinstance(seats, list) or not all(is_whole(s) and s in known for s in seats):
        raise OptionError(f"seats {shown(seats)}: expected a list of some of {list(known)}")
    if len(set(seats)) != len(seats) or len(seats) < fewest:
        raise OptionError(f"seats {shown(seats)}: choose {fewest} to {len(known)} different of {list(known)}")
    return tuple(seats)


def check_options(options: object, known: Iterable[str], game: str) -> dict[str, Any]:
    """The options of a game, unchanged. Raises OptionError for one that the game does not have."""
    if not isinstance(options, Mapping):
        raise OptionError(f"options {shown(options)}: expected an object, {{}} for the usual rules")
    has = sorted(known)
    for option in options:
        if option not in has:
            raise OptionError(f"option {shown(option)}: {game} has {', '.join(has) or 'no options'}")
    return dict(options)


def whole(data: Mapping[str, Any], key: str, allowed: Sequence[int]) -> int:
    """The integer under `key`, which must be one of `allowed`. Raises StateError."""
    if key not in data:
        raise StateError(f"{key} is missing: give one of {_listed(allowed)}")
    value = data[key]
    if not is_whole(value) or value not in allowed:
        raise StateError(f"{key} {shown(value)}: expected one of {_listed(allowed)}")
    return int(value)


def check_pieces(
    data: Mapping[str, Any], seats: Sequence[Seat], count: int, allowed: Sequence[int]
) -> dict[Seat, list[int]]:
    """The progress of each seat's pieces, `count` each, all among `allowed`. Raises StateError."""
    pieces = data.get("pieces")
    if not isinstance(pieces, Mapping):
        raise StateError(f"pieces {shown(pieces)}: expected an object, seat to {count} numbers")
    keys = {str(seat): seat for seat in seats}
    for key in pieces:
        if key not in keys:
            raise StateError(f"pieces of seat {shown(key)}: the seats are {list(seats)}")
    return {seat: _progress(pieces.get(key), seat, count, allowed) for key, seat in keys.items()}


def _progress(given: object, seat: Seat, count: int, allowed: Sequence[int]) -> list[int]:
    if not isinstance(given, (list, tuple)) or len(given) != count:
        raise StateError(f"pieces of seat {seat}, {shown(given)}: expected the progress of exactly {count}")
    for progress in given:
        if not is_whole(progress) or progress not in allowed:
            raise StateError(f"progress {shown(progress)} of seat {seat}: expected one of {_listed(allowed)}")
    return list(given)


def _listed(allowed: Sequence[int]) -> str:
    return f"{allowed[0]} to {allowed[-1]}" if isinstance(allowed, range) else str(list(allowed))
