"""Pieces that look alike are one lot, and the lots are shared out among the paints."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from companion.vision.view.pose import Floats

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_LOT = 3.0  # spreads that pieces of one lot may differ
_LOT_LOG, _LOT_HUE = 0.25, 0.03
_BESIDE_WAY, DEEP = 0.4, 0.3
"""As what share of that their hues differ beside the way to white's hue, if they lie much farther from it than this."""
_EVEN_LOG, _EVEN_HUE = 0.06, 0.006
"""The same for flat tops, which all face the light alike: half of those of one paint differ by less than 0.02 and 0.006
in the rendered pictures that the eyes are mended with."""
_STRAY, _STRAY_HUE, _STRAYEST = 0.01, 0.003, 0.06
"""Shares of white's light that things round about, and the lens, add to any piece: by so much more dark ones of a lot
differ in brightness and hue, for each share of white's light that they show; in hue at most."""
_TWO_LOTS, _TWO_LOTS_MOST = 0.08, 4.0  # nats that two lots of one paint cost: for each square of spreads apart; at most
_UNLIKE, _UNLIKE_MOST = 0.15, 6.0  # and that a flat top costs, beside others of its paint
_STRANGER = 20.0  # squares of spreads: a look that is so far from those of its paint, and nearer to another's
_PERHAPS = -1.2  # nats by which that one is less likely then, at most
_ROUNDS, _SETTLED = 12, 1e-5  # most rounds; probability that may still change from one to the next


def lots(at: Floats, alone: Mask, white: Floats) -> Ints:
    """The lot of each piece, (N,): the two lots that are nearest become one, while they look alike.

    alone: which pieces are lots of their own, bool (N,). white: see `_apart`.
    """
    lot, middles, sizes = np.arange(len(at)), at.copy(), np.ones(len(at))
    apart = _apart(middles[:, None], middles, white)
    np.fill_diagonal(apart, np.inf)
    apart[alone] = apart[:, alone] = np.inf
    while len(at) > 1:
        one, other = divmod(int(apart.argmin()), len(at))
        if apart[one, other] > _LOT**2:
            break
        middles[one] = (sizes[one] * middles[one] + sizes[other] * middles[other]) / (sizes[one] + sizes[other])
        sizes[one] += sizes[other]
        lot[lot == other] = one
        near = _apart(middles, middles[one], white)
        near[~np.isfinite(apart[one])] = np.inf
        near[one] = near[other] = np.inf
        apart[one] = apart[:, one] = near
        apart[other] = apart[:, other] = np.inf
    return np.unique(lot, return_inverse=True)[1]


def of_lots(each: Floats, lot: Ints) -> Floats:
    """The means of what N pieces have, (N, …), over those of each lot, (lots, …)."""
    size = np.bincount(lot).reshape(-1, *[1] * (each.ndim - 1))
    sums = np.zeros((len(size), *each.shape[1:]))
    np.add.at(sums, lot, each)
    return sums / size


def unlike_their_lot(at: Floats, lot: Ints, white: Floats) -> Floats:
    """Nats that it costs flat tops to be of one paint with half of the others of their lot, all seen plainly, (N,): 0
    unless they differ by more than paint does. at, lot: see `Looks` and `lots`; white: see `_apart`."""
    each = _apart(at[:, None], at, white, (_EVEN_LOG, _EVEN_HUE))
    order = np.sort(np.where((lot[:, None] == lot) & ~np.eye(len(lot), dtype=bool), each, np.inf), axis=1)
    many = np.bincount(lot)[lot] - 1
    off = np.where(many > 0, order[np.arange(len(lot)), np.maximum(many - 1, 0) // 2], 0)
    return np.where(off > _LOT**2, np.minimum(_UNLIKE * off, _UNLIKE_MOST), 0)


def straying(at: Floats, lot: Ints, white: Floats) -> Floats:
    """How likely it is that each piece, (N,), is not of its lot: as likely as not where lots end, and less within."""
    count = np.bincount(lot)[lot]
    others = np.maximum(count - 1, 1)[:, None]
    middles = (np.stack([np.bincount(lot, layer) for layer in at.T], axis=1)[lot] - at) / others
    away = (_LOT**2 - _apart(at, middles, white)) / 2
    return np.where(count > 1, 1 / (1 + np.exp(np.clip(away, -50, 50))), 0)


def like_another(told: Floats, at: Floats, white: Floats) -> Floats:
    """What is told of the paints of pieces, log of the probability, (N, K), in which one that looks like no other of
    its paint, and more like one of another, may be of that.

    Whatever light and camera make of a paint, they make it of all its pieces: nearly; and a vivid, bright picture turns
    yellow into orange, some of which are nearer to red as it is on the sheet. at: the looks, (N, 3); white: see
    `_apart`. Of 704 pawns and marbles in 88 drawn pictures one that was surely wrong is a doubt with it, and none that
    was surely right.
    """
    best, away = told.argmax(axis=1), _another_hue(at[:, None], at, white)
    np.fill_diagonal(away, np.inf)
    own = np.where(best[:, None] == best, away, np.inf).min(axis=1)
    others = np.where(best[:, None] != best, away, np.inf)
    result = told.copy()
    for piece in np.flatnonzero(np.isfinite(own) & (own > _STRANGER) & (others.min(axis=1) < own)).tolist():
        paint = best[int(others[piece].argmin())]
        result[piece, paint] = max(result[piece, paint], result[piece, best[piece]] + _PERHAPS)
    return normed(result)


def _apart(one: Floats, other: Floats, white: Floats, even: tuple[float, float] = (_LOT_LOG, _LOT_HUE)) -> Floats:
    """By how many spreads of a lot looks (…, 3) are apart, squared. white: the look of white, (3,). even: what they
    spread in any case."""
    lit, turned, _ = _steps(one, other, white, even)
    return lit + turned


def _another_hue(one: Floats, other: Floats, white: Floats) -> Floats:
    """As `_apart`, but that light alone does not set deep hues apart: a paint in shade, or with shine on it, is darker,
    or paler, and of the same hue beside white's."""
    lit, turned, pale = _steps(one, other, white, (_LOT_LOG, _LOT_HUE))
    return pale * lit + turned


def _steps(one: Floats, other: Floats, white: Floats, even: tuple[float, float]) -> tuple[Floats, Floats, Floats]:
    """By how many spreads looks are apart, squared: in brightness and on the way to white's hue, where shine and stray
    light move them; and beside that way, where these hardly do. And how pale they are, 1 for white's hue."""
    dark = np.exp(np.clip(white[0] - (one[..., 0] + other[..., 0]) / 2, 0, 6))
    bright, wide = np.hypot(even[0], _STRAY * dark), np.hypot(even[1], np.minimum(_STRAY_HUE * dark, _STRAYEST))
    way, off = (one[..., 1:] + other[..., 1:]) / 2 - white[1:], one - other
    deep = np.maximum(np.hypot(way[..., 0], way[..., 1]), 1e-6)
    along = (off[..., 1] * way[..., 0] + off[..., 2] * way[..., 1]) / deep
    across = (off[..., 1] * way[..., 1] - off[..., 2] * way[..., 0]) / deep
    pale = np.exp(-((deep / DEEP) ** 2))
    narrow = wide * (_BESIDE_WAY + (1 - _BESIDE_WAY) * pale)
    return (off[..., 0] / bright) ** 2 + (along / wide) ** 2, (across / narrow) ** 2, pale


def shared_out(plain: Floats, odd: Floats, at: Floats, white: Floats) -> tuple[Floats, Floats]:
    """Log of the probability of each paint for each lot, (lots, K), and that it is not seen plainly, (lots,).

    Two lots are seldom of one paint, both seen plainly: it costs the more, the farther the hue of a lot is from that of
    the nearest other.
    plain, odd: log-likelihoods, (lots, K), for a paint seen plainly, and in a mirrored lamp or a shadow. white: see
    `_apart`.
    """
    cost = np.minimum(_TWO_LOTS * _another_hue(at[:, None], at, white), _TWO_LOTS_MOST)
    np.fill_diagonal(cost, np.inf)
    nats, kinds = np.hstack([plain, odd]), plain.shape[1]
    told = normed(nats)
    for _ in range(_ROUNDS):
        share = np.where(np.eye(len(at), dtype=bool)[..., None], 0, np.exp(told[:, :kinds])[None])
        free = np.prod(1 - share + 1e-9, axis=1)
        nearest = (share * np.exp(-cost)[..., None]).max(axis=1) / np.maximum(share.max(axis=1), 1e-9)
        taken = np.zeros_like(nats)
        taken[:, :kinds] = np.log(np.clip(free + (1 - free) * nearest, 1e-9, 1))
        before, told = told, normed(0.5 * told + 0.5 * normed(nats + taken))
        if np.abs(np.exp(told) - np.exp(before)).max() < _SETTLED:
            break
    told = normed(_swapped(told, plain))
    return np.logaddexp(told[:, :kinds], told[:, kinds:]), np.logaddexp.reduce(told[:, kinds:], axis=1)


def _swapped(told: Floats, plain: Floats) -> Floats:
    """`told`, (lots, kinds), but no surer than it is that two lots of different paints do not have each other's.

    plain: log-likelihoods, (lots, K). Settling lot by lot makes sure of one of two ways that are equally good together.
    """
    kinds = plain.shape[1]
    best = told.argmax(axis=1)
    for one, other in combinations(np.flatnonzero(best < kinds).tolist(), 2):
        p, q = int(best[one]), int(best[other])
        if p != q:
            apart = max(0.0, float(plain[one, p] + plain[other, q] - plain[one, q] - plain[other, p]))
            told[one, q] = max(told[one, q], told[one, p] - apart)
            told[other, p] = max(told[other, p], told[other, q] - apart)
    return told


def normed(nats: Floats) -> Floats:
    top = nats - nats.max(axis=1, keepdims=True)
    return np.asarray(top - np.log(np.exp(top).sum(axis=1, keepdims=True)))
