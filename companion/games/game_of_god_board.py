"""The squares of Game of God: goal areas, straight lines and neighbours, for every size, built once.

A square is an index into `names`, which are sorted as positions are. x counts columns from a, y rows from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from companion.model import Seat, Step

NORTH, EAST, SOUTH, WEST = SEATS = (0, 1, 2, 3)
LETTERS = "NESW"
WORDS = ("North", "East", "South", "West")
ACTIVE, DEAD = -1, -2
"""What is no goal area: a square of the active area, or a corner that four players leave vacant."""
SIZES = range(6, 13)
COLUMNS = "abcdefghijkl"

Ray = tuple[tuple[int, Step], ...]
"""The squares that a piece may come to in one direction, the nearest first, each with the step that does it."""
Square = tuple[int, int]


@dataclass(frozen=True)
class Board:
    """The tables of one board; those with a seat in front are () for seats that nobody takes.

    at: square → (x, y); places: the same the other way. area: square → the seat whose goal area it is, ACTIVE or DEAD.
    rays: seat, square → where its piece may go. paths: seat, origin, target → the squares that are passed.
    strides: seat, square → the squares next to it that may be entered. beside: square → its neighbours, where both
    are in the active area. goals: seat → the squares of its goal area, from West to East or South to North; away:
    those of all others.
    """

    size: int
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    at: tuple[Square, ...]
    places: Mapping[Square, int]
    index: Mapping[str, int]
    area: tuple[int, ...]
    rays: tuple[tuple[tuple[Ray, ...], ...], ...]
    paths: tuple[tuple[Mapping[int, tuple[int, ...]], ...], ...]
    strides: tuple[tuple[tuple[int, ...], ...], ...]
    beside: tuple[tuple[int, ...], ...]
    goals: tuple[tuple[int, ...], ...]
    away: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=16)
def board(size: int, four: bool) -> Board:
    """The board of `size` rows for four players, or for North and South."""
    plan = _Plan(size, SEATS if four else (NORTH, SOUTH))
    squares = range(len(plan.names))
    rays = tuple(tuple(plan.rays(s, q) for q in squares) if s in plan.seats else () for s in SEATS)
    goals = tuple(tuple(q for q in plan.by_place if plan.area[q] == seat) for seat in SEATS)
    return Board(
        size,
        plan.seats,
        plan.names,
        plan.at,
        plan.places,
        plan.index,
        plan.area,
        rays,
        tuple(tuple(map(_passed, by_square)) for by_square in rays),
        tuple(tuple(tuple(ray[0][0] for ray in square) for square in by_square) for by_square in rays),
        tuple(plan.beside(q) for q in squares),
        goals,
        tuple(tuple(q for other in SEATS if other != seat for q in goals[other]) for seat in SEATS),
    )


def _passed(rays: tuple[Ray, ...]) -> Mapping[int, tuple[int, ...]]:
    return {ray[n][0]: tuple(square for square, _ in ray[:n]) for ray in rays for n in range(len(ray))}


class _Plan:
    def __init__(self, size: int, seats: tuple[Seat, ...]) -> None:
        self.size, self.seats = size, seats
        squares = {f"{COLUMNS[x]}{y + 1}": (x, y) for x in range(size) for y in range(size)}
        self.names = tuple(sorted(squares))
        self.at = tuple(squares[name] for name in self.names)
        self.index = {name: square for square, name in enumerate(self.names)}
        self.places = {place: square for square, place in enumerate(self.at)}
        self.by_place = [self.places[place] for place in sorted(self.places)]
        self.area = tuple(self._area(x, y) for x, y in self.at)

    def _area(self, x: int, y: int) -> int:
        last = self.size - 1
        edges = (y == last, x == last, y == 0, x == 0)
        found = [seat for seat in self.seats if edges[seat]]
        if len(found) == 2:
            return DEAD
        return found[0] if found else ACTIVE

    def rays(self, seat: Seat, origin: int) -> tuple[Ray, ...]:
        """GOD-6, GOD-7 and GOD-8: forward from the own goal area, nowhere from others, else all four ways."""
        here = self.area[origin]
        forward = ((0, -1), (-1, 0), (0, 1), (1, 0))
        ways = forward if here == ACTIVE else (forward[seat],) if here == seat else ()
        return tuple(ray for way in ways if (ray := self._ray(seat, origin, way)))

    def _ray(self, seat: Seat, origin: int, way: Square) -> Ray:
        found = []
        place = self._next(self.at[origin], way)
        while place in self.places and self.area[self.places[place]] not in (seat, DEAD):
            target = self.places[place]
            found.append((target, Step(seat, self.names[origin], self.names[target])))
            place = self._next(place, way)
        return tuple(found)

    def _next(self, place: Square, way: Square) -> Square:
        return place[0] + way[0], place[1] + way[1]

    def beside(self, square: int) -> tuple[int, ...]:
        if self.area[square] != ACTIVE:
            return ()
        near = (self._next(self.at[square], way) for way in ((0, 1), (1, 0), (0, -1), (-1, 0)))
        found = (self.places[place] for place in near if place in self.places)
        return tuple(sorted(q for q in found if self.area[q] == ACTIVE))
