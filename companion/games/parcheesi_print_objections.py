"""Why a step is not legal in the print-and-cut edition: every rule that it breaks, the most telling first, with facts.

Spaces are names, seats are indices. Facts by rule:

COM-2   seat (moved), due (whose turn it is)
COM-3   the same; or no_pawn: true, seat, space (where no piece of that seat stands)
COM-6   winner
PRN-1   before_roll: true
PRN-2   entry, dice, parts (not used yet); space, where it was put elsewhere than on the entry;
        one_used: true, where a total of five was there but one of its dice is used
PRN-3   entry, dice
PRN-5   dice, parts, possible (how many pips must still be used)
PRN-5   PRN-6 (after a double)
        count, dice, parts, total: whether the count is the sum of several parts, which must land after each
        backwards: true, count (0 where it was put into the nest), dice, parts
        nowhere: true, space (where this piece can never stand)
PRN-7   count, bonus · at_once: true, where no piece may move 20 now
        space (of the piece that has the bonus), other: whether another piece was moved
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
from itertools import combinations
from typing import TYPE_CHECKING, Any

from companion.games import parcheesi_print_walk as walk
from companion.games.parcheesi_board import (
    BASE,
    ENTRY,
    HOME,
    NAMES,
    PROGRESS,
    SAFE,
    SEATS,
    SPACES,
    TRACK,
    track_space,
)
from companion.games.parcheesi_stride import FIVE, pairs, path, reunites
from companion.model import Objection, Seat, Step

if TYPE_CHECKING:
    from companion.games.parcheesi_print import State


def objections(state: State, step: Step) -> tuple[Objection, ...]:
    """The rules that `step` breaks; `step` is known not to be legal."""
    found = tuple(_of_turn(state, step))
    return found or tuple(_of_play(state, step))


def unfinished(state: State) -> tuple[Objection, ...]:
    """The rules broken by leaving the play here, where something must still be moved."""
    first = _must_enter(state) if state.nodes[0].enters else _left_over(state)
    found = first, Objection("COM-4", _dice(state))
    return tuple(Objection(o.rule, {**o.facts, "unfinished": True}) for o in found)


def _of_turn(state: State, step: Step) -> Iterator[Objection]:
    """COM-2, COM-3 and COM-6: not the mover's turn, or no such piece."""
    for seat in SEATS:
        if state.pieces[seat][:1] == (HOME,):
            yield Objection("COM-6", {"winner": seat})
    if step.seat != state.due:
        facts = {"seat": step.seat, "due": state.due}
        rules = ("COM-3", "COM-2") if state.roll else ("COM-2", "COM-3")
        yield from (Objection(rule, facts) for rule in rules)
    if not _stands(state, step.seat, step.origin):
        yield Objection("COM-3", {"no_pawn": True, "seat": step.seat, "space": step.origin})


def _stands(state: State, seat: Seat, space: str) -> bool:
    return seat in SEATS and PROGRESS[seat].get(space) in state.pieces[seat]


def _of_play(state: State, step: Step) -> Iterator[Objection]:
    if not state.roll:
        yield Objection("PRN-1", {"before_roll": True})
    elif step.origin == step.target:
        yield _count(state, 0)
    elif step.origin == NAMES[step.seat][BASE]:
        yield from _of_entering(state, step)
    elif step.origin == NAMES[step.seat][HOME]:
        yield Objection("PRN-11", {"from_home": True})
    else:
        yield from _of_direction(state, step)


def _of_entering(state: State, step: Step) -> Iterator[Objection]:
    """A piece was taken out of the nest."""
    entry, node = NAMES[step.seat][ENTRY], state.nodes[0]
    facts = {"entry": entry, **_dice(state)}
    if step.target != entry:
        yield Objection("PRN-2", {"space": step.target, **facts})
        return
    if sum(state.roll) != FIVE:
        yield Objection("PRN-2", facts)
    elif len(node.parts) < len(state.roll):
        yield Objection("PRN-2", {"one_used": True, **facts})
    if pairs(node.hand) & 1 << ENTRY:
        yield Objection("PRN-9", {"third": True, "space": entry})
    elif node.double & 1 << ENTRY:
        yield _blockade(state, step.seat, ENTRY, landing=True, count=0)


def _of_direction(state: State, step: Step) -> Iterator[Objection]:
    origin = PROGRESS[step.seat][step.origin]
    target = PROGRESS[step.seat].get(step.target)
    if target is None:
        yield _off_path(state, step, origin)
    elif target == BASE:
        yield _backwards(state, 0)
    elif target < origin:
        yield _back_or_round(state, step, origin - target)
    elif step.target.startswith("t") and TRACK - (target - origin) < target - origin:
        yield _backwards(state, TRACK - (target - origin))  # over its entry
    else:
        yield from _Forward(state, step, origin, target).objections()


def _off_path(state: State, step: Step, origin: int) -> Objection:
    """PRN-11, or a piece taken back over its entry, or put where no piece stands."""
    if step.target not in SPACES or step.target.startswith("base"):
        return Objection(_rule_of_count(state), {"nowhere": True, "space": step.target})
    if step.target.startswith(("lane", "home")):
        return Objection("PRN-11", {"lane_of": int(step.target[4]), "space": step.target})
    return _back_or_round(state, step, (track_space(step.seat, origin) - int(step.target[1:])) % TRACK)


def _back_or_round(state: State, step: Step, back: int) -> Objection:
    """A piece that went `back` spaces back, or so far on past its own strip that this was the shorter way."""
    if step.target.startswith("t") and TRACK - back <= back:
        return Objection("PRN-11", {"past_mouth": True, "space": step.target})
    return _backwards(state, back)


def _dice(state: State) -> dict[str, Any]:
    return {"dice": list(state.roll), "parts": list(state.nodes[0].parts)}


def _rule_of_count(state: State) -> str:
    """PRN-6 where a double gives four parts, else PRN-5."""
    return "PRN-6" if len(walk.parts_of(state.roll)) > 2 else "PRN-5"


def _backwards(state: State, count: int) -> Objection:
    return Objection(_rule_of_count(state), {"backwards": True, "count": count, **_dice(state)})


def _count(state: State, count: int) -> Objection:
    return Objection(_rule_of_count(state), {"count": count, "total": _is_total(state, count), **_dice(state)})


def _is_total(state: State, count: int) -> bool:
    """Whether `count` is the sum of two or more parts that are left."""
    parts = state.nodes[0].parts
    return any(sum(some) == count for n in range(2, len(parts) + 1) for some in combinations(parts, n))


class _Forward:
    """A piece went forward on its own path, from progress `origin` to `target`."""

    def __init__(self, state: State, step: Step, origin: int, target: int) -> None:
        self.state, self.seat, self.node = state, step.seat, state.nodes[0]
        self.origin, self.target, self.count = origin, target, target - origin
        self.is_bonus = self.count == walk.BONUS and origin == self.node.catcher
        self.fits = self.is_bonus or (self.count in self.node.parts and not self.node.enters)
        self.total = _is_total(state, self.count)

    def objections(self) -> Iterator[Objection]:
        if self.node.enters:
            yield _must_enter(self.state)
        found, of_count = [*self.of_way()], [*self.of_count()]
        # A sum of parts is mended by landing in between; what stands in the way is the better reason.
        found = found + of_count if self.total else of_count + found
        yield from found or ([] if self.node.enters else [_left_over(self.state)])

    def of_count(self) -> Iterator[Objection]:
        """PRN-5 or PRN-6 while dice are played; PRN-7 where 20 were moved, or only the bonus is left."""
        if self.fits:
            return
        if self.target == HOME and not self.total and self.count not in self.node.parts:
            yield Objection("PRN-11", {"exact": True, "count": self.count})
        if self.node.catcher != walk.NOBODY and (not self.node.goal or self.origin == self.node.catcher):
            yield self.bonus(space=NAMES[self.seat][self.node.catcher], other=self.origin != self.node.catcher)
        elif self.count == walk.BONUS:
            yield self.bonus(at_once=True)
        if self.count not in self.node.parts:
            yield _count(self.state, self.count)

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
            yield Objection("PRN-8", {"space": name, "seat": _owner(self.state, self.seat, self.target)})
        if self.reunites():
            yield Objection("PRN-10", {"space": name, "origin": NAMES[self.seat][self.origin]})

    def reunites(self) -> bool:
        return all(
            reunites(node.hand, pawn, self.target)
            for node in self.state.nodes
            for pawn in node.hand
            if pawn // 3 == self.origin
        )


def _must_enter(state: State) -> Objection:
    return Objection("PRN-3", {"entry": NAMES[state.due][ENTRY], "dice": list(state.roll)})


def _left_over(state: State) -> Objection:
    """More of the dice can be used."""
    return Objection("PRN-5", {**_dice(state), "possible": state.nodes[0].goal})


def _blockade(state: State, seat: Seat, progress: int, *, landing: bool, count: int) -> Objection:
    facts = {"seat": _owner(state, seat, progress), "landing": landing, "count": count}
    return Objection("PRN-9", {"space": NAMES[seat][progress], **facts})


def _owner(state: State, seat: Seat, progress: int) -> Seat:
    """Whose pieces stand where `seat` has `progress`."""
    name = NAMES[seat][progress]
    return next(s for s in SEATS if _stands(state, s, name))
