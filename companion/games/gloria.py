"""Gloria: the rules COM-1 to COM-7 and GLO-1 to GLO-12 as a state machine.

A turn is a question, then a roll that moves one pawn once. With more dice to open with (GLO-10) a player's first 6
brings in a pawn, which then moves the other dice one by one; since no pawn can be out of base before that 6, the
pawn that moves them is the only one that is out, and nothing is ever in its way.

The walking is in `gloria_walk`, the reasons why a step is not legal in `gloria_objections`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, permutations
from typing import Any, NamedTuple

from companion.games.gloria_board import BASE, CENTER, LAST, NAMES, PROGRESS, ROUND, SEATS, SPACES, START
from companion.games.gloria_objections import objections, unfinished
from companion.games.gloria_rules import SENTENCES
from companion.games.gloria_walk import BITS, SIX, moves
from companion.games.one_die import Move, after, open_move, open_moves, step_of
from companion.games.race_game import RaceGame
from companion.games.race_pieces import Pieces
from companion.games.state_json import check_options, check_pieces, check_seats, is_whole, shown, whole
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

OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "home": ("spaces", "center"),
    "opening_dice": (1, 2, 3),
    "six_again": (False, True),
}
"""option → its values, the usual one first."""

ROLLS = {
    count: tuple(Roll(dice) for dice in combinations_with_replacement(range(1, 7), count)) for count in (1, 2, 3)
}
PAWNS = 4
CAPTURED = 20
"""That a pawn was captured meanwhile, in spaces that one went."""


class State(NamedTuple):
    """A game at one moment.

    opened: the seats that have thrown their first 6, ascending; () where one die opens. answered: the roll is due,
    or being played, no more the question. roll: () until it is thrown. parts: what of it is not used yet.
    """

    due: Seat
    pieces: Pieces
    opened: tuple[Seat, ...] = ()
    answered: bool = False
    roll: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()


class Gloria(RaceGame[State]):
    """Gloria with any two to four of the seats 0 South, 1 West, 2 North, 3 East; options as in OPTIONS.

    home: whether pawns rest on their four home spaces or all go to the centre (GLO-9). opening_dice: how many dice
    are thrown until a player's first 6 (GLO-10). six_again: whether a 6 gives another roll (GLO-11).
    """

    name = "gloria"
    title = "Gloria"
    nouns = Nouns(piece="pawn", base="base", home="home", lane="lane", space="space")
    sentences = SENTENCES
    _names, _progress = NAMES, PROGRESS

    def __init__(self, seats: Sequence[Seat] = SEATS, options: Mapping[str, Any] | None = None) -> None:
        self.seats = check_seats(seats, SEATS, 2)
        self.options = check_options({} if options is None else options, OPTIONS, self.name)
        self.end = CENTER if self._option("home") == "center" else LAST
        self.first_dice = int(self._option("opening_dice"))
        self.six_again = bool(self._option("six_again"))
        self._home = (CENTER,) * PAWNS if self.end == CENTER else tuple(range(ROUND + 1, LAST + 1))
        self._moves = moves(self.end)
        self._play_due = {seat: Due(DueKind.PLAY, seat) for seat in self.seats}
        self._question_due = {seat: Due(DueKind.QUESTION, seat) for seat in self.seats}
        self._roll_due = {count: {seat: Due(DueKind.ROLL, seat, (count,)) for seat in self.seats} for count in ROLLS}
        self._sit(sorted(self.seats))

    def opening(self, first: Seat) -> State:
        """All pawns in base, the first question for `first`."""
        self._check_seat(first)
        return State(first, tuple((BASE,) * PAWNS if seat in self.seats else () for seat in SEATS))

    def due(self, state: State) -> Due:
        """An answer (GLO-1), a roll of as many dice as GLO-10 says, a play, or nothing more."""
        if state.roll:
            return self._play_due[state.due]
        if self._home in state.pieces:
            return Due(DueKind.OVER, self.winners(state)[0])
        return self._roll_due[self._dice(state)][state.due] if state.answered else self._question_due[state.due]

    def answer(self, state: State, right: bool) -> State:
        """The roll is due after a right answer, the next player's question after a wrong one. Raises NotDue."""
        self._expect(state, DueKind.QUESTION, "answer")
        due = state.due if right else self._next[state.due]
        return State(due, state.pieces, state.opened, right)

    def reader(self, state: State) -> Seat:
        """The player to the left reads the question (GLO-1). Raises NotDue."""
        self._expect(state, DueKind.QUESTION, "reader of a question")
        return self._next[state.due]

    def hear(self, state: State, roll: Roll) -> State:
        """The state in which `roll` is to be played. Raises NotDue, OptionError."""
        if state.roll or not state.answered or self._home in state.pieces:
            self._expect(state, DueKind.ROLL, f"roll {roll.dice}")
        dice, opened = roll.dice, state.opened
        count = self._dice(state)
        if len(dice) != count:
            thrown = "one die" if count == 1 else f"{count} dice, until the first 6"
            raise OptionError(f"roll {dice}: seat {state.due} throws {thrown}. Throw exactly that")
        if count == 1:
            return State(state.due, state.pieces, opened, True, dice, dice)
        if SIX in dice:
            opened = tuple(sorted((*opened, state.due)))
        return State(state.due, state.pieces, opened, True, dice, tuple(sorted(dice)))

    def legal_steps(self, state: State) -> tuple[Step, ...]:
        """The next steps: any pawn that can move by the die; with several dice, the pawn that enters."""
        pieces = state.pieces
        return tuple([step_of(pieces, move) for move in self._legal(state)])

    def take(self, state: State, step: Step) -> State:
        """The state after a legal step; the turn goes on as soon as the dice are played."""
        move = self._found(state, step)
        if move is None:
            raise IllegalStep(f"seat {step.seat} {step.origin} > {step.target} is not legal now: objections() says why")
        return self._after(state, move)

    def may_stop(self, state: State) -> bool:
        """Whether nothing can be moved (GLO-6)."""
        return bool(state.roll) and not self._legal(state)

    def stop(self, state: State) -> State:
        """What is due after a roll that cannot be played. Raises IllegalStep."""
        if not self.may_stop(state):
            raise IllegalStep(f"seat {state.due} cannot stop here: what can be moved must be (GLO-6)")
        return self._finish(state, state.pieces)

    def objections(self, state: State, step: Step) -> tuple[Objection, ...]:
        """Every rule that the step breaks now, the most telling first. Facts: see `gloria_objections`."""
        if self._found(state, step) is not None:
            return ()
        return objections(state, step, self.end, self.winners(state))

    def unfinished(self, state: State) -> tuple[Objection, ...]:
        """Every rule that leaving the play here breaks; empty where that is allowed, or no play is due."""
        return () if not state.roll or self.may_stop(state) else unfinished(state)

    def outcomes(self, state: State) -> tuple[Outcome, ...]:
        """Every different end of this play (COM-5), each with one way to get there."""
        if not state.roll:
            raise NotDue("nothing is to be played", self.due(state).kind)
        ends: dict[State, tuple[Step, ...]] = {}
        for end, steps in self._ends(state, ()):
            ends.setdefault(end, steps)
        return tuple(Outcome(end, steps) for end, steps in ends.items())

    def winners(self, state: State) -> tuple[Seat, ...]:
        """The seat with four pawns home (GLO-8, GLO-9)."""
        home, pieces = self._home, state.pieces
        return tuple(seat for seat in self.seats if pieces[seat] == home) if home in pieces else ()

    def to_json(self, state: State) -> dict[str, Any]:
        """STATE as FORMATS gives it; "expects" where the roll is due and no question. Raises NotDue in a play."""
        data = self._written(state, state.roll)
        if self.first_dice > 1:
            data["opened"] = list(state.opened)
        return data | ({"expects": "roll"} if state.answered else {})

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The state that STATE describes; a question is due where it expects no roll. Raises StateError."""
        given = check_pieces(data, self.seats, PAWNS, range(BASE, self.end + 1))
        pieces = self._read(given)
        opened = self._opened(data, pieces) if self.first_dice > 1 else ()
        state = self._checked(State(whole(data, "due", self.seats), pieces, opened))
        return state._replace(answered=data.get("expects") == "roll" and not self.winners(state))

    def with_position(self, position: Position, due: Seat, like: State | None = None) -> State:
        """The state that shows `position`, before the question of `due`. Raises StateError.

        like: says which pawns have been round; that a question was answered already, or that a 6 rolls again; and
        who has thrown a 6.
        """
        self._check_seat(due)
        pieces = self._shown(position, self.end)
        if like is not None:
            pieces = tuple(_been_round(pawns, before) for pawns, before in zip(pieces, like.pieces, strict=True))
        opened: tuple[Seat, ...] = ()
        if self.first_dice > 1:
            known = () if like is None else like.opened
            opened = tuple(seat for seat in sorted(self.seats) if seat in known or pieces[seat][-1] > BASE)
        state = self._checked(State(due, pieces, opened))
        answered = like is not None and like.due == due and like.answered
        return state._replace(answered=answered and not self.winners(state))

    def rolls(self, state: State) -> tuple[Roll, ...]:
        """The rolls of one die, or of those that open. Raises NotDue."""
        self._expect(state, DueKind.ROLL, "rolls")
        return ROLLS[self._dice(state)]

    def left(self, state: State) -> tuple[int, ...]:
        """The dice that are not used yet."""
        return state.parts

    def goals(self, seat: Seat) -> tuple[str, ...]:
        """The four home spaces, or the centre (GLO-8, GLO-9)."""
        return ("center",) if self.end == CENTER else tuple(f"lane{seat}.{n}" for n in range(1, PAWNS + 1))

    def capture_rule(self, step: Step) -> str:
        """GLO-5, on every space of the track."""
        return "GLO-5"

    def spaces(self) -> tuple[str, ...]:
        """Track, lanes and bases of all four seats, whoever plays; the centre where it is the home."""
        return (*SPACES, "center") if self.end == CENTER else SPACES

    @property
    def all_options(self) -> Mapping[str, Any]:
        """The options, the usual ones spelt out."""
        return {name: self._option(name) for name in OPTIONS}

    def _option(self, name: str) -> Any:
        values = OPTIONS[name]
        value = self.options.get(name, values[0])
        if type(value) is not type(values[0]) or value not in values:
            written = ", ".join(repr(one).lower() for one in values)  # as a configuration has them: false, not False
            raise OptionError(f"{name} {shown(value)}: choose one of {written}")
        return value

    def _expect(self, state: State, kind: DueKind, what: str) -> None:
        waits = self.due(state).kind
        if waits is not kind:
            raise NotDue(f"{what}: not now", waits)

    def _dice(self, state: State) -> int:
        """How many dice the seat due throws (GLO-10)."""
        return 1 if state.due in state.opened else self.first_dice

    def _legal(self, state: State) -> list[Move]:
        """What may come next; with several dice the 6 enters a pawn, which moves the others (GLO-10)."""
        seat, parts = state.due, state.parts
        known, hand = self._moves[seat], state.pieces[seat]
        if len(state.roll) == 1:
            return open_moves(hand, known[parts[0]], BITS)
        if len(parts) < len(state.roll):
            return [move for part in dict.fromkeys(parts) for move in known[part][hand[-1]]]
        return [*known[SIX][BASE]] if SIX in parts else []

    def _found(self, state: State, step: Step) -> Move | None:
        """The legal move that `step` describes; None where there is none."""
        seat = state.due
        if step.seat != seat:
            return None
        if len(state.roll) == 1:
            hand, known = state.pieces[seat], self._moves[seat][state.roll[0]]
            origin = PROGRESS[seat].get(step.origin)
            if origin == START and ROUND in hand:
                origin = ROUND  # the same space, after the way round (GLO-3)
            return open_move(hand, known, BITS, (origin, step.target))
        moves = (m for m in self._legal(state) if (m.step.origin, m.step.target) == (step.origin, step.target))
        return next(moves, None)

    def _after(self, state: State, move: Move) -> State:
        pieces = after(state.pieces, move, BASE)
        if len(state.parts) == 1:
            return self._finish(state, pieces)
        parts = list(state.parts)
        parts.remove(int(move.step.by))
        return State(state.due, pieces, state.opened, True, state.roll, tuple(parts))

    def _finish(self, state: State, pieces: Pieces) -> State:
        """The state after the play: a further roll after a 6 (GLO-11), else the next player's question."""
        seat = state.due
        if pieces[seat] == self._home:
            return State(seat, pieces, state.opened)
        if self.six_again and SIX in state.roll:
            return State(seat, pieces, state.opened, answered=True)
        return State(self._next[seat], pieces, state.opened)

    def _ends(self, state: State, way: tuple[Step, ...]) -> Iterator[tuple[State, tuple[Step, ...]]]:
        if not state.roll:
            yield state, way
            return
        moves = self._legal(state)
        if not moves:
            yield self._finish(state, state.pieces), way
        for move in moves:
            yield from self._ends(self._after(state, move), (*way, step_of(state.pieces, move)))

    def _opened(self, data: Mapping[str, Any], pieces: Pieces) -> tuple[Seat, ...]:
        opened = data.get("opened")
        if not isinstance(opened, (list, tuple)) or not all(is_whole(s) and s in self.seats for s in opened):
            raise StateError(f"opened {shown(opened)}: expected a list of the seats that have thrown their first 6")
        for seat in self.seats:
            if seat not in opened and pieces[seat][-1] > BASE:
                raise StateError(f"opened {shown(opened)}: seat {seat} has a pawn out, so it has thrown a 6. Add it")
        return tuple(sorted(set(opened)))

    def _checked(self, state: State) -> State:
        for name, content in self.position(state).items_:
            if len(content) > 1 and not name.startswith(("base", "center")):
                raise StateError(f"{name}: {len(content)} pawns stand there, of seats {list(content)}: only one can")
        if len(self.winners(state)) > 1:
            raise StateError(f"seats {list(self.winners(state))} have all pawns home: only one can win")
        return state


def _been_round(pawns: tuple[int, ...], before: tuple[int, ...]) -> tuple[int, ...]:
    """`pawns` with the one on its start just entered or come round (GLO-3), whichever is the shorter way from `before`.
    """
    if START not in pawns:
        return pawns
    come_round = tuple(sorted(ROUND if p == START else p for p in pawns))
    return min(pawns, come_round, key=lambda after: min(sum(map(_way, before, to)) for to in permutations(after)))


def _way(origin: int, target: int) -> int:
    """The spaces that a pawn went, those back counted twice; what it takes to be captured, and back in base."""
    if target == BASE:
        return CAPTURED if origin > BASE else 0
    return target - origin if target >= origin else 2 * (origin - target)
