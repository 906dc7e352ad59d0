"""How large the pieces on the table are, and how they are built: a shop's are seldom as the sheet says.

What of a taller pawn sticks out would pass for another one behind it, and so would the upper half of a peg, which has
no waist; a shorter one would be taken for one that stands nearer; and a stick leaves so much of a turned pawn's foot
bare that it is none, or two of another height. All of a set are alike: the body is the right one with which pawns
explain most of the picture, and nearly each of them more of what is seen round it. (Where only some do, it is their
dark shadows that it covers.) Discs that are smaller than they should be are nothing, or doubted, and so are broader
ones on squares of their colour, and broader marbles; of pawns in the holes the upper halves pass for marbles behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise, product
from typing import NamedTuple

import cv2
import numpy as np

from companion.model import Piece
from companion.vision.board.body import Body
from companion.vision.board.places import EVIDENCE
from companion.vision.board.standing import Ints, Match, twins
from companion.vision.view.pose import Floats
from companion.vision.view.scene import PIXELS_PER_MM

_FLAT, _THICK = (1.2, 1.35, 1.5, 1.65, 1.8, 2.0, 2.2), 2.0
"""Diameters of discs that may lie there in place of pawns, as shares of a pawn's, and mm: how thick they are."""
_FLATTER, _TWICE = 0.25, 1.5  # of all nats, by which they must explain more; and so many pawns each passes for
_WIDTHS, _HEIGHTS = (1.0, 1.2), (1.0, 1.2, 1.4, 1.6)
"""Of pawns of which, as on the sheet, there would be too many: shares of its diameter and of its height."""
_BREADTHS, SMALL_DISC = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5), 0.6
"""Shares of the diameter of discs; and that of discs that are found though they are much smaller than on the sheet."""
_TOP = 0.5  # of what its top is larger, by which a broader disc must explain more: its side and shadow are less
FEWEST, MOST = 3, 8
"""Pieces that tell how large they are: so many at least, and more would say the same."""
_MARBLES = (0.7, 0.8, 1.0, 1.2, 1.3, 1.4, 1.5)
"""Shares of the diameter of marbles. Those that are a tenth off are read as they are; smaller ones, too, as they would
explain more of a blurred picture (filmed by Blender: of 14 mm, in eight pixels, 10 mm)."""
_FEET, _LEVELS = (0.7, 0.85, 1.0, 1.15), (1.5, 2.0, 2.5, 3.0)
"""Of what stands in the holes in place of marbles: shares of their diameter and of their height."""
_OTHERS, _STEP = (0.8, 1.2, 1.4), 0.1  # shares of the height on the sheet, and beside the best of them
_TALLEST = 1.45
_TURNED, _STOUT, _PEG, _STICK = (1.0, 1.0), (0.5, 1.0), (0.0, 1.0), (0.0, 0.65)
"""Waist and width of pawns of several makes."""
_SLIM = 0.75  # of what more sticks explain, the others must explain less: two easily explain one and its shadow
_CLEAR = 20.0  # nats by which another body must explain more: one pawn that lies is worth fewer
_SHARE = 0.1  # of all nats, by which it must: no pawn has just the outline of any body here
_SPARING = 12.0  # nats that a piece costs: fewer pieces of another height are likelier than more of the usual one
_ROUND = 30.0  # mm round a foot that are its pawn's, where no other foot is nearer
_HALF, _HALF_HIGHER, _NONE_LOSES, _LEAST = 0.05, 0.03, 0.0, 5.0
"""Shares of its nats that half of the pieces gain with another body, or with a taller or less broad one, and that three
of four gain; nats that each has at least."""


class Told(NamedTuple):
    """What pawns of one body explain, nats: pawns together, costs included, and round each alone, (N,). pieces: so
    many of them."""

    together: float
    each: Floats
    pieces: int


def stature(usual: Piece, explained: Callable[[Piece], Told]) -> Piece:
    """The body that the pawns have. usual: the one on the sheet. explained: what pawns of a body explain."""
    told: dict[Piece, Told] = {}

    def nats_of(piece: Piece) -> float:
        told[piece] = explained(piece)
        return told[piece].together

    def body(share: float, build: tuple[float, float]) -> Piece:
        return Body(usual.kind, usual.diameter, share * usual.height, *build)

    nats = {build: nats_of(body(1.0, build)) for build in (_TURNED, _STOUT, _PEG)}
    least = nats[_TURNED] + max(_CLEAR, _SHARE * nats[_TURNED])
    build, slim = max(nats, key=lambda build: nats[build]), nats_of(body(1.0, _STICK))
    as_few = told[body(1.0, _STICK)].pieces <= told[body(1.0, build)].pieces
    if slim * (1 - _SHARE if as_few else _SLIM) > nats[build]:
        nats[_STICK], build = slim, _STICK
    tall = {1.0: nats[build]} | {share: nats_of(body(share, build)) for share in _OTHERS}
    best = max(tall, key=lambda share: tall[share])
    if tall[best] < least:
        return usual
    beside = (share for share in (best - _STEP, best + _STEP) if share < _TALLEST)
    tall |= {share: nats_of(body(share, build)) for share in beside}
    found, as_high, turned = body(max(tall, key=lambda share: tall[share]), build), body(1.0, build), body(1.0, _TURNED)
    if found.height > usual.height and not _for_most(told[found], told[as_high], _HALF_HIGHER):
        found = as_high  # only what is taller covers shadows
    return found if _for_most(told[found], told[turned], _HALF) else usual


def of_a_crowd(usual: Piece, told: Callable[[Piece], tuple[float, bool]]) -> Piece | None:
    """The body with which no more pawns are seen on any space than there are, where pawns as on the sheet would be
    more: the head of a larger one passes for another one behind it. None where what is seen there are no pawns.

    told: what pawns of a body explain, nats, and whether they are more than there are.
    """
    least = told(usual)[0]
    nats: dict[Piece, float] = {}
    for wide, tall in product(reversed(_WIDTHS), reversed(_HEIGHTS)):
        for waist, _ in (_TURNED, _STOUT, _PEG):
            body = Body(usual.kind, usual.diameter, tall * usual.height, waist, wide)
            worth, crowd = told(body)
            if not crowd:
                nats[body] = worth
        if not nats:  # of the largest there are too many: of smaller ones there are more yet
            return None
    best = max(nats, key=lambda body: nats[body])
    return best if nats[best] >= least + max(_CLEAR, _SHARE * least) else None


def flat(
    usual: Piece, found: Callable[[Piece], Match], crowd: Callable[[Match], bool]
) -> tuple[Piece, float] | None:
    """The discs, as coins or what was cut out of paper, that lie there in place of pawns like the one on the sheet,
    `usual`, and the most that any discs explain, nats; None where what is seen there are none: they must explain
    clearly more than many more pawns would, and half of them no less each.

    found: how pieces of a body stand. crowd: whether these are more than there are.
    """
    discs = {share: found(disc_for(usual, share)) for share in _FLAT}
    fit = {share: match for share, match in discs.items() if len(match.standing) >= MOST and not crowd(match)}
    if not fit:
        return None
    nats = {share: explained(match) for share, match in fit.items()}
    best = max(nats, key=lambda share: nats[share])
    for less, share in reversed(list(pairwise(fit))):
        if share == best and nats[share] < (1 + _TOP * ((share / less) ** 2 - 1)) * nats[less]:
            best = less
    where = fit[best].where
    there = around(where.feet[[place for place, _ in fit[best].standing]], where.shape)
    pawns = found(usual)
    now, before = _net(told_of(fit[best], there)), _net(told_of(pawns, there))
    clearly = _SHARE if crowd(pawns) else _FLATTER  # what cannot be is no rival
    more = now.together >= (1 + clearly) * before.together and before.pieces >= _TWICE * now.pieces
    return (where.piece, max(nats.values())) if more and _for_most(now, before, 0.0, -np.inf) else None


def _net(told: Told) -> Told:
    """The same, and each less its part of what so many pieces cost."""
    return told._replace(each=told.each - _SPARING * told.pieces / max(len(told.each), 1))


def disc_for(usual: Piece, share: float = _FLAT[len(_FLAT) // 2]) -> Piece:
    """The disc that may lie there in place of a pawn, of some share of its diameter: by default a likely one."""
    return Piece("disc", share * usual.diameter, _THICK)


def breadth(usual: Piece, explained: Callable[[Piece], Told]) -> Piece:
    """The disc that those on the board are, which may be broader or less so than the one on the sheet, `usual`.
    explained: what discs of a breadth explain."""
    return _broad(usual, explained, {s: Piece(usual.kind, s * usual.diameter, usual.height) for s in _BREADTHS})


def in_holes(usual: Piece, explained: Callable[[Piece], Told]) -> Piece:
    """What lies or stands in holes for marbles like the one on the sheet, `usual`: broader ones; or pawns or pegs, if
    these explain more than any marbles do. explained: what pieces of a body explain."""
    told: dict[Piece, Told] = {}

    def nats_of(piece: Piece) -> float:
        told[piece] = explained(piece)
        return told[piece].together

    def body(wide: float, tall: float, waist: float) -> Piece:
        return Body(usual.kind, wide * usual.diameter, tall * usual.height, waist)

    marbles = {s: Piece(usual.kind, s * usual.diameter, s * usual.height) for s in _MARBLES}
    least = max(nats_of(marble) for marble in marbles.values())
    nats = {(wide, tall): nats_of(body(wide, tall, _STOUT[0])) for wide, tall in product(_FEET, _LEVELS)}
    wide, tall = max(nats, key=lambda size: nats[size])
    best = max((body(wide, tall, waist) for waist, _ in (_STOUT, _TURNED, _PEG)), key=nats_of)
    now, before = told[best], told[usual]
    fewer = now.pieces < before.pieces  # heads passed for more marbles, which gain nothing
    half, loses = (0.0, -np.inf) if fewer else (_HALF, _NONE_LOSES)
    upright = now.together >= least + max(_CLEAR, _SHARE * least) and _for_most(now, before, half, loses)
    return best if upright else _broad(usual, told.__getitem__, {s: marble for s, marble in marbles.items() if s >= 1})


def _broad(usual: Piece, explained: Callable[[Piece], Told], pieces: Mapping[float, Piece]) -> Piece:
    """Which of pieces of another breadth, as shares of what is `usual`, the least first, those on the board are."""
    told = {share: explained(piece) for share, piece in pieces.items()}
    best = most = max(told, key=lambda share: told[share].together)
    for less, share in reversed(list(pairwise(told))):
        larger = (share / less) ** 2 - 1  # by which its top is
        if share == best and told[share].together < (1 + _TOP * larger) * told[less].together:
            best = less
    now, before = told[best if most > 1 else most], told[1.0]
    half, loses = (_HALF, _NONE_LOSES) if most > 1 else (_HALF_HIGHER, -np.inf)  # only what is broader covers shadows
    more = now.together >= before.together + _CLEAR and _for_most(now, before, half, loses)
    return pieces[best] if more else usual


def _for_most(now: Told, before: Told, half: float, loses: float = _NONE_LOSES) -> bool:
    """Whether half of the pieces explain more than `before`, by so much, each by itself, and hardly any less."""
    gain = (now.each - before.each) / np.maximum(before.each, _LEAST)
    return bool(np.median(gain) >= half and np.quantile(gain, 0.25) >= loses)


class Around(NamedTuple):
    """The pixels round some pawns, raveled, (P,), and to which of them each is nearest, 0 … pawns − 1."""

    pixels: Ints
    pawn: Ints
    pawns: int


def around(feet: Floats, shape: tuple[int, int]) -> Around:
    """The pixels of a flat view, (rows, cols), round the pawns that stand there. feet: mm (N, 2)."""
    bare = np.full(shape, 255, np.uint8)
    x, y = np.round(feet.T * PIXELS_PER_MM).astype(int).clip(0, np.array(shape[::-1])[:, None] - 1)
    bare[y, x] = 0
    away, labels = cv2.distanceTransformWithLabels(bare, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    pawn = np.full(labels.max() + 1, -1)
    pawn[labels[y, x]] = np.arange(len(feet))
    pixels = np.flatnonzero(away < _ROUND * PIXELS_PER_MM)
    return Around(pixels, pawn[labels.ravel()[pixels]], len(feet))


def told_of(found: Match, there: Around) -> Told:
    """What the pieces that were put on the board explain, together and round each pawn of `there`."""
    each = np.bincount(there.pawn, found.told[there.pixels], there.pawns) * (EVIDENCE / PIXELS_PER_MM**2)
    return Told(explained(found), np.asarray(each, np.float64), len(found.standing))


def explained(found: Match) -> float:
    """Nats that the pieces that were put on the board explain together, costs included."""
    places = [place for place, _ in found.standing]
    gain = float(found.told.sum()) * EVIDENCE / PIXELS_PER_MM**2
    return gain - _SPARING * len(places) - float(np.sum(found.where.cost[places])) - twins(found)
