"""What stands where: pieces are matched with the picture one by one, until nothing is left to explain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt

from companion.model import Content, Piece, Seat, Sheet, SpaceSeen
from companion.vision.body import outline, profile
from companion.vision.pose import Flat, Floats
from companion.vision.scene import PIXELS_PER_MM

Ints = npt.NDArray[np.int64]

_EVIDENCE = 0.12  # independent looks per mm²: neighbouring pixels say the same
_PIECE_COST = 5.0  # nats: a piece must explain more than this
_LEAST_FRESH, _CROWDED = 0.33, 60.0  # a piece should show this share of itself beside the others; nats if not
_TWIN = 2.0  # nats more for a second piece of one colour close by: often it is the first one's shadow
_SPLIT = 6.0  # nats that must be left over beside a piece, and gained, if two are to take its place
_BLUR = 0.15  # camera pixels by which a piece looks wider than it is
_SLACK = 2.5  # mm: how far a piece stands from its place, usually
_STEP = 1.5  # mm between tried places
_AREA_STEP = 2.5
_FAR, _FAR_COST = 1.3, 5.0  # pieces of three in a row stand this many diameters off the middle; nats for that
_SAMPLES = 110
_NOTHING = 1e9  # mm: farther than any piece
_DOUBTED = 0.2
_WORST = -10.0
_TEMPER = 0.4  # nats believed of each nat: the models are never quite right
_SOFT, _STRANGE, _STRANGEST = 1.0, 80.0, 0.1  # nats in doubt anyway; more for a strange board, up to this share


@dataclass(frozen=True, eq=False, slots=True)
class Places:
    """Every place where a foot may stand, N of them, in one pose.

    feet: (N, 2) mm. space: (N,) index in the sheet's order. cost: (N,) nats, for standing off the middle.
    pixels: (N, P) indices into the raveled flat view, −1 outside. weight: (N, P) nats per unit of evidence.
    reach: (N,) distance from the camera, mm: what is nearer hides what is farther.
    boxes: (N, 4) the pixels of each place lie from (x, y) to before (x, y), all within the flat view.
    body, eye, shape: the piece's discs, the camera's place, and the (rows, cols) of the flat view.
    """

    feet: Floats
    space: Ints
    cost: Floats
    far: npt.NDArray[np.bool_]
    pixels: Ints
    weight: Flat
    reach: Floats
    boxes: Ints
    body: Floats
    eye: Floats
    shape: tuple[int, int]
    drawn: dict[int, Ints] = field(default_factory=dict)

    def hidden_by(self, place: int) -> Ints:
        """All pixels, raveled, that a piece at a place hides; kept once computed."""
        if place not in self.drawn:
            offsets = outline(self.body, self.feet[place], self.eye, PIXELS_PER_MM)
            seen = _indices(self.feet[place : place + 1], offsets, self.shape)[0]
            self.drawn[place] = seen[seen >= 0]
        return self.drawn[place]

    def touching(self, tried: Ints, place: int) -> npt.NDArray[np.bool_]:
        """Which of some places share pixels with one, or crowd it, bool (len(tried),)."""
        x0, y0, x1, y1 = self.boxes[tried].T
        a0, b0, a1, b1 = self.boxes[place] + np.array([-6, -6, 6, 6])
        crowd = np.abs(self.feet[tried] - self.feet[place]).max(axis=1) < 4 * self.body[0, 1]
        return np.asarray((x0 < a1) & (x1 > a0) & (y0 < b1) & (y1 > b0) | crowd)


def places(sheet: Sheet, eye: Floats, shape: tuple[int, int], pixel: float = 0.0) -> Places:
    """The places of a sheet seen from `eye` (x, y, height, mm) in a flat view of `shape` (rows, cols).

    pixel: the size of the camera's pixels on the board, mm: they blur the pieces' edges.
    """
    body = profile(sheet.piece)
    body[:, 1] += _BLUR * pixel
    spaces = list(sheet.spaces.values())
    middles = np.array([(s.x, s.y) for s in spaces])
    small = np.array([not s.is_area for s in spaces])
    wide = np.array([(s.x, s.y, s.radius) for s in spaces if s.is_area]).reshape(-1, 3)
    feet, owner, cost, pixels, weight = [], [], [], [], []
    for index, space in enumerate(spaces):
        here = middles[index]
        spots, off = _spots(space.radius, space.is_area, sheet.piece)
        if not space.is_area:
            keep = _own_ground(spots, here, middles[small])
            keep &= (off < _FAR_COST) | ~_within(here + spots, wide)
            spots, off = spots[keep], off[keep]
        for chunk in np.array_split(np.arange(len(spots)), max(1, len(spots) // 40)):
            points, value = _sampled(body, here + spots[chunk].mean(axis=0), eye)
            feet.append(here + spots[chunk])
            owner.append(np.full(len(chunk), index))
            cost.append(off[chunk])
            pixels.append(_indices(feet[-1], points, shape))
            weight.append(np.full((len(chunk), _SAMPLES), value, np.float32))
    where = np.vstack(feet)
    found = np.vstack(pixels)
    heft = np.where(found < 0, 0, np.vstack(weight)).astype(np.float32)
    reach = np.linalg.norm(where - eye[:2], axis=1)
    boxes, costs, space_of = _boxes(found, shape), np.concatenate(cost), np.concatenate(owner)
    far = costs >= _FAR_COST
    return Places(where, space_of, costs, far, np.maximum(found, 0), heft, reach, boxes, body, eye, shape)


def _boxes(pixels: Ints, shape: tuple[int, int]) -> Ints:
    """The box (x, y, x, y), (N, 4), round each place's pixels, (N, P) raveled, −1 outside."""
    inside = pixels >= 0
    sides = []
    for axis in (pixels % shape[1], pixels // shape[1]):
        sides.append(np.where(inside, axis, np.iinfo(np.int64).max).min(axis=1))
        sides.append(np.where(inside, axis + 1, 0).max(axis=1))
    left, right, top, bottom = sides
    return np.column_stack([np.minimum(left, right), np.minimum(top, bottom), right, bottom])


def _spots(radius: float, is_area: bool, piece: Piece) -> tuple[Floats, Floats]:
    """Where in a space a foot may stand, from its middle, mm (N, 2), and the cost of standing there (N,).

    Round a small space there are places, farther apart, for the outer ones of three pawns; marbles lie in holes
    and discs on each other.
    """
    diameter = piece.diameter
    step = _AREA_STEP if is_area else max(_STEP, diameter / 8)
    usual = max(radius - diameter / 4, 1.0) if is_area else max(1.15 * radius, 3.0)
    reach = max(usual, _FAR * diameter) if piece.kind == "pawn" and not is_area else usual
    ticks = np.arange(-np.floor(reach / step), np.floor(reach / step) + 1)
    i, j = (a.ravel() for a in np.meshgrid(ticks, ticks))
    off = np.hypot(i, j) * step
    coarse = (i % 2 == 0) & (j % 2 == 0)
    order = np.argsort(off, kind="stable")
    order = order[((off <= usual) | ((off <= reach) & coarse))[order]]
    off = off[order]
    cost = np.zeros_like(off) if is_area else np.minimum(0.5 * (off / _SLACK) ** 2, 3.0)
    return np.column_stack([i, j])[order] * step, cost + _FAR_COST * (off > usual)


def _own_ground(spots: Floats, here: Floats, middles: Floats) -> npt.NDArray[np.bool_]:
    """Which spots, mm from a small space at `here`, are nearer to it than to others at `middles`, bool (N,)."""
    apart = np.linalg.norm((here + spots)[:, None] - middles, axis=2)
    return np.asarray(np.linalg.norm(spots, axis=1) <= apart.min(axis=1) + 1e-6)


def _within(points: Floats, discs: Floats) -> npt.NDArray[np.bool_]:
    """Which points, mm (N, 2), lie in any of some discs, (x, y, radius) mm (A, 3): bool (N,)."""
    apart = np.linalg.norm(points[:, None] - discs[:, :2], axis=2)
    return np.asarray((apart < discs[:, 2]).any(axis=1))


def _sampled(body: Floats, foot: Floats, eye: Floats) -> tuple[Ints, float]:
    """`_SAMPLES` pixels spread over the outline of a piece, as offsets (x, y), and the weight of each."""
    offsets = outline(body, foot, eye, PIXELS_PER_MM)
    pick = np.linspace(0, len(offsets) - 1, _SAMPLES).astype(int)
    return offsets[pick], _EVIDENCE * len(offsets) / PIXELS_PER_MM**2 / _SAMPLES


def _indices(feet: Floats, points: Ints, shape: tuple[int, int]) -> Ints:
    at = np.floor(feet * PIXELS_PER_MM).astype(np.int64)[:, None] + points[None]
    x, y = at[..., 0], at[..., 1]
    inside = (x >= 0) & (x < shape[1]) & (y >= 0) & (y < shape[0])
    return np.where(inside, y * shape[1] + x, -1)


@dataclass(slots=True)
class Match:
    """Pieces put on the board so far, and what they explain.

    evidence: (M, K) nats per pixel for each colour against the empty board. room: mm between two feet, at least.
    busy: (N,) places where a piece may stand. told: (M,) nats of what stands there now, 0 where the board is empty.
    front: (M,) distance of the piece that is seen there, mm. standing: (place, colour) of each piece.
    """

    where: Places
    evidence: Flat
    room: float
    busy: npt.NDArray[np.bool_]
    told: Flat = field(init=False)
    front: Flat = field(init=False)
    standing: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.told = np.zeros(len(self.evidence), np.float32)
        self.front = np.full(len(self.evidence), _NOTHING, np.float32)
        for piece in self.standing:
            self._draw(piece)

    def put(self, piece: tuple[int, int]) -> None:
        """Put one piece more on the board."""
        self.standing.append(piece)
        self._draw(piece)

    def take(self, piece: tuple[int, int]) -> None:
        """Take a piece away: what it hid is seen again."""
        self.standing.remove(piece)
        seen = self.where.hidden_by(piece[0])
        self.told[seen], self.front[seen] = 0, _NOTHING
        others = np.array([place for place, _ in self.standing], np.int64)
        for index in np.flatnonzero(self.where.touching(others, piece[0])):
            self._draw(self.standing[index])

    def _draw(self, piece: tuple[int, int]) -> None:
        """Draw a piece where no nearer one stands before it."""
        place, color = piece
        seen = self.where.hidden_by(place)
        seen = seen[self.front[seen] > self.where.reach[place]]
        self.told[seen] = self.evidence[seen, color]
        self.front[seen] = self.where.reach[place]

    def gains(self, tried: Ints) -> Floats:
        """Nats that one more piece would explain, (len(tried), K), costs included; −inf where one stands."""
        where = self.where
        pixels, weight = where.pixels[tried], where.weight[tried]
        depth = self.front[pixels]
        seen = weight * (depth > where.reach[tried, None])
        value = np.matmul(seen[:, None], self.evidence[pixels])[:, 0]
        value -= np.einsum("tp,tp->t", seen, self.told[pixels])[:, None]
        fresh = (seen * (depth > 1e8)).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-6)
        cost = where.cost[tried] + _PIECE_COST + _CROWDED * np.maximum(0, _LEAST_FRESH - fresh)
        return np.asarray(value - cost[:, None] - self._crowding(tried), np.float64)

    def _crowding(self, tried: Ints) -> Floats:
        """Nats that the pieces already there cost one more, (len(tried), K): ∞ where there is no room."""
        kinds = self.evidence.shape[1]
        if not self.standing:
            return np.zeros((len(tried), kinds))
        place, color = np.array(self.standing).T
        off = self.where.feet[tried][:, None] - self.where.feet[place]
        apart = np.hypot(off[..., 0], off[..., 1])
        cost = _TWIN * ((apart < 2 * self.room) @ np.eye(kinds)[color])
        cost[(apart < self.room).any(axis=1)] = np.inf
        return np.asarray(cost, np.float64)


def match(
    where: Places,
    evidence: Flat,
    sheet: Sheet,
    among: npt.NDArray[np.bool_] | None = None,
    start: Sequence[tuple[int, int]] = (),
) -> Match:
    """Put pieces on the board, the clearest first, until no further one explains anything.

    among: the places to try, bool (N,); all if None. start: pieces that stand there for certain.
    """
    promising = _promising(where, evidence, among)
    found = Match(where, evidence, 0.92 * sheet.piece.diameter, promising, standing=list(start))
    busy = np.flatnonzero(found.busy)
    if not len(busy):
        return found
    gains = found.gains(busy)
    while len(found.standing) < 80:
        best = np.unravel_index(int(np.argmax(gains)), gains.shape)
        if gains[best] <= 0:
            break
        found.put((int(busy[best[0]]), int(best[1])))
        near = where.touching(busy, int(busy[best[0]]))
        gains[near] = found.gains(busy[near])
    busy = _near_middles(found, busy)
    _settle(found, busy, found.standing[len(start) :])
    _split(found, busy, found.standing[len(start) :])
    return found


def _near_middles(found: Match, busy: Ints) -> Ints:
    """The busy places but those far off the middle of a space on which fewer than three pieces were put."""
    where = found.where
    held = np.bincount(where.space[[place for place, _ in found.standing]], minlength=int(where.space.max()) + 1)
    found.busy &= ~where.far | (held[where.space] > 2)
    return busy[found.busy[busy]]


def _promising(where: Places, evidence: Flat, among: npt.NDArray[np.bool_] | None) -> npt.NDArray[np.bool_]:
    """Places round which enough is seen that the empty board does not explain, bool (N,)."""
    best = np.maximum.reduce([evidence[:, color] for color in range(evidence.shape[1])])
    total = cv2.integral(np.maximum(best, 0).reshape(where.shape))
    x0, y0, x1, y1 = where.boxes.T
    most = total[y1, x1] - total[y0, x1] - total[y1, x0] + total[y0, x0]
    enough = 1.5 * _EVIDENCE / PIXELS_PER_MM**2 * most > _PIECE_COST
    maybe = np.flatnonzero(enough if among is None else enough & among)
    value = np.einsum("tp,tp->t", where.weight[maybe], np.maximum(best[where.pixels[maybe]], -1))
    busy = np.zeros(len(where.feet), bool)
    busy[maybe[value > _PIECE_COST]] = True
    return busy


def _settle(found: Match, busy: Ints, pieces: list[tuple[int, int]]) -> None:
    """Take each piece up once more and put it where, and as what, it fits best now; drop it if it need not be."""
    for piece in pieces:
        found.take(piece)
        near = busy[np.linalg.norm(found.where.feet[busy] - found.where.feet[piece[0]], axis=1) < 12]
        gains = found.gains(near)
        best = np.unravel_index(int(np.argmax(gains)), gains.shape) if len(near) else (0, 0)
        if len(near) and gains[best] > 0:
            found.put((int(near[best[0]]), int(best[1])))


def _split(found: Match, busy: Ints, pieces: list[tuple[int, int]]) -> None:
    """Put two pieces where one was put in the middle between them."""
    where = found.where
    for piece in pieces:
        place, color = piece
        near = busy[where.space[busy] == where.space[place]]
        if len(near) < 2 or _left_over(found, near, color) < _SPLIT:
            continue
        pair = _better_pair(found, piece, near)
        if pair:
            found.take(piece)
            for one in pair:
                found.put(one)


def _better_pair(found: Match, piece: tuple[int, int], near: Ints) -> list[tuple[int, int]]:
    """Two pieces that explain clearly more than the one that stands there; none if there are no such."""
    where, (place, color) = found.where, piece
    found.take(piece)
    gains = found.gains(near)[:, color]
    best, pair = float(gains[near == place].max(initial=-np.inf)) + _SPLIT, []
    for first in _round_about(where.feet[near] - where.feet[place], gains, found.room):
        beside = np.linalg.norm(where.feet[near] - where.feet[near[first]], axis=1) >= found.room
        if gains[first] + gains[beside].max(initial=-np.inf) + _SPLIT <= best:
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
    return pair


def _left_over(found: Match, near: Ints, color: int) -> float:
    """Nats for a colour round some places that no piece explains yet."""
    marked = np.zeros(len(found.front), bool)
    marked[found.where.pixels[near]] = True
    free = np.flatnonzero(marked & (found.front > 1e8))
    return float(np.maximum(found.evidence[free, color], 0).sum()) * _EVIDENCE / PIXELS_PER_MM**2


def _round_about(offsets: Floats, gains: Floats, room: float) -> list[int]:
    """The best place in each of eight directions, half a piece or more away."""
    far = np.linalg.norm(offsets, axis=1)
    sector = np.floor(np.arctan2(offsets[:, 1], offsets[:, 0]) / (np.pi / 4) + 4.5).astype(int) % 8
    chosen = []
    for turn in range(8):
        there = np.flatnonzero((sector == turn) & (far > 0.4 * room) & (far < 1.1 * room) & np.isfinite(gains))
        if len(there):
            chosen.append(int(there[np.argmax(gains[there])]))
    return chosen


def softness(odd: Flat, accounted: npt.NDArray[np.bool_]) -> float:
    """How far readings are to be doubted, nats: the more of the board looks like nothing that is expected.

    odd: nats against the empty board. accounted: pixels of pieces and hands, bool; (rows, cols) both.
    """
    rest = ~accounted[::2, ::2]
    share = float(((odd[::2, ::2] > 1) & rest).sum()) / max(int(rest.sum()), 1)
    return _SOFT + _STRANGE * min(share, _STRANGEST)


def read_spaces(
    found: Match,
    sheet: Sheet,
    seats: list[Seat],
    covered: Mapping[str, bool],
    soft: float,
    known: Mapping[str, SpaceSeen] = MappingProxyType({}),
) -> dict[str, SpaceSeen]:
    """The reading of every space: what stands there, and how well other contents would explain the picture.

    soft: see `softness`. known: readings that need not be made again.
    """
    starts = np.searchsorted(found.where.space, np.arange(len(sheet.spaces)))
    middles = found.gains(starts)
    taken = set(found.where.space[[place for place, _ in found.standing]].tolist())
    taken |= set(found.where.space[found.busy].tolist())
    result = {}
    for index, name in enumerate(sheet.spaces):
        if covered.get(name):
            result[name] = SpaceSeen((), 0.0, True)
        elif name in known:
            result[name] = known[name]
        elif index in taken:
            result[name] = _reading(_read_one(found, index, seats), seats, soft)
        else:
            levels: dict[Content, float] = {(): 0.0}
            levels |= {(seat,): float(gain) for seat, gain in zip(seats, middles[index], strict=True)}
            result[name] = _reading(levels, seats, soft)
    return result


def _read_one(found: Match, index: int, seats: list[Seat]) -> dict[Content, float]:
    """Vary what was found on one space: a piece more, one fewer, one of another colour. Nats of each content."""
    mine = [s for s in found.standing if found.where.space[s[0]] == index]
    content = tuple(sorted(seats[color] for _, color in mine))
    here = np.flatnonzero(found.where.space == index)
    near = here[found.busy[here]] if found.busy[here].any() else here[:1]
    levels: dict[Content, float] = {content: 0.0}
    _try_more(found, near, seats, content, levels)
    if not mine and max(levels.values()) > -4:
        _try_two(found, near, seats, levels)
    for piece in mine:
        _try_without(found, piece, near, seats, content, levels)
    if len(mine) == 2:
        _try_one(found, mine, near, seats, levels)
    return levels


def _reading(levels: Mapping[Content, float], seats: list[Seat], soft: float) -> SpaceSeen:
    """The reading from nats of each content; differences of some nats, up to `soft`, mean less than larger ones."""
    best = max(levels, key=lambda c: levels[c])
    gaps = {c: float(levels[best] - v) * _TEMPER for c, v in levels.items()}
    relative = {c: max(0.0 - gap * gap / (gap + soft), _WORST) for c, gap in gaps.items()}
    for content in [(), *((seat,) for seat in seats)]:
        relative.setdefault(content, _WORST)
    return SpaceSeen(best, 1 / sum(float(np.exp(v)) for v in relative.values()), False, relative)


def doubted(seen: SpaceSeen) -> SpaceSeen:
    """A reading of which only a small part is believed: something is there that was not understood."""
    if seen.covered:
        return seen
    levels = {content: level * _DOUBTED for content, level in seen.likelihoods.items()}
    return SpaceSeen(seen.content, 1 / sum(float(np.exp(v)) for v in levels.values()), False, levels)


def _note(levels: dict[Content, float], content: Content, level: float) -> None:
    content = tuple(sorted(content))
    if np.isfinite(level):
        levels[content] = max(levels.get(content, -np.inf), float(level))


def _try_more(found: Match, near: Ints, seats: list[Seat], content: Content, levels: dict[Content, float]) -> None:
    for seat, gain in zip(seats, found.gains(near).max(axis=0), strict=True):
        _note(levels, (*content, seat), gain)


def _try_two(found: Match, near: Ints, seats: list[Seat], levels: dict[Content, float]) -> None:
    gains = found.gains(near)
    place, color = np.unravel_index(int(np.argmax(gains)), gains.shape)
    one = int(near[place]), int(color)
    found.put(one)
    for seat, gain in zip(seats, found.gains(near).max(axis=0), strict=True):
        _note(levels, (seats[color], seat), gain + gains[place, color])
    found.take(one)


def _try_one(
    found: Match, mine: list[tuple[int, int]], near: Ints, seats: list[Seat], levels: dict[Content, float]
) -> None:
    kept = 0.0
    for place, color in mine:
        found.take((place, color))
        kept += float(found.gains(np.array([place]))[0, color])
    _note(levels, (), -kept)
    for seat, gain in zip(seats, found.gains(near).max(axis=0), strict=True):
        _note(levels, (seat,), gain - kept)
    for piece in mine:
        found.put(piece)


def _try_without(
    found: Match,
    piece: tuple[int, int],
    near: Ints,
    seats: list[Seat],
    content: Content,
    levels: dict[Content, float],
) -> None:
    found.take(piece)
    kept = float(found.gains(np.array([piece[0]]))[0, piece[1]])
    rest = list(content)
    rest.remove(seats[piece[1]])
    _note(levels, tuple(rest), -kept)
    close = near[np.linalg.norm(found.where.feet[near] - found.where.feet[piece[0]], axis=1) < 10]
    for seat, gain in zip(seats, found.gains(close).max(axis=0), strict=True):
        _note(levels, (*rest, seat), gain - kept)
    found.put(piece)
