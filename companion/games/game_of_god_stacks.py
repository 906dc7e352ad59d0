"""Stacks of Game of God as small integers, and finding the stacks that explain what a camera sees.

By GOD-9, GOD-12 and GOD-13 a stack is of one colour, but for one piece of another colour that may lie on top. So its
height, the colour of what lies under the top, and the colour of the top say all: a code. 0 is a vacant square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product

from companion.games.game_of_god_board import ACTIVE, LETTERS, Board
from companion.model import Seat, StateError

Codes = tuple[int, ...]
"""square → the code of its stack."""


def stack(height: int, under: Seat, top: Seat) -> int:
    """The code of a stack of `height` pieces with `top` on top and the others, if any, of `under`."""
    return height << 4 | under << 2 | top


def lone(seat: Seat) -> int:
    """The code of one piece alone."""
    return stack(1, seat, seat)


def height(code: int) -> int:
    """How many pieces."""
    return code >> 4


def top(code: int) -> Seat:
    """Whose piece is on top (of a stack that is not 0)."""
    return code & 3


def under(code: int) -> Seat:
    """Whose pieces lie under the top; the top's own seat where the stack is of one colour."""
    return code >> 2 & 3


def closed(code: int) -> bool:
    """Whether it holds two players' pieces (GOD-9)."""
    return code & 3 != code >> 2 & 3


def lifted(code: int) -> int:
    """What is left when the top piece is taken off."""
    below = code >> 2 & 3
    return (code >> 4) - 1 << 4 | below * 5 if code >= 32 else 0


def piled(code: int, seat: Seat) -> int:
    """The stack with one more piece, of `seat`, on top; on a closed stack what lies deepest is lost sight of."""
    return stack((code >> 4) + 1, code & 3, seat) if code else lone(seat)


def pieces(code: int) -> tuple[Seat, ...]:
    """The stack as its pieces from bottom to top."""
    return (under(code),) * (height(code) - 1) + (top(code),) if code else ()


def coded(content: Sequence[Seat], name: str) -> int:
    """The code of a stack given from bottom to top. Raises StateError for one that cannot be."""
    if not content:
        return 0
    if len(set(content[:-1])) > 1:
        shown = "".join(LETTERS[seat] for seat in content)
        raise StateError(f"{name} {shown}: under the top piece all pieces of a stack are of one player (GOD-9)")
    return stack(len(content), content[0], content[-1])


def counted(codes: Iterable[int]) -> list[int]:
    """How many pieces of each seat there are in all."""
    count = [0, 0, 0, 0]
    for code in codes:
        if code:
            count[code >> 2 & 3] += (code >> 4) - 1
            count[code & 3] += 1
    return count


def explained(board: Board, tops: Mapping[int, Seat], like: Codes | None, each: int) -> Codes:
    """Stacks that show `tops`, with `each` pieces a seat, changed from `like` as little as may be. Raises StateError.

    A move of one piece is looked for first. Else a square whose top is as before keeps its stack, and what is then
    too many or too few is set right where the board has changed, and in stacks of one colour, before others.
    """
    old = like or (0,) * len(board.names)
    if like is not None:
        if not _changed(tops, like):
            return like
        for codes in _one_move_from(board, tops, like):
            if possible(board, codes) and counted(codes) == counted(like):
                return codes
    try:
        return _Search(board, tops, old, each).result()
    except StateError:
        return _anyhow(board, tops, each)


def possible(board: Board, codes: Codes) -> bool:
    """Whether each stack may stand where it does."""
    return not any(code and impossible(board, square, code) for square, code in enumerate(codes))


def impossible(board: Board, square: int, code: int) -> str:
    """Why this stack cannot stand there; "" where it can."""
    area = board.area[square]
    if area == ACTIVE:
        return ""
    if area < 0:
        return "the corners stay vacant with four players"
    if closed(code):
        return "pieces are trapped in the active area only, never in a goal area (GOD-11)"
    if top(code) == area and height(code) > 2:
        return "a player's own goal area holds the pairs of the start, and no piece comes back there (GOD-3, GOD-6)"
    return ""


def _changed(tops: Mapping[int, Seat], codes: Codes) -> set[int]:
    """The squares that do not look as `codes` would."""
    return {q for q, code in enumerate(codes) if (top(code) if code else None) != tops.get(q)}


def _one_move_from(board: Board, tops: Mapping[int, Seat], like: Codes) -> Iterator[Codes]:
    """The stacks after one piece of `like` was moved so that `tops` are seen; legal moves first, then short ones."""
    changed = _changed(tops, like)
    if len(changed) > 2:
        return
    moves = []
    for origin, target in permutations([q for q, code in enumerate(like) if code or q in changed], 2):
        if changed <= {origin, target} and _shows(like, origin, target, tops):
            moves.append((_strain(board, like, top(like[origin]), origin, target), origin, target))
    for _, origin, target in sorted(moves):
        codes = list(like)
        codes[origin], codes[target] = lifted(like[origin]), piled(like[target], tops[target])
        yield tuple(codes)


def _shows(like: Codes, origin: int, target: int, tops: Mapping[int, Seat]) -> bool:
    """Whether the two squares look as seen once the top of `origin` lies on `target`."""
    left = lifted(like[origin])
    fits = like[origin] != 0 and not closed(like[target]) and top(like[origin]) == tops.get(target)
    return fits and (top(left) if left else None) == tops.get(origin)


def _strain(board: Board, codes: Codes, seat: Seat, origin: int, target: int) -> int:
    """How far a move is from what the rules allow: 0 where the way is free, else by distance."""
    path = board.paths[seat][origin].get(target)
    if path is not None and not any(codes[q] for q in path):
        return 0 if not codes[target] or codes[target] & 15 == seat * 5 else 1
    (x, y), (u, v) = board.at[origin], board.at[target]
    return 1 + abs(x - u) + abs(y - v)


class _Search:
    """Stacks that show the tops, set right piece by piece until each seat has its number."""

    def __init__(self, board: Board, tops: Mapping[int, Seat], old: Codes, each: int) -> None:
        self.board, self.tops, self.old, self.each = board, tops, old, each
        self.codes = [self._first(q, old[q]) for q in range(len(old))]
        self.changed = {q for q in tops if self.codes[q] != old[q]}
        self.lacking = [each - n for n in counted(self.codes)]

    def _first(self, square: int, code: int) -> int:
        """The stack as it was, or what one piece put on it or taken off it makes, or else one piece alone."""
        seat = self.tops.get(square)
        if seat is None:
            return 0
        if code and top(code) == seat:
            return code
        left = lifted(code)
        if left and top(left) == seat:
            return left
        free = code and not closed(code) and self.board.area[square] == ACTIVE
        return piled(code, seat) if free else lone(seat)

    def result(self) -> Codes:
        for seat in self.board.seats:
            while self.lacking[seat] < 0:
                self._take_one(seat)
        for seat in self.board.seats:
            while self.lacking[seat] > 0:
                self._add_one(seat)
        return tuple(self.codes)

    def _set(self, square: int, code: int) -> None:
        before, after = counted([self.codes[square]]), counted([code])
        self.lacking = [n + b - a for n, b, a in zip(self.lacking, before, after, strict=True)]
        self.codes[square] = code

    def _take_one(self, seat: Seat) -> None:
        """Take one hidden piece of `seat` away."""
        hidden = [q for q, code in enumerate(self.codes) if code >= 32 and under(code) == seat]
        if not hidden:
            seen = sum(1 for owner in self.tops.values() if owner == seat)
            raise StateError(f"{seen} pieces of {LETTERS[seat]} can be seen: there are only {self.each}")
        came = [q for q in self.changed if self.tops[q] == seat]
        square = min(hidden, key=lambda q: (q not in self.changed, closed(self.codes[q]), self._reach(q, came), q))
        self._set(square, stack(height(self.codes[square]) - 1, self._under_less(square), top(self.codes[square])))

    def _under_less(self, square: int) -> Seat:
        code = self.codes[square]
        return top(code) if height(code) == 2 else under(code)

    def _reach(self, square: int, targets: Sequence[int]) -> int:
        """How easily a piece went from `square` to one of `targets`."""
        seat = top(self.codes[square])
        return min((_strain(self.board, self.old, seat, square, q) for q in targets), default=0)

    def _room(self, seat: Seat) -> list[int]:
        """Squares whose stack can hide one more piece of `seat`."""
        fit = (q for q in self.tops if under(self.codes[q]) == seat)
        return [q for q in fit if not impossible(self.board, q, self.codes[q] + 16)]

    def _add_one(self, seat: Seat) -> None:
        room = self._room(seat)
        if not room:
            raise StateError(f"{self.lacking[seat]} pieces of {LETTERS[seat]} are missing, and nothing can hide them")
        square = min(room, key=lambda q: self._worth(q, seat))
        self._set(square, self.codes[square] + 16)

    def _worth(self, square: int, seat: Seat) -> tuple[bool, bool, bool, int, int]:
        """Changed squares first, then the pairs of the start, then stacks of one colour, the lowest first."""
        code = self.codes[square]
        at_start = self.board.area[square] == seat
        return square not in self.changed, not at_start, closed(code), height(code), square


def _anyhow(board: Board, tops: Mapping[int, Seat], each: int) -> Codes:
    """Any stacks that show the tops: what is not seen fills the pairs of the start, then lies under one top.

    Raises StateError where there are none.
    """
    codes = [lone(tops[q]) if q in tops else 0 for q in range(len(board.names))]
    lacking = {}
    for seat in board.seats:
        seen = [q for q, owner in tops.items() if owner == seat]
        if len(seen) > each:
            raise StateError(f"{len(seen)} pieces of {LETTERS[seat]} can be seen: there are only {each}")
        pairs = [q for q in seen if board.area[q] == seat][: each - len(seen)]
        for square in pairs:
            codes[square] = stack(2, seat, seat)
        lacking[seat] = each - len(seen) - len(pairs)
    for seat, square in _depots(board, tops, [seat for seat in lacking if lacking[seat]]).items():
        codes[square] = stack(1 + lacking[seat], seat, tops[square])
    return tuple(codes)


def _depots(board: Board, tops: Mapping[int, Seat], hidden: Sequence[Seat]) -> Mapping[Seat, int]:
    """For each seat with pieces that are not seen a square of its own, under whose top they may lie.

    Raises StateError where there are too few.
    """
    fit = [_fit(board, tops, seat) for seat in hidden]
    for squares in product(*fit):
        if len(set(squares)) == len(squares):
            return dict(zip(hidden, squares, strict=True))
    missing = " and ".join(LETTERS[seat] for seat in hidden)
    raise StateError(f"pieces of {missing} are missing, and there is no stack that could hide them all")


def _fit(board: Board, tops: Mapping[int, Seat], seat: Seat) -> list[int]:
    """The squares where any number of pieces of `seat` may lie hidden, those under its own tops first."""
    own = [q for q, above in tops.items() if above == seat and board.area[q] != seat]
    return [*sorted(own), *sorted(q for q, above in tops.items() if above != seat and board.area[q] == ACTIVE)]
