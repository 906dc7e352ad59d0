"""Hands at the pretend table: they carry pieces one at a time, and take their time. Times are the table's seconds."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace

from companion.model import Seat
from companion.virtual.occasion import Move
from companion.virtual.tabletop import Hand, Pawn, Point, Tabletop, shoulder_of

REACH, CARRY = 0.45, 0.5
"""Seconds for a hand to come or go, and to carry a piece to its place."""
HELD = 25.0
"""How high a piece is carried, mm."""

Wait = Callable[[], bool]
Script = Generator[Wait, None, None]


@dataclass
class Hands:
    """The hand over the table, one at a time. Each method is a script that yields what it waits for."""

    table: Tabletop
    now: float = 0.0

    def after(self, seconds: float) -> Wait:
        """Wait so long."""
        until = self.now + seconds
        return lambda: self.now >= until

    def move_all(self, moves: Iterable[Move], seat: Seat) -> Script:
        """Carry pieces, one after the other, by the hand of `seat`."""
        for owner, origin, target in moves:
            yield from self.carry(owner, origin, target, seat)

    def carry(self, owner: Seat, origin: str, target: str, seat: Seat) -> Script:
        """One piece by hand, the top one of a stack; from or to "" is from beside the board."""
        pawn = self.table.find(owner, origin) if origin else None
        start = pawn.at if pawn else self.shoulder(seat)
        yield from self.reach(start, seat)
        lifted = Pawn(owner, "", start, lift=HELD)
        if pawn:
            self.table.pawns.remove(pawn)
        self.table.pawns.append(lifted)
        place = self.table.placed(owner, target) if target else None
        end = place.at if place else self.shoulder(seat)
        yield from self._glide(lifted, end, seat)
        self.table.pawns = [p for p in self.table.pawns if not p.lift]
        if place:
            self.table.pawns.append(place)
        yield self.after(0.15)

    def put_back(self, before: Sequence[Pawn], seat: Seat) -> Script:
        """Put every piece back as it stood `before`."""
        for pawn in list(self.table.pawns):
            if pawn not in before:
                yield from self.reach(pawn.at, seat)
                self.table.pawns.remove(pawn)
        for pawn in before:
            if pawn not in self.table.pawns:
                yield from self.reach(pawn.at, seat)
                self.table.pawns.append(pawn)
        self.table.pawns = list(before)
        yield from self.leave()

    def reach(self, place: Point, seat: Seat) -> Script:
        """Bring the hand to a place: from beside the board, or from where it is."""
        hand = self.table.hand
        start = hand.at if hand is not None and hand.seat == seat else self.shoulder(seat)
        yield from self._sweep(start, place, seat)

    def leave(self) -> Script:
        """Take the hand away."""
        hand = self.table.hand
        if hand is not None:
            yield from self._sweep(hand.at, hand.shoulder, hand.seat)
            self.table.hand = None

    def shoulder(self, seat: Seat) -> Point:
        """Where the arm comes from."""
        return shoulder_of(self.table.sheet, seat)

    def _glide(self, pawn: Pawn, end: Point, seat: Seat) -> Script:
        start, since = pawn.at, self.now
        held = pawn
        while self.now < since + CARRY:
            at = _between(start, end, (self.now - since) / CARRY)
            moved = replace(held, at=at)
            self.table.pawns[self.table.pawns.index(held)] = moved
            held = moved
            self.table.hand = Hand(seat, at, self.shoulder(seat))
            yield self.after(0.05)

    def _sweep(self, start: Point, end: Point, seat: Seat) -> Script:
        since = self.now
        while self.now < since + REACH:
            at = _between(start, end, (self.now - since) / REACH)
            self.table.hand = Hand(seat, at, self.shoulder(seat))
            yield self.after(0.05)
        self.table.hand = Hand(seat, end, self.shoulder(seat))


def _between(start: Point, end: Point, share: float) -> Point:
    """A place on the way, slow at both ends."""
    smooth = share * share * (3 - 2 * share)
    return start[0] + (end[0] - start[0]) * smooth, start[1] + (end[1] - start[1]) * smooth
