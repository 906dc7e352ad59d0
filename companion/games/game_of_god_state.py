"""A moment of Game of God: who is due for what, and the stack on every square."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.game_of_god_board import SEATS
from companion.games.game_of_god_stacks import Codes, top
from companion.model import Due, DueKind, Seat

MOVE, PLAY, CHALLENGE, THROW, PLACE, OVER = PHASES = range(6)
KINDS = (DueKind.MOVE, DueKind.PLAY, DueKind.CHALLENGE, DueKind.THROW, DueKind.PLAY, DueKind.OVER)
DUES = tuple(
    tuple(Due(KINDS[phase], seat, (1,) if phase == THROW else ()) for seat in SEATS) for phase in PHASES
)


class State(NamedTuple):
    """A game at one moment. phase: one of PHASES. due: who acts; in OVER who would have been next.

    moved: the square of the piece just moved, target: that of the piece challenged (-1 where there is none).
    throws: those of the challenge, the challenger's first.
    """

    due: Seat
    phase: int
    codes: Codes
    moved: int = -1
    target: int = -1
    throws: tuple[int, ...] = ()
    winners: tuple[Seat, ...] = ()

    @property
    def challenger(self) -> Seat:
        """Whose piece was just moved (CHALLENGE, THROW, PLACE)."""
        return top(self.codes[self.moved])

    @property
    def challenged(self) -> Seat:
        """Whose piece is challenged (THROW, PLACE)."""
        return top(self.codes[self.target])
