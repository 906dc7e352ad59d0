"""Casts trays of many dice ray by ray, as the evidence does, for the net to learn from; not for measuring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.dice_net.truth import FLAT, LEANING, ON_TOP, UNDER, Shown, Top
from calibration.evidence.dice_making import (
    DICE_CONDITIONS,
    LITTER,
    LITTER_SCALE,
    DiceCondition,
    Setting,
    a_make,
    against_die,
    against_wall,
    beside,
    cast_dice,
    lying,
    places_in,
)
from calibration.evidence.dice_solids import Block, CastDie, Make, dots, length
from calibration.evidence.lens import Plane
from companion.vision.dice.seen import Tray
from companion.vision.dice.view import TrayView, view_of

Floats = npt.NDArray[np.float64]
Rng = np.random.Generator

_UNFIT = ("in motion", "empty", "out of tray")
_BOARDS = (400.0, 250.0, 150.0)  # mm; beside a smaller one the camera is nearer
_LEVEL, _LEANS = 1.0, 6.0  # degrees: less is flat, more leans; nobody can tell what is between
_LEAN = (8.0, 44.0)  # degrees by which dice are laid that lean: more of them, and less, than in what is measured
_MOST_HIDDEN = 0.15  # of a top that is to be learned from
_BEFORE = 0.2  # mm: what is so much nearer hides


def cast_tray(seed: int, number: int) -> Shown:
    """Tray `number` of the set `seed`, straight down as the reader sees it, and the tops of its dice."""
    rng = np.random.default_rng([seed, number, 79])
    name = str(rng.choice([name for name in DICE_CONDITIONS if name not in _UNFIT]))
    setting = Setting(many, float(rng.choice(_BOARDS)), margin=14.0, quick=True, litter=_litter)
    cast = cast_dice(DICE_CONDITIONS[name], setting, [rng])
    told = cast.tray._replace(drop=-cast.floor if rng.random() < 0.5 else 0.0)
    view = view_of(cast.frames[0], cast.pose, told)
    return shown_in(view, told.drop, cast.dice, cast.blocks, cast.camera.eye, cast.floor)


def shown_in(
    view: TrayView, drop: float, dice: Sequence[CastDie], blocks: Sequence[Block], eye: Floats, floor: float
) -> Shown:
    """A view of dice with their tops, as far as the eye sees them. drop: see `top_of`. floor: its height, mm."""
    assert view.camera is not None
    tops = []
    for die in dice:
        about: list[CastDie | Block] = [*(other for other in dice if other is not die), *blocks]
        tops.append(top_of(die, view, drop, kind_of(die, eye, floor, about)))
    return Shown(view.picture, view.camera, tuple(tops))


def top_of(die: CastDie, view: TrayView, drop: float, kind: int) -> Top:
    """The face that looks up most, as it lies in the view. drop: how far under the sheet the view's table is, mm."""
    assert view.camera is not None
    ends = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
    x, y, high = ((on_top(die, ends) - (*view.origin, -drop)) * view.scale).T
    swell = view.camera[2] / (view.camera[2] - high)
    seen = view.camera[:2] + (np.column_stack([x, y]) - view.camera[:2]) * swell[:, None]
    middle, size = seen.mean(axis=0), float(cv2.contourArea(seen.astype(np.float32))) ** 0.5
    return Top(float(middle[0]), float(middle[1]), size, die.value, kind)


def on_top(die: CastDie, places: Floats) -> Floats:
    """Points, (N, 3), of the face that looks up most. places: (N, 2), its edges being at -0.5 and 0.5."""
    one, other, up = np.argsort(np.abs(die.axes[:, 2]))
    out = die.axes[up] * np.sign(die.axes[up, 2])
    return np.asarray(die.center + die.make.edge * (out / 2 + places @ die.axes[[one, other]]))


def kind_of(die: CastDie, eye: Floats, floor: float, about: Sequence[CastDie | Block]) -> int:
    """How a die lies; `UNDER` too where what is about it hides its top from the eye, or where it hardly leans."""
    if _hidden(die, eye, about) > _MOST_HIDDEN or _LEVEL <= die.leaning < _LEANS:
        return UNDER
    if die.leaning >= _LEANS:
        return LEANING
    return ON_TOP if die.center[2] - floor - die.make.edge / 2 >= 1.5 else FLAT


def _hidden(die: CastDie, eye: Floats, about: Sequence[CastDie | Block]) -> float:
    """The share of a die's top that is not seen."""
    across = np.linspace(-0.4, 0.4, 9)
    points = on_top(die, np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2))
    far = length(points - eye)
    rays = (points - eye) / far[:, None]
    seen = dots(rays, points.mean(axis=0) - die.center) < 0
    for thing in about:
        seen &= thing.hit(eye, rays) > far - _BEFORE
    return 1 - float(seen.mean())


def many(tray: Tray, _: DiceCondition, floor: float, rng: Rng) -> list[CastDie]:
    """Up to eight dice of one make or of several, apart, touching, leaning and stacked."""
    if rng.random() < 0.05:
        return []
    make = a_make(rng)
    places: list[np.ndarray] = []
    for place in places_in(tray, make.edge, int(rng.integers(2, 9)), rng):
        if all(np.linalg.norm(place - other) > 1 for other in places):
            places.append(place)
    dice = [lying(_made(make, rng), place, floor, rng) for place in places]
    for k in range(1, len(dice), 2):
        moved = _moved(dice[k - 1], dice[k], tray, floor, rng)
        others = [other for j, other in enumerate(dice) if j not in (k - 1, k)]
        if all(_apart(moved, other) for other in others):
            dice[k] = moved
    return dice


def _made(make: Make, rng: Rng) -> Make:
    """The same make or another, sharper or rounder than shops sell them, its pips as they like."""
    if rng.random() < 0.5:
        make = replace(a_make(rng), edge=make.edge if rng.random() < 0.7 else rng.uniform(10, 20))
    return replace(
        make,
        ball=rng.uniform(0.62, 0.95),
        corner=rng.uniform(0.03, 0.22),
        pip=rng.uniform(0.06, 0.13),
        spacing=rng.uniform(0.2, 0.29),
        ace=float(rng.choice([1.0, rng.uniform(0.9, 1.9)])),
    )


def _moved(other: CastDie, die: CastDie, tray: Tray, floor: float, rng: Rng) -> CastDie:
    chance = rng.random()
    if chance < 0.25:
        return beside(other, rng)
    if chance < 0.55:
        return against_die(other, die, floor, rng, _LEAN)
    if chance < 0.77:
        return against_wall(die, tray, floor, rng, _LEAN)
    if chance < 0.82:
        off = rng.uniform(-0.22, 0.22, 2) * other.make.edge
        return replace(die, center=other.center + np.array([*off, (other.make.edge + die.make.edge) / 2]))
    return die


def _apart(one: CastDie, other: CastDie) -> bool:
    return float(np.hypot(*(one.center - other.center)[:2])) > 0.62 * (one.make.edge + other.make.edge)


def _litter(tray: Tray, rng: Rng) -> Plane:
    """Spots, rings, lines, letters, rectangles and pips without a die on the floor, or nothing."""
    rows, cols = (round((length + 2 * LITTER) * LITTER_SCALE) for length in (tray.height, tray.width))
    image, s = np.zeros((rows, cols, 4), np.float32), LITTER_SCALE
    for _ in range(int(rng.integers(1, 14)) if rng.random() < 0.4 else 0):
        ink, at = (*rng.uniform(0.02, 0.8, 3).tolist(), 1.0), (int(rng.integers(cols)), int(rng.integers(rows)))
        kind = int(rng.integers(6))
        if kind == 0:
            cv2.circle(image, at, int(rng.uniform(0.7, 12) * s), ink, -1)
        elif kind == 1:
            cv2.circle(image, at, int(rng.uniform(3, 25) * s), ink, int(rng.uniform(0.3, 3) * s) + 1)
        elif kind == 2:
            end = (int(rng.integers(cols)), int(rng.integers(rows)))
            cv2.line(image, at, end, ink, int(rng.uniform(0.3, 4) * s) + 1)
        elif kind == 3:
            word, letters = "".join(rng.choice(list("ABCDEFGH0123456789"), 5)), np.zeros((rows, cols), np.uint8)
            size, thick = float(rng.uniform(0.5, 2.5)), int(rng.integers(1, 6))
            cv2.putText(letters, word, at, cv2.FONT_HERSHEY_SIMPLEX, size, 255, thick)
            image[letters > 127] = ink
        elif kind == 4:
            box = cv2.boxPoints((at, tuple(rng.uniform(5, 30, 2) * s), rng.uniform(0, 90)))
            cv2.fillPoly(image, [box.astype(np.int32)], ink)
        else:
            _pips(image, at, rng.uniform(6, 20) * s, ink, rng)
    return image


def _pips(image: Plane, at: tuple[int, int], edge: float, ink: tuple[float, ...], rng: Rng) -> None:
    turn = rng.uniform(0, 2 * np.pi)
    matrix = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    for k in np.flatnonzero(rng.random(9) < 0.5):
        x, y = (at + matrix @ (0.25 * edge * np.array([k % 3 - 1, k // 3 - 1]))).astype(int).tolist()
        cv2.circle(image, (x, y), max(1, int(0.09 * edge)), ink, -1)
