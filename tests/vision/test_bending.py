"""Boards that do not lie flat: paper that was rolled up is found, read, and said to bend; what is flat stays so."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest
from bent_drawing import bent

from calibration.check import check
from companion.model import BoardSeen
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene
from companion.vision.finding.bending import bends, or_bent
from companion.vision.finding.markers import find_markers, marker_corners
from companion.vision.finding.registration import register
from companion.vision.view.bend import POWERS, Bend
from companion.vision.view.pose import Frame, Pose, pushed, solve_bend, solve_pose, turned

SHEET, TEXTURE, _ = printed_board("parcheesi")
SCENE = make_scene(SHEET, TEXTURE)
SIZE = (SHEET.width, SHEET.height)
GRID = np.stack(np.meshgrid(np.linspace(10, 390, 12), np.linspace(10, 390, 12)), axis=-1).reshape(-1, 2)
STOOD = {"t3": 0, "t20": 1, "t37": 2, "t60": 3}


def lifted(**lifts: float) -> Bend:
    """A bend by its terms: x2 is that of x², x1y1 that of x·y."""
    names = ["".join(f"{axis}{power}" for axis, power in zip("xy", powers, strict=True) if power) for powers in POWERS]
    assert set(lifts) <= set(names)
    return Bend(SIZE, tuple(lifts.get(name, 0.0) for name in names))


BENDS = {
    "both ends up": lifted(x2=14.0),
    "its middle up": lifted(y2=-12.0, y4=-4.0),
    "its outer ends up": lifted(x4=28.0),
    "a corner up": lifted(x2=5.0, y2=5.0, x1y1=8.0),
}


@lru_cache
def flat_frame(tilt: float = 30.0) -> Frame:
    spaces = {name: SHEET.spaces[name] for name in STOOD}
    pawns = [Pawn(seat, name, (spaces[name].x, spaces[name].y)) for name, seat in STOOD.items()]
    return Painter(SHEET, TEXTURE, View(tilt=tilt), np.random.default_rng(1)).paint(pawns)


@lru_cache
def flat_pose(tilt: float = 30.0) -> Pose:
    pose = register(flat_frame(tilt), SCENE)
    assert isinstance(pose, Pose) and pose.bend is None
    return pose


def level(heights: np.ndarray) -> np.ndarray:
    """Heights over the plane that is nearest to them: that plane is the pose's."""
    plane = np.column_stack([GRID, np.ones(len(GRID))])
    return heights - plane @ np.linalg.lstsq(plane, heights, rcond=None)[0]


@pytest.mark.parametrize("bend", BENDS.values(), ids=BENDS)
def test_a_bend_is_told_by_where_places_of_the_board_are_seen(bend: Bend) -> None:
    pose = replace(flat_pose(), bend=bend)
    seen = pose.project(GRID) + np.random.default_rng(3).normal(0, 0.2, GRID.shape)
    found = solve_bend(GRID, seen, flat_pose(), SIZE, flat_pose())
    assert found is not None and found.bend is not None and found.error < 0.4
    assert np.abs(level(found.bend.height(GRID)) - level(bend.height(GRID))).max() < 2
    assert found.bend.rise == pytest.approx(bend.rise, abs=2.5)


def test_what_stands_on_a_bent_board_stands_higher_by_as_much() -> None:
    bend, place = lifted(x2=20.0), np.array([[400.0, 200.0]])
    pose = replace(flat_pose(), bend=bend)
    assert bend.height(place) == pytest.approx(20)
    assert np.allclose(pose.project(place), flat_pose().project([[400.0, 200.0, 20.0]]))
    assert np.allclose(pose.project([[400.0, 200.0, 24.0]]), flat_pose().project([[400.0, 200.0, 44.0]]))
    assert bend.height([[500.0, 200.0]]) == pytest.approx(20), "beyond its edge as at this"
    assert lifted(x2=20.0).rise == pytest.approx(20) and lifted().rise == 0


def test_how_a_board_bends_that_is_turned_or_pushed_is_found_anew() -> None:
    pose = replace(flat_pose(), bend=lifted(x2=9.0))
    assert turned(pose, 1, *SIZE).bend is None and pushed(pose, 0.1, (3, 4), (200, 200)).bend is None


@pytest.mark.long(but=("a corner up",))
@pytest.mark.parametrize("bend", BENDS.values(), ids=BENDS)
def test_paper_that_was_rolled_up_is_found_and_read(bend: Bend) -> None:
    """Curled by 10 to 25 mm (own renderer, seed 31337) three boards of twenty were "another board"."""
    frame = bent(flat_frame(), flat_pose(), bend)
    sighting, memory = look(frame, SCENE)
    assert isinstance(sighting, BoardSeen) and memory.view is not None
    assert {name: seen.content for name, seen in sighting.spaces.items() if seen.content} == {
        name: (seat,) for name, seat in STOOD.items()
    }
    found = memory.view.pose
    assert found.bend is not None and found.error < 1
    assert np.abs(found.project(GRID) - replace(flat_pose(), bend=bend).project(GRID)).max() < 3
    again, after = look(frame, SCENE, memory, 0.2)
    assert isinstance(again, BoardSeen) and not again.moved and after.view is memory.view


@pytest.mark.long
def test_markers_of_bent_paper_that_lie_as_on_no_flat_board_still_tell_where_it_is() -> None:
    frame, bend = bent(flat_frame(52.0), flat_pose(52.0), lifted(x4=36.0)), lifted(x4=36.0)
    found = find_markers(np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8), SCENE)
    by_them = solve_pose(marker_corners(SCENE, found), np.vstack(list(found.values())), flat_pose().size)
    assert len(found) == 4 and by_them is not None and by_them.error > 0.006 * 1280
    pose = register(frame, SCENE)
    assert isinstance(pose, Pose) and pose.bend is not None and pose.bend.rise == pytest.approx(bend.rise, abs=4)


@pytest.mark.long
def test_a_board_that_is_pushed_while_it_bends_is_found_again() -> None:
    frame = bent(flat_frame(), flat_pose(), BENDS["both ends up"])
    _, memory = look(frame, SCENE)
    away = np.roll(frame, 12, axis=1)
    sighting, after = look(away, SCENE, memory, 0.2)
    sighting, after = look(away, SCENE, after, 0.4)
    assert isinstance(sighting, BoardSeen) and after.view is not None and after.view.pose.bend is not None
    assert {name for name, seen in sighting.spaces.items() if seen.content} == set(STOOD)


@pytest.mark.long
def test_the_check_says_that_a_board_does_not_lie_flat() -> None:
    flat, _ = check(flat_frame(), SCENE)
    assert "flatness" not in {finding.name for finding in flat.findings}
    found, _ = check(bent(flat_frame(), flat_pose(), BENDS["both ends up"]), SCENE)
    (finding,) = (finding for finding in found.findings if finding.name == "flatness")
    assert 10 <= int(finding.text.split("about ")[1].split()[0]) <= 18 and "card" in finding.advice
    assert 0 < finding.score < 1 and found.playable
    rolled, _ = check(bent(flat_frame(), flat_pose(), lifted(x2=34.0)), SCENE)
    (finding,) = (finding for finding in rolled.findings if finding.name == "flatness")
    assert 0 < finding.score < 0.2 and rolled.playable, "it is read all the same"


# --- what is flat stays so ---


def seen_of(bend: Bend | None) -> np.ndarray:
    noise = np.random.default_rng(5).normal(0, 0.3, GRID.shape)
    return np.asarray(replace(flat_pose(), bend=bend).project(GRID) + noise)


def test_a_flat_board_is_not_asked_whether_it_bends() -> None:
    assert or_bent(flat_pose(), GRID, seen_of(None), flat_pose(), SCENE) is flat_pose()


def test_pages_that_were_glued_beside_their_places_do_not_bend() -> None:
    rng, pixels = np.random.default_rng(2), seen_of(None)
    page = (GRID[:, 0] // 134).astype(int) + 3 * (GRID[:, 1] // 201).astype(int)
    pixels += rng.normal(0, 3, (6, 2))[page]
    found = or_bent(flat_pose(), GRID, pixels, flat_pose(), SCENE)
    assert found.bend is None or not bends(found, flat_pose(), GRID, pixels, GRID)


def test_where_a_hand_lies_nothing_holds_a_bend() -> None:
    pixels = seen_of(BENDS["both ends up"])
    found = or_bent(flat_pose(), GRID, pixels, flat_pose(), SCENE)
    assert found.bend is not None and bends(found, flat_pose(), GRID, pixels, GRID)
    for hand, holds in (((200, 200), True), ((330, 330), False), ((200, 360), False)):
        free = (np.abs(GRID - hand) > 90).any(axis=1)
        assert bends(found, flat_pose(), GRID[free], pixels[free], GRID) is holds
    few = np.arange(0, len(GRID), 5)
    assert or_bent(flat_pose(), GRID[few], pixels[few], flat_pose(), SCENE) is flat_pose(), "29 places are too few"
