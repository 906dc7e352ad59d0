"""What lies along the rims of pawns, which may be stouter than believed, is no sure sign of one more behind them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import table_drawing as table

from companion.model import Piece
from companion.vision.board.fringe import on_fringes
from companion.vision.board.places import places
from companion.vision.board.standing import Match, Put
from companion.vision.reading.spaces import _one_more, _read_one

SHEET, _ = table.board()
SEATS = sorted(SHEET.colors)
BASE, RED = list(SHEET.spaces).index("base0"), 0
WHERE = places(replace(SHEET, piece=Piece("pawn", 12.0, 24.0)), table.camera(tilt=50.0).eye, (375, 375))


def pawn(x: float, y: float) -> Put:
    return int(np.linalg.norm(WHERE.feet - (x, y), axis=1).argmin()), RED


FIRST, BEHIND, AWAY = pawn(255, 155), pawn(255, 143), pawn(255, 130)


def match(shown: list[Put], rim: int, put: list[Put]) -> Match:
    """Pawns put on the board, of which some are seen, with so many pixels round about of their colour."""
    layer = np.zeros(WHERE.shape, np.uint8)
    for place, _ in shown:
        layer.ravel()[WHERE.hidden_by(place)[0]] = 1
    told = np.zeros((layer.size, len(SEATS)), np.float32)
    told[cv2.dilate(layer, np.ones((2 * rim + 1,) * 2, np.uint8)).ravel() > 0, RED] = 3.0
    return Match(WHERE, told, 11.0, np.ones(len(WHERE.feet), bool), told[:, RED], put)


def fewer(found: Match) -> float:
    """Nats for one pawn in the base, where two were put."""
    return _read_one(found, BASE, SEATS, *_one_more(found, [BASE])[0])[(SEATS[RED],)]


def test_a_pawn_that_may_be_the_rim_of_another_is_no_longer_sure() -> None:
    """Of a stout one in front, or of its shadow: four pegs with a shadow at a foot were surely five pawns."""
    found = match([FIRST], 3, [FIRST, BEHIND])
    assert on_fringes(found, BEHIND) > 20 and fewer(found) > -10


def test_a_pawn_that_is_seen_behind_another_is_as_sure_as_ever() -> None:
    found = match([FIRST, BEHIND], 0, [FIRST, BEHIND])
    assert fewer(found) < -40


def test_pawns_that_stand_apart_leave_nothing_to_each_other() -> None:
    before = pawn(255, 165)
    assert on_fringes(match([before, AWAY], 0, [before, AWAY]), AWAY) < 2
    assert on_fringes(match([FIRST], 3, [FIRST]), FIRST) == 0
