"""Rolls between dice and referee: what counts as one, how the journal keeps it, and what is said of it."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, get_args

from companion.dice import BoxRoll, DiceEvent, RollApart, RollHeard
from companion.model import FAILURES, BadInput, Roll, Rolled
from companion.referee.belief import Act, Bench
from companion.referee.hearing import named
from companion.referee.phrases import dice_words, sentence_case
from companion.service.table.presenter import headline, throwable, to_do
from companion.service.table.tray import DiceQuestion

LARGEST = 10**18
"""The numbers of rolls are less: the journal keeps 64 bits of them."""
NEEDED = ("dev", "text", "id", "turn", "last", "count")
"""What the service goes by of what dice tell."""


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
    return f"{sentence_case(so_many(due))} due now, not {told}. {headline(bench)}"


def roll_of(dice: tuple[int, ...]) -> Roll:
    """The roll that a phone tells. Raises BadInput."""
    try:
        return Roll(dice)
    except ValueError as error:
        raise BadInput(str(error)) from None


def so_many(dice: Sequence[int]) -> str:
    """(1,) → "one die is"; (1, 2) → "1 or 2 dice are"."""
    return "one die is" if dice == (1,) else f"{' or '.join(map(str, dice))} dice are"


def no_event(event: object) -> str:
    """Why that is no event of dice, whoever wrote their driver; "" if it is one."""
    if not isinstance(event, get_args(DiceEvent)):
        return f"The dice tell {event!r:.60}, which is none of the values in companion/dice/events.py."
    if odd := _odd_field(event):
        return f"The dice tell {odd}: {event!r:.90}"
    if not isinstance(event, RollHeard | RollApart):
        return ""
    roll = event.roll
    if not isinstance(roll, BoxRoll):
        return f"The dice tell of a roll {roll!r:.60}, which is no BoxRoll."
    odd = _odd_field(roll)
    return f"The dice tell of a roll with {odd}: {roll!r:.90}" if odd else ""


def _odd_field(value: Any) -> str:
    """What of that which the service needs of an event or a roll, beside the faces, is of another kind than it must be,
    or more than the journal can keep; "" if nothing is."""
    for part in fields(value):
        given = getattr(value, part.name)
        if part.name not in NEEDED:
            continue
        if part.type == "str" and not isinstance(given, str):
            return f"{given!r:.60} as {part.name}, where text must be"
        if part.type == "int" and not (isinstance(given, int) and abs(given) < LARGEST):
            return f"{given!r:.60} as {part.name}, where a whole number must be, of 18 digits at most"
    return ""


def as_faces(faces: Iterable[object]) -> tuple[int, ...] | None:
    """What dice show, as plain whole numbers of 1 to 6; None where that cannot be (0, 7, text, halves, none)."""
    try:
        shown = tuple(faces)
        found = tuple(operator.index(face) for face in shown if not isinstance(face, bool))  # type: ignore[arg-type]
    except FAILURES:  # what makes them one by one may raise whatever it likes
        return None
    return found if found and len(found) == len(shown) and all(1 <= face <= 6 for face in found) else None


def record_of(event: RollHeard | RollApart) -> dict[str, Any]:
    """A roll of the dice box as the journal keeps it."""
    roll = event.roll
    return {"dev": event.dev, "id": roll.id, "turn": roll.turn, "dice": list(roll.faces)}
