"""Rules by machine for Game of God: requests that fit, and an error line for each that does not."""

import json

import pytest
from test_game_of_god_play import GOOD

from companion.games.plays import answer

AFTER = GOOD | {"due": "S"}
CHALLENGE = {"state": AFTER, "challenger": "N", "moved": "c4", "target": "d4", "throws": [6, 2]}


def ask(**request):
    return json.loads(answer(json.dumps(request)))


def test_a_move_says_what_it_leads_to():
    """GOD-5, GOD-11: as the format gives it."""
    reply = ask(state=GOOD)
    outcome = next(o for o in reply["outcomes"] if o["moved"] == ["c4", "c5"])
    squares = {"a6": "NN", "c5": "N", "d4": "S", "c3": "SN", "f1": "SS"}
    assert outcome == {"state": GOOD | {"due": "S", "squares": squares}, "moved": ["c4", "c5"],
                       "challenges": [], "winner": None}
    assert list(reply) == ["outcomes"]
    assert ask(state=GOOD | {"expects": "challenge", "moved": "c4"}) == reply, "expects is ignored here"


@pytest.mark.parametrize("throws, ends", [
    ([6, 2], [({"d4": "SN"}, "S")]),
    ([3, 3], [({"c4": "N", "d4": "S"}, "S")]),
    ([2, 6], [({"c4": "NS"}, "S"), ({"c4": "N", "d4": "S"}, "S")]),
])
def test_a_challenge_ends_in_one_way_or_two(throws, ends):
    """GOD-12, GOD-13."""
    reply = ask(**CHALLENGE | {"throws": throws})
    rest = {"a6": "NN", "c3": "SN", "f1": "SS"}
    expected = [{"state": AFTER | {"squares": rest | squares, "due": due}, "winner": None} for squares, due in ends]
    assert sorted(map(str, map(canonical, reply["outcomes"]))) == sorted(map(str, map(canonical, expected)))


def canonical(outcome):
    return json.dumps(outcome, sort_keys=True)


def test_a_win_is_named_and_a_stalemate_answered():
    """GOD-14, GOD-15."""
    squares = {"c4": "N", "b1": "NNN", "d4": "SS", "f1": "SS"}
    wins = [o for o in ask(state=GOOD | {"squares": squares})["outcomes"] if o["winner"]]
    assert [(o["moved"], o["winner"]) for o in wins] == [(["c4", "c1"], ["N"])]
    stuck = GOOD | {"squares": {"c4": "NS", "b1": "NNN", "d6": "SS", "f1": "S"}}
    assert ask(state=stuck) == {"outcomes": [], "winner": ["N"]}
    even = GOOD | {"squares": {"c4": "NS", "b1": "NNN", "d6": "SSS"}}
    assert ask(state=even) == {"outcomes": [], "winner": ["N", "S"]}


WON = GOOD | {"squares": {"b1": "NNNN", "d4": "SS", "f1": "SS"}}


@pytest.mark.parametrize("request_", [
    {"state": WON},
    {"state": GOOD, "roll": [3]},
    {"state": None},
    {"state": {}},
    {"state": GOOD | {"seats": ["S"]}},
    *({key: value for key, value in CHALLENGE.items() if key != left} for left in ("moved", "target", "throws")),
    *(CHALLENGE | change for change in [
        {"state": GOOD}, {"state": WON}, {"challenger": "S"}, {"challenger": "E"}, {"challenger": 0},
        {"moved": "d4"}, {"moved": "c3"}, {"moved": "a6"}, {"moved": "b2"}, {"moved": "z1"}, {"moved": ["c4"]},
        {"target": "c3"}, {"target": "f1"}, {"target": "c5"}, {"target": "c4"}, {"target": None}, {"target": ""},
        {"throws": [6]}, {"throws": [0, 3]}, {"throws": [3, 7]}, {"throws": [1, 2, 3]}, {"throws": "12"},
        {"throws": [True, 2]}, {"throws": None}, {"throws": [1.0, 2]},
    ]),
])
def test_a_request_that_cannot_be_is_answered_by_an_error(request_):
    reply = ask(**request_)
    assert list(reply) == ["error"] and reply["error"]


@pytest.mark.parametrize("change, names", [
    ({"throws": [3, 7]}, "throws [3, 7]: expected two numbers of 1 to 6, the challenger's first"),
    ({"throws": [True, 2]}, "throws [True, 2]: expected two numbers of 1 to 6, the challenger's first"),
    ({"moved": "d4"}, "moved d4: no piece of N is on top there"),
    ({"moved": "b2"}, "moved b2: no piece of N is on top there"),
    ({"challenger": "S", "moved": "d4"}, "due S: after a move of S it is N"),
])
def test_what_is_wrong_with_a_challenge_is_named(change, names):
    """GOD-11 to GOD-13 by machine."""
    assert ask(**CHALLENGE | change) == {"error": names}


@pytest.mark.parametrize("key", GOOD)
@pytest.mark.parametrize("odd", [None, [], [[]], float("nan"), -5, "x", {"a": 1}, [None, 0], 0.5, True])
def test_odd_values_are_answered_by_an_error(key, odd):
    assert list(ask(state=GOOD | {key: odd})) == ["error"]
