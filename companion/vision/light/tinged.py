"""Shadows of a colour of their own: where two lights of two colours fall, the one's shadow is of the other's colour.

A yellow shadow on white paper looks much as a yellow pawn in a bad light does. But beside all pieces it lies the same
way, or away from the same lamp, and it takes the same share of the light from whatever lies there; pieces do not stand
like that. Where a lamp is half hidden half of its light is lost: that is mixed as light is. And a shadow has somebody
who casts it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Piece
from companion.vision.light.today import middle
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.powers import exp, log
from companion.vision.view.scene import PIXELS_PER_MM

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int16]

_FLOOR = 0.01  # linear light added before ratios are taken
_ANGLES = 24
_TURNS = np.arange(_ANGLES) * 2 * np.pi / _ANGLES
_WAYS = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])
_FAR = (1e6, 800.0, 450.0, 280.0)  # mm from the middle of the board to the place below a lamp: the sun, or a near one
_STEPS = np.array([0.7, 0.9, 1.1, 1.3])  # diameters from a foot to where its shadow is looked for; the middle two count
_FEWEST, _MOST_OF_THEM, _BARE, _FREE = 3, 0.5, 0.3, 2
"""Pieces beside which it must be seen; share of those beside which it could be; of these, where no piece is seen, and
how many of them."""
_AT_FOOT, _CLOSE = 0.25, 0.4
"""Diameters: round a foot it is looked what stands there; from there on, what stands beside it."""
_DEPTHS = (0.5, 1.6)  # times as much of the light may be lost beside one as is beside most
_LIGHTEST, _ENOUGH, _DARKEST = -0.15, -0.5, -3.0
"""Natural log of what a shadow leaves of the light: at most; where no darker one is likelier; at least."""
_OFF, _OFF_SHARE = 0.1, 0.1  # natural log, and share of the shadow's own, by which it may differ in any channel
_BEHIND = 3  # angles round the way in which pieces lean: what is seen there may be the piece itself
_OTHER_LAMP = 4  # angles between the shadows of two lamps, at least
_LONG, _SPREAD = 3.5, 0.15  # heights of a piece that its shadow may reach; by how much it may turn aside, as a slope
_STEP, _SOME = 0.4, 0.2  # diameters from one look at how far shadows reach to the next; share of them that must
_MUCH = 0.33  # share of what is seen of a piece
_THINNEST, _THICKEST = 0.3, 1.35  # times as much as beside a piece of the light may be lost at a pixel of its shadow


def tinged_shadows(
    feet: Floats, half: Flat, usual: Flat, owner: Counts, piece: Piece, eye: Floats, ruled: Mask | None = None
) -> Mask:
    """Pixels in the shadows of pieces that stand at `feet`, mm (N, 2): bool (rows, cols), half the size.

    half, usual: the flat view at half the size and the empty board in it, linear BGR. owner: which piece is seen, −1
    where none is, (rows, cols): most of a shadow is not taken for pieces. eye: where the camera is, mm. ruled: which
    pieces stand where they were ruled to, bool (N,): how the shadows fall these tell, as others may be some.
    """
    found = np.zeros(half.shape[:2], bool)
    if len(feet) < _FEWEST:
        return found
    tells = np.ones(len(feet), bool) if ruled is None or np.count_nonzero(ruled) < _FEWEST else ruled
    telling = np.flatnonzero(tells)
    theirs = owner if tells.all() else np.where(tells.take(owner, mode="clip"), owner, -1)
    fall = _from_lamps(feet, np.array(half.shape[1::-1]) / PIXELS_PER_MM)
    lamps = _lamps(feet[telling], fall[:, telling], half, usual, theirs, piece, eye)
    shaded = np.zeros(len(feet), bool)
    for lamp, tint in lamps:
        fallen = _WAYS[fall[lamp]]
        reach = _reach(feet[telling], fallen[telling], tint, half, usual, piece)
        there = np.flatnonzero(_strips(feet, fallen, reach, piece, found.shape))
        found.ravel()[there] |= _alike(_ratio(half, usual, there), tint)
        shaded |= _within(feet, fallen, reach, piece).any(axis=0)
    return found & ~_nobodys(found, owner, shaded)


def _lamps(
    feet: Floats, fall: Ints, half: Flat, usual: Flat, owner: Counts, piece: Piece, eye: Floats
) -> list[tuple[int, Flat]]:
    """Of some lamps, from which the shadows of pieces would fall some ways, (lamps, N), those that cast any; and the
    tint, (3,), of each."""
    beside = _beside(feet, half, usual, owner, piece)
    beside = replace(beside, counted=beside.counted & ~_leaning(feet, eye))
    rows = _darkest(beside, fall)
    if not len(rows):
        return []
    fall = fall[rows]
    own, strips = _at_feet(feet, half, usual, piece), _within(feet, _WAYS[fall], _LONG * piece.height, piece)

    def free(lamp: int, tint: Flat) -> Mask:
        return _beyond(feet, _WAYS[fall[lamp]], tint, half, usual, owner, piece)

    return [(int(rows[lamp]), tint) for lamp, tint in _common(*_shadows(beside, fall, own, strips, free), fall)]


def _nobodys(found: Mask, owner: Counts, shaded: Mask) -> Mask:
    """Pixels of pieces that look much as a shadow does, and stand in that of no other one: nobody would cast it.
    shaded: which pieces do, (N,)."""
    seen = owner >= 0
    alike, whole = (np.bincount(owner[seen], part, len(shaded)) for part in (found[seen], None))
    return np.asarray(seen & ((alike > _MUCH * whole) & ~shaded).take(owner, mode="clip"))


def _from_lamps(feet: Floats, middle: Floats) -> Ints:
    """Which way the shadow of each piece falls from each of some lamps, (lamps, N), as one of so many angles."""
    below = _WAYS[:, None] * np.array(_FAR)[:, None]
    away = feet - (middle - below).reshape(-1, 1, 2)
    return np.asarray(np.round(np.arctan2(away[..., 1], away[..., 0]) * _ANGLES / (2 * np.pi)).astype(int) % _ANGLES)


@dataclass(frozen=True, eq=False, slots=True)
class _Beside:
    """What is left of the light beside N pieces, natural log. looks: each way, (3, N, ways). counted, bare: where it
    can be seen, and where it is not a piece that is seen, bool (N, ways)."""

    looks: Flat
    counted: Mask
    bare: Mask


def _beside(feet: Floats, half: Flat, usual: Flat, owner: Counts, piece: Piece) -> _Beside:
    pixels, inside = _pixels(feet[:, None, None] + _WAYS[:, None] * (_STEPS * piece.diameter)[:, None], half)
    one, other, third, last = np.moveaxis(_ratio(half, usual, pixels), -1, 0)
    lower = np.maximum(np.minimum(one, other), np.minimum(third, last))
    upper = np.minimum(np.maximum(one, other), np.maximum(third, last))
    bare = (owner.take(pixels) < 0).sum(axis=2) > len(_STEPS) / 2
    return _Beside((lower + upper) / 2, np.asarray(inside.all(axis=2)), np.asarray(bare))


def _at_feet(feet: Floats, half: Flat, usual: Flat, piece: Piece) -> Flat:
    """What is left of the light where pieces stand, natural log, (3, N)."""
    round_about = _AT_FOOT * piece.diameter * np.vstack([np.zeros((1, 2)), _WAYS[::3]])
    return np.asarray(middle(_ratio(half, usual, _pixels(feet[:, None] + round_about, half)[0])))


def _pixels(points: Floats, half: Flat) -> tuple[Ints, Mask]:
    """The pixels, raveled, of points, mm (…, 2), or those nearest to them; and which lie in the picture: (…)."""
    rows, cols = half.shape[:2]
    x, y = np.moveaxis(np.floor(points * (PIXELS_PER_MM / 2)).astype(np.int64), -1, 0)
    pixels = y.clip(0, rows - 1) * cols + x.clip(0, cols - 1)
    return pixels, (x >= 0) & (y >= 0) & (x < cols) & (y < rows)


def _reach(feet: Floats, fallen: Floats, tint: Flat, half: Flat, usual: Flat, piece: Piece) -> float:
    """How far from the feet, mm, shadows reach that fall these ways, (N, 2): beyond, they are no more than a few."""
    steps = np.arange(_STEPS[1], _LONG * piece.height / piece.diameter, _STEP) * piece.diameter
    pixels, inside = _pixels(feet[:, None] + fallen[:, None] * steps[:, None], half)
    like = _alike(_ratio(half, usual, pixels.ravel()), tint).reshape(pixels.shape) & inside
    few = np.flatnonzero(like.sum(axis=0) < np.maximum(_FREE, _SOME * inside.sum(axis=0)))
    return float(np.append(steps, _LONG * piece.height)[min(few, default=len(steps))]) + _STEP * piece.diameter


def _within(feet: Floats, fallen: Floats, reach: float, piece: Piece) -> Mask:
    """Which piece stands where the shadow of another one lies if these fall so far, mm, their ways, (…, N, 2):
    (…, N, others)."""
    off, aside = feet - feet[:, None], np.stack([-fallen[..., 1], fallen[..., 0]], axis=-1)
    along, across = (np.einsum("nmc,...nc->...nm", off, way) for way in (fallen, aside))
    beside = np.abs(across) < 0.6 * piece.diameter + _SPREAD * along
    return np.asarray((along > _CLOSE * piece.diameter) & (along < reach) & beside)


def _ratio(seen: Flat, usual: Flat, pixels: Ints) -> Flat:
    """What is left of the light at some pixels, raveled, natural log: (3, …)."""
    one, other = (picture.reshape(-1, 3).take(pixels, axis=0) + np.float32(_FLOOR) for picture in (seen, usual))
    return np.ascontiguousarray(np.moveaxis(log(one / other), -1, 0))


def _leaning(feet: Floats, eye: Floats) -> Mask:
    """The ways in which each piece hides the board from the camera, (N, ways)."""
    away = feet - eye[:2]
    lean = np.arctan2(away[:, 1], away[:, 0])[:, None] * _ANGLES / (2 * np.pi)
    turned = np.abs((np.arange(_ANGLES) - lean + _ANGLES / 2) % _ANGLES - _ANGLES / 2)
    return np.asarray(turned < _BEHIND)


def _darkest(beside: _Beside, fall: Ints) -> Ints:
    """Of the lamps in each direction the one from which it is darkest beside the pieces, if it is beside enough.

    fall: which way shadows fall from each, (lamps, N).
    """
    pieces = np.arange(fall.shape[1])
    count = np.maximum(beside.counted[pieces, fall].sum(axis=1), 1)
    level = np.where(beside.counted, beside.looks.mean(axis=0).clip(_ENOUGH, 0), 0)[pieces, fall]
    dark = (level < _LIGHTEST / 3).sum(axis=1)
    depth = np.where(dark >= np.maximum(_FEWEST, _MOST_OF_THEM / 2 * count), level.sum(axis=1) / count, 0)
    each_way = np.arange(len(fall)).reshape(_ANGLES, -1)
    best = each_way[np.arange(_ANGLES), depth.reshape(each_way.shape).argmin(axis=1)]
    return np.asarray(best[depth[best] < 0])


def _common(share: Floats, tints: Flat, fall: Ints) -> list[tuple[int, Flat]]:
    """The lamps, two at most, from which something dark of one tint lies beside most pieces; and that tint, (3,).

    share, tints: see `_shadows`. fall: which way shadows fall from each, (lamps, N).
    """
    found, weight = list[int](), share * np.maximum(tints.mean(axis=0), -1.0)
    for lamp in np.argsort(weight, kind="stable").tolist():
        turned = np.abs((fall[lamp] - fall[found] + _ANGLES // 2) % _ANGLES - _ANGLES // 2)
        if share[lamp] >= _MOST_OF_THEM and len(found) < 2 and (middle(turned) >= _OTHER_LAMP).all():
            found.append(lamp)
    return [(lamp, tints[:, lamp]) for lamp in found]


def _shadows(
    beside: _Beside, fall: Ints, own: Flat, strips: Mask, beyond: Callable[[int, Flat], Mask]
) -> tuple[Floats, Flat]:
    """Beside how many of the pieces there is something of one tint, as a share, where their shadows would fall from
    each lamp, (lamps,); 0 if it is none; and these tints, (3, lamps).

    fall: which way shadows fall from each, (lamps, N). own: how pieces look, (3, N). strips: see `_within`. beyond: see
    `_beyond`, of one lamp and tint. A piece that stands in the shadow of another one, and looks as it does, may be
    none: it is not asked.
    """
    pieces = np.arange(fall.shape[1])
    looks, counted, bare = beside.looks[:, pieces, fall], beside.counted[pieces, fall], beside.bare[pieces, fall]
    level = looks.mean(axis=0)
    tint = _medians(looks, counted & (level < _LIGHTEST / 3))
    counted &= ~((strips & counted[..., None]).any(axis=1) & _alike(own[:, None], tint, _DEPTHS))
    tint = _medians(looks, counted & (level <= _medians(level, counted)[:, None]))
    like = _alike(looks, tint, _DEPTHS) & counted
    asked, alike, free = (which.sum(axis=1) for which in (counted, like, like & bare))
    dark = (tint.mean(axis=0) > _DARKEST) & (tint.mean(axis=0) < _LIGHTEST)
    clear, least = dark & (asked >= _FEWEST) & (alike >= _FEWEST), np.maximum(_BARE * alike, _FREE)
    share = np.where(clear, alike / np.maximum(asked, 1), 0)
    for lamp in np.flatnonzero((share >= _MOST_OF_THEM) & (free < least)).tolist():
        free[lamp] += np.count_nonzero(like[lamp] & ~bare[lamp] & beyond(lamp, tint[:, lamp]))
    return np.where(free >= least, share, 0), tint


def _beyond(
    feet: Floats, fallen: Floats, tint: Flat, half: Flat, usual: Flat, owner: Counts, piece: Piece
) -> Mask:
    """Beside which pieces something of a tint, (3,), is seen farther on the way in which their shadows fall, (N, 2),
    where no piece is seen: all that is nearer was taken for pieces."""
    steps = np.arange(_STEPS[-1], _LONG * piece.height / piece.diameter, _STEP) * piece.diameter
    pixels, inside = _pixels(feet[:, None] + fallen[:, None] * steps[:, None], half)
    like = _alike(_ratio(half, usual, pixels.ravel()), tint).reshape(pixels.shape)
    return np.asarray((like & inside & (owner.take(pixels) < 0)).any(axis=1))


def _medians(values: Flat, counted: Mask) -> Flat:
    """The median along the last axis of values, (…, lamps, N), over those that are counted, (lamps, N); 0 of none."""
    ordered, count = np.sort(np.where(counted, values, np.float32(np.inf)), axis=-1), counted.sum(axis=-1)
    lamps = np.arange(len(count))
    both = ordered[..., lamps, np.maximum(count - 1, 0) // 2] + ordered[..., lamps, count // 2]
    return np.where(count > 0, both / 2, np.float32(0))


def _strips(feet: Floats, fallen: Floats, far: float, piece: Piece, shape: tuple[int, ...]) -> Mask:
    """Where the shadows of pieces may lie that fall their ways, (N, 2), so far: bool, a picture of half the size."""
    near, wide = 0.6 * piece.diameter, 0.6 * piece.diameter + _SPREAD * far
    side = np.column_stack([-fallen[:, 1], fallen[:, 0]])
    tips = feet + far * fallen
    ends = [feet - near * side, feet + near * side, tips + wide * side, tips - wide * side]
    box = np.zeros(shape, np.uint8)
    for strip in np.round(np.stack(ends, axis=1) * (PIXELS_PER_MM / 2 * 16)).astype(np.int32):
        cv2.fillConvexPoly(box, strip, 1, cv2.LINE_8, 4)
    return box.view(bool)


def _alike(ratio: Flat, tint: Flat, depths: tuple[float, float] = (_THINNEST, _THICKEST)) -> Mask:
    """Which of some ratios (3, …, N) are those of shadows, of one tint each row, (3, …), or of its soft edge, where a
    part of its light is. depths: how much of what it takes of the light may be taken."""
    taken, most = 1 - exp(ratio), 1 - exp(tint)[..., None]
    depth = np.clip((taken * most).sum(axis=0) / np.maximum((most * most).sum(axis=0), 1e-6), *depths)
    left = log(np.maximum(1 - depth * most, _FLOOR))
    off = np.abs(ratio - left).max(axis=0)
    return np.asarray((depth > depths[0]) & (off < _OFF - _OFF_SHARE * left.min(axis=0)))
