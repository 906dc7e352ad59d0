"""Parcheesi, boxed edition: the rules COM-1 to COM-7 and PAR-1 to PAR-20 as a state machine.

A state knows whose turn it is, the doublets in a row, and the progress of every pawn. While a roll is played
it also holds `nodes`: the moments of the play that look as the board does. There are several only where two
pawns of one colour met on a space and it cannot be seen which of them went on; PAR-11 asks, and one way of
following them that is legal suffices.

The walking is in `parcheesi_walk`, the reasons why a step is not legal in `parcheesi_objections`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from companion.games import parcheesi_walk as walk
from companion.games.parcheesi_board import BASE, HOME, NAMES, PROGRESS
from companion.games.parcheesi_edition import Edition, illegal
from companion.games.parcheesi_objections import objections, third, unfinished
from companion.games.parcheesi_rules import SENTENCES
from companion.games.parcheesi_table import seen
from companion.games.race_pieces import Pieces, moved
from companion.games.state_json import check_pieces, whole
from companion.model import Objection, Outcome, Position, Roll, Seat, Step

ROLLS = tuple(Roll(dice) for dice in combinations_with_replacement(range(1, 7), 2))


class State(NamedTuple):
    """A game at one moment. `doublets`: in a row by `due`, before `roll`. `roll` is () until it is thrown; `four`:
    whether it gives four parts (PAR-15)."""

    due: Seat
    doublets: int
    pieces: Pieces
    roll: tuple[int, ...] = ()
    nodes: tuple[walk.Node, ...] = ()
    four: bool = False

    @property
    def whole(self) -> bool:
        """Whether no part of the roll is used yet."""
        return len(self.nodes[0].parts) == (4 if self.four else 2)


class Parcheesi(Edition[State]):
    """Boxed Parcheesi: a roll of two dice."""

    name = "parcheesi"
    title = "Parcheesi"
    opening_dice = 2
    sentences = SENTENCES
    dice, wanted, every_roll = (2,), "two dice. Throw exactly two", ROLLS
    walk = walk

    def opening(self, first: Seat) -> State:
        """All pawns in base, `first` to roll."""
        self._check_seat(first)
        return State(first, 0, self._start())

    def hear(self, state: State, roll: Roll) -> State:
        """The state in which `roll` is to be played. Raises NotDue, OptionError."""
        self._heard(state, roll)
        hand, single, double = seen(state.pieces, state.due)
        if walk.is_penalty(state.doublets, roll.dice):
            node = walk.Node(hand, single, double, (), 0)
        else:
            node = walk.beginning(hand, single, double, roll.dice)
        return State(state.due, state.doublets, state.pieces, roll.dice, (node,), len(node.parts) == 4)

    def legal_steps(self, state: State) -> tuple[Step, ...]:
        """The next steps, each of which can be completed (PAR-5, PAR-15); the penalty of PAR-16."""
        if self._third(state):
            return self._penalty(state)
        return super().legal_steps(state)

    def take(self, state: State, step: Step) -> State:
        """The state after a legal step; the next roll is due as soon as nothing more can be moved."""
        if self._third(state):
            return self._take_penalty(state, step)
        return super().take(state, step)

    def may_stop(self, state: State) -> bool:
        """Whether nothing (more) can be moved, in one way at least of following the pawns (COM-4, PAR-11)."""
        if not state.roll or self.winners(state):
            return False
        if self._third(state):
            return not self._penalty(state)
        return any(not walk.moves(node) for node in state.nodes)

    def forbidden(self, state: State) -> tuple[Objection, ...]:
        """The third doublets in a row, where no pawn is to go back for them (PAR-16)."""
        nothing = self._third(state) and not self.legal_steps(state)
        return (third(state),) if nothing else ()

    def objections(self, state: State, step: Step) -> tuple[Objection, ...]:
        """Every rule that the step breaks now, the most telling first. Facts: see `parcheesi_objections`."""
        if self._third(state):
            return () if _same(step, self._penalty(state)) else objections(state, step)
        return () if self._moves(state, step) else objections(state, step)

    def unfinished(self, state: State) -> tuple[Objection, ...]:
        """Every rule that leaving the play here breaks; empty where that is allowed, or no play is due."""
        return () if not state.roll or self.may_stop(state) else unfinished(state)

    def outcomes(self, state: State) -> tuple[Outcome, ...]:
        """Every different end of this play (COM-5), each with one way to get there."""
        if self._third(state):
            steps = self._penalty(state)
            return (Outcome(self.take(state, steps[0]) if steps else self.stop(state), steps),)
        return super().outcomes(state)

    def to_json(self, state: State) -> dict[str, Any]:
        """STATE as FORMATS gives it. Raises NotDue in the middle of a play."""
        return self._written(state, state.roll) | {"doublets": state.doublets}

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The state that STATE describes. Raises StateError naming what cannot be."""
        pieces = check_pieces(data, self.seats, self._each, range(BASE, HOME + 1))
        due = whole(data, "due", self.seats)
        doublets = whole(data, "doublets", range(3))
        return self._checked(State(due, doublets, self._read(pieces)))

    def with_position(self, position: Position, due: Seat, like: State | None = None) -> State:
        """The state that shows `position`; where `due` was due in `like`, the doublets count on. Raises StateError."""
        self._check_seat(due)
        doublets = 0
        if like is not None and like.due == due and len(set(like.roll)) < 2:  # not thrown yet, or doublets
            doublets = min(like.doublets + bool(like.roll), 2)
        return self._checked(State(due, doublets, self._shown(position, HOME)))

    def left(self, state: State) -> tuple[int, ...]:
        """Parts that are not used yet, or the bonuses when the dice are done."""
        if not state.nodes:
            return ()
        node = state.nodes[0]
        return node.parts if node.goal else node.bonuses

    def capture_rule(self, step: Step) -> str:
        """PAR-9 for a pawn that enters, else PAR-7."""
        return "PAR-9" if step.origin == NAMES[step.seat][BASE] else "PAR-7"

    def _third(self, state: State) -> bool:
        """Whether the roll to be played is the third doublets in a row (PAR-16)."""
        return bool(state.roll) and walk.is_penalty(state.doublets, state.roll)

    def _penalty(self, state: State) -> tuple[Step, ...]:
        seat = state.due
        nearest = max((p for p in state.pieces[seat] if p < HOME), default=BASE)
        if nearest == BASE:
            return ()
        return (Step(seat, NAMES[seat][nearest], NAMES[seat][BASE], "penalty"),)

    def _take_penalty(self, state: State, step: Step) -> State:
        if not _same(step, self._penalty(state)):
            raise illegal(step)
        return self._finish(state, moved(state.pieces, step.seat, PROGRESS[step.seat][step.origin], BASE))

    def _going_on(self, state: State, pieces: Pieces, nodes: tuple[walk.Node, ...]) -> State:
        return state._replace(pieces=pieces, nodes=nodes)

    def _finish(self, state: State, pieces: Pieces) -> State:
        """The state after the play: a further roll after doublets (PAR-13), unless the third (PAR-16)."""
        if pieces[state.due][0] == HOME:
            return State(state.due, 0, pieces)
        if state.roll[0] == state.roll[1] and not self._third(state):
            return State(state.due, state.doublets + 1, pieces)
        return State(self._next[state.due], 0, pieces)


def _same(step: Step, penalty: tuple[Step, ...]) -> bool:
    """Whether `step` is the one that the penalty asks for."""
    return any((step.seat, step.origin, step.target) == (p.seat, p.origin, p.target) for p in penalty)
