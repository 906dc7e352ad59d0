"""A recorded camera at the pace at which it was recorded, as if it were live."""

from __future__ import annotations

from collections.abc import Iterator

from companion.camera import Camera, Frame
from companion.service.clock import Clock


class Paced:
    """A recorded camera shown at the speed at which it was recorded; its last picture stays, as of a still table."""

    STAYS = 0.25
    """Seconds after which the last picture is shown again."""

    def __init__(self, camera: Camera, clock: Clock) -> None:
        self._camera, self._clock = camera, clock
        self._offset = 0.0
        self._next: Frame | None = None
        self._last: Frame | None = None  # in the recording's own time: the clock's, taken back, may be a little less
        self._closed = False

    @property
    def state(self) -> str:
        """As the recorded camera says."""
        return self._camera.state

    def newest(self, after: float | None = None) -> Frame | None:
        """The next recorded frame, once its time has come, at the end the last one again; times are the clock's."""
        if self._next is None:
            self._next = self._camera.newest(None if self._last is None else self._last.at)
        frame, now = self._next, self._clock.now()
        if frame is None:
            return self._still(after, now)
        if self._last is None:
            self._offset = now - frame.at
        if frame.at + self._offset > now:
            return None
        self._next, self._last = None, frame
        return Frame(frame.at + self._offset, frame.image)

    def _still(self, after: float | None, now: float) -> Frame | None:
        if self._last is None or (after is not None and now < after + self.STAYS):
            return None
        return Frame(now, self._last.image)

    def frames(self) -> Iterator[Frame]:
        """Frames at their time, until the camera is closed."""
        last: float | None = None
        while not self._closed:
            frame = self.newest(last)
            if frame is None:
                self._clock.sleep(0.01)
                continue
            last = frame.at
            yield frame

    def close(self) -> None:
        """Let the recording go."""
        self._closed = True
        self._camera.close()
