"""A hand and its sleeve, painted over a picture: nothing is read where it is, but all round it is."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from calibration.evidence.lens import Camera, Floats, Plane
from calibration.evidence.pieces import arm
from calibration.evidence.shapes import Capsule, Solid
from companion.virtual.tabletop import Hand

SHADES = 7
"""So many steps from a finger's dark edge to its bright middle."""
_FOLD = 0.95
"""Of the distance from the picture's middle at which 1 + k1 r² turns back."""
_SHIFT = 4  # binary places of a pixel that OpenCV draws with


def arm_of(hand: Hand, skin: Floats, sleeve: Floats) -> list[Solid]:
    """The bars that a hand and its arm are made of; the sleeve last."""
    (x, y), (sx, sy) = hand.at, hand.shoulder
    fingers = np.random.default_rng(hand.seat)
    return arm(np.array(hand.at), math.atan2(sy - y, sx - x), hand.lift, skin, sleeve, fingers)


def painted(light: Plane, solids: Sequence[Solid], camera: Camera, sun: Floats, white: Floats) -> Plane:
    """The picture with these over it, and their shadow on the table.

    sun: the direction from which most light comes, its z 1. white: what a white thing would look like, linear BGR.
    """
    out = light * (1 - 0.55 * shadow(light.shape[:2], solids, camera, sun))[..., None]
    for solid in reversed(solids):
        color = np.asarray(solid.color * white)
        for shade in range(SHADES):
            share, bright = 1 - shade / SHADES, 0.35 + 0.65 * math.sqrt((shade + 0.5) / SHADES)
            for part in solid.parts:
                if isinstance(part, Capsule):
                    _bar(out, part, camera, share, bright * color)
    return np.asarray(out, np.float32)


def mask(shape: tuple[int, int], solids: Sequence[Solid], camera: Camera) -> Plane:
    """1 where these hide the table, else 0."""
    hidden = np.zeros(shape, np.float32)
    for solid in solids:
        for part in solid.parts:
            if isinstance(part, Capsule):
                _bar(hidden, part, camera, 1.0, np.ones(1))
    return hidden


def shadow(shape: tuple[int, int], solids: Sequence[Solid], camera: Camera, sun: Floats) -> Plane:
    """How much of the light these take from the table, 0 to 1; soft, the more so the higher they are."""
    dark = np.zeros(shape, np.float32)
    for solid in solids:
        for part in solid.parts:
            if isinstance(part, Capsule):
                start, end = part.start - part.start[2] * sun, part.end - part.end[2] * sun
                _bar(dark, Capsule(start, end, part.radius), camera, 1.0, np.ones(1))
    return np.asarray(cv2.GaussianBlur(dark, (0, 0), shape[1] / 80), np.float32)


def _bar(picture: Plane, bar: Capsule, camera: Camera, share: float, color: Floats) -> None:
    """Draw a round bar, as wide as this share of it."""
    depths = (np.array([bar.start, bar.end]) - camera.eye) @ camera.axes[2]
    if depths.min() < 3 * bar.radius:
        return
    ends, wide = (
        camera.project(_within(np.array([bar.start, bar.end]), camera)),
        share * bar.radius * camera.focal / depths,
    )
    turn = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    rim = np.column_stack([np.cos(turn), np.sin(turn)])
    round_about = np.vstack([end + r * rim for end, r in zip(ends, wide, strict=True)])
    hull = cv2.convexHull(np.clip(round_about, -5000, 5000).astype(np.float32))
    cv2.fillConvexPoly(picture, np.round(hull * 2**_SHIFT).astype(np.int32), color.tolist(), cv2.LINE_AA, _SHIFT)


def _within(points: Floats, camera: Camera) -> Floats:
    """The points, those drawn in that lie beyond what the lens's bend is good for: it would fold them back."""
    seen = (points - camera.eye) @ camera.axes.T
    reach = _FOLD / math.sqrt(max(1e-6, -3 * camera.bend[0]))
    far = np.linalg.norm(seen[:, :2], axis=1) / seen[:, 2]
    seen[:, :2] *= np.minimum(1, reach / np.maximum(far, 1e-9))[:, None]
    return np.asarray(seen @ camera.axes + camera.eye)
