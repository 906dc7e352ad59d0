"""The print-and-cut edition against a slow second derivation, on random positions with a taste for the rare."""

from random import Random

import pytest
import slow_parcheesi_print
from hypothesis import given, settings
from hypothesis import strategies as st
from rare_print_states import state_and_roll
from walks import objects_exactly_to_the_illegal, outcomes_agree, steps_say_what_is_shown

from companion.games.catalogue import state_from_json
from companion.model import Roll

seeds = st.integers(0, 2**32)


def shown(game, state):
    pieces = tuple((seat, state.pieces[seat]) for seat in sorted(game.seats))
    winners = game.winners(state)
    return (pieces, "won", winners[0]) if winners else (pieces, state.due)


def rolled(data, dice):
    """The game, and its state after the roll."""
    game, state = state_from_json(data)
    return game, game.hear(state, Roll(tuple(dice)))


def agrees(seed):
    """Whether nothing differs between the two derivations for one position."""
    data, dice = state_and_roll(Random(seed))
    game, state = rolled(data, dice)
    outcomes_agree(game, state, slow_parcheesi_print.plays(data, dice), shown)


@pytest.mark.long
@settings(max_examples=400)
@given(seeds)
def test_outcomes_and_single_steps_agree(seed):
    agrees(seed)


@settings(max_examples=25)
@given(seeds)
def test_objections_are_empty_exactly_for_legal_steps(seed):
    rng = Random(seed)
    game, state = rolled(*state_and_roll(rng))
    objects_exactly_to_the_illegal(game, state, rng)


@settings(max_examples=300)
@given(seeds)
def test_steps_say_what_the_position_shows(seed):
    rng = Random(seed)
    data, dice = state_and_roll(rng)
    game, state = state_from_json(data)
    assert game.to_json(state) == data
    _, state = rolled(data, dice)
    steps_say_what_is_shown(game, state, rng)
