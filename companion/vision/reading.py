"""What stands where: pieces are matched with the picture one by one, until nothing is left to explain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from types import MappingProxyType
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import UNLIKELY, Content, Seat, Sheet, SpaceSeen
from companion.vision.colors import Hue
from companion.vision.fringe import on_fringes
from companion.vision.places import EVIDENCE, Places
from companion.vision.pose import Flat, Floats
from companion.vision.scene import PIXELS_PER_MM
from companion.vision.stacks import unstack
from companion.vision.standing import BELIEVED, PIECE_COST, Match, Put, most_nearby

Ints = npt.NDArray[np.int64]

_SPLIT = 6.0  # nats that must be left over beside a piece, and gained, if two are to take its place
_RATHER = 1.0  # nats, at most, by which two are likelier than the one that was found, where that takes some search
_FAR_WORSE = -10.0  # nats: two that explain so much less are no other way to see it
_PAIR = 2.2  # times the room of a piece: as far from one may lie either of two that take its place
_BETWEEN = 1.5  # nats for standing off the middle from which on a piece may have been put for two, each on its space
_NEAR = 12.0  # mm by which a piece is moved when it is looked at again
_BAND = 7  # pixels over which the side of a stack is of one colour
_MOST_PIECES = 80
_RISE = 3.0  # nats by which what a piece would explain may have become more by others
_SOME = 2  # of every so many pixels of a place one says whether a piece may stand there
_LITTLE, _SLACK = -1.0, 1.3  # nats: no pixel says less then; as much more as all pixels of a place may they say
_BARE, _HALF = -1.0, 0.5  # nats for whatever colour: it is the board; share of a stack's foot
_ASKED = 200  # places of a base or home, at most, of which it is asked whether a piece may stand there
_DOUBTED = 0.2
_LYING = -0.4  # nats by which one that lies is less likely than two that stand
_KIN = 2.0  # nats that a piece stands there, if it looks as others do
WORST = -10.0
"""Nats below the best of what a reading lists, at least."""
_TEMPER = 0.4  # nats believed of each nat: the models are never quite right
_ANOTHER = 0.06  # share of a board that looks strange from which on it may be another one
_SOFT, _STRANGE, _STRANGEST = 1.0, 80.0, 0.1  # nats in doubt anyway; more for a strange board, up to this share


def match(where: Places, evidence: Flat, most: Flat, sheet: Sheet) -> Match:
    """Put pieces on the board, the clearest first, until no further one explains anything; look at each once more.

    See `find` and `refined`.
    """
    return refined(find(where, evidence, most, sheet), 0)


def find(
    where: Places,
    evidence: Flat,
    most: Flat,
    sheet: Sheet,
    among: npt.NDArray[np.bool_] | None = None,
    start: Sequence[Put] = (),
    before: npt.NDArray[np.bool_] | None = None,
) -> Match:
    """Put pieces on the board, the clearest first, until no further one explains anything: nearly where they stand.

    evidence: (rows·cols, K) nats for each colour; most: (rows·cols,) the most of them. among: the places to try, bool
    (N,); all if None. start: pieces that stand there. before: places, bool (N,), where pieces might stand when more
    spoke for them: of those to try no others come into question, and elsewhere they may be put later.
    """
    tried = among if among is None or before is None else among & (before | where.far)
    side, (maybe, looked) = most, _promising(where, most, tried)
    if sheet.piece.kind == "disc":
        box = _window(where, among if among is None or before is None else among | before)
        side = most_nearby(evidence, where.shape, box, _BAND)
        side[side > 0] *= BELIEVED
        maybe[maybe] = ~_floating(where, side, np.flatnonzero(maybe))
    found = Match(where, evidence, 0.92 * sheet.piece.diameter, maybe, side, [*start], looked)
    busy = np.flatnonzero(found.busy)
    _put_the_clearest(found, busy[where.coarse[busy]])
    free = (_held(found) == 0) | ~where.lone
    _put_the_clearest(found, busy[free[where.space[busy]]])
    found.busy &= ~where.far | (_held(found)[where.space] > 2)
    if among is not None and before is not None:
        found.busy |= before & ~among
    return found


def refined(found: Match, fixed: int) -> Match:
    """Look at each piece once more, among the others; the first ones, so many, stand there for certain."""
    busy = np.flatnonzero(found.busy)
    if found.where.piece.kind == "disc":
        unstack(found, busy, fixed)
    _settle(found, busy, found.standing[fixed:])
    _split(found, busy, found.standing[fixed:])
    return found


def _held(found: Match) -> Ints:
    """How many pieces were put on each space, (S,)."""
    where = found.where
    return np.bincount(where.space[[place for place, _ in found.standing]], minlength=len(where.lone))


def _put_the_clearest(found: Match, busy: Ints) -> None:
    """Put the piece that explains most, again and again, until none explains anything.

    What a piece would explain hardly ever becomes more by others: what was computed before these were put is enough to
    pass over most of them (lazy greedy search, Minoux 1978); what is left is looked at once more at the end.
    """
    gains, touching = found.gains(busy), found.where.touching(busy)
    top, old = gains.max(axis=1), np.zeros(len(busy), bool)
    while len(found.standing) < _MOST_PIECES:
        sure = float(top[~old].max(initial=0.0))
        again = np.flatnonzero(old & (top >= (sure if sure > 0 else -_RISE)))
        if len(again):
            gains[again] = found.gains(busy[again])
            top[again], old[again] = gains[again].max(axis=1), False
            continue
        if not top.max(initial=0.0) > 0:
            break
        best = int(top.argmax())
        found.put((int(busy[best]), int(gains[best].argmax())))
        old |= touching(int(busy[best]))


def _window(where: Places, among: npt.NDArray[np.bool_] | None) -> tuple[slice, slice]:
    """The rows and columns of the flat view in which all pixels of some places lie."""
    if among is None or not among.any():
        return slice(0, where.shape[0]), slice(0, where.shape[1])
    boxes = where.boxes[among]
    (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return slice(y0, y1), slice(x0, x1)


def _promising(where: Places, best: Flat, among: npt.NDArray[np.bool_] | None) -> tuple[npt.NDArray[np.bool_], Ints]:
    """Places round which enough is seen that the empty board does not explain, bool (N,); and those at which it was
    looked for closely.

    best: (rows·cols,) the most evidence for any colour.
    """
    more = np.maximum(best, _LITTLE) - np.float32(_LITTLE)
    total = cv2.integral(more.reshape(where.shape), sdepth=cv2.CV_32F).ravel()
    tried = np.arange(len(where.feet)) if among is None else np.flatnonzero(among)
    corners = where.corners if among is None else where.corners.take(tried, axis=1)
    after, over, before, under = (total.take(corner) for corner in corners)
    least = PIECE_COST - _LITTLE * where.heft.take(tried)
    maybe = tried[_SLACK * EVIDENCE / PIXELS_PER_MM**2 * (after - over - before + under) > least]
    part = slice(None, None, _SOME)
    some, weight = where.pixels(maybe, part), where.weight(maybe, part)
    value = _SOME * np.einsum("tp,tp->t", weight, np.maximum(best.take(some), _LITTLE))
    busy = np.zeros(len(where.feet), bool)
    busy[maybe[value > PIECE_COST + where.cost[maybe] * (where.storeys[maybe] > 1)]] = True
    return busy, maybe


def _floating(where: Places, some: Flat, tried: Ints) -> npt.NDArray[np.bool_]:
    """Which of some places are of stacks at whose foot the board is plainly seen, bool (len(tried),): a lamp's image
    beside the board was taken for the top of eight discs on an empty square.

    some: (rows·cols,) nats for the side of a stack, of whatever colour.
    """
    lowest, bare = where.lowest.take(tried), np.zeros(len(where.feet), bool)
    bare[lowest] = True
    feet = np.flatnonzero(bare)
    weight, unlike = where.weight(feet), some.take(where.pixels(feet)) < _BARE
    bare[feet] = np.einsum("tp,tp->t", weight, unlike) > _HALF * where.heft.take(feet)
    return np.asarray(bare.take(lowest) & (where.storeys.take(tried) > 1))


def _settle(found: Match, busy: Ints, pieces: list[Put]) -> None:
    """Take each piece up once more and put it where, and as what, it fits best now; drop it if it need not be."""
    x, y = np.ascontiguousarray(found.where.feet.take(busy, axis=0).T)
    feet = found.where.feet[[place for place, _ in pieces]].tolist()
    each = [busy[(x - own_x) ** 2 + (y - own_y) ** 2 < _NEAR**2] for own_x, own_y in feet]
    found.prepare(each)
    for piece, near in zip(pieces, each, strict=True):
        found.take(piece)
        gains = found.gains(near)
        best = np.unravel_index(int(np.argmax(gains)), gains.shape) if len(near) else (0, 0)
        if len(near) and gains[best] > 0:
            found.put((int(near[best[0]]), int(best[1])))


def _split(found: Match, busy: Ints, pieces: list[Put]) -> None:
    """Put two pieces where one was put in the middle between them."""
    where, alone = found.where, _held(found) == 1
    for piece in pieces:
        place, color = piece
        near = busy[where.space[busy] == where.space[place]]
        near = near[np.abs(where.feet.take(near, axis=0) - where.feet[place]).max(axis=1) < _PAIR * found.room]
        near = near[found.room_without(near, place)]
        if len(near) < 2 or where.lone[where.space[place]]:
            continue
        if _left_over(found, near, color) + _against(found, piece) < _SPLIT + PIECE_COST:
            continue
        more, pair = _best_pair(found, piece, near, together=False)
        if more > _SPLIT:
            found.take(piece)
            for one in pair:
                found.put(one)
            continue
        if not alone[where.space[place]]:
            continue
        further, other = _best_pair(found, piece, near, together=True)
        if pair or other:
            found.pairs[int(where.space[place])] = color, min(max(more, further) - _SPLIT, _RATHER)


def _best_pair(found: Match, piece: Put, near: Ints, together: bool) -> tuple[float, list[Put]]:
    """The two pieces that explain most instead of one that stands there, and by how many nats more than that. The first
    of them is where one alone explains most in its direction; or where one does with its likeliest second, `together`:
    more is found so, and of what is none, as shadows, too."""
    where, (place, color) = found.where, piece
    found.take(piece)
    gains = found.gains(near)[:, color]
    alone, best, pair = float(gains[near == place].max(initial=-np.inf)), -np.inf, []
    feet = where.feet.take(near, axis=0)
    beside = np.linalg.norm(feet[:, None] - feet, axis=2) >= found.room
    most = gains + np.where(beside, gains, -np.inf).max(axis=1, initial=-np.inf) + _SPLIT
    firsts = _round_about(feet - where.feet[place], most if together else gains, found.room)
    for first, bound in zip(firsts.tolist(), most[firsts].tolist(), strict=True):
        if bound <= max(best, alone + _FAR_WORSE):
            continue
        one = int(near[first]), color
        found.put(one)
        more = found.gains(near)[:, color]
        found.take(one)
        second = int(np.argmax(more))
        if gains[first] + more[second] > best:
            best = float(gains[first] + more[second])
            pair = [one, (int(near[second]), color)]
    found.put(piece)
    return best - alone, pair


def _left_over(found: Match, near: Ints, color: int) -> float:
    """Nats for a colour round some places that no piece explains yet."""
    pixels = found.where.pixels(near)
    start = int(pixels.min())
    asked = np.zeros(int(pixels.max()) + 1 - start, bool)
    asked[pixels - start] = True
    asked &= found.front[start : start + len(asked)] > 1e8
    free = np.flatnonzero(asked) + start
    return float(np.maximum(found.says(free, color), 0).sum()) * EVIDENCE / PIXELS_PER_MM**2


def _against(found: Match, piece: Put) -> float:
    """Nats that speak against a piece where it is seen: two that stand elsewhere might do without them."""
    return float(np.maximum(-found.says(found.shown(piece[0]), piece[1]), 0).sum()) * EVIDENCE / PIXELS_PER_MM**2


def _round_about(offsets: Floats, worth: Floats, room: float) -> Ints:
    """The best place in each of eight directions, half a piece or more away. worth: nats, alone, or with a second."""
    far = np.linalg.norm(offsets, axis=1)
    there = np.flatnonzero((far > 0.4 * room) & (far < 1.1 * room) & np.isfinite(worth))
    there = there[np.argsort(-worth[there], kind="stable")]
    x, y = offsets[there].T
    sector = np.floor(np.arctan2(y, x) / (np.pi / 4) + 4.5).astype(int) % 8
    return there[np.unique(sector, return_index=True)[1]]


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
            told = _relative(_read_one(found, index, seats), seats, doubt.soft)
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
    space, asked = found.where.space, []
    for index in spaces:
        here = found.looked[space[found.looked] == index] if index in areas else found.looked[:0]
        asked.append(here[:: 1 + len(here) // _ASKED] if len(here) else np.searchsorted(space, [index]))
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


def _read_one(found: Match, index: int, seats: list[Seat]) -> dict[Content, float]:
    """Vary what was found on one space: a piece more, one fewer, one of another colour. Nats of each content."""
    mine = [s for s in found.standing if found.where.space[s[0]] == index]
    content = tuple(sorted(seats[color] for _, color in mine))
    here = np.arange(*np.searchsorted(found.where.space, (index, index + 1)))
    near = here[found.busy[here]] if found.busy[here].any() else here[:1]
    levels: dict[Content, float] = {content: 0.0}
    lone = bool(found.where.lone[index])
    if not (mine and lone):
        _try_more(found, near, seats, content, levels)
    if not mine and not lone and max(levels.values()) > -4:
        _try_two(found, near, seats, levels)
    if not mine and found.where.piece.kind != "disc" and found.busy[here].any():
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
    drawn = tuple(sorted(seats[color] for _, color in mine))
    each = [hues[place].told.tolist() for place, _ in mine]
    best = [levels.index(max(levels)) for levels in each]
    relative: dict[Content, float] = {}
    sure = _KIN if all(hues[place].kin for place, _ in mine) else 0.0
    for content, level in told.items():
        if len(content) != len(drawn):
            level -= sure * (len(content) < len(drawn))
            _note(relative, _renamed(content, [seats[color] for _, color in mine], [seats[k] for k in best]), level)
    base = told[drawn]
    for piece, (place, _) in enumerate(mine):
        like = [hues[other].lot == hues[place].lot for other, _ in mine]
        for k, seat in enumerate(seats):
            level = base + each[piece][k] - max(each[piece])
            _note(relative, (*(seats[c] for c in best[:piece] + best[piece + 1 :]), seat), level)
            _note(relative, tuple(seat if same else seats[c] for same, c in zip(like, best, strict=True)), level)
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


def doubted(seen: SpaceSeen) -> SpaceSeen:
    """A reading of which only a small part is believed, and no less than that, if no more was: something is there that
    was not understood."""
    if seen.covered:
        return seen
    part = min(1.0, _DOUBTED * UNLIKELY / seen.unlisted)
    levels = {content: level * part for content, level in seen.likelihoods.items()}
    return replace(as_told(seen, levels), unlisted=seen.unlisted * part)


def as_told(seen: SpaceSeen, levels: dict[Content, float]) -> SpaceSeen:
    """The reading with other log-likelihoods of its contents, the best of which may not be the one that was read."""
    return replace(seen, confidence=1 / sum(float(np.exp(v)) for v in levels.values()), likelihoods=levels)


def less_sure(seen: SpaceSeen, more: Mapping[Seat, float]) -> SpaceSeen:
    """A reading in which one more piece of each colour is at least as likely as its level says, nats."""
    return perhaps(seen, {(*seen.content, seat): level for seat, level in more.items()})


def perhaps_lying(seen: SpaceSeen) -> SpaceSeen:
    """A reading in which two pieces may be one that lies: one fewer of a colour is nearly as likely, and nothing else.

    So the place from which a pawn was taken still bears witness to that, though two of those left overlap.
    """
    return perhaps_fewer(seen, _LYING)


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
    content = tuple(sorted(content))
    if isfinite(level):
        levels[content] = max(levels.get(content, -np.inf), float(level))


def _try_more(found: Match, near: Ints, seats: list[Seat], content: Content, levels: dict[Content, float]) -> None:
    for seat, gain in zip(seats, found.gains(near).max(axis=0), strict=True):
        _note(levels, (*content, seat), gain)


def _try_two(found: Match, near: Ints, seats: list[Seat], levels: dict[Content, float]) -> None:
    gains = found.gains(near)
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
        if np.abs(feet - where.feet[place]).max(axis=1).min() > _PAIR * found.room:
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
    close = near[x * x + y * y < 10**2]
    found.take(piece)
    gains = found.gains(np.append(piece[0], close))
    found.put(piece)
    kept, rest = float(gains[0, piece[1]]), list(content)
    rest.remove(seats[piece[1]])
    _note(levels, tuple(rest), min(on_fringes(found, piece) - kept, max(-kept, 0.0)))
    if len(close):
        for seat, gain in zip(seats, gains[1:].max(axis=0), strict=True):
            _note(levels, (*rest, seat), gain - kept)
