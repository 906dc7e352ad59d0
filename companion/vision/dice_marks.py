"""What a top face says: the face made upright and compared with every value as it may be drawn."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice_faces import Faces
from companion.vision.dice_spots import value_at
from companion.vision.pose import Flat, Floats

_GRID, _REACH = 18, 0.41  # places across the face that are compared, and how far from its middle, of the edge
_FINE = 4
_DRAWN = (
    (1, "... .o. ..."), (2, "o.. ... ..o"), (2, "..o ... o.."), (3, "o.. .o. ..o"), (3, "..o .o. o.."),
    (4, "o.o ... o.o"), (5, "o.o .o. o.o"), (6, "o.o o.o o.o"), (6, "ooo ... ooo"),
)  # fmt: skip
_SPACINGS, _RADII = (0.21, 0.235, 0.26, 0.285), (0.075, 0.10, 0.13)
_ACES = (0.075, 0.10, 0.13, 0.16, 0.19)
_SHIFTS = ((0.0, 0.0), (0.03, 0.0), (-0.03, 0.0), (0.0, 0.03), (0.0, -0.03))


class Marks(NamedTuple):
    """One a face. value: what it is most like. alike: how much, 0 to 1; second: the same of the next best value.
    contrast: between pips and face, Lab."""

    value: npt.NDArray[np.int64]
    alike: Floats
    second: Floats
    contrast: Floats

    def take(self, rows: npt.NDArray[np.int64]) -> Marks:
        """Some of them."""
        return Marks._make(part[rows] for part in self)


def marks_of(lab: Flat, faces: Faces) -> Marks:
    """What each face says."""
    steps = (np.arange(_GRID) + 0.5) / _GRID * 2 * _REACH - _REACH
    x, y = (side.reshape(1, -1, 1) for side in np.meshgrid(steps, steps))
    aside = np.column_stack([-faces.along[:, 1], faces.along[:, 0]])
    places = x * faces.along[:, None] + y * aside[:, None]
    seen = value_at(lab, faces.pips.at[:, None] + faces.size[:, None, None] * places).astype(np.float64)
    off = seen - seen.mean(axis=1, keepdims=True)
    _, axes = np.linalg.eigh(np.einsum("npi,npj->nij", off, off))
    main = np.einsum("npi,ni->np", off, axes[:, :, -1])
    like = np.maximum(_likeness(main), _likeness(off[..., 0]))
    ranked = np.argsort(-like, axis=1)
    rows = np.arange(len(like))
    contrast = np.ptp(np.percentile(main, (5, 95), axis=1), axis=0)
    return Marks(ranked[:, 0] + 1, like[rows, ranked[:, 0]], like[rows, ranked[:, 1]], contrast)


def _likeness(planes: Floats) -> Floats:
    """How like each value the faces are, (N, places) → (N, 6), whether their pips are dark or light."""
    drawn, values = _drawings()
    like = np.abs((planes / (np.linalg.norm(planes, axis=1, keepdims=True) + 1e-9)) @ drawn.T)
    return np.stack([like[:, values == value].max(axis=1) for value in range(1, 7)], axis=1)


@lru_cache(maxsize=1)
def _drawings() -> tuple[Floats, npt.NDArray[np.int64]]:
    """Every drawing of every value, each of mean 0 and length 1, (drawings, places), and their values."""
    drawn, values = [], []
    for value, text in _DRAWN:
        on = [(k % 3 - 1, k // 3 - 1) for k, mark in enumerate(text.replace(" ", "")) if mark == "o"]
        for spacing in _SPACINGS if value > 1 else (0.25,):
            for radius in _RADII if value > 1 else _ACES:
                for dx, dy in _SHIFTS:
                    drawn.append(_drawing([(spacing * x + dx, spacing * y + dy) for x, y in on], radius))
                    values.append(value)
    return np.array(drawn), np.array(values)


def _drawing(places: list[tuple[float, float]], radius: float) -> Floats:
    fine = np.zeros((_GRID * _FINE, _GRID * _FINE), np.float32)
    scale = _GRID * _FINE / (2 * _REACH)
    for x, y in places:
        at = (round(((x + _REACH) * scale - 0.5) * 16), round(((y + _REACH) * scale - 0.5) * 16))
        cv2.circle(fine, at, round(radius * scale * 16), 1.0, -1, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(fine, (0, 0), 0.035 * scale)
    small = cv2.resize(soft, (_GRID, _GRID), interpolation=cv2.INTER_AREA).ravel().astype(np.float64)
    small -= small.mean()
    return np.asarray(small / np.linalg.norm(small))
