"""Pretend dice in a tray beside the board: thrown, rolling, at rest, sometimes cocked or out of the tray."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.seen import Tray

Frame = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]
Project = Callable[[npt.ArrayLike], Floats]

EDGE, GAP, SIDE = 18.0, 22.0, 105.0
"""A die's edge, the tray's distance from the board, and its inner width, mm."""
ROLLING, PICKED = 0.9, 0.5
"""Seconds that dice roll, and that they are in the hand before."""
_RIM, _RIM_HEIGHT = 5.0, 9.0
_FELT, _WOOD = (58, 84, 40), (58, 88, 120)
_BODY, _PIPS = (214, 228, 232), (32, 28, 26)
_PLACES = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 3, 6, 2, 5, 8)}
_AROUND = {1: (2, 3, 5, 4), 2: (1, 4, 6, 3), 3: (1, 2, 6, 5), 4: (1, 5, 6, 2), 5: (1, 3, 6, 4), 6: (2, 4, 5, 3)}
_FINE = 60


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die in or beside the tray. value: on top; x, y: middle of its foot, mm; turn, lean: degrees.

    blur: how far it moves while a picture is taken, mm (x, y).
    """

    value: int
    x: float
    y: float
    turn: float
    lean: float = 0.0
    blur: tuple[float, float] = (0.0, 0.0)


def tray_beside(width: float, height: float) -> Tray:
    """The tray right of a board of this size, in its upper half, mm."""
    return Tray(width + GAP, 0.12 * height, SIDE, SIDE)


@dataclass
class TrayOfDice:
    """The dice on the pretend table. rng: where they come to lie. awry: share of throws that go wrong.

    resting: the dice at rest, as they lay before the last throw or lie after it.
    """

    tray: Tray
    rng: random.Random
    awry: float = 0.0
    resting: tuple[Thrown, ...] = ()
    _before: tuple[Thrown, ...] = field(default=(), init=False)
    _since: float = field(default=-1e9, init=False)
    _heading: float = field(default=0.0, init=False)

    def throw(self, values: Sequence[int], at: float) -> bool:
        """Take the dice and throw them at this time, seconds; returns whether all will lie as they should."""
        self._before, self._since, self._heading = self.resting, at, self.rng.uniform(0, 2 * math.pi)
        places = self._apart(len(values))
        self.resting = tuple(Thrown(v, x, y, self.rng.uniform(0, 90)) for v, (x, y) in zip(values, places, strict=True))
        good = self.rng.random() >= self.awry
        if not good:
            first = self.resting[0]
            spoilt = self._outside(first) if self.rng.random() < 0.5 else self._cocked(first)
            self.resting = (spoilt, *self.resting[1:])
        return good

    def at_rest(self, at: float) -> bool:
        """Whether the dice lie still."""
        return at - self._since > PICKED + ROLLING

    def now(self, at: float) -> tuple[Thrown, ...]:
        """The dice as they lie or roll at a time; none while a hand holds them."""
        past = at - self._since
        if past < 0.15:
            return self._before
        if past < PICKED:
            return ()
        left = 1 - (past - PICKED) / ROLLING
        return self.resting if left <= 0 else tuple(self._rolling(die, left) for die in self.resting)

    def _rolling(self, die: Thrown, left: float) -> Thrown:
        """A die on its way; left: 1 when it leaves the hand to 0 at rest."""
        far = 90 * left**2
        dx, dy = math.cos(self._heading), math.sin(self._heading)
        value = 1 + (die.value - 1 + round(14 * left**1.5)) % 6
        smear = 14 * left
        return replace(
            die, value=value, x=die.x - far * dx, y=die.y - far * dy, turn=die.turn + 260 * left,
            lean=25 * left * math.sin(20 * left), blur=(smear * dx, smear * dy),
        )  # fmt: skip

    def _apart(self, count: int) -> list[tuple[float, float]]:
        found: list[tuple[float, float]] = []
        while len(found) < count:
            x = self.tray.x + self.rng.uniform(EDGE, self.tray.width - EDGE)
            y = self.tray.y + self.rng.uniform(EDGE, self.tray.height - EDGE)
            if all(math.hypot(x - a, y - b) > 1.6 * EDGE for a, b in found):
                found.append((x, y))
        return found

    def _outside(self, die: Thrown) -> Thrown:
        return replace(die, y=self.tray.y + self.tray.height + _RIM + 1.4 * EDGE)

    def _cocked(self, die: Thrown) -> Thrown:
        return replace(die, x=self.tray.x + self.tray.width - 0.6 * EDGE, turn=0.0, lean=self.rng.uniform(24, 38))


class TrayBrush:
    """Draws the tray and its dice as one camera sees them. project: board points (N, 3) to pixels (N, 2)."""

    def __init__(self, tray: Tray, project: Project, lamp: tuple[float, float, float], eye: Floats) -> None:
        self.tray, self.project, self.lamp, self.eye = tray, project, np.array(lamp), eye

    def empty(self, frame: Frame, tone: Floats) -> None:
        """The tray: a wooden rim around felt."""
        t = self.tray
        for out, high, color in ((_RIM, _RIM_HEIGHT, _WOOD), (0.0, 0.0, _FELT)):
            ends = [(t.x - out, t.y - out), (t.x + t.width + out, t.y - out),
                    (t.x + t.width + out, t.y + t.height + out), (t.x - out, t.y + t.height + out)]  # fmt: skip
            corners = self._pixels([(x, y, high) for x, y in ends])
            cv2.fillConvexPoly(frame, corners, np.clip(np.array(color) * tone, 0, 255).tolist(), cv2.LINE_AA)

    def dice(self, frame: Frame, dice: Sequence[Thrown], tone: Floats) -> None:
        """The dice, the farthest first."""
        for die in dice:
            self._shadow(frame, die)
        for die in sorted(dice, key=lambda d: -math.hypot(d.x - self.eye[0], d.y - self.eye[1])):
            self._smeared(frame, die, tone)

    def _pixels(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        return np.asarray(np.round(self.project(points)), np.int32)

    def _corners(self, die: Thrown, share: float = 0.0) -> Floats:
        """The cube's corners, mm (8, 3): those of its foot, then those above."""
        turn, lean, half = math.radians(die.turn), math.radians(die.lean), EDGE / 2
        unit = half * np.array([(x, y, z) for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
        tip = np.array([[math.cos(lean), 0, math.sin(lean)], [0, 1, 0], [-math.sin(lean), 0, math.cos(lean)]])
        spin = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1.0]])
        solid = unit @ (spin @ tip).T
        solid[:, 2] -= solid[:, 2].min()
        place = np.array([die.x + share * die.blur[0], die.y + share * die.blur[1], 0.0])
        return np.asarray(solid + place)

    def _shadow(self, frame: Frame, die: Thrown) -> None:
        solid = self._corners(die)
        fallen = solid[:, :2] - solid[:, 2:] * self.lamp[:2] / self.lamp[2]
        outline = cv2.convexHull(self._pixels(np.column_stack([fallen, np.zeros(8)])))
        x, y, w, h = cv2.boundingRect(outline)
        area = frame[max(0, y - 6) : y + h + 6, max(0, x - 6) : x + w + 6]
        if not area.size:
            return
        mask = np.zeros(area.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, outline - (max(0, x - 6), max(0, y - 6)), 255, cv2.LINE_AA)
        dark = 1 - 0.4 * cv2.GaussianBlur(mask, (0, 0), 2.0)[..., None].astype(np.float32) / 255
        area[:] = (area * dark).astype(np.uint8)

    def _smeared(self, frame: Frame, die: Thrown, tone: Floats) -> None:
        """A die, or the trail of one that rolls."""
        moves = math.hypot(*die.blur) > 0.5
        shares = np.linspace(-0.5, 0.5, 5) if moves else np.zeros(1)
        pixels = [self.project(self._corners(die, float(share))) for share in shares]
        low = np.floor(np.min([p.min(axis=0) for p in pixels], axis=0)).astype(int) - 3
        high = np.ceil(np.max([p.max(axis=0) for p in pixels], axis=0)).astype(int) + 4
        low, high = low.clip(0), high.clip(0)
        area = frame[low[1] : high[1], low[0] : high[0]]
        if not area.size:
            return
        total = np.zeros(area.shape, np.float32)
        for share in shares:
            total += self._cube(area.astype(np.float32), low, self._corners(die, float(share)), die.value, tone)
        area[:] = np.clip(total / len(shares) + 0.5, 0, 255).astype(np.uint8)

    def _cube(self, area: Plane, low: Floats, solid: Floats, value: int, tone: Floats) -> Plane:
        around = _AROUND[value]
        faces = [((4, 5, 6, 7), value)] + [((i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4), around[i]) for i in range(4)]
        lamp = self.lamp / np.linalg.norm(self.lamp)
        for at, number in faces:
            quad = solid[list(at)]
            out = quad.mean(axis=0) - solid.mean(axis=0)
            out = out / np.linalg.norm(out)
            if out @ (self.eye - quad.mean(axis=0)) > 0:
                light = tone * (0.5 + 0.5 * max(0.0, float(out @ lamp)))
                area = _face(area, self.project(quad) - low, number, light)
        return area


def _face(area: Plane, corners: Floats, value: int, light: Floats) -> Plane:
    """One face of a die, with round corners, over a part of the picture."""
    n = _FINE
    picture = np.full((n, n, 3), _BODY, np.float32)
    for place in _PLACES[value]:
        at = (round(n * (0.5 + 0.25 * (place % 3 - 1))), round(n * (0.5 + 0.25 * (place // 3 - 1))))
        cv2.circle(picture, at, round(0.1 * n), [float(c) for c in _PIPS], -1, cv2.LINE_AA)
    cover = np.zeros((n, n), np.float32)
    r = round(0.1 * n)
    cv2.rectangle(cover, (r, r), (n - r, n - r), 1.0, -1)
    cover = np.asarray(cv2.dilate(cover, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1))))
    square = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32)
    matrix = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    size = (area.shape[1], area.shape[0])
    lit = picture * light.astype(np.float32)
    seen = cv2.warpPerspective(lit, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    over = cv2.warpPerspective(cover, matrix, size, flags=cv2.INTER_LINEAR)[..., None]
    return np.asarray(area * (1 - over) + seen * over, np.float32)
