"""The way of each seat: progress → space, by the numbers that RULES.md gives for each race game.

Progress −1 is the base, 0 the entry. Two numbers may mean one space (Gloria's start, 0 and 40).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from companion.model import FAILURES, Seat, Sheet

LOG = logging.getLogger(__name__)
Way = Mapping[int, str]
Ways = Mapping[Seat, Way]
"""seat → progress → space."""

_BASE, _CENTER = -1, 900


def ways_of(sheet: Sheet) -> dict[Seat, dict[int, str]]:
    """The ways on this sheet; {} for a game without ways. A seat whose spaces the sheet does not have is left out."""
    made = WAYS.get(sheet.game)
    try:
        ways = {seat: dict(made(seat, sheet)) for seat in sorted(sheet.colors)} if made else {}
        return {seat: way for seat, way in ways.items() if all(is_there(sheet, name) for name in way.values())}
    except FAILURES:  # of a game of other people: the page goes on without, as it does for a game that has none
        LOG.exception("the ways of %s", sheet.game)
        return {}


def is_there(sheet: Sheet, name: str) -> bool:
    """Whether that is a space of the sheet, or an area of several."""
    return name in sheet.spaces or f"{name}.1" in sheet.spaces


def _gloria(seat: Seat, sheet: Sheet) -> dict[int, str]:
    """GLO-3 and GLO-9: 0 the start, 40 the start again, 41–44 the lane, 45 the centre where that is the home."""
    track = {p: f"t{(p + 10 * seat) % 40}" for p in range(41)}
    lane = {40 + n: f"lane{seat}.{n}" for n in range(1, 5)}
    return {_BASE: f"base{seat}", **track, **lane, **({45: "center"} if "center" in sheet.spaces else {})}


def _parcheesi(seat: Seat, sheet: Sheet) -> dict[int, str]:
    """0 the entry, 63 the mouth, 64–70 the lane, 71 HOME; both editions."""
    track = {p: f"t{(p + 17 * seat) % 68}" for p in range(64)}
    lane = {63 + n: f"lane{seat}.{n}" for n in range(1, 8)}
    return {_BASE: f"base{seat}", **track, **lane, 71: f"home{seat}"}


def _aggravation(seat: Seat, sheet: Sheet) -> dict[int, str]:
    """0 START, nine holes after the section's star; 14A − 2 the mouth, then HOME; 900 the centre."""
    holes = sum(1 for name in sheet.spaces if name.startswith("t") and name[1:].isdigit())
    track = {p: f"t{(14 * seat + 9 + p) % holes}" for p in range(holes - 1)}
    lane = {holes - 2 + n: f"lane{seat}.{n}" for n in range(1, 5)}
    return {_BASE: f"base{seat}", **track, **lane, _CENTER: "center"}


WAYS: dict[str, Callable[[Seat, Sheet], dict[int, str]]] = {
    "aggravation": _aggravation,
    "gloria": _gloria,
    "parcheesi": _parcheesi,
    "parcheesi-print": _parcheesi,
}
"""game → the way of a seat on a sheet; those of other packages, too."""
