"""Which colour each piece has: the pieces of one seat look alike in one picture, whatever the light makes of them.

What a camera shows of a paint lies far from the sheet's colour, but it shows the same of each piece of that paint.
So pieces that look alike are counted as one lot, and the lots are shared out among the seats.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from companion.vision.board.again import Kept
from companion.vision.board.standing import Match
from companion.vision.colors.darkened import darkened
from companion.vision.colors.lamplit import as_printed, lamplit
from companion.vision.colors.likely import (
    ALIKE,
    NEVER,
    PAINT_LOG,
    TOP_LOG,
    Paints,
    half_shaded,
    in_shadows,
    known_shade,
    likelihoods,
    mirroring,
    shaded,
)
from companion.vision.colors.looks import GLARE, GLOOM, UNEVEN, Looks, hidden_by_tops, looks_of, ring_of
from companion.vision.colors.lots import (
    DEEP,
    like_another,
    lots,
    normed,
    of_lots,
    shared_out,
    straying,
    unlike_their_lot,
)
from companion.vision.colors.off_white import off_white
from companion.vision.colors.set_off import outlined, set_off, sharply_outlined
from companion.vision.view.pose import Flat, Floats

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_MIRRORED, _MIRRORED_THERE = 0.02, 0.5
"""How often a flat top mirrors a lamp: anywhere, and where the board does, or the top looks so."""
_SHADED, _SHADED_THERE = 0.02, 0.3
"""How often it lies in a shadow: anywhere, and where the board does."""
_DAZZLING = 0.25  # natural log by which no paint is brighter than white
_GLINT = 0.04  # share of white's light, more than is expected: from here on more is asked
_HARDLY = 1.5  # nats: what speaks less for a disc's colour may be something mirrored, if it has not a disc's outline
_NO_LAMP = -8.0  # nats for a lamp's image where surely none is
_SURELY, _IMAGE = 0.7, 3.0  # probability; diameters from a mirroring piece to where others mirror the lamp too
_NEARLY_IMAGE = 2 * _IMAGE  # to where those may that do not look like others of their paint
_FEWEST = 40.0  # pixels: of a piece that shows fewer the colour is less sure
_CLEAR, _HELD = 0.97, 0.5  # probability; by how many lots as bright as paints those of a clear colour are held
_LESS, _BRIGHTER, _USUALLY_LESS = np.linspace(0, 1, 5), np.linspace(-0.8, 0.8, 5), 0.4
"""By which shares round bodies follow the board's light less than it is, and are brighter than their paints, natural
log; what is usual of the former, and how much both differ from picture to picture."""
_OWN_LOOKS = 2.0  # how many pixels of a round body are as good as one look each


@dataclass(frozen=True, eq=False, slots=True)
class Hue:
    """What is told of a piece's colour. told: natural log of the probability of each colour, (K,).

    vain: whether what was taken for a piece may be none: the image of a lamp in the board, the shadow of a hand, a die.
    kin: whether other pieces look the same, which no shadow would. lot: a number; pieces that look alike have the same.
    """

    told: Floats
    vain: bool
    kin: bool
    lot: int


def colors_of(
    found: Match, kept: Kept, printed: Flat, colors: Floats, usual: Floats, since: tuple[Mask, Mask] | None = None
) -> dict[int, Hue]:
    """What colour the piece has that stands at each place.

    printed: the empty board in the sheet's colours, linear BGR. colors: (K, 3) nominal, linear BGR. usual: nats for
    each of them on each space, whatever is seen, (S, K). since: what tells the board that was ruled last, which pieces
    surely mirror no lamp, and which are no lamp's image, if they have their outline, (N,) each.
    """
    if not found.standing:
        return {}
    places = np.array([place for place, _ in found.standing])
    paints, kind = Paints.of(kept.light, colors), found.where.piece.kind
    looks = looks_of(found, places, kept, printed, paints)
    if kind == "disc":
        below, left = hidden_by_tops(found, places, kept, printed)
        looks = looks if left is None else replace(looks, shaded=in_shadows(kept.light.of_color(colors), left))
        looks = looks if since is None else _without_lamp(looks, since[0])
    else:
        looks = replace(looks, at=_round_bodies(looks, paints))
    white = paints.white
    glare, least, gloom = looks.around > GLARE, looks.around > GLARE / 2, looks.around < GLOOM
    lamp = glare | (looks.burnt & (looks.at[:, 0] > white[0] + _DAZZLING))
    shines, there = lamp | (looks.uneven > UNEVEN), usual[found.where.space[places]]
    told, mirrors, lot = _told(looks, paints, (lamp, shines), gloom, kind, there)
    if mirrors.any():  # the lamp's image lies there: in what stands beside it too
        feet = found.where.feet[places]
        away = np.linalg.norm(feet[:, None] - feet[mirrors], axis=2).min(axis=1) / found.where.piece.diameter
        near = away < _IMAGE
        told = _told_again(looks, paints, (lamp | near, shines | near), gloom, told, lot, away < _NEARLY_IMAGE, there)
        glare |= near & least
        alone = (looks.count == 0) | ((glare | shines | gloom) & (kind == "disc"))
        lot = lots(looks.at, alone, white)
    image = _like_glare(looks, white) if kind == "disc" else _alike(looks.at[:, 1:], white[1:])
    vain = glare & (looks.at[:, 0] > white[0] + np.log(GLARE)) & image
    vain |= gloom & _alike(looks.at[:, 1:], looks.board[:, 1:])
    if kind == "disc":
        dark, pale = darkened(looks.at, told, below, left), image & (looks.at[:, 0] > looks.board[:, 0])
        new = np.zeros_like(vain) if since is None else glare & since[1]
        vain = _without_outline(found, places, kept, printed, looks, told, (vain, dark, pale, new))
        vain |= off_white(looks, told, paints)
    else:
        vain |= as_printed(found, places, kept.flat, kept.today)
        if (some := looks.around > _GLINT).any():
            vain[some] |= lamplit(found, places[some], ring_of(found, places[some]), kept.flat, kept.today)
        told = like_another(told, looks.at, white)
    kin = (np.bincount(lot)[lot] > 2) & ~vain
    each = zip(places.tolist(), told, vain.tolist(), kin.tolist(), lot.tolist(), strict=True)
    return {place: Hue(*of) for place, *of in each}


def _without_outline(
    found: Match,
    places: Ints,
    kept: Kept,
    printed: Flat,
    looks: Looks,
    told: Floats,
    like: tuple[Mask, Mask, Mask, Mask],
) -> Mask:
    """Which flat tops, (N,), may be no discs: those that look like the board in a shadow, are vain though even, hardly
    look like the paint that they are told to have, or look like the board with light added (a window's pane was surely
    a white disc), unless they have a disc's outline: more of it where something is mirrored beside them.

    like: which are vain, and look like the board in a shadow, and with light added, and which are no lamp's image, if
    they have a sharp outline, (N,) each.
    """
    vain, dark, pale, new = like
    result, level = vain.copy(), np.take_along_axis(looks.evidence, told.argmax(axis=1)[:, None], axis=1)[:, 0]
    shadow_or_even = np.where(vain, looks.uneven <= UNEVEN, dark)  # a lamp's image is not even
    lit = (looks.around > _GLINT) | pale
    hardly = ~(dark | vain) & (level < _HARDLY) | (pale & ~vain)
    tests = (shadow_or_even, set_off), (hardly & ~lit, outlined), (hardly & lit, partial(outlined, lit=True))
    for asked, has_outline in tests:
        some = np.flatnonzero(asked)
        result[some] = ~has_outline(found, places[some], kept.flat, kept.light, printed)
    some = np.flatnonzero(result & new)
    result[some] = ~sharply_outlined(found, places[some], kept.flat, kept.light, printed)
    return result


def _without_lamp(looks: Looks, unlit: Mask) -> Looks:
    """The looks, of which some tops, (N,), mirror no lamp: the brightest part of these shows their paint."""
    at, uneven = looks.at.copy(), looks.uneven.copy()
    at[unlit], uneven[unlit] = looks.light[unlit], _NO_LAMP
    return replace(looks, at=at, uneven=uneven, burnt=looks.burnt & ~unlit)


def _told(
    looks: Looks,
    paints: Paints,
    lamps: tuple[Mask, Mask],
    gloom: Mask,
    kind: str,
    usual: Floats,
    against: Floats | None = None,
) -> tuple[Floats, Mask, Ints]:
    """Log of the probability of each colour for each piece, (N, K), which pieces surely mirror a lamp, (N,), and the
    lot of each, (N,).

    lamps: where a lamp is likely to be mirrored, and which pieces may mirror one by their own looks, too, (N,) each:
    see `_in_odd_light`. gloom: where a shadow lies, (N,). usual: nats for each colour where they stand, (N, K);
    against: against it, seen plainly.
    """
    flat_tops, (_, shines) = kind == "disc", lamps
    white, unseen = paints.white, looks.count == 0
    lot = lots(looks.at, unseen | ((shines | gloom) & flat_tops), white)
    shared = of_lots(looks.at, lot)
    seen = np.bincount(lot, looks.count / (looks.count + _FEWEST)).astype(np.float64)
    size = np.bincount(lot)
    strange = np.bincount(lot, np.clip(np.abs(looks.around) - GLARE, 0, 1)) / size
    plain = likelihoods(shared, seen, strange, paints, TOP_LOG if flat_tops else PAINT_LOG)
    nats = plain.copy()
    if against is not None:
        nats -= of_lots(against, lot)
    if flat_tops:
        odd, of_lamp = _in_odd_light(looks, lot, paints, lamps, gloom)
    else:
        odd, of_lamp = np.full_like(nats, NEVER), np.zeros_like(nats)
        nats += _OWN_LOOKS * of_lots(looks.evidence, lot)
    nats[lot[unseen]], odd[lot[unseen]] = 0, NEVER
    more = of_lots(usual + looks.rims + looks.clipped, lot)
    nats, odd = nats + more, odd + more
    told, mirrors = shared_out(nats, odd, shared, white)
    shift = 0.0 if flat_tops else _common(told, shared, paints)
    if shift:
        nats += likelihoods(shared - (shift, 0, 0), seen, strange, paints, PAINT_LOG) - plain
        told, mirrors = shared_out(nats, odd, shared, white)
    best = np.arange(len(told)), np.argmax(told, axis=1)
    bright, mirrors = shared[:, 0] > paints.own[best[1], 0], mirrors + of_lamp[best]
    surely = bright & (np.minimum(mirrors, told[best]) > np.log(_SURELY))  # of which paint is sure, too
    each = told[lot]
    if not flat_tops and len(size) < len(lot):
        shown = looks.count / (looks.count + _FEWEST)
        alone = likelihoods(looks.at - (shift, 0, 0), shown, strange[lot], paints, PAINT_LOG)
        own = normed(alone + _OWN_LOOKS * looks.evidence + usual + looks.clipped)
        each = _mixed(each, own, straying(looks.at, lot, white))
    return each, surely[lot], lot


def _in_odd_light(
    looks: Looks, lot: Ints, paints: Paints, lamps: tuple[Mask, Mask], gloom: Mask
) -> tuple[Floats, Floats]:
    """Log-likelihood of each lot of flat tops, (N,) which of them each is of, for each paint that mirrors a lamp, or
    lies in a shadow, wholly or with an edge of it, (lots, K); and the log of the lamp's share of it. lamps, gloom: see
    `_told`. That a top is uneven speaks for a lamp once where nothing else does."""
    size, own, (lamp, shines) = np.bincount(lot), paints.own, lamps
    shared, least, dim, most = (of_lots(of, lot) for of in (looks.at, looks.dark, looks.dim, looks.light))
    uneven, edge = (np.bincount(lot, of) / size for of in (looks.uneven, looks.edge))
    likely = np.log(np.where(np.bincount(lot, shines) > 0, _MIRRORED_THERE, _MIRRORED))
    once = np.maximum(np.log(_MIRRORED) + uneven, likely + np.minimum(uneven, 0))  # what the top itself says for it
    often = np.where(np.bincount(lot, lamp) > 0, likely + uneven, once)
    dark = np.log(np.where(np.bincount(lot, gloom) > 0, _SHADED_THERE, _SHADED))
    halved = half_shaded(dim, most, own, edge)
    if looks.shaded is not None:
        halved = np.logaddexp(halved, known_shade(least, most, own, of_lots(looks.shaded, lot), edge))
    mirrored = mirroring(least, paints, np.bincount(lot, looks.burnt) > 0)
    mirrored += often[:, None]
    shady = np.logaddexp(shaded(shared, own) + dark[:, None], halved + uneven[:, None] + np.log(_SHADED_THERE))
    odd = np.logaddexp(mirrored, shady)
    return odd, mirrored - odd


def _told_again(
    looks: Looks,
    paints: Paints,
    lamps: tuple[Mask, Mask],
    gloom: Mask,
    told: Floats,
    lot: Ints,
    asked: Mask,
    usual: Floats,
) -> Floats:
    """As `_told`, of flat tops near one that surely mirrors a lamp, (N, K): those of them that were `asked`, (N,), and
    differ from the others of their lot by more than paint does, are told alone, and hardly are of its paint. told, lot:
    as it was told before."""
    odds = asked * unlike_their_lot(looks.at, lot, paints.white)
    against = np.where(told == told.max(axis=1, keepdims=True), odds[:, None], 0)
    lamp, shines = lamps
    return _told(looks, paints, (lamp | (odds > 0), shines | (odds > 0)), gloom, "disc", usual, against)[0]


def _mixed(told: Floats, own: Floats, strays: Floats) -> Floats:
    """Log of the probability of each colour for each piece, (N, K), as its lot says, and as its own look does if it
    strays from it, which has so large a probability, (N,)."""
    share = strays[:, None]
    return np.logaddexp(told + np.log1p(-share), own + np.log(np.maximum(share, 1e-9)))


def _round_bodies(looks: Looks, paints: Paints) -> Floats:
    """How round bodies look, as `Looks.at`, in the light that reaches them: the board under a low lamp is the darker
    the farther away it lies, and mirrors it; round bodies turn a side to it wherever they stand. By how much less they
    follow the board's light is what makes them all most like the paints."""
    field = looks.field - np.median(looks.field)
    less, shift = (axis.ravel() for axis in np.meshgrid(_LESS, _BRIGHTER))
    at = np.repeat(looks.at[None], len(less), axis=0)
    at[..., 0] += less[:, None] * field - shift[:, None]
    seen, strange = looks.count / (looks.count + _FEWEST), np.clip(np.abs(looks.around) - GLARE, 0, 1)
    every = np.tile(seen, len(less)), np.tile(strange, len(less))
    nats = np.logaddexp.reduce(likelihoods(at.reshape(-1, 3), *every, paints, PAINT_LOG), axis=1)
    prior = ((less - _USUALLY_LESS) / _USUALLY_LESS) ** 2 + (shift / _USUALLY_LESS) ** 2
    best = int(np.argmax(nats.reshape(len(less), -1).sum(axis=1) - prior / 2))
    return np.asarray(at[best] + (shift[best], 0, 0))


def _common(told: Floats, at: Floats, paints: Paints) -> float:
    """By how much all lots are brighter than their paints, natural log, as one stuff is in one light: glass is dark in
    a spot's. As those tell whose colour is clear, and which are not white, grey or black. told: (lots, K); at: see
    `Looks`."""
    best = told.argmax(axis=1)
    clear = np.flatnonzero((told.max(axis=1) > np.log(_CLEAR)) & (paints.strength[best] > DEEP))
    if not len(clear):
        return 0.0
    off = at[clear, 0] - paints.own[best[clear], 0]
    return float(np.median(off)) * len(off) / (len(off) + _HELD)


def _alike(hue: Floats, other: Floats, off: float = ALIKE) -> Mask:
    """Which hues (N, 2) are nearly some others."""
    return np.asarray(np.abs(hue - other).max(axis=1) < off)


def _like_glare(looks: Looks, white: Floats) -> Mask:
    """Which pieces, (N,), look like the board with a lamp's light added: the more is added, the nearer its hue; or with
    what is mirrored beside them, a window of the sky's hue perhaps."""
    share, mixed = np.exp(np.minimum(looks.board[:, 0] - looks.dark[:, 0], 0))[:, None], np.zeros(len(looks.at), bool)
    for hue in (white[1:], looks.image):
        mixed |= _alike(looks.dark[:, 1:], hue + share * (looks.board[:, 1:] - hue))
    return mixed | (looks.burnt & _alike(looks.at[:, 1:], white[1:]))
