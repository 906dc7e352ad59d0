"""Shapes to SVG: the few strokes from which the boards are drawn, in millimetres, y down.

Letters are strokes, so that a board looks the same in every program and needs no font.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import cv2
import numpy as np

from companion.model import BadInput, Markers
from companion.model.table import MARKS

Point = tuple[float, float]

_LETTERS = {
    " ": "",
    "0": "M.35 0C.8 0 .8 1 .35 1C-.1 1 -.1 0 .35 0",
    "1": "M.1 .25L.4 0L.4 1",
    "2": "M.05 .25C.05 -.1 .65 -.1 .65 .28C.65 .55 .05 .75 .05 1L.68 1",
    "3": "M.05 .12C.3 -.08 .65 0 .65 .26C.65 .5 .35 .48 .28 .48C.4 .48 .7 .5 .7 .74C.7 1.05 .2 1.1 .03 .85",
    "4": "M.5 1L.5 0L.02 .68L.7 .68",
    "5": "M.62 0L.12 0L.08 .45C.3 .32 .7 .4 .68 .7C.66 1.05 .2 1.08 .03 .86",
    "6": "M.58 .04C.2 .05 .05 .4 .05 .66C.05 1.12 .68 1.1 .68 .68C.68 .32 .15 .35 .06 .62",
    "7": "M.03 0L.68 0L.28 1",
    "8": "M.35 .46C-.02 .42 .02 0 .35 0C.68 0 .72 .42 .35 .46C-.1 .5 -.08 1 .35 1C.78 1 .8 .5 .35 .46",
    "9": "M.12 .96C.5 .95 .65 .6 .65 .34C.65 -.12 .02 -.1 .02 .32C.02 .68 .55 .65 .64 .38",
    "A": "M0 1L.4 0L.8 1M.15 .65L.65 .65",
    "B": "M.1 0L.1 1L.45 1C.82 1 .82 .48 .45 .48L.1 .48M.45 .48C.74 .48 .74 0 .45 0L.1 0",
    "C": "M.74 .16C.5 -.1 .05 -.05 .05 .5C.05 1.05 .5 1.1 .74 .84",
    "D": "M.1 0L.1 1L.35 1C.9 1 .9 0 .35 0L.1 0",
    "E": "M.7 0L.1 0L.1 1L.7 1M.1 .5L.6 .5",
    "F": "M.7 0L.1 0L.1 1M.1 .5L.6 .5",
    "G": "M.74 .16C.5 -.1 .05 -.05 .05 .5C.05 1.12 .76 1.1 .76 .75L.76 .54L.45 .54",
    "H": "M.1 0L.1 1M.7 0L.7 1M.1 .5L.7 .5",
    "I": "M.4 0L.4 1",
    "J": "M.62 0L.62 .7C.62 1.1 .12 1.1 .1 .74",
    "K": "M.1 0L.1 1M.7 0L.1 .6M.3 .42L.74 1",
    "L": "M.12 0L.12 1L.7 1",
    "M": "M.05 1L.05 0L.45 .6L.85 0L.85 1",
    "N": "M.1 1L.1 0L.7 1L.7 0",
    "O": "M.4 0C.95 0 .95 1 .4 1C-.15 1 -.15 0 .4 0",
    "P": "M.1 1L.1 0L.45 0C.82 0 .82 .56 .45 .56L.1 .56",
    "Q": "M.4 0C.95 0 .95 1 .4 1C-.15 1 -.15 0 .4 0M.5 .72L.8 1.05",
    "R": "M.1 1L.1 0L.45 0C.8 0 .8 .52 .45 .52L.1 .52M.42 .52L.75 1",
    "S": "M.68 .14C.5 -.05 .12 -.05 .12 .25C.12 .55 .68 .45 .68 .75C.68 1.05 .25 1.05 .08 .85",
    "T": "M.4 0L.4 1M0 0L.8 0",
    "U": "M.1 0L.1 .65C.1 1.12 .7 1.12 .7 .65L.7 0",
    "V": "M.02 0L.4 1L.78 0",
    "W": "M0 0L.2 1L.42 .3L.64 1L.84 0",
    "X": "M.05 0L.75 1M.75 0L.05 1",
    "Y": "M.02 0L.4 .5L.78 0M.4 .5L.4 1",
    "Z": "M.08 0L.72 0L.05 1L.75 1",
}
_ADVANCE = 1.05


def num(value: float) -> str:
    """A number as SVG likes it: at most three decimals, no trailing zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".") or "0"


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """One SVG element; `_` in attribute names stands for `-`."""
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{num(v) if isinstance(v, float) else v}"'
        for key, v in attributes.items()
    )
    return f"<{name}{words}>{content}</{name}>" if content else f"<{name}{words}/>"


def circle(center: Point, radius: float, **style: object) -> str:
    """A circle round `center`."""
    return tag("circle", cx=center[0], cy=center[1], r=radius, **style)


def polygon(points: Iterable[Point], **style: object) -> str:
    """A closed shape through `points`."""
    return tag("path", d="M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "Z", **style)


def line(points: Iterable[Point], color: str, width: float, **style: object) -> str:
    """An open stroke through `points`, round at its ends."""
    d = "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)
    round_ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return tag("path", d=d, fill="none", stroke=color, stroke_width=width, **round_ends, **style)


def rounded(center: Point, width: float, height: float, radius: float, **style: object) -> str:
    """An upright rectangle round `center` with round corners."""
    x, y, r = center[0] - width / 2, center[1] - height / 2, 0.55 * radius
    w, h = width - 2 * radius, height - 2 * radius
    corners = (
        f"M{num(x + radius)} {num(y)}h{num(w)}c{num(r)} 0 {num(radius)} {num(radius - r)} {num(radius)} {num(radius)}",
        f"v{num(h)}c0 {num(r)} {num(r - radius)} {num(radius)} {num(-radius)} {num(radius)}",
        f"h{num(-w)}c{num(-r)} 0 {num(-radius)} {num(r - radius)} {num(-radius)} {num(-radius)}",
        f"v{num(-h)}c0 {num(-r)} {num(radius - r)} {num(-radius)} {num(radius)} {num(-radius)}Z",
    )
    return tag("path", d="".join(corners), **style)


def rect(center: Point, width: float, height: float, **style: object) -> str:
    """An upright rectangle round `center`."""
    x, y = center
    w, h = width / 2, height / 2
    return polygon([(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)], **style)


def turned(point: Point, quarters: float, center: Point) -> Point:
    """`point` after `quarters` quarter turns counterclockwise (as seen on the page) about `center`."""
    x, y = point[0] - center[0], point[1] - center[1]
    whole = math.floor(quarters)
    for _ in range(whole % 4):
        x, y = y, -x
    if quarters != whole:
        angle = (quarters - whole) * math.pi / 2
        x, y = x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)
    return center[0] + x, center[1] + y


def star(center: Point, radius: float, points: int = 5, inner: float = 0.45, **style: object) -> str:
    """A star with its first point up."""
    corners = []
    for i in range(2 * points):
        r = radius * (inner if i % 2 else 1)
        a = math.pi * i / points - math.pi / 2
        corners.append((center[0] + r * math.cos(a), center[1] + r * math.sin(a)))
    return polygon(corners, **style)


def hexagon(center: Point, radius: float, **style: object) -> str:
    """A regular hexagon with a corner up."""
    x, y = center
    angles = [math.pi * (2 * i - 3) / 6 for i in range(6)]
    return polygon([(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles], **style)


def mark(seat: int, at: Point, size: float = 1.0, **style: Any) -> str:
    """A seat's mark (MARKS), as the page shows it too; about 7 mm large at size 1."""
    x, y = at
    s = size
    shapes = {
        "circle": lambda: circle(at, 3.2 * s, **style),
        "square": lambda: rect(at, 5.6 * s, 5.6 * s, **style),
        "triangle": lambda: polygon(
            [(x, y - 3.6 * s), (x + 3.6 * s, y + 2.8 * s), (x - 3.6 * s, y + 2.8 * s)], **style
        ),
        "diamond": lambda: polygon([(x, y - 4 * s), (x + 4 * s, y), (x, y + 4 * s), (x - 4 * s, y)], **style),
        "star": lambda: star(at, 4.2 * s, **style),
        "hexagon": lambda: hexagon(at, 3.6 * s, **style),
    }
    return shapes[MARKS[seat]]()


def lettering(word: str, center: Point, height: float, quarters: float = 0, **style: object) -> str:
    """`word` in stroke letters round `center`, `height` mm high, turned by quarters counterclockwise.

    Raises BadInput for a letter that there is not.
    """
    if strange := sorted(set(word) - set(_LETTERS)):
        raise BadInput(f"{word!r}: there is no stroke letter {strange[0]!r}; there are A to Z, 0 to 9 and the space")
    width = (len(word) * _ADVANCE - 0.25) * height
    moves = []
    for i, letter in enumerate(word):
        origin = (center[0] - width / 2 + i * _ADVANCE * height, center[1] - height / 2)
        moves.append(_letter(_LETTERS[letter], origin, height, quarters, center))
    return tag("path", d="".join(moves), fill="none", stroke_linecap="round", stroke_linejoin="round", **style)


def _letter(strokes: str, origin: Point, height: float, quarters: float, center: Point) -> str:
    out = []
    for chunk in strokes.replace("M", "|M").replace("L", "|L").replace("C", "|C").split("|")[1:]:
        numbers = [float(n) for n in chunk[1:].split()]
        points = [
            turned((origin[0] + x * height, origin[1] + y * height), quarters, center)
            for x, y in zip(numbers[::2], numbers[1::2], strict=True)
        ]
        out.append(chunk[0] + " ".join(f"{num(x)} {num(y)}" for x, y in points))
    return "".join(out)


def marker(dictionary: str, number: int, center: Point, size: float) -> str:
    """An ArUco marker of `size` mm on a white quiet zone of one module."""
    codes = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    modules = codes.markerSize + 2
    cells = np.asarray(cv2.aruco.generateImageMarker(codes, number, modules))
    unit = size / modules
    left, top = center[0] - size / 2, center[1] - size / 2
    white = "".join(_module(left + c * unit, top + r * unit, unit) for r, c in np.argwhere(cells > 127))
    quiet = rect(center, size + 2 * unit, size + 2 * unit, fill="#ffffff")
    return quiet + rect(center, size, size, fill="#000000") + tag("path", d=white, fill="#ffffff")


def _module(x: float, y: float, unit: float) -> str:
    return f"M{num(x)} {num(y)}h{num(unit)}v{num(unit)}h{num(-unit)}Z"


def corner_markers(width: float, height: float, inset: float = 20.0) -> Markers:
    """Markers 0 to 3 in the corners of a sheet, clockwise from its top left; `inset`: their centres from the edges."""
    right, low = width - inset, height - inset
    return Markers("DICT_4X4_50", 24.0, {0: (inset, inset), 1: (right, inset), 2: (right, low), 3: (inset, low)})


def printed_markers(markers: Markers) -> list[str]:
    """All the markers of a sheet."""
    return [marker(markers.dictionary, i, center, markers.size) for i, center in markers.centers.items()]


def tint(color: str, amount: float) -> str:
    """`color` mixed with white: amount 1 is the colour itself, 0 is white."""
    channels = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - (255 - c) * amount):02x}" for c in channels)


def shade(color: str, amount: float) -> str:
    """`color` mixed with black: amount 1 is the colour itself, 0 is black."""
    return "#" + "".join(f"{round(int(color[i : i + 2], 16) * amount):02x}" for i in (1, 3, 5))


def document(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    """The whole SVG, sized in millimetres."""
    body = tag("title", title) + "".join(parts)
    head = f'xmlns="http://www.w3.org/2000/svg" width="{num(width)}mm" height="{num(height)}mm"'
    return f'<svg {head} viewBox="0 0 {num(width)} {num(height)}">{body}</svg>\n'
