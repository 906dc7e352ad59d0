"""A picture in which a board is found mirrored, since it nearly is its own mirror image."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from calibration.check import check
from calibration.evidence.bad_input import scene_of, setting
from companion.vision.finding.mirror import shows_mirrored
from companion.vision.finding.registration import register
from companion.vision.finding.settling import MIRRORED
from companion.vision.view.pose import Frame, Pose

SEED = 848484


@lru_cache
def taken(number: int, game: str) -> Frame:
    """A picture of a board of one's own, in the middle of a game."""
    return setting(SEED, number, game, own=True).taken()[0]


@pytest.mark.long
@pytest.mark.parametrize(("number", "game"), [(0, "aggravation"), (2, "gloria")], ids=["aggravation", "gloria"])
def test_a_board_that_is_found_mirrored_is_told_and_one_as_it_is_is_not(number: int, game: str) -> None:
    frame, scene = taken(number, game), scene_of(setting(SEED, number, game, own=True).kind, True)
    flipped = np.ascontiguousarray(frame[:, ::-1])
    pose = register(frame, scene)
    assert isinstance(pose, Pose) and not shows_mirrored(frame, scene, pose)
    assert register(flipped, scene) == MIRRORED


@pytest.mark.long
def test_the_health_check_names_it() -> None:
    frame, scene = taken(0, "aggravation"), scene_of(setting(SEED, 0, "aggravation", own=True).kind, True)
    health, pose = check(np.ascontiguousarray(frame[:, ::-1]), scene)
    assert pose is None and not health.playable and [found.text for found in health.findings] == [MIRRORED]
    assert check(frame, scene)[1] is not None
