"""A disc that looks nearly like its square stands out from the square's rim: such a square is not surely empty."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest
import table_drawing as table

from companion.model import BoardSeen, Piece, Space, SpaceSeen
from companion.service.boards.configured import printed_board
from companion.vision import Scene, look, make_scene
from companion.vision.board.again import Kept
from companion.vision.board.standing import Match
from companion.vision.colors.paints import colors_of_sheet
from companion.vision.measuring import make_view
from companion.vision.reading.contrast import _OFF, _nats, contrasted
from companion.vision.sight import read
from companion.vision.view.pose import Pose
from companion.vision.view.scene import PIXELS_PER_MM

SHEET, TEXTURE, _ = printed_board("game-of-god")
SIZE = (1100, 900)


@lru_cache
def scene() -> Scene:
    return make_scene(SHEET, TEXTURE)


@lru_cache
def empty_board() -> tuple[Kept, dict[str, SpaceSeen]]:
    """What is kept of a look at the empty board, drawn in a warm lamp that stands on the left."""
    shift = (-SHEET.width / 2, -SHEET.height / 2, 620.0 * SHEET.height / 360)
    pose = Pose(900.0, 0.0, (0.0, 0.0, 0.0), shift, SIZE, 0.0)
    corners = np.array([(0, 0), (SHEET.width, 0), (SHEET.width, SHEET.height), (0, SHEET.height)])
    rows, cols = TEXTURE.shape[:2]
    source = np.float32([(0, 0), (cols, 0), (cols, rows), (0, rows)])
    shape = cv2.getPerspectiveTransform(source, pose.project(corners).astype(np.float32))
    table = np.full((SIZE[1], SIZE[0], 3), (60, 80, 100), np.uint8)
    picture = cv2.warpPerspective(cv2.GaussianBlur(TEXTURE, (0, 0), 1.5), shape, SIZE, table, cv2.INTER_AREA,
                                  cv2.BORDER_TRANSPARENT)  # fmt: skip
    light = np.array([0.55, 0.75, 0.85]) * (1 - 0.4 * np.linspace(0, 1, SIZE[0]))[None, :, None]
    seen = np.clip((picture / 255.0) ** 2.2 * light, 0, 1) ** (1 / 2.2) * 255
    noisy = np.clip(seen + np.random.default_rng(3).normal(0, 2, seen.shape), 0, 255).astype(np.uint8)
    found, memory = look(noisy, scene())
    assert isinstance(found, BoardSeen) and memory.look is not None and memory.look.kept is not None, found
    return memory.look.kept, dict(found.spaces)


def with_patch(name: str, gain: tuple[float, float, float], radius: float) -> dict[str, SpaceSeen]:
    """The readings of the empty board, but that within a disc on one square the light is another one."""
    kept, spaces = empty_board()
    space, flat = SHEET.spaces[name], kept.flat.copy()
    mask = np.zeros(flat.shape[:2], np.uint8)
    at = round(space.x * PIXELS_PER_MM), round(space.y * PIXELS_PER_MM)
    cv2.circle(mask, at, round(radius * PIXELS_PER_MM), 1, -1)
    lit = (flat[mask > 0] / 255.0) ** 2.2 * gain
    flat[mask > 0] = np.clip(lit, 0, 1) ** (1 / 2.2) * 255
    evidence = np.full((mask.size, len(SHEET.colors)), -2.3, np.float32)
    nothing = Match(kept.places, evidence, 20.0, np.zeros(len(kept.places.feet), bool), evidence[:, 0])
    paints = dict(zip(sorted(SHEET.colors), colors_of_sheet(SHEET), strict=True))
    return contrasted(nothing, replace(kept, flat=flat), scene(), paints, spaces, {})


def light_square() -> str:
    kept, _ = empty_board()
    bright = {}
    for name, space in SHEET.spaces.items():
        y, x = round(space.y * PIXELS_PER_MM), round(space.x * PIXELS_PER_MM)
        bright[name] = float(np.median(kept.today.surface.linear[y - 15 : y + 15, x - 15 : x + 15]))
    return max(bright, key=lambda name: bright[name])


@pytest.mark.long
def test_a_white_disc_on_a_light_square_is_not_surely_nothing() -> None:
    name = light_square()
    seen = with_patch(name, (1.35, 1.15, 1.12), SHEET.piece.diameter / 2)
    assert not seen[name].content and seen[name].confidence < 0.9
    likely = seen[name].likelihoods
    white = max((seat for seat in SHEET.colors), key=lambda seat: likely[seat,])
    assert SHEET.colors[white] == max(SHEET.colors.values(), key=lambda color: int(color[1:3], 16) + int(color[5:], 16))


def test_the_other_squares_are_as_surely_empty_as_before() -> None:
    name = light_square()
    seen = with_patch(name, (1.35, 1.15, 1.12), SHEET.piece.diameter / 2)
    assert min(space.confidence for other, space in seen.items() if other != name) > 0.99


def test_light_that_falls_on_a_whole_square_is_no_disc() -> None:
    name = light_square()
    seen = with_patch(name, (1.35, 1.15, 1.12), 1.5 * SHEET.spaces[name].radius)
    assert seen[name].confidence > 0.97


def test_a_disc_that_mirrors_a_lamp_may_be_of_any_colour() -> None:
    """However bright: the lamp's light is added to its own. The square round about shows no image of the lamp."""
    name = light_square()
    seen = with_patch(name, (4.0, 3.0, 2.5), SHEET.piece.diameter / 2)
    assert seen[name].confidence < 0.5
    assert all(seen[name].likelihoods[seat,] > -1 for seat in SHEET.colors)
    lamp = with_patch(name, (4.0, 3.0, 2.5), 2 * SHEET.piece.diameter)
    assert lamp[name].confidence > 0.97


def test_a_disc_may_be_as_far_off_its_paint_as_a_square_off_its_print() -> None:
    """An orange disc on tan oak, measured in a film: eight times as far off the print in brightness as empty squares
    are, six and five times in hue; and not quite its paint either. It was surely nothing."""
    square = _nats(np.array([0.153, 0.057, 0.031]), np.array([0.018, 0.008, 0.006]))
    assert -3 < _nats(np.array([0.6, 0.2, 0.1]), _OFF) - square < 0  # -6 if what is rare never happened to paint
    assert _nats(np.array([2.0, 0.6, 0.6]), _OFF) - square < -5


@pytest.mark.long
def test_a_square_whose_middle_lies_beside_the_board_is_not_judged_by_it() -> None:
    """Nothing of the middle is seen: what stood for it was the last pixel of the view."""
    sheet, texture = table.board()
    spaces = sheet.spaces | {"beside": Space("beside", -8.0, 110.0, 20.0)}
    board = make_scene(replace(sheet, spaces=spaces, piece=Piece("disc", 12.0, 3.0)), texture)
    pose = table.camera(tilt=10.0, turn=0.0)
    seen, left = read(table.draw(sheet, texture, pose), board, make_view(pose, board))
    assert left.kept is not None and not seen["beside"].covered
    flat = left.kept.flat.copy()
    flat[-1, -1] = (0, 0, 120)
    evidence = np.full((flat.size // 3, 4), -2.3, np.float32)
    nothing = Match(left.kept.places, evidence, 12.0, np.zeros(len(left.kept.places.feet), bool), evidence[:, 0])
    paints = dict(zip(sorted(sheet.colors), colors_of_sheet(sheet), strict=True))
    told = contrasted(nothing, replace(left.kept, flat=flat), board, paints, dict(seen), {})
    assert told["beside"] == seen["beside"]
