"""A disc that fades from one side to the other, and looks like the board in a shadow, may be a shadow's soft edge."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from lone_stack import SHAPE, SHEET, seen_from, standing

from companion.vision.board.places import Places
from companion.vision.board.standing import Match
from companion.vision.reading.patchy import patchy
from companion.vision.view.scene import PIXELS_PER_MM

WHERE, SQUARE = seen_from(15.0), "d4"
INDEX = list(SHEET.spaces).index(SQUARE)
Floats = npt.NDArray[np.float64]


def told(dark: Floats, share: float = 1.0, where: Places = WHERE) -> tuple[Match, set[int]]:
    """What is told of a disc on d4 that is as bright, grey levels, from row to row as given; so much of it is dim."""
    found, _ = standing(where, SQUARE, 1)
    flat, dim = np.full((*SHAPE, 3), 200, np.uint8), np.zeros(SHAPE, bool)
    middle, half = round(SHEET.spaces[SQUARE].y * PIXELS_PER_MM), round(SHEET.piece.diameter * PIXELS_PER_MM / 2)
    rows = np.arange(middle - half, middle + half)
    flat[rows] = np.interp(rows, np.linspace(rows[0], rows[-1], len(dark)), dark)[:, None, None]
    dim[rows[: round(share * len(rows))]] = True
    return found, patchy(found, dim, flat)


def test_what_fades_as_a_shadow_does_may_be_none() -> None:
    """Black discs were surely seen beside high stacks, in a window's light."""
    assert told(np.array([25.0, 60.0, 110.0]))[1] == {INDEX}


@pytest.mark.parametrize(
    ("dark", "share"),
    [([40.0, 44.0], 1.0), ([60.0, 75.0], 1.0), ([25.0, 60.0, 110.0], 0.2)],
    ids=["black", "in a slowly fading light", "hardly any of it like a shadow"],
)
def test_others_are_discs(dark: list[float], share: float) -> None:
    assert told(np.array(dark), share)[1] == set()


def test_spaces_that_are_left_out_are_not_asked() -> None:
    found, _ = told(np.array([25.0, 60.0, 110.0]))
    fading = np.linspace(20, 120, SHAPE[0] * SHAPE[1]).reshape(SHAPE)
    assert patchy(found, np.ones(SHAPE, bool), np.dstack([fading] * 3).astype(np.uint8), {INDEX}) == set()
