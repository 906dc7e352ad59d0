"""What the race games share: pieces by progress, names of spaces, turns around the table, and STATE."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from companion.games.contract import Game
from companion.games.race_pieces import Pieces
from companion.model import NotDue, OptionError, Position, Seat, StateError


class RaceState(Protocol):
    """A state of a race game: whose turn it is, and where the pieces stand."""

    @property
    def due(self) -> Seat:
        """Whose turn it is."""
        ...

    @property
    def pieces(self) -> Pieces:
        """seat → progress of its pieces, ascending."""
        ...


R = TypeVar("R", bound=RaceState)


class RaceGame(Game[R]):
    """A game in which each piece has a progress. A subclass says which seats there are, in `_sit`.

    _names: seat → progress → name of the space. _progress: seat → name → progress; of two that share a name, the
    first. _each: how many pieces a seat has.
    """

    _names: Sequence[Mapping[int, str]]
    _progress: Sequence[Mapping[str, int]]
    _each = 4

    def _sit(self, order: Sequence[Seat]) -> None:
        """Who sits at the table, in the order of turns."""
        self._next = dict(zip(order, [*order[1:], *order[:1]], strict=True))

    def next_seat(self, seat: Seat) -> Seat:
        """Clockwise, skipping empty seats (COM-2)."""
        self._check_seat(seat)
        return self._next[seat]

    def afterwards(self, state: R) -> Seat:
        """The seat that is due where nothing was moved: who rolls again does so whatever was played."""
        return self._finish(state, state.pieces).due

    @abstractmethod
    def _finish(self, state: R, pieces: Pieces) -> R:
        """The state after the play of the roll, with the pieces as it leaves them."""

    def position(self, state: R) -> Position:
        """What stands where; bases, homes and a centre are areas with one entry a piece."""
        contents: dict[str, list[Seat]] = {}
        for seat in self.seats:
            names = self._names[seat]
            for progress in state.pieces[seat]:
                contents.setdefault(names[progress], []).append(seat)
        return Position.of(contents)

    def _check_seat(self, seat: Seat) -> None:
        if seat not in self.seats:
            raise OptionError(f"seat {seat!r}: nobody sits there. Choose one of {list(self.seats)}")

    def _written(self, state: R, roll: object) -> dict[str, Any]:
        """What every race game's STATE says. Raises NotDue where `roll` is still being played."""
        if roll:
            raise NotDue(f"the roll {roll} is still being played: a state is written between plays")
        return {
            "game": self.name,
            "options": dict(self.options),
            "seats": list(self.seats),
            "due": state.due,
            "pieces": {str(seat): list(state.pieces[seat]) for seat in self.seats},
        }

    def _read(self, pieces: Mapping[Seat, Iterable[int]]) -> Pieces:
        """The pieces of all seats that the board has."""
        return tuple([tuple(sorted(pieces.get(seat, ()))) for seat in range(len(self._names))])

    def _shown(self, position: Position, last: int) -> Pieces:
        """The pieces that `position` shows, none farther than `last`. Raises StateError."""
        noun = self.nouns.piece
        pieces: dict[Seat, list[int]] = {seat: [] for seat in self.seats}
        for name, content in position.items_:
            for seat in content:
                if seat not in pieces or self._progress[seat].get(name, last + 1) > last:
                    raise StateError(f"{name}: a {noun} of seat {seat} can never stand there. Move it")
                pieces[seat].append(self._progress[seat][name])
        for seat, there in pieces.items():
            if len(there) != self._each:
                has = f"seat {seat} has {len(there)} {self.nouns.pieces} on the board"
                raise StateError(f"{has}: it must have {self._each}")
        return self._read(pieces)
