"""Words, sightings and verdicts go through JSON and come back the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.journal import (
    codec,
    sighting_from_json,
    sighting_to_json,
    verdict_from_json,
    verdict_to_json,
    word_from_json,
    word_to_json,
)
from companion.journal.codec import group, ungroup
from companion.model import (
    AcceptedAsPlayed,
    AgreedToStop,
    Answered,
    BoardLost,
    BoardSeen,
    Challenged,
    Confirmed,
    Declared,
    DiceCorrected,
    DiceState,
    JournalError,
    Kind,
    Position,
    PositionSet,
    Roll,
    Rolled,
    Saw,
    SpaceSeen,
    Step,
    TakenBack,
    Thrown,
    Undone,
    Verdict,
    Word,
)


def through_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


SEEN = BoardSeen(
    12.5,
    {
        "t0": SpaceSeen((), 0.999, likelihoods={(): 0.0, (1,): -11.0}),
        "t1": SpaceSeen((), 0.8, likelihoods={(): 0.0, (1,): -2.346}),
        "t2": SpaceSeen((), 0.999, likelihoods={(): 0.0, (1,): -11.001}),
        "t3": SpaceSeen((), 0.999, likelihoods={(): 0.0, (1,): -9.5}),
        "lane0.1": SpaceSeen((0, 1), 0.9, likelihoods={(0, 1): 0.0, (0,): -3.0, (): -9.0}),
        "center": SpaceSeen((3,), 0.5, covered=True, likelihoods={(3,): 0.0}),
        "home0": SpaceSeen((0, 0, 0), 0.97, likelihoods={(0, 0, 0): 0.0}),
    },
    moving=True,
)

WORDS: list[Word] = [
    Rolled(1.25, Roll((5, 3)), by="Ann", roll_id=117),
    Thrown(2.0, 3, 6),
    Saw(3.0, BoardLost(3.0, "It is dark.")),
    Confirmed(4.0),
    TakenBack(5.0, by="phone"),
    AcceptedAsPlayed(6.0),
    DiceCorrected(7.0, Roll((1,))),
    PositionSet(8.0, {"game": "parcheesi", "pieces": {"0": [-1, 3]}}),
    Undone(9.0),
    Answered(10.0, False),
    Declared(11.0, 0, 4),
    Challenged(12.0, "d3"),
    AgreedToStop(13.0),
    DiceState(14.0, False, "The dice are unplugged."),
]


@pytest.mark.parametrize("word", WORDS, ids=lambda word: type(word).__name__)
def test_words_come_back(word: Word) -> None:
    assert word_from_json(through_json(word_to_json(word))) == word


def test_no_word_is_forgotten_here() -> None:
    assert {type(word) for word in WORDS} == set(codec.WORDS.values())


def test_words_are_short() -> None:
    assert word_to_json(WORDS[0]) == {
        "word": "rolled",
        "at": 1.25,
        "roll": [5, 3],
        "by": "Ann",
        "roll_id": 117,
    }
    assert word_to_json(Confirmed(4.0)) == {"word": "confirmed", "at": 4.0}


@pytest.mark.parametrize(
    "data", [{}, {"word": "nonsense"}, {"word": "rolled", "at": 1, "roll": [7]}, {"word": "confirmed", "x": 1}]
)
def test_words_that_cannot_be(data: dict[str, Any]) -> None:
    with pytest.raises(JournalError, match="the journal has a"):
        word_from_json(data)


def test_a_sighting_judges_as_before() -> None:
    data = through_json(sighting_to_json(SEEN))
    assert [names for _, names in data["alike"]] == [{"t": "0,2"}]
    assert data["covered"] == {"center": ""} and "moved" not in data
    assert data["spaces"] == {
        "t1": [[], 0.8, {"": 0.0, "1": -2.35}],
        "t3": [[], 0.999, {"": 0.0, "1": -9.5}],
        "lane0.1": [[0, 1], 0.9, {"0,1": 0.0, "0": -3.0, "": -9.0}],
        "home0": [[0, 0, 0], 0.97, {"0,0,0": 0.0}],
    }
    again = sighting_from_json(data)
    assert isinstance(again, BoardSeen)
    assert (again.at, again.moving, again.moved) == (12.5, True, False)
    assert again.spaces.keys() == SEEN.spaces.keys()
    for name, seen in SEEN.spaces.items():
        for content in [(), (0,), (1,), (0, 1), (0, 0, 0)]:
            difference = again.spaces[name].log_likelihood(content) - seen.log_likelihood(content)
            assert abs(difference) < 0.01
        assert again.spaces[name].covered == seen.covered
        assert seen.covered or again.spaces[name].content == seen.content


def test_a_sighting_of_nothing_but_a_space_is_short() -> None:
    seen = BoardSeen(1.0, {"t0": SpaceSeen((), 0.99994, likelihoods={(): 0.0})}, moved=True)
    assert sighting_to_json(seen) == {"at": 1.0, "moved": True, "spaces": {"t0": [[], 0.9999, {"": 0.0}]}}


def test_covered_spaces_come_back_as_no_evidence() -> None:
    again = sighting_from_json({"at": 1.0, "covered": {"t": "3,7-8"}, "spaces": {}})
    assert isinstance(again, BoardSeen) and (again.moving, again.moved) == (False, False)
    assert again.spaces == dict.fromkeys(("t3", "t7", "t8"), SpaceSeen((), 0.0, covered=True))


def test_a_sighting_of_an_old_journal_names_the_empty_spaces() -> None:
    again = sighting_from_json({"at": 1.0, "empty": {"t": "0-2"}, "spaces": {}})
    assert isinstance(again, BoardSeen) and set(again.spaces) == {"t0", "t1", "t2"}
    assert all(seen.content == () and seen.log_likelihood((0,)) == -12.0 for seen in again.spaces.values())
    assert all(seen.log_likelihood(()) == 0.0 and seen.confidence == 1.0 for seen in again.spaces.values())


def test_how_little_a_doubted_reading_is_believed_is_kept() -> None:
    doubted = SpaceSeen((0,), 0.6, False, {(0,): 0.0, (): -0.4}, -2.4)
    again = sighting_from_json(through_json(sighting_to_json(BoardSeen(1.0, {"base0": doubted}))))
    assert isinstance(again, BoardSeen) and again.spaces["base0"] == doubted


def test_names_in_a_row_are_told_by_the_first_and_the_last() -> None:
    assert group(["t9", "t0", "center", "t2", "t1", "t10", "x01"]) == {"t": "0-2,9-10", "center": "", "x0": "1"}
    assert group([]) == {} and ungroup({}) == []


@given(st.sets(st.builds(lambda s, n: f"{s}{n}", st.sampled_from(["t", "lane0.", "base", "a"]), st.integers(0, 30))))
def test_names_in_groups(names: set[str]) -> None:
    names |= {"center", "x01"}
    assert set(ungroup(group(names))) == names


VERDICTS = [
    Verdict(Kind.NOTE, 1.0, text="The dice are unplugged."),
    Verdict(
        Kind.ILLEGAL,
        15.2,
        seat=1,
        steps=(Step(1, "t4", "t9", "5", ((0, "base0.2"),)), Step(1, "t9", "t12")),
        rules=("PAR-10", "COM-2"),
        text="Red's two pawns are a blockade.",
        position=Position.of({"t9": (1,), "t12": (0, 0)}),
        seen=Position((("a1", (1, 0)),)),
        put_right=((1, "t9", "t4"), (0, "", "t9")),
        legal=((Step(1, "t4", "t7", "3"),), ()),
        winner=(0, 2),
        facts={"space": "t62", "count": 2},
    ),
]


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda verdict: verdict.kind)
def test_verdicts_come_back(verdict: Verdict) -> None:
    assert verdict_from_json(through_json(verdict_to_json(verdict))) == verdict


def test_verdicts_are_short() -> None:
    assert verdict_to_json(Verdict(Kind.LEGAL, 1.0, steps=(Step(0, "t1", "t4", "3"),))) == {
        "kind": "legal",
        "at": 1.0,
        "steps": [[0, "t1", "t4", "3"]],
    }


def test_a_verdict_that_cannot_be() -> None:
    with pytest.raises(JournalError, match="verdict that cannot be"):
        verdict_from_json({"kind": "nonsense", "at": 1})
