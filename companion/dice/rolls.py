"""Rolls as lines, and their numbers, which wrap at 32 bits. Pure functions."""

from __future__ import annotations

from companion.dice.events import BoxRoll
from companion.dice.line import ROLL_BELOW, TO_HOST, Line, encode

ID_WRAP = 2**32


def read_roll(line: Line) -> BoxRoll | None:
    """The roll that a ROLL line tells; None where it cannot be (faces out of range, dice miscounted)."""
    id, turn = line.number("id"), line.number("turn")
    faces = tuple(int(f) for f in line.text("f").split(",") if f in ("1", "2", "3", "4", "5", "6"))
    told = ",".join(str(f) for f in faces)
    if not id or turn is None or told != line.text("f") or line.text("d") != f"{len(faces)}d6":
        return None
    if not 1 <= len(faces) <= 3:
        return None
    return BoxRoll(id, turn, faces, line.number("ms") or 0, line.text("src"))


def write_roll(roll: BoxRoll, old: bool = False) -> bytes:
    """The ROLL line, below 64 bytes: what is only for people (src, ms) is left out where it does not fit."""
    faces = ",".join(str(f) for f in roll.faces)
    keys: dict[str, object] = {"id": roll.id, "turn": roll.turn, "d": f"{len(roll.faces)}d6", "f": faces}
    keys |= {"old": 1 if old else None, "ms": roll.ms, "src": roll.src or None}
    for extra in ("src", "ms", ""):
        line = encode("ROLL", TO_HOST, **keys)
        if len(line) < ROLL_BELOW or not extra:
            break
        del keys[extra]
    return line


def next_id(id: int) -> int:
    """The number after `id`; 0 is never used."""
    return id % (ID_WRAP - 1) + 1


def previous_id(id: int) -> int:
    """The number before `id`; 0 before the first."""
    return max(0, id - 1)


def ahead(theirs: int, ours: int) -> int:
    """How many rolls `theirs` is ahead of `ours`, negative if behind, the shorter way round the wrap.

    0 means that no roll was made yet: nothing wraps onto it.
    """
    if theirs == 0 or ours == 0:
        return theirs - ours
    gap = (theirs - ours) % (ID_WRAP - 1)
    return gap if gap < ID_WRAP // 2 else gap - (ID_WRAP - 1)
