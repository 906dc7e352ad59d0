"""Where the board is in a picture: by its markers, or by what is printed on it; and why it cannot be found."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np

from companion.vision.finding.features import candidates, pairs_of, points_of, points_of_board
from companion.vision.finding.likeness import likeness, lying_turned, same_in_turns
from companion.vision.finding.markers import (
    Found,
    faint_markers,
    find_markers,
    is_mirrored,
    look_again,
    marker_corners,
    marker_ids,
    sure_markers,
)
from companion.vision.finding.mirror import mirrored_back, shows_mirrored
from companion.vision.finding.nudge import nudged, rests
from companion.vision.finding.outline import nearest, outlines
from companion.vision.finding.patches import (
    UNLIKE,
    Snapped,
    in_all_turns,
    is_faint,
    snap,
    turn_by_details,
    unlike,
)
from companion.vision.finding.shown import Shown, as_shown
from companion.vision.finding.sides import four_sided
from companion.vision.finding.squares import chequered
from companion.vision.finding.unfound import TINY, TOO_LOW, TOO_SMALL, few_pixels, lacking, too_low
from companion.vision.finding.whole import aligned
from companion.vision.view.keeping import kept
from companion.vision.view.lens import Lens
from companion.vision.view.pose import Floats, Frame, Pose, pushed, solve_bend, solve_pose
from companion.vision.view.scene import Scene

__all__ = ["NO_MARKER", "find_markers", "marker_corners", "pose_from_landmarks", "register", "snap"]

_WORST_ERROR = 0.006  # of the picture's width: more than this between a marker and its place is another sheet
_CURLED = 0.015  # the same of a board that bends, as paper does that was rolled up, if it can be told to be this one
_GLUED = 4.0  # mm: how far the middles of markers that were glued on may lie off
_BENDS = (-0.3, -0.15, 0.08)  # k1 of lenses that are tried where a picture is not like the board without
_FIRST_LOOK = 640  # pixels: as wide a picture is enough to find most boards
_LEAST_LIKE = 0.25  # see likeness.Likeness; boards of other games reach that much where all corners are the same
_FAINTLY_LIKE = 0.15  # where enough details are found: these are looked for with the noise calmed
_LEAST_DETAIL = 0.22  # of likeness times the share of details; the right board has twice as much, its variants less
_ALL_DETAIL = 0.8  # of a board that is pushed by a square fewer are where others belong
_ENOUGH_DETAIL = 0.5  # so many details are the board's, whatever its colours; its variants have half as many
_HARDLY_MOVED = 0.01  # of the picture's width
_ROUGH = 3.0  # pixels: how well an outline's corners are seen
_TRIED = 3  # outlines, those first under which the picture is most like the board
_ARMS = (3, 5, 6, 7, 8)  # of boards that lie alike after other turns than by quarters
_SAME_PLACE, _MOST_PLACES = 0.015, 0.7  # of the width: so far may a space be off another one then; share that is not
_PLAINLY_LIKER, _PLAINLY_LIKE = 0.1, 0.7  # of `Likeness.share`: by so much; so much that no other start will do better
_AS_WELL = 0.03  # of `Likeness.whole`: a board of squares that is pushed by one falls behind by twice as much
_A_LITTLE = 0.04  # of its size: so much a board may be pushed, half a square of twelve
_WORST_FIT = 0.002  # of the picture's width: how far details may lie off; a fold lifts them by less
_WORST_PAGES = 0.005  # the same where the board was glued of pages that do not lie quite where they belong
_PLAINLY_SEEN, _ENOUGH_ALIKE = 0.6, 0.5  # of `Again.seen` and `Likeness.share`: so much of such a board is found

BLACK = "The picture is black: is the camera covered, or the light off?"
BLANK = "The picture shows no board, it is blank: is something held before the camera, or the light off?"
MIRRORED = "The picture is mirrored: switch off mirroring in the camera's settings."
NO_MARKER = "None of the board's markers, the black squares in its corners, can be seen."
ONE_MARKER = "Only one of the board's markers, the black squares in its corners, can be seen: free the others."
FEW_MARKERS = (
    "Too few of the board's markers, the black squares in its corners, can be seen to tell where it lies: "
    "free the others."
)
NOT_AS_PRINTED = (
    "The markers in the picture do not lie as on this game's board: is it another board? Put the right one there, flat."
)
NOT_FOUND = "The board cannot be found in the picture."
PUT_WHOLE = "Put the whole board into the picture, flat, with its corners free and in the light."
TWO_BOARDS = "Two boards are in the picture: take one away, or turn the camera so that it sees one alone."
EITHER_WAY = (
    "The board looks the same when it is turned, so its sides cannot be told apart: "
    "stick a small mark on one corner and take the photo of the empty board again."
)
TURN_HIDDEN = (
    "The board is there, but which way round it lies cannot be seen now, as its mark is hidden: "
    "take off what lies on the mark, or move the lamp or the board a little if light shines on it."
)
_NO_TURN = (EITHER_WAY, TURN_HIDDEN)


def register(frame: Frame, scene: Scene, last: Pose | None = None, shown: Shown | None = None) -> Pose | str:
    """The camera's pose over the sheet, or one sentence that says why the board cannot be found.

    frame: uint8 BGR. last: the pose a moment ago, which helps when a marker is hidden. shown: where somebody showed the
    board to lie, where its markers do not tell better.
    """
    if scene.lens is not None and not scene.lens.fits((frame.shape[1], frame.shape[0])):
        return _other_shape(scene.lens, frame)
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    if float(np.percentile(grey[::4, ::4], 99)) < 16:
        return BLACK
    if float(grey[::4, ::4].std()) < 3:
        return lacking(grey) or BLANK
    found = _found(frame, grey, scene, last, shown)
    if isinstance(found, str):
        return _with_way_out(found, grey)
    return TOO_LOW if too_low(found, scene) else found


def _found(frame: Frame, grey: Frame, scene: Scene, last: Pose | None, shown: Shown | None) -> Pose | str:
    """See `register`."""
    prior = last if last is not None and last.size == (frame.shape[1], frame.shape[0]) else None
    if scene.sheet.markers is None:
        near = _still_shown(frame, grey, scene, shown)
        near = near or _bumped(frame, grey, scene, prior) or _unmoved(frame, grey, scene, prior)
        printed = near or _by_features(frame, grey, scene, prior)
        for look in (_by_outline, _by_squares) if is_faint(scene) else (_by_squares, _by_outline):
            if printed in (NOT_FOUND, UNLIKE, TURN_HIDDEN):
                printed = _clearer(look(frame, grey, scene, prior), printed)
        if printed in (NOT_FOUND, UNLIKE, TURN_HIDDEN) and prior is None:
            printed = _unmoved(frame, grey, scene, scene.pose, before=False) or printed
        if prior is None and near is None and isinstance(printed, Pose) and shows_mirrored(frame, scene, printed):
            return MIRRORED
        return printed
    every, twice = sure_markers(grey, scene)
    found = _met_once(every, twice)
    pose = TWO_BOARDS if len(twice) >= 2 else _by_markers(frame, grey, scene, prior, found)
    if pose == UNLIKE and found and _pixels_per_mm(found, scene) * scene.sheet.piece.diameter < TINY:
        return TOO_SMALL
    if isinstance(pose, Pose) or pose not in (NO_MARKER, ONE_MARKER, FEW_MARKERS, NOT_AS_PRINTED):
        return pose
    there = _still_shown(frame, grey, scene, shown)
    if there is not None and _borne_out(there, found, scene):
        return there
    printed = _by_features(frame, grey, scene, prior)
    if isinstance(printed, Pose) and _borne_out(printed, found, scene):
        return printed
    return printed if isinstance(printed, str) and printed in (MIRRORED, TWO_BOARDS) else pose


def _met_once(found: Found, twice: set[int]) -> Found:
    """The markers without one that is met twice, if two are left, which say by themselves where the board lies: the
    other one may be a corner of another sheet."""
    once = {i: corners for i, corners in found.items() if i not in twice}
    return once if len(once) >= 2 else found


def _still_shown(frame: Frame, grey: Frame, scene: Scene, shown: Shown | None) -> Pose | None:
    """The pose of a board that lies as somebody showed it, unless it was plainly turned since."""
    found = None if shown is None else as_shown(grey, scene, shown)
    if found is None or shown is None or shown.doubt:
        return found
    return None if likeness(frame, scene, found).turned else found


def _bumped(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None) -> Pose | None:
    """The pose of a board that was pushed by a little, if that is plain: quicker than to look for it everywhere."""
    start = None if prior is None else nudged(grey, scene, prior)
    if start is None:
        return None
    found = snap(grey, scene, start, prior, coarse=True)
    return found.pose if isinstance(found, Snapped) and _lies_so(frame, scene, found) else None


def _lies_so(frame: Frame, scene: Scene, found: Snapped) -> bool:
    """Whether a board that lies nearly where it lay a moment ago is seen there: its turn is known from then, and may be
    hidden now."""
    return _like(frame, scene, found) in (0, TURN_HIDDEN)


def _unmoved(frame: Frame, grey: Frame, scene: Scene, start: Pose | None, before: bool = True) -> Pose | None:
    """The pose of a board that lies where it lay `before`, or in the photo of the empty board, if that is plain:
    squares of dark wood in poor light have no distinct points, nor an outline."""
    if start is None or start.size != _size(grey) or is_faint(scene):
        return None
    found = snap(grey, scene, start, start, coarse=True)
    if isinstance(found, str) or found.again.found < _ENOUGH_DETAIL:
        return None
    if not (_lies_so(frame, scene, found) if before else _like(frame, scene, found) == 0):
        return None
    off = found.pose.shifted(start, scene.sheet.width, scene.sheet.height)
    return found.pose if off <= _HARDLY_MOVED * start.size[0] and rests(grey, scene, start) else None


def _with_way_out(reason: str, grey: Frame) -> str:
    """The reason, and what is to be done: about the picture, uint8 grey, where it lacks something."""
    if reason in (UNLIKE, NOT_AS_PRINTED):
        return f"{reason} {lacking(grey)}".rstrip()
    if reason not in (NO_MARKER, ONE_MARKER, FEW_MARKERS, NOT_FOUND):
        return reason
    lacks, whole = lacking(grey), PUT_WHOLE if reason in (NO_MARKER, NOT_FOUND) else ""
    return " ".join(filter(None, (reason, lacks) if lacks else (reason, whole, few_pixels(grey))))


def _clearer(found: Pose | str, before: Pose | str) -> Pose | str:
    """Of two answers the one that says more: that the board is there says more than that it is not found."""
    return before if before == TURN_HIDDEN and isinstance(found, str) else found


def _borne_out(pose: Pose, found: Found, scene: Scene) -> bool:
    """Whether the markers that were seen lie where the pose has them."""
    if not found:
        return True
    off = pose.project(marker_corners(scene, found)) - np.vstack(list(found.values()))
    return float(np.linalg.norm(off, axis=1).max()) <= 2 * _WORST_ERROR * pose.size[0]


def _other_shape(lens: Lens, frame: Frame) -> str:
    here, there = f"{frame.shape[1]}×{frame.shape[0]}", f"{lens.size[0]}×{lens.size[1]}"
    return (
        f"The lens was measured with pictures of {there}, and this one has {here}, which is another shape: "
        "calibrate the lens again with the size that is used."
    )


def _settled(frame: Frame, grey: Frame, scene: Scene, starts: Iterable[Pose], prior: Pose | None) -> Pose | str:
    """The pose made exact from the first start that will do, else from the one whose picture is most like the board;
    a sentence if it is not like the board even so.
    """
    marked, best, top = scene.sheet.markers is not None, None, -1.0
    for start in starts:
        found = snap(grey, scene, start, prior)
        if isinstance(found, Snapped):
            quarters = _like(frame, scene, found)
            if quarters == 0:
                return found.pose
            if quarters in _NO_TURN and found.again.found >= _ALL_DETAIL:
                return str(quarters)  # it lies just there: from other starts one would come there again
        share = likeness(frame, scene, start).share
        if share > top:
            best, top = start, share
    if best is None:
        return NOT_FOUND
    found = snap(grey, scene, best, prior, coarse=True)
    quarters = found if isinstance(found, str) else _like(frame, scene, found)
    if isinstance(found, str) or isinstance(quarters, str):
        return str(quarters)
    if quarters == 0:
        return found.pose
    if marked:
        return UNLIKE
    return _exact(frame, grey, scene, lying_turned(found.pose, quarters, scene), prior)


def _exact(frame: Frame, grey: Frame, scene: Scene, start: Pose, prior: Pose | None) -> Pose | str:
    """The pose, which may be off by a centimetre, made exact, if it shows the board and this as it lies."""
    found = snap(grey, scene, start, prior, coarse=True)
    return found if isinstance(found, str) else found.pose if _like(frame, scene, found) == 0 else UNLIKE


def _like(frame: Frame, scene: Scene, found: Snapped) -> int | str:
    """By how many quarters the board lies otherwise than the pose has it; a sentence if this is not the board."""
    marked = scene.sheet.markers is not None
    fits = found.pose.error <= _WORST_FIT * found.pose.size[0]
    details = found.again.found if marked and fits else 0.0
    if details >= _ENOUGH_DETAIL:
        return 0  # the markers tell its turn, the details that it is the board: its colours may be others
    alike = likeness(frame, scene, found.pose)
    detailed = fits and found.again.found >= _ENOUGH_DETAIL and not is_faint(scene)
    if alike.share < (_FAINTLY_LIKE if detailed else _LEAST_LIKE) or (marked and alike.share * details < _LEAST_DETAIL):
        return unlike(found.again) if marked and fits else UNLIKE
    if alike.turned is not None or marked:
        return alike.turned or 0
    turn = _turn_of(frame, scene, found.pose) if fits else None
    if turn is not None or same_in_turns(scene):
        return EITHER_WAY if turn is None else turn
    return TURN_HIDDEN if fits and found.again.found >= _ENOUGH_DETAIL else UNLIKE


def _turn_of(frame: Frame, scene: Scene, pose: Pose) -> int | None:
    """By how many quarters a board lies otherwise than a pose has it, asked of each turn made exact: a small mark in a
    corner is missed by a few mm. None if nothing tells."""
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    poses = in_all_turns(grey, scene, pose)
    told = [q for q, turn in poses.items() if likeness(frame, scene, turn).turned == 0]
    return told[0] if len(told) == 1 else turn_by_details(grey, scene, poses)


# --- by markers ---


def _by_markers(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None, found: Found) -> Pose | str:
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
            return _settled(frame, grey, scene, [glued], prior)
        if pose is None or pose.error > _CURLED * grey.shape[1]:
            return NOT_AS_PRINTED
        curled = _exact(frame, grey, scene, _bent_by(found, scene, pose, prior), prior)
        return curled if isinstance(curled, Pose) else NOT_AS_PRINTED
    settled = _settled(frame, grey, scene, [pose], prior)
    if isinstance(settled, Pose) and prior is None and len(found) < 3:
        return settled if likeness(frame, scene, settled).turned == 0 else FEW_MARKERS
    if isinstance(settled, Pose):
        return settled
    likely: list[Pose] = []
    if prior is None and scene.lens is None:
        bent = [_pose_from(found, scene, grey, prior, k1) for k1 in _BENDS]
        likely = [start for start in bent if start is not None and start.error <= _WORST_ERROR * grey.shape[1]]
    again = _settled(frame, grey, scene, likely, prior) if likely else settled
    return again if isinstance(again, Pose) else _of_pages(frame, grey, scene, [pose, *likely], prior) or settled


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
    if rough is None or rough.error > _GLUED * _pixels_per_mm(found, scene):
        return None
    if len(found) < len(marker_ids(scene)):
        more = look_again(grey, scene, rough, found)
        return rough if len(more) == len(found) else _pose_of_glued(more, scene, grey, prior)
    size = (grey.shape[1], grey.shape[0])
    seen = np.array([_crossing(corners) for corners in found.values()])
    pose = solve_pose(_middles(found, scene), seen, size, prior, scene.lens_for(size))
    return pose if pose is not None and pose.error <= _GLUED * _pixels_per_mm(found, scene) else None


def _middles(found: Found, scene: Scene) -> Floats:
    assert scene.sheet.markers is not None
    return np.array([scene.sheet.markers.centers[i] for i in found], np.float64)


def _pixels_per_mm(found: Found, scene: Scene) -> float:
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


def _mirrored(picture: Frame) -> Frame:
    return np.ascontiguousarray(picture[:, ::-1])


# --- by what is printed ---


def _by_features(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None) -> Pose | str:
    """Match distinct points with the photo of the empty board, or with what is printed."""
    reason: Pose | str = NOT_FOUND
    for size in _sizes(grey.shape[1]):
        found = _found_by_features(frame, grey, scene, prior, size)
        if isinstance(found, Pose) or found in (TWO_BOARDS, EITHER_WAY):
            return found
        reason = _clearer(found, reason)
    if prior is not None or scene.sheet.markers is not None:  # it was not mirrored before, or its markers would say so
        return reason
    flipped = _mirrored(frame)
    again = _found_by_features(flipped, _mirrored(grey), scene, None, _sizes(grey.shape[1])[0])
    if isinstance(again, str):
        return reason
    unflipped = mirrored_back(again, scene)
    if unflipped is None or likeness(frame, scene, unflipped).share <= likeness(flipped, scene, again).share:
        return MIRRORED
    settled = _settled(frame, grey, scene, [unflipped], None)  # it is its own mirror image, but for its colours
    return settled if isinstance(settled, Pose) else reason


def _sizes(width: int) -> tuple[float, ...]:
    """How large to look at a picture: small at first, which is quick, then whole."""
    return (_FIRST_LOOK / width, 1.0) if width > 1.2 * _FIRST_LOOK else (1.0,)


def _found_by_features(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None, size: float) -> Pose | str:
    pairs = pairs_of(points_of(grey, size), points_of_board(scene))
    reason = NOT_FOUND
    for start in candidates(pairs, _size(grey), scene, prior):
        pose = _settled(frame, grey, scene, [start], prior)
        if isinstance(pose, str):
            reason = pose if pose in _NO_TURN else reason
            continue
        pose = _turned_right(frame, grey, scene, pose, prior)
        if prior is not None:
            return pose
        others = candidates(pairs.without(_within(pose, scene, pairs.pixels)), _size(grey), scene, None)
        return TWO_BOARDS if _another(frame, grey, scene, others) else pose
    return reason


def _turned_right(frame: Frame, grey: Frame, scene: Scene, pose: Pose, prior: Pose | None) -> Pose:
    """A pose, or the one turned as the board is laid out alike, if under that the picture is plainly more like it: a
    star of six arms fits itself after a sixth of a turn, but for its colours, whatever its four sides say."""
    turns = _laid_out_alike(scene)
    if not turns:
        return pose
    best, top = None, likeness(frame, scene, pose).share + _PLAINLY_LIKER
    for angle in turns:
        start = pushed(pose, angle, (0, 0), _middle(scene))
        share = likeness(frame, scene, start).share
        if share > top:
            best, top = start, share
    found = None if best is None else _settled(frame, grey, scene, [best], prior)
    return found if isinstance(found, Pose) else pose


@kept()
def _laid_out_alike(scene: Scene) -> list[float]:
    """The turns about the middle, radians, after which most spaces lie where others do; those by quarters apart: see
    `Likeness.turned`."""
    at, found = scene.places - _middle(scene), []
    for turn in {k / n for n in _ARMS for k in range(1, n)} - {0.25, 0.5, 0.75}:
        cos, sin = math.cos(2 * math.pi * turn), math.sin(2 * math.pi * turn)
        apart = np.linalg.norm((at @ [[cos, sin], [-sin, cos]])[:, None] - at, axis=2).min(axis=1)
        if np.mean(apart < _SAME_PLACE * scene.sheet.width) > _MOST_PLACES:
            found.append(2 * math.pi * turn)
    return found


def _middle(scene: Scene) -> tuple[float, float]:
    """The middle of all spaces, mm."""
    x, y = scene.places.mean(axis=0).tolist()
    return x, y


def _another(frame: Frame, grey: Frame, scene: Scene, others: Iterator[Pose]) -> bool:
    return any(isinstance(_settled(frame, grey, scene, [start], None), Pose) for start in others)


def _by_squares(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None) -> Pose | str:
    """Look for the board where as many squares are seen in rows, if it is plain which of them are its own: pushed by
    one, a board is alike but for its rim."""
    reason: Pose | str = NOT_FOUND
    for starts in chequered(grey, scene, prior):
        alike = sorted(((likeness(frame, scene, start).whole, start) for start in starts), key=lambda one: -one[0])
        likest = [start for whole, start in alike if whole > alike[0][0] - _AS_WELL]
        if not likest or not all(_same_place(scene, likest[0], other) for other in likest[1:]):
            continue
        start = aligned(grey, scene, likest[0], prior) if is_faint(scene) else likest[0]
        found = _settled(frame, grey, scene, [start], prior)
        if isinstance(found, Pose):
            several = prior is None and _beside(frame, grey, scene, found, [start for _, start in alike])
            return TWO_BOARDS if several else found
        reason = _clearer(found, reason)
    return reason


def _same_place(scene: Scene, one: Pose, other: Pose) -> bool:
    """Whether a board covers the same place under two poses, whichever way round."""
    width, height = scene.sheet.width, scene.sheet.height
    here, there = (pose.project([(0, 0), (width, 0), (width, height), (0, height)]) for pose in (one, other))
    return bool(np.abs(nearest(here, there)).max() < _A_LITTLE * np.ptp(here, axis=0).max())


def _by_outline(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None) -> Pose | str:
    """Look for the board in what is set off from the table; or has straight sides, if these show in parts only."""
    found = _within_outlines(frame, grey, scene, prior, outlines)
    if isinstance(found, Pose) or found in (TWO_BOARDS, *_NO_TURN):
        return found
    return _clearer(_within_outlines(frame, grey, scene, prior, four_sided), found)


def _within_outlines(
    frame: Frame, grey: Frame, scene: Scene, prior: Pose | None, outlines_of: Callable[[Frame], list[Floats]]
) -> Pose | str:
    """Look for the board in what has four corners: squares repeat, and no point of them is like one other alone."""
    width, height = scene.sheet.width, scene.sheet.height
    flat, reason = [(0, 0), (width, 0), (width, height), (0, height)], NOT_FOUND
    size, lens = _size(grey), scene.lens_for(_size(grey))
    quarters = (0, 1)  # a board of squares is its own negative after a quarter turn
    quads = [np.roll(corners, k, axis=0) for corners in outlines_of(frame) for k in quarters]
    fits = [solve_pose(flat, corners, size, prior, lens, doubt=_ROUGH) for corners in quads]
    starts = [(likeness(frame, scene, fit).share, fit) for fit in fits if fit is not None]
    ranked = [start for _, start in sorted(starts, key=lambda one: -one[0])]
    best, top = None, -1.0
    for start in ranked[:_TRIED]:
        pose = _settled(frame, grey, scene, [start], prior)
        if isinstance(pose, str):
            reason = pose if pose in _NO_TURN else reason
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
    apart = [start for start in starts if not _within(pose, scene, start.project(middle))[0]]
    return _another(frame, grey, scene, iter(apart[:_TRIED]))


def _within(pose: Pose, scene: Scene, pixels: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which pixels (N, 2) lie on the board, or nearly."""
    width, height = scene.sheet.width, scene.sheet.height
    turn = np.linspace(0, 1, 11)[:-1]
    sides = [(turn, 0 * turn), (1 + 0 * turn, turn), (1 - turn, 1 + 0 * turn), (0 * turn, 1 - turn)]
    ring = pose.project(np.vstack([np.column_stack(side) for side in sides]) * (width, height)).astype(np.float32)
    inside = [cv2.pointPolygonTest(ring, (float(x), float(y)), True) > -8 for x, y in pixels]
    return np.array(inside, bool)


def _size(grey: Frame) -> tuple[int, int]:
    return grey.shape[1], grey.shape[0]


def pose_from_landmarks(scene: Scene, photo: Frame, landmarks: Floats) -> Pose | str:
    """The pose of a photo from places given by hand, rows of (x mm, y mm, x px, y px)."""
    size = (photo.shape[1], photo.shape[0])
    lens = scene.lens_for(size) if scene.lens is not None and scene.lens.fits(size) else None
    pose = solve_pose(landmarks[:, :2], landmarks[:, 2:], size, None, lens)
    if pose is None or pose.error > 0.05 * size[0]:
        return "the landmarks do not fit the sheet."
    if scene.printed is None:
        return pose
    found = snap(np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), np.uint8), scene, pose, coarse=True)
    return found if isinstance(found, str) else found.pose
