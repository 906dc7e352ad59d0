"""A picture of which the channels come in the wrong order: red is shown as blue, and blue as red."""

from __future__ import annotations

import random

import numpy as np
import pytest

from calibration.check import check
from calibration.sheet import BOARDS
from companion.games.catalogue import game_for
from companion.model import BoardLost, ImageError
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Tabletop
from companion.vision import Scene, look, make_scene
from companion.vision.finding.registration import register
from companion.vision.finding.swapped import SWAPPED, SWAPPED_OR_PHOTO
from companion.vision.view.pose import Frame, Pose

GAINS = {"as it is": (1.0, 1.0, 1.0), "a candle": (0.1, 0.4, 1.0), "a blue lamp": (1.0, 0.4, 0.1)}


def taken(game: str) -> tuple[Frame, Scene]:
    """A picture of a printed board on which a game begins, and how the eyes know it."""
    rules = game_for(game, (0, 1, 2, 3), {})
    sheet, texture, _ = printed_board(game)
    table = Tabletop(sheet, random.Random(1))
    table.set_up(rules.position(rules.opening(rules.seats[0])))
    frame = Painter(sheet, texture, View().fitted(sheet), np.random.default_rng(2)).paint(table.pawns)
    return frame, make_scene(sheet, texture)


def put_the_other_way_round(frame: Frame) -> Frame:
    return np.ascontiguousarray(frame[..., ::-1])


@pytest.mark.parametrize("game", BOARDS)
def test_a_picture_that_shows_red_as_blue_is_told_and_not_read(game: str) -> None:
    frame, scene = taken(game)
    seen, _ = look(put_the_other_way_round(frame), scene)
    assert seen == BoardLost(0.0, SWAPPED)
    health, pose = check(put_the_other_way_round(frame), scene)
    assert pose is None and not health.playable
    assert [(found.text, found.advice) for found in health.findings] == [(SWAPPED, "")]


@pytest.mark.parametrize("light", GAINS)
def test_light_of_any_colour_does_not_make_red_blue(light: str) -> None:
    frame, scene = taken("parcheesi")
    lit = ((frame / 255) ** 2.2 * GAINS[light]) ** (1 / 2.2) * 255
    assert isinstance(register(np.round(lit).astype(np.uint8), scene), Pose)


def test_a_photo_of_the_empty_board_may_be_the_one_that_is_wrong() -> None:
    frame, scene = taken("parcheesi")
    photo = put_the_other_way_round(frame)
    assert scene.printed is not None
    of_photo = make_scene(scene.sheet, None, photo, _corners(frame, scene))
    assert isinstance(register(photo, of_photo), Pose)
    assert register(frame, of_photo) == SWAPPED_OR_PHOTO
    with pytest.raises(ImageError, match="takes RGB for BGR"):
        make_scene(scene.sheet, scene.printed, photo)


def _corners(frame: Frame, scene: Scene) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Where the corners of the board lie in a picture, as landmarks."""
    pose = register(frame, scene)
    assert isinstance(pose, Pose)
    places = [(x, y) for x in (0.0, scene.sheet.width) for y in (0.0, scene.sheet.height)]
    return np.hstack([np.array(places), pose.project(places)])
