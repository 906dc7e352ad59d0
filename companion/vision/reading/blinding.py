"""Spaces in a lamp's image that burns out: its light may lie over pieces, too, and nobody knows how much of it.

A brown pawn with white light added is a grey one, with more of it a faint shade, and at last as white as all the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np

from companion.model import Space
from companion.vision.board.again import Kept
from companion.vision.board.hands import Mask
from companion.vision.board.standing import Match
from companion.vision.light.washed import burnt_out, in_two
from companion.vision.view.opening import disc
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.scene import PIXELS_PER_MM
from companion.vision.view.surface import linear

_ADDED = 0.15  # share of white's light that must be added in two channels, at least
_MUCH = 0.4  # the same where the board has thin lines, which are blurred
_STEP = 4  # pixels of the flat view to one that is looked at
_NEAR = 1.5  # diameters round a foot within which is looked
_WIDE = 1.6  # times as far is looked for what tells whether light is added
_SHARE, _MOSTLY = 0.3, 0.5  # of the board there that burns out; of the part that tells it to which light is added
_LEAST = 0.05  # of all that lies there, which must be such a part
_SHADE = 0.1  # share of an empty space's middle that does not burn out with what lies round about
_ALL = 0.9  # share of what lies round about which burns out where nothing is to be seen
_AS_LIGHT = 0.8  # times as much light as comes from what burns out: board of which as much comes burns out, too


def blinding(
    found: Match, kept: Kept, dim: Mask, spaces: Sequence[Space], left_out: Collection[int] = ()
) -> set[int]:
    """Spaces, by number, in whose neighbourhood a lamp's image burns out, and on which a pawn or a marble stands, or
    something seems to, or nothing is to be seen.

    dim: what looks like a shadow, bool (rows, cols). left_out: spaces that are not looked at. In 224 pictures of
    another hand, on which this was chosen and where lamps shine over the pieces, ten of 21 readings that were sure and
    wrong are doubts with it, and twelve that were right; frames of 27 films have no such lamp.
    """
    where = found.where
    if where.piece.kind == "disc":
        return set()
    bare = found.front.reshape(where.shape)[::_STEP, ::_STEP] > 1e8
    burnt = bare & burnt_out(kept.flat[::_STEP, ::_STEP])
    if not burnt.any():
        return set()
    near, own = _NEAR * where.piece.diameter, where.piece.diameter / 2
    number = np.array([*(where.space[place] for place, _ in found.standing), *range(len(spaces))])
    middles = np.array([(space.x, space.y) for space in spaces])
    at = np.concatenate([where.feet[[place for place, _ in found.standing]], middles])
    all_lit = _round_about(burnt, at, near)
    blind = np.flatnonzero(all_lit > _SHARE * _round_about(bare, at, near))
    if not len(blind):
        return set()
    due, tells, added = _added(kept)
    told, lit = (_round_about(bare & part, at[blind], _WIDE * near) for part in (tells, tells & added))
    blind = blind[(lit > _MOSTLY * told) & (told > _LEAST)]
    if not len(blind):
        return set()
    shade = _round_about(dim[::_STEP, ::_STEP] | _holes(burnt, bare, due, 2 * own), at[blind], own)
    unseen = (shade > _SHADE) | (all_lit[blind] > _ALL)
    return set(number[blind[(blind < len(found.standing)) | unseen]].tolist()) - set(left_out)


def _added(kept: Kept) -> tuple[Flat, Mask, Mask]:
    """How bright the board is in the light that lies all over it, (rows, cols); and where it would tell whether more
    was added, which bright paper would not, and where it was; bool (rows, cols) each."""
    due, white = kept.today.coarsely(_STEP)
    seen = linear(kept.flat[::_STEP, ::_STEP])
    (broad, some), (lines, much) = (_more(seen, due + share * white) for share in (_ADDED, _MUCH))
    broad = cv2.erode(broad.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    level = np.asarray(cv2.transform(due, np.full((1, 3), 1 / 3, np.float32)), np.float32)
    return level, broad | lines, np.where(broad, some, much)


def _more(seen: Flat, due: Flat) -> tuple[Mask, Mask]:
    """Where it would show, and where it shows, that two channels are brighter than is due, bool (rows, cols) each."""
    return in_two(due < 1), in_two(seen > due)


def _holes(burnt: Mask, bare: Mask, due: Flat, wide: float) -> Mask:
    """Board, bool (rows, cols), that does not burn out in the midst of what does, though it is as light. wide: mm."""
    closed = cv2.morphologyEx(burnt.astype(np.uint8), cv2.MORPH_CLOSE, disc(wide * PIXELS_PER_MM / _STEP)) > 0
    share = _around(burnt, wide)
    level = _around(np.where(burnt, due, 0), wide) / np.maximum(share, 1e-6)
    return np.asarray(bare & closed & ~burnt & (due > _AS_LIGHT * level))


def _around(part: Mask | Flat, radius: float) -> Flat:
    """The mean of a part, (rows, cols), in a disc round each pixel. radius: mm."""
    near = disc(radius * PIXELS_PER_MM / _STEP).astype(np.float32)
    kernel = near / near.sum()
    return np.asarray(cv2.filter2D(part.astype(np.float32), -1, kernel, borderType=cv2.BORDER_CONSTANT), np.float32)


def _round_about(part: Mask, places: Floats, radius: float) -> Floats:
    """The share of a part, bool (rows, cols), in a disc round some places of the board, mm (N, 2): (N,)."""
    near = disc(radius * PIXELS_PER_MM / _STEP)
    edge, (rows, cols) = len(near) // 2, part.shape
    wide = cv2.copyMakeBorder(part.astype(np.uint8), edge, edge, edge, edge, cv2.BORDER_CONSTANT)
    x, y = np.floor(places * (PIXELS_PER_MM / _STEP)).astype(int).T
    corner = y.clip(0, rows - 1) * wide.shape[1] + x.clip(0, cols - 1)
    down, across = near.nonzero()
    return np.asarray(wide.ravel().take(corner[:, None] + down * wide.shape[1] + across).mean(axis=1))
