"""A square that is lit in its middle and dark all round it holds a disc that was not understood."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
from lone_stack import SHAPE, SHEET, seen_from, standing

from companion.service.boards.configured import printed_board
from companion.vision import Scene, make_scene
from companion.vision.board.standing import Match
from companion.vision.reading.spotlit import spotlit
from companion.vision.view.scene import PIXELS_PER_MM

WHERE, SQUARE = seen_from(10.0), "d4"
INDEX = list(SHEET.spaces).index(SQUARE)


@lru_cache
def scene() -> Scene:
    return make_scene(*printed_board("game-of-god")[:2])


def nothing() -> Match:
    """A board on which no disc was found."""
    found, place = standing(WHERE, SQUARE, 1)
    found.take((place, 0))
    return found


def dark_round(share: float) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """A shadow over d4, from the left so far, that leaves out what a disc in the middle would hide."""
    space, dim = SHEET.spaces[SQUARE], np.zeros(SHAPE, np.uint8)
    x, y, half = (round(v * PIXELS_PER_MM) for v in (space.x, space.y, space.radius + 2))
    dim[y - half : y + half, x - half : x - half + round(2 * half * share)] = 1
    lit = np.zeros(SHAPE, np.uint8)
    lit.ravel()[WHERE.hidden_by(int(np.searchsorted(WHERE.space, INDEX)))[0]] = 1
    return np.asarray(dim * (1 - cv2.erode(lit, np.ones((3, 3), np.uint8)))) > 0


def test_a_lit_spot_in_a_shadow_is_no_empty_square() -> None:
    """A white stack on a light square, with its own shadow and a window's round it, was surely a black disc."""
    assert spotlit(nothing(), dark_round(1.0), scene()) == {INDEX}
    assert spotlit(nothing(), dark_round(1.0), scene(), {INDEX}) == set()


@pytest.mark.parametrize("share", [0.0, 0.3], ids=["lit", "a shadow's edge"])
def test_other_squares_may_be_empty(share: float) -> None:
    assert spotlit(nothing(), dark_round(share), scene()) == set()


def test_one_that_lies_wholly_in_a_shadow_may_be_empty() -> None:
    assert spotlit(nothing(), np.ones(SHAPE, bool), scene()) == set()


def test_a_disc_that_was_found_is_none_of_these() -> None:
    found, _ = standing(WHERE, SQUARE, 1)
    assert spotlit(found, dark_round(1.0), scene()) == set()
