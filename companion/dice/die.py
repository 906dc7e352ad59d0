"""What a die of one's own says over Bluetooth, as values: the same words for every make."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tumbling:
    """It rolls."""


@dataclass(frozen=True, slots=True)
class Rested:
    """It came to rest, and takes that for a proper roll. face: 1 to 6."""

    face: int


@dataclass(frozen=True, slots=True)
class Cocked:
    """It came to rest, but does not lie flat."""


@dataclass(frozen=True, slots=True)
class Feigned:
    """It came to rest, and does not take that for a proper roll."""


@dataclass(frozen=True, slots=True)
class Turned:
    """It lies on a face on which it was turned or put by hand."""

    face: int


@dataclass(frozen=True, slots=True)
class Charge:
    """percent: of its battery; low: whether it wants to be charged soon."""

    percent: int
    low: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """What it is. name: of the kind, like "d20"; six: whether its faces are 1 to 6. old: by its firmware."""

    name: str
    six: bool
    old: bool = False


Word = Tumbling | Rested | Cocked | Feigned | Turned | Charge | Kind
