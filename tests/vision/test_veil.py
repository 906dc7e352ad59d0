"""A veil over the whole board is told from a brighter lamp by the bright inks, few as they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.light.today import estimate_light
from companion.vision.light.veil import veil
from companion.vision.view.surface import GAMMA, Surface

INKS = np.array([(0.02, 0.035, 0.06), (0.36, 0.41, 0.41), (0.05, 0.14, 0.03), (0.14, 0.05, 0.02), (0.02, 0.28, 0.54)]).T
VOICES = np.array([52.0, 17.0, 17.0, 16.0, 17.0])


@given(st.floats(0.2, 1.6), st.floats(0.03, 0.15), st.floats(0.8, 1.25))
def test_what_is_added_to_all_inks_is_a_veil(bright: float, added: float, hue: float) -> None:
    gain = bright * np.array([1, 1, hue])
    found = veil(INKS, gain[:, None] * INKS + added * gain[:, None], VOICES)
    assert found is not None
    assert np.allclose(found[0], gain, rtol=1e-3) and np.allclose(found[1], added * gain, rtol=1e-2)


@given(st.floats(0.1, 2.0), st.floats(0.7, 1.4))
def test_a_lamp_alone_is_none(bright: float, hue: float) -> None:
    assert veil(INKS, bright * np.array([1, 1, hue])[:, None] * INKS, VOICES) is None


def test_inks_that_are_hidden_or_were_glare_in_the_photo_have_no_say() -> None:
    printed = np.column_stack([INKS, [0.13, 0.33, 0.46], [0.26, 0.57, 0.69]])
    seen = 0.95 * printed + 0.05
    seen[:, 5:] = (0.95 * INKS[:, :1] + 0.05)  # wood, where the photo mirrored a lamp
    seen[:, 3] = (0.1, 0.4, 0.5)  # pieces stand on it
    found = veil(printed, seen, np.append(VOICES, [6, 5]))
    assert found is not None and np.allclose(found[1], 0.05, rtol=1e-2)


def test_one_ink_tells_nothing() -> None:
    assert veil(INKS[:, :1], INKS[:, :1] + 0.05, VOICES[:1]) is None


@pytest.mark.parametrize("added", [0.0, 0.05])
def test_white_spaces_of_a_dark_board_are_expected_as_they_are_seen(added: float) -> None:
    """Varnish that mirrors the ceiling was taken for a lamp twice as bright, and white spaces for shaded."""
    linear, chance = np.empty((400, 400, 3)), np.random.default_rng(1)
    linear[:] = INKS[:, 0]
    for k in range(40):
        x, y = 60 * (k % 6) + 30, 50 * (k // 6) + 30
        linear[y : y + 18, x : x + 18] = INKS[:, 1 if k % 2 else 2 + k // 2 % 3]
    linear *= chance.normal(1, 0.08, (400, 400, 1)).clip(0.5, 1.5)
    picture = (255 * linear ** (1 / GAMMA)).astype(np.uint8)
    seen = (255 * (0.95 * linear + added).clip(0, 1) ** (1 / GAMMA)).astype(np.uint8)
    surface = Surface(picture, of_photo=True)
    expected = estimate_light(seen, surface).expected(surface.linear)
    white = surface.linear[..., 1] > 0.3
    off = np.log(expected[white] / np.maximum((seen[white] / 255.0) ** GAMMA, 1e-3))
    assert np.abs(np.median(off, axis=0)).max() < 0.15


def lamp(x: float, y: float, color: tuple[float, float, float], wide: float) -> np.ndarray:
    """The light of a lamp over a board, −1 to 1 each way, BGR (400, 400, 3)."""
    down, across = np.mgrid[-1:1:400j, -1:1:400j]
    return np.asarray(np.exp(-((down - y) ** 2 + (across - x) ** 2) / wide)[..., None] * np.array(color))


def wooden(light: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """A plain wooden board with grain and a few dark holes, uint8 BGR (400, 400, 3), in some light."""
    grain = np.exp(0.25 * np.sin(np.arange(400) / 3.0) + 0.15 * np.sin(np.arange(400) / 17.0))
    linear = np.array([0.08, 0.2, 0.32]) * grain[:, None] * light
    for k in range(40):
        x, y = 50 * (k % 7) + 40, 55 * (k // 7) + 40
        linear[y : y + 7, x : x + 7] = 0.03
    noisy = linear * chance.normal(1, 0.05, linear.shape)
    return np.asarray(255 * noisy.clip(0, 1) ** (1 / GAMMA), np.uint8)


@pytest.mark.parametrize("seed", range(6))
def test_wood_that_other_lamps_light_than_the_photos_is_not_veiled(seed: int) -> None:
    """Its brighter and darker places, inks by the photo, looked alike now: an eighth of the board's own light was
    believed, the rest a veil, in some frames and in others not. All pieces were in doubt, and a foul was missed."""
    chance = np.random.default_rng(seed)
    photo = wooden(0.3 + lamp(-1, 1, (0.7, 1.3, 1.6), 1) + lamp(1, -1, (1.2, 0.8, 0.5), 1), chance)
    now = wooden(0.8 + lamp(0.8, 1, (0.3, 0.3, 0.3), 0.3), chance)
    light = estimate_light(now, Surface(photo, of_photo=True))
    assert np.diag(light.mix).min() > 0.7 and np.abs(light.haze).max() < 0.02


@pytest.mark.parametrize("seed", range(6))
def test_a_veil_is_one_in_whatever_course_of_the_light(seed: int) -> None:
    linear, chance = np.empty((400, 400, 3)), np.random.default_rng(seed)
    linear[:] = INKS[:, 0]
    for k in range(40):
        x, y = 60 * (k % 6) + 30, 50 * (k // 6) + 30
        linear[y : y + 18, x : x + 18] = INKS[:, 1 if k % 2 else 2 + k // 2 % 3]
    picture = (255 * linear ** (1 / GAMMA)).astype(np.uint8)
    course = np.exp(chance.uniform(-0.4, 0.4) * np.linspace(-1, 1, 400))[None, :, None]
    noisy = (course * (0.8 * linear + 0.05)) * chance.normal(1, 0.2, linear.shape)
    seen = (255 * noisy.clip(0, 1) ** (1 / GAMMA)).astype(np.uint8)
    light = estimate_light(seen, Surface(picture, of_photo=True))
    assert np.abs(light.haze - 0.05).max() < 0.015
