"""Who begins: each player throws, the highest begins, those tied throw again among themselves (COM-1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.model import NotDue, OptionError, Seat


@dataclass(frozen=True, slots=True)
class RollOff:
    """The throws so far. `throwing`: the seats of this round, in order; `values`: what they threw."""

    throwing: tuple[Seat, ...]
    values: tuple[int, ...] = ()

    @classmethod
    def among(cls, seats: Iterable[Seat]) -> RollOff:
        """Before the first throw. seats: in the order in which they throw."""
        order = tuple(seats)
        if not order or len(set(order)) != len(order):
            raise OptionError(f"seats {list(order)}: at least one must throw, and each only once")
        return cls(order)

    @property
    def due(self) -> Seat | None:
        """The seat whose throw is due; None when it is decided."""
        return self.throwing[len(self.values)] if self.first is None else None

    @property
    def first(self) -> Seat | None:
        """The seat that begins; None while it is not decided."""
        return self.throwing[0] if len(self.throwing) == 1 else None

    def thrown(self, seat: Seat, value: int) -> RollOff:
        """After `seat` threw `value`, the sum of its dice. Raises NotDue for any other seat, and once it is decided."""
        if self.first is not None:
            raise NotDue(f"seat {seat} threw {value}: it is decided already that seat {self.first} begins")
        if seat != self.due:
            raise NotDue(f"seat {seat} threw {value}: the throw of seat {self.due} is due")
        values = (*self.values, value)
        if len(values) < len(self.throwing):
            return RollOff(self.throwing, values)
        highest = max(values)
        return RollOff(tuple(s for s, v in zip(self.throwing, values, strict=True) if v == highest))
