"""Dice of one's own, by their word of `[dice] port` (docs/add-dice.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.dice.book import Book
from companion.dice.source import DiceSource


@dataclass(frozen=True, slots=True)
class OwnDice:
    """make: gives the dice, by the record of their rolls, or raises an error with the reason where they cannot be used.
    what: what they are, in two or three words. waiting: what the page shows until they say something themselves."""

    make: Callable[[Book], DiceSource]
    what: str
    waiting: str


OWN_DICE: dict[str, OwnDice] = {}
"""Word of `[dice] port` → dice; the front door enters them: see `companion.service.addons`."""
