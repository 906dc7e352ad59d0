"""What was never put on the board is not surely there."""

from __future__ import annotations

from lone_stack import SHEET, seen_from, standing

from companion.model import SpaceSeen
from companion.vision.reading.doubts import _never_put


def test_a_disc_that_the_search_did_not_put_there_is_a_doubt() -> None:
    """By candlelight, in the black shadow of a stack: a black disc with 0.995, where there was no room for one."""
    found, _ = standing(seen_from(15.0), "d4", 1)
    spaces = {name: SpaceSeen((2,) if name in ("d4", "g3") else (), 0.99) for name in SHEET.spaces}
    assert _never_put(found, spaces) == {"g3"}


def test_empty_spaces_and_those_of_pieces_that_were_put_are_as_they_are() -> None:
    found, place = standing(seen_from(15.0), "d4", 1)
    spaces = {name: SpaceSeen((0,) if name == "d4" else (), 0.99) for name in SHEET.spaces}
    assert _never_put(found, spaces) == set()
    found.take((place, 0))
    assert _never_put(found, spaces) == {"d4"}
