"""A roll of dice in a tray, said once: when the dice were moved and lie still. Pure: values in, values out."""

from __future__ import annotations

import math
from typing import NamedTuple

from companion.vision.dice.seen import DiceSeen, DieSeen

STILL = 0.7
"""Seconds that the dice must lie still."""
ASK = 1.6
"""And before anything is asked about them: a hand that rests in the tray may be about to throw."""
_EMPTY = 6.0  # seconds for which the tray may be empty while dice are due, once they were taken
_PATIENCE = 5.0  # seconds after which unrest is asked about
_MOVED = 3.0  # mm: a die that lies nearer than this to where it lay was not moved
_UNTOUCHED = 2.0  # mm: dice of the same values that all lie nearer than this were only covered
_NUDGED = 10.0  # mm: and nearer than this they were nudged, unless their places were seen without them


class RolledSeen(NamedTuple):
    """The dice came to rest; their values from left to right."""

    values: tuple[int, ...]


class DiceQuestion(NamedTuple):
    """What makes the roll unclear and what to do, in a sentence. guess: what the dice seem to show, from left to right,
    if it is only not certain that they do. lying: how many dice lie there, if only their number is wrong."""

    text: str
    guess: tuple[int, ...] = ()
    lying: int = 0


class DiceUndue(NamedTuple):
    """Dice were thrown while none were due."""

    values: tuple[int, ...]


DiceWord = RolledSeen | DiceQuestion | DiceUndue


class DiceWatch(NamedTuple):
    """What the watch remembers.

    lying: what the next pictures are compared with, None while something moves. since: when it was first seen.
    stirred: when unrest began, inf once it was asked about. told, asked: whether this rest was judged, and asked about.
    rolled: the dice that were judged last, or lay there at the beginning; None before the first rest. moved: whether
    anything moved since those were judged. lifted: whether the bare tray, or the places where they lay without them,
    were seen since.
    """

    lying: DiceSeen | None = None
    since: float = 0.0
    stirred: float = 0.0
    told: bool = False
    asked: bool = False
    rolled: tuple[DieSeen, ...] | None = None
    moved: bool = False
    lifted: bool = False


def watch(
    before: DiceWatch, seen: DiceSeen | None, at: float, expected: int, gone: bool = False, bare: bool = True,
    arrived: bool = True,
) -> tuple[DiceWatch, DiceWord | None]:  # fmt: skip
    """One picture later. seen: None while something moves in the tray. at: its time in seconds.

    expected: how many dice are to be thrown, 0 while none are. gone: whether nothing lies where the dice lay, though
    something moves elsewhere. bare: whether a tray without dice is seen bare, and not what lies over it. arrived:
    whether dice lie where the bare tray was seen before: else, where nobody knows what lay there, they may have lain
    there too. The dice that lie there when the watch begins are no roll, nor are dice that were covered and that lie
    where they lay.
    """
    if seen is None:
        lifted = before.lifted or gone
        after = before._replace(lying=None, told=False, asked=False, moved=True, lifted=lifted)
        return _impatient(_stirred(before, after, at, expected), at, expected)
    if before.lying is None or not _alike(before.lying, seen):
        after = before._replace(lying=seen, since=at, told=False, asked=False)
        return _impatient(_stirred(before, after, at, expected), at, expected)
    if not before.told and at - before.since >= STILL:
        return _rest(before._replace(told=True), seen, expected, bare, arrived)
    patience = ASK if seen.dice or seen.doubts else _EMPTY
    if before.told and not before.asked and at - before.since >= patience:
        return _asked(before, seen, expected, arrived)
    return before, None


def settled(before: DiceWatch) -> DiceWatch:
    """The roll was told by hand: whatever lies in the tray is no roll any more."""
    lying = before.lying.dice if before.lying is not None else ()
    return before._replace(rolled=lying, moved=False, lifted=False, told=True, asked=True)


def anew(before: DiceWatch) -> DiceWatch:
    """Another number of dice is due now: what lies there, if it was no roll, may be one."""
    return before._replace(told=False, asked=False)


def _stirred(before: DiceWatch, after: DiceWatch, at: float, expected: int) -> DiceWatch:
    """When this unrest began: now, if the dice were at rest before, or none are due: a hand may be at the board."""
    return after._replace(stirred=at if before.told or not before.stirred or not expected else before.stirred)


def _impatient(after: DiceWatch, at: float, expected: int) -> tuple[DiceWatch, DiceQuestion | None]:
    if not expected or at - after.stirred < _PATIENCE or after.rolled is None:
        return after, None
    text = "The dice do not lie still, or cannot be read steadily: let them lie, or tell the roll by hand."
    return after._replace(stirred=math.inf), DiceQuestion(text)  # once for all this unrest


def _rest(
    after: DiceWatch, seen: DiceSeen, expected: int, bare: bool, arrived: bool
) -> tuple[DiceWatch, DiceWord | None]:
    """The dice lie still: what that means."""
    fresh = after._replace(rolled=seen.dice, moved=False, lifted=False, asked=True)
    if after.rolled is None:
        return fresh, None
    if not seen.dice and not seen.doubts:
        return after._replace(lifted=after.lifted or bare), None
    if not after.moved or (not after.lifted and seen.dice and _unmoved(after.rolled, seen.dice, _UNTOUCHED)):
        return (fresh if seen.dice and not seen.doubts else after._replace(asked=True)), None
    if not expected:
        other = sorted(d.value for d in seen.dice) != sorted(d.value for d in after.rolled)
        new = after.lifted or (other and not _stayed(after, seen))
        thrown = bool(seen.dice) and new and not seen.doubts and not _strange(after, seen, arrived)
        return fresh, DiceUndue(tuple(die.value for die in seen.dice)) if thrown else None
    if _unclear(after, seen, expected, arrived):
        return after, None
    return fresh, RolledSeen(tuple(die.value for die in seen.dice))


def _asked(
    after: DiceWatch, seen: DiceSeen, expected: int, arrived: bool
) -> tuple[DiceWatch, DiceQuestion | None]:
    """What is asked about dice at rest that are no roll, if anything is."""
    text = _unclear(after, seen, expected, arrived)
    after = after._replace(asked=True)
    if not text or not expected or not after.moved:
        return after, None
    count = len(seen.dice) if text == _wrong_number(len(seen.dice), expected) else 0
    word = DiceQuestion(text, _guess(after, seen, expected), count)
    # By now it is known where they lie: thrown again, they count.
    known = after._replace(rolled=seen.dice, moved=False, lifted=False)
    return (known if _strange(after, seen, arrived) else after), word


def _guess(after: DiceWatch, seen: DiceSeen, expected: int) -> tuple[int, ...]:
    """What the dice seem to show, if all of them, and no others, lie there as they were thrown."""
    thrown = len(seen.dice) == expected and not seen.leaning and not _stayed(after, seen)
    return tuple(die.value for die in seen.dice) if thrown and seen.doubts else ()


def _unclear(after: DiceWatch, seen: DiceSeen, expected: int, arrived: bool) -> str:
    """Why these dice are no roll; "" if they are one."""
    if seen.doubts:
        return seen.doubts[0]
    if len(seen.dice) != expected:
        return _wrong_number(len(seen.dice), expected)
    if _strange(after, seen, arrived):
        return "These dice may have lain there before. If they were thrown, throw again or tell the roll by hand."
    stayed = _stayed(after, seen)
    if stayed == expected or (not after.lifted and _unmoved(after.rolled or (), seen.dice, _NUDGED)):
        return "The dice lie almost as before. If they were thrown, throw again or tell the roll by hand."
    if stayed:
        return "Not all of the dice were thrown: take all of them, and throw again."
    return ""


def _strange(after: DiceWatch, seen: DiceSeen, arrived: bool) -> bool:
    """Whether dice lie there that may have lain there unseen: nobody saw what lay there before, nor them come."""
    return bool(seen.dice) and after.rolled == () and not arrived


def _stayed(after: DiceWatch, seen: DiceSeen) -> int:
    """How many dice lie where one lay, which nobody saw going: what it shows may only be read otherwise now."""
    old = after.rolled or ()
    return 0 if after.lifted else sum(any(_near(die, before, _MOVED) for before in old) for die in seen.dice)


def _wrong_number(count: int, expected: int) -> str:
    if not count:
        return "I see no dice in the tray: throw into the tray, or tell the roll by hand."
    seen = "1 die" if count == 1 else f"{count} dice"
    if count < expected:
        return f"I see {seen} of {expected} in the tray: did one fall out, or lie on another? Throw that one again."
    return f"I see {seen} in the tray, but {expected} {'is' if expected == 1 else 'are'} thrown: take the others out."


def _alike(one: DiceSeen, other: DiceSeen) -> bool:
    return bool(one.doubts) == bool(other.doubts) and _unmoved(one.dice, other.dice, _MOVED)


def _unmoved(before: tuple[DieSeen, ...], now: tuple[DieSeen, ...], near: float) -> bool:
    """Whether dice of the same values lie at the same places."""
    left = list(before)
    for die in now:
        same = next((b for b in left if _same(b, die, near)), None)
        if same is None:
            return False
        left.remove(same)
    return not left


def _same(one: DieSeen, other: DieSeen, near: float) -> bool:
    return one.value == other.value and _near(one, other, near)


def _near(one: DieSeen, other: DieSeen, near: float) -> bool:
    return (one.x_mm - other.x_mm) ** 2 + (one.y_mm - other.y_mm) ** 2 < near**2
