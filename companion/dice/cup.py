"""One to three dice of one's own as one roll: words of dice and time in, events out. No radio, clock or thread.

A roll is made of the first time that each die comes to rest after its throw became due, as many dice as are due. Each
must have been heard to tumble before. These dice keep no record: what they do out of reach, nobody will tell.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.dice.book import Book
from companion.dice.die import Charge, Cocked, Feigned, Rested, Tumbling, Turned, Word
from companion.dice.events import (
    BoxArmed,
    BoxNoticed,
    BoxRoll,
    DiceEvent,
    DiceSaid,
    DiceUnfit,
    LinkLost,
    LinkReady,
    Remark,
    RollApart,
    RollHeard,
)
from companion.dice.host import MOST_DICE, Armed, State, asked_for, show
from companion.dice.rolls import next_id
from companion.model import AIR

TOGETHER, UNHEARD = 5.0, 30.0
"""Seconds that a roll waits for a die too many that still tumbles; after which a die is missed that was not heard."""


@dataclass
class _Die:
    """A die in reach. tumbles: since when it has been heard to, None while it lies."""

    tumbles: float | None = None
    told: set[str] = field(default_factory=set)


class Cup:
    """The dice of this table, by their names. book: the rolls on record."""

    def __init__(self, book: Book) -> None:
        self.wanted: Armed | None = None
        self._dice: dict[str, _Die] = {}
        self._last = book.last(AIR) or 0
        self._fallen: dict[str, int] = {}
        self._fallen_for: tuple[int, int] | None = None
        self._began = self._since = 0.0
        self._spent: int | None = None
        self._need = 1
        self._ready = self._undue_told = False
        self._weak: set[str] = set()

    @property
    def names(self) -> tuple[str, ...]:
        """The dice in reach."""
        return tuple(self._dice)

    @property
    def state(self) -> State:
        """As of a dice box: without dice in reach, closed."""
        if not self._ready:
            return State.CLOSED
        return State.ARMED if self._due else State.READY

    @property
    def due(self) -> tuple[int, int] | None:
        """The throw that may be made now: its turn, and how many dice; None while too few are in reach."""
        return (self._due.turn, self._due.dice) if self._ready and self._due else None

    @property
    def _due(self) -> Armed | None:
        """The throw that may be made now."""
        wanted = self.wanted
        return wanted if wanted and wanted.dice <= MOST_DICE and wanted.turn != self._spent else None

    # what the owner says

    def arm(self, turn: int, dice: int, at: float, rgb: str | None = None, ms: int | None = None) -> list[DiceEvent]:
        """See Host.arm: the throw of `turn` is due. What fell for another throw is forgotten. Raises ValueError."""
        wanted = Armed(turn, dice, rgb, ms)
        if (turn, dice) != self._fallen_for:
            self._fallen.clear()
            self._fallen_for = turn, dice
            self._since = at
        self.wanted, self._need = wanted, dice
        self._anew()
        return [*self._link(at), *([BoxArmed(at, turn)] if self._ready and self._due else [])]

    def disarm(self, at: float) -> list[DiceEvent]:
        """No throw is due."""
        self.wanted = None
        self._anew()
        return []

    def _anew(self) -> None:
        self._undue_told = False
        for die in self._dice.values():
            die.told.clear()

    # what the radio says

    def come(self, name: str, at: float) -> list[DiceEvent]:
        """A die is in reach; whatever it did before is not known."""
        self._dice[name] = _Die()
        return self._link(at)

    def gone(self, name: str, at: float, why: str = "") -> list[DiceEvent]:
        """A die is out of reach, or asleep. why: for what it was let go instead, which is said in any case."""
        die = self._dice.pop(name, None)
        said: list[DiceEvent] = [DiceSaid(at, why)] if why else []
        if die is None:
            return said
        text = why or f"{name} is out of reach."
        if not why and self._due and die.tumbles is not None and name not in self._fallen:
            text += " How it comes to rest will not be heard: throw it again when it is back."
        return [*self._link(at, text), *said] or [DiceSaid(at, text)]

    def _link(self, at: float, text: str = "") -> list[DiceEvent]:
        """Whether there are enough dice for the throw that was due last. text: why there are fewer than before."""
        before, self._ready = self._ready, self._need <= min(len(self._dice), MOST_DICE)
        if self._ready and not before:
            return [LinkReady(at, AIR, self._last)]
        if self._ready or not (before or text):
            return []
        if not self._dice:
            return [LinkLost(at, f"{text} It is looked for; until then, enter the dice on the phone.")]
        if self._need > MOST_DICE:
            text = f"{text} {self._need} dice are due, and these dice are {MOST_DICE} at most.".strip()
            return [DiceUnfit(at, "range", text)]
        names, are = " and ".join(self._dice), "is" if len(self._dice) == 1 else "are"
        return [DiceUnfit(at, "range", f"{text} {self._need} dice are due, but only {names} {are} in reach.".strip())]

    def hear(self, name: str, word: Word, at: float) -> list[DiceEvent]:
        """A die said something."""
        die = self._dice.get(name)
        if die is None:
            return []
        match word:
            case Tumbling():
                return self._tumbles(die, at)
            case Rested(face) if die.tumbles is not None:
                return self._rested(name, die, face, at)
            case Rested() | Turned():
                return self._turned(name, die, at)
            case Cocked():
                return self._fell_badly(name, die, f"{name} lies crooked: throw it again.", at)
            case Feigned():
                return self._fell_badly(name, die, f"{name} was not really thrown: throw it again.", at)
            case Charge(percent, low):
                return self._charge(name, percent, low, at)
        return []

    def tick(self, at: float) -> list[DiceEvent]:
        """Time has passed: call every 0.5 s or so."""
        events = self._complete(at)
        if not self._due:
            return events
        for name, die in self._dice.items():
            if die.tumbles is None or name in self._fallen:
                continue
            if at - max(die.tumbles, self._since) > UNHEARD:
                text = f"I have not heard how {name} came to rest. If it lies still, throw it again."
                events += self._once(die, "unheard", text, at)
        return events

    # dice

    def _tumbles(self, die: _Die, at: float) -> list[DiceEvent]:
        """Dice that are shaken say so again and again: what counts is when they began, in this throw."""
        if die.tumbles is not None and die.tumbles >= self._since:
            return []
        die.tumbles = at
        if not self._due:
            return []
        first = not self._fallen and not any(each.tumbles for each in self._dice.values() if each is not die)
        if first:
            self._began = at
        return [BoxNoticed(at, "spin")] if first else []

    def _rested(self, name: str, die: _Die, face: int, at: float) -> list[DiceEvent]:
        die.tumbles = None
        if not self._due:
            return self._undue(name, face, at)
        if name in self._fallen:
            text = f"{name} was thrown twice: the first time counts, when it showed {self._fallen[name]}."
            return self._once(die, "twice", text, at)
        self._fallen[name] = face
        return self._complete(at)

    def _turned(self, name: str, die: _Die, at: float) -> list[DiceEvent]:
        """On a face, but nobody heard it tumble: turned by hand, or said twice."""
        die.tumbles = None
        if not self._due or name in self._fallen:
            return []
        return self._once(die, "turned", f"{name} was turned, not thrown: that does not count.", at)

    def _fell_badly(self, name: str, die: _Die, text: str, at: float) -> list[DiceEvent]:
        fell, die.tumbles = die.tumbles is not None, None
        if not fell or not self._due or name in self._fallen:
            return self._complete(at)
        return [DiceSaid(at, text)]

    def _charge(self, name: str, percent: int, low: bool, at: float) -> list[DiceEvent]:
        """Said once, until it was charged."""
        if not low:
            self._weak.discard(name)
            return []
        if name in self._weak:
            return []
        self._weak.add(name)
        return [DiceSaid(at, f"The battery of {name} is low ({percent} %): charge it soon.")]

    def _once(self, die: _Die, what: str, text: str, at: float) -> list[DiceEvent]:
        """Said once a throw."""
        if what in die.told:
            return []
        die.told.add(what)
        return [DiceSaid(at, text)]

    # rolls

    def _complete(self, at: float) -> list[DiceEvent]:
        """The roll, if enough dice lie, and none too many is about to fall."""
        due = self._due
        if due is None or len(self._fallen) < due.dice or self._one_more(at):
            return []
        roll = self._number(due.turn, tuple(self._fallen.values()), at)
        self._fallen.clear()
        if len(roll.faces) != due.dice:
            text = f"The dice showed {show(roll)}, but {asked_for(due.dice)}. The players decide."
            return [RollApart(at, AIR, roll, "dice", text)]
        self._spent, self._undue_told = due.turn, False
        return [RollHeard(at, AIR, roll)]

    def _one_more(self, at: float) -> bool:
        """Whether a die that has not fallen yet began to tumble a moment ago."""
        others = (die for name, die in self._dice.items() if name not in self._fallen)
        return any(die.tumbles is not None and at - die.tumbles < TOGETHER for die in others)

    def _undue(self, name: str, face: int, at: float) -> list[DiceEvent]:
        """Rolled without being asked for: said once between two throws, or everyone who plays with a die is told so."""
        if self._undue_told:
            return [Remark(at, f"{name} showed {face}, undue")]
        self._undue_told = True
        text = f"{name} showed {face}, but no throw is due: that does not count."
        return [RollApart(at, AIR, self._number(0, (face,), at), "undue", text)]

    def _number(self, turn: int, faces: tuple[int, ...], at: float) -> BoxRoll:
        self._last = next_id(self._last)
        return BoxRoll(self._last, turn, faces, max(0, int(1000 * (at - self._began))) if turn else 0)
