"""What one look leaves for the next: the pose, the last picture in small, and what was read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.model import BoardSeen, Position, Sighting
from companion.vision.again import Kept
from companion.vision.places import Places
from companion.vision.pose import Flat, Frame, Pose

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class View:
    """All that follows from a pose: the maps of the flat view, and the places where pieces may stand."""

    pose: Pose
    maps: tuple[Flat, Flat]
    places: Places


@dataclass(frozen=True, eq=False)
class Look:
    """What a full reading leaves for learning, all (rows, cols) of the flat view.

    flat: uint8 BGR. ratio: natural log of seen to expected, float32 BGR. clean: pixels that show the empty board
    in full light, bool. masked: pixels that a hand hides, bool. kept: what the next reading may use.
    """

    flat: Frame
    ratio: Flat
    clean: Mask
    masked: Mask
    kept: Kept | None = None


@dataclass(frozen=True, eq=False)
class Learned:
    """What was ruled last, and how the board looked then, all (rows, cols) of the flat view.

    flat: uint8 BGR. shown: pixels of it that no hand hid, bool. position: what was ruled. ratio: natural log of
    the empty board's real to its expected look, float32 BGR. known: pixels for which `ratio` was learned, bool.
    """

    flat: Frame
    shown: Mask
    position: Position
    ratio: Flat
    known: Mask


@dataclass(frozen=True, eq=False)
class Memory:
    """Carried from look to look; a new game starts without one.

    view: from the last pose; kept while the board is lost. glance: the last frame in small, uint8 grey. board: what
    was read when the board last lay still, and read: the frame it was read from, in small. sighting: the last one.
    look: what there is to learn from that reading. learned: what `learn` made of earlier ones.
    """

    view: View | None = None
    glance: Frame | None = None
    read: Frame | None = None
    sighting: Sighting | None = None
    board: BoardSeen | None = None
    look: Look | None = None
    learned: Learned | None = None
