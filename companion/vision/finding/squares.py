"""Where a board of squares may lie: by the corners at which two dark squares meet two light ones, and their lattice.

None of these corners is unlike all others, and a checked table-cloth has more straight lines than the board; but few
things beside the board have as many of them in rows. Corners: Bennett and Lasenby, ChESS, arXiv:1301.5491.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats, Frame, Pose, without_strays
from companion.vision.view.scene import FINE_PER_MM, Scene

Cells = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
_WIDTHS = (640, 1280, 320)  # pixels: so wide are pictures looked at: small, which is quick; smaller yet in much noise
_CALM = 1.0  # pixels over which noise is calmed
_RING, _ROUND = 5, 16  # pixels about a corner, and how many of those are asked
_PURE = 0.35  # of what the ring varies by: so much of it must be a corner's, which noise and grain seldom come to
_PARTS, _MOST = 8, 16  # parts of a picture each way, and corners of each, the plainest
_SEEDS, _BESIDE = 64, 8  # corners from which a lattice is begun, and those near one that are asked
_NEAR, _ROUGHLY = 0.2, 0.3  # of a square's side: so far may a corner lie off its place; and the fourth of a square
_NARROW = 0.3  # sine of the angle between a square's sides: nobody reads a board from so low
_PLAINER = 3.0  # times as plain a corner of the same board may be
_ALIKE, _GROWN = 0.3, 16  # cosine between phases that count as one; and how often a lattice may grow
_AROUND = 0.2  # of a square's side, each way from a corner
_EXACTLY = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 20, 0.03)  # steps, and pixels: see cv2.cornerSubPix
_DOUBT = 1.0  # pixels: so well are corners of a picture found that is 1000 wide
_FEWEST, _LATTICES = 16, 2  # corners of a lattice; and lattices: two boards may be in view
_BEYOND = 1  # corners by which a lattice may stand out: the lines of a frame may cross beside the outermost squares
_UNSEEN = 3  # rows or columns of corners that may not be seen: else there are too many ways to lie
_NEARLY = 0.85  # as many: where a row of corners more lies beside the board's, a tenth of them is missed
_STEPS = ((0, 0), (1, 0), (0, 1))  # to a corner itself, to the one beside it, and to the one below
_AT_RIM = 0.5  # of its length: a row at the rim with fewer corners is chance


class Corners(NamedTuple):
    """Where four squares meet. at: pixels (N, 2), the plainest of each part of a picture first; phase: twice the angle,
    from x to y, under which the two light ones lie, radians (N,); plain: how plain each is, (N,)."""

    at: Floats
    phase: Floats
    plain: Floats


class Lattice(NamedTuple):
    """Corners in columns and rows. cells: (column, row) of each, (N, 2); at: where each lies, (N, 2); rows run to the
    right of columns, as seen. light: whether those two squares are light ones which lie beyond the corner (0, 0) in
    both directions, and before it in both."""

    cells: Cells
    at: Floats
    light: bool


def chequered(grey: Frame, scene: Scene, prior: Pose | None) -> Iterator[list[Pose]]:
    """Poses under which the board's lattice lies on one that is seen in a picture, uint8 grey: those that are found at
    a first glance, then those that a closer look finds."""
    board = lattice_of_board(scene)
    if board is None:
        return
    size = (grey.shape[1], grey.shape[0])
    for seen in _looks(grey):
        pairs = [pair for lattice in seen for pair in _likely(list(_laid(lattice, board)))]
        lens, doubt = scene.lens_for(size), _DOUBT * size[0] / 1000
        fits = [without_strays(places, pixels, size, prior, lens, doubt) for places, pixels in pairs]
        yield [fit for fit in fits if fit is not None]


@kept()
def lattice_of_board(scene: Scene) -> Lattice | None:
    """The empty board's, places in mm; None if it is no board of squares, or these hardly show."""
    grey = np.asarray(cv2.cvtColor(scene.empty, cv2.COLOR_BGR2GRAY), np.uint8)
    found = [lattice for seen in _looks(grey) for lattice in seen]
    best = max(found, key=lambda lattice: len(lattice.cells), default=None)
    return None if best is None else best._replace(at=(best.at + 0.5) / FINE_PER_MM)


def _looks(grey: Frame) -> Iterator[list[Lattice]]:
    """The lattices of a picture, at each width; places in its own pixels."""
    for width in dict.fromkeys(min(width, grey.shape[1]) for width in _WIDTHS):
        scale = width / grey.shape[1]
        small = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        yield [_exact(one._replace(at=(one.at + 0.5) / scale - 0.5), grey) for one in lattices(corners(small))]


def _exact(lattice: Lattice, grey: Frame) -> Lattice:
    """A lattice found in a picture that was made smaller, made exact in the whole: each corner by as much of its four
    squares as hardly any piece covers."""
    apart = np.linalg.norm(lattice.at[:, None] - lattice.at, axis=2)
    side = float(np.median(np.where(apart > 0, apart, np.inf).min(axis=0)))
    around = round(min(max(_AROUND * side, 3), 15))
    calm = np.asarray(cv2.GaussianBlur(grey, (0, 0), _CALM), np.uint8)
    found = cv2.cornerSubPix(calm, lattice.at.astype(np.float32), (around, around), (-1, -1), _EXACTLY)
    return lattice._replace(at=np.asarray(found, np.float64))


# --- one lattice on another ---


def _likely(ways: list[tuple[Floats, Floats]]) -> list[tuple[Floats, Floats]]:
    """Those ways to lie, see `_laid`, in which nearly as many corners lie on the board's as in any."""
    most = max((len(places) for places, _ in ways), default=0)
    return [way for way in ways if len(way[0]) >= _NEARLY * most]


def _laid(seen: Lattice, board: Lattice) -> Iterator[tuple[Floats, Floats]]:
    """The corners that both have, places in mm and pixels, (N, 2) each, for each way in which one may lie on the other,
    light squares on light ones. Of a way and that turned by half there is one: see `Likeness.turned`."""
    first = board.cells.min(axis=0) - _BEYOND
    there = np.full(np.ptp(board.cells, axis=0) + 1 + 2 * _BEYOND, -1)
    there[tuple((board.cells - first).T)] = np.arange(len(board.cells))
    turned = np.column_stack([-seen.cells[:, 1], seen.cells[:, 0]])
    for cells, light in ((seen.cells, seen.light), (turned, not seen.light)):
        for way in product(*(_ways(cells[:, k], board.cells[:, k]) for k in (0, 1))):
            if (light == board.light) != (sum(way) % 2 == 0):
                continue
            which = there[tuple((cells + way - first).T)]
            if np.count_nonzero(which >= 0) >= _FEWEST:
                yield board.at[which[which >= 0]], seen.at[which >= 0]


def _ways(seen: Cells, board: Cells) -> range:
    """By how much columns, or rows, may be pushed so that they lie on the board's, and few of that are not seen."""
    low, high = int(board.min()) - _BEYOND, int(board.max()) + _BEYOND
    spare = high - low - int(np.ptp(seen))
    return range(low - int(seen.min()), high - int(seen.max()) + 1) if spare <= 2 * _BEYOND + _UNSEEN else range(0)


# --- lattices of corners ---


def lattices(found: Corners) -> list[Lattice]:
    """The largest lattices, which have no corner in common."""
    free, made = np.ones(len(found.at), bool), list[Lattice]()
    for seed in range(min(_SEEDS, len(found.at))):
        square = _square(seed, found, free) if free[seed] else None
        if square is None:
            continue
        grown = _grown(square, found, free)
        if len(grown) >= _FEWEST:
            free[list(grown.values())] = False
            made.append(_lattice(grown, found))
    return sorted(made, key=lambda lattice: -len(lattice.cells))[:_LATTICES]


def _square(seed: int, found: Corners, free: Mask) -> dict[tuple[int, int], int] | None:
    """The corners of the smallest square at a corner, by (column, row)."""
    apart = np.linalg.norm(found.at - found.at[seed], axis=1)
    facing = np.cos(found.phase - found.phase[seed])
    free = free & _as_plain(found, found.plain[seed])
    beside = np.flatnonzero(free & (facing < -_ALIKE))
    best, least = None, np.inf
    for one, other in permutations(beside[np.argsort(apart[beside])][:_BESIDE].tolist(), 2):
        (ux, uy), (vx, vy) = found.at[one] - found.at[seed], found.at[other] - found.at[seed]
        far = max(apart[one], apart[other])
        if far >= least or ux * vy - uy * vx < _NARROW * apart[one] * apart[other]:
            continue
        off = np.linalg.norm(found.at - (found.at[one] + found.at[other] - found.at[seed]), axis=1)
        last = int(off.argmin())
        if free[last] and facing[last] > _ALIKE and off[last] < _ROUGHLY * min(apart[one], apart[other]):
            best, least = {(0, 0): seed, (1, 0): one, (0, 1): other, (1, 1): last}, far
    return best


def _grown(square: dict[tuple[int, int], int], found: Corners, free: Mask) -> dict[tuple[int, int], int]:
    """A lattice from its first square: corners that lie where it goes on, until there is none."""
    lattice, free = dict(square), free & _as_plain(found, float(np.median(found.plain[list(square.values())])))
    for _ in range(_GROWN):
        free[list(lattice.values())] = False
        cells, at, side = _expected(lattice, found)
        apart = np.linalg.norm(found.at - at[:, None], axis=2)
        even = 1 - 2 * (cells.sum(axis=1) % 2)
        fits = free & (even[:, None] * np.cos(found.phase - found.phase[square[0, 0]]) > _ALIKE)
        apart = np.where(fits, apart, np.inf)
        nearest = apart.argmin(axis=1)
        near = apart[np.arange(len(cells)), nearest] < _NEAR * side
        near &= np.bincount(nearest[near], minlength=len(found.at))[nearest] == 1  # no corner is in two places
        more = {(int(i), int(j)): int(k) for (i, j), k in zip(cells[near], nearest[near], strict=True)}
        if not more:
            break
        lattice |= more
    return _without_chance(lattice)


def _as_plain(found: Corners, plain: float) -> Mask:
    """Which corners are about as plain as those of a lattice: noise is not."""
    return np.asarray((found.plain > plain / _PLAINER) & (found.plain < plain * _PLAINER))


def _expected(lattice: dict[tuple[int, int], int], found: Corners) -> tuple[Cells, Floats, Floats]:
    """The cells that a lattice lacks, within and next to it, (M, 2); where their corners are to be expected, pixels
    (M, 2); and how long the shorter side of a square is there, (M,)."""
    known = np.array(list(lattice), np.int64)
    shape = cv2.findHomography(known.astype(np.float64), found.at[list(lattice.values())])[0]
    (left, top), (right, low) = known.min(axis=0) - 1, known.max(axis=0) + 2
    cells = np.array([cell for cell in product(range(left, right), range(top, low)) if cell not in lattice], np.int64)
    if shape is None:
        return cells[:0], np.empty((0, 2)), np.empty(0)
    at, beside, below = (_seen(np.asarray(shape, np.float64), cells + step) for step in _STEPS)
    side = np.minimum(np.linalg.norm(beside - at, axis=1), np.linalg.norm(below - at, axis=1))
    return cells, at, side


def _seen(shape: Floats, cells: Cells) -> Floats:
    return np.asarray(cv2.perspectiveTransform(cells[None].astype(np.float64), shape)[0])


def _without_chance(lattice: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """A lattice without the rows and columns at its rim in which hardly any corner is."""
    while len(lattice) >= _FEWEST:
        cells = np.array(list(lattice))
        sides = [(k, int(end), 1 - k) for k in (0, 1) for end in (cells[:, k].min(), cells[:, k].max())]
        few = [(k, end) for k, end, along in sides
               if np.count_nonzero(cells[:, k] == end) < max(2, _AT_RIM * (np.ptp(cells[:, along]) + 1))]
        if not few:
            break
        lattice = {cell: at for cell, at in lattice.items() if all(cell[k] != end for k, end in few)}
    return lattice


def _lattice(grown: dict[tuple[int, int], int], found: Corners) -> Lattice:
    cells, which = np.array(list(grown), np.int64), np.array(list(grown.values()))
    at = found.at[which]
    shape = np.asarray(cv2.findHomography(cells.astype(np.float64), at)[0], np.float64)
    here, beside, below = (_seen(shape, cells + step) for step in _STEPS)
    (ux, uy), (vx, vy) = (beside - here).T, (below - here).T
    x, y = np.cos(found.phase[which] / 2), np.sin(found.phase[which] / 2)
    between = (ux * y - uy * x) * (x * vy - y * vx) > 0  # the light squares lie between the two directions
    return Lattice(cells, at, bool(np.mean(between == (cells.sum(axis=1) % 2 == 0)) > 0.5))


# --- corners of squares ---


def corners(grey: Frame) -> Corners:
    """Where two dark squares and two light ones meet in a picture, uint8 grey."""
    calm = np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _CALM), np.float32)
    ring = _ring(calm)
    plain = _plainness(calm, ring)
    top = cv2.dilate(plain, np.ones((2 * _RING - 1, 2 * _RING - 1), np.uint8))
    y, x = np.nonzero((plain == top) & (plain > 0))
    about = np.array([side[y, x] for side in ring]).reshape(_ROUND, -1)
    pure = plain[y, x] > _PURE * np.abs(about - about.mean(axis=0)).sum(axis=0)
    y, x, about = y[pure], x[pure], about[:, pure]
    chosen = _everywhere(x, y, plain)
    y, x, about = y[chosen], x[chosen], about[:, chosen]
    if not len(x):
        return Corners(np.empty((0, 2)), np.empty(0), np.empty(0))
    turn = 4 * np.pi * np.arange(_ROUND) / _ROUND
    phase = np.arctan2(np.sin(turn) @ about, np.cos(turn) @ about)
    at = np.column_stack([x, y]).astype(np.float32)
    exact = cv2.cornerSubPix(grey, at, (3, 3), (-1, -1), _EXACTLY)
    return Corners(np.asarray(exact, np.float64), np.asarray(phase, np.float64), plain[y, x].astype(np.float64))


def _everywhere(x: Cells, y: Cells, plain: Flat) -> Cells:
    """Which of some corners are the plainest of each part of a picture; first those that are so before all others of
    theirs: the corners of a pale board are less plain than those of a table-cloth."""
    rows, cols = plain.shape
    parts = y * _PARTS // rows * _PARTS + x * _PARTS // cols
    order = np.lexsort((-plain[y, x], parts))
    first = np.searchsorted(parts[order], parts[order])
    rank = np.arange(len(order)) - first
    chosen = rank < _MOST
    return np.asarray(order[chosen][np.argsort(rank[chosen], kind="stable")], np.int64)


def _ring(calm: Flat) -> list[Flat]:
    """A picture pushed by each of the pixels that lie in a ring."""
    rows, cols = calm.shape
    wide = np.asarray(cv2.copyMakeBorder(calm, *(_RING,) * 4, cv2.BORDER_REPLICATE), np.float32)
    turn = 2 * np.pi * np.arange(_ROUND) / _ROUND
    steps = np.round(_RING * np.column_stack([np.cos(turn), np.sin(turn)])).astype(int) + _RING
    return [wide[y : y + rows, x : x + cols] for x, y in steps.tolist()]


def _plainness(calm: Flat, ring: list[Flat]) -> Flat:
    """How plainly a pixel is such a corner: what is across it is alike, what is a quarter of the ring away is not, and
    the ring is as bright as its middle; negative for an edge or a spot."""
    half, quarter = _ROUND // 2, _ROUND // 4
    plain = np.zeros_like(calm)
    across = [cv2.add(ring[k], ring[k + half]) for k in range(half)]
    for k in range(half):
        plain -= cv2.absdiff(ring[k], ring[k + half])
    for k in range(quarter):
        plain += cv2.absdiff(across[k], across[k + quarter])
    middle = _ROUND * cv2.blur(calm, (3, 3))
    return np.asarray(plain - cv2.absdiff(sum(across[1:], across[0]), middle), np.float32)
