"""How fast Gloria and print-and-cut Parcheesi are. Run with --benchmark-only; as a program it shows worst cases."""

import gc
from itertools import count, cycle
from random import Random
from time import process_time

import pytest

from companion.games.catalogue import game_for
from companion.model import DueKind, Roll

KINDS = {
    "gloria": ("gloria", {}),
    "gloria, three dice to open": ("gloria", {"home": "center", "opening_dice": 3, "six_again": True}),
    "parcheesi-print": ("parcheesi-print", {}),
}
each_kind = pytest.mark.parametrize("kind", KINDS)


def play(kind, seed, rolls=None):
    """A random game of four to its end; how many decisions it took. rolls: takes (game, state, roll) of each roll."""
    rng, game = Random(seed), game_for(KINDS[kind][0], (0, 1, 2, 3), KINDS[kind][1])
    state, decisions = game.opening(0), 0
    while (due := game.due(state)).kind is not DueKind.OVER:
        decisions += 1
        if due.kind is DueKind.QUESTION:
            state = game.answer(state, True)
        elif due.kind is DueKind.ROLL:
            roll = Roll(tuple(rng.randint(1, 6) for _ in range(rng.choice(due.dice))))
            if rolls is not None:
                rolls.append((game, state, roll))
            state = game.hear(state, roll)
        else:
            legal = game.legal_steps(state)
            state = game.take(state, rng.choice(legal)) if legal else game.stop(state)
    return decisions


def rolls_of(kind, seeds):
    """The rolls of some random games, shuffled, so that none follows from what was just asked."""
    rolls = []
    for seed in seeds:
        play(kind, seed, rolls)
    Random(1).shuffle(rolls)
    return rolls


def outcomes(game, state, roll):
    return game.outcomes(game.hear(state, roll))


@each_kind
def test_a_random_game(benchmark, kind):
    seeds = count()
    assert benchmark(lambda: play(kind, next(seeds)))


@each_kind
def test_the_outcomes_of_a_roll(benchmark, kind):
    rolls = cycle(rolls_of(kind, range(30)))
    assert benchmark(lambda: outcomes(*next(rolls)))


def report(kind):
    """Prints µs a decision of random play, and µs a roll for all its outcomes, mean and worst."""
    began = process_time()
    decisions = sum(play(kind, seed) for seed in range(60))
    each = (process_time() - began) / decisions
    times, rolls = [], rolls_of(kind, range(1000, 1060))
    gc.freeze()
    for asked in rolls:
        began = process_time()
        outcomes(*asked)
        times.append(process_time() - began)
    mean = sum(times) / len(times)
    print(f"{kind}: {1e6 * each:.1f} µs a decision; {1e6 * mean:.0f} µs a roll, worst {1e3 * max(times):.2f} ms")


if __name__ == "__main__":
    for kind in KINDS:
        report(kind)
