"""A lamp mirrored in a quarter of a varnished board is no course of the light, which would be many times as bright."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
import table_drawing as table
from light_drawing import lit

from calibration.evidence.making import printed
from companion.vision import make_scene
from companion.vision.light.mirrored import unmirrored
from companion.vision.light.today import estimate_light
from companion.vision.measuring import make_view
from companion.vision.sight import read
from companion.vision.view.pose import Flat, Frame
from companion.vision.view.scene import Scene

CORNERS = np.array([(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)])
BROWN, TAN = (0.016, 0.02, 0.03), (0.05, 0.14, 0.33)
"""Squares of dark and of light wood, linear BGR: hardly anything of them is blue."""


@lru_cache
def wooden() -> tuple[Scene, Flat]:
    """A chequered board of wood, and how it is printed, linear BGR."""
    sheet, image = printed("game-of-god", (("size", 8),))
    wood = np.full(image.shape, TAN, np.float64)
    scale = image.shape[1] / sheet.width
    for number, space in enumerate(sheet.spaces.values()):
        if (number // 8 + number) % 2:
            half, x, y = sheet.width / 20 * scale, space.x * scale, space.y * scale
            wood[int(y - half) : int(y + half), int(x - half) : int(x + half)] = BROWN
    keep = image.min(axis=2) < 60  # the markers stay
    wood[keep] = 0.01
    return make_scene(sheet, as_picture(wood)), wood


def as_picture(light: Flat) -> Frame:
    return np.asarray((np.clip(light, 0, 1) ** (1 / 2.2) * 255).round(), np.uint8)


def mirroring(picture: Flat, added: float, wide: float) -> Flat:
    """The picture in a lamp's light, which falls off to one side, with its image, so wide, in the lower right."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]] / picture.shape[0]
    image = added * np.exp(-((x - 0.85) ** 2 + (y - 0.85) ** 2) / (2 * wide**2))
    return picture * np.exp(0.6 * (x - 0.5))[..., None] + image[..., None] * (1.0, 0.97, 0.9)


def seen(picture: Flat, scene: Scene) -> Frame:
    return np.asarray(cv2.resize(as_picture(picture), scene.print.picture.shape[1::-1], interpolation=cv2.INTER_AREA))


@pytest.mark.long(but=("1.0-0.25",))
@pytest.mark.parametrize(("added", "wide"), [(0.2, 0.35), (0.4, 0.25), (0.7, 0.35), (1.0, 0.25)])
def test_the_light_is_what_it_is_without_the_lamp_s_image(added: float, wide: float) -> None:
    scene, wood = wooden()
    usual, found = (estimate_light(seen(mirroring(wood, more, wide), scene), scene.print) for more in (0.0, added))
    white, white_found = (light.field_at(CORNERS) * light.of_color(np.ones(3)) for light in (usual, found))
    assert np.abs(np.log(white_found / white)).max() < 0.9, "in one corner it was up to 17 times as bright"


def test_where_nothing_is_mirrored_all_samples_count() -> None:
    rng = np.random.default_rng(1)
    at, ink = rng.uniform(-1, 1, (2, 2000)).astype(np.float32), rng.integers(0, 2, 2000)
    board = np.array([BROWN, TAN], np.float32)[ink].T
    assert unmirrored(at, ink, board, board * 0.7) is None
    lit = (at > 0).all(axis=0)
    left = unmirrored(at, ink, board, board + 0.3 * lit)
    assert left is not None and not lit[left].any() and len(left) > 0.7 * len(ink)


@pytest.mark.long(but=("0.09-4",))
@pytest.mark.parametrize(("added", "steep"), [(0.09, 4), (0.12, 4), (0.12, 6)])
def test_a_lamp_that_is_mirrored_in_the_whole_board_leaves_nothing_to_tell_it_by(added: float, steep: float) -> None:
    """No sample was left then, and the look ended in an error."""
    sheet, texture = table.board()
    scene, view = make_scene(sheet, texture), table.camera()
    frame = table.draw(sheet, texture, view, [(0, 90, 90), (3, 210, 130)])
    across = np.arange(frame.shape[1]) / frame.shape[1] * np.ones((frame.shape[0], 1))
    spaces, _ = read(lit(frame, 0.4, added * np.exp(steep * across)), scene, make_view(view, scene))
    assert spaces.keys() == sheet.spaces.keys()
