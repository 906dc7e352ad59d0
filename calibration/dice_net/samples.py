"""Small pictures for the net to learn from, cut from trays as the reader cuts them, and what each shows.

A sample is a square of `SIDE` pixels, turned so that what stands leans up, in which a top of the size that is asked
about is `EDGE` wide. What it shows: 0 no top, 1 to 6 the top of a flat die in the middle, 7 a die that is not flat.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from calibration.dice_net.truth import FLAT, LEANING, Shown, Top
from companion.vision.dice.net import EDGE, SIDE
from companion.vision.dice.view import turned_part

Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]
Rng = np.random.Generator

_AT, _LIKE = 0.16, 0.14  # so near the middle (of the edge) and so like in size (logarithm): that is it
_BY, _NEAR_SIZE = 0.33, 0.27  # so near, it is neither a top nor none
_CENTER, _FAINTEST = slice(15, 30), 0.02  # where a top's pips are, and how much they must differ from it (deviation)
_SIZES = 18.0, 60.0  # of tops that are looked for where there are none


class Sample(NamedTuple):
    """picture: (SIDE, SIDE, 3) uint8 BGR. lean: how far a top of height 1 is moved, 0 if unknown. shows: see above."""

    picture: npt.NDArray[np.uint8]
    lean: float
    known: bool
    shows: int


def label(shown: Shown, at: Floats, size: float) -> int | None:
    """What a sample at a place in a size shows, None if that is neither one thing nor the other."""
    clear = True
    for top in shown.tops:
        apart, unlike = np.hypot(top.x - at[0], top.y - at[1]) / top.size, abs(np.log(size / top.size))
        if top.kind == FLAT and apart < _AT and unlike < _LIKE:
            return top.value
        if top.kind == LEANING and apart < 1.5 * _AT and unlike < 1.5 * _LIKE:
            return 7
        clear &= bool(apart >= _BY or unlike >= _NEAR_SIZE)
    return 0 if clear else None


def a_sample(trays: list[Shown], rng: Rng, leaning: float = 0.0) -> Sample:
    """One of a tray: on a top, beside one, or anywhere. leaning: of the times that a top is chosen, so often one that
    leans is, if there is one."""
    while True:
        shown = trays[int(rng.integers(len(trays)))]
        at, size = _somewhere(shown, rng, leaning)
        shows = label(shown, at, size)
        sample = None if shows is None else _cut(shown, at, size, shows, rng)
        if sample is not None:
            return sample


def sample_at(shown: Shown, at: Floats, size: float, rng: Rng) -> Sample | None:
    """One very near a place and a size; None if it shows neither one thing nor the other."""
    at, size = at + rng.normal(0, 0.06, 2) * size, size * float(np.exp(rng.normal(0, 0.06)))
    shows = label(shown, at, size)
    return None if shows is None else _cut(shown, at, size, shows, rng)


def _somewhere(shown: Shown, rng: Rng, leaning: float) -> tuple[Floats, float]:
    """A place and a size."""
    chance = rng.random()
    if chance > 0.78 or not shown.tops:
        high, wide = shown.picture.shape[:2]
        return rng.uniform(0, 1, 2) * (wide, high), float(np.exp(rng.uniform(*np.log(_SIZES))))
    top = _one_of(shown.tops, leaning, rng)
    at = np.array([top.x, top.y])
    if chance < 0.55:
        return at + rng.normal(0, 0.06, 2) * top.size, top.size * float(np.exp(rng.normal(0, 0.06)))
    if chance < 0.62:  # a side face: towards the camera
        way = _direction(shown.camera[:2] - at) + rng.uniform(-1.2, 1.2)
        return at + rng.uniform(0.35, 1.1) * top.size * _unit(way), top.size * float(np.exp(rng.uniform(-0.7, 0.1)))
    if chance < 0.68:
        other = float(np.exp(rng.choice([-1, -1, 1]) * rng.uniform(0.27, 1.1)))
        return at + rng.uniform(-0.75, 0.75, 2) * top.size, top.size * other
    if chance < 0.73:
        off = rng.uniform(0.3, 1.1) * top.size * _unit(rng.uniform(0, 2 * np.pi))
        return at + off, top.size * float(np.exp(rng.normal(0, 0.2)))
    other = float(np.exp(rng.choice([-1, 1]) * rng.uniform(0.27, 0.9)))
    return at + rng.normal(0, 0.1, 2) * top.size, top.size * other


def _one_of(tops: tuple[Top, ...], leaning: float, rng: Rng) -> Top:
    lean = [top for top in tops if top.kind == LEANING] if rng.random() < leaning else []
    among = lean or tops
    return among[int(rng.integers(len(among)))]


def _direction(way: Floats) -> float:
    return float(np.arctan2(way[1], way[0]))


def _unit(way: float) -> Floats:
    return np.array([np.cos(way), np.sin(way)])


def _cut(shown: Shown, at: Floats, size: float, shows: int, rng: Rng) -> Sample | None:
    """The picture, perhaps mirrored, as another camera in other light might have shown it; None: no pip can be seen."""
    lean = (at - shown.camera[:2]) / shown.camera[2]
    length, way = float(np.hypot(*lean)), float(np.arctan2(lean[1], lean[0])) + np.pi / 2
    known = bool(rng.random() > 0.2)
    if not known or (length < 0.08 and rng.random() < 0.5):
        way = rng.uniform(0, 2 * np.pi)
    way += rng.normal(0, 0.12 if rng.random() < 0.3 else 0.03)  # a search looks less exactly than a judgement
    length = length * float(np.exp(rng.normal(0, 0.05))) if known else 0.0
    square, _ = turned_part(shown.picture, at, size / EDGE, way, (SIDE, SIDE), mirror=bool(rng.random() < 0.5))
    picture = _developed(np.asarray(square / np.float32(255), np.float32), rng)
    plain = float(picture[_CENTER, _CENTER].std(axis=(0, 1)).max())
    if shows and plain < _FAINTEST:
        return None
    noise = min(rng.uniform(0, 1) ** 2 * 0.15, 1.2 * plain if shows else 1.0) if rng.random() < 0.5 else 0.0
    return Sample(_stored(picture + np.float32(noise) * _noise(SIDE, rng), rng), length, known, shows)


def _noise(side: int, rng: Rng) -> Plane:
    """Noise of a deviation of 1 or less, of single pixels or of larger grains, of colour or of brightness."""
    fewer = side if rng.random() < 0.5 else int(rng.integers(side // 3, side))
    grains = rng.standard_normal((fewer, fewer, 3 if rng.random() < 0.7 else 1), np.float32)
    return np.asarray(cv2.resize(grains, (side, side)), np.float32).reshape(side, side, -1)


def _developed(image: Plane, rng: Rng) -> Plane:
    """Another exposure, balance and sharpness; and what is lost in a small picture."""
    n = SIDE
    if rng.random() < 0.35:
        image = image[..., rng.permutation(3)]
    if rng.random() < 0.5:
        image = np.power(image, np.exp(rng.normal(0, 0.25, 3 if rng.random() < 0.3 else 1)).astype(np.float32))
    if rng.random() < 0.5:
        image = image * np.exp(rng.normal(0, 0.2, 3 if rng.random() < 0.5 else 1)).astype(np.float32)
    if rng.random() < 0.3:
        grey = image.mean(axis=2, keepdims=True)
        image = grey + (image - grey) * np.float32(rng.uniform(0, 1.8))
    if rng.random() < 0.4:
        fewer = [max(10, int(n / rng.uniform(1.1, 2.3)))] * 2
        fewer[1] = fewer[0] if rng.random() < 0.5 else max(10, int(fewer[0] / rng.uniform(1.0, 1.6)))
        image = np.asarray(cv2.resize(cv2.resize(image, fewer, interpolation=cv2.INTER_AREA), (n, n)), np.float32)
    if rng.random() < 0.2:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.3)), np.float32)
    if rng.random() < 0.2:
        image = image + np.float32(rng.uniform(0.2, 1)) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    if rng.random() < 0.25:
        y, x = np.mgrid[-1 : 1 : n * 1j, -1 : 1 : n * 1j]
        way = rng.uniform(0, 2 * np.pi)
        image = image * np.exp(rng.uniform(0, 0.5) * (np.cos(way) * x + np.sin(way) * y))[..., None]
    if rng.random() < 0.15:
        image = image * np.float32(1 - (haze := rng.uniform(0, 0.4))) + np.float32(haze * rng.uniform(0.3, 1))
    return np.asarray(np.clip(image, 0, 1), np.float32)


def _stored(image: Plane, rng: Rng) -> npt.NDArray[np.uint8]:
    done = np.asarray(np.clip(image, 0, 1) * 255 + 0.5, np.uint8)
    if rng.random() < 0.15:
        packed = cv2.imencode(".jpg", done, (cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 85))))[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return done
