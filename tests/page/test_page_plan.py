"""Where pieces are drawn, and what spaces are called."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import pytest

from calibration import parcheesi_board
from companion.model import Nouns, Sheet, Space
from companion.page import plan
from companion.page.plan import Plan

SHEET = parcheesi_board.sheet()
PLAN = Plan(SHEET)


def test_pieces_stand_apart_and_on_their_space() -> None:
    for name, place in PLAN.places.items():
        count = 4 if place.space.is_area else 2
        spots = place.spots(count)
        apart = min(math.dist(a, b) for a, b in itertools.combinations(spots, 2))
        assert apart >= PLAN.diameter * 0.99, name
        far = max(math.dist(spot, (place.space.x, place.space.y)) for spot in spots)
        assert far <= max(place.space.radius, PLAN.diameter), name


def test_two_stand_across_the_path() -> None:
    (ax, ay), (bx, by) = PLAN.places["t0"].spots(2)
    assert ay == by and abs(ax - bx) > PLAN.diameter
    (ax, ay), (bx, by) = PLAN.places["t17"].spots(2)
    assert ax == bx and abs(ay - by) > PLAN.diameter


def test_a_crowd_on_a_space_stands_closer_about_its_middle() -> None:
    """Two take all the room there is; four, which may not be, are drawn so that they can be counted."""
    place = Plan(SHEET).places["t17"]
    two, four = place.spots(2), place.spots(4)
    assert math.dist(two[0], two[1]) == pytest.approx(math.dist(four[0], four[2]))
    for spots in (two, four, place.spots(3)):
        middle = [sum(axis) / len(spots) for axis in zip(*spots, strict=True)]
        assert middle == pytest.approx([place.space.x, place.space.y])
        assert {spot[0] for spot in spots} == {place.space.x}


def test_the_page_is_told_where_two_stand_on_each_kind_of_space() -> None:
    """x and y in mm, the direction in which they stand side by side, how far apart, and whether it is an area."""
    told = Plan(SHEET).to_json()
    assert told["diameter"] == 15.6, "1.3 times the pawn's 12 mm"
    assert {name: told["spaces"][name][:6] for name in ("t0", "t17", "lane0.1", "base0", "home2")} == {
        "t0": [233, 309, 1, 0, 16.22, False],
        "t17": [309, 167, 0, -1, 16.22, False],
        "lane0.1": [200, 360, 1, 0, 16.22, False],
        "base0": [316.5, 316.5, 1, 0, 20, True],
        "home2": [200, 168, 1, 0, 8.11, True],
    }
    assert told["seats"][2] == {"seat": 2, "name": "yellow", "mark": "triangle"}


def test_pieces_in_an_area_stay_when_another_comes() -> None:
    place = PLAN.places["base0"]
    assert place.spots(3) == place.spots(4)[:3]


def test_neighbours_do_not_overlap() -> None:
    track = [place.space for place in PLAN.places.values() if not place.space.is_area]
    nearest = min(math.dist((a.x, a.y), (b.x, b.y)) for a, b in itertools.combinations(track, 2))
    assert PLAN.diameter < nearest


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("t12", "space 12"),
        ("base0", "red's circle"),
        ("base0.3", "red's circle"),
        ("home2", "yellow's home"),
        ("lane1.4", "green's lane 4"),
        ("center", "the centre"),
        ("", "beside the board"),
        ("a8", "a8"),
    ],
)
def test_labels(name: str, words: str) -> None:
    assert PLAN.label(name) == words


def test_places_of_seats_that_do_not_play_are_named_by_their_colour() -> None:
    said = [PLAN.label(name, players=(0, 2)) for name in ("base0.3", "base1", "lane3.4", "home1", "t4")]
    assert said == ["red's circle", "the green circle", "the blue lane 4", "the green home", "space 4"]


def test_labels_use_the_words_of_the_game() -> None:
    nouns = Nouns(piece="marble", base="base", home="HOME", lane="HOME", space="hole")
    names = ("t3", "base0.2", "lane1.4")
    assert [PLAN.label(name, nouns) for name in names] == ["hole 3", "red's base", "green's HOME 4"]
    assert PLAN.to_json(nouns)["spaces"]["t3"][-1] == "hole 3"


def test_several_pieces_are_called_by_their_own_word() -> None:
    """The page added an s: "the camera sees 9 mans elsewhere"."""
    assert PLAN.to_json(Nouns(piece="man", several="men"))["nouns"]["pieces"] == "men"
    assert PLAN.to_json(Nouns(piece="marble"))["nouns"]["pieces"] == "marbles"
    scripts = Path(plan.__file__).parent / "static"
    assert not [script.name for script in scripts.glob("*.js") if "nouns.piece}s" in script.read_text(encoding="utf-8")]


def test_a_place_in_a_base_is_drawn_in_the_base() -> None:
    assert PLAN.place("base0.3") is PLAN.place("base0")
    assert PLAN.place("nowhere") is None


def test_a_board_of_squares() -> None:
    squares = {
        f"{c}{r}": Space(f"{c}{r}", 25.0 + 50 * i, 25.0 + 50 * r, 22.0) for i, c in enumerate("ab") for r in (1, 2)
    }
    plan = Plan(replace(SHEET, spaces=squares))
    assert plan.ways == {} and plan.diameter == pytest.approx(15.6)
    assert plan.places["a1"].spots(1) == [(25.0, 75.0)]


def test_a_board_of_one_space() -> None:
    lone: Sheet = replace(SHEET, spaces={"center": Space("center", 10, 10, 5)})
    assert Plan(lone).places["center"].spots(1) == [(10, 10)]
