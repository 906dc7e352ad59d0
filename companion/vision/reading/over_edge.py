"""Discs that do not end where they should: a part of something else.

A stack that is higher than any that is weighed, or of thicker discs, shows its top over the square behind: surely
another disc, and its side surely was the top of a lower one. Where that square is so far away that a disc lies well in
it, only the line of sight tells. The tip of a shadow so deep that nothing of the print is left in it sticks out of a
square, too, surely a black disc; and the rim of a card that lies on the board, a red one. Each was put as near to what
it is as its square allows.
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

_OUT = 5.0  # mm: by so much it sticks out of its square
_STRANGE, _ITS_OWN = 1.0, 1.0  # nats against the board; and for its own colour: it lies a little farther off
_TURNS = np.linspace(-0.8, 0.8, 9)  # radians to either side of the way in which it is looked at
_BEYOND = np.array([[2.5], [4.5], [6.5]])  # pixels from its outline
_MOSTLY, _FEWEST = 0.8, 12  # share of the pixels that are looked at there; and how many must be free of other pieces
_IN_LINE, _NEAR = 0.25, 2.5  # diameters: so far from the line of sight, and so far on it
_THICKER = 3.0  # times as high as they were taken for: so high may stacks be, of discs twice as thick as the sheet's


def over_edge(found: Match, odd: Flat, dim: Mask, scene: Scene, left_out: Collection[int] = ()) -> set[int]:
    """Spaces, by number, on which a disc was put that sticks out of its square, where another piece is, or what is not
    the board; those of stacks in line before it, whose top it may be; and those of stacks beyond whose tops, seen from
    the camera, is neither the board nor of the top's own colour.

    odd: nats against the board, (rows, cols). dim: pixels that look like the board in a shadow, bool (rows, cols).
    left_out: spaces that are not looked at.
    """
    where, result = found.where, set[int]()
    if where.piece.kind != "disc":
        return result
    spaces, front, against, shady = list(scene.sheet.spaces.values()), found.front, odd.ravel(), dim.ravel()
    for place, color in found.standing:
        index = int(where.space[place])
        off = where.feet[place] - (spaces[index].x, spaces[index].y)
        if float(np.hypot(*off)) + where.piece.diameter / 2 - spaces[index].radius > _OUT:
            beside = _beyond(where, place, off)
            other = (front.take(beside) < 1e8) | ((against.take(beside) > _STRANGE) & ~shady.take(beside))
            if other.mean() > _MOSTLY:
                result |= {index, *_in_line_before(found, place)}
        if index not in result and where.storeys[place] > 1:
            away = _beyond(where, place, where.feet[place] - where.eye[:2])
            away = away[(front.take(away) > 1e8) & ~shady.take(away)]
            other = (against.take(away) > _STRANGE) & (found.evidence[away, color] < _ITS_OWN)
            if len(away) >= _FEWEST and other.mean() > _MOSTLY:
                result.add(index)
    return (result | _perhaps_tops(found)) - set(left_out)


def _perhaps_tops(found: Match) -> set[int]:
    """Spaces, by number, of discs that may be the tops of stacks of their colour: these would only have to be higher.

    The ray from the camera to the middle of such a top passes right above the foot of the stack.
    """
    where, result = found.where, set[int]()
    stacks = [piece for piece in found.standing if where.storeys[piece[0]] > 1]
    for stack, color in stacks:
        foot, high = where.feet[stack], float(where.storeys[stack]) * where.piece.height
        for place, other in found.standing:
            if other == color and place != stack:
                passed, beside = _passes(where, place, foot)
                if beside < _IN_LINE * where.piece.diameter and high < passed < _THICKER * high:
                    result.add(int(where.space[place]))
    return result


def _passes(where: Places, place: int, foot: Floats) -> tuple[float, float]:
    """How high above a foot, mm, the ray from the camera to the middle of a disc's top passes, and how far beside."""
    ground, _ = _top(where, place)
    slope = (where.eye[:2] - ground) / where.eye[2]
    passed = float((foot - ground) @ slope / max(slope @ slope, 1e-9))
    return passed, float(np.hypot(*(ground + passed * slope - foot)))


def _top(where: Places, place: int) -> tuple[Floats, float]:
    """Where on the board the middle of a disc's top is seen, mm (2,), and by how much larger than it is."""
    grow = float(where.eye[2] / (where.eye[2] - where.storeys[place] * where.piece.height))
    return where.eye[:2] + (where.feet[place] - where.eye[:2]) * grow, grow


def _in_line_before(found: Match, place: int) -> set[int]:
    """Spaces, by number, of the stacks that stand close before one in the line of sight."""
    where = found.where
    others = np.array([other for other, _ in found.standing if where.storeys[other] > 1 and other != place], np.int64)
    way, own = where.feet[others] - where.eye[:2], where.feet[place] - where.eye[:2]
    far = np.hypot(*way.T)
    along, beside = (way @ own) / far - far, np.abs(way[:, 0] * own[1] - way[:, 1] * own[0]) / far
    wide = where.piece.diameter
    return set(where.space[others[(along > 0) & (along < _NEAR * wide) & (beside < _IN_LINE * wide)]].tolist())


def _beyond(where: Places, place: int, way: Floats) -> Ints:
    """Some pixels, raveled, just beyond the outline of the top of a stack on one side; the nearest in the view."""
    ground, grow = _top(where, place)
    middle = ground * PIXELS_PER_MM
    away, turns = where.piece.diameter / 2 * grow * PIXELS_PER_MM + _BEYOND, np.arctan2(way[1], way[0]) + _TURNS
    last = np.array(where.shape[::-1]) - 1
    rays = (np.cos(turns), np.sin(turns))
    x, y = ((middle[k] + away * ray).astype(np.int64).clip(0, last[k]).ravel() for k, ray in enumerate(rays))
    return np.asarray(y * where.shape[1] + x)
