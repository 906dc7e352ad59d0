"""What else lies in the tray than the dice that were read: a cocked or stacked die, or one that cannot be read."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.dice_bodies import Body
from companion.vision.dice_view import TrayView
from companion.vision.pose import Floats, Frame

LEANS = "A die leans, lies on another or against something: lay it flat in the tray."
UNREAD = "Something in the tray is no die that can be read: lay the dice flat and apart, and take other things out."
_ROOM = 1.15  # how much larger than a die's outline the part is that belongs to it
_COMMON_EDGE = 14.0  # mm


def leftovers(view: TrayView, mask: Frame, bodies: list[Body]) -> tuple[str, ...]:
    """Doubts for what `mask` (what is not ground, 0 or 255) shows in the tray beside the dice that were read."""
    size = float(np.median([b.size for b in bodies])) if bodies else _COMMON_EDGE * view.scale
    own = np.zeros_like(mask)
    for body in bodies:
        cv2.fillConvexPoly(own, _outline(body), 255)
    across = max(3, round(0.3 * size))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    rest = cv2.morphologyEx(cv2.bitwise_and(mask, cv2.bitwise_not(own)), cv2.MORPH_OPEN, disc)
    near = cv2.dilate(own, disc)
    count, names, stats, _ = cv2.connectedComponentsWithStats(rest)
    said = []
    for i in range(1, count):
        if _is_small_thing(view, stats[i], size):
            said.append(LEANS if near[names == i].any() else UNREAD)
    return tuple(dict.fromkeys(said))


def _outline(body: Body) -> Floats:
    half = body.size / 2 * _ROOM
    c, s = half * np.cos(body.turn), half * np.sin(body.turn)
    square = np.array([(c - s, s + c), (-c - s, c - s), (-c + s, -s - c), (c + s, s - c)])
    both = np.vstack([square + np.array([body.x, body.y]), square + np.array([body.foot_x, body.foot_y])])
    return np.asarray(cv2.convexHull(np.round(both).astype(np.int32)))


def _is_small_thing(view: TrayView, stat: Floats, size: float) -> bool:
    """Whether it is of a die's kind, and wholly in the tray."""
    x, y, wide, high, area = (float(n) for n in stat)
    x0, y0, x1, y1 = view.tray
    inside = x > x0 and y > y0 and x + wide < x1 and y + high < y1
    return inside and 0.2 * size**2 < area and max(wide, high) < 3 * size and area > 0.45 * wide * high
