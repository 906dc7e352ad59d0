"""A board that the eyes do not find: shown by its corners, played on, kept over a power cut, recorded and replayed."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from table import VIEW, TestTable, painter_of, scene_of

from calibration.board_files import draft_from_json
from calibration.check import check
from companion.games.catalogue import game_for
from companion.model import BadInput, RecordingError, sheet_to_json
from companion.model.table import Answer
from companion.service.boards.configured import printed_board
from companion.service.boards.pointing import (
    FORGOTTEN,
    HERE,
    KEPT,
    LOOKS_MIRRORED,
    MOST,
    NO_PICTURE,
    Pointing,
    name_of,
    shown_before,
)
from companion.service.cli import main
from companion.service.config import config_from
from companion.service.machine import doctor
from companion.service.records.recording import open_recording
from companion.service.records.replay import replay
from companion.service.table.recorder import Recorder
from companion.vision import Scene
from companion.vision.finding.settling import NOT_FOUND
from companion.vision.finding.shown import CROOKED, Shown

PIECES = {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]}
FAR = {f"companion.vision.finding.registration.{way}" for way in ("_by_features", "by_squares", "by_outline")}


@pytest.fixture(autouse=True)
def found_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board in the dark: its print tells nothing, nor its outline."""
    for name in FAR:
        monkeypatch.setattr(name, lambda *_: NOT_FOUND)


def bare(scene: Scene) -> Scene:
    """The same board without markers."""
    return replace(scene, sheet=replace(scene.sheet, markers=None))


@pytest.fixture
def table(tmp_path: Path) -> TestTable:
    made = TestTable(tmp_path, PIECES)
    made.service.close()
    made.scene = bare(made.scene)
    made.start()
    return made


def corners(table: TestTable, off: float = 1.0) -> list[list[float]]:
    """Where somebody taps the board's corners."""
    sheet, painter = table.sheet, table.camera.painter
    places = [(0, 0), (sheet.width, 0), (sheet.width, sheet.height), (0, sheet.height)]
    taps = painter.project(np.array([(*at, 0.0) for at in places]))
    return (taps + np.random.default_rng(3).uniform(-off, off, (4, 2))).tolist()


def pointing(table: TestTable, folder: Path | None = None) -> Pointing:
    lookout = table.service.lookout
    return Pointing(table.scene, lookout.seen_now, lookout.show_board, folder, None, table.service.parts.shown)


def test_a_game_goes_on_once_the_board_is_shown(table: TestTable) -> None:
    assert table.live(2.0) == ["lost"]
    page = pointing(table)
    assert page.take_frame() == (VIEW.width, VIEW.height)
    laid = page.lay(corners(table))
    assert laid.spaces.keys() == table.sheet.spaces.keys() and laid.doubt == ""
    assert page.here(corners(table), sure=False) == Answer(True, HERE)
    table.live(1.5)
    assert table.service.view().trouble is None
    table.ask("roll", dice=(3, 1))
    table.move(0, "t10", "t16")
    assert "illegal" in table.live(3.0)
    table.move(0, "t16", "t14")
    assert "legal" in table.live(3.0)
    assert page.forget() == Answer(True, FORGOTTEN)
    table.clock.time += 20
    assert "lost" in table.live(3.0), "it is looked for again, and not found"


@pytest.mark.long
def test_what_was_shown_is_forgotten_though_the_disk_cannot_be_written(table: TestTable) -> None:
    """As it is taken though it cannot be kept."""
    table.live(1.0)
    (table.folder / "shown.json").mkdir()
    page = pointing(table, table.folder)
    page.take_frame()
    assert page.here(corners(table), sure=False).ok
    table.live(1.5)
    assert page.forget() == Answer(True, FORGOTTEN) and page.shown is None
    table.clock.time += 20
    assert "lost" in table.live(3.0)


@pytest.mark.long
def test_of_two_phones_that_show_it_at_once_the_same_one_is_kept_and_used(
    table: TestTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written down last was not what the eyes were told last: after a power cut they looked elsewhere."""
    table.live(1.0)
    told: list[object] = []
    now = table.service.lookout.seen_now
    page = Pointing(table.scene, now, lambda shown: told.append(shown and shown.showing), table.folder)
    page.take_frame()
    second = threading.Event()

    def keep(folder: Path, showing: object, sheet: object) -> None:
        told.append(showing)
        if len(told) == 1:
            second.wait(1.0)
        second.set()

    monkeypatch.setattr("companion.service.boards.pointing.keep_shown", keep)
    phones = [threading.Thread(target=page.here, args=(corners(table, off), False)) for off in (0.5, 1.0)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert told[0] is told[1] and told[2] is told[3] and page.shown is not None and page.shown.showing is told[3]


@pytest.mark.long
def test_what_was_shown_outlasts_a_power_cut(table: TestTable) -> None:
    table.live(1.0)
    page = pointing(table, table.folder)
    page.take_frame()
    page.here(corners(table), sure=False)
    again = shown_before(table.folder, table.scene)
    assert isinstance(again, Shown) and page.shown is not None
    assert again.pose.shifted(page.shown.pose, 400, 400) < 0.01
    assert shown_before(table.folder, bare(scene_of("gloria"))) is None, "of another board nothing is known"
    table.service.parts.shown = again
    table.service = type(table.service)(table.service.parts, table.service.desk)
    table.live(1.5)
    assert table.service.view().trouble is None
    page.take_frame()
    page.here(corners(table, 2.0), sure=False)
    assert len(list(table.folder.glob("shown-*.png"))) == 1, "earlier pictures are not kept"
    page.forget()
    assert shown_before(table.folder, table.scene) is None


def test_what_was_kept_and_cannot_be_read_is_shown_again(table: TestTable, caplog: pytest.LogCaptureFixture) -> None:
    table.live(1.0)
    page = pointing(table, table.folder)
    page.take_frame()
    page.here(corners(table), sure=False)
    kept = json.loads((table.folder / KEPT).read_text())
    odd = [{**kept, "picture": "no.png"}, {**kept, "places_mm": []}, {**kept, "corners_px": [["a", 1]] * 4}, [], {}]
    for broken in ("", "{", "[" * 100000, *map(json.dumps, odd)):
        (table.folder / KEPT).write_text(broken)
        assert shown_before(table.folder, table.scene) is None
        assert "show it again" in caplog.text, broken
        caplog.clear()


@pytest.mark.long
def test_a_full_disk_does_not_keep_a_board_from_being_shown(
    table: TestTable, caplog: pytest.LogCaptureFixture
) -> None:
    table.live(1.0)
    (table.folder / "in the way").write_text("")
    page = pointing(table, table.folder / "in the way")
    page.take_frame()
    assert page.here(corners(table), sure=False).ok
    assert "cannot be kept" in caplog.text
    table.live(1.5)
    assert table.service.view().trouble is None


@pytest.mark.long(but=("None-four places", "taps6-four places"))
@pytest.mark.parametrize(
    ("taps", "words"),
    [
        (None, "four places"),
        ([[1, 2]] * 3, "four places"),
        ([[1, 2, 3]] * 4, "four places"),
        ([[1, "2"]] * 4, "four places"),
        ([[1, float("nan")]] * 4, "four places"),
        ([[1, True]] * 4, "four places"),
        ([[1, 10**400]] * 4, "four places"),
        ([[10, 10], [2000, 10], [500, 500], [10, 500]], "the corner 2000, 10 lies beyond the picture"),
        ([[10, 10]] * 4, CROOKED),
    ],
)
def test_what_are_no_corners_is_named(table: TestTable, taps: Any, words: str) -> None:
    table.live(1.0)
    page = pointing(table)
    page.take_frame()
    for ask in (page.lay, lambda corners: page.here(corners, True)):
        with pytest.raises(BadInput) as refused:
            ask(taps)
        assert words in str(refused.value)


def test_a_picture_is_needed_first(table: TestTable) -> None:
    page = pointing(table)
    assert page.take_frame() == Answer(False, NO_PICTURE) and page.frame() is None
    with pytest.raises(BadInput, match="take a picture first"):
        page.lay(corners(table))


@pytest.mark.long
def test_two_phones_tap_each_in_a_picture_of_their_own(table: TestTable) -> None:
    table.live(1.0)
    page = pointing(table)
    page.take_frame()
    (mine,) = page.frames()
    table.live(0.5)
    page.take_frame()
    _, other = page.frames()
    assert page.frame(mine) != page.frame(other) == page.frame()
    assert page.here(corners(table), False, mine).ok and page.shown is not None
    assert name_of(page.shown.showing.picture) == mine
    for _ in range(MOST):
        table.live(0.5)
        page.take_frame()
    assert len(page.frames()) == MOST and page.frame(mine) is None
    for ask in (page.lay, lambda corners, name: page.here(corners, True, name)):
        with pytest.raises(BadInput, match=r"here no more.*Another picture"):
            ask(corners(table), mine)
    assert page.lay(corners(table)).spaces, "without a name: in the newest"


@pytest.mark.long
def test_a_picture_too_dark_or_grey_to_be_read_is_not_tapped_in(table: TestTable) -> None:
    table.live(1.0)
    frame = table.service.lookout.seen_now()
    assert frame is not None
    grey = np.repeat(frame.mean(axis=2, keepdims=True), 3, axis=2)
    for picture, said in ((frame * 0.12, "too dark"), (grey, "grey")):
        page = Pointing(table.scene, partial(np.asarray, picture, np.uint8), table.service.lookout.show_board)
        page.take_frame()
        for ask in (page.lay, lambda corners, page=page: page.here(corners, True)):
            with pytest.raises(BadInput, match=rf"{said}.*Then take another picture"):
                ask(corners(table))
        assert page.shown is None
    dim = Pointing(table.scene, lambda: np.asarray(frame * 0.3, np.uint8), table.service.lookout.show_board)
    dim.take_frame()
    assert dim.here(corners(table), True).ok


@pytest.mark.long
def test_a_mirrored_picture_is_asked_about(table: TestTable) -> None:
    table.live(1.0)
    frame = table.service.lookout.seen_now()
    assert frame is not None
    page = Pointing(table.scene, lambda: np.ascontiguousarray(frame[:, ::-1]), table.service.lookout.show_board)
    page.take_frame()
    flipped = [[VIEW.width - 1 - x, y] for x, y in corners(table)]
    taps = [flipped[k] for k in (1, 0, 3, 2)]
    assert page.lay(taps).doubt == page.here(taps, sure=False).text == LOOKS_MIRRORED
    assert page.shown is None and page.here(taps, sure=True).ok


@pytest.mark.long
def test_the_corners_of_a_board_that_has_none_are_those_that_were_measured(table: TestTable) -> None:
    scene = table.scene
    photo = table.camera.painter.paint([])
    pose = scene.pose
    assert pose is None
    table.live(1.0)
    page = pointing(table)
    page.take_frame()
    page.here(corners(table, 0.0), sure=False)
    assert page.shown is not None
    known = replace(scene, photo=photo, pose=page.shown.pose)
    inner = np.array([(100.0, 100.0), (300.0, 100.0), (300.0, 300.0), (100.0, 300.0)])
    taps = page.shown.pose.project(inner).tolist()
    draft = draft_from_json(
        {"own_board": 1, "game": "parcheesi", "size_mm": [200, 200], "corners": taps, "inner": True}
    )
    round_one = Pointing(known, table.service.lookout.seen_now, lambda shown: None, None, draft)
    assert np.allclose(round_one.guide().corners, taps, atol=0.1)
    round_one.take_frame()
    spaces = round_one.lay(taps).spaces
    assert all(
        np.allclose(spaces[name][:2], page.shown.pose.project([(space.x, space.y)])[0], atol=3)
        for name, space in scene.sheet.spaces.items()
    )


def test_the_guide_of_a_printed_board_is_its_picture(table: TestTable) -> None:
    guide = pointing(table).guide()
    (left, top), _, (right, bottom), _ = guide.corners
    assert (left, top) == (0, 0) and guide.size == (round(right), round(bottom)) and not guide.shown


@pytest.mark.long
def test_the_health_check_knows_a_board_that_was_shown(table: TestTable) -> None:
    table.live(1.0)
    page = pointing(table)
    page.take_frame()
    page.here(corners(table), sure=False)
    frame = table.service.lookout.seen_now()
    assert frame is not None and not check(frame, table.scene)[0].playable
    health, pose = check(frame, table.scene, page.shown)
    assert page.shown is not None and pose is page.shown.pose and health.playable
    assert "somebody showed" in {finding.name: finding.text for finding in health.findings}["board"]


@pytest.fixture
def recorded(table: TestTable) -> Iterator[tuple[TestTable, Recorder]]:
    service = table.service
    game = service.parts.journal.game(service.desk.number)
    recorder = Recorder(table.folder / "recording", game, table.scene)
    service.parts.recorder = recorder
    table.live(2.0)
    page = pointing(table)
    page.take_frame()
    page.here(corners(table), sure=False)
    table.live(1.0)
    yield table, recorder


@pytest.mark.long
def test_a_game_on_a_board_that_was_shown_is_judged_the_same_again(recorded: tuple[TestTable, Recorder]) -> None:
    table, recorder = recorded
    table.ask("roll", dice=(3, 1))
    table.move(0, "t10", "t16")
    table.live(3.0)
    table.move(0, "t16", "t14")
    table.live(3.0)
    table.service.lookout.show_board(None)
    table.clock.time += 20
    table.live(2.0)
    then = [verdict.kind.value for verdict in table.verdicts if verdict.kind.value != "note"]
    assert then == ["lost", "illegal", "legal", "lost"]
    recording = open_recording(recorder.folder)
    (_, shown), (_, none) = recording.showings()
    assert shown is not None and none is None
    assert [verdict.kind.value for verdict in replay(recording, table.scene)] == then


@pytest.mark.long
def test_a_recording_whose_picture_is_missing_names_its_line(recorded: tuple[TestTable, Recorder]) -> None:
    _, recorder = recorded
    next(recorder.folder.glob("shown-*.png")).unlink()
    with pytest.raises(RecordingError, match=r"events\.jsonl, line \d: .*shown-"):
        open_recording(recorder.folder).showings()


@pytest.mark.long
def test_the_doctor_looks_where_the_board_was_shown_to_lie(table: TestTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the service and `companion check` do; it found none there that is played on."""
    table.live(1.0)
    page = pointing(table, table.folder)
    page.take_frame()
    page.here(corners(table), sure=False)
    monkeypatch.setattr(doctor, "a_picture", lambda _: table.service.lookout.seen_now())
    monkeypatch.setattr(doctor, "_table_or_none", lambda _: table)
    config = config_from({"journal": {"folder": str(table.folder)}})
    [camera, board] = doctor._camera_asked(config, "a camera")
    assert (camera.state, board.state) == (doctor.OK, doctor.OK), board.text


@pytest.mark.long
def test_games_of_all_kinds_have_a_board_to_point_at() -> None:
    for name in ("gloria", "game-of-god", "aggravation", "parcheesi-print"):
        sheet = printed_board(name)[0]
        page = Pointing(scene_of(name), lambda: None, lambda shown: None)
        assert len(page.guide().corners) == 4 and sheet.spaces and game_for(name, (0, 2), {})


@pytest.mark.long
def test_commands_are_told_the_corners_of_a_board_that_is_not_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, texture, _ = printed_board("parcheesi")
    cv2.imwrite(str(tmp_path / "board.png"), texture)
    (tmp_path / "sheet.json").write_text(json.dumps(sheet_to_json(sheet) | {"texture": "board.png"}))
    painter = painter_of("parcheesi", VIEW)
    frame, corners = painter.paint([]), [(0, 0, 0), (sheet.width, 0, 0), (sheet.width, sheet.height, 0)]
    assert sheet.markers is not None
    for x, y in sheet.markers.centers.values():
        ((column, row),) = painter.project(np.array([(x, y, 0.0)]))
        cv2.circle(frame, (round(float(column)), round(float(row))), 28, (60, 60, 60), -1)
    cv2.imwrite(str(tmp_path / "hidden.png"), frame)
    told = [f"--corner={x:.0f},{y:.0f}" for x, y in painter.project(np.array([*corners, (0, sheet.height, 0)]))]
    asked = [str(tmp_path / "hidden.png"), "--json", "--sheet", str(tmp_path / "sheet.json")]
    assert main(["look", *asked]) == 1
    assert main(["look", *asked, *told]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["registered"]
    assert main(["check", *asked, *told]) == 0
    assert "somebody showed" in capsys.readouterr().out
    assert main(["look", *asked, *told[:2]]) == 2
    assert "four times" in capsys.readouterr().err
    assert main(["look", *asked, *reversed(told)]) == 2
    assert "--corner: These corners go round the other way" in capsys.readouterr().err
