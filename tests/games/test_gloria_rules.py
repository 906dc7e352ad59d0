"""A test or a few for each rule of Gloria, by its id; more are in the stories. Pawns are given as progress."""

import json

import pytest
from pawn_table import PawnTable

from companion.games.catalogue import game_for, roll_off, rules_of
from companion.games.gloria import Gloria
from companion.games.plays import answer
from companion.model import Due, DueKind, IllegalStep, NotDue, OptionError, Position, Roll, StateError, Step

ALL_BASE = (-1, -1, -1, -1)


class Table(PawnTable):
    """A game in which seat 0 has answered rightly: Table((0, 5, 9, -1), (…), home="center") seats 0 and 1."""

    def __init__(self, *pieces, due=0, opened=(), **options):
        self.game = Gloria(tuple(range(len(pieces))), options)
        self.state = self.game.from_json(state_of(*pieces, due=due, opened=opened, **options))
        self.state = self.game.answer(self.state, True)

    def ends(self):
        """All pieces after each outcome."""
        return {outcome.state.pieces[:2] for outcome in self.game.outcomes(self.state)}


def state_of(*pieces, due=0, opened=(), **options):
    data = {"game": "gloria", "options": options, "seats": list(range(len(pieces))), "due": due,
            "pieces": {str(seat): sorted(pawns) for seat, pawns in enumerate(pieces)}}
    return data | ({"opened": list(opened)} if options.get("opening_dice", 1) > 1 else {})


def asked(state, *roll):
    return json.loads(answer(json.dumps({"state": state, "roll": roll})))


def test_com_1_each_throws_one_die_and_ties_throw_again():
    game = game_for("gloria", (0, 1, 3))
    assert game.opening_dice == 1
    off = roll_off(game, 1)
    assert off.throwing == (1, 3, 0)
    for seat, value in ((1, 5), (3, 5), (0, 2)):
        off = off.thrown(seat, value)
    assert (off.throwing, off.first) == ((1, 3), None)


def test_com_2_and_com_7_any_seats_and_turns_pass_clockwise():
    game = Gloria((3, 0, 2))
    assert [game.next_seat(seat) for seat in (0, 2, 3)] == [2, 3, 0]
    assert [Gloria((0, 1, 2, 3)).next_seat(seat) for seat in range(4)] == [1, 2, 3, 0]


def test_com_3_only_the_pawns_of_the_player_on_turn():
    table = Table((3, -1, -1, -1), (3, -1, -1, -1)).rolls(4)
    assert table.broken("t13 > t17", seat=1) == ["COM-3", "COM-2"]
    assert table.facts("t5 > t9", "COM-3") == {"no_pawn": True, "seat": 0, "space": "t5"}
    table.takes("t3 > t7")
    assert table.broken("t7 > t11", seat=0) == ["COM-2", "COM-3"]


def test_com_4_and_glo_6_who_can_move_must_and_who_cannot_passes():
    table = Table((3, -1, -1, -1), ALL_BASE).rolls(4)
    assert not table.game.may_stop(table.state)
    assert [o.rule for o in table.game.unfinished(table.state)] == ["GLO-6", "COM-4"]
    with pytest.raises(IllegalStep, match="GLO-6"):
        table.game.stop(table.state)
    table = Table(ALL_BASE, ALL_BASE).rolls(4)
    assert table.game.may_stop(table.state) and not table.game.unfinished(table.state)
    assert table.game.due(table.game.stop(table.state)) == Due(DueKind.QUESTION, 1)


def test_com_5_outcomes_that_look_alike_are_one():
    table = Table(ALL_BASE, ALL_BASE, opening_dice=3).rolls(6, 1, 2)
    assert len(table.game.outcomes(table.state)) == 1
    table = Table(ALL_BASE, (31, -1, -1, -1), opening_dice=3, opened=(1,)).rolls(6, 1, 2)
    assert table.ends() == {((-1, -1, -1, 3), ALL_BASE), ((-1, -1, -1, 3), (-1, -1, -1, 31))}


def test_com_6_the_last_pawn_home_ends_the_game_at_once():
    table = Table((41, 42, 43, 38), ALL_BASE, six_again=True).rolls(6).takes("t38 > lane0.4")
    assert table.game.due(table.state) == Due(DueKind.OVER, 0)
    assert table.broken("t38 > t39") == ["COM-6", "COM-3"]
    with pytest.raises(NotDue):
        table.game.answer(table.state, True)
    assert "won by [0]" in asked(table.game.to_json(table.state), 3)["error"]


def test_glo_1_a_question_first_read_by_the_player_to_the_left():
    game = Gloria((0, 2, 3))
    state = game.opening(2)
    assert game.due(state) == Due(DueKind.QUESTION, 2)
    assert game.reader(state) == 3
    with pytest.raises(NotDue, match="question"):
        game.hear(state, Roll((3,)))
    with pytest.raises(NotDue):
        game.rolls(state)
    wrong, right = game.answer(state, False), game.answer(state, True)
    assert game.due(wrong) == Due(DueKind.QUESTION, 3)
    assert game.due(right) == Due(DueKind.ROLL, 2, (1,))
    assert game.rolls(right) == tuple(Roll((face,)) for face in range(1, 7))
    for again in (lambda: game.answer(right, True), lambda: game.reader(right)):
        with pytest.raises(NotDue, match="roll"):
            again()
    step = Step(2, "base2", "t20")
    assert [o.rule for o in game.objections(state, step)] == ["GLO-1", "GLO-4"]  # it may be answered, unsaid
    assert [(o.rule, dict(o.facts)) for o in game.objections(right, step)] == [("GLO-4", {"before_roll": True})]


def test_glo_2_a_six_may_bring_in_a_pawn_and_need_not():
    table = Table((3, -1, -1, -1), ALL_BASE).rolls(6)
    assert table.legal() == {"base0 > t0", "t3 > t9"}
    assert table.facts("base0 > t5", "GLO-2") == {"start": "t0", "dice": [6], "space": "t5"}
    table = Table((3, -1, -1, -1), ALL_BASE).rolls(5)
    for elsewhere in ("t0", "t5"):  # with no 6, nothing else counts
        assert table.facts(f"base0 > {elsewhere}", "GLO-2") == {"start": "t0", "dice": [5]}


def test_glo_3_the_start_comes_twice_and_the_record_knows_which():
    assert Table((0, -1, -1, -1), ALL_BASE).rolls(3).legal() == {"t0 > t3"}
    assert Table((40, -1, -1, -1), ALL_BASE).rolls(3).legal() == {"t0 > lane0.3"}
    assert Table((34, -1, -1, -1), ALL_BASE).rolls(6).takes("t34 > t0").state.pieces[0] == (-1, -1, -1, 40)
    table = Table((40, -1, -1, 12), ALL_BASE).rolls(3)
    assert table.facts("t0 > t3", "GLO-3") == {"past_start": True, "space": "t3"}
    assert table.facts("t12 > lane1.3", "GLO-3") == {"lane_of": 1, "space": "lane1.3"}
    assert Table((0, -1, -1, -1), ALL_BASE).rolls(3).broken("t0 > lane0.3") == ["GLO-3", "GLO-4"]
    assert Table((39, -1, -1, -1), ALL_BASE).rolls(3).broken("t39 > t2") == ["GLO-3"]


@pytest.mark.parametrize("way, facts", [
    ("t3 > t8", {"count": 5, "total": False}),
    ("t3 > t3", {"count": 0}),
    ("t3 > t1", {"backwards": True, "count": 2}),
    ("t3 > t0", {"backwards": True, "count": 3}),
    ("t3 > t39", {"backwards": True, "count": 4}),
    ("t3 > base0", {"backwards": True, "count": 0}),
    ("t3 > base1", {"nowhere": True, "space": "base1"}),
    ("t3 > center", {"nowhere": True, "space": "center"}),
])
def test_glo_4_clockwise_and_by_the_roll(way, facts):
    found = Table((3, 1, -1, -1), ALL_BASE).rolls(4).facts(way, "GLO-4")
    assert found | facts == found


def test_glo_4_and_glo_5_pawns_are_passed_and_captured_by_landing_starts_included():
    table = Table((8, 9, -1, -1), (0, 1, 2, -1)).rolls(2)
    assert table.takes("t8 > t10").state.pieces[:2] == ((-1, -1, 9, 10), (-1, -1, 1, 2))
    table = Table(ALL_BASE, (30, -1, -1, -1)).rolls(6)
    step = table.game.legal_steps(table.state)[0]
    assert step == Step(0, "base0", "t0", "6", ((1, "base1"),))
    assert table.game.capture_rule(step) == "GLO-5"


def test_glo_6_never_onto_ones_own_pawn_wherever_it_stands():
    assert Table((3, 7, -1, -1), ALL_BASE).rolls(4).facts("t3 > t7", "GLO-6") == {"space": "t7"}
    assert Table((40, -1, -1, -1), ALL_BASE).rolls(6).broken("base0 > t0") == ["GLO-6"]
    assert Table((0, 36, -1, -1), ALL_BASE).rolls(4).broken("t36 > t0") == ["GLO-6"]
    assert Table((42, 39, -1, -1), ALL_BASE).rolls(3).broken("t39 > lane0.2") == ["GLO-6"]


def test_glo_7_home_takes_the_exact_roll_and_there_a_pawn_rests():
    table = Table((41, 39, -1, -1), ALL_BASE).rolls(3)
    assert table.legal() == {"t39 > lane0.2"}
    assert table.facts("t39 > lane0.4", "GLO-7") == {
        "exact": True, "count": 5, "space": "lane0.4", "dice": [3], "parts": [3],
    }
    assert table.facts("lane0.1 > lane0.4", "GLO-7") == {"at_rest": True, "space": "lane0.1"}
    assert Table((39, -1, -1, -1), ALL_BASE).rolls(6).legal() == {"base0 > t0"}
    assert Table((43, -1, -1, -1), ALL_BASE).rolls(2).legal() == set()


def test_glo_8_four_on_the_four_home_spaces_win():
    game = Gloria((0, 1))
    assert game.winners(game.from_json(state_of((41, 42, 43, 44), ALL_BASE))) == (0,)
    assert game.winners(game.from_json(state_of((40, 42, 43, 44), ALL_BASE))) == ()
    with pytest.raises(StateError, match="only one can win"):
        game.from_json(state_of((41, 42, 43, 44), (41, 42, 43, 44)))


def test_glo_9_the_centre_is_home_and_the_lane_is_path():
    table = Table((41, 43, 45, 45), (45, -1, -1, -1), home="center").rolls(2)
    assert table.legal() == {"lane0.3 > center"}
    assert table.broken("lane0.1 > lane0.3") == ["GLO-6"]
    assert table.facts("lane0.1 > center", "GLO-9") == {
        "exact": True, "count": 4, "space": "center", "dice": [2], "parts": [2],
    }
    assert table.facts("center > lane0.1", "GLO-9") == {"at_rest": True, "space": "center"}
    assert table.facts("lane0.3 > lane0.1", "GLO-4")["backwards"]
    assert table.facts("lane0.3 > t38", "GLO-4")["count"] == 5
    assert table.game.position(table.state).at("center") == (0, 0, 1)
    assert table.takes("lane0.3 > center").game.position(table.state).at("center") == (0, 0, 0, 1)
    won = Table((45, 45, 45, 40), ALL_BASE, home="center").rolls(5).takes("t0 > center")
    assert won.game.winners(won.state) == (0,)
    assert "center" in table.game.spaces() and "center" not in Gloria((0, 1)).spaces()


@pytest.mark.parametrize("dice", [2, 3])
def test_glo_10_several_dice_until_the_first_six(dice):
    table = Table(ALL_BASE, ALL_BASE, opening_dice=dice)
    assert table.game.due(table.state).dice == (dice,)
    assert len(table.game.rolls(table.state)) == {2: 21, 3: 56}[dice]
    with pytest.raises(OptionError, match=f"{dice} dice"):
        table.rolls(6)
    table.rolls(*(4, 4, 2)[:dice])
    assert table.game.left(table.state) == (4, 4) * (dice == 2) + (2, 4, 4) * (dice == 3)
    assert table.broken("base0 > t0") == ["GLO-10", "GLO-2"]
    state = table.game.stop(table.state)
    assert (state.due, state.opened) == (1, ())


def test_glo_10_the_pawn_that_enters_moves_the_other_dice_each_a_landing():
    table = Table(ALL_BASE, (32, -1, -1, -1), opening_dice=3, opened=(1,)).rolls(6, 6, 2)
    assert table.takes("base0 > t0").legal() == {"t0 > t2", "t0 > t6"}
    assert table.game.left(table.state) == (2, 6)
    assert table.broken("base0 > t0") == ["GLO-10", "GLO-6"]
    assert table.facts("t0 > t8", "GLO-10")["total"]
    unfinished = table.game.unfinished(table.state)
    assert [o.rule for o in unfinished] == ["GLO-10", "COM-4"] and all(o.facts["unfinished"] for o in unfinished)
    table.takes("t0 > t2", "t2 > t8")
    assert table.state.pieces[:2] == ((-1, -1, -1, 8), ALL_BASE)
    assert (table.state.due, table.state.opened) == (1, (0, 1))
    table = Table(ALL_BASE, ALL_BASE, opening_dice=3, opened=(0,))
    assert table.game.due(table.state).dice == (1,)


def test_glo_10_a_pawn_that_enters_and_is_counted_on_wrongly_is_told_the_count():
    """That a pawn enters on its starting space, and nowhere else, was said: but it has to move on from there."""
    table = Table(ALL_BASE, ALL_BASE, opening_dice=2).rolls(6, 3)
    assert table.broken("base0 > t4") == ["GLO-4"] and table.facts("base0 > t4", "GLO-4")["parts"] == [3]
    assert table.broken("base0 > t6") == ["GLO-2"], "the 6 was counted on from the start"
    assert table.broken("base0 > t9") == ["GLO-2"], "all of the roll was"
    assert table.broken("base0 > t13") == ["GLO-2"] and table.broken("base0 > t39") == ["GLO-2"], "it was put there"
    table = Table(ALL_BASE, ALL_BASE, opening_dice=3).rolls(6, 1, 4)
    assert table.facts("base0 > t8", "GLO-4")["parts"] == [1, 4]
    table = Table(ALL_BASE, ALL_BASE, opening_dice=3).rolls(6, 6, 2).takes("base0 > t0")
    assert table.broken("base0 > t5") == ["GLO-10", "GLO-2"], "the second pawn does not enter"


def test_glo_10_no_pawn_is_out_before_the_first_six():
    with pytest.raises(StateError, match="seat 0 has a pawn out"):
        Table((3, -1, -1, -1), ALL_BASE, opening_dice=2)
    with pytest.raises(StateError, match="opened"):
        Gloria((0, 1), {"opening_dice": 2}).from_json(state_of(ALL_BASE, ALL_BASE))
    for odd in (None, 3, [2], [True], ["0"]):
        with pytest.raises(StateError, match="opened"):
            Gloria((0, 1), {"opening_dice": 2}).from_json(state_of(ALL_BASE, ALL_BASE) | {"opened": odd})


def test_glo_11_a_six_rolls_again_without_a_question():
    table = Table((3, -1, -1, -1), ALL_BASE, six_again=True).rolls(6).takes("t3 > t9")
    assert table.game.due(table.state) == Due(DueKind.ROLL, 0, (1,))
    table = Table((41, 42, 43, 0), ALL_BASE, six_again=True).rolls(6).takes("t0 > t6")
    assert table.game.due(table.rolls(2).takes("t6 > t8").state) == Due(DueKind.QUESTION, 1)
    table = Table((41, 42, 43, 39), ALL_BASE, six_again=True).rolls(6)
    assert table.game.due(table.game.stop(table.state)) == Due(DueKind.ROLL, 0, (1,))
    table = Table(ALL_BASE, ALL_BASE, six_again=True, opening_dice=2).rolls(6, 6).takes("base0 > t0", "t0 > t6")
    assert table.game.due(table.state) == Due(DueKind.ROLL, 0, (1,))
    assert Table(ALL_BASE, ALL_BASE).rolls(6).takes("base0 > t0").state.due == 1


def test_glo_12_and_all_others_have_their_sentence():
    rules = rules_of("gloria")
    assert set(rules) == {f"COM-{n}" for n in range(1, 8)} | {f"GLO-{n}" for n in range(1, 13)}
    assert all(sentence.endswith(".") and len(sentence) < 120 for sentence in rules.values())


@pytest.mark.parametrize("options, names", [
    ({"house": "center"}, "home, opening_dice, six_again"),
    ({"home": "middle"}, "'spaces', 'center'"),
    ({"home": None}, "home"),
    ({"opening_dice": 4}, "1, 2, 3"),
    ({"opening_dice": True}, "1, 2, 3"),
    ({"opening_dice": 2.0}, "opening_dice"),
    ({"six_again": 1}, "choose one of false, true"),
    ([], "options"),
])
def test_options_that_are_not_there_are_refused_by_name(options, names):
    with pytest.raises(OptionError, match=names):
        Gloria((0, 1), options)


@pytest.mark.parametrize("change, names", [
    ({"pieces": {"0": [-1, -1, 0, 40], "1": [-1] * 4}}, "t0"),
    ({"pieces": {"0": [-1, -1, 7, 7], "1": [-1] * 4}}, "t7"),
    ({"pieces": {"0": [-1, -1, 7, 12], "1": [-1, -1, -1, 2]}}, "t12"),
    ({"pieces": {"0": [-1, -1, 7, 45], "1": [-1] * 4}}, "45"),
    ({"pieces": {"0": [-1, -1, 43, 43], "1": [-1] * 4}}, "lane0.3"),
    ({"due": 2}, "due 2"),
    ({"due": None}, "due"),
])
def test_states_that_cannot_be_are_refused_by_name(change, names):
    with pytest.raises(StateError, match=names):
        Gloria((0, 1)).from_json(state_of(ALL_BASE, ALL_BASE) | change)


def test_a_saved_game_keeps_whether_a_question_or_a_roll_is_due():
    game = Gloria((0, 1))
    state = game.opening(1)
    assert "expects" not in game.to_json(state)
    right = game.answer(state, True)
    assert game.to_json(right) == game.to_json(state) | {"expects": "roll"}
    for kept in (state, right):
        assert game.from_json(json.loads(json.dumps(game.to_json(kept)))) == kept
    assert game.from_json(game.to_json(state) | {"expects": "question"}) == state
    with pytest.raises(NotDue):
        game.to_json(game.hear(right, Roll((4,))))


@pytest.mark.parametrize("expects", [{}, {"expects": "question"}, {"expects": "roll"}])
def test_a_request_is_made_after_the_right_answer_and_answered_without_expects(expects):
    state = state_of((3, -1, -1, -1), ALL_BASE, six_again=True)
    reply = asked(state | expects, 6)
    assert {tuple(o["state"]["pieces"]["0"]): o["steps"] for o in reply["outcomes"]} == {
        (-1, -1, -1, 9): [["t3", "t9"]], (-1, -1, 0, 3): [["base0", "t0"]],
    }
    assert all(o["state"] | {"pieces": state["pieces"]} == state for o in reply["outcomes"])  # the same seat again
    assert not reply["pass"] and asked(state | expects, 5)["outcomes"][0]["state"]["due"] == 1
    assert asked(state_of(ALL_BASE, ALL_BASE), 5)["pass"]


def test_a_position_tells_what_it_can_and_the_state_before_tells_the_rest():
    game = Gloria((0, 1), {"opening_dice": 2})
    position = Position.of({"t0": [0], "t9": [0], "base0": [0, 0], "base1": [1] * 4})
    assert game.with_position(position, 1).pieces[0] == (-1, -1, 0, 9)

    def like(*pawns, **change):
        before = game.from_json(state_of(pawns, ALL_BASE, opening_dice=2, opened=(0, 1)))
        return game.with_position(position, 0, before._replace(**change))

    assert like(-1, -1, 40, 9).pieces[0] == (-1, -1, 9, 40)  # it had been round before
    assert like(-1, -1, 0, 9).pieces[0] == (-1, -1, 0, 9)
    assert like(-1, -1, -1, 9).pieces[0] == (-1, -1, 0, 9)  # it left the base
    assert like(-1, -1, 35, 9).pieces[0] == (-1, -1, 9, 40)  # no pawn left the base: it came round
    assert like(-1, -1, 9, 40).pieces[0] == like(-1, -1, 5, 40).pieces[0] == (-1, -1, 9, 40)
    assert like(-1, -1, -1, 40).pieces[0] == (-1, -1, 9, 40)  # what left the base went on, as the other cannot have
    assert like(-1, -1, 0, 9).opened == (0, 1)
    assert game.with_position(position, 1).opened == (0,)
    assert not like(-1, -1, 0, 9).answered and like(-1, -1, 0, 9, answered=True).answered
    assert not like(-1, -1, 0, 9, answered=True, due=1).answered
    assert like(-1, -1, 0, 9, answered=True, roll=(3,), parts=(3,)).answered


@pytest.mark.parametrize("before, pawn", [(19, 0), (21, 40), (38, 40)])
def test_glo_3_a_pawn_on_its_start_came_round_where_that_is_not_far(before, pawn):
    game = Gloria((0, 1))
    position = Position.of({"t0": [0], "base0": [0] * 3, "base1": [1] * 4})
    state = game.with_position(position, 0, game.from_json(state_of((-1, -1, -1, before), ALL_BASE)))
    assert state.pieces[0] == (-1, -1, -1, pawn)


def test_a_won_game_expects_nothing():
    game = Gloria((0, 1))
    won = game.from_json(state_of((41, 42, 43, 44), ALL_BASE) | {"expects": "roll"})
    assert "expects" not in game.to_json(won)
    assert "expects" not in game.to_json(game.with_position(game.position(won), 0, won._replace(answered=True)))


@pytest.mark.parametrize("before, pawn", [
    ((-1, -1, 30, 40), 0),  # the pawn that had been round went into its lane, and another entered
    ((-1, 30, 36, 41), 40),
    ((-1, 0, 30, 36), 0),  # it stands there yet: the one from 36 went into the lane
    ((-1, -1, 30, 41), 0),
    ((-1, 24, 39, 41), 40),
    ((0, 24, 38, 41), 0),  # the one from 38 was captured
])
def test_glo_3_a_position_after_several_moves_tells_which_pawn_stands_on_the_start(before, pawn):
    """After them one stands on t0, one on t30, one in the lane."""
    game = Gloria((0, 1))
    position = Position.of({"t0": [0], "t30": [0], "lane0.1": [0], "base0": [0], "base1": [1] * 4})
    state = game.with_position(position, 0, game.from_json(state_of(before, ALL_BASE)))
    assert state.pieces[0] == tuple(sorted((-1, pawn, 30, 41)))


@pytest.mark.parametrize("contents, names", [
    ({"center": [0], "base0": [0] * 3, "base1": [1] * 4}, "center"),
    ({"lane1.1": [0], "base0": [0] * 3, "base1": [1] * 4}, "lane1.1"),
    ({"t4": [2], "base0": [0] * 4, "base1": [1] * 4}, "seat 2"),
    ({"base0": [0] * 3, "base1": [1] * 4}, "3 pawns"),
    ({"base0": [0] * 3, "t4": [0, 1], "base1": [1] * 3}, "t4"),
])
def test_positions_that_cannot_be_are_refused(contents, names):
    with pytest.raises(StateError, match=names):
        Gloria((0, 1)).with_position(Position.of(contents), 0)
