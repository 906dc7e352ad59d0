"""Where nothing of the print shows something lies over it, though a little of it seems to show by chance."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.model import Piece
from companion.vision.light.washed import washed
from companion.vision.view.pose import Flat

DISC, MARBLE = Piece("disc", 30.0, 6.0), Piece("marble", 14.0, 12.0)


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


@pytest.mark.parametrize(("rings", "hides"), [((0.12, 0.4, 0.7), False), ((0.12, 0.36, 0.5), True)])
def test_print_that_burns_out_beside_a_lamp_is_not_hidden(rings: tuple[float, ...], hides: bool) -> None:
    """Rendered: a lamp stood low beside a painted board, and its orange rings would have been twice as red as a picture
    can show. That they are not was a thing which covered 19 spaces; a cloth over them is one."""
    y, x = np.mgrid[:240, :240]
    ring = (np.hypot(x % 40 - 20, y % 40 - 20) < 8)[..., None]
    board = np.where(ring, (0.02, 0.12, 1.0), (0.05, 0.15, 0.2))
    near = ((x > 40) & (x < 180) & (y > 50) & (y < 190))[..., None]
    seen = np.where(near, np.where(ring, rings, (0.12, 0.36, 0.5)), 0.5 * board)
    plain = np.where(near, board * (1.3, 1.5, 2.2), 0.5 * board)
    found = washed(seen.astype(np.float32), plain.astype(np.float32), MARBLE)
    assert (found is not None) == hides


def lamp_image(print_: Flat) -> Flat:
    """The board with a lamp's image in its lacquer, which adds light: most of it in the middle."""
    y, x = np.mgrid[: print_.shape[0], : print_.shape[1]]
    return np.asarray(print_ + 0.4 * np.exp(-(((x - 126) ** 2 + (y - 126) ** 2) / 22**2) / 2), np.float32)


@pytest.mark.parametrize("discs", [[], [(98, 98)], [(98, 98), (126, 98)], [(98, 98), (126, 154)]])
@pytest.mark.parametrize("paint", [0.7, 0.9])
def test_a_lamp_s_image_hides_nothing_though_white_discs_lie_beside_it(
    discs: list[tuple[int, int]], paint: float
) -> None:
    """Filmed (Game of God, glare, 1322 and 1433): up to 14 squares were called covered on which the print is seen, but
    for a disc, and though the light of such an image has no plain course."""
    board = 0.2 + 0.045 * squares(240, 240, 28)
    lit = lamp_image(board)
    y, x = np.mgrid[:240, :240]
    for middle_x, middle_y in discs:
        lit[np.hypot(x - middle_x, y - middle_y) < 9] = paint
    assert washed(of_brightness(lit), of_brightness(board), DISC) is None


@pytest.mark.parametrize("paint", [0.6, 1.0])
def test_a_sleeve_in_a_lamp_s_image_hides_the_print_and_the_image_does_not(paint: float) -> None:
    """All of the patch together shows the print, which is seen round about; the same where the image burns out."""
    board = 0.2 + 0.045 * squares(240, 240, 28)
    y, x = np.mgrid[:240, :240]
    lit = np.asarray(board + 0.5 * np.exp(-(((x - 120) ** 2 + (y - 120) ** 2) / 45**2) / 2), np.float32)
    lit[90:150, 60:180] = paint
    found = washed(of_brightness(lit), of_brightness(board), DISC)
    assert found is not None and found[105:135, 85:155].all()
    assert not found[40:70].any() and not found[170:200].any(), "what lies beside it is seen"


@pytest.mark.parametrize("apart", [5, 6, 8])
def test_fine_lines_that_a_small_picture_hardly_shows_are_not_hidden(apart: int) -> None:
    """Filmed (109301): at the far edge of a dim board the lines between spaces were but a grey, brighter than lines and
    without any; that passed for a thing that hides them, and with it two pawns."""
    board = np.full((240, 240), 0.5, np.float32)
    board[40:200:apart, 60:180] = 0.25
    seen = np.asarray(cv2.GaussianBlur(board, (0, 0), 2.5), np.float32)
    assert washed(of_brightness(seen), of_brightness(board), MARBLE) is None
    cup = seen.copy()
    cup[100:140, 90:150] = 0.8
    found = washed(of_brightness(cup), of_brightness(board), MARBLE)
    assert found is not None and found[108:132, 98:142].all()
