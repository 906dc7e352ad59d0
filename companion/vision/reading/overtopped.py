"""Stacks whose top may be a disc of another colour, which is seen farther up than the one that was put there.

A high stack leans over the next square. Where a low disc of the colour of its side explains that side best, its top is
left over, in plain sight: a white disc on three black ones was surely a black one, and a white piece was missing.
"""

from __future__ import annotations

import numpy as np

from companion.vision.board.places import Places
from companion.vision.board.standing import Ints, Match
from companion.vision.view.pose import Floats
from companion.vision.view.scene import PIXELS_PER_MM

PERHAPS_TOP = -1.0
"""Nats by which it is less likely on top than the one that was put there."""
_MUCH = 25.0
"""Nats that it must explain: in 24,000 readings of stacks in eleven filmed games 19 did, none of them wrong."""
_HIGHER = 0.25  # diameters by which its middle is seen farther from the camera, at least


def overtopped(found: Match) -> dict[int, int]:
    """The spaces, by number, on which a stack was put, and the colour of a disc that would explain much there, though
    there is no room for it, farther up than the top of that stack."""
    where = found.where
    if not found.standing or where.storeys.max() == 1:
        return {}  # nothing is stacked here: discs that lie close in an area are side by side
    put, put_color = np.array(found.standing).T
    own, color = (np.full(len(where.lone), -1) for _ in range(2))
    own[where.space[put]], color[where.space[put]] = put, put_color
    higher = _left_over(found, _above(where, own), color)
    if not len(higher):
        return {}
    gains = found.squeezed(higher)
    gains[np.arange(len(higher)), color[where.space[higher]]] = -np.inf
    much = np.flatnonzero(gains.max(axis=1) > _MUCH)
    much = much[np.argsort(gains[much].max(axis=1))]  # the last of each space is its best
    return dict(zip(where.space[higher[much]].tolist(), gains[much].argmax(axis=1).tolist(), strict=True))


def _above(where: Places, own: Ints) -> Ints:
    """Those places at which the top of a stack is seen farther from the camera than that of the stack on its space.
    own: the place of each space's stack, −1 where there is none, (S,)."""
    places = np.flatnonzero(own[where.space] >= 0)
    usual = own[where.space[places]]
    away, least = (np.linalg.norm(_tops(where, at) - where.eye[:2], axis=1) for at in (places, usual))
    return np.asarray(places[away > least + _HIGHER * where.piece.diameter])


def _tops(where: Places, places: Ints) -> Floats:
    """Where on the board the middles of the tops of stacks are seen, mm (N, 2)."""
    eye, high = where.eye, where.storeys[places] * where.piece.height
    return np.asarray(eye[:2] + (where.feet[places] - eye[:2]) * (eye[2] / (eye[2] - high))[:, None])


def _left_over(found: Match, places: Ints, color: Ints) -> Ints:
    """Those of some places at whose tops' middles no piece is seen, but another colour than the stack's that was put on
    its space, `color` (S,)."""
    where = found.where
    x, y = np.floor(_tops(where, places) * PIXELS_PER_MM).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < where.shape[1]) & (y < where.shape[0])
    places, pixels = places[inside], (y * where.shape[1] + x)[inside]
    says = found.evidence[pixels]
    says[np.arange(len(places)), color[where.space[places]]] = 0
    return np.asarray(places[(says.max(axis=1) > 0) & (found.front[pixels] > 1e8)])
