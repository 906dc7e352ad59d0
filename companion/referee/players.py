"""Who plays is known: a piece of a colour that nobody plays hardly stands on the board."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from companion.model import Content, Seat, SpaceSeen

ABSENT = 4.0
"""Nats by which each piece of a colour that nobody plays is less likely than one of a player's. One that is seen
plainly is seen all the same: it may have been put there."""


def of_players(spaces: Mapping[str, SpaceSeen], seats: Collection[Seat]) -> Mapping[str, SpaceSeen]:
    """The readings, knowing who plays; `spaces` itself where that says nothing about them."""
    told = {name: _of_players(seen, seats) for name, seen in spaces.items()}
    return spaces if all(told[name] is seen for name, seen in spaces.items()) else told


def _of_players(seen: SpaceSeen, seats: Collection[Seat]) -> SpaceSeen:
    strangers = {content: count for content in seen.likelihoods if (count := _strangers(content, seats))}
    if seen.covered or not strangers:
        return seen
    levels = {content: level - ABSENT * strangers.get(content, 0) for content, level in seen.likelihoods.items()}
    best = max(levels, key=levels.__getitem__)
    relative = {content: level - levels[best] for content, level in levels.items()}
    return SpaceSeen(best, 1 / sum(map(math.exp, relative.values())), False, relative)


def _strangers(content: Content, seats: Collection[Seat]) -> int:
    """How many of some pieces are of no player's colour."""
    return sum(seat not in seats for seat in content)
