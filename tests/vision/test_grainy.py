"""Each pixel of a piece may be the ground: what stands out where they are averaged over its size is a doubt."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.model import BoardSeen
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene
from companion.vision.reading.grainy import _SPREADS, outstanding

SHEET, TEXTURE, _ = printed_board("parcheesi")
VIEW = View(tilt=15, noise=0, brightness=0.22).fitted(SHEET)


def seen_in_grain(
    brighter: float | tuple[float, float, float], grain: float, view: View = VIEW, base_of: str = "base3"
) -> BoardSeen:
    """What is seen of a board in a dim light, of which a patch of a pawn's size, in a base, is brighter: in all
    channels, or by so much in blue, green and red."""
    painter = Painter(SHEET, TEXTURE, view, np.random.default_rng(5))
    pawns = [Pawn(seat, at, (SHEET.spaces[at].x, SHEET.spaces[at].y)) for at, seat in (("t4", 0), ("t30", 1))]
    frame = painter.paint(pawns).astype(np.float64)
    base, mask = SHEET.spaces[base_of], np.zeros(frame.shape[:2], np.float32)
    turns = np.linspace(0, 2 * np.pi, 24)
    rim = [painter.project((base.x + 15 + 7 * np.cos(a), base.y - 10 + 10 * np.sin(a), 0.0)) for a in turns]
    cv2.fillPoly(mask, [np.round(np.array(rim)).astype(np.int32)], 1.0)
    frame *= 1 + np.array(brighter) * mask[..., None]
    frame += np.random.default_rng(6).normal(0, grain, frame.shape)
    seen, _ = look(np.clip(frame, 0, 255).astype(np.uint8), make_scene(SHEET, TEXTURE))
    assert isinstance(seen, BoardSeen), seen
    return seen


@pytest.mark.long(but=("0.16",))
@pytest.mark.parametrize("brighter", [-0.16, 0.16])
def test_what_is_lost_in_the_grain_pixel_by_pixel_is_no_longer_surely_nothing(brighter: float) -> None:
    even, patched = seen_in_grain(0, 5), seen_in_grain(brighter, 5)
    assert even.spaces["base3"].content == () and even.spaces["base3"].confidence > 0.97
    assert patched.spaces["base3"].confidence < 0.9
    for name in ("base0", "base1", "base2", "home0", "home3", "t10"):
        assert patched.spaces[name].confidence > 0.9, name


@pytest.mark.long
def test_a_piece_of_a_hue_that_nobody_was_told_of_is_a_doubt_in_good_light_too() -> None:
    """A violet pawn on a purple base was surely nothing: its colour had been learned as the ground's."""
    good, hue = View(tilt=15, noise=1).fitted(SHEET), (0.1, 0.05, -0.12)
    even, patched = (seen_in_grain(more, 1, good, "base2").spaces["base2"] for more in (0, hue))
    assert even.content == patched.content == ()
    assert even.confidence > 0.97 and patched.confidence < 0.9


@pytest.mark.long
def test_a_block_of_a_jpeg_picture_whose_colour_is_one_step_off_is_no_piece() -> None:
    """In a recorded game, JPEG of quality 50, two of four empty bases were in doubt again and again."""
    dim, level = View(tilt=15, noise=1, brightness=0.5).fitted(SHEET), 120
    step = np.array((0.0, -0.714, 1.402)) * 2.1 / level  # of Cr, in blue, green and red (JFIF 1.02)
    base = seen_in_grain(tuple(step), 1, dim, "base2").spaces["base2"]
    assert base.content == () and base.confidence > 0.97, base


def test_chance_does_not_stand_out_and_a_piece_does() -> None:
    rng = np.random.default_rng(7)
    noise = rng.normal(0, (0.05, 0.02, 0.03), (2500, 3))
    assert outstanding(np.zeros((10, 3)), _SPREADS) == 0
    assert outstanding(noise, _SPREADS) < 5
    noise[:60] += (0.3, 0, 0)
    assert outstanding(noise, _SPREADS) > 5
    faint = np.zeros((2500, 3))
    faint[:60] = (0.04, 0.01, 0.01)
    assert outstanding(faint, _SPREADS) < 5, "so much the board differs anyway"
    assert outstanding(noise[:, 1:], _SPREADS[1:]) < 5, "it is no hue that stands out there"
