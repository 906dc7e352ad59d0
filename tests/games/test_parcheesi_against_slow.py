"""The engine against a slow second derivation, on random positions with a taste for the rare."""

from random import Random

import slow_parcheesi
from hypothesis import given, settings
from hypothesis import strategies as st
from rare_states import state_and_roll

from companion.games.catalogue import state_from_json
from companion.model import Roll, Step

WALKED = 500
"""Plays of a roll up to which every single way to play it is compared too."""

seeds = st.integers(0, 2**32)


def shown(game, state):
    pieces = tuple((seat, state.pieces[seat]) for seat in sorted(game.seats))
    winners = game.winners(state)
    return (pieces, "won", winners[0]) if winners else (pieces, state.due, state.doublets)


def all_ways(game, state):
    """Every way through the graph of single steps: (steps, outcome)."""
    found, todo = set(), [(state, ())]
    while todo:
        now, way = todo.pop()
        if not now.roll:
            found.add((way, shown(game, now)))
            continue
        if game.may_stop(now):
            found.add((way, shown(game, game.stop(now))))
        for step in game.legal_steps(now):
            todo.append((game.take(now, step), (*way, (step.origin, step.target))))
    return found


@settings(max_examples=200)
@given(seeds)
def test_outcomes_and_single_steps_agree(seed):
    data, dice = state_and_roll(Random(seed))
    expected = slow_parcheesi.plays(data, dice)
    game, state = state_from_json(data)
    state = game.hear(state, Roll(tuple(dice)))
    outcomes = game.outcomes(state)
    ends = [shown(game, outcome.state) for outcome in outcomes]
    assert len(set(ends)) == len(ends)
    assert set(ends) == {end for _, end in expected}
    for outcome, end in zip(outcomes, ends, strict=True):
        assert (tuple((step.origin, step.target) for step in outcome.steps), end) in expected
    if len(expected) <= WALKED:
        assert all_ways(game, state) == expected


@settings(max_examples=25)
@given(seeds)
def test_objections_are_empty_exactly_for_legal_steps(seed):
    rng = Random(seed)
    data, dice = state_and_roll(rng)
    game, state = state_from_json(data)
    state = game.hear(state, Roll(tuple(dice)))
    while True:
        legal = {(step.seat, step.origin, step.target): step for step in game.legal_steps(state)}
        position = game.position(state)
        for origin in (*position, "t33", "nowhere"):
            for seat in {state.due, *position.at(origin)}:
                for target in (*game.spaces(), "nowhere", ""):
                    found = game.objections(state, Step(seat, origin, target))
                    assert bool(found) == ((seat, origin, target) not in legal)
                    assert all(game.rule(objection.rule) for objection in found)
        stopped = bool(state.roll) and not game.may_stop(state)
        assert bool(game.unfinished(state)) == stopped
        if not legal:
            break
        state = game.take(state, rng.choice(list(legal.values())))
