"""Tables as Blender is told of them: a board on some table, in some light, as a seed decides.

All is mm of the sheet and linear red, green, blue, as JSON can say it; see `server`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from calibration.blender.makes import stuff_of
from calibration.evidence.lens import Floats, Plane
from calibration.evidence.sensor import Frame
from companion.model import Piece, Seat, Sheet

Told = dict[str, Any]
"""What JSON says of one thing."""
TABLES: Mapping[str, Told] = {
    "oak": {"color": (0.42, 0.25, 0.12), "pattern": ("planks", 16, (0.28, 0.15, 0.07)), "roughness": 0.45},
    "walnut": {"color": (0.13, 0.065, 0.03), "pattern": ("planks", 11, (0.06, 0.03, 0.015)), "roughness": 0.35},
    "gingham": {"color": (0.75, 0.74, 0.70), "pattern": ("gingham", 22, (0.50, 0.06, 0.06)), "roughness": 0.9},
    "blue checks": {"color": (0.72, 0.72, 0.72), "pattern": ("gingham", 14, (0.05, 0.12, 0.4)), "roughness": 0.9},
    "glass": {"color": (0.03, 0.045, 0.045), "roughness": 0.04},
    "white": {"color": (0.74, 0.73, 0.70), "roughness": 0.3},
    "terrazzo": {"color": (0.22, 0.2, 0.19), "pattern": ("stones", 9, (0.66, 0.63, 0.6)), "roughness": 0.25},
    "felt": {"color": (0.03, 0.16, 0.07), "pattern": ("noise", 3, (0.05, 0.22, 0.1)), "roughness": 1.0, "deep": 0.5},
    "linen": {"color": (0.5, 0.44, 0.36), "pattern": ("noise", 1.6, (0.36, 0.31, 0.25)), "roughness": 1.0, "deep": 0.4},
}
"""Tops of tables: colour, and a pattern (kind, mm, its other colour) that may be `deep` mm deep."""
LIGHTS = ("sun", "ceiling", "warm lamp", "two lamps", "sky")
"""Sun through a window with bars, a lamp above, one at a side, two of different colour, a bright sky."""


@dataclass(frozen=True, eq=False, slots=True)
class Lit:
    """Light on a table. lamps, sky, room: as `server` has them. bars: what stands before the window, or who sits before
    the light. sun: where most comes from, (x, y, 1); color: of all of it on the board, linear BGR. shine: where a room,
    which needs no lamps, is bright, as `lamps` would have it.
    """

    lamps: list[Told]
    sky: list[list[float]]
    bars: list[Told]
    sun: Floats
    color: Floats
    room: Told | None = None
    shine: Sequence[Told] = ()

    @property
    def sources(self) -> Sequence[Told]:
        """From where light comes that casts shadows and is mirrored."""
        return self.lamps or self.shine


@dataclass(frozen=True, eq=False, slots=True)
class Goods:
    """What lies on a table, whatever the light. picture: the board's, uint8 BGR. board, table: as `server` has them,
    without files. relief: how high the board's face is, uint8, None if it is smooth. piece: how large they really are;
    surfaces: of each seat's; make: which of `makes`. beside: boxes.
    """

    sheet: Sheet
    piece: Piece
    picture: Frame
    board: Told
    table: Told
    surfaces: Mapping[Seat, Told]
    make: int
    relief: Frame | None = None
    beside: list[Told] = field(default_factory=list)


def printed_goods(sheet: Sheet, texture: Frame, rng: np.random.Generator) -> Goods:
    """One of our own boards, printed, lacquered or not, folded or not."""
    gloss = float(rng.choice([0.0, 0.0, 0.35, 0.9]))
    ridge = float(rng.choice([0.0, 0.0, rng.uniform(0.5, 3.0), rng.uniform(-2.5, -0.5)]))
    board: Told = {"thick": rng.uniform(0.3, 4), "ridge": ridge, "roughness": rng.uniform(0.45, 0.85), "coat": gloss}
    board |= {"coat_roughness": rng.uniform(0.03, 0.25), "edge": {"color": [0.55, 0.52, 0.46]}}
    return goods_of(sheet, another_size(sheet.piece, rng), aged(texture, rng, folded=ridge != 0), board, rng)


def another_size(piece: Piece, rng: np.random.Generator) -> Piece:
    """Pieces as people have them: up to 15 % higher or lower than the sheet says, 10 % wider or narrower."""
    wide, high = piece.diameter * rng.uniform(0.9, 1.1), piece.height * rng.uniform(0.85, 1.15)
    if piece.kind == "marble":
        high = piece.height + wide - piece.diameter  # it sinks no deeper into its hole
    return replace(piece, diameter=wide, height=high)


def goods_of(
    sheet: Sheet, piece: Piece, picture: Frame, board: Told, rng: np.random.Generator, relief: Frame | None = None
) -> Goods:  # fmt: skip
    """A board with pieces on a table of some kind."""
    off, gloss = float(rng.choice([0.6, 1.0, 1.0, 1.6])), float(rng.choice([0.0, 0.4, 1.0]))
    shiny = sheet.piece.kind == "marble"
    surface = {"roughness": 0.1 if shiny else rng.uniform(0.3, 0.7), "coat": 1.0 if shiny else gloss}
    surfaces = {}
    for seat, text in sorted(sheet.colors.items()):
        color = stuff_of(text, off, rng)
        swirl = {"kind": "noise", "size": 6.0, "color": np.clip(1.6 * color + 0.03, 0, 0.8).tolist()}
        surfaces[seat] = {**surface, "color": color.tolist()} | ({"texture": swirl} if shiny else {})
    table = table_of(str(rng.choice(list(TABLES))), rng)
    whole = {"width": sheet.width, "height": sheet.height, **board}
    beside = [a_box(sheet, rng) for _ in range(int(rng.integers(0, 3)))]
    return Goods(sheet, piece, picture, whole, table, surfaces, int(rng.integers(60)), relief, beside)


def table_of(name: str, rng: np.random.Generator) -> Told:
    """A table's top as `server` has it."""
    of = TABLES[name]
    told: Told = {"color": list(of["color"]), "roughness": of["roughness"]}
    if "pattern" in of:
        kind, size, other = of["pattern"]
        told["texture"] = {"kind": kind, "color": list(other), "size": size * rng.uniform(0.8, 1.3)}
        told["texture"] |= {"turn": rng.uniform(0, math.pi), "deep": of.get("deep", 0.0)}
    return told


def a_box(sheet: Sheet, rng: np.random.Generator) -> Told:
    """A book, a box of sweets: something low beside the board, left or right of it or beyond."""
    size = rng.uniform((60, 60, 8), (180, 160, 45))
    way = rng.uniform(math.pi, 2 * math.pi)  # y goes towards the camera
    far = 0.75 * math.hypot(sheet.width, sheet.height) + 0.5 * math.hypot(size[0], size[1])
    middle = [sheet.width / 2 + far * math.cos(way), sheet.height / 2 + far * math.sin(way), size[2] / 2]
    surface = {"color": rng.uniform(0.02, 0.6, 3).tolist(), "roughness": rng.uniform(0.2, 0.8)}
    return {"middle": middle, "size": size.tolist(), "turn": rng.uniform(0, math.pi), "surface": surface}


# --- prints ---


def aged(texture: Frame, rng: np.random.Generator, *, folded: bool) -> Frame:
    """A print with inks and paper of its own hues, stains, and wear where it is folded."""
    ink = texture.astype(np.float32) / 255
    grey = ink.mean(axis=2, keepdims=True)
    ink = grey + (ink - grey) * rng.uniform(0.72, 1.08)
    ink = 1 - (1 - ink) * np.asarray(rng.uniform(0.82, 1.0, 3), np.float32)
    ink = ink * np.asarray(rng.uniform((0.86, 0.92, 0.94), 1.0), np.float32)
    ink = ink * _stains(ink.shape[:2], rng)[..., None]
    if folded:
        across = np.abs(np.arange(ink.shape[1]) - ink.shape[1] / 2) / ink.shape[1] * 400
        worn = (0.7 * np.exp(-((across / 0.5) ** 2))).astype(np.float32)[None, :, None]
        ink = ink + worn * (0.75 - ink)
    return np.asarray(np.clip(ink * 255 + 0.5, 0, 255), np.uint8)


def _stains(shape: tuple[int, int], rng: np.random.Generator) -> Plane:
    """What was spilt: rings and clouds, 1 where nothing was."""
    few = np.ones((shape[0] // 4, shape[1] // 4), np.float32)
    for _ in range(int(rng.integers(0, 4))):
        at, wide = rng.uniform(0, 1, 2) * few.shape[::-1], rng.uniform(0.03, 0.12) * few.shape[1]
        ring, dark = rng.random() < 0.5, float(rng.uniform(0.78, 0.94))
        spot = np.ones_like(few)
        cv2.circle(spot, (int(at[0]), int(at[1])), int(wide), dark, max(2, int(wide / 8)) if ring else -1, cv2.LINE_AA)
        few *= cv2.GaussianBlur(spot, (0, 0), wide / (20 if ring else 5))
    return np.asarray(cv2.resize(few, (shape[1], shape[0])), np.float32)


# --- light ---


def kelvin(warmth: float) -> Floats:
    """The colour of a black body, linear red, green, blue, its green 1 (a fit by hand from 2300 K to 9000 K)."""
    miss = math.log(warmth / 6500)
    return np.array([math.exp(-0.62 * miss), 1.0, math.exp(1.25 * miss - 0.35 * miss**2)])


def light_of(name: str, sheet: Sheet, rng: np.random.Generator) -> Lit:
    """One of LIGHTS over a board."""
    home = np.array([sheet.width / 2, sheet.height / 2, 0.0])
    return {"sun": _sun, "ceiling": _ceiling, "warm lamp": _warm, "two lamps": _two, "sky": _sky}[name](home, rng)


def towards(high: float, side: float) -> Floats:
    """A direction so high (degrees) and to that side (radians)."""
    lean = math.radians(high)
    return np.array([math.cos(lean) * math.cos(side), math.cos(lean) * math.sin(side), math.sin(lean)])


def a_lamp(kind: str, home: Floats, way: Floats, far: float, color: Floats, wide: float, high: float = 0.0) -> Told:
    told: Told = {"kind": kind, "at": (home + far * way).tolist(), "home": home.tolist(), "color": color.tolist()}
    return {**told, "wide": wide} | ({"high": high} if high else {})


def _lit(lamps: list[Told], around: Floats, above: Floats, way: Floats, bars: list[Told] | None = None) -> Lit:
    """Light from lamps and from everywhere, the latter as what a level thing gets of it."""
    direct = sum((np.array(lamp["color"]) * _steepness(lamp) for lamp in lamps), np.zeros(3))
    sun = way / max(0.2, way[2])
    color = (direct + 0.4 * around + 0.6 * above)[::-1]
    return Lit(lamps, [(around / math.pi).tolist(), (above / math.pi).tolist()], bars or [], sun, color)


def _steepness(lamp: Told) -> float:
    way = np.array(lamp["at"]) - np.array(lamp["home"])
    return float(way[2] / np.linalg.norm(way))


def _sun(home: Floats, rng: np.random.Generator) -> Lit:
    """Through a window with bars; the room gives the rest."""
    side = rng.uniform(0, 2 * math.pi)
    way = towards(rng.uniform(28, 55), side)
    sun = a_lamp("sun", home, way, 3000, rng.uniform(0.7, 1.6) * kelvin(rng.uniform(4800, 5800)), 0.6)
    pane = a_lamp("window", home, towards(25, side), 1500, 0.35 * kelvin(rng.uniform(6500, 9000)), 900, 1100)
    bars = [_bar(home + 1200 * way, side, across, rng) for across in np.arange(-900, 901, rng.uniform(260, 420))]
    room = rng.uniform(0.15, 0.4) * kelvin(6000)
    return _lit([sun, pane], room, room, way, [*bars, _bar(home + 1200 * way, side, None, rng)])


def _bar(at: Floats, side: float, across: float | None, rng: np.random.Generator) -> Told:
    """An upright bar of a window, so far beside its middle; None: the one that lies."""
    aside = np.array([-math.sin(side), math.cos(side), 0.0])
    wide = rng.uniform(35, 70)
    size = [30, 2400, wide] if across is None else [30, wide, 2400]
    middle = at + (0.0 if across is None else across) * aside + (0, 0, rng.uniform(-150, 150))
    middle[2] = max(middle[2], size[2] / 2 + 10) if across is None else middle[2]
    return {"middle": middle.tolist(), "size": size, "turn": side, "surface": {"color": [0.6, 0.6, 0.6]}}


def _ceiling(home: Floats, rng: np.random.Generator) -> Lit:
    way = towards(rng.uniform(60, 88), rng.uniform(0, 2 * math.pi))
    lamp = a_lamp(
        "window", home, way, rng.uniform(1300, 1900), kelvin(rng.uniform(3500, 5500)), 600, rng.uniform(150, 900)
    )
    room = rng.uniform(0.3, 0.7) * kelvin(4500)
    return _lit([lamp], room, room, way)


def _warm(home: Floats, rng: np.random.Generator) -> Lit:
    way, color = towards(rng.uniform(28, 55), rng.uniform(0, 2 * math.pi)), kelvin(rng.uniform(2400, 3000))
    lamp = a_lamp("lamp", home, way, rng.uniform(700, 1100), color, rng.uniform(80, 240))
    room = rng.uniform(0.15, 0.4) * kelvin(2900)
    return _lit([lamp], room, room, way)


def _two(home: Floats, rng: np.random.Generator) -> Lit:
    side = rng.uniform(0, 2 * math.pi)
    one, other = towards(rng.uniform(35, 60), side), towards(rng.uniform(30, 60), side + rng.uniform(1.5, 4))
    warm = a_lamp("lamp", home, one, rng.uniform(700, 1300), kelvin(rng.uniform(2500, 3200)), rng.uniform(80, 200))
    cold = rng.uniform(0.4, 1.0) * kelvin(rng.uniform(6000, 9000))
    room = rng.uniform(0.15, 0.35) * kelvin(4500)
    return _lit([warm, a_lamp("window", home, other, 1400, cold, 300, 500)], room, room, one)


def _sky(home: Floats, rng: np.random.Generator) -> Lit:
    """Outdoors, in the shade: blue above, less from the sides."""
    above, around = kelvin(rng.uniform(7000, 11000)), rng.uniform(0.3, 0.8) * kelvin(5500)
    way = towards(70, rng.uniform(0, 2 * math.pi))
    glow = a_lamp("window", home, way, 3000, rng.uniform(0.1, 0.5) * kelvin(7000), 3000, 3000)
    return _lit([glow], around, above, way)


# --- a scene ---

Keep = Callable[[Frame], str]
"""Makes a file of a picture, and says where it is."""


def scene_of(goods: Goods, lit: Lit, keep: Keep, samples: int) -> Told:
    """A table without pieces, and without a camera."""
    board = {**goods.board, "picture": keep(goods.picture)}
    if goods.relief is not None:
        board["relief"] = keep(goods.relief)
    told: Told = {"board": board, "table": goods.table, "boxes": [*goods.beside, *lit.bars]}
    told |= {"room": lit.room} if lit.room is not None else {}
    return {**told, "lights": lit.lamps, "sky": lit.sky, "samples": samples}
