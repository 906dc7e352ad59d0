"""The dice box's firmware as a program behind a pseudo-terminal; its button, cable and power are at hand.

The program is either the emulated chip or the core compiled for this computer: both obey the same commands.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from companion.virtual.dicebox import Memory, Ring


class EmulatedBox:
    """A dice box that runs its firmware.

    command: the program, without its last two words: `link`, where its port is found, and the file of its memory.
    speed: times real time. after: words that follow.
    """

    def __init__(self, command: Sequence[str], folder: Path, speed: float = 1.0, after: Sequence[str] = ()) -> None:
        self.link, self.file = folder / "dice", folder / "eeprom"
        self.speed = speed
        words = [*command, str(self.link), str(self.file), *after]
        self.program = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.cuts = 0
        self.do("ready?")
        if speed != 1:
            self.do(f"speed {speed}")

    def do(self, command: str) -> str:
        """Give a command. Returns what was answered. Raises RuntimeError where the program ended."""
        assert self.program.stdin and self.program.stdout
        self.program.stdin.write(command + "\n")
        self.program.stdin.flush()
        while (answer := self.program.stdout.readline().strip()) == "cut":
            self.cuts += 1
        if not answer.endswith("done"):
            raise RuntimeError(f"the firmware's program answered {command!r} with {answer!r}: {self.program.poll()}")
        return answer.removesuffix("done").strip()

    def clock(self) -> float:
        """Seconds as the box counts them."""
        return time.monotonic() * self.speed

    def sleep(self, seconds: float) -> None:
        """Until so much of the box's time has passed, or its power has failed."""
        self.do(f"wait {round(1000 * seconds)}")

    def throw(self, hold: float = 0.08) -> None:
        """Press and release, in the box's time."""
        self.do(f"throw {round(1000 * hold)}")
        self.sleep(hold + 0.03)

    def memory(self) -> Memory:
        """What is in the EEPROM now."""
        memory = Memory()
        if self.file.exists():
            memory.bytes[:] = self.file.read_bytes()
        return memory

    def ring(self) -> Ring:
        """The rolls on the box's record."""
        return Ring(self.memory())

    def close(self) -> None:
        """End the program. Raises RuntimeError where it did not end well (its sanitizers found something)."""
        if self.program.poll() is None and self.program.stdin:
            self.program.stdin.write("quit\n")
            self.program.stdin.flush()
        try:
            status = self.program.wait(10)
        except subprocess.TimeoutExpired:
            self.program.kill()
            raise
        if status:
            raise RuntimeError(f"the firmware's program ended with {status}")
