"""What was ruled teaches the eyes: how board and pieces really look, and what has not changed since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import UNLIKELY, Content, Position, Sheet, SpaceSeen
from companion.vision.arrived import unexplained, with_arrivals
from companion.vision.board.again import Kept
from companion.vision.board.body import cast, profile
from companion.vision.board.memory import FLOOR, Learned, Look, Memory, Mistake, View
from companion.vision.board.places import Places, grounds
from companion.vision.board.standing import Put
from companion.vision.colors.paints import learned_colors
from companion.vision.light.course import course
from companion.vision.overlooked import MISTAKEN, overlooked, wary
from companion.vision.reading.spaces import WORST, as_told, perhaps
from companion.vision.stayed import with_stays
from companion.vision.view.keeping import kept
from companion.vision.view.motion import beyond, noise_of, strayed
from companion.vision.view.pose import Flat, Frame
from companion.vision.view.scene import PIXELS_PER_MM, Scene
from companion.vision.view.surface import linear
from companion.vision.witness import seen_from_there, seen_standing, to_be_seen, witnessed

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_PACE = 0.3  # how fast a newer look replaces what was learned
_MOST = 0.5  # natural log: what differs more from the print is no print
_UNCHANGED = 0.06  # share of a space that may flicker
_ROUND = 9  # pixels: the mean of so many, each way, is that of a piece's head
_LEAST, _NOISY = 5.0, 1.5  # grey levels by which such a mean may stray, and how often what half of the pixels do
_GRID = 4  # of every so many pixels each way one is asked how the light changed
_BELIEF = 12.0  # nats for a ruled content where nothing changed
_AGAIN = -0.5  # nats for their being wrong by as many pieces again
_MARGIN = 3.0  # mm round a piece
_ENOUGH, _MANY = 100, 2000  # pixels of an ink that tell how it looks; so many do


def learn(memory: Memory, scene: Scene, position: Position) -> Memory:
    """The memory after people agreed that the board as last read shows `position`.

    Where the position has no piece, the look of the empty board is learned, under pieces as that of the same ink, and
    where it has one, the colour of its seat's; and what is ruled stands until the picture of its space changes. To be
    called when a position is certain: at the start, and after each verdict.
    """
    look, scene = memory.look, scene.of(memory.body)
    if look is None or memory.view is None:
        return memory
    standing = look.again.standing if look.again is not None else ()
    free = look.clean & ~pieces_mask(position, scene.sheet, memory.view, look.clean.shape, standing)
    now = _ratio(look)
    before = memory.learned.ratio if memory.learned else np.zeros_like(now)
    known = memory.learned.known if memory.learned else np.zeros_like(free)
    pace = np.where(known, np.float32(_PACE), np.float32(1))[..., None]
    seen = np.clip(now, -_MOST, _MOST)
    ratio = np.where(free[..., None], before + pace * (seen - before), before).astype(np.float32)
    ratio = _as_its_ink(ratio, known | free, scene)
    colors = learned_colors(look, position, scene.sheet)
    if colors is None and memory.learned is not None:
        colors = memory.learned.colors
    mistakes = _mistakes(look, position, scene.sheet, memory.learned)
    stood = () if look.kept is None else seen_standing(look.kept, position, scene.sheet)
    missed = memory.learned.overlooked if memory.learned else {}
    missed = missed if look.kept is None else overlooked(look.kept, position, scene.sheet, missed)
    learned = Learned(
        look.flat, ~look.masked, position, ratio, known | free, colors, mistakes, memory.view.pose, stood, missed
    )
    return replace(memory, stale=True, learned=learned)


def corrected(memory: Memory, scene: Scene, position: Position) -> Memory:
    """The memory after somebody said how the board stands: of spaces on which that is otherwise than was ruled last,
    nothing that was learned is believed any more. The eyes' own reading speaks there until the next ruling."""
    learned = memory.learned
    names = () if learned is None else learned.position.changed(position)
    if learned is None or memory.view is None or not names:
        return memory
    scene, listed = scene.of(memory.body), list(scene.sheet.spaces)
    either = Position.of({name: (*learned.position.at(name), *position.at(name)) for name in names})
    there = pieces_mask(either, scene.sheet, memory.view, learned.shown.shape)
    known = learned.known & ~there
    ratio = _as_its_ink(np.where(there[..., None], np.float32(0), learned.ratio), known, scene)
    stood = tuple(one for one in learned.standing if listed[one.space] not in names)
    mistakes = {name: mistake for name, mistake in learned.mistakes.items() if name not in names}
    kept = replace(learned, shown=learned.shown & ~there, known=known, ratio=ratio, standing=stood, mistakes=mistakes)
    return replace(memory, stale=True, learned=replace(kept, position=position))


def _mistakes(look: Look, position: Position, sheet: Sheet, before: Learned | None) -> dict[str, Mistake]:
    """Spaces that the eyes, unaided, read otherwise than was ruled, now or when they were seen last: what was seen
    there, and what there was."""
    known = {} if before is None else before.mistakes
    unaided = {} if look.kept is None else {name: s for name, s in look.kept.spaces.items() if not s.covered}
    stacks = sheet.stacks
    pairs = ((name, seen, to_be_seen(position.at(name), stacks)) for name, seen in unaided.items())
    now = {name: (seen.content, ruled) for name, seen, ruled in pairs if seen.log_likelihood(ruled) < MISTAKEN}
    return {name: mistake for name, mistake in known.items() if name not in unaided} | now


def _as_its_ink(ratio: Flat, known: Mask, scene: Scene) -> Flat:
    """What was learned, and where nothing was, as under pieces, what was learned of the same ink: what is darker all
    over the board would be darker round a bare space only, which would look like a bright piece. But in bases and
    homes, whose pieces shade what lies between them.
    """
    result, open_to = ratio.copy().reshape(-1, 3), known.ravel()
    for own in _by_print(scene):
        told = open_to.take(own)
        if not told.all() and np.count_nonzero(told) >= _ENOUGH:
            some = own[told]
            result[own[~told]] = np.median(ratio.reshape(-1, 3).take(some[:: 1 + len(some) // _MANY], axis=0), axis=0)
    return result.reshape(ratio.shape)


@kept()
def _by_print(scene: Scene) -> list[Ints]:
    """The pixels, raveled, of each ink, on spaces and beside them: white spaces may look otherwise than white paper.
    Without those of bases and homes.
    """
    kind = np.where(_spaces(scene, True), -1, 2 * scene.surface.inks.astype(np.int64) + _spaces(scene, False)).ravel()
    return [np.flatnonzero(kind == one) for one in np.unique(kind[kind >= 0]).tolist()]


def _spaces(scene: Scene, are_areas: bool) -> Mask:
    """Pixels of the bases and homes, with what is round about, or of the other spaces, bool (rows, cols)."""
    mask, margin = np.zeros(scene.surface.inks.shape, np.uint8), _MARGIN if are_areas else 0.0
    for space in scene.sheet.spaces.values():
        if space.is_area == are_areas:
            at = round(space.x * PIXELS_PER_MM), round(space.y * PIXELS_PER_MM)
            cv2.circle(mask, at, round((space.radius + margin) * PIXELS_PER_MM), 1, -1)
    return mask > 0


def pieces_mask(
    position: Position, sheet: Sheet, view: View, shape: tuple[int, ...], standing: Sequence[Put] = ()
) -> Mask:
    """Pixels of the flat view that pieces on the spaces of `position` may hide, bool (rows, cols).

    standing: the pieces that were seen, which tell how high the stacks are.
    """
    mask = np.zeros(shape, np.uint8)
    eye, high, stacks = view.pose.eye, storeys(view.places, standing, sheet), sheet.stacks
    for name, most in zip(sheet.spaces, high.tolist(), strict=True):
        if not position.at(name):
            continue
        space, count = sheet.spaces[name], len(position.at(name))
        body = profile(view.places.piece, max(count, most) if stacks else 1)
        spread = space.radius if space.is_area or (count > 1 and not stacks) else _MARGIN
        for x, y, radius in cast(body, np.array([space.x, space.y]), eye):
            at = round(x * PIXELS_PER_MM), round(y * PIXELS_PER_MM)
            cv2.circle(mask, at, round((radius + spread) * PIXELS_PER_MM), 1, -1)
    return mask > 0


def storeys(places: Places, standing: Sequence[Put], sheet: Sheet) -> npt.NDArray[np.int64]:
    """How many discs, at least one, are seen on each other on each space, (S,)."""
    high = np.ones(len(sheet.spaces), np.int64)
    for place, _ in standing:
        high[places.space[place]] = places.storeys[place]
    return high


def changed_since(learned: Learned, flat: Frame, diameter: float) -> Mask:
    """Pixels of two flat views, uint8 BGR, that differ once the light is evened out, bool (rows, cols): by themselves,
    or together with those round about. In the noise of a weak lamp a pawn in its own lane shows in the mean alone.

    How the light changed is asked round about each pixel, as in the shadow of a head it changed there alone; of so
    wide a part of the board that no piece, of this diameter, mm, which came or went is the most of it.
    """
    was = cv2.blur(learned.flat, (3, 3)).astype(np.float32)
    now = cv2.blur(flat, (3, 3)).astype(np.float32)
    ratio = np.log((now[::_GRID, ::_GRID] + 1) / (was[::_GRID, ::_GRID] + 1))
    gain = np.exp(np.median(ratio, axis=(0, 1)))
    local = np.exp(cv2.resize(course(ratio, _GRID, diameter), flat.shape[1::-1])).reshape(len(flat), -1)
    least = np.minimum(local / np.tile(gain, flat.shape[1]), 1)  # of whole rows: numpy is slow with threes
    off = (now.reshape(local.shape) - was.reshape(local.shape) * local) / least
    return np.asarray(_differs(off.reshape(flat.shape)) | ~learned.shown)


def _differs(off: Flat) -> Mask:
    """Pixels, bool (rows, cols), that differ by themselves, or together with those round about. off: (rows, cols, 3)"""
    alone, together = np.abs(off), np.abs(cv2.blur(off, (_ROUND, _ROUND)))
    noise = noise_of(alone, 2)
    return np.asarray((strayed(alone, noise) | beyond(together, _LEAST + _NOISY * noise)) > 0)


def believe(
    spaces: Mapping[str, SpaceSeen],
    learned: Learned,
    now: Kept,
    sheet: Sheet,
    standing: Sequence[Put] = (),
    shadows: Mask | None = None,
    misplaced: Collection[str] = (),
) -> dict[str, SpaceSeen]:
    """The readings, with what was ruled believed where the picture has not changed since; elsewhere the pictures of the
    pieces that stood there bear witness, see `witnessed`; where they say nothing, what the eyes missed they may miss
    again, there and on like ground: see `overlooked`.

    standing: the pieces that are seen now. shadows: where these cast theirs, bool (rows, cols). misplaced: spaces whose
    pieces seem to stand otherwise than they were put, so that their pictures tell nothing.
    """
    places, changed = now.places, changed_since(learned, now.flat, now.places.piece.diameter)
    still = _still(changed, places, storeys(places, standing, sheet), sheet)
    result, moved, stacks = dict(spaces), {}, sheet.stacks
    for (name, seen), stays in zip(spaces.items(), still, strict=True):
        if stays and not seen.covered:
            result[name] = _trusting(seen, to_be_seen(learned.position.at(name), stacks))
        elif name not in misplaced:
            moved[name] = seen
    weighed, told = witnessed(moved, learned, now, sheet, standing)
    if sheet.piece.kind != "disc" and seen_from_there(learned, places):
        strange = unexplained(changed, places, learned, standing, shadows)
        weighed = with_arrivals(weighed, strange, now, learned, sheet)
        weighed = with_stays(weighed, told, now, learned, sheet, standing, shadows)
    inks = dict(zip(sheet.spaces, grounds(places, now.today.surface).tolist(), strict=True))
    for name, seen in weighed.items():
        if name in told:
            result[name] = seen
        elif name in learned.mistakes:
            result[name] = _modest(seen, *learned.mistakes[name])
        else:
            result[name] = seen if sheet.spaces[name].is_area else wary(seen, inks[name], learned.overlooked)
    return result


def _still(changed: Mask, places: Places, high: Ints, sheet: Sheet) -> list[bool]:
    """On which spaces nothing changed wherever a piece may stand, as asked in some places. high: see `storeys`."""
    rows = np.flatnonzero(places.storeys <= high[places.space])
    each = np.split(rows, np.searchsorted(places.space[rows], np.arange(1, len(high))))
    areas = [space.is_area for space in sheet.spaces.values()]
    some = [own if area else own[:: max(1, len(own) // 12)] for own, area in zip(each, areas, strict=True)]
    share = changed.ravel()[places.pixels(np.concatenate(some), slice(None, None, 3))].mean(axis=1)
    parts = np.split(share, np.cumsum([len(own) for own in some])[:-1])
    return [bool(len(part) and part.max() < _UNCHANGED) for part in parts]


def _modest(seen: SpaceSeen, was: Content, ruled: Content) -> SpaceSeen:
    """The reading of a space that the eyes read wrong when it was ruled last, as `was`: what they missed there, as
    pieces of its ground's colour, they may miss again, and what they saw too much of, see again."""
    missed, added = Counter(ruled) - Counter(was), Counter(was) - Counter(ruled)
    if bool(missed) == bool(added):  # a colour that was taken for another is learned otherwise
        return seen
    own = Counter(seen.content)
    off = [Counter({seat: n}) for seat, most in (missed or added).items() for n in range(1, most + 1)]
    others = [own + by if missed else own - by for by in off]
    return perhaps(seen, {tuple(other.elements()): _AGAIN for other in others if other != own})


def _trusting(seen: SpaceSeen, ruled: Content) -> SpaceSeen:
    levels = dict(seen.likelihoods)
    levels[ruled] = seen.log_likelihood(ruled) + _BELIEF
    top = max(levels.values())
    levels = {content: max(level - top, WORST) for content, level in levels.items()}
    best = max(levels, key=lambda c: levels[c])
    return replace(as_told(seen, levels), content=best, unlisted=max(seen.unlisted - top, UNLIKELY))


def _ratio(look: Look) -> Flat:
    """Natural log of seen to expected, float32 BGR (rows, cols, 3)."""
    return np.asarray(cv2.log((linear(look.flat) + FLOOR) / (look.today.whole + FLOOR)), np.float32)
