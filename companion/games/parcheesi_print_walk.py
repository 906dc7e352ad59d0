"""Walking in the print-and-cut edition: what one player's pieces may do with a roll, along that player's own path.

Fields, hands and strides are those of `parcheesi_walk`: opponents as bits, the mover's pieces as progress · 3 + mark,
where the two pieces of a blockade that stood as the play began bear the same mark (PRN-10).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from companion.games.parcheesi_board import BASE, ENTRY, HOME, SAFE
from companion.games.parcheesi_walk import ALL_HOME, Field, Hand, Stride, entering, moved, path, reunites

NOBODY = BASE
BONUS = 20
FIVE = 5
CACHED = 1 << 12


class Node(NamedTuple):
    """A moment of a play.

    parts: numbers not used yet. goal: the pips of them that must still be used (PRN-5). catcher: the progress of the
    piece that has just captured and may move on 20 (PRN-7), else NOBODY. enters: a piece must leave the nest (PRN-3).
    """

    field: Field
    parts: tuple[int, ...]
    goal: int
    catcher: int = NOBODY
    enters: bool = False


class Move(NamedTuple):
    """One single step of a play: what moves the piece ("5", "total 5", "bonus 20"), how, and what follows."""

    by: str
    stride: Stride
    node: Node


def parts_of(dice: tuple[int, ...]) -> tuple[int, ...]:
    """The parts of a roll: its dice, and with a double the reverse sides too (PRN-6)."""
    if len(dice) == 2 and dice[0] == dice[1]:
        return tuple(sorted((*dice, 7 - dice[0], 7 - dice[0])))
    return tuple(sorted(dice))


def beginning(field: Field, dice: tuple[int, ...]) -> Node:
    """The first moment of the play of a roll (PRN-3, PRN-5, PRN-6)."""
    if sum(dice) == FIVE and entering(field):
        return Node(field, tuple(sorted(dice)), FIVE, enters=True)
    parts = parts_of(dice)
    return Node(field, parts, reach(field, parts, NOBODY)[0])


def full(hand: Hand) -> int:
    """Where two of the mover's pieces stand on the track or the strip, so that no third may (PRN-9), as bits."""
    found, before = 0, BASE
    for pawn in hand:
        p = pawn // 3
        if p == before and BASE < p < HOME:
            found |= 1 << p
        before = p
    return found


def stride_of(field: Field, pawn: int, count: int, taken: int) -> Stride | None:
    """The way of one piece of the mover by `count`, if there is one (PRN-7 to PRN-11). taken: see `taken_by`."""
    origin = pawn // 3
    target = origin + count
    if origin < ENTRY or target > HOME or path(origin, target) & field.double:
        return None
    here = 1 << target
    if here & taken or (pawn % 3 and reunites(field.hand, pawn, target)):
        return None
    return Stride(origin, target, bool(field.single & here), moved(field, pawn, target))


def taken_by(field: Field) -> int:
    """Where no piece of the mover may land: two of its own, or an opponent's on a ring (PRN-8, PRN-9), as bits."""
    return full(field.hand) | field.single & SAFE


def part_strides(field: Field, parts: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...], Stride]]:
    """Each way to use one part: the part, those left, the stride."""
    if not parts:
        return
    taken, hand = taken_by(field), tuple(dict.fromkeys(field.hand))
    for part in dict.fromkeys(parts):
        at = parts.index(part)
        rest = parts[:at] + parts[at + 1 :]
        for pawn in hand:
            stride = stride_of(field, pawn, part, taken)
            if stride:
                yield part, rest, stride


def bonus_stride(field: Field, catcher: int) -> Stride | None:
    """The way of the piece that captured by its bonus, if there is one (PRN-7)."""
    if catcher == NOBODY:
        return None
    pawn = next(pawn for pawn in field.hand if pawn // 3 == catcher)
    return stride_of(field, pawn, BONUS, taken_by(field))


def catches(stride: Stride) -> int:
    """The catcher of the node after `stride`."""
    return stride.target if stride.captures else NOBODY


@lru_cache(maxsize=CACHED)
def reach(field: Field, parts: tuple[int, ...], catcher: int) -> tuple[int, bool]:
    """The most pips of `parts` that a play can use (PRN-5), and whether one brings the last piece home (COM-6).

    Where all pips can be used, whether a play wins is not looked for: it makes no play legal that is not so anyway.
    """
    if field.hand == ALL_HOME:
        return 0, True
    whole = sum(parts)
    most, wins = 0, False
    for part, after, left, next_catcher in _further(field, parts, catcher):
        further, won = reach(after, left, next_catcher)
        most = max(most, part + further)
        wins = wins or won
        if most == whole:
            break
    return most, wins


def _further(
    field: Field, parts: tuple[int, ...], catcher: int
) -> Iterator[tuple[int, Field, tuple[int, ...], int]]:
    """What may come next: the pips it uses, the field after it, the parts left, the catcher."""
    for part, rest, stride in part_strides(field, parts):
        yield part, stride.field, rest, catches(stride)
    bonus = bonus_stride(field, catcher)
    if bonus:
        yield 0, bonus.field, parts, catches(bonus)


@lru_cache(maxsize=CACHED)
def moves(node: Node) -> tuple[Move, ...]:
    """The steps that may come next, a bonus that may be declined among them; none where the play is complete."""
    return () if node.field.hand == ALL_HOME else tuple(_moves(node))


def _moves(node: Node) -> Iterator[Move]:
    if node.enters:
        stride = entering(node.field)
        assert stride is not None
        by = str(FIVE) if len(node.parts) == 1 else f"total {FIVE}"
        yield Move(by, stride, Node(stride.field, (), 0, catches(stride)))
        return
    bonus = bonus_stride(node.field, node.catcher)
    if bonus and _is_enough(bonus.field, node.parts, catches(bonus), node.goal):
        yield Move(f"bonus {BONUS}", bonus, Node(bonus.field, node.parts, node.goal, catches(bonus)))
    for part, rest, stride in part_strides(node.field, node.parts):
        goal = node.goal - part
        if _is_enough(stride.field, rest, catches(stride), goal):
            yield Move(str(part), stride, Node(stride.field, rest, goal, catches(stride)))


def _is_enough(field: Field, parts: tuple[int, ...], catcher: int, goal: int) -> bool:
    """Whether a play can go on so that it uses as much as it must, or wins."""
    if goal == 0:
        return True
    most, wins = reach(field, parts, catcher)
    return most >= goal or wins


def may_end(node: Node) -> bool:
    """Whether the play may end here: all that can be used is used, or the last piece is home."""
    return node.goal == 0 or node.field.hand == ALL_HOME
