"""The play of a roll in Parcheesi, boxed edition: which ways the mover's pawns may go, and where all plays end.

Single steps are asked of a `Node`. All plays at once are found breadth-first: from layer to layer of dice used,
each view met once, so that the deepest layer shows what PAR-5 and PAR-15 ask for; then the bonuses, where some
were earned. Hands, ways and strides are those of `parcheesi_stride`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from companion.games.parcheesi_board import HOME, SAFE
from companion.games.parcheesi_stride import (
    ALL_HOME,
    AT_HOME,
    ENTERS_BY_FIVE,
    ENTERS_BY_TOTAL,
    FIVE,
    IN_BASE,
    End,
    Hand,
    Parts,
    Stride,
    View,
    Way,
    Ways,
    entering,
    pairs,
    remainders,
    splits,
    strides,
)

CAPTURE_BONUS, HOME_BONUS = 20, 10
CACHED, LATEST = 1 << 8, 1 << 4
"""Moments of one play, and of its latest steps: to remember more would only cost time."""



class Node(NamedTuple):
    """A moment of a play. `parts`: numbers left; `goal`: how many must still be used; `bonuses`: pending."""

    hand: Hand
    single: int
    double: int
    parts: Parts
    goal: int
    bonuses: Parts = ()


class Move(NamedTuple):
    """One single step of a play: the way of a pawn, whether it captures, and what follows."""

    way: Way
    captures: bool
    node: Node


def walls(hand: Hand, double: int) -> int:
    """Every blockade on the mover's path, the mover's own included, as bits (PAR-10)."""
    return double | pairs(hand)


def can_enter(node: Node) -> bool:
    """Whether a pawn in base could enter now, by a five (PAR-6, PAR-10)."""
    return entering(node.hand, node.single, walls(node.hand, node.double)) is not None


def uses(hand: Hand, single: int, double: int, parts: Parts) -> list[tuple[Parts, list[Stride]]]:
    """Each way to use one part, or a total of five, that keeps PAR-2: the parts then left, and the strides.

    Blockades close the way, one's own too (PAR-6, PAR-10); an opponent on a safety space is safe (PAR-8).
    """
    closed = double | pairs(hand)
    entry = entering(hand, single, closed)
    if entry and len(parts) == 2 and sum(parts) == FIVE:
        return [((), [(ENTERS_BY_TOTAL, entry)])]
    taken, found = single & SAFE, []
    for part, rest in splits(parts):
        if entry and part == FIVE:
            found.append((rest, [(ENTERS_BY_FIVE, entry)]))
        else:
            found.append((rest, strides(hand, single, part, closed, taken)))
    return found


@lru_cache(maxsize=CACHED)
def reach(hand: Hand, single: int, double: int, parts: Parts) -> tuple[int, bool]:
    """The most of `parts` that a play can use (PAR-5), and whether one brings the last pawn home (COM-6).

    Where all can be used, whether a play wins is not looked for: it makes no play legal that is not so anyway.
    """
    if hand == ALL_HOME:
        return 0, True
    most, wins = 0, False
    for rest, found in uses(hand, single, double, parts):
        for _, view in found:
            further, won = reach(*view, double, rest) if rest else (0, False)
            most, wins = max(most, len(parts) - len(rest) + further), wins or won
            if most == len(parts):
                return most, wins
    return most, wins


def is_penalty(doublets: int, dice: Parts) -> bool:
    """Whether `dice`, after so many doublets in a row, are the third (PAR-16)."""
    return doublets == 2 and dice[0] == dice[1]


def beginning(hand: Hand, single: int, double: int, dice: Parts) -> Node:
    """The first moment of the play of a roll that may be played (PAR-4, PAR-5, PAR-14, PAR-15)."""
    if dice[0] != dice[1] or IN_BASE in hand:
        parts = tuple(sorted(dice))
        return Node(hand, single, double, parts, reach(hand, single, double, parts)[0])
    parts = tuple(sorted((*dice, 7 - dice[0], 7 - dice[0])))
    most, wins = reach(hand, single, double, parts)
    return Node(hand, single, double, parts, len(parts) if most == len(parts) or wins else 0)


def has_bonus(node: Node) -> bool:
    """Whether a bonus is pending, though perhaps no pawn can move it (PAR-19)."""
    return bool(node.bonuses)


def alone(node: Node, parts: Parts) -> Node:
    """The moment with `parts` as all that must be used."""
    return node._replace(parts=parts, goal=len(parts))


@lru_cache(maxsize=LATEST)
def moves(node: Node) -> tuple[Move, ...]:
    """The steps that may come next; none where the play is complete. Dice first, then bonuses (PAR-17)."""
    if node.hand == ALL_HOME:
        return ()
    return tuple(_dice_moves(node) if node.goal else _bonus_moves(node))


def _dice_moves(node: Node) -> Iterator[Move]:
    for rest, found in uses(node.hand, node.single, node.double, node.parts):
        goal = node.goal - len(node.parts) + len(rest)
        left = rest if goal else ()
        for way, (hand, single) in found:
            if not goal or _can_use(goal, hand, single, node.double, left):
                captures = single != node.single
                pending = _with_earned(node.bonuses, way, captures)
                yield Move(way, captures, Node(hand, single, node.double, left, goal, pending))


def _can_use(goal: int, hand: Hand, single: int, double: int, parts: Parts) -> bool:
    """Whether a play can go on so that it uses as many of `parts` as it must, or wins."""
    most, wins = reach(hand, single, double, parts)
    return most >= goal or wins


def _bonus_moves(node: Node) -> Iterator[Move]:
    for pending, way, (hand, single) in _bonus_uses(*node[:3], node.bonuses):
        yield Move(way, single != node.single, Node(hand, single, node.double, (), 0, pending))


def _bonus_uses(hand: Hand, single: int, double: int, bonuses: Parts) -> Iterator[tuple[Parts, Way, View]]:
    """Each way to move a bonus in full (PAR-19): the bonuses then pending, the way, the view after it."""
    closed, taken = double | pairs(hand), single & SAFE
    for bonus, rest in splits(bonuses):
        for way, view in strides(hand, single, bonus, closed, taken):
            yield _with_earned(rest, way, view[1] != single), way, view


def _with_earned(bonuses: Parts, way: Way, captures: bool) -> Parts:
    """The bonuses pending, with what a way earns (PAR-17, PAR-18)."""
    if captures:
        return tuple(sorted((*bonuses, CAPTURE_BONUS)))
    return tuple(sorted((*bonuses, HOME_BONUS))) if way.target == HOME else bonuses


def ends(node: Node) -> list[End]:
    """Each view in which the play from `node` can end, with one way there."""
    found: list[End] = []
    pending: dict[tuple[Hand, int, Parts], Ways] = {}
    homes = node.hand.count(AT_HOME)
    for view, ways in _after_dice(node).items():
        hand, single = view
        captures = (node.single ^ single).bit_count()
        if captures or node.bonuses or hand.count(AT_HOME) != homes:
            earned = (HOME_BONUS,) * (hand.count(AT_HOME) - homes) + (CAPTURE_BONUS,) * captures
            pending[hand, single, tuple(sorted((*node.bonuses, *earned)))] = ways
        else:
            found.append((view, ways))
    return found + _after_bonuses(pending, node.double) if pending else found


def _after_dice(node: Node) -> dict[View, Ways]:
    """The views when the dice are used, as many as must be (PAR-5, PAR-15), or one has won with fewer (COM-6)."""
    last = len(node.parts) - node.goal
    layers: dict[Parts, dict[View, Ways]] = {left: {} for left in remainders(node.parts)}
    layers[node.parts][node.hand, node.single] = ()
    done: dict[View, Ways] = {}
    for left, views in layers.items():
        if len(left) <= last:
            done |= views
            continue
        for view, ways in views.items():
            if view[0] == ALL_HOME:
                done[view] = ways
                continue
            for rest, found in uses(*view, node.double, left):
                into = layers[rest]
                for way, after in found:
                    if after not in into:
                        into[after] = (*ways, way)
    return done


def _after_bonuses(pending: dict[tuple[Hand, int, Parts], Ways], double: int) -> list[End]:
    """The views when all bonuses are moved that can be (PAR-19). pending: views and bonuses, with one way there."""
    found: list[End] = []
    todo = list(pending)
    for hand, single, bonuses in todo:
        ways, done = pending[hand, single, bonuses], True
        for rest, way, view in _bonus_uses(hand, single, double, bonuses) if hand != ALL_HOME else ():
            done, further = False, (*view, rest)
            if further not in pending:
                pending[further] = (*ways, way)
                todo.append(further)
        if done:
            found.append(((hand, single), ways))
    return found
