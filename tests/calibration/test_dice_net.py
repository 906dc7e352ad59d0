"""What the net for dice is taught with: trays whose truth is right, and samples that show what they say."""

from __future__ import annotations

import time
from collections import Counter

import cv2
import numpy as np
import pytest

from calibration.dice_net.cast import cast_tray
from calibration.dice_net.drawn import drawn_tray
from calibration.dice_net.pool import Pool
from calibration.dice_net.samples import Sample, a_sample, label
from calibration.dice_net.truth import FLAT, LEANING, ON_TOP, UNDER, Shown, Top
from companion.vision.dice_net import EDGE, SIDE, DiceNet
from companion.vision.dice_view import turned_part

TOP = Top(100.0, 80.0, 30.0, 5, FLAT)


def shown(*tops: Top) -> Shown:
    return Shown(np.full((160, 200, 3), 90, np.uint8), np.array([100.0, 600.0, 500.0]), tops)


def planes(sample: Sample) -> np.ndarray:
    """What the net is shown of a sample."""
    made = np.empty((1, 5, SIDE, SIDE), np.float32)
    made[0, :3] = sample.picture.transpose(2, 0, 1) / np.float32(255) - 0.5
    made[0, 3], made[0, 4] = sample.lean, sample.known
    return made


@pytest.mark.parametrize(
    ("kind", "off", "times", "shows"),
    [
        (FLAT, 0.0, 1.0, 5),
        (FLAT, 0.1, 1.1, 5),
        (FLAT, 0.25, 1.0, None),
        (FLAT, 0.0, 1.2, None),
        (FLAT, 0.5, 1.0, 0),
        (FLAT, 0.0, 0.5, 0),
        (LEANING, 0.0, 1.0, 7),
        (ON_TOP, 0.0, 1.0, None),
        (UNDER, 0.0, 1.0, None),
    ],
)
def test_what_a_sample_shows(kind: int, off: float, times: float, shows: int | None) -> None:
    at = np.array([TOP.x + off * TOP.size, TOP.y])
    assert label(shown(TOP._replace(kind=kind)), at, times * TOP.size) == shows


def test_a_square_is_turned_and_sized_as_asked() -> None:
    picture = np.zeros((160, 200, 3), np.uint8)
    box = cv2.boxPoints(((100.0, 80.0), (40.0, 40.0), 30.0)).astype(np.int32)
    cv2.fillConvexPoly(picture, box, (255, 255, 255))
    part, matrix = turned_part(picture, np.array([100.0, 80.0]), 40.0 / EDGE, np.radians(30.0), (SIDE, SIDE))
    square = part[..., 0] > 127
    middle, half = SIDE // 2, round(EDGE / 2)
    upright = np.zeros_like(square)
    upright[middle - half : middle + half + 1, middle - half : middle + half + 1] = True
    assert (square != upright).mean() < 0.03
    assert matrix @ (middle, middle, 1) == pytest.approx((100.0, 80.0))


def test_drawn_trays_hold_dice_of_every_value_that_lie_every_way() -> None:
    rng = np.random.default_rng(3)
    trays = [drawn_tray(rng) for _ in range(60)]
    tops = [top for tray in trays for top in tray.tops]
    assert {top.value for top in tops} == set(range(1, 7))
    assert {top.kind for top in tops} == {LEANING, FLAT, ON_TOP, UNDER}
    assert any(not tray.tops for tray in trays)
    assert all(tray.picture.dtype == np.uint8 and tray.picture.ndim == 3 for tray in trays)


def test_a_cast_tray_is_the_same_each_time_and_its_dice_are_in_the_picture() -> None:
    one, again = cast_tray(5, 1), cast_tray(5, 1)
    assert np.array_equal(one.picture, again.picture) and one.tops == again.tops and one.tops
    rows, cols = one.picture.shape[:2]
    assert all(0 < top.x < cols and 0 < top.y < rows and 1 <= top.value <= 6 for top in one.tops)


def test_samples_show_every_answer() -> None:
    rng = np.random.default_rng(8)
    trays = [drawn_tray(rng) for _ in range(40)]
    samples = [a_sample(trays, rng) for _ in range(400)]
    counted = Counter(sample.shows for sample in samples)
    assert set(counted) == set(range(8)) and counted[0] > 100
    assert all(sample.picture.shape == (SIDE, SIDE, 3) for sample in samples)
    assert all(sample.lean == 0 for sample in samples if not sample.known)


def test_the_net_that_comes_with_the_program_reads_samples_that_it_never_saw() -> None:
    rng = np.random.default_rng(20261122)
    trays, net = [drawn_tray(rng) for _ in range(40)], DiceNet()
    samples = [a_sample(trays, rng) for _ in range(400)]
    told = [int(net.shares(planes(sample))[0, :, 0, 0].argmax()) for sample in samples]
    right = np.mean([answer == sample.shows for answer, sample in zip(told, samples, strict=True)])
    assert right > 0.9


def test_a_pool_is_filled_while_it_is_used() -> None:
    pool = Pool([shown(TOP)], 4)
    try:
        while not pool.made:
            time.sleep(0.2)
        before = pool.made
        given, shows = pool.some(16, np.random.default_rng(0))
        assert given.shape == (16, SIDE, SIDE, 5) and shows.shape == (16,) and set(shows.tolist()) <= set(range(8))
        assert np.abs(given[..., :3]).max() <= 0.5
        while pool.made < before + 300:
            time.sleep(0.2)
    finally:
        pool.close()
