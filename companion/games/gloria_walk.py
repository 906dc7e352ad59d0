"""Walking in Gloria: where one player's pawns may go with a die, as tables that are built once.

Only the space where a pawn ends counts (GLO-4): a pawn of one's own there closes the way, an opponent's is captured.
"""

from __future__ import annotations

from functools import cache

from companion.games.gloria_board import BASE, CENTER, LAST, NAMES, ROUND, SEATS, START, track_space
from companion.games.one_die import Known, Move, meets
from companion.model import Seat, Step

SIX = 6
FACES = range(1, 7)

BITS = {BASE: 0, CENTER: 0, **{p: 1 << (START if p == ROUND else p) for p in range(START, LAST + 1)}}
"""progress → its space as a bit; the start is one space, before the way and after; base and centre hold any number."""

Moves = tuple[Known, ...]
"""roll → the moves of one seat by it; none by 0."""


def is_held(pawns: tuple[int, ...], target: int) -> bool:
    """Whether one of `pawns` stands where another may not land."""
    return any(BITS[pawn] & BITS[target] for pawn in pawns)


def rests(progress: int, end: int) -> bool:
    """Whether a pawn there never moves again (GLO-7, GLO-9)."""
    return progress == end or (progress > ROUND and end == LAST)


@cache
def moves(end: int) -> tuple[Moves, ...]:
    """seat → roll → moves: from the base with a 6 (GLO-2), and on the way. end: LAST, or CENTER (GLO-9)."""
    return tuple(({}, *(_known(seat, roll, end) for roll in FACES)) for seat in SEATS)


def _known(seat: Seat, roll: int, end: int) -> Known:
    walks = [(p, p + roll) for p in range(START, end + 1 - roll) if not rests(p, end)]
    enters = [(BASE, START)] if roll == SIX else []
    return {origin: (_move(seat, origin, target, roll),) for origin, target in enters + walks}


def _move(seat: Seat, origin: int, target: int, roll: int) -> Move:
    step = Step(seat, NAMES[seat][origin], NAMES[seat][target], f"{roll}")
    return Move(origin, target, BITS[target], step, meets(step, _others(seat, target)))


def _others(seat: Seat, target: int) -> tuple[tuple[Seat, int], ...]:
    """The opponents' progress on that space of the track (GLO-5)."""
    if target > ROUND:
        return ()
    space = track_space(seat, target)
    others = ((other, p) for other in SEATS if other != seat for p in range(START, ROUND + 1))
    return tuple((other, p) for other, p in others if track_space(other, p) == space)
