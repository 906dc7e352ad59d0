"""The print-and-cut Parcheesi board: the boxed edition's places, drawn in outlines on white to save ink.

Source of the layout: RULES, sections 2 and 3. Safety spaces are ringed, the bases are nests, and nothing is filled.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from calibration import drawing as d
from calibration import parcheesi_board as boxed
from calibration.parcheesi_board import CENTER, COLORS, COLUMN, MARKERS, ROW, SIZE, TRACK_LENGTH
from companion.model import Seat, Sheet

_INK, _FAINT = "#3b3a45", "#8c8a92"
_LINE: dict[str, Any] = {"fill": "#ffffff", "stroke": _INK, "stroke_width": 0.4}
_RINGED = (0, TRACK_LENGTH - 5, TRACK_LENGTH - 10)
"""The ringed spaces of South's arm, by the numbers of `track_of_arm`."""
_NEST = 46.0


def sheet() -> Sheet:
    """The board as data (FORMATS, Sheet)."""
    return replace(
        boxed.sheet(), game="parcheesi-print", title="Parcheesi, print and cut", texture="parcheesi-print.png"
    )


def svg() -> str:
    """The board as a picture."""
    paper = d.rect(CENTER, SIZE, SIZE, fill="#ffffff")
    cut = d.rect(CENTER, SIZE - 6, SIZE - 6, fill="none", stroke=_FAINT, stroke_width=0.4, stroke_dasharray="4 3")
    arms = [part for seat in range(4) for part in (*_nest(seat), *_arm(seat))]
    return d.document(SIZE, SIZE, "Parcheesi", [paper, cut, *arms, *_home(), *_titles(), *d.printed_markers(MARKERS)])


def _arm(seat: Seat) -> list[str]:
    parts = []
    for number, place in boxed.track_of_arm():
        parts.append(_cell(place, seat))
        if number in _RINGED:
            parts.append(_rings(place, seat, COLORS[seat] if number == 0 else _INK))
        parts.append(boxed.numbering(number, place, seat))
    for row in range(1, 8):
        parts.append(_cell(boxed.south(0, row), seat) + _chevron(row, seat))
    return [*parts, _strip(seat), *boxed.ways(seat), _mouth(seat), *_entry(seat)]


def _cell(place: d.Point, seat: Seat) -> str:
    width, height = (COLUMN, ROW) if seat % 2 == 0 else (ROW, COLUMN)
    return d.rect(d.turned(place, seat, CENTER), width, height, **_LINE)


def _rings(place: d.Point, seat: Seat, color: str) -> str:
    """What makes a space a safety space: two rings round it."""
    at = d.turned(place, seat, CENTER)
    outer = d.circle(at, 6.9, fill="none", stroke=color, stroke_width=1.0)
    return outer + d.circle(at, 5.2, fill="none", stroke=color, stroke_width=0.45)


def _chevron(row: int, seat: Seat) -> str:
    """One step of the strip towards home."""
    x, y = boxed.south(0, row)
    points = [(x - 7, y + 2.6), (x, y - 2.6), (x + 7, y + 2.6)]
    return d.line([d.turned(p, seat, CENTER) for p in points], d.tint(COLORS[seat], 0.75), 1.5)


def _strip(seat: Seat) -> str:
    """The strip's edge in its seat's colour."""
    (x, top), (_, low) = boxed.south(0, 1), boxed.south(0, 7)
    half, end = COLUMN / 2 - 1.1, ROW / 2 - 1.1
    corners = [(x - half, top - end), (x + half, top - end), (x + half, low + end), (x - half, low + end)]
    return boxed.shape(corners, seat, fill="none", stroke=COLORS[seat], stroke_width=1.4)


def _mouth(seat: Seat) -> str:
    """Where to turn in: a slim arrow within the rings of the mouth."""
    x, y = boxed.south(0, 8)
    tip = [(x - 2.8, y + 2.4), (x, y - 3.4), (x + 2.8, y + 2.4), (x, y + 0.9)]
    return boxed.shape(tip, seat, fill=COLORS[seat])


def _entry(seat: Seat) -> list[str]:
    """The arrow from the nest to the entry space."""
    x, y = boxed.south(1, 4)
    edge = x + COLUMN / 2
    shaft = [(edge + 15, y), (edge + 2, y)]
    head = [(edge + 7, y - 3.8), (edge + 1.4, y), (edge + 7, y + 3.8)]
    return [d.line([d.turned(p, seat, CENTER) for p in part], COLORS[seat], 1.4) for part in (shaft, head)]


def _nest(seat: Seat) -> list[str]:
    """The nest: twigs laid round a circle, its name and its seat's mark."""
    color, center = COLORS[seat], d.turned(boxed.BASE, seat, CENTER)
    rim = d.circle(center, _NEST + 5.6, fill="none", stroke=color, stroke_width=1.2)
    inner = d.circle(center, _NEST, fill="none", stroke=color, stroke_width=0.8)
    twigs = [_twig(center, i, color) for i in range(52)]
    words = d.lettering("NEST", (center[0], center[1] - 4), 8.0, stroke=color, stroke_width=1.1)
    marks = [
        d.mark(seat, (center[0] + dx, center[1] + 14), fill="none", stroke=color, stroke_width=0.9)
        for dx in (-14.0, 0.0, 14.0)
    ]
    return [rim, inner, *twigs, words, *marks]


def _twig(center: d.Point, number: int, color: str) -> str:
    slant = 0.10 if number % 2 else -0.10
    angle = 2 * math.pi * number / 52
    ends = [(_NEST + 0.9, angle - slant), (_NEST + 4.8, angle + slant)]
    points = [(center[0] + r * math.cos(a), center[1] + r * math.sin(a)) for r, a in ends]
    return d.line(points, d.tint(color, 0.7), 0.6)


def _titles() -> list[str]:
    """The game's name at South's and North's edge."""
    places = {seat: d.turned((93.0, SIZE - 15.0), seat, CENTER) for seat in (0, 2)}
    return [
        d.lettering("PARCHEESI", at, 5.4, quarters=seat, stroke=_INK, stroke_width=0.9) for seat, at in places.items()
    ]


def _home() -> list[str]:
    """Home: four triangles in outline, and a medallion in the middle that bears the word."""
    half = 1.5 * COLUMN
    x, y = CENTER
    parts = []
    for seat in range(4):
        whole = [(x - half, y + half), (x + half, y + half), (x, y)]
        within = [(x - half + 5, y + half - 2.1), (x + half - 5, y + half - 2.1), (x, y + 3)]
        parts.append(boxed.shape(whole, seat, **_LINE))
        parts.append(boxed.shape(within, seat, fill="none", stroke=COLORS[seat], stroke_width=1.4))
    medal = d.circle(CENTER, 14.0, fill="#ffffff", stroke=_INK, stroke_width=0.8)
    return [*parts, medal, d.lettering("HOME", CENTER, 5.2, stroke=_INK, stroke_width=1.0)]
