"""How much the lens bends straight lines, by the edges of the board in the photo of it empty.

Four corners do not tell; but between them a board's edges are straight, and in the photo they are bent as the lens
bends them (the plumb lines of D. C. Brown, "Close-range camera calibration", 1971).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.view.pose import TAP_DOUBT, Flat, Floats, Frame, Pose, solve_pose

_BENDS = np.linspace(-1.0, 0.4, 15)
"""k1 near which poses are solved. So strong, as four corners hardly tell how wide a lens looks, and one that is taken
to look less wide must bend more."""
_FINER = 0.05, 0.025, 0.0125  # and to both sides of the best of them
_SAMPLES, _END = 64, 0.08  # of an edge; and its share at either end that may be rounded
_REACH = 40  # pixels to both sides of the straight line between two corners in which its edge is looked for
_NUDGE = np.arange(-3.0, 4.0)  # pixels by which an edge may lie off a tapped corner
_BLUR = 1.2  # pixels
_SHARPEST = 97  # per cent of a strip that are less steep than an edge
_SEEN = 0.6  # of all samples, as if no more of them lay on an edge: fewer, and there is no straight edge
_EACH = 0.25  # nats for a sample on the edge: neighbours say the same
_USUAL = 0.3  # how strong lenses usually bend

Point = tuple[float, float]


def pose_by_edges(photo: Frame, corners: Sequence[Point], size: Point) -> Pose | None:
    """The pose in which four corners, pixels, of a board of `size`, mm, and its edges between them are seen.

    photo: uint8 BGR. None where no straight edges are seen, as on a round board, or the corners fit no pose.
    """
    at, picture = np.asarray(corners, np.float64), (photo.shape[1], photo.shape[0])
    seen = _steepness(photo, at)
    best: tuple[float, float, Pose] | None = None
    for step in (0.0, *_FINER):
        for bend in [best[1] - step, best[1] + step] if best else _BENDS.tolist():
            pose = solve_pose(_outline(size), at, picture, radial=bend, doubt=TAP_DOUBT)
            if pose is None:
                continue
            worth = _EACH * _on_edge(seen, _course(pose, at, size)) - (bend / _USUAL) ** 2 / 2
            if best is None or worth > best[0]:
                best = worth, bend, pose
    if best is None:
        return None
    found = best[2]
    return found if _on_edge(seen, _course(found, at, size)) > _SEEN * seen[..., 0].size else None


def _outline(size: Point) -> Floats:
    width, height = size
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)


def _along() -> Floats:
    return np.linspace(_END, 1 - _END, _SAMPLES)


def _sides(corners: Floats) -> list[tuple[Floats, Floats, Floats]]:
    """Of each side: its start, the way to its end, and the unit vector across it; pixels."""
    ways = np.roll(corners, -1, axis=0) - corners
    across = np.stack([-ways[:, 1], ways[:, 0]], axis=1) / np.linalg.norm(ways, axis=1, keepdims=True)
    return list(zip(corners, ways, across, strict=True))


def _steepness(photo: Frame, corners: Floats) -> Flat:
    """How steeply the picture changes across each side, from 0 to 1: float32 (4, `_SAMPLES`, 2 · `_REACH` + 1)."""
    soft = cv2.GaussianBlur(photo, (0, 0), _BLUR).astype(np.float32)
    steps, strips = np.arange(-_REACH - 1, _REACH + 2), []
    for start, way, across in _sides(corners):
        at = (start + _along()[:, None, None] * way + steps[:, None] * across).astype(np.float32)
        x, y = (np.ascontiguousarray(at[..., axis]) for axis in (0, 1))
        strip = np.asarray(cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
        steep = np.abs(strip[:, 2:] - strip[:, :-2]).max(axis=2)
        strips.append(np.minimum(steep / max(float(np.percentile(steep, _SHARPEST)), 1.0), 1))
    return np.array(strips, np.float32)


def _course(pose: Pose, corners: Floats, size: Point) -> Floats:
    """How far each side is bent off the straight line between two corners: pixels (4, `_SAMPLES`)."""
    flat, share, course = _outline(size), np.linspace(0, 1, 41)[:, None], np.zeros((4, _SAMPLES))
    for k, (start, way, across) in enumerate(_sides(corners)):
        edge = pose.project(flat[k] + share * (flat[(k + 1) % 4] - flat[k])) - start
        along, off = edge @ way / (way @ way), edge @ across
        course[k] = np.interp(_along(), along, off - (off[0] + (off[-1] - off[0]) * along))
    return course


def _on_edge(seen: Flat, course: Floats) -> float:
    """How many samples lie on an edge, where each side may lie a little off the tapped corners."""
    starts, ends = (nudge.reshape(-1, 1) for nudge in np.meshgrid(_NUDGE, _NUDGE))
    nudges = starts * (1 - _along()) + ends * _along() + _REACH
    at = np.rint(course[:, None] + nudges).astype(np.int64).clip(0, 2 * _REACH)
    here = seen[np.arange(4)[:, None, None], np.arange(_SAMPLES), at]
    return float(here.sum(axis=2).max(axis=1).sum())
