"""Makes one picture of dice in a tray beside a board, and knows what was thrown and whether it counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.evidence.dice_solids import Block, CastDie, Make, dots, leant, length, lowest, turned
from calibration.evidence.lens import Camera, Floats, Plane, fitted, stand
from calibration.evidence.making import black_body, by_chance
from calibration.evidence.sensor import Frame, Sensor, photograph
from calibration.evidence.table import TABLES, Light, grain_of, lamp, paper_of, window
from companion.vision.dice.seen import Tray
from companion.vision.view.pose import Pose, solve_pose

Range = tuple[float, float]
BOARD = 400.0
_MARKER, _INSET = 24.0, 16.0
LITTER, LITTER_SCALE = 20.0, 4.0
"""How far litter may lie beside the tray, mm, and its pixels per mm."""
LEAN = (12.0, 42.0)
"""Degrees by which dice lean that are cocked."""


@dataclass(frozen=True, slots=True)
class DiceCondition:
    """What may differ. lay: how the dice lie, see LAYS. The others as in `conditions.Condition`."""

    lay: str = "apart"
    tilt: Range = (0, 40)
    width: int = 1280
    lamp: Range = (45, 75)
    wide: Range = (60, 200)
    sky: Range = (0.4, 0.9)
    warmth: Range = (3200, 6500)
    window: bool = False
    exposure: Range = (0.8, 1.1)
    electrons: Range = (3000, 9000)
    blur: Range = (0.45, 0.8)


DICE_CONDITIONS: Mapping[str, DiceCondition] = {
    "apart": DiceCondition(),
    "overhead": DiceCondition(tilt=(0, 8)),
    "oblique": DiceCondition(tilt=(40, 50)),
    "touching": DiceCondition("touching"),
    "cocked": DiceCondition("cocked"),
    "leaning": DiceCondition("leaning"),
    "stacked": DiceCondition("stacked"),
    "out of tray": DiceCondition("out"),
    "in motion": DiceCondition("moving"),
    "hard low lamp": DiceCondition(lamp=(22, 34), wide=(12, 40), sky=(0.15, 0.35)),
    "window": DiceCondition(window=True, sky=(0.25, 0.5)),
    "cold LED": DiceCondition(warmth=(6800, 9000), wide=(150, 300)),
    "dim, noisy": DiceCondition(exposure=(0.3, 0.5), electrons=(250, 700), warmth=(2400, 3400), blur=(0.6, 0.9)),
    "640 pixels": DiceCondition(width=640, blur=(0.4, 0.6)),
    "empty": DiceCondition("empty"),
}
UNCLEAR = ("cocked", "leaning", "stacked", "out")
"""Ways to lie in which the roll does not count."""


@dataclass(frozen=True, eq=False, slots=True)
class MadeDice:
    """A picture, uint8 BGR, what a reader is told (pose, tray, how many were thrown) and the truth.

    dice: value and place, mm, of each that lies flat in the tray. counts: whether all do. pixels: of a die's edge.
    later: more pictures of the same rest, which differ by their noise. edge: of the dice, mm.
    """

    frame: Frame
    pose: Pose
    tray: Tray
    condition: str
    thrown: int
    dice: tuple[tuple[int, float, float], ...]
    counts: bool
    pixels: float
    later: tuple[Frame, ...] = ()
    edge: float = 16.0


@dataclass(frozen=True, slots=True)
class Cast:
    """What was cast: the pictures, which differ by their noise, and what they show. floor: its height, mm.

    blocks: the tray's walls.
    """

    frames: tuple[Frame, ...]
    camera: Camera
    pose: Pose
    tray: Tray
    dice: tuple[CastDie, ...]
    floor: float
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What is cast. board: its edge, mm: beside a smaller one dice look larger. lay: puts dice into the tray.

    margin: how much beside the tray is cast, mm. quick: shadows of dice fall on the floor alone, by their outlines.
    litter: what lies under the dice on the tray's floor, `LITTER` mm beyond it too, (rows, cols, 4) with a cover.
    """

    lay: Callable[[Tray, DiceCondition, float, np.random.Generator], list[CastDie]]
    board: float = BOARD
    margin: float = 36.0
    quick: bool = False
    litter: Callable[[Tray, np.random.Generator], Plane] | None = None


def make_dice(seed: int, number: int, name: str, frames: int = 1) -> MadeDice:
    """Picture `number` of the set `seed` under the condition `name`; `frames` pictures of that rest."""
    rng = np.random.default_rng([seed, number, 77])
    condition = DICE_CONDITIONS[name]
    chances = [rng, *(np.random.default_rng([seed, number, 78 + k]) for k in range(1, frames))]
    cast = cast_dice(condition, Setting(_lay), chances)
    camera, tray, dice, floor = cast.camera, cast.tray, cast.dice, cast.floor
    told = replace_drop(tray, -floor if rng.random() < 0.5 else 0.0)
    flat = tuple((d.value, float(d.center[0]), float(d.center[1])) for d in dice if _is_flat(d, tray, floor))
    edge = dice[0].make.edge if dice else 16.0
    middle = np.array([tray.x + tray.width / 2, tray.y + tray.height / 2, 0.0])
    pixels = camera.focal * edge / float(np.linalg.norm(camera.eye - middle))
    counts = condition.lay not in UNCLEAR and len(flat) == len(dice) > 0
    frame, *later = cast.frames
    return MadeDice(frame, cast.pose, told, name, max(1, len(dice)), flat, counts, pixels, tuple(later), edge)


def cast_dice(condition: DiceCondition, setting: Setting, chances: list[np.random.Generator]) -> Cast:
    """Dice in a tray beside a board; one picture a stream of chance, the first of which draws the scene."""
    rng = chances[0]
    size = rng.uniform(85, 140), rng.uniform(85, 120)
    tray = Tray(setting.board + rng.uniform(15, 35), rng.uniform(20, 0.65 * setting.board), *size)
    floor = -rng.uniform(0.2, 4.0)
    camera = _camera(tray, condition, setting.board, rng)
    dice = setting.lay(tray, condition, floor, rng)
    litter = setting.litter(tray, rng) if setting.litter else None
    stage = replace(_stage(tray, condition, floor, rng), litter=litter, quick=setting.quick)
    frames = _pictures(stage, condition, setting.margin, camera, dice, chances)
    pose = registered(camera, setting.board, rng)
    return Cast(tuple(frames), camera, pose, tray, tuple(dice), floor, tuple(stage.blocks))


def replace_drop(tray: Tray, drop: float) -> Tray:
    """The tray, told how far the table lies under the sheet."""
    return tray._replace(drop=drop)


def _is_flat(die: CastDie, tray: Tray, floor: float) -> bool:
    x, y, z = die.center
    inside = tray.x <= x <= tray.x + tray.width and tray.y <= y <= tray.y + tray.height
    return inside and die.leaning < 1 and abs(z - floor - die.make.edge / 2) < 1.5


def _camera(tray: Tray, condition: DiceCondition, board: float, rng: np.random.Generator) -> Camera:
    """One that sees board and tray."""
    high = max(board, tray.y + tray.height + 8)
    corners = np.array([(x, y, 0.0) for x in (0, tray.x + tray.width + 8) for y in (0, high)])
    target = corners.mean(axis=0)
    size = (condition.width, condition.width * 3 // 4)
    focal = size[0] / 2 / math.tan(math.radians(rng.uniform(52, 68)) / 2)
    tilt, turn, bend = by_chance(rng, condition.tilt), rng.uniform(-15, 15), (rng.uniform(-0.06, 0.02), 0.0)
    turn += 90.0 * int(rng.integers(4)) if rng.random() < 0.3 else 0.0
    roll = rng.uniform(-4, 4)
    return fitted(lambda far: stand(target, far, tilt, turn, roll, focal, size, bend), corners, rng.uniform(0.9, 0.98))


def registered(camera: Camera, board: float, rng: np.random.Generator) -> Pose:
    """The pose that follows from the board's four markers, found to a quarter of a pixel."""
    ends = (_INSET, board - _INSET)
    return by_markers(camera, [(x, y) for x in ends for y in ends], rng)


def by_markers(camera: Camera, middles: Sequence[tuple[float, float]], rng: np.random.Generator) -> Pose:
    """The pose that follows from markers at these places, mm, found to a quarter of a pixel."""
    half = _MARKER / 2
    square = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    points = np.vstack([np.array(m) + square for m in middles])
    pixels = camera.project(np.column_stack([points, np.zeros(len(points))]))
    pose = solve_pose(points, pixels + rng.normal(0, 0.25, pixels.shape), camera.size)
    assert pose is not None
    return pose


# --- the dice ---


def a_make(rng: np.random.Generator) -> Make:
    """Dice as shops sell them: light with dark pips or dark with light ones, of any hue; the ace may be red."""
    one = _hue(rng.uniform(0, 360), rng.uniform(0, 0.6) ** 2 * 2, 0.9)
    other = _hue(rng.uniform(0, 360), rng.uniform(0.2, 1), rng.uniform(0.03, 0.45))
    body, pips = (one, other) if rng.random() < 0.6 else (other, one)
    red = rng.random() < 0.2 and body is one
    return Make(
        edge=rng.uniform(10, 20),
        body=body,
        pips=pips,
        ace_color=(0.03, 0.03, 0.5) if red else pips,
        corner=rng.uniform(0.06, 0.2),
        ball=rng.uniform(0.66, 0.85),
        spacing=rng.uniform(0.22, 0.28),
        pip=rng.uniform(0.07, 0.11),
        sunk=rng.uniform(0, 1),
        ace=rng.uniform(1.0, 1.7) if rng.random() < 0.4 else 1.0,
        gloss=float(rng.choice([0.05, 0.4, 0.9])),
        mirrored=bool(rng.random() < 0.4),
    )


def _hue(hue: float, full: float, bright: float) -> tuple[float, float, float]:
    """A colour, linear BGR, from hue in degrees, saturation and brightness of the picture."""
    seen = cv2.cvtColor(np.array([[[hue, full, bright]]], np.float32), cv2.COLOR_HSV2BGR)[0, 0]
    b, g, r = np.clip(seen.astype(np.float64) ** 2.2, 0.012, 0.85).tolist()
    return b, g, r


def _lay(tray: Tray, condition: DiceCondition, floor: float, rng: np.random.Generator) -> list[CastDie]:
    """One to three dice of one make (sometimes of two)."""
    if condition.lay == "empty":
        return []
    make = a_make(rng)
    other = replace(a_make(rng), edge=make.edge) if rng.random() < 0.2 else make
    least = 2 if condition.lay in ("touching", "stacked", "leaning") else 1
    count = int(rng.integers(least, 4))
    places = places_in(tray, make.edge, count, rng)
    makes = [make if k % 2 == 0 else other for k in range(count)]
    dice = [lying(m, p, floor, rng) for m, p in zip(makes, places, strict=True)]
    if condition.lay == "touching":
        dice[1] = beside(dice[0], rng)
    if condition.lay == "stacked":
        off = rng.uniform(-0.22, 0.22, 2) * make.edge
        on = dice[0].center + np.array([*off, make.edge])
        dice[1] = replace(dice[1], center=on)
    if condition.lay == "cocked":
        dice[0] = against_wall(dice[0], tray, floor, rng)
    if condition.lay == "leaning":
        dice[1] = against_die(dice[0], dice[1], floor, rng)
    if condition.lay == "out":
        dice[0] = replace(dice[0], center=_outside(tray, dice[0], rng))
    return dice


def places_in(tray: Tray, edge: float, count: int, rng: np.random.Generator) -> list[Floats]:
    """Places well inside and apart."""
    found: list[Floats] = []
    for _ in range(2000):
        room = np.array([tray.width, tray.height]) - 2.2 * edge
        at = np.array([tray.x, tray.y]) + 1.1 * edge + rng.uniform(0, 1, 2) * room
        if all(np.linalg.norm(at - other) > 1.75 * edge for other in found):
            found.append(at)
        if len(found) == count:
            return found
    return found + [found[-1]] * (count - len(found))


def lying(make: Make, at: Floats, floor: float, rng: np.random.Generator) -> CastDie:
    value = int(rng.integers(1, 7))
    return CastDie(make, np.array([*at, floor + make.edge / 2]), turned(value, rng.uniform(0, 2 * math.pi), make, rng))


def beside(die: CastDie, rng: np.random.Generator) -> CastDie:
    """A die that touches another, side to side or with a corner."""
    edge = die.make.edge
    level = [k for k in range(3) if abs(die.axes[k, 2]) < 0.5]
    side = die.axes[level[int(rng.integers(2))]] * rng.choice([-1, 1])
    along = np.array([-side[1], side[0], 0.0])
    turn = 0.0 if rng.random() < 0.6 else rng.uniform(0.1, math.pi / 2)
    other = turned(int(rng.integers(1, 7)), 0.0, die.make, rng)
    about = math.atan2(side[1], side[0]) + turn
    c, s = math.cos(about), math.sin(about)
    axes = other @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]])
    reach = edge / 2 * (abs(math.cos(turn)) + abs(math.sin(turn)))
    corner = 0.6 * die.make.corner * edge if turn else 0.0
    far = edge / 2 + reach - corner + rng.uniform(0.0, 0.4)
    return CastDie(die.make, die.center + far * side + rng.uniform(-0.5, 0.5) * edge * along, axes)


def against_wall(die: CastDie, tray: Tray, floor: float, rng: np.random.Generator, leaning: Range = LEAN) -> CastDie:
    """One edge on the rim of the tray. leaning: between so many degrees."""
    angle, wall = math.radians(rng.uniform(*leaning)), int(rng.integers(4))
    edge = die.make.edge
    axes = turned(die.value, wall * math.pi / 2 + rng.choice([0.0, rng.uniform(-0.3, 0.3)]), die.make, rng)
    about = {0: math.pi / 2, 1: -math.pi / 2, 2: 0.0, 3: math.pi}[wall]
    axes = leant(axes, about, angle)
    near = edge * 0.62
    x = {0: tray.x + near, 1: tray.x + tray.width - near}.get(wall, float(die.center[0]))
    y = {2: tray.y + near, 3: tray.y + tray.height - near}.get(wall, float(die.center[1]))
    return CastDie(die.make, np.array([x, y, floor + lowest(die.make, axes)]), axes)


def against_die(
    under: CastDie, die: CastDie, floor: float, rng: np.random.Generator, leaning: Range = LEAN
) -> CastDie:
    """One edge on the other die. leaning: between so many degrees."""
    side = rng.uniform(0, 2 * math.pi)
    axes = leant(turned(die.value, side, die.make, rng), side + math.pi / 2, -math.radians(rng.uniform(*leaning)))
    out = np.array([math.cos(side), math.sin(side)]) * 1.12 * under.make.edge
    return CastDie(die.make, np.array([*(under.center[:2] + out), floor + lowest(die.make, axes) + 0.3]), axes)


def _outside(tray: Tray, die: CastDie, rng: np.random.Generator) -> Floats:
    """Beyond the rim, on the table, away from the board."""
    z = float(die.center[2])
    if rng.random() < 0.5:
        return np.array([tray.x + rng.uniform(0.1, 0.9) * tray.width, tray.y - rng.uniform(16, 26), z])
    return np.array([tray.x + rng.uniform(0.1, 0.9) * tray.width, tray.y + tray.height + rng.uniform(16, 26), z])


# --- the picture ---


@dataclass(frozen=True, eq=False, slots=True)
class _Stage:
    """The tray to be cast. stuff: colours of floor points and of the table beside; plane: the floor's height."""

    tray: Tray
    floor: float
    blocks: list[Block]
    light: Light
    sky: Floats
    grain: Plane
    felt: str
    table: str
    print_: Plane | None
    litter: Plane | None = None
    quick: bool = False


def _pictures(
    stage: _Stage, condition: DiceCondition, margin: float, camera: Camera, dice: list[CastDie],
    chances: list[np.random.Generator],
) -> list[Frame]:  # fmt: skip
    """One a stream of chance: the first draws how the scene is seen, each the noise of its own picture."""
    rng = chances[0]
    box = _crop(camera, stage.tray, stage.floor, margin)
    finer = 1 if condition.lay == "moving" else 2
    rays = camera.rays(finer)[box[1] * finer : box[3] * finer, box[0] * finer : box[2] * finer]
    if condition.lay == "moving":
        moments = _moments(dice, rng)
        light = np.mean([_cast(stage, camera.eye, rays, one) for one in moments], axis=0)
    else:
        light = _cast(stage, camera.eye, rays, dice)
    sensor = _sensor(condition, stage.light.color + stage.sky, rng)
    wholes = []
    for chance in chances:
        whole = np.full((camera.size[1], camera.size[0], 3), 110, np.uint8)
        whole[box[1] : box[3], box[0] : box[2]] = photograph(light.astype(np.float32), finer, sensor, chance)
        wholes.append(whole)
    return wholes


def _moments(dice: list[CastDie], rng: np.random.Generator) -> list[list[CastDie]]:
    """The dice at six moments of one exposure, rolling."""
    ways = [(rng.uniform(5, 25), rng.uniform(0, 2 * math.pi), rng.uniform(0.2, 1.2)) for _ in dice]
    found = []
    for share in np.linspace(-0.5, 0.5, 6):
        now = []
        for die, (far, way, roll) in zip(dice, ways, strict=True):
            axes = leant(die.axes, way + math.pi / 2, share * roll)
            at = die.center + share * far * np.array([math.cos(way), math.sin(way), 0.0])
            at[2] += lowest(die.make, axes) - lowest(die.make, die.axes)
            now.append(CastDie(die.make, at, axes))
        found.append(now)
    return found


def _crop(camera: Camera, tray: Tray, floor: float, margin: float) -> tuple[int, int, int, int]:
    ends = [(x, y, z) for x in (tray.x - margin, tray.x + tray.width + margin)
            for y in (tray.y - margin, tray.y + tray.height + margin) for z in (floor, 25.0)]  # fmt: skip
    pixels = camera.project(ends)
    low = np.floor(pixels.min(axis=0)).astype(int).clip(0)
    high = np.minimum(np.ceil(pixels.max(axis=0)).astype(int), camera.size)
    x0, y0 = (low // 2 * 2).tolist()
    return x0, y0, x0 + (int(high[0]) - x0) // 2 * 2, y0 + (int(high[1]) - y0) // 2 * 2


def _stage(tray: Tray, condition: DiceCondition, floor: float, rng: np.random.Generator) -> _Stage:
    home = np.array([tray.x - 100, tray.y + tray.height / 2, 0.0])
    kind = str(rng.choice(["felt", "oak", "walnut", "grey", "white", "print", "color"]))
    blocks = [] if kind == "print" else _rim(tray, floor, rng)
    color, high = black_body(by_chance(rng, condition.warmth)), math.radians(by_chance(rng, condition.lamp))
    side, sky = rng.uniform(0, 2 * math.pi), by_chance(rng, condition.sky)
    about = np.array([math.cos(side), math.sin(side), 0.0])
    if condition.window:
        along = np.array([-about[1], about[0], 0.0])
        corner = home + rng.uniform(900, 1500) * about - 450 * along + (0, 0, rng.uniform(150, 400))
        light = window(corner, 900 * along, np.array([0.0, 0.0, 1100.0]), 1.1 * color, home)
    else:
        up = np.array([0.0, 0.0, 1.0])
        where = home + rng.uniform(700, 1400) * (math.cos(high) * about + math.sin(high) * up)
        light = lamp(where, by_chance(rng, condition.wide), color, home, 7)
    around = black_body(rng.uniform(4000, 6500)) * 0.35 + 0.65 * color
    printed = _print(tray, rng) if kind == "print" else None
    return _Stage(
        tray, floor, blocks, light, sky * around, grain_of(rng), kind, str(rng.choice(list(TABLES))), printed
    )


def _rim(tray: Tray, floor: float, rng: np.random.Generator) -> list[Block]:
    """Four walls around the tray."""
    thick, high, color = rng.uniform(3, 8), rng.uniform(6, 20), rng.uniform(0.02, 0.6, 3)
    x0, y0, x1, y1 = tray.x, tray.y, tray.x + tray.width, tray.y + tray.height
    sides = [(x0 - thick, y0 - thick, x0, y1 + thick), (x1, y0 - thick, x1 + thick, y1 + thick),
             (x0, y0 - thick, x1, y0), (x0, y1, x1, y1 + thick)]  # fmt: skip
    return [Block(np.array([a, b, floor]), np.array([c, d, floor + high]), color) for a, b, c, d in sides]


def _print(tray: Tray, rng: np.random.Generator) -> Plane:
    """A mat printed on white paper: a frame, words, and a figure in its middle."""
    scale = 4
    rows, cols = round((tray.height + 30) * scale), round((tray.width + 30) * scale)
    image = np.full((rows, cols, 3), 250, np.uint8)
    ink = [int(c) for c in rng.integers(0, 160, 3)]
    cv2.rectangle(image, (15 * scale, 15 * scale), (cols - 15 * scale, rows - 15 * scale), ink, 3)
    cv2.putText(image, "DICE HERE", (20 * scale, 12 * scale), cv2.FONT_HERSHEY_SIMPLEX, 1.4, ink, 3)
    if rng.random() < 0.6:
        cv2.circle(image, (cols // 2, rows // 2), int(rng.uniform(6, 25) * scale), ink, 3)
    return paper_of(image, 0.9)


def _floor_colors(stage: _Stage, x: Plane, y: Plane) -> Plane:
    bare = _bare_floor(stage, x, y)
    if stage.litter is None:
        return bare
    u, v = ((k - start + LITTER) * LITTER_SCALE for k, start in ((x, stage.tray.x), (y, stage.tray.y)))
    lies = cv2.remap(stage.litter, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(bare * (1 - lies[..., 3:]) + lies[..., :3], np.float32)


def _bare_floor(stage: _Stage, x: Plane, y: Plane) -> Plane:
    tray = stage.tray
    inside = (x >= tray.x) & (x <= tray.x + tray.width) & (y >= tray.y) & (y <= tray.y + tray.height)
    beside = TABLES[stage.table](x, y, stage.grain)
    if stage.print_ is not None:
        u, v = (x - tray.x + 15) * 4, (y - tray.y + 15) * 4
        rows, cols = stage.print_.shape[:2]
        on = (u >= 0) & (v >= 0) & (u < cols - 1) & (v < rows - 1)
        seen = cv2.remap(stage.print_, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR)
        return np.asarray(np.where(on[..., None], seen, beside), np.float32)
    if stage.felt == "color":
        level = 0.15 + 0.1 * np.sin(tray.x * 7 + np.arange(3) * 2.1)
        cloth = np.tile(level.astype(np.float32), (*x.shape, 1))
    else:
        cloth = TABLES[stage.felt](x, y, stage.grain)
    return np.asarray(np.where(inside[..., None], cloth, beside), np.float32)


def _cast(stage: _Stage, eye: Floats, picture: Plane, dice: list[CastDie]) -> Floats:
    """Linear light, (rows, cols, 3), of rays (rows, cols, 3)."""
    shape, rays = picture.shape[:2], picture.reshape(-1, 3).astype(np.float64)
    t = (stage.floor - eye[2]) / rays[:, 2]
    whose = np.full(len(rays), -1)
    things: list[CastDie | Block] = [*dice, *stage.blocks]
    for k, thing in enumerate(things):
        hit = thing.hit(eye, rays)
        near = hit < t
        t[near], whose[near] = hit[near], k
    points = eye + t[:, None] * rays
    x, y = points[:, 0].astype(np.float32).reshape(shape), points[:, 1].astype(np.float32).reshape(shape)
    color = _floor_colors(stage, x, y).reshape(-1, 3).astype(np.float64)
    normal = np.tile([0.0, 0.0, 1.0], (len(rays), 1))
    gloss = np.full(len(rays), 0.03)
    for k, thing in enumerate(things):
        on = np.flatnonzero(whose == k)
        normal[on] = thing.normal(points[on])
        color[on] = thing.color if isinstance(thing, Block) else thing.colors(points[on])
        gloss[on] = 0.1 if isinstance(thing, Block) else thing.make.gloss
    return _shaded(stage, points, rays, normal, color, gloss, dice, whose).reshape(*shape, 3)


def _shaded(
    stage: _Stage, points: Floats, rays: Floats, normal: Floats, color: Floats, gloss: Floats, dice: list[CastDie],
    whose: Floats,
) -> Floats:  # fmt: skip
    open_sky = 0.65 + 0.35 * normal[:, 2]
    for k, die in enumerate(dice):
        off = die.center - points
        square = dots(off, off)
        facing = np.clip(dots(off, normal) / np.sqrt(square), 0, 1)
        hidden = facing * np.minimum((0.6 * die.make.edge) ** 2 / square, 1) * 0.7
        open_sky *= np.where(whose == k, 1, 1 - hidden)
    out = color * open_sky[:, None] * stage.sky
    towards = stage.light.center - points
    far = length(towards)
    cosine = np.maximum(dots(towards, normal) / far, 0)
    home = float(((stage.light.center - stage.light.home) ** 2).sum())
    lit = cosine * _unshaded(stage, points, normal, dice) * home / far**2
    out += color * lit[:, None] * stage.light.color
    mirrored = rays - 2 * dots(rays, normal)[:, None] * normal
    close = np.maximum(dots(mirrored, towards) / far, 0)
    wide = 0.05**2 + (stage.light.radius / far) ** 2
    glint = 0.04 * gloss * 0.6 * np.exp(-(1 - close) / wide) / wide * (cosine > 0)
    flat = 1 - np.minimum(np.abs(dots(rays, normal)), 1)
    sheen = gloss * (0.04 + 0.96 * flat**5)
    return np.asarray(out + glint[:, None] * stage.light.color + sheen[:, None] * stage.sky)


def _unshaded(stage: _Stage, points: Floats, normal: Floats, dice: list[CastDie]) -> Floats:
    """The share of the light that reaches each point."""
    if stage.quick:
        return _outlined(stage, points, dice)
    start = points + 0.08 * normal
    solids: list[CastDie | Block] = [*dice, *stage.blocks]
    things = [(thing, _near_shade(stage, start, thing)) for thing in solids]
    maybe = np.flatnonzero(np.any([near for _, near in things], axis=0)) if things else np.zeros(0, int)
    seen = np.ones(len(points))
    if not len(maybe):
        return seen
    total = np.zeros(len(maybe))
    for source in stage.light.points:
        towards = source - start[maybe]
        towards /= length(towards)[:, None]
        free = np.ones(len(maybe), bool)
        for thing, near in things:
            left = np.flatnonzero(free & near[maybe])
            free[left] = ~np.isfinite(thing.hit(start[maybe[left]], towards[left]))
        total += free
    seen[maybe] = total / len(stage.light.points)
    return seen


def _outlined(stage: _Stage, points: Floats, dice: list[CastDie]) -> Floats:
    """The same where dice shade the floor alone, as cubes."""
    seen, low = np.ones(len(points)), np.flatnonzero(np.abs(points[:, 2] - stage.floor) < 0.05)
    if not len(low) or not dice:
        return seen
    scale, start = 3.0, points[low, :2].min(axis=0) - 2
    wide, high = ((points[low, :2].max(axis=0) + 2 - start) * scale).astype(int) + 2
    shade = np.zeros((high, wide), np.float32)
    for source in stage.light.points:
        dark = np.zeros(shade.shape, np.uint8)
        for die in dice:
            corners = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
            ends = die.center + die.make.edge / 2 * (1 - 0.25 * die.make.corner) * corners @ die.axes
            share = (stage.floor - source[2]) / (ends[:, 2] - source[2])
            foot = source[:2] + share[:, None] * (ends - source)[:, :2]
            outline = cv2.convexHull(((foot - start) * scale * 16).astype(np.int32))
            cv2.fillConvexPoly(dark, outline, 1, cv2.LINE_8, 4)
        shade += dark
    soft = cv2.GaussianBlur(shade / len(stage.light.points), (0, 0), 1.0)
    x, y = ((points[low, :2] - start) * scale).astype(int).T
    seen[low] = 1 - soft[y, x]
    return seen


def _near_shade(stage: _Stage, points: Floats, thing: CastDie | Block) -> Floats:
    """Which points the thing may keep light from."""
    light = stage.light
    towards = light.center - points
    if isinstance(thing, Block):
        wide = 30.0 * light.radius / float(np.linalg.norm(light.center - light.home)) + 2.0
        grown = Block(thing.low - wide, thing.high + wide, thing.color)
        outside = ~((points >= grown.low) & (points <= grown.high)).all(axis=1)
        return np.asarray(~outside | np.isfinite(grown.hit(points, towards)))
    middle, radius = thing.bounds()
    share = np.clip(dots(middle - points, towards) / dots(towards, towards), 0, 1)
    apart = length(points + share[:, None] * towards - middle)
    return np.asarray(apart < radius + share * light.radius * 1.5 + 1)


def _sensor(condition: DiceCondition, tint: Floats, rng: np.random.Generator) -> Sensor:
    gains = (tint.mean() / tint) ** rng.uniform(0.6, 1.0) * np.exp(rng.normal(0, 0.03, 3))
    return Sensor(
        exposure=by_chance(rng, condition.exposure),
        electrons=by_chance(rng, condition.electrons),
        balance=gains / gains[1],
        vignette=0.0,
        blur=by_chance(rng, condition.blur),
        shake=(0.0, 0.0),
        quality=round(rng.uniform(80, 95)),
        sharpen=rng.uniform(0, 0.6),
    )
