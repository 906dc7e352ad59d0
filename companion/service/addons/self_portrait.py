"""What a game says of itself before it is asked anything: its name, title and nouns, its rules, seats and options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, replace
from typing import Any

from companion.games.contract import Game
from companion.model import Nouns
from companion.service.addons.breaches import Breaches, Spoilt, shortened

_MISSING = object()


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_sentences(value: object) -> bool:
    return isinstance(value, Mapping) and all(map(_is_text, (*value.keys(), *value.values())))


def _are_nouns(value: object) -> bool:
    return isinstance(value, Nouns) and all(map(_is_text, astuple(replace(value, several=value.pieces))))


def _are_seats(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(type(seat) is int for seat in value)


WANTED: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "seats": ("a tuple of the seats that play, like (0, 2)", _are_seats),
    "options": ("all options of the game with their values, {} for none", lambda value: isinstance(value, Mapping)),
    "title": ("what people call the game", _is_text),
    "nouns": ("Nouns(…), each a word", _are_nouns),
    "sentences": ("each rule's id with its sentence, as text", _are_sentences),
    "opening_dice": ("a whole number of dice, at least 1", lambda value: type(value) is int and value > 0),
    "stacks": ("True or False", lambda value: isinstance(value, bool)),
}
"""Attribute of a game → what it must be, in words, and whether a value is that."""
_OF_EACH = ("seats", "options")
"""Attributes that the game sets when it is made; the others are of its class."""
_INDISPENSABLE = (*_OF_EACH, "nouns", "sentences")


def look_at(game: Game[Any], breaches: Breaches) -> None:
    """Note what is missing or of another kind. Raises Spoilt where the game cannot be played without it."""
    wrong = set()
    for name, (wanted, fits) in WANTED.items():
        value = getattr(game, name, _MISSING)
        if value is _MISSING or not fits(value):
            wrong.add(name)
            has = f"is {shortened(value)}" if value is not _MISSING else "is missing"
            kept = "self." if name in _OF_EACH else ""
            breaches.note(f"has {name}", f"{type(game).__name__}: {kept}{name} {has}; it must be {wanted}")
    if wrong & {*_INDISPENSABLE}:
        raise Spoilt
