"""What the camera says: a reading of each space with its doubt, or why the board cannot be seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.model.position import Content

UNLIKELY = -12.0
"""Log-likelihood, relative to the best reading of a space, of a content that a reading without doubt did not list."""


@dataclass(frozen=True, slots=True)
class SpaceSeen:
    """The reading of one space.

    content: the likeliest. confidence: the probability that it is right, 0 to 1.
    covered: a hand or an arm hides it, or it is out of the picture: no evidence, the other fields say nothing.
    likelihoods: natural-log likelihood of each content that was considered, relative to the best (best = 0). unlisted:
    that of any other one, which is hardly less where the reading is hardly believed.
    """

    content: Content
    confidence: float
    covered: bool = False
    likelihoods: Mapping[Content, float] = field(default_factory=dict)
    unlisted: float = UNLIKELY

    def log_likelihood(self, content: Content) -> float:
        """How well `content` explains the picture; 0 is best, and 0 for all where the space is covered."""
        return 0.0 if self.covered else self.likelihoods.get(content, self.unlisted)


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """One frame, read. at: seconds (the camera's clock). moving: something moves over the board.

    spaces: every space of the sheet by name.
    moved: the board or the camera stands elsewhere than in the frame before (a bump), found again.
    """

    at: float
    spaces: Mapping[str, SpaceSeen]
    moving: bool = False
    moved: bool = False

    @property
    def uncovered(self) -> float:
        """Share of the spaces that can be seen, 0 to 1."""
        return sum(not s.covered for s in self.spaces.values()) / max(1, len(self.spaces))


@dataclass(frozen=True, slots=True)
class BoardLost:
    """One frame in which the board was not found. reason: one sentence for people."""

    at: float
    reason: str


Sighting = BoardSeen | BoardLost
