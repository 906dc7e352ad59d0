"""Casts trays of many dice ray by ray, as the evidence does, for the net to learn from; not for measuring."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration.dice_net.truth import FLAT, LEANING, ON_TOP, UNDER, Shown, Top
from calibration.evidence.dice_making import (
    DICE_CONDITIONS,
    LITTER,
    LITTER_SCALE,
    Cast,
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
from calibration.evidence.dice_solids import CastDie, Make
from calibration.evidence.lens import Plane
from companion.vision.dice_seen import Tray
from companion.vision.dice_view import TrayView, view_of

Rng = np.random.Generator

_UNFIT = ("in motion", "empty", "out of tray")
_BOARDS = (400.0, 250.0, 150.0)  # mm; beside a smaller one the camera is nearer


def cast_tray(seed: int, number: int) -> Shown:
    """Tray `number` of the set `seed`, straight down as the reader sees it, and the tops of its dice."""
    rng = np.random.default_rng([seed, number, 79])
    name = str(rng.choice([name for name in DICE_CONDITIONS if name not in _UNFIT]))
    setting = Setting(_many, float(rng.choice(_BOARDS)), margin=14.0, quick=True, litter=_litter)
    cast = cast_dice(DICE_CONDITIONS[name], setting, [rng])
    told = cast.tray._replace(drop=-cast.floor if rng.random() < 0.5 else 0.0)
    view = view_of(cast.frames[0], cast.pose, told)
    assert view.camera is not None
    return Shown(view.picture, view.camera, tuple(_top(die, cast, view, told) for die in cast.dice))


def _top(die: CastDie, cast: Cast, view: TrayView, told: Tray) -> Top:
    assert view.camera is not None
    edge = die.make.edge
    foot = (die.center[:2] - np.array(view.origin)) * view.scale
    swell = view.camera[2] / (view.camera[2] - (die.center[2] + edge / 2 + told.drop) * view.scale)
    x, y = (view.camera[:2] + (foot - view.camera[:2]) * swell).tolist()
    return Top(x, y, edge * view.scale * float(swell), die.value, _kind(die, cast))


def _kind(die: CastDie, cast: Cast) -> int:
    edge = die.make.edge
    over = (
        float(np.hypot(*(other.center - die.center)[:2])) < 0.5 * edge and other.center[2] > die.center[2] + 0.3 * edge
        for other in cast.dice
        if other is not die
    )
    if any(over):
        return UNDER
    if die.leaning >= 1:
        return LEANING
    return ON_TOP if die.center[2] - cast.floor - edge / 2 >= 1.5 else FLAT


def _many(tray: Tray, _: DiceCondition, floor: float, rng: Rng) -> list[CastDie]:
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
    if chance < 0.3:
        return beside(other, rng)
    if chance < 0.5:
        return against_die(other, die, floor, rng)
    if chance < 0.58:
        return against_wall(die, tray, floor, rng)
    if chance < 0.63:
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
