"""Squares whose middle is lit though all round it lies in shadow: no lamp lights a spot just there, but a disc may lie.

A white stack on a light square looks as the lit square does, pixel by pixel; but it darkens the square that it stands
on, and stands out of a hand's shadow. It was surely nothing, or the black disc that its shadow might be.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from companion.vision.board.hands import Mask
from companion.vision.board.standing import Match
from companion.vision.reading.contrast import LEAST, parts
from companion.vision.view.scene import Scene

_LIT, _ROUND = 0.3, 0.6
"""Shares that look like the board in a shadow: of a square's middle, at most; of its rim, where that is seen, at least.
Of 3,953 empty squares of drawn boards of other makers none is so, and of nine discs that were not found four."""


def spotlit(found: Match, dim: Mask, scene: Scene, left_out: Collection[int] = ()) -> set[int]:
    """Squares, by number, on which no disc was found, and which look so.

    dim: pixels that look like the empty board in a shadow, bool (rows, cols). left_out: spaces that are not looked at.
    """
    if found.where.piece.kind != "disc":
        return set()
    middle, rim = parts(found.where, scene)
    seen, dark = found.front.take(rim) > 1e8, dim.ravel()
    seen &= rim >= 0
    enough = (middle[:, 0] >= 0) & (seen.sum(axis=1) >= LEAST)
    round_about = (dark.take(rim) & seen).sum(axis=1) > _ROUND * seen.sum(axis=1)
    so = np.flatnonzero(enough & round_about & (dark.take(middle).mean(axis=1) < _LIT)).tolist()
    taken = {int(found.where.space[place]) for place, _ in found.standing}
    return set(so) - taken - set(left_out)
