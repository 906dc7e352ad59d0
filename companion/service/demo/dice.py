"""The demo's dice as its pretend players use them: they wait until a throw is asked for, throw, and read the faces."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from companion.dice import BluetoothDice, Book, DicePort, DiceSource
from companion.dice.radio import GODICE, OLD_PIXELS, PIXELS
from companion.service.machine.firmware import built_to_run
from companion.virtual.dicebox import DiceBox, PretendBox
from companion.virtual.emulated import EmulatedBox
from companion.virtual.pretend_air import PretendAir, PretendDie

Awaited = Callable[[], tuple[int, int] | None]
"""The throw that is asked for, once the dice are ready for it: (its number, how many dice)."""
HOLD = 0.3
"""Seconds of the table that players hold the button."""
AWRY = 0.15
"""How often a Bluetooth die first lies crooked, is turned by hand, or was not really thrown."""


class PretendDice:
    """The pretend box. chance: what the dice show, drawn once for each throw. speed: of the table, times real time."""

    text = "a pretend dice box behind a pseudo-terminal"

    def __init__(self, folder: Path, box: random.Random, chance: random.Random, speed: float) -> None:
        self.box = PretendBox(folder / "dice", DiceBox(rng=box))
        self._chance, self._hold = chance, max(0.05, HOLD / speed)

    def source(self, book: Book) -> DiceSource:
        """What the referee hears."""
        return DicePort(book, self.box.link)

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

    Raises BadInput where the firmware can neither be emulated nor compiled.
    """

    def __init__(self, folder: Path, awaited: Awaited) -> None:
        command, what = built_to_run()
        self.text = f"{what}, behind a pseudo-terminal; what it throws is its own chance, not the seed's"
        self.box = EmulatedBox(command, folder)
        self._awaited = awaited

    def source(self, book: Book) -> DiceSource:
        """What the referee hears."""
        return DicePort(book, self.box.link)

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


class BluetoothPlayers:
    """Three dice of their own, one of each make that is understood; now and then one does not fall well at first."""

    text = "pretend Bluetooth dice on a pretend air: two Pixels and a GoDice"

    def __init__(self, chance: random.Random, awaited: Awaited) -> None:
        makes = ("Ruby", PIXELS), ("Opal", OLD_PIXELS), ("GoDice_1A2B3C_R_v03", GODICE)
        self.dice = [PretendDie(name, f"AA:0{n}", make) for n, (name, make) in enumerate(makes)]
        self._air, self._chance, self._awaited = PretendAir(*self.dice), chance, awaited
        self._heard: BluetoothDice | None = None

    def source(self, book: Book) -> DiceSource:
        """What the referee hears."""
        self._heard = BluetoothDice(book, [die.name for die in self.dice], radio=self._air.radio)
        return self._heard

    def ready(self, count: int) -> bool:
        """Whether a throw of so many dice is asked for, and the dice blink for it; 0: of any number."""
        asked = self._awaited()
        return asked is not None and count in (0, asked[1]) and self._heard is not None and self._heard.due == asked

    def throw(self, count: int) -> tuple[int, ...]:
        """Throw so many dice, each until it falls well."""
        faces = tuple(self._chance.randint(1, 6) for _ in range(count))
        for die, face in zip(self.dice, faces, strict=False):
            if self._chance.random() < AWRY:
                die.tumble()
                self._chance.choice((die.cock, lambda die=die: die.feign(6), lambda die=die: die.turn(6)))()
            die.roll(face)
        return faces

    def close(self) -> None:
        """Nothing holds them."""
