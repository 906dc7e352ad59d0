"""Pawns that lie: what was taken for two of one colour side by side may be one that fell over."""

from __future__ import annotations

import math
from collections.abc import Collection
from itertools import combinations

import cv2
import numpy as np

from companion.model import Piece
from companion.vision.board.body import profile
from companion.vision.board.places import EVIDENCE, Places
from companion.vision.board.standing import Match, Put
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.scene import PIXELS_PER_MM

_WAYS = 24
_AS_GOOD, _LESS, _HARDLY = -0.4, -40.0, -3.5
"""Nats by which one that lies is less likely than two that stand: if it explains as much; for each share of that which
it explains less; from which on nothing is said."""
_CLOSE = 1.5  # diameters: a third piece that stands nearer belongs to a crowd
_STEP = 2  # pixels of the flat view to one in which is looked
_NEAR = 10  # mm: what lies nearer to each other looks the same
_BALLS, _LIFTS = 14, np.array((-0.5, 0.0, 0.5, 0.85))
"""As how many balls in a row one is drawn, and each of these as discs: how high, of its radius."""


def perhaps_lying(found: Match, left_out: Collection[int] = ()) -> dict[int, float]:
    """Spaces, by number, on which two pieces were put that one lying pawn explains nearly as well, or better; and by
    how many nats that is less likely.

    In a crowd nothing is said: what hides a part of the two, or goes on from them, would pass for one that lies.
    left_out: spaces of which it need not be known.
    """
    spaces, piece = dict[int, float](), found.where.piece
    if piece.kind != "pawn":
        return spaces
    for one, other in combinations(found.standing, 2):
        if one[1] != other[1] or math.dist(found.where.feet[one[0]], found.where.feet[other[0]]) >= piece.height:
            continue
        both = {int(found.where.space[place]) for place, _ in (one, other)}
        if both.issubset(left_out) or _crowded(found, one, other):
            continue
        nats = _AS_GOOD + _LESS * max(0.0, 1 - _explained(found, one, other))
        if nats > _HARDLY:
            spaces |= {space: max(nats, spaces.get(space, nats)) for space in both}
    return spaces


def _crowded(found: Match, one: Put, other: Put) -> bool:
    """Whether a third piece stands close to one of two."""
    feet = found.where.feet
    rest = [place for place, _ in found.standing if place not in (one[0], other[0])]
    gaps = np.linalg.norm(feet[rest][:, None] - feet[[one[0], other[0]]], axis=2)
    return bool((gaps < _CLOSE * found.where.piece.diameter).any())


def _explained(found: Match, one: Put, other: Put) -> float:
    """How much one lying pawn explains, as a share of what two that stand do."""
    where, color = found.where, one[1]
    both = np.array([one[0], other[0]])
    pixels, first = np.unique(where.pixels(both).ravel(), return_index=True)
    weight = where.weight(both).ravel()[first]
    stands = float(weight @ found.says(pixels, color))
    shapes = _shapes(where, *(_NEAR * (where.feet[both].mean(axis=0) / _NEAR).round().astype(int)).tolist())
    side = math.isqrt(len(shapes))
    reach = _STEP * (side // 2)
    y, x = np.divmod(pixels[weight > 0], where.shape[1])
    top, left = max(int(y.min()) - reach, 0), max(int(x.min()) - reach, 0)
    own = found.evidence[:, color].reshape(where.shape)[top : y.max() + reach, left : x.max() + reach]
    small = np.asarray(cv2.resize(own, None, fx=1 / _STEP, fy=1 / _STEP, interpolation=cv2.INTER_AREA), np.float32)
    middles = (slice((v.min() - start) // _STEP, (v.max() - start) // _STEP + 1) for v, start in ((y, top), (x, left)))
    best = float((_around(small, side, *middles) @ shapes).max())
    return best * (_STEP / PIXELS_PER_MM) ** 2 * EVIDENCE / max(stands, 1e-6)


def _around(layer: Flat, side: int, rows: slice, cols: slice) -> Flat:
    """What lies in the square of so many pixels round each of these pixels, 0 beyond the edge: (N, side²)."""
    edge = side // 2
    wide = np.asarray(cv2.copyMakeBorder(layer, edge, edge, edge, edge, cv2.BORDER_CONSTANT), np.float32)
    return np.lib.stride_tricks.sliding_window_view(wide, (side, side))[rows, cols].reshape(-1, side**2)


@kept(most=40)
def _shapes(where: Places, x: int, y: int) -> Flat:
    """The outline of a pawn whose middle lies at a place, mm, as it is seen there, turned each way, 0 to 1: (side²,
    ways)."""
    along, height, radius = _fallen(where.piece).T
    turns = np.arange(_WAYS)[:, None] * 2 * np.pi / _WAYS
    grow = where.eye[2] / np.maximum(where.eye[2] - height, 1.0)
    here = np.stack([x + along * np.cos(turns), y + along * np.sin(turns)], axis=-1)
    seen = where.eye[:2] + (here - where.eye[:2]) * grow[:, None] - (x, y)
    discs = np.dstack([seen, np.broadcast_to(radius * grow, seen.shape[:2])]) * PIXELS_PER_MM / _STEP
    half = math.ceil(float((np.abs(discs[..., :2]).max(axis=-1) + discs[..., 2]).max()))
    discs[..., :2] += half
    layers = np.zeros((_WAYS, 2 * half + 1, 2 * half + 1), np.float32)
    for layer, way in zip(layers, np.round(16 * discs).astype(int).tolist(), strict=True):
        for across, down, wide in way:
            cv2.circle(layer, (across, down), wide, 1.0, -1, cv2.LINE_AA, 4)
    return np.ascontiguousarray(layers.reshape(_WAYS, -1).T)


def _fallen(piece: Piece) -> Floats:
    """A pawn that lies along the board, its middle at 0, as discs: (along, height, radius) mm, (N, 3). It lies on the
    edge of its foot and on its head."""
    body = profile(piece)
    along = np.linspace(0, body[-1, 0], _BALLS)
    wide = np.interp(along, *body.T)
    slope = min(0.0, float(((wide[1:] - wide[0]) / along[1:]).max()))
    height = (wide[0] + slope * along)[:, None] + _LIFTS * wide[:, None]
    radius = wide[:, None] * np.sqrt(1 - _LIFTS**2)
    middle = np.repeat(along - along[-1] / 2, len(_LIFTS))
    return np.column_stack([middle, height.clip(0).ravel(), radius.ravel()])
