"""A table that Blender renders and a webcam films: pieces and hands come and go, as in `evidence.filming`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np

from calibration.blender.hand import arm_of, painted
from calibration.blender.makes import piece
from calibration.blender.rooms import Room, any_light
from calibration.blender.scenes import Goods, Lit, scene_of
from calibration.blender.studio import Studio
from calibration.blender.webcam import FOLLOWS, Webcam, a_webcam, another_day, exposure, photographed
from calibration.evidence.conditions import Condition
from calibration.evidence.lens import Camera, Floats, Plane
from calibration.evidence.making import a_camera
from calibration.evidence.sensor import Frame
from companion.model import Sheet
from companion.virtual.tabletop import Hand, Pawn

GOOD, POOR = (800, 600), (640, 480)
SAMPLES = 20
"""Rays a pixel; Blender then takes the noise out."""
MOMENTS = 6
"""Pictures of one still table that differ by their noise; later ones are some of these again."""
MARGIN = 10
"""Pixels round what changed that are rendered anew with it."""
_SETTLED = 0.01
"""From one picture to the next the exposure changes less: it has come where it goes."""


@dataclass(frozen=True, eq=False, slots=True)
class Day:
    """How a table is seen on one day: camera, light and webcam. heads: of those who lean over it: see `leaning`."""

    camera: Camera
    lit: Lit
    webcam: Webcam
    heads: list[dict[str, Any]] = field(default_factory=list)


def a_day(
    sheet: Sheet,
    hard: bool,
    rng: np.random.Generator,
    lens: Condition | None = None,
    webcam: Webcam | None = None,
    rooms: Sequence[Room] = (),
) -> Day:
    """Any light, of a room if there are any, and a webcam somewhere over the board: any one, or one with this lens, or
    this one."""
    lit = any_light(sheet, rooms, rng)
    camera = a_camera(sheet, lens or a_lens(hard, rng), rng)
    new = another_day(webcam, lit.color, rng) if webcam else a_webcam(lit.color, hard, rng)
    return Day(camera, lit, new)


def a_lens(hard: bool, rng: np.random.Generator) -> Condition:
    """What stays of a camera that is pushed: its lens."""
    view, bend = rng.uniform(50, 78), rng.uniform(-0.12, 0.02)
    size = POOR if hard else GOOD
    return Condition(tilt=(5, 45), turn=(-30, 30), view=(view, view), fill=(0.84, 0.97), k1=(bend, bend), size=size)


class BlenderFilm:
    """Pictures of one table, uint8 BGR. rng decides where hands' sleeves get their colours, and the noise.

    gain: of the exposure as it is now, 0 before the first picture. samples: rays a pixel. dice: what lies on the board
    beside pieces, as `server.put` has them.
    """

    samples = SAMPLES

    def __init__(self, goods: Goods, day: Day, studio: Studio, rng: np.random.Generator) -> None:
        self.sheet, self.goods, self.day, self.studio, self.rng = goods.sheet, goods, day, studio, rng
        self.skin = np.array([0.20, 0.30, 0.52]) * rng.uniform(0.25, 1.1)
        self.sleeves = {seat: rng.uniform(0.03, 0.5, 3) for seat in range(8)}
        self.gain = 0.0
        self.dice: Sequence[dict[str, Any]] = ()
        self._stills: dict[str, tuple[list[dict[str, Any]], Plane]] = {}
        self._last: tuple[object, Plane, list[Frame]] | None = None
        self._hand: Hand | None = None
        self._leans: list[dict[str, Any]] = []

    def on(self, day: Day) -> BlenderFilm:
        """The same table and players as they are seen on another day."""
        film = BlenderFilm(self.goods, day, self.studio, self.rng)
        film.skin, film.sleeves, film.gain = self.skin, self.sleeves, self.gain
        return film

    def corners(self) -> Floats:
        """Where the board's corners lie in the picture, pixels (4, 2), clockwise from its first."""
        return self.day.camera.corners(self.sheet.width, self.sheet.height)

    def frame(self, pawns: Sequence[Pawn], hand: Hand | None = None) -> Frame:
        """The table now, with the exposure and the noise of this moment."""
        self._lean(hand)
        now = (tuple(pawns), hand, self._who_leans, json.dumps(self.dice))
        if self._last is None or self._last[0] != now:
            self._last = now, self._seen(pawns, hand), []
        _, light, frames = self._last
        goal = exposure(light, self.day.webcam)
        settled = abs(self.gain / goal - 1) < _SETTLED
        if settled and len(frames) == MOMENTS:
            return frames[int(self.rng.integers(MOMENTS))]
        self.gain = goal if not self.gain or settled else self.gain * (goal / self.gain) ** FOLLOWS
        frame = photographed(light, self.gain, self.day.webcam, self.rng)
        if settled:
            frames.append(frame)
        return frame

    def _lean(self, hand: Hand | None) -> None:
        """Who comes to play, and who has played, leans over the table in another way, or no more."""
        if self.day.heads and (hand is None) != (self._hand is None):
            which = int(self.rng.integers(len(self.day.heads) + 1))
            self._leans = self.day.heads[which : which + 1]
        self._hand = hand

    @property
    def _who_leans(self) -> str:
        """Of each way to lean there is a picture of its own, in which only pieces come and go."""
        return json.dumps(self._leans)

    def still(self, pawns: Sequence[Pawn]) -> Plane:
        """The light of the table with these pieces, without a lens; what a hand holds is hidden in it."""
        stand = [self._piece(pawn) for pawn in pawns if not pawn.lift]
        pieces = sorted([*stand, *self.dice], key=lambda one: json.dumps(one))
        last = self._stills.get(self._who_leans)
        part, whole = self._changed(pieces, last[0] if last else None), (0, 0, *self._pinhole.size)
        if part is not None:
            fresh = self.studio.light({**self._bare, "pieces": [*pieces, *self._leans], "part": part})
            light = fresh if part == whole or last is None else last[1].copy()
            light[part[1] : part[3], part[0] : part[2]] = fresh
            self._stills[self._who_leans] = pieces, light
        return self._stills[self._who_leans][1]

    def _changed(
        self, pieces: list[dict[str, Any]], before: list[dict[str, Any]] | None
    ) -> tuple[int, int, int, int] | None:
        """What must be rendered anew: the part in which pieces came or went, with their shadows; None: nothing."""
        width, height = self._pinhole.size
        if before is None:
            return 0, 0, width, height
        other = [one for one in [*pieces, *before] if (one in pieces) != (one in before)]
        if not other:
            return None
        pixels = self._pinhole.project([point for one in other for point in self._reach(one)])
        low, high = np.floor(pixels.min(axis=0)) - MARGIN, np.ceil(pixels.max(axis=0)) + MARGIN
        (left, top), (right, bottom) = np.clip(low, 0, (width - 8, height - 8)), np.clip(high, 8, (width, height))
        return int(left), int(top), int(right), int(bottom)

    def _reach(self, one: dict[str, Any]) -> Iterator[tuple[float, float, float]]:
        """Points round a piece, its image in the lacquer and its shadows."""
        if die := one.get("die"):
            (x, y, _), high, wide = die["middle"], die["edge"], 0.8 * die["edge"]
        else:
            (x, y, foot), piece = one["at"], self.goods.piece
            high, wide = foot + piece.height, 0.8 * piece.diameter
        shadows = [(0.0, 0.0)]
        for lamp in self.day.lit.sources:
            way = np.array(lamp["at"]) - (lamp["home"] if lamp["kind"] == "sun" else (x, y, high))
            shadows.append((-high * way[0] / max(way[2], 1.0), -high * way[1] / max(way[2], 1.0)))
        for dx, dy in shadows:
            yield from (
                (x + dx + a, y + dy + b, z) for a in (-wide, wide) for b in (-wide, wide) for z in (-high, high)
            )

    @cached_property
    def _bare(self) -> dict[str, Any]:
        camera = self._pinhole
        told = {"eye": camera.eye.tolist(), "axes": camera.axes.tolist(), "focal": camera.focal}
        scene = scene_of(self.goods, self.day.lit, self.studio.picture, self.samples)
        return {**scene, "camera": told, "size": camera.size}

    @cached_property
    def _pinhole(self) -> Camera:
        """The camera without its lens's bend, its picture large enough for all that the lens shows."""
        camera = self.day.camera
        reach = np.abs(self._flat).reshape(-1, 2).max(axis=0) * camera.focal
        width, height = (2 * math.ceil(half + 2) for half in reach.tolist())
        return replace(camera, size=(width, height), bend=(0.0, 0.0))

    @cached_property
    def _flat(self) -> Plane:
        """Where each pixel looks: (x, y) at depth 1, (rows, cols, 2)."""
        rays = self.day.camera.rays() @ self.day.camera.axes.T.astype(np.float32)
        return np.asarray(rays[..., :2] / rays[..., 2:], np.float32)

    def _seen(self, pawns: Sequence[Pawn], hand: Hand | None) -> Plane:
        """The light on the webcam's pixels."""
        there = self._flat * np.float32(self._pinhole.focal) + self._pinhole.middle.astype(np.float32)
        x, y = np.ascontiguousarray(there[..., 0]), np.ascontiguousarray(there[..., 1])
        light = cv2.remap(self.still(pawns), x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if hand is None:
            return np.asarray(light, np.float32)
        solids = arm_of(hand, self.skin, self.sleeves[hand.seat])
        lit = self.day.lit
        return painted(np.asarray(light, np.float32), solids, self.day.camera, lit.sun, lit.color / math.pi)

    def _piece(self, pawn: Pawn) -> dict[str, Any]:
        x, y = pawn.at
        half, ridge = self.sheet.width / 2, self.goods.board["ridge"]
        storeys = pawn.z / self.sheet.piece.height * self.goods.piece.height
        foot = max(0.0, -ridge) + ridge * (1 - abs(x - half) / half) + storeys
        turn = math.fmod(13.7 * x + 7.1 * y, 2 * math.pi)  # any, but the same while it stands
        return piece(self.goods.piece, self.goods.make, (x, y, foot), turn, self.goods.surfaces[pawn.seat])
