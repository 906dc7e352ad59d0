"""What is taken for a piece, or for nothing, though it has not the outline of a piece: such readings are doubts."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace

import cv2
import numpy as np
import table_drawing as table

from companion.model import BoardSeen, Sheet, SpaceSeen
from companion.vision import Scene, look, make_scene
from companion.vision.board.hands import held, hidden, room_hidden, unlike_spaces
from companion.vision.board.matching import match
from companion.vision.board.places import Places, places
from companion.vision.board.standing import Match
from companion.vision.light.today import Light
from companion.vision.reading.doubts import _shadows_for_pieces, _strange
from companion.vision.reading.lone import lone_shapes
from companion.vision.reading.plain_sight import misfits, misunderstood
from companion.vision.view.scene import PIXELS_PER_MM

SHEET, TEXTURE = table.board()
SIDE = round(table.SIDE * PIXELS_PER_MM)
AWAY, THERE = -2.3, 3.0  # nats a pixel


@lru_cache
def scene() -> Scene:
    return make_scene(SHEET, TEXTURE)


@lru_cache
def where() -> Places:
    return places(SHEET, np.array([150.0, 600.0, 500.0]), (SIDE, SIDE))


def matched(shown: np.ndarray) -> Match:
    """What is put on the board where a mask, uint8 (SIDE, SIDE), shows the first colour."""
    told = np.full((SIDE * SIDE, len(SHEET.colors)), AWAY, np.float32)
    told[shown.ravel() > 0, 0] = THERE
    return match(where(), told, told.max(axis=1), SHEET)


def colourless(odd: np.ndarray, dim: np.ndarray) -> SimpleNamespace:
    """The evidence where nothing looks like a piece. odd: nats against the empty board; dim: as in a shadow."""
    away = np.full((odd.size, len(SHEET.colors)), AWAY, np.float32)
    return SimpleNamespace(odd=odd, dim=dim, most=away.max(axis=1), open=away)


def names(spaces: set[int], sheet: Sheet = SHEET) -> set[str]:
    return {name for index, name in enumerate(sheet.spaces) if index in spaces}


def outline(space: str) -> np.ndarray:
    """Where a pawn would be seen that stands in the middle of a space."""
    mask = np.zeros(SIDE * SIDE, np.uint8)
    mask[where().hidden_by(int(np.searchsorted(where().space, list(SHEET.spaces).index(space))))[0]] = 1
    return mask.reshape(SIDE, SIDE)


def disc(x: float, y: float, radius: float) -> np.ndarray:
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.circle(mask, (round(x * PIXELS_PER_MM), round(y * PIXELS_PER_MM)), round(radius * PIXELS_PER_MM), 1, -1)
    return mask


def test_a_pawn_fits() -> None:
    found = matched(outline("t3"))
    assert [int(where().space[place]) for place, _ in found.standing] == [list(SHEET.spaces).index("t3")]
    assert not misfits(found, np.zeros((SIDE, SIDE), np.uint8))


def test_what_ends_where_an_ink_ends_is_a_print_and_no_pawn() -> None:
    """A dot of an ink that was met badly looks like a piece all over, and nowhere beside it."""
    t3 = SHEET.spaces["t3"]
    dot = disc(t3.x, t3.y, 6.5)
    found = matched(dot)
    assert found.standing, "a pawn is imagined on it"
    assert names(misfits(found, dot)) == {"t3"}


def test_a_part_of_something_larger_is_no_pawn() -> None:
    base = SHEET.spaces["base0"]
    thing = disc(base.x, base.y + 26, 14)  # most of it lies beside the base, where no pawn can stand
    found = matched(thing)
    assert found.standing, "a pawn is imagined at its edge"
    assert names(misfits(found, np.zeros((SIDE, SIDE), np.uint8))) == {"base0"}


def test_a_strange_thing_on_a_space_is_a_doubt_wherever_it_lies_there() -> None:
    """It lies off the middle, so that most of where a pawn would usually stand is seen to be the board."""
    t3 = SHEET.spaces["t3"]
    odd = np.where(disc(t3.x + 6, t3.y - 6, 9) > 0, np.float32(4), np.float32(-3))
    told = colourless(odd, np.zeros(odd.shape, bool))
    spaces = {name: SpaceSeen((), 1.0, False, {(): 0.0}) for name in SHEET.spaces}
    nothing = matched(np.zeros((SIDE, SIDE), np.uint8))
    mask = np.zeros(odd.shape, bool)
    assert misunderstood(nothing, told, mask, spaces, {}) == {"t3"}
    assert not misunderstood(nothing, told, odd > 0, spaces, {}), "a hand is not strange"


def test_nobody_knows_what_stands_on_the_hidden_part_of_a_base() -> None:
    base = SHEET.spaces["base0"]
    hidden = disc(base.x + 16, base.y - 10, 16) > 0
    assert room_hidden(hidden, where(), SHEET) == {"base0"}
    assert not room_hidden(disc(base.x + 33, base.y, 10) > 0, where(), SHEET)
    assert not room_hidden(np.zeros((SIDE, SIDE), bool), where(), SHEET)


def test_what_goes_on_into_a_hand_may_be_a_finger() -> None:
    """A hand rests beside two spaces; from one of the two pawns that are imagined something leads to it."""
    t3 = SHEET.spaces["t3"]
    found = matched(outline("t3") | outline("t6"))
    mask, odd = disc(t3.x, t3.y + 45, 20) > 0, np.full((SIDE, SIDE), -3, np.float32)
    assert not held(found, odd, mask)
    x, y = round(t3.x * PIXELS_PER_MM), round(t3.y * PIXELS_PER_MM)
    odd[y : y + round(45 * PIXELS_PER_MM), x - 4 : x + 4] = 1.5
    assert names(held(found, odd, mask)) == {"t3"}
    assert not held(found, odd, np.zeros_like(mask)), "where there is no hand nothing is held"


def test_a_ring_of_the_print_that_has_the_colour_of_an_arm_keeps_no_part_of_it_from_being_seen() -> None:
    odd = np.full((SIDE, SIDE), -3, np.float32)
    odd[80:175, :220] = 4
    cv2.circle(odd, (120, 150), 30, -3.0, round(8 * PIXELS_PER_MM))
    inside = disc(120 / PIXELS_PER_MM, 150 / PIXELS_PER_MM, 18) > 0
    assert hidden(odd, SHEET)[inside].all()
    assert not hidden(np.where(inside, odd, np.float32(-3)), SHEET).any(), "without the arm it might be pieces"


def test_a_colour_plainly_seen_beside_the_pieces_of_a_base_is_a_doubt_though_it_may_be_a_shadow_s() -> None:
    """Rendered: of four green meeples in the sun two were taken for shadows of its bars' colour, with 0.999."""
    first = int(np.searchsorted(where().space, list(SHEET.spaces).index("base0")))
    shape = np.zeros(SIDE * SIDE, bool)
    shape[where().hidden_by(first)[0]] = True
    dim, mask = shape.reshape(SIDE, SIDE), np.zeros((SIDE, SIDE), bool)
    spaces = {name: SpaceSeen((), 1.0, False, {(): 0.0}) for name in SHEET.spaces}
    nothing = matched(np.zeros((SIDE, SIDE), np.uint8))
    for nats, doubts in ((2.5, {"base0"}), (1.0, set())):
        most = np.where(shape, np.float32(nats), np.float32(AWAY))
        told = SimpleNamespace(odd=np.full(dim.shape, np.float32(-3.6)), dim=dim, most=most, open=most[:, None])
        for content in ((), (0,)):
            spaces["base0"] = SpaceSeen(content, 1.0, False, {content: 0.0})
            assert misunderstood(nothing, told, mask, spaces, {}) == doubts, (nats, content)
    told.most = np.where(shape, np.float32(2.5), np.float32(AWAY))
    assert not misunderstood(nothing, told, dim, spaces, {}), "a hand lies there"


def test_where_all_other_spaces_plainly_are_the_board_one_that_hardly_is_is_a_doubt() -> None:
    t3 = SHEET.spaces["t3"]
    odd = np.where(disc(t3.x, t3.y - 4, 9) > 0, np.float32(-0.5), np.float32(-3.6))
    told = colourless(odd, np.zeros(odd.shape, bool))
    spaces = {name: SpaceSeen((), 1.0, False, {(): 0.0}) for name in SHEET.spaces}
    nothing, mask = matched(np.zeros((SIDE, SIDE), np.uint8)), np.zeros((SIDE, SIDE), bool)
    assert misunderstood(nothing, told, mask, spaces, {}) == {"t3"}
    assert not misunderstood(nothing, told, mask, spaces, {"t3"}), "it is known from before"
    told.odd = np.maximum(odd, -2)
    assert not misunderstood(nothing, told, mask, spaces, {}), "the print is met as badly elsewhere"


def test_something_dark_of_a_pawns_outline_that_stands_by_itself_is_a_doubt_and_what_goes_on_is_a_shadow() -> None:
    """Rendered: three teal pawns in HOME, in blue light from a window, were surely nothing."""
    shape, nothing = outline("t3") > 0, np.zeros((SIDE, SIDE), bool)
    asked = np.array([True] * len(SHEET.spaces))
    t3 = SHEET.spaces["t3"]

    def lone(dark: np.ndarray, hidden: np.ndarray = nothing, cast: np.ndarray = nothing) -> set[str]:
        told = colourless(np.where(dark, np.float32(1.5), np.float32(-3)), nothing)
        return names(lone_shapes(where(), told, hidden, cast, asked))

    assert lone(shape) == {"t3"}
    veiled = colourless(np.full((SIDE, SIDE), np.float32(-3)), shape)
    assert names(lone_shapes(where(), veiled, nothing, nothing, asked)) == {"t3"}, "as dark as a shadow"
    assert lone_shapes(where(), veiled, nothing, nothing, ~asked) == set()
    assert not lone(disc(t3.x, t3.y, 20) > 0), "the shadow of something larger"
    assert not lone(shape, cast=shape), "the shadow of a piece that was found"
    beside = cv2.dilate(shape.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    assert not lone(shape, hidden=beside & ~shape), "the rest of a hand"
    tail = np.logical_or.reduce([disc(t3.x + far, t3.y + 0.4 * far, 10) > 0 for far in (0, 3, 6, 9, 12)])
    assert lone(shape | tail) == {"t3"}, "with its own shadow"
    assert not lone(shape | tail, hidden=disc(t3.x + 24, t3.y + 9, 9) > 0), "that of a piece at its end"


def test_something_of_a_pawns_outline_beside_the_pieces_of_a_base_is_a_doubt_too() -> None:
    """Rendered: of four olive meeples in a yellow base, in two lights, one was read, with 0.999."""
    first = int(np.searchsorted(where().space, list(SHEET.spaces).index("base0")))
    shape = np.zeros(SIDE * SIDE, bool)
    shape[where().hidden_by(first)[0]] = True
    nothing, found = np.zeros((SIDE, SIDE), bool), matched(np.zeros((SIDE, SIDE), np.uint8))
    odd = np.where(shape.reshape(SIDE, SIDE), np.float32(1.5), np.float32(-3.6))
    told = colourless(odd, odd > 0)
    seen = {"pieces": nothing, "mask": nothing, "shadow": nothing, "uncast": nothing}
    board = SimpleNamespace(known={}, told=told, unlike=set(), found=found, **seen)
    spaces = {name: SpaceSeen((), 1.0, False, {(): 0.0}) for name in SHEET.spaces}
    view = SimpleNamespace(places=where())
    for content in ((), (0,), (0, 0)):
        spaces["base0"] = SpaceSeen(content, 1.0, False, {content: 0.0})
        assert _strange(board, spaces, scene(), view) == {"base0"}, content
    spaces["base0"] = SpaceSeen((), 0.0, True)
    assert not _strange(board, spaces, scene(), view), "it is covered"


def test_a_pawn_lying_across_the_edge_of_a_base_does_not_surely_stand_there() -> None:
    picture = table.draw(SHEET, TEXTURE, table.camera())
    base = SHEET.spaces["base0"]
    ends = table.camera().project([(base.x - 38, base.y - 8, 5.0), (base.x - 16, base.y - 3, 5.0)])
    cv2.line(picture, *(tuple(round(c) for c in end) for end in ends.tolist()), (150, 60, 20), 26, cv2.LINE_AA)
    seen, _ = look(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8), scene())
    assert isinstance(seen, BoardSeen), seen
    assert not seen.spaces["base0"].content or seen.spaces["base0"].confidence < 0.9


def holes(light: float, smooth: tuple[str, ...] = (), otherwise: tuple[str, ...] = ()) -> np.ndarray:
    """A wooden board of drilled holes, linear, at half the size; the side away from the light, 1 or −1, is in shade.

    smooth: holes that something of the board's colour covers; otherwise: those into which light falls from above.
    """
    view = np.full((SIDE // 2, SIDE // 2, 3), 0.4, np.float32)
    y, x = (np.mgrid[: SIDE // 2, : SIDE // 2] + 0.5) * 2 / PIXELS_PER_MM
    for name, space in SHEET.spaces.items():
        far = np.hypot(x - space.x, y - space.y) < 8
        way = (space.y - y) if name in otherwise else light * (x - space.x)
        view[far] *= 1 + 0.01 * (y - space.y)[far, None] if name in smooth else 0.9 + 0.1 * way[far, None]
    return view


def unlike(seen: np.ndarray) -> set[str]:
    return unlike_spaces(seen, holes(1), np.zeros((SIDE, SIDE), bool), scene())


def test_holes_lit_from_the_other_side_are_holes_still() -> None:
    assert unlike(holes(1)) == set()
    assert unlike(holes(-1, smooth=("t4",))) == {"t4"}, "what covers a hole is none"
    few = ("t2", "t3", "t9")
    assert unlike(holes(1, otherwise=few)) == set(few), "a few that look otherwise are not what the light does"


def test_a_piece_that_may_be_a_shadow_is_a_doubt() -> None:
    """Shadows of green pawns on dark wood were surely black ones, with 0.9995; along the edge of a head's shadow, over
    an empty base, two pawns of its colour were seen, with 0.998 (filmed by Blender, 65011)."""
    where = places(SHEET, table.camera().eye, (SIDE, SIDE))
    place = int(np.searchsorted(where.space, 3))
    evidence = np.full((SIDE * SIDE, 4), THERE, np.float32)
    found = Match(where, evidence, 15.0, np.ones(len(where.feet), bool), evidence[:, 0], [(place, 1)])
    dim = np.zeros((SIDE, SIDE), bool)
    dim.ravel()[where.hidden_by(place)[0]] = True
    none, edge = np.zeros_like(dim), dim[::2, ::2]

    printed = np.full((SIDE, SIDE, 3), 0.3, np.float32)
    bare = np.full((SIDE, SIDE, 3), round(255 * 0.3 ** (1 / 2.2)), np.uint8)
    light, board_ = Light(np.eye(3), np.zeros(3), np.zeros((6, 3))), SimpleNamespace(linear=printed)

    def doubts(
        looks: np.ndarray, shadow: np.ndarray, edges: np.ndarray | None = None, flat: np.ndarray = bare, said: float = 1
    ) -> set[int]:
        kept = SimpleNamespace(today=SimpleNamespace(edges=edges), flat=flat, light=light)
        match = Match(where, evidence * np.float32(said), 15.0, found.busy, evidence[:, 0], [(place, 1)])
        board = SimpleNamespace(found=match, told=SimpleNamespace(dim=looks), shadow=shadow, kept=kept)
        return _shadows_for_pieces(board, SimpleNamespace(print=board_))  # type: ignore[arg-type]

    assert doubts(dim, dim) == doubts(dim, none, edge) == {3}
    assert doubts(~dim, dim) == doubts(~dim, none, edge) == doubts(~dim, none) == doubts(dim, none) == set()
    pawn, shaded = bare.copy(), bare.copy()
    pawn.reshape(-1, 3)[where.hidden_by(place)[0]] = (30, 30, 160)
    shaded[:, : SIDE // 2] //= 2
    assert doubts(dim, none, edge, pawn) == set(), "it has a pawn's outline"
    assert doubts(dim, none, edge, pawn, 0.1) == {3}, "but hardly looks like its paint"
    assert doubts(dim, none, edge, shaded) == {3}, "no shadow has a pawn's outline"
