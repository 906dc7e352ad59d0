"""The dice in a tray beside the board, from one picture."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.vision.dice_faces import Faces, aces_of, faces_of, fitted, lab_of
from companion.vision.dice_marks import Marks, marks_of
from companion.vision.dice_seen import DiceSeen, DieSeen, Tray
from companion.vision.dice_spots import NONE, Patterns, Spots, once, patterns_in, spots_of
from companion.vision.dice_sure import likely, log_odds, look_of, shape_of
from companion.vision.dice_view import TrayView, view_of, whole_picture
from companion.vision.dice_weights import ACE_SHAPE, AMONG, CEILING, FIT, LOOK, SHAPE
from companion.vision.pose import Flat, Floats, Frame, Pose

__all__ = ["DiceSeen", "DieSeen", "Tray", "read_dice", "read_dice_in"]

_SMALLEST, _LARGEST = 9.0, 26.0  # mm: the edge of a die
_PIPS = (0.75, 1.1, 1.7)  # mm: radii of pips that are looked for
_ACE_SIZES = 10
_MOST, _MOST_ACES, _SPOTS = 18, 8, 14  # faces that are looked at closely
_KNOWN, _OWN = 0.6, 0.6  # likely enough to know a die's size by; how far its own pips reach, of the edge
_LIKE_SIZE = 0.3  # of a side and its top, natural logarithm
_GUESS = 0.3  # how a camera that is not known may look past the vertical
_NEAR, _SPREAD = 1.4, 0.12  # how far a top may be from the known size, and how well that is known (logarithm)
_WRONG_SIZE = 0.16  # so unlike the known size, a die is a doubt (logarithm)
_LEAST = 0.03  # what is less likely is no die
_REPORTED = 0.5
SURE = 0.9
"""A die of less confidence makes the roll unclear."""


class Candidates(NamedTuple):
    """Faces that may be the tops of dice, one a row, with what they say and how likely that is."""

    faces: Faces
    marks: Marks
    look: Floats
    share: Floats


def read_dice(frame: Frame, where: Pose | Floats, tray: Tray, edge: float = 0.0) -> DiceSeen:
    """The dice in the tray. frame: uint8 BGR. where: the camera's pose, or a homography from mm to pixels.

    edge: of the dice, mm, where it is known: others are doubted.
    """
    return read_view(view_of(frame, where, tray), (_SMALLEST, _LARGEST), edge)


def read_dice_in(image: Frame) -> DiceSeen:
    """The dice in a picture taken from above of nothing but a tray; places and sizes are in pixels."""
    view = whole_picture(image)
    return read_flat(view, (14.0 / view.scale, 0.3 * min(view.picture.shape[:2]) / view.scale))


def read_flat(view: TrayView, limits: tuple[float, float]) -> DiceSeen:
    """The dice in a view of which nobody knows from where it was taken: from where they are seen best.

    No die is surer than it is from the second best place.
    """
    guesses = [(0.0, 0.0), *((_GUESS * float(np.cos(a)), _GUESS * float(np.sin(a))) for a in np.arange(8) * np.pi / 4)]
    seen = [read_view(replace(view, slope=slope), limits) for slope in guesses]
    best, second, *_ = sorted(seen, key=lambda one: -sum(die.confidence for die in one.dice))
    dice = [die._replace(confidence=min(die.confidence, _seen_in(second, die))) for die in best.dice]
    return DiceSeen(tuple(dice), _doubts(view, dice, 0.0))


def _seen_in(seen: DiceSeen, die: DieSeen) -> float:
    """How sure a die of this value is near this one's place in another reading; a doubt if there is none."""
    near = [
        other.confidence
        for other in seen.dice
        if other.value == die.value and np.hypot(other.x_mm - die.x_mm, other.y_mm - die.y_mm) < 0.5 * die.size_mm
    ]
    return max(near, default=_REPORTED)


def read_view(view: TrayView, limits: tuple[float, float], edge: float = 0.0) -> DiceSeen:
    """The dice in a view. limits: the smallest and the largest edge, mm. edge: theirs, mm; 0 if it is not known."""
    known = edge * view.scale * view.swell(edge * view.scale)
    found = candidates(view, limits, known)
    chosen = choose(found)
    among = surroundings(found, chosen, known)
    dice = []
    for row, sure in zip(chosen, (CEILING * likely(among, AMONG)).tolist(), strict=True):
        die = _die(view, found, row, sure)
        if sure > _REPORTED and _in_tray(view, die):
            dice.append(die)
    return DiceSeen(tuple(sorted(dice, key=lambda die: die.x_mm)), _doubts(view, dice, edge))


def candidates(view: TrayView, limits: tuple[float, float], known: float = 0.0) -> Candidates:
    """What may be the top of a die, in any number and overlapping. known: the edge of a top, pixels, or 0."""
    smallest, largest = (known / _NEAR, known * _NEAR) if known else (limits[0] * view.scale, limits[1] * view.scale)
    lab = lab_of(view.picture)
    kinds = spots_of(view.picture, radii_for(limits, view.scale))
    patterns = once(Patterns.joined([NONE, *(patterns_in(kind, smallest, largest) for kind in kinds)]))
    many = faces_of(lab, patterns, view)
    found = _looked_at(lab, many, SHAPE, _MOST, view, known)
    aces = aces_beside(lab, kinds, found, view, (smallest, largest))
    others = found.faces.size[[i for i in choose(found) if found.share[i] > _KNOWN]]
    alike = known or (float(np.median(others)) if len(others) else 0.0)
    return _both(found, _looked_at(lab, aces, ACE_SHAPE, _MOST_ACES, view, alike))


def _looked_at(
    lab: Flat, faces: Faces, weights: tuple[float, ...], most: int, view: TrayView, known: float = 0.0
) -> Candidates:
    """The likeliest faces in the size that fits them best, and what they say."""
    some = faces.take(_different(faces, likely(shape_of(faces), FIT), most))
    if len(some.size):
        many = fitted(lab, some, view)
        each = likely(shape_of(many), FIT)
        if known:
            each = each * np.exp(-0.5 * (np.log(many.size / known) / _SPREAD) ** 2)
        each = each.reshape(len(some.size), -1)
        some = many.take(each.argmax(axis=1) + np.arange(len(each)) * each.shape[1])
    marks = marks_of(lab, some)
    look = look_of(likely(shape_of(some), weights), some, marks)
    return Candidates(some, marks, look, likely(look, LOOK))


def _both(one: Candidates, other: Candidates) -> Candidates:
    faces = _joined([one.faces, other.faces])
    marks = Marks._make(np.concatenate(pair) for pair in zip(one.marks, other.marks, strict=True))
    return Candidates(faces, marks, np.vstack([one.look, other.look]), np.concatenate([one.share, other.share]))


def aces_beside(
    lab: Flat, kinds: list[Spots], found: Candidates, view: TrayView, limits: tuple[float, float]
) -> Faces:
    """Aces among the spots that are no pips of dice found already, and as large as those. limits: edges, pixels."""
    tops = [i for i in choose(found) if found.share[i] > _KNOWN]
    if not tops:
        return aces_of(lab, kinds, np.geomspace(1.05 * limits[0], 0.95 * limits[1], _ACE_SIZES), _SPOTS, view)
    at, size = found.faces.pips.at[tops], found.faces.size[tops]
    free = []
    for kind in kinds:
        off = np.linalg.norm(kind.at[:, None] - at[None], axis=2) / size[None]
        rows = np.flatnonzero(off.min(axis=1) > _OWN)
        free.append(kind._replace(at=kind.at[rows], strength=kind.strength[rows]))
    return aces_of(lab, free, float(np.median(size)) * np.array([0.88, 0.95, 1.02, 1.1]), _SPOTS, view)


def radii_for(limits: tuple[float, float], scale: float) -> tuple[float, ...]:
    """The radii, pixels, of pips to look for on dice within these limits, mm."""
    if limits == (_SMALLEST, _LARGEST):
        return tuple(radius * scale for radius in _PIPS)
    return tuple(np.geomspace(0.1 * limits[0], 0.085 * limits[1], 3) * scale)


def _different(faces: Faces, share: Floats, most: int) -> npt.NDArray[np.int64]:
    """The likeliest, those of the same value at the same place once."""
    kept: list[int] = []
    at, value, size = faces.pips.at, faces.pips.value, faces.size
    for i in np.argsort(-share)[: 4 * most].tolist():
        same = (
            value[k] == value[i]
            and np.hypot(*(at[k] - at[i])) < 0.2 * size[i]
            and abs(np.log(size[k] / size[i])) < 0.12
            for k in kept
        )
        if not any(same):
            kept.append(i)
            if len(kept) == most:
                break
    return np.array(kept, np.int64)


def _joined(parts: list[Faces]) -> Faces:
    pips = Patterns.joined([one.pips for one in parts])
    return Faces._make([pips, *(np.concatenate(column) for column in zip(*(one[1:] for one in parts), strict=True))])


def choose(found: Candidates) -> list[int]:
    """The likeliest candidates that do not overlap, and are not the sides of others."""
    kept: list[int] = []
    at, size, share = found.faces.pips.at, found.faces.size, found.share
    for i in np.argsort(-share).tolist():
        if share[i] < _LEAST:
            break
        if all(np.hypot(*(at[i] - at[k])) >= 0.62 * min(size[i], size[k]) for k in kept):
            kept.append(i)
    sides = {k: _seen_as_sides(found.faces, k) for k in kept}
    return [i for i in kept if not any(k != i and share[k] > 0.35 * share[i] and sides[k][i] for k in kept)]


def _seen_as_sides(faces: Faces, top: int) -> npt.NDArray[np.bool_]:
    """Which faces lie where a side face of the die with this top is seen."""
    lean, size, along = faces.lean[top], float(faces.size[top]), faces.along[top]
    length = float(np.hypot(*lean))
    found = np.zeros(len(faces.size), bool)
    if length < 0.12:
        return found
    for out in (along, -along, np.array([-along[1], along[0]]), np.array([along[1], -along[0]])):
        if out @ lean < -0.25 * length:
            middle = faces.pips.at[top] + (out - lean) * size / 2
            found |= np.hypot(*(faces.pips.at - middle).T) < 0.3 * size
    found[top] = False
    return np.asarray(found & (np.abs(np.log(faces.size / size)) < _LIKE_SIZE))


def surroundings(found: Candidates, chosen: list[int], known: float = 0.0) -> Floats:
    """What speaks for and against each chosen one among the others, (N, 8), in the order of `AMONG`."""
    faces, share = found.faces, found.share
    at, size = faces.pips.at, faces.size
    rest = np.ones(len(share), bool)
    rest[chosen] = False
    tops = [k for k in range(len(share)) if share[k] > 0.02]
    sides = {k: _seen_as_sides(faces, k) for k in tops}
    rows = []
    for i in chosen:
        far = np.hypot(*(at - at[i]).T)
        rivals = rest & (far < 0.62 * size[i]) & (faces.pips.value != faces.pips.value[i])
        others = [k for k in chosen if k != i and share[k] > 0.3]
        unlike = min((abs(float(np.log(size[i] / size[k]))) for k in others), default=0.08)
        unlike = abs(float(np.log(size[i] / known))) if known else unlike
        below = max((float(share[k]) for k in tops if sides[k][i]), default=0.0)
        room = min((float(far[k] / size[i]) for k in others), default=3.0)
        rival = float(share[rivals].max()) if rivals.any() else 0.0
        own = float(log_odds(share[i : i + 1], 1e-4)[0])
        near = [min(unlike, 0.4), float(bool(others) or known > 0), below, min(room, 1.6)]
        rows.append([own, np.log(rival + 0.01), *near, *found.look[i, 1:3]])
    return np.array(rows, np.float64).reshape(len(rows), 8)


def _die(view: TrayView, found: Candidates, row: int, sure: float) -> DieSeen:
    faces, size = found.faces, float(found.faces.size[row])
    foot = faces.pips.at[row] - faces.lean[row] * size
    edge = size / view.swell(size) ** 0.5 / view.scale
    x, y = (float(foot[k]) / view.scale + view.origin[k] for k in (0, 1))
    value = int(found.marks.value[row])
    return DieSeen(value, round(x, 1), round(y, 1), round(edge, 1), round(sure, 4))


def _in_tray(view: TrayView, die: DieSeen) -> bool:
    x0, y0, x1, y1 = view.tray
    x, y = ((die.x_mm - view.origin[0]) * view.scale, (die.y_mm - view.origin[1]) * view.scale)
    return x0 <= x <= x1 and y0 <= y <= y1


def _doubts(view: TrayView, dice: list[DieSeen], edge: float) -> tuple[str, ...]:
    said = []
    if not view.whole:
        said.append("Part of the tray is outside the picture: move the tray or the camera.")
    for die in dice:
        if edge and abs(float(np.log(die.size_mm / edge))) > _WRONG_SIZE:
            larger = "larger" if die.size_mm > edge else "smaller"
            said.append(f"A die looks {larger} than the dice of this game: lay it flat in the tray, on no other one.")
        elif die.confidence < SURE:
            said.append(f"A die looks like a {die.value}, but that is not certain: lay it flat, apart from the others.")
    return tuple(said)

