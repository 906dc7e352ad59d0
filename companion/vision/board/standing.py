"""Pieces put on the board so far, what they explain, and what one more would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.board.places import Places
from companion.vision.view.pose import Flat, Floats

Ints = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int16]
Put = tuple[int, int]
"""A piece on the board: the index of its place, and of its colour."""

PIECE_COST = 5.0  # nats: a piece must explain more than this
_LEAST_FRESH, _CROWDED = 0.33, 60.0  # a piece should show this share of itself beside the others; nats if not
_TWIN = 2.0  # nats more for a second piece of one colour close by: often it is the first one's shadow
FULL = 4
"""So many pawns or marbles has a seat, where no game says more: more of one colour on one space are something else."""
BELIEVED = 0.5
"""The share that is believed of what the side of a stack says: any colour explains it, and so a shadow between two
discs does."""
_NOTHING = 1e9  # mm: farther than any piece


@dataclass(slots=True)
class Match:
    """Pieces put on the board so far, and what they explain.

    evidence: (M, K) nats per pixel for each colour against the empty board. room: mm between two feet, at least.
    busy: (N,) places where a piece may stand. some: (M,) nats for the side of a stack, of whatever colour.
    told: (M,) nats of what stands there now, 0 where the board is empty. front: (M,) distance of the piece that is
    seen there, mm. standing: (place, colour) of each piece. looked: the places at which it was looked closely whether
    one stands there. crowd: (N,) how many of them leave no room at a place; sight: (N,) how many may be in sight from
    there; twins: (N, K) nats that those close by cost one more of a colour. alone: (N, K) nats that a piece would
    explain where no other is in sight, at the places that were asked already, bool (N,). rivals: space → colour, or −1
    for none → nats by which the board would be explained worse if that were there and the stacks round about were
    others too. pairs: space → colour, and the nats by which two of it are a likelier way to see it than the one that
    was put there. instead: piece → some places, and what any would explain there in its place, see `gains`, as far as
    that is known already. shows: place → what was asked of it by `shown` since pieces were last put or taken.
    """

    where: Places
    evidence: Flat
    room: float
    busy: npt.NDArray[np.bool_]
    some: Flat
    told: Flat = field(init=False)
    front: Flat = field(init=False)
    crowd: Counts = field(init=False)
    sight: Counts = field(init=False)
    twins: Flat = field(init=False)
    alone: Floats = field(init=False)
    asked: npt.NDArray[np.bool_] = field(init=False)
    standing: list[Put] = field(default_factory=list)
    looked: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    rivals: dict[int, dict[int, float]] = field(default_factory=dict)
    pairs: dict[int, tuple[int, float]] = field(default_factory=dict)
    instead: dict[Put, tuple[Ints, Floats]] = field(default_factory=dict)
    shows: dict[int, Ints] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.told = np.zeros(len(self.evidence), np.float32)
        self.front = np.full(len(self.evidence), _NOTHING, np.float32)
        self.crowd, self.sight = (np.zeros(len(self.where.feet), np.int16) for _ in range(2))
        self.twins = np.zeros((len(self.where.feet), self.evidence.shape[1]), np.float32)
        self.alone, self.asked = np.empty(self.twins.shape), np.zeros(len(self.twins), bool)
        for piece in self.standing:
            self._draw(piece)
            self._count(piece, 1)

    def says(self, pixels: Ints, color: int | Ints) -> Flat:
        """What some pixels, raveled, say for a colour, or each for one of its own, (N,): nats (N,)."""
        return np.asarray(self.evidence.ravel().take(pixels * self.evidence.shape[1] + color))

    def put(self, piece: Put) -> None:
        """Put one piece more on the board."""
        self.standing.append(piece)
        self.shows.clear()
        self._draw(piece)
        self._count(piece, 1)

    def take(self, piece: Put) -> None:
        """Take a piece away: what it hid is seen again."""
        self.standing.remove(piece)
        self.shows.clear()
        self._count(piece, -1)
        seen, _ = self.where.hidden_by(piece[0])
        self.told[seen], self.front[seen] = 0, _NOTHING
        if not self.sight[piece[0]]:
            return
        others = np.array([place for place, _ in self.standing], np.int64)
        for index in np.flatnonzero(self.where.overlapping(others, piece[0])):
            self._draw(self.standing[index])

    def _draw(self, piece: Put) -> None:
        """Draw a piece where no nearer one stands before it."""
        place, color = piece
        pixels, crown = self.where.hidden_by(place)
        reach = np.float32(self.where.reach[place])
        free = self.front.take(pixels) > reach
        seen, count = pixels[free], np.count_nonzero(free[:crown])
        own, side = seen[:count], seen[count:]
        self.told[own] = self.says(own, color)
        if len(side):
            self.told[side] = self.some[side]
        self.front[seen] = reach

    def _count(self, piece: Put, by: int) -> None:
        """Count a piece among those that take the room beside it, or no longer."""
        place, color = piece
        close, near, sight = self.where.beside(place, self.room)
        self.crowd[close] += by
        self.sight[sight] += by
        if self.where.piece.kind != "disc":
            self.twins[:, color][near] += by * _TWIN

    def shown(self, place: int) -> Ints:
        """The pixels, raveled, on which the own colour of the piece is seen that stands at a place; kept until another
        is put or taken."""
        if place not in self.shows:
            pixels, crown = self.where.hidden_by(place)
            own = pixels[:crown]
            self.shows[place] = own[self.front.take(own) >= self.where.reach[place] - 0.01]
        return self.shows[place]

    def crowns(self, places: Ints) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Some pixels, raveled, of the own colour of pieces at some places, (len(places), P), and on which of these the
        piece is seen that stands there."""
        where, part = self.where, slice(self.where.crown)
        pixels = where.pixels(places, part)
        return pixels, (where.weight(places, part) > 0) & (self.front[pixels] >= where.reach[places, None] - 0.01)

    def side_shown(self, place: int) -> Ints:
        """The pixels, raveled, on which the side of the stack is seen that stands at a place."""
        pixels, crown = self.where.hidden_by(place)
        side = pixels[crown:]
        return np.asarray(side[self.front.take(side) >= self.where.reach[place] - 0.01])

    def owner(self) -> Counts:
        """Which piece is seen at each pixel, by its number among those that stand there, −1 if none: (M,)."""
        result = np.full(len(self.front), -1, np.int16)
        for number, (place, _) in enumerate(self.standing):
            pixels, _ = self.where.hidden_by(place)
            result[pixels[self.front.take(pixels) == np.float32(self.where.reach[place])]] = number
        return result

    def gains(self, tried: Ints) -> Floats:
        """Nats that one more piece would explain, (len(tried), K), costs included; −inf where there is no room."""
        if not self.standing:
            return self._alone(tried)
        (room,) = (self.crowd.take(tried) == 0).nonzero()
        if len(room) == len(tried):
            return self._explained(tried)
        value = np.full((len(tried), self.evidence.shape[1]), -np.inf)
        if len(room):
            value[room] = self._explained(tried.take(room))
        return value

    def gains_without(self, piece: Put, tried: Ints) -> Floats:
        """As `gains`, if one piece were not there that is: it is taken, and put back as the last."""
        known, gains = self.instead.get(piece, (tried[:0], None))
        if gains is not None:
            at = np.searchsorted(known, tried)
            if (known.take(at, mode="clip") == tried).all():
                self.standing.remove(piece)
                self.standing.append(piece)
                return gains.take(at, axis=0)
        self.take(piece)
        gains = self.gains(tried)
        self.put(piece)
        return gains

    def fresh(self, tried: Ints) -> Floats:
        """The share of a piece at some places that would be seen where no other piece is, (len(tried),)."""
        bare = self.front.take(self.where.pixels(tried)) > _NOTHING / 10
        return np.asarray(np.einsum("tp,tp->t", self.where.weight(tried), bare) / self.where.heft.take(tried))

    def room_without(self, tried: Ints, place: int) -> npt.NDArray[np.bool_]:
        """At which places there would be room if no piece stood at some place, bool (len(tried),)."""
        own = np.zeros(len(self.crowd), bool)
        own[self.where.beside(place, self.room)[0]] = True
        return np.asarray(self.crowd.take(tried) == own.take(tried))

    def prepare(self, asked: Sequence[Ints]) -> None:
        """Work out at once what pieces at some places would explain alone, as these will be asked bit by bit."""
        every = np.zeros(len(self.crowd), bool)
        for tried in asked:
            every[tried] = True
        self._alone(np.flatnonzero(every & (self.crowd < 2)))

    def squeezed(self, tried: Ints, some: Flat | None = None) -> Floats:
        """As `gains`, whether there is room or not. some: what sides say, if another than `some`."""
        pixels = self.where.pixels(tried)
        return self._beside(tried, pixels, self.front.take(pixels), self.some if some is None else some)

    def _explained(self, tried: Ints) -> Floats:
        """Nats that one more piece would explain where there is room for it, (len(tried), K)."""
        value = self._alone(tried) - self.twins.take(tried, axis=0)
        (rows,) = self.sight.take(tried).nonzero()
        if not len(rows):
            return value
        others = tried.take(rows)
        pixels = self.where.pixels(others)
        depth = self.front.take(pixels)
        (hidden,) = (np.minimum.reduce(depth, axis=1) < _NOTHING / 10).nonzero()
        if len(hidden):
            others = others.take(hidden)
            beside = self._beside(others, pixels.take(hidden, axis=0), depth.take(hidden, axis=0), self.some)
            value[rows.take(hidden)] = beside - self.twins.take(others, axis=0)
        return value

    def _alone(self, tried: Ints) -> Floats:
        """Nats that one more piece would explain where no other is in sight, (len(tried), K); kept once computed."""
        new = tried[~self.asked.take(tried)]
        if len(new):
            self.alone[new], self.asked[new] = self._on_empty(new), True
        return self.alone.take(tried, axis=0)

    def _on_empty(self, tried: Ints) -> Floats:
        """Nats that the first piece would explain, (len(tried), K)."""
        where, crown = self.where, self.where.crown
        pixels, weight = where.pixels(tried), where.weight(tried)
        value = np.matmul(weight[:, None, :crown], self.evidence.take(pixels[:, :crown], axis=0))[:, 0]
        more = -where.cost.take(tried) - PIECE_COST
        if crown < pixels.shape[1]:
            more += np.einsum("tp,tp->t", weight[:, crown:], self.some.take(pixels[:, crown:]))
        return np.asarray(value + more[:, None], np.float64)

    def _beside(self, tried: Ints, pixels: Ints, depth: Flat, some: Flat) -> Floats:
        """Nats that one more piece would explain beside others, (len(tried), K). pixels, depth: of each, (…, P), and
        the distance of what is seen there. some: see `Match`."""
        where, crown = self.where, self.where.crown
        reach = where.reach.take(tried).astype(np.float32)
        seen = where.weight(tried) * (depth > reach[:, None])
        value = np.matmul(seen[:, None, :crown], self.evidence.take(pixels[:, :crown], axis=0))[:, 0]
        more = -np.einsum("tp,tp->t", seen, self.told.take(pixels))
        if crown < pixels.shape[1]:
            more += np.einsum("tp,tp->t", seen[:, crown:], some.take(pixels[:, crown:]))
        fresh = np.einsum("tp,tp->t", seen, depth > _NOTHING / 10) / where.heft.take(tried)
        more -= where.cost.take(tried) + PIECE_COST + _CROWDED * np.maximum(0, _LEAST_FRESH - fresh)
        return np.asarray(value + more[:, None], np.float64)


def crowded(where: Places, standing: Sequence[Put], most: int = FULL) -> npt.NDArray[np.bool_]:
    """On which spaces more pieces of one colour stand than there are, bool (S,). most: so many there are."""
    result = np.zeros(len(where.lone), bool)
    result[[space for space, _ in too_many(where, standing, most)]] = True
    return result


def too_many(where: Places, standing: Sequence[Put], most: int) -> list[tuple[int, int]]:
    """Spaces and the colours of which more stand there than there are: something else is taken for some. most: see
    `crowded`."""
    many = Counter((int(where.space[place]), color) for place, color in standing)
    return [there for there, count in many.items() if count > most]


def twins(found: Match) -> float:
    """Nats that pieces of one colour close by each other cost."""
    if found.where.piece.kind == "disc" or not found.standing:
        return 0.0
    place, color = np.array(found.standing).T
    x, y = found.where.feet[place].T
    near = np.hypot(x[:, None] - x, y[:, None] - y) < 2 * found.room
    return _TWIN * float(np.count_nonzero(np.triu(near & (color[:, None] == color), 1)))


def most_nearby(evidence: Flat, shape: tuple[int, int], box: tuple[slice, slice], over: int) -> Flat:
    """The most of the evidence, (rows·cols, K), for any one colour within a box, (rows·cols,); 0 elsewhere.

    over: pixels each way over which the evidence is averaged first.
    """
    result = np.zeros(shape, np.float32)
    part = evidence.reshape(*shape, -1)[box]
    near: Flat = np.asarray(cv2.blur(part, (over, over)), np.float32).reshape(*part.shape)
    result[box] = reduce(cv2.max, cv2.split(near))
    return result.ravel()
