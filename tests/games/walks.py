"""The walks on which an engine is held against a slow second derivation, for the games whose state has a `roll`."""

import pytest

from companion.model import IllegalStep, Step

WALKED = 500
"""Plays of a roll up to which every single way to play it is compared too."""


def all_ways(game, state, shown):
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


def outcomes_agree(game, state, expected, shown, most=WALKED):
    """Each outcome once, by steps that lead to it; and where there are not more than `most`, every single way."""
    outcomes = game.outcomes(state)
    ends = [shown(game, outcome.state) for outcome in outcomes]
    assert len(set(ends)) == len(ends)
    assert set(ends) == {end for _, end in expected}
    for outcome, end in zip(outcomes, ends, strict=True):
        assert (tuple((step.origin, step.target) for step in outcome.steps), end) in expected
    for outcome in outcomes[:5]:
        single_steps(game, state, outcome.steps)
    if len(expected) <= most:
        assert all_ways(game, state, shown) == expected


def single_steps(game, state, steps):
    """A whole play says of its steps what they say one by one: by what they go, and whom they capture."""
    for step in steps:
        assert step in game.legal_steps(state)
        state = game.take(state, step)


def objects_exactly_to_the_illegal(game, state, rng, beside=("nowhere", "")):
    """Along one way through the play, for any piece to any space."""
    while True:
        legal = {(step.seat, step.origin, step.target): step for step in game.legal_steps(state)}
        position = game.position(state)
        for origin in (*position, "t33", "nowhere"):
            for seat in {state.due, *position.at(origin)}:
                for target in (*game.spaces(), *beside):
                    found = game.objections(state, Step(seat, origin, target))
                    assert bool(found) == ((seat, origin, target) not in legal)
                    assert all(game.rule(objection.rule) for objection in found)
        others_may_not(game, state, legal.values())
        stopped = bool(state.roll) and not game.may_stop(state)
        assert bool(game.unfinished(state)) == stopped
        if not legal:
            break
        state = game.take(state, rng.choice(list(legal.values())))


def others_may_not(game, state, legal, nobody=9):
    """COM-3: what one player may do, nobody else may, whoever else may be at the table."""
    for step in legal:
        for seat in {*game.seats, nobody} - {step.seat}:
            other = Step(seat, step.origin, step.target)
            assert game.objections(state, other)
            with pytest.raises(IllegalStep):
                game.take(state, other)


def steps_say_what_is_shown(game, state, rng):
    """Along one way through the play, the captured with the rest."""
    while state.roll and (legal := game.legal_steps(state)):
        step = rng.choice(legal)
        position = game.position(state).moved(step.seat, step.origin, step.target)
        for owner, base in step.captures:
            position = position.moved(owner, step.target, base)
        state = game.take(state, step)
        assert game.position(state) == position
