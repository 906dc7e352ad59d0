"""Who plays Aggravation with whom, and on which board: the options `arms` and `play`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.aggravation_board import ARMS
from companion.games.state_json import check_options, check_seats, is_whole, shown
from companion.model import OptionError, Seat

SINGLE, PARTNERS, TEAMS = "single", "partners", "teams"
PLAYS = (SINGLE, PARTNERS, TEAMS)

Sides = tuple[tuple[Seat, ...], ...]
"""The seats that win together: one each in single play."""


def check(seats: object, options: object) -> tuple[tuple[Seat, ...], dict[str, Any], int, Sides]:
    """The seats in the order given, the options unchanged, the arms, the sides. Raises OptionError."""
    known = check_options(options, ("arms", "play"), "aggravation")
    arms = _arms(seats, known)
    if isinstance(seats, (list, tuple)) and arms == 4 and _wants_six(seats):
        raise OptionError(f'seats {shown(seats)}: a board of 4 arms has the seats 0 to 3. Take those, or "arms": 6')
    checked = check_seats(seats, range(arms), 2)
    return checked, known, arms, _sides(checked, arms, _play(known))


def _arms(seats: object, options: Mapping[str, Any]) -> int:
    if "arms" not in options:
        return 6 if isinstance(seats, (list, tuple)) and len(seats) > 4 else 4
    arms = options["arms"]
    if not is_whole(arms) or arms not in ARMS:
        raise OptionError(f"arms {shown(arms)}: there are boards of 4 and of 6 arms")
    return int(arms)


def _wants_six(seats: list[object] | tuple[object, ...]) -> bool:
    """Whether the seats are those of a board of six arms, and not of one of four."""
    whole = all(is_whole(seat) and seat in range(6) for seat in seats)
    return whole and (len(seats) > 4 or any(seat in (4, 5) for seat in seats))


def _play(options: Mapping[str, Any]) -> str:
    play = options.get("play", SINGLE)
    if not isinstance(play, str) or play not in PLAYS:
        raise OptionError(f"play {shown(play)}: expected one of {', '.join(PLAYS)}")
    return play


def _sides(seats: tuple[Seat, ...], arms: int, play: str) -> Sides:
    if play == PARTNERS:
        return _partners(seats, arms)
    if play == TEAMS:
        return _teams(seats, arms)
    return tuple((seat,) for seat in seats)


def _partners(seats: tuple[Seat, ...], arms: int) -> Sides:
    """AGG-18: two or three pairs that sit opposite each other."""
    pairs = tuple((seat, seat + arms // 2) for seat in sorted(seats) if seat < arms // 2)
    if len(seats) < 4 or {seat for pair in pairs for seat in pair} != set(seats):
        pairs_of_six = "all six, or two of the pairs seats [0, 3], seats [1, 4], seats [2, 5]"
        fit = "seats [0, 1, 2, 3]" if arms == 4 else pairs_of_six
        raise OptionError(f"seats {shown(seats)}: partners sit opposite each other. On {arms} arms take {fit}")
    return pairs


def _teams(seats: tuple[Seat, ...], arms: int) -> Sides:
    """AGG-21: two teams of three, seated alternately."""
    if len(seats) != 6:
        fit = "seats [0, 1, 2, 3, 4, 5]"
        raise OptionError(f"seats {shown(seats)}: teams are played by 6 players on 6 arms. Take {fit}")
    return (0, 2, 4), (1, 3, 5)
