"""When a board holds still: the looks since the last hand or movement, as one settled observation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.model import BoardLost, Content, Sighting
from companion.referee.evidence import Evidence, Quiet

KEPT = 5
"""Looks that are averaged; more would only delay the notice of a change."""
FURNITURE = 6.0
"""Seconds after which what covers the same spaces is furniture (a cup, a sleeve at the edge), not a hand."""
HAND = 2
"""Freshly covered spaces that make a hand; a single one is a reading in doubt."""
SURE = 0.97
"""Confidence of a reading that, when another one follows it as surely, shows that something changed."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A still board. since: from when on it is read as it is now. at: the newest look.

    touched: a hand, a movement or a gap in the view came before it, so that something may have been done.
    known: what was read for sure when the board was last known, space → content; {} once it is touched.
    rested: when it came to rest; the eyes may have changed their mind about it later.
    """

    evidence: Evidence
    since: float
    at: float
    touched: bool
    rested: float
    known: Mapping[str, Content] = field(default_factory=dict)

    @property
    def held(self) -> float:
        """How long the board has been still, seconds."""
        return self.at - self.since


@dataclass(frozen=True, slots=True)
class Stillness:
    """The recent quiet looks, oldest first; a value that `seen` replaces. covered: space → since when, seconds.

    touched: something moved, or could not be seen, since the board was last known (`untouched`); so what was covered
    for long may be other than it was when it is seen again. known: what was read for sure then.
    """

    looks: tuple[Quiet, ...] = ()
    since: float = 0.0
    covered: Mapping[str, float] = field(default_factory=dict)
    lost_since: float | None = None
    touched: bool = True
    rested: float = 0.0
    known: Mapping[str, Content] = field(default_factory=dict)

    def seen(self, sighting: Sighting) -> Stillness:
        """The stillness after one more sighting."""
        if isinstance(sighting, BoardLost):
            since = sighting.at if self.lost_since is None else self.lost_since
            return Stillness(lost_since=since)
        last = self.looks[-1] if self.looks else None
        quiet = Quiet.of(sighting, last)
        covered = {name: self.covered.get(name, sighting.at) for name in quiet.covered}
        if sighting.moving or sighting.moved or _is_hand(covered, sighting.at):
            return Stillness((), self.since, covered)
        here = replace(self, covered=covered, lost_since=None, rested=sighting.at if last is None else self.rested)
        if any(sighting.at - since >= FURNITURE for name, since in self.covered.items() if name not in covered):
            return replace(here, looks=(quiet,), since=sighting.at, rested=sighting.at, touched=True, known={})
        if last is None or _differs(last, quiet):
            return replace(here, looks=(quiet,), since=sighting.at)
        return replace(here, looks=(*self.looks, _as_seen_before(quiet, last))[-KEPT:])

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
        return Settled(Evidence(self.looks), self.since, self.looks[-1].look.at, self.touched, self.rested, self.known)


def _is_hand(covered: Mapping[str, float], at: float) -> bool:
    return len(covered) >= HAND and sum(at - since < FURNITURE for since in covered.values()) >= HAND


def _as_seen_before(now: Quiet, before: Quiet) -> Quiet:
    """The look, with what it does not show as the one before it does: nothing moved, so it stands there still."""
    seen = {name: before.look.spaces[name] for name in now.covered - before.covered if name in before.look.spaces}
    return Quiet.of(replace(now.look, spaces={**now.look.spaces, **seen})) if seen else now


def _differs(before: Quiet, now: Quiet) -> bool:
    """Whether something changed between two quiet looks that both are sure of."""
    if before.look.spaces is now.look.spaces:
        return False
    for name in (before.busy | now.busy) - before.covered - now.covered:
        old, new = before.look.spaces.get(name), now.look.spaces[name]
        if old is not None and new.content != old.content and min(new.confidence, old.confidence) > SURE:
            return True
    return False
