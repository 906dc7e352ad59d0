"""The board of both Parcheesi editions: 68 track spaces counterclockwise, four lanes, names ⇄ progress.

Progress of a pawn: −1 base, 0 its entry, 63 the mouth of its lane, 64–70 the lane, 71 HOME.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.model import Seat

SEATS: tuple[Seat, ...] = (0, 1, 2, 3)
CLOCKWISE: tuple[Seat, ...] = (0, 3, 2, 1)
"""Turns pass to the left, against the direction of travel (COM-2)."""

TRACK = 68
ARM = 17
BASE, ENTRY, MOUTH, HOME = -1, 0, 63, 71


def track_space(seat: Seat, progress: int) -> int:
    """The number of the track space on which a pawn of `seat` with `progress` (0 to 63) stands."""
    return (progress + ARM * seat) % TRACK


def _name(seat: Seat, progress: int) -> str:
    if progress == BASE:
        return f"base{seat}"
    if progress == HOME:
        return f"home{seat}"
    return f"t{track_space(seat, progress)}" if progress <= MOUTH else f"lane{seat}.{progress - MOUTH}"


NAMES: tuple[dict[int, str], ...] = tuple(
    {progress: _name(seat, progress) for progress in range(BASE, HOME + 1)} for seat in SEATS
)
"""seat → progress → name of the space."""

PROGRESS: tuple[dict[str, int], ...] = tuple({name: p for p, name in names.items()} for names in NAMES)
"""seat → name of the space → progress; spaces that no pawn of the seat can reach are missing."""

SPACES: tuple[str, ...] = tuple(f"t{n}" for n in range(TRACK)) + tuple(
    NAMES[seat][p] for seat in SEATS for p in (*range(MOUTH + 1, HOME + 1), BASE)
)


def bits(numbers: Iterable[int]) -> int:
    """The set of small numbers as the bits of one integer."""
    return sum(1 << n for n in set(numbers))


SAFE = bits(p for p in range(MOUTH + 1) if p % ARM in (0, 7, 12))
"""Safety spaces by progress; the board looks the same from every seat."""
