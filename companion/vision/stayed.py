"""What stood there when the board was ruled, and is not seen any more: it may stand there still, unseen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from companion.model import Sheet, SpaceSeen
from companion.vision.board.again import Kept
from companion.vision.board.memory import Learned
from companion.vision.board.remained import unlike_bare
from companion.vision.board.standing import Put
from companion.vision.reading.spaces import perhaps
from companion.vision.witness import place_of, to_be_seen

Mask = npt.NDArray[np.bool_]

_UNLIKE_BARE = 0.15
"""Natural log by which a place from which a piece went does not differ from the empty board."""
_STANDS = 0.0
"""Nats for its standing there still. In the frames of 15 films at hand, of pieces whose pictures tell nothing, where
nothing is seen, 23 of 27 whose places look unlike the board still stood there; of twelve others one did."""


def with_stays(
    spaces: Mapping[str, SpaceSeen],
    told: Collection[str],
    now: Kept,
    learned: Learned,
    sheet: Sheet,
    standing: Sequence[Put],
    shadows: Mask | None = None,
) -> dict[str, SpaceSeen]:
    """The readings, in which a space that seems empty is as likely to hold the piece which was ruled to stand on it, if
    its place does not look as the empty board does. By a sudden light of another lamp, in the shadow of an arm, three
    yellow marbles were surely nothing, and their owner was accused.

    told: spaces of which the pictures of what stood there tell whether it still does. standing: what is seen now;
    shadows: where these cast theirs, bool (rows, cols).
    """
    result, names, where = dict(spaces), list(sheet.spaces), now.places
    alone = [one for one in learned.standing if not sheet.spaces[names[one.space]].is_area]
    asked = [one for one in alone if (name := names[one.space]) in spaces and name not in told and _bare(spaces[name])]
    if not asked:
        return result
    hidden = np.zeros(where.shape, bool) if shadows is None else shadows.copy()
    for place, _ in standing:
        hidden.ravel()[where.hidden_by(place)[0]] = True
    for one in asked:
        name = names[one.space]
        if unlike_bare(now, learned, place_of(where, one), hidden) > _UNLIKE_BARE:
            ruled = to_be_seen(learned.position.at(name), sheet.stacks)
            result[name] = perhaps(result[name], {ruled: _STANDS})
    return result


def _bare(seen: SpaceSeen) -> bool:
    return not (seen.content or seen.covered)
