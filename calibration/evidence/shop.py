"""A board of another maker on a table: its owner shows it to Companion as the docs say, then it is played on.

The owner takes a photo of the empty board, taps its corners and what is asked for, looks at the rings, and lets the
colours of the pieces be learned from a picture of them set up. Then the board is pushed, the light is another, and a
picture is taken. Each picture has a board, a camera and an owner of its own.
"""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from calibration.board_files import PHOTO, SHEET, write_board
from calibration.evidence.caster import cast, ground
from calibration.evidence.conditions import BY_NAME, CONDITIONS, Condition
from calibration.evidence.lens import Camera, Floats
from calibration.evidence.making import (
    FINER,
    Kit,
    Made,
    a_camera,
    a_ground,
    a_kit,
    all_options,
    an_arm,
    counted_of,
    lights_of,
    of_still_table,
    sensor_of,
    solids_of,
)
from calibration.evidence.positions import Standing, placed, position
from calibration.evidence.sensor import Frame, photograph
from calibration.evidence.shop_art import STYLES, drawn
from calibration.evidence.shop_layout import of_another_maker
from calibration.evidence.table import Ground, Light, Table
from calibration.laying import LEAST_TAPS, next_tap
from calibration.own_board import Draft, Laid, lay_out
from calibration.piece_colors import of_all_seats, piece_colors
from calibration.sheet import board_for
from companion.games.catalogue import game_for
from companion.model import BadInput, ImageError, Piece, Seat, Sheet
from companion.service.boards.setting_up import start_of
from companion.vision import Scene, load_scene
from companion.vision.finding.registration import register
from companion.vision.finding.shown import Showing, show
from companion.vision.finding.shown import Shown as Pointed

TAP = 1.5
"""Pixels by which taps are off, in the mean of squares."""
FIRST, MOST = 10, 20
"""Taps that are made anyway, and those after which what still lies off is dragged."""
_OFF = 0.35
"""Of its radius: a ring that lies farther off is seen to."""


@dataclass(frozen=True, eq=False, slots=True)
class Shown:
    """How a board was shown. photo: of it empty. scene: what the eyes know of it, None if that failed, and reason why.

    first: how far spaces lay off after `FIRST` taps, mm; last: in the end. taps, dragged: what was done for it.
    """

    style: str
    true: Sheet
    photo: Frame
    set_up: Frame
    scene: Scene | None = None
    reason: str = ""
    first: Sequence[float] = ()
    last: Sequence[float] = ()
    taps: int = 0
    dragged: int = 0

    def told(self) -> dict[str, Any]:
        """What JSON says of it."""
        off = {"first_mm": [round(v, 2) for v in self.first], "last_mm": [round(v, 2) for v in self.last]}
        return {"style": self.style, "taps": self.taps, "dragged": self.dragged, "refused": self.reason, **off}


def make_own(seed: int, number: int, game: str, name: str) -> tuple[Made, Shown]:
    """Picture `number` of the set `seed`, and how its board was shown; see `making.make`."""
    rng = np.random.default_rng([seed, number, 5])
    boards = [options for options in all_options(game) if dict(options).get("size", 8) in (8, 10, 12)]
    options = dict(boards[int(rng.integers(len(boards)))])
    style = str(rng.choice(list(STYLES)))
    seats = tuple(sorted(board_for(game, options).sheet().colors))
    if game == "game-of-god" and rng.random() < 0.5:
        seats = (0, 2)
    true = of_another_maker(board_for(game, options).sheet(), STYLES[style].by_hand, seats, rng)
    condition = _of_one_camera(BY_NAME[name], rng)
    camera = a_camera(true, condition, rng)
    below, kit = a_ground(true, drawn(true, STYLES[style], rng), condition, camera, rng), a_kit(true, rng)
    shown = _show(true, style, below, kit, camera, rng)
    return _played(true, below, kit, condition, name, options, camera.aside, rng), shown


def _of_one_camera(condition: Condition, rng: np.random.Generator) -> Condition:
    """The condition with one lens and one height, as the camera stays where it is."""
    view, k1, k2, tilt = (float(rng.uniform(*r)) for r in (condition.view, condition.k1, condition.k2, condition.tilt))
    return replace(condition, view=(view, view), k1=(k1, k1), k2=(k2, k2), tilt=(tilt, tilt))


def _bumped(condition: Condition) -> Condition:
    """Another day: the board lies otherwise, the camera leans a little more or less."""
    low, turn = condition.tilt[0], condition.turn[1]
    return replace(condition, tilt=(max(0.0, low - 4), low + 4), turn=(-max(turn, 25), max(turn, 25)))


# --- the owner ---


def _show(true: Sheet, style: str, below: Ground, kit: Kit, camera: Camera, rng: np.random.Generator) -> Shown:
    """What the owner does, by the functions that `companion calibrate` and the page use."""
    calm = replace(CONDITIONS["desk"], size=camera.size)
    lights, sky, tint = _lights_without_glare(true, calm, camera, rng)
    sensor, bare = sensor_of(calm, tint, rng), ground(below, camera, FINER)

    def photo(standing: Sequence[Standing]) -> Frame:
        table = Table(below, solids_of(true, standing, below, kit), lights, sky)
        return photograph(cast(table, camera, FINER, bare).light, FINER, sensor, rng)

    start = beginning(true)
    pieces = [one for name, held in contents_of(true, start).items() for one in placed(true, name, held, rng)]
    shown = Shown(style, true, photo([]), photo(pieces))
    try:
        return taught(shown, start, camera, rng)
    except (BadInput, ImageError) as error:
        return replace(shown, reason=str(error))


def taught(shown: Shown, start: Mapping[Seat, Sequence[str]], camera: Camera, rng: np.random.Generator) -> Shown:
    """What is known of a board after taps, files and colours. Raises BadInput and ImageError."""
    true = shown.true
    drafts = _drafts(true, camera, shown.photo, rng)
    first, last = drafts[min(FIRST, len(drafts) - 1)], drafts[-1]
    size = camera.size
    with tempfile.TemporaryDirectory() as folder:
        laid = write_board(last, shown.photo, Path(folder))
        scene = load_scene(Path(folder) / SHEET, Path(folder) / PHOTO)
        pointed = None
        if isinstance(register(shown.set_up, scene), str):
            corners = camera.corners(true.width, true.height)
            pointed = pointed_at(shown.set_up, scene, corners, TAP / math.sqrt(2), rng)
        found = piece_colors(shown.set_up, scene, start, pointed)
        write_board(replace(last, colors=of_all_seats(found, scene.sheet)), shown.photo, Path(folder))
        scene = load_scene(Path(folder) / SHEET, Path(folder) / PHOTO)
    off = [list(misses(true, one, camera).values()) for one in (lay_out(first, size, shown.photo), laid)]
    return replace(shown, scene=scene, first=off[0], last=off[1], taps=len(last.taps), dragged=len(last.moved))


def pointed_at(
    picture: Frame, scene: Scene, corners: Floats, beside: float, rng: np.random.Generator
) -> Pointed | None:
    """The board as its owner shows it, who taps so many pixels beside its corners, (4, 2), and is sure of them."""
    width, height = scene.sheet.width, scene.sheet.height
    places = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    found = show(Showing(picture, places, corners + rng.normal(0, beside, (4, 2))), scene)
    return found if isinstance(found, Pointed) else None


def _drafts(true: Sheet, camera: Camera, photo: Frame, rng: np.random.Generator) -> list[Draft]:
    """What was given after each tap, and in the end after what was dragged too."""
    layout = board_for(true.game, dict(true.options)).sheet()
    piece = Piece(true.piece.kind, round(true.piece.diameter), max(1, round(true.piece.height)))
    corners = camera.corners(true.width, true.height)
    tapped = [(x, y) for x, y in (corners + rng.normal(0, TAP / math.sqrt(2), (4, 2))).tolist()]
    size, options = (round(true.width), round(true.height)), dict(true.options)
    draft = Draft(true.game, size, tuple(tapped), options, piece=piece, colors=true.colors)
    drafts = [draft]
    while len(draft.taps) < FIRST or (len(draft.taps) < MOST and _astray(true, draft, camera, photo)):
        name = next_tap(layout, draft.taps)
        if not name:
            break
        draft = replace(draft, taps={**draft.taps, name: _tap(true, name, camera, rng)})
        drafts.append(draft)
    astray = _astray(true, draft, camera, photo)
    return [*drafts, replace(draft, moved={name: _tap(true, name, camera, rng) for name in astray})]


def _tap(true: Sheet, name: str, camera: Camera, rng: np.random.Generator) -> tuple[float, float]:
    """Where the owner taps a space: nearly in its middle."""
    space = true.spaces[name]
    ((x, y),) = camera.project([(space.x, space.y, 0.0)]) + rng.normal(0, TAP / math.sqrt(2), (1, 2))
    width, height = camera.size
    return float(np.clip(x, 0, width - 1)), float(np.clip(y, 0, height - 1))


def _astray(true: Sheet, draft: Draft, camera: Camera, photo: Frame) -> list[str]:
    """The spaces whose rings can be seen to lie off."""
    laid = lay_out(draft, camera.size, photo)
    if not laid.sheet.spaces:
        return list(true.spaces)[:LEAST_TAPS]
    return [name for name, off in misses(true, laid, camera).items() if off > _OFF * true.spaces[name].radius]


def misses(true: Sheet, laid: Laid, camera: Camera) -> dict[str, float]:
    """How far each space's ring lies from where it is, as the photo shows it, mm."""
    rings, middles = laid.pixels(), [(space.x, space.y, 0.0) for space in true.spaces.values()]
    here, right, down = (camera.project(np.array(middles) + step) for step in ((0, 0, 0), (1, 0, 0), (0, 1, 0)))
    fine = (np.linalg.norm(right - here, axis=1) + np.linalg.norm(down - here, axis=1)) / 2
    off = np.linalg.norm(np.array([rings[name][:2] for name in true.spaces]) - here, axis=1) / fine
    return dict(zip(true.spaces, off.tolist(), strict=True))


def beginning(true: Sheet) -> dict[Seat, list[str]]:
    """Where each piece of each seat stands before the game."""
    return start_of(true, game_for(true.game, tuple(sorted(true.colors)), dict(true.options)))


def contents_of(true: Sheet, start: Mapping[Seat, Sequence[str]]) -> dict[str, list[Seat]]:
    """What stands on each space then."""
    return {name: [seat] * many for seat, names in start.items() for name, many in Counter(names).items()}


def _lights_without_glare(
    true: Sheet, condition: Condition, camera: Camera, rng: np.random.Generator
) -> tuple[list[Light], Floats, Floats]:
    """A lamp whose image does not lie on the board: else the owner would turn the board, or move the lamp."""
    for _ in range(30):
        lights, sky, tint = lights_of(true, condition, rng)
        if not any(_mirrored(true, camera, light) for light in lights):
            break
    return lights, sky, tint


def _mirrored(true: Sheet, camera: Camera, light: Light) -> bool:
    """Whether the image of a light's middle lies on the board or hardly beside it."""
    image = light.center * (1, 1, -1)
    share = camera.eye[2] / (camera.eye[2] - image[2])
    x, y = (camera.eye + share * (image - camera.eye))[:2]
    edge = 40
    return bool(-edge < x < true.width + edge and -edge < y < true.height + edge)


# --- the game ---


def _played(
    true: Sheet, below: Ground, kit: Kit, condition: Condition, name: str, options: Mapping[str, object],
    aside: tuple[float, float], rng: np.random.Generator,
) -> Made:  # fmt: skip
    """A picture of some position, later. aside: see `Camera`; it stays as it is."""
    camera = replace(a_camera(true, _bumped(condition), rng), aside=aside)
    standing = position(true, rng)
    solids = solids_of(true, standing, below, kit) + (an_arm(true, rng) if condition.arm else [])
    lights, sky, tint = lights_of(true, condition, rng)
    shot = cast(Table(below, solids, lights, sky), camera, FINER)
    frame = of_still_table(shot.light, condition.pictures, sensor_of(condition, tint, rng), rng)
    counted = counted_of(true, standing, solids, below, shot, camera)
    return Made(frame, true.game, options, name, counted, shot, camera)
