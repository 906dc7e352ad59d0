"""A webcam: from linear light to a JPEG of eight bits, by other ways than the caster's sensor.

Light is (rows, cols, 3), blue, green, red; as much light as fills a pixel is 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.evidence.lens import Floats, Plane
from calibration.evidence.sensor import Frame

FOLLOWS = 0.6
"""How much of the way to a new exposure is gone from one picture to the next."""


@dataclass(frozen=True, eq=False, slots=True)
class Webcam:
    """level: what the automatic exposure makes of the picture's mean. electrons: that a full pixel holds.

    balance: gains B, G, R. color: how saturated the picture is made. contrast: of the tone curve, 0 to 1. soft: pixels
    that what is against noise blurs colours. vignette: light lost in corners. quality: of the JPEG. flicker: share of
    the light by which a lamp's cycle makes rows brighter and darker, where the shutter is shorter.
    """

    level: float
    electrons: float
    balance: Floats
    color: float
    contrast: float
    soft: float
    sharpen: float
    vignette: float
    blur: float
    quality: int
    flicker: float = 0.0


def a_webcam(tint: Floats, hard: bool, rng: np.random.Generator) -> Webcam:
    """Any webcam; hard: a poor one in little light. tint: the light's colour, B, G, R, which it balances, not quite."""
    gains = _balanced(tint, rng)
    return Webcam(
        level=rng.uniform(0.08, 0.13) if hard else rng.uniform(0.14, 0.25),
        electrons=rng.uniform(600, 1500) if hard else rng.uniform(2500, 8000),
        balance=gains,
        color=rng.uniform(0.8, 1.35),
        contrast=rng.uniform(0.0, 0.6),
        soft=rng.uniform(0.8, 1.6) if hard else rng.uniform(0.0, 0.8),
        sharpen=rng.uniform(0.2, 1.0),
        vignette=rng.uniform(0.05, 0.3),
        blur=rng.uniform(0.5, 0.8) if hard else rng.uniform(0.35, 0.6),
        quality=int(rng.integers(70, 86) if hard else rng.integers(84, 95)),
    )


def another_day(webcam: Webcam, tint: Floats, rng: np.random.Generator) -> Webcam:
    """The same webcam in a light of another colour: it balances that anew, and is as it was otherwise."""
    return replace(webcam, balance=_balanced(tint, rng))


def _balanced(tint: Floats, rng: np.random.Generator) -> Floats:
    """Gains, B, G, R, that take most of a light's colour out."""
    gains = (tint.mean() / tint) ** rng.uniform(0.6, 1.0) * np.exp(rng.normal(0, 0.03, 3))
    return np.asarray(gains / gains[1])


def exposure(light: Plane, webcam: Webcam) -> float:
    """The gain that brings the mean of the picture, its middle above all, to the level that the camera likes."""
    grey = light @ np.array([0.1, 0.6, 0.3], np.float32)
    rows, cols = grey.shape
    middle = grey[rows // 5 : -rows // 5, cols // 5 : -cols // 5]
    return float(webcam.level / max(1e-6, 0.4 * grey.mean() + 0.6 * middle.mean()))


def photographed(light: Plane, gain: float, webcam: Webcam, rng: np.random.Generator) -> Frame:
    """A frame, uint8 BGR, of light exposed with `gain`, with the noise of one moment."""
    raw = cv2.GaussianBlur(light, (0, 0), webcam.blur) * gain * _shade(light.shape, webcam.vignette)[..., None]
    if webcam.flicker:
        raw = raw * _bands(len(raw), webcam.flicker, rng)
    full = _mosaic(np.asarray(raw, np.float32), webcam, rng)
    toned = _toned(_saturated(full * webcam.balance.astype(np.float32), webcam.color), webcam.contrast)
    toned = toned + webcam.sharpen * (toned - cv2.GaussianBlur(toned, (0, 0), 1.0))
    levels = np.clip(toned * 255 + 0.5, 0, 255).astype(np.uint8)
    levels = _smoothed(levels, webcam.soft)
    packed = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, webcam.quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _shade(shape: tuple[int, ...], loss: float) -> Plane:
    y, x = np.mgrid[-1 : 1 : shape[0] * 1j, -1 : 1 : shape[1] * 1j]
    return np.asarray(1 / (1 + loss * (x**2 + y**2) / 2) ** 2, np.float32)


def _bands(rows: int, flicker: float, rng: np.random.Generator) -> Plane:
    """What a lamp gives while each row is read, (rows, 1, 1): 100 or 120 times a second it is brighter and darker."""
    cycles, start = 3.0, rng.uniform(0, 1)
    wave = np.sin(2 * np.pi * (cycles * np.arange(rows) / rows + start))
    return np.asarray(1 + flicker * wave, np.float32)[:, None, None]


def _mosaic(raw: Plane, webcam: Webcam, rng: np.random.Generator) -> Plane:
    """What a mosaic of green, red, blue, green counts, and colours between them."""
    counted = raw[..., 1].copy()
    counted[0::2, 1::2], counted[1::2, 0::2] = raw[0::2, 1::2, 2], raw[1::2, 0::2, 0]
    electrons = rng.poisson(np.clip(counted, 0, 1) * webcam.electrons) + rng.normal(0, 3, counted.shape)
    bits = np.clip(electrons / webcam.electrons, 0, 1) * 65535
    full = cv2.cvtColor(bits.astype(np.uint16), cv2.COLOR_BayerGB2BGR_EA)
    return np.asarray(full.astype(np.float32) / 65535)


def _saturated(full: Plane, color: float) -> Plane:
    grey = (full @ np.array([0.1, 0.6, 0.3], np.float32))[..., None]
    return np.asarray(np.clip(grey + color * (full - grey), 0, None), np.float32)


def _toned(full: Plane, contrast: float) -> Plane:
    """Highlights roll off, as cameras let them; more contrast in the middle."""
    rolled = np.where(full < 0.7, full, 0.7 + 0.3 * np.tanh((full - 0.7) / 0.45))
    tone = np.clip(rolled, 0, 1) ** (1 / 2.2)
    return np.asarray(tone + contrast * tone * (1 - tone) * (2 * tone - 1), np.float32)


def _smoothed(levels: npt.NDArray[np.uint8], soft: float) -> npt.NDArray[np.uint8]:
    """Colours are blurred against noise, brightness is not."""
    if soft < 0.3:
        return levels
    parts = cv2.cvtColor(levels, cv2.COLOR_BGR2YCrCb)
    parts[..., 1:] = cv2.GaussianBlur(parts[..., 1:], (0, 0), soft)
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR), np.uint8)
