"""The graph of one turn: every state that a roll can lead to, and what the board shows there."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, lru_cache
from typing import Any

from companion.games.contract import Game
from companion.model import DueKind, Position, Roll, Seat, Step

MOST_NODES = 20_000
"""A turn with more nodes than this is explored no further; no roll of the five games comes near it."""

MOST_ASTRAY = 3
"""Captured pieces of one play that may be on their way at the same time."""

State = Any


@dataclass(frozen=True, slots=True)
class Node:
    """A point of the play. steps: one way to get there. after: the state that follows if the play ends here."""

    state: State
    steps: tuple[Step, ...]
    after: State | None

    @property
    def complete(self) -> bool:
        """Whether the play may end here."""
        return self.after is not None


class Look(Enum):
    """How a position relates to a node of the turn: it is there, or a piece of it is on its way."""

    THERE = auto()
    CAPTURED_KEPT = auto()
    CAPTURED_IN_HAND = auto()
    RETURNED_EARLY = auto()
    IN_HAND = auto()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position that would be explained by a turn.

    piece: (seat, where it belongs, where it stands or "") of one that is on its way. turns: those that begin with
    what is seen, where no dice say so; () where it is the turn in play.
    """

    look: Look
    nodes: tuple[Node, ...]
    piece: tuple[Seat, str, str] | None = None
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True)
class Turn:
    """One play of one player, from the state before it. roll: None where it needs no dice. root: the play is due."""

    game: Game[Any]
    before: State
    roll: Roll | None
    root: State

    @classmethod
    def of(cls, game: Game[Any], before: State, roll: Roll) -> Turn:
        """The turn that begins with `roll`. Raises NotDue or BadInput as the game does."""
        return cls(game, before, roll, game.hear(before, roll))

    @classmethod
    def without_dice(cls, game: Game[Any], before: State) -> Turn:
        """The turn of a player who moves without a roll, or who is to place a piece. Raises NotDue."""
        due = game.due(before).kind is DueKind.PLAY
        return cls(game, before, None, before if due else game.begin(before))

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.game.due(self.before).seat

    @property
    def dice(self) -> tuple[int, ...]:
        """What was rolled; () where there are no dice."""
        return () if self.roll is None else self.roll.dice

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Every node, the root first, each with a shortest way to it."""
        found: dict[State, Node] = {}
        waiting: deque[tuple[State, tuple[Step, ...]]] = deque([(self.root, ())])
        while waiting and len(found) < MOST_NODES:
            state, steps = waiting.popleft()
            if state in found:
                continue
            found[state] = node = self._node(state, steps)
            if node.after is not state:
                waiting.extend((self.game.take(state, s), (*steps, s)) for s in self.game.legal_steps(state))
        return tuple(found.values())

    def _node(self, state: State, steps: tuple[Step, ...]) -> Node:
        if self.game.due(state).kind is not DueKind.PLAY:
            return Node(state, steps, state)
        return Node(state, steps, self.game.stop(state) if self.game.may_stop(state) else None)

    @cached_property
    def by_position(self) -> Mapping[Position, tuple[Node, ...]]:
        """The nodes that show a position, complete ones first, then by length."""
        groups: dict[Position, list[Node]] = defaultdict(list)
        for node in self.nodes:
            groups[self.game.position(node.state)].append(node)
        return {p: tuple(sorted(g, key=lambda n: (not n.complete, len(n.steps)))) for p, g in groups.items()}

    @cached_property
    def candidates(self) -> Mapping[Position, Candidate]:
        """Every position that shows a node of the turn."""
        return {position: Candidate(Look.THERE, nodes) for position, nodes in self.by_position.items()}

    def between(self, position: Position) -> Iterator[tuple[Position, Candidate]]:
        """How the nodes that show `position` look while a captured piece is not home yet, or home before its time."""
        node = self.by_position[position][0]
        yield from _captures_astray(position, node, caught_by(node.steps)[-MOST_ASTRAY:])
        for step in () if node.after is node.state else self.game.legal_steps(node.state):
            for seat, base in step.captures:
                early = position.moved(seat, step.target, base)
                yield early, Candidate(Look.RETURNED_EARLY, (node,), (seat, step.target, base))

    def ends_with(self, position: Position) -> bool:
        """Whether a whole play shows that position."""
        return any(node.complete and node.steps for node in self.by_position.get(position, ()))

    def leads_through(self, position: Position) -> bool:
        """Whether a part of a play shows that position, or does while a captured piece is on its way."""
        nodes = self.by_position.get(position, ())
        if any(node.steps for node in nodes):
            return True
        near = (stood for stood in self.by_position if len(stood.changed(position)) <= 2 * MOST_ASTRAY)
        return any(shown == position for stood in near for shown, _ in self.between(stood))

    @property
    def must_pass(self) -> bool:
        """Whether nothing can be moved with this roll."""
        return not self.game.legal_steps(self.root)


Caught = tuple[Seat, str, str]
"""A captured piece: its seat, its base, and where it stood."""


def _captures_astray(
    position: Position, node: Node, caught: Sequence[Caught]
) -> Iterator[tuple[Position, Candidate]]:
    """The node as it looks while some of its captured pieces are not yet back in their bases."""
    for number, (seat, base, stood) in enumerate(caught):
        if seat not in position.at(base):
            continue
        gone = position.without(seat, base)
        kept = gone.with_piece(seat, stood)
        for shown, look, place in ((gone, Look.CAPTURED_IN_HAND, ""), (kept, Look.CAPTURED_KEPT, stood)):
            yield shown, Candidate(look, (node,), (seat, base, place))
            yield from _captures_astray(shown, node, caught[number + 1 :])


@lru_cache(maxsize=64)
def turn_after(game: Game[Any], state: State) -> Turn | None:
    """The turn that may begin with what is seen next: a move that needs no dice, a challenge declined; else None."""
    if game.due(state).kind is DueKind.CHALLENGE:
        state = game.stop(state)
    return Turn.without_dice(game, state) if game.due(state).kind is DueKind.MOVE else None


def caught_by(steps: Sequence[Step]) -> list[Caught]:
    """The pieces that `steps` capture."""
    return [(seat, base, step.target) for step in steps for seat, base in step.captures]


def in_hand(game: Game[Any], state: State, seat: Seat) -> Iterator[tuple[Position, str]]:
    """What `state` shows with one piece of `seat` lifted, and the space it was lifted from."""
    for name, content in game.position(state).items_:
        if seat in content:
            yield game.disturbed(state, Step(seat, name, "")), name


def way_between(game: Game[Any], start: State, goal: State) -> tuple[Step, ...] | None:
    """Some legal steps that lead from one state of a play to another, or None."""
    waiting: deque[tuple[State, tuple[Step, ...]]] = deque([(start, ())])
    seen = {start}
    while waiting:
        state, steps = waiting.popleft()
        if state == goal:
            return steps
        if game.due(state).kind is DueKind.PLAY:
            further = ((game.take(state, s), (*steps, s)) for s in game.legal_steps(state))
            fresh = [one for one in further if one[0] not in seen]
            seen.update(state for state, _ in fresh)
            waiting.extend(fresh)
    return None
