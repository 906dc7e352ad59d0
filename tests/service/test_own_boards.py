"""A shop's board from the first tap to the game: by command, by the page, and read with pieces on it."""

from __future__ import annotations

import argparse
import json
import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.board_files import read_draft
from calibration.laying import next_tap
from calibration.sheet import board_for
from companion.games.catalogue import game_for
from companion.model import BadInput, BoardSeen, ConfigError, DeviceError, ImageError, Sheet
from companion.model.setup import CheckView
from companion.model.table import Answer
from companion.service.boards.configured import board_options, own_folder, printed_board, table_of
from companion.service.boards.lens_views import measure_lens
from companion.service.boards.pointing import Pointing
from companion.service.boards.setting_up import SettingUp, start_of
from companion.service.cli_calibrate import add_board, add_colors
from companion.service.config import config_from
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import load_scene, look, read_image
from companion.vision.view.lens import Lens, lens_from_json, lens_json

VIEW = View(tilt=20, turn=7, noise=1.5, brightness=0.8, k1=-0.02)
LENS = Lens((VIEW.width, VIEW.height), VIEW.focal * VIEW.width, (VIEW.k1, 0.0), (VIEW.width / 2, VIEW.height / 2))


def a_shop_board() -> tuple[Sheet, np.ndarray]:
    """A board like ours without markers, on varnished wood, cut to 384 × 384 mm: the true sheet and its picture."""
    sheet, picture, _ = printed_board("aggravation", {"arms": 4})
    cut, scale = 16.0, picture.shape[1] / sheet.width
    picture = picture.copy()
    for x, y in sheet.markers.centers.values():  # type: ignore[union-attr]
        middle, half = np.array([x, y]), 0.75 * sheet.markers.size  # type: ignore[union-attr]
        (x0, y0), (x1, y1) = (np.round((middle + d) * scale).astype(int) for d in (-half, half))
        picture[y0:y1, x0:x1] = (120, 160, 190)
    edge = round(cut * scale)
    picture = picture[edge:-edge, edge:-edge]
    grain = np.repeat(np.random.default_rng(4).normal(0, 60, (picture.shape[0], 1)), picture.shape[1], axis=1)
    spots = np.random.default_rng(5).normal(0, 60, picture.shape[:2])
    wood = (cv2.GaussianBlur(grain, (0, 0), 9) + cv2.GaussianBlur(spots, (0, 0), 5))[..., None]
    tinted = np.clip(picture * np.array([0.72, 0.86, 0.97]) + wood, 0, 255).astype(np.uint8)
    spaces = {name: replace(s, x=s.x - cut, y=s.y - cut) for name, s in sheet.spaces.items()}
    true = replace(sheet, width=sheet.width - 2 * cut, height=sheet.height - 2 * cut, markers=None, spaces=spaces)
    return true, tinted


TRUE, PICTURE = a_shop_board()
GAME = game_for("aggravation", (0, 1, 2, 3), {})


@lru_cache
def painter(view: View = VIEW) -> Painter:
    return Painter(TRUE, PICTURE, view, np.random.default_rng(7))


def photo(standing: Mapping[str, int], view: View = VIEW) -> np.ndarray:
    pieces = [Pawn(seat, name, (TRUE.spaces[name].x, TRUE.spaces[name].y)) for name, seat in standing.items()]
    return painter(view).paint(pieces)


def pixel(x: float, y: float) -> tuple[float, float]:
    a, b = painter().project([(x, y, 0.0)])[0].tolist()
    return round(a, 1), round(b, 1)


def a_draft(taps: int = 10) -> dict[str, Any]:
    """What a patient person taps."""
    layout = board_for("aggravation", {"arms": 4}).sheet()
    made: dict[str, tuple[float, float]] = {}
    for _ in range(taps):
        name = next_tap(layout, made)
        made[name] = pixel(TRUE.spaces[name].x, TRUE.spaces[name].y)
    corners = [pixel(x, y) for x, y in ((0, 0), (TRUE.width, 0), (TRUE.width, TRUE.height), (0, TRUE.height))]
    return {"size_mm": [TRUE.width, TRUE.height], "corners": corners, "taps": made}


def command(*words: str) -> Callable[[], int]:
    parser = argparse.ArgumentParser()
    kinds = parser.add_subparsers()
    add_board(kinds)
    add_colors(kinds)
    arguments = parser.parse_args(words)
    return lambda: int(arguments.command(arguments))


def words_of(draft: Mapping[str, Any], picture: Path, out: Path) -> list[str]:
    words = ["board", "--photo", str(picture), "--out", str(out), "--game", "aggravation", "--option", "arms=4"]
    words += ["--size", f"{TRUE.width:g}x{TRUE.height:g}"]
    words += [word for x, y in draft["corners"] for word in ("--corner", f"{x},{y}")]
    return words + [word for name, (x, y) in draft["taps"].items() for word in ("--tap", f"{name}={x},{y}")]


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    path = tmp_path / "empty.png"
    cv2.imwrite(str(path), photo({}))
    return path


STANDING = {"t3": 0, "t17": 1, "t30": 2, "t44": 3, "lane0.2": 0, "lane2.1": 2, "base1.1": 1, "base3.4": 3, "center": 2}


@pytest.mark.long
def test_a_board_tapped_on_the_command_line_is_read_with_pieces_on_it(
    tmp_path: Path, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "board"
    assert command(*words_of(a_draft(), empty, out))() == 0
    said = capsys.readouterr().out
    told = tomllib.loads(said.partition("In companion.toml:\n")[2])
    assert "preview.jpg" in said and told == {"sheet": {"path": f"{out}/sheet.json", "reference": f"{out}/empty.png"}}
    scene = load_scene(out / "sheet.json", out / "empty.png")
    bumped = replace(VIEW, turn=-12, shift=(9, -6))
    seen, _ = look(photo(STANDING, bumped), scene)
    assert isinstance(seen, BoardSeen), seen
    wrong = {n: s.content for n, s in seen.spaces.items() if s.content != ((STANDING[n],) if n in STANDING else ())}
    assert wrong == {}


@pytest.mark.long
def test_a_photo_in_which_hardly_anything_can_be_made_out_is_named_and_kept(
    tmp_path: Path, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(*words_of(a_draft(), empty, tmp_path / "board"))() == 0
    assert "hardly anything" not in capsys.readouterr().out
    dim = photo({}) * 0.2 + np.random.default_rng(1).normal(10, 1, (*photo({}).shape[:2], 1))
    cv2.imwrite(str(empty), np.clip(dim, 0, 255).astype(np.uint8))
    assert command(*words_of(a_draft(), empty, tmp_path / "board"))() == 0
    said = capsys.readouterr().out
    assert "hardly anything of the board can be made out" in said and "in more light or nearer" in said
    assert (tmp_path / "board" / "sheet.json").is_file()


@pytest.mark.long
@pytest.mark.parametrize("marked", [False, True])
def test_a_board_of_squares_wants_a_mark_on_a_corner_and_says_so_at_once(
    marked: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = board_for("game-of-god").sheet()
    board = np.full((1600, 1600, 3), (150, 190, 215), np.uint8)
    for space in ours.spaces.values():
        x, y = round(4 * space.x), round(4 * space.y)
        if (ord(space.name[0]) + int(space.name[1:])) % 2:
            cv2.rectangle(board, (x - 80, y - 80), (x + 79, y + 79), (50, 75, 110), -1)
    if marked:
        cv2.circle(board, (44, 44), 32, (40, 40, 200), -1)
    camera = Painter(replace(ours, markers=None), board, VIEW, np.random.default_rng(7))
    cv2.imwrite(str(tmp_path / "empty.png"), camera.paint([]))

    def at(x: float, y: float) -> str:
        a, b = camera.project([(x, y, 0.0)])[0].tolist()
        return f"{a:.1f},{b:.1f}"

    words = ["board", "--photo", str(tmp_path / "empty.png"), "--out", str(tmp_path / "board")]
    words += ["--game", "game-of-god", "--size", "400x400"]
    words += [w for x, y in ((0, 0), (400, 0), (400, 400), (0, 400)) for w in ("--corner", at(x, y))]
    corners = [ours.spaces[name] for name in ("a1", "h1", "h8", "a8", "d4")]
    assert command(*words, *[w for s in corners for w in ("--tap", f"{s.name}={at(s.x, s.y)}")])() == 0
    assert ("stick a small mark" in capsys.readouterr().out) is not marked


@pytest.mark.long
def test_more_taps_are_added_to_what_the_folder_holds(
    tmp_path: Path, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, draft = tmp_path / "board", a_draft(9)
    command(*words_of(draft, empty, out))()
    x, y = pixel(TRUE.spaces["t20"].x, TRUE.spaces["t20"].y)
    (tmp_path / "lens.json").write_text(json.dumps(lens_json(LENS)))
    more = "--tap", f"t20={x},{y}", "--color", "0=#aa1122", "--lens", str(tmp_path / "lens.json")
    command("board", "--photo", str(empty), "--out", str(out), *more)()
    kept = json.loads((out / "board.json").read_text())
    assert len(kept["taps"]) == 10 and kept["colors"] == {"0": "#aa1122"}
    assert lens_from_json(kept["lens"]) == LENS
    assert json.loads((out / "sheet.json").read_text())["colors"]["0"] == "#aa1122"


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--game", "gloria"), r"--game gloria: \S+board.json holds a board of aggravation; leave it out"),
        (("--game", "chess"), r"--game chess: \S+board.json holds a board of aggravation; .*folder of its own"),
        (("--option", "arms=6"), r"--option arms=6: \S+board.json holds a board with arms = 4; leave it out"),
    ],
    ids=["another game", "no game", "another of its boards"],
)
def test_a_board_is_not_laid_anew_for_another_game_or_another_of_its_boards(
    tmp_path: Path, empty: Path, words: tuple[str, ...], named: str
) -> None:
    out = tmp_path / "board"
    begun = [word for word in words_of(a_draft(9), empty, out) if word not in ("--option", "arms=4")]  # the usual one
    command(*begun)()
    before = {path: path.read_bytes() for path in out.iterdir()}
    with pytest.raises(BadInput, match=named):
        command("board", "--photo", str(empty), "--out", str(out), *words)()
    assert {path: path.read_bytes() for path in out.iterdir()} == before
    same = "--game", "aggravation", "--option", "arms=4"
    assert command("board", "--photo", str(empty), "--out", str(out), *same)() == 0


def test_colours_are_learnt_from_the_start_position(
    tmp_path: Path, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "board"
    command(*words_of(a_draft(), empty, out))()
    picture = tmp_path / "set_up.png"
    cv2.imwrite(str(picture), photo({name: seat for seat, names in start_of(TRUE, GAME).items() for name in names}))
    assert command("colors", str(picture), "--board", str(out))() == 0
    sheet = json.loads((out / "sheet.json").read_text())
    for seat, nominal in TRUE.colors.items():
        one, other = rgb(sheet["colors"][str(seat)]), rgb(nominal)
        assert int(np.argmax(one)) == int(np.argmax(other)) or np.abs(one - other).max() < 90, (seat, one, other)


@pytest.mark.long
def test_only_the_colours_of_those_who_play_are_learnt(
    tmp_path: Path, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, start = tmp_path / "board", start_of(TRUE, GAME)
    command(*words_of(a_draft(), empty, out))()
    picture = tmp_path / "set_up.png"
    cv2.imwrite(str(picture), photo({name: seat for seat in (0, 2) for name in start[seat]}))
    capsys.readouterr()
    assert command("colors", str(picture), "--board", str(out), "--seats", "0,2")() == 0
    assert [line[0] for line in capsys.readouterr().out.splitlines() if "from now on" not in line] == ["0", "2"]
    with pytest.raises(BadInput, match="there is no seat 7 on this board of aggravation; there are: 0, 1, 2, 3"):
        command("colors", str(picture), "--board", str(out), "--seats", "0,7")()


@pytest.mark.long
def test_a_seat_that_does_not_play_gives_way_to_the_colour_of_one_that_does(
    tmp_path: Path, empty: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "board"
    command(*words_of(a_draft(), empty, out))()
    green = TRUE.colors[1]
    monkeypatch.setattr("companion.service.boards.own_boards.piece_colors", lambda *_: {0: green})
    assert command("colors", str(empty), "--board", str(out))() == 0
    colors = json.loads((out / "sheet.json").read_text())["colors"]
    assert colors == {**{str(k): v for k, v in TRUE.colors.items()}, "0": green, "1": TRUE.colors[0]}
    assert f"{TRUE.colors[0]} from now on, as {green} is too like one of these" in capsys.readouterr().out


def rgb(color: str) -> np.ndarray:
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)], float)


GIVEN = ["--game", "gloria", "--size", "400x400", *(
    word for at in ("9,9", "99,9", "99,99", "9,99") for word in ("--corner", at)
)]


@pytest.mark.long(but=("words0---game", "words3-clockwise"))
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--size", "384x384"], "--game"),
        (["--game", "gloria"], "--size is missing"),
        (["--game", "gloria", "--size", "400x400"], "--corner is needed four times"),
        (["--game", "gloria", "--size", "400x400", *["--corner", "1,1"] * 4], "clockwise"),
        (["--game", "chess"], "no board to print for 'chess'; there is one for: aggravation"),
        (["--game", "gloria", "--option", "arms=6"], "option arms: only home changes the printed board of gloria"),
        (["--game", "gloria", "--size", "0x4"], "in millimetres, 20 to 3000, not 0 × 4"),
        (["--size", "nanx400"], "in millimetres, 20 to 3000, not nan × 400"),
        (["--option", "arms=6", "--option", "arms=4"], "--option arms=… is given 2 times: leave all but one out"),
        (["--game", "gloria", "--size", "400x400", *["--corner", "1,1"] * 4, *["--tap", "t0=1,1"] * 2], "--tap t0=…"),
        (["--game", "aggravation", "--option", "arms=²"], "option arms = '²': the board of aggravation"),
        ([*GIVEN, "--color", "0=nan,5"], "--color nan,5: expected a pixel like 640,410"),
        ([*GIVEN, "--color", "0=1e999,5"], "--color 1e999,5: expected a pixel"),
        ([*GIVEN, "--seat", "9=ruby"], "there is no seat 9 on this board of gloria; there are: 0, 1, 2, 3"),
    ],
)
def test_what_is_missing_or_wrong_is_named(tmp_path: Path, empty: Path, words: list[str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        command("board", "--photo", str(empty), "--out", str(tmp_path / "b"), *words)()


def test_too_few_taps_name_the_next(tmp_path: Path, empty: Path) -> None:
    with pytest.raises(BadInput, match=r"--tap \w+.*=X,Y"):
        command(*words_of(a_draft(2), empty, tmp_path / "b"))()


@pytest.mark.long
def test_too_few_taps_are_kept_all_the_same(tmp_path: Path, empty: Path) -> None:
    out, draft = tmp_path / "b", a_draft(9)
    with pytest.raises(BadInput, match="2 of at least 4"):
        command(*words_of(draft | {"taps": dict(list(draft["taps"].items())[:2])}, empty, out))()
    assert not (out / "sheet.json").exists()
    with pytest.raises(BadInput, match=r"this board is not finished .*give it more taps: companion calibrate board"):
        command("colors", str(empty), "--board", str(out))()
    rest = list(draft["taps"].items())[2:]
    words = [word for name, (x, y) in rest for word in ("--tap", f"{name}={x},{y}")]
    assert command("board", "--photo", str(empty), "--out", str(out), *words)() == 0
    assert len(json.loads((out / "board.json").read_text())["taps"]) == 9


def test_a_photo_that_shows_nothing_is_refused(tmp_path: Path) -> None:
    black = tmp_path / "black.jpg"
    cv2.imwrite(str(black), np.zeros((960, 1280, 3), np.uint8))
    with pytest.raises(ImageError, match=r"black\.jpg: The picture is black.*again"):
        command(*words_of(a_draft(4), black, tmp_path / "b"))()
    assert not (tmp_path / "b").exists()
    table = Table(tmp_path, np.zeros((960, 1280, 3), np.uint8))
    answer = table.setup.take_photo()
    assert isinstance(answer, Answer) and not answer.ok and "black" in answer.text and table.setup.photo() is None


def test_a_grey_photo_is_refused(tmp_path: Path) -> None:
    """`look` refuses grey pictures: so would it each one of a board that is known in grey alone."""
    grey = tmp_path / "grey.jpg"
    cv2.imwrite(str(grey), cv2.cvtColor(photo({}), cv2.COLOR_BGR2GRAY))
    with pytest.raises(ImageError, match=r"grey\.jpg: The picture is grey.*Take the photo of the empty board again"):
        command(*words_of(a_draft(4), grey, tmp_path / "b"))()
    assert not (tmp_path / "b").exists()


@pytest.mark.long
def test_a_board_with_spaces_beside_it_is_refused_and_kept_to_be_put_right(tmp_path: Path, empty: Path) -> None:
    out, draft = tmp_path / "b", a_draft(9)
    half = [[round((3 * x + 640) / 4), round((3 * y + 480) / 4)] for x, y in draft["corners"]]
    with pytest.raises(BadInput, match=r"cannot be used: \w+ and \d+ more would lie beside the board"):
        command(*words_of(draft | {"corners": half}, empty, out))()
    assert not (out / "sheet.json").exists()
    corners = [word for x, y in draft["corners"] for word in ("--corner", f"{x},{y}")]
    assert command("board", "--photo", str(empty), "--out", str(out), *corners)() == 0


@pytest.mark.long
def test_taps_that_fold_a_board_are_named_and_leave_the_one_that_was_there(tmp_path: Path, empty: Path) -> None:
    out, draft = tmp_path / "b", a_draft(9)
    assert command(*words_of(draft, empty, out))() == 0
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.name != "board.json"}
    (one, at), *others = draft["taps"].items()
    other, there = max(others, key=lambda tap: math.dist(tap[1], at))
    words = ["--tap", f"{one}={there[0]},{there[1]}", "--tap", f"{other}={at[0]},{at[1]}"]
    with pytest.raises(BadInput, match=f"cannot be used: {one} and {other} lie in each other's place: tap both again"):
        command("board", "--photo", str(empty), "--out", str(out), *words)()
    assert {name: (out / name).read_bytes() for name in before} == before


@pytest.mark.long
def test_what_was_tapped_is_not_laid_over_a_photo_in_which_the_board_lies_elsewhere(
    tmp_path: Path, empty: Path
) -> None:
    out, other = tmp_path / "b", tmp_path / "other.png"
    assert command(*words_of(a_draft(), empty, out))() == 0
    cv2.imwrite(str(other), np.clip(photo({}) * 0.8, 0, 255).astype(np.uint8))
    assert command("board", "--photo", str(other), "--out", str(out))() == 0, "it lies as it lay, in other light"
    cv2.imwrite(str(other), photo({}, replace(VIEW, turn=11)))
    before = (out / "sheet.json").read_bytes()
    with pytest.raises(BadInput, match=r"other\.png: the board lies elsewhere in it than in .*empty\.png, on which"):
        command("board", "--photo", str(other), "--out", str(out))()
    assert (out / "sheet.json").read_bytes() == before


@pytest.mark.long
def test_what_was_tapped_is_not_laid_over_a_photo_of_something_else(tmp_path: Path, empty: Path) -> None:
    """The photo was taken, the old one was gone, and the board was never found again."""
    out, other = tmp_path / "b", tmp_path / "other.png"
    assert command(*words_of(a_draft(), empty, out))() == 0
    colors = np.random.default_rng(2).integers(20, 235, (12, 16, 3), np.uint8)
    cv2.imwrite(str(other), cv2.resize(colors, (1280, 960), interpolation=cv2.INTER_NEAREST))
    before = {name: (out / name).read_bytes() for name in ("sheet.json", "empty.png")}
    with pytest.raises(BadInput, match=r"other\.png: the board that was tapped on .*empty\.png cannot be found in it"):
        command("board", "--photo", str(other), "--out", str(out))()
    assert {name: (out / name).read_bytes() for name in before} == before


@pytest.mark.long
def test_pieces_of_one_colour_are_named_by_the_command_too(
    tmp_path: Path, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    colors = ["--color", "0=#a01010", "--color", "1=#a01010"]
    assert command(*words_of(a_draft(), empty, tmp_path / "b"), *colors)() == 0
    assert "have one colour on this board, and could not be told apart" in capsys.readouterr().out


# --- by the page ---


class Table:
    """A set-up with a camera that a test holds."""

    def __init__(self, folder: Path, frame: np.ndarray | None) -> None:
        self.config = config_from({"game": {"name": "aggravation"}, "journal": {"folder": str(folder)}}, folder)
        self.frame, self.folder = frame, own_folder(self.config, GAME)
        self.changes = 0
        self.anew()

    def anew(self) -> None:
        scene = table_of(self.config, GAME).scene
        pointing = Pointing(scene, lambda: self.frame, lambda shown: None)
        self.setup = SettingUp(GAME, scene, lambda: self.frame, self.folder, self.count, pointing)

    def count(self) -> None:
        self.changes += 1


def test_the_photo_of_the_board_in_use_is_laid_with_the_lens_of_the_camera_that_took_it(tmp_path: Path) -> None:
    """Another camera had followed: whoever renamed a colour moved all spaces of a good board."""
    table = Table(tmp_path, photo({}))
    table.setup.scene = replace(table.setup.scene, lens=LENS)
    table.setup.take_photo()
    assert table.setup.save(a_draft(10)).ok
    table.anew()
    table.setup.scene = replace(table.setup.scene, lens=Lens((1920, 1080), 1500.0, (-0.25, 0.05), (960.0, 540.0)))
    kept = table.setup.layout().draft
    assert kept is not None
    for name, (x, y, _) in table.setup.lay(kept).spaces.items():
        assert math.dist((x, y), pixel(TRUE.spaces[name].x, TRUE.spaces[name].y)) < 5
    assert table.setup.save({**kept, "seats": {"0": "lime"}}).ok


def test_a_board_with_which_the_configuration_does_not_go_is_not_put_on_the_table(tmp_path: Path) -> None:
    """The service would end, and begin no more: as where the players of a colour are configured by its name."""
    table = Table(tmp_path, photo({}))
    table.setup.take_photo()

    def fits(sheet: Sheet) -> None:
        raise ConfigError(f"companion.toml: [game] members: nobody plays 'ruby' on this {sheet.game} board")

    table.setup._fits = fits
    with pytest.raises(BadInput, match=r"this board cannot be used: companion\.toml: .* nobody plays 'ruby'"):
        table.setup.save(a_draft(10))
    table.setup._fits = lambda sheet: None
    assert table.setup.save(a_draft(10)).ok and table.changes == 1
    table.anew()
    table.setup._fits = fits
    with pytest.raises(BadInput, match="nobody plays 'ruby'"):
        table.setup.use_printed()
    table.setup._fits = lambda sheet: None
    assert table.setup.use_printed().ok
    table.anew()
    table.setup._fits = fits
    with pytest.raises(BadInput, match=r"that board cannot be used any more: .* nobody plays 'ruby'"):
        table.setup.use_last()
    assert table.changes == 2


def test_a_board_is_set_up_used_taught_and_put_aside(tmp_path: Path) -> None:
    table = Table(tmp_path, photo({}))
    table.setup.scene = replace(table.setup.scene, lens=LENS)
    assert table.setup.take_photo() == (1280, 960)
    laid = table.setup.lay(a_draft(10))
    assert len(laid.spaces) == len(TRUE.spaces) and not laid.doubts
    for name, (x, y, _) in laid.spaces.items():
        assert math.dist((x, y), pixel(TRUE.spaces[name].x, TRUE.spaces[name].y)) < 5
    assert table.setup.save(a_draft(10)).ok and table.changes == 1
    assert read_draft(table.folder / "board.json").lens == LENS, "the camera's"
    table.anew()
    assert table_of(table.config, GAME).name.endswith("a board of your own")
    assert table.setup.layout().own
    table.frame = photo({name: seat for seat, names in start_of(TRUE, GAME).items() for name in names})
    colors = table.setup.colors()
    assert not isinstance(colors, Answer) and set(colors) == {"0", "1", "2", "3"} and table.changes == 2
    assert table.setup.use_printed().ok and not table.setup.use_printed().ok
    table.anew()
    assert not table.setup.layout().own and not (table.folder / "sheet.json").exists()


@pytest.mark.long
def test_a_photo_of_the_empty_board_with_pieces_on_it_is_doubted(tmp_path: Path) -> None:
    """It was taken for the board: the pieces were its print from then on."""
    table = Table(tmp_path, photo({}))
    a_board(table, 0)
    table.frame = photo({name: seat for seat, names in start_of(TRUE, GAME).items() for name in names})
    table.setup.take_photo()
    for _ in ("it is said at once", "and after a restart"):
        [doubt] = table.setup.lay(a_draft(10)).doubts
        assert "16 pieces seem to stand on the board in this photo: take them all off" in doubt
        table.anew()
    table.frame = photo({})
    table.setup.take_photo()
    assert not table.setup.lay(a_draft(10)).doubts


def boards(table: Table) -> dict[str, bytes]:
    """The photo of each board that is kept, by the end of its folder's name."""
    there = table.folder.parent.glob(f"{table.folder.name}*/empty.png")
    return {path.parent.name.removeprefix(table.folder.name): path.read_bytes() for path in there}


def a_board(table: Table, turn: float) -> bytes:
    """Set up the board anew, on a photo that shows it turned."""
    table.frame = photo({}, replace(VIEW, turn=turn))
    table.setup.take_photo()
    seen = painter(replace(VIEW, turn=turn))

    def at(x: float, y: float) -> list[float]:
        return [round(value, 1) for value in seen.project([(x, y, 0.0)])[0].tolist()]

    corners = [at(x, y) for x, y in ((0, 0), (TRUE.width, 0), (TRUE.width, TRUE.height), (0, TRUE.height))]
    taps = {name: at(TRUE.spaces[name].x, TRUE.spaces[name].y) for name in a_draft(10)["taps"]}
    assert table.setup.save({"size_mm": [TRUE.width, TRUE.height], "corners": corners, "taps": taps}).ok
    table.anew()
    return boards(table)[""]


@pytest.mark.long
def test_a_board_that_was_put_aside_is_used_again_and_no_board_is_ever_lost(tmp_path: Path) -> None:
    table = Table(tmp_path, photo({}))
    assert not table.setup.use_last().ok and not table.setup.layout().last and table.setup.last_picture() is None
    first = a_board(table, 7)
    assert table.setup.use_printed() == Answer(
        True, "The printed board is used from now on. Your own one is kept: on this page you can use it again."
    )
    table.anew()
    assert table.setup.layout().last and not table.setup.layout().own and table.setup.last_picture() is not None
    assert table.setup.use_last() == Answer(True, "Your own board is used again.")
    table.anew()
    assert table.setup.layout().own and not table.setup.layout().last and boards(table) == {"": first}
    second = a_board(table, 9)
    assert boards(table) == {"": second, ".last": first}, "another photo is another board: the one before is kept"
    changes = table.changes
    assert "go back to it" in table.setup.use_last().text and table.changes == changes + 1
    assert boards(table) == {"": first, ".last": second}
    table.anew()
    assert table.setup.use_printed().ok
    assert boards(table) == {".last": first, ".last-2": second}
    third = a_board(table, 11)
    assert boards(table) == {"": third, ".last": first, ".last-2": second}
    kept = table.setup.layout().draft
    assert kept is not None and table.setup.save(kept).ok
    assert boards(table) == {"": third, ".last": first, ".last-2": second}, "changed on its own photo, it is the same"


@pytest.mark.long
def test_a_board_that_was_put_aside_and_does_not_serve_any_more_is_named_and_nothing_changes(tmp_path: Path) -> None:
    table = Table(tmp_path, photo({}))
    a_board(table, 7)
    table.setup.use_printed()
    table.anew()
    (table.folder.with_name(f"{table.folder.name}.last") / "empty.png").write_bytes(b"")
    before, changes = boards(table), table.changes
    with pytest.raises(BadInput, match=r"that board cannot be used any more: .*empty\.png"):
        table.setup.use_last()
    assert boards(table) == before and table.changes == changes


@pytest.mark.long
def test_the_board_in_use_is_given_as_it_was_tapped_also_while_another_photo_is_tapped(tmp_path: Path) -> None:
    table, draft = Table(tmp_path, photo({})), a_draft(10)
    table.setup.take_photo()
    assert table.setup.save(draft | {"seats": {"1": "olive"}}).ok
    table.anew()
    kept = table.setup.layout().draft
    assert kept is not None and not kept["inner"] and kept["size_mm"] == draft["size_mm"]
    assert {name: tuple(at) for name, at in kept["taps"].items()} == draft["taps"]
    assert list(kept["taps"]) == list(draft["taps"]), "in the order in which they were tapped"
    assert table.setup.save({**kept, "seats": {"1": "lime"}}).ok
    table.anew()
    assert table.setup.layout().seats[1][1] == "lime"
    table.frame = photo({}, replace(VIEW, turn=9))
    table.setup.take_photo()
    kept = table.setup.layout().draft
    assert kept is not None, "a press of Photograph, perhaps on another phone, takes nothing away"
    assert kept["photo"] == table.setup.photos()[0] != table.setup.photos()[-1]
    assert table.setup.save({**kept, "seats": {"1": "moss"}}).ok, "and it can be changed yet"


@pytest.mark.long
def test_what_was_tapped_on_another_photo_is_refused(tmp_path: Path) -> None:
    table = Table(tmp_path, photo({}))
    table.setup.take_photo()
    (mine,) = table.setup.photos()
    draft = a_draft(10) | {"photo": mine}
    assert table.setup.lay(draft).spaces
    table.frame = photo({}, replace(VIEW, turn=9))
    table.setup.take_photo()
    for do in (table.setup.lay, table.setup.save):
        with pytest.raises(BadInput, match=r"another photo .* Photograph the empty board again"):
            do(draft)
        with pytest.raises(BadInput, match="photo must be the name of one, not 7"):
            do(draft | {"photo": 7})
    assert table.setup.photo(mine) is None and table.changes == 0 and not table.folder.exists()


@pytest.mark.long
def test_the_photo_that_is_being_tapped_outlives_a_restart_beside_the_board_in_use(tmp_path: Path) -> None:
    table = Table(tmp_path, empty_board := photo({}))
    table.setup.take_photo()
    (first,) = table.setup.photos()
    table.anew()
    assert table.setup.photos() == (first,), "no board is in use yet"
    assert table.setup.save(a_draft(10) | {"photo": first}).ok
    table.anew()
    assert table.setup.photos() == (first,)
    assert [path.name for path in table.folder.parent.iterdir()] == [table.folder.name], "it is the board's now"
    table.frame = photo({}, replace(VIEW, turn=9))
    table.setup.take_photo()
    same, second = table.setup.photos()
    table.anew()
    assert table.setup.photos() == (first, second) == (same, second)
    kept = table.setup.layout().draft
    assert kept is not None and kept["photo"] == first
    assert table.setup.photo() == table.setup.photo(second) != table.setup.photo(first)
    assert table.setup.save(kept).ok and np.array_equal(read_image(table.folder / "empty.png"), empty_board)


@pytest.mark.long
def test_two_players_may_not_be_called_alike(tmp_path: Path, empty: Path) -> None:
    table = Table(tmp_path, photo({}))
    table.setup.take_photo()
    said = r"the seats 0 \(red\) and 3 \(\w+\) would both be called"
    with pytest.raises(BadInput, match=said):
        table.setup.save(a_draft(10) | {"seats": {"0": "Olive", "3": "olive "}})
    assert not (table.folder / "sheet.json").exists() and table.changes == 0
    with pytest.raises(BadInput, match=said):
        command(*words_of(a_draft(), empty, tmp_path / "b"), "--seat", "3=Red")()


@pytest.mark.long
@pytest.mark.parametrize("name", ["x" * 10_000, "Red\u202eder", "Red\x1b[2J", "Red\nGreen"])
def test_a_player_may_not_be_called_what_no_page_can_show(tmp_path: Path, name: str) -> None:
    table = Table(tmp_path, photo({}))
    table.setup.take_photo()
    with pytest.raises(BadInput, match="the seat 3 needs a name of one to 40 letters on one line") as refused:
        table.setup.save(a_draft(10) | {"seats": {"3": name}})
    assert len(str(refused.value)) < 150 and str(refused.value).isprintable()
    assert not (table.folder / "sheet.json").exists() and table.changes == 0
    assert table.setup.save(a_draft(10) | {"seats": {"3": "لیلی\u200cجان"}}).ok


def test_before_the_photo_and_without_a_camera_it_says_so(tmp_path: Path) -> None:
    table = Table(tmp_path, None)
    for said in (table.setup.take_photo(), table.setup.check(), table.setup.colors()):
        assert isinstance(said, Answer) and not said.ok and "camera" in said.text
    with pytest.raises(BadInput, match="photo of the empty board first"):
        table.setup.lay(a_draft())
    assert table.setup.photo() is None


@pytest.mark.long
def test_the_demo_s_board_cannot_be_changed() -> None:
    scene = table_of(config_from({}), GAME).scene
    pointing = Pointing(scene, lambda: photo({}), lambda shown: None)
    setup = SettingUp(GAME, scene, lambda: photo({}), None, lambda: None, pointing)
    setup.take_photo()
    assert not setup.may_change and not setup.save(a_draft()).ok


@pytest.mark.long
def test_the_check_says_what_the_command_says(tmp_path: Path) -> None:
    table = Table(tmp_path, photo({}))
    found = table.setup.check()
    assert isinstance(found, CheckView) and not found.playable, "the shop's board is not the printed one"
    table.setup.take_photo()
    table.setup.save(a_draft(10))
    table.anew()
    found = table.setup.check()
    assert isinstance(found, CheckView) and found.playable and found.picture[:2] == b"\xff\xd8"
    assert [f.score for f in found.findings] == sorted(f.score for f in found.findings)


@pytest.mark.parametrize(
    ("name", "second"), [("parcheesi", 4 * ["base1"]), ("aggravation", [f"base1.{k}" for k in range(1, 5)])]
)
def test_it_is_known_where_each_piece_stands_before_the_game(name: str, second: list[str]) -> None:
    game = game_for(name, (0, 1, 2, 3), {})
    sheet, _, _ = printed_board(name, board_options(game))
    assert start_of(sheet, game)[1] == second


@pytest.mark.long
def test_two_seats_of_one_colour_are_named_when_the_board_is_saved(tmp_path: Path) -> None:
    table = Table(tmp_path, photo({}))
    table.setup.take_photo()
    assert "one colour" not in table.setup.save(a_draft(10)).text
    table.anew()
    table.setup.take_photo()
    said = table.setup.save(a_draft(10) | {"colors": {"1": "#20a040", "3": "#22a141"}}).text
    assert "have one colour on this board, and could not be told apart" in said


def test_a_picture_of_an_iphone_is_refused_with_the_way_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    heic = tmp_path / "IMG_0001.HEIC"
    heic.write_bytes(b"\0\0\0\x24ftypheic\0\0\0\0mif1heic" + bytes(99))
    with pytest.raises(ImageError, match=r"IMG_0001\.HEIC: this is a HEIC picture.*Most Compatible.*through the page"):
        command(*words_of(a_draft(4), heic, tmp_path / "b"))()
    assert not (tmp_path / "b").exists()
    with pytest.raises(ImageError, match="HEIC"):
        out = tmp_path / "lens.json"
        list(measure_lens(argparse.Namespace(images=[tmp_path], config=None, live=None, target=None, out=out)))
    (tmp_path / "IMG_0001.HEIC").write_bytes(b"no picture")
    with pytest.raises(ImageError, match="no picture that can be read"):
        command(*words_of(a_draft(4), heic, tmp_path / "b"))()


def test_a_space_that_was_moved_is_where_it_is_tapped_then(tmp_path: Path, empty: Path) -> None:
    out, (x, y) = tmp_path / "board", pixel(TRUE.spaces["t20"].x, TRUE.spaces["t20"].y)
    assert command(*words_of(a_draft(), empty, out))() == 0
    more = ["board", "--photo", str(empty), "--out", str(out)]
    assert command(*more, "--move", f"t20={x + 9},{y + 9}")() == 0
    assert command(*more, "--tap", f"t20={x},{y}")() == 0
    t20 = load_scene(out / "sheet.json", out / "empty.png").sheet.spaces["t20"]
    assert math.dist((t20.x, t20.y), (TRUE.spaces["t20"].x, TRUE.spaces["t20"].y)) < 1.0


def test_an_unfinished_board_is_not_tapped_on_two_photos(tmp_path: Path, empty: Path) -> None:
    """The camera was nudged between them, and most spaces lay centimetres off without a word."""
    out, draft, nudged = tmp_path / "board", a_draft(), tmp_path / "nudged.png"
    cv2.imwrite(str(nudged), photo({}, replace(VIEW, turn=9)))
    some = dict(list(draft["taps"].items())[:3])
    with pytest.raises(BadInput, match="3 of at least 4 spaces"):
        command(*words_of(draft | {"taps": some}, empty, out))()
    more = ["board", "--out", str(out)]
    rest = [word for name, (x, y) in list(draft["taps"].items())[3:] for word in ("--tap", f"{name}={x},{y}")]
    with pytest.raises(BadInput, match="the first of it was tapped on another"):
        command(*more, "--photo", str(nudged), *rest)()
    assert command(*more, "--photo", str(empty), *rest)() == 0


def test_colours_are_learnt_without_losing_what_was_written_by_hand(tmp_path: Path, empty: Path) -> None:
    out = tmp_path / "board"
    assert command(*words_of(a_draft(), empty, out))() == 0
    told = json.loads((out / "sheet.json").read_text())
    told["title"], told["spaces"]["t3"]["radius_mm"] = "Grandma's board", 7.25
    (out / "sheet.json").write_text(json.dumps(told))
    standing = {f"base{seat}.{place}": seat for seat in range(4) for place in range(1, 5)}
    cv2.imwrite(str(tmp_path / "set-up.png"), photo(standing))
    assert command("colors", "--board", str(out), str(tmp_path / "set-up.png"))() == 0
    now = json.loads((out / "sheet.json").read_text())
    assert now["title"] == "Grandma's board" and now["spaces"] == told["spaces"] and now["colors"] != told["colors"]
    assert json.loads((out / "board.json").read_text())["colors"] == now["colors"]


def test_a_place_for_the_lens_that_cannot_be_written_is_said_before_the_views(tmp_path: Path) -> None:
    given = argparse.Namespace(images=[tmp_path / "none"], config=None, live=None, target=None, out=tmp_path)
    with pytest.raises(DeviceError, match="Is a directory; choose a file"):
        list(measure_lens(given))


def test_what_a_page_does_not_say_stays_as_it_was_learnt_or_named_meanwhile(tmp_path: Path) -> None:
    table, draft = Table(tmp_path, photo({})), a_draft(10)
    table.setup.take_photo()
    assert table.setup.save(draft | {"seats": {"1": "olive"}, "colors": {"1": "#556b2f"}}).ok
    table.anew()
    kept = table.setup.layout().draft
    assert kept is not None and table.setup.save({**kept, "seats": {"0": "ruby"}}).ok
    table.anew()
    seats = table.setup.layout().seats
    assert seats[0][1] == "ruby" and seats[1][1:] == ("olive", "#556b2f")
    assert table.setup.save({**kept, "seats": {"1": ""}}).ok
    table.anew()
    assert [seat[1] for seat in table.setup.layout().seats][:2] == ["ruby", "blue"], "an empty name is the usual one"
