"""Today's light: how the empty board, and a piece of a known colour, would look in this picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.light.mirrored import GLARED, unmirrored
from companion.vision.light.shade import uneven_light
from companion.vision.light.veil import PLAINLY, unexplained, veil
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats, Frame
from companion.vision.view.powers import exp, log
from companion.vision.view.surface import CELL, Pairs, Surface, linear, with_inks
from companion.vision.view.tiles import Tiles

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_RIDGE = 0.02
_SAID = 8  # samples of an ink, that have something to say of it
_ROUNDS = 4  # in which pieces lose their say in the course of the light
_ENOUGH_CLEAR = 3  # cells of an ink without such a light
_FLOOR = 0.02  # linear light added before ratios are taken, so that black does not count
_REACH = 1.4  # cells
_EDGE, _STEP = 7, 0.25  # pixels at half the size over which, and natural log by which, the light changes at an edge
_HOLD = 0.02
_HUE, _OTHER_INK = 0.07, 0.15  # how far a hue may be off; that of an ink which looks alike all over the board
_ALIKE, _MOST_ALIKE, _MANY = 0.15, 0.6, 12  # natural log by which cells of an ink may differ; share of them; how many
_ONE_HUE = 0.05
_STEEP = 1.5  # natural log: over few boards does the light change by more, but where a lamp is mirrored in them
_MOSTLY, _WORSE = 0.75, 2.0  # share of samples; times that those with a lamp's image are farther off than the others
_STEADY, _STEADY_HUE = 0.03, 0.2  # how far a field is held level, and of one hue, that is not seen all over the board
_MOST_GAIN = 0.5  # natural log: the channels of white hardly differ by more than twice that, from one light to another
_MUCH = 0.5  # natural log by which an ink may be lighter than expected: else patches of light are looked for first
_BRIGHTEST = 1.0  # linear light: no picture shows more
_SETTLED = 1e-3  # natural log: a fit that changes less from one round to the next is done


@dataclass(frozen=True, eq=False, slots=True)
class Light:
    """How printed colours turn into seen ones, both linear BGR: seen = field(x, y) · (mix @ printed + haze).

    mix: (3, 3). haze: (3,). slope: (6, 3), a quadratic in x, y (−1 to 1 over the sheet) of the field's natural log,
    one column a channel.
    """

    mix: Floats
    haze: Floats
    slope: Floats

    def of_color(self, color: Floats) -> Floats:
        """What a printed linear BGR colour, (…, 3), gives before the field is applied."""
        return np.clip(color @ self.mix.T + self.haze, 1e-4, np.inf)

    def field(self, rows: int, cols: int) -> Flat:
        """The field over a flat view, float32 (rows, cols, 3)."""
        return np.asarray(cv2.resize(np.exp(_mesh() @ self.slope).astype(np.float32), (cols, rows)))

    def field_at(self, at: Floats) -> Floats:
        """The field at some places, −1 to 1 over the sheet (N, 2): (N, 3)."""
        return np.asarray(np.exp(_basis(at[:, 0], at[:, 1]).T @ self.slope))

    def expected(self, printed: Flat) -> Flat:
        """The empty board as this light shows it: linear BGR, float32, from `printed` (rows, cols, 3)."""
        seen = cv2.transform(printed, np.column_stack([self.mix, self.haze]).astype(np.float32))
        cv2.multiply(seen, self.field(*printed.shape[:2]), dst=seen)
        return np.clip(seen, 1e-4, np.inf, out=np.asarray(seen, np.float32))


def _basis(x: Floats, y: Floats) -> Floats:
    """The quadratic's terms, (6, …)."""
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])


@lru_cache(maxsize=1)
def _mesh() -> Floats:
    """The terms on a coarse mesh over the sheet, (24, 24, 6)."""
    side = np.linspace(-1, 1, 24)
    return np.moveaxis(_basis(*np.meshgrid(side, side)), 0, -1)


def estimate_light(flat: Flat | Frame, surface: Surface) -> Light:
    """Fit today's light to a flat view, linear BGR float32 or uint8 BGR (rows, cols, 3), of the board `surface` shows
    empty.

    Pieces and hands are outliers: the fit is reweighted until they no longer pull (Geman-McClure weights).
    """
    known, seen = _samples(flat, surface)
    light = _fitted(known, seen, flat, surface)
    if np.ptp(_mesh() @ light.slope, axis=(0, 1)).max() < _STEEP:
        return light
    plain = unmirrored(known.terms[1:3], known.ink, known.color, seen)
    if plain is None or _explains(light, known, seen, plain):
        return light
    return _fitted(known.only(plain), seen.take(plain, axis=1), flat, surface, steady=True)


def _explains(light: Light, known: _Samples, seen: Flat, some: Ints) -> bool:
    """Whether a light explains the other samples, (3, N), hardly worse than `some` of them: a lamp that is near makes
    one end of the board many times as bright, too, but all inks alike."""
    usual = light.of_color(known.color.T.astype(float)) * light.field_at(known.terms[1:3].T.astype(float))
    miss = np.abs(np.log((seen.T + _FLOOR) / (usual + _FLOOR))).max(axis=1)
    others = np.delete(miss, some)
    return bool(np.quantile(others, _MOSTLY) < _WORSE * np.quantile(miss[some], _MOSTLY))


def _fitted(known: _Samples, seen: Flat, flat: Flat | Frame, surface: Surface, steady: bool = False) -> Light:
    """See `estimate_light`. seen: (3, N). steady: whether the samples leave out a part of the board."""
    there, wide, terms = known.color, known.wide, known.terms
    slope = np.zeros((6, 3))
    found = _veil(known, seen, flat, surface) if surface.of_photo else None  # what a printer does to inks is no veil
    gain, veiled = (_gain(there, seen), np.zeros(3)) if found is None else found
    first = (there.T * gain + veiled).T.astype(np.float32)
    weight = _trust(log((seen + 0.02) / (first + 0.02)))
    mix, haze, bright = np.eye(3), np.zeros(3), log(np.maximum(seen, 1e-3))
    course = np.zeros_like(seen)
    for _ in range(6):
        mix, haze = _fit_mix(known, seen, exp(course), weight, veiled)
        base = np.maximum(np.column_stack([mix, haze]).astype(np.float32) @ wide, 1e-3)
        ratio = bright - log(base)
        before, slope = slope, _fit_field(known, ratio, weight * base / (base + 0.05), steady)
        if np.abs(slope - before).max() < _SETTLED:
            break
        course = slope.T.astype(np.float32) @ terms
        weight = _trust((ratio - course) * base / (base + 0.02))
    return Light(mix, haze, slope)


def _veil(known: _Samples, seen: Flat, flat: Flat | Frame, surface: Surface) -> tuple[Floats, Floats] | None:
    """See `veil`; but None where the course of the light over the board explains it as well. seen: (3, N).

    On a plain wooden board inks are brighter and darker places of the photo, that another lamp lights alike: as in a
    veil, but that here what lies side by side keeps its contrast.
    """
    own = [samples for ink in range(len(known.voices)) if len(samples := np.flatnonzero(known.ink == ink)) >= _SAID]
    if not own:
        return None
    printed, here = (np.stack([middle(layer.take(ink, axis=1)) for ink in own]).T for layer in (known.color, seen))
    found = veil(printed.astype(float), here.astype(float), known.voices[[known.ink[ink[0]] for ink in own]])
    if found is None:
        return None
    pairs = _of_pairs(surface)
    met = surface.pairs.averages(_bright(flat, surface.pairs.pixels)).astype(np.float32)
    without = _left(pairs, met, _gain(pairs.color, met), np.zeros(3))
    plainly = _left(pairs, met, *found) < PLAINLY * without
    return found if plainly else None


def _gain(printed: Flat, seen: Flat) -> Floats:
    """By what most places are lighter than they are printed, (3,). printed, seen: linear BGR (3, N)."""
    return middle(seen / np.maximum(printed, 0.02))


def _left(known: _Samples, seen: Flat, gain: Floats, haze: Floats) -> float:
    """What a gain and a haze of each channel, (3,), leave unexplained of all inks, in whatever course of the light.
    seen: (3, N)."""
    voices = known.voices / np.bincount(known.ink, minlength=len(known.voices)).clip(1)
    base = (known.color.T * gain + haze).T.astype(np.float32)
    ratio = log((seen + np.float32(_FLOOR)) / (base + np.float32(_FLOOR)))
    told, miss = voices.take(known.ink).astype(np.float32), ratio - middle(ratio).astype(np.float32)[:, None]
    for _ in range(_ROUNDS):
        course = _fit_field(known, ratio, np.broadcast_to(told * _trust(miss), ratio.shape))
        miss = ratio - course.T.astype(np.float32) @ known.terms
    return float(unexplained(np.abs(miss).max(axis=0)) @ told)


def _trust(miss: Flat) -> Flat:
    """Geman-McClure weights, (N,), from residuals (3, N), in units of their own median."""
    worst = np.abs(miss).max(axis=0)
    return np.asarray(1 / (1 + (worst / max(0.05, 1.5 * float(middle(worst)))) ** 2) ** 2)


def middle(values: Floats | Flat) -> Floats:
    """The median along the last axis: as `np.median` has it, which takes some times as long; so does a partition."""
    half = values.shape[-1] // 2
    order: Floats = np.sort(values, axis=-1)
    return np.asarray(order[..., half] if values.shape[-1] % 2 else (order[..., half - 1] + order[..., half]) / 2)


@dataclass(frozen=True, eq=False, slots=True)
class _Samples:
    """Places where the light is measured. wide: the printed colours and a row of ones, (4, N). terms: of the field,
    (6, N). squares: the products of every two rows of `wide`, and of `terms`, (N, 16) and (N, 36). ink: of each, (N,).
    voices: how much each of all inks has to say, as the more of the board has it.
    """

    wide: Flat
    terms: Flat
    squares: tuple[Flat, Flat]
    ink: Ints
    voices: Floats

    @property
    def color(self) -> Flat:
        """The printed colours, linear BGR (3, N)."""
        return self.wide[:3]

    def only(self, some: Ints) -> _Samples:
        """Some of them alone."""
        colors, terms = (products.take(some, axis=0) for products in self.squares)
        wide, field = (rows.take(some, axis=1) for rows in (self.wide, self.terms))
        return _Samples(wide, field, (colors, terms), self.ink.take(some), self.voices)


@kept()
def _of_surface(surface: Surface) -> _Samples:
    ink = surface.inks.take(surface.samples).astype(np.int64)
    return _sampled(surface, surface.sampled, surface.sampled_at, ink)


@kept()
def _of_pairs(surface: Surface) -> _Samples:
    """The inks as they are met in cells, in place of the samples."""
    pairs, (down, across) = surface.pairs, surface.pairs.mesh
    y, x = np.divmod(pairs.cell, across)
    return _sampled(surface, pairs.color, np.stack([(2 * x + 1) / across - 1, (2 * y + 1) / down - 1]), pairs.ink)


def _sampled(surface: Surface, color: Floats, at: Floats, ink: Ints) -> _Samples:
    """Samples of printed colours, linear BGR (3, N), at places, −1 to 1 over the board, (2, N), of inks, (N,)."""
    wide = np.vstack([color, np.ones(len(ink))]).astype(np.float32)
    terms = _basis(*at).astype(np.float32)
    voices = np.sqrt(np.bincount(surface.pairs.ink, minlength=len(surface.palette)))
    return _Samples(wide, terms, (_products(wide), _products(terms)), ink, voices)


def _products(rows: Flat) -> Flat:
    """The products of every two rows, (R, N): (N, R²)."""
    return np.ascontiguousarray((rows[:, None] * rows).reshape(len(rows) ** 2, -1).T)


def _samples(flat: Flat | Frame, surface: Surface) -> tuple[_Samples, Flat]:
    """Where the light is measured, and the colours seen there, (3, N): where the picture is not burnt out."""
    known = _of_surface(surface)
    seen = np.ascontiguousarray(_bright(flat, surface.samples).T)
    top = seen.max(axis=0)
    good = np.flatnonzero((top < 0.97) & (top > 0))
    if len(good) < 200 or len(good) == len(top):
        return known, seen
    return known.only(good), seen.take(good, axis=1)


def _bright(flat: Flat | Frame, pixels: Ints) -> Flat:
    """Some pixels, raveled, (N,), of a flat view, uint8 or linear BGR: linear BGR, (N, 3)."""
    some = flat.reshape(-1, 3).take(pixels, axis=0)
    return linear(np.asarray(some, np.uint8)) if some.dtype == np.uint8 else np.asarray(some, np.float32)


def _fit_field(known: _Samples, ratio: Flat, trust: Flat, steady: bool = False) -> Floats:
    """Weighted least squares for the field's six terms, (6, 3); the hue of the light hardly changes over a board.

    ratio, trust: (3, N). steady: whether it is held level, and all channels to one course, as the clearest one tells.
    """
    normal, right = (trust @ known.squares[1]).reshape(3, 6, 6).astype(float), (trust * ratio) @ known.terms.T
    said = trust.sum(axis=1)
    level = np.diag([0.1] + [0.1 + steady * _STEADY * float(said.mean())] * 5)
    common = np.linalg.solve(normal.mean(axis=0) + level, right.mean(axis=0))
    hold = (np.full(3, _STEADY_HUE * said.max()) if steady else _ONE_HUE * said)[:, None, None] * np.eye(6)
    rest = right - normal @ common
    return np.asarray(common[:, None] + np.linalg.solve(normal + hold, rest[..., None])[..., 0].T)


def _fit_mix(known: _Samples, seen: Flat, field: Flat, weight: Flat, veiled: Floats) -> tuple[Floats, Floats]:
    """Weighted least squares for mix and haze, held near a gain per channel, as white has it, where colours are few.

    seen, field: (3, N). weight: (N,). veiled: near which the haze is held, (3,).
    """
    heavy = weight * (field / (seen + 0.05)) ** 2
    normal, right = (heavy @ known.squares[0]).reshape(3, 4, 4).astype(float), (heavy * seen / field) @ known.wide.T
    each = np.arange(3)
    gain = (right[each, each] - veiled * normal[each, each, 3]) / np.maximum(normal[each, each, each], 1e-9)
    hold = _RIDGE * normal[:, 3, 3]
    right[each, each] += hold * _of_white(gain)
    right[each, 3] += hold * veiled
    rows = np.linalg.solve(normal + hold[:, None, None] * np.eye(4), right[..., None])[..., 0]
    return rows[:, :3], rows[:, 3]


def _of_white(gain: Floats) -> Floats:
    """What each channel, (3,), becomes of white where the board's inks become so much of it. Lights differ by a little,
    and so does white; a camera that makes colours deeper or paler changes a brown board by more, and by other gains.
    """
    each = np.log(np.maximum(gain, 1e-3))
    mean = each.mean()
    off = each - mean
    return np.asarray(np.exp(mean + _MOST_GAIN * np.tanh(off / _MOST_GAIN)))


def touch_up(
    flat: Frame, half: Flat, light: Light, surface: Surface, piece: Piece, own: Light | None = None
) -> Today:
    """The empty board as `light` shows it, corrected by what is seen: first each ink, then where shadows have edges,
    then each place.

    flat: the flat view, uint8 BGR. half: the same at half the size, linear BGR float32. own: the light that the pieces'
    colours are told by, where it is another one. An ink is corrected by the median over the whole board. A place is
    lit, or hazed by a reflection, as most of the inks round about (some 40 mm) are, so a few pieces do not matter;
    where the seen hue is another one (a hand) nothing is learned.
    """
    (rows, cols), pairs = half.shape[:2], surface.pairs
    field, cells = light.field(rows, cols), light.field(*pairs.mesh).reshape(-1, 3)
    cells = np.ascontiguousarray(cells.T).take(pairs.cell, axis=1)
    colors = linear(_many(flat, pairs.pixels))[:, :3]
    base, here = np.ascontiguousarray(light.of_color(pairs.color.T).T), pairs.averages(colors)
    count = len(surface.palette)
    inks = _of_inks(base, here / cells, pairs, count)
    share: Flat | None = None
    if inks.max() > _MUCH:  # of what is printed in a patch of sun alone, that patch would be the ink
        share = uneven_light(half, as_seen(_inked(light, surface.half, np.zeros_like(inks), field)), piece)
        if share is not None:
            inks = _of_inks(base, _evenly_lit(colors, share, pairs, flat.shape) / cells, pairs, count)
    plain = _inked(light, surface.half, inks, field)
    again = uneven_light(half, as_seen(plain), piece)
    share = share if again is None else again
    if share is not None:
        here = _evenly_lit(colors, share, pairs, flat.shape)
    gain, haze = _of_place(_lit(base, inks.T.take(pairs.ink, axis=1)) * cells, here, pairs)
    lit, hazed = (_spread(layer, CELL // 2, (rows, cols)) for layer in (gain, haze))
    plain = np.asarray(cv2.add(cv2.multiply(plain, lit, dst=plain), hazed, dst=plain), np.float32)
    np.clip(plain, 1e-4, 4.0, out=plain)
    reach = field if own is None or own is light else own.field(rows, cols)
    local = field * lit
    layers: list[Flat] = [plain, local, hazed - np.float32(_FLOOR) * local, reach]
    if share is not None:
        alike = reduce(np.add, np.moveaxis(share, 2, 0))[..., None] / 3
        # pieces stand up, and are lit from all sides: not by its colour
        parts = [share, share, share, alike]
        layers = [np.asarray(layer * part, np.float32) for layer, part in zip(layers, parts, strict=True)]
    board, local, hazed, reach = layers
    return Today(surface, light, np.exp(inks), board, local, hazed, reach, None if share is None else _edges(share))


def _many(flat: Frame, pixels: Ints) -> Frame:
    """Many pixels, raveled, of a flat view, uint8 BGR, and a fourth channel that says nothing, (N, 4): four bytes are
    fetched in half the time of three."""
    wide = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2BGRA)).view(np.uint32)
    return wide.ravel().take(pixels).view(np.uint8).reshape(-1, 4)


def _inked(light: Light, small: Surface, inks: Floats, field: Flat) -> Flat:
    """The board at half the size as a light shows it, where inks are lighter by so much, natural log (inks, 3)."""
    return _shown(light, small.linear, small.of_inks(np.exp(inks)), field, _FLOOR * -field)


def _evenly_lit(colors: Flat, share: Flat, pairs: Pairs, shape: tuple[int, ...]) -> Floats:
    """Mean colours of each pair, (3, P), if all the light reached them. colors: of all their pixels, (…, 3). shape: of
    the flat view."""
    y, x = np.divmod(pairs.pixels, shape[1])
    rows, cols = share.shape[:2]
    return pairs.averages(colors / share[np.minimum(y // 2, rows - 1), np.minimum(x // 2, cols - 1)])


@dataclass(frozen=True, eq=False)
class Today:
    """The empty board in today's light, corrected by what is seen.

    light: the one of which it is the correction. inks: by what each ink is lighter, (inks, 3). All the others are
    (rows, cols, 3), float32, half the size. gain, haze: what each place does to the light's colours, `even`: how much
    of the light by which pieces are told reaches it. half: the board, linear BGR. edges: where large shadows, or
    patches of light, have edges, bool (rows, cols); None if there are none.
    """

    surface: Surface
    light: Light
    inks: Floats
    half: Flat
    gain: Flat
    haze: Flat
    even: Flat
    edges: Mask | None = None

    def tiles(self, tiles: Tiles) -> tuple[Flat, Flat]:
        """Tiles of the board, linear BGR, and of `even`."""
        gain, haze, even = (tiles.cut_half(layer) for layer in (self.gain, self.haze, self.even))
        printed, inks = (tiles.cut(layer) for layer in self.surface.framed)
        return _shown(self.light, printed, with_inks(inks, self.inks), gain, haze), even

    def at(self, pixels: Ints) -> tuple[Flat, Flat]:
        """The same of some pixels, raveled, (…,): linear BGR (…, 3)."""
        usual, even = self._there(self.surface.at(pixels.reshape(1, -1)))
        return usual.reshape(*pixels.shape, 3), even.reshape(*pixels.shape, 3)

    def samples(self) -> tuple[Flat, Flat]:
        """The same of the samples by which inks are judged: linear BGR (inks, N, 3)."""
        return self._there(self.surface.known_samples)

    def _there(self, known: tuple[Ints, Frame, Flat]) -> tuple[Flat, Flat]:
        """The same of pixels of which it is known how they are printed: see `Surface.at`."""
        near, inks, printed = known
        gain, haze, even = (layer.reshape(-1, 3).take(near, axis=0) for layer in (self.gain, self.haze, self.even))
        return _shown(self.light, printed, self.inks.astype(np.float32).take(inks, axis=0), gain, haze), even

    def all_over(self, pixels: Ints) -> tuple[Flat, Flat]:
        """Some pixels, raveled, (N, P), as they would look in the light that lies all over the board, without what is
        particular to their places, and what white would give there: linear BGR (N, P, 3) each."""
        rows, cols = self.surface.picture.shape[:2]
        y, x = np.divmod(pixels, cols)
        at = np.column_stack([2 * x.ravel() / cols - 1, 2 * y.ravel() / rows - 1])
        field = self.light.field_at(at).astype(np.float32).reshape(*pixels.shape, 3)
        inks = self.inks.astype(np.float32).take(self.surface.inks.take(pixels), axis=0)
        printed = self.surface.linear.reshape(-1, 3).take(pixels, axis=0)
        return self._in_field(printed, inks, field)

    def coarsely(self, step: int) -> tuple[Flat, Flat]:
        """The same of every so many-th pixel each way: linear BGR (rows, cols, 3) each."""
        printed, inks = _sparse(self.surface, step)
        return self._in_field(printed, with_inks(inks, self.inks), self.light.field(*inks.shape))

    def _in_field(self, printed: Flat, inks: Flat, field: Flat) -> tuple[Flat, Flat]:
        """What is printed, and white, where the light has a field."""
        white = np.asarray(field * self.light.of_color(np.ones(3)), np.float32)
        return _shown(self.light, printed, inks, field, np.float32(-_FLOOR) * field), white

    @cached_property
    def whole(self) -> Flat:
        """The board at its whole size, linear BGR float32 (rows, cols, 3)."""
        rows, cols = self.surface.picture.shape[:2]
        gain, haze = (np.asarray(cv2.resize(layer, (cols, rows)), np.float32) for layer in (self.gain, self.haze))
        return _shown(self.light, self.surface.linear, self.surface.of_inks(self.inks), gain, haze)


@kept(most=2)
def _sparse(surface: Surface, step: int) -> tuple[Flat, Frame]:
    """Every so many-th pixel each way of the print, linear BGR, and of its inks."""
    return np.ascontiguousarray(surface.linear[::step, ::step]), np.ascontiguousarray(surface.inks[::step, ::step])


def _edges(share: Flat) -> Mask:
    """Where the light changes within some mm, bool (rows, cols). share: how much of it reaches each pixel."""
    level = np.log(np.maximum(cv2.transform(share, np.full((1, 3), 1 / 3, np.float32)), np.float32(1e-3)))
    around = np.ones((_EDGE, _EDGE), np.uint8)
    return np.asarray(cv2.subtract(cv2.dilate(level, around), cv2.erode(level, around)) > _STEP)


def as_seen(board: Flat) -> Flat:
    """What a picture shows of a board, linear BGR: beside a lamp it gives more than can be seen. (In a shadow there it
    does not: what a shadow leaves is a share of all of it.)"""
    return np.clip(board, np.float32(0), np.float32(_BRIGHTEST))  # some times as quick as the minimum of both


def _shown(light: Light, printed: Flat, inks: Flat, gain: Flat, haze: Flat) -> Flat:
    """The board that is `printed`, linear BGR, in a light: each ink and each place as much lighter as it is seen to be.

    gain, haze: what each place does; the floor that the inks' ratios are taken with is taken off by the haze.
    """
    seen = cv2.transform(printed, np.column_stack([light.mix, light.haze + _FLOOR]).astype(np.float32))
    seen = cv2.multiply(cv2.multiply(seen, inks, dst=seen), gain, dst=seen)
    shown = np.asarray(cv2.add(seen, haze, dst=seen), np.float32)
    return np.clip(shown, 1e-4, 4.0, out=shown)


def _spread(layer: Flat, side: int, size: tuple[int, int]) -> Flat:
    """What is given by cell, (down, across), for each pixel, thrice: float32 (rows, cols, 3)."""
    wide = cv2.resize(layer, (layer.shape[1] * side, layer.shape[0] * side))[: size[0], : size[1]]
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(wide), cv2.COLOR_GRAY2BGR), np.float32)


def _lit(color: Floats, ratio: Floats) -> Floats:
    return np.maximum((color + _FLOOR) * np.exp(ratio) - _FLOOR, 0)


def _of_inks(there: Floats, seen: Floats, pairs: Pairs, count: int) -> Floats:
    """Log ratio of seen to expected for each ink, (count, 3): the median of its cells, 0 if that is another hue.

    there, seen: colours of each pair, (3, P), before the field. Those to which light is added in all colours do not
    count where enough others are: a window mirrored in a red base made red lanes pawns.
    """
    each, glared = np.log((seen + _FLOOR) / (there + _FLOOR)), (seen - there).min(axis=0) > GLARED
    many = np.bincount(pairs.ink, ~glared, count) >= _ENOUGH_CLEAR
    counted = ~(glared & many.take(pairs.ink))
    size = np.bincount(pairs.ink, counted, count)
    parts = np.split(each[:, counted], np.cumsum(size[:-1]).astype(int), axis=1)
    ratio = np.stack([middle(part) if part.shape[1] > 2 else np.zeros(3) for part in parts], axis=1)
    plain = np.stack([np.bincount(pairs.ink, channel * counted, count) for channel in there]) / np.maximum(size, 1)
    near = counted & (np.abs(each - ratio.take(pairs.ink, axis=1)).max(axis=0) < _ALIKE)
    alike = (np.bincount(pairs.ink, near, count) > _MOST_ALIKE * size) & (size >= _MANY)
    fair = _fair(plain, _lit(plain, ratio), np.where(alike, _OTHER_INK, _HUE))
    return np.where(fair, ratio, 0).T


def _of_place(there: Floats, here: Floats, pairs: Pairs) -> tuple[Flat, Flat]:
    """How light each cell is, and how hazed, (down, across) each: seen = gain · expected + haze, in all inks alike.

    there, here: mean colours of each pair, (3, P). Robust least squares over the neighbourhood of each cell.
    """
    fair = np.flatnonzero(_fair(there, here))
    cell, t, h = pairs.cell.take(fair), there.take(fair, axis=1), here.take(fair, axis=1)
    base = 1 / (t + 0.05) ** 2
    said = np.stack([part.sum(axis=0) for part in (base * t * t, base * t * h, base * t, base * h, base)])
    each = cell + pairs.mesh[0] * pairs.mesh[1] * np.arange(len(said))[:, None]
    gain, haze = _lines(said, each, pairs.mesh)
    for _ in range(3):
        lit = gain.ravel().take(cell) * t
        off = (np.abs(h - lit - haze.ravel().take(cell)) / (lit + 0.05)).max(axis=0)
        trust = 1 / (1 + (off / 0.15) ** 2) ** 2
        gain, haze = _lines(said * trust, each, pairs.mesh)
    return gain.astype(np.float32), haze.astype(np.float32)


def _lines(said: Floats, each: Ints, mesh: tuple[int, int]) -> tuple[Floats, Floats]:
    """Gain and haze of each cell, (down, across): weighted least squares over its neighbourhood.

    said: of each pair, weighted, the sums over the channels of t · t, t · h, t, h and 1, if `t` is expected and `h` is
    seen, (5, P). each: the cell of each, (5, P), numbered on from one sum to the next.
    """
    sums = np.bincount(each.ravel(), said.ravel(), len(said) * mesh[0] * mesh[1]).reshape(len(said), *mesh)
    near = cv2.GaussianBlur(cv2.merge(list(sums.astype(np.float32))), (0, 0), _REACH)
    tt, th, ts, hs, one = (np.asarray(layer, np.float64) for layer in cv2.split(near))
    tt, th, one = tt + _HOLD, th + _HOLD, one + 30 * _HOLD
    gain = np.clip((th * one - ts * hs) / np.maximum(tt * one - ts * ts, 1e-9), 0.15, 3.0)
    return gain, np.clip((hs - gain * ts) / one, -0.02, 1.0)


def _fair(usual: Floats, here: Floats, most: float | Floats = _HUE) -> Mask:
    """Whether colours `here`, linear BGR (3, …), may be `usual` in another light: brighter, darker, or in a glare.

    most: by how much the hue may be off.
    """
    usual, here = np.maximum(usual, 0), np.maximum(here, 0)
    total, base = here.sum(axis=0) + _FLOOR, usual.sum(axis=0) + _FLOOR
    hue = np.abs(here / total - usual / base).max(axis=0)
    more = here - usual
    glare = more.min(axis=0) > 0.3 * more.max(axis=0)
    return np.asarray((np.abs(np.log(total / base)) < 1.6) & ((hue < most) | glare))
