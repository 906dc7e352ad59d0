"""The pretend table: pawns have places, hands cover, and the pictures show them where the camera must see them."""

from __future__ import annotations

import math
import random
import threading

import numpy as np
import pytest

from companion.games.catalogue import game_for
from companion.model import BoardLost, BoardSeen, Position, Sheet
from companion.service.boards.configured import printed_board
from companion.virtual.camera import PretendCamera
from companion.virtual.painter import Frame, Painter, View
from companion.virtual.tabletop import Hand, Pawn, Tabletop, shoulder_of
from companion.vision import look, make_scene

SHEET, TEXTURE, _ = printed_board("parcheesi")
VIEW = View(width=960, height=720, noise=0.0)
CROWDED = Position.of({"t3": (0, 0), "t20": (1,), "base2": (2,) * 4, "home3": (3,) * 4, "lane0.4": (0,)})


@pytest.fixture
def top() -> Tabletop:
    table = Tabletop(SHEET, random.Random(4))
    table.set_up(CROWDED)
    return table


@pytest.fixture(scope="module")
def painter() -> Painter:
    return Painter(SHEET, TEXTURE, VIEW, np.random.default_rng(1))


def test_the_table_shows_what_was_put_up(top: Tabletop) -> None:
    assert top.position() == CROWDED


def test_pawns_do_not_stand_in_each_other(top: Tabletop) -> None:
    for i, one in enumerate(top.pawns):
        for other in top.pawns[:i]:
            assert math.dist(one.at, other.at) >= SHEET.piece.diameter * 0.95, (one, other)


def test_pawns_stand_on_their_spaces(top: Tabletop) -> None:
    for pawn in top.pawns:
        space = SHEET.spaces[pawn.space]
        assert math.dist(pawn.at, (space.x, space.y)) <= max(space.radius, SHEET.piece.diameter)


def test_a_pawn_in_the_hand_stands_nowhere(top: Tabletop) -> None:
    top.pawns[0] = Pawn(0, "", top.pawns[0].at, lift=25.0)
    assert sum(top.position().count().values()) == len(top.pawns) - 1


def test_a_pawn_is_seen_where_it_stands_and_rises_away_from_the_camera(painter: Painter) -> None:
    foot, head = painter.project([(200.0, 200.0, 0.0), (200.0, 200.0, 24.0)])
    assert head[1] < foot[1] - 3
    empty, full = painter.paint([]), painter.paint([Pawn(0, "t0", (200.0, 200.0))])
    changed = np.abs(full.astype(int) - empty).max(axis=2) > 40
    rows, cols = np.nonzero(changed)
    assert abs(cols.mean() - foot[0]) < 8 and head[1] - 6 < rows.mean() < foot[1] + 6


def test_what_stays_is_drawn_once_and_every_picture_is_ones_own(
    painter: Painter, top: Tabletop, monkeypatch: pytest.MonkeyPatch
) -> None:
    draws: list[tuple[object, ...]] = []
    monkeypatch.setattr(painter, "_with", lambda *things: draws.append(things) or painter.base.copy())
    first = painter.paint(top.pawns)
    first[:] = 0
    assert painter.paint(top.pawns).any() and len(draws) == 1
    painter.paint(top.pawns[1:])
    painter.paint(top.pawns[1:], Hand(0, (200.0, 250.0), shoulder_of(SHEET, 0)))
    assert len(draws) == 3


def test_an_arm_covers_what_lies_under_it(painter: Painter) -> None:
    hand = Hand(0, (200.0, 250.0), shoulder_of(SHEET, 0))
    covered = np.abs(painter.paint([], hand).astype(int) - painter.base).max(axis=2) > 25
    assert 0.02 < covered.mean() < 0.35


@pytest.mark.parametrize("seat", range(4))
def test_each_arm_comes_from_its_own_side(seat: int) -> None:
    x, y = shoulder_of(SHEET, seat)
    home = SHEET.spaces[f"home{seat}"]
    middle = np.array([SHEET.width / 2, SHEET.height / 2])
    assert (np.array([x, y]) - middle) @ (np.array([home.x, home.y]) - middle) > 0
    assert not (0 <= x <= SHEET.width and 0 <= y <= SHEET.height)


def camera(top: Tabletop, painter: Painter, clock: list[float]) -> PretendCamera:
    return PretendCamera(top, painter, lambda: clock[0], threading.Lock(), fps=5)


def test_the_camera_keeps_its_pace(top: Tabletop, painter: Painter) -> None:
    clock = [1.0]
    seen = camera(top, painter, clock)
    frame = seen.newest()
    assert frame is not None and frame.at == 1.0
    clock[0] = 1.1
    assert seen.newest(frame.at) is None
    clock[0] = 1.3
    assert seen.newest(frame.at) is not None


def test_a_camera_can_misbehave(top: Tabletop, painter: Painter) -> None:
    clock = [1.0]
    seen = camera(top, painter, clock)
    first = seen.newest()
    assert first is not None
    seen.fault = "frozen"
    top.pawns.clear()
    clock[0] = 2.0
    frozen = seen.newest(first.at)
    assert frozen is not None and np.array_equal(frozen.image, first.image) and "frozen" in seen.state
    seen.fault = "unplugged"
    assert seen.newest() is None


def read(frame: Frame, sheet: Sheet) -> BoardSeen | BoardLost:
    return look(frame, make_scene(sheet, TEXTURE))[0]


@pytest.mark.long
def test_the_eyes_read_the_pretend_table(painter: Painter) -> None:
    game = game_for("parcheesi", [0, 1, 2, 3])
    data = {"game": "parcheesi", "options": {}, "seats": [0, 1, 2, 3], "due": 0, "doublets": 0}
    pieces = {"0": [-1, 10, 10, 64], "1": [-1, -1, 3, 71], "2": [12, 30, 71, 71], "3": [-1, 5, 31, 68]}
    position = game.position(game.from_json({**data, "pieces": pieces}))
    table = Tabletop(SHEET, random.Random(2))
    table.set_up(position)
    seen = read(painter.paint(table.pawns), SHEET)
    assert isinstance(seen, BoardSeen)
    wrong = [n for n, s in seen.spaces.items() if not s.covered and s.content != position.at(n)]
    assert len(wrong) <= 1, wrong
