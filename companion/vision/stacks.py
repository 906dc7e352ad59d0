"""Stacks of discs: what a lower stack, and others behind it, would explain in place of a high one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.vision.scene import PIXELS_PER_MM
from companion.vision.standing import Match, Put

Ints = npt.NDArray[np.int64]

_OVERLAP = 0.12  # share of a disc in the middle of a space that a stack hides: from here on it stands before it
_BEHIND = 3  # stacks for which, beside itself, one high stack may have been taken


def unstack(found: Match, busy: Ints, fixed: int) -> None:
    """Put lower stacks, and others behind, where they explain more than a high one. fixed: pieces not to be touched."""
    storeys = found.where.storeys
    for piece in sorted(found.standing[fixed:], key=lambda piece: -int(storeys[piece[0]])):
        if piece in found.standing and storeys[piece[0]] > 1:
            _lowered(found, piece, busy, fixed)


def _lowered(found: Match, piece: Put, busy: Ints, fixed: int) -> None:
    space = found.where.space
    behind = before(found, piece)
    behind[space[[place for place, _ in found.standing[:fixed]]]] = False
    free = busy[behind[space[busy]] & found.where.middle[busy]]
    if not len(free):
        return
    usual = [piece, *(other for other in found.standing[fixed:] if behind[space[other[0]]])]
    tried = [(lift(found, usual), usual)]
    for lower in _lower(found, piece, busy):
        gain, others = _with_others(found, lower, free)
        tried.append((gain, [lower, *others]))
    for one in max(tried, key=lambda pair: pair[0])[1]:
        found.put(one)
    behind[space[piece[0]]] = True
    _note_rivals(found, np.flatnonzero(behind).tolist(), tried)


def _note_rivals(found: Match, spaces: Sequence[int], tried: Sequence[tuple[float, Sequence[Put]]]) -> None:
    """Note how well else some spaces may be explained together: nats, and the pieces that explain so much."""
    best = max(gain for gain, _ in tried)
    for space in spaces:
        known = found.rivals.setdefault(space, {})
        for gain, pieces in tried:
            color = next((color for place, color in pieces if found.where.space[place] == space), -1)
            known[color] = max(known.get(color, -np.inf), gain - best)


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


def _with_others(found: Match, first: Put, free: Ints) -> tuple[float, list[Put]]:
    """Nats that a stack explains together with the best others on free places, and these others."""
    total = float(found.gains(np.array([first[0]]))[0, first[1]])
    others: list[Put] = []
    found.put(first)
    while len(others) < _BEHIND:
        gains = found.gains(free)
        place, color = np.unravel_index(int(np.argmax(gains)), gains.shape)
        if gains[place, color] <= 0:
            break
        total += float(gains[place, color])
        others.append((int(free[place]), int(color)))
        found.put(others[-1])
    for one in [first, *others]:
        found.take(one)
    return total, others
