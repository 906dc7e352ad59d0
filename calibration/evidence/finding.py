"""Pictures of boards without markers, for measuring how surely they are found: wood, gloss, folds, pieces and hands.

Unlike the set of `companion evidence` these come in rows: the photo of the empty board, taken once, and pictures of
the same board taken later, in other light, with another camera, turned to any side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.evidence.caster import cast
from calibration.evidence.conditions import CONDITIONS, Condition
from calibration.evidence.lens import Camera, Floats
from calibration.evidence.making import (
    a_camera,
    a_ground,
    a_kit,
    all_options,
    an_arm,
    lights_of,
    printed,
    sensor_of,
    solids_of,
)
from calibration.evidence.positions import position
from calibration.evidence.sensor import Frame, photograph
from calibration.evidence.table import Table
from companion.model import Sheet

FINDING: dict[str, Condition] = {
    name: replace(condition, turn=(-180, 180), roll=(-20, 20), fill=(0.6, 0.97))
    for name, condition in CONDITIONS.items()
    if name not in ("overhead", "cold LED", "hard low lamp", "wide lens", "shaken", "turned")
}
FINDING["wide lens"] = replace(CONDITIONS["wide lens"], turn=(-180, 180), roll=(-20, 20))
"""Condition → how the board is looked at, after the photo of the empty board was taken on an ordinary desk."""


@dataclass(frozen=True, eq=False, slots=True)
class Board:
    """A board without markers. photo: of the empty board, uint8 BGR; corners: where the sheet's corners lie in it."""

    sheet: Sheet
    image: Frame
    photo: Frame
    corners: Floats

    @property
    def landmarks(self) -> Floats:
        """The sheet's corners in the photo, rows of (x mm, y mm, x px, y px)."""
        return np.hstack([_corners(self.sheet)[:, :2], self.corners])


def boards(seed: int) -> Iterator[Board]:
    """Our own boards without their markers, on wood, card and lacquer."""
    for number, (game, options) in enumerate(
        [(game, all_options(game)[-1]) for game in ("gloria", "aggravation", "parcheesi", "game-of-god")]
    ):
        sheet, image = printed(game, options)
        rng = np.random.default_rng([seed, number, 77])
        yield board(replace(sheet, markers=None), on_wood(image, sheet, rng), rng)


def board(sheet: Sheet, image: Frame, rng: np.random.Generator) -> Board:
    """A board and the photo of it while it is empty, taken on a desk."""
    plain = replace(sheet, markers=None)
    photo, camera = picture(plain, image, replace(CONDITIONS["desk"], tilt=(3, 25)), rng, empty=True)
    return Board(plain, image, photo, camera.project(_corners(sheet)))


def _corners(sheet: Sheet) -> Floats:
    return np.array([(0, 0, 0), (sheet.width, 0, 0), (sheet.width, sheet.height, 0), (0, sheet.height, 0)], np.float64)


def on_wood(image: Frame, sheet: Sheet, rng: np.random.Generator) -> Frame:
    """A print without its markers, on wood: stretched noise darkens it."""
    bare = _bare(image, sheet).astype(np.float32)
    rows, cols = bare.shape[:2]
    grain = np.zeros((rows, cols), np.float32)
    for fine, weight in ((6, 0.5), (24, 0.3), (90, 0.2)):
        rough = rng.normal(0, 1, (fine * 6, max(2, fine // 4))).astype(np.float32)
        grain += weight * cv2.resize(rough, (cols, rows), interpolation=cv2.INTER_CUBIC)
    tone = np.array([0.55, 0.75, 0.9], np.float32) * rng.uniform(0.6, 1.05)
    return np.asarray(np.clip(bare * tone * (1 + 0.12 * grain[..., None]), 0, 255), np.uint8)


def _bare(image: Frame, sheet: Sheet) -> Frame:
    """The print with the colour beside each marker laid over it."""
    bare, scale = image.copy(), image.shape[1] / sheet.width
    for x, y in sheet.markers.centers.values() if sheet.markers is not None else ():
        half = sheet.markers.size * 0.72 if sheet.markers is not None else 0
        x0, y0, x1, y1 = (round(v * scale) for v in (x - half, y - half, x + half, y + half))
        beside = image[max(0, y0 - 4) : max(1, y0 - 1), max(0, x0) : x1].reshape(-1, 3)
        bare[max(0, y0) : y1, max(0, x0) : x1] = np.median(beside, axis=0)
    return bare


def picture(
    sheet: Sheet, image: Frame, condition: Condition, rng: np.random.Generator, empty: bool = False, finer: int = 1
) -> tuple[Frame, Camera]:
    """One picture of a board, and the camera that took it."""
    camera = a_camera(sheet, condition, rng)
    ground = a_ground(sheet, image, condition, camera, rng)
    solids = [] if empty else solids_of(sheet, position(sheet, rng), ground, a_kit(sheet, rng))
    lights, sky, tint = lights_of(sheet, condition, rng)
    if condition.arm:
        solids += an_arm(sheet, rng)
    shot = cast(Table(ground, solids, lights, sky), camera, finer)
    return photograph(shot.light, finer, sensor_of(condition, tint, rng), rng), camera


def miss(camera: Camera, sheet: Sheet, project: Floats) -> float:
    """How far, mm, the sheet's corners lie from where `project`, pixels (4, 2), takes them to be: the worst one."""
    true = camera.project(_corners(sheet))
    across = np.linalg.norm(np.roll(true, 1, axis=0) - true, axis=1).mean() / ((sheet.width + sheet.height) / 2)
    return float(np.linalg.norm(true - project, axis=1).max() / across)
