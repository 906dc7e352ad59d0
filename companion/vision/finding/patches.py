"""Small pieces of the board found again in the view straight down: how a pose is made exact, and a push is noticed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.finding.bending import bends, or_bent
from companion.vision.finding.likeness import lying_turned, quarter_turns
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Floats, Frame, Pose, flat_maps, flatten, without_strays
from companion.vision.view.scene import FINE_PER_MM, PIXELS_PER_MM, Scene

_PATCH, _SEARCH = 32, 6  # pixels
_FEWEST = 12  # patches that are asked
_SURVEYED = 4  # patches that a drift is seen by
_HARDLY_ANY = 30  # patches: of a board with fewer hardly anything can be made out
_LEAST_ALIKE = 0.15  # share of the patches with structure that must be found again
_STEPS = 5
_SOME, _MANY = 2, 140  # of every so many patches one is looked for at first, where there are many
_STILL = 0.3  # pixels
_BLUR = 0.7  # pixels of the picture, each way: so soft is it
_DAZZLED = 0.33  # share of the patches that are burnt out: so many, and nobody can say which board it is
_NEAR = 3.0  # pixels: 2 mm
_CLEARLY, _MANY_OF_ALL = 1.5, 0.4  # times as many patches as after another turn, and share of all, that tell a turn
_TELLING = 0.6  # share of the patches: if fewer are not burnt out, the rest counts as if they were so many
_POORLY = 0.5  # of `Again.found`: if less is found the course of the light is taken out
_FAINT, _COURSE, _STEEP = np.float32(8), 3.0, 150.0
"""Grey levels that say nothing; pixels over which the light runs its course; levels for one of the natural log."""
_CLIPPED, _BRIGHTER, _EVEN = 250.0, 1.12, 6.0
"""Grey levels of what may be burnt out; or how many times as bright as paper it is; levels by which it is uneven."""
TOO_BRIGHT = "The board is too bright for its print to be seen: keep the sun off it, or turn the exposure down."
UNLIKE = (
    "The board in the picture does not look like this game's: is it another board, or is much of it hidden? "
    "Put the right one there, flat, and take off what lies on it."
)


class Again(NamedTuple):
    """Shares of a board's patches. seen: that are found at all, of those that lie in the picture; found: that are where
    they belong, of those that tell; burnt: that tell nothing."""

    seen: float = 1.0
    found: float = 1.0
    burnt: float = 0.0


class Snapped(NamedTuple):
    """A pose made exact, and how much of the board is found again under it."""

    pose: Pose
    again: Again


def snap(grey: Frame, scene: Scene, pose: Pose, prior: Pose | None = None, coarse: bool = False) -> Snapped | str:
    """The pose after comparing patches of the flat view with the empty board, or why that is another board.

    grey: uint8. coarse: whether the pose may be off by a centimetre; then large patches are looked for first.
    """
    if coarse:
        pose = _snapped(grey, scene, pose, prior, FINE_PER_MM / 2).pose
    found = _snapped(grey, scene, pose, prior, FINE_PER_MM)
    return unlike(found.again) if found.again.seen < _LEAST_ALIKE else found


def is_faint(scene: Scene) -> bool:
    """Whether hardly anything of the empty board can be made out in what is known of it, as in a photo of dark wood."""
    return len(_all_patches(scene, FINE_PER_MM)) < _HARDLY_ANY


def unlike(again: Again) -> str:
    """Why this is not the board, or cannot be told to be it."""
    return TOO_BRIGHT if again.burnt >= _DAZZLED else UNLIKE


def in_all_turns(grey: Frame, scene: Scene, pose: Pose) -> dict[int, Pose]:
    """A pose turned by quarters after which the board covers the same place, by how many, made exact each: no board
    lies just as it did once it is turned. Without those under which this is not the board. grey: uint8."""
    turns = (0, *quarter_turns(scene))
    found = {q: snap(grey, scene, lying_turned(pose, q, scene), coarse=q > 0) for q in turns}
    return {q: one.pose for q, one in found.items() if not isinstance(one, str)}


def turn_by_details(grey: Frame, scene: Scene, poses: Mapping[int, Pose]) -> int | None:
    """In which turn the board lies, if its patches tell: the grain of each square is its own, be the squares alike.
    None if they do not. grey: uint8; poses: see `in_all_turns`."""
    found = {q: _where_they_belong(grey, scene, pose) for q, pose in poses.items()}
    best = max(found, key=lambda q: found[q], default=0)
    others = max((count for q, count in found.items() if q != best), default=0)
    sure = bool(found) and found[best] >= _FEWEST + _CLEARLY * others
    return best if sure and found[best] >= _MANY_OF_ALL * len(_all_patches(scene, FINE_PER_MM)) else None


def _where_they_belong(grey: Frame, scene: Scene, pose: Pose) -> int:
    """How many patches are found just where they are under a pose."""
    flat = flatten(grey, flat_maps(pose, scene.sheet.width, scene.sheet.height, FINE_PER_MM))
    visible = _visible(_all_patches(scene, FINE_PER_MM), pose, FINE_PER_MM)
    _, moved = _patch_shifts(_calm(flat), _as_coarse(scene, FINE_PER_MM, pose), visible)
    return int((np.abs(moved) < _NEAR).all(axis=1).sum())


def _snapped(grey: Frame, scene: Scene, pose: Pose, prior: Pose | None, scale: float) -> Snapped:
    """The pose made exact; with the course of the light taken out, where more of the board is found so: the sun through
    a window or a blind has more edges than the print."""
    if len(_all_patches(scene, scale)) < _FEWEST:
        return Snapped(pose, Again())
    found = _exactly(grey, scene, pose, prior, scale, evened=False)
    if found.again.found >= _POORLY:
        return found
    again = _exactly(grey, scene, pose, prior, scale, evened=True)
    return again if again.again.found > found.again.found else found


def _exactly(grey: Frame, scene: Scene, pose: Pose, prior: Pose | None, scale: float, evened: bool) -> Snapped:
    """The pose made exact, of a board that bends if it surely does. evened: see `_evened`."""
    every = _all_patches(scene, scale)
    found, places, pixels = _fitted(grey, scene, pose, prior, scale, True, evened)
    if found.pose.bend is None:
        return found
    flat = without_strays(places, pixels, pose.size, prior, scene.lens_for(pose.size))
    details = (np.array(every, np.float64) + _PATCH / 2) / scale
    if flat is not None and bends(found.pose, flat, places, pixels, details):
        return found
    return _fitted(grey, scene, replace(pose, bend=None), prior, scale, False, evened)[0]


def _fitted(
    grey: Frame, scene: Scene, pose: Pose, prior: Pose | None, scale: float, bent: bool, evened: bool
) -> tuple[Snapped, Floats, Floats]:
    """The pose made exact: by some of the patches, then in the finest view by all of them, until these hardly move. And
    where those are that were found last, mm (N, 2), and seen, pixels (N, 2). bent: whether the board may bend. evened:
    see `_evened`."""
    every, fine = _all_patches(scene, scale), scale == FINE_PER_MM
    some = every[:: _SOME if len(every) > _MANY else 1]
    for step in range(_STEPS):
        flat = flatten(grey, flat_maps(pose, scene.sheet.width, scene.sheet.height, scale))
        visible = _visible(every if fine and step else some, pose, scale)
        here, board = _calm(flat), _as_coarse(scene, scale, pose)
        if evened:
            here, board = _evened(here), _evened(board)
        at, moved = _patch_shifts(here, board, visible)
        places, pixels = (at + 0.5) / scale, pose.project((at + moved + 0.5) / scale)
        better = without_strays(places, pixels, pose.size, prior, scene.lens_for(pose.size))
        if better is not None and bent:
            better = or_bent(better, places, pixels, prior, scene)
        still = len(at) > 0 and float(np.median(np.abs(moved))) < _STILL
        pose = pose if better is None else better
        if (step or not fine) and (still or better is None):
            break
    return Snapped(pose, _again(flat, visible, at, moved)), places, pixels


def _again(flat: Frame, visible: Sequence[tuple[int, int]], at: Floats, moved: Floats) -> Again:
    """How many patches of those in the picture were found; at: their middles, and how far they `moved`.

    Patches that are burnt out say neither yes nor no, unless these are too many.
    """
    near = at[(np.abs(moved) < _NEAR).all(axis=1)] - (_PATCH - 1) / 2
    there = {(x, y) for x, y in np.round(near).astype(int).tolist()}
    burnt = _burnt_out(flat, visible, there) if visible else 0
    telling = max(len(visible) - burnt, _TELLING * len(visible), _FEWEST)
    return Again(len(at) / max(len(visible), _FEWEST), len(there) / telling, burnt / max(len(visible), 1))


def _burnt_out(flat: Frame, corners: Sequence[tuple[int, int]], found: Collection[tuple[int, int]]) -> int:
    """How many patches of a flat view, uint8 grey, are even and too bright: as bright as can be, or brighter than the
    board's paper where patches were found. A sheet without the print would be as bright as that paper.
    """
    patches = np.stack([flat[y : y + _PATCH : 2, x : x + _PATCH : 2].ravel() for x, y in corners])
    low, high = np.percentile(patches, (3, 97), axis=1)
    own = np.array([corner in found for corner in corners])
    paper = float(np.median(high[own])) if own.any() else 255.0
    bright = (low >= _CLIPPED) | (low > _BRIGHTER * paper)
    return int(np.count_nonzero(bright & (high - low <= _EVEN) & ~own))


def _visible(corners: Sequence[tuple[int, int]], pose: Pose, scale: float) -> list[tuple[int, int]]:
    """The patches whose middles lie in the picture."""
    if not corners:
        return []
    pixels = pose.project((np.array(corners, np.float64) + _PATCH / 2) / scale)
    inside = np.all((pixels >= 0) & (pixels <= np.array(pose.size) - 1), axis=1)
    return [corners[int(k)] for k in np.flatnonzero(inside)]


Rest = Mapping[tuple[float, float], Floats]
"""Middles of patches, pixels of the flat view, and how far each lies off its place, (x, y), while the board rests."""


def resting(flat: Frame, scene: Scene) -> Rest:
    """How the patches of a board lie whose pose was just made exact: those of pages that were glued by hand, or of a
    board that bends, never lie quite where they belong. flat: uint8 grey flat view."""
    at, moved = _patch_shifts(_calm(flat), _board(scene, PIXELS_PER_MM), _distinct_patches(scene))
    return {(x, y): shift for (x, y), shift in zip(at.tolist(), moved, strict=True)}


def drift(flat: Frame, scene: Scene, rest: Rest) -> float | None:
    """How far the board lies from where it was taken to be, in pixels of the flat view; None if that is unclear.

    flat: uint8 grey flat view. Looks at the patches of the board with the most structure. rest: how they lay then.
    """
    now = resting(flat, scene)
    both = now.keys() & rest.keys()
    off = [now[at] - rest[at] for at in both] if len(both) >= _SURVEYED else list(now.values())
    return float(np.median(np.linalg.norm(off, axis=1))) if len(off) >= _SURVEYED else None


def _as_coarse(scene: Scene, scale: float, pose: Pose) -> Frame:
    """The empty board, grey, as blurred as a picture shows it that is coarser than the view."""
    wide = scale * _pixel(scene, pose)
    return _blurred(scene, scale, round(_BLUR * float(np.sqrt(max(wide * wide - 1, 0))), 1))


@kept(most=4)
def _blurred(scene: Scene, scale: float, by: float) -> Frame:
    return np.asarray(cv2.GaussianBlur(_board(scene, scale), (0, 0), by), np.uint8) if by > 0 else _board(scene, scale)


def _pixel(scene: Scene, pose: Pose) -> float:
    """How wide a pixel of the picture is on the board, mm: over its diagonals."""
    width, height = scene.sheet.width, scene.sheet.height
    ends = pose.project([(0, 0), (width, height), (width, 0), (0, height)])
    return 2 * float(np.hypot(width, height)) / float(np.linalg.norm(ends[::2] - ends[1::2], axis=1).sum())


def _calm(grey: Frame) -> Frame:
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.uint8)


def _evened(calm: Frame) -> Frame:
    """A flat view, grey, with nothing but what changes within some mm, as much in dark places as in bright ones."""
    logs = np.log(calm + _FAINT)
    apart = cv2.subtract(logs, cv2.GaussianBlur(logs, (0, 0), _COURSE))
    return np.asarray(np.clip(128 + _STEEP * apart, 0, 255), np.uint8)


@kept(most=3)
def _board(scene: Scene, scale: float) -> Frame:
    """The empty board, grey, a little smoothed."""
    grey = np.asarray(cv2.cvtColor(scene.empty, cv2.COLOR_BGR2GRAY), np.uint8)
    if scale != FINE_PER_MM:
        size = (round(scene.sheet.width * scale), round(scene.sheet.height * scale))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    return _calm(grey)


@kept(most=3)
def _all_patches(scene: Scene, scale: float) -> tuple[tuple[int, int], ...]:
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


@kept()
def _distinct_patches(scene: Scene) -> tuple[tuple[int, int], ...]:
    """A score of strong patches, spread over the board."""
    strong = _all_patches(scene, PIXELS_PER_MM)
    return strong[:: max(1, len(strong) // 20)]


def _patch_shifts(here: Frame, board: Frame, corners: Iterable[tuple[int, int]]) -> tuple[Floats, Floats]:
    """How far patches of what is seen lie off `board` (both grey, flat view, calm); corners: their corners (x, y).

    Returns the middles of those that are found with certainty, and their shifts, (x, y) in flat pixels, float64
    (N, 2) each.
    """
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
