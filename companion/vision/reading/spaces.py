"""What stands on each space: what was found there, and how well other contents would explain the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import exp, inf, isfinite
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.model import UNLIKELY, Content, Seat, Sheet, SpaceSeen
from companion.vision.board.fringe import on_fringes
from companion.vision.board.matching import PAIR
from companion.vision.board.standing import BELIEVED, Match, Put
from companion.vision.colors.hues import Hue
from companion.vision.view.pose import Flat, Floats

Ints = npt.NDArray[np.int64]

_BETWEEN = 1.5  # nats for standing off the middle from which on a piece may have been put for two, each on its space
_CLOSE = 10.0  # mm from a piece to where one of another colour may stand in its place
_ASKED = 200  # places of a base or home, at most, of which it is asked whether a piece may stand there
_DOUBTED = 0.2
_KIN = 2.0  # nats that a piece stands there, if it looks as others do
WORST = -10.0
"""Nats below the best of what a reading lists, at least."""
_TEMPER = 0.4  # nats believed of each nat: the models are never quite right
_ANOTHER = 0.06  # share of a board that looks strange from which on it may be another one
_SOFT, _STRANGE, _STRANGEST = 1.0, 80.0, 0.1  # nats in doubt anyway; more for a strange board, up to this share


class Doubt(NamedTuple):
    """How far the readings of a board are to be doubted. soft: nats in doubt; faith: the share that is believed."""

    soft: float
    faith: float = 1.0


def doubt_of(odd: Flat, accounted: npt.NDArray[np.bool_]) -> Doubt:
    """The doubt in a board: the more of it looks like nothing that is expected, the larger.

    odd: nats against the empty board. accounted: pixels of pieces and hands, and those that look as the board does in a
    shadow, bool; (rows, cols) both.
    """
    rest = ~accounted[::2, ::2]
    share = int(np.count_nonzero((odd[::2, ::2] > 1) & rest)) / max(int(np.count_nonzero(rest)), 1)
    faith = min(1.0, (_ANOTHER / max(share, 1e-6)) ** 2)
    return Doubt(_SOFT + _STRANGE * min(share, _STRANGEST), faith)


def read_spaces(
    found: Match,
    sheet: Sheet,
    seats: list[Seat],
    covered: Mapping[str, bool],
    doubt: Doubt,
    hues: Mapping[int, Hue],
    known: Mapping[str, SpaceSeen] = MappingProxyType({}),
) -> dict[str, SpaceSeen]:
    """The reading of every space: what stands there, and how well other contents would explain the picture.

    doubt: see `doubt_of`. hues: see `colors_of`. known: readings that need not be made again.
    """
    where, names = found.where, list(sheet.spaces)
    taken = set(where.space[[place for place, _ in found.standing]].tolist())
    taken |= set(where.space[found.busy].tolist())
    rest = [k for k, name in enumerate(names) if not covered.get(name) and name not in known and k not in taken]
    areas = {k for k, name in enumerate(names) if sheet.spaces[name].is_area}
    empty = dict(zip(rest, _plainly(found, rest, areas, seats, doubt), strict=True))
    asked = [k for k, name in enumerate(names) if not covered.get(name) and name not in known and k not in empty]
    more = dict(zip(asked, _one_more(found, asked), strict=True))
    result = {}
    for index, name in enumerate(names):
        if covered.get(name):
            result[name] = SpaceSeen((), 0.0, True)
        elif name in known:
            result[name] = known[name]
        elif index in empty:
            result[name] = empty[index]
        else:
            mine = [piece for piece in found.standing if where.space[piece[0]] == index]
            told = _relative(_read_one(found, index, seats, *more[index]), seats, doubt.soft)
            if mine:
                told, unseen = _recolored(told, mine, hues, seats), _topless(found, index, mine)
                for seat in seats:
                    _note(told, (seat,), unseen)
                for color, level in found.rivals.get(index, {}).items():  # whose tops are others than that one
                    if color >= 0:
                        _note(told, (seats[color],), tempered(-level, doubt.soft))
            result[name] = _seen(told, doubt.faith)
    return result


def _topless(found: Match, index: int, mine: Sequence[Put]) -> float:
    """How likely it is that a stack stands on a space whose top lies beyond the view, and may be of any colour: the
    log-likelihood beside that of what was put there. −inf where there is no such stack."""
    where = found.where
    if where.piece.kind != "disc" or len(mine) != 1 or where.topless[mine[0][0]]:
        return -np.inf
    here = np.arange(*np.searchsorted(where.space, (index, index + 1)))
    high = here[where.topless[here]]
    if not len(high):
        return -np.inf
    place, color = mine[0]
    found.take(mine[0])
    wholly = np.where(found.some > 0, found.some / BELIEVED, found.some)  # nothing but the side is seen of such a stack
    gap = float(found.squeezed(np.array([place]), wholly)[0, color]) - float(found.squeezed(high, wholly).max())
    found.put(mine[0])
    return tempered(max(gap, 0.0))


def _somewhere(found: Match, spaces: Sequence[int], areas: Collection[int]) -> Floats:
    """Nats that a piece of each colour would explain in the middle of some spaces, on bases and homes where it would
    explain most, (len(spaces), K)."""
    space = found.where.space
    middles, looked = np.searchsorted(space, spaces), space.take(found.looked)
    asked = [middles[row : row + 1] for row in range(len(spaces))]
    for row, index in enumerate(spaces):
        here = found.looked[looked == index] if index in areas else found.looked[:0]
        if len(here):
            asked[row] = here[:: 1 + len(here) // _ASKED]
    starts = np.cumsum([0, *map(len, asked)])[:-1]
    return np.asarray(np.maximum.reduceat(found.gains(np.concatenate(asked)), starts, axis=0))


def _plainly(
    found: Match, spaces: Sequence[int], areas: Collection[int], seats: list[Seat], doubt: Doubt
) -> list[SpaceSeen]:
    """The readings of spaces on which nothing was put nor seems to stand: judged by their middles alone, `areas` by
    some of their places."""
    if not spaces:
        return []
    gains = _somewhere(found, spaces, areas)
    levels = np.hstack([np.zeros((len(spaces), 1)), np.maximum(gains, -1e6)])
    gaps = (levels.max(axis=1, keepdims=True) - levels) * _TEMPER
    nats = doubt.faith * np.maximum(-gaps * gaps / (gaps + doubt.soft), WORST)
    best, sure = nats.argmax(axis=1).tolist(), (1 / np.exp(nats).sum(axis=1)).tolist()
    contents: list[Content] = [(), *((seat,) for seat in seats)]
    each = zip(best, sure, nats.tolist(), strict=True)
    unlisted = doubt.faith * UNLIKELY
    return [SpaceSeen(contents[k], p, False, dict(zip(contents, row, strict=True)), unlisted) for k, p, row in each]


def _one_more(found: Match, spaces: Sequence[int]) -> list[tuple[Ints, Floats]]:
    """Of some spaces the places where pieces may stand, or the middle, and what one more would explain there, see
    `Match.gains`; asked of all at once."""
    starts, near = np.searchsorted(found.where.space, np.arange(len(found.where.lone) + 1)), list[Ints]()
    for index in spaces:
        busy = np.flatnonzero(found.busy[starts[index] : starts[index + 1]])
        near.append(starts[index] + (busy if len(busy) else np.zeros(1, np.int64)))
    ends = np.cumsum([len(places) for places in near]).tolist()
    gains = found.gains(np.concatenate(near)) if near else np.zeros(0)
    return [(places, gains[end - len(places) : end]) for places, end in zip(near, ends, strict=True)]


def _read_one(found: Match, index: int, seats: list[Seat], near: Ints, gains: Floats) -> dict[Content, float]:
    """Vary what was found on one space: a piece more, one fewer, one of another colour. Nats of each content. near,
    gains: see `_one_more`."""
    mine = [s for s in found.standing if found.where.space[s[0]] == index]
    content = tuple(sorted(seats[color] for _, color in mine))
    levels: dict[Content, float] = {content: 0.0}
    lone = bool(found.where.lone[index])
    if not (mine and lone):
        _try_more(gains, seats, content, levels)
    if not mine and not lone:
        _try_two(found, near, gains, seats, levels)
    if not mine and found.where.piece.kind != "disc" and found.busy[near[0]]:
        _try_between(found, near, seats, levels)
    for piece in mine:
        _try_without(found, piece, near, seats, content, levels)
    if len(mine) == 1 and index in found.pairs:
        color, level = found.pairs[index]
        _note(levels, (seats[color],) * 2, level)
    if len(mine) == 2:
        _try_one(found, mine, near, seats, levels)
    for color, level in found.rivals.get(index, {}).items():
        _note(levels, () if color < 0 else (seats[color],), level)
    return levels


def _relative(levels: Mapping[Content, float], seats: list[Seat], soft: float) -> dict[Content, float]:
    """Log-likelihoods from nats of each content; differences of some nats, up to `soft`, mean less than larger ones."""
    best = max(levels, key=lambda c: levels[c])
    relative = {c: tempered(float(levels[best] - v), soft) for c, v in levels.items()}
    for content in [(), *((seat,) for seat in seats)]:
        relative.setdefault(content, WORST)
    return relative


def tempered(gap: float, soft: float = _SOFT) -> float:
    """The log-likelihood, 0 at most, of what explains so many nats less than the best. soft: see `_relative`."""
    less = gap * _TEMPER
    return max(0.0 - less * less / (less + soft), WORST)


def _recolored(
    told: Mapping[Content, float], mine: Sequence[Put], hues: Mapping[int, Hue], seats: list[Seat]
) -> dict[Content, float]:
    """The log-likelihoods of contents, but which colours the pieces that stand there have is said by `hues`."""
    drawn = [seats[color] for _, color in mine]
    each, lots = [hues[place].told.tolist() for place, _ in mine], [hues[place].lot for place, _ in mine]
    best = [levels.index(max(levels)) for levels in each]
    relative, named = dict[Content, float](), [seats[k] for k in best]
    sure = _KIN if all(hues[place].kin for place, _ in mine) else 0.0
    for content, level in told.items():
        if len(content) != len(drawn):
            level -= sure * (len(content) < len(drawn))
            _note(relative, content if named == drawn else _renamed(content, drawn, named), level)
    base = told[tuple(sorted(drawn))]
    gaps = [[base + level - max(levels) for level in levels] for levels in each]
    for piece in range(len(mine)):
        alike, kin = ([row for row, of in enumerate(all_) if of == all_[piece]] for all_ in (named, lots))
        for k, seat in enumerate(seats):
            if alike[0] == piece:  # of those of one colour another one is as good as the next
                one_other = (*named[:piece], *named[piece + 1 :], seat)
                _note(relative, one_other, max(gaps[row][k] for row in alike))
            if kin[0] == piece and len(kin) > 1:
                all_others = tuple(seat if row in kin else of for row, of in enumerate(named))
                _note(relative, all_others, max(gaps[row][k] for row in kin))
    if all(hues[place].vain for place, _ in mine):
        _note(relative, (), base)
    return relative


def _renamed(content: Content, drawn: Sequence[Seat], named: Sequence[Seat]) -> Content:
    """A content with each piece of the ones that were drawn called by its own name."""
    names = list(zip(drawn, named, strict=True))
    result = []
    for seat in content:
        hit = next((pair for pair in names if pair[0] == seat), None)
        if hit is not None:
            names.remove(hit)
        result.append(seat if hit is None else hit[1])
    return tuple(sorted(result))


def _seen(levels: Mapping[Content, float], faith: float) -> SpaceSeen:
    """The reading that log-likelihoods make, of which the share `faith` is believed: the best of them is 0."""
    best = max(levels, key=lambda c: levels[c])
    relative = {content: faith * max(level - levels[best], WORST) for content, level in levels.items()}
    return as_told(SpaceSeen(best, 0.0, unlisted=faith * UNLIKELY), relative)


def doubted(seen: SpaceSeen, there: bool = False) -> SpaceSeen:
    """A reading of which only a small part is believed, and no less than that, if no more was: something is there that
    was not understood. there: but that anything stands there, if a piece was read, is believed as before.
    """
    if seen.covered:
        return seen
    part = min(1.0, _DOUBTED * UNLIKELY / seen.unlisted)
    levels = {content: level * part for content, level in seen.likelihoods.items()}
    if there and seen.content:
        levels[()] = seen.log_likelihood(())
    return replace(as_told(seen, levels), unlisted=seen.unlisted * part)


def as_told(seen: SpaceSeen, levels: dict[Content, float]) -> SpaceSeen:
    """The reading with other log-likelihoods of its contents, the best of which may not be the one that was read."""
    return SpaceSeen(seen.content, 1 / sum(map(exp, levels.values())), seen.covered, levels, seen.unlisted)


def less_sure(seen: SpaceSeen, more: Mapping[Seat, float]) -> SpaceSeen:
    """A reading in which one more piece of each colour is at least as likely as its level says, nats."""
    return perhaps(seen, {(*seen.content, seat): level for seat, level in more.items()})


def perhaps_fewer(seen: SpaceSeen, level: float) -> SpaceSeen:
    """A reading in which one fewer of a colour is at least as likely as `level` says, nats."""
    fewer = (Counter(seen.content) - Counter([seat]) for seat in set(seen.content))
    return perhaps(seen, {tuple(rest.elements()): level for rest in fewer})


def perhaps(seen: SpaceSeen, others: Mapping[Content, float]) -> SpaceSeen:
    """A reading in which some contents are at least as likely as their levels say, nats."""
    if seen.covered:
        return seen
    levels = dict(seen.likelihoods)
    for content, level in others.items():
        _note(levels, content, level)
    return as_told(seen, levels)


def _note(levels: dict[Content, float], content: Content, level: float) -> None:
    if isfinite(level):
        content = content if len(content) < 2 else tuple(sorted(content))
        if level > levels.get(content, -inf):
            levels[content] = float(level)


def _try_more(gains: Floats, seats: list[Seat], content: Content, levels: dict[Content, float]) -> None:
    for seat, gain in zip(seats, gains.max(axis=0), strict=True):
        _note(levels, (*content, seat), gain)


def _try_two(found: Match, near: Ints, gains: Floats, seats: list[Seat], levels: dict[Content, float]) -> None:
    place, color = np.unravel_index(int(np.argmax(gains)), gains.shape)
    one = int(near[place]), int(color)
    found.put(one)
    for seat, gain in zip(seats, found.gains(near).max(axis=0), strict=True):
        _note(levels, (seats[color], seat), gain + gains[place, color])
    found.take(one)


def _try_one(found: Match, mine: list[Put], near: Ints, seats: list[Seat], levels: dict[Content, float]) -> None:
    kept = 0.0
    for place, color in mine:
        found.take((place, color))
        kept += float(found.gains(np.array([place]))[0, color])
    _note(levels, (), -kept)
    for seat, gain in zip(seats, found.gains(near).max(axis=0), strict=True):
        _note(levels, (seat,), gain - kept)
    for piece in mine:
        found.put(piece)


def _try_between(found: Match, near: Ints, seats: list[Seat], levels: dict[Content, float]) -> None:
    """One piece on an empty space, and one on another, instead of one that stands between them."""
    where = found.where
    feet = where.feet.take(near, axis=0)
    for piece in [piece for piece in found.standing if where.cost[piece[0]] >= _BETWEEN]:
        place, color = piece
        if np.abs(feet - where.feet[place]).max(axis=1).min() > PAIR * found.room:
            continue
        found.take(piece)
        kept, gains = float(found.gains(np.array([place]))[0, color]), found.gains(near)[:, color]
        best = int(gains.argmax())
        if np.isfinite(gains[best]):
            one = int(near[best]), color
            found.put(one)
            other = np.flatnonzero(found.busy & (where.space == where.space[place]))
            more = float(found.gains(other)[:, color].max(initial=-np.inf))
            found.take(one)
            if more > 0:
                _note(levels, (seats[color],), float(gains[best]) + more - kept)
        found.put(piece)


def _try_without(
    found: Match,
    piece: Put,
    near: Ints,
    seats: list[Seat],
    content: Content,
    levels: dict[Content, float],
) -> None:
    x, y = (found.where.feet.take(near, axis=0) - found.where.feet[piece[0]]).T
    close = near[x * x + y * y < _CLOSE**2]
    gains = found.gains_without(piece, np.append(piece[0], close))
    kept, rest = float(gains[0, piece[1]]), list(content)
    rest.remove(seats[piece[1]])
    _note(levels, tuple(rest), min(on_fringes(found, piece) - kept, max(-kept, 0.0)))
    if len(close):
        for seat, gain in zip(seats, gains[1:].max(axis=0), strict=True):
            _note(levels, (*rest, seat), gain - kept)
