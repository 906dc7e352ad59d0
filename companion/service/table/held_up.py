"""Whoever holds the loop up is named, while it does: an add-on whose method never ends leaves the table dead."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import FrameType

from companion.service.addons.breaches import asked_among, how_to_find

HELD_UP = 10.0
"""Real seconds that a round of the loop may take; most take less than a fifth of one."""
LOOK = 1.0
"""Seconds from one look at the loop to the next."""
DEAD = "Until it does nothing is heard and nothing is judged: restart the referee. If it comes again, play without it."
OWN = {
    "companion.panel.also": "panel",
    "companion.service.table.throws": "dice",
    "companion.service.table.rolls": "dice",
}
"""The modules from which devices of one's own are called, each with what these are."""
_OURS = {"companion", *sys.stdlib_module_names}

Told = Callable[[str, str], None]
"""What is to be done with the sentence, "" where nobody is to be named, and with where the loop is, for the log."""


class Watch:
    """Watches over a loop, which says that each `round` begins. told: of each that takes too long, from another thread;
    once, and once more if somebody is to be named who was not."""

    def __init__(self, told: Told, longest: float = HELD_UP, look: float = LOOK) -> None:
        self._told, self._longest, self._look = told, longest, look
        self._began = time.monotonic()

    def round(self) -> None:
        """Another round begins."""
        self._began = time.monotonic()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watches over the thread that calls it."""
        over, loop = threading.Event(), threading.get_ident()
        self.round()
        thread = threading.Thread(target=self._watch, args=(loop, over), name="watch over the loop", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _watch(self, loop: int, over: threading.Event) -> None:
        late, named, blamed = -1.0, -1.0, False  # the rounds, by when they began
        while not over.wait(self._look):
            began = self._began
            if time.monotonic() - began <= self._longest or (began == named and blamed):
                continue
            frame = sys._current_frames().get(loop)
            if late == began == self._began and frame is not None:
                text = held_up(_calls(frame), self._longest)
                if text or began != named:
                    self._told(text, "".join(traceback.format_stack(frame)))
                named, blamed = began, bool(text)
            late = began  # and is looked at once more, for the whole program may have stood still


def _calls(frame: FrameType | None) -> list[FrameType]:
    """The calls that led to a frame, the first one first."""
    calls = []
    while frame is not None:
        calls.append(frame)
        frame = frame.f_back
    return calls[::-1]


def held_up(calls: Sequence[FrameType], seconds: float) -> str:
    """The sentence for players on code of a game, or of a panel or dice of one's own, that does not come back; "" where
    none of these was asked."""
    last = next(call for call in reversed(calls) if _package(call) not in sys.stdlib_module_names)
    where = f"for {seconds:g} seconds; it is in {Path(last.f_code.co_filename).name}, line {last.f_lineno}"
    asked = asked_among(calls)
    if asked is not None:
        game, method = asked.f_locals["self"], asked.f_code.co_name
        return f"The game {game.name!r} has not come back from its {method}() {where}. {DEAD} {how_to_find(game.name)}"
    for caller, called in pairwise(calls):
        what = OWN.get(caller.f_globals.get("__name__", ""))
        if what is not None and _package(called) not in _OURS:
            name = f"{called.f_globals.get('__name__')}.{called.f_code.co_qualname}"
            have = "has" if what == "panel" else "have"
            return f"The {what} of your own {have} not come back from {name}() {where}. {DEAD}"
    return ""


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]
