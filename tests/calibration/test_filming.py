"""The filmed table: one camera and light for all its pictures; pieces and hands come and go."""

from __future__ import annotations

import random

import numpy as np
import pytest

from calibration.evidence.filming import Film
from calibration.evidence.making import printed
from companion.model import BoardSeen, Position
from companion.virtual.tabletop import Hand, Tabletop, shoulder_of
from companion.vision import look, make_scene

STANDING = Position.of({"t5": (0,), "t20": (1,), "t36": (2,)})


@pytest.mark.long
def test_pictures_of_one_table_differ_by_what_moves_and_by_noise() -> None:
    sheet, texture = printed("gloria", (("home", "spaces"),))
    film = Film(sheet, texture, "small picture", np.random.default_rng(3))
    top = Tabletop(sheet, random.Random(2))
    bare = film.frame([]).astype(int)
    again = film.frame([]).astype(int)
    assert 0 < np.abs(again - bare).mean() < 3
    top.set_up(STANDING)
    seen, _ = look(film.frame(top.pawns), make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen)
    assert {name: s.content for name, s in seen.spaces.items() if s.content} == dict(STANDING.items())
    hand = Hand(1, (sheet.width / 2, sheet.height / 2), shoulder_of(sheet, 1))
    assert (np.abs(film.frame(top.pawns, hand).astype(int) - again).max(axis=2) > 30).mean() > 0.03


@pytest.mark.long(but=("way1",))
@pytest.mark.parametrize("way", [(0, -1), (0, 1), (-1, 0), (1, 0)])
def test_a_hand_that_is_beside_the_picture_changes_nothing(way: tuple[int, int]) -> None:
    sheet, texture = printed("gloria", (("home", "spaces"),))
    film = Film(sheet, texture, "small picture", np.random.default_rng(3))
    bare = film.frame([]).astype(int)
    at, shoulder = ((sheet.width / 2 + far * way[0], sheet.height / 2 + far * way[1]) for far in (550.0, 1250.0))
    assert np.abs(film.frame([], Hand(1, at, shoulder)).astype(int) - bare).mean() < 4
