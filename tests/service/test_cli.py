"""The commands as a newcomer types them."""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from program import free_port

from companion.games.catalogue import GAMES, game_for
from companion.model import BadInput
from companion.page import server
from companion.service import cli_values
from companion.service.boards import lens_views
from companion.service.boards.configured import printed_board
from companion.service.boards.seats import seats_of
from companion.service.cli import main
from companion.service.config import EXAMPLE
from companion.virtual.painter import Painter, View

TYPED = [
    *((cli_values.option, *case) for case in (("arms=6", ("arms", 6)), ("six_again=true", ("six_again", True)))),
    *((cli_values.option, *case) for case in (("x=false", ("x", False)), ("home=center", ("home", "center")))),
    *((cli_values.option, *case) for case in (("a==b", ("a", "=b")), ("n=1234567890", ("n", "1234567890")))),
    (cli_values.point, "640,410.5", (640.0, 410.5)),
    (cli_values.place, "new.zip", Path("new.zip")),
    (cli_values.place, "/tmp/", Path("/tmp")),
]
MISTYPED = [
    *((cli_values.option, text, "an option is written NAME=VALUE") for text in ("arms", "arms=", "=6", "")),
    *((cli_values.point, text, "expected a pixel like") for text in ("1", "1,2,3", "nan,1", "1,inf", "a,b", "")),
    (cli_values.place, "/nowhere/at/all/", "there is no such folder"),
    (cli_values.place, " ", "name a folder"),
]


@pytest.mark.parametrize(("read", "text", "value"), TYPED)
def test_what_is_typed_is_read(read: Callable[[str], object], text: str, value: object) -> None:
    found = read(text)
    assert found == value and repr(found) == repr(value), "true is no number"


@pytest.mark.parametrize(("read", "text", "wanted"), MISTYPED)
def test_what_is_mistyped_is_said(read: Callable[[str], object], text: str, wanted: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=wanted):
        read(text)


def test_places_left_of_the_board_or_above_it_are_no_options() -> None:
    typed = ["look", "-v", "--tray", "-120,-8.5,90,90", "--corner", "-3,5", "--json", "a.jpg", "-1", "--draw", "-1"]
    there = ["look", "-v", "--tray=-120,-8.5,90,90", "--corner=-3,5", "--json", "a.jpg", "-1", "--draw", "-1"]
    assert cli_values.joined(typed) == cli_values.joined(there) == there


def test_what_is_given_twice_is_refused() -> None:
    assert cli_values.once("--option", [("arms", 6), ("play", "teams")]) == {"arms": 6, "play": "teams"}
    with pytest.raises(BadInput, match=r"--option arms=… is given 2 times: leave all but one out"):
        cli_values.once("--option", [("arms", 6), ("play", "teams"), ("arms", 4)])


def test_sheet_and_look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "parcheesi", "--out", str(tmp_path / "board")]) == 0
    sheet, texture, _ = printed_board("parcheesi")
    photo = tmp_path / "empty.jpg"
    cv2.imwrite(str(photo), Painter(sheet, texture, View(), np.random.default_rng(1)).paint([]))
    words = ["--sheet", str(tmp_path / "board" / "sheet.json"), str(photo), "--json", "--draw", str(tmp_path / "d")]
    capsys.readouterr()
    assert main(["look", *words]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["registered"] and set(line["spaces"]) == set(sheet.spaces) and line["dice"] == []
    assert not any(seen["seen"] for seen in line["spaces"].values())
    assert (tmp_path / "d" / "empty.png").exists()


@pytest.mark.long
@pytest.mark.parametrize("command", ["look", "check"])
def test_drawn_pictures_that_are_called_alike_are_numbered(tmp_path: Path, command: str) -> None:
    main(["sheet", "parcheesi", "--out", str(tmp_path)])
    pictures = [tmp_path / folder / "a.png" for folder in ("one", "two")]
    for picture in pictures:
        picture.parent.mkdir()
        picture.write_bytes((tmp_path / "parcheesi.png").read_bytes())
    main([command, "--sheet", str(tmp_path / "sheet.json"), *map(str, pictures), "--draw", str(tmp_path / "d")])
    assert sorted(path.name for path in (tmp_path / "d").iterdir()) == ["a-2.png", "a.png"]


@pytest.mark.long
@pytest.mark.parametrize("command", ["look", "check"])
def test_no_picture_that_somebody_took_is_drawn_over(tmp_path: Path, command: str) -> None:
    main(["sheet", "parcheesi", "--out", str(tmp_path)])
    texture = (tmp_path / "parcheesi.png").read_bytes()
    pictures = [tmp_path / name for name in ("a.jpg", "a.png", "parcheesi.jpg", "empty.jpg")]
    kept = [tmp_path / "empty.png", *pictures]
    for picture in kept:
        picture.write_bytes(texture)
    words = ["--sheet", str(tmp_path / "sheet.json"), "--draw", str(tmp_path)]
    for _ in range(2):  # what was drawn before may be drawn over
        main([command, *words, *map(str, pictures)])
    assert all(path.read_bytes() == texture for path in [tmp_path / "parcheesi.png", *kept])
    drawn = {path.stem for path in tmp_path.glob("*.png")} - {"a", "parcheesi", "empty"}
    assert drawn == {"a-2", "a-3", "parcheesi-2", "empty-2"}


def test_a_check_of_two_boards_at_once_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "companion.toml").write_text("")
    words = ["--config", str(tmp_path / "companion.toml"), "--sheet", "sheet.json", "--reference", "empty.jpg", "a.jpg"]
    assert main(["check", *words]) == 2
    assert "leave --sheet and --reference out, or --config" in capsys.readouterr().err


def test_a_terminal_that_knows_few_letters_is_written_to_all_the_same() -> None:
    words = [sys.executable, "-m", "companion.service.cli", "config"]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and "http://" in done.stdout and done.stderr == ""


@pytest.mark.long
def test_look_goes_on_after_a_file_that_is_no_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["sheet", "parcheesi", "--out", str(tmp_path)])
    (tmp_path / "note.jpg").write_text("no picture")
    capsys.readouterr()
    status = main(["look", "--sheet", str(tmp_path / "sheet.json"), str(tmp_path / "note.jpg"), "gone.jpg", "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert status == 1 and [line["registered"] for line in lines] == [False, False]
    assert "note.jpg" in lines[0]["error"]
    main(["look", "--sheet", str(tmp_path / "sheet.json"), "gone.jpg"])
    assert capsys.readouterr().out == "gone.jpg: there is no such picture\n"


@pytest.mark.long
def test_check_goes_on_after_a_file_that_is_no_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["sheet", "parcheesi", "--out", str(tmp_path)])
    (tmp_path / "note.jpg").write_text("no picture")
    capsys.readouterr()
    pictures = [str(tmp_path / "note.jpg"), "gone.jpg", str(tmp_path / "parcheesi.png")]
    status = main(["check", "--sheet", str(tmp_path / "sheet.json"), *pictures, "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert status == 1 and [line["image"] for line in lines] == ["note.jpg", "gone.jpg", "parcheesi.png"]
    assert "note.jpg" in lines[0]["findings"][0]["text"] and not lines[1]["playable"] and len(lines[2]["findings"]) > 5
    words = ["--corner", "1,1", "--corner", "9,1", "--corner", "9,9", "--corner", "1,9"]
    assert main(["check", "--sheet", str(tmp_path / "sheet.json"), "gone.jpg", *words]) != 0
    assert "gone.jpg: there is no such picture" in "".join(capsys.readouterr())


@pytest.mark.long
def test_a_tray_is_checked_and_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["sheet", "parcheesi", "--out", str(tmp_path)])
    sheet = str(tmp_path / "sheet.json")
    capsys.readouterr()
    assert main(["look", "--sheet", sheet, str(tmp_path / "parcheesi.png"), "--tray", "430,180,90,90", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["dice"] == [] and "tray is outside the picture" in said.err
    assert main(["look", "--sheet", sheet, str(tmp_path / "parcheesi.png"), "--tray", "-120,180,90,90", "--json"]) == 0
    assert "tray is outside the picture" in capsys.readouterr().err, "left of the board it was taken for an option"
    assert main(["look", "--sheet", sheet, "a.jpg", "--tray", "430,180"]) == 2
    assert "430,180" in capsys.readouterr().err
    for far in ("0,0,1e9,1e9", "nan,0,10,10"):
        assert main(["look", "--sheet", sheet, "a.jpg", f"--tray={far}"]) == 2
        assert f"--tray {far}: its four numbers must be at most 3000 mm" in capsys.readouterr().err
    for tiny in ("420,150,0.001,0.001", "420,150,110,5"):
        assert main(["look", "--sheet", sheet, "a.jpg", "--tray", tiny]) == 2
        said = capsys.readouterr().err
        assert f"--tray {tiny}: too small for dice: it must be at least 20 mm wide and high" in said


@pytest.mark.long
def test_a_picture_too_small_to_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["sheet", "parcheesi", "--out", str(tmp_path)])
    tiny = tmp_path / "tiny.png"
    cv2.imwrite(str(tiny), np.zeros((12, 16, 3), np.uint8))
    capsys.readouterr()
    assert main(["look", "--sheet", str(tmp_path / "sheet.json"), str(tiny)]) == 1
    assert capsys.readouterr().out == f"{tiny}: a frame of 16×12 pixels is too small to read a board\n"


TWICE = ["--option", "arms=6", "--option", "arms=4"]
WRONG = [
    (["sheet", "chess", "--out", "x"], "chess"),
    (["run", "--config", "none.toml"], "none.toml"),
    (["run"], "companion config > companion.toml"),
    (["replay", "nowhere"], "recording.json"),
    (["look", "--sheet", "none.json", "a.jpg"], "directory). A sheet.json is made by companion sheet"),
    (["games", "list", "--config", "none.toml"], "none.toml"),
    (["sheet", "chess", "--out", "x"], "parcheesi-print; and tray, for dice"),
    (["sheet", "aggravation", "--out", "x", *TWICE], "--option arms=… is given 2 times"),
    (["demo", "--game", "aggravation", *TWICE], "--option arms=… is given 2 times"),
    (["calibrate", "lens", "a.jpg", "--config", "none.toml"], "or the camera that --config names: leave one"),
    (["calibrate", "lens", "a.jpg", "--live", "b.jpg"], "--live keeps a picture of what the camera sees"),
    (["rules", "list", "--game", "chess"], "chess"),
    (["rules", "plays", "--game", "parcheesi"], "rules plays takes no --game: each request names its own"),
    (["dice", "flash", "--hex", "none.hex"], "none.hex: No such file"),
    (["calibrate", "colors", "none.jpg", "--board", "none"], "none/board.json: cannot be read (No such file"),
    (["demo", "--headless", "--record", "file"], "file: Not a directory; record to a folder that can be written"),
    (["evidence", "--pictures", "500", "--diagram", "file/a.svg"], "file/a.svg: "),
    (["evidence", "--pictures", "500", "--diagram", "."], ".: Is a directory; choose a file in a folder"),
    (["evidence", "--own-boards", "--dice"], "--dice measures no boards: leave --own-boards out"),
    (["evidence", "--dice", "--game", "gloria"], "--dice measures no boards: leave --game out"),
    (["evidence", "--bad-input", "--diagram", "a.svg"], "--bad-input draws no --diagram"),
    (["evidence", "--frames", "5"], "--frames 5 is of dice: add --dice"),
]


@pytest.mark.parametrize(("words", "named"), WRONG, ids=[" ".join(words[:2]) for words, _ in WRONG])
def test_wrong_input_is_one_clear_sentence(
    words: list[str], named: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert main(words) == 2
    said = capsys.readouterr().err
    assert named in said and said.startswith("companion: ") and "Traceback" not in said


@pytest.mark.parametrize("asked", ["companion.service.cli", "companion.games.catalogue", "companion.model"])
def test_ctrl_c_says_nothing_while_the_program_is_still_being_read(asked: str) -> None:
    program = f"""import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background is begun without it
class Pressed:
    def find_spec(self, name, path, target=None):
        if name == {asked!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Pressed())
from companion.__main__ import main
sys.exit(main())"""
    done = subprocess.run([sys.executable, "-c", program, "config"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_an_empty_one(closed: str) -> None:
    words = ["sh", "-c", f'exec "$0" -m companion.service.cli rules plays {closed}', sys.executable]
    done = subprocess.run(words, input="{}\n", capture_output=True, text=True)
    answered = '{"error": "state is missing in the request"}\n' if closed == "2>&-" else ""
    assert (done.returncode, done.stdout, done.stderr) == (0, answered, "")


VALUES = [
    *(["--port", "many"], ["--turns", "few"], ["--cheat", "often"], ["--speed", "fast"]),
    *(["--seed", "-5"], ["--seed", "1.5"], ["--port", "0"], ["--port", "65536"]),
]


@pytest.mark.parametrize("words", VALUES)
def test_a_word_for_a_number_is_answered_with_what_is_wanted(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["demo", *words])
    said = capsys.readouterr().err
    assert stopped.value.code == 2 and "invalid _" not in said
    assert f"argument {words[0]}: {words[1]}: " in said


@pytest.mark.parametrize("words", [["run", "companion.toml"], ["games", "list", "companion.toml"]])
def test_a_word_too_many_is_answered_with_what_that_command_takes(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    said = capsys.readouterr().err
    name = " ".join(["companion", *words[:-1]])
    assert stopped.value.code == 2 and said.startswith(f"usage: {name} [-h] [--config companion.toml]")
    assert f"{name}: error: unrecognized arguments: companion.toml" in said


def test_a_lens_is_not_waited_for_where_there_is_no_camera(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lens_views, "_FIRST", 0.3)
    (tmp_path / "companion.toml").write_text('[camera]\nsource = "/dev/video77"\n')
    began = time.monotonic()
    words = ["calibrate", "lens", "--config", str(tmp_path / "companion.toml"), "--out", str(tmp_path / "lens.json")]
    assert main(words) == 2
    assert time.monotonic() - began < 20
    assert "/dev/video77 sent no picture within 0 s" in capsys.readouterr().err


def test_the_boards_that_can_be_drawn_are_all_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["sheet", "--help"])
    assert ",".join(sorted(GAMES)) in "".join(capsys.readouterr().out.split())


@pytest.mark.long(but=("tray",))
@pytest.mark.parametrize("board", ["parcheesi", "tray"])
def test_a_folder_that_cannot_be_written_is_named(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["sheet", board, "--out", str(tmp_path / "file" / "x")]) == 2
    assert f"{tmp_path}/file/x: Not a directory; choose a folder that can be written" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["calibrate lens", "dice monitor", "dice bluetooth"])
@pytest.mark.parametrize("given", ["-1", "nan", "inf", "soon"])
def test_nobody_waits_for_a_time_that_never_comes(kind: str, given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*kind.split(), "--seconds", given])
    assert stopped.value.code == 2
    assert f"argument --seconds: {given}: seconds, from 0 to 86400 (a day)" in capsys.readouterr().err


OUT = (
    *("sheet tray --out", "calibrate board --photo a.jpg --out", "calibrate lens --target", "games export --out"),
    *("look --sheet a.json a.jpg --draw", "check --sheet a.json a.jpg --draw", "evidence --keep"),
)


@pytest.mark.parametrize("words", [*OUT, "demo --record"])
def test_files_are_not_scattered_where_no_folder_is_named(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*words.split(), ""])
    assert stopped.value.code == 2 and "name a folder; . is the one that you are in" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--cheat", "2"], ["--speed", "99"], ["--turns", "0"], ["--seats", "7"]])
def test_numbers_out_of_range_are_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["demo", *words])
    assert stopped.value.code == 2


def test_the_example_configuration_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config"]) == 0
    assert capsys.readouterr().out == EXAMPLE


def test_the_rules_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list"]) == 0
    said = capsys.readouterr().out
    assert "PAR-20" in said
    told = dict(part.split("\n", 1) for part in said.rstrip("\n").split("\n\n"))
    assert list(told) == [GAMES[name].title for name in sorted(GAMES)]
    for name, game in GAMES.items():
        assert main(["rules", "list", "--game", name]) == 0
        assert capsys.readouterr().out.rstrip("\n") == told[game.title].rstrip("\n")
        assert [line.split()[0] for line in told[game.title].splitlines()] == list(game.sentences)


def test_rules_plays_is_a_process_that_can_be_asked_many_times() -> None:
    state = {"game": "parcheesi", "options": {}, "seats": [0, 2], "due": 0, "doublets": 0}
    state["pieces"] = {"0": [-1, -1, -1, -1], "2": [-1, -1, -1, 5]}
    asked = [json.dumps({"state": state, "roll": [5, 3]}), "nonsense", json.dumps({"state": state, "roll": [1, 3]})]
    words = [sys.executable, "-m", "companion", "rules", "plays"]
    done = subprocess.run(words, input="\n".join(asked) + "\n", capture_output=True, text=True, check=True)
    first, second, third = (json.loads(line) for line in done.stdout.splitlines())
    assert first["outcomes"][0]["steps"] == [["base0", "t0"], ["t0", "t3"]] and first["pass"] is False
    assert "error" in second and third["pass"] is True


@pytest.mark.parametrize(
    ("game", "options", "count", "seats"),
    [
        ("parcheesi", {}, None, (0, 1, 2, 3)),
        ("gloria", {}, 3, (0, 1, 3)),
        ("game-of-god", {}, None, (0, 2)),
        ("aggravation", {"play": "teams"}, None, (0, 1, 2, 3, 4, 5)),
        ("aggravation", {}, 5, (0, 1, 2, 3, 4)),
        ("aggravation", {"arms": 6, "play": "partners"}, 4, (0, 1, 3, 4)),
        ("aggravation", {"arms": 6}, 2, (0, 3)),
    ],
)
def test_the_seats_of_a_demo_suit_the_game(
    game: str, options: dict[str, object], count: int | None, seats: tuple[int, ...]
) -> None:
    assert seats_of(game, options, count) == seats
    assert game_for(game, seats, options).seats == seats


DEMOS = [
    (["--game", "chess"], "chess"),
    (["--game", "aggravation", "--option", "arms=5"], "arms"),
    (["--game", "gloria", "--seats", "6"], "seats"),
    (["--option", "arms=6"], "option 'arms': parcheesi has no options"),
]


@pytest.mark.parametrize(("words", "named"), DEMOS, ids=["game", "option", "seats", "option of another"])
def test_a_demo_that_cannot_be_is_refused_in_one_sentence(
    words: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--headless", *words]) == 2
    said = capsys.readouterr().err
    assert named in said and said.startswith("companion: ")


@pytest.mark.long
def test_a_demo_can_be_seen_by_phones_and_says_where(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "local_address", lambda: "192.168.1.5")
    port = free_port()
    main(["demo", "--host", "0.0.0.0", "--port", str(port), "--turns", "1", "--cheat", "0", "--speed", "6"])
    assert f"Open http://192.168.1.5:{port}/ in a browser, on phones of this network, too." in capsys.readouterr().out
    assert main(["demo", "--host", "192.0.2.77", "--turns", "1"]) == 2
    assert "--host 192.0.2.77: this machine has no such address" in capsys.readouterr().err


def test_a_demo_that_nobody_could_look_at_names_another_port(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        assert main(["demo", "--port", str(port), "--turns", "1"]) == 2
    assert f"port {port} is another program's, or the system's; name another, like --port " in capsys.readouterr().err


@pytest.mark.long
def test_the_arithmetic_of_a_command_is_done_by_one_thread() -> None:
    program = (
        "import sys; from companion.service.cli import main; assert 'numpy' not in sys.modules; "
        "main(['look', '--sheet', 'gone.json', 'gone.jpg']); assert 'numpy' in sys.modules; "
        "print([line for line in open('/proc/self/status') if line.startswith('Threads')])"
    )
    without = {name: value for name, value in os.environ.items() if "_NUM_THREADS" not in name}
    ran = subprocess.run([sys.executable, "-c", program], env=without, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["['Threads:\\t1\\n']"]


@pytest.mark.long
@pytest.mark.parametrize("command", ["look", "check"])
def test_a_heic_photo_of_the_empty_board_is_refused_with_the_way_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    main(["sheet", "parcheesi", "--out", str(tmp_path)])
    sheet, heic = str(tmp_path / "sheet.json"), tmp_path / "empty.heic"
    heic.write_bytes(b"\0\0\0\x24ftypheic\0\0\0\0mif1heic" + bytes(99))
    words = ["--sheet", sheet, "--reference", str(heic), str(tmp_path / "parcheesi.png")]
    assert main([command, *words]) == 2
    assert "empty.heic: this is a HEIC picture" in capsys.readouterr().err
