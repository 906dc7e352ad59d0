"""Walking in Parcheesi: what one player's pawns may do with a roll, seen along that player's own path.

The board looks the same from each seat, so nothing here knows whose turn it is. Opponents are two sets of
places on the mover's path, as bits by progress: `single` pawns and `double` (blockades). The mover's pawns
are a `hand`: four integers, progress · 3 + mark, ascending. The two pawns of a blockade that stood when the
play began bear the same mark, 1 or 2, so that they can be followed (PAR-11); the others bear 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from companion.games.parcheesi_board import BASE, ENTRY, HOME, SAFE

Hand = tuple[int, ...]
IN_BASE = BASE * 3
ALL_HOME: Hand = (HOME * 3,) * 4
CAPTURE_BONUS, HOME_BONUS = 20, 10
CACHED = 1 << 13


class Field(NamedTuple):
    """What stands on the mover's path: the mover's hand, and where opponents stand alone and in pairs."""

    hand: Hand
    single: int
    double: int


class Stride(NamedTuple):
    """One pawn's way from progress to progress, and the field after it."""

    origin: int
    target: int
    captures: bool
    field: Field

    def bonuses(self) -> tuple[int, ...]:
        """What the stride earns (PAR-17, PAR-18)."""
        return (CAPTURE_BONUS,) * self.captures + (HOME_BONUS,) * (self.target == HOME)


class Node(NamedTuple):
    """A moment of a play. `parts`: numbers left; `goal`: how many must still be used; `bonuses`: pending."""

    field: Field
    parts: tuple[int, ...]
    goal: int
    bonuses: tuple[int, ...] = ()


class Move(NamedTuple):
    """One single step of a play: what moves the pawn ("5", "total 5", "bonus 20"), how, and what follows."""

    by: str
    stride: Stride
    node: Node


def progresses(hand: Hand) -> tuple[int, ...]:
    """Where the pawns of `hand` stand, ascending."""
    return tuple(pawn // 3 for pawn in hand)


def marked(pawns: Iterable[int]) -> Hand:
    """The hand of a player whose pawns stand on `pawns` as a play begins, blockades marked (PAR-11)."""
    pawns = sorted(pawns)
    pairs = sorted({p for p in pawns if BASE < p < HOME and pawns.count(p) == 2})
    return tuple(p * 3 + (pairs.index(p) + 1 if p in pairs else 0) for p in pawns)


def walls(field: Field) -> int:
    """Every blockade on the mover's path, the mover's own included, as bits (PAR-10)."""
    found, before = field.double, BASE
    for pawn in field.hand:
        p = pawn // 3
        if p == before and BASE < p < HOME:
            found |= 1 << p
        before = p
    return found


def path(origin: int, target: int) -> int:
    """The spaces from just after `origin` up to `target`, as bits."""
    return (1 << (target + 1)) - (1 << (origin + 1))


def reunites(hand: Hand, pawn: int, target: int) -> bool:
    """Whether `pawn` would join its partner of an earlier blockade on `target` (PAR-11)."""
    mark = pawn % 3
    return bool(mark) and target < HOME and target * 3 + mark in hand


def strides(field: Field, count: int) -> Iterator[Stride]:
    """Each way to move one pawn of the mover by `count` (PAR-6 to PAR-8, PAR-10 to PAR-12)."""
    blocked = walls(field)
    for pawn in dict.fromkeys(field.hand):
        origin = pawn // 3
        target = origin + count
        if origin < ENTRY or target > HOME or path(origin, target) & blocked:
            continue
        here = 1 << target
        if field.single & here & SAFE or reunites(field.hand, pawn, target):
            continue
        yield Stride(origin, target, bool(field.single & here), moved(field, pawn, target))


def moved(field: Field, pawn: int, target: int) -> Field:
    """The field after `pawn` went to `target`, with what it captures there gone."""
    mark = pawn % 3
    rest = list(field.hand)
    rest.remove(pawn)
    if target == HOME and mark:
        rest = [p - mark if p % 3 == mark else p for p in rest]  # its partner need not be followed any more
        mark = 0
    rest.append(target * 3 + mark)
    rest.sort()
    return Field(tuple(rest), field.single & ~(1 << target), field.double)


def entering(field: Field) -> Stride | None:
    """A pawn's way from base onto the entry; None where it cannot enter (PAR-1, PAR-6, PAR-9, PAR-10)."""
    if IN_BASE not in field.hand or walls(field) & 1 << ENTRY:
        return None
    return Stride(BASE, ENTRY, bool(field.single & 1 << ENTRY), moved(field, IN_BASE, ENTRY))


Use = tuple[str, tuple[int, ...], Stride]
"""Dice used for one stride: what moves the pawn, the parts left, the stride."""


def uses(field: Field, parts: tuple[int, ...]) -> Iterator[Use]:
    """Each way to use one part, or a total of five, that keeps PAR-2."""
    entry = entering(field)
    if entry and len(parts) == 2 and sum(parts) == 5:
        yield "total 5", (), entry
        return
    for part in dict.fromkeys(parts):
        at = parts.index(part)
        rest = parts[:at] + parts[at + 1 :]
        if entry and part == 5:
            yield "5", rest, entry
        else:
            for stride in strides(field, part):
                yield str(part), rest, stride


@lru_cache(maxsize=CACHED)
def reach(field: Field, parts: tuple[int, ...]) -> tuple[int, bool]:
    """The most of `parts` that a play can use (PAR-5), and whether one brings the last pawn home (COM-6)."""
    if field.hand == ALL_HOME:
        return 0, True
    most, wins = 0, False
    for _, rest, stride in uses(field, parts):
        further, won = reach(stride.field, rest)
        most = max(most, len(parts) - len(rest) + further)
        wins = wins or won
        if wins and most == len(parts):
            break
    return most, wins


def is_penalty(doublets: int, dice: tuple[int, ...]) -> bool:
    """Whether `dice`, after so many doublets in a row, are the third (PAR-16)."""
    return doublets == 2 and dice[0] == dice[1]


def beginning(field: Field, dice: tuple[int, ...]) -> Node:
    """The first moment of the play of a roll that may be played (PAR-4, PAR-5, PAR-14, PAR-15)."""
    if dice[0] != dice[1] or IN_BASE in field.hand:
        parts = tuple(sorted(dice))
        return Node(field, parts, reach(field, parts)[0])
    parts = tuple(sorted((*dice, 7 - dice[0], 7 - dice[0])))
    most, wins = reach(field, parts)
    return Node(field, parts, 4 if most == 4 or wins else 0)


@lru_cache(maxsize=CACHED)
def moves(node: Node) -> tuple[Move, ...]:
    """The steps that may come next; none where the play is complete. Dice first, then bonuses (PAR-17)."""
    if node.field.hand == ALL_HOME:
        return ()
    return tuple(_dice_moves(node) if node.goal else _bonus_moves(node))


def _dice_moves(node: Node) -> Iterator[Move]:
    for by, rest, stride in uses(node.field, node.parts):
        goal = node.goal - len(node.parts) + len(rest)
        most, wins = reach(stride.field, rest)
        if most >= goal or wins:
            pending = tuple(sorted(node.bonuses + stride.bonuses()))
            yield Move(by, stride, Node(stride.field, rest if goal else (), goal, pending))


def _bonus_moves(node: Node) -> Iterator[Move]:
    for bonus in dict.fromkeys(node.bonuses):
        rest = list(node.bonuses)
        rest.remove(bonus)
        for stride in strides(node.field, bonus):
            pending = tuple(sorted((*rest, *stride.bonuses())))
            yield Move(f"bonus {bonus}", stride, Node(stride.field, (), 0, pending))
