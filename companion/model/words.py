"""Everything that the referee can be told, each with when and by whom: what the journal keeps, in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.model.board import Seat
from companion.model.observation import BoardLost, BoardSeen
from companion.model.play import Roll

DICE, BUTTON, TABLE, CAMERA, PHONE = "dice", "button", "table", "camera", "phone"
"""Usual values of `by`; a phone gives the name of its player, or "phone"."""
AIR = "bluetooth"
"""Instead of a dice box's number, for rolls of dice over the air: under it the journal keeps them, and it is no box."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """A throw that counts. `roll_id`: the dice box's number of it; None where dice have no memory (phone)."""

    at: float
    roll: Roll
    by: str = DICE
    roll_id: int | None = None


@dataclass(frozen=True, slots=True)
class Thrown:
    """One seat's throw where several seats throw: who begins, a challenge. value: the sum of the dice."""

    at: float
    seat: Seat
    value: int
    by: str = DICE
    roll_id: int | None = None


@dataclass(frozen=True, slots=True)
class Saw:
    """What the camera saw in one frame."""

    at: float
    sighting: BoardSeen | BoardLost


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The play is done, or what is due is declined (a pass)."""

    at: float
    by: str = BUTTON


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The play of this turn, or the last one if nobody has acted since, is taken back on purpose."""

    at: float
    by: str = BUTTON


@dataclass(frozen=True, slots=True)
class AcceptedAsPlayed:
    """The table accepts what stands on the board, whatever the rules say."""

    at: float
    by: str = TABLE


@dataclass(frozen=True, slots=True)
class DiceCorrected:
    """The table says what the dice of this turn really showed."""

    at: float
    roll: Roll
    by: str = TABLE


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The table says how the game stands. state: STATE as FORMATS gives it."""

    at: float
    state: Mapping[str, Any]
    by: str = TABLE


@dataclass(frozen=True, slots=True)
class Undone:
    """The last override (accepted as played, dice corrected, position set) is undone."""

    at: float
    by: str = TABLE


@dataclass(frozen=True, slots=True)
class Answered:
    """A question was answered, rightly or not (GLO-1)."""

    at: float
    right: bool
    by: str = BUTTON


@dataclass(frozen=True, slots=True)
class Declared:
    """Who of a team plays the next roll of `seat` (AGG-22). plays: the seat whose pieces are moved."""

    at: float
    seat: Seat
    plays: Seat
    by: str = TABLE


@dataclass(frozen=True, slots=True)
class Challenged:
    """The piece just moved challenges the piece on `target` (GOD-11); "" where only one can be meant."""

    at: float
    target: str = ""
    by: str = TABLE


@dataclass(frozen=True, slots=True)
class AgreedToStop:
    """The players agree to end a game that leads nowhere (GOD-16)."""

    at: float
    by: str = TABLE


@dataclass(frozen=True, slots=True)
class DiceState:
    """The electronic dice work, or they are away and rolls may go unheard. text: why, for people."""

    at: float
    working: bool
    text: str = ""
    by: str = DICE


Word = (
    Rolled
    | DiceState
    | Thrown
    | Saw
    | Confirmed
    | TakenBack
    | AcceptedAsPlayed
    | DiceCorrected
    | PositionSet
    | Undone
    | Answered
    | Declared
    | Challenged
    | AgreedToStop
)


def told_at(word: Word) -> float:
    """When the word was told, seconds of the table's clock."""
    return word.sighting.at if isinstance(word, Saw) else word.at
