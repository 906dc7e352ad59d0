"""Pawns that are none: the image of a lamp in a space of their own colour, or that space beside such an image."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from light_drawing import lamp, lit

from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene
from companion.vision.board.standing import Match
from companion.vision.colors.hues import colors_of
from companion.vision.colors.lamplit import _in_glare, as_printed, between, image_of_lamp
from companion.vision.colors.paints import colors_of_sheet

SHEET, TEXTURE, _ = printed_board("gloria")
SPACE = SHEET.spaces["lane0.4"]
VIEW = View(tilt=2, noise=1.5, brightness=0.7).fitted(SHEET)


def test_what_the_lamp_adds_it_adds_in_all_channels_and_round_about() -> None:
    about = np.tile((0.09, 0.1, 0.1), (6, 1))
    grey = (0.36, 0.02, -0.1)
    here = [(0.075, 0.08, 0.08), (0.5, 0.45, 0.1), (0.1, 0.1, 0.02), *((more, more, more) for more in grey)]
    assert image_of_lamp(np.array(here), about).tolist() == [True, False, False, False, False, False]
    assert not image_of_lamp(np.array(here), np.zeros((6, 3))).any(), "nothing is added round about"


def test_where_a_lamp_burns_out_what_is_nowhere_darker_than_the_board_may_be_none() -> None:
    """The yellow rings of empty holes were yellow marbles with 1.0: red burns out there, and holes mirror less."""
    about = np.tile((0.57, 0.52, 0.25), (4, 1))
    here = np.array([(0.3, 0.51, 0.22), (0.4, 0.29, 0.04), (-0.2, 0.3, 0.3), (-0.6, -0.5, -0.4)])
    assert _in_glare(here, about).tolist() == [True, True, False, False], "a blue marble, and a black one"
    assert not _in_glare(here, 0.4 * about).any(), "a faint image leaves the colours to be told"


@pytest.mark.long(but=("True",))
@pytest.mark.parametrize("stands", [False, True])
def test_a_red_pawn_is_told_from_the_image_of_a_lamp_in_its_red_space(stands: bool) -> None:
    """Seen from straight above the pale red was a red pawn with 0.986."""
    painter = Painter(SHEET, TEXTURE, VIEW, np.random.default_rng(5))
    frame = painter.paint([Pawn(0, "lane0.4", (SPACE.x, SPACE.y))] if stands else [])
    x, y = painter.project([(SPACE.x, SPACE.y, 0.0)])[0]
    _, memory = look(lit(frame, added=lamp(frame, (x, y), 0.12, 60)), make_scene(SHEET, TEXTURE))
    assert memory.look is not None and memory.look.kept is not None
    kept = memory.look.kept
    where = kept.places
    found = Match(where, kept.told.open, 11.0, np.zeros(len(where.feet), bool), kept.told.most)
    place = int(np.searchsorted(where.space, list(SHEET.spaces).index("lane0.4")))
    found.put((place, 0))
    scene = make_scene(SHEET, TEXTURE)
    hues = colors_of(found, kept, scene.print.linear, colors_of_sheet(SHEET), scene.usual)
    assert hues[place].vain == (not stands)


@pytest.mark.parametrize("stands", [False, True])
def test_a_red_space_beside_a_lamp_s_image_on_the_other_red_ones_is_no_red_pawn(stands: bool) -> None:
    """The ink was taken for paler than it is printed, as most of it is seen: the rest was a pawn with 0.984."""
    painter = Painter(SHEET, TEXTURE, VIEW, np.random.default_rng(5))
    pawns = [Pawn(0, "lane0.4", (SPACE.x, SPACE.y))] if stands else []
    _, memory = look(painter.paint(pawns), make_scene(SHEET, TEXTURE))
    assert memory.look is not None and memory.look.kept is not None
    kept, where = memory.look.kept, memory.look.kept.places
    found = Match(where, kept.told.open, 11.0, np.zeros(len(where.feet), bool), kept.told.most)
    place = int(np.searchsorted(where.space, list(SHEET.spaces).index("lane0.4")))
    paler = replace(kept.today, inks=kept.today.inks * (2.2, 2.0, 1.2))
    for today, told in ((paler, not stands), (kept.today, False)):
        assert as_printed(found, np.array([place]), kept.flat, today).tolist() == [told]


def test_what_lies_between_two_looks_is_either_and_what_lies_beside_them_is_not() -> None:
    way = np.array([-0.8, -0.3, -1.5])
    here = np.array([0 * way, 0.6 * way, way, 1.3 * way, way + np.array([0.3, 0, 0]), -0.3 * way])
    assert between(here, np.tile(way, (6, 1))).tolist() == [True, True, True, False, False, False]
