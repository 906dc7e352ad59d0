"""What a configuration means: the game, its board, its questions, and who plays which colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calibration.sheet import BOARDS, board_for
from companion.decks import Question, builtin_deck, read_decks
from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.model import ConfigError, Seat, Sheet
from companion.service.boards.configured import Table, board_options, table_of
from companion.service.config import Config
from companion.service.naming import seat_names


@dataclass(frozen=True)
class Meaning:
    """All that needs no device. members: who plays each seat where teams do."""

    game: Game[Any]
    table: Table
    questions: tuple[Question, ...]
    members: Mapping[Seat, tuple[str, ...]]


def meaning_of(config: Config) -> Meaning:
    """Read all that the configuration names. Raises BadInput, which names the file and its part."""
    game = configured_game(config)
    table = table_of(config, game)
    return Meaning(game, table, questions_of(config, game), members_of(config, table, game))


def configured_game(config: Config) -> Game[Any]:
    """The game with its seats and options. Raises OptionError."""
    with config.naming("[game]"):
        return game_for(config.game.name, config.game.seats, config.game.options)


def questions_of(config: Config, game: Game[Any]) -> tuple[Question, ...]:
    """The digital deck that is configured; () for cards on the table. Raises DeckError, ConfigError."""
    if not config.game.deck:
        return ()
    with config.naming("[game] deck:"):
        if type(game).answer is Game.answer:
            raise ConfigError(f"{game.title} has no questions; leave it out")
        return builtin_deck() if config.game.deck == "builtin" else read_decks(config.path(config.game.deck))


def members_of(config: Config, table: Table, game: Game[Any]) -> dict[Seat, tuple[str, ...]]:
    """Who plays each seat where teams do. Raises ConfigError for a colour that nobody plays."""
    return members_on(config, table.sheet, game)


def members_on(config: Config, sheet: Sheet, game: Game[Any]) -> dict[Seat, tuple[str, ...]]:
    """The same on another board. What it calls red is red by that name, too, as on the printed board: who calls it
    otherwise on the set-up page does not think of the configuration. Raises ConfigError."""
    seats = {name: seat for seat, name in seat_names(sheet, game.seats).items()}
    usual = {name: seat for seat, name in seat_names(_printed(game) or sheet, game.seats).items()}
    members = dict[Seat, tuple[str, ...]]()
    with config.naming("[game] members:"):
        for color, names in config.game.members.items():
            seat = (usual | seats).get(color)
            if seat is None:
                raise ConfigError(f"nobody plays {color!r}; at the table are {', '.join(seats)}")
            if seat in members:
                raise ConfigError(f"{color!r} is named twice: this board calls it {sheet.seat_label(seat)!r}")
            members[seat] = tuple(names)
    return members


def _printed(game: Game[Any]) -> Sheet | None:
    """The sheet of the game's printed board, if it has one."""
    return board_for(game.name, board_options(game)).sheet() if game.name in BOARDS else None
