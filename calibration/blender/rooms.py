"""Tables in the measured light of real places: rooms, of which there are equirectangular pictures of linear light.

Blender's Python measures what light they give (see `room_light`). A room is turned at random, and as bright as the
other lights of `scenes` are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calibration.blender.scenes import LIGHTS, Lit, Told, a_lamp, light_of, towards
from calibration.evidence.lens import Floats
from companion.model import BadInput, Sheet

KINDS = (".exr", ".hdr")
"""How the files' names end."""
GREY = np.array([0.3, 0.6, 0.1])
"""How bright red, green and blue look to a webcam."""
SOMEONE = 0.3
"""Share of the tables at which somebody sits who takes light away."""


class RoomsMissing(BadInput, FileNotFoundError):
    """There are no pictures of rooms."""


@dataclass(frozen=True, eq=False, slots=True)
class Room:
    """file: its picture. level: what a level thing gets, linear red, green, blue. bright: where most of it comes from:
    azimuth and height, radians, and its part of `level`.
    """

    file: str
    level: Floats
    bright: Sequence[tuple[float, float, Floats]]


def files_in(folder: Path) -> list[Path]:
    """The pictures of rooms in a folder. Raises RoomsMissing."""
    files = sorted(one.resolve() for one in folder.glob("*") if one.suffix.lower() in KINDS)
    if not files:
        raise RoomsMissing(f"{folder} has no pictures of rooms: expected *.exr or *.hdr, equirectangular. "
                           "Name a folder that has, or none for those that Blender brings")  # fmt: skip
    return files


def room_of(told: Mapping[str, Any]) -> Room:
    """A room as `room_light` tells of it. Raises RoomsMissing if it gives no light."""
    level = np.array(told.get("level", (0.0, 0.0, 0.0)))
    if not (np.isfinite(level).all() and level.min() > 0 and told["bright"]):
        raise RoomsMissing(f"{told['file']} is no picture of a room: no light comes from above in it")
    return Room(told["file"], level, [(side, high, np.array(color)) for side, high, color in told["bright"]])


def any_light(sheet: Sheet, rooms: Sequence[Room], rng: np.random.Generator) -> Lit:
    """That of one of the rooms over a board; where there are none, one of LIGHTS."""
    if not rooms:
        return light_of(str(rng.choice(LIGHTS)), sheet, rng)
    return light_in(rooms[int(rng.integers(len(rooms)))], sheet, rng)


def light_in(room: Room, sheet: Sheet, rng: np.random.Generator) -> Lit:
    """That of a room, turned somehow, so bright that a level thing gets 1."""
    home = np.array([sheet.width / 2, sheet.height / 2, 0.0])
    turn, gain = float(rng.uniform(0, 2 * math.pi)), 1 / float(room.level @ GREY)
    ways = [towards(math.degrees(high), side + turn) for side, high, _ in room.bright]
    parts = [gain * part for *_, part in room.bright]
    shine = [a_lamp("sun", home, way, 3000, part, 0.6) for way, part in zip(ways, parts, strict=True)]
    sitting = [_someone(sheet, rng)] if rng.random() < SOMEONE else []
    told = {"file": room.file, "turn": turn, "gain": gain}
    x, y, z = ways[0]
    sun = np.array([x / max(0.2, z), y / max(0.2, z), 1.0])
    return Lit([], [], sitting, sun, gain * room.level[::-1], told, shine)


def _someone(sheet: Sheet, rng: np.random.Generator) -> Told:
    """Who sits at the table, left or right of the board or beyond it, in dark clothes: a box."""
    way = rng.uniform(math.pi, 2 * math.pi)  # y goes towards the camera
    far = math.hypot(sheet.width, sheet.height) / 2 + rng.uniform(280, 420)
    middle = [sheet.width / 2 + far * math.cos(way), sheet.height / 2 + far * math.sin(way), 325.0]
    surface = {"color": rng.uniform(0.02, 0.1, 3).tolist(), "roughness": 0.9}
    return {"middle": middle, "size": [250.0, 450.0, 650.0], "turn": way, "surface": surface}
