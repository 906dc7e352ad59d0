"""Where so many players sit, if nobody says: on the board of a game, two opposite each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calibration.sheet import BOARDS, sheet_of
from companion.model import Seat


def seats_of(game: str, options: Mapping[str, Any], count: int | None = None) -> tuple[Seat, ...]:
    """The seats that so many players take; None: as many as usually play. Two sit opposite each other. Raises BadInput
    where the game's board cannot be drawn."""
    return seats_among(sorted(sheet_of(game).colors) if game in BOARDS else range(4), game, options, count)


def seats_among(
    there: Sequence[Seat], game: str, options: Mapping[str, Any], count: int | None = None
) -> tuple[Seat, ...]:
    """As `seats_of`, of the seats that there are."""
    options = options if game == "aggravation" else {}
    if count is None:
        teams = options.get("play") == "teams"
        count = 2 if game == "game-of-god" else 6 if teams else min(4, len(there))
    arms = options.get("arms", 6 if count > 4 else 4)
    if arms == 6 and count in (2, 3, 4):
        return {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4)}[count]
    if len(there) == 4 and count in (2, 3):
        return {2: (0, 2), 3: (0, 1, 3)}[count]
    return tuple(there[:count]) if count <= len(there) else tuple(range(count))
