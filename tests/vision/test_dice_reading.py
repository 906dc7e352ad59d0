"""Dice in a tray, drawn with known values, are read: turned, tilted, in many colours, in bad light."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from dice_drawing import BLACK, BLUE, FELT, RED, TRAY, WHITE, Die, camera, paint

from companion.vision.dice import reading
from companion.vision.dice import tops as searched
from companion.vision.dice.net import LEANING
from companion.vision.dice.reading import SURE, read_dice, read_dice_in, read_view
from companion.vision.dice.seen import DiceSeen
from companion.vision.dice.tops import Tops, contested
from companion.vision.dice.view import TrayView

THREE = [(345.0, 125.0), (392.0, 140.0), (358.0, 172.0)]


Colour = tuple[int, int, int]


def lot(values: tuple[int, ...], size: float = 16.0, body: Colour = WHITE, pips: Colour = BLACK) -> list[Die]:
    """Dice of one kind at places of their own, each turned another way."""
    return [Die(v, *THREE[i], size, 17.0 + 29 * i, body, pips) for i, v in enumerate(values)]


def assert_read(seen: DiceSeen, dice: list[Die]) -> None:
    assert len(seen.dice) == len(dice), seen
    for die in dice:
        near = min(seen.dice, key=lambda s: np.hypot(s.x_mm - die.x, s.y_mm - die.y))
        assert near.value == die.value and np.hypot(near.x_mm - die.x, near.y_mm - die.y) < 0.25 * die.size
        assert abs(near.size_mm - die.size) < 0.3 * die.size and near.confidence >= SURE


@pytest.mark.long(but=("values0-0", "values1-35"))
@pytest.mark.parametrize("tilt", [0, 20, 35, 45])
@pytest.mark.parametrize("values", [(1, 2, 3), (4, 5, 6)])
def test_every_value_from_every_tilt(tilt: float, values: tuple[int, ...]) -> None:
    dice = lot(values)
    pose = camera(tilt, turn=25)
    assert_read(read_dice(paint(dice, pose), pose, TRAY), dice)


@pytest.mark.long(but=("body0-pips0-ground0", "body3-pips3-ground3"))
@pytest.mark.parametrize(
    ("body", "pips", "ground"),
    [(BLACK, WHITE, FELT), (RED, WHITE, FELT), (BLUE, WHITE, (40, 35, 110)), (WHITE, RED, FELT)],
)
def test_pips_light_on_dark_and_coloured(body: Colour, pips: Colour, ground: Colour) -> None:
    dice = lot((6, 2, 5), body=body, pips=pips)
    pose = camera(25, turn=-40)
    assert_read(read_dice(paint(dice, pose, ground), pose, TRAY), dice)


@pytest.mark.long(but=("0.25-4-16", "1-2-20"))
@pytest.mark.parametrize(("light", "noise", "size"), [(0.25, 4, 16), (1, 12, 16), (1, 2, 12), (1, 2, 20)])
def test_little_light_noise_and_other_sizes(light: float, noise: float, size: float) -> None:
    dice = lot((3, 4), size)
    pose = camera(25, turn=100)
    assert_read(read_dice(paint(dice, pose, light=light, noise=noise), pose, TRAY), dice)


def test_touching_dice_are_taken_apart() -> None:
    along = np.radians(30)
    x, y = 360 + np.cos(along) * 16.2 - np.sin(along) * 4, 150 + np.sin(along) * 16.2 + np.cos(along) * 4
    dice = [Die(3, 360, 150, 16, 30), Die(5, x, y, 16, 30)]
    pose = camera(20)
    seen = read_dice(paint(dice, pose), pose, TRAY)
    assert sorted(die.value for die in seen.dice) == [3, 5]


@pytest.mark.long
def test_a_die_of_another_size_than_the_games_dice_is_a_doubt() -> None:
    pose = camera(20)
    dice = lot((3, 5), 16.0)
    picture = paint([dice[0], dice[1]._replace(size=20.0)], pose)
    assert read_dice(paint(dice, pose), pose, TRAY, edge=16.0).clear
    doubts = read_dice(picture, pose, TRAY, edge=16.0).doubts
    assert any("larger than the dice of this game" in doubt or "not certain" in doubt for doubt in doubts)


@pytest.mark.long(but=("0-12", "45-16"))
@pytest.mark.parametrize(("tilt", "size"), [(0, 12), (20, 16), (35, 20), (45, 16)])
def test_how_large_a_die_is_and_where_it_stands(tilt: float, size: float) -> None:
    pose = camera(tilt, turn=25)
    [die] = read_dice(paint([Die(4, 360, 150, size, 30)], pose), pose, TRAY).dice
    assert abs(die.size_mm / size - 1) < 0.1
    assert np.hypot(die.x_mm - 360, die.y_mm - 150) < 0.1 * size


@pytest.mark.parametrize("tilt", [0, 30, 45])
def test_an_empty_tray_shows_no_dice_and_no_doubt(tilt: float) -> None:
    pose = camera(tilt, turn=60)
    assert read_dice(paint([], pose), pose, TRAY) == DiceSeen()


@pytest.mark.long(but=("4-20", "6-30"))
@pytest.mark.parametrize(("value", "lean"), [(4, 20), (5, 20), (6, 20), (2, 30), (3, 30), (4, 30), (5, 30), (6, 30)])
def test_a_cocked_die_is_not_taken_for_a_flat_one(value: int, lean: float) -> None:
    pose = camera(20)
    seen = read_dice(paint([Die(value, 370, 150, 16, 20, cocked=lean)], pose), pose, TRAY)
    assert not [die for die in seen.dice if die.confidence >= SURE]


def told_by_the_net(*tops: tuple[float, ...]) -> Tops:
    """Tops 20 pixels wide: x, y, how likely a flat one that shows 1, and how likely one that leans."""
    x, y, flat, leaning = np.array(tops).T
    shares = np.zeros((len(tops), 8))
    shares[:, 0], shares[:, 1], shares[:, LEANING] = 1 - flat - leaning, flat, leaning
    return Tops(np.column_stack([x, y]), np.full(len(tops), 20.0), shares)


@pytest.mark.parametrize(
    ("other", "place", "leaning", "sure"),
    [
        ((50, 50, 0.01, 0.0), (100, 100), 0.15, True),  # alone
        ((50, 50, 0.01, 0.0), (100, 100), 0.6, False),  # it looks as if something held it that nobody sees
        ((50, 50, 0.01, 0.0), (20, 100), 0.15, False),  # by the rim
        ((130, 100, 0.99, 0.01), (100, 100), 0.15, False),  # by another die
        ((130, 100, 0.2, 0.2), (100, 100), 0.15, False),  # by something that may be one
        ((130, 100, 0.05, 0.05), (100, 100), 0.15, True),  # by a spot of the cloth
        ((150, 100, 0.99, 0.01), (100, 100), 0.15, True),  # far from the other
    ],
)
def test_a_die_must_have_something_to_lean_on(
    other: tuple[float, ...], place: tuple[float, float], leaning: float, sure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tops = told_by_the_net((*place, 0.99 - leaning, leaning), other)
    monkeypatch.setattr(reading, "tops_in", lambda *_: tops)
    black, box = np.zeros((200, 200, 3), np.uint8), (0.0, 0.0, 200.0, 200.0)
    view = TrayView(black, 1.0, (0.0, 0.0), box, np.array([100.0, 100.0, 1e6]), True)
    assert_sure(read_view(view, (10, 30)), place, sure)
    assert_sure(read_view(replace(view, camera=None), (10, 30)), place, False)  # nobody knows where dice stand


def assert_sure(seen: DiceSeen, place: tuple[float, float], sure: bool) -> None:
    [given] = [die.confidence for die in seen.dice if (die.x_mm, die.y_mm) == place] or [0.0]
    assert (given >= SURE) == sure


def test_a_disc_in_the_tray_is_no_die() -> None:
    pose = camera(15)
    picture = paint([], pose)
    ring = [(370 + 9 * np.cos(a), 150 + 9 * np.sin(a)) for a in np.linspace(0, 6.28, 40)]
    cv2.fillConvexPoly(picture, np.round(pose.project(ring)).astype(np.int32), (225, 235, 238))
    seen = read_dice(picture, pose, TRAY)
    assert not [die for die in seen.dice if die.confidence >= SURE]


def test_a_tray_that_is_not_wholly_in_the_picture_is_a_doubt() -> None:
    pose = camera(20)
    seen = read_dice(paint([], pose), pose, TRAY._replace(x=900))
    assert any("outside the picture" in doubt for doubt in seen.doubts)


@pytest.mark.long
def test_a_homography_will_do_and_so_will_a_plain_picture() -> None:
    dice = lot((2, 6, 4))
    pose = camera(0)
    picture = paint(dice, pose)
    corners = np.array([(320, 100), (420, 100), (420, 200), (320, 200)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, pose.project(corners).astype(np.float32))
    assert sorted(die.value for die in read_dice(picture, matrix, TRAY).dice) == [2, 4, 6]
    x0, y0 = pose.project(corners).min(axis=0).astype(int) + 4
    x1, y1 = pose.project(corners).max(axis=0).astype(int) - 4
    assert sorted(die.value for die in read_dice_in(picture[y0:y1, x0:x1]).dice) == [2, 4, 6]


@pytest.mark.parametrize(
    ("off", "size", "seen", "doubt"),
    [(0.5, 16.0, 0.95, True), (0.4, 22.0, 0.9, True), (0.1, 16.0, 0.99, False), (0.5, 10.0, 0.95, False),
     (0.5, 16.0, 0.5, False), (1.05, 16.0, 0.99, False)],
)  # fmt: skip
def test_a_top_that_another_likely_one_lies_half_over_is_doubted(
    monkeypatch: pytest.MonkeyPatch, off: float, size: float, seen: float, doubt: bool
) -> None:
    """A side face that looks like a top above its own, say: what is found again, inside it or beside it, is none."""
    shares = np.array([[0.01] + [0.0] * 3 + [0.99] + [0.0] * 3, [1 - seen, 0.0, seen] + [0.0] * 5])
    pair = Tops(np.array([(50.0, 50.0), (50.0, 50.0 - 16 * off)]), np.array([16.0, size]), shares)
    assert contested(pair, [0]).tolist() == [doubt]
    monkeypatch.setattr(searched, "_judged", lambda *_: pair)
    view = TrayView(np.zeros((100, 100, 3), np.uint8), 1.0, (0.0, 0.0), (0.0, 0.0, 100.0, 100.0), None, True)
    four = read_view(view, (15.0, 17.0)).dice[0]
    assert four.value == 4 and (four.confidence < SURE) == doubt
