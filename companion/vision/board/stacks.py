"""Stacks of discs: what a lower stack, and others behind it, would explain in place of a high one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.vision.board.places import EVIDENCE
from companion.vision.board.standing import BELIEVED, Match, Put
from companion.vision.view.scene import PIXELS_PER_MM

Ints = npt.NDArray[np.int64]

_OVERLAP = 0.12  # share of a disc in the middle of a space that a stack hides: from here on it stands before it
_BEHIND = 4  # stacks for which one high stack may have been taken, its own one too
_LOW, _MANY = 3, 8  # discs on each other, at most, and stacks, where all of them are tried lower
_RATHER = 4.0  # nats by which a way that would be best if all were believed that sides say is less likely, at least


class _Way(NamedTuple):
    """A way to explain what is seen. gain: nats; sides: nats more if all were believed that sides say."""

    gain: float
    sides: float
    pieces: list[Put]

    def on(self, space: int, found: Match) -> Put:
        """The piece that stands on a space, (−1, −1) if there is none."""
        return next((piece for piece in self.pieces if found.where.space[piece[0]] == space), (-1, -1))


def unstack(found: Match, busy: Ints, fixed: int) -> None:
    """Put lower stacks, and others behind, where they explain more than a high one. fixed: pieces not to be touched."""
    storeys = found.where.storeys
    for piece in sorted(found.standing[fixed:], key=lambda piece: -int(storeys[piece[0]])):
        if piece in found.standing and storeys[piece[0]] > 1:
            _lowered(found, piece, busy, fixed)


def _lowered(found: Match, piece: Put, busy: Ints, fixed: int) -> None:
    space, storeys = found.where.space, found.where.storeys
    behind = _all_behind(found, piece, fixed)
    free = busy[behind[space[busy]] & found.where.middle[busy]]
    if not len(free):
        return
    usual = [piece, *(other for other in found.standing[fixed:] if behind[space[other[0]]])]
    sides = _sides(found, usual)
    tried = [_Way(lift(found, usual), sides, usual)]
    for lower in _lower(found, piece, busy):
        tried.append(_with_others(found, [lower], free, _BEHIND))
    behind[space[piece[0]]] = True
    low = busy[behind[space[busy]] & (storeys[busy] <= _LOW)]
    tried.append(_with_others(found, [], low, _MANY))
    for one in max(tried, key=lambda way: way.gain).pieces:
        found.put(one)
    _note_rivals(found, np.flatnonzero(behind).tolist(), tried)


def _all_behind(found: Match, piece: Put, fixed: int) -> npt.NDArray[np.bool_]:
    """The spaces, but its own, before whose middles a stack stands, or another one that does behind it, bool (S,)."""
    space = found.where.space
    behind, stacks = before(found, piece), found.standing[fixed:]
    while True:
        more = behind.copy()
        for other in stacks:
            if behind[space[other[0]]]:
                more |= before(found, other)
        more[space[piece[0]]] = False
        if (more == behind).all():
            break
        behind = more
    behind[space[[place for place, _ in found.standing[:fixed]]]] = False
    return behind


def _note_rivals(found: Match, spaces: Sequence[int], tried: Sequence[_Way]) -> None:
    """Note how well else some spaces may be explained together, by half of what the sides say or by all of it."""
    best, most = max(tried, key=lambda way: way.gain), max(way.gain + way.sides for way in tried)
    for space in spaces:
        known, chosen = found.rivals.setdefault(space, {}), best.on(space, found)
        for way in tried:
            place, color = way.on(space, found)
            if place != chosen[0]:
                level = max(way.gain - best.gain, min(way.gain + way.sides - most, -_RATHER))
                known[color] = max(known.get(color, -np.inf), level)


def before(found: Match, piece: Put) -> npt.NDArray[np.bool_]:
    """The spaces, but its own, before whose middles a stack stands, bool (S,)."""
    where = found.where
    seen, _ = where.hidden_by(piece[0])
    disc = np.pi / 4 * (where.piece.diameter * PIXELS_PER_MM) ** 2
    hit = np.bincount(where.ground[seen] + 1, minlength=len(where.lone) + 1)[1:] > _OVERLAP * disc
    hit[where.space[piece[0]]] = False
    return np.asarray(hit)


def lift(found: Match, pieces: Sequence[Put]) -> float:
    """Take some pieces away; the nats that they explained."""
    total = 0.0
    for place, color in pieces:
        found.take((place, color))
        total += float(found.gains(np.array([place]))[0, color])
    return total


def _lower(found: Match, piece: Put, busy: Ints) -> list[Put]:
    """On the space of a stack, which is taken away: the best lower stack of each height."""
    where = found.where
    own = busy[where.space[busy] == where.space[piece[0]]]
    gains, chosen = found.gains(own), []
    for storeys in range(1, int(where.storeys[piece[0]])):
        high = np.where((where.storeys[own] == storeys)[:, None], gains, -np.inf)
        place, color = np.unravel_index(int(np.argmax(high)), high.shape)
        if np.isfinite(high[place, color]):
            chosen.append((int(own[place]), int(color)))
    return chosen


def _with_others(found: Match, first: list[Put], free: Ints, most: int) -> _Way:
    """What some pieces explain together with the best others on free places, `most` of them in all."""
    total, others = 0.0, [*first]
    for one in first:
        total += float(found.gains(np.array([one[0]]))[0, one[1]])
        found.put(one)
    while len(free) and len(others) < most:
        gains = found.gains(free)
        place, color = np.unravel_index(int(np.argmax(gains)), gains.shape)
        if gains[place, color] <= 0:
            break
        total += float(gains[place, color])
        others.append((int(free[place]), int(color)))
        found.put(others[-1])
    sides = _sides(found, others)
    for one in others:
        found.take(one)
    return _Way(total, sides, others)


def _sides(found: Match, pieces: Sequence[Put]) -> float:
    """Nats that what is seen of the sides of some pieces would say more if all of it were believed."""
    said = sum(float(np.maximum(found.some[found.side_shown(place)], 0).sum()) for place, _ in pieces)
    return said * (1 / BELIEVED - 1) * EVIDENCE / PIXELS_PER_MM**2
