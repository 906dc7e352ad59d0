"""What is in plain sight and was not understood: a reading that leaves it out is a doubt, whatever speaks for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Seat, SpaceSeen
from companion.vision.board.again import Kept
from companion.vision.board.evidence import Evidence, tints
from companion.vision.board.places import Places
from companion.vision.board.standing import Match, Put
from companion.vision.colors.looks import median_of
from companion.vision.reading.spaces import less_sure, tempered
from companion.vision.view.keeping import kept
from companion.vision.view.pose import Flat, Floats, Frame
from companion.vision.view.scene import PIXELS_PER_MM

Counts = npt.NDArray[np.int16]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

BLIND_BRIGHT, BLIND_HUE = 0.15, 0.06
"""Natural log and hue: an ink that is usually so far off hides pieces."""
_ODD = 2.0  # nats against the empty board
_MOST_OF_IT, _HALF_OF_IT = 0.6, 0.5  # share of a piece's place that is not the board: in the middle; anywhere else
_UNLIKE, _CALM, _FEW = -1.5, -3.0, 0.1
"""Nats against the board in the middle of a space that are too many, where all but this share have less than those."""
_SOME, _ONE_LOOK = 4, 2.0  # of every so many pixels one is asked; nats that a piece is less likely anyway
_CLEAR = 0.7  # of the room of a piece: so far from it another one would be seen, if it can be
_OF_INK, _INK = 0.12, -1.0  # share of a piece on an ink; nats a pixel there: it is no piece, but another ink
_INKS = 256  # numbers that an ink may have
_LARGE = 1.0  # nats for each pixel of a piece: what is left beside it must be as much at least
_OUTGROWN = 0.8  # of what a piece explains: if it leaves so much of its colour beside it, or board within it
_STEP = 3  # of every so many pixels each way one is asked what lies beside a piece
_OFF_MIDDLE, _BESIDE = 0.25, 0.3  # diameters off the middle; nats for each pixel of a piece that are left beside it
PERHAPS_TWO = -1.5
"""Nats by which two are less likely then than the one that was read: of 41 readings of Blender's tables in which two
were read as one 38 were such, and 85 of 1,734 of a lone one."""
_PLAIN, _HARDLY = 1.5, 0.3  # nats a pixel for a colour that is surely there, and for one that is not


def misunderstood(
    found: Match, told: Evidence, mask: Mask, spaces: dict[str, SpaceSeen], known: Collection[str]
) -> set[str]:
    """Spaces on which something lies that is neither the board nor a piece that was found, or on which another colour
    is seen than the one that was read, or beside what was read one more piece's worth of a colour, though it may be
    that of shadows. mask: pixels that a hand hides, bool (rows, cols). spaces: as read, in the sheet's order; seats'
    colours in their order. known: spaces that are left out.
    """
    pixels, first, own = _middles(found.where)
    free = (found.front > 1e8) & ~told.dim.ravel()
    odd = (told.odd > _ODD).ravel() & free
    strange = np.add.reduceat(odd.take(pixels).astype(np.int64), first) > _MOST_OF_IT * own
    strange |= _alone_unlike(told.odd.ravel(), free, spaces, (pixels, first, own))
    wanted = np.array([name not in known for name in spaces])
    strange |= _strange_beside(found.where, odd & ~mask.ravel(), wanted, _HALF_OF_IT)
    plain = (told.most > _PLAIN) & (found.front > 1e8) & ~mask.ravel()
    plain_beside = _strange_beside(found.where, plain, wanted, _MOST_OF_IT)
    doubts, crowd = set(), _crowd(found)
    for index, (name, seen) in enumerate(spaces.items()):
        if seen.covered or name in known or not own[index]:
            continue
        middle = pixels[first[index] : first[index] + own[index]]
        other = _of_another_color(found, told.open, index, middle, crowd) if seen.content else strange[index]
        if other or plain_beside[index]:
            doubts.add(name)
    return doubts


def _alone_unlike(odd: Flat, free: Mask, spaces: dict[str, SpaceSeen], middles: tuple[Ints, Ints, Ints]) -> Mask:
    """Empty spaces, (S,), whose middle does not look like the board where nearly all the others plainly do: pixel by
    pixel that says little, but all of a space are one look. odd, free: of each pixel, the latter where it shows the
    board. middles: see `_middles`."""
    pixels, first, own = middles
    level = np.where(free.take(pixels), odd.take(pixels), -np.inf)
    more = (np.add.reduceat((level > least).astype(np.int64), first) for least in (_UNLIKE, _CALM))
    unlike, unrest = (2 * count > own for count in more)
    empty = np.array([not seen.content and not seen.covered for seen in spaces.values()])
    return np.asarray(empty & unlike & (np.count_nonzero(unrest & empty) < _FEW * np.count_nonzero(empty)))


def _strange_beside(where: Places, odd: Mask, asked: Mask, least: float) -> Mask:
    """Those of the spaces that are asked, (S,), on which a piece might stand, near their middles, where a larger share
    than `least` is `odd`, (rows·cols,)."""
    places, _ = where.filled(odd, asked, least)
    hit = np.zeros(len(where.lone), bool)
    hit[where.space[places]] = True
    return hit


def humbled(
    found: Match, kept: Kept, paints: Mapping[Seat, Floats], spaces: dict[str, SpaceSeen], known: Collection[str]
) -> dict[str, SpaceSeen]:
    """The readings, in which a space is less surely empty where its ink looks so unlike the print that a piece of some
    colour would hardly look stranger; and less surely holds no second piece of a colour that hides in its ink: where
    one is read, it may be the shadow of two. paints: of the seats, linear BGR (3,). known: see `misunderstood`.

    All pixels of a space are one look: what is wrong with an ink is wrong with all of it.
    """
    tables, surface = kept.ground.tables, kept.today.surface
    blind = (tables["bright"] > BLIND_BRIGHT) | (tables["hue"] > BLIND_HUE)
    if not blind.any():
        return spaces
    pixels, counted = _some_of_middles(found.where)
    unseen = 2 * (blind[surface.inks.take(pixels)] & counted).sum(axis=1) > counted.sum(axis=1)
    asked = [name not in known and not seen.covered and not (seen.content and lone)
             for (name, seen), lone in zip(spaces.items(), found.where.lone.tolist(), strict=True)]  # fmt: skip
    rows = np.flatnonzero(unseen & asked)
    if not len(rows):
        return spaces
    result, seats, names = dict(spaces), sorted(paints), list(spaces)
    told = _hiding(kept, [paints[seat] for seat in seats], pixels[rows], counted[rows])
    for index, levels in zip(rows.tolist(), told.tolist(), strict=True):
        seen = spaces[names[index]]
        more = dict(zip(seats, levels, strict=True))
        if seen.content:
            more = {seat: min(more[seat], _second(found, index, seats.index(seat))) for seat in set(seen.content)}
        result[names[index]] = less_sure(seen, more)
    return result


def _hiding(kept: Kept, colors: Sequence[Floats], pixels: Ints, counted: Mask) -> Floats:
    """Nats for one more piece of each colour, linear BGR (3,), in the middles of spaces, (S, K), at some pixels,
    raveled, of which some count, (S, P): none if it looks just like the inks, as well as these are known.

    How much less likely it is anyway: of 2,933 such readings of rendered pictures 2 to 2.5 nats make most.
    """
    tables, ink = kept.ground.tables, kept.today.surface.inks.take(pixels)
    usual, even = kept.today.at(pixels)
    board, bright, hue = tints(usual / even), tables["bright"][ink], tables["hue"][ink]
    offs = []
    for paint in (tints(kept.light.of_color(color).astype(np.float32)) for color in colors):
        hues = (paint.u - board.u) ** 2 + (paint.v - board.v) ** 2
        offs.append(((paint.log - board.log) / bright) ** 2 + hues / hue**2)
    return -0.5 * median_of(np.stack(offs, axis=2), counted) - _ONE_LOOK


def _second(found: Match, space: int, color: int) -> float:
    """Log-likelihood of one more piece of a colour on a space, by number, on which some stand: of what is seen where it
    would mostly stand clear of these."""
    where = found.where
    here = np.flatnonzero(where.space == space)
    mine = where.feet[[place for place, _ in found.standing if where.space[place] == space]]
    apart = np.linalg.norm(where.feet[here, None] - mine, axis=2).min(axis=1, initial=np.inf)
    clear = here[apart > _CLEAR * found.room]
    return tempered(max(0.0, -float(found.squeezed(clear)[:, color].max()))) if len(clear) else -np.inf


@kept()
def _some_of_middles(where: Places) -> tuple[Ints, Mask]:
    """Some of those pixels of each space, and which of them count, (S, P)."""
    pixels, first, own = _middles(where)
    each = [pixels[start : start + count : _SOME] for start, count in zip(first.tolist(), own.tolist(), strict=True)]
    counted = np.arange(max(map(len, each))) < np.array([len(some) for some in each])[:, None]
    padded = np.zeros(counted.shape, np.int64)
    padded[counted] = np.concatenate(each)
    return padded, counted


@kept()
def _middles(where: Places) -> tuple[Ints, Ints, Ints]:
    """The pixels, raveled, on which a piece in the middle of each space shows its own colour, space by space; where
    those of each space begin, (S,), and how many they are, (S,)."""
    firsts = np.searchsorted(where.space, np.arange(len(where.lone))).tolist()
    own = [pixels[:count] for pixels, count in map(where.hidden_by, firsts)]
    counts = np.array([len(pixels) for pixels in own])
    padded = [pixels if len(pixels) else np.zeros(1, np.int64) for pixels in own]
    starts = np.cumsum([0, *(len(pixels) for pixels in padded)])[:-1]
    return np.concatenate(padded), starts, counts


def misfits(found: Match, inks: Frame, left_out: Collection[int] = ()) -> set[int]:
    """Spaces, by number, on which a piece was put whose outline is not what is seen: it ends where an ink of the board
    ends, or much of its colour is left round about it, as of a piece that lies there, or of a thing that is none.

    inks: which ink of the board each pixel is, uint8 (rows, cols). left_out: spaces that are not looked at.
    """
    space = found.where.space
    tried = [piece for piece in found.standing if int(space[piece[0]]) not in left_out and len(found.shown(piece[0]))]
    if not tried:
        return set()
    each, other_ink = _on_inks(found, tried, inks)
    every = zip(tried, each, other_ink.tolist(), strict=True)
    return {int(space[piece[0]]) for piece, told, other in every if other or not _accounted(found, piece, told)}


def perhaps_two(found: Match, left_out: Collection[int] = ()) -> dict[int, int]:
    """Spaces, by number, on which one pawn was found that may be two of its colour, and which one that is: it stands
    off the middle, where a lone one would be put, and some of its colour is left beside it. Two of nearly the colour of
    their space, one behind the other, were surely one between them.

    left_out: spaces that are not looked at, as wide ones: where one more is not unlikely in a base, it is not seen that
    one was taken from it.
    """
    where = found.where
    if where.piece.kind != "pawn":
        return {}
    held = np.bincount(where.space[[place for place, _ in found.standing]], minlength=len(where.lone))
    return {
        space: piece[1]
        for piece in found.standing
        if held[space := int(where.space[piece[0]])] == 1
        and space not in left_out
        and _off_middle(where, piece[0])
        and _left_beside(found, piece) > _BESIDE * len(found.shown(piece[0]))
    }


def _off_middle(where: Places, place: int) -> bool:
    middle = int(np.searchsorted(where.space, where.space[place]))
    off = np.linalg.norm(where.feet[place] - where.feet[middle])
    return bool(off > _OFF_MIDDLE * where.piece.diameter)


def _on_inks(found: Match, pieces: Sequence[Put], inks: Frame) -> tuple[list[Flat], Mask]:
    """What the pixels of pieces that are seen say for their colours, nats, (N,) of each piece; and on which pieces much
    of an ink is seen that is not their colour, (pieces,)."""
    own = [found.shown(place) for place, _ in pieces]
    size, pixels = np.array([len(some) for some in own]), np.concatenate(own)
    told = found.says(pixels, np.repeat([color for _, color in pieces], size))
    kind, many = _INKS * np.repeat(np.arange(len(own)), size) + inks.ravel().take(pixels), _INKS * len(own)
    count, nats = (np.bincount(kind, of, many).reshape(-1, _INKS) for of in (None, told))
    other = ((count > _OF_INK * size[:, None]) & (nats < _INK * count)).any(axis=1)
    return np.split(told, np.cumsum(size)[:-1]), np.asarray(other)


def _accounted(found: Match, piece: Put, told: Flat) -> bool:
    """Whether hardly more of the colour of a piece is left beside it than it explains. told: see `_on_inks`."""
    left = _left_beside(found, piece)
    if left < _LARGE * len(told):
        return True
    return left + float(np.maximum(-told, 0).sum()) < _OUTGROWN * float(told.sum())


def _left_beside(found: Match, piece: Put) -> float:
    """Sum of what speaks for the colour of a piece beside it, where no piece is seen."""
    where, (place, color) = found.where, piece
    part, near = _round_about(where, place)
    beside = near & (found.front.reshape(where.shape)[part] > 1e8)
    told = found.evidence[:, color].reshape(where.shape)[part][beside]
    return float(np.maximum(told, 0).sum()) * _STEP**2


@kept(most=200)
def _round_about(where: Places, place: int) -> tuple[tuple[slice, slice], Mask]:
    """Some pixels of a part of the flat view, rows and columns, and which of them lie on or near a piece at a place."""
    reach = round(where.piece.diameter * PIXELS_PER_MM / 2)
    y, x = np.divmod(where.hidden_by(place)[0], where.shape[1])
    top, left = max(int(y.min()) - reach, 0), max(int(x.min()) - reach, 0)
    bottom, right = min(int(y.max()) + reach + 1, where.shape[0]), min(int(x.max()) + reach + 1, where.shape[1])
    near = np.zeros((len(range(top, bottom, _STEP)), len(range(left, right, _STEP))), np.uint8)
    near[(y - top) // _STEP, (x - left) // _STEP] = 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * (reach // _STEP) + 1,) * 2)
    return (slice(top, bottom, _STEP), slice(left, right, _STEP)), np.asarray(cv2.dilate(near, kernel)) > 0


def _crowd(found: Match) -> Counts:
    """By how many pieces each pixel, raveled, is hidden."""
    crowd = np.zeros(len(found.front), np.int16)
    for place, _ in found.standing:
        crowd[found.where.hidden_by(place)[0]] += 1
    return crowd


def _of_another_color(found: Match, evidence: Flat, space: int, pixels: Ints, crowd: Counts) -> bool:
    """Whether the middle of a space looks plainly of a colour that no piece read on it has, nor one before it."""
    mine = [(place, color) for place, color in found.standing if found.where.space[place] == space]
    if not mine:
        return False
    for place, _ in mine:
        crowd[found.where.hidden_by(place)[0]] -= 1
    own = pixels[crowd.take(pixels) == 0]
    for place, _ in mine:
        crowd[found.where.hidden_by(place)[0]] += 1
    if len(own) < len(pixels) / 2:
        return False
    nats = np.einsum("pk->k", evidence.take(own, axis=0)) / len(own)
    claimed = [color for _, color in mine]
    best = int(np.argmax(nats))
    return best not in claimed and bool(nats[best] > _PLAIN) and max(nats[claimed]) < _HARDLY
