"""A pawn that looks as the board in a shadow does, beside one of its colour that does not, may be that one's shadow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import table_drawing as table

from companion.model import Piece
from companion.vision.board.places import places
from companion.vision.board.standing import Match, Put
from companion.vision.reading.shadowy import shadowy

SHEET, _ = table.board()
BASE, RED, BLUE = list(SHEET.spaces).index("base0"), 0, 3
WHERE = places(replace(SHEET, piece=Piece("pawn", 12.0, 24.0)), table.camera(tilt=50.0).eye, (375, 375))


def found_in(first: int, second: int, dark: tuple[bool, bool], apart: float = 14.0) -> dict[int, float]:
    """What is told of two pawns of some colours, so many mm apart, of which some look as the board in a shadow."""
    feet = (255.0, 150.0), (255.0, 150.0 - apart)
    put: list[Put] = [
        (int(np.linalg.norm(WHERE.feet - foot, axis=1).argmin()), color)
        for foot, color in zip(feet, (first, second), strict=True)
    ]
    told = np.full((WHERE.shape[0] * WHERE.shape[1], len(SHEET.colors)), 3.0, np.float32)
    found = Match(WHERE, told, 11.0, np.ones(len(WHERE.feet), bool), told[:, RED], put)
    dim = np.zeros(WHERE.shape, bool)
    for number in np.flatnonzero(dark).tolist():
        dim.ravel()[found.owner() == number] = True
    assert shadowy(found, dim, {BASE}) == {}
    return shadowy(found, dim)


def test_behind_one_that_is_lit_a_dark_one_may_be_its_shadow() -> None:
    """A long shadow behind an orange pawn was surely a second one."""
    assert found_in(RED, RED, (False, True)) == {BASE: 0.0}


@pytest.mark.parametrize(
    ("color", "dark", "apart"),
    [(RED, (True, True), 14.0), (RED, (False, False), 14.0), (BLUE, (False, True), 14.0), (RED, (False, True), 60.0)],
    ids=["both are dark", "none is", "another colour", "far from it"],
)
def test_others_are_pawns(color: int, dark: tuple[bool, bool], apart: float) -> None:
    assert found_in(RED, color, dark, apart) == {}
