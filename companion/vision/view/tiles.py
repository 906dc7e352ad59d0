"""Tiles of the flat view: what needs a close look is cut out and looked at in one piece.

They lie side by side in that piece: its few long rows are filtered much faster than many short ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Box = tuple[slice, slice]
"""Rows and columns of a part of the flat view."""

INNER, BORDER = 12, 2  # pixels: the side of a tile, and what is cut out round it so that its edges can be smoothed
SIDE = INNER + 2 * BORDER
_BY_HALF = 2


@dataclass(frozen=True, eq=False)
class Tiles:
    """Some tiles, N of them, of a flat view of `shape` (rows, cols). chosen: their numbers, row by row."""

    shape: tuple[int, int]
    chosen: Ints

    def cut(self, framed: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The tiles with their borders, side by side, (SIDE, N · SIDE, …), of a layer that is `framed`."""
        return _cut(framed, self._places(), INNER, SIDE)

    def cut_half(self, half: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The same of a layer of half the size, (rows // 2, cols // 2, …), each of whose pixels becomes four."""
        small = half.reshape(half.shape[0] * half.shape[1], -1).take(self._pixels_of_half, axis=0)
        size = (small.shape[1] * _BY_HALF, small.shape[0] * _BY_HALF)
        return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_NEAREST))

    def pixels(self) -> Ints:
        """Which pixel of the view, raveled, each pixel of the tiles is, (SIDE, N · SIDE); −1 in their borders and where
        the view ends."""
        (y, x), inner = (places * INNER for places in self._places()), np.arange(INNER)
        down, right = inner[:, None, None] + y[:, None], inner + x[:, None]
        result = np.full((SIDE, len(self.chosen), SIDE), -1)
        there = (down < self.shape[0]) & (right < self.shape[1])
        result[BORDER:-BORDER, :, BORDER:-BORDER] = np.where(there, down * self.shape[1] + right, -1)
        return result.reshape(SIDE, -1)

    def holding(self, pixels: Ints) -> tuple[Ints, Ints]:
        """Which of the tiles, by rank, hold some pixels of the view, raveled, (N,); and where each pixel lies if these
        tiles alone are cut and raveled, −1 for nowhere."""
        across = mesh(self.shape)[1]
        y, x = _divided(pixels, self.shape[1])
        (down, row), (right, col) = _divided(y, INNER), _divided(x, INNER)
        rank = _ranks(self.chosen, mesh(self.shape)[0] * across).take(down * across + right)
        there = rank >= 0
        few = np.flatnonzero(np.bincount(rank[there], minlength=len(self.chosen)))
        order = _ranks(few, len(self.chosen)).take(rank)
        return few, np.where(there, ((row + BORDER) * len(few) + order) * SIDE + col + BORDER, -1)

    def among(self, pixels: Ints, few: Ints) -> Ints:
        """Where some pixels of these tiles, raveled, lie if only a few of the tiles, by rank, are cut and raveled: −1
        for nowhere."""
        row, x = _divided(pixels, len(self.chosen) * SIDE)
        tile = x // SIDE
        new = _ranks(few, len(self.chosen)).take(tile)
        return np.where(new < 0, -1, (row * len(few) + new - tile) * SIDE + x)

    @cached_property
    def _pixels_of_half(self) -> Ints:
        """The pixels of a view of half the size, raveled, that `cut_half` cuts out."""
        ends, side = [size // _BY_HALF for size in self.shape], np.arange(SIDE // _BY_HALF)
        starts = (at * (INNER // _BY_HALF) - BORDER // _BY_HALF for at in self._places())
        y, x = ((start[:, None] + side).clip(0, end - 1) for start, end in zip(starts, ends, strict=True))
        return np.asarray((y.T[:, :, None] * ends[1] + x).reshape(len(side), -1))

    def _places(self) -> tuple[Ints, Ints]:
        y, x = np.divmod(self.chosen, mesh(self.shape)[1])
        return y, x


def mesh(shape: tuple[int, ...]) -> tuple[int, int]:
    """How many tiles there are down and across."""
    return -(-shape[0] // INNER), -(-shape[1] // INNER)


def framed(layer: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A layer, (rows, cols, …), with as much round it as the tiles at its edges need."""
    down, across = mesh(layer.shape)
    below, beside = down * INNER + BORDER - layer.shape[0], across * INNER + BORDER - layer.shape[1]
    return np.asarray(cv2.copyMakeBorder(layer, BORDER, below, BORDER, beside, cv2.BORDER_REPLICATE))


def touched(half: Mask, shape: tuple[int, int]) -> Tiles:
    """The tiles of a flat view in which, with their borders, a mask of half its size is set anywhere; the first one if
    there are none."""
    inner, border = INNER // _BY_HALF, BORDER // _BY_HALF
    total = cv2.integral(half.astype(np.uint8))
    ends = []
    for count, size in zip(mesh(shape), half.shape, strict=True):
        start = np.arange(count) * inner
        ends.append((np.clip(start - border, 0, size), np.clip(start + inner + border, 0, size)))
    (y0, y1), (x0, x1) = ends
    rows = total[y1] - total[y0]
    chosen = np.flatnonzero(rows[:, x1] - rows[:, x0])
    return Tiles(shape, chosen if len(chosen) else np.zeros(1, np.int64))


def within(shape: tuple[int, int], boxes: tuple[Box, ...]) -> Tiles:
    """The tiles that some boxes of a flat view touch."""
    hit = np.zeros(mesh(shape), bool)
    for down, across in boxes:
        hit[down.start // INNER : -(-down.stop // INNER), across.start // INNER : -(-across.stop // INNER)] = True
    return Tiles(shape, np.flatnonzero(hit))


def _cut(wide: npt.NDArray[Any], places: tuple[Ints, Ints], step: int, side: int) -> npt.NDArray[Any]:
    down, across = ((size - side) // step + 1 for size in wide.shape[:2])
    (by_row, by_col), rest = wide.strides[:2], wide.strides[2:]
    windows = np.lib.stride_tricks.as_strided(
        wide,
        (down, across, side, side, *wide.shape[2:]),
        (step * by_row, step * by_col, by_row, by_col, *rest),
        writeable=False,
    )
    return windows[places].swapaxes(0, 1).reshape(side, -1, *wide.shape[2:])


def _ranks(some: Ints, count: int) -> Ints:
    """Where among some numbers each of so many stands, −1 for nowhere: (count,)."""
    ranks = np.full(count, -1)
    ranks[some] = np.arange(len(some))
    return ranks


def _divided(values: Ints, by: int) -> tuple[Ints, Ints]:
    """Quotients and remainders: as `np.divmod` has them, which takes longer."""
    quotient = values // by
    return quotient, values - quotient * by
