"""Every objection of Gloria and of print-and-cut Parcheesi has a kind sentence, whatever was moved."""

import re
from random import Random

import pytest
import rare_gloria_states
import rare_print_states
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.catalogue import state_from_json
from companion.model import DueKind, Objection, Roll, Step
from companion.referee.phrases import Names
from companion.referee.words_gloria import SENTENCES as GLORIA
from companion.referee.words_parcheesi_print import SENTENCES as PRINT

RARE = {"gloria": (rare_gloria_states, GLORIA), "parcheesi-print": (rare_print_states, PRINT)}
COLORS = dict(enumerate(("red", "blue", "yellow", "green")))
SENTENCE = re.compile(r"[A-Z][^{}_\[\]]*[.]( [A-Z][^{}_\[\]]*[.])?")


def said(name, game, objection):
    names = Names(COLORS, game.nouns, name)
    return RARE[name][1][objection.rule]("Red", objection.facts, names)


def asked(name, seed):
    """A game and each of its states from the question on, with some steps played."""
    rng = Random(seed)
    data, dice = RARE[name][0].state_and_roll(rng)
    game, state = state_from_json(data)
    yield game, state
    if game.due(state).kind is DueKind.QUESTION:
        state = game.answer(state, True)
        yield game, state
    state = game.hear(state, Roll(tuple(dice)))
    while game.due(state).kind is DueKind.PLAY:
        yield game, state
        legal = game.legal_steps(state)
        if not legal:
            break
        state = game.take(state, rng.choice(legal))


@pytest.mark.parametrize("name", RARE)
@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_whatever_is_moved_there_is_a_sentence(name, seed):
    for game, state in asked(name, seed):
        found = list(game.unfinished(state))
        for origin in game.position(state):
            for target in (*game.spaces(), "center", "nowhere"):
                found += game.objections(state, Step(game.due(state).seat, origin, target))
        for objection in found:
            if not objection.rule.startswith("COM"):
                text = said(name, game, objection)
                assert SENTENCE.fullmatch(text), text
                assert "None" not in text and len(text) < 140, text


@pytest.mark.parametrize("name, rule, base", [
    ("gloria", "GLO-5", "base"), ("parcheesi-print", "PRN-7", "nest"), ("parcheesi-print", "PRN-8", "nest"),
])
def test_a_captured_piece_goes_home(name, rule, base):
    game = next(asked(name, 1))[0]
    text = said(name, game, Objection(rule, {"astray": True, "seat": 1, "space": "t3"}))
    assert text.endswith(f"is captured: it goes back to blue's {base}.")


@pytest.mark.parametrize("name, data, dice, way, sentence", [
    ("gloria", {"0": [-1, -1, 3, 7], "1": [-1] * 4}, [4], "t3 > t7",
     "One of Red's own pawns stands there already: there is room for one only."),
    ("gloria", {"0": [-1, -1, 3, 7], "1": [-1] * 4}, [4], "base0 > t0",
     "Red rolled 4: a pawn leaves the base only with a 6."),
    ("gloria", {"0": [-1, -1, 3, 38], "1": [-1] * 4}, [4], "t38 > lane0.4",
     "A home space takes the exact roll. Red's pawn was 6 spaces away from there, and the die shows 4."),
    ("parcheesi-print", {"0": [-1, -1, 3, 7], "1": [-1] * 4}, [4, 1], "t3 > t7",
     "Red rolled a total of five, and a piece can leave the nest: so it must, and that is the whole turn."),
    ("parcheesi-print", {"0": [-1, -1, 3, 7], "1": [-1] * 4}, [2, 2], "t3 > t4",
     "Red's piece moved 1 space, but the double gives 2, 2, 5 and 5."),
    ("parcheesi-print", {"0": [-1, -1, 3, 7], "1": [-1, -1, 61, 61]}, [6, 2], "t7 > t13",
     "Blue's two pieces are a blockade: nobody else may pass."),
])
def test_what_is_said(name, data, dice, way, sentence):
    game, state = state_from_json({"game": name, "options": {}, "seats": [0, 1], "due": 0, "pieces": data})
    state = game.answer(state, True) if name == "gloria" else state
    state = game.hear(state, Roll(tuple(dice)))
    assert said(name, game, game.objections(state, Step(0, *way.split(" > ")))[0]) == sentence
