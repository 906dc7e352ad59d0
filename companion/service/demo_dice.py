"""The demo's dice boxes as its pretend players use them: they wait for the lamp, press the button, read the faces."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from companion.service.firmware import built_to_run
from companion.virtual.dicebox import DiceBox, PretendBox
from companion.virtual.emulated import EmulatedBox

HOLD = 0.3
"""Seconds of the table that players hold the button."""


class PretendDice:
    """The pretend box. chance: what the dice show, drawn once for each throw. speed: of the table, times real time."""

    text = "a pretend dice box behind a pseudo-terminal"

    def __init__(self, folder: Path, box: random.Random, chance: random.Random, speed: float) -> None:
        self.box = PretendBox(folder / "dice", DiceBox(rng=box))
        self.link = self.box.link
        self._chance, self._hold = chance, max(0.05, HOLD / speed)

    def ready(self, count: int) -> bool:
        """Whether a throw of so many dice is asked for; 0: of any number."""
        asked = self.box.box.asked
        return asked == count if count else asked > 0

    def throw(self, count: int) -> tuple[int, ...]:
        """Press and release the button; () where the box does not roll."""
        made, faces = len(self.box.box.made), tuple(self._chance.randint(1, 6) for _ in range(count))
        self.box.press(faces, hold=self._hold)
        rolls = self.box.box.made
        return rolls[-1].faces if len(rolls) > made else ()

    def close(self) -> None:
        """Let the box go."""
        self.box.close()


class EmulatedDice:
    """The firmware itself, at real time whatever the table's: its cable knows no other. It throws by its own chance.

    awaited: the throw that is asked for, (its number, how many dice), once the box is armed.
    Raises BadInput where the firmware can neither be emulated nor compiled.
    """

    def __init__(self, folder: Path, awaited: Callable[[], tuple[int, int] | None]) -> None:
        command, what = built_to_run()
        self.text = f"{what}, behind a pseudo-terminal; what it throws is its own chance, not the seed's"
        self.box = EmulatedBox(command, folder)
        self.link = self.box.link
        self._awaited = awaited

    def ready(self, count: int) -> bool:
        """Whether a throw of so many dice is asked for; 0: of any number."""
        asked = self._awaited()
        return asked is not None and count in (0, asked[1])

    def throw(self, count: int) -> tuple[int, ...]:
        """Press and release the button; () where the box does not roll."""
        before = self.box.ring().last
        self.box.throw()
        roll = self.box.ring().newest()
        return roll.faces if roll is not None and roll.id != before else ()

    def close(self) -> None:
        """Let the box go."""
        self.box.close()
