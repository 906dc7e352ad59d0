"""A stack that was put low, though another top is seen farther up, is not surely of the colour of its side."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache, partial

import numpy as np
import pytest
from lone_stack import SHAPE, SHEET, seen_from, standing
from test_stacks import painted

from companion.model import Position, SpaceSeen
from companion.vision import learn, look, sight
from companion.vision.board.places import Places
from companion.vision.board.standing import Match
from companion.vision.learning import believe
from companion.vision.reading.overtopped import overtopped
from companion.vision.sight import read

SQUARE = "d4"
INDEX = list(SHEET.spaces).index(SQUARE)


@lru_cache
def where() -> Places:
    return seen_from(40.0)


def put(storeys: int, *tops: tuple[int, int]) -> Match:
    """A stack of color 0 on d4 that was put so high, in a picture with the tops of others there: how high each is, and
    of which color."""
    evidence = np.full((SHAPE[0] * SHAPE[1], 2), -2.0, np.float32)
    for high, color in tops:
        bare, place = standing(where(), SQUARE, high)
        evidence[bare.shown(place), color] = 4.0
    found = Match(where(), evidence, 1.0, np.ones(len(where().feet), bool), np.zeros(len(evidence), np.float32))
    found.put((standing(where(), SQUARE, storeys)[1], 0))
    return found


@pytest.mark.parametrize("high", [4, 6])
def test_another_colour_that_is_seen_farther_up_may_be_the_top(high: int) -> None:
    """A white piece was put on black ones, which a low black stack explained: it was said to be missing."""
    assert overtopped(put(1, (1, 0), (high, 1))) == {INDEX: 1}


def test_the_colour_of_the_stack_itself_may_be_its_side() -> None:
    assert overtopped(put(1, (1, 0), (6, 0))) == {}


def test_what_is_seen_at_the_foot_of_a_stack_is_its_side() -> None:
    assert overtopped(put(6, (6, 0), (1, 1))) == {}


def test_a_stack_as_it_was_put_leaves_nothing_over() -> None:
    assert overtopped(put(3, (3, 0))) == {}
    assert overtopped(put(6, (6, 0), (6, 1))) == {}


def test_no_picture_of_a_stack_tells_that_it_is_still_there_where_another_top_is_seen() -> None:
    """Of a stack that was put too low it is its side, which stays as it was when a disc is put on top."""
    scene, before = painted("game-of-god", {SQUARE: [0], "f6": [1]}, 40.0)
    _, memory = look(before, scene)
    learned = learn(memory, scene, Position.of({SQUARE: (0,), "f6": (1,)})).learned
    assert memory.view is not None and learned is not None
    spaces, seen = read(painted("game-of-god", {SQUARE: [0, 1], "f6": [1]}, 40.0)[1], scene, memory.view)
    assert seen.again is not None
    spaces[SQUARE] = SpaceSeen((0,), 0.73, False, {(0,): 0.0, (1,): -1.0, (): -10.0})
    told = partial(believe, spaces, learned, seen.again, scene.sheet, seen.again.standing)
    assert told()[SQUARE] != spaces[SQUARE], "it bears witness"
    assert told(misplaced={SQUARE})[SQUARE] == spaces[SQUARE]


def test_it_is_so_as_long_as_the_stack_stands_there_read_again_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the next look, for something else, its pictures told again that the old top was there."""
    told = []

    def higher(found: Match, left_out: Collection[int] = ()) -> dict[int, int]:
        return {} if INDEX in left_out else {INDEX: 1}

    def believed(spaces: dict[str, SpaceSeen], *given: object) -> dict[str, SpaceSeen]:
        told.append(given[-1])
        return spaces

    frames = [painted("game-of-god", {SQUARE: [0, 1], "f6": [1], **more}, 40.0) for more in ({}, {"b2": [0]})]
    scene = frames[0][0]
    _, memory = look(frames[0][1], scene)
    learned = learn(memory, scene, Position.of({SQUARE: (0,), "f6": (1,)})).learned
    assert memory.view is not None
    monkeypatch.setattr(sight, "overtopped", higher)
    monkeypatch.setattr(sight, "believe", believed)
    first, seen = read(frames[0][1], scene, memory.view, learned)
    again, _ = read(frames[1][1], scene, memory.view, learned, seen)
    assert again["b2"].content == (0,) and again[SQUARE] is first[SQUARE], "it was not read again"
    assert told == [{SQUARE}, {SQUARE}]
