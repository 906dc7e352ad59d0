"""Boards found with and without markers, in any turn and through any lens; and what is said where they cannot be."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.evidence.conditions import CONDITIONS
from calibration.evidence.finding import board, on_wood, picture
from calibration.evidence.lens import Camera
from calibration.evidence.making import printed
from calibration.evidence.pages import glued as of_pages
from calibration.evidence.shop_art import STYLES, drawn
from companion.model import BoardLost, BoardSeen, ImageError, Sheet
from companion.vision import Scene, look, make_scene, sight
from companion.vision.finding import registration, repeating, settling
from companion.vision.finding.likeness import SCALE, Likeness, _agreed, _ahead, _traits, likeness, quarter_turns
from companion.vision.finding.markers import find_markers
from companion.vision.finding.mirror import mirrored_back
from companion.vision.finding.patches import in_all_turns, turn_by_details
from companion.vision.finding.registration import register
from companion.vision.finding.settling import EITHER_WAY, NOT_FOUND, TURN_HIDDEN, TWO_BOARDS
from companion.vision.view.grey import GREY, colourless, need_colour
from companion.vision.view.lens import Lens
from companion.vision.view.pose import Pose, downward, flat_maps, pushed, turned

sys.path.insert(0, str(Path(__file__).parent))
import table_drawing as table

GLORIA, SIX = ("gloria", (("home", "center"),)), ("aggravation", (("arms", 6),))
SQUARES = ("game-of-god", ())
DESK = CONDITIONS["desk"]


@lru_cache(maxsize=2)
def scene_of(kind: tuple) -> Scene:
    return make_scene(*printed(*kind))


@lru_cache(maxsize=8)
def _taken(kind: tuple, seed: int) -> tuple[np.ndarray, Camera]:
    return picture(*printed(*kind), DESK, np.random.default_rng(seed))


def taken(kind: tuple, seed: int) -> tuple[np.ndarray, Camera]:
    """A picture of a printed board on a desk, and where its camera stood."""
    frame, camera = _taken(kind, seed)
    return frame.copy(), camera


def worst_mm(found: Pose | str, camera: Camera, scene: Scene) -> float:
    """How far the space farthest from its true place lies from it, mm."""
    assert isinstance(found, Pose), found
    places = np.hstack([scene.places, np.zeros((len(scene.places), 1))])
    pixels = camera.project(places)
    scale = np.linalg.norm(pixels[0] - pixels[-1]) / np.linalg.norm(places[0] - places[-1])
    return float(np.linalg.norm(pixels - found.project(scene.places), axis=1).max() / scale)


@pytest.fixture(scope="module")
def wooden() -> object:
    sheet, image = printed(*GLORIA)
    rng = np.random.default_rng(5)
    return board(sheet, on_wood(image, sheet, rng), rng)


@pytest.fixture(scope="module")
def shop(wooden: object) -> Scene:
    return make_scene(wooden.sheet, None, wooden.photo, wooden.landmarks)


@pytest.mark.long(but=("120-20-640",))
@pytest.mark.parametrize(("turn", "tilt", "size"), [(37, 10, 1280), (180, 25, 1280), (-95, 45, 1280), (120, 20, 640)])
def test_a_wooden_board_is_found_by_its_photo_in_any_turn(
    wooden: object, shop: Scene, turn: float, tilt: float, size: int
) -> None:
    how = replace(DESK, turn=(turn, turn), tilt=(tilt, tilt), size=(size, size * 3 // 4), lacquer=(0.4, 0.6))
    frame, camera = picture(wooden.sheet, wooden.image, how, np.random.default_rng(turn % 360))
    assert worst_mm(register(frame, shop), camera, shop) < 2


@pytest.mark.long
def test_a_star_of_six_arms_is_turned_right_whatever_its_sides_say(shop: Scene) -> None:
    """In 1 of 56 pictures of such boards its arms fitted a sixth of a turn too far, and all marbles were misread."""
    sheet, image = printed(*SIX)
    rng = np.random.default_rng(6)
    six = board(sheet, on_wood(image, sheet, rng), rng)
    scene = make_scene(six.sheet, None, six.photo, six.landmarks)
    frame, camera = picture(six.sheet, six.image, replace(DESK, size=(800, 600)), np.random.default_rng(7))
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    right, middle = register(frame, scene), tuple(scene.places.mean(axis=0).tolist())
    assert worst_mm(right, camera, scene) < 2 and registration._turned_right(frame, grey, scene, right, None) == right
    for sixths in (1, 2, 5):
        wrong = pushed(right, sixths * np.pi / 3, (0, 0), middle)
        assert worst_mm(wrong, camera, scene) > 50
        assert worst_mm(registration._turned_right(frame, grey, scene, wrong, None), camera, scene) < 2
    assert len(registration._laid_out_alike(scene)) == 4 and not registration._laid_out_alike(shop)


@pytest.mark.long
def test_holes_in_wood_are_found_in_a_small_picture_whose_noise_is_hardly_calmed() -> None:
    sheet, _ = printed(*SIX)
    rng = np.random.default_rng(5)
    walnut = board(sheet, drawn(sheet, STYLES["drilled"], rng), rng)
    scene = make_scene(walnut.sheet, None, walnut.photo, walnut.landmarks)
    how = replace(DESK, turn=(100, 100), tilt=(40, 40), size=(480, 360))
    frame, camera = picture(walnut.sheet, walnut.image, how, np.random.default_rng(100))
    assert worst_mm(register(frame, scene), camera, scene) < 1


@pytest.mark.long
@pytest.mark.parametrize(("view", "k1", "k2"), [(95, -0.22, 0.035), (70, -0.35, 0.12), (60, 0.1, 0.0)])
def test_a_lens_that_bends_is_estimated_from_the_board(view: float, k1: float, k2: float) -> None:
    how = replace(DESK, view=(view, view), k1=(k1, k1), k2=(k2, k2), fill=(0.85, 0.9))
    frame, camera = picture(*printed(*SIX), how, np.random.default_rng(2))
    scene = scene_of(SIX)
    assert worst_mm(register(frame, scene), camera, scene) < 0.7


@pytest.mark.long
def test_a_known_lens_serves_for_larger_and_smaller_pictures_of_its_shape() -> None:
    how = replace(DESK, view=(80, 80), k1=(-0.2, -0.2), k2=(0.04, 0.04), fill=(0.85, 0.85))
    frame, camera = picture(*printed(*GLORIA), how, np.random.default_rng(2))
    lens = Lens((640, 480), camera.focal / 2, (-0.2, 0.04), (319.5, 239.5))
    scene = replace(scene_of(GLORIA), lens=lens)
    found = register(frame, scene)
    assert worst_mm(found, camera, scene) < 0.5
    assert isinstance(found, Pose) and found.focal == pytest.approx(camera.focal, rel=1e-3)
    cut = register(np.ascontiguousarray(frame[:720]), scene)
    assert isinstance(cut, str) and "640×480" in cut and "1280×720" in cut
    with pytest.raises(ImageError, match="another shape"):
        lens.scaled((1280, 720))


@pytest.mark.long
def test_one_marker_and_what_is_printed_are_enough() -> None:
    frame, camera = taken(GLORIA, 8)
    scene = scene_of(GLORIA)
    seen = find_markers(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), scene)
    for number in (0, 1, 3):
        cv2.circle(frame, tuple(int(v) for v in seen[number].mean(axis=0)), 40, (120, 150, 190), -1)
    assert worst_mm(register(frame, scene), camera, scene) < 1


def test_a_camera_upside_down_works() -> None:
    frame, camera = picture(*printed(*GLORIA), replace(DESK, turn=(180, 180)), np.random.default_rng(1))
    scene = scene_of(GLORIA)
    assert worst_mm(register(frame, scene), camera, scene) < 0.5


def glued(sheet: Sheet, image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The board with its markers cut out and glued on again, turned by quarters and up to 3 mm off."""
    result, scale = image.copy(), image.shape[1] / sheet.width
    assert sheet.markers is not None
    half = round(sheet.markers.size / 2 * scale)
    for quarters, (x, y) in enumerate(sheet.markers.centers.values()):
        col, row = round(x * scale), round(y * scale)
        marker = image[row - half : row + half, col - half : col + half].copy()
        image_of = np.rot90(marker, quarters)
        result[row - half : row + half, col - half : col + half] = 255
        col, row = col + round(rng.uniform(-3, 3) * scale), row + round(rng.uniform(-3, 3) * scale)
        row, col = max(row, half), max(col, half)
        result[row - half : row + half, col - half : col + half] = image_of[: result.shape[0] - row + half]
    return result


@pytest.mark.long(but=("kind1-0",))
@pytest.mark.parametrize(("kind", "hidden"), [(GLORIA, 0), (SIX, 0), (GLORIA, 1)])
def test_markers_that_were_glued_on_turned_and_a_little_off_place_are_enough(kind: tuple, hidden: int) -> None:
    sheet, image = printed(*kind)
    rng = np.random.default_rng(7)
    frame, camera = picture(sheet, glued(sheet, image, rng), DESK, rng)
    scene = scene_of(kind)
    if hidden:
        seen = find_markers(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), scene)
        cv2.circle(frame, tuple(int(v) for v in seen[1].mean(axis=0)), 40, (120, 150, 190), -1)
    assert worst_mm(register(frame, scene), camera, scene) < 1.5


@pytest.mark.long  # one of another kind is found below, each time
@pytest.mark.parametrize(("kind", "seed"), [(("gloria", (("home", "spaces"),)), 5), (SIX, 2), (("parcheesi", ()), 5)])
def test_a_board_of_pages_that_were_glued_three_mm_off_is_found(kind: tuple, seed: int) -> None:
    sheet, image = printed(*kind)
    paged = of_pages(image, sheet, 3.5, np.random.default_rng(seed))
    frame, camera = picture(sheet, paged, DESK, np.random.default_rng(3))
    found = register(frame, scene_of(kind))
    assert worst_mm(found, camera, scene_of(kind)) < 3
    assert isinstance(register(frame, scene_of(kind), found), Pose), "also when it is looked for near where it lay"


@pytest.mark.long
def test_a_board_of_such_pages_is_not_looked_for_anew_until_it_is_pushed(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet, image = printed(*SIX)
    frame, _ = picture(sheet, of_pages(image, sheet, 3.5, np.random.default_rng(2)), DESK, np.random.default_rng(3))
    seen, memory = look(frame, scene_of(SIX))
    looked: list[Pose | str] = []

    def counted(*given: object) -> Pose | str:
        looked.append(register(*given))
        return looked[-1]

    monkeypatch.setattr(sight, "register", counted)
    with_a_cup, pushed_on = frame.copy(), np.roll(frame, 9, axis=1)
    cv2.circle(with_a_cup, (640, 480), 30, (240, 240, 240), -1)
    again, memory = look(with_a_cup, scene_of(SIX), memory)
    assert isinstance(seen, BoardSeen) and isinstance(again, BoardSeen) and not again.moved and not looked
    _, memory = look(pushed_on, scene_of(SIX), memory)  # something large moves
    after, _ = look(pushed_on, scene_of(SIX), memory)
    assert isinstance(after, BoardSeen) and after.moved and len(looked) == 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("there", "sheet"),
    [
        (("parcheesi", ()), ("parcheesi-print", ())),
        (("gloria", (("home", "spaces"),)), GLORIA),
        (("game-of-god", (("size", 8),)), ("game-of-god", (("size", 9),))),
    ],
)
def test_another_game_on_such_pages_is_not_read(there: tuple, sheet: tuple) -> None:
    own, image = printed(*there)
    frame, _ = picture(own, of_pages(image, own, 3.5, np.random.default_rng(10)), DESK, np.random.default_rng(3))
    assert isinstance(register(frame, scene_of(sheet)), str)


@pytest.mark.long
def test_a_board_in_other_colours_is_found() -> None:
    sheet, image = printed("game-of-god", (("size", 8),))
    other = np.where(image.max(axis=2, keepdims=True) > 230, image, (image * (0.5, 0.9, 0.3) + (60, 10, 0)))
    frame, camera = picture(sheet, other.astype(np.uint8), DESK, np.random.default_rng(3))
    scene = make_scene(sheet, image)
    assert worst_mm(register(frame, scene), camera, scene) < 0.7


@lru_cache(maxsize=1)
def under_a_blind() -> np.ndarray:
    """Sun and shade on every pixel of a picture, 1280 × 960: slanted stripes with soft edges, four times as bright."""
    y, x = np.mgrid[:960, :1280].astype(np.float32)
    way = 0.94 * y + 0.34 * x
    return np.asarray(1 + 3 / (1 + np.exp(-3 * np.sin(2 * np.pi * way / 70)))[..., None], np.float32)


def in_the_sun(frame: np.ndarray) -> np.ndarray:
    return np.clip(0.45 * frame * under_a_blind() ** (1 / 2.2), 0, 255).astype(np.uint8)


@pytest.mark.long
def test_a_board_under_a_blind_is_found() -> None:
    """The edges of the sun are stronger than the print: so little of it was found that it was another board."""
    frame, camera = taken(SIX, 4)
    scene = scene_of(SIX)
    assert worst_mm(register(in_the_sun(frame), scene), camera, scene) < 0.7


@pytest.mark.long
@pytest.mark.parametrize(
    ("there", "sheet"),
    [(("parcheesi", ()), ("parcheesi-print", ())), (("gloria", (("home", "spaces"),)), GLORIA)],
)
def test_another_board_under_a_blind_is_not_read(there: tuple, sheet: tuple) -> None:
    frame, _ = taken(there, 4)
    assert isinstance(register(in_the_sun(frame), scene_of(sheet)), str)


@pytest.mark.long
@pytest.mark.parametrize(
    ("there", "sheet"),
    [
        (("parcheesi", ()), ("parcheesi-print", ())),
        (("parcheesi-print", ()), ("parcheesi", ())),
        (("gloria", (("home", "spaces"),)), GLORIA),
        (("game-of-god", (("size", 8),)), ("game-of-god", (("size", 9),))),
        (("gloria", (("home", "spaces"),)), ("game-of-god", (("size", 8),))),
        (("aggravation", (("arms", 4),)), SIX),
    ],
)
def test_another_board_with_the_same_markers_is_not_read(there: tuple, sheet: tuple) -> None:
    frame, _ = taken(there, 4)
    seen, _ = look(frame, scene_of(sheet))
    assert isinstance(seen, BoardLost) and ("another board" in seen.reason or "not look like" in seen.reason)


@pytest.mark.long
def test_a_shops_board_is_not_taken_for_another(shop: Scene) -> None:
    frame, _ = taken(("parcheesi", ()), 4)
    seen, _ = look(frame, shop)
    assert isinstance(seen, BoardLost) and "cannot be found" in seen.reason


def test_mirrored_pictures_are_named_without_markers_too(wooden: object, shop: Scene) -> None:
    frame, _ = picture(wooden.sheet, wooden.image, DESK, np.random.default_rng(3))
    seen, _ = look(np.ascontiguousarray(frame[:, ::-1]), shop)
    assert isinstance(seen, BoardLost) and "mirrored" in seen.reason


def tinted(frame: np.ndarray, way: float) -> np.ndarray:
    """A picture that one lamp lights from the left, and another one, of another colour, from the right."""
    slope = np.linspace(-way, way, frame.shape[1])[:, None] * (0.5, 0.0, -0.5)
    return np.asarray(np.clip(frame * np.exp(slope), 0, 255), np.uint8)


@pytest.mark.long
def test_lamps_of_two_colours_do_not_tell_the_turn_of_a_board(wooden: object) -> None:
    """Wood was orange on one side in the owner's photo, and on the other in the picture: the board was surely turned
    by half, so it was not found, and then "mirrored", as its own mirror image fitted."""
    scene = make_scene(wooden.sheet, None, tinted(wooden.photo, 0.9), wooden.landmarks)
    frame, camera = picture(wooden.sheet, wooden.image, replace(DESK, turn=(180, 180)), np.random.default_rng(4))
    frame = tinted(frame, 0.9)
    found = register(frame, scene)
    assert worst_mm(found, camera, scene) < 2 and likeness(frame, scene, found).turned == 0


@pytest.mark.long
def test_a_board_that_is_its_own_mirror_image_is_found_in_that(
    monkeypatch: pytest.MonkeyPatch, wooden: object, shop: Scene
) -> None:
    frame, camera = picture(wooden.sheet, wooden.image, DESK, np.random.default_rng(3))
    right = register(frame, shop)
    flipped = mirrored_back(right, shop)
    corners = np.array([(0, 0), (shop.sheet.width, 0), (0, shop.sheet.height)])
    mirrored = right.project(corners * (-1, 1) + (shop.sheet.width, 0)) * (-1, 1) + (frame.shape[1] - 1, 0)
    assert np.abs(flipped.project(corners) - mirrored).max() < 1
    tried = iter([NOT_FOUND] * len(registration._sizes(frame.shape[1])) + [flipped])
    monkeypatch.setattr(registration, "_found_by_features", lambda *_: next(tried))
    assert worst_mm(register(frame, shop), camera, shop) < 2


@pytest.mark.long
def test_of_several_outlines_the_board_lies_in_the_one_that_shows_it_best(
    monkeypatch: pytest.MonkeyPatch, wooden: object, shop: Scene
) -> None:
    """A quarter too far, and a hole too far aside, a board of holes fits itself: the first that would do was taken."""
    frame, camera = picture(wooden.sheet, wooden.image, DESK, np.random.default_rng(3))
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    right = register(frame, shop)
    wrong = pushed(right, 0.02, (9.0, 0.0), (0.0, 0.0))
    settled = iter([wrong, right, wrong])
    monkeypatch.setattr(repeating, "settled", lambda *_: next(settled))
    monkeypatch.setattr(repeating, "_beside", lambda *_: False)
    monkeypatch.setattr(repeating, "_PLAINLY_LIKE", 2.0)
    assert worst_mm(registration.by_outline(frame, grey, shop, None), camera, shop) < 2


@pytest.mark.long(but=("other1",))
@pytest.mark.parametrize("other", [GLORIA, ("parcheesi", ())])
def test_two_boards_with_markers_are_named(other: tuple) -> None:
    frames = [taken(kind, 3)[0] for kind in (GLORIA, other)]
    seen, _ = look(np.hstack(frames), scene_of(GLORIA))
    assert isinstance(seen, BoardLost) and seen.reason == TWO_BOARDS


@pytest.mark.parametrize("number", range(4))
def test_a_corner_of_another_sheet_in_the_picture_is_not_taken_for_this_ones(number: int) -> None:
    """The smaller of two markers of one number was, and the board then was no such board, it was said."""
    sheet, texture = table.board()
    frame = table.draw(sheet, texture, table.camera())
    mark = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 25)
    frame[20:65, 20:65] = 250
    frame[30:55, 30:55] = mark[..., None]
    found = register(frame, make_scene(sheet, texture))
    assert isinstance(found, Pose) and found.shifted(table.camera(), table.SIDE, table.SIDE) < 1.5


def _scenes_and_pictures() -> dict[str, tuple[Scene, tuple[Sheet, np.ndarray]]]:
    sheet, texture = table.board()
    camera = table.camera(0, 0)
    corners = np.array([(0, 0), (table.SIDE, 0), (table.SIDE, table.SIDE), (0, table.SIDE)], np.float64)
    bare = replace(sheet, markers=None)
    photo = make_scene(bare, None, table.draw(sheet, texture, camera), np.hstack([corners, camera.project(corners)]))
    return {"markers": (make_scene(sheet, texture), (sheet, texture)), "photo": (photo, (sheet, texture))}


@pytest.mark.long
@pytest.mark.parametrize("quarters", [1, 2, 3])
@pytest.mark.parametrize("known", ["markers", "photo"])
def test_a_board_turned_just_where_it_lay_is_seen_to_be_turned(known: str, quarters: int) -> None:
    """Most of what is printed lies where it lay, then, and all pieces were read where others had been."""
    scene, (sheet, texture) = _scenes_and_pictures()[known]
    pieces, memory = [(0, 90.0, 90.0), (1, 170.0, 90.0), (3, 210.0, 170.0)], None
    for at, turn in enumerate([0, 0, 90 * quarters, 90 * quarters, 90 * quarters]):
        seen, memory = look(table.draw(sheet, texture, table.camera(0, turn), pieces), scene, memory, float(at))
    assert isinstance(seen, BoardSeen)
    assert {name: s.content for name, s in seen.spaces.items() if s.content} == {"t0": (0,), "t2": (1,), "t5": (3,)}


@pytest.mark.long
def test_two_boards_without_markers_are_named(wooden: object, shop: Scene) -> None:
    frames = [picture(wooden.sheet, wooden.image, DESK, np.random.default_rng(k))[0] for k in (3, 4)]
    seen, _ = look(np.hstack(frames), shop)
    assert isinstance(seen, BoardLost) and seen.reason == TWO_BOARDS


@pytest.mark.long
def test_a_board_that_looks_the_same_in_every_turn_is_not_guessed() -> None:
    sheet, _ = table.board()
    quarter = np.random.default_rng(1).integers(40, 220, (20, 20, 3)).astype(np.uint8)
    quarter = cv2.resize(quarter, (600, 600), interpolation=cv2.INTER_NEAREST)
    top = np.hstack([quarter, np.rot90(quarter, 3)])
    whole = np.ascontiguousarray(np.vstack([top, np.rot90(top, 2)]))
    plain = replace(sheet, markers=None)
    scene = make_scene(plain, whole)
    found = register(table.draw(sheet, whole, table.camera()), scene)
    assert found == EITHER_WAY


def on_felt() -> tuple[Sheet, np.ndarray]:
    """A board of dark felt, alike in all its quarters but for the colours of some discs on it; and its texture."""
    lane = [(600, 560 - 90 * i) for i in range(5)]
    base = [(x, y) for x in (250, 330) for y in (250, 330)]
    track = [(x, 500 - 90 * i) for x in (510, 690) for i in range(5)]
    texture = np.full((1200, 1200, 3), (40, 58, 18), np.uint8)
    for color in ((215, 205, 220), (165, 95, 225), (105, 150, 190), (165, 60, 105)):
        texture = np.ascontiguousarray(np.rot90(texture))
        for at in lane + base:
            cv2.circle(texture, at, 30, color, -1, cv2.LINE_AA)
        for at in track:
            cv2.circle(texture, at, 32, (150, 165, 175), 5, cv2.LINE_AA)
        cv2.circle(texture, (290, 290), 110, (150, 165, 175), 5, cv2.LINE_AA)
    sheet, _ = table.board()
    return replace(sheet, markers=None), texture


@pytest.mark.long(but=("0",))
@pytest.mark.parametrize("turn", [0, 90, 200])
def test_the_colours_of_some_discs_tell_the_turn_though_pieces_stand_on_many(turn: float) -> None:
    """A path-traced board of felt lay in plain sight: each of the four colours was seen, but not each disc as it is."""
    sheet, texture = on_felt()
    on = [(150, 140), (150, 95), (150, 50), (117.5, 150), (72.5, 150), (62.5, 82.5), (237.5, 62.5)]
    pieces, pose = [(k % 4, x, y) for k, (x, y) in enumerate(on)], table.camera(30, turn)
    found = register(table.draw(sheet, texture, pose, pieces), make_scene(sheet, texture))
    assert isinstance(found, Pose), found
    assert pose.shifted(found, table.SIDE, table.SIDE) < 3


@pytest.mark.long
def test_likeness_knows_the_turn() -> None:
    frame, _ = taken(GLORIA, 6)
    scene = scene_of(GLORIA)
    found = register(frame, scene)
    assert isinstance(found, Pose)
    assert likeness(frame, scene, found).turned == 0
    for quarters in (1, 2, 3):
        other = turned(found, quarters, scene.sheet.width, scene.sheet.height)
        back = likeness(frame, scene, other).turned
        assert back is not None and (back + quarters) % 4 == 0


@pytest.mark.long
def test_grey_pictures_are_named_and_never_read() -> None:
    frame, _ = taken(GLORIA, 6)
    scene = scene_of(GLORIA)
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    tinted = np.clip(grey[..., None] * np.array([0.95, 0.8, 0.9]), 0, 255).astype(np.uint8)
    for night in (cv2.merge([grey, grey, grey]), tinted):
        seen, _ = look(night, scene)
        assert isinstance(seen, BoardLost) and "grey" in seen.reason
    assert not colourless(frame)
    assert isinstance(look(frame, scene)[0], BoardSeen)
    assert not need_colour(["#101010", "#f0f0f0"]) and need_colour(["#101010", "#c02020"])
    with pytest.raises(ImageError, match="BGR"):
        look(grey, scene)


def test_something_small_that_has_a_colour_shows_that_the_camera_sees_them() -> None:
    """A black and white board on a grey table, with a blue sticker on its corner, was called a night picture."""
    frame, _ = taken(GLORIA, 6)
    grey = cv2.merge([cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)] * 3)
    noisy = np.clip(grey + np.random.default_rng(1).normal(0, 8, grey.shape), 0, 255).astype(np.uint8)
    squeezed = cv2.imdecode(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 30])[1], cv2.IMREAD_COLOR)
    for night in (grey, noisy, squeezed):
        assert colourless(night)
        cv2.circle(night, (120, 90), round(0.01 * grey.shape[1]), (180, 90, 30), -1)
        assert not colourless(night)


def test_black_and_white_pieces_are_told_without_colours() -> None:
    scene = scene_of(SQUARES)
    dull = [seat for seat, color in scene.sheet.colors.items() if not need_colour([color])]
    assert 0 < len(dull) < len(scene.sheet.colors) and need_colour(scene.colors_in_play)
    assert not need_colour(replace(scene, players=frozenset(dull)).colors_in_play)


def test_a_small_picture_is_read_or_its_size_is_named() -> None:
    frame, camera = picture(*printed(*SIX), replace(DESK, size=(320, 240)), np.random.default_rng(3))
    scene = scene_of(SIX)
    found = register(frame, scene)
    if isinstance(found, Pose):
        assert worst_mm(found, camera, scene) < 2
    else:
        assert "320×240" in found


@pytest.mark.long(but=("True",))
@pytest.mark.parametrize("marked", [True, False])
def test_a_picture_of_something_else_shows_no_board(shop: Scene, marked: bool) -> None:
    chance = np.random.default_rng(2)
    coarse = chance.integers(0, 255, (48, 64, 3)).astype(np.uint8)
    leaves = cv2.resize(coarse, (1280, 960), interpolation=cv2.INTER_CUBIC)
    for _ in range(60):
        middle, color = chance.integers(0, 960, 2).tolist(), chance.integers(0, 255, 3).tolist()
        cv2.ellipse(leaves, middle, (40, 15), float(chance.uniform(0, 180)), 0, 360, color, -1, cv2.LINE_AA)
    seen, _ = look(leaves, scene_of(GLORIA) if marked else shop)
    assert isinstance(seen, BoardLost) and seen.reason.endswith((".", "?"))


@lru_cache(maxsize=2)
def chequered(sticker: bool, grain: float = 0.0, off: tuple[float, float] = (0.0, 0.0)) -> tuple[object, Scene]:
    """A draughts board without markers, squares alike as only squares are; with a round sticker of 16 mm or without;
    of wood whose fibres, 3 mm by 12, are darker or brighter by the share `grain`. off: mm by which the squares are off
    the middle.
    """
    sheet, _ = printed("game-of-god", (("size", 8),))
    image = np.full((1600, 1600, 3), (150, 190, 215), np.uint8)
    for space in sheet.spaces.values():
        x, y = round(4 * (space.x + off[0])), round(4 * (space.y + off[1]))
        if (ord(space.name[0]) + int(space.name[1:])) % 2:
            cv2.rectangle(image, (x - 80, y - 80), (x + 79, y + 79), (50, 75, 110), -1)
    fibres = cv2.resize(np.random.default_rng(9).normal(1, grain, (133, 33)), (1600, 1600))
    image = np.clip(image * fibres[..., None], 0, 255).astype(np.uint8)
    if sticker:
        cv2.circle(image, (44, 44), 32, (40, 40, 200), -1)
    made = board(sheet, image, np.random.default_rng(5))
    return made, make_scene(made.sheet, None, made.photo, made.landmarks)


@pytest.mark.long(but=("by_squares-80-20-True",))
@pytest.mark.parametrize(("turn", "tilt", "arm"), [(0, 10, False), (165, 25, False), (-100, 35, False), (80, 20, True)])
@pytest.mark.parametrize("by", ["by_squares", "by_outline"])
def test_a_board_of_squares_is_found_by_these_or_its_outline_and_a_sticker_tells_its_turn(
    turn: float, tilt: float, arm: bool, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, scene = chequered(True)
    for other in {"_by_features", "by_squares", "by_outline"} - {by}:
        monkeypatch.setattr(registration, other, lambda *_: NOT_FOUND)
    how = replace(DESK, turn=(turn, turn), tilt=(tilt, tilt), arm=arm)
    frame, camera = picture(made.sheet, made.image, how, np.random.default_rng(3 + turn % 360))
    assert worst_mm(register(frame, scene), camera, scene) < 2


@pytest.mark.long
@pytest.mark.parametrize("turn", [0, 180, 90])
@pytest.mark.parametrize("off", [(3.0, -2.0), (-4.0, 3.0)])
def test_squares_that_are_off_the_middle_are_not_taken_for_themselves_turned(
    turn: float, off: tuple[float, float]
) -> None:
    """In a film the squares of a card board lay a few mm nearer to one side: it was found turned by half, with all
    squares in place, and everybody's pieces in the others' goal areas. Its sticker was looked for elsewhere."""
    made, scene = chequered(True, off=off)
    how = replace(DESK, turn=(turn, turn), tilt=(20, 20))
    frame, camera = picture(made.sheet, made.image, how, np.random.default_rng(3 + turn))
    assert worst_mm(register(frame, scene), camera, scene) < 2


@pytest.mark.long(but=("400.9-401.1-turns1",))
@pytest.mark.parametrize(("width", "height", "turns"), [(400.0, 400.4, (0, 1, 2, 3)), (400.9, 401.1, (0, 2))])
def test_a_board_that_is_nearly_square_is_turned_as_its_picture_is(
    width: float, height: float, turns: tuple[int, ...]
) -> None:
    made, _ = chequered(False)
    grey = np.asarray(cv2.cvtColor(made.photo, cv2.COLOR_BGR2GRAY), np.uint8)
    scene = make_scene(replace(made.sheet, width=width, height=height), None, made.photo, made.landmarks)
    assert scene.pose is not None and (0, *quarter_turns(scene)) == turns
    assert 0 in in_all_turns(grey, scene, scene.pose)


@pytest.mark.long
@pytest.mark.parametrize(("turn", "off"), [(0, (0.0, 0.0)), (180, (0.0, 0.0)), (0, (-4.0, 3.0))])
def test_a_board_of_squares_without_a_mark_is_not_guessed(turn: float, off: tuple[float, float]) -> None:
    made, scene = chequered(False, off=off)
    frame, _ = picture(made.sheet, made.image, replace(DESK, turn=(turn, turn)), np.random.default_rng(3))
    assert register(frame, scene) == EITHER_WAY


@pytest.mark.long
def test_the_grain_of_squares_tells_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where glare lies on the mark nothing tells the turn from afar; but the grain of each square is its own."""
    made, scene = chequered(False, grain=0.15)
    frame, camera = picture(made.sheet, made.image, DESK, np.random.default_rng(3))
    for room in (registration, repeating, settling):
        monkeypatch.setattr(room, "likeness", lambda *_: Likeness(0.7, None, 0.7))
    found, grey = register(frame, scene), np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    assert worst_mm(found, camera, scene) < 2
    assert isinstance(found, Pose)
    for quarters in (1, 2, 3):
        other = turned(found, quarters, scene.sheet.width, scene.sheet.height)
        back = turn_by_details(grey, scene, in_all_turns(grey, scene, other))
        assert back is not None and (back + quarters) % 4 == 0


@pytest.mark.long
def test_a_board_of_squares_whose_outline_shows_in_parts_is_found_by_its_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    made, scene = chequered(True)
    how = replace(DESK, turn=(20, 20), tilt=(20, 20))
    frame, camera = picture(made.sheet, made.image, how, np.random.default_rng(4))
    for other in ("_by_features", "by_squares"):
        monkeypatch.setattr(registration, other, lambda *_: NOT_FOUND)
    monkeypatch.setattr(repeating, "outlines", lambda _: [])
    assert worst_mm(register(frame, scene), camera, scene) < 2


@pytest.mark.parametrize(("way", "unmoved"), [((0.0, 0.0), True), ((0.8, -0.5), True), ((80.0, 0.0), False)])
def test_squares_without_points_or_outline_are_found_where_they_lay_for_the_photo(
    way: tuple[float, float], unmoved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dark wood in poor light; pushed by two squares it nearly looks the same from there, and is not guessed."""
    made, scene = chequered(True)
    assert scene.pose is not None
    for other in ("_by_features", "by_squares", "by_outline"):
        monkeypatch.setattr(registration, other, lambda *_: NOT_FOUND)
    frame, corners = pushed_photo(made.photo, scene.pose, way)
    found = register(frame, scene)
    assert isinstance(found, Pose) == unmoved
    if isinstance(found, Pose):
        assert np.abs(found.project(SQUARE) - corners).max() < 2


SQUARE = np.array([(0, 0), (400, 0), (400, 400), (0, 400)], np.float32)


def pushed_photo(photo: np.ndarray, pose: Pose, way: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """The photo of a board that was pushed by some mm, and where its corners lie in it."""
    before, after = (pose.project(spots).astype(np.float32) for spots in (SQUARE, SQUARE + np.float32(way)))
    push = cv2.getPerspectiveTransform(before, after)
    frame = cv2.warpPerspective(photo, push, pose.size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(frame, np.uint8), after


@pytest.mark.long(but=("way0", "way2"))
@pytest.mark.parametrize("way", [(40.0, 0.0), (-80.0, 0.0), (-40.0, -40.0)])
def test_squares_that_were_pushed_by_one_or_two_are_found_where_they_are(
    way: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, scene = chequered(True)
    assert scene.pose is not None
    for other in ("_by_features", "by_outline"):
        monkeypatch.setattr(registration, other, lambda *_: NOT_FOUND)
    frame, corners = pushed_photo(made.photo, scene.pose, way)
    found = register(frame, scene)
    assert isinstance(found, Pose) and np.abs(found.project(SQUARE) - corners).max() < 2


def test_squares_without_grain_do_not_tell_their_turn() -> None:
    made, scene = chequered(False)
    grey = np.asarray(cv2.cvtColor(made.photo, cv2.COLOR_BGR2GRAY), np.uint8)
    assert scene.pose is not None
    assert turn_by_details(grey, scene, in_all_turns(grey, scene, scene.pose)) is None


@pytest.mark.long
def test_a_mark_that_is_covered_leaves_the_turn_open() -> None:
    made, scene = chequered(True)
    frame, camera = picture(made.sheet, made.image, DESK, np.random.default_rng(3))
    (x, y), *_ = camera.project([(11.0, 11.0, 0.0)])
    cv2.circle(frame, (round(float(x)), round(float(y))), 30, (60, 90, 130), -1)
    assert register(frame, scene) == TURN_HIDDEN


@pytest.mark.parametrize("night", [False, True])
def test_in_a_grey_picture_no_mark_is_said_to_be_hidden(night: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A camera in its night mode when the evening began: its owner was told to take off what lies on the mark."""
    made, scene = chequered(True)
    monkeypatch.setattr(registration, "_found", lambda *_: TURN_HIDDEN)
    grey = cv2.cvtColor(made.photo, cv2.COLOR_BGR2GRAY)
    frame = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR) if night else made.photo, np.uint8)
    assert register(frame, scene) == (GREY if night else TURN_HIDDEN)


@pytest.mark.long
def test_a_lamp_on_the_mark_leaves_the_turn_open_and_that_is_said() -> None:
    """Players were told that the picture has few pixels."""
    made, scene = chequered(True)
    frame, camera = picture(made.sheet, made.image, replace(DESK, size=(800, 600)), np.random.default_rng(3))
    lit = np.zeros(frame.shape, np.float32)
    cv2.circle(lit, tuple(camera.project([(11.0, 11.0, 0.0)])[0].astype(int).tolist()), 60, (255, 255, 255), -1)
    seen, _ = look((frame + (255 - frame) * lit / 255).astype(np.uint8), scene)
    assert isinstance(seen, BoardLost) and seen.reason == TURN_HIDDEN
    assert isinstance(look(frame, scene)[0], BoardSeen)


@pytest.mark.long
@pytest.mark.parametrize("way", [(0.0, 0.0), (2.0, -1.5)])
def test_the_turn_is_known_from_a_moment_ago_where_its_mark_is_hidden_now(way: tuple[float, float]) -> None:
    """The board lies where it lay, or was bumped; it flickered between found and lost."""
    made, scene = chequered(True)
    frame, _ = picture(made.sheet, made.image, replace(DESK, size=(800, 600)), np.random.default_rng(3))
    before = register(frame, scene)
    assert isinstance(before, Pose)
    corners = np.array([(0, 0), (400, 0), (400, 400), (0, 400)], np.float32)
    ends = before.project(corners + np.float32(way)).astype(np.float32)
    push = cv2.getPerspectiveTransform(before.project(corners).astype(np.float32), ends)
    hidden = cv2.warpPerspective(frame, push, (800, 600), borderMode=cv2.BORDER_REPLICATE)
    ((x, y),) = before.project([np.add((11.0, 11.0), way)])
    hidden = np.asarray(cv2.circle(hidden, (round(x), round(y)), 24, (60, 90, 130), -1), np.uint8)
    assert register(hidden, scene) == TURN_HIDDEN
    found = register(hidden, scene, before)
    assert isinstance(found, Pose) and np.abs(found.project(corners) - ends).max() < 3


@pytest.mark.parametrize("upside_down", [False, True])
def test_a_window_that_is_mirrored_in_the_photo_does_not_outshine_the_mark(upside_down: bool) -> None:
    """It lies on a corner of the board, is larger than the mark, and in no picture after that; nor is the mark as red
    in haze."""
    made, scene = chequered(True)
    assert scene.pose is not None
    spots = [(0.0, 365.0, 0.0), (35.0, 365.0, 0.0), (35.0, 400.0, 0.0), (0.0, 400.0, 0.0)]
    window = scene.pose.project([spot[:2] for spot in spots]).round().astype(np.int32)
    dim = np.asarray(0.4 * made.photo, np.uint8)
    photo = cv2.fillConvexPoly(dim.copy(), window, (255, 235, 215), cv2.LINE_AA)
    mirrored = make_scene(made.sheet, None, np.asarray(photo, np.uint8), made.landmarks)
    hazy = np.asarray(0.8 * dim + 25, np.uint8)
    found = register(np.ascontiguousarray(np.rot90(hazy, 2)) if upside_down else hazy, mirrored)
    assert isinstance(found, Pose)
    corner = scene.pose.project(np.array([(11.0, 11.0)]))
    there = np.array(made.photo.shape[1::-1]) - 1 - corner if upside_down else corner
    assert np.abs(found.project(np.array([(11.0, 11.0)])) - there).max() < 4


def test_blocks_that_differ_by_little_do_not_tell_the_turn_however_many() -> None:
    """Of a glass board with a dark rim each block of that was a little more like the board turned by half."""
    rim = {2: np.ones((4, 10), bool)}
    for less, told in ((0.1, 0.0), (0.3, 1.0)):
        alike = {0: np.full((4, 10), 0.9), 2: np.full((4, 10), 0.9 - less)}
        alike[2][0, 0] = np.nan  # out of the picture
        assert _ahead(alike, 0, rim, 0.135)[2] == pytest.approx(told and math.sqrt(39))
        assert _ahead(alike, 2, rim, 0.135)[0] == pytest.approx(-(told and math.sqrt(39)))


def test_marks_that_speak_against_what_most_blocks_say_leave_the_turn_open() -> None:
    """A sticker is on one corner alone."""
    _, scene = chequered(True)
    assert scene.pose is not None
    maps = flat_maps(scene.pose, 400, 400, SCALE)
    seen = _traits(downward(maps).view(chequered(True)[0].photo))
    inside = np.ones(seen.shape[:2], np.float32)
    for turn, ahead, agreed in ((0, 9.0, True), (0, 0.0, True), (0, -9.0, False), (2, 9.0, False), (2, 0.0, False)):
        lying = np.ascontiguousarray(np.rot90(seen, turn))
        assert _agreed(lying, inside, turn, {(turn + 2) % 4: ahead}, scene) == agreed


@pytest.mark.long
def test_what_has_four_corners_and_is_another_board_is_none() -> None:
    _, scene = chequered(True)
    frame, _ = picture(*printed(*GLORIA), DESK, np.random.default_rng(3))
    assert isinstance(register(frame, scene), str)


@pytest.mark.parametrize("step", [300.0, 1e9, np.nan])
def test_a_pose_that_cannot_be_shows_nothing_and_is_no_error(step: float) -> None:
    """Points that were paired wrongly made one now and then (own renderer, 878587), and the look ended in an error."""
    x, y = (axis.astype(np.float32) * np.float32(step) for axis in np.meshgrid(np.arange(40), np.arange(40)))
    view = downward((x, y)).view(np.full((480, 640, 3), 90, np.uint8))
    assert view.shape == (40, 40, 3)
