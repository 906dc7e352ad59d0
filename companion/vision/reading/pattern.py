"""Empty spaces show their print and nothing else: where it is gone, or relief is seen, there may be a piece.

A piece of a seat's colour on a space of the same ink, in its base or lane, hardly differs from it pixel by pixel; glare
and shadows explain the rest. But it covers what is printed there: a hole, a ring. And it is round: one side of it is
lighter than the other, it has a rim, where the ink is even. How plainly print is seen today, and how even, the
other empty spaces show; light, and shadows but for their edges, leave a pattern as it is. And all pixels of a piece are
one look: what they say of its colour is averaged here, not added up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Content, Seat, Sheet, SpaceSeen
from companion.vision.board.again import Kept
from companion.vision.board.evidence import HUE_SPREAD, SHADE_MEAN, SHADE_SPREAD, look_of
from companion.vision.board.places import Places
from companion.vision.board.standing import Match
from companion.vision.colors.looks import median_look
from companion.vision.light.today import as_seen, middle
from companion.vision.reading.plain_sight import BLIND_BRIGHT, BLIND_HUE
from companion.vision.reading.spaces import as_told
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.powers import log
from companion.vision.view.scene import PIXELS_PER_MM
from companion.vision.view.surface import Surface

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_FLOOR = 0.05  # linear light of the three channels below which brightness means little
_FEWEST = 6  # spaces by which it is judged how plainly print is seen
_FEWEST_KIN, _KIN, _BEST = 4, 0.4, 0.25  # as many of a kind, whose inks differ by less than this; share that show print
_SHOWN, _LEAST = 0.6, 12  # of a place's pixels so many must be free of other pieces
_EDGE = 3.0  # mm round other pieces that are left out: they are never quite where they were found
_ALIKE = 0.99  # correlations are not believed beyond this
_NOISE, _EVEN = 0.02, 0.001  # natural log of brightness: there is at least so much; nothing is more even
_BLUR = (0.3, 1.5)  # print may be seen with so much of its contrast
_FEW = 0.3  # share of a place: where colour says less than that much, it says so much less
_ANYWAY, _COLOR, _PATTERN = -2.0, 4.0, 3.5  # nats for a piece: anyway, for each of its colour, for each of Fisher's z
_RELIEF_ANYWAY, _RELIEF = -2.0, (4.5, 1.5, 3.0)  # nats for a piece, where relief is seen: for each of its natural log,
# of Fisher's z, and of its colour
_ROUND = 0.8  # natural log: so much relief has hardly any empty space whose colour might be that of a piece
_MISMET = 0.25  # share of its contrast that may be left of a print that is not met to a pixel
_CAST, _NEVER = 0.3, -20.0  # share of a place where a piece casts its shadow: what looks like no paint there is that
_UNLIKE, _SPEAKS = -4.0, -2.3  # nats from which on a space looks like a paint; for a colour: less says no more
_NOT_AT_ALL = -1e3  # nats
_PLAINLY = 2.0  # nats by which a piece that looks like its paint, and is seen by its relief, is the likelier at most
_AGAINST = -1.5  # nats for a piece, on average, below which its colour plainly is not there
_SEEN = -0.2  # from which on a piece may be read
_TEMPER = 0.4  # nats believed of each nat, between colours
_LEAST_LEVEL = -8.0  # nats for a piece below which nothing is made of it
_NEARLY, _HARDLY = -0.3, 0.7  # nats by which a reading stays the likelier one at least; at most, if it is turned round


def patterned(
    found: Match, half: Flat, kept: Kept, cast: Mask, sheet: Sheet, seats: Sequence[Seat],
    spaces: dict[str, SpaceSeen], known: Collection[str],
) -> dict[str, SpaceSeen]:  # fmt: skip
    """The readings, in which a space is less surely empty, or not at all, whose pattern is gone, or on which relief is
    seen, where colour allows it.

    half: what is seen at half the size, linear BGR. cast: where pieces that were found cast shadows, bool (rows, cols).
    seats: in the evidence's order. known: spaces left out.

    What colour and pattern weigh is from 9,800 empty readings of 125 rendered pictures (logistic regression); that a
    piece is less likely anyway was made more, as on most boards pieces differ more from their spaces.
    """
    empty = [not seen.covered and not seen.content and not sheet.spaces[name].is_area for name, seen in spaces.items()]
    judged = np.flatnonzero(empty)
    if sheet.piece.kind == "disc" or len(judged) < _FEWEST or all(name in known for name in spaces):
        return spaces
    names, result = list(spaces), dict(spaces)
    read_now = np.array([names[index] not in known for index in judged.tolist()])
    told = _looks(found, half, kept, cast, judged, read_now)
    if told is None:
        return spaces
    for levels in (_by_print(told), _by_relief(told)):
        for row in np.flatnonzero(told.able & (levels.max(axis=1) > _LEAST_LEVEL)).tolist():
            name = names[judged[row]]
            if name not in known:
                result[name] = _weighed(result[name], dict(zip(seats, levels[row].tolist(), strict=True)))
    return result


def _perhaps(color: Floats, alike: Floats) -> Mask:
    """Of which spaces colour allows that a piece stands there, whatever else is seen, (S,): see `_Looks`."""
    return np.asarray((color >= _AGAINST) | (alike.max(axis=1) > _UNLIKE))


def _by_print(told: _Looks) -> Floats:
    """Nats for a piece of each colour where the print is gone and colour does not speak against it, (S, K)."""
    level = _ANYWAY + _COLOR * told.color + _PATTERN * told.gone
    each = level[:, None] + _TEMPER * (told.gains - told.gains.max(axis=1, keepdims=True))
    most = np.where(told.color > _SEEN, _HARDLY, _NEARLY)
    each += np.minimum(0, most - each.max(axis=1))[:, None]
    return np.where((told.color >= _AGAINST)[:, None], each, -np.inf)


def _by_relief(told: _Looks) -> Floats:
    """Nats for a piece of each colour where a space is not even, and looks like its paint, or its pixels may, (S, K).

    What each weighs is from 1,976 spaces that were read as empty and look like a paint, on 158 rendered boards, 68 of
    them with pieces of the colours of their own spaces (logistic regression).
    """
    level = _RELIEF_ANYWAY + np.column_stack([told.relief, told.gone, np.maximum(told.color, _SPEAKS)]) @ _RELIEF
    alike = told.alike.max(axis=1, keepdims=True) > _UNLIKE
    color = np.where(alike, told.alike, _TEMPER * told.gains)
    most = np.where(alike[:, 0], _PLAINLY, 0.0)
    each = np.minimum(level, most)[:, None] + color - color.max(axis=1, keepdims=True)
    return np.where(alike | ((told.color >= _AGAINST) & (told.relief > _ROUND))[:, None], each, -np.inf)


def _weighed(seen: SpaceSeen, levels: Mapping[Seat, float]) -> SpaceSeen:
    """An empty reading in which a piece of each colour is at least as likely as its level says, nats."""
    told: dict[Content, float] = dict(seen.likelihoods)
    for seat, level in levels.items():
        told[seat,] = max(told.get((seat,), -np.inf), level)
    best = max(told, key=lambda content: told[content])
    told = {content: level - told[best] for content, level in told.items()}
    return replace(as_told(seen, told), content=best)


@dataclass(frozen=True, eq=False, slots=True)
class _Looks:
    """What pieces in the middles of S spaces would say. color: nats on average, of the likeliest colour, (S,). gains:
    nats by colour, (S, K). gone: how much less the print is seen than it should be, Fisher's z, (S,). relief: how much
    more light and dark is seen than is explained, natural log, (S,). alike: nats for each paint, of the look of the
    whole, (S, K). able: whether enough is seen, (S,)."""

    color: Floats
    gains: Floats
    gone: Floats
    relief: Floats
    alike: Floats
    able: Mask


def _looks(found: Match, half: Flat, kept: Kept, cast: Mask, judged: Ints, asked: Mask) -> _Looks | None:
    """Look at some spaces, of which some are asked, (S,); None if none of these may hold a piece, as far as colour
    tells: on most boards it speaks against all, and print and relief need not be looked at."""
    where = found.where
    places, *parts, counted = _middles(where, half.shape[:2])
    first, within, (pixels, whole) = places[judged], counted[judged], (part[judged] for part in parts)
    free = within & ~_near_pieces(found, half.shape[:2]).take(pixels)
    lit, even = (layer.reshape(-1, 3).take(pixels, axis=0) for layer in (half, kept.today.even))
    gains, shown = _colors(found, kept, first)
    color, alike = gains.max(axis=1), _like_paints(lit / even, free, kept.light.of_color(kept.colors))
    if not (asked & _perhaps(color, alike)).any():
        return None
    small, dim = _at_half(cast, half.shape), kept.told.dim
    clear = free & ~_edges(_at_half(dim, half.shape), small).take(pixels)
    usual = kept.today.half.reshape(-1, 3).take(pixels, axis=0)
    bright, due, shade = _bright(lit), _bright(as_seen(usual)), dim.take(whole)
    (gone, _), (_, relief) = (_unlike_print(bright, due, part, shade) for part in (free, clear))
    gone -= _of_kind(gone, _kin(where, half.shape[:2], kept.today.surface)[np.ix_(judged, judged)])
    able = shown & (free.sum(axis=1) >= np.maximum(_SHOWN * within.sum(axis=1), _LEAST))
    shaded = (free & small.take(pixels)).sum(axis=1) > _CAST * within.sum(axis=1)
    return _Looks(color, gains, gone, relief, alike, able & ~(shaded & (alike.max(axis=1) < _NEVER)))


def _near_pieces(found: Match, shape: tuple[int, ...]) -> Mask:
    """On or close to the pieces that were found, bool (rows, cols), at half the size."""
    pieces = _at_half(found.front.reshape(found.where.shape) < 1e8, shape).astype(np.uint8)
    return cv2.dilate(pieces, np.ones((2 * round(_EDGE * PIXELS_PER_MM / 2) + 1,) * 2, np.uint8)) > 0


def _at_half(mask: Mask, shape: tuple[int, ...]) -> Mask:
    """Every second pixel each way of a mask, for a view of half the size, of a `shape`."""
    return mask[: 2 * shape[0] : 2, : 2 * shape[1] : 2]


def _like_paints(seen: Flat, free: Mask, paints: Floats) -> Floats:
    """Nats for pieces of each colour, linear BGR (K, 3), of how spaces look as a whole, (S, K). seen: linear BGR
    (S, P, 3), of which those pixels count that are free, (S, P)."""
    look, own = median_look(seen, free)[:, None], look_of(paints)
    off = (look - own - (SHADE_MEAN, 0, 0)) / (SHADE_SPREAD, HUE_SPREAD, HUE_SPREAD)
    return np.asarray(np.maximum(-0.5 * (off**2).sum(axis=2), _NOT_AT_ALL))


def _colors(found: Match, kept: Kept, places: Ints) -> tuple[Floats, Mask]:
    """What pieces at some places would say of each colour, nats on average, (N, K), and whether enough is seen, (N,).

    Where an ink is met so badly that pieces hide in it, as it is if most of it lies under pieces, colour does not speak
    against them.
    """
    where, tables = found.where, kept.ground.tables
    pixels, weight = where.pixels(places), where.weight(places)
    shown = weight * (found.front.take(pixels) > 1e8)
    blind = (tables["bright"] > BLIND_BRIGHT) | (tables["hue"] > BLIND_HUE)
    trusted = shown * ~blind[kept.today.surface.inks.take(pixels)] if blind.any() else shown
    told, heft = found.evidence.take(pixels, axis=0), np.maximum(where.heft.take(places), 1e-6)
    whole, clear = (
        np.matmul(part[:, None], told)[:, 0] / np.maximum(part.sum(axis=1), _FEW * heft)[:, None]
        for part in (shown, trusted)
    )
    return np.maximum(whole, np.minimum(clear, _AGAINST)), shown.sum(axis=1) >= _SHOWN * heft


def _edges(dim: Mask, cast: Mask) -> Mask:
    """The edges of shadows, `dim`, where pieces `cast` theirs: neither lit nor dark, they look like relief. bool (rows,
    cols), at half the size. What else is dim may be the dark side of a piece that was not found."""
    near = cv2.dilate(cast.astype(np.uint8), np.ones((5, 5), np.uint8))
    edges = cv2.morphologyEx(dim.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.bitwise_and(edges, near) > 0)


def _bright(seen: Flat) -> Floats:
    """Natural log of the brightness of linear BGR (S, P, 3)."""
    total = np.asarray(cv2.transform(seen, np.array([(1, 1, 1, _FLOOR)], np.float32)), np.float32)
    return log(total).astype(np.float64)


def _unlike_print(seen: Floats, usual: Floats, free: Mask, dim: Mask) -> tuple[Floats, Floats]:
    """By how much less each space correlates with its print than is due, given its contrast and the noise that most of
    them have, as Fisher's z, (S,); and by how much more light and dark is seen than these explain, natural log, (S,).

    seen, usual: natural log of brightness, (S, P). free: pixels that count. dim: those in a shadow, which are compared
    among themselves."""
    one, other = (_deviations(values, free & dim) + _deviations(values, free & ~dim) for values in (seen, usual))
    count = np.maximum(free.sum(axis=1), 1)
    both, own, printed = (np.einsum("sp,sp->s", a, b) / count for a, b in ((one, other), (one, one), (other, other)))
    share = np.clip(both / np.maximum(printed, 1e-9), *_BLUR)
    left = own - 2 * share * both + share * share * printed
    noise = max(float(middle(left)), _NOISE**2)
    due = np.minimum(np.sqrt(printed / (printed + noise)), _ALIKE)
    alike = np.clip(both / np.maximum(np.sqrt(own * printed), 1e-9), -_ALIKE, _ALIKE)
    relief = 0.5 * np.log(np.maximum(left, _EVEN**2) / (noise + _MISMET**2 * printed))
    return np.asarray(np.arctanh(due) - np.arctanh(alike)), np.asarray(relief)


def _of_kind(gone: Floats, kin: Mask) -> Floats:
    """By how much less print is seen even on those spaces, of the same inks, that show it best, (S,): an ink that is
    not as light as on the sheet is no piece. kin: see `_kin`."""
    many = kin.sum(axis=1)
    best = np.sort(np.where(kin, gone, np.inf), axis=1)[np.arange(len(gone)), (_BEST * (many - 1)).astype(int)]
    return np.where(many >= _FEWEST_KIN, np.maximum(best, 0), 0)


@kept(most=2)
def _kin(where: Places, shape: tuple[int, int], surface: Surface) -> Mask:
    """Which spaces are printed in the same inks, bool (S, S). shape: see `_middles`."""
    *_, whole, within = _middles(where, shape)
    inks, row = surface.inks.take(whole), np.broadcast_to(np.arange(len(whole))[:, None], whole.shape)
    count = np.bincount(row[within] * 256 + inks[within], minlength=256 * len(inks)).reshape(-1, 256)
    share = (count / np.maximum(within.sum(axis=1, keepdims=True), 1))[:, count.any(axis=0)]
    return np.asarray(np.abs(share[:, None] - share).sum(axis=2) < _KIN)


def _deviations(values: Floats, counted: Mask) -> Floats:
    """Values (S, P) less their mean over those that are counted; 0 where they are not."""
    mean = (values * counted).sum(axis=1) / np.maximum(counted.sum(axis=1), 1)
    return np.asarray((values - mean[:, None]) * counted)


@kept(most=2)
def _middles(where: Places, shape: tuple[int, int]) -> tuple[Ints, Ints, Ints, Mask]:
    """Of each space the place in its middle, (S,), the pixels which a piece there hides or touches, raveled, (S, P), in
    a view of half the size, `shape`, and in the whole one, and which of these count."""
    firsts, each = np.searchsorted(where.space, np.arange(len(where.lone))), []
    for place in firsts.tolist():
        y, x = np.divmod(where.hidden_by(place)[0], where.shape[1])
        y, x = np.minimum(y // 2, shape[0] - 1), np.minimum(x // 2, shape[1] - 1)
        each.append(_touched(y, x, shape))
    counts = np.array([len(pixels) for pixels in each])
    within = np.arange(counts.max()) < counts[:, None]
    pixels = np.zeros(within.shape, np.int64)
    pixels[within] = np.concatenate(each)
    y, x = np.divmod(pixels, shape[1])
    return firsts, pixels, 2 * y * where.shape[1] + 2 * x, within


def _touched(y: Ints, x: Ints, shape: tuple[int, int]) -> Ints:
    """Some pixels and their neighbours above, below, left and right, raveled, in order."""
    if not len(y):
        return np.zeros(0, np.int64)
    top, left = max(int(y.min()) - 1, 0), max(int(x.min()) - 1, 0)
    layer = np.zeros((min(int(y.max()) + 2, shape[0]) - top, min(int(x.max()) + 2, shape[1]) - left), np.uint8)
    layer[y - top, x - left] = 1
    wide = np.asarray(cv2.dilate(layer, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))))
    rows, cols = np.divmod(np.flatnonzero(wide), layer.shape[1])
    return np.asarray((rows + top) * shape[1] + cols + left, np.int64)
