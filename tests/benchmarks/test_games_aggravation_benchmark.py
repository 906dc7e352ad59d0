"""How fast Aggravation is. Run: pytest --benchmark-only tests/benchmarks/test_games_aggravation_benchmark.py"""

import json
from itertools import cycle
from random import Random

import pytest

from companion.games.aggravation import Aggravation
from companion.games.plays import answer
from companion.model import DueKind

TABLES = {
    "single-4": ((0, 1, 2, 3), {}),
    "single-6": ((0, 1, 2, 3, 4, 5), {}),
    "partners-4": ((0, 1, 2, 3), {"play": "partners"}),
    "teams-6": ((0, 1, 2, 3, 4, 5), {"play": "teams"}),
}
by_table = pytest.mark.parametrize("table", TABLES)


def play(game, seed):
    """A random game, as the states in which a play was due."""
    rng, seen = Random(seed), []
    state = game.opening(game.seats[0])
    while (due := game.due(state)).kind is not DueKind.OVER:
        if due.kind is DueKind.DECLARATION:
            state = game.declare(state, rng.choice(game.partners(state)))
        state = game.hear(state, rng.choice(game.rolls(state)))
        seen.append(state)
        legal = game.legal_steps(state)
        state = game.take(state, rng.choice(legal)) if legal else game.stop(state)
    return seen


@by_table
def test_a_random_game(benchmark, table):
    game, seeds = Aggravation(*TABLES[table]), iter(range(10_000))
    assert benchmark(lambda: play(game, next(seeds)))


@by_table
def test_a_decision(benchmark, table):
    """The legal steps of a roll, and one of them taken; or a pass."""
    game = Aggravation(*TABLES[table])
    states = cycle([state for seed in range(10) for state in play(game, seed)])

    def decide():
        state = next(states)
        legal = game.legal_steps(state)
        return game.take(state, legal[-1]) if legal else game.stop(state)

    assert benchmark(decide)


@by_table
def test_the_outcomes_of_a_roll(benchmark, table):
    game = Aggravation(*TABLES[table])
    states = cycle([state for seed in range(10) for state in play(game, seed)])
    assert benchmark(lambda: game.outcomes(next(states)))


@by_table
def test_a_request(benchmark, table):
    """Outcomes by machine, from a JSON line to a JSON line."""
    game = Aggravation(*TABLES[table])
    played = [state for seed in range(10) for state in play(game, seed)]
    lines = cycle([json.dumps({"state": game.to_json(s._replace(roll=0)), "roll": [s.roll]}) for s in played])
    assert benchmark(lambda: answer(next(lines)))
