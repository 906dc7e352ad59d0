"""The value of a die's top face: the six patterns of pips, any way round, compared with what is seen."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.dice_bodies import Body
from companion.vision.pose import Flat, Floats, Frame

_SIDE, _INNER = 48, 40  # pixels across the face, and across the part of it that is looked at
_PATTERNS: tuple[tuple[int, str], ...] = (
    (1, "... .o. ..."),
    (2, "o.. ... ..o"),
    (2, "..o ... o.."),
    (3, "o.. .o. ..o"),
    (3, "..o .o. o.."),
    (4, "o.o ... o.o"),
    (5, "o.o .o. o.o"),
    (6, "o.o o.o o.o"),
    (6, "ooo ... ooo"),
)
_SPACINGS = (0.20, 0.23, 0.26, 0.29)  # from the middle to an outer pip, of the edge
_SHIFTS = (-4.0, -2.0, 0.0, 2.0, 4.0)
_TURNS = (-8.0, -4.0, 0.0, 4.0, 8.0)
_RADII = (2.9, 4.1, 5.3)  # of a pip, pixels of the face


class Face(NamedTuple):
    """What a top face shows: the value, how like its pattern it is (−1 to 1), the next best value's likeness, and
    the pips' contrast as a share of the face's brightness."""

    value: int
    alike: float
    second: float
    contrast: float


def face_patch(picture: Frame, body: Body) -> Flat:
    """The inner part of the top face, upright, float32 BGR (_INNER, _INNER, 3)."""
    c, s, step = np.cos(body.turn), np.sin(body.turn), body.size / _SIDE
    mid = (_INNER - 1) / 2
    matrix = np.array([[c * step, -s * step, 0.0], [s * step, c * step, 0.0]])
    matrix[:, 2] = np.array([body.x, body.y]) - matrix[:, :2] @ np.array([mid, mid])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(picture, matrix, (_INNER, _INNER), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.float32)


def read_face(picture: Frame, body: Body) -> Face:
    """The value of the top face of `body` in the view `picture`, uint8 BGR."""
    patch = face_patch(picture, body)
    bright = max(20.0, float(np.percentile(patch.max(axis=2), 90)))
    tries: list[tuple[float, Flat, list[tuple[int, int]], float]] = []
    for grey in (_main_colour(patch), np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.float32)):
        contrast = float(np.ptp(np.percentile(grey, (4, 96)))) / bright
        spots = _spots(grey)
        for seen in (spots, -spots):
            promise, guesses = _hypotheses(seen)
            tries.append((promise, seen, guesses, contrast))
    tries.sort(key=lambda one: -one[0])
    return max((_best_face(*one[1:]) for one in tries[:2]), key=lambda face: face.alike)


def _main_colour(patch: Flat) -> Flat:
    """The patch along the colour in which it differs most: dark on light, red on white, gold on green."""
    points = patch.reshape(-1, 3)
    off = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(off.T @ off)
    return np.asarray((off @ axes[:, -1]).reshape(patch.shape[:2]), np.float32)


def _spots(grey: Flat) -> Flat:
    """Where the face is darker than around, in the size of a pip."""
    fine = cv2.GaussianBlur(grey, (0, 0), 1.8, borderType=cv2.BORDER_REPLICATE)
    wide = cv2.GaussianBlur(grey, (0, 0), 6.0, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(wide - fine, np.float32)


def _best_face(spots: Flat, guesses: list[tuple[int, int]], contrast: float) -> Face:
    seen = spots.reshape(-1) - spots.mean()
    seen = seen / (np.linalg.norm(seen) + 1e-9)
    likeness: dict[int, float] = {}
    for number, grid in guesses:
        value = _PATTERNS[number][0]
        likeness[value] = max(likeness.get(value, -1.0), float((_ideal(number, grid) @ seen).max()))
    ranked = sorted(likeness.items(), key=lambda pair: -pair[1])
    return Face(ranked[0][0], ranked[0][1], ranked[1][1] if len(ranked) > 1 else 0.0, contrast)


@lru_cache(maxsize=1)
def _ties() -> Flat:
    """The patterns as 0 and 1 on the nine places, (patterns, 9), of length 1 each."""
    rows = np.array([[c == "o" for c in text.replace(" ", "")] for _, text in _PATTERNS], np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


@lru_cache(maxsize=1)
def _grids() -> Floats:
    """The nine places for every spacing, turn and shift, pixels of the inner face, (hypotheses, 9, 2)."""
    base = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float64)
    grids = []
    for spacing in _SPACINGS:
        for turn in np.radians(_TURNS):
            c, s = np.cos(turn), np.sin(turn)
            places = base @ np.array([[c, s], [-s, c]]) * spacing * _SIDE
            grids += [places + np.array([dx, dy]) for dx in _SHIFTS for dy in _SHIFTS]
    return np.array(grids) + (_INNER - 1) / 2


@lru_cache(maxsize=1)
def _lookup() -> Floats:
    at = np.clip(np.round(_grids()).astype(int), 0, _INNER - 1)
    return np.asarray(at[..., 1] * _INNER + at[..., 0])


def _hypotheses(spots: Flat) -> tuple[float, list[tuple[int, int]]]:
    """How promising the best pattern is, and the best few with the most promising place of each: (pattern, grid)."""
    seen = np.maximum(spots.reshape(-1)[_lookup()], 0.0)
    length = np.sqrt(np.einsum("ij,ij->i", seen, seen)) + 0.3 * max(float(spots.max()), 1e-6)
    score = (seen @ _ties().T) / length[:, None]
    best = score.argmax(axis=0)
    top = score[best, np.arange(len(_PATTERNS))]
    order = np.argsort(-top)[:4]
    return float(top[order[0]]), [(int(n), int(best[n])) for n in order]


@lru_cache(maxsize=1)
def _dots() -> list[Flat]:
    """What `_spots` says of a single pip in the middle of a large face, one for each radius."""
    found = []
    for radius in _RADII:
        face = np.zeros((2 * _INNER + 1, 2 * _INNER + 1), np.float32)
        cv2.circle(face, (_INNER * 16, _INNER * 16), round(radius * 16), -1.0, -1, cv2.LINE_AA, 4)
        found.append(_spots(face))
    return found


@lru_cache(maxsize=1024)
def _ideal(number: int, grid: int) -> Flat:
    """What `_spots` says of the pattern drawn at that place, (radii, pixels), each of mean 0 and length 1."""
    marks = _PATTERNS[number][1].replace(" ", "")
    corners = [_INNER - np.round(p).astype(int) for p, mark in zip(_grids()[grid], marks, strict=True) if mark == "o"]
    drawn = []
    for dot in _dots():
        spot = np.sum([dot[y : y + _INNER, x : x + _INNER] for x, y in corners], axis=0).reshape(-1)
        spot = spot - spot.mean()
        drawn.append(spot / (np.linalg.norm(spot) + 1e-9))
    return np.array(drawn)
