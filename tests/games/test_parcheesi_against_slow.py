"""The engine against a slow second derivation, on random positions with a taste for the rare."""

from random import Random

import pytest
import slow_parcheesi
from hypothesis import given, settings
from hypothesis import strategies as st
from rare_states import state_and_roll
from walks import objects_exactly_to_the_illegal, outcomes_agree

from companion.games.catalogue import state_from_json
from companion.model import Roll

seeds = st.integers(0, 2**32)


def shown(game, state):
    pieces = tuple((seat, state.pieces[seat]) for seat in sorted(game.seats))
    winners = game.winners(state)
    return (pieces, "won", winners[0]) if winners else (pieces, state.due, state.doublets)


@pytest.mark.long
@settings(max_examples=200)
@given(seeds)
def test_outcomes_and_single_steps_agree(seed):
    data, dice = state_and_roll(Random(seed))
    game, state = state_from_json(data)
    state = game.hear(state, Roll(tuple(dice)))
    outcomes_agree(game, state, slow_parcheesi.plays(data, dice), shown)


@settings(max_examples=25)
@given(seeds)
def test_objections_are_empty_exactly_for_legal_steps(seed):
    rng = Random(seed)
    data, dice = state_and_roll(rng)
    game, state = state_from_json(data)
    state = game.hear(state, Roll(tuple(dice)))
    objects_exactly_to_the_illegal(game, state, rng)
