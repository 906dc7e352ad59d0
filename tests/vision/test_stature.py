"""Pawns, discs and marbles that are not as the sheet says: how tall or broad they are is measured, and remembered."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from calibration.piece_colors import piece_colors
from companion.games.catalogue import game_for
from companion.model import BoardSeen, Content, Piece, Position
from companion.service.boards.configured import printed_board
from companion.service.table.eyes import Eyes
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Pawn, Tabletop
from companion.vision import Memory, Scene, learn, look, make_scene, measuring
from companion.vision.board.body import Body
from companion.vision.board.stature import Told, breadth, in_holes, of_a_crowd, stature
from companion.vision.measuring import make_view

SHEET, TEXTURE, _ = printed_board("parcheesi")
STANDING = {"t4": 0, "t5": 0, "t21": 1, "t40": 2, "t41": 2, "t60": 3}


@lru_cache
def scene() -> Scene:
    return make_scene(SHEET, TEXTURE)


def painter(share: float = 1.0, tilt: float = 35.0, shift: tuple[float, float] = (0.0, 0.0)) -> Painter:
    """Of the board with pawns of a share of the usual height."""
    tall = replace(SHEET, piece=replace(SHEET.piece, height=share * SHEET.piece.height))
    view = View(tilt=tilt, noise=1.5, brightness=0.85, shift=shift)
    return Painter(tall, TEXTURE, view, np.random.default_rng(4))


def painted(share: float, tilt: float = 35.0, shift: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """The board with pawns of a share of the usual height: two pairs of which one stands right behind the other."""
    pieces = [Pawn(seat, name, (SHEET.spaces[name].x, SHEET.spaces[name].y)) for name, seat in STANDING.items()]
    return painter(share, tilt, shift).paint(pieces)


def looked(frame: np.ndarray, memory: Memory | None = None) -> tuple[BoardSeen, Memory]:
    seen, left = look(frame, scene(), memory)
    assert isinstance(seen, BoardSeen), seen
    return seen, left


@pytest.mark.long(but=("1.3",))
@pytest.mark.parametrize("share", [1.0, 1.3])
def test_pawns_are_measured_and_read_right(share: float) -> None:
    seen, memory = looked(painted(share))
    assert memory.view is not None and memory.view.body is not None
    assert abs(memory.view.body.height / SHEET.piece.height - share) < 0.11
    assert memory.view.places.piece == memory.view.body
    read = {name: space.content for name, space in seen.spaces.items() if space.content}
    assert read == {name: (seat,) for name, seat in STANDING.items()}


@pytest.mark.long
def test_pawns_are_measured_beside_a_hand_and_once_more_when_it_is_gone() -> None:
    frame = painted(1.3)
    covered = frame.copy()
    rows, cols = covered.shape[:2]
    cv2.ellipse(covered, (cols // 2, rows), (cols // 9, rows // 3), 0, 0, 360, (110, 140, 205), -1, cv2.LINE_AA)
    seen, memory = looked(covered)
    assert any(space.covered for space in seen.spaces.values()) and memory.view is not None
    assert memory.view.body is not None and abs(memory.view.body.height / SHEET.piece.height - 1.3) < 0.11
    assert not memory.view.sure
    _, moving = looked(frame, memory)
    _, after = looked(frame, moving)
    assert after.view is not None and after.view.sure


@pytest.mark.long
def test_how_tall_they_are_is_known_after_the_board_was_pushed() -> None:
    _, memory = looked(painted(1.3))
    assert memory.view is not None and memory.view.body is not None
    pushed = painted(1.3, shift=(25.0, 10.0))
    _, moving = looked(pushed, memory)
    seen, after = looked(pushed, moving)
    assert seen.moved and after.view is not None
    assert after.view.body == memory.view.body == after.view.places.piece


def measured(nats: dict[tuple[float, float], float], sticks: float = 0.0, more: int = 1) -> tuple[float, float]:
    """The share of the height, and the waist, that pawns have which explain so many nats; less than nothing of sticks,
    which explain so many, at 0.9 of the height a little more. more: so many more pieces are sticks than pawns."""

    def explained(body: Piece) -> Told:
        assert isinstance(body, Body)
        share = round(body.height / SHEET.piece.height, 1)
        told = nats[share, body.waist] if body.width == 1 else sticks - 20 * abs(share - 0.9)
        return Told(told, np.full(4, told / 4), 4 + more * (body.width < 1))

    body = stature(SHEET.piece, explained)
    share = round(body.height / SHEET.piece.height, 1)
    return (share, body.waist - (body.width < 1)) if isinstance(body, Body) else (share, 1.0)


def with_pegs(*each: float, taller: Sequence[float] = (12, 3, 8, 5, 1, 20)) -> tuple[float, float]:
    """The share of the height, and the waist, that pawns are measured to have. each: nats of a hundred that pegs
    explain more of each pawn than turned ones. taller: that pegs of 1.4 of the height explain more than these."""
    turned, more = np.full(len(each), 100.0), np.resize(taller, len(each))

    def explained(body: Piece) -> Told:
        assert isinstance(body, Body)
        if body.waist == 0 and body.width == 1:
            tall = round(body.height / SHEET.piece.height, 1) == 1.4
            return Told(500.0 + 100 * tall, turned + np.array(each) + tall * more, len(each))
        return Told(400.0, turned, len(each))

    body = stature(SHEET.piece, explained)
    return body.height / SHEET.piece.height, body.waist if isinstance(body, Body) else 1.0


def test_another_body_must_explain_more_of_nearly_each_pawn() -> None:
    """Dark shadows beside a few of them, or a sleeve, are explained by taller ones, too: in drawn pictures of hard low
    light, with much contrast, pawns were taken for 1.4 times as tall, and two surely for some on the next space."""
    assert with_pegs(8, 12, 10, 6, 3, 30) == (pytest.approx(1.4), 0.0)
    assert with_pegs(8, 12, 10, 6, 3, 30, taller=(2, 5.5, 2, -4, 6, 0)) == (1.0, 0.0), "the height says nothing"
    none = (0, 0, 0, 0, 0, 0)
    assert with_pegs(9, -2, -3, 10, 8, 4, taller=none) == (1.0, 1.0), "two of six lose"
    assert with_pegs(4, 3, 200, 4, 2, 1, taller=none) == (1.0, 1.0), "one gains it all"
    assert with_pegs(-29, -39, -41, -15, -25, 24) == (1.0, 1.0)


TURNED = {(1.0, 1.0): 100.0, (1.0, 0.5): 90.0, (1.0, 0.0): 70.0}
STEEP = {(share, 1.0): 100.0 + 120 * (share - 1) for share in (0.8, 1.1, 1.2, 1.3, 1.4)}


def test_another_height_must_explain_clearly_more() -> None:
    assert measured(TURNED | {(0.8, 1.0): 90.0, (1.2, 1.0): 104.0, (1.4, 1.0): 101.0}) == (1.0, 1.0)
    assert measured(TURNED | STEEP | {(1.4, 1.0): 110.0}) == (1.3, 1.0)
    assert measured(TURNED | STEEP) == (1.4, 1.0)


def test_pawns_without_a_waist_are_measured_as_such() -> None:
    for waist in (0.5, 0.0):
        stout = {(share, waist): 140.0 - 100 * abs(share - 1.1) for share in (0.8, 0.9, 1.0, 1.1, 1.2, 1.4)}
        assert measured(TURNED | stout) == (1.1, waist)


def test_more_sticks_must_explain_a_third_more_than_any_other_body() -> None:
    """Filmed by Blender (86007): green sticks on white were nothing, as a turned pawn hides more. But where another
    body read as well, two sticks were seen in one and its shadow (78001)."""
    usual = TURNED | {(0.8, 1.0): 90.0, (1.2, 1.0): 104.0, (1.4, 1.0): 101.0}
    assert measured(usual, 130.0) == (1.0, 1.0) and measured(usual, 140.0) == (0.9, -1.0)


def test_where_many_stand_another_body_must_explain_a_tenth_more() -> None:
    usual = {(1.0, 1.0): 1000.0, (1.0, 0.5): 990.0, (1.0, 0.0): 1010.0, (0.8, 0.0): 900.0, (1.4, 0.0): 900.0}
    little, much = ({(1.2, 0.0): 1000.0 + more, (1.1, 0.0): 0.0, (1.3, 0.0): 0.0} for more in (80.0, 120.0))
    assert measured(usual | little) == (1.0, 1.0) and measured(usual | much) == (1.2, 0.0)


@pytest.mark.long
def test_pawns_once_taken_for_others_are_measured_again_as_the_usual() -> None:
    """A first look beside a hand may mislead; what follows from a body must go with it."""
    _, memory = looked(painted(1.0))
    assert memory.view is not None and memory.view.places.piece == SHEET.piece
    wrong = Body("pawn", SHEET.piece.diameter, 1.4 * SHEET.piece.height, 0.0)
    view = replace(make_view(memory.view.pose, scene(), wrong), sure=False)
    assert view.places.piece == wrong
    _, after = looked(painted(1.0), replace(memory, view=view, read=None, look=None))
    assert after.view is not None and after.view.sure
    assert after.view.body == after.view.places.piece == SHEET.piece


@pytest.mark.long
def test_the_fringes_of_a_shawl_are_no_pawns_and_do_not_tell_how_tall_these_are() -> None:
    """A score of pawns seemed to stand in one base, and all others were measured by them, and one read beside its
    space."""
    frame, base = painted(1.0), SHEET.spaces["base3"]
    wool = [0.75 * int(SHEET.colors[3][i : i + 2], 16) for i in (5, 3, 1)]
    for x in (base.x + 13 * k for k in range(-3, 4)):
        for y in (base.y - 16, base.y + 16):
            ring = [(x - 4, y - 13, 0.0), (x + 4, y - 13, 0.0), (x + 4, y + 13, 0.0), (x - 4, y + 13, 0.0)]
            pixels = painter().project(np.array(ring)).round().astype(np.int32)
            cv2.fillPoly(frame, [pixels], wool, cv2.LINE_AA)
    seen, memory = looked(frame)
    assert memory.look is not None and memory.look.kept is not None and memory.view is not None
    where = memory.look.kept.places
    names = [list(SHEET.spaces)[where.space[place]] for place, _ in memory.look.kept.standing]
    assert names.count("base3") > 4, "or nothing was mistaken"
    assert seen.spaces["base3"].covered
    assert memory.view.body == SHEET.piece


def test_as_few_sticks_need_explain_but_a_tenth_more() -> None:
    """Filmed by Blender (109907): from high above, turned pawns of 1.1 of the height explained sticks nearly as well,
    and the foot of a piece that stood too far forward was read a space away."""
    usual = TURNED | {(share, 1.0): 300.0 for share in (0.8, 1.0, 1.2, 1.4)}
    assert measured(usual, 340.0, more=0) == (0.9, -1.0) and measured(usual, 332.0, more=0) == (1.0, 1.0)
    assert measured(usual, 340.0, more=1) == (1.0, 1.0)
    assert measured(usual, 340.0, more=-1) == (0.9, -1.0), "fewer pieces are likelier"


@pytest.mark.long(but=("parcheesi-1.4",))
@pytest.mark.parametrize("name, share", [("parcheesi", 1.4), ("parcheesi-print", 1.6), ("gloria", 1.6)])
def test_pawns_much_larger_than_on_the_sheet_are_measured_in_their_bases(name: str, share: float) -> None:
    """Filmed by Blender (109964): two were seen in each, so that each base held too many and was covered, for good."""
    rules = game_for(name, (0, 1, 2, 3), {})
    sheet, texture, _ = printed_board(name)
    table = Tabletop(sheet, random.Random(1))
    table.set_up(rules.position(rules.opening(0)))
    large = Body("pawn", 1.2 * sheet.piece.diameter, share * sheet.piece.height, 0.5)
    painter = Painter(replace(sheet, piece=large), texture, View(tilt=45, noise=1.5), np.random.default_rng(1))
    seen, memory = look(painter.paint(table.pawns), make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen) and memory.view is not None and memory.view.sure
    read = Counter(seat for space in seen.spaces.values() for seat in space.content)
    assert read == {seat: 4 for seat in range(4)}


@pytest.mark.parametrize(
    "usual, larger, is_larger", [(800.0, 1200.0, True), (800.0, 850.0, False), (1500.0, 1200.0, False)]
)
def test_a_crowd_is_larger_pawns_only_where_these_explain_clearly_more(
    usual: float, larger: float, is_larger: bool
) -> None:
    """A shawl's fringes are as many whatever pawns are looked for, or are explained no better by the few that fit."""
    sheet, large = Piece("pawn", 12.0, 24.0), Body("pawn", 12.0, 1.4 * 24.0, 0.0, 1.2)
    told = {sheet: (usual, True), large: (larger, False), replace(large, height=1.6 * 24.0): (100.0, False)}
    assert of_a_crowd(sheet, lambda body: told.get(body, (2000.0, True))) == (large if is_larger else None)


def test_where_the_largest_pawns_are_too_many_no_smaller_ones_are_tried() -> None:
    """Before flat pieces of 20 mm, of which no body is, each look took seconds, and phones were told to wait."""
    asked: list[Piece] = []
    assert of_a_crowd(SHEET.piece, lambda body: (1000.0 + len(asked), asked.append(body) is None)) is None
    assert len(asked) == 4 and max(body.height for body in asked) == 1.6 * SHEET.piece.height


@pytest.mark.long(but=("0.7",))
@pytest.mark.parametrize("share", [0.5, 0.7, 1.3])
def test_discs_that_are_not_as_broad_as_on_the_sheet_are_measured(share: float) -> None:
    """Draughts men of 20 mm where the sheet has 28 mm were not read, for good; of 14 mm, their squares were surely
    empty; and broader ones on squares of their colour were doubted."""
    rules, (sheet, texture, _) = game_for("game-of-god", (0, 1, 2, 3), {}), printed_board("game-of-god")
    table = Tabletop(sheet, random.Random(1))
    table.set_up(rules.position(rules.opening(0)))
    men = replace(sheet.piece, diameter=share * sheet.piece.diameter)
    painter = Painter(replace(sheet, piece=men), texture, View(noise=1.5), np.random.default_rng(1))
    there, frame = make_scene(sheet, texture), painter.paint(table.pawns)
    _, memory = look(painter.paint([]), there)
    _, memory = look(frame, there, memory)
    seen, memory = look(frame, there, memory)
    assert isinstance(seen, BoardSeen) and memory.view is not None and memory.view.sure
    assert memory.view.body is not None and abs(memory.view.body.diameter - men.diameter) < 0.11 * sheet.piece.diameter
    read = {name: space.content for name, space in seen.spaces.items() if space.content}
    assert read == dict(table.position())


def test_discs_of_another_set_are_measured_anew_in_the_next_game() -> None:
    """Men as on the sheet were not read, for good, where the game before had been played with ones of 20 mm."""
    rules, (sheet, texture, _) = game_for("game-of-god", (0, 1, 2, 3), {}), printed_board("game-of-god")
    table, eyes = Tabletop(sheet, random.Random(1)), Eyes(make_scene(sheet, texture))
    table.set_up(rules.position(rules.opening(0)))
    for game, share in enumerate((0.7, 1.0)):
        men = replace(sheet.piece, diameter=share * sheet.piece.diameter)
        painter = Painter(replace(sheet, piece=men), texture, View(tilt=35, noise=1.5), np.random.default_rng(1))
        frame = painter.paint(table.pawns)
        for second in range(3):
            eyes.look(frame, 10.0 * game + second)
        assert isinstance(eyes.seen, BoardSeen)
        assert {name: one.content for name, one in eyes.seen.spaces.items() if one.content} == dict(table.position())
        eyes.look(painter.paint([]), 10.0 * game + 5.0)
        eyes.watch(eyes.scene)


def played_with(game: str, *pieces: Piece, cleared: bool) -> list[tuple[Piece, dict[str, Content], Position]]:
    """What is read at the beginning of one game after the other, and what stands there. cleared: whether the pieces are
    taken off when the next game was asked for."""
    rules, (sheet, texture, _) = game_for(game, (0, 1, 2, 3), {}), printed_board(game)
    table, eyes, found = Tabletop(sheet, random.Random(1)), Eyes(make_scene(sheet, texture)), []
    table.set_up(rules.position(rules.opening(0)))
    for number, piece in enumerate(pieces):
        view = View(tilt=45, noise=1.5).fitted(sheet)
        painter = Painter(replace(sheet, piece=piece), texture, view, np.random.default_rng(1))
        frame, bare = painter.paint(table.pawns), painter.paint([])
        for second in range(3):
            seen = eyes.look(frame, 20.0 * number + second)
        assert isinstance(seen, BoardSeen) and eyes.seen is not None
        read = {name: space.content for name, space in eyes.seen.spaces.items() if space.content}
        found.append((piece, read, table.position()))
        eyes.watch(eyes.scene)
        for second in range(3, 5):
            eyes.look(frame, 20.0 * number + second)
        for second in range(6, 9):
            eyes.look(bare if cleared else frame, 20.0 * number + second)
    return found


def test_larger_pawns_are_measured_as_such_in_each_game() -> None:
    """In the second game no base was read, for good: of what is measured already there are never too many, and of what
    there are not too many no width was tried."""
    large = Piece("pawn", 16.8, 33.6)
    for piece, read, standing in played_with("parcheesi", large, large, cleared=False):
        assert read == dict(standing), piece


@pytest.mark.long(but=("game-of-god-old2-new2",))
@pytest.mark.parametrize(
    "game, old, new",
    [
        ("parcheesi", SHEET.piece, Piece("pawn", 16.8, 33.6)),
        ("parcheesi", Piece("disc", 22.0, 1.0), SHEET.piece),
        ("game-of-god", Piece("disc", 28.0, 4.0), Piece("disc", 16.8, 4.0)),
    ],
)
def test_another_set_is_measured_though_the_old_one_stood_when_the_game_was_asked_for(
    game: str, old: Piece, new: Piece
) -> None:
    """It was measured by the old one: no base of the larger pawns was read, and all draughtsmen were doubted."""
    for piece, read, standing in played_with(game, old, new, cleared=True):
        assert read == dict(standing), piece


def test_smaller_discs_of_which_a_few_are_found_are_measured_by_all() -> None:
    """Of twenty of 15 mm six were found as ones of 28 mm, too few to tell: none was read right, for good."""
    rules, (sheet, texture, _) = game_for("game-of-god", (0, 1, 2, 3), {}), printed_board("game-of-god")
    table = Tabletop(sheet, random.Random(2))
    table.set_up(rules.position(rules.opening(0)))
    men = replace(sheet.piece, diameter=0.55 * sheet.piece.diameter)
    painter = Painter(replace(sheet, piece=men), texture, View(tilt=50, noise=1.5), np.random.default_rng(2))
    painter.paint([])
    seen, memory = look(painter.paint(table.pawns), make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen) and memory.view is not None and memory.view.sure
    assert {name: space.content for name, space in seen.spaces.items() if space.content} == dict(table.position())


@pytest.mark.long
def test_a_few_coins_that_lie_on_the_board_do_not_tell_how_broad_discs_are() -> None:
    sheet, texture, _ = printed_board("game-of-god")
    there, view = make_scene(sheet, texture), View(noise=1.5)
    coins = Painter(replace(sheet, piece=Piece("disc", 16.0, 2.0)), texture, view, np.random.default_rng(1))
    on = [Pawn(1, name, (sheet.spaces[name].x, sheet.spaces[name].y)) for name in ("c4", "d5", "f4", "g6")]
    _, memory = look(coins.paint(on), there)
    assert memory.view is not None and not memory.view.sure
    rules, table = game_for("game-of-god", (0, 1, 2, 3), {}), Tabletop(sheet, random.Random(1))
    table.set_up(rules.position(rules.opening(0)))
    frame = Painter(sheet, texture, view, np.random.default_rng(1)).paint(table.pawns)
    _, memory = look(frame, there, memory)
    seen, memory = look(frame, there, memory)
    assert isinstance(seen, BoardSeen) and memory.view is not None
    assert memory.view.sure and memory.view.body == sheet.piece
    assert {name: space.content for name, space in seen.spaces.items() if space.content} == dict(table.position())


def test_what_cannot_be_measured_is_tried_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each try takes as long as many looks, and coins may lie there for a whole evening."""
    sheet, texture, _ = printed_board("game-of-god")
    there, tried = make_scene(sheet, texture), list[Piece]()
    monkeypatch.setattr(measuring, "breadth", lambda usual, told: tried.append(usual) or breadth(usual, told))
    coins = Painter(replace(sheet, piece=Piece("disc", 23.0, 4.0)), texture, View(noise=1.5), np.random.default_rng(1))
    on = [Pawn(1, name, (sheet.spaces[name].x, sheet.spaces[name].y)) for name in ("c4", "d5", "f4", "g6")]
    frame, memory = coins.paint(on), Memory()
    for _ in range(measuring.TRIES + 3):
        _, memory = look(frame, there, replace(memory, read=None, look=None))
    assert 0 < len(tried) <= measuring.TRIES
    table = Tabletop(sheet, random.Random(1))
    rules = game_for("game-of-god", (0, 1, 2, 3), {})
    table.set_up(rules.position(rules.opening(0)))
    frame = coins.paint(table.pawns)
    for _ in range(2):  # so many come at once that the first only shows that something moves
        _, memory = look(frame, there, memory)
    assert memory.view is not None and memory.view.sure, "enough of them tell"


def test_in_the_next_game_it_is_tried_again_to_measure_what_could_not_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be played with other pieces."""
    sheet, texture, _ = printed_board("game-of-god")
    eyes, tried = Eyes(make_scene(sheet, texture)), list[Piece]()
    monkeypatch.setattr(measuring, "breadth", lambda usual, told: tried.append(usual) or breadth(usual, told))
    coins = Painter(replace(sheet, piece=Piece("disc", 23.0, 4.0)), texture, View(noise=1.5), np.random.default_rng(1))
    on = [Pawn(1, name, (sheet.spaces[name].x, sheet.spaces[name].y)) for name in ("c4", "d5", "f4", "g6")]
    frame = coins.paint(on)
    for second in range(0, 120, 4):
        eyes.look(frame, float(second))
    assert len(tried) == measuring.TRIES, "or the tries had not come to an end"
    eyes.watch(eyes.scene)
    for second in range(120, 124):
        eyes.look(frame, float(second))
    assert len(tried) > measuring.TRIES


def broad(nats: dict[float, float], *each: float) -> float:
    """The share of the diameter that discs are measured to have. nats: what those of some shares explain; others, none.
    each: the shares of its nats that each disc gains if they are not as on the sheet."""
    sheet = Piece("disc", 28.0, 4.0)

    def told(disc: Piece) -> Told:
        share = round(disc.diameter / sheet.diameter, 1)
        gain = np.array(each) if share != 1.0 else np.zeros(len(each))
        return Told(nats.get(share, 0.0), 100 * (1 + gain), len(each))

    return round(breadth(sheet, told).diameter / sheet.diameter, 1)


def test_broader_discs_must_explain_more_as_their_tops_do() -> None:
    """What a thick one shows of its side, and its shadow, are explained by a broader one, too."""
    by_side = {0.8: 1900.0, 0.9: 2300.0, 1.0: 2680.0, 1.1: 2830.0, 1.2: 2680.0}
    assert broad(by_side, 0.06, 0.06, 0.06) == 1.0
    assert broad(by_side | {1.1: 3080.0, 1.2: 3100.0}, 0.14, 0.14, 0.14) == 1.1
    assert broad({0.7: 1300.0, 0.8: 1600.0, 0.9: 1570.0, 1.0: 1280.0}, 0.2, 0.2, 0.2) == 0.8


def test_discs_of_another_breadth_must_explain_more_of_most() -> None:
    smaller = {0.7: 1300.0, 0.8: 1720.0, 0.9: 1700.0, 1.0: 1670.0}
    assert broad(smaller, -0.07, 0.08, 0.2, -0.04, 0.06) == 0.8, "the usual one covers shadows"
    assert broad(smaller, -0.07, -0.04, 0.2, 0.02, 0.03) == 1.0, "one gains it all"
    assert broad(smaller | {0.8: 1685.0, 0.9: 1680.0}, 0.06, 0.08, 0.2) == 1.0, "hardly more"
    broader = {0.9: 2300.0, 1.0: 2680.0, 1.1: 3080.0, 1.2: 3100.0}
    assert broad(broader, 0.14, 0.2, -0.02, -0.03, 0.1) == 1.0, "it covers shadows"


def test_larger_pawns_that_are_met_in_play_are_measured_as_there_are_too_many_on_the_whole_board() -> None:
    """As after a restart: no base held too many, so that two were surely seen in each, and what was round it."""
    sheet, texture, _ = printed_board("gloria")
    table = Tabletop(sheet, random.Random(1))
    out = {f"t{9 * seat + 3 * k}": (seat,) for seat in range(4) for k in range(3)}
    table.set_up(Position.of({f"base{seat}": (seat,) for seat in range(4)} | out))
    large = Piece("pawn", 16.0, 32.0)
    painter = Painter(replace(sheet, piece=large), texture, View(tilt=45, noise=1.5), np.random.default_rng(1))
    seen, memory = look(painter.paint(table.pawns), make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen) and memory.view is not None and memory.view.sure
    read = {name: space.content for name, space in seen.spaces.items() if space.content}
    assert read == dict(table.position())


CUT_OUT = Piece("disc", 22.0, 1.0)
BASES, PAIRS = ("base0", "base1", "base2", "base3"), ("t3", "t20", "t37", "t54")


def lying_about(game: str, piece: Piece, begun: bool = True, tilt: float = 40.0) -> tuple[np.ndarray, Position]:
    """The board of a game with such pieces in place of pawns, at the beginning or in play, and how they lie."""
    printed, texture, _ = printed_board(game)
    sheet = replace(printed, piece=piece)
    table = Tabletop(sheet, random.Random(5))
    out = {f"t{17 * seat + 5 * k}": (seat,) for seat in range(4) for k in range(2)}
    bases = {f"base{seat}": (seat,) * (2 if begun else 4) for seat in range(4)}
    table.set_up(Position.of(bases | (out if begun else {})))
    view = View(tilt=tilt, noise=1.5).fitted(sheet)
    return Painter(sheet, texture, view, np.random.default_rng(5)).paint(table.pawns), table.position()


@pytest.mark.long(but=("40.0-parcheesi-print",))
@pytest.mark.parametrize("game", ["parcheesi-print", "parcheesi"])
@pytest.mark.parametrize("tilt", [5.0, 40.0])
def test_pieces_cut_out_of_paper_are_read_though_the_sheet_says_pawns(game: str, tilt: float) -> None:
    """Each was two or three pawns, so that every base was covered and no game could begin; and of those in a base one
    alone was believed to be seen once they were ruled, as of a stack."""
    there = replace(make_scene(*printed_board(game)[:2]), pieces=4)
    frame, position = lying_about(game, CUT_OUT, begun=False, tilt=tilt)
    seen, memory = look(frame, there)
    assert isinstance(seen, BoardSeen) and memory.body is not None and memory.body.kind == "disc"
    seen, memory = look(frame, there, learn(memory, there, position), 0.5)
    assert isinstance(seen, BoardSeen) and all(seen.spaces[f"base{seat}"].confidence > 0.9 for seat in range(4))
    frame, position = lying_about(game, CUT_OUT, tilt=tilt)
    for at in (1.0, 2.0):
        seen, memory = look(frame, there, memory, at)
        assert isinstance(seen, BoardSeen)
    read = {name: space.content for name, space in seen.spaces.items() if space.content}
    assert read == dict(position) and sum(space.confidence > 0.9 for space in seen.spaces.values()) > 95


@pytest.mark.parametrize("tilt", [0.0, 40.0])
def test_two_flat_pieces_that_lie_side_by_side_on_a_space_are_two(tilt: float) -> None:
    """Such a blockade was one piece, or three, for sure: places so far off the middle of a space were pawns' only."""
    printed, texture, _ = printed_board("parcheesi")
    sheet = replace(printed, piece=CUT_OUT)
    table = Tabletop(sheet, random.Random(5))
    table.set_up(Position.of({name: (seat,) * 2 for names in (BASES, PAIRS) for seat, name in enumerate(names)}))
    painter = Painter(sheet, texture, View(tilt=tilt, noise=1.5).fitted(sheet), np.random.default_rng(5))
    seen, memory = look(painter.paint(table.pawns), replace(make_scene(printed, texture), pieces=4))
    assert isinstance(seen, BoardSeen) and memory.body is not None and memory.body.kind == "disc"
    assert {name: space.content for name, space in seen.spaces.items() if space.content} == dict(table.position())
    assert all(space.confidence > 0.9 for space in seen.spaces.values())


def test_the_colours_of_discs_that_lie_side_by_side_in_their_bases_are_learned() -> None:
    """They were looked for as stacks: "on base2 stands a piece of another colour than yellow's others"."""
    draughtsmen = Piece("disc", 22.0, 5.0)
    frame, _ = lying_about("parcheesi", draughtsmen, begun=False)
    learned = piece_colors(
        frame, make_scene(replace(SHEET, piece=draughtsmen), TEXTURE), {seat: [f"base{seat}"] * 4 for seat in range(4)}
    )
    for seat, color in learned.items():
        parts = [np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)]) for text in (color, SHEET.colors[seat])]
        assert abs(parts[0] - parts[1]).max() < 60, (seat, color)


def test_flat_pieces_that_are_laid_down_one_by_one_are_measured_once_they_are_all_there() -> None:
    """The first two were four pawns, and were measured as such for good: all bases were covered, as ever."""
    printed, texture, _ = printed_board("parcheesi-print")
    sheet, players = replace(printed, piece=CUT_OUT), frozenset({0, 2})
    table, memory = Tabletop(sheet, random.Random(2)), None
    table.set_up(Position.of({f"base{seat}": (seat,) * 4 for seat in players}))
    painter = Painter(sheet, texture, View(tilt=30, noise=1.5).fitted(sheet), np.random.default_rng(1))
    there = replace(make_scene(printed, texture), players=players, pieces=4)
    for count in (0, 2, 3, 6, 8):
        seen, memory = look(painter.paint(table.pawns[:count]), there, memory, float(count))
        assert isinstance(seen, BoardSeen)
        assert count in (0, 8) or (memory.body is not None and memory.body.kind == "pawn")
    assert isinstance(seen, BoardSeen)
    read = {name: space.content for name, space in seen.spaces.items() if space.content}
    assert read == dict(table.position())


def test_larger_pawns_that_are_put_up_one_by_one_are_measured_once_there_are_too_many() -> None:
    """The first few told how tall they are, and of few there are not too many: fifteen places were doubted for good."""
    rules, (printed, texture, _) = game_for("gloria", (0, 1, 2, 3), {}), printed_board("gloria")
    sheet, memory = replace(printed, piece=Piece("pawn", 16.8, 33.6)), None
    table = Tabletop(sheet, random.Random(1))
    table.set_up(rules.position(rules.opening(0)))
    painter = Painter(sheet, texture, View(tilt=45, noise=1.5).fitted(sheet), np.random.default_rng(1))
    there = make_scene(printed, texture)
    for at, count in enumerate((0, 2, 4, 4, 6, 16, 16)):
        seen, memory = look(painter.paint(table.pawns[:count]), there, memory, float(at))
    assert isinstance(seen, BoardSeen) and memory is not None and memory.view is not None and memory.view.sure
    read = {name: space.content for name, space in seen.spaces.items() if space.content}
    assert read == dict(table.position())


def test_among_pawns_that_were_measured_no_flat_ones_are_found_in_what_lies_over_the_board() -> None:
    pawns, _ = lying_about("parcheesi", SHEET.piece, begun=False)
    there = replace(make_scene(SHEET, TEXTURE), pieces=4)
    _, memory = look(pawns, there)
    for at in range(1, 7):
        spotted, rng = pawns.copy(), np.random.default_rng(at)
        for x, y in rng.uniform((420, 280), (860, 680), (12, 2)).astype(int):
            cv2.circle(spotted, (x, y), 9 + at, (40, 40, 190), -1)
        _, memory = look(spotted, there, memory, float(at))
        assert memory.view is not None and memory.view.vain <= measuring.TRIES
        assert memory.body is not None and memory.body.kind == "pawn"


@pytest.mark.parametrize(
    "count, too_many", [((4, 4, 4, 4), False), ((6, 4, 4, 4), False), ((13, 2, 2, 1), True), ((9, 9, 1, 1), True)]
)
def test_of_many_pieces_that_no_seat_has_nothing_is_measured(count: tuple[int, ...], too_many: bool) -> None:
    """Patches of light on a dark board were three dozen grey pawns, which thirteen grey discs explained better: all
    that followed was read by that measure (filmed)."""
    there = replace(make_scene(SHEET, TEXTURE), pieces=4)
    _, memory = look(lying_about("parcheesi", SHEET.piece)[0], there)
    assert memory.view is not None and memory.look is not None and memory.look.kept is not None
    found, crowd = measuring._tried(memory.view, memory.look.kept, there)
    where = found(SHEET.piece).where
    places = np.unique(where.space, return_index=True)[1].tolist()
    standing = list(zip(places, np.repeat(range(4), count).tolist(), strict=False))
    assert crowd(replace(found(SHEET.piece), standing=standing)) == too_many


def test_spare_pawns_of_those_who_do_not_play_are_no_reason_to_look_for_flat_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pawns, position = lying_about("parcheesi", SHEET.piece, begun=False)
    there = replace(make_scene(SHEET, TEXTURE), players=frozenset({0, 2}), pieces=4)
    _, memory = look(pawns, there)
    monkeypatch.setattr(measuring, "_tried", None)  # it takes as long as a look
    seen, memory = look(pawns, there, replace(memory, stale=True, look=None), 1.0)
    assert isinstance(seen, BoardSeen) and memory.view is not None and memory.view.sure
    assert {name: space.content for name, space in seen.spaces.items() if space.content} == dict(position)


def test_too_many_pieces_of_those_who_do_not_play_are_no_reason_to_look_for_larger_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A blue base, half in the sun, was six blue pawns where nobody played blue: all were measured by what fits it."""
    table = Tabletop(SHEET, random.Random(5))
    table.set_up(Position.of({"base0": (0,) * 4, "base2": (2,) * 4, "base3": (3,) * 6}))
    frame = Painter(SHEET, TEXTURE, View(tilt=30, noise=1.5).fitted(SHEET), np.random.default_rng(5)).paint(table.pawns)
    there, tried = replace(make_scene(SHEET, TEXTURE), pieces=4), list[str]()
    monkeypatch.setattr(measuring, "_larger_or_flat", lambda *_: tried.append("all"))
    look(frame, there)
    assert tried == ["all"]
    _, memory = look(frame, replace(there, players=frozenset({0, 2})))
    assert tried == ["all"] and memory.body is not None and memory.body.height == SHEET.piece.height


def test_after_a_game_with_flat_pieces_pawns_are_pawns_again() -> None:
    there = replace(make_scene(*printed_board("parcheesi-print")[:2]), pieces=4)
    eyes = Eyes(there)
    for at, piece in enumerate((CUT_OUT, SHEET.piece, CUT_OUT)):
        frame, position = lying_about("parcheesi-print", piece, begun=False)
        for more in range(3):
            seen = eyes.look(frame, 5.0 * at + more)
        assert isinstance(seen, BoardSeen)
        read = {name: space.content for name, space in seen.spaces.items() if space.content}
        assert read == dict(position) and eyes.draw(frame).shape == frame.shape
        eyes.watch(there)


def test_larger_pawns_are_no_flat_pieces() -> None:
    frame, position = lying_about("parcheesi", Piece("pawn", 16.0, 34.0), begun=False)
    seen, memory = look(frame, make_scene(SHEET, TEXTURE))
    assert isinstance(seen, BoardSeen) and isinstance(memory.body, Body)
    assert {name: space.content for name, space in seen.spaces.items() if space.content} == dict(position)


@pytest.mark.parametrize(
    "piece, seed", [(Piece("disc", 25.0, 8.0), 5), (Piece("disc", 25.0, 7.0), 0), (Piece("pawn", 20.0, 15.0), 0)]
)
def test_broad_pieces_in_bases_of_four_places_are_one_each(piece: Piece, seed: int) -> None:
    """Two or three pawns were seen on every place, and it was not asked of the right spaces whether that is too many:
    draughtsmen were stouter pawns. Others, and squat pawns, were two each, as these explained nearly as much."""
    rules, (printed, texture, _) = game_for("gloria", (0, 1, 2, 3), {}), printed_board("gloria")
    sheet = replace(printed, piece=piece)
    table = Tabletop(sheet, random.Random(seed))
    table.set_up(rules.position(rules.opening(0)))
    painter = Painter(sheet, texture, View(tilt=45, noise=1.5).fitted(sheet), np.random.default_rng(1))
    seen, memory = look(painter.paint(table.pawns), make_scene(printed, texture))
    assert isinstance(seen, BoardSeen) and memory.body is not None and memory.body.kind == "disc"
    assert {name: space.content for name, space in seen.spaces.items() if space.content} == dict(table.position())
    assert sum(space.confidence <= 0.9 for space in seen.spaces.values()) <= 1  # of which a grain decides


def test_of_a_seat_whose_pieces_are_larger_no_more_are_surely_read_than_it_has() -> None:
    """All are measured as one set: of the large ones two were surely read on a place of their base (0.99)."""
    rules, (sheet, texture, _) = game_for("gloria", (0, 1, 2, 3), {}), printed_board("gloria")
    table = Tabletop(replace(sheet, piece=Piece("pawn", 17.0, 33.0)), random.Random(0))
    table.set_up(rules.position(rules.opening(0)))
    small, large = (
        Painter(replace(sheet, piece=piece), texture, View(tilt=45, noise=0.0).fitted(sheet), np.random.default_rng(1))
        for piece in (sheet.piece, Piece("pawn", 17.0, 33.0))
    )
    frame = small.paint([pawn for pawn in table.pawns if pawn.seat != 2])
    large.base[:] = frame
    seen, _ = look(large.paint([pawn for pawn in table.pawns if pawn.seat == 2]), make_scene(sheet, texture))
    assert isinstance(seen, BoardSeen)
    wrong = {name: space for name, space in seen.spaces.items() if space.content != table.position().at(name)}
    assert all(space.covered or space.confidence < 0.9 for space in wrong.values())


MARBLES, HOLES, _ = printed_board("aggravation")
LYING = {f"base{seat}.{k}": seat for seat in range(4) for k in (1, 2)} | {"t3": 0, "t9": 1, "t20": 3, "lane2.2": 2}


def in_the_holes(piece: Piece, tilt: float, lying: dict[str, int]) -> np.ndarray:
    """The board of Aggravation with such pieces, and of which seat, in some holes."""
    view = View(tilt=tilt, noise=1.5).fitted(MARBLES)
    painter = Painter(replace(MARBLES, piece=piece), HOLES, view, np.random.default_rng(1))
    holes = {name: MARBLES.spaces[name] for name in lying}
    return painter.paint([Pawn(seat, name, (holes[name].x, holes[name].y)) for name, seat in lying.items()])


@pytest.mark.long(but=("marble-20-18", "pawn-14-28"))
@pytest.mark.parametrize(
    "kind, across, high", [("marble", 14, 12), ("marble", 20, 18), ("pawn", 14, 28), ("disc", 20, 4)]
)
def test_what_is_in_the_holes_is_measured(kind: str, across: float, high: float) -> None:
    """Behind pawns empty holes were surely taken, and all broad marbles and chips were in doubt."""
    piece = Piece(kind, across, high)
    seen, memory = look(in_the_holes(piece, 50.0, LYING), make_scene(MARBLES, HOLES))
    assert isinstance(seen, BoardSeen) and memory.view is not None and memory.view.sure
    body = memory.view.body
    assert body is not None and body.kind == "marble" and isinstance(body, Body) == (kind == "pawn")
    assert abs(body.diameter - across) < 2.2
    assert {name: space.content[0] for name, space in seen.spaces.items() if space.content} == LYING
    assert np.mean([space.confidence > 0.9 for space in seen.spaces.values()]) > 0.95


def test_broad_marbles_are_measured_when_they_are_put_on_a_board_that_was_seen_empty() -> None:
    """What is strange on it are their own edges."""
    there, memory = make_scene(MARBLES, HOLES), None
    marbles = Piece("marble", 20.0, 18.0)
    for lying in ({}, LYING, LYING):
        _, memory = look(in_the_holes(marbles, 35.0, lying), there, memory)
    assert memory is not None and memory.view is not None and memory.view.sure
    assert memory.view.body is not None and abs(memory.view.body.diameter - 20.0) < 1.5


def held(marbles: dict[float, float], upright: float, *each: float, pieces: int = 6) -> Piece:
    """What is measured in holes for marbles of 14 mm. marbles: what those of some shares explain, nats; others, less.
    upright: what pawns of 14 by 24 mm do; others, less. each: what each gains, as a share of its nats, if it is not as
    on the sheet. pieces: so many pawns, for six marbles."""

    def told(piece: Piece) -> Told:
        if not isinstance(piece, Body):
            share = round(piece.diameter / 14, 2)
            return Told(marbles.get(share, 0.0), 100 * (1 + (share != 1.0) * np.array(each)), 6)
        alike = 0.8 if (piece.diameter, piece.height) != (14.0, 24.0) else 1.0 if piece.waist == 1.0 else 0.9
        return Told(alike * upright, 100 * (1 + np.array(each)), pieces)

    return in_holes(Piece("marble", 14.0, 12.0), told)


def test_marbles_of_another_breadth_must_explain_more_as_discs_must() -> None:
    usual = Piece("marble", 14.0, 12.0)
    assert held({1.0: 590.0, 1.2: 650.0, 1.3: 620.0}, 600.0, 0.1, 0.1, 0.1) == usual, "it covers shadows"
    assert held({1.0: 360.0, 1.2: 620.0, 1.3: 640.0, 1.4: 650.0}, 600.0, 0.4, 0.5, 0.6).diameter == 1.2 * 14
    assert held({1.0: 360.0, 1.2: 620.0}, 600.0, 0.6, -0.1, 0.01) == usual, "one gains it all"
    assert held({0.7: 71.0, 0.8: 67.0, 1.0: 15.0}, 77.0, 2.0, 1.1, 0.7) == usual, "blurred: filmed by Blender"


def test_pawns_in_the_holes_must_explain_a_tenth_more_than_any_marbles() -> None:
    usual, marbles = Piece("marble", 14.0, 12.0), {0.8: 380.0, 1.0: 420.0, 1.2: 440.0}
    assert held(marbles, 475.0, 0.1, 0.1, 0.1) == usual
    assert held(marbles, 490.0, 0.1, 0.1, 0.1) == Body("marble", 14.0, 24.0, 1.0)
    assert held(marbles, 490.0, 0.2, 0.3, -0.1, -0.1, 0.2) == usual, "some lose"
    fewer = held(marbles, 490.0, 0.2, 0.3, -0.1, -0.1, 0.02, pieces=4)
    assert fewer == Body("marble", 14.0, 24.0, 1.0), "of which heads passed for marbles behind"
