"""The play of a roll in the print-and-cut edition: which ways the mover's pieces may go, and where all plays end.

Single steps are asked of a `Node`; all plays at once are found breadth-first, each view met once with the same parts
left. Hands, ways and strides are those of `parcheesi_stride`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from companion.games.parcheesi_board import BASE, SAFE
from companion.games.parcheesi_stride import (
    ALL_HOME,
    ENTERS_BY_FIVE,
    ENTERS_BY_TOTAL,
    FIVE,
    End,
    Hand,
    Parts,
    Stride,
    Way,
    Ways,
    entering,
    pairs,
    remainders,
    splits,
    strides,
)

NOBODY = BASE
BONUS = 20
CACHED, LATEST = 1 << 8, 1 << 4
"""Moments of one play, and of its latest steps: to remember more would only cost time."""

Moment = tuple[Hand, int, int]
"""The hand, the single opponents, and the catcher (see `Node`)."""


class Node(NamedTuple):
    """A moment of a play.

    parts: numbers not used yet. goal: the pips of them that must still be used (PRN-5). catcher: the progress of the
    piece that has just captured and may move on 20 (PRN-7), else NOBODY. enters: a piece must leave the nest (PRN-3).
    """

    hand: Hand
    single: int
    double: int
    parts: Parts
    goal: int
    catcher: int = NOBODY
    enters: bool = False


class Move(NamedTuple):
    """One single step of a play: the way of a piece, whether it captures, and what follows."""

    way: Way
    captures: bool
    node: Node


def parts_of(dice: tuple[int, ...]) -> tuple[int, ...]:
    """The parts of a roll: its dice, and with a double the reverse sides too (PRN-6)."""
    if len(dice) == 2 and dice[0] == dice[1]:
        return tuple(sorted((*dice, 7 - dice[0], 7 - dice[0])))
    return tuple(sorted(dice))


def beginning(hand: Hand, single: int, double: int, dice: Parts) -> Node:
    """The first moment of the play of a roll (PRN-3, PRN-5, PRN-6)."""
    if sum(dice) == FIVE and entering(hand, single, pairs(hand) | double):
        return Node(hand, single, double, tuple(sorted(dice)), FIVE, enters=True)
    parts = parts_of(dice)
    return Node(hand, single, double, parts, reach(hand, single, double, parts, NOBODY)[0])


def uses(hand: Hand, single: int, double: int, parts: Parts, catcher: int) -> list[tuple[Parts, list[Stride]]]:
    """What may come next: the parts then left, and the strides. The bonus, which uses none, comes first (PRN-7).

    Only opponents' blockades close the way (PRN-9); no piece lands on two of its own, nor on a ring that is not free
    (PRN-8).
    """
    taken, found = pairs(hand) | single & SAFE, []
    if catcher != NOBODY:
        bonus = [stride for stride in strides(hand, single, BONUS, double, taken) if stride[0].origin == catcher]
        found.append((parts, bonus))
    for part, rest in splits(parts):
        found.append((rest, strides(hand, single, part, double, taken)))
    return found


def catcher_after(way: Way, captures: bool) -> int:
    """The catcher after a way was gone."""
    return way.target if captures else NOBODY


@lru_cache(maxsize=CACHED)
def reach(hand: Hand, single: int, double: int, parts: Parts, catcher: int) -> tuple[int, bool]:
    """The most pips of `parts` that a play can use (PRN-5), and whether one brings the last piece home (COM-6).

    Where all pips can be used, whether a play wins is not looked for: it makes no play legal that is not so anyway.
    """
    if hand == ALL_HOME:
        return 0, True
    whole, most, wins = sum(parts), 0, False
    for rest, found in uses(hand, single, double, parts, catcher):
        used = whole - sum(rest)
        for way, view in found:
            catches = catcher_after(way, view[1] != single)
            further, won = reach(*view, double, rest, catches) if rest else (0, False)
            most, wins = max(most, used + further), wins or won
            if most == whole:
                return most, wins
    return most, wins


def has_bonus(node: Node) -> bool:
    """Whether a piece has just captured, though perhaps it cannot move on (PRN-7)."""
    return node.catcher != NOBODY


def alone(node: Node, parts: Parts) -> Node:
    """The moment with `parts` as all that must be used."""
    return node._replace(parts=parts, goal=sum(parts))


@lru_cache(maxsize=LATEST)
def moves(node: Node) -> tuple[Move, ...]:
    """The steps that may come next, a bonus that may be declined among them; none where the play is complete."""
    if node.enters:
        return (_entering(node),)
    return () if node.hand == ALL_HOME else tuple(_moves(node))


def _entering(node: Node) -> Move:
    view = entering(node.hand, node.single, node.double)
    assert view is not None
    way = ENTERS_BY_FIVE if len(node.parts) == 1 else ENTERS_BY_TOTAL
    captures = view[1] != node.single
    return Move(way, captures, Node(*view, node.double, (), 0, catcher_after(way, captures)))


def _moves(node: Node) -> Iterator[Move]:
    for rest, found in uses(node.hand, node.single, node.double, node.parts, node.catcher):
        goal = node.goal - sum(node.parts) + sum(rest)
        for way, view in found:
            captures = view[1] != node.single
            after = Node(*view, node.double, rest, goal, catcher_after(way, captures))
            if _can_be_done(after):
                yield Move(way, captures, after)


def _can_be_done(node: Node) -> bool:
    """Whether the play can go on so that it uses as much as it must, or wins."""
    if node.goal == 0:
        return True
    most, wins = reach(node.hand, node.single, node.double, node.parts, node.catcher)
    return most >= node.goal or wins


def gives_bonus(node: Node) -> bool:
    """Whether the piece that captured can move on now (PRN-7)."""
    return any(move.way.by == f"bonus {BONUS}" for move in moves(node))


def may_end(node: Node) -> bool:
    """Whether the play may end here: all that can be used is used, or the last piece is home."""
    return node.goal == 0 or node.hand == ALL_HOME


def ends(node: Node) -> list[End]:
    """Each view in which the play from `node` can end, with one way there."""
    if node.enters:
        move = _entering(node)
        return [(view, (move.way, *ways)) for view, ways in ends(move.node)]
    last = sum(node.parts) - node.goal
    layers: dict[Parts, dict[Moment, Ways]] = {left: {} for left in remainders(node.parts)}
    layers[node.parts][node.hand, node.single, node.catcher] = ()
    return [end for left in layers for end in _ends_of_layer(left, layers, node.double, last)]


def _ends_of_layer(left: Parts, layers: dict[Parts, dict[Moment, Ways]], double: int, last: int) -> list[End]:
    """The ends among the moments with `left` to use; where more may come, it is added to `layers`."""
    moments, ended = layers[left], sum(left) == last
    found, todo = [], list(moments)
    for moment in todo:
        hand, single, catcher = moment
        ways, won = moments[moment], hand == ALL_HOME
        if ended or won:
            found.append(((hand, single), ways))
        if won or (ended and catcher == NOBODY):
            continue
        for rest, strides_found in uses(hand, single, double, left, catcher):
            into = layers[rest]
            for way, view in strides_found:
                after = (*view, catcher_after(way, view[1] != single))
                if after not in into:
                    into[after] = (*ways, way)
                    if rest == left:  # a bonus
                        todo.append(after)
    return found
