"""The boards of Aggravation: four or six sections of 14 holes clockwise, HOME, BASE and the centre; names ⇄ progress.

Progress of a marble with A arms: −1 BASE, 0 START, 14A − 2 the mouth of its HOME, 14A − 1 … 14A + 2 HOME, 900 the
centre. The board looks the same from every seat: a marble meets the stars at 5, 19, … and its own section's last.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from companion.model import Seat

ARMS = (4, 6)
SECTION = 14
"""Holes of the track in one section."""
START_OFFSET = 9
"""START lies so far from the star of its section."""
BASE, START, CENTER = -1, 0, 900
CENTER_NAME = "center"


class Board(NamedTuple):
    """One board. names: seat → progress → space; progress: seat → space → progress, where the seat can stand."""

    arms: int
    track: int
    mouth: int
    home: tuple[int, int, int, int]
    stars: tuple[int, ...]
    names: tuple[dict[int, str], ...]
    progress: tuple[dict[str, int], ...]
    spaces: tuple[str, ...]

    @property
    def own_star(self) -> int:
        """The progress of the star of one's own section: the last on the way."""
        return self.stars[-1]

    def hole(self, seat: Seat, progress: int) -> int:
        """The number of the track hole on which a marble of `seat` with `progress` (0 to mouth) stands."""
        return (SECTION * seat + START_OFFSET + progress) % self.track


@cache
def board(arms: int) -> Board:
    """The board with so many arms."""
    track = SECTION * arms
    names = tuple(_names(seat, track) for seat in range(arms))
    home = (track - 1, track, track + 1, track + 2)
    off_track = (names[seat][p] for seat in range(arms) for p in (*home, BASE))
    return Board(
        arms=arms,
        track=track,
        mouth=track - 2,
        home=home,
        stars=tuple(range(SECTION - START_OFFSET, track, SECTION)),
        names=names,
        progress=tuple({name: p for p, name in known.items()} for known in names),
        spaces=(*(f"t{n}" for n in range(track)), *off_track, CENTER_NAME),
    )


def _names(seat: Seat, track: int) -> dict[int, str]:
    way = {p: f"t{(SECTION * seat + START_OFFSET + p) % track}" for p in range(track - 1)}
    home = {track - 2 + n: f"lane{seat}.{n}" for n in range(1, 5)}
    return {BASE: f"base{seat}", **way, **home, CENTER: CENTER_NAME}
