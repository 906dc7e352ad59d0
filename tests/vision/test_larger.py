"""A card is not surely the discs that find room on it, be it one; discs alone, and side by side, are."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
from lone_stack import SHAPE, SHEET, seen_from, standing

from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene
from companion.vision.board.places import Places
from companion.vision.board.standing import Match
from companion.vision.reading.larger import larger
from companion.vision.view.pose import Frame
from companion.vision.view.scene import PIXELS_PER_MM

SQUARE = "d4"
INDEX = list(SHEET.spaces).index(SQUARE)
TEXTURE = printed_board("game-of-god")[1]
VIEW = View(tilt=35, noise=1.5).fitted(SHEET)
RED = (40, 40, 200)  # BGR


@lru_cache
def where() -> Places:
    return seen_from(20.0)


def on_a_patch(wide: float, high: float, storeys: int = 1) -> Match:
    """A disc on d4, put on a patch of its colour that is so many mm wide and high, and its own outline."""
    bare, place = standing(where(), SQUARE, storeys)
    space, shown = SHEET.spaces[SQUARE], np.zeros(SHAPE, np.uint8)
    left, top = space.x - 14, space.y - 14
    x0, y0, x1, y1 = (round(at * PIXELS_PER_MM) for at in (left, top, left + wide, top + high))
    if wide:
        cv2.rectangle(shown, (x0, y0), (x1, y1), 1, -1)
    shown.ravel()[bare.shown(place)] = 1
    evidence = np.stack([3.0 * shown.ravel(), 0 * shown.ravel()], axis=1).astype(np.float32)
    found = Match(where(), evidence, 1.0, np.ones(len(where().feet), bool), np.zeros(len(evidence), np.float32))
    found.put((place, 0))
    return found


@pytest.mark.parametrize("storeys", [1, 3])
def test_a_disc_on_a_card_of_its_colour_is_a_doubt(storeys: int) -> None:
    """A white card was surely a stack of white discs (0.9995)."""
    assert larger(on_a_patch(58, 60, storeys)) == {INDEX}
    assert larger(on_a_patch(58, 60, storeys), {INDEX}) == set()


@pytest.mark.parametrize(("wide", "high"), [(0, 0), (28, 28), (40, 30)], ids=["alone", "square", "its light beside it"])
def test_a_disc_that_leaves_little_over_is_one(wide: float, high: float) -> None:
    assert larger(on_a_patch(wide, high)) == set()


def with_a_card(painter: Painter, frame: Frame) -> Frame:
    """The picture with a flat red card, 88 by 58 mm, near the middle of the board."""
    corners = painter.project([(180 + x, 200 + y, 0.6) for x, y in ((-44, -29), (44, -29), (44, 29), (-44, 29))])
    covered = cv2.fillPoly(np.zeros(frame.shape[:2], np.uint8), [np.round(16 * np.array(corners)).astype(np.int32)],
                           255, cv2.LINE_AA, 4)  # fmt: skip
    share = cv2.GaussianBlur(covered, (0, 0), 1.0)[..., None] / 255
    return np.asarray(np.round(frame * (1 - share) + share * np.array(RED)), np.uint8)


@pytest.mark.long
def test_a_card_is_not_surely_some_discs() -> None:
    """A red card on the board was surely a red disc on each square that it reached."""
    painter = Painter(SHEET, TEXTURE, VIEW, np.random.default_rng(5))
    sighting, _ = look(with_a_card(painter, painter.paint([])), make_scene(SHEET, TEXTURE))
    taken = {name: one for name, one in sighting.spaces.items() if one.content}  # type: ignore[union-attr]
    assert taken and all(one.confidence < 0.9 for one in taken.values()), taken


@pytest.mark.long
def test_discs_side_by_side_are_read_surely() -> None:
    stacks = {"d4": 2, "d5": 2, "e4": 3, "e5": 1}
    at = {name: (SHEET.spaces[name].x, SHEET.spaces[name].y) for name in stacks}
    discs = [Pawn(3, name, at[name]) for name, count in stacks.items() for _ in range(count)]
    painter = Painter(SHEET, TEXTURE, VIEW, np.random.default_rng(5))
    sighting, _ = look(painter.paint(discs), make_scene(SHEET, TEXTURE))
    for name in stacks:
        seen = sighting.spaces[name]  # type: ignore[union-attr]
        assert seen.content == (3,) and seen.confidence > 0.97, (name, seen)
