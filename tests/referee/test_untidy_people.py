"""People who are untidy and honest: what a referee must not mind, and what it must say so that they find on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.games.catalogue import game_for
from companion.model import (
    BoardSeen,
    DueKind,
    Kind,
    Position,
    Roll,
    Rolled,
    Saw,
    Seat,
    SpaceSeen,
    Verdict,
)
from companion.referee.bench import Bench, tell

NAMES = {0: "red", 1: "green", 2: "yellow", 3: "blue"}
GOD = {"game": "game-of-god", "options": {}, "seats": ["N", "S"]}
PARCHEESI = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0}
PRINT = {**PARCHEESI, "game": "parcheesi-print"}
GLORIA = {**PARCHEESI, "game": "gloria"}
AGGRAVATION = {**PARCHEESI, "game": "aggravation"}
ON_TRACK = {"0": [5, 20, -1, -1], "2": [7, -1, -1, -1]}


class Table:
    """A board that is seen for sure, and a hand that is over it whenever something changes."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        seats = [0, 2] if data["game"] == "game-of-god" else data["seats"]
        self.game, self.now = game_for(data["game"], seats, data["options"]), 0.0
        self.bench = Bench.opening(self.game, NAMES, self.game.from_json(data), 0)
        self.board = self.bench.position
        self.look()

    def tell(self, word: Any) -> list[Verdict]:
        self.bench, said = tell(self.bench, word)
        return said

    def look(self, seconds: float = 2.5, hand: bool = True) -> list[Verdict]:
        """A hand, if any, and then a still board."""
        seen = {n: SpaceSeen(self.board.at(n), 0.999, likelihoods={self.board.at(n): 0.0}) for n in self.game.spaces()}
        said: list[Verdict] = []
        for k in range(round(5 * seconds)):
            self.now += 0.2
            said += self.tell(Saw(self.now, BoardSeen(self.now, seen, moving=hand and k == 0)))
        return said

    def show(self, board: Position, seconds: float = 2.5) -> list[Kind]:
        """The board is changed by hand; what is said of it."""
        self.board = board
        return kinds(self.look(seconds))

    def move(self, seat: Seat, origin: str, target: str, seconds: float = 2.5) -> list[Kind]:
        """A piece is moved by hand, the top one where they stand on each other; it uncovers one of its own."""
        return self.show(self.board.moved(seat, origin, target), seconds)

    def roll(self, *dice: int) -> list[Verdict]:
        """Dice of the table's own, typed on a phone."""
        return self.tell(Rolled(self.now, Roll(dice), by="phone"))


def kinds(said: list[Verdict]) -> list[Kind]:
    return [verdict.kind for verdict in said]


# --- dice that are told late, early, or twice ---

LATE = [
    (PARCHEESI, (5, 3), (0, "t5", "t8"), Kind.PARTIAL),
    (PRINT, (2,), (0, "t5", "t7"), Kind.LEGAL),
    (AGGRAVATION, (3,), (0, "t14", "t17"), Kind.LEGAL),
]


def late_table(data: Mapping[str, Any]) -> Table:
    pieces = {"0": [5, 20, 30, 40], "2": [7, -1, -1, -1]} if data is PARCHEESI else ON_TRACK
    return Table({**data, "pieces": pieces})


@pytest.mark.parametrize(("data", "dice", "move", "kind"), LATE)
def test_a_roll_that_is_told_after_its_move_makes_the_move_right(
    data: Mapping[str, Any], dice: tuple[int, ...], move: tuple[Seat, str, str], kind: Kind
) -> None:
    """PAR-4, PRN-1, AGG-4: dice of the table's own were thrown, and typed on the phone a moment too late."""
    table = late_table(data)
    assert table.move(*move) == [Kind.ILLEGAL]
    assert table.roll(*dice) == []
    assert kinds(table.look(hand=False)) == [kind]


def test_a_roll_that_is_told_after_its_move_counts_where_a_question_was_answered_before() -> None:
    """GLO-1, GLO-4."""
    table = Table({**GLORIA, "pieces": ON_TRACK, "expects": "roll"})
    assert table.bench.due.kind is DueKind.ROLL
    assert table.move(0, "t5", "t8") == [Kind.ILLEGAL]
    assert table.roll(3) == [] and kinds(table.look(hand=False)) == [Kind.LEGAL]


def test_a_roll_that_does_not_fit_the_move_before_it_waits_and_it_is_said_for_what() -> None:
    """AGG-4."""
    table = late_table(AGGRAVATION)
    assert table.move(0, "t14", "t18") == [Kind.ILLEGAL]
    (note,) = table.roll(3)
    assert note.text == "The new roll of 3 waits: first please put the marbles right."
    assert table.move(0, "t18", "t14") == [Kind.RESTORED]
    assert table.move(0, "t14", "t17") == [Kind.LEGAL]


def test_a_roll_too_many_says_whose_play_it_waits_for() -> None:
    """PAR-4: nothing was moved yet, so no move is unfinished."""
    table = late_table(PARCHEESI)
    table.roll(5, 3)
    (note,) = table.roll(6, 1)
    assert note.text == "Red has not played 5 and 3 yet; the new roll of 6 and 1 waits."
