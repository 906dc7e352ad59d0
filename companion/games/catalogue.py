"""The games that there are, by name; games and states from JSON; who throws to begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from companion.games.aggravation import Aggravation
from companion.games.contract import Game
from companion.games.game_of_god import GameOfGod
from companion.games.gloria import Gloria
from companion.games.parcheesi import Parcheesi
from companion.games.parcheesi_print import ParcheesiPrint
from companion.games.rolloff import RollOff
from companion.games.state_json import is_whole, shown
from companion.model import FAILURES, BadInput, CompanionError, OptionError, Seat, StateError, raised
from companion.model.board import COMPASS

GAMES: dict[str, type[Game[Any]]] = {
    game.name: game for game in (Aggravation, GameOfGod, Gloria, Parcheesi, ParcheesiPrint)
}
"""The front door enters those of other packages, too: see `companion.service.addons`."""


def game_for(name: str, seats: Sequence[Seat], options: Mapping[str, Any] | None = None) -> Game[Any]:
    """The game `name` with these seats and options. Raises OptionError, which names what there is; BadInput where a
    game of one's own cannot be made, from what it raised."""
    if not isinstance(name, str) or name not in GAMES:
        raise OptionError(f"game {shown(name)}: there is {', '.join(sorted(GAMES))}")
    try:
        return GAMES[name](seats, {} if options is None else options)
    except CompanionError:
        raise
    except FAILURES as error:  # a game of one's own may raise whatever it likes
        more = f"companion rules check --game {name} tells more"
        raise BadInput(f"game {name!r} cannot be made: {raised(error)}; {more}") from error


def roll_off(game: Game[Any], first: Seat) -> RollOff:
    """The throws of COM-1, `first` throwing first and the others in turn order."""
    order = [first]
    while (seat := game.next_seat(order[-1])) != first:
        order.append(seat)
    return RollOff.among(order)


def game_from_json(state: object) -> Game[Any]:
    """The game that STATE names, with its seats and options. Raises OptionError, StateError."""
    if not isinstance(state, Mapping):
        raise StateError(f"state {shown(state)}: expected an object with game, options, seats, due, pieces")
    for key in ("game", "options", "seats"):
        if key not in state:
            raise StateError(f"{key} is missing in the state")
    name, seats, options = state["game"], _seats(state["game"], state["seats"]), state["options"]
    if options is None:
        raise OptionError("options null: expected an object, {} for the usual rules")
    if isinstance(name, str) and isinstance(seats, list) and options == {} and all(map(is_whole, seats)):
        return _plain_game(name, tuple(seats))
    return game_for(name, seats, options)


def _seats(name: object, seats: object) -> Any:
    """Seats as numbers; Game of God, and no other game, names them N, E, S, W."""
    if name != GameOfGod.name or not isinstance(seats, list):
        return seats
    if not all(isinstance(seat, str) and seat in COMPASS for seat in seats):
        raise OptionError(f'seats {shown(seats)}: expected ["N", "S"] or ["N", "E", "S", "W"]')
    return [COMPASS[seat] for seat in seats]


@lru_cache(maxsize=256)
def _plain_game(name: str, seats: tuple[Seat, ...]) -> Game[Any]:
    return game_for(name, seats, {})


def state_from_json(state: object) -> tuple[Game[Any], Any]:
    """The game and its state that STATE describes. Raises OptionError, StateError."""
    game = game_from_json(state)
    assert isinstance(state, Mapping)
    return game, game.from_json(state)


def rules_of(name: str) -> Mapping[str, str]:
    """The sentence of each rule by its id, for players. Raises OptionError."""
    if not isinstance(name, str) or name not in GAMES:
        raise OptionError(f"game {shown(name)}: there is {', '.join(sorted(GAMES))}")
    return GAMES[name].sentences
