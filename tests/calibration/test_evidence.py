"""The evidence: its camera and rays are right, its pictures are what they say, and its sums are."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from calibration.evidence import making, run
from calibration.evidence.caster import BOARD, cast
from calibration.evidence.conditions import APART, CONDITIONS
from calibration.evidence.curled import Curl, Wave, a_curl
from calibration.evidence.lens import Camera, fitted, stand
from calibration.evidence.making import all_options, make, printed
from calibration.evidence.measure import EDGES, calibration_error, compare, measure, reliability, summary
from calibration.evidence.pages import glued
from calibration.evidence.pieces import arm, piece
from calibration.evidence.positions import Standing, position, seen
from calibration.evidence.printing import diagram, tables
from calibration.evidence.run import planned
from calibration.evidence.shapes import Ball, Capsule, Cone, Lid
from calibration.evidence.sunshine import Panes
from calibration.evidence.table import Ground, Table, grain_of, lamp, paper_of
from calibration.paper import pages
from calibration.sheet import BOARDS
from companion.model import BadInput, Piece, SpaceSeen
from companion.service.cli import main

MIDDLE = np.array([200.0, 200.0, 0.0])


def camera(tilt: float = 30.0, turn: float = 20.0, bend: tuple[float, float] = (0.0, 0.0), width: int = 320) -> Camera:
    return stand(MIDDLE, 700.0, tilt, turn, 7.0, 1.1 * width, (width, width * 3 // 4), bend)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """One ray a pixel: quicker, and coarser than what is measured with."""
    monkeypatch.setattr(making, "FINER", 1)


# --- the camera ---


@pytest.mark.parametrize("bend", [(0.0, 0.0), (-0.12, 0.02), (0.05, -0.01)])
@pytest.mark.parametrize("tilt", [0.0, 45.0])
def test_projection_agrees_with_opencv(tilt: float, bend: tuple[float, float]) -> None:
    eye = camera(tilt, bend=bend)
    points = np.random.default_rng(1).uniform((0, 0, -5), (400, 400, 60), (50, 3))
    # OpenCV's axes are right-handed: with x right and y down, z points into the table.
    flip = np.diag([1.0, 1.0, -1.0])
    rotation = eye.axes @ flip
    assert np.linalg.det(rotation) == pytest.approx(1)
    matrix = np.array([[eye.focal, 0, eye.middle[0]], [0, eye.focal, eye.middle[1]], [0, 0, 1]])
    want, _ = cv2.projectPoints(
        points @ flip, cv2.Rodrigues(rotation)[0], -rotation @ flip @ eye.eye, matrix, np.array([*bend, 0, 0])
    )
    assert np.abs(eye.project(points) - want[:, 0]).max() < 1e-6


@pytest.mark.parametrize("aside", [(0.0, 0.0), (9.0, -4.0)])
@pytest.mark.parametrize("finer", [1, 2])
def test_a_pixels_ray_comes_back_to_the_pixel(finer: int, aside: tuple[float, float]) -> None:
    eye = replace(camera(bend=(-0.12, 0.02)), aside=aside)
    rays = eye.rays(finer)
    assert rays.shape == (240 * finer, 320 * finer, 3)
    for row, col in ((0, 0), (100, 37), (240 * finer - 1, 320 * finer - 1)):
        back = eye.project(eye.eye + 650 * rays[row, col].astype(float))[0]
        assert back == pytest.approx([(col + 0.5) / finer - 0.5, (row + 0.5) / finer - 0.5], abs=0.05)


def test_a_camera_whose_axis_is_aside_shows_the_same_elsewhere() -> None:
    sheet, _ = printed("gloria", ())
    aside = making.a_camera(sheet, APART["axis aside"], np.random.default_rng(4))
    straight, points = replace(aside, aside=(0.0, 0.0)), np.random.default_rng(1).uniform(0, 400, (9, 3))
    assert aside.project(points) - straight.project(points) == pytest.approx(np.tile(aside.aside, (9, 1)))
    assert 0.015 <= np.hypot(*aside.aside) / aside.size[0] <= 0.035
    corners = aside.corners(sheet.width, sheet.height)
    assert (corners > 0).all() and (corners < aside.size).all(), "the whole board is in the picture"


def test_a_fitted_camera_fills_the_picture() -> None:
    corners = np.array([(x, y, 0.0) for x in (0, 400) for y in (0, 400)])
    eye = fitted(lambda far: stand(MIDDLE, far, 20, 10, 0, 300, (320, 240), (0, 0)), corners, 0.9)
    reach = np.abs(eye.project(corners) - eye.middle) / (eye.middle + 0.5)
    assert reach.max() == pytest.approx(0.9, abs=1e-3)


# --- the shapes ---

PARTS = [
    Ball(np.array([5.0, -3.0, 10.0]), 6.0),
    Cone(2.0, 1.0, (0.0, 7.0), (12.0, 3.0)),
    Cone(2.0, 1.0, (0.0, 5.0), (9.0, 5.0)),
    Lid(np.array([1.0, 2.0, 8.0]), 6.0),
    Capsule(np.array([-4.0, 0.0, 5.0]), np.array([9.0, 6.0, 12.0]), 3.0),
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: type(part).__name__)
def test_rays_meet_a_surface_where_a_slow_march_does(part: Ball | Cone | Lid | Capsule) -> None:
    rng = np.random.default_rng(3)
    eye = np.array([10.0, -40.0, 90.0])
    aims = rng.uniform((-8, -8, 0), (12, 10, 16), (60, 3)) - eye
    got = part.hit(eye, aims)
    steps = np.linspace(0, 1.6, 8001)
    for aim, t in zip(aims, got, strict=True):
        crossed = np.flatnonzero(np.diff(_inside(part, eye + steps[:, None] * aim).astype(int)) != 0)
        if len(crossed):
            assert t == pytest.approx(steps[crossed[0]], abs=1e-3)
        elif np.isfinite(t):  # no more than a touch, too short for the march
            assert _inside(part, (eye + (t + 1e-4) * aim)[None], 0.05)[0]


def _inside(part: Ball | Cone | Lid | Capsule, points: np.ndarray, more: float = 0.0) -> np.ndarray:
    """Whether points lie within a part by its definition; a lid and the side of a cone are crossed at their surface."""
    if isinstance(part, Ball):
        return np.linalg.norm(points - part.center, axis=1) < part.radius + more
    if isinstance(part, Lid):
        near = np.hypot(*(points - part.center)[:, :2].T) < part.radius + more
        return np.logical_and.accumulate(~(near & (np.abs(points[:, 2] - part.center[2]) < 0.02)))
    if isinstance(part, Cone):
        (low, wide), (high, narrow) = part.low, part.high
        z = points[:, 2]
        radius = wide + (narrow - wide) * (z - low) / (high - low)
        side = np.hypot(points[:, 0] - part.x, points[:, 1] - part.y) < radius + more
        # Above and below it counts as on the same side as the first point within its heights would: no crossing there.
        level = (z > low - more) & (z < high + more)
        first = side[np.argmax(level)] if level.any() else False
        return np.where(level, side, np.where(np.arange(len(z)) < np.argmax(level), first, side[level][-1:].any()))
    share = np.clip((points - part.start) @ (part.end - part.start) / ((part.end - part.start) ** 2).sum(), 0, 1)
    away = points - part.start - share[:, None] * (part.end - part.start)
    return np.linalg.norm(away, axis=1) < part.radius + more


# --- paper that bends ---

WAVE = Wave(1.0, 0.03, 0.02, 0.5)


@pytest.mark.parametrize("kind", ["up", "down", "ends", "waves"])
def test_rays_meet_bent_paper_where_it_is_and_its_slope_is_how_it_rises(kind: str) -> None:
    curl, eye = Curl((400.0, 300.0), kind, 20.0, 0.3, (WAVE,)), camera(55.0)
    ground = replace(_ground(), curl=curl, sheet=replace(_ground().sheet, width=400.0, height=300.0))
    rays = eye.rays(1)
    t, on_paper = ground.meets(eye.eye, rays)
    met = eye.eye + t[..., None] * rays
    lies = curl.height(met[on_paper][:, 0], met[on_paper][:, 1])
    assert on_paper.any() and not on_paper.all()
    assert np.abs(lies - met[on_paper][:, 2]).max() < 0.02
    assert np.allclose(met[~on_paper][:, 2], -ground.thick, atol=1e-3)
    x, y = met[on_paper][::50, 0], met[on_paper][::50, 1]
    normal = ground.normal(x[None], y[None])[0]
    for step in ((0.1, 0.0), (0.0, 0.1)):
        rise = curl.height(x + step[0], y + step[1]) - curl.height(x, y)
        along = np.column_stack([np.full_like(x, step[0]), np.full_like(x, step[1]), rise])
        assert np.abs((along * normal).sum(axis=1)).max() < 2e-3


def test_paper_bends_as_its_kind_says() -> None:
    size = (400.0, 400.0)
    up, down, ends = (Curl(size, kind, 8.0, 0.0, ()) for kind in ("up", "down", "ends"))
    at = np.array([0.0, 100.0, 200.0, 400.0])
    assert up.height(at, 0 * at).tolist() == [8, 2, 0, 8]
    assert down.height(at, 0 * at).tolist() == [0, 6, 8, 0]
    assert ends.height(at, 0 * at).tolist() == [8, 0, 0, 8]
    many = [a_curl(size, 6.0, np.random.default_rng(seed)) for seed in range(20)]
    assert {curl.kind for curl in many} == {"up", "down", "ends", "waves"}
    heights = [curl.height(*np.meshgrid(np.arange(0, 401, 20), np.arange(0, 401, 20))) for curl in many]
    assert all(high.min() >= 0 and 2 < high.max() < 12 for high in heights)


@pytest.mark.long
def test_curled_paper_is_only_looked_at_by_name_and_pieces_stand_on_it(small: None) -> None:
    made = make(424299, 4, "parcheesi", "paper hardly unrolled")
    assert made.frame.shape == (960, 1280, 3) and len(made.counted) > 60
    assert not {"curled paper", "paper hardly unrolled"} & {condition for _, condition in planned(75, None, None)}
    sheet, image = printed("parcheesi", all_options("parcheesi")[0])
    rng = np.random.default_rng(1)
    ground, kit = making.a_ground(sheet, image, APART["curled paper"], made.camera, rng), making.a_kit(sheet, rng)
    corner = [Standing(1, "t1", 20.0, 380.0)]
    (bent,), (flat,) = (making.solids_of(sheet, corner, on, kit) for on in (ground, replace(ground, curl=None)))
    lift = bent.bounds()[0] - flat.bounds()[0]
    assert ground.curl is not None and lift[2] > 1
    assert np.allclose(lift, (0, 0, ground.curl.height(20.0, 380.0)))


# --- who hides whom ---


def _ground(game: str = "parcheesi") -> Ground:
    sheet, image = printed(game, all_options(game)[0])
    return Ground(sheet, paper_of(image[::4, ::4], 1.0), 2.0, 0.0, 0.0, "grey", grain_of(np.random.default_rng(0)))


def _cast(solids: list, tilt: float = 50.0):
    light = lamp(np.array([500.0, -100.0, 900.0]), 60.0, np.ones(3), MIDDLE)
    eye = camera(tilt, 0.0, width=640)
    return cast(Table(_ground(), solids, [light], np.full(3, 0.4)), eye, 1), eye


def test_the_nearer_piece_hides_the_farther_one() -> None:
    pawn, white = Piece("pawn", 12.0, 24.0), np.full(3, 0.5)
    far, near = (piece(pawn, (200.0, y, 0.0), white, 0, 0.0, f"t{y}") for y in (200, 210))
    shot, eye = _cast([far, near])
    shown = [int((shot.ids == k).sum()) for k in (0, 1)]
    assert shown[1] == shot.whole[1] > 0
    assert 0 < shown[0] < 0.7 * shot.whole[0]
    x, y = np.round(eye.project([200.0, 210.0, 12.0])[0]).astype(int)
    assert shot.ids[y, x] == 1
    swapped, _ = _cast([near, far])
    assert int((swapped.ids == 1).sum()) == shown[0], "the order of drawing does not matter"


def test_a_piece_shades_the_board_away_from_the_lamp_and_not_towards_it() -> None:
    pawn = piece(Piece("pawn", 12.0, 24.0), (200.0, 200.0, 0.0), np.full(3, 0.5), 0, 0.0, "t0")
    with_it, eye = _cast([pawn], 0.0)
    without, _ = _cast([], 0.0)
    ratio = with_it.light.mean(axis=2) / without.light.mean(axis=2)
    (x, y), (u, v) = (np.round(eye.project([200 + a, 200 - a, 0.0])[0]).astype(int) for a in (-9.0, 12.0))
    assert ratio[y, x] < 0.75 < 0.95 < ratio[v, u]


@pytest.mark.long
@pytest.mark.usefixtures("small")
def test_spaces_under_an_arm_are_not_counted() -> None:
    made = make(1, 14, "parcheesi-print", "arm")
    sheet, _ = printed("parcheesi-print", ())
    assert 0 < len(made.counted) < len(sheet.spaces)
    hidden = set(sheet.spaces) - set(made.counted)
    rows, cols = made.cast.ids.shape
    for name in hidden:
        space = sheet.spaces[name]
        x, y = np.clip(np.round(made.camera.project([space.x, space.y, 0.0])[0]).astype(int), 0, (cols - 1, rows - 1))
        around = made.cast.ids[max(0, y - 8) : y + 9, max(0, x - 8) : x + 9]
        assert (around != BOARD).any()


def test_an_arm_is_skin_and_sleeve_above_the_table() -> None:
    solids = arm(np.array([200.0, 200.0]), 0.5, 10.0, np.ones(3), np.ones(3), np.random.default_rng(0))
    assert [solid.owner for solid in solids] == ["", ""]
    ends = np.vstack([(part.start, part.end) for solid in solids for part in solid.parts])
    assert ends[:, 2].min() > 5


# --- positions ---


@pytest.mark.long(but=("parcheesi-print",))
@pytest.mark.parametrize("game", BOARDS)
def test_positions_stand_on_their_spaces_and_apart(game: str) -> None:
    sheet, _ = printed(game, all_options(game)[-1])
    for seed in range(5):
        standing = position(sheet, np.random.default_rng(seed))
        assert len({one.seat for one in standing}) >= 2
        for k, one in enumerate(standing):
            space = sheet.spaces[one.space]
            assert np.hypot(one.x - space.x, one.y - space.y) < 1.3 * max(space.radius, sheet.piece.diameter / 2)
            for other in standing[:k]:
                if other.space == one.space and other.level == one.level:
                    assert np.hypot(one.x - other.x, one.y - other.y) > 0.85 * sheet.piece.diameter


def test_of_a_stack_the_top_is_what_can_be_seen() -> None:
    stack = [Standing(0, "a1", 0, 0, 0), Standing(2, "a1", 0, 0, 1), Standing(1, "b2", 9, 9, 0)]
    assert seen(stack) == {"a1": (2,), "b2": (1,)}


# --- the pictures ---


@pytest.mark.long(but=("parcheesi",))
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("game", BOARDS)
def test_an_easy_picture_of_each_board_is_read(game: str) -> None:
    made = make(5, 0, game, "overhead")
    result = measure(made)
    assert made.frame.shape == (960, 1280, 3)
    assert result.registered, result.reason
    assert result.right >= 0.95 * result.counted, result.slips


@pytest.mark.long
@pytest.mark.usefixtures("small")
def test_the_same_seed_makes_the_same_picture_and_another_another() -> None:
    first, again, other = (make(seed, 3, "gloria", "small picture") for seed in (7, 7, 8))
    assert (first.frame == again.frame).all()
    assert first.counted == again.counted
    assert not (first.frame == other.frame).all()


# --- the sums ---


def test_calibration_error_of_a_known_case() -> None:
    """Ten readings given 0.8, six right; ten given 0.95, all right: (10 · 0.2 + 10 · 0.05) / 20."""
    judged = [(0.8, k < 6) for k in range(10)] + [(0.95, True)] * 10
    bins = reliability(judged)
    assert calibration_error(bins) == pytest.approx(0.125)
    assert [one.count for one in bins] == [0, 10, 10, 0, 0, 0]
    assert sum(one.count for one in reliability([(edge, True) for edge in EDGES])) == len(EDGES)
    assert calibration_error(reliability([])) == 0


def test_each_kind_of_mistake_is_counted_as_what_it_is() -> None:
    truth = {"a": (0,), "b": (), "c": (1,), "d": (2, 2), "e": (3,)}
    read = {
        "a": SpaceSeen((1,), 0.9),
        "b": SpaceSeen((2,), 0.8),
        "c": SpaceSeen((), 0.7),
        "d": SpaceSeen((2, 2), 0.99),
        "e": SpaceSeen((), 0.0, covered=True),
    }
    result = compare("desk", "gloria", truth, read)
    assert (result.colored, result.false, result.missed, result.unread, result.right) == (1, 1, 1, 1, 1)
    total = summary("all", [result])
    assert (total.right, total.unread, total.whole) == (0.2, 0.2, 0)


def test_a_diagram_of_before_stays_until_there_is_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_off(*_: object) -> None:
        raise KeyboardInterrupt

    drawn = tmp_path / "before.svg"
    drawn.write_text("<svg/>")
    monkeypatch.setattr(run, "_one", broken_off)
    assert main(["evidence", "--pictures", "1", "--diagram", str(drawn)]) != 0
    assert drawn.read_text() == "<svg/>"


def test_tables_and_diagram() -> None:
    result = compare("desk", "gloria", {"a": (0,), "b": ()}, {"a": SpaceSeen((0,), 0.95), "b": SpaceSeen((1,), 0.6)})
    text = tables([result])
    assert "| desk " in text and "| gloria " in text and "50.00 %" in text
    drawn = ElementTree.fromstring(diagram(summary("all", [result]).bins))
    assert len(drawn.findall("{http://www.w3.org/2000/svg}circle")) == 2


# --- the command ---


def test_conditions_and_games_take_turns() -> None:
    plan = planned(len(CONDITIONS) * len(BOARDS), None, None)
    assert len(set(plan)) == len(plan), "every board under every condition once"
    assert planned(2, "arm", "gloria") == [("gloria", "arm")] * 2


def test_a_lamp_and_a_window_cast_two_shadows_and_are_only_looked_at_by_name() -> None:
    sheet, _ = printed("gloria", (("home", "spaces"),))
    lights, _, _ = making.lights_of(sheet, APART["lamp and window"], np.random.default_rng(1))
    warm, cold = (light.color for light in lights)
    assert cold[0] / cold[2] > 2 * warm[0] / warm[2]
    assert planned(1, "lamp and window", "gloria") == [("gloria", "lamp and window")]
    assert "lamp and window" not in {condition for _, condition in planned(75, None, None)}


@pytest.mark.long
def test_of_a_weak_lamp_the_mean_of_some_pictures_is_taken(small: None) -> None:
    one, some, rested = (make(3, 1, "gloria", name) for name in ("weak lamp", "weak lamp, six pictures", "desk"))
    assert one.counted == some.counted and one.frame.shape == some.frame.shape == (480, 640, 3)
    stray = [np.median(np.abs(np.diff(made.frame.astype(int), axis=1))) for made in (one, some, rested)]
    assert stray[0] > 1.8 * stray[1] > 1.8 * stray[2]
    assert not {"weak lamp", "weak lamp, six pictures"} & {condition for _, condition in planned(75, None, None)}


@pytest.mark.long
def test_pages_are_glued_where_they_belong_but_for_some_mm() -> None:
    sheet, image = printed("gloria", (("home", "spaces"),))
    near, far = (glued(image, sheet, off, np.random.default_rng(2)).astype(int) for off in (0.0, 3.0))
    assert len(pages(sheet)) == 6 and sum(page.width * page.height for page in pages(sheet)) > 400 * 400
    assert np.mean(np.abs(near - image) > 60) < 0.02 < np.mean(np.abs(far - image) > 60)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((0, None, None), "1 or more"),
        ((1, "fog", None), "'weak lamp', 'weak lamp, six pictures'"),
        ((1, None, "chess"), "parcheesi-print"),
    ],
)
def test_bad_arguments_are_refused_with_what_there_is(arguments: tuple, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        planned(*arguments)


def test_boards_of_other_makers_are_seen_in_all_conditions_but_those_of_paper() -> None:
    for name, condition in {**CONDITIONS, **APART}.items():
        if condition.of_paper:
            with pytest.raises(BadInput, match=r"there are: 'overhead'.*axis aside"):
                planned(1, name, "gloria", own=True)
        else:
            assert planned(1, name, "gloria", own=True) == [("gloria", name)]
    assert {name for name, one in APART.items() if one.of_paper} == {
        "glued pages", "curled paper", "paper hardly unrolled"
    }  # fmt: skip


def test_the_command_refuses_what_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evidence", "--condition", "fog"]) == 2
    assert "'fog'" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.usefixtures("small")
def test_the_command_prints_json_and_keeps_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep, drawn = tmp_path / "kept", tmp_path / "r.svg"
    command = ["evidence", "--pictures", "1", "--condition", "small picture", "--game", "gloria", "--json"]
    assert main([*command, "--keep", str(keep), "--diagram", str(drawn)]) == 0
    one, everything = map(json.loads, capsys.readouterr().out.splitlines())
    assert one["counted"] == one["right"] + one["unread"] + len(one["slips"])
    assert everything["pictures"] == 1
    assert sorted(path.suffix for path in keep.iterdir()) == [".json", ".png"]
    assert drawn.read_text().startswith("<svg")


def test_the_sun_comes_through_the_panes_of_a_window_and_its_rim_is_as_soft_as_the_sun_is_wide() -> None:
    """One pane 100 to 200 mm high in a wall 1000 mm away, and the sun at 45°: lit is what lies as far from the wall."""
    panes = Panes(np.array([1000.0, 0, 0]), np.array([1.0, 0, 0]), np.array([(-50.0, 50)]), np.array([(100.0, 200)]))
    x = np.arange(750.0, 950, 0.25)
    points = np.stack([x, 0 * x, 0 * x], axis=-1).astype(np.float32)[None]
    seen = panes.let_through(points, np.array([1.0e6, 0, 1.0e6]))[0]
    assert (seen[(x > 805) & (x < 895)] == 1).all() and not seen[(x < 795) | (x > 905)].any()
    rims = [x[(seen > 0.01) & (seen < 0.99) & side] for side in (x < 850, x > 850)]
    far, near = (float(np.ptp(rim)) for rim in rims)
    assert far == pytest.approx(200 * 2**0.5 * 0.0093, abs=0.5) and far > near
    assert not panes.let_through(points + np.float32([0, 60, 0]), np.array([1.0e6, 60, 1.0e6])).any(), "beside it"


@pytest.mark.long
def test_the_sun_is_only_looked_at_by_name_and_lights_a_part_of_the_board(small: None) -> None:
    sheet, _ = printed("gloria", (("home", "spaces"),))
    lights, _, _ = making.lights_of(sheet, APART["sun"], np.random.default_rng(1))
    assert [light.through is None for light in lights] == [True, False]
    assert "sun" not in {condition for _, condition in planned(75, None, None)}
    casts = [make(4, 1, "gloria", name).cast for name in ("desk", "sun")]
    paper = [np.percentile(of.light[of.ids == BOARD].sum(axis=1), (40, 95)) for of in casts]
    assert paper[0][1] < 1.4 * paper[0][0] and paper[1][1] > 1.8 * paper[1][0]
