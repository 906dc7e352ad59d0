"""What a configuration means: the game, its board, its questions, and who plays which colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.decks import Question, builtin_deck, read_decks
from companion.games.catalogue import game_for
from companion.games.contract import Game
from companion.model import ConfigError, Seat
from companion.service.boards import Table, table_of
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
        if game.name != "gloria":
            raise ConfigError(f"{game.title} has no questions; leave it out")
        return builtin_deck() if config.game.deck == "builtin" else read_decks(config.path(config.game.deck))


def members_of(config: Config, table: Table, game: Game[Any]) -> dict[Seat, tuple[str, ...]]:
    """Who plays each seat where teams do. Raises ConfigError for a colour that nobody plays."""
    seats = {name: seat for seat, name in seat_names(table.sheet, game.seats).items()}
    with config.naming("[game] members:"):
        for color in config.game.members:
            if color not in seats:
                raise ConfigError(f"nobody plays {color!r}; at the table are {', '.join(seats)}")
    return {seats[color]: tuple(names) for color, names in config.game.members.items()}
