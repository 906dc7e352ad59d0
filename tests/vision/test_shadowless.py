"""A dark pawn that casts no shadow where the others cast theirs may be the shadow of one that hides in its ground."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
import table_drawing as table

from companion.model import Piece
from companion.vision.board.places import places
from companion.vision.board.standing import Match, Put
from companion.vision.reading.shadowless import shadowless
from companion.vision.view.scene import PIXELS_PER_MM
from companion.vision.view.surface import linear

SHEET, _ = table.board()
WIDE = SHEET.spaces | {"lane0.1": replace(SHEET.spaces["lane0.1"], radius=30.0)}
"""Spaces of which one lies where a shadow on lane0.2 would come from."""
NAMES, SPACES = list(WIDE), list(WIDE.values())
WHERE = places(replace(SHEET, piece=Piece("pawn", 12.0, 24.0)), table.camera(tilt=50.0).eye, (375, 375))
OTHERS = [("t0", 2), ("t4", 2), ("t8", 3), ("t10", 1), ("t6", 2)]
WAY = np.array([1.0, 0.0])
"""Where shadows fall."""
RED, DEEP = (60, 60, 200), (12, 12, 50)
PAINTS = linear(np.array([RED, (60, 200, 60), (200, 200, 200), (200, 60, 60)], np.uint8))
LIGHT = SimpleNamespace(of_color=lambda colors: colors)
ALL = frozenset({"t0", "t4", "t8", "t10", "t6"})


def told(
    name: str = "lane0.2", dark: bool = True, casting: frozenset[str] = ALL, hand: bool = False, left_out: str = ""
) -> dict[str, tuple[int, set[str]]]:
    """What is said of pawns of which one, red, stands on `name`. casting: those that cast a shadow."""
    put: list[Put] = []
    picture = np.full((*WHERE.shape, 3), RED, np.uint8)
    for on, color in [*OTHERS, (name, 0)]:
        space = SHEET.spaces[on]
        place = int(np.linalg.norm(WHERE.feet - (space.x, space.y), axis=1).argmin())
        put.append((place, color))
        if on in casting:
            ends = [tuple(np.round((WHERE.feet[place] + far * WAY) * PIXELS_PER_MM).astype(int)) for far in (0.0, 22.0)]
            cv2.line(picture, ends[0], ends[1], DEEP, 18)
    evidence = np.full((WHERE.shape[0] * WHERE.shape[1], len(SHEET.colors)), 3.0, np.float32)
    found = Match(WHERE, evidence, 11.0, np.ones(len(WHERE.feet), bool), evidence[:, 0], put)
    owner = found.owner().reshape(WHERE.shape)
    if dark:
        picture[owner == len(OTHERS)] = DEEP
    white = np.ones((picture.size // 3, 3), np.float32)
    light = white * linear(np.array([RED], np.uint8))
    today = SimpleNamespace(at=lambda pixels: (light[pixels], white[pixels]))
    kept = SimpleNamespace(flat=picture, today=today, light=LIGHT, colors=PAINTS)
    free = (found.front > 1e8).reshape(WHERE.shape)
    if hand:
        free[:] = False
    known = {NAMES.index(left_out)} if left_out else set()
    said = shadowless(found, kept, np.zeros(WHERE.shape, bool), free, SPACES, known)
    return {NAMES[space]: (color, {NAMES[other] for other in others}) for space, color, others in said}


def test_it_may_be_the_shadow_of_one_that_stands_where_it_would_come_from() -> None:
    assert told() == {"lane0.2": (0, {"lane0.1"})}


@pytest.mark.parametrize(
    "otherwise",
    [
        {"dark": False},
        {"casting": ALL | {"lane0.2"}},
        {"casting": frozenset({"t0", "t4"})},
        {"casting": frozenset()},
        {"hand": True},
        {"left_out": "lane0.2"},
    ],
    ids=["it is not dark", "it casts one", "few cast any", "none does", "nothing is in sight", "it is known"],
)
def test_otherwise_it_is_a_pawn(otherwise: dict[str, object]) -> None:
    assert told(**otherwise) == {}


def told_of_red(here: tuple[int, int, int], other: tuple[int, int, int], ground: tuple[int, int, int]) -> bool:
    """Whether a red pawn that is seen so on such ground may be a shadow, where another one is seen otherwise."""
    put: list[Put] = []
    for on in ("lane0.2", "t6"):
        space = SHEET.spaces[on]
        put.append((int(np.linalg.norm(WHERE.feet - (space.x, space.y), axis=1).argmin()), 0))
    evidence = np.full((WHERE.shape[0] * WHERE.shape[1], len(SHEET.colors)), 3.0, np.float32)
    found = Match(WHERE, evidence, 11.0, np.ones(len(WHERE.feet), bool), evidence[:, 0], put)
    picture = np.full((*WHERE.shape, 3), ground, np.uint8)
    owner = found.owner().reshape(WHERE.shape)
    picture[owner == 0], picture[owner == 1] = here, other
    light = linear(np.full((picture.size // 3, 3), ground, np.uint8))
    today = SimpleNamespace(at=lambda pixels: (light[pixels], np.ones_like(light[pixels])))
    kept = SimpleNamespace(flat=picture, today=today, light=LIGHT, colors=PAINTS)
    dim, free = np.zeros(WHERE.shape, bool), np.ones(WHERE.shape, bool)
    return bool(shadowless(found, kept, dim, free, SPACES))


def test_a_red_one_on_red_ground_that_is_far_darker_than_another_may_be_a_shadow() -> None:
    assert told_of_red(DEEP, RED, RED)


@pytest.mark.parametrize(
    ("here", "other", "ground"),
    [(RED, RED, RED), (DEEP, DEEP, RED), (DEEP, RED, (200, 200, 200)), (DEEP, RED, (60, 200, 60))],
    ids=["as light as the other", "both are as dark", "white ground", "green ground"],
)
def test_other_red_ones_are_pawns(here: tuple, other: tuple, ground: tuple) -> None:
    assert not told_of_red(here, other, ground)
