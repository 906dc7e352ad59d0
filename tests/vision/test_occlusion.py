"""Hands that come, rest and leave, and things that were put down: what is covered is no evidence, and only that long.

Every picture is drawn by the pretend table; times are those of the frames, ten a second.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest

from companion.model import BoardSeen
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Hand, Pawn
from companion.vision import Memory, Scene, look, make_scene

SHEET, TEXTURE, _ = printed_board("parcheesi")
STANDING = {"t4": 0, "t21": 1, "t38": 2, "t60": 3, "lane0.3": 0}
REACHED = "t21"
TICK = 0.1


@lru_cache
def scene() -> Scene:
    return make_scene(SHEET, TEXTURE)


@lru_cache
def painter(brightness: float = 0.85) -> Painter:
    return Painter(SHEET, TEXTURE, View(tilt=20, noise=1.5, brightness=brightness), np.random.default_rng(3))


def pieces(standing: dict[str, int]) -> list[Pawn]:
    return [Pawn(seat, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name, seat in standing.items()]


def hand_over(space: str, back: float = 0.0) -> Hand:
    """A hand from the east whose finger tips are on a space, or so many mm back from it."""
    at = SHEET.spaces[space]
    return Hand(1, (at.x + back, at.y), (SHEET.width + 260, at.y + 40))


class Watch:
    """Frames one after the other, as a camera gives them."""

    def __init__(self) -> None:
        self.memory: Memory | None = None
        self.at = 0.0

    def see(self, standing: dict[str, int], hand: Hand | None = None, light: float = 1.0) -> BoardSeen:
        return self.show(painter().paint(pieces(standing), hand, light))

    def show(self, frame: np.ndarray) -> BoardSeen:
        self.at += TICK
        seen, self.memory = look(frame, scene(), self.memory, self.at)
        assert isinstance(seen, BoardSeen), seen
        return seen


def wrong(seen: BoardSeen, standing: dict[str, int]) -> dict[str, tuple[int, ...]]:
    """What is read and not so; covered spaces are no readings."""
    true = {name: (seat,) for name, seat in standing.items()}
    return {n: s.content for n, s in seen.spaces.items() if not s.covered and s.content != true.get(n, ())}


def covered(seen: BoardSeen) -> set[str]:
    return {name for name, space in seen.spaces.items() if space.covered}


def test_a_hand_that_left_is_noticed_within_three_frames() -> None:
    watch, moved = Watch(), {**STANDING, "t24": 1}
    del moved[REACHED]
    watch.see(STANDING)
    for back in (240, 120, 60, 0, 0):
        watch.see(STANDING, hand_over(REACHED, back))
    watch.see({n: s for n, s in STANDING.items() if n != REACHED}, hand_over("t24"))
    for back in (60, 160):
        watch.see(moved, hand_over("t24", back))
    after = [watch.see(moved) for _ in range(3)]
    assert wrong(after[-1], moved) == {} and not covered(after[-1]) and not after[-1].moving


def test_a_hand_that_rests_keeps_covering_and_is_no_piece() -> None:
    watch = Watch()
    watch.see(STANDING)
    for back in (200, 80, 0):
        watch.see(STANDING, hand_over(REACHED, back))
    for _ in range(40):
        seen = watch.see(STANDING, hand_over(REACHED))
        assert REACHED in covered(seen)
        assert wrong(seen, STANDING) == {}
    rest = covered(seen)
    assert len(rest) < 30, "what the arm does not reach is still read"
    assert not covered([watch.see(STANDING) for _ in range(3)][-1])


@pytest.mark.long(but=("color0", "color3"))
@pytest.mark.parametrize("color", [(40, 40, 40), (60, 90, 200), (90, 150, 70), (250, 250, 250)])
def test_a_cup_on_the_board_covers_its_place_and_no_more(color: tuple[int, int, int]) -> None:
    watch = Watch()
    watch.see(STANDING)
    frame = painter().paint(pieces(STANDING))
    x, y = painter().project([(SHEET.spaces["t21"].x, SHEET.spaces["t21"].y, 0)])[0].astype(int).tolist()
    cv2.circle(frame, (x, y), 95, tuple(int(0.55 * c) for c in color), -1, cv2.LINE_AA)
    cv2.circle(frame, (x, y), 80, color, -1, cv2.LINE_AA)
    seen = [watch.show(frame) for _ in range(4)][-1]
    assert "t21" in covered(seen)
    assert wrong(seen, STANDING) == {}
    assert len(covered(seen)) < 40


@pytest.mark.parametrize(("strength", "hides"), [(900, True), (60, False)])
def test_a_lamp_s_image_hides_only_where_it_burns_out(strength: float, hides: bool) -> None:
    watch = Watch()
    watch.see(STANDING)
    frame = painter().paint(pieces(STANDING)).astype(np.float32)
    x, y = painter().project([(SHEET.spaces["t24"].x, SHEET.spaces["t24"].y, 0)])[0].astype(int).tolist()
    glare = np.zeros(frame.shape[:2], np.float32)
    cv2.circle(glare, (x, y), 70, strength, -1, cv2.LINE_AA)
    burnt = np.clip(frame + cv2.GaussianBlur(glare, (0, 0), 12)[..., None], 0, 255).astype(np.uint8)
    seen = [watch.show(burnt) for _ in range(3)][-1]
    assert ("t24" in covered(seen)) == hides
    assert wrong(seen, STANDING) == {} and len(covered(seen)) < 30


@pytest.mark.long(but=("middle0-axes0-0.45-4",))
@pytest.mark.parametrize(
    ("middle", "axes", "left", "blur"),
    [
        ((430, 300), (260, 190), 0.45, 4),
        ((700, 500), (300, 150), 0.5, 6),
        ((500, 600), (200, 200), 0.35, 3),
        ((800, 300), (250, 180), 0.6, 8),
        ((640, 480), (400, 300), 0.5, 2),
    ],
)
def test_a_head_s_hard_shadow_is_no_piece_and_hides_none(
    middle: tuple[int, int], axes: tuple[int, int], left: float, blur: float
) -> None:
    watch = Watch()
    watch.see(STANDING)
    frame = painter().paint(pieces(STANDING)).astype(np.float32)
    shade = np.ones(frame.shape[:2], np.float32)
    cv2.ellipse(shade, middle, axes, 20, 0, 360, left, -1, cv2.LINE_AA)
    shaded = (frame * cv2.GaussianBlur(shade, (0, 0), blur)[..., None]).astype(np.uint8)
    seen = [watch.show(shaded) for _ in range(3)][-1]
    assert wrong(seen, STANDING) == {} and not covered(seen)
    assert wrong([watch.see(STANDING) for _ in range(3)][-1], STANDING) == {}


def test_clouds_and_a_drifting_white_balance_are_no_moves() -> None:
    watch = Watch()
    watch.see(STANDING)
    for i in range(30):
        warm = 1 + 0.18 * np.sin(i / 4)
        frame = painter().paint(pieces(STANDING), None, 0.8 + 0.25 * np.sin(i / 3)).astype(np.float32)
        drifted = np.clip(frame * (1 / warm, 1.0, warm), 0, 255).astype(np.uint8)
        seen = watch.show(drifted)
        assert wrong(seen, STANDING) == {}, i
        assert len(covered(seen)) <= 3, i
