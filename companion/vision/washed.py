"""Where nothing is left of the print though it is bright there: a lamp's image that burns out, a white cup, paper.

A glare adds light to the print, which still shows; where it does not show, nobody can say what lies there.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.light import Light
from companion.vision.opening import disc, opened
from companion.vision.pose import Flat, Floats, Frame
from companion.vision.scene import PIXELS_PER_MM

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

WASHED = 5.0
"""Nats against the empty board where nothing of it shows."""
_COARSE = 4  # pixels of the flat view to one of the view in which is looked
_OF_HALF = 2  # the same of a view of half the size
_BRIGHTER = 0.12  # natural log by which the board is brighter than in today's light
_FLOOR = 0.02  # linear light added before ratios are taken
_CONTRAST = 0.03  # linear light: spread of the print from which on it must show
_SHOWS, _ALIKE = 0.2, 0.3  # share of the print's contrast that is seen at least where it shows at all; correlation
_TOP, _MOSTLY = 250, 0.5  # grey levels; share of a space
_RIM = 3.0  # mm round such a place that are not looked at either


def washed(half: Flat, plain: Flat, piece: Piece) -> Mask | None:
    """Which pixels lie where a bright patch, wider than pieces, shows nothing of the print: bool (rows, cols), None if
    there are none. half: the flat view at half the size, linear BGR float32 (rows, cols, 3). plain: the empty board in
    this light, as large or half as large.
    """
    size = -(-half.shape[1] // _OF_HALF), -(-half.shape[0] // _OF_HALF)
    bright, usual = (_coarse(image, size) for image in (half, plain))
    more = (np.log((bright + _FLOOR) / (np.minimum(usual, 1) + _FLOOR)) > _BRIGHTER).astype(np.uint8)
    closed = cv2.morphologyEx(more, cv2.MORPH_CLOSE, _disc(4.0))
    core = opened(np.asarray(closed, np.uint8), _disc(max(0.9 * piece.diameter, 11.0)))
    if not core.any():
        return None
    count, labels = cv2.connectedComponents(core)
    gone = np.zeros(core.shape, np.uint8)
    for label in range(1, count):
        part = labels == label
        if not _shows(bright, usual, part):
            gone[part] = 1
    if not gone.any():
        return None
    wide = cv2.dilate(gone, _disc(_RIM))
    return np.asarray(cv2.resize(wide, half.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0)


def dazzled(flat: Frame, light: Light, paints: Floats, rings: tuple[Ints, Mask]) -> Mask:
    """Of which spaces so much is burnt out that a piece in one of the `paints`, linear BGR (K, 3), would look as the
    lit board does, bool (S,). flat: uint8 BGR. rings: pixels of each space, raveled, and which of them count, (S, P).
    """
    pixels, counted = rings
    lightest = float(np.sort(light.of_color(paints), axis=1)[:, -2].max())
    if lightest < 1:
        return np.zeros(len(pixels), bool)
    burnt = (flat.reshape(-1, 3).take(pixels, axis=0) >= _TOP).sum(axis=2) >= 2
    return np.asarray((burnt & counted).mean(axis=1) > _MOSTLY)


def _coarse(image: Flat, size: tuple[int, int]) -> Flat:
    """The brightness of a view, linear BGR (rows, cols, 3), made smaller: size (cols, rows)."""
    grey = cv2.transform(image, np.full((1, 3), 1 / 3, np.float32))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)


def _disc(radius: float) -> npt.NDArray[np.uint8]:
    return disc(radius * PIXELS_PER_MM / _COARSE)


def _shows(bright: Flat, usual: Flat, part: Mask) -> bool:
    """Whether the print is seen in a part, however the light that is added there changes over it: a sleeve over a few
    squares has some of their contrast by chance, but is not like them."""
    y, x = (side / max(part.shape) for side in np.nonzero(part))
    smooth = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    own, print_ = (_rest(layer[part].astype(np.float64), smooth) for layer in (bright, usual))
    if float(print_.std()) < _CONTRAST:
        return True
    both, seen, printed = (float(one @ other) for one, other in ((own, print_), (own, own), (print_, print_)))
    return bool(both > max(_SHOWS * printed, _ALIKE * (seen * printed) ** 0.5))


def _rest(values: Floats, smooth: Floats) -> Floats:
    """What is left of values (N,) beside a smooth course, given by its terms (6, N)."""
    course = np.linalg.lstsq(smooth.T, values, rcond=None)[0]
    return np.asarray(values - course @ smooth)
