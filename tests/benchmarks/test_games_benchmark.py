"""How fast the rules are. Run: pytest --benchmark-only tests/benchmarks/test_games_benchmark.py"""

import json
from random import Random

from companion.games.parcheesi import Parcheesi
from companion.games.plays import answer


def play(seed: int) -> list[str]:
    """A random game; its rolls as requests."""
    rng, game, requests = Random(seed), Parcheesi((0, 1, 2, 3)), []
    state = game.opening(0)
    while not game.winners(state):
        roll = rng.choice(game.rolls(state))
        requests.append(json.dumps({"state": game.to_json(state), "roll": roll.dice}))
        state = game.hear(state, roll)
        while state.roll:
            legal = game.legal_steps(state)
            state = game.take(state, rng.choice(legal)) if legal else game.stop(state)
    return requests


def is_ordinary(request: str) -> bool:
    first, second = json.loads(request)["roll"]
    return first != second


def test_a_random_game(benchmark):
    seeds = iter(range(10_000))
    assert benchmark(lambda: play(next(seeds)))


def test_requests_of_ordinary_rolls(benchmark):
    requests = [request for seed in range(10) for request in play(seed) if is_ordinary(request)]
    rng = Random(1)
    assert benchmark(lambda: answer(rng.choice(requests)))


def test_requests_of_doublets(benchmark):
    requests = [request for seed in range(10) for request in play(seed) if not is_ordinary(request)]
    rng = Random(1)
    assert benchmark(lambda: answer(rng.choice(requests)))
