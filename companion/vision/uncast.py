"""Shadows that nothing casts: on an empty square that holds one a disc may stand whose top looks like the board.

The dark side of a tall disc, and what it casts beside itself, look like the board in a shadow.
"""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Seat, SpaceSeen
from companion.vision.keeping import kept
from companion.vision.reading import less_sure
from companion.vision.scene import PIXELS_PER_MM, Scene

Mask = npt.NDArray[np.bool_]

_INNER = 0.8  # of a square's radius: what lies farther out may be a neighbour's
_LEAST, _MOST = 0.1, 1.0  # of a disc's face: what of the square is dim; of a whole shadow, which else falls on it
_STANDS = 0.1  # how often a disc stands there: of 69 such squares of the pictures on which this was seen 8 held one
_COARSE = 2  # pixels of the flat view to one of those that are looked at
_PER_MM = PIXELS_PER_MM / _COARSE
_GRAIN = np.ones((2, 2), np.uint8)


def uncast(
    dim: Mask, cast: Mask, scene: Scene, spaces: dict[str, SpaceSeen], known: Collection[str]
) -> dict[str, SpaceSeen]:
    """The readings, in which a square is less surely empty on which a small shadow lies that nothing casts.

    dim: pixels on which no piece is seen, and the board as in a shadow, bool (rows, cols). cast: where pieces that were
    found cast theirs. known: spaces that are left out.
    """
    if scene.sheet.piece.kind != "disc":
        return spaces
    seats, face = sorted(scene.sheet.colors), np.pi / 4 * (scene.sheet.piece.diameter * _PER_MM) ** 2
    small_dim, small_cast = (np.ascontiguousarray(mask[::_COARSE, ::_COARSE]) for mask in (dim, cast))
    shadowed, result = shadows_within(small_dim, small_cast, _insides(scene, small_dim.shape), face), dict(spaces)
    level: dict[Seat, float] = dict.fromkeys(seats, float(np.log(_STANDS / (1 - _STANDS) / len(seats))))
    for index, (name, seen) in enumerate(spaces.items()):
        if index in shadowed and not (seen.content or seen.covered or name in known):
            result[name] = less_sure(seen, level)
    return result


def shadows_within(dim: Mask, cast: Mask, insides: npt.NDArray[np.int16], face: float) -> set[int]:
    """The spaces, by number, on which small shadows lie that nothing casts.

    insides: which space each pixel is well within, −1 if none; (rows, cols) each. face: pixels of a disc's face.
    """
    clean = cv2.morphologyEx(dim.astype(np.uint8), cv2.MORPH_OPEN, _GRAIN)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(clean)
    small = stats[:, cv2.CC_STAT_AREA] < _MOST * face
    small[0] = False
    count = np.bincount(insides[small[labels] & ~cast & (insides >= 0)])
    return set(np.flatnonzero(count > _LEAST * face).tolist())


@kept()
def _insides(scene: Scene, shape: tuple[int, int]) -> npt.NDArray[np.int16]:
    """The space, by number, that each pixel of the coarse view is well within, −1 if none, (rows, cols)."""
    result = np.full(shape, -1, np.int16)
    for index, space in enumerate(scene.sheet.spaces.values()):
        middle = round(space.x * _PER_MM), round(space.y * _PER_MM)
        cv2.circle(result, middle, round(_INNER * space.radius * _PER_MM), index, -1)
    return result
