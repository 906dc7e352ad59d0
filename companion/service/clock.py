"""The service's clock: seconds that only go forward, at any speed, whatever happens to the time of day."""

from __future__ import annotations

import time


class Clock:
    """It begins at 0. speed: how many of its seconds pass in a real one (the demo runs faster)."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self._start = 0.0
        self._zero = time.monotonic()

    def now(self) -> float:
        """Seconds."""
        return self._start + (time.monotonic() - self._zero) * self.speed

    def move_to(self, seconds: float) -> None:
        """Go on from `seconds`: a game that is resumed keeps its own time."""
        self._start, self._zero = seconds, time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait for `seconds` of this clock."""
        time.sleep(max(0.0, seconds / self.speed))
