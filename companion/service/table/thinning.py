"""Which sightings are told to the referee, and so kept in the journal: changes, and a few looks after each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.model import BoardLost, Sighting

PACE = ((2.0, 0.15), (9.0, 0.5), (float("inf"), 10.0))
"""Up to so many seconds after a change, one look in so many seconds."""
MOVING = 1.0
"""The same while something moves or nothing is seen: no evidence, but the referee must know."""
SELDOM = 0.1
"""Share of the time since anything changed or was said that passes until the next look: a table that is left alone, or
is dark, for weeks does not fill the disk, and a game that was left begins again as quickly as it did that evening."""


@dataclass
class Thinner:
    """Remembers what was told last. A still board costs little; a change is told at once."""

    _signature: Any = None
    _since: float = 0.0
    _told: float = -1e9
    _calm: float | None = None

    def worth(self, sighting: Sighting) -> bool:
        """Whether the referee should be told of this one."""
        signature = _signature(sighting)
        if signature != self._signature:
            self._signature = signature
            self._since = self._told = self._calm = sighting.at
            return True
        self._calm = sighting.at if self._calm is None else self._calm
        still = sighting.at - self._since
        pace = MOVING if isinstance(signature, str) else next(every for until, every in PACE if still <= until)
        if sighting.at - self._told < max(pace, SELDOM * (sighting.at - self._calm)):
            return False
        self._told = sighting.at
        return True

    def asked_for(self) -> None:
        """The next look is told: something was said, as a roll, by which the board that lies there is to be judged."""
        self._told, self._calm = -1e9, None


def _signature(sighting: Sighting) -> Any:
    if isinstance(sighting, BoardLost):
        return sighting.reason
    if sighting.moving or sighting.moved:
        return "moving"
    return tuple((name, None if s.covered else s.content) for name, s in sighting.spaces.items())
