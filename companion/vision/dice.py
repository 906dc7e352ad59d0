"""The dice in a tray beside the board, from one picture."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.dice_bodies import Body, fit_cubes, masks, outlines_of, split
from companion.vision.dice_doubts import leftovers
from companion.vision.dice_pips import Face, read_face
from companion.vision.dice_seen import DiceSeen, DieSeen, Tray
from companion.vision.dice_view import TrayView, view_of, whole_picture
from companion.vision.pose import Floats, Frame, Pose

__all__ = ["DiceSeen", "DieSeen", "Tray", "read_dice", "read_dice_in"]

_SMALLEST, _LARGEST = 7.0, 27.0  # mm: the edge of a die
_LEAST_ALIKE, _SURE_ALIKE = 0.62, 0.75
_WORST_FIT = 0.09
_LEAST_CONTRAST = 0.35  # of pips, as a share of the face's brightness
_REPORTED = 0.4
_MOST_CLUMPS = 8
SURE = 0.9
"""A die of less confidence makes the roll unclear."""
_GUESSES = [np.zeros(2)] + [
    slope * np.array([np.cos(a), np.sin(a)]) for slope in (0.3,) for a in np.arange(0, 2 * np.pi, np.pi / 4)
]


class _Candidate(NamedTuple):
    body: Body
    face: Face
    score: float


def read_dice(frame: Frame, where: Pose | Floats, tray: Tray) -> DiceSeen:
    """The dice in the tray. frame: uint8 BGR. where: the camera's pose, or a homography from mm to pixels."""
    view = view_of(frame, where, tray)
    return _read(view, _SMALLEST * view.scale, _LARGEST * view.scale)


def read_dice_in(image: Frame) -> DiceSeen:
    """The dice in a picture taken from above of nothing but a tray; places and sizes are in pixels."""
    view = whole_picture(image)
    return _read(view, 14.0, 0.3 * min(view.picture.shape[:2]))


def _read(view: TrayView, smallest: float, largest: float) -> DiceSeen:
    found: list[_Candidate] = []
    clumps: list[Floats] = []
    shapes = masks(view.picture)
    for mask in shapes:
        for outline in outlines_of(mask, 0.8 * smallest):
            best = _as_die(view, outline, smallest, largest)
            if best is not None:
                found.append(best)
            if (best is None or best.face.alike < _SURE_ALIKE) and _is_free(view, outline):
                clumps.append(outline)
    sure = [c for c in _apart(found) if c.face.alike >= _SURE_ALIKE]
    size = float(np.median([c.body.size for c in sure])) if sure else None
    for outline in _different(clumps)[:_MOST_CLUMPS]:
        found += _in_clump(view, outline, size, (smallest, largest), sure)
    return _settled(view, _apart(found), shapes[-1])


def _is_free(view: TrayView, outline: Floats) -> bool:
    """Whether a thing does not reach the view's border, as the table and the tray's rim do."""
    rows, cols = view.picture.shape[:2]
    return bool(outline.min() > 2 and outline[:, 0].max() < cols - 3 and outline[:, 1].max() < rows - 3)


def _different(clumps: list[Floats]) -> list[Floats]:
    """One outline of those that lie in the same box."""
    kept: list[tuple[Floats, Floats]] = []
    for outline in clumps:
        box = np.concatenate([outline.min(axis=0), outline.max(axis=0)])
        near = 0.08 * float((box[2:] - box[:2]).max())
        if all(np.abs(box - other).max() > near for other, _ in kept):
            kept.append((box, outline))
    return [outline for _, outline in kept]


def _as_die(view: TrayView, outline: Floats, smallest: float, largest: float) -> _Candidate | None:
    reach = np.ptp(outline, axis=0)
    if reach.max() > 3.2 * largest or reach.min() < 0.8 * smallest:
        return None
    middle = outline.mean(axis=0)
    leans = _GUESSES if view.camera is None else [view.lean(middle)]
    fits = [b for b in fit_cubes(outline, leans) if smallest <= b.size <= largest and b.misfit < _WORST_FIT]
    tried = [_judge(view, body) for body in fits[:3]]
    return max(tried, key=lambda c: c.score, default=None)


def _judge(view: TrayView, body: Body) -> _Candidate:
    face = read_face(view.picture, body)
    return _Candidate(body, face, face.alike - 2.0 * body.misfit)


def _in_clump(
    view: TrayView, outline: Floats, size: float | None, limits: tuple[float, float], sure: list[_Candidate]
) -> list[_Candidate]:
    """Dice that touch, taken apart."""
    area = cv2.contourArea(outline.astype(np.float32))
    hull = float(cv2.contourArea(cv2.convexHull(outline.astype(np.float32))))
    lean = view.lean(outline.mean(axis=0))
    bulk = 1 + 1.2 * float(np.linalg.norm(lean))
    if area < 0.55 * hull or _known_part(outline, sure) * bulk > 0.6 * area:
        return []
    edges = [size] if size is not None else _edges(area, bulk)
    best: list[_Candidate] = []
    for edge in edges:
        if limits[0] <= edge <= limits[1] and 1.3 < area / edge**2 < 7 * bulk:
            dice = [_judge(view, body) for body in split(outline, lean, edge, 6)]
            best = dice if len(dice) >= 2 and _worth(dice) > _worth(best) else best
    return best


def _edges(area: float, bulk: float) -> list[float]:
    """Edges that two or three dice may have that make up an area, with their sides or without."""
    return [(area / count / sides) ** 0.5 for count in (2, 3) for sides in (1.0, (1 + bulk) / 2, bulk)]


def _known_part(outline: Floats, sure: list[_Candidate]) -> float:
    """The area of the top faces in the outline that were read already."""
    ring = outline.astype(np.float32)
    inside = (c for c in sure if cv2.pointPolygonTest(ring, (c.body.x, c.body.y), False) >= 0)
    return sum(c.body.size**2 for c in inside)


def _worth(dice: list[_Candidate]) -> float:
    return min((c.face.alike - 0.03 * len(dice) for c in dice), default=0.0)


def _apart(found: list[_Candidate]) -> list[_Candidate]:
    """The best candidates that do not stand in one another, and are not the side of another."""
    kept: list[_Candidate] = []
    for one in sorted(found, key=lambda c: -c.score):
        if one.face.alike < _LEAST_ALIKE:
            continue
        if any(_same_place(one.body, c.body) or _on_side(one.body, c.body) for c in kept):
            continue
        if one.face.alike >= _SURE_ALIKE:
            kept = [c for c in kept if not _on_side(c.body, one.body)]
        kept.append(one)
    return kept


def _same_place(one: Body, other: Body) -> bool:
    return bool(np.hypot(one.x - other.x, one.y - other.y) < 0.4 * (one.size + other.size))


def _on_side(side: Body, die: Body) -> bool:
    """Whether what was taken for a top face lies on the sides of a die, towards the camera from its top."""
    down = np.array([die.foot_x - die.x, die.foot_y - die.y])
    length = float(np.linalg.norm(down))
    if length < 0.15 * die.size:
        return False
    along = float((np.array([side.x - die.x, side.y - die.y]) @ down) / length)
    across = float(np.hypot(side.x - die.x - along * down[0] / length, side.y - die.y - along * down[1] / length))
    return 0 < along < length + 0.5 * die.size and across < 0.6 * die.size


def _settled(view: TrayView, found: list[_Candidate], unlike: Frame) -> DiceSeen:
    clear = [c.body.size for c in found if c.face.alike >= _SURE_ALIKE and c.face.contrast > _LEAST_CONTRAST]
    usual = float(np.median(clear)) if clear else 0.0
    dice, bodies = [], []
    for body, face, _ in found:
        sure = _confidence(body, face, usual)
        edge = body.size / view.swell(body.size) ** 0.5 / view.scale
        x, y = body.foot_x / view.scale + view.origin[0], body.foot_y / view.scale + view.origin[1]
        if sure > _REPORTED and _in_tray(view, body):
            bodies.append(body)
            x, y, edge = (round(float(n), 1) for n in (x, y, edge))
            dice.append(DieSeen(face.value, x, y, edge, round(sure, 3)))
    doubts = (*_doubts(view, dice), *leftovers(view, unlike, bodies))
    return DiceSeen(tuple(sorted(dice, key=lambda die: die.x_mm)), doubts)


def _in_tray(view: TrayView, body: Body) -> bool:
    x0, y0, x1, y1 = view.tray
    return x0 <= body.foot_x <= x1 and y0 <= body.foot_y <= y1


def _doubts(view: TrayView, dice: list[DieSeen]) -> tuple[str, ...]:
    said = []
    if not view.whole:
        said.append("Part of the tray is outside the picture: move the tray or the camera.")
    for die in dice:
        if die.confidence < SURE:
            said.append(f"A die looks like a {die.value}, but that is not certain: lay it flat, apart from the others.")
    return tuple(said)


def _confidence(body: Body, face: Face, usual: float) -> float:
    """How sure the value is; a thing that is much larger or smaller than the other dice is hardly one."""
    odds = 16 * (face.alike - 0.86) + 12 * (face.alike - face.second - 0.06) - 80 * max(0.0, body.misfit - 0.04)
    odds += 12 * (min(face.contrast, 0.55) - _LEAST_CONTRAST)
    if usual:
        odds -= 12 * max(0.0, abs(float(np.log(body.size / usual))) - 0.2)
    return float(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
