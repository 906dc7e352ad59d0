"""Discs put on others: a top of another colour than the one that was ruled is another piece, but for a shadow."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from lone_stack import SHAPE, seen_from, standing

from companion.model import Position
from companion.vision.board.memory import Learned
from companion.vision.board.places import Places
from companion.vision.board.remained import exchanged
from companion.vision.view.pose import Frame

BEIGE = (150, 170, 180)
PAINTS = {"white": (225, 228, 230), "black": (22, 22, 24), "red": (40, 35, 170), "brown": (45, 70, 110)}
WHERE = seen_from(25)
_, PLACE = standing(WHERE, "d4", 1)


def board(paint: tuple[int, ...], light: tuple[float, ...] = (1.0,) * 3, top: float = 1.0, at: int = PLACE) -> Frame:
    """A beige board in some light, linear BGR, with a disc of a paint, to which so much of it comes."""
    shown = np.full((*SHAPE, 3), BEIGE, float)
    pixels, _ = WHERE.hidden_by(at)
    shown.reshape(-1, 3)[pixels] = np.array(paint) * top ** (1 / 2.2)
    return np.round((shown * np.array(light) ** (1 / 2.2)).clip(0, 255)).astype(np.uint8)


def apart(then: Frame, now: Frame, changed: tuple[int, ...] = (), stands: int = PLACE) -> float:
    """How far the top that is seen lies from the one that stood there."""
    kept, nothing = SimpleNamespace(flat=now, places=WHERE), np.zeros((*SHAPE, 3), np.float32)
    learned = Learned(then, np.ones(SHAPE, bool), Position.of({}), nothing, np.zeros(SHAPE, bool))
    each = (np.array(places, np.int64) for places in ([PLACE], [stands], [PLACE, *changed], changed))
    return float(exchanged(kept, learned, *each)[0])  # type: ignore[arg-type]


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.4, 0.5, 0.7), (1.2, 1.05, 0.9)])
@pytest.mark.parametrize("stood", PAINTS)
def test_another_colour_is_another_piece_in_any_light_and_the_same_one_is_not(stood: str, light: tuple) -> None:
    for seen, paint in PAINTS.items():
        far = apart(board(PAINTS[stood]), board(paint, light))
        assert far < 0.15 if seen == stood else far > 0.6, (stood, seen, far)


def higher(where: Places, name: str, storeys: int) -> int:
    return standing(where, name, storeys)[1]


def test_a_top_in_the_shadow_of_a_stack_that_came_is_no_other_piece() -> None:
    lit, shaded = board(PAINTS["white"]), board(PAINTS["white"], top=0.3)
    assert apart(lit, shaded) > 0.6, "nothing is there that may shade it"
    assert apart(lit, shaded, (higher(WHERE, "d5", 5),)) < 0.3, "a high stack came beside it"
    assert apart(lit, shaded, (higher(WHERE, "h8", 8),)) > 0.6, "far away"
    assert apart(lit, board(PAINTS["red"], top=0.3), (higher(WHERE, "d5", 5),)) > 0.6, "a red one came, too"


def test_a_stack_that_grew_shades_itself_not() -> None:
    grown = higher(WHERE, "d4", 2)
    assert apart(board(PAINTS["black"]), board(PAINTS["white"], at=grown), (PLACE, grown), grown) > 0.6


@pytest.mark.parametrize("stood", PAINTS)
@pytest.mark.parametrize("bright", [(1.7, 1.7, 1.7), (1.0, 1.6, 2.2), (3.5, 3.5, 3.5)])
def test_what_is_burnt_out_is_the_same_piece_in_less_light(stood: str, bright: tuple[float, ...]) -> None:
    """Drawn marbles that were ruled in too bright a picture differed by up to 0.95 from themselves in a darker one."""
    for light in ((0.4, 0.4, 0.4), (0.7, 0.6, 0.5)):
        dim, burnt = board(PAINTS[stood], light), board(PAINTS[stood], bright)
        assert apart(burnt, dim) < 0.3 and apart(dim, burnt) < 0.3


def test_what_is_burnt_out_is_brighter_at_least_than_what_is_dark() -> None:
    burnt = (1.3, 1.3, 1.3)
    for one, other in (("white", "black"), ("white", "red"), ("white", "brown")):
        assert apart(board(PAINTS[one], burnt), board(PAINTS[other])) > 0.6
        assert apart(board(PAINTS[other]), board(PAINTS[one], burnt)) > 0.6


def test_what_was_not_shown_then_says_nothing() -> None:
    kept = SimpleNamespace(flat=board(PAINTS["red"]), places=WHERE)
    nothing = np.zeros((*SHAPE, 3), np.float32)
    learned = Learned(board(PAINTS["white"]), np.zeros(SHAPE, bool), Position.of({}), nothing, np.zeros(SHAPE, bool))
    one, none = np.array([PLACE]), np.zeros(0, np.int64)
    assert exchanged(kept, learned, one, one, one, none).tolist() == [0.0]  # type: ignore[arg-type]
