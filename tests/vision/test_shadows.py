"""Shadows of pieces: which way they fall, and what light is left in them."""

import numpy as np

from companion.model import Piece
from companion.vision.light.shadows import cast_shadows
from companion.vision.light.umbra import umbra
from companion.vision.view.scene import PIXELS_PER_MM

DISC = Piece("disc", 28.0, 6.0)


def test_where_all_round_is_dim_no_shadow_is_clear() -> None:
    dim = np.ones((200, 200), bool)
    feet = np.array([[20.0, 20.0], [40.0, 20.0], [20.0, 40.0]])
    with np.errstate(all="raise"):
        found = cast_shadows(feet, dim, np.zeros_like(dim), DISC, np.array([1, 1, 1]))
    assert found.shape == dim.shape and not found.any()


def test_a_higher_stack_casts_a_longer_shadow() -> None:
    feet, storeys = np.array([[60.0, 40.0], [60.0, 120.0], [60.0, 200.0]]), np.array([1, 1, 4])
    dim = np.zeros((400, 400), bool)
    for (x, y), count in zip(feet, storeys, strict=True):
        left, right, top, bottom = (round(mm * PIXELS_PER_MM) for mm in (x, x + 14 + 8 * count, y - 5.5, y + 5.5))
        dim[top:bottom, left:right] = True
    shadow = cast_shadows(feet, dim, np.zeros_like(dim), DISC, storeys)
    ends = [int(np.flatnonzero(shadow[round(y * PIXELS_PER_MM)]).max()) for _, y in feet]
    assert ends[0] == ends[1] and ends[2] > ends[0] + 13 * PIXELS_PER_MM


def test_a_shadow_turns_all_inks_alike_and_a_piece_does_not() -> None:
    rng = np.random.default_rng(0)
    inks = np.repeat(np.array([0, 1], np.uint8), 500)
    usual = np.where(inks[:, None] == 0, (0.7, 0.7, 0.7), (0.5, 0.2, 0.1)) * rng.normal(1, 0.02, (1000, 3))
    even, left = np.ones((1000, 3), np.float32), np.array([0.3, 0.25, 0.2])
    in_shadow = (usual * left).astype(np.float32)
    under_piece = np.full((1000, 3), 0.08, np.float32) * rng.normal(1, 0.02, (1000, 3)).astype(np.float32)
    found = umbra(in_shadow, usual.astype(np.float32), even, inks)
    assert found is not None and np.abs(np.log(found / left)).max() < 0.2
    assert umbra(under_piece, usual.astype(np.float32), even, inks) is None
