"""What a game is: a state machine that says what is due, what is legal, and why not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

from companion.model import Due, Objection, Outcome, Position, Roll, Seat, Step

S = TypeVar("S")
"""The game's own state: a frozen, hashable value of small integers. Only the game looks inside."""


class Game(ABC, Generic[S]):
    """One game with its seats and options. Holds tables, never a state: every method is a pure question.

    A turn: `due(state)` is a ROLL; `hear(state, roll)` gives a state in which a PLAY is due; `take` walks
    the single steps of the play. The step that completes the play leads to the state in which the next roll
    is due. Where a player may leave it (nothing can be moved, a right may be declined), `may_stop` is true,
    and `stop` leads to the next player's state.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    seats: tuple[Seat, ...]
    options: Mapping[str, Any]
    opening_dice: ClassVar[int] = 1
    """How many dice each player throws to find who begins (COM-1)."""

    @abstractmethod
    def opening(self, first: Seat) -> S:
        """The state at the start, with `first` to play."""

    @abstractmethod
    def next_seat(self, seat: Seat) -> Seat:
        """The seat whose turn comes after `seat` (COM-2); works without a state, for the throws of COM-1."""

    @abstractmethod
    def due(self, state: S) -> Due:
        """What the game waits for, and from whom."""

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

    @abstractmethod
    def may_stop(self, state: S) -> bool:
        """Whether the player may leave the play here: nothing can be moved, or the rest may be declined."""

    @abstractmethod
    def stop(self, state: S) -> S:
        """The state in which the next roll is due, the rest of this play left. Raises IllegalStep."""

    @abstractmethod
    def unfinished(self, state: S) -> tuple[Objection, ...]:
        """Every rule that leaving the play here breaks; empty where that is allowed, or no play is due.

        Facts as those of `objections`, with "unfinished": True.
        """

    @abstractmethod
    def objections(self, state: S, step: Step) -> tuple[Objection, ...]:
        """Every rule that moving a piece from step.origin to step.target breaks; empty exactly when legal.

        Any seat, any origin and target (bases, lanes and homes of other seats too); `by` and `captures` are
        ignored. The most telling objection comes first.
        """

    @abstractmethod
    def outcomes(self, state: S) -> tuple[Outcome, ...]:
        """Every different complete play from here (a PLAY is due), each once (COM-5)."""

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
    def with_position(self, position: Position, due: Seat) -> S:
        """A state that shows `position`, `due` to roll: what the table accepted. Raises StateError."""

    @abstractmethod
    def rolls(self, state: S) -> tuple[Roll, ...]:
        """Every roll that can be thrown now, each combination of faces once. Raises NotDue."""

    @abstractmethod
    def left(self, state: S) -> tuple[int, ...]:
        """The numbers that are still to be played: parts of the roll, then pending bonuses; () where no play is due."""

    @abstractmethod
    def capture_rule(self, step: Step) -> str:
        """The id of the rule by which a step with captures sends a piece back."""

    @abstractmethod
    def spaces(self) -> tuple[str, ...]:
        """The names of the spaces that a sheet of this game must give."""

    @abstractmethod
    def rule(self, rule_id: str) -> str:
        """The rule in one short sentence for players. Raises KeyError."""
