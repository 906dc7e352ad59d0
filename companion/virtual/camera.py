"""The pretend camera: a picture of the pretend table at the moment at which it is asked for one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from companion.camera import BLACK, FROZEN, OK, Frame
from companion.virtual.painter import Painter
from companion.virtual.tabletop import Tabletop

_STATES = {"": OK, "unplugged": "the pretend camera is unplugged", "black": BLACK, "frozen": FROZEN}


@dataclass
class PretendCamera:
    """A camera over a Tabletop. lock: held while the table is looked at. fps: frames in a second of the clock.

    light: brightness at a time, against the view's. It can misbehave: `fault` is "", "unplugged", "black" or "frozen".
    """

    table: Tabletop
    painter: Painter
    clock: Callable[[], float]
    lock: threading.Lock
    fps: float = 10.0
    light: Callable[[float], float] = lambda at: 1.0
    fault: str = ""
    _last: Frame | None = field(default=None, init=False)

    @property
    def state(self) -> str:
        """ "ok", or what is wrong, for people."""
        return _STATES[self.fault]

    def newest(self, after: float | None = None) -> Frame | None:
        """A picture of now, if it is time for one."""
        now = self.clock()
        if self.fault == "unplugged" or (after is not None and now - after < 1 / self.fps):
            return None
        self._last = self._picture(now)
        return self._last

    def _picture(self, now: float) -> Frame:
        if self.fault == "frozen" and self._last is not None:
            return Frame(now, self._last.image)
        with self.lock:
            pawns, hand = list(self.table.pawns), self.table.hand
            dice = self.table.dice.now(now) if self.table.dice is not None else ()
        light = 0.0 if self.fault == "black" else self.light(now)
        return Frame(now, self.painter.paint(pawns, hand, light, dice))

    def frames(self) -> Iterator[Frame]:
        """Frames for ever."""
        last: float | None = None
        while True:
            frame = self.newest(last)
            if frame is not None:
                last = frame.at
                yield frame

    def close(self) -> None:
        """Nothing to let go."""
