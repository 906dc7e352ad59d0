"""A piece that seems to be of another's colour: no set has one more of that, and its own is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

from companion.model import Position, Seat


@dataclass(frozen=True, slots=True)
class Recolored:
    """What stands there if the piece on `space` is of the seat `own`, which misses one, and not of that which is
    `shown`."""

    position: Position
    space: str
    shown: Seat
    own: Seat


def recolored(seen: Position, legal: Container[Position], pieces: Mapping[Seat, int]) -> Recolored | None:
    """How the pieces add up if one is of another colour than seems. legal: what may stand there. pieces: how many each
    seat owns; {} where they hide each other.

    None where nothing such is legal, or several are: that a fifth red piece is put down where a purple one is to go,
    and this one is taken away meanwhile, is less likely than that the eyes mistake its colour.
    """
    found = [way for way in _ways(seen, pieces) if way.position in legal]
    return found[0] if len(found) == 1 else None


def _ways(seen: Position, pieces: Mapping[Seat, int]) -> Iterator[Recolored]:
    """One piece after another of the seat that has one too many, as the missing one."""
    count, owned = seen.count(), Counter(pieces)
    more, less = count - owned, owned - count
    if not pieces or (more.total(), less.total()) != (1, 1):
        return
    [shown], [own] = more, less
    for space, content in seen.items():
        if shown in content:
            yield Recolored(seen.without(shown, space).with_piece(own, space), space, shown, own)
