"""One foul, as the pretend players commit it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.model import Step
from companion.virtual.occasion import Move, Occasion


@dataclass(frozen=True, slots=True)
class Cheat:
    """A foul. moves: in order. rules: any one of them is right; () where none fits. says_done: presses the button."""

    kind: str
    moves: tuple[Move, ...]
    rules: frozenset[str]
    says_done: bool = False


Make = Callable[[Occasion, random.Random], Iterator[Cheat]]
"""Ways to commit one kind of foul, in random order."""


def move_of(step: Step) -> Move:
    """The piece that a step moves."""
    return step.seat, step.origin, step.target


def with_captures(step: Step) -> list[Move]:
    """All pieces that a step moves, the captured ones first."""
    return [*((seat, step.target, base) for seat, base in step.captures), move_of(step)]


def track_length(occasion: Occasion) -> int:
    """How many spaces the track of the game has."""
    return sum(name[:1] == "t" and name[1:].isdigit() for name in occasion.game.spaces())


def ahead(occasion: Occasion, space: str, count: int) -> str:
    """The track space that is `count` further on."""
    return f"t{(int(space[1:]) + count) % track_length(occasion)}"


def on_track(space: str) -> bool:
    """Whether a space is one of the shared track."""
    return space[:1] == "t" and space[1:].isdigit()
