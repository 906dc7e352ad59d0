"""Shadows of pieces: flat discs have none to look for."""

import numpy as np

from companion.model import Piece
from companion.vision.shadows import cast_shadows


def test_flat_discs_cast_no_shadow_and_no_warning() -> None:
    dim = np.ones((200, 200), bool)
    feet = np.array([[20.0, 20.0], [40.0, 20.0], [20.0, 40.0]])
    with np.errstate(all="raise"):
        found = cast_shadows(feet, dim, np.zeros_like(dim), Piece("disc", 28.0, 4.0))
    assert found.shape == dim.shape and not found.any()
