"""What was seen in the dice tray: plain values without pictures."""

from __future__ import annotations

from typing import NamedTuple


class Tray(NamedTuple):
    """A rectangle on the table in the sheet's frame, mm; `drop` is how far the table lies under the sheet."""

    x: float
    y: float
    width: float
    height: float
    drop: float = 0.0


class DieSeen(NamedTuple):
    """One die that lies flat: its value, the middle of its foot and its edge, mm, and how sure the value is, 0–1."""

    value: int
    x_mm: float
    y_mm: float
    size_mm: float
    confidence: float


class DiceSeen(NamedTuple):
    """The dice of one picture from left to right, and a sentence for each thing that makes the roll unclear.

    leaning: how many dice lean, which are not among them.
    """

    dice: tuple[DieSeen, ...] = ()
    doubts: tuple[str, ...] = ()
    leaning: int = 0

    @property
    def clear(self) -> bool:
        """Whether every die was read without doubt."""
        return not self.doubts
