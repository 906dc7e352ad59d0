"""Large shadows and patches of sun, as of a window's bars: what they do to the light is the same all over them, of a
colour of its own, and goes on beneath the pieces.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.model import BoardSeen, Piece
from companion.service.boards.configured import printed_board
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn
from companion.vision import look, make_scene
from companion.vision.light import shade, today
from companion.vision.light.shade import uneven_light
from companion.vision.view.pose import Flat

PAWN = Piece("pawn", 12.0, 24.0)
SKY = np.array([0.62, 0.5, 0.4], np.float32)
"""What a shadow leaves of the blue, green and red: the sky lights it, and not the sun."""
LEFT, RIGHT = 80, 150  # columns, at half the size, between which the shadow lies: 112 mm


def board() -> Flat:
    """Paper with cells and lines, linear BGR, at half the size: 400 × 400 mm."""
    rng = np.random.default_rng(5)
    cells = cv2.resize(rng.uniform(0.35, 0.8, (12, 12, 3)).astype(np.float32), (250, 250), interpolation=0)
    cells[::16], cells[:, ::16] = 0.08, 0.08
    return np.asarray(cv2.GaussianBlur(cells, (0, 0), 0.7), np.float32)


def shaded(left: Flat, rim: float = 0.5) -> Flat:
    """What reaches each pixel, (rows, cols, 3), where a bar leaves so much, with a rim of so many pixels."""
    share = np.ones((250, 250, 3), np.float32)
    share[:, LEFT:RIGHT] = left
    return np.asarray(cv2.GaussianBlur(share, (0, 0), rim), np.float32)


def within(share: Flat) -> Flat:
    """The middle of the bar, (rows, cols, 3)."""
    return share[10:-10, LEFT + 10 : RIGHT - 10]


def test_a_shadow_has_the_colour_of_what_lights_it() -> None:
    share = uneven_light(board() * shaded(SKY), board(), PAWN)
    assert share is not None
    assert np.abs(np.median(within(share), axis=(0, 1)) - SKY).max() < 0.02
    assert np.abs(share[10:-10, : LEFT - 10] - 1).max() < 1e-3, "the rest lies in full light"


def test_a_shadow_is_one_though_its_rim_is_wide_and_pieces_stand_in_it() -> None:
    lit = board() * shaded(SKY, rim=9.0)
    for row in range(20, 240, 25):
        cv2.circle(lit, (115, row), 5, (0.02, 0.02, 0.3), -1, cv2.LINE_AA)
    share = uneven_light(lit, board(), PAWN)
    assert share is not None
    assert np.abs(np.median(within(share), axis=(0, 1)) - SKY).max() < 0.06


def wood() -> Flat:
    """A varnished board, linear BGR, at half the size: faint grain, and spaces that are thin rings."""
    grain = np.random.default_rng(7).normal(size=(250, 250)).astype(np.float32)
    grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), sigmaX=30, sigmaY=0.8), np.float32)
    layer = np.exp(0.06 / grain.std() * grain)[..., None] * np.array([0.12, 0.28, 0.42], np.float32)
    for column in range(12, 250, 16):
        for row in range(12, 250, 48):
            cv2.circle(layer, (column, row), 5, (0.03, 0.05, 0.08), 1, cv2.LINE_AA)
    return np.asarray(layer, np.float32)


@pytest.mark.parametrize("rim", [0.5, 2.0, 4.0])
def test_faint_grain_and_thin_rings_are_made_out_within_the_rim_of_a_shadow(rim: float) -> None:
    """Under a window's bars the rim's own course drowned them (film 56011): nearly all spaces of a wooden board passed
    for pieces of a brown that wood in the shade looks like."""
    lit = wood() * shaded(0.6 * SKY, rim)
    for row in range(20, 240, 40):
        cv2.circle(lit, (LEFT + 12 if row % 80 else RIGHT - 12, row), 5, (0.02, 0.02, 0.3), -1, cv2.LINE_AA)
    share = uneven_light(lit, wood(), PAWN)
    assert share is not None
    assert np.abs(np.median(within(share), axis=(0, 1)) - 0.6 * SKY).max() < 0.06


def test_a_sleeve_across_a_wooden_board_is_no_shadow() -> None:
    lit = wood()
    folds = np.random.default_rng(8).normal(size=(250, RIGHT - LEFT, 1)).astype(np.float32)
    lit[:, LEFT:RIGHT] = 0.08 + 0.2 * cv2.GaussianBlur(folds, (0, 0), 4)[..., None] * np.float32(0.5)
    lit = np.asarray(cv2.GaussianBlur(np.clip(lit, 0.01, 1), (0, 0), 2.0), np.float32)
    assert uneven_light(lit, wood(), PAWN) is None


@pytest.mark.parametrize("across", [LEFT + 2, LEFT + 6, LEFT + 25])
def test_a_dark_pawn_makes_no_shadow_deeper(across: int) -> None:
    lit = board() * shaded(SKY)
    cv2.circle(lit, (across, 125), 5, (0.02, 0.06, 0.02), -1, cv2.LINE_AA)
    share = uneven_light(lit, board(), PAWN)
    assert share is not None
    own = share[121:130, across - 4 : across + 5]
    assert (own > 0.85 * SKY).all()


def test_a_black_disc_beside_a_shadow_is_no_part_of_it() -> None:
    """Of brown wood black leaves the blue more than the red, as the sky's light does, and the next squares show the
    print: in every other picture a black disc in the sun was the bare square in a deep shadow (film 109910)."""
    pale = (np.indices((250, 250)) // 26).sum(axis=0) % 2 == 1
    squares = np.where(pale[..., None], (0.15, 0.36, 0.6), (0.035, 0.06, 0.11))
    wooden = np.asarray(cv2.GaussianBlur(squares.astype(np.float32), (0, 0), 0.7), np.float32)
    share, disc = shaded(np.full(3, 0.5, np.float32)), (169, 117)
    share[disc[1] - 30 : disc[1] + 9, RIGHT - 5 : disc[0] + 4] = 0.5  # its own shadow, and that of a stack
    lit = wooden * share
    cv2.circle(lit, disc, 8, (0.03, 0.03, 0.033), -1, cv2.LINE_AA)
    found = uneven_light(lit, wooden, Piece("disc", 27.0, 6.0))
    assert found is not None
    assert np.median(within(found)) == pytest.approx(0.5, abs=0.05)
    assert found[disc[1], disc[0]] == pytest.approx(1, abs=0.05)


def test_light_goes_on_beneath_a_piece_that_stands_in_it() -> None:
    sun = np.float32(1.7)
    lit = board() * 0.4 * shaded(np.full(3, sun, np.float32))
    cv2.ellipse(lit, (115, 125), (9, 5), 30, 0, 360, (0.01, 0.02, 0.01), -1, cv2.LINE_AA)
    share = uneven_light(lit, 0.4 * board(), PAWN)
    assert share is not None
    assert np.abs(share[120:131, 110:121] / sun - 1).max() < 0.1


def test_a_sleeve_across_the_board_is_no_shadow() -> None:
    lit = board()
    lit[:, LEFT:RIGHT] = 0.2 + 0.02 * np.random.default_rng(6).normal(size=(250, RIGHT - LEFT, 1))
    assert uneven_light(lit, board(), PAWN) is None


def test_a_group_of_dark_pieces_is_no_shadow() -> None:
    lit = board()
    for column in range(100, 134, 8):
        for row in range(110, 144, 8):
            cv2.circle(lit, (column, row), 5, (0.12, 0.06, 0.05), -1, cv2.LINE_AA)
    assert uneven_light(lit, board(), PAWN) is None


@pytest.mark.long(but=("3",))
@pytest.mark.parametrize("rim", [3, 7, 12])
def test_low_sun_through_a_window_leaves_hardly_a_doubt(rim: int) -> None:
    """Bars of the sky's light over a board in the middle of a game: all of its spaces were doubted."""
    sheet, texture, _ = printed_board("parcheesi")
    painter = Painter(sheet, texture, View(tilt=20, noise=1.5, brightness=0.7), np.random.default_rng(3))
    true = {"t4": 0, "t21": 1, "t38": 2, "t60": 3, "lane0.3": 0, "t50": 1, "t12": 3}
    pawns = [Pawn(seat, name, (sheet.spaces[name].x, sheet.spaces[name].y)) for name, seat in true.items()]
    share = np.ones((960, 1280, 3), np.float32)
    for left in (270, 640, 1010):
        bar = np.array([(left, -10), (left + 150, -10), (left + 420, 970), (left + 270, 970)])
        cv2.fillPoly(share, [bar], SKY.tolist(), cv2.LINE_AA)
    shown = painter.paint(pawns) * cv2.GaussianBlur(share, (0, 0), rim) ** (1 / 2.2)
    seen, _ = look(shown.astype(np.uint8), make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen)
    assert {name: s.content for name, s in seen.spaces.items() if s.content} == {n: (s,) for n, s in true.items()}
    doubted = [name for name, s in seen.spaces.items() if s.covered or s.confidence < 0.97]
    assert len(doubted) < 4, doubted


@pytest.mark.parametrize(("left", "is_shadow"), [((0.55, 0.36, 0.24), True), ((0.24, 0.36, 0.55), False)])
def test_what_is_as_red_as_skin_must_show_the_print_more_plainly(left: tuple[float, ...], is_shadow: bool) -> None:
    """A hand that was of the print's brightness by chance was a shadow."""
    lit = board() * shaded(np.array(left, np.float32))
    folds = cv2.resize(np.random.default_rng(7).normal(0, 1, (30, 30)).astype(np.float32), (250, 250))
    lit *= np.exp(0.25 * np.where(shaded(SKY)[..., :1] < 0.9, folds[..., None], 0))
    share = uneven_light(lit, board(), PAWN)
    assert (share is not None) == is_shadow


@pytest.mark.long
def test_a_shadow_in_which_no_print_is_made_out_makes_nothing_strange_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Filmed by Blender (Aggravation, 52016): a window's bars lay over the fine grain of a wooden board, a sixth of it,
    and every space was read with 0.48: a board that looks so strange may be another one."""
    monkeypatch.setattr(today, "uneven_light", lambda *_: None)
    sheet, texture, _ = printed_board("aggravation")
    frame = Painter(sheet, texture, View().fitted(sheet), np.random.default_rng(2)).paint([])
    wide = frame.shape[1]
    for left in (0.4, 0.6):
        bar = frame[:, int(left * wide) : int((left + 0.125) * wide)]
        bar[:] = bar * (0.6, 0.5, 0.42)
    seen, memory = look(frame, make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen) and memory.look is not None and memory.look.kept is not None
    assert memory.look.kept.told.dim.mean() > 0.3
    lit = [space for name, space in seen.spaces.items() if sheet.spaces[name].x < 0.3 * sheet.width]
    assert len(lit) > 5 and min(space.confidence for space in lit) > 0.97


def stripes(wide: int) -> Flat:
    """Sun through a blind over the middle of the board, (rows, cols, 3): warm stripes, so many pixels wide, with soft
    edges."""
    bare = np.zeros((250, 250), np.float32)
    for top in range(20, 230, 2 * wide):
        bare[top : top + wide, 60:190] = 1
    return np.asarray(1 + cv2.GaussianBlur(bare, (0, 0), wide / 5)[..., None] * (2.0, 2.6, 3.2), np.float32)


def test_the_sun_through_a_blind_is_light() -> None:
    """Between stripes that are a few mm wide the brightness changes by more than the print does: a board in the sun was
    covered by something bright."""
    sun = stripes(8)
    share = uneven_light(board() * sun, board(), PAWN)
    assert share is not None
    assert np.median(share[60:190, 80:170] / sun[60:190, 80:170]) == pytest.approx(1, abs=0.15)


def test_warm_sun_is_no_skin() -> None:
    """A camera that is set to the sky's light shows a patch of sun as yellow as skin, and bars run over it."""
    sun = np.ones((250, 250, 3), np.float32)
    sun[30:220, 60:190] = (3.0, 4.0, 5.0)
    for column in (95, 140):
        sun[:, column : column + 12] = 1
    sun = cv2.GaussianBlur(sun, (0, 0), 4.0)
    share = uneven_light(board() * sun, board(), PAWN)
    assert share is not None
    assert np.median(share[60:190, 70:90, 2] / sun[60:190, 70:90, 2]) == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize("course", [3.0, 8.0])
@pytest.mark.parametrize("corner", [(0, 0), (90, 70), (150, 140)])
def test_lines_of_a_part_are_the_same_if_all_the_board_is_looked_at(course: float, corner: tuple[int, int]) -> None:
    both = np.random.default_rng(4).normal(size=(167, 160, 2)).astype(np.float32)
    part = np.zeros(both.shape[:2], bool)
    part[corner[0] : corner[0] + 17, corner[1] : corner[1] + 20] = True
    part[corner[0] + 5] = False
    whole = both[part] - shade._averaged(both, part, course)[part]
    assert shade._lines(both, part, course) == pytest.approx(whole, abs=1e-5)
