"""Which board a configuration means, and what is said of one that does not fit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.sheet import texture, write_sheet
from companion.games.catalogue import game_for
from companion.model import BadInput, SheetError
from companion.service.boards.configured import board_folder, own_folder, printed_board, table_for, table_of
from companion.service.config import Config, config_from
from companion.vision.finding.markers import find_markers

GAME = game_for("parcheesi", [0, 2], {})


def configured(folder: Path, change: object = None) -> Config:
    write_sheet("parcheesi", folder)
    path = folder / "sheet.json"
    data = json.loads(path.read_text())
    if callable(change):
        change(data)
    path.write_text(json.dumps(data))
    return config_from({"sheet": {"path": "sheet.json"}}, folder)


def test_the_printed_board_needs_no_files() -> None:
    table = table_for(Config(), GAME)
    assert table.sheet.game == "parcheesi" and table.svg.startswith("<svg")


@pytest.mark.parametrize("own", [False, True], ids=["printed", "of a file"])
def test_a_screen_beside_the_board_shows_no_markers(own: bool, tmp_path: Path) -> None:
    """A tablet that showed the page was a second board, and the game could not be seen until it was put away."""
    table = table_for(configured(tmp_path) if own else Config(), GAME)
    for scale in (3.0, 1.0, 0.5):
        shown = cv2.imdecode(np.frombuffer(texture(table.svg, table.sheet, scale), np.uint8), cv2.IMREAD_GRAYSCALE)
        assert find_markers(np.asarray(shown, np.uint8), table.scene) == {}
    printed = texture(printed_board("parcheesi")[2], table.sheet, 1.0)
    grey = cv2.imdecode(np.frombuffer(printed, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert set(find_markers(np.asarray(grey, np.uint8), table.scene)) == {0, 1, 2, 3}


@pytest.mark.long
def test_a_sheet_of_ones_own_is_read_with_its_picture(tmp_path: Path) -> None:
    table = table_for(configured(tmp_path), GAME)
    assert "data:image/jpeg;base64" in table.svg and 'viewBox="0 0 400 400"' in table.svg


@pytest.mark.parametrize("name", ["parcheesi", "parcheesi-print"])
def test_the_board_of_one_edition_of_parcheesi_serves_the_other(tmp_path: Path, name: str) -> None:
    """RULES, 3: board and numbers of the print-and-cut edition are those of the boxed one, yet it was refused."""
    config = configured(tmp_path, lambda data: data.update(game=name))
    for game in (GAME, game_for("parcheesi-print", [0, 2])):
        assert table_for(config, game).sheet.game == name


@pytest.mark.parametrize("name", ["gloria", "aggravation", "game-of-god", "nosuch"])
def test_the_board_of_another_game_is_refused(tmp_path: Path, name: str) -> None:
    config = configured(tmp_path, lambda data: data.update(game=name))
    with pytest.raises(SheetError, match=f"this is a board of '{name}', and the game is 'parcheesi'"):
        table_for(config, GAME)


@pytest.mark.long
def test_a_sheet_that_an_editor_began_with_a_mark_is_read(tmp_path: Path) -> None:
    config = configured(tmp_path)
    (tmp_path / "sheet.json").write_text((tmp_path / "sheet.json").read_text(), encoding="utf-8-sig")
    assert table_for(config, GAME).sheet.game == "parcheesi"


@pytest.mark.long
def test_the_eyes_know_whose_pieces_may_be_on_the_board(tmp_path: Path) -> None:
    """Those of the others may lie in their own bases, whatever the board calls the places there."""
    for config in (Config(), configured(tmp_path)):
        usual = table_for(config, GAME).scene.usual
        assert usual.shape == (len(table_for(config, GAME).sheet.spaces), 4)
        of = dict(zip(table_for(config, GAME).sheet.spaces, usual.tolist(), strict=True))
        assert of["t7"] == [0, -5, 0, -5] == of["home1"], "seats 1 and 3 do not play"
        assert of["base1"] == [0, 2, 0, -5] and of["base0"] == [2, -5, 0, -5]
    other = table_for(Config(), game_for("aggravation", [0, 1, 2], {}))
    of = dict(zip(other.sheet.spaces, other.scene.usual.tolist(), strict=True))
    assert of["base3.2"] == [0, 0, 0, 2] and of["lane3.2"] == [0, 0, 0, -5]
    assert not replace(other.scene, players=None).usual.min(), "who plays is not known"


def test_the_files_of_a_board_lie_beside_its_sheet_wherever_the_service_was_started(tmp_path: Path) -> None:
    config = config_from({"sheet": {"path": "board/sheet.json"}}, tmp_path / "table")
    assert board_folder(config, GAME) == tmp_path / "table" / "board"


@pytest.mark.long
@pytest.mark.parametrize("broken", ["sheet.json", "empty.png"])
def test_a_board_of_ones_own_that_is_damaged_is_named_with_its_folder_and_the_way_out(
    tmp_path: Path, broken: str
) -> None:
    config = config_from({"journal": {"folder": "games"}}, tmp_path)
    own = own_folder(config, GAME)
    write_sheet("parcheesi", own)
    (own / "parcheesi.png").replace(own / "empty.png")
    (own / broken).write_text("{}")
    with pytest.raises(BadInput, match=r"your own board cannot be used: .*move the folder .*boards/parcheesi away"):
        table_of(config, GAME)


def test_a_board_of_ones_own_whose_sheet_is_lost_is_not_taken_for_the_printed_one(tmp_path: Path) -> None:
    """A game of it went on on the printed board: it was said that the board cannot be found, and not why."""
    config = config_from({"journal": {"folder": "games"}}, tmp_path)
    own = own_folder(config, GAME)
    own.mkdir(parents=True)
    (own / "preview.jpg").write_bytes(b"")
    with pytest.raises(SheetError, match=r"your own board cannot be used: .*sheet.json: .*boards/parcheesi away"):
        table_of(config, GAME)


@pytest.mark.long
def test_a_missing_space_is_named(tmp_path: Path) -> None:
    config = configured(tmp_path, lambda data: data["spaces"].pop("t7"))
    with pytest.raises(SheetError, match=r"t7.*missing"):
        table_for(config, GAME)


@pytest.mark.long
def test_a_board_of_another_game_is_named(tmp_path: Path) -> None:
    config = configured(tmp_path, lambda data: data.update(game="gloria"))
    with pytest.raises(SheetError, match=r"gloria.*parcheesi"):
        table_for(config, GAME)


@pytest.mark.long
def test_a_texture_that_is_not_there_is_named(tmp_path: Path) -> None:
    config = configured(tmp_path)
    (tmp_path / "parcheesi.png").unlink()
    with pytest.raises(ValueError, match=r"parcheesi\.png"):
        table_for(config, GAME)
