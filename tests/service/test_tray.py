"""Dice in the tray, from the picture to the game: counted once, asked about, told by hand, compared with the box."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import table
from table import TestTable

from companion.camera.frame import Image
from companion.dice import BoxRoll, RollHeard
from companion.model import ConfigError, DueKind
from companion.service.assembly import tray_of
from companion.service.config import config_from
from companion.service.table.tray import WAITING, DiceQuestion, Tray, TrayEyes, Witness
from companion.virtual.dice_tray import TrayOfDice, tray_beside
from companion.virtual.painter import View
from companion.vision.dice.seen import DiceSeen, DieSeen
from companion.vision.dice.tray import TrayMemory
from companion.vision.view.pose import Pose

PIECES: Mapping[str, list[int]] = {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}

NOBODY_ENTERS: Mapping[str, list[int]] = {"0": [-1] * 4, "2": [-1] * 4}


class TrayTable(TestTable):
    """The pretend table with a tray beside the board, which the camera sees."""

    __test__ = False

    def __init__(self, folder: Path, pieces: Mapping[str, list[int]] | None = PIECES, **words: Any) -> None:
        super().__init__(folder, pieces, **words)
        tray = tray_beside(self.sheet.width, self.sheet.height)
        self.top.dice = TrayOfDice(tray, random.Random(4))
        self.camera.painter.put_tray(tray)
        self.service.parts.tray = TrayEyes(tray)
        self.seen: list[tuple[int, ...]] = []
        self.service.parts.seen_roll = self.seen.append
        self.live(3)

    def throw(self, *values: int, awry: float = 0.0) -> None:
        dice = self.top.dice
        assert dice is not None
        dice.awry = awry
        dice.throw(values, self.clock.time)


def under_a_sheet(image: Image, board: Pose, spot: Tray) -> Image:
    """The picture, a sheet of paper over all of the tray."""
    x, y, far, low = spot.x - 10, spot.y - 10, spot.x + spot.width + 10, spot.y + spot.height + 10
    corners = board.project([(x, y, 0.0), (far, y, 0.0), (far, low, 0.0), (x, low, 0.0)])
    return cv2.fillConvexPoly(image.copy(), np.round(corners).astype(np.int32), (225, 230, 235))


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    """The camera sees the tray beside the board."""
    monkeypatch.setattr(table, "VIEW", View(tilt=12, noise=1.0, distance=820, shift=(64, 0)))


@pytest.fixture
def tray(tmp_path: Path, near: None) -> TrayTable:
    return TrayTable(tmp_path)


def test_a_throw_is_read_journalled_and_counted_once(tray: TrayTable) -> None:
    assert any(device.name == "dice" and device.state == "ok" for device in tray.service.view().devices)
    tray.throw(4, 5)
    tray.live(6)
    assert [sorted(values) for values in tray.seen] == [[4, 5]]
    view = tray.service.view()
    assert sorted(view.roll) == [4, 5] and view.due_kind is DueKind.PLAY
    entries = tray.service.parts.journal.entries(tray.service.desk.number)
    words = [entry.payload for entry in entries if entry.kind == "word" and entry.payload["word"] == "rolled"]
    assert len(words) == 1 and words[0]["by"] == "camera"


@pytest.mark.long
def test_dice_thrown_while_none_are_due_are_noted_once_and_do_not_count(tray: TrayTable) -> None:
    tray.throw(4, 5)
    tray.live(5)
    tray.throw(6, 5)
    tray.live(5)
    notes = [verdict.text for verdict in tray.verdicts if "no throw is due" in verdict.text]
    assert len(notes) == 1 and len(tray.seen) == 1
    entries = tray.service.parts.journal.entries(tray.service.desk.number)
    assert [entry.payload["apart"] for entry in entries if entry.kind == "roll"] == ["undue"]


@pytest.mark.long
@pytest.mark.parametrize("due", [True, False])
def test_dice_under_a_sheet_that_is_laid_over_the_tray_and_taken_away_are_no_throw(
    tray: TrayTable, monkeypatch: pytest.MonkeyPatch, due: bool
) -> None:
    eyes = tray.service.parts.tray
    assert eyes is not None and eyes.spot is not None
    spot = eyes.spot
    if due:  # the dice lie there at the start
        tray.service.parts.tray = None
    tray.throw(3, 5)
    tray.live(5)
    tray.service.parts.tray = eyes = TrayEyes(spot) if due else eyes
    tray.live(3)
    before, look = len(tray.seen), eyes.look
    assert before == (0 if due else 1)
    with monkeypatch.context() as laid:
        laid.setattr(eyes, "look", lambda image, board, *rest: look(under_a_sheet(image, board, spot), board, *rest))
        tray.live(3)
    tray.live(4)
    entries = tray.service.parts.journal.entries(tray.service.desk.number)
    assert len(tray.seen) == before and not any(entry.kind == "roll" for entry in entries)
    if due:
        tray.throw(1, 4)
        tray.live(5)
        assert sorted(tray.seen[-1]) == [1, 4]


@pytest.mark.long
def test_a_die_out_of_the_tray_is_asked_about_until_it_is_thrown_again(tray: TrayTable) -> None:
    dice = tray.top.dice
    assert dice is not None
    dice.throw((4, 5), tray.clock.time)
    dice.resting = (dice._outside(dice.resting[0]), dice.resting[1])
    tray.live(6)
    trouble = tray.service.view().trouble
    assert tray.seen == [] and trouble is not None and "1 die of 2" in trouble.text
    tray.throw(6, 4)
    tray.live(5)
    assert len(tray.seen) == 1 and tray.service.view().trouble is None


@pytest.mark.long
def test_how_many_dice_were_thrown_may_be_chosen_after_the_throw(tmp_path: Path, near: None) -> None:
    """PRN-1: one die lay in the tray, and one was chosen on the phone only then: that throw was never heard."""
    start = {"game": "parcheesi-print", "options": {}, "seats": [0, 2], "due": 0}
    start |= {"pieces": {"0": [10, -1, 5, 7], "2": [-1, -1, 5, 7]}}
    tray = TrayTable(tmp_path, None, game="parcheesi-print", start=start)
    tray.throw(4)
    tray.live(5)
    trouble = tray.service.view().trouble
    assert trouble is not None and trouble.text.endswith("If only 1 was to be thrown, choose that on the phone.")
    assert tray.ask("dice", count=1).ok
    tray.live(1)
    assert tray.seen == [(4,)] and tray.service.view().trouble is None


@pytest.mark.long
def test_a_roll_by_phone_overrides_what_lies_in_the_tray(tray: TrayTable) -> None:
    dice = tray.top.dice
    assert dice is not None
    dice.throw((4, 5), tray.clock.time)
    dice.resting = (dice._outside(dice.resting[0]), dice.resting[1])
    tray.live(6)
    assert tray.ask("roll", dice=(4, 5)).ok
    tray.live(4)
    assert tray.seen == [] and tray.service.view().roll == (4, 5) and tray.service.view().trouble is None


@pytest.mark.long
def test_a_roll_told_while_a_hand_lays_a_die_flat_is_not_counted_again(tray: TrayTable) -> None:
    """Whatever comes to lie there by that hand is no new throw, though the bare tray was seen before it."""
    eyes, dice = tray.service.parts.tray, tray.top.dice
    assert eyes is not None and dice is not None and eyes._memory.floor is not None
    dice.throw((4, 5), tray.clock.time)
    tray.live(0.8)
    assert eyes._watch.lying is None
    eyes.told_by_hand(tray.clock.time)
    tray.live(5)
    assert tray.seen == []
    trouble = tray.service.view().trouble
    assert trouble is not None and "may have lain there before" in trouble.text


def test_a_doubted_throw_is_not_tapped_for_another_player_whose_turn_was_set_by_hand(
    tray: TrayTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    eyes = tray.service.parts.tray
    assert eyes is not None
    words = iter([DiceQuestion("A die looks like a 5, but that is not certain.", (4, 5))])
    monkeypatch.setattr(eyes, "look", lambda *_: next(words, None))
    tray.live(2)
    for due, asked in ((0, True), (2, False)):
        state = tray.service.desk.bench.game.to_json(tray._state(PIECES, due))
        assert tray.ask("position", state=state).ok
        view = tray.service.view()
        assert view.due == due and (view.trouble is not None) == asked


def without_pictures(tray: TrayTable, monkeypatch: pytest.MonkeyPatch, seconds: float, *values: int) -> None:
    """The camera is unplugged, dice are thrown, and it stays so for a while."""
    monkeypatch.setattr(tray.camera, "newest", lambda *_: None)
    monkeypatch.setattr(type(tray.camera), "state", property(lambda _: "not there"))
    tray.live(6)
    assert any("enter the dice on the phone" in device.text for device in tray.service.view().devices)
    tray.throw(*values)
    tray.live(seconds)


def test_a_roll_told_while_the_camera_was_away_is_not_counted_again_for_the_next_player(
    tmp_path: Path, near: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its dice lay elsewhere than those that the camera had seen last."""
    tray = TrayTable(tmp_path, NOBODY_ENTERS)
    tray.throw(1, 2)
    tray.live(5)
    assert [sorted(roll) for roll in tray.seen] == [[1, 2]] and tray.service.view().due == 2
    with monkeypatch.context() as away:
        without_pictures(tray, away, 3, 2, 4)
        assert tray.ask("roll", dice=(2, 4)).ok
    tray.live(4)
    trouble = tray.service.view().trouble
    assert len(tray.seen) == 1 and tray.service.view().due == 0
    assert trouble is not None and "may have lain there before" in trouble.text


def test_who_threw_and_moved_while_the_camera_was_away_did_not_move_before_rolling(
    tray: TrayTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as away:
        without_pictures(tray, away, 3, 1, 2)
        tray.move(0, "t10", "t13")
    kinds = tray.live(8)
    assert "illegal" not in kinds and "legal" in kinds and [sorted(roll) for roll in tray.seen] == [[1, 2]]


def test_the_time_without_pictures_is_no_unrest_of_the_dice(tray: TrayTable, monkeypatch: pytest.MonkeyPatch) -> None:
    tray.throw(1, 2)
    tray.live(0.9)
    with monkeypatch.context() as away:
        away.setattr(tray.camera, "newest", lambda *_: None)
        tray.live(8)
    tray.live(4)
    assert len(tray.seen) == 1 and not any("do not lie still" in verdict.text for verdict in tray.verdicts)


def test_who_threw_and_moved_while_the_light_was_off_did_not_move_before_rolling(
    tray: TrayTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tray.camera._picture
    with monkeypatch.context() as dark:
        dark.setattr(tray.camera, "_picture", lambda now: replace(picture(now), image=picture(now).image // 50))
        tray.live(5)
        tray.throw(1, 2)
        tray.live(3)
        tray.move(0, "t10", "t13")
        tray.live(3)
        assert any("enter the dice on the phone" in device.text for device in tray.service.view().devices)
        assert not any("I see no dice" in verdict.text for verdict in tray.verdicts)
    kinds = tray.live(8)
    assert "illegal" not in kinds and "legal" in kinds and [sorted(roll) for roll in tray.seen] == [[1, 2]]


@pytest.mark.long
def test_a_doubted_roll_is_offered_to_be_tapped(tray: TrayTable, monkeypatch: pytest.MonkeyPatch) -> None:
    eyes = tray.service.parts.tray
    assert eyes is not None
    words = iter([DiceQuestion("A die looks like a 5, but that is not certain.", (4, 5))])
    monkeypatch.setattr(eyes, "look", lambda *_: next(words, None))
    tray.live(2)
    trouble = tray.service.view().trouble
    assert trouble is not None and trouble.kind == "unclear" and trouble.rolls == ((4, 5),)
    assert trouble.text.endswith("but that is not certain. If they show 4 and 5, tap that.")
    assert tray.ask("roll", dice=(4, 5)).ok
    assert tray.service.view().roll == (4, 5) and tray.service.view().trouble is None


@pytest.mark.long
def test_the_camera_and_the_box_disagree(tray: TrayTable) -> None:
    assert tray.service.parts.tray is not None
    tray.service.parts.tray.check = True
    tray.service.throws.take(RollHeard(tray.clock.time, "box", BoxRoll(7, tray.service.desk.token, (4, 6))))
    tray.throw(4, 5)
    tray.live(6)
    trouble = tray.service.view().trouble
    assert trouble is not None and "dice box says 4 and 6" in trouble.text
    assert [sorted(roll) for roll in trouble.rolls] == [[4, 6], [4, 5]]
    assert tray.ask("correct", dice=(4, 5)).ok
    assert sorted(tray.service.view().roll) == [4, 5] and tray.service.view().trouble is None


@pytest.mark.long
@pytest.mark.parametrize(("guess", "asked"), [((6, 4), False), ((4, 5), True), ((), True)])
def test_what_the_camera_is_not_certain_of_is_asked_only_if_the_box_told_something_else(
    tray: TrayTable, monkeypatch: pytest.MonkeyPatch, guess: tuple[int, ...], asked: bool
) -> None:
    eyes = tray.service.parts.tray
    assert eyes is not None
    eyes.check = True
    tray.service.throws.take(RollHeard(tray.clock.time, "box", BoxRoll(7, tray.service.desk.token, (4, 6))))
    words = iter([DiceQuestion("A die looks odd.", guess)])
    monkeypatch.setattr(eyes, "look", lambda *_: next(words, None))
    tray.live(2)
    trouble = tray.service.view().trouble
    assert (trouble is not None) == asked and (trouble is None or trouble.rolls == ((guess,) if guess else ()))


def test_a_doubt_about_what_the_box_told_is_not_tapped_as_the_roll_of_the_next_player(
    tmp_path: Path, near: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tray = TrayTable(tmp_path, NOBODY_ENTERS)
    eyes = tray.service.parts.tray
    assert eyes is not None
    eyes.check = True
    tray.service.throws.take(RollHeard(tray.clock.time, "box", BoxRoll(7, tray.service.desk.token, (4, 6))))
    words = iter([DiceQuestion("A die looks odd.", (4, 4))])
    monkeypatch.setattr(eyes, "look", lambda *_: next(words, None))
    tray.live(2)
    view = tray.service.view()
    assert view.due == 2 and view.trouble is not None and view.trouble.told and view.trouble.rolls == ((4, 4),)
    assert tray.ask("correct", dice=(4, 4)).ok
    assert tray.service.view().due == 0


@pytest.mark.long
def test_one_die_that_the_box_told_is_not_missed_though_two_are_due_of_the_next_player(
    tmp_path: Path, near: None
) -> None:
    start = {"game": "parcheesi-print", "options": {}, "seats": [0, 2], "due": 0, "pieces": NOBODY_ENTERS}
    tray = TrayTable(tmp_path, None, game="parcheesi-print", start=start)
    assert tray.service.parts.tray is not None
    tray.service.parts.tray.check = True
    assert tray.ask("dice", count=1).ok
    tray.service.throws.take(RollHeard(tray.clock.time, "box", BoxRoll(7, tray.service.desk.token, (3,))))
    tray.throw(3)
    tray.live(6)
    view = tray.service.view()
    assert view.due == 2 and view.throwing == 2 and view.trouble is None


def test_the_size_of_the_dice_is_learned_from_the_rolls_and_forgotten_when_one_is_told_by_hand() -> None:
    eyes = TrayEyes(Tray(0, 0, 100, 100))
    eyes._sizes = (16.1, 15.8, 16.0, 16.4, 15.9)
    assert eyes.edge == 0
    eyes._sizes += (16.0,)
    assert eyes.edge == 16.0
    eyes._sizes += (21.0,)
    assert eyes.edge == 0
    eyes.told_by_hand(0.0)
    assert eyes._sizes == ()


@pytest.mark.parametrize(("far", "says"), [(15.0, []), (5.0, [DiceQuestion])])
def test_dice_in_a_rectangle_of_the_board_are_not_thrown_when_the_board_is_pushed(
    monkeypatch: pytest.MonkeyPatch, far: float, says: list[type]
) -> None:
    """The dice stay where they are: it is the board, in whose frame their places are told, that moves."""
    spot, at, said = Tray(0.0, 0.0, 100.0, 100.0), 0.0, []
    here = Pose(900.0, 0.0, (0.0, 0.0, 0.0), (-50.0, -50.0, 600.0), (1280, 960), 0.0)
    there = replace(here, shift=(-50.0 + far, -50.0, 600.0))
    eyes = TrayEyes(spot)

    def look(_: Image, board: Pose, *rest: object) -> tuple[DiceSeen | None, TrayMemory]:
        die = DieSeen(4, 50.0 - (far if board is there else 0.0), 50.0, 16.0, 0.99)
        seen = None if 2.0 < at < 2.5 else DiceSeen((die,))
        return seen, TrayMemory(board=board, pose=board, tray=spot)

    monkeypatch.setattr("companion.service.table.tray.look_at_tray", look)
    while at < 6.0:
        word = eyes.look(np.zeros((960, 1280, 3), np.uint8), here if at < 2.2 else there, at, (1, 1))
        said += [type(word)] if word is not None else []
        at += 0.1
    assert said == says and eyes.ready


def test_a_tray_is_not_read_by_a_board_that_was_found_in_pictures_of_another_size() -> None:
    eyes = TrayEyes(Tray(100.0, 0.0, 100.0, 100.0))
    board = Pose(900.0, 0.0, (0.0, 0.0, 0.0), (-50.0, -50.0, 600.0), (1280, 960), 0.0)
    for at in np.arange(0.0, 3.0, 0.1):
        eyes.look(np.full((960, 1280, 3), 90, np.uint8), board, float(at), (1, 2))
    assert eyes.ready
    assert eyes.look(np.full((480, 640, 3), 90, np.uint8), board, 3.0, (1, 2)) is None
    assert not eyes.ready and eyes.trouble == WAITING


def test_three_dice_are_named_as_people_do() -> None:
    found = Witness(box=(0.0, (1, 2, 3))).saw(1.0, (1, 2, 4))
    assert found is not None
    assert found[0] == "The dice box says 1, 2 and 3, but in the tray I see 1, 2 and 4. Which of them counts?"


def test_a_witness_compares_each_roll_once() -> None:
    witness = Witness()
    assert witness.heard(1.0, (3, 4)) is None and witness.saw(2.0, (4, 3)) is None
    assert witness.saw(9.0, (1, 1)) is None and witness.heard(60.0, (2, 2)) is None
    assert witness.saw(61.0, (2, 6)) is not None


def test_the_configuration_of_the_tray() -> None:
    given = {"dice": {"port": "camera"}, "tray": {"x": 420, "y": 150.5, "width": 110, "height": 90}}
    eyes = tray_of(config_from(given))
    assert eyes is not None and eyes.spot is not None and eyes.spot.width == 110 and not eyes.check
    printed = tray_of(config_from({"dice": {"check": "camera"}}))
    assert printed is not None and printed.spot is None and printed.check
    assert tray_of(config_from({})) is None


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"dice": {"check": "phone"}}, "check"),
        ({"dice": {"port": "camera", "check": "camera"}}, "compares a dice box"),
        ({"dice": {"port": "camera"}, "camera": {"source": "none"}}, "name the camera"),
        ({"dice": {"port": "camera"}, "tray": {"width": 100}}, "width and height"),
        ({"tray": {"x": "left"}}, "must be a number"),
        ({"tray": {"depth": 3}}, "unknown key"),
    ],
)
def test_a_wrong_tray_is_named(given: dict[str, dict[str, object]], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        config_from(given)
