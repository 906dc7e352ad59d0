"""An empty space on which a pawn would hardly show is not surely empty; one on which half of it would is."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from companion.model import SpaceSeen
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import Scene, make_scene
from companion.vision.board.standing import Match
from companion.vision.finding.registration import register
from companion.vision.measuring import make_view
from companion.vision.reading.crowded_out import crowded_out
from companion.vision.sight import read
from companion.vision.view.pose import Pose

SHEET, TEXTURE, _ = printed_board("parcheesi")
BEFORE, BETWEEN, BEHIND = "t57", "t58", "t59"
"""Three spaces, one behind the other as the camera sees them."""


@lru_cache
def scene() -> Scene:
    return make_scene(SHEET, TEXTURE)


def painted(closer: float) -> np.ndarray:
    """A pawn before an empty space and one behind it, both so many mm nearer to it than the middles of their own."""
    pawns = []
    for seat, name in enumerate((BEFORE, BEHIND)):
        at = SHEET.spaces[name]
        pawns.append(Pawn(seat, name, (at.x, at.y + closer * np.sign(SHEET.spaces[BETWEEN].y - at.y))))
    return Painter(SHEET, TEXTURE, View(tilt=56, noise=1.5, brightness=0.85), np.random.default_rng(4)).paint(pawns)


def between(closer: float) -> SpaceSeen:
    """How the space between the two is read."""
    frame = painted(closer)
    pose = register(frame, scene())
    assert isinstance(pose, Pose), pose
    spaces, _ = read(frame, scene(), make_view(pose, scene()))
    assert spaces[BEFORE].content == (0,) and spaces[BEHIND].content == (1,)
    assert min(spaces[name].confidence for name in (BEFORE, BEHIND)) > 0.97
    return spaces[BETWEEN]


@pytest.mark.long(but=("3.0",))
@pytest.mark.parametrize("closer", [0.0, 3.0])
def test_a_space_between_two_pawns_is_surely_empty(closer: float) -> None:
    seen = between(closer)
    assert seen.content == () and seen.confidence > 0.97


def test_a_space_on_which_a_pawn_would_hardly_show_is_not_surely_empty() -> None:
    """Drawn pictures of 640 × 480: a pawn between two others was nothing, surely, as what is seen of it was taken for a
    part of one of these."""
    seen = between(6.0)
    assert seen.content == () and 0.5 < seen.confidence < 0.9


@pytest.mark.long
def test_only_spaces_with_nothing_on_them_and_pawns_beside_them_are_asked() -> None:
    pose = register(painted(0.0), scene())
    assert isinstance(pose, Pose)
    where, names = make_view(pose, scene()).places, list(SHEET.spaces)
    pixels, every = where.shape[0] * where.shape[1], np.ones(len(where.feet), bool)
    nothing = np.zeros((pixels, len(SHEET.colors)), np.float32)

    def told(*spaces: str) -> set[str]:
        put = [(int(np.flatnonzero(where.middle & (where.space == names.index(name)))[0]), 0) for name in spaces]
        return {names[index] for index in crowded_out(Match(where, nothing, 11.0, every, nothing[:, 0], put))}

    assert told() == set()
    assert told(BEFORE) == told(BEFORE, BETWEEN, BEHIND) == set()
