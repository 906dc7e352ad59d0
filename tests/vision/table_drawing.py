"""A small renderer for the tests of the eyes: a printed board, pawns, light, an arm, seen by a pinhole camera."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.model import Sheet, sheet_from_json
from companion.vision.view.pose import Pose

COLORS = {"0": "#c4181c", "1": "#0e7834", "2": "#f2be14", "3": "#1440aa"}
NAMES = {"0": "red", "1": "green", "2": "yellow", "3": "blue"}
SIDE = 300.0
SCALE = 4  # texture pixels per mm


def board() -> tuple[Sheet, np.ndarray]:
    """A little board: a ring of twelve white spaces, a red lane, a red base; and its texture, uint8 BGR."""
    spaces = {}
    for i, (x, y) in enumerate([(a, 90) for a in (90, 130, 170, 210)] + [(210, 130), (210, 170)]):
        spaces[f"t{i}"] = {"x_mm": x, "y_mm": y, "radius_mm": 9}
    for i, (x, y) in enumerate([(a, 210) for a in (210, 170, 130, 90)] + [(90, 170), (90, 130)]):
        spaces[f"t{i + 6}"] = {"x_mm": x, "y_mm": y, "radius_mm": 9}
    for i in range(2):
        spaces[f"lane0.{i + 1}"] = {"x_mm": 130.0 + 40 * i, "y_mm": 150, "radius_mm": 9}
    spaces["base0"] = {"x_mm": 255, "y_mm": 150, "radius_mm": 25}
    data = {
        "sheet": 1,
        "game": "parcheesi",
        "title": "test board",
        "width_mm": SIDE,
        "height_mm": SIDE,
        "markers": {
            "dictionary": "DICT_4X4_50",
            "size_mm": 22,
            "centers_mm": {"0": [20, 20], "1": [280, 20], "2": [280, 280], "3": [20, 280]},
        },
        "spaces": spaces,
        "piece": {"kind": "pawn", "diameter_mm": 12, "height_mm": 24},
        "colors": COLORS,
        "seats": NAMES,
    }
    return sheet_from_json(data), _print(spaces)


def squares() -> tuple[Sheet, np.ndarray]:
    """The little board on dark squares that repeat, without markers, and one red corner."""
    sheet, _ = board()
    side, cell = round(SIDE * SCALE), round(37.5 * SCALE)
    y, x = np.mgrid[:side, :side]
    texture = np.where(((x // cell + y // cell) % 2 == 0)[..., None], np.uint8(120), np.uint8(50)).repeat(3, 2)
    texture[: cell // 2, : cell // 2] = (30, 30, 190)
    return replace(sheet, markers=None), texture


def _print(spaces: dict[str, dict[str, float]]) -> np.ndarray:
    texture = np.full((round(SIDE * SCALE),) * 2 + (3,), 235, np.uint8)
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for i, (x, y) in enumerate([(20, 20), (280, 20), (280, 280), (20, 280)]):
        mark = cv2.aruco.generateImageMarker(book, i, 22 * SCALE)
        top, left = round((y - 11) * SCALE), round((x - 11) * SCALE)
        texture[top : top + mark.shape[0], left : left + mark.shape[1]] = mark[..., None]
    for name, s in spaces.items():
        at, radius = (round(s["x_mm"] * SCALE), round(s["y_mm"] * SCALE)), round(s["radius_mm"] * SCALE)
        fill = (60, 60, 200) if name.startswith("lane") else (210, 210, 245) if name == "base0" else (250, 250, 250)
        cv2.circle(texture, at, radius, fill, -1, cv2.LINE_AA)
        cv2.circle(texture, at, radius, (30, 30, 30), 5, cv2.LINE_AA)
    cv2.rectangle(texture, (200, 200), (1000, 1000), (40, 40, 40), 5)
    return texture


def camera(tilt: float = 25.0, turn: float = 8.0, size: tuple[int, int] = (960, 720), x: float = 0.0) -> Pose:
    """A camera that looks at the middle of the sheet from `tilt` degrees off the vertical, moved by `x` mm."""
    lean, spin = np.radians(tilt), np.radians(turn)
    about_z = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    rotation = about_x @ about_z
    shift = np.array([x, 0, 480.0]) - rotation @ np.array([SIDE / 2, SIDE / 2, 0])
    vector, _ = cv2.Rodrigues(rotation)
    return Pose(0.9 * size[0], 0.0, tuple(vector.ravel().tolist()), tuple(shift.tolist()), size, 0.0)


def draw(
    sheet: Sheet,
    texture: np.ndarray,
    pose: Pose,
    pieces: list[tuple[int, float, float]] = [],  # noqa: B006
    light: tuple[float, float, float] = (1.0, 1.0, 1.0),
    slope: float = 0.25,
    noise: float = 2.0,
    arm: tuple[float, float] | None = None,
) -> np.ndarray:
    """The picture, uint8 BGR. pieces: (seat, x mm, y mm). light: gain of blue, green, red. slope: how much darker
    the right side is. noise: grey levels. arm: where a hand lies that comes in from the right edge, mm.
    """
    w, h = pose.size
    corners = pose.project([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)]).astype(np.float32)
    source = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * SIDE * SCALE - 0.5
    small = cv2.GaussianBlur(texture, (0, 0), 1.2)
    table = np.full((h, w, 3), (70, 90, 110), np.uint8)
    shape = cv2.getPerspectiveTransform(source, corners)
    picture = cv2.warpPerspective(small, shape, (w, h), table, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    for seat, x, y in sorted(pieces, key=lambda p: -np.hypot(*(np.array(p[1:]) - pose.eye[:2]))):
        _pawn(picture, pose, sheet.colors[seat], x, y)
    if arm is not None:
        _arm(picture, pose, arm)
    linear = (picture / 255.0) ** 2.2 * np.array(light) * (1 - slope * np.arange(w) / w)[None, :, None]
    seen = np.clip(linear, 0, 1) ** (1 / 2.2) * 255
    return np.clip(seen + np.random.default_rng(1).normal(0, noise, seen.shape), 0, 255).astype(np.uint8)


def _pawn(picture: np.ndarray, pose: Pose, color: str, x: float, y: float) -> None:
    bgr = np.array([int(color[i : i + 2], 16) for i in (5, 3, 1)], float)
    for level in np.linspace(0, 1, 40):
        radius = 6 * (1 if level < 0.12 else 0.5 if level > 0.75 else 0.9 - 0.7 * level)
        turn = np.linspace(0, 6.283, 24)
        ring = [(x + radius * np.cos(a), y + radius * np.sin(a), 24 * level) for a in turn]
        middle = pose.project([(x, y, 24 * level)])[0]
        edge = pose.project(ring)
        for share, shade in ((1.0, 0.55), (0.7, 0.8), (0.35, 1.0)):
            outline = middle + (edge - middle) * share - (0, 0.5 * (1 - share) * 4)
            tint = np.minimum(bgr * shade * (0.8 + 0.25 * level), 255)
            cv2.fillPoly(picture, [np.round(outline * 16).astype(np.int32)], tint.tolist(), cv2.LINE_AA, 4)
    cv2.circle(picture, tuple(int(c) for c in pose.project([(x - 1, y - 1, 22)])[0]), 1, (240, 240, 240), -1)


def _arm(picture: np.ndarray, pose: Pose, hand: tuple[float, float]) -> None:
    x, y = hand
    outline = [(x, y - 25, 20), (x, y + 25, 20), (x + 60, y + 35, 30), (420, y + 30, 60), (420, y - 30, 60)]
    shape = np.round(pose.project([*outline, (x + 60, y - 35, 30)])).astype(np.int32)
    cv2.fillPoly(picture, [shape], (110, 140, 205), cv2.LINE_AA)
