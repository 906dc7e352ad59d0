"""Whatever is moved wherever in any game: each rule that it breaks is said in a sentence of its own."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.catalogue import game_for
from companion.model import DueKind, Step
from companion.referee.wording import Names, objection_sentence

GAMES = [
    ("parcheesi", (0, 1, 2, 3), {}),
    ("parcheesi-print", (0, 1, 2, 3), {}),
    ("gloria", (0, 1, 2, 3), {"opening_dice": 2, "six_again": True}),
    ("gloria", (0, 2), {"home": "center"}),
    ("aggravation", (0, 1, 2, 3), {"play": "partners"}),
    ("aggravation", (0, 1, 2, 3, 4, 5), {"play": "teams"}),
    ("game-of-god", (0, 2), {}),
    ("game-of-god", (0, 1, 2, 3), {}),
]
COLORS = ("red", "blue", "yellow", "green", "orange", "purple")


def next_state(game, state, rng: Random):
    """One thing done, whatever is due."""
    match game.due(state).kind:
        case DueKind.QUESTION:
            return game.answer(state, rng.random() < 0.9)
        case DueKind.DECLARATION:
            return game.declare(state, rng.choice(game.partners(state)))
        case DueKind.ROLL:
            return game.hear(state, rng.choice(game.rolls(state)))
        case DueKind.MOVE:
            return game.begin(state)
        case DueKind.CHALLENGE:
            return game.challenge(state, rng.choice(game.targets(state))) if rng.random() < 0.5 else game.stop(state)
        case DueKind.THROW:
            return game.throw(state, game.due(state).seat, rng.randint(1, 6))
        case _:
            steps = game.legal_steps(state)
            return game.take(state, rng.choice(steps)) if steps else game.stop(state)


@pytest.mark.parametrize(("name", "seats", "options"), GAMES, ids=lambda value: str(value))
def test_every_objection_has_a_sentence(name: str, seats: tuple[int, ...], options: dict) -> None:
    rng, game = Random(7), game_for(name, seats, options)
    names = Names(dict(enumerate(COLORS)), game.nouns, game.name)
    state, said = game.opening(seats[0]), set()
    for _ in range(250):
        if game.due(state).kind is DueKind.OVER:
            break
        position = game.position(state)
        for _ in range(20):
            origin = rng.choice(list(position))
            step = Step(rng.choice(position.at(origin)), origin, rng.choice(game.spaces()))
            broken = (*game.objections(state, step), *game.carried(state, step), *game.unfinished(state))
            for objection in broken:
                text = objection_sentence(objection, step.seat, names)
                said.add(objection.rule)
                assert "forbids" not in text and "None" not in text and text.endswith("."), (objection, text)
                assert len(text) < 200 and (text[0].isupper() or text.split()[0] in game.spaces()), text
        state = next_state(game, state, rng)
    assert len(said) > 4
