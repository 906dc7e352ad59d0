"""The printable boards of all games: their places as RULES gives them, room for everything, and all their files."""

from __future__ import annotations

import itertools
import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.paper import full_page, tiled
from calibration.sheet import BOARDS, board_for, texture, write_sheet
from companion.games.catalogue import GAMES, game_for
from companion.model import BadInput, Sheet, SheetError, sheet_from_json, sheet_to_json
from companion.referee.folding import places_of_bases
from companion.service.boards.configured import board_options, check_sheet, printed_board, table_for
from companion.service.config import Config

ALL: list[tuple[str, dict[str, Any]]] = [
    ("parcheesi", {}),
    ("parcheesi-print", {}),
    ("gloria", {}),
    ("gloria", {"home": "center"}),
    ("aggravation", {"arms": 4}),
    ("aggravation", {"arms": 6}),
    ("game-of-god", {}),
    ("game-of-god", {"size": 6}),
    ("game-of-god", {"size": 12}),
]
every_board = pytest.mark.parametrize(("game", "options"), ALL, ids=lambda part: str(part))


def sheet_of(game: str, options: dict[str, Any]) -> Sheet:
    return board_for(game, options).sheet()


@cache
def picture_of(game: str, options: tuple[tuple[str, Any], ...]) -> np.ndarray:
    board = board_for(game, dict(options))
    image = cv2.imdecode(np.frombuffer(texture(board.svg(), board.sheet()), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image)


def seats_of(sheet: Sheet) -> list[int]:
    return sorted(sheet.colors)


def unit_places(sheet: Sheet, unit: float) -> dict[str, tuple[float, float]]:
    """Places from the middle of the sheet, in units of `unit` mm."""
    x, y = sheet.width / 2, sheet.height / 2
    return {s.name: ((s.x - x) / unit, (s.y - y) / unit) for s in sheet.spaces.values()}


# --- every board ---


def test_there_is_a_board_for_each_game() -> None:
    assert sorted(BOARDS) == sorted(GAMES)


@every_board
def test_the_board_has_the_spaces_of_its_game_and_no_others(game: str, options: dict[str, Any]) -> None:
    sheet = sheet_of(game, options)
    named = set(game_for(game, seats_of(sheet), options).spaces())
    folded = places_of_bases(sheet.spaces)
    there = (set(sheet.spaces) | set(folded)) - {place for group in folded.values() for place in group}
    assert named == there
    assert all(len(group) == 4 for group in folded.values())


@every_board
def test_there_is_room_for_every_space(game: str, options: dict[str, Any]) -> None:
    sheet = sheet_of(game, options)
    for space in sheet.spaces.values():
        reach = max(space.radius, sheet.piece.diameter / 2)
        assert reach < space.x < sheet.width - reach and reach < space.y < sheet.height - reach, space
    for one, other in itertools.combinations(sheet.spaces.values(), 2):
        apart = math.hypot(one.x - other.x, one.y - other.y)
        assert apart >= one.radius + other.radius, (one, other)
        assert apart >= 1.2 * sheet.piece.diameter, (one, other)


@every_board
def test_pieces_stand_clear_of_the_markers(game: str, options: dict[str, Any]) -> None:
    sheet = sheet_of(game, options)
    assert sheet.markers is not None and len(sheet.markers.centers) == 4
    quiet = sheet.markers.size / 2 * (1 + 2 / 6)
    for x, y in sheet.markers.centers.values():
        assert quiet <= x <= sheet.width - quiet and quiet <= y <= sheet.height - quiet
        for space in sheet.spaces.values():
            beside = math.hypot(max(abs(space.x - x) - quiet, 0), max(abs(space.y - y) - quiet, 0))
            assert beside >= min(space.radius, sheet.piece.diameter / 2), space


@pytest.mark.long(but=("parcheesi-{}", "game-of-god-{'size': 12}"))
@every_board
def test_nothing_is_printed_in_the_markers_quiet_zones(game: str, options: dict[str, Any]) -> None:
    sheet, image = sheet_of(game, options), picture_of(game, tuple(options.items()))
    assert sheet.markers is not None
    scale = image.shape[1] / sheet.width
    for x, y in sheet.markers.centers.values():
        outer, inner = sheet.markers.size / 2 * 4 / 3 - 0.4, sheet.markers.size / 2 + 0.4
        left, right = round((x - outer) * scale), round((x + outer) * scale)
        top, low = round((y - outer) * scale), round((y + outer) * scale)
        zone = image[top:low, left:right].astype(int)
        cut = round((outer - inner) * scale)
        zone[cut:-cut, cut:-cut] = 255
        assert zone.min() > 250


@pytest.mark.long(but=("parcheesi-{}",))
@every_board
def test_the_markers_are_found_where_the_sheet_has_them(game: str, options: dict[str, Any]) -> None:
    sheet, image = sheet_of(game, options), picture_of(game, tuple(options.items()))
    assert sheet.markers is not None
    codes = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(codes).detectMarkers(image)
    scale = image.shape[1] / sheet.width
    found = {int(i): c.reshape(4, 2).mean(axis=0) / scale for i, c in zip(ids.reshape(-1), corners, strict=True)}
    assert set(found) == set(sheet.markers.centers)
    assert all(math.dist(found[i], place) < 0.5 for i, place in sheet.markers.centers.items())


@every_board
def test_every_sheet_survives_json(game: str, options: dict[str, Any]) -> None:
    sheet = sheet_of(game, options)
    assert sheet_from_json(json.loads(json.dumps(sheet_to_json(sheet)))) == sheet


PAGES = [6, 6, 6, 6, 6, 6, 6, 4, 12]


@pytest.mark.long(but=("('parcheesi', {})-6", "('game-of-god', {'size': 12})-12"))
@pytest.mark.parametrize(("board", "pages"), list(zip(ALL, PAGES, strict=True)), ids=lambda part: str(part))
def test_the_pdfs_have_the_right_pages(board: tuple[str, dict[str, Any]], pages: int) -> None:
    drawn = board_for(*board)
    sheet, svg = drawn.sheet(), drawn.svg()
    assert tiled(svg, sheet).count(b"/Type /Page\n") == pages
    assert full_page(svg, sheet).count(b"/Type /Page\n") == 1


@every_board
def test_the_colours_of_the_pieces_are_far_apart(game: str, options: dict[str, Any]) -> None:
    sheet = sheet_of(game, options)
    lab = [in_lab(color) for color in sheet.colors.values()]
    assert min(math.dist(a, b) for a, b in itertools.combinations(lab, 2)) > 30


def in_lab(color: str) -> tuple[float, ...]:
    """L*, a*, b* of "#rrggbb"."""
    bgr = np.array([[[int(color[i : i + 2], 16) / 255 for i in (5, 3, 1)]]], np.float32)
    return tuple(map(float, cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)[0, 0]))


@pytest.mark.long(but=("parcheesi-{}", "game-of-god-{'size': 12}"))
@every_board
def test_the_ground_is_never_the_colour_of_a_piece(game: str, options: dict[str, Any]) -> None:
    """Where a piece may stand, most of the print differs clearly from every piece."""
    sheet, image = sheet_of(game, options), picture_of(game, tuple(options.items()))
    scale = image.shape[1] / sheet.width
    pieces = np.array([in_lab(color) for color in sheet.colors.values()])
    for space in sheet.spaces.values():
        reach = sheet.piece.diameter / 2
        patch = image[
            round((space.y - reach) * scale) : round((space.y + reach) * scale),
            round((space.x - reach) * scale) : round((space.x + reach) * scale),
        ]
        ground = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2LAB).reshape(-1, 3)
        near = np.linalg.norm(ground[:, None] - pieces, axis=2).min(axis=1) < 18
        assert near.mean() < 0.25 or game == "parcheesi", (space, near.mean())


# --- each game's geometry ---


def test_glorias_path_is_that_of_the_grid() -> None:
    """RULES, section 1, from South."""
    sheet = sheet_of("gloria", {})
    at = {name: (x + 5, y + 5) for name, (x, y) in unit_places(sheet, 30.0).items()}
    south = [(5, 10), (4, 10), (4, 9), (4, 8), (4, 7), (4, 6), (3, 6), (2, 6), (1, 6), (0, 6)]
    for number, place in enumerate(south):
        assert at[f"t{number}"] == pytest.approx(place)
    assert at["t10"] == pytest.approx((0, 5)) and at["t20"] == pytest.approx((5, 0)) and at["t30"] == (10, 5)
    assert [at[f"lane0.{n}"] for n in (1, 2, 3, 4)] == [pytest.approx((5, row)) for row in (9, 8, 7, 6)]
    assert {at[f"base0.{n}"] for n in (1, 2, 3, 4)} == {(9, 9), (10, 9), (9, 10), (10, 10)}


def test_the_wider_gloria_keeps_its_columns_and_rows() -> None:
    """GLO-9: with the home in the centre the order of all places in both directions is the same."""
    plain, wide = sheet_of("gloria", {}), sheet_of("gloria", {"home": "center"})
    for axis in ("x", "y"):
        columns = [sorted({round(getattr(s, axis), 1) for s in sheet.spaces.values()}) for sheet in (plain, wide)]
        assert [len(c) for c in columns] == [11, 11]
        for name in plain.spaces:
            one, other = (
                c.index(round(getattr(s.spaces[name], axis), 1)) for c, s in zip(columns, (plain, wide), strict=True)
            )
            assert one == other, name
    center = wide.spaces["center"]
    assert center.is_area and center.radius >= 30


@pytest.mark.parametrize("options", [{}, {"home": "center"}])
def test_gloria_looks_the_same_from_each_side(options: dict[str, Any]) -> None:
    at = unit_places(sheet_of("gloria", options), 1.0)
    for seat in range(3):
        names = [(f"t{10 * seat + n}", f"t{(10 * seat + n + 10) % 40}") for n in range(10)]
        names += [(f"{kind}{seat}.{n}", f"{kind}{seat + 1}.{n}") for kind in ("lane", "base") for n in range(1, 5)]
        for name, turned in names:
            x, y = at[name]
            assert at[turned] == pytest.approx((-y, x), abs=0.02)


def test_both_parcheesi_boards_have_the_same_places() -> None:
    assert sheet_of("parcheesi", {}).spaces == sheet_of("parcheesi-print", {}).spaces
    assert not np.array_equal(picture_of("parcheesi", ()), picture_of("parcheesi-print", ()))


def test_the_print_edition_saves_ink() -> None:
    ink = {name: float(255 - picture_of(name, ()).mean()) for name in ("parcheesi", "parcheesi-print")}
    assert ink["parcheesi-print"] < 0.35 * ink["parcheesi"]


def test_aggravation_on_four_arms() -> None:
    """RULES, section 4, South's arm with A = 4."""
    at = unit_places(sheet_of("aggravation", {"arms": 4}), 24.0)
    track = [(2, 2), *((2, y) for y in (3, 4, 5, 6)), *((x, 7) for x in (2, 1, 0, -1, -2))]
    track += [*((-2, y) for y in (6, 5, 4, 3)), (-2, 2)]
    for number, place in enumerate(track):
        assert at[f"t{number}"] == pytest.approx(place, abs=0.001)
    assert [at[f"lane0.{n}"] for n in (1, 2, 3, 4)] == [pytest.approx((0, y)) for y in (6, 5, 4, 3)]
    assert [at[f"base0.{n}"] for n in (1, 2, 3, 4)] == [pytest.approx((x, 7)) for x in (-3.5, -4.5, -5.5, -6.5)]
    assert at["center"] == (0, 0)


@pytest.mark.parametrize("arms", [4, 6])
def test_aggravation_by_its_description(arms: int) -> None:
    """RULES, section 4: stars on a polygon with sides of 4, arms on its sides, holes a unit apart."""
    sheet = sheet_of("aggravation", {"arms": arms})
    at = {name: np.array(place) for name, place in unit_places(sheet, 24.0).items()}
    assert sheet.width <= 600 and sheet.options == {"arms": arms}
    stars = [at[f"t{14 * k}"] for k in range(arms)]
    assert {round(math.dist(a, b), 2) for a, b in zip(stars, stars[1:] + stars[:1], strict=True)} == {4.0}
    assert len({round(float(np.hypot(*star)), 2) for star in stars}) == 1
    ring = [at[f"t{n}"] for n in range(14 * arms)]
    assert all(math.dist(a, b) == pytest.approx(1, abs=0.01) for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
    for seat in range(arms):
        mouth, start, first = (at[f"t{14 * seat + n}"] for n in (7, 9, 5))
        inward = -mouth / np.hypot(*mouth)
        for n in range(1, 5):
            assert at[f"lane{seat}.{n}"] == pytest.approx(mouth + n * inward, abs=0.01)
            assert at[f"base{seat}.{n}"] == pytest.approx(start + (0.5 + n) * (start - first) / 4, abs=0.01)


@pytest.mark.parametrize("arms", [4, 6])
def test_the_sections_of_aggravation_follow_clockwise_from_south(arms: int) -> None:
    at = unit_places(sheet_of("aggravation", {"arms": arms}), 24.0)
    turns = [math.atan2(at[f"t{14 * seat + 7}"][1], at[f"t{14 * seat + 7}"][0]) for seat in range(arms)]
    assert turns[0] == pytest.approx(math.pi / 2)
    for one, other in itertools.pairwise(turns):
        assert (other - one) % (2 * math.pi) == pytest.approx(2 * math.pi / arms, abs=1e-4)


@pytest.mark.parametrize("size", range(6, 13))
def test_the_squares_of_game_of_god(size: int) -> None:
    """RULES, section 5: a at West, 1 at South."""
    spaces = sheet_of("game-of-god", {"size": size}).spaces
    assert len(spaces) == size**2
    for name, space in spaces.items():
        column, row = "abcdefghijkl".index(name[0]), int(name[1:]) - 1
        assert (space.x, space.y) == (
            pytest.approx(spaces["a1"].x + 40 * column),
            pytest.approx(spaces["a1"].y - 40 * row),
        )


def test_game_of_god_names_its_seats_by_the_compass() -> None:
    data = sheet_to_json(sheet_of("game-of-god", {}))
    assert data["seats"] == {"N": "white", "E": "green", "S": "black", "W": "red"}
    assert list(data["colors"]) == ["N", "E", "S", "W"]


def test_goal_areas_are_tinted_and_the_corners_hatched() -> None:
    """One sheet for two and four: the corners are goal area with two and dead with four (RULES, section 5)."""
    sheet, image = sheet_of("game-of-god", {}), picture_of("game-of-god", ())
    scale = image.shape[1] / sheet.width

    def blue(name: str) -> bool:
        space = sheet.spaces[name]
        b, _, r = image[round((space.y + 16.5) * scale), round((space.x + 18.5) * scale)].astype(int)
        return bool(b > r + 8)

    edge = {name for name in sheet.spaces if name[0] in "ah" or name[1:] in ("1", "8")}
    assert len(edge) == 28 and {name for name in sheet.spaces if blue(name)} == edge

    def lines(name: str) -> bool:
        space = sheet.spaces[name]
        row = image[round(space.y * scale), round((space.x - 16) * scale) : round((space.x + 16) * scale), 1]
        return bool(np.ptp(row.astype(int)) > 20)

    assert {name for name in sheet.spaces if lines(name)} == {"a1", "a8", "h1", "h8"}


# --- which board ---

BAD = [
    ("gloria", {"home": "middle"}, r"home = 'middle'.*'spaces', 'center'"),
    ("gloria", {"opening_dice": 2}, r"opening_dice.*home"),
    ("parcheesi", {"arms": 4}, r"arms.*nothing"),
    ("aggravation", {"arms": 5}, r"arms = 5.*4, 6"),
    ("aggravation", {"arms": True}, r"arms = True"),
    ("game-of-god", {"size": "8"}, r"size = '8'.*8, 6"),
]


@pytest.mark.parametrize(("game", "options", "said"), BAD)
def test_a_board_that_there_is_not_is_refused_with_what_there_is(game: str, options: dict, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        board_for(game, options)


@pytest.mark.long
def test_the_files_are_of_the_board_that_was_asked_for(tmp_path: Path) -> None:
    files = write_sheet("aggravation", tmp_path, {"arms": 6})
    data = json.loads(files[-1].read_text())
    assert data["options"] == {"arms": 6} and len(data["colors"]) == 6
    assert (tmp_path / data["texture"]).exists() and len(files) == 5


@pytest.mark.long(but=("aggravation-seats0-options0-board0", "parcheesi-print-seats6-options6-board6"))
@pytest.mark.parametrize(
    ("name", "seats", "options", "board"),
    [
        ("aggravation", [0, 2], {}, {"arms": 4}),
        ("aggravation", [0, 1, 2, 3, 4], {}, {"arms": 6}),
        ("aggravation", [0, 3], {"arms": 6}, {"arms": 6}),
        ("gloria", [0, 2], {"opening_dice": 2}, {"home": "spaces"}),
        ("gloria", [0, 2], {"home": "center"}, {"home": "center"}),
        ("game-of-god", [0, 2], {"size": 10, "pairs": 3}, {"size": 10}),
        ("parcheesi-print", [0, 2], {}, {}),
    ],
)
def test_the_game_decides_which_board_is_meant(name: str, seats: list, options: dict, board: dict) -> None:
    game = game_for(name, seats, options)
    assert board_options(game) == board
    sheet = table_for(Config(), game).sheet
    assert sheet.game == name and dict(sheet.options) == board
    check_sheet(sheet, game, Path("sheet.json"))


def test_a_printed_board_is_drawn_once() -> None:
    assert printed_board("gloria", {"home": "center"}) is printed_board("gloria", {"home": "center"})


@pytest.mark.parametrize(
    ("name", "drawn", "played", "said"),
    [
        ("aggravation", {"arms": 6}, {}, r"arms = 6.*arms = 4"),
        ("game-of-god", {"size": 10}, {"size": 6}, r"size = 10.*size = 6"),
        ("gloria", {}, {"home": "center"}, r"home = 'spaces'.*home = 'center'"),
    ],
)
def test_a_board_that_does_not_fit_the_options_is_named(name: str, drawn: dict, played: dict, said: str) -> None:
    with pytest.raises(SheetError, match=said):
        check_sheet(board_for(name, drawn).sheet(), game_for(name, [0, 2], played), Path("sheet.json"))


def test_six_arms_are_seen_without_being_told() -> None:
    data = sheet_to_json(board_for("aggravation", {"arms": 6}).sheet())
    del data["options"]
    with pytest.raises(SheetError, match=r"t56|base4|lane4"):
        check_sheet(sheet_from_json(data), game_for("aggravation", [0, 2]), Path("sheet.json"))


def test_glorias_centre_is_an_area_and_aggravations_is_a_hole() -> None:
    for game, options, area in (("gloria", {"home": "center"}, True), ("aggravation", {}, False)):
        sheet = sheet_from_json(sheet_to_json(board_for(game, options).sheet()))
        assert sheet.spaces["center"].is_area is area
