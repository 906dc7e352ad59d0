"""Random legal play of Gloria and of print-and-cut Parcheesi ends; states go out and come back as they were."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.catalogue import game_for, state_from_json
from companion.model import DueKind

seeds = st.integers(0, 2**32)
VARIATIONS = st.fixed_dictionaries({}, optional={
    "home": st.sampled_from(["spaces", "center"]), "opening_dice": st.integers(1, 3), "six_again": st.booleans(),
})


def play_to_the_end(game, rng):
    """Random legal play; each state between plays is written and read again. How many turns there were."""
    state, turns = game.opening(rng.choice(game.seats)), 0
    while (due := game.due(state).kind) is not DueKind.OVER:
        assert state_from_json(json.loads(json.dumps(game.to_json(state))))[1] == state
        assert game.with_position(game.position(state), state.due, state) == state
        turns += 1
        if due is DueKind.QUESTION:
            state = game.answer(state, rng.random() < 0.9)
            continue
        state = game.hear(state, rng.choice(game.rolls(state)))
        while game.due(state).kind is DueKind.PLAY:
            assert sorted(game.left(state)) == list(game.left(state))
            legal = game.legal_steps(state)
            may_stop = game.may_stop(state)
            assert legal or may_stop
            state = game.stop(state) if may_stop and (not legal or rng.random() < 0.3) else game.take(
                state, rng.choice(legal))
        assert turns < 20_000
    assert game.winners(state) == (state.due,)
    return turns


@settings(max_examples=15)
@given(seeds, st.sampled_from([(0, 1), (0, 2), (3, 1, 2), (0, 1, 2, 3)]), VARIATIONS)
def test_random_gloria_ends(seed, seats, options):
    assert play_to_the_end(game_for("gloria", seats, options), Random(seed)) > 20


@settings(max_examples=10)
@given(seeds, st.sampled_from([(0, 1), (0, 2), (3, 1, 2), (0, 1, 2, 3)]))
def test_random_print_and_cut_ends(seed, seats):
    assert play_to_the_end(game_for("parcheesi-print", seats), Random(seed)) > 20


@pytest.mark.parametrize("name, count", [("gloria", 40 + 4 * 5), ("parcheesi-print", 68 + 4 * 9)])
def test_the_spaces_that_a_sheet_must_give(name, count):
    spaces = game_for(name, (0, 1)).spaces()
    assert len(spaces) == len(set(spaces)) == count
