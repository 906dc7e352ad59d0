"""Why a step is not legal in Gloria: every rule that it breaks, the most telling first, with facts.

Spaces are names, seats are indices. Facts by rule:

COM-2   seat (moved), due (whose turn it is)
COM-3   the same; or no_pawn: true, seat, space (where no pawn of that seat stands)
COM-6   winner
GLO-1   before_answer: true
GLO-2   start, dice; space, where it was put elsewhere than on the start with a 6
GLO-3   past_start: true, space (beyond the end of its round) · lane_of: seat, space
        no_round: true, space (into its lane from the start, before the way round)
GLO-4   before_roll: true
        count, dice, parts (not used yet), total: whether the count is the sum of several parts
        backwards: true, count (0 where it was put into the base), dice, parts
        nowhere: true, space (where this pawn can never stand)
GLO-6   space (where one's own pawn stands) · dice, where a move was left out
GLO-7   GLO-9   at_rest: true, space · exact: true, count (what it would take), dice, parts, space
GLO-10  dice · no_six: true · second_six: true · total: true, count, parts · parts, where some were left out
COM-4   dice, parts (all that is left)
Where a play is left too early, each has unfinished: true as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from companion.games import gloria_walk as walk
from companion.games.gloria_board import (
    BASE,
    CENTER,
    NAMES,
    PROGRESS,
    ROUND,
    SEATS,
    SPACES,
    START,
    TRACK,
    track_space,
)
from companion.model import Objection, Seat, Step

if TYPE_CHECKING:
    from companion.games.gloria import State


def objections(state: State, step: Step, end: int, winners: tuple[Seat, ...]) -> tuple[Objection, ...]:
    """The rules that `step` breaks; `step` is known not to be legal. end: the last progress of a pawn."""
    found = tuple(_of_turn(state, step, winners))
    return found or tuple(_of_play(state, step, end))


def unfinished(state: State) -> tuple[Objection, ...]:
    """The rules broken by leaving the play here, where something can still be moved."""
    rule = "GLO-6" if len(state.roll) == 1 else "GLO-10"
    facts = {**_dice(state), "unfinished": True}
    return Objection(rule, facts), Objection("COM-4", facts)


def _of_turn(state: State, step: Step, winners: tuple[Seat, ...]) -> Iterator[Objection]:
    """COM-2, COM-3 and COM-6: not the mover's turn, or no such pawn."""
    for seat in winners:
        yield Objection("COM-6", {"winner": seat})
    if step.seat != state.due:
        facts = {"seat": step.seat, "due": state.due}
        rules = ("COM-3", "COM-2") if state.roll else ("COM-2", "COM-3")
        yield from (Objection(rule, facts) for rule in rules)
    if _standing(state, step.seat, step.origin) is None:
        yield Objection("COM-3", {"no_pawn": True, "seat": step.seat, "space": step.origin})


def _standing(state: State, seat: Seat, space: str) -> int | None:
    """The progress of the pawn of `seat` on `space`."""
    pawns = state.pieces[seat] if seat in SEATS else ()
    return next((p for p in pawns if NAMES[seat][p] == space), None)


def _of_play(state: State, step: Step, end: int) -> Iterator[Objection]:
    origin = _standing(state, step.seat, step.origin)
    assert origin is not None
    if not state.roll:
        yield from _before_the_dice(state)
    elif step.origin == step.target:
        yield _count(state, 0)
    elif origin == BASE:
        yield from _of_entering(state, step, end)
    elif walk.rests(origin, end):
        yield Objection("GLO-9" if end == CENTER else "GLO-7", {"at_rest": True, "space": step.origin})
    else:
        yield from _of_direction(state, step, origin, end)


def _before_the_dice(state: State) -> Iterator[Objection]:
    """There is no roll to move by. Before it comes the question, which may have been answered though nobody said so."""
    if not state.answered:
        yield Objection("GLO-1", {"before_answer": True})
    yield Objection("GLO-4", {"before_roll": True})


def _dice(state: State) -> dict[str, Any]:
    return {"dice": list(state.roll), "parts": list(state.parts)}


def _of_entering(state: State, step: Step, end: int) -> Iterator[Objection]:
    """A pawn was taken out of base."""
    start = NAMES[step.seat][START]
    facts = {"start": start, "dice": list(state.roll)}
    if len(state.roll) > 1 and walk.SIX not in state.roll:
        yield Objection("GLO-10", {"no_six": True, "dice": list(state.roll)})
    elif len(state.parts) < len(state.roll):
        yield Objection("GLO-10", {"second_six": True, **_dice(state)})
    if walk.SIX not in state.parts:
        yield Objection("GLO-2", facts)
    elif step.target != start:
        yield from [*_going_on(state, step, end)] or [Objection("GLO-2", {**facts, "space": step.target})]
    if step.target == start and walk.is_held(state.pieces[step.seat], START):
        yield Objection("GLO-6", {"space": start})


def _going_on(state: State, step: Step, end: int) -> Iterator[Objection]:
    """Why the pawn, which enters with the 6, may not go on so from its start by the other dice (GLO-10). Whoever counts
    the 6 on from the start, too, or puts it farther than dice reach, is rather told where it enters."""
    parts, count = state.parts, PROGRESS[step.seat].get(step.target, BASE) - START
    six = parts.index(walk.SIX)
    left = parts[:six] + parts[six + 1 :] if len(parts) == len(state.roll) else ()
    counted = count in (walk.SIX, *left) or _is_total(state, count)
    if left and 0 < count <= walk.SIX * len(parts) and not counted:
        yield from _forward(state._replace(parts=left), step, START, START + count, end)


def _of_direction(state: State, step: Step, origin: int, end: int) -> Iterator[Objection]:
    """A pawn that is out was moved: off its path, back, too far round, or forward."""
    target = PROGRESS[step.seat].get(step.target, CENTER + 1)
    if target == BASE:
        yield _backwards(state, 0)
    elif target > end:
        yield from _off_path(state, step, origin)
    elif target <= ROUND:
        yield from _on_the_track(state, step, origin, end)
    elif target < origin:
        yield _backwards(state, origin - target)
    else:
        yield from _forward(state, step, origin, target, end)


def _off_path(state: State, step: Step, origin: int) -> Iterator[Objection]:
    if step.target in SPACES and step.target.startswith("lane"):
        yield Objection("GLO-3", {"lane_of": int(step.target[4]), "space": step.target})
    else:
        yield Objection("GLO-4", {"nowhere": True, "space": step.target})


def _on_the_track(state: State, step: Step, origin: int, end: int) -> Iterator[Objection]:
    """Where the pawn ends on the track, the shorter way tells whether it went forward or back."""
    if origin > ROUND:
        yield _backwards(state, origin - ROUND + (track_space(step.seat, ROUND) - int(step.target[1:])) % TRACK)
        return
    ahead = (int(step.target[1:]) - track_space(step.seat, origin)) % TRACK
    if origin + ahead <= ROUND and ahead <= TRACK - ahead:
        yield from _forward(state, step, origin, origin + ahead, end)
    elif ahead <= TRACK - ahead:
        yield Objection("GLO-3", {"past_start": True, "space": step.target})
    else:
        yield _backwards(state, TRACK - ahead)


def _backwards(state: State, count: int) -> Objection:
    return Objection("GLO-4", {"backwards": True, "count": count, **_dice(state)})


def _count(state: State, count: int) -> Objection:
    return Objection("GLO-4", {"count": count, "total": _is_total(state, count), **_dice(state)})


def _is_total(state: State, count: int) -> bool:
    """Whether `count` is the sum of two or more parts that are left."""
    parts = state.parts
    return any(sum(some) == count for n in range(2, len(parts) + 1) for some in combinations(parts, n))


def _forward(state: State, step: Step, origin: int, target: int, end: int) -> Iterator[Objection]:
    """A pawn went forward on its own path."""
    count = target - origin
    if count not in state.parts:
        yield from _of_count(state, step, origin, target, end)
    if walk.is_held(state.pieces[step.seat], target):
        yield Objection("GLO-6", {"space": step.target})


def _of_count(state: State, step: Step, origin: int, target: int, end: int) -> Iterator[Objection]:
    """The count is none of the dice: GLO-4, and what more there is to say."""
    count = target - origin
    if origin == START and target > ROUND:
        yield Objection("GLO-3", {"no_round": True, "space": step.target})
    elif _is_total(state, count):
        yield Objection("GLO-10", {"total": True, "count": count, **_dice(state)})
    elif target == CENTER or (target > ROUND and end != CENTER):
        rule = "GLO-9" if end == CENTER else "GLO-7"
        yield Objection(rule, {"exact": True, "count": count, "space": step.target, **_dice(state)})
    yield _count(state, count)
