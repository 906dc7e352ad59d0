"""A die on the board is no disc: it has pips, which a disc has not; grooves, crowns, lamps and shadows are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest
from lone_stack import SHAPE, SHEET, seen_from, standing

from companion.model import BoardSeen, Position
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Tabletop
from companion.vision import look
from companion.vision.board.standing import Match
from companion.vision.loading import make_scene
from companion.vision.reading.pips import pipped
from companion.vision.view.pose import Floats, Frame
from companion.vision.view.scene import PIXELS_PER_MM

WHERE, NAMES = seen_from(25), list(SHEET.spaces)
PAINTS = np.array([[0.85, 0.9, 0.93], [0.02, 0.016, 0.018], [0.04, 0.01, 0.5]])
WHITE, BLACK, RED = range(3)
LEVEL = {WHITE: (210, 215, 220), BLACK: (30, 26, 28), RED: (40, 30, 170)}
DISCS = ("b6", "c6", "d6", "e6", "f6")
FACES = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 6: [(x, y) for x in (-1, 1) for y in (-1, 0, 1)]}


def board(color: int, more: str = "d3") -> tuple[Match, Frame, dict[str, tuple[int, int]]]:
    """Discs of one colour and one thing more that was taken for one, though at its corners more of the board is seen;
    the flat view, and where the tops' middles lie, (row, column)."""
    nothing = np.zeros((SHAPE[0] * SHAPE[1], 3), np.float32)
    found = Match(WHERE, nothing.copy(), 1.0, np.ones(len(WHERE.feet), bool), nothing[:, 0])
    flat = np.full((*SHAPE, 3), (70, 120, 130), np.uint8)
    middles = {}
    for name in (*DISCS, more):
        here = (WHERE.space == NAMES.index(name)) & WHERE.middle & (WHERE.storeys == 1)
        place = int(np.flatnonzero(here)[0])
        found.put((place, color))
        pixels, crown = WHERE.hidden_by(place)
        flat.reshape(-1, 3)[pixels] = LEVEL[color]
        y, x = np.divmod(pixels[:crown], SHAPE[1])
        middles[name] = round(y.mean()), round(x.mean())
    beyond = (np.abs(x - x.mean()) > 8 * PIXELS_PER_MM) | (np.abs(y - y.mean()) > 8 * PIXELS_PER_MM)
    found.evidence[pixels[:crown][beyond]] = -1
    return found, flat, middles


def with_spots(
    flat: Frame, middle: tuple[int, int], spots: list[tuple[int, int]], level: int, wide: float = 3.4
) -> None:
    """Round spots, mm wide, as they lie on a die of 18 mm."""
    y, x = middle
    for right, down in spots:
        at = round(16 * (x + 4.6 * right * PIXELS_PER_MM)), round(16 * (y + 4.6 * down * PIXELS_PER_MM))
        radius = round(8 * wide * PIXELS_PER_MM)
        cv2.circle(flat, at, radius, (level, level, level), -1, cv2.LINE_AA, 4)


def seen(flat: Frame, noise: float = 3.0) -> Frame:
    """As a camera shows it, a little blurred and noisy."""
    grain = np.random.default_rng(4).normal(0, noise, flat.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(flat, (0, 0), 0.7) + grain, 0, 255), np.uint8)


def told(found: Match, flat: Frame, **more: set[int]) -> set[str]:
    return {NAMES[index] for index in pipped(found, flat, PAINTS, **more)}


@pytest.mark.parametrize("value", FACES)
@pytest.mark.parametrize(("color", "level"), [(WHITE, 20), (WHITE, 90), (BLACK, 230), (RED, 230)])
def test_a_die_is_told_by_its_pips(value: int, color: int, level: int) -> None:
    found, flat, middles = board(color)
    assert not told(found, seen(flat))
    with_spots(flat, middles["d3"], FACES[value], level)
    assert told(found, seen(flat)) == {"d3"}
    assert not told(found, seen(flat), left_out={NAMES.index("d3")})


def test_spots_that_most_discs_have_are_how_they_are_made() -> None:
    found, flat, middles = board(WHITE)
    for name in ("b6", "c6", "e6", "f6"):
        with_spots(flat, middles[name], FACES[1], 40)
    assert not told(found, seen(flat))


@pytest.mark.parametrize("color", [WHITE, BLACK])
def test_a_groove_is_no_pip(color: int) -> None:
    found, flat, middles = board(color)
    y, x = middles["c6"]
    cv2.circle(flat, (x, y), round(7 * PIXELS_PER_MM), tuple(0.4 * np.array(LEVEL[color])), 2, cv2.LINE_AA)
    assert not told(found, seen(flat))


def test_a_lamp_in_a_white_disc_and_a_shadow_s_edge_are_no_pips() -> None:
    found, flat, middles = board(WHITE)
    with_spots(flat, middles["c6"], FACES[1], 255, wide=5)
    _, x = middles["e6"]
    flat[:, x - 3 : x + 60] = (0.4 * flat[:, x - 3 : x + 60]).astype(np.uint8)
    assert not told(found, seen(flat))


@pytest.mark.parametrize("spots", [FACES[1], FACES[2]])
def test_lamps_in_a_polished_disc_are_no_pips_as_it_is_as_wide_as_a_disc(spots: list[tuple[int, int]]) -> None:
    """In a film (109878) two lamps were mirrored in two black discs side by side, and "something lay over" them."""
    found, flat, middles = board(BLACK)
    for name in ("c6", "d6"):
        with_spots(flat, middles[name], spots, 230)
    assert not told(found, seen(flat))
    found.where = replace(found.where, piece=replace(found.where.piece, diameter=22.0))
    assert told(found, seen(flat)) == {"c6", "d6"}, "a die of 19 mm is as wide as a disc of 22"


def test_grain_is_no_pip() -> None:
    found, flat, _ = board(BLACK)
    assert not told(found, seen(flat, noise=9.0))


def test_pawns_are_not_asked_about() -> None:
    found, flat, middles = board(WHITE)
    with_spots(flat, middles["d3"], FACES[6], 20)
    found.where = replace(found.where, piece=replace(found.where.piece, kind="pawn"))
    assert not told(found, seen(flat))


def faint(color: int) -> tuple[Match, Frame]:
    """A single spot that is not much lighter than a disc."""
    found, flat, middles = board(color)
    with_spots(flat, middles["d3"], FACES[1], 2 * max(LEVEL[color]))
    return found, flat


def test_a_single_light_spot_must_be_plain_as_a_lamp_s_image_is_one() -> None:
    assert not told(*faint(BLACK))


@pytest.mark.long(but=("white on dark",))
@pytest.mark.parametrize(
    ("color", "row", "dots", "lies"),
    [(0, 6, (25,) * 3, "c3"), (2, 1, (235,) * 3, "d3")],
    ids=["white on dark", "black on light"],
)
def test_a_die_on_the_board_covers_its_square_and_is_no_disc(
    color: int, row: int, dots: tuple[int, int, int], lies: str
) -> None:
    """Filmed (570038, 570040): dice of 19 mm were surely discs, white ones and black ones, and somebody was accused."""
    sheet, texture, _ = printed_board("game-of-god")
    top = Tabletop(sheet, Random(1))
    top.set_up(Position.of({f"{column}{own}": (seat,) for column in "bcdef" for seat, own in ((0, 6), (2, 1))}))
    frame = Painter(sheet, texture, View().fitted(sheet), np.random.default_rng(2)).paint(top.pawns)
    scene = make_scene(sheet, texture)
    _, memory = look(frame, scene)
    assert memory.view is not None
    [(x, y)] = memory.view.pose.project([(sheet.spaces[f"d{row}"].x, sheet.spaces[f"d{row}"].y)])
    body = frame[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3].reshape(-1, 3).mean(axis=0)

    def draw(outline: Floats, level: Sequence[float]) -> None:
        """Of what lies on a square, mm from its middle, turned a little."""
        assert memory.view is not None
        turned = outline @ np.array([[0.94, 0.34], [-0.34, 0.94]]) + (sheet.spaces[lies].x, sheet.spaces[lies].y)
        corners = np.round(16 * memory.view.pose.project(turned)).astype(np.int32)
        cv2.fillConvexPoly(frame, corners, tuple(level), cv2.LINE_AA, 4)

    draw(10.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]), body.tolist())
    bare = look(frame, scene)[0]
    for spot in FACES[6]:
        draw(5 * np.array(spot) + 1.9 * np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 6, 24)]), dots)
    die = look(frame, scene)[0]
    assert isinstance(bare, BoardSeen) and isinstance(die, BoardSeen)
    assert bare.spaces[lies].content == (color,) and bare.spaces[lies].confidence > 0.97
    assert die.spaces[lies].covered and not die.spaces["d4"].covered


def test_a_stack_whose_top_lies_beyond_the_view_shows_no_pips() -> None:
    where = seen_from(70)
    found, place = standing(where, "d8", 8)
    assert where.topless[place] and where.hidden_by(place)[1] == 0
    assert not told(found, np.full((*SHAPE, 3), 128, np.uint8))
