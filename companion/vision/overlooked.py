"""What was overlooked: a piece that the eyes missed on ground of its own colour they may miss on all such ground."""

from __future__ import annotations

from collections import Counter
from math import log

from companion.model import Position, Seat, Sheet, SpaceSeen
from companion.vision.board.again import Kept
from companion.vision.board.memory import Overlooked
from companion.vision.board.places import grounds
from companion.vision.reading.spaces import perhaps

MISTAKEN = -2.0
"""Nats for what was ruled, below which the eyes were not in doubt, but wrong."""
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
        missed[ink, ruled[0]] += not seen.content and seen.log_likelihood(ruled) < MISTAKEN
    return {**before, **{of: missed[of] / (many + _UNKNOWN) for of, many in count.items()}}


def wary(seen: SpaceSeen, ink: int, known: Overlooked) -> SpaceSeen:
    """The reading of a space of an ink: where it seems to be empty, a piece is as likely to stand there, at least, as
    such pieces are overlooked."""
    if seen.content:
        return seen
    return perhaps(seen, {(seat,): log(share) for (of, seat), share in known.items() if of == ink and share})
