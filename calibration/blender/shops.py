"""Boards of other makers before Blender's camera, shown by a pretend owner as the docs say."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from calibration.blender.film import BlenderFilm, Day, a_day, a_lens
from calibration.blender.rooms import Room
from calibration.blender.scenes import Goods, Lit, Told, goods_of
from calibration.blender.studio import Studio
from calibration.blender.webcam import Webcam
from calibration.evidence.conditions import Condition
from calibration.evidence.lens import Camera
from calibration.evidence.sensor import Frame
from calibration.evidence.shop import Shown, beginning, contents_of, taught
from calibration.evidence.shop_art import SCALE, STYLES, Style, drawn
from calibration.evidence.shop_layout import of_another_maker
from calibration.sheet import board_for
from companion.model import ImageError, Position, Seat, Sheet
from companion.virtual.tabletop import Tabletop
from companion.vision.finding.patches import is_faint

MAKES: Mapping[str, Style] = {
    **STYLES,
    "glass": Style("card", (((64, 60, 40), (200, 214, 210)), ((190, 196, 178), (60, 60, 56))), "ring", True, "", False),
    "varnished": Style(
        "wood", (((70, 118, 168), (20, 34, 52)), ((40, 58, 104), (150, 180, 196))), "disc", True, "", True
    ),
}
"""How makers make boards: those that are cast, too, and two that are not."""
STUFFS: Mapping[str, Told] = {
    "drilled": {"thick": 18, "roughness": 0.45, "coat": 0.3, "color": [0.3, 0.2, 0.1]},
    "burnt": {"thick": 10, "roughness": 0.6, "coat": 0.0, "color": [0.5, 0.38, 0.22]},
    "painted": {"thick": 6, "roughness": 0.4, "coat": 0.3, "color": [0.4, 0.35, 0.3]},
    "card": {"thick": 2, "roughness": 0.5, "coat": 0.2, "color": [0.6, 0.58, 0.55]},
    "cloth": {"thick": 1, "roughness": 1.0, "coat": 0.0, "color": [0.1, 0.1, 0.1]},
    "glass": {"thick": 5, "roughness": 0.05, "coat": 0.5, "color": [0.1, 0.3, 0.25]},
    "varnished": {"thick": 12, "roughness": 0.25, "coat": 1.0, "color": [0.2, 0.12, 0.07]},
}
HOLE = 0.58
"""Of a space's radius: as wide as holes are drilled (see `shop_art`)."""
_PHOTOS = 3
"""So often an owner takes the photo again before giving up."""
_NEAR = 40.0
"""mm beside the board: a lamp's image there, too, an owner would mind who takes a photo."""


def shop_goods(
    game: str, options: Mapping[str, Any], seats: tuple[Seat, ...], rng: np.random.Generator
) -> tuple[str, Goods]:
    """A board of another maker for a game, how it is made, and pieces for it. seats: those of the pieces that came
    with it.
    """
    name = str(rng.choice(list(MAKES)))
    style, stuff = MAKES[name], STUFFS[name]
    true = of_another_maker(board_for(game, options).sheet(), style.by_hand, seats, rng)
    board = {**stuff, "edge": {"color": stuff["color"]}, "coat_roughness": rng.uniform(0.03, 0.2)}
    del board["color"]
    board["ridge"] = float(rng.uniform(-1.5, 2.5)) if name == "card" and rng.random() < 0.5 else 0.0
    relief = _holes(true) if style.mark == "hole" and true.piece.kind != "disc" else None
    if relief is not None:
        board["deep"] = 0.3 * float(np.median([space.radius for space in true.spaces.values()]))
    return name, goods_of(true, true.piece, drawn(true, style, rng), board, rng, relief)


def _holes(board: Sheet) -> Frame:
    """How high a board's face is: 255, and in the holes of a ball drill less, 0 in their middles."""
    deep = np.full((round(board.height * SCALE), round(board.width * SCALE)), 255, np.uint8)
    for space in board.spaces.values():
        if space.is_area and space.radius > 15:
            continue
        for share in np.linspace(1, 0, 14, endpoint=False):
            at, far = (round(space.x * SCALE), round(space.y * SCALE)), HOLE * space.radius * share
            cv2.circle(deep, at, round(far * SCALE), 255 * (1 - math.sqrt(1 - share**2)), -1)
    return deep


@dataclass(frozen=True, eq=False, slots=True)
class Owned:
    """A board that its owner has shown. lens, webcam: of the camera that saw it."""

    shown: Shown
    goods: Goods
    lens: Condition
    webcam: Webcam


def owned(goods: Goods, style: str, hard: bool, studio: Studio, rng: np.random.Generator) -> Owned:
    """The owner photographs the board, empty and set up, and taps what is asked for; and does so again where hardly
    anything can be made out, as is said then.

    Raises BadInput and ImageError where that fails.
    """
    lens, sheet = a_lens(hard, rng), goods.sheet
    start = beginning(sheet)
    for left in reversed(range(_PHOTOS)):
        day = _calm(sheet, hard, rng, replace(lens, tilt=(5, 30)), studio.rooms)
        film, top = BlenderFilm(goods, day, studio, rng), Tabletop(sheet, random.Random(1))
        photo = film.frame([])
        top.set_up(Position.of({name: tuple(held) for name, held in contents_of(sheet, start).items()}))
        try:
            shown = taught(Shown(style, sheet, photo, film.frame(top.pawns)), start, day.camera, rng)
        except ImageError:
            if not left:
                raise
            continue
        assert shown.scene is not None
        if not left or not is_faint(shown.scene):
            break
    return Owned(shown, goods, lens, day.webcam)


def _calm(sheet: Sheet, hard: bool, rng: np.random.Generator, lens: Condition, rooms: Sequence[Room]) -> Day:
    """A day on which no lamp's image lies on the board, nor sun through bars, nor does anybody sit before it: its
    owner would wait, or turn it."""
    for _ in range(60):
        day = a_day(sheet, hard, rng, lens, rooms=rooms)
        if not day.lit.bars and not any(_mirrored(sheet, day.camera, day.lit, k) for k in range(len(day.lit.sources))):
            break
    return day


def _mirrored(sheet: Sheet, camera: Camera, lit: Lit, number: int) -> bool:
    """Whether the image of a lamp's middle lies on the board or hardly beside it."""
    image = np.array(lit.sources[number]["at"]) * (1, 1, -1)
    x, y = (camera.eye + camera.eye[2] / (camera.eye[2] - image[2]) * (image - camera.eye))[:2]
    return bool(-_NEAR < x < sheet.width + _NEAR and -_NEAR < y < sheet.height + _NEAR)
