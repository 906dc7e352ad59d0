"""Small pieces of the board found again in the view straight down: how a pose is made exact, and a push is noticed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import cv2
import numpy as np

from companion.vision.pose import Floats, Frame, Pose, flat_maps, flatten, solve_pose
from companion.vision.scene import FINE_PER_MM, PIXELS_PER_MM, Scene

_PATCH, _SEARCH = 32, 6  # pixels
_FEWEST = 12  # patches that a pose is made from
_LEAST_ALIKE = 0.15  # share of the patches with structure that must be found again
_STEPS = 5
UNLIKE = "The board in the picture does not look like the one on the sheet."


def snap(grey: Frame, scene: Scene, pose: Pose, prior: Pose | None = None, coarse: bool = False) -> Pose | str:
    """The pose after comparing patches of the flat view with the empty board, or why that is another board.

    grey: uint8. coarse: whether the pose may be off by a centimetre; then large patches are looked for first.
    """
    if coarse:
        pose = _snapped(grey, scene, pose, prior, FINE_PER_MM / 2)[0]
    found, share = _snapped(grey, scene, pose, prior, FINE_PER_MM)
    return UNLIKE if share < _LEAST_ALIKE else found


def _snapped(grey: Frame, scene: Scene, pose: Pose, prior: Pose | None, scale: float) -> tuple[Pose, float]:
    """The pose made exact, and the share of the patches that can be seen that were found at last."""
    board, corners = _board(scene, scale), _all_patches(scene, scale)
    share = 1.0
    for _ in range(_STEPS):
        maps = flat_maps(pose, scene.sheet.width, scene.sheet.height, scale)
        visible = _visible(corners, pose, scale)
        at, moved = _patch_shifts(flatten(grey, maps), board, visible)
        if len(corners) >= _FEWEST:
            share = len(at) / max(len(visible), _FEWEST)
        seen = pose.project((at + moved + 0.5) / scale)
        found = _without_strays((at + 0.5) / scale, seen, pose, prior, scene)
        if found is None:
            break
        pose = found
        if float(np.median(np.abs(moved))) < 0.3:
            break
    return pose, share


def found_again(grey: Frame, scene: Scene, pose: Pose) -> float:
    """The share of the patches that are found where the pose has them; 1 for a board without structure."""
    corners = _all_patches(scene)
    visible = _visible(corners, pose, FINE_PER_MM)
    if len(corners) < _FEWEST:
        return 1.0
    maps = flat_maps(pose, scene.sheet.width, scene.sheet.height, FINE_PER_MM)
    at, moved = _patch_shifts(flatten(grey, maps), _board(scene, FINE_PER_MM), visible)
    return float((np.abs(moved) < _NEAR).all(axis=1).sum()) / max(len(visible), _FEWEST) if len(at) else 0.0


_NEAR = 3.0  # pixels: 2 mm


def _visible(corners: Sequence[tuple[int, int]], pose: Pose, scale: float) -> list[tuple[int, int]]:
    """The patches whose middles lie in the picture."""
    if not corners:
        return []
    pixels = pose.project((np.array(corners, np.float64) + _PATCH / 2) / scale)
    inside = np.all((pixels >= 0) & (pixels <= np.array(pose.size) - 1), axis=1)
    return [corners[int(k)] for k in np.flatnonzero(inside)]


def drift(flat: Frame, scene: Scene) -> float | None:
    """How far the board lies from where it was taken to be, in pixels of the flat view; None if that is unclear.

    flat: uint8 grey flat view. Looks at the patches of the board with the most structure.
    """
    at, moved = _patch_shifts(flat, _board(scene, PIXELS_PER_MM), _distinct_patches(scene))
    if len(at) < 4:
        return None
    return float(np.median(np.linalg.norm(moved, axis=1)))


def _calm(grey: Frame) -> Frame:
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.uint8)


@lru_cache(maxsize=8)
def _board(scene: Scene, scale: float) -> Frame:
    """The empty board, grey, a little smoothed."""
    grey = np.asarray(cv2.cvtColor(scene.empty, cv2.COLOR_BGR2GRAY), np.uint8)
    if scale != FINE_PER_MM:
        size = (round(scene.sheet.width * scale), round(scene.sheet.height * scale))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    return _calm(grey)


@lru_cache(maxsize=8)
def _all_patches(scene: Scene, scale: float = FINE_PER_MM) -> tuple[tuple[int, int], ...]:
    """Corners (x, y) of the patches that have structure in both directions, the strongest first."""
    board = _board(scene, scale)
    texture = cv2.cornerMinEigenVal(board, _PATCH)
    rows, cols = board.shape
    half, step = _PATCH // 2, _PATCH if scale == FINE_PER_MM else _PATCH // 2
    grid = [
        (float(texture[y + half, x + half]), x, y)
        for y in range(_SEARCH, rows - _PATCH - _SEARCH + 1, step)
        for x in range(_SEARCH, cols - _PATCH - _SEARCH + 1, step)
    ]
    return tuple((x, y) for strength, x, y in sorted(grid, reverse=True) if strength >= 1e-4)


@lru_cache(maxsize=4)
def _distinct_patches(scene: Scene) -> tuple[tuple[int, int], ...]:
    """A score of strong patches, spread over the board."""
    strong = _all_patches(scene, PIXELS_PER_MM)
    return strong[:: max(1, len(strong) // 20)]


def _without_strays(places: Floats, pixels: Floats, start: Pose, prior: Pose | None, scene: Scene) -> Pose | None:
    """The pose from pairs of places, mm, and pixels, some of which are wrong; None where too few agree."""
    found, lens = None, scene.lens_for(start.size)
    for _ in range(3):
        if len(places) < _FEWEST:
            return found
        fit = solve_pose(places, pixels, start.size, prior, lens)
        if fit is None:
            return found
        found = fit
        miss = np.linalg.norm(fit.project(places) - pixels, axis=1)
        keep = miss < max(1.0, 2.5 * float(np.median(miss)))
        if keep.all():
            break
        places, pixels = places[keep], pixels[keep]
    return found


def _patch_shifts(flat: Frame, board: Frame, corners: Iterable[tuple[int, int]]) -> tuple[Floats, Floats]:
    """How far patches of `flat` lie off `board` (both uint8 grey, flat view); corners: their corners (x, y).

    Returns the middles of those that are found with certainty, and their shifts, (x, y) in flat pixels, float64
    (N, 2) each.
    """
    here = _calm(flat)
    at, moved = [], []
    for x, y in corners:
        patch = board[y : y + _PATCH, x : x + _PATCH]
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
