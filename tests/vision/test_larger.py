"""A card on which only one disc finds room is not surely that disc; a disc alone is one."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
from lone_stack import SHAPE, SHEET, seen_from, standing

from companion.vision.board.places import Places
from companion.vision.board.standing import Match
from companion.vision.reading.larger import larger
from companion.vision.view.scene import PIXELS_PER_MM

SQUARE = "d4"
INDEX = list(SHEET.spaces).index(SQUARE)


@lru_cache
def where() -> Places:
    return seen_from(20.0)


def on_a_patch(wide: float, high: float, storeys: int = 1) -> Match:
    """A disc on d4, put on a patch of its colour that is so many mm wide and high, and its own outline."""
    bare, place = standing(where(), SQUARE, storeys)
    space, shown = SHEET.spaces[SQUARE], np.zeros(SHAPE, np.uint8)
    left, top = space.x - 14, space.y - 14
    x0, y0, x1, y1 = (round(at * PIXELS_PER_MM) for at in (left, top, left + wide, top + high))
    if wide:
        cv2.rectangle(shown, (x0, y0), (x1, y1), 1, -1)
    shown.ravel()[bare.shown(place)] = 1
    evidence = np.stack([3.0 * shown.ravel(), 0 * shown.ravel()], axis=1).astype(np.float32)
    found = Match(where(), evidence, 1.0, np.ones(len(where().feet), bool), np.zeros(len(evidence), np.float32))
    found.put((place, 0))
    return found


@pytest.mark.parametrize("storeys", [1, 3])
def test_a_disc_on_a_card_of_its_colour_is_a_doubt(storeys: int) -> None:
    """A white card was surely a stack of white discs (0.9995)."""
    assert larger(on_a_patch(58, 60, storeys)) == {INDEX}
    assert larger(on_a_patch(58, 60, storeys), {INDEX}) == set()


@pytest.mark.parametrize(("wide", "high"), [(0, 0), (28, 28), (40, 30)], ids=["alone", "square", "its light beside it"])
def test_a_disc_that_leaves_little_over_is_one(wide: float, high: float) -> None:
    assert larger(on_a_patch(wide, high)) == set()
