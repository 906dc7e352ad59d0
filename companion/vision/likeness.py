"""Whether what a pose shows is the board: the whole picture is compared, block by block, in brightness and colour.

Each block has one voice, so that pieces, hands and glare can outvote the board only where they cover most of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.keeping import kept
from companion.vision.pose import Flat, Floats, Frame, Pose, downward, flat_maps

if TYPE_CHECKING:
    from companion.vision.scene import Scene

Mask = npt.NDArray[np.bool_]
SCALE = 0.5
"""Pixels per mm at which pictures are compared: coarse enough that a millimetre does not matter."""
_BLOCK = 18  # pixels: 36 mm
_WIDE = 16.0  # pixels: brightness is compared with that around, within some 30 mm
_DARK = 8.0  # levels: below this noise has more to say than the board
_PLAIN = 0.03  # a block whose brightness and colours vary by less, in natural logarithms, says nothing


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike picture and board are. share: −1 to 1, what half of the blocks reach; 0 is chance.

    turned: by how many quarter turns, as seen from above, the board in the picture lies otherwise than the pose has it,
    if that fits better; 0 if the pose fits best; None if another turn fits as well.
    """

    share: float
    turned: int | None


def likeness(frame: Frame, scene: Scene, pose: Pose) -> Likeness:
    """How alike the board and a picture, uint8 BGR, are under a pose, and under the pose turned by quarters."""
    sheet = scene.sheet
    maps = flat_maps(pose, sheet.width, sheet.height, SCALE)
    inside = (maps[0] >= 0) & (maps[0] <= frame.shape[1] - 1) & (maps[1] >= 0) & (maps[1] <= frame.shape[0] - 1)
    seen, turns = _traits(downward(maps).view(frame)), _turns(scene)
    able, own = _blocks(inside.astype(np.float32)), _energy(seen)
    alike = {q: _alike(_turn(seen, q), _turn(own, q), _turn(able, q), scene) for q in (0, *turns)}
    if any(np.isnan(blocks).all() for blocks in alike.values()):
        return Likeness(0.0 if _structured(scene) else 1.0, 0)
    best = max(alike, key=lambda q: float(np.nanmedian(alike[q])))
    others = [q for q in alike if q != best]
    sure = all(_advantage(alike[best], alike[q], turns[(q - best) % 4]) >= _SURE for q in others)
    return Likeness(float(np.nanmedian(alike[best])), best if sure else None)


def same_in_turns(scene: Scene) -> bool:
    """Whether the board itself hardly differs after some turn, so that no picture can tell."""
    return any(telling.sum() < _SURE**2 for telling in _turns(scene).values())


@kept()
def _structured(scene: Scene) -> bool:
    """Whether anything is known of how the board looks."""
    return bool((_energy_of_board(scene) > _PLAIN**2).any())


_SURE = 2.5
"""Standard errors by which one turn must be more like the board than another."""


def _advantage(one: Floats, other: Floats, telling: Mask) -> float:
    """By how many standard errors the first is more like the board, judged by the blocks that tell; the order counts,
    not the amount, so that no block outweighs the others.
    """
    differences = (one - other)[telling & ~np.isnan(one) & ~np.isnan(other)]
    if not len(differences):
        return 0.0
    return float(np.sign(differences).sum() / np.sqrt(len(differences)))


def _turn(plane: npt.NDArray[Any], quarters: int) -> npt.NDArray[Any]:
    return np.ascontiguousarray(np.rot90(plane, quarters))


@kept()
def _turns(scene: Scene) -> dict[int, Mask]:
    """The turns, in quarters, after which the board covers the same place, and the blocks that look otherwise then."""
    known = _of_board(scene)
    square = known.shape[0] == known.shape[1]
    own = _energy_of_board(scene)
    whole = np.ones_like(own)
    there = {q: _alike(_turn(known, q), _turn(own, q), whole, scene) for q in ((1, 2, 3) if square else (2,))}
    return {q: np.asarray(alike < _OTHERWISE) for q, alike in there.items()}


_OTHERWISE = 0.8


def _traits(flat: Frame) -> Flat:
    """Brightness against that around, and colour against that of the whole, (rows, cols, 3), in natural logarithms."""
    logs = np.log(flat.astype(np.float32) + _DARK)
    bright = logs.mean(axis=2)
    bright -= cv2.GaussianBlur(bright, (0, 0), _WIDE)
    hues = [logs[..., k] - logs[..., 1] for k in (0, 2)]
    return np.asarray(np.stack([bright, *(hue - float(np.median(hue)) for hue in hues)], axis=-1), np.float32)


@kept()
def _of_board(scene: Scene) -> Flat:
    sheet = scene.sheet
    size = (round(sheet.width * SCALE), round(sheet.height * SCALE))
    return _traits(np.asarray(cv2.resize(scene.empty, size, interpolation=cv2.INTER_AREA), np.uint8))


def _alike(seen: Flat, own: Floats, able: Floats, scene: Scene) -> Floats:
    """Correlation of each block's traits with the board's. own: `_energy` of what is seen; able: the share of each
    block that is in the picture."""
    right = _energy_of_board(scene)
    scale = np.sqrt(np.maximum(own, 1e-4) * np.maximum(right, 1e-4))
    return np.where((able > 0.98) & (right > _PLAIN**2), _blocks(seen * _of_board(scene)) / scale, np.nan)


def _energy(traits: Flat) -> Floats:
    """How much there is to compare in each block."""
    return _blocks(traits * traits)


@kept()
def _energy_of_board(scene: Scene) -> Floats:
    return _energy(_of_board(scene))


def _blocks(plane: Flat) -> Floats:
    """Means of the blocks, summed over the traits, float64 (rows, cols)."""
    down, across = (max(1, side // _BLOCK) for side in plane.shape[:2])
    means = np.asarray(cv2.resize(plane, (across, down), interpolation=cv2.INTER_AREA), np.float64)
    return means if means.ndim == 2 else np.asarray(means.sum(axis=2))
