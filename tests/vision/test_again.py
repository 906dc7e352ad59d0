"""What is kept of an earlier reading, and what is not: a hand's shadow that is gone is not expected any more."""

from __future__ import annotations

import gc
from weakref import ref

import cv2
import numpy as np
import pytest
import table_drawing as table

from companion.model import BoardSeen
from companion.vision import Memory, look, make_scene
from companion.vision.learning import _ratio
from companion.vision.view.scene import PIXELS_PER_MM

PIECES = [(0, 90, 90), (1, 170, 90), (3, 129, 211)]
SHEET, TEXTURE = table.board()
SCENE = make_scene(SHEET, TEXTURE)


def frame(pieces: list[tuple[int, float, float]]) -> np.ndarray:
    return np.asarray(table.draw(SHEET, TEXTURE, table.camera(), pieces), np.uint8)


def in_shadow(picture: np.ndarray, at: tuple[float, float], radius: float, soft: float = 8) -> np.ndarray:
    """With the soft round shadow of a head on it, all as shares of the picture. soft: pixels, of its edge."""
    rows, cols = picture.shape[:2]
    shade = np.zeros((rows, cols), np.float32)
    cv2.circle(shade, (round(at[0] * cols), round(at[1] * rows)), round(radius * cols), 1.0, -1)
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), soft), np.float32)
    return np.asarray(255 * ((picture / 255.0) ** 2.2 * (1 - 0.6 * shade[..., None])) ** (1 / 2.2), np.uint8)


def looked(picture: np.ndarray, memory: Memory | None = None) -> Memory:
    seen, left = look(picture, SCENE, memory)
    assert isinstance(seen, BoardSeen), seen
    assert left.look is not None
    return left


def off(memory: Memory) -> float:
    """By how much the board looks otherwise than is expected, natural log, on average."""
    assert memory.look is not None
    return float(np.abs(_ratio(memory.look)).mean())


@pytest.mark.long(but=("at2-0.1",))
@pytest.mark.parametrize(("at", "radius"), [((0.5, 0.5), 0.16), ((0.4, 0.55), 0.12), ((0.55, 0.45), 0.1)])
def test_a_shadow_that_is_gone_is_not_expected_any_more(at: tuple[float, float], radius: float) -> None:
    """Filmed by Blender (81005): where a hand's shadow had been, the board was "learned" to be much brighter than it
    is, and a pawn that had left was surely there still."""
    shaded = looked(in_shadow(frame(PIECES), at, radius))
    assert shaded.look is not None and shaded.look.today.edges is not None
    after = looked(frame(PIECES), looked(frame(PIECES), shaded))
    assert off(after) < off(looked(frame(PIECES))) + 0.01


@pytest.mark.long(but=("at0-0.12",))
@pytest.mark.parametrize(("at", "radius"), [((0.4, 0.55), 0.12), ((0.55, 0.45), 0.1), ((0.4, 0.6), 0.07)])
def test_nor_is_one_that_was_so_soft_that_it_had_no_edge(at: tuple[float, float], radius: float) -> None:
    """How the light changed is asked of each part of the board, too."""
    shaded = looked(in_shadow(frame(PIECES), at, radius, 80))
    after = looked(frame(PIECES), looked(frame(PIECES), shaded))
    assert off(after) < off(looked(frame(PIECES))) + 0.01


@pytest.mark.long
def test_only_what_changes_at_a_shadows_edge_makes_all_be_measured_again() -> None:
    """A move elsewhere is read from what was measured, which costs a third."""
    before = looked(in_shadow(frame(PIECES), (0.4, 0.55), 0.12))
    assert before.look is not None and before.look.today.edges is not None
    _, x = np.median(np.argwhere(before.look.today.edges), axis=0)
    rows = np.flatnonzero(before.look.today.edges[:, round(x)])
    edge = (2 * x / PIXELS_PER_MM, 2 * float(rows.max()) / PIXELS_PER_MM)
    moved = [*PIECES[:1], (1, 211.0, 90.0), *PIECES[2:]]
    for pieces, kept in ((PIECES, True), (moved, True), ([*PIECES, (2, *edge)], False)):
        picture = in_shadow(frame(pieces), (0.4, 0.55), 0.12)
        after = looked(picture, looked(picture, before))
        assert after.look is not None and (after.look.today is before.look.today) == kept


@pytest.mark.long
def test_what_was_told_of_the_whole_board_before_is_let_go() -> None:
    """It was kept by what is told now: 8 MB a reading, until all is read again."""
    memory = looked(frame(PIECES))
    assert memory.look is not None and memory.look.kept is not None
    first = ref(memory.look.kept.told)
    for x in (211, 90):
        memory = looked(frame([PIECES[0], (1, x, 170), PIECES[2]]), memory)
    assert memory.look is not None and memory.look.kept is not None and memory.look.kept.times > 0
    gc.collect()
    assert first() is None
