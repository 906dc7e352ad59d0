"""Rotation: how many turns each seat has had, by which the players of a colour take them one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.model import Due, DueKind, Seat

WITHIN = (DueKind.THROW, DueKind.CHALLENGE, DueKind.OVER)
"""What may be due from another seat within a turn."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """taken: the turns that are over, by seat. player: who played last, whose turn may be taken back or slid on yet."""

    taken: Mapping[Seat, int] = field(default_factory=dict)
    player: Seat | None = None

    def over(self, seat: Seat, due: Due) -> int:
        """How many turns of the seat are over, where that is due: the last one as soon as it has left the seat."""
        left = seat == self.player != due.seat and due.kind not in WITHIN
        return self.taken.get(seat, 0) + left

    def played(self, seat: Seat) -> Rotation:
        """After a play of that seat: the turn of whoever played before is over, if it was another."""
        if self.player is None or seat == self.player:
            return Rotation(self.taken, seat)
        return Rotation({**self.taken, self.player: self.taken.get(self.player, 0) + 1}, seat)

    def to_json(self) -> dict[str, Any]:
        """As a view of the journal keeps it."""
        return {"taken": {str(seat): count for seat, count in self.taken.items()}, "player": self.player}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Rotation:
        """What `to_json` gave. Journals of old have none: the rotation begins."""
        return cls({int(seat): count for seat, count in data.get("taken", {}).items()}, data.get("player"))
