"""One tray from frame to frame: read when something changed and lies still again; nothing is read twice for nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from companion.vision.dice.left import Place, is_empty, places_of, was_bare
from companion.vision.dice.mat import INNER, MAT_HEIGHT, MAT_WIDTH, mat_markers, mat_pose
from companion.vision.dice.reading import read_dice
from companion.vision.dice.seen import DiceSeen, Tray
from companion.vision.view.pose import Flat, Floats, Frame, Pose

_SMALL = 4  # pixels of the frame for one of the glance
_LEAST, _SHARE, _ANY = 9.0, 0.004, 0.0003
_LIGHT = 1.4  # so much brighter or darker than the glance before, a row is in another light, not under a hand
_NOISE, _UNEVEN = 6.0, 0.07  # levels, and the share of the brightness, by which noise and uneven light differ at most
CALM = 0.25
"""Seconds without change before the tray is read."""
SECOND_LOOK = 0.6
"""Seconds after the last change at which it is read once more: what counts is read twice."""
_PATIENCE = 2.0  # seconds for which markers may be hidden
_ENOUGH = 8  # frames whose mean is read
_SHIFTED = 1.0  # pixels: a mat that lies nearer was not pushed
_SEARCH = 1.0  # seconds between two searches for a mat that is not there


@dataclass(frozen=True, eq=False)
class TrayMemory:
    """Carried from frame to frame. small: the tray in few pixels, BGR; glance: that in grey. quiet: that of the last
    reading. mean: the part of the frame that is watched, the mean of so many frames (count) since it lies still;
    first: the glance of the first of them.

    pose, tray: where the tray is and the pose in whose frame that is. trouble: why there is none. corners: of what is
    watched, pixels (N, 2).
    seen: the last reading, None while there is none of what lies there. moved: when the tray last changed.
    read: when it was last read. searched: when the mat was last looked for. places: where the dice lay that were seen
    last at rest. away: which of them were seen to be away since. floor: the tray as it was last seen at rest without
    dice. arrived: whether the dice of the last reading lie where that shows the bare floor, and no die.
    """

    small: Frame | None = None
    glance: Frame | None = None
    quiet: Frame | None = None
    mean: Flat | None = None
    count: int = 0
    first: Frame | None = None
    board: Pose | None = None
    pose: Pose | None = None
    tray: Tray | None = None
    corners: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    trouble: str = ""
    seen: DiceSeen | None = None
    moved: float = -1e9
    read: float = -1e9
    searched: float = -1e9
    places: tuple[Place, ...] = ()
    away: tuple[bool, ...] = ()
    floor: Frame | None = None
    arrived: bool = False

    @property
    def gone(self) -> bool:
        """Whether each of the dice that lay there was seen to be away from its place."""
        return bool(self.away) and self.bare

    @property
    def bare(self) -> bool:
        """Whether a tray without dice can be the bare one: no place where a die lay is hidden by what covers it."""
        return all(self.away)


def look_at_tray(
    frame: Frame, board: Pose, spot: Tray | None, at: float, before: TrayMemory | None = None, edge: float = 0.0
) -> tuple[DiceSeen | None, TrayMemory]:
    """The dice in the tray of a frame, uint8 BGR; None while something moves there, or where there is no tray.

    board: the pose over the sheet. spot: a rectangle of the sheet's frame, or None for the mat with markers. edge: of
    the dice, mm, where it is known.
    """
    memory = before or TrayMemory()
    if memory.board is None or (board is not memory.board and board.shifted(memory.board, 400.0, 400.0) > 1.0):
        memory = replace(memory, board=board, pose=None, glance=None, quiet=None, mean=None, seen=None, searched=-1e9)
    if memory.pose is None:
        memory = _found(frame, board, spot, at, memory)
        if memory.pose is None:
            return None, memory
    small = _small(frame, memory.corners)
    glance = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    # What came so slowly that no two pictures differ is seen to have come.
    crept = memory.seen is not None and memory.quiet is not None and _differ(memory.quiet, glance)
    moved = crept or memory.glance is None or _differ(memory.glance, glance)
    memory = replace(memory, small=small, glance=glance, moved=at if moved else memory.moved)
    memory = _with_away(memory) if moved else memory
    # The mean forgives nothing: a die that only turned a little is seen by what few pixels it changes.
    stirred = moved or memory.first is None or _differ(memory.first, glance, _ANY)
    memory = _averaged(frame, memory, stirred)
    if at - memory.moved < CALM:
        return None, replace(memory, seen=None)
    again = memory.read - memory.moved < SECOND_LOOK <= at - memory.moved
    if memory.seen is None or again:
        memory = _read(frame, spot, at, memory, edge)
    return memory.seen, memory


def _found(frame: Frame, board: Pose, spot: Tray | None, at: float, memory: TrayMemory) -> TrayMemory:
    """Where the tray is."""
    if spot is not None:
        return _placed(replace(memory, board=board), board, spot, spot)
    if at - memory.searched < _SEARCH:
        return memory
    pose = find_mat(frame, board)
    if isinstance(pose, str):
        return replace(memory, pose=None, trouble=pose, searched=at)
    return _placed(replace(memory, searched=at), pose, INNER, None)


NO_TRAY = "No dice tray can be seen: put the printed tray beside the board, or give its place in [tray]."


def find_mat(frame: Frame, board: Pose, near: Floats | None = None) -> Pose | str:
    """The pose over the mat, or why there is none."""
    markers = mat_markers(frame, near)
    return mat_pose(markers, board) if markers else NO_TRAY


def _read(frame: Frame, spot: Tray | None, at: float, memory: TrayMemory, edge: float) -> TrayMemory:
    """Read the dice; the mat may have been pushed since it was found."""
    if spot is None:
        assert memory.board is not None
        pose = find_mat(frame, memory.board, memory.corners)
        if isinstance(pose, str):
            # A hand or a die may hide a marker for a while: the mat has not gone for that.
            gone = at - memory.moved > _PATIENCE
            return replace(memory, seen=None, trouble=pose, read=at, pose=None if gone else memory.pose)
        memory = _placed(replace(memory, mean=None), pose, INNER, None) if _pushed(pose, memory) else memory
    assert memory.pose is not None and memory.tray is not None
    seen = read_dice(_calmer(frame, memory), memory.pose, memory.tray, edge)
    memory = replace(memory, seen=seen, quiet=memory.glance, read=at)
    if seen.dice:
        return _with_places(memory)
    return _with_away(memory if seen.doubts else replace(memory, floor=memory.small))


def _with_away(memory: TrayMemory) -> TrayMemory:
    """Remember which dice are seen to be away from their places in the newest glance."""
    assert memory.small is not None
    seen = zip(memory.places, memory.away, strict=True)
    return replace(memory, away=tuple(away or is_empty(place, memory.small) for place, away in seen))


def _with_places(memory: TrayMemory) -> TrayMemory:
    """Remember where the dice lie in the glance."""
    assert memory.seen is not None and memory.pose is not None and memory.tray is not None
    assert memory.small is not None
    dice, drop = memory.seen.dice, memory.tray.drop
    if memory.small.shape[:2] == (2, 2):
        return replace(memory, places=(), away=(), arrived=False)
    points = [(d.x_mm + aside, d.y_mm, d.size_mm / 2 - drop) for aside in (0.0, 10.0) for d in dice]
    at = (memory.pose.project(points) - np.floor(memory.corners.min(axis=0)).clip(0)) / _SMALL - 0.5
    scale = float(np.median(np.hypot(*(at[len(dice) :] - at[: len(dice)]).T))) / 10.0
    small, floor = memory.small, memory.floor
    places = places_of(dice, at[: len(dice)], scale, small)
    arrived = bool(places) and floor is not None and all(was_bare(place, floor, small) for place in places)
    return replace(memory, places=places, away=(False,) * len(places), arrived=arrived)


def _placed(memory: TrayMemory, pose: Pose, tray: Tray, spot: Tray | None) -> TrayMemory:
    """The memory of a tray that is known to be there. Watched is what stands in the tray, or the whole mat."""
    whole = spot or Tray(0.0, 0.0, MAT_WIDTH, MAT_HEIGHT)
    ends = [(x, y) for x in (whole.x, whole.x + whole.width) for y in (whole.y, whole.y + whole.height)]
    corners = pose.project([(x, y, z - whole.drop) for x, y in ends for z in (0.0, 20.0)])
    return replace(memory, pose=pose, tray=tray, corners=corners, trouble="")


def _pushed(pose: Pose, memory: TrayMemory) -> bool:
    """Whether the mat lies elsewhere than where it was seen last."""
    return memory.pose is None or pose.shifted(memory.pose, MAT_WIDTH, MAT_HEIGHT) > _SHIFTED


def _watched(frame: Frame, corners: Floats) -> Frame:
    """The part of the frame around these corners; nothing where they lie beyond it."""
    x0, y0 = np.floor(corners.min(axis=0)).astype(int).clip(0)
    x1, y1 = (np.ceil(corners.max(axis=0)).astype(int) + 1).clip(0)  # less than 0 would count from the other edge
    return frame[y0 : min(y1, frame.shape[0]), x0 : min(x1, frame.shape[1])]


def _averaged(frame: Frame, memory: TrayMemory, moved: bool) -> TrayMemory:
    """One frame more of what lies still; enough of them are enough."""
    if not moved and memory.count >= _ENOUGH:
        return memory
    part = _watched(frame, memory.corners)
    if moved or memory.mean is None or memory.mean.shape != part.shape:
        return replace(memory, mean=part.astype(np.float32), count=1, first=memory.glance)
    count = memory.count + 1
    mean = cv2.addWeighted(memory.mean, 1 - 1 / count, part.astype(np.float32), 1 / count, 0)
    return replace(memory, mean=np.asarray(mean, np.float32), count=count)


def _calmer(frame: Frame, memory: TrayMemory) -> Frame:
    """The frame, its watched part the mean of all the frames since that lies still."""
    if memory.mean is None or memory.count < 2 or memory.mean.shape != _watched(frame, memory.corners).shape:
        return frame
    calm = frame.copy()
    _watched(calm, memory.corners)[:] = np.clip(memory.mean + 0.5, 0, 255).astype(np.uint8)
    return calm


def _small(frame: Frame, corners: Floats) -> Frame:
    """The part of the frame around these corners, in few pixels."""
    part = _watched(frame, corners)
    if min(part.shape[:2]) < 2 * _SMALL:
        return np.zeros((2, 2, 3), np.uint8)
    size = (max(2, part.shape[1] // _SMALL), max(2, part.shape[0] // _SMALL))
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)


def _differ(one: Frame, other: Frame, most: float = _SHARE) -> bool:
    """Whether something moved between two glances, in more than this share of them, apart from the light.

    The light may have changed alike everywhere, or in each row, as that of a lamp that flickers does. Each way is
    blind to what covers most of the tray, or of some rows, at one go: what either sees has moved.
    """
    if one.shape != other.shape:
        return True
    was, now = one.astype(np.float32) + 4, other.astype(np.float32) + 4
    brighter = now / was
    rows = np.median(brighter, axis=1, keepdims=True).clip(1 / _LIGHT, _LIGHT)
    noise = max(_NOISE, _UNEVEN * float(np.median(now)))
    return _unlike(now, was * np.median(brighter), most) or _unlike(now, was * rows, most, noise)


def _unlike(now: Flat, expected: Flat, most: float, noise: float = np.inf) -> bool:
    """Whether more than this share of a glance is not as expected, where what is usual, up to so much, is noise."""
    off = np.abs(now - expected)
    return float((off > _LEAST + 4 * min(noise, float(np.median(off)))).mean()) > most
