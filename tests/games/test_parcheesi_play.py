"""Random legal play ends; states and positions go out and come back as they were."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rare_states import state_and_roll

from companion.games.catalogue import game_for, roll_off, rules_of, state_from_json
from companion.model import DueKind, NotDue, OptionError, Position, Roll, StateError

seeds = st.integers(0, 2**32)


@settings(max_examples=10)
@given(seeds, st.sampled_from([(0, 1), (0, 2), (3, 1, 2), (0, 1, 2, 3)]))
def test_random_legal_play_ends(seed, seats):
    rng, game = Random(seed), game_for("parcheesi", seats)
    state = game.opening(rng.choice(seats))
    for _ in range(5000):
        assert state_from_json(json.loads(json.dumps(game.to_json(state))))[1] == state
        assert game.with_position(game.position(state), state.due) == state._replace(doublets=0)
        if game.winners(state):
            break
        state = game.hear(state, rng.choice(game.rolls(state)))
        assert game.due(state).kind is DueKind.PLAY
        while state.roll:
            legal = game.legal_steps(state)
            state = game.take(state, rng.choice(legal)) if legal else game.stop(state)
    assert game.due(state).kind is DueKind.OVER


@settings(max_examples=300)
@given(seeds)
def test_steps_say_what_the_position_shows(seed):
    rng = Random(seed)
    data, dice = state_and_roll(rng)
    game, state = state_from_json(data)
    assert game.to_json(state) == data
    state = game.hear(state, Roll(tuple(dice)))
    while state.roll and (legal := game.legal_steps(state)):
        step = rng.choice(legal)
        position = game.position(state).moved(step.seat, step.origin, step.target)
        for owner, base in step.captures:
            position = position.moved(owner, step.target, base)
        state = game.take(state, step)
        assert game.position(state) == position


GOOD = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0,
        "pieces": {"0": [-1, -1, 0, 12], "2": [5, 63, 70, 71]}}


@pytest.mark.parametrize("change, names", [
    ({"seats": [0, 4]}, "seats"),
    ({"seats": [0]}, r"seats \[0\]: choose 2 to 4 different of \[0, 1, 2, 3\]"),
    ({"seats": [0, 0]}, r"seats \[0, 0\]: choose 2 to 4 different of \[0, 1, 2, 3\]"),
    ({"seats": [0, 0, 2]}, r"seats \[0, 0, 2\]: choose 2 to 4 different of \[0, 1, 2, 3\]"),
    ({"seats": [True, 2]}, "seats"),
    ({"seats": None}, "seats"),
    ({"options": {"home": "center"}}, "option 'home': parcheesi has no options"),
    ({"options": []}, "options"),
    ({"game": "chess"}, "chess"),
    ({"due": 1}, r"due 1: expected one of \[0, 2\]"),
    ({"due": 0.0}, "due 0.0"),
    ({"doublets": 3}, "doublets 3: expected one of 0 to 2"),
    ({"doublets": -1}, "doublets -1"),
    ({"doublets": True}, "doublets True"),
    ({"pieces": {"0": [-1, -1, 0, 12]}}, "seat 2"),
    ({"pieces": {"0": [-1, -1, 0, 12], "2": [5, 63, 70, 71], "3": [-1] * 4}}, "'3'"),
    ({"pieces": {"0": [-1, -1, 0, 12], "2": [5, 63, 70]}}, "exactly 4"),
    ({"pieces": {"0": [-1, -1, 0, 12], "2": [5, 63, 70, 71, 71]}}, "exactly 4"),
    ({"pieces": {"0": [-1, -1, 0, 12], "2": [5, 63, 70, 72]}}, "72"),
    ({"pieces": {"0": [-2, -1, 0, 12], "2": [5, 63, 70, 71]}}, "-2"),
    ({"pieces": {"0": [-1, 7, 7, 7], "2": [5, 63, 70, 71]}}, "t7"),
    ({"pieces": {"0": [-1, 70, 70, 70], "2": [5, 63, 70, 71]}}, "lane0.7"),
    ({"pieces": {"0": [-1, -1, 0, 39], "2": [5, 63, 70, 71]}}, "t39"),
    ({"pieces": {"0": [71] * 4, "2": [71] * 4}}, "only one"),
    ({"pieces": [[-1] * 4, [-1] * 4]}, "pieces"),
])
def test_what_cannot_be_is_refused_by_name(change, names):
    with pytest.raises((StateError, OptionError), match=names):
        state_from_json(GOOD | change)


def test_rolls_that_do_not_fit_are_refused():
    game, state = state_from_json(GOOD)
    with pytest.raises(OptionError, match="two"):
        game.hear(state, Roll((5,)))
    state = game.hear(state, Roll((5, 2)))
    with pytest.raises(NotDue):
        game.hear(state, Roll((5, 2)))
    with pytest.raises(NotDue):
        game.rolls(state)
    with pytest.raises(NotDue):
        game.to_json(state)


@pytest.mark.parametrize("contents, names", [
    ({"t64": [0]}, "t64"),  # between its mouth and its entry
    ({"lane2.1": [0]}, "lane2.1"),
    ({"base0": [0] * 3, "base2": [2] * 4}, "3 pawns"),
    ({"base0": [0] * 3, "t4": [1], "base2": [2] * 4}, "t4"),
])
def test_positions_that_cannot_be_are_refused(contents, names):
    game, _ = state_from_json(GOOD)
    with pytest.raises(StateError, match=names):
        game.with_position(Position.of(contents), 0)


def test_the_catalogue_knows_its_games():
    game = game_for("parcheesi", (0, 1, 3))
    assert roll_off(game, 1).throwing == (1, 0, 3)
    assert rules_of("parcheesi")["PAR-20"]
    with pytest.raises(OptionError, match=r"there is .*parcheesi, parcheesi-print"):
        game_for("ludo", (0, 1))
    assert len(game.spaces()) == len(set(game.spaces())) == 68 + 4 * 9
