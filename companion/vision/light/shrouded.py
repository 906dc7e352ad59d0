"""Where nothing is left of the print though the board seems to lie in a shadow: a dark hand; in dim light, any hand.

A shadow takes the same share of the light from every ink, so the print still shows. A hand is as dark all over: on
light squares it looks like their shadow, and on dark ones like the squares.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.light.print_steps import Small, both_steps, coarse, coarse_disc, coarse_size
from companion.vision.view.opening import filled, opened, room_for
from companion.vision.view.pose import Flat

Mask = npt.NDArray[np.bool_]

_SOMEWHAT, _PLAINLY = 1.0, 2.0  # nats against the empty board: what may belong to such a hand; what is something else
_WIDTH, _LEAST_WIDTH = 0.6, 11.0  # of a piece's diameter, and mm: the radius of a disc that fits in
_GAPS, _TAILS, _REACH = 4.0, 4.0, 30.0  # mm: closed; cut off; round such a disc that belong to it
_MOSTLY, _MUCH = 0.5, 1 / 3
"""Share of a pixel of the coarse view that looks like such a hand; that is plainly something else: it tells nothing."""
_FLOOR = 0.005  # linear light added before logarithms are taken
_BESIDE = 8.0  # mm round a patch that are looked at, too: squares as dark as the hand are no part of it
_SMALLEST, _FEWEST = 100, 40  # pixels of the coarse view, ten mm² each: of a patch; by which it is judged
_LEAST_PRINT = 0.08  # natural log: steps of the print from which on they must show
_SHOWS = 0.3
"""Share of the print's contrast that is seen in a shadow at least: of a dozen shadows, drawn and filmed, none showed
less than 0.4, and of twenty looks at hands that were read as shadows, of two filmed games, none more than 0.25."""
_HARDLY = 0.5  # of it is seen beside all patches: where less is, it is no longer told from the rim of a hand


def shrouded(half: Flat, plain: Flat, odd: Flat, dim: Mask, piece: Piece) -> Mask | None:
    """Which pixels lie in a dark patch, wider than pieces, that shows nothing of the print: bool, as large as `half`;
    None if there are none.

    half, plain: the flat view at half the size and the empty board in this light, linear BGR float32 (rows, cols, 3).
    odd: nats by which each pixel does not look like the empty board, float32, and dim: which look like it in a shadow,
    bool, both of the whole flat view.
    """
    size, patch = coarse_size(half), coarse_disc(max(_WIDTH * piece.diameter, _LEAST_WIDTH))
    dark = _share(dim | ((odd > _SOMEWHAT) & (odd < _PLAINLY)), size) > _MOSTLY
    if not room_for(patch, dark):
        return None
    patches = _patches(dark, patch)
    if not patches.any():
        return None
    clear = _share(odd > _PLAINLY, size) < _MUCH
    logs = _log(coarse(half, size)), _log(coarse(plain, size))
    within = _shown(*logs, patches, clear)
    near = np.asarray(cv2.dilate(patches, coarse_disc(_BESIDE)), np.uint8)
    unknown = patches * np.isnan(within)
    shown = _shown(*logs, near, clear) if unknown.any() else within
    least = _SHOWS * float(np.clip(_elsewhere(*logs, patches, clear), _HARDLY, 1))
    gone = patches * (np.where(unknown > 0, shown, within) < least)
    if not gone.any():
        return None
    hulls = _hulls(near, np.asarray(gone, np.uint8))
    return np.asarray(cv2.resize(hulls, half.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0)


def _shown(seen: Flat, usual: Flat, patches: Small, clear: Mask) -> Flat:
    """What share of the print's contrast is seen in the patch, 0 or 1, in which each pixel lies, float32 (rows, cols);
    NaN where too little is printed to tell. seen, usual: natural log of the brightness. clear: pixels that tell."""
    told = patches * clear.astype(np.uint8)
    own, printed = both_steps(seen, usual, told)
    count, labels = cv2.connectedComponents(patches)
    fewest, *sums = (np.bincount(labels.ravel(), x.ravel(), count) for x in (told, own * printed, printed * printed))
    enough = (fewest >= _FEWEST) & (sums[1] >= _LEAST_PRINT**2 * fewest)
    share = np.where(enough, sums[0] / np.maximum(sums[1], 1e-9), np.nan)
    share[0] = np.nan
    return np.asarray(share[labels], np.float32)


def _elsewhere(seen: Flat, usual: Flat, patches: Small, clear: Mask) -> float:
    """What share of the print's contrast is seen beside all patches: a small picture of little light shows less of fine
    lines anywhere. 1 where too little tells. See `_shown`."""
    share = _shown(seen, usual, np.asarray(1 - patches, np.uint8), clear)
    known = share[np.isfinite(share)]
    return float(np.median(known)) if len(known) else 1.0


def _hulls(groups: Small, patches: Small) -> Small:
    """The convex hulls of patches, 0 or 1, that lie in one group each: between light squares dark ones are hidden."""
    count, labels = cv2.connectedComponents(groups)
    hulls = np.zeros_like(patches)
    for label in range(1, count):
        at = cv2.findNonZero(patches * (labels == label).astype(np.uint8))
        if at is not None:
            cv2.fillConvexPoly(hulls, cv2.convexHull(at), 1)
    return hulls


def _share(mask: Mask, size: tuple[int, int]) -> Flat:
    """The share of each pixel of the coarse view, (cols, rows), that lies in a mask of the whole flat view."""
    return np.asarray(cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)


def _patches(dark: Mask, patch: Small) -> Small:
    """The large parts of a mask in which a kernel fits, and what they enclose, but not what is thin or far off: 0 or 1.
    """
    closed = np.asarray(cv2.morphologyEx(dark.astype(np.uint8), cv2.MORPH_CLOSE, coarse_disc(_GAPS)), np.uint8)
    whole = filled(closed)
    core = opened(whole, patch)
    if not core.any():
        return core
    near = cv2.bitwise_and(opened(whole, coarse_disc(_TAILS)), cv2.dilate(core, coarse_disc(_REACH)))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(near)
    large = stats[:, cv2.CC_STAT_AREA] >= _SMALLEST
    large[0] = False
    large &= np.isin(np.arange(len(large)), labels[core > 0])
    return np.asarray(large[labels], np.uint8)


def _log(light: Flat) -> Flat:
    return np.asarray(np.log(light + np.float32(_FLOOR)), np.float32)
