"""Recordings: read with clear errors, written by the service, judged again with the same verdicts."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from table import TestTable

from companion.games.parcheesi import Parcheesi
from companion.journal import export
from companion.model import Confirmed, ImageError, Kind, RecordingError, Roll, Rolled, Thrown
from companion.service.assembly import recorder_for
from companion.service.boards.configured import Table
from companion.service.cli import main
from companion.service.records.recording import in_order, open_recording, word_from_json
from companion.service.records.replay import replay, scene_of
from companion.service.table.recorder import Recorder
from companion.vision import make_scene

HEAD = {"recording": 1, "game": "parcheesi", "options": {}, "seats": [0, 2], "sheet": "sheet.json", "first": 0}


STATE = {
    **{"game": "parcheesi", "options": {}, "seats": [0, 1], "due": 0, "doublets": 0},
    "pieces": {"0": [-1, -1, -1, -1], "2": [-1, -1, -1, -1]},
}


def write(folder: Path, head: object = HEAD, events: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "recording.json").write_text(json.dumps(head) if not isinstance(head, str) else head)
    (folder / "events.jsonl").write_text(events)
    return folder


def test_events_are_read_as_words() -> None:
    assert word_from_json({"t": 12.34, "roll": [5, 3]}) == Rolled(12.34, Roll((5, 3)))
    assert word_from_json({"t": 3, "throw": {"seat": 2, "value": 4}}) == Thrown(3.0, 2, 4)
    assert word_from_json({"t": 3, "confirm": True}) == Confirmed(3.0)
    assert word_from_json({"t": 3, "confirm": True, "by": "phone"}) == Confirmed(3.0, "phone")
    for odd in (7, "", None):
        assert word_from_json({"t": 3, "roll": [5], "by": odd}) == Rolled(3.0, Roll((5,))), "nobody is named by it"


BAD_HEADS = [
    ("{", "recording.json"),
    ({"recording": 2}, '"recording": 1'),
    ({"recording": 1, "game": "parcheesi", "seats": [0, 2]}, "sheet is missing"),
    ({**HEAD, "game": "chess"}, "chess"),
    ({**HEAD, "seats": [0, 7]}, "7"),
    ({**HEAD, "start": {"game": "parcheesi"}}, r"recording\.json: (pieces|due)"),
    ({**HEAD, "sheet": 5}, r"recording\.json: sheet must be the name of a file in the recording's folder, not 5"),
    ({**HEAD, "reference": [1]}, r"recording\.json: reference must be the name of a file.*not \[1\]"),
    ({**HEAD, "sheet": "/dev/zero"}, r"sheet must be the name of a file in the recording's folder, not '/dev/zero'"),
    ({**HEAD, "sheet": ""}, r"sheet must be the name of a file in the recording's folder, not ''"),
    ({**HEAD, "reference": "."}, r"reference must be the name of a file in the recording's folder, not '\.'"),
    ({**HEAD, "start": []}, r"start must be an object, the state in which the game begins, not \[\]"),
    ({**HEAD, "seats": "02"}, r"recording\.json: seats must be a list like \[0, 2\], not '02'"),
    ({**HEAD, "seats": ["red"]}, r"recording\.json: seat 'red': expected a number"),
    ({**HEAD, "first": None}, r"recording\.json: seat None"),
    ({**HEAD, "start": STATE}, r"recording\.json: start has the seats \[0, 1\], and seats is \[0, 2\]"),
    ("[" * 100000, r"recording\.json: maximum recursion depth"),
]


@pytest.mark.parametrize(("head", "named"), BAD_HEADS, ids=[named[:40] for _, named in BAD_HEADS])
def test_a_recording_that_cannot_be_says_why(tmp_path: Path, head: object, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        open_recording(write(tmp_path / "r", head))


def test_what_other_programs_write_is_read(tmp_path: Path) -> None:
    folder, mark = tmp_path / "r", b"\xef\xbb\xbf"
    write(folder, HEAD | {"start": None, "reference": None}, '{"t": 1, "confirm": true}\r\n')
    for name in ("recording.json", "events.jsonl"):
        (folder / name).write_bytes(mark + (folder / name).read_bytes())
    recording = open_recording(folder)
    assert recording.state == recording.game.opening(0) and recording.words() == [Confirmed(1.0)]


def test_a_missing_recording_names_its_file(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"recording\.json"):
        open_recording(tmp_path / "none")


def test_a_saved_game_is_to_be_unpacked_first(tmp_path: Path) -> None:
    (tmp_path / "companion-game-1.zip").touch()
    with pytest.raises(RecordingError, match=r"companion-game-1\.zip is a file: unpack it, and name the folder in it"):
        open_recording(tmp_path / "companion-game-1.zip")


def test_a_broken_line_is_named_and_a_cut_off_last_line_is_left_out(tmp_path: Path) -> None:
    good = '{"t": 1, "roll": [1, 2]}\n'
    cut = open_recording(write(tmp_path / "cut", events=good + '{"t": 2, "ro'))
    assert len(cut.words()) == 1
    broken = open_recording(write(tmp_path / "broken", events='{"t": 1, "roll": [1, 9]}\n' + good))
    with pytest.raises(RecordingError, match="line 1"):
        broken.words()


KNOWN = ("roll", "throw", "answer", "declare", "challenge", "confirm", "shown")
BAD_LINES = [
    ('{"roll": [5]}', 't is missing: the seconds from the beginning, like "t": 12.34'),
    ('{"t": NaN, "roll": [5]}', "t must be a finite number of seconds, not nan"),
    ('{"t": "1", "roll": [5]}', "t must be a finite number of seconds, not '1'"),
    ('{"t": 1' + 400 * "0" + ', "roll": [5]}', "t must be a finite number of seconds, not 10000"),
    ("[]", 'expected an object like {"t": 12.34, "roll": [5, 3]}, not []'),
    ('{"t": 1, "answer": "false"}', "answer must be true or false, without quotes, not 'false'"),
    ('{"t": 1, "confirm": false}', "confirm must be true, not False"),
    ('{"t": 1, "roll": [5], "answer": true}', "roll and answer in one line: give each a line of its own"),
    ('{"t": 1, "roll": 5}', "roll must be a list of dice like [5, 3], not 5"),
    ('{"t": 1, "throw": {"seat": 0}}', "throw: value is missing in {'seat': 0}"),
    ('{"t": 1, "throw": {"seat": 0, "value": "4"}}', "throw: value must be a whole number, not '4'"),
    ('{"t": 1, "throw": {"seat": "red", "value": 4}}', "seat 'red': expected a number like 0, or N, E, S, W"),
    ('{"t": 1, "declare": 2}', "declare: seat is missing in 2"),
    ('{"t": 1, "challenge": "b5"}', 'challenge must be an object like {"target": "b5"}, not \'b5\''),
    ('{"t": 1, "shown": {"picture": "a.png"}}', "places_mm is missing"),
    ('{"t": 1, "zoll": [5]}', "nothing known in {'t': 1, 'zoll': [5]}: expected one of roll, throw, answer"),
    ('{"t": 1, "zoll": []}', "nothing known in {'t': 1, 'zoll': []}: expected one of " + ", ".join(KNOWN)),
]


@pytest.mark.parametrize(("line", "said"), BAD_LINES, ids=[line[:40] for line, _ in BAD_LINES])
def test_a_line_that_cannot_be_is_named_and_says_why(tmp_path: Path, line: str, said: str) -> None:
    """The text "false" was taken for a right answer, and of a roll and an answer in one line one was dropped."""
    recording = open_recording(write(tmp_path / "r", events=line + "\n"))
    with pytest.raises(RecordingError, match=r"events\.jsonl, line 1: " + re.escape(said)):
        recording.showings() + recording.words()  # type: ignore[operator]


def test_a_picture_too_small_to_read_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "r")
    Recorder(folder, TestTable(tmp_path).service.parts.journal.game(1), TestTable(tmp_path / "b").scene)
    cv2.imwrite(str(folder / "frames" / "00000100.jpg"), np.zeros((12, 16, 3), np.uint8))
    recording = open_recording(folder)
    with pytest.raises(ImageError, match=r"00000100\.jpg: a frame of 16×12 pixels is too small"):
        list(replay(recording, scene_of(recording)))


def test_empty_lines_among_the_events_are_borne(tmp_path: Path) -> None:
    events = '{"t": 1, "roll": [5, 3]}\n\n{"t": 2, "confirm": true}\n\n\n'
    assert len(open_recording(write(tmp_path, HEAD, events)).words()) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"throws": 7}, "throws is 7, and seats is"),
        ({"start": {**STATE, "seats": [0, 2], "game": "gloria"}}, "start has game 'gloria', and game is 'parcheesi'"),
        ({"start": {**STATE, "seats": [0, 2], "options": {"x": 1}}}, "start has options {'x': 1}, and options is {}"),
    ],
)
def test_a_beginning_that_does_not_go_with_the_rest_is_named(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    with pytest.raises(RecordingError, match=f"recording.json: {said}"):
        open_recording(write(tmp_path, {**HEAD, **change}))


@pytest.mark.parametrize(("options", "begun"), [({}, {"arms": 4}), ({"arms": 4, "play": "single"}, {})])
def test_usual_options_may_be_spelt_out_where_the_game_begins(
    tmp_path: Path, options: dict[str, object], begun: dict[str, object]
) -> None:
    """The same rules in other words were refused."""
    pieces = {"0": [-1, -1, 3, 8], "2": [-1, -1, -1, -1]}
    start = {"game": "aggravation", "options": begun, "seats": [0, 2], "due": 0, "pieces": pieces}
    head = {"recording": 1, "game": "aggravation", "options": options, "seats": [0, 2], "sheet": "sheet.json"}
    recording = open_recording(write(tmp_path, {**head, "start": start}))
    assert recording.game.to_json(recording.state)["pieces"] == pieces


@pytest.mark.long
@pytest.mark.parametrize(
    ("gone", "status", "said"),
    [
        ("events.jsonl", 0, "is missing: it is judged as if nobody had thrown or said a word"),
        ("sheet.json", 2, "the board is not in this recording: put its sheet.json there"),
        ("empty.png", 0, "is missing: the board is looked for by its markers"),
    ],
)
def test_a_file_that_is_missing_is_named(
    tmp_path: Path, gone: str, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = TestTable(tmp_path)
    folder = tmp_path / "r"
    Recorder(folder, table.service.parts.journal.game(1), table.scene)
    head = json.loads((folder / "recording.json").read_text())
    (folder / "recording.json").write_text(json.dumps({**head, "reference": "empty.png"}))
    photo = table.camera.painter.paint([])
    cv2.imwrite(str(folder / "empty.png"), photo)
    cv2.imwrite(str(folder / "frames" / "00000100.jpg"), photo)
    assert main(["replay", str(folder)]) == 0, "an empty events.jsonl: nothing was said"
    (folder / gone).unlink()
    assert main(["replay", str(folder)]) == status
    told = capsys.readouterr().err
    assert told.startswith(f"companion: {folder / gone}") and said in told


def test_frames_are_needed_and_named_by_their_time(tmp_path: Path) -> None:
    recording = open_recording(write(tmp_path / "r"))
    with pytest.raises(RecordingError, match="no pictures"):
        recording.frames()
    (recording.folder / "frames").mkdir()
    (recording.folder / "frames" / "first.jpg").write_bytes(b"")
    with pytest.raises(RecordingError, match="named by its time"):
        recording.frames()


def test_what_a_mac_hides_beside_frames_is_none(tmp_path: Path) -> None:
    frames = write(tmp_path / "r") / "frames"
    frames.mkdir()
    for name in ("00000100.jpg", "._00000100.jpg"):
        (frames / name).write_bytes(b"picture")
    assert open_recording(tmp_path / "r").frames() == [(0.1, frames / "00000100.jpg")]


def test_frames_may_be_of_any_kind_that_the_camera_folder_reads(tmp_path: Path) -> None:
    """FORMATS says images: those of other people's tools were overlooked, silently where a JPEG lay beside them."""
    frames = write(tmp_path / "r") / "frames"
    frames.mkdir()
    for name in ("00000100.jpg", "00000200.png", "00000300.JPEG", "notes.txt"):
        (frames / name).write_bytes(b"picture")
    assert [path.name for _, path in open_recording(tmp_path / "r").frames()] == [
        "00000100.jpg", "00000200.png", "00000300.JPEG"
    ]  # fmt: skip


def test_a_frame_of_which_nothing_was_written_is_none(tmp_path: Path) -> None:
    frames = write(tmp_path / "r") / "frames"
    frames.mkdir()
    (frames / "00000100.jpg").write_bytes(b"picture")
    (frames / "00000200.jpg").write_bytes(b"")
    assert open_recording(tmp_path / "r").frames() == [(0.1, frames / "00000100.jpg")]


def test_words_come_before_the_frame_of_their_moment() -> None:
    frames = [(1.0, Path("a")), (2.0, Path("b"))]
    words = [Confirmed(1.0), Confirmed(1.5), Confirmed(9.0)]
    order = [type(item).__name__ for _, item in in_order(frames, words)]
    assert order == ["Confirmed", type(Path()).__name__, "Confirmed", type(Path()).__name__, "Confirmed"]


def test_a_recorded_game_is_judged_the_same_again(tmp_path: Path) -> None:
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    service = table.service
    game = service.parts.journal.game(service.desk.number)
    recorder = Recorder(tmp_path / "recording", game, table.scene)
    service.parts.recorder = recorder
    table.live(1.0)
    table.ask("roll", dice=(3, 1))
    table.move(0, "t10", "t16")
    table.live(2.5)
    table.move(0, "t16", "t10")
    table.live(2.5)
    table.move(0, "t10", "t14")
    table.live(2.5)
    then = [verdict.kind.value for verdict in table.verdicts]
    assert then == ["illegal", "restored", "legal"]
    recording = open_recording(recorder.folder)
    scene = scene_of(recording)
    assert scene.players == {0, 2}
    assert [verdict.kind.value for verdict in replay(recording, scene)] == then


@pytest.mark.long
def test_a_roll_that_was_typed_late_is_judged_the_same_again(tmp_path: Path) -> None:
    """The recording did not say that no dice told it: the roll that explains the move waited for the board for ever."""
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    board = Table(table.sheet, table.scene, "", "printed")
    table.service.parts.recorder = recorder_for(tmp_path / "recording", table.service.desk, board)
    table.service.throws._state(True, "connected")
    table.live(1.0)
    table.move(0, "t10", "t14")
    table.live(2.5)
    assert table.ask("roll", dice=(3, 1), by="Ann").ok
    table.live(2.0)
    then = [verdict.text for verdict in table.verdicts if verdict.kind is not Kind.NOTE]
    assert len(then) == 2 and then[0].startswith("Red moved before rolling."), then
    assert replayed(tmp_path / "recording") == then


def test_a_recording_that_begins_amid_the_throws_for_who_begins_has_those_that_were_made(tmp_path: Path) -> None:
    """The first throw in it was out of turn, and so all that followed could not be."""
    table = TestTable(tmp_path)
    table.live(1.0)
    assert table.ask("roll", dice=(3, 1)).ok and table.ask("undo").ok and table.ask("roll", dice=(6, 5)).ok
    service = table.start()
    board = Table(table.sheet, table.scene, "", "printed")
    service.parts.recorder = recorder_for(tmp_path / "recording", service.desk, board)
    before = len(table.verdicts)
    assert table.ask("roll", dice=(1, 2)).ok
    table.top.set_up(service.desk.bench.position)
    table.live(2.0)
    assert table.ask("roll", dice=(1, 2)).ok
    then = [verdict.text for verdict in table.verdicts[before:] if verdict.kind is not Kind.NOTE]
    assert then == ["Red rolled 1 and 2 and cannot move."]
    assert replayed(tmp_path / "recording") == then
    assert "Ann" not in (tmp_path / "recording" / "events.jsonl").read_text()


def test_what_a_game_prints_is_no_verdict_by_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = TestTable(tmp_path, {"0": [-1, -1, -1, -1], "2": [-1, -1, 5, 7]})
    board = Table(table.sheet, table.scene, "", "printed")
    table.service.parts.recorder = recorder_for(tmp_path / "recording", table.service.desk, board)
    table.live(1.0)
    assert table.ask("roll", dice=(1, 2)).ok
    table.live(1.0)
    position = Parcheesi.position

    def prints(self: Parcheesi, state: Any) -> Any:
        print("here")
        return position(self, state)

    monkeypatch.setattr(Parcheesi, "position", prints)
    capsys.readouterr()
    assert main(["replay", "--json", str(tmp_path / "recording")]) == 0
    said = capsys.readouterr()
    assert [json.loads(line)["verdict"] for line in said.out.splitlines()] and "here\n" in said.err


def replayed(folder: Path) -> list[str]:
    recording = open_recording(folder)
    return [verdict.text for verdict in replay(recording, scene_of(recording))]


@pytest.mark.long
@pytest.mark.parametrize("rolled", [False, True])
def test_a_recording_that_begins_in_mid_game_is_judged_the_same_again(tmp_path: Path, rolled: bool) -> None:
    """It said that the game begins with what the game began with: all that followed was judged as a foul."""
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    table.live(1.0)
    table.ask("roll", dice=(3, 1))
    if not rolled:
        table.move(0, "t10", "t14")
        table.live(2.5)
    service = table.start()
    board = Table(table.sheet, table.scene, "", "printed")
    service.parts.recorder = recorder_for(tmp_path / "recording", service.desk, board)
    before = len(table.verdicts)
    table.live(1.0)
    if rolled:
        table.move(0, "t10", "t14")
    else:
        table.ask("roll", dice=(6, 2))
        table.move(2, "t39", "t47")
    table.live(2.5)
    then = [verdict.text for verdict in table.verdicts[before:] if verdict.kind is not Kind.NOTE]
    assert then == ["Red moved 1, then moved 3." if rolled else "Yellow moved 2, then moved 6."]
    assert replayed(tmp_path / "recording") == then


@pytest.mark.long
def test_a_new_game_is_recorded_to_a_folder_of_its_own(tmp_path: Path) -> None:
    """Its throws and pictures were added to the recording of the game before, as if they were of that one."""
    table = TestTable(tmp_path, {"0": [10, 20, 30, 40], "2": [-1, -1, 5, 7]})
    board = Table(table.sheet, table.scene, "", "printed")
    table.service.parts.recorder = recorder_for(tmp_path / "recording", table.service.desk, board)
    table.live(1.0)
    assert table.ask("newgame", first=2).ok
    table.top.set_up(table.service.desk.bench.position)
    table.live(3.0)
    table.ask("roll", dice=(5, 1))
    table.move(2, "base2", "t34")
    table.move(2, "t34", "t35")
    table.live(2.5)
    assert table.verdicts[-1].text.startswith("Yellow entered a pawn")
    assert replayed(tmp_path / "recording") == []
    assert replayed(tmp_path / "recording-2") == [table.verdicts[-1].text]


@pytest.mark.long
@pytest.mark.parametrize("exported", [False, True])
def test_a_challenge_is_judged_the_same_again(tmp_path: Path, exported: bool) -> None:
    """Its throws were taken for those of who begins, and left out: the game stood still from there on."""
    squares = {f"{column}8": "NN" for column in "abcdefg"} | {f"{column}1": "SS" for column in "abcdefg"}
    start = {"game": "game-of-god", "options": {}, "seats": ["N", "S"], "due": "N", "squares": squares}
    table = TestTable(tmp_path, game="game-of-god", start=start)
    table.top.set_up(table.game.everything(table.service.desk.bench.state))
    board = Table(table.sheet, table.scene, "", "printed")
    recording = tmp_path / "recording"
    table.service.parts.recorder = recorder_for(recording, table.service.desk, board)
    table.live(2.0)
    for seat, origin, target in ((0, "a8", "a2"), (2, "b1", "b2")):
        table.move(seat, origin, target)
        assert table.live(2.5) == ["legal"]
    assert table.ask("challenge", space="a2").ok
    assert table.ask("roll", dice=(5,)).ok and table.ask("roll", dice=(2,)).ok
    table.move(2, "b2", "a2")
    assert table.live(2.5) == ["legal"]
    then = [verdict.text for verdict in table.verdicts if verdict.kind is not Kind.NOTE]
    assert len(then) == 3
    if exported:
        journal = table.service.parts.journal
        export(journal, table.service.desk.number, recording, None, {"sheet": "sheet.json"})
    assert replayed(recording) == then


def test_a_picture_that_is_none_is_a_clear_error(tmp_path: Path) -> None:
    folder = write(tmp_path / "r")
    table = TestTable(tmp_path)
    Recorder(folder, table.service.parts.journal.game(1), table.scene)
    (folder / "frames" / "00000100.jpg").write_bytes(b"no picture")
    recording = open_recording(folder)
    with pytest.raises(ValueError, match=r"00000100\.jpg"):
        list(replay(recording, scene_of(recording)))


@pytest.mark.long
def test_a_full_disk_ends_the_recording_and_not_the_game(tmp_path: Path) -> None:
    table = TestTable(tmp_path)
    recorder = Recorder(tmp_path / "r", table.service.parts.journal.game(1), table.scene)
    frames = recorder.folder / "frames"
    frames.rmdir()
    frames.write_text("in the way")
    table.service.parts.recorder = recorder
    table.live(1.0)
    assert "the recording ends here" in recorder.trouble
    assert table.service.view().position


@pytest.mark.long
def test_a_disk_that_fills_leaves_no_half_of_a_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = TestTable(tmp_path)
    recorder = table.service.parts.recorder = Recorder(tmp_path / "r", table.service.parts.journal.game(1), table.scene)
    table.live(2.0)
    there, replaced = sorted((recorder.folder / "frames").iterdir()), Path.replace

    def full(path: Path, target: Path) -> Path:
        if path.parent.name == "frames":
            raise OSError(28, "No space left on device")
        return replaced(path, target)

    monkeypatch.setattr(Path, "replace", full)
    table.live(2.0)
    assert recorder.trouble == "the recording ends here: No space left on device"
    assert there and sorted((recorder.folder / "frames").iterdir()) == there


@pytest.mark.long
def test_the_recorder_writes_what_the_camera_saw(tmp_path: Path) -> None:
    table = TestTable(tmp_path)
    recorder = Recorder(tmp_path / "r", table.service.parts.journal.game(1), table.scene)
    table.service.parts.recorder = recorder
    table.live(3.0)
    frames = sorted((recorder.folder / "frames").glob("*.jpg"))
    assert 2 <= len(frames) <= 15
    image = cv2.imdecode(np.frombuffer(frames[0].read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None and image.shape == (720, 960, 3)


def test_a_recording_says_who_is_first_to_readers_that_know_no_throws(tmp_path: Path) -> None:
    table = TestTable(tmp_path, None)
    recorder = Recorder(tmp_path / "r", table.service.parts.journal.game(1), table.scene)
    head = json.loads((recorder.folder / "recording.json").read_text())
    assert head["first"] == head["throws"] == table.service.desk.bench.game.seats[0]
    recording = open_recording(recorder.folder)
    assert recording.state is None and recording.throws == head["throws"], "it begins with throws all the same"


def test_a_recording_says_who_won_the_throws_for_who_begins(tmp_path: Path) -> None:
    """FORMATS, "first": it named who threw first, whoever won; readers that know no throws began with that one."""
    table = TestTable(tmp_path, None)
    recorder = Recorder(tmp_path / "r", table.service.parts.journal.game(1), table.scene)
    table.service.parts.recorder = recorder
    before = json.loads((recorder.folder / "recording.json").read_text())
    assert table.ask("roll", dice=(1, 2)).ok and table.ask("roll", dice=(6, 5)).ok
    began = table.service.desk.bench.due.seat
    assert began != before["first"]
    assert json.loads((recorder.folder / "recording.json").read_text()) == before | {"first": began}
    assert open_recording(recorder.folder).throws == before["throws"], "it begins with throws all the same"


def test_a_recording_of_a_board_of_ones_own_knows_its_photo(tmp_path: Path) -> None:
    table = TestTable(tmp_path)
    painter, sheet = table.camera.painter, replace(table.sheet, markers=None, texture=None)
    photo = painter.paint([])
    places = np.array([(s.x, s.y) for s in sheet.spaces.values()])
    pixels = painter.project(np.column_stack([places, np.zeros(len(places))]))
    own = make_scene(sheet, None, photo, np.hstack([places, pixels]))
    recorder = Recorder(tmp_path / "r", table.service.parts.journal.game(1), own)
    again = scene_of(open_recording(recorder.folder))
    assert again.photo is not None and np.array_equal(again.photo, photo) and again.printed is None
    assert again.pose is not None and own.pose is not None
    assert again.pose.shifted(own.pose, sheet.width, sheet.height) < 0.1
