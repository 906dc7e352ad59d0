"""What is said to throws, answers, declarations and challenges, and to what comes too early, too late or cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from test_taken_back import FOUL, NAMES, Table, after_a_play

from companion.games.catalogue import game_for
from companion.model import (
    AcceptedAsPlayed,
    Answered,
    BadInput,
    BoardLost,
    Challenged,
    Confirmed,
    Declared,
    DiceCorrected,
    Due,
    DueKind,
    Kind,
    PositionSet,
    Roll,
    Rolled,
    Saw,
    TakenBack,
    Thrown,
    Undone,
)
from companion.model.words import DICE
from companion.referee.bench import Bench, tell

GOD, GLORIA = game_for("game-of-god", (0, 2)), game_for("gloria", (0, 2))
TEAMS = game_for("aggravation", (0, 1, 2, 3, 4, 5), {"play": "teams"})
MATES = {"game": "aggravation", "options": {"play": "teams", "arms": 6}, "seats": [0, 1, 2, 3, 4, 5], "due": 0}
MATES["pieces"] = {"0": [83, 84, 85, 86]} | {str(seat): [-1, -1, 5, 9] for seat in range(1, 6)}


def challenging(other: str = "b1") -> Table:
    """Red has just moved a man from a4 to a5, beside a yellow one on b5, and perhaps another."""
    squares = {f"{column}8": "NN" for column in "cdefgh"} | {f"{column}1": "SS" for column in "cdefgh"}
    squares |= {"a8": "N", "a4": "N", "b5": "S", other: "S"}
    told = {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N", "squares": squares}
    table = Table(GOD, GOD.from_json(told))
    assert [v.kind for v in table.shows(table.bench.position.moved(0, "a4", "a5"))] == [Kind.LEGAL]
    return table


def refused(table: Table, word: Any) -> str:
    """Why the word cannot be; nothing is changed by it."""
    before = table.bench
    with pytest.raises(BadInput) as error:
        table.tell(word)
    assert table.bench is before
    return str(error.value)


@pytest.mark.parametrize(
    ("throws", "follows", "due"),
    [
        ((6, 2), "Yellow threw 2. Red wins, and puts the piece from a5 on b5.", Due(DueKind.PLAY, 0)),
        ((3, 3), "Yellow threw 3. Equal: nothing happens, and Yellow moves.", Due(DueKind.MOVE, 2)),
        ((2, 5), "Yellow threw 5. Yellow wins, and may put the piece from b5 on a5.", Due(DueKind.MOVE, 2)),
    ],
)
@pytest.mark.parametrize("target", ["b5", "", None], ids=["said of which", "there is one only", "thrown at once"])
def test_god_12_and_13_what_the_throws_lead_to_is_said(
    throws: tuple[int, int], follows: str, due: Due, target: str | None
) -> None:
    table = challenging()
    announced = "Red challenges the piece on b5. Each throws one die."
    said = [] if target is None else table.tell(Challenged(table.now, target))
    said += table.tell(Thrown(table.now, 0, throws[0])) + table.tell(Thrown(table.now, 2, throws[1]))
    assert [v.text for v in said] == [announced, f"Red threw {throws[0]}.", follows]
    assert table.bench.due == due


def test_god_11_which_of_two_is_challenged_must_be_said() -> None:
    table = challenging("a6")
    which = "which piece is challenged: a6 or b5? Say it on the phone"
    assert refused(table, Challenged(table.now)) == refused(table, Thrown(table.now, 0, 4)) == which
    refused(table, Challenged(table.now, "c8"))
    assert [v.text for v in table.tell(Confirmed(table.now))] == ["Red does not challenge."]
    assert table.bench.due == Due(DueKind.MOVE, 2)
    assert refused(table, Challenged(table.now)) == "no piece can be challenged now"


@pytest.mark.parametrize(
    ("right", "kind", "said", "due"),
    [
        (True, Kind.NOTE, "Red knew the answer, and rolls.", Due(DueKind.ROLL, 0, (1,))),
        (False, Kind.PASS, "Red did not know the answer: the turn is over.", Due(DueKind.QUESTION, 2)),
    ],
)
def test_glo_1_an_answer_is_told(right: bool, kind: Kind, said: str, due: Due) -> None:
    table = Table(GLORIA, GLORIA.opening(0))
    [verdict] = table.tell(Answered(table.now, right))
    assert (verdict.kind, verdict.seat, verdict.text) == (kind, 0 if not right else due.seat, said)
    assert table.bench.due == due


def test_agg_22_a_declaration_is_told_and_of_another_refused() -> None:
    bench = Bench.opening(TEAMS, NAMES | {4: "orange", 5: "purple"}, TEAMS.from_json(MATES), 0)
    with pytest.raises(BadInput, match="seat 1 declares, but it is the turn of seat 0"):
        tell(bench, Declared(1.0, 1, 3))
    declared, [verdict] = tell(bench, Declared(1.0, 0, 2))
    assert verdict.text == "Red rolls, and Yellow plays it."
    assert declared.due == Due(DueKind.ROLL, 0, (1,))


@pytest.mark.parametrize(
    ("by", "dice", "kinds"),
    [
        ("phone", (3, 1), [Kind.LEGAL]),
        ("phone", (4, 1), [Kind.PARTIAL]),
        ("phone", (6, 2), []),
        (DICE, (3, 1), []),
    ],
    ids=["explains it", "explains half of it", "explains nothing", "of dice that speak for themselves"],
)
def test_dice_that_were_only_typed_late_judge_the_move_that_stands_there(
    by: str, dice: tuple[int, int], kinds: list[Kind]
) -> None:
    state = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0}
    state |= {"pieces": {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}}
    game = game_for("parcheesi", (0, 2))
    table = Table(game, game.from_json(state))
    moved = table.bench.position.moved(0, "t10", "t14")
    assert [v.kind for v in table.shows(moved)] == [Kind.ILLEGAL]
    said = table.tell(Rolled(table.now, Roll(dice), by))
    waits = [f"The new roll of {dice[0]} and {dice[1]} waits: first please put the pawns right."]
    assert [v.text for v in said] == ([] if kinds else waits)
    assert [v.kind for v in table.shows(moved, hand=False)] == kinds
    assert table.bench.accused is not bool(kinds)


def test_what_waits_is_named_and_what_for_and_what_came_last_is_taken_back_first() -> None:
    table = after_a_play()
    early = [Rolled(table.now, Roll((5, 4))), Rolled(table.now, Roll((1, 1)))]
    assert [v.text for word in early for v in table.tell(word)] == [
        "Yellow has not played 6 and 2 yet; the new roll of 5 and 4 waits.",
        "Yellow has not played 6 and 2 yet; the new roll of 1 and 1 waits.",
    ]
    undone = [v.text for _ in early for v in table.tell(Undone(table.now))]
    assert undone == ["The new roll of 1 and 1 is taken back.", "The new roll of 5 and 4 is taken back."]
    table.shows(table.bench.position.moved(2, "t39", "t41"))  # the half of it
    [waits] = table.tell(early[0])
    assert waits.text == "Yellow has not finished the last move; the new roll of 5 and 4 waits."


def test_what_waited_and_cannot_be_is_said_not_to_count() -> None:
    table = after_a_play()
    table.tell(Rolled(table.now, Roll((5,)), "phone"))
    said = table.shows(table.bench.position.moved(2, "t39", "t47"))
    assert [v.kind for v in said] == [Kind.LEGAL, Kind.NOTE] and not table.bench.early
    assert said[1].text.startswith("The new roll of 5 does not count: ")


@pytest.mark.parametrize(
    ("table", "dice", "said"),
    [
        (after_a_play, (4,), "1 die cannot be what was rolled: 2 are thrown now; give the values of 2"),
        (after_a_play, (4, 1, 1), "3 dice cannot be what was rolled: 2 are thrown now; give the values of 2"),
        (challenging, (4, 1), "there is no roll to correct: this turn has no dice"),
        (lambda: Table(GLORIA, GLORIA.opening(0)), (4,), "there is no roll to correct yet; roll first"),
    ],
)
def test_dice_that_cannot_be_corrected_so(table: Any, dice: tuple[int, ...], said: str) -> None:
    at = table()
    assert refused(at, DiceCorrected(at.now, Roll(dice))) == said


def test_one_die_is_corrected_by_one_value() -> None:
    table = Table(GLORIA, GLORIA.opening(0))
    table.tell(Answered(table.now, True))
    table.tell(Rolled(table.now, Roll((6,))))
    said = "2 dice cannot be what was rolled: 1 is thrown now; give the value of 1"
    assert refused(table, DiceCorrected(table.now, Roll((6, 1)))) == said


def test_what_cannot_be_seen_cannot_be_accepted() -> None:
    table = after_a_play()
    table.shows(table.bench.position.moved(*FOUL))
    table.tell(Saw(table.now, BoardLost(table.now, "dark")))
    said = "the board cannot be seen well enough now; take the hands away and try again"
    assert refused(table, AcceptedAsPlayed(table.now)) == said


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"game": "gloria"}, "the position is of 'gloria'; this game is 'parcheesi'"),
        ({"seats": [0, 1]}, r"the position has the seats \[0, 1\]; at this table sit \[0, 2\]"),
        ({"seats": 5}, r"seats must be a list such as \[0, 2\], not 5"),
    ],
)
def test_a_position_of_another_table_is_refused(told: dict[str, Any], said: str) -> None:
    table = after_a_play()
    state = table.game.to_json(table.game.opening(0))
    with pytest.raises(BadInput, match=said):
        table.tell(PositionSet(table.now, {**state, **told}))


@pytest.mark.parametrize("words", [(6, 1), (6, 6), (None,)], ids=["won", "equal", "declined"])
def test_god_11_a_challenge_goes_with_the_move_that_is_taken_back(words: tuple[int | None, ...]) -> None:
    """It counted for the move that was made instead, of another piece even: nobody had challenged that one."""
    table = challenging("b3")
    if words == (None,):
        table.tell(Confirmed(table.now))
        table.tell(TakenBack(table.now))
    else:
        table.tell(Challenged(table.now, "b5"))
        for seat, value in zip((0, 2), words, strict=True):
            table.tell(Thrown(table.now, seat, value))
        table.tell(TakenBack(table.now))
    back = table.bench.trail[0]
    table.shows(back)
    said = table.shows(back.moved(0, "a4", "a3"))
    assert [verdict.kind for verdict in said] == [Kind.LEGAL], [verdict.text for verdict in said]
    assert table.bench.due == Due(DueKind.CHALLENGE, 0) and not table.bench.early


@pytest.mark.parametrize("values", [(6,), (6, 1), (6, 6)])
def test_god_12_the_last_throw_of_a_challenge_can_be_undone(values: tuple[int, ...]) -> None:
    table = challenging()
    table.tell(Challenged(table.now, "b5"))
    for seat, value in zip((0, 2), values, strict=False):
        table.tell(Thrown(table.now, seat, value))
    last = (0, 2)[len(values) - 1]
    [said] = table.tell(Undone(table.now))
    assert said.text == f"{NAMES[last].capitalize()}'s throw does not count: please throw again."
    assert table.bench.due == Due(DueKind.THROW, last, (1,))
    if len(values) == 1:
        table.tell(Thrown(table.now, 0, 3))
    table.tell(Thrown(table.now, 2, 5 if len(values) == 1 else 6))
    assert not table.bench.early


def test_god_12_a_throw_cannot_be_undone_once_somebody_played() -> None:
    table = challenging()
    table.tell(Thrown(table.now, 0, 6))
    table.tell(Thrown(table.now, 2, 1))
    assert [v.kind for v in table.shows(table.bench.position.moved(0, "a5", "b5").without(2, "b5"))] == [Kind.LEGAL]
    assert "nothing to undo" in refused(table, Undone(table.now))
