"""A small shadow that nothing casts makes an empty square, or a base, less sure; a large one, or a piece's own, not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import table_drawing as table

from calibration.evidence.making import printed
from companion.model import Piece, Space, SpaceSeen
from companion.vision.board.places import places
from companion.vision.board.standing import Match
from companion.vision.loading import make_scene
from companion.vision.measuring import make_view
from companion.vision.reading.uncast import perhaps_more, shadowed, shadows_within, uncast
from companion.vision.sight import read
from companion.vision.view.scene import PIXELS_PER_MM

SQUARES = np.repeat(np.repeat(np.arange(4, dtype=np.int16).reshape(1, 4), 40, axis=0), 40, axis=1)
FACE = 700.0
SURE = SpaceSeen((), 0.9998, False, {(): 0.0, (0,): -9.4, (2,): -9.4})


def masks() -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((40, 160), bool), np.zeros((40, 160), bool)


def test_what_is_dim_within_a_square_and_has_no_caster() -> None:
    dim, cast = masks()
    dim[10:30, 15:21] = True  # the dark side of a disc whose top looks like the square
    dim[10:30, 50:56] = cast[10:30, 50:56] = True
    dim[18:20, 95:98] = True  # too little
    dim[::2, 125::7] = True  # noise
    assert shadows_within(dim, cast, SQUARES, FACE) == {0}


def test_a_large_shadow_lies_on_squares_that_are_empty() -> None:
    dim, cast = masks()
    dim[:, 20:100] = True
    assert shadows_within(dim, cast, SQUARES, FACE) == set()


def test_a_square_with_such_a_shadow_is_rather_empty_and_no_longer_surely() -> None:
    scene = make_scene(*printed("game-of-god", (("size", 8),)))
    names = list(scene.sheet.spaces)
    spaces = {name: SURE for name in names} | {names[2]: SpaceSeen((0,), 0.99, False, {(0,): 0.0, (): -9.4})}
    dim = np.zeros((round(scene.sheet.height * PIXELS_PER_MM), round(scene.sheet.width * PIXELS_PER_MM)), bool)
    for name in names[:4]:
        x, y = (round(PIXELS_PER_MM * v) for v in (scene.sheet.spaces[name].x, scene.sheet.spaces[name].y))
        dim[y - 9 : y + 9, x - 4 : x + 4] = True
    found = uncast(dim, np.zeros_like(dim), scene, spaces, {names[1]})
    changed = [name for name in names if found[name] != spaces[name]]
    assert changed == [names[0], names[3]]
    assert found[names[0]].content == () and 0.85 < found[names[0]].confidence < 0.95


@pytest.mark.parametrize(
    ("half", "away", "unsure"),
    [((24, 6), 0.0, True), ((24, 6), 0.9, False), ((3, 3), 0.0, False), ((90, 6), 0.0, False)],
    ids=["within it", "over its rim", "a stain", "across it"],
)
def test_a_base_in_which_something_casts_a_shadow_is_not_surely_empty(
    half: tuple[int, int], away: float, unsure: bool
) -> None:
    """Of white pawns in a white base little else was seen, and it was surely empty."""
    scene = make_scene(*printed("parcheesi", ()))
    spaces = dict.fromkeys(scene.sheet.spaces, SURE)
    dim = np.zeros((round(scene.sheet.height * PIXELS_PER_MM), round(scene.sheet.width * PIXELS_PER_MM)), bool)
    base, (high, wide) = scene.sheet.spaces["base1"], half
    y, x = round(PIXELS_PER_MM * (base.y + away * base.radius)), round(PIXELS_PER_MM * base.x)
    dim[max(y - high, 0) : y + high, x - wide : x + wide] = True
    assert shadowed(dim, scene, spaces) == ({"base1"} if unsure else set())
    held = spaces | {"base1": SpaceSeen((0,), 0.99, False, {(0,): 0.0, (): -9.4})}
    assert shadowed(dim, scene, held) == set()


@pytest.mark.parametrize(
    ("half", "more"), [((20, 6), {"home1"}), ((4, 4), set()), ((20, 90), {"home1"})], ids=["a peg", "a foot", "a bar"]
)
def test_beside_a_pawn_in_a_home_a_shadow_of_its_size_may_be_another_one(half: tuple[int, int], more: set[str]) -> None:
    """Filmed by Blender (78001): of two red pegs in a red home one was read, surely, and a player was accused."""
    scene = make_scene(*printed("parcheesi", ()))
    home, shape = scene.sheet.spaces["home1"], scene.surface.inks.shape
    where = places(scene.sheet, np.array([home.x, home.y, 700.0]), shape)
    stands = int(np.flatnonzero(where.space == list(scene.sheet.spaces).index("home1"))[0])
    nothing = np.zeros((shape[0] * shape[1], 4), np.float32)
    found = Match(where, nothing, 1.0, np.ones(len(where.feet), bool), nothing[:, 0])
    found.put((stands, 1))
    spaces = dict.fromkeys(scene.sheet.spaces, SURE) | {"home1": SpaceSeen((1,), 0.99, False, {(1,): 0.0, (): -9.4})}
    dim, (high, wide) = np.zeros(shape, bool), half
    y, x = round(PIXELS_PER_MM * home.y), round(PIXELS_PER_MM * home.x)
    dim[y - high : y + high, x - wide : x + wide] = True
    assert perhaps_more(dim, found, scene, spaces, ()) == more
    assert perhaps_more(dim, found, scene, spaces, {"home1"}) == set()


@pytest.mark.long(but=("pawn",))
@pytest.mark.parametrize("kind", ["pawn", "marble", "disc"])
def test_a_base_may_lie_beside_the_board(kind: str) -> None:
    """On each side; of one on the left the opposite part of the board was asked, or none, which was an error."""
    sheet, texture = table.board()
    beside = {"base1": (-60.0, 150.0), "base2": (150.0, -60.0), "base3": (360.0, 150.0), "home1": (150.0, 360.0)}
    spaces = {**sheet.spaces, **{name: Space(name, x, y, 25.0) for name, (x, y) in beside.items()}}
    scene = make_scene(replace(sheet, spaces=spaces, piece=Piece(kind, 12.0, 12.0)), texture)
    pose = table.camera(tilt=10.0, turn=0.0, size=(1600, 1200))
    pose = replace(pose, focal=0.7 * pose.focal)
    view = make_view(pose, scene)
    last = None
    for pieces in ([(3, 90, 90)], [(3, 130, 90)]):
        seen, last = read(table.draw(sheet, texture, pose, pieces), scene, view, None, last)
        assert all(seen[name].content == () and not seen[name].covered for name in beside)
