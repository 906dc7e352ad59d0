"""What pieces look like: the brightness and the hue of each, in the light that reaches the board round it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.vision.board.again import Kept
from companion.vision.board.evidence import look_of, tints
from companion.vision.board.standing import Match
from companion.vision.colors.clipped import said_if_clipped
from companion.vision.colors.gloss import edge_beside, hue_beside, lamplike, part_of_tops, parts_of_tops, quantile
from companion.vision.colors.likely import PAINT_LOG, TOP_LOG, Paints
from companion.vision.colors.rims import said_by_rims
from companion.vision.light.today import middle
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.surface import linear

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

GLARE, GLOOM = 0.12, -0.12
"""Shares of white's light by which the board is lighter, or darker, beside a piece where a glare lies, or a shadow."""
UNEVEN = -0.5
"""Nats: where a top's unevenness speaks so much for a lamp, its image may lie there."""
_BURNT = 0.9  # linear light that burns out
_BESIDE = 0.75  # diameters from the foot to where the board is looked at, all ways
_BARE = 0.25  # share of these ways that must show the board, and not the tops of discs, to be looked at alone
_DIM = 1 / 4  # of a top's parts are darker than that which shows a shadow: the darkest may show its rim
_SOME = 3  # of every so many pixels of a top one is asked what it hides
_FAINT = 0.01  # linear light by which anything may be off
_ODD, _MUCH = -1.0, 0.3  # nats against the board; of what is seen of a piece: so much of it shows its colour


@dataclass(frozen=True, eq=False, slots=True)
class Looks:
    """What N pieces look like. at: log of brightness, and hue, (N, 3). count: pixels of each that are seen, (N,).

    around: how much lighter, in shares of what white gives, the board is beside each than it should be, (N,).
    board: as `at`, of the board there in full light. evidence: mean of what the pixels of each say for each
    colour, nats (N, K). uneven: nats by which that of each speaks for a lamp, (N,); dark: as `at`, but of the darkest
    part of those that may mirror one; dim, light: of one that lies in a shadow, if any does, and of the lightest part
    of these. edge: natural log by which the board beside these is darker on one side than on the other, (N,). burnt:
    whether much of each is nearly as bright as can be, (N,). field: natural log of the light that the board gives off
    there, patches of sun and shade left out, (N,). shaded: as `at`, how a top of each paint would look in the picture's
    shadows, (N, K, 3); None if these are not known. rims: nats by which the sides of these that may mirror a lamp speak
    for each colour, (N, K). clipped: nats by which each colour is likelier as channels are burnt out, (N, K): see
    `said_if_clipped`. image: the hue of what is mirrored beside them, (N, 2), NaN where nothing is.
    """

    at: Floats
    count: Floats
    around: Floats
    board: Floats
    evidence: Floats
    dark: Floats
    uneven: Floats
    burnt: Mask
    dim: Floats
    light: Floats
    edge: Floats
    field: Floats
    shaded: Floats | None = None
    rims: Floats | float = 0.0
    clipped: Floats | float = 0.0
    image: Floats | float = np.nan


def looks_of(found: Match, places: Ints, kept: Kept, printed: Flat, paints: Paints) -> Looks:
    """The median look of what is seen of each piece, in the light round its foot: shadows and patches of sun too.

    printed: the empty board in the sheet's colours, linear BGR.
    """
    pixels, free = found.crowns(places)
    lit, board, shown, bare = _beside(found, places, kept, printed)
    added, white = shown / lit - board, float(kept.light.of_color(np.ones(3)).sum())
    lighter = quantile(added.sum(axis=-1), bare) / white
    here = middle(np.moveaxis(lit, 1, -1))
    field, count = np.log(here.sum(axis=1).astype(np.float64)), free.sum(axis=1).astype(np.float64)
    flat_tops, inks = found.where.piece.kind == "disc", kept.light.of_color(kept.colors)
    if not flat_tops:
        other = np.abs(lighter) > GLARE  # beside these a lamp may be mirrored
        here[other] *= _patches(shown[other], (lit * board)[other])
        free = _unlike_board(free, kept.told.odd.ravel().take(pixels))
    free[count == 0] = True
    own = linear(kept.flat.reshape(-1, 3).take(pixels.ravel(), axis=0)).reshape(*pixels.shape, 3)
    at = median_look(own / here[:, None], free)
    told = np.einsum("npk,np->nk", found.evidence.take(pixels, axis=0), free) / free.sum(axis=1)[:, None]
    told, full, no = told.astype(np.float64), look_of(middle(np.moveaxis(board, 1, -1))), np.zeros(len(at))
    clipped = said_if_clipped(median_of(own, free), here, inks, paints, TOP_LOG if flat_tops else PAINT_LOG)
    looks = Looks(at, count, lighter, full, told, at, no, no > 0, at, at, no, field, clipped=clipped)
    if not flat_tops:
        return looks
    burnt = ((own.max(axis=-1) > _BURNT) & free).sum(axis=1) > free.sum(axis=1) / 4
    image = hue_beside(added, bare & (added.sum(axis=-1) > GLARE * white))
    full_light = _full(lit, here)
    edge = edge_beside((shown / full_light[:, None] - board).sum(axis=-1), board.sum(axis=-1), bare)
    looks = replace(looks, burnt=burnt, edge=edge, image=image)
    parts = parts_of_tops(found.where, places, free, kept.flat)
    return _of_parts(looks, found, places, parts, (here, full_light), kept, paints)


def _full(lit: Flat, here: Floats) -> Floats:
    """The light that reaches each piece, (N, 3), where the edge of a large shadow runs by it, as far as it is known:
    that beyond the edge. lit: the light round about, (N, R, 3); here: in the middle of it, (N, 3)."""
    rows, brightest = np.arange(len(lit)), lit.sum(axis=-1).argmax(axis=1)
    most = np.asarray(lit[rows, brightest], np.float64)
    return np.where((most.sum(axis=1) > np.exp(TOP_LOG) * here.sum(axis=1))[:, None], most, here)


def _of_parts(
    looks: Looks, found: Match, places: Ints, parts: Floats, lights: tuple[Floats, Floats], kept: Kept, paints: Paints
) -> Looks:
    """The looks of flat tops, of which the parts say what they mirror. parts: see `parts_of_tops`. lights: the light
    that reaches each, and that beyond the edge of a shadow beside it: see `_full`."""
    here, full_light = lights
    uneven, burnt = lamplike(parts, here @ kept.light.of_color(np.ones(3))), looks.burnt
    uneven = np.where(looks.around > GLOOM, np.where(burnt, uneven.clip(0), uneven), uneven.clip(None, UNEVEN))
    some = (uneven > UNEVEN) & np.isfinite(parts).any(axis=(1, 2))  # of one that is nearly hidden, no part is seen
    dark, dim, bright = looks.at[None].repeat(3, axis=0)
    for look, share, light in ((dark, 0, here), (dim, _DIM, full_light), (bright, 1, full_light)):
        look[some] = look_of(part_of_tops(parts[some], share) / light[some])
    rims = np.zeros_like(looks.evidence)
    rims[some] = said_by_rims(found, places[some], here[some], paints.own[:, 0], kept.flat)
    edge = np.where(some, looks.edge, 0)
    return replace(looks, uneven=uneven, dark=dark, dim=dim, light=bright, edge=edge, rims=rims)


def _beside(found: Match, places: Ints, kept: Kept, printed: Flat) -> tuple[Flat, Floats, Flat, Mask]:
    """The light that reaches the board round the foot of each piece, and the empty board and what is seen there, linear
    BGR (N, R, 3) each; and which of it shows the board, (N, R)."""
    even, (around, bare) = kept.today.even, ring_of(found, places)
    y, x = np.divmod(around, found.where.shape[1])
    lit = even[np.minimum(y // 2, len(even) - 1), np.minimum(x // 2, even.shape[1] - 1)]
    board = kept.light.of_color(np.asarray(printed[y, x], np.float64))
    return lit, board, linear(kept.flat[y, x]), bare | (found.where.piece.kind != "disc")


def _unlike_board(free: Mask, odd: Flat) -> Mask:
    """What is free of pieces, (N, P), but for pixels that look like the board where enough do not: a narrow peg leaves
    the ring round its hole to be seen. odd: nats against the board, (N, P)."""
    unlike = free & (odd > _ODD)
    enough = unlike.sum(axis=1) > _MUCH * free.sum(axis=1)
    return np.where(enough[:, None], unlike, free)


def ring_of(found: Match, places: Ints) -> tuple[Ints, Mask]:
    """Pixels round the foot of each piece, raveled, and which of them show the board, (N, R) each; all do if few do."""
    pixels = found.where.ring(places, _BESIDE)
    bare = found.front.take(pixels) > 1e8
    bare[bare.mean(axis=1) < _BARE] = True
    return pixels, bare


def hidden_by_tops(found: Match, places: Ints, kept: Kept, printed: Flat) -> tuple[Floats, Floats | None]:
    """The board that flat tops hide, linear BGR in full light, and the share of it that shadows leave there, (N, 3)
    each; None if that is not known."""
    where, even, umbra = found.where, kept.today.even, kept.ground.known_umbra
    part = slice(0, where.crown, _SOME)
    pixels, shown = where.pixels(places, part), where.shown(places, part)
    below = np.asarray(median_of(printed.reshape(-1, 3).take(pixels, axis=0), shown), np.float64)
    board = kept.light.of_color(below)
    if umbra is None:
        return board, None
    y, x = np.divmod(pixels, where.shape[1])
    lit = even[np.minimum(y // 2, len(even) - 1), np.minimum(x // 2, even.shape[1] - 1)]
    return board, umbra / median_of(lit, shown)


def _patches(shown: Flat, board: Flat | Floats) -> Floats:
    """By how much more light reaches some feet than is expected, blue, green, red (N, 3): in a patch of sun, in shade.

    shown, board: what is seen round about them, and what is expected, linear BGR (N, R, 3). What is darkest there may
    be the piece itself, or its shadow; what is brightest, another thing.
    """
    ratio = np.log((shown + _FAINT) / (board + _FAINT))
    order = np.argsort(ratio.sum(axis=-1), axis=1)[:, ratio.shape[1] // 2 : -ratio.shape[1] // 6]
    return np.asarray(np.exp(np.take_along_axis(ratio, order[..., None], axis=1).mean(axis=1)))


def median_of(values: Floats | Flat, counted: Mask) -> Floats:
    """The median of those values (N, P, 3) that are counted, (N, P): (N, 3)."""
    low, high = _in_the_middle(np.moveaxis(values, -1, 0), counted)
    return np.asarray((low + high) / 2)


def median_look(colors: Floats | Flat, counted: Mask) -> Floats:
    """The median look, see `look_of`, of those colours, linear BGR (N, P, 3), that are counted, (N, P): (N, 3)."""
    tint = tints(colors.astype(np.float32))
    low, high = _in_the_middle(np.stack([tint.log, tint.u, tint.v]), counted)  # sorted as they are: in half the time
    return np.asarray((low.astype(np.float64) + high) / 2)


def _in_the_middle(layers: Floats | Flat, counted: Mask) -> tuple[Floats, Floats]:
    """Of layers (3, N, P) the last counted value of the lower half of each row, and the first of the upper one: (N, 3)
    each."""
    order, rows = np.sort(np.where(counted, layers, np.inf), axis=-1), np.arange(len(counted))
    last = counted.sum(axis=1) - 1
    return order[:, rows, last // 2].T, order[:, rows, (last + 1) // 2].T
