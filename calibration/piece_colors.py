"""The colours of a table's own pieces, measured where each seat's pieces are known to stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.mixed_up import TOLD, apart, mixed_up
from calibration.sheet import board_for
from companion.model import ImageError, Seat, Sheet
from companion.vision import Scene
from companion.vision.basis import basis
from companion.vision.board.matching import find
from companion.vision.board.memory import View
from companion.vision.board.places import Places
from companion.vision.board.standing import Match
from companion.vision.board.stature import explained
from companion.vision.colors.paints import nominal
from companion.vision.finding.registration import register
from companion.vision.finding.shown import Shown
from companion.vision.light.today import estimate_light
from companion.vision.measuring import make_view
from companion.vision.view.pose import Flat, Floats, Frame
from companion.vision.view.scene import PIXELS_PER_MM
from companion.vision.view.surface import GAMMA, halved, linear

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
_LOOKS = 2  # how often the colours are measured again where the pieces are seen with them

_DIFFERENT = 0.25  # natural log, or hue: from which on a pixel is not the empty board's
_PLAIN = 0.5  # the same, of pieces that would be seen where they stood
_THICK = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))  # 4 mm
_FAINT, _LEAST = 1.5, 0.04
"""Times as much as any empty space differs from the board, and by how much one may in any case: pieces do by more."""
_RARE, _INNER, _OVER = 90.0, 0.85, 5
"""Per cent of a wide space that differ less; of its radius, for its rim is printed otherwise; pixels of the mean."""
_LITTLE, _MORE = 0.1, 1.8  # of the pixels of a piece; times what rims of empty spaces differ by: shadows do by more
_SAME = 8.0  # CIE76: pieces of one set differ by less in one picture; shadows, lying on the board, by more
_AS_CLEAR = 0.5  # of what a piece of the set explains, the median: a shadow beside it explains less
_PART = 0.25  # of the pixels of a piece: so many must be seen to differ
_PARTS = 3  # colours in which what differs is parted: pieces, and the shadows that two lamps of other colours leave
_TRIES = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 20, 0.01)
_HUELESS = 0.3  # hue by which a shadow may differ from the board: so much counts beside by how much a piece does


def piece_colors(
    frame: Frame, scene: Scene, standing: Mapping[Seat, Sequence[str]], shown: Shown | None = None
) -> dict[Seat, str]:
    """The colour of each seat's pieces as "#rrggbb", as sheets give it.

    frame: uint8 BGR, the board with pieces. standing: the space on which each piece of each seat stands. shown:
    where somebody showed the board to lie. Raises ImageError if the board is not found, or the pieces do not stand as
    they should: not so many of a seat are seen, or others.
    """
    pose = register(frame, scene, None, shown)
    if isinstance(pose, str):
        raise ImageError(f"the pieces' colours cannot be measured: {pose}")
    view = make_view(pose, scene)
    table = _Table(scene, view, view.down.view(frame))
    names, guesses, among = list(scene.sheet.spaces), {}, {}
    free = ~np.isin(view.places.space, [names.index(name) for spaces in standing.values() for name in spaces])
    for seat, spaces in standing.items():
        count = Counter(names.index(name) for name in spaces)
        among[seat] = _set_up(view.places, count, scene.sheet.stacks)
        guesses[seat] = table.guesses(among[seat], free) or table.faint(among[seat], free)
        if not guesses[seat]:
            raise _missing("no pieces", scene.sheet.seat_label(seat), spaces)
    many = {seat: len(spaces) for seat, spaces in standing.items()}
    for _ in range(_LOOKS):
        guesses, seen = table.clearest(guesses, among, many)
    for seat, spaces in standing.items():
        if not seen[seat] and table.bare(among[seat], free):
            raise _missing("no pieces", scene.sheet.seat_label(seat), spaces)
        table.check(seat, spaces, seen[seat], guesses[seat][0], free)
    found = {seat: _hex(color) for seat, (color,) in guesses.items()}
    if wrong := mixed_up(found, scene.sheet):
        raise ImageError(wrong)
    return found


def _missing(what: str, label: str, spaces: Iterable[str]) -> ImageError:
    """Fewer pieces of a seat are seen than stand there when the board is set up."""
    there = ", ".join(dict.fromkeys(spaces))
    return ImageError(f"{what} of {label} are seen on {there}: set them up; if they stand there, name their colour")


def _set_up(where: Places, count: Mapping[int, int], stacks: bool) -> Mask:
    """The places, bool (N,), at which pieces may stand of which so many were set up on each space, by number. Of stacks
    the tops of higher ones would be seen over the squares beyond; other discs lie side by side."""
    there = np.isin(where.space, list(count))
    if where.piece.kind == "disc":
        high = [count.get(space, 0) if stacks else 1 for space in range(len(where.lone))]
        there &= where.storeys == np.array(high)[where.space]
    return np.asarray(there)


def of_all_seats(found: Mapping[Seat, str], sheet: Sheet) -> dict[Seat, str]:
    """The colours of all seats of a board, once those of some were measured: another seat keeps its own, but if that is
    only the printed board's, and like a measured one, it gets one of those that the measured seats had before or have
    in print.

    Else no piece could be told; a colour that was measured once, or given, is that of pieces which are there.
    """
    result, printed = {**sheet.colors, **found}, board_for(sheet.game, dict(sheet.options)).sheet().colors
    free = [colors[seat] for colors in (sheet.colors, printed) for seat in sorted(found)]
    for seat in sorted(sheet.colors.keys() - found.keys()):
        nearest = min((apart(result[seat], one) for one in found.values()), default=TOLD)
        if result[seat] in printed.values() and nearest < TOLD:
            others = [color for other, color in result.items() if other != seat]
            result[seat] = max([result[seat], *free], key=lambda new: min(apart(new, color) for color in others))
    return result


class _Table:
    """A picture of the board set up, seen straight down, and what its pieces may be. flat: uint8 BGR (rows, cols)."""

    def __init__(self, scene: Scene, view: View, flat: Frame) -> None:
        self._scene, self._view, self._flat = scene, view, flat
        self._seen = linear(flat)
        self._light = estimate_light(self._seen, scene.print)
        self._even = self._light.field(*flat.shape[:2])
        self._small = np.array([not space.is_area for space in scene.sheet.spaces.values()])
        self._usual = estimate_light(self._seen, scene.surface).expected(scene.surface.linear)
        self._brighter, self._hue = _off(self._seen, self._usual)
        self._changed = _changed(self._brighter, self._hue)

    def guesses(self, among: Mask, free: Mask) -> list[Floats]:
        """The colours, linear BGR, that pieces at some places, (N,), may have; none if nothing is seen.

        Where spaces hold one piece each it is what lies in their middle. Else what differs from the empty board, and
        what is only darker, which may be black pieces or shadows; and the parts of these, as shadows may be of a colour
        of their own, and larger than the pieces. free: see `faint`; so much as there the rims of rings and holes differ
        where no piece stands.
        """
        where = self._view.places
        asked = np.zeros(where.shape, np.uint8)
        asked.ravel()[where.pixels(np.flatnonzero(among))] = 1
        changed = [asked * kind for kind in self._changed]
        thick = [cv2.morphologyEx(kind, cv2.MORPH_OPEN, _THICK) for kind in changed]  # without the board's lines
        thin = [kind * self._stands_out(kind, among, free) for kind in changed]
        for kinds, share in ((thick, _PART), (thin, 1.0)):
            told = [pixels for pixels in map(np.flatnonzero, kinds) if len(pixels) >= share * where.crown]
            if told:
                middle = self._middles(among & where.lone[where.space])
                parts = [_own_pixels(where, middle)] if len(middle) else [*told, *self._parts(told)]
                return [self._color(pixels) for pixels in parts]
        return []

    def _parts(self, told: Sequence[Ints]) -> list[Ints]:
        """What differs from the empty board, pixels, raveled, in parts of one colour each, but for what is small."""
        pixels = np.unique(np.concatenate(told))
        seen, even = (layer.reshape(-1, 3)[pixels] for layer in (self._seen, self._even))
        looks = np.log(seen + 0.02) - np.log(even + 0.02)
        brightness = looks.mean(axis=1)
        ranks = np.digitize(brightness, np.quantile(brightness, np.arange(1, _PARTS) / _PARTS)).astype(np.int32)
        _, labels, _ = cv2.kmeans(looks.astype(np.float32), _PARTS, ranks, _TRIES, 1, cv2.KMEANS_USE_INITIAL_LABELS)
        parts = [pixels[labels.ravel() == number] for number in range(_PARTS)]
        return [part for part in parts if len(part) >= _PART * self._view.places.crown]

    def bare(self, among: Mask, free: Mask) -> bool:
        """Whether small spaces on which no piece is seen, though pieces may look as the board does there, do not show a
        piece's shadow either. among, free: see `faint`."""
        small = self._small[np.unique(self._view.places.space[among])].any()
        shadows = any(self._stands_out(kind, among, free) for kind in self._changed)
        return bool(small and not shadows and not self.faint(among, free))

    def _stands_out(self, kind: Frame, among: Mask, free: Mask) -> bool:
        """Whether small spaces show, most of them, much more of what is told by pixels 0 or 1 than all free ones do."""
        least = _LITTLE * self._view.places.crown
        return bool(np.median(self._shown(kind, among) or [0]) > _MORE * max([least, *self._shown(kind, free)]))

    def _shown(self, kind: Frame, among: Mask) -> list[float]:
        """How many pixels of 0 or 1 are 1 on each small space of some places, (N,)."""
        where = self._view.places
        spaces = (space for space in np.unique(where.space[among]) if self._small[space])
        each = (np.unique(where.pixels(np.flatnonzero(among & (where.space == space)))) for space in spaces)
        return [float(kind.take(pixels).sum()) for pixels in each]

    def faint(self, among: Mask, free: Mask) -> list[Floats]:
        """The colour, linear BGR, of pieces at some places, (N,), that look nearly as their spaces do: none unless
        these differ more from the empty board than all that are `free`, (N,): small ones in their middles."""
        stand, places = self._middles(among), self._view.places
        if stand:
            seen = np.median(self._unlike(stand)) > _FAINT * self._unlike(self._middles(free)).max(initial=_LEAST)
            return [self._color(_own_pixels(places, stand))] if seen else []
        own, others = (self._wide(places.space[some]) for some in (among, free))
        least = _FAINT * np.max([np.full((2, 1), _LEAST), *(_often(off) for _, off in others)], axis=0)
        if not own or (np.median([_often(off) for _, off in own], axis=0) < least).all():
            return []
        return [self._color(np.concatenate([pixels[(off > least).any(axis=0)] for pixels, off in own]))]

    def _wide(self, spaces: Ints) -> list[tuple[Ints, Floats]]:
        """The pixels, raveled, within each of some spaces, by number, that are wide, and by how much these differ from
        what is usual there, over some mm: natural log of brightness, and hue, (2, pixels)."""
        found, (rows, cols) = [], self._flat.shape[:2]
        names = list(self._scene.sheet.spaces.values())
        layers = [cv2.blur(layer, (_OVER, _OVER)) for layer in (self._brighter, self._hue)]
        for space in (names[number] for number in np.unique(spaces) if not self._small[number]):
            inside = np.zeros((rows, cols), np.uint8)
            middle = round(space.x * PIXELS_PER_MM), round(space.y * PIXELS_PER_MM)
            cv2.circle(inside, middle, round(_INNER * space.radius * PIXELS_PER_MM), 1, -1)
            pixels = np.flatnonzero(inside)
            each = np.stack([layer.take(pixels) for layer in layers])
            found.append((pixels, np.abs(each - np.median(each, axis=1, keepdims=True))))
        return found

    def _unlike(self, stand: Sequence[int]) -> Floats:
        """By how much what is seen at some places differs from the empty board: natural log, or hue, (len(stand),)."""
        pixels = [_own_pixels(self._view.places, [place]) for place in stand]
        each = [max(abs(np.median(layer.take(own))) for layer in (self._brighter, self._hue)) for own in pixels]
        return np.array(each, np.float64)

    def clearest(
        self, guesses: dict[Seat, list[Floats]], among: Mapping[Seat, Mask], many: Mapping[Seat, int]
    ) -> tuple[dict[Seat, list[Floats]], dict[Seat, list[int]]]:
        """Of the guesses of each seat the one with which the eyes see its pieces best, so many and no more, measured
        where they see them: their shadows pass for pieces beside them, of a colour which lies between. And the places
        at which they see them, the clearest first; more than so many where others are as clear.

        If they see none with any, what differs is only the shadows of pieces that look as the board does beneath them:
        their colour is what is seen in the middle of their spaces.
        """
        colors = [color for some in guesses.values() for color in some]
        sheet = replace(self._scene.sheet, colors={number: _hex(color) for number, color in enumerate(colors)})
        half = linear(halved(self._flat))
        told = basis(self._flat, half, replace(self._scene, sheet=sheet), self._view, None).told.open
        first, result, seen = 0, {}, {}
        for seat, some in guesses.items():
            layers = (told[:, [number]] for number in range(first, first + len(some)))
            found = [find(self._view.places, layer, layer[:, 0], sheet, among[seat]) for layer in layers]
            best = max(found, key=lambda one: self._how_plainly(one, many[seat]))
            seen[seat] = _clear(best, many[seat])
            stand = seen[seat][: many[seat]] or self._middles(among[seat])
            result[seat] = [self._color(_own_pixels(best.where, stand))] if stand else some[:1]
            first += len(some)
        return result, seen

    def _how_plainly(self, found: Match, many: int) -> float:
        """What so many pieces of one colour explain, the more the less their hue is the board's: that of a shadow, in
        which the board is only darker, nearly is."""
        told, stand = worth(found, many), [place for place, _ in found.standing]
        if told <= 0:
            return told
        own = _own_pixels(found.where, stand)
        seen, usual = (np.median(layer.reshape(-1, 3)[own], axis=0) for layer in (self._seen, self._usual))
        return told * (_HUELESS + _off(seen[None, None], usual[None, None])[1].item())

    def check(self, seat: Seat, spaces: Sequence[str], seen: Sequence[int], color: Floats, free: Mask) -> None:
        """Raises ImageError if fewer pieces of a seat are seen than stand on its spaces, more, or others. seen: the
        places at which they may be, none where they look as the board does; color: theirs, linear BGR. free: see
        `faint`."""
        names, where, label = list(self._scene.sheet.spaces), self._view.places, self._scene.sheet.seat_label(seat)
        seen, more = seen[: len(spaces)], seen[len(spaces) :]
        for place in seen:
            if apart(_hex(self._color(_own_pixels(where, [place]))), _hex(color)) > TOLD:
                told = f"on {names[where.space[place]]} stands a piece of another colour than {label}'s others"
                raise ImageError(f"{told}: set them up, and see that no lamp is mirrored in them")
        bare = [name for name in dict.fromkeys(spaces) if seen and not self._held(names.index(name), seen, free)]
        if bare:
            raise _missing("no pieces", label, bare)
        areas = [name for name in spaces if not self._small[names.index(name)]]
        there = sum(not self._small[where.space[place]] for place in seen)
        if seen and there < len(areas) - 1:  # one may stand behind the others
            raise _missing(f"only {there} of {len(areas)} pieces", label, areas)
        if many := sum(self._is_one(place, color) for place in more if not self._small[where.space[place]]):
            told = f"{len(areas) + many} pieces of {label} are seen on {', '.join(dict.fromkeys(areas))}"
            raise ImageError(f"{told}, where {len(areas)} belong: take the others away")

    def _is_one(self, place: int, color: Floats) -> bool:
        """Whether what is seen at a place is a piece of that colour, linear BGR, and not the shadow of one, nor the
        board of that colour itself, where it is only darker."""
        pixels = _own_pixels(self._view.places, [place])
        own, even = self._color(pixels), self._even.reshape(-1, 3)[pixels]
        board = nominal(self._usual.reshape(-1, 3)[pixels] / even, self._light)
        in_shade = board * (own.mean() / max(board.mean(), 1e-6))
        return apart(_hex(own), _hex(color)) < _SAME < apart(_hex(own), _hex(in_shade))

    def _held(self, space: int, seen: Sequence[int], free: Mask) -> bool:
        """Whether a piece is seen on a space, by number, or may be there: on a small one it may look nearly as the
        space does, so that this only differs more than all that are free, or not even that."""
        where = self._view.places
        if not self._small[space] or space in where.space[list(seen)]:
            return True
        middle = self._middles(where.space == space)
        least = _FAINT * self._unlike(self._middles(free)).max(initial=_LEAST)
        if not middle or self._unlike(middle).max() > least:
            return True
        there, own = _own_pixels(where, middle), _own_pixels(where, seen)
        even, usual, shown = (layer.reshape(-1, 3) for layer in (self._even, self._usual, self._seen))
        piece = np.median(shown[own] / even[own], axis=0)
        return max(float(abs(np.median(off))) for off in _off((even[there] * piece)[None], usual[there][None])) < _PLAIN

    def _middles(self, among: Mask) -> list[int]:
        """Those of some places, bool (N,), that are in the middle of a small space."""
        where = self._view.places
        return np.flatnonzero(among & where.middle & self._small[where.space]).tolist()

    def _color(self, pixels: Ints) -> Floats:
        """The colour, linear BGR, of a piece that shows at some pixels, raveled."""
        seen, even = (layer.reshape(-1, 3)[pixels] for layer in (self._seen, self._even))
        return nominal(seen / even, self._light)


def _often(off: Floats) -> Floats:
    """What all but the rare pixels of a wide space differ by at most, (2, 1): see `_Table._wide`."""
    return np.asarray(np.percentile(off, _RARE, axis=1, keepdims=True))


def worth(found: Match, many: int) -> float:
    """Nats that those pieces explain of which there may be so many: of more than these each one the same."""
    told = explained(found)
    return min(told, told * many / max(len(found.standing), 1))


def _clear(found: Match, many: int) -> list[int]:
    """The places of so many pieces, the clearest, and of those beyond that explain as much: shadows explain less."""
    nats = []
    for place, color in (standing := [*found.standing]):
        found.take((place, color))
        nats.append(float(found.gains(np.array([place]))[0, color]))
        found.put((place, color))
    least = _AS_CLEAR * float(np.median(nats[:many] or [0.0]))
    return [place for k, (place, _) in enumerate(standing) if k < many or nats[k] > least]


def _off(seen: Flat, usual: Flat) -> tuple[Flat, Flat]:
    """By how much each pixel is brighter than the empty board, natural log, and of another hue, float32 (rows, cols).
    seen, usual: linear BGR (rows, cols, 3)."""
    change = np.log(seen + 0.02) - np.log(usual + 0.02)
    brighter = change.mean(axis=2)
    return brighter, np.abs(change - brighter[..., None]).max(axis=2)


def _changed(brighter: Flat, hue: Flat) -> list[Frame]:
    """Which pixels, 0 or 1, uint8 (rows, cols), show something else than the empty board, in shadow or not; and which
    show it darker, or something dark. brighter, hue: see `_off`."""
    different = (hue > _DIFFERENT) | (brighter > _DIFFERENT)
    return [different.astype(np.uint8), (brighter < -2 * _DIFFERENT).astype(np.uint8)]


def _own_pixels(where: Places, stand: Iterable[int]) -> Ints:
    """The pixels, raveled, at which pieces at some places show their own colour."""
    pixels = [where.hidden_by(place) for place in stand]
    return np.unique(np.concatenate([own[:crown] for own, crown in pixels]))


def _hex(color: Floats) -> str:
    blue, green, red = np.round(255 * color ** (1 / GAMMA)).astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
