"""Where a board may lie, by its distinct points: candidates, for others to judge by the whole picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats, Frame, Pose, solve_pose
from companion.vision.view.scene import FINE_PER_MM, Scene

_MOST = 2000  # points of a picture or of a board
_WIDE, _CALM, _HARDLY = 1000, 1.0, 0.6  # pixels: in pictures so wide noise is calmed over so many, in others hardly,
# as their print is as fine as noise: of 42 boards at 480 × 360 two were not found in the calm of the wide ones
_DISTINCT = 0.82  # a pair counts at first if the second best is so much worse (Lowe's ratio)
_NEAR = 0.006  # of the picture's width: so far may a point lie from where a plane without a lens has it
_FEWEST = 10
_SECTORS = 12  # a point tells by how much the board is turned; those of one turn, within a sector or two, go together


@dataclass(frozen=True, eq=False, slots=True)
class Points:
    """Distinct points. at: (N, 2), of a picture in pixels, of a board in mm; turn: their direction, degrees (N,)."""

    at: Floats
    turn: Floats
    looks: Flat  # (N, 128), of length 1


def points_of(grey: Frame, size: float = 1.0) -> Points:
    """The distinct points of a grey picture, uint8; `size`: how much smaller to look at it, 0 to 1."""
    if size < 1:
        grey = np.asarray(cv2.resize(grey, None, fx=size, fy=size, interpolation=cv2.INTER_AREA), np.uint8)
    return _distinct(grey, _CALM if size == 1 and grey.shape[1] >= _WIDE else _HARDLY, size)


def _distinct(grey: Frame, calm: float, size: float = 1.0) -> Points:
    """`points_of` a picture that is so much smaller already, once its noise is calmed over some pixels."""
    grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), calm), np.uint8)
    sift = cv2.SIFT_create(_MOST, contrastThreshold=0.02)  # type: ignore[attr-defined]
    spots, looks = sift.detectAndCompute(grey, None)
    if looks is None:
        return Points(np.empty((0, 2)), np.empty(0), np.empty((0, 128), np.float32))
    at = (np.array([s.pt for s in spots]) + 0.5) / size - 0.5
    root = np.sqrt(looks / np.maximum(looks.sum(axis=1, keepdims=True), 1e-6))
    return Points(at, np.array([s.angle for s in spots]), np.asarray(root, np.float32))


@kept()
def points_of_board(scene: Scene) -> Points:
    """Those of the empty board; places in mm."""
    found = _distinct(np.asarray(cv2.cvtColor(scene.empty, cv2.COLOR_BGR2GRAY), np.uint8), _CALM)
    return Points((found.at + 0.5) / FINE_PER_MM, found.turn, found.looks)


@dataclass(frozen=True, eq=False, slots=True)
class Pairs:
    """Points of the board, mm, and of the picture, pixels, (N, 2) each, that look alike; turn: between them."""

    places: Floats
    pixels: Floats
    turn: Floats

    def without(self, gone: npt.NDArray[np.bool_]) -> Pairs:
        """All but some."""
        return Pairs(self.places[~gone], self.pixels[~gone], self.turn[~gone])


def pairs_of(seen: Points, known: Points) -> Pairs:
    """Each point of the picture with the one of the board that it is most like, if no other comes near."""
    if len(seen.at) < 2 or len(known.at) < 2:
        return Pairs(np.empty((0, 2)), np.empty((0, 2)), np.empty(0))
    alike = seen.looks @ known.looks.T
    best = alike.argmax(axis=1)
    rows = np.arange(len(best))
    first = alike[rows, best].copy()
    alike[rows, best] = -1
    ahead = np.sqrt(np.maximum(2 - 2 * first, 0)) < _DISTINCT * np.sqrt(np.maximum(2 - 2 * alike.max(axis=1), 1e-9))
    turn = (seen.turn[ahead] - known.turn[best[ahead]]) % 360
    return Pairs(known.at[best[ahead]], seen.at[ahead], turn)


def candidates(pairs: Pairs, size: tuple[int, int], scene: Scene, prior: Pose | None) -> Iterator[Pose]:
    """Poses under which many pairs agree, those of all pairs first, then of those that are turned alike."""
    if len(pairs.turn) < _FEWEST:
        return
    everything = np.ones(len(pairs.turn), bool)
    for group in (everything, *_turned_alike(pairs.turn)):
        pose = _agreed(pairs.places[group], pairs.pixels[group], size, scene, prior)
        if pose is not None:
            yield pose


def _turned_alike(turn: Floats) -> list[npt.NDArray[np.bool_]]:
    """The two largest groups of pairs that are turned by about the same, within a sector to each side."""
    sector = (turn * _SECTORS / 360).astype(int) % _SECTORS
    count = np.bincount(sector, minlength=_SECTORS)
    wide = count + np.roll(count, 1) + np.roll(count, -1)
    groups = []
    for _ in range(2):
        top = int(wide.argmax())
        groups.append(np.isin(sector, [(top - 1) % _SECTORS, top, (top + 1) % _SECTORS]))
        wide[[(top + k) % _SECTORS for k in (-2, -1, 0, 1, 2)]] = 0
    return [group for group in groups if group.sum() >= _FEWEST]


def _agreed(places: Floats, pixels: Floats, size: tuple[int, int], scene: Scene, prior: Pose | None) -> Pose | None:
    shape, inside = cv2.findHomography(places, pixels, cv2.USAC_MAGSAC, _NEAR * size[0], maxIters=3000)
    if shape is None or inside is None or np.linalg.det(shape[:2, :2]) <= 0:
        return None
    keep = np.asarray(inside).reshape(-1).astype(bool)
    if keep.sum() < _FEWEST or len(np.unique(np.round(places[keep], 1), axis=0)) < _FEWEST:
        return None
    return solve_pose(places[keep], pixels[keep], size, prior, scene.lens_for(size))
