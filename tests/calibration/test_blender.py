"""The films by Blender: what it is told, the hand painted over, the webcam; and, where there is Blender, a picture.

COMPANION_BLENDER=blender/bin/python pytest tests/calibration/test_blender.py
"""

from __future__ import annotations

import json
import math
import os
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.blender.dice import COUNTING, LAYS, a_look, a_throw, die_of, laid, made
from calibration.blender.dice_lessons import any_look, lesson
from calibration.blender.film import GOOD, BlenderFilm, Day, a_day
from calibration.blender.hand import arm_of, mask, painted
from calibration.blender.leaning import OVER, heads
from calibration.blender.lying import a_fall, judged
from calibration.blender.makes import LATHES, fallen, piece
from calibration.blender.pushed import PushedFilm, seen_from
from calibration.blender.restless import KINDS, RestlessFilm
from calibration.blender.rooms import Room, RoomsMissing, any_light, files_in, light_in, room_of
from calibration.blender.scenes import LIGHTS, Goods, another_size, light_of, printed_goods
from calibration.blender.shops import shop_goods
from calibration.blender.studio import BlenderMissing, Studio, parser_of
from calibration.blender.switched import LASTS, SwitchedFilm
from calibration.blender.thrown import ThrownFilm
from calibration.blender.webcam import a_webcam, another_day, exposure, photographed
from calibration.dice_net.truth import FLAT, LEANING, ON_TOP, UNDER
from calibration.evidence.conditions import Condition
from calibration.evidence.dice_measure import measure_dice
from calibration.evidence.lens import Plane
from calibration.evidence.making import a_camera, printed
from companion.model import BoardSeen, Piece, Position, SpaceSeen
from companion.virtual.tabletop import Hand, Pawn, Tabletop, shoulder_of
from companion.vision import look, make_scene
from companion.vision.dice.seen import Tray

BLENDER = os.environ.get("COMPANION_BLENDER", "")
SHEET, TEXTURE = printed("gloria", (("home", "spaces"),))
STANDING = Position.of({"t5": (0,), "t20": (1,), "t36": (2,)})
ROOM = Room("/rooms/hall.exr", np.array([2.0, 1.5, 1.0]), [(0.4, 0.9, np.array([1.2, 0.8, 0.5]))])
"""One with a lamp to the right and towards the camera."""


class Grey(Studio):
    """A studio that renders nothing but remembers what it was asked for."""

    def __init__(self, folder: Path) -> None:
        super().__init__("no-python", folder)
        self.asked: list[dict[str, Any]] = []

    def light(self, scene: Mapping[str, Any]) -> Plane:
        self.asked.append(json.loads(json.dumps(scene)))
        left, top, right, bottom = scene["part"]
        return np.full((bottom - top, right - left, 3), 0.2, np.float32)


def goods_and_day(seed: int) -> tuple[Goods, Day]:
    rng = np.random.default_rng(seed)
    return printed_goods(SHEET, TEXTURE, rng), a_day(SHEET, False, rng)


def grey_film(folder: Path, seed: int = 3) -> tuple[BlenderFilm, Grey]:
    studio = Grey(folder)
    return BlenderFilm(*goods_and_day(seed), studio, np.random.default_rng(seed)), studio


def test_a_python_without_blender_is_named_with_the_way_out(tmp_path: Path) -> None:
    for python in ("/nowhere/python", "/bin/false"):
        with pytest.raises(BlenderMissing, match=f"{python}.*pip install bpy"):
            Studio(python, tmp_path).light({})


@pytest.mark.long
def test_the_same_seed_is_the_same_table_and_another_one_is_another(tmp_path: Path) -> None:
    top = Tabletop(SHEET, random.Random(2))
    top.set_up(STANDING)
    asked, frames = [], []
    for seed in (3, 3, 4):
        film, studio = grey_film(tmp_path, seed)
        frames.append(film.frame(top.pawns))
        asked.append(studio.asked[0])
    assert asked[0] == asked[1] != asked[2]
    assert np.array_equal(frames[0], frames[1]) and not np.array_equal(frames[0], frames[2])


@pytest.mark.long
def test_only_what_changed_is_rendered_anew(tmp_path: Path) -> None:
    film, studio = grey_film(tmp_path)
    top = Tabletop(SHEET, random.Random(2))
    top.set_up(STANDING)
    film.frame(top.pawns)
    gone = top.pawns.pop()
    film.frame(top.pawns)
    film.frame(top.pawns)
    (whole, part), (width, height) = (one["part"] for one in studio.asked), studio.asked[0]["size"]
    assert whole == [0, 0, width, height]
    assert (part[2] - part[0]) * (part[3] - part[1]) < width * height / 6
    pinhole = film._pinhole
    ((x, y),) = pinhole.project([(*gone.at, 5.0)])
    assert part[0] < x < part[2] and part[1] < y < part[3]


def test_a_piece_in_the_hand_does_not_stand_on_the_table(tmp_path: Path) -> None:
    film, studio = grey_film(tmp_path)
    top = Tabletop(SHEET, random.Random(2))
    top.set_up(STANDING)
    (x, y), shoulder = (SHEET.width / 2, SHEET.height / 2), shoulder_of(SHEET, 1)
    film.frame([replace(top.pawns[0], lift=20.0), *top.pawns[1:]], Hand(1, (x, y), shoulder))
    assert len(studio.asked[0]["pieces"]) == 2


@pytest.mark.long
def test_heads_lean_over_the_table_as_hands_come_and_go_and_each_way_is_rendered_once(tmp_path: Path) -> None:
    goods, day = goods_and_day(3)
    rng, studio = np.random.default_rng(3), Grey(tmp_path)
    leaning = heads(SHEET, day.lit, rng)
    film, top = BlenderFilm(goods, replace(day, heads=leaning), studio, rng), Tabletop(SHEET, random.Random(2))
    top.set_up(STANDING)
    hand = Hand(1, (SHEET.width / 2, SHEET.height / 2), shoulder_of(SHEET, 1))
    film.frame(top.pawns)
    assert len(studio.asked) == 1 and not any(one.get("unseen") for one in studio.asked[0]["pieces"])
    for _ in range(20):
        film.frame(top.pawns, hand)
        film.frame(top.pawns)
    seen = [[one for one in asked["pieces"] if one.get("unseen")] for asked in studio.asked]
    assert len(seen) == 1 + len(leaning), "as without any, and each of them"
    assert sorted(map(json.dumps, seen)) == sorted(map(json.dumps, ([], *([head] for head in leaning))))
    top.pawns.pop()
    film.frame(top.pawns)
    part, (width, height) = studio.asked[-1]["part"], studio.asked[-1]["size"]
    assert (part[2] - part[0]) * (part[3] - part[1]) < width * height / 6, "under a head, too, only what changed"


@pytest.mark.long
def test_the_light_is_switched_again_and_again_and_the_camera_stays_and_follows(tmp_path: Path) -> None:
    film, studio = grey_film(tmp_path)
    switched = SwitchedFilm(film, np.random.default_rng(4))
    assert (switched.corners() == film.corners()).all()
    frames = [switched.frame([]) for _ in range(2 * LASTS[1])]
    lamps = [json.dumps(asked["lights"]) for asked in studio.asked]
    assert len(lamps) == len(set(lamps)) == 2, "each light is rendered once: nothing else changes"
    assert (switched.corners() == film.corners()).all() and {frame.shape for frame in frames} == {frames[0].shape}
    means = [frame.mean() for frame in frames]
    assert len({round(mean) for mean in means}) == 2 and np.ptp(means) < 20, "the exposure follows"


@pytest.mark.long
def test_dice_lie_on_the_board_beside_pieces_until_they_are_thrown_again(tmp_path: Path) -> None:
    goods, day = goods_and_day(9)
    studio = Grey(tmp_path)
    thrown = ThrownFilm(BlenderFilm(goods, day, studio, np.random.default_rng(2)), np.random.default_rng(4))
    spaces = [SHEET.spaces[f"t{number}"] for number in range(0, 40, 4)]
    pawns = [Pawn(0, space.name, (space.x, space.y)) for space in spaces]
    hand = Hand(0, (100.0, 100.0), shoulder_of(SHEET, 0))
    lay = []
    for _ in range(12):
        thrown.frame(pawns, hand)
        thrown.frame(pawns)
        lay.append(json.dumps([one["die"]["middle"] for one in studio.asked[-1]["pieces"] if "die" in one]))
        thrown.frame(pawns)  # nobody was there meanwhile: they lie where they lay
    assert thrown.throws == len(set(lay) - {"[]"}) >= 4, "each throw is another"
    middles = [middle for text in lay for middle in json.loads(text)]
    for x, y, high in middles:
        assert 0 < x < SHEET.width and 0 < y < SHEET.height and high > 0
        assert min(math.dist((x, y), pawn.at) for pawn in pawns) > 0.6 * SHEET.piece.diameter
    put = [*pawns, Pawn(1, "", (middles[-1][0], middles[-1][1]))]
    thrown.frame(put)
    left = [one["die"]["middle"] for one in studio.asked[-1]["pieces"] if "die" in one]
    assert middles[-1] not in left, "it is pushed off"


class Shown:
    """A film of given pictures, in some of which there is a hand."""

    sheet = SHEET

    def __init__(self, *pictures: np.ndarray) -> None:
        self.left = list(pictures)

    def frame(self, pawns: object, hand: Hand | None = None) -> np.ndarray:
        return self.left.pop(0)

    def corners(self) -> np.ndarray:
        return np.zeros((4, 2))


HAND = Hand(0, (10.0, 10.0), (10.0, -200.0))


def restless(kind: str, *pictures: np.ndarray, hands: tuple[int, ...] = ()) -> list[np.ndarray]:
    film = RestlessFilm(Shown(*pictures), kind, np.random.default_rng(1))
    return [film.frame([], HAND if k in hands else None) for k in range(len(pictures))]


def flat(level: int, spot: int | None = None) -> np.ndarray:
    picture = np.full((60, 80, 3), level, np.uint8)
    picture[20:40, 30:50] = level if spot is None else spot
    return picture


def test_a_camera_that_takes_noise_out_over_time_lets_what_is_faint_fade_in_and_what_is_plain_be() -> None:
    faint = restless("ghosts", flat(120), *[flat(120, 128)] * 8)
    shown = [int(picture[30, 40, 0]) for picture in faint]
    assert shown[0] == 120 < shown[1] < 125 < shown[4] and shown[8] >= 127
    assert restless("ghosts", flat(120), flat(120, 200))[1][30, 40, 0] == 200


def test_the_focus_is_gone_with_a_hand_and_comes_back() -> None:
    sharp = flat(60, 200)
    edges = [np.abs(np.diff(p[30].astype(int), axis=0)).max() for p in restless("focus", *[sharp] * 12, hands=(2, 3))]
    assert edges[0] == edges[1] == 140 > max(edges[2:4]) and edges[11] > max(edges[2:4])


def test_the_tone_of_a_part_hangs_on_what_is_in_it() -> None:
    bare, held = restless("tone", flat(90), flat(90, 10))
    assert (bare[50, 70] != held[50, 70]).any() or (bare[30, 20] != held[30, 20]).any()


def test_the_white_balance_follows_what_is_in_the_picture_slowly() -> None:
    red = flat(120)
    red[:, :40] = (30, 30, 200)
    shown = restless("balance", flat(120), *[red] * 12)
    bluish = [int(picture[30, 70, 0]) - int(picture[30, 70, 2]) for picture in shown]
    assert bluish[0] == 0 < bluish[1] < bluish[11]


def test_every_kind_keeps_the_size_and_the_corners() -> None:
    for kind in KINDS:
        film = RestlessFilm(Shown(flat(90)), kind, np.random.default_rng(1))
        assert film.frame([]).shape == (60, 80, 3) and film.corners().shape == (4, 2)


@pytest.mark.long
def test_a_board_is_pushed_again_and_again_and_stays_in_the_picture(tmp_path: Path) -> None:
    film, studio = grey_film(tmp_path)
    pushed = PushedFilm(film, np.random.default_rng(4))
    width, height = film.day.camera.size
    seen = []
    for _ in range(600):
        pushed.frame([])
        corners = pushed.corners()
        assert (corners >= 0).all() and (corners < (width, height)).all()
        if not seen or (corners != seen[-1]).any():
            seen.append(corners)
    assert len(seen) == 1 + pushed.pushes == len(studio.asked) >= 5, "rendered once after each push"


def test_a_camera_sees_a_board_that_was_turned_and_pushed_where_it_lies_now() -> None:
    sheet, day = SHEET, goods_and_day(3)[1]
    home = np.array([sheet.width / 2, sheet.height / 2, 0.0])
    space = np.array([30.0, 50.0, 0.0])
    across, up, _ = space - home
    there = home + np.array([7 - up, across - 4, 0])  # a quarter from x to y, and pushed
    after = seen_from(day.camera, home, math.pi / 2, np.array([7.0, -4.0]))
    assert np.allclose(after.project(space), day.camera.project(there))


@pytest.mark.long
def test_the_shadow_of_a_head_falls_on_the_board() -> None:
    for seed in range(20):
        _, day = goods_and_day(seed)
        lamp = max(day.lit.lamps, key=lambda one: sum(one["color"]))
        for head in heads(SHEET, day.lit, np.random.default_rng(seed)):
            chin = np.array(head["at"])
            away = np.array(lamp["at"]) - (lamp["home"] if lamp["kind"] == "sun" else chin)
            assert chin[2] >= OVER[0]
            x, y = (chin - away / away[2] * chin[2])[:2]
            assert 0 < x < SHEET.width and 0 < y < SHEET.height


@pytest.mark.parametrize("kind", sorted(LATHES))
def test_pieces_stand_on_their_foot_and_are_about_as_high_and_wide_as_the_sheet_says(kind: str) -> None:
    of = Piece(kind, 20.0, 24.0 if kind == "pawn" else 17.0)
    for make in range(len(LATHES[kind])):
        outline = np.array(piece(of, make, (1.0, 2.0, 3.0), 0.0, {})["outline"])
        assert 0.9 * of.height <= outline[:, 1].max() <= 1.01 * of.height
        assert 0.6 * of.diameter / 2 <= np.abs(outline[:, 0]).max() <= 1.06 * of.diameter / 2
        assert outline[:, 1].min() >= (0 if kind != "marble" else of.height - of.diameter) - 1e-6


@pytest.mark.parametrize("make", range(len(LATHES["pawn"])))
def test_a_pawn_that_lies_touches_the_board_and_is_long_and_not_high(make: int) -> None:
    pawn = Piece("pawn", 12, 24)
    for turn in (0.0, 2.0, 5.0):
        told = fallen(piece(pawn, make, (50.0, 60.0, 1.5), 0.7, {}), turn)
        if "flat" in told:
            own = [(across, deep, h) for across, h in told["outline"] for deep in (-told["flat"] / 2, told["flat"] / 2)]
        else:
            round_about = np.linspace(0, 2 * np.pi, 73)
            own = [(wide * np.cos(a), wide * np.sin(a), h) for wide, h in told["outline"] for a in round_about]
        seen = np.array(told["at"]) + np.array(own) @ np.array(told["axes"])
        assert abs(seen[:, 2].min() - 1.5) < 0.05, "on the board"
        assert seen[:, 2].max() < 1.5 + 1.1 * pawn.diameter
        along = (seen[:, :2] - (50, 60)) @ (np.cos(turn), np.sin(turn))
        assert abs(along.max() + along.min()) < 0.2 * pawn.height and np.ptp(along) > 0.9 * pawn.height


def test_what_the_eyes_say_of_a_pawn_that_lies_is_told_apart_from_what_they_say_of_pairs(tmp_path: Path) -> None:
    fall = a_fall(1, 0, Grey(tmp_path))
    spaces = {name: SpaceSeen((), 1.0, False) for name in fall.scene.sheet.spaces}
    spaces |= {name: SpaceSeen(content, 0.8, False) for name, content in fall.truth.items()}
    for confidence, how in ((0.6, "doubted"), (0.8, "unsure"), (0.99, "sure")):
        spaces[fall.space] = SpaceSeen((fall.seat,), confidence, False)
        told = list(judged(fall, BoardSeen(0.0, spaces)))
        assert told[0] == ("lying", how)
        assert {one for one in told[1:]} <= {("pair", "unsure")}


@pytest.mark.parametrize("name", LIGHTS)
def test_light_comes_from_above_and_json_can_say_it(name: str) -> None:
    lit = light_of(name, SHEET, np.random.default_rng(5))
    told = json.loads(json.dumps([lit.lamps, lit.sky, lit.bars]))
    assert all(lamp["at"][2] > 0 for lamp in told[0])
    assert (lit.color > 0).all() and lit.sun[2] == pytest.approx(1, abs=1e-9)


def test_a_room_gives_all_the_light_and_its_brightest_place_is_turned_with_it(tmp_path: Path) -> None:
    sitting = 0
    for seed in range(20):
        lit = light_in(ROOM, SHEET, np.random.default_rng(seed))
        assert lit.room is not None and not lit.lamps and lit.color @ (0.1, 0.6, 0.3) == pytest.approx(1)
        assert lit.color[2] / lit.color[0] == pytest.approx(2), "blue, green, red"
        turned = (np.arctan2(lit.sun[1], lit.sun[0]) - ROOM.bright[0][0] - lit.room["turn"]) / (2 * np.pi)
        assert turned == pytest.approx(round(turned), abs=1e-9)
        assert lit.sun[2] == pytest.approx(1) and heads(SHEET, lit, np.random.default_rng(seed))
        sitting += len(lit.bars)
    assert 0 < sitting < 20
    day, studio = a_day(SHEET, False, np.random.default_rng(3), rooms=[ROOM]), Grey(tmp_path)
    BlenderFilm(goods_and_day(3)[0], day, studio, np.random.default_rng(3)).frame([])
    assert studio.asked[0]["room"] == day.lit.room and studio.asked[0]["lights"] == []


def test_without_rooms_the_light_is_what_it_was_and_nothing_is_said_of_rooms(tmp_path: Path) -> None:
    lit = any_light(SHEET, (), np.random.default_rng(5))
    rng = np.random.default_rng(5)
    assert lit.lamps == light_of(str(rng.choice(LIGHTS)), SHEET, rng).lamps == lit.sources
    film, studio = grey_film(tmp_path)
    film.frame([])
    assert "room" not in studio.asked[0]


def test_a_folder_without_rooms_and_a_file_that_is_none_are_named(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(RoomsMissing, match=f"{tmp_path} has no pictures of rooms: expected .*exr"):
        Studio("no-python", tmp_path).go_to(str(tmp_path))
    with pytest.raises(RoomsMissing, match=r"black\.exr is no picture"):
        room_of({"file": "black.exr"})
    (tmp_path / "B.HDR").touch()
    (tmp_path / "a.exr").touch()
    assert [file.name for file in files_in(tmp_path)] == ["B.HDR", "a.exr"]
    with pytest.raises(BlenderMissing):
        Studio("no-python", tmp_path).go_to("")


def test_rooms_are_asked_for_by_a_flag_that_may_name_a_folder() -> None:
    given = ["--blender", "python"]
    told = [parser_of("").parse_args([*given, *more]).rooms for more in ([], ["--rooms"], ["--rooms", "halls"])]
    assert told == [None, "", "halls"]


def test_a_hand_hides_what_is_below_it_and_darkens_what_is_beside() -> None:
    camera = a_camera(SHEET, Condition(size=GOOD, k1=(-0.1, -0.1)), np.random.default_rng(1))
    table = np.full((GOOD[1], GOOD[0], 3), 0.3, np.float32)
    hand = Hand(1, (SHEET.width / 2, SHEET.height / 2), shoulder_of(SHEET, 1))
    solids = arm_of(hand, np.array([0.2, 0.3, 0.5]), np.array([0.1, 0.4, 0.1]))
    hidden, seen = (
        mask(table.shape[:2], solids, camera) > 0,
        painted(table, solids, camera, np.array([1, 0, 1]), np.ones(3)),
    )
    assert 0.03 < hidden.mean() < 0.5
    assert np.ptp(seen[hidden].reshape(-1, 3) @ np.ones(3)) > 0.1
    assert (seen[~hidden] <= 0.3 + 1e-6).all() and (seen[~hidden] < 0.28).any() and (seen[~hidden] > 0.299).any()


@pytest.mark.parametrize("way", [(0, -1), (0, 1), (-1, 0), (1, 0)])
def test_a_hand_that_is_beside_the_picture_hides_nothing(way: tuple[int, int]) -> None:
    camera = a_camera(SHEET, Condition(size=GOOD, k1=(-0.12, -0.12), view=(78, 78)), np.random.default_rng(1))
    at, shoulder = ((SHEET.width / 2 + far * way[0], SHEET.height / 2 + far * way[1]) for far in (700.0, 1400.0))
    solids = arm_of(Hand(1, at, shoulder), np.ones(3), np.ones(3))
    assert mask((GOOD[1], GOOD[0]), solids, camera).mean() < 0.01


def test_the_exposure_brings_dark_and_bright_tables_to_one_level() -> None:
    webcam = a_webcam(np.ones(3), False, np.random.default_rng(1))
    levels = []
    for bright in (0.02, 2.0):
        light = np.full((120, 160, 3), bright, np.float32)
        levels.append(photographed(light, exposure(light, webcam), webcam, np.random.default_rng(2)).mean())
    assert levels[0] == pytest.approx(levels[1], abs=2) and 60 < levels[0] < 160


def test_a_hard_webcam_is_darker_and_noisier() -> None:
    light, found = np.full((120, 160, 3), 0.3, np.float32), []
    for hard in (False, True):
        webcam = a_webcam(np.ones(3), hard, np.random.default_rng(1))
        frame = photographed(light, exposure(light, webcam), webcam, np.random.default_rng(2))
        found.append((frame.mean(), frame[40:80, 60:100].std()))
    assert found[1][0] < found[0][0] and found[1][1] > 1.2 * found[0][1]


def test_a_webcam_is_the_same_on_another_day_but_for_its_white_balance() -> None:
    rng = np.random.default_rng(2)
    one = a_webcam(np.array([0.5, 0.8, 1.2]), False, rng)
    other = another_day(one, np.array([1.1, 1.0, 0.9]), rng)
    assert not np.allclose(other.balance, one.balance, rtol=0.1)
    assert {**asdict(other), "balance": 0} == {**asdict(one), "balance": 0}


def test_pieces_are_of_other_sizes_than_the_sheet_says_but_marbles_sink_no_deeper() -> None:
    for kind, high in (("pawn", 24.0), ("disc", 4.0), ("marble", 12.0)):
        of = Piece(kind, 14.0, high)
        made = [another_size(of, np.random.default_rng(seed)) for seed in range(20)]
        assert len({one.diameter for one in made}) == 20
        assert all(0.9 <= one.diameter / 14 <= 1.1 and 0.85 <= one.height / high <= 1.15 for one in made)
        assert kind != "marble" or all(one.diameter - one.height == pytest.approx(2) for one in made)


@pytest.mark.long
def test_shop_boards_are_of_other_sizes_and_drilled_ones_have_holes() -> None:
    made = [shop_goods("aggravation", {"arms": 4}, (0, 1, 2, 3), np.random.default_rng(seed)) for seed in range(12)]
    assert len({name for name, _ in made}) > 2
    for name, goods in made:
        assert (goods.relief is not None) == (name == "drilled")
        assert goods.board["width"] == goods.sheet.width != SHEET.width


def pips_up(told: dict[str, Any]) -> int:
    """How many pips a die shows to the sky."""
    return sum(pip["out"][2] > 0.99 for pip in told["die"]["pips"])


@pytest.mark.parametrize("name", LAYS)
def test_dice_show_what_they_are_said_to_show_and_lie_in_the_tray(name: str) -> None:
    tray = Tray(420.0, 30.0, 120.0, 100.0, 2.0)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        look = a_look(name == "clear", rng)
        for die in laid(name, tray, look, -tray.drop, rng):
            told = json.loads(json.dumps(die_of(die, look)))
            ways = Counter(tuple(np.round(pip["out"], 6)) for pip in told["die"]["pips"])
            assert sorted(ways.values()) == [1, 2, 3, 4, 5, 6]
            assert all(ways[tuple(-np.array(way))] + count == 7 for way, count in ways.items())
            far = [np.linalg.norm(np.array(pip["at"]) - die.center) for pip in told["die"]["pips"]]
            assert min(far) >= look.make.edge / 2 - 1e-6 and max(far) < 0.75 * look.make.edge
            if die.leaning < 1:
                assert pips_up(told) == die.value
            assert tray.x < die.center[0] < tray.x + tray.width and tray.y < die.center[1] < tray.y + tray.height


@pytest.mark.long
def test_a_throw_is_rendered_where_the_tray_is_and_told_with_its_truth(tmp_path: Path) -> None:
    studio, seen = Grey(tmp_path), set()
    for number in range(12):
        throw = a_throw(3, number, studio, 2)
        one = made(throw, np.random.default_rng(number))
        told = studio.asked[-1]
        left, top, right, bottom = told["part"]
        assert 0 <= left < right <= told["size"][0] and 0 <= top < bottom <= told["size"][1]
        assert (right - left) * (bottom - top) < 0.5 * told["size"][0] * told["size"][1]
        assert one.counts == (throw.name in COUNTING) and len(one.later) == 1
        assert not one.counts or len(one.dice) == len(throw.dice) == one.thrown == len(told["pieces"])
        assert one.frame.shape[:2] == throw.camera.size[::-1]
        seen.add(throw.name)
    assert len(seen) > 3


@pytest.mark.long
def test_a_lesson_is_rendered_for_two_webcams_and_its_dice_are_told(tmp_path: Path) -> None:
    for number in range(4):
        studio = Grey(tmp_path)
        one, other = lesson(5, number, studio)
        assert studio.asked[0] == studio.asked[1] and len(studio.asked[0]["pieces"]) == len(one.tops)
        assert [top[3:] for top in one.tops] == [top[3:] for top in other.tops]
        assert not one.tops or not np.array_equal(one.picture, other.picture)
        rows, cols = one.picture.shape[:2]
        for top in one.tops:
            assert 0 < top.x < cols and 0 < top.y < rows and 8 < top.size < 100
            assert 1 <= top.value <= 6 and top.kind in (FLAT, LEANING, ON_TOP, UNDER)


def test_lessons_are_about_dice_of_many_stuffs() -> None:
    rng = np.random.default_rng(2)
    looks = [any_look(rng) for _ in range(60)]
    assert 10 < sum("texture" in look.surface for look in looks) < 50
    assert 10 < sum("clear" in look.surface for look in looks) < 50
    assert all(look.surface["color"] != look.pips["color"] for look in looks)


@pytest.mark.skipif(not BLENDER, reason="COMPANION_BLENDER names no Python that has bpy")
def test_a_rendered_die_is_read(tmp_path: Path) -> None:
    studio = Studio(BLENDER, tmp_path)
    number = next(k for k in range(99) if a_throw(1, k, Grey(tmp_path / "grey"), 1).name == "apart")
    one = made(a_throw(1, number, studio, 1), np.random.default_rng(1))
    assert measure_dice(one).right == len(one.dice)


@pytest.mark.skipif(not BLENDER, reason="COMPANION_BLENDER names no Python that has bpy")
def test_the_rooms_that_blender_brings_are_measured(tmp_path: Path) -> None:
    studio = Studio(BLENDER, tmp_path)
    studio.go_to("")
    assert {"city", "night", "studio"} <= {Path(room.file).stem for room in studio.rooms}
    for room in studio.rooms:
        for _, high, part in room.bright:
            assert 0 < high < np.pi / 2 and (part > 0).all() and (part < room.level).all()


@pytest.mark.skipif(not BLENDER, reason="COMPANION_BLENDER names no Python that has bpy")
def test_a_room_lights_the_table_as_it_was_measured(tmp_path: Path) -> None:
    light = np.full((32, 64, 3), 0.2, np.float32)
    light[8:10, 40:42] = 300.0  # above and right of the picture's middle: its first row is straight above
    cv2.imwrite(str(tmp_path / "lamp.hdr"), light)
    studio = Studio(BLENDER, tmp_path)
    studio.go_to(str(tmp_path))
    lit, (goods, day) = light_in(studio.rooms[0], SHEET, np.random.default_rng(1)), goods_and_day(4)
    lit.bars.clear()
    film, (x, y) = BlenderFilm(goods, replace(day, lit=lit), studio, np.random.default_rng(3)), (130.0, 60.0)
    bare, there = (film.still(pawns) for pawns in ([], [Pawn(0, "t1", (x, y))]))
    studio.close()
    far = 0.6 * goods.piece.height
    spots = [(x - far * lit.sun[0], y - far * lit.sun[1], 0.0), (x + 30 * lit.sun[0], y + 30 * lit.sun[1], 0.0)]
    pixels = np.round(film._pinhole.project(spots)).astype(int)
    shadow, beside = (there[v, u].sum() / bare[v, u].sum() for u, v in pixels)
    assert shadow < 0.6 and beside == pytest.approx(1, abs=0.1)


@pytest.mark.skipif(not BLENDER, reason="COMPANION_BLENDER names no Python that has bpy")
def test_a_rendered_board_is_found_and_read(tmp_path: Path) -> None:
    goods, day = goods_and_day(4)
    studio, top = Studio(BLENDER, tmp_path), Tabletop(SHEET, random.Random(2))
    film = BlenderFilm(goods, day, studio, np.random.default_rng(3))
    bare = film.frame([])
    top.set_up(STANDING)
    film.frame(top.pawns)
    seen, _ = look(film.frame(top.pawns), make_scene(SHEET, TEXTURE))
    assert isinstance(seen, BoardSeen)
    assert {name: s.content for name, s in seen.spaces.items() if s.content} == dict(STANDING.items())
    assert studio.made == 2 and bare.shape == (GOOD[1], GOOD[0], 3)
    again = BlenderFilm(goods, day, Studio("no-python", tmp_path), np.random.default_rng(3))
    assert np.array_equal(again.frame([]), bare)
    studio.close()
