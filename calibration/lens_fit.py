"""One lens fitted to views of a flat target, and what speaks against it: a stretched print, a zoom that was moved.

Arrays alone: `solid` are places on the target, mm (N, 3), `seen` where they are in the picture, pixels (N, 2), one pair
a view, both float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.view.lens import Lens
from companion.vision.view.pose import Floats

_STEPS = (0.02, 0.02, 0.02, 0.01)  # of the target's height: so much it is stretched to see which fits best, each time
_FAR = 2.0  # steps: what fits best is looked for no farther, as errors tell nearly nothing far from it
_NEARLY = 0.008  # stretched by less, it need not be known better
_MOST = 0.1  # of the target's height: nobody prints worse
_ROUNDS = 8


@dataclass(frozen=True, eq=False, slots=True)
class Fit:
    """A lens, each view's error in pixels, and how the target lies in each view: turns and shifts, (6,)."""

    lens: Lens
    errors: tuple[float, ...]
    poses: tuple[Floats, ...]


def fit(size: tuple[int, int], solid: Sequence[Floats], seen: Sequence[Floats]) -> Fit:
    """The lens by least squares. size: of the pictures, pixels."""
    width, height = size
    matrix = np.array([[0.9 * width, 0, (width - 1) / 2], [0, 0.9 * width, (height - 1) / 2], [0, 0, 1.0]])
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    there = [places.astype(np.float32).reshape(-1, 1, 3) for places in solid]
    here = [at.astype(np.float32).reshape(-1, 1, 2) for at in seen]
    error, matrix, bend, turns, shifts, _, _, each = cv2.calibrateCameraExtended(
        there, here, size, matrix, np.zeros(5), flags=flags
    )
    k1, k2 = np.asarray(bend, np.float64).ravel()[:2].tolist()
    center = (float(matrix[0, 2]), float(matrix[1, 2]))
    lens = Lens(size, float(matrix[0, 0]), (k1, k2), center, float(error), len(seen))
    poses = [np.concatenate([np.ravel(turn), np.ravel(shift)]) for turn, shift in zip(turns, shifts, strict=True)]
    return Fit(lens, tuple(np.asarray(each, np.float64).ravel().tolist()), tuple(poses))


def stretched(size: tuple[int, int], solid: Sequence[Floats], seen: Sequence[Floats]) -> float:
    """How much taller the target is than it should be, against its width: 0.03 for 3 %. The views tell, as it is turned
    and tilted; so would pictures that are stretched themselves."""
    best = 1.0
    for step in _STEPS:
        ways = (taller(solid, best - 1 + by) for by in (-step, 0.0, step))
        low, middle, high = (fit(size, way, seen).lens.error_px ** 2 for way in ways)
        bent = (low + high - 2 * middle) / 2
        move = (low - high) / (4 * bent) if bent > 0 else _FAR * float(np.sign(low - high))
        best = float(np.clip(best + step * np.clip(move, -_FAR, _FAR), 1 - _MOST, 1 + _MOST))
        if abs(best - 1) < _NEARLY:
            break
    return best - 1


def taller(solid: Sequence[Floats], tall: float) -> list[Floats]:
    """Places on a target that is so much taller, as `stretched` says it."""
    return [places * (1, 1 + tall, 1) for places in solid]


def disagreement(found: Fit, solid: Sequence[Floats], seen: Sequence[Floats]) -> float:
    """By how much views differ in how wide the lens looks, as a share of the focal length: the standard deviation
    beyond what noise makes of it (DerSimonian & Laird 1986, random effects).

    Each view that is tilted tells a focal length of its own; one that faces the camera hardly any, and hardly counts.
    """
    told = [_own_focal(found, pose, *view) for pose, *view in zip(found.poses, solid, seen, strict=True)]
    focal, doubt, left, freedom = np.array(told).T
    weight = 1 / np.maximum(doubt * left.sum() / max(freedom.sum(), 1), 1e-12)
    mean = float((weight * focal).sum() / weight.sum())
    beyond = float((weight * (focal - mean) ** 2).sum()) - (len(told) - 1)
    return float(np.sqrt(max(0.0, beyond / float(weight.sum() - (weight**2).sum() / weight.sum()))))


def _own_focal(found: Fit, pose: Floats, solid: Floats, seen: Floats) -> tuple[float, float, float, float]:
    """The focal length that fits one view best, as the logarithm of its share of the lens's; its variance where pixels
    have a variance of 1; the squares of what is left, pixels, and the degrees of freedom."""
    center, bend = np.array(found.lens.center), np.array([*found.lens.radial, 0, 0, 0])
    told, tangent, off = np.append(pose, 0.0), np.zeros((0, 7)), np.zeros(0)
    for _ in range(_ROUNDS):
        focal = found.lens.focal * np.exp(np.clip(told[6], -1, 1))
        matrix = np.array([[focal, 0, center[0]], [0, focal, center[1]], [0, 0, 1]])
        pixels, slopes = cv2.projectPoints(solid, told[:3], told[3:6], matrix, bend)
        pixels = np.asarray(pixels, np.float64).reshape(-1, 2)
        off = (seen - pixels).ravel()
        tangent = np.hstack([np.asarray(slopes, np.float64)[:, :6], (pixels - center).reshape(-1, 1)])
        told = told + np.linalg.lstsq(tangent, off, rcond=None)[0]
    variance = float(np.linalg.pinv(tangent.T @ tangent)[6, 6])
    return float(told[6]), variance, float(off @ off), float(len(off) - 7)
