"""Pieces put on the board and taken away: what one more would explain depends on what stands there now alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import table_drawing as table

from companion.model import Piece, Sheet, Space
from companion.vision.board.places import Places, places
from companion.vision.board.standing import Match, Put, crowded
from companion.vision.light.today import _of_place
from companion.vision.view.surface import Pairs

ROOM = 11.0


def board_for(kind: str, diameter: float, height: float) -> Sheet:
    """The board for pieces of a kind, and of a size, mm; "stack": for discs that lie on each other, without bases."""
    sheet, _ = table.board()
    if kind == "stack":
        sheet = replace(sheet, spaces={name: space for name, space in sheet.spaces.items() if not space.is_area})
    return replace(sheet, piece=Piece("disc" if kind == "stack" else kind, diameter, height))


def some_places(kind: str) -> Places:
    return places(board_for(kind, 12.0, 20.0), table.camera().eye, (375, 375))


def matched(where: Places, standing: list[Put]) -> Match:
    evidence = np.random.default_rng(5).normal(size=(where.shape[0] * where.shape[1], 4)).astype(np.float32)
    return Match(where, evidence, ROOM, np.ones(len(where.feet), bool), evidence[:, 0], standing)


def some_pieces(where: Places) -> list[Put]:
    chosen = np.random.default_rng(6).choice(len(where.feet), 12, replace=False)
    return [(int(place), number % 4) for number, place in enumerate(chosen)]


@pytest.mark.parametrize("kind", ["pawn", "marble", "disc", "stack"])
def test_a_piece_that_is_taken_away_leaves_nothing_behind(kind: str) -> None:
    where = some_places(kind)
    pieces, every = some_pieces(where), np.arange(len(where.feet))
    found = matched(where, [])
    for piece in pieces:
        found.put(piece)
    for piece in pieces[::2]:
        found.take(piece)
    np.testing.assert_array_equal(found.gains(every), matched(where, pieces[1::2]).gains(every))
    for piece in pieces[1::2]:
        found.take(piece)
    np.testing.assert_array_equal(found.gains(every), matched(where, []).gains(every))


@pytest.mark.parametrize("kind", ["pawn", "marble", "disc", "stack"])
def test_the_box_of_a_place_holds_all_that_a_piece_hides_there(kind: str) -> None:
    """It was that of some of these pixels: two discs might share a column that no box told of, and where one of them
    was taken away, the other had a gap."""
    sheet = board_for(kind, 16.0, 20.0 if kind in ("pawn", "marble") else 5.0)
    sheet = replace(sheet, spaces=sheet.spaces | {"at the edge": Space("at the edge", 1.0, 299.0, 9.0)})
    where = places(sheet, table.camera(tilt=50.0).eye, (375, 375))
    for place in range(0, len(where.feet), 5):
        y, x = np.divmod(where.hidden_by(place)[0], where.shape[1])
        left, top, right, bottom = where.boxes[place].tolist()
        assert 0 <= left <= right <= 375 and 0 <= top <= bottom <= 375
        if len(x):
            assert left <= x.min() and top <= y.min() and x.max() < right and y.max() < bottom
        at = where.pixels(np.array([place]))
        assert at.min() >= 0 and at.max() < 375 * 375


@pytest.mark.parametrize(("kind", "height"), [("stack", 60.0), ("pawn", 200.0)])
def test_pieces_that_would_reach_the_camera_take_no_more_room_than_others(kind: str, height: float) -> None:
    """Eight discs that a sheet has ten times too thick: their outline had more pixels than a machine has bytes."""
    eye = np.array([150.0, 260.0, 450.0 if kind == "stack" else 201.0])
    where = places(board_for(kind, 12.0, height), eye, (375, 375))
    assert np.abs(np.concatenate([np.concatenate(part) for part in where.outlines])).max() < 4 * 375


@pytest.mark.parametrize("kind", ["pawn", "disc", "stack"])
def test_a_piece_matters_where_it_is_in_sight_and_nowhere_else(kind: str) -> None:
    where = some_places(kind)
    piece = some_pieces(where)[0]
    empty, found, every = matched(where, []), matched(where, [piece]), np.arange(len(where.feet))
    found.twins[:] = 0
    before, after = empty.gains(every), found.gains(every)
    hidden = (np.isin(where.pixels(every), where.hidden_by(piece[0])[0]) & (where.weight(every) > 0)).any(axis=1)
    room = np.isfinite(after).all(axis=1)
    assert (hidden & room).any() and (~hidden & room).any()
    np.testing.assert_array_equal(after[~hidden & room], before[~hidden & room])
    assert (after[hidden & room] != before[hidden & room]).any(axis=1).all()


@pytest.mark.parametrize("kind", ["pawn", "marble", "disc", "stack"])
def test_there_is_no_room_beside_a_piece_nor_on_a_space_that_holds_one(kind: str) -> None:
    where = some_places(kind)
    pieces = some_pieces(where)
    stand = [place for place, _ in pieces]
    close = (np.linalg.norm(where.feet[:, None] - where.feet[stand], axis=2) < ROOM).any(axis=1)
    taken = np.isin(where.space, where.space[stand]) & where.lone[where.space]
    gains = matched(where, pieces).gains(np.arange(len(where.feet)))
    assert 0 < taken.sum() < len(taken) if kind in ("marble", "stack") else not taken.any()
    np.testing.assert_array_equal(np.isneginf(gains).all(axis=1), close | taken)


@pytest.mark.parametrize(("kind", "cost"), [("pawn", 2.0), ("disc", 0.0)])
def test_a_second_pawn_of_a_colour_close_by_costs_more_and_a_disc_does_not(kind: str, cost: float) -> None:
    where = some_places(kind)
    some = np.arange(0, len(where.feet), 40)
    apart = np.linalg.norm(where.feet[some, None] - where.feet, axis=2)
    ring = (apart > ROOM) & (apart < 2 * ROOM) & ((where.space[some, None] != where.space) | ~where.lone[where.space])
    most = int(ring.sum(axis=1).argmax())
    place, near = int(some[most]), np.flatnonzero(ring[most])
    nothing = np.zeros((where.shape[0] * where.shape[1], 4), np.float32)
    busy = np.ones(len(where.feet), bool)
    gains = Match(where, nothing, ROOM, busy, nothing[:, 0], [(place, 1)]).gains(near)
    assert len(near) and np.isfinite(gains).all()
    np.testing.assert_allclose(gains[:, [0, 2, 3]] - gains[:, [1]], cost)


def test_where_no_ink_tells_of_the_light_it_is_as_it_is_elsewhere() -> None:
    nothing = np.zeros(0, np.int64)
    pairs = Pairs(nothing, nothing, nothing, nothing, np.zeros(0), np.zeros((3, 0)), (5, 4))
    gain, haze = _of_place(np.zeros((3, 0)), np.zeros((3, 0)), pairs)
    assert gain.shape == haze.shape == (5, 4)
    assert np.allclose(gain, 1) and np.allclose(haze, 0)


def test_the_light_of_each_cell_is_found_beside_pieces() -> None:
    """Three inks in every cell of a board that is lit more on one side and hazed all over; pieces hide some of them."""
    rng, mesh = np.random.default_rng(7), (20, 24)
    cell = np.tile(np.arange(mesh[0] * mesh[1]), 3)
    ink = np.repeat(np.arange(3), mesh[0] * mesh[1])
    expected = np.array([(0.1, 0.2, 0.7), (0.7, 0.3, 0.1), (0.8, 0.8, 0.8)]).T[:, ink]
    gain = (0.8 + 0.4 * (cell % mesh[1]) / mesh[1])[None]
    seen = gain * expected + 0.05
    hidden = rng.random(len(cell)) < 0.1
    seen[:, hidden] = np.array([[0.02], [0.02], [0.3]])
    first = np.arange(len(cell))
    pairs = Pairs(ink, cell, first, first, np.ones(len(cell)), expected, mesh)
    found, haze = _of_place(expected, seen, pairs)
    assert np.abs(found - gain[0, : mesh[0] * mesh[1]].reshape(mesh)).mean() < 0.02
    assert np.abs(haze - 0.05).mean() < 0.01


@pytest.mark.parametrize("kind", ["pawn", "marble"])
def test_room_without_a_piece_is_the_room_when_it_is_taken_away(kind: str) -> None:
    where = some_places(kind)
    pieces, every = some_pieces(where), np.arange(len(where.feet))
    found = matched(where, pieces)
    found.prepare([every[::3], every[::7]])
    for piece in pieces[:4]:
        room = found.room_without(every, piece[0])
        found.take(piece)
        np.testing.assert_array_equal(room, found.crowd == 0)
        np.testing.assert_array_equal(np.isfinite(found.gains(every)).all(axis=1), room)
        found.put(piece)


@pytest.mark.parametrize(("colors", "over"), [([0, 1, 2, 3] * 4, False), ([0] * 4, False), ([1, *[0] * 5], True)])
def test_more_pieces_of_one_colour_than_a_seat_has_are_something_else(colors: list[int], over: bool) -> None:
    """GLO-9: the centre holds any number, sixteen at most."""
    where = some_places("pawn")
    place = int(np.searchsorted(where.space, 12))
    many = crowded(where, [(place, color) for color in colors])
    assert many.sum() == over and many[12] == over
    assert not crowded(where, []).any()
