"""A roll of dice in a tray, said once: when the dice were moved and lie still. Pure: values in, values out."""

from __future__ import annotations

from typing import NamedTuple

from companion.vision.dice_seen import DiceSeen, DieSeen

STILL = 0.7
"""Seconds that the dice must lie still."""
_PATIENCE = 4.0  # seconds after which unrest is asked about
_MOVED = 3.0  # mm: a die that lies nearer than this to where it lay was not moved


class RolledSeen(NamedTuple):
    """The dice came to rest; their values from left to right."""

    values: tuple[int, ...]


class DiceQuestion(NamedTuple):
    """What makes the roll unclear and what to do, in a sentence."""

    text: str


class DiceWatch(NamedTuple):
    """What the watch remembers.

    lying: the picture that the next ones are compared with. since: when it was first seen. stirred: when the dice
    were last at rest, or came into view. told: whether this rest was judged. rolled: the dice of the last roll, or
    those that lay there at the beginning; None before the first rest.
    """

    lying: DiceSeen = DiceSeen()
    since: float = 0.0
    stirred: float = 0.0
    told: bool = False
    rolled: tuple[DieSeen, ...] | None = None


def watch(
    before: DiceWatch, seen: DiceSeen, at: float, expected: int
) -> tuple[DiceWatch, RolledSeen | DiceQuestion | None]:
    """One picture later. at: its time in seconds. expected: how many dice are thrown.

    The dice that lie there when the watch begins are no roll. Dice that a hand covered and that lie where they lay
    are no new roll.
    """
    if not _alike(before.lying, seen):
        began = at if before.told else before.stirred
        after = before._replace(lying=seen, since=at, stirred=began, told=False)
        return _impatient(after, seen, at)
    if before.told or at - before.since < STILL:
        return before, None
    return _rest(before._replace(told=True, stirred=at), seen, expected)


def _impatient(after: DiceWatch, seen: DiceSeen, at: float) -> tuple[DiceWatch, DiceQuestion | None]:
    if at - after.stirred < _PATIENCE or not seen.dice or after.rolled is None:
        return after, None
    text = "The dice do not lie still, or cannot be read steadily: let them lie, or tell the roll by hand."
    return after._replace(stirred=at), DiceQuestion(text)


def _rest(after: DiceWatch, seen: DiceSeen, expected: int) -> tuple[DiceWatch, RolledSeen | DiceQuestion | None]:
    if after.rolled is None:
        return after._replace(rolled=seen.dice), None
    if not (seen.dice or seen.doubts) or _unmoved(after.rolled, seen.dice):
        return after, None
    if seen.doubts:
        return after, DiceQuestion(seen.doubts[0])
    if len(seen.dice) != expected:
        return after, DiceQuestion(_wrong_number(len(seen.dice), expected))
    return after._replace(rolled=seen.dice), RolledSeen(tuple(die.value for die in seen.dice))


def _wrong_number(count: int, expected: int) -> str:
    seen = "1 die" if count == 1 else f"{count} dice"
    if count < expected:
        return f"I see {seen} of {expected} in the tray: did one fall out, or lie on another? Throw that one again."
    return f"I see {seen} in the tray, but {expected} are thrown: take the others out."


def _alike(one: DiceSeen, other: DiceSeen) -> bool:
    return bool(one.doubts) == bool(other.doubts) and _unmoved(one.dice, other.dice)


def _unmoved(before: tuple[DieSeen, ...], now: tuple[DieSeen, ...]) -> bool:
    """Whether the same values lie at the same places."""
    left = list(before)
    for die in now:
        same = next((b for b in left if b.value == die.value and _near(b, die)), None)
        if same is None:
            return False
        left.remove(same)
    return not left


def _near(one: DieSeen, other: DieSeen) -> bool:
    return (one.x_mm - other.x_mm) ** 2 + (one.y_mm - other.y_mm) ** 2 < _MOVED**2
