"""Camera pictures of the pretend table: perspective, lens, light, shadows, noise, pieces and arms.

Everything is drawn with OpenCV from the sheet's texture. A view is painted once, then each frame copies it and adds
what moves. Frames are uint8 BGR, shape (rows, cols, 3); board points are (x, y, z) in mm, z up from the sheet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Sheet
from companion.virtual.dice_tray import Thrown, TrayBrush
from companion.virtual.pieces import Brush, Floats, Frame, paint
from companion.virtual.tabletop import Hand, Pawn, Point
from companion.vision.dice.seen import Tray

Things = tuple[tuple[Pawn, ...], Hand | None, tuple[Thrown, ...]]
"""What is on the table: while it is the same it is drawn once."""
_MESH = 4  # pixels between those of which it is worked out what they show
_FIELDS = 6  # of noise
_SKIN = (128, 165, 214)
_SLEEVES = ((70, 58, 40), (40, 40, 110), (60, 84, 40), (92, 74, 96))


@dataclass(frozen=True, slots=True)
class View:
    """Where the camera stands and what light there is.

    tilt: degrees from straight down; turn: degrees about the vertical; distance: mm from the middle of the sheet;
    focal: in picture widths; k1: radial distortion; shift: of the sheet under the camera, mm. gains: B, G, R;
    lamp: direction to the light (x, y, z), mm of the sheet; falloff: how much darker the far side is, 0 to 1.
    """

    width: int = 1280
    height: int = 960
    tilt: float = 25.0
    turn: float = 4.0
    distance: float = 760.0
    focal: float = 1.25
    k1: float = -0.03
    shift: Point = (0.0, 0.0)
    gains: tuple[float, float, float] = (0.93, 0.97, 1.0)
    lamp: tuple[float, float, float] = (-0.6, -0.5, 1.0)
    falloff: float = 0.25
    noise: float = 2.5
    brightness: float = 0.95

    def fitted(self, sheet: Sheet) -> View:
        """This view of a board of 400 mm, from so much farther or nearer that `sheet` looks as large."""
        return replace(self, distance=self.distance * max(sheet.width, sheet.height) / 400)


class Painter:
    """Paints the table as one camera sees it. rng: for the noise and the grain of the table."""

    def __init__(self, sheet: Sheet, texture: Frame, view: View, rng: np.random.Generator) -> None:
        self.sheet, self.texture, self.view, self.rng = sheet, texture, view, rng
        self.scale = texture.shape[1] / sheet.width
        self.brush = Brush(sheet.piece, self.project, view.lamp, 120 * view.brightness)
        self.tray: TrayBrush | None = None
        self._noise: dict[int, npt.NDArray[np.int16]] = {}
        self._drawn: tuple[Things, Frame] | None = None

    def put_tray(self, tray: Tray) -> None:
        """A dice tray beside the board, from now on."""
        self._drawn = None
        rotation, shift, _, _ = self.camera
        self.tray = TrayBrush(tray, self.project, self.view.lamp, -rotation.T @ shift)
        self.tray.empty(self.base, self._tone((tray.x, tray.y)))

    def paint(
        self, pawns: Sequence[Pawn], hand: Hand | None = None, brightness: float = 1.0, dice: Sequence[Thrown] = ()
    ) -> Frame:
        """One frame. brightness: today's light against the view's, for drifting clouds and lamps."""
        things = (tuple(pawns), hand, tuple(dice))
        drawn = self._drawn
        if drawn is None or drawn[0] != things:
            drawn = self._drawn = things, self._with(*things)
        return self._exposed(drawn[1], brightness)

    def _with(self, pawns: Sequence[Pawn], hand: Hand | None, dice: Sequence[Thrown]) -> Frame:
        """The table with what lies, stands and reaches over it, without noise."""
        frame = self.base.copy()
        if self.tray is not None:
            self.tray.dice(frame, dice, self._tone((self.tray.tray.x, self.tray.tray.y)))
        self._shadows(frame, pawns, hand)
        for pawn in sorted(pawns, key=lambda p: -self._depth((*p.at, p.foot))):
            self.brush.draw(frame, pawn, _bgr(self.sheet.colors[pawn.seat]) * self._tone(pawn.at))
        if hand is not None:
            self._arm(frame, hand)
        return frame

    # --- the camera ---

    @cached_property
    def camera(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Rotation vector, translation, 3 × 3 matrix and distortion, as cv2.projectPoints takes them."""
        v = self.view
        tilt, turn = math.radians(v.tilt), math.radians(v.turn)
        about_z = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
        flip = np.diag([1.0, 1.0, -1.0])
        about_x = np.array([[1, 0, 0], [0, math.cos(tilt), math.sin(tilt)], [0, -math.sin(tilt), math.cos(tilt)]])
        rotation = about_x @ about_z @ flip
        middle = np.array([self.sheet.width / 2 + v.shift[0], self.sheet.height / 2 + v.shift[1], 0.0])
        translation = np.array([0, 0, v.distance]) - rotation @ middle
        focal = v.focal * v.width
        matrix = np.array([[focal, 0, v.width / 2], [0, focal, v.height / 2], [0, 0, 1.0]])
        # The flip makes z point to the camera, so the rotation is a reflection: kept as a matrix, not as a vector.
        return rotation, translation, matrix, np.array([v.k1, 0.0, 0.0, 0.0])

    def project(self, points: npt.ArrayLike) -> Floats:
        """Board points (N, 3) in mm to pixels (N, 2)."""
        rotation, translation, matrix, lens = self.camera
        seen = np.atleast_2d(np.asarray(points, float)) @ rotation.T + translation
        flat = seen[:, :2] / seen[:, 2:]
        radius = (flat**2).sum(axis=1, keepdims=True)
        flat = flat * (1 + lens[0] * radius)
        out: Floats = flat * matrix[0, 0] + matrix[:2, 2]
        return out

    def _depth(self, point: tuple[float, float, float]) -> float:
        rotation, translation, _, _ = self.camera
        return float((rotation @ np.asarray(point, float) + translation)[2])

    # --- what does not move ---

    @cached_property
    def base(self) -> Frame:
        """The empty board on the table, lit, without noise."""
        v = self.view
        board = self._board_points()
        x, y = board[..., 0] * self.scale, board[..., 1] * self.scale
        paper = cv2.remap(self.texture, x, y, cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT)
        h, w = self.texture.shape[:2]
        inside = ((x >= 0) & (x < w - 1) & (y >= 0) & (y < h - 1)).astype(np.float32)
        inside = cv2.GaussianBlur(inside, (3, 3), 0)[..., None]
        picture = paper * inside + self._wood(board) * (1 - inside)
        lit = picture * self._light(board)[..., None] * np.array(v.gains, np.float32) * v.brightness
        return np.asarray(np.clip(lit, 0, 255), np.uint8)

    def _board_points(self) -> npt.NDArray[np.float32]:
        """For each pixel the board point (x, y) in mm that it shows; shape (rows, cols, 2)."""
        rotation, translation, matrix, lens = self.camera
        # Of a mesh that goes on beyond the edges, and between its points in proportion: less than 0.01 mm off.
        down, across = (-(-size // _MESH) + 2 for size in (self.view.height, self.view.width))
        rows, cols = (np.arange(-1, count - 1) * _MESH + (_MESH - 1) / 2 for count in (down, across))
        pixels = np.stack(np.meshgrid(cols, rows), -1).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(pixels, matrix, lens).reshape(-1, 2)
        plane = np.column_stack([rotation[:, 0], rotation[:, 1], translation])
        homogeneous = np.column_stack([rays, np.ones(len(rays))]) @ np.linalg.inv(plane).T
        mesh = (homogeneous[:, :2] / homogeneous[:, 2:]).reshape(down, across, 2)
        wide = cv2.resize(mesh, (across * _MESH, down * _MESH))
        return np.asarray(wide[_MESH : _MESH + self.view.height, _MESH : _MESH + self.view.width], np.float32)

    def _wood(self, board: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """A table of oak: rings along y, with knots of noise."""
        rough = self.rng.normal(size=(24, 24)).astype(np.float32)
        waves = cv2.resize(rough, (self.view.width, self.view.height), interpolation=cv2.INTER_CUBIC)
        rings = np.sin(board[..., 0] / 9 + 2.0 * waves) * 0.5 + np.sin(board[..., 0] / 2.3 + waves) * 0.2
        tone = np.array([62, 96, 138], np.float32)
        out: npt.NDArray[np.float32] = tone * (1 + 0.10 * rings[..., None])
        return out

    def _light(self, board: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Brightness of each pixel: more on the lamp's side."""
        x, y, _ = self.view.lamp
        length = math.hypot(x, y) or 1.0
        middle = np.array([self.sheet.width / 2, self.sheet.height / 2], np.float32)
        side = ((board - middle) @ np.array([x / length, y / length], np.float32)) / self.sheet.width
        out: npt.NDArray[np.float32] = np.clip(1.0 + self.view.falloff * side, 0.3, 1.4)
        return out

    # --- what moves ---

    def _shadows(self, frame: Frame, pawns: Sequence[Pawn], hand: Hand | None) -> None:
        mask = np.zeros(frame.shape[:2], np.uint8)
        for pawn in pawns:
            cv2.fillConvexPoly(mask, self.brush.shadow(pawn), 255, cv2.LINE_AA)
        if hand is not None:
            cv2.fillPoly(mask, [self._cast(self._arm_outline(hand), hand.lift)], 160, cv2.LINE_AA)
        x, y, w, h = cv2.boundingRect(mask)
        if not w:
            return
        part = cv2.GaussianBlur(mask[y : y + h, x : x + w], (0, 0), 2.2 * self.view.width / 1280)
        dark = 255 - (part.astype(np.uint16) * 110 // 255).astype(np.uint8)
        area = frame[y : y + h, x : x + w]
        area[:] = cv2.multiply(area, cv2.merge([dark, dark, dark]), scale=1 / 255)

    def _cast(self, points: Floats, z: float) -> npt.NDArray[np.int32]:
        """Where the light throws board points (N, 2) that are z mm above the sheet, in pixels."""
        lx, ly, lz = self.view.lamp
        fallen = points - np.array([lx, ly]) * (z / lz)
        return self._pixels(np.column_stack([fallen, np.zeros(len(fallen))]))

    def _pixels(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        return np.round(self.project(points)).astype(np.int32)

    def _tone(self, at: Point) -> Floats:
        light = float(self._light(np.array([[at]], np.float32))[0, 0])
        return np.array(self.view.gains) * self.view.brightness * light

    def _arm_outline(self, hand: Hand) -> Floats:
        """The arm from the shoulder to the finger tips, a long drop; (N, 2) in mm."""
        tip, root = np.array(hand.at), np.array(hand.shoulder)
        along = (tip - root) / (np.linalg.norm(tip - root) or 1.0)
        across = np.array([-along[1], along[0]])
        stations = ((0, 6), (22, 13), (45, 34), (85, 40), (120, 27), (150, 27), (700, 48))
        left = [tip - along * back + across * wide for back, wide in stations]
        right = [tip - along * back - across * wide for back, wide in reversed(stations)]
        return np.array(left + right)

    def _arm(self, frame: Frame, hand: Hand) -> None:
        outline = self._arm_outline(hand)
        skin = np.array(_SKIN) * self._tone(hand.at)
        sleeve = np.array(_SLEEVES[hand.seat % len(_SLEEVES)]) * self._tone(hand.at)
        n = len(outline) // 2
        self._flesh(frame, outline, hand.lift, skin)
        self._flesh(frame, outline[4 : 2 * n - 4], hand.lift + 12, sleeve)
        for k in (-1, 0, 1):
            self._finger(frame, hand, k, skin)

    def _flesh(self, frame: Frame, outline: Floats, z: float, color: Floats) -> None:
        for inset, tone in ((1.0, 0.7), (0.82, 0.88), (0.6, 1.0)):
            middle = (outline + outline[::-1]) / 2
            points = middle + (outline - middle) * inset
            pixels = self._pixels(np.column_stack([points, np.full(len(points), z)]))
            cv2.fillPoly(frame, [pixels], paint(color * tone), cv2.LINE_AA)

    def _finger(self, frame: Frame, hand: Hand, k: int, color: Floats) -> None:
        tip, root = np.array(hand.at), np.array(hand.shoulder)
        along = (tip - root) / (np.linalg.norm(tip - root) or 1.0)
        across = np.array([-along[1], along[0]])
        start = tip - along * 30 + across * k * 11
        ends = np.array([[*start, hand.lift + 8], [*(tip + across * k * 4), hand.lift * 0.6]])
        a, b = self._pixels(ends)
        thick = max(2, round(11 * self.view.width / 1280))
        cv2.line(frame, tuple(a), tuple(b), paint(color * 0.78), thick + 3, cv2.LINE_AA)
        cv2.line(frame, tuple(a), tuple(b), paint(color), thick, cv2.LINE_AA)

    # --- the sensor ---

    def _noise_field(self) -> npt.NDArray[np.int16]:
        """One of a few fields of noise, (rows, cols, 3), drawn when its turn comes first."""
        number = int(self.rng.integers(_FIELDS))
        if number not in self._noise:
            shape = (self.view.height, self.view.width, 3)
            field = self.rng.standard_normal(shape, np.float32) * self.view.noise
            self._noise[number] = field.astype(np.int16)
        return self._noise[number]

    def _exposed(self, frame: Frame, brightness: float) -> Frame:
        if brightness != 1.0:
            frame = np.asarray(cv2.convertScaleAbs(frame, alpha=brightness), np.uint8)
        if not self.view.noise:
            return frame.copy()
        field = np.roll(self._noise_field(), int(self.rng.integers(self.view.height)), axis=0)
        return np.asarray(cv2.add(frame, field, dtype=cv2.CV_8U), np.uint8)


def _bgr(color: str) -> Floats:
    return np.array([int(color[i : i + 2], 16) for i in (5, 3, 1)], float)
