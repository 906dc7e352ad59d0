"""A hand that is as dark as the board in a shadow hides the print, which a shadow does not."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.model import BoardSeen, Piece
from companion.vision import look, make_scene
from companion.vision.light.shrouded import shrouded
from companion.vision.sight import read
from companion.vision.view.pose import Flat

sys.path.insert(0, str(Path(__file__).parent))
import table_drawing as table

DISC, PAWN = Piece("disc", 30.0, 6.0), Piece("pawn", 12.0, 24.0)
LIGHT, DARK = 0.2, 0.08


def squares(side: int = 26) -> Flat:
    """Light and dark squares, linear light, (240, 240), at half the size."""
    y, x = np.mgrid[:240, :240] // side
    return np.where((x + y) % 2, np.float32(LIGHT), np.float32(DARK))


def asked(board: Flat, seen: Flat, odd: float = 1.5, piece: Piece = DISC) -> np.ndarray | None:
    """What is said of a picture, its pixels that are darker than the board taken for a shadow, and somewhat odd."""
    dim = np.kron(seen < 0.8 * board, np.ones((2, 2), bool))
    views = (np.repeat(layer[..., None], 3, axis=2) for layer in (seen, board))
    return shrouded(*views, np.where(dim, np.float32(odd), np.float32(-3)), dim, piece)


@pytest.mark.parametrize("piece", [DISC, PAWN])
@pytest.mark.parametrize("grain", [0.0, 0.01])
def test_a_hand_as_dark_as_the_dark_squares_hides_them_and_the_light_ones(piece: Piece, grain: float) -> None:
    """Filmed (109405): on a board of burnt wood a brown hand rested that was read as a shadow on the light squares, and
    a white disc beneath it was said to be gone."""
    board = squares()
    seen = board.copy()
    seen[90:240, 80:150] = DARK
    seen += np.random.default_rng(1).normal(0, 1, seen.shape).astype(np.float32) * grain
    found = asked(board, np.clip(seen, 0.001, 1), piece=piece)
    assert found is not None and found[110:230, 90:140].mean() > 0.7, "but for dark squares at its side"
    assert not found[:80].any() and not found[:, 170:].any()


def flattened(board: Flat) -> Flat:
    """As a small picture of little light shows it: a quarter of the print's contrast is left."""
    return np.asarray(board.mean() + 0.25 * (board - board.mean()), np.float32)


def test_where_the_print_hardly_shows_anywhere_a_shadow_hides_nothing() -> None:
    """Filmed (109844, 640 × 480): of a dim board under a window's bars 111 of 133 spaces were covered, and two fouls
    were not seen."""
    board = 0.1 + 0.5 * squares()
    seen = flattened(board)
    seen[90:240, 80:150] *= 0.4
    assert asked(board, seen) is None
    seen[90:240, 80:150] = 0.4 * float(seen[:80].mean())
    found = asked(board, seen)
    assert found is not None and found[110:230, 90:140].mean() > 0.7, "a hand does, there too"


@pytest.mark.parametrize("left", [0.2, 0.4, 0.6])
@pytest.mark.parametrize("veil", [0.0, 0.01])
def test_a_shadow_hides_nothing(left: float, veil: float) -> None:
    board = squares()
    seen = board.copy()
    seen[90:240, 80:150] = left * board[90:240, 80:150] + veil
    assert asked(board, seen) is None


def test_a_shadow_on_paper_without_print_is_not_judged() -> None:
    board = np.full((240, 240), LIGHT, np.float32)
    seen = board.copy()
    seen[90:240, 80:150] = 0.5 * LIGHT
    assert asked(board, seen) is None


def test_a_dark_spot_smaller_than_a_hand_hides_nothing() -> None:
    """Drawn (858591): of a board whose glued pages lie off, the print in a pawn's shadow was not where it should be."""
    board = squares()
    seen = board.copy()
    seen[150:166, 106:130] = DARK
    assert asked(board, seen, piece=PAWN) is None


def test_what_is_plainly_something_else_says_nothing_of_a_shadow() -> None:
    """Pieces that stand in a shadow hide the print, but it is a shadow all the same."""
    board = squares()
    seen = board.copy()
    seen[90:240, 80:150] *= 0.4
    odd = np.full((480, 480), -3, np.float32)
    dim = np.kron(seen < 0.8 * board, np.ones((2, 2), bool))
    for x, y in ((95, 110), (130, 140), (100, 180), (130, 215)):
        cv2.circle(seen, (x, y), 12, 0.01, -1)
        cv2.circle(odd, (2 * x, 2 * y), 25, 9.0, -1)
    views = [np.repeat(layer[..., None], 3, axis=2) for layer in (seen, board)]
    assert shrouded(*views, np.where((odd < 2) & dim, np.float32(1.5), odd), dim & (odd < 2), DISC) is None


def of_two_woods() -> np.ndarray:
    """The table's own board with squares of a pale and a dark wood of one hue, uint8 BGR."""
    _, texture = table.board()
    y, x = (np.mgrid[: len(texture), : len(texture)] - 70 * table.SCALE) // (40 * table.SCALE)
    wood = np.where(((x + y) % 2)[..., None], (128, 172, 204), (76, 102, 121)).astype(np.uint8)
    inside = slice(50 * table.SCALE, 250 * table.SCALE)
    texture[inside, inside] = wood[inside, inside]
    return texture


@pytest.mark.long(but=("1.0",))
@pytest.mark.parametrize("deep", [0.8, 1.0])
def test_spaces_beneath_a_dark_hand_are_covered_and_not_read_as_empty(deep: float) -> None:
    """The hand has the colour of the dark squares, or is darker; the pawn beneath it is not said to be gone."""
    sheet, texture = table.board()[0], of_two_woods()
    pose = table.camera(20, 5, size=(1280, 960))
    scene = make_scene(sheet, texture)
    frame = table.draw(sheet, texture, pose, [(1, 130, 90), (3, 210, 170)])
    hand = np.array([(95, -20), (100, 60), (112, 140), (170, 140), (185, 60), (185, -20)], float)
    lying = frame.copy()
    paint = np.array((76, 102, 121)) * frame[480, 640].mean() / of_two_woods()[600, 600].mean() * deep
    cv2.fillPoly(lying, [np.round(pose.project(hand)).astype(np.int32)], [int(v) for v in paint])
    seen, _ = look(lying, scene)
    assert isinstance(seen, BoardSeen)
    assert all(seen.spaces[name].covered for name in ("t1", "t2"))
    assert not seen.spaces["t5"].covered and seen.spaces["t5"].content == (3,)


@pytest.mark.long(but=("0-left0",))
@pytest.mark.parametrize("left", [(210, 90), (130, 170), (210, 210)])
@pytest.mark.parametrize("grain", [0, 1, 5])
def test_a_dark_hand_stays_one_where_parts_of_the_board_are_read_again(grain: int, left: tuple[int, int]) -> None:
    """Something leaves beside a hand that is not as wide as discs that lie side by side, and a little greyer than the
    dark squares: what it hides is covered as before, in the part and in the whole."""
    sheet, texture = replace(table.board()[0], piece=DISC), of_two_woods()
    pose = table.camera(20, 5, size=(1280, 960))
    scene = make_scene(sheet, texture)
    hand = np.array([(106, -20), (106, 60), (108, 135), (152, 135), (154, 60), (154, -20)], float)
    reads = []
    for pawns in ([(3, 210, 170), (2, *left)], [(3, 210, 170)]):
        frame = table.draw(sheet, texture, pose, pawns)
        paint = np.array((84, 102, 116)) * frame[480, 640].mean() / of_two_woods()[600, 600].mean()
        cv2.fillPoly(frame, [np.round(pose.project(hand)).astype(np.int32)], [int(v) for v in paint])
        noise = np.random.default_rng(grain).normal(0, 1.5 * (grain > 0), frame.shape)
        reads.append(np.asarray(np.clip(frame + noise, 0, 255).round(), np.uint8))
    _, memory = look(reads[0], scene)
    assert memory.view is not None and memory.look is not None
    _, before = read(reads[0], scene, memory.view)
    part, _ = read(reads[1], scene, memory.view, None, before)
    whole, _ = read(reads[1], scene, memory.view)
    assert before.spaces["t1"].covered
    assert {n for n, s in part.items() if s.covered} == {n for n, s in whole.items() if s.covered}
