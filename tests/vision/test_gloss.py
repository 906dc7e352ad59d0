"""Tops that mirror a lamp are told from tops in a shadow: by which half of them is uneven."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from companion.vision.colors.gloss import edge_beside, hue_beside, lamplike, part_of_tops, parts_of_tops
from companion.vision.colors.hues import _in_odd_light, _like_glare, _told
from companion.vision.colors.likely import Paints, half_shaded, mirroring
from companion.vision.colors.looks import Looks

WHITE = np.array([2.0])
LEVELS = np.linspace(-1, 1, 9)


def top(brightness: np.ndarray) -> np.ndarray:
    """The parts of one top: half as blue as they are green and red."""
    return (brightness[:, None] * (0.2, 0.4, 0.4))[None]


def test_the_image_of_a_lamp_makes_the_bright_half_uneven() -> None:
    image = top(0.1 + 1.5 * np.exp(-((LEVELS - 1) ** 2) / 0.5))
    assert lamplike(image, WHITE)[0] > 4
    assert part_of_tops(image, 0)[0] == pytest.approx((0.02, 0.04, 0.04), abs=0.001)
    assert part_of_tops(image, 1)[0] == pytest.approx((0.32, 0.64, 0.64), abs=0.001)


def test_paint_and_the_edge_of_a_shadow_leave_the_bright_half_even() -> None:
    for dark in (0, 3, 4):
        shadow = np.where(np.arange(9) < dark, 0.4, 1.6)
        assert lamplike(top(shadow), WHITE)[0] < -1


def test_bright_paint_may_be_more_uneven_than_dark_paint() -> None:
    """What a tenth more or less light makes of a white top; and the same light, added to a black one."""
    white, black = (lamplike(top(level + 0.16 * LEVELS), WHITE)[0] for level in (1.6, 0.2))
    assert white < 0.5 and black > 1.5


def test_of_a_top_that_hardly_shows_nothing_is_said() -> None:
    parts = top(1 + LEVELS)
    parts[:, 3:] = np.nan
    assert lamplike(parts, WHITE)[0] == 0
    assert all(np.isfinite(part_of_tops(parts, share)).all() for share in (0, 0.25, 1))


def test_of_a_top_that_is_cut_off_by_the_edge_of_the_view_the_rest_tells() -> None:
    """What lies beyond has no weight, and names the first pixel of the view: that is none of the top's."""
    rows, cols = 60, 80
    y, x = (layer.ravel() for layer in np.mgrid[-9:10, -9:10])
    near = np.hypot(x, y) < 9
    y, x = y[near] + 5, x[near] + 60
    inside = y >= 0
    where = SimpleNamespace(
        pixels=lambda *_: np.where(inside, y * cols + x, 0)[None],
        weight=lambda *_: inside[None] * 1.0,
        crown=len(x),
        shape=(rows, cols),
    )
    flat = np.full((rows, cols, 3), 90, np.uint8)
    flat[:, 62:] = 180
    parts = parts_of_tops(where, np.array([0]), inside[None], flat)  # type: ignore[arg-type]
    assert np.isfinite(parts).all(), "all nine parts are seen"
    assert parts[0, 2::3].min() > 2 * parts[0, ::3].max()


def test_a_lamp_only_adds_light() -> None:
    """A grey top may be a black one that mirrors a lamp, never a white one; a burnt out one may be either."""
    own = np.array([(0.5, 0.0, 0.0), (-2.0, 0.0, 0.0)])
    paints = Paints(own, own, np.array([0.6, 0.05, 0.1]), np.full(2, 0.1))
    white, black = mirroring(np.array([(-0.8, 0.04, 0.08)]), paints, np.array([False]))[0]
    assert black - white > 5
    blue = np.array([(0.9, -0.05, -0.02)])
    seen, burnt = (mirroring(blue, paints, np.array([is_burnt]))[0] for is_burnt in (False, True))
    assert seen[1] < -4 and burnt[1] > -1 and abs(burnt[0] - burnt[1]) < 1.5


def test_a_shadow_beside_a_piece_has_an_edge_and_even_shade_has_none() -> None:
    board, bare = np.full((3, 24), 0.5), np.ones((3, 24), bool)
    more = np.zeros((3, 24))
    more[0, :8] = more[1] = -0.35
    edged, shaded, lit = edge_beside(more, board, bare)
    assert edged > 0.9 and shaded == lit == 0
    bare[0, :8] = False
    assert edge_beside(more, board, bare)[0] == 0, "what lies in the shade there is not the board"


def test_the_edge_of_a_shadow_over_a_white_disc_need_be_no_lamp_in_a_black_one() -> None:
    """White in the light, grey in the shade, and the shade goes on over the board: without that, it is a lamp's image.
    A black disc in the same shade stays a black one."""
    own = np.array([(0.0, 0.0, 0.0), (-2.7, 0.0, 0.0)])
    paints = Paints(own, own, np.zeros(3), np.full(2, 0.05))
    row = {"count": np.array([300.0]), "around": np.zeros(1), "board": np.zeros((1, 3)), "evidence": np.zeros((1, 2)),
           "field": np.zeros(1)}  # fmt: skip

    def told(light: float, dim: float, dark: float, edge: float, shade: float = 0.0) -> tuple[np.ndarray, bool]:
        at, least, less, most = (np.array([(level, 0.0, 0.0)]) for level in ((light + dim) / 2, dark, dim, light))
        looks = Looks(at=at, dark=least, dim=less, light=most, edge=np.array([edge]), uneven=np.array([4.0]),
                       burnt=np.array([False]), shaded=own[None] + (shade, 0, 0) if shade else None, **row)  # fmt: skip
        anybodys = np.zeros_like(looks.evidence)
        nats, mirrors, _ = _told(looks, paints, (np.array([True]),) * 2, np.array([False]), "disc", anybodys)
        return nats[0], bool(mirrors[0])

    (white, black), _ = told(-0.03, -0.8, -1.2, 0.8)
    assert white > np.log(0.1) and black < np.log(0.9)
    (white, black), mirrors = told(-0.03, -0.8, -1.2, 0.0)
    assert black > np.log(0.97) and mirrors
    (white, black), _ = told(-2.6, -3.3, -3.4, 0.8)
    assert black > np.log(0.97)
    # Whites darker than their paint: nothing was as light as that, and one was surely black, with 0.996.
    assert told(-0.5, -1.3, -1.4, 0.8)[0][1] > np.log(0.97)
    assert told(-0.5, -1.3, -1.4, 0.8, -1.2)[0][1] < np.log(0.9), "but just so white looks in this shadow"
    assert told(-0.5, -1.3, -1.4, 0.0, -1.2)[0][1] > np.log(0.97), "no shadow ends there"
    assert told(-2.6, -3.3, -3.4, 0.8, -1.2)[0][1] > np.log(0.97)


@pytest.mark.parametrize(
    ("levels", "edge", "lamp"), [((-0.1, -0.8, -0.8, 0.0), 0.8, False), ((0.5, 0.2, 0.2, 0.8), 0.0, True)]
)
def test_what_the_edge_of_a_shadow_explains_is_no_lamps_image(
    levels: tuple[float, ...], edge: float, lamp: bool
) -> None:
    """Filmed by Blender (Game of God, 107005): a disc over which the edge of a shadow ran was surely in odd light, and
    so the white discs beside it were doubted, as near where a lamp is mirrored."""
    own = np.array([(0.0, 0.0, 0.0), (-2.7, 0.0, 0.0)])
    paints = Paints(own, own, np.zeros(3), np.full(2, 0.05))
    at, dark, dim, light = (np.array([(level, 0.0, 0.0)]) for level in levels)
    row = {"count": np.array([300.0]), "around": np.zeros(1), "board": np.zeros((1, 3)), "evidence": np.zeros((1, 2)),
           "field": np.zeros(1), "burnt": np.array([False]), "uneven": np.array([4.0])}  # fmt: skip
    looks = Looks(at=at, dark=dark, dim=dim, light=light, edge=np.array([edge]), **row)
    there = np.array([True])
    _, share = _in_odd_light(looks, np.zeros(1, np.int64), paints, (there, there), ~there)
    assert share[0, 0] > np.log(0.9) if lamp else share[0, 0] < np.log(0.1)


def test_a_top_darker_than_the_shadow_beside_it_is_not_explained_by_it() -> None:
    own = np.array([(0.0, 0.0, 0.0)])
    edge, light = np.array([0.6, 0.6]), np.zeros((2, 3))
    as_dark, darker = half_shaded(np.array([(-0.6, 0.0, 0.0), (-1.5, 0.0, 0.0)]), light, own, edge)[:, 0]
    assert as_dark - darker > 4


def test_what_is_mirrored_beside_a_top_has_its_own_hue() -> None:
    """The board beside the first mirrors a blue window in a third of its ring, that beside the second nothing."""
    added = np.tile([0.9, 0.6, 0.3], (2, 24, 1)) * (np.arange(24) % 3 == 0)[:, None]
    image = np.stack([added[0].sum(axis=1) > 1, np.zeros(24, bool)])
    (red, yellow), nothing = hue_beside(added, image)
    assert red == pytest.approx((0.3 - 0.6) / 1.8, abs=0.01) and yellow == pytest.approx(-0.25, abs=0.01)
    assert np.isnan(nothing).all()


@pytest.mark.parametrize(("hue", "image"), [((-0.15, -0.25), True), ((0.0, 0.0), True), ((0.3, 0.2), False)])
def test_the_board_with_a_windows_light_added_looks_like_glare(hue: tuple[float, float], image: bool) -> None:
    """Of the hue of the light that all is seen in, or of that which is mirrored beside it; of another it is paint."""
    one, no = np.zeros((1, 3)), np.zeros(1)
    at = np.array([[0.0, *hue]])
    looks = Looks(at=at, count=no + 300, around=no, board=one - (4, 0, 0), evidence=np.zeros((1, 2)), dark=at, dim=at,
                   light=at, uneven=no, burnt=no > 0, edge=no, field=no, image=np.array([[-0.15, -0.25]]))  # fmt: skip
    assert _like_glare(looks, np.zeros(3))[0] == image


def test_that_a_top_is_uneven_speaks_for_a_lamp_once() -> None:
    """Filmed by Blender (Game of God, 65003): white discs with rings turned on them, in dim light a little darker than
    their paint, were as likely black ones that mirror a lamp, though the board beside mirrored none."""
    own = np.array([(-0.13, 0.0, 0.0), (-2.5, 0.0, 0.0)])
    paints = Paints(own, own, np.array([1.0, 0.0, 0.0]), np.full(2, 0.05))
    row = {"count": np.array([66.0]), "around": np.zeros(1), "board": np.zeros((1, 3)), "evidence": np.zeros((1, 2)),
           "field": np.zeros(1), "burnt": np.array([False]), "edge": np.zeros(1),
           "uneven": np.array([2.0])}  # fmt: skip
    at, dark, dim, light = (np.array([(level, 0.0, 0.0)]) for level in (-0.46, -0.75, -0.5, 0.0))
    looks = Looks(at=at, dark=dark, dim=dim, light=light, **row)
    uneven, shade = np.array([True]), np.array([False])

    def black(there: bool) -> float:
        nats, _, _ = _told(looks, paints, (np.array([there]), uneven), shade, "disc", np.zeros((1, 2)))
        return float(np.exp(nats[0, 1]))

    assert black(there=False) < 0.3 < 0.6 < black(there=True)
