"""Gloria's board: 40 track spaces clockwise, four lanes, names ⇄ progress.

Progress of a pawn: −1 base, 0 its start, 1–39 the track, 40 its start again, 41–44 the lane, 45 the centre (GLO-9).
"""

from __future__ import annotations

from companion.model import Seat

SEATS: tuple[Seat, ...] = (0, 1, 2, 3)
TRACK = 40
QUARTER = 10
LANE = 4
BASE, START, ROUND, LAST, CENTER = -1, 0, 40, 44, 45


def track_space(seat: Seat, progress: int) -> int:
    """The number of the track space on which a pawn of `seat` with `progress` (0 to 40) stands."""
    return (progress + QUARTER * seat) % TRACK


def _name(seat: Seat, progress: int) -> str:
    if progress == BASE:
        return f"base{seat}"
    if progress == CENTER:
        return "center"
    return f"t{track_space(seat, progress)}" if progress <= ROUND else f"lane{seat}.{progress - ROUND}"


NAMES: tuple[dict[int, str], ...] = tuple(
    {progress: _name(seat, progress) for progress in range(BASE, CENTER + 1)} for seat in SEATS
)
"""seat → progress → name of the space; 0 and 40 are the same space."""

PROGRESS: tuple[dict[str, int], ...] = tuple(
    {name: p for p, name in names.items() if p != ROUND} for names in NAMES
)
"""seat → name of the space → progress, its start as 0; spaces that no pawn of the seat can reach are missing."""

SPACES: tuple[str, ...] = (
    *(f"t{n}" for n in range(TRACK)),
    *(f"lane{seat}.{n}" for seat in SEATS for n in range(1, LANE + 1)),
    *(f"base{seat}" for seat in SEATS),
)
