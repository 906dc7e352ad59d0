"""From light to a JPEG: exposure, a sensor behind a colour mosaic, white balance, tone curve, and the file."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.evidence.lens import Floats, Plane

Frame = npt.NDArray[np.uint8]
_FULL = 4095.0


@dataclass(frozen=True, eq=False, slots=True)
class Sensor:
    """exposure: 1 is what an automatic makes of it. electrons: that a full pixel holds; fewer is more noise.

    balance: gains B, G, R. vignette: light lost in the corners, 0 to 1. blur: of the lens, pixels. shake: (x, y) pixels
    that the camera moved. quality: of the JPEG. sharpen: 0 or more.
    """

    exposure: float
    electrons: float
    balance: Floats
    vignette: float
    blur: float
    shake: tuple[float, float]
    quality: int
    sharpen: float


def photograph(light: Plane, finer: int, sensor: Sensor, rng: np.random.Generator) -> Frame:
    """A frame, uint8 BGR, from linear light, (rows, cols, 3), of `finer` pixels each way for one of the camera."""
    return taken(exposed(light, finer, sensor), sensor, rng)


def exposed(light: Plane, finer: int, sensor: Sensor) -> Plane:
    """The light that falls on each pixel, (rows, cols, 3), through the lens and as long as it is exposed; 1 is full."""
    soft = cv2.GaussianBlur(light, (0, 0), sensor.blur * finer)
    if max(map(abs, sensor.shake)) > 0.3:
        soft = cv2.filter2D(soft, -1, _trail(sensor.shake, finer))
    size = (light.shape[1] // finer, light.shape[0] // finer)
    raw = np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_AREA), np.float32)
    raw = raw * _corners(raw, sensor.vignette)[..., None]
    raw *= 0.75 * sensor.exposure / np.percentile(np.maximum.reduce([raw[..., 0], raw[..., 1], raw[..., 2]]), 98)
    return np.asarray(raw, np.float32)


def taken(raw: Plane, sensor: Sensor, rng: np.random.Generator) -> Frame:
    """A frame, uint8 BGR, of what is `exposed`, with the noise of one moment."""
    return _developed(_counted(raw, sensor, rng), sensor)


def _counted(raw: Plane, sensor: Sensor, rng: np.random.Generator) -> npt.NDArray[np.uint16]:
    """What a sensor with a BGGR mosaic counts, 0 to 4095, noise of light and of its amplifier included."""
    mosaic = raw[..., 1].copy()
    mosaic[0::2, 0::2], mosaic[1::2, 1::2] = raw[0::2, 0::2, 0], raw[1::2, 1::2, 2]
    electrons = rng.poisson(np.clip(mosaic, 0, 1) * sensor.electrons).astype(np.float32)
    electrons += rng.normal(0, 2.5, mosaic.shape).astype(np.float32)
    return np.asarray(np.clip(electrons / sensor.electrons * _FULL, 0, _FULL), np.uint16)


def _developed(counts: npt.NDArray[np.uint16], sensor: Sensor) -> Frame:
    """Colours between the mosaic's, balance, tone curve, sharpening, JPEG."""
    full, curves = cv2.cvtColor(counts, cv2.COLOR_BayerRG2BGR), _curves(sensor.balance)
    tone = np.stack([curves[:, k][full[..., k]] for k in range(3)], -1)
    tone += sensor.sharpen * (tone - cv2.GaussianBlur(tone, (0, 0), 1.2))
    levels = np.clip(tone * 255 + 0.5, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", levels, [cv2.IMWRITE_JPEG_QUALITY, sensor.quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _curves(balance: Floats) -> Plane:
    """What becomes of each count, 0 to 4095, in each channel, after balance and tone curve: (4096, 3)."""
    full = np.arange(_FULL + 1, dtype=np.float32)[:, None] / _FULL
    full = np.clip(full * balance.astype(np.float32), 0, 1)
    tone = np.where(full <= 0.0031308, full * 12.92, 1.055 * np.maximum(full, 1e-6) ** (1 / 2.4) - 0.055)
    return np.asarray(tone + 0.12 * tone * (1 - tone) * (2 * tone - 1), np.float32)


def _trail(shake: tuple[float, float], finer: int) -> Plane:
    """The path of a point of light while the camera moves, as a kernel."""
    reach = int(np.ceil(max(map(abs, shake)) * finer / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, 8 * reach):
        kernel[reach + round(share * shake[1] * finer), reach + round(share * shake[0] * finer)] += 1
    return np.asarray(kernel / kernel.sum(), np.float32)


def _corners(picture: Plane, loss: float) -> Plane:
    rows, cols = picture.shape[:2]
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : cols * 1j]
    return np.asarray(1 - loss * (x**2 + y**2) / 2, np.float32)
