"""Rolls between dice and referee: what counts as one, how the journal keeps it, and what is said of it."""

from __future__ import annotations

import operator
from collections.abc import Collection, Sequence
from typing import Any, get_args

from companion.dice import BoxRoll, DiceEvent, RollApart, RollHeard
from companion.model import BadInput, Roll, Rolled
from companion.referee.belief import Act, Bench
from companion.referee.hearing import named
from companion.referee.phrases import dice_words, sentence_case
from companion.service.table.presenter import headline, throwable, to_do
from companion.service.table.tray import DiceQuestion


def with_guess(word: DiceQuestion) -> tuple[str, tuple[tuple[int, ...], ...]]:
    """What is asked about the dice, and what they seem to show, if anybody can say."""
    if not word.guess:
        return word.text, ()
    shown = f"it shows {word.guess[0]}" if len(word.guess) == 1 else f"they show {dice_words(word.guess)}"
    return f"{word.text} If {shown}, tap that.", (word.guess,)


def waits_already(word: Act) -> str:
    """That a word waits, which comes before any roll."""
    what = "a roll" if isinstance(word, Rolled) else named(word)
    return f"{sentence_case(what)} waits already: it counts as soon as the board is as it should be."


def due_instead(bench: Bench, told: int) -> str:
    """What to say where another number of dice was told than is due: what is."""
    if bench.early:
        return waits_already(bench.early[-1].word)
    due = throwable(bench)
    if not due:
        return f"No dice are due now. {to_do(bench)}"
    dice = "One die is" if due == (1,) else f"{' or '.join(str(n) for n in due)} dice are"
    return f"{dice} due now, not {told}. {headline(bench)}"


def roll_of(dice: tuple[int, ...]) -> Roll:
    """The roll that a phone tells. Raises BadInput."""
    try:
        return Roll(dice)
    except ValueError as error:
        raise BadInput(str(error)) from None


def so_many(dice: Sequence[int]) -> str:
    """(1,) → "1 die is"; (1, 2) → "1 or 2 dice are"."""
    return "1 die is" if dice == (1,) else f"{' or '.join(map(str, dice))} dice are"


def no_event(event: object) -> str:
    """Why that is no event of dice, whoever wrote their driver; "" if it is one."""
    if not isinstance(event, get_args(DiceEvent)):
        return f"The dice tell {event!r:.60}, which is none of the values in companion/dice/events.py."
    if not isinstance(event, RollHeard | RollApart):
        return ""
    roll = event.roll
    if not isinstance(roll, BoxRoll):
        return f"The dice tell of a roll {roll!r:.60}, which is no BoxRoll."
    odd = [number for number in (roll.id, roll.turn) if not isinstance(number, int)]
    return f"The dice tell of a roll with {odd[0]!r:.60}, where a number must be: {roll!r:.90}" if odd else ""


def as_faces(faces: Collection[object]) -> tuple[int, ...] | None:
    """What dice show, as plain whole numbers of 1 to 6; None where that cannot be (0, 7, text, halves, none)."""
    try:
        found = tuple(operator.index(face) for face in faces if not isinstance(face, bool))  # type: ignore[arg-type]
    except TypeError:
        return None
    return found if found and len(found) == len(faces) and all(1 <= face <= 6 for face in found) else None


def record_of(event: RollHeard | RollApart) -> dict[str, Any]:
    """A roll of the dice box as the journal keeps it."""
    roll = event.roll
    return {"dev": event.dev, "id": roll.id, "turn": roll.turn, "dice": list(roll.faces)}
