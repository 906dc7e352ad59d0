"""What else may stand on one space: a piece more, one fewer, one of another colour."""

from __future__ import annotations

import numpy as np
import pytest
import table_drawing as table

from companion.vision import make_scene
from companion.vision.reading import _read_one
from companion.vision.sight import make_view
from companion.vision.standing import Match


@pytest.mark.parametrize("far", [False, True])
def test_a_piece_near_which_nothing_else_may_stand_is_weighed_against_nothing(far: bool) -> None:
    """Places where a piece may stand are those round which something is seen; all may be far from this one."""
    sheet, texture = table.board()
    view = make_view(table.camera(), make_scene(sheet, texture))
    where, name = view.places, next(name for name, space in sheet.spaces.items() if space.is_area)
    index = list(sheet.spaces).index(name)
    here = np.flatnonzero(where.space == index)
    apart = np.linalg.norm(where.feet[here] - where.feet[here[0]], axis=1)
    busy = np.zeros(len(where.feet), bool)
    busy[here[(apart > 11) if far else (apart < 9)]] = True
    evidence = np.full((where.shape[0] * where.shape[1], 4), 1.0, np.float32)
    found = Match(where, evidence, 15.0, busy, evidence[:, 0], [(int(here[0]), 2)])
    levels = _read_one(found, index, [0, 1, 2, 3])
    assert levels[2,] == 0.0 and levels[()] < -10
    assert ((0,) in levels) is not far
