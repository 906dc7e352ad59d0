"""Why a step is not legal in the print-and-cut edition: every rule that it breaks, the most telling first, with facts.

Spaces are names, seats are indices. Facts by rule:

COM-2   seat (moved), due (whose turn it is)
COM-3   the same; or no_pawn: true, seat, space (where no piece of that seat stands)
COM-6   winner
PRN-1   before_roll: true
PRN-2   entry, dice, parts (not used yet); space, where it was put elsewhere than on the entry with a five;
        one_used: true, where a total of five was there but one of its dice is used
        five_used: true, where it has brought a piece in already
PRN-3   entry, dice
PRN-5   dice, parts, possible (how many pips must still be used)
PRN-5   PRN-6 (after a double)
        count, dice, parts, whole: whether nothing of the roll is used,
        total: whether the count is the sum of several parts, which must land after each
        backwards: true, count (0 where it was put into the nest), dice, parts
        nowhere: true, space (where this piece can never stand)
PRN-7   count, bonus · at_once: true, where no piece may move 20 now
        space (of the piece that has the bonus), other: whether another piece was moved
        parts (of the dice, by which that piece may move instead; [] where none must be used)
PRN-8   space, seat (who is safe there)
PRN-9   space, seat (whose blockade), landing: whether the step ends there, count · third: true, space
PRN-10  space, origin
PRN-11  past_mouth: true, space · lane_of: seat, space · from_home: true
        exact: true, count (home was nearer or farther than what is to be moved)
COM-4   dice, parts (all that is left)
Where a play is left too early, each has unfinished: true as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from companion.games import parcheesi_print_walk as walk
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
from companion.games.parcheesi_stride import FIVE, pairs, path
from companion.model import Objection, Seat, Step

if TYPE_CHECKING:
    from companion.games.parcheesi_print import State


def objections(state: State, step: Step) -> tuple[Objection, ...]:
    """The rules that `step` breaks; `step` is known not to be legal."""
    found = tuple(of_turn(state, step))
    return found or tuple(_of_play(state, step))


def unfinished(state: State) -> tuple[Objection, ...]:
    """The rules broken by leaving the play here, where something must still be moved."""
    first = _must_enter(state) if state.nodes[0].enters else _left_over(state)
    found = first, Objection("COM-4", dice_of(state))
    return tuple(Objection(o.rule, {**o.facts, "unfinished": True}) for o in found)


def _of_play(state: State, step: Step) -> Iterator[Objection]:
    if not state.roll:
        yield Objection("PRN-1", {"before_roll": True})
    elif step.origin == step.target:
        yield wrong_count(state, 0, _rule_of_count(state))
    elif step.origin == NAMES[step.seat][BASE]:
        yield from _of_entering(state, step)
    elif step.origin == NAMES[step.seat][HOME]:
        yield Objection("PRN-11", {"from_home": True})
    elif (wrong := aside(state, step, _rule_of_count(state), "PRN-11")) is not None:
        yield wrong
    else:
        yield from _Forward(state, step).objections()


def _of_entering(state: State, step: Step) -> Iterator[Objection]:
    """A piece was taken out of the nest."""
    entry, node = NAMES[step.seat][ENTRY], state.nodes[0]
    facts = {"entry": entry, **dice_of(state)}
    if sum(state.roll) != FIVE:
        yield Objection("PRN-2", facts)
    elif len(node.parts) < len(state.roll):
        yield Objection("PRN-2", {"one_used" if node.parts else "five_used": True, **facts})
    elif step.target != entry:
        yield Objection("PRN-2", {"space": step.target, **facts})
    if step.target == entry and pairs(node.hand) & 1 << ENTRY:
        yield Objection("PRN-9", {"third": True, "space": entry})
    elif step.target == entry and node.double & 1 << ENTRY:
        yield _blockade(state, step.seat, ENTRY, landing=True, count=0)


def _rule_of_count(state: State) -> str:
    """PRN-6 where a double gives four parts, else PRN-5."""
    return "PRN-6" if len(walk.parts_of(state.roll)) > 2 else "PRN-5"


class _Forward:
    """A piece went forward on its own path, from progress `origin` to `target`."""

    def __init__(self, state: State, step: Step) -> None:
        self.state, self.seat, self.node = state, step.seat, state.nodes[0]
        self.origin, self.target = PROGRESS[step.seat][step.origin], PROGRESS[step.seat][step.target]
        self.count = self.target - self.origin
        self.is_bonus = self.count == walk.BONUS and self.origin == self.node.catcher
        self.fits = self.is_bonus or self.count in self.node.parts
        self.total = is_total(self.node.parts, self.count)

    def objections(self) -> Iterator[Objection]:
        if self.node.enters:
            yield _must_enter(self.state)
        found = [*self.of_way()]
        of_count = [] if self.only_undone() else [*self.of_count()]
        # A sum of parts is mended by landing in between; what stands in the way is the better reason.
        found = found + of_count if self.total else of_count + found
        yield from found or ([] if self.node.enters else [_left_over(self.state)])

    def only_undone(self) -> bool:
        """Whether the piece could land after each of several parts, but then too few pips could be used (PRN-5)."""
        nodes, way = self.state.nodes, (self.origin, self.target)
        legal = any(walks(walk.moves, node, *way) for node in nodes)
        return self.total and not legal and lands(nodes, way, walk.moves, walk.alone)

    def of_count(self) -> Iterator[Objection]:
        """PRN-5 or PRN-6 while dice are played; PRN-7 where 20 were moved, or only the bonus is left."""
        if self.fits:
            return
        if self.target == HOME and not self.total and self.count not in self.node.parts:
            yield Objection("PRN-11", {"exact": True, "count": self.count})
        has_bonus = any(map(walk.gives_bonus, self.state.nodes))
        if has_bonus and (not self.node.goal or self.origin == self.node.catcher):
            yield self.bonus(
                space=NAMES[self.seat][self.node.catcher],
                other=self.origin != self.node.catcher,
                parts=list(self.node.parts) if self.node.goal else [],
            )
        elif self.count == walk.BONUS:
            yield self.bonus(at_once=True)
        if self.count not in self.node.parts:
            yield wrong_count(self.state, self.count, _rule_of_count(self.state))

    def bonus(self, **facts: Any) -> Objection:
        return Objection("PRN-7", {"count": self.count, "bonus": walk.BONUS, **facts})

    def of_way(self) -> Iterator[Objection]:
        """PRN-8, PRN-9 and PRN-10: what stands in the way or where the step ends."""
        node, name = self.node, NAMES[self.seat][self.target]
        blocked = path(self.origin, self.target) & node.double
        if blocked:
            first = (blocked & -blocked).bit_length() - 1
            yield _blockade(self.state, self.seat, first, landing=first == self.target, count=self.count)
        if pairs(node.hand) & 1 << self.target:
            yield Objection("PRN-9", {"third": True, "space": name})
        if node.single & 1 << self.target & SAFE:
            yield Objection("PRN-8", {"space": name, "seat": owner(self.state, self.seat, self.target)})
        if together_again(self.state, self.origin, self.target):
            yield Objection("PRN-10", {"space": name, "origin": NAMES[self.seat][self.origin]})


def _must_enter(state: State) -> Objection:
    return Objection("PRN-3", {"entry": NAMES[state.due][ENTRY], "dice": list(state.roll)})


def _left_over(state: State) -> Objection:
    """More of the dice can be used."""
    return Objection("PRN-5", {**dice_of(state), "possible": state.nodes[0].goal})


def _blockade(state: State, seat: Seat, progress: int, *, landing: bool, count: int) -> Objection:
    facts = {"seat": owner(state, seat, progress), "landing": landing, "count": count}
    return Objection("PRN-9", {"space": NAMES[seat][progress], **facts})


