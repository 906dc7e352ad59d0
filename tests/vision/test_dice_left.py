"""Dice that left their places are told from dice that a hand covered or nudged, and a throw is never swallowed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from dice_drawing import TRAY, Die, camera, paint

from companion.vision.dice.left import places_of, was_bare
from companion.vision.dice.seen import DiceSeen, DieSeen, Tray
from companion.vision.dice.tray import TrayMemory, _differ, _watched, look_at_tray
from companion.vision.dice.watch import DiceQuestion, DiceWatch, DiceWord, RolledSeen, watch
from companion.vision.view.pose import Frame

POSE = camera(20, turn=25)
LYING = Die(4, 362.0, 150.0, 16.0, 20.0)
AFTER = Die(4, 366.0, 147.0, 16.0, 61.0)


def hand(frame: Frame, reach: int) -> Frame:
    """A plain hand from the right over the tray; reach: pixels from the middle of where the dice lie."""
    x, y = POSE.project([(LYING.x, LYING.y, 0.0)])[0].astype(int)
    covered = frame.copy()
    covered[y - 60 : y + 60, x + reach :] = (120, 150, 190)
    return covered


def played(frames: list[tuple[Frame, int]]) -> list[DiceWord]:
    """What is said while each picture is seen so many times, ten a second; one die is due."""
    memory, state, said, at = TrayMemory(), DiceWatch(), [], 0.0
    for frame, times in frames:
        for _ in range(times):
            seen, memory = look_at_tray(frame, POSE, TRAY, at, memory)
            state, word = watch(state, seen, at, 1, memory.gone, memory.bare, memory.arrived)
            said += [word] if word is not None else []
            at += 0.1
    return said


@pytest.fixture(scope="module")
def pictures() -> dict[str, Frame]:
    return {name: paint(dice, POSE) for name, dice in (("empty", []), ("before", [LYING]), ("after", [AFTER]))}


@pytest.mark.long
def test_a_throw_that_falls_where_the_last_one_lay_with_the_same_value_is_a_roll(pictures: dict[str, Frame]) -> None:
    taken = hand(pictures["before"], -20)
    away = hand(pictures["empty"], 60)
    frames = [(pictures["before"], 15), (taken, 3), (away, 2), (pictures["empty"], 2), (away, 2)]
    assert played([*frames, (pictures["after"], 20)]) == [RolledSeen((4,))]


@pytest.mark.long
def test_a_hand_that_covers_the_dice_and_goes_says_nothing(pictures: dict[str, Frame]) -> None:
    covered = [(hand(pictures["before"], reach), 2) for reach in (60, 20, -20, -60, 10, 50)]
    assert played([(pictures["before"], 15), *covered, (pictures["before"], 25)]) == []


def covered(frame: Frame, pattern: bool) -> Frame:
    """A sheet of paper or a patterned cloth over the whole tray."""
    over = np.full_like(frame, (225, 230, 235))
    if pattern:
        over[::40], over[:, ::40] = (60, 60, 160), (60, 60, 160)
    x, y, far, low = TRAY.x - 15, TRAY.y - 15, TRAY.x + TRAY.width + 15, TRAY.y + TRAY.height + 15
    mask = np.zeros(frame.shape[:2], np.uint8)
    corners = POSE.project([(x, y, 0.0), (far, y, 0.0), (far, low, 0.0), (x, low, 0.0)])
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    return np.where(mask[..., None] > 0, over, frame)


@pytest.mark.long(but=("15-False",))
@pytest.mark.parametrize("pattern", [False, True])
@pytest.mark.parametrize("tenths", [15, 30])
def test_dice_that_nobody_touched_are_no_roll_when_what_lay_over_them_is_taken_away(
    pictures: dict[str, Frame], pattern: bool, tenths: int
) -> None:
    sheet = covered(pictures["before"], pattern)
    assert played([(pictures["before"], 15), (sheet, tenths), (pictures["before"], 25)]) == []


@pytest.mark.long
def test_dice_that_were_moved_a_little_under_a_sheet_are_asked_about(pictures: dict[str, Frame]) -> None:
    said = played([(pictures["before"], 15), (covered(pictures["after"], False), 20), (pictures["after"], 25)])
    assert len(said) == 1 and isinstance(said[0], DiceQuestion) and "almost as before" in said[0].text


def under_a_cup(frame: Frame) -> Frame:
    """A cup stands over where the dice lie."""
    (x, y), (rim, _) = POSE.project([(LYING.x, LYING.y, 0.0), (LYING.x + 32.0, LYING.y, 0.0)])
    over = cv2.circle(frame.copy(), (int(x), int(y)), int(rim - x), (60, 70, 120), -1)
    return cv2.circle(over, (int(x), int(y)), int(0.8 * (rim - x)), (40, 50, 90), -1)


@pytest.mark.long
@pytest.mark.parametrize("cover", ["sheet", "cloth", "cup", "hand"])
def test_what_is_uncovered_that_nobody_has_seen_the_tray_without_is_asked_about_once(
    pictures: dict[str, Frame], cover: str
) -> None:
    """Something lies over old dice when the watch begins."""
    over = {"sheet": lambda f: covered(f, False), "cloth": lambda f: covered(f, True), "cup": under_a_cup}.get(
        cover, lambda f: hand(f, -30)
    )
    start = [(over(pictures["before"]), 15), (hand(pictures["before"], 10), 2), (pictures["before"], 25)]
    said = played(start)
    assert len(said) == 1 and isinstance(said[0], DiceQuestion) and "may have lain there before" in said[0].text
    thrown = [(hand(pictures["before"], -20), 3), (hand(pictures["empty"], 60), 3), (pictures["after"], 14)]
    assert played([*start, *thrown])[1:] == [RolledSeen((4,))]


@pytest.mark.long(but=("1.15",))
@pytest.mark.parametrize("light", [0.85, 1.0, 1.15])
def test_the_first_throw_into_a_tray_that_was_seen_bare_counts_at_once(light: float) -> None:
    bare, thrown = paint([], POSE), paint([LYING], POSE, light=light)
    assert played([(bare, 15), (hand(bare, 0), 3), (thrown, 14)]) == [RolledSeen((4,))]


def test_a_die_that_lay_there_unread_is_not_taken_for_thrown(pictures: dict[str, Frame]) -> None:
    """Its picture is the same as when the tray was thought to be bare."""
    memory, at = TrayMemory(), 0.0
    for _ in range(5):
        _, memory = look_at_tray(pictures["before"], POSE, TRAY, at, memory)
        at += 0.1
    (place,) = memory.places
    assert memory.small is not None
    assert not was_bare(place, memory.small, memory.small)


def test_a_hand_that_covers_most_of_the_tray_at_one_go_is_seen(pictures: dict[str, Frame]) -> None:
    memory = TrayMemory()
    glances = []
    for frame in (pictures["empty"], hand(pictures["empty"], -60), pictures["before"]):
        _, memory = look_at_tray(frame, POSE, TRAY, 0.0, memory)
        assert memory.glance is not None
        glances.append(memory.glance)
    empty, under, lying = glances
    assert _differ(empty, under) and _differ(under, lying) and _differ(empty, lying)


@pytest.mark.parametrize("ground", [(40, 38, 36), (60, 90, 140)])
def test_a_sheet_over_all_that_is_watched_is_seen_to_come_and_to_go(ground: tuple[int, int, int]) -> None:
    bare = paint([], POSE, ground=ground)
    memory, glances = TrayMemory(), []
    for frame in (bare, np.full_like(bare, 225)):
        _, memory = look_at_tray(frame, POSE, TRAY, 0.0, memory)
        assert memory.glance is not None
        glances.append(memory.glance)
    assert _differ(glances[0], glances[1]) and _differ(glances[1], glances[0])


@pytest.mark.long
def test_dice_thrown_where_they_lay_after_a_sheet_lay_over_them_count_at_once(pictures: dict[str, Frame]) -> None:
    frames = [(pictures["before"], 15), (covered(pictures["before"], False), 20), (pictures["before"], 5)]
    assert played([*frames, (pictures["empty"], 12), (pictures["after"], 12)]) == [RolledSeen((4,))]


@pytest.mark.long
def test_what_lay_where_is_not_asked_of_a_tray_that_is_seen_from_elsewhere() -> None:
    memory, at, lower = TrayMemory(), 0.0, camera(30, turn=25)
    for pose, dice in ((POSE, [LYING]), (lower, [])):
        for _ in range(12):
            seen, memory = look_at_tray(paint(dice, pose), pose, TRAY, at, memory)
            at += 0.1
    assert seen == DiceSeen() and not memory.bare


@pytest.mark.long
def test_a_nudged_die_is_asked_about_and_is_no_roll(pictures: dict[str, Frame]) -> None:
    nudged = [(hand(pictures["before"], 30), 2), (hand(pictures["after"], -10), 2), (hand(pictures["after"], 40), 2)]
    said = played([(pictures["before"], 15), *nudged, (pictures["after"], 25)])
    assert len(said) == 1 and isinstance(said[0], DiceQuestion) and "almost as before" in said[0].text


@pytest.mark.long
def test_frames_of_a_rest_are_read_as_one_with_less_noise() -> None:
    memory, at = TrayMemory(), 0.0
    clean = paint([LYING], POSE, light=0.3, noise=0)
    for seed in range(9):
        _, memory = look_at_tray(paint([LYING], POSE, light=0.3, noise=9, seed=seed), POSE, TRAY, at, memory)
        at += 0.1
    one = paint([LYING], POSE, light=0.3, noise=9, seed=1)
    own = _watched(clean, memory.corners).astype(float)
    assert memory.mean is not None and memory.count >= 5
    noise = np.abs(memory.mean - own).mean(), np.abs(_watched(one, memory.corners) - own).mean()
    assert noise[0] < 0.6 * noise[1]


@pytest.mark.long(but=("0.05",))
@pytest.mark.parametrize("flicker", [0.05, 0.15])
def test_a_roll_is_heard_in_the_light_of_a_lamp_that_flickers(pictures: dict[str, Frame], flicker: float) -> None:
    def lit(name: str, start: float) -> Frame:
        rows = np.arange(len(pictures[name]))[:, None, None] / len(pictures[name])
        band = 0.8 * (1 + flicker * np.sin(2 * np.pi * (3 * rows + start)))
        return np.clip(pictures[name] * band, 0, 255).astype(np.uint8)

    names = ["before"] * 15 + ["empty"] * 5 + ["after"] * 20
    assert played([(lit(name, 0.37 * k), 1) for k, name in enumerate(names)]) == [RolledSeen((4,))]


def test_nothing_is_known_of_dice_that_fill_the_picture() -> None:
    glance = np.zeros((6, 6, 3), np.uint8)
    assert places_of((DieSeen(1, 0.0, 0.0, 16.0, 1.0),), np.array([(3.0, 3.0)]), 0.25, glance) == ()


@pytest.mark.long(but=("beside0", "beside2"))
@pytest.mark.parametrize("beside", [TRAY._replace(x=-700.0), TRAY._replace(y=-600.0), TRAY._replace(x=1200.0)])
def test_a_tray_beyond_any_edge_of_the_picture_is_said_to_be_there_whatever_moves_on_the_board(beside: Tray) -> None:
    """A place left of the picture, or above it, was counted from the other edge: nearly all was taken for the tray."""
    bare, memory, seen = paint([], camera(5)), TrayMemory(), None
    for step in range(8):
        frame = bare.copy()
        frame[200:500, 300:600] = (120, 150, 190) if step % 2 else (60, 60, 60)
        seen, memory = look_at_tray(frame, camera(5), beside, 0.2 * step, memory)
    assert not _watched(bare, memory.corners).size
    assert seen is not None and "outside the picture" in seen.doubts[0]
