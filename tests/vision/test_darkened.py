"""Discs that are shadows: what looks like the board that it would hide, with less light on it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import table_drawing as table

from companion.model import Piece, Space
from companion.vision.board.evidence import DARK, look_of
from companion.vision.board.places import places
from companion.vision.board.standing import Match
from companion.vision.colors.darkened import darkened
from companion.vision.colors.looks import hidden_by_tops
from companion.vision.light.today import Light

Floats = npt.NDArray[np.float64]
Look = tuple[float, float, float]


def mixed(looks: list[Look]) -> Floats:
    """Linear BGR (N, 3) of what has such brightness, natural log, and hue."""
    bright, u, v = np.array(looks, float).T
    total = np.exp(bright)
    blue = (total - DARK - 2 * v * total) / 3
    green = (total - DARK - blue - u * total) / 2
    return np.column_stack([blue, green, green + u * total])


def black(count: int) -> Floats:
    """Log of the probabilities of two paints: surely the second."""
    return np.log(np.tile((0.02, 0.98), (count, 1)))


def follow(hues: list[tuple[float, float]], boards: list[tuple[float, float]]) -> list[bool]:
    """Which of some dark pieces, each darker than the one before, look like a shadow, by their hues and the boards'."""
    dark = np.linspace(-1.6, -2.4, len(hues))
    at = np.column_stack([dark, hues])
    return [bool(one) for one in darkened(at, black(len(at)), mixed([(-0.4, *hue) for hue in boards]), None)]


def test_the_colours_of_looks_are_what_they_were_made_of() -> None:
    looks: list[Look] = [(-0.4, 0.15, 0.2), (-2.4, -0.05, -0.1)]
    assert np.allclose(look_of(mixed(looks)), looks, atol=1e-5)


def test_black_discs_that_follow_the_colours_of_the_board_are_shadows_the_darkest_too() -> None:
    """The round end of a stack's shadow was called a disc with 0.99 where no black disc lay, darker than the others."""
    blue, brown = (-0.05, -0.1), (0.15, 0.2)
    assert follow([blue, brown, brown], [blue, brown, brown]) == [True, True, True]
    assert follow([brown, brown], [brown, brown]) == [True, False], "one ink: a paint may look like it"
    assert follow([blue, brown, (0.0, 0.0)], [blue, brown, brown]) == [True, True, False], "a black disc"


def test_what_is_paler_than_its_like_and_has_the_hue_of_the_board_may_be_a_shadow() -> None:
    """Four discs taken for black ones, on a board of brightness 0: hue and brightness of each, and which is doubted."""
    at = np.array([(-3.4, 0.0, 0.0), (-1.7, 0.1, 0.02), (-1.7, 0.2, 0.02), (-2.9, 0.1, 0.02)])
    board = mixed([(0.0, 0.1, 0.0)] * 4)
    told, white = np.log(np.tile((0.99, 0.01), (4, 1))), np.log((0.4, 0.6))
    assert darkened(at, told, board, None).tolist() == [False, True, False, False], "none is as dark as the last"
    assert not darkened(at, np.log(np.eye(4) + 1e-9), board, None).any(), "of another paint each"
    told[1] = white
    assert darkened(at, told, board, None).tolist() == [False, True, False, False], "it may be black as well"


def test_what_is_darker_than_its_like_and_shows_the_ink_below_may_be_a_shadow() -> None:
    """A brown square in a stack's shadow was a black disc with 0.9998: of brown so dark little of its hue is left."""
    brown = mixed([(-2.3, 0.2, 0.2)])
    disc, shaded = mixed([(-2.7, 0.0, 0.0)]), mixed([(-2.6, 0.02, 0.03)])
    at = look_of(np.concatenate([disc, shaded, 0.3 * brown, 0.4 * disc]))
    board = np.tile(brown, (4, 1))
    assert darkened(at, black(4), board, None).tolist() == [False, False, True, False], "the last: a disc in a shadow"
    assert not darkened(at[2:3], black(1), board[2:3], None).any(), "alone there is nothing to hold it against"


def test_a_shadow_has_the_colour_of_what_lights_it() -> None:
    """Light wood in the lamp's shadow, which the sky lights through a window, was a black disc with 0.97."""
    wood, left = mixed([(-1.2, 0.4, 0.38)]), np.array([[0.8, 0.45, 0.25]])
    at = look_of(np.concatenate([mixed([(-3.3, 0.14, 0.12)] * 2), wood * left]))
    board = np.tile(wood, (3, 1))
    assert not darkened(at, black(3), board, None).any()
    assert darkened(at, black(3), board, np.tile(left, (3, 1))).tolist() == [False, False, True]


def test_of_a_disc_that_is_cut_off_the_part_in_the_view_tells_what_it_hides() -> None:
    """For all that lies beyond, the view's first pixel was taken: a marker's white, or a frame's black."""
    sheet, _ = table.board()
    spaces = sheet.spaces | {"at the edge": Space("at the edge", -2.0, 150.0, 12.0)}
    where = places(replace(sheet, spaces=spaces, piece=Piece("disc", 16.0, 4.0)), table.camera(0.0).eye, (375, 375))
    place = int(np.searchsorted(where.space, len(spaces) - 1))
    evidence = np.zeros((375 * 375, 4), np.float32)
    found = Match(where, evidence, 16.0, np.ones(len(where.feet), bool), evidence[:, 0], [(place, 0)])
    printed = np.full((375, 375, 3), 0.5, np.float32)
    printed[0, 0] = 0
    kept = SimpleNamespace(
        today=SimpleNamespace(even=np.ones((187, 187, 3), np.float32)),
        ground=SimpleNamespace(known_umbra=None),
        light=Light(np.eye(3), np.zeros(3), np.zeros((6, 3))),
    )
    assert 0 < (where.weight(np.array([place])) > 0)[:, : where.crown].mean() < 0.5
    below, _ = hidden_by_tops(found, np.array([place]), kept, printed)
    np.testing.assert_allclose(below, 0.5)
