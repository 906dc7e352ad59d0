"""Patience with code that may never end: it is stopped, wherever it is, and can be named."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LONGEST = 5.0
"""Seconds that one question to a game may take. The five games need less than half a second for any."""
LOOKS = 0.1
"""Seconds between two looks at the clock."""


class NeverEnds(BaseException):
    """Raised in the midst of code that takes too long; no Exception, which that code might catch itself."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not done after {seconds:g} seconds")
        self.seconds = seconds


class Patience:
    """Patience of so many seconds, which begins anew with each `renew`."""

    def __init__(self, seconds: float = LONGEST) -> None:
        self.seconds = seconds
        self._until = float("inf")

    def renew(self) -> None:
        """Something else begins."""
        self._until = time.monotonic() + self.seconds

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Raises NeverEnds in what is done within, once it takes too long. In another thread than the first nobody
        watches, nor can code be stopped that waits within a library."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before, over = signal.signal(signal.SIGVTALRM, self._ring), threading.Event()
        watcher = threading.Thread(target=self._watch, args=(over,), daemon=True)
        self.renew()
        watcher.start()
        try:
            yield
        finally:
            self._until = float("inf")
            over.set()
            watcher.join()
            signal.signal(signal.SIGVTALRM, before)

    def _watch(self, over: threading.Event) -> None:
        first = threading.main_thread().ident
        while first is not None and not over.wait(LOOKS):
            if time.monotonic() > self._until:
                signal.pthread_kill(first, signal.SIGVTALRM)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if time.monotonic() > self._until:  # or it went on meanwhile
            self.renew()
            raise NeverEnds(self.seconds)
