"""Aggravation from the outside: random play ends, states go out and come back, what cannot be is refused by name."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rare_aggravation import TABLES, rare_state

from companion.games.catalogue import game_for, roll_off, state_from_json
from companion.games.plays import answer
from companion.model import DueKind, IllegalStep, NotDue, OptionError, Position, Roll, StateError, Step

seeds = st.integers(0, 2**32)
HOME = [55, 56, 57, 58]
HOME_6 = [83, 84, 85, 86]


def again(game, state):
    """The state after it went out and came back as text."""
    return state_from_json(json.loads(json.dumps(game.to_json(state))))[1]


@settings(max_examples=25)
@given(seeds, st.sampled_from(TABLES))
def test_random_legal_play_ends(seed, table):
    rng, game = Random(seed), game_for("aggravation", *table)
    state = game.opening(rng.choice(game.seats))
    for _ in range(20_000):
        due = game.due(state)
        if due.kind is DueKind.OVER:
            break
        assert again(game, state) == state
        assert game.with_position(game.position(state), state.due, state) == state
        if due.kind is DueKind.DECLARATION:
            state = game.declare(state, rng.choice(game.partners(state)))
        else:
            state = game.hear(state, rng.choice(game.rolls(state)))
            outcome = rng.choice(game.outcomes(state))
            state = game.take(state, *outcome.steps) if outcome.steps else game.stop(state)
            assert state == outcome.state
    winners = game.winners(state)
    assert set(winners) in [set(side) for side in game.sides]
    assert again(game, state) == state


@settings(max_examples=200)
@given(seeds)
def test_a_state_comes_back_as_it_was(seed):
    data = rare_state(Random(seed))
    game, state = state_from_json(data)
    written = game.to_json(state)
    assert again(game, state) == state
    assert written == (data if state.plays is not None else {k: v for k, v in data.items() if k != "player"})
    for outcome in game.outcomes(game.hear(state, Roll((6,)))):
        assert "player" not in game.to_json(outcome.state)


# Seats and options: AGG-18, AGG-21, COM-7.

@pytest.mark.parametrize("seats, options, arms", [
    ((0, 1), {}, 4), ((3, 1, 2), {}, 4), ((0, 1, 2, 3), {"arms": 4}, 4), ((0, 3), {"arms": 6}, 6),
    ((0, 1, 2, 3, 4), {}, 6), (range(6), {"arms": 6}, 6), ((2, 5, 1, 4), {"arms": 6, "play": "partners"}, 6),
    (range(6), {"play": "partners"}, 6), ((3, 2, 1, 0), {"play": "partners"}, 4), (range(6), {"play": "teams"}, 6),
])
def test_tables_that_fit(seats, options, arms):
    game = game_for("aggravation", tuple(seats), options)
    assert (game.arms, game.seats, game.options) == (arms, tuple(seats), options)
    assert len(game.spaces()) == len(set(game.spaces())) == arms * (14 + 5) + 1


@pytest.mark.parametrize("seats, options, names", [
    ((0,), {}, "seats"), ((0, 0), {}, "seats"), ((0, 4), {}, '"arms": 6'), ((0, 6), {}, "seats"), (None, {}, "seats"),
    (tuple(range(6)), {"arms": 4}, '"arms": 6'), ((0, True), {}, "seats"), ((0, 2), {"arms": 5}, "arms 5"),
    ((0, 2), {"arms": 4.0}, "arms 4.0"), ((0, 2), {"arms": True}, "arms True"), ((0, 2), {"arms": None}, "arms None"),
    ((0, 2), {"play": "team"}, "play 'team'"), ((0, 2), {"play": []}, "play"), ((0, 2), {"home": "center"}, "home"),
    ((0, 2), {"play": "partners"}, "0, 1, 2, 3"), ((0, 1, 2), {"play": "partners"}, "opposite"),
    ((0, 1, 2, 3), {"play": "partners", "arms": 6}, r"\[0, 3\]"), ((0, 3), {"play": "partners", "arms": 6}, "opposite"),
    ((0, 1, 2, 3, 4), {"play": "partners"}, "opposite"), ((0, 1, 2, 3), {"play": "teams"}, "6 players"),
    ((0, 1, 2, 3, 4), {"play": "teams"}, "6 players"), ((0, 2), [], "options"),
])
def test_tables_that_do_not_fit_are_refused_by_name(seats, options, names):
    with pytest.raises(OptionError, match=names):
        game_for("aggravation", seats, options)


GOOD = {"game": "aggravation", "options": {}, "seats": [0, 2], "due": 0,
        "pieces": {"0": [-1, -1, 0, 900], "2": [5, 54, 57, 58]}}


@pytest.mark.parametrize("change, names", [
    ({"due": 1}, "due 1"), ({"due": None}, "due None"), ({"pieces": {"0": [-1] * 4}}, "seat 2"),
    ({"pieces": {"0": [-1] * 4, "2": [59, 1, 2, 3]}}, "progress 59: with 4 arms expected -1 .BASE., 0 to 58, or 900"),
    ({"pieces": {"0": [-1, -1, 0, True], "2": [-1] * 4}}, "progress True: with 4 arms"),
    ({"pieces": {"0": [-1] * 4, "2": [899, 1, 2, 3]}}, "900"),
    ({"pieces": {"0": [-1] * 4, "2": [1.0, 1, 2, 3]}}, "progress 1.0"),
    ({"pieces": {"0": [-1] * 4, "2": [[], 1, 2, 3]}}, "progress"),
    ({"pieces": {"0": [-1] * 4, "2": [-1] * 3}}, "exactly 4"), ({"pieces": {"0": [-1] * 4, "2": 7}}, "exactly 4"),
    ({"pieces": {"0": [-1, 7, 7, 8], "2": [-1] * 4}}, "t16"),
    ({"pieces": {"0": [-1, -1, -1, 28], "2": [-1, -1, -1, 0]}}, "t37"),
    ({"pieces": {"0": [-1, -1, -1, 900], "2": [-1, -1, -1, 900]}}, "center"),
    ({"pieces": {"0": [-1, -1, 57, 57], "2": [-1] * 4}}, "lane0.3"),
    ({"pieces": {"0": HOME, "2": HOME}}, "only one"), ({"player": 2}, "player 2"), ({"player": "0"}, "player '0'"),
    ({"player": 1}, "player 1"),
])
def test_what_cannot_be_is_refused_by_name(change, names):
    with pytest.raises(StateError, match=names):
        state_from_json(GOOD | change)


@pytest.mark.parametrize("contents, names", [
    ({"t8": [0], "base0": [0] * 3, "base2": [2] * 4}, "t8"),  # between its mouth and its START
    ({"lane2.1": [0], "base0": [0] * 3, "base2": [2] * 4}, "lane2.1"),
    ({"base0": [0] * 3, "base2": [2] * 4}, "3 marbles"),
    ({"t3": [0, 2], "base0": [0] * 3, "base2": [2] * 3}, "t3"),
    ({"t3": [1], "base0": [0] * 4, "base2": [2] * 4}, "t3"),
])
def test_positions_that_cannot_be_are_refused(contents, names):
    game, _ = state_from_json(GOOD)
    with pytest.raises(StateError, match=names):
        game.with_position(Position.of(contents), 0)


def test_words_that_are_not_due_are_refused():
    game, state = state_from_json(GOOD)
    with pytest.raises(OptionError, match="one die"):
        game.hear(state, Roll((1, 2)))
    with pytest.raises(NotDue):
        game.declare(state, 2)
    with pytest.raises(NotDue):
        game.outcomes(state)
    with pytest.raises(IllegalStep):
        game.stop(state)
    playing = game.hear(state, Roll((1,)))
    assert game.left(playing) == (1,) and game.left(state) == ()
    for ask in (game.rolls, game.to_json, lambda s: game.hear(s, Roll((1,)))):
        with pytest.raises(NotDue):
            ask(playing)
    with pytest.raises(IllegalStep):
        game.take(playing, Step(0, "t9", "t11"))
    with pytest.raises(OptionError):
        game.opening(1)


def team_state(**change):
    pieces = {str(seat): [-1] * 4 for seat in range(6)} | {"0": HOME_6, "2": [-1, -1, -1, 3], "4": [-1, -1, -1, 4]}
    state = {"game": "aggravation", "options": {"play": "teams"}, "seats": [*range(6)], "due": 0, "pieces": pieces}
    return state | change


def test_agg_22_a_declaration_is_due_only_while_two_teammates_are_out():
    game, state = state_from_json(team_state())
    assert game.due(state).kind is DueKind.DECLARATION and game.due(state).seat == 0
    assert game.partners(state) == (2, 4) and game.mover(state) == 0
    for seat in (0, 1, 3, True, "2", None):
        with pytest.raises(OptionError, match=r"\[2, 4\]"):
            game.declare(state, seat)
    with pytest.raises(NotDue, match=r"declare before rolling which of \[2, 4\]"):
        game.hear(state, Roll((3,)))
    with pytest.raises(NotDue, match="declare"):
        game.rolls(state)
    declared = game.declare(state, 4)
    assert game.due(declared).kind is DueKind.ROLL and game.due(declared).seat == 0 and game.mover(declared) == 4
    assert game.partners(declared) == ()
    with pytest.raises(NotDue):
        game.declare(declared, 2)
    after = game.take(game.hear(declared, Roll((6,))), Step(4, "base4", "t65"))
    assert game.due(after).kind is DueKind.DECLARATION and game.due(after).seat == 0


def test_agg_22_no_declaration_with_one_teammate_left_or_in_other_play():
    pieces = team_state()["pieces"]
    game, state = state_from_json(team_state(pieces=pieces | {"2": HOME_6}))
    assert game.due(state).kind is DueKind.ROLL and game.mover(state) == 4 and game.partners(state) == ()
    game, state = state_from_json(team_state(pieces=pieces | {"0": [-1] * 4}))
    assert game.mover(state) == 0 and game.partners(state) == ()
    game, state = state_from_json(team_state(options={"play": "partners"}))
    assert game.mover(state) == 3 and game.partners(state) == ()


def test_agg_23_nothing_is_declared_when_the_other_team_has_won():
    game, state = state_from_json(team_state(pieces=team_state()["pieces"] | {"1": HOME_6, "3": HOME_6, "5": HOME_6}))
    assert game.winners(state) == (1, 3, 5) and game.due(state).kind is DueKind.OVER
    assert game.partners(state) == ()
    with pytest.raises(NotDue):
        game.declare(state, 2)


def test_a_declared_state_survives_the_journal_and_an_accepted_board():
    game, state = state_from_json(team_state(player=2))
    assert state.plays == 2 and game.to_json(state) == team_state(player=2) and again(game, state) == state
    assert game.with_position(game.position(state), 0, state) == state
    assert game.with_position(game.position(state), 0).plays is None
    assert game.with_position(game.position(state), 1, state).plays is None
    assert game.with_position(game.position(state), 0, game.hear(state, Roll((6,)))).plays is None


@pytest.mark.parametrize("change, player, fits", [
    ({}, 2, True), ({}, 4, True), ({}, 0, False), ({}, 1, False), ({"due": 1}, 1, True), ({"due": 1}, 3, False),
    ({"options": {"play": "partners"}}, 3, True), ({"options": {"play": "partners"}}, 0, False),
    ({"options": {"play": "partners"}}, 2, False), ({"expects": "roll"}, 2, True), ({}, True, False),
])
def test_the_player_of_a_request_is_the_one_whose_marbles_play(change, player, fits):
    request = json.dumps({"state": team_state(player=player, **change), "roll": [1]})
    reply = json.loads(answer(request))
    assert ("outcomes" in reply) == fits
    if fits:
        assert all("player" not in outcome["state"] for outcome in reply["outcomes"])
        game, before = state_from_json(team_state(player=player, **change))
        origins = {step[0] for outcome in reply["outcomes"] for step in outcome["steps"]}
        assert origins and all(player in game.position(before).at(origin) for origin in origins)
    else:
        assert f"player {player}" in reply["error"]


def test_a_missing_declaration_is_answered_by_an_error():
    assert "declare" in json.loads(answer(json.dumps({"state": team_state(), "roll": [1]})))["error"]


def test_agg_15_a_pass_is_one_of_the_outcomes_where_only_a_shortcut_is_left():
    state = GOOD | {"pieces": {"0": [42, 48, 53, 58], "2": [-1] * 4}}
    reply = json.loads(answer(json.dumps({"state": state, "roll": [6]})))
    assert [o["steps"] for o in reply["outcomes"]] == [[["t51", "center"]], []]
    assert not reply["pass"]
    assert [o["state"]["due"] for o in reply["outcomes"]] == [0, 0]


def test_agg_19_the_winners_are_a_whole_side():
    state = {"game": "aggravation", "options": {"play": "partners", "arms": 4}, "seats": [3, 1, 2, 0], "due": 1}
    state["pieces"] = {"0": [-1] * 4, "2": [-1] * 4, "1": HOME, "3": [53, 56, 57, 58]}
    reply = json.loads(answer(json.dumps({"state": state, "roll": [2]})))
    assert [outcome["winner"] for outcome in reply["outcomes"]] == [[1, 3]]
    assert reply["outcomes"][0]["state"]["options"] == state["options"]
    assert reply["outcomes"][0]["state"]["seats"] == state["seats"]
    over = json.dumps({"state": reply["outcomes"][0]["state"], "roll": [1]})
    assert "won by [1, 3]" in json.loads(answer(over))["error"]


def test_com_1_and_com_2_throws_and_turns_go_clockwise():
    game = game_for("aggravation", (4, 0, 3), {"arms": 6})
    assert roll_off(game, 3).throwing == (3, 4, 0)
    assert [game.next_seat(seat) for seat in (0, 3, 4)] == [3, 4, 0]


def test_captures_name_their_rule():
    """AGG-3, AGG-6, AGG-18."""
    game = game_for("aggravation", (0, 1, 2, 3), {"play": "partners"})
    for step, rule in (
        (Step(0, "base0", "t9", "1", ((1, "base1"),)), "AGG-3"),
        (Step(0, "t9", "t10", "1", ((1, "base1"),)), "AGG-6"),
        (Step(0, "t9", "t10", "1", ((2, "base2"),)), "AGG-18"),
    ):
        assert game.capture_rule(step) == rule


def test_steps_say_by_what_the_marble_moved():
    game, state = state_from_json(GOOD | {"pieces": {"0": [-1, 5, 17, 55], "2": [-1] * 4}})
    assert {s.by for s in game.legal_steps(game.hear(state, Roll((3,))))} == {"3", "star run 3", "center 3"}
