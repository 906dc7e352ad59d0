"""How sure a face is the top of a die: sums of what was measured, with weights fitted to pictures with known dice.

The weights were fitted by logistic regression to `companion evidence --dice` of the seeds 101 and 102, and to nothing
else; docs/dice-by-camera.md says how well they hold on pictures of other seeds.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.dice_faces import SIDES, Faces
from companion.vision.dice_marks import Marks
from companion.vision.pose import Floats


def shape_of(faces: Faces) -> Floats:
    """What the pattern and its surroundings say of each face, (N, 34), in the order of `SHAPE`."""
    pips = faces.pips
    lean = np.linalg.norm(faces.lean, axis=1)
    away = _away(faces)
    tilted = lean[:, None] > 0.05
    far, near = np.where(tilted, away > -0.35, True), np.where(tilted, away < -0.35, True)
    rows, nearest = np.arange(len(lean)), away.argmin(axis=1)
    ends = np.sort(faces.ends, axis=1)
    foot = np.where(near, faces.foot, np.inf).min(axis=1)
    flank = faces.flank[rows, nearest]
    dim = flank[:, 0] / np.maximum(faces.color[:, 0], 8)
    hue = flank[:, 1:] - 128 - (faces.color[:, 1:] - 128) * np.clip(dim, 0.3, 1.2)[:, None]
    hue, lies = _bent(np.hypot(hue[:, 0], hue[:, 1])), np.minimum(lean, 0.3)
    beyond = np.where(far, np.linalg.norm(faces.outer - faces.color[:, None], axis=2), np.inf).min(axis=1)
    spacing = np.hypot(pips.half[:, 0], pips.half[:, 1]) / 2**0.5 / faces.size
    away_ground, own_ground = _grounds(faces, far, near)
    rim, crisp = _outline(faces, lean)
    odd = ((spacing - 0.25) / 0.02) ** 2
    columns = [
        pips.weakest, pips.emptiest, np.log(pips.level), _bent(np.where(far, faces.ends, np.inf).min(axis=1)),
        _bent(ends[:, 0]), _bent(ends[:, 1]), _bent(ends.mean(axis=1)), np.log1p(faces.rough),
        np.log1p(faces.rough / pips.level), np.log(faces.size / 4), spacing, pips.value == 2, pips.value == 3,
        pips.value == 6, lean, _bent(foot), _bent(faces.foot[rows, nearest]), hue, lies * hue, lies * _bent(foot),
        np.clip(dim, 0, 2), _bent(beyond), lies * dim, np.minimum(odd, 6),
        _bent(away_ground), _bent(own_ground), lies * _bent(away_ground), lies * _bent(own_ground),
        *rim, *crisp,
    ]  # fmt: skip
    return np.column_stack(columns).astype(np.float64)


def _grounds(faces: Faces, far: npt.NDArray[np.bool_], near: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """How unlike the ground below the nearer sides is to that beyond the farther ones, and to the die: on another die
    it is like that one. Brightness counts half: shadows."""
    weigh = np.array([0.5, 1.0, 1.0])
    pairs = np.linalg.norm((faces.ground[:, :, None] - faces.outer[:, None]) * weigh, axis=3)
    least = np.where(far[:, None], pairs, np.inf).min(axis=2)
    own = np.minimum(
        np.linalg.norm((faces.ground - faces.color[:, None]) * weigh, axis=2),
        np.linalg.norm((faces.ground - faces.flank) * weigh, axis=2),
    )
    some = near.any(axis=1)
    away = np.where(near, least, -np.inf).max(axis=1)
    return np.where(some, away, 0.0), np.where(some, np.where(near, own, np.inf).min(axis=1), 0.0)


def _outline(faces: Faces, lean: Floats) -> tuple[list[Floats], list[Floats]]:
    """The least, second least and mean step along the cube's outline, and the same of how crisp it is."""
    there = np.repeat((lean > 0.15)[:, None], 6, axis=1)
    there[:, :4] = True
    found = []
    for part in (_bent(faces.rim), _bent(faces.crisp)):
        low = np.sort(np.where(there, part, np.inf), axis=1)
        mean = np.where(there, part, 0.0).sum(axis=1) / there.sum(axis=1)
        found.append([low[:, 0], low[:, 1], mean])
    return found[0], found[1]


def _away(faces: Faces) -> Floats:
    """For each side, −1 to 1: whether it looks away from the camera (its side face is hidden) or towards it."""
    aside = np.column_stack([-faces.along[:, 1], faces.along[:, 0]])
    out = SIDES[None, :, :1] * faces.along[:, None] + SIDES[None, :, 1:] * aside[:, None]
    lean = faces.lean / np.maximum(np.linalg.norm(faces.lean, axis=1, keepdims=True), 1e-9)
    return np.asarray((out * lean[:, None]).sum(axis=2))


def _bent(value: Floats) -> Floats:
    """Large values count less."""
    return np.asarray(np.sign(value) * np.log1p(np.abs(value) / 3))


def look_of(first: Floats, faces: Faces, marks: Marks) -> Floats:
    """What the face itself says, (N, 8), in the order of `LOOK`. first: how likely by its shape."""
    same = (faces.pips.value == marks.value).astype(np.float64)
    ratio = np.log((1 - marks.second**2 + 0.01) / (1 - marks.alike**2 + 0.01))
    value = faces.pips.value
    columns = [
        log_odds(first, 1e-6), same * marks.alike, same * ratio, np.log1p(marks.contrast),
        np.log((marks.contrast + 1e-3) / (faces.rough + 3)), value == 1, value == 2, value == 3,
    ]  # fmt: skip
    return np.column_stack(columns).astype(np.float64)


def log_odds(share: Floats, least: float) -> Floats:
    """Logarithm of the odds of a probability."""
    return np.asarray(np.log(share + least) - np.log(1 - share + least))


def likely(measured: Floats, weights: tuple[float, ...]) -> Floats:
    """The probability that weights, the constant first, give to rows of what was measured."""
    total = weights[0] + measured @ np.array(weights[1:])
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -30, 30))))
