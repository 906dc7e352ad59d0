"""The mean of noisy pictures of a still table is taken, and of others the last one is kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.view.steady import ENOUGH, MOST, NOISY, Steady, one_more

SHAPE = (120, 160, 3)


def pictures(noise: float, count: int, level: float = 90.0) -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    return [(level + rng.normal(0, noise, SHAPE)).round().clip(0, 255).astype(np.uint8) for _ in range(count)]


def gathered(shown: list[np.ndarray]) -> Steady:
    steady = Steady()
    for picture in shown:
        steady = one_more(steady, picture)
    return steady


@pytest.mark.parametrize("noise", [6.0, 12.0])
@pytest.mark.parametrize("count", [ENOUGH, MOST, 20])
def test_the_mean_of_noisy_pictures_strays_less(noise: float, count: int) -> None:
    steady = gathered(pictures(noise, count))
    mean = steady.mean()
    assert mean is not None and mean.dtype == np.uint8 and mean.shape == SHAPE
    assert steady.noise == pytest.approx(noise, rel=0.1)
    assert mean.std() == pytest.approx(noise / np.sqrt(min(count, MOST)), rel=0.1)
    assert mean.mean() == pytest.approx(90.0, abs=0.15), "rounded, not cut off"


def test_it_is_the_mean_of_the_latest_ones() -> None:
    before, now = pictures(8.0, 9, level=60.0), pictures(8.0, MOST, level=120.0)
    mean = gathered([*before, *now]).mean()
    assert mean is not None and (gathered([*before, *now]).clearest() == mean).all()
    assert mean.mean() == pytest.approx(120.0, abs=0.15)


def test_pictures_without_noise_are_not_kept() -> None:
    shown = pictures(NOISY / 3, 10)
    steady = gathered(shown)
    assert steady.mean() is None and len(steady.pictures) == 1 and steady.clearest() is shown[-1]


@pytest.mark.long(but=("size0-6",))
@pytest.mark.parametrize(("size", "kept"), [((480, 640), 6), ((960, 1280), 6), ((1080, 1920), 3), ((1944, 2592), 1)])
def test_of_large_pictures_fewer_are_kept_and_of_the_largest_no_mean_is_taken(size: tuple, kept: int) -> None:
    steady, rng = Steady(), np.random.default_rng(5)
    for count in range(1, 8):
        steady = one_more(steady, rng.integers(60, 120, (*size, 3), dtype=np.uint8))
        assert len(steady.pictures) == min(count, kept) and steady.full == (count >= kept)
    assert (steady.mean() is None) == (kept == 1)


def test_too_few_make_no_mean_and_another_size_begins_anew() -> None:
    shown = pictures(10.0, MOST)
    assert gathered(shown[: ENOUGH - 1]).mean() is None
    assert len(one_more(gathered(shown), shown[0][::2, ::2]).pictures) == 1


@given(st.lists(st.integers(0, 255), min_size=ENOUGH, max_size=MOST))
def test_a_mean_lies_between_what_it_is_of(levels: list[int]) -> None:
    shown = tuple(np.full((8, 8, 3), level, np.uint8) for level in levels)
    mean = Steady(shown, NOISY).mean()
    assert mean is not None and (abs(mean.astype(float) - np.mean(levels)) <= 0.5 + 1e-9).all()
