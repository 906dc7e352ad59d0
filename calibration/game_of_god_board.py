"""The board of Game of God: squares in two tones, the goal areas of the four edges, and its picture.

Source of the layout: RULES, section 5. One sheet serves two players and four: with two, North's and South's goal
areas reach into the corners; with four, the corners are dead, and hatched for that.
"""

from __future__ import annotations

from typing import Any

from calibration import drawing as d
from companion.model import Piece, Seat, Sheet, Space

CHOICES: dict[str, tuple[object, ...]] = {"size": (8, 6, 7, 9, 10, 11, 12)}
SQUARE = 40.0
MARGIN = 40.0
DISC = Piece("disc", 28.0, 4.0)
"""Thin, so that a stack does not lean over the next square as a camera sees it from the side."""
COLORS: dict[Seat, str] = {0: "#f6f3ec", 1: "#0a7d33", 2: "#25232b", 3: "#c8102e"}
NAMES: dict[Seat, str] = {0: "white", 1: "green", 2: "black", 3: "red"}

_COLUMNS = "abcdefghijkl"
_EDGES = ("NORTH", "EAST", "SOUTH", "WEST")
_INK, _PAPER = "#4b3d2a", "#f7efdd"
_ACTIVE = ("#d9bd8b", "#c9a66f")
_GOAL = ("#9fb4c4", "#8aa2b5")
_HATCH = "#6f8799"


def sheet(size: int = 8) -> Sheet:
    """The board as data (FORMATS, Sheet). size: squares on a side, 6 to 12."""
    side = _side(size)
    spaces = {}
    for column in range(size):
        for row in range(size):
            name = f"{_COLUMNS[column]}{row + 1}"
            spaces[name] = Space(name, *_middle(size, column, row), SQUARE / 2 - 3)
    return Sheet(
        game="game-of-god",
        title="Game of God" if size == 8 else f"Game of God, {size} by {size}",
        width=side,
        height=side,
        spaces=spaces,
        piece=DISC,
        colors=COLORS,
        seat_names=NAMES,
        markers=d.corner_markers(side, side),
        texture="game-of-god.png",
        options={"size": size},
    )


def svg(size: int = 8) -> str:
    """The board as a picture."""
    side = _side(size)
    center = (side / 2, side / 2)
    paper = d.rect(center, side, side, fill=_PAPER)
    frame = d.rect(center, side - 9, side - 9, fill="none", stroke=_INK, stroke_width=1.0)
    rim = d.rect(center, size * SQUARE + 5, size * SQUARE + 5, fill=_INK)
    squares = [_square(size, column, row) for column in range(size) for row in range(size)]
    edges = [part for seat in range(4) for part in _edge(size, seat)]
    marks = d.printed_markers(d.corner_markers(side, side))
    parts = [paper, frame, rim, *squares, *_borders(size), *_coordinates(size), *edges, *marks]
    return d.document(side, side, "Game of God", parts)


def _side(size: int) -> float:
    return 2 * MARGIN + size * SQUARE


def _middle(size: int, column: int, row: int) -> d.Point:
    """The middle of a square; column 0 is a, row 0 is 1."""
    return MARGIN + (column + 0.5) * SQUARE, _side(size) - MARGIN - (row + 0.5) * SQUARE


def _square(size: int, column: int, row: int) -> str:
    at = _middle(size, column, row)
    ends = (column in (0, size - 1)) + (row in (0, size - 1))
    tones = _GOAL if ends else _ACTIVE
    square = d.rect(at, SQUARE, SQUARE, fill=tones[(column + row) % 2], stroke=_INK, stroke_width=0.3)
    return square + (_hatching(at) if ends == 2 else "")


def _hatching(at: d.Point) -> str:
    """Lines across a corner: dead with four players."""
    x, y = at
    half = SQUARE / 2 - 3
    lines = []
    for k in (-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75):
        low, high = max(-half, -half + 2 * k * half), min(half, half + 2 * k * half)
        ends = [(x + low, y + 2 * k * half - low), (x + high, y + 2 * k * half - high)]
        lines.append(d.line(ends, _HATCH, 0.6))
    return "".join(lines)


def _borders(size: int) -> list[str]:
    """A strong line between each goal area and the active area."""
    low, high = MARGIN + SQUARE, _side(size) - MARGIN - SQUARE
    far = _side(size) - MARGIN
    lines = []
    for at in (low, high):
        lines.append(d.line([(MARGIN, at), (far, at)], _INK, 1.1))
        lines.append(d.line([(at, low), (at, high)], _INK, 1.1))
    return lines


def _coordinates(size: int) -> list[str]:
    """Letters below and above, numbers left and right."""
    parts = []
    for number in range(size):
        along, _ = _middle(size, number, 0)
        _, down = _middle(size, 0, number)
        near, far = MARGIN - 9.5, _side(size) - MARGIN + 9.5
        style: dict[str, Any] = {"stroke": _INK, "stroke_width": 0.7}
        letter = _COLUMNS[number].upper()
        parts += [d.lettering(letter, (along, y), 4.4, **style) for y in (near, far)]
        parts += [d.lettering(str(number + 1), (x, down), 4.4, **style) for x in (near, far)]
    return parts


def _edge(size: int, seat: Seat) -> list[str]:
    """The name of an edge with its seat's mark in the colour of its pieces."""
    center = (_side(size) / 2, _side(size) / 2)
    quarters = 2 - seat
    at = (center[0], _side(size) - MARGIN / 2 + 3.4)
    half = len(_EDGES[seat]) * 3.1 + 8
    word = d.lettering(
        _EDGES[seat], d.turned(at, quarters, center), 5.6, quarters=quarters, stroke=_INK, stroke_width=1.1
    )
    spots = [d.turned((at[0] + dx, at[1]), quarters, center) for dx in (-half, half)]
    if seat % 2 == 0:
        beside = d.turned((at[0] + 0.235 * _side(size), at[1]), quarters, center)
        word += d.lettering("GAME OF GOD", beside, 5.0, quarters=quarters, stroke="#a5834e", stroke_width=0.9)
    return [word, *(d.mark(seat, spot, 0.9, fill=COLORS[seat], stroke=_INK, stroke_width=0.5) for spot in spots)]
