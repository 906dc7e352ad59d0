"""Discs that stick out of their square, and go on there: a part of something else.

A stack that is higher than any that is weighed, or of thicker discs, shows its top over the square behind: surely
another disc. So does the tip of a shadow so deep that nothing of the print is left in it, surely a black one; and the
rim of a card that lies on the board, a red one. Each was put as near to it as its square allows.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from companion.vision.board.hands import Mask
from companion.vision.board.places import Places
from companion.vision.board.standing import Match
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.scene import PIXELS_PER_MM, Scene

Ints = npt.NDArray[np.int64]

_OUT = 5.0  # mm: by so much it sticks out
_STRANGE = 1.0  # nats against the board
_TURNS = np.linspace(-0.8, 0.8, 9)  # radians to either side of the way in which it is looked at
_BEYOND = np.array([[2.5], [4.5], [6.5]])  # pixels from its outline
_MOSTLY = 0.8  # share of the pixels that are looked at there


def over_edge(found: Match, odd: Flat, dim: Mask, scene: Scene, left_out: Collection[int] = ()) -> set[int]:
    """Spaces, by number, on which a disc was put that sticks out of its square, where another piece is, or what is not
    the board.

    odd: nats against the board, (rows, cols). dim: pixels that look like the board in a shadow, bool (rows, cols).
    left_out: spaces that are not looked at.
    """
    where, result = found.where, set[int]()
    if where.piece.kind != "disc":
        return result
    spaces, other = list(scene.sheet.spaces.values()), ((odd > _STRANGE) & ~dim).ravel() | (found.front < 1e8)
    for place, _ in found.standing:
        index = int(where.space[place])
        off = where.feet[place] - (spaces[index].x, spaces[index].y)
        out = float(np.hypot(*off)) + where.piece.diameter / 2 - spaces[index].radius
        if out > _OUT and index not in left_out and other.take(_beyond(where, place, off)).mean() > _MOSTLY:
            result.add(index)
    return result


def _beyond(where: Places, place: int, way: Floats) -> Ints:
    """Some pixels, raveled, just beyond the outline of the top of a stack on one side; the nearest in the view."""
    grow = where.eye[2] / (where.eye[2] - where.storeys[place] * where.piece.height)
    middle = (where.eye[:2] + (where.feet[place] - where.eye[:2]) * grow) * PIXELS_PER_MM
    away, turns = where.piece.diameter / 2 * grow * PIXELS_PER_MM + _BEYOND, np.arctan2(way[1], way[0]) + _TURNS
    last = np.array(where.shape[::-1]) - 1
    rays = (np.cos(turns), np.sin(turns))
    x, y = ((middle[k] + away * ray).astype(np.int64).clip(0, last[k]).ravel() for k, ray in enumerate(rays))
    return np.asarray(y * where.shape[1] + x)
