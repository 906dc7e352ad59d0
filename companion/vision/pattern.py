"""Empty spaces show their print: where its pattern is gone, and colour does not speak against a piece, that is a doubt.

A piece of a seat's colour on a space of the same ink, in its base or lane, hardly differs from it pixel by pixel; glare
and shadows explain the rest. But it covers what is printed there: a hole, a ring. How plainly print is seen today, the
other empty spaces show; light, and shadows but for their edges, leave a pattern as it is. And all pixels of a piece are
one look: what they say of its colour is averaged here, not added up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Content, Seat, Sheet, SpaceSeen
from companion.vision.again import Kept
from companion.vision.keeping import kept
from companion.vision.places import Places
from companion.vision.plain_sight import BLIND_BRIGHT, BLIND_HUE
from companion.vision.pose import Flat, Floats, Frame
from companion.vision.powers import log
from companion.vision.scene import PIXELS_PER_MM
from companion.vision.standing import Match

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_FLOOR = 0.05  # linear light of the three channels below which brightness means little
_FEWEST = 6  # spaces by which it is judged how plainly print is seen
_FEWEST_KIN, _KIN, _BEST = 4, 0.4, 0.25  # as many of a kind, whose inks differ by less than this; share that show print
_SHOWN, _LEAST = 0.6, 12  # of a place's pixels so many must be free of other pieces
_EDGE = 3.0  # mm round other pieces that are left out: they are never quite where they were found
_ALIKE = 0.99  # correlations are not believed beyond this
_NOISE = 0.02  # natural log of brightness: there is at least so much
_BLUR = (0.3, 1.5)  # print may be seen with so much of its contrast
_FEW = 0.3  # share of a place: where colour says less than that much, it says so much less
_ANYWAY, _COLOR, _PATTERN = -2.0, 4.0, 3.5  # nats for a piece: anyway, for each of its colour, for each of Fisher's z
_AGAINST = -1.5  # nats for a piece, on average, below which its colour plainly is not there
_SEEN = -0.2  # from which on a piece may be read
_TEMPER = 0.4  # nats believed of each nat, between colours
_NEARLY, _HARDLY = -0.3, 0.7  # nats by which a reading stays the likelier one at least; at most, if it is turned round


def patterned(
    found: Match, half: Flat, kept: Kept, sheet: Sheet, seats: Sequence[Seat], spaces: dict[str, SpaceSeen],
    known: Collection[str],
) -> dict[str, SpaceSeen]:  # fmt: skip
    """The readings, in which a space is less surely empty, or not at all, whose pattern is gone where colour allows it.

    half: what is seen at half the size, linear BGR. seats: in the evidence's order. known: spaces left out.

    What colour and pattern weigh is from 9,800 empty readings of 125 rendered pictures (logistic regression); that a
    piece is less likely anyway was made more, as on most boards pieces differ more from their spaces.
    """
    empty = [not seen.covered and not seen.content and not sheet.spaces[name].is_area for name, seen in spaces.items()]
    judged = np.flatnonzero(empty)
    if sheet.piece.kind == "disc" or len(judged) < _FEWEST or all(name in known for name in spaces):
        return spaces
    told = _looks(found, half, kept, judged)
    level = _ANYWAY + _COLOR * told.color + _PATTERN * told.gone
    names, result = list(spaces), dict(spaces)
    for row in np.flatnonzero(told.able & (told.color >= _AGAINST) & (level > -8)).tolist():
        name = names[judged[row]]
        if name not in known:
            each = level[row] + _TEMPER * (told.gains[row] - told.gains[row].max())
            most = _HARDLY if told.color[row] > _SEEN else _NEARLY
            levels = np.minimum(each, each - each.max() + most).tolist()
            result[name] = _weighed(spaces[name], dict(zip(seats, levels, strict=True)))
    return result


def _weighed(seen: SpaceSeen, levels: Mapping[Seat, float]) -> SpaceSeen:
    """An empty reading in which a piece of each colour is at least as likely as its level says, nats."""
    told: dict[Content, float] = dict(seen.likelihoods)
    for seat, level in levels.items():
        told[seat,] = max(told.get((seat,), -np.inf), level)
    best = max(told, key=lambda content: told[content])
    told = {content: level - told[best] for content, level in told.items()}
    return SpaceSeen(best, 1 / sum(float(np.exp(level)) for level in told.values()), False, told)


@dataclass(frozen=True, eq=False, slots=True)
class _Looks:
    """What pieces in the middles of S spaces would say. color: nats on average, of the likeliest colour, (S,). gains:
    nats by colour, (S, K). gone: how much less the print is seen than it should be, Fisher's z, (S,). able: whether
    enough is seen, (S,)."""

    color: Floats
    gains: Floats
    gone: Floats
    able: Mask


def _looks(found: Match, half: Flat, kept: Kept, judged: Ints) -> _Looks:
    """Look at some spaces."""
    where = found.where
    places, *parts, counted = _middles(where, half.shape[:2])
    first, within, (pixels, whole) = places[judged], counted[judged], (part[judged] for part in parts)
    rows, cols = half.shape[:2]
    pieces = (found.front.reshape(where.shape)[: 2 * rows : 2, : 2 * cols : 2] < 1e8).astype(np.uint8)
    wide = cv2.dilate(pieces, np.ones((2 * round(_EDGE * PIXELS_PER_MM / 2) + 1,) * 2, np.uint8)).ravel()
    free, dim = within & (wide.take(pixels) == 0), kept.told.dim.take(whole)
    gone = _gone(_bright(half, pixels), _bright(kept.today.half, pixels), free, dim)
    gone -= _of_kind(gone, kept.today.surface.inks.take(whole), within)
    gains, shown = _colors(found, kept, first)
    enough = np.maximum(_SHOWN * within.sum(axis=1), _LEAST)
    return _Looks(gains.max(axis=1), gains, gone, shown & (free.sum(axis=1) >= enough))


def _colors(found: Match, kept: Kept, places: Ints) -> tuple[Floats, Mask]:
    """What pieces at some places would say of each colour, nats on average, (N, K), and whether enough is seen, (N,).

    Where an ink is met so badly that pieces hide in it, as it is if most of it lies under pieces, colour does not speak
    against them.
    """
    where, tables = found.where, kept.ground.tables
    pixels, weight = where.pixels.take(places, axis=0), where.weight.take(places, axis=0)
    shown = weight * (found.front.take(pixels) > 1e8)
    blind = (tables["bright"] > BLIND_BRIGHT) | (tables["hue"] > BLIND_HUE)
    trusted = shown * ~blind[kept.today.surface.inks.take(pixels)]
    told, heft = found.evidence.take(pixels, axis=0), np.maximum(weight.sum(axis=1), 1e-6)
    whole, clear = (
        np.einsum("sp,spk->sk", part, told) / np.maximum(part.sum(axis=1), _FEW * heft)[:, None]
        for part in (shown, trusted)
    )
    return np.maximum(whole, np.minimum(clear, _AGAINST)), shown.sum(axis=1) >= _SHOWN * heft


def _bright(view: Flat, pixels: Ints) -> Floats:
    """Natural log of brightness at some pixels, raveled."""
    total = np.asarray(cv2.transform(view, np.array([(1, 1, 1, _FLOOR)], np.float32)), np.float32)
    return log(total.take(pixels)).astype(np.float64)


def _gone(seen: Floats, usual: Floats, free: Mask, dim: Mask) -> Floats:
    """By how much less each space correlates with its print than is due, given its contrast and the noise that most of
    them have, as Fisher's z, (S,). seen, usual: natural log of brightness, (S, P). free: pixels that count. dim: those
    in a shadow, which are compared among themselves."""
    one, other = (_deviations(values, free & dim) + _deviations(values, free & ~dim) for values in (seen, usual))
    count = np.maximum(free.sum(axis=1), 1)
    both, own, printed = (np.einsum("sp,sp->s", a, b) / count for a, b in ((one, other), (one, one), (other, other)))
    share = np.clip(both / np.maximum(printed, 1e-9), *_BLUR)
    noise = max(float(np.median(own - 2 * share * both + share * share * printed)), _NOISE**2)
    due = np.minimum(np.sqrt(printed / (printed + noise)), _ALIKE)
    alike = np.clip(both / np.maximum(np.sqrt(own * printed), 1e-9), -_ALIKE, _ALIKE)
    return np.asarray(np.arctanh(due) - np.arctanh(alike))


def _of_kind(gone: Floats, inks: Frame, within: Mask) -> Floats:
    """By how much less print is seen even on those spaces, of the same inks, that show it best, (S,): an ink that is
    not as light as on the sheet is no piece. inks: at the pixels, (S, P), that are `within` the places."""
    row = np.broadcast_to(np.arange(len(inks))[:, None], inks.shape)
    count = np.bincount(row[within] * 256 + inks[within], minlength=256 * len(inks)).reshape(-1, 256)
    share = (count / within.sum(axis=1, keepdims=True))[:, count.any(axis=0)]
    kin = np.abs(share[:, None] - share).sum(axis=2) < _KIN
    many = kin.sum(axis=1)
    best = np.sort(np.where(kin, gone, np.inf), axis=1)[np.arange(len(gone)), (_BEST * (many - 1)).astype(int)]
    return np.where(many >= _FEWEST_KIN, np.maximum(best, 0), 0)


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
