"""What boards of other makers look like: wood with drilled or burnt spaces, painted boards, cards, cloth, chequers.

A picture is uint8 BGR, `SCALE` pixels a millimetre. Places and lengths are mm of the board.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.evidence.lens import Plane
from calibration.evidence.sensor import Frame
from calibration.evidence.shop_layout import rows_of
from companion.model import Seat, Sheet, Space

SCALE = 3.0
"""Pixels per mm."""
Color = tuple[float, float, float]
"""Blue, green, red, 0 to 255."""
Tones = tuple[Color, Color]
"""Of the board's stuff, and of lines and letters on it."""
_SHIFT = 4  # binary places of a pixel that OpenCV draws with


@dataclass(frozen=True, slots=True)
class Style:
    """How a maker makes boards. stuff: what of, one of STUFFS; tones: to choose from. mark: what a space is drawn as,
    one of MARKS. fields: whether seats have grounds of their colours. middle: what decorates it. by_hand: spaces are a
    little off.
    """

    stuff: str
    tones: tuple[Tones, ...]
    mark: str
    fields: bool
    middle: str
    by_hand: bool


_OAK, _WALNUT = ((105, 160, 196), (40, 62, 84)), ((46, 70, 98), (24, 36, 50))
_BIRCH, _BEECH = ((132, 182, 212), (30, 48, 72)), ((90, 140, 180), (22, 36, 60))
_CREAM, _SKY = ((196, 214, 222), (30, 30, 34)), ((150, 120, 84), (24, 24, 30))
_PALE, _MINT = ((222, 236, 242), (60, 60, 60)), ((150, 190, 168), (50, 44, 36))
_GREEN, _NAVY = ((62, 92, 40), (190, 220, 226)), ((92, 46, 38), (180, 200, 220))
STYLES: Mapping[str, Style] = {
    "drilled": Style("wood", (_OAK, _WALNUT), "hole", False, "", True),
    "burnt": Style("wood", (_BIRCH, _BEECH), "ring", False, "star", True),
    "painted": Style("paint", (_CREAM, _SKY), "disc", True, "rays", True),
    "card": Style("card", (_PALE, _MINT), "cell", True, "star", False),
    "cloth": Style("cloth", (_GREEN, _NAVY), "ring", True, "", True),
}


def drawn(board: Sheet, style: Style, rng: np.random.Generator) -> Frame:
    """The picture of a board."""
    tone, ink = style.tones[int(rng.integers(len(style.tones)))]
    picture = np.asarray(np.clip(STUFFS[style.stuff](_blank(board, tone), rng), 0, 255), np.uint8)
    seats = {seat: _paint(color, rng) for seat, color in board.colors.items()}
    if board.piece.kind == "disc":
        _squares(picture, board, tone, ink, rng)
    else:
        _middle(picture, board, style, seats, ink)
        if style.fields:
            _grounds(picture, board, seats)
        ways, paints = rows_of(board), {name: paint for name in board.spaces if (paint := _of(name, seats)) is not None}
        for name, space in board.spaces.items():
            MARKS[style.mark](picture, space, ways[name], paints.get(name), ink)
    _border(picture, board, ink, rng)
    return picture


# --- what it is made of ---


def _blank(board: Sheet, tone: Color) -> Plane:
    rows, cols = round(board.height * SCALE), round(board.width * SCALE)
    return np.full((rows, cols, 3), tone, np.float32)


def _rough(shape: tuple[int, ...], down: float, across: float, rng: np.random.Generator) -> Plane:
    """Noise that is even over `down` × `across` pixels; its standard deviation is about 1."""
    few = max(2, round(shape[0] / down)), max(2, round(shape[1] / across))
    noise = rng.normal(0, 1.3, few).astype(np.float32)
    return np.asarray(cv2.resize(noise, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def _wood(picture: Plane, rng: np.random.Generator) -> Plane:
    """Grain along one side, growth rings, and here and there a knot."""
    rows, cols = picture.shape[:2]
    x = np.arange(cols, dtype=np.float32)[None] + 9 * _rough((rows, cols), 220, 40, rng)
    rings = np.sin(2 * math.pi * x / rng.uniform(24, 60) + 3 * _rough((rows, cols), 700, 90, rng))
    grain = 0.07 * rings + 0.06 * _rough((rows, cols), 150, 3, rng) + 0.05 * _rough((rows, cols), 400, 120, rng)
    if rng.random() < 0.5:
        grain = cv2.resize(np.rot90(grain), (cols, rows))
    for at in rng.uniform(0, 1, (int(rng.integers(0, 3)), 2)) * (cols, rows):
        far = np.hypot(*(np.meshgrid(np.arange(cols) - at[0], np.arange(rows) - at[1])))
        grain = grain - 0.35 * np.exp(-((far / rng.uniform(9, 20)) ** 2)).astype(np.float32)
    return np.asarray(picture * (1 + grain[..., None]), np.float32)


def _card(picture: Plane, rng: np.random.Generator) -> Plane:
    """Plain, with a print that is a little uneven."""
    return np.asarray(picture * (1 + 0.012 * _rough(picture.shape[:2], 90, 90, rng)[..., None]), np.float32)


def _cloth(picture: Plane, rng: np.random.Generator) -> Plane:
    """Felt: flocks, and a nap that lies this way here and that way there."""
    flocks = 0.10 * _rough(picture.shape[:2], 3, 3, rng) + 0.07 * _rough(picture.shape[:2], 120, 90, rng)
    return np.asarray(picture * (1 + flocks[..., None]), np.float32)


def _painted(picture: Plane, rng: np.random.Generator) -> Plane:
    """Brushed on: streaks, and blots of other paints."""
    rows, cols = picture.shape[:2]
    picture = np.asarray(picture * (1 + 0.04 * _rough((rows, cols), 5, 260, rng)[..., None]), np.float32)
    for x, y in rng.uniform(0, 1, (int(rng.integers(20, 60)), 2)) * (cols, rows):
        blot = tuple(map(float, picture[int(y), int(x)] * rng.uniform(0.6, 1.2, 3)))
        cv2.circle(picture, (int(x), int(y)), int(rng.integers(4, 16)), blot, -1, cv2.LINE_AA)
    return picture


STUFFS: Mapping[str, Callable[[Plane, np.random.Generator], Plane]] = {
    "wood": _wood,
    "card": _card,
    "cloth": _cloth,
    "paint": _painted,
}


# --- what is drawn on it ---


def _disc(picture: Frame, x: float, y: float, radius: float, color: Color, line: float = 0.0) -> None:
    """A disc, or a ring whose line is so wide, mm."""
    at = tuple(round((v * SCALE - 0.5) * 2**_SHIFT) for v in (x, y))
    width = max(1, round(line * SCALE)) if line else -1
    cv2.circle(picture, at, round(radius * SCALE * 2**_SHIFT), color, width, cv2.LINE_AA, _SHIFT)


def _polygon(picture: Frame, corners: np.ndarray, color: Color) -> None:
    cv2.fillPoly(picture, [np.round((corners * SCALE - 0.5) * 2**_SHIFT).astype(np.int32)], color, cv2.LINE_AA, _SHIFT)


def _mixed(one: Color, other: Color, share: float) -> Color:
    b, g, r = (float((1 - share) * a + share * c) for a, c in zip(one, other, strict=True))
    return b, g, r


def _here(picture: Frame, space: Space) -> Color:
    b, g, r = map(float, picture[round(space.y * SCALE), round(space.x * SCALE)])
    return b, g, r


def _hole(picture: Frame, space: Space, way: tuple[float, float], paint: Color | None, ink: Color) -> None:
    """Drilled: dark, with a lighter edge on one side; those of a seat in a ring of its colour."""
    x, y, wide = space.x, space.y, space.radius
    if space.is_area and wide > 15:
        return _ring(picture, space, way, paint, ink)
    if paint is not None:
        _disc(picture, x, y, 0.95 * wide, paint)
    deep = _mixed(ink, (0, 0, 0), 0.45)
    _disc(picture, x + 0.25, y + 0.25, 0.6 * wide, _mixed(_here(picture, space), (255, 255, 255), 0.25))
    _disc(picture, x, y, 0.58 * wide, deep)
    return _disc(picture, x + 0.12 * wide, y + 0.12 * wide, 0.4 * wide, _mixed(deep, ink, 0.6))


def _ring(picture: Frame, space: Space, way: tuple[float, float], paint: Color | None, ink: Color) -> None:
    """A line round each space, of the seat's colour where it is a seat's."""
    _disc(picture, space.x, space.y, 0.9 * space.radius, ink if paint is None else paint, 0.9 + 0.04 * space.radius)


def _spot(picture: Frame, space: Space, way: tuple[float, float], paint: Color | None, ink: Color) -> None:
    """A disc with a dark edge: white, or of the seat's colour."""
    _disc(picture, space.x, space.y, 0.95 * space.radius, (214, 222, 224) if paint is None else paint)
    _disc(picture, space.x, space.y, 0.95 * space.radius, ink, 0.7)


def _cell(picture: Frame, space: Space, way: tuple[float, float], paint: Color | None, ink: Color) -> None:
    """A field that is wider than its row is long; of an area a disc."""
    if space.is_area and space.radius > 15:
        return _spot(picture, space, way, paint, ink)
    along, aside = np.array(way), np.array([-way[1], way[0]])
    for grow, color in ((0.0, ink), (-0.4, (232, 240, 244) if paint is None else paint)):
        a, b = (0.98 * space.radius + grow) * along, (1.18 * space.radius + grow) * aside
        _polygon(picture, np.array([space.x, space.y]) + np.array([a + b, a - b, -a - b, b - a]), color)
    return None


MARKS: Mapping[str, Callable[[Frame, Space, tuple[float, float], Color | None, Color], None]] = {
    "hole": _hole,
    "ring": _ring,
    "disc": _spot,
    "cell": _cell,
}


def _of(name: str, seats: Mapping[Seat, Color]) -> Color | None:
    """The colour of the seat whose space this is by its name."""
    found = re.fullmatch(r"(?:base|home|lane)(\d+)(?:\.\d+)?", name)
    return seats.get(int(found[1])) if found else None


def _paint(color: str, rng: np.random.Generator) -> Color:
    """A board's paint is not quite that of the pieces: paler, or darker."""
    full = tuple(float(int(color[i : i + 2], 16)) for i in (5, 3, 1))
    towards = (235.0, 235.0, 235.0) if rng.random() < 0.6 else (20.0, 20.0, 20.0)
    return _mixed((full[0], full[1], full[2]), towards, rng.uniform(0, 0.45))


def _grounds(picture: Frame, board: Sheet, seats: Mapping[Seat, Color]) -> None:
    """Below each seat's base a field of its colour, half faded into the board."""
    for seat, paint in seats.items():
        mine = np.array([(s.x, s.y) for s in board.spaces.values() if s.name.split(".")[0] == f"base{seat}"])
        wide = max(s.radius for s in board.spaces.values() if s.name.split(".")[0] == f"base{seat}")
        x, y = mine.mean(axis=0).tolist()
        under = Space("", x, y, float(np.linalg.norm(mine - mine.mean(axis=0), axis=1).max()) + 1.25 * wide)
        _disc(picture, x, y, under.radius, _mixed(_here(picture, under), paint, 0.5))


def _middle(picture: Frame, board: Sheet, style: Style, seats: Mapping[Seat, Color], ink: Color) -> None:
    """Rays of the seats' colours over the whole board, or a star in its middle."""
    middle, long = np.array([board.width, board.height]) / 2, 0.11 * board.width
    if style.middle == "rays":
        under, paints = picture.copy(), list(seats.values())
        for k in range(24):
            edges = np.array([(math.cos(a), math.sin(a)) for a in (k * math.pi / 12, (k + 0.5) * math.pi / 12)])
            _polygon(under, np.vstack([middle, middle + board.width * edges]), paints[k * len(paints) // 24])
        cv2.addWeighted(under, 0.3, picture, 0.7, 0, picture)
    elif style.middle == "star":
        spikes = [(long if k % 2 else 0.4 * long, k * math.pi / 8) for k in range(16)]
        star = np.array([(r * math.cos(a), r * math.sin(a)) for r, a in spikes])
        _polygon(picture, middle + star, _mixed(ink, (60, 120, 200), 0.5))


_STICKERS: tuple[Color, ...] = ((40, 40, 200), (180, 90, 20), (235, 235, 235))
"""Red, blue, white."""


def _squares(picture: Frame, board: Sheet, tone: Color, ink: Color, rng: np.random.Generator) -> None:
    """A chequered field: every other square darker. As it looks the same when it is turned, its owner was asked to
    stick a small mark on one corner, and took a round sticker that shows well.
    """
    half = next(iter(board.spaces.values())).radius / 17 * 20
    dark = _mixed(ink, tone, rng.uniform(0.15, 0.5))
    for space in board.spaces.values():
        x0, y0, x1, y1 = (round(v * SCALE) for v in (space.x - half, space.y - half, space.x + half, space.y + half))
        if (ord(space.name[0]) + int(space.name[1:])) % 2 == 0:
            shade = np.array(dark) / np.array(tone)
            picture[y0:y1, x0:x1] = np.clip(picture[y0:y1, x0:x1] * shade, 0, 255).astype(np.uint8)
    middles = np.array([(space.x, space.y) for space in board.spaces.values()])
    low, high = np.round((middles.min(axis=0) - half) * SCALE), np.round((middles.max(axis=0) + half) * SCALE)
    cv2.rectangle(picture, low.astype(int).tolist(), high.astype(int).tolist(), ink, round(1.2 * SCALE), cv2.LINE_AA)
    _disc(picture, 10.0, 10.0, 8.0, max(_STICKERS, key=lambda sticker: math.dist(sticker, tone)))


def _border(picture: Frame, board: Sheet, ink: Color, rng: np.random.Generator) -> None:
    """A line or two round all, and the maker's name in one corner."""
    rows, cols = picture.shape[:2]
    for inset in (2.2, 4.0)[: int(rng.integers(0, 3))]:
        edge = round(inset * SCALE)
        cv2.rectangle(picture, (edge, edge), (cols - edge, rows - edge), ink, round(0.7 * SCALE), cv2.LINE_AA)
    name, size = str(rng.choice(["LUDORA", "Old Mill Games", "KING & CO", "Tivoli"])), rng.uniform(0.6, 1.0)
    at = round(0.02 * cols), round(0.985 * rows)
    cv2.putText(picture, name, at, cv2.FONT_HERSHEY_TRIPLEX, size * SCALE / 3, ink, 2, cv2.LINE_AA)
