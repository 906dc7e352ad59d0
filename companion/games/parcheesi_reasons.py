"""Why a step is not legal in Parcheesi: what both editions have, each by the rule ids of its own sheet.

The facts are listed by `parcheesi_objections` and `parcheesi_print_objections`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, TypeVar

from companion.games.parcheesi_board import BASE, HOME, NAMES, PROGRESS, SEATS, SPACES, TRACK, track_space
from companion.games.parcheesi_edition import EditionState, Move, Node
from companion.games.parcheesi_stride import Parts, reunites
from companion.model import Objection, Seat, Step

N = TypeVar("N", bound=Node)


def of_turn(state: EditionState, step: Step) -> Iterator[Objection]:
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


def aside(state: EditionState, step: Step, count_rule: str, way_rule: str) -> Objection | None:
    """What is wrong with a step from the track or a lane that leads back, or off the piece's own path; None where it
    leads forward. count_rule: that a piece moves on by its roll; way_rule: that it keeps to its own path."""
    origin, target = PROGRESS[step.seat][step.origin], PROGRESS[step.seat].get(step.target)
    if target is None:
        return _off_path(state, step, origin, count_rule, way_rule)
    if target == BASE:
        return _backwards(state, 0, count_rule)
    if target < origin:
        return _back_or_round(state, step, origin - target, count_rule, way_rule)
    back = TRACK - (target - origin)
    if step.target.startswith("t") and back < target - origin:
        return _backwards(state, back, count_rule)  # over its entry
    return None


def _off_path(state: EditionState, step: Step, origin: int, count_rule: str, way_rule: str) -> Objection:
    """Another's lane, or a piece taken back over its entry, or put where none ever stands."""
    if step.target not in SPACES or step.target.startswith("base"):
        return Objection(count_rule, {"nowhere": True, "space": step.target})
    if step.target.startswith(("lane", "home")):
        return Objection(way_rule, {"lane_of": int(step.target[4]), "space": step.target})
    back = (track_space(step.seat, origin) - int(step.target[1:])) % TRACK
    return _back_or_round(state, step, back, count_rule, way_rule)


def _back_or_round(state: EditionState, step: Step, back: int, count_rule: str, way_rule: str) -> Objection:
    """A piece that went `back` spaces back, or so far on past its own lane that this was the shorter way."""
    on_track = step.origin.startswith("t") and step.target.startswith("t")  # out of a lane no way leads on
    if on_track and TRACK - back <= back:
        return Objection(way_rule, {"past_mouth": True, "space": step.target})
    return _backwards(state, back, count_rule)


def _backwards(state: EditionState, count: int, rule: str) -> Objection:
    return Objection(rule, {"backwards": True, "count": count, **dice_of(state)})


def wrong_count(state: EditionState, count: int, rule: str) -> Objection:
    """A piece moved by what is not to be moved now."""
    facts = {"count": count, "total": is_total(state.nodes[0].parts, count), "whole": state.whole}
    return Objection(rule, {**facts, **dice_of(state)})


def dice_of(state: EditionState) -> dict[str, Any]:
    """What was rolled, and what of it is not used yet."""
    return {"dice": list(state.roll), "parts": list(state.nodes[0].parts)}


def is_total(parts: Parts, count: int) -> bool:
    """Whether `count` is the sum of two or more parts that are left."""
    return next(_totals(parts, count), None) is not None


def _totals(parts: Parts, count: int) -> Iterator[Parts]:
    """Each choice of two or more parts that are left whose sum is `count`."""
    return (some for n in range(2, len(parts) + 1) for some in combinations(parts, n) if sum(some) == count)


def lands(
    nodes: Sequence[N], way: tuple[int, int], moves: Callable[[N], Sequence[Move]], alone: Callable[[N, Parts], N]
) -> bool:
    """Whether a piece could go `way`, from a progress to another, by several parts and land after each, whatever
    becomes of the others.

    moves: what may come next at a node. alone: a node with some of its parts as all that must be used.
    """
    some = (alone(node, parts) for node in nodes for parts in _totals(node.parts, way[1] - way[0]))
    return any(walks(moves, node, *way) for node in some)


def walks(moves: Callable[[N], Sequence[Move]], node: N, origin: int, target: int) -> bool:
    """Whether one piece may go from `origin` to `target` by steps that may follow each other."""
    return any(
        move.way.target == target or walks(moves, move.node, move.way.target, target)
        for move in moves(node)
        if move.way.origin == origin
    )


def together_again(state: EditionState, origin: int, target: int) -> bool:
    """Whether a step of the mover brings two that were a blockade together once more, whichever pieces they are."""
    return all(
        reunites(node.hand, pawn, target) for node in state.nodes for pawn in node.hand if pawn // 3 == origin
    )


def owner(state: EditionState, seat: Seat, progress: int) -> Seat:
    """Whose pieces stand where `seat` has `progress`."""
    name = NAMES[seat][progress]
    return next(s for s in SEATS if _stands(state, s, name))


def _stands(state: EditionState, seat: Seat, space: str) -> bool:
    return seat in SEATS and PROGRESS[seat].get(space) in state.pieces[seat]
