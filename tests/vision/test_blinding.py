"""Pieces beside a lamp's image that burns out: what it adds to them nobody knows, so that their colour is a doubt."""

from __future__ import annotations

import numpy as np
import pytest
from light_drawing import lamp, lit

from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene
from companion.vision.sight import read

SHEET, TEXTURE, _ = printed_board("parcheesi")
SCENE = make_scene(SHEET, TEXTURE)
STOOD = {"t10": 0, "t12": 1, "t30": 2, "t48": 3, "t60": 1}


@pytest.mark.long(but=("t48",))
@pytest.mark.parametrize("space", list(STOOD))
def test_a_pawn_whose_neighbourhood_burns_out_is_not_told_for_sure(space: str) -> None:
    painter = Painter(SHEET, TEXTURE, View(tilt=25, noise=1.5).fitted(SHEET), np.random.default_rng(5))
    pawns = [Pawn(seat, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name, seat in STOOD.items()]
    frame = painter.paint(pawns)
    _, memory = look(frame, SCENE)
    assert memory.view is not None
    at = SHEET.spaces[space]
    (pixel,) = memory.view.pose.project([(at.x, at.y)])
    plain, _ = read(frame, SCENE, memory.view)
    assert all(plain[name].confidence > 0.97 for name in STOOD), "not lit, all are told"
    seen, _ = read(lit(frame, added=lamp(frame, tuple(pixel), 0.8, 60)), SCENE, memory.view)
    assert seen[space].confidence < 0.97 or seen[space].covered
    far = [name for name in STOOD if np.hypot(SHEET.spaces[name].x - at.x, SHEET.spaces[name].y - at.y) > 150]
    assert far and all(seen[name].content == (STOOD[name],) and seen[name].confidence > 0.97 for name in far)
