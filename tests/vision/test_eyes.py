"""What the eyes see on drawn boards: pieces, hands, light, bumps, and why a board cannot be seen."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.model import BoardLost, BoardSeen, ImageError, Position, SheetError, Sighting, sheet_to_json
from companion.vision import (
    Memory,
    Scene,
    annotate,
    corrected,
    health,
    learn,
    load_scene,
    look,
    look_json,
    make_scene,
    read_image,
)
from companion.vision.finding.registration import register
from companion.vision.view.scene import PIXELS_PER_MM

sys.path.insert(0, str(Path(__file__).parent))
import table_drawing as table

SPOTS = [(0, 90, 90), (1, 170, 90), (2, 211, 131), (3, 129, 211), (0, 90, 172)]
SEEN = {"t0": (0,), "t2": (1,), "t4": (2,), "t8": (3,), "t10": (0,)}


@pytest.fixture(scope="module")
def printed() -> tuple[object, np.ndarray]:
    return table.board()


@pytest.fixture(scope="module")
def scene(printed: tuple) -> Scene:
    return make_scene(*printed)


def paint(printed: tuple, pieces: list = SPOTS, tilt: float = 25, turn: float = 8, **how: object) -> np.ndarray:
    x = float(how.pop("x", 0.0))
    return table.draw(*printed, table.camera(tilt, turn, x=x), pieces, **how)


def contents(seen: Sighting) -> dict[str, tuple[int, ...]]:
    assert isinstance(seen, BoardSeen), seen
    return {name: s.content for name, s in seen.spaces.items() if s.content and not s.covered}


@pytest.mark.long(but=("0-0", "30-180"))
@pytest.mark.parametrize(("tilt", "turn"), [(0, 0), (25, 8), (42, -30), (30, 180)])
def test_pieces_are_read_from_above_and_from_the_side(printed: tuple, scene: Scene, tilt: float, turn: float) -> None:
    seen, _ = look(paint(printed, tilt=tilt, turn=turn), scene)
    assert contents(seen) == SEEN


@pytest.mark.parametrize("tilt", [10, 35])
def test_the_camera_is_found_to_a_millimetre(printed: tuple, scene: Scene, tilt: float) -> None:
    true = table.camera(tilt)
    found = register(paint(printed, tilt=tilt), scene)
    assert not isinstance(found, str)
    assert found.shifted(true, 300, 300) < 1.0
    assert np.linalg.norm(found.eye - true.eye) < 0.15 * true.eye[2]


def test_an_empty_board_is_empty(printed: tuple, scene: Scene) -> None:
    seen, _ = look(paint(printed, []), scene)
    assert contents(seen) == {}
    assert min(s.confidence for s in seen.spaces.values()) > 0.9


@pytest.mark.long(but=("light0", "light2"))
@pytest.mark.parametrize("light", [(0.45, 0.75, 1.0), (1.0, 0.85, 0.7), (0.3, 0.3, 0.3)])
def test_the_colour_of_the_light_does_not_matter(printed: tuple, scene: Scene, light: tuple) -> None:
    seen, _ = look(paint(printed, light=light, slope=0.5, noise=3), scene)
    assert contents(seen) == SEEN


def test_two_pieces_stand_on_one_space(printed: tuple, scene: Scene) -> None:
    seen, _ = look(paint(printed, [(0, 83.5, 90), (0, 96.5, 90), (3, 203.5, 210), (2, 216.5, 210)]), scene)
    assert contents(seen) == {"t0": (0, 0), "t6": (2, 3)}


@pytest.mark.long(but=("colors0",))
@pytest.mark.parametrize("colors", [(0, 0, 0), (1, 1, 3), (3, 1, 2)])
def test_three_pieces_crowd_one_space(printed: tuple, scene: Scene, colors: tuple) -> None:
    for tilt, turn in ((0, 0), (25, 8), (42, -30)):
        row = [(color, 90, 77 + 13 * place) for place, color in enumerate(colors)]
        seen, _ = look(paint(printed, row, tilt, turn), scene)
        assert contents(seen) == {"t0": tuple(sorted(colors))}
        reading = seen.spaces["t0"]
        assert reading.confidence > 0.8
        assert all(reading.log_likelihood(pair) < -4 for pair in [colors[:2], colors[1:]])


@pytest.mark.long
def test_the_pieces_of_an_area_are_counted(printed: tuple, scene: Scene) -> None:
    three = [(0, 245, 140), (0, 265, 140), (0, 255, 163)]
    for count in (1, 2, 3):
        seen, _ = look(paint(printed, three[:count]), scene)
        assert contents(seen) == {"base0": (0,) * count}


def test_a_hand_covers_what_it_hides(printed: tuple, scene: Scene) -> None:
    seen, _ = look(paint(printed, arm=(190, 150)), scene)
    assert isinstance(seen, BoardSeen)
    hidden = {name for name, s in seen.spaces.items() if s.covered}
    assert {"t4", "t5", "base0"} & hidden and not {"t0", "t10", "t8"} & hidden
    assert {n: c for n, c in contents(seen).items() if n in ("t0", "t2", "t8", "t10")} == {
        n: SEEN[n] for n in ("t0", "t2", "t8", "t10")
    }


def test_one_marker_may_be_hidden(printed: tuple, scene: Scene) -> None:
    frame = paint(printed)
    corner = table.camera().project([(20, 20)])[0].astype(int)
    cv2.circle(frame, tuple(corner.tolist()), 40, (120, 150, 200), -1)
    seen, _ = look(frame, scene)
    assert contents(seen) == SEEN


def test_an_idle_board_is_not_read_again(printed: tuple, scene: Scene) -> None:
    frame = paint(printed)
    first, memory = look(frame, scene, at=1.0)
    second, memory = look(frame, scene, memory, at=2.0)
    assert isinstance(first, BoardSeen) and isinstance(second, BoardSeen)
    assert second.spaces is first.spaces and second.at == 2.0 and not second.moving


def test_a_change_of_light_is_no_move(printed: tuple, scene: Scene) -> None:
    _, memory = look(paint(printed), scene)
    seen, _ = look(paint(printed, light=(0.6, 0.6, 0.6)), scene, memory, at=1.0)
    assert contents(seen) == SEEN
    assert isinstance(seen, BoardSeen) and not seen.moving and not seen.moved


def test_a_moving_hand_is_motion_and_then_the_board_is_read(printed: tuple, scene: Scene) -> None:
    _, memory = look(paint(printed), scene)
    seen, memory = look(paint(printed, arm=(150, 150)), scene, memory, at=1.0)
    assert isinstance(seen, BoardSeen) and seen.moving
    for at in (2.0, 3.0):
        seen, memory = look(paint(printed, [(0, 130, 90), *SPOTS[1:]]), scene, memory, at=at)
    assert contents(seen) == {**{n: c for n, c in SEEN.items() if n != "t0"}, "t1": (0,)}


@pytest.mark.long(but=("moved0",))
@pytest.mark.parametrize(
    "moved",
    [[(0, 130, 90), *SPOTS[1:]], SPOTS[1:], [*SPOTS[:4], (0, 211, 172)], [*SPOTS, (3, 250, 150)], SPOTS],
)
def test_reading_only_what_changed_reads_the_same(printed: tuple, scene: Scene, moved: list) -> None:
    first, memory = look(paint(printed), scene)
    frame = paint(printed, moved, noise=1)
    again, last = look(frame, scene, memory, at=1.0)
    fresh, _ = look(frame, scene)
    assert contents(again) == contents(fresh)
    assert last.look is not None and last.look.kept is not None
    assert (contents(again) == contents(first)) == (moved is SPOTS)


@pytest.mark.long
def test_a_pushed_board_is_found_again(printed: tuple, scene: Scene) -> None:
    _, memory = look(paint(printed), scene)
    moved = []
    for at in (1.0, 2.0):
        seen, memory = look(paint(printed, x=12.0, turn=10), scene, memory, at=at)
        assert isinstance(seen, BoardSeen)
        moved.append(seen.moved)
    assert contents(seen) == SEEN
    assert any(moved)


@pytest.mark.long
def test_what_was_ruled_is_learned(printed: tuple, scene: Scene) -> None:
    seen, memory = look(paint(printed, [(0, 130, 150)]), scene)
    memory = learn(memory, scene, Position.of({"lane0.1": (0,)}))
    seen, memory = look(paint(printed, [(0, 130, 150)]), scene, memory, at=1.0)
    assert contents(seen) == {"lane0.1": (0,)}
    assert seen.spaces["lane0.1"].confidence > 0.9
    seen, memory = look(paint(printed, [(0, 170, 150)]), scene, memory, at=2.0)
    seen, memory = look(paint(printed, [(0, 170, 150)]), scene, memory, at=3.0)
    assert contents(seen) == {"lane0.2": (0,)}


@pytest.mark.long
def test_where_the_eyes_were_wrong_they_may_be_wrong_by_as_much_again(printed: tuple, scene: Scene) -> None:
    """Filmed by Blender (78004): of four violet pawns in a violet base they saw one, were told, and when the next one
    had left it, another one was called missing."""
    one, none = [(0, 255, 150)], Position.of({})
    _, memory = look(paint(printed, one), scene)
    told = learn(memory, scene, Position.of({"base0": (0, 0, 0)}))
    assert told.learned is not None and told.learned.mistakes == {"base0": ((0,), (0, 0, 0))}
    later = paint(printed, [(0, 251, 147)])
    unaided, again = (look(later, scene, known, at=1.0)[0].spaces["base0"] for known in (None, told))
    assert unaided.content == again.content == (0,) and unaided.confidence > 0.9
    assert again.log_likelihood((0, 0)) > -1 and again.log_likelihood((0, 0, 0)) > -1
    assert again.log_likelihood((0, 0, 0, 0)) < -5 and again.log_likelihood(()) < -5
    seen, memory = look(later, scene, learn(memory, scene, none), at=1.0)
    assert seen.spaces["base0"].log_likelihood(()) > -1, "and what is none"
    right = learn(memory, scene, Position.of({"base0": (0,)})).learned
    assert right is not None and right.mistakes == {}, "until they are right"


@pytest.mark.parametrize(
    ("stands", "ruled", "said"),
    [(SPOTS, {"t2": (1,), "t6": (0,)}, SEEN), (SPOTS[1:], {**SEEN, "t2": (3,)}, {**SEEN, "t0": ()})],
    ids=["pieces that were not believed", "one that was, and another colour"],
)
def test_what_was_ruled_is_believed_no_more_where_somebody_says_otherwise(
    printed: tuple, scene: Scene, stands: list, ruled: dict, said: dict
) -> None:
    """Filmed by Blender (870202): four lamps in the lacquer were ruled to be a disc, and were one ever after, whatever
    the owner said."""
    frame, right = paint(printed, stands), Position.of(said)
    _, memory = look(frame, scene)
    wrong = learn(memory, scene, Position.of(ruled))
    assert contents(look(frame, scene, wrong, at=1.0)[0]) == {name: seen for name, seen in ruled.items() if seen}
    told = corrected(wrong, scene, right)
    seen, again = look(frame, scene, told, at=1.0)
    assert contents(seen) == dict(right.items())
    assert corrected(told, scene, right) is told, "it is said already"
    kept = learn(again, scene, right).learned
    assert kept is not None and kept.position == right


def test_what_is_under_a_piece_is_learned_as_its_ink_elsewhere(printed: tuple) -> None:
    """White spaces that are greyer than printed were learned so, but for those under pawns: once bare, these looked
    like pawns that were lighter than the board."""
    sheet, texture = printed
    faded = texture.copy()
    faded[texture.min(axis=2) > 240] = 235
    scene, standing = make_scene(sheet, texture), [(2, 90, 90), (3, 255, 150)]
    frame = table.draw(sheet, faded, table.camera(), standing)
    _, memory = look(frame, scene)
    told = learn(memory, scene, Position.of({"t0": (2,), "base0": (3,)})).learned
    assert told is not None and scene.surface.inks[_pixel(90, 90)] == scene.surface.inks[_pixel(130, 90)]
    assert not told.known[_pixel(90, 90)] and told.known[_pixel(130, 90)]
    assert told.ratio[_pixel(130, 90)].max() < -0.05
    assert np.allclose(told.ratio[_pixel(90, 90)], told.ratio[_pixel(130, 90)], atol=0.06)
    assert (told.ratio[_pixel(255, 150)] == 0).all()


def _pixel(x: float, y: float) -> tuple[int, int]:
    return round(y * PIXELS_PER_MM), round(x * PIXELS_PER_MM)


def test_learning_before_anything_was_seen_changes_nothing(scene: Scene) -> None:
    blank = Memory()
    assert learn(blank, scene, Position.of({})) is blank and corrected(blank, scene, Position.of({"t0": (0,)})) is blank


def dark() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 8, (720, 960, 3)).astype(np.uint8)


@pytest.mark.parametrize(
    ("frame", "word"),
    [
        (dark(), "black"),
        (np.full((720, 960, 3), 90, np.uint8), "blank"),
        (np.random.default_rng(0).integers(0, 255, (480, 640, 3)).astype(np.uint8), "marker"),
    ],
)
def test_a_lost_board_says_why(scene: Scene, frame: np.ndarray, word: str) -> None:
    seen, _ = look(frame, scene)
    assert isinstance(seen, BoardLost) and word in seen.reason and seen.reason.endswith((".", "?"))


def test_a_mirrored_picture_is_named(printed: tuple, scene: Scene) -> None:
    seen, _ = look(np.ascontiguousarray(paint(printed)[:, ::-1]), scene)
    assert isinstance(seen, BoardLost) and "mirrored" in seen.reason


def test_another_board_is_not_read(printed: tuple, scene: Scene) -> None:
    sheet, texture = printed
    other = np.full_like(texture, 255)
    for at in range(100, 1100, 90):
        cv2.line(other, (at, 150), (1200 - at, 1050), (200, 60, at % 255), 12)
    corner = slice(0, 140)
    for rows in (corner, slice(-140, None)):
        for cols in (corner, slice(-140, None)):
            other[rows, cols] = texture[rows, cols]
    seen, _ = look(table.draw(sheet, other, table.camera()), scene)
    assert isinstance(seen, BoardLost)


def test_a_lost_board_comes_back(printed: tuple, scene: Scene) -> None:
    _, memory = look(paint(printed), scene)
    lost, memory = look(dark(), scene, memory, at=1.0)
    seen, memory = look(paint(printed), scene, memory, at=2.0)
    assert isinstance(lost, BoardLost) and contents(seen) == SEEN


@pytest.mark.long
def test_without_markers_the_photo_of_the_empty_board_serves(printed: tuple) -> None:
    sheet, texture = printed
    bare = replace(sheet, markers=None)
    corners = [(0, 0), (300, 0), (300, 300), (0, 300)]
    marks = np.column_stack([corners, table.camera().project(corners)])
    scene = make_scene(bare, texture, paint(printed, []), marks)
    seen, _ = look(paint(printed, x=8.0), scene)
    assert contents(seen) == SEEN


def test_a_board_without_a_texture_is_read_by_its_photo(printed: tuple) -> None:
    scene = make_scene(printed[0], None, paint(printed, []))
    seen, _ = look(paint(printed, x=6.0), scene)
    assert contents(seen) == SEEN


def test_a_sheet_without_colours_is_refused(printed: tuple) -> None:
    with pytest.raises(SheetError, match="colours"):
        make_scene(replace(printed[0], colors={}), printed[1])


@pytest.mark.parametrize(
    "frame", [None, np.zeros((10, 10), np.uint8), np.zeros((480, 640, 3)), np.zeros((9, 9, 3), np.uint8)]
)
def test_what_is_no_frame_is_refused(scene: Scene, frame: object) -> None:
    with pytest.raises(ImageError):
        look(frame, scene)


def test_health_names_torn_and_frozen_frames(printed: tuple) -> None:
    good = paint(printed)
    torn = good.copy()
    torn[500:] = 128
    assert health(good) is None
    assert "torn" in str(health(torn))
    assert "frozen" in str(health(good, good))


def test_a_scene_is_loaded_with_clear_errors(printed: tuple, tmp_path: Path) -> None:
    import json

    sheet, texture = printed
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps(sheet_to_json(replace(sheet, texture="board.png"))))
    with pytest.raises(ImageError, match=r"board\.png"):
        load_scene(path)
    (tmp_path / "board.png").write_bytes(b"no picture")
    with pytest.raises(ImageError, match="no picture"):
        load_scene(path)
    cv2.imwrite(str(tmp_path / "board.png"), texture)
    assert load_scene(path).sheet == replace(sheet, texture="board.png")
    with pytest.raises(SheetError, match=r"none\.json"):
        load_scene(tmp_path / "none.json")
    for text in ("{", "[" * 100000):
        path.write_text(text)
        with pytest.raises(SheetError, match=r"sheet\.json: this is no JSON"):
            load_scene(path)
    with pytest.raises(ImageError, match="this is a folder: name a picture in it"):
        read_image(tmp_path)


@pytest.mark.parametrize("kind", [".jpg", ".png"])
def test_half_a_picture_is_told_from_what_is_none(kind: str, tmp_path: Path) -> None:
    """A phone that is unplugged too soon leaves the beginning of one."""
    path, grain = tmp_path / f"board{kind}", np.random.default_rng(3).integers(0, 256, (64, 64, 3), np.uint8)
    whole = cv2.imencode(kind, grain)[1].tobytes()
    path.write_bytes(whole[: len(whole) // 50])
    with pytest.raises(ImageError, match=rf"board\{kind}: .* not all of it is here: copy it"):
        read_image(path)
    path.write_bytes(b"")
    with pytest.raises(ImageError, match="no picture that can be read"):
        read_image(path)


def test_a_photo_named_like_its_sheet_has_no_landmarks_in_it(printed: tuple, tmp_path: Path) -> None:
    import json

    sheet, texture = printed
    path, photo = tmp_path / "board.json", tmp_path / "board.png"
    path.write_text(json.dumps(sheet_to_json(replace(sheet, texture="print.png"))))
    cv2.imwrite(str(tmp_path / "print.png"), texture)
    cv2.imwrite(str(photo), table.draw(sheet, texture, table.camera()))
    assert load_scene(path, photo).pose is not None
    with pytest.raises(ImageError, match="folder"):
        load_scene(path, Path("/"))
    (tmp_path / "marks.json").write_text(json.dumps([{"x_mm": 10**400, "y_mm": 0, "px": [1, 2]}] * 4))
    with pytest.raises(ImageError, match="four landmarks"):
        load_scene(path, photo, tmp_path / "marks.json")


def test_the_printed_line_has_the_format(printed: tuple, scene: Scene) -> None:
    seen, _ = look(paint(printed), scene)
    line = look_json("a.jpg", seen, scene, 6.123)
    assert line["image"] == "a.jpg" and line["registered"] is True and line["ms"] == 6.1 and line["dice"] == []
    assert line["spaces"]["t0"]["seen"] == ["red"] and line["spaces"]["t0"]["covered"] is False
    lost = look_json("b.jpg", BoardLost(0.0, "The picture is black."), scene, 1.0)
    assert lost["registered"] is False and lost["spaces"] == {} and lost["reason"] == "The picture is black."


def test_the_drawing_over_the_picture_keeps_its_size(printed: tuple, scene: Scene) -> None:
    frame = paint(printed, arm=(190, 150))
    seen, memory = look(frame, scene)
    drawn = annotate(frame, seen, scene, memory)
    assert drawn.shape == frame.shape and (drawn != frame).any()
    lost, memory = look(dark(), scene)
    assert annotate(frame, lost, scene, memory).shape == frame.shape


PICTURES = Path(__file__).resolve().parents[2].parent / "shared" / "pictures"


@pytest.mark.skipif(not PICTURES.is_dir(), reason="the example pictures are not beside the project")
def test_example_pictures_are_read() -> None:
    import json

    right = total = 0
    for truth_file in sorted((PICTURES / "stills").glob("*parcheesi*.json"))[:3]:
        truth = json.loads(truth_file.read_text())
        scene = load_scene(truth_file.parent / truth["sheet"])
        frame = cv2.imread(str(truth_file.parent / truth["image"]))
        seen, _ = look(frame, scene)
        assert isinstance(seen, BoardSeen)
        for name, space in seen.spaces.items():
            if name not in truth["not_visible"] and name not in truth["covered"]:
                names = sorted(scene.sheet.seat_label(seat) for seat in space.content)
                total, right = total + 1, right + (names == sorted(truth["spaces"].get(name, [])))
    assert right / total > 0.98
