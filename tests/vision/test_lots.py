"""Round pieces in uneven light: those that look alike are one lot, and how bright they are says less there."""

from __future__ import annotations

import numpy as np

from companion.service.boards import printed_board
from companion.vision.basis import colors_of_sheet
from companion.vision.colors import _likelihoods, _Looks, _Paints, _told
from companion.vision.light import Light

SHEET, _, _ = printed_board("aggravation", {"arms": 6})
PAINTS = _Paints.of(Light(np.eye(3), np.zeros(3), np.zeros((6, 3))), colors_of_sheet(SHEET))
ORANGE, YELLOW = (sorted(SHEET.colors).index(seat) for seat in (1, 2))


def told(at: list[np.ndarray], around: list[float]) -> np.ndarray:
    """The probability of each colour for some marbles. around: how much lighter than it should be the board is."""
    count, far = np.full(len(at), 200.0), np.array(around)
    looks = _Looks(np.array(at), count, far, np.zeros((len(at), 2)), np.zeros((len(at), len(SHEET.colors))))
    return np.exp(_told(looks, PAINTS, far > 0.12, far < -0.12, "marble")[0])


def test_marbles_that_look_alike_are_told_together_though_some_lie_in_more_light() -> None:
    """One by one each passes for yellow, as its neighbours do: together they are seen to be no yellow ones."""
    way = PAINTS.own[ORANGE] - PAINTS.own[YELLOW]
    yellow, orange = PAINTS.own[YELLOW] - 0.05 * way, PAINTS.own[YELLOW] + 0.35 * way
    seen = told([yellow] * 4 + [orange] * 4, [0.0] * 4 + [0.15, 0.15, 0.1, 0.1])
    assert (seen[:4, YELLOW] > 0.9).all()
    assert (seen[4:, ORANGE] > 0.9).all() and np.ptp(seen[4:, ORANGE]) < 0.01


def test_where_the_light_is_not_what_it_should_be_brightness_says_less() -> None:
    """By how much less likely orange becomes for a marble that is brighter than the paint."""
    own = PAINTS.own[ORANGE]
    lost = []
    for far in (0.0, 0.8):
        looks = own + np.array([(0, 0, 0), (0.9, 0, 0)])
        usual, bright = _likelihoods(looks, np.ones(2), np.full(2, far), PAINTS, 0.35)
        lost.append(float(usual[ORANGE] - bright[ORANGE]))
    assert lost[1] < 1.5 < lost[0]
