"""Colours of pieces: those of one seat are told together, and what a lamp washes out is a doubt."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from calibration.evidence.making import Made, make, printed
from companion.model import BoardSeen, SpaceSeen
from companion.vision import look, make_scene
from companion.vision.colors.hues import Hue, _round_bodies
from companion.vision.colors.likely import Paints
from companion.vision.colors.looks import Looks, _unlike_board
from companion.vision.colors.lots import _swapped
from companion.vision.light.today import Light
from companion.vision.reading.spaces import _recolored


@lru_cache(maxsize=4)
def looked_at(number: int, game: str, condition: str, seed: int = 2026) -> tuple[Made, dict[str, SpaceSeen]]:
    made = make(seed, number, game, condition)
    seen, _ = look(made.frame, make_scene(*printed(game, tuple(made.options.items()))))
    assert isinstance(seen, BoardSeen)
    return made, dict(seen.spaces)


def wrong(made: Made, spaces: dict[str, SpaceSeen]) -> dict[str, float]:
    counted = made.counted.items()
    return {name: spaces[name].confidence for name, content in counted if spaces[name].content != content}


@pytest.mark.long
def test_a_polished_disc_that_mirrors_the_lamp_is_never_surely_another() -> None:
    made, spaces = looked_at(11, "game-of-god", "shaken")
    assert all(confidence < 0.9 for confidence in wrong(made, spaces).values())
    assert spaces["i1"].content == made.counted["i1"] and spaces["i1"].confidence > 0.99


@pytest.mark.long
@pytest.mark.parametrize(
    ("seed", "number", "game", "condition"),
    [
        (8801, 20, "game-of-god", "hard low lamp"),
        (8801, 53, "game-of-god", "dim and noisy"),
        (8801, 59, "gloria", "arm"),
        (60606, 14, "parcheesi-print", "arm"),
    ],
    ids=["the shadow of a stack", "a disc that mirrors a lamp", "fingers", "a hand across a ring"],
)
def test_what_was_surely_misread_is_right_or_a_doubt(seed: int, number: int, game: str, condition: str) -> None:
    made, spaces = looked_at(number, game, condition, seed)
    unseen = {name for name, space in spaces.items() if space.covered}
    assert all(sure < 0.95 for name, sure in wrong(made, spaces).items() if name not in unseen)


@pytest.mark.long
@pytest.mark.parametrize("grain", [1, 2, 7])
def test_a_stacks_shadow_is_surely_no_disc_whatever_the_noise(grain: int) -> None:
    """What is seen of the board between them was enough to tell, or not, by a grain."""
    made = make(8801, 20, "game-of-god", "hard low lamp")
    noise = np.random.default_rng(grain).normal(0, 0.7, made.frame.shape)
    frame = np.clip(made.frame + noise, 0, 255).round().astype(np.uint8)
    seen, _ = look(frame, make_scene(*printed("game-of-god", tuple(made.options.items()))))
    assert isinstance(seen, BoardSeen)
    assert all(sure < 0.95 for sure in wrong(made, dict(seen.spaces)).values())


@pytest.mark.long
def test_black_discs_that_mirror_a_lamp_are_not_surely_white_ones() -> None:
    """The board is dull and shows no image of the lamp; their tops are more uneven than paint mostly is."""
    made, spaces = looked_at(1, "game-of-god", "desk", 141421)
    for name in ("h1", "h2"):
        assert made.counted[name] == (2,) and spaces[name].likelihoods[2,] > -2.5
        assert spaces[name].content == (2,) or spaces[name].confidence < 0.9


@pytest.mark.long
def test_in_the_glare_of_a_lacquered_board_no_piece_is_surely_seen() -> None:
    made, spaces = looked_at(67, "game-of-god", "glare")
    assert all(confidence < 0.9 for confidence in wrong(made, spaces).values())


@pytest.mark.long
def test_a_white_disc_beside_bright_tops_is_no_image_of_a_lamp() -> None:
    """Its own top, and those of others, may lie over the ring round its foot: they say nothing of the board there."""
    made, spaces = looked_at(62, "game-of-god", "oblique", 141421)
    assert not wrong(made, spaces)
    white = [name for name, content in made.counted.items() if content == (0,)]
    assert min(spaces[name].confidence for name in white) > 0.97


@pytest.mark.long
def test_red_and_orange_marbles_are_told_apart_where_both_lie() -> None:
    made, spaces = looked_at(0, "aggravation", "overhead")
    assert not wrong(made, spaces)


def test_two_lots_that_might_as_well_have_each_others_colours_are_no_surer_than_that() -> None:
    """Settled one by one, a first choice makes the second sure, and the second the first."""
    plain = np.array([[-1.0, -1.2], [-1.4, -1.3]])
    sure = np.log(np.array([[0.999, 0.001, 1e-9, 1e-9], [0.001, 0.999, 1e-9, 1e-9]]))
    told = _swapped(sure.copy(), plain)
    assert told[0, 0] - told[0, 1] == pytest.approx(0.3) and told[1, 1] - told[1, 0] == pytest.approx(0.3)
    apart = _swapped(sure.copy(), np.array([[-1.0, -30.0], [-30.0, -1.0]]))
    assert np.array_equal(apart, sure)


def test_two_pieces_that_look_alike_are_taken_for_another_colour_together() -> None:
    """Two red pawns in a shadow, a little more like yellow ones there, may be red both: the rules tell which."""
    told = np.array([-1.2, -9.0, -0.4])
    alike = {place: Hue(told, vain=False, kin=False, lot=0) for place in (5, 6)}
    levels = _recolored({(0, 0): 0.0, (0,): -8.0}, [(5, 0), (6, 0)], alike, [0, 1, 2])
    assert max(levels, key=lambda content: levels[content]) == (2, 2)
    assert levels[0, 0] == pytest.approx(-0.8)
    apart = {5: alike[5], 6: Hue(told, vain=False, kin=False, lot=1)}
    assert (0, 0) not in _recolored({(0, 0): 0.0}, [(5, 0), (6, 0)], apart, [0, 1, 2])


def round_bodies(follow: float) -> np.ndarray:
    """By how much eight marbles of four paints are darker or brighter than these, natural log, (8,), once it is seen by
    how much they follow the light of the board: it is brightest on the left, where half of them lie."""
    paints = Paints.of(Light(np.eye(3), np.zeros(3), np.zeros((6, 3))), np.array(
        [(0.02, 0.02, 0.5), (0.1, 0.3, 0.02), (0.02, 0.5, 0.7), (0.5, 0.1, 0.02)]))  # fmt: skip
    field, own = np.repeat([1.2, -1.2], 4), np.tile(paints.own, (2, 1))
    at = own + np.column_stack([(follow - 1) * field, np.zeros((8, 2))])
    even, nothing = np.zeros(8), np.zeros((8, 4))
    looks = Looks(at, even + 200.0, even, at, nothing, at, even, even > 0, at, at, even, field)
    return np.asarray(_round_bodies(looks, paints)[:, 0] - own[:, 0])


@pytest.mark.parametrize("follow", [0.0, 0.5, 0.9])
def test_round_bodies_are_told_in_the_light_that_reaches_them(follow: float) -> None:
    """A lacquered board mirrors a low lamp, and round bodies do not: yellow marbles there were dark, and so blue."""
    assert np.abs(round_bodies(follow)).max() < 0.35


def test_what_shows_the_board_says_nothing_of_the_colour_of_a_peg_before_it() -> None:
    """Filmed by Blender (77011): a green peg in a yellow ring was yellow, with 0.9, as half of its outline shows the
    ring."""
    free = np.ones((3, 10), bool)
    free[:, 9] = False
    odd = np.full((3, 10), -3.0, np.float32)
    odd[0, :5], odd[1, :2] = 2.0, 2.0
    clear = _unlike_board(free, odd)
    assert clear[0].tolist() == [True] * 5 + [False] * 5
    assert (clear[1:] == free[1:]).all(), "of a piece of its ink's colour hardly anything looks unlike the board"
