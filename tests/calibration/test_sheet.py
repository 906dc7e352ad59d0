"""The printable board: its spaces, its files, and that its picture shows what its data says."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import parcheesi_board
from calibration.sheet import board_for, texture, write_sheet
from companion.games.catalogue import game_for
from companion.model import BadInput, Sheet, sheet_from_json, sheet_to_json
from companion.model.board import DICTIONARIES


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return parcheesi_board.sheet()


@pytest.fixture(scope="module")
def picture(sheet: Sheet) -> np.ndarray:
    image = cv2.imdecode(np.frombuffer(texture(parcheesi_board.svg(), sheet), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image)


def test_every_space_of_the_game_is_on_the_sheet(sheet: Sheet) -> None:
    assert set(game_for("parcheesi", [0, 1, 2, 3]).spaces()) == set(sheet.spaces)


def test_spaces_lie_on_the_sheet_and_do_not_overlap(sheet: Sheet) -> None:
    spaces = list(sheet.spaces.values())
    for space in spaces:
        assert space.radius <= space.x <= sheet.width - space.radius
        assert space.radius <= space.y <= sheet.height - space.radius
    for i, one in enumerate(spaces):
        for other in spaces[:i]:
            assert np.hypot(one.x - other.x, one.y - other.y) >= one.radius + other.radius, (one.name, other.name)


def test_the_track_runs_counterclockwise_from_souths_entry(sheet: Sheet) -> None:
    """RULES, section 2: t0 is the fourth from the centre in the east column of South's arm, then inward."""
    t0, t3, t4, mouth = (sheet.spaces[name] for name in ("t0", "t3", "t4", "t12"))
    assert t0.x > sheet.width / 2 and t0.y > t3.y > sheet.height / 2
    assert t4.x > t3.x and mouth.x == max(space.x for space in sheet.spaces.values())
    middle = np.array([sheet.width / 2, sheet.height / 2])
    track = [np.array([sheet.spaces[f"t{i}"].x, sheet.spaces[f"t{i}"].y]) - middle for i in range(68)]
    turned = [np.arctan2(a[1] * b[0] - a[0] * b[1], a @ b) for a, b in zip(track, track[1:] + track[:1], strict=True)]
    assert sum(turned) == pytest.approx(2 * np.pi)


def test_the_markers_are_found_where_the_sheet_says(sheet: Sheet, picture: np.ndarray) -> None:
    assert sheet.markers is not None
    codes = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(codes).detectMarkers(picture)
    scale = picture.shape[1] / sheet.width
    centers = {int(i): c.reshape(4, 2).mean(axis=0) / scale for i, c in zip(ids.reshape(-1), corners, strict=True)}
    assert set(centers) == set(sheet.markers.centers)
    for number, place in sheet.markers.centers.items():
        assert np.hypot(*(centers[number] - np.array(place))) < 0.5


def test_lanes_have_their_seats_colour(sheet: Sheet, picture: np.ndarray) -> None:
    scale = picture.shape[1] / sheet.width
    for seat, color in sheet.colors.items():
        space = sheet.spaces[f"lane{seat}.3"]
        seen = picture[round((space.y + 4) * scale), round((space.x + 4) * scale)].astype(float)
        wanted = np.array([int(color[i : i + 2], 16) for i in (5, 3, 1)], float)
        assert int(np.argmax(seen - seen.mean())) == int(np.argmax(wanted - wanted.mean()))


@pytest.mark.long
def test_all_five_files_are_written(tmp_path: Path, sheet: Sheet) -> None:
    files = write_sheet("parcheesi", tmp_path / "new" / "folder")
    assert [f.name for f in files] == [
        "parcheesi.svg", "parcheesi.pdf", "parcheesi-a4.pdf", "parcheesi.png", "sheet.json",
    ]  # fmt: skip
    data = json.loads(files[-1].read_text())
    assert sheet_from_json(data) == sheet
    assert (files[-1].parent / data["texture"]).exists()
    assert files[1].read_bytes().startswith(b"%PDF") and files[0].read_text().startswith("<svg")


def test_the_sheet_survives_json(sheet: Sheet) -> None:
    assert sheet_from_json(json.loads(json.dumps(sheet_to_json(sheet)))) == sheet


def test_an_unknown_game_is_named_with_what_there_is() -> None:
    with pytest.raises(BadInput, match=r"'chess'.*parcheesi"):
        write_sheet("chess", Path())


BAD_SHEETS = [
    ({}, "no sheet"),
    ({"sheet": 1, "game": "parcheesi", "piece": {}}, "spaces is missing"),
    ({"sheet": 1, "game": "x", "spaces": {"t0": {"x_mm": 1}}, "piece": {}, "width_mm": 90, "height_mm": 90}, "y_mm"),
    ({"sheet": 1, "game": "x", "spaces": {}, "piece": {}, "width_mm": -9, "height_mm": 9}, "width_mm"),
]


@pytest.mark.parametrize(("data", "named"), BAD_SHEETS, ids=[named for _, named in BAD_SHEETS])
def test_a_sheet_that_cannot_be_used_says_why(data: object, named: str) -> None:
    with pytest.raises(BadInput, match=named):
        sheet_from_json(data)


def changed(place: str, value: object) -> dict[str, Any]:
    """A printed board's sheet.json with one value changed. place: keys, with / between."""
    data = json.loads(json.dumps(sheet_to_json(board_for("aggravation", {}).sheet())))
    *path, last = place.split("/")
    part = data
    for key in path:
        part = part[key]
    part[last] = value
    return data


WRONG_VALUES = [
    ("spaces/t0/x_mm", math.nan, r"spaces\.t0\.x_mm must be a finite number of millimetres, not nan"),
    ("spaces/t0/y_mm", math.inf, r"spaces\.t0\.y_mm must be a finite number"),
    ("spaces/t0/x_mm", 10**400, r"spaces\.t0\.x_mm must be a finite number"),
    ("spaces/t0/x_mm", 4000, r"spaces\.t0: x = 4000 mm lies far off a sheet of"),
    ("spaces/t0/radius_mm", -8, r"radius_mm must be 0\.1 to 3000 mm, not -8"),
    ("width_mm", 0.001, r"width_mm must be 20 to 3000 mm, not 0\.001"),
    ("height_mm", 10**400, r"height_mm must be a finite number"),
    ("piece/diameter_mm", 900, r"piece\.diameter_mm must be 1 to 200 mm, not 900"),
    ("markers/dictionary", "DICT_FOO", r"markers\.dictionary must be one of OpenCV's.*not 'DICT_FOO'"),
    ("markers/dictionary", [1], r"markers\.dictionary"),
    ("markers/centers_mm/77", [5, 5], r"DICT_4X4_50 has the markers 0 to 49, not '77'"),
    ("markers/centers_mm/0", [5, math.nan], r"markers\.centers_mm\.0 must be a finite number"),
    ("markers/centers_mm/0", ["a", 5], r"markers\.centers_mm\.0 must be a place \[x, y\]"),
    ("markers/centers_mm/0", [5], r"markers\.centers_mm\.0 must be a place \[x, y\].*not \[5\]"),
    ("markers/centers_mm/0", 5, r"markers\.centers_mm\.0 must be a place"),
    ("markers/centers_mm/50", [5, 5], r"the markers 0 to 49, not '50'"),
    ("markers/centers_mm/x", [5, 5], r"the markers 0 to 49, not 'x'"),
    ("markers/centers_mm/\u0663", [5, 5], r"the markers 0 to 49, not '\u0663'"),
    ("markers/centers_mm", {"0": [5, 5], "1": [9, 5], "2": [5, 9]}, r"the centres of at least four markers"),
    ("markers/centers_mm", [[5, 5]] * 4, r"the centres of at least four markers"),
    ("markers", 4, r"the centres of at least four markers"),
    ("spaces", {}, r"spaces must name at least one space"),
    ("spaces", ["t0"], r"spaces must name at least one space"),
    ("spaces/t0", 5, r"spaces\.t0\.x_mm must be a number of millimetres, not None"),
    ("spaces/t0/x_mm", True, r"spaces\.t0\.x_mm must be a number of millimetres, not True"),
    ("spaces/t0/y_mm", -4000, r"spaces\.t0: y = -4000 mm lies far off a sheet of"),
    ("spaces/t0/area", 1, r"spaces\.t0\.area must be true or false, not 1"),
    ("piece", "pawn", r"piece\.kind must be one of .*, not 'pawn'"),
    ("piece/kind", "horse", r"piece\.kind must be one of .*, not 'horse'"),
    ("colors/0", "#c8102", r"colors must be written like .*, not '#c8102'"),
    ("colors/0", "#c8102g", r"colors must be written like .*, not '#c8102g'"),
    ("colors", {"red": "#c8102e"}, r"colors must map seats"),
    ("colors", {"6": "#c8102e"}, r"colors: there is no seat 6, only 0 to 5"),
    ("options", [1], r"options must be an object.*not \[1\]"),
    ("texture", 5, r"texture must be the name of a picture beside the sheet, not 5"),
]


@pytest.mark.parametrize("data", [[], None, 1, {"sheet": 2}])
def test_what_is_no_sheet_at_all_is_told(data: object) -> None:
    with pytest.raises(BadInput, match='expected an object with "sheet": 1'):
        sheet_from_json(data)


def test_a_place_beside_the_sheet_is_a_place_as_far_as_that_is_large() -> None:
    width = sheet_from_json(changed("title", "T")).width
    for x in (-width, 2 * width):
        assert sheet_from_json(changed("spaces/t0/x_mm", x)).spaces["t0"].x == x
    assert sheet_from_json(changed("spaces/t0/radius_mm", 0.1)).spaces["t0"].radius == 0.1


def test_what_a_sheet_need_not_say_is_left_out() -> None:
    for key in ("markers", "texture", "options", "seats", "colors"):
        bare = sheet_from_json(changed(key, None))
        assert key not in sheet_to_json(bare) and sheet_from_json(sheet_to_json(bare)) == bare
    areas = sheet_from_json(changed("spaces/t0/area", True))
    assert areas.spaces["t0"].area and sheet_to_json(areas)["spaces"]["t0"]["area"] is True
    assert sheet_from_json(changed("colors/0", "C8102E")).colors[0] == "#c8102e"


@pytest.mark.parametrize(("place", "value", "said"), WRONG_VALUES)
def test_a_value_that_cannot_be_is_named(place: str, value: object, said: str) -> None:
    """NaN for a place made the service stumble again and again, a marker's number beyond its set a traceback."""
    with pytest.raises(BadInput, match=said):
        sheet_from_json(changed(place, value))


def test_the_sets_of_markers_are_those_that_the_eyes_know() -> None:
    for name, many in DICTIONARIES.items():
        assert len(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name)).bytesList) == many
