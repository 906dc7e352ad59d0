"""A table that is filmed: one board, camera, light and set of pieces; pieces and hands come and go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.evidence.caster import Canvas, cast, ground
from calibration.evidence.conditions import CONDITIONS
from calibration.evidence.lens import Floats, Plane
from calibration.evidence.making import a_camera, a_ground, lights_of, sensor_of, stuff
from calibration.evidence.pieces import arm, piece
from calibration.evidence.sensor import Frame, exposed, taken
from calibration.evidence.shapes import Solid
from calibration.evidence.table import Table
from companion.model import Sheet
from companion.virtual.tabletop import Hand, Pawn

STILL, MOVING = 2, 1
"""Rays each way for a pixel: nothing is read off a picture in which a hand moves."""
MOMENTS = 6
"""Pictures of one still table that differ by their noise; later ones are some of these again, which saves much time."""


class Film:
    """Pictures of one table, uint8 BGR. condition: see `conditions`; rng decides the rest, and the noise.

    size: (width, height) in pixels, if it is another than the condition's.
    """

    def __init__(
        self,
        sheet: Sheet,
        texture: Frame,
        condition: str,
        rng: np.random.Generator,
        size: tuple[int, int] | None = None,
    ) -> None:
        self.sheet, self.rng, of = sheet, rng, CONDITIONS[condition]
        of = of if size is None else replace(of, size=size)
        self.camera = a_camera(sheet, of, rng)
        self.ground = a_ground(sheet, texture, of, self.camera, rng)
        self.make, self.gloss = int(rng.integers(3)), float(rng.choice([0.05, 0.5, 1.0]))
        self.colors = {seat: stuff(text, rng) for seat, text in sorted(sheet.colors.items())}
        self.lights, self.sky, tint = lights_of(sheet, of, rng)
        self.sensor = sensor_of(of, tint, rng)
        self.skin = np.array([0.20, 0.30, 0.52]) * rng.uniform(0.25, 1.1)
        self.sleeves = {seat: rng.uniform(0.03, 0.5, 3) for seat in range(8)}
        self._bare: dict[int, Canvas] = {}
        self._last: tuple[object, Plane, list[Frame]] | None = None

    def corners(self) -> Floats:
        """Where the board's corners lie in the picture, pixels (4, 2), clockwise from its first."""
        return self.camera.corners(self.sheet.width, self.sheet.height)

    def frame(self, pawns: Sequence[Pawn], hand: Hand | None = None) -> Frame:
        """The table now, with the noise of this moment."""
        now, finer = (tuple(pawns), hand), STILL if hand is None else MOVING
        if self._last is None or self._last[0] != now:
            solids = [self._solid(pawn) for pawn in pawns] + ([] if hand is None else self._arm(hand))
            table = Table(self.ground, solids, self.lights, self.sky)
            light = cast(table, self.camera, finer, self._empty(finer)).light
            self._last = now, exposed(light, finer, self.sensor), []
        _, raw, frames = self._last
        if len(frames) < MOMENTS:
            frames.append(taken(raw, self.sensor, self.rng))
            return frames[-1]
        return frames[int(self.rng.integers(MOMENTS))]

    def _empty(self, finer: int) -> Canvas:
        """The table with nothing on it: cast once, for it is half of the work of each picture."""
        if finer not in self._bare:
            self._bare[finer] = ground(self.ground, self.camera, finer)
        return self._bare[finer]

    def _solid(self, pawn: Pawn) -> Solid:
        x, y = pawn.at
        foot = float(self.ground.height(x, y)) + pawn.foot
        return piece(self.sheet.piece, (x, y, foot), self.colors[pawn.seat], self.make, self.gloss, pawn.where)

    def _arm(self, hand: Hand) -> list[Solid]:
        (x, y), (sx, sy) = hand.at, hand.shoulder
        angle, fingers = math.atan2(sy - y, sx - x), np.random.default_rng(hand.seat)
        return arm(np.array(hand.at), angle, hand.lift, self.skin, self.sleeves[hand.seat], fingers)
