"""The pretend table: pawns with places in millimetres, and a hand that carries one at a time."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.model import Position, Seat, Sheet, Space

Point = tuple[float, float]
"""(x, y) in millimetres of the sheet."""

GAP = 0.6
"""Millimetres left between two pawns that stand side by side."""


@dataclass(frozen=True, slots=True)
class Pawn:
    """One pawn. space: where its owner means it to stand; "" in the hand or off the board."""

    seat: Seat
    space: str
    at: Point
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the board. at: the finger tips, mm; shoulder: where the arm comes from, mm."""

    seat: Seat
    at: Point
    shoulder: Point
    lift: float = 35.0


@dataclass
class Tabletop:
    """What really stands on the table: the truth that the referee must find out."""

    sheet: Sheet
    rng: random.Random
    pawns: list[Pawn] = field(default_factory=list)
    hand: Hand | None = None

    def set_up(self, position: Position) -> None:
        """Put up `position`, all pawns at once, each a little off its mark."""
        self.pawns = []
        for name, content in position.items():
            for seat in content:
                self.pawns.append(self.placed(seat, name))

    def position(self) -> Position:
        """What stands where, pawns in the hand left out."""
        contents: dict[str, list[Seat]] = {}
        for pawn in self.pawns:
            if pawn.space and not pawn.lift:
                contents.setdefault(pawn.space, []).append(pawn.seat)
        return Position.of(contents)

    def placed(self, seat: Seat, name: str) -> Pawn:
        """A pawn of `seat` put down on a free place of the space, and the ones there moved aside if need be."""
        space = self.sheet.spaces[name]
        others = [pawn for pawn in self.pawns if pawn.space == name and not pawn.lift]
        if space.is_area:
            return Pawn(seat, name, self._free_place(space, others))
        if not others:
            return Pawn(seat, name, self._jitter((space.x, space.y), 0.22 * space.radius))
        return self._side_by_side(seat, space, others)

    def _side_by_side(self, seat: Seat, space: Space, others: Sequence[Pawn]) -> Pawn:
        dx, dy = self._across(space)
        apart = self.sheet.piece.diameter / 2 + GAP
        count = len(others) + 1
        places = [
            self._jitter((space.x + dx * apart * k, space.y + dy * apart * k), 0.4)
            for k in range(1 - count, count, 2)
        ]
        for pawn, place in zip(others, places[1:], strict=True):
            self.pawns[self.pawns.index(pawn)] = replace(pawn, at=place)
        return Pawn(seat, space.name, places[0])

    def _across(self, space: Space) -> Point:
        """The direction across the path, along which pawns stand side by side."""
        others = (s for s in self.sheet.spaces.values() if s.name != space.name and not s.is_area)
        near = min(others, key=lambda s: math.hypot(s.x - space.x, s.y - space.y))
        dx, dy = near.x - space.x, near.y - space.y
        length = math.hypot(dx, dy)
        return -dy / length, dx / length

    def _free_place(self, space: Space, others: Sequence[Pawn]) -> Point:
        """A place clear of the others; where there is none, all in the area are put in a ring to make room."""
        clear = self.sheet.piece.diameter + GAP
        reach = space.radius - self.sheet.piece.diameter / 2
        for _ in range(200):
            place = self._inside(space, reach)
            if all(math.dist(place, pawn.at) >= clear for pawn in others):
                return place
        ring = self._ring(space, reach, len(others) + 1)
        for pawn, place in zip(others, ring[1:], strict=True):
            self.pawns[self.pawns.index(pawn)] = replace(pawn, at=place)
        return ring[0]

    def _ring(self, space: Space, reach: float, count: int) -> list[Point]:
        start = self.rng.uniform(0, 2 * math.pi)
        angles = [start + 2 * math.pi * k / count for k in range(count)]
        return [(space.x + reach * math.cos(a), space.y + reach * math.sin(a)) for a in angles]

    def _inside(self, space: Space, reach: float) -> Point:
        angle, radius = self.rng.uniform(0, 2 * math.pi), max(0.0, reach) * math.sqrt(self.rng.random())
        return space.x + radius * math.cos(angle), space.y + radius * math.sin(angle)

    def _jitter(self, place: Point, reach: float) -> Point:
        return place[0] + self.rng.uniform(-reach, reach), place[1] + self.rng.uniform(-reach, reach)


def shoulder_of(sheet: Sheet, seat: Seat) -> Point:
    """Where the arm of a seat comes from: beyond the edge nearest to the seat's base or home."""
    anchor = sheet.spaces.get(f"home{seat}") or next(iter(sheet.spaces.values()))
    dx, dy = anchor.x - sheet.width / 2, anchor.y - sheet.height / 2
    length = math.hypot(dx, dy) or 1.0
    reach = 0.5 * math.hypot(sheet.width, sheet.height) + 120
    return sheet.width / 2 + dx / length * reach + 60, sheet.height / 2 + dy / length * reach
