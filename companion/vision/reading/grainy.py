"""Pieces that hide in their ground: each of their pixels may be the ground, all of them together may not.

Where noise is strong, every pixel is told from the board with so much doubt that a piece of nearly the ground's colour
is nothing. But noise is gone where pixels are averaged over the size of a piece, and a piece is not. So it is with a
piece of another hue than was learned for its seat's: it fits neither its own colour nor the ground's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Sheet, Space, SpaceSeen
from companion.vision.board.again import Kept
from companion.vision.board.evidence import look_of
from companion.vision.light.today import middle
from companion.vision.reading.plain_sight import BLIND_BRIGHT, BLIND_HUE
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.scene import PIXELS_PER_MM
from companion.vision.view.surface import GAMMA, Surface

Mask = npt.NDArray[np.bool_]
Box = tuple[slice, slice]

_PER_MM = PIXELS_PER_MM / 2  # of a view of half the size
_TOP = 0.75  # of a piece's diameter: over so much it is averaged
_SPREADS = np.array([0.02, 0.006, 0.006])  # natural log of brightness, and hue: what is averaged differs so much anyway
_OUT, _HUE_OUT = 5.0, 4.0  # spreads that chance does not make; in hue alone, which no shadow of a clear print makes
_STEP = 0.8  # grey levels: a webcam's JPEG has colour in steps of two, block by block; one is, in hue, four times this
# share of the ground's level, and chance
_BLEED = 1  # pixels by which its colours bleed over their edges
_LOOKS = 3  # over the size of a piece, each way, it is looked so often
_FEWEST = 4  # pieces' tops that must be seen of a ground


def grainy(
    half: Flat, kept: Kept, free: Mask, sheet: Sheet, spaces: Mapping[str, SpaceSeen], known: Collection[str]
) -> set[str]:
    """Wide spaces that were read empty on which something of the size of a piece stands out of all the rest: in hue;
    or in brightness, where the ink varies so much today that pieces hide in it.

    half: what is seen at half the size, linear BGR. free: where neither pieces nor hands are seen, bool (rows, cols) of
    the whole size. known: spaces that are left out.
    """
    tables = kept.ground.tables
    blind = (tables["bright"] > BLIND_BRIGHT) | (tables["hue"] > BLIND_HUE)
    found, free = set(), free[::2, ::2]
    for name, space in sheet.spaces.items():
        if not space.is_area or name in known or spaces[name].content or spaces[name].covered:
            continue
        ground = _ground(kept.today.surface, space)
        if ground is None:
            continue
        off, least = _looks(half, kept, ground.box, ground.own & free[ground.box], sheet)
        if len(off) and (
            outstanding(off[:, 1:], least[1:]) > _HUE_OUT or (blind[ground.ink] and outstanding(off, least) > _OUT)
        ):
            found.add(name)
    return found


class _Ground(NamedTuple):
    """The ground of a space: the rows and columns, at half the size, in which it lies, its commonest ink, and which
    pixels of it are of that, bool."""

    box: Box
    ink: int
    own: Mask


@kept(most=20)
def _ground(surface: Surface, space: Space) -> _Ground | None:
    """The ground of a space; None of one beside the board."""
    inks, box = surface.half.inks, _box(space, surface.half.inks.shape)
    if not inks[box].size:
        return None
    ink, (y, x) = int(np.bincount(inks[box].ravel()).argmax()), np.ogrid[box]
    round_it = (x / _PER_MM - space.x) ** 2 + (y / _PER_MM - space.y) ** 2 < space.radius**2
    return _Ground(box, ink, round_it & (inks[box] == ink))


def _box(space: Space, shape: tuple[int, ...]) -> Box:
    """The rows and columns, at half the size, in which a space lies: none of one beside the board."""
    ends = zip((space.y, space.x), shape, strict=True)
    y, x = (slice(max(int((at - space.radius) * _PER_MM), 0), max(min(int((at + space.radius) * _PER_MM), most), 0))
            for at, most in ends)  # fmt: skip
    return y, x


def _looks(half: Flat, kept: Kept, box: Box, ground: Mask, sheet: Sheet) -> tuple[Floats, Floats]:
    """How some `ground` looks, averaged over the size of a piece at several places, against the empty board: natural
    log of brightness, and hue, (N, 3), none where there is no room for enough pieces; and by how much these differ
    anyway, (3,)."""
    side = max(3, round(_TOP * sheet.piece.diameter * _PER_MM) | 1)
    within = np.ones((side + 2 * _BLEED,) * 2, np.uint8)
    inner = cv2.erode(ground.astype(np.uint8), within, borderValue=0) > 0
    if np.count_nonzero(inner) < _FEWEST * side**2:
        return np.zeros((0, 3)), _SPREADS
    step = max(1, side // _LOOKS)
    y, x = np.nonzero(inner[::step, ::step])
    some = step * (y * inner.shape[1] + x)
    views = (cv2.blur(view[box], (side, side)) for view in (half, kept.today.half, kept.today.even))
    seen, usual, even = (np.asarray(view, np.float32).reshape(-1, 3).take(some, axis=0) for view in views)
    looks, due = (look_of(view / even) for view in (seen, usual))
    return looks - due, np.hypot(_SPREADS, (0, *2 * [_STEP / _level(seen)]))


def _level(seen: Flat) -> float:
    """The grey level, 0 to 255, of linear BGR (N, 3), on average."""
    return float(255 * max(seen.mean(), 1e-4) ** (1 / GAMMA))


def outstanding(off: Floats, least: Floats) -> float:
    """By how many spreads of all of them that of (N, 3), or of hues alone, (N, 2), which lies farthest off the middle
    does so. least: they differ by so much anyway, (3,) or (2,)."""
    each = np.ascontiguousarray(off.T)
    each -= middle(each)[:, None]
    spread = np.hypot(1.48 * middle(np.abs(each)), least)
    return float(np.sqrt((((each / spread[:, None]) ** 2).sum(axis=0)).max()))
