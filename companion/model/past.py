"""The games that were played here, for who reads in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

from companion.model.table import PlayLine

SET_SINCE = 1_577_836_800
"""Before 2020 the clock was not set yet; seconds since 1970. The page's scripts know it too."""


def is_draw(game: str, winners: Sequence[Any]) -> bool:
    """Whether those who won that game share a draw (GOD-15); partners and teams win together. The page knows it too."""
    return game == "game-of-god" and len(winners) > 1


@dataclass(frozen=True, slots=True)
class PastGame:
    """One game of the journal. number: its own. title: as people call it. players, winners: colour words.

    began, ended: seconds since 1970; ended: None while it is played, or where the referee was never told. draw: whether
    the winners share a draw.
    """

    number: int
    title: str
    players: tuple[str, ...]
    began: float
    ended: float | None = None
    winners: tuple[str, ...] = ()
    draw: bool = False


@dataclass(frozen=True, slots=True)
class PastLine:
    """One line of its story. picture: the name of what the camera saw then, None where that is not kept."""

    play: PlayLine
    picture: str | None = None


@dataclass(frozen=True, slots=True)
class PastStory:
    """A game with all that was said in it, in order."""

    game: PastGame
    lines: tuple[PastLine, ...]


class PastGames(Protocol):
    """What the page needs to tell of earlier games; every call may come from any thread and raises JournalError."""

    def games(self) -> Sequence[PastGame]:
        """All of them, the newest first."""
        ...

    def story(self, number: int) -> PastStory | None:
        """The game of that number, None where there is none."""
        ...

    def packed(self, number: int) -> BinaryIO | None:
        """It as a ZIP archive, with all that was seen, told and ruled, to be closed; None where there is none."""
        ...
