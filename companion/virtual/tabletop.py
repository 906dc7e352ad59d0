"""The pretend table: pieces with places in millimetres, and a hand that carries one at a time."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from companion.model import Position, Seat, Sheet, Space
from companion.model.board import COMPASS, area_of
from companion.referee.folding import places_of_bases
from companion.virtual.dice_tray import TrayOfDice

Point = tuple[float, float]
"""(x, y) in millimetres of the sheet."""

GAP = 0.6
"""Millimetres left between two pieces that stand side by side."""
_IN_HOLE, _ON_DISC = 0.5, 0.8
"""How far a marble lies from the middle of its hole, and a disc from the one below, at most, mm."""


@dataclass(frozen=True, slots=True)
class Pawn:
    """One piece, whatever its kind. space: where its owner means it to stand, as the games call it; "" in the hand or
    off the board. lift: how far a hand holds it above the table. z: how high it stands on other pieces, mm.
    place: the sheet's own name of where it stands, where that is another ("base0.3" of "base0").
    """

    seat: Seat
    space: str
    at: Point
    lift: float = 0.0
    z: float = 0.0
    place: str = ""

    @property
    def foot(self) -> float:
        """How high above the sheet its foot is, mm."""
        return self.z + self.lift

    @property
    def where(self) -> str:
        """The sheet's name of the space on which it stands."""
        return self.place or self.space


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
    dice: TrayOfDice | None = None

    def __post_init__(self) -> None:
        self._bases = places_of_bases(self.sheet.spaces)

    def set_up(self, position: Position) -> None:
        """Put up `position`, all pieces at once, each a little off its mark; stacks from the bottom."""
        self.pawns = []
        for name, content in position.items():
            for seat in content:
                self.pawns.append(self.placed(seat, name))

    def position(self) -> Position:
        """What stands where by the sheet's own names, pieces in the hand left out; discs bottom to top."""
        contents: dict[str, list[Seat]] = {}
        for pawn in sorted(self._standing(), key=lambda pawn: pawn.z):
            contents.setdefault(pawn.where, []).append(pawn.seat)
        return Position.stacked(contents) if self.sheet.stacks else Position.of(contents)

    def folded(self) -> Position:
        """What stands where as the games call it: bases with places for each piece as one."""
        contents: dict[str, tuple[Seat, ...]] = {}
        for name, content in self.position().items():
            whole = area_of(name) or name
            contents[whole] = (*contents.get(whole, ()), *content)
        return Position.stacked(contents) if self.sheet.stacks else Position.of(contents)

    def find(self, seat: Seat, name: str) -> Pawn | None:
        """A piece of `seat` on a space, the topmost of a stack; None if there is none. name: as the sheet or games."""
        there = [p for p in self._standing() if p.seat == seat and name in (p.space, p.where)]
        return max(there, key=lambda pawn: pawn.z, default=None)

    def placed(self, seat: Seat, name: str) -> Pawn:
        """A piece of `seat` put down on a free place of the space, and the ones there moved aside if need be.

        On a base that the sheet draws as several places, on one that is free.
        """
        place = self._free_base(name) if name not in self.sheet.spaces and name in self._bases else name
        space = self.sheet.spaces[place]
        others = [pawn for pawn in self._standing() if pawn.where == place]
        pawn = self._put_down(seat, space, others)
        whole = area_of(place)
        return replace(pawn, space=whole, place=place) if whole else pawn

    def _put_down(self, seat: Seat, space: Space, others: Sequence[Pawn]) -> Pawn:
        kind, name, middle = self.sheet.piece.kind, space.name, (space.x, space.y)
        if space.is_area:
            return Pawn(seat, name, self._free_place(space, others))
        if others and self.sheet.stacks:
            below = max(others, key=lambda pawn: pawn.z)
            return Pawn(seat, name, self._jitter(below.at, _ON_DISC), z=below.z + self.sheet.piece.height)
        if others:
            return self._side_by_side(seat, space, others)
        return Pawn(seat, name, self._jitter(middle, _IN_HOLE if kind == "marble" else 0.22 * space.radius))

    def _standing(self) -> Iterator[Pawn]:
        return (pawn for pawn in self.pawns if pawn.space and not pawn.lift)

    def _free_base(self, name: str) -> str:
        """The place of a base on which fewest pieces stand, any of those."""
        taken = [pawn.where for pawn in self._standing()]
        fewest = min(taken.count(place) for place in self._bases[name])
        return self.rng.choice([place for place in self._bases[name] if taken.count(place) == fewest])

    def _side_by_side(self, seat: Seat, space: Space, others: Sequence[Pawn]) -> Pawn:
        dx, dy = self._across(space)
        apart = self.sheet.piece.diameter / 2 + GAP
        count = len(others) + 1
        places = [
            self._jitter((space.x + dx * apart * k, space.y + dy * apart * k), 0.4) for k in range(1 - count, count, 2)
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
        """A place clear of the others; where there is none, all in the area are put in order to make room."""
        clear = self.sheet.piece.diameter + GAP
        reach = space.radius - self.sheet.piece.diameter / 2
        for _ in range(200):
            place = self._inside(space, reach)
            if all(math.dist(place, pawn.at) >= clear for pawn in others):
                return place
        order = self._in_order(space, reach, len(others) + 1)
        for pawn, place in zip(others, order[1:], strict=True):
            self.pawns[self.pawns.index(pawn)] = replace(pawn, at=place)
        return order[0]

    def _in_order(self, space: Space, reach: float, count: int) -> list[Point]:
        """Places in a ring, or within one another where one ring has no room for all."""
        found: list[Point] = []
        step = self.sheet.piece.diameter + GAP
        while len(found) < count and reach > 0:
            room = max(1, int(math.pi / math.asin(min(1.0, step / (2 * reach)))))
            start = self.rng.uniform(0, 2 * math.pi)
            angles = [start + 2 * math.pi * k / min(room, count) for k in range(min(room, count - len(found)))]
            found += [(space.x + reach * math.cos(a), space.y + reach * math.sin(a)) for a in angles]
            reach -= step
        return found + [(space.x, space.y)] * (count - len(found))

    def _inside(self, space: Space, reach: float) -> Point:
        angle, radius = self.rng.uniform(0, 2 * math.pi), max(0.0, reach) * math.sqrt(self.rng.random())
        return space.x + radius * math.cos(angle), space.y + radius * math.sin(angle)

    def _jitter(self, place: Point, reach: float) -> Point:
        return place[0] + self.rng.uniform(-reach, reach), place[1] + self.rng.uniform(-reach, reach)


def shoulder_of(sheet: Sheet, seat: Seat) -> Point:
    """Where the arm of a seat comes from: beyond the edge of the sheet that is nearest to what is the seat's own."""
    x, y = _own_place(sheet, seat)
    dx, dy = x - sheet.width / 2, y - sheet.height / 2
    length = math.hypot(dx, dy) or 1.0
    reach = 0.5 * math.hypot(sheet.width, sheet.height) + 120
    return sheet.width / 2 + dx / length * reach + 60, sheet.height / 2 + dy / length * reach


def _own_place(sheet: Sheet, seat: Seat) -> Point:
    """The middle of a seat's home, else of its lane or base, else of its edge of the compass."""
    for part in (f"home{seat}", f"lane{seat}", f"base{seat}"):
        own = [space for name, space in sheet.spaces.items() if name == part or name.startswith(f"{part}.")]
        if own:
            return sum(s.x for s in own) / len(own), sum(s.y for s in own) / len(own)
    edges = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))
    across, down = edges[seat % len(COMPASS)]
    return sheet.width * across, sheet.height * down
