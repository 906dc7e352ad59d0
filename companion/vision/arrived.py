"""What came into a base or home since the board was ruled, and is no piece that is seen: one may stand there unseen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from companion.model import SpaceSeen
from companion.model.board import owner_of
from companion.vision.board.places import Places
from companion.vision.reading.spaces import perhaps

Mask = npt.NDArray[np.bool_]

_LIKE_A_PIECE = 0.7  # share of the pixels of a piece that changed, and that no piece explains
_UNSEEN = -0.5  # nats for its being one


def with_arrivals(
    spaces: Mapping[str, SpaceSeen], strange: Mask, where: Places, names: Sequence[str]
) -> dict[str, SpaceSeen]:
    """The readings of some spaces, in which one piece more may be in a base or home to which something came. A pawn
    that came home in a weak lamp, onto the letters in its base, was seen by what changed alone.

    strange: see `unexplained`. names: of all spaces, as the places number them.
    """
    result = dict(spaces)
    for index, name in enumerate(names):
        owner = owner_of(name)
        if owner is not None and name in spaces and _came(strange, where, np.flatnonzero(where.space == index)):
            result[name] = perhaps(spaces[name], {(*spaces[name].content, owner): _UNSEEN})
    return result


def unexplained(changed: Mask, where: Places, pieces: Iterable[int]) -> Mask:
    """Pixels, bool (rows, cols), that changed, but those that a piece hides at any of some places: where pieces stand
    now, or stood then."""
    result = changed.copy()
    for place in pieces:
        result.ravel()[where.hidden_by(place)[0]] = False
    return result


def _came(strange: Mask, where: Places, places: npt.NDArray[np.int64]) -> bool:
    """Whether at any of some places nearly all changed that a piece would hide."""
    part = strange.ravel()[where.pixels(places, slice(None, None, 3))]
    return bool(part.size and part.mean(axis=1).max() > _LIKE_A_PIECE)
