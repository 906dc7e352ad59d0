"""Pieces as they lie and stand on a real table: fallen over, off their place, on a space of their colour, two abreast.

Every picture is drawn by the pretend table; a fallen pawn is drawn here.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest

from companion.model import BoardSeen, SpaceSeen
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import Memory, Scene, look, make_scene
from companion.vision.board.body import profile
from companion.vision.reading.spaces import perhaps_fewer

SHEET, TEXTURE, _ = printed_board("parcheesi")
STANDING = {"t4": 0, "t21": 1, "t60": 3}


@lru_cache
def scene() -> Scene:
    return make_scene(SHEET, TEXTURE)


@lru_cache
def painter() -> Painter:
    return Painter(SHEET, TEXTURE, View(tilt=20, noise=1.5, brightness=0.85), np.random.default_rng(3))


def at(name: str, dx: float = 0.0, dy: float = 0.0) -> tuple[float, float]:
    return SHEET.spaces[name].x + dx, SHEET.spaces[name].y + dy


def upright(standing: dict[str, int]) -> list[Pawn]:
    return [Pawn(seat, name, at(name)) for name, seat in standing.items()]


def seen_in(frame: np.ndarray) -> BoardSeen:
    seen, _ = look(frame, scene())
    assert isinstance(seen, BoardSeen), seen
    return seen


def surely_wrong(seen: BoardSeen, true: dict[str, tuple[int, ...]], above: float) -> dict[str, tuple[int, ...]]:
    return {
        name: space.content
        for name, space in seen.spaces.items()
        if not space.covered and space.content != true.get(name, ()) and space.confidence > above
    }


def lay(frame: np.ndarray, seat: int, middle: tuple[float, float], turn: float) -> None:
    """Draw a pawn that lies, as a row of balls, lit from above."""
    color = SHEET.colors[seat]
    paint = np.array([int(color[k : k + 2], 16) for k in (5, 3, 1)], float)
    body, way = profile(SHEET.piece), np.array([np.cos(turn), np.sin(turn)])
    along = np.linspace(0, SHEET.piece.height, 60)
    radii = np.interp(along, body[:, 0], body[:, 1])
    tilt = np.interp(along, (0, SHEET.piece.height), (radii[0] / 2, 0))
    for shade, share, up in ((0.35, 1.0, 0.0), (0.6, 0.75, 0.3), (0.85, 0.45, 0.5), (1.0, 0.2, 0.6)):
        for step, radius, lift in zip(along, radii, tilt, strict=True):
            x, y = np.array(middle) + way * (step - SHEET.piece.height / 2)
            height = radius + lift + up * radius
            one, other = painter().project([(x, y, height), (x + radius * share, y, height)])
            reach = int(np.linalg.norm(other - one) * 16)
            spot = (round(float(one[0]) * 16), round(float(one[1]) * 16))
            cv2.circle(frame, spot, reach, (paint * shade).tolist(), -1, cv2.LINE_AA, 4)


@pytest.mark.long(but=("t38-3-2.4",))
@pytest.mark.parametrize("turn", [0.0, 1.2, 2.4, 4.0])
@pytest.mark.parametrize(("name", "seat"), [("t24", 0), ("t10", 2), ("lane2.3", 1), ("t38", 3)])
def test_a_pawn_that_lies_is_a_doubt_that_names_the_space(name: str, seat: int, turn: float) -> None:
    frame = painter().paint(upright(STANDING)).copy()
    lay(frame, seat, at(name), turn)
    seen = seen_in(frame)
    assert seen.spaces[name].confidence < 0.7
    assert surely_wrong(seen, {n: (s,) for n, s in STANDING.items()}, 0.7) == {}


def test_two_that_overlap_may_be_one_that_lies_but_are_no_more_than_two() -> None:
    """What was taken from a base is gone, though two of those left look as one that lies might."""
    two = SpaceSeen((1, 1), 0.999, False, {(1, 1): 0.0, (1, 1, 1): -10.0, (1,): -9.0, (0, 1): -10.0})
    told = perhaps_fewer(two, -0.4)
    assert told.content == (1, 1) and 0.5 < told.confidence < 0.7
    assert told.likelihoods[(1,)] > -1 and told.likelihoods[(1, 1, 1)] == told.likelihoods[(0, 1)] == -10.0
    covered = SpaceSeen((), 0.0, True)
    assert perhaps_fewer(covered, -0.4) is covered


@pytest.mark.long(but=("t24-seats0", "t4-seats3"))
@pytest.mark.parametrize("seats", [(0, 0), (1, 1), (2, 3), (3, 3)])
@pytest.mark.parametrize("name", ["t24", "t38", "t4"])
def test_two_side_by_side_are_two_that_stand(name: str, seats: tuple[int, int]) -> None:
    across = name == "t4"
    off = [(0, 7.5), (0, -7.5)] if across else [(7.5, 0), (-7.5, 0)]
    pawns = [Pawn(seat, name, at(name, *d)) for seat, d in zip(seats, off, strict=True)]
    seen = seen_in(painter().paint(pawns))
    assert seen.spaces[name].content == seats and seen.spaces[name].confidence > 0.7
    assert surely_wrong(seen, {name: seats}, 0.0) == {}


@pytest.mark.long(but=("t24-1.2-0", "t4-0.8-1"))
@pytest.mark.parametrize(("name", "turn", "seat"), [("t24", 1.2, 0), ("t24", 2.0, 3), ("t4", 0.4, 3), ("t4", 0.8, 1)])
def test_two_that_touch_under_a_steep_camera_are_not_one_that_lies(name: str, turn: float, seat: int) -> None:
    """Of the pairs in the films by Blender a quarter was perhaps one that lies, as if that were seen from above."""
    off = 6.3 * np.array((np.cos(turn), np.sin(turn)))
    steep = Painter(SHEET, TEXTURE, View(tilt=10, noise=1.5, brightness=0.85).fitted(SHEET), np.random.default_rng(3))
    seen = seen_in(steep.paint([Pawn(seat, name, at(name, *off)), Pawn(seat, name, at(name, *-off))]))
    assert seen.spaces[name].content == (seat, seat) and seen.spaces[name].confidence > 0.7


def test_a_piece_of_the_colour_of_its_space_is_seen() -> None:
    own = {f"lane{seat}.{step}": seat for seat in sorted(SHEET.colors) for step in (2, 5)}
    seen = seen_in(painter().paint(upright(own)))
    assert surely_wrong(seen, {n: (s,) for n, s in own.items()}, 0.0) == {}


@pytest.mark.long(but=("0", "5"))
@pytest.mark.parametrize("turn", range(6))
def test_a_piece_half_a_space_off_its_middle_is_not_surely_misread(turn: int) -> None:
    radius = SHEET.spaces["t24"].radius
    way = turn * np.pi / 3
    d = (0.5 * radius * np.cos(way), 0.5 * radius * np.sin(way))
    true = {name: (seat,) for name, seat in {**STANDING, "t24": 2, "t44": 0}.items()}
    pawns = [*upright(STANDING), Pawn(2, "t24", at("t24", *d)), Pawn(0, "t44", at("t44", *d))]
    assert surely_wrong(seen_in(painter().paint(pawns)), true, 0.0) == {}


@pytest.mark.long
def test_exposure_and_white_balance_that_drift_while_pieces_move_are_taken_out() -> None:
    memory: Memory | None = None
    standing = dict(STANDING)
    for step in range(24):
        if step % 6 == 3:
            standing[f"t{30 + step}"] = step % 4
        gain = 0.75 + 0.25 * np.sin(step / 5)
        warm = 1 + 0.2 * np.sin(step / 7)
        frame = painter().paint(upright(standing), None, gain).astype(np.float32)
        drifted = np.clip(frame * (1 / warm, 1.0, warm), 0, 255).astype(np.uint8)
        seen, memory = look(drifted, scene(), memory, step / 10)
        assert isinstance(seen, BoardSeen), seen
        if step % 6 == 5:
            assert surely_wrong(seen, {n: (s,) for n, s in standing.items()}, 0.0) == {}, step


def black_and_white() -> tuple[Scene, Painter]:
    sheet, texture, _ = printed_board("game-of-god")
    view = View(tilt=20, noise=1.5, brightness=0.85).fitted(sheet)
    return make_scene(sheet, texture), Painter(sheet, texture, view, np.random.default_rng(3))


@pytest.mark.long
def test_black_and_white_pieces_on_dark_and_light_spaces_are_told_apart() -> None:
    board, brush = black_and_white()
    names = list(board.sheet.spaces)[::3]
    seats = sorted(board.sheet.colors)
    standing = {name: seats[k // 2 % len(seats)] for k, name in enumerate(names)}
    places = board.sheet.spaces
    frame = brush.paint([Pawn(seat, n, (places[n].x, places[n].y)) for n, seat in standing.items()])
    seen, _ = look(frame, board)
    assert isinstance(seen, BoardSeen), seen
    assert surely_wrong(seen, {n: (s,) for n, s in standing.items()}, 0.0) == {}


def with_shadows(standing: dict[str, int], turn: float, left: float) -> np.ndarray:
    """Pawns that cast shadows with hard edges: a way, radians on the sheet, and the share of the light that is left."""
    clean = Painter(SHEET, TEXTURE, View(tilt=20, noise=0, brightness=0.85), np.random.default_rng(3))
    bare, full = (clean.paint(pieces).astype(np.float32) for pieces in ([], upright(standing)))
    way, shade = np.array([np.cos(turn), np.sin(turn)]), np.ones(bare.shape[:2], np.float32)
    beside = 4.5 * np.array([-way[1], way[0]])
    for name in standing:
        near, far = np.array(at(name)), np.array(at(name)) + 26 * way
        corners = clean.project([(x, y, 0) for x, y in (near + beside, far + beside, far - beside, near - beside)])
        cv2.fillPoly(shade, [np.round(corners * 16).astype(np.int32)], left, cv2.LINE_AA, 4)
    shade = cv2.GaussianBlur(shade, (0, 0), 1.5)
    own = cv2.dilate((np.abs(full - bare).max(axis=2) > 12).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    drawn = np.where(own[..., None], full, bare * shade[..., None])
    return np.clip(drawn + np.random.default_rng(1).normal(0, 1.5, drawn.shape), 0, 255).astype(np.uint8)


@pytest.mark.long(but=("2.8",))
@pytest.mark.parametrize("turn", [0.0, 0.4, 1.6, 2.8, 3.12, 4.68])
def test_a_plain_space_in_the_shadow_of_a_pawn_is_no_doubt(turn: float) -> None:
    standing = {"t4": 0, "t21": 1, "t60": 3, "t10": 2, "t12": 0, "t36": 1, "t50": 3}
    seen = seen_in(with_shadows(standing, turn, 0.5))
    true = {name: (seat,) for name, seat in standing.items()}
    for name, space in seen.spaces.items():
        assert space.content == true.get(name, ()) and space.confidence > 0.9, name
