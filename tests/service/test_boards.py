"""Which board a configuration means, and what is said of one that does not fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibration.sheet import write_sheet
from companion.games.catalogue import game_for
from companion.model import SheetError
from companion.service.boards import table_for
from companion.service.config import Config, config_from

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


def test_a_sheet_of_ones_own_is_read_with_its_picture(tmp_path: Path) -> None:
    table = table_for(configured(tmp_path), GAME)
    assert "data:image/jpeg;base64" in table.svg and 'viewBox="0 0 400 400"' in table.svg


def test_the_eyes_know_whose_pieces_may_be_on_the_board(tmp_path: Path) -> None:
    """Those of the others may lie in their own bases, whatever the board calls the places there."""
    for config in (Config(), configured(tmp_path)):
        scene = table_for(config, GAME).scene
        names = list(scene.sheet.spaces)
        assert {seat: [names[k] for k in own] for seat, own in scene.idle.items()} == {1: ["base1"], 3: ["base3"]}
    other = table_for(Config(), game_for("aggravation", [0, 1, 2], {})).scene
    names = list(other.sheet.spaces)
    assert [names[k] for k in other.idle[3]] == ["base3.1", "base3.2", "base3.3", "base3.4"] and len(other.idle) == 1


def test_a_missing_space_is_named(tmp_path: Path) -> None:
    config = configured(tmp_path, lambda data: data["spaces"].pop("t7"))
    with pytest.raises(SheetError, match=r"t7.*missing"):
        table_for(config, GAME)


def test_a_board_of_another_game_is_named(tmp_path: Path) -> None:
    config = configured(tmp_path, lambda data: data.update(game="gloria"))
    with pytest.raises(SheetError, match=r"gloria.*parcheesi"):
        table_for(config, GAME)


def test_a_texture_that_is_not_there_is_named(tmp_path: Path) -> None:
    config = configured(tmp_path)
    (tmp_path / "parcheesi.png").unlink()
    with pytest.raises(ValueError, match=r"parcheesi\.png"):
        table_for(config, GAME)
