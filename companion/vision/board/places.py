"""Where pieces may stand, and which pixels of the view straight down they would hide there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece, Sheet, Space
from companion.vision.board.body import Outlines, Short, cylinders, outlines, profile
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.scene import PIXELS_PER_MM
from companion.vision.view.surface import Surface

Ints = npt.NDArray[np.int64]

EVIDENCE = 0.12  # independent looks per mm²: neighbouring pixels say the same
_BLUR = 0.15  # camera pixels by which a piece looks wider than it is
_COLOURED = 0.25  # share of the camera's pixels that see red, or blue; JPEG keeps the colour of as many
_SLACK = 2.5  # mm: how far a piece stands from its place, usually
_STEP = 1.5  # mm between tried places
_AREA_STEP = 2.5
_FAR, _FAR_COST = 1.3, 5.0  # pieces of three in a row stand this many diameters off the middle; nats for that
_SAMPLES, _TOP_SAMPLES = 110, 66  # pixels looked at of a piece; of them on the top of a stack of discs
_STOREYS = 8  # discs on each other, at most
_STOREY = 6.0  # nats for a disc more below: that it lies there, and what colour it is
_MARGIN = 6  # pixels: pieces so near to each other are told beside each other
_NEAR = 4.0  # nats for standing off the middle, at most, for a place to be near it
_OWN_SQUARE = 0.65  # of a space's radius: the middle of a stack lies within, usually
_SIDE_BY_SIDE = 0.7  # diameters: so far off the middle lies one of two discs on a space, at most
_ALIKE, _CELLS = 1.5, 64  # diameters: pieces so near each other look alike; as many cells of that side are told apart
_TURNS = np.arange(24) * np.pi / 12
_ALL = slice(None)


class _Near(NamedTuple):
    """The places near the middles of their spaces. space: of each. corners: of the boxes round all those of each space,
    (4, S), see `Places.corners`; lightest: the least heft of these, (S,)."""

    places: Ints
    space: Ints
    corners: Ints
    lightest: Flat


@dataclass(frozen=True, eq=False)
class Places:
    """Every place where a foot may stand, N of them, in one pose.

    feet: (N, 2) mm. space: (N,) index in the sheet's order. cost: (N,) nats, for standing off the middle.
    alike: (N,) which of G groups of near places it is of, in which pieces look alike. outlines: of each group the
    pixels that show a piece's own colour, and those of a stack's side, as offsets (x, y), int16 (…, 2).
    foot: (N,) the pixel of the raveled flat view in which a foot stands. outline: (N,) which of O samples a piece has
    there: those of the group, or its own where the view cuts it off. offsets: (O, P) pixels of each, from the foot.
    heavy: (O, P) nats of each per unit of evidence, 0 beyond the view, and heft: (N,) their sums; see `pixels`.
    reach: (N,) distance from the camera, mm: what is nearer hides what is farther.
    boxes: (N, 4) the pixels of each place lie from (x, y) to before (x, y), all within the flat view.
    coarse: (N,) places enough to find pieces by; beside them there are others.
    storeys: (N,) how many discs lie there on each other. middle: (N,) near the middle of the space.
    ground: (rows·cols,) the space on which a piece of one storey would hide the pixel, −1 if there is none.
    crown: how many of the P pixels, the first ones, show the piece's own colour; the others show the side of a stack,
    of whatever colours. lone: (S,) spaces that hold one piece at most.
    piece, blur, eye, shape: the piece, mm by which it looks wider, the camera's place, (rows, cols) of the flat view.
    """

    feet: Floats
    space: Ints
    cost: Floats
    far: npt.NDArray[np.bool_]
    coarse: npt.NDArray[np.bool_]
    alike: Ints
    outlines: tuple[Sequence[Short], Sequence[Short]]
    foot: Ints
    outline: Ints
    offsets: Ints
    heavy: Flat
    heft: Flat
    reach: Floats
    boxes: Ints
    storeys: Ints
    middle: npt.NDArray[np.bool_]
    ground: Ints
    crown: int
    lone: npt.NDArray[np.bool_]
    piece: Piece
    blur: float
    eye: Floats
    shape: tuple[int, int]
    drawn: dict[int, tuple[Ints, int]] = field(default_factory=dict)
    crowds: dict[tuple[int, float], tuple[Ints, Ints, Ints]] = field(default_factory=dict)

    def pixels(self, tried: Ints, part: slice = _ALL) -> Ints:
        """Pixels, raveled, on which a piece at some places would be seen, (len(tried), P), or a `part` of these P."""
        return self.foot.take(tried)[:, None] + self.offsets[:, part].take(self.outline.take(tried), axis=0)

    def weight(self, tried: Ints, part: slice = _ALL) -> Flat:
        """What each of these pixels tells, nats per unit of evidence, (len(tried), P): 0 beyond the view."""
        return self.heavy[:, part].take(self.outline.take(tried), axis=0)

    def shown(self, tried: Ints, part: slice = _ALL) -> npt.NDArray[np.bool_]:
        """Which of these pixels lie in the view, bool (len(tried), P); all do where none does."""
        there = self.weight(tried, part) > 0
        return np.asarray(there | ~there.any(axis=1, keepdims=True))

    @cached_property
    def at(self) -> Floats:
        """Where the feet are, x and y apart: mm (2, N)."""
        return np.ascontiguousarray(self.feet.T)

    @cached_property
    def edges(self) -> Ints:
        """The left, upper, right and lower edges of the boxes: (4, N)."""
        return np.ascontiguousarray(self.boxes.T)

    @cached_property
    def corners(self) -> Ints:
        """Where the corners of the boxes, the lower right, upper right, lower left and upper left one, lie in the flat
        view's integral, raveled: (4, N)."""
        return _corners(self.boxes, self.shape)

    @cached_property
    def topless(self) -> npt.NDArray[np.bool_]:
        """Stacks whose tops lie beyond the view, bool (N,)."""
        return np.asarray((self.storeys > 1) & ~self.heavy[:, : self.crown].any(axis=1).take(self.outline))

    def hidden_by(self, place: int) -> tuple[Ints, int]:
        """All pixels, raveled, that a piece at a place hides, and how many of them, the first ones, show its own
        colour; kept once computed.
        """
        if place not in self.drawn:
            own, side = (parts[self.alike[place]] for parts in self.outlines)
            pixels = _at(self.feet[place], np.concatenate([own, side]), self.shape)
            inside = pixels >= 0
            self.drawn[place] = pixels[inside], int(np.count_nonzero(inside[: len(own)]))
        return self.drawn[place]

    def ring(self, places: Ints, wide: float) -> Ints:
        """Pixels of the view, raveled, all round the feet at some places, so many diameters from them: (N, 24)."""
        ring = wide * self.piece.diameter * np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])
        last = np.array(self.shape[::-1]) - 1
        x, y = np.moveaxis(np.round((self.feet[places, None] + ring) * PIXELS_PER_MM).astype(int).clip(0, last), -1, 0)
        return np.asarray(y * self.shape[1] + x)

    @cached_property
    def lowest(self) -> Ints:
        """The place of one disc alone at the foot of the stack at each place, (N,)."""
        starts = np.searchsorted(self.space, np.arange(len(self.lone) + 1))
        spots = np.bincount(self.space[self.storeys == 1], minlength=len(self.lone))
        first = starts[self.space]
        return np.asarray(first + (np.arange(len(self.space)) - first) % spots[self.space])

    def beside(self, place: int, room: float) -> tuple[Ints, Ints, Ints]:
        """The places where there is no room for a piece beside one that stands at a place, those so close by that it
        might be taken for that one's shadow, and those from which that one may be in sight; kept once computed.
        room: mm between two feet, at least.
        """
        if (place, room) not in self.crowds:
            x, y = self.at - self.feet[place, :, None]
            near = np.flatnonzero((np.abs(x) < 2 * room) & (np.abs(y) < 2 * room))
            apart = np.hypot(x[near], y[near])
            close, space = near[apart < room], self.space[place]
            if self.lone[space]:
                own = np.arange(*np.searchsorted(self.space, (space, space + 1)))
                close = np.concatenate([close[self.space[close] != space], own])
            sight = np.flatnonzero(self._overlapped(self.edges, place))
            self.crowds[place, room] = close, near[apart < 2 * room], sight
        return self.crowds[place, room]

    def reached(self, tried: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Pixels near enough to some places, bool (N,), to speak for or against a piece there: bool (rows, cols)."""
        layer = np.zeros(self.shape, bool)
        margin = round(self.piece.height * PIXELS_PER_MM)
        for space in np.unique(self.space[tried]).tolist():
            boxes = self.boxes[slice(*np.searchsorted(self.space, (space, space + 1)))]
            (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0) - margin, boxes[:, 2:].max(axis=0) + margin
            layer[max(y0, 0) : y1, max(x0, 0) : x1] = True
        return layer

    @cached_property
    def near_middles(self) -> _Near:
        """See `_Near`."""
        places = np.flatnonzero(self.cost < _NEAR)
        first = np.searchsorted(self.space[places], np.arange(len(self.lone)))
        low = np.minimum.reduceat(self.boxes[places, :2], first)
        high = np.maximum.reduceat(self.boxes[places, 2:], first)
        corners = _corners(np.hstack([low, high]), self.shape)
        return _Near(places, self.space[places], corners, np.minimum.reduceat(self.heft[places], first))

    def filled(self, odd: npt.NDArray[np.bool_], asked: npt.NDArray[np.bool_], least: float) -> tuple[Ints, Flat]:
        """Those places near the middles of some spaces, `asked`, (S,), of which a larger share than `least` is odd, and
        which share of each is. odd: of each pixel, (rows·cols,)."""
        near, looks = self.near_middles, EVIDENCE / PIXELS_PER_MM**2
        if np.count_nonzero(odd) * looks <= least * near.lightest[asked].min(initial=np.inf):
            return near.places[:0], self.heft[:0]
        total = cv2.integral(odd.reshape(self.shape).astype(np.uint8)).ravel()
        enough = asked & (_sums(total, near.corners) * looks > least * near.lightest)
        tried = near.places[enough.take(near.space)]
        tried = tried[_sums(total, self.corners.take(tried, axis=1)) * looks > least * self.heft[tried]]
        share = np.einsum("np,np->n", odd.take(self.pixels(tried)), self.weight(tried)) / self.heft[tried]
        return tried[share > least], share[share > least]

    def touching(self, tried: Ints) -> Callable[[int], npt.NDArray[np.bool_]]:
        """What says which of some places share pixels with one, or crowd it, bool (len(tried),)."""
        (x, y), near = np.ascontiguousarray(self.feet.take(tried, axis=0).T), 2 * self.piece.diameter
        left, top, right, bottom = np.ascontiguousarray(self.boxes.take(tried, axis=0).T)

        def touched(place: int) -> npt.NDArray[np.bool_]:
            (a, b), (x0, y0, x1, y1) = self.feet[place].tolist(), self.boxes[place].tolist()
            crowd = (np.abs(x - a) < near) & (np.abs(y - b) < near)
            beside = (left < x1 + _MARGIN) & (right > x0 - _MARGIN) & (top < y1 + _MARGIN) & (bottom > y0 - _MARGIN)
            return np.asarray(crowd | beside)

        return touched

    def overlapping(self, tried: Ints, place: int) -> npt.NDArray[np.bool_]:
        """Which of some places may share pixels with one, bool (len(tried),)."""
        return self._overlapped(self.edges.take(tried, axis=1), place)

    def _overlapped(self, edges: Ints, place: int) -> npt.NDArray[np.bool_]:
        (x0, y0, x1, y1), (a0, b0, a1, b1) = edges, self.boxes[place].tolist()
        return np.asarray((x0 < a1) & (x1 > a0) & (y0 < b1) & (y1 > b0))


def places(sheet: Sheet, eye: Floats, shape: tuple[int, int], pixel: float = 0.0) -> Places:
    """The places of a sheet seen from `eye` (x, y, height, mm) in a flat view of `shape` (rows, cols).

    pixel: the size of the camera's pixels on the board, mm: they blur the pieces' edges.
    """
    blur, discs = _BLUR * pixel, sheet.piece.kind == "disc"
    crown = _TOP_SAMPLES if discs else _SAMPLES
    there = _stands(tuple(sheet.spaces.values()), Piece(sheet.piece.kind, sheet.piece.diameter, 0.0), sheet.stacks)
    middles, feet, space, alike = there.middles, there.feet, there.space, there.alike
    own, side = _outlines(sheet.piece, there.high, blur, there.groups, eye)
    points, heavy = _sampled(own, side, crown)
    heavy *= _looks(there.groups, sheet, eye, pixel)[:, None]
    foot, boxes = _seen(feet, _sides(own, side), alike, shape)
    offsets = points[..., 1] * shape[1] + points[..., 0]
    cut = np.flatnonzero((boxes[:, :2] < 0).any(axis=1) | (boxes[:, 2:] > shape[::-1]).any(axis=1))
    outline = alike.copy()
    if len(cut):
        more, kept = _cut_off(feet[cut], points[alike[cut]], shape)
        offsets = np.concatenate([offsets, more])
        heavy = np.concatenate([heavy, heavy[alike[cut]] * kept])
        outline[cut] = len(points) + np.arange(len(cut))
    return Places(
        feet=feet,
        space=space,
        cost=there.cost + _STOREY * (there.storeys - 1),
        far=(there.cost >= _FAR_COST) & (sheet.piece.kind == "pawn"),
        coarse=there.coarse,
        alike=alike,
        outlines=(own.split(), side.split()),
        foot=foot,
        outline=outline,
        offsets=offsets,
        heavy=heavy,
        heft=np.maximum(heavy.sum(axis=1), 1e-6).take(outline),
        reach=np.linalg.norm(feet - eye[:2], axis=1),
        boxes=boxes.clip(0, 2 * shape[::-1]),
        storeys=there.storeys,
        middle=np.linalg.norm(feet - middles[space], axis=1) < sheet.piece.diameter / 5,
        ground=_ground(middles if discs else middles[:0], sheet.piece, eye, shape),
        crown=crown,
        lone=there.small & (sheet.piece.kind == "marble" or sheet.stacks),
        piece=sheet.piece,
        blur=blur,
        eye=eye,
        shape=shape,
    )


def _looks(feet: Floats, sheet: Sheet, eye: Floats, pixel: float) -> Flat:
    """The share of the `EVIDENCE` that the camera's pixels can give at each foot, mm (N, 2): 1 where they are fine."""
    middle = np.array([sheet.width / 2, sheet.height / 2, 0.0])
    far = np.hypot(np.linalg.norm(feet - eye[:2], axis=1), eye[2])
    wide = pixel * far / float(np.linalg.norm(eye - middle))
    return np.asarray(np.minimum(1, _COLOURED / EVIDENCE / np.maximum(wide, 1e-6) ** 2), np.float32)


class _Stands(NamedTuple):
    """Where feet may stand, in whatever pose and of pieces of whatever height: see `Places`. middles: of the spaces, mm
    (S, 2); small: which are no areas, (S,). groups: where the middles of the groups of alike ones are, mm (G, 2), and
    how many storeys `high` these are, (G,)."""

    middles: Floats
    small: npt.NDArray[np.bool_]
    feet: Floats
    space: Ints
    cost: Floats
    coarse: npt.NDArray[np.bool_]
    storeys: Ints
    alike: Ints
    groups: Floats
    high: Ints


@lru_cache(maxsize=4)
def _stands(spaces: tuple[Space, ...], foot: Piece, stacks: bool) -> _Stands:
    """Where pieces with such a foot may stand; stacks: on each other. (Pawns are measured by many bodies on the same
    spaces.)"""
    middles = np.array([(space.x, space.y) for space in spaces])
    small = np.array([not space.is_area for space in spaces])
    feet, space, cost, storeys, coarse = _feet(spaces, middles, small, foot, stacks)
    alike, first = _alike(feet - middles[space], space, storeys, foot)
    groups = np.stack([np.bincount(alike, axis) for axis in feet.T], axis=1) / np.bincount(alike)[:, None]
    return _Stands(middles, small, feet, space, cost, coarse, storeys, alike, groups, storeys[first])


def _feet(
    spaces: Sequence[Space], middles: Floats, small: npt.NDArray[np.bool_], piece: Piece, stacks: bool
) -> tuple[Floats, Ints, Floats, Ints, npt.NDArray[np.bool_]]:
    """Where feet may stand, mm (N, 2), in which space, (N,), what that costs, (N,), of how many storeys, (N,), and
    which are enough to find pieces by, (N,)."""
    wide = np.array([(s.x, s.y, s.radius) for s in spaces if s.is_area]).reshape(-1, 3)
    counts = range(1, 1 + (_STOREYS if stacks else 1))
    shapes = {(space.radius, space.is_area) for space in spaces}
    round_about = {shape: _spots(*shape, piece, stacks) for shape in shapes}
    rows: list[tuple[Floats, Ints, Floats, Ints, npt.NDArray[np.bool_]]] = []
    for index, space in enumerate(spaces):
        spots, off, coarse = round_about[space.radius, space.is_area]
        if not space.is_area:
            keep = _own_ground(spots, middles[index], middles[small])
            if piece.kind == "pawn":
                keep &= (off < _FAR_COST) | ~_within(middles[index] + spots, wide)
            spots, off, coarse = spots[keep], off[keep], coarse[keep]
        for count in counts:
            each = np.full(len(spots), 1)
            rows.append((middles[index] + spots, index * each, off, count * each, coarse))
    feet, owner, cost, storeys, coarse = (np.concatenate(column) for column in zip(*rows, strict=True))
    return feet, owner, cost, storeys, coarse


def _alike(off: Floats, space: Ints, storeys: Ints, piece: Piece) -> tuple[Ints, Ints]:
    """Which places look alike, being near each other on one space and of one height: of which group each is, (N,), and
    the first of each group, (G,). off: where they lie from the middles of their spaces, mm (N, 2)."""
    x, y = np.round(off / (_ALIKE * piece.diameter)).astype(np.int64).T
    cells = (space * (_STOREYS + 1) + storeys) * _CELLS**2 + (x % _CELLS) * _CELLS + y % _CELLS
    _, first, group = np.unique(cells, return_index=True, return_inverse=True)
    return group, first


def _ground(middles: Floats, piece: Piece, eye: Floats, shape: tuple[int, int]) -> Ints:
    """The index of the place, of those at `middles`, on which a piece would hide each pixel, raveled, or −1."""
    ground = np.full(shape[0] * shape[1], -1)
    if not len(middles):
        return ground
    own, _ = _outlines(piece, np.ones(len(middles), np.int64), 0.0, middles, eye)
    for index, points in enumerate(own.split()):
        pixels = _at(middles[index], points, shape)
        ground[pixels[pixels >= 0]] = index
    return ground


def _at(foot: Floats, points: Short, shape: tuple[int, int]) -> Ints:
    """The pixels, raveled, (N,), at points (x, y), (N, 2), from the pixel of a foot, mm (2,); −1 beyond the view."""
    x, y = np.floor(foot * PIXELS_PER_MM).astype(np.int64)[:, None] + points.T
    return np.where((x >= 0) & (x < shape[1]) & (y >= 0) & (y < shape[0]), y * shape[1] + x, -1)


def _seen(feet: Floats, sides: Ints, outline: Ints, shape: tuple[int, int]) -> tuple[Ints, Ints]:
    """The pixels, raveled, of feet, mm (N, 2): (N,); and the boxes (x, y, x, y), (N, 4), round pieces there, in the
    view and beyond it. sides: of the outlines, see `_sides`; outline: which one each has, (N,)."""
    at = np.floor(feet * PIXELS_PER_MM).astype(np.int64)
    return at[:, 1] * shape[1] + at[:, 0], np.hstack([at, at]) + sides.take(outline, axis=0)


def _corners(boxes: Ints, shape: tuple[int, int]) -> Ints:
    """Where the corners of boxes, (x, y, x, y), (N, 4), lie in the integral of a view, raveled: see `Places.corners`.
    """
    x0, y0, x1, y1 = boxes.T
    return np.stack([y * (shape[1] + 1) + x for x, y in ((x1, y1), (x1, y0), (x0, y1), (x0, y0))])


def _sums(total: npt.NDArray[Any], corners: Ints) -> Ints:
    """What boxes with some corners hold, (N,), by the integral of a view, raveled."""
    after, over, before, under = (total.take(corner) for corner in corners)
    return np.asarray(after - over - before + under)


def _sides(own: Outlines, side: Outlines) -> Ints:
    """Boxes round all pixels of pieces, from (x, y) to before (x, y), seen from the foot: (G, 4)."""
    low, high = np.full((len(own.counts), 2), np.iinfo(np.int16).max), np.full((len(own.counts), 2), -(2**15))
    for part in (own, side):
        some = np.flatnonzero(part.counts)
        if len(some):
            first = part.first[some]
            low[some] = np.minimum(low[some], np.minimum.reduceat(part.points, first))
            high[some] = np.maximum(high[some], np.maximum.reduceat(part.points, first))
    return np.hstack([low, high + 1]).astype(np.int64)


def _cut_off(feet: Floats, points: Ints, shape: tuple[int, int]) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Of pieces that the view shows in part, at feet, mm (C, 2), with points (C, P, 2): the pixels from each foot, the
    first of the view for those beyond it, and which are within it, (C, P)."""
    at = np.floor(feet * PIXELS_PER_MM).astype(np.int64)
    x, y = np.moveaxis(at[:, None] + points, -1, 0)
    inside = (x >= 0) & (x < shape[1]) & (y >= 0) & (y < shape[0])
    return np.where(inside, y * shape[1] + x, 0) - (at[:, 1:] * shape[1] + at[:, :1]), inside


def _spots(radius: float, is_area: bool, piece: Piece, stacks: bool) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """Where in a space a foot may stand, from its middle, mm (N, 2), the cost of standing there (N,), and which of
    them are enough to find pieces by (N,).

    Round a small space there are places, farther apart, for the outer ones of three pawns; marbles lie in holes, and
    discs on each other, or else side by side, two of which are wider than a space.
    """
    diameter = piece.diameter
    step = _AREA_STEP if is_area else max(_STEP, diameter / 8)
    usual = max(radius - diameter / 4, 1.0) if is_area else max(1.15 * radius, 3.0)
    if stacks:
        usual = max(_OWN_SQUARE * radius, 3.0)
    elif piece.kind == "disc" and not is_area:
        usual = max(usual, _SIDE_BY_SIDE * diameter)
    reach = max(usual, _FAR * diameter) if piece.kind == "pawn" and not is_area else usual
    ticks = np.arange(-np.floor(reach / step), np.floor(reach / step) + 1)
    i, j = (a.ravel() for a in np.meshgrid(ticks, ticks))
    off = np.hypot(i, j) * step
    coarse = (i % 2 == 0) & (j % 2 == 0)
    order = np.argsort(off, kind="stable")
    order = order[((off <= usual) | ((off <= reach) & coarse))[order]]
    off = off[order]
    most = 10.0 if stacks else 3.0
    cost = np.zeros_like(off) if is_area else np.minimum(0.5 * (off / _SLACK) ** 2, most)
    return np.column_stack([i, j])[order] * step, cost + _FAR_COST * (off > usual), coarse[order] | is_area


def _own_ground(spots: Floats, here: Floats, middles: Floats) -> npt.NDArray[np.bool_]:
    """Which spots, mm from a small space at `here`, are nearer to it than to others at `middles`, bool (N,)."""
    off = np.hypot(*spots.T)
    near = middles[np.hypot(*(middles - here).T) <= 2 * off.max(initial=0) + 1]
    return np.asarray(off <= _apart(here + spots, near).min(axis=1) + 1e-6)


def _within(points: Floats, discs: Floats) -> npt.NDArray[np.bool_]:
    """Which points, mm (N, 2), lie in any of some discs, (x, y, radius) mm (A, 3): bool (N,)."""
    return np.asarray((_apart(points, discs[:, :2]) < discs[:, 2]).any(axis=1))


def _apart(points: Floats, others: Floats) -> Floats:
    """How far points, (N, 2), lie from others, (M, 2): (N, M)."""
    (x, y), (a, b) = points.T, others.T
    return np.asarray(np.hypot(x[:, None] - a, y[:, None] - b))


def _outlines(piece: Piece, storeys: Ints, blur: float, feet: Floats, eye: Floats) -> tuple[Outlines, Outlines]:
    """Where pieces of some storeys, (G,), at `feet`, mm (G, 2), show their own colour, and stacks their sides."""
    if piece.kind == "disc":
        return cylinders([_body(piece, count, blur) for count in storeys.tolist()], feet, eye, PIXELS_PER_MM)
    own = outlines(_body(piece, 1, blur), feet, eye, PIXELS_PER_MM)
    return own, Outlines(own.points[:0], np.zeros_like(own.counts))


@lru_cache(maxsize=32)
def _body(piece: Piece, storeys: int, blur: float) -> Floats:
    """The discs a piece is made of, as wide as it looks: see `profile`."""
    body = profile(piece, storeys)
    body[:, 1] += blur
    body.flags.writeable = False
    return body


def _sampled(own: Outlines, side: Outlines, crown: int) -> tuple[Ints, Flat]:
    """`_SAMPLES` pixels spread over each of some outlines, as offsets (x, y), (G, P, 2), and the weight of each.

    crown: how many of them, the first ones, are of its own colour.
    """
    parts = [(own, crown), (side, _SAMPLES - crown)]
    points = np.concatenate([_spread(*part) for part in parts], axis=1)
    bare = side.counts == 0
    points[bare, crown:] = points[bare, :1]  # they count nothing, and lie where the piece does
    return points, np.concatenate([_hefts(outlined.counts, many) for outlined, many in parts], axis=1)


def _spread(outlined: Outlines, many: int) -> Ints:
    """So many pixels of each of some outlines, evenly spread over them, the first and the last among them: (G, many,
    2)."""
    points, last = outlined.points, np.maximum(outlined.counts - 1, 0)
    if not len(points):
        return np.zeros((len(last), many, 2), np.int64)
    at = (np.arange(many) * (last / (many - 1))[:, None]).astype(int)
    at[:, -1] = last
    first = np.minimum(outlined.first, len(points) - 1)
    return points.take(at + first[:, None], axis=0).astype(np.int64)


def _hefts(counts: Ints, many: int) -> Flat:
    """Nats per unit of evidence of each of so many pixels that stand for all of each of some outlines, (G, many)."""
    each = EVIDENCE * counts / PIXELS_PER_MM**2 / max(many, 1)
    return np.repeat(each.astype(np.float32)[:, None], many, axis=1)


@kept()
def grounds(where: Places, surface: Surface) -> Ints:
    """The ink of most of what a piece hides in the middle of each space, (S,)."""
    inks, first = surface.inks.ravel(), np.searchsorted(where.space, np.arange(where.space[-1] + 1))
    hidden = (inks.take(where.hidden_by(int(place))[0]) for place in first)
    return np.array([np.bincount(ink, minlength=1).argmax() for ink in hidden])
