"""Faults of the program, which may come again each round: once in full in the log, and a sentence for players."""

from __future__ import annotations

import logging
import traceback
from typing import Any

from companion.games.contract import Game
from companion.model import raised
from companion.service.addons.breaches import blamed, suspected

OFTEN = 10
"""A fault that came so many times, and so many times that, and so on, is counted in one more line of the log."""
UNTIL_MENDED = "Until that is mended, take the last move back, or begin another game (More)."
GOES_ON = (
    "The referee tries on by itself. If it does not get over this, restart it; "
    "what “companion doctor --bundle FILE.zip” writes helps whoever is to mend it."
)


class Faults:
    """What went wrong so far, by its kind and place."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._times: dict[tuple[str, str, int], int] = {}

    def note(self, what: str, error: BaseException) -> bool:
        """Log a fault: in full when it is a new one, later only that it comes again. what: as the line begins. Returns
        whether it is new, whatever it says: that may be another thing each time, as where an object is in memory."""
        place = _place(error)
        times = self._times[place] = self._times.get(place, 0) + 1
        if times == 1:
            self._log.error("%s", what, exc_info=error)
        elif _is_power(times):
            self._log.error("%s: %s, for the %d. time", what, raised(error), times)
        return times == 1


def said(error: BaseException, game: Game[Any]) -> str:
    """What players are told of a fault in this game: what failed, and what they can do."""
    if why := blamed(error) or suspected(error, game):
        return f"{why}. {UNTIL_MENDED}"
    return f"Something went wrong inside the referee: {raised(error)}. {GOES_ON}"


def _place(error: BaseException) -> tuple[str, str, int]:
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return (type(error).__name__, *((last[0].filename, last[0].lineno or 0) if last else ("", 0)))


def _is_power(times: int) -> bool:
    while times % OFTEN == 0:
        times //= OFTEN
    return times == 1
