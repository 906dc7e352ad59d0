"""Round pieces in uneven light: those that look alike are one lot, and how bright they are says less there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.service.boards.configured import printed_board
from companion.vision.colors.hues import _common, _like_glare, _told, _told_again
from companion.vision.colors.likely import Paints, likelihoods
from companion.vision.colors.looks import Looks, _patches
from companion.vision.colors.lots import _another_hue, _apart, like_another, lots, straying, unlike_their_lot
from companion.vision.colors.paints import colors_of_sheet
from companion.vision.light.today import Light

SHEET, _, _ = printed_board("aggravation", {"arms": 6})
PAINTS = Paints.of(Light(np.eye(3), np.zeros(3), np.zeros((6, 3))), colors_of_sheet(SHEET))
RED, ORANGE, YELLOW = (sorted(SHEET.colors).index(seat) for seat in (0, 1, 2))
WHITE = np.zeros(3)


def looks_of(at: np.ndarray, count: float, around: np.ndarray, board: np.ndarray, kinds: int) -> Looks:
    """Pieces of even looks, none of them burnt out, whose pixels say nothing."""
    no, nothing = np.zeros(len(at)), np.zeros((len(at), kinds))
    return Looks(at, np.full(len(at), count), around, board, nothing, at, no, no > 0, at, at, no, field=no)


def usual(looks: Looks, *idle: int) -> np.ndarray:
    """Nats for each colour: some are of seats that nobody plays."""
    nats = np.zeros(looks.evidence.shape)
    nats[:, list(idle)] = -5
    return nats


def told(at: list[np.ndarray], around: list[float], idle: tuple[int, ...] = ()) -> np.ndarray:
    """The probability of each colour for some marbles. around: how much lighter than it should be the board is."""
    far = np.array(around)
    looks = looks_of(np.array(at), 200.0, far, np.zeros((len(at), 3)), len(SHEET.colors))
    return np.exp(_told(looks, PAINTS, (far > 0.12, far > 0.12), far < -0.12, "marble", usual(looks, *idle))[0])


def test_marbles_that_look_alike_are_told_together_though_some_lie_in_more_light() -> None:
    """One by one each passes for yellow, as its neighbours do: together they are seen to be no yellow ones."""
    way = PAINTS.own[ORANGE] - PAINTS.own[YELLOW]
    yellow, orange = PAINTS.own[YELLOW] - 0.05 * way, PAINTS.own[YELLOW] + 0.35 * way
    seen = told([yellow] * 4 + [orange] * 4, [0.0] * 4 + [0.15, 0.15, 0.1, 0.1])
    assert (seen[:4, YELLOW] > 0.9).all()
    assert (seen[4:, ORANGE] > 0.9).all() and np.ptp(seen[4:, ORANGE]) < 0.01


def test_a_piece_that_looks_more_like_those_of_another_paint_is_a_doubt() -> None:
    """In a vivid, bright picture yellow pawns were orange, and one of them, nearer to the sheet's red, surely red: it
    looked like no red pawn there, and more like the yellow ones."""
    red, yellow, one = [(-1.05, 0.96, 0.48)] * 3, [(-0.9, 0.42, 0.48), (-0.95, 0.48, 0.48)], (-0.93, 0.67, 0.49)
    looks, white = np.array([*red, *yellow, one]), np.array([0.74, -0.15, 0.01])
    sure = np.log(np.array([[0.999, 0.001]] * 3 + [[0.001, 0.999]] * 2 + [[0.999, 0.001]]))
    seen = np.exp(like_another(sure, looks, white))
    assert np.allclose(seen[:-1], np.exp(sure)[:-1]) and 0.7 < seen[-1, 0] < 0.8
    far = like_another(sure[[0, 1, 2, 5]], looks[[0, 1, 2, 5]], white)
    assert np.allclose(far, sure[[0, 1, 2, 5]]), "there is no other paint that it might be"


def test_where_the_light_is_not_what_it_should_be_brightness_says_less() -> None:
    """By how much less likely orange becomes for a marble that is brighter than the paint."""
    own = PAINTS.own[ORANGE]
    lost = []
    for far in (0.0, 0.8):
        looks = own + np.array([(0, 0, 0), (0.9, 0, 0)])
        usual, bright = likelihoods(looks, np.ones(2), np.full(2, far), PAINTS, 0.35)
        lost.append(float(usual[ORANGE] - bright[ORANGE]))
    assert lost[1] < 1.5 < lost[0]


def test_dark_pieces_of_one_lot_may_differ_more_in_hue() -> None:
    """What the squares round about, and the lens, add to a black disc is much beside its own light."""
    for dark, many in ((3.0, 1), (0.5, 2)):
        at = np.array([(-dark, 0.0, 0.0), (-dark, 0.09, 0.09)])
        assert lots(at, np.zeros(2, bool), WHITE).max() + 1 == many


def test_the_light_of_a_patch_of_sun_is_told_by_the_board_in_it() -> None:
    """Its colour, too; though the piece's own shadow lies there, and a lighter thing."""
    rng = np.random.default_rng(2)
    board = rng.uniform(0.3, 0.8, (1, 24, 1)) * np.array([0.6, 0.8, 1.0])
    gain = np.array([1.8, 3.0, 4.0])
    shown = board * gain
    shown[:, :8] *= 0.2
    shown[:, 8:10] = 5.0
    assert np.allclose(_patches(shown.astype(np.float32), board), gain, rtol=0.03)


def test_a_disc_of_doubtful_paint_does_not_say_that_its_neighbours_mirror_a_lamp() -> None:
    """White discs in the shade of a patch of sun, beside white ones in it and black ones: they might be black ones that
    mirror a lamp, but nothing says that they are."""
    own = np.array([(0.07, -0.088, -0.257), (-1.732, -0.475, -0.015), (-2.169, -0.08, -0.313), (-1.486, 0.655, 0.195)])
    deep = own - (0.3, 0, 0)
    white = np.array([0.194, -0.092, -0.288])
    paints = Paints(own, deep, white, np.linalg.norm(own[:, 1:] - white[1:], axis=1))
    sunlit, shade, black = (0.03, -0.08, -0.2), (-0.6, -0.091, -0.3), (-2.1, -0.02, -0.27)
    at = np.array([sunlit] * 2 + [shade] * 4 + [black] * 4)
    around = np.zeros(len(at))
    looks = looks_of(at, 66.0, around, np.zeros((len(at), 3)), 4)
    _, mirrors, _ = _told(looks, paints, (around > 0.12, around > 0.12), around < -0.12, "disc", usual(looks))
    assert not mirrors.any()


def test_flat_tops_of_one_paint_hardly_differ_and_one_that_does_is_asked_for_another_paint() -> None:
    """Two black discs that mirror a window all over, nearly as pale as the white ones beside them, and a bit bluer."""
    own = np.array([(0.911, 0.007, -0.034), (-0.688, -0.38, 0.107), (-1.038, 0.005, -0.071), (-0.266, 0.673, 0.247)])
    white = np.array([1.019, -0.001, -0.06])
    paints = Paints(own, own - (0.3, 0, 0), white, np.linalg.norm(own[:, 1:] - white[1:], axis=1))
    pale, mirroring, black = (0.94, 0.031, 0.018), (0.67, 0.004, -0.026), (-1.58, 0.007, -0.023)
    at = np.array([pale, mirroring, pale, mirroring, pale, black, black]) + 0.01 * np.eye(7, 3)
    none = np.zeros(7, bool)
    looks = replace(looks_of(at, 66.0, np.zeros(7), np.zeros((7, 3)), 4), uneven=np.full(7, -1.2))
    before, _, lot = _told(looks, paints, (none, none), none, "disc", usual(looks))
    assert len(set(lot[:5])) == 1 and (np.exp(before[:5, 0]) > 0.99).all(), "they were one lot"
    odds = unlike_their_lot(at, lot, white)
    assert (odds[[1, 3]] > 3).all() and (odds[[0, 2, 4, 5, 6]] == 0).all()
    after = np.exp(_told_again(looks, paints, (none, none), none, before, lot, ~none, usual(looks)))
    assert (after[[1, 3], 2] > 0.5).all() and (after[[1, 3], 0] < 0.5).all()
    assert (after[[0, 2, 4], 0] > 0.97).all() and (after[5:, 2] > 0.97).all()
    after = np.exp(_told_again(looks, paints, (none, none), none, before, lot, none, usual(looks)))
    assert np.allclose(after, np.exp(before)), "not asked"


def test_the_image_of_a_lamp_in_the_board_keeps_the_more_of_its_hue_the_fainter_it_is() -> None:
    """On a brown square: a faint image, a bright one; a white disc like the faint one, a red and a burnt one."""
    white, brown, red = (np.array(color) for color in ((0.5, 0.0, 0.0), (-0.6, 0.15, 0.25), (-0.3, 0.6, 0.3)))
    share = np.exp(brown[0] - np.array([0.2, 1.2]))[:, None]
    images = np.hstack([[[0.2], [1.2]], share * brown[1:]])
    at = np.vstack([images, (0.2, 0.0, 0.0), red, (1.0, -0.07, -0.07)])
    looks = looks_of(at, 66.0, np.full(5, 0.3), np.tile(brown, (5, 1)), 2)
    assert _like_glare(looks, white).tolist() == [True, True, False, False, False]
    burnt = replace(looks, burnt=np.array([False, False, False, False, True]))
    assert _like_glare(burnt, white).tolist() == [True, True, False, False, True]


def test_marbles_that_are_all_darker_than_their_paints_tell_how_dark_the_others_are() -> None:
    """Glass in a spot's light: the pale ones, half bleached, were taken for the dark ones' paint with 0.85."""
    sheet = replace(SHEET, colors={0: "#283c3b", 1: "#73a1a4", 2: "#507941", 3: "#90713b"})
    paints = Paints.of(Light(np.eye(3), np.zeros(3), np.zeros((6, 3))), colors_of_sheet(sheet))
    pale = (paints.own[1] + (paints.own[1][0], 0, 0)) / 2

    def seen(darker: float) -> np.ndarray:
        at = np.repeat(np.array([paints.own[0], pale, paints.own[2], paints.own[3]]), 4, axis=0) - (darker, 0, 0)
        looks = looks_of(at, 200.0, np.zeros(16), np.zeros((16, 3)), 4)
        no = np.zeros(16, bool)
        return np.exp(_told(looks, paints, (no, no), no, "marble", usual(looks))[0])

    for darker in (0.0, 1.2, 1.5):
        assert (seen(darker).argmax(axis=1) == np.repeat(np.arange(4), 4)).all(), darker
        assert (seen(darker).max(axis=1) > 0.9).all(), darker


def test_a_piece_at_the_rim_of_its_lot_is_told_by_its_own_look_too() -> None:
    """A pale blue peg in low sun, just so alike a white one that they were one lot, was surely white."""
    own = np.array([(0.3, 0.164, 0.237), (0.301, -0.024, -0.187), (0.863, 0.04, 0.007), (-0.761, 0.156, -0.46)])
    white = np.array([0.937, 0.014, -0.024])
    paints = Paints(own, own - (0.3, 0, 0), white, np.linalg.norm(own[:, 1:] - white[1:], axis=1))
    at = np.array([(1.061, -0.002, -0.033), (0.696, -0.074, -0.055), (-0.1, -0.09, -0.17), (-0.11, -0.09, -0.17)])
    evidence = np.array([(-1.7, -0.8, 0.6, -2.1), (0.9, 2.2, 2.6, -0.6), (-1.4, 2.2, -0.4, -1), (-1.4, 2.2, -0.4, -1)])
    no = np.zeros(4, bool)
    looks = replace(looks_of(at, 110.0, np.zeros(4), np.zeros((4, 3)), 4), evidence=evidence)
    told, _, lot = _told(looks, paints, (no, no), no, "pawn", usual(looks))
    assert lot[0] == lot[1] and lot[2] == lot[3] != lot[0]
    probable = np.exp(told)
    assert np.allclose(probable.sum(axis=1), 1, atol=1e-6)
    assert probable[0, 2] > 0.97 and (probable[2:, 1] > 0.97).all() and 0.05 < probable[1, 1] < 0.9


def test_how_likely_a_piece_strays_from_its_lot() -> None:
    at = np.array([(0.0, 0.0, 0.0), (0.74, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.9)])
    strays = straying(at, np.array([0, 0, 1, 1, 2]), WHITE)
    assert 0.4 < strays[0] < 0.5 and strays[0] == strays[1]
    assert (strays[2:4] < 0.02).all() and strays[4] == 0


def test_how_bright_all_pieces_are_is_told_by_most_of_those_whose_colour_is_clear() -> None:
    """One that lies in a shade tells nothing of the others; two that are dark alike tell more than one."""
    sure, dark = np.log(np.full((4, 6), 0.002) + 0.988 * np.eye(4, 6)), np.array([-0.9, -0.9, -0.9, -3.0])
    shifts = []
    for count in (1, 2, 4):
        at = PAINTS.own[:count] + np.column_stack([dark[:count], np.zeros((count, 2))])
        shifts.append(_common(sure[:count], at, PAINTS))
    assert -0.9 < shifts[2] < shifts[1] < shifts[0] < -0.5
    assert _common(np.log(np.full((2, 6), 1 / 6)), PAINTS.own[:2] - 1, PAINTS) == 0.0, "none is clear"


def bleached(paint: int, share: float, darker: float = 0.0) -> np.ndarray:
    """A paint's look with so large a share of its hue lost to white, and darker."""
    look = PAINTS.own[paint].copy()
    look[1:] += share * (PAINTS.white[1:] - look[1:])
    return look - np.array([darker, 0, 0])


def test_marbles_of_two_paints_are_no_lot_though_shine_makes_their_hues_as_deep() -> None:
    """Red ones with much shine lie as far from white's hue as orange ones with little, but another way."""
    at = np.array([bleached(RED, 0.3), bleached(RED, 0.36), bleached(ORANGE, 0.1), bleached(ORANGE, 0.16)])
    at[2:, 0] = at[0, 0]
    lot = lots(at, np.zeros(4, bool), PAINTS.white)
    assert lot[0] == lot[1] != lot[2] == lot[3]
    seen = told(list(at), [0.0] * 4)
    assert (seen[:2, RED] > 0.5).all() and (seen[2:, ORANGE] > 0.5).all()


def test_a_marble_in_shade_is_of_its_own_paint_though_others_of_that_lie_in_light() -> None:
    """A lot of its own, dark and pale, is no reason to call it another seat's, of which nothing else is seen."""
    light, shade = [bleached(ORANGE, 0.05), bleached(ORANGE, 0.1)], bleached(ORANGE, 0.3, 0.8)
    seen = told([*light, shade], [0.0] * 3)
    assert seen[2].argmax() == ORANGE and (seen[:2, ORANGE] > 0.9).all()


def test_pale_lots_are_set_apart_by_light_and_deep_ones_are_not() -> None:
    white, grey = PAINTS.white, PAINTS.white - np.array([1.2, 0, 0])
    assert _another_hue(grey, white, white) > 0.9 * _apart(grey, white, white)
    one, dark = bleached(RED, 0.1), bleached(RED, 0.1, 1.2)
    assert _another_hue(dark, one, white) < 0.01 * _apart(dark, one, white)


def test_colours_that_nobody_plays_are_hardly_told() -> None:
    """A marble between red and orange is orange where nobody plays red; what is plainly red is red all the same."""
    between = (bleached(RED, 0.2) + bleached(ORANGE, 0.2)) / 2
    seen = told([between, bleached(ORANGE, 0.1)], [0.0] * 2, idle=(RED,))
    assert seen[0, ORANGE] > 0.9 > 0.7 > told([between, bleached(ORANGE, 0.1)], [0.0] * 2)[0, ORANGE]
    blue = 4
    assert told([bleached(blue, 0.1)], [0.0], idle=(blue,))[0, blue] > 0.5


def test_pieces_in_a_base_are_rather_its_own_seat_s_and_so_are_others_of_their_lot() -> None:
    """Orange ones much paler than the sheet's are orange, as three of four lie in orange's base."""
    pale = (bleached(ORANGE, 0.35) + bleached(YELLOW, 0.25)) / 2
    at, far = np.array([pale] * 4), np.zeros(4)
    looks = looks_of(at, 200.0, far, np.zeros((4, 3)), len(SHEET.colors))
    each = []
    for nats in (0, 2):
        usual_here = usual(looks)
        usual_here[:3, ORANGE] = nats
        each.append(np.exp(_told(looks, PAINTS, (far > 1, far > 1), far > 1, "marble", usual_here)[0])[:, ORANGE])
    assert (each[1] > each[0] + 0.1).all() and np.ptp(each[1]) < 0.05
