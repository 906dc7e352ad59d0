"""Where something came that is no piece as far as is seen, one may stand; and where one stood and none is seen, unless
the board looks bare there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import table_drawing as table
from test_witness import EVERY, PALE, PIECES, RULED

from companion.model import SpaceSeen
from companion.vision import Memory, learn, look, make_scene
from companion.vision.arrived import unexplained, with_arrivals
from companion.vision.stayed import with_stays
from companion.vision.witness import place_of

THREE, FOUR = (0, 0, 0), (0, 0, 0, 0)
GREY = (2, 210.0, 130.0)  # the pawn on t4


@pytest.fixture(scope="module")
def drawn() -> tuple:
    """The scene, its picture, the camera and what the eyes remember of the board as it was ruled."""
    sheet, texture = table.board()
    object.__setattr__(sheet, "colors", {int(seat): color for seat, color in PALE.items()})
    scene, pose = make_scene(sheet, texture), table.camera()
    _, memory = look(table.draw(sheet, texture, pose, EVERY), scene)
    return scene, texture, pose, learn(memory, scene, RULED)


def places_of(drawn: tuple) -> tuple:
    """All places, and which of them are on base0."""
    scene, _, _, memory = drawn
    where = memory.view.places
    return where, np.flatnonzero(where.space == list(scene.sheet.spaces).index("base0"))


def sure(content: tuple) -> SpaceSeen:
    return SpaceSeen(content, 0.999, False, {content: 0.0})


@pytest.mark.long(but=("the empty board",))
@pytest.mark.parametrize("share, there, more", [(1.0, True, True), (0.4, True, False), (1.0, False, False)],
                         ids=["all of a piece", "a part of one", "the empty board"])  # fmt: skip
def test_what_came_as_large_as_a_piece_may_be_one(drawn: tuple, share: float, there: bool, more: bool) -> None:
    scene, texture, pose, memory = drawn
    where, rows = places_of(drawn)
    free = rows[np.abs(where.feet[rows] - (240, 160)).sum(axis=1).argmin()]
    came = [(0, *where.feet[free])] if there else []
    _, after = look(table.draw(scene.sheet, texture, pose, EVERY + came), scene, Memory(view=memory.view))
    pixels = where.pixels(np.array([free]))[0]
    strange = np.zeros(where.shape, bool)
    strange.ravel()[pixels[: round(share * len(pixels))]] = True
    read = {"base0": sure(THREE), "t0": sure(())}
    told = with_arrivals(read, strange, after.look.kept, memory.learned, scene.sheet)
    assert (told["base0"].log_likelihood(FOUR) > -1) == more
    assert told["base0"].content == THREE and told["t0"] == read["t0"]


@pytest.mark.parametrize("name, seen, more", [("t2", (), True), ("t2", (1,), False), ("t0", (), False)],
                         ids=["an empty space", "a piece that is seen", "a space where one stood"])  # fmt: skip
def test_what_came_to_an_empty_space_may_be_anybodys(drawn: tuple, name: str, seen: tuple, more: bool) -> None:
    scene, texture, pose, memory = drawn
    where, names = memory.view.places, list(scene.sheet.spaces)
    space = scene.sheet.spaces[name]
    picture = table.draw(scene.sheet, texture, pose, [*EVERY, (3, space.x, space.y)])
    _, after = look(picture, scene, Memory(view=memory.view))
    rows = np.flatnonzero(where.space == names.index(name))
    strange = np.zeros(where.shape, bool)
    strange.ravel()[where.pixels(rows)] = True
    told = with_arrivals({name: sure(seen)}, strange, after.look.kept, memory.learned, scene.sheet)[name]
    assert all((told.log_likelihood((seat,)) > -1) == more for seat in (0, 2, 3))


def test_what_changed_where_a_piece_stands_or_stood_is_explained(drawn: tuple) -> None:
    where, rows = places_of(drawn)
    learned = drawn[3].learned
    there, nobody = int(rows[0]), replace(learned, standing=())
    changed = np.zeros(where.shape, bool)
    changed.ravel()[where.hidden_by(there)[0]] = True
    assert unexplained(changed, where, nobody, []).any()
    assert not unexplained(changed, where, nobody, [(there, 0)]).any(), "a piece stands there now"
    assert not unexplained(changed, where, nobody, [], changed).any(), "the shadow of one lies there"
    stood = changed & False
    stood.ravel()[where.hidden_by(place_of(where, learned.standing[0]))[0]] = True
    assert not unexplained(stood, where, learned, []).any() and unexplained(stood, where, nobody, []).any()
    assert not unexplained(changed, where, replace(nobody, shown=~changed), []).any(), "it was hidden then"


@pytest.mark.long(but=("nothing",))
@pytest.mark.parametrize("came", [False, True], ids=["nothing", "a pawn"])
def test_a_pale_pawn_that_came_to_its_pale_base_is_not_surely_none(drawn: tuple, came: bool) -> None:
    scene, texture, pose, memory = drawn
    pieces = [*EVERY, (0, 240.0, 160.0)] if came else EVERY
    frame = table.draw(scene.sheet, texture, pose, pieces)
    seen, _ = look(frame, scene, Memory(view=memory.view, learned=memory.learned), at=1.0)
    assert (seen.spaces["base0"].log_likelihood(FOUR) > -1) == came


def told_of(drawn: tuple, pieces: list, told: tuple = (), standing: bool = False, **shown: object) -> object:
    """What is told of t4, read as surely empty, in a picture of some pieces."""
    scene, texture, pose, memory = drawn
    frame = table.draw(scene.sheet, texture, pose, pieces, **shown)
    _, after = look(frame, scene, Memory(view=memory.view))
    kept = after.look.kept
    there = kept.standing if standing else []
    return with_stays({"t4": sure(())}, told, kept, memory.learned, scene.sheet, there)["t4"]


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.5, 0.7, 0.9)], ids=["the same light", "another"])
@pytest.mark.parametrize("left", [False, True], ids=["it stands there", "it left"])
def test_a_piece_that_is_not_seen_may_stand_where_the_board_does_not_look_bare(
    drawn: tuple, left: bool, light: tuple
) -> None:
    pieces = [piece for piece in EVERY if not (left and piece in PIECES["t4"])]
    seen = told_of(drawn, pieces, light=light)
    assert (seen.log_likelihood((2,)) > -1) == (not left) and seen.content == ()


def test_what_its_own_picture_tells_is_left_so(drawn: tuple) -> None:
    assert told_of(drawn, EVERY, told=("t4",)).log_likelihood((2,)) < -1


def test_what_another_piece_hides_tells_nothing(drawn: tuple) -> None:
    others = [piece for piece in EVERY if piece not in PIECES["t4"]]
    there = told_of(drawn, [*others, (3, GREY[1] + 2, GREY[2] + 2)], standing=True)
    assert there.log_likelihood((2,)) < -1


@pytest.mark.parametrize("seen", [(2,), (3,)], ids=["the piece", "another one"])
def test_a_space_on_which_something_is_seen_and_one_that_is_covered_are_left_so(drawn: tuple, seen: tuple) -> None:
    scene, texture, pose, memory = drawn
    _, after = look(table.draw(scene.sheet, texture, pose, EVERY), scene, Memory(view=memory.view))
    for there in (sure(seen), replace(sure(()), covered=True)):
        told = with_stays({"t4": there}, (), after.look.kept, memory.learned, scene.sheet, [])
        assert told["t4"] == there


def test_a_shadow_of_a_piece_over_a_bare_space_tells_nothing(drawn: tuple) -> None:
    scene, texture, pose, memory = drawn
    others = [piece for piece in EVERY if piece not in PIECES["t4"]]
    frame = table.draw(scene.sheet, texture, pose, others)
    _, after = look(frame, scene, Memory(view=memory.view))
    kept, y, x = after.look.kept, *np.round(np.array(GREY[:0:-1]) * 1.25).astype(int)
    dark = kept.flat.copy()
    dark[y - 15 : y + 15, x - 15 : x + 15] //= 2
    shadow = np.zeros(dark.shape[:2], bool)
    shadow[y - 15 : y + 15, x - 15 : x + 15] = True
    for shadows, more in ((None, True), (shadow, False)):
        now = replace(kept, flat=dark)
        told = with_stays({"t4": sure(())}, (), now, memory.learned, scene.sheet, [], shadows)
        assert (told["t4"].log_likelihood((2,)) > -1) == more
