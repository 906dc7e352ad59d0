"""Where something came that is no piece as far as is seen, one may stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import table_drawing as table
from test_witness import EVERY, PALE, RULED

from companion.model import SpaceSeen
from companion.vision import Memory, learn, look, make_scene
from companion.vision.arrived import unexplained, with_arrivals
from companion.vision.witness import place_of

THREE, FOUR = (0, 0, 0), (0, 0, 0, 0)


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
