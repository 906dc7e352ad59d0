"""Makes one picture of the set, and knows what it shows: which space holds what, and which ones can be seen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

import cv2
import numpy as np

from calibration.evidence.caster import BOARD, Cast, cast
from calibration.evidence.conditions import BY_NAME, Condition, Range
from calibration.evidence.curled import a_curl
from calibration.evidence.lens import Camera, Floats, Plane, fitted, stand
from calibration.evidence.pages import glued
from calibration.evidence.pieces import arm, piece
from calibration.evidence.positions import Standing, position, seen
from calibration.evidence.sensor import Frame, Sensor, exposed, taken
from calibration.evidence.shapes import Solid
from calibration.evidence.sunshine import sun_through
from calibration.evidence.table import TABLES, Ground, Light, Table, grain_of, lamp, paper_of, window
from calibration.sheet import BOARDS, board_for, texture
from companion.model import Content, Seat, Sheet
from companion.vision.view.steady import Steady, one_more

FINER = 2
HIDDEN = 0.7
"""A space, or a piece, of which more than this share cannot be seen is not counted."""


@dataclass(frozen=True, eq=False, slots=True)
class Made:
    """A picture, uint8 BGR, and the truth. counted: the spaces that can be seen, and what stands on each."""

    frame: Frame
    game: str
    options: Mapping[str, Any]
    condition: str
    counted: Mapping[str, Content]
    cast: Cast
    camera: Camera


@lru_cache(maxsize=16)
def printed(game: str, options: tuple[tuple[str, Any], ...]) -> tuple[Sheet, Frame]:
    """A board as it is printed: its sheet and its texture, uint8 BGR."""
    board = board_for(game, dict(options))
    sheet = board.sheet()
    image = cv2.imdecode(np.frombuffer(texture(board.svg(), sheet), np.uint8), cv2.IMREAD_COLOR)
    return sheet, np.asarray(image, np.uint8)


def all_options(game: str) -> list[tuple[tuple[str, Any], ...]]:
    """Every board of a game, as options."""
    choices = BOARDS[game].choices
    return [tuple(zip(choices, values, strict=True)) for values in product(*choices.values())]


def make(seed: int, number: int, game: str, name: str) -> Made:
    """Picture `number` of the set `seed`: of a board of `game`, under the condition `name`."""
    rng = np.random.default_rng([seed, number])
    boards = all_options(game)
    options = boards[int(rng.integers(len(boards)))]
    sheet, image = printed(game, options)
    condition = BY_NAME[name]
    camera = a_camera(sheet, condition, rng)
    standing = position(sheet, rng)
    ground = a_ground(sheet, image, condition, camera, rng)
    solids = solids_of(sheet, standing, ground, a_kit(sheet, rng)) + (an_arm(sheet, rng) if condition.arm else [])
    lights, sky, tint = lights_of(sheet, condition, rng)
    shot = cast(Table(ground, solids, lights, sky), camera, FINER)
    frame = of_still_table(shot.light, condition.pictures, sensor_of(condition, tint, rng), rng)
    counted = counted_of(sheet, standing, solids, ground, shot, camera)
    return Made(frame, game, dict(options), name, counted, shot, camera)


def of_still_table(light: Plane, pictures: int, sensor: Sensor, rng: np.random.Generator) -> Frame:
    """The last of some pictures of a still table; where they are noisy, the mean that the eyes read."""
    raw, steady = exposed(light, FINER, sensor), Steady()
    for _ in range(pictures):
        steady = one_more(steady, taken(raw, sensor, rng))
    return steady.clearest()


def by_chance(rng: np.random.Generator, between: Range) -> float:
    """Some number between the two."""
    return float(rng.uniform(*between))


def a_camera(sheet: Sheet, condition: Condition, rng: np.random.Generator) -> Camera:
    """A camera that the board fills as the condition says."""
    target = np.array([sheet.width / 2, sheet.height / 2, 0.0]) + rng.normal(0, 6, 3) * (1, 1, 0)
    focal = condition.size[0] / 2 / math.tan(math.radians(by_chance(rng, condition.view)) / 2)
    tilt, turn, roll = (by_chance(rng, r) for r in (condition.tilt, condition.turn, condition.roll))
    bend = by_chance(rng, condition.k1), by_chance(rng, condition.k2)
    corners = np.array([(x, y, 0.0) for x in (0, sheet.width) for y in (0, sheet.height)])
    fill = by_chance(rng, condition.fill)
    camera = fitted(lambda far: stand(target, far, tilt, turn, roll, focal, condition.size, bend), corners, fill)
    return _aside(camera, condition, rng) if condition.aside[1] else camera


def _aside(camera: Camera, condition: Condition, rng: np.random.Generator) -> Camera:
    """The same camera whose axis does not meet the middle of its picture, as of none does quite."""
    by, way = by_chance(rng, condition.aside) * camera.size[0], float(rng.uniform(0, 2 * math.pi))
    return replace(camera, aside=(by * math.cos(way), by * math.sin(way)))


def a_ground(
    sheet: Sheet, image: Frame, condition: Condition, camera: Camera, rng: np.random.Generator
) -> Ground:
    """The board on some table."""
    if condition.pages[1]:
        image = glued(image, sheet, by_chance(rng, condition.pages), rng)
    far = float(np.linalg.norm(camera.eye - (sheet.width / 2, sheet.height / 2, 0)))
    scale = float(np.clip(camera.focal * FINER / far, 1.0, 4.0))
    size = (round(sheet.width * scale), round(sheet.height * scale))
    paper = paper_of(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA)), rng.uniform(0.82, 1.0))
    cloth = str(rng.choice(list(TABLES)))
    lacquer = by_chance(rng, condition.lacquer)
    ground = Ground(sheet, paper, rng.uniform(0.3, 5), by_chance(rng, condition.ridge), lacquer, cloth, grain_of(rng))
    if not condition.curl[1]:
        return ground
    return replace(ground, curl=a_curl((sheet.width, sheet.height), by_chance(rng, condition.curl), rng))


@dataclass(frozen=True, eq=False, slots=True)
class Kit:
    """The pieces of a table: one make and gloss for all, a colour for each seat, linear BGR."""

    make: int
    gloss: float
    colors: Mapping[Seat, Floats]


def a_kit(sheet: Sheet, rng: np.random.Generator) -> Kit:
    """Pieces whose colours are a little off those of the sheet."""
    make, gloss = int(rng.integers(3)), float(rng.choice([0.05, 0.5, 1.0]))
    return Kit(make, gloss, {seat: stuff(text, rng) for seat, text in sorted(sheet.colors.items())})


def solids_of(sheet: Sheet, standing: Sequence[Standing], ground: Ground, kit: Kit) -> list[Solid]:
    """The pieces where they stand."""
    solids = []
    for one in standing:
        foot = float(ground.height(one.x, one.y)) + one.level * sheet.piece.height
        color = kit.colors[one.seat]
        solids.append(piece(sheet.piece, (one.x, one.y, foot), color, kit.make, kit.gloss, one.space))
    return solids


def stuff(color: str, rng: np.random.Generator) -> Floats:
    """A colour near the nominal one, "#rrggbb", as linear BGR; no stuff is darker than 2 % or lighter than 85 %."""
    levels = np.array([int(color[i : i + 2], 16) for i in (5, 3, 1)]) / 255
    hue = cv2.cvtColor(levels.astype(np.float32).reshape(1, 1, 3), cv2.COLOR_BGR2HSV)[0, 0]
    hue += np.array([rng.normal(0, 4), rng.normal(0, 0.04), rng.normal(0, 0.05)], np.float32)
    hue = np.array([hue[0] % 360, np.clip(hue[1], 0, 1), np.clip(hue[2], 0, 1)], np.float32)
    varied = cv2.cvtColor(hue.reshape(1, 1, 3), cv2.COLOR_HSV2BGR)[0, 0].astype(np.float64)
    return np.asarray(np.clip(varied**2.2, 0.02, 0.85))


def an_arm(sheet: Sheet, rng: np.random.Generator) -> list[Solid]:
    """A hand over the board."""
    angle = rng.uniform(0, 2 * math.pi)
    middle = np.array([sheet.width, sheet.height]) / 2
    tip = middle + rng.uniform(-0.3, 0.3, 2) * (sheet.width, sheet.height)
    skin = np.array([0.20, 0.30, 0.52]) * rng.uniform(0.25, 1.1) * (1, 1, rng.uniform(0.9, 1.1))
    sleeve = rng.uniform(0.03, 0.5, 3)
    return arm(tip, angle, rng.uniform(8, 35), skin, sleeve, rng)


def lights_of(sheet: Sheet, condition: Condition, rng: np.random.Generator) -> tuple[list[Light], Floats, Floats]:
    """The lights, what comes from everywhere, and the colour (BGR) to which a camera would balance."""
    home = np.array([sheet.width / 2, sheet.height / 2, 0.0])
    color, high = black_body(by_chance(rng, condition.warmth)), math.radians(by_chance(rng, condition.lamp))
    side, sky = rng.uniform(0, 2 * math.pi), by_chance(rng, condition.sky)
    about = np.array([math.cos(side), math.sin(side), 0.0])
    if condition.window:
        light = _a_window(home, about, 1.1 * color, rng)
    else:
        where = home + rng.uniform(700, 1500) * (math.cos(high) * about + math.sin(high) * np.array([0.0, 0.0, 1.0]))
        light = lamp(where, by_chance(rng, condition.wide), color, home)
    around = black_body(rng.uniform(4000, 6500)) * 0.35 + 0.65 * color
    if condition.sun[1]:
        return [light, _the_sun(sheet, home, by_chance(rng, condition.sun), rng)], sky * around, color + sky * around
    if condition.beside is None:
        return [light], sky * around, color + sky * around
    (warmth, share), turn = condition.beside, side + rng.uniform(1.5, 4)
    other = by_chance(rng, share) * black_body(by_chance(rng, warmth))
    day = _a_window(home, np.array([math.cos(turn), math.sin(turn), 0.0]), other, rng)
    return [light, day], sky * around, color + other + sky * around


def _the_sun(sheet: Sheet, home: Floats, bright: float, rng: np.random.Generator) -> Light:
    """The sun, through a window."""
    at, radius, panes = sun_through(home, 0.4 * sheet.width, rng)
    return replace(lamp(at, radius, bright * black_body(rng.uniform(4200, 5600)), home), through=panes)


def _a_window(home: Floats, about: Floats, color: Floats, rng: np.random.Generator) -> Light:
    """A window at some distance in a direction."""
    along, far = np.array([-about[1], about[0], 0.0]), rng.uniform(900, 1600)
    corner = home + far * about - 450 * along + (0, 0, rng.uniform(150, 400))
    return window(corner, 900 * along, np.array([0.0, 0.0, 1100.0]), color, home)


def black_body(warmth: float) -> Floats:
    """The colour of a black body, linear BGR, its green 1 (a fit by hand to 2300 K … 9000 K)."""
    miss = math.log(warmth / 6500)
    return np.array([math.exp(1.25 * miss - 0.35 * miss**2), 1.0, math.exp(-0.62 * miss)])


def sensor_of(condition: Condition, tint: Floats, rng: np.random.Generator) -> Sensor:
    """An automatic camera: it balances most of the light's colour away, not all, and errs a little."""
    gains = (tint.mean() / tint) ** rng.uniform(0.6, 1.0) * np.exp(rng.normal(0, 0.03, 3))
    angle, shake = rng.uniform(0, 2 * math.pi), by_chance(rng, condition.shake)
    return Sensor(
        exposure=by_chance(rng, condition.exposure),
        electrons=by_chance(rng, condition.electrons),
        balance=gains / gains[1],
        vignette=rng.uniform(0.05, 0.3),
        blur=by_chance(rng, condition.blur),
        shake=(shake * math.cos(angle), shake * math.sin(angle)),
        quality=round(by_chance(rng, condition.quality)),
        sharpen=rng.uniform(0, 0.6),
    )


# --- what can be seen ---


def counted_of(
    sheet: Sheet, standing: Sequence[Standing], solids: Sequence[Solid], ground: Ground, shot: Cast, camera: Camera
) -> dict[str, Content]:
    """The truth of each space that can be seen well enough."""
    truth, shown = seen(standing), np.bincount(np.maximum(shot.ids, -1).ravel() + 1, minlength=len(solids) + 1)[1:]
    tops = {one.space: max(o.level for o in standing if o.space == one.space) for one in standing}
    veiled = {
        one.space
        for i, one in enumerate(standing)
        if one.level == tops[one.space] and shown[i] < (1 - HIDDEN) * max(shot.whole[i], 1)
    }
    free = {
        name: truth.get(name, ())
        for name, space in sheet.spaces.items()
        if name not in veiled and (truth.get(name) or _open(space.x, space.y, space.radius, ground, shot, camera))
    }
    return {name: content for name, content in free.items() if _inside(sheet, name, camera)}


def _open(x: float, y: float, radius: float, ground: Ground, shot: Cast, camera: Camera) -> bool:
    """Whether enough of an empty space's ground can be seen: points on it in a sunflower's order."""
    k = np.arange(80)
    far, angle = radius * np.sqrt((k + 0.5) / 80), k * math.pi * (3 - math.sqrt(5))
    px, py = x + far * np.cos(angle), y + far * np.sin(angle)
    points = np.column_stack([px, py, ground.height(px, py)])
    at = np.round((camera.project(points) + 0.5) * FINER - 0.5).astype(int)
    rows, cols = shot.ids.shape
    inside = (at[:, 0] >= 0) & (at[:, 0] < cols) & (at[:, 1] >= 0) & (at[:, 1] < rows)
    shown = shot.ids[at[inside, 1], at[inside, 0]] == BOARD
    return bool(shown.sum() >= (1 - HIDDEN) * 80)


def _inside(sheet: Sheet, name: str, camera: Camera) -> bool:
    """Whether the whole space lies in the picture."""
    space = sheet.spaces[name]
    around = [(space.x + dx * space.radius, space.y + dy * space.radius, 0.0) for dx in (-1, 1) for dy in (-1, 1)]
    pixels = camera.project(around)
    return bool((pixels >= 0).all() and (pixels < camera.size).all())
