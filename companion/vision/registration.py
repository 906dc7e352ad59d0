"""Where the board is in a picture: by its markers, or by what is printed on it; and why it cannot be found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import cv2
import numpy as np

from companion.vision.features import candidates, pairs_of, points_of, points_of_board
from companion.vision.lens import Lens
from companion.vision.likeness import likeness, same_in_turns
from companion.vision.patches import UNLIKE, drift, found_again, snap
from companion.vision.pose import Floats, Frame, Pose, solve_pose, turned
from companion.vision.scene import Scene

__all__ = ["NO_MARKER", "drift", "find_markers", "marker_corners", "pose_from_landmarks", "register", "snap"]

Found = dict[int, Floats]
"""Markers in a picture: id → corners from the printed top-left clockwise, pixels, float64 (4, 2)."""

_WORST_ERROR = 0.006  # of the picture's width: more than this between a marker and its place is another sheet
_GLUED = 4.0  # mm: how far the middles of markers that were glued on may lie off
_BENDS = (-0.3, -0.15, 0.08)  # k1 of lenses that are tried where a picture is not like the board without
_SMALL = 640  # pixels: a narrower picture is too small for most boards
_FIRST_LOOK = 640  # pixels: as wide a picture is enough to find most boards
_LEAST_LIKE = 0.25  # see likeness.Likeness; boards of other games reach that much where all corners are the same
_LEAST_DETAIL = 0.22  # of likeness times the share of details; the right board has twice as much, its variants less
_ENOUGH_DETAIL = 0.5  # so many details are the board's, whatever its colours; its variants have half as many
_WORST_FIT = 0.002  # of the picture's width: how far details may lie off; a fold lifts them by less

BLACK = "The picture is black: is the camera covered, or the light off?"
BLANK = "The picture shows no board: it is blank."
MIRRORED = "The picture is mirrored: switch off mirroring in the camera's settings."
NO_MARKER = "No marker of the board can be seen."
ONE_MARKER = "Only one marker of the board can be seen: two or more are needed."
FEW_MARKERS = "Too few markers of the board can be seen to tell where it lies: free the others."
NOT_AS_PRINTED = "The markers in the picture do not lie as on this sheet: is it another board?"
NOT_FOUND = "The board cannot be found in the picture."
TWO_BOARDS = "Two boards are in the picture: take one away, or turn the camera so that it sees one alone."
EITHER_WAY = (
    "The board looks the same when it is turned, so its sides cannot be told apart: "
    "stick a small mark on one corner and take the photo of the empty board again."
)


def register(frame: Frame, scene: Scene, last: Pose | None = None) -> Pose | str:
    """The camera's pose over the sheet, or one sentence that says why the board cannot be found.

    frame: uint8 BGR. last: the pose a moment ago, which helps when a marker is hidden.
    """
    if scene.lens is not None and not scene.lens.fits((frame.shape[1], frame.shape[0])):
        return _other_shape(scene.lens, frame)
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    if float(np.percentile(grey[::4, ::4], 99)) < 16:
        return BLACK
    if float(grey[::4, ::4].std()) < 3:
        return BLANK
    prior = last if last is not None and last.size == (frame.shape[1], frame.shape[0]) else None
    if scene.sheet.markers is None:
        printed = _by_features(frame, grey, scene, prior)
        return printed if isinstance(printed, Pose) else _if_small(printed, frame)
    pose = _by_markers(frame, grey, scene, prior)
    if isinstance(pose, Pose) or pose not in (NO_MARKER, ONE_MARKER, FEW_MARKERS, NOT_AS_PRINTED):
        return pose
    printed = _by_features(frame, grey, scene, prior)
    if isinstance(printed, Pose) and _borne_out(printed, find_markers(grey, scene), scene):
        return printed
    return printed if isinstance(printed, str) and printed in (MIRRORED, TWO_BOARDS) else _if_small(pose, frame)


def _if_small(reason: str, frame: Frame) -> str:
    """The reason; where the picture has few pixels, that too."""
    if frame.shape[1] >= _SMALL or reason not in (NO_MARKER, ONE_MARKER, FEW_MARKERS, NOT_FOUND):
        return reason
    return f"{reason} The picture has {frame.shape[1]}×{frame.shape[0]} pixels only: let the camera send larger ones."


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
        if isinstance(found, Pose) and _like(frame, scene, found) == 0:
            return found
        share = likeness(frame, scene, start).share
        if share > top:
            best, top = start, share
    if best is None:
        return NOT_FOUND
    found = snap(grey, scene, best, prior, coarse=True)
    if isinstance(found, str):
        return found
    quarters = _like(frame, scene, found)
    if isinstance(quarters, str):
        return quarters
    if quarters == 0:
        return found
    if marked:
        return UNLIKE
    found = snap(grey, scene, turned(found, quarters, scene.sheet.width, scene.sheet.height), prior)
    return found if isinstance(found, str) or _like(frame, scene, found) == 0 else UNLIKE


def _like(frame: Frame, scene: Scene, pose: Pose) -> int | str:
    """By how many quarters the board lies otherwise than the pose has it; a sentence if this is not the board."""
    marked = scene.sheet.markers is not None
    details = _details(frame, scene, pose) if marked else 0.0
    if details >= _ENOUGH_DETAIL:
        return 0  # the markers tell its turn, the details that it is the board: its colours may be others
    alike = likeness(frame, scene, pose)
    if alike.share < _LEAST_LIKE:
        return UNLIKE
    if marked and alike.share * details < _LEAST_DETAIL * _fineness(scene, pose):
        return UNLIKE
    if alike.turned is None:
        return 0 if marked else EITHER_WAY if same_in_turns(scene) else UNLIKE
    return alike.turned


def _details(frame: Frame, scene: Scene, pose: Pose) -> float:
    """The share of the details that are where they belong: boards with the same markers may be much alike."""
    if pose.error > _WORST_FIT * pose.size[0]:
        return 0.0
    return found_again(np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8), scene, pose)


def _fineness(scene: Scene, pose: Pose) -> float:
    """How much of the details such a picture can show: half where it has less than a pixel to the millimetre."""
    corners = pose.project([(0, 0), (scene.sheet.width, scene.sheet.height)])
    fine = float(np.linalg.norm(corners[1] - corners[0])) / float(np.hypot(scene.sheet.width, scene.sheet.height)) >= 1
    return 1.0 if fine else 0.5


# --- by markers ---


def marker_corners(scene: Scene, ids: Iterable[int]) -> Floats:
    """Corners of printed markers on the sheet, from the top left clockwise, mm, float64 (4·N, 2)."""
    markers = scene.sheet.markers
    assert markers is not None
    half = markers.size / 2
    square = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    return np.vstack([np.array(markers.centers[i]) + square for i in ids])


def _by_markers(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None) -> Pose | str:
    found, twice = _markers(grey, scene)
    if len(twice) >= 2:
        return TWO_BOARDS
    if not found:
        return MIRRORED if len(_detect(_mirrored(grey), scene)[0]) >= 2 else NO_MARKER
    if len(found) == 1 and prior is None:
        return ONE_MARKER
    pose = _pose_from(found, scene, grey, prior)
    if pose is not None and len(found) < len(_known(scene)):
        found = _look_again(grey, scene, pose, found)
        pose = _pose_from(found, scene, grey, prior)
    if pose is None or pose.error > _WORST_ERROR * grey.shape[1]:
        glued = _pose_of_glued(found, scene, grey, prior)
        return NOT_AS_PRINTED if glued is None else _settled(frame, grey, scene, [glued], prior)
    settled = _settled(frame, grey, scene, [pose], prior)
    if isinstance(settled, Pose) and prior is None and len(found) < 3:
        return settled if likeness(frame, scene, settled).turned == 0 else FEW_MARKERS
    if isinstance(settled, Pose) or prior is not None or scene.lens is not None:
        return settled
    bent = [_pose_from(found, scene, grey, prior, k1) for k1 in _BENDS]
    likely = [start for start in bent if start is not None and start.error <= _WORST_ERROR * grey.shape[1]]
    again = _settled(frame, grey, scene, likely, prior) if likely else settled
    return again if isinstance(again, Pose) else settled


def _known(scene: Scene) -> frozenset[int]:
    assert scene.sheet.markers is not None
    return frozenset(scene.sheet.markers.centers)


def _pose_from(found: Found, scene: Scene, grey: Frame, prior: Pose | None, radial: float = 0.0) -> Pose | None:
    corners = marker_corners(scene, found)
    size = (grey.shape[1], grey.shape[0])
    return solve_pose(corners, np.vstack(list(found.values())), size, prior, scene.lens_for(size), radial)


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
    if len(found) < len(_known(scene)):
        more = _look_again(grey, scene, rough, found)
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


def find_markers(grey: Frame, scene: Scene) -> Found:
    """The sheet's markers in a grey picture, uint8; tried smoothed and enlarged where some are missing."""
    return _markers(grey, scene)[0]


def _markers(grey: Frame, scene: Scene) -> tuple[Found, set[int]]:
    """The markers, and those of which there are two."""
    known = _known(scene)
    found, twice = _detect(grey, scene)
    if len(found) < len(known):
        calm = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.5), np.uint8)
        found = {**_detect(calm, scene)[0], **found}
    if len(found) < len(known) and grey.shape[1] <= 1000:
        found = {**_enlarged(grey, scene, 2.0, (0, 0)), **found}
    return found, twice


def _enlarged(grey: Frame, scene: Scene, factor: float, origin: tuple[float, float]) -> Found:
    large = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC), np.uint8)
    calm = np.asarray(cv2.GaussianBlur(large, (0, 0), factor / 2), np.uint8)
    seen, _ = _detect(calm, scene)
    return {i: (corners + 0.5) / factor - 0.5 + np.array(origin) for i, corners in seen.items()}


def _look_again(grey: Frame, scene: Scene, pose: Pose, found: Found) -> Found:
    """Search for the markers that are missing where they must be, enlarged."""
    rows, cols = grey.shape
    for i in sorted(_known(scene) - found.keys()):
        corners = pose.project(marker_corners(scene, [i]))
        reach = np.ptp(corners, axis=0).max()
        x0, y0 = np.floor(corners.min(axis=0) - reach).astype(int).clip(0)
        x1, y1 = np.ceil(corners.max(axis=0) + reach).astype(int)
        patch = grey[y0 : max(0, min(y1, rows)), x0 : max(0, min(x1, cols))]
        if min(patch.shape) > 8:
            seen = _enlarged(np.ascontiguousarray(patch), scene, 3.0, (x0, y0))
            if i in seen and np.abs(seen[i].mean(axis=0) - corners.mean(axis=0)).max() < reach / 2:
                found = {**found, i: seen[i]}
    return found


def _detect(grey: Frame, scene: Scene) -> tuple[Found, set[int]]:
    """The sheet's markers, and the ids of which there are two or more."""
    markers = scene.sheet.markers
    assert markers is not None
    corners, ids, _ = _detector(markers.dictionary).detectMarkers(grey)
    found: Found = {}
    twice: set[int] = set()
    numbers = [] if ids is None else [int(i) for i in np.asarray(ids).ravel()]
    for i, four in zip(numbers, corners, strict=True):
        if i in markers.centers:
            ring = np.asarray(four, np.float64).reshape(4, 2)
            if i in found and np.linalg.norm(found[i].mean(axis=0) - ring.mean(axis=0)) > np.ptp(ring):
                twice.add(i)
            found[i] = ring
    return found, twice


@lru_cache(maxsize=4)
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(book, settings)


def _mirrored(picture: Frame) -> Frame:
    return np.ascontiguousarray(picture[:, ::-1])


# --- by what is printed ---


def _by_features(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None) -> Pose | str:
    """Match distinct points with the photo of the empty board, or with what is printed."""
    reason = NOT_FOUND
    for size in _sizes(grey.shape[1]):
        found = _found_by_features(frame, grey, scene, prior, size)
        if isinstance(found, Pose) or found in (TWO_BOARDS, EITHER_WAY):
            return found
        reason = found
    again = _found_by_features(_mirrored(frame), _mirrored(grey), scene, None, _sizes(grey.shape[1])[0])
    return MIRRORED if isinstance(again, Pose) else reason


def _sizes(width: int) -> tuple[float, ...]:
    """How large to look at a picture: small at first, which is quick, then whole."""
    return (_FIRST_LOOK / width, 1.0) if width > 1.2 * _FIRST_LOOK else (1.0,)


def _found_by_features(frame: Frame, grey: Frame, scene: Scene, prior: Pose | None, size: float) -> Pose | str:
    seen, known = points_of(grey, size), points_of_board(scene)
    reason = NOT_FOUND
    for start in candidates(pairs_of(seen, known), _size(grey), scene, prior):
        pose = _settled(frame, grey, scene, [start], prior)
        if isinstance(pose, str):
            reason = pose if pose == EITHER_WAY else reason
            continue
        rest = seen.without(_within(pose, scene, seen.at))
        others = candidates(pairs_of(rest, known), _size(grey), scene, None) if prior is None else iter(())
        return TWO_BOARDS if _another(frame, grey, scene, others) else pose
    return reason


def _another(frame: Frame, grey: Frame, scene: Scene, others: Iterator[Pose]) -> bool:
    return any(isinstance(_settled(frame, grey, scene, [start], None), Pose) for start in others)


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
    return snap(np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), np.uint8), scene, pose, coarse=True)
