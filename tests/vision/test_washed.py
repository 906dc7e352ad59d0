"""Where nothing of the print shows something lies over it, though a little of it seems to show by chance."""

from __future__ import annotations

import numpy as np
import pytest

from companion.model import Piece
from companion.vision.pose import Flat
from companion.vision.washed import washed

DISC = Piece("disc", 30.0, 6.0)


def squares(rows: int, cols: int, side: int) -> Flat:
    """−1 and 1 by turns, (rows, cols)."""
    y, x = np.mgrid[:rows, :cols] // side
    return np.asarray((x + y) % 2 * 2 - 1, np.float32)


def of_brightness(layer: Flat) -> Flat:
    return np.repeat(layer[..., None], 3, axis=2)


@pytest.mark.parametrize(("folds", "hides"), [(0.0, False), (0.05, True)])
def test_a_sleeve_that_resembles_the_print_by_chance_hides_it(folds: float, hides: bool) -> None:
    """A glare adds light, and what it leaves of the print's contrast is like the print; folds of cloth are not."""
    board = 0.12 + 0.04 * squares(240, 240, 28)
    lit = board.copy()
    rough = squares(100, 100, 9) * folds
    lit[70:170, 60:160] = 0.5 + 0.3 * (board[70:170, 60:160] - 0.12) + rough
    found = washed(of_brightness(lit), of_brightness(board), DISC)
    assert (found is not None) == hides
    assert found is None or found[90:150, 80:140].all()
