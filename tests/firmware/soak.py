"""A long soak: `python tests/firmware/soak.py [ROUNDS]`: the power fails at random cycles of throws in emulation.

Each round: arm, press, and a power cut somewhere in the throw; what was shown must be on record, once, unchanged.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import conftest  # noqa: F401  (finds the dice tests)
from making import OUT, made
from test_firmware_line import HandMade, on_record

from companion.dice.line import Line, encode
from companion.virtual.emulated import EmulatedBox


def round_of(box: EmulatedBox, number: int, chance: random.Random, shown: dict[int, tuple[str, str]]) -> None:
    line = HandMade(box)
    if any(each.text("open") == "1" for each in line.heard):
        told = [each for each in line.heard if each.verb == "ROLL"]
        roll = told[0] if told else line.until(lambda each: each.verb == "ROLL")
        note(roll, shown)
        assert line.ask("ACK", id=roll.text("id")).verb == "OK"
    line.arm(number % 65535 + 1)
    box.do("press")
    box.sleep(0.05)
    box.do(f"cutat {chance.randrange(1_600_000)}")
    box.do("release")
    box.sleep(0.15)
    heard = line.reader.feed(line.serial.read(4000))
    for each in heard:
        if isinstance(each, Line) and each.verb == "ROLL":
            note(each, shown)
            line.serial.write(encode("ACK", n=9999, id=each.text("id")))
    line.serial.close()
    box.do("unplug")
    records = {id: (str(turn), ",".join(map(str, faces))) for id, turn, faces in on_record(box)}
    for id, what in list(shown.items())[-20:]:
        assert records.get(id) == what, (number, id, what, records)
    box.do("plug")


def note(roll: Line, shown: dict[int, tuple[str, str]]) -> None:
    id, what = roll.number("id") or 0, (roll.text("turn"), roll.text("f"))
    assert shown.setdefault(id, what) == what, f"roll {id} changed: {shown[id]}, now {what}"


def main(rounds: int) -> None:
    made("build", "avr-gcc")
    made("sim", "cc")
    shown: dict[int, tuple[str, str]] = {}
    chance = random.Random()
    box = EmulatedBox([str(OUT / "simbox"), str(OUT / "dicebox.hex")], Path(tempfile.mkdtemp()), 4.0)
    for number in range(1, rounds + 1):
        round_of(box, number, chance, shown)
        if number % 20 == 0:
            print(f"{number} cuts, {len(shown)} rolls shown: none lost, changed or numbered twice", flush=True)
    box.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
