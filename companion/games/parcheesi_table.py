"""The pieces of all players on the board of either Parcheesi, what the player on turn sees of them, and its steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from companion.games.parcheesi_board import ARM, BASE, MOUTH, NAMES, SEATS, TRACK
from companion.games.parcheesi_stride import WAYS, End, Hand, Way, Ways, marked, progresses
from companion.games.race_pieces import Pieces, moved
from companion.model import Seat, Step

STEPS = tuple(tuple(Step(seat, NAMES[seat][w.origin], NAMES[seat][w.target], w.by) for w in WAYS) for seat in SEATS)
"""seat → number of a way → the step that it is, without captures."""


def seen_by(seat: Seat, other: Seat, progress: int) -> int:
    """The progress that a piece of `seat` has on the track space where `other` has `progress`."""
    return (progress + ARM * (other - seat)) % TRACK


SEEN = tuple(
    tuple(
        {p: 1 << seen_by(seat, other, p) for p in range(MOUTH + 1) if seen_by(seat, other, p) <= MOUTH}
        for other in SEATS
    )
    for seat in SEATS
)
"""seat → opponent → its progress → the space as a bit of the path of `seat`; what is not on that path is missing."""


def opponent_on(pieces: Pieces, seat: Seat, progress: int) -> tuple[Seat, int]:
    """The opponent on the track space where `seat` has `progress`, with its own progress. Raises KeyError for none."""
    for owner in SEATS:
        own = seen_by(owner, seat, progress)
        if owner != seat and own <= MOUTH and own in pieces[owner]:
            return owner, own
    raise KeyError(f"no opponent of seat {seat} on progress {progress}")


def seen(pieces: Pieces, seat: Seat) -> tuple[Hand, int, int]:
    """The board as `seat` sees it when a play begins: its hand, the single opponents and their blockades."""
    single = double = 0
    for other, bits in enumerate(SEEN[seat]):
        if other != seat:
            for progress in pieces[other]:
                here = bits.get(progress, 0)
                double |= single & here
                single |= here
    return marked(pieces[seat]), single & ~double, double


def after(pieces: Pieces, seat: Seat, way: Way, captures: bool) -> Pieces:
    """The pieces after `seat` went a way, with what it captures back in base."""
    then = moved(pieces, seat, way.origin, way.target)
    return moved(then, *opponent_on(pieces, seat, way.target), BASE) if captures else then


def step_of(pieces: Pieces, seat: Seat, way: Way, captures: bool) -> Step:
    """The step of `seat` that goes a way, with what it sends back."""
    if captures:
        return _capturing(seat, way.number, opponent_on(pieces, seat, way.target)[0])
    return STEPS[seat][way.number]


@cache
def _capturing(seat: Seat, number: int, owner: Seat) -> Step:
    return replace(STEPS[seat][number], captures=((owner, NAMES[owner][BASE]),))


class Ends:
    """The ends of the plays of `seat` that begin with `pieces`, where `single` opponents stand alone on its path."""

    def __init__(self, pieces: Pieces, seat: Seat, single: int) -> None:
        self.pieces, self.seat, self.single = pieces, seat, single
        self.others = {single: (pieces[:seat], pieces[seat + 1 :])}
        """Single opponents that are left → the pieces of the seats before and behind."""

    def of(self, found: Iterable[Iterable[End]]) -> dict[Pieces, tuple[Step, ...]]:
        """All pieces at each different end (COM-5), with the steps of one way there."""
        ends: dict[Pieces, tuple[Step, ...]] = {}
        for of_node in found:
            for (hand, single), ways in of_node:
                before, behind = self.others.get(single) or self._left(single)
                pieces = (*before, progresses(hand), *behind)
                if pieces not in ends:
                    ends[pieces] = self._steps(ways, single)
        return ends

    def _left(self, single: int) -> tuple[Pieces, Pieces]:
        """The pieces of the others where only `single` were not captured."""
        pieces, caught = self.pieces, self.single ^ single
        while caught:
            last = caught.bit_length() - 1
            pieces = moved(pieces, *opponent_on(pieces, self.seat, last), BASE)
            caught ^= 1 << last
        self.others[single] = pieces[: self.seat], pieces[self.seat + 1 :]
        return self.others[single]

    def _steps(self, ways: Ways, single: int) -> tuple[Step, ...]:
        """The steps of a play that goes `ways`, and leaves `single`."""
        steps = STEPS[self.seat]
        if single == self.single:
            return tuple([steps[way.number] for way in ways])
        found, left = [], self.single
        for way in ways:
            here = 1 << way.target
            found.append(step_of(self.pieces, self.seat, way, bool(left & here)))
            left &= ~here
        return tuple(found)
