"""What the referee says about Game of God: every rule has a test, every objection a sentence of its own."""

from pathlib import Path
from random import Random

import pytest
import rare_game_of_god
from hypothesis import given, settings
from hypothesis import strategies as st
from test_game_of_god_against_slow import onward
from test_game_of_god_play import small

from companion.games.catalogue import rules_of, state_from_json
from companion.games.game_of_god import GameOfGod
from companion.model import Step
from companion.referee.phrases import Names
from companion.referee.wording import objection_sentence

N, E, S, W = range(4)
NAMES = Names(dict(enumerate(("white", "green", "black", "red"))), GameOfGod.nouns, GameOfGod.name)
HERE = Path(__file__).parent


def said(game, state, step):
    return [(o.rule, objection_sentence(o, step.seat, NAMES)) for o in game.objections(state, step)]


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_every_objection_has_a_sentence(seed):
    rng = Random(seed)
    game, state = state_from_json(rare_game_of_god.state(rng))
    for _ in range(6):
        for origin in rng.sample(list(game.position(state)), 1):
            for seat in {game.due(state).seat, *game.everything(state)[origin]}:
                for target in (*game.spaces(), ""):
                    for rule, text in said(game, state, Step(seat, origin, target)):
                        assert rule in game.sentences and "that rule" not in text, (rule, text)
                        assert text.endswith(".") and text[0].isalnum() and len(text) < 130
        for objection in game.unfinished(state):
            assert objection_sentence(objection, game.due(state).seat, NAMES)
        state = onward(game, state, rng)


PLACES = {"c4": (N, N), "b4": (S, N), "c2": (S,), "a6": (N, N), "f1": (S,), "d6": (S,), "e1": (N,), "f3": (S, S)}


@pytest.mark.parametrize("seat, origin, target, rule, text", [
    (N, "c4", "d5", "GOD-5", "A piece moves in one straight line, never diagonally and never around a corner."),
    (N, "c4", "c2", "GOD-5",
     "Black's piece stands on c2. What stops beside it may challenge it: only dice can trap it."),
    (N, "c4", "f4", "", ""),
    (N, "c4", "a4", "GOD-5",
     "White's own piece on b4 is in the way, on a closed stack: nothing stops on it or goes past it."),
    (S, "f1", "f4", "GOD-5", "Black's own piece on f3 is in the way. A piece may stop on it, but not go past it."),
    (N, "c4", "c1", "GOD-5", "Black's piece on c2 is in the way: nothing passes over it."),
    (N, "c4", "b4", "GOD-9", "The stack on b4 holds two players' pieces, so it is closed: nothing more goes on it."),
    (N, "c4", "c6", "GOD-6", "c6 is in White's own goal area: a piece never comes back into it."),
    (N, "a6", "b6", "GOD-6", "Out of its own goal area White's piece moves only straight forward, away from the edge."),
    (N, "e1", "e2", "GOD-7", "White's piece on e1 has reached Black's goal area: it stays there for good."),
    (N, "b4", "b4", "GOD-5", "White's piece must go to another square, in one straight line."),
    (S, "c2", "c3", "COM-2", "Black moved, but it is White's turn."),
    (N, "c2", "c3", "COM-3", "No white piece stood on c2."),
    (N, "d1", "d2", "COM-3", "No white piece stood on d1."),
])
def test_objections_in_words(seat, origin, target, rule, text):
    """GOD-5, GOD-6, GOD-7, GOD-9, COM-2 as a player hears them."""
    game, state = small(PLACES, seat if rule != "COM-2" else N, pairs=3)
    found = said(game, state, Step(seat, origin, target))
    assert (found[0] if found else ("", "")) == (rule, text)


def test_what_stands_where_nobody_may_land_is_one_piece_or_several():
    """GOD-5: a lone piece in its goal area is no stack, and cannot be challenged either."""
    game, state = small({"c3": (N, N), "a6": (N, N), "c1": (S,), "f3": (S, S), "e1": (S,)}, pairs=2)
    for square, pieces in (("c1", "piece stands"), ("f3", "pieces stand")):
        text = f"Black's {pieces} on {square}: nobody else may land there."
        assert said(game, state, Step(N, "c3", square)) == [("GOD-5", text)]


def test_after_a_move_only_a_step_onto_who_may_be_challenged_is_told_of_the_dice():
    """GOD-5, GOD-12: neither a stack, nor a piece of one's own, nor another piece of the mover's."""
    game, state = small({"c4": (N,), "b3": (N,), "a6": (N, N), "d3": (S,), "c2": (S, S), "f1": (S,)}, pairs=2)
    state = game.take(state, Step(N, "c4", "c3"))
    for way, rules in (("c3 d3", ["GOD-12", "GOD-5"]), ("c3 c2", ["GOD-5"]), ("c3 b3", ["GOD-5"]), ("c3 e3", ["GOD-5"]),
                       ("b3 d3", ["GOD-5"]), ("a6 a5", ["GOD-5"])):
        assert [rule for rule, _ in said(game, state, Step(N, *way.split()))] == rules, way


def test_a_trapped_piece_and_a_challenge_in_words():
    """GOD-9, GOD-12, GOD-13."""
    game, state = small(PLACES, S, pairs=3)
    assert said(game, state, Step(S, "b4", "b5"))[0][1].startswith("Black's piece on b4 is trapped: it has to wait")
    state = game.take(state, Step(S, "c2", "d2"))
    game, state = small({"c4": (N,), "d3": (S,), "a6": (N,), "f1": (S,)})
    pending = game.challenge(game.take(state, Step(N, "c4", "c3")), "d3")
    assert said(game, pending, Step(N, "c3", "d3"))[0][1].startswith("First the dice: both players throw")
    won, lost = (game.throw(game.throw(pending, N, 4), S, value) for value in (2, 5))
    assert said(game, won, Step(N, "a6", "a5")) == [
        ("GOD-12", "White won the challenge, 4 to 2: the piece on c3 must now go on top of the one on d3.")]
    assert said(game, lost, Step(S, "f1", "f2"))[0] == (
        "GOD-13", "Black won the challenge, 5 to 4: now put the piece from d3 on c3, or leave it. "
        "The next move comes after that.")


@pytest.mark.parametrize("rule", sorted(rules_of("game-of-god")))
def test_every_rule_has_a_test_that_names_it(rule):
    told = [path.read_text() for path in (*HERE.glob("test_game_of_god*.py"), *HERE.glob("game_of_god/*.game"))]
    assert any(f"{rule}{after}" in text for text in told for after in " ,.:)\"\n")


def test_the_rules_are_all_there():
    assert set(rules_of("game-of-god")) == {f"COM-{n}" for n in range(1, 8)} | {f"GOD-{n}" for n in range(1, 17)}
    assert all(len(sentence) < 110 and sentence.endswith(".") for sentence in rules_of("game-of-god").values())
