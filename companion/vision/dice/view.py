"""The tray seen straight down, and the way in which upright things lean in that view."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.dice.seen import Tray
from companion.vision.view.pose import Floats, Frame, Pose

_TALLEST = 25.0  # mm: the largest die
_FINEST, _MOST = 3.0, 160_000  # pixels per mm, pixels of the view
_FINER = 2.0  # pixels of the view for one of the picture: more would show nothing more
_MESH = 16


@dataclass(frozen=True, eq=False)
class TrayView:
    """The tray and a rim around it, straight down on the table.

    picture: uint8 BGR. scale: pixels per mm. origin: the place, mm, of the picture's corner. tray: its rectangle
    (x0, y0, x1, y1) in pixels of the view. camera: (x, y, height) over the table in pixels of the view; None where
    nobody knows where the camera stands. whole: whether all of the tray is in the picture.
    """

    picture: Frame
    scale: float
    origin: tuple[float, float]
    tray: tuple[float, float, float, float]
    camera: Floats | None
    whole: bool

    def leans(self, at: Floats) -> Floats:
        """By how much the top of a thing of height 1 at places, (N, 2), is moved in the view; not at all if unknown."""
        if self.camera is None:
            return np.zeros((len(at), 2))
        return np.asarray((at - self.camera[:2]) / self.camera[2], np.float64)

    def swell(self, size: float) -> float:
        """How much larger the top of a die of `size` pixels looks than its foot."""
        return 1.0 if self.camera is None else float(self.camera[2] / max(self.camera[2] - size, 1.0))


def view_of(frame: Frame, where: Pose | Floats, tray: Tray) -> TrayView:
    """The tray in `frame` (uint8 BGR). where: the camera's pose, or a homography from the sheet's mm to pixels."""
    rim = _rim(where, tray)
    x0, y0 = tray.x - rim, tray.y - rim
    wide, high = tray.width + 2 * rim, tray.height + 2 * rim
    scale = min(_FINEST, _FINER * _resolution(where, tray), (_MOST / (wide * high)) ** 0.5)
    cols, rows = max(8, round(wide * scale)), max(8, round(high * scale))
    maps = _maps(where, (x0, y0), (cols, rows), scale, tray.drop)
    picture = cv2.remap(frame, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    camera = None
    if isinstance(where, Pose):
        eye = where.eye
        camera = np.array([(eye[0] - x0) * scale, (eye[1] - y0) * scale, (eye[2] + tray.drop) * scale])
    a, b = rim * scale, rim * scale
    box = (a, b, a + tray.width * scale, b + tray.height * scale)
    inner = maps[round(b) : round(box[3]), round(a) : round(box[2])]
    return TrayView(np.asarray(picture, np.uint8), scale, (x0, y0), box, camera, _inside(inner, frame))


def turned_part(
    picture: Frame, at: Floats, times: float, way: float, shape: tuple[int, int], mirror: bool = False
) -> tuple[Frame, Floats]:
    """A part of a view, `shape` (rows, cols) about a place, turned by `way` (radians) and made `times` smaller, perhaps
    mirrored; and the map, (2, 3), from it to the view. What is made smaller is blurred first, as far as is needed."""
    rows, cols = shape
    c, s, side = np.cos(way) * times, np.sin(way) * times, -1.0 if mirror else 1.0
    matrix = np.array([(c * side, -s, 0.0), (s * side, c, 0.0)])
    matrix[:, 2] = at - matrix[:, :2] @ ((cols - 1) / 2, (rows - 1) / 2)
    moved = matrix.copy()
    if times > 1.3:
        blur = 0.5 * float(np.sqrt(times**2 - 1))
        reach = 0.75 * max(shape) * times + 3 * blur
        x0, y0 = (max(0, int(value - reach)) for value in at)
        part = picture[y0 : max(0, int(at[1] + reach)) + 1, x0 : max(0, int(at[0] + reach)) + 1]
        if part.size:
            picture = np.asarray(cv2.GaussianBlur(part, (0, 0), blur), np.uint8)
            moved[:, 2] -= x0, y0
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(picture, moved, shape[::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8), matrix


def whole_picture(image: Frame, most: int = 640) -> TrayView:
    """A picture taken from above as a tray of its own, one pixel of it as one mm; larger ones are made smaller."""
    rows, cols = image.shape[:2]
    scale = min(1.0, most / max(rows, cols))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    box = (0.0, 0.0, float(small.shape[1]), float(small.shape[0]))
    return TrayView(np.asarray(small, np.uint8), scale, (0.0, 0.0), box, None, True)


def _resolution(where: Pose | Floats, tray: Tray) -> float:
    """Pixels of the picture per mm in the middle of the tray, where they are most."""
    x, y, step = tray.x + tray.width / 2, tray.y + tray.height / 2, 5.0
    places = np.array([(x, y, -tray.drop), (x + step, y, -tray.drop), (x, y + step, -tray.drop)])
    middle, *others = _pixels(where, places)
    return max(max(float(np.hypot(*(other - middle))) for other in others) / step, 0.4)


def _pixels(where: Pose | Floats, places: Floats) -> Floats:
    """Where places (N, 3) are in the picture."""
    if isinstance(where, Pose):
        return where.project(places)
    return np.asarray(cv2.perspectiveTransform(places[None, :, :2], np.asarray(where, np.float64))[0])


def _rim(where: Pose | Floats, tray: Tray) -> float:
    """How far, mm, the top of a die at the tray's edge can stand out of it in the view."""
    if not isinstance(where, Pose):
        return 0.5 * _TALLEST
    eye = where.eye
    away = max(np.hypot(x - eye[0], y - eye[1]) for x in _ends(tray.x, tray.width) for y in _ends(tray.y, tray.height))
    return float(min(1.5, 0.3 + away / max(eye[2] + tray.drop, 1.0)) * 16.0)


def _ends(start: float, length: float) -> tuple[float, float]:
    return start, start + length


def _maps(
    where: Pose | Floats, origin: tuple[float, float], size: tuple[int, int], scale: float, drop: float
) -> Floats:
    """Where each pixel of the view lies in the picture, float32 (rows, cols, 2); a coarse mesh, interpolated."""
    (cols, rows), cell = size, _MESH
    across, down = -(-cols // cell) + 2, -(-rows // cell) + 2
    x, y = np.meshgrid((np.arange(across) - 0.5) * cell / scale, (np.arange(down) - 0.5) * cell / scale)
    places = np.column_stack([x.ravel() + origin[0], y.ravel() + origin[1], np.full(x.size, -drop)])
    pixels = _pixels(where, places)
    mesh = pixels.reshape(down, across, 2).astype(np.float32)
    fine = cv2.resize(mesh, (across * cell, down * cell), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(fine[cell : cell + rows, cell : cell + cols])


def _inside(maps: Floats, frame: Frame) -> bool:
    rows, cols = frame.shape[:2]
    x, y = maps[..., 0], maps[..., 1]
    out = (x < 0) | (y < 0) | (x > cols - 1) | (y > rows - 1)
    return bool(maps.size) and float(out.mean()) < 0.02
