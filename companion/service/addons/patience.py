"""Patience with code that may never end: it is stopped, wherever it is, and can be named."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LONGEST = 5.0
"""Seconds that one question to a game may take. The five games need less than half a second for any."""


class NeverEnds(BaseException):
    """Raised in the midst of code that takes too long; no Exception, which that code might catch itself."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not done after {seconds:g} seconds")
        self.seconds = seconds


class Patience:
    """Patience of so many seconds, which begins anew with each `renew`."""

    def __init__(self, seconds: float = LONGEST) -> None:
        self.seconds = seconds
        self._watches = False

    def renew(self) -> None:
        """Something else begins."""
        if self._watches:
            signal.setitimer(signal.ITIMER_REAL, self.seconds, self.seconds)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Raises NeverEnds in what is done within, once it takes too long. In another thread than the first nobody
        watches, nor can code be stopped that waits within a library."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before, self._watches = signal.signal(signal.SIGALRM, self._ring), True
        timer = signal.getitimer(signal.ITIMER_REAL)
        self.renew()
        try:
            yield
        finally:
            self._watches = False
            signal.setitimer(signal.ITIMER_REAL, *timer)
            signal.signal(signal.SIGALRM, before)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if frame is None or not _is_swept(frame):
            raise NeverEnds(self.seconds)


def _is_swept(frame: FrameType) -> bool:
    """Whether Python clears away there, where it hears no error: then the next ring tells."""
    return frame.f_code.co_name == "__del__" or frame.f_globals.get("__name__") == "weakref"
