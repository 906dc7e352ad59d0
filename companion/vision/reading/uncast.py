"""Shadows that nothing casts: where one lies, a piece may stand that looks like the board.

The dark side of a tall disc, and what it casts beside itself, look like the square in a shadow. Of white pawns in a
white base, too, little is seen but their shadows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Seat, Space, SpaceSeen
from companion.vision.board.standing import Match
from companion.vision.reading.spaces import less_sure
from companion.vision.view.keeping import kept
from companion.vision.view.scene import PIXELS_PER_MM, Scene

Mask = npt.NDArray[np.bool_]

_INNER = 0.8  # of a square's radius: what lies farther out may be a neighbour's
_LEAST, _MOST = 0.1, 1.0  # of a disc's face: what of the square is dim; of a whole shadow, which else falls on it
_STANDS = 0.1  # how often a disc stands there: of 69 such squares of the pictures on which this was seen 8 held one
_BODY, _WITHIN = 0.5, 0.95
"""Of a round body's foot: a larger shadow that lies within so much of the radius of a wide space is cast there."""
PERHAPS_MORE = -1.0
"""Nats by which one more piece is less likely where so large a shadow lies beside some: of 30 such readings of twelve
filmed games 11 were one short, all in one game; of 207 others 8."""
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
    face = np.pi / 4 * (scene.sheet.piece.diameter * _PER_MM) ** 2
    dim, cast = _coarse(dim), _coarse(cast)
    seats, result, names = sorted(scene.sheet.colors), dict(spaces), list(spaces)
    level: dict[Seat, float] = dict.fromkeys(seats, float(np.log(_STANDS / (1 - _STANDS) / len(seats))))
    for index in shadows_within(dim, cast, _insides(scene, dim.shape), face):
        if _asked(spaces[names[index]]) and names[index] not in known:
            result[names[index]] = less_sure(spaces[names[index]], level)
    return result


def shadowed(dim: Mask, scene: Scene, spaces: dict[str, SpaceSeen]) -> set[str]:
    """The wide spaces that were read as empty, and within which a shadow lies. dim: those that nothing found casts, as
    in `uncast`. Discs have none: see there."""
    if scene.sheet.piece.kind == "disc":
        return set()
    foot, dim = np.pi / 4 * (scene.sheet.piece.diameter * _PER_MM) ** 2, _coarse(dim)
    wide = _wide_spaces(scene, dim.shape)
    return {name for name, space in wide.items() if _asked(spaces[name]) and _cast_within(dim, space, foot)}


def perhaps_more(
    dim: Mask, found: Match, scene: Scene, spaces: Mapping[str, SpaceSeen], known: Collection[str]
) -> set[str]:
    """The wide spaces on which some pieces were read, and within which a shadow lies as large as one of these: it may
    be one more, of the ground's colour. dim: as in `shadowed`. known: spaces that are left out."""
    if scene.sheet.piece.kind == "disc":
        return set()
    names, size, dim = list(spaces), dict[str, int](), _coarse(dim)
    for place, _ in found.standing:
        name = names[found.where.space[place]]
        size[name] = max(len(found.where.hidden_by(place)[0]) // _COARSE**2, size.get(name, 1))
    wide = _wide_spaces(scene, dim.shape)
    asked = [name for name in size.keys() & wide.keys() if name not in known and not spaces[name].covered]
    return {name for name in asked if _larger_within(dim, wide[name], size[name])}


def _asked(seen: SpaceSeen) -> bool:
    return not (seen.content or seen.covered)


def _on_board(space: Space, shape: tuple[int, ...]) -> bool:
    """Whether any of a space lies in the coarse view: a base may lie beside the board."""
    ends = zip((space.y, space.x), shape, strict=True)
    return all(-space.radius * _PER_MM < at * _PER_MM < size + space.radius * _PER_MM for at, size in ends)


def _coarse(mask: Mask) -> Mask:
    return np.ascontiguousarray(mask[::_COARSE, ::_COARSE])


class _Wide(NamedTuple):
    """A wide space. box: the rows and columns round it. within: what of these lies well within it, bool."""

    box: tuple[slice, slice]
    within: Mask


@kept()
def _wide_spaces(scene: Scene, shape: tuple[int, ...]) -> dict[str, _Wide]:
    """The wide spaces of which any lies in the coarse view, of a `shape`."""
    wide = dict[str, _Wide]()
    for name, space in scene.sheet.spaces.items():
        if not (space.is_area and _on_board(space, shape)):
            continue
        middle, reach = np.array([space.y, space.x]) * _PER_MM, space.radius * _PER_MM
        top, left = np.maximum(middle - reach - 1, 0).astype(int).tolist()
        bottom, right = np.minimum((middle + reach + 2).astype(int), shape).tolist()
        y, x = np.ogrid[top:bottom, left:right]
        off = (y - middle[0]) ** 2 + (x - middle[1]) ** 2
        wide[name] = _Wide((slice(top, bottom), slice(left, right)), off <= (_WITHIN * reach) ** 2)
    return wide


def _cast_within(dim: Mask, space: _Wide, foot: float) -> bool:
    """Whether a shadow lies well within a wide space that is larger than half a piece's foot, which has so many pixels:
    one that something beside the space casts goes on beyond it."""
    if np.count_nonzero(dim[space.box]) <= _BODY * foot:
        return False
    count, labels = cv2.connectedComponents(_without_grain(dim[space.box]))
    touching = np.bincount(labels[~space.within], minlength=count) > 0
    return bool(((np.bincount(labels.ravel()) > _BODY * foot) & ~touching)[1:].any())


def _larger_within(dim: Mask, space: _Wide, size: int) -> bool:
    """Whether a part of a shadow that lies within a wide space has more pixels than so many."""
    if np.count_nonzero(dim[space.box] & space.within) <= size:  # nor has any part
        return False
    part = _without_grain(dim[space.box]) * space.within
    labels = cv2.connectedComponents(part)[1]
    return bool((np.bincount(labels.ravel())[1:] > size).any())


def _without_grain(dim: Mask) -> npt.NDArray[np.uint8]:
    """A part of a shadow, 0 or 1, without grain."""
    return np.asarray(cv2.morphologyEx(dim.astype(np.uint8), cv2.MORPH_OPEN, _GRAIN), np.uint8)


def shadows_within(dim: Mask, cast: Mask, insides: npt.NDArray[np.int16], face: float) -> set[int]:
    """The spaces, by number, on which small shadows lie that nothing casts.

    insides: which space each pixel is well within, −1 if none; (rows, cols) each. face: pixels of a disc's face.
    """
    labels = np.asarray(cv2.connectedComponents(_without_grain(dim))[1], np.int32)
    small = np.bincount(labels.ravel()) < _MOST * face  # sooner than OpenCV counts them
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
