"""A test or a few for each rule of print-and-cut Parcheesi, by its id; more are in the stories.

Pieces are given as progress, −1 is the nest.
"""

import json

import pytest
from pawn_table import PawnTable

from companion.games.catalogue import game_for, roll_off, rules_of
from companion.games.parcheesi_print import ParcheesiPrint
from companion.games.plays import answer
from companion.model import Due, DueKind, IllegalStep, NotDue, OptionError, Position, Roll, StateError, Step
from companion.referee.phrases import Names
from companion.referee.wording import objection_sentence

NEST = (-1, -1, -1, -1)


class Table(PawnTable):
    """A game in which seat 0 is to roll: Table((0, 5, 9, -1), (…)) seats 0 and 1."""

    def __init__(self, *pieces, due=0):
        self.game = ParcheesiPrint(tuple(range(len(pieces))))
        self.state = self.game.from_json(state_of(*pieces, due=due))

    def said(self, way):
        """The first objection to a move of seat 0, in words."""
        names = Names({0: "red", 1: "green"}, self.game.nouns, self.game.name)
        return objection_sentence(self.game.objections(self.state, self.step(way))[0], 0, names)

    def ends(self):
        """seat 0's pieces after each outcome."""
        return {outcome.state.pieces[0] for outcome in self.game.outcomes(self.state)}


def state_of(*pieces, due=0):
    return {"game": "parcheesi-print", "options": {}, "seats": list(range(len(pieces))), "due": due,
            "pieces": {str(seat): sorted(own) for seat, own in enumerate(pieces)}}


def asked(state, *roll):
    return json.loads(answer(json.dumps({"state": state, "roll": roll})))


def test_com_1_and_com_2_one_die_begins_and_turns_pass_clockwise():
    game = game_for("parcheesi-print", (0, 1, 3))
    assert game.opening_dice == 1
    assert roll_off(game, 1).throwing == (1, 0, 3)
    assert [game.next_seat(seat) for seat in (0, 3, 1)] == [3, 1, 0]


def test_com_3_only_the_pieces_of_the_player_on_turn():
    table = Table((3, -1, -1, -1), (3, -1, -1, -1)).rolls(4)
    assert table.broken("t20 > t24", seat=1) == ["COM-3", "COM-2"]
    assert table.facts("t5 > t9", "COM-3") == {"no_pawn": True, "seat": 0, "space": "t5"}
    assert table.takes("t3 > t7").broken("t7 > t11", seat=0) == ["COM-2", "COM-3"]


def test_com_4_who_can_move_must_and_who_cannot_passes():
    table = Table((3, -1, -1, -1), NEST).rolls(4)
    assert [o.rule for o in table.game.unfinished(table.state)] == ["PRN-5", "COM-4"]
    with pytest.raises(IllegalStep, match="COM-4"):
        table.game.stop(table.state)


def test_com_5_outcomes_that_look_alike_are_one():
    table = Table((3, 20, -1, -1), NEST).rolls(4, 4)
    ends = table.ends()
    assert len(ends) == len(table.game.outcomes(table.state)) == 3 * 3


def test_com_6_the_last_piece_home_ends_the_game_and_the_rest_of_the_roll_is_void():
    table = Table((71, 71, 71, 70), NEST).rolls(1, 6).takes("lane0.7 > home0")
    assert table.game.due(table.state) == Due(DueKind.OVER, 0)
    assert table.broken("home0 > lane0.7") == ["COM-6"]
    assert asked(state_of((71, 71, 71, 69), NEST), 2, 6)["outcomes"][0]["winner"] == [0]
    assert "won by [0]" in asked(state_of((71,) * 4, NEST), 2, 6)["error"]
    # A play that wins may use fewer pips than another.
    table = Table((71, 71, 71, 45), (31, -1, -1, -1)).rolls(3, 3)  # seat 1's 31 is t48
    assert table.ends() == {(59, 71, 71, 71), (71, 71, 71, 71)}
    assert table.takes("t45 > t48", "t48 > lane0.5").legal() == {"lane0.5 > home0"}


def test_com_7_any_two_to_four_seats():
    for seats in ((0, 1), (3, 1), (0, 1, 2, 3)):
        assert ParcheesiPrint(seats).seats == seats
    with pytest.raises(OptionError, match="2 to 4"):
        ParcheesiPrint((0,))


def test_prn_1_one_die_or_both():
    table = Table(NEST, NEST)
    assert table.game.due(table.state) == Due(DueKind.ROLL, 0, (1, 2))
    assert len(table.game.rolls(table.state)) == len(set(table.game.rolls(table.state))) == 27
    assert table.broken("base0 > t0") == ["PRN-1"]
    with pytest.raises(OptionError, match="one die or two"):
        table.rolls(1, 2, 3)


@pytest.mark.parametrize("dice", [(5,), (1, 4), (4, 1), (2, 3), (3, 2)])
def test_prn_2_and_prn_3_a_total_of_five_must_bring_out_a_piece_and_is_used_whole(dice):
    table = Table((-1, -1, 10, 20), NEST).rolls(*dice)
    assert table.legal() == {"base0 > t0"}
    assert table.facts("base0 > t5", "PRN-2")["space"] == "t5"
    assert table.broken("t10 > t15")[0] == "PRN-3" and table.broken("t10 > t12")[0] == "PRN-3"
    assert [o.rule for o in table.game.unfinished(table.state)] == ["PRN-3", "COM-4"]
    assert table.game.due(table.takes("base0 > t0").state) == Due(DueKind.ROLL, 1, (1, 2))


def test_prn_3_a_piece_that_went_home_by_exact_count_broke_no_other_rule():
    assert Table((-1, -1, -1, 70), NEST).rolls(4, 1).broken("lane0.7 > home0") == ["PRN-3"]


def test_prn_2_a_five_that_brought_out_a_piece_brings_out_no_other():
    """The piece that left the nest captured, so the play goes on: it may take its bonus."""
    for dice in ((5,), (4, 1)):
        table = Table((-1, -1, 9, 20), (51, -1, -1, -1)).rolls(*dice).takes("base0 > t0")
        assert table.facts("base0 > t0", "PRN-2")["five_used"]
        text = "Red has brought a piece out with the five already: it brings in one, and no more."
        assert table.said("base0 > t0") == text
    table = Table((-1, 0, 0, 20), NEST).rolls(4, 1).takes("t0 > t4")
    assert table.facts("base0 > t0", "PRN-2")["one_used"]


def test_prn_2_a_five_beside_another_number_is_none():
    table = Table(NEST, NEST).rolls(5, 5)
    assert table.facts("base0 > t0", "PRN-2") == {"entry": "t0", "dice": [5, 5], "parts": [2, 2, 5, 5]}
    assert table.facts("base0 > t5", "PRN-2") == table.facts("base0 > t0", "PRN-2")
    assert table.game.may_stop(table.state)
    assert Table((-1, -1, -1, 3), NEST).rolls(5, 2).broken("base0 > t0") == ["PRN-2"]


def test_prn_3_where_no_piece_can_leave_the_dice_are_parts():
    table = Table((-1, 0, 0, 20), NEST).rolls(1, 4)
    assert table.broken("base0 > t0") == ["PRN-9"]
    table.takes("t0 > t1")
    assert table.facts("base0 > t0", "PRN-2")["one_used"]
    assert table.ends() == {(-1, 0, 1, 24), (-1, 0, 5, 20), (-1, 1, 4, 20)}
    assert Table((-1, 0, 0, 20), NEST).rolls(5).legal() == {"t0 > t5", "t20 > t25"}
    assert Table((3, 10, 20, 30), NEST).rolls(5).legal() == {"t3 > t8", "t10 > t15", "t20 > t25", "t30 > t35"}


def test_prn_4_no_piece_out_and_no_five_is_a_pass():
    reply = asked(state_of((-1, -1, -1, 71), NEST), 6, 6)
    assert reply["pass"] and [o["steps"] for o in reply["outcomes"]] == [[]]


def test_prn_5_as_much_of_the_value_as_possible():
    table = Table((-1, -1, -1, 10), (-1, -1, 2, 2)).rolls(6, 3)  # seat 1's two stand on t19
    assert table.legal() == {"t10 > t16"}
    assert table.facts("t10 > t13", "PRN-5") == {"dice": [6, 3], "parts": [3, 6], "possible": 6}
    assert table.takes("t10 > t16").state.due == 1
    table = Table((-1, -1, -1, 10), NEST).rolls(6, 3)
    assert table.facts("t10 > t19", "PRN-5")["total"]
    assert table.facts("t10 > t12", "PRN-5")["count"] == 2
    assert table.facts("t10 > t4", "PRN-5")["backwards"]
    assert table.facts("t10 > t60", "PRN-5")["backwards"] and table.facts("t10 > t60", "PRN-5")["count"] == 18
    assert table.facts("t10 > base1", "PRN-5")["nowhere"]
    assert table.legal() == {"t10 > t16", "t10 > t13"}


def test_prn_5_a_piece_that_took_several_parts_could_land_but_more_could_be_used():
    """2, 2 and 5 with the first piece leave no room for the other 5; with 5 and 5 all can be used."""
    table = Table((60, 67, 67, 71), NEST).rolls(2, 2)
    assert table.broken("t60 > lane0.6") == ["PRN-5"]
    assert table.facts("t60 > lane0.6", "PRN-5")["possible"] == 14


def test_prn_5_plays_with_a_bonus_and_without_are_compared_alike():
    # Seat 1 stands on t22 and, safe, on t24: only farther on, by the bonus, can the 2 be used as well.
    table = Table((71, 71, 71, 17), (5, 7, -1, -1)).rolls(5, 2)
    assert table.legal() == {"t17 > t22"}
    assert table.takes("t17 > t22").legal() == {"t22 > t42"}
    assert [o.rule for o in table.game.unfinished(table.state)] == ["PRN-5", "COM-4"]
    # Here the bonus would leave the 2 without a place, so it may not be taken.
    table = Table((71, 71, 71, 45), (33, -1, -1, -1)).rolls(5, 2).takes("t45 > t50")
    assert table.legal() == {"t50 > t52"}
    assert table.broken("t50 > lane0.7") == ["PRN-5"]


def test_prn_6_a_double_gives_four_parts_and_no_further_roll():
    table = Table((-1, -1, 10, 20), NEST).rolls(2, 2)
    assert table.game.left(table.state) == (2, 2, 5, 5)
    assert table.legal() == {"t10 > t12", "t10 > t15", "t20 > t22", "t20 > t25"}
    assert table.facts("t10 > t11", "PRN-6") == {
        "count": 1, "total": False, "whole": True, "dice": [2, 2], "parts": [2, 2, 5, 5],
    }
    assert {sum(end) for end in table.ends()} == {28 + 14}
    table.takes("t10 > t12", "t12 > t17", "t20 > t25")
    assert table.game.due(table.takes("t25 > t27").state) == Due(DueKind.ROLL, 1, (1, 2))
    assert Table((66, 68, 71, 71), NEST).rolls(2, 2).ends() == {(70, 71, 71, 71)}


def test_prn_7_the_capturing_piece_may_move_on_20_at_once_or_decline():
    table = Table((4, 20, -1, -1), (61, -1, -1, -1)).rolls(6, 2).takes("t4 > t10")  # seat 1's 61 is t10
    assert table.state.pieces[1] == NEST
    assert table.legal() == {"t10 > t30", "t10 > t12", "t20 > t22"}
    assert table.game.left(table.state) == (2, 20)
    assert not table.game.may_stop(table.state)
    assert table.facts("t20 > t40", "PRN-7") == {"count": 20, "bonus": 20, "at_once": True}
    own = {"bonus": 20, "space": "t10", "other": False, "parts": [2]}
    assert table.facts("t10 > t25", "PRN-7") == {"count": 15, **own}
    captured = "Red's piece captured and may move on exactly 20, or"
    assert table.said("t10 > t25") == f"{captured} by the dice (2); it moved 15."
    table = Table((4, 20, -1, -1), (61, -1, -1, -1)).rolls(6).takes("t4 > t10")
    assert table.game.may_stop(table.state) and not table.game.unfinished(table.state)
    assert table.game.left(table.state) == (20,)
    assert table.facts("t20 > t40", "PRN-7") == {"count": 20, "bonus": 20, "space": "t10", "other": True, "parts": []}
    assert table.said("t10 > t25") == f"{captured} not at all; it moved 15."
    assert table.ends() == {(-1, -1, 10, 20), (-1, -1, 20, 30)}
    assert table.game.stop(table.state).due == 1


def test_prn_7_no_bonus_is_offered_to_a_piece_that_cannot_move_on_20():
    left = "Red's piece moved 2 spaces, but of the roll only 3 is left."
    beyond_home = Table((-1, -1, -1, 50), (38, -1, -1, -1)).rolls(5, 3).takes("t50 > t55")  # seat 1's 38 is t55
    assert beyond_home.game.left(beyond_home.state) == (3,)
    assert beyond_home.said("t55 > t57") == left
    blockade = Table((-1, -1, -1, 5), (61, 11, 11, -1)).rolls(5, 3).takes("t5 > t10")  # t10, and two on t28
    assert blockade.said("t10 > t12") == left


def test_prn_7_a_bonus_captures_and_earns_another():
    table = Table((4, -1, -1, -1), (61, 13, 33, -1)).rolls(6)  # t10, t30, t50
    assert {tuple(map(tuple, o.state.pieces[:2])) for o in table.game.outcomes(table.state)} == {
        ((-1, -1, -1, 10), (-1, -1, 13, 33)), ((-1, -1, -1, 30), (-1, -1, -1, 33)), ((-1, -1, -1, 50), NEST),
        ((-1, -1, -1, 70), NEST),
    }
    step = Step(0, "t4", "t10", "6", ((1, "base1"),))
    assert table.game.legal_steps(table.state) == (step,)
    assert table.game.capture_rule(step) == "PRN-7"


def test_prn_8_a_ringed_space_is_safe_but_for_the_piece_that_leaves_its_nest():
    table = Table((4, -1, -1, -1), (58, -1, -1, -1)).rolls(3)  # t7
    assert table.facts("t4 > t7", "PRN-8") == {"space": "t7", "seat": 1}
    table = Table((-1, -1, -1, 30), (51, -1, -1, -1)).rolls(5)  # t0
    step = table.game.legal_steps(table.state)[0]
    assert step == Step(0, "base0", "t0", "5", ((1, "base1"),)) and table.game.capture_rule(step) == "PRN-8"
    assert table.takes("base0 > t0").legal() == {"t0 > t20"}
    assert table.takes("t0 > t20").state.pieces[:2] == ((-1, -1, 20, 30), NEST)


def test_prn_9_others_blockades_stop_ones_own_does_not_and_no_space_holds_three():
    table = Table((6, -1, -1, -1), (60, 60, -1, -1)).rolls(4)  # t9
    assert table.facts("t6 > t10", "PRN-9") == {"space": "t9", "seat": 1, "landing": False, "count": 4}
    assert Table((6, -1, -1, -1), (60, 60, -1, -1)).rolls(3).facts("t6 > t9", "PRN-9")["landing"]
    table = Table((6, 9, 9, -1), NEST)
    assert table.rolls(4).legal() == {"t6 > t10", "t9 > t13"}
    assert Table((6, 9, 9, -1), NEST).rolls(3).facts("t6 > t9", "PRN-9") == {"third": True, "space": "t9"}
    table = Table((-1, -1, -1, 3), (51, 51, -1, -1)).rolls(5)
    assert table.facts("base0 > t0", "PRN-9") == {"space": "t0", "seat": 1, "landing": True, "count": 0}


def test_prn_10_the_two_of_a_blockade_do_not_stand_together_again_but_at_home():
    table = Table((10, 10, -1, -1), NEST).rolls(3, 3).takes("t10 > t13")
    assert table.facts("t10 > t13", "PRN-10") == {"space": "t13", "origin": "t10"}
    assert (-1, -1, 17, 17) not in Table((10, 10, -1, -1), NEST).rolls(3, 3).ends()
    assert Table((64, 64, 71, 71), NEST).rolls(3, 3).ends() == {(71, 71, 71, 71)}
    # A third piece may take the place of one of them: who it was that went on cannot be seen.
    table = Table((10, 10, 13, -1), NEST).rolls(3, 3).takes("t10 > t13", "t13 > t17")
    assert "t10 > t13" in table.legal()


def test_prn_5_a_roll_that_cannot_be_played_leaves_no_bonus():
    table = Table((-1, -1, -1, 66), NEST).rolls(6)
    assert table.game.may_stop(table.state) and table.game.left(table.state) == ()
    assert table.broken("lane0.3 > lane0.5") == ["PRN-5"]


def test_prn_9_a_blockade_before_home_is_no_wrong_count():
    table = Table((-1, -1, 20, 62), (-1, -1, 46, 46)).rolls(6, 3)
    assert table.broken("t62 > home0") == ["PRN-9", "PRN-5"]


def test_prn_11_home_by_exact_count_on_ones_own_strip_and_no_bonus_for_it():
    table = Table((60, 66, -1, -1), NEST).rolls(4)
    assert table.facts("lane0.3 > home0", "PRN-11") == {"exact": True, "count": 5}
    assert table.facts("t60 > t64", "PRN-11") == {"past_mouth": True, "space": "t64"}
    assert table.facts("t60 > lane1.1", "PRN-11") == {"lane_of": 1, "space": "lane1.1"}
    table = Table((71, 66, 10, -1), NEST).rolls(5, 1)
    assert table.facts("home0 > lane0.7", "PRN-11") == {"from_home": True}
    assert table.takes("lane0.3 > home0").legal() == {"t10 > t11"}
    assert table.takes("t10 > t11").state.due == 1
    game = ParcheesiPrint((0, 1))
    assert game.winners(game.from_json(state_of((71,) * 4, NEST))) == (0,)


def test_all_rules_have_their_sentence():
    rules = rules_of("parcheesi-print")
    assert set(rules) == {f"COM-{n}" for n in range(1, 8)} | {f"PRN-{n}" for n in range(1, 12)}
    assert all(sentence.endswith(".") and len(sentence) < 120 for sentence in rules.values())


@pytest.mark.parametrize("change, names", [
    ({"pieces": {"0": [-1, 7, 7, 7], "1": [-1] * 4}}, "t7"),
    ({"pieces": {"0": [-1, -1, 7, 20], "1": [-1, -1, -1, 3]}}, "t20"),
    ({"pieces": {"0": [-1, -1, 7, 72], "1": [-1] * 4}}, "72"),
    ({"pieces": {"0": [71] * 4, "1": [71] * 4}}, "only one"),
    ({"due": 2}, "due 2"),
])
def test_states_that_cannot_be_are_refused_by_name(change, names):
    with pytest.raises(StateError, match=names):
        ParcheesiPrint((0, 1)).from_json(state_of(NEST, NEST) | change)


@pytest.mark.parametrize("contents, names", [
    ({"t64": [0], "base0": [0] * 3, "base1": [1] * 4}, "t64"),
    ({"t4": [2], "base0": [0] * 4, "base1": [1] * 4}, "seat 2"),
    ({"base0": [0] * 3, "base1": [1] * 4}, "3 pieces"),
    ({"base0": [0] * 3, "t4": [0, 1], "base1": [1] * 3}, "t4"),
])
def test_positions_that_cannot_be_are_refused(contents, names):
    with pytest.raises(StateError, match=names):
        ParcheesiPrint((0, 1)).with_position(Position.of(contents), 0)


def test_what_is_not_due_or_not_there_is_refused():
    game = ParcheesiPrint((0, 1))
    with pytest.raises(OptionError, match="no options"):
        ParcheesiPrint((0, 1), {"home": "center"})
    state = game.opening(0)
    for ask in (lambda: game.outcomes(state), lambda: game.answer(state, True), lambda: game.reader(state)):
        with pytest.raises(NotDue):
            ask()
    heard = game.hear(state, Roll((5,)))
    for ask in (lambda: game.hear(heard, Roll((5,))), lambda: game.rolls(heard), lambda: game.to_json(heard)):
        with pytest.raises(NotDue):
            ask()
    assert game.with_position(game.position(state), 1) == game.opening(1)
    assert "one die or two" in asked(state_of(NEST, NEST), 1, 2, 3)["error"]
