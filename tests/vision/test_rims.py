"""The sides of flat tops: under a lamp's image a black disc's side is black still."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lone_stack import SHAPE, SHEET, seen_from, standing

from companion.vision.colors.rims import rim, said_by_rims
from companion.vision.view.scene import PIXELS_PER_MM

PAINTS = np.array([0.0, -3.0])
"""Log of the brightness of white and of black."""


@pytest.mark.parametrize("storeys", [1, 3])
def test_the_rim_is_of_the_topmost_disc(storeys: int) -> None:
    found, place = standing(seen_from(50), "d4", storeys)
    pixels, crown = found.where.hidden_by(place)
    own = rim(found, place)
    assert len(own) > 20 and not set(own.tolist()) & set(pixels[:crown].tolist())
    top, below = np.median(pixels[:crown] // SHAPE[1]), np.median(own // SHAPE[1])
    high = 7 / np.cos(np.radians(50)) * PIXELS_PER_MM
    assert top < below < top + SHEET.piece.diameter / 2 * PIXELS_PER_MM + high


def test_from_straight_above_no_rim_is_seen() -> None:
    found, place = standing(seen_from(5), "d4", 1)
    assert len(rim(found, place)) == 0


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(light=st.floats(0.2, 2.0), black=st.booleans(), storeys=st.integers(1, 3))
def test_a_side_speaks_for_its_own_paint_in_any_light(light: float, black: bool, storeys: int) -> None:
    """The top may look as it likes."""
    found, place = standing(seen_from(50), "d4", storeys)
    pixels, crown = found.where.hidden_by(place)
    level = np.exp(PAINTS[int(black)] - 0.7) / 3 * light
    flat = np.full((*SHAPE, 3), 255, np.uint8)
    code = 1.055 * level ** (1 / 2.4) - 0.055 if level > 0.0031308 else 12.92 * level
    flat.reshape(-1, 3)[pixels[crown:]] = round(255 * min(code, 1.0))
    white_says, black_says = said_by_rims(found, np.array([place]), np.full((1, 3), light), PAINTS, flat)[0]
    assert (black_says > white_says + 1) if black else (white_says > black_says + 1)


def test_of_what_hardly_shows_nothing_is_said() -> None:
    found, place = standing(seen_from(5), "d4", 1)
    said = said_by_rims(found, np.array([place]), np.ones((1, 3)), PAINTS, np.zeros((*SHAPE, 3), np.uint8))
    assert (said == 0).all()
