"""What came since the board was ruled, and is no piece that is seen: one may stand there unseen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from companion.model import Content, Seat, Sheet, SpaceSeen
from companion.model.board import owner_of
from companion.vision.board.again import Kept
from companion.vision.board.memory import Learned
from companion.vision.board.places import Places
from companion.vision.board.remained import unlike_bare
from companion.vision.board.standing import Put
from companion.vision.reading.spaces import perhaps
from companion.vision.witness import place_of

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_LIKE_A_PIECE = 0.7  # share of the pixels of a piece that changed, and that no piece explains
_UNLIKE_BARE = 0.15  # natural log by which it differs from the empty board: what only left, with its shadow, does not
_UNSEEN = -0.5  # nats for its being one


def with_arrivals(
    spaces: Mapping[str, SpaceSeen], strange: Mask, now: Kept, learned: Learned, sheet: Sheet
) -> dict[str, SpaceSeen]:
    """The readings of some spaces, in which a piece more may be where something came: in a base or home, its owner's,
    and on a space that was empty and seems so, anybody's. A pawn that came home in a weak lamp, onto the letters in its
    base, and a marble of six pixels that was put where the shadows of two bars meet, were seen by what changed alone.

    strange: see `unexplained`.
    """
    result, seats, where = dict(spaces), sorted(learned.position.count()), now.places
    for index, name in enumerate(sheet.spaces):
        more = _one_more(name, spaces[name], learned, seats) if name in spaces else []
        rows = np.arange(*np.searchsorted(where.space, (index, index + 1)))
        place = _changed_most(strange, where, rows) if more else None
        if place is not None and unlike_bare(now, learned, place) > _UNLIKE_BARE:
            result[name] = perhaps(spaces[name], dict.fromkeys(more, _UNSEEN))
    return result


def _one_more(name: str, seen: SpaceSeen, learned: Learned, seats: Sequence[Seat]) -> list[Content]:
    """What a space holds if a piece came that is not seen; nothing where one is, or stood."""
    owner = owner_of(name)
    if owner is not None:
        return [(*seen.content, owner)]
    return [] if seen.content or learned.position.at(name) else [(seat,) for seat in seats]


def unexplained(
    changed: Mask, where: Places, learned: Learned, standing: Sequence[Put], shadows: Mask | None = None
) -> Mask:
    """Pixels, bool (rows, cols), that were shown when the board was ruled and changed since, but those that a piece
    hides where one stands now or stood then, and those in the shadows of what stands now."""
    result = changed & learned.shown
    for place in [*(place_of(where, one) for one in learned.standing), *(place for place, _ in standing)]:
        result.ravel()[where.hidden_by(place)[0]] = False
    return result if shadows is None else result & ~shadows


def _changed_most(strange: Mask, where: Places, places: Ints) -> int | None:
    """That of some places at which nearly all changed that a piece would hide; None where there is none."""
    part = strange.ravel()[where.pixels(places, slice(None, None, 3))].mean(axis=1)
    best = int(part.argmax()) if len(part) else 0
    return int(places[best]) if len(part) and part[best] > _LIKE_A_PIECE else None
