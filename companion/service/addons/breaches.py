"""Breaches of what a game promises: each in a sentence, once, with the first state that showed it."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from companion.games.contract import Game
from companion.model import FAILURES, raised

_WATCH = "patience.py"
_OURS = ("aggravation", "game-of-god", "gloria", "parcheesi", "parcheesi-print")
"""The games that come with this program; the catalogue holds those too that hobbyists add to it."""
LONGEST = 400
"""Characters of a state that are shown."""


class Spoilt(Exception):
    """What was asked of the game has failed and is noted: what builds on the answer is not looked at."""


@dataclass(slots=True)
class Breach:
    """One promise that is not kept. state: the first that showed it, as text; when: how to come there again."""

    text: str
    state: str
    when: str
    times: int = 1


@dataclass
class Breaches:
    """What was found so far. when: where the trial is now ("seed 3, 2 players")."""

    found: dict[str, Breach] = field(default_factory=dict)
    when: str = ""

    def note(self, kind: str, text: str, state: Any = None) -> None:
        """One more of that kind; only the first is told in words."""
        if kind in self.found:
            self.found[kind].times += 1
        else:
            self.found[kind] = Breach(text, "" if state is None else shortened(state), self.when)

    def lines(self) -> tuple[str, ...]:
        """A sentence each, with the state beneath."""
        return tuple(line for breach in self.found.values() for line in _lines(breach))


def _lines(breach: Breach) -> tuple[str, ...]:
    again = "" if breach.times == 1 else f"; {breach.times} times in all"
    when = f"  ({breach.when}{again})" if breach.when else ""
    return (f"- {breach.text}{when}", *([f"  in {breach.state}"] if breach.state else []))


def shortened(value: object) -> str:
    """A value as text, cut where it is very long; whatever it is, it does not raise."""
    try:
        text = repr(value)
    except FAILURES as error:
        text = f"a {type(value).__name__} that cannot be shown ({type(error).__name__})"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def blamed(error: BaseException) -> str:
    """The sentence for an error that a game's own code raised: which game, which method, and how to find more; "" where
    no game was asked."""
    frame = asked_in(error)
    if frame is None:
        return ""
    game, method = frame.f_locals["self"], frame.f_code.co_name
    return f"The game {game.name!r} failed in its {method}(): {raised(error)}. {how_to_find(game.name)}"


def is_ours(game: Game[Any]) -> bool:
    """Whether that game comes with this program."""
    return game.name in _OURS


def suspected(error: BaseException, game: Game[Any]) -> str:
    """The sentence for an error of which no game is `blamed`, but over what one of other people may have answered, as
    None, or what is no tuple; "" of the games that come with this program."""
    if is_ours(game):
        return ""
    why = f"The game {game.name!r} may have answered what it must not: {raised(error)}"
    return f"{why}. {how_to_find(game.name)}"


def asked_in(error: BaseException) -> FrameType | None:
    """The call of a game's own method in which the error was raised; None where no game was asked."""
    return asked_among(frame for frame, _ in traceback.walk_tb(error.__traceback__))


def asked_among(calls: Iterable[FrameType]) -> FrameType | None:
    """The first of these calls that is one of a game's own methods; None where no game was asked."""
    for frame in calls:
        game = frame.f_locals.get("self")
        if isinstance(game, Game) and frame.f_globals.get("__name__") != Game.__module__:
            return frame
    return None


def endless(error: BaseException) -> tuple[str, Any]:
    """The sentence for code that took too long, and the state about which a game was asked, None for none."""
    frame = asked_in(error)
    last = traceback.extract_tb(error.__traceback__)
    own = [call for call in last if Path(call.filename).name != _WATCH] or last
    where = f"it was in {Path(own[-1].filename).name}, line {own[-1].lineno}"
    if frame is None:
        return f"{own[-1].name}() does not end: {error}, {where}", None
    return f"{frame.f_code.co_name}() does not end: {error}, {where}", frame.f_locals.get("state")


def how_to_find(game: str) -> str:
    """Where to look for more."""
    return f"For more: companion rules check --game {game}"
