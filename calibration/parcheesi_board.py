"""The Parcheesi board as this project draws it: where its spaces are, and its picture.

Source of the layout: RULES, section 2. A cross of four arms, three columns wide and eight rows long. The spaces
are twice as wide as long, so that two pawns stand side by side. South's arm is drawn, then turned for each seat.
"""

from __future__ import annotations

from typing import Any

from calibration import drawing as d
from companion.model import Markers, Piece, Seat, Sheet, Space

SIZE = 400.0
CENTER = (SIZE / 2, SIZE / 2)
COLUMN, ROW = 33.0, 17.0
"""Width and length of one space, mm."""
BASE_RADIUS = 50.0
COLORS: dict[Seat, str] = {0: "#c8102e", 1: "#0a7d33", 2: "#e8a800", 3: "#1450a0"}
NAMES: dict[Seat, str] = {0: "red", 1: "green", 2: "yellow", 3: "blue"}
MARKERS = Markers("DICT_4X4_50", 24.0, {0: (20, 20), 1: (380, 20), 2: (380, 380), 3: (20, 380)})

INK, _PAPER, _SAFE = "#3b3a45", "#fbf7ec", "#b9d3e8"
_LINE: dict[str, Any] = {"stroke": INK, "stroke_width": 0.5}
TRACK_LENGTH = 68


def sheet() -> Sheet:
    """The board as data (FORMATS, Sheet)."""
    return Sheet(
        game="parcheesi",
        title="Parcheesi",
        width=SIZE,
        height=SIZE,
        spaces={space.name: space for seat in range(4) for space in _spaces(seat)},
        piece=Piece("pawn", 12.0, 24.0),
        colors=COLORS,
        seat_names=NAMES,
        markers=MARKERS,
        texture="parcheesi.png",
    )


def svg() -> str:
    """The board as a picture."""
    frame = d.rect(CENTER, SIZE - 9, SIZE - 9, fill="none", stroke=INK, stroke_width=1.2)
    paper = d.rect(CENTER, SIZE, SIZE, fill=_PAPER)
    arms = [part for seat in range(4) for part in (*_base(seat), *_arm(seat))]
    marks = d.printed_markers(MARKERS)
    return d.document(SIZE, SIZE, "Parcheesi", [paper, frame, *arms, *_home(), *marks])


def south(column: int, row: float) -> d.Point:
    """Middle of a space of South's arm. column: −1 West … 1 East; row: 1 next to HOME … 8 at the edge."""
    return CENTER[0] + column * COLUMN, CENTER[1] + 1.5 * COLUMN + (row - 0.5) * ROW


def track_of_arm() -> list[tuple[int, d.Point]]:
    """South's 17 track spaces: number (from South's entry t0) and place."""
    inward = [(4 - row, south(1, row)) for row in (4, 3, 2, 1)]
    outer = [(-(row - 4), south(1, row)) for row in (5, 6, 7, 8)]
    mouth = [(-5, south(0, 8))]
    west = [(-6 - (8 - row), south(-1, row)) for row in range(8, 0, -1)]
    return [(n % TRACK_LENGTH, place) for n, place in inward + outer + mouth + west]


def _spaces(seat: Seat) -> list[Space]:
    """Every space of one seat's arm and corner."""
    radius = ROW / 2 - 0.7
    track = [(f"t{(n + 17 * seat) % TRACK_LENGTH}", place) for n, place in track_of_arm()]
    lane = [(f"lane{seat}.{i}", south(0, 8 - i)) for i in range(1, 8)]
    spaces = [_space(name, place, radius, seat) for name, place in track + lane]
    return [*spaces, _space(f"base{seat}", BASE, BASE_RADIUS, seat), _space(f"home{seat}", _HOME, 17.0, seat)]


def _space(name: str, place: d.Point, radius: float, seat: Seat) -> Space:
    x, y = d.turned(place, seat, CENTER)
    return Space(name, round(x, 2), round(y, 2), radius)


_CORNER = SIZE / 2 + 1.5 * COLUMN
BASE = (_CORNER + 67.0, _CORNER + 67.0)
_HOME = (CENTER[0], CENTER[1] + 32.0)


def _arm(seat: Seat) -> list[str]:
    """One arm: its track, its lane, its safety and entry spaces and its arrows."""
    parts = []
    for number, place in track_of_arm():
        safe = number in (0, TRACK_LENGTH - 5, TRACK_LENGTH - 10)
        parts.append(_cell(place, seat, _SAFE if safe else "#ffffff"))
        if safe and number != TRACK_LENGTH - 5 and number:
            parts.append(_ring(place, seat))
        parts.append(numbering(number, place, seat))
    parts += [_cell(south(0, row), seat, d.tint(COLORS[seat], 0.62)) for row in range(1, 8)]
    return parts + ways(seat) + _lane_arrow(seat) + _entry(seat)


def ways(seat: Seat) -> list[str]:
    """Pale chevrons that show the direction of travel: inward on the East side, outward on the West side."""
    ways = []
    for column, up in ((1, -1), (-1, 1)):
        x, y = south(column, 7)
        points = [(x - 5, y - 1.6 * up), (x, y + 1.6 * up), (x + 5, y - 1.6 * up)]
        path = "M" + "L".join(f"{d.num(a)} {d.num(b)}" for a, b in (d.turned(p, seat, CENTER) for p in points))
        ways.append(d.tag("path", d=path, fill="none", stroke="#b9b6ae", stroke_width=1.2, stroke_linecap="round"))
    return ways


def numbering(number: int, place: d.Point, seat: Seat) -> str:
    """The space's number, small, in the corner of the space, so that people can speak of it."""
    name = str((number + 17 * seat) % TRACK_LENGTH)
    corner = (place[0] - COLUMN / 2 + 3.6, place[1] - ROW / 2 + 3.2)
    at = d.turned(corner, seat, CENTER)
    return d.lettering(name, at, 2.4, quarters=seat, stroke="#8c8a92", stroke_width=0.35)


def _cell(place: d.Point, seat: Seat, fill: str) -> str:
    width, height = (COLUMN, ROW) if seat % 2 == 0 else (ROW, COLUMN)
    return d.rect(d.turned(place, seat, CENTER), width, height, fill=fill, **_LINE)


def _ring(place: d.Point, seat: Seat) -> str:
    center = d.turned(place, seat, CENTER)
    return d.circle(center, 5.2, fill="none", stroke="#5f86a8", stroke_width=0.9) + d.star(center, 3.6, fill="#5f86a8")


def shape(points: list[d.Point], seat: Seat, **style: object) -> str:
    return d.polygon([d.turned(p, seat, CENTER) for p in points], **style)


def _lane_arrow(seat: Seat) -> list[str]:
    """A slim arrow from the mouth towards HOME."""
    x, y = south(0, 8)
    tip = [(x - 4.5, y + 3.5), (x, y - 4.5), (x + 4.5, y + 3.5), (x, y + 1.2)]
    return [shape(tip, seat, fill=COLORS[seat])]


def _entry(seat: Seat) -> list[str]:
    """The entry space: its seat's circle, and the arrow that leads to it from START."""
    x, y = south(1, 4)
    ring = d.circle(d.turned((x, y), seat, CENTER), 6.4, fill=d.tint(COLORS[seat], 0.75), **_LINE)
    edge = x + COLUMN / 2
    tail = [(edge + 15, y + 10), (edge + 11.5, y + 1.2), (edge + 6.5, y + 1.2), (edge + 6.5, y + 4)]
    head = [(edge + 1, y), (edge + 6.5, y - 4), (edge + 6.5, y - 1.2), (edge + 13, y - 1.2), (edge + 17, y + 9)]
    return [ring, shape([*tail, *head], seat, fill=COLORS[seat])]


def _base(seat: Seat) -> list[str]:
    """The START circle with its name and the seat's own mark for those who tell colours apart badly."""
    color, center = COLORS[seat], d.turned(BASE, seat, CENTER)
    ring = d.circle(center, BASE_RADIUS + 5, fill=color, **_LINE)
    field = d.circle(center, BASE_RADIUS, fill=d.tint(color, 0.22), **_LINE)
    words = d.lettering("START", (center[0], center[1] - 2), 8.0, stroke=d.tint(color, 0.7), stroke_width=1.5)
    marks = [d.mark(seat, (center[0] + dx, center[1] + 16), fill=d.tint(color, 0.55)) for dx in (-14.0, 0.0, 14.0)]
    return [ring, field, words, *marks]


def _home() -> list[str]:
    """HOME: four triangles, and a medallion in the middle that bears the word."""
    half = 1.5 * COLUMN
    x, y = CENTER
    corner = [(x - half, y + half), (x + half, y + half), (x, y)]
    triangles = [shape(corner, s, fill=d.tint(COLORS[s], 0.62), **_LINE) for s in range(4)]
    medal = d.circle(CENTER, 14.0, fill=_PAPER, stroke=INK, stroke_width=0.8)
    word = d.lettering("HOME", CENTER, 5.2, stroke=INK, stroke_width=1.0)
    return [*triangles, medal, word]
