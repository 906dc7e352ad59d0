"""Parcheesi, print-and-cut edition: the rules COM-1 to COM-7 and PRN-1 to PRN-11 as a state machine.

A state knows whose turn it is and the progress of every piece. While a roll is played it also holds `nodes`: the
moments of the play that look as the board does, several only where it cannot be seen which of two pieces that met
went on; PRN-10 asks, and one way of following them that is legal suffices.

The walking is in `parcheesi_print_walk`, the reasons why a step is not legal in `parcheesi_print_objections`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from companion.games import parcheesi_print_walk as walk
from companion.games.parcheesi_board import BASE, HOME, NAMES
from companion.games.parcheesi_edition import Edition
from companion.games.parcheesi_print_objections import objections, unfinished
from companion.games.parcheesi_print_rules import SENTENCES
from companion.games.parcheesi_table import seen
from companion.games.race_pieces import Pieces
from companion.games.state_json import check_pieces, whole
from companion.model import Nouns, Objection, Position, Roll, Seat, Step

DICE = (1, 2)
"""The numbers of dice that may be thrown (PRN-1)."""

ROLLS = tuple(Roll(dice) for count in DICE for dice in combinations_with_replacement(range(1, 7), count))


class State(NamedTuple):
    """A game at one moment. `roll` is () until it is thrown."""

    due: Seat
    pieces: Pieces
    roll: tuple[int, ...] = ()
    nodes: tuple[walk.Node, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether no part of the roll is used yet."""
        return len(self.nodes[0].parts) == len(walk.parts_of(self.roll))


class ParcheesiPrint(Edition[State]):
    """Print-and-cut Parcheesi: a roll of one die or two (PRN-1)."""

    name = "parcheesi-print"
    title = "Parcheesi print-and-cut"
    nouns = Nouns(piece="piece", base="nest", home="home", lane="strip", space="space")
    sentences = SENTENCES
    dice, wanted, every_roll = DICE, "one die or two. Throw one or both", ROLLS
    walk = walk

    def opening(self, first: Seat) -> State:
        """All pieces in the nest, `first` to roll."""
        self._check_seat(first)
        return State(first, self._start())

    def hear(self, state: State, roll: Roll) -> State:
        """The state in which `roll` is to be played. Raises NotDue, OptionError."""
        self._heard(state, roll)
        node = walk.beginning(*seen(state.pieces, state.due), roll.dice)
        return State(state.due, state.pieces, roll.dice, (node,))

    def may_stop(self, state: State) -> bool:
        """Whether no more of the dice can be used (COM-4, PRN-5); a bonus may be declined (PRN-7)."""
        return any(walk.may_end(node) for node in state.nodes)

    def objections(self, state: State, step: Step) -> tuple[Objection, ...]:
        """Every rule that the step breaks now, the most telling first. Facts: see `parcheesi_print_objections`."""
        return () if self._moves(state, step) else objections(state, step)

    def unfinished(self, state: State) -> tuple[Objection, ...]:
        """Every rule that leaving the play here breaks; empty where that is allowed, or no play is due."""
        return () if not state.roll or self.may_stop(state) else unfinished(state)

    def to_json(self, state: State) -> dict[str, Any]:
        """STATE as FORMATS gives it. Raises NotDue in the middle of a play."""
        return self._written(state, state.roll)

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The state that STATE describes. Raises StateError naming what cannot be."""
        pieces = check_pieces(data, self.seats, self._each, range(BASE, HOME + 1))
        due = whole(data, "due", self.seats)
        return self._checked(State(due, self._read(pieces)))

    def with_position(self, position: Position, due: Seat, like: State | None = None) -> State:
        """The state that shows `position`, with `due` to roll. Raises StateError."""
        self._check_seat(due)
        return self._checked(State(due, self._shown(position, HOME)))

    def left(self, state: State) -> tuple[int, ...]:
        """Parts that are not used yet and must be, and the bonus that may be taken now."""
        if not state.nodes:
            return ()
        node = state.nodes[0]
        return (*(node.parts if node.goal else ()), *self.declinable(state))

    def declinable(self, state: State) -> tuple[int, ...]:
        """PRN-7: the bonus, where it may be taken now."""
        return (walk.BONUS,) if any(map(walk.gives_bonus, state.nodes)) else ()

    def capture_rule(self, step: Step) -> str:
        """PRN-8 for a piece that leaves its nest, else PRN-7."""
        return "PRN-8" if step.origin == NAMES[step.seat][BASE] else "PRN-7"

    def _going_on(self, state: State, pieces: Pieces, nodes: tuple[walk.Node, ...]) -> State:
        return state._replace(pieces=pieces, nodes=nodes)

    def _finish(self, state: State, pieces: Pieces) -> State:
        won = pieces[state.due][0] == HOME
        return State(state.due if won else self._next[state.due], pieces)
