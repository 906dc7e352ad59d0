"""What families meet in the games' variants, with teams, and when something is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from family import Family

from companion.decks import Question
from companion.model import Kind

MEMBERS = {0: ("Ann", "Bob"), 2: ("Cleo", "Dan")}
SMALL = {"size": 6, "pairs": 2}
QUESTIONS = tuple(Question(f"Question {number}?", "yes") for number in range(9))


def test_a_new_game_of_fewer_players_is_played_on_the_six_arms_that_lie_there(tmp_path: Path) -> None:
    """Where the arms were left out they were four then, and red turned in at the mouth of another board."""
    table = Family(tmp_path, "aggravation", range(6))
    assert table.act("newgame", seats=[0, 1, 2, 3], first=0)
    table.set_up()
    assert "t83" in table.bench.game.spaces()
    table.begin_again()
    assert "t83" in table.bench.game.spaces()
    assert table.act("newgame", seats=[0, 2, 4], first=0), "seat 4 is one of six arms"


def test_agg_15_a_shortcut_that_is_left_is_a_turn(tmp_path: Path) -> None:
    pieces = {"0": [43, 48, 53, 58], "2": [-1, -1, -1, 11]}
    table = Family(tmp_path, "aggravation", (0, 2), start={"due": 0, "pieces": pieces}, members=MEMBERS)
    assert table.roll(5) and table.roll(3)
    [passed] = [verdict for verdict in table.said if verdict.kind is Kind.PASS]
    assert (passed.seat, passed.rules, passed.text) == (0, ("AGG-15",), "Red rolled 5 and leaves the shortcut.")
    assert table.named() == ["Bob", "Cleo"]
    table.begin_again()
    assert table.named() == ["Bob", "Cleo"]


def test_glo_12_who_answered_answers_again_where_that_is_taken_back(tmp_path: Path) -> None:
    start = {"due": 0, "pieces": {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 9]}}
    table = Family(tmp_path, "gloria", (0, 2), start=start, members=MEMBERS)
    for _ in range(2):
        assert table.act("answer", right=False)
    assert table.named() == ["Bob", "Dan"]
    assert table.act("takeback") and table.named() == ["Bob", "Cleo"]
    assert table.act("takeback") and table.named() == ["Ann", "Cleo"]
    assert table.act("answer", right=True) and table.roll(2)
    table.move(0, "t5", "t7")
    assert table.last.kind is Kind.LEGAL and table.named() == ["Bob", "Cleo"]


def test_glo_12_turns_without_a_move_in_between_are_taken_back_too(tmp_path: Path) -> None:
    start = {"due": 0, "pieces": {"0": [-1, -1, -1, 53], "2": [-1, -1, -1, -1]}}
    table = Family(tmp_path, "aggravation", (0, 2), start=start, members=MEMBERS)
    assert table.roll(2)
    table.move(0, "t6", "lane0.1")
    assert table.roll(3) and table.roll(5) and table.named() == ["Ann", "Dan"], "neither could move"
    assert table.act("takeback") and table.named() == ["Ann", "Cleo"]
    assert table.view.due == 0


def test_glo_11_a_six_that_was_accepted_as_played_rolls_again_without_a_question(tmp_path: Path) -> None:
    start = {"due": 0, "pieces": {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 9]}}
    table = Family(tmp_path, "gloria", (0, 2), {"six_again": True}, start)
    table.move(0, "base0", "t0", seconds=8)
    assert table.act("accept")
    assert table.view.headline == "Red, roll the die."


def test_a_card_whose_question_was_answered_aloud_is_not_read_to_the_next(tmp_path: Path) -> None:
    start = {"due": 0, "pieces": {"0": [-1, -1, -1, 5], "2": [-1, -1, -1, 9]}}
    table = Family(tmp_path, "gloria", (0, 2), {}, start, questions=QUESTIONS)
    read = [table.service.question(2).text]
    table.move(0, "t5", "t8", seconds=8)
    assert table.act("accept")
    read.append(table.service.question(0).text)
    table.begin_again()
    assert table.service.question(0).text == read[1]
    assert table.act("answer", right=True) and not table.act("answer", right=True)
    assert table.roll(1)
    table.move(2, "t29", "t30")
    read.append(table.service.question(2).text)
    assert len(set(read)) == 3 and table.service.desk.asked == 2


@pytest.mark.parametrize("challenges", [True, False])
def test_god_15_it_is_said_who_cannot_move(tmp_path: Path, challenges: bool) -> None:
    squares = {"a6": "S", "b6": "S", "c6": "S", "f3": "S", "e3": "N", "f2": "N", "f5": "N", "a1": "N"}
    start = {"seats": ["N", "S"], "due": "N", "squares": squares}
    table = Family(tmp_path, "game-of-god", (0, 2), SMALL, start)
    table.move(0, "f5", "f4")
    assert table.view.headline == "White may challenge f3, or the game ends."
    assert (table.roll(4) and table.roll(4)) if challenges else table.act("confirm")
    assert (table.last.kind, table.last.rules) == (Kind.OVER, ("GOD-15",))
    ends = "Black cannot move, so the game ends: the most pieces in goal areas win. Black wins."
    assert table.last.text.startswith(ends)
    assert not challenges or table.said[-2].text == "Black threw 4. Equal: nothing happens."


def test_after_a_challenge_and_a_power_cut_the_move_can_be_taken_back(tmp_path: Path) -> None:
    squares = {"a6": "SS", "c6": "S", "f3": "S", "e3": "N", "f5": "N", "a1": "NN"}
    start = {"seats": ["N", "S"], "due": "N", "squares": squares}
    table = Family(tmp_path, "game-of-god", (0, 2), SMALL, start)
    table.move(0, "f5", "f4")
    assert table.act("challenge", space="f3") and table.roll(4) and table.roll(4)
    assert [verdict.seat for verdict in table.said] == [0, 0, 0, 2], "each line is of who moved, challenged or threw"
    table.begin_again()
    assert "takeback" in table.view.actions and table.act("takeback")
    assert table.last.text.startswith("White takes the move back")


def test_a_game_whose_end_was_taken_back_is_open_again(tmp_path: Path) -> None:
    start = {"due": 0, "doublets": 0, "pieces": {"0": [70, 71, 71, 71], "2": [65, 71, 71, 71]}}
    table = Family(tmp_path, "parcheesi", (0, 2), {}, start)
    assert table.roll(1, 3)
    table.move(0, "lane0.7", "home0")
    assert table.last.kind is Kind.OVER and table.service.parts.journal.games()[-1].ended is not None
    assert table.act("takeback")
    [game] = table.service.parts.journal.games()
    assert (game.ended, game.result) == (None, None)
    table.set_up()
    table.begin_again()
    assert table.service.desk.number == game.id, "it goes on after a power cut, too"


def test_prn_7_the_bonus_is_a_right_and_comes_first(tmp_path: Path) -> None:
    start = {"due": 0, "pieces": {"0": [-1, -1, 1, 40], "2": [-1, -1, -1, 38]}}
    table = Family(tmp_path, "parcheesi-print", (0, 2), {}, start)
    assert table.roll(3, 6)
    table.move(2, "t4", "base2", seconds=0)
    table.move(0, "t1", "t4")
    assert table.view.headline == "Red, move 6. First the piece that captured may move 20."


def test_agg_20_who_rolled_is_named_where_a_teammate_has_not_played_it(tmp_path: Path) -> None:
    pieces = {"0": [83, 84, 85, 86], "1": [-1, -1, -1, 10], "2": [83, 84, 85, 86], "3": [-1] * 4, "4": [-1, -1, -1, 30]}
    start = {"due": 0, "pieces": pieces | {"5": [-1] * 4}}
    table = Family(tmp_path, "aggravation", range(6), {"play": "teams"}, start)
    assert table.roll(3) and table.act("confirm")
    table.live(3)
    assert table.last.text == "Red rolled 3, and one of blue's marbles can move, and so must."


def test_agg_22_a_declaration_that_cannot_be_names_colours(tmp_path: Path) -> None:
    pieces = {"0": [83, 84, 85, 86], "1": [-1, -1, -1, 10], "2": [-1] * 4, "3": [-1] * 4, "4": [-1, -1, -1, 30]}
    table = Family(tmp_path, "aggravation", range(6), {"play": "teams"}, {"due": 0, "pieces": pieces | {"5": [-1] * 4}})
    assert not table.act("declare", seat=1)
    assert table.log[-1].endswith("Declaration of orange: red chooses one of yellow and blue, still out.")


def test_where_several_squares_stay_vacant_they_are_several(tmp_path: Path) -> None:
    """GOD-2, GOD-3: and it is said who else chooses."""
    table = Family(tmp_path / "two", "game-of-god", (0, 2), SMALL)
    assert table.act("newgame", seats=[0, 2], first=2)
    assert table.log[-1].endswith("Black chooses which squares stay vacant. Black begins.")
    table = Family(tmp_path / "four", "game-of-god", range(4))
    assert table.act("newgame", seats=[0, 1, 2, 3], first=1)
    both = "Green and Black choose which square stays vacant. Red and White leave the squares vacant that face those."
    assert table.log[-1].endswith(f"{both} Green begins.")
