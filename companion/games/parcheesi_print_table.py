"""The pieces of all players on the board of Parcheesi, and what the player on turn sees of them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from companion.games import parcheesi_walk as walk
from companion.games.parcheesi_board import BASE, MOUTH, NAMES, SEATS, TRACK, track_space
from companion.model import Seat, Step

Pieces = tuple[tuple[int, ...], ...]
"""seat (0 to 3) → progress of its pieces, ascending; () where nobody sits."""

CACHED = 1 << 12


def seen_by(seat: Seat, other: Seat, progress: int) -> int:
    """The progress that a piece of `seat` has on the track space where `other` has `progress`."""
    return (track_space(other, progress) - track_space(seat, 0)) % TRACK


def opponents_on(pieces: Pieces, seat: Seat, progress: int) -> tuple[tuple[Seat, int], ...]:
    """The opponents' pieces on the track space where `seat` has `progress`, each with its own progress."""
    if not BASE < progress <= MOUTH:
        return ()
    there = ((owner, seen_by(owner, seat, progress)) for owner in SEATS if owner != seat)
    return tuple((owner, p) for owner, p in there if p <= MOUTH and p in pieces[owner])


@lru_cache(maxsize=CACHED)
def field_of(pieces: Pieces, seat: Seat) -> walk.Field:
    """The board as the pieces of `seat` see it at the beginning of a play."""
    single = double = 0
    for other in SEATS:
        if other == seat:
            continue
        for progress in pieces[other]:
            if BASE < progress <= MOUTH and (here := seen_by(seat, other, progress)) <= MOUTH:
                double |= single & 1 << here
                single |= 1 << here
    return walk.Field(walk.marked(pieces[seat]), single & ~double, double)


@lru_cache(maxsize=CACHED)
def moved(pieces: Pieces, seat: Seat, origin: int, target: int) -> Pieces:
    """The pieces with one of `seat` elsewhere."""
    own = list(pieces[seat])
    own.remove(origin)
    own.append(target)
    return (*pieces[:seat], tuple(sorted(own)), *pieces[seat + 1 :])


def after(pieces: Pieces, seat: Seat, stride: walk.Stride) -> Pieces:
    """The pieces after a stride of `seat`, with what it captures back in base."""
    then = moved(pieces, seat, stride.origin, stride.target)
    if stride.captures:
        for owner, progress in opponents_on(pieces, seat, stride.target):
            then = moved(then, owner, progress, BASE)
    return then


def step_of(pieces: Pieces, seat: Seat, by: str, stride: walk.Stride) -> Step:
    """A stride of `seat`, moved by `by`, with the names of its spaces."""
    plain = _plain_step(seat, by, stride.origin, stride.target)
    if not stride.captures:
        return plain
    victims = opponents_on(pieces, seat, stride.target)
    return replace(plain, captures=tuple((owner, NAMES[owner][BASE]) for owner, _ in victims))


@lru_cache(maxsize=CACHED)
def _plain_step(seat: Seat, by: str, origin: int, target: int) -> Step:
    return Step(seat, NAMES[seat][origin], NAMES[seat][target], by)
