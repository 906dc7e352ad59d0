"""How a game stands by its spaces: so the page sets the position of a game that it knows nothing of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.contract import Game
from companion.games.state_json import is_whole, shown, whole
from companion.model import Position, StateError
from companion.page.ways import WAYS

STANDS = "stands"


def with_stands(game: Game[Any], state: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    """STATE for the page, where it cannot read it itself with what stands where: space → seats."""
    if game.stacks or game.name in WAYS:
        return dict(data)
    return {**data, STANDS: {name: list(content) for name, content in game.position(state).items_}}


def state_told(game: Game[Any], told: Mapping[str, Any], like: Any) -> Mapping[str, Any]:
    """STATE as it was told, or that of a board on which the pieces stand as was told instead. like: the state before.

    Raises StateError.
    """
    if STANDS not in told:
        return told
    stands, due = told[STANDS], whole(told, "due", game.seats)
    if not isinstance(stands, Mapping):
        raise StateError(f"{STANDS} {shown(stands)}: expected an object, space to a list of seats")
    for space, seats in stands.items():
        if not isinstance(seats, list) or not all(map(is_whole, seats)):
            raise StateError(f"{STANDS}.{space} {shown(seats)}: expected a list of seats")
    return game.to_json(game.with_position(Position.of(stands), due, like))
