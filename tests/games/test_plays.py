"""Rules by machine: an answer line for every line, whatever it is."""

import io
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.games.plays import answer, serve

STATE = {"game": "parcheesi", "options": {}, "seats": [2, 0], "due": 0, "doublets": 0,
         "pieces": {"0": [-1, -1, 0, 12], "2": [5, 63, 70, 71]}}


def request(state, roll=(1, 2)):
    return json.dumps({"state": state, "roll": roll})


def ask(roll, **change):
    return json.loads(answer(request(STATE | change, roll)))


def test_an_answer_gives_each_outcome_once_with_one_way():
    reply = ask([5, 3])
    assert not reply["pass"]
    by_pieces = {tuple(o["state"]["pieces"]["0"]): o for o in reply["outcomes"]}
    assert len(by_pieces) == len(reply["outcomes"]) == 2
    assert by_pieces[-1, 0, 3, 12]["steps"] == [["t0", "t3"], ["base0", "t0"]]
    for found in reply["outcomes"]:
        assert found["state"] | {"pieces": STATE["pieces"]} == STATE | {"due": 2}
        assert found["winner"] is None


def test_a_pass_is_one_outcome_without_steps():
    reply = ask([6, 4], pieces={"0": [-1] * 4, "2": [-1] * 4})
    assert reply["pass"]
    assert [o["steps"] for o in reply["outcomes"]] == [[]]
    assert reply["outcomes"][0]["state"]["due"] == 2


def test_the_end_names_its_winner():
    reply = ask([1, 4], pieces={"0": [70, 71, 71, 71], "2": [5, 63, 70, 71]})
    assert [o["winner"] for o in reply["outcomes"]] == [[0]]
    assert reply["outcomes"][0]["steps"] == [["lane0.7", "home0"]]


def test_third_doublets_are_a_step_to_base():
    reply = ask([2, 2], doublets=2)
    assert [o["steps"] for o in reply["outcomes"]] == [[["t12", "base0"]]]
    assert reply["outcomes"][0]["state"]["due"] == 2 and not reply["pass"]


ODD = (None, [], [[]], float("nan"), 10**4000, -5, "x", {"a": 1}, [None, 0], 0.5)
ODD_ROLLS = (None, [], [1], [1, 2, 3], [0, 1], [1, 7], [1, True], [1, 2.0], "12", 12, {"0": 1}, [[1], 2])
OVER = STATE | {"pieces": {"0": [71] * 4, "2": [-1] * 4}}


@pytest.mark.parametrize("line", [
    "", "null", "7", "NaN", "[]", "{", '"state"', "{}", '{"state": null, "roll": [1, 2]}', "[" * 100000,
    "1" * 5000, '{"state": {}, "roll": []}', "\x00", "\ud800", request(OVER),
    *(request({k: v for k, v in STATE.items() if k != key}) for key in STATE),
    *(request(STATE | {key: odd}) for key in STATE for odd in ODD),
    *(request(STATE, roll) for roll in ODD_ROLLS),
])
def test_a_line_that_cannot_be_is_answered_by_an_error(line):
    reply = json.loads(answer(line))
    assert list(reply) == ["error"] and reply["error"]


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([*STATE, "", "N"])
junk = st.recursive(leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
    st.sampled_from([*STATE, "0", "2"]), inner, max_size=6), max_leaves=12)


@given(junk, junk)
@example(STATE, [1, 2])
def test_junk_never_raises(state, roll):
    assert json.loads(answer(json.dumps({"state": state, "roll": roll}))).keys() in ({"error"}, {"outcomes", "pass"})
    assert json.loads(answer(json.dumps(state))).keys() == {"error"}, "there is no roll"


def test_serve_answers_line_by_line_and_goes_on_after_errors():
    good = request(STATE)
    out = io.StringIO()
    lines = f"{good}\nnonsense\n\n{good}\n".encode() + b"\xff\xfe\n"
    serve(io.TextIOWrapper(io.BytesIO(lines), "utf-8"), out)
    kinds = [next(iter(json.loads(line))) for line in out.getvalue().splitlines()]
    assert kinds == ["outcomes", "error", "error", "outcomes", "error"]


def test_a_request_without_a_roll_is_told_so():
    assert json.loads(answer(json.dumps({"state": STATE}))) == {"error": "roll is missing in the request"}


def test_each_line_is_answered_at_once():
    """Who asks a process that lives long waits for each answer: none stays in a buffer."""
    flushed = []

    class Out(io.StringIO):
        def flush(self):
            flushed.append(self.getvalue().count("\n"))

    serve(io.StringIO(f"{request(STATE)}\n" * 2), Out())
    assert flushed == [1, 2]
