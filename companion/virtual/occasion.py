"""A moment at which somebody could cheat: where play stands, and every board that the rules explain just then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.games.contract import Game
from companion.model import Position, Seat, Step
from companion.referee.turn import Node, Turn, turn_after

NO_RULE = ""
"""Among the rules of a foul: that a piece is gone or too many may be said as well, without a rule."""

Move = tuple[Seat, str, str]
"""(seat, from, to); "" is off the board."""
State = Any


@dataclass(frozen=True)
class Occasion:
    """states: all that the game can be at, of which the table cannot tell one from another; the truth is the first.

    turns: those in play, or the last ones, still open. rolled: whether a play is due, or may go on.
    """

    game: Game[Any]
    states: tuple[State, ...]
    turns: tuple[Turn, ...]
    rolled: bool

    @property
    def state(self) -> State:
        """Where play really stands."""
        return self.states[0]

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.game.due(self.state).seat

    @property
    def turn(self) -> Turn:
        """The turn in play."""
        return self.turns[0]

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """From where a foul can be explained: where play stands, and where it may legally go."""
        here = tuple(Node(state, (), state) for state in self.states)
        ends = (turn_after(self.game, state) for state in self._ends)
        turns = (*(self.turns if self.rolled else ()), *(turn for turn in ends if turn is not None))
        return here + tuple(node for turn in turns for node in turn.nodes)

    @property
    def _ends(self) -> tuple[State, ...]:
        """The states from which a turn may begin that needs no dice."""
        if not self.rolled:
            return self.states
        return tuple(root.after for turn in self.turns if (root := turn.nodes[0]).complete)

    @cached_property
    def explained(self) -> frozenset[Position]:
        """Every board that no referee can object to now."""
        found = {self.game.position(self.state)}
        found.update(position for turn in self.turns for position in turn.by_position)
        for state in self._ends:
            found.update(_going_on(self.game, state))
        return frozenset(found)

    def rules(self, after: Position) -> frozenset[str]:
        """Every rule that one illegal move after some legal ones breaks, if that leads to `after`.

        NO_RULE is among them where all that is seen is that a piece is gone.
        """
        gone = {NO_RULE} if self.game.stacks and len(self.game.position(self.state).changed(after)) == 1 else set()
        return frozenset(gone).union(
            objection.rule
            for node in self.nodes
            for step in _single_moves(self.game, node.state, after)
            for objection in self.game.objections(node.state, step)
        )

    def shows(self, moves: Sequence[Move], state: State = None) -> Position | None:
        """The board after the moves by hand from `state` (here); None where a piece is not where it should be."""
        stands = self.game.everything(self.state if state is None else state)
        stacks = {name: list(content) for name, content in stands.items()}
        for seat, origin, target in moves:
            if origin and seat not in stacks.get(origin, ()):
                return None
            if origin:
                _take_last(stacks[origin], seat)
            if target:
                stacks.setdefault(target, []).append(seat)
        if self.game.stacks:
            return Position.stacked({name: pile[-1:] for name, pile in stacks.items()})
        return Position.of(stacks)


def _take_last(pile: list[Seat], seat: Seat) -> None:
    """Take out the topmost piece of `seat`."""
    del pile[len(pile) - 1 - pile[::-1].index(seat)]


def _going_on(game: Game[Any], state: State) -> Iterator[Position]:
    """What turns that need no dice can lead to, also after a move that nobody could see."""
    coming = turn_after(game, state)
    if coming is None:
        return
    yield from coming.by_position
    for node in coming.by_position.get(game.position(state), ()):
        further = turn_after(game, node.after) if node.steps and node.complete else None
        if further is not None:
            yield from further.by_position


def _single_moves(game: Game[Any], state: State, after: Position) -> Iterator[Step]:
    """The moves of one piece that make `state` look like `after`."""
    position = game.position(state)
    changed = position.changed(after)
    if not 0 < len(changed) <= 2:
        return
    if game.stacks:
        yield from _onto_stacks(game, state, after, changed)
        return
    gone = [(s, n) for n in changed for s in (Counter(position.at(n)) - Counter(after.at(n))).elements()]
    came = [(s, n) for n in changed for s in (Counter(after.at(n)) - Counter(position.at(n))).elements()]
    if len(gone) == len(came) == 1 and gone[0][0] == came[0][0]:
        yield Step(gone[0][0], gone[0][1], came[0][1])


def _onto_stacks(game: Game[Any], state: State, after: Position, changed: Sequence[str]) -> Iterator[Step]:
    """The same where pieces hide each other; also a piece drawn from under another."""
    looks = dict(after.items_)
    for origin, pile in game.everything(state).items_:
        for seat in dict.fromkeys(pile):
            for target, content in looks.items():
                if content != (seat,) or target == origin or not set(changed) <= {origin, target}:
                    continue
                step = Step(seat, origin, target)
                drawn = pile[-1] != seat and changed == (target,)
                if drawn or (pile[-1] == seat and game.disturbed(state, step) == after):
                    yield step


def in_play(turns: Sequence[Turn]) -> Occasion:
    """While a roll, or the placing of a piece, is played."""
    return Occasion(turns[0].game, tuple(turn.root for turn in turns), tuple(turns), rolled=True)


def between(game: Game[Any], states: Sequence[State], played: Sequence[Turn]) -> Occasion:
    """While an answer, a declaration, a roll, a move or a challenge is due. played: the last turn, still open."""
    return Occasion(game, tuple(states), tuple(played), rolled=False)
