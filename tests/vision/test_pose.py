"""The camera's place, through lenses from very wide to tele, whose axis seldom meets the middle of the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.view.lens import Lens
from companion.vision.view.pose import Floats, Pose, solve_pose

SIZE = (1280, 960)
BOARD = 540.0  # mm, as the board with six arms
MARKER, MARGIN = 24.0, 8.0  # mm


def corners_of_markers() -> Floats:
    near, far = MARGIN, BOARD - MARGIN - MARKER
    square = np.array([(0, 0), (MARKER, 0), (MARKER, MARKER), (0, MARKER)])
    return np.vstack([square + at for at in ((near, near), (far, near), (far, far), (near, far))])


def a_camera(wide: float, tilt: float, bends: float, off: tuple[float, float] = (0, 0)) -> Pose:
    """Over the middle of the board, tilted by degrees about its x axis; wide: focal length in picture widths; off: how
    far its axis is off the picture's middle, in these too."""
    away = BOARD * wide * 1.6 + 120
    turn, _ = cv2.Rodrigues(np.array([np.radians(tilt), 0.0, 0.0]))
    middle = np.array([BOARD / 2, BOARD / 2, 0.0])
    x, y, z = (np.array([0, 0, away]) - turn @ middle).tolist()
    center = ((SIZE[0] - 1) / 2 + off[0] * SIZE[0], (SIZE[1] - 1) / 2 + off[1] * SIZE[0])
    return Pose(wide * SIZE[0], bends, (float(np.radians(tilt)), 0.0, 0.0), (x, y, z), SIZE, 0.0, center=center)


def places(apart: int) -> Floats:
    """All over the board, mm."""
    return np.stack(np.meshgrid(*[np.linspace(20, BOARD - 20, apart)] * 2), axis=-1).reshape(-1, 2)


def farthest(found: Pose, camera: Pose) -> float:
    """Pixels between where a place is and where it was taken to be, at most."""
    return float(np.linalg.norm(found.project(places(9)) - camera.project(places(9)), axis=1).max())


@pytest.mark.parametrize("wide", (0.4, 0.45, 0.5, 0.55, 0.6, 0.75, 0.95, 1.3, 1.6))
@pytest.mark.parametrize("tilt", (-35, -20, 5, 30, 45))
@pytest.mark.parametrize("bends", (-0.1, -0.04, 0.03))
@pytest.mark.parametrize("off", ((0, 0), (0.02, -0.01)))
def test_four_markers_tell_the_place_of_any_camera(
    wide: float, tilt: float, bends: float, off: tuple[float, float]
) -> None:
    camera, flat = a_camera(wide, tilt, bends, off), corners_of_markers()
    found = solve_pose(flat, camera.project(flat) + np.random.default_rng(3).normal(0, 0.3, flat.shape), SIZE)
    assert found is not None and found.error < 1.0
    assert farthest(found, camera) < 8.0  # pixels: near enough for the board's details to be found


@pytest.mark.parametrize("off", ((0.03, 0.02), (-0.02, 0.03), (0, -0.03)))
@pytest.mark.parametrize("tilt", (-40, 10, 25))
def test_details_tell_where_the_axis_meets_the_picture(tilt: float, off: tuple[float, float]) -> None:
    """A camera's principal point lies some 1 to 3 % of the width off; held in the middle, places are pixels off."""
    camera, flat = a_camera(0.75, tilt, -0.08, off), places(14)
    found = solve_pose(flat, camera.project(flat) + np.random.default_rng(3).normal(0, 0.3, flat.shape), SIZE)
    assert found is not None
    assert farthest(found, camera) < 0.5


@pytest.mark.parametrize("wide", (0.4, 0.5, 0.6, 0.75, 0.95, 1.3))
@pytest.mark.parametrize("tilt", (-35, 20, 40))
@pytest.mark.parametrize("bends", (-0.2, 0.03))
def test_details_tell_the_lens(wide: float, tilt: float, bends: float) -> None:
    """Between shifts 25 steps did not end the way from the usual lens to a wide one: 784 pixels for 705."""
    camera, flat = a_camera(wide, tilt, bends, (0.01, 0.01)), places(14)
    found = solve_pose(flat, camera.project(flat) + np.random.default_rng(3).normal(0, 0.3, flat.shape), SIZE)
    assert found is not None
    assert found.focal == pytest.approx(camera.focal, rel=0.07)
    assert farthest(found, camera) < 0.5


@pytest.mark.parametrize("wide", (0.6, 0.75, 0.95, 1.3))
@pytest.mark.parametrize("tilt", (-35, 15, 30, 45))
@pytest.mark.parametrize("lift", (-4.0, 2.0, 4.0))
def test_a_fold_is_not_taken_for_a_lens_that_nobody_has(wide: float, tilt: float, lift: float) -> None:
    """Each detail by itself says for certain what the lens is like that a fold, 4 mm high, would be seen through."""
    camera, flat = a_camera(wide, tilt, -0.05), places(14)
    high = lift * (1 - 2 * np.abs(flat[:, 0] / BOARD - 0.5))
    seen = camera.project(np.column_stack([flat, high])) + np.random.default_rng(3).normal(0, 0.15, flat.shape)
    found = solve_pose(flat, seen, SIZE)
    assert found is not None
    assert found.focal == pytest.approx(camera.focal, rel=0.25)
    assert np.linalg.norm(found.eye - camera.eye) < 0.25 * np.linalg.norm(camera.eye)


def test_a_lens_that_was_measured_is_believed() -> None:
    camera, flat = a_camera(0.75, 30, -0.08, (0.02, 0.0)), places(14)
    lens = Lens(SIZE, camera.focal, (-0.08, 0.0), camera.principal)
    seen = camera.project(flat) + np.random.default_rng(3).normal(0, 0.3, flat.shape)
    found = solve_pose(flat, seen, SIZE, None, lens)
    assert found is not None
    assert np.hypot(*np.subtract(found.principal, camera.principal)) < 0.05
    assert np.linalg.norm(found.eye - camera.eye) < 1.0


def test_a_wide_lens_from_the_side() -> None:
    """Markers as they were seen in a picture 88° wide: the way from a usual lens led to k1 of 0.7, five pixels off."""
    seen = [
        [(440.8, 233.2), (460.4, 235.7), (454.0, 250.0), (433.0, 248.0)],
        [(926.9, 279.6), (949.2, 283.0), (952.0, 299.0), (929.0, 296.9)],
        [(965.6, 844.1), (1000.0, 847.2), (1001.6, 886.2), (965.9, 883.0)],
        [(239.9, 726.0), (268.8, 732.6), (257.3, 766.2), (228.2, 759.2)],
    ]  # fmt: skip
    found = solve_pose(corners_of_markers(), np.vstack(seen), SIZE)
    assert found is not None
    assert found.error < 1.5 and abs(found.radial) < 0.3
    assert found.focal == pytest.approx(668, rel=0.1)
