"""What is told to be a white disc, and has a colour: another thing lies there, as a die thrown on the board."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.vision.colors.likely import Paints
from companion.vision.colors.looks import Looks
from companion.vision.view.pose import Floats

_PALE, _BRIGHT = 0.15, 1.0  # hue, and natural log of brightness, by which a white paint may be off the light's own
_OFF = 0.3
"""Hue: of 3,670 discs in six films none was off its paint by more than 0.28; three of four looks at yellow dice were by
over 0.33."""


def off_white(looks: Looks, told: Floats, paints: Paints) -> npt.NDArray[np.bool_]:
    """Which flat tops, (N,), are told to be white, and have a hue that no white disc has. told: log of the probability
    of each colour, (N, K).

    Filmed (570008): yellow dice on a draughts board were surely white discs, and somebody was accused, twice.
    """
    own, white = paints.own[told.argmax(axis=1)], paints.white
    pale = (np.linalg.norm(own[:, 1:] - white[1:], axis=1) < _PALE) & (own[:, 0] > white[0] - _BRIGHT)
    return np.asarray(pale & (np.linalg.norm(looks.at[:, 1:] - own[:, 1:], axis=1) > _OFF))
