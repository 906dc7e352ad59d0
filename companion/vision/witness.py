"""What pictures of pieces bear witness to: how many of those that stood on a space when it was ruled still do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import log

import numpy as np
import numpy.typing as npt

from companion.model import UNLIKELY, Content, Position, Seat, Sheet, SpaceSeen
from companion.vision.board.again import Kept
from companion.vision.board.memory import Learned, Stood
from companion.vision.board.places import Places
from companion.vision.board.remained import ANOTHER, exchanged, remained
from companion.vision.board.standing import Put
from companion.vision.reading.spaces import WORST, as_told
from companion.vision.view.pose import Floats

Ints = npt.NDArray[np.int64]

_THERE, _GONE = log(1.3), log(0.8)  # natural log: as much nearer to what was seen then, or to the empty board
_OTHER = 0.6  # natural log: what differs so from what stood there, the light taken out, is another piece
_BELIEVED, _MOST = (4.0, 6.0), 6.0  # nats for each more, for one that is there and one that is gone; at most
_MOVED = 2.5  # nats, at most, for one that is gone, where it may have been moved, and the eyes may miss it
_AWAY = 20.0  # mm: seen from so far beside where it was seen then, a piece hides other parts of the board
_UNSEEN = -6.0  # nats, at least, for what all witnesses together say, where the eyes did not think of it


def seen_standing(kept: Kept, position: Position, sheet: Sheet) -> tuple[Stood, ...]:
    """The pieces that are seen on spaces which by `position` hold any; and those in the middle of a space that holds
    one which the eyes missed."""
    names, seats, where, found = list(sheet.spaces), sorted(sheet.colors), kept.places, []
    for place, color in kept.standing:
        index, (x, y) = int(where.space[place]), where.feet[place].tolist()
        if position.at(names[index]):
            found.append(Stood(index, x, y, int(where.storeys[place]), color))
    met = {stood.space for stood in found}
    for index, (name, space) in enumerate(sheet.spaces.items()):
        ruled = position.at(name)
        if len(ruled) == 1 and index not in met and not space.is_area:
            found.append(Stood(index, space.x, space.y, 1, seats.index(ruled[0])))
    return tuple(found)


def witnessed(
    spaces: Mapping[str, SpaceSeen], learned: Learned, kept: Kept, sheet: Sheet, standing: Sequence[Put]
) -> tuple[dict[str, SpaceSeen], set[str]]:
    """The readings of some spaces, in which such contents are less likely as the pictures of pieces that stood there
    speak against; and those spaces of which each piece was told to be there or gone. Nothing is said where the camera
    stands elsewhere than it did then.

    standing: the pieces that are seen now.
    """
    names, seats, where = list(sheet.spaces), sorted(sheet.colors), kept.places
    if not seen_from_there(learned, where):
        return dict(spaces), set()
    asked = [one for one in learned.standing if names[one.space] in spaces and not spaces[names[one.space]].covered]
    then, now = ([place_of(where, one) for one in learned.standing], [place for place, _ in standing])
    places = np.array([place_of(where, one) for one in asked], np.int64)
    nearer = remained(kept, learned, places, np.array(then + now, np.int64))
    nearer = _but_for_others(nearer, asked, learned, kept, sheet, now)
    result, told, stacks = dict(spaces), set(), sheet.stacks
    for name in {names[one.space] for one in asked}:
        here = [(one, far) for one, far in zip(asked, nearer.tolist(), strict=True) if names[one.space] == name]
        ruled = to_be_seen(learned.position.at(name), stacks)
        new = _elsewhere(where, [one for one, _ in here], standing)
        most = _MOVED if name in learned.mistakes and sheet.spaces[name].is_area else _MOST
        each = [(seats[one.color] if len(set(ruled)) > 1 else ruled[0], far) for one, far in here]
        result[name] = _weighed(result[name], ruled, each, new, most)
        if len(here) == len(ruled) and all(far > _THERE or far < _GONE for _, far in here):
            told.add(name)
    return result, told


def _but_for_others(
    nearer: Floats, asked: Sequence[Stood], learned: Learned, kept: Kept, sheet: Sheet, now: Sequence[int]
) -> Floats:
    """What the witnesses say, (N,), but of each piece alone on its space in whose place one of another colour is seen:
    it is gone, the surer the more that one differs from it."""
    where, spaces = kept.places, list(sheet.spaces.values())
    alone = [(row, place_of(where, one)) for row, one in enumerate(asked) if not spaces[one.space].is_area]
    pairs = [(row, place, _partners(where, place, now)) for row, place in alone]
    pairs = [(row, place, there) for row, place, there in pairs if len(there) == 1]
    if not pairs:
        return nearer
    then = [place_of(where, one) for one in learned.standing]
    changed = [*_without_partners(where, now, then), *_without_partners(where, then, now)]
    rows, stood, stands = (np.array(part, np.int64) for part in zip(*((r, p, t[0]) for r, p, t in pairs), strict=True))
    apart = exchanged(kept, learned, stood, stands, np.array([*then, *now]), np.array(changed, np.int64))
    result = nearer.copy()
    result[rows] = np.where(apart > _OTHER, -apart, result[rows])
    return result


def _partners(where: Places, place: int, others: Sequence[int]) -> list[int]:
    """Those of some places that are the same as a place, but for a nudge."""
    near = ANOTHER * where.piece.diameter
    here = [other for other in others if where.space[other] == where.space[place]]
    return [other for other in here if np.hypot(*(where.feet[other] - where.feet[place])) <= near]


def _without_partners(where: Places, places: Sequence[int], others: Sequence[int]) -> list[int]:
    """Those of some places at which a piece came or went, or a stack grew or shrank, if another time they were the
    `others`."""
    high = where.storeys
    return [p for p in places if all(high[other] != high[p] for other in _partners(where, p, others))]


def seen_from_there(learned: Learned, where: Places) -> bool:
    """Whether the camera stands where it stood when the board was ruled."""
    return learned.pose is not None and bool(np.linalg.norm(learned.pose.eye - where.eye) <= _AWAY)


def to_be_seen(ruled: Content, stacks: bool) -> Content:
    """What there is to be seen of a content: of a stack its top."""
    return ruled[-1:] if stacks else ruled


def place_of(where: Places, one: Stood) -> int:
    """The place nearest to where a piece stood."""
    rows = np.arange(*np.searchsorted(where.space, (one.space, one.space + 1)))
    high = rows[where.storeys[rows] == one.storeys]
    rows = high if len(high) else rows
    return int(rows[np.abs(where.feet[rows] - (one.x, one.y)).sum(axis=1).argmin()])


def _elsewhere(where: Places, stood: Sequence[Stood], standing: Sequence[Put]) -> int:
    """How many pieces are seen on a space now where none of those that stood there did."""
    then, far = np.array([(one.x, one.y) for one in stood]), ANOTHER * where.piece.diameter
    now = [where.feet[place] for place, _ in standing if where.space[place] == stood[0].space]
    return sum(bool((np.hypot(*(then - foot).T) > far).all()) for foot in now)


def _weighed(seen: SpaceSeen, ruled: Content, stood: Sequence[tuple[Seat, float]], new: int, most: float) -> SpaceSeen:
    """A reading less likely in the contents that witnesses speak against. stood: the seat of each piece that stood
    there, and how much nearer its place looks to what it was. new: pieces that stand elsewhere on the space now."""
    levels = dict(seen.likelihoods)
    there = {seat: sorted(_nats(stood, seat, _THERE, _BELIEVED[0], _MOST)) for seat in set(ruled)}
    gone = {seat: sorted(_nats(stood, seat, _GONE, -_BELIEVED[1], most)) for seat in set(ruled)}
    again: dict[Seat, float] = {}
    for seat in set(ruled):
        stands = sum(of == seat for of, _ in stood)
        if stands > ruled.count(seat):  # some of them were none, or one was two, and so it is if all are as they were
            again[seat] = there[seat][0] if len(there[seat]) == stands and not new else 0.0
            there[seat], gone[seat] = there[seat][-ruled.count(seat) :], []
    if not any(there.values()) and not any(gone.values()):
        return seen
    if not new and len(stood) == len(ruled):
        left = Counter(ruled) - Counter({seat: len(nats) for seat, nats in gone.items()})
        content = tuple(sorted(left.elements()))
        levels.setdefault(content, max(seen.unlisted, _UNSEEN))
    for content in levels:
        for seat in set(ruled):
            count, room = content.count(seat), ruled.count(seat) - len(gone[seat]) + new
            levels[content] -= sum(there[seat][: max(0, len(there[seat]) - count)])
            levels[content] -= sum(gone[seat][: max(0, count - room)])
            levels[content] -= again.get(seat, 0.0) if count > ruled.count(seat) else 0.0
    top = max(levels.values())
    best = max(levels, key=lambda content: levels[content])
    told = {content: max(level - top, WORST) for content, level in levels.items()}
    return replace(as_told(seen, told), content=best, unlisted=min(max(seen.unlisted - top, UNLIKELY), 0.0))


def _nats(stood: Sequence[tuple[Seat, float]], seat: Seat, start: float, each: float, most: float) -> Iterator[float]:
    """What each piece of a seat that is nearer than `start`, in the direction of `each`, says, nats."""
    for of, far in stood:
        nats = each * (far - start)
        if of == seat and far and nats > 0:
            yield min(nats, most)
