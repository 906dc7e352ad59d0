"""What is worked out of a board is worked out once, and goes with the board."""

from __future__ import annotations

import weakref

from companion.vision.view.keeping import kept


class Board:
    """A thing that can be let go."""


def test_a_result_is_worked_out_once_for_each_thing_and_what_else_is_asked() -> None:
    asked: list[tuple[Board, int]] = []

    @kept(most=2)
    def twice(board: Board, number: int) -> int:
        asked.append((board, number))
        return 2 * number

    one, other = Board(), Board()
    assert [twice(one, 3), twice(one, 3), twice(other, 3), twice(one, 4), twice(one, 3)] == [6, 6, 6, 8, 6]
    assert asked == [(one, 3), (other, 3), (one, 4)]
    twice(one, 5)
    twice(one, 4)
    assert asked[3:] == [(one, 5), (one, 4)], "of three the two asked last are kept"


def test_what_is_kept_goes_with_the_thing() -> None:
    @kept()
    def made_of(board: Board) -> Board:
        return Board()

    board = Board()
    thing, result = weakref.ref(board), weakref.ref(made_of(board))
    assert made_of(board) is result()
    del board
    assert thing() is None and result() is None
