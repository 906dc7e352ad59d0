"""Pictures of pieces bear witness: one that still looks as it did when it was ruled stands there, and one whose place
looks as the empty board does is gone; whatever the light, and however like its ground it is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import table_drawing as table
from hypothesis import given
from hypothesis import strategies as st

from companion.model import Position, SpaceSeen
from companion.vision import Memory, learn, look, make_scene
from companion.vision.board.remained import _shifted, exchanged, remained
from companion.vision.learning import changed_since
from companion.vision.view.scene import PIXELS_PER_MM
from companion.vision.witness import _weighed, place_of, witnessed

PALE = {"0": "#f0c8c8", "1": "#0e7834", "2": "#d8d8d8", "3": "#1440aa"}
"""Red pawns hardly differ from the pink base, and yellow ones, grey here, from white spaces."""
PIECES = {"t0": [(2, 90, 90)], "t4": [(2, 210, 130)], "t8": [(3, 130, 210)], "lane0.1": [(1, 131, 150)]}
PIECES["base0"] = [(0, 248.0, 143.0), (0, 263.0, 146.0), (0, 254.0, 160.0)]
EVERY = [piece for there in PIECES.values() for piece in there]
RULED = Position.of({name: tuple(seat for seat, *_ in there) for name, there in PIECES.items()})
LIGHTS = [(1.0, 1.0, 1.0), (0.45, 0.5, 0.6), (0.9, 1.0, 1.25)]


@pytest.fixture(scope="module")
def drawn() -> tuple:
    """The scene, the camera and what the eyes remember of the board as it was ruled."""
    sheet, texture = table.board()
    colors = {int(seat): color for seat, color in PALE.items()}
    object.__setattr__(sheet, "colors", colors)
    scene, pose = make_scene(sheet, texture), table.camera()
    _, memory = look(table.draw(sheet, texture, pose, EVERY), scene)
    return scene, texture, pose, learn(memory, scene, RULED)


def witnesses(drawn: tuple, frame: np.ndarray) -> dict[tuple[int, int], float]:
    """What each piece that stood there says of a new picture: its foot, mm, and how much nearer that is to what was."""
    scene, _, _, memory = drawn
    _, after = look(frame, scene, Memory(view=memory.view, learned=memory.learned), at=1.0)
    kept, learned = after.look.kept, memory.learned
    places = np.array([place_of(kept.places, one) for one in learned.standing], np.int64)
    now = [place for place, _ in kept.standing]
    near = remained(kept, learned, places, np.array([*places, *now], np.int64))
    return {(round(one.x), round(one.y)): float(far) for one, far in zip(learned.standing, near, strict=True)}


def frame_without(drawn: tuple, gone: tuple, **light: object) -> np.ndarray:
    scene, texture, pose, _ = drawn
    left = [piece for piece in EVERY if piece != gone]
    return table.draw(scene.sheet, texture, pose, left, **light)


def said_of(told: dict[tuple[int, int], float], piece: tuple) -> float:
    """What the witness nearest to a piece says."""
    return told[min(told, key=lambda foot: np.hypot(foot[0] - piece[1], foot[1] - piece[2]))]


@pytest.mark.long(but=("base0-dusk",))
@pytest.mark.parametrize("light", LIGHTS, ids=["the same light", "dusk", "lamp"])
@pytest.mark.parametrize("name", ["t0", "t4", "t8", "lane0.1", "base0"])
def test_one_that_left_is_told_from_those_that_stayed(drawn: tuple, name: str, light: tuple) -> None:
    gone = PIECES[name][0]
    told = witnesses(drawn, frame_without(drawn, gone, light=light))
    assert said_of(told, gone) < -0.3
    assert all(said_of(told, piece) > 0.5 for piece in EVERY if piece != gone)


@pytest.mark.long(but=("60", "700"))
@pytest.mark.parametrize("across", [60, 200, 330, 480, 700])
def test_a_shadow_over_part_of_the_board_is_no_false_witness(drawn: tuple, across: int) -> None:
    """A head's, with a hard edge: at the edge nobody can say, and elsewhere the light is measured round about."""
    shade = np.ones(960)
    shade[across:] = 0.7
    frame = (frame_without(drawn, PIECES["t8"][0]) * shade[None, :, None]).astype(np.uint8)
    told = witnesses(drawn, frame)
    assert said_of(told, PIECES["t8"][0]) < 0.1
    assert all(said_of(told, piece) > -0.1 for piece in EVERY if piece != PIECES["t8"][0])


def soft_shade(across: float, soft: float, dark: float) -> np.ndarray:
    """By what a head's shadow makes grey levels less, (960,): it is dark from `across` on; its edge so many pixels
    soft."""
    left = 1 - dark / (1 + np.exp((across - np.arange(960)) / soft))
    return left ** (1 / 2.2)


@pytest.mark.long(but=("t0-60", "lane0.1-480"))
@pytest.mark.parametrize("across", [60, 200, 330, 480, 700])
@pytest.mark.parametrize("name", ["t0", "t4", "t8", "lane0.1"])
def test_the_soft_edge_of_a_shadow_silences_no_witness(drawn: tuple, across: int, name: str) -> None:
    gone = PIECES[name][0]
    frame = (frame_without(drawn, gone) * soft_shade(across, 40.0, 0.7)[None, :, None]).astype(np.uint8)
    told = witnesses(drawn, frame)
    assert said_of(told, gone) < -0.22
    assert all(said_of(told, piece) > 0.26 for piece in EVERY if piece != gone)


@pytest.mark.long(but=("200",))
@pytest.mark.parametrize("across", [200, 330, 480])
def test_in_the_shadow_of_a_head_what_was_ruled_is_unchanged_but_for_what_left(drawn: tuple, across: int) -> None:
    (scene, _, _, memory), gone = drawn, PIECES["t4"][0]
    whole, dark = np.ones(960), soft_shade(across, 40.0, 0.7)
    shares, at = [], []
    for shade, left in ((whole, ()), (dark, ()), (dark, gone)):
        frame = (frame_without(drawn, left) * shade[None, :, None]).astype(np.uint8)
        mask = changed_since(memory.learned, memory.view.down.view(frame), scene.sheet.piece.diameter)
        y, x = round(gone[2] * PIXELS_PER_MM), round(gone[1] * PIXELS_PER_MM)
        shares.append(mask[memory.learned.shown].mean())
        at.append(mask[y - 6 : y + 4, x - 4 : x + 5].mean())
    assert shares[1] < 0.02 + shares[0], "the light changed, and nothing else"
    assert at[2] > 0.5 > at[1], "a pawn left"


def test_a_pawn_that_was_pushed_a_little_on_its_space_is_still_there(drawn: tuple) -> None:
    scene, texture, pose, _ = drawn
    pushed = [(seat, x + 1.2, y - 0.8) for seat, x, y in EVERY]
    told = witnesses(drawn, table.draw(scene.sheet, texture, pose, pushed))
    assert min(told.values()) > 0.1


@pytest.mark.long
def test_of_one_that_another_hides_now_nobody_can_say_whether_it_left(drawn: tuple) -> None:
    scene, texture, _, _ = drawn
    pose = table.camera(tilt=50.0, turn=0.0)
    blue = (3, 130.0, 150.0)
    _, memory = look(table.draw(scene.sheet, texture, pose, [blue]), scene)
    memory = learn(memory, scene, Position.of({"lane0.1": (3,)}))
    for away in (10.0, 14.0, 18.0):
        toward = np.array(pose.eye[:2]) - blue[1:]
        x, y = blue[1:] + away * toward / np.linalg.norm(toward)
        frame = table.draw(scene.sheet, texture, pose, [blue, (2, float(x), float(y))])
        assert set(witnesses((scene, texture, pose, memory), frame).values()) == {0.0}


def test_what_a_hand_hid_when_it_was_ruled_says_nothing(drawn: tuple) -> None:
    scene, texture, pose, memory = drawn
    blind = replace(memory.learned, shown=np.zeros_like(memory.learned.shown))
    told = witnesses((scene, texture, pose, Memory(view=memory.view, learned=blind)), frame_without(drawn, ()))
    assert set(told.values()) == {0.0}


def test_the_referee_hears_that_one_of_three_pale_pawns_left_the_pale_base(drawn: tuple) -> None:
    scene, _, _, memory = drawn
    frame = frame_without(drawn, PIECES["base0"][1])
    seen, _ = look(frame, scene, Memory(view=memory.view, learned=memory.learned), at=1.0)
    base = seen.spaces["base0"]
    assert base.content == (0, 0) and base.log_likelihood((0, 0, 0)) < -2


@pytest.mark.long(but=("2.0-True",))
@pytest.mark.parametrize(("beside", "heard"), [(2.0, True), (60.0, False)])
def test_from_another_side_no_picture_bears_witness(drawn: tuple, beside: float, heard: bool) -> None:
    scene, texture, _, memory = drawn
    pose = table.camera(x=beside)
    left = [piece for piece in EVERY if piece != PIECES["base0"][1]]
    _, after = look(table.draw(scene.sheet, texture, pose, left), scene, at=1.0)
    doubtful = {"base0": reading(n3=0.0, n2=-1.0)}
    kept = after.look.kept
    told, _ = witnessed(doubtful, memory.learned, kept, scene.sheet, kept.standing)
    assert (told != doubtful) == heard


def exchanges(drawn: tuple, pieces: list[tuple], **light: object) -> dict[str, float]:
    """How far each piece that stands alone on a space differs from the one that stood there, by space."""
    scene, texture, pose, memory = drawn
    frame = table.draw(scene.sheet, texture, pose, pieces, **light)
    _, after = look(frame, scene, Memory(view=memory.view, learned=memory.learned), at=1.0)
    kept, where, names = after.look.kept, after.look.kept.places, list(scene.sheet.spaces)
    then = {names[one.space]: place_of(where, one) for one in memory.learned.standing}
    now = {names[where.space[place]]: place for place, _ in kept.standing}
    both = [name for name in then if name in now and RULED.at(name) and name != "base0"]
    every = np.array([*then.values(), *now.values()], np.int64)
    pairs = (np.array([known[name] for name in both], np.int64) for known in (then, now))
    return dict(zip(both, exchanged(kept, memory.learned, *pairs, every, every[:0]).tolist(), strict=True))


def put_for(name: str, seat: int) -> list[tuple]:
    """The pieces, but one of a seat in place of the one on a space."""
    return [(seat, *piece[1:]) if piece == PIECES[name][0] else piece for piece in EVERY]


@pytest.mark.long(but=("t0-1-the same light", "t4-3-dusk", "t8-0-lamp", "lane0.1-2-lamp"))
@pytest.mark.parametrize("light", LIGHTS, ids=["the same light", "dusk", "lamp"])
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
@pytest.mark.parametrize("name", ["t0", "t4", "t8", "lane0.1"])
def test_a_piece_of_another_colour_in_its_place_is_another_piece(
    drawn: tuple, name: str, seat: int, light: tuple
) -> None:
    told = exchanges(drawn, put_for(name, seat), light=light)
    stood, there = PIECES[name][0][0], told.pop(name)
    assert set(told) == {"t0", "t4", "t8", "lane0.1"} - {name} and max(told.values()) < 0.2
    if seat == stood:
        assert there < 0.2
    elif {seat, stood} != {0, 2}:  # of the pale red and the grey it is not told
        assert there > 0.6


@pytest.mark.long(but=("60", "700"))
@pytest.mark.parametrize("across", [60, 200, 330, 480, 700])
def test_the_shadow_of_a_head_makes_no_piece_another_one(drawn: tuple, across: int) -> None:
    scene, texture, pose, memory = drawn
    shade = soft_shade(across, 10.0, 0.75)
    frame = (table.draw(scene.sheet, texture, pose, EVERY) * shade[None, :, None]).astype(np.uint8)
    _, after = look(frame, scene, Memory(view=memory.view, learned=memory.learned), at=1.0)
    kept = after.look.kept
    stood = np.array([place_of(kept.places, one) for one in memory.learned.standing], np.int64)
    assert exchanged(kept, memory.learned, stood, stood, stood, stood[:0]).max() < 0.6


def test_who_was_ruled_where_another_piece_is_seen_is_believed_less(drawn: tuple) -> None:
    scene, texture, pose, memory = drawn
    frame = table.draw(scene.sheet, texture, pose, put_for("t8", 1))
    _, after = look(frame, scene, Memory(view=memory.view, learned=memory.learned), at=1.0)
    kept = after.look.kept
    doubtful = {"t8": replace(reading(n3=0.0), content=(1,), likelihoods={(1,): 0.0, (3,): -0.5, (): -8.0})}
    told, sure = witnessed(doubtful, memory.learned, kept, scene.sheet, kept.standing)
    assert told["t8"].content == (1,) and told["t8"].log_likelihood((3,)) < -3 and sure == {"t8"}


STAYED, LEFT = 1.5, -1.5


def reading(**levels: float) -> SpaceSeen:
    """A reading of a base by how many pawns of seat 2 there may be, as n1, n2, …"""
    told = {(2,) * int(count[1:]): level for count, level in levels.items()}
    best = max(told, key=lambda content: told[content])
    return SpaceSeen(best, 1 / sum(map(np.exp, told.values())), False, told)


def test_as_many_are_there_as_still_look_so() -> None:
    seen = reading(n1=0.0, n2=-2.0, n3=-5.0)
    told = _weighed(seen, (2, 2, 2), [(2, STAYED)] * 3, 0, 6.0)
    assert told.content == (2, 2, 2) and told.likelihoods[(2,)] < -3


def test_no_more_are_there_than_did_not_leave() -> None:
    seen = reading(n4=0.0, n3=-1.0, n2=-6.0)
    told = _weighed(seen, (2,) * 4, [(2, STAYED)] * 3 + [(2, LEFT)], 0, 6.0)
    assert told.content == (2, 2, 2) and told.likelihoods[(2,) * 4] < -3


def test_one_that_was_moved_within_the_base_did_not_leave() -> None:
    seen = reading(n4=0.0, n3=-1.0)
    assert _weighed(seen, (2,) * 4, [(2, STAYED)] * 3 + [(2, LEFT)], 1, 6.0).content == (2,) * 4


def test_one_pawn_that_was_taken_for_two_is_one_witness() -> None:
    seen = reading(n1=0.0, n2=-1.5, n0=-9.0)
    told = _weighed(seen, (2,), [(2, STAYED)] * 2, 0, 6.0)
    assert told.content == (2,) and told.likelihoods[()] < -9
    assert _weighed(seen, (2,), [(2, LEFT)] * 2, 0, 6.0) == seen


def test_one_pawn_that_was_taken_for_two_is_no_two_while_both_look_as_they_did() -> None:
    seen = reading(n2=0.0, n1=-0.5, n0=-9.0)
    assert _weighed(seen, (2,), [(2, STAYED)] * 2, 0, 6.0).content == (2,)
    for stood, new in (([(2, STAYED)] * 2, 1), ([(2, STAYED), (2, LEFT)], 0), ([(2, STAYED), (2, 0.0)], 0)):
        assert _weighed(seen, (2,), stood, new, 6.0).content == (2, 2)


def test_one_that_left_its_place_where_the_eyes_may_miss_it_is_believed_less() -> None:
    seen = reading(n2=0.0, n1=-1.0)
    sure, unsure = (_weighed(seen, (2, 2), [(2, STAYED), (2, LEFT)], 0, most) for most in (6.0, 2.5))
    assert sure.log_likelihood((2, 2)) < unsure.log_likelihood((2, 2)) < -1


LEVELS = st.dictionaries(st.lists(st.integers(0, 2), max_size=4).map(lambda seats: tuple(sorted(seats))),
                         st.floats(-10, 0), min_size=1, max_size=6)  # fmt: skip


@given(LEVELS, st.lists(st.integers(0, 2), min_size=1, max_size=4), st.lists(st.floats(-3, 3), max_size=4),
       st.integers(0, 2))  # fmt: skip
def test_witnesses_only_make_contents_less_likely(
    levels: dict, ruled: list[int], far: list[float], new: int
) -> None:
    top = max(levels.values())
    levels = {content: level - top for content, level in levels.items()}
    best = max(levels, key=lambda content: levels[content])
    seen = SpaceSeen(best, 1 / sum(map(np.exp, levels.values())), False, levels)
    content = tuple(sorted(ruled))
    told = _weighed(seen, content, list(zip(content, far, strict=False)), new, 6.0)
    assert told.likelihoods[told.content] == max(told.likelihoods.values()) == 0
    assert told.confidence == pytest.approx(1 / sum(np.exp(level) for level in told.likelihoods.values()))
    assert set(levels) <= set(told.likelihoods)


def test_a_place_at_the_edge_is_looked_at_just_there_and_not_at_the_other_edge() -> None:
    """Beside the last pixel of a row lies the first of the next one only in the computer's memory."""
    rows, cols = np.divmod(_shifted(np.array([0, 9, 25]), (3, 10)), 10)
    assert rows.min() == 0 and rows.max() == 2
    assert np.abs(cols - [0, 9, 5]).max() == 2 and np.abs(rows - [0, 0, 2]).max() == 2
    middle = np.sort(_shifted(np.array([44]), (10, 10)).ravel())
    np.testing.assert_array_equal(middle, [10 * y + x for y in range(2, 7) for x in range(2, 7)])
