"""Dash: the smallest whole game, to copy when a new one is added (see docs/add-a-game.md).

DSH-1  Each player has two runners and throws one die. A runner moves forward by exactly the number.
DSH-2  The first space of the track is one step from the base; HOME is one step beyond the last, and farther counts too.
DSH-3  Landing on another player's runner sends it back to its base.
DSH-4  Landing on one's own runner is not allowed.
DSH-5  The first with both runners at HOME wins.

The rules common to all games hold: COM-1 to COM-7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games.contract import Game
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
from companion.referee.phrases import Facts, Names, captured, spaces

SEATS: tuple[Seat, ...] = (0, 1, 2, 3)
TRACK = 20
RUNNERS = 2
BASE, HOME = -1, TRACK

SENTENCES = {
    "COM-1": "Everybody throws, and the highest begins; those who tie throw again.",
    "COM-2": "Turns go around the table to the left.",
    "COM-3": "Only the player whose turn it is moves, and only their own runners.",
    "COM-4": "If you can move, you must; if you cannot, you pass.",
    "COM-5": "Runners of one colour are all alike.",
    "COM-6": "The game is over the moment the last runner is home.",
    "COM-7": "Sit where you like.",
    "DSH-1": "A runner moves forward by exactly what the die shows.",
    "DSH-2": "HOME is one step beyond the last space; farther counts too.",
    "DSH-3": "Land on another runner and it goes back to its base.",
    "DSH-4": "You may not land on your own runner.",
    "DSH-5": "The first with both runners at HOME wins.",
}


def name_of(seat: Seat, progress: int) -> str:
    """The space on which a runner of `seat` stands with `progress`: −1 base, 0 to 19 track, 20 HOME."""
    return f"base{seat}" if progress == BASE else f"home{seat}" if progress == HOME else f"t{progress}"


NAMES = tuple({p: name_of(seat, p) for p in range(BASE, HOME + 1)} for seat in SEATS)
PROGRESS = tuple({name: p for p, name in names.items()} for names in NAMES)
Pieces = tuple[tuple[int, ...], ...]


class State(NamedTuple):
    """A game at one moment. pieces: seat → progress of its runners, ascending. die: 0 until it is thrown."""

    due: Seat
    pieces: Pieces
    die: int = 0


class Dash(Game[State]):
    """Dash with two to four of the seats 0 to 3, clockwise. It has no options."""

    name = "dash"
    title = "Dash"
    nouns = Nouns(piece="runner", base="base")
    sentences = SENTENCES

    def __init__(self, seats: Sequence[Seat] = SEATS, options: Mapping[str, Any] | None = None) -> None:
        self.seats = tuple(sorted(check_seats(seats, SEATS, 2)))
        self.options = check_options({} if options is None else options, (), self.name)
        self._next = dict(zip(self.seats, self.seats[1:] + self.seats[:1], strict=True))

    def opening(self, first: Seat) -> State:
        """All runners in base, `first` to roll."""
        return State(self._known(first), tuple((BASE,) * RUNNERS if s in self.seats else () for s in SEATS))

    def next_seat(self, seat: Seat) -> Seat:
        """Clockwise, skipping empty seats (COM-2)."""
        return self._next[self._known(seat)]

    def due(self, state: State) -> Due:
        """A roll of one die, a play, or nothing more."""
        if won := self.winners(state):
            return Due(DueKind.OVER, won[0])
        return Due(DueKind.PLAY, state.due) if state.die else Due(DueKind.ROLL, state.due, (1,))

    def hear(self, state: State, roll: Roll) -> State:
        """The state in which `roll` is to be played."""
        if self.due(state).kind is not DueKind.ROLL:
            raise NotDue(f"roll {roll.dice}: nobody is to roll now")
        if len(roll.dice) != 1:
            raise OptionError(f"roll {roll.dice}: Dash is played with one die")
        return state._replace(die=roll.dice[0])

    def legal_steps(self, state: State) -> tuple[Step, ...]:
        """A move by the die for each runner that has one (DSH-1, DSH-2, DSH-4)."""
        return tuple(self._legal(state)) if state.die else ()

    def _legal(self, state: State) -> Iterator[Step]:
        for origin in sorted(set(state.pieces[state.due]) - {HOME}):
            target = min(origin + state.die, HOME)
            if target == HOME or target not in state.pieces[state.due]:
                yield self._step(state, origin, target)

    def _step(self, state: State, origin: int, target: int) -> Step:
        names = NAMES[state.due]
        others = [s for s in self.seats if s != state.due and target in state.pieces[s] and target != HOME]
        return Step(state.due, names[origin], names[target], str(state.die), tuple((s, f"base{s}") for s in others))

    def take(self, state: State, step: Step) -> State:
        """The state after a legal step (DSH-3): the next player is to roll."""
        ways = {(s.seat, s.origin, s.target): s for s in self.legal_steps(state)}
        legal = ways.get((step.seat, step.origin, step.target))
        if legal is None:
            raise IllegalStep(f"seat {step.seat} {step.origin} > {step.target} is not legal now")
        pieces = [list(runners) for runners in state.pieces]
        origin, target = (PROGRESS[step.seat][name] for name in (step.origin, step.target))
        pieces[step.seat][pieces[step.seat].index(origin)] = target
        for seat, _ in legal.captures:
            pieces[seat][pieces[seat].index(target)] = BASE
        return self._after(state, tuple(tuple(sorted(runners)) for runners in pieces))

    def _after(self, state: State, pieces: Pieces) -> State:
        after = State(state.due, pieces)
        return after if self.winners(after) else after._replace(due=self._next[state.due])

    def may_stop(self, state: State) -> bool:
        """Only where nothing can be moved (COM-4)."""
        return bool(state.die) and not self.legal_steps(state)

    def stop(self, state: State) -> State:
        """The next player is to roll."""
        if not self.may_stop(state):
            raise IllegalStep("what can be moved must be (COM-4)")
        return self._after(state, state.pieces)

    def unfinished(self, state: State) -> tuple[Objection, ...]:
        """COM-4, where a runner can move."""
        return (Objection("COM-4", {"unfinished": True}),) if self.legal_steps(state) else ()

    def objections(self, state: State, step: Step) -> tuple[Objection, ...]:
        """Every rule that the step breaks, the most telling first; () exactly for a legal one."""
        legal = {(s.seat, s.origin, s.target) for s in self.legal_steps(state)}
        return () if (step.seat, step.origin, step.target) in legal else tuple(self._broken(state, step))

    def _broken(self, state: State, step: Step) -> Iterator[Objection]:
        facts: dict[str, Any] = {"seat": step.seat, "due": state.due, "space": step.origin, "die": state.die}
        if self.winners(state):
            yield Objection("COM-6", facts)
        elif step.seat not in self.seats or PROGRESS[step.seat].get(step.origin) not in state.pieces[step.seat]:
            yield Objection("COM-3", {**facts, "no_pawn": True})
        elif step.seat != state.due:
            yield from (Objection(rule, facts) for rule in ("COM-3", "COM-2"))
        else:
            yield from self._miscounted(state, step, facts)

    def _miscounted(self, state: State, step: Step, facts: dict[str, Any]) -> Iterator[Objection]:
        origin, target = (PROGRESS[step.seat].get(name) for name in (step.origin, step.target))
        assert origin is not None
        count = None if target is None else target - origin
        fits = state.die and target is not None and target == min(origin + state.die, HOME) and origin != HOME
        if not fits:
            yield Objection("DSH-1", {**facts, "count": count})
        if target is not None and target not in (BASE, HOME, origin) and target in state.pieces[step.seat]:
            yield Objection("DSH-4", facts)

    def outcomes(self, state: State) -> tuple[Outcome, ...]:
        """Every different end of this play."""
        if not state.die:
            raise NotDue("nothing is to be played now")
        steps = self.legal_steps(state)
        return tuple(Outcome(self.take(state, s), (s,)) for s in steps) or (Outcome(self.stop(state), ()),)

    def position(self, state: State) -> Position:
        """What stands where; bases and homes are areas."""
        contents: dict[str, list[Seat]] = {}
        for seat in self.seats:
            for progress in state.pieces[seat]:
                contents.setdefault(NAMES[seat][progress], []).append(seat)
        return Position.of(contents)

    def winners(self, state: State) -> tuple[Seat, ...]:
        """The seat with both runners at HOME (DSH-5)."""
        return tuple(seat for seat in self.seats if state.pieces[seat][0] == HOME)

    def to_json(self, state: State) -> dict[str, Any]:
        """STATE as FORMATS gives it for race games."""
        pieces = {str(seat): list(state.pieces[seat]) for seat in self.seats}
        seats, options = list(self.seats), dict(self.options)
        return {"game": self.name, "options": options, "seats": seats, "due": state.due, "pieces": pieces}

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The state that STATE describes. Raises StateError."""
        pieces = check_pieces(data, self.seats, RUNNERS, range(BASE, HOME + 1))
        due = whole(data, "due", self.seats)
        return self._checked(State(due, tuple(tuple(sorted(pieces.get(seat, ()))) for seat in SEATS)))

    def with_position(self, position: Position, due: Seat, like: State | None = None) -> State:
        """The state that shows `position`. Raises StateError."""
        pieces: dict[Seat, list[int]] = {seat: [] for seat in SEATS}
        for name, content in position.items():
            for seat in content:
                if seat not in self.seats or name not in PROGRESS[seat]:
                    raise StateError(f"{name}: a runner of seat {seat} can never stand there. Move it")
                pieces[seat].append(PROGRESS[seat][name])
        if any(len(pieces[seat]) != RUNNERS for seat in self.seats):
            raise StateError(f"each player must have {RUNNERS} runners on the board")
        return self._checked(State(self._known(due), tuple(tuple(sorted(pieces[seat])) for seat in SEATS)))

    def _checked(self, state: State) -> State:
        track = [p for runners in state.pieces for p in runners if BASE < p < HOME]
        if len(set(track)) != len(track):
            raise StateError("two runners never share a space of the track")
        return state

    def rolls(self, state: State) -> tuple[Roll, ...]:
        """The six rolls of a die."""
        if self.due(state).kind is not DueKind.ROLL:
            raise NotDue("nobody is to roll now")
        return tuple(Roll((die,)) for die in range(1, 7))

    def left(self, state: State) -> tuple[int, ...]:
        """The die, until it is played."""
        return (state.die,) if state.die else ()

    def capture_rule(self, step: Step) -> str:
        """DSH-3, always."""
        return "DSH-3"

    def spaces(self) -> tuple[str, ...]:
        """Track, bases and homes."""
        return (*(f"t{n}" for n in range(TRACK)), *(f"{area}{seat}" for seat in SEATS for area in ("base", "home")))

    def _known(self, seat: Seat) -> Seat:
        if seat not in self.seats:
            raise OptionError(f"seat {seat!r}: nobody sits there. Choose one of {list(self.seats)}")
        return seat


def _count(who: str, facts: Facts, names: Names) -> str:
    if not facts["die"]:
        return f"{who} moved before rolling. First the die, then the runner."
    if facts["count"] is None or facts["count"] < 0:
        return f"{who}'s runner cannot go there. Runners move forward only, along the track."
    return f"{who}'s runner moved {spaces(facts['count'])}, but the die shows {facts['die']}."


WORDS: Mapping[str, Callable[[str, Facts, Names], str]] = {
    "DSH-1": _count,
    "DSH-3": lambda who, facts, names: captured(names, facts["seat"]),
    "DSH-4": lambda who, facts, names: f"One of {who}'s own runners stands there already.",
}
"""How each objection is said; within Companion it goes into a file of its own in `companion/referee`."""
