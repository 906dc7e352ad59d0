"""What a phone asks for: JSON to an Action, or a sentence that says what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from companion.model import BadInput, Seat, Sheet
from companion.model.table import ACTIONS, Action
from companion.model.words import PHONE

FIELDS = ("action", "pin", "by", "dice", "state", "seats", "first", "right", "seat", "space", "count", "mark")
QUESTION_FIELDS = ("pin", "seat")
MOST_DICE = 6
LONGEST_NAME = 24
LONGEST_MARK = 80
LARGEST_STATE, DEEPEST_STATE = 1 << 14, 16
"""Characters of a position as JSON, and how deep it may be nested: many times those of any game. What is refused by the
game is kept in its journal all the same."""


def action_from(data: Any, sheet: Sheet) -> Action:
    """The action that decoded JSON asks for. Raises BadInput."""
    _check(data, FIELDS, '{"action": "confirm"}')
    name = data.get("action")
    if not isinstance(name, str) or name not in ACTIONS:
        raise BadInput(f"There is no action {_shown(name)}; there are: {', '.join(ACTIONS)}.")
    known = sorted(sheet.colors)
    seats = _seats(data.get("seats"), known)
    return Action(
        name,
        by=_by(data.get("by")),
        dice=_dice(data.get("dice"), needed=name in ("roll", "correct")),
        state=_state(data.get("state"), needed=name == "position"),
        seats=seats,
        first=_first(data.get("first"), seats, known),
        right=_right(data.get("right"), needed=name == "answer"),
        seat=_seat(data.get("seat"), known, needed=name == "declare"),
        space=_space(data.get("space"), sheet),
        count=_count(data.get("count"), needed=name == "dice"),
        mark=_mark(data.get("mark")),
    )


def reader_from(data: Any, sheet: Sheet) -> Seat:
    """The seat that wants to read its question. Raises BadInput."""
    _check(data, QUESTION_FIELDS, '{"seat": 0}')
    seat = _seat(data.get("seat"), sorted(sheet.colors), needed=True)
    assert seat is not None
    return seat


def _check(data: Any, fields: Sequence[str], example: str) -> None:
    if not isinstance(data, dict):
        raise BadInput(f"Send a JSON object such as {example}.")
    unknown = sorted(set(data) - set(fields))
    if unknown:
        raise BadInput(f"There is no field {_shown(unknown[0])}; there are: {', '.join(fields)}.")
    if not isinstance(data.get("pin", ""), str):
        raise BadInput(f"pin must be text, not {_shown(data['pin'])}.")


def _by(value: Any) -> str:
    if value is None:
        return PHONE
    if not isinstance(value, str):
        raise BadInput(f"by must be a name, not {_shown(value)}.")
    return "".join(c for c in value if c.isprintable()).strip()[:LONGEST_NAME] or PHONE


def _dice(value: Any, needed: bool) -> tuple[int, ...]:
    if value is None and not needed:
        return ()
    fine = isinstance(value, list) and 0 < len(value) <= MOST_DICE and all(_whole(d) and 1 <= d <= 6 for d in value)
    if not fine:
        raise BadInput(f"dice must be a list of numbers from 1 to 6 such as [5, 3], not {_shown(value)}.")
    return tuple(value)


def _state(value: Any, needed: bool) -> Mapping[str, Any] | None:
    if value is None and not needed:
        return None
    if not isinstance(value, dict):
        raise BadInput(f"state must be an object as /api/state gives it, not {_shown(value)}.")
    if _is_deeper(value, DEEPEST_STATE) or len(json.dumps(value)) > LARGEST_STATE:
        raise BadInput("state is larger than any position: send it as /api/state gives it.")
    return value


def _is_deeper(value: Any, levels: int) -> bool:
    """Whether lists and objects are nested there in more levels."""
    if not isinstance(value, dict | list):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deeper(part, levels - 1) for part in parts)


def _seats(value: Any, known: list[Seat]) -> tuple[Seat, ...]:
    if value is None:
        return ()
    fine = isinstance(value, list) and all(_whole(s) and s in known for s in value) and len(set(value)) == len(value)
    if not fine:
        raise BadInput(f"seats must be a list of different seats of {known}, not {_shown(value)}.")
    return tuple(value)


def _seat(value: Any, known: list[Seat], needed: bool) -> Seat | None:
    if value is None and not needed:
        return None
    if not _whole(value) or value not in known:
        raise BadInput(f"seat must be one of {known}, not {_shown(value)}.")
    return int(value)


def _first(value: Any, seats: tuple[Seat, ...], known: list[Seat]) -> Seat | None:
    """Who begins a new game; None: the players throw for it."""
    if value is None:
        return None
    among = list(seats) or known
    if not _whole(value) or value not in among:
        raise BadInput(f"first must be one of the seats that play, {among}, or null to throw for it.")
    return int(value)


def _right(value: Any, needed: bool) -> bool | None:
    if value is None and not needed:
        return None
    if not isinstance(value, bool):
        raise BadInput(f"right must be true or false, not {_shown(value)}.")
    return value


def _space(value: Any, sheet: Sheet) -> str:
    if value is None or value == "":
        return ""
    if not isinstance(value, str) or value not in sheet.spaces:
        raise BadInput(f"space must be the name of a space of the board, not {_shown(value)}.")
    return value


def _count(value: Any, needed: bool) -> int:
    if value is None and not needed:
        return 0
    if not _whole(value) or not 1 <= value <= MOST_DICE:
        raise BadInput(f"count must be a number of dice from 1 to {MOST_DICE}, not {_shown(value)}.")
    return int(value)


def _mark(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > LONGEST_MARK:
        raise BadInput(f"mark must be one of the view's marks, not {_shown(value)}.")
    return value


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except RecursionError:
        return "that"
    return text if len(text) <= 60 else text[:59] + "…"
