"""What both editions of Parcheesi share: seats, dice, the steps of a play, and what may stand where."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from companion.games.parcheesi_board import BASE, CLOCKWISE, HOME, NAMES, PROGRESS, SEATS, SPACES
from companion.games.parcheesi_stride import End, Hand, Parts, Way, without
from companion.games.parcheesi_table import Ends, after, step_of
from companion.games.race_game import RaceGame, RaceState
from companion.games.race_pieces import Pieces
from companion.games.state_json import check_options, check_seats
from companion.model import (
    Due,
    DueKind,
    IllegalStep,
    NotDue,
    OptionError,
    Outcome,
    Roll,
    Seat,
    StateError,
    Step,
)

WON = (HOME,) * 4


class Node(Protocol):
    """A moment of a play: the mover's pieces, the opponents on its path that stand alone or in twos, and what is left
    of the roll."""

    @property
    def hand(self) -> Hand: ...
    @property
    def single(self) -> int: ...
    @property
    def double(self) -> int: ...
    @property
    def parts(self) -> Parts: ...


class Move(Protocol):
    """One single step of a play: the way of a piece, whether it captures, and what follows."""

    @property
    def way(self) -> Way: ...
    @property
    def captures(self) -> bool: ...
    @property
    def node(self) -> Any: ...


class Walk(Protocol):
    """The play of a roll by one edition's rules."""

    def moves(self, node: Any, /) -> Sequence[Move]:
        """The steps that may come next."""

    def has_bonus(self, node: Any, /) -> bool:
        """Whether a bonus is pending, though perhaps it cannot be moved."""

    def alone(self, node: Any, parts: Parts, /) -> Any:
        """The moment with `parts` as all that must be used."""

    def ends(self, node: Any, /) -> list[End]:
        """Each view in which the play can end, with one way there."""


class EditionState(RaceState, Protocol):
    """A state of either edition. `nodes`: the moments of the play that look as the board does."""

    @property
    def roll(self) -> tuple[int, ...]: ...
    @property
    def nodes(self) -> tuple[Node, ...]: ...
    @property
    def whole(self) -> bool:
        """Whether no part of the roll is used yet."""
        ...


E = TypeVar("E", bound=EditionState)


class Edition(RaceGame[E]):
    """An edition with any two to four of the seats 0 South, 1 East, 2 North, 3 West. It has no options.

    dice: how many may be thrown. wanted: the same, in words. every_roll: the rolls that there are. walk: how they are
    played.
    """

    _names, _progress = NAMES, PROGRESS
    dice: tuple[int, ...]
    wanted: str
    every_roll: tuple[Roll, ...]
    walk: Walk

    def __init__(self, seats: Sequence[Seat] = SEATS, options: Mapping[str, Any] | None = None) -> None:
        self.seats = check_seats(seats, SEATS, 2)
        self.options = check_options({} if options is None else options, (), self.name)
        self._play_due = {seat: Due(DueKind.PLAY, seat) for seat in self.seats}
        self._roll_due = {seat: Due(DueKind.ROLL, seat, self.dice) for seat in self.seats}
        self._sit([seat for seat in CLOCKWISE if seat in self.seats])

    def due(self, state: E) -> Due:
        """A roll, a play, or nothing more."""
        if state.roll:
            return self._play_due[state.due]
        if WON in state.pieces:
            return Due(DueKind.OVER, self.winners(state)[0])
        return self._roll_due[state.due]

    def legal_steps(self, state: E) -> tuple[Step, ...]:
        """The next steps, each of which can be completed; among them a bonus that may be declined."""
        moves = self.walk.moves
        found = {(m.way.origin, m.way.target): m for node in state.nodes for m in moves(node)}
        return tuple([step_of(state.pieces, state.due, m.way, m.captures) for m in found.values()])

    def take(self, state: E, step: Step) -> E:
        """The state after a legal step; the next roll is due as soon as nothing more can be moved."""
        found = self._moves(state, step)
        if not found:
            raise illegal(step)
        pieces = after(state.pieces, state.due, found[0].way, found[0].captures)
        nodes = {move.node for move in found}
        if any([self.walk.moves(node) for node in nodes]):
            return self._going_on(state, pieces, tuple(sorted(nodes)))
        return self._finish(state, pieces)

    def lapsed(self, state: E, step: Step) -> E | None:
        """The moment after a step that ends the play though some of the dice are left (PAR-5, PRN-5), or a bonus that
        nobody can move (PAR-19, PRN-7); else None."""
        found = self._moves(state, step)
        if not found or any([self.walk.moves(move.node) for move in found]):
            return None
        left = _left(state.nodes[0].parts, found[0].way.by)
        pieces = after(state.pieces, state.due, found[0].way, found[0].captures)
        if pieces[state.due] == WON or not (left or self.walk.has_bonus(found[0].node)):
            return None
        nodes = {self.walk.alone(move.node, left) for move in found}
        return self._going_on(state, pieces, tuple(sorted(nodes)))

    def stop(self, state: E) -> E:
        """The next roll is due; what is left of this play lapses. Raises IllegalStep."""
        if not self.may_stop(state):
            raise IllegalStep(f"seat {state.due} cannot stop here: what can be moved must be (COM-4)")
        return self._finish(state, state.pieces)

    def outcomes(self, state: E) -> tuple[Outcome, ...]:
        """Every different end of this play (COM-5), each with one way to get there."""
        if not state.roll:
            raise NotDue("nothing is to be played", self.due(state).kind)
        found = Ends(state.pieces, state.due, state.nodes[0].single).of(self.walk.ends(node) for node in state.nodes)
        return tuple([Outcome(self._finish(state, pieces), steps) for pieces, steps in found.items()])

    def winners(self, state: E) -> tuple[Seat, ...]:
        """The seat with all four home (PAR-20, PRN-11)."""
        return tuple(seat for seat in self.seats if state.pieces[seat] == WON) if WON in state.pieces else ()

    def rolls(self, state: E) -> tuple[Roll, ...]:
        """The rolls that there are. Raises NotDue."""
        self._expect_roll(state, "rolls")
        return self.every_roll

    def spaces(self) -> tuple[str, ...]:
        """Track, lanes, homes and bases of all four seats, whoever plays."""
        return SPACES

    @abstractmethod
    def _going_on(self, state: E, pieces: Pieces, nodes: tuple[Any, ...]) -> E:
        """The state in the middle of the play, with the pieces so, and these moments that look alike."""

    def _start(self) -> Pieces:
        """All pieces of those who play in base."""
        return tuple((BASE,) * 4 if seat in self.seats else () for seat in SEATS)

    def _heard(self, state: E, roll: Roll) -> None:
        """Raises NotDue and OptionError where this roll cannot be."""
        self._expect_roll(state, f"roll {roll.dice}")
        if len(roll.dice) not in self.dice:
            raise OptionError(f"roll {roll.dice}: {self.title} is played with {self.wanted}")

    def _expect_roll(self, state: E, what: str) -> None:
        kind = self.due(state).kind
        if kind is not DueKind.ROLL:
            raise NotDue(f"{what}: nobody is to roll now", kind)

    def _checked(self, state: E) -> E:
        """The state, if all can stand so. Raises StateError."""
        noun = self.nouns.piece
        for name, content in self.position(state).items_:
            if name.startswith(("base", "home")):
                continue
            if len(set(content)) > 1:
                raise StateError(f"{name}: {noun}s of seats {sorted(set(content))} never share a space")
            if len(content) > 2:
                raise StateError(f"{name}: {len(content)} {noun}s of seat {content[0]}: at most 2 may be there")
        won = list(self.winners(state))
        if len(won) > 1:
            raise StateError(f"seats {won} have all {noun}s home: only one can win")
        return state

    def _moves(self, state: E, step: Step) -> list[Move]:
        """The moves that are this step, one for each way of following the pieces that allows it."""
        if step.seat != state.due:
            return []
        known = PROGRESS[step.seat]
        origin, target = known.get(step.origin), known.get(step.target)
        return [
            move
            for node in state.nodes
            for move in self.walk.moves(node)
            if move.way.origin == origin and move.way.target == target
        ]


def _left(parts: Parts, by: str) -> Parts:
    """The parts that are left when a piece was moved `by` one of them, by both as a total, or by a bonus, by none."""
    if by.startswith("total"):
        return ()
    return without(parts, int(by)) if by.isdigit() else parts


def illegal(step: Step) -> IllegalStep:
    """What is raised where a step is not legal."""
    return IllegalStep(f"seat {step.seat} {step.origin} > {step.target} is not legal now: objections() says why")
