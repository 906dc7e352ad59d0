"""Today's light: how the empty board, and a piece of a known colour, would look in this picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.pose import Flat, Floats
from companion.vision.surface import CELL, Surface

Mask = npt.NDArray[np.bool_]

_RIDGE = 0.02
_FLOOR = 0.02  # linear light added before ratios are taken, so that black does not count
_REACH = 1.7  # cells
_HOLD = 0.02
_ONE_HUE = 0.05


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
        small = _basis(*np.meshgrid(np.linspace(-1, 1, 24), np.linspace(-1, 1, 24))) @ self.slope
        return np.asarray(cv2.resize(np.exp(small).astype(np.float32), (cols, rows)))

    def field_at(self, at: Floats) -> Floats:
        """The field at some places, −1 to 1 over the sheet (N, 2): (N, 3)."""
        return np.asarray(np.exp(_basis(at[:, 0], at[:, 1]) @ self.slope))

    def expected(self, printed: Flat) -> Flat:
        """The empty board as this light shows it: linear BGR, float32, from `printed` (rows, cols, 3)."""
        seen = cv2.transform(printed, np.column_stack([self.mix, self.haze]).astype(np.float32))
        return np.asarray(np.maximum(seen * self.field(*printed.shape[:2]), 1e-4), np.float32)


def _basis(x: Floats, y: Floats) -> Floats:
    """The quadratic's terms, (…, 6)."""
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


def estimate_light(flat: Flat, surface: Surface) -> Light:
    """Fit today's light to a flat view, linear BGR float32 (rows, cols, 3), of the board `surface` shows empty.

    Pieces and hands are outliers: the fit is reweighted until they no longer pull (Geman-McClure weights).
    """
    there, seen, at = _samples(flat, surface)
    terms = _basis(at[:, 0], at[:, 1])
    slope = np.zeros((6, 3))
    gain = np.median(seen / np.maximum(there, 0.02), axis=0)
    weight = _trust(np.log((seen + 0.02) / (there * gain + 0.02)))
    mix, haze = np.eye(3), np.zeros(3)
    for _ in range(6):
        mix, haze = _fit_mix(there, seen, np.exp(terms @ slope), weight)
        base = np.maximum(there @ mix.T + haze, 1e-3)
        ratio = np.log(np.maximum(seen, 1e-3) / base)
        slope = _fit_field(terms, ratio, weight[:, None] * base / (base + 0.05))
        weight = _trust((ratio - terms @ slope) * base / (base + 0.02))
    return Light(mix, haze, slope)


def _trust(miss: Floats) -> Floats:
    """Geman-McClure weights, (N,), from residuals (N, 3), in units of their own median."""
    worst = np.abs(miss).max(axis=1)
    return np.asarray(1 / (1 + (worst / max(0.05, 1.5 * float(np.median(worst)))) ** 2) ** 2)


def _samples(flat: Flat, surface: Surface) -> tuple[Floats, Floats, Floats]:
    """Printed colours (N, 3), seen colours (N, 3) and places −1 to 1 (N, 2), where the picture is not burnt out."""
    rows, cols = flat.shape[:2]
    pick = surface.samples
    there, seen = surface.linear.reshape(-1, 3)[pick], flat.reshape(-1, 3)[pick]
    at = np.column_stack([2 * (pick % cols) / cols - 1, 2 * (pick // cols) / rows - 1])
    good = (seen.max(axis=1) < 0.97) & (seen.max(axis=1) > 0)
    if good.sum() < 200:
        good = np.ones(len(seen), bool)
    return there[good].astype(np.float64), seen[good].astype(np.float64), at[good]


def _fit_field(terms: Floats, ratio: Floats, trust: Floats) -> Floats:
    """Weighted least squares for the field's six terms, (6, 3); the hue of the light hardly changes over a board."""
    shared = trust.mean(axis=1, keepdims=True) * terms
    mean = (trust * ratio).sum(axis=1) / np.maximum(trust.sum(axis=1), 1e-9)
    common = np.linalg.solve(terms.T @ shared + 0.1 * np.eye(6), shared.T @ mean)
    slope = np.tile(common[:, None], 3)
    for c in range(3):
        heavy = trust[:, c : c + 1] * terms
        hold = _ONE_HUE * float(trust[:, c].sum()) * np.eye(6)
        slope[:, c] += np.linalg.solve(terms.T @ heavy + hold, heavy.T @ (ratio[:, c] - terms @ common))
    return slope


def _fit_mix(there: Floats, seen: Floats, field: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Weighted least squares for mix and haze, held near a plain gain per channel where colours are few."""
    wide = np.column_stack([there, np.ones(len(there))])
    mix, haze = np.zeros((3, 3)), np.zeros(3)
    for c in range(3):
        w = weight * (field[:, c] / (seen[:, c] + 0.05)) ** 2
        gain = float(np.sum(w * there[:, c] * seen[:, c] / field[:, c]) / max(np.sum(w * there[:, c] ** 2), 1e-9))
        hold = _RIDGE * float(w.sum()) * np.eye(4)
        usual = np.zeros(4)
        usual[c] = gain
        normal = wide.T @ (w[:, None] * wide) + hold
        row = np.linalg.solve(normal, wide.T @ (w * seen[:, c] / field[:, c]) + hold @ usual)
        mix[c], haze[c] = row[:3], row[3]
    return mix, haze


def touch_up(flat: Flat, expected: Flat, surface: Surface) -> Flat:
    """Correct the expected empty board by what is seen: first each ink, then each place.

    flat, expected: linear BGR float32. An ink is corrected by the median over the whole board. A place is lit, or
    hazed by a reflection, as most of the inks round about (some 40 mm) are, so a few pieces do not matter; where
    the seen hue is another one (a hand) nothing is learned.
    """
    there, here = surface.averages(expected), surface.averages(flat)
    good = surface.calm_cells[2] > 0.15 * CELL**2
    inks = np.stack([_of_ink(t[g], h[g]) for t, h, g in zip(there, here, good, strict=True)])
    there = _lit(there, inks[:, None, None, :])
    gain, haze = _of_place(there, here, good)
    rows, cols = flat.shape[:2]
    wide = (gain.shape[1] * CELL, gain.shape[0] * CELL)
    lit, hazed = (cv2.resize(i.astype(np.float32), wide)[:rows, :cols, None] for i in (gain, haze))
    corrected = (expected + _FLOOR) * surface.of_inks(np.exp(inks)) - _FLOOR
    corrected *= lit
    corrected += hazed
    return np.clip(corrected, 1e-4, 4.0, out=corrected)


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
    t, h = there.reshape(-1, 3)[fair], here.reshape(-1, 3)[fair]
    base = 1 / (t + 0.05) ** 2
    weight = base
    gain, haze = np.ones(shape), np.zeros(shape)
    for _ in range(4):
        terms = np.stack([weight * t * t, weight * t * h, weight * t, weight * h, weight]).sum(axis=2)
        tt, th, ts, hs, one = (
            _around(np.bincount(cell, term, gain.size).reshape(shape).astype(np.float64)) for term in terms
        )
        tt, th, one = tt + _HOLD, th + _HOLD, one + 30 * _HOLD
        gain = np.clip((th * one - ts * hs) / np.maximum(tt * one - ts * ts, 1e-9), 0.15, 3.0)
        haze = np.clip((hs - gain * ts) / one, -0.02, 1.0)
        lit = gain.ravel()[cell, None] * t
        off = np.abs(h - lit - haze.ravel()[cell, None]) / (lit + 0.05)
        weight = base / (1 + (off.max(axis=1, keepdims=True) / 0.15) ** 2) ** 2
    return gain, haze


def _around(layer: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(layer, (0, 0), _REACH), np.float64)


def _fair(usual: Floats, here: Floats) -> Mask:
    """Whether colours `here`, linear BGR (…, 3), may be `usual` in another light: brighter, darker, or in a glare."""
    usual, here = np.maximum(usual, 0), np.maximum(here, 0)
    total, base = here.sum(axis=-1) + _FLOOR, usual.sum(axis=-1) + _FLOOR
    hue = np.abs(here / total[..., None] - usual / base[..., None]).max(axis=-1)
    more = here - usual
    glare = more.min(axis=-1) > 0.3 * more.max(axis=-1)
    return np.asarray((np.abs(np.log(total / base)) < 1.6) & ((hue < 0.07) | glare))
