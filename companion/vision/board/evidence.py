"""How much each pixel speaks for a piece of each colour, against the empty board in today's light."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.light.mirrored import GLARED
from companion.vision.light.today import Light, as_seen, middle
from companion.vision.light.umbra import ENOUGH, umbra
from companion.vision.view.pose import Flat, Floats, Frame
from companion.vision.view.powers import exp, log
from companion.vision.view.tiles import SIDE, Tiles

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
DEEPER = 1.6
"""The power of a colour after light bounced between pieces."""
DARK = 0.012
"""Linear light below which colour means little."""
SHADE_MEAN, SHADE_SPREAD = -0.35, 0.8
"""Natural log: how much darker a piece looks than its colour would, flat on the board, and how unevenly it is lit."""
HUE_SPREAD = 0.05
"""How far its hue is off."""
_BLEACH = 0.3  # of the way from the own hue to the light's
_UNEVEN = 0.1  # natural log: how much the light on a piece changes within some mm
_ROUGHER = 1.5  # times as uneven is what is seen at the whole size
_GLINT = 0.02  # density of places that shine brighter than the light explains
_RARE_SHADOW, _CAST_SHADOW = 0.09, 0.6  # how often the empty board lies in a shadow: anywhere, beside a piece
_GLARE = 20.0  # how much likelier a glare is where a hand is the other explanation
_DUSK = 0.08  # how far the hue of a deep shadow may be off: it is lit by other lamps
_OTHER_SHADE, _RIMS = 0.3, 0.3  # shares of the shadows: those that are of another kind; of the others, their rims
_RIM, _DEPTH = 0.03, 0.3  # how far the hue, and the natural log of the light, may be off in a shadow that is known
LIGHTEST = 0.85
"""Share of the light: a shadow leaves less."""
_BURNT, _MORE = 0.9, np.float32(2.0)
"""Linear light from which on a channel may be burnt out; times as much as is seen that it may give then."""
_STRAY = 0.004
_PLAIN = 40.0  # density from which on a pixel is the lit board's beyond doubt
_DOUBTFUL = 3.0  # density, at half the size, below which a closer look is due
_ALIKE = 0.1  # share of a piece that may look like the board behind it
_ENOUGH = 0.1  # share of an ink's samples by which it is judged, if a window is mirrored in the others
_MOST = 3.5  # nats: no pixel says more than this


@dataclass(frozen=True, eq=False, slots=True)
class Tints:
    """A flat view as brightness and hue: log is the natural log of R + G + B (+ a floor), u and v say the hue."""

    log: Flat
    u: Flat
    v: Flat
    sum: Flat

    def at(self, pixels: Ints | int) -> Tints:
        """Some pixels, raveled, alone."""
        return Tints(*(layer.take(pixels) for layer in (self.log, self.u, self.v, self.sum)))


def tints(image: Flat) -> Tints:
    """Brightness and hue of linear BGR float32 (…, 3)."""
    if image.ndim > 1 and image.size:
        wide, shape = image.reshape(1, -1, 3), image.shape[:-1]
        total, red, blue = (np.asarray(cv2.transform(wide, row), np.float32).reshape(shape) for row in _MIXED)
        return Tints(log(total), red / total, blue / total, total)
    blue, green, red = image[..., 0], image[..., 1], image[..., 2]
    total = np.asarray(blue + green + red + DARK, np.float32)
    return Tints(np.log(total), (red - green) / total, (red + green - 2 * blue) / (2 * total), total)


def look_of(colors: Floats | Flat) -> Floats:
    """How colours look, linear BGR (…, 3): the natural log of their brightness, and their hue, (…, 3)."""
    tint = tints(colors.astype(np.float32))
    return np.stack([tint.log, tint.u, tint.v], axis=-1).astype(np.float64)


_MIXED = tuple(np.array([row], np.float32) for row in ((1, 1, 1, DARK), (0, -1, 1, 0), (-1, 0.5, 0.5, 0)))


@dataclass(frozen=True, eq=False)
class Evidence:
    """What each pixel of a flat view says, in nats.

    open: (rows·cols, K), for each colour against the empty board, where shadows are rare. most: (rows·cols,), the most
    of it for any colour. odd: (rows, cols), against the empty board, whatever it is. dim: bool (rows, cols), as in a
    shadow. dark: what `shaded` is made from when it is asked.
    """

    open: Flat
    most: Flat
    odd: Flat
    dim: Mask
    dark: _Dark

    def silent(self, where: Mask) -> Evidence:
        """The same, but that pixels, bool (rows, cols), say nothing for a piece, and nothing against the board."""
        unseen = where.ravel()
        return replace(
            self,
            open=np.where(unseen[:, None], np.float32(0), self.open),
            most=np.where(unseen, np.float32(0), self.most),
            odd=np.where(where, np.float32(-np.log(_PLAIN)), self.odd),
            dim=self.dim & ~where,
        )

    def shaded(self, pixels: Ints) -> Flat:
        """As `open`, where a shadow is likely: at some pixels, raveled, (N, K)."""
        return self.dark.shaded(pixels)


@dataclass(frozen=True, eq=False, slots=True)
class _Dark:
    """See `Evidence`. Log densities of the pieces, (N, K), and densities of the board, lit and in a shadow, (N,), at
    those pixels of some tiles that are `apart`, raveled, (N,); and the same of before, for all else: not the evidence
    itself, which is as large as the board, and would be kept as often as parts of it are read again."""

    tiles: Tiles
    pieces: Flat
    lit: Flat
    dull: Flat
    apart: Ints
    before: _Dark | None

    def shaded(self, pixels: Ints) -> Flat:
        """See `Evidence`."""
        kinds = self.pieces.shape[1]
        few, at = self.tiles.holding(pixels)
        told = np.full((len(pixels), kinds), np.log(_ALIKE), np.float32)
        away = at < 0
        if self.before is not None and away.any():
            told[away] = self.before.shaded(pixels[away])
        if not away.all():
            part = self.tiles.among(self.apart, few)
            own = np.flatnonzero(part >= 0)
            ratio = _ratio(self.pieces.take(own, axis=0), self.lit.take(own), self.dull.take(own), _CAST_SHADOW)
            weighed = _weighed(ratio, part.take(own), len(few)).reshape(-1, kinds)
            told[~away] = weighed.take(at[~away], axis=0)
        return told


@dataclass(frozen=True, eq=False, slots=True)
class Ground:
    """How well each ink of the empty board is usually met: measured over the whole board, kept for parts of it.

    inks: which ink each pixel is, uint8 (rows, cols). tables: what was measured, by ink, (256,) each. shadows: whether
    to measure them.
    """

    inks: Frame
    tables: dict[str, Flat]
    shadows: bool = False

    def spread(self, name: str) -> Flat:
        """What was measured, as a layer: float32 (rows, cols)."""
        return np.asarray(cv2.LUT(self.inks, self.tables[name]), np.float32)

    def umbra(self, pictures: tuple[Flat, Flat, Flat], apart: Ints) -> Flat | None:
        """What shadows leave of the light, measured when first asked: see `umbra`. apart: raveled pixels of tiles."""
        if not self.shadows:
            return None
        if "umbra" not in self.tables:
            tile = (apart % self.inks.shape[1] // SIDE).astype(np.int16)
            few = apart[np.argsort(tile, kind="stable")[:: 1 + len(apart) // ENOUGH]]  # the same share of each tile
            seen, usual, even = _at(pictures, few)
            found = umbra(seen, usual, even, self.inks.take(few))
            self.tables["umbra"] = np.zeros(0, np.float32) if found is None else found.astype(np.float32)
        return self.known_umbra

    @property
    def known_umbra(self) -> Flat | None:
        """What shadows leave of the light; None if none is clear, or none was asked for."""
        known = self.tables.get("umbra")
        return known if known is not None and len(known) else None


def measured(seen: Flat, usual: Flat) -> dict[str, Flat]:
    """How far brightness and hue usually are off, by ink. seen, usual: linear BGR of samples by ink, (inks, N, 3).

    Samples in which a window is mirrored say nothing of the ink elsewhere, and do not count where enough others do.
    """
    one, other = tints(seen), tints(usual)
    hue = np.abs(one.u - other.u) + np.abs(one.v - other.v)
    glared = reduce(np.minimum, np.moveaxis(seen - usual, -1, 0)) > GLARED
    glared &= np.count_nonzero(~glared, axis=1, keepdims=True) > _ENOUGH * glared.shape[1]
    return {"bright": _table(0.03, 1.5, np.abs(one.log - other.log), glared), "hue": _table(0.012, 1.2, hue, glared)}


def unevenness(change: Flat, course: Flat, samples: Ints) -> Flat:
    """How uneven the board usually looks, by ink, (256,): from a view of half the size, where unevenness is less.

    change: natural log by which each pixel is brighter than expected, (rows, cols). course: the same, over some mm.
    samples: raveled pixels by ink, (inks, N).
    """
    return _table(0.015, 1.5 * _ROUGHER, np.abs(change.take(samples) - course.take(samples)))


def _table(least: float, share: float, miss: Flat, left_out: Mask | None = None) -> Flat:
    """`least` and a share of the median of `miss` (inks, N), by ink, (256,): a few pieces do not matter."""
    half, table = miss.shape[1] // 2, np.zeros(256, np.float32)
    usual = np.partition(miss, half, axis=1)[:, half]
    if left_out is not None:
        for ink in np.flatnonzero(left_out.any(axis=1)).tolist():
            usual[ink] = middle(miss[ink, ~left_out[ink]])
    table[: len(miss)] = least + share * usual
    return table


@dataclass(frozen=True, eq=False, slots=True)
class Close:
    """Tiles of the flat view, to be looked at closely: what is seen and what is expected, linear BGR, `even`, what of
    the light reaches them, and how their brightness changes over some mm, natural log; float32 each.
    """

    tiles: Tiles
    seen: Flat
    usual: Flat
    even: Flat
    course: Flat


def doubtful(half: Flat, usual: Flat, ground: Ground) -> tuple[Mask, Flat]:
    """Which pixels may not be the empty board, bool (rows, cols), and by how much all are brighter than it, as a log.

    half, usual: what is seen and what is expected, in the same light all over, at half the size: linear BGR.
    """
    lit, brighter, *_ = _lit(tints(half), tints(usual), ground)
    return lit < _DOUBTFUL, brighter


def evidence(close: Close, ground: Ground, light: Light, colors: Floats, before: Evidence | None = None) -> Evidence:
    """Log-likelihood ratios of each colour against the empty board.

    Away from the tiles all is as `before`, or the empty board beyond doubt. colors: (K, 3) nominal, linear BGR.
    """
    pictures = close.seen / close.even, close.usual / close.even, close.even
    seen, usual = tints(pictures[0]), tints(as_seen(close.usual) / close.even)
    white = tints(light.of_color(np.ones(3)).astype(np.float32))
    empty = _empty(seen, usual, white, ground, pictures)
    apart, few = empty.apart, empty.seen
    doubt = np.sqrt(HUE_SPREAD**2 + (0.5 * DARK / few.sum) ** 2 + empty.hue**2)
    own, deep = (tints(light.of_color(paints).astype(np.float32)[:, None]) for paints in (colors, colors**DEEPER))
    layers = _pieces(few, own, (white, deep), doubt)
    course, rough = close.course.take(apart), ground.tables["rough"].take(ground.inks.take(apart))
    pieces = np.ascontiguousarray((layers + _unevenness(empty.change - course, rough)).T)
    lit, dull = empty.lit, empty.dull
    odd = -log(lit + _RARE_SHADOW * dull + _GLARE * empty.glint + np.float32(_STRAY))
    dim = (dull * 0.3 > lit) & (dull > 0.3)
    told = _weighed(_ratio(pieces, lit, dull, _RARE_SHADOW), apart, len(close.tiles.chosen))
    dark = _Dark(close.tiles, pieces, lit, dull, apart, None if before is None else before.dark)
    return _put_together(told, odd, dim, dark, before)


def _put_together(told: Flat, odd: Flat, dim: Mask, dark: _Dark, before: Evidence | None) -> Evidence:
    """The evidence of a whole flat view from that of some tiles, `told` (SIDE, N · SIDE, K), and from what is `odd` and
    `dim` of their pixels that are `apart`: all the others show the empty board beyond doubt, or what they did before.
    """
    whole = _bare(dark, told.shape[2], before)
    places, near = dark.tiles.pixels(), np.zeros(told.shape[:2], np.uint8)
    near.ravel()[dark.apart] = 1
    spread = np.flatnonzero(cv2.dilate(near, np.ones((3, 3), np.uint8)))
    at = places.take(spread)
    rows, at = told.reshape(-1, told.shape[2]).take(spread[at >= 0], axis=0), at[at >= 0]
    put_rows(whole.open, at, rows)
    whole.most[at] = reduce(np.maximum, rows.T)
    at = places.take(dark.apart)
    whole.odd.ravel()[at[at >= 0]], whole.dim.ravel()[at[at >= 0]] = odd[at >= 0], dim[at >= 0]
    return whole


def _bare(dark: _Dark, kinds: int, before: Evidence | None) -> Evidence:
    """The evidence of an empty board for so many colours, but as it was before away from the tiles."""
    tiles = dark.tiles
    away, plain = np.float32(np.log(_ALIKE)), np.float32(-np.log(_PLAIN))
    if before is None:
        size = tiles.shape[0] * tiles.shape[1]
        new = np.full((size, kinds), away), np.full(size, away), np.full(tiles.shape, plain)
        return Evidence(*new, np.zeros(tiles.shape, bool), dark)
    told = Evidence(before.open.copy(), before.most.copy(), before.odd.copy(), before.dim.copy(), dark)
    at = tiles.pixels()
    at = at[at >= 0]
    told.open[at], told.most[at], told.odd.ravel()[at], told.dim.ravel()[at] = away, away, plain, False
    return told


def _ratio(pieces: Flat, lit: Flat, dull: Flat, share: float) -> Flat:
    """Log-likelihood ratios of pieces, (N, K), against the board, of which so large a share lies in a shadow."""
    return np.asarray(pieces - log(lit + share * dull + _STRAY)[:, None], np.float32)


def _weighed(ratio: Flat, apart: Ints, tiles: int) -> Flat:
    """Log-likelihood ratios of some pixels of so many tiles, tempered, smoothed over neighbours:
    (SIDE, tiles · SIDE, K)."""
    kinds = ratio.shape[1]
    whole = np.full((tiles * SIDE * SIDE, kinds), np.log(_ALIKE), np.float32)
    put_rows(whole, apart, log(exp(np.clip(ratio, -10, _MOST)) + _ALIKE))
    layers = whole.reshape(SIDE, -1, kinds)
    return np.asarray(cv2.sepFilter2D(layers, -1, _THIRDS, _THIRDS), np.float32).reshape(layers.shape)


_THIRDS = np.full(3, 1 / 3, np.float32)


def put_rows(layer: Flat, at: Ints, rows: Flat) -> None:
    """Put rows, (N, K), in their places in a layer, (M, K): as `layer[at] = rows`, which takes eight times as long."""
    whole = f"V{layer.itemsize * layer.shape[1]}"
    layer.view(whole)[:, 0][at] = np.ascontiguousarray(rows, layer.dtype).view(whole)[:, 0]


def _outside(seen: Flat, usual: Flat) -> Flat:
    """How far a layer lies, signed, outside of what is expected within half a pixel: blur, a small shift."""
    box = np.ones((3, 3), np.uint8)
    high, low = (cv2.addWeighted(usual, 0.5, part, 0.5, 0) for part in (cv2.dilate(usual, box), cv2.erode(usual, box)))
    return np.asarray(cv2.subtract(seen, cv2.max(cv2.min(seen, high), low)), np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class _Empty:
    """Densities of what is seen if the board is empty, and the pixels `apart` on which it may not be.

    All at these, raveled. lit: as expected, or in a glare. seen: the picture. change: natural log by which it is
    brighter than expected. dull, glint: in a shadow; in a glare. hue: the hue's spread.
    """

    apart: Ints
    lit: Flat
    seen: Tints
    change: Flat
    dull: Flat
    glint: Flat
    hue: Flat


def _empty(seen: Tints, usual: Tints, white: Tints, ground: Ground, pictures: tuple[Flat, Flat, Flat]) -> _Empty:
    """How well each pixel fits the empty board; what is lit as expected beyond doubt is not looked at further.

    pictures: of what `seen` and `usual` are the tints, and the field of the light.
    """
    lit, brighter, off, spread = _lit(seen, usual, ground)
    apart = np.flatnonzero(lit < _PLAIN)
    few = seen.at(apart)
    change, off, hue = (layer.take(apart) for layer in (brighter, off, spread))
    picture, plain, even = _at(pictures, apart)
    off = _off_if_burnt(off, picture, plain, even)
    dusk = hue + _DUSK * np.clip(-change, 0, 1) + 0.4 * DARK / few.sum
    dull = _normal(off / dusk**2) / (2 * np.pi * dusk**2)
    shade = dull * ((change < 0) & (change > -1.8)) / 1.8
    known = ground.umbra(pictures, apart)
    if known is not None:
        umbral = _umbral(few, plain, np.minimum(known / even, LIGHTEST), change, hue)
        shade = (1 - _OTHER_SHADE) * umbral + _OTHER_SHADE * shade
    glint, bright = np.zeros(len(apart), np.float32), np.flatnonzero((change >= 0) & (change < 3))
    shine = _tone(few.at(bright), usual.at(apart.take(bright)), white, hue.take(bright) + np.float32(0.03))
    glint[bright] = np.maximum(dull.take(bright), shine) * np.float32(_GLINT)
    return _Empty(apart, lit.take(apart) + glint, few, change, np.asarray(shade, np.float32), glint, hue)


def _off_if_burnt(off: Flat, seen: Flat, usual: Flat, even: Flat) -> Flat:
    """The squares by which hues are off, (N,), if a shadow lies there: the lit board may give more of the channels that
    are burnt out than can be seen, and its shadow shows that. Of a yellow lane an orange one was surely a pawn.

    seen, usual: linear BGR (N, 3), in the light of the picture, of which so much reaches each pixel: `even`.
    """
    burnt = usual * even > _BURNT
    some = np.flatnonzero(reduce(np.logical_or, burnt.T))
    if not len(some):
        return off
    seen, usual = (layer.take(some, axis=0) for layer in (seen, usual))
    burnt = burnt.take(some, axis=0)
    told = ~burnt | reduce(np.logical_and, burnt.T)[:, None]
    share = reduce(np.minimum, np.where(told, seen / usual, np.float32(np.inf)).T)[:, None]
    whole = np.where(burnt, np.clip(seen / np.maximum(share, np.float32(1e-3)), usual, _MORE * usual), usual)
    one, other, result = tints(seen), tints(whole), off.copy()
    result[some] = np.minimum(off.take(some), np.square(one.u - other.u) + np.square(one.v - other.v))
    return result


def _at(pictures: tuple[Flat, ...], pixels: Ints) -> list[Flat]:
    """Some pixels, raveled, of pictures (rows, cols, 3)."""
    return [picture.reshape(-1, 3).take(pixels, axis=0) for picture in pictures]


def _lit(seen: Tints, usual: Tints, ground: Ground) -> tuple[Flat, Flat, Flat, Flat]:
    """The density of what is seen if the board lies there lit as expected; by how much it is brighter, natural log, the
    square by which its hue is off, and how far hues usually are off: (rows, cols) each."""
    brighter, du, dv = (_outside(a, b) for a, b in ((seen.log, usual.log), (seen.u, usual.u), (seen.v, usual.v)))
    bright, spread = ground.spread("bright"), ground.spread("hue")
    off = du * du + dv * dv
    tight = spread * spread
    lit = _normal(off / tight + (brighter / bright) ** 2) / ((5 * np.pi) * tight * bright)
    return lit, brighter, off, spread


def _umbral(seen: Tints, plain: Flat, left: Flat, change: Flat, hue: Flat) -> Flat:
    """Density of what is seen at some pixels if a shadow lies there that leaves the share `left` of the light, or its
    rim. plain, left: linear BGR (N, 3), the board in full light. hue: the spread of its hue.
    """
    total = np.einsum("nc->n", plain) + np.float32(DARK)
    deepest = (np.einsum("nc,nc->n", plain, left) + np.float32(DARK)) / total
    share = np.clip((1 - seen.sum / total) / np.maximum(1 - deepest, 1e-3), 0, 1)[:, None]
    shaded = tints(plain * (1 + share * (left - 1)))
    spread = hue + _RIM + 0.4 * DARK / seen.sum
    tone = _normal(((seen.u - shaded.u) ** 2 + (seen.v - shaded.v) ** 2) / spread**2) / (2 * np.pi * spread**2)
    depth = np.log(deepest)
    full = _normal(((change - depth) / _DEPTH) ** 2) / (2.5 * _DEPTH)
    rim = ((change < 0) & (change > depth)) / np.maximum(-depth, _DEPTH)
    return np.asarray(tone * ((1 - _RIMS) * full + _RIMS * rim), np.float32)


def _unevenness(off: Flat, spread: Flat) -> Flat:
    """Nats by which the brightness changes as over a round body, and not evenly as in a shadow, at some pixels.

    off: natural log by which each is brighter than its surroundings, both against what is expected. spread: how far
    the board usually is off.
    """
    rough = np.asarray(np.abs(off), np.float32)
    body = exp(-rough / _UNEVEN) / _UNEVEN
    board = 0.95 * _normal((rough / spread) ** 2) / (1.25 * spread) + 0.05 * body
    return log(body / board).clip(-1.0, 1.0)


def _normal(square: Flat) -> Flat:
    return exp(np.clip(-0.5 * square, np.float32(-30), np.float32(0)))


def _pieces(seen: Tints, own: Tints, ends: tuple[Tints, ...], doubt: Flat) -> Flat:
    """Log-likelihoods of pieces of the colours `own`, (K, 1), more or less lit: (K, N).

    Its hue lies near a line from its own to that of one of the `ends`: the light's, which its surface reflects,
    or its own deepened, where light bounces between pieces. doubt: the spread of a hue.
    """
    tone = sum(_tone(seen, own, end, doubt) for end in ends) / len(ends)
    shade = (seen.log - own.log - SHADE_MEAN) / SHADE_SPREAD
    lit = _normal(shade**2) / (2.5 * SHADE_SPREAD)
    return log(tone * lit + _STRAY)


def _tone(seen: Tints, start: Tints, end: Tints, doubt: Flat) -> Flat:
    """Density of hues that lie near the segment between two hues, the nearer to its start the likelier."""
    wu, wv, su, sv = end.u - start.u, end.v - start.v, seen.u - start.u, seen.v - start.v
    length = np.sqrt(wu * wu + wv * wv) + 1e-3
    along, across = (su * wu + sv * wv) / length, (su * wv - sv * wu) / length
    kept = np.clip(along, 0, length)
    near = _normal((across**2 + (along - kept) ** 2) / doubt**2 + kept * (2 / (_BLEACH * length)))
    return np.asarray(near / (2.5 * doubt * (_BLEACH * length + 1.25 * doubt)), np.float32)
