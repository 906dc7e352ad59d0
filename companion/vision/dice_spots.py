"""Pips: round spots, darker or lighter than around them, and the patterns that they make, any way round."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.pose import Flat, Floats, Frame

_MOST_SPOTS, _MOST_PATTERNS, _MOST_IN_ALL = 60, 90, 180  # the clearest: of one kind, of one kind, of all kinds
_FAINTEST = 3.0  # levels of Lab
_LOW, _HIGH = 0.205, 0.295  # from the middle to an outer pip, of the edge
_GRID = np.array([(1, 0), (0, 1), (-1, 0), (0, -1), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5), (0, 0)])
"""The nine places of pips: the corners in order, what lies between them, the middle; in half diagonals."""
_PATTERNS = (
    (2, (0, 2)), (3, (0, 2, 8)), (4, (0, 1, 2, 3)), (5, (0, 1, 2, 3, 8)),
    (6, (0, 1, 2, 3, 4, 6)), (6, (0, 1, 2, 3, 5, 7)),
)  # fmt: skip
_EMPTIEST = 0.5  # a place without a pip shows at most this share of what a pip shows
_SAME, _SAME_LENGTH, _SAME_TURN = 3.0, 0.1, 0.15  # pixels, logarithm, radians: the same pattern
_WEAKEST = 0.45  # and the weakest pip at least this share of the mean one


class Spots(NamedTuple):
    """One kind of spots. answer: how much each place is a spot, float32 (rows, cols). at: the clearest, pixels (N, 2),
    x before y. strength: theirs. size: the radius, pixels, of the spots that it answers best."""

    answer: Flat
    at: Floats
    strength: Floats
    size: float


class Patterns(NamedTuple):
    """Patterns of pips, one a row. at: the middle, pixels (N, 2). half: the way to a corner pip (N, 2). value.

    level: how strong the pips are. weakest, emptiest: the weakest pip, and the strongest place without one, as shares
    of that.
    """

    at: Floats
    half: Floats
    value: npt.NDArray[np.int64]
    level: Floats
    weakest: Floats
    emptiest: Floats

    def take(self, rows: npt.NDArray[np.int64]) -> Patterns:
        """Some of them."""
        return Patterns._make(part[rows] for part in self)

    @classmethod
    def joined(cls, parts: list[Patterns]) -> Patterns:
        """All of several."""
        return cls._make(np.concatenate(column) for column in zip(*parts, strict=True))


def once(patterns: Patterns) -> Patterns:
    """The clearest patterns, of those that differ by little one: several kinds of spots show the same pips."""
    if not len(patterns.at):
        return patterns
    length, turn = np.hypot(*patterns.half.T), np.arctan2(patterns.half[:, 1], patterns.half[:, 0])
    cell = np.column_stack([
        patterns.at / _SAME, np.log(length) / _SAME_LENGTH, np.mod(turn, np.pi / 2) / _SAME_TURN, patterns.value,
    ])  # fmt: skip
    clear = np.argsort(-(patterns.weakest - patterns.emptiest) * np.sqrt(patterns.level))
    _, first = np.unique(np.rint(cell[clear]).astype(np.int64), axis=0, return_index=True)
    found = patterns.take(np.sort(clear[first]))
    ranked = np.argsort(-(found.weakest - found.emptiest) * np.sqrt(found.level) * found.value)
    return found.take(ranked[:_MOST_IN_ALL])


NONE = Patterns(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0))


def spots_of(picture: Frame, radii: tuple[float, ...]) -> list[Spots]:
    """The spots of a view, uint8 BGR: dark and light ones, in brightness and in hue. radii: pixels, of a pip."""
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    hues = lab[..., 1:].astype(np.float32)
    planes = np.dstack([lab[..., 0].astype(np.float32), hues[..., 0] + hues[..., 1], hues[..., 0] - hues[..., 1]])
    found = []
    for radius in radii:
        answers = _answers(np.asarray(planes, np.float32), radius)
        for number in range(3):
            answer = np.ascontiguousarray(answers[..., number])
            noise = 1.5 * float(np.median(np.abs(answer[::4, ::4])))
            least = max(_FAINTEST, 4 * noise) * (1.3 if number else 1.0)
            found += [_clearest(answer, radius, least), _clearest(-answer, radius, least)]
    return [one for one in found if len(one.at)]


def _answers(planes: Flat, radius: float) -> Flat:
    """Where each plane is darker than around, in the size of a pip."""
    fine = cv2.GaussianBlur(planes, (0, 0), 0.6 * radius)
    small = cv2.resize(planes, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    size = (planes.shape[1], planes.shape[0])
    wide = cv2.resize(cv2.GaussianBlur(small, (0, 0), 0.45 * radius), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide - fine, np.float32)


def _clearest(answer: Flat, radius: float, least: float) -> Spots:
    wide = 2 * max(1, round(0.6 * radius)) + 1
    peaks = (answer >= cv2.dilate(answer, np.ones((wide, wide), np.uint8))) & (answer > least)
    rows, cols = np.nonzero(peaks)
    strength = answer[rows, cols].astype(np.float64)
    order = np.argsort(-strength)[:_MOST_SPOTS]
    return Spots(answer, np.column_stack([cols, rows])[order].astype(np.float64), strength[order], radius)


def patterns_in(spots: Spots, smallest: float, largest: float) -> Patterns:
    """Twos to sixes among the spots, the clearest. smallest, largest: a die's edge, pixels."""
    at = spots.at
    one, other = np.triu_indices(len(at), 1)
    half = (at[other] - at[one]) / 2
    length = np.hypot(half[:, 0], half[:, 1])
    least, most = 2**0.5 * _LOW * smallest, 2**0.5 * _HIGH * largest
    alike = np.abs(np.log(spots.strength[one] / spots.strength[other])) < 0.9
    good = (length > max(least, 1.35 * spots.size)) & (length < min(most, 9 * spots.size)) & alike
    return _matched(spots, (at[one] + at[other])[good] / 2, half[good]) if good.any() else NONE


def _matched(spots: Spots, middle: Floats, half: Floats) -> Patterns:
    aside = np.column_stack([-half[:, 1], half[:, 0]])
    places = middle[:, None] + _GRID[None, :, :1] * half[:, None] + _GRID[None, :, 1:] * aside[:, None]
    near = np.asarray(cv2.dilate(spots.answer, np.ones((3, 3), np.uint8)), np.float32)
    seen = np.maximum(value_at(near, places), 0.0).astype(np.float64)
    best, value = np.zeros(len(half)), np.zeros(len(half), np.int64)
    level, low, empty = np.zeros(len(half)), np.zeros(len(half)), np.zeros(len(half))
    for number, on in _PATTERNS:
        off = [k for k in range(9) if k not in on]
        mean = seen[:, on].mean(axis=1)
        weakest, emptiest = seen[:, on].min(axis=1) / mean, seen[:, off].max(axis=1) / mean
        better = (weakest - emptiest > best) & (weakest > _WEAKEST) & (emptiest < _EMPTIEST)
        best[better], value[better], level[better] = (weakest - emptiest)[better], number, mean[better]
        low[better], empty[better] = weakest[better], emptiest[better]
    clear = np.argsort(-(best * np.sqrt(level) * value))[:_MOST_PATTERNS]
    clear = clear[best[clear] > 0]
    return Patterns(middle, half, value, level, low, empty).take(clear)


def value_at(plane: Flat, places: npt.NDArray[np.floating]) -> Flat:
    """Values of a plane, (rows, cols) or (rows, cols, 3), at the nearest pixels of places (…, 2), x before y."""
    rows, cols = plane.shape[:2]
    at = np.rint(places).astype(np.int32)
    x, y = np.clip(at[..., 0], 0, cols - 1), np.clip(at[..., 1], 0, rows - 1)
    return np.asarray(plane.reshape(rows * cols, -1)[y * cols + x] if plane.ndim == 3 else plane[y, x])
