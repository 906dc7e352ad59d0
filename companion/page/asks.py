"""What a phone asks for: JSON to an Action, or a sentence that says what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.model import BadInput, Seat, Sheet
from companion.model.table import ACTIONS, Action

FIELDS = ("action", "pin", "by", "dice", "state", "seats")
MOST_DICE = 6
LONGEST_NAME = 24


def action_from(data: Any, sheet: Sheet) -> Action:
    """The action that decoded JSON asks for. Raises BadInput."""
    if not isinstance(data, dict):
        raise BadInput('Send a JSON object such as {"action": "confirm"}.')
    unknown = sorted(set(data) - set(FIELDS))
    if unknown:
        raise BadInput(f"There is no field {_shown(unknown[0])}; there are: {', '.join(FIELDS)}.")
    name = data.get("action")
    if not isinstance(name, str) or name not in ACTIONS:
        raise BadInput(f"There is no action {_shown(name)}; there are: {', '.join(ACTIONS)}.")
    if not isinstance(data.get("pin", ""), str):
        raise BadInput(f"pin must be text, not {_shown(data['pin'])}.")
    return Action(
        name,
        by=_by(data.get("by")),
        dice=_dice(data.get("dice"), needed=name in ("roll", "correct")),
        state=_state(data.get("state"), needed=name == "position"),
        seats=_seats(data.get("seats"), sorted(sheet.colors)),
    )


def _by(value: Any) -> str:
    if value is None:
        return "phone"
    if not isinstance(value, str):
        raise BadInput(f"by must be a name, not {_shown(value)}.")
    return "".join(c for c in value if c.isprintable()).strip()[:LONGEST_NAME] or "phone"


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
    return value


def _seats(value: Any, known: list[Seat]) -> tuple[Seat, ...]:
    if value is None:
        return ()
    fine = isinstance(value, list) and all(_whole(s) and s in known for s in value) and len(set(value)) == len(value)
    if not fine:
        raise BadInput(f"seats must be a list of different seats of {known}, not {_shown(value)}.")
    return tuple(value)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except RecursionError:
        return "that"
    return text if len(text) <= 60 else text[:59] + "…"
