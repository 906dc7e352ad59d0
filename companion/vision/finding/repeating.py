"""Where a board is of which no point is unlike all others, as of squares: by these, by its outline, by its sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import cv2
import numpy as np

from companion.vision.finding.likeness import likeness
from companion.vision.finding.outline import nearest, outlines
from companion.vision.finding.patches import is_faint
from companion.vision.finding.settling import NO_TURN, NOT_FOUND, TWO_BOARDS, another, clearer, settled, size_of
from companion.vision.finding.sides import four_sided
from companion.vision.finding.squares import chequered
from companion.vision.finding.whole import aligned
from companion.vision.view.pose import Floats, Frame, Pose, solve_pose
from companion.vision.view.scene import Scene

_ROUGH = 3.0  # pixels: how well an outline's corners are seen
_TRIED = 3  # outlines, those first under which the picture is most like the board
_PLAINLY_LIKE = 0.7  # of `Likeness.share`: so much that no other start will do better
_AS_WELL = 0.03  # of `Likeness.whole`: a board of squares that is pushed by one falls behind by twice as much
_A_LITTLE = 0.04  # of its size: so much a board may be pushed, half a square of twelve


def by_squares(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None) -> Pose | str:
    """Look for the board where as many squares are seen in rows, if it is plain which of them are its own: pushed by
    one, a board is alike but for its rim."""
    reason: Pose | str = NOT_FOUND
    for starts in chequered(grey, scene, prior):
        alike = sorted(((likeness(frame, scene, start).whole, start) for start in starts), key=lambda one: -one[0])
        likest = [start for whole, start in alike if whole > alike[0][0] - _AS_WELL]
        if not likest or not all(_same_place(scene, likest[0], other) for other in likest[1:]):
            continue
        start = aligned(grey, scene, likest[0], prior) if is_faint(scene) else likest[0]
        found = settled(frame, grey, scene, [start], prior)
        if isinstance(found, Pose):
            several = prior is None and _beside(frame, grey, scene, found, [start for _, start in alike])
            return TWO_BOARDS if several else found
        reason = clearer(found, reason)
    return reason


def _same_place(scene: Scene, one: Pose, other: Pose) -> bool:
    """Whether a board covers the same place under two poses, whichever way round."""
    width, height = scene.sheet.width, scene.sheet.height
    here, there = (pose.project([(0, 0), (width, 0), (width, height), (0, height)]) for pose in (one, other))
    return bool(np.abs(nearest(here, there)).max() < _A_LITTLE * np.ptp(here, axis=0).max())


def by_outline(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None) -> Pose | str:
    """Look for the board in what is set off from the table; or has straight sides, if these show in parts only."""
    found = _within_outlines(frame, grey, scene, prior, outlines)
    if isinstance(found, Pose) or found in (TWO_BOARDS, *NO_TURN):
        return found
    return clearer(_within_outlines(frame, grey, scene, prior, four_sided), found)


def _within_outlines(
    frame: Frame, grey: Frame, scene: Scene, prior: Pose | None, outlines_of: Callable[[Frame], list[Floats]]
) -> Pose | str:
    """Look for the board in what has four corners: squares repeat, and no point of them is like one other alone."""
    width, height = scene.sheet.width, scene.sheet.height
    flat, reason = [(0, 0), (width, 0), (width, height), (0, height)], NOT_FOUND
    size, lens = size_of(grey), scene.lens_for(size_of(grey))
    quarters = (0, 1)  # a board of squares is its own negative after a quarter turn
    quads = [np.roll(corners, k, axis=0) for corners in outlines_of(frame) for k in quarters]
    fits = [solve_pose(flat, corners, size, prior, lens, doubt=_ROUGH) for corners in quads]
    starts = [(likeness(frame, scene, fit).share, fit) for fit in fits if fit is not None]
    ranked = [start for _, start in sorted(starts, key=lambda one: -one[0])]
    best, top = None, -1.0
    for start in ranked[:_TRIED]:
        pose = settled(frame, grey, scene, [start], prior)
        if isinstance(pose, str):
            reason = pose if pose in NO_TURN else reason
        elif (share := likeness(frame, scene, pose).share) > top:
            best, top = pose, share
        if top > _PLAINLY_LIKE:
            break
    if best is None:
        return reason
    return TWO_BOARDS if prior is None and _beside(frame, grey, scene, best, ranked) else best


def _beside(frame: Frame, grey: Frame, scene: Scene, pose: Pose, starts: Iterable[Pose]) -> bool:
    """Whether another board, from any of `starts`, the likest first, lies beside the one that was found."""
    middle = [(scene.sheet.width / 2, scene.sheet.height / 2)]
    apart = [start for start in starts if not within(pose, scene, start.project(middle))[0]]
    return another(frame, grey, scene, iter(apart[:_TRIED]))


def within(pose: Pose, scene: Scene, pixels: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which pixels (N, 2) lie on the board, or nearly."""
    width, height = scene.sheet.width, scene.sheet.height
    turn = np.linspace(0, 1, 11)[:-1]
    sides = [(turn, 0 * turn), (1 + 0 * turn, turn), (1 - turn, 1 + 0 * turn), (0 * turn, 1 - turn)]
    ring = pose.project(np.vstack([np.column_stack(side) for side in sides]) * (width, height)).astype(np.float32)
    inside = [cv2.pointPolygonTest(ring, (float(x), float(y)), True) > -8 for x, y in pixels]
    return np.array(inside, bool)
