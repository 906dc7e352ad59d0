"""How well dice in a tray beside a board are read that Blender rendered and a webcam saw.

    python -m calibration.blender.dice --blender blender/bin/python --cache pictures --pictures 60 --seed 5

Only the tray and what is round it is rendered; the camera's pose is as four markers of the board would give it. What is
counted is counted as by `companion evidence --dice`, whose pictures are cast by other code. `docs/films.md` says what
Blender needs.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.blender.film import BlenderFilm, Day
from calibration.blender.makes import stuff_of
from calibration.blender.rooms import any_light
from calibration.blender.scenes import TABLES, Goods, Told, printed_goods, table_of
from calibration.blender.studio import Studio, parser_of
from calibration.blender.webcam import a_webcam
from calibration.evidence.dice_making import MadeDice, against_die, against_wall, beside, lying, places_in, registered
from calibration.evidence.dice_measure import dice_tables, keep_dice, measure_dice
from calibration.evidence.dice_solids import PIPS, CastDie, Make
from calibration.evidence.lens import Camera, Plane, fitted, stand
from calibration.evidence.making import printed
from calibration.evidence.sensor import Frame
from companion.model import BadInput, DeviceError, Sheet
from companion.virtual.tabletop import Pawn
from companion.vision.dice.seen import Tray

SHOPS: Sequence[tuple[str, str]] = (
    ("#f4f2ea", "#141414"), ("#f4f2ea", "#1a2f8a"), ("#e8dcb8", "#2a1c10"), ("#161616", "#f0f0ec"),
    ("#b01818", "#f4f0e8"), ("#1c3f9c", "#f0f0ec"), ("#1d7a3c", "#f4f0e8"), ("#e8c81e", "#141414"),
    ("#6a2a8c", "#f0e4c0"), ("#e07818", "#141414"), ("#c9a06a", "#1e120a"), ("#f0a8b8", "#7a1030"),
)  # fmt: skip
"""Colours of bodies and pips as shops sell them."""
CLEAR = ("#c81020", "#1040b0", "#108040", "#d8a010", "#505458")
"""Colours of dice that one can look through, all with white pips."""
LAYS: Mapping[str, float] = {
    "apart": 0.34, "touching": 0.16, "clear": 0.1, "dim": 0.1, "on a wall": 0.1, "on a die": 0.1, "stacked": 0.05,
    "empty": 0.05,
}  # fmt: skip
"""What is different about a throw, and the share of pictures in which it is."""
BESIDE, GREY = 25.0, 0.3
"""How much beside the tray is rendered, mm; how bright the rest is, of what falls on it."""
COUNTING = ("apart", "touching", "clear", "dim")
"""Of these, the ones in which the throw counts."""
SIZES = ((1280, 960), (1280, 960), (800, 600))
"""Of pictures, one as often as another."""
SHEET, TEXTURE = printed("gloria", (("home", "spaces"),))


@dataclass(frozen=True, slots=True)
class Look:
    """How a set of dice is made. surface, pips, ace: as `server` has them. deep: of a pip's radius, 0 if painted."""

    make: Make
    surface: Told
    pips: Told
    ace: Told
    deep: float


def a_look(clear: bool, rng: np.random.Generator) -> Look:
    """Dice of some shop."""
    body, dots = (str(rng.choice(CLEAR)), "#f4f2ea") if clear else SHOPS[int(rng.integers(len(SHOPS)))]
    gloss = {"roughness": rng.uniform(0.08, 0.5), "coat": float(rng.choice([0.0, 0.5, 1.0]))}
    surface: Told = {**gloss, "color": stuff_of(body, 0.5, rng).tolist()}
    if clear:
        surface |= {"roughness": rng.uniform(0.02, 0.15), "clear": rng.uniform(0.6, 0.95)}
    elif rng.random() < 0.2:  # marbled
        other = np.clip(1.5 * np.array(surface["color"]) + 0.04, 0, 0.85).tolist()
        surface["texture"] = {"kind": "noise", "size": rng.uniform(4, 10), "color": other}
    pips: Told = {"color": stuff_of(dots, 0.5, rng).tolist(), "roughness": 0.6}
    red = body in ("#f4f2ea", "#e8dcb8") and rng.random() < 0.25
    make = Make(
        edge=rng.uniform(11, 20),
        body=(0.5, 0.5, 0.5),
        pips=(0.0, 0.0, 0.0),
        ace_color=(0.0, 0.0, 0.0),
        corner=rng.uniform(0.04, 0.18),
        ball=rng.uniform(0.68, 0.8) if rng.random() < 0.5 else 0.87,
        spacing=rng.uniform(0.22, 0.28),
        pip=rng.uniform(0.075, 0.115),
        ace=rng.uniform(1.3, 1.7) if red else 1.0,
        mirrored=bool(rng.random() < 0.4),
    )
    deep = 0.0 if clear or rng.random() < 0.4 else rng.uniform(0.25, 0.6)
    ace = {"color": [0.5, 0.02, 0.02], "roughness": 0.6} if red else pips
    return Look(make, surface, pips, ace, deep)


def die_of(die: CastDie, look: Look) -> Told:
    """A die as `server` has it."""
    make, pips = die.make, []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            facing = np.zeros((3, 3))
            facing[0], facing[1], facing[2] = die.axes[(axis + 1) % 3], die.axes[(axis + 2) % 3], sign * die.axes[axis]
            value, ace = _value(die, axis, sign), look.make.ace
            for spot in PIPS[value]:
                off = make.spacing * make.edge * np.array([spot % 3 - 1, spot // 3 - 1, 0.5 / make.spacing])
                wide = make.pip * make.edge * (ace if value == 1 else 1.0)
                surface = look.ace if value == 1 else look.pips
                at = die.center + off @ facing
                pips.append({"at": at.tolist(), "out": facing[2].tolist(), "wide": wide, "surface": surface})
    told = {"middle": die.center.tolist(), "axes": die.axes.tolist(), "edge": make.edge, "pips": pips}
    ball = make.ball * make.edge if make.ball < 0.85 else 0.0
    deep = look.deep * make.pip * make.edge
    return {"die": {**told, "corner": make.corner * make.edge, "ball": ball, "deep": deep, "surface": look.surface}}


def _value(die: CastDie, axis: int, sign: float) -> int:
    """What the face says that looks that way along one of the die's own axes."""
    up = np.roll(np.eye(3), 2 - axis, axis=1)  # its own axis `axis` is upright
    return replace(die, axes=np.asarray(up * sign)).value


def laid(name: str, tray: Tray, look: Look, floor: float, rng: np.random.Generator) -> list[CastDie]:
    """One to three dice as one of LAYS says."""
    if name == "empty":
        return []
    make, least = look.make, 2 if name in ("touching", "on a die", "stacked") else 1
    places = places_in(tray, make.edge, int(rng.integers(least, 4)), rng)
    dice = [lying(make, place, floor, rng) for place in places]
    if name == "touching":
        dice[1] = beside(dice[0], rng)
    if name == "on a wall":
        dice[0] = against_wall(dice[0], tray, floor, rng)
    if name == "on a die":
        dice[1] = against_die(dice[0], dice[1], floor, rng)
    if name == "stacked":
        off = rng.uniform(-0.22, 0.22, 2) * make.edge
        dice[1] = replace(dice[1], center=dice[0].center + np.array([*off, make.edge]))
    return dice


def walls(tray: Tray, table: float, rng: np.random.Generator) -> list[Told]:
    """The tray: a floor of some cloth or wood, and a rim or none. table: its height, mm."""
    middle = np.array([tray.x + tray.width / 2, tray.y + tray.height / 2])
    floor = table_of(str(rng.choice(list(TABLES))), rng)
    told: list[Told] = [
        {"middle": [*middle.tolist(), table + 0.5], "size": [tray.width, tray.height, 1.0], "surface": floor}
    ]
    if rng.random() < 0.3:
        return told
    thick, high = rng.uniform(3, 8), rng.uniform(6, 20)
    surface = {"color": rng.uniform(0.02, 0.5, 3).tolist(), "roughness": rng.uniform(0.3, 0.8)}
    for side, (dx, dy) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
        at = middle + np.array([dx * (tray.width + thick), dy * (tray.height + thick)]) / 2
        size = [thick, tray.height + 2 * thick, high] if side < 2 else [tray.width, thick, high]
        told.append({"middle": [*at.tolist(), table + high / 2], "size": size, "surface": surface})
    return told


def a_camera(sheet: Sheet, tray: Tray, rng: np.random.Generator) -> Camera:
    """A webcam that sees board and tray."""
    across = min(0.0, tray.x - 8), max(sheet.width, tray.x + tray.width + 8)
    down = min(0.0, tray.y - 8), max(sheet.height, tray.y + tray.height + 8)
    return seeing(across, down, SIZES[int(rng.integers(len(SIZES)))], rng)


def seeing(
    across: tuple[float, float], down: tuple[float, float], size: tuple[int, int], rng: np.random.Generator
) -> Camera:
    """A webcam that sees so much of the table, mm of the sheet's frame. size: of its picture, pixels."""
    ends = np.array([(x, y, 0.0) for x in across for y in down])
    focal = size[0] / 2 / math.tan(math.radians(rng.uniform(50, 78)) / 2)
    tilt, turn, roll, bend = rng.uniform(0, 48), rng.uniform(-30, 30), rng.uniform(-4, 4), rng.uniform(-0.1, 0.02)
    middle, fill = ends.mean(axis=0), rng.uniform(0.86, 0.97)
    return fitted(lambda far: stand(middle, far, tilt, turn, roll, focal, size, (bend, 0.0)), ends, fill)


class TrayFilm(BlenderFilm):
    """Pictures of one throw beside a board without pieces."""

    tray: Tray | None = None

    def still(self, pawns: Sequence[Pawn]) -> Plane:
        """The light of the tray with the dice, and of as much round it; the rest of the table is grey."""
        assert self.tray is not None and not pawns
        left, top, right, bottom = part = self._part(self.tray)
        wide, high = self._pinhole.size
        light = np.tile(np.asarray(GREY * self.day.lit.color / math.pi, np.float32), (high, wide, 1))
        light[top:bottom, left:right] = self.studio.light({**self._bare, "pieces": list(self.dice), "part": part})
        return light

    def _part(self, tray: Tray) -> tuple[int, int, int, int]:
        """Where the tray and what is round it are in the picture."""
        ends = [(x, y, z) for x in (tray.x - BESIDE, tray.x + tray.width + BESIDE)
                for y in (tray.y - BESIDE, tray.y + tray.height + BESIDE) for z in (-tray.drop, 25.0)]  # fmt: skip
        pixels, size = self._pinhole.project(np.array(ends)), self._pinhole.size
        (left, top), (right, bottom) = np.clip([pixels.min(axis=0), pixels.max(axis=0)], 0, size).astype(int).tolist()
        return left, top, right, bottom


@dataclass(frozen=True, eq=False, slots=True)
class Throw:
    """Pictures of a throw, uint8 BGR, the first of which is read alone or with the others; and the truth."""

    name: str
    frames: Sequence[Frame]
    camera: Camera
    tray: Tray
    dice: Sequence[CastDie]
    edge: float


def goods_and_tray(rng: np.random.Generator) -> tuple[Goods, Tray]:
    """A printed board without pieces, and a tray left or right of it."""
    goods = printed_goods(SHEET, TEXTURE, rng)
    wide, deep = rng.uniform(90, 170), rng.uniform(90, 150)
    left = -wide - rng.uniform(15, 35) if rng.random() < 0.5 else SHEET.width + rng.uniform(15, 35)
    table = -goods.board["thick"] - 0.05
    tray = Tray(left, rng.uniform(0, SHEET.height - deep), wide, deep, -(table + 1.0))
    return replace(goods, beside=walls(tray, table, rng)), tray


def a_throw(seed: int, number: int, studio: Studio, frames: int) -> Throw:
    """Throw `number` of a set."""
    rng = np.random.default_rng([seed, number, 55])
    name = str(rng.choice(list(LAYS), p=list(LAYS.values())))
    sheet, (goods, tray) = SHEET, goods_and_tray(rng)
    look = a_look(name == "clear", rng)
    dice = laid(name, tray, look, -tray.drop, rng)
    lit = any_light(sheet, studio.rooms, rng)
    day = Day(a_camera(sheet, tray, rng), lit, a_webcam(lit.color, name == "dim", rng))
    film = TrayFilm(goods, day, studio, rng)
    film.dice, film.tray = [die_of(die, look) for die in dice], tray
    seen = [film.frame(()) for _ in range(frames)]
    return Throw(name, seen, day.camera, tray, dice, look.make.edge)


def made(throw: Throw, rng: np.random.Generator) -> MadeDice:
    """A throw as `measure_dice` wants it."""
    tray, dice = throw.tray, throw.dice
    flat = [die for die in dice if die.leaning < 1 and abs(die.center[2] + tray.drop - throw.edge / 2) < 1.5]
    truth = tuple((die.value, float(die.center[0]), float(die.center[1])) for die in flat)
    middle = np.array([tray.x + tray.width / 2, tray.y + tray.height / 2, 0.0])
    pixels = throw.camera.focal * throw.edge / float(np.linalg.norm(throw.camera.eye - middle))
    pose, counts = registered(throw.camera, SHEET.width, rng), throw.name in COUNTING
    told = tray._replace(drop=tray.drop if rng.random() < 0.5 else 0.0)  # nobody measured how thick the board is
    first, *later = throw.frames
    due = max(1, len(dice))
    return MadeDice(first, pose, told, throw.name, due, truth, counts, pixels, tuple(later), throw.edge)


def main() -> None:
    """From the command line."""
    parser = parser_of(__doc__)
    parser.add_argument("--first", type=int, default=0, help="the number of the first picture")
    parser.add_argument("--frames", type=int, default=1, help="pictures of each rest, read as one")
    args = parser.parse_args()
    if min(args.pictures, args.frames) < 1:
        parser.error(f"--pictures {args.pictures} --frames {args.frames}: 1 or more of each")
    studio, results = Studio(args.blender, args.cache), []
    try:
        studio.go_to(args.rooms)
        for number in range(args.first, args.first + args.pictures):
            throw = made(a_throw(args.seed, number, studio, args.frames), np.random.default_rng([args.seed, number]))
            result = measure_dice(throw)
            results.append(result)
            if args.keep is not None:
                keep_dice(args.keep, number, throw, result)
            if result.wrong or result.roll in ("wrong", "unfit", "doubted"):
                print(f"picture {number}, {result.condition}: {result.roll}, {result.wrong} sure and wrong", flush=True)
    except (BadInput, DeviceError) as error:
        sys.exit(str(error))
    finally:
        studio.close()
    print(dice_tables(results))


if __name__ == "__main__":
    main()
