"""Rules by machine against a slow second derivation, on random positions with a taste for the rare."""

import json
from collections import Counter
from random import Random

import pytest
import rare_game_of_god
import slow_game_of_god
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.catalogue import state_from_json
from companion.games.plays import answer
from companion.model import DueKind, Step

seeds = st.integers(0, 2**32)


def ask(**request):
    return json.loads(answer(json.dumps(request)))


def key(outcome):
    return json.dumps(outcome, sort_keys=True)


def compare(data, rng) -> Counter:
    """Compare every move, and a challenge of each throw after one of them; count what was seen."""
    seen, reply, expected = Counter(positions=1), ask(state=data), slow_game_of_god.moves(data)
    if not expected:
        assert reply == {"outcomes": [], "winner": slow_game_of_god.Table(data).leaders()}
        return seen + Counter(stalemates=1)
    full = [
        {"state": data | {"squares": e["squares"], "due": e["due"]}, "moved": e["moved"],
         "challenges": e["challenges"], "winner": e["winner"]}
        for e in expected
    ]
    assert list(reply) == ["outcomes"]
    assert sorted(map(key, reply["outcomes"])) == sorted(map(key, full))
    seen.update(moves=len(full), wins=sum(e["winner"] is not None for e in expected))
    for outcome in rng.sample(full, min(3, len(full))) + [e for e in full if e["challenges"]][:2]:
        seen += compare_challenge(outcome, data["due"], rng)
    return seen


def compare_challenge(outcome, challenger, rng) -> Counter:
    after, moved = outcome["state"], outcome["moved"][1]
    throws = [rng.randint(1, 6), rng.randint(1, 6)]
    request = {"state": after, "challenger": challenger, "moved": moved, "throws": throws}
    for target in rng.sample(slow_game_of_god.Table(after).all, 4):
        if target not in outcome["challenges"]:
            assert list(ask(**request, target=target)) == ["error"]
    for target in outcome["challenges"]:
        reply = ask(**request, target=target)
        expected = slow_game_of_god.challenged(after, challenger, moved, target, throws)
        full = [{"state": after | {"squares": squares, "due": due}, "winner": None} for squares, due in expected]
        assert sorted(map(key, reply["outcomes"])) == sorted(map(key, full))
    return Counter(challenges=len(outcome["challenges"]))


@pytest.mark.long
@settings(max_examples=150)
@given(seeds)
def test_moves_and_challenges_agree(seed):
    rng = Random(seed)
    compare(rare_game_of_god.state(rng), rng)


@settings(max_examples=25)
@given(seeds)
def test_objections_are_empty_exactly_for_legal_steps(seed):
    rng = Random(seed)
    game, state = state_from_json(rare_game_of_god.state(rng))
    for _ in range(8):
        legal = {(step.seat, step.origin, step.target) for step in game.legal_steps(state)}
        origins = [*rng.sample(list(game.everything(state)), 1), rng.choice(game.spaces()), "nowhere"]
        for origin in {origin for _, origin, _ in rng.sample(sorted(legal), min(2, len(legal)))} | set(origins):
            for seat in (*game.seats, 5):
                for target in (*game.spaces(), "nowhere", ""):
                    found = game.objections(state, Step(seat, origin, target))
                    assert bool(found) == ((seat, origin, target) not in legal)
                    assert all(game.rule(objection.rule) for objection in found)
        playing = game.due(state).kind is DueKind.PLAY
        assert bool(game.unfinished(state)) == (playing and not game.may_stop(state))
        state = onward(game, state, rng)


def onward(game, state, rng):
    """One word further, at random."""
    due = game.due(state)
    if due.kind is DueKind.MOVE:
        return game.begin(state)
    if due.kind is DueKind.CHALLENGE:
        return game.challenge(state, rng.choice(game.targets(state))) if rng.random() < 0.8 else game.stop(state)
    if due.kind is DueKind.THROW:
        return game.throw(state, due.seat, rng.randint(1, 6))
    if due.kind is DueKind.OVER:
        return state
    if game.may_stop(state) and rng.random() < 0.5:
        return game.stop(state)
    legal = game.legal_steps(state)
    near = [step for step in legal if game.targets(game.take(state, step))]
    return game.take(state, rng.choice(near or legal))
