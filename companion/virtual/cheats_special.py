"""Fouls of several moves, or of none, for any game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.model import DueKind, Step
from companion.referee.turn import Node, Turn
from companion.virtual.foul import Cheat, Make, ahead, move_of, on_track, track_length, with_captures
from companion.virtual.occasion import NO_RULE, Move, Occasion

MOST_NODES = 40
"""In so many moments of a turn a foul is looked for."""
TURN = frozenset({"COM-2", "COM-3"})
"""A move after the play is done is a move out of turn."""
TOGETHER: Mapping[str, str] = {"parcheesi-print": "PRN-10"}
"""Game → the rule by which a blockade may not be moved on together."""


def captured(kind: str, where: Callable[[Occasion, Step], str]) -> Make:
    """Captures after which the captured piece does not go back to its base, but to `where`."""

    def make(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
        game = occasion.game
        for node in occasion.turn.nodes[:MOST_NODES] if occasion.rolled else ():
            for step in () if node.complete else game.legal_steps(node.state):
                before = [move for earlier in node.steps for move in with_captures(earlier)]
                for seat, _ in step.captures:
                    place = where(occasion, step)
                    gone = () if place == step.target else ((seat, step.target, place),)
                    yield Cheat(kind, (*before, *gone, move_of(step)), frozenset({game.capture_rule(step)}))

    return make


def beyond(occasion: Occasion, step: Step) -> str:
    """The next vacant space of the track, or of the board where that has none; where all are taken, the same."""
    stands = occasion.game.position(occasion.state)
    if track_length(occasion):
        start = step.target if on_track(step.target) else "t0"
        further = [ahead(occasion, start, n) for n in range(1, 100)]
    else:
        names = [name for name in occasion.game.spaces() if not name.startswith(("base", "home"))]
        here = names.index(step.target) + 1 if step.target in names else 0
        further = names[here:] + names[:here]
    return next((space for space in further if not stands.at(space)), step.target)


def _kept(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    """Two pieces on one space; a hole holds one."""
    if occasion.game.nouns.space != "hole":
        yield from captured("captured_kept", lambda _, step: step.target)(occasion, rng)


def left(kind: str, asked: Callable[[Node, Turn], bool]) -> Make:
    """A part of the play, and then "done"; `asked`: at which moments."""

    def make(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
        game, turn = occasion.game, occasion.turns[0] if occasion.turns else None
        if turn is None or not occasion.rolled or game.due(turn.before).kind is DueKind.MOVE:
            return
        partial = [node for node in turn.nodes if not node.complete and asked(node, turn)]
        for node in rng.sample(partial, min(len(partial), 5)):
            if any(twin.complete for twin in turn.by_position[game.position(node.state)]):
                continue
            moves = tuple(move for step in node.steps for move in with_captures(step))
            rules = frozenset(objection.rule for objection in game.unfinished(node.state))
            yield Cheat(kind, moves, rules, says_done=True)

    return make


def _two_moved(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    """Two pieces by the same die."""
    if not occasion.rolled or occasion.game.stacks:
        return
    steps = [s for s in occasion.game.legal_steps(occasion.turn.root) if not s.captures]
    rng.shuffle(steps)
    for one in steps:
        for other in steps:
            if one.origin != other.origin and one.target != other.target and one.by == other.by:
                moves = move_of(one), move_of(other)
                yield Cheat("two_moved", moves, _rules(occasion, moves) | TURN)


def _rules(occasion: Occasion, moves: tuple[Move, ...]) -> frozenset[str]:
    after = occasion.shows(moves)
    return frozenset() if after is None else occasion.rules(after)


def _together(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    """Both pieces of a blockade moved on by a double."""
    rule = TOGETHER.get(occasion.game.name)
    if rule is None or not occasion.rolled:
        return
    seat, position = occasion.seat, occasion.game.position(occasion.state)
    for step in occasion.game.legal_steps(occasion.turn.root):
        pair = position.at(step.origin) == (seat, seat) and not step.origin.startswith("base")
        if pair and not step.captures and not step.target.startswith("home"):
            moves = move_of(step), move_of(step)
            yield Cheat("together", moves, _rules(occasion, moves) | TURN | {rule})


def placed_anyway(occasion: Occasion, before: Any) -> list[Cheat]:
    """The challenger traps the piece without having won. before: the state of Game of God in which the throws end."""
    names = occasion.game.spaces()
    moves: tuple[Move, ...] = ((before.challenger, names[before.moved], names[before.target]),)
    after = occasion.shows(moves)
    if after is None or after in occasion.explained:
        return []
    return [Cheat("placed_anyway", moves, occasion.rules(after))]


def removed(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    """A piece of anybody taken off the board."""
    pieces = [(seat, name) for name, content in occasion.game.position(occasion.state).items() for seat in content]
    for seat, name in rng.sample(pieces, len(pieces)):
        moves: tuple[Move, ...] = ((seat, name, ""),)
        yield Cheat("removed", moves, _rules(occasion, moves) | {NO_RULE})


def added(occasion: Occasion, rng: random.Random) -> Iterator[Cheat]:
    stands = occasion.game.position(occasion.state)
    free = [n for n in occasion.game.spaces() if not n.startswith(("base", "home")) and not stands.at(n)]
    for name in rng.sample(free, min(5, len(free))):
        moves: tuple[Move, ...] = ((rng.choice(occasion.game.seats), "", name),)
        yield Cheat("added", moves, _rules(occasion, moves) | {NO_RULE})


SPECIAL: tuple[Make, ...] = (
    _kept,
    captured("captured_gone", lambda _, step: ""),
    captured("captured_astray", beyond),
    left("unfinished", lambda node, turn: bool(node.steps)),
    left("not_moved", lambda node, turn: not node.steps),
    _two_moved,
    _together,
    removed,
    added,
)
