"""A board that was printed without one of the inks: what looks like a veil of its colour lies over no piece.

Where the printer has no red ink, all that should be red is as light in green as paper, and black is green itself; as if
green light lay over the board. But nothing is darker than a veil that lies over it, as pieces are.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np

from companion.vision.light.today import Light
from companion.vision.view.pose import Flat

_EVERY = 2  # of so many pixels each way one is asked
_LEAST = 0.1  # of the light on white: a fainter veil hardly changes a colour
_DARKER, _DARK = 0.5, 0.1  # times as dark as the veil; of white's light: of less than that nothing is told
_SOME = 0.002  # of the board, as a piece or two are


def of_pieces(light: Light, half: Flat) -> Light:
    """The light by which the pieces' colours are told: without a veil in channels in which some of the board is much
    darker than that. A shadow, which darkens all channels alike, is no sign: it darkens the veil, too.

    half: the flat view at half the size, linear BGR.
    """
    white = light.mix.sum(axis=1) + light.haze
    shares = light.haze / np.maximum(white, 1e-4)
    if shares.max() < _LEAST:
        return light
    some, field = half[::_EVERY, ::_EVERY], light.field(*half.shape[:2])[::_EVERY, ::_EVERY]
    seen = some / (field * white.astype(np.float32))
    lit = reduce(np.maximum, np.moveaxis(seen, 2, 0))
    mix, haze = light.mix.copy(), light.haze.copy()
    for channel in np.flatnonzero(shares >= _LEAST):
        darker = (seen[..., channel] < _DARKER * shares[channel] * lit) & (lit > _DARK)
        if darker.mean() > _SOME:
            mix[channel], haze[channel] = np.eye(3)[channel] * white[channel], 0.0
    return replace(light, mix=mix, haze=haze)
