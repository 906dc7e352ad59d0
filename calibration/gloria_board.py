"""Gloria's board: a cross on a grid of 11 by 11, an arrow of four home spaces on each arm, and its picture.

Source of the layout: RULES, section 1. South's quarter is drawn, then turned for each seat. With the home in the
centre (GLO-9) the middle row and column are wider, so that sixteen pawns find room where they cross.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from calibration import drawing as d
from companion.model import Piece, Seat, Sheet, Space

CHOICES: dict[str, tuple[object, ...]] = {"home": ("spaces", "center")}
COLORS: dict[Seat, str] = {0: "#c8102e", 1: "#1450a0", 2: "#e8a800", 3: "#0a7d33"}
NAMES: dict[Seat, str] = {0: "red", 1: "blue", 2: "yellow", 3: "green"}

_INK, _PAPER, _FAINT = "#4a4038", "#fdf6e6", "#9a9084"
_LINE: dict[str, Any] = {"stroke": _INK, "stroke_width": 0.45}
_TRACK, _QUARTER = 40, 10
_PATH = ((5, 10), (4, 10), (4, 9), (4, 8), (4, 7), (4, 6), (3, 6), (2, 6), (1, 6), (0, 6))
"""South's ten track spaces as (column, row), from its start on clockwise."""
_LANE = ((5, 9), (5, 8), (5, 7), (5, 6))
_CORNER = ((9, 9), (10, 9), (9, 10), (10, 10))


@dataclass(frozen=True, slots=True)
class _Grid:
    """Eleven columns and rows. cell: the width of one; middle: of the sixth; margin: beside them; all in mm."""

    cell: float
    middle: float
    margin: float

    @property
    def size(self) -> float:
        return 2 * self.margin + 10 * self.cell + self.middle

    @property
    def center(self) -> d.Point:
        return self.size / 2, self.size / 2

    def line(self, number: float) -> float:
        """Where the middle of a column or row lies."""
        wider = (self.middle - self.cell) / 2
        return self.margin + (number + 0.5) * self.cell + wider * ((number > 4.5) + (number > 5.5))

    def at(self, place: tuple[float, float], seat: Seat = 0) -> d.Point:
        """The middle of a grid place of South's, turned clockwise to a seat."""
        return d.turned((self.line(place[0]), self.line(place[1])), -seat, self.center)

    def shape(self, points: list[d.Point], seat: Seat, **style: object) -> str:
        return d.polygon([d.turned(p, -seat, self.center) for p in points], **style)


_GRIDS = {"spaces": _Grid(30.0, 30.0, 35.0), "center": _Grid(28.0, 66.0, 37.0)}


def sheet(home: str = "spaces") -> Sheet:
    """The board as data (FORMATS, Sheet). home: "spaces" or "center" (GLO-9)."""
    grid = _GRIDS[home]
    spaces = [space for seat in range(4) for space in _spaces(grid, seat)]
    if home == "center":
        spaces.append(Space("center", *grid.center, grid.middle / 2 - 1.5, area=True))
    return Sheet(
        game="gloria",
        title="Gloria",
        width=grid.size,
        height=grid.size,
        spaces={space.name: space for space in spaces},
        piece=Piece("pawn", 12.0, 24.0),
        colors=COLORS,
        seat_names=NAMES,
        markers=d.corner_markers(grid.size, grid.size),
        texture="gloria.png",
        options={"home": home},
    )


def svg(home: str = "spaces") -> str:
    """The board as a picture."""
    grid = _GRIDS[home]
    paper = d.rect(grid.center, grid.size, grid.size, fill=_PAPER)
    frame = d.rect(grid.center, grid.size - 9, grid.size - 9, fill="none", stroke=_INK, stroke_width=1.0)
    fine = d.rect(grid.center, grid.size - 13, grid.size - 13, fill="none", stroke=_INK, stroke_width=0.35)
    quarters = [part for seat in range(4) for part in _quarter(grid, seat)]
    middle = _emblem(grid) if home == "spaces" else _home(grid)
    marks = d.printed_markers(d.corner_markers(grid.size, grid.size))
    return d.document(grid.size, grid.size, "Gloria", [paper, frame, fine, *quarters, *middle, *marks])


def _spaces(grid: _Grid, seat: Seat) -> list[Space]:
    path = [(f"t{_QUARTER * seat + n}", place, grid.cell / 2 - 3) for n, place in enumerate(_PATH)]
    lane = [(f"lane{seat}.{n}", place, 9.5) for n, place in enumerate(_LANE, 1)]
    base = [(f"base{seat}.{n}", place, 11.0) for n, place in enumerate(_CORNER, 1)]
    found = []
    for name, place, radius in path + lane + base:
        x, y = grid.at(place, seat)
        found.append(Space(name, round(x, 2), round(y, 2), radius))
    return found


def _quarter(grid: _Grid, seat: Seat) -> list[str]:
    cells = [_cell(grid, n, seat) for n in range(1, _QUARTER)]
    return [
        *_base(grid, seat),
        *cells,
        *_ways(grid, seat),
        *_start(grid, seat),
        *_arrow(grid, seat),
        _title(grid, seat),
    ]


def _cell(grid: _Grid, number: int, seat: Seat) -> str:
    side = grid.cell - 1.8
    at = grid.at(_PATH[number], seat)
    return d.rounded(at, side, side, 4.0, fill="#ffffff", **_LINE) + _number(grid, number, _PATH[number], seat)


def _number(grid: _Grid, number: int, place: tuple[int, int], seat: Seat) -> str:
    """The space's number, small, in its corner, so that people can speak of it."""
    x, y = grid.line(place[0]), grid.line(place[1])
    reach = grid.cell / 2 - 4.6
    wide = (grid.middle if place[0] == 5 else grid.cell) / 2 - 5.0
    at = d.turned((x - wide, y + reach), -seat, grid.center)
    word = str((number + _QUARTER * seat) % _TRACK)
    return d.lettering(word, at, 2.6, quarters=-seat, stroke=_FAINT, stroke_width=0.38)


def _ways(grid: _Grid, seat: Seat) -> list[str]:
    """Pale chevrons that show the direction of travel: inward along the arm, then outward along the next."""
    found = []
    for place, along in (((4, 8), (0, -1)), ((2, 6), (-1, 0))):
        x, y = grid.line(place[0]), grid.line(place[1])
        dx, dy = along
        points = [
            (x - 2 * dx + 4 * dy, y - 2 * dy + 4 * dx),
            (x + 2 * dx, y + 2 * dy),
            (x - 2 * dx - 4 * dy, y - 2 * dy - 4 * dx),
        ]
        found.append(d.line([d.turned(p, -seat, grid.center) for p in points], "#c9c1b4", 1.2))
    return found


def _start(grid: _Grid, seat: Seat) -> list[str]:
    """The starting space in the seat's colour, and its name beside the board with an arrow from the base."""
    color = COLORS[seat]
    across, along = grid.middle - 1.8, grid.cell - 1.8
    width, height = (across, along) if seat % 2 == 0 else (along, across)
    cell = d.rounded(grid.at(_PATH[0], seat), width, height, 4.0, fill=d.tint(color, 0.28), **_LINE)
    edge = grid.line(10) + grid.cell / 2 + 9.5
    x = grid.line(5)
    word = d.lettering(
        "START", d.turned((x, edge), -seat, grid.center), 5.4, quarters=-seat, stroke=color, stroke_width=1.1
    )
    tip, tail = x + 20, x + 58
    shaft = d.line([d.turned(p, -seat, grid.center) for p in ((tail, edge), (tip + 4, edge))], color, 1.3)
    head = grid.shape(
        [(tip, edge), (tip + 6.5, edge - 3.4), (tip + 5, edge), (tip + 6.5, edge + 3.4)], seat, fill=color
    )
    return [cell, _number(grid, 0, _PATH[0], seat), word, shaft, head]


def _arrow(grid: _Grid, seat: Seat) -> list[str]:
    """The arrow from the starting space towards the centre, and the home spaces that lie on it."""
    color = COLORS[seat]
    x, tail = grid.line(5), grid.line(10) + 8.5
    neck, tip = grid.line(6) + 8.0, grid.line(6) - grid.cell / 2 - 0.5
    right = [(x + 7.5, tail), (x + 7.5, tail - 9), (x + 5.5, tail - 13), (x + 5.5, neck), (x + 14, neck)]
    left = [(2 * x - px, py) for px, py in reversed(right)]
    body = grid.shape([(x, tail - 6), *right, (x, tip), *left], seat, fill=d.tint(color, 0.55), **_LINE)
    parts = [body]
    for number, place in enumerate(_LANE, 1):
        at = grid.at(place, seat)
        parts.append(d.circle(at, 9.5, fill=d.tint(color, 0.16), stroke=color, stroke_width=0.9))
        spot = d.turned((x, grid.line(place[1]) + 5.9), -seat, grid.center)
        parts.append(d.lettering(str(number), spot, 3.0, quarters=-seat, stroke=color, stroke_width=0.45))
    return parts


def _base(grid: _Grid, seat: Seat) -> list[str]:
    """The four places of the base in a ring of the seat's colour, its mark in their middle."""
    color, middle = COLORS[seat], (grid.line(9.5), grid.line(9.5))
    reach = grid.cell * 0.7071 + 10.2
    center = d.turned(middle, -seat, grid.center)
    ring = d.circle(center, reach + 2.6, fill=color, **_LINE) + d.circle(
        center, reach, fill=d.tint(color, 0.2), **_LINE
    )
    places = [
        d.circle(grid.at(place, seat), 9.2, fill=d.tint(color, 0.06), stroke=color, stroke_width=0.7)
        for place in _CORNER
    ]
    return [ring, *places, d.mark(seat, center, 1.0, fill=color)]


def _title(grid: _Grid, seat: Seat) -> str:
    at = d.turned((grid.line(8.32), grid.line(6.5) + grid.cell / 2 + 10), -seat, grid.center)
    return d.lettering("GLORIA", at, 8.0, quarters=-seat, stroke="#b79a5b", stroke_width=1.3)


def _emblem(grid: _Grid) -> list[str]:
    """The middle of the board where it is no space: a rose of the winds."""
    side = grid.cell - 1.8
    field = d.rounded(grid.center, side, side, 4.0, fill="#f3e3bd", **_LINE)
    back = d.star(grid.center, 8.0, 4, 0.62, fill="#d8bd80")
    return [field, back, d.star(grid.center, 11.5, 4, 0.3, fill="#b79a5b", **_LINE)]


def _home(grid: _Grid) -> list[str]:
    """The centre as the home of all, a round field with the four colours at its rim."""
    reach = grid.middle / 2 - 1.5
    rim = d.circle(grid.center, reach, fill="#f3e3bd", stroke=_INK, stroke_width=0.8)
    inner = d.circle(grid.center, reach - 4.5, fill="#fbf3df", stroke="#b79a5b", stroke_width=0.6)
    word = d.lettering("HOME", grid.center, 6.0, stroke="#b79a5b", stroke_width=1.1)
    x, y = grid.center
    tips = [
        grid.shape([(x, y + reach - 8), (x - 4.5, y + reach - 1), (x + 4.5, y + reach - 1)], seat, fill=COLORS[seat])
        for seat in range(4)
    ]
    return [rim, inner, word, *tips]
