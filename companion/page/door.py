"""The door: the table's PIN, and patience with those who guess it."""

from __future__ import annotations

import hmac
import threading
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

FREE_TRIES, FREE_TRIES_OF_STRANGERS = 5, 30
"""Wrong PINs without a wait: from one address, and from all addresses together that never knew the right one."""
LONGEST_WAIT = 300.0
FORGOTTEN_AFTER = 12 * 3600.0
"""Seconds without a wrong PIN after which those before are forgotten: guests of another evening do not pay for them."""
MOST_ADDRESSES = 500
_STRANGERS = "strangers"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why somebody may not act. wait: seconds until the next try may be made, 0 for at once."""

    text: str
    wait: float = 0.0


@dataclass
class _Tries:
    wrong: int = 0
    last_at: float = 0.0
    next_at: float = 0.0


class Door:
    """Who may act. Nobody is kept waiting inside: a try that comes too early is refused."""

    def __init__(self, pin: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._pin, self._clock = _plain(pin), clock
        self._lock = threading.Lock()
        self._tries: dict[str, _Tries] = {}
        self._known: set[str] = set()

    def ask(self, pin: str, address: str) -> Refusal | None:
        """None lets `address` in; else why not."""
        if not self._pin:
            return None
        with self._lock:
            now = self._clock()
            counters = [(address, FREE_TRIES)]
            if address not in self._known:
                counters.append((_STRANGERS, FREE_TRIES_OF_STRANGERS))
            wait = max(self._tries.get(name, _Tries()).next_at for name, _ in counters) - now
            if wait > 0:
                return Refusal(f"Too many wrong PINs. Please wait {_duration(wait)} and try again.", wait)
            if not pin:
                return Refusal("Please enter the table's PIN.")
            if hmac.compare_digest(_bytes(_plain(pin)), _bytes(self._pin)):
                self._welcome(address)
                return None
            for name, free in counters:
                self._count(name, free, now)
        return Refusal("That is not the table's PIN. Ask at the table; it may have been changed.")

    def _welcome(self, address: str) -> None:
        self._tries.pop(address, None)
        if len(self._known) < MOST_ADDRESSES:
            self._known.add(address)

    def _count(self, name: str, free: int, now: float) -> None:
        if name not in self._tries and len(self._tries) >= MOST_ADDRESSES:
            self._tries.pop(next(iter(self._tries)))
        tries = self._tries.setdefault(name, _Tries())
        tries.wrong = 1 if now - tries.last_at > FORGOTTEN_AFTER else tries.wrong + 1
        tries.last_at = now
        if tries.wrong >= free:
            tries.next_at = now + min(LONGEST_WAIT, 5.0 * 2 ** min(10, tries.wrong - free))


def _plain(pin: str) -> str:
    """The figures of any script, as some keyboards write them, as those of the configuration: ۲ is 2."""
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in pin)


def _bytes(pin: str) -> bytes:
    return pin.encode("utf-8", "backslashreplace")


def _duration(seconds: float) -> str:
    whole = max(1, round(seconds))
    return f"{whole} second{'s' * (whole != 1)}" if whole < 100 else f"{round(whole / 60)} minutes"
