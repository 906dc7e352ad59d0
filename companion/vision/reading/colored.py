"""What shows the colours of pieces, coarsely: patches of a colour, and the pieces that were put on them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from companion.vision.board.hands import Mask
from companion.vision.board.standing import Ints, Match

COARSE = 3
"""Of so many rows, and columns, of the flat view one is looked at."""
_OWN = 1.0  # nats from which on a pixel shows a colour
_MOST = 0.5  # share of what is seen of a piece that lies on a patch


def patches_of(found: Match, left_out: Collection[int] = ()) -> Iterator[tuple[Mask, list[int]]]:
    """What shows each colour of which pieces were put, bool, coarse (rows, cols), and their places. left_out: spaces,
    by number, that are not looked at."""
    where = found.where
    some = [piece for piece in found.standing if where.space[piece[0]] not in left_out]
    if not some:
        return
    for color in {color for _, color in some}:
        told = found.evidence[:, color].reshape(where.shape)[::COARSE, ::COARSE]
        yield told > _OWN, [place for place, other in some if other == color]


def spaces_on(found: Match, places: Collection[int], patch: Mask) -> set[int]:
    """The spaces, by number, of those places of which most that is seen lies on a patch, bool, coarse (rows, cols)."""
    return {int(found.where.space[place]) for place in places if _lies_on(found.shown(place), found, patch)}


def _lies_on(pixels: Ints, found: Match, patch: Mask) -> bool:
    """Whether most of some pixels, raveled, do."""
    y, x = np.divmod(pixels, found.where.shape[1])
    rows, cols = patch.shape
    own = patch[np.minimum(y // COARSE, rows - 1), np.minimum(x // COARSE, cols - 1)]
    return len(own) > 0 and float(own.mean()) > _MOST
