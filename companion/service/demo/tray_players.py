"""Pretend players at the dice tray: they throw when the page asks for it, and again when the referee asks again."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.virtual.dice_tray import TrayOfDice
from companion.virtual.tally import Tally

PATIENCE = 15.0
"""Seconds that players wait for the referee to say anything of a throw, before they throw again."""


@dataclass
class TrayDice:
    """The dice of the tray as the players see them.

    awaited: the throw that the page asks for. now: the table's clock. chance: what the dice show, drawn once a throw.
    correct: tell the referee on a phone what the dice showed really.
    """

    dice: TrayOfDice
    awaited: Callable[[], tuple[int, int] | None]
    now: Callable[[], float]
    chance: random.Random
    tally: Tally
    correct: Callable[[tuple[int, ...]], None]
    _truth: tuple[int, ...] = field(default=(), init=False)
    _good: bool = field(default=True, init=False)
    _heard: bool = field(default=False, init=False)
    _asked: bool = field(default=False, init=False)
    _since: float = field(default=0.0, init=False)

    def ready(self, count: int) -> bool:
        """Whether to throw so many dice now (0: any number), or to look at those that were thrown and heard."""
        if self._truth:
            late = self.now() - self._since > PATIENCE
            return self._heard or (self._asked and self.dice.at_rest(self.now())) or late
        asked = self.awaited()
        return asked is not None and count in (0, asked[1])

    def throw(self, count: int) -> tuple[int, ...]:
        """Throw; () until the referee has heard it. A throw that is asked about is made again."""
        truth = self._truth
        if truth and self._heard:
            self._truth = ()
            return truth
        if truth and not self._asked:
            self.tally.tray_silent += 1
        self._truth = tuple(self.chance.randint(1, 6) for _ in range(count))
        self._heard = self._asked = False
        self._since = self.now()
        self._good = self.dice.throw(self._truth, self._since)
        self.tally.tray_throws += 1
        self.tally.tray_awry += not self._good
        return ()

    def heard(self, values: tuple[int, ...]) -> None:
        """The referee took a roll from the tray."""
        if not self._truth or self._heard:
            self.tally.tray_doubled += 1
            return
        self._heard = True
        self.tally.tray_awry_taken += not self._good
        if sorted(values) != sorted(self._truth):
            self.tally.tray_misread += 1
            self.correct(self._truth)

    def asked(self) -> None:
        """The referee asked about what lies in the tray."""
        if self._truth and not self._heard and not self._asked:
            self._asked = True
            self.tally.tray_doubted += self._good
