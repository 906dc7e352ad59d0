"""What has a colour is no white disc: a yellow die was one, and somebody was accused."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.colors.likely import Paints
from companion.vision.colors.looks import Looks
from companion.vision.colors.off_white import off_white

OWN = np.array([[0.5, -0.08, 0.02], [-1.9, 0.0, -0.08], [-1.0, 0.78, 0.33]])  # white, black, red
PAINTS = Paints(OWN, OWN, np.zeros(3), np.linalg.norm(OWN[:, 1:], axis=1))
WHITE, BLACK, RED = range(3)


def has_a_colour(look: tuple[float, float, float], paint: int) -> bool:
    """Whether a top of that look, brightness and hue, is said to be no disc if it is told to be of that paint."""
    at, no = np.array([look]), np.zeros(1)
    looks = Looks(at, no + 66, no, at, np.zeros((1, 3)), at, no, no > 0, at, at, no, field=no)
    told = np.log(np.where(np.arange(3) == paint, 0.9, 0.05))[None]
    [answer] = off_white(looks, told, PAINTS).tolist()
    return bool(answer)


@pytest.mark.parametrize("look", [(-0.44, 0.07, 0.42), (-1.12, 0.03, 0.36), (-0.1, 0.06, 0.41), (0.2, 0.3, -0.1)])
def test_what_has_a_colour_is_no_white_disc(look: tuple[float, float, float]) -> None:
    """The first three as they were filmed: yellow dice."""
    assert has_a_colour(look, WHITE)


@pytest.mark.parametrize("look", [(0.5, -0.08, 0.02), (-0.6, -0.06, -0.22), (0.3, 0.1, 0.1), (-1.5, -0.1, -0.2)])
def test_a_white_disc_in_a_lamp_s_light_or_the_sky_s_is(look: tuple[float, float, float]) -> None:
    assert not has_a_colour(look, WHITE)


def test_of_other_paints_nothing_is_said() -> None:
    """Black ones have the hue of whatever they mirror, and those that have a colour differ in it by more."""
    assert not has_a_colour((-1.9, 0.4, 0.3), BLACK) and not has_a_colour((-0.9, 0.4, 0.1), RED)
