"""When a board holds still: the looks since the last hand or movement, as one settled observation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.model import BoardLost, Content, Sighting, SpaceSeen
from companion.referee.evidence import Evidence, Quiet

KEPT = 5
"""Looks that are averaged; more would only delay the notice of a change."""
FURNITURE = 6.0
"""Seconds after which what covers the same spaces is furniture (a cup, a sleeve at the edge), not a hand."""
HAND = 2
"""Freshly covered spaces that make a hand; a single one is a reading in doubt."""
SURE = 0.97
"""Confidence of a reading that, when another one follows it as surely, shows that something changed."""
CALM = 0.8
"""Seconds without such a change after which the eyes have made up their mind: no foul is named sooner."""


@dataclass(frozen=True, slots=True)
class Torn:
    """The spaces that are read now as one thing and now as another, for sure each time, though nothing moves: never
    does such a board hold still. since: when that began, seconds."""

    spaces: frozenset[str]
    since: float


@dataclass(frozen=True, slots=True)
class Settled:
    """A still board. since: from when on it is read as it is now. at: the newest look.

    touched: a hand, a movement or a gap in the view came before it, so that something may have been done.
    known: what was read for sure when the board was last known, space → content; {} once it is touched.
    rested: when it came to rest; the eyes may have changed their mind about it later. torn: see `Torn`.
    """

    evidence: Evidence
    since: float
    at: float
    touched: bool
    rested: float
    known: Mapping[str, Content] = field(default_factory=dict)
    torn: Torn | None = None

    @property
    def held(self) -> float:
        """How long the board has been still, seconds."""
        return self.at - self.since


@dataclass(frozen=True, slots=True)
class Stillness:
    """The recent quiet looks, oldest first; a value that `seen` replaces. covered: space → since when, seconds.

    touched: something moved, or could not be seen, since the board was last known (`untouched`); so what was covered
    for long may be other than it was when it is seen again. known: what was read for sure then.
    since: from when on the board is read as it is now; rested: when it came to rest; lost_since: from when on it could
    not be seen, None while it can; stirred: since when it never rested for as long as the eyes take (`CALM`), None once
    it did; all in seconds. torn: see `Torn`.
    """

    looks: tuple[Quiet, ...] = ()
    since: float = 0.0
    covered: Mapping[str, float] = field(default_factory=dict)
    lost_since: float | None = None
    touched: bool = True
    rested: float = 0.0
    known: Mapping[str, Content] = field(default_factory=dict)
    torn: Torn | None = None
    stirred: float | None = None

    def seen(self, sighting: Sighting) -> Stillness:
        """The stillness after one more sighting."""
        if isinstance(sighting, BoardLost):
            since = sighting.at if self.lost_since is None else self.lost_since
            return Stillness(lost_since=since)
        last = self.looks[-1] if self.looks else None
        quiet = Quiet.of(sighting, last)
        covered = {name: self.covered.get(name, sighting.at) for name in quiet.covered}
        if sighting.moving or sighting.moved or _is_hand(covered, sighting.at):
            return Stillness((), self.since, covered, stirred=sighting.at if self.stirred is None else self.stirred)
        rested = sighting.at if last is None else self.rested
        stirred = None if sighting.at - rested >= CALM else self.stirred
        here = replace(self, covered=covered, lost_since=None, rested=rested, stirred=stirred)
        if any(sighting.at - since >= FURNITURE for name, since in self.covered.items() if name not in covered):
            return replace(here, looks=(quiet,), since=sighting.at, rested=sighting.at, touched=True, known={})
        changed = frozenset[str]() if last is None else _differ(last, quiet)
        if last is None or changed:
            return replace(here, looks=(quiet,), since=sighting.at, torn=self._torn(changed, sighting.at))
        return replace(here, looks=(*self.looks, _as_seen_before(quiet, last))[-KEPT:])

    def _torn(self, changed: frozenset[str], at: float) -> Torn | None:
        if not changed:
            return None
        before = self.torn if at - self.since < CALM else None
        return Torn(changed, at) if before is None else Torn(before.spaces | changed, before.since)

    def untouched(self) -> Stillness:
        """From now on only a new movement can have changed the board."""
        if not self.touched:
            return self
        last = self.looks[-1].look.spaces.items() if self.looks else ()
        return replace(self, touched=False, known={n: seen.content for n, seen in last if seen.confidence > SURE})

    def settled(self) -> Settled | None:
        """The settled observation, or None while something moves, a hand is there or the board is lost."""
        if not self.looks:
            return None
        at = self.looks[-1].look.at
        torn = self.torn if at - self.since < CALM else None
        return Settled(Evidence(self.looks), self.since, at, self.touched, self.rested, self.known, torn)


def _is_hand(covered: Mapping[str, float], at: float) -> bool:
    return len(covered) >= HAND and sum(at - since < FURNITURE for since in covered.values()) >= HAND


def _as_seen_before(now: Quiet, before: Quiet) -> Quiet:
    """The look, with what it does not show as the one before it does: nothing moved, so it stands there still."""
    seen = {name: before.look.spaces[name] for name in now.covered - before.covered if name in before.look.spaces}
    return Quiet.of(replace(now.look, spaces={**now.look.spaces, **seen})) if seen else now


def _differ(before: Quiet, now: Quiet) -> frozenset[str]:
    """The spaces that changed between two quiet looks that both are sure of them."""
    if before.look.spaces is now.look.spaces:
        return frozenset()
    pairs = ((n, before.look.spaces.get(n), now.look.spaces.get(n)) for n in _read(before, now))
    return frozenset(n for n, old, new in pairs if old is not None and new is not None and _otherwise(old, new))


def _read(before: Quiet, now: Quiet) -> frozenset[str]:
    return (before.busy | now.busy) - before.covered - now.covered


def _otherwise(old: SpaceSeen, new: SpaceSeen) -> bool:
    return new.content != old.content and min(new.confidence, old.confidence) > SURE
