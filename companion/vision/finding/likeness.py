"""Whether what a pose shows is the board: the whole picture is compared, block by block, in brightness and colour.

Each block has one voice, so that pieces, hands and glare can outvote the board only where they cover most of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats, Frame, Pose, downward, flat_maps, pushed, turned
from companion.vision.view.scene import Scene

Mask = npt.NDArray[np.bool_]
SCALE = 0.5
"""Pixels per mm at which pictures are compared: coarse enough that a millimetre does not matter."""
_BLOCK = 18  # pixels: 36 mm
WIDE = 16.0  # pixels: brightness is compared with that around, within some 30 mm
DARK = 8.0  # levels: below this noise has more to say than the board
_NEARLY_ALL, _AT_MOST = 0.98, 1.5  # share of a board; and by how much more than there a trait may differ anywhere
_EVERY = 7  # one of so many pixels says how the colour of the light changes over the board
_FEW, _AROUND, _NEARER = 96, 33, 0.97
"""Pixels each way, in all and around each, by which a turned board is suspected; how much less the board turned must
differ: noise is not asked about."""
_PLAIN = 0.03  # a block whose brightness and colours vary by less, in natural logarithms, says nothing


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike picture and board are. share: −1 to 1, what half of the blocks reach; 0 is chance. whole: their mean,
    which tells one square from the next, as the rim of a board of squares is unlike the rest of it.

    turned: by how many quarter turns, as seen from above, the board in the picture lies otherwise than the pose has it,
    if that fits better; 0 if the pose fits best; None if another turn fits as well.
    """

    share: float
    turned: int | None
    whole: float


def likeness(frame: Frame, scene: Scene, pose: Pose) -> Likeness:
    """How alike the board and a picture, uint8 BGR, are under a pose, and under the pose turned by quarters."""
    sheet = scene.sheet
    maps = flat_maps(pose, sheet.width, sheet.height, SCALE)
    inside = (maps[0] >= 0) & (maps[0] <= frame.shape[1] - 1) & (maps[1] >= 0) & (maps[1] <= frame.shape[0] - 1)
    traits, turns = _traits(downward(maps).view(frame)), _turns(scene)
    seen = {q: _laid(traits, q, scene) for q in (0, *turns)}
    shown = {q: _laid(inside.astype(np.float32), q, scene) for q in seen}
    board_like = np.clip(traits, -_extremes(scene), _extremes(scene))
    alike = {q: _alike(_laid(board_like, q, scene), _blocks(shown[q]), scene) for q in seen}
    if any(np.isnan(blocks).all() for blocks in alike.values()):
        nothing = 0.0 if _structured(scene) else 1.0
        return Likeness(nothing, 0, nothing)
    shares = {q: float(np.nanmedian(blocks)) for q, blocks in alike.items()}
    best = max(shares, key=lambda q: shares[q])
    whole = float(np.nanmean(alike[best]))
    ahead = {q: _ahead(alike, q, turns, _SLIGHT * shares[best]) for q in alike}
    if sheet.markers is not None:
        return Likeness(shares[best], best if all(by >= _SURE for by in ahead[best].values()) else None, whole)
    likely = sorted((q for q in shares if shares[q] > shares[best] - _AS_LIKE), key=lambda q: -shares[q])
    agreed = (q for q in likely if _agreed(seen[q], shown[q], q, ahead[q], scene))
    return Likeness(shares[best], next(agreed, None), whole)


def quarter_turns(scene: Scene) -> tuple[int, ...]:
    """The turns, in quarters, after which the board covers the same place."""
    rows, cols = _of_board(scene).shape[:2]
    return (1, 2, 3) if rows == cols else (2,)


def lying_turned(pose: Pose, quarters: int, scene: Scene) -> Pose:
    """The pose of a board that lies turned by quarters just where it lay: its squares need not be in the middle."""
    width, height = scene.sheet.width, scene.sheet.height
    x, y = _offset(scene, quarters)
    return pushed(turned(pose, quarters, width, height), 0.0, (-x / SCALE, -y / SCALE), (width / 2, height / 2))


def seems_turned(flat: Frame, scene: Scene) -> bool:
    """Whether a flat view, uint8 BGR, is nearer to the board turned than to the board, in few pixels: that is quick to
    ask, and for `likeness` to bear out."""
    seen, known = _in_few(flat), _in_few_turned(scene)
    apart = [float(cv2.norm(seen, lying, cv2.NORM_L1)) for lying in known]
    return min(apart) < _NEARER * apart[0]


def same_in_turns(scene: Scene) -> bool:
    """Whether the board itself hardly differs after some turn, in large or by a mark, so that no picture can tell."""
    marked = {q: np.count_nonzero(marks > _PLAINLY_MARKED) for q, marks in _marks(scene).items()}
    return any(max(telling.sum(), marked[q]) < _SURE**2 for q, telling in _turns(scene).items())


def _in_few(flat: Frame) -> Flat:
    """A flat view in few pixels, each beside the mean of those around: a lamp may stand elsewhere than it did."""
    small = cv2.resize(flat, (_FEW, _FEW), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    return np.asarray(small / (cv2.blur(small, (_AROUND, _AROUND)) + 1), np.float32)


@kept()
def _in_few_turned(scene: Scene) -> tuple[Flat, ...]:
    """The board so, as it is, and after each turn in which it covers the same place."""
    small = _in_few(scene.empty)
    return tuple(np.ascontiguousarray(np.rot90(small, quarters)) for quarters in (0, *quarter_turns(scene)))


@kept()
def _structured(scene: Scene) -> bool:
    """Whether anything is known of how the board looks."""
    return bool((_energy_of_board(scene) > _PLAIN**2).any())


_SURE = 2.5
"""Standard errors by which one turn must be more like the board than another."""
_SLIGHT = 0.15  # of the likeness: blocks that differ by less, as all of a glass board's dark rim, tell no turn


def _ahead(alike: Mapping[int, Floats], one: int, turns: Mapping[int, Mask], least: float) -> dict[int, float]:
    """By how many standard errors a turn is more like the board than each other one, judged by the blocks that tell and
    differ by more than `least`; the order counts, not the amount, so that no block outweighs the others.
    """
    ahead = {}
    for other in alike:
        if other != one:
            differences = (alike[one] - alike[other])[turns[(one - other) % 4]]
            told = np.sign(differences[np.abs(differences) > least])  # which is false of what is not known
            ahead[other] = float(told.sum() / np.sqrt(max(len(told), 1)))
    return ahead


# --- small marks: a board of squares with a sticker on one corner is told from itself by that sticker alone ---

_FINE = 2  # pixels: 4 mm
_RIM = 2  # pixels: 4 mm
_MARKED = 0.15  # a small block that differs by more after a turn, root mean square of natural logarithms, tells it
_PLAINLY_MARKED = 0.5  # its square, of a block of a sticker; of squares and grain few blocks differ as much
_AS_LIKE = 0.1  # a turn under which the picture is so much less like the board, see `Likeness`, may be the right one
_PALER = 0.04  # of the square by which a mark differs so much is left in poor light
_ROUND = 5  # small blocks: 20 mm, so wide is a sticker with what is round it
_AGREED = 0.65  # a mark that is covered by something of nearly its colour comes to less
_MANY_AGREED = 0.4  # of many marks, on some of which pieces stand


def _agreed(lying: Flat, shown: Flat, turn: int, ahead: Mapping[int, float], scene: Scene) -> bool:
    """Whether a board, as it lies after a turn, is plainly nearer than after each other one: in large, or by its marks,
    and neither speaks against it. shown: what lies in the picture, 1 or 0.
    """
    able = _small(shown)[..., 0] > 0.98
    for other, by in ahead.items():
        marks = _told(lying, (other - turn) % 4, able, scene)
        if min(by / _SURE, marks) <= -1 or max(by / _SURE, marks) < 1:
            return False
    return True


def _told(lying: Flat, quarters: int, able: Mask, scene: Scene) -> float:
    """How far the picture differs from itself turned as the board does: 1 or more says that it lies so, −1 or less that
    it lies turned; 0 if too little tells. The more a small block differs, the more it has to say: a sticker more than
    the grain of wood. One mark must be as it is on the board; of many, some may be covered.

    Each is compared with what is round it, so that a mark is told from what covers it. Where the picture hardly differs
    it says nothing: a window that was mirrored in the photo is nowhere in the picture.
    """
    board, seen = (_apart(plane, quarters, scene) for plane in (_of_board(scene), lying))
    marks = _marks(scene)[quarters]
    alike, own, most = (_round(_small(product).sum(axis=2)) for product in (seen * board, seen * seen, board * board))
    weight = marks**2 * able * np.rot90(able, quarters) * (own > _PALER * most)
    whole, square = float(weight.sum()), float((weight**2).sum())
    if whole**2 < _SURE**2 * square or whole == 0:
        return 0.0
    many = max(whole**2 / square / _ROUND**2, 1.0)  # as many as do not share what is round them
    share = float((weight * alike / np.sqrt(np.maximum(own * most, 1e-9))).sum()) / whole
    return share / max(_AGREED / math.sqrt(many), _MANY_AGREED)


@kept()
def _marks(scene: Scene) -> dict[int, Flat]:
    """By how much each small block looks otherwise after each turn, mean of squares; 0 where by little."""
    found = {q: _small(_apart(_of_board(scene), q, scene) ** 2).sum(axis=2) for q in _turns(scene)}
    return {q: np.where(energy > _MARKED**2, energy, 0).astype(np.float32) for q, energy in found.items()}


def _apart(plane: Flat, quarters: int, scene: Scene) -> Flat:
    """Where traits differ from themselves turned; not at the rim of the board, where the table may show."""
    apart = plane - _laid(plane, quarters, scene)
    (x, y), (rows, cols) = _offset(scene, quarters), apart.shape[:2]
    left, top, right, low = (_RIM + max(0, math.ceil(by)) for by in (x, y, -x, -y))
    apart[:top], apart[rows - low :], apart[:, :left], apart[:, cols - right :] = 0, 0, 0, 0
    return np.asarray(apart, np.float32)


def _round(blocks: Flat) -> Flat:
    """Means over each small block and those round it."""
    return np.asarray(cv2.blur(blocks, (_ROUND, _ROUND), borderType=cv2.BORDER_CONSTANT), np.float32)


def _small(plane: Flat) -> Flat:
    """Means of small blocks, (rows, cols, traits)."""
    down, across = (max(1, side // _FINE) for side in plane.shape[:2])
    means = cv2.resize(plane, (across, down), interpolation=cv2.INTER_AREA)
    return np.asarray(means.reshape(down, across, -1), np.float32)


def _laid(plane: Flat, quarters: int, scene: Scene) -> Flat:
    """A plane, (rows, cols, …), turned by quarters, and pushed as a board is that lies turned just where the other did:
    squares need not be in the middle of their frame."""
    spun = np.ascontiguousarray(np.rot90(plane, quarters))
    x, y = _offset(scene, quarters)
    if not (x or y):
        return spun
    push = np.array([[1, 0, x], [0, 1, y]], np.float64)
    return np.asarray(cv2.warpAffine(spun, push, spun.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.float32)


def _offset(scene: Scene, quarters: int) -> tuple[float, float]:
    """Pixels, (x, y), by which the board turned must be pushed to cover itself best; (0, 0) unless it does nearly."""
    return _offsets(scene)[quarters] if quarters else (0.0, 0.0)


@kept()
def _offsets(scene: Scene) -> dict[int, tuple[float, float]]:
    known = _of_board(scene)
    inner = (slice(_PUSHED, -_PUSHED),) * 2
    found = {}
    for quarters in quarter_turns(scene):
        fits = cv2.matchTemplate(known, np.ascontiguousarray(np.rot90(known, quarters)[inner]), cv2.TM_CCORR_NORMED)
        _, most, _, (x, y) = cv2.minMaxLoc(fits)
        found[quarters] = (float(x - _PUSHED), float(y - _PUSHED)) if most > _COVERS else (0.0, 0.0)
    return found


@kept()
def _turns(scene: Scene) -> dict[int, Mask]:
    """The turns, in quarters, after which the board covers the same place, and the blocks that look otherwise then."""
    known, whole = _of_board(scene), np.ones_like(_energy_of_board(scene))
    there = {q: _alike(_laid(known, q, scene), whole, scene) for q in quarter_turns(scene)}
    return {q: np.asarray(alike < _OTHERWISE) for q, alike in there.items()}


_PUSHED, _COVERS = 8, 0.8
"""Pixels by which a board that is turned may be pushed; and correlation from which on it nearly covers itself so."""
_OTHERWISE = 0.8


def _traits(flat: Frame) -> Flat:
    """Brightness against that around, and colour against what lamps of several colours make of the whole, (rows, cols,
    3), in natural logarithms."""
    logs = np.log(flat.astype(np.float32) + DARK)
    bright = logs.mean(axis=2)
    bright -= cv2.GaussianBlur(bright, (0, 0), WIDE)
    hues = (logs[..., [0, 2]] - logs[..., 1:2]).reshape(-1, 2)
    terms, fit = _slow(*flat.shape[:2])
    hues = hues - terms @ (fit @ hues[::_EVERY])
    return np.dstack([bright, hues.reshape(*flat.shape[:2], 2)]).astype(np.float32)


@lru_cache(maxsize=4)
def _slow(rows: int, cols: int) -> tuple[Flat, Flat]:
    """What changes slowly over a picture, a quadratic: its terms at each pixel, (rows·cols, 6), and what of every some
    pixels makes the coefficients, (6, …)."""
    y, x = (axis.ravel() for axis in np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : cols * 1j])
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1).astype(np.float32)
    return terms, np.asarray(np.linalg.pinv(terms[::_EVERY]), np.float32)


@kept()
def _extremes(scene: Scene) -> Flat:
    return extremes_of(_of_board(scene))


def extremes_of(board: Flat) -> Flat:
    """How far what is known of a board, (rows, cols, …), goes: what goes farther is a piece on it, or noise in the
    dark, and has no more to say than the board."""
    return np.asarray(_AT_MOST * np.quantile(np.abs(board), _NEARLY_ALL, axis=(0, 1)), np.float32)


@kept()
def _of_board(scene: Scene) -> Flat:
    sheet = scene.sheet
    size = (round(sheet.width * SCALE), round(sheet.height * SCALE))
    return _traits(np.asarray(cv2.resize(scene.empty, size, interpolation=cv2.INTER_AREA), np.uint8))


def _alike(seen: Flat, able: Floats, scene: Scene) -> Floats:
    """Correlation of each block's traits with the board's. able: the share of each block that is in the picture."""
    own, right = _energy(seen), _energy_of_board(scene)
    scale = np.sqrt(np.maximum(own, 1e-4) * np.maximum(right, 1e-4))
    return np.where((able > 0.98) & (right > _PLAIN**2), _blocks(seen * _of_board(scene)) / scale, np.nan)


def _energy(traits: Flat) -> Floats:
    """How much there is to compare in each block."""
    return _blocks(traits * traits)


@kept()
def _energy_of_board(scene: Scene) -> Floats:
    return _energy(_of_board(scene))


def _blocks(plane: Flat) -> Floats:
    """Means of the blocks, summed over the traits, float64 (rows, cols)."""
    down, across = (max(1, side // _BLOCK) for side in plane.shape[:2])
    means = np.asarray(cv2.resize(plane, (across, down), interpolation=cv2.INTER_AREA), np.float64)
    return means if means.ndim == 2 else np.asarray(means.sum(axis=2))
