"""Moves whose roll nobody told: half of them is asked about, too, the roll may be typed late, and the table accepts."""

from __future__ import annotations

from typing import Any

import pytest
from test_taken_back import PARCHEESI, Table
from test_words_that_carry_on import GLORIA, MATES, TEAMS

from companion.games.catalogue import game_for
from companion.model import AcceptedAsPlayed, Answered, DiceState, Due, DueKind, Kind, Position, Roll, Rolled, Verdict

AGGRAVATION = game_for("aggravation", (0, 2))
SIX_ARMS = game_for("aggravation", (0, 3), {"arms": 6})
SPREAD = {"0": [10, 20, 30, 40], "2": [-1, -1, -1, -1]}
BESIDE = SPREAD | {"2": [49, -1, -1, -1]}
"""A yellow pawn stands on t15, five before one of red's."""


def parcheesi(pieces: dict[str, list[int]], dice: bool = False) -> Table:
    """Red is to roll; dice: there is a dice box that works."""
    told = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0, "pieces": pieces}
    table = Table(PARCHEESI, PARCHEESI.from_json(told))
    table.tell(DiceState(table.now, dice))
    return table


def landed(table: Table) -> tuple[Position, Position, Position]:
    """Red has landed on the yellow pawn: both stand there, yellow's is in a hand, it is in its circle."""
    both = table.bench.position.moved(0, "t10", "t15")
    return both, both.without(2, "t15"), both.moved(2, "t15", "base2")


def texts(said: list[Verdict]) -> list[str]:
    return [f"{verdict.kind.value}: {verdict.text}" for verdict in said]


WHAT = "unclear: I did not hear the dice. What was rolled? Please enter it on the phone."


def test_half_a_play_is_asked_about_and_then_the_whole_one() -> None:
    table = parcheesi(SPREAD)
    half = table.bench.position.moved(0, "t10", "t11")
    assert texts(table.shows(half)) == [WHAT]
    whole = half.moved(0, "t20", "t23")
    said = table.shows(whole)
    assert texts(said) == ["unclear: I did not hear the dice. Was the roll 1 and 3? Please enter it on the phone."]
    table.tell(Rolled(table.now, Roll((3, 1)), "phone"))
    assert [verdict.kind for verdict in table.shows(whole, hand=False)] == [Kind.LEGAL]


@pytest.mark.parametrize("quick", [True, False])
def test_two_plays_whose_rolls_nobody_told_yet_are_asked_about_one_after_the_other(quick: bool) -> None:
    """Who types was slower than the next player: "moved before rolling" was said, and both were to put it back."""
    table = parcheesi(SPREAD | {"2": [2, 30, -1, -1]})
    red = table.bench.position.moved(0, "t10", "t11").moved(0, "t20", "t23")
    both = red.moved(2, "t36", "t38").moved(2, "t64", "t0")
    ask = "unclear: I did not hear the dice. Was the roll {}? Please enter it on the phone."
    said = texts(table.shows(red)) if not quick else []
    assert said + texts(table.shows(both)) == [ask.format("1 and 3")]
    table.tell(Rolled(table.now, Roll((3, 1)), "phone"))
    legal, asked = table.shows(both, hand=False)
    assert (legal.kind, legal.seat) == (Kind.LEGAL, 0)
    assert (texts([asked]), asked.seat) == ([ask.format("2 and 4")], 2)
    table.tell(Rolled(table.now, Roll((2, 4)), "phone"))
    assert [(v.kind, v.seat) for v in table.shows(both, hand=False)] == [(Kind.LEGAL, 2)]
    assert table.bench.position == both and not table.bench.early


def test_the_next_players_foul_upon_a_play_is_called_though_its_roll_was_not_heard() -> None:
    table = parcheesi(SPREAD | {"2": [2, 30, -1, -1]})
    seen = table.bench.position.moved(0, "t10", "t11").moved(0, "t20", "t23").moved(2, "t36", "t35")
    table.shows(seen)
    table.tell(Rolled(table.now, Roll((3, 1)), "phone"))
    said = table.shows(seen, hand=False)
    assert [(v.kind, v.seat) for v in said] == [(Kind.ILLEGAL, 2)] and said[0].put_right == ((2, "t35", "t36"),)


def test_who_moves_after_a_roll_that_nobody_told_and_nobody_could_play_is_not_out_of_turn() -> None:
    """PAR-1: red has no pawn out and no five, which nobody types; "Yellow moved, but it is Red's turn" was said."""
    table = parcheesi({"0": [-1] * 4, "2": [2, 30, -1, -1]})
    seen = table.bench.position.moved(2, "t36", "t38").moved(2, "t64", "t0")
    what = "unclear: I did not hear what Red rolled. Please enter it on the phone."
    assert texts(table.shows(seen)) == [what]
    table.tell(Rolled(table.now, Roll((6, 3)), "phone"))
    asked = "unclear: I did not hear the dice. Was the roll 2 and 4? Please enter it on the phone."
    assert texts(table.shows(seen, hand=False)) == [asked]
    table.tell(Rolled(table.now, Roll((4, 2)), "phone"))
    assert [(v.kind, v.seat) for v in table.shows(seen, hand=False)] == [(Kind.LEGAL, 2)]


def test_who_moves_out_of_turn_is_told_so_where_the_untold_roll_could_be_played() -> None:
    table = parcheesi({"0": [-1] * 4, "2": [2, 30, -1, -1]})
    seen = table.bench.position.moved(2, "t36", "t38").moved(2, "t64", "t0")
    table.shows(seen)
    table.tell(Rolled(table.now, Roll((5, 3)), "phone"))
    assert [(v.kind, v.rules[0]) for v in table.shows(seen, hand=False)] == [(Kind.ILLEGAL, "COM-3")]


@pytest.mark.parametrize("captures", [False, True])
@pytest.mark.parametrize(("origin", "target", "second"), [("t16", "t19", 3), ("t20", "t22", 2)])
def test_a_six_and_the_extra_turn_that_nobody_told_are_asked_about_one_after_the_other(
    origin: str, target: str, second: int, captures: bool
) -> None:
    """AGG-7: "Red moved before rolling" was said, of who rolled twice and typed neither."""
    told = {"game": "aggravation", "options": {}, "seats": [0, 2], "due": 0}
    pieces = {"0": [1, 11, -1, -1], "2": [35 if captures else 40, -1, -1, -1]}
    table = Table(AGGRAVATION, AGGRAVATION.from_json(told | {"pieces": pieces}))
    table.tell(DiceState(table.now, False))
    taken = table.bench.position.moved(2, "t16", "base2") if captures else table.bench.position
    seen = taken.moved(0, "t10", "t16").moved(0, origin, target)
    ask = "unclear: I did not hear the dice. Was the roll {}? Please enter it on the phone."
    assert texts(table.shows(seen)) == [ask.format(6)]
    table.tell(Rolled(table.now, Roll((6,)), "phone"))
    legal, again = table.shows(seen, hand=False)
    assert (legal.kind, texts([again])) == (Kind.LEGAL, [ask.format(second)])
    table.tell(Rolled(table.now, Roll((second,)), "phone"))
    assert [(v.kind, v.seat) for v in table.shows(seen, hand=False)] == [(Kind.LEGAL, 0)]


def test_where_only_the_second_roll_tells_how_the_first_was_played_it_is_asked_for_at_once() -> None:
    """PAR-16: of doublets and a roll that lie one upon the other a wrong end was taken, and the second roll a foul."""
    table = parcheesi({"0": [-1, 14, 16, 30], "2": [-1] * 4})
    before = table.bench.position
    seen = before.moved(0, "base0", "t0").moved(0, "t14", "t18").moved(0, "t16", "t24")
    ask = "unclear: I did not hear the dice. {} Please enter it on the phone."
    (asked,) = texts(table.shows(seen))
    assert asked.startswith("unclear: I did not hear the dice. Was the roll") and "5 and 5" in asked
    table.tell(Rolled(table.now, Roll((5, 5)), "phone"))
    assert texts(table.shows(seen, hand=False)) == [ask.format("What was rolled after that?")]
    table.tell(Rolled(table.now, Roll((3, 4)), "phone"))
    assert [v.kind for v in table.shows(seen, hand=False)] == [Kind.LEGAL, Kind.LEGAL]


def test_a_star_run_that_is_one_of_many_plays_of_a_six_is_asked_about_and_the_roll_after_it() -> None:
    """AGG-10: six plays of it end as near to what is seen, and the last of them was left out: red was said to have
    moved before rolling."""
    told = {"game": "aggravation", "options": {"arms": 6}, "seats": [0, 3], "due": 0}
    pieces = {"0": [5, 84, 85, 86], "3": [-1] * 4}
    table = Table(SIX_ARMS, SIX_ARMS.from_json(told | {"pieces": pieces}))
    table.tell(DiceState(table.now, False))
    seen = table.bench.position.moved(0, "t14", "t7")  # five stars on and a hole, then 6
    ask = "unclear: I did not hear the dice. Was the roll 6? Please enter it on the phone."
    assert texts(table.shows(seen)) == [ask]
    table.tell(Rolled(table.now, Roll((6,)), "phone"))
    assert not any(text.startswith("illegal") for text in texts(table.shows(seen, hand=False)))
    table.tell(Rolled(table.now, Roll((6,)), "phone"))
    table.shows(seen, hand=False)
    assert table.bench.position == seen and table.bench.due == Due(DueKind.ROLL, 0, (1,))


def test_a_shortcut_that_could_be_left_is_played_though_the_next_roll_is_played_already() -> None:
    """AGG-15: with the 6 yellow could only turn into the centre, and rolled a 1 after it. It was asked once more
    whether the roll was 6, and with the 1 yellow had left the shortcut and moved a marble too many."""
    told = {"game": "aggravation", "options": {}, "seats": [0, 2], "due": 2}
    pieces = {"0": [42, 43, 48, 57], "2": [42, 48, 52, 56]}
    table = Table(AGGRAVATION, AGGRAVATION.from_json(told | {"pieces": pieces}))
    table.tell(DiceState(table.now, False))
    seen = table.bench.position.moved(2, "t23", "center").moved(2, "lane2.2", "lane2.3")
    ask = "unclear: I did not hear the dice. Was the roll {}? Please enter it on the phone."
    assert texts(table.shows(seen)) == [ask.format(6)]
    table.tell(Rolled(table.now, Roll((6,)), "phone"))
    assert texts(table.shows(seen, hand=False)) == ["legal: Yellow turned into the centre.", ask.format(1)]
    table.tell(Rolled(table.now, Roll((1,)), "phone"))
    assert [verdict.kind for verdict in table.shows(seen, hand=False)] == [Kind.LEGAL]
    assert table.bench.due == Due(DueKind.ROLL, 0, (1,))


@pytest.mark.parametrize("seconds", [0.0, 3.0], ids=["with the next play on it", "alone"])
def test_a_shortcut_that_is_seen_only_after_the_next_roll_was_not_left(seconds: float) -> None:
    """AGG-15: who turned into the centre with a 6 and rolled again at once had left the shortcut, and moved wrongly."""
    told = {"game": "aggravation", "options": {}, "seats": [0, 2], "due": 0}
    pieces = {"0": [42, 48, 51, 57], "2": [28, 50, 53, 55]}
    table = Table(AGGRAVATION, AGGRAVATION.from_json(told | {"pieces": pieces}))
    table.tell(Rolled(table.now, Roll((6,))))
    table.tell(Rolled(table.now, Roll((4,))))
    turned = table.bench.position.moved(0, "t51", "center")
    said = table.shows(turned, seconds=seconds) + table.shows(turned.moved(0, "t4", "lane0.1"))
    assert texts(said) == ["legal: Red turned into the centre.", "legal: Red moved 4 to HOME."]
    assert table.bench.due == Due(DueKind.ROLL, 2, (1,))


def test_who_left_a_shortcut_takes_it_no_more_once_the_next_player_rolled() -> None:
    """AGG-15, COM-3: red could only turn into the centre with a 5, and yellow has the dice for long."""
    told = {"game": "aggravation", "options": {}, "seats": [0, 2], "due": 0}
    pieces = {"0": [43, 48, 51, 56], "2": [1, 50, 53, 55]}
    table = Table(AGGRAVATION, AGGRAVATION.from_json(told | {"pieces": pieces}))
    table.tell(Rolled(table.now, Roll((5,))))
    table.tell(Rolled(table.now, Roll((4,))))
    table.shows(table.bench.position, hand=False, seconds=4.0)
    said = table.shows(table.bench.position.moved(0, "t52", "center"))
    assert [(v.kind, v.rules[0]) for v in said] == [(Kind.ILLEGAL, "COM-3")]


def test_who_types_another_roll_than_the_first_of_two_is_judged_by_it() -> None:
    """AGG-4: nine holes may be a 6 and a 3, and are a foul for who rolled a 4."""
    told = {"game": "aggravation", "options": {}, "seats": [0, 2], "due": 0}
    table = Table(AGGRAVATION, AGGRAVATION.from_json(told | {"pieces": {"0": [1, -1, -1, -1], "2": [-1] * 4}}))
    table.tell(DiceState(table.now, False))
    seen = table.bench.position.moved(0, "t10", "t19")
    assert [v.kind for v in table.shows(seen)] == [Kind.UNCLEAR]
    table.tell(Rolled(table.now, Roll((4,)), "phone"))
    assert [v.kind for v in table.shows(seen, hand=False)] == [Kind.ILLEGAL]


def test_two_untold_plays_of_one_player_that_are_accepted_end_the_turn() -> None:
    """AGG-7: after a 6 and a 3 the next one is due."""
    told = {"game": "aggravation", "options": {}, "seats": [0, 2], "due": 0}
    table = Table(AGGRAVATION, AGGRAVATION.from_json(told | {"pieces": {"0": [1, -1, -1, -1], "2": [-1] * 4}}))
    table.tell(DiceState(table.now, False))
    table.shows(table.bench.position.moved(0, "t10", "t19"))
    table.tell(AcceptedAsPlayed(table.now))
    assert (table.bench.due.kind, table.bench.due.seat) == (DueKind.ROLL, 2)


def test_what_no_roll_leads_to_is_called() -> None:
    table = parcheesi(SPREAD)
    said = table.shows(table.bench.position.moved(0, "t10", "t9"))
    assert [(v.kind, v.rules) for v in said] == [(Kind.ILLEGAL, ("PAR-4",))]


@pytest.mark.parametrize("stage", [0, 1, 2], ids=["beside the other", "the other in a hand", "the other sent back"])
def test_a_capture_is_asked_about_at_each_of_its_stages_and_legal_with_its_roll(stage: int) -> None:
    """PAR-9: the pawn is taken away after the landing; the bonus of 20 is still to be played."""
    table = parcheesi(BESIDE)
    looks = landed(table)
    assert texts(table.shows(looks[stage], seconds=6.0)) == [WHAT]
    assert texts(table.shows(looks[2], seconds=6.0)) == [], "it is asked once"
    table.tell(Rolled(table.now, Roll((4, 1)), "phone"))
    said = table.shows(looks[2], hand=False)
    assert [v.kind for v in said] == [Kind.PARTIAL] and "sent yellow's pawn back" in said[0].text
    assert not table.bench.accused


def test_a_roll_that_is_typed_while_the_captured_pawn_is_in_a_hand_is_not_late() -> None:
    """With a dice box that works the move was called one before the roll; who typed it was right."""
    table = parcheesi(BESIDE, dice=True)
    _, in_hand, back = landed(table)
    table.shows(in_hand, seconds=6.0)
    assert table.bench.accused
    table.tell(Rolled(table.now, Roll((4, 1)), "phone"))
    assert not table.bench.early and table.bench.due == Due(DueKind.PLAY, 0)
    assert [v.kind for v in table.shows(back)] == [Kind.PARTIAL]


def test_a_roll_that_waits_counts_once_the_board_shows_a_play_of_it() -> None:
    """It waited as the board showed no play of it yet: the pawn was put down one space short."""
    table = parcheesi(SPREAD, dice=True)
    start = table.bench.position
    table.shows(start.moved(0, "t10", "t16"))
    assert table.bench.accused
    said = table.tell(Rolled(table.now, Roll((4, 1)), "phone"))
    assert "waits" in said[-1].text
    said = table.shows(start.moved(0, "t10", "t15"))
    assert not table.bench.early and said[-1].kind is Kind.LEGAL
    assert table.bench.due == Due(DueKind.ROLL, 2, (2,))


def accepted(table: Table, seen: Position, *words: Any) -> Due:
    """What is due after a move that was called a foul, words that had to wait, and that the table accepts it."""
    table.shows(seen)
    assert table.bench.accused
    for word in words:
        table.tell(word)
    table.tell(AcceptedAsPlayed(table.now))
    assert not table.bench.early and table.bench.position == seen
    return table.bench.due


@pytest.mark.parametrize("words", [(), (Answered(0.0, True),)], ids=["nothing told", "the answer told late"])
def test_glo_1_after_a_move_whose_question_was_not_told_the_next_player_is_asked(words: tuple[Any, ...]) -> None:
    told = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0}
    told["pieces"] = {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 5]}
    table = Table(GLORIA, GLORIA.from_json(told))
    assert accepted(table, table.bench.position.moved(0, "t5", "t9"), *words) == Due(DueKind.QUESTION, 2)


def test_glo_1_who_played_a_roll_that_was_not_heard_is_asked_for_the_answer_and_the_roll() -> None:
    """Dice of the table's own: "moved before rolling" was said of who had answered, rolled and moved, and told it then;
    the answer waited until the pawn was put back."""
    told = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0}
    table = Table(GLORIA, GLORIA.from_json({**told, "pieces": {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 5]}}))
    table.tell(DiceState(table.now, False))
    played = table.bench.position.moved(0, "t5", "t9")
    both = "unclear: I did not hear the dice, nor whether the answer was right. Please say both on the phone."
    assert texts(table.shows(played)) == [both]
    table.tell(Answered(table.now, True))
    roll = "unclear: I did not hear the dice. Was the roll 4? Please enter it on the phone."
    assert texts(table.shows(played, hand=False)) == [roll]
    table.tell(Rolled(table.now, Roll((4,)), "phone"))
    assert [verdict.kind for verdict in table.shows(played, hand=False)] == [Kind.LEGAL]
    assert table.bench.due == Due(DueKind.QUESTION, 2)


def test_glo_1_who_played_after_a_wrong_answer_is_told_so_once_it_is_told() -> None:
    told = {"game": "gloria", "options": {}, "seats": [0, 2], "due": 0}
    table = Table(GLORIA, GLORIA.from_json({**told, "pieces": {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 5]}}))
    table.tell(DiceState(table.now, False))
    played = table.bench.position.moved(0, "t5", "t9")
    table.shows(played)
    table.tell(Answered(table.now, False))
    assert [(v.kind, v.rules[0]) for v in table.shows(played, hand=False)] == [(Kind.ILLEGAL, "COM-2")]


def test_agg_22_after_a_roll_that_a_mate_played_undeclared_the_next_player_rolls() -> None:
    table = Table(TEAMS, TEAMS.from_json(MATES))
    assert accepted(table, table.bench.position.moved(2, "t42", "t45")) == Due(DueKind.ROLL, 1, (1,))


def test_par_9_a_capture_without_its_roll_that_the_table_accepts_is_all_of_the_turn() -> None:
    table = parcheesi(BESIDE, dice=True)
    assert accepted(table, landed(table)[2]) == Due(DueKind.ROLL, 2, (2,))


def test_what_no_roll_leads_to_leaves_the_roll_to_who_is_due() -> None:
    table = parcheesi(SPREAD, dice=True)
    assert accepted(table, table.bench.position.moved(0, "t10", "t9")) == Due(DueKind.ROLL, 0, (2,))
