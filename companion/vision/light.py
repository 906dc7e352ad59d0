"""Today's light: how the empty board, and a piece of a known colour, would look in this picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.pose import Flat, Floats
from companion.vision.shade import uneven_light
from companion.vision.surface import CELL, Surface

Mask = npt.NDArray[np.bool_]

_RIDGE = 0.02
_FLOOR = 0.02  # linear light added before ratios are taken, so that black does not count
_REACH = 1.7  # cells
_HOLD = 0.02
_ONE_HUE = 0.05
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
        return np.maximum(color @ self.mix.T + self.haze, 1e-4)

    def field(self, rows: int, cols: int) -> Flat:
        """The field over a flat view, float32 (rows, cols, 3)."""
        small = np.moveaxis(_basis(*np.meshgrid(np.linspace(-1, 1, 24), np.linspace(-1, 1, 24))), 0, -1) @ self.slope
        return np.asarray(cv2.resize(np.exp(small).astype(np.float32), (cols, rows)))

    def field_at(self, at: Floats) -> Floats:
        """The field at some places, −1 to 1 over the sheet (N, 2): (N, 3)."""
        return np.asarray(np.exp(_basis(at[:, 0], at[:, 1]).T @ self.slope))

    def expected(self, printed: Flat) -> Flat:
        """The empty board as this light shows it: linear BGR, float32, from `printed` (rows, cols, 3)."""
        seen = cv2.transform(printed, np.column_stack([self.mix, self.haze]).astype(np.float32))
        cv2.multiply(seen, self.field(*printed.shape[:2]), dst=seen)
        return np.maximum(seen, 1e-4, out=np.asarray(seen, np.float32))


def _basis(x: Floats, y: Floats) -> Floats:
    """The quadratic's terms, (6, …)."""
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def estimate_light(flat: Flat, surface: Surface) -> Light:
    """Fit today's light to a flat view, linear BGR float32 (rows, cols, 3), of the board `surface` shows empty.

    Pieces and hands are outliers: the fit is reweighted until they no longer pull (Geman-McClure weights).
    """
    there, seen, terms = _samples(flat, surface)
    wide = np.vstack([there, np.ones(there.shape[1])])
    slope = np.zeros((6, 3))
    gain = np.median(seen / np.maximum(there, 0.02), axis=1, keepdims=True)
    weight = _trust(np.log((seen + 0.02) / (there * gain + 0.02)))
    mix, haze, bright = np.eye(3), np.zeros(3), np.log(np.maximum(seen, 1e-3))
    for _ in range(6):
        mix, haze = _fit_mix(wide, seen, np.exp(slope.T @ terms), weight)
        base = np.maximum(np.column_stack([mix, haze]) @ wide, 1e-3)
        ratio = bright - np.log(base)
        before, slope = slope, _fit_field(terms, ratio, weight * base / (base + 0.05))
        if np.abs(slope - before).max() < _SETTLED:
            break
        weight = _trust((ratio - slope.T @ terms) * base / (base + 0.02))
    return Light(mix, haze, slope)


def _trust(miss: Floats) -> Floats:
    """Geman-McClure weights, (N,), from residuals (3, N), in units of their own median."""
    worst = np.abs(miss).max(axis=0)
    return np.asarray(1 / (1 + (worst / max(0.05, 1.5 * float(np.median(worst)))) ** 2) ** 2)


def _samples(flat: Flat, surface: Surface) -> tuple[Floats, Floats, Floats]:
    """Printed colours (3, N), seen colours (3, N) and the field's terms (6, N), where the picture is not burnt out."""
    pick = surface.samples
    seen = flat.reshape(-1, 3)[pick].T.astype(np.float64)
    top = seen.max(axis=0)
    good = (top < 0.97) & (top > 0)
    there, terms = surface.sampled, surface.sampled_at
    if good.sum() < 200 or good.all():
        return there, seen, _basis(*terms)
    return there[:, good], seen[:, good], _basis(*terms[:, good])


def _fit_field(terms: Floats, ratio: Floats, trust: Floats) -> Floats:
    """Weighted least squares for the field's six terms, (6, 3); the hue of the light hardly changes over a board.

    terms: (6, N). ratio, trust: (3, N).
    """
    shared = trust.mean(axis=0) * terms
    mean = (trust * ratio).sum(axis=0) / np.maximum(trust.sum(axis=0), 1e-9)
    common = np.linalg.solve(shared @ terms.T + 0.1 * np.eye(6), shared @ mean)
    slope, rest = np.tile(common[:, None], 3), ratio - common @ terms
    for c in range(3):
        heavy = trust[c] * terms
        hold = _ONE_HUE * float(trust[c].sum()) * np.eye(6)
        slope[:, c] += np.linalg.solve(heavy @ terms.T + hold, heavy @ rest[c])
    return slope


def _fit_mix(wide: Floats, seen: Floats, field: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Weighted least squares for mix and haze, held near a plain gain per channel where colours are few.

    wide: printed colours and a row of ones, (4, N). seen, field: (3, N).
    """
    rows, plain = np.zeros((3, 4)), seen / field
    for c in range(3):
        heavy = weight * (field[c] / (seen[c] + 0.05)) ** 2 * wide
        gain = float(heavy[c] @ plain[c] / max(heavy[c] @ wide[c], 1e-9))
        hold = _RIDGE * float(heavy[3].sum()) * np.eye(4)
        usual = np.zeros(4)
        usual[c] = gain
        rows[c] = np.linalg.solve(heavy @ wide.T + hold, heavy @ plain[c] + hold @ usual)
    return rows[:, :3], rows[:, 3]


def touch_up(flat: Flat, light: Light, surface: Surface, piece: Piece) -> tuple[Flat, Flat | None]:
    """The empty board as `light` shows it, corrected by what is seen: first each ink, then where shadows have edges,
    then each place. Also the share of the light that those shadows leave, None where there are none.

    flat: linear BGR float32. An ink is corrected by the median over the whole board. A place is lit, or
    hazed by a reflection, as most of the inks round about (some 40 mm) are, so a few pieces do not matter; where
    the seen hue is another one (a hand) nothing is learned.
    """
    there, here = _expected_means(light, surface), surface.averages(flat)
    good = surface.calm_cells[2] > 0.15 * CELL**2
    inks = np.stack([_of_ink(t[g], h[g]) for t, h, g in zip(there, here, good, strict=True)])
    plain = _toned(light.expected(surface.linear), surface.of_inks(np.exp(inks)))
    share = uneven_light(flat, plain, piece)
    if share is not None:
        here = surface.averages(flat / share[..., None])
    plain = _placed(plain, *_of_place(_lit(there, inks[:, None, None, :]), here, good))
    return (plain, None) if share is None else (plain * share[..., None], share)


def _expected_means(light: Light, surface: Surface) -> Floats:
    """The mean colour that each ink has in each cell in this light, (inks, down, across, 3): within a cell the light
    hardly changes."""
    down, across = surface.mesh
    means = light.of_color(surface.means) * light.field(down, across)
    return np.asarray(np.maximum(means, 1e-4))


def _toned(expected: Flat, inks: Flat) -> Flat:
    """Each ink as much lighter or darker as it is seen to be; in place."""
    expected += np.float32(_FLOOR)
    expected *= inks
    expected -= np.float32(_FLOOR)
    return expected


def _placed(toned: Flat, gain: Floats, haze: Floats) -> Flat:
    """toned · gain + haze, which are given by cell; in place."""
    rows, cols = toned.shape[:2]
    wide = (gain.shape[1] * CELL, gain.shape[0] * CELL)
    lit, hazed = (cv2.resize(layer.astype(np.float32), wide)[:rows, :cols] for layer in (gain, haze))
    cv2.multiply(toned, cv2.merge([lit] * 3), dst=toned)
    cv2.add(toned, cv2.merge([hazed] * 3), dst=toned)
    return np.clip(toned, 1e-4, 4.0, out=toned)


def _lit(color: Floats, ratio: Floats) -> Floats:
    return np.maximum((color + _FLOOR) * np.exp(ratio) - _FLOOR, 0)


def _of_ink(there: Floats, here: Floats) -> Floats:
    """Log ratio of seen to expected for one ink, (3,), from its mean colours per cell, (N, 3) each."""
    if len(there) < 3:
        return np.zeros(3)
    ratio = np.median(np.log((here + _FLOOR) / (there + _FLOOR)), axis=0)
    plain = there.mean(axis=0)
    return ratio if _fair(plain, _lit(plain, ratio)) else np.zeros(3)


def _of_place(there: Floats, here: Floats, good: Mask) -> tuple[Floats, Floats]:
    """How light each cell is, and how hazed, (down, across) each: seen = gain · expected + haze, in all inks alike.

    there, here: mean colours of each ink in each cell, (inks, down, across, 3). Robust least squares over the
    neighbourhood of each cell.
    """
    fair = np.flatnonzero(good.ravel())
    fair = fair[_fair(there.reshape(-1, 3)[fair], here.reshape(-1, 3)[fair])]
    shape = good.shape[1:]
    cell = fair % (shape[0] * shape[1])
    t, h = (np.ascontiguousarray(mean.reshape(-1, 3)[fair].T) for mean in (there, here))
    base = 1 / (t + 0.05) ** 2
    weight, products = base, np.stack([t * t, t * h, t, h, np.ones_like(t)])
    gain, haze = np.ones(shape), np.zeros(shape)
    for _ in range(4):
        terms = np.einsum("kcn,cn->kn", products, weight)
        tt, th, ts, hs, one = _around(np.stack([np.bincount(cell, term, gain.size) for term in terms]), shape)
        tt, th, one = tt + _HOLD, th + _HOLD, one + 30 * _HOLD
        gain = np.clip((th * one - ts * hs) / np.maximum(tt * one - ts * ts, 1e-9), 0.15, 3.0)
        haze = np.clip((hs - gain * ts) / one, -0.02, 1.0)
        lit = gain.ravel()[cell] * t
        off = (np.abs(h - lit - haze.ravel()[cell]) / (lit + 0.05)).max(axis=0)
        weight = base / (1 + (off / 0.15) ** 2) ** 2
    return gain, haze


def _around(layers: Floats, shape: tuple[int, ...]) -> Floats:
    """Layers (K, cells) averaged over the neighbourhood of each cell: (K, down, across)."""
    planes = np.ascontiguousarray(layers.T).reshape(*shape, -1)
    return np.moveaxis(np.asarray(cv2.GaussianBlur(planes, (0, 0), _REACH), np.float64), -1, 0)


def _fair(usual: Floats, here: Floats) -> Mask:
    """Whether colours `here`, linear BGR (…, 3), may be `usual` in another light: brighter, darker, or in a glare."""
    usual, here = np.maximum(usual, 0), np.maximum(here, 0)
    total, base = here.sum(axis=-1) + _FLOOR, usual.sum(axis=-1) + _FLOOR
    hue = np.abs(here / total[..., None] - usual / base[..., None]).max(axis=-1)
    more = here - usual
    glare = more.min(axis=-1) > 0.3 * more.max(axis=-1)
    return np.asarray((np.abs(np.log(total / base)) < 1.6) & ((hue < 0.07) | glare))
