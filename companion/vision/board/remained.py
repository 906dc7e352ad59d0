"""Whether a piece still stands where one stood when the board was ruled: it looks so there, or as the board does.

However like its ground a piece is, its picture was taken when people agreed that it stood there; and where it is gone,
the board is seen as it is known. Which of the two the picture is nearer to hardly depends on how well the eyes can tell
the piece's colour, nor on the light, which is measured just round about.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.board.again import Kept
from companion.vision.board.memory import FLOOR, Learned, as_learned
from companion.vision.board.places import Places
from companion.vision.view.pose import Floats, Frame
from companion.vision.view.scene import PIXELS_PER_MM
from companion.vision.view.surface import linear

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_MOST = 200  # pixels of a piece that are looked at
_SHIFT = 2  # pixels, each way, by which the board, or the piece, may have been moved
_RINGS = (0.85, 1.1, 1.35)  # diameters from the foot to where the light is measured
_ROUNDS = 4  # in which what strays from the slope counts less and less
_UNEVEN = 0.11  # natural log by which the light may have changed otherwise on half of what is round about
ANOTHER = 0.6
"""Diameters: what stands so far from where a piece stood is another one, or that one was moved."""
_SEEN = 0.5  # share of a piece that must be in sight, then and now
_LEAST = 0.02  # natural log: no two pictures are more alike
_FAINT = 0.06  # natural log: a piece that differs less from the board cannot be told from it
_SLOPING = 0.5  # so much is said where the light slopes, which is known less well
_UNLIKE = 0.5  # natural log: what is near to neither, where the light slopes, is in a light that is not understood
_HUE = 1.7  # times as much counts how far hues are apart: they stray less
_BURNT = 250  # grey levels: what is as bright was perhaps brighter
_SHADOW = 3.0  # times as long as it is high is the shadow of a piece, at most


def remained(kept: Kept, learned: Learned, places: Ints, others: Ints) -> Floats:
    """How many times nearer what is seen at some places is to what was seen there when the board was ruled than to the
    empty board, natural log, (N,): above 0 the piece still stands there, below it is gone. 0 where nobody can say.

    others: places at which pieces stand now, or stood then, which may hide these. In the frames of 33 films at hand of
    3,592 pieces that had stayed 3,587 were nearer to what was, the least so by 0.48, and of 200 that had gone 185 to
    the board, by 0.49; of the others nobody could say.
    """
    return np.array([_nearer(kept, learned, place, others) for place in places.tolist()])


def _nearer(kept: Kept, learned: Learned, place: int, others: Ints) -> float:
    where = kept.places
    every = where.hidden_by(place)[0]
    ring = np.setdiff1d([where.ring(np.array([place]), wide) for wide in _RINGS], every)
    open_to = _in_sight(where, place, every, others)
    pixels = open_to[:: 1 + len(open_to) // _MOST]
    if not len(ring) or len(open_to) <= _SEEN * len(every) or not learned.shown.ravel().take(pixels).all():
        return 0.0
    then, now = _log(_seen(learned.flat, ring)), _log(_seen(kept.flat, ring))
    bare = _log(_bare(kept, learned, ring))
    changed, off = np.median(now - then, axis=0), np.median(now - bare, axis=0)
    sloping = np.median(np.abs(now - then - changed)) > _UNEVEN  # as at the soft edge of a head's shadow
    if sloping:
        beside, inside = (_around(where, place, some) for some in (ring, pixels))
        slope = _slope(beside, now - then)
        if np.median(np.abs(now - then - beside @ slope)) > _UNEVEN:
            return 0.0
        changed, off = inside @ slope, inside @ _slope(beside, now - bare)
    here, shifted = _log(_seen(kept.flat, pixels)), _shifted(pixels, where.shape)
    as_then = np.abs(here - _log(_seen(learned.flat, shifted) * np.exp(changed))).mean(axis=(1, 2)).min()
    as_bare = np.abs(here - _log(_bare(kept, learned, pixels) * np.exp(off))).mean()
    if max(as_then, as_bare) < _FAINT or (sloping and min(as_then, as_bare) > _UNLIKE):
        return 0.0
    return float(np.log(as_bare / max(as_then, _LEAST))) * (_SLOPING if sloping else 1)


def _shifted(pixels: Ints, shape: tuple[int, int]) -> Ints:
    """Some pixels, raveled, (N,), moved by up to `_SHIFT` each way, all ways: (ways, N), or those nearest to them."""
    (rows, cols), steps = shape, np.arange(-_SHIFT, _SHIFT + 1)
    y, x = np.divmod(pixels, cols)
    down, across = (y + steps[:, None]).clip(0, rows - 1), (x + steps[:, None]).clip(0, cols - 1)
    return np.asarray((down[:, None] * cols + across).reshape(-1, len(pixels)))


def exchanged(kept: Kept, learned: Learned, then: Ints, now: Ints, others: Ints, changed: Ints) -> Floats:
    """How far the colour of each piece that is seen lies from that of the one that stood there when it was ruled,
    natural log, (N,): the light, which is measured round about, is taken out. 0 where nobody can say. No paint need be
    known: what stood there and what stands there are two pictures of one place. Of what is burnt out in one of them
    only as much is said as it differs at least.

    then, now: the places of each, (N,). others: see `remained`. changed: those of them where a piece came or went, as
    its shadow does. In the frames of nine films at hand 884 of pieces that were the same differ by 0.32 at most, and 23
    in which another one stands in the place of one, of seven such, by 0.83 at least; burnt out ones were compared like
    the rest then.
    """
    each = zip(then.tolist(), now.tolist(), strict=True)
    return np.array([_apart(kept, learned, was, new, others, changed) for was, new in each])


def _apart(kept: Kept, learned: Learned, was: int, new: int, others: Ints, changed: Ints) -> float:
    where = kept.places
    ring = np.setdiff1d([where.ring(np.array([was]), wide) for wide in _RINGS], where.hidden_by(was)[0])
    stood, stands = _own(where, was, others), _own(where, new, others)
    if not len(stood) or not len(stands) or not learned.shown.ravel().take(stood).all():
        return 0.0
    usual = _evenly(kept, learned, ring)
    if usual is None:
        return 0.0
    before, after = _seen(learned.flat, stood) * np.exp(usual), _seen(kept.flat, stands)
    off = np.median(_log(after), axis=0) - np.median(_log(before), axis=0)
    least = np.where(_burnt(learned.flat, stood).mean(axis=0) < 0.5, off, -np.inf)
    most = np.where(_burnt(kept.flat, stands).mean(axis=0) < 0.5, off, np.inf)
    hue = _HUE * _hue(least, most)
    if where.piece.kind != "disc" or _may_shade(where, new, changed):
        return hue  # a shadow leaves that
    return max(hue, float(np.abs(np.zeros(3).clip(least, most)).max()))


def _evenly(kept: Kept, learned: Learned, ring: Ints) -> Floats | None:
    """How the light changed round about, at pixels, raveled, natural log (3,); None where it did unevenly, or where too
    many of them are burnt out."""
    beside = ring[~(_burnt(learned.flat, ring) | _burnt(kept.flat, ring)).any(axis=1)]
    if len(beside) <= _SEEN * len(ring):
        return None
    light = _log(_seen(kept.flat, beside)) - _log(_seen(learned.flat, beside))
    usual = np.median(light, axis=0)
    return usual if np.median(np.abs(light - usual)) <= _UNEVEN else None


def _hue(least: Floats, most: Floats) -> float:
    """How far hues are apart whose channels differ by something between these, natural log, (3,): as little as may be.
    What is known of no channel for sure says nothing."""
    sure = least[least == most]
    if not len(sure):
        return 0.0
    off = np.full(3, sure.mean()).clip(least, most)
    return float(np.abs(off - off.mean()).max())


def _burnt(flat: Frame, pixels: Ints) -> npt.NDArray[np.bool_]:
    """Which channels of some pixels, raveled, (N,), of a flat view, uint8 BGR, are burnt out, (N, 3)."""
    return np.asarray(flat.reshape(-1, 3).take(pixels, axis=0) >= _BURNT)


def _own(where: Places, place: int, others: Ints) -> Ints:
    """Pixels, raveled, of a piece's own colour that are in sight; none where these are too few."""
    every, crown = where.hidden_by(place)
    seen = _in_sight(where, place, every[:crown], others)
    return seen[:: 1 + len(seen) // _MOST] if len(seen) > _SEEN * crown else seen[:0]


def _may_shade(where: Places, place: int, others: Ints) -> bool:
    """Whether any of some pieces on other spaces may be so much higher than the one at a place that its shadow lies
    over that one."""
    others = others[where.space[others] != where.space[place]]
    high = (where.storeys[others] - where.storeys[place] + 1) * where.piece.height
    away = np.hypot(*(where.feet[others] - where.feet[place]).T) - where.piece.diameter / 2
    return bool((_SHADOW * high > away).any())


def unlike_bare(kept: Kept, learned: Learned, place: int, hidden: Mask | None = None) -> float:
    """By how much what is seen where a piece at a place would be differs from the empty board as it was learned,
    natural log of the means of all its pixels; how the light changed is measured round about. Of what is `hidden`, bool
    (rows, cols), nothing is asked; 0 where that is too much."""
    every = kept.places.hidden_by(place)[0]
    ring = np.setdiff1d([kept.places.ring(np.array([place]), wide) for wide in _RINGS], every)
    pixels, beside = every, ring
    if hidden is not None:
        pixels, beside = (some[~hidden.ravel().take(some)] for some in (every, ring))
    if not (len(pixels) > _SEEN * len(every) and len(beside) > _SEEN * len(ring)):
        return 0.0
    here, about = (_log(_seen(kept.flat, some)) - _log(_bare(kept, learned, some)) for some in (pixels, beside))
    return float(np.abs(here.mean(axis=0) - np.median(about, axis=0)).max())


def _around(where: Places, place: int, pixels: Ints) -> Floats:
    """Where pixels, raveled, (N,), lie, seen from the foot of a piece: (1, x, y), diameters, (N, 3)."""
    y, x = np.divmod(pixels, where.shape[1])
    at = np.stack([x, y], axis=1) / PIXELS_PER_MM - where.feet[place]
    return np.column_stack([np.ones(len(at)), at / where.piece.diameter])


def _slope(at: Floats, by: Floats) -> Floats:
    """The even slope that values (N, channels) follow, but for those that stray: what each of `at`, (N, 3), counts, (3,
    channels)."""
    weights, slope = np.ones_like(by), np.zeros((at.shape[1], by.shape[1]))
    for _ in range(_ROUNDS):
        for channel, weight in enumerate(weights.T):
            slope[:, channel] = np.linalg.lstsq(at * weight[:, None], by[:, channel] * weight, rcond=None)[0]
        weights = 1 / np.sqrt(np.abs(by - at @ slope) + _LEAST)
    return slope


def _in_sight(where: Places, place: int, pixels: Ints, others: Ints) -> Ints:
    """Those pixels, raveled, that no piece hides which stands at another of some places, before this one."""
    apart = np.hypot(*(where.feet[others] - where.feet[place]).T) > ANOTHER * where.piece.diameter
    before = others[apart & (where.reach[others] < where.reach[place]) & where.overlapping(others, place)]
    hidden = [where.hidden_by(other)[0] for other in before.tolist()]
    return pixels[~np.isin(pixels, np.concatenate(hidden))] if hidden else pixels


def _log(light: Floats) -> Floats:
    return np.asarray(np.log(light + FLOOR))


def _seen(flat: Frame, pixels: Ints) -> Floats:
    """The light at some pixels, raveled, (…,), of a flat view, uint8 BGR: (…, 3)."""
    return np.asarray(linear(flat.reshape(-1, 3).take(pixels, axis=0)), np.float64).reshape(*pixels.shape, 3)


def _bare(kept: Kept, learned: Learned, pixels: Ints) -> Floats:
    """The light of the empty board, as it was learned, in today's, at some pixels, raveled, (N,): (N, 3)."""
    usual, _ = kept.today.at(pixels)
    return np.asarray(as_learned(usual, learned.change_at(pixels)))
