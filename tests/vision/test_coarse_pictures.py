"""Boards in small, coarse and overexposed pictures: found where they can be, never another one, and read modestly."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.evidence.conditions import CONDITIONS
from calibration.evidence.finding import picture
from calibration.evidence.making import printed
from companion.vision import Scene, make_scene
from companion.vision.board.places import places
from companion.vision.finding.markers import faint_markers, find_markers, sure_markers
from companion.vision.finding.patches import TOO_BRIGHT
from companion.vision.finding.registration import register
from companion.vision.view.pose import Frame, Pose

GLORIA = ("gloria", (("home", "center"),))
FAR = replace(CONDITIONS["desk"], size=(640, 480), fill=(0.62, 0.62), tilt=(35, 35), turn=(120, 120))


@pytest.fixture(scope="module")
def scene() -> Scene:
    return make_scene(*printed(*GLORIA))


def grey(frame: Frame) -> Frame:
    return cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)


@pytest.mark.long
def test_markers_too_small_for_their_bits_are_told_by_how_they_look(scene: Scene) -> None:
    frame, camera = picture(*printed(*GLORIA), FAR, np.random.default_rng(3))
    assert len(sure_markers(grey(frame), scene)[0]) < 2
    found = find_markers(grey(frame), scene)
    assert len(found) >= 3
    for number, corners in found.items():
        x, y = scene.sheet.markers.centers[number]
        ring = [(x + dx, y + dy, 0) for dx, dy in ((-12, -12), (12, -12), (12, 12), (-12, 12))]
        assert np.abs(camera.project(ring) - corners).max() < 3, "each corner in its turn, not only the place"
    assert isinstance(register(frame, scene), Pose)


def test_squares_of_a_cloth_are_no_markers(scene: Scene) -> None:
    cloth = np.full((480, 640), 205, np.uint8)
    for y in range(0, 480, 24):
        for x in range(12 * (y // 24 % 2), 640, 24):
            cloth[y : y + 12, x : x + 12] = 40
    soft = cv2.GaussianBlur(cloth, (0, 0), 1.2)
    noisy = np.clip(soft + np.random.default_rng(1).normal(0, 4, soft.shape), 0, 255).astype(np.uint8)
    assert faint_markers(noisy, scene) == {}


@pytest.mark.long
@pytest.mark.parametrize(
    ("there", "sheet"),
    [
        (("parcheesi-print", ()), ("parcheesi", ())),
        (("parcheesi", ()), ("parcheesi-print", ())),
        (("game-of-god", (("size", 7),)), ("game-of-god", (("size", 8),))),
    ],
)
def test_a_coarse_picture_of_another_board_is_not_read(there: tuple, sheet: tuple) -> None:
    near = replace(FAR, fill=(0.75, 0.75), tilt=(20, 20))
    frame, _ = picture(*printed(*there), near, np.random.default_rng(7))
    assert isinstance(register(frame, make_scene(*printed(*there))), Pose)
    assert isinstance(register(frame, make_scene(*printed(*sheet))), str)


def burnt(frame: Frame, pose: Pose, share: float) -> Frame:
    """The picture with a patch of sun over a share of the board, from its left edge, in which nothing of the print is
    left, though it is no brighter than the noise of the picture shows."""
    right = 30 + share * 360
    outline = pose.project([(30, 45), (right, 45), (right, 375), (30, 375)])
    cv2.fillPoly(frame, [np.round(outline).astype(np.int32)], (255, 255, 255))
    return frame


@pytest.mark.long
def test_a_board_half_in_the_sun_is_found_and_one_all_in_the_sun_is_named(scene: Scene) -> None:
    desk = replace(CONDITIONS["desk"], exposure=(0.8, 0.8))
    frame, _ = picture(*printed(*GLORIA), desk, np.random.default_rng(5))
    pose = register(frame, scene)
    assert isinstance(pose, Pose)
    half = register(burnt(frame.copy(), pose, 0.5), scene)
    assert isinstance(half, Pose) and half.shifted(pose, 420, 420) < 2
    assert register(burnt(frame.copy(), pose, 1.0), scene) == TOO_BRIGHT


@pytest.mark.long
def test_a_picture_too_small_names_its_size_and_the_way_out(scene: Scene) -> None:
    frame, _ = picture(*printed(*GLORIA), replace(FAR, fill=(0.25, 0.25)), np.random.default_rng(3))
    reason = register(frame, scene)
    assert isinstance(reason, str) and "640×480" in reason and "nearer" in reason


def test_a_coarse_camera_has_fewer_looks_at_a_piece(scene: Scene) -> None:
    eye = np.array([210.0, 210.0, 900.0])
    fine, usual, coarse = (places(scene.sheet, eye, (630, 630), pixel).heft.mean() for pixel in (0.4, 1.0, 3.0))
    assert fine == pytest.approx(usual, rel=0.05), "neighbouring pixels of a fine picture say the same"
    assert coarse < 0.3 * usual
