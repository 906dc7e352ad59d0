"""The plan of the board: where pieces are drawn on each space, and what the space is called.

Points are (x, y) in millimetres of the sheet, y down.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from companion.model import Nouns, Seat, Sheet, Space
from companion.model.table import MARKS
from companion.page.ways import ways_of

Point = tuple[float, float]

_LARGER = 1.3
"""A piece is drawn larger than it is, for small screens, where the spaces leave room."""
_ROOM = {"disc": 0.7}
"""Kind of piece → how much of the way to the next space it may fill; discs leave room for the rims of stacks."""


_USUAL = Nouns()


def nouns_of(given: Mapping[str, str]) -> Nouns:
    """What things are called, as a view says it."""
    return Nouns(**given)


@dataclass(frozen=True, slots=True)
class Place:
    """How pieces stand on a space. ux, uy: the direction in which they stand side by side; gap: how far apart, mm
    (in an area: how far from the middle)."""

    space: Space
    ux: float
    uy: float
    gap: float

    def spots(self, count: int) -> list[Point]:
        """Where `count` pieces stand."""
        x, y, gap = self.space.x, self.space.y, self.gap
        if self.space.is_area:
            columns = math.ceil(math.sqrt(max(4, count)))
            step = 2 * gap / (columns - 1)
            return [(x - gap + step * (i % columns), y - gap + step * (i // columns)) for i in range(count)]
        close = gap * min(1.0, 2 / max(1, count))
        offsets = [(i - (count - 1) / 2) * close for i in range(count)]
        return [(x + self.ux * o, y + self.uy * o) for o in offsets]


class Plan:
    """All places of a sheet, and the size at which its pieces are drawn."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.ways = ways_of(sheet)
        track = [space for space in sheet.spaces.values() if not space.is_area]
        nearest = {space.name: _nearest(space, track) for space in track}
        apart = min((math.dist(_at(a), _at(b)) for a, b in ((s, nearest[s.name]) for s in track) if b), default=99.0)
        room = _ROOM.get(sheet.piece.kind, 0.92)
        self.diameter = round(min(_LARGER * sheet.piece.diameter, room * apart), 2)
        self.places = {s.name: self._place(s, nearest.get(s.name)) for s in sheet.spaces.values()}

    def place(self, name: str) -> Place | None:
        """The place of a space; "base0.3" is in base0 where the sheet has the area only."""
        return self.places.get(name) or self.places.get(name.split(".")[0])

    def _place(self, space: Space, neighbour: Space | None) -> Place:
        if space.is_area:
            return Place(
                space, 1.0, 0.0, round(max(0.52 * self.diameter, min(0.4 * space.radius, 1.3 * self.diameter)), 2)
            )
        if neighbour is None:
            return Place(space, 1.0, 0.0, 1.04 * self.diameter)
        dx, dy = neighbour.x - space.x, neighbour.y - space.y
        length = math.hypot(dx, dy) or 1.0
        return Place(space, round(abs(dy / length), 3), round(-abs(dx / length), 3), round(1.04 * self.diameter, 2))

    def label(self, name: str, nouns: Nouns = _USUAL, players: Collection[Seat] | None = None) -> str:
        """A space in words: "space 12", "red's circle", "yellow's lane 3", "the blue circle" where nobody plays blue.
        players: who plays, None for all."""
        found = re.fullmatch(r"(t|lane|base|home)(\d+)(?:\.(\d+))?", name)
        if not found:
            return {"": "beside the board", "center": "the centre"}.get(name, name)
        kind, number, place = found.groups()
        if kind == "t":
            return f"{nouns.space} {number}"
        owner = self.sheet.seat_label(int(number))
        whose = f"{owner}'s" if players is None or int(number) in players else f"the {owner}"
        words = {"base": f"{whose} {nouns.base}", "home": f"{whose} {nouns.home.lower()}"}
        return words.get(kind, f"{whose} {nouns.lane} {place or ''}".strip())

    def to_json(self, nouns: Nouns = _USUAL) -> dict[str, Any]:
        """What the page's scripts need of the sheet. spaces: name → [x, y, ux, uy, gap, area, label]."""
        spaces = {
            name: [p.space.x, p.space.y, p.ux, p.uy, p.gap, p.space.is_area, self.label(name, nouns)]
            for name, p in self.places.items()
        }
        return {
            "game": self.sheet.game,
            "width": self.sheet.width,
            "height": self.sheet.height,
            "kind": self.sheet.piece.kind,
            "diameter": self.diameter,
            "nouns": asdict(nouns) | {"pieces": nouns.pieces},
            "spaces": spaces,
            "seats": seats_of(self.sheet),
            "ways": {str(seat): list(way.items()) for seat, way in self.ways.items()},
        }


def seats_of(sheet: Sheet) -> list[dict[str, Any]]:
    """Every seat that the sheet has pieces for, as the page's scripts know it."""
    return [
        {"seat": seat, "name": sheet.seat_label(seat), "mark": MARKS[seat % len(MARKS)]}
        for seat in sorted(sheet.colors)
    ]


def _at(space: Space) -> Point:
    return space.x, space.y


def _nearest(space: Space, others: Sequence[Space]) -> Space | None:
    rest = (other for other in others if other.name != space.name)
    return min(rest, key=lambda other: math.dist(_at(space), _at(other)), default=None)
