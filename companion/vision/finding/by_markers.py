"""Where the board is by its markers: flat, rolled up before, glued of pages, with markers glued on by hand."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from companion.vision.finding.likeness import likeness
from companion.vision.finding.markers import Found, faint_markers, is_mirrored, look_again, marker_corners, marker_ids
from companion.vision.finding.patches import UNLIKE, Snapped, snap
from companion.vision.finding.settling import MIRRORED, exact, settled
from companion.vision.view.pose import Floats, Frame, Pose, solve_bend, solve_pose
from companion.vision.view.scene import Scene

_WORST_ERROR = 0.006  # of the picture's width: more than this between a marker and its place is another sheet
_CURLED = 0.015  # the same of a board that bends, as paper does that was rolled up, if it can be told to be this one
_GLUED = 4.0  # mm: how far the middles of markers that were glued on may lie off
_BENDS = (-0.3, -0.15, 0.08)  # k1 of lenses that are tried where a picture is not like the board without
_WORST_PAGES = 0.005  # the same where the board was glued of pages that do not lie quite where they belong
_PLAINLY_SEEN, _ENOUGH_ALIKE = 0.6, 0.5  # of `Again.seen` and `Likeness.share`: so much of such a board is found
NO_MARKER = "None of the board's markers, the black squares in its corners, can be seen."
ONE_MARKER = "Only one of the board's markers, the black squares in its corners, can be seen: free the others."
FEW_MARKERS = (
    "Too few of the board's markers, the black squares in its corners, can be seen to tell where it lies: "
    "free the others."
)
NOT_AS_PRINTED = (
    "The markers in the picture do not lie as on this game's board: is it another board? Put the right one there, flat."
)


def by_markers(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None, found: Found) -> Pose | str:
    """The pose by the markers that were read; if these are few, by those too that only look like some."""
    if not found and is_mirrored(grey, scene):
        return MIRRORED
    more = found if len(found) > 2 else {**faint_markers(grey, scene), **found}
    pose = _from_markers(frame, grey, scene, prior, more)
    if pose not in (NOT_AS_PRINTED, UNLIKE) or not 2 <= len(found) < len(more):
        return pose
    return _from_markers(frame, grey, scene, prior, found)


def _from_markers(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None, found: Found) -> Pose | str:
    if not found:
        return NO_MARKER
    if len(found) == 1 and prior is None:
        return ONE_MARKER
    pose = _pose_from(found, scene, grey, prior)
    if pose is not None and len(found) < len(marker_ids(scene)):
        found = look_again(grey, scene, pose, found)
        pose = _pose_from(found, scene, grey, prior)
    if pose is None or pose.error > _WORST_ERROR * grey.shape[1]:
        glued = _pose_of_glued(found, scene, grey, prior)
        if glued is not None:
            return settled(frame, grey, scene, [glued], prior)
        if pose is None or pose.error > _CURLED * grey.shape[1]:
            return NOT_AS_PRINTED
        curled = exact(frame, grey, scene, _bent_by(found, scene, pose, prior), prior)
        return curled if isinstance(curled, Pose) else NOT_AS_PRINTED
    flat = settled(frame, grey, scene, [pose], prior)
    if isinstance(flat, Pose) and prior is None and len(found) < 3:
        return flat if likeness(frame, scene, flat).turned == 0 else FEW_MARKERS
    if isinstance(flat, Pose):
        return flat
    likely: list[Pose] = []
    if prior is None and scene.lens is None:
        bent = [_pose_from(found, scene, grey, prior, k1) for k1 in _BENDS]
        likely = [start for start in bent if start is not None and start.error <= _WORST_ERROR * grey.shape[1]]
    again = settled(frame, grey, scene, likely, prior) if likely else flat
    return again if isinstance(again, Pose) else _of_pages(frame, grey, scene, [pose, *likely], prior) or flat


def _of_pages(frame: Frame, grey: Frame, scene: Scene, starts: Iterable[Pose], prior: Pose | None) -> Pose | None:
    """The pose that fits best of a board which was glued of pages, not quite where they belong: nearly all its details
    are found, each some mm off, and it looks like the board in large; of another board few are found at all."""
    found = [snap(grey, scene, start, prior) for start in starts]
    fits = [one for one in found if isinstance(one, Snapped) and one.again.seen >= _PLAINLY_SEEN]
    best = min(fits, key=lambda one: one.pose.error, default=None)
    if best is None or best.pose.error > _WORST_PAGES * best.pose.size[0]:
        return None
    alike = likeness(frame, scene, best.pose)
    return best.pose if alike.share >= _ENOUGH_ALIKE and not alike.turned else None


def _pose_from(found: Found, scene: Scene, grey: Frame, prior: Pose | None, radial: float = 0.0) -> Pose | None:
    corners = marker_corners(scene, found)
    size = (grey.shape[1], grey.shape[0])
    return solve_pose(corners, np.vstack(list(found.values())), size, prior, scene.lens_for(size), radial)


def _bent_by(found: Found, scene: Scene, pose: Pose, prior: Pose | None) -> Pose:
    """The pose of a sheet that bends as its markers say, roughly: nothing holds its middle."""
    corners, size = marker_corners(scene, found), (scene.sheet.width, scene.sheet.height)
    bent = solve_bend(corners, np.vstack(list(found.values())), pose, size, prior, scene.lens_for(pose.size))
    return bent or pose


def _pose_of_glued(found: Found, scene: Scene, grey: Frame, prior: Pose | None) -> Pose | None:
    """The pose from three markers or more that may lie turned and some mm off, as glued on by hand: from their middles,
    or, where there are three only, from their corners, by whichever quarters each is turned.
    """
    if len(found) < 3:
        return None
    upright = _upright(found, scene)
    rough = _pose_from(upright, scene, grey, prior)
    if rough is None or rough.error > _GLUED * pixels_per_mm(found, scene):
        return None
    if len(found) < len(marker_ids(scene)):
        more = look_again(grey, scene, rough, found)
        return rough if len(more) == len(found) else _pose_of_glued(more, scene, grey, prior)
    size = (grey.shape[1], grey.shape[0])
    seen = np.array([_crossing(corners) for corners in found.values()])
    pose = solve_pose(_middles(found, scene), seen, size, prior, scene.lens_for(size))
    return pose if pose is not None and pose.error <= _GLUED * pixels_per_mm(found, scene) else None


def _middles(found: Found, scene: Scene) -> Floats:
    assert scene.sheet.markers is not None
    return np.array([scene.sheet.markers.centers[i] for i in found], np.float64)


def pixels_per_mm(found: Found, scene: Scene) -> float:
    assert scene.sheet.markers is not None
    sides = [np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean() for corners in found.values()]
    return float(np.mean(sides)) / scene.sheet.markers.size


def _upright(found: Found, scene: Scene) -> Found:
    """The markers' corners from the one that is the top left on the sheet, however each marker was turned."""
    middles, seen = _middles(found, scene), np.array([corners.mean(axis=0) for corners in found.values()])
    wide = np.column_stack([middles, np.ones(len(middles))])
    slopes = np.linalg.lstsq(wide, seen, rcond=None)[0][:2]
    upright = {}
    for (i, corners), middle in zip(found.items(), middles, strict=True):
        arms = (marker_corners(scene, [i]) - middle) @ slopes
        spokes = corners - corners.mean(axis=0)
        turns = [float((np.roll(spokes, turn, axis=0) * arms).sum()) for turn in range(4)]
        upright[i] = np.roll(corners, int(np.argmax(turns)), axis=0)
    return upright


def _crossing(corners: Floats) -> Floats:
    """Where the diagonals of a marker cross: its middle, seen at any slant."""
    a, b, c, d = corners
    (ux, uy), (vx, vy), (wx, wy) = c - a, d - b, b - a
    return np.asarray(a + (wx * vy - wy * vx) / (ux * vy - uy * vx) * (c - a))


def met_once(found: Found, twice: set[int]) -> Found:
    """The markers without one that is met twice, if two are left, which say by themselves where the board lies: the
    other one may be a corner of another sheet."""
    once = {i: corners for i, corners in found.items() if i not in twice}
    return once if len(once) >= 2 else found


def borne_out(pose: Pose, found: Found, scene: Scene) -> bool:
    """Whether the markers that were seen lie where the pose has them."""
    if not found:
        return True
    off = pose.project(marker_corners(scene, found)) - np.vstack(list(found.values()))
    return float(np.linalg.norm(off, axis=1).max()) <= 2 * _WORST_ERROR * pose.size[0]
