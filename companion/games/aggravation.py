"""Aggravation, the marble race: the rules COM-1 to COM-7 and AGG-1 to AGG-23 as a state machine.

A roll moves one marble once, so a play is a single step or none. A state knows whose turn it is, the progress of
every marble, the roll that is being played, and which teammate was declared to play it (AGG-22).

A player whose marbles are all HOME still rolls, and another's marbles move (AGG-20): `due` names the roller,
`mover` whose marbles are moved. The walking is in `aggravation_walk`, who belongs together in
`aggravation_sides`, the reasons why a step is not legal in `aggravation_objections`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.games import aggravation_sides
from companion.games.aggravation_board import BASE, CENTER, Board, board
from companion.games.aggravation_objections import objections, unfinished
from companion.games.aggravation_rules import SENTENCES
from companion.games.aggravation_walk import BITS, FACES, moves
from companion.games.one_die import Move, after, open_move, open_moves, step_of
from companion.games.race_game import RaceGame
from companion.games.race_pieces import Pieces
from companion.games.state_json import check_pieces, is_whole, shown, whole
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

ROLLS = tuple(Roll((face,)) for face in FACES)
MARBLES = 4
EXTRA_TURN = 6


class State(NamedTuple):
    """A game at one moment. roll: 0 until it is thrown. plays: the teammate declared (AGG-22), else None."""

    due: Seat
    pieces: Pieces
    roll: int = 0
    plays: Seat | None = None


class Aggravation(RaceGame[State]):
    """Aggravation on four or six arms (`arms`), each for oneself, as partners or in teams (`play`)."""

    name = "aggravation"
    title = "Aggravation"
    nouns = Nouns(piece="marble", base="base", home="HOME", lane="HOME", space="hole")
    sentences = SENTENCES
    passing = "AGG-15"

    def __init__(self, seats: Sequence[Seat] = (0, 1, 2, 3), options: Mapping[str, Any] | None = None) -> None:
        given = {} if options is None else options
        self.seats, self.options, self.arms, self.sides = aggravation_sides.check(seats, given)
        self.board: Board = board(self.arms)
        self._names, self._progress = self.board.names, self.board.progress
        self._moves = moves(self.arms)
        self._roll_due = {seat: Due(DueKind.ROLL, seat, (1,)) for seat in self.seats}
        self._play_due = {seat: Due(DueKind.PLAY, seat) for seat in self.seats}
        self._sit(sorted(self.seats))
        self._mates = {seat: tuple(s for s in side if s != seat) for side in self.sides for seat in side}

    @property
    def all_options(self) -> Mapping[str, Any]:
        """The options, the usual ones spelt out."""
        return {"arms": self.arms, "play": self.options.get("play", aggravation_sides.SINGLE)}

    def opening(self, first: Seat) -> State:
        """All marbles in BASE, `first` to roll."""
        self._check_seat(first)
        return State(first, tuple((BASE,) * MARBLES if seat in self.seats else () for seat in range(self.arms)))

    def due(self, state: State) -> Due:
        """A declaration (AGG-22), a roll of one die, a play, or nothing more; from the roller."""
        if state.roll:
            return self._play_due[state.due]
        if self.board.home in state.pieces:
            won = self.winners(state)
            if won:
                return Due(DueKind.OVER, won[0])
            if self.partners(state):
                return Due(DueKind.DECLARATION, state.due)
        return self._roll_due[state.due]

    def mover(self, state: State) -> Seat:
        """Whose marbles the roll moves (AGG-20, AGG-22); the roller while a declaration is due."""
        if state.pieces[state.due] != self.board.home:
            return state.due
        out = self._mates_out(state)
        return out[0] if len(out) == 1 else state.due if state.plays is None else state.plays

    def partners(self, state: State) -> tuple[Seat, ...]:
        """The two teammates still out, where the roller must declare which of them plays (AGG-22); else ()."""
        if state.roll or state.plays is not None or not self._is_home(state, state.due):
            return ()
        out = self._mates_out(state)
        return out if len(out) > 1 and not self.winners(state) else ()

    def declare(self, state: State, plays: Seat) -> State:
        """The state in which the roll is due that `plays` will play (AGG-22). Raises NotDue, OptionError."""
        out = self.partners(state)
        if not out:
            raise NotDue(f"declaration of {shown(plays)}: none is due", self._waits(state))
        if not is_whole(plays) or plays not in out:
            who = f"seat {plays}" if is_whole(plays) else shown(plays)
            raise OptionError(f"declaration of {who}: seat {state.due} chooses one of seats {list(out)}, still out")
        return state._replace(plays=plays)

    def hear(self, state: State, roll: Roll) -> State:
        """The state in which `roll` is to be played. Raises NotDue, OptionError."""
        if state.roll or self.board.home in state.pieces:
            self._check_roll_due(state, f"roll {roll.dice}: ")
        if len(roll.dice) != 1:
            raise OptionError(f"roll {roll.dice}: Aggravation is played with one die. Throw exactly one")
        return State(state.due, state.pieces, roll.dice[0], state.plays)

    def rolls(self, state: State) -> tuple[Roll, ...]:
        """The six rolls of one die. Raises NotDue."""
        self._check_roll_due(state, "")
        return ROLLS

    def legal_steps(self, state: State) -> tuple[Step, ...]:
        """The steps of one marble that the roll allows; each is a complete play."""
        pieces = state.pieces
        return tuple([step_of(pieces, move) for move in self._legal(state)])

    def take(self, state: State, step: Step) -> State:
        """The state after a legal step, in which the next roll or declaration is due. Raises IllegalStep."""
        move = self._found(state, step)
        if move is None:
            raise IllegalStep(f"seat {step.seat} {step.origin} > {step.target} is not legal now: objections() says why")
        return self._finish(state, after(state.pieces, move, BASE))

    def may_stop(self, state: State) -> bool:
        """Whether nothing can be moved (COM-4), or nothing but shortcuts, which may be left (AGG-15)."""
        return bool(state.roll) and all(move.shortcut for move in self._legal(state))

    def stop(self, state: State) -> State:
        """The next roll is due, nothing moved; a 6 still gives the extra turn (AGG-7). Raises IllegalStep."""
        if not self.may_stop(state):
            raise IllegalStep(f"seat {state.due} cannot pass here: there is a move that is no shortcut (COM-4, AGG-15)")
        return self._finish(state, state.pieces)

    def objections(self, state: State, step: Step) -> tuple[Objection, ...]:
        """Every rule that the step breaks now, the most telling first. Facts: see `aggravation_objections`."""
        return objections(self, state, step) if self._found(state, step) is None else ()

    def unfinished(self, state: State) -> tuple[Objection, ...]:
        """COM-4 where something other than a shortcut can be moved; empty where leaving is allowed (AGG-15)."""
        return () if not state.roll or self.may_stop(state) else unfinished(self, state)

    def outcomes(self, state: State) -> tuple[Outcome, ...]:
        """Every different end of this play (COM-5), the pass too where it is allowed (AGG-15)."""
        if not state.roll:
            raise NotDue("nothing is to be played", self._waits(state))
        legal, pieces = self._legal(state), state.pieces
        ends = [Outcome(self._finish(state, after(pieces, move, BASE)), (step_of(pieces, move),)) for move in legal]
        if all(move.shortcut for move in legal):
            ends.append(Outcome(self._finish(state, pieces), ()))
        return tuple(ends)

    def winners(self, state: State) -> tuple[Seat, ...]:
        """The seats of the side whose marbles are all HOME (AGG-17, AGG-19, AGG-23)."""
        home, pieces = self.board.home, state.pieces
        if home not in pieces:
            return ()
        for side in self.sides:
            if all(pieces[seat] == home for seat in side):
                return side
        return ()

    def to_json(self, state: State) -> dict[str, Any]:
        """STATE as FORMATS gives it; `player` only between a declaration and its roll. Raises NotDue in a play."""
        return self._written(state, state.roll) | ({} if state.plays is None else {"player": state.plays})

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The state that STATE describes; `player` is taken as the declaration. Raises StateError."""
        _check_progress(data, self.board)
        pieces = check_pieces(data, self.seats, MARBLES, tuple(self.board.names[0]))
        due = whole(data, "due", self.seats)
        state = self._checked(State(due, self._read(pieces)))
        return self._played_by(state, data["player"]) if data.get("player") is not None else state

    def with_position(self, position: Position, due: Seat, like: State | None = None) -> State:
        """The state that shows `position`; a declaration before a roll of `due` in `like` stands if it still fits."""
        self._check_seat(due)
        state = self._checked(State(due, self._shown(position, CENTER)))
        kept = like is not None and like.due == due and not like.roll and like.plays in self.partners(state)
        return state._replace(plays=like.plays) if like and kept else state

    def left(self, state: State) -> tuple[int, ...]:
        """The roll, while it is played."""
        return (state.roll,) if state.roll else ()

    def goals(self, seat: Seat) -> tuple[str, ...]:
        """The four HOME holes (AGG-9)."""
        return tuple(f"lane{seat}.{n}" for n in range(1, 5))

    def capture_rule(self, step: Step) -> str:
        """AGG-3 for a marble that starts, AGG-18 for a partner's or teammate's marble, else AGG-6."""
        if step.origin == self.board.names[step.seat][BASE]:
            return "AGG-3"
        mates = self._mates[step.seat]
        return "AGG-18" if any(seat in mates for seat, _ in step.captures) else "AGG-6"

    def spaces(self) -> tuple[str, ...]:
        """Track, HOME holes and bases of all sections, whoever plays, and the centre."""
        return self.board.spaces

    def _legal(self, state: State) -> list[Move]:
        """The moves that no marble of the mover's own closes, equal marbles once (COM-5); none while no play is due."""
        mover = self.mover(state)
        return open_moves(state.pieces[mover], self._moves[mover][state.roll], BITS)

    def _found(self, state: State, step: Step) -> Move | None:
        """The legal move that `step` describes; None where there is none."""
        mover = self.mover(state)
        if step.seat != mover:
            return None
        way = self.board.progress[mover].get(step.origin), step.target
        return open_move(state.pieces[mover], self._moves[mover][state.roll], BITS, way)

    def _finish(self, state: State, pieces: Pieces) -> State:
        """The state after the play: the roller's extra turn after a 6 (AGG-7), or the next seat's; COM-6."""
        if state.roll == EXTRA_TURN or (self.board.home in pieces and self.winners(State(state.due, pieces))):
            return State(state.due, pieces)
        return State(self._next[state.due], pieces)

    def _is_home(self, state: State, seat: Seat) -> bool:
        return state.pieces[seat] == self.board.home

    def _mates_out(self, state: State) -> tuple[Seat, ...]:
        """Those on the roller's side whose marbles are not all HOME."""
        return tuple(seat for seat in self._mates[state.due] if not self._is_home(state, seat))

    def _waits(self, state: State) -> str:
        return str(self.due(state).kind)

    def _check_roll_due(self, state: State, what: str) -> None:
        kind = self.due(state).kind
        if kind is DueKind.DECLARATION:
            out = list(self.partners(state))
            raise NotDue(
                f"{what}seat {state.due} is all HOME and must declare before rolling which of {out} plays the roll "
                f'(AGG-22): declare it, or give "player" in the state'
            )
        if kind is not DueKind.ROLL:
            raise NotDue(f"{what}nobody is to roll now", kind)

    def _checked(self, state: State) -> State:
        for name, content in self.position(state).items_:
            if len(content) > 1 and not name.startswith("base"):
                raise StateError(f"{name}: marbles of seats {list(content)} stand there: a hole holds one")
        won = [side for side in self.sides if all(self._is_home(state, seat) for seat in side)]
        if len(won) > 1:
            seats = [seat for side in won for seat in side]
            raise StateError(f"seats {seats} have all marbles HOME: only one side can win")
        return state

    def _played_by(self, state: State, player: object) -> State:
        """The state whose roll `player` plays. Raises StateError where that cannot be."""
        choice = self.partners(state)
        fit = choice or (self.seats if self.winners(state) else (self.mover(state),))
        if not is_whole(player) or player not in fit:
            raise StateError(f"player {shown(player)}: the roll of seat {state.due} is played by {_one_of(fit)}")
        return self.declare(state, player) if choice else state


def _one_of(seats: Sequence[Seat]) -> str:
    return f"seat {seats[0]}" if len(seats) == 1 else f"one of {list(seats)}"


def _check_progress(data: Mapping[str, Any], on: Board) -> None:
    """Say in few words what a progress can be, before the pieces are counted."""
    pieces = data.get("pieces")
    rows = pieces.values() if isinstance(pieces, Mapping) else ()
    for progress in (p for row in rows if isinstance(row, (list, tuple)) for p in row):
        if not is_whole(progress) or progress not in on.names[0]:
            known = f"-1 (BASE), 0 to {on.home[-1]}, or {CENTER} (the centre)"
            raise StateError(f"progress {shown(progress)}: with {on.arms} arms expected {known}")
