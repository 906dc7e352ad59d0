"""Panels of one's own beside the pins: an LED strip, a second buzzer, a lamp of the house (docs/add-a-panel.md)."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from typing import Protocol

from companion.model import FAILURES, raised, reason_of
from companion.panel.panel import Panel, Pins, Press, open_panel
from companion.panel.patterns import Lamps

LOG = logging.getLogger(__name__)
Pressed = Callable[[Press], None]


class Shows(Protocol):
    """What shows the state of the table. The service calls it from one thread, and waits for it: be quick."""

    def show(self, lamps: Lamps) -> None:
        """Show that from now on; called when it is another than before."""
        ...

    def close(self) -> None:
        """Put everything out, and let go of it."""
        ...


ALSO: dict[str, Callable[[Pressed], Shows]] = {}
"""Word of `[panel] also` → what makes such a panel. It is given what to call, from any thread, when a button of its own
is pressed; it raises an error with the reason where it cannot be used."""


class Panels:
    """Several panels as one. A panel of one's own that fails is left out, which is logged; the others go on."""

    def __init__(self, pins: Panel | None, own: Shows | None = None) -> None:
        self._pins, self._own = pins, own
        self._shown: Lamps | None = None
        self.trouble = ""
        """Why the panel of one's own is done without, for people; "" while it is not."""

    def show(self, lamps: Lamps) -> None:
        """Let all show that; showing again what is shown changes nothing."""
        if self._pins is not None:
            self._pins.show(lamps)
        if self._own is None or lamps == self._shown:
            return
        self._shown = lamps
        try:
            self._own.show(lamps)
        except FAILURES as error:  # each has errors of its own
            LOG.exception("the panel of one's own failed, and is done without until the next start")
            self.trouble = f"The panel of your own failed, and is done without until the next start: {raised(error)}"
            self._close_own()

    def _close_own(self) -> None:
        own, self._own = self._own, None
        if own is not None:
            with contextlib.suppress(*FAILURES):  # what failed may fail to end, too
                own.close()

    def close(self) -> None:
        """Put out all lamps and let go of what they are on."""
        self._close_own()
        if self._pins is not None:
            self._pins.close()


def open_panels(pins: Pins, pressed: Pressed) -> tuple[Panels | None, str]:
    """The panel on the pins and the one of one's own, each if it is configured and works; and what is done without."""
    own, why = _own(pins.also, pressed)
    alone = bool(pins.also) and pins == Pins(also=pins.also)
    panel, missing = (None, "") if alone else open_panel(pins, pressed)
    said = ". ".join(filter(None, (missing, why)))
    return (None if panel is None and own is None else Panels(panel, own)), said


def _own(word: str, pressed: Pressed) -> tuple[Shows | None, str]:
    if not word:
        return None, ""
    if word not in ALSO:
        return None, f"The panel {word!r} is done without: the add-on that brings it cannot be used"
    try:
        own = ALSO[word](pressed)
    except FAILURES as error:
        LOG.info("the panel %s", word, exc_info=True)
        return None, f"The panel {word!r} is done without: {reason_of(error)}"
    return own, "" if own is not None else f"The panel {word!r} is done without: what makes it gave None"
