"""How fast the rules are. Run: pytest --benchmark-only tests/benchmarks/test_games_benchmark.py

Processor time. A decision is one choice of a random game, with all that it takes: what is due, the question, the roll,
the legal steps, a random one of them, and the step taken, or the pass.
"""

import gc
import json
from itertools import count, cycle
from random import Random
from time import process_time

import pytest

from companion.games.catalogue import game_for
from companion.games.plays import answer
from companion.model import DueKind, Roll

FOUR, SIX = (0, 1, 2, 3), (0, 1, 2, 3, 4, 5)
TABLES = {
    "gloria": ("gloria", FOUR, {}),
    "gloria, three dice to open": ("gloria", FOUR, {"home": "center", "opening_dice": 3, "six_again": True}),
    "parcheesi": ("parcheesi", FOUR, {}),
    "parcheesi-print": ("parcheesi-print", FOUR, {}),
    "aggravation": ("aggravation", FOUR, {}),
    "aggravation, six in teams": ("aggravation", SIX, {"play": "teams"}),
    "game-of-god": ("game-of-god", (0, 2), {}),
    "game-of-god, four players": ("game-of-god", FOUR, {}),
}
THROWS = {
    1: [Roll((face,)) for face in range(1, 7)],
    2: [Roll((a, b)) for a in range(1, 7) for b in range(1, 7)],
    3: [Roll((a, b, c)) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)],
}
POSITIONS = 150
at_each_table = pytest.mark.parametrize("table", TABLES)
pytestmark = pytest.mark.benchmark(timer=process_time, max_time=0.5, min_rounds=3)


def play(game, rng, seen=None):
    """A random game; how many decisions it took. seen: takes each state in which a roll or a move was due."""
    state, decisions = game.opening(game.seats[0]), 0
    while (due := game.due(state)).kind is not DueKind.OVER:
        if seen is not None and due.kind in (DueKind.ROLL, DueKind.MOVE):
            seen.append(state)
        if due.kind in (DueKind.PLAY, DueKind.MOVE):
            decisions += 1
            legal = game.legal_steps(state)
            state = game.take(state, rng.choice(legal)) if legal else game.stop(state)
        elif due.kind is DueKind.ROLL:
            state = game.hear(state, rng.choice(THROWS[rng.choice(due.dice)]))
        elif due.kind is DueKind.QUESTION:
            state = game.answer(state, True)
        elif due.kind is DueKind.DECLARATION:
            state = game.declare(state, rng.choice(game.partners(state)))
        elif due.kind is DueKind.THROW:
            state = game.throw(state, due.seat, rng.randint(1, 6))
        else:
            state = game.challenge(state, rng.choice(game.targets(state)))
    return decisions


def positions(game):
    """Some of the positions of random games."""
    rng, seen = Random(5), []
    while len(seen) < 20 * POSITIONS:
        play(game, rng, seen)
    return rng.sample(seen, POSITIONS)


def asked(game):
    """Every roll of some positions of random games, shuffled, so that nothing is remembered from one to the next."""
    found = []
    for state in positions(game):
        dice = game.due(state).dice
        found += [(state, roll) for many in dice for roll in THROWS[many]] if dice else [(state, None)]
    Random(1).shuffle(found)
    return found


def outcomes(game, state, roll):
    return game.outcomes(game.hear(state, roll) if roll else game.begin(state))


def worst(game, asks):
    """The longest that one of `asks` takes: the better of two runs, for the noise of the machine."""
    times = [[], []]
    for run in times:
        for ask in asks:
            began = process_time()
            outcomes(game, *ask)
            run.append(process_time() - began)
    return max(map(min, *times))


@at_each_table
def test_a_random_game(benchmark, table):
    game, seeds = game_for(*TABLES[table]), count()
    began = process_time()
    decisions = sum(play(game, Random(seed)) for seed in range(10))
    benchmark.extra_info["decisions a second"] = round(decisions / (process_time() - began))
    assert benchmark(lambda: play(game, Random(next(seeds))))


@at_each_table
def test_all_outcomes_of_a_roll(benchmark, table):
    """Of a move, where nothing is rolled."""
    game = game_for(*TABLES[table])
    asks = asked(game)
    gc.freeze()
    benchmark.extra_info["worst, ms"] = round(1e3 * worst(game, asks), 2)
    again = cycle(asks)
    assert benchmark.pedantic(
        lambda: outcomes(game, *next(again)), rounds=3, iterations=len(asks), warmup_rounds=0
    )
    gc.unfreeze()


@at_each_table
def test_a_request(benchmark, table):
    """Outcomes by machine, from a JSON line to a JSON line; of one random roll of each position."""
    game, rng, lines = game_for(*TABLES[table]), Random(3), []
    for state in positions(game):
        dice = game.due(state).dice
        roll = {"roll": rng.choice(THROWS[rng.choice(dice)]).dice} if dice else {}
        lines.append(json.dumps({"state": game.to_json(state), **roll}))
    assert not any("error" in json.loads(answer(line)) for line in lines)
    again = cycle(lines)
    assert benchmark.pedantic(lambda: answer(next(again)), rounds=5, iterations=len(lines), warmup_rounds=1)
