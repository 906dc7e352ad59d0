"""Pawns that lie: what was taken for two of one colour side by side may be one that fell over."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import combinations
from math import dist

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.board.body import profile
from companion.vision.board.places import EVIDENCE
from companion.vision.board.standing import Match, Put
from companion.vision.view.pose import Flat
from companion.vision.view.scene import PIXELS_PER_MM

_WAYS = 24
_AS_GOOD = 0.71
"""Share of what two explain that one lying pawn must: of two that do stand it covers two thirds at most."""
_CLOSE = 1.5  # diameters: a third piece that stands nearer belongs to a crowd
_STEP = 2  # pixels of the flat view to one in which is looked


def lying_spaces(found: Match, piece: Piece, left_out: Collection[int] = ()) -> set[int]:
    """Spaces, by number, on which two pieces were put that one lying pawn explains better than they do.

    In a crowd nothing is said: what hides a part of the two, or goes on from them, would pass for one that lies.
    left_out: spaces of which it need not be known.
    """
    spaces: set[int] = set()
    if piece.kind != "pawn":
        return spaces
    for one, other in combinations(found.standing, 2):
        if one[1] != other[1] or dist(found.where.feet[one[0]], found.where.feet[other[0]]) >= piece.height:
            continue
        both = {int(found.where.space[place]) for place, _ in (one, other)}
        if not both.issubset(left_out) and not _crowded(found, one, other, piece) and _lies(found, one, other, piece):
            spaces |= both
    return spaces


def _crowded(found: Match, one: Put, other: Put, piece: Piece) -> bool:
    """Whether a third piece stands close to one of two."""
    feet = found.where.feet
    rest = [place for place, _ in found.standing if place not in (one[0], other[0])]
    gaps = np.linalg.norm(feet[rest][:, None] - feet[[one[0], other[0]]], axis=2)
    return bool((gaps < _CLOSE * piece.diameter).any())


def _lies(found: Match, one: Put, other: Put, piece: Piece) -> bool:
    where, color = found.where, one[1]
    both = np.array([one[0], other[0]])
    pixels, first = np.unique(where.pixels(both).ravel(), return_index=True)
    weight = where.weight(both).ravel()[first]
    stands = float(weight @ found.says(pixels, color))
    pixels = pixels[weight > 0]
    y, x = np.divmod(pixels, where.shape[1])
    reach = round(piece.height * PIXELS_PER_MM / 2)
    top, left = max(int(y.min()) - reach, 0), max(int(x.min()) - reach, 0)
    own = found.evidence[:, color].reshape(where.shape)[top : y.max() + reach, left : x.max() + reach]
    small = np.asarray(cv2.resize(own, None, fx=1 / _STEP, fy=1 / _STEP, interpolation=cv2.INTER_AREA), np.float32)
    middles = (slice((v.min() - start) // _STEP, (v.max() - start) // _STEP + 1) for v, start in ((y, top), (x, left)))
    best = float((_around(small, _side(piece), *middles) @ _shapes(piece)).max())
    return best * (_STEP / PIXELS_PER_MM) ** 2 * EVIDENCE > _AS_GOOD * stands


def _around(layer: Flat, side: int, rows: slice, cols: slice) -> Flat:
    """What lies in the square of so many pixels round each of these pixels, 0 beyond the edge: (N, side²)."""
    wide = np.pad(layer, side // 2)
    return np.lib.stride_tricks.sliding_window_view(wide, (side, side))[rows, cols].reshape(-1, side**2)


def _side(piece: Piece) -> int:
    """The side of a square, in pixels, in which a pawn lies however it is turned; odd."""
    return 2 * int(np.ceil(piece.height * PIXELS_PER_MM / _STEP / 2 + 2)) + 1


@lru_cache(maxsize=4)
def _shapes(piece: Piece) -> Flat:
    """The outline of a lying pawn, seen from above, turned each way, 0 or 1: (side², ways)."""
    body, side = profile(piece) * (PIXELS_PER_MM / _STEP), _side(piece)
    y, x = np.mgrid[:side, :side] - side // 2
    turns = np.arange(_WAYS) * 2 * np.pi / _WAYS
    return np.stack([_shape(x, y, turn, body, float(body[-1, 0])).ravel() for turn in turns.tolist()], axis=1)


def _shape(
    x: npt.NDArray[np.int64], y: npt.NDArray[np.int64], turn: float, body: npt.NDArray[np.float64], length: float
) -> Flat:
    along = x * np.cos(turn) + y * np.sin(turn) + length / 2
    across = np.abs(y * np.cos(turn) - x * np.sin(turn))
    wide = np.interp(along, body[:, 0], body[:, 1], left=-1.0, right=-1.0)
    return np.asarray(across <= wide, np.float32)
