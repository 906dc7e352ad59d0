"""Today's light, where the board has hardly more than one hue: what it makes of other hues is held back."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.model import Piece
from companion.vision.basis import _doubtful
from companion.vision.board.evidence import _off_if_burnt, measured, tints
from companion.vision.light.today import estimate_light, touch_up
from companion.vision.view.surface import Surface, halved, linear

WHITE = np.ones(3)


def walnut() -> np.ndarray:
    """Brown wood with grain and dark holes, uint8 BGR (300, 300, 3)."""
    rng = np.random.default_rng(3)
    grain = cv2.resize(rng.normal(1, 0.18, (300, 20)), (300, 300), interpolation=cv2.INTER_CUBIC)
    wood = np.clip(np.array([24, 52, 92]) * grain[..., None], 4, 255)
    for x, y in rng.integers(20, 280, (40, 2)).tolist():
        cv2.circle(wood, (x, y), 4, (12, 16, 22), -1, cv2.LINE_AA)
    return np.asarray(wood, np.uint8)


def shown(board: np.ndarray, pale: float, gains: tuple[float, float, float]) -> np.ndarray:
    """The board in another light, by a camera that makes its colours paler by a share."""
    linear = (board / 255.0) ** 2.2
    grey = linear @ (0.11, 0.59, 0.30)
    seen = (pale * grey[..., None] + (1 - pale) * linear) * gains
    return np.asarray(np.clip(seen, 0, 1) ** (1 / 2.2) * 255 + 0.5, np.uint8)


def white_of(pale: float, gains: tuple[float, float, float]) -> float:
    """How much more of white's blue than of its red is seen, as it is estimated from the board."""
    board = walnut()
    blue, _, red = estimate_light(shown(board, pale, gains), Surface(board)).of_color(WHITE).tolist()
    return float(blue / red)


def test_a_camera_that_shows_brown_wood_paler_does_not_make_white_blue() -> None:
    """On a walnut board, shown in a warm light, white marbles were then read as yellow, and purple ones as black."""
    assert white_of(0.4, (1.0, 1.0, 1.0)) < 2.5  # 5.5 without; white itself stays as it is


@pytest.mark.parametrize("gains", [(1.3, 1.0, 0.8), (1.0, 1.0, 1.0), (0.8, 1.0, 1.25)])
def test_a_light_of_another_colour_is_that_for_white_too(gains: tuple[float, float, float]) -> None:
    assert white_of(0.0, gains) == pytest.approx(gains[0] / gains[2], rel=0.12)


@pytest.mark.parametrize("brightest", [1.2, 2.0])
def test_where_a_board_burns_out_beside_a_lamp_it_is_the_empty_board_in_full_light(brightest: float) -> None:
    """Its yellow fields are less bright there than they would be, and paler: that was a shadow, of up to a third of the
    light, and up to a third of the board had to be looked at closely."""
    board = np.full((300, 300, 3), (40, 70, 60), np.uint8)
    for x, y in np.mgrid[30:300:48, 30:300:48].reshape(2, -1).T.tolist():
        cv2.circle(board, (x, y), 20, (30, 200, 235), -1, cv2.LINE_AA)
        cv2.circle(board, (x + 24, y), 6, (150, 60, 40), -1, cv2.LINE_AA)
    falling = np.exp(np.linspace(brightest, -1.2, 300))[None, :, None]
    picture = np.asarray(np.clip((board / 255.0) ** 2.2 * falling, 0, 1) ** (1 / 2.2) * 255 + 0.5, np.uint8)
    surface, half = Surface(board), linear(halved(picture))
    light = estimate_light(picture, surface)
    today = touch_up(picture, half, light, surface, Piece("marble", 14.0, 12.0))
    assert light.expected(surface.half.linear).max() > 1.5
    assert np.allclose(today.even, light.field(*today.even.shape[:2]))
    maybe, _ = _doubtful(half, today, None)
    assert not maybe.any()


def test_a_window_mirrored_in_most_of_an_ink_does_not_say_how_it_looks_elsewhere() -> None:
    """It lay on a varnished red base: red was pale then on the whole board, and every red space surely a pawn."""
    board = np.full((300, 300, 3), (30, 50, 90), np.uint8)
    red = (20, 20, 200)
    cv2.circle(board, (220, 220), 55, red, -1, cv2.LINE_AA)
    for y in range(20, 160, 20):
        cv2.circle(board, (80, y), 8, red, -1, cv2.LINE_AA)
        cv2.circle(board, (40, y), 8, (200, 220, 220), -1, cv2.LINE_AA)
    light = (board / 255.0) ** 2.2
    light[160:, 160:] += 0.35
    picture = np.asarray(np.clip(light, 0, 1) ** (1 / 2.2) * 255 + 0.5, np.uint8)
    surface, half = Surface(board), linear(halved(picture))
    today = touch_up(picture, half, estimate_light(picture, surface), surface, Piece("pawn", 12.0, 24.0))
    ink, few = int(surface.inks[60, 80]), surface.ink_samples
    expected = today.whole[60, 80] / linear(board[60:61, 80:81])[0, 0]
    assert np.abs(np.log(expected[2])) < 0.15 and today.whole[60, 80, 0] < 0.05
    usual, even = today.samples()
    tables = measured(linear(picture.reshape(-1, 3).take(few, axis=0)) / even, usual / even)
    assert tables["hue"][ink] < 0.15 and tables["bright"][ink] < 0.3


def test_the_shadow_of_a_board_that_burns_out_is_of_the_hue_that_was_not_seen() -> None:
    """An overexposed yellow lane, blue, green and red: of green and red it gives more than the camera shows, and more
    red than green, so that a pawn's shadow is orange there; it was surely a second pawn (0.998)."""
    lane, paper, shadow = (0.2, 0.93, 0.93), (0.2, 0.6, 0.6), np.array((0.2, 1.05, 1.6))
    usual = np.array([lane, lane, paper, (0.93, 0.93, 0.93)], np.float32)
    seen = np.array([0.4 * shadow, (0.4, 0.1, 0.1), 0.4 * shadow, (0.2, 0.3, 0.38)], np.float32)
    one, other = tints(seen), tints(usual)
    off = np.square(one.u - other.u) + np.square(one.v - other.v)
    left = np.sqrt(_off_if_burnt(off, seen, usual, np.ones_like(usual)))
    assert left[0] < 0.03 < 0.15 < np.sqrt(off[0]), "an orange shadow on the lane"
    assert left[1] > 0.6, "no shadow is blue there"
    assert left[2] == np.sqrt(off[2]), "where the lit board can be seen, its shadow is of its hue"
    assert left[3] < 0.03 < 0.15 < np.sqrt(off[3]), "white paper in a warm light"
