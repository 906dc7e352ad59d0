"""What the dice line has to say, as frozen values. `at` is in seconds, the clock of who feeds the host."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoxRoll:
    """A roll on a dice box's record. id: its number there. turn: our token from ARM. ms: time of rolling."""

    id: int
    turn: int
    faces: tuple[int, ...]
    ms: int = 0
    src: str = ""

    def same(self, other: BoxRoll) -> bool:
        """Whether both say the same of the same roll; how long and by what it was rolled does not matter."""
        return (self.id, self.turn, self.faces) == (other.id, other.turn, other.faces)


@dataclass(frozen=True, slots=True)
class BoxFound:
    """A dice box answered. most: the dice it can throw. last: its last roll's id. open: not acknowledged."""

    at: float
    dev: str
    hw: str
    fw: str
    boot: int
    most: int
    last: int
    open: bool


@dataclass(frozen=True, slots=True)
class LinkReady:
    """The box may be armed. last: the last settled roll; keep both as the box that this table uses."""

    at: float
    dev: str
    last: int


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The dice are away; an armed turn stays armed in the book. text: one sentence for people."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class BoxArmed:
    """The box waits for the button of `turn`."""

    at: float
    turn: int


@dataclass(frozen=True, slots=True)
class RollHeard:
    """The roll of the turn that is due. Write it to the journal, then call `recorded(roll.id)`: the ACK."""

    at: float
    dev: str
    roll: BoxRoll


@dataclass(frozen=True, slots=True)
class RollApart:
    """A roll that is left to the players. why: "late", "dice" (another number than asked for), "undue" (not asked for).

    Write it to the journal as such, then call `recorded(roll.id)`.
    """

    at: float
    dev: str
    roll: BoxRoll
    why: str
    text: str


@dataclass(frozen=True, slots=True)
class RollsUnseen:
    """Rolls that the box made without this referee; they never count. rolls: those of them it still knows.

    Write `dev` and `last` to the journal as adopted, lest they are told again at the next link.
    """

    at: float
    dev: str
    count: int
    rolls: tuple[BoxRoll, ...]
    last: int


@dataclass(frozen=True, slots=True)
class BoxQuestion:
    """Is this the right box? why: "other" (another box than before) or "behind" (its rolls were reset).

    To take it, write `dev` and `last` to the journal as adopted, then call `adopt()`; else unplug it.
    """

    at: float
    dev: str
    last: int
    why: str
    text: str


@dataclass(frozen=True, slots=True)
class DiceUnfit:
    """The box refuses to work: offer the phone. why: its error (rng, ee, ver, range …)."""

    at: float
    why: str
    text: str


@dataclass(frozen=True, slots=True)
class Alarm:
    """The box contradicts itself or the journal: the game stops until `dismiss()`. id: of the roll, of box `dev`.

    Said again, in place of LinkReady, whenever a box is linked while it stands.
    """

    at: float
    text: str
    id: int | None = None
    dev: str = ""


@dataclass(frozen=True, slots=True)
class BoxNoticed:
    """Something happened at the box. kind: spin, press (nobody was due), long, stuck, vcc."""

    at: float
    kind: str


@dataclass(frozen=True, slots=True)
class BoxAnswered:
    """The answer to `ask`. error: "" for OK."""

    at: float
    verb: str
    error: str


@dataclass(frozen=True, slots=True)
class DiceSaid:
    """Something that the players should hear: a die lies crooked, rolled twice, wants to be charged."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment of the box, for the log."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Flooded:
    """More lines in a second than any dice box sends; the rest of that second is not read."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class PortTrouble:
    """A port cannot be used. text names it and the way out."""

    at: float
    port: str
    text: str


DiceEvent = (
    BoxFound
    | LinkReady
    | LinkLost
    | BoxArmed
    | RollHeard
    | RollApart
    | RollsUnseen
    | BoxQuestion
    | DiceUnfit
    | Alarm
    | BoxNoticed
    | BoxAnswered
    | DiceSaid
    | Remark
    | Flooded
    | PortTrouble
)
