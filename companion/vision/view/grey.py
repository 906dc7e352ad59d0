"""Whether a picture has colours at all: in the grey ones of a night mode pieces cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import cv2
import numpy as np

from companion.vision.view.pose import Frame

GREY = (
    "The picture is grey, so the colours of the pieces cannot be told: "
    "switch on a light, or switch off the camera's night mode."
)
_WIDE = 128  # pixels: as small a picture has hardly any noise left
_FAINT = 0.1  # colours of printed boards and pieces spread twice as much, of grey pictures in noise seldom as much
_SOME_ROWS, _PLAIN = 5, 4.0  # every fifth row doubles what is noise: what spreads so much more is none
_BURNT, _MUCH = 250, 0.25  # levels of a pixel that is burnt out; share of a picture that is
_ACHROMATIC = 40  # levels between the channels of a piece that is black, grey or white


def colourless(frame: Frame) -> bool:
    """Whether blue and red follow from green alone, whatever tint the whole picture has; frame: uint8 BGR."""
    by = min(1.0, _WIDE / frame.shape[1])
    size = tuple(max(1, round(length * by)) for length in frame.shape[1::-1])
    return _spread(frame[::_SOME_ROWS], size) < _PLAIN and _spread(frame, size) < 1


def _spread(frame: Frame, size: tuple[int, ...]) -> float:
    """How far blue and red spread that do not follow from green, in so small a picture: in a grey one less than 1."""
    layers = cv2.split(cv2.resize(frame, size, interpolation=cv2.INTER_AREA))
    inside = np.flatnonzero(reduce(cv2.max, layers) < _BURNT)
    if len(inside) < 100:
        return np.inf
    blue, green, red = (layer.take(inside).astype(np.float64) for layer in layers)
    powers, others = np.column_stack([np.ones_like(green), green, green**2]), np.column_stack([blue, red])
    fit = np.linalg.lstsq(powers.T @ powers, powers.T @ others, rcond=None)[0]
    off = np.ptp(np.percentile(others - powers @ fit, [0.5, 99.5], axis=0), axis=0)
    return float(off.max()) / (_FAINT * max(10.0, float(green.mean())))


def burnt_out(frame: Frame) -> bool:
    """Whether so much of a picture, uint8 BGR, is burnt out that its colours are lost there."""
    return bool((frame[::_SOME_ROWS, ::_SOME_ROWS].max(axis=2) >= _BURNT).mean() > _MUCH)


def need_colour(colors: Iterable[str]) -> bool:
    """Whether any of these pieces, "#rrggbb", has a hue, so that grey pictures will not do."""
    return any(np.ptp([int(c[i : i + 2], 16) for i in (1, 3, 5)]) > _ACHROMATIC for c in colors)
