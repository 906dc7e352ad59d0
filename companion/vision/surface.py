"""A picture of the empty board, prepared: which pixels are of one ink, and where light is best measured."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.pose import Flat, Floats, Frame

Ints = npt.NDArray[np.int64]

CELL = 8  # pixels of the flat view: the side of the cells in which light is measured
_INKS = 14
_STEP = 8
_PER_INK = 300
_OF_INK = 2000
_TO_LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)


def linear(image: Frame) -> Flat:
    """Brightness in proportion to light, 0 to 1: float32, same shape, from uint8."""
    return np.asarray(cv2.LUT(image, _TO_LINEAR), np.float32)


@dataclass(frozen=True, eq=False)
class Surface:
    """The empty board straight down, uint8 BGR (rows, cols, 3), and what follows from it, computed once."""

    picture: Frame

    @cached_property
    def linear(self) -> Flat:
        """The picture in linear light."""
        return linear(self.picture)

    @cached_property
    def inks(self) -> Frame:
        """Which ink each pixel is nearest to, uint8 (rows, cols). The commonest colours that differ are inks."""
        coarse = (self.picture // 16).reshape(-1, 3).astype(np.int64)
        keys, counts = np.unique(coarse @ (256, 16, 1), return_counts=True)
        common = keys[np.argsort(-counts, kind="stable")]
        colors = np.stack([common // 256, common // 16 % 16, common % 16], axis=1) * 16 + 8
        chosen: list[Ints] = []
        for color in colors[:600]:
            if len(chosen) < _INKS and all(np.abs(color - c).max() > 40 for c in chosen):
                chosen.append(color)
        wide = self.picture.astype(np.int16)
        apart = np.stack([np.abs(wide - c.astype(np.int16)).sum(axis=2) for c in chosen])
        return np.asarray(apart.argmin(axis=0), np.uint8)

    @cached_property
    def ink_samples(self) -> tuple[Ints, ...]:
        """Some pixels, raveled, by ink, evenly over the board; none of an ink that is rare."""
        some = np.arange(self.inks.size).reshape(self.inks.shape)[::2, ::2].ravel()
        own = (some[self.inks.ravel()[some] == ink] for ink in range(int(self.inks.max()) + 1))
        return tuple(pixels[:: max(1, len(pixels) // _OF_INK)] if len(pixels) > 100 else pixels[:0] for pixels in own)

    def of_inks(self, values: Floats) -> Flat:
        """A layer that holds for each pixel the values, (inks, 3), of its ink: float32 (rows, cols, 3)."""
        table = np.zeros((1, 256, 3), np.float32)
        table[0, : len(values)] = values
        return np.asarray(cv2.LUT(self._threefold, table), np.float32)

    @cached_property
    def _threefold(self) -> Frame:
        return np.asarray(cv2.merge([self.inks] * 3), np.uint8)

    @cached_property
    def calm(self) -> npt.NDArray[np.bool_]:
        """Pixels whose neighbours are of the same ink, bool (rows, cols)."""
        box = np.ones((3, 3), np.uint8)
        return np.asarray(cv2.dilate(self.inks, box) == cv2.erode(self.inks, box))

    @cached_property
    def samples(self) -> Ints:
        """Raveled pixels from which light is measured: a mesh over the board, and some of every ink."""
        rows, cols = self.inks.shape
        y, x = np.mgrid[_STEP // 2 : rows : _STEP, _STEP // 2 : cols : _STEP]
        mesh = (y * cols + x).ravel()
        picked = [mesh[self.calm.ravel()[mesh]]]
        flat, calm = self.inks.ravel(), self.calm.ravel()
        for ink in range(int(flat.max()) + 1):
            own = np.flatnonzero((flat == ink) & calm)
            if len(own) < 50:
                own = np.flatnonzero(flat == ink)
            picked.append(own[:: max(1, len(own) // _PER_INK)])
        return np.concatenate(picked)

    @cached_property
    def sampled(self) -> npt.NDArray[np.float64]:
        """Printed colours of the `samples`, linear BGR (3, N)."""
        return self.linear.reshape(-1, 3)[self.samples].T.astype(np.float64)

    @cached_property
    def sampled_at(self) -> npt.NDArray[np.float64]:
        """Places x, y of the `samples`, −1 to 1 over the board, (2, N)."""
        rows, cols = self.inks.shape
        return np.stack([2 * (self.samples % cols) / cols - 1, 2 * (self.samples // cols) / rows - 1])

    @cached_property
    def cells(self) -> Ints:
        """The (ink, cell) pair of every pixel as one number, (rows, cols)."""
        rows, cols = self.inks.shape
        down, across = self.mesh
        y, x = np.arange(rows) // CELL, np.arange(cols) // CELL
        return (self.inks.astype(np.int64) * down + y[:, None]) * across + x

    @property
    def mesh(self) -> tuple[int, int]:
        """How many cells there are down and across."""
        rows, cols = self.inks.shape
        return -(-rows // CELL), -(-cols // CELL)

    @cached_property
    def calm_cells(self) -> tuple[Ints, Ints, Ints]:
        """Every other calm pixel, raveled; their `cells`; how many each (ink, cell) pair has, (inks, down, across)."""
        calm = np.flatnonzero(self.calm.ravel())[::2]
        pair = self.cells.ravel()[calm]
        count = int(self.inks.max()) + 1
        shares = np.bincount(pair, minlength=count * self.mesh[0] * self.mesh[1])
        return calm, pair, shares.reshape(count, *self.mesh)

    @cached_property
    def means(self) -> Floats:
        """Mean printed colour of each ink in each cell, linear BGR (inks, down, across, 3)."""
        return self.averages(self.linear)

    def averages(self, image: Flat) -> Floats:
        """Mean of `image` (rows, cols, 3) over the calm pixels of each pair: (inks, down, across, 3)."""
        calm, pair, shares = self.calm_cells
        pixels = image.reshape(-1, 3)[calm]
        sums = [np.bincount(pair, pixels[:, c], shares.size).reshape(shares.shape) for c in range(3)]
        return np.stack(sums, axis=-1) / np.maximum(shares, 1)[..., None]
