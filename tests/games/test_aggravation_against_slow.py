"""The Aggravation engine against a slow second derivation, on random positions with a taste for the rare."""

from random import Random

import slow_aggravation
from hypothesis import given, settings
from hypothesis import strategies as st
from rare_aggravation import rare_state
from walks import others_may_not

from companion.games.aggravation import Aggravation
from companion.games.catalogue import state_from_json
from companion.model import DueKind, Roll, Step
from companion.referee.phrases import Names
from companion.referee.words_aggravation import SENTENCES

seeds = st.integers(0, 2**32)
COLORS = ("red", "orange", "yellow", "green", "blue", "purple")
NAMES = Names(dict(enumerate(COLORS)), Aggravation.nouns, Aggravation.name)


def shown(game, state):
    pieces = tuple((seat, state.pieces[seat]) for seat in sorted(game.seats))
    winners = game.winners(state)
    return (pieces, "won", winners) if winners else (pieces, state.due)


def agrees(data, roll):
    """Outcomes, single steps, stopping and captures of one roll are those of the second derivation."""
    expected = slow_aggravation.plays(data, roll)
    game, before = state_from_json(data)
    state = game.hear(before, Roll((roll,)))
    found = {
        (tuple((step.origin, step.target) for step in outcome.steps), shown(game, outcome.state))
        for outcome in game.outcomes(state)
    }
    assert found == expected
    assert len({end for _, end in found}) == len(game.outcomes(state)) == len(expected)
    walked = {(((s.origin, s.target),), shown(game, game.take(state, s))) for s in game.legal_steps(state)}
    stopped = {((), shown(game, game.stop(state)))} if game.may_stop(state) else set()
    assert walked | stopped == expected
    assert bool(game.unfinished(state)) == (not stopped)
    for step in game.legal_steps(state):
        position = game.position(state).moved(step.seat, step.origin, step.target)
        for owner, base in step.captures:
            position = position.moved(owner, step.target, base)
        assert game.position(game.take(state, step)) == position


@settings(max_examples=250)
@given(seeds)
def test_outcomes_and_single_steps_agree(seed):
    data = rare_state(Random(seed))
    for roll in range(1, 7):
        agrees(data, roll)


@settings(max_examples=25)
@given(seeds)
def test_objections_are_empty_exactly_for_legal_steps(seed):
    """Each has its sentence, for the players and of the referee."""
    rng = Random(seed)
    data = rare_state(rng)
    if rng.random() < 0.2:
        data.pop("player", None)
    game, state = state_from_json(data)
    if game.due(state).kind is DueKind.ROLL and rng.random() < 0.9:
        state = game.hear(state, rng.choice(game.rolls(state)))
    legal = {(step.seat, step.origin, step.target) for step in game.legal_steps(state)}
    others_may_not(game, state, game.legal_steps(state))
    position = game.position(state)
    for origin in (*position, "t33", "nowhere"):
        for seat in {state.due, game.mover(state), *position.at(origin)}:
            for target in (*game.spaces(), "nowhere", "", "t999", "home0"):
                found = game.objections(state, Step(seat, origin, target))
                assert bool(found) == ((seat, origin, target) not in legal)
                for objection in found:
                    assert game.rule(objection.rule)
                    if objection.rule[:3] == "AGG":
                        assert SENTENCES[objection.rule]("Red", objection.facts, NAMES).endswith(".")
