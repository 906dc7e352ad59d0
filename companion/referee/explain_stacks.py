"""What went wrong where pieces hide each other: single moves by hand, tried on every state that play could be in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion.games.contract import Game
from companion.model import DueKind, Objection, Position, StateError, Step
from companion.referee.explain import Foul
from companion.referee.turn import Node

MOST_CHANGED = 2
"""One piece moved by hand changes at most so many spaces."""


def explain_stacks(game: Game[Any], nodes: Sequence[Node], standing: Sequence[Node], observed: Position) -> Foul:
    """The likeliest foul: one move by hand, of a piece or a stack, after as few legal steps as possible; else what is
    gone or too many.

    nodes: the play in progress, or the one that may begin. standing: where play was. observed: tops of stacks.
    """
    ranked = sorted(nodes, key=lambda node: (len(node.steps), node not in standing))
    found = [(foul, node) for node in ranked for foul in _from_node(game, node, observed)]
    if found:
        least = min(_weight(foul, node) for foul, node in found)
        alike = [(foul, node.state) for foul, node in found if _weight(foul, node) == least]
        if (lifted := _lifted(game, alike, observed)) is not None:
            return lifted
        return next((foul for foul, state in alike if _is_read(game, state, foul.moves[-1], observed)), alike[0][0])
    position = game.position(ranked[0].state)
    changed = position.changed(observed)
    return Foul(
        missing=tuple((seat, name) for name in changed for seat in position.at(name)),
        extra=tuple((seat, name) for name in changed for seat in observed.at(name)),
        upset=len(changed) > 2 * MOST_CHANGED,
    )


def _weight(foul: Foul, node: Node) -> tuple[int, int, bool, int]:
    """Rather few moves than many, of one piece rather than a stack, rather the player on turn than another, rather few
    rules than many."""
    out_of_turn = foul.objections[0].rule in ("COM-2", "COM-3")
    return len(node.steps), foul.illegal, out_of_turn, len(foul.objections)


def _lifted(game: Game[Any], alike: Sequence[tuple[Foul, Any]], observed: Position) -> Foul | None:
    """The foul where a piece only left, as onto a stack of its own, to which it could not even go in its turn: it was
    rather taken off the board, and no stack is to give a piece for it. So there is no move to take back. None where it
    is not so, or more was moved.

    alike: the moves that would explain it, each with the state before it.
    """
    if len(alike[0][0].moves) > 1 or any(_has_come(game, one, observed) for one in alike):
        return None
    if any(_could_go(game, state, foul.moves[-1]) for foul, state in alike):
        return None
    return replace(alike[0][0], moves=())


def _has_come(game: Game[Any], explained: tuple[Foul, Any], observed: Position) -> bool:
    """Whether the piece that was moved is seen where it went."""
    target = explained[0].moves[-1].target
    return observed.at(target) != game.position(explained[1]).at(target)


def _could_go(game: Game[Any], state: Any, step: Step) -> bool:
    """Whether a player could make that step if it were the player's turn."""
    turn = game.with_position(game.everything(state), step.seat)
    return game.due(turn).kind is DueKind.MOVE and not game.objections(game.begin(turn), step)


def _is_read(game: Game[Any], state: Any, step: Step, observed: Position) -> bool:
    """Whether the game itself, where the table accepts what is seen, would read that step from it: which of some stacks
    has become lower, or higher, is not seen. state: before the step."""
    try:
        accepted = game.everything(game.with_position(observed, step.seat, state))
    except StateError:
        return False
    stood = game.everything(state)
    left, higher = stood.at(step.origin)[:-1], (*stood.at(step.target), step.seat)
    return (accepted.at(step.origin), accepted.at(step.target)) == (left, higher)


def _from_node(game: Game[Any], node: Node, observed: Position) -> Iterator[Foul]:
    position = game.position(node.state)
    changed = position.changed(observed)
    if not 0 < len(changed) <= MOST_CHANGED:
        return
    for step in _steps(game, position, observed, changed):
        objections: tuple[Objection, ...] = game.objections(node.state, step)
        if objections and game.disturbed(node.state, step) == observed:
            yield Foul((*node.steps, step), objections, illegal=1, seat=step.seat)
        if len(changed) == MOST_CHANGED and not observed.at(step.origin):
            yield from _carried(game, node, step)


def _carried(game: Game[Any], node: Node, step: Step) -> Iterator[Foul]:
    """The stack whose top `step` moves was moved so with all its pieces, as one."""
    objections = game.carried(node.state, step)
    if objections:
        stack = game.everything(node.state).at(step.origin)
        pieces = tuple(Step(seat, step.origin, step.target) for seat in reversed(stack))
        yield Foul((*node.steps, *pieces), objections, illegal=len(pieces), seat=step.seat)


def _steps(game: Game[Any], position: Position, observed: Position, changed: Sequence[str]) -> Iterator[Step]:
    """Every move of one top piece that may have changed just these spaces."""
    for origin, content in position.items_:
        for target in game.spaces():
            if set(changed) <= {origin, target} and target != origin:
                shown = observed.at(target)
                if shown == content:
                    yield Step(content[0], origin, target)
