"""The games of a journal as the page shows them: listed, told, and packed to be taken along."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, BinaryIO

from calibration.sheet import board_for
from companion.games.catalogue import game_for
from companion.journal import Game, Journal, Pictures
from companion.model import BadInput, Kind, Seat, Sheet, Verdict
from companion.model.past import PastGame, PastLine, PastStory, is_draw
from companion.service.boards.configured import board_options
from companion.service.config import Config
from companion.service.naming import seat_names
from companion.service.records.saved_game import packed_game
from companion.service.table.story import told

WITH_PICTURE = (Kind.ILLEGAL, Kind.UNCLEAR)
"""What is shown with what the camera saw then."""


class Stories:
    """The games of a journal, for the page. board: what the journal calls the one on the table, and its sheet, which
    names the seats of games that were played on it. config: of the table, whose boards games are packed with."""

    def __init__(
        self, journal: Journal, pictures: Pictures, board: tuple[str, Sheet] | None = None, config: Config | None = None
    ) -> None:
        self._journal, self._pictures, self._board, self._config = journal, pictures, board, config or Config()

    def games(self) -> list[PastGame]:
        """All of them, the newest first. Raises JournalError."""
        return [self._past(game) for game in reversed(self._journal.games())]

    def story(self, number: int) -> PastStory | None:
        """The game of that number, None where there is none. Raises JournalError."""
        game = self._game(number)
        if game is None:
            return None
        there = set(self._pictures.of_game(number))
        said = told(self._journal.entries(number, looks=False))
        lines = tuple(PastLine(line, _picture(number, verdict, there)) for verdict, line in said)
        return PastStory(self._past(game), lines)

    def packed(self, number: int) -> BinaryIO | None:
        """That game as a ZIP archive, None where there is none. Raises JournalError."""
        game = self._game(number)
        return None if game is None else packed_game(self._journal, game, self._pictures, self._config)

    def _game(self, number: int) -> Game | None:
        return next((game for game in self._journal.games() if game.id == number), None)

    def _past(self, game: Game) -> PastGame:
        title, names = _called(game)
        if self._board is not None and game.sheet == self._board[0]:
            names = seat_names(self._board[1], game.seats)
        winners = tuple(names.get(seat, str(seat)) for seat in dict(game.result or {}).get("winners", ()))
        draw = is_draw(game.game, winners)
        return PastGame(game.id, title, tuple(names.values()), game.started, game.ended, winners, draw)


def _picture(number: int, verdict: Verdict, there: set[str]) -> str | None:
    """What the camera saw of a foul, or of what it asked about, if that is among the kept pictures."""
    if verdict.kind not in WITH_PICTURE:
        return None
    with contextlib.suppress(ValueError, OverflowError):  # a damaged journal may tell of no time at all
        name = Pictures.name(number, verdict.at, "after")
        return name if name in there else None
    return None


def colors_of(game: Game) -> Mapping[Seat, str]:
    """Who played, by the colours of the printed board; by numbers in a game that this Companion does not know."""
    return _called(game)[1]


def _called(game: Game) -> tuple[str, Mapping[Seat, str]]:
    return _names_of(game.game, tuple(game.seats), json.dumps(dict(game.options), sort_keys=True))


@lru_cache(maxsize=64)
def _names_of(name: str, seats: tuple[Any, ...], options: str) -> tuple[str, Mapping[Seat, str]]:
    """What people call the game, and who plays; of many evenings most are of few kinds."""
    try:
        game = game_for(name, list(seats), json.loads(options))
        return game.title, seat_names(board_for(name, board_options(game)).sheet(), seats)
    except BadInput:
        return name, {seat: str(seat) for seat in seats}
