"""Who plays is known: what may be a player's piece is hardly one of a colour that nobody plays."""

from __future__ import annotations

import math

import pytest

from companion.model import SpaceSeen
from companion.referee.players import of_players

PLAYERS = (0, 2)


def reading(levels: dict[tuple[int, ...], float]) -> SpaceSeen:
    best = max(levels, key=levels.__getitem__)
    return SpaceSeen(best, 1 / sum(map(math.exp, levels.values())), False, levels)


def test_a_doubt_between_a_players_colour_and_one_that_nobody_plays_is_none() -> None:
    """Rendered: a black disc in a game for two, "2" or else "1" by 2.8 nats, was asked about."""
    seen = of_players({"f6": reading({(2,): 0.0, (1,): -2.8, (0,): -4.5, (): -10.0})}, PLAYERS)["f6"]
    assert seen.content == (2,) and seen.confidence == pytest.approx(0.988, abs=0.001)
    assert seen.likelihoods == {(2,): 0.0, (1,): -6.8, (0,): -4.5, (): -10.0}


def test_what_rather_looks_like_a_strangers_piece_may_be_a_players_or_none() -> None:
    seen = of_players({"f2": reading({(3,): 0.0, (): -0.5, (0,): -1.7})}, PLAYERS)["f2"]
    assert seen.content == () and seen.likelihoods[(0,)] == pytest.approx(-1.2)


def test_a_strangers_piece_that_is_plainly_seen_is_seen() -> None:
    seen = of_players({"d4": reading({(1,): 0.0, (0,): -10.0, (): -10.0})}, PLAYERS)["d4"]
    assert seen.content == (1,) and seen.confidence > 0.99


def test_each_stranger_among_several_pieces_counts() -> None:
    seen = of_players({"base0": reading({(0, 0): 0.0, (0, 1): -1.0, (1, 1): -1.0})}, PLAYERS)["base0"]
    assert seen.likelihoods == {(0, 0): 0.0, (0, 1): -5.0, (1, 1): -9.0}


def test_where_all_play_and_where_nothing_is_seen_nothing_changes() -> None:
    spaces = {"a1": reading({(0,): 0.0, (2,): -3.0}), "a2": SpaceSeen((), 0.0, True)}
    assert of_players(spaces, PLAYERS) is spaces
