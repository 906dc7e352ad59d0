"""What counts as a change between two pictures: arms, their shadows, pieces in the dark; not noise, not the light."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from companion.model import BoardSeen, Position
from companion.vision import Scene, learn, look, make_scene
from companion.vision.learning import changed_since
from companion.vision.memory import Learned
from companion.vision.motion import SMALL, changes, share

sys.path.insert(0, str(Path(__file__).parent))
import table_drawing as table

Glance = npt.NDArray[np.uint8]

HEIGHT, WIDTH = 75, 100
REGION = np.array([(20, 10), (80, 10), (80, 65), (20, 65)], np.float64) * SMALL
SPOTS = [(0, 90, 90), (1, 170, 90), (2, 211, 131), (3, 129, 211)]
"""Pieces of the board that `table_drawing` draws: seat, mm."""


def glanced(noise: float = 1.0, seed: int = 0, light: npt.NDArray[np.float64] | float = 1.0) -> Glance:
    """A glance at a board with a print, brightness multiplied by `light`."""
    rows, cols = np.mgrid[:HEIGHT, :WIDTH]
    print_ = 150 + 40 * ((rows // 6 + cols // 6) % 2)
    seen = print_ * light + np.random.default_rng(seed).normal(0, noise, (HEIGHT, WIDTH))
    return np.clip(seen, 0, 255).astype(np.uint8)


def changed(before: Glance, after: Glance) -> float:
    """The share of the board that changed."""
    return share(changes(before, after, REGION), REGION)


@pytest.mark.parametrize("arm", [20, 28])
@pytest.mark.parametrize("shade", [0.55, 0.7])
def test_an_arm_that_changes_most_of_the_picture_by_its_shadow_is_seen(arm: int, shade: float) -> None:
    light = np.ones((HEIGHT, WIDTH))
    light[:, 20:50] = np.linspace(1.0, shade, 30)  # a soft shadow, and beside it the arm
    after = glanced(seed=1, light=light)
    after[:, 50 : 50 + arm] = 70
    assert changed(glanced(), after) > 0.2


@pytest.mark.parametrize("noise", [1.0, 4.0, 8.0])
def test_noise_alone_is_no_change(noise: float) -> None:
    assert changed(glanced(noise, 2), glanced(noise, 3)) < 0.0015


@pytest.mark.parametrize("light", [0.6, 1.25])
def test_a_lamp_that_gets_weaker_at_one_side_is_no_change(light: float) -> None:
    uneven = light * np.linspace(0.97, 1.03, WIDTH)[None]
    assert changed(glanced(seed=4), glanced(seed=5, light=uneven)) < 0.0015


def in_noise(seed: int, at: float = 0.0) -> Glance:
    """A flat view in a weak lamp, BGR, in the middle of which a disc is brighter by `at` grey levels."""
    view = np.full((60, 60, 3), (30, 75, 110), np.float64) + np.random.default_rng(seed).normal(0, 9, (60, 60, 3))
    rows, cols = np.mgrid[:60, :60]
    view[(rows - 30) ** 2 + (cols - 30) ** 2 < 49] += at
    return np.clip(view, 0, 255).astype(np.uint8)


def test_in_noise_a_piece_that_left_shows_in_the_mean_of_its_pixels() -> None:
    """Film of Parcheesi, dim and noisy, seed 707: a pawn that had left its own lane was believed to stand there."""
    nowhere = np.zeros((60, 60, 3), np.float32)
    was = Learned(in_noise(1), np.ones((60, 60), bool), Position.of({}), nowhere, np.zeros((60, 60), bool))
    assert changed_since(was, in_noise(2)).mean() < 0.01
    away = changed_since(was, in_noise(2, -14.0))
    assert away[24:37, 24:37].mean() > 0.5 and away[:12].mean() < 0.01


def dark(printed: tuple, pieces: list, seed: int) -> Glance:
    """A board in a weak warm lamp: the sensor's noise is worst in blue."""
    picture = table.draw(*printed, table.camera(25, 8), pieces, light=(0.03, 0.07, 0.12), noise=0)
    seen = picture + np.random.default_rng(seed).normal(0, 1, picture.shape) * (72, 10, 10)
    return np.clip(seen, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def printed() -> tuple:
    return table.board()


@pytest.fixture(scope="module")
def scene(printed: tuple) -> Scene:
    return make_scene(*printed)


@pytest.mark.parametrize("seed", [0, 10, 20])
def test_a_pawn_in_a_lane_of_its_colour_is_not_believed_away_in_the_dark(
    printed: tuple, scene: Scene, seed: int
) -> None:
    """Film of Parcheesi, dim and noisy, seed 707: the noise of blue hid what green and red showed."""
    _, memory = look(dark(printed, SPOTS, seed), scene)
    memory = learn(memory, scene, Position.of({"t0": (0,), "t2": (1,), "t4": (2,), "t8": (3,)}))
    _, memory = look(dark(printed, SPOTS, seed + 1), scene, memory, 1.0)
    after = dark(printed, [*SPOTS, (0, 130, 150)], seed + 2)
    seen, _ = look(after, scene, replace(memory, read=None, glance=None), 2.0)
    assert isinstance(seen, BoardSeen)
    lane = seen.spaces["lane0.1"]
    assert lane.content == (0,) or lane.confidence < 0.9
