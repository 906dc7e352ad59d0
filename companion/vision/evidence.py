"""How much each pixel speaks for a piece of each colour, against the empty board in today's light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.light import Light
from companion.vision.pose import Flat, Floats, Frame
from companion.vision.umbra import umbra

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Box = tuple[slice, slice]
"""Rows and columns of a part of the flat view."""

DEEPER = 1.6
"""The power of a colour after light bounced between pieces."""
_DARK = 0.012  # linear light below which colour means little
_SHADE_SPREAD = 0.8  # natural log: how unevenly a piece is lit
_SHADE_MEAN = -0.35
_HUE_SPREAD = 0.05
_BLEACH = 0.3  # of the way from the own hue to the light's
_UNEVEN = 0.1  # natural log: how much the light on a piece changes within some mm
_GLINT = 0.02  # density of places that shine brighter than the light explains
_RARE_SHADOW, _CAST_SHADOW = 0.09, 0.6  # how often the empty board lies in a shadow: anywhere, beside a piece
_GLARE = 20.0  # how much likelier a glare is where a hand is the other explanation
_DUSK = 0.08  # how far the hue of a deep shadow may be off: it is lit by other lamps
_OTHER_SHADE, _RIMS = 0.3, 0.3  # shares of the shadows: those that are of another kind; of the others, their rims
_RIM, _DEPTH = 0.03, 0.3  # how far the hue, and the natural log of the light, may be off in a shadow that is known
_LIGHTEST = 0.85  # share of the light: a shadow leaves less
_STRAY = 0.004
_PLAIN = 150.0  # density from which on a pixel is the lit board's beyond doubt
_ALIKE = 0.1  # share of a piece that may look like the board behind it
_BORDER = 8  # pixels round a part that is looked at again, so that its edges are smoothed as before
_SAMPLED = 8000  # pixels of the board from which what is usual is measured
_MOST = 3.5  # nats: no pixel says more than this


@dataclass(frozen=True, eq=False, slots=True)
class Tints:
    """A flat view as brightness and hue: log is the natural log of R + G + B (+ a floor), u and v say the hue."""

    log: Flat
    u: Flat
    v: Flat
    sum: Flat

    def at(self, pixels: Ints) -> Tints:
        """Some pixels, raveled, alone."""
        return Tints(*(layer.ravel()[pixels] for layer in (self.log, self.u, self.v, self.sum)))


def tints(image: Flat) -> Tints:
    """Brightness and hue of linear BGR float32 (…, 3)."""
    blue, green, red = image[..., 0], image[..., 1], image[..., 2]
    total = np.asarray(blue + green + red + _DARK, np.float32)
    return Tints(np.log(total), (red - green) / total, (red + green - 2 * blue) / (2 * total), total)


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """What each pixel of a flat view says, in nats.

    open, shaded: (rows·cols, K), for each colour against the empty board, where shadows are rare and where one
    is likely. odd: (rows, cols), against the empty board, whatever it is. dim: bool (rows, cols), as in a shadow.
    """

    open: Flat
    shaded: Flat
    odd: Flat
    dim: Mask


@dataclass(frozen=True, eq=False, slots=True)
class Ground:
    """How well each ink of the empty board is usually met: measured over the whole board, kept for parts of it.

    inks: which ink each pixel is, uint8 (rows, cols). samples: raveled pixels by ink. shadows: whether to measure them.
    tables: what was measured.
    """

    inks: Frame
    samples: tuple[Ints, ...]
    shadows: bool = False
    tables: dict[str, Flat] = field(default_factory=dict)

    def spread(self, name: str, miss: Flat, least: float, share: float) -> Flat:
        """`least` and a share of the median of `miss` over each ink, as a layer: a few pieces do not matter."""
        if name not in self.tables:
            flat = miss.ravel()
            table = np.full(256, float(np.median(flat[:: max(1, flat.size // _SAMPLED)])), np.float32)
            for ink, pixels in enumerate(self.samples):
                if len(pixels):
                    table[ink] = np.median(flat[pixels])
            self.tables[name] = least + share * table
        return np.asarray(cv2.LUT(self.inks, self.tables[name]), np.float32)

    def umbra(self, seen: Flat, usual: Flat, even: Flat, apart: Ints) -> Flat | None:
        """What shadows leave of the light, measured when first asked: see `umbra`. apart: raveled pixels."""
        if not self.shadows:
            return None
        if "umbra" not in self.tables:
            found = umbra(seen, usual, even, self.inks.ravel()[apart])
            self.tables["umbra"] = np.zeros(0, np.float32) if found is None else found.astype(np.float32)
        known = self.tables["umbra"]
        return known if len(known) else None

    def part(self, box: Box) -> Ground:
        """The ground of a part of the board."""
        return Ground(np.ascontiguousarray(self.inks[box]), self.samples, self.shadows, self.tables)


def evidence(flat: Flat, expected: Flat, even: Flat, ground: Ground, light: Light, colors: Floats) -> Evidence:
    """Log-likelihood ratios of each colour against the empty board.

    flat, expected: linear BGR float32 (rows, cols, 3). even: the light's field there, float32 (rows, cols, 3).
    colors: (K, 3) nominal, linear BGR.
    """
    pictures = flat / even, expected / even, even
    seen, usual = (tints(picture) for picture in pictures[:2])
    white = tints(light.of_color(np.ones(3)).astype(np.float32))
    empty = _empty(seen, usual, white, ground, pictures)
    apart = empty.apart
    uneven = _unevenness(empty.change, ground, apart)
    few = seen.at(apart)
    doubt = np.sqrt(_HUE_SPREAD**2 + (0.5 * _DARK / few.sum) ** 2 + empty.hue**2)
    layers = []
    for color in colors:
        own, deep = (tints(light.of_color(c).astype(np.float32)) for c in (color, color**DEEPER))
        layers.append(_piece(few, own, (white, deep), doubt) + uneven)
    pieces, lit, dull = np.stack(layers, axis=1), empty.lit.ravel()[apart], empty.dull
    told = [
        _weighed(pieces - np.log(lit + share * dull + _STRAY)[:, None], apart, flat.shape[:2])
        for share in (_RARE_SHADOW, _CAST_SHADOW)
    ]
    odd, dim = empty.lit + np.float32(_STRAY), np.zeros(flat.shape[:2], bool)
    odd.ravel()[apart] += _RARE_SHADOW * dull + _GLARE * empty.glint
    dim.ravel()[apart] = (dull * 0.3 > lit) & (dull > 0.3)
    return Evidence(told[0], told[1], -np.asarray(cv2.log(odd), np.float32), dim)


def renewed(
    told: Evidence,
    boxes: Sequence[Box],
    flat: Flat,
    expected: Flat,
    even: Flat,
    ground: Ground,
    light: Light,
    colors: Floats,
) -> Evidence:
    """The evidence of a look before, taken again within some boxes of the flat view; the rest as in `evidence`."""
    shape = flat.shape[:2]
    new = Evidence(told.open.copy(), told.shaded.copy(), told.odd.copy(), told.dim.copy())
    for down, across in boxes:
        wide = _wider(down, shape[0]), _wider(across, shape[1])
        part = evidence(flat[wide], expected[wide], even[wide], ground.part(wide), light, colors)
        y, x = down.start - wide[0].start, across.start - wide[1].start
        inner = slice(y, y + down.stop - down.start), slice(x, x + across.stop - across.start)
        size = part.odd.shape
        for whole, own in ((new.open, part.open), (new.shaded, part.shaded)):
            whole.reshape(*shape, -1)[down, across] = own.reshape(*size, -1)[inner]
        new.odd[down, across], new.dim[down, across] = part.odd[inner], part.dim[inner]
    return new


def _wider(side: slice, end: int) -> slice:
    return slice(max(side.start - _BORDER, 0), min(side.stop + _BORDER, end))


def _weighed(ratio: Flat, apart: Ints, shape: tuple[int, ...]) -> Flat:
    """Log-likelihood ratios of some pixels (N, K), tempered, among all, smoothed over neighbours: (rows·cols, K)."""
    kinds = ratio.shape[1]
    whole = np.full((shape[0] * shape[1], kinds), np.log(_ALIKE), np.float32)
    whole[apart] = np.log(np.exp(np.clip(ratio, -10, _MOST)) + _ALIKE)
    return np.asarray(cv2.blur(whole.reshape(*shape, kinds), (3, 3)).reshape(-1, kinds), np.float32)


def _outside(seen: Flat, usual: Flat) -> Flat:
    """How far a layer lies, signed, outside of what is expected within half a pixel: blur, a small shift."""
    box = np.ones((3, 3), np.uint8)
    high, low = (cv2.addWeighted(usual, 0.5, part, 0.5, 0) for part in (cv2.dilate(usual, box), cv2.erode(usual, box)))
    return np.asarray(cv2.subtract(seen, cv2.max(cv2.min(seen, high), low)), np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class _Empty:
    """Densities of what is seen if the board is empty, and the pixels `apart` on which it may not be.

    lit: (rows, cols), lit as expected, or in a glare. change: (rows, cols), natural log by which it is brighter than
    expected. dull, glint, hue: at `apart` only, raveled: in a shadow; in a glare; the spread of the hue.
    """

    lit: Flat
    change: Flat
    apart: Ints
    dull: Flat
    glint: Flat
    hue: Flat


def _empty(seen: Tints, usual: Tints, white: Tints, ground: Ground, pictures: tuple[Flat, Flat, Flat]) -> _Empty:
    """How well each pixel fits the empty board; what is lit as expected beyond doubt is not looked at further.

    pictures: of what `seen` and `usual` are the tints, and the field of the light.
    """
    brighter, du, dv = (_outside(a, b) for a, b in ((seen.log, usual.log), (seen.u, usual.u), (seen.v, usual.v)))
    bright = ground.spread("bright", np.abs(seen.log - usual.log), 0.03, 1.5)
    spread = ground.spread("hue", np.abs(seen.u - usual.u) + np.abs(seen.v - usual.v), 0.012, 1.2)
    off = du * du + dv * dv
    tight = spread * spread
    lit = _normal(off / tight + (brighter / bright) ** 2) / ((5 * np.pi) * tight * bright)
    apart = np.flatnonzero(lit < _PLAIN)
    few, board = seen.at(apart), usual.at(apart)
    change, off, hue = brighter.ravel()[apart], off.ravel()[apart], spread.ravel()[apart]
    dusk = hue + _DUSK * np.clip(-change, 0, 1) + 0.4 * _DARK / few.sum
    dull = _normal(off / dusk**2) / (2 * np.pi * dusk**2)
    shade = dull * ((change < 0) & (change > -1.8)) / 1.8
    rgb, plain, even = (picture.reshape(-1, 3)[apart] for picture in pictures)
    known = ground.umbra(rgb, plain, even, apart)
    if known is not None:
        umbral = _umbral(few, plain, np.minimum(known / even, _LIGHTEST), change, hue)
        shade = (1 - _OTHER_SHADE) * umbral + _OTHER_SHADE * shade
    shine = np.maximum(dull, _tone(few, board, white, hue + 0.03))
    glint = shine * ((change >= 0) & (change < 3)) * _GLINT
    lit.ravel()[apart] += glint
    return _Empty(lit, brighter, apart, np.asarray(shade, np.float32), np.asarray(glint, np.float32), hue)


def _umbral(seen: Tints, plain: Flat, left: Flat, change: Flat, hue: Flat) -> Flat:
    """Density of what is seen at some pixels if a shadow lies there that leaves the share `left` of the light, or its
    rim. plain, left: linear BGR (N, 3), the board in full light. hue: the spread of its hue.
    """
    total = plain.sum(axis=1) + _DARK
    deepest = ((plain * left).sum(axis=1) + _DARK) / total
    share = np.clip((1 - seen.sum / total) / np.maximum(1 - deepest, 1e-3), 0, 1)[:, None]
    shaded = tints(plain * (1 + share * (left - 1)))
    spread = hue + _RIM + 0.4 * _DARK / seen.sum
    tone = _normal(((seen.u - shaded.u) ** 2 + (seen.v - shaded.v) ** 2) / spread**2) / (2 * np.pi * spread**2)
    depth = np.log(deepest)
    full = _normal(((change - depth) / _DEPTH) ** 2) / (2.5 * _DEPTH)
    rim = ((change < 0) & (change > depth)) / np.maximum(-depth, _DEPTH)
    return np.asarray(tone * ((1 - _RIMS) * full + _RIMS * rim), np.float32)


def _unevenness(change: Flat, ground: Ground, apart: Ints) -> Flat:
    """Nats by which the brightness changes as over a round body, and not evenly as in a shadow, at some pixels.

    change: natural log by which each pixel is brighter than expected, (rows, cols).
    """
    rough = np.asarray(cv2.absdiff(change, cv2.GaussianBlur(change, (0, 0), 2.0)), np.float32)
    spread = ground.spread("rough", rough, 0.015, 1.5).ravel()[apart]
    rough = rough.ravel()[apart]
    even = 0.95 * _normal((rough / spread) ** 2) / (1.25 * spread) + 0.05 * np.exp(-rough / _UNEVEN) / _UNEVEN
    return np.asarray(np.log(np.exp(-rough / _UNEVEN) / _UNEVEN / even), np.float32).clip(-1.0, 1.0)


def _normal(square: Flat) -> Flat:
    if not square.size:  # OpenCV has no answer to nothing
        return square
    return np.asarray(cv2.exp(np.maximum(-0.5 * square, np.float32(-30))), np.float32).reshape(square.shape)


def _piece(seen: Tints, own: Tints, ends: tuple[Tints, ...], doubt: Flat) -> Flat:
    """Log-likelihood of a piece of the colour `own`, more or less lit.

    Its hue lies near a line from its own to that of one of the `ends`: the light's, which its surface reflects,
    or its own deepened, where light bounces between pieces. doubt: the spread of a hue.
    """
    tone = sum(_tone(seen, own, end, doubt) for end in ends) / len(ends)
    shade = (seen.log - own.log - _SHADE_MEAN) / _SHADE_SPREAD
    lit = _normal(shade**2) / (2.5 * _SHADE_SPREAD)
    return np.asarray(np.log(tone * lit + _STRAY), np.float32)


def _tone(seen: Tints, start: Tints, end: Tints, doubt: Flat) -> Flat:
    """Density of hues that lie near the segment between two hues, the nearer to its start the likelier."""
    wu, wv, su, sv = end.u - start.u, end.v - start.v, seen.u - start.u, seen.v - start.v
    length = np.sqrt(wu * wu + wv * wv) + 1e-3
    along, across = (su * wu + sv * wv) / length, (su * wv - sv * wu) / length
    kept = np.clip(along, 0, length)
    near = _normal((across**2 + (along - kept) ** 2) / doubt**2) * np.exp(-kept / (_BLEACH * length))
    return np.asarray(near / (2.5 * doubt * (_BLEACH * length + 1.25 * doubt)), np.float32)
