"""A board of one's own: tapped spaces in, a sheet out, whatever its proportions and wherever the camera stands."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.board_files import SHEET, draft_from_json, draft_to_json, read_draft, write_board
from calibration.edges import pose_by_edges
from calibration.laying import LEAST_TAPS, chains_of, next_tap
from calibration.own_board import Draft, check_names, color_at, lay_out, places_of, pose_of
from calibration.sheet import board_for
from companion.model import BadInput, DeviceError, Piece, Sheet
from companion.vision import load_scene
from companion.vision.view.lens import Lens
from companion.vision.view.pose import Frame, Pose

SIZE = (1280, 960)
BOARDS: list[tuple[str, dict[str, Any]]] = [
    ("gloria", {}),
    ("gloria", {"home": "center"}),
    ("parcheesi", {}),
    ("parcheesi-print", {}),
    ("aggravation", {"arms": 4}),
    ("aggravation", {"arms": 6}),
    ("game-of-god", {}),
]


def a_pose(turn: float = 0.3, lean: float = 0.5, radial: float = -0.05) -> Pose:
    """A camera about 700 mm over the middle of a board of 400 × 400 mm."""
    rotation = np.array([lean, 0.1, turn])
    matrix, _ = cv2.Rodrigues(rotation)
    shift = np.array([0, 0, 700.0]) - matrix @ np.array([200.0, 200.0, 0])
    return Pose(1150.0, radial, tuple(rotation), tuple(shift), SIZE, 0.0)  # type: ignore[arg-type]


def drawn(layout: Sheet, wide: float = 1.0, mirrored: bool = False) -> dict[str, tuple[float, float]]:
    """Where the spaces lie on somebody's board of 400 × 400 mm: rows spread from the middle, alike for all seats."""
    middle = np.array([layout.width, layout.height]) / 2
    found = {}
    for name, space in layout.spaces.items():
        x, y = (np.array([space.x, space.y]) - middle) / middle
        spread = 1 + wide * 0.25 * (x * x + y * y)
        x, y = -x if mirrored else x, y
        found[name] = (200 + 150 * x / (1 + 0.3 * wide) * spread, 200 + 150 * y / (1 + 0.3 * wide) * spread)
    return found


def tapped(game: str, options: Mapping[str, Any], pose: Pose, there: Mapping[str, Any], count: int) -> Draft:
    """The draft after as many taps as asked for next."""
    layout = board_for(game, options).sheet()
    corners = pose.project([(0, 0), (400, 0), (400, 400), (0, 400)])
    draft = Draft(game, (400.0, 400.0), tuple((x, y) for x, y in corners.tolist()), options)
    for _ in range(count):
        name = next_tap(layout, draft.taps)
        x, y = pose.project([there[name]])[0].tolist()
        draft = replace(draft, taps={**draft.taps, name: (x, y)})
    return draft


def misses(sheet: Sheet, there: Mapping[str, tuple[float, float]]) -> list[float]:
    """How far each space was put from where it is, mm."""
    return [math.dist((space.x, space.y), there[space.name]) for space in sheet.spaces.values()]


@pytest.mark.long(but=("False-gloria-options0", "True-game-of-god-options6"))
@pytest.mark.parametrize(("game", "options"), BOARDS)
@pytest.mark.parametrize("mirrored", [False, True])
def test_one_seat_s_knots_place_all_the_spaces(game: str, options: dict[str, Any], mirrored: bool) -> None:
    layout = board_for(game, options).sheet()
    there, pose = drawn(layout, wide=0.0, mirrored=mirrored), a_pose(radial=0.0)
    count = 4 if game == "game-of-god" else 16
    laid = lay_out(tapped(game, options, pose, there, count), SIZE)
    assert set(laid.sheet.spaces) == set(layout.spaces)
    assert max(misses(laid.sheet, there)) < 3.0, "evenly spaced rows are placed within a pawn's slack"
    assert not laid.doubts


@pytest.mark.long(but=("gloria-options0",))
@pytest.mark.parametrize(("game", "options"), BOARDS)
def test_a_board_that_bends_is_followed_by_more_taps(game: str, options: dict[str, Any]) -> None:
    layout = board_for(game, options).sheet()
    there, pose = drawn(layout, wide=0.6), a_pose(radial=0.0)
    few, many = (lay_out(tapped(game, options, pose, there, n), SIZE) for n in (8, len(layout.spaces)))
    assert max(misses(many.sheet, there)) < 0.5
    assert np.mean(misses(many.sheet, there)) < np.mean(misses(few.sheet, there))


@pytest.mark.long
def test_the_next_tap_is_never_one_that_was_made_and_ends() -> None:
    layout = board_for("parcheesi", {}).sheet()
    taps: dict[str, tuple[float, float]] = {}
    while name := next_tap(layout, taps):
        assert name not in taps
        taps[name] = (0.0, 0.0)
    assert set(taps) == set(layout.spaces)


def test_every_space_lies_in_one_row() -> None:
    for game, options in BOARDS:
        layout = board_for(game, options).sheet()
        names = [name for chain in chains_of(layout) for name in dict.fromkeys(chain)]
        assert sorted(names) == sorted(layout.spaces)


@settings(max_examples=40)
@given(st.floats(-3, 3), st.floats(-0.8, 0.8), st.floats(-0.25, 0.05), st.floats(20, 380), st.floats(20, 380))
def test_pixels_and_places_are_each_other_s_way_back(
    turn: float, lean: float, radial: float, x: float, y: float
) -> None:
    pose = a_pose(turn, lean, radial)
    assert math.dist(places_of(pose, pose.project([(x, y)]).tolist())[0], (x, y)) < 0.01


def test_places_far_off_and_seen_at_a_slant_are_found() -> None:
    """A perspective so strong that an affine guess from one corner leads Newton's method astray."""
    matrix, _ = cv2.Rodrigues(turn := np.array([0.7, 0.1, -2.5]))
    shift = np.array([0, 0, 400.0]) - matrix @ np.array([200.0, 200.0, 0])
    pose = Pose(700.0, -0.1, tuple(turn), tuple(shift), SIZE, 0.0)
    wanted = np.random.default_rng(1).uniform(0, 400, (100, 2))
    found = places_of(pose, [(x, y) for x, y in pose.project(wanted).tolist()])
    assert np.abs(found - wanted).max() < 0.01


def test_corners_that_are_tapped_a_little_off_do_not_bend_the_lens() -> None:
    """Four corners cannot tell a lens: what they are off must not be taken for one."""
    board, true = [(0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0)], a_pose(lean=0.1, radial=0.0)
    inside = [(x, y) for x in (100.0, 200.0, 300.0) for y in (100.0, 200.0, 300.0)]
    for seed in range(20):
        off = np.random.default_rng(seed).normal(0, 1.06, (4, 2))
        corners = tuple((x, y) for x, y in (true.project(board) + off).tolist())
        pose = pose_of(Draft("gloria", (400.0, 400.0), corners), SIZE)
        assert abs(pose.radial) < 0.03
        assert np.linalg.norm(pose.project(inside) - true.project(inside), axis=1).max() < 4


def test_a_space_is_moved_by_itself() -> None:
    layout = board_for("gloria", {}).sheet()
    there, pose = drawn(layout, 0.0), a_pose()
    draft = tapped("gloria", {}, pose, there, 12)
    plain = lay_out(draft, SIZE).sheet
    x, y = pose.project([(plain.spaces["t5"].x + 7, plain.spaces["t5"].y)])[0].tolist()
    moved = lay_out(replace(draft, moved={"t5": (x, y)}), SIZE).sheet
    assert moved.spaces["t5"].x - plain.spaces["t5"].x == pytest.approx(7, abs=0.6)
    assert {n: s for n, s in moved.spaces.items() if n != "t5"} == {n: s for n, s in plain.spaces.items() if n != "t5"}


def test_a_tap_on_the_wrong_space_is_doubted() -> None:
    layout = board_for("aggravation", {"arms": 4}).sheet()
    there, pose = drawn(layout, 0.0), a_pose()
    draft = tapped("aggravation", {"arms": 4}, pose, there, 10)
    wrong = pose.project([there["t25"]])[0].tolist()
    laid = lay_out(replace(draft, taps={**draft.taps, "t23": tuple(wrong)}), SIZE)
    assert any("t23" in doubt for doubt in laid.doubts)


def test_where_a_corner_lies_off_the_corners_are_named() -> None:
    """Only a space was, which had been tapped where it is, and tapping it again changed nothing."""
    there, pose = drawn(board_for("gloria", {}).sheet(), 0.0), a_pose()
    draft = tapped("gloria", {}, pose, there, 14)
    first, (x, y), *others = draft.corners
    said = lay_out(replace(draft, corners=(first, (x - 70, y), *others)), SIZE).doubts
    assert any("for another seat" in doubt and "tap the corners again" in doubt for doubt in said)


@pytest.mark.long(but=("6-gloria-options0", "10-game-of-god-options6"))
@pytest.mark.parametrize(("game", "options"), BOARDS)
@pytest.mark.parametrize("count", [6, 10])
def test_two_taps_that_were_confused_are_doubted(game: str, options: dict[str, Any], count: int) -> None:
    """Of 588 such pairs 194 were laid without a word, with a third of the spaces somewhere else."""
    there, pose = drawn(board_for(game, options).sheet(), 0.3), a_pose()
    draft = tapped(game, options, pose, there, count)
    assert not lay_out(draft, SIZE).doubts
    for one, other in pairwise(draft.taps):
        taps = {**draft.taps, one: draft.taps[other], other: draft.taps[one]}
        doubt, *_ = lay_out(replace(draft, taps=taps), SIZE).doubts
        assert doubt == f"{one} and {other} lie in each other's place: tap both again"


def test_the_tap_that_lies_astray_is_named() -> None:
    """Of four any may be the one."""
    there, pose = drawn(board_for("gloria", {}).sheet(), 0.3), a_pose()
    for count in (8, 4):
        draft = tapped("gloria", {}, pose, there, count)
        (name, at), far = list(draft.taps.items())[2], pose.project([there["t30"]])[0].tolist()
        (doubt,) = lay_out(replace(draft, taps={**draft.taps, name: tuple(far)}), SIZE).doubts
        assert name in doubt and "mm from where the others put it: is it the right space?" in doubt
        assert all((other in doubt) == (count == 4 or other == name) for other in draft.taps), at


def test_before_enough_taps_there_are_no_spaces_but_a_next_one() -> None:
    layout = board_for("gloria", {}).sheet()
    laid = lay_out(tapped("gloria", {}, a_pose(), drawn(layout), LEAST_TAPS - 1), SIZE)
    assert not laid.sheet.spaces and laid.tap_next


def bad(draft: Draft, **changes: Any) -> str:
    with pytest.raises(BadInput) as caught:
        lay_out(replace(draft, **changes), SIZE)
    return str(caught.value)


def test_what_cannot_be_is_named() -> None:
    layout = board_for("gloria", {}).sheet()
    draft = tapped("gloria", {}, a_pose(), drawn(layout), 6)
    assert "clockwise" in bad(draft, corners=draft.corners[::-1])
    assert "four corners" in bad(draft, corners=draft.corners[:3])
    assert "millimetres" in bad(draft, size=(0.4, 0.4))
    told = "the size 40 × 40 is to be in millimetres (40 cm are 400): a space would be "
    assert bad(draft, size=(40.0, 40.0)).startswith(told), "it was taken, with spaces of two millimetres"
    assert lay_out(replace(draft, size=(40.0, 40.0), piece=Piece("pawn", 2.0, 6.0)), SIZE).sheet.spaces, "pegs"
    assert "t99" in bad(draft, taps={**draft.taps, "t99": (5, 5)})
    assert "outside the picture" in bad(draft, moved={"t1": (5000, 5)})
    (one, at), new = next(iter(draft.taps.items())), next(name for name in layout.spaces if name not in draft.taps)
    assert f"{one} and {new} were tapped at the same" in bad(draft, taps={**draft.taps, new: (at[0] + 1, at[1])})
    assert f"{one} and {new} were tapped at the same" in bad(draft, moved={new: at})
    assert "seat 7" in bad(draft, colors={7: "#000000"})
    assert "seat 7" in bad(draft, names={7: "ruby"})
    assert "measure the board" in bad(draft, corners=((0, 0), (1279, 0), (1279, 30), (0, 959)))
    row = [name for name, space in layout.spaces.items() if abs(space.y - layout.spaces["t0"].y) < 0.1][:4]
    assert "one line" in bad(draft, taps={name: (100.0 + 20 * i, 100.0) for i, name in enumerate(row)})


def test_the_files_of_a_board_are_a_sheet_that_the_eyes_can_use(tmp_path: Path) -> None:
    layout = board_for("parcheesi", {}).sheet()
    there, pose = drawn(layout, 0.0), a_pose()
    draft = replace(tapped("parcheesi", {}, pose, there, 20), colors={0: "#aa0000"}, names={0: "ruby"})
    photo = np.random.default_rng(1).integers(0, 255, (SIZE[1], SIZE[0], 3), np.uint8)
    laid = write_board(draft, photo, tmp_path / "board")
    scene = load_scene(tmp_path / "board" / SHEET, tmp_path / "board" / "empty.png")
    assert scene.sheet.spaces == {n: replace(s) for n, s in scene.sheet.spaces.items()}
    assert scene.sheet.colors[0] == "#aa0000" and scene.sheet.seat_label(0) == "ruby"
    assert scene.pose is not None
    for space in laid.sheet.spaces.values():
        assert math.dist(scene.pose.project([(space.x, space.y)])[0], laid.pose.project([(space.x, space.y)])[0]) < 1.5
    assert read_draft(tmp_path / "board" / "board.json") == draft


def test_a_board_without_enough_taps_is_not_written(tmp_path: Path) -> None:
    draft = tapped("gloria", {}, a_pose(), drawn(board_for("gloria", {}).sheet()), 2)
    photo = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    with pytest.raises(BadInput, match="too few"):
        write_board(draft, photo, tmp_path / "board")
    assert not (tmp_path / "board").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(DeviceError, match="choose a folder"):
        write_board(tapped("gloria", {}, a_pose(), drawn(board_for("gloria", {}).sheet()), 9), photo, tmp_path / "file")


def test_a_space_that_is_moved_onto_another_is_named(tmp_path: Path) -> None:
    layout, pose = board_for("gloria", {}).sheet(), a_pose()
    there = drawn(layout)
    draft = tapped("gloria", {}, pose, there, 9)
    one, other = [name for name in layout.spaces if name not in draft.taps][:2]
    x, y, _ = lay_out(draft, SIZE).pixels()[other]
    laid = lay_out(folding := replace(draft, moved={one: (x + 0.5, y)}), SIZE)
    assert len(laid.doubts) == 1 and "tap them, or what lies near them, again" in laid.doubts[0]
    with pytest.raises(BadInput, match=r"cannot be used: .* again$"):
        write_board(folding, np.zeros((SIZE[1], SIZE[0], 3), np.uint8), tmp_path / "board")
    assert not (tmp_path / "board").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"own_board": 2}, "own_board"),
        ({"size_mm": "big"}, "size_mm must be two numbers"),
        ({"corners": {"a": 1}}, "corners must be a list"),
        ({"taps": [1]}, "taps must be a table"),
        ({"taps": {"t0": [1, True]}}, "taps t0"),
        ({"taps": {"t0": [1, 10**400]}}, "taps t0"),
        ({"colors": {"0": "blue"}}, "#c8102e"),
        ({"colors": {"x": "#000000"}}, "a seat is"),
        ({"piece": {"kind": "cube"}}, "piece kind"),
        ({"piece": {"kind": "disc", "diameter_mm": 0, "height_mm": 3}}, "1 to 200"),
        ({"shape": 1}, "unknown key 'shape'"),
        ({"inner": 1}, "inner must be true or false"),
    ],
)
def test_a_draft_that_is_wrong_is_named(change: dict[str, Any], words: str) -> None:
    data = {"own_board": 1, "game": "gloria", "size_mm": [400, 400], "corners": [], **change}
    with pytest.raises(BadInput) as caught:
        draft_from_json(data)
    assert words in str(caught.value)


def test_a_draft_survives_its_file(tmp_path: Path) -> None:
    draft = tapped("game-of-god", {}, a_pose(), drawn(board_for("game-of-god", {}).sheet()), 4)
    draft = replace(draft, colors={0: "#ffffff", 2: "#101010"}, names={0: "ivory"})
    text = json.dumps(draft_to_json(draft))
    assert draft_from_json(json.loads(text)) == draft
    (tmp_path / "board.json").write_text(text, encoding="utf-8-sig")
    assert read_draft(tmp_path / "board.json") == draft
    for broken in ("{", "[" * 100000):
        (tmp_path / "board.json").write_text(broken)
        with pytest.raises(BadInput, match=r"board\.json"):
            read_draft(tmp_path / "board.json")


def test_the_colour_that_somebody_points_at() -> None:
    photo = np.zeros((50, 50, 3), np.uint8)
    photo[20:40, 20:40] = (10, 20, 200)
    assert color_at(photo, (30, 30)) == "#c8140a"
    with pytest.raises(BadInput):
        color_at(photo, (300, 30))


def wide(bend: float) -> Pose:
    """A camera with a wide lens over the middle of a board of 400 × 400 mm."""
    near = a_pose(lean=0.35, radial=bend)
    return replace(near, focal=700.0, shift=(near.shift[0], near.shift[1], near.shift[2] - 200.0), higher=(0.02,))


def photographed(pose: Pose, outline: Any) -> Frame:
    """A photo of a plain board of that outline, mm (N, 2), on a table with a grain."""
    grain = np.random.default_rng(3).normal(0, 12, (SIZE[1] // 4, SIZE[0]))
    photo = cv2.resize((110 + grain).clip(0, 255).astype(np.uint8), SIZE, interpolation=cv2.INTER_LINEAR)
    there = np.rint(pose.project(outline) * 16).astype(np.int32)
    cv2.fillPoly(photo, [there], 175, cv2.LINE_AA, 4)
    return np.asarray(cv2.cvtColor(photo, cv2.COLOR_GRAY2BGR), np.uint8)


def square() -> Any:
    """The edge of a board of 400 × 400 mm, mm (N, 2)."""
    corners = np.array([(0, 0), (400, 0), (400, 400), (0, 400)])
    share = np.linspace(0, 1, 60)[:, None]
    return np.vstack([a + share * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])


@pytest.mark.parametrize("bend", [-0.18, -0.1, 0.0])
def test_the_board_s_edges_tell_how_the_lens_bends(bend: float) -> None:
    """Four corners, each tapped 1.5 pixels off, do not."""
    layout = board_for("parcheesi", {}).sheet()
    there, pose = drawn(layout, wide=0.0), wide(bend)
    draft = tapped("parcheesi", {}, pose, there, 16)
    off = np.array([(1, -1), (-1, 1), (1, 1), (-1, -1)])
    draft = replace(draft, corners=tuple((x, y) for x, y in (np.array(draft.corners) + off).tolist()))
    by_corners, by_edges = lay_out(draft, SIZE), lay_out(draft, SIZE, photographed(pose, square()))
    assert max(misses(by_edges.sheet, there)) < 3.0
    if bend < -0.05:
        assert np.median(misses(by_edges.sheet, there)) < 0.4 * np.median(misses(by_corners.sheet, there))


def test_a_round_board_has_no_straight_edges() -> None:
    """Its owner tapped the corners of a square that is drawn nowhere."""
    pose, angle = wide(-0.1), np.linspace(0, 2 * np.pi, 200)
    photo = photographed(pose, 200 + 270 * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    corners = [(x, y) for x, y in pose.project([(0, 0), (400, 0), (400, 400), (0, 400)]).tolist()]
    assert pose_by_edges(photo, corners, (400, 400)) is None


def test_a_measured_lens_is_kept_with_the_board_and_used(tmp_path: Path) -> None:
    layout = board_for("gloria", {}).sheet()
    there, pose = drawn(layout, wide=0.0), wide(-0.18)
    lens = Lens(SIZE, pose.focal, (pose.radial, *pose.higher), ((SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2))
    draft = replace(tapped("gloria", {}, pose, there, 16), lens=lens)
    photo = photographed(pose, square())
    laid = write_board(draft, photo, tmp_path / "board")
    assert max(misses(laid.sheet, there)) < 0.5 * max(misses(lay_out(replace(draft, lens=None), SIZE).sheet, there))
    assert read_draft(tmp_path / "board" / "board.json") == draft
    scene = load_scene(tmp_path / "board" / SHEET, tmp_path / "board" / "empty.png")
    assert scene.pose is not None, "the photo is flattened as it was laid out"
    middles = scene.places
    assert np.abs(scene.pose.project(middles) - laid.pose.project(middles)).max() < 1.0
    half = replace(lens, size=(1280, 720))
    assert "another shape" in bad(draft, lens=half)


HOLES = ("base1.4", "base2.4", "base4.4", "base5.4")
"""Of a board with six arms: four that form a rectangle about its middle."""


def six_sided(pose: Pose, taps: int) -> tuple[Draft, dict[str, tuple[float, float]]]:
    """What is tapped on a board with six arms that has no four corners, and where on its table the spaces lie."""
    layout = board_for("aggravation", {"arms": 6}).sheet()
    turned = {n: (200 + 0.7 * (s.x - 270), 200 + 0.7 * (s.y - 270)) for n, s in layout.spaces.items()}
    long, short = (math.dist(turned[HOLES[i]], turned[HOLES[i + 1]]) for i in (1, 0))
    corners = _pixels(pose, [turned[name] for name in HOLES])
    draft = Draft("aggravation", (short, long), corners, {"arms": 6}, inner=True)
    for _ in range(taps):
        name = next_tap(layout, draft.taps)
        draft = replace(draft, taps={**draft.taps, name: _pixels(pose, [turned[name]])[0]})
    return draft, turned


def _pixels(pose: Pose, places: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in pose.project(places).tolist())


def test_a_board_without_four_corners_is_laid_by_a_rectangle_on_it(tmp_path: Path) -> None:
    draft, there = six_sided(pose := a_pose(radial=0.0), 9)
    photo = np.random.default_rng(1).integers(0, 255, (SIZE[1], SIZE[0], 3), np.uint8)
    laid = write_board(draft, photo, tmp_path)
    assert not laid.doubts
    rings, width = laid.pixels(), laid.sheet.width
    assert width == laid.sheet.height > 1.4 * min(draft.size), "spaces lie beside the rectangle"
    for name, space in laid.sheet.spaces.items():
        assert math.dist(rings[name][:2], _pixels(pose, [there[name]])[0]) < 1.0, name
        assert space.radius < space.x < width - space.radius and space.radius < space.y < width - space.radius
    scene = load_scene(tmp_path / SHEET, tmp_path / "empty.png")
    assert scene.pose is not None
    for space in laid.sheet.spaces.values():
        assert math.dist(scene.pose.project([(space.x, space.y)])[0], rings[space.name][:2]) < 1.0
    assert read_draft(tmp_path / "board.json") == draft


def test_without_a_word_spaces_beside_the_four_corners_are_refused(tmp_path: Path) -> None:
    draft, _ = six_sided(a_pose(radial=0.0), 9)
    with pytest.raises(BadInput, match="would lie beside the board"):
        write_board(replace(draft, inner=False), np.zeros((SIZE[1], SIZE[0], 3), np.uint8), tmp_path)


def test_a_rectangle_too_small_for_its_board_is_doubted() -> None:
    draft, there = six_sided(pose := a_pose(radial=0.0), 9)
    small = [(170.0, 170.0), (230.0, 170.0), (230.0, 230.0), (170.0, 230.0)]
    laid = lay_out(replace(draft, size=(60.0, 60.0), corners=_pixels(pose, small)), SIZE)
    assert laid.doubts == ("the rectangle is small for this board: measure and tap a larger one",)
    assert set(laid.sheet.spaces) == set(there)


@pytest.mark.parametrize("first", range(4))
def test_which_corner_is_tapped_first_does_not_matter_though_the_board_is_not_square(first: int) -> None:
    """Where the short side came first the camera was taken to look from far beside the board, and nothing was said."""
    pose, there = a_pose(lean=0.35, radial=0.0), drawn(board_for("gloria", {}).sheet(), 0.3)
    wide = {name: (1.2 * x - 40, y) for name, (x, y) in there.items()}
    draft = tapped("gloria", {}, pose, wide, 10)
    corners = _pixels(pose, [(-40.0, 0.0), (440.0, 0.0), (440.0, 400.0), (-40.0, 400.0)])
    laid = lay_out(replace(draft, size=(480.0, 400.0), corners=(*corners[first:], *corners[:first])), SIZE)
    assert laid.pose.eye[2] == pytest.approx(pose.eye[2], rel=0.05)
    assert (laid.sheet.width, laid.sheet.height) == ((480.0, 400.0), (400.0, 480.0))[first % 2] == laid.size
    rings = laid.pixels()
    assert max(math.dist(rings[name][:2], _pixels(pose, [wide[name]])[0]) for name in rings) < 4.0
    assert not laid.doubts


def test_corners_that_nothing_can_be_seen_by_are_to_be_tapped_again() -> None:
    """The page stumbled over these."""
    corners = ((319.6, 94.6), (604.0, 436.0), (1028.3, 947.0), (154.3, 836.6))
    taps = {"t0": (500.0, 500.0), "t5": (520.0, 520.0), "t9": (560.0, 700.0), "lane0.1": (400.0, 600.0)}
    with pytest.raises(BadInput, match=r"tap (them|the corners) again|tap the board's corners in order"):
        lay_out(Draft("parcheesi", (450.0, 450.0), corners, {}, taps), SIZE)


@pytest.mark.parametrize(("across", "refused"), [(1.4, "laid"), (50.0, "written"), (14.0, "")])
def test_a_piece_that_is_not_measured_in_millimetres_is_refused(across: float, refused: str, tmp_path: Path) -> None:
    there, pose = drawn(board_for("gloria", {}).sheet(), 0.3), a_pose()
    draft = replace(tapped("gloria", {}, pose, there, 8), piece=Piece("marble", across, across))
    photo = np.random.default_rng(1).integers(0, 255, (SIZE[1], SIZE[0], 3), np.uint8)
    if refused == "laid":
        with pytest.raises(BadInput, match="the piece's size is to be in millimetres"):
            lay_out(draft, SIZE)
    elif refused:
        assert "the piece's size is to be in millimetres" in lay_out(draft, SIZE).doubts[0]
        with pytest.raises(BadInput, match="the piece's size is to be in millimetres"):
            write_board(draft, photo, tmp_path)
    else:
        assert not write_board(draft, photo, tmp_path).doubts


def test_taps_in_a_heap_do_not_blame_the_size() -> None:
    pose = a_pose()
    draft = tapped("gloria", {}, pose, drawn(board_for("gloria", {}).sheet()), 4)
    heap = {name: (600 + 0.05 * x, 400 + 0.05 * y) for name, (x, y) in draft.taps.items()}
    with pytest.raises(BadInput, match="in a heap"):
        lay_out(replace(draft, taps=heap), SIZE)


@pytest.mark.parametrize("name", [" ", "\u200d", ""])
def test_a_name_that_nobody_can_see_is_refused(name: str) -> None:
    draft = replace(tapped("gloria", {}, a_pose(), drawn(board_for("gloria", {}).sheet()), 8), names={0: name})
    with pytest.raises(BadInput, match="needs a name of one to 40 letters"):
        check_names(draft)
