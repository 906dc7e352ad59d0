"""The printable board: its spaces, its files, and that its picture shows what its data says."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import parcheesi_board
from calibration.sheet import texture, write_sheet
from companion.games.catalogue import game_for
from companion.model import BadInput, Sheet, sheet_from_json, sheet_to_json


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
    ({"sheet": 1, "game": "x", "spaces": {"t0": {"x_mm": 1}}, "piece": {}, "width_mm": 9, "height_mm": 9}, r"t0\.y_mm"),
    ({"sheet": 1, "game": "x", "spaces": {}, "piece": {}, "width_mm": -9, "height_mm": 9}, "width_mm"),
]


@pytest.mark.parametrize(("data", "named"), BAD_SHEETS, ids=[named for _, named in BAD_SHEETS])
def test_a_sheet_that_cannot_be_used_says_why(data: object, named: str) -> None:
    with pytest.raises(BadInput, match=named):
        sheet_from_json(data)
