"""What covers the board and is no piece: hands, arms, sleeves, anything large."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Sheet
from companion.vision.pose import Flat, Floats, Pose
from companion.vision.scene import PIXELS_PER_MM

Mask = npt.NDArray[np.bool_]

_ODD = 2.0  # nats against the empty board
_CONTRAST, _ALIKE = 0.15, 0.25  # natural log of brightness within a space; correlation with its print
_TOUCH = 25.0  # mm
_SHADOW = 60.0  # mm from a hand to the end of its shadow
_HIDDEN = 0.3  # a space is covered when more than this share of it is hidden


def hidden(odd: Flat, sheet: Sheet) -> Mask:
    """Which pixels of the flat view something large hides, bool (rows, cols).

    odd: nats by which each pixel does not look like the empty board, float32 (rows, cols). A region counts if a
    disc wider than a piece fits in it and it comes in over the edge of the board, as an arm does, or if it is
    wider than any group of pieces.
    """
    half = np.asarray(cv2.resize(odd, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    raw = (half > _ODD).astype(np.uint8)
    strange = np.asarray(cv2.morphologyEx(raw, cv2.MORPH_CLOSE, _disc(2.0)), np.uint8)
    core = np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, _disc(max(0.9 * sheet.piece.diameter, 11.0))))
    if not core.any():
        return np.zeros(odd.shape, bool)
    body = np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, _disc(3.0)), np.uint8)
    body &= np.asarray(cv2.dilate(core, _disc(40.0)), np.uint8)
    _, labels = cv2.connectedComponents(body)
    huge = np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, _disc(max(1.5 * sheet.piece.diameter, 22.0))))
    rim = np.ones(core.shape, bool)
    edge = max(2, round(2 * PIXELS_PER_MM))
    rim[edge:-edge, edge:-edge] = False
    arms = np.intersect1d(labels[core > 0], np.union1d(labels[rim], labels[huge > 0]))
    kept = np.isin(labels, arms[arms > 0])
    grown = _filled(np.asarray(cv2.dilate(kept.astype(np.uint8), _disc(2.0)), np.uint8))
    return np.asarray(cv2.resize(grown, (odd.shape[1], odd.shape[0]), interpolation=cv2.INTER_NEAREST) > 0)


def _filled(mask: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The mask with its holes closed."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(mask.copy(), contours, -1, 1, cv2.FILLED), np.uint8)


def _disc(radius: float) -> npt.NDArray[np.uint8]:
    """A disc of `radius` mm as a kernel for the half-size flat view."""
    r = max(1, round(radius * PIXELS_PER_MM / 2))
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)), np.uint8)


def covered_spaces(mask: Mask, sheet: Sheet, pose: Pose) -> dict[str, bool]:
    """For each space, whether it is hidden (by `mask`) or out of the picture."""
    ring = np.array([(r * np.cos(a), r * np.sin(a)) for r in (0.3, 0.6, 0.9) for a in np.arange(0, 6.28, 0.524)])
    at = np.array([(space.x, space.y) + ring * space.radius for space in sheet.spaces.values()])
    x, y = (at * PIXELS_PER_MM).astype(int).transpose(2, 0, 1)
    outside = (x < 0) | (y < 0) | (x >= mask.shape[1]) | (y >= mask.shape[0])
    hit = mask[y.clip(0, mask.shape[0] - 1), x.clip(0, mask.shape[1] - 1)] & ~outside
    covered = (hit.mean(axis=1) > _HIDDEN) | _out_of_picture(at, pose)
    return dict(zip(sheet.spaces, covered.tolist(), strict=True))


def _out_of_picture(at: Floats, pose: Pose) -> Mask:
    """Which spaces lie mostly out of the picture, bool (S,), by points in each, mm (S, P, 2)."""
    pixels = pose.project(at.reshape(-1, 2)).reshape(at.shape)
    inside = (pixels >= 0).all(axis=2) & (pixels < np.array(pose.size)).all(axis=2)
    return np.asarray(1 - inside.mean(axis=1) > _HIDDEN)


def unlike_spaces(flat: Flat, expected: Flat, explained: Mask, sheet: Sheet, known: Collection[str] = ()) -> set[str]:
    """Spaces whose print cannot be made out though no piece stands there: something of the board's colour hides it.

    flat, expected: linear BGR float32 (rows, cols, 3). explained: pixels on which pieces are seen, bool.
    known: spaces that are left out.
    """
    sums = (cv2.transform(image, np.ones((1, 3))) for image in (flat, expected))
    seen, usual = (np.asarray(cv2.log(cv2.blur(total, (3, 3)) + 0.05), np.float32) for total in sums)
    unlike = set()
    for name, space in sheet.spaces.items():
        if name in known:
            continue
        x, y, reach = (round(v * PIXELS_PER_MM) for v in (space.x, space.y, 1.3 * space.radius))
        part = slice(max(y - reach, 0), y + reach + 1), slice(max(x - reach, 0), x + reach + 1)
        free = ~explained[part]
        if free.mean() < 0.6 or usual[part][free].std() < _CONTRAST:
            continue
        if _correlation(usual[part][free], seen[part][free]) < _ALIKE:
            unlike.add(name)
    return unlike


def _correlation(one: Flat, other: Flat) -> float:
    a, b = one - one.mean(), other - other.mean()
    both = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / both if both > 0 else 1.0


def in_shadow(mask: Mask, dim: Mask) -> Mask:
    """Pixels near a hand, as `mask` shows it, that look like the board in a shadow (`dim`): it is the hand's."""
    half = cv2.resize(mask.astype(np.uint8), (mask.shape[1] // 4, mask.shape[0] // 4), interpolation=cv2.INTER_NEAREST)
    near = cv2.dilate(half, _disc(_SHADOW / 2))
    return np.asarray(cv2.resize(near, mask.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0) & dim & ~mask


def beside(mask: Mask, sheet: Sheet) -> set[str]:
    """Spaces that a hand, as `mask` shows it, covers or nearly touches."""
    if not mask.any():
        return set()
    near = cv2.dilate(cv2.resize(mask.astype(np.uint8), None, fx=0.5, fy=0.5), _disc(_TOUCH))
    return {
        name
        for name, space in sheet.spaces.items()
        if near[
            tuple(min(round(v * PIXELS_PER_MM / 2), n - 1) for v, n in zip((space.y, space.x), near.shape, strict=True))
        ]
    }
