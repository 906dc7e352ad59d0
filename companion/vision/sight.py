"""The look: one frame in, what stands where out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.model import BoardLost, BoardSeen, ImageError, Sheet, Sighting, SpaceSeen
from companion.vision.again import Kept, Rest, rest
from companion.vision.colors import colors_of
from companion.vision.evidence import Evidence, Ground, evidence, renewed
from companion.vision.grey import GREY, colourless, need_colour
from companion.vision.hands import Mask, beside, covered_spaces, hidden, in_shadow, unlike_spaces
from companion.vision.health import health
from companion.vision.learning import as_learned, believe, changed_since, look_of
from companion.vision.light import estimate_light, touch_up
from companion.vision.lying import lying_spaces
from companion.vision.memory import Learned, Look, Memory, View
from companion.vision.motion import SMALL, changes, glance, share
from companion.vision.places import places
from companion.vision.plain_sight import misunderstood
from companion.vision.pose import Floats, Frame, Pose, flat_maps, flatten
from companion.vision.reading import doubt_of, doubted, match, read_spaces
from companion.vision.registration import drift, register
from companion.vision.scene import PIXELS_PER_MM, Scene
from companion.vision.shade import has_large_shadow
from companion.vision.shadows import cast_shadows
from companion.vision.standing import Match
from companion.vision.surface import linear
from companion.vision.washed import WASHED, coarse, washed

_STILL = 0.0015  # share of the board that may flicker
_LARGE = 0.02  # share of the board that something large, like a hand, changes from frame to frame
_DRIFT = 0.7  # mm: more than this, and the board has been pushed


def look(frame: Frame, scene: Scene, memory: Memory | None = None, at: float = 0.0) -> tuple[Sighting, Memory]:
    """Read one frame.

    frame: uint8 BGR, shape (rows, cols, 3). memory: what the look before returned. at: the frame's time, seconds.
    Returns what was seen and what to hand to the next look. Raises ImageError if `frame` is no such array.
    """
    _check(frame)
    memory = memory or Memory()
    small = glance(frame)
    ill = health(frame)
    if ill is not None:
        return _lost(ill, at, small, memory)
    motion = _motion(memory.glance, small, memory, scene)
    if not motion.any and not _motion(memory.read, small, memory, scene).any:
        return _unchanged(memory, small, at)
    if motion.large and memory.board is not None:
        return _in_motion(motion, memory, small, at, scene)
    view = _view(frame, scene, memory)
    if isinstance(view, str):
        return _lost(view, at, small, memory)
    if colourless(frame) and need_colour(scene.sheet.colors.values()):
        return _lost(GREY, at, small, memory)
    moved = memory.view is not None and view is not memory.view
    spaces, left = read(frame, scene, view, memory.learned, memory.look)
    seen = BoardSeen(at, spaces, motion.any and memory.glance is not None, moved)
    return seen, Memory(view, small, small, seen, seen, left, memory.learned)


def read(
    frame: Frame, scene: Scene, view: View, learned: Learned | None = None, last: Look | None = None
) -> tuple[dict[str, SpaceSeen], Look]:
    """Read every space of a frame, uint8 BGR, whose pose is known; and what there is to learn from it.

    last: what a reading before left: where nothing changed since, it is not read again.
    """
    flat8 = flatten(frame, view.maps)
    kept = last.kept if last is not None else None
    left = rest(kept, flat8, scene.sheet) if kept is not None and kept.places is view.places else None
    basis = _basis_again(kept, left, flat8, scene, learned) if kept is not None and left is not None else None
    if basis is None:
        left, basis = None, _basis(flat8, scene, view, learned)
    return _read(basis, left, scene, view, learned)


def _basis(flat8: Frame, scene: Scene, view: View, learned: Learned | None) -> Kept:
    """What is measured before pieces are matched, from the whole of a flat view, uint8 BGR."""
    flat, surface = linear(flat8), scene.surface
    light = estimate_light(flat, scene.print)
    above = light if scene.print is surface else estimate_light(flat, surface)
    plain, share = touch_up(flat, above, surface, scene.sheet.piece)
    even = light.field(*flat.shape[:2])
    even = even if share is None else even * share[..., None]
    flat_discs = scene.sheet.piece.kind == "disc"  # their shadows have no shape that tells them from pieces
    ground = Ground(surface.inks, surface.ink_samples, flat_discs)
    told = evidence(flat, as_learned(plain, learned), even, ground, light, _colors(scene.sheet))
    gone = washed(flat, above.expected(coarse(surface.linear)), scene.sheet.piece)
    if gone is not None:
        told.odd[gone] = WASHED
    return Kept(view.places, flat8, flat8, light, even, plain, ground, told, (), {})


def _basis_again(kept: Kept, left: Rest, flat8: Frame, scene: Scene, learned: Learned | None) -> Kept | None:
    """The same from what an earlier reading measured, and the parts that changed; None where a hand came in."""
    told = kept.told
    if left.boxes:
        expected = as_learned(kept.plain, learned)
        light = kept.even, kept.ground, kept.light
        flat = linear(flat8)
        told = renewed(told, left.boxes, flat, expected, *light, _colors(scene.sheet))
        if washed(flat, coarse(kept.plain), scene.sheet.piece) is not None:
            return None
        if hidden(told.odd, scene.sheet).any() or has_large_shadow(told.dim, scene.sheet.piece):
            return None
    return replace(kept, flat=flat8, told=told, times=kept.times + 1)


def _read(
    basis: Kept, left: Rest | None, scene: Scene, view: View, learned: Learned | None
) -> tuple[dict[str, SpaceSeen], Look]:
    """Match the pieces and read the spaces, but for those that are `left` from an earlier reading."""
    sheet, told, flat = scene.sheet, basis.told, linear(basis.flat)
    mask = hidden(told.odd, sheet) if left is None else np.zeros(told.odd.shape, bool)
    found = _match(told, mask, view, sheet, left)
    covered = covered_spaces(mask, sheet, view.pose)
    pieces = (found.front < 1e8).reshape(mask.shape)
    known = left.spaces if left else {}
    unlike = unlike_spaces(flat, basis.plain, pieces, sheet, known)
    for name in unlike & beside(mask, sheet):
        covered[name] = True
    doubt = doubt_of(told.odd, pieces | mask)
    hues = colors_of(found, flat, scene.print.linear, basis.light, _colors(sheet))
    spaces = read_spaces(found, sheet, sorted(sheet.colors), covered, doubt, hues, known)
    fallen = lying_spaces(found, sheet.piece)
    lying = {name for index, name in enumerate(sheet.spaces) if index in fallen}
    unsure = lying | {name for name in unlike if not spaces[name].content}
    unsure |= misunderstood(found, told, spaces, known)
    spaces = {name: doubted(s) if name in unsure and name not in known else s for name, s in spaces.items()}
    kept = replace(basis, standing=tuple(found.standing), spaces=spaces)
    if learned is not None:
        spaces = believe(spaces, learned, changed_since(learned, basis.flat), view, sheet, found.standing)
    clean = ~mask & ~told.dim
    return spaces, look_of(basis.flat, flat, basis.plain, clean, mask, None if mask.any() else kept)


def _match(told: Evidence, mask: Mask, view: View, sheet: Sheet, left: Rest | None) -> Match:
    """Match the pieces; then once more, knowing where the clear ones cast shadows."""
    among, start = (left.among, left.standing) if left else (None, ())
    spoken = told.open
    if mask.any():
        spoken = np.where(mask.reshape(-1, 1), np.float32(0), spoken)
        dark = np.flatnonzero(in_shadow(mask, told.dim))
        spoken[dark] = told.shaded[dark]
    found = match(view.places, spoken, sheet, among, start)
    stand = [place for place, _ in found.standing]
    explained = (found.front < 1e8).reshape(mask.shape)
    if sheet.piece.kind == "disc":
        explained &= ~told.dim  # a shadow is easily taken for the side of a stack
    shadow = cast_shadows(view.places.feet[stand], told.dim, explained, sheet.piece, view.places.storeys[stand])
    if not shadow.any():
        return found
    dark, shaded = np.flatnonzero(shadow & ~mask), spoken.copy()
    shaded[dark] = told.shaded[dark]
    return match(view.places, shaded, sheet, among, start)


def _colors(sheet: Sheet) -> Floats:
    """Nominal piece colours in seat order, linear BGR, (K, 3)."""
    hexes = [sheet.colors[seat].lstrip("#") for seat in sorted(sheet.colors)]
    levels = np.array([[int(h[i : i + 2], 16) for i in (4, 2, 0)] for h in hexes], np.uint8)
    return linear(levels).astype(np.float64)


def _check(frame: Frame) -> None:
    if not isinstance(frame, np.ndarray) or frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3:
        kind = getattr(frame, "dtype", type(frame).__name__)
        raise ImageError(f"a frame must be uint8 BGR (rows, cols, 3), not {kind} {getattr(frame, 'shape', '')}")
    if min(frame.shape[:2]) < 64:
        raise ImageError(f"a frame of {frame.shape[1]}×{frame.shape[0]} pixels is too small to read a board")


@dataclass(frozen=True, slots=True)
class _Motion:
    """What changed between two glances: the mask over the glance, None if all may have, and its share."""

    mask: Mask | None
    share: float

    @property
    def any(self) -> bool:
        return self.share > _STILL

    @property
    def large(self) -> bool:
        return self.mask is not None and self.share > _LARGE


def _motion(before: Frame | None, small: Frame, memory: Memory, scene: Scene) -> _Motion:
    if before is None or memory.view is None:
        return _Motion(None, 1.0)
    sheet = scene.sheet
    corners = np.array([(0, 0), (sheet.width, 0), (sheet.width, sheet.height), (0, sheet.height)])
    region = memory.view.pose.project(corners)
    mask = changes(before, small, region)
    return _Motion(mask, share(mask, region))


def _unchanged(memory: Memory, small: Frame, at: float) -> tuple[Sighting, Memory]:
    same = replace(memory.board, at=at, moving=False, moved=False) if memory.board else memory.sighting
    assert same is not None
    return same, replace(memory, glance=small, sighting=same)


def _in_motion(motion: _Motion, memory: Memory, small: Frame, at: float, scene: Scene) -> tuple[Sighting, Memory]:
    """While something large moves nothing is read: what it touches is covered, the rest is as it was."""
    assert memory.board is not None and memory.view is not None and motion.mask is not None
    pixels = memory.view.pose.project(scene.places) / SMALL
    near = cv2.dilate(motion.mask.astype(np.uint8), np.ones((5, 5), np.uint8))
    x, y = np.floor(pixels).astype(int).T
    hit = near[y.clip(0, near.shape[0] - 1), x.clip(0, near.shape[1] - 1)] > 0
    spaces = {
        name: SpaceSeen((), 0.0, True) if touched else seen
        for (name, seen), touched in zip(memory.board.spaces.items(), hit, strict=True)
    }
    seen = BoardSeen(at, spaces, moving=True)
    return seen, replace(memory, glance=small, sighting=seen)


def _lost(reason: str, at: float, small: Frame, memory: Memory) -> tuple[Sighting, Memory]:
    lost = BoardLost(at, reason)
    return lost, replace(memory, glance=small, read=None, sighting=lost, board=None)


def _view(frame: Frame, scene: Scene, memory: Memory) -> View | str:
    """Where the board is now: where it was, unless patches of it say otherwise."""
    last = memory.view
    if last is not None and last.pose.size == (frame.shape[1], frame.shape[0]):
        grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
        off = drift(flatten(grey, last.maps), scene)
        if off is not None and off < _DRIFT * PIXELS_PER_MM:
            return last
    pose = register(frame, scene, None if last is None else last.pose)
    if isinstance(pose, str):
        return pose
    sheet = scene.sheet
    if last is not None and pose.size == last.pose.size and _same(pose, last.pose, sheet):
        return last
    return make_view(pose, scene)


def _same(one: Pose, other: Pose, sheet: Sheet) -> bool:
    return one.shifted(other, sheet.width, sheet.height) < 1.5


def make_view(pose: Pose, scene: Scene) -> View:
    """Prepare what follows from a pose."""
    sheet = scene.sheet
    maps = flat_maps(pose, sheet.width, sheet.height, PIXELS_PER_MM)
    far = float(np.linalg.norm(pose.eye - (sheet.width / 2, sheet.height / 2, 0)))
    return View(pose, maps, places(sheet, pose.eye, maps[0].shape, far / pose.focal))
