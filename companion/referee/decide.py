"""Which explanation of a settled board is the best one, and by how much."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from heapq import nlargest

from companion.model import Position, Seat
from companion.referee.evidence import Evidence, adds_up, free_reading
from companion.referee.turn import Candidate, Look

PRIOR = {
    Look.THERE: 0.0,
    Look.CAPTURED_IN_HAND: -1.0,
    Look.CAPTURED_KEPT: -1.0,
    Look.RETURNED_EARLY: -1.0,
    Look.IN_HAND: -3.0,
}
"""Log-odds of an explanation before the board is looked at, against a legal one."""
PASSING = (Look.CAPTURED_IN_HAND, Look.CAPTURED_KEPT, Look.IN_HAND)
"""Looks of a moment, while a hand is at work: what stays like that is as wrong as a foul."""
STANDING = 0.5
"""The board as it stood is a little likelier than any one change."""
FOUL = -5.0
"""The same for a board that no play explains: one space misread is no foul."""
PLAIN = -0.5
"""A standing position that explains the board this well needs no comparison."""
MARGIN_LEGAL, MARGIN_FOUL = 2.5, 4.0
"""Nats by which the best explanation must beat the next: for a play; for an accusation."""
NEAR = 40
"""Near so many of the likeliest positions the middle of a step is looked for."""

Candidates = Mapping[Position, Candidate]


@dataclass(frozen=True, slots=True)
class Decision:
    """The best explanation. candidate: None where no play explains the board. margin: nats ahead of the next.

    doubtful: the spaces on which the best and the next best differ. fit: log-likelihood of the board as it stood.
    ahead: the margin, but for what may be so for a moment only (PASSING).
    """

    position: Position
    candidate: Candidate | None
    margin: float
    doubtful: tuple[str, ...]
    adds_up: bool
    fit: float
    ahead: float


def decide(
    evidence: Evidence,
    candidates: Candidates,
    between: Callable[[Iterable[Position]], Candidates],
    standing: Position,
    pieces: Mapping[Seat, int],
    *,
    stays: bool = False,
) -> Decision:
    """Weigh every candidate and the free reading of the board.

    candidates: what the turn explains, `standing` among them. between: the same in the middle of a step, near some
    positions; where both know a position, the former counts. pieces: how many each seat owns. stays: what is so for a
    moment only (PASSING) is no explanation.
    """
    here = evidence.score(standing)
    if here > PLAIN:
        return Decision(standing, candidates[standing], -here - FOUL, (), True, here, -here - FOUL)
    ranked = [(evidence.score(p) + (STANDING if p == standing else 0.0), p) for p in candidates]
    halfway = between([position for _, position in nlargest(NEAR, ranked, key=_weight)])
    halfway = {p: c for p, c in halfway.items() if p not in candidates and not (stays and c.look in PASSING)}
    ranked += [(evidence.score(p) + PRIOR[c.look], p) for p, c in halfway.items()]
    free = free_reading(evidence, standing, pieces)
    if free not in candidates and free not in halfway:
        ranked.append((evidence.score(free) + FOUL, free))
    (best, position), (second, other) = (*nlargest(2, ranked, key=_weight), (-math.inf, standing))[:2]
    candidate = candidates.get(position) or halfway.get(position)
    passing = {p for p, c in halfway.items() if c.look in PASSING}
    ahead = best - max((score for score, p in ranked if p != position and p not in passing), default=-math.inf)
    doubtful = position.changed(other)
    return Decision(position, candidate, best - second, doubtful, adds_up(position, pieces), here, ahead)


def _weight(weighed: tuple[float, Position]) -> float:
    return weighed[0]
