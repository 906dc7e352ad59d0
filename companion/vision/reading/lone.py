"""Something dark of a piece's outline that stands by itself, but for its own shadow: nothing beside it casts one.

A teal pawn in blue light from the window looks much as white paper in a shadow does, pixel by pixel; and so does most
of a green one over which a window's image lies.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board.evidence import Evidence
from companion.vision.board.places import Places
from companion.vision.view.pose import Flat

Mask = npt.NDArray[np.bool_]

_ODD = 1.0  # nats against the empty board, in a shadow or not
_FULL = 0.75  # share of a piece's place that looks so, at least
_BESIDE = 0.4  # share of what lies round about it that does, or is hidden, at most
_WITH_SHADOW = 3.5  # times a piece's pixels: so large is it together with its shadow, at most
_TRIES = 4  # places of a space, the fullest ones, that are looked at
_WIDE = 3  # pixels round about a piece


def lone_shapes(where: Places, told: Evidence, hidden: Mask, cast: Mask, asked: Mask) -> set[int]:
    """The spaces, by number, on which something stands by itself that has a piece's outline, and is unlike the board or
    as dark as a shadow.

    hidden: where pieces and hands are seen; cast: where pieces that were found cast their shadows; bool (rows, cols)
    each. asked: the spaces to look at, (S,). Of 24,300 readings of spaces without discs, in films and pictures of
    another hand, two that were right and sure are doubted for what is as dark as a shadow.
    """
    if where.piece.kind == "disc":
        return set()  # see `uncast`
    strange = ((told.odd > _ODD) | told.dim) & ~hidden
    places, share = where.filled((strange & ~cast).ravel(), asked, _FULL)
    if not len(places):
        return set()
    busy, found, tries = strange | hidden, set[int](), np.zeros(len(asked), int)
    size = _sizes(busy, hidden)
    for place in places[np.argsort(-share, kind="stable")].tolist():
        space = int(where.space[place])
        if space not in found and tries[space] < _TRIES:
            tries[space] += 1
            own, _ = where.hidden_by(place)
            if _beside(where, place, busy) <= _BESIDE or np.median(size.take(own)) < _WITH_SHADOW * len(own):
                found.add(space)
    return found


def _sizes(busy: Mask, hidden: Mask) -> Flat:
    """How many pixels hang together with each busy one, (rows, cols): ever so many if any is hidden; 0 elsewhere."""
    labels = np.asarray(cv2.connectedComponents(busy.astype(np.uint8))[1], np.int32)
    many = np.bincount(labels.ravel()).astype(np.float32)  # sooner than OpenCV's own count
    many[labels[hidden]], many[0] = np.inf, 0
    return many.take(labels)


def _beside(where: Places, place: int, busy: Mask) -> float:
    """The share of the pixels round about a piece at a place that are busy."""
    y, x = np.divmod(where.hidden_by(place)[0], where.shape[1])
    top, left = max(int(y.min()) - _WIDE, 0), max(int(x.min()) - _WIDE, 0)
    part = busy[top : int(y.max()) + _WIDE + 1, left : int(x.max()) + _WIDE + 1]
    own = np.zeros(part.shape, np.uint8)
    own[y - top, x - left] = 1
    ring = cv2.dilate(own, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * _WIDE + 1,) * 2)) > own
    return float(part[ring].mean())
