"""Setting up Game of God: the pairs of GOD-1 to GOD-3, and what is wrong with a board that is set up otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.games.game_of_god_board import EAST, NORTH, SOUTH, WEST, WORDS, Board
from companion.games.game_of_god_stacks import Codes, stack
from companion.model import Content, Position, Seat, StateError

FACING = ((NORTH, SOUTH), (EAST, WEST))

Place = tuple[float, tuple[int, ...]]
"""Two squares that face each other, and by how many nats they rather seem taken than vacant."""


def rule(board: Board, pairs: int) -> str:
    """GOD-1 or GOD-2 for the usual numbers of two or four players, else GOD-3."""
    four = len(board.seats) == 4
    if board.size != 8 or pairs != (5 if four else 7):
        return "GOD-3"
    return "GOD-2" if four else "GOD-1"


def usual(board: Board, pairs: int) -> Codes:
    """The codes of a set-up in which the last squares of each edge are vacant."""
    return _set_up(board, {square for edge in board.goals for square in edge[:pairs]})


def read(board: Board, pairs: int, position: Position) -> Codes:
    """The codes of the pairs whose tops `position` shows. Raises StateError saying what is to be changed."""
    for wrong in _wrong(board, pairs, position):
        raise StateError(f"{rule(board, pairs)}: {wrong}")
    return _set_up(board, {board.index[name] for name in position})


def likely(board: Board, pairs: int, fits: Callable[[str, Content], float]) -> tuple[Codes, ...]:
    """The codes of the set-up that fits best, and of the next best one, if there are others.

    fits: (name of a square, what is on top) → log-likelihood.
    """
    rows = [_places(board, facing, fits) for facing in FACING if facing[0] in board.seats]
    taken = {square for row in rows for _, squares in row[:pairs] for square in squares}
    ends = [(row[pairs - 1], row[pairs]) for row in rows if pairs < len(row)]
    if not ends:
        return (_set_up(board, taken),)
    (_, last), (_, next_) = min(ends, key=lambda end: end[0][0] - end[1][0])
    return _set_up(board, taken), _set_up(board, (taken - set(last)) | set(next_))


def _places(board: Board, facing: tuple[Seat, ...], fits: Callable[[str, Content], float]) -> list[Place]:
    """The places of two goal areas that face each other, those that rather seem taken first."""
    found: list[Place] = []
    for squares in zip(*(board.goals[seat] for seat in facing), strict=True):
        names = [board.names[square] for square in squares]
        gains = [fits(name, (seat,)) - fits(name, ()) for name, seat in zip(names, facing, strict=True)]
        found.append((sum(gains), squares))
    return sorted(found, key=lambda place: -place[0])


def _set_up(board: Board, taken: set[int]) -> Codes:
    codes = (stack(2, goal, goal) if square in taken else 0 for square, goal in enumerate(board.area))
    return tuple(codes)


def _wrong(board: Board, pairs: int, position: Position) -> Iterator[str]:
    """What is wrong with the set-up, the simplest first."""
    for name, content in position.items():
        yield from _misplaced(board, name, content)
    for facing in FACING:
        if facing[0] in board.seats:
            edges = [_Edge(board, seat, position) for seat in facing]
            yield from _number(edges[0], edges[1], pairs)
            yield from _unlike(*edges)


def _misplaced(board: Board, name: str, content: tuple[Seat, ...]) -> Iterator[str]:
    """A piece that is not on its own edge, or no pair."""
    square = board.index.get(name)
    if square is None or board.area[square] not in board.seats:
        yield f"{name} is no goal area, so it must be vacant: take away what stands there"
    elif set(content) != {board.area[square]}:
        yield f"{name} is {WORDS[board.area[square]]}'s goal area: take away the other player's piece"
    elif len(content) > 2:
        yield f"{name} holds {len(content)} pieces: a pair is two, so take {len(content) - 2} away"


class _Edge:
    """One goal area: which of its squares are taken and which vacant, counted along the edge."""

    def __init__(self, board: Board, seat: Seat, position: Position) -> None:
        self.word = WORDS[seat]
        self.names = [board.names[square] for square in board.goals[seat]]
        self.vacant = {n for n, name in enumerate(self.names) if not position.at(name)}

    def listed(self, places: set[int]) -> str:
        return " and ".join(self.names[n] for n in sorted(places))

    def count(self) -> int:
        return len(self.names) - len(self.vacant)


def _unlike(one: _Edge, other: _Edge) -> Iterator[str]:
    """The vacant squares of the two, as many as there should be, do not face each other."""
    for edge, facing in ((one, other), (other, one)):
        open_ = edge.vacant - facing.vacant
        if open_:
            filled = facing.vacant - edge.vacant
            must = f"{edge.listed(open_)} {_is(open_)} vacant, so {facing.listed(open_)} must be vacant too"
            do = f"move {facing.word}'s {_pairs(open_)} from {facing.listed(open_)} to {facing.listed(filled)}"
            yield f"{must}: {do}"


def _number(one: _Edge, other: _Edge, pairs: int) -> Iterator[str]:
    for edge in (one, other):
        if edge.count() != pairs:
            more = pairs - edge.count()
            do = f"set up {more} more" if more > 0 else f"take {-more} away"
            yield f"{edge.word} has {_counted(edge.count())} on its edge, and it must have {pairs}: {do}"


def _pairs(places: set[int]) -> str:
    return "pair" if len(places) == 1 else "pairs"


def _counted(pairs: int) -> str:
    return f"{pairs or 'no'} {'pair' if pairs == 1 else 'pairs'}"


def _is(places: set[int]) -> str:
    return "is" if len(places) == 1 else "are"
