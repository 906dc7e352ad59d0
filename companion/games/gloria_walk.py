"""Walking in Gloria: where one player's pawns may go with a die, and what they capture on the way home.

Pieces are the progress of every pawn, by seat. Only the space where a pawn ends counts (GLO-4).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from companion.games.gloria_board import BASE, CENTER, LAST, ROUND, SEATS, START, track_space
from companion.model import Seat

Pieces = tuple[tuple[int, ...], ...]
"""seat (0 to 3) → progress of its pawns, ascending; () where nobody sits."""

SIX = 6
CACHED = 1 << 12


class Move(NamedTuple):
    """One pawn's way from progress to progress, whom it captures (None: nobody), and the pieces after it."""

    origin: int
    target: int
    captured: Seat | None
    pieces: Pieces


def is_held(pawns: tuple[int, ...], target: int) -> bool:
    """Whether one of `pawns` stands where another may not land; the start is one space, before the way and after."""
    if target == CENTER:
        return False
    return target in pawns or (target == ROUND and START in pawns) or (target == START and ROUND in pawns)


def rests(progress: int, end: int) -> bool:
    """Whether a pawn there never moves again (GLO-7, GLO-9)."""
    return progress == end or (progress > ROUND and end == LAST)


def victim(pieces: Pieces, seat: Seat, target: int) -> tuple[Seat, int] | None:
    """The opponent's pawn, and its progress, on the track space where `seat` has `target` (GLO-5)."""
    if target > ROUND:
        return None
    space = track_space(seat, target)
    for other in SEATS:
        if other != seat:
            for progress in pieces[other]:
                if BASE < progress <= ROUND and track_space(other, progress) == space:
                    return other, progress
    return None


def moved(pieces: Pieces, seat: Seat, origin: int, target: int) -> Pieces:
    """The pieces with one pawn of `seat` elsewhere."""
    pawns = list(pieces[seat])
    pawns.remove(origin)
    pawns.append(target)
    return (*pieces[:seat], tuple(sorted(pawns)), *pieces[seat + 1 :])


def _move(pieces: Pieces, seat: Seat, origin: int, target: int) -> Move:
    caught = victim(pieces, seat, target)
    after = moved(pieces, seat, origin, target)
    if caught is None:
        return Move(origin, target, None, after)
    return Move(origin, target, caught[0], moved(after, *caught, BASE))


@lru_cache(maxsize=CACHED)
def moves(pieces: Pieces, seat: Seat, die: int, end: int) -> tuple[Move, ...]:
    """Each way to move one pawn of `seat` by `die`, or with a 6 out of base. end: LAST, or CENTER (GLO-9)."""
    return tuple(_moves(pieces, seat, die, end))


def _moves(pieces: Pieces, seat: Seat, die: int, end: int) -> Iterator[Move]:
    pawns = pieces[seat]
    if die == SIX and pawns[0] == BASE and not is_held(pawns, START):
        yield _move(pieces, seat, BASE, START)
    for origin in pawns:
        target = origin + die
        if origin > BASE and target <= end and not rests(origin, end) and not is_held(pawns, target):
            yield _move(pieces, seat, origin, target)


def opening_moves(pieces: Pieces, seat: Seat, parts: tuple[int, ...], *, entered: bool) -> Iterator[tuple[int, Move]]:
    """Each way to use one of `parts` of a roll of several dice: the 6 enters a pawn, which moves the rest (GLO-10)."""
    pawn = pieces[seat][-1]
    if entered:
        for part in dict.fromkeys(parts):
            yield part, _move(pieces, seat, pawn, pawn + part)
    elif SIX in parts:
        yield SIX, _move(pieces, seat, BASE, START)
