"""The evidence on boards of other makers: they are drawn and shown as such boards are, and the sums are right."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.evidence import making, shop
from calibration.evidence.conditions import CONDITIONS
from calibration.evidence.making import a_camera
from calibration.evidence.measure import compare, measure
from calibration.evidence.printing import own_tables
from calibration.evidence.shop import TAP, Shown, make_own, misses
from calibration.evidence.shop_art import SCALE, STYLES, drawn
from calibration.evidence.shop_layout import of_another_maker
from calibration.own_board import Draft, lay_out
from calibration.sheet import BOARDS, board_for
from companion.model import Sheet, SpaceSeen
from companion.service.cli import main


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """One ray a pixel: quicker, and coarser than what is measured with."""
    for module in (making, shop):
        monkeypatch.setattr(module, "FINER", 1)


def a_board(game: str, seed: int, by_hand: bool = False) -> Sheet:
    ours = board_for(game).sheet()
    return of_another_maker(ours, by_hand, tuple(sorted(ours.colors)), np.random.default_rng(seed))


@pytest.mark.parametrize("game", BOARDS)
def test_another_maker_s_board_is_the_game_s_and_not_ours(game: str) -> None:
    ours = board_for(game).sheet()
    for seed in range(6):
        board = a_board(game, seed, by_hand=seed % 2 == 1)
        assert board.markers is None and board.texture is None
        assert list(board.spaces) == list(ours.spaces)
        for space in board.spaces.values():
            assert 0.8 * space.radius < space.x < board.width - 0.8 * space.radius
            assert 0.8 * space.radius < space.y < board.height - 0.8 * space.radius
        apart = min(
            math.dist((a.x, a.y), (b.x, b.y)) for a in board.spaces.values() for b in board.spaces.values() if a != b
        )
        assert board.piece.diameter < apart, "pieces on neighbouring spaces do not touch"
        assert any(abs(s.x - ours.spaces[n].x) > 2 for n, s in board.spaces.items())


@pytest.mark.long(but=("aggravation-drilled", "parcheesi-print-cloth"))
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("game", BOARDS)
def test_every_make_can_be_drawn_of_every_game(game: str, style: str) -> None:
    board = a_board(game, 3)
    picture = drawn(board, STYLES[style], np.random.default_rng(3))
    assert picture.shape == (round(board.height * SCALE), round(board.width * SCALE), 3)
    assert picture.std() > 4, "something is drawn on it"
    other = drawn(board, STYLES["card" if style != "card" else "cloth"], np.random.default_rng(3))
    assert np.abs(picture.astype(float) - other).mean() > 10


def test_a_ring_off_by_a_known_way_is_found_to_be() -> None:
    board = a_board("gloria", 4)
    camera = a_camera(board, replace(CONDITIONS["desk"], k1=(0, 0)), np.random.default_rng(1))
    corners = camera.project([(0, 0, 0), (board.width, 0, 0), (board.width, board.height, 0), (0, board.height, 0)])
    where = {name: (space.x + 2.0, space.y, 0.0) for name, space in board.spaces.items()}
    taps = {name: tuple(camera.project([at])[0].tolist()) for name, at in where.items()}
    draft = Draft("gloria", (board.width, board.height), tuple(map(tuple, corners.tolist())), taps=taps)  # type: ignore[arg-type]
    off = misses(board, lay_out(draft, camera.size), camera)
    assert np.median(list(off.values())) == pytest.approx(2.0, abs=0.15)


@pytest.mark.long
@pytest.mark.usefixtures("small")
def test_a_board_that_was_shown_is_found_where_it_was_pushed_to_and_read() -> None:
    made, shown = make_own(3, 0, "aggravation", "desk")
    assert shown.scene is not None, shown.reason
    result = measure(made, shown.scene)
    assert result.registered, result.reason
    assert result.right >= 0.97 * result.counted, result.slips
    assert len(shown.last) == len(shown.true.spaces) and shown.taps >= shop.FIRST
    assert np.median(shown.last) < 2.0
    assert set(shown.scene.sheet.colors) == set(shown.true.colors)


@pytest.mark.long
@pytest.mark.usefixtures("small")
def test_the_same_seed_shows_the_same_board() -> None:
    (one, _), (again, _), (other, _) = (make_own(seed, 1, "gloria", "small picture") for seed in (7, 7, 8))
    assert (one.frame == again.frame).all() and one.counted == again.counted
    assert not (one.frame == other.frame).all()


def test_tables_count_what_is_surely_wrong_and_how_spaces_are_placed() -> None:
    read = {"a": SpaceSeen((0,), 0.99), "b": SpaceSeen((1,), 0.98), "c": SpaceSeen((), 0.6)}
    read["d"] = SpaceSeen((), 0.0, covered=True)
    result = compare("desk", "gloria", {"a": (0,), "b": (), "c": (1,), "d": ()}, read)
    frame = np.zeros((2, 2, 3), np.uint8)
    board = Shown("card", a_board("gloria", 1), frame, frame, first=[1, 3], last=[1, 2], taps=10)
    text = own_tables([result], [board])
    assert "| card             | 1 | 1 | 25.00 % | 2 | 1 | 2 | 1 |" in text
    assert "| all | 1 | 10.0 | 0.0 | " in text and text.endswith("| 2.0 |")
    assert 1 <= TAP <= 2


@pytest.mark.long
@pytest.mark.usefixtures("small")
def test_the_axis_of_a_camera_stays_where_it_is() -> None:
    made, shown = make_own(3, 0, "gloria", "axis aside")
    assert shown.scene is not None and 0.015 <= np.hypot(*made.camera.aside) / made.camera.size[0] <= 0.035
    again, _ = make_own(3, 0, "gloria", "desk")
    assert again.camera.aside == (0.0, 0.0)


@pytest.mark.long
@pytest.mark.usefixtures("small")
def test_the_command_measures_own_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evidence", "--own-boards", "--pictures", "1", "--condition", "small picture", "--game", "gloria"]
    assert main([*command, "--json", "--keep", str(tmp_path)]) == 0
    one, everything = map(json.loads, capsys.readouterr().out.splitlines())
    assert one["style"] in STYLES and one["refused"] == "" and len(one["last_mm"]) == 72
    assert one["counted"] == one["right"] + one["unread"] + len(one["slips"])
    assert everything["pictures"] == 1
    assert sorted(path.name.split("gloria")[1] for path in tmp_path.iterdir()) == [
        "-empty.png",
        "-set-up.png",
        ".json",
        ".png",
    ]
