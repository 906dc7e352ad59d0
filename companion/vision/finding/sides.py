"""What has four straight sides that show in parts only: a window's bars may shade the table across a board's edge."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np

from companion.vision.finding.outline import nearest
from companion.vision.view.pose import Floats, Frame

_WIDTH = 640  # pixels: so wide is the picture looked at
_LEAST = 0.06  # of the picture: a smaller outline is no board that could be read
_EDGES = (25, 75)  # levels of brightness a pixel: see cv2.Canny
_VOTES = 0.12  # of the picture's width: so much of a side must show at least, be it in parts
_LINES = 24  # those that show most
_ALONE = (np.radians(4), 8.0)  # lines that differ by less, in their angle and in pixels, are one
_SLANT = np.radians(40)  # by which opposite sides of a board may run apart
_BESIDE = 20.0  # pixels: so far beyond the picture a corner may lie
_SAMPLES, _NEAR = 40, 2.5  # of each side; pixels from an edge
_SHOWN = 0.5  # of each side must show
_SAME = 0.02  # of the width: outlines whose corners are all as near are one
_MOST = 8


def four_sided(frame: Frame) -> list[Floats]:
    """Corners (4, 2), pixels, clockwise as seen, of what has four straight sides; those first that are large and whose
    sides show well: within a board of squares there are many others.

    frame: uint8 BGR.
    """
    scale = min(1.0, _WIDTH / frame.shape[1])
    small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    bright = cv2.cvtColor(cv2.bilateralFilter(small, 7, 30, 5), cv2.COLOR_BGR2LAB)[..., 0]
    edges = np.asarray(cv2.Canny(bright, *_EDGES), np.uint8)
    quads = _quads(_lines(edges), edges.shape)
    if not len(quads):
        return []
    shown, found = _shown(quads, edges).min(axis=1), list[Floats]()
    for k in np.argsort(-shown * _areas(quads), kind="stable").tolist():
        if len(found) == _MOST:
            break
        if shown[k] >= _SHOWN and all(np.abs(nearest(quads[k], other)).max() > _SAME * _WIDTH for other in found):
            found.append(quads[k])
    return [(corners + 0.5) / scale - 0.5 for corners in found]


def _lines(edges: Frame) -> Floats:
    """The straight lines of which most shows, that differ: (N, 3), cos, sin and −rho each, see cv2.HoughLines."""
    found = cv2.HoughLines(edges, 1, np.pi / 180, round(_VOTES * edges.shape[1]))
    kept: list[tuple[float, float]] = []
    for rho, angle in np.zeros((0, 2)) if found is None else np.asarray(found).reshape(-1, np.shape(found)[-1])[:, :2]:
        rho, angle = (-rho, angle - np.pi) if rho < 0 else (rho, angle)
        if all(_apart(angle, a) > _ALONE[0] or abs(rho - r) > _ALONE[1] for r, a in kept):
            kept.append((float(rho), float(angle)))
        if len(kept) == _LINES:
            break
    return np.array([(np.cos(angle), np.sin(angle), -rho) for rho, angle in kept]).reshape(-1, 3)


def _apart(one: float, other: float) -> float:
    """The angle between two lines."""
    return float(abs((one - other + np.pi / 2) % np.pi - np.pi / 2))


def _quads(lines: Floats, shape: tuple[int, ...]) -> Floats:
    """The corners, (N, 4, 2), clockwise as seen, of all convex outlines of two lines and two that cross them."""
    angles = np.arctan2(lines[:, 1], lines[:, 0])
    pairs = [(i, j) for i, j in combinations(range(len(lines)), 2) if _apart(angles[i], angles[j]) < _SLANT]
    fours = np.array([(*p, *q) for p, q in combinations(pairs, 2) if len({*p, *q}) == 4], np.int64).reshape(-1, 4)
    a, b, c, d = (lines[fours[:, k]] for k in range(4))
    crossed = np.stack([np.cross(*sides) for sides in ((a, c), (c, b), (b, d), (d, a))], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        quads = crossed[..., :2] / crossed[..., 2:]
    rows, cols = shape[:2]
    with np.errstate(invalid="ignore"):
        inside = ((quads > -_BESIDE) & (quads < np.array([cols, rows]) + _BESIDE)).all(axis=(1, 2))
    quads = quads[inside & (np.abs(crossed[..., 2]) > np.sin(_ALONE[0])).all(axis=1)]
    turn = _turns(quads)
    quads = np.where(np.all(turn < 0, axis=1, keepdims=True)[..., None], quads[:, ::-1], quads)
    return np.asarray(quads[(_turns(quads) > 0).all(axis=1) & (_areas(quads) > _LEAST * rows * cols)])


def _areas(quads: Floats) -> Floats:
    """Of outlines that are clockwise as seen, pixels, (N,)."""
    x, y = quads[..., 0], quads[..., 1]
    return np.asarray(0.5 * (x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1))


def _turns(quads: Floats) -> Floats:
    """How each outline turns at each corner, (N, 4): all positive where it is convex, and clockwise as seen."""
    side = np.roll(quads, -1, axis=1) - quads
    after = np.roll(side, -1, axis=1)
    return np.asarray(side[..., 0] * after[..., 1] - side[..., 1] * after[..., 0])


def _shown(quads: Floats, edges: Frame) -> Floats:
    """The share of each side, (N, 4), along which there are edges."""
    near = cv2.distanceTransform(255 - edges, cv2.DIST_L2, 3) < _NEAR
    near = np.pad(near, 1)  # nothing shows beyond the picture
    along = np.linspace(0, 1, _SAMPLES)[:, None]
    spots = quads[:, :, None] * (1 - along) + np.roll(quads, -1, axis=1)[:, :, None] * along
    x, y = (np.clip(spots[..., k].round().astype(np.int64) + 1, 0, near.shape[1 - k] - 1) for k in (0, 1))
    return np.asarray(near[y, x].mean(axis=2))
