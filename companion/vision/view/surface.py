"""A picture of the empty board, prepared: which pixels are of one ink, and where light is best measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.view.pose import Flat, Floats, Frame
from companion.vision.view.tiles import framed

Ints = npt.NDArray[np.int64]

CELL = 8  # pixels of the flat view: the side of the cells in which light is measured
_INKS = 14
_STEP, _PER_INK = 10, 200  # of the pixels from which light is measured: the mesh's, in pixels; how many more of an ink
_OF_INK, _RARE = 501, 100  # pixels by which each ink is judged; fewer are too few
_OF_CALM = 2  # every so many-th calm pixel is measured
_GOOD = 0.3  # share of a cell: an ink that has less there is not measured
GAMMA = 2.2
"""The power of a picture's levels to which light is in proportion."""
_TO_LINEAR = ((np.arange(256) / 255.0) ** GAMMA).astype(np.float32)


def linear(image: Frame) -> Flat:
    """Brightness in proportion to light, 0 to 1: float32, same shape, from uint8."""
    shown = cv2.LUT(image, _TO_LINEAR) if image.size else image  # OpenCV makes None of no pixels
    return np.asarray(shown, np.float32)


def halved(image: Frame) -> Frame:
    """A picture, uint8 (rows, cols, …), half the size: (rows // 2, cols // 2, …)."""
    rows, cols = image.shape[0] // 2, image.shape[1] // 2
    even = image[: 2 * rows, : 2 * cols]
    return np.asarray(cv2.resize(even, (cols, rows), interpolation=cv2.INTER_AREA), np.uint8)


def doubled(mask: npt.NDArray[np.bool_], shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """A mask at half the size at the whole size, bool, of a `shape` (rows, cols)."""
    return np.asarray(cv2.resize(mask.astype(np.uint8), shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Inks as they are met in cells of the board: P pairs of an ink and a cell, sorted by ink.

    ink, cell: of each pair, (P,). pixels: raveled, pair by pair, and first: where each pair's begin, (P,). size: how
    many each has, (P,). color: the mean printed colour, linear BGR (3, P). mesh: how many cells down and across.
    """

    ink: Ints
    cell: Ints
    pixels: Ints
    first: Ints
    size: Floats
    color: Floats
    mesh: tuple[int, int]

    def averages(self, colors: Flat) -> Floats:
        """Mean colours, (3, P), of the pixels of each pair, from those of all `pixels`, (…, 3)."""
        return np.ascontiguousarray(np.add.reduceat(colors, self.first).T) / self.size


@dataclass(frozen=True, eq=False)
class Surface:
    """The empty board straight down, uint8 BGR (rows, cols, 3), and what follows from it, computed once.

    fine: the same at twice the size, where this is the `half`. of_photo: whether it is as a camera saw the board.
    """

    picture: Frame
    fine: Surface | None = None
    of_photo: bool = False

    @cached_property
    def half(self) -> Surface:
        """The same at half the size, with the same inks."""
        return Surface(halved(self.picture), self)

    @cached_property
    def linear(self) -> Flat:
        """The picture in linear light."""
        return linear(self.picture)

    @cached_property
    def coarse(self) -> Flat:
        """The same at half the size."""
        rows, cols = self.picture.shape[:2]
        return np.asarray(cv2.resize(self.linear, (-(-cols // 2), -(-rows // 2)), interpolation=cv2.INTER_AREA))

    @cached_property
    def framed(self) -> tuple[Flat, Frame]:
        """The picture in linear light, and its inks, so that tiles can be cut from them."""
        return framed(self.linear), framed(self.inks)

    @cached_property
    def palette(self) -> tuple[Ints, ...]:
        """The commonest colours that differ, BGR (3,) each: the inks."""
        if self.fine is not None:
            return self.fine.palette
        coarse = (self.picture // 16).reshape(-1, 3).astype(np.int64)
        keys, counts = np.unique(coarse @ (256, 16, 1), return_counts=True)
        common = keys[np.argsort(-counts, kind="stable")]
        colors = np.stack([common // 256, common // 16 % 16, common % 16], axis=1) * 16 + 8
        chosen: list[Ints] = []
        for color in colors[:600]:
            if len(chosen) < _INKS and all(np.abs(color - c).max() > 40 for c in chosen):
                chosen.append(color)
        return tuple(chosen)

    @cached_property
    def inks(self) -> Frame:
        """Which ink each pixel is nearest to, uint8 (rows, cols)."""
        wide = self.picture.astype(np.int16)
        apart = np.stack([np.abs(wide - c.astype(np.int16)).sum(axis=2) for c in self.palette])
        return np.asarray(apart.argmin(axis=0), np.uint8)

    @cached_property
    def ink_samples(self) -> Ints:
        """Pixels, raveled, by ink, evenly over the board: (inks, N). Of an ink that is rare there are any."""
        inks, every = self.inks.ravel(), np.arange(self.inks.size)
        own = (np.flatnonzero(inks == ink) for ink in range(len(self.palette)))
        return np.stack([_thinned(pixels if len(pixels) > _RARE else every) for pixels in own])

    def at(self, pixels: Ints) -> tuple[Ints, Frame, Flat]:
        """Of some pixels, raveled, (…,): where they lie in a view of half the size, raveled, their inks, (…,) each, and
        their printed colours, linear BGR (…, 3)."""
        rows, cols = (side // 2 for side in self.picture.shape[:2])
        y, x = np.divmod(pixels, self.picture.shape[1])
        near = np.minimum(y // 2, rows - 1) * cols + np.minimum(x // 2, cols - 1)
        return near, self.inks.take(pixels), self.linear.reshape(-1, 3).take(pixels, axis=0)

    @cached_property
    def known_samples(self) -> tuple[Ints, Frame, Flat]:
        """The same of the `ink_samples`."""
        return self.at(self.ink_samples)

    def of_inks(self, values: Floats) -> Flat:
        """A layer that holds for each pixel the values, (inks, 3), of its ink: float32 (rows, cols, 3)."""
        return with_inks(self.inks, values)

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
    def pairs(self) -> Pairs:
        """Where each ink is met widely enough to be measured."""
        rows, cols = self.inks.shape
        down, across = -(-rows // CELL), -(-cols // CELL)
        calm = np.flatnonzero(self.calm.ravel())[::_OF_CALM]
        y, x = np.divmod(calm, cols)
        pair = (self.inks.ravel()[calm].astype(np.int64) * down + y // CELL) * across + x // CELL
        size = np.bincount(pair)
        good = size[pair] > _GOOD * CELL**2 / _OF_CALM
        order = np.argsort(pair[good], kind="stable")
        pixels, of = calm[good][order], pair[good][order]
        own, first, count = np.unique(of, return_index=True, return_counts=True)
        ink, cell = np.divmod(own, down * across)
        bare = Pairs(ink, cell, pixels, first, count.astype(np.float64), np.zeros(0), (down, across))
        return replace(bare, color=bare.averages(self.linear.reshape(-1, 3).take(pixels, axis=0)))


def with_inks(inks: Frame, values: Floats) -> Flat:
    """A layer that holds for each pixel the values, (inks, 3), of its ink: float32 (rows, cols, 3)."""
    tables = np.zeros((3, 256), np.float32)
    tables[:, : len(values)] = values.T
    return np.asarray(cv2.merge([cv2.LUT(inks, table) for table in tables]), np.float32)


def _thinned(pixels: Ints) -> Ints:
    return np.asarray(pixels[np.linspace(0, len(pixels) - 1, _OF_INK).astype(int)])
