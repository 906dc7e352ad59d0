"""What stands where: the part of a game that a camera can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.model.board import Seat

Content = tuple[Seat, ...]
"""The pieces on one space as their seats, ascending (a stack of discs: bottom to top); () is empty."""


@dataclass(frozen=True, slots=True)
class Position(Mapping[str, Content]):
    """Occupied spaces and their contents, sorted by name. A space that is not in it is empty."""

    items_: tuple[tuple[str, Content], ...]

    @classmethod
    def of(cls, contents: Mapping[str, Iterable[Seat]]) -> Position:
        """The position of `contents`; empty spaces are dropped and the pieces of each space sorted."""
        return cls(tuple(sorted((name, tuple(sorted(c))) for name, c in contents.items() if tuple(c))))

    @classmethod
    def stacked(cls, stacks: Mapping[str, Iterable[Seat]]) -> Position:
        """The position of `stacks`, each from bottom to top, in that order; empty spaces are dropped."""
        return cls(tuple(sorted((name, tuple(s)) for name, s in stacks.items() if tuple(s))))

    def __getitem__(self, space: str) -> Content:
        for name, content in self.items_:
            if name == space:
                return content
        raise KeyError(space)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.items_)

    def __len__(self) -> int:
        return len(self.items_)

    def at(self, space: str) -> Content:
        """What stands on `space`; () where nothing does."""
        return self.get(space, ())

    def with_piece(self, seat: Seat, space: str) -> Position:
        """The position with one more piece of `seat` on `space`."""
        return Position.of({**self, space: (*self.at(space), seat)})

    def without(self, seat: Seat, space: str) -> Position:
        """The position with one piece of `seat` fewer on `space`. Raises KeyError if none stands there."""
        rest = list(self.at(space))
        if seat not in rest:
            raise KeyError(f"no piece of seat {seat} on {space}")
        rest.remove(seat)
        return Position.of({**self, space: rest})

    def moved(self, seat: Seat, origin: str, target: str) -> Position:
        """The position after one piece of `seat` went from `origin` to `target`."""
        return self.without(seat, origin).with_piece(seat, target)

    def changed(self, other: Position) -> tuple[str, ...]:
        """Names of the spaces on which the two positions differ, sorted."""
        mine, theirs = dict(self.items_), dict(other.items_)
        return tuple(sorted(n for n in mine.keys() | theirs.keys() if mine.get(n, ()) != theirs.get(n, ())))

    def count(self) -> Counter[Seat]:
        """How many pieces of each seat stand on the board."""
        return Counter(seat for _, content in self.items_ for seat in content)
