"""How fast Game of God is. Run: pytest --benchmark-only tests/benchmarks/test_games_god_benchmark.py"""

import json
from random import Random

import pytest

from companion.games.catalogue import game_for
from companion.games.plays import answer
from companion.model import DueKind, Step

TABLES = {"two players": (0, 2), "four players": (0, 1, 2, 3)}


def play(game, seed):
    """A random game: every state in which a move was due, and the number of decisions taken."""
    rng, state, states, decisions = Random(seed), game.opening(game.seats[0]), [], 0
    while (due := game.due(state)).kind is not DueKind.OVER:
        decisions += 1
        if due.kind is DueKind.MOVE:
            states.append(state)
            state = game.take(state, rng.choice(game.legal_steps(state)))
        elif due.kind is DueKind.THROW:
            state = game.throw(state, due.seat, rng.randint(1, 6))
        elif game.may_stop(state) and rng.random() < 0.5:
            state = game.stop(state)
        elif due.kind is DueKind.CHALLENGE:
            state = game.challenge(state, rng.choice(game.targets(state)))
        else:
            state = game.take(state, game.legal_steps(state)[0])
    return states, decisions


@pytest.mark.parametrize("seats", TABLES.values(), ids=TABLES)
def test_a_random_game(benchmark, seats):
    game, seeds = game_for("game-of-god", seats), iter(range(1_000_000))
    benchmark.extra_info["decisions a game"] = sum(play(game, seed)[1] for seed in range(50)) / 50
    assert benchmark(lambda: play(game, next(seeds)))


@pytest.mark.parametrize("seats", TABLES.values(), ids=TABLES)
def test_listing_all_moves(benchmark, seats):
    game, rng = game_for("game-of-god", seats), Random(1)
    states = [state for seed in range(5) for state in play(game, seed)[0]]
    assert benchmark(lambda: game.legal_steps(rng.choice(states)))


def test_one_move_on_the_board_explained(benchmark):
    game = game_for("game-of-god", (0, 2))
    state = game.opening(0)
    assert benchmark(lambda: game.disturbed(state, Step(0, "b8", "d4")))


def test_requests_for_all_moves(benchmark):
    game, rng = game_for("game-of-god", (0, 2)), Random(1)
    requests = [json.dumps({"state": game.to_json(state)}) for state in play(game, 3)[0]]
    assert benchmark(lambda: answer(rng.choice(requests)))
