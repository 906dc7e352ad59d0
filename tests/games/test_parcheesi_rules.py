"""A test or a few for each rule of Parcheesi, by its id. Pawns are given as progress, −1 is the base."""

import pytest
from pawn_table import PawnTable

from companion.games.parcheesi import Parcheesi
from companion.games.rolloff import RollOff
from companion.model import Due, DueKind, IllegalStep, NotDue, OptionError
from companion.referee.phrases import Names
from companion.referee.words_parcheesi import SENTENCES

ALL_BASE = (-1, -1, -1, -1)
NAMES = Names({0: "Red", 1: "Green"}, Parcheesi.nouns, "parcheesi")


class Table(PawnTable):
    """A game in which seat 0 is to roll: Table((0, 5, 9, -1), (…)) seats 0 and 1; `pieces` by seat else."""

    def __init__(self, *pieces, due=0, doublets=0):
        seats = range(len(pieces))
        self.game = Parcheesi(tuple(seats))
        self.state = self.game.from_json({
            "game": "parcheesi", "options": {}, "seats": list(seats), "due": due, "doublets": doublets,
            "pieces": {str(seat): list(pieces[seat]) for seat in seats},
        })

    def unfinished(self):
        return self.game.unfinished(self.state)

    def ends(self):
        """seat 0's pawns after each outcome."""
        return {outcome.state.pieces[0] for outcome in self.game.outcomes(self.state)}


def test_com_1_the_highest_begins_and_ties_throw_again_among_themselves():
    off = RollOff.among((0, 3, 2, 1))
    for seat, value in ((0, 7), (3, 9), (2, 4), (1, 9)):
        assert off.due == seat
        off = off.thrown(seat, value)
    assert (off.first, off.throwing, off.due) == (None, (3, 1), 3)
    off = off.thrown(3, 2).thrown(1, 3)
    assert (off.first, off.due) == (1, None)
    with pytest.raises(NotDue, match="seat 3 threw 5: it is decided already that seat 1 begins"):
        off.thrown(3, 5)
    with pytest.raises(NotDue, match="seat 2 threw 4: the throw of seat 1 is due"):
        RollOff.among((1, 2)).thrown(2, 4)
    for nobody_or_twice in ((), (1, 2, 1)):
        with pytest.raises(OptionError, match="at least one must throw, and each only once"):
            RollOff.among(nobody_or_twice)


@pytest.mark.parametrize("seats, order", [((0, 1, 2, 3), "0321"), ((0, 2), "02"), ((1, 2, 3), "321")])
def test_com_2_turns_pass_clockwise_over_empty_seats(seats, order):
    game = Parcheesi(seats)
    for seat, following in zip(order, order[1:] + order[0], strict=True):
        assert game.next_seat(int(seat)) == int(following)


def test_com_2_another_player_is_not_on_turn():
    table = Table((-1, -1, -1, 4), (-1, -1, -1, 4))
    assert table.broken("t21 > t22", seat=1) == ["COM-2", "COM-3"]


def test_com_3_only_the_own_pawns_move():
    table = Table((-1, -1, -1, 4), (-1, -1, -1, 4)).rolls(1, 2)
    assert table.broken("t21 > t22", seat=1) == ["COM-3", "COM-2"]
    assert table.broken("t50 > t51") == ["COM-3"]


def test_com_4_who_can_move_must_and_who_cannot_passes():
    table = Table((-1, -1, -1, 4), ALL_BASE).rolls(1, 2)
    with pytest.raises(IllegalStep, match="COM-4"):
        table.game.stop(table.state)
    assert "COM-4" in [o.rule for o in table.game.unfinished(table.state)]
    table = Table(ALL_BASE, ALL_BASE).rolls(1, 2)
    assert table.game.may_stop(table.state) and not table.game.unfinished(table.state)
    assert table.game.stop(table.state).due == 1


def test_com_5_plays_that_end_alike_are_one():
    table = Table((-1, -1, 4, 10), ALL_BASE).rolls(1, 2)
    assert len(table.game.outcomes(table.state)) == len(table.ends()) == 4


def test_com_6_the_last_pawn_home_ends_the_game_at_once():
    table = Table((71, 71, 71, 68), ALL_BASE).rolls(3, 1).takes("lane0.5 > home0")
    assert table.game.due(table.state) == Due(DueKind.OVER, 0)
    assert table.broken("t4 > t5")[0] == "COM-6"
    # With four parts only two are used, and the bonus of the third pawn is void.
    table = Table((71, 71, 68, 68), ALL_BASE).rolls(3, 3).takes("lane0.5 > home0", "lane0.5 > home0")
    assert table.game.winners(table.state) == (0,)


def test_com_6_asks_for_no_more_dice_than_the_winning_play_uses():
    table = Table((71, 71, 71, 68), ALL_BASE).rolls(3, 1)
    assert table.ends() == {(71, 71, 71, 71), (69, 71, 71, 71)}
    for pawns in ((71, 71, 67, 68), (71, 71, 71, 65)):  # where a four is played first, the last one goes home no more
        assert Table(pawns, ALL_BASE).rolls(3, 3).ends() == {(71, 71, 71, 71)}


@pytest.mark.parametrize("seats", [(0, 1), (3, 2), (0, 1, 2), (2, 0, 3, 1)])
def test_com_7_any_two_to_four_seats_play(seats):
    game = Parcheesi(seats)
    shown = game.position(game.opening(seats[-1]))
    assert dict(shown) == {f"base{seat}": (seat,) * 4 for seat in seats}


def test_par_1_a_five_or_a_total_of_five_enters():
    for dice in ((5, 1), (1, 5), (4, 1), (2, 3)):
        assert "base0 > t0" in Table(ALL_BASE, ALL_BASE).rolls(*dice).legal()
    table = Table(ALL_BASE, ALL_BASE).rolls(6, 4)
    assert table.broken("base0 > t0") == ["PAR-1"]
    assert table.facts("base0 > t0", "PAR-1") == {"entry": "t0", "dice": [6, 4], "parts": [4, 6]}


def test_par_2_a_five_that_can_enter_must():
    table = Table((-1, -1, 10, 20), ALL_BASE).rolls(5, 2)
    assert table.legal() == {"base0 > t0", "t10 > t12", "t20 > t22"}
    assert table.broken("t10 > t15") == ["PAR-2"]
    assert Table((-1, -1, 10, 20), ALL_BASE).rolls(3, 2).legal() == {"base0 > t0"}


def test_par_2_is_judged_when_the_five_is_used():
    table = Table((-1, -1, 0, 0), ALL_BASE).rolls(5, 2)
    assert table.legal() == {"t0 > t5", "t0 > t2"}
    assert table.takes("t0 > t2").legal() == {"base0 > t0"}


def test_par_2_is_broken_by_the_five_alone():
    table = Table((-1, -1, 10, 20), ALL_BASE).rolls(5, 3)
    assert table.broken("t10 > t13") == [] and table.broken("t10 > t14") == ["PAR-4"]
    assert table.broken("t10 > t15") == ["PAR-2"] and table.broken("t10 > t18") == ["PAR-2", "PAR-4"]


def test_par_3_a_five_that_cannot_enter_moves():
    assert Table((10, 20, 30, 40), ALL_BASE).rolls(5, 2).broken("t10 > t15") == []
    assert Table((-1, 0, 0, 40), ALL_BASE).rolls(5, 6).broken("t40 > t45") == []


def test_par_4_each_die_is_a_move_of_its_own():
    table = Table((-1, -1, 10, 20), ALL_BASE).rolls(1, 2)
    assert table.ends() == {(-1, -1, 13, 20), (-1, -1, 10, 23), (-1, -1, 11, 22), (-1, -1, 12, 21)}
    assert table.broken("t10 > t13") == ["PAR-4"] and table.facts("t10 > t13", "PAR-4")["total"]
    assert table.facts("t10 > t7", "PAR-4")["backwards"]
    assert table.facts("t10 > t60", "PAR-4")["count"] == 18, "back over its entry is nearer than 50 spaces on"
    assert table.facts("t10 > t60", "PAR-4")["backwards"] and not table.facts("t10 > t44", "PAR-4").get("backwards")
    assert table.broken("t10 > t16") == ["PAR-4"]


def test_par_4_before_rolling_nothing_moves():
    table = Table((-1, -1, 10, 20), ALL_BASE)
    assert table.facts("t10 > t13", "PAR-4") == {"before_roll": True}


def test_par_4_an_entered_pawn_may_take_the_other_part():
    assert (-1, -1, -1, 2) in Table(ALL_BASE, ALL_BASE).rolls(5, 2).ends()


def test_par_4_an_entered_pawn_that_goes_on_by_the_other_part_is_told_what_forbids_that():
    assert Table((-1, -1, 12, 12), ALL_BASE).rolls(5, 5).broken("base0 > t5") == ["PAR-2"]
    table = Table(ALL_BASE, (57, 57, -1, -1)).rolls(6, 5)  # seat 1's 57 is t6
    assert table.broken("base0 > t6") == ["PAR-10"] and table.facts("base0 > t6", "PAR-10")["landing"]
    assert table.broken("base0 > t5") == ["PAR-1"], "5 is not left when it has entered"
    assert table.facts("base0 > t7", "PAR-4")["parts"] == [6], "it entered, and was counted on wrongly"
    assert table.broken("base0 > t12") == ["PAR-4"] and table.broken("base0 > t13") == ["PAR-1"], "it was put there"
    assert table.broken("base0 > t11") == ["PAR-1"], "all of the roll was counted on from its entry"
    assert Table(ALL_BASE, ALL_BASE).rolls(4, 1).broken("base0 > t3") == ["PAR-1"], "nothing is left"


def test_par_5_as_many_dice_as_possible():
    table = Table((-1, -1, 10, 67), ALL_BASE).rolls(6, 4).takes("t10 > t16")
    assert table.broken("t16 > t20") == []
    assert [o.rule for o in table.game.unfinished(table.state)] == ["PAR-5", "COM-4"]


def test_par_5_either_die_if_not_both():
    table = Table((-1, -1, -1, 10), (-1, -1, 2, 2)).rolls(6, 3)
    assert table.ends() == {(-1, -1, -1, 16), (-1, -1, -1, 13)}


def test_par_5_a_die_that_would_waste_the_other_is_refused():
    table = Table((-1, -1, 64, 69), ALL_BASE).rolls(2, 6)  # only 69 + 2 and 64 + 6 use both
    assert table.broken("lane0.1 > lane0.3") == ["PAR-5"]
    assert table.facts("lane0.1 > lane0.3", "PAR-5") == {"dice": [2, 6], "parts": [2, 6], "possible": 2,
                                                         "playable": [2, 6]}  # fmt: skip
    assert table.ends() == {(-1, -1, 70, 71)}


def test_par_5_what_can_still_be_played_is_named():
    for pawns, playable in (((-1, 66, 71, 71), [3]), ((-1, 64, 71, 71), [3, 6])):  # 66 + 6 is beyond HOME; 64 + 9 too
        found, _ = Table(pawns, ALL_BASE).rolls(3, 6).unfinished()
        assert (found.rule, found.facts["possible"], found.facts["playable"]) == ("PAR-5", 1, playable)


def test_par_6_no_third_pawn_on_a_space():
    table = Table((-1, 5, 8, 8), ALL_BASE).rolls(3, 1)
    assert set(table.broken("t5 > t8")) == {"PAR-6", "PAR-10"}
    for dice in ((5, 1), (4, 1)):
        assert Table((-1, -1, 0, 0), ALL_BASE).rolls(*dice).broken("base0 > t0") == ["PAR-6"]


def test_par_7_landing_captures_a_single_pawn():
    table = Table((-1, -1, -1, 10), (-1, -1, -1, 62)).rolls(1, 2)  # green's 62 is t11
    (step,) = (s for s in table.game.legal_steps(table.state) if s.target == "t11")
    assert step.captures == ((1, "base1"),)
    assert table.game.capture_rule(step) == "PAR-7"
    assert table.takes("t10 > t11").game.position(table.state)["base1"] == (1, 1, 1, 1)


def test_par_7_a_pawn_in_its_lane_stands_on_no_track_space():
    table = Table((-1, -1, -1, 10), (-1, -1, -1, 64)).rolls(1, 2)
    assert table.legal() == {"t10 > t11", "t10 > t12"}
    assert not any(step.captures for step in table.game.legal_steps(table.state))


def test_par_8_safety_spaces_protect():
    table = Table((-1, -1, -1, 10), (-1, -1, -1, 63)).rolls(1, 2)  # green stands on its mouth, t12
    assert table.broken("t10 > t12") == ["PAR-8"]
    assert table.facts("t10 > t12", "PAR-8") == {"space": "t12", "seat": 1}
    assert table.takes("t10 > t11").legal() == {"t11 > t13"}


def test_par_9_entering_captures_on_the_own_entry():
    table = Table((-1, -1, -1, 30), (-1, -1, -1, 51)).rolls(5, 6)  # green's 51 is t0
    (step,) = table.game.legal_steps(table.state)[:1]
    assert (step.target, step.captures) == ("t0", ((1, "base1"),))
    assert table.game.capture_rule(step) == "PAR-9"
    assert table.takes("base0 > t0", "t0 > t6").legal() == {"t6 > t26", "t30 > t50"}


def test_par_10_nothing_passes_or_lands_on_a_blockade():
    table = Table((-1, -1, -1, 10), (-1, -1, 62, 62)).rolls(1, 3)
    assert table.facts("t10 > t11", "PAR-10") == {
        "space": "t11", "seat": 1, "own": False, "landing": True, "count": 1}
    assert table.facts("t10 > t13", "PAR-10")["landing"] is False
    assert table.game.may_stop(table.state)
    assert Table((-1, -1, -1, 10), (-1, -1, 51, 51)).rolls(5, 3).broken("base0 > t0") == ["PAR-10"]


def test_par_10_the_own_blockade_stops_too_in_the_lane_as_well():
    assert Table((-1, 64, 66, 66), ALL_BASE).rolls(3, 6).broken("lane0.1 > lane0.4") == ["PAR-10"]


def test_par_11_a_blockade_is_not_moved_on_together():
    table = Table((-1, 10, 10, 40), ALL_BASE).rolls(3, 3).takes("t10 > t13")
    assert table.broken("t10 > t13") == ["PAR-11"]
    assert (-1, 13, 13, 40) not in Table((-1, 10, 10, 40), ALL_BASE).rolls(3, 3).ends()


def test_par_11_does_not_hold_at_home():
    assert (71, 71, 71, 71) in Table((68, 68, 71, 71), ALL_BASE).rolls(3, 3).ends()


def test_par_11_holds_for_bonuses():
    table = Table((10, 30, 30, 69), ALL_BASE).rolls(5, 5)
    table.takes("t30 > t35", "t35 > t40", "lane0.6 > home0", "t10 > t12")
    assert table.legal() == {"t12 > t22", "t40 > t50"}
    assert table.broken("t30 > t40") == ["PAR-11"]


def test_par_11_of_two_plays_that_look_the_same_one_that_is_legal_suffices():
    table = Table((10, 10, 13, 71), ALL_BASE).rolls(3, 3).takes("t10 > t13", "t13 > t17")
    assert table.broken("t10 > t13") == []
    table.takes("t10 > t13")
    assert table.legal() == {"t13 > t17", "t17 > t21"}


def test_par_11_where_one_way_may_stop_and_the_other_must_go_on_both_are_legal():
    # Green's blockade on t21 stops every bonus move but t10 > t20, onto the partner or onto the other pawn.
    table = Table((10, 10, 13, 67), (-1, -1, 4, 4)).rolls(3, 3)
    table.takes("t10 > t13", "t13 > t16", "t16 > t20", "lane0.4 > home0")
    assert table.game.may_stop(table.state) and table.legal() == {"t10 > t20"}
    assert {(10, 13, 20, 71), (13, 20, 20, 71)} <= Table((10, 10, 13, 67), (-1, -1, 4, 4)).rolls(3, 3).ends()


def test_par_12_home_by_exact_count_and_only_the_own_lane():
    table = Table((-1, -1, 60, 69), ALL_BASE).rolls(4, 6)
    assert table.broken("lane0.6 > home0")[0] == "PAR-12"
    assert Table((64, 67, 67, 71), ALL_BASE).rolls(4, 3).broken("lane0.1 > home0") == ["PAR-10", "PAR-4"]
    assert table.broken("t60 > t64") == ["PAR-12"]
    assert table.broken("t60 > lane1.1") == ["PAR-12"]
    assert Table((-1, -1, -1, 71), ALL_BASE).rolls(4, 6).broken("home0 > lane0.3") == ["PAR-12"]


def test_par_12_on_round_the_track_is_past_the_lane_by_the_shorter_way():
    table = Table((10, 30, 40, 62), ALL_BASE).rolls(1, 6)
    assert table.broken("t62 > t0") == ["PAR-12"] and table.facts("t62 > t0", "PAR-12")["past_mouth"]
    assert table.broken("t62 > t66") == ["PAR-12"]
    assert table.facts("t62 > t50", "PAR-4")["backwards"] and table.facts("t10 > t66", "PAR-4")["backwards"]
    table = Table(ALL_BASE, (2, 40, 62, 66), due=1).rolls(1, 6)
    assert table.facts("t19 > t15", "PAR-4")["backwards"] and table.facts("t19 > t15", "PAR-4")["count"] == 4
    assert table.broken("t11 > t15") == ["PAR-12"]
    for out_of_the_lane in ("t15", "t20", "t11"):
        assert table.facts(f"lane1.3 > {out_of_the_lane}", "PAR-4")["backwards"]


def test_par_13_doublets_roll_again_played_or_not():
    table = Table(ALL_BASE, ALL_BASE).rolls(2, 2)
    state = table.game.stop(table.state)
    assert (state.due, state.doublets) == (0, 1)
    assert table.game.due(state) == Due(DueKind.ROLL, 0, (2,))


def test_par_14_doublets_with_a_pawn_in_base_are_two_parts():
    assert Table((-1, -1, -1, 10), ALL_BASE).rolls(2, 2).ends() == {(-1, -1, -1, 14)}


def test_par_15_doublets_with_all_pawns_entered_are_four_parts():
    assert Table((10, 71, 71, 71), ALL_BASE).rolls(2, 2).ends() == {(24, 71, 71, 71)}
    table = Table((10, 30, 71, 71), ALL_BASE).rolls(6, 6)
    assert table.facts("t10 > t14", "PAR-4")["parts"] == [1, 1, 6, 6]


def test_par_15_all_four_or_none():
    table = Table((60, 71, 71, 71), ALL_BASE).rolls(2, 2)
    assert table.ends() == {(60, 71, 71, 71)}
    assert table.broken("t60 > t62") == ["PAR-15"]


def test_par_15_a_pawn_that_took_several_parts_could_land_but_the_others_could_not_be_played():
    table = Table((63, 71, 71, 71), ALL_BASE).rolls(2, 2)
    assert table.broken("t63 > lane0.4") == table.broken("t63 > lane0.7") == ["PAR-15"]
    assert table.facts("t63 > lane0.4", "PAR-15")["possible"] == 0
    table = Table((62, 63, 71, 71), ALL_BASE).rolls(5, 5)
    assert table.broken("t63 > lane0.4") == ["PAR-15"]
    assert table.facts("t63 > lane0.4", "PAR-15")["possible"] == 4


def test_par_4_a_pawn_cannot_land_between_two_parts():
    """On the safety space t34, 3 on from t31, stands a green pawn."""
    table = Table((31, 60, 70, 71), (17, -1, -1, -1)).rolls(3, 3)
    assert table.broken("t31 > t37") == ["PAR-4"]


def test_par_2_the_second_five_must_enter_when_the_first_has_made_room():
    """With two of one's own on the entry the first five moves on; the second brings in the pawn that waits."""
    table = Table((-1, 0, 0, 6), ALL_BASE).rolls(5, 5)
    assert table.broken("t0 > t10") == ["PAR-2"]
    assert table.takes("t0 > t5").broken("t5 > t10") == ["PAR-2"]


def test_par_16_the_third_doublets_send_the_nearest_pawn_back():
    table = Table((4, 10, 69, 71), ALL_BASE, doublets=2).rolls(2, 2)
    assert [(s.origin, s.target, s.by) for s in table.game.legal_steps(table.state)] == [
        ("lane0.6", "base0", "penalty")]
    assert table.broken("t4 > t6") == ["PAR-16"]
    assert table.game.forbidden(table.state) == () and not table.game.may_stop(table.state)
    with pytest.raises(IllegalStep):
        table.takes("t4 > t6")
    table.takes("lane0.6 > base0")
    assert (table.state.due, table.state.doublets) == (1, 0)


def test_par_16_with_no_pawn_out_nothing_happens():
    table = Table((-1, -1, 71, 71), ALL_BASE, doublets=2).rolls(5, 5)
    assert table.game.may_stop(table.state) and not table.legal()
    assert [o.rule for o in table.game.forbidden(table.state)] == ["PAR-16"]
    assert table.game.stop(table.state).due == 1
    table = Table((-1, -1, 71, 71), ALL_BASE, doublets=1).rolls(5, 5)
    assert table.game.forbidden(table.state) == ()


@pytest.mark.parametrize("doublets, dice, due, then", [
    (1, (), 0, 1), (1, (4, 4), 0, 2), (2, (4, 4), 0, 2), (1, (4, 3), 0, 0), (1, (4, 4), 1, 0),
])
def test_par_16_doublets_count_on_where_the_board_is_accepted_and_the_same_player_is_due(doublets, dice, due, then):
    table = Table((4, 10, 69, 71), ALL_BASE, doublets=doublets)
    table = table.rolls(*dice) if dice else table
    assert table.game.with_position(table.game.position(table.state), due, table.state).doublets == then


def test_par_17_a_capture_earns_20_after_the_dice():
    table = Table((-1, -1, 10, 30), (-1, -1, -1, 62)).rolls(1, 2).takes("t10 > t11")
    assert table.broken("t11 > t31") == ["PAR-17", "PAR-4"] and table.game.left(table.state) == (2,)
    assert table.takes("t11 > t13").legal() == {"t13 > t33", "t30 > t50"} and table.game.left(table.state) == (20,)
    assert table.broken("t13 > t14") == ["PAR-17", "PAR-19"]


def test_par_18_coming_home_earns_10():
    table = Table((-1, -1, 10, 70), ALL_BASE).rolls(1, 2).takes("lane0.7 > home0", "t10 > t12")
    assert table.legal() == {"t12 > t22"}
    assert table.broken("t12 > t13") == ["PAR-18", "PAR-19"]


def test_par_19_the_player_chooses_the_bonus_and_the_pawn():
    table = Table((-1, 10, 30, 70), (-1, -1, -1, 15)).rolls(1, 2)  # green's 15 is t32
    table.takes("lane0.7 > home0", "t30 > t32")
    assert table.legal() == {"t10 > t20", "t10 > t30", "t32 > t42", "t32 > t52"}
    assert table.broken("base0 > t0") == ["PAR-19"]
    rules = [o.rule for o in table.game.unfinished(table.state)]
    assert rules == ["PAR-18", "PAR-17", "PAR-19", "COM-4"]


def test_par_19_a_bonus_that_cannot_be_moved_lapses():
    table = Table((-1, -1, 62, 70), ALL_BASE).rolls(1, 2).takes("t62 > lane0.1", "lane0.7 > home0")
    assert table.state.due == 1


def test_par_19_a_bonus_may_earn_another():
    table = Table((-1, -1, 60, 70), ALL_BASE).rolls(1, 1).takes("lane0.7 > home0", "t60 > t61")
    assert table.takes("t61 > home0").state.doublets == 1


def test_par_20_four_pawns_home_win():
    table = Table((71, 71, 71, 70), ALL_BASE).rolls(1, 2).takes("lane0.7 > home0")
    assert table.game.winners(table.state) == (0,)
    assert table.legal() == set()


def test_every_rule_has_a_sentence_and_a_test():
    game, tests = Parcheesi(), " ".join(globals())
    for family, last in (("COM", 7), ("PAR", 20)):
        for number in range(1, last + 1):
            assert game.rule(f"{family}-{number}").endswith(".")
            assert f"test_{family.lower()}_{number}_" in tests


def test_par_14_doublets_with_the_last_pawn_in_base_are_two_parts_when_it_has_entered_too():
    table = Table((-1, 10, 20, 30), ALL_BASE).rolls(5, 5).takes("base0 > t0")
    assert [o.rule for o in table.unfinished()] == ["PAR-5", "COM-4"]
    table = Table((0, 10, 20, 30), ALL_BASE).rolls(5, 5).takes("t0 > t2")
    assert [o.rule for o in table.unfinished()] == ["PAR-15", "COM-4"]


def test_par_19_only_a_bonus_that_can_be_moved_is_asked_for():
    """The 10 for coming HOME would end on a safety space that another colour holds."""
    table = Table((-1, 27, 68, 71), (-1, -1, 14, 24)).rolls(3, 4).takes("lane0.5 > home0", "t27 > t31")
    assert table.legal() == {"t31 > t51"}
    assert [o.rule for o in table.unfinished()] == ["PAR-17", "PAR-19", "COM-4"]
    assert table.broken("t31 > t36") == ["PAR-17", "PAR-19"]


def test_par_1_a_five_that_is_used_brings_in_no_second_pawn():
    table = Table((-1, -1, -1, 10), ALL_BASE).rolls(5, 2).takes("base0 > t0")
    assert table.facts("base0 > t0", "PAR-1")["five_used"]


WORDS = [
    ("unfinished", (-1, 66, 71, 71), (3, 6), (), "Red can still play 3: as many dice as possible must be used."),
    ("unfinished", (-1, 64, 71, 71), (3, 6), (), "Red can still play 3 or 6: as many dice as possible must be used."),
    ("unfinished", (-1, -1, 10, 20), (3, 6), (), "Red can still play 3 and 6: as many dice as possible must be used."),
    ("base0 > t0", (-1, -1, 10, 20), (5, 2), ("base0 > t0",),
     "Red used the five already: each five brings in one pawn."),
    ("t10 > t13", (-1, -1, 10, 20), (1, 2), (),
     "Red's pawn moved 3 spaces in one go: after each number it must be able to land."),
    ("t20 > base1", (-1, -1, 10, 20), (1, 2), (), "There is no place for Red's pawn in Green's circle."),
    ("t63 > lane0.2", (63, 71, 71, 71), (2, 2), (),
     "Red rolled doublets with all pawns out, and 2, 2, 5 and 5 cannot all be played: so nothing is moved."),
    ("t60 > t62", (60, 67, 67, 71), (2, 2), (),
     "Red rolled doublets with all pawns out: all four moves (2, 2, 5 and 5) or none, "
     "and after this one the others could not all be played."),
    ("t60 > t62", (60, 67, 67, 71), (2, 2), ("lane0.4 > lane0.6",),
     "Red rolled doublets with all pawns out: all four moves or none, "
     "and after this one the others could not all be played."),
]  # fmt: skip


@pytest.mark.parametrize("way, pawns, dice, played, sentence", WORDS, ids=[text for *_, text in WORDS])
def test_par_1_4_5_and_15_in_words(way, pawns, dice, played, sentence):
    table = Table(pawns, ALL_BASE).rolls(*dice).takes(*played)
    found = table.unfinished() if way == "unfinished" else table.game.objections(table.state, table.step(way))
    assert SENTENCES[found[0].rule]("Red", found[0].facts, NAMES) == sentence
