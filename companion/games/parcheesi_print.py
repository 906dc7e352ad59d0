"""Parcheesi, print-and-cut edition: the rules COM-1 to COM-7 and PRN-1 to PRN-11 as a state machine.

A state knows whose turn it is and the progress of every piece. While a roll is played it also holds `nodes`: the
moments of the play that look as the board does, several only where it cannot be seen which of two pieces that met
went on; PRN-10 asks, and one way of following them that is legal suffices.

The walking is in `parcheesi_print_walk`, the reasons why a step is not legal in `parcheesi_print_objections`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from companion.games import parcheesi_print_walk as walk
from companion.games.parcheesi_board import BASE, CLOCKWISE, HOME, NAMES, PROGRESS, SEATS, SPACES
from companion.games.parcheesi_print_objections import objections, unfinished
from companion.games.parcheesi_print_rules import SENTENCES
from companion.games.parcheesi_table import Ends, after, seen, step_of
from companion.games.race_game import RaceGame
from companion.games.race_pieces import Pieces
from companion.games.state_json import check_options, check_pieces, check_seats, whole
from companion.model import (
    Due,
    DueKind,
    IllegalStep,
    NotDue,
    Nouns,
    Objection,
    OptionError,
    Outcome,
    Position,
    Roll,
    Seat,
    StateError,
    Step,
)

DICE = (1, 2)
"""The numbers of dice that may be thrown (PRN-1)."""

ROLLS = tuple(Roll(dice) for count in DICE for dice in combinations_with_replacement(range(1, 7), count))
PIECES = 4
WON = (HOME,) * 4


class State(NamedTuple):
    """A game at one moment. `roll` is () until it is thrown."""

    due: Seat
    pieces: Pieces
    roll: tuple[int, ...] = ()
    nodes: tuple[walk.Node, ...] = ()


class ParcheesiPrint(RaceGame[State]):
    """Print-and-cut Parcheesi with any two to four of the seats 0 South, 1 East, 2 North, 3 West. It has no options."""

    name = "parcheesi-print"
    title = "Parcheesi print-and-cut"
    nouns = Nouns(piece="piece", base="nest", home="home", lane="strip", space="space")
    sentences = SENTENCES
    _names, _progress = NAMES, PROGRESS

    def __init__(self, seats: Sequence[Seat] = SEATS, options: Mapping[str, Any] | None = None) -> None:
        self.seats = check_seats(seats, SEATS, 2)
        self.options = check_options({} if options is None else options, (), self.name)
        self._play_due = {seat: Due(DueKind.PLAY, seat) for seat in self.seats}
        self._roll_due = {seat: Due(DueKind.ROLL, seat, DICE) for seat in self.seats}
        self._sit([seat for seat in CLOCKWISE if seat in self.seats])

    def opening(self, first: Seat) -> State:
        """All pieces in the nest, `first` to roll."""
        self._check_seat(first)
        return State(first, tuple((BASE,) * PIECES if seat in self.seats else () for seat in SEATS))

    def due(self, state: State) -> Due:
        """A roll of one die or two (PRN-1), a play, or nothing more."""
        if state.roll:
            return self._play_due[state.due]
        if WON in state.pieces:
            return Due(DueKind.OVER, self.winners(state)[0])
        return self._roll_due[state.due]

    def hear(self, state: State, roll: Roll) -> State:
        """The state in which `roll` is to be played. Raises NotDue, OptionError."""
        self._expect_roll(state, f"roll {roll.dice}")
        if len(roll.dice) not in DICE:
            raise OptionError(f"roll {roll.dice}: {self.title} is played with one die or two. Throw one or both")
        node = walk.beginning(*seen(state.pieces, state.due), roll.dice)
        return State(state.due, state.pieces, roll.dice, (node,))

    def legal_steps(self, state: State) -> tuple[Step, ...]:
        """The next steps, each of which can be completed (PRN-5); among them a bonus that may be declined (PRN-7)."""
        found = {(m.way.origin, m.way.target): m for node in state.nodes for m in walk.moves(node)}
        return tuple([step_of(state.pieces, state.due, m.way, m.captures) for m in found.values()])

    def take(self, state: State, step: Step) -> State:
        """The state after a legal step; the next roll is due as soon as nothing more can be moved."""
        found = self._moves(state, step)
        if not found:
            text = f"seat {step.seat} {step.origin} > {step.target} is not legal now: objections() says why"
            raise IllegalStep(text)
        pieces = after(state.pieces, state.due, found[0].way, found[0].captures)
        nodes = {move.node for move in found}
        if any([walk.moves(node) for node in nodes]):
            return State(state.due, pieces, state.roll, tuple(sorted(nodes)))
        return self._finish(state, pieces)

    def may_stop(self, state: State) -> bool:
        """Whether no more of the dice can be used (COM-4, PRN-5); a bonus may be declined (PRN-7)."""
        return any(walk.may_end(node) for node in state.nodes)

    def stop(self, state: State) -> State:
        """The next roll is due; what is left of this play lapses. Raises IllegalStep."""
        if not self.may_stop(state):
            raise IllegalStep(f"seat {state.due} cannot stop here: what can be moved must be (COM-4)")
        return self._finish(state, state.pieces)

    def objections(self, state: State, step: Step) -> tuple[Objection, ...]:
        """Every rule that the step breaks now, the most telling first. Facts: see `parcheesi_print_objections`."""
        return () if self._moves(state, step) else objections(state, step)

    def unfinished(self, state: State) -> tuple[Objection, ...]:
        """Every rule that leaving the play here breaks; empty where that is allowed, or no play is due."""
        return () if not state.roll or self.may_stop(state) else unfinished(state)

    def outcomes(self, state: State) -> tuple[Outcome, ...]:
        """Every different end of this play (COM-5), each with one way to get there."""
        if not state.roll:
            raise NotDue(f"nothing is to be played: the game waits for: {self.due(state).kind}")
        found = Ends(state.pieces, state.due, state.nodes[0].single).of(walk.ends(node) for node in state.nodes)
        return tuple([Outcome(self._finish(state, pieces), steps) for pieces, steps in found.items()])

    def winners(self, state: State) -> tuple[Seat, ...]:
        """The seat with four pieces home (PRN-11)."""
        return tuple(seat for seat in self.seats if state.pieces[seat] == WON) if WON in state.pieces else ()

    def to_json(self, state: State) -> dict[str, Any]:
        """STATE as FORMATS gives it. Raises NotDue in the middle of a play."""
        return self._written(state, state.roll)

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The state that STATE describes. Raises StateError naming what cannot be."""
        pieces = check_pieces(data, self.seats, PIECES, range(BASE, HOME + 1))
        due = whole(data, "due", self.seats)
        return self._checked(State(due, self._read(pieces)))

    def with_position(self, position: Position, due: Seat, like: State | None = None) -> State:
        """The state that shows `position`, with `due` to roll. Raises StateError."""
        self._check_seat(due)
        return self._checked(State(due, self._shown(position, HOME)))

    def rolls(self, state: State) -> tuple[Roll, ...]:
        """The 6 rolls of one die and the 21 of two. Raises NotDue."""
        self._expect_roll(state, "rolls")
        return ROLLS

    def left(self, state: State) -> tuple[int, ...]:
        """Parts that are not used yet and must be, and the bonus that may be taken now."""
        if not state.nodes:
            return ()
        node = state.nodes[0]
        bonus = any(move.way.by == f"bonus {walk.BONUS}" for node in state.nodes for move in walk.moves(node))
        return (*(node.parts if node.goal else ()), *((walk.BONUS,) if bonus else ()))

    def capture_rule(self, step: Step) -> str:
        """PRN-8 for a piece that leaves its nest, else PRN-7."""
        return "PRN-8" if step.origin == NAMES[step.seat][BASE] else "PRN-7"

    def spaces(self) -> tuple[str, ...]:
        """Track, strips, homes and nests of all four seats, whoever plays."""
        return SPACES

    def _expect_roll(self, state: State, what: str) -> None:
        kind = self.due(state).kind
        if kind is not DueKind.ROLL:
            raise NotDue(f"{what}: nobody is to roll now, the game waits for: {kind}")

    def _checked(self, state: State) -> State:
        for name, content in self.position(state).items_:
            if name.startswith(("base", "home")):
                continue
            if len(set(content)) > 1:
                raise StateError(f"{name}: pieces of seats {sorted(set(content))} never share a space")
            if len(content) > 2:
                raise StateError(f"{name}: {len(content)} pieces of seat {content[0]}: at most 2 may be there")
        if len(self.winners(state)) > 1:
            raise StateError(f"seats {list(self.winners(state))} have all pieces home: only one can win")
        return state

    def _moves(self, state: State, step: Step) -> list[walk.Move]:
        """The moves that are this step, one for each way of following the pieces that allows it."""
        if step.seat != state.due:
            return []
        known = PROGRESS[step.seat]
        origin, target = known.get(step.origin), known.get(step.target)
        return [
            move
            for node in state.nodes
            for move in walk.moves(node)
            if move.way.origin == origin and move.way.target == target
        ]

    def _finish(self, state: State, pieces: Pieces) -> State:
        won = pieces[state.due][0] == HOME
        return State(state.due if won else self._next[state.due], pieces)
