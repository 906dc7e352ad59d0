"""Discs put on others: where a black one was dark there is no lamp to make the next one bright."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from lone_stack import SHAPE, SHEET, seen_from, standing

from companion.model import Position
from companion.vision.board.memory import Learned, View
from companion.vision.board.standing import Match
from companion.vision.colors.unlit import since_ruled
from companion.vision.light.today import Light
from companion.vision.view.pose import Frame

WHITE, BLACK, BEIGE = 230, 22, 150
COLORS = np.array([(0.7,) * 3 if seat == 0 else (0.006,) * 3 for seat in sorted(SHEET.colors)])
SEATS = sorted(SHEET.colors)
POSE = object()


def flat(found: Match, place: int, level: int, half: int | None = None, light: float = 1.0) -> Frame:
    """A beige board with a disc of one grey level, the left `half` of it of another one, in so much of the light."""
    shown = np.full((*SHAPE, 3), BEIGE, np.uint8)
    pixels, _ = found.where.hidden_by(place)
    shown.reshape(-1, 3)[pixels] = level
    if half is not None:
        x = pixels % SHAPE[1]
        shown.reshape(-1, 3)[pixels[x < np.median(x)]] = half
    return np.round(shown * light ** (1 / 2.2)).astype(np.uint8)


def told(then: Frame, now: Frame, found: Match, ruled: int = SEATS[1], pose: object = POSE) -> bool:
    today = SimpleNamespace(at=lambda pixels: (None, np.ones((*pixels.shape, 3), np.float32)))
    light = Light(np.eye(3), np.zeros(3), np.zeros((6, 3)))
    kept = SimpleNamespace(flat=now, light=light, colors=COLORS, today=today)
    position = Position.of({"d4": (ruled,)})
    nothing = np.zeros((*SHAPE, 3), np.float32)
    learned = Learned(then, np.ones(SHAPE, bool), position, nothing, np.zeros(SHAPE, bool), pose=pose)  # type: ignore[arg-type]
    view = View(POSE, None, found.where)  # type: ignore[arg-type]
    since = since_ruled(found, kept, learned, view, SHEET)  # type: ignore[arg-type]
    return since is not None and bool(since[0][0])


@pytest.mark.parametrize("light", [0.5, 1.0])
@pytest.mark.parametrize("half", [None, 60], ids=["whole", "half of it in a shadow"])
def test_what_is_bright_where_a_black_disc_was_dark_mirrors_no_lamp(half: int | None, light: float) -> None:
    found, place = standing(seen_from(25), "d4", 1)
    black = flat(found, place, BLACK)
    assert told(black, flat(found, place, WHITE, half, light), found)


def test_what_was_bright_or_is_dark_still_says_nothing() -> None:
    found, place = standing(seen_from(25), "d4", 1)
    black, white, lamp = flat(found, place, BLACK), flat(found, place, WHITE), flat(found, place, BLACK, WHITE)
    assert not told(black, black, found), "it is dark"
    assert not told(lamp, lamp, found), "a lamp was mirrored there, and is still"
    assert not told(flat(found, place, 90), white, found), "it was not black: an image's edge lay there"
    assert not told(black, white, found, ruled=SEATS[0]), "it was a white one in the dark"
    assert not told(black, white, found, pose=object()), "the camera was moved, and with it the image"
