"""Whether a picture has colours at all: in the grey ones of a night mode pieces cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import cv2
import numpy as np

from companion.vision.view.pose import Floats, Frame

GREY = (
    "The picture is grey, so the colours of the pieces cannot be told: "
    "switch on a light, or switch off the camera's night mode."
)
_WIDE = 128  # pixels: as small a picture has hardly any noise left
_FAINT = 0.1  # colours of printed boards and pieces spread twice as much, of grey pictures in noise seldom as much
_SOME_ROWS, _PLAIN = 5, 4.0  # every fifth row doubles what is noise: what spreads so much more is none
_FEWEST, _FEW, _CLEAR = 100, 2, 8.0  # pixels; those of a small thing that has a colour; spreads by which it has one
_BURNT, _MUCH = 250, 0.25  # levels of a pixel that is burnt out; share of a picture that is
_ACHROMATIC = 40  # levels between the channels of a piece that is black, grey or white


def colourless(frame: Frame) -> bool:
    """Whether blue and red follow from green alone, whatever tint the whole picture has; frame: uint8 BGR.

    A black and white board on a grey table, with white and black pieces, is nearly so, but for a sticker on its corner:
    of 180 grey pictures, tinted, in noise or in JPEG, none has anything of so clear a colour.
    """
    by = min(1.0, _WIDE / frame.shape[1])
    size = tuple(max(1, round(length * by)) for length in frame.shape[1::-1])
    if _spread(_shares_off(frame[::_SOME_ROWS], size)) >= _PLAIN:
        return False
    off = _shares_off(frame, size)
    return _spread(off) < 1 and not _something_coloured(off)


def _shares_off(frame: Frame, size: tuple[int, ...]) -> Floats:
    """How far blue and red lie off what follows from green, in so small a picture, as shares of the mean green, (N, 2);
    none where nearly all is burnt out."""
    layers = cv2.split(cv2.resize(frame, size, interpolation=cv2.INTER_AREA))
    burnt = (reduce(cv2.max, layers) >= _BURNT).astype(np.uint8)
    inside = np.flatnonzero(cv2.dilate(burnt, np.ones((3, 3), np.uint8)) == 0)  # beside it some are burnt in part
    if len(inside) < _FEWEST:
        return np.zeros((0, 2))
    blue, green, red = (layer.take(inside).astype(np.float64) for layer in layers)
    powers, others = np.column_stack([np.ones_like(green), green, green**2]), np.column_stack([blue, red])
    fit = np.linalg.lstsq(powers.T @ powers, powers.T @ others, rcond=None)[0]
    return np.asarray((others - powers @ fit) / max(10.0, float(green.mean())))


def _spread(off: Floats) -> float:
    """How far colours spread: in a grey picture less than 1. off: see `_shares_off`."""
    if not len(off):
        return np.inf
    return float(np.ptp(np.percentile(off, [0.5, 99.5], axis=0), axis=0).max()) / _FAINT


def _something_coloured(off: Floats) -> bool:
    """Whether a few pixels have a colour that is no noise. off: see `_shares_off`."""
    away = np.abs(off)
    clear = (away > np.maximum(_FAINT, _CLEAR * 1.48 * np.median(away, axis=0))).any(axis=1)
    return int(np.count_nonzero(clear)) >= _FEW


def burnt_out(frame: Frame) -> bool:
    """Whether so much of a picture, uint8 BGR, is burnt out that its colours are lost there."""
    return bool((frame[::_SOME_ROWS, ::_SOME_ROWS].max(axis=2) >= _BURNT).mean() > _MUCH)


def need_colour(colors: Iterable[str]) -> bool:
    """Whether any of these pieces, "#rrggbb", has a hue, so that grey pictures will not do."""
    return any(np.ptp([int(c[i : i + 2], 16) for i in (1, 3, 5)]) > _ACHROMATIC for c in colors)
