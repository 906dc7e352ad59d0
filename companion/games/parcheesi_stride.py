"""One pawn's stride in both Parcheesi editions, seen along the mover's own path.

The board looks the same from each seat, so nothing here knows whose turn it is. Opponents are two sets of places on
the mover's path, as bits by progress: `single` pawns and `double` (blockades, which nothing changes during a play).
The mover's pawns are a `hand`: four integers, progress · 3 + mark, ascending. The two pawns of a blockade that stood
when the play began bear the same mark, 1 or 2, so that they can be followed (PAR-11, PRN-10); the others bear 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from companion.games.parcheesi_board import BASE, ENTRY, HOME

Hand = tuple[int, ...]
IN_BASE, AT_HOME = BASE * 3, HOME * 3
ALL_HOME: Hand = (AT_HOME,) * 4
FIVE = 5
COUNTS = (*range(1, 7), 10, 20)
"""What a pawn may be moved by: the numbers of a die, and the bonuses."""


class Way(NamedTuple):
    """One pawn's way, whatever stands on it. number: its place in WAYS. by: what moves the pawn ("5", "bonus 20")."""

    number: int
    origin: int
    target: int
    by: str


View = tuple[Hand, int]
"""What changes on the mover's path during a play: its hand, and the single opponents."""

Parts = tuple[int, ...]
Ways = tuple[Way, ...]
Stride = tuple[Way, View]
"""A way that can be gone, and the view after it."""
End = tuple[View, Ways]
"""A view in which a play can end, with one way there."""


def path(origin: int, target: int) -> int:
    """The spaces from just after `origin` up to `target`, as bits."""
    return (1 << (target + 1)) - (1 << (origin + 1))


def _all_ways() -> tuple[Way, ...]:
    found = [Way(0, BASE, ENTRY, f"{FIVE}"), Way(1, BASE, ENTRY, f"total {FIVE}")]
    for count in COUNTS:
        by = f"{count}" if count <= 6 else f"bonus {count}"
        for origin in range(ENTRY, HOME - count + 1):
            found.append(Way(len(found), origin, origin + count, by))
    return tuple(found)


WAYS = _all_ways()
ENTERS_BY_FIVE, ENTERS_BY_TOTAL = WAYS[:2]

Going = tuple[int, int, int, int, Way]
"""How a pawn of a hand goes: its path and its last space as bits, the pawn after it, its mark, and the way."""


def _going(way: Way, mark: int) -> Going:
    after = AT_HOME if way.target == HOME else way.target * 3 + mark
    return path(way.origin, way.target), 1 << way.target, after, mark, way


GOING: dict[int, dict[int, Going]] = {
    count: {
        way.origin * 3 + mark: _going(way, mark)
        for way in WAYS
        for mark in range(3)
        if way.origin > BASE and way.target - way.origin == count
    }
    for count in COUNTS
}
"""count → pawn of a hand → how it goes; a pawn that can never move so far is missing."""

PLACES = {p * 3 + mark: 1 << p if BASE < p < HOME else 0 for p in range(BASE, HOME + 1) for mark in range(3)}
"""Pawn of a hand → its space as a bit; base and home are none."""


def progresses(hand: Hand) -> tuple[int, ...]:
    """Where the pawns of `hand` stand, ascending."""
    a, b, c, d = hand
    return a // 3, b // 3, c // 3, d // 3


def marked(pawns: Iterable[int]) -> Hand:
    """The hand of a player whose pawns stand on `pawns`, ascending, as a play begins: blockades are marked."""
    hand: list[int] = []
    before, mark = BASE, 0
    for p in pawns:
        if p == before and BASE < p < HOME:
            mark += 1
            hand[-1] = p * 3 + mark
            hand.append(p * 3 + mark)
        else:
            hand.append(p * 3)
        before = p
    return tuple(hand)


def pairs(hand: Hand) -> int:
    """Where two of the mover's pawns stand together on the track or a lane, as bits."""
    a, b, c, d = hand
    second, third = PLACES[b], PLACES[c]
    return PLACES[a] & second | second & third | third & PLACES[d]


def reunites(hand: Hand, pawn: int, target: int) -> bool:
    """Whether `pawn` would join its partner of an earlier blockade on `target` (PAR-11, PRN-10)."""
    mark = pawn % 3
    return bool(mark) and target < HOME and target * 3 + mark in hand


def strides(hand: Hand, single: int, count: int, closed: int, taken: int) -> list[Stride]:
    """Each way to move one pawn of the hand by `count` (PAR-7, PAR-11, PAR-12; PRN-7, PRN-10, PRN-11).

    closed: the spaces that no pawn of the mover may pass or land on; taken: those on which none may land; as bits.
    """
    going, found, before = GOING[count], [], IN_BASE
    for place, pawn in enumerate(hand):
        if pawn == before or pawn not in going:
            continue
        before = pawn
        way, here, after, mark, whole = going[pawn]
        if way & closed or here & taken or (mark and after != AT_HOME and after in hand):
            continue
        moved = list(hand)
        moved[place] = after
        if mark and after == AT_HOME:  # its partner need not be followed any more
            moved = [p - mark if p % 3 == mark else p for p in moved]
        moved.sort()
        found.append((whole, (tuple(moved), single & ~here)))
    return found


def entering(hand: Hand, single: int, closed: int) -> View | None:
    """The view after a pawn entered; None where none can (PAR-1, PAR-9, PRN-8, PRN-9).

    closed: the spaces that no pawn may enter on, as bits.
    """
    if hand[0] != IN_BASE or closed & 1 << ENTRY:
        return None
    return tuple(sorted((*hand[1:], ENTRY * 3))), single & ~(1 << ENTRY)


@cache
def splits(parts: Parts) -> tuple[tuple[int, Parts], ...]:
    """Each different part of `parts`, with those that are left when it is used."""
    return tuple((part, without(parts, part)) for part in dict.fromkeys(parts))


@cache
def remainders(parts: Parts) -> tuple[Parts, ...]:
    """Everything that may be left of `parts`, all of them first, then one fewer, and so on to none."""
    layers: list[tuple[Parts, ...]] = [(parts,)]
    while layers[-1][0]:
        layers.append(tuple(dict.fromkeys(rest for left in layers[-1] for _, rest in splits(left))))
    return tuple(left for layer in layers for left in layer)


def without(parts: Parts, part: int) -> Parts:
    """What is left of `parts` when `part`, one of them, is used."""
    at = parts.index(part)
    return parts[:at] + parts[at + 1 :]
