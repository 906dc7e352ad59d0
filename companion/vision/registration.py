"""Where the board is in a picture: by its markers, or by what is printed on it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np

from companion.vision.pose import Flat, Floats, Frame, Pose, flat_maps, flatten, solve_pose
from companion.vision.scene import PIXELS_PER_MM, Scene

Found = dict[int, Floats]
"""Markers in a picture: id → corners from the printed top-left clockwise, pixels, float64 (4, 2)."""

_LEAST_ALIKE = 0.15  # share of the patches with structure that must be found again
_WORST_ERROR = 0.006  # of the picture's width: more than this between a marker and its place is another sheet


NO_MARKER = "No marker of the board can be seen."


def register(frame: Frame, scene: Scene, last: Pose | None = None) -> Pose | str:
    """The camera's pose over the sheet, or one sentence that says why the board cannot be found.

    frame: uint8 BGR. last: the pose a moment ago, which helps when a marker is hidden.
    """
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    prior = last if last is not None and last.size == (frame.shape[1], frame.shape[0]) else None
    if scene.sheet.markers is not None:
        pose = _by_markers(grey, scene, prior)
        if pose == NO_MARKER:
            printed = _by_features(grey, scene, prior)
            pose = pose if isinstance(printed, str) else printed
    else:
        pose = _by_features(grey, scene, prior)
    if isinstance(pose, str):
        return pose
    return snap(grey, scene, pose)


def marker_corners(scene: Scene, ids: Iterable[int]) -> Floats:
    """Corners of printed markers on the sheet, from the top left clockwise, mm, float64 (4·N, 2)."""
    markers = scene.sheet.markers
    assert markers is not None
    half = markers.size / 2
    square = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    return np.vstack([np.array(markers.centers[i]) + square for i in ids])


def _by_markers(grey: Frame, scene: Scene, prior: Pose | None) -> Pose | str:
    found = find_markers(grey, scene)
    if not found:
        return _why_no_marker(grey, scene)
    if len(found) == 1 and prior is None:
        return "Only one marker of the board can be seen: two or more are needed."
    pose = _pose_from(found, scene, grey, prior)
    if pose is not None and len(found) < len(_known(scene)):
        found = _look_again(grey, scene, pose, found)
        pose = _pose_from(found, scene, grey, prior)
    if pose is None or pose.error > _WORST_ERROR * grey.shape[1]:
        return "The markers in the picture do not lie as on this sheet: is it another board?"
    return pose


def _known(scene: Scene) -> frozenset[int]:
    assert scene.sheet.markers is not None
    return frozenset(scene.sheet.markers.centers)


def _pose_from(found: Found, scene: Scene, grey: Frame, prior: Pose | None) -> Pose | None:
    corners = marker_corners(scene, found)
    size = (grey.shape[1], grey.shape[0])
    return solve_pose(corners, np.vstack(list(found.values())), size, prior)


def find_markers(grey: Frame, scene: Scene) -> Found:
    """The sheet's markers in a grey picture, uint8; tried smoothed and enlarged where some are missing."""
    known = _known(scene)
    found = _detect(grey, scene)
    if len(found) < len(known):
        calm = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.5), np.uint8)
        found = {**_detect(calm, scene), **found}
    if len(found) < len(known) and grey.shape[1] <= 1000:
        found = {**_enlarged(grey, scene, 2.0, (0, 0)), **found}
    return found


def _enlarged(grey: Frame, scene: Scene, factor: float, origin: tuple[float, float]) -> Found:
    large = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC), np.uint8)
    calm = np.asarray(cv2.GaussianBlur(large, (0, 0), factor / 2), np.uint8)
    seen = _detect(calm, scene)
    return {i: (corners + 0.5) / factor - 0.5 + np.array(origin) for i, corners in seen.items()}


def _look_again(grey: Frame, scene: Scene, pose: Pose, found: Found) -> Found:
    """Search for the markers that are missing where they must be, enlarged."""
    rows, cols = grey.shape
    for i in sorted(_known(scene) - found.keys()):
        corners = pose.project(marker_corners(scene, [i]))
        reach = np.ptp(corners, axis=0).max()
        x0, y0 = np.floor(corners.min(axis=0) - reach).astype(int).clip(0)
        x1, y1 = np.ceil(corners.max(axis=0) + reach).astype(int)
        patch = grey[y0 : min(y1, rows), x0 : min(x1, cols)]
        if min(patch.shape) > 8:
            seen = _enlarged(np.ascontiguousarray(patch), scene, 3.0, (x0, y0))
            if i in seen and np.abs(seen[i] - corners).max() < reach:
                found = {**found, i: seen[i]}
    return found


def _detect(grey: Frame, scene: Scene) -> Found:
    markers = scene.sheet.markers
    assert markers is not None
    corners, ids, _ = _detector(markers.dictionary).detectMarkers(grey)
    if ids is None:
        return {}
    marks = zip(np.asarray(ids).reshape(-1), corners, strict=True)
    return {int(i): np.asarray(c, np.float64).reshape(4, 2) for i, c in marks if int(i) in markers.centers}


@lru_cache(maxsize=4)
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(book, settings)


def _why_no_marker(grey: Frame, scene: Scene) -> str:
    if float(np.percentile(grey, 99)) < 16:
        return "The picture is black: is the camera covered, or the light off?"
    if float(grey.std()) < 3:
        return "The picture is blank."
    if len(_detect(np.ascontiguousarray(grey[:, ::-1]), scene)) >= 2:
        return "The picture is mirrored: switch off mirroring in the camera's settings."
    return NO_MARKER


def pose_from_landmarks(scene: Scene, photo: Frame, landmarks: Floats) -> Pose | str:
    """The pose of a photo from places given by hand, rows of (x mm, y mm, x px, y px)."""
    size = (photo.shape[1], photo.shape[0])
    pose = solve_pose(landmarks[:, :2], landmarks[:, 2:], size)
    if pose is None or pose.error > 0.05 * size[0]:
        return "the landmarks do not fit the sheet."
    if scene.printed is None:
        return pose
    return snap(np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), np.uint8), scene, pose)


def _by_features(grey: Frame, scene: Scene, prior: Pose | None) -> Pose | str:
    """Match distinct points with the photo of the empty board, or with what is printed."""
    if float(np.percentile(grey, 99)) < 16:
        return "The picture is black: is the camera covered, or the light off?"
    points, known = _distinct(scene)
    spots, seen = cv2.SIFT_create(3000).detectAndCompute(_calm(grey), None)  # type: ignore[attr-defined]
    if seen is None or len(spots) < 12:
        return "The picture shows no board: it is blank."
    pairs = cv2.BFMatcher().knnMatch(np.asarray(seen), known, k=2)
    good = [m[0] for m in pairs if len(m) == 2 and m[0].distance < 0.8 * m[1].distance]
    if len(good) < 12:
        return "The board cannot be found in the picture."
    pixels = np.array([spots[m.queryIdx].pt for m in good])
    places = points[[m.trainIdx for m in good]]
    shape, inside = cv2.findHomography(places, pixels, cv2.RANSAC, 0.006 * grey.shape[1])
    keep = np.asarray(inside).reshape(-1).astype(bool) if shape is not None else np.zeros(len(good), bool)
    if keep.sum() < 10:
        return "The board cannot be found in the picture."
    if np.linalg.det(shape[:2, :2]) < 0:
        return "The picture is mirrored: switch off mirroring in the camera's settings."
    pose = solve_pose(places[keep], pixels[keep], (grey.shape[1], grey.shape[0]), prior or scene.pose)
    return pose if pose is not None else "The board cannot be found in the picture."


def _calm(grey: Frame) -> Frame:
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.uint8)


@lru_cache(maxsize=4)
def _distinct(scene: Scene) -> tuple[Floats, Flat]:
    """Distinct points of the empty board, mm (N, 2), and their descriptors (N, 128)."""
    grey = np.asarray(cv2.cvtColor(scene.empty, cv2.COLOR_BGR2GRAY), np.uint8)
    spots, known = cv2.SIFT_create(3000).detectAndCompute(_calm(grey), None)  # type: ignore[attr-defined]
    places = (np.array([s.pt for s in spots]).reshape(-1, 2) + 0.5) / PIXELS_PER_MM
    return places, np.asarray(known, np.float32)


def snap(grey: Frame, scene: Scene, pose: Pose) -> Pose | str:
    """The pose after comparing patches of the flat view with the empty board, or why that is another board."""
    corners = _all_patches(scene)
    for _ in range(4):
        flat = flatten(grey, flat_maps(pose, scene.sheet.width, scene.sheet.height, PIXELS_PER_MM))
        at, moved = _patch_shifts(flat, _grey(scene), corners)
        if len(corners) >= 12 and len(at) < _LEAST_ALIKE * len(corners):
            return "The board in the picture does not look like the one on the sheet."
        found = _without_strays((at + 0.5) / PIXELS_PER_MM, pose.project((at + moved + 0.5) / PIXELS_PER_MM), pose)
        if found is None:
            break
        pose = found
        if float(np.median(np.abs(moved))) < 0.5:
            break
    return pose


def drift(flat: Frame, scene: Scene) -> float | None:
    """How far the board lies from where it was taken to be, in pixels of the flat view; None if that is unclear.

    flat: uint8 grey flat view. Looks at the patches of the board with the most structure.
    """
    at, moved = _patch_shifts(flat, _grey(scene), _distinct_patches(scene))
    if len(at) < 4:
        return None
    return float(np.median(np.linalg.norm(moved, axis=1)))


@lru_cache(maxsize=4)
def _grey(scene: Scene) -> Frame:
    return np.asarray(cv2.cvtColor(scene.empty, cv2.COLOR_BGR2GRAY), np.uint8)


@lru_cache(maxsize=4)
def _all_patches(scene: Scene) -> tuple[tuple[int, int], ...]:
    """Corners (x, y) of the patches that have structure in both directions, the strongest first."""
    texture = cv2.cornerMinEigenVal(_calm(_grey(scene)), _PATCH)
    rows, cols = texture.shape
    half = _PATCH // 2
    grid = [
        (float(texture[y + half, x + half]), x, y)
        for y in range(_SEARCH, rows - _PATCH - _SEARCH + 1, _PATCH)
        for x in range(_SEARCH, cols - _PATCH - _SEARCH + 1, _PATCH)
    ]
    return tuple((x, y) for strength, x, y in sorted(grid, reverse=True) if strength >= 1e-4)


def _distinct_patches(scene: Scene) -> tuple[tuple[int, int], ...]:
    """A score of strong patches, spread over the board."""
    strong = _all_patches(scene)
    return strong[:: max(1, len(strong) // 20)]


def _without_strays(places: Floats, pixels: Floats, start: Pose) -> Pose | None:
    """The pose from pairs of places, mm, and pixels, some of which are wrong; None where too few agree."""
    found = None
    for _ in range(3):
        if len(places) < 12:
            return found
        fit = solve_pose(places, pixels, start.size)
        if fit is None:
            return found
        found = fit
        miss = np.linalg.norm(fit.project(places) - pixels, axis=1)
        keep = miss < max(1.0, 2.5 * float(np.median(miss)))
        if keep.all():
            break
        places, pixels = places[keep], pixels[keep]
    return found


_PATCH, _SEARCH = 32, 6  # pixels of the flat view


def _patch_shifts(flat: Frame, printed: Frame, corners: Iterable[tuple[int, int]]) -> tuple[Floats, Floats]:
    """How far patches of `flat` lie off `printed` (both uint8 grey, flat view); corners: their corners (x, y).

    Returns the middles of those that are found with certainty, and their shifts, (x, y) in flat pixels, float64
    (N, 2) each.
    """
    here, there = _calm(flat), _calm(printed)
    at, moved = [], []
    for x, y in corners:
        patch = there[y : y + _PATCH, x : x + _PATCH]
        room = here[y - _SEARCH : y + _PATCH + _SEARCH, x - _SEARCH : x + _PATCH + _SEARCH]
        shift = _best_shift(room, patch)
        if shift is not None:
            at.append((x + (_PATCH - 1) / 2, y + (_PATCH - 1) / 2))
            moved.append(shift)
    return np.array(at, np.float64).reshape(-1, 2), np.array(moved, np.float64).reshape(-1, 2)


def _best_shift(room: Frame, patch: Frame) -> tuple[float, float] | None:
    """Where `patch` lies in `room`, from the middle, to a fraction of a pixel; None if it is not clear."""
    score = np.asarray(cv2.matchTemplate(room, patch, cv2.TM_CCOEFF_NORMED))
    _, best, _, (x, y) = cv2.minMaxLoc(score)
    if best < 0.75 or not (0 < x < score.shape[1] - 1 and 0 < y < score.shape[0] - 1):
        return None
    return x - _SEARCH + _peak(*score[y, x - 1 : x + 2]), y - _SEARCH + _peak(*score[y - 1 : y + 2, x])


def _peak(before: float, top: float, after: float) -> float:
    """The summit of the parabola through three neighbours, from the middle one."""
    bend = before - 2 * top + after
    return 0.0 if bend >= 0 else float(0.5 * (before - after) / bend)
