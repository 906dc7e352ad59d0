"""The bench: how each word that the referee is told changes what it believes.

`tell` is a pure function from a bench and a word to the next bench and its verdicts; the clock is in the words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.model import (
    AcceptedAsPlayed,
    AgreedToStop,
    Answered,
    Challenged,
    Confirmed,
    Declared,
    DiceCorrected,
    DiceState,
    PositionSet,
    Rolled,
    Saw,
    TakenBack,
    Thrown,
    Undone,
    Word,
    told_at,
)
from companion.referee import hearing, judging, overrides
from companion.referee.belief import Bench, Ruled

__all__ = ["Bench", "tell"]


def tell(bench: Bench, word: Word) -> Ruled:
    """Tell the bench one word. Raises NotDue or BadInput (the bench is then as it was)."""
    return hearing.with_early(_HANDLERS[type(word)](bench, word), told_at(word))


_HANDLERS: Mapping[type, Callable[[Bench, Any], Ruled]] = {
    Saw: judging.saw,
    Thrown: hearing.thrown,
    Rolled: hearing.acted,
    DiceState: hearing.dice_state,
    Confirmed: overrides.confirmed,
    TakenBack: overrides.taken_back,
    AcceptedAsPlayed: overrides.accepted,
    DiceCorrected: overrides.corrected,
    PositionSet: overrides.position_set,
    Undone: overrides.undone,
    Answered: hearing.acted,
    Declared: hearing.acted,
    Challenged: hearing.acted,
    AgreedToStop: hearing.acted,
}
