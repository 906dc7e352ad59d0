"""Whether a board bends, as paper does that was rolled up, and how: told by where its details are seen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.view.pose import Floats, Pose, solve_bend
from companion.vision.view.scene import Scene

Ints = npt.NDArray[np.int64]

_BENT = 0.0008  # of the picture's width: so far do details lie off a flat board's before it is asked whether it bends
_STRAY = 0.006  # of the picture's width: what lies farther off than that is taken for something else
_NEARER, _PLAINLY = 0.8, 0.5
"""So much nearer must details lie to where a bent board has them, to be looked for there; and for it to be one."""
_FEWEST = 30  # details that tell a bend
_PARTS, _MIDDLE, _DETAILED = 3, 4, 4
"""Of the board, each way, and which of all is its middle; details: of each other part with as many some must be seen,
else nothing holds the bend there: a hand may hide them."""


def or_bent(flat: Pose, places: Floats, pixels: Floats, prior: Pose | None, scene: Scene) -> Pose:
    """A pose of a flat board, or, if places, mm (N, 2), that are seen at some pixels (N, 2) are nearer to where a bent
    one has them, the pose of that. prior: the same camera's, earlier."""
    lies_off = off(flat, places, pixels)
    if lies_off < _BENT * flat.size[0]:
        return flat
    sheet, lens = (scene.sheet.width, scene.sheet.height), scene.lens_for(flat.size)
    keep = np.ones(len(places), bool)
    found = flat
    for _ in range(3):
        bent = solve_bend(places[keep], pixels[keep], flat, sheet, prior, lens) if keep.sum() >= _FEWEST else None
        if bent is None:
            return flat
        found = bent
        miss = np.linalg.norm(found.project(places) - pixels, axis=1)
        keep = miss < max(1.0, 2.5 * float(np.median(miss)))
    return found if off(found, places, pixels) < _NEARER * lies_off else flat


def bends(bent: Pose, flat: Pose, places: Floats, pixels: Floats, details: Floats) -> bool:
    """Whether a board bends for sure: its details, mm (M, 2), are seen all round its middle, at some pixels (N, 2) of
    some places, mm (N, 2), and plainly nearer to where it has them bent than flat."""
    asked = (_in_parts(details, bent) >= _DETAILED) & (np.arange(_PARTS**2) != _MIDDLE)
    if (asked & (_in_parts(places, bent) == 0)).any():
        return False
    return off(bent, places, pixels) < _PLAINLY * off(flat, places, pixels)


def off(pose: Pose, places: Floats, pixels: Floats) -> float:
    """How far places, mm (N, 2), are seen from where a pose has them, pixels, root mean square; a stray counts little.
    """
    miss = np.linalg.norm(pose.project(places) - pixels, axis=1)
    return float(np.sqrt(np.mean(np.minimum(miss, _STRAY * pose.size[0]) ** 2)))


def _in_parts(places: Floats, pose: Pose) -> Ints:
    """How many places lie in each part of a board, (_PARTS²,)."""
    assert pose.bend is not None
    x, y = (places * _PARTS / np.array(pose.bend.size)).astype(int).clip(0, _PARTS - 1).T
    return np.bincount(y * _PARTS + x, minlength=_PARTS**2)
