"""The tops of dice in a view of the tray: where the net sees them, how large, and what they show."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.net import EDGE, LEANING, NOTHING, SIDE, STEP, DiceNet, Planes
from companion.vision.dice.view import TrayView, turned_part
from companion.vision.view.pose import Floats

_RATIO = 1.2  # from one size that is searched to the next
_LEAST = 0.1  # what is less likely is not looked at again
_MOST = 32  # places that are looked at again
_NEAR, _LIKE = 0.35, 0.35  # one top found twice: so near, of the edge, and so like in size (logarithm)
_APART = 0.9  # of the mean edge: tops of two dice are not nearer to each other
_SIDE = 0.75  # a side face is so near, in edges, to the line from its top's middle to its foot's
_TOUCHING, _ALIKE, _CERTAIN = 0.97, 0.12, 0.97  # but so far from it, so alike and so sure, it is a die in front
# A top is contested by one that is so likely, so far from it, in edges, and so large beside it: they cannot both be
# tops, and which of them is one, if either is, is not certain. What is nearer is the same top, found once more.
_RIVAL, _BESIDE, _AS_LARGE = 0.8, (0.3, 0.6), 0.8
_CONTESTED = 0.15  # so likely, at least, what is contested is no top
_CLOSER = np.array([0.88, 1.0, 1.13])  # sizes, of the one found, that are tried closely
_WORTH = 0.25  # what is less likely then is not judged
_SIZES = np.array([0.75, 0.82, 0.9, 1.0, 1.1, 1.22, 1.33])  # sizes, of the one found, that tell the true one
_JUDGED = slice(2, 5)  # of them, those in which a top is judged
_TURNS = (0.0, 0.5, 1.0, 1.5)  # of π: where nobody knows how things lean, ways to look
_ONE_WAY = 0.35  # as the directions in which things lean differ in the tray (radians), they are taken for one


class Tops(NamedTuple):
    """Tops. at: (N, 2), x and y in pixels of the view; size: (N,) their edges; shares: (N, 8) of the net's answers."""

    at: Floats
    size: Floats
    shares: Floats

    def take(self, rows: npt.NDArray[np.int64] | list[int]) -> Tops:
        """Those of these rows."""
        return Tops(*(column[np.asarray(rows, np.int64)] for column in self))

    @property
    def seen(self) -> Floats:
        """How likely each is the top of any die."""
        return np.asarray(1 - self.shares[:, NOTHING])


def tops_in(view: TrayView, smallest: float, largest: float) -> Tops:
    """The tops of dice with edges between two lengths, pixels, the likeliest first, no two of them of one die."""
    count, net, half = max(1, int(np.ceil(np.log(largest / smallest) / np.log(_RATIO)))), DiceNet(), _RATIO**0.5
    found = [_searched(net, view, float(size)) for size in np.geomspace(smallest * half, largest / half, count)]
    every = Tops(*(np.concatenate(column) for column in zip(*found, strict=True)))
    close = _judged(net, view, _fitted(net, view, _once(every)))
    kept = _apart(close, view.leans(close.at))
    return _doubted(close.take(kept), contested(close, kept))


def _searched(net: DiceNet, view: TrayView, size: float) -> Tops:
    """What looks like a top of one size, anywhere in the view."""
    rows, cols = view.picture.shape[:2]
    middle = np.array([(cols - 1) / 2, (rows - 1) / 2])
    way = _way(view, middle)
    leaning = _leans_one_way(view)
    c, s = abs(np.cos(way)), abs(np.sin(way))
    wide, high = (int(length / size * EDGE) + SIDE for length in (cols * c + rows * s, cols * s + rows * c))
    planes, matrix = _planes(view, middle, size, way, (high, wide), leaning)
    shares = net.shares(planes[None])[0]
    top = 1 - shares[NOTHING]
    y, x = np.nonzero((top >= cv2.dilate(top, np.ones((3, 3), np.uint8))) & (top > _LEAST))
    at = (_between(top, y, x) * STEP + SIDE // 2) @ matrix[:, :2].T + matrix[:, 2]
    return Tops(at, np.full(len(at), size), np.asarray(shares[:, y, x].T, np.float64))


def _between(top: Planes, y: npt.NDArray[np.int64], x: npt.NDArray[np.int64]) -> Floats:
    """Peaks, (N, 2) x and y, to less than a step: the middles of the three by three places around them."""
    padded = np.pad(top, 1)
    off = [(a, b) for b in (-1, 0, 1) for a in (-1, 0, 1)]
    weights = np.stack([padded[y + 1 + b, x + 1 + a] for a, b in off], axis=1).astype(np.float64)
    middle = weights @ np.array(off) / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
    return np.asarray(np.column_stack([x, y]) + middle, np.float64)


def _fitted(net: DiceNet, view: TrayView, tops: Tops) -> Tops:
    """Each at the place and in the size in which it looks most like a top."""
    if not len(tops.size):
        return tops
    cuts = [
        _planes(view, at, size * factor, _way(view, at), (SIDE + 2 * STEP,) * 2)
        for at, size in zip(tops.at, tops.size, strict=True)
        for factor in _CLOSER
    ]
    shares = net.shares(np.stack([planes for planes, _ in cuts])).reshape(len(tops.size), len(_CLOSER), 8, 3, 3)
    top = 1 - shares[:, :, NOTHING].astype(np.float64)
    which = np.arange(len(top))
    best = top.max(axis=(2, 3)).argmax(axis=1)
    weights = top[which, best]
    weights /= np.maximum(weights.sum(axis=(1, 2), keepdims=True), 1e-9)
    steps = np.array([-1.0, 0.0, 1.0])
    off = np.column_stack([weights.sum(axis=1) @ steps, weights.sum(axis=2) @ steps]) * STEP + SIDE // 2 + STEP
    turn = np.stack([cuts[i * len(_CLOSER) + k][1] for i, k in enumerate(best)])
    at = np.einsum("nij,nj->ni", turn[:, :, :2], off) + turn[:, :, 2]
    heights = top.max(axis=(2, 3))
    size = tops.size * np.exp(heights @ np.log(_CLOSER) / heights.sum(axis=1))
    return Tops(at, size, tops.shares).take(np.flatnonzero(heights.max(axis=1) > _WORTH))


def _judged(net: DiceNet, view: TrayView, tops: Tops) -> Tops:
    """What each shows, the geometric mean of a few looks, and its size, the mean of those in which it is seen."""
    if not len(tops.size):
        return tops
    turns = (0.0,) if view.camera is not None else _TURNS
    looks = [
        _planes(view, at, size * factor, _way(view, at) + turn * np.pi, (SIDE, SIDE), mirror=mirror)[0]
        for at, size in zip(tops.at, tops.size, strict=True)
        for turn in turns
        for mirror in (False, True)
        for factor in _SIZES
    ]
    shares = net.shares(np.stack(looks)).reshape(len(tops.size), -1, len(_SIZES), 8).astype(np.float64)
    mean = np.exp(np.log(shares[:, :, _JUDGED] + 1e-6).mean(axis=(1, 2)))
    seen = 1 - shares[..., NOTHING].mean(axis=1)
    size = tops.size * np.exp(seen @ np.log(_SIZES) / seen.sum(axis=1))
    return Tops(tops.at, size, mean / mean.sum(axis=1, keepdims=True))


def _once(tops: Tops) -> Tops:
    """The likeliest; what is found again at nearly the same place and size, once."""
    kept: list[int] = []
    for i in np.argsort(-tops.seen).tolist():
        apart = np.hypot(*(tops.at[kept] - tops.at[i]).T) > _NEAR * np.minimum(tops.size[kept], tops.size[i])
        unlike = np.abs(np.log(tops.size[kept] / tops.size[i])) > _LIKE
        if (apart | unlike).all():
            kept.append(i)
            if len(kept) == _MOST:
                break
    return tops.take(kept)


def _apart(tops: Tops, leans: Floats) -> list[int]:
    """The likeliest tops that leave each other room and are no side faces of likelier ones. leans: (N, 2)."""
    kept: list[int] = []
    for i in np.argsort(-tops.seen).tolist():
        sizes = tops.size[kept]
        off = tops.at[i] - tops.at[kept]
        room = np.hypot(*off.T) > _APART * (sizes + tops.size[i]) / 2
        if (room & ~_on_sides(tops, kept, i, off / sizes[:, None], leans[kept])).all():
            kept.append(i)
    return kept


def contested(tops: Tops, rows: list[int]) -> npt.NDArray[np.bool_]:
    """Which of the tops of these rows have another that is likely too half over them: a side face, or a die aslant."""
    sizes = tops.size[rows, None]
    off = tops.at[rows][:, None] - tops.at
    far = np.hypot(off[..., 0], off[..., 1]) / sizes
    half_over = (far > _BESIDE[0]) & (far < _BESIDE[1]) & (tops.size > _AS_LARGE * sizes)
    return np.asarray((half_over & (tops.seen > _RIVAL)).any(axis=1))


def _doubted(tops: Tops, which: npt.NDArray[np.bool_]) -> Tops:
    """Some of them, (N,), may be no tops: they are reported, but none of them is sure."""
    shares = tops.shares.copy()
    shares[which] *= 1 - _CONTESTED
    shares[which, NOTHING] += _CONTESTED
    return tops._replace(shares=shares)


def _on_sides(tops: Tops, kept: list[int], row: int, off: Floats, leans: Floats) -> npt.NDArray[np.bool_]:
    """Of which dice a face is rather a side face than another's top. off: how far it is from their tops, in edges."""
    down = np.clip((off * -leans).sum(axis=1) / np.maximum((leans**2).sum(axis=1), 1e-9), 0, 1)
    on = np.hypot(*(off + down[:, None] * leans).T) < _SIDE
    alike = np.abs(np.log(tops.size[row] / tops.size[kept])) < _ALIKE
    certain = tops.shares[row, 1:LEANING].max() > _CERTAIN
    in_front = alike & (np.hypot(*off.T) > _TOUCHING) & certain
    return np.asarray(on & ~in_front)


def _way(view: TrayView, at: Floats) -> float:
    """The direction, radians, that becomes the picture's right where what stands at a place is to lean up."""
    if view.camera is None:
        return 0.0
    lean = view.leans(at[None])[0]
    return float(np.arctan2(lean[1], lean[0])) + np.pi / 2


def _leans_one_way(view: TrayView) -> bool:
    """Whether things lean in about the same direction, or hardly, all over the view."""
    if view.camera is None:
        return False
    rows, cols = view.picture.shape[:2]
    leans = view.leans(np.array([(x, y) for x in (0.0, cols / 2, cols) for y in (0.0, rows / 2, rows)]))
    across = leans @ np.array([[0, -1], [1, 0]]) @ (leans[4] / max(float(np.hypot(*leans[4])), 1e-9))
    return bool(np.abs(across).max() < max(_ONE_WAY * float(np.hypot(*leans.T).max()), 0.1))


def _planes(
    view: TrayView, at: Floats, size: float, way: float, shape: tuple[int, int], leaning: bool = True,
    mirror: bool = False,
) -> tuple[Planes, Floats]:  # fmt: skip
    """What the net is shown of the view: `shape` (rows, cols) about a place, turned by `way`, a die of `size` made
    `EDGE` wide; and the map, (2, 3), from it to the view. leaning: whether to tell how things lean, if it is known."""
    rows, cols = shape
    picture, matrix = turned_part(view.picture, at, size / EDGE, way, shape, mirror)
    planes = np.zeros((5, rows, cols), np.float32)
    planes[:3] = picture.transpose(2, 0, 1) * np.float32(1 / 255) - np.float32(0.5)
    if view.camera is not None and leaning:
        x, y = np.arange(cols, dtype=np.float32), np.arange(rows, dtype=np.float32)[:, None]
        away = [matrix[k, 0] * x + matrix[k, 1] * y + (matrix[k, 2] - view.camera[k]) for k in (0, 1)]
        planes[3], planes[4] = np.hypot(*away) / view.camera[2], 1
    return planes, matrix
