"""Shadows of a colour of their own, where two lights of different colours fall: they are no pieces."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import cv2
import numpy as np
import pytest
import table_drawing as table

from companion.model import BoardSeen, Piece
from companion.vision import Scene, look, make_scene
from companion.vision.light.tinged import tinged_shadows
from companion.vision.view.scene import PIXELS_PER_MM

SHEET, TEXTURE = table.board()
PAWN, MARBLE = Piece("pawn", 12.0, 24.0), Piece("marble", 14.0, 12.0)
FEET = np.array([[60.0, 60.0], [60.0, 110.0], [120.0, 70.0], [120.0, 140.0], [70.0, 170.0], [160.0, 40.0]])
TINT = np.array([-1.6, -0.5, -0.25])
EYE = np.array([-400.0, 100.0, 500.0])
HALF = PIXELS_PER_MM / 2


def plain() -> np.ndarray:
    return np.full((round(240 * HALF), round(240 * HALF), 3), 0.7, np.float32)


def spots(feet: np.ndarray, along: np.ndarray, radius: float) -> np.ndarray:
    """Where discs lie that are moved from some feet, mm, bool (rows, cols)."""
    mask = np.zeros(plain().shape[:2], np.uint8)
    for x, y in (feet + along) * HALF:
        cv2.circle(mask, (round(x), round(y)), round(radius * HALF), 1, -1)
    return mask > 0


def owner(feet: np.ndarray, radius: float = 6.0) -> np.ndarray:
    """Which piece is seen where, −1 where none is: (rows, cols)."""
    result = np.full(plain().shape[:2], -1)
    for number, foot in enumerate(feet):
        result[spots(foot[None], np.zeros(2), radius)] = number
    return result


def shaded(seen: np.ndarray, ways: np.ndarray, tint: np.ndarray, start: int = 6, end: int = 26) -> np.ndarray:
    """Darken what lies from so many to so many mm from each foot, its own way; returns where, bool (rows, cols)."""
    shadow = np.logical_or.reduce([spots(FEET, far * ways, 5.0) for far in range(start, end, 2)])
    seen[shadow] = plain()[shadow] * np.exp(tint)
    return shadow


def test_what_is_of_one_tint_beside_most_pieces_the_same_way_is_their_shadow() -> None:
    seen, down = plain(), np.array([0.0, 1.0])
    shadow, pieces = shaded(seen, down, TINT), spots(FEET, 0 * down, 6.0)
    seen[pieces] = (0.02, 0.02, 0.3)
    found = tinged_shadows(FEET, seen, plain(), owner(FEET), PAWN, EYE)
    bare = shadow & ~pieces
    assert found[bare].mean() > 0.9
    assert not (found & ~cv2.dilate(bare.astype(np.uint8), np.ones((3, 3))).astype(bool)).any()


def test_shadows_fall_away_from_a_lamp_that_is_near() -> None:
    """Some 30 cm from the board's middle: at one edge they fall otherwise than at another."""
    feet = np.array([[x, y] for x in (30.0, 210.0) for y in (30.0, 80.0, 130.0)] + [[120.0, 30.0], [120.0, 130.0]])
    seen, away = plain(), feet - (120.0, -160.0)
    ways = away / np.linalg.norm(away, axis=1, keepdims=True)
    shadow = np.logical_or.reduce([spots(feet, far * ways, 2.5) for far in range(6, 26, 2)])
    seen[shadow] *= np.exp(TINT)
    pieces = spots(feet, np.zeros(2), 6.0)
    seen[pieces] = (0.02, 0.02, 0.3)
    found = tinged_shadows(feet, seen, plain(), owner(feet), PAWN, EYE)
    assert found[shadow & ~pieces].mean() > 0.9


def test_pieces_that_were_taken_for_such_are_no_witnesses_against_a_shadow() -> None:
    """Yellow pawns were found in the shadows of four of six red ones."""
    seen, down = plain(), np.array([0.0, 1.0])
    shadow, real = shaded(seen, down, TINT, end=16), spots(FEET, 0 * down, 6.0)
    seen[real] = (0.02, 0.02, 0.3)
    both = np.vstack([FEET, FEET[:4] + 12.0 * down])
    found = tinged_shadows(both, seen, plain(), owner(both), PAWN, EYE)
    assert found[shadow & ~real].mean() > 0.9


def test_what_was_ruled_tells_which_pieces_cast_shadows_among_many_that_are_some() -> None:
    """Of two lights; in most of their shadows two pawns were found, as there are where a camera steepens contrasts."""
    seen, down, left, blue = plain(), np.array([0.0, 1.0]), np.array([-1.0, 0.0]), np.array([-0.6, -1.2, -1.5])
    shadows, real = shaded(seen, down, TINT, end=20) | shaded(seen, left, blue, end=20), spots(FEET, 0 * down, 6.0)
    seen[real] = (0.02, 0.02, 0.3)
    some = np.vstack([FEET + far * way for way in (down, left) for far in (9.0, 16.0)])
    all_of_them, ruled = np.vstack([FEET, some]), np.arange(len(FEET) + len(some)) < len(FEET)
    untold = tinged_shadows(all_of_them, seen, plain(), owner(all_of_them), PAWN, EYE)
    assert untold[shadows & ~real].mean() < 0.6
    found = tinged_shadows(all_of_them, seen, plain(), owner(all_of_them), PAWN, EYE, ruled)
    assert found[shadows & ~real].mean() > 0.9


def test_two_pieces_that_were_ruled_are_too_few_to_tell_how_shadows_fall() -> None:
    seen, down = plain(), np.array([0.0, 1.0])
    shadow, pieces = shaded(seen, down, TINT), spots(FEET, 0 * down, 6.0)
    seen[pieces] = (0.02, 0.02, 0.3)
    found = tinged_shadows(FEET, seen, plain(), owner(FEET), PAWN, EYE, np.arange(len(FEET)) < 2)
    assert found[shadow & ~pieces].mean() > 0.9


def test_shadows_of_which_all_but_the_tips_were_taken_for_pieces() -> None:
    """In each shadow of a yellow pawn stood two black ones."""
    seen, down = plain(), np.array([0.0, 1.0])
    shadow, real = shaded(seen, down, TINT, end=38), spots(FEET, 0 * down, 6.0)
    seen[real] = (0.02, 0.02, 0.3)
    both = np.vstack([FEET, FEET + 12.0 * down, FEET + 23.0 * down])
    found = tinged_shadows(both, seen, plain(), owner(both), PAWN, EYE)
    assert found[shadow & ~real].mean() > 0.9


def test_a_shadow_is_as_soft_as_its_lamp_is_wide() -> None:
    """Where half of a lamp is seen half of its light is lost: deep colours become pale ones, but not as a power of
    them."""
    seen, down = plain(), np.array([0.0, 1.0])
    tint = np.array([-2.6, -1.0, -0.4])
    half = shaded(seen, down, np.log(0.5 + 0.5 * np.exp(tint)), 16, 30)
    full = shaded(seen, down, tint, 6, 16)
    pieces = spots(FEET, 0 * down, 6.0)
    seen[pieces] = (0.02, 0.3, 0.02)
    found = tinged_shadows(FEET, seen, plain(), owner(FEET), PAWN, EYE)
    assert found[full & ~pieces].mean() > 0.9
    assert found[half & ~full & ~pieces].mean() > 0.9


def test_a_pawn_that_looks_like_a_shadow_which_nobody_casts_is_none() -> None:
    """Two of six pawns are as yellow as the shadows."""
    seen, down = plain(), np.array([0.0, 1.0])
    shadow, red, yellow = shaded(seen, down, TINT), spots(FEET[2:], 0 * down, 6.0), spots(FEET[:2], 0 * down, 6.0)
    seen[red], seen[yellow] = (0.02, 0.02, 0.3), plain()[yellow] * np.exp(1.1 * TINT)
    found = tinged_shadows(FEET, seen, plain(), owner(FEET), PAWN, EYE)
    assert not found[yellow].any()
    assert found[shadow & ~red & ~yellow].mean() > 0.9


def test_marbles_in_rows_are_nobodys_shadows() -> None:
    feet = np.array([[60.0 + 16 * k, y] for k in range(4) for y in (60.0, 120.0, 180.0)])
    pieces, seen = spots(feet, np.zeros(2), 7.0), plain()
    seen[pieces] *= np.exp(TINT)
    assert not tinged_shadows(feet, seen, plain(), owner(feet, 7.0), MARBLE, np.array([120.0, 900.0, 500.0])).any()


@lru_cache
def scene() -> Scene:
    return make_scene(SHEET, TEXTURE)


STANDING = {"t0": 0, "t2": 3, "t4": 1, "t6": 3, "t8": 0, "t10": 1, "base0": 0}
Standing = list[tuple[int, float, float]]


def stand(on: dict[str, int]) -> Standing:
    return [(seat, SHEET.spaces[name].x, SHEET.spaces[name].y) for name, seat in on.items()]


def drawn(standing: Standing) -> np.ndarray:
    """Pawns whose shadows are yellow, since a second lamp is: towards the right, and the camera."""
    pose = table.camera(tilt=35.0, turn=4.0)
    picture = table.draw(SHEET, TEXTURE, pose, noise=0.0)
    share = np.zeros(picture.shape[:2], np.float32)
    for _, x, y in standing:
        ends = pose.project([(x - 5, y, 0), (x + 20, y + 22, 0), (x + 26, y + 16, 0), (x, y - 5, 0)])
        cv2.fillConvexPoly(share, np.round(ends * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    share = np.asarray(cv2.GaussianBlur(share, (0, 0), 1.0), np.float32)[..., None]
    linear = (picture / 255.0) ** 2.2 * (1 - share * (1 - np.exp((-1.9, -0.55, -0.27))))
    picture = np.asarray(np.round(linear ** (1 / 2.2) * 255), np.uint8)
    for seat, x, y in sorted(standing, key=lambda one: one[2]):
        table._pawn(picture, pose, SHEET.colors[seat], x, y)
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def read(standing: Standing) -> dict[str, tuple[int, ...]]:
    seen, _ = look(drawn(standing), scene())
    assert isinstance(seen, BoardSeen), seen
    return {name: space.content for name, space in seen.spaces.items() if space.content}


@pytest.mark.long
def test_yellow_shadows_are_no_yellow_pawns() -> None:
    assert read(stand(STANDING)) == {name: (seat,) for name, seat in STANDING.items()}


@pytest.mark.long
def test_a_yellow_pawn_in_the_yellow_shadow_of_another_one_is_seen() -> None:
    """Half a millimetre to and fro decides where a shadow ends: seldom is it one more pawn, and never surely."""
    on = {"t0": 0, "t2": 2, "t4": 1, "t6": 3, "t8": 2, "t10": 1}
    expected = {name: (seat,) for name, seat in on.items()} | {"base0": (0, 2)}
    seen = []
    for x, y in product((-0.5, 0.0, 0.5), repeat=2):
        found, _ = look(drawn([*stand(on), (0, 247.0 + x, 141.0 + y), (2, 260.5 + x, 152.9 + y)]), scene())
        assert isinstance(found, BoardSeen), found
        read_there = {name: space.content for name, space in found.spaces.items() if space.content}
        seen.append((read_there == expected, found.spaces["base0"].confidence))
    assert sum(right for right, _ in seen) >= 8
    assert all(right or confidence < 0.9 for right, confidence in seen)


@pytest.mark.long(but=("t9",))
@pytest.mark.parametrize("name", ["t9", "t11"])
def test_a_space_in_a_shadow_of_a_colour_of_its_own_shows_its_print(name: str) -> None:
    """The edge of such a shadow was taken for the relief of a piece: 0.72 and 0.55 for nothing."""
    space = SHEET.spaces[name]
    found, _ = look(drawn([*stand(STANDING), (0, space.x - 14, space.y - 10)]), scene())
    assert isinstance(found, BoardSeen), found
    assert not found.spaces[name].content and found.spaces[name].confidence > 0.9, found.spaces[name]
