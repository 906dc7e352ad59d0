"""The look: one frame in, what stands where out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import BoardLost, BoardSeen, ImageError, Position, Sheet, Sighting, SpaceSeen
from companion.vision.basis import basis, basis_again
from companion.vision.board.again import Kept, Rest, rest, spaces_at
from companion.vision.board.evidence import Evidence, put_rows
from companion.vision.board.hands import (
    Mask,
    beside,
    covered_spaces,
    cut_off,
    held,
    hidden,
    in_shadow,
    unlike_spaces,
)
from companion.vision.board.matching import find, refined
from companion.vision.board.memory import Learned, Look, Memory, View
from companion.vision.board.standing import Match, crowded
from companion.vision.colors.hues import colors_of
from companion.vision.colors.unlit import since_ruled
from companion.vision.finding.likeness import likeness, seems_turned
from companion.vision.finding.patches import drift, resting
from companion.vision.finding.registration import register
from companion.vision.finding.unfound import DARKEST, TOO_DARK, brightness, without_colours
from companion.vision.learning import believe
from companion.vision.light.shadows import cast_shadows
from companion.vision.light.tinged import tinged_shadows
from companion.vision.measuring import make_view, measured, once_bare
from companion.vision.reading.contrast import contrasted
from companion.vision.reading.doubts import Matched, with_doubts
from companion.vision.reading.overtopped import overtopped
from companion.vision.reading.pattern import patterned
from companion.vision.reading.pips import pipped
from companion.vision.reading.plain_sight import humbled
from companion.vision.reading.spaces import Doubt, doubt_of, read_spaces
from companion.vision.reading.surplus import without_surplus
from companion.vision.reading.uncast import uncast
from companion.vision.view.health import health
from companion.vision.view.motion import SMALL, STILL, came_or_went, changes, glance, share
from companion.vision.view.pose import Flat, Floats, Frame, Pose
from companion.vision.view.scene import PIXELS_PER_MM, Scene
from companion.vision.view.surface import doubled, halved, linear

Ints = npt.NDArray[np.int64]

_MISLED = -1.0  # nats for a piece: a pixel that says more may be taken for one, if it is a shadow
_LARGE = 0.02  # share of the board that something large, like a hand, changes from frame to frame
_STRANGE = 2.2  # nats in doubt from which on too much looks strange to measure pieces by
_DRIFT = 0.7  # mm: more than this, and the board has been pushed


def look(frame: Frame, scene: Scene, memory: Memory | None = None, at: float = 0.0) -> tuple[Sighting, Memory]:
    """Read one frame.

    frame: uint8 BGR, shape (rows, cols, 3). memory: what the look before returned. at: the frame's time, seconds.
    Returns what was seen and what to hand to the next look. Raises ImageError if `frame` is no such array.
    """
    check_frame(frame)
    memory = memory or Memory()
    given, scene = scene, scene.of(memory.body)
    small = glance(frame)
    ill = health(frame)
    if ill is not None:
        return _lost(ill, at, small, memory)
    region = _region(memory, scene)
    motion = _motion(memory.glance, small, region)
    came = not motion.any and _came_or_went(memory, small, region)
    if not (motion.any or came or memory.stale or _motion(memory.read, small, region).any):
        return _unchanged(memory, small, at)
    if motion.large and memory.board is not None:
        return _in_motion(motion, memory, small, at, scene)
    there = _view(frame, scene, memory)
    if isinstance(there, str):
        return _lost(there, at, small, memory)
    view, flat = there
    if pale := without_colours(frame, scene):
        return _lost(pale, at, small, memory)
    moved = memory.view is not None and view.pose is not memory.view.pose
    if brightness(flat, scene, view.beyond) < DARKEST:
        return _lost(TOO_DARK, at, small, memory)
    spaces, left = _read_flat(flat, scene, view, memory.learned, memory.look)
    plain = left.open and (left.clear or scene.sheet.piece.kind != "pawn")  # what is strange may be broad ones' edges
    if view.sure or plain or memory.board is None:
        view = measured(view, left, scene)
        scene = scene.of(view.body)
        if left.kept is not None and left.kept.places is not view.places:
            spaces, left = _read_flat(flat, scene, view, memory.learned, None)
    put = came and not _moves(memory) and _reads_otherwise(memory.read_as, spaces)
    seen = BoardSeen(at, spaces, memory.glance is not None and (motion.any or put), moved)
    waits = memory.stale and not (motion.any or came) and _may_have_come(memory, small, region)
    read, read_as = (memory.read, memory.read_as) if waits else (small, seen)
    view = once_bare(view, left, given)
    return seen, Memory(view, small, read, seen, seen, left, memory.learned, memory.shown, read_as=read_as)


def read(
    frame: Frame, scene: Scene, view: View, learned: Learned | None = None, last: Look | None = None
) -> tuple[dict[str, SpaceSeen], Look]:
    """Read every space of a frame, uint8 BGR, whose pose is known; and what there is to learn from it.

    last: what a reading before left: where nothing changed since, it is not read again.
    """
    return _read_flat(view.down.view(frame), scene.of(view.body), view, learned, last)


def _read_flat(
    flat: Frame, scene: Scene, view: View, learned: Learned | None, last: Look | None
) -> tuple[dict[str, SpaceSeen], Look]:
    """`read` from a flat view, uint8 BGR."""
    kept = last.again if last is not None else None
    left = rest(kept, flat, scene.sheet) if kept is not None and kept.places is view.places else None
    if last is not None and left is not None and not left.boxes and last.learned is learned:
        return last.spaces, last
    half, found = linear(halved(flat)), None
    if kept is not None and left is not None:
        found = basis_again(kept, left, flat, half, scene, view, learned)
    if found is None:
        left, found = None, basis(flat, half, scene, view, learned)
    return _read(found, half, left, scene, view, learned)


def _read(
    kept: Kept, half: Flat, left: Rest | None, scene: Scene, view: View, learned: Learned | None
) -> tuple[dict[str, SpaceSeen], Look]:
    """Match the pieces and read the spaces, but for those that are `left` from an earlier reading."""
    sheet, told, known = scene.sheet, kept.told, left.spaces if left else {}
    mask = hidden(told.odd, sheet, view.beyond, kept.gone) if left is None else np.zeros(told.odd.shape, bool)
    beyond = np.zeros(mask.shape, bool) if view.beyond is None else view.beyond
    ruled = None if learned is None else learned.position
    found, shadow, tinged = _match(told, mask, view, sheet, left, (half, kept.today.half), ruled)
    told = replace(told, dim=told.dim | tinged) if tinged.any() else told
    pieces = (found.front < 1e8).reshape(mask.shape)
    unlike = unlike_spaces(half, kept.today.half, pieces | beyond | (shadow & told.dim), scene, known)
    touching = held(found, told.odd, mask) | cut_off(found, beyond)
    higher = overtopped(found)
    today, cast = replace(kept, told=told), shadow | tinged
    board = Matched(today, half, told, found, mask, beyond, pieces, shadow, cast, unlike, touching, higher, known)
    doubt = doubt_of(told.odd, pieces | mask | told.dim)
    spaces = _readings(board, doubt, scene, view, learned)
    again = replace(kept, standing=tuple(found.standing), spaces=spaces)
    spaces = without_surplus(spaces, scene)
    if learned is not None:
        misplaced = {name for index, name in enumerate(sheet.spaces) if index in higher}
        spaces = believe(spaces, learned, kept, sheet, found.standing, cast, misplaced)
    masked = mask | (_hidden_by(found, touching) & ~beyond)
    clean, clear = ~(masked | beyond | told.dim), doubt.soft < _STRANGE
    return spaces, Look(kept.flat, kept.today, clean, masked, again, clear, spaces, learned)


def _readings(
    board: Matched, doubt: Doubt, scene: Scene, view: View, learned: Learned | None
) -> dict[str, SpaceSeen]:
    """The readings of a board on which the pieces were found, with all that is to be doubted in them."""
    sheet, kept, found, known = scene.sheet, board.kept, board.found, board.known
    since = since_ruled(found, kept, learned, view, sheet)
    hues = colors_of(found, kept, scene.print.linear, kept.colors, scene.usual, since)
    spaces = read_spaces(found, sheet, sorted(sheet.colors), _covered(board, scene, view), doubt, hues, known)
    spaces = with_doubts(board, spaces, scene, view)
    paints = dict(zip(sorted(sheet.colors), kept.colors, strict=True))
    spaces = contrasted(found, kept, scene, paints, humbled(found, kept, paints, spaces, known), known)
    spaces = uncast(board.told.dim & ~board.mask & ~board.pieces, board.shadow, scene, spaces, known)
    return patterned(found, board.half, kept, board.cast, sheet, list(paints), spaces, known)


def _covered(board: Matched, scene: Scene, view: View) -> dict[str, bool]:
    """Which spaces are covered: hidden, or beside a hand and unlike themselves, or by a die that seems to be a disc, or
    what seems to be there is held, or more than can be."""
    sheet, names = scene.sheet, list(scene.sheet.spaces)
    known = {index for index, name in enumerate(names) if name in board.known}
    dice = {names[index] for index in pipped(board.found, board.kept.flat, board.kept.colors, known)}
    over = {names[index] for index in np.flatnonzero(crowded(board.found.where, board.found.standing, scene.most))}
    touched = {names[index] for index in board.touching if not sheet.spaces[names[index]].is_area}
    more = over | touched | dice | (board.unlike & beside(board.mask, sheet))
    return {name: out or name in more for name, out in covered_spaces(board.mask, scene, view.pose).items()}


def _hidden_by(found: Match, spaces: set[int]) -> Mask:
    """The pixels, bool (rows, cols), of the pieces that were put on some spaces, by number."""
    pixels = [found.where.hidden_by(place)[0] for place, _ in found.standing if found.where.space[place] in spaces]
    result = np.zeros(found.where.shape, bool)
    result.ravel()[np.concatenate([*pixels, np.zeros(0, np.int64)])] = True
    return result


def _match(
    told: Evidence,
    mask: Mask,
    view: View,
    sheet: Sheet,
    left: Rest | None,
    halves: tuple[Flat, Flat],
    ruled: Position | None,
) -> tuple[Match, Mask, Mask]:
    """Find the pieces; then once more, knowing where the clear ones cast shadows, bool (rows, cols), and where these
    have a colour of their own; then see just where they stand. halves: what is seen and the empty board, linear BGR,
    at half the size. ruled: see `_tinged`.
    """
    among, start = (left.among, left.standing) if left else (None, ())
    spoken, most = told.open, told.most
    if mask.any():
        spoken, most = _in_shade(told, spoken, np.flatnonzero(in_shadow(mask, told.dim)), most)
        spoken[mask.ravel()], most[mask.ravel()] = 0, 0
    found = find(view.places, spoken, most, sheet, among, start)
    stand = [place for place, _ in found.standing]
    explained = (found.front < 1e8).reshape(mask.shape) & ~told.dim  # a shadow is easily taken for a piece
    piece, storeys = view.places.piece, view.places.storeys[stand]
    shadow = cast_shadows(view.places.feet[stand], told.dim, explained, piece, storeys)
    tinged = _tinged(found, halves, view, sheet, ruled) & ~mask
    asked = ~mask if among is None else view.places.reached(among) | (found.front < 1e8).reshape(mask.shape)
    dark, veiled = np.flatnonzero(shadow & asked), np.flatnonzero(tinged)
    misled = np.concatenate([dark[most.take(dark) > _MISLED], veiled[most.take(veiled) > 0]])
    if not len(misled):
        return refined(found, len(start)), shadow, tinged
    spoken, most = _in_shade(told, spoken, dark, most)
    spoken[veiled], most[veiled] = np.minimum(spoken[veiled], 0), np.minimum(most[veiled], 0)
    again = spaces_at(view.places, misled)
    if among is not None:
        again &= among
    kept = [piece for piece in found.standing if sheet.piece.kind != "disc" or not again[piece[0]]]
    looked = np.zeros(len(again), bool)
    looked[found.looked] = True
    found = find(view.places, spoken, most, sheet, again, kept, found.busy)
    looked[found.looked] = True
    found.looked = np.flatnonzero(looked)
    return refined(found, len(start)), shadow, tinged


def _tinged(found: Match, halves: tuple[Flat, Flat], view: View, sheet: Sheet, ruled: Position | None) -> Mask:
    """Where pieces that were found cast shadows of a colour of their own, bool (rows, cols); discs are told otherwise:
    see `umbra`. ruled: what was ruled last; pieces that stand so are no shadows."""
    where, (rows, cols) = found.where, found.where.shape
    if where.piece.kind == "disc":
        return np.zeros((rows, cols), bool)
    stand = [place for place, _ in found.standing]
    owner = np.ascontiguousarray(found.owner().reshape(rows, cols)[: rows // 2 * 2 : 2, : cols // 2 * 2 : 2])
    stood = None if ruled is None else _as_ruled(found, sheet, ruled)
    small = tinged_shadows(where.feet[stand], *halves, owner, where.piece, view.pose.eye, stood)
    return doubled(small, (rows, cols)) if small.any() else np.zeros((rows, cols), bool)


def _as_ruled(found: Match, sheet: Sheet, ruled: Position) -> Mask:
    """Which of the pieces that were found stand where one of theirs was ruled to, bool (N,)."""
    names, seats = list(sheet.spaces), sorted(sheet.colors)
    left = Counter((name, seat) for name in names for seat in ruled.at(name))
    stands = np.zeros(len(found.standing), bool)
    for index, (place, color) in enumerate(found.standing):
        one = names[found.where.space[place]], seats[color]
        stands[index] = left[one] > 0
        left[one] -= 1
    return stands


def _in_shade(told: Evidence, spoken: Flat, dark: Ints, most: Flat) -> tuple[Flat, Flat]:
    """The evidence, and the most of it for any colour, where some pixels, raveled, are known to lie in a shadow."""
    spoken, most, shaded = spoken.copy(), most.copy(), told.shaded(dark)
    put_rows(spoken, dark, shaded)
    most[dark] = reduce(np.maximum, shaded.T)
    return spoken, most


def check_frame(frame: Frame) -> None:
    """Raises ImageError if this is no picture, uint8 BGR (rows, cols, 3), that is large enough to show a board."""
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
        return self.share > STILL

    @property
    def large(self) -> bool:
        return self.mask is not None and self.share > _LARGE


def _region(memory: Memory, scene: Scene) -> Floats | None:
    """Where the corners of the sheet lay last in the picture, pixels (4, 2)."""
    if memory.view is None:
        return None
    width, height = scene.sheet.width, scene.sheet.height
    return memory.view.pose.project([(0, 0), (width, 0), (width, height), (0, height)])


def _motion(before: Frame | None, small: Frame, region: Floats | None) -> _Motion:
    if before is None or region is None:
        return _Motion(None, 1.0)
    mask = changes(before, small, region)
    return _Motion(mask, share(mask, region))


def _came_or_went(memory: Memory, small: Frame, region: Floats | None) -> bool:
    """Whether a still picture shows that something small is no more as it was read last: see `came_or_went`."""
    if memory.read is None or memory.glance is None or region is None:
        return False
    return came_or_went(memory.read, memory.glance, small, region)


def _may_have_come(memory: Memory, small: Frame, region: Floats | None) -> bool:
    """Whether that came or went in this very picture, which is read for another reason: whether it stays so the next
    one tells, by the picture that was read before."""
    return _came_or_went(replace(memory, glance=small), small, region)


def _moves(memory: Memory) -> bool:
    """Whether something moved in the picture before, so that it is known that what came then was touched."""
    return isinstance(memory.sighting, BoardSeen) and memory.sighting.moving


def _reads_otherwise(before: BoardSeen | None, spaces: Mapping[str, SpaceSeen]) -> bool:
    """Whether a space is read otherwise than before: where none is, what came was no piece. Blocks of a picture that is
    packed hard jump by a step, here and there in each, and stay so for a while."""
    if before is None:
        return True
    pairs = ((seen, before.spaces[name]) for name, seen in spaces.items())
    return any((now.content, now.covered) != (was.content, was.covered) for now, was in pairs)


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


def _view(frame: Frame, scene: Scene, memory: Memory) -> tuple[View, Frame] | str:
    """Where the board is now, and the flat view: where it was, unless patches of it say otherwise; or why it is not
    found."""
    last = memory.view
    flat = None
    if last is not None and last.pose.size == (frame.shape[1], frame.shape[0]):
        flat = last.down.view(frame)
        off = drift(_grey(flat), scene, last.rest)
        if off is not None and off < _DRIFT * PIXELS_PER_MM and not _turned(frame, flat, scene, last.pose):
            return last, flat
    pose = register(frame, scene, None if last is None else last.pose, memory.shown)
    if isinstance(pose, str):
        return pose
    if last is not None and flat is not None and _same(pose, last.pose, scene.sheet):
        return replace(last, rest=resting(_grey(flat), scene)), flat
    view = make_view(pose, scene) if last is None else replace(make_view(pose, scene, last.body), sure=last.sure)
    flat = view.down.view(frame)
    return replace(view, rest=resting(_grey(flat), scene)), flat


def _turned(frame: Frame, flat: Frame, scene: Scene, pose: Pose) -> bool:
    """Whether the board was turned just where it lay: what is printed alike in all its quarters does not tell."""
    return seems_turned(flat, scene) and bool(likeness(frame, scene, pose).turned)


def _grey(flat: Frame) -> Frame:
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)


def _same(one: Pose, other: Pose, sheet: Sheet) -> bool:
    return one.shifted(other, sheet.width, sheet.height) < 1.5
