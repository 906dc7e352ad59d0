"""Where nothing is left of the print though it is bright there: a lamp's image that burns out, a white cup, paper.

A glare adds light to the print, which still shows; where it does not show, nobody can say what lies there.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.light.print_steps import Small, both_steps, coarse, coarse_disc, coarse_size
from companion.vision.light.today import Light, as_seen
from companion.vision.view.opening import opened, room_for
from companion.vision.view.pose import Flat, Floats, Frame

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

WASHED = 5.0
"""Nats against the empty board where nothing of it shows."""
_BRIGHTER = 0.12  # natural log by which the board is brighter than in today's light
_FLOOR = 0.02  # linear light added before ratios are taken
_NEAR = 5.0  # pixels of the coarse view over which what is seen of the print is averaged
_LEAST = 0.006  # linear light: steps of the print from which on they must show
_HARDLY = 0.02  # weight of the patch as a whole where hardly anything is printed
_SHOWS, _ALIKE = 0.2, 0.3  # share of the print's contrast that is seen at least where it shows at all; correlation
TOP = 250
"""Grey levels: as bright as a camera can show, nearly."""
_MOSTLY = 0.5  # share of a space
_RIM = 3.0  # mm round such a place that are not looked at either


def washed(half: Flat, plain: Flat, piece: Piece) -> Mask | None:
    """Which pixels lie where a bright patch, wider than pieces, shows nothing of the print: bool (rows, cols), None if
    there are none. half: the flat view at half the size, linear BGR float32 (rows, cols, 3). plain: the empty board in
    this light, as large or half as large: beside a lamp it is brighter than any picture shows, and so are its steps.
    """
    bright, usual = (coarse(image, coarse_size(half)) for image in (half, as_seen(plain)))
    more = (bright + _FLOOR) / (_hardly_resolved(usual) + _FLOOR) > np.exp(_BRIGHTER)
    patch = coarse_disc(max(0.9 * piece.diameter, 11.0))
    if not room_for(patch, more):
        return None
    closed = cv2.morphologyEx(more.astype(np.uint8), cv2.MORPH_CLOSE, coarse_disc(4.0))
    core = opened(np.asarray(closed, np.uint8), patch)
    if not core.any():
        return None
    gone = _without_print(bright, usual, core, patch)
    if not gone.any():
        return None
    wide = cv2.dilate(gone, coarse_disc(_RIM))
    return np.asarray(cv2.resize(wide, half.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0)


def dazzled(flat: Frame, light: Light, paints: Floats, rings: tuple[Ints, Mask]) -> Mask:
    """Of which spaces so much is burnt out that a piece in one of the `paints`, linear BGR (K, 3), would look as the
    lit board does, bool (S,). flat: uint8 BGR. rings: pixels of each space, raveled, and which of them count, (S, P).
    """
    pixels, counted = rings
    lightest = float(np.sort(light.of_color(paints), axis=1)[:, -2].max())
    if lightest < 1:
        return np.zeros(len(pixels), bool)
    burnt = burnt_out(flat.reshape(-1, 3).take(pixels, axis=0))
    return np.asarray((burnt & counted).mean(axis=1) > _MOSTLY)


def burnt_out(shown: Frame) -> Mask:
    """Where two channels are as bright as can be, bool (…), of uint8 BGR (…, 3)."""
    return in_two(shown >= TOP)


def in_two(channels: Mask) -> Mask:
    """Where two of three channels are set, bool (…), of bool (…, 3)."""
    count = cv2.transform(channels.view(np.uint8).reshape(1, -1, 3), np.ones((1, 3), np.float32))
    return np.asarray(count >= 2).reshape(channels.shape[:-1])


def _hardly_resolved(usual: Flat) -> Flat:
    """As bright as the print may look in a small picture: at the far edge of the board it shows little of dark lines
    that are narrow."""
    without = np.asarray(cv2.morphologyEx(usual, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.float32)
    return np.asarray(cv2.addWeighted(usual, 0.5, without, 0.5, 0), np.float32)


def _without_print(bright: Flat, usual: Flat, patches: Small, wide: Small) -> Small:
    """Where nothing of the print is seen in bright patches, 0 or 1: all of a patch if most of it shows none, and such
    places in the others as the kernel `wide` fits in: a lamp's image may burn out there, or a sleeve lie in it.
    """
    own, print_ = both_steps(bright, usual, patches)
    said = np.stack([own * print_, own * own, print_ * print_], axis=2) * patches[..., None]
    gone, near = np.zeros_like(patches), np.asarray(cv2.GaussianBlur(said, (0, 0), _NEAR), np.float32)
    count, labels = cv2.connectedComponents(patches)
    for label in range(1, count):
        part = labels == label
        whole = said[part].mean(axis=0)
        if whole[2] < _LEAST**2:
            continue
        blank = np.zeros_like(part)
        blank[part] = ~_shows(near[part] + _HARDLY * whole)
        mostly = 2 * np.count_nonzero(blank) > np.count_nonzero(part)
        gone |= np.asarray(part if mostly else opened(blank.astype(np.uint8), wide), np.uint8)
    return gone


def _shows(said: Floats | Flat) -> Mask:
    """Whether the print is seen, (…,), where its steps times those that are seen, the squares of these and the squares
    of those have these sums, (…, 3): a sleeve has some of the contrast by chance, but is not like the print."""
    both, seen, printed = np.moveaxis(said, -1, 0)
    return np.asarray(both > np.maximum(_SHOWS * printed, _ALIKE * np.sqrt(seen * printed)))
