"""A paint of which a channel burns out is told by the others: an orange disc in the sun is no yellow one in shade."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.board.evidence import look_of
from companion.vision.colors.clipped import said_if_clipped
from companion.vision.colors.likely import TOP_LOG, Paints, likelihoods
from companion.vision.light.today import Light

COLORS = np.array([(0.02, 0.26, 1.0), (0.02, 0.69, 1.0), (0.8, 0.3, 0.05)])  # orange, yellow, blue, as BGR
PAINTS = Paints.of(Light(np.eye(3), np.zeros(3), np.zeros((6, 3))), COLORS)
ONE, NONE = np.ones(1), np.zeros(1)


def told(paint: int, light: float, shade: float = 1.0) -> tuple[int, int]:
    """Which paint one in so much light is, as it looks, and with what its burnt channels say. shade: how much of the
    light reaches it."""
    shown, lit = np.minimum(light * shade * COLORS[[paint]], 1.0), np.full((1, 3), light)
    plain = likelihoods(look_of(shown / lit), ONE, NONE, PAINTS, TOP_LOG)
    said = said_if_clipped(shown, lit, COLORS, PAINTS, TOP_LOG)
    return int(plain.argmax()), int((plain + said).argmax())


@pytest.mark.parametrize("paint", [0, 1, 2])
@pytest.mark.parametrize("light", [0.6, 1.5, 2.5, 3.2])
def test_a_paint_is_itself_in_any_light(paint: int, light: float) -> None:
    assert told(paint, light)[1] == paint
    assert told(paint, light, 0.7)[1] == paint


def test_orange_in_the_sun_was_yellow() -> None:
    """On a drawn board with draughts in the sun four orange discs were surely yellow ones, three times as dark."""
    assert told(0, 2.5) == (1, 0)


def test_what_is_burnt_out_nowhere_or_everywhere_says_nothing() -> None:
    shown = np.array([(0.1, 0.3, 0.8), (1.0, 1.0, 1.0)])
    assert not said_if_clipped(shown, np.ones((2, 3)), COLORS, PAINTS, TOP_LOG).any()


def test_no_paint_is_brighter_than_it_would_be_in_all_the_light() -> None:
    """Of yellow in the sun blue alone is left, of which dust and gloss show more than the paint does: were it so much
    more of orange, it would be that."""
    shown, lit = np.array([(0.2, 1.0, 1.0)]), np.full((1, 3), 2.5)
    nats = likelihoods(look_of(shown / lit), ONE, NONE, PAINTS, TOP_LOG)
    assert (nats + said_if_clipped(shown, lit, COLORS, PAINTS, TOP_LOG)).argmax() == 1
