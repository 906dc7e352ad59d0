"""Where the board is in a picture: by its markers, or by what is printed on it; and why it cannot be found."""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.vision.finding.by_markers import (
    FEW_MARKERS,
    NO_MARKER,
    NOT_AS_PRINTED,
    ONE_MARKER,
    borne_out,
    by_markers,
    met_once,
    pixels_per_mm,
)
from companion.vision.finding.features import candidates, pairs_of, points_of, points_of_board
from companion.vision.finding.likeness import likeness
from companion.vision.finding.markers import sure_markers
from companion.vision.finding.mirror import mirrored_back, shows_mirrored
from companion.vision.finding.nudge import nudged, rests
from companion.vision.finding.patches import UNLIKE, Snapped, is_faint, snap
from companion.vision.finding.repeating import by_outline, by_squares, within
from companion.vision.finding.settling import (
    EITHER_WAY,
    ENOUGH_DETAIL,
    MIRRORED,
    NO_TURN,
    NOT_FOUND,
    TURN_HIDDEN,
    TWO_BOARDS,
    another,
    clearer,
    like,
    settled,
    size_of,
)
from companion.vision.finding.shown import Shown, as_shown
from companion.vision.finding.swapped import swapped
from companion.vision.finding.unfound import (
    FROM_LOW,
    HARDLY,
    TINY,
    TOO_LOW,
    TOO_SMALL,
    all_small,
    few_pixels,
    from_low,
    lacking,
    too_low,
    without_colours,
)
from companion.vision.view.keeping import kept
from companion.vision.view.lens import Lens
from companion.vision.view.pose import Floats, Frame, Pose, pushed, solve_pose
from companion.vision.view.scene import Scene

_FIRST_LOOK = 640  # pixels: as wide a picture is enough to find most boards
_HARDLY_MOVED = 0.01  # of the picture's width
_ARMS = (3, 5, 6, 7, 8)  # of boards that lie alike after other turns than by quarters
_SAME_PLACE, _MOST_PLACES = 0.015, 0.7  # of the width: so far may a space be off another one then; share that is not
_PLAINLY_LIKER = 0.1  # of `Likeness.share`

BLACK = "The picture is black: is the camera covered, or the light off?"
BLANK = "The picture shows no board, it is blank: is something held before the camera, or the light off?"
PUT_WHOLE = "Put the whole board into the picture, flat, with its corners free and in the light."


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
    if found == TURN_HIDDEN and (pale := without_colours(frame, scene)):
        return pale  # what tells its turn is of a colour
    if isinstance(found, str):
        few = found in (ONE_MARKER, FEW_MARKERS)
        return _with_way_out(found, grey, _why_few(grey, scene) if few else "")
    if too_low(found, scene):
        return TOO_LOW
    return (last is None and swapped(frame, scene, found)) or found  # of one that was right the next will be, too


def _found(frame: Frame, grey: Frame, scene: Scene, last: Pose | None, shown: Shown | None) -> Pose | str:
    """See `register`."""
    prior = last if last is not None and last.size == (frame.shape[1], frame.shape[0]) else None
    if scene.sheet.markers is None:
        near = _still_shown(frame, grey, scene, shown)
        near = near or _bumped(frame, grey, scene, prior) or _unmoved(frame, grey, scene, prior)
        printed = near or _by_features(frame, grey, scene, prior)
        for look in (by_outline, by_squares) if is_faint(scene) else (by_squares, by_outline):
            if printed in (NOT_FOUND, UNLIKE, TURN_HIDDEN):
                printed = clearer(look(frame, grey, scene, prior), printed)
        if printed in (NOT_FOUND, UNLIKE, TURN_HIDDEN) and prior is None:
            printed = _unmoved(frame, grey, scene, scene.pose, before=False) or printed
        if prior is None and near is None and isinstance(printed, Pose) and shows_mirrored(frame, scene, printed):
            return MIRRORED
        return printed
    every, twice = sure_markers(grey, scene)
    found = met_once(every, twice)
    pose = TWO_BOARDS if len(twice) >= 2 else by_markers(frame, grey, scene, prior, found)
    if pose == UNLIKE and found and pixels_per_mm(found, scene) * scene.sheet.piece.diameter < TINY:
        return TOO_SMALL
    if isinstance(pose, Pose) or pose not in (NO_MARKER, ONE_MARKER, FEW_MARKERS, NOT_AS_PRINTED):
        return pose
    there = _still_shown(frame, grey, scene, shown)
    if there is not None and borne_out(there, found, scene):
        return there
    printed = _by_features(frame, grey, scene, prior)
    if isinstance(printed, Pose) and borne_out(printed, found, scene):
        return printed
    return printed if isinstance(printed, str) and printed in (MIRRORED, TWO_BOARDS) else pose


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
    return like(frame, scene, found) in (0, TURN_HIDDEN)


def _unmoved(frame: Frame, grey: Frame, scene: Scene, start: Pose | None, before: bool = True) -> Pose | None:
    """The pose of a board that lies where it lay `before`, or in the photo of the empty board, if that is plain:
    squares of dark wood in poor light have no distinct points, nor an outline."""
    if start is None or start.size != size_of(grey) or is_faint(scene):
        return None
    found = snap(grey, scene, start, start, coarse=True)
    if isinstance(found, str) or found.again.found < ENOUGH_DETAIL:
        return None
    if not (_lies_so(frame, scene, found) if before else like(frame, scene, found) == 0):
        return None
    off = found.pose.shifted(start, scene.sheet.width, scene.sheet.height)
    return found.pose if off <= _HARDLY_MOVED * start.size[0] and rests(grey, scene, start) else None


def _with_way_out(reason: str, grey: Frame, few: str = "") -> str:
    """The reason, and what is to be done: about the picture, uint8 grey, where it lacks something. few: why few
    markers are seen."""
    if reason in (UNLIKE, NOT_AS_PRINTED):
        return f"{reason} {lacking(grey)}".rstrip()
    if reason not in (NO_MARKER, ONE_MARKER, FEW_MARKERS, NOT_FOUND):
        return reason
    lacks, whole = lacking(grey), PUT_WHOLE if reason in (NO_MARKER, NOT_FOUND) else ""
    return " ".join(filter(None, (reason, lacks) if lacks else (reason, few, whole, few_pixels(grey))))


def _why_few(grey: Frame, scene: Scene) -> str:
    """Why few markers are seen, though nothing may hide the others: what their looks tell; "" if they tell nothing."""
    read = sure_markers(grey, scene)[0].values()  # where there are none, those that are seen only look like some
    if from_low(read):
        return FROM_LOW
    return HARDLY if all_small(read) else ""


def _other_shape(lens: Lens, frame: Frame) -> str:
    why = lens.of_another_shape((frame.shape[1], frame.shape[0]))
    return f"{why[0].upper()}{why[1:]}."


# --- by markers ---


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
        reason = clearer(found, reason)
    if prior is not None or scene.sheet.markers is not None:  # it was not mirrored before, or its markers would say so
        return reason
    flipped = _mirrored(frame)
    again = _found_by_features(flipped, _mirrored(grey), scene, None, _sizes(grey.shape[1])[0])
    if isinstance(again, str):
        return reason
    unflipped = mirrored_back(again, scene)
    if unflipped is None or likeness(frame, scene, unflipped).share <= likeness(flipped, scene, again).share:
        return MIRRORED
    as_it_is = settled(frame, grey, scene, [unflipped], None)  # it is its own mirror image, but for its colours
    return as_it_is if isinstance(as_it_is, Pose) else reason


def _sizes(width: int) -> tuple[float, ...]:
    """How large to look at a picture: small at first, which is quick, then whole."""
    return (_FIRST_LOOK / width, 1.0) if width > 1.2 * _FIRST_LOOK else (1.0,)


def _found_by_features(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None, size: float) -> Pose | str:
    pairs = pairs_of(points_of(grey, size), points_of_board(scene))
    reason = NOT_FOUND
    for start in candidates(pairs, size_of(grey), scene, prior):
        pose = settled(frame, grey, scene, [start], prior)
        if isinstance(pose, str):
            reason = pose if pose in NO_TURN else reason
            continue
        pose = _turned_right(frame, grey, scene, pose, prior)
        if prior is not None:
            return pose
        others = candidates(pairs.without(within(pose, scene, pairs.pixels)), size_of(grey), scene, None)
        return TWO_BOARDS if another(frame, grey, scene, others) else pose
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
    found = None if best is None else settled(frame, grey, scene, [best], prior)
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
