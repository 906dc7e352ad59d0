"""A piece on a space of its own colour: its relief tells of it, or the print that is gone; nothing is surely empty."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest
from table_drawing import SCALE, board, camera, draw

from companion.model import BoardSeen, Piece, Sheet
from companion.vision import look, make_scene
from companion.vision.reading.pattern import _edges, _of_kind, _unlike_print
from companion.vision.view.pose import Pose

RADIUS, HEIGHT = 7.0, 10.0
FULL = ["lane0.1", "lane0.2", "lane0.4"]
LANE = [f"lane0.{number}" for number in range(1, 5)]
HUES = {"dark blue": "#16306e", "yellow": "#e8bc18", "red": "#b01c20", "green": "#0e6a34"}


@lru_cache
def holes(color: str) -> tuple[Sheet, np.ndarray]:
    """The little board as wood with holes for marbles; those of a lane have a ring of the colour of seat 0."""
    sheet, texture = board()
    lane = {name: replace(sheet.spaces["lane0.1"], name=name, x=105.0 + 30 * k) for k, name in enumerate(LANE)}
    spaces = {name: s for name, s in sheet.spaces.items() if name[0] == "t"} | lane
    spaces = {name: replace(space, radius=6.0) for name, space in spaces.items()}
    wood = texture.copy()
    wood[140:-140, 140:-140] = (70, 110, 160)
    ink = [int(color[k : k + 2], 16) for k in (5, 3, 1)]
    for name, space in spaces.items():
        at = round(space.x * SCALE), round(space.y * SCALE)
        cv2.circle(wood, at, round(7.5 * SCALE), ink if name in lane else (55, 85, 125), -1, cv2.LINE_AA)
        cv2.circle(wood, at, round(4.4 * SCALE), (28, 36, 48), -1, cv2.LINE_AA)
    colors = {0: color, 1: "#f0ece0", 2: "#202024", 3: "#e07020"}
    piece = Piece("marble", 2 * RADIUS, HEIGHT)
    return replace(sheet, game="aggravation", spaces=spaces, piece=piece, colors=colors), wood


def marble(picture: np.ndarray, pose: Pose, at: tuple[float, float], color: str) -> None:
    """Draw a shaded ball in a hole."""
    bgr = np.array([int(color[k : k + 2], 16) for k in (5, 3, 1)], float)
    high = HEIGHT - RADIUS
    middle, edge = pose.project([(*at, high), (at[0] + RADIUS, at[1], high)])
    size = float(np.hypot(*(edge - middle)))
    for far, share, tone in ((0.0, 1.0, 0.6), (0.15, 0.8, 0.85), (0.3, 0.5, 1.0)):
        spot, wide = np.round(16 * (middle - far * size)).astype(int).tolist(), round(16 * share * size)
        paint = np.minimum(bgr * tone, 255).tolist()
        cv2.circle(picture, spot, wide, paint, -1, cv2.LINE_AA, 4)


def shaded(color: str, tone: float) -> str:
    return "#" + "".join(f"{int(tone * int(color[k : k + 2], 16)):02x}" for k in (1, 3, 5))


def seen(hue: str, standing: list[str], tilt: float, tone: float) -> BoardSeen:
    """A small noisy picture of a pale print, in which marbles of seat 0 are darker than its ink by `tone`."""
    sheet, texture = holes(HUES[hue])
    pose = camera(tilt, 8.0, (640, 480))
    picture = draw(sheet, (0.8 * texture + 24).astype(np.uint8), pose, light=(0.7, 0.85, 1.0), noise=0.0)
    for name in standing:
        marble(picture, pose, (sheet.spaces[name].x, sheet.spaces[name].y), shaded(HUES[hue], tone))
    noisy = np.clip(picture + np.random.default_rng(4).normal(0, 14, picture.shape), 0, 255).astype(np.uint8)
    found, _ = look(noisy, make_scene(sheet, texture))
    assert isinstance(found, BoardSeen), found
    return found


def test_dark_marbles_in_holes_of_their_colour_are_not_surely_nothing() -> None:
    found = seen("red", FULL, 40, 0.35)
    for name in FULL:
        assert not found.spaces[name].content and found.spaces[name].confidence < 0.5, (name, found.spaces[name])


def test_what_hides_the_pattern_and_has_the_colour_is_a_piece_though_not_surely() -> None:
    found = seen("green", FULL, 10, 0.6)
    for name in FULL:
        assert found.spaces[name].content == (0,) and found.spaces[name].confidence < 0.9, (name, found.spaces[name])


@pytest.mark.long(but=("10-dark blue", "40-green"))
@pytest.mark.parametrize("hue", HUES)
@pytest.mark.parametrize("tilt", [10, 40])
def test_empty_holes_are_as_surely_empty_as_before(hue: str, tilt: float) -> None:
    found = seen(hue, [], tilt, 1.0)
    assert not any(space.content for space in found.spaces.values())
    assert min(space.confidence for space in found.spaces.values()) > 0.9  # they were 0.917 without


def bare(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """How eight spaces look, and should: natural log of brightness, (8, 100)."""
    usual = np.tile(np.where(np.arange(100) % 10 < 5, -1.0, -0.4), (8, 1))
    return usual + rng.normal(0, 0.05, usual.shape), usual


def test_a_shadow_hides_no_pattern_but_a_piece_does() -> None:
    seen, usual = bare(np.random.default_rng(2))
    free, dim = np.ones(seen.shape, bool), np.zeros(seen.shape, bool)
    dim[2, :50] = True
    seen[2, :50] -= 1.2
    seen[5] = np.random.default_rng(3).normal(-0.7, 0.2, 100)
    gone, _ = _unlike_print(seen, usual, free, dim)
    assert gone[5] > 1.5 and np.delete(np.abs(gone), 5).max() < 0.6


def test_a_pattern_that_no_space_of_an_ink_shows_is_the_inks_affair() -> None:
    ink = np.array([1, 1, 1, 1, 1, 2, 2, 2])
    less = _of_kind(np.array([1.4, 1.5, 1.45, 1.4, 2.9, 0.1, 0.0, 2.0]), ink[:, None] == ink)
    assert np.allclose(less, [1.4, 1.4, 1.4, 1.4, 1.4, 0, 0, 0], atol=0.05)


def on_wide_ink(depth: float, tone: float) -> BoardSeen:
    """A pawn on its lane, which is one wide field of ink: as light as that by `tone`, its sides by `depth` darker and
    lighter."""
    sheet, texture = board()
    sheet = replace(sheet, colors={**sheet.colors, 0: "#c83c3c"})
    cv2.rectangle(texture, (400, 512), (800, 688), (60, 60, 200), -1)
    pose = camera(30.0, 8.0)
    picture = draw(sheet, texture, pose, [(1, 90, 90), (3, 129, 211)])
    x, y = pose.project([(150.0, 150.0, 0)])[0].astype(int).tolist()
    ink, spot = picture[y - 4 : y + 5, x - 4 : x + 5].mean(axis=(0, 1)), sheet.spaces["lane0.1"]
    for high in np.linspace(0, 24, 25):
        wide = 6 - 0.2 * high if high < 17 else 4 * np.sqrt(max(0, 1 - ((high - 20) / 4) ** 2))
        for far, share, shade in ((0.0, 1.0, 1 - depth), (0.21, 0.755, 1.0), (0.36, 0.58, 1 + depth)):
            left = spot.x - far * wide
            middle, edge = pose.project([(left, spot.y, high), (left + share * wide, spot.y, high)])
            spot_16, radius = np.round(16 * middle).astype(int).tolist(), round(16 * float(np.hypot(*(edge - middle))))
            paint = np.minimum(tone * shade * ink, 255).tolist()
            cv2.circle(picture, spot_16, max(1, radius), paint, -1, cv2.LINE_AA, 4)
    found, _ = look(picture, make_scene(sheet, texture))
    assert isinstance(found, BoardSeen), found
    return found


def test_a_round_pawn_on_ink_of_its_own_colour_is_seen_by_its_relief() -> None:
    found = on_wide_ink(0.12, 1.05).spaces  # 0.9826 for nothing without
    assert found["lane0.1"].content == (0,) and found["lane0.1"].confidence < 0.9, found["lane0.1"]
    assert not found["lane0.2"].content and found["lane0.2"].confidence > 0.999


def test_where_relief_is_seen_on_ink_of_a_pawns_colour_there_is_not_surely_nothing() -> None:
    found = on_wide_ink(0.15, 1.1).spaces  # 0.9998 without: a pawn that is lighter than its ink passes for a glint
    assert (0,) in found["lane0.1"].likelihoods and found["lane0.1"].confidence < 0.9, found["lane0.1"]
    assert not found["lane0.2"].content and found["lane0.2"].confidence > 0.999


def test_relief_is_what_noise_and_print_do_not_explain() -> None:
    seen, usual = bare(np.random.default_rng(2))
    free, dim = np.ones(seen.shape, bool), np.zeros(seen.shape, bool)
    usual[5] = -0.7
    seen[5] = -0.7 + np.linspace(-0.3, 0.3, 100)  # round, where the ink is even
    seen[6, ::10] += 0.1  # the print is met badly
    _, relief = _unlike_print(seen, usual, free, dim)
    assert relief[5] > 1.0 and np.delete(relief, 5).max() < 0.0


@pytest.mark.parametrize("soft", [2, 4])
def test_the_soft_edge_of_a_shadow_that_a_piece_casts_is_no_relief(soft: int) -> None:
    """Eight even spaces of 20 × 20 pixels, side by side; a shadow ends on the third one, another dark thing on the
    sixth, which may be a piece."""
    rng = np.random.default_rng(2)
    seen = rng.normal(0, 0.03, (20, 160))
    usual, dim, cast = np.zeros(seen.shape), np.zeros(seen.shape, bool), np.zeros(seen.shape, bool)
    for left in (40, 100):
        seen[:, left : left + 12] -= np.minimum(np.arange(12) / soft, 1)[::-1] * 1.5
        dim[:, left : left + 12 - soft // 2] = True
    cast[:, 40:50] = True

    def of_spaces(layer: np.ndarray) -> np.ndarray:
        return np.asarray(layer.reshape(20, 8, 20).transpose(1, 0, 2).reshape(8, -1))

    spaces = [of_spaces(layer) for layer in (seen, usual, ~_edges(dim, cast), dim)]
    _, with_edges = _unlike_print(spaces[0], spaces[1], np.ones(spaces[2].shape, bool), spaces[3])
    _, relief = _unlike_print(*spaces)
    assert with_edges[2] > 1 and relief[2] < 0.2
    assert relief[5] == pytest.approx(with_edges[5], abs=0.05) and relief[5] > 1
