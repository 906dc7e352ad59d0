"""The ways that the page knows, against the games' own boards, and on every printed sheet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibration import parcheesi_board
from calibration.sheet import board_for
from companion.games import aggravation_board, gloria_board
from companion.games import parcheesi_board as parcheesi
from companion.page.ways import ways_of


@pytest.mark.parametrize("home", ["spaces", "center"])
def test_gloria(home: str) -> None:
    ways = ways_of(board_for("gloria", {"home": home}).sheet())
    end = 45 if home == "center" else 44
    assert ways == {s: {p: n for p, n in gloria_board.NAMES[s].items() if p <= end} for s in range(4)}


@pytest.mark.parametrize("game", ["parcheesi", "parcheesi-print"])
def test_parcheesi(game: str) -> None:
    assert ways_of(board_for(game).sheet()) == dict(enumerate(parcheesi.NAMES))


@pytest.mark.parametrize("arms", [4, 6])
def test_aggravation(arms: int) -> None:
    ways = ways_of(board_for("aggravation", {"arms": arms}).sheet())
    assert ways == dict(enumerate(aggravation_board.board(arms).names))


def test_game_of_god_has_no_ways() -> None:
    assert ways_of(board_for("game-of-god").sheet()) == {}


def test_a_sheet_that_lacks_a_space_tells_no_way() -> None:
    sheet = parcheesi_board.sheet()
    spaces = {name: space for name, space in sheet.spaces.items() if name != "lane2.3"}
    assert sorted(ways_of(replace(sheet, spaces=spaces))) == [0, 1, 3]


def test_an_unknown_game_tells_no_way() -> None:
    assert ways_of(replace(parcheesi_board.sheet(), game="no such game")) == {}
