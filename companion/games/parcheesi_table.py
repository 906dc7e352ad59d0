"""The pieces of all players on the board of either Parcheesi, what the player on turn sees of them, and its steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.games.parcheesi_board import ARM, BASE, MOUTH, NAMES, SEATS, TRACK
from companion.games.parcheesi_stride import WAYS, Hand, View, Way, Ways, marked, progresses
from companion.model import Seat, Step

Pieces = tuple[tuple[int, ...], ...]
"""seat (0 to 3) → progress of its pieces, ascending; () where nobody sits."""

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


def opponents_on(pieces: Pieces, seat: Seat, progress: int) -> tuple[tuple[Seat, int], ...]:
    """The opponents' pieces on the track space where `seat` has `progress`, each with its own progress."""
    if not BASE < progress <= MOUTH:
        return ()
    there = ((owner, seen_by(owner, seat, progress)) for owner in SEATS if owner != seat)
    return tuple((owner, p) for owner, p in there if p <= MOUTH and p in pieces[owner])


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


def moved(pieces: Pieces, seat: Seat, origin: int, target: int) -> Pieces:
    """The pieces with one of `seat` elsewhere."""
    own = list(pieces[seat])
    own[own.index(origin)] = target
    own.sort()
    return (*pieces[:seat], tuple(own), *pieces[seat + 1 :])


def after(pieces: Pieces, seat: Seat, way: Way, captures: bool) -> Pieces:
    """The pieces after `seat` went a way, with what it captures back in base."""
    then = moved(pieces, seat, way.origin, way.target)
    return _sent_back(then, seat, way.target) if captures else then


def step_of(pieces: Pieces, seat: Seat, way: Way, captures: bool) -> Step:
    """The step of `seat` that goes a way, with what it sends back."""
    plain = STEPS[seat][way.number]
    if not captures:
        return plain
    return replace(plain, captures=tuple((o, NAMES[o][BASE]) for o, _ in opponents_on(pieces, seat, way.target)))


def _sent_back(pieces: Pieces, seat: Seat, progress: int) -> Pieces:
    for owner, own in opponents_on(pieces, seat, progress):
        pieces = moved(pieces, owner, own, BASE)
    return pieces


class Ends:
    """The ends of plays of one seat that begin with `pieces`, where `single` opponents stand alone on its path."""

    def __init__(self, pieces: Pieces, seat: Seat, single: int) -> None:
        self.pieces, self.seat, self.single = pieces, seat, single
        self.before, self.behind, self.steps = pieces[:seat], pieces[seat + 1 :], STEPS[seat]

    def of(self, found: Iterable[Iterable[tuple[View, Ways]]]) -> dict[Pieces, tuple[Step, ...]]:
        """All pieces at each different end (COM-5), with the steps of one way there."""
        ends: dict[Pieces, tuple[Step, ...]] = {}
        for of_node in found:
            for (hand, single), ways in of_node:
                pieces = self.pieces_after(hand, single)
                if pieces not in ends:
                    ends[pieces] = self.steps_along(ways, single)
        return ends

    def pieces_after(self, hand: Hand, single: int) -> Pieces:
        """All pieces where the seat's are `hand`, and of the single opponents `single` are left."""
        own = progresses(hand)
        pieces = (*self.before, own, *self.behind)
        caught = self.single & ~single
        while caught:
            last = caught.bit_length() - 1
            pieces = _sent_back(pieces, self.seat, last)
            caught ^= 1 << last
        return pieces

    def steps_along(self, ways: Ways, single: int) -> tuple[Step, ...]:
        """The steps of a play that goes `ways`, and leaves `single`."""
        if single == self.single:
            return tuple([self.steps[way.number] for way in ways])
        found, left = [], self.single
        for way in ways:
            here = 1 << way.target
            found.append(step_of(self.pieces, self.seat, way, bool(left & here)))
            left &= ~here
        return tuple(found)
