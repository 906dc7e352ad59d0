"""What covers the board and is no piece: hands, arms, sleeves, anything large."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Sheet
from companion.vision.board.places import Places
from companion.vision.board.standing import Match
from companion.vision.view.keeping import kept
from companion.vision.view.opening import disc, filled, opened
from companion.vision.view.pose import Flat, Pose
from companion.vision.view.scene import PIXELS_PER_MM, Scene

Mask = npt.NDArray[np.bool_]
Labels = npt.NDArray[np.int32]

_ODD, _SOMEWHAT_ODD = 2.0, 1.0  # nats against the empty board; those of what may belong to a hand
_CONTRAST, _ALIKE = 0.15, 0.25  # natural log of brightness within a space; correlation with its print
_KIN, _FEWEST_KIN = 0.6, 12  # correlation of spaces that look alike; how many spaces must be seen
_SOFT = 0.7  # pixels, at half the size, over which brightness is averaged before prints are compared
_TOUCH = 25.0  # mm
_SHADOW = 60.0  # mm from a hand to the end of its shadow
_UNSEEN, _SOME = 0.6, 4  # share of a piece that is hidden if it is not seen; of every so many pixels one is asked
_LINE = 10.0  # mm: so wide are lines and rings of the print
_FINGER = 0.7  # diameters of a piece
_CUT = 0.1  # share of a piece that lies beyond the picture if it is cut off there
_HIDDEN = 0.3  # a space is covered when more than this share of it is hidden


def hidden(odd: Flat, sheet: Sheet, beyond: Mask | None = None, gone: Mask | None = None) -> Mask:
    """Which pixels of the flat view something large hides, bool (rows, cols).

    odd: nats by which each pixel does not look like the empty board, float32 (rows, cols). beyond: pixels, bool, that
    lie beyond the picture's edge. gone: where something wide hides the print, bool, at half the size. A region counts
    if a disc wider than a piece fits in it, or it is such a one, and it comes in over the edge of the board, as an arm
    does, or if it is wider than any group of pieces, or if it goes on beyond the picture.
    """
    half = np.asarray(cv2.resize(odd, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    raw = (half > _ODD).astype(np.uint8)
    strange = np.asarray(cv2.morphologyEx(raw, cv2.MORPH_CLOSE, _disc(2.0)), np.uint8)
    core = opened(strange, _disc(max(0.9 * sheet.piece.diameter, 11.0)))
    if gone is not None:
        bare = cv2.resize(gone.astype(np.uint8), core.shape[::-1], interpolation=cv2.INTER_NEAREST)
        core |= strange & np.asarray(bare, np.uint8)
    if beyond is not None:
        core |= _going_on(strange, beyond, sheet.piece.diameter)
    if not core.any():
        return np.zeros(odd.shape, bool)
    body = opened(strange, _disc(3.0))
    body &= np.asarray(cv2.dilate(core, _disc(40.0)), np.uint8)
    labels = np.asarray(cv2.connectedComponents(body)[1], np.int32)
    huge = opened(strange, _disc(max(1.5 * sheet.piece.diameter, 22.0)))
    rim = np.ones(core.shape, bool)
    edge = max(2, round(2 * PIXELS_PER_MM))
    rim[edge:-edge, edge:-edge] = False
    if beyond is not None:
        rim |= _beside(beyond, core.shape)
    wide = np.setdiff1d(labels[core > 0], 0)
    kept = _beyond_lines(labels, wide, np.intersect1d(wide, np.union1d(labels[rim], labels[huge > 0])))
    grown = filled(np.asarray(cv2.dilate(kept.astype(np.uint8), _disc(2.0)), np.uint8))
    return np.asarray(cv2.resize(grown, (odd.shape[1], odd.shape[0]), interpolation=cv2.INTER_NEAREST) > 0)


def _beside(beyond: Mask, shape: tuple[int, ...]) -> Mask:
    """The pixels next to those beyond the picture, which lie in a view of twice the size, and these, bool."""
    out = cv2.resize(beyond.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.dilate(out, np.ones((3, 3), np.uint8)) > 0)


def _going_on(strange: npt.NDArray[np.uint8], beyond: Mask, diameter: float) -> npt.NDArray[np.uint8]:
    """The strange parts, 0 or 1, that the edge of the picture cuts through where they are as wide as a finger."""
    labels = np.asarray(cv2.connectedComponents(strange)[1], np.int32)
    cut = np.bincount(labels[_beside(beyond, strange.shape)], minlength=int(labels.max()) + 1)
    wide = np.flatnonzero(cut > _FINGER * diameter * PIXELS_PER_MM / 2)
    return np.isin(labels, wide[wide > 0]).astype(np.uint8)


def _beyond_lines(labels: npt.NDArray[np.int32], wide: Labels, arms: Labels) -> Mask:
    """Where an arm is seen, bool: the parts, by number, that are one, and such wide ones as a line of the print keeps
    from it, of whose colour the arm is."""
    kept = np.isin(labels, arms)
    while len(arms):
        near = np.asarray(cv2.dilate(kept.astype(np.uint8), _disc(_LINE))) > 0
        more = np.intersect1d(wide, labels[near])
        if len(more) == len(arms):
            break
        arms, kept = more, np.isin(labels, more)
    return kept


def _disc(radius: float) -> npt.NDArray[np.uint8]:
    """A disc of `radius` mm as a kernel for the half-size flat view."""
    return disc(radius * PIXELS_PER_MM / 2)


def held(found: Match, odd: Flat, mask: Mask) -> set[int]:
    """Spaces, by number, on which what was taken for a piece goes on into what hides the board: it may be a finger, or
    is held. odd: see `hidden`. mask: pixels that something large hides, bool (rows, cols)."""
    if not mask.any():
        return set()
    strange = (odd > _SOMEWHAT_ODD) | mask | (found.front < 1e8).reshape(mask.shape)
    whole = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_CLOSE, disc(1.0))
    _, labels = cv2.connectedComponents(whole)
    joined = np.isin(labels, np.unique(labels[mask])).ravel()
    spaces = set()
    for place, _ in found.standing:
        pixels, _ = found.where.hidden_by(place)
        own = pixels[found.front.take(pixels) >= found.where.reach[place] - 0.01]
        if len(own) and 2 * np.count_nonzero(joined.take(own)) > len(own):
            spaces.add(int(found.where.space[place]))
    return spaces


def cut_off(found: Match, beyond: Mask) -> set[int]:
    """Spaces, by number, on which what was taken for a piece goes on `beyond` the picture, bool (rows, cols): it may be
    the tip of a finger."""
    spaces: set[int] = set()
    if not beyond.any():
        return spaces
    for place, _ in found.standing:
        pixels, _ = found.where.hidden_by(place)
        if np.count_nonzero(beyond.ravel().take(pixels)) > _CUT * len(pixels):
            spaces.add(int(found.where.space[place]))
    return spaces


def covered_spaces(mask: Mask, scene: Scene, pose: Pose) -> dict[str, bool]:
    """For each space, whether it is hidden (by `mask`) or out of the picture."""
    out, pixels, inside = rings(scene, pose, mask.shape)
    if mask.any():
        out = out | ((mask.ravel().take(pixels) & inside).mean(axis=1) > _HIDDEN)
    return dict(zip(scene.sheet.spaces, out.tolist(), strict=True))


def room_hidden(mask: Mask, where: Places, sheet: Sheet) -> set[str]:
    """Bases and other areas of which `mask` hides so much that a piece might stand there unseen."""
    found: set[str] = set()
    if not mask.any():
        return found
    wide = np.array([space.is_area for space in sheet.spaces.values()])
    tried = np.flatnonzero(wide[where.space])
    part = slice(None, None, _SOME)
    some, weight = where.pixels(tried, part), where.weight(tried, part)
    share = np.einsum("np,np->n", mask.ravel().take(some), weight) * _SOME / where.heft[tried]
    names = list(sheet.spaces)
    return {names[index] for index in np.unique(where.space[tried[share > _UNSEEN]]).tolist()}


@kept(most=4)
def rings(scene: Scene, pose: Pose, shape: tuple[int, int]) -> tuple[Mask, npt.NDArray[np.int64], Mask]:
    """Which spaces lie mostly out of the picture, (S,); some pixels of each, raveled, (S, P), and whether these are of
    the flat view."""
    ring = np.array([(r * np.cos(a), r * np.sin(a)) for r in (0.3, 0.6, 0.9) for a in np.arange(0, 6.28, 0.524)])
    at = np.array([(space.x, space.y) + ring * space.radius for space in scene.sheet.spaces.values()])
    x, y = (at * PIXELS_PER_MM).astype(int).transpose(2, 0, 1)
    inside = (x >= 0) & (y >= 0) & (x < shape[1]) & (y < shape[0])
    pixels = y.clip(0, shape[0] - 1) * shape[1] + x.clip(0, shape[1] - 1)
    seen = pose.project(at.reshape(-1, 2)).reshape(at.shape)
    shown = (seen >= 0).all(axis=2) & (seen < np.array(pose.size)).all(axis=2)
    return np.asarray(1 - shown.mean(axis=1) > _HIDDEN), pixels, inside


def unlike_spaces(half: Flat, expected: Flat, explained: Mask, scene: Scene, known: Collection[str] = ()) -> set[str]:
    """Spaces whose print cannot be made out though no piece stands there: something of the board's colour hides it.

    Drilled holes look otherwise when light falls into them from elsewhere: what most spaces show hides none of them.

    half, expected: what is seen and what is expected at half the size, linear BGR float32 (rows, cols, 3). explained:
    pixels on which pieces or their shadows are seen, bool, at the whole size. known: spaces that are left out.
    """
    sums = (cv2.transform(image, np.array([(1, 1, 1, 0.05)], np.float32)) for image in (half, expected))
    seen, usual = (np.asarray(cv2.log(cv2.GaussianBlur(total, (3, 3), _SOFT)), np.float32) for total in sums)
    bare = ~explained[: 2 * half.shape[0] : 2, : 2 * half.shape[1] : 2]
    unlike = set()
    for names, pixels, within in _windows(scene, half.shape[:2]):
        free = bare.ravel().take(pixels) & within
        count = np.maximum(free.sum(axis=1), 1)
        one, other = (_deviations(layer.ravel().take(pixels), free, count) for layer in (usual, seen))
        spread, spreads = ((a * a).sum(axis=1) for a in (one, other))
        both = np.sqrt(spread * spreads)
        alike = np.where(both > 0, np.einsum("sp,sp->s", one, other) / np.maximum(both, 1e-12), 1.0)
        shown = free.sum(axis=1) >= 0.6 * within.sum(axis=1)
        hidden = shown & (spread / count >= _CONTRAST**2) & (alike < _ALIKE)
        if hidden.any():
            hidden &= ~_as_most(other, shown, shown & (spreads / count >= _CONTRAST**2))
        unlike |= {names[k] for k in np.flatnonzero(hidden).tolist()}
    return unlike - set(known)


def _as_most(seen: Flat, shown: Mask, plain: Mask) -> Mask:
    """Which spaces show what most spaces show, (S,). seen: deviations of brightness, natural log, (S, P). shown: spaces
    that are seen; plain: those of them that show anything.
    """
    looks = seen / np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), 1e-6) * plain[:, None]
    kin = (looks @ looks.T > _KIN).sum(axis=1)
    return np.asarray((shown.sum() >= _FEWEST_KIN) & (kin > 0.5 * shown.sum()))


def _deviations(values: Flat, counted: Mask, count: npt.NDArray[np.int64]) -> Flat:
    """Values (S, P) less their mean over those that are counted; 0 where they are not."""
    kept = values * counted
    return np.asarray((kept - (kept.sum(axis=1) / count)[:, None].astype(np.float32)) * counted, np.float32)


@kept(most=2)
def _windows(scene: Scene, shape: tuple[int, int]) -> tuple[tuple[list[str], npt.NDArray[np.int64], Mask], ...]:
    """The pixels round each space in a view of half the size: for spaces of one size each, their names, (S,), raveled
    pixels, (S, P), and whether these lie in the view."""
    reaches: dict[int, list[str]] = {}
    sheet = scene.sheet
    for name, space in sheet.spaces.items():
        reaches.setdefault(round(1.3 * space.radius * PIXELS_PER_MM / 2), []).append(name)
    found = []
    for reach, names in reaches.items():
        at = np.array([(sheet.spaces[name].y, sheet.spaces[name].x) for name in names])
        offsets = np.moveaxis(np.mgrid[-reach : reach + 1, -reach : reach + 1], 0, -1).reshape(-1, 2)
        y, x = np.moveaxis(np.round(at * PIXELS_PER_MM / 2).astype(np.int64)[:, None] + offsets, -1, 0)
        within = (y >= 0) & (x >= 0) & (y < shape[0]) & (x < shape[1])
        found.append((names, y.clip(0, shape[0] - 1) * shape[1] + x.clip(0, shape[1] - 1), within))
    return tuple(found)


def in_shadow(mask: Mask, dim: Mask) -> Mask:
    """Pixels near a hand, as `mask` shows it, that look like the board in a shadow (`dim`): it is the hand's."""
    half = cv2.resize(mask.astype(np.uint8), (mask.shape[1] // 4, mask.shape[0] // 4), interpolation=cv2.INTER_NEAREST)
    near = cv2.dilate(half, _disc(_SHADOW / 2))
    return np.asarray(cv2.resize(near, mask.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0) & dim & ~mask


def beside(mask: Mask, sheet: Sheet) -> set[str]:
    """Spaces that a hand, as `mask` shows it, covers or nearly touches."""
    if not mask.any():
        return set()
    near = cv2.dilate(cv2.resize(mask.astype(np.uint8), None, fx=0.5, fy=0.5), _disc(_TOUCH))
    return {
        name
        for name, space in sheet.spaces.items()
        if near[
            tuple(min(round(v * PIXELS_PER_MM / 2), n - 1) for v, n in zip((space.y, space.x), near.shape, strict=True))
        ]
    }
