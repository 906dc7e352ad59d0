"""Which pixels are a piece's, where its colour is learned."""

from __future__ import annotations

import numpy as np

from calibration.piece_colors import _pieces


def changed(board: float, *parts: tuple[int, tuple[float, float, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Pixels of a grey board, and what is seen there: so many pixels, so many times as bright in B, G, R."""
    usual = np.full((sum(count for count, _ in parts), 3), board, np.float32)
    seen = np.vstack([np.full((count, 3), board, np.float32) * np.float32(by) for count, by in parts])
    return np.asarray(seen, np.float32), usual


def test_a_black_disc_is_what_is_dark_and_not_the_little_that_is_pale_beside_it() -> None:
    seen, usual = changed(0.3, (60, (1.8, 1.8, 1.8)), (300, (0.1, 0.1, 0.1)), (400, (1, 1, 1)))
    assert _pieces(seen, usual, is_disc=True).nonzero()[0].tolist() == list(range(60, 360))


def test_a_red_disc_is_what_is_red_though_its_shadow_is_dark() -> None:
    seen, usual = changed(0.3, (300, (0.2, 0.2, 1.4)), (150, (0.4, 0.4, 0.4)))
    assert _pieces(seen, usual, is_disc=True).nonzero()[0].tolist() == list(range(300))


def test_a_pale_pawn_is_not_the_long_shadow_that_it_throws() -> None:
    seen, usual = changed(0.3, (80, (1.8, 1.8, 1.8)), (300, (0.3, 0.3, 0.3)))
    assert _pieces(seen, usual).nonzero()[0].tolist() == list(range(80))
