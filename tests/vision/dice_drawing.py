"""A small renderer of dice in a tray: cubes with pips in perspective, light from above, shadows, blur and noise."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.dice.seen import Tray
from companion.vision.view.pose import Pose

TRAY = Tray(320.0, 100.0, 100.0, 100.0)
WHITE, BLACK, RED, BLUE = (225, 235, 238), (25, 25, 28), (40, 35, 175), (150, 60, 30)
FELT = (50, 80, 30)
_PIPS = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]}
_AROUND = {1: (2, 3, 5, 4), 2: (1, 4, 6, 3), 3: (1, 2, 6, 5), 4: (1, 5, 6, 2), 5: (1, 3, 6, 4), 6: (2, 4, 5, 3)}
_TEXTURE = 72


class Die(NamedTuple):
    """A die: value on top, middle of its foot, edge, turn in degrees; cocked: degrees that it leans."""

    value: int
    x: float
    y: float
    size: float = 16.0
    turn: float = 0.0
    body: tuple[int, int, int] = WHITE
    pips: tuple[int, int, int] = BLACK
    cocked: float = 0.0


def camera(tilt: float, distance: float = 600.0, width: int = 1280, height: int = 960, turn: float = 0.0) -> Pose:
    """A pinhole camera that looks at the point between board and tray from `tilt` degrees off the vertical."""
    t, a = np.radians(tilt), np.radians(turn)
    away = np.array([np.sin(a) * np.sin(t), np.cos(a) * np.sin(t), -np.cos(t)])
    target = np.array([250.0, 150.0, 0.0])
    right = np.array([np.cos(a), -np.sin(a), 0.0])
    turned = np.array([right, np.cross(-away, right), -away])
    vector, _ = cv2.Rodrigues(turned)
    shift = -turned @ (target + distance * away)
    flat = [float(n) for n in vector.ravel()], [float(n) for n in shift]
    return Pose(0.95 * width, 0.0, tuple(flat[0]), tuple(flat[1]), (width, height), 0.0)  # type: ignore[arg-type]


def paint(
    dice: list[Die],
    pose: Pose,
    ground: tuple[int, int, int] = FELT,
    light: float = 1.0,
    noise: float = 2.0,
    blur: float = 0.6,
    seed: int = 1,
) -> np.ndarray:
    """The picture that the camera takes, uint8 BGR."""
    rng = np.random.default_rng(seed)
    cols, rows = pose.size
    picture = np.full((rows, cols, 3), (90, 110, 130), np.float32)
    corners = [(TRAY.x, TRAY.y), (TRAY.x + 100, TRAY.y), (TRAY.x + 100, TRAY.y + 100), (TRAY.x, TRAY.y + 100)]
    tray = pose.project(corners)
    cv2.fillConvexPoly(picture, np.round(tray).astype(np.int32), [float(c) for c in ground])
    rough = cv2.GaussianBlur(rng.normal(0, 1, (rows, cols)).astype(np.float32), (0, 0), 1.5)
    picture *= 1 + 0.25 * rough[..., None]
    for die in dice:
        _shadow(picture, die, pose)
    eye = pose.eye
    for die in sorted(dice, key=lambda d: -np.hypot(d.x - eye[0], d.y - eye[1])):
        _cube(picture, die, pose)
    picture = cv2.GaussianBlur(picture * light, (0, 0), blur) if blur else picture * light
    return np.clip(picture + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def _corners(die: Die) -> np.ndarray:
    """The cube's corners as (x, y, height), (8, 3): foot, then top."""
    a, lean, half = np.radians(die.turn), np.radians(die.cocked), die.size / 2
    unit = np.array([(x, y, z) for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * half
    tip = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    spin = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    solid = unit @ (spin @ tip).T
    solid[:, 2] -= solid[:, 2].min()
    return solid + np.array([die.x, die.y, 0])


def _shadow(picture: np.ndarray, die: Die, pose: Pose) -> None:
    solid = _corners(die)
    cast = solid[:, :2] + solid[:, 2:] * (0.35, 0.5)
    hull = cv2.convexHull(np.round(pose.project(cast)).astype(np.int32))
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, hull, 1.0)
    picture *= 1 - 0.5 * cv2.GaussianBlur(mask, (0, 0), 2)[..., None]


def _cube(picture: np.ndarray, die: Die, pose: Pose) -> None:
    solid, around = _corners(die), _AROUND[die.value]
    faces = [((4, 5, 6, 7), die.value)] + [((i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4), around[i]) for i in range(4)]
    for at, value in sorted(faces, key=lambda face: -float(np.linalg.norm(solid[list(face[0])].mean(0) - pose.eye))):
        quad = solid[list(at)]
        normal = np.cross(quad[1] - quad[0], quad[2] - quad[0])
        normal = normal / np.linalg.norm(normal)
        if normal @ (quad.mean(0) - solid.mean(0)) < 0:
            normal = -normal
        if normal @ (pose.eye - quad.mean(0)) > 0:
            _face(picture, pose.project(quad), value, die, 0.55 + 0.45 * max(0.0, float(normal @ (-0.3, -0.4, 0.87))))


def _face(picture: np.ndarray, pixels: np.ndarray, value: int, die: Die, light: float) -> None:
    n = _TEXTURE
    texture = np.full((n, n, 3), die.body, np.float32)
    for place in _PIPS[value]:
        at = (round(n * (0.5 + 0.26 * (place % 3 - 1))), round(n * (0.5 + 0.26 * (place // 3 - 1))))
        cv2.circle(texture, at, round(0.095 * n), [float(c) for c in die.pips], -1, cv2.LINE_AA)
    cover, r = np.zeros((n, n), np.float32), round(0.12 * n)
    cv2.rectangle(cover, (r, r), (n - r, n - r), 1.0, -1)
    cover = cv2.dilate(cover, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)))
    square = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32)
    low, high = np.floor(pixels.min(0)).astype(int) - 1, np.ceil(pixels.max(0)).astype(int) + 2
    fine = 3
    matrix = cv2.getPerspectiveTransform(square, ((pixels - low) * fine).astype(np.float32))
    size = (int((high - low)[0] * fine), int((high - low)[1] * fine))
    part = _small(cv2.warpPerspective(cover, matrix, size), fine)[..., None]
    seen = _small(cv2.warpPerspective(texture * light, matrix, size, borderMode=cv2.BORDER_REPLICATE), fine)
    view = picture[low[1] : high[1], low[0] : high[0]]
    if view.shape[:2] == part.shape[:2]:
        view[:] = view * (1 - part) + seen * part


def _small(large: np.ndarray, times: int) -> np.ndarray:
    return cv2.resize(large, None, fx=1 / times, fy=1 / times, interpolation=cv2.INTER_AREA)
