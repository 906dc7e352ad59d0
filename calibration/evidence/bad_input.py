"""Pictures that cannot be read, or hardly: whether a sentence says why, or anything is guessed through.

Each is made as those of the other sets are, one ray a pixel, and spoilt: another sheet, a mirror, a second board, cups
and hands over the markers, no light, no focus, no board. With `own`, boards without markers on wood, known by a photo.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from calibration.evidence.caster import cast
from calibration.evidence.conditions import CONDITIONS
from calibration.evidence.finding import board, on_wood
from calibration.evidence.lens import Camera, Floats, Plane
from calibration.evidence.making import (
    a_camera,
    a_ground,
    a_kit,
    all_options,
    counted_of,
    lights_of,
    printed,
    sensor_of,
    solids_of,
)
from calibration.evidence.pieces import arm
from calibration.evidence.positions import Standing, position
from calibration.evidence.run import chosen
from calibration.evidence.sensor import Frame, Sensor, photograph
from calibration.evidence.shapes import Cone, Lid, Solid
from calibration.evidence.table import Ground, Light, Table, paper_of
from calibration.files import write_one
from calibration.sheet import BOARDS
from companion.model import BoardSeen, Content, Sheet
from companion.vision import Scene, look, make_scene

UNDER = ("desk", "overhead", "oblique", "warm lamp", "window")
"""Conditions under which the boards lie, in turn."""
SURE = 0.97
Kind = tuple[str, tuple[tuple[str, Any], ...]]
Truth = Mapping[str, Content] | None
"""What can be seen on each space; None where nothing of the sheet is there to be read."""


@dataclass(frozen=True, eq=False)
class Setting:
    """A board with pieces on a table, in some light, before a camera; rng: what else is drawn."""

    kind: Kind
    sheet: Sheet
    camera: Camera
    ground: Ground
    standing: Sequence[Standing]
    solids: Sequence[Solid]
    lights: Sequence[Light]
    sky: Floats
    sensor: Sensor
    rng: np.random.Generator

    def taken(self, finer: int = 1) -> tuple[Frame, Truth]:
        """A picture of it, `finer` rays for a pixel each way, and what can be seen on it."""
        size = tuple(side // finer for side in self.camera.size)
        shot = cast(Table(self.ground, self.solids, self.lights, self.sky), self.camera, 1)
        frame = photograph(shot.light, finer, self.sensor, self.rng)
        assert frame.shape[1::-1] == size
        fine = replace(shot, ids=np.repeat(np.repeat(shot.ids, 2, 0), 2, 1), whole=tuple(4 * n for n in shot.whole))
        return frame, counted_of(self.sheet, self.standing, self.solids, self.ground, fine, self.camera)


@lru_cache(maxsize=32)
def scene_of(kind: Kind, own: bool) -> Scene:
    """A board as the eyes know it."""
    return _on_wood(kind)[2] if own else make_scene(*printed(*kind))


@lru_cache(maxsize=32)
def _on_wood(kind: Kind) -> tuple[Sheet, Frame, Scene]:
    """A board without markers, and what the eyes know of it by its photo."""
    sheet, image = printed(*kind)
    rng = np.random.default_rng([len(sheet.spaces), 77])
    made = board(sheet, on_wood(image, sheet, rng), rng)
    return made.sheet, made.image, make_scene(made.sheet, None, made.photo, made.landmarks)


def _drawn(kind: Kind, own: bool) -> tuple[Sheet, Frame]:
    """A board's sheet, and how it looks, uint8 BGR."""
    return _on_wood(kind)[:2] if own else printed(*kind)


def setting(seed: int, number: int, game: str, own: bool = False) -> Setting:
    """Setting `number` of the set `seed`."""
    rng = np.random.default_rng([seed, number, 13])
    options = all_options(game)
    kind = game, options[int(rng.integers(len(options)))]
    sheet, image = _drawn(kind, own)
    condition = CONDITIONS[UNDER[number % len(UNDER)]]
    camera = a_camera(sheet, condition, rng)
    ground = a_ground(sheet, image, condition, camera, rng)
    standing = position(sheet, rng)
    solids = solids_of(sheet, standing, ground, a_kit(sheet, rng))
    lights, sky, tint = lights_of(sheet, condition, rng)
    sensor = sensor_of(condition, tint, rng)
    return Setting(kind, sheet, camera, ground, standing, solids, lights, sky, sensor, rng)


# --- what is spoilt ---


@dataclass(frozen=True, eq=False, slots=True)
class Beside(Ground):
    """A table on which something else that is printed lies beside the board: paper, linear BGR, `wide` mm wide, its
    corner `at` (x, y), turned by an angle whose cosine and sine are `way`.
    """

    other: Plane = field(default_factory=lambda: np.zeros((1, 1, 3), np.float32))
    wide: float = 1.0
    at: tuple[float, float] = (0.0, 0.0)
    way: tuple[float, float] = (1.0, 0.0)

    def colors(self, points: Plane, on_board: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Plane:
        """See `Ground`."""
        out, scale = Ground.colors(self, points, on_board), self.other.shape[1] / self.wide
        x, y, (cos, sin) = points[..., 0] - self.at[0], points[..., 1] - self.at[1], self.way
        u, v = (np.float32(scale) * along - 0.5 for along in (cos * x + sin * y, cos * y - sin * x))
        shown = cv2.remap(self.other, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR)
        there = (u >= 0) & (v >= 0) & (u < self.other.shape[1] - 1) & (v < self.other.shape[0] - 1) & ~on_board
        return np.asarray(np.where(there[..., None], shown, out), np.float32)


def _with_print(of: Ground, image: Frame, wide: float, at: tuple[float, float], turn: float) -> Ground:
    """The ground with a print on it; see `Beside`. turn: radians."""
    size = (round(wide * 2), round(wide * 2 * image.shape[0] / image.shape[1]))
    paper = paper_of(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA)), 0.95)
    way = float(np.cos(turn)), float(np.sin(turn))
    return Beside(**{name: getattr(of, name) for name in Ground.__slots__}, other=paper, wide=wide, at=at, way=way)


def _beside(of: Setting, sheet: Sheet, image: Frame) -> Setting:
    """The same table with another board right of the first, and the camera so far away that it sees both."""
    turn = float(of.rng.normal(0, 0.1))
    x = of.sheet.width + float(of.rng.uniform(15, 60)) + max(0.0, sheet.height * np.sin(turn))
    ground = _with_print(of.ground, image, sheet.width, (x, float(of.rng.uniform(-40, 40))), turn)
    overhead = replace(CONDITIONS["overhead"], size=of.camera.size)
    both = replace(of.sheet, width=x + sheet.width, height=max(of.sheet.height, sheet.height))
    return replace(of, ground=ground, camera=a_camera(both, overhead, of.rng))


def _two(other: Callable[[Setting], Kind], own: bool) -> Callable[[Setting], tuple[Frame, Truth]]:
    def seen(of: Setting) -> tuple[Frame, Truth]:
        sheet, image = _drawn(other(of), own)
        return _beside(of, sheet, image).taken()

    return seen


def _any_other(of: Setting, same_game: bool) -> Kind:
    """Another board: of the same game with another option, if there is one, or of another game."""
    kinds = [(game, options) for game in BOARDS for options in all_options(game)]
    others = [k for k in kinds if k != of.kind and (k[0] == of.kind[0]) == same_game]
    return others[int(of.rng.integers(len(others)))] if others else of.kind


def _corners(of: Setting) -> list[tuple[float, float]]:
    width, height, markers = of.sheet.width, of.sheet.height, of.sheet.markers
    inset = [(20.0, 20.0), (width - 20, 20.0), (width - 20, height - 20), (20.0, height - 20)]
    return inset if markers is None else list(markers.centers.values())


def _cup(at: tuple[float, float], rng: np.random.Generator) -> Solid:
    wide, high = float(rng.uniform(32, 44)), float(rng.uniform(40, 95))
    top = Lid(np.array([*at, high]), wide)
    return Solid([Cone(*at, (0.0, 0.85 * wide), (high, wide)), top], rng.uniform(0.05, 0.8, 3), 0.5)


def _hand(at: tuple[float, float], of: Setting) -> list[Solid]:
    out = np.array(at) - (of.sheet.width / 2, of.sheet.height / 2)
    skin = np.array([0.20, 0.30, 0.52]) * of.rng.uniform(0.25, 1.1)
    tip = np.array(at) - 45 * out / np.linalg.norm(out)
    return arm(tip, float(np.arctan2(out[1], out[0])), 4.0, skin, of.rng.uniform(0.03, 0.5, 3), of.rng)


def _covered(count: int, half: bool) -> Callable[[Setting], tuple[Frame, Truth]]:
    """So many markers under cups and hands; `half`: these lie half over them."""

    def seen(of: Setting) -> tuple[Frame, Truth]:
        corners, solids = _corners(of), list(of.solids)
        for k in of.rng.permutation(4)[:count]:
            angle, off = of.rng.uniform(0, 2 * np.pi), 36.0 if half else 0.0
            at = corners[k][0] + off * np.cos(angle), corners[k][1] + off * np.sin(angle)
            solids += [_cup(at, of.rng)] if of.rng.random() < 0.5 else _hand(at, of)
        return replace(of, solids=solids).taken()

    return seen


def _half_out(of: Setting) -> tuple[Frame, Truth]:
    """The camera looks past the board: its middle lies on the edge of the picture."""
    angle, middle = of.rng.uniform(0, 2 * np.pi), np.array([of.sheet.width / 2, of.sheet.height / 2, 0.0])
    step = 5 * np.array([np.cos(angle), np.sin(angle), 0.0])
    camera = of.camera
    while ((pixels := camera.project(middle)[0]) > 0).all() and (pixels < camera.size).all():
        camera = replace(camera, eye=camera.eye + step)
    return replace(of, camera=camera).taken()


def _no_board(of: Setting) -> tuple[Frame, Truth]:
    """The table beside the board: cups, pieces, a magazine."""
    x, y = 3 * of.sheet.width, of.sheet.height / 2

    def somewhere() -> tuple[float, float]:
        return x + float(of.rng.uniform(-0.4, 0.4)) * of.sheet.width, y + float(of.rng.uniform(-0.4, 0.4)) * 2 * y

    strewn = [Standing(one.seat, "", *somewhere()) for one in of.standing]
    things = [_cup(somewhere(), of.rng), _cup(somewhere(), of.rng)]
    things += solids_of(of.sheet, strewn, of.ground, a_kit(of.sheet, of.rng))
    rough = of.rng.integers(0, 255, (30, 22, 3)).astype(np.uint8)
    page = np.asarray(cv2.resize(rough, (440, 600), interpolation=cv2.INTER_CUBIC), np.uint8)
    ground = _with_print(of.ground, page, 210.0, (x - 150, y - 120), float(of.rng.uniform(-0.5, 0.5)))
    camera = replace(of.camera, eye=of.camera.eye + np.array([2.5 * of.sheet.width, 0, 0]))
    return replace(of, camera=camera, ground=ground, solids=things, standing=[]).taken()[0], None


def _through(spoil: Callable[[Sensor], Sensor]) -> Callable[[Setting], tuple[Frame, Truth]]:
    """The same table through another sensor."""
    return lambda of: replace(of, sensor=spoil(of.sensor)).taken()


def _exposed(exposure: float) -> Callable[[Setting], tuple[Frame, Truth]]:
    return _through(lambda sensor: replace(sensor, exposure=exposure, electrons=min(sensor.electrons, 2000.0)))


def _soft(blur: float) -> Callable[[Setting], tuple[Frame, Truth]]:
    return _through(lambda sensor: replace(sensor, blur=blur))


def _small(of: Setting) -> tuple[Frame, Truth]:
    return of.taken(of.camera.size[0] // 320)


def _after(spoil: Callable[[Frame], Frame], readable: bool = False) -> Callable[[Setting], tuple[Frame, Truth]]:
    """A good picture, spoilt afterwards."""

    def seen(of: Setting) -> tuple[Frame, Truth]:
        frame, truth = of.taken()
        return np.ascontiguousarray(spoil(frame)), truth if readable else None

    return seen


def _capped(of: Setting) -> tuple[Frame, Truth]:
    rows, cols = of.camera.size[::-1]
    return np.clip(of.rng.normal(2, 2, (rows, cols, 3)), 0, 255).astype(np.uint8), None


def _greyed(frame: Frame) -> Frame:
    return np.repeat(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)[..., None], 3, 2)


@dataclass(frozen=True)
class Case:
    """A kind of bad input. make: from a setting. says: words of which a sentence that is right has one; none where the
    board must be read. sheet: the one that is looked for, the setting's own if it is None.
    """

    make: Callable[[Setting], tuple[Frame, Truth]]
    says: tuple[str, ...] = ()
    sheet: Callable[[Setting], Kind] | None = None


def _of_another(of: Setting) -> tuple[Frame, Truth]:
    return of.taken()[0], None


_ANOTHER = ("another board", "not look like", "cannot be found")
_HIDDEN = ("marker", "cannot be found")
_LACKS = {"dark": ("black", "dark"), "bright": ("bright", "white"), "soft": ("blur",), "small": ("pixels only",)}


def cases(own: bool) -> dict[str, Case]:
    """All kinds, by name."""
    return {
        "good picture": Case(Setting.taken),
        "sheet of another game": Case(_of_another, _ANOTHER, lambda of: _any_other(of, False)),
        "sheet of another option": Case(_of_another, _ANOTHER, lambda of: _any_other(of, True)),
        "mirrored": Case(_after(lambda frame: frame[:, ::-1]), ("mirrored",)),
        "two boards alike": Case(_two(lambda of: of.kind, own), ("Two boards",)),
        "two boards, another": Case(_two(lambda of: _any_other(of, False), own), ("Two boards",)),
        "one marker covered": Case(_covered(1, False)),
        "two markers covered": Case(_covered(2, False), _HIDDEN),
        "three markers covered": Case(_covered(3, False), _HIDDEN),
        "four markers covered": Case(_covered(4, False), _HIDDEN),
        "two half covered": Case(_covered(2, True), _HIDDEN),
        "four half covered": Case(_covered(4, True), _HIDDEN),
        "upside down": Case(_after(lambda frame: frame[::-1, ::-1], True)),
        "320x240": Case(_small, _LACKS["small"]),
        "grey": Case(_after(_greyed), ("grey",)),
        "blurred": Case(_soft(9.0), _LACKS["soft"]),
        "blurred beyond use": Case(_soft(25.0), _LACKS["soft"]),
        "dark": Case(_exposed(0.03), _LACKS["dark"]),
        "nearly black": Case(_exposed(0.008), _LACKS["dark"]),
        "bright": Case(_exposed(4.0), _LACKS["bright"]),
        "nearly white": Case(_exposed(30.0), _LACKS["bright"]),
        "half out of the picture": Case(_half_out, _HIDDEN),
        "no board": Case(_no_board, _HIDDEN),
        "lens cap": Case(_capped, ("black",)),
    }


# --- what is made of it ---


@dataclass(frozen=True)
class Told:
    """What one look made of one picture. reason: the sentence, "" where the board was read; fits: whether it names what
    is the matter. guessed: whether the board was read that is not there, or a sure reading is wrong. sure: how many
    such readings.
    """

    case: str
    game: str
    reason: str
    fits: bool
    guessed: bool = False
    sure: int = 0


def told(seed: int, number: int, game: str, name: str, own: bool = False) -> tuple[Told, Frame] | None:
    """Picture `number` of a kind, and what is made of it; None if there is no such board."""
    of, case = setting(seed, number, game, own), cases(own)[name]
    kind = of.kind if case.sheet is None else case.sheet(of)
    if case.sheet is not None and kind == of.kind:
        return None
    frame, truth = case.make(of)
    seen, _ = look(frame, scene_of(kind, own))
    if not isinstance(seen, BoardSeen):
        return Told(name, game, seen.reason, any(word in seen.reason for word in case.says)), frame
    surely = {k for k, one in seen.spaces.items() if not one.covered and one.confidence > SURE}
    wrong = [k for k in surely if truth is None or (k in truth and seen.spaces[k].content != truth[k])]
    return Told(name, game, "", False, truth is None or bool(wrong), len(wrong)), frame


_HEAD = "| {} | pictures | said why | said something else | read | guessed through | surely wrong |"


def bad_input(arguments: Namespace) -> Iterator[str]:
    """The lines to print: of each kind so many pictures, a line of JSON each or one table. Raises BadInput."""
    own, found = bool(arguments.own_boards), []
    games = chosen("--game", arguments.game, {g: 0 for g in BOARDS if g != "parcheesi-print"} if own else BOARDS)
    for name in chosen("--condition", arguments.condition, cases(own)):
        for number in range(arguments.pictures):
            one = told(arguments.seed, number, games[number % len(games)], name, own)
            if one is None:
                continue
            found.append(one[0])
            if arguments.keep is not None:
                write_one(arguments.keep / f"{name}-{number}.png", cv2.imencode(".png", one[1])[1].tobytes())
            if arguments.json:
                yield json.dumps(asdict(one[0]))
    if not arguments.json:
        yield bad_input_table(found)


def bad_input_table(found: Sequence[Told]) -> str:
    """By kind, as Markdown, and below it each sentence that was said."""
    rows = [_HEAD.format("bad input"), "| --- |" + " ---: |" * 6]
    for name in dict.fromkeys(one.case for one in found):
        mine = [one for one in found if one.case == name]
        why, said = sum(one.fits for one in mine), sum(bool(one.reason) for one in mine)
        guessed, sure = sum(one.guessed for one in mine), sum(one.sure for one in mine)
        read = len(mine) - said - guessed
        rows.append(f"| {name} | {len(mine)} | {why} | {said - why} | {read} | {guessed} | {sure} |")
    heard = Counter((one.case, one.reason) for one in found if one.reason)
    return "\n".join([*rows, "", *(f"- {case}: {times} × “{reason}”" for (case, reason), times in heard.items())])
