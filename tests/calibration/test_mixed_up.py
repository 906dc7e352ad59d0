"""Colours that were learned of pieces which stood in each other's bases are not kept."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from calibration.mixed_up import mixed_up
from calibration.sheet import board_for

MEASURED = {0: "#be2224", 1: "#152d66", 2: "#9f7c17", 3: "#1e6b33"}
"""Red, blue, yellow and green pawns, as a camera learned them."""
OURS = board_for("gloria", {}).sheet()
SHEET = replace(OURS, colors=MEASURED)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({0: "#1a449b", 1: "#811918", 2: "#a17e18", 3: "#1e6d33"}, "in red's base look like blue's; .*in blue's base"),
        ({0: "#1a439a", 1: "#997816", 2: "#1b5929", 3: "#a61f1f"}, "in red's base look like blue's; .*green's base"),
        ({0: "#bc2223", 1: "#801918", 2: "#a38018", 3: "#1f6c33"}, "in blue's base look like those in red's"),
    ],
    ids=["red and blue exchanged", "all one base on", "red in two bases"],
)
def test_pieces_in_another_seat_s_base_are_named_with_the_way_out(found: dict[int, str], said: str) -> None:
    assert re.search(said, mixed_up(found, SHEET))
    assert "set up the start position" in mixed_up(found, SHEET)
    assert mixed_up(found, replace(SHEET, colors=found)) == "", "they were given so, by hand"


def test_those_that_are_exchanged_may_be_named_as_they_are() -> None:
    found = {**MEASURED, 0: "#1a449b", 1: "#811918"}
    assert "--color 0=#1a449b --color 1=#811918" in mixed_up(found, SHEET)


def test_a_light_in_which_orange_is_as_yellow_teaches_nothing() -> None:
    """Over-exposed, both were learned as yellow, and no piece could be told from the other's (seed 7303, board 8)."""
    named = replace(OURS, colors={0: "#e9bd1c", 1: "#2b2a2e", 2: "#23803c", 3: "#dd7a1e"})
    said = mixed_up({0: "#ffe959", 1: "#605c5d", 2: "#5bcc5f", 3: "#ffd859"}, named)
    assert "look like those in red's: set up the start position, in an even light" in said


@pytest.mark.parametrize(
    "found",
    [
        MEASURED,
        {0: "#bd3a1c", 1: "#3d3a4a", 2: "#b9862a", 3: "#4f6a28"},
        {0: "#a7301c", 1: "#16407a", 2: "#8f8a20", 3: "#1e6b33"},
        {0: "#b3202a", 1: "#dd7a1e", 2: "#6d3a86", 3: "#2b2a2e"},
        {0: "#ba2223", 1: "#97440f", 2: "#977e56", 3: "#683c22"},
        {0: "#1e6b33"},
    ],
    ids=["as they are", "warm light", "cold light", "other pieces", "pieces like each other", "one plays, with green"],
)
def test_what_light_and_other_pieces_do_is_let_through(found: dict[int, str]) -> None:
    assert mixed_up(found, OURS) == ""
