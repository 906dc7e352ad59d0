"""Aggravation rule by rule: what is objected to, with which facts, and how it is said to the players."""

import re
from pathlib import Path

import pytest

from companion.games.aggravation import Aggravation
from companion.games.catalogue import game_for
from companion.model import Objection, Roll, Step
from companion.referee.phrases import Names
from companion.referee.wording import objection_sentence

HERE = Path(__file__).parent
COLORS = ("red", "blue", "yellow", "green")
BASES = (-1, -1, -1, -1)
HOME = (55, 56, 57, 58)


def state_of(game, due, roll, **pieces):
    """Red's, blue's, … marbles as given, the others' in BASE; the roll heard if there is one."""
    data = {"due": due, "pieces": {str(seat): pieces.get(COLORS[seat], BASES) for seat in game.seats}}
    state = game.from_json(data)
    return game.hear(state, Roll((roll,))) if roll else state


SINGLE = game_for("aggravation", (0, 1, 2, 3))
PARTNERS = game_for("aggravation", (0, 1, 2, 3), {"play": "partners"})

# roll, red's marbles, the move, then the rules with their facts, the most telling first; and the first as it is said
CASES = [
    (0, (-1, -1, -1, 3), "t12 > t14", [("AGG-4", {"before_roll": True})],
     "Red moved before rolling. First the die, then the marble."),
    (5, BASES, "base0 > t9", [("AGG-1", {"dice": [5], "start": "t9"})],
     "Red rolled 5: a marble leaves the base only with a 1 or a 6."),
    (6, BASES, "base0 > t15", [("AGG-1", {"dice": [6], "start": "t9", "space": "t15"})],
     "A marble that leaves the base starts in Red's START hole, hole 9."),
    (6, (-1, -1, -1, 0), "base0 > t9", [("AGG-3", {"space": "t9", "own": True})],
     "Red's own marble is in the START hole: it has to move on before the next one starts."),
    (2, (-1, -1, -1, 0), "base0 > t9",
     [("AGG-1", {"dice": [2], "start": "t9"}), ("AGG-3", {"space": "t9", "own": True})],
     "Red rolled 2: a marble leaves the base only with a 1 or a 6."),
    (4, (-1, -1, -1, 3), "t12 > t13", [("AGG-4", {"count": 1, "dice": [4]})],
     "Red's marble moved 1 hole, but the die shows 4."),
    (4, (-1, -1, -1, 3), "t12 > t10", [("AGG-4", {"backwards": True, "count": 2, "dice": [4]})],
     "Red's marble went backwards. Marbles move clockwise only."),
    (1, (-1, -1, -1, 1), "t10 > t6", [("AGG-4", {"backwards": True, "count": 4, "dice": [1]})],
     "Red's marble went backwards. Marbles move clockwise only."),  # over its START hole; 52 holes on, else
    (1, (-1, -1, -1, 1), "t10 > t34", [("AGG-4", {"count": 24, "dice": [1]})],
     "Red's marble moved 24 holes, but the die shows 1."),
    (4, (-1, -1, -1, 3), "t12 > base0", [("AGG-4", {"backwards": True, "count": 0, "dice": [4]})],
     "Red's marble went backwards. Marbles move clockwise only."),
    (4, (-1, -1, -1, 3), "t12 > base1", [("AGG-4", {"nowhere": True, "space": "base1"})],
     "Red's marble has no place in blue's base."),
    (4, (-1, -1, -1, 3), "t12 > ", [("AGG-4", {"nowhere": True, "space": ""})],
     "Red's marble has no place beside the board."),
    (4, (-1, -1, 5, 3), "t12 > t16", [("AGG-5", {"space": "t14", "landing": False})],
     "Red jumped a marble of the same colour, on hole 14. Only other players' marbles may be jumped."),
    (2, (-1, -1, 5, 3), "t12 > t14", [("AGG-5", {"space": "t14", "landing": True})],
     "Red's own marble is already on hole 14: nobody lands on a marble of their own."),
    (3, (-1, -1, 5, 3), "t12 > t14",
     [("AGG-4", {"count": 2, "dice": [3]}), ("AGG-5", {"space": "t14", "landing": True})],
     "Red's marble moved 2 holes, but the die shows 3."),
    (3, (-1, -1, -1, 53), "t6 > t8", [("AGG-8", {"space": "t8"})],
     "Red's marble went past its own HOME. It turns in there, and reaches a HOME hole by exact count."),
    (6, (-1, -1, -1, 53), "t6 > lane0.4",
     [("AGG-9", {"exact": True, "count": 5, "dice": [6]}), ("AGG-4", {"count": 5, "dice": [6]})],
     "A HOME hole is reached by exact count: this one was 5 away, the die shows 6."),
    (3, (-1, -1, -1, 53), "t6 > lane1.1", [("AGG-9", {"lane_of": 1, "space": "lane1.1"})],
     "That is blue's HOME: Red's marbles go into their own HOME only."),
    (3, (-1, -1, -1, 55), "lane0.1 > t20", [("AGG-9", {"from_home": True, "space": "t20"})],
     "Red's marble is HOME already, and stays there."),
    (3, (-1, -1, -1, 47), "t0 > t16", [("AGG-10", {"beyond": True, "star": "t0"})],
     "Red's marble ran past the star nearest its own HOME, hole 0: it leaves there."),
    (3, (-1, -1, -1, 5), "t14 > t42", [("AGG-10", {"hops": 2, "count": 2, "dice": [3]})],
     "This star run counts 2, but the die shows 3: each star is one count."),
    (3, (-1, -1, -1, 4), "t13 > t29", [("AGG-11", {"star": "t14"}), ("AGG-4", {"count": 16, "dice": [3]})],
     "Red's marble only passed the star on hole 14: it runs the stars from a star where it stood before."),
    (3, (-1, -1, -1, 5), "t14 > center", [("AGG-12", {"on_star": True, "dice": [3]})],
     "From a star only a 1 leads into the centre, and Red rolled 3."),
    (3, (-1, -1, -1, 4), "t13 > center", [("AGG-12", {"count": 2, "dice": [3]})],
     "Into the centre leads an exact 2 from there, and Red rolled 3."),
    (3, (-1, -1, -1, 8), "t17 > center", [("AGG-12", {"count": 12, "dice": [3]})],
     "Red's marble was still 12 holes away from the centre: no roll leads that far."),
    (3, (-1, -1, -1, 48), "t1 > center", [("AGG-12", {"count": 0, "dice": [3]})],
     "Red's marble has no star ahead from which it could turn into the centre."),
    (2, (-1, -1, -1, 900), "center > t14", [("AGG-13", {"dice": [2]})],
     "Only a 1 leads out of the centre, and Red rolled 2."),
    (1, (-1, -1, -1, 900), "center > t15", [("AGG-13", {"space": "t15"})],
     "Out of the centre a marble goes to a star, and hole 15 is none."),
    (2, (-1, -1, -1, 3), "t20 > t22", [("COM-3", {"no_pawn": True, "seat": 0, "space": "t20"})],
     "No red marble stood on hole 20."),
]


# the same with what is easily taken for something else
NEARLY = [
    (3, (-1, -1, -1, 3), "t12 > t12", [("AGG-4", {"count": 0, "dice": [3]})]),
    (3, (-1, -1, -1, 3), "t12 > lane5.1", [("AGG-4", {"nowhere": True, "space": "lane5.1"})]),
    (6, (-1, -1, -1, 0), "base0 > t10", [("AGG-1", {"dice": [6], "start": "t9", "space": "t10"})]),
    (2, (-1, -1, -1, 57), "lane0.3 > lane0.1", [("AGG-4", {"backwards": True, "count": 2, "dice": [2]})]),
    (1, (-1, -1, -1, 54), "t7 > t8", [("AGG-8", {"space": "t8"})]),  # on the mouth, and not HOME yet
    (4, (-1, -1, -1, 50), "t3 > t6", [("AGG-4", {"count": 3, "dice": [4]})]),
    (3, (-1, -1, -1, 50), "t3 > t7", [("AGG-4", {"count": 4, "dice": [3]})]),  # onto the mouth, which is no HOME
    (3, (-1, -1, -1, 2), "t11 > t6", [("AGG-4", {"backwards": True, "count": 5, "dice": [3]})]),
    (3, (-1, -1, -1, 2), "t11 > lane0.1",
     [("AGG-9", {"exact": True, "count": 53, "dice": [3]}), ("AGG-4", {"count": 53, "dice": [3]})]),
    (1, (-1, -1, 5, 900), "t14 > center", [("AGG-5", {"space": "center", "landing": True})]),
    (3, (-1, -1, 3, 5), "t12 > center", [("AGG-5", {"space": "t14", "landing": False})]),
    (3, (-1, -1, -1, 46), "t55 > t15", [("AGG-8", {"space": "t15"})]),  # as far as a run, but from no star
    (3, (-1, -1, -1, 5), "t14 > t19", [("AGG-4", {"count": 5, "dice": [3]})]),  # from a star, and no star was run
    (3, (-1, -1, -1, 5), "t14 > t37", [("AGG-4", {"count": 23, "dice": [3]})]),  # too far from the last star
    (3, (-1, -1, -1, 5), "t14 > t1", [("AGG-10", {"hops": 3, "count": 4, "dice": [3]})]),  # the way back is shorter
    (3, (-1, -1, 3, 5), "t12 > t16",
     [("AGG-4", {"count": 4, "dice": [3]}), ("AGG-5", {"space": "t14", "landing": False})]),
    (3, (-1, -1, 3, 5), "t12 > t24",
     [("AGG-4", {"count": 12, "dice": [3]}), ("AGG-5", {"space": "t14", "landing": False})]),
    (3, (-1, -1, 3, 5), "t12 > t25", [("AGG-4", {"count": 13, "dice": [3]})]),  # so far that nobody counts
    (3, (-1, -1, 3, 16), "t12 > t25",
     [("AGG-4", {"count": 13, "dice": [3]}), ("AGG-5", {"space": "t25", "landing": True})]),
]


@pytest.mark.parametrize("roll, red, move, broken", NEARLY)
def test_objections_that_are_easily_mixed_up(roll, red, move, broken):
    origin, target = (space.strip() for space in move.split(">"))
    found = SINGLE.objections(state_of(SINGLE, 0, roll, red=red), Step(0, origin, target))
    assert [(objection.rule, dict(objection.facts)) for objection in found] == broken


@pytest.mark.parametrize("roll, red, move, broken, said", CASES)
def test_objections_and_their_facts(roll, red, move, broken, said):
    origin, target = (space.strip() for space in move.split(">"))
    state = state_of(SINGLE, 0, roll, red=red)
    found = SINGLE.objections(state, Step(0, origin, target))
    assert [(objection.rule, dict(objection.facts)) for objection in found] == broken
    assert sentence(found[0]) == said


def sentence(objection, mover=0):
    return objection_sentence(objection, mover, Names(dict(enumerate(COLORS)), Aggravation.nouns, "aggravation"))


def test_com_2_com_3_other_players_marbles_stay():
    state = state_of(SINGLE, 0, 3, red=(-1, -1, -1, 3), blue=(-1, -1, -1, 3))
    found = SINGLE.objections(state, Step(1, "t26", "t29"))
    assert [o.rule for o in found] == ["COM-3", "COM-2"]
    before = state_of(SINGLE, 0, 0, red=(-1, -1, -1, 3), blue=(-1, -1, -1, 3))
    assert [o.rule for o in SINGLE.objections(before, Step(1, "t26", "t29"))] == ["COM-2", "COM-3"]


def test_com_4_a_move_that_is_no_shortcut_must_be_made():
    state = state_of(SINGLE, 0, 3, red=(-1, -1, -1, 5))
    found, = SINGLE.unfinished(state)
    assert (found.rule, found.facts["unfinished"]) == ("COM-4", True)
    assert sentence(found) == "Red rolled 3 and can move, and so must."


def test_com_5_marbles_of_one_colour_are_one_play():
    """Four marbles in BASE start in one way."""
    assert len(SINGLE.outcomes(state_of(SINGLE, 0, 6))) == 1


def test_com_6_agg_17_nothing_moves_when_the_game_is_over():
    state = state_of(SINGLE, 1, 0, red=HOME)
    assert SINGLE.winners(state) == (0,)
    found = SINGLE.objections(state, Step(1, "base1", "t23"))
    assert (found[0].rule, found[0].facts) == ("COM-6", {"winner": 0, "winners": [0]})


def test_com_7_two_players_may_sit_anywhere():
    assert game_for("aggravation", (0, 1)).seats == (0, 1)


def test_agg_2_with_a_6_the_player_chooses():
    state = state_of(SINGLE, 0, 6, red=(-1, -1, -1, 10))
    assert {(s.origin, s.target) for s in SINGLE.legal_steps(state)} == {("base0", "t9"), ("t19", "t25")}


def test_agg_10_agg_12_a_star_with_a_1_has_three_ways():
    state = state_of(SINGLE, 0, 1, red=(57, 58, 56, 5))
    ways = {(step.target, step.by) for step in SINGLE.legal_steps(state)}
    assert ways == {("t15", "1"), ("t28", "star run 1"), ("center", "center 1")}


def test_agg_14_agg_6_stars_and_the_centre_are_not_safe():
    state = state_of(SINGLE, 0, 1, red=(-1, -1, -1, 5), blue=(-1, -1, 5, 900))
    captures = {step.target: step.captures for step in SINGLE.legal_steps(state)}
    assert captures["center"] == captures["t28"] == ((1, "base1"),)


def test_agg_16_progress_follows_the_hole():
    state = state_of(SINGLE, 0, 1, red=(-1, -1, -1, 900))
    leaving = [step for step in SINGLE.legal_steps(state) if step.origin == "center"]
    after = {step.target: SINGLE.take(state, step).pieces[0][-1] for step in leaving}
    assert after == {"t14": 5, "t28": 19, "t42": 33, "t0": 47}


def test_agg_20_the_roller_is_due_and_the_partner_moves():
    state = state_of(PARTNERS, 0, 6, red=HOME, yellow=(-1, -1, -1, 3))
    assert (PARTNERS.due(state).seat, PARTNERS.mover(state)) == (0, 2)
    found = PARTNERS.objections(state, Step(0, "lane0.1", "lane0.4"))
    assert [o.rule for o in found] == ["AGG-20", "COM-3"]
    assert sentence(found[0]) == "Red's marbles are all HOME: this roll is played with yellow's marbles."
    assert [o.rule for o in PARTNERS.objections(state, Step(1, "base1", "t23"))] == ["AGG-20", "COM-3", "COM-2"]
    before = state_of(PARTNERS, 0, 0, red=HOME, yellow=(-1, -1, -1, 3))
    assert [o.rule for o in PARTNERS.objections(before, Step(1, "base1", "t23"))] == ["COM-2", "COM-3"]
    assert [o.rule for o in PARTNERS.objections(before, Step(0, "lane0.1", "lane0.4"))] == ["AGG-20", "COM-3"]
    assert [o.rule for o in PARTNERS.objections(before, Step(2, "t40", "t41"))] == ["AGG-4"]


def test_agg_7_after_a_6_the_same_player_rolls_also_where_nothing_could_be_moved():
    game = game_for("aggravation", (0, 2))
    played = state_of(game, 0, 6, red=(-1, -1, -1, 3))
    assert {game.due(game.take(played, step)).seat for step in game.legal_steps(played)} == {0}
    stuck = state_of(game, 0, 6, red=(55, 56, 57, 54))
    assert not game.legal_steps(stuck)
    assert [game.due(outcome.state).seat for outcome in game.outcomes(stuck)] == [0]
    other = state_of(game, 0, 5, red=(-1, -1, -1, 3))
    assert [game.due(outcome.state).seat for outcome in game.outcomes(other)] == [2]


def test_com_6_the_winner_is_due_when_the_game_is_over():
    state = state_of(SINGLE, 0, 1, red=(54, 56, 57, 58))
    (over,) = (outcome.state for outcome in SINGLE.outcomes(state))
    assert SINGLE.winners(over) == (0,) and over.due == 0


def test_the_goals_are_the_four_home_holes():
    assert SINGLE.goals(2) == ("lane2.1", "lane2.2", "lane2.3", "lane2.4")


def test_agg_21_agg_22_agg_23_teams():
    game = game_for("aggravation", tuple(range(6)), {"play": "teams"})
    assert game.sides == ((0, 2, 4), (1, 3, 5))
    data = {"due": 0, "pieces": {str(seat): BASES for seat in range(6)} | {"0": (83, 84, 85, 86)}}
    state = game.from_json(data)
    for step in (Step(0, "lane0.1", "lane0.2"), Step(2, "base2", "t37")):
        found, = game.objections(state, step)
        assert found.rule == "AGG-22" and found.facts["teammates"] == [2, 4]
    assert [o.rule for o in game.objections(state, Step(1, "base1", "t23"))] == ["COM-2", "AGG-22"]
    names = Names(dict(enumerate((*COLORS, "white", "black"))), Aggravation.nouns, "aggravation")
    said = objection_sentence(found, 2, names)
    assert said == "Red is all HOME. Before rolling, Red says who plays the roll: yellow or white."


@pytest.mark.parametrize("rule, said", [
    ("AGG-3", "Blue's marble is aggravated: it goes back to blue's base."),
    ("AGG-6", "Blue's marble is aggravated: it goes back to blue's base."),
    ("AGG-18", "Blue's marble is aggravated: it goes back to blue's base. Partners are no exception."),
])
def test_a_marble_that_was_landed_on_goes_back(rule, said):
    assert sentence(Objection(rule, {"astray": True, "seat": 1, "space": "t3"})) == said


def test_every_rule_has_a_sentence_and_a_test_or_story_that_names_it():
    told = "".join(p.read_text() for p in (*HERE.glob("aggravation/*.game"), *HERE.glob("test_aggravation*.py")))
    named = {f"AGG-{number}" for number in re.findall(r"(?i)agg[-_](\d+)", told)}
    expected = {f"AGG-{n}" for n in range(1, 24)}
    assert named == expected == {rule for rule in Aggravation.sentences if rule.startswith("AGG")}
    assert {f"COM-{n}" for n in range(1, 8)} <= set(Aggravation.sentences)
