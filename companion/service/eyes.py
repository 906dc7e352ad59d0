"""The eyes: one scene and its memory, which learns the board from what was ruled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.model import BoardSeen, Kind, Position, Sighting, Verdict
from companion.vision import Memory, Scene, learn, look
from companion.vision.draw import annotate
from companion.vision.pose import Frame

CERTAIN = (Kind.LEGAL, Kind.PARTIAL, Kind.RESTORED, Kind.TAKEBACK)
"""After these verdicts the board is known to show the referee's position."""


SECOND_LOOKS = (0.4, 1.5, 4.0)
"""Seconds after the last movement at which a still board is read afresh: a first reading may have caught the end of
a sleeve, too small a thing to see leave."""
LATER_LOOKS = 10.0
"""And after those, once in so many seconds."""


class Eyes:
    """Looks at frames of one board, one after the other. Frames are uint8 BGR, shape (rows, cols, 3)."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._memory: Memory | None = None
        self._moved = 0.0
        self._read = 0.0

    def look(self, image: Frame, at: float) -> Sighting:
        """What stands on the board in this frame. Raises ImageError."""
        if self._memory is not None and self._is_time(at):
            self._memory = replace(self._memory, read=None)
            self._read = at
        sighting, self._memory = look(image, self.scene, self._memory, at)
        if not isinstance(sighting, BoardSeen) or sighting.moving:
            self._moved = self._read = at
        return sighting

    def _is_time(self, at: float) -> bool:
        """Whether a second look is due."""
        if at - self._read >= LATER_LOOKS:
            return True
        return any(self._read - self._moved < after <= at - self._moved for after in SECOND_LOOKS)

    def ruled(self, verdicts: Iterable[Verdict], position: Position, *, began: bool) -> None:
        """Learn from the frame just looked at, if the referee is sure of what it shows.

        verdicts: those that this frame led to. began: it was the first to agree with the game.
        """
        sure = began or any(verdict.kind in CERTAIN for verdict in verdicts)
        if sure and self._memory is not None:
            self._memory = learn(self._memory, self.scene, position)

    def draw(self, image: Frame, sighting: Sighting) -> Frame:
        """The frame with what was read drawn over it."""
        return image if self._memory is None else annotate(image, sighting, self.scene, self._memory)
