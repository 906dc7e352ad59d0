"""Pegs: pawns that are as wide at the top as at the foot are one piece each, and not two behind each other."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
import table_drawing as table

from companion.model import BoardSeen
from companion.vision import Memory, Scene, look, make_scene
from companion.vision.board.body import Body
from companion.vision.view.pose import Pose

SHEET, TEXTURE = table.board()
STANDING = {"t0": 0, "t3": 1, "t5": 3, "t8": 2, "t10": 1, "lane0.1": 3}


@lru_cache
def scene() -> Scene:
    return make_scene(SHEET, TEXTURE)


def _peg(
    picture: np.ndarray, pose: Pose, color: str, x: float, y: float, height: float, radius: float = 6.0
) -> None:
    """An upright cylinder with a top that is a little lighter; mm."""
    bgr = np.array([int(color[i : i + 2], 16) for i in (5, 3, 1)], float)
    turn = np.linspace(0, 2 * np.pi, 36, endpoint=False)
    rings = [[(x + radius * np.cos(a), y + radius * np.sin(a), z) for a in turn] for z in (0.0, height)]
    foot, top = (np.round(pose.project(ring) * 16).astype(np.int32) for ring in rings)
    whole = cv2.convexHull(np.concatenate([foot, top]))
    cv2.fillConvexPoly(picture, whole, (0.7 * bgr).tolist(), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(picture, top, (0.9 * bgr).tolist(), cv2.LINE_AA, 4)


def pegs(height: float, tilt: float = 35.0, radius: float = 6.0) -> np.ndarray:
    pose = table.camera(tilt=tilt)
    picture = table.draw(SHEET, TEXTURE, pose)
    places = sorted((SHEET.spaces[name].y, SHEET.spaces[name].x, seat) for name, seat in STANDING.items())
    for y, x, seat in places:
        _peg(picture, pose, SHEET.colors[seat], x, y, height, radius)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8)


def looked(frame: np.ndarray) -> tuple[BoardSeen, Memory]:
    seen, memory = look(frame, scene())
    assert isinstance(seen, BoardSeen), seen
    return seen, memory


@pytest.mark.long
def test_pegs_are_one_piece_each_and_known_to_be_pegs() -> None:
    seen, memory = looked(pegs(30.0))
    assert {name: space.content for name, space in seen.spaces.items() if space.content} == {
        name: (seat,) for name, seat in STANDING.items()
    }
    assert memory.view is not None and isinstance(memory.view.body, Body) and memory.view.body.waist == 0.0
    assert all(seen.spaces[name].confidence > 0.97 for name in STANDING)


@pytest.mark.long
def test_thin_sticks_are_pieces_too() -> None:
    """5 mm across, where the sheet says 12: of a turned pawn half would be missing."""
    seen, memory = looked(pegs(24.0, radius=2.5))
    read = {name: space for name, space in seen.spaces.items() if space.content}
    assert {name: space.content for name, space in read.items()} == {name: (seat,) for name, seat in STANDING.items()}
    assert all(space.confidence > 0.9 for space in read.values())
    assert memory.view is not None and isinstance(memory.view.body, Body) and memory.view.body.width < 1


@pytest.mark.long
def test_turned_pawns_are_not_taken_for_pegs() -> None:
    pieces = [(seat, SHEET.spaces[name].x, SHEET.spaces[name].y) for name, seat in STANDING.items()]
    seen, memory = looked(table.draw(SHEET, TEXTURE, table.camera(tilt=35.0), pieces))
    assert {name: space.content[0] for name, space in seen.spaces.items() if space.content} == STANDING
    assert memory.view is not None and memory.view.body is not None
