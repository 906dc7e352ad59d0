"""Two pieces that were first taken for one between them, for it explains most of both, are two in the end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import table_drawing as table

from companion.model import BoardSeen, SpaceSeen
from companion.vision import look, make_scene
from companion.vision.board import matching
from companion.vision.board.standing import Put

SPACE = "lane0.1"
"""Red's own, and red: what is seen of a red pawn there says little, so one in the middle does for two."""


def seen_of_two(tilt: float, gap: float, turn: float) -> SpaceSeen:
    """How the space is read on which two red pawns touch. tilt: degrees; gap: mm; turn: radians."""
    sheet, texture = table.board()
    middle = sheet.spaces[SPACE]
    dx, dy = gap / 2 * np.cos(turn), gap / 2 * np.sin(turn)
    pawns = [(0, middle.x - dx, middle.y - dy), (0, middle.x + dx, middle.y + dy)]
    seen, _ = look(table.draw(sheet, texture, table.camera(tilt=tilt), pawns), make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen)
    return seen.spaces[SPACE]


@pytest.mark.long(but=("15-12.1-1.15",))
@pytest.mark.parametrize(("tilt", "gap", "turn"), [(20, 12.2, 1.13), (25, 12.3, 1.38), (15, 12.1, 1.15)])
def test_one_that_was_put_between_two_is_split(
    monkeypatch: pytest.MonkeyPatch, tilt: float, gap: float, turn: float
) -> None:
    space = seen_of_two(tilt, gap, turn)
    assert space.content == (0, 0) and space.confidence > 0.97
    monkeypatch.setattr(matching, "_split", lambda *_: None)
    assert seen_of_two(tilt, gap, turn).content == (0,), "no picture of two that are first taken for one"


@pytest.mark.long(but=("20-12.2-1.13",))
@pytest.mark.parametrize(("tilt", "gap", "turn"), [(20, 12.2, 1.13), (25, 12.3, 1.38)])
def test_one_that_two_would_explain_nearly_as_well_is_no_longer_sure(
    monkeypatch: pytest.MonkeyPatch, tilt: float, gap: float, turn: float
) -> None:
    """Two that stand one behind the other were surely one: nobody had asked how well two would do."""

    def nearly(*asked: Any, best: Any = matching._best_pair, **how: bool) -> tuple[float, list[Put]]:
        return 5.0, best(*asked, **how)[1]

    monkeypatch.setattr(matching, "_best_pair", nearly)
    space = seen_of_two(tilt, gap, turn)
    assert space.content == (0,) and space.confidence < 0.9
    assert space.likelihoods[(0, 0)] > -2
