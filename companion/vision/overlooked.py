"""What was overlooked: a piece that the eyes missed on ground of its own colour they may miss on all such ground."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import log

import numpy as np
import numpy.typing as npt

from companion.model import Position, Seat, Sheet, SpaceSeen
from companion.vision.board.again import Kept
from companion.vision.board.places import Places
from companion.vision.reading.spaces import perhaps
from companion.vision.view.keeping import kept
from companion.vision.view.surface import Surface

Ints = npt.NDArray[np.int64]
Overlooked = Mapping[tuple[int, Seat], float]
"""The share of a seat's pieces on spaces of an ink that were not seen, by ink and seat."""

_OVERLOOKED = -2.0  # nats for what was ruled, below which the eyes did not doubt that a space was empty
_UNKNOWN = 1  # pieces more that would have been seen, perhaps: of a few not much is known


def overlooked(now: Kept, position: Position, sheet: Sheet, before: Overlooked) -> dict[tuple[int, Seat], float]:
    """How many of the pieces that stand alone the eyes, unaided, miss where `position` is what was ruled; where none
    stand on an ink, as many as `before`."""
    inks, count = grounds(now.places, now.today.surface).tolist(), Counter[tuple[int, Seat]]()
    missed = Counter[tuple[int, Seat]]()
    for (name, space), ink in zip(sheet.spaces.items(), inks, strict=True):
        ruled, seen = position.at(name), now.spaces.get(name)
        if space.is_area or len(ruled) != 1 or seen is None or seen.covered:
            continue
        count[ink, ruled[0]] += 1
        missed[ink, ruled[0]] += not seen.content and seen.log_likelihood(ruled) < _OVERLOOKED
    return {**before, **{of: missed[of] / (many + _UNKNOWN) for of, many in count.items()}}


def wary(seen: SpaceSeen, ink: int, known: Overlooked) -> SpaceSeen:
    """The reading of a space of an ink: where it seems to be empty, a piece is as likely to stand there, at least, as
    such pieces are overlooked."""
    if seen.content:
        return seen
    return perhaps(seen, {(seat,): log(share) for (of, seat), share in known.items() if of == ink and share})


@kept()
def grounds(where: Places, surface: Surface) -> Ints:
    """The ink of most of what a piece hides in the middle of each space, (S,)."""
    inks, first = surface.inks.ravel(), np.searchsorted(where.space, np.arange(where.space[-1] + 1))
    hidden = (inks.take(where.hidden_by(int(place))[0]) for place in first)
    return np.array([np.bincount(ink, minlength=1).argmax() for ink in hidden])
