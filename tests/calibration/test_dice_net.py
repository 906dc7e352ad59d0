"""What the net for dice is taught with: trays whose truth is right, and samples that show what they say."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.dice_net.cast import cast_tray, kind_of, top_of
from calibration.dice_net.drawn import drawn_tray
from calibration.dice_net.mean import mean_of
from calibration.dice_net.mistakes import mistakes
from calibration.dice_net.pool import Pool
from calibration.dice_net.samples import Sample, a_sample, label
from calibration.dice_net.teach import LAYERS, as_onnx, weights_in
from calibration.dice_net.truth import FLAT, LEANING, ON_TOP, UNDER, Shown, Top, keep, kept
from calibration.evidence.dice_solids import Block, CastDie, Make, leant, lowest, turned
from companion.vision.dice.net import EDGE, SIDE, DiceNet, _model
from companion.vision.dice.net import LEANING as LEANS
from companion.vision.dice.view import TrayView, turned_part

TOP = Top(100.0, 80.0, 30.0, 5, FLAT)


def shown(*tops: Top) -> Shown:
    return Shown(np.full((160, 200, 3), 90, np.uint8), np.array([100.0, 600.0, 500.0]), tops)


def test_a_tray_is_kept_in_a_file(tmp_path: Path) -> None:
    for number, before in enumerate([shown(TOP, TOP._replace(value=2, kind=LEANING)), shown()]):
        keep(before, tmp_path / f"{number}.npz")
        after = kept(tmp_path / f"{number}.npz")
        assert after.tops == before.tops and np.array_equal(after.picture, before.picture)
        assert np.array_equal(after.camera, before.camera) and after.picture.dtype == np.uint8


EYE, FLOOR, EDGE_MM = np.array([0.0, -300.0, 400.0]), 0.0, 16.0
MAKE = Make(EDGE_MM, (0.8, 0.8, 0.8), (0.1, 0.1, 0.1), (0.1, 0.1, 0.1))


def die(lean: float = 0.0, at: tuple[float, float] = (0.0, 0.0), lifted: float = 0.0) -> CastDie:
    """One that shows a 4, leant to the right by so many degrees."""
    axes = leant(turned(4, 0.3, MAKE, np.random.default_rng(1)), np.pi / 2, np.radians(lean))
    return CastDie(MAKE, np.array([*at, FLOOR + lowest(MAKE, axes) + lifted]), axes)


def wall(y: float, high: float) -> Block:
    """One across the view, three millimetres thick."""
    return Block(np.array([-90.0, y, FLOOR]), np.array([90.0, y + 3.0, FLOOR + high]), np.full(3, 0.5))


@pytest.mark.parametrize(
    ("lean", "kind"), [(0.0, FLAT), (0.9, FLAT), (2.0, UNDER), (5.0, UNDER), (7.0, LEANING), (40.0, LEANING)]
)
def test_what_hardly_leans_is_nobodys_to_learn_from(lean: float, kind: int) -> None:
    assert kind_of(die(lean), EYE, FLOOR, []) == kind


@pytest.mark.parametrize("lean", [0.0, 25.0])
def test_a_die_whose_top_is_hidden_is_nobodys_to_learn_from(lean: float) -> None:
    one = die(lean)
    kind = kind_of(one, EYE, FLOOR, [])
    assert kind in (FLAT, LEANING)
    assert kind_of(one, EYE, FLOOR, [wall(-30.0, 60.0)]) == UNDER  # behind a wall
    assert kind_of(one, EYE, FLOOR, [wall(-30.0, 6.0)]) == kind  # behind a low one
    assert kind_of(one, EYE, FLOOR, [wall(15.0, 60.0)]) == kind  # before a wall
    assert kind_of(one, EYE, FLOOR, [die(at=(4.0, 0.0), lifted=1.2 * EDGE_MM)]) == UNDER  # under another die
    assert kind_of(one, EYE, FLOOR, [die(at=(0.0, -20.0))]) == kind  # behind one, not hidden by it


def test_a_die_on_another_and_a_face_that_looks_away() -> None:
    assert kind_of(die(lifted=EDGE_MM), EYE, FLOOR, [die()]) == ON_TOP
    low = np.array([-400.0, 0.0, 150.0])  # sees nothing of a top that leans away by more than the eye is high
    assert kind_of(die(40.0), low, FLOOR, []) == UNDER
    assert kind_of(die(-40.0), low, FLOOR, []) == LEANING


def test_the_place_of_a_top_is_the_middle_of_the_face() -> None:
    high = np.array([100.0, 80.0, 1e6])  # nothing leans in this view
    view = TrayView(np.zeros((160, 200, 3), np.uint8), 2.0, (-50.0, -40.0), (0.0, 0.0, 200.0, 160.0), high, True)
    flat, leaning = (top_of(die(lean), view, 0.0, FLAT) for lean in (0.0, 30.0))
    assert flat[:4] == pytest.approx((100.0, 80.0, 2 * EDGE_MM, 4), rel=1e-3)
    right = 100.0 + EDGE_MM * np.sin(np.radians(30.0))  # two pixels per mm, half an edge up along its own axis
    assert leaning[:4] == pytest.approx((right, 80.0, 2 * EDGE_MM * np.cos(np.radians(30.0)) ** 0.5, 4), rel=1e-3)


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


@pytest.mark.long
def test_drawn_trays_hold_dice_of_every_value_that_lie_every_way() -> None:
    rng = np.random.default_rng(3)
    trays = [drawn_tray(rng) for _ in range(60)]
    tops = [top for tray in trays for top in tray.tops]
    assert {top.value for top in tops} == set(range(1, 7))
    assert {top.kind for top in tops} == {LEANING, FLAT, ON_TOP, UNDER}
    assert any(not tray.tops for tray in trays)
    assert all(tray.picture.dtype == np.uint8 and tray.picture.ndim == 3 for tray in trays)


@pytest.mark.long
def test_a_cast_tray_is_the_same_each_time_and_its_dice_are_in_the_picture() -> None:
    one, again = cast_tray(5, 1), cast_tray(5, 1)
    assert np.array_equal(one.picture, again.picture) and one.tops == again.tops and one.tops
    rows, cols = one.picture.shape[:2]
    assert all(0 < top.x < cols and 0 < top.y < rows and 1 <= top.value <= 6 for top in one.tops)


@pytest.mark.long
def test_samples_show_every_answer() -> None:
    rng = np.random.default_rng(8)
    trays = [drawn_tray(rng) for _ in range(40)]
    samples = [a_sample(trays, rng) for _ in range(400)]
    counted = Counter(sample.shows for sample in samples)
    assert set(counted) == set(range(8)) and counted[0] > 100
    assert all(sample.picture.shape == (SIDE, SIDE, 3) for sample in samples)
    assert all(sample.lean == 0 for sample in samples if not sample.known)


@pytest.mark.long
def test_dice_that_lean_are_shown_as_often_as_is_asked() -> None:
    rng = np.random.default_rng(9)
    trays = [drawn_tray(rng) for _ in range(60)]

    def share(leaning: float) -> float:
        shows = Counter(a_sample(trays, rng, leaning).shows for _ in range(600))
        return shows[7] / sum(shows[answer] for answer in range(1, 8))

    assert share(0.0) < 0.4 < 0.6 < share(0.8)


@pytest.mark.long
def test_mistakes_are_what_the_net_takes_for_something_else() -> None:
    rng = np.random.default_rng(10)
    trays = [drawn_tray(rng) for _ in range(24)]
    flat = [replace(tray, tops=tuple(top for top in tray.tops if top.kind == FLAT)) for tray in trays]
    wrong = [replace(tray, tops=tuple(top._replace(kind=LEANING) for top in tray.tops)) for tray in flat]
    found = [mistake for tray in wrong for mistake in mistakes(tray, rng)]
    at_tops = [label(mistake.shown, mistake.at, mistake.size) == 7 for mistake in found]
    assert sum(at_tops) > 10
    true = [mistake for tray in trays for mistake in mistakes(tray, rng)]
    assert sum(label(mistake.shown, mistake.at, mistake.size) != 0 for mistake in true) < sum(at_tops)


def test_the_net_that_comes_with_the_program_reads_samples_that_it_never_saw() -> None:
    rng = np.random.default_rng(20261122)
    trays, net = [drawn_tray(rng) for _ in range(40)], DiceNet()
    samples = [a_sample(trays, rng) for _ in range(400)]
    told = [int(net.shares(planes(sample))[0, :, 0, 0].argmax()) for sample in samples]
    right = np.mean([answer == sample.shows for answer, sample in zip(told, samples, strict=True)])
    assert right > 0.9


def test_nets_are_averaged_weight_by_weight_and_leaning_is_made_rarer() -> None:
    one, other = ([(np.full((1, 1, 2, 8), value), np.full(8, value))] for value in (1.0, 4.0))
    [(kernel, bias)] = mean_of([(2.0, one), (1.0, other)], 0.5)
    assert np.allclose(kernel, 2.0) and np.allclose(bias[:LEANS], 2.0) and bias[LEANS] == pytest.approx(2 - np.log(2))
    assert np.all(one[0][1] == 1.0) and np.all(other[0][1] == 4.0)


def test_the_net_that_comes_with_the_program_can_be_taught_on() -> None:
    pytest.importorskip("onnx")
    model = _model()
    again = weights_in(as_onnx(weights_in(model)))
    assert [kernel.shape for kernel, _ in again] == [(side, side, into, out) for side, into, out, _ in LAYERS]
    for one, other in zip(again, weights_in(model), strict=True):
        assert np.array_equal(one[0], other[0]) and np.array_equal(one[1], other[1])


@pytest.mark.long
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
