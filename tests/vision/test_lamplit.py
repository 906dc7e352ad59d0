"""Pawns that are the image of a lamp in a space of their own colour: it adds as much light as round about."""

from __future__ import annotations

import numpy as np
import pytest

from companion.service.boards import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene
from companion.vision.basis import colors_of_sheet
from companion.vision.colors import colors_of
from companion.vision.lamplit import image_of_lamp
from companion.vision.pose import Frame
from companion.vision.standing import Match

SHEET, TEXTURE, _ = printed_board("gloria")
SPACE = SHEET.spaces["lane0.4"]
VIEW = View(tilt=2, noise=1.5, brightness=0.7).fitted(SHEET)


def in_glare(frame: Frame, at: tuple[float, float], wide: float) -> Frame:
    """A picture, uint8 BGR, with a lamp's image round a pixel that reaches over so many pixels."""
    y, x = np.mgrid[: frame.shape[0], : frame.shape[1]]
    added = 0.12 * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * wide**2))
    return np.round(255 * ((frame / 255) ** 2.2 + added[..., None]).clip(0, 1) ** (1 / 2.2)).astype(np.uint8)


def test_what_the_lamp_adds_it_adds_in_all_channels_and_round_about() -> None:
    about = np.tile((0.09, 0.1, 0.1), (6, 1))
    grey = (0.36, 0.02, -0.1)
    here = [(0.075, 0.08, 0.08), (0.5, 0.45, 0.1), (0.1, 0.1, 0.02), *((more, more, more) for more in grey)]
    assert image_of_lamp(np.array(here), about).tolist() == [True, False, False, False, False, False]
    assert not image_of_lamp(np.array(here), np.zeros((6, 3))).any(), "nothing is added round about"


@pytest.mark.parametrize("stands", [False, True])
def test_a_red_pawn_is_told_from_the_image_of_a_lamp_in_its_red_space(stands: bool) -> None:
    """Seen from straight above the pale red was a red pawn with 0.986."""
    painter = Painter(SHEET, TEXTURE, VIEW, np.random.default_rng(5))
    pawns = [Pawn(0, "lane0.4", (SPACE.x, SPACE.y))] if stands else []
    x, y = painter.project([(SPACE.x, SPACE.y, 0.0)])[0]
    _, memory = look(in_glare(painter.paint(pawns), (x, y), 60), make_scene(SHEET, TEXTURE))
    assert memory.look is not None and memory.look.kept is not None
    kept = memory.look.kept
    where = kept.places
    found = Match(where, kept.told.open, 11.0, np.zeros(len(where.feet), bool), kept.told.most)
    place = int(np.searchsorted(where.space, list(SHEET.spaces).index("lane0.4")))
    found.put((place, 0))
    printed = make_scene(SHEET, TEXTURE).print.linear
    assert colors_of(found, kept, printed, colors_of_sheet(SHEET))[place].vain == (not stands)
