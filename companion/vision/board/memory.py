"""What one look leaves for the next: the pose, the last picture in small, and what was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import BoardSeen, Content, Piece, Position, Seat, Sighting, SpaceSeen
from companion.vision.board.again import Kept
from companion.vision.board.places import Places
from companion.vision.finding.patches import Rest
from companion.vision.finding.shown import Shown
from companion.vision.light.today import Today
from companion.vision.view.pose import Downward, Flat, Floats, Frame, Pose
from companion.vision.view.tiles import framed

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
FLOOR = np.float32(0.02)
"""Linear light that is added before ratios are taken, so that black does not count."""
Mistake = tuple[Content, Content]
"""What was seen on a space, and what there was."""
Overlooked = Mapping[tuple[int, Seat], float]
"""The share of a seat's pieces on spaces of an ink that were not seen, by ink and seat."""


class Stood(NamedTuple):
    """A piece that stood on the board: on which space, by number, at which foot, mm, on how many storeys, its colour,
    by number."""

    space: int
    x: float
    y: float
    storeys: int
    color: int


@dataclass(frozen=True, eq=False)
class View:
    """All that follows from a pose: how the flat view is made, and the places where pieces may stand.

    body: the pieces as they were measured; None while that is not known. sure: whether they were all in sight then.
    rest: how its patches lie off their places while the board rests. vain: how often it was tried at length to measure
    pieces, and no body was found.
    """

    pose: Pose
    down: Downward
    places: Places
    body: Piece | None = None
    sure: bool = False
    rest: Rest = field(default_factory=dict)
    vain: int = 0

    @cached_property
    def beyond(self) -> Mask | None:
        """Pixels of the flat view that lie beyond the picture's edge, bool (rows, cols); None where there are none."""
        return self.down.beyond(self.pose.size)


@dataclass(frozen=True, eq=False)
class Look:
    """What a full reading leaves for learning, all (rows, cols) of the flat view.

    flat: uint8 BGR. today: the empty board as it was expected. clean: pixels that show the empty board in full light,
    bool. masked: pixels that a hand hides, bool, or that look like a piece which may be part of it. kept: what was
    measured and read. clear: whether hardly anything on the board looks strange. spaces: the readings, with what was
    `learned` before believed.
    """

    flat: Frame
    today: Today
    clean: Mask
    masked: Mask
    kept: Kept | None = None
    clear: bool = False
    spaces: dict[str, SpaceSeen] = field(default_factory=dict)
    learned: Learned | None = None

    @cached_property
    def open(self) -> bool:
        """Whether no hand hides anything."""
        return not self.masked.any()

    @property
    def again(self) -> Kept | None:
        """What the next reading may use."""
        return self.kept if self.open else None


@dataclass(frozen=True, eq=False)
class Learned:
    """What was ruled last, and how the board looked then, all (rows, cols) of the flat view.

    flat: uint8 BGR. shown: pixels of it that no hand hid, bool. position: what was ruled. ratio: natural log of
    the empty board's real to its expected look, float32 BGR. known: pixels for which `ratio` was learned, bool; that of
    others is their ink's. colors: the pieces', linear BGR in the seats' order, (K, 3); None while they are the sheet's.
    mistakes: what the eyes, unaided, read otherwise then than was ruled, by space. pose: the camera's then. standing:
    the pieces that were seen then. overlooked: see `companion.vision.overlooked`.
    """

    flat: Frame
    shown: Mask
    position: Position
    ratio: Flat
    known: Mask
    colors: Floats | None = None
    mistakes: Mapping[str, Mistake] = field(default_factory=dict)
    pose: Pose | None = None
    standing: tuple[Stood, ...] = ()
    overlooked: Overlooked = field(default_factory=dict)

    def change_at(self, pixels: Ints) -> Flat:
        """By what the board is lighter than expected at some pixels, raveled, (…,): (…, 3)."""
        return np.asarray(np.exp(self.ratio.reshape(-1, 3).take(pixels, axis=0)))

    @cached_property
    def change(self) -> Flat:
        """By what the board is lighter than expected, framed for tiles to be cut from it."""
        return framed(np.exp(self.ratio))

    @cached_property
    def change_in_half(self) -> Flat:
        """The same at half the size."""
        rows, cols = self.ratio.shape[0] // 2, self.ratio.shape[1] // 2
        small = cv2.resize(self.ratio[: 2 * rows, : 2 * cols], (cols, rows), interpolation=cv2.INTER_AREA)
        return np.asarray(np.exp(small), np.float32)


def as_learned(expected: Flat, change: Flat) -> Flat:
    """The expected empty board, linear BGR, with what was learned of its look: a part of `Learned.change`."""
    return np.asarray(np.clip((expected + FLOOR) * change - FLOOR, 1e-4, np.inf), np.float32)


@dataclass(frozen=True, eq=False)
class Memory:
    """Carried from look to look; a new game starts without one.

    view: from the last pose; kept while the board is lost. glance: the last frame in small, uint8 BGR. board: what
    was read when the board last lay still. read: the frame from which on it is told what came or went, in small, and
    read_as: what was read from it. sighting: the last one. look: what there is to learn from the last reading.
    learned: what `learn` made of earlier ones. shown: where somebody showed the board to lie. stale: whether the next
    frame is to be read whatever it shows.
    """

    view: View | None = None
    glance: Frame | None = None
    read: Frame | None = None
    sighting: Sighting | None = None
    board: BoardSeen | None = None
    look: Look | None = None
    learned: Learned | None = None
    shown: Shown | None = None
    stale: bool = False
    read_as: BoardSeen | None = None

    @property
    def body(self) -> Piece | None:
        """The pieces as they were measured; None while that is not known."""
        return None if self.view is None else self.view.body
