"""Which colour each piece has: the pieces of one seat look alike in one picture, whatever the light makes of them.

What a camera shows of a paint lies far from the sheet's colour, but it shows the same of each piece of that paint.
So pieces that look alike are counted as one lot, and the lots are shared out among the seats.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from companion.vision.board.again import Kept
from companion.vision.board.evidence import DEEPER, stacked, tints
from companion.vision.board.standing import Match
from companion.vision.colors.darkened import darkened
from companion.vision.colors.gloss import edge_beside, hue_beside, lamplike, part_of_tops, parts_of_tops, quantile
from companion.vision.colors.lamplit import as_printed, lamplit
from companion.vision.colors.rims import said_by_rims
from companion.vision.colors.set_off import outlined, set_off
from companion.vision.light.today import Light, middle
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.surface import linear

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_PAINT_LOG, _TOP_LOG = 0.3, 0.15
"""How far the brightness of a paint lies off the sheet's, natural log: of round bodies, beside what is common to all
(`_common`); of flat tops."""
_PAINT_HUE, _PAINT_DEPTH = 0.06, 0.2
"""How far its hue lies off, as shares of the way to the light's hue: beside that way; along it."""
_PIECE_LOG, _PIECE_HUE, _PIECE_DEPTH = 0.12, 0.012, 0.04
"""The same for one piece of a paint beside another."""
_FAINT, _SHALLOW, _DARK_HUE = 0.04, 0.02, 0.006
"""Linear light, and hue, by which anything may be off; by how much the hue of what is dark may be off more."""
_TAILS = 6.0  # degrees of freedom: how often what is rare happens
_LOT = 3.0  # spreads that pieces of one lot may differ
_LOT_LOG, _LOT_HUE = 0.25, 0.03
_BESIDE_WAY, _DEEP = 0.4, 0.3
"""As what share of that their hues differ beside the way to white's hue, if they lie much farther from it than this."""
_EVEN_LOG, _EVEN_HUE = 0.06, 0.006
"""The same for flat tops, which all face the light alike: half of those of one paint differ by less than 0.02 and 0.006
in the rendered pictures that the eyes are mended with."""
_STRAY, _STRAY_HUE, _STRAYEST = 0.01, 0.003, 0.06
"""Shares of white's light that things round about, and the lens, add to any piece: by so much more dark ones of a lot
differ in brightness and hue, for each share of white's light that they show; in hue at most."""
_TWO_LOTS, _TWO_LOTS_MOST = 0.08, 4.0  # nats that two lots of one paint cost: for each square of spreads apart; at most
_UNLIKE, _UNLIKE_MOST = 0.15, 6.0  # and that a flat top costs, beside others of its paint
_MIRRORED, _MIRRORED_THERE, _MIRROR = 0.02, 0.5, 4.0
"""How often a flat top mirrors a lamp: anywhere, and where the board does, or the top looks so; natural log of how
bright it may be then."""
_UNEVEN = -0.5  # nats: where a top's unevenness speaks so much for a lamp, its image may lie there
_DAZZLING, _BURNT, _BURNT_HUE = 0.25, 0.9, 0.08
"""Natural log by which no paint is brighter than white; linear light that burns out; how far the hue is off there."""
_GLARE, _GLINT = 0.12, 0.04  # shares of white's light: what is too much; from what on more is asked where it lies
_ALIKE = 0.1  # how far the hues of a glare or shadow may be off
_HARDLY = 1.5  # nats: what speaks less for a disc's colour may be something mirrored, if it has not a disc's outline
_NO_LAMP = -8.0  # nats for a lamp's image where surely none is
_SURELY, _IMAGE = 0.7, 3.0  # probability; diameters from a mirroring piece to where others mirror the lamp too
_NEARLY_IMAGE = 2 * _IMAGE  # to where those may that do not look like others of their paint
_BESIDE = 0.75  # diameters from the foot to where the board is looked at, all ways
_BARE = 0.25  # share of these ways that must show the board, and not the tops of discs, to be looked at alone
_SHADED, _SHADED_THERE, _SHADE = 0.02, 0.3, 2.5
"""How often it lies in a shadow: anywhere, and where the board does; natural log of how dark that may be."""
_SHADE_HUE, _DUSK = 0.06, 0.1  # how far the hue may be off in a shadow, and for each natural log of darkness
_DIM = 1 / 4  # of a top's parts are darker than that which shows a shadow: the darkest may show its rim
_SOME = 3  # of every so many pixels of a top one is asked what it hides
_KNOWN_SHADE, _KNOWN_HUE = 0.4, 0.04  # natural log, and hue, by which a top in a shadow that is known is off
_GLOOM = -0.12  # share of white's light: where the board is so much darker beside a piece, a shadow lies
_ODD, _MUCH = -1.0, 0.3  # nats against the board; of what is seen of a piece: so much of it shows its colour
_FEWEST = 40.0  # pixels: of a piece that shows fewer the colour is less sure
_CLEAR, _HELD = 0.97, 0.5  # probability; by how many lots as bright as paints those of a clear colour are held
_LESS, _BRIGHTER, _USUALLY_LESS = np.linspace(0, 1, 5), np.linspace(-0.8, 0.8, 5), 0.4
"""By which shares round bodies follow the board's light less than it is, and are brighter than their paints, natural
log; what is usual of the former, and how much both differ from picture to picture."""
_STRANGE_HUE = 0.15  # how far a hue may be off where the board is lit twice as well as it should be
_OWN_LOOKS = 2.0  # how many pixels of a round body are as good as one look each
_ROUNDS, _SETTLED = 12, 1e-5  # most rounds; probability that may still change from one to the next
_NEVER = -50.0


@dataclass(frozen=True, eq=False, slots=True)
class Hue:
    """What is told of a piece's colour. told: natural log of the probability of each colour, (K,).

    vain: whether what was taken for a piece may be the image of a lamp in the board, or the shadow of a hand.
    kin: whether other pieces look the same, which no shadow would. lot: a number; pieces that look alike have the same.
    """

    told: Floats
    vain: bool
    kin: bool
    lot: int


@dataclass(frozen=True, eq=False, slots=True)
class _Looks:
    """What N pieces look like. at: log of brightness, and hue, (N, 3). count: pixels of each that are seen, (N,).

    around: how much lighter, in shares of what white gives, the board is beside each than it should be, (N,).
    board: as `at`, of the board there in full light. evidence: mean of what the pixels of each say for each
    colour, nats (N, K). uneven: nats by which that of each speaks for a lamp, (N,); dark: as `at`, but of the darkest
    part of those that may mirror one; dim, light: of one that lies in a shadow, if any does, and of the lightest part
    of these. edge: natural log by which the board beside these is darker on one side than on the other, (N,). burnt:
    whether much of each is nearly as bright as can be, (N,). field: natural log of the light that the board gives off
    there, patches of sun and shade left out, (N,). shaded: as `at`, how a top of each paint would look in the picture's
    shadows, (N, K, 3); None if these are not known. rims: nats by which the sides of these that may mirror a lamp speak
    for each colour, (N, K). image: the hue of what is mirrored beside them, (N, 2), NaN where nothing is.
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
    image: Floats | float = np.nan


def colors_of(
    found: Match, kept: Kept, printed: Flat, colors: Floats, usual: Floats, unlit: Mask | None = None
) -> dict[int, Hue]:
    """What colour the piece has that stands at each place.

    printed: the empty board in the sheet's colours, linear BGR. colors: (K, 3) nominal, linear BGR. usual: nats for
    each of them on each space, whatever is seen, (S, K). unlit: which pieces surely mirror no lamp, (N,).
    """
    if not found.standing:
        return {}
    places = np.array([place for place, _ in found.standing])
    paints, kind = _Paints.of(kept.light, colors), found.where.piece.kind
    looks = _looks(found, places, kept, printed, paints)
    if kind == "disc":
        below, left = _hidden(found, places, kept, printed)
        looks = looks if left is None else replace(looks, shaded=_in_shadows(kept.light.of_color(colors), left))
        looks = looks if unlit is None else _without_lamp(looks, unlit)
    else:
        looks = replace(looks, at=_round_bodies(looks, paints))
    white = paints.white
    glare, least = looks.around > _GLARE, looks.around > _GLARE / 2
    gloom = looks.around < _GLOOM
    lamp = glare | (looks.burnt & (looks.at[:, 0] > white[0] + _DAZZLING))
    shines = lamp | (looks.uneven > _UNEVEN)
    there = usual[found.where.space[places]]
    told, mirrors, lot = _told(looks, paints, (lamp, shines), gloom, kind, there)
    if mirrors.any():  # the lamp's image lies there: in what stands beside it too
        feet = found.where.feet[places]
        away = np.linalg.norm(feet[:, None] - feet[mirrors], axis=2).min(axis=1) / found.where.piece.diameter
        near = away < _IMAGE
        told = _told_again(looks, paints, (lamp | near, shines | near), gloom, told, lot, away < _NEARLY_IMAGE, there)
        glare |= near & least
        alone = (looks.count == 0) | ((glare | shines | gloom) & (kind == "disc"))
        lot = _lots(looks.at, alone, white)
    image = _like_glare(looks, white) if kind == "disc" else _alike(looks.at[:, 1:], white[1:])
    vain = glare & (looks.at[:, 0] > white[0] + np.log(_GLARE)) & image
    vain |= gloom & _alike(looks.at[:, 1:], looks.board[:, 1:])
    if kind == "disc":
        vain = _without_outline(found, places, kept, printed, looks, told, vain, darkened(looks.at, told, below, left))
    else:
        vain |= as_printed(found, places, kept.flat, kept.today)
        if (some := looks.around > _GLINT).any():
            vain[some] |= lamplit(found, places[some], _around(found, places[some]), kept.flat, kept.today)
    kin = (np.bincount(lot)[lot] > 2) & ~vain
    each = zip(places.tolist(), told, vain.tolist(), kin.tolist(), lot.tolist(), strict=True)
    return {place: Hue(*of) for place, *of in each}


def _without_outline(
    found: Match, places: Ints, kept: Kept, printed: Flat, looks: _Looks, told: Floats, vain: Mask, dark: Mask
) -> Mask:
    """Which flat tops, (N,), may be no discs: those that look like the board in a shadow, are `vain` though even, or
    hardly look like the paint that they are told to have, unless they have a disc's outline: more of it where something
    is mirrored beside them."""
    result, level = vain.copy(), np.take_along_axis(looks.evidence, told.argmax(axis=1)[:, None], axis=1)[:, 0]
    shadow_or_even = np.where(vain, looks.uneven <= _UNEVEN, dark)  # a lamp's image is not even
    hardly, lit = ~(dark | vain) & (level < _HARDLY), looks.around > _GLINT
    tests = (shadow_or_even, set_off), (hardly & ~lit, outlined), (hardly & lit, partial(outlined, lit=True))
    for asked, has_outline in tests:
        some = np.flatnonzero(asked)
        result[some] = ~has_outline(found, places[some], kept.flat, kept.light, printed)
    return result


def _without_lamp(looks: _Looks, unlit: Mask) -> _Looks:
    """The looks, of which some tops, (N,), mirror no lamp: the brightest part of these shows their paint."""
    at, uneven = looks.at.copy(), looks.uneven.copy()
    at[unlit], uneven[unlit] = looks.light[unlit], _NO_LAMP
    return replace(looks, at=at, uneven=uneven, burnt=looks.burnt & ~unlit)


def _told(
    looks: _Looks,
    paints: _Paints,
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
    lot = _lots(looks.at, unseen | ((shines | gloom) & flat_tops), white)
    shared = _of_lots(looks.at, lot)
    seen = np.bincount(lot, looks.count / (looks.count + _FEWEST)).astype(np.float64)
    size = np.bincount(lot)
    strange = np.bincount(lot, np.clip(np.abs(looks.around) - _GLARE, 0, 1)) / size
    plain = _likelihoods(shared, seen, strange, paints, _TOP_LOG if flat_tops else _PAINT_LOG)
    nats = plain.copy()
    if against is not None:
        nats -= _of_lots(against, lot)
    if flat_tops:
        odd = _in_odd_light(looks, lot, paints, lamps, gloom)
    else:
        odd = np.full_like(nats, _NEVER)
        nats += _OWN_LOOKS * _of_lots(looks.evidence, lot)
    nats[lot[unseen]], odd[lot[unseen]] = 0, _NEVER
    nats, odd = (level + _of_lots(usual + looks.rims, lot) for level in (nats, odd))
    told, mirrors = _shared_out(nats, odd, shared, white)
    shift = 0.0 if flat_tops else _common(told, shared, paints)
    if shift:
        nats += _likelihoods(shared - (shift, 0, 0), seen, strange, paints, _PAINT_LOG) - plain
        told, mirrors = _shared_out(nats, odd, shared, white)
    bright = shared[:, 0] > paints.own[np.argmax(told, axis=1), 0]
    surely = bright & (np.minimum(mirrors, told.max(axis=1)) > np.log(_SURELY))  # of which paint is sure, too
    each = told[lot]
    if not flat_tops and len(size) < len(lot):
        shown = looks.count / (looks.count + _FEWEST)
        alone = _likelihoods(looks.at - (shift, 0, 0), shown, strange[lot], paints, _PAINT_LOG)
        own = _normed(alone + _OWN_LOOKS * looks.evidence + usual)
        each = _mixed(each, own, _strays(looks.at, lot, white))
    return each, surely[lot], lot


def _in_odd_light(looks: _Looks, lot: Ints, paints: _Paints, lamps: tuple[Mask, Mask], gloom: Mask) -> Floats:
    """Log-likelihood of each lot of flat tops, (N,) which of them each is of, for each paint that mirrors a lamp, or
    lies in a shadow, wholly or with an edge of it, (lots, K). lamps, gloom: see `_told`. That a top is uneven speaks
    for a lamp once where nothing else does."""
    size, own, (lamp, shines) = np.bincount(lot), paints.own, lamps
    shared, least, dim, most = (_of_lots(of, lot) for of in (looks.at, looks.dark, looks.dim, looks.light))
    uneven, edge = (np.bincount(lot, of) / size for of in (looks.uneven, looks.edge))
    likely = np.log(np.where(np.bincount(lot, shines) > 0, _MIRRORED_THERE, _MIRRORED))
    once = np.maximum(np.log(_MIRRORED) + uneven, likely + np.minimum(uneven, 0))  # what the top itself says for it
    often = np.where(np.bincount(lot, lamp) > 0, likely + uneven, once)
    dark = np.log(np.where(np.bincount(lot, gloom) > 0, _SHADED_THERE, _SHADED))
    halved = _half_shaded(dim, most, own, edge)
    if looks.shaded is not None:
        halved = np.logaddexp(halved, _known_shade(least, _of_lots(looks.shaded, lot), edge))
    mirrored = _mirrored(least, paints, np.bincount(lot, looks.burnt) > 0)
    ways = mirrored + often[:, None], _shaded(shared, own) + dark[:, None]
    return np.asarray(np.logaddexp(np.logaddexp(*ways), halved + uneven[:, None] + np.log(_SHADED_THERE)))


def _of_lots(each: Floats, lot: Ints) -> Floats:
    """The means of what N pieces have, (N, …), over those of each lot, (lots, …)."""
    return np.stack([each[lot == one].mean(axis=0) for one in range(int(lot.max()) + 1)])


def _told_again(
    looks: _Looks,
    paints: _Paints,
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
    odds = asked * _unlike_their_lot(looks.at, lot, paints.white)
    against = np.where(told == told.max(axis=1, keepdims=True), odds[:, None], 0)
    lamp, shines = lamps
    return _told(looks, paints, (lamp | (odds > 0), shines | (odds > 0)), gloom, "disc", usual, against)[0]


def _mixed(told: Floats, own: Floats, strays: Floats) -> Floats:
    """Log of the probability of each colour for each piece, (N, K), as its lot says, and as its own look does if it
    strays from it, which has so large a probability, (N,)."""
    share = strays[:, None]
    return np.logaddexp(told + np.log1p(-share), own + np.log(np.maximum(share, 1e-9)))


def _strays(at: Floats, lot: Ints, white: Floats) -> Floats:
    """How likely it is that each piece, (N,), is not of its lot: as likely as not where lots end, and less within."""
    count = np.bincount(lot)[lot]
    others = np.maximum(count - 1, 1)[:, None]
    middles = (np.stack([np.bincount(lot, layer) for layer in at.T], axis=1)[lot] - at) / others
    away = (_LOT**2 - _apart(at, middles, white)) / 2
    return np.where(count > 1, 1 / (1 + np.exp(np.clip(away, -50, 50))), 0)


def _round_bodies(looks: _Looks, paints: _Paints) -> Floats:
    """How round bodies look, as `_Looks.at`, in the light that reaches them: the board under a low lamp is the darker
    the farther away it lies, and mirrors it; round bodies turn a side to it wherever they stand. By how much less they
    follow the board's light is what makes them all most like the paints."""
    field = looks.field - np.median(looks.field)
    less, shift = (axis.ravel() for axis in np.meshgrid(_LESS, _BRIGHTER))
    at = np.repeat(looks.at[None], len(less), axis=0)
    at[..., 0] += less[:, None] * field - shift[:, None]
    seen, strange = looks.count / (looks.count + _FEWEST), np.clip(np.abs(looks.around) - _GLARE, 0, 1)
    every = np.tile(seen, len(less)), np.tile(strange, len(less))
    nats = np.logaddexp.reduce(_likelihoods(at.reshape(-1, 3), *every, paints, _PAINT_LOG), axis=1)
    prior = ((less - _USUALLY_LESS) / _USUALLY_LESS) ** 2 + (shift / _USUALLY_LESS) ** 2
    best = int(np.argmax(nats.reshape(len(less), -1).sum(axis=1) - prior / 2))
    return np.asarray(at[best] + (shift[best], 0, 0))


def _common(told: Floats, at: Floats, paints: _Paints) -> float:
    """By how much all lots are brighter than their paints, natural log, as one stuff is in one light: glass is dark in
    a spot's. As those tell whose colour is clear, and which are not white, grey or black. told: (lots, K); at: see
    `_Looks`."""
    best = told.argmax(axis=1)
    clear = np.flatnonzero((told.max(axis=1) > np.log(_CLEAR)) & (paints.strength[best] > _DEEP))
    if not len(clear):
        return 0.0
    off = at[clear, 0] - paints.own[best[clear], 0]
    return float(np.median(off)) * len(off) / (len(off) + _HELD)


@dataclass(frozen=True, eq=False, slots=True)
class _Paints:
    """How each paint would look here: log of brightness, and hue. own, deep: (K, 3), the sheet's, and after light
    bounced between pieces. white: (3,), the light's own. strength: how far each hue lies from the light's, (K,).
    """

    own: Floats
    deep: Floats
    white: Floats
    strength: Floats

    @classmethod
    def of(cls, light: Light, colors: Floats) -> _Paints:
        own, white = _of(light, colors), _of(light, np.ones(3))
        return cls(own, _of(light, colors**DEEPER), white, np.linalg.norm(own[:, 1:] - white[1:], axis=1))


def _alike(hue: Floats, other: Floats, off: float = _ALIKE) -> Mask:
    """Which hues (N, 2) are nearly some others."""
    return np.asarray(np.abs(hue - other).max(axis=1) < off)


def _like_glare(looks: _Looks, white: Floats) -> Mask:
    """Which pieces, (N,), look like the board with a lamp's light added: the more is added, the nearer its hue; or with
    what is mirrored beside them, a window of the sky's hue perhaps."""
    share, mixed = np.exp(np.minimum(looks.board[:, 0] - looks.dark[:, 0], 0))[:, None], np.zeros(len(looks.at), bool)
    for hue in (white[1:], looks.image):
        mixed |= _alike(looks.dark[:, 1:], hue + share * (looks.board[:, 1:] - hue))
    return mixed | (looks.burnt & _alike(looks.at[:, 1:], white[1:]))


def _of(light: Light, color: Floats) -> Floats:
    return stacked(tints(light.of_color(color).astype(np.float32)))


def _looks(found: Match, places: Ints, kept: Kept, printed: Flat, paints: _Paints) -> _Looks:
    """The median look of what is seen of each piece, in the light round its foot: shadows and patches of sun too."""
    where, flat, light, even = found.where, kept.flat, kept.light, kept.today.even
    pixels, free = found.crowns(places)
    around, bare = _around(found, places)
    y, x = np.divmod(around, where.shape[1])
    lit = even[np.minimum(y // 2, len(even) - 1), np.minimum(x // 2, even.shape[1] - 1)]
    board = light.of_color(np.asarray(printed[y, x], np.float64))
    shown = linear(flat[y, x])
    added, white = shown / lit - board, float(light.of_color(np.ones(3)).sum())
    more = added.sum(axis=-1)
    bare |= where.piece.kind != "disc"
    lighter = quantile(more, bare) / white
    here = middle(np.moveaxis(lit, 1, -1))
    field = np.log(here.sum(axis=1).astype(np.float64))
    if where.piece.kind != "disc":  # beside which a lamp may be mirrored
        other = np.abs(lighter) > _GLARE
        here[other] *= _patches(shown[other], (lit * board)[other])
    shown = linear(flat.reshape(-1, 3).take(pixels.ravel(), axis=0)).reshape(*pixels.shape, 3)
    seen = stacked(tints((shown / here[:, None]).reshape(-1, 3).astype(np.float32))).reshape(*pixels.shape, 3)
    count = free.sum(axis=1).astype(np.float64)
    if where.piece.kind != "disc":
        free = _unlike_board(free, kept.told.odd.ravel().take(pixels))
    free[count == 0] = True
    full = stacked(tints(middle(np.moveaxis(board, 1, -1)).astype(np.float32)))
    told = np.einsum("npk,np->nk", found.evidence.take(pixels, axis=0), free) / free.sum(axis=1)[:, None]
    at, uneven, burnt = median_of(seen, free), np.zeros(len(free)), np.zeros(len(free), bool)
    (dark, dim, bright), edge, rims = at[None].repeat(3, axis=0), np.zeros(len(free)), np.zeros(told.shape)
    image = np.full((len(free), 2), np.nan)
    if where.piece.kind == "disc":
        parts = parts_of_tops(where, places, free, flat)
        burnt = ((shown.max(axis=-1) > _BURNT) & free).sum(axis=1) > free.sum(axis=1) / 4
        uneven = lamplike(parts, here @ light.of_color(np.ones(3)))
        uneven = np.where(lighter > _GLOOM, np.where(burnt, uneven.clip(0), uneven), uneven.clip(None, _UNEVEN))
        some = (uneven > _UNEVEN) & np.isfinite(parts).any(axis=(1, 2))  # of one that is nearly hidden, no part is seen
        for look, share in ((dark, 0), (dim, _DIM), (bright, 1)):
            look[some] = stacked(tints((part_of_tops(parts[some], share) / here[some]).astype(np.float32)))
        rims[some] = said_by_rims(found, places[some], here[some], paints.own[:, 0], flat)
        edge = np.where(some, edge_beside(more, board.sum(axis=-1), bare), 0)
        image = hue_beside(added, bare & (more > _GLARE * white))
    told = told.astype(np.float64)
    return _Looks(at, count, lighter, full, told, dark, uneven, burnt, dim, bright, edge, field, None, rims, image)


def _unlike_board(free: Mask, odd: Flat) -> Mask:
    """What is free of pieces, (N, P), but for pixels that look like the board where enough do not: a narrow peg leaves
    the ring round its hole to be seen. odd: nats against the board, (N, P)."""
    unlike = free & (odd > _ODD)
    enough = unlike.sum(axis=1) > _MUCH * free.sum(axis=1)
    return np.where(enough[:, None], unlike, free)


def _around(found: Match, places: Ints) -> tuple[Ints, Mask]:
    """Pixels round the foot of each piece, raveled, and which of them show the board, (N, R) each; all do if few do."""
    pixels = found.where.ring(places, _BESIDE)
    bare = found.front.take(pixels) > 1e8
    bare[bare.mean(axis=1) < _BARE] = True
    return pixels, bare


def _hidden(found: Match, places: Ints, kept: Kept, printed: Flat) -> tuple[Floats, Floats | None]:
    """The board that flat tops hide, linear BGR in full light, and the share of it that shadows leave there, (N, 3)
    each; None if that is not known."""
    where, even, umbra = found.where, kept.today.even, kept.ground.known_umbra
    pixels = where.pixels(places, slice(0, where.crown, _SOME))
    below = np.asarray(np.median(printed.reshape(-1, 3).take(pixels, axis=0), axis=1), np.float64)
    board = kept.light.of_color(below)
    if umbra is None:
        return board, None
    y, x = np.divmod(pixels, where.shape[1])
    lit = even[np.minimum(y // 2, len(even) - 1), np.minimum(x // 2, even.shape[1] - 1)]
    return board, umbra / np.median(lit, axis=1)


def _patches(shown: Flat, board: Floats) -> Floats:
    """By how much more light reaches some feet than is expected, blue, green, red (N, 3): in a patch of sun, in shade.

    shown, board: what is seen round about them, and what is expected, linear BGR (N, R, 3). What is darkest there may
    be the piece itself, or its shadow; what is brightest, another thing.
    """
    ratio = np.log((shown + _FAINT / 4) / (board + _FAINT / 4))
    order = np.argsort(ratio.sum(axis=-1), axis=1)[:, ratio.shape[1] // 2 : -ratio.shape[1] // 6]
    return np.asarray(np.exp(np.take_along_axis(ratio, order[..., None], axis=1).mean(axis=1)))


def median_of(values: Floats, counted: Mask) -> Floats:
    """The median of those values (N, P, 3) that are counted, (N, P): (N, 3)."""
    order = np.sort(np.where(counted[..., None], values, np.inf), axis=1)
    last = counted.sum(axis=1) - 1
    rows = np.arange(len(values))
    return np.asarray((order[rows, last // 2] + order[rows, (last + 1) // 2]) / 2)


def _lots(at: Floats, alone: Mask, white: Floats) -> Ints:
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


def _unlike_their_lot(at: Floats, lot: Ints, white: Floats) -> Floats:
    """Nats that it costs flat tops to be of one paint with half of the others of their lot, all seen plainly, (N,): 0
    unless they differ by more than paint does. at, lot: see `_Looks` and `_lots`; white: see `_apart`."""
    each = _apart(at[:, None], at, white, (_EVEN_LOG, _EVEN_HUE))
    order = np.sort(np.where((lot[:, None] == lot) & ~np.eye(len(lot), dtype=bool), each, np.inf), axis=1)
    many = np.bincount(lot)[lot] - 1
    off = np.where(many > 0, order[np.arange(len(lot)), np.maximum(many - 1, 0) // 2], 0)
    return np.where(off > _LOT**2, np.minimum(_UNLIKE * off, _UNLIKE_MOST), 0)


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
    pale = np.exp(-((deep / _DEEP) ** 2))
    narrow = wide * (_BESIDE_WAY + (1 - _BESIDE_WAY) * pale)
    return (off[..., 0] / bright) ** 2 + (along / wide) ** 2, (across / narrow) ** 2, pale


def _likelihoods(at: Floats, seen: Floats, strange: Floats, paints: _Paints, paint_log: float) -> Floats:
    """Log-likelihood of each lot for each paint, (lots, K). seen: how many pieces' worth is seen of each lot.

    strange: how far the light there is not what it should be, (lots,): nobody knows of what hue it is then, nor how
    much of it reaches the pieces.
    """
    few, light = 1 / np.maximum(seen, 0.1)[:, None], np.exp(paints.own[:, 0])
    least = _SHALLOW + _DARK_HUE / light + _STRANGE_HUE * strange[:, None]
    off = at[:, None] - paints.own
    dusk = np.log1p(strange)[:, None]
    bright = np.sqrt(paint_log**2 + dusk**2 + (_FAINT / light) ** 2 + few * _PIECE_LOG**2)
    ways = []
    for end, depth in ((paints.white[1:], _PAINT_DEPTH), (paints.deep[:, 1:], 2 * _PAINT_DEPTH)):
        way = end - paints.own[:, 1:]
        length = np.linalg.norm(way, axis=1)
        towards = way / np.maximum(length, 1e-6)[:, None]
        along = (off[..., 1:] * towards).sum(axis=-1)
        across = off[..., 1] * towards[:, 1] - off[..., 2] * towards[:, 0]
        wide = np.sqrt((depth * length + least) ** 2 + few * (_PIECE_DEPTH * length + _PIECE_HUE) ** 2)
        narrow = np.sqrt((_PAINT_HUE * paints.strength + least) ** 2 + few * _PIECE_HUE**2)
        square = (off[..., 0] / bright) ** 2 + (along / wide) ** 2 + (across / narrow) ** 2
        ways.append(-0.5 * (_TAILS + 3) * np.log1p(square / _TAILS) - np.log(bright * wide * narrow) - 2.76)
    return np.asarray(np.logaddexp(*ways) - np.log(2))


def _mirrored(at: Floats, paints: _Paints, burnt: Mask) -> Floats:
    """Log-likelihood that a flat top of each paint mirrors a lamp: the more light it adds, the nearer its hue; or, if
    it is `burnt` out, (lots,), perhaps the camera's own white."""
    own, white = paints.own, paints.white
    share = np.exp(np.minimum(own[:, 0] - at[:, None, 0], 0))
    way = own[:, 1:] - white[1:]
    spread = _SHALLOW + 0.01 + (_PAINT_HUE + _PAINT_DEPTH) / 2 * share * paints.strength
    off = ((at[:, None, 1:] - white[1:] - share[..., None] * way) ** 2).sum(axis=-1)
    each = (spread, spread + _BURNT_HUE)
    plain, blind = (-np.log(2 * np.pi * _MIRROR * wide**2) - 0.5 * off / wide**2 for wide in each)
    nats = np.where(burnt[:, None], np.logaddexp(plain, blind) - np.log(2), plain)
    return np.asarray(nats - np.log1p(np.exp((own[:, 0] - at[:, None, 0]) / (_TOP_LOG / 2))))


def _shaded(at: Floats, own: Floats) -> Floats:
    """Log-likelihood that a flat top of each paint lies in a shadow."""
    darker = own[:, 0] - at[:, None, 0]
    spread = _SHADE_HUE + _DUSK * np.maximum(darker, 0)
    square = ((at[:, None, 1:] - own[:, 1:]) ** 2).sum(axis=-1) / spread**2
    nats = np.log(1 / _SHADE / (2 * np.pi * spread**2)) - 0.5 * square
    return np.asarray(np.where((darker > 0) & (darker < _SHADE), nats, _NEVER))


def _half_shaded(dim: Floats, most: Floats, own: Floats, edge: Floats) -> Floats:
    """Log-likelihood that the edge of a shadow runs over a flat top of each paint: the shadow goes on beside it, by so
    much is it darker there, the `edge`, (lots,); and the lightest part is as light as the paint in full light, and of
    its hue. Where a lamp is mirrored, that would be chance.

    dim, most: looks of a dark part and of the lightest, (lots, 3).
    """
    lighter = (most[:, None, 0] - own[:, 0]) / _TOP_LOG
    deeper = (own[:, 0] - dim[:, None, 0] - edge[:, None]) / _TOP_LOG
    match = np.log(_MIRROR / (_TOP_LOG * np.sqrt(2 * np.pi))) - 0.5 * (_TAILS + 1) * np.log1p(lighter**2 / _TAILS)
    hue = 0.5 * ((most[:, None, 1:] - own[:, 1:]) ** 2).sum(axis=-1) / _ALIKE**2
    nats = _shaded(dim, own) + match - hue - np.log1p(np.exp(deeper))
    return np.asarray(np.where(edge[:, None] > _TOP_LOG, nats, _NEVER))


def _known_shade(dark: Floats, own: Floats, edge: Floats) -> Floats:
    """Log-likelihood that the edge of a shadow runs over a flat top of each paint, as it does beside it: see
    `_half_shaded`; and that its dark part lies in one whose colour is known: so the paint looks there, `own`, (lots,
    K, 3). A lamp's image would be of just that hue, and as bright, by chance."""
    off = (dark[:, None] - own) / (_KNOWN_SHADE, _KNOWN_HUE, _KNOWN_HUE)
    nats = -0.5 * (off**2).sum(axis=2) - np.log((2 * np.pi) ** 1.5 * _KNOWN_SHADE * _KNOWN_HUE**2)
    return np.asarray(np.where(edge[:, None] > _TOP_LOG, nats, _NEVER))


def _in_shadows(paints: Floats, left: Floats) -> Floats:
    """How flat tops of each paint, linear BGR (K, 3), look where shadows leave such shares of the light, (N, 3): as
    `_Looks.at`, (N, K, 3)."""
    return stacked(tints((left[:, None] * paints).reshape(-1, 3).astype(np.float32))).reshape(len(left), -1, 3)


def _shared_out(plain: Floats, odd: Floats, at: Floats, white: Floats) -> tuple[Floats, Floats]:
    """Log of the probability of each paint for each lot, (lots, K), and that it is not seen plainly, (lots,).

    Two lots are seldom of one paint, both seen plainly: it costs the more, the farther the hue of a lot is from that of
    the nearest other.
    plain, odd: log-likelihoods, (lots, K), for a paint seen plainly, and in a mirrored lamp or a shadow. white: see
    `_apart`.
    """
    cost = np.minimum(_TWO_LOTS * _another_hue(at[:, None], at, white), _TWO_LOTS_MOST)
    np.fill_diagonal(cost, np.inf)
    nats, kinds = np.hstack([plain, odd]), plain.shape[1]
    told = _normed(nats)
    for _ in range(_ROUNDS):
        share = np.where(np.eye(len(at), dtype=bool)[..., None], 0, np.exp(told[:, :kinds])[None])
        free = np.prod(1 - share + 1e-9, axis=1)
        nearest = (share * np.exp(-cost)[..., None]).max(axis=1) / np.maximum(share.max(axis=1), 1e-9)
        taken = np.zeros_like(nats)
        taken[:, :kinds] = np.log(np.clip(free + (1 - free) * nearest, 1e-9, 1))
        before, told = told, _normed(0.5 * told + 0.5 * _normed(nats + taken))
        if np.abs(np.exp(told) - np.exp(before)).max() < _SETTLED:
            break
    told = _normed(_swapped(told, plain))
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


def _normed(nats: Floats) -> Floats:
    top = nats - nats.max(axis=1, keepdims=True)
    return np.asarray(top - np.log(np.exp(top).sum(axis=1, keepdims=True)))
