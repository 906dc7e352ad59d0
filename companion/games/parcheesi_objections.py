"""Why a step is not legal in Parcheesi: every rule that it breaks, the most telling first, with facts.

Spaces are names, seats are indices. Facts by rule:

COM-2   seat (moved), due (whose turn it is)
COM-3   the same; or no_pawn: true, seat, space (where no pawn of that seat stands)
COM-6   winner
PAR-1   entry, dice, parts (not used yet); space, where it was put elsewhere than on the entry with a five;
        one_used: true, where a total of five was there but one of its dice is used
        five_used: true, where a five was there but is used
PAR-2   entry, dice, total: whether the five is a total of both dice
PAR-4   before_roll: true
        count, dice, parts, whole: whether nothing of the roll is used,
        total: whether the count is the sum of several parts, which must land after each
        backwards: true, count (0 where it was put into the base), dice, parts
        nowhere: true, space (where this pawn can never stand)
PAR-5   dice, parts, possible (how many of them can still be used), playable (those of which one can be used next)
PAR-6   space
PAR-8   space, seat (who is safe there)
PAR-10  space, seat (whose blockade), own: whether the mover's, landing: whether the step ends there, count
PAR-11  space, origin
PAR-12  past_mouth: true, space · lane_of: seat, space · from_home: true
        exact: true, count (HOME was nearer or farther than what is to be moved)
PAR-15  dice, parts, possible (how many of them must still be used; 0 where not all four can be)
PAR-16  nearest (the space of the pawn that must go back; "" where none must), space
PAR-17  PAR-18  bonus, count (moved); dice_first: whether dice must be used before
PAR-19  bonuses (pending), count; entering: true, where a pawn was to enter
COM-4   dice, parts, bonuses (all that is left)
Where a play is left too early, each has unfinished: true as well, and count is 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.games import parcheesi_walk as walk
from companion.games.parcheesi_board import BASE, ENTRY, HOME, NAMES, PROGRESS, SAFE
from companion.games.parcheesi_reasons import (
    aside,
    dice_of,
    is_total,
    lands,
    of_turn,
    owner,
    together_again,
    walks,
    wrong_count,
)
from companion.games.parcheesi_stride import AT_HOME, FIVE, IN_BASE, Parts, path, without
from companion.games.parcheesi_table import after
from companion.model import Objection, Seat, Step

if TYPE_CHECKING:
    from companion.games.parcheesi import State

TWO_DICE = 12
"""The most that two dice show."""
BONUS_RULES = {walk.CAPTURE_BONUS: "PAR-17", walk.HOME_BONUS: "PAR-18"}


def objections(state: State, step: Step) -> tuple[Objection, ...]:
    """The rules that `step` breaks; `step` is known not to be legal."""
    found = tuple(of_turn(state, step))
    return found or tuple(_of_play(state, step))


def unfinished(state: State) -> tuple[Objection, ...]:
    """The rules broken by leaving the play here, where something can still be moved."""
    return tuple(Objection(o.rule, {**o.facts, "unfinished": True}) for o in _of_leaving(state))


def _of_leaving(state: State) -> Iterator[Objection]:
    node = state.nodes[0]
    if walk.is_penalty(state.doublets, state.roll):
        yield third(state)
    elif node.goal:
        if walk.can_enter(node) and (FIVE in node.parts or sum(node.parts) == FIVE):
            yield _must_enter(state)
        yield _left_over(state)
    else:
        yield from (_bonus(bonus, 0, False) for bonus in _playable(state))
        yield Objection("PAR-19", {"bonuses": list(node.bonuses), "count": 0})
    yield Objection("COM-4", {**dice_of(state), "bonuses": list(node.bonuses)})


def _of_play(state: State, step: Step) -> Iterator[Objection]:
    if not state.roll:
        yield Objection("PAR-4", {"before_roll": True})
    elif walk.is_penalty(state.doublets, state.roll):
        yield third(state, step.origin)
    elif step.origin == step.target:
        yield wrong_count(state, 0, "PAR-4")
    elif step.origin == NAMES[step.seat][BASE]:
        yield from _Entering(state, step).objections()
    elif step.origin == NAMES[step.seat][HOME]:
        yield Objection("PAR-12", {"from_home": True})
    elif (wrong := aside(state, step, "PAR-4", "PAR-12")) is not None:
        yield wrong
    else:
        yield from _Forward(state, step).objections()


def third(state: State, space: str = "") -> Objection:
    """PAR-16: what the third doublets in a row allow."""
    nearest = max((p for p in state.pieces[state.due] if p < HOME), default=BASE)
    shown = "" if nearest == BASE else NAMES[state.due][nearest]
    return Objection("PAR-16", {"nearest": shown, "space": space})


class _Entering:
    """A pawn was taken out of base."""

    def __init__(self, state: State, step: Step) -> None:
        self.state, self.step, self.node = state, step, state.nodes[0]
        self.entry = NAMES[step.seat][ENTRY]

    def objections(self) -> Iterator[Objection]:
        facts = {"entry": self.entry, **dice_of(self.state)}
        found = [*self.without_five(facts)]
        if self.step.target == self.entry:
            found += self.blocked()
        elif not found:
            found += self.going_on()
        yield from found or [Objection("PAR-1", {"space": self.step.target, **facts})]

    def without_five(self, facts: dict[str, Any]) -> Iterator[Objection]:
        parts = self.node.parts
        if self.node.bonuses and not self.node.goal:
            yield Objection("PAR-19", {"bonuses": list(self.node.bonuses), "count": 0, "entering": True})
        elif FIVE not in parts and sum(parts) != FIVE:
            used = {"one_used": True} if sum(self.state.roll) == FIVE else {}
            gone = {"five_used": True} if FIVE in self.state.roll else {}
            yield Objection("PAR-1", {**facts, **used, **gone})

    def going_on(self) -> Iterator[Objection]:
        """Why the pawn, which can enter, may not go on from its entry by the dice that are then left (PAR-4). Whoever
        counts the five on from the entry, too, or puts it farther than dice reach, is rather told where it enters."""
        count = PROGRESS[self.step.seat].get(self.step.target, BASE) - ENTRY
        left = without(self.node.parts, FIVE) if FIVE in self.node.parts else ()
        entered = [move for node in self.state.nodes for move in walk.moves(node) if move.way.origin == BASE]
        fives = count not in left and (count == FIVE or is_total(self.node.parts, count))
        if entered and left and 0 < count <= TWO_DICE and not fives:
            way, captures, _ = entered[0]
            pieces = after(self.state.pieces, self.step.seat, way, captures)
            nodes = tuple(walk.alone(move.node, left) for move in entered)
            there = _Forward(self.state._replace(pieces=pieces, nodes=nodes), replace(self.step, origin=self.entry))
            yield from (*there.of_way(), *there.of_duty()) if count in left else there.of_count()

    def blocked(self) -> Iterator[Objection]:
        if self.state.pieces[self.step.seat].count(ENTRY) == 2:
            yield Objection("PAR-6", {"space": self.entry})
        elif self.node.double & 1 << ENTRY:
            yield _blockade(self.state, self.step.seat, ENTRY, landing=True, count=0)


class _Forward:
    """A pawn went forward on its own path, from progress `origin` to `target`."""

    def __init__(self, state: State, step: Step) -> None:
        self.state, self.seat, self.node = state, step.seat, state.nodes[0]
        self.origin, self.target = PROGRESS[step.seat][step.origin], PROGRESS[step.seat][step.target]
        self.count = self.target - self.origin
        self.lapsed = not _playable(state)
        self.bonus_due = bool(self.node.bonuses) and not self.node.goal and not self.lapsed
        parts, bonuses = self.node.parts, self.node.bonuses
        self.fits = self.count in ((*parts, *bonuses) if self.lapsed else bonuses if self.bonus_due else parts)
        self.total = is_total(self.node.parts, self.count)

    def objections(self) -> Iterator[Objection]:
        found = [*self.of_way(), *self.of_duty()]
        if not found and (undone := [*self.of_total()]):
            yield from undone
            return
        of_count = [*self.of_count()]
        # A sum of parts is mended by landing in between; what stands in the way is the better reason.
        found = found + of_count if self.total else of_count + found
        yield from found or [_left_over(self.state)]

    def of_total(self) -> Iterator[Objection]:
        """PAR-15 or PAR-2: why several parts are not played so, though the pawn could land after each of them."""
        nodes, way = self.state.nodes, (self.origin, self.target)
        if any(walks(walk.moves, node, *way) for node in nodes):
            return
        if lands(nodes, way, walk.moves, walk.alone):
            yield _left_over(self.state)
        elif lands(nodes, way, walk.moves, _nobody_waiting):
            yield _must_enter(self.state)

    def of_count(self) -> Iterator[Objection]:
        """PAR-4 while dice are played, or when nothing can be moved; PAR-17 to PAR-19 when a bonus is due."""
        node = self.node
        if self.target == HOME and not self.fits and not self.total:
            yield Objection("PAR-12", {"exact": True, "count": self.count})
        if not self.bonus_due:
            if self.count in node.bonuses and not self.lapsed:
                yield _bonus(self.count, self.count, dice_first=True)
            if not self.fits:
                yield wrong_count(self.state, self.count, "PAR-4")
        elif not self.fits:
            for bonus in _playable(self.state):
                yield _bonus(bonus, self.count, dice_first=False)
            yield Objection("PAR-19", {"bonuses": list(node.bonuses), "count": self.count})

    def of_way(self) -> Iterator[Objection]:
        """PAR-6, PAR-8, PAR-10 and PAR-11: what stands in the way or where the step ends."""
        node, here = self.node, 1 << self.target
        blocked = path(self.origin, self.target) & walk.walls(node.hand, node.double)
        if blocked:
            first = (blocked & -blocked).bit_length() - 1
            yield _blockade(self.state, self.seat, first, landing=first == self.target, count=self.count)
        name = NAMES[self.seat][self.target]
        if self.target < HOME and self.state.pieces[self.seat].count(self.target) == 2:
            yield Objection("PAR-6", {"space": name})
        if node.single & here & SAFE:
            yield Objection("PAR-8", {"space": name, "seat": owner(self.state, self.seat, self.target)})
        if together_again(self.state, self.origin, self.target):
            yield Objection("PAR-11", {"space": name, "origin": NAMES[self.seat][self.origin]})

    def of_duty(self) -> Iterator[Objection]:
        """PAR-2: a five that could have brought in a pawn was used to move one."""
        node = self.node
        if not walk.can_enter(node):
            return
        total = sum(node.parts) == FIVE
        moved_five = FIVE in node.parts and (self.count == FIVE or self.total)
        if moved_five or (total and (self.fits or self.total)):
            yield _must_enter(self.state)


def _nobody_waiting(node: walk.Node, parts: Parts) -> walk.Node:
    """The same, if no pawn could enter."""
    hand = tuple(sorted(AT_HOME if pawn == IN_BASE else pawn for pawn in node.hand))
    return walk.alone(node._replace(hand=hand), parts)


def _must_enter(state: State) -> Objection:
    facts = {"entry": NAMES[state.due][ENTRY], "dice": list(state.roll), "total": FIVE not in state.nodes[0].parts}
    return Objection("PAR-2", facts)


def _left_over(state: State) -> Objection:
    """More dice can be used, or (with four parts) must be."""
    facts = {**dice_of(state), "possible": state.nodes[0].goal}
    return Objection("PAR-15", facts) if state.four else Objection("PAR-5", {**facts, "playable": _playable(state)})


def _playable(state: State) -> list[int]:
    """The numbers left, dice or then bonuses, of which one can be moved next, ascending."""
    ways = [move.way for node in state.nodes for move in walk.moves(node)]
    return sorted({FIVE if way.origin == BASE else way.target - way.origin for way in ways})


def _bonus(bonus: int, count: int, dice_first: bool) -> Objection:
    return Objection(BONUS_RULES[bonus], {"bonus": bonus, "count": count, "dice_first": dice_first})


def _blockade(state: State, seat: Seat, progress: int, *, landing: bool, count: int) -> Objection:
    whose = owner(state, seat, progress)
    facts = {"seat": whose, "own": whose == seat, "landing": landing, "count": count}
    return Objection("PAR-10", {"space": NAMES[seat][progress], **facts})


