"""What kind of answer each question to a game must have, as its contract says, and how one of another kind is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.model import Due, DueKind, Objection, Outcome, Position, Roll, Step
from companion.service.addons.breaches import shortened

Amiss = Callable[[Any], str]
"""What is amiss with a value, as a sentence goes on after "gives"; "" if it is what it must be."""


def amiss(method: str, answer: Any) -> str:
    """What is amiss with what `method` of a game answered: "None, which is no Due"; "" if nothing is."""
    return KINDS[method](answer) if method in KINDS else ""


def _is(kind: type | tuple[type, ...], what: str) -> Amiss:
    """Of that kind; True is no number."""
    wants_bool = kind is bool

    def check(value: Any) -> str:
        right = isinstance(value, kind) and (wants_bool or not isinstance(value, bool))
        return "" if right else f"{shortened(value)}, which is {what}"

    return check


def _each(one: Amiss) -> Amiss:
    """A tuple of such."""

    def check(value: Any) -> str:
        if not isinstance(value, tuple):
            return f"{shortened(value)}, which is no tuple"
        return next((f"a tuple with {why}" for why in map(one, value) if why), "")

    return check


def _has(kind: type, /, **parts: Amiss) -> Amiss:
    """Of that kind, with parts as they must be."""

    def check(value: Any) -> str:
        if not isinstance(value, kind):
            return f"{shortened(value)}, which is no {kind.__name__}"
        for name, part in parts.items():
            if why := part(getattr(value, name)):
                return f"{shortened(value)}, in which {name} is {why}"
        return ""

    return check


def _pair(first: Amiss, second: Amiss) -> Amiss:
    def check(value: Any) -> str:
        if not (isinstance(value, tuple) and len(value) == 2):
            return f"{shortened(value)}, which is no pair"
        return first(value[0]) or second(value[1])

    return check


def _state(value: Any) -> str:
    return "None, which is no state" if value is None else ""


_number, _text, _yes_no = _is(int, "no whole number"), _is(str, "no text"), _is(bool, "neither True nor False")
_captures = _each(_pair(_number, _text))
_step = _has(Step, seat=_number, origin=_text, target=_text, by=_text, captures=_captures)
_objections = _each(_has(Objection, rule=_text, facts=_is(Mapping, "no mapping")))  # type: ignore[type-abstract]
_position = _has(Position, items_=_each(_pair(_text, _each(_number))))
KINDS: Mapping[str, Amiss] = {
    **dict.fromkeys(("opening", "hear", "take", "stop", "answer", "declare", "begin", "challenge", "throw"), _state),
    **dict.fromkeys(("from_json", "with_position"), _state),
    "due": _has(Due, kind=_is(DueKind, "no DueKind"), seat=_number, dice=_each(_number)),
    **dict.fromkeys(("mover", "reader", "afterwards", "next_seat", "home"), _number),
    "legal_steps": _each(_step),
    "may_stop": _yes_no,
    **dict.fromkeys(("unfinished", "forbidden", "objections"), _objections),
    "outcomes": _each(_has(Outcome, state=_state, steps=_each(_step))),
    **dict.fromkeys(("position", "everything", "disturbed"), _position),
    **dict.fromkeys(("winners", "left", "partners"), _each(_number)),
    **dict.fromkeys(("targets", "spaces", "goals"), _each(_text)),
    "to_json": _is(dict, "no dict"),
    "rolls": _each(_has(Roll)),
    "capture_rule": _text,
}
"""Method of a game → what is amiss with its answer."""
STATES = tuple(method for method, check in KINDS.items() if check is _state)
"""Methods that answer with a state."""
