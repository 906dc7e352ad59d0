"""A board that the eyes cannot find lies where somebody shows it to, and is followed from there."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.model import BoardLost, BoardSeen
from companion.vision import Memory, Scene, look, make_scene
from companion.vision.finding.registration import register
from companion.vision.finding.shown import CROOKED, OTHER_WAY, TURNED, Showing, Shown, as_shown, show
from companion.vision.finding.unfound import TOO_LOW
from companion.vision.view.pose import Frame, Pose, pushed

sys.path.insert(0, str(Path(__file__).parent))
import table_drawing as table

LOW = table.camera(86.5)
CORNERS = np.array([(0, 0), (table.SIDE, 0), (table.SIDE, table.SIDE), (0, table.SIDE)], np.float64)
PIECES = [(0, 130.0, 90.0), (2, 90.0, 210.0)]
DIM = (0.025, 0.025, 0.025)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return make_scene(*table.squares())


def seen(pose: Pose, light: tuple[float, float, float] = DIM, pieces: list = PIECES, noise: float = 3.0) -> Frame:
    return table.draw(*table.squares(), pose, pieces, light, noise=noise)


def tapped(frame: Frame, pose: Pose, off: float = 2.0) -> Showing:
    taps = pose.project(CORNERS) + np.random.default_rng(2).uniform(-off, off, (4, 2))
    return Showing(frame, CORNERS, taps)


def worst(found: Pose, truth: Pose) -> float:
    return float(np.abs(found.project(CORNERS) - truth.project(CORNERS)).max())


@pytest.fixture(scope="module")
def there(scene: Scene) -> Shown:
    shown = show(tapped(seen(table.camera()), table.camera()), scene)
    assert isinstance(shown, Shown)
    return shown


def grey(frame: Frame) -> Frame:
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)


def test_corners_tapped_from_as_low_as_the_pieces_are_no_place_to_play(scene: Scene) -> None:
    assert show(Showing(seen(LOW), CORNERS, LOW.project(CORNERS)), scene) == TOO_LOW


@pytest.mark.long
@pytest.mark.parametrize("noise", [3.0, 12.0])
def test_a_dim_board_is_found_by_its_squares(scene: Scene, noise: float) -> None:
    found = register(seen(table.camera(), noise=noise), scene)
    assert isinstance(found, Pose) and worst(found, table.camera()) < 1


@pytest.mark.long
def test_a_board_in_noise_is_not_found_until_it_is_shown(scene: Scene, there: Shown) -> None:
    frame = seen(table.camera(), noise=32.0)
    assert isinstance(register(frame, scene), str)
    assert worst(there.pose, table.camera()) < 5 and there.doubt == ""
    assert register(frame, scene, None, there) is there.pose
    lost, memory = look(frame, scene)
    assert isinstance(lost, BoardLost)
    sighting, memory = look(frame, scene, Memory(shown=there), 0.0)
    assert isinstance(sighting, BoardSeen) and sighting.spaces.keys() == scene.sheet.spaces.keys()
    assert memory.shown is there, "the next look knows it, too"


def test_taps_are_made_exact_where_the_board_can_be_made_out() -> None:
    sheet, texture = table.board()
    scene, pose = make_scene(replace(sheet, markers=None), texture), table.camera()
    shown = show(tapped(table.draw(sheet, texture, pose, PIECES), pose, 6.0), scene)
    assert isinstance(shown, Shown) and worst(shown.pose, pose) < 1


@pytest.mark.parametrize("order", [(3, 2, 1, 0), (0, 3, 2, 1)])
def test_corners_that_go_round_the_other_way_are_refused(scene: Scene, order: tuple[int, ...]) -> None:
    showing = tapped(seen(table.camera()), table.camera())
    assert show(replace(showing, taps=showing.taps[list(order)]), scene) == OTHER_WAY


@pytest.mark.parametrize(
    "taps",
    [
        [(300, 200), (700, 200), (320, 210), (300, 600)],
        [(300, 200), (700, 600), (700, 200), (300, 600)],
        [(300, 200), (300, 200), (300, 200), (300, 200)],
        [(10, 10), (900, 10), (910, 20), (10, 700)],
    ],
)
def test_points_that_are_no_corners_of_a_board_are_refused(scene: Scene, taps: list[tuple[int, int]]) -> None:
    showing = Showing(seen(table.camera()), CORNERS, np.array(taps, np.float64))
    assert show(showing, scene) in (CROOKED, OTHER_WAY)


@pytest.mark.parametrize(("turn", "way"), [(1, "a quarter"), (2, "a half"), (3, "a quarter")])
def test_a_wrong_first_corner_is_doubted_where_the_eyes_see_it(turn: int, way: str) -> None:
    sheet, texture = table.board()
    scene, pose = make_scene(replace(sheet, markers=None), texture), table.camera()
    showing = tapped(table.draw(sheet, texture, pose, PIECES), pose)
    shown = show(replace(showing, taps=np.roll(showing.taps, turn, axis=0)), scene)
    assert isinstance(shown, Shown) and shown.doubt == TURNED.format(way)


@pytest.mark.long
def test_pieces_that_moved_and_another_light_are_no_other_place(scene: Scene, there: Shown) -> None:
    moved = [(1, 210.0, 90.0), (3, 90.0, 130.0), (0, 255.0, 150.0), (2, 170.0, 210.0)]
    for light in (DIM, (0.03, 0.02, 0.02), (0.2, 0.22, 0.25)):
        assert as_shown(grey(seen(table.camera(), light, moved)), scene, there) is there.pose


@pytest.mark.long(but=("way0-0.0", "way4-0.0"))
@pytest.mark.parametrize(
    ("way", "degrees"),
    [((4.0, 3.0), 0.0), ((-30.0, 20.0), 4.0), ((60.0, 10.0), -11.0), ((75.0, 0.0), 0.0), ((150.0, 0.0), 0.0)],
)
def test_a_board_that_is_pushed_is_followed(
    scene: Scene, there: Shown, way: tuple[float, float], degrees: float
) -> None:
    """By two squares too, or four, though it then looks nearly the same where it lay."""
    middle = (table.SIDE / 2, table.SIDE / 2)
    truth = pushed(table.camera(), float(np.radians(degrees)), way, middle)
    found = as_shown(grey(seen(truth)), scene, there)
    assert found is not None and worst(found, truth) < worst(there.pose, table.camera()) + 3


@pytest.mark.parametrize("arm", [(250.0, 150.0), (150.0, 150.0), (60.0, 150.0)])
def test_an_arm_over_it_does_not_move_it(scene: Scene, there: Shown, arm: tuple[float, float]) -> None:
    frame = table.draw(*table.squares(), table.camera(), PIECES, DIM, noise=3.0, arm=arm)
    assert as_shown(grey(frame), scene, there) is there.pose


@pytest.mark.long
def test_a_board_pushed_out_of_the_picture_is_not_guessed_two_squares_off(scene: Scene, there: Shown) -> None:
    for way in ((187.5, 37.5), (75.0, 225.0), (225.0, 225.0)):
        truth = pushed(table.camera(), 0.0, way, (0.0, 0.0))
        assert as_shown(grey(seen(truth)), scene, there) is None


def test_a_camera_that_is_pushed_is_followed(scene: Scene, there: Shown) -> None:
    truth = table.camera(tilt=29.0, turn=12.0)
    found = as_shown(grey(seen(truth)), scene, there)
    assert found is not None and worst(found, truth) < worst(there.pose, table.camera()) + 4


@pytest.mark.long
def test_an_empty_table_another_board_and_another_picture_are_not_where_it_was(scene: Scene, there: Shown) -> None:
    frame = seen(table.camera())
    bare = np.random.default_rng(1).normal(13, 3, frame.shape).clip(0, 255).astype(np.uint8)
    other = table.draw(*table.board(), table.camera(), PIECES, DIM)
    smaller = np.asarray(cv2.resize(frame, (640, 480)), np.uint8)
    for picture in (bare, other, smaller):
        assert as_shown(grey(picture), scene, there) is None


@pytest.mark.long
def test_a_board_turned_since_is_not_taken_for_the_one_shown(scene: Scene, there: Shown) -> None:
    """Its edge lies as it lay; its red corner does not."""
    light, middle = (0.6, 0.6, 0.6), (table.SIDE / 2, table.SIDE / 2)
    half = pushed(table.camera(), np.pi, (0.0, 0.0), middle)
    found = register(seen(half, light), scene, None, there)
    assert not isinstance(found, Pose) or worst(found, half) < 5


def test_markers_tell_better_than_what_was_shown() -> None:
    sheet, texture = table.board()
    scene, pose = make_scene(sheet, texture), table.camera()
    frame = table.draw(sheet, texture, pose, PIECES)
    wrong = Shown(tapped(frame, pose), pushed(pose, 0.0, (30.0, 0.0), (0.0, 0.0)))
    found = register(frame, scene, None, wrong)
    assert isinstance(found, Pose) and worst(found, pose) < 1


@pytest.mark.long
def test_a_board_whose_markers_are_hidden_lies_where_it_was_shown() -> None:
    sheet, texture = table.board()
    scene, pose = make_scene(sheet, texture), table.camera()
    hidden = np.array(texture)
    for x, y in sheet.markers.centers.values():
        at = round((y - 14) * table.SCALE), round((x - 14) * table.SCALE)
        hidden[at[0] : at[0] + 28 * table.SCALE, at[1] : at[1] + 28 * table.SCALE] = 40
    frame = table.draw(sheet, hidden, pose, PIECES, (0.005, 0.005, 0.005), noise=6.0)
    assert isinstance(register(frame, scene), str)
    shown = show(tapped(frame, pose), scene)
    assert isinstance(shown, Shown) and isinstance(register(frame, scene, None, shown), Pose)
