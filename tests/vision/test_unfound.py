"""What is said of pictures that lack light, focus or pixels; and that nothing is guessed where colours are lost."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.model import BoardLost, BoardSeen
from companion.vision import Scene, health, look, make_scene
from companion.vision.finding import unfound
from companion.vision.finding.by_markers import NO_MARKER, ONE_MARKER
from companion.vision.finding.markers import sure_markers
from companion.vision.finding.patches import UNLIKE
from companion.vision.finding.registration import PUT_WHOLE, _with_way_out, register
from companion.vision.finding.settling import NOT_FOUND, TWO_BOARDS
from companion.vision.finding.unfound import (
    BLURRED,
    DARKEST,
    FROM_LOW,
    GLARING,
    HARDLY,
    TOO_DARK,
    TOO_SMALL,
    brightness,
    lacking,
)
from companion.vision.light.today import Light
from companion.vision.light.washed import dazzled
from companion.vision.view.grey import burnt_out, colourless

sys.path.insert(0, str(Path(__file__).parent))
import table_drawing as table

SPOTS = [(0, 90, 90), (1, 170, 90), (2, 211, 131), (3, 129, 211)]


@pytest.fixture(scope="module")
def scene() -> Scene:
    return make_scene(*table.board())


@pytest.fixture(scope="module")
def frame() -> np.ndarray:
    return table.draw(*table.board(), table.camera(25, 8), SPOTS)


def darker(frame: np.ndarray, times: float) -> np.ndarray:
    """So many times the levels, and the noise that a picture has anyway."""
    noise = np.random.default_rng(0).normal(0, 1, frame.shape)
    return np.clip(frame * times + noise, 0, 255).astype(np.uint8)


def burnt(frame: np.ndarray) -> np.ndarray:
    """Exposed ten times too long."""
    return np.clip(255 * 10 * (frame / 255.0) ** 2.2, 0, 255).astype(np.uint8)


@pytest.mark.long
def test_what_a_picture_lacks_is_said_with_the_way_out(scene: Scene, frame: np.ndarray) -> None:
    soft = cv2.resize(cv2.GaussianBlur(frame, (0, 0), 12), (480, 360))
    for spoilt, way in ((soft, BLURRED), (darker(frame, 0.08), TOO_DARK), (burnt(frame), GLARING)):
        grey = cv2.cvtColor(spoilt, cv2.COLOR_BGR2GRAY)
        assert lacking(grey) == way
    seen, _ = look(soft, scene)
    assert isinstance(seen, BoardLost) and "marker" in seen.reason and seen.reason.endswith(BLURRED)
    assert lacking(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)) == ""


def test_without_a_board_larger_pictures_or_the_whole_board_are_asked_for() -> None:
    small, large = np.full((240, 320), 90, np.uint8), np.full((960, 1280), 90, np.uint8)
    for grey in (small, large):
        grey[60:180, 80:240] = 160
    assert "320×240" in _with_way_out(NO_MARKER, small) and "320×240" not in _with_way_out(UNLIKE, small)
    assert _with_way_out(NO_MARKER, large) == f"{NO_MARKER} {PUT_WHOLE}" and _with_way_out(UNLIKE, large) == UNLIKE
    assert _with_way_out(NOT_FOUND, small).startswith(f"{NOT_FOUND} {PUT_WHOLE} If that does not help")
    assert _with_way_out(TWO_BOARDS, large // 8) == TWO_BOARDS


@pytest.mark.long
@pytest.mark.parametrize(("size", "reason"), [((1280, 960), UNLIKE), ((200, 150), TOO_SMALL)])
def test_a_board_too_small_to_be_made_out_is_not_said_to_be_another(size: tuple[int, int], reason: str) -> None:
    """Filmed (109007): the right board, two hundred pixels wide in a dim picture, was said not to be this game's."""
    sheet, texture = table.board()
    other = texture.copy()
    other[:, 160:1040] = other[160:1040] = 235
    cv2.putText(other, "Snakes", (170, 700), cv2.FONT_HERSHEY_DUPLEX, 7, (20, 20, 20), 40)
    picture = table.draw(sheet, other, table.camera(size=size), [])
    assert register(picture, make_scene(sheet, texture)) == reason


def test_a_white_picture_is_said_to_be_white() -> None:
    assert "white" in str(health(np.full((480, 640, 3), 254, np.uint8)))
    assert "blank" in str(health(np.full((480, 640, 3), 90, np.uint8)))


@pytest.mark.long
def test_a_board_in_the_dark_is_not_guessed_at_and_read_again_in_the_light(scene: Scene, frame: np.ndarray) -> None:
    """Boards at 3 % of the light (own renderer, seed 1201): bases of four were surely read as empty."""
    first, memory = look(frame, scene)
    lost, memory = look(darker(frame, 0.12), scene, replace(memory, glance=None, read=None), 1.0)
    assert isinstance(lost, BoardLost) and lost.reason == TOO_DARK
    seen, memory = look(frame, scene, memory, 2.0)
    assert isinstance(first, BoardSeen) and isinstance(seen, BoardSeen)
    assert {n: s.content for n, s in seen.spaces.items()} == {n: s.content for n, s in first.spaces.items()}
    assert isinstance(look(darker(frame, 0.4), scene)[0], BoardSeen)


def test_how_bright_a_board_is_does_not_depend_on_what_lies_beyond_the_picture(scene: Scene) -> None:
    flat = np.zeros((375, 375, 3), np.uint8)
    flat[:, :60] = 200
    beyond = np.zeros((375, 375), bool)
    beyond[:, 60:] = True
    assert brightness(flat, scene, beyond) > 0.7 and DARKEST > brightness(flat // 8, scene, beyond) > 0.08
    assert brightness(flat, scene, np.ones_like(beyond)) == 1.0


def test_a_burnt_out_picture_is_not_called_grey(frame: np.ndarray) -> None:
    grey = cv2.merge([cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)] * 3)
    assert colourless(grey) and not burnt_out(grey)
    grey[::2] = 255
    assert burnt_out(grey)


def test_a_white_piece_where_the_light_burns_the_board_out_looks_as_the_board_does() -> None:
    """Game of God, four times too bright (own renderer, seed 1201/6): white discs were surely read as nothing."""
    flat = np.full((20, 40, 3), 120, np.uint8)
    flat[:, :20] = (255, 254, 235)
    pixels = np.array([[5, 45, 90], [25, 65, 110]])
    bright = Light(4 * np.eye(3), np.zeros(3), np.zeros((6, 3)))
    rings = pixels, np.ones(pixels.shape, bool)
    white, red = np.array([[0.8, 0.8, 0.8]]), np.array([[0.02, 0.02, 0.6]])
    assert dazzled(flat, bright, white, rings).tolist() == [True, False]
    assert not dazzled(flat, bright, red, rings).any()


def test_markers_of_two_boards_are_told_in_any_corner_of_the_picture(scene: Scene) -> None:
    """The two were taken for one marker where they lay nearer to each other than far from the picture's diagonal."""
    alone = table.draw(*table.board(), table.camera(10, 3, size=(640, 480)))
    wide = np.full((480, 3 * 640, 3), 90, np.uint8)
    wide[:, 640:1280] = wide[:, 1280:] = alone
    assert sure_markers(cv2.cvtColor(wide, cv2.COLOR_BGR2GRAY), scene)[1] == {0, 1, 2, 3}


def test_a_picture_on_end_is_no_smaller_than_the_same_across() -> None:
    grey = np.full((1280, 960), 90, np.uint8)
    grey[320:640, 240:480] = 160
    assert _with_way_out(NO_MARKER, grey) == f"{NO_MARKER} {PUT_WHOLE}"


def test_a_camera_as_low_as_the_pieces_is_to_be_put_higher(scene: Scene) -> None:
    """Of so low a camera all that the pieces may hide was worked out, for minutes."""
    tall = make_scene(replace(scene.sheet, piece=replace(scene.sheet.piece, height=50.0)), scene.printed)
    frame = table.draw(*table.board(), table.camera(80))
    assert isinstance(look(frame, scene)[0], BoardSeen)
    seen, memory = look(frame, tall)
    assert isinstance(seen, BoardLost) and seen.reason == unfound.TOO_LOW and memory.view is None


def test_of_a_camera_so_low_that_few_markers_can_be_read_it_is_said_where_it_stands(scene: Scene) -> None:
    """All four lay free on the table, and to free the others was all that was said."""
    small = (640, 480)
    reason = str(register(table.draw(*table.board(), table.camera(78, 40, small)), scene))
    assert reason.startswith(ONE_MARKER) and FROM_LOW in reason
    hidden = table.draw(*table.board(), table.camera(40, 10, small))
    hidden[:, :460] = 90
    reason = str(register(hidden, scene))
    assert reason.startswith(ONE_MARKER) and FROM_LOW not in reason


def test_of_markers_none_of_which_can_be_read_it_is_said_that_they_are_small_or_blurred(scene: Scene) -> None:
    """All four lay free on the table, far from a camera a little out of focus, and the others were to be freed."""
    near = table.draw(*table.board(), table.camera(40, 10, (640, 480)))
    far = np.full((720, 1280, 3), 90, np.uint8)
    far[200:440, 400:720] = cv2.GaussianBlur(cv2.resize(near, (320, 240), interpolation=cv2.INTER_AREA), (0, 0), 1.2)
    reason = str(register(far, scene))
    assert "free the others" in reason and HARDLY in reason
    near[:, :460] = 90
    assert HARDLY not in str(register(near, scene)), "what can be read is neither small nor blurred"


@pytest.mark.long
def test_a_black_board_is_read() -> None:
    sheet, texture = table.board()
    middle, white = slice(130, -130), texture.min(axis=2) > 245
    black = np.where(white[..., None], np.uint8(250), np.uint8(0)).repeat(3, 2)
    texture[middle], texture[:, middle] = black[middle], black[:, middle]
    scene = make_scene(sheet, texture)
    assert unfound.light_parts(scene.empty) == 0
    seen, _ = look(table.draw(sheet, texture, table.camera()), scene)
    assert isinstance(seen, BoardSeen)
