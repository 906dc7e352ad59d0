"""One thing taken for several pieces: a coin or a bottle's cap, round, flat, and as bright in one place as in another.

Pieces that stand together leave gaps and notches, and each has its bright side and its dark one. A ball has these too,
but is rounder than any three pieces.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board.places import Places
from companion.vision.board.standing import Match, Put
from companion.vision.view.pose import Frame

Small = npt.NDArray[np.uint8]

_OWN = 1.0  # nats from which on a pixel shows the colour
_MOST = 0.5  # share of what is seen of a piece that must lie in one patch of its colour
_NEAR = 3.0  # diameters within which pieces may be one thing
_FULL = 0.925  # share of its convex hull that a patch fills at least
_EVEN = 0.25  # natural log by which the brightest tenth of it differs at most from the darkest
_MANY, _ROUND = 3, 0.955  # pieces that would leave notches, however they stand; and the share that they cannot fill
_RIM = 2  # pixels of its rim, where it is blurred, that are not looked at
_FLOOR = 10.0  # of three channels of 255 each, so that black does not count


def one_thing(found: Match, flat: Frame, left_out: Collection[int] = ()) -> set[int]:
    """Spaces, by number, whose pieces may be one thing that is larger than a piece. flat: uint8 BGR.

    Chosen on pictures of another hand: 14 of their 16 groups that were coins or caps are such; of 101 groups of pieces
    that were read right in frames of films, and 87 in these pictures, none is. Of 44 other groups that were read right
    the roundest fills 0.90 of its hull, but for five pawns in a base that were a doubt already; a ball fills 0.97.
    """
    where, doubted = found.where, set[int]()
    if where.piece.kind == "disc":
        return doubted
    for members, patch, corner in _patches(found):
        spaces = {int(where.space[place]) for place in members}
        if spaces <= set(left_out):
            continue
        filled = _filled(patch)
        if filled > _FULL and ((len(members) >= _MANY and filled > _ROUND) or _even(patch, flat, corner)):
            doubted |= spaces
    return doubted


def _patches(found: Match) -> Iterator[tuple[list[int], Small, tuple[int, int]]]:
    """The places of each two or more pieces that show one patch of their colour; the patch, 0 or 1 (rows, cols), and
    where its first pixel lies, (row, column)."""
    waiting = list(found.standing)
    while waiting:
        first = waiting.pop()
        near = [piece for piece in waiting if piece[1] == first[1] and _apart(found.where, first, piece) < _NEAR]
        if not near:
            continue
        rows, cols = _box(found.where, [first, *near])
        shown = found.evidence.reshape(*found.where.shape, -1)[rows, cols, first[1]] > _OWN
        labels = cv2.connectedComponents(shown.astype(np.uint8), connectivity=4)[1]
        own = {piece: _label(found, piece, labels, rows, cols) for piece in (first, *near)}
        members = [piece for piece, label in own.items() if label == own[first] > 0]
        waiting = [piece for piece in waiting if piece not in members]
        if len(members) > 1:
            yield [place for place, _ in members], (labels == own[first]).astype(np.uint8), (rows.start, cols.start)


def _apart(where: Places, one: Put, other: Put) -> float:
    """How many diameters lie between two feet."""
    return math.dist(where.feet[one[0]], where.feet[other[0]]) / where.piece.diameter


def _box(where: Places, pieces: list[Put]) -> tuple[slice, slice]:
    """The rows and columns in which some pieces are seen, and a piece more each way."""
    boxes, (rows, cols) = where.boxes[[place for place, _ in pieces]], where.shape
    margin = int((boxes[:, 2:] - boxes[:, :2]).max())
    (x0, y0), (x1, y1) = (boxes[:, :2].min(axis=0) - margin).tolist(), (boxes[:, 2:].max(axis=0) + margin).tolist()
    return slice(max(y0, 0), min(y1, rows)), slice(max(x0, 0), min(x1, cols))


def _label(found: Match, piece: Put, labels: npt.NDArray[Any], rows: slice, cols: slice) -> int:
    """The patch in which most of what is seen of a piece lies; 0 if in none."""
    y, x = np.divmod(found.shown(piece[0]), found.where.shape[1])
    if not len(y):
        return 0
    count = np.bincount(labels[y - rows.start, x - cols.start], minlength=2)
    best = int(count[1:].argmax()) + 1
    return best if count[best] > _MOST * len(y) else 0


def _filled(patch: Small) -> float:
    """The share of its convex hull that a patch fills."""
    outlines, _ = cv2.findContours(patch, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    return cv2.contourArea(outline) / max(cv2.contourArea(cv2.convexHull(outline)), 1.0)


def _even(patch: Small, flat: Frame, corner: tuple[int, int]) -> bool:
    """Whether a patch is as bright in one place as in another."""
    (y, x), (rows, cols) = corner, patch.shape
    inner = cv2.erode(patch, np.ones((2 * _RIM + 1, 2 * _RIM + 1), np.uint8)) > 0
    if not inner.any():
        return False
    bright = np.log(flat[y : y + rows, x : x + cols][inner].astype(np.float64).sum(axis=1) + _FLOOR)
    dark, light = np.quantile(bright, (0.1, 0.9))
    return bool(light - dark < _EVEN)
