"""What a game is: a state machine that says what is due, what is legal, and why not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from companion.model import Content, Due, DueKind, NotDue, Nouns, Objection, Outcome, Position, Roll, Seat, Step

S = TypeVar("S")
"""The game's own state: a frozen, hashable value of small integers. Only the game looks inside."""


class Game(ABC, Generic[S]):
    """One game with its seats and options. Holds tables, never a state: every method is a pure question.

    A turn is a chain of states, each of which says what is `due`:

        [QUESTION → answer] → [DECLARATION → declare] → ROLL → hear → PLAY → take … → the next turn
        MOVE → begin → PLAY → take → [CHALLENGE → challenge → THROW → throw, THROW → throw → [PLAY → take]] → …

    `take` walks the single steps of a play; the step that completes it leads to the state of what comes next.
    Where a player may leave a play or decline what is due, `may_stop` is true, and `stop` leads to what comes next.
    What a game does not have (questions, declarations, challenges) it refuses with NotDue, as the defaults do.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    nouns: ClassVar[Nouns] = Nouns()
    sentences: ClassVar[Mapping[str, str]]
    """Each rule of the game by its id, in one short sentence for players."""
    seats: tuple[Seat, ...]
    options: Mapping[str, Any]
    opening_dice: ClassVar[int] = 1
    """How many dice each player throws to find who begins (COM-1)."""
    passing: ClassVar[str] = ""
    """The rule by which a roll that could be played may be left; "" where no rule allows it."""
    stacks: ClassVar[bool] = False
    """Whether pieces stand on each other: `position` then shows the top piece of each stack alone."""

    def __init__(self, seats: Sequence[Seat], options: Mapping[str, Any] | None = None) -> None:
        """Raises OptionError for seats or options that the game does not have."""

    @property
    def all_options(self) -> Mapping[str, Any]:
        """The options, and those that were left out as they are taken then."""
        return self.options

    @abstractmethod
    def opening(self, first: Seat) -> S:
        """The state at the start, with `first` to play."""

    @abstractmethod
    def next_seat(self, seat: Seat) -> Seat:
        """The seat whose turn comes after `seat` (COM-2); works without a state, for the throws of COM-1."""

    @abstractmethod
    def due(self, state: S) -> Due:
        """What the game waits for, and from whom."""

    def mover(self, state: S) -> Seat:
        """Whose pieces are moved now: the seat that is due, but for AGG-20 and AGG-22."""
        return self.due(state).seat

    @abstractmethod
    def hear(self, state: S, roll: Roll) -> S:
        """The state after `roll`, in which a play is due (perhaps of no steps). Raises NotDue, BadInput."""

    @abstractmethod
    def legal_steps(self, state: S) -> tuple[Step, ...]:
        """The steps that may come next. Each can be completed to a complete legal play."""

    @abstractmethod
    def take(self, state: S, step: Step) -> S:
        """The state after a legal step: the turn's next node, or that after the play. Raises IllegalStep.

        The step is recognised by seat, origin and target; where several legal steps share these, by `by` too.
        """

    def lapsed(self, state: S, step: Step) -> S | None:
        """The moment after the legal step that completes a play in which not all of the roll can be used, or not all
        that it earned: `objections` says then why what is left cannot be moved. None for every other step.
        """
        return None

    @abstractmethod
    def may_stop(self, state: S) -> bool:
        """Whether the player may leave the play here: nothing can be moved, or the rest may be declined."""

    @abstractmethod
    def stop(self, state: S) -> S:
        """The state in which the next roll is due, the rest of this play left. Raises IllegalStep."""

    def ending(self, state: S) -> Objection | None:
        """The rule by which the game ended though nobody reached its goal: who was due could not move (GOD-15), say.

        Facts: seat. None where it was won, or goes on.
        """
        return None

    @abstractmethod
    def unfinished(self, state: S) -> tuple[Objection, ...]:
        """Every rule that leaving the play here breaks; empty where that is allowed, or no play is due.

        Facts as those of `objections`, with "unfinished": True.
        """

    def forbidden(self, state: S) -> tuple[Objection, ...]:
        """Every rule by which nothing at all is moved with this roll, though it might be else; mostly there is none."""
        return ()

    @abstractmethod
    def objections(self, state: S, step: Step) -> tuple[Objection, ...]:
        """Every rule that moving a piece from step.origin to step.target breaks; empty exactly when legal.

        Any seat, any origin and target (bases, lanes and homes of other seats too); `by` and `captures` are
        ignored. The most telling objection comes first.
        """

    def carried(self, state: S, step: Step) -> tuple[Objection, ...]:
        """Every rule that moving a whole stack so breaks, where pieces hide each other; () where none stands there."""
        return ()

    @abstractmethod
    def outcomes(self, state: S) -> tuple[Outcome, ...]:
        """Every different complete play from here (a PLAY is due), each once (COM-5)."""

    def afterwards(self, state: S) -> Seat:
        """Whose turn comes after the play that is due, however it went, but that nobody won by it, or challenged."""
        for outcome in self.outcomes(state):
            end = self.due(outcome.state)
            if end.kind is DueKind.CHALLENGE:
                end = self.due(self.stop(outcome.state))
            if end.kind is not DueKind.OVER:
                return end.seat
        return self.next_seat(self.due(state).seat)

    @abstractmethod
    def position(self, state: S) -> Position:
        """What stands where."""

    @abstractmethod
    def winners(self, state: S) -> tuple[Seat, ...]:
        """The seats that have won; () while the game goes on."""

    @abstractmethod
    def to_json(self, state: S) -> dict[str, Any]:
        """STATE as FORMATS gives it (a roll or a question is due, or the game is over)."""

    @abstractmethod
    def from_json(self, data: Mapping[str, Any]) -> S:
        """The state that STATE describes. Raises StateError naming what cannot be."""

    @abstractmethod
    def with_position(self, position: Position, due: Seat, like: S | None = None) -> S:
        """A state that shows `position`, with the turn of `due` about to begin: what the table accepted.

        like: the state before; what the board cannot show is taken from it where it still fits (a pawn of Gloria
        that has been round, the heights of stacks). Raises StateError.
        """

    @abstractmethod
    def rolls(self, state: S) -> tuple[Roll, ...]:
        """Every roll that can be thrown now, each combination of faces once. Raises NotDue."""

    @abstractmethod
    def left(self, state: S) -> tuple[int, ...]:
        """The numbers that are still to be played: parts of the roll, then pending bonuses; () where no play is due."""

    def declinable(self, state: S) -> tuple[int, ...]:
        """Those of `left` that the piece which captured may move at once, or not at all (PRN-7)."""
        return ()

    @abstractmethod
    def capture_rule(self, step: Step) -> str:
        """The id of the rule by which a step with captures sends a piece back."""

    def disturbed(self, state: S, step: Step) -> Position:
        """What the board shows after one piece was moved so, whatever the rules say; "" is beside the board.

        Raises KeyError where there is no such piece.
        """
        position = self.position(state)
        position = position.without(step.seat, step.origin) if step.origin else position
        return position.with_piece(step.seat, step.target) if step.target else position

    def everything(self, state: S) -> Position:
        """All pieces, those that others hide too (stacks from bottom to top)."""
        return self.position(state)

    def home(self, state: S, seat: Seat) -> int:
        """How many pieces of `seat` have come to their goal: for the page."""
        goals = self.goals(seat)
        return sum(name in goals and content.count(seat) for name, content in self.position(state).items_)

    def goals(self, seat: Seat) -> tuple[str, ...]:
        """The spaces on which a piece of `seat` is home."""
        return (f"home{seat}",)

    @property
    def vacant(self) -> int:
        """How many squares of an edge stay vacant at the start, which the players choose; 0 where none does."""
        return 0

    @property
    def chooses_setup(self) -> bool:
        """Whether the players choose how they set up: `set_up` then reads it from the board."""
        return self.vacant > 0

    def set_up(self, position: Position, first: Seat) -> S:
        """The state in which the game begins on a board that was set up so. Raises StateError naming the rule."""
        raise NotDue(f"{self.title} is set up in one way only: see opening()")

    def likely_set_ups(self, fits: Callable[[str, Content], float], first: Seat) -> tuple[S, ...]:
        """Where the set-up is chosen: the start whose board fits best, and the next best one. Raises NotDue.

        fits: (space, what can be seen on it) → log-likelihood.
        """
        raise NotDue(f"{self.title} is set up in one way only: see opening()")

    def answer(self, state: S, right: bool) -> S:
        """After the answer to the question that is due. Raises NotDue."""
        raise NotDue(f"{self.title} has no questions to answer")

    def reader(self, state: S) -> Seat:
        """Who reads the question that is due. Raises NotDue."""
        raise NotDue(f"{self.title} has no questions to read")

    def declare(self, state: S, plays: Seat) -> S:
        """After the declaration of whose pieces play the roll. Raises NotDue, OptionError."""
        raise NotDue(f"{self.title} has nothing to declare now")

    def partners(self, state: S) -> tuple[Seat, ...]:
        """The seats that may be declared, where a declaration is due; else ()."""
        return ()

    def begin(self, state: S) -> S:
        """The play of a turn that needs no dice (MOVE is due). Raises NotDue."""
        raise NotDue(f"in {self.title} a turn begins with the dice")

    def targets(self, state: S) -> tuple[str, ...]:
        """The spaces whose piece may be challenged, where a challenge is due; else ()."""
        return ()

    def challenge(self, state: S, target: str) -> S:
        """After a challenge of the piece on `target`. Raises NotDue, OptionError."""
        raise NotDue(f"{self.title} has no challenges")

    def throw(self, state: S, seat: Seat, value: int) -> S:
        """After one seat's throw in a challenge. Raises NotDue, OptionError."""
        raise NotDue(f"{self.title} has no challenges")

    def agree_to_stop(self, state: S) -> S:
        """The finished game where the players agree to end it (GOD-16). Raises NotDue."""
        raise NotDue(f"{self.title} is played to its end; begin a new game to leave it")

    @abstractmethod
    def spaces(self) -> tuple[str, ...]:
        """The names of the spaces that a sheet of this game must give."""

    def rule(self, rule_id: str) -> str:
        """The rule in one short sentence for players. Raises KeyError."""
        return self.sentences[rule_id]
