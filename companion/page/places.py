"""Places for so many at once: what each holds as long as it is sent, as a stream or a packed game."""

from __future__ import annotations

import threading
from collections import Counter

_HERE = ("", "127.0.0.1", "::1")


class Places:
    """Gives out places. most: how many at once; most_of_one: of them to one address, but for this machine's own, from
    which those of a proxy come too, for whomever it asks."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self.most, self.most_of_one = most, most_of_one
        self._lock = threading.Lock()
        self._taken = Counter[str]()

    @property
    def taken(self) -> int:
        """How many are held."""
        return self._taken.total()

    def take(self, address: str) -> bool:
        """Take one for `address`; False where every place is taken, or its own are."""
        with self._lock:
            full = address not in _HERE and self._taken[address] >= self.most_of_one
            if full or self.taken >= self.most:
                return False
            self._taken[address] += 1
            return True

    def leave(self, address: str) -> None:
        """Give one back."""
        with self._lock:
            self._taken[address] -= 1
            self._taken += Counter()  # forgets those that have none
