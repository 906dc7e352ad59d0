"""The sheet's markers in a picture: read bit by bit; where they have too few pixels for that, by how they look."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np

from companion.vision.view.pose import Flat, Floats, Frame, Pose
from companion.vision.view.scene import Scene

Found = dict[int, Floats]
"""Markers in a picture: id → corners from the printed top-left clockwise, pixels, float64 (4, 2)."""

_LARGE = 1000  # pixels: a wider picture is not enlarged
_TINY = 45.0  # pixels: the largest marker, cornerwise, that may be faint
_CELL = 4  # pixels to a cell of a marker, where one is compared with how it is printed
_CELLS = 8  # its bits, its black border and a white ring
_SIDE = _CELL * _CELLS
_SOFT = 0.45  # cells by which small markers are blurred
_SIZES, _SHIFT = (0.85, 1.0, 1.15, 1.3), 3  # a quadrangle may be drawn so much too large, and pixels off its marker
_LEAST_ALIKE, _AHEAD = 0.8, 0.15  # correlation of a faint marker as a whole and of its bits; ahead of any other's bits
_BITS = (slice(2 * _CELL, -2 * _CELL),) * 2


def find_markers(grey: Frame, scene: Scene) -> Found:
    """The sheet's markers in a grey picture, uint8, as far as they can be told."""
    found, _ = sure_markers(grey, scene)
    return found if len(found) == len(marker_ids(scene)) else {**faint_markers(grey, scene), **found}


def sure_markers(grey: Frame, scene: Scene) -> tuple[Found, set[int]]:
    """The markers whose bits can be read, and those of which there are two; tried smoothed and enlarged where some are
    missing."""
    every = marker_ids(scene)
    found, twice, _ = _detect(grey, scene)
    if len(found) < len(every):
        calm = np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.5), np.uint8)
        found = {**_detect(calm, scene)[0], **found}
    if len(found) < len(every) and grey.shape[1] <= _LARGE:
        found = {**_enlarged(grey, scene, 2.0, (0, 0))[0], **found}
    return found, twice


def faint_markers(grey: Frame, scene: Scene) -> Found:
    """The markers, of however few pixels, that quadrangles in a grey picture look like."""
    return _enlarged(grey, scene, 2.0 if grey.shape[1] <= _LARGE else 1.0, (0, 0), True)[1]


def marker_ids(scene: Scene) -> frozenset[int]:
    """Those that are printed on the sheet, which must have markers."""
    assert scene.sheet.markers is not None
    return frozenset(scene.sheet.markers.centers)


def marker_corners(scene: Scene, ids: Iterable[int]) -> Floats:
    """Corners of printed markers on the sheet, from the top left clockwise, mm, float64 (4·N, 2)."""
    markers = scene.sheet.markers
    assert markers is not None
    half = markers.size / 2
    square = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    return np.vstack([np.array(markers.centers[i]) + square for i in ids])


def look_again(grey: Frame, scene: Scene, pose: Pose, found: Found) -> Found:
    """Those found, and the missing ones, searched for where a pose has them, enlarged."""
    rows, cols = grey.shape
    for i in sorted(marker_ids(scene) - found.keys()):
        corners = pose.project(marker_corners(scene, [i]))
        reach = np.ptp(corners, axis=0).max()
        x0, y0 = np.floor(corners.min(axis=0) - reach).astype(int).clip(0)
        x1, y1 = np.ceil(corners.max(axis=0) + reach).astype(int)
        patch = grey[y0 : max(0, min(y1, rows)), x0 : max(0, min(x1, cols))]
        if min(patch.shape) > 8:
            sure, faint = _enlarged(np.ascontiguousarray(patch), scene, 3.0, (x0, y0), True)
            seen = {**faint, **sure}
            if i in seen and np.abs(seen[i].mean(axis=0) - corners.mean(axis=0)).max() < reach / 2:
                found = {**found, i: seen[i]}
    return found


def is_mirrored(grey: Frame, scene: Scene) -> bool:
    """Whether two markers or more can be read in the mirror image of a picture."""
    return len(_detect(np.ascontiguousarray(grey[:, ::-1]), scene)[0]) >= 2


def _enlarged(
    grey: Frame, scene: Scene, factor: float, origin: tuple[float, float], faintly: bool = False
) -> tuple[Found, Found]:
    """The markers of an enlarged picture, the sure ones and, if `faintly`, others; origin: where it lies in the whole
    one, pixels."""
    large = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC), np.uint8)
    calm = np.asarray(cv2.GaussianBlur(large, (0, 0), factor / 2), np.uint8)
    sure, _, quads = _detect(calm, scene)
    both = sure, _faint(calm, quads, scene, factor * _TINY) if faintly else {}
    smaller = [{i: (ring + 0.5) / factor - 0.5 + np.array(origin) for i, ring in found.items()} for found in both]
    return smaller[0], smaller[1]


def _detect(grey: Frame, scene: Scene) -> tuple[Found, set[int], list[Flat]]:
    """The sheet's markers, the ids of which there are two or more, and quadrangles whose bits could not be read."""
    markers = scene.sheet.markers
    assert markers is not None
    corners, ids, rejected = _detector(markers.dictionary).detectMarkers(grey)
    found: Found = {}
    twice: set[int] = set()
    numbers = [] if ids is None else [int(i) for i in np.asarray(ids).ravel()]
    for i, four in zip(numbers, corners, strict=True):
        if i in markers.centers:
            ring = np.asarray(four, np.float64).reshape(4, 2)
            if i in found and np.linalg.norm(found[i].mean(axis=0) - ring.mean(axis=0)) > np.ptp(ring, axis=0).max():
                twice.add(i)
            found[i] = ring
    return found, twice, [np.asarray(quad, np.float32).reshape(4, 2) for quad in rejected]


@lru_cache(maxsize=4)
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(_book(dictionary), settings)


def _book(dictionary: str) -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))


# --- by how they look ---


def _faint(grey: Frame, quads: Iterable[Flat], scene: Scene, most: float) -> Found:
    """The markers that quadrangles of a grey picture look like, those that look most like them; a larger one than
    `most`, pixels, would have been read.

    Of a cell that has two pixels the threshold of a detector makes anything; as a whole the marker is plain enough.
    """
    found: Found = {}
    top: dict[int, float] = {}
    for quad in quads:
        if np.ptp(quad, axis=0).max() > most:
            continue
        best = _likest(grey, quad, scene)
        if best is not None and best[1] > top.get(best[0], _LEAST_ALIKE):
            number, top[best[0]], found[number] = best[0], best[1], best[2]
    return found


def _likest(grey: Frame, quad: Flat, scene: Scene) -> tuple[int, float, Floats] | None:
    """Which marker a quadrangle looks most like, how much, and its corners from the printed top-left; None if none."""
    markers = scene.sheet.markers
    assert markers is not None
    keys, whole, bits = _prints(markers.dictionary, tuple(markers.centers))
    views, corners = _views(grey, quad)
    alike = _normed(views.reshape(len(views), -1)) @ whole.T
    view, key = np.unravel_index(int(alike.argmax()), alike.shape)
    inside = _normed(views[view][_BITS].reshape(1, -1)) @ bits.T
    share, rest = float(min(alike[view, key], inside[0, key])), float(np.delete(inside[0], key).max())
    if share < _LEAST_ALIKE or inside[0, key] - rest < _AHEAD:
        return None
    number, quarters = keys[int(key)]
    return number, share, np.roll(corners[view], quarters, axis=0)


def _views(grey: Frame, quad: Flat) -> tuple[Flat, Floats]:
    """A quadrangle as seen from straight above, a little larger, smaller and shifted: (V, side, side), and the corners
    in the picture that a marker would have that fills the view, (V, 4, 2)."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * (_SIDE * 3 / 8)
    middle, views, corners = _SIDE / 2 - 0.5, [], []
    for size in _SIZES:
        way = cv2.getPerspectiveTransform(square / size + middle + _SHIFT, quad)
        wide = (_SIDE + 2 * _SHIFT,) * 2
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        large = cv2.warpPerspective(grey, way, wide, flags=how, borderMode=cv2.BORDER_REPLICATE)
        for y in range(0, 2 * _SHIFT + 1, _SHIFT):
            for x in range(0, 2 * _SHIFT + 1, _SHIFT):
                views.append(large[y : y + _SIDE, x : x + _SIDE])
                corners.append(cv2.perspectiveTransform((square + middle + (x, y))[None].astype(np.float32), way)[0])
    return np.asarray(np.stack(views), np.float32), np.asarray(np.stack(corners), np.float64)


@lru_cache(maxsize=4)
def _prints(dictionary: str, ids: tuple[int, ...]) -> tuple[list[tuple[int, int]], Flat, Flat]:
    """(id, quarters) of each marker in each turn, and how it looks: as a whole, and its bits alone; of length 1."""
    keys, whole, bits = [], [], []
    for number in ids:
        bare = cv2.aruco.generateImageMarker(_book(dictionary), number, (_CELLS - 2) * _CELL)
        framed = cv2.copyMakeBorder(bare, *(_CELL,) * 4, cv2.BORDER_CONSTANT, value=255).astype(np.float32)
        soft = cv2.GaussianBlur(framed, (0, 0), _SOFT * _CELL)
        for quarters in range(4):
            turned = np.rot90(soft, quarters)
            keys.append((number, quarters))
            whole.append(turned.ravel())
            bits.append(turned[_BITS].ravel())
    return keys, _normed(np.stack(whole)), _normed(np.stack(bits))


def _normed(rows: Flat) -> Flat:
    """Rows, (N, P), of mean 0 and length 1, so that their products are correlations."""
    off = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(off / np.maximum(np.linalg.norm(off, axis=1, keepdims=True), 1e-3), np.float32)
