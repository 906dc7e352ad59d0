"""The protocol's faults, counted: `python tests/firmware/fault_table.py [ROUNDS]`.

Each story of tests/dice/test_dice_faults.py is lived through again and again, by the pretend box and by the
firmware's own C code, in simulated time whose steps and chance differ each time. A story that ends otherwise stops
the count.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import conftest  # noqa: F401  (finds the dice tests)
import diceworld
import test_dice_faults as stories
from corebox import CoreBox
from making import made
from test_firmware_faults import ELSEWHERE

from companion.virtual.dicebox import DiceBox

FAULTS = {
    "damaged lines both ways (0.4 % of bytes)": ("damage_both_ways", "damage_and_doubled"),
    "acknowledgement lost": ("lost_acknowledgement",),
    "host killed before the journal has it": ("killed_between_receipt",),
    "host killed before it is acknowledged": ("killed_between_journal",),
    "power cut at each journal byte": ("power_cut_at_every_byte", "power_cut_at_the_acknowledgement"),
    "power cut while the dice roll": ("power_cut_while",),
    "unplugged to dodge a throw": ("unplugging_does_not", "falls_silent_while"),
    "press out of turn": ("press_out_of_turn", "withdrew_meanwhile", "second_roll_of_one_turn", "a_turn_that_is_over"),
    "button stuck": ("stuck_button",),
    "watchdog": ("test_watchdog", "start_cut_short"),
    "reset on open, or while open": ("reset_while", "start_is_noticed", "lets_go_and_is_taken"),
    "n and id wrap": ("numbers_wrap", "ring_goes_round"),
    "two boxes mixed up, memory erased": ("another_box", "memory_was_reset", "without_the_referee", "is_adopted_with"),
    "a newer v": ("newer_version",),
    "entropy failure": ("entropy_failure",),
    "a flood": ("test_a_flood",),
    "a box that contradicts itself": ("other_content", "roll_that_cannot_be", "unknown_roll_below"),
}
STEPS = (0.004, 0.02)
"""Seconds of the simulated time's steps, at least and at most."""


def cases(story: Callable[..., None]) -> Iterator[tuple[Any, ...]]:
    """With what a story is called, as pytest would."""
    marks = [mark for mark in getattr(story, "pytestmark", ()) if mark.name == "parametrize"]
    if not marks:
        yield ()
        return
    for values in marks[0].args[1]:
        yield values if isinstance(values, tuple) else (values,)


class Counted(diceworld.World):
    """A world of chance; rolls: how many counted in all worlds."""

    rolls = 0
    chance = random.Random(2026)

    def __init__(self, seed: int | None = None, memory: Any = None) -> None:
        diceworld.STEP = self.chance.uniform(*STEPS)
        super().__init__(self.chance.randrange(2**32) if seed is None else seed, memory)

    def hear(self, event: Any) -> None:
        before = len(self.counted)
        super().hear(event)
        Counted.rolls += len(self.counted) - before


def lived_through(box: type, names: tuple[str, ...], rounds: int) -> int:
    """How often the stories of these names went as they should."""
    diceworld.DiceBox = stories.DiceBox = box  # type: ignore[assignment,misc]
    runs = 0
    for name, story in sorted(vars(stories).items()):
        if not any(part in name for part in names) or (box is CoreBox and name in ELSEWHERE):
            continue
        for _ in range(rounds):
            for case in cases(story):
                story(*(Counted.chance.randrange(2**32) if name.endswith("a_roll") else value for value in case))
                runs += 1
    return runs


def main(rounds: int) -> None:
    made("lib", "cc")
    stories.World = Counted  # type: ignore[misc]
    print(f"{'fault':<44}{'pretend box':>12}{'C core':>9}{'rolls':>9}")
    start = time.monotonic()
    for fault, names in FAULTS.items():
        Counted.rolls = 0
        runs = [lived_through(box, names, rounds) for box in (DiceBox, CoreBox)]
        print(f"{fault:<44}{runs[0]:>12}{runs[1]:>9}{Counted.rolls:>9}", flush=True)
    print(f"each run ended as its story says; {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
