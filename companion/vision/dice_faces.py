"""Top faces around patterns of pips: how plain the face is between its pips, and how clearly the die ends around it."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice_spots import NONE, Patterns, Spots, value_at
from companion.vision.dice_view import TrayView
from companion.vision.pose import Flat, Floats, Frame

_RATIOS = np.array([0.21, 0.235, 0.26, 0.285])
"""From the middle to an outer pip, of the edge: what dice may have."""
_ACROSS = np.array([-0.3, -0.15, 0.0, 0.15, 0.3])
_DEPTH, _FAR = 0.1, 0.25
_PLAIN = np.array(
    [(x, y) for x in (-0.125, 0.125) for y in (-0.125, 0.125)]
    + [(x, y) for x in (-0.125, 0.125) for y in (-0.35, 0.35)]
    + [(x, y) for x in (-0.35, 0.35) for y in (-0.125, 0.125)]
)
"""Places of a face, of its edge, on which no value has a pip."""
SIDES = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])
_BESIDE = np.column_stack([-SIDES[:, 1], SIDES[:, 0]])
_STRIPS = [SIDES[:, None] * (0.5 + d) + _BESIDE[:, None] * _ACROSS[None, :, None] for d in (-_DEPTH, _DEPTH, 0.0, _FAR)]
"""Places within, beyond, on and well beyond each side of a face, (4, 5, 2)."""
_RESIZED = np.geomspace(0.86, 1.22, 5)
_RETURNED = np.radians((-7.0, 0.0, 7.0))
_RISE = np.array([0.25, 0.4, 0.5, 0.6, 0.75])
_STEP, _NEARBY = 0.08, 0.17  # how far in and out of the outline colours are compared, and where it must be fainter
_TURNS = np.radians(np.arange(0, 90, 9.0))


class Faces(NamedTuple):
    """Patterns with the face around each, one a row.

    size: edge, pixels. along: direction of a side (N, 2). lean: by how much the top of a thing is moved in the view,
    of its height (N, 2). color: of the face, Lab (N, 3); rough: how uneven it is between the pips.
    For each side (N, 4): ends: how much more unlike that colour it is beyond than within; outer: the colour beyond
    (N, 4, 3); flank: the colour where the side face is seen, if it is (N, 4, 3); foot: the step in colour where that
    ends; ground: the colour well beyond that (N, 4, 3).
    Of the outline of the whole cube, in four sides and two uprights (N, 6): rim: the step in colour; crisp: by how much
    that is more than nearby, further in or out.
    """

    pips: Patterns
    size: Floats
    along: Floats
    lean: Floats
    color: Floats
    rough: Floats
    ends: Floats
    outer: Floats
    flank: Floats
    foot: Floats
    ground: Floats
    rim: Floats
    crisp: Floats

    def take(self, rows: npt.NDArray[np.int64]) -> Faces:
        """Some of them."""
        return Faces._make([self.pips.take(rows), *(part[rows] for part in self[1:])])


def lab_of(picture: Frame) -> Flat:
    """The view in Lab, float32, a little calmed."""
    calm = cv2.GaussianBlur(picture, (0, 0), 0.9)
    return np.asarray(cv2.cvtColor(calm, cv2.COLOR_BGR2LAB).astype(np.float32))


def faces_of(lab: Flat, pips: Patterns, view: TrayView) -> Faces:
    """Each pattern with the square that ends most clearly around it."""
    diagonal = pips.half / np.hypot(pips.half[:, 0], pips.half[:, 1])[:, None]
    along = (diagonal + np.column_stack([-diagonal[:, 1], diagonal[:, 0]])) / 2**0.5
    sizes = (np.hypot(pips.half[:, 0], pips.half[:, 1]) / 2**0.5)[:, None] / _RATIOS
    return _clearest(lab, pips, np.repeat(along[:, None], len(_RATIOS), axis=1), sizes, view)


def aces_of(lab: Flat, kinds: list[Spots], sizes: Floats, most: int, view: TrayView) -> Faces:
    """The clearest single spots as aces, each with the square that ends most clearly. sizes: edges to try, pixels."""
    pips = _singles(kinds, most)
    ways = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])
    along = np.tile(np.tile(ways, (len(sizes), 1)), (len(pips.at), 1, 1))
    edges = np.tile(np.repeat(sizes, len(ways)), (len(pips.at), 1))
    return _clearest(lab, pips, along, edges, view)


def _singles(kinds: list[Spots], most: int) -> Patterns:
    """The clearest spots, those of the same place once."""
    if not kinds:
        return NONE
    at = np.vstack([kind.at for kind in kinds])
    strength = np.concatenate([kind.strength for kind in kinds])
    kept: list[int] = []
    for i in np.argsort(-strength).tolist():
        if all(np.abs(at[i] - at[k]).max() > 3 for k in kept):
            kept.append(i)
            if len(kept) == most:
                break
    rows, count = np.array(kept, np.int64), len(kept)
    ones = np.ones(count)
    return Patterns(at[rows], np.zeros((count, 2)), ones.astype(np.int64), strength[rows], ones, 0 * ones)


def fitted(lab: Flat, faces: Faces, view: TrayView) -> Faces:
    """Each of the faces in several sizes and turned a little, one after the other: (N · ways) rows."""
    size, turn = (grid.ravel() for grid in np.meshgrid(_RESIZED, _RETURNED))
    pips = faces.pips.take(np.repeat(np.arange(len(faces.size)), len(size)))
    c, s = np.cos(turn), np.sin(turn)
    x, y = faces.along[:, :1], faces.along[:, 1:]
    along = np.stack([x * c - y * s, x * s + y * c], axis=2).reshape(-1, 2)
    return _measured(lab, pips, along, (faces.size[:, None] * size).ravel(), view)


def _clearest(lab: Flat, pips: Patterns, along: Floats, sizes: Floats, view: TrayView) -> Faces:
    """Of each pattern's squares, directions (N, T, 2) and edges (N, T), the one that ends most clearly."""
    count, tries = sizes.shape
    at = np.repeat(pips.at, tries, axis=0)
    squares = _Squares(lab, at, along.reshape(-1, 2), sizes.ravel(), np.zeros_like(at))
    color, rough = squares.color()
    ends, _ = squares.ends(color)
    score = np.clip(ends, -5, 30).sum(axis=1) + 1.5 * np.clip(ends.min(axis=1), -5, 20) - rough
    best = score.reshape(count, tries).argmax(axis=1) if count else np.zeros(0, np.int64)
    rows = best + np.arange(count) * tries
    return _measured(lab, pips, along.reshape(-1, 2)[rows], sizes.ravel()[rows], view)


def _measured(lab: Flat, pips: Patterns, along: Floats, sizes: Floats, view: TrayView) -> Faces:
    """What is seen of squares with these patterns, one a row."""
    lean = view.leans(pips.at)
    square = _Squares(lab, pips.at, along, sizes, lean)
    color, rough = square.color()
    flank, foot, ground = square.below()
    ends, outer = square.ends(color)
    return Faces(pips, sizes, along, lean, color, rough, ends, outer, flank, foot, ground, *square.outline())


class _Squares(NamedTuple):
    """Squares in a view: middles, directions, edges; how the tops lean."""

    lab: Flat
    at: Floats
    along: Floats
    size: Floats
    lean: Floats

    def seen(self, places: Floats, lower: float = 0.0) -> Flat:
        """Colours at places of the squares, as shares of their edges; lower: so far below, of the edge."""
        aside = np.column_stack([-self.along[:, 1], self.along[:, 0]])
        ways = np.stack([self.along, aside], axis=1) * self.size[:, None, None]
        middle = self.at - lower * self.size[:, None] * self.lean
        at = places.reshape(-1, 2).astype(np.float32) @ ways.astype(np.float32) + middle[:, None].astype(np.float32)
        colors = value_at(self.lab, at)
        return colors.reshape(len(self.at), *places.shape[:-1], 3)

    def color(self) -> tuple[Floats, Floats]:
        """The face's colour, and how uneven it is."""
        plain = self.seen(_PLAIN)
        color = np.median(plain, axis=1)
        rough = np.median(np.abs(plain - color[:, None]).sum(axis=2), axis=1)
        return color.astype(np.float64), rough.astype(np.float64)

    def ends(self, color: Floats) -> tuple[Floats, Floats]:
        """How much more unlike `color` it is beyond each side than within, and the colours beyond."""
        inner, outer = (self.seen(_STRIPS[d]).mean(axis=2).astype(np.float64) for d in (0, 1))
        off = np.linalg.norm(outer - color[:, None], axis=2) - np.linalg.norm(inner - color[:, None], axis=2)
        return off, outer

    def below(self) -> tuple[Floats, Floats, Floats]:
        """The colours of the side faces, the step in colour at their foot, and the colours of the ground there."""
        low, near, far = (self.seen(_STRIPS[d], 1.0).mean(axis=2).astype(np.float64) for d in (0, 1, 3))
        flank = self.seen(_STRIPS[2], 0.5).mean(axis=2).astype(np.float64)
        return flank, np.linalg.norm(near - low, axis=2), far

    def outline(self) -> tuple[Floats, Floats]:
        """The step in colour along the cube's outline, four sides and two uprights, and how crisp it is, (N, 6)."""
        places, normal = self._outline()
        at = self.at[:, None, None] + self.size[:, None, None, None] * places
        off = [self.size[:, None, None, None] * normal[:, :, None] * d for d in (-_NEARBY, -_STEP, 0, _STEP, _NEARBY)]
        far_in, inner, on, outer, far_out = (value_at(self.lab, at + o).astype(np.float64) for o in off)
        step, within, without = (
            np.linalg.norm((one - other).mean(axis=2), axis=2)
            for one, other in ((outer, inner), (on, far_in), (far_out, on))
        )
        return step, step - (within + without) / 2

    def _outline(self) -> tuple[Floats, Floats]:
        """Places on the outline, (N, 6, 5, 2), from the top's middle in edges, and the ways out (N, 6, 2)."""
        aside = np.column_stack([-self.along[:, 1], self.along[:, 0]])
        out = np.stack([self.along, aside, -self.along, -aside], axis=1)
        beside = np.stack([aside, -self.along, -aside, self.along], axis=1)
        near = (out * self.lean[:, None]).sum(axis=2) < 0
        low = np.where(near[..., None], -self.lean[:, None], 0.0)
        sides = (out / 2 + low)[:, :, None] + beside[:, :, None] * _ACROSS[:, None]
        length = np.maximum(np.hypot(*self.lean.T), 1e-6)[:, None]
        across = np.column_stack([-self.lean[:, 1], self.lean[:, 0]]) / length
        ends = (out + np.roll(out, -1, axis=1)) / 2
        reach = (ends * across[:, None]).sum(axis=2)
        rows = np.arange(len(ends))
        corners = np.stack([ends[rows, reach.argmax(axis=1)], ends[rows, reach.argmin(axis=1)]], axis=1)
        uprights = corners[:, :, None] - _RISE[:, None] * self.lean[:, None, None]
        ways = np.stack([across, -across], axis=1)
        return np.concatenate([sides, uprights], axis=1), np.concatenate([out, ways], axis=1)
