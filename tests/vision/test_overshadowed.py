"""What stands in another piece's shadow, and is darker than such shadows are beside the others, is no shadow."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import table_drawing as table

from companion.model import Piece
from companion.vision.board.places import places
from companion.vision.board.standing import Match
from companion.vision.reading.overshadowed import overshadowed
from companion.vision.view.scene import PIXELS_PER_MM

SHEET, _ = table.board()
NAMES = list(SHEET.spaces)
WHERE = places(replace(SHEET, piece=Piece("pawn", 12.0, 24.0)), table.camera(tilt=5.0).eye, (375, 375))
USUAL = np.full((187, 187, 3), 0.5, np.float32)
DARK = NAMES.index("t1")
CASTERS = "t0", "t3", "t5", "t7"  # t1 lies beyond t0; beyond the others is the bare board


def told(casters: tuple[str, ...], there: tuple[float, float, float], cast: float = 0.55) -> set[int]:
    """Where pawns stand whose shadows leave so much of the light, 40 mm to the right of each, and t1 as much as said,
    in blue, green, red."""
    at = [int(np.flatnonzero(WHERE.space == NAMES.index(name))[0]) for name in casters]
    evidence = np.full((WHERE.shape[0] * WHERE.shape[1], len(SHEET.colors)), 3.0, np.float32)
    found = Match(WHERE, evidence, 11.0, np.ones(len(WHERE.feet), bool), evidence[:, 0], [(place, 0) for place in at])
    half, dim = USUAL.copy(), np.zeros(WHERE.shape, bool)
    for place in [int(np.flatnonzero(WHERE.space == NAMES.index("t1"))[0]), *at[1:]]:
        x, y = WHERE.feet[place] + (0 if WHERE.space[place] == DARK else 40, 0)
        left, top = (int((middle - 9) * PIXELS_PER_MM) for middle in (x, y))
        side = int(18 * PIXELS_PER_MM)
        dim[top : top + side, left : left + side] = True
        share = np.float32(there if WHERE.space[place] == DARK else (cast,) * 3)
        half[top // 2 : (top + side) // 2, left // 2 : (left + side) // 2] *= share
    seen: Any = SimpleNamespace(odd=np.zeros(WHERE.shape, np.float32), dim=dim)
    asked = np.arange(len(NAMES)) == DARK
    return overshadowed(found, seen, dim, found.front.reshape(WHERE.shape) < 1e8, half, USUAL, asked)


@pytest.mark.parametrize("there", [(0.25, 0.25, 0.25), (0.25, 0.55, 0.55)], ids=["in all colours", "in one"])
def test_what_is_darker_than_the_shadows_of_others_is_none(there: tuple[float, float, float]) -> None:
    """A dark green pawn on the dot of its own colour, in a yellow one's shadow, was surely nothing."""
    assert told(CASTERS, there) == {DARK}


@pytest.mark.parametrize("there", [(0.55, 0.55, 0.55), (0.45, 0.45, 0.45), (0.7, 0.6, 0.5)])
def test_what_is_as_dark_as_these_may_be_one(there: tuple[float, float, float]) -> None:
    assert told(CASTERS, there) == set()


def test_deep_shadows_are_as_deep_beside_all() -> None:
    assert told(CASTERS, (0.25, 0.25, 0.25), cast=0.25) == set()


def test_without_two_others_nothing_is_known() -> None:
    assert told(CASTERS[:2], (0.25, 0.25, 0.25)) == set()
