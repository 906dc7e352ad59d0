"""The eyes spare themselves a search in a picture that does not change, and miss nothing that does."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from companion.model import BoardLost, BoardSeen, ImageError, Sighting
from companion.service.boards.configured import printed_board
from companion.service.table import eyes as module
from companion.service.table.eyes import LAST_SEARCH, Eyes
from companion.virtual.painter import Painter, View
from companion.vision import Memory, Scene, make_scene
from companion.vision import look as really_look

VIEW = View(width=960, height=720, noise=2.5, brightness=0.7)
SHEET, TEXTURE, _ = printed_board("parcheesi")
SCENE = make_scene(SHEET, TEXTURE)


@lru_cache
def pictures(game: str) -> Painter:
    sheet, texture, _ = printed_board(game)
    return Painter(sheet, texture, VIEW, np.random.default_rng(3))


@lru_cache
def lost() -> tuple[Sighting, Memory]:
    """What a search says of the wrong board."""
    seen, memory = really_look(pictures("gloria").paint([]), SCENE)
    assert isinstance(seen, BoardLost)
    return seen, memory


class Searches:
    """The eyes, and how often they searched. wrong: the board is the wrong one each time; to find that takes long."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.eyes, self.count, self.wrong = Eyes(SCENE), 0, False
        monkeypatch.setattr(module, "look", self._look)

    def _look(self, image: np.ndarray, scene: Scene, memory: Memory | None, at: float) -> tuple[Sighting, Memory]:
        self.count += 1
        if not self.wrong:
            return really_look(image, scene, memory, at)
        seen, left = lost()
        return replace(seen, at=at), left

    def at(self, at: float, image: np.ndarray) -> Sighting:
        return self.eyes.look(image, at)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Searches:
    return Searches(monkeypatch)


@pytest.mark.long
def test_a_wrong_board_that_lies_still_is_searched_now_and_then_and_said_all_the_time(searches: Searches) -> None:
    wrong, searches.wrong = pictures("gloria"), True
    begun = []
    for at in range(50):
        before, seen = searches.count, searches.at(float(at), wrong.paint([]))
        assert isinstance(seen, BoardLost) and seen.at == at and seen.reason
        begun += [at] * (searches.count - before)
    assert begun == [0, 1, 3, 7, 15, 31, 47], f"once in {LAST_SEARCH} s at last"


@pytest.mark.long
def test_a_board_put_right_is_found_in_the_next_picture(searches: Searches) -> None:
    wrong, right = pictures("gloria"), pictures("parcheesi")
    searches.at(0.0, wrong.paint([]))
    searches.at(0.25, wrong.paint([]))
    assert isinstance(searches.at(0.5, right.paint([])), BoardSeen)


@pytest.mark.long
def test_a_small_thing_taken_off_the_board_is_change_enough(searches: Searches) -> None:
    right = pictures("parcheesi")
    frame = right.paint([])
    assert SHEET.markers is not None
    hidden = frame.copy()
    for center in list(SHEET.markers.centers.values())[1:]:
        x, y = right.project([(*center, 0.0)])[0]
        cv2.circle(hidden, (round(x), round(y)), 30, (120, 90, 60), -1)
    bare = cv2.GaussianBlur(hidden, (0, 0), 12)
    half = bare.copy()
    x, y = (round(v) for v in right.project([(*SHEET.markers.centers[1], 0.0)])[0])
    half[y - 40 : y + 40, x - 40 : x + 40] = frame[y - 40 : y + 40, x - 40 : x + 40]
    assert isinstance(searches.at(0.0, bare), BoardLost)
    searches.at(0.25, bare)
    assert searches.count == 1
    searches.at(0.5, half)
    assert searches.count == 2


def test_more_light_is_a_change_too(searches: Searches) -> None:
    wrong, searches.wrong = pictures("gloria").paint([]), True
    searches.at(0.0, (wrong * 0.4).astype(np.uint8))
    searches.at(0.25, wrong)
    assert searches.count == 2


@pytest.mark.long
def test_another_size_is_searched_and_what_is_no_picture_refused(searches: Searches) -> None:
    wrong = pictures("gloria").paint([])
    searches.at(0.0, wrong)
    searches.at(0.25, cv2.resize(wrong, (640, 480)))
    assert searches.count == 2
    with pytest.raises(ImageError):
        searches.at(0.5, np.zeros((480, 640), np.uint8))


def test_a_clock_that_goes_back_is_no_reason_to_wait(searches: Searches) -> None:
    wrong, searches.wrong = pictures("gloria").paint([]), True
    searches.at(100.0, wrong)
    searches.at(3.0, wrong)
    assert searches.count == 2


def test_the_light_is_measured_anew_once_a_board_lay_still_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Filmed (Game of God, glare, 951): where a disc had stood in a lamp's image, the light was still that beside it,
    and the square was read as a white disc throughout."""
    frame = pictures("parcheesi").paint([])
    known = really_look(frame, SCENE)[1]
    anew: list[tuple[float, bool]] = []

    def looks(image: np.ndarray, scene: Scene, memory: Memory | None, at: float) -> tuple[Sighting, Memory]:
        if memory is not None and memory.stale:
            anew.append((at, memory.look is None))
        return BoardSeen(at, {}, moving=at == 0), known

    monkeypatch.setattr(module, "look", looks)
    eyes = Eyes(SCENE)
    for step in range(64):
        eyes.look(frame, step / 4)
    assert anew == [(0.5, False), (1.5, True), (4.0, True), (14.0, False)]
