"""Pieces are matched with the picture one by one, the clearest first, until nothing is left to explain."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Sheet
from companion.vision.board.places import EVIDENCE, Places
from companion.vision.board.stacks import unstack
from companion.vision.board.standing import BELIEVED, PIECE_COST, Match, Put, most_nearby
from companion.vision.view.pose import Flat, Floats
from companion.vision.view.scene import PIXELS_PER_MM

Ints = npt.NDArray[np.int64]

_SPLIT = 6.0  # nats that must be left over beside a piece, and gained, if two are to take its place
_CORNER = 0.5  # nats, at most, of the view's first pixel, which stands for all beyond it, and of what is rounded
_RATHER = 1.0  # nats, at most, by which two are likelier than the one that was found, where that takes some search
_FAR_WORSE = -10.0  # nats: two that explain so much less are no other way to see it
PAIR = 2.2
"""Times the room of a piece: as far from one may lie either of two that take its place."""
_NEAR = 12.0  # mm by which a piece is moved when it is looked at again
_BAND = 7  # pixels over which the side of a stack is of one colour
_MOST_PIECES = 80
_RISE = 3.0  # nats by which what a piece would explain may have become more by others
_SOME = 2  # of every so many pixels of a place one says whether a piece may stand there
_LITTLE, _SLACK = -1.0, 1.3  # nats: no pixel says less then; as much more as all pixels of a place may they say
_BARE, _HALF = -1.0, 0.5  # nats for whatever colour: it is the board; share of a stack's foot


def match(where: Places, evidence: Flat, most: Flat, sheet: Sheet) -> Match:
    """Put pieces on the board, the clearest first, until no further one explains anything; look at each once more.

    See `find` and `refined`.
    """
    return refined(find(where, evidence, most, sheet), 0)


def find(
    where: Places,
    evidence: Flat,
    most: Flat,
    sheet: Sheet,
    among: npt.NDArray[np.bool_] | None = None,
    start: Sequence[Put] = (),
    before: npt.NDArray[np.bool_] | None = None,
) -> Match:
    """Put pieces on the board, the clearest first, until no further one explains anything: nearly where they stand.

    evidence: (rows·cols, K) nats for each colour; most: (rows·cols,) the most of them. among: the places to try, bool
    (N,); all if None. start: pieces that stand there. before: places, bool (N,), where pieces might stand when more
    spoke for them: of those to try no others come into question, and elsewhere they may be put later.
    """
    tried = among if among is None or before is None else among & (before | where.far)
    side, (maybe, looked) = most, _promising(where, most, tried)
    if sheet.piece.kind == "disc":
        box = _window(where, among if among is None or before is None else among | before)
        side = most_nearby(evidence, where.shape, box, _BAND)
        side[side > 0] *= BELIEVED
        maybe[maybe] = ~_floating(where, side, np.flatnonzero(maybe))
    found = Match(where, evidence, 0.92 * sheet.piece.diameter, maybe, side, [*start], looked)
    busy = np.flatnonzero(found.busy)
    _put_the_clearest(found, busy[where.coarse[busy]])
    free = (_held(found) == 0) | ~where.lone
    _put_the_clearest(found, busy[free[where.space[busy]]])
    found.busy &= ~where.far | (_held(found)[where.space] > 2)
    if among is not None and before is not None:
        found.busy |= before & ~among
    return found


def refined(found: Match, fixed: int) -> Match:
    """Look at each piece once more, among the others; the first ones, so many, stand there for certain."""
    busy = np.flatnonzero(found.busy)
    if found.where.piece.kind == "disc":
        unstack(found, busy, fixed)
    _settle(found, busy, found.standing[fixed:])
    _split(found, busy, found.standing[fixed:])
    return found


def _held(found: Match) -> Ints:
    """How many pieces were put on each space, (S,)."""
    where = found.where
    return np.bincount(where.space[[place for place, _ in found.standing]], minlength=len(where.lone))


def _put_the_clearest(found: Match, busy: Ints) -> None:
    """Put the piece that explains most, again and again, until none explains anything.

    What a piece would explain hardly ever becomes more by others: what was computed before these were put is enough to
    pass over most of them (lazy greedy search, Minoux 1978); what is left is looked at once more at the end.
    """
    gains, touching = found.gains(busy), found.where.touching(busy)
    top, old = gains.max(axis=1), np.zeros(len(busy), bool)
    while len(found.standing) < _MOST_PIECES:
        sure = float(top[~old].max(initial=0.0))
        again = np.flatnonzero(old & (top >= (sure if sure > 0 else -_RISE)))
        if len(again):
            gains[again] = found.gains(busy[again])
            top[again], old[again] = gains[again].max(axis=1), False
            continue
        if not top.max(initial=0.0) > 0:
            break
        best = int(top.argmax())
        found.put((int(busy[best]), int(gains[best].argmax())))
        old |= touching(int(busy[best]))


def _window(where: Places, among: npt.NDArray[np.bool_] | None) -> tuple[slice, slice]:
    """The rows and columns of the flat view in which all pixels of some places lie."""
    if among is None or not among.any():
        return slice(0, where.shape[0]), slice(0, where.shape[1])
    boxes = where.boxes[among]
    (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return slice(y0, y1), slice(x0, x1)


def _promising(where: Places, best: Flat, among: npt.NDArray[np.bool_] | None) -> tuple[npt.NDArray[np.bool_], Ints]:
    """Places round which enough is seen that the empty board does not explain, bool (N,); and those at which it was
    looked for closely.

    best: (rows·cols,) the most evidence for any colour.
    """
    level = np.clip(best, np.float32(_LITTLE), np.inf)
    more = (level - np.float32(_LITTLE)).reshape(where.shape)
    total = cv2.integral(more, sdepth=cv2.CV_32F).ravel()
    tried = np.arange(len(where.feet)) if among is None else np.flatnonzero(among)
    corners = where.corners if among is None else where.corners.take(tried, axis=1)
    after, over, before, under = (total.take(corner) for corner in corners)
    least = PIECE_COST - _LITTLE * where.heft.take(tried)
    maybe = tried[_SLACK * EVIDENCE / PIXELS_PER_MM**2 * (after - over - before + under) > least]
    part = slice(None, None, _SOME)
    some, weight = where.pixels(maybe, part), where.weight(maybe, part)
    value = _SOME * np.einsum("tp,tp->t", weight, level.take(some))
    busy = np.zeros(len(where.feet), bool)
    busy[maybe[value > PIECE_COST + where.cost[maybe] * (where.storeys[maybe] > 1)]] = True
    return busy, maybe


def _floating(where: Places, some: Flat, tried: Ints) -> npt.NDArray[np.bool_]:
    """Which of some places are of stacks at whose foot the board is plainly seen, bool (len(tried),): a lamp's image
    beside the board was taken for the top of eight discs on an empty square.

    some: (rows·cols,) nats for the side of a stack, of whatever colour.
    """
    lowest, bare = where.lowest.take(tried), np.zeros(len(where.feet), bool)
    bare[lowest] = True
    feet = np.flatnonzero(bare)
    weight, unlike = where.weight(feet), some.take(where.pixels(feet)) < _BARE
    bare[feet] = np.einsum("tp,tp->t", weight, unlike) > _HALF * where.heft.take(feet)
    return np.asarray(bare.take(lowest) & (where.storeys.take(tried) > 1))


def _settle(found: Match, busy: Ints, pieces: list[Put]) -> None:
    """Take each piece up once more and put it where, and as what, it fits best now; drop it if it need not be.

    What was worked out of each is kept where nothing changed since: it is asked again when the spaces are read.
    """
    x, y = np.ascontiguousarray(found.where.feet.take(busy, axis=0).T)
    feet = found.where.feet[[place for place, _ in pieces]].tolist()
    each = [busy[(x - own_x) ** 2 + (y - own_y) ** 2 < _NEAR**2] for own_x, own_y in feet]
    found.prepare(each)
    known, changed = dict[Put, tuple[int, Ints, Floats]](), np.zeros(len(found.crowd), np.int16)
    for step, (piece, near) in enumerate(zip(pieces, each, strict=True)):
        found.take(piece)
        gains = found.gains(near)
        best = np.unravel_index(int(np.argmax(gains)), gains.shape) if len(near) else (0, 0)
        put = [(int(near[best[0]]), int(best[1]))] if len(near) and gains[best] > 0 else []
        if put != [piece]:
            changed[_concerned(found, [piece, *put])] = step
        for one in put:
            found.put(one)
            known[one] = step, near, gains
    still = (one for one, (step, near, _) in known.items() if changed.take(near).max() <= step)
    found.instead = {one: known[one][1:] for one in still}


def _concerned(found: Match, pieces: Sequence[Put]) -> Ints:
    """The places at which one may explain more, or less, or find room, if any of some pieces comes or goes."""
    return np.concatenate([part for place, _ in pieces for part in found.where.beside(place, found.room)])


def _split(found: Match, busy: Ints, pieces: list[Put]) -> None:
    """Put two pieces where one was put in the middle between them."""
    where, alone = found.where, _held(found) == 1
    for piece in pieces:
        place, color = piece
        if where.lone[where.space[place]]:
            continue
        near = busy[where.space[busy] == where.space[place]]
        x, y = np.abs(where.at.take(near, axis=1) - where.at[:, place, None])
        near = near[np.maximum(x, y) < PAIR * found.room]
        near = near[found.room_without(near, place)]
        if len(near) < 2:
            continue
        least = _SPLIT + PIECE_COST - _against(found, piece)
        if _at_most(found, near, color) < least or _left_over(found, near, color) < least:
            continue
        lone = bool(alone[where.space[place]])
        more, pair = _best_pair(found, piece, near, _FAR_WORSE if lone else _SPLIT, together=False)
        if more > _SPLIT:
            found.take(piece)
            for one in pair:
                found.put(one)
            changed = np.zeros(len(found.crowd), bool)
            changed[_concerned(found, [piece, *pair])] = True
            found.instead = {one: of for one, of in found.instead.items() if not changed.take(of[0]).any()}
            continue
        if not lone:
            continue
        further, other = _best_pair(found, piece, near, _FAR_WORSE, together=True)
        if pair or other:
            found.pairs[int(where.space[place])] = color, min(max(more, further) - _SPLIT, _RATHER)


def _best_pair(found: Match, piece: Put, near: Ints, least: float, together: bool) -> tuple[float, list[Put]]:
    """The two pieces that explain most instead of one that stands there, and by how many nats more than that. The first
    of them is where one alone explains most in its direction; or where one does with its likeliest second, `together`:
    more is found so, and of what is none, as shadows, too. least: nats; what is not likely to explain so many more is
    not looked at."""
    where, (place, color) = found.where, piece
    found.take(piece)
    gains = found.gains(near)[:, color]
    alone, best, pair = float(gains[near == place].max(initial=-np.inf)), -np.inf, []
    feet = where.feet.take(near, axis=0)
    x, y = np.ascontiguousarray(feet.T)
    beside = np.square(x[:, None] - x) + np.square(y[:, None] - y) >= found.room**2
    most = gains + np.where(beside, gains, -np.inf).max(axis=1, initial=-np.inf) + _SPLIT
    firsts = _round_about(feet - where.feet[place], most if together else gains, found.room)
    for first, bound in zip(firsts.tolist(), most[firsts].tolist(), strict=True):
        if bound <= max(best, alone + least):
            continue
        one = int(near[first]), color
        found.put(one)
        more = found.gains(near)[:, color]
        found.take(one)
        second = int(np.argmax(more))
        if gains[first] + more[second] > best:
            best = float(gains[first] + more[second])
            pair = [one, (int(near[second]), color)]
    found.put(piece)
    return best - alone, pair


def _at_most(found: Match, near: Ints, color: int) -> float:
    """No less than `_left_over`, in a third of the time: nats of all that no piece explains in the box round about."""
    edges, shape = found.where.edges.take(near, axis=1), found.where.shape
    (left, top), (right, bottom) = edges[:2].min(axis=1).tolist(), edges[2:].max(axis=1).tolist()
    part = slice(top, bottom), slice(left, right)
    told = found.evidence.reshape(*shape, -1)[part][..., color][found.front.reshape(shape)[part] > 1e8]
    return float(np.maximum(told, 0).sum()) * EVIDENCE / PIXELS_PER_MM**2 + _CORNER


def _left_over(found: Match, near: Ints, color: int) -> float:
    """Nats for a colour round some places that no piece explains yet."""
    pixels = found.where.pixels(near)
    start = int(pixels.min())
    asked = np.zeros(int(pixels.max()) + 1 - start, bool)
    asked[pixels - start] = True
    asked &= found.front[start : start + len(asked)] > 1e8
    free = np.flatnonzero(asked) + start
    return float(np.maximum(found.says(free, color), 0).sum()) * EVIDENCE / PIXELS_PER_MM**2


def _against(found: Match, piece: Put) -> float:
    """Nats that speak against a piece where it is seen: two that stand elsewhere might do without them."""
    return float(np.maximum(-found.says(found.shown(piece[0]), piece[1]), 0).sum()) * EVIDENCE / PIXELS_PER_MM**2


def _round_about(offsets: Floats, worth: Floats, room: float) -> Ints:
    """The best place in each of eight directions, half a piece or more away. worth: nats, alone, or with a second."""
    far = np.linalg.norm(offsets, axis=1)
    there = np.flatnonzero((far > 0.4 * room) & (far < 1.1 * room) & np.isfinite(worth))
    there = there[np.argsort(-worth[there], kind="stable")]
    x, y = offsets[there].T
    sector = np.floor(np.arctan2(y, x) / (np.pi / 4) + 4.5).astype(int) % 8
    return there[np.unique(sector, return_index=True)[1]]
