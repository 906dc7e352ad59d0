"""In the light of a weak lamp the eyes read the mean of some pictures: noise hides a board, or makes all doubtful."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from companion.games.catalogue import game_for
from companion.model import BoardLost, BoardSeen, ImageError, Position, Sighting
from companion.service.boards.configured import board_options, printed_board
from companion.service.table import eyes as module
from companion.service.table.eyes import Eyes
from companion.virtual.painter import Painter, View
from companion.virtual.tabletop import Hand, Tabletop
from companion.vision import Memory, Scene, make_scene

VIEW = View(width=640, height=480, distance=1000)
STEP = 0.1
"""Seconds between two pictures."""


class Table:
    """A printed board of a game in little light, set up, and what the eyes make of it. noise: grey levels."""

    def __init__(self, game: str, light: float, noise: float) -> None:
        rules = game_for(game, (0, 1, 2, 3), {})
        sheet, texture, self.scene = board(game)
        self.top, self.opening = Tabletop(sheet, random.Random(1)), rules.position(rules.opening(0))
        self.top.set_up(self.opening)
        self.painter = Painter(sheet, texture, VIEW.fitted(sheet), np.random.default_rng(2))
        self.light, self.noise, self.rng = light, noise, np.random.default_rng(3)
        self.eyes, self.at = Eyes(self.scene), 0.0

    def picture(self, hand: Hand | None = None) -> np.ndarray:
        lit = 255 * ((self.painter.paint(self.top.pawns, hand) / 255) ** 2.2 * self.light) ** (1 / 2.2)
        return (lit + self.rng.normal(0, self.noise, lit.shape)).round().clip(0, 255).astype(np.uint8)

    def look(self, seconds: float, hand: Hand | None = None) -> Sighting:
        """The last look of so many seconds; one, if it is none."""
        for _ in range(max(1, round(seconds / STEP))):
            self.at += STEP
            seen = self.eyes.look(self.picture(hand), self.at)
        return seen


@lru_cache
def board(game: str) -> tuple[object, np.ndarray, Scene]:
    rules = game_for(game, (0, 1, 2, 3), {})
    sheet, texture, _ = printed_board(game, board_options(rules))
    return sheet, texture, make_scene(sheet, texture)


def doubtful(seen: Sighting) -> int:
    assert isinstance(seen, BoardSeen)
    return sum(space.confidence < 0.97 for space in seen.spaces.values())


@pytest.mark.long
def test_a_board_that_no_single_picture_shows_is_found_in_the_mean_of_three() -> None:
    table = Table("aggravation", 0.15, 16.0)
    assert isinstance(table.look(0), BoardLost) and isinstance(table.look(0), BoardLost)
    seen = table.look(0)
    assert isinstance(seen, BoardSeen) and doubtful(seen) < 10
    assert doubtful(table.look(2.0)) < 3


@pytest.mark.long
def test_what_is_doubtful_in_one_picture_is_not_in_the_mean_of_some() -> None:
    table = Table("parcheesi", 0.2, 16.0)
    assert doubtful(table.look(0)) > 10
    assert doubtful(table.look(0.5)) < 5


@pytest.mark.long
def test_what_a_mean_made_clear_stays_so_where_few_pictures_come() -> None:
    """Of pictures that come one a second too few were gathered for the later looks: a single one was read, and what was
    clear for ten seconds was doubtful for the next ten."""
    table = Table("parcheesi", 0.2, 16.0)
    for _ in range(4):
        table.at += 1.0 - STEP
        table.look(0)
    for _ in range(16):
        table.at += 1.0 - STEP
        assert doubtful(table.look(0)) < 5


@pytest.mark.long
def test_a_piece_that_was_moved_is_seen_where_it_is_and_not_where_it_was() -> None:
    table = Table("parcheesi", 0.2, 16.0)
    table.look(2.0)
    pawn = next(pawn for pawn in table.top.pawns if pawn.seat == 0)
    hand = Hand(0, pawn.at, (pawn.at[0], -200.0), 0.0)
    seen = table.look(0, hand)
    assert isinstance(seen, BoardSeen) and seen.moving
    moved = Position.of({**dict(table.opening.items()), "base0": (0,) * 3, "t6": (0,)})
    table.top.set_up(moved)
    seen = table.look(2.0)
    assert isinstance(seen, BoardSeen) and not seen.moving
    assert seen.spaces["t6"].content == (0,) and seen.spaces["base0"].content == (0,) * 3


@pytest.mark.long
def test_a_hand_that_comes_when_the_board_is_to_be_read_again_is_no_part_of_a_mean() -> None:
    table = Table("parcheesi", 0.2, 16.0)
    table.look(1.4)
    at = table.scene.sheet.width / 2, table.scene.sheet.height / 2
    for _ in range(3):
        seen = table.look(0, Hand(0, at, (at[0], -200.0), 0.0))
        assert isinstance(seen, BoardLost) or seen.moving or any(space.covered for space in seen.spaces.values())


@pytest.mark.long
def test_the_photo_of_a_board_that_is_not_known_yet_has_less_noise() -> None:
    table = Table("gloria", 0.2, 16.0)
    table.eyes = Eyes(board("parcheesi")[2])
    noise = []
    for seconds in (0, 0.8):
        assert isinstance(table.look(seconds), BoardLost)
        noise.append((table.eyes.cleared(table.picture()).astype(float) - table.picture()).std())
    one, some = 16 * 2**0.5, 16 * (1 + 1 / 6) ** 0.5
    assert noise == [pytest.approx(one, rel=0.15), pytest.approx(some, rel=0.1)]
    table.look(0, Hand(0, (200.0, 200.0), (200.0, -200.0), 0.0))
    last = table.picture()
    assert table.eyes.cleared(last) is last, "a hand came"


@pytest.mark.long(but=("None",))
@pytest.mark.parametrize("picture", [np.zeros((480, 640), np.uint8), np.zeros((480, 640, 3)), None])
def test_what_is_no_picture_is_refused_also_while_pictures_are_gathered(picture: object) -> None:
    table = Table("parcheesi", 0.2, 16.0)
    table.look(0.3)
    with pytest.raises(ImageError):
        table.eyes.look(picture, table.at + STEP)  # type: ignore[arg-type]
    assert isinstance(table.look(0.3), BoardSeen)


@pytest.mark.long
def test_a_shade_that_creeps_over_half_of_the_board_is_no_hand_in_the_mean() -> None:
    """No picture differs from the one before; their mean differs from the last as if a hand had gone over the board,
    and what was covered then would be said of a board that lies still, and that something moves in the next."""
    table = Table("parcheesi", 0.2, 6.0)
    table.look(0.8)
    for dark in (0, 12, 24, 36, 48, 60, 72, 72, 72, 72, 72):
        table.at += STEP
        shown = table.picture().astype(np.int16)
        shown[:, : VIEW.width // 2] -= np.minimum(dark, (shown[:, : VIEW.width // 2] * 0.6)).astype(np.int16)
        seen = table.eyes.look(shown.astype(np.uint8), table.at)
        assert isinstance(seen, BoardSeen) and not seen.moving
        assert sum(space.covered for space in seen.spaces.values()) < 3


def the_read_again(monkeypatch: pytest.MonkeyPatch, looks: list[Sighting]) -> tuple[Sighting, list[bool]]:
    """What the eyes make of a noisy board when it is due to be read again, if this is what the looks at the picture, at
    the mean and so on say; and which of them had to read."""
    table, had_to = Table("parcheesi", 0.2, 16.0), []
    table.look(1.0)

    def say(image: np.ndarray, scene: Scene, memory: Memory | None, at: float) -> tuple[Sighting, Memory]:
        assert memory is not None
        had_to.append(memory.stale)
        return looks[len(had_to) - 1], replace(memory, stale=False)

    monkeypatch.setattr(module, "look", say)
    for _ in range(10):
        had_to.clear()
        seen = table.look(0)
        if any(had_to):
            break
    return seen, had_to


@pytest.mark.long
@pytest.mark.parametrize("moved", [(True, False), (False, True), (False, False)])
def test_a_board_that_was_pushed_is_said_to_be_so_whichever_picture_shows_it(
    moved: tuple[bool, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, had_to = the_read_again(monkeypatch, [BoardSeen(0, {}, moved=by) for by in moved])
    assert isinstance(seen, BoardSeen) and seen.moved == any(moved) and had_to == [False, True]


@pytest.mark.long
def test_where_a_mean_shows_no_board_the_last_picture_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = [BoardSeen(0, {}), BoardLost(0, "blurred"), BoardSeen(0, {})]
    seen, had_to = the_read_again(monkeypatch, looks)
    assert isinstance(seen, BoardSeen) and had_to == [False, True, True]
