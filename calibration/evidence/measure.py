"""What the eyes make of a picture whose truth is known, and how far their confidences can be believed."""

from __future__ import annotations

import math
import statistics
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

from calibration.evidence.making import Made, printed
from companion.model import BoardSeen, Content, SpaceSeen
from companion.vision import Scene, look, make_scene

EDGES = (0.0, 0.5, 0.9, 0.97, 0.99, 0.999, 1.0)
"""Bounds of the reliability bins: confidence above the lower, up to the upper."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A space that was read wrong."""

    space: str
    truth: Content
    read: Content
    confidence: float


@dataclass(frozen=True, slots=True)
class Result:
    """One picture, looked at. counted: spaces that can be seen. judged: confidence and whether right, per reading.

    unread: spaces called covered that are not. false, missed, colored: pieces too many, too few, of a wrong colour.
    reason: why the board was not found.
    """

    condition: str
    game: str
    counted: int
    ms: float
    registered: bool
    judged: Sequence[tuple[float, bool]] = ()
    unread: int = 0
    false: int = 0
    missed: int = 0
    colored: int = 0
    slips: Sequence[Slip] = ()
    reason: str = ""

    @property
    def right(self) -> int:
        """Spaces read right."""
        return sum(good for _, good in self.judged)


@dataclass(frozen=True, slots=True)
class Bin:
    """Readings whose confidences lie close together. given: their mean; true: the share that was right."""

    low: float
    high: float
    count: int = 0
    given: float = math.nan
    true: float = math.nan


@dataclass(frozen=True, slots=True)
class Summary:
    """Several pictures. Shares are 0 to 1, of the spaces that can be seen (of boards not found too)."""

    name: str
    pictures: int
    registered: int
    right: float
    whole: float
    unread: float
    false: int
    missed: int
    colored: int
    error: float
    ms: float
    bins: Sequence[Bin] = field(default_factory=tuple)


def measure(made: Made, scene: Scene | None = None) -> Result:
    """Look at a picture once, without a memory, and compare. scene: where it is no printed board."""
    scene = scene or _scene(made.game, tuple(made.options.items()))
    began = time.perf_counter()
    sighting, _ = look(made.frame, scene)
    ms = (time.perf_counter() - began) * 1000
    if not isinstance(sighting, BoardSeen):
        return Result(made.condition, made.game, len(made.counted), ms, False, reason=sighting.reason)
    return compare(made.condition, made.game, made.counted, sighting.spaces, ms)


@lru_cache(maxsize=16)
def _scene(game: str, options: tuple[tuple[str, Any], ...]) -> Scene:
    return make_scene(*printed(game, options))


def compare(
    condition: str, game: str, truth: Mapping[str, Content], read: Mapping[str, SpaceSeen], ms: float = 0.0
) -> Result:
    """The result of one reading against the truth of the spaces that count."""
    false = missed = colored = 0
    judged, slips = [], []
    for name, content in truth.items():
        seen = read[name]
        if seen.covered:
            continue
        judged.append((seen.confidence, seen.content == content))
        if seen.content == content:
            continue
        slips.append(Slip(name, content, seen.content, seen.confidence))
        more = (Counter(seen.content) - Counter(content)).total()
        less = (Counter(content) - Counter(seen.content)).total()
        colored += min(more, less)
        false += max(0, more - less)
        missed += max(0, less - more)
    unread = len(truth) - len(judged)
    return Result(condition, game, len(truth), ms, True, tuple(judged), unread, false, missed, colored, tuple(slips))


def summary(name: str, results: Sequence[Result]) -> Summary:
    """What several pictures say together."""
    judged = [pair for result in results for pair in result.judged]
    spaces = max(1, sum(result.counted for result in results))
    bins = reliability(judged)
    return Summary(
        name=name,
        pictures=len(results),
        registered=sum(result.registered for result in results),
        right=sum(result.right for result in results) / spaces,
        whole=sum(r.registered and r.right == r.counted for r in results) / max(1, len(results)),
        unread=sum(result.unread for result in results) / spaces,
        false=sum(result.false for result in results),
        missed=sum(result.missed for result in results),
        colored=sum(result.colored for result in results),
        error=calibration_error(bins),
        ms=statistics.median([result.ms for result in results]) if results else 0.0,
        bins=bins,
    )


def reliability(judged: Sequence[tuple[float, bool]]) -> list[Bin]:
    """The readings in bins by the confidence given."""
    found = []
    for low, high in pairwise(EDGES):
        inside = [(given, good) for given, good in judged if low < given <= high or (low == given == 0)]
        if inside:
            given, true = (sum(column) / len(inside) for column in zip(*inside, strict=True))
            found.append(Bin(low, high, len(inside), given, true))
        else:
            found.append(Bin(low, high))
    return found


def calibration_error(bins: Sequence[Bin]) -> float:
    """Expected calibration error: the mean distance of the given from the true, each reading counting the same."""
    total = sum(one.count for one in bins)
    return sum(one.count * abs(one.given - one.true) for one in bins if one.count) / max(1, total)
