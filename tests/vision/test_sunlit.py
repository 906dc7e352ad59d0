"""A patch of sun in a lane of a pawn's own colour burns out, and has another hue then: it may be no pawn."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import table_drawing as table

from companion.vision import look, make_scene
from companion.vision.board.again import Kept
from companion.vision.board.hands import Mask
from companion.vision.board.standing import Match
from companion.vision.reading.sunlit import sunlit
from companion.vision.view.pose import Frame
from companion.vision.view.scene import PIXELS_PER_MM

LANE = slice(round(132 * PIXELS_PER_MM), round(168 * PIXELS_PER_MM))


@lru_cache
def lane() -> tuple[Kept, Frame, Match, int]:
    """What a look leaves of an empty board with a pink lane in little light, its inks, and a pawn put in that lane."""
    sheet, texture = table.board()
    cv2.rectangle(texture, (420, 540), (860, 660), (190, 110, 225), -1)
    scene = make_scene(sheet, texture)
    _, memory = look(table.draw(sheet, texture, table.camera(), slope=0.0, light=(0.6, 0.6, 0.6)), scene)
    assert memory.look is not None and memory.look.kept is not None
    kept, index = memory.look.kept, list(sheet.spaces).index("lane0.1")
    where, evidence = kept.places, kept.told.open
    place = int(np.searchsorted(where.space, index))
    found = Match(where, evidence, 11.0, np.ones(len(where.feet), bool), evidence[:, 0], [(place, 0)])
    return kept, scene.surface.inks, found, index


def told(
    where: Mask | None, gain: tuple[float, float, float] = (3.0, 3.0, 3.0), left_out: Collection[int] = ()
) -> set[int]:
    """What is told of the pawn if some pixels, bool (rows, cols), get so much more light, blue, green and red."""
    kept, inks, found, _ = lane()
    light = (kept.flat / 255.0) ** 2.2
    light[() if where is None else where] *= gain
    flat = np.round(np.clip(light, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    return sunlit(found, replace(kept, flat=flat), inks, left_out)


def in_lane() -> Mask:
    result = np.zeros(lane()[0].flat.shape[:2], bool)
    result[LANE] = True
    return result


def test_a_burnt_out_patch_of_sun_may_be_no_pawn() -> None:
    """In a path-traced picture of a dark board pink print in the sun was surely a pink pawn, in pink's own lane."""
    index = lane()[3]
    assert told(in_lane()) == {index}
    assert told(in_lane(), left_out={index}) == set()


def test_what_ends_where_a_pawn_does_is_no_patch_of_sun() -> None:
    kept, _, found, _ = lane()
    own = np.zeros(kept.flat.shape[:2], bool)
    own.ravel()[kept.places.hidden_by(found.standing[0][0])[0]] = True
    assert told(own) == set()


def test_what_is_not_brighter_or_of_another_hue_is_no_sun() -> None:
    assert told(None, (1.0, 1.0, 1.0)) == set()
    assert told(in_lane(), (0.7, 0.9, 3.0)) == set(), "blue and green are less than the board's"


def test_what_is_all_white_tells_nothing() -> None:
    """As a white disc is that lies where a lamp shines."""
    assert told(in_lane(), (40.0, 40.0, 40.0)) == set()
