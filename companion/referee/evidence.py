"""What several looks at a still board say together: how well any position explains them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from companion.model import UNLIKELY, BoardSeen, Content, Position, Seat, SpaceSeen

REPAIR_LIMIT = 6.0
"""A reading is bent by at most this much log-likelihood so that no piece appears or vanishes."""
SURELY = 4.0
"""Nats from which a space surely looks other than it should."""
MISREAD = 1.0
"""A space is misread when the true content is this much less likely than the best."""

Misread = Mapping[str, tuple[Content, Content]]
"""space → what is seen there wrongly, and what really stands there."""

EMPTY: Mapping[Content, float] = {(): 0.0}


@dataclass(frozen=True, slots=True)
class Quiet:
    """A look while nothing moved. covered: spaces that are no evidence. busy: those not read as plainly empty."""

    look: BoardSeen
    covered: frozenset[str]
    busy: frozenset[str]

    @classmethod
    def of(cls, look: BoardSeen, before: Quiet | None = None) -> Quiet:
        """The digest of a look; `before` is reused where the very same reading is told again."""
        if before is not None and before.look.spaces is look.spaces:
            return cls(look, before.covered, before.busy)
        covered = frozenset([name for name, seen in look.spaces.items() if seen.covered])
        busy = frozenset([name for name, seen in look.spaces.items() if seen.content and not seen.covered])
        return cls(look, covered, busy)


@dataclass(frozen=True)
class Evidence:
    """Mean log-likelihoods of the contents of each uncovered space; best content of a space = 0.

    A space that is read as empty in every look is not `busy`; what else it may hold is worked out when asked for.
    """

    looks: tuple[Quiet, ...]
    misread: Misread = field(default_factory=dict)
    _means: dict[str, Mapping[Content, float]] = field(default_factory=dict, compare=False, repr=False)
    _rest: dict[str, float] = field(default_factory=dict, compare=False, repr=False)

    @property
    def covered(self) -> frozenset[str]:
        """The spaces that are no evidence: covered in the newest look."""
        return self.looks[-1].covered

    @cached_property
    def busy(self) -> frozenset[str]:
        """The uncovered spaces that some look does not read as empty."""
        return frozenset().union(*(quiet.busy for quiet in self.looks)) - self.covered

    def known(self, space: str) -> Mapping[Content, float] | None:
        """The log-likelihood of each content that was considered; None where there is no evidence."""
        if space in self.covered or space not in self.looks[-1].look.spaces:
            return None
        if space not in self._means:
            seen = [quiet.look.spaces.get(space) for quiet in self.looks]
            self._means[space], self._rest[space] = self._forgiven(space, _mean(seen)), _rest(seen)
        return self._means[space]

    def _forgiven(self, space: str, known: Mapping[Content, float]) -> Mapping[Content, float]:
        seen, true = self.misread.get(space, (None, ()))
        return {**known, true: 0.0} if seen is not None and _best(known) == seen else known

    def of(self, space: str, content: Content) -> float:
        """Log-likelihood of `content` on `space`; 0 where the space is covered or not on the sheet."""
        known = self.known(space)
        return 0.0 if known is None else known.get(content, self._rest[space])

    @cached_property
    def all_empty(self) -> float:
        """Log-likelihood of an empty board."""
        return sum(self.of(name, ()) for name in self.busy | self.misread.keys())

    def score(self, position: Position) -> float:
        """Log-likelihood of the whole position; 0 is the best reading of each space by itself."""
        change = 0.0
        for name, content in position.items_:
            known = self._means.get(name) or self.known(name)
            if known is not None:
                rest = self._rest[name]
                change += known.get(content, rest) - known.get((), rest)
        return self.all_empty + change

    def worst(self, position: Position) -> float:
        """Log-likelihood of the whole position in that look which it explains worst."""
        return min(Evidence((quiet,), self.misread).score(position) for quiet in self.looks)

    def best(self, space: str) -> Content:
        """The likeliest content of an uncovered space."""
        return _best(self.known(space) or EMPTY)

    def sureness(self, space: str) -> float:
        """The probability of the best reading of a space; 1 where there is no evidence."""
        return 1 / sum(math.exp(value) for value in (self.known(space) or EMPTY).values())

    def least_sure(self, space: str) -> float:
        """The least confidence of the looks in what they read on a space; 1 where there is no evidence."""
        seen = [quiet.look.spaces[space] for quiet in self.looks if space in quiet.look.spaces]
        return min((one.confidence for one in seen if not one.covered), default=1.0)

    def guessed(self, below: float) -> frozenset[str]:
        """The uncovered spaces that the newest look reads less surely than that, or as one of two that are nearly as
        likely."""
        seen = self.looks[-1].look.spaces.items()
        return frozenset([name for name, one in seen if not one.covered and (one.confidence < below or _either(one))])

    def wavers(self, space: str) -> bool:
        """Whether the looks that count do not all read the same on a space."""
        seen = [quiet.look.spaces[space] for quiet in self.looks if space in quiet.look.spaces]
        return len({one.content for one in seen if not one.covered}) > 1

    def forgiving(self, misread: Misread) -> Evidence:
        """The evidence without what was misread before: what still looks wrong the same way says nothing new."""
        return Evidence(self.looks, misread) if misread else self

    def misread_of(self, position: Position) -> Misread:
        """The spaces that look other than `position`, which is known to be right: space → (seen, true)."""
        stands = dict(position.items_)
        names = (self.busy | stands.keys()) - self.covered
        found = {name: (self.best(name), stands.get(name, ())) for name in names}
        return {name: pair for name, pair in found.items() if self.of(name, pair[1]) < -MISREAD}


def _best(known: Mapping[Content, float]) -> Content:
    return max(known, key=known.__getitem__)


def _mean(readings: Sequence[SpaceSeen | None]) -> Mapping[Content, float]:
    looks = [one for one in readings if one is not None and not one.covered]
    if not looks:
        return EMPTY
    first = looks[0]
    if all(one is first or one.likelihoods == first.likelihoods for one in looks[1:]):
        means = dict(first.likelihoods)
    else:
        contents = {content for one in looks for content in one.likelihoods}
        means = {c: sum([one.log_likelihood(c) for one in looks]) / len(looks) for c in contents}
    top = max(means.values(), default=0.0)
    return {content: value - top for content, value in means.items()} or EMPTY


def _rest(readings: Sequence[SpaceSeen | None]) -> float:
    """The log-likelihood of a content that no look considered."""
    rests = [one.unlisted for one in readings if one is not None and not one.covered]
    return sum(rests) / len(rests) if rests else UNLIKELY


def free_reading(evidence: Evidence, expected: Position, pieces: Mapping[Seat, int]) -> Position:
    """What seems to stand on the board, whatever the rules allow.

    Covered spaces are taken as `expected`. Where a colour has too many or too few pieces (`pieces`: how many each
    seat owns), doubtful spaces are read otherwise, if that costs little, so that the pieces add up.
    """
    contents = {name: evidence.best(name) for name in evidence.busy | evidence.misread.keys() - evidence.covered}
    contents |= {name: expected.at(name) for name in evidence.covered}
    plain = Position.of(contents)
    if adds_up(plain, pieces):
        return plain
    return min(_repairs(evidence, plain, pieces), default=(0.0, plain), key=lambda pair: pair[0])[1]


def of_players(seen: Position, evidence: Evidence, seats: Collection[Seat]) -> Position:
    """A reading, in which a space that shows a piece of nobody who plays holds what is likeliest of the players'."""
    contents = dict(seen.items())
    for name, content in seen.items():
        if not set(content) <= set(seats):
            known = evidence.known(name) or EMPTY
            contents[name] = _best({one: level for one, level in known.items() if set(one) <= set(seats)} or EMPTY)
    return Position.of(contents)


def adds_up(position: Position, pieces: Mapping[Seat, int]) -> bool:
    """Whether every seat has just its number of pieces on the board; where pieces hide each other ({}) none counts."""
    return not pieces or dict(position.count()) == {seat: n for seat, n in pieces.items() if n}


def _repairs(
    evidence: Evidence, plain: Position, pieces: Mapping[Seat, int]
) -> Iterable[tuple[float, Position]]:
    doubts = sorted(_doubts(evidence))[:12]
    for size in (1, 2):
        for chosen in combinations(doubts, size):
            cost = sum(c for c, _, _ in chosen)
            bent = Position.of({**plain, **{name: content for _, name, content in chosen}})
            if cost <= REPAIR_LIMIT and adds_up(bent, pieces):
                yield cost, bent


def _doubts(evidence: Evidence) -> Iterable[tuple[float, str, Content]]:
    for name in evidence.looks[-1].look.spaces:
        known = evidence.known(name) or EMPTY
        best = _best(known)
        for content, value in known.items():
            if content != best and -value <= REPAIR_LIMIT:
                yield -value, name, content


def _either(seen: SpaceSeen) -> bool:
    """Whether a reading is a guess between two: the next is hardly less likely than the best."""
    others = (level for content, level in seen.likelihoods.items() if content != seen.content)
    return max(others, default=-math.inf) > seen.log_likelihood(seen.content) - MISREAD
