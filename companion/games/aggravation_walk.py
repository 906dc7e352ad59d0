"""Walking in Aggravation: every way of one marble from a hole by a roll, as tables that are built once.

A way is told in progress, so it is the same from every seat. `held` are the holes on the way and the one at its
end, as bits: where a marble of one's own stands on any of them, the way is closed (AGG-3, AGG-5). The centre has
a bit of its own. Opponents close nothing: what stands on the last hole is aggravated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from companion.games.aggravation_board import BASE, CENTER, START, Board, board
from companion.games.one_die import Known, Move, meets
from companion.model import Seat, Step

STARTING = (1, 6)
"""The rolls that may start a marble (AGG-1)."""
FACES = range(1, 7)
CENTER_BIT = 90
"""Beyond the last HOME hole of any board."""


class Way(NamedTuple):
    """One marble's way. target: progress; shortcut: whether AGG-15 lets the player leave it."""

    target: int
    held: int
    shortcut: bool
    by: str


Moves = tuple[Known, ...]
"""roll → the moves of one seat by it; none by 0."""

BITS = {hole: 1 << hole for hole in range(CENTER_BIT)} | {BASE: 0, CENTER: 1 << CENTER_BIT}
"""progress → its hole as a bit; the base is none."""


def bits(holes: Iterable[int]) -> int:
    """The holes as the bits of one integer."""
    found = 0
    for progress in holes:
        found |= BITS[progress]
    return found


def ways(on: Board, origin: int, roll: int) -> Iterator[Way]:
    """Every way of a marble on `origin` by `roll`, if nothing of its own colour is in it."""
    if origin == BASE:
        if roll in STARTING:
            yield Way(START, BITS[START], False, f"{roll}")
    elif origin == CENTER:
        if roll == 1:
            yield from (Way(star, BITS[star], False, "1") for star in on.stars)
    else:
        if origin + roll <= on.home[-1]:
            yield Way(origin + roll, bits(range(origin + 1, origin + roll + 1)), False, f"{roll}")
        yield from _star_runs(on, origin, roll)
        yield from _into_center(on, origin, roll)


def _star_runs(on: Board, origin: int, roll: int) -> Iterator[Way]:
    """AGG-10: hops to stars up to that of the own section, one count each, the rest along the track."""
    if origin not in on.stars:
        return
    ahead = [star for star in on.stars if star > origin][:roll]
    for hops, star in enumerate(ahead, 1):
        target = star + roll - hops
        held = bits((*ahead[:hops], *range(star + 1, target + 1)))
        yield Way(target, held, True, f"star run {roll}")


def _into_center(on: Board, origin: int, roll: int) -> Iterator[Way]:
    """AGG-12: all but the last count to a star (none from a star, so only a 1 will do), the last into the centre."""
    star = origin + roll - 1
    if star in on.stars:
        yield Way(CENTER, bits((*range(origin + 1, star + 1), CENTER)), True, f"center {roll}")


@cache
def moves(arms: int) -> tuple[Moves, ...]:
    """seat → roll → moves."""
    on = board(arms)
    return tuple(({}, *(_known(on, seat, roll) for roll in FACES)) for seat in range(arms))


def _known(on: Board, seat: Seat, roll: int) -> Known:
    found = {progress: _moves(on, seat, progress, roll) for progress in on.names[seat]}
    return {progress: moves for progress, moves in found.items() if moves}


def _moves(on: Board, seat: Seat, origin: int, roll: int) -> tuple[Move, ...]:
    names, found = on.names[seat], []
    for way in ways(on, origin, roll):
        step = Step(seat, names[origin], names[way.target], way.by)
        there = meets(step, _others(on, seat, way.target))
        found.append(Move(origin, way.target, way.held, step, there, way.shortcut))
    return tuple(found)


def _others(on: Board, seat: Seat, target: int) -> tuple[tuple[Seat, int], ...]:
    """The other seats that can stand there, each with its own progress; nobody else comes into one's HOME."""
    name = on.names[seat][target]
    others = (other for other in range(on.arms) if other != seat)
    return tuple((other, on.progress[other][name]) for other in others if name in on.progress[other])
