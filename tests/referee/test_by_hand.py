"""What is told by hand: a play of the roll is named as one, anything else is a position that was set."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.catalogue import game_for
from companion.model import (
    Challenged,
    Confirmed,
    DueKind,
    Kind,
    PositionSet,
    Roll,
    Rolled,
    TakenBack,
    Thrown,
    Undone,
    Verdict,
)
from companion.referee.bench import Bench, tell

NAMES = {0: "red", 2: "yellow"}
PARCHEESI, GOD = game_for("parcheesi", (0, 2)), game_for("game-of-god", (0, 2))


def told(game: Any, state: dict[str, Any], dice: tuple[int, ...], after: dict[str, Any]) -> tuple[Bench, list[Verdict]]:
    """A game at a state, a roll, and how the table says that it stands then."""
    bench = Bench.opening(game, NAMES, game.from_json(state), 0)
    bench, _ = tell(bench, Rolled(1.0, Roll(dice)))
    return tell(bench, PositionSet(2.0, {**state, **after}, "phone"))


def parcheesi(doublets: int = 0) -> dict[str, Any]:
    pieces = {"0": [-1, 10, 20, 30], "2": [-1, -1, 5, 7]}
    return {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": doublets, "pieces": pieces}


@pytest.mark.parametrize(
    ("dice", "pieces", "due", "said"),
    [
        ((3, 1), {"0": [-1, 14, 20, 30], "2": [-1, -1, 5, 7]}, 2, "Red moved 1, then moved 3."),
        ((5, 1), {"0": [0, 11, 20, 30], "2": [-1, -1, 5, 7]}, 2, "Red moved 1, then entered a pawn."),
        ((3, 1), {"0": [-1, 15, 20, 30], "2": [-1, -1, 5, 7]}, 2, "The position was set by hand."),
        ((3, 1), {"0": [-1, 14, 20, 30], "2": [-1, -1, 5, 7]}, 0, "The position was set by hand."),
    ],
)
def test_a_position_that_is_a_play_of_the_roll_is_named_as_one(
    dice: tuple[int, int], pieces: dict[str, list[int]], due: int, said: str
) -> None:
    bench, verdicts = told(PARCHEESI, parcheesi(), dice, {"pieces": pieces, "due": due})
    assert verdicts[0].text == said
    assert verdicts[0].kind is (Kind.NOTE if "by hand" in said else Kind.LEGAL)
    assert bench.due.seat == due
    bench, _ = tell(bench, Undone(3.0))
    assert bench.due.kind is DueKind.PLAY and bench.position.at("t10") == (0,)


def test_doublets_that_are_played_by_hand_are_counted() -> None:
    """The page tells how many were thrown before the roll: it cannot know that these are more."""
    pieces = {"0": [-1, 14, 20, 30], "2": [-1, -1, 5, 7]}
    bench, verdicts = told(PARCHEESI, parcheesi(1), (2, 2), {"pieces": pieces, "doublets": 1})
    assert verdicts[0].kind is Kind.LEGAL and bench.due.seat == 0
    bench, _ = tell(bench, Rolled(3.0, Roll((4, 4))))
    assert bench.game.left(bench.node.state) == (), "the third in a row are not moved"


@pytest.mark.parametrize(
    ("pieces", "dice", "doublets"),
    [
        ({"0": [-1, 14, 24, 31], "2": [-1, -1, 5, 7]}, (4, 4), 2),  # a pawn lies one space too far
        ({"0": [-1, 14, 24, 31], "2": [-1, -1, 5, 7]}, (4, 3), 1),
        ({"0": [-1, 10, 20, 30], "2": [-1, -1, 5, 7]}, (4, 4), 1),  # all as before the roll: it is thrown anew
    ],
)
def test_par_16_doublets_count_on_though_the_board_was_put_right_by_hand(
    pieces: dict[str, list[int]], dice: tuple[int, int], doublets: int
) -> None:
    bench, verdicts = told(PARCHEESI, parcheesi(1), dice, {"pieces": pieces, "doublets": 1})
    assert verdicts[0].text == "The position was set by hand."
    assert bench.due.kind is DueKind.ROLL and bench.state.doublets == doublets


def test_a_pawn_that_may_have_thrown_a_six_or_not_is_a_correction_where_it_is_said_otherwise() -> None:
    start = {"game": "gloria", "options": {"opening_dice": 2}, "seats": [0, 2], "due": 0, "expects": "roll"}
    game = game_for("gloria", (0, 2), {"opening_dice": 2})
    state = {**start, "pieces": {"0": [-1] * 4, "2": [-1] * 4}, "opened": []}
    after = {"pieces": {"0": [-1, -1, -1, 4], "2": [-1] * 4}, "due": 2, "expects": "question"}
    _, verdicts = told(game, state, (6, 4), {**after, "opened": [0]})
    assert verdicts[0].text.startswith("Red entered a pawn")
    _, verdicts = told(game, state, (6, 4), {**after, "opened": [0, 2]})
    assert verdicts[0].text == "The position was set by hand."


def test_a_move_without_dice_is_named_too() -> None:
    bench = Bench.opening(GOD, NAMES, GOD.opening(0), 0)
    state = GOD.to_json(GOD.opening(0))
    square = next(name for name, pieces in state["squares"].items() if name.endswith("8"))
    pieces = state["squares"][square]
    squares = {**state["squares"], square: pieces[:-1], f"{square[0]}7": pieces[-1]}
    squares = {name: stack for name, stack in squares.items() if stack}
    _, verdicts = tell(bench, PositionSet(2.0, {**state, "squares": squares, "due": "S"}, "phone"))
    assert verdicts[0].text == f"Red moved from {square} to {square[0]}7."


def beside(due: str, **squares: str) -> dict[str, Any]:
    """Game of God in its midst: all pieces that the squares do not name lie in goal."""
    rest = {"N": "b1", "S": "b8"}
    goals = {rest[who]: who * (14 - "".join(squares.values()).count(who)) for who in rest}
    return {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": due, "squares": {**goals, **squares}}


def test_god_11_who_moved_by_hand_may_challenge_or_the_next_moves() -> None:
    """Where no camera looks the right to challenge was lost: whoever was said to be next was due at once."""
    before = beside("N", d6="N", c4="S", h4="S")
    bench = Bench.opening(GOD, NAMES, GOD.from_json(before), 0)
    moved = beside("S", d4="N", c4="S", h4="S")
    bench, verdicts = tell(bench, PositionSet(2.0, moved, "phone"))
    assert [v.text for v in verdicts] == ["Red moved from d6 to d4."]
    assert (bench.due.kind, bench.due.seat) == (DueKind.CHALLENGE, 0) and bench.challenges == (("c4",),)
    challenging, _ = tell(bench, Challenged(3.0, "c4"))
    assert challenging.due.kind is DueKind.THROW
    declined, _ = tell(bench, Confirmed(3.0))
    assert (declined.due.kind, declined.due.seat) == (DueKind.MOVE, 2)
    bench, verdicts = tell(bench, PositionSet(4.0, beside("N", d4="N", c4="S", h7="S"), "phone"))
    assert verdicts[0].text == "Yellow moved from h4 to h7." and bench.due.seat == 0
    assert bench.rotation.player == 2
    bench, _ = tell(bench, Undone(5.0))
    assert bench.due.kind is DueKind.CHALLENGE
    bench, _ = tell(bench, TakenBack(6.0))
    assert bench.due.kind is DueKind.MOVE and bench.position == GOD.position(GOD.from_json(before))


def test_god_13_who_won_a_challenge_and_puts_the_piece_by_hand_moves_next() -> None:
    """It was taken for the winner's move: the other player was due."""
    bench = Bench.opening(GOD, NAMES, GOD.from_json(beside("N", d6="N", c4="S", h4="S")), 0)
    words = (PositionSet(2.0, beside("S", d4="N", c4="S", h4="S")), Challenged(3.0, "c4"))
    for word in (*words, Thrown(4.0, 0, 2), Thrown(5.0, 2, 6)):
        bench, _ = tell(bench, word)
    assert (bench.due.kind, bench.due.seat) == (DueKind.MOVE, 2)
    put, verdicts = tell(bench, PositionSet(6.0, beside("S", d4="NS", h4="S"), "phone"))
    assert [v.text for v in verdicts] == ["Yellow moved from c4 to d4."]
    assert (put.due.kind, put.due.seat) == (DueKind.MOVE, 2)
    left, verdicts = tell(bench, PositionSet(6.0, beside("N", d4="N", c4="S", h7="S"), "phone"))
    assert verdicts[0].text == "Yellow moved from h4 to h7." and left.due.seat == 0


@pytest.mark.parametrize("word", [Undone(9.0), TakenBack(9.0)])
def test_a_play_told_by_hand_that_is_no_more_was_its_players(word: Undone | TakenBack) -> None:
    """It still counted in the sums of an earlier game, as it was nobody's."""
    bench = Bench.opening(GOD, NAMES, GOD.from_json(beside("N", d6="N", c3="S", h4="S")), 0)
    bench, [told] = tell(bench, PositionSet(2.0, beside("S", d5="N", c3="S", h4="S")))
    _, [back] = tell(bench, word)
    assert (told.kind, told.seat) == (Kind.LEGAL, 0) and (back.kind, back.seat) == (Kind.TAKEBACK, 0)
    bench, [told] = tell(bench, PositionSet(3.0, beside("S", d5="N", c3="S", h6="S")))
    _, [back] = tell(bench, word)
    assert told.kind is Kind.NOTE and (back.kind is Kind.NOTE or back.seat is None)
