"""Pieces of others in a base are a doubt, and of those who do not play anywhere: no game sends them there."""

from __future__ import annotations

from dataclasses import replace

import pytest
import table_drawing as table

from companion.model import Content, SpaceSeen
from companion.service.boards.configured import printed_board
from companion.vision import make_scene
from companion.vision.reading.doubts import _mixed

SHEET, TEXTURE = table.board()
SCENE = make_scene(SHEET, TEXTURE)


@pytest.mark.parametrize(
    ("space", "content", "mixed"),
    [
        ("base0", (0, 0, 0, 0), False),
        ("base0", (), False),
        ("base0", (0, 0, 0, 0, 2, 2, 2), True),
        ("base0", (2,), True),
        ("t0", (0, 2), False),
        ("lane0.1", (2,), False),
    ],
    ids=["its own", "none", "yellow ones among them", "a yellow one alone", "on a space", "in a lane"],
)
def test_pieces_of_others_in_a_base_are_a_doubt(space: str, content: Content, mixed: bool) -> None:
    """Round four orange pegs the lacquer was yellow: seven pawns stood there, and "one yellow pawn too many"."""
    spaces = {name: SpaceSeen(content if name == space else (), 0.99) for name in SHEET.spaces}
    assert _mixed(spaces, SCENE) == ({space} if mixed else set())


@pytest.mark.parametrize(
    ("space", "content", "mixed"),
    [
        ("t7", (3,), True),
        ("lane0.1", (0, 1), True),
        ("t7", (2, 2), False),
        ("base0", (0, 0), False),
        ("base0", (1,), True),
    ],
)
def test_so_are_pieces_of_those_who_do_not_play(space: str, content: Content, mixed: bool) -> None:
    """Filmed (109864): the blue shadow of a red pawn was a green one, and the two at the table were accused."""
    spaces = {name: SpaceSeen(content if name == space else (), 0.99) for name in SHEET.spaces}
    assert _mixed(spaces, replace(SCENE, players=frozenset({0, 2}))) == ({space} if mixed else set())


@pytest.mark.parametrize(("content", "mixed"), [((2,), False), ((), False), ((1,), True)])
def test_so_they_are_in_the_holes_of_a_base(content: Content, mixed: bool) -> None:
    """By the light of a screen three red marbles of glass were surely orange, each in its hole of red's base."""
    holes = make_scene(*printed_board("aggravation")[:2])
    spaces = {name: SpaceSeen(content if name == "base2.3" else (), 0.99) for name in holes.sheet.spaces}
    assert _mixed(spaces, holes) == ({"base2.3"} if mixed else set())
