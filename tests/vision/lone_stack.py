"""A stack of discs alone on the printed board of Game of God."""

from __future__ import annotations

import numpy as np

from companion.model import Sheet
from companion.service.boards.configured import printed_board
from companion.vision.board.places import Places, places
from companion.vision.board.standing import Match
from companion.vision.view.scene import PIXELS_PER_MM

SHEET: Sheet = printed_board("game-of-god")[0]
SHAPE = (round(SHEET.height * PIXELS_PER_MM), round(SHEET.width * PIXELS_PER_MM))


def seen_from(tilt: float) -> Places:
    """Where stacks may stand, seen from so many degrees off the vertical."""
    middle, turn = np.array([SHEET.width, SHEET.height]) / 2, np.radians(tilt)
    return places(SHEET, np.array([middle[0], middle[1] + 700 * np.sin(turn), 700 * np.cos(turn)]), SHAPE)


def standing(where: Places, name: str, storeys: int) -> tuple[Match, int]:
    """A stack alone on a square, and its place."""
    here = where.space == list(SHEET.spaces).index(name)
    place = int(np.flatnonzero(here & where.middle & (where.storeys == storeys))[0])
    nothing = np.zeros((SHAPE[0] * SHAPE[1], 2), np.float32)
    found = Match(where, nothing, 1.0, np.ones(len(where.feet), bool), nothing[:, 0])
    found.put((place, 0))
    return found, place
