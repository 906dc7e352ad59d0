"""Discs that stand out from the board all round, and shadows that do not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from light_drawing import lamp, lit
from lone_stack import SHAPE, SHEET, seen_from, standing

from companion.model import BoardSeen, SpaceSeen
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look
from companion.vision.board.standing import Match
from companion.vision.colors.set_off import _stands_out, outlined, set_off
from companion.vision.light.today import Light
from companion.vision.loading import make_scene
from companion.vision.view.pose import Frame
from companion.vision.view.scene import PIXELS_PER_MM

PRINTED = make_scene(SHEET, printed_board("game-of-god")[1]).print.linear
PLAIN = Light(np.eye(3), np.zeros(3), np.zeros((6, 3)))


def seen(share: np.ndarray) -> Frame:
    """The board under such a share of the light, (rows, cols), as a camera shows it: uint8 BGR."""
    shown = PRINTED * share[..., None] + np.random.default_rng(3).normal(0, 0.003, PRINTED.shape)
    return np.asarray(255 * np.clip(shown, 0, 1) ** (1 / 2.2), np.uint8)


def drawn(found: Match, place: int, level: float, share: np.ndarray) -> Frame:
    """The same with a disc of one grey on it."""
    flat, (pixels, _) = seen(share), found.where.hidden_by(place)
    flat.reshape(-1, 3)[pixels] = round(255 * level ** (1 / 2.2))
    return np.asarray(cv2.blur(flat, (3, 3)))


def told(found: Match, place: int, flat: Frame) -> bool:
    return bool(set_off(found, np.array([place]), flat, PLAIN, PRINTED)[0])


def bar(at: float, dark: float = 0.3) -> np.ndarray:
    """A shadow's straight edge across the board, at so many pixels."""
    return np.tile(np.where(np.arange(SHAPE[1]) < at, dark, 1.0), (SHAPE[0], 1))


@pytest.mark.long(but=("lit-black-1", "in the shade-white-3"))
@pytest.mark.parametrize("storeys", [1, 3])
@pytest.mark.parametrize("level", [0.01, 0.9], ids=["black", "white"])
@pytest.mark.parametrize("share", [1.0, 0.3], ids=["lit", "in the shade"])
def test_a_disc_stands_out_whatever_lies_beside_it(storeys: int, level: float, share: float) -> None:
    found, place = standing(seen_from(25), "d4", storeys)
    assert told(found, place, drawn(found, place, level * share, np.full(SHAPE, share)))


def test_a_black_disc_stands_out_though_its_own_shadow_lies_on_one_side() -> None:
    found, place = standing(seen_from(25), "d4", 1)
    pixels, _ = found.where.hidden_by(place)
    shadow = np.zeros(SHAPE, np.float32)
    shadow.ravel()[pixels] = 1
    share = 1 - 0.9 * np.roll(shadow, round(4 * PIXELS_PER_MM), axis=1)
    assert told(found, place, drawn(found, place, 0.01, share))


@pytest.mark.long(but=("-20.0", "20.0"))
@pytest.mark.parametrize("off", np.linspace(-20, 20, 9))
def test_a_shadow_that_runs_over_a_square_does_not(off: float) -> None:
    found, place = standing(seen_from(25), "d4", 1)
    flat = seen(bar(SHEET.spaces["d4"].x * PIXELS_PER_MM + off))
    assert not told(found, place, flat)


def test_a_part_of_an_edge_that_is_not_seen_is_as_those_beside_it() -> None:
    """Four of sixteen sectors may lie in a disc's own shadow, five do not; one not seen among them is one of these."""
    steps = np.full((16, 4), 0.5)
    steps[6:10] = 0.0
    assert _stands_out(steps)
    steps[10] = 0.0
    assert not _stands_out(steps)
    steps[8] = np.nan
    assert not _stands_out(steps)
    steps[[1, 3, 14]] = np.nan
    assert not _stands_out(steps)


def test_the_bare_board_does_not_and_neither_does_what_is_hardly_seen() -> None:
    found, place = standing(seen_from(25), "d4", 1)
    flat = drawn(found, place, 0.01, np.ones(SHAPE))
    assert not told(found, place, seen(np.ones(SHAPE)))
    found.front[:] = np.where(found.front > 1e8, -1e9, found.front)  # other pieces hide all that lies beside it
    assert not told(found, place, flat)
    found.front[:] = -1e9  # and the disc, too, as eight on each other in front of it do
    assert not told(found, place, flat)


def with_window(
    flat: Frame, at: tuple[float, float], turn: float, wide: float = 45, soft: float = 1.5, strong: float = 0.15
) -> Frame:
    """The view with a window of the sky's hue, so many mm wide, mirrored round a point, mm. soft: pixels, of its edge.
    strong: how much linear light it adds."""
    window, middle = np.zeros(SHAPE, np.float32), (at[0] * PIXELS_PER_MM, at[1] * PIXELS_PER_MM)
    box = cv2.boxPoints((middle, (wide * PIXELS_PER_MM, 60 * PIXELS_PER_MM), turn))
    cv2.fillPoly(window, [box.astype(np.int32)], 1.0)
    light = (flat / 255.0) ** 2.2 + strong * cv2.GaussianBlur(window, (0, 0), soft)[..., None] * (1.4, 1.0, 0.7)
    return np.asarray(255 * np.clip(light, 0, 1) ** (1 / 2.2), np.uint8)


def has_outline(found: Match, place: int, flat: Frame, beside: bool = False) -> bool:
    return bool(outlined(found, np.array([place]), flat, PLAIN, PRINTED, lit=beside)[0])


@pytest.mark.parametrize("turn", [0.0, 25.0, 60.0])
@pytest.mark.parametrize("off", [-25.0, 0.0, 25.0])
def test_what_a_window_adds_to_a_square_has_not_a_discs_outline(off: float, turn: float) -> None:
    """Filmed by Blender (Game of God on glass, 85004): a window of the sky's hue, mirrored in half of a dark square,
    was a disc of the only player whose colour it might be, with 0.99."""
    found, place = standing(seen_from(25), "d4", 1)
    at = SHEET.spaces["d4"]
    assert not has_outline(found, place, with_window(seen(np.ones(SHAPE)), (at.x + off, at.y), turn))


@pytest.mark.parametrize(("space", "turn"), [("d4", 0.0), ("c4", 0.0), ("c4", 60.0)])
def test_beside_what_is_mirrored_nearly_all_of_the_edge_must_differ(space: str, turn: float) -> None:
    """Filmed by Blender (87008): the edge of a window's image differed from the board along three quarters of that
    which a disc would have there. This is a narrow pane."""
    found, place = standing(seen_from(25), space, 1)
    at = SHEET.spaces[space]
    flat = with_window(seen(np.ones(SHAPE)), (at.x, at.y), turn, wide=15, soft=5, strong=0.5)
    assert has_outline(found, place, flat) and not has_outline(found, place, flat, beside=True)


PAINTS = {"red": (0.02, 0.02, 0.5), "blue": (0.4, 0.1, 0.05), "black": (0.01, 0.01, 0.01)}  # linear BGR


@pytest.mark.parametrize("color", PAINTS.values(), ids=PAINTS)
def test_a_disc_has_it_though_it_is_as_bright_as_its_square_or_lies_in_a_windows_image(
    color: tuple[float, float, float],
) -> None:
    found, place = standing(seen_from(25), "d4", 1)
    at, flat, (pixels, _) = SHEET.spaces["d4"], seen(np.ones(SHAPE)), found.where.hidden_by(place)
    shades = PRINTED.reshape(-1, 3)[pixels].mean() / np.mean(color)
    for strong in (1.0, shades):
        flat.reshape(-1, 3)[pixels] = 255 * np.clip(strong * np.array(color), 0, 1) ** (1 / 2.2)
        smooth = np.asarray(cv2.blur(flat, (3, 3)))
        for beside in (False, True):
            assert has_outline(found, place, smooth, beside)
            assert has_outline(found, place, with_window(smooth, (at.x, at.y), 0), beside)


@pytest.mark.long(but=("black-nudge0", "white-nudge2"))
@pytest.mark.parametrize("nudge", [(3, 3), (-3, 3), (3, -3)])
@pytest.mark.parametrize("level", [0.02, 0.9], ids=["black", "white"])
def test_a_disc_that_lies_a_little_beside_its_place_has_it(level: float, nudge: tuple[int, int]) -> None:
    """Of 112 drawn boards 13 had a white disc that was read as nothing: it lay 2 mm beside where it was found, and so
    not nearly all of its edge differed."""
    found, place = standing(seen_from(25), "d4", 1)
    flat, (pixels, _) = seen(np.ones(SHAPE)), found.where.hidden_by(place)
    y, x = np.divmod(pixels, SHAPE[1])
    flat[y + nudge[0], x + nudge[1]] = round(255 * level ** (1 / 2.2))
    assert has_outline(found, place, np.asarray(cv2.blur(flat, (3, 3))), beside=True)


TABLE, TEXTURE, _ = printed_board("game-of-god")
SCENE = make_scene(TABLE, TEXTURE)
WHITE = sorted(TABLE.colors)[0]
LAMPS = [("a4", 45, 15, 1.5), ("d5", 60, 35, 0.5)]
"""A square, mm beside it to the middle of a lamp's image, how wide that is, mm, and how much light it adds."""


def beside_a_lamp(space: str, beside: float, wide: float, strong: float, disc: bool) -> SpaceSeen:
    """How a square is read beside which the board mirrors a lamp, with a white disc on it or without."""
    at, painter = TABLE.spaces[space], Painter(TABLE, TEXTURE, View().fitted(TABLE), np.random.default_rng(1))
    frame = painter.paint([Pawn(WHITE, space, (at.x, at.y))] if disc else [])
    _, memory = look(frame, SCENE)
    assert memory.view is not None
    (x, y), (u, v) = memory.view.pose.project([(at.x + beside, at.y), (at.x + beside + 1, at.y)])
    seen, _ = look(lit(frame, added=lamp(frame, (x, y), strong, wide * np.hypot(u - x, v - y))), SCENE)
    assert isinstance(seen, BoardSeen)
    return seen.spaces[space]


@pytest.mark.long(but=("d5-60-35-0.5",))
@pytest.mark.parametrize(("space", "beside", "wide", "strong"), LAMPS)
def test_an_even_disc_with_its_outline_is_no_image_of_the_lamp_beside_it(
    space: str, beside: float, wide: float, strong: float
) -> None:
    """A white disc in plain sight, near where the board mirrored a lamp, was as likely nothing."""
    told = beside_a_lamp(space, beside, wide, strong, disc=True)
    assert told.content == (WHITE,) and told.log_likelihood(()) < -3


@pytest.mark.long(but=("a4-45-15-1.5",))
@pytest.mark.parametrize(("space", "beside", "wide", "strong"), LAMPS)
def test_the_rim_of_an_image_is_no_disc(space: str, beside: float, wide: float, strong: float) -> None:
    told = beside_a_lamp(space, beside, wide, strong, disc=False)
    assert not told.content or told.confidence < 0.9
