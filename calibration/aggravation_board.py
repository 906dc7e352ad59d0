"""The boards of Aggravation, four arms and six: where the holes are, and their pictures.

Source of the layout: RULES, section 4. South's section is laid out in units of one hole, the middle of the board at
(0, 0); the others are that section turned clockwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from calibration import drawing as d
from companion.model import Markers, Piece, Seat, Sheet, Space

CHOICES: dict[str, tuple[object, ...]] = {"arms": (4, 6)}
SECTION = 14
START = 9
UNIT = 24.0
"""Millimetres from one hole to the next."""
_SIZES = {4: 416.0, 6: 540.0}
_INKS = {
    "red": "#c8102e",
    "orange": "#f07d0a",
    "yellow": "#f2cb05",
    "green": "#0a8a3a",
    "blue": "#1450a0",
    "purple": "#7a2b8f",
}
_NAMES = {
    4: ("red", "blue", "yellow", "green"),
    6: ("red", "orange", "yellow", "green", "blue", "purple"),
}
_TITLES = {4: (-4.85, 4.3), 6: (-6.3, 10.2)}
"""Where South's section has room for the title."""
_BESIDE_STAR = {4: (0.3, 0.56), 6: (0.44, 0.42)}
"""Where a star's number stands, clear of the edges of the arms, units."""
_HOLE, _REACH = 5.0, 6.0
"""The hole as it is printed, and how far from its middle a marble may lie, mm."""
_INK, _PAPER, _FAINT, _WAY = "#45424d", "#f4f1e8", "#8f8b86", "#bcb6aa"
_LINE: dict[str, Any] = {"stroke": _INK, "stroke_width": 0.5}


@dataclass(frozen=True, slots=True)
class _Plan:
    """One board. Holes are named by places (x, y) of South's section, in units, x right, y down."""

    arms: int

    @property
    def size(self) -> float:
        return _SIZES[self.arms]

    @property
    def center(self) -> d.Point:
        return self.size / 2, self.size / 2

    @property
    def markers(self) -> Markers:
        return d.corner_markers(self.size, self.size)

    @property
    def side(self) -> float:
        """From the middle to the sides of the polygon of stars, whose length is 4."""
        return 2.0 if self.arms == 4 else 2 / math.tan(math.pi / self.arms)

    def names(self) -> tuple[str, ...]:
        return _NAMES[self.arms]

    def turn(self, seat: Seat) -> float:
        """Quarters counterclockwise from South's section to a seat's."""
        return -4 * seat / self.arms if self.arms != 4 else -seat

    def at(self, place: d.Point, seat: Seat = 0) -> d.Point:
        """A place of a seat's section, in millimetres of the sheet."""
        x, y = self.center
        return d.turned((x + place[0] * UNIT, y + place[1] * UNIT), self.turn(seat), self.center)

    def track(self) -> list[d.Point]:
        """The 14 holes of South's section, from its star."""
        a = self.side
        out = [(2.0, a + n) for n in range(5)]
        end = [(2.0 - n, a + 5) for n in range(5)]
        back = [(-2.0, a + n) for n in range(4, 0, -1)]
        return out + end + back

    def home(self) -> list[d.Point]:
        return [(0.0, self.side + 5 - n) for n in range(1, 5)]

    def base(self) -> list[d.Point]:
        return [(-2.5 - n, self.side + 5) for n in range(1, 5)]

    def stroke(self, points: list[d.Point], seat: Seat, color: str, width: float, **style: object) -> str:
        return d.line([self.at(p, seat) for p in points], color, width, **style)

    def word(self, word: str, place: d.Point, height: float, seat: Seat, color: str, width: float) -> str:
        at = self.at(place, seat)
        return d.lettering(word, at, height, quarters=self.turn(seat), stroke=color, stroke_width=width)


def colors(arms: int) -> dict[Seat, str]:
    """The marbles' colours by section."""
    return {seat: _INKS[name] for seat, name in enumerate(_NAMES[arms])}


def sheet(arms: int = 4) -> Sheet:
    """The board as data (FORMATS, Sheet). arms: 4 or 6."""
    plan = _Plan(arms)
    spaces = [space for seat in range(arms) for space in _spaces(plan, seat)]
    spaces.append(Space("center", *plan.center, _REACH))
    return Sheet(
        game="aggravation",
        title=f"Aggravation, {'four' if arms == 4 else 'six'} arms",
        width=plan.size,
        height=plan.size,
        spaces={space.name: space for space in spaces},
        piece=Piece("marble", 14.0, 12.0),
        colors=colors(arms),
        seat_names=dict(enumerate(plan.names())),
        markers=plan.markers,
        texture="aggravation.png",
        options={"arms": arms},
    )


def svg(arms: int = 4) -> str:
    """The board as a picture."""
    plan = _Plan(arms)
    paper = d.rect(plan.center, plan.size, plan.size, fill=_PAPER)
    frame = d.rect(plan.center, plan.size - 9, plan.size - 9, fill="none", stroke=_INK, stroke_width=1.0)
    seats = range(arms)
    plates = [*(_plate(plan, seat) for seat in seats), *(_path(plan, seat) for seat in seats)]
    middle = [_ring(plan), *(_spoke(plan, seat) for seat in seats)]
    sections = [part for seat in seats for part in (*_base(plan, seat), *_home(plan, seat), *_section(plan, seat))]
    heart = [d.star(plan.center, 15.0, 2 * arms, 0.72, fill="#d9dde4", **_LINE), _hole(plan.center, _INK)]
    titles = [plan.word("AGGRAVATION", _TITLES[arms], 7.0, seat, "#a08a5a", 1.2) for seat in (0, arms // 2)]
    parts = [paper, frame, *titles, *plates, *middle, *sections, *heart, *d.printed_markers(plan.markers)]
    return d.document(plan.size, plan.size, "Aggravation", parts)


def _spaces(plan: _Plan, seat: Seat) -> list[Space]:
    track = [(f"t{SECTION * seat + n}", place) for n, place in enumerate(plan.track())]
    lane = [(f"lane{seat}.{n}", place) for n, place in enumerate(plan.home(), 1)]
    base = [(f"base{seat}.{n}", place) for n, place in enumerate(plan.base(), 1)]
    found = []
    for name, place in track + lane + base:
        x, y = plan.at(place, seat)
        found.append(Space(name, round(x, 2), round(y, 2), _REACH))
    return found


def _plate(plan: _Plan, seat: Seat) -> str:
    """The arm's ground, in a breath of its seat's colour; together they make the board's shape."""
    a, color = plan.side, colors(plan.arms)[seat]
    neck = 2.75 / math.tan(math.pi / plan.arms)
    corners = [(0.0, 0.0), (2.75, neck), (2.75, a + 5.75), (2.35, a + 6.15)]
    points = [*corners, *((-x, y) for x, y in reversed(corners[1:]))]
    return d.polygon([plan.at(p, seat) for p in points], fill=d.tint(color, 0.13), stroke=_WAY, stroke_width=0.5)


def _ring(plan: _Plan) -> str:
    """The way from star to star, for those who run them."""
    stars = [plan.at(plan.track()[0], seat) for seat in range(plan.arms)]
    return d.line([*stars, stars[0]], _WAY, 0.9, stroke_dasharray="0.1 2.6")


def _spoke(plan: _Plan, seat: Seat) -> str:
    """The way from a star to the centre."""
    x, y = plan.track()[0]
    return plan.stroke([(0.8 * x, 0.8 * y), (0.34 * x, 0.34 * y)], seat, _WAY, 0.9, stroke_dasharray="0.1 2.6")


def _path(plan: _Plan, seat: Seat) -> str:
    """The line that joins the holes of a section, up to the next one's star."""
    holes = plan.track()
    return plan.stroke([*holes, d.turned(holes[0], -4 / plan.arms, (0.0, 0.0))], seat, _WAY, 1.1)


def _section(plan: _Plan, seat: Seat) -> list[str]:
    """The track of one section: arrows, holes and numbers."""
    holes = plan.track()
    color = colors(plan.arms)[seat]
    parts = [_way(plan, seat, (2.0, plan.side + 2.5), 1), _way(plan, seat, (-2.0, plan.side + 2.5), -1)]
    for number, place in enumerate(holes):
        at = plan.at(place, seat)
        if number == 0:
            parts.append(d.star(at, 11.0, fill="#d9dde4", **_LINE))
        if number == START:
            parts.append(d.circle(at, 8.8, fill=d.tint(color, 0.35), stroke=color, stroke_width=1.2))
        parts += [_hole(at, color if number == START else _INK), _number(plan, seat, number, place)]
    parts.append(plan.word("START", (-2.0, plan.side + 5.88), 3.8, seat, d.shade(color, 0.8), 0.8))
    return parts


def _hole(at: d.Point, color: str) -> str:
    """A hole as it looks from above: darker on the lamp's side."""
    edge = d.circle(at, _HOLE, fill="#d5d0c6", stroke=color, stroke_width=0.6)
    return edge + d.circle((at[0] + 0.7, at[1] + 0.8), _HOLE - 1.3, fill="#e6e2da")


def _way(plan: _Plan, seat: Seat, place: d.Point, out: int) -> str:
    """A chevron of the direction of travel. out: 1 away from the middle, −1 towards it."""
    x, y = place
    points = [(x - 0.13, y - 0.07 * out), (x, y + 0.07 * out), (x + 0.13, y - 0.07 * out)]
    return plan.stroke(points, seat, _FAINT, 1.2)


def _number(plan: _Plan, seat: Seat, number: int, place: d.Point) -> str:
    """The hole's number beside it, away from the middle of the arm, so that people can speak of it."""
    x, y = place
    if number == 0:
        right, down = _BESIDE_STAR[plan.arms]
        beside = (x + right, y + down)
    elif 5 <= number <= START:
        beside = (x, y + (0.54 if number == START else 0.42))
    else:
        inside = plan.arms > 4 and number in (1, SECTION - 1)  # beside it there is another arm's hole
        beside = (x + math.copysign(0.45, -x if inside else x), y)
    return plan.word(str(SECTION * seat + number), beside, 2.6, seat, _FAINT, 0.4)


def _home(plan: _Plan, seat: Seat) -> list[str]:
    """HOME: four holes on a strip of the seat's colour, and the arrow that turns in from the mouth."""
    color, holes = colors(plan.arms)[seat], plan.home()
    strip = plan.stroke([holes[0], holes[-1]], seat, d.tint(color, 0.42), 17.0)
    y = plan.side + 4.5
    arrow = [(-0.16, y + 0.2), (0.0, y - 0.02), (0.16, y + 0.2)]
    turn = plan.stroke(arrow, seat, color, 1.5)
    return [strip, turn, *(_hole(plan.at(hole, seat), color) for hole in holes)]


def _base(plan: _Plan, seat: Seat) -> list[str]:
    """BASE: a row of four holes on a plate of the seat's colour, its mark, and the arrow to START."""
    color, holes = colors(plan.arms)[seat], plan.base()
    y = plan.side + 5
    rim = plan.stroke([holes[0], holes[-1]], seat, color, 19.0)
    plate = plan.stroke([holes[0], holes[-1]], seat, d.tint(color, 0.3), 17.4)
    shaft = plan.stroke([(-2.98, y), (-2.62, y)], seat, color, 1.5)
    head = plan.stroke([(-2.7, y - 0.14), (-2.53, y), (-2.7, y + 0.14)], seat, color, 1.5)
    word = plan.word("BASE", (-4.75, y - 0.68), 4.2, seat, d.shade(color, 0.8), 0.9)
    marks = [d.mark(seat, plan.at((x, y - 0.68), seat), 0.75, fill=color) for x in (-4.02, -5.48)]
    return [rim, plate, shaft, head, word, *marks, *(_hole(plan.at(hole, seat), color) for hole in holes)]
