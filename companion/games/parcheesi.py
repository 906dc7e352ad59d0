"""Parcheesi, boxed edition: the rules COM-1 to COM-7 and PAR-1 to PAR-20 as a state machine.

A state knows whose turn it is, the doublets in a row, and the progress of every pawn. While a roll is played
it also holds `nodes`: the moments of the play that look as the board does. There are several only where two
pawns of one colour met on a space and it cannot be seen which of them went on; PAR-11 asks, and one way of
following them that is legal suffices.

The walking is in `parcheesi_walk`, the reasons why a step is not legal in `parcheesi_objections`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from companion.games import parcheesi_walk as walk
from companion.games.parcheesi_board import BASE, CLOCKWISE, HOME, NAMES, PROGRESS, SEATS, SPACES
from companion.games.parcheesi_objections import objections, third, unfinished
from companion.games.parcheesi_rules import SENTENCES
from companion.games.parcheesi_table import Ends, after, seen, step_of
from companion.games.race_game import RaceGame
from companion.games.race_pieces import Pieces, moved
from companion.games.state_json import check_options, check_pieces, check_seats, whole
from companion.model import (
    Due,
    DueKind,
    IllegalStep,
    NotDue,
    Objection,
    OptionError,
    Outcome,
    Position,
    Roll,
    Seat,
    StateError,
    Step,
)

ROLLS = tuple(Roll(dice) for dice in combinations_with_replacement(range(1, 7), 2))
WON = (HOME,) * 4


class State(NamedTuple):
    """A game at one moment. `doublets`: in a row by `due`, before `roll`. `roll` is () until it is thrown; `four`:
    whether it gives four parts (PAR-15)."""

    due: Seat
    doublets: int
    pieces: Pieces
    roll: tuple[int, ...] = ()
    nodes: tuple[walk.Node, ...] = ()
    four: bool = False


class Parcheesi(RaceGame[State]):
    """Parcheesi with any two to four of the seats 0 South, 1 East, 2 North, 3 West. It has no options."""

    name = "parcheesi"
    title = "Parcheesi"
    opening_dice = 2
    sentences = SENTENCES
    _names, _progress = NAMES, PROGRESS

    def __init__(self, seats: Sequence[Seat] = SEATS, options: Mapping[str, Any] | None = None) -> None:
        self.seats = check_seats(seats, SEATS, 2)
        self.options = check_options({} if options is None else options, (), self.name)
        self._play_due = {seat: Due(DueKind.PLAY, seat) for seat in self.seats}
        self._roll_due = {seat: Due(DueKind.ROLL, seat, (2,)) for seat in self.seats}
        self._sit([seat for seat in CLOCKWISE if seat in self.seats])

    def opening(self, first: Seat) -> State:
        """All pawns in base, `first` to roll."""
        self._check_seat(first)
        return State(first, 0, tuple((BASE,) * 4 if seat in self.seats else () for seat in SEATS))

    def due(self, state: State) -> Due:
        """A roll of two dice, a play, or nothing more."""
        if state.roll:
            return self._play_due[state.due]
        if WON in state.pieces:
            return Due(DueKind.OVER, self.winners(state)[0])
        return self._roll_due[state.due]

    def hear(self, state: State, roll: Roll) -> State:
        """The state in which `roll` is to be played. Raises NotDue, OptionError."""
        kind = self.due(state).kind
        if kind is not DueKind.ROLL:
            raise NotDue(f"roll {roll.dice}: nobody is to roll now, the game waits for: {kind}")
        if len(roll.dice) != 2:
            raise OptionError(f"roll {roll.dice}: Parcheesi is played with two dice. Throw exactly two")
        hand, single, double = seen(state.pieces, state.due)
        if walk.is_penalty(state.doublets, roll.dice):
            node = walk.Node(hand, single, double, (), 0)
        else:
            node = walk.beginning(hand, single, double, roll.dice)
        return State(state.due, state.doublets, state.pieces, roll.dice, (node,), len(node.parts) == 4)

    def legal_steps(self, state: State) -> tuple[Step, ...]:
        """The next steps, each of which can be completed (PAR-5, PAR-15); the penalty of PAR-16."""
        if not state.roll:
            return ()
        if walk.is_penalty(state.doublets, state.roll):
            return self._penalty(state)
        found = {(m.way.origin, m.way.target): m for node in state.nodes for m in walk.moves(node)}
        return tuple([step_of(state.pieces, state.due, m.way, m.captures) for m in found.values()])

    def take(self, state: State, step: Step) -> State:
        """The state after a legal step; the next roll is due as soon as nothing more can be moved."""
        if state.roll and walk.is_penalty(state.doublets, state.roll):
            return self._take_penalty(state, step)
        found = self._moves(state, step)
        if not found:
            raise _illegal(step)
        pieces = after(state.pieces, state.due, found[0].way, found[0].captures)
        nodes = {move.node for move in found}
        if any([walk.moves(node) for node in nodes]):
            return state._replace(pieces=pieces, nodes=tuple(sorted(nodes)))
        return self._finish(state, pieces)

    def may_stop(self, state: State) -> bool:
        """Whether nothing (more) can be moved, in one way at least of following the pawns (COM-4, PAR-11)."""
        if not state.roll or self.winners(state):
            return False
        if walk.is_penalty(state.doublets, state.roll):
            return not self._penalty(state)
        return any(not walk.moves(node) for node in state.nodes)

    def stop(self, state: State) -> State:
        """The next roll is due; what is left of this play lapses. Raises IllegalStep."""
        if not self.may_stop(state):
            raise IllegalStep(f"seat {state.due} cannot stop here: what can be moved must be (COM-4)")
        return self._finish(state, state.pieces)

    def forbidden(self, state: State) -> tuple[Objection, ...]:
        """The third doublets in a row, where no pawn is to go back for them (PAR-16)."""
        nothing = walk.is_penalty(state.doublets, state.roll) and not self.legal_steps(state)
        return (third(state),) if nothing else ()

    def objections(self, state: State, step: Step) -> tuple[Objection, ...]:
        """Every rule that the step breaks now, the most telling first. Facts: see `parcheesi_objections`."""
        if state.roll and walk.is_penalty(state.doublets, state.roll):
            return () if _same(step, self._penalty(state)) else objections(state, step)
        return () if self._moves(state, step) else objections(state, step)

    def unfinished(self, state: State) -> tuple[Objection, ...]:
        """Every rule that leaving the play here breaks; empty where that is allowed, or no play is due."""
        return () if not state.roll or self.may_stop(state) else unfinished(state)

    def outcomes(self, state: State) -> tuple[Outcome, ...]:
        """Every different end of this play (COM-5), each with one way to get there."""
        if not state.roll:
            raise NotDue(f"nothing is to be played: the game waits for: {self.due(state).kind}")
        if walk.is_penalty(state.doublets, state.roll):
            steps = self._penalty(state)
            return (Outcome(self.take(state, steps[0]) if steps else self.stop(state), steps),)
        found = Ends(state.pieces, state.due, state.nodes[0].single).of(walk.ends(node) for node in state.nodes)
        return tuple([Outcome(self._finish(state, pieces), steps) for pieces, steps in found.items()])

    def winners(self, state: State) -> tuple[Seat, ...]:
        """The seat with four pawns at HOME (PAR-20)."""
        return tuple(seat for seat in self.seats if state.pieces[seat] == WON) if WON in state.pieces else ()

    def to_json(self, state: State) -> dict[str, Any]:
        """STATE as FORMATS gives it. Raises NotDue in the middle of a play."""
        return self._written(state, state.roll) | {"doublets": state.doublets}

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The state that STATE describes. Raises StateError naming what cannot be."""
        pieces = check_pieces(data, self.seats, 4, range(BASE, HOME + 1))
        due = whole(data, "due", self.seats)
        doublets = whole(data, "doublets", range(3))
        return self._checked(State(due, doublets, self._read(pieces)))

    def with_position(self, position: Position, due: Seat, like: State | None = None) -> State:
        """The state that shows `position`; where `due` was due in `like`, the doublets count on. Raises StateError."""
        self._check_seat(due)
        again = like is not None and like.due == due
        doublets = min(like.doublets + bool(like.roll), 2) if like is not None and again else 0
        return self._checked(State(due, doublets, self._shown(position, HOME)))

    def rolls(self, state: State) -> tuple[Roll, ...]:
        """The 21 rolls of two dice. Raises NotDue."""
        kind = self.due(state).kind
        if kind is not DueKind.ROLL:
            raise NotDue(f"nobody is to roll now, the game waits for: {kind}")
        return ROLLS

    def left(self, state: State) -> tuple[int, ...]:
        """Parts that are not used yet, or the bonuses when the dice are done."""
        if not state.nodes:
            return ()
        node = state.nodes[0]
        return node.parts if node.goal else node.bonuses

    def capture_rule(self, step: Step) -> str:
        """PAR-9 for a pawn that enters, else PAR-7."""
        return "PAR-9" if step.origin == NAMES[step.seat][BASE] else "PAR-7"

    def spaces(self) -> tuple[str, ...]:
        """Track, lanes, homes and bases of all four seats, whoever plays."""
        return SPACES

    def _checked(self, state: State) -> State:
        for name, content in self.position(state).items_:
            if name.startswith(("base", "home")):
                continue
            if len(set(content)) > 1:
                raise StateError(f"{name}: pawns of seats {sorted(set(content))} never share a space")
            if len(content) > 2:
                raise StateError(f"{name}: {len(content)} pawns of seat {content[0]}: at most 2 may be there")
        if len(self.winners(state)) > 1:
            raise StateError(f"seats {list(self.winners(state))} have all pawns at HOME: only one can win")
        return state

    def _penalty(self, state: State) -> tuple[Step, ...]:
        seat = state.due
        nearest = max((p for p in state.pieces[seat] if p < HOME), default=BASE)
        if nearest == BASE:
            return ()
        return (Step(seat, NAMES[seat][nearest], NAMES[seat][BASE], "penalty"),)

    def _take_penalty(self, state: State, step: Step) -> State:
        if not _same(step, self._penalty(state)):
            raise _illegal(step)
        return self._finish(state, moved(state.pieces, step.seat, PROGRESS[step.seat][step.origin], BASE))

    def _moves(self, state: State, step: Step) -> list[walk.Move]:
        """The moves that are this step, one for each way of following the pawns that allows it."""
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
        """The state after the play: a further roll after doublets (PAR-13), unless the third (PAR-16)."""
        if pieces[state.due][0] == HOME:
            return State(state.due, 0, pieces)
        if state.roll[0] == state.roll[1] and not walk.is_penalty(state.doublets, state.roll):
            return State(state.due, state.doublets + 1, pieces)
        return State(self._next[state.due], 0, pieces)


def _same(step: Step, penalty: tuple[Step, ...]) -> bool:
    """Whether `step` is the one that the penalty asks for."""
    return any((step.seat, step.origin, step.target) == (p.seat, p.origin, p.target) for p in penalty)


def _illegal(step: Step) -> IllegalStep:
    return IllegalStep(f"seat {step.seat} {step.origin} > {step.target} is not legal now: objections() says why")
